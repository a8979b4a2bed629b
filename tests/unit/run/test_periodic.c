/*
 * Tests of whole runs in periodic boxes: special cases that can be computed by hand, and what must
 * hold at any time of any run. The independent program tests/command/exact.c computes random ones.
 */
#include "check.h"
#include "observed.h"

static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};

/* Up to four disks of radius 1 in a box that is periodic along both axes, or these. */
struct few {
    struct particle particles[4];
    double width, height;
    unsigned axes;
};

/* Where a particle ends, how often it has collided with others, and its image counts. */
struct fate {
    double x, y;
    uint64_t others;
    int64_t x_image, y_image;
};

static struct system make_system(const struct few *few, size_t count)
{
    struct random_generator random = random_from(0);
    struct system system = random_lattice(&random, count, 1, 0);
    system.boundary =
        (struct boundary){.width = few->width,
                          .height = few->height,
                          .periodic = few->axes ? few->axes : PERIODIC_X | PERIODIC_Y};
    for (size_t k = 0; k < count; k++) {
        system.particles[k] = few->particles[k];
        system.particles[k].id = (int32_t)k;
        system.particles[k].collided = -(double)INFINITY;
    }
    return system;
}

/* Runs them with each schedule: this is the end of particle 0, and of particle 1 if there is one.
 */
static int ends(const struct few *few, size_t count, double end_time, const struct fate *fates)
{
    int is_so = 1;
    for (size_t kind = 0; kind < LENGTH(kinds); kind++) {
        OWNED(system, system) = make_system(few, count);
        is_so &= CHECK(!observed_run(&system, kinds[kind], end_time, NULL, &failure));
        for (size_t k = 0; k < count && k < 2; k++) {
            const struct particle_counts *counts = &system.counts[k];
            double x, y;
            physics_position(&system, k, end_time, &x, &y);
            is_so &= fabs(x - fates[k].x) < 1e-12 && fabs(y - fates[k].y) < 1e-12;
            is_so &= counts->walls == 0 && counts->particles == fates[k].others;
            is_so &= counts->x_image == fates[k].x_image && counts->y_image == fates[k].y_image;
        }
    }
    return is_so;
}

TEST(one_disk_passes_seams)
{
    const struct few right = {{{.x = 5, .y = 5, .u = 1}}, 8, 10, 0};
    CHECK(ends(&right, 1, 2.5, &(struct fate){7.5, 5, 0, 0, 0}));
    CHECK(ends(&right, 1, 3, &(struct fate){0, 5, 0, 1, 0})); /* at END_TIME itself */
    CHECK(ends(&right, 1, 8003, &(struct fate){0, 5, 0, 1001, 0}));
    const struct few left = {{{.x = 0, .y = 0, .u = -1, .v = -2}}, 8, 8, 0};
    CHECK(ends(&left, 1, 0, &(struct fate){0, 0, 0, -1, -1})); /* L is shown as 0 */
    CHECK(ends(&left, 1, 4, &(struct fate){4, 0, 0, -1, -2}));
    CHECK(ends(&left, 1, 1e5, &(struct fate){0, 0, 0, -12501, -25001}));
    const struct few still = {{{.x = 0, .y = 0}}, 8, 8, 0};
    CHECK(ends(&still, 1, SYSTEM_LARGEST, &(struct fate){0, 0, 0, 0, 0}));
}

TEST(walls_and_seams_in_one_box)
{
    struct few few = {{{.x = 5, .y = 5, .u = 1, .v = 1}}, 8, 10, PERIODIC_X};
    OWNED(system, system) = make_system(&few, 1);
    double x, y;
    CHECK(!observed_run(&system, SCHEDULE_ARRAY, 16, NULL, &failure)); /* walls at 4 and 12 */
    physics_position(&system, 0, 16, &x, &y);
    CHECK(x == 5 && y == 5 && system.counts[0].walls == 2 && system.counts[0].x_image == 2);
}

/* One at rest across a seam, or across a corner, is hit by one that comes through it. */
TEST(disks_meet_across_seams)
{
    const struct few seam = {{{.x = 0.5, .y = 5}, {.x = 6, .y = 5, .u = 1}}, 10, 10, 0};
    CHECK(ends(&seam, 2, 2.5, &(struct fate[]){{0.5, 5, 1, 0, 0}, {8.5, 5, 1, 0, 0}}[0]));
    CHECK(ends(&seam, 2, 12.5, &(struct fate[]){{6.5, 5, 2, 0, 0}, {2.5, 5, 2, 1, 0}}[0]));
    const double far = 10 - sqrt(2);
    const struct few corner = {
        {{.x = 0, .y = 0}, {.x = far - 2, .y = far - 2, .u = 1, .v = 1}}, 10, 10, 0};
    CHECK(ends(&corner, 2, 1.75,
               &(struct fate[]){{0, 0, 0, 0, 0}, {far - 0.25, far - 0.25, 0, 0, 0}}[0]));
    CHECK(ends(&corner, 2, 3, &(struct fate[]){{1, 1, 1, 0, 0}, {far, far, 1, 0, 0}}[0]));
}

/* In a box of exactly four radii a disk touches another one on both sides, and moves with it. */
TEST(a_full_ring_moves)
{
    const struct few ring = {
        {{.x = 1, .y = 5, .u = 1, .v = 0.5}, {.x = 3, .y = 5, .u = 1, .v = 0.5}}, 4, 10, 0};
    CHECK(ends(&ring, 2, 41, &(struct fate[]){{2, 5.5, 0, 10, 2}, {0, 5.5, 0, 11, 2}}[0]));
}

/* The message of a run that does not reach its end. */
static const char *refused(const struct few *few, size_t count, double end_time,
                           enum schedule_kind kind)
{
    static struct error error;
    OWNED(system, system) = make_system(few, count);
    CHECK(observed_run(&system, kind, end_time, NULL, &error) == STATUS_BAD_DATA);
    return error.message;
}

TEST(what_never_ends_is_noticed)
{
    const struct few ring = {{{.x = 0, .y = 5, .u = 1}, {.x = 2, .y = 5}}, 4, 10, PERIODIC_X};
    const struct few fast = {{{.x = 5, .y = 5, .u = 1e30, .v = 1}}, 10, 10, 0};
    const struct few late = {
        {{.x = 5, .y = 5, .u = 1, .t = 1e20}, {.x = 1, .y = 1, .t = 1e20}}, 10, 10, 0};
    for (size_t kind = 0; kind < LENGTH(kinds); kind++) {
        CHECK(strstr(refused(&ring, 2, 1, kinds[kind]), "at time 0 disks are wedged"));
        CHECK(strstr(refused(&fast, 1, 1, kinds[kind]),
                     "END_TIME 1 is out of reach: it takes more than 1e+15 collisions and passages "
                     "of seams; the last "));
        /* It passes the box in less time than the digits of the time tell. */
        CHECK(strstr(refused(&late, 2, 2e20, kinds[kind]), "END_TIME 2e+20 is out of reach"));
    }
}

/* Half a million passages are not too many. */
TEST(many_passages_are_fine)
{
    const struct few few = {{{.x = 4, .y = 4, .u = 8}}, 8, 8, 0};
    CHECK(ends(&few, 1, 500000, &(struct fate){4, 4, 0, 500000, 0}));
}

/* The path of each particle, from collisions alone. */
struct replay {
    struct observer observer;
    const struct system *system; /* the one that is simulated; not owned */
    double (*place)[2];          /* where it would be without seams, at its last collision, */
    double (*velocity)[2];       /* and with which velocity it goes on */
    double *time;                /* since then */
    size_t collisions;
    double overlap; /* the deepest that was seen, length */
};

/* How far a particle is from the first one of a collision. */
static double find_distance(const struct replay *replay, const struct collision *collision,
                            size_t number)
{
    const struct boundary *boundary = &replay->system->boundary;
    const double since = collision->time - replay->time[number];
    double dx = replay->place[number][0] + replay->velocity[number][0] * since - collision->a.x;
    double dy = replay->place[number][1] + replay->velocity[number][1] * since - collision->a.y;
    return hypot(remainder(dx, boundary->width), remainder(dy, boundary->height));
}

static void move_on(struct replay *replay, const struct collision_particle *participant,
                    double time)
{
    const size_t k = (size_t)participant->number;
    for (int axis = 0; axis < 2; axis++)
        replay->place[k][axis] += replay->velocity[k][axis] * (time - replay->time[k]);
    replay->velocity[k][0] = participant->u;
    replay->velocity[k][1] = participant->v;
    replay->time[k] = time;
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct replay *replay = (struct replay *)observer;
    const struct system *system = replay->system;
    const double contact = collision->a.radius + collision->b.radius;
    (void)error;
    move_on(replay, &collision->a, collision->time);
    move_on(replay, &collision->b, collision->time);
    CHECK(fabs(hypot(collision->dx, collision->dy) - contact) < 1e-11);
    replay->collisions++;
    for (size_t k = 0; k < system->count; k++)
        if ((int32_t)k != collision->a.number)
            replay->overlap = fmax(replay->overlap, contact - find_distance(replay, collision, k));
    return STATUS_DONE;
}

OBSERVED_TAKE(take, collide, NULL)

static void leave(struct observer *observer)
{
    (void)observer;
}

static void *allocate(size_t count, size_t size)
{
    void *block = memory_allocate(count, size, "a test", &failure);
    if (!CHECK(block != NULL))
        exit(EXIT_FAILURE);
    return block;
}

static struct replay make_replay(const struct system *system)
{
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = take, .free = leave};
    struct replay replay = {
        .observer = {.operations = &operations, .next_sample = (double)INFINITY},
        .system = system,
        .place = allocate(system->count, sizeof *replay.place),
        .velocity = allocate(system->count, sizeof *replay.velocity),
        .time = allocate(system->count, sizeof *replay.time)};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        replay.place[k][0] = p->x;
        replay.place[k][1] = p->y;
        replay.velocity[k][0] = p->u;
        replay.velocity[k][1] = p->v;
        replay.time[k] = 0;
    }
    return replay;
}

struct total {
    double u, v, squares;
};

static struct total add_up(const struct system *system)
{
    struct total total = {0, 0, 0};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        total.u += p->u;
        total.v += p->v;
        total.squares += p->u * p->u + p->v * p->v;
    }
    return total;
}

/* Without seams a particle would be where its velocities between collisions have taken it, and its
 * image counts say just that; no disks overlap, and momentum and energy are what they were. */
static void check_gas(struct system *system, enum schedule_kind kind, double end_time)
{
    struct replay replay = make_replay(system);
    const struct total before = add_up(system);
    const double count = (double)system->count;
    CHECK(!observed_run(system, kind, end_time, &replay.observer, &failure));
    const struct total after = add_up(system);
    const struct snapshot snapshot = snapshot_in_order(system, end_time);
    CHECK(replay.collisions > system->count && replay.overlap < 1e-11);
    CHECK(fabs(after.u - before.u) < 1e-13 * count && fabs(after.v - before.v) < 1e-13 * count);
    CHECK(fabs(after.squares / before.squares - 1) < 1e-14);
    int64_t images = 0;
    for (size_t k = 0; k < system->count; k++) {
        const double since = end_time - replay.time[k];
        double x, y;
        snapshot_unwrapped(&snapshot, k, &x, &y);
        CHECK(fabs(x - replay.place[k][0] - replay.velocity[k][0] * since) < 1e-9);
        CHECK(fabs(y - replay.place[k][1] - replay.velocity[k][1] * since) < 1e-9);
        images += llabs(snapshot_counts(&snapshot, k).x_image);
    }
    CHECK(images > 0);
    memory_free(replay.place);
    memory_free(replay.velocity);
    memory_free(replay.time);
}

TEST(gases_keep_the_laws)
{
    for (int round = 0; round < (check_is_thorough() ? 12 : 4); round++) {
        struct random_generator random = random_from((uint64_t)round);
        OWNED(system, system) = generated_system(20 + 10 * (size_t)round, 0.05 + 0.05 * round, 1,
                                                 1 + round % 3, (uint64_t)round);
        random_periodic(&random, &system, PERIODIC_X | PERIODIC_Y);
        system.law = ELASTIC;
        check_gas(&system, kinds[1 + round % 2], check_is_quick() ? 100 : 200);
    }
}
