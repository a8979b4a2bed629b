/* Tests of the animation's data. How they stand in the page is in test_animation_page.c, and what
 * the page does with them is tested in a browser: see browser.sh. */
#include "check.h"
#include "observed.h"
#include "picture/drawing.h"
#include "picture/picture.h"

/* The page of a run of `system`, which the caller frees. */
static char *animate(struct system *system, enum schedule_kind kind, double end_time,
                     const char *title)
{
    return observed_text(&animation_operations,
                         &(struct run_settings){.title = title, .to = end_time},
                         &(struct output_settings){.name = "file"}, system, kind, end_time);
}

/* The bytes of a block of the page; NULL if there is no such block. The caller frees them. */
static unsigned char *block(const char *page, const char *id, size_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char head[100];
    snprintf(head, sizeof head, "<script type=\"text/plain\" id=\"%s\">\n", id);
    const char *next = strstr(page, head);
    *size = 0;
    if (!next)
        return NULL;
    next += strlen(head);
    unsigned char *bytes = memory_allocate(strcspn(next, "<") + 1, 1, "a block", &failure);
    unsigned bits = 0;
    int count = 0;
    for (; *next != '<'; next++) {
        const char *digit = strchr(digits, *next);
        if (!digit)
            continue;
        bits = bits << 6 | (unsigned)(digit - digits);
        count += 6;
        if (count >= 8)
            bytes[(*size)++] = (unsigned char)(bits >> (count -= 8));
    }
    return bytes;
}

/* Numbers as a machine reads them that keeps the lowest byte first. */
static uint64_t whole(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int k = count - 1; k >= 0; k--)
        value = value << 8 | bytes[k];
    return value;
}

static double real(const unsigned char *bytes)
{
    uint64_t bits = whole(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sets up the particles that the page begins with, in the kinds of `system`. */
static struct system first_state(const char *page, const struct system *system)
{
    struct system replayed = *system; /* its kinds are shared */
    size_t size;
    replayed.particles = NULL;
    replayed.counts = NULL;
    CHECK(system_reserve(&replayed, system->count, &failure) == STATUS_DONE);
    unsigned char *state = block(page, "state", &size);
    CHECK(size == 32 * system->count);
    for (size_t k = 0; k < system->count && size == 32 * system->count; k++) {
        struct particle *particle = &replayed.particles[k];
        const unsigned char *at = state + 32 * k;
        *particle = (struct particle){.x = real(at),
                                      .y = real(at + 8),
                                      .u = real(at + 16),
                                      .v = real(at + 24),
                                      .id = (int32_t)k,
                                      .kind = system->particles[k].kind};
    }
    memory_free(state);
    return replayed;
}

static void move(struct particle *particle, double time)
{
    particle->x += particle->u * (time - particle->t);
    particle->y += particle->v * (time - particle->t);
    particle->t = time;
}

/* Lets a particle pass the seams that it reaches before a time, and those at it, if included; but
 * not that of a stream. */
static void pass_seams(struct system *system, struct particle *p, double time, int are_included)
{
    const struct boundary *boundary = &system->boundary;
    for (;;) {
        const struct boundary_contact next = boundary_next(boundary, p, system_radius(system, p));
        if (!boundary_is_seam(boundary, next.feature) ||
            boundary_reinjects(boundary, next.feature) || next.time > time ||
            (next.time == time && !are_included))
            return;
        move(p, next.time);
        boundary_pass(boundary, p, next.feature);
        boundary_count(boundary, &system->counts[p->id], next.feature);
    }
}

/* Lets all events of the page happen, as its script does. Returns how many there are. */
static size_t replay(const char *page, struct system *system)
{
    size_t size;
    size_t count = 0;
    unsigned char *events = block(page, "events", &size);
    const unsigned char *at = events;
    for (; events && at < events + size; count++) {
        double time = real(at);
        struct particle *a = &system->particles[whole(at + 8, 4)];
        int32_t b = (int32_t)whole(at + 12, 4);
        at += 16;
        pass_seams(system, a, time, !boundary_reinjects(&system->boundary, b));
        move(a, time);
        if (b >= 0) {
            struct particle *other = &system->particles[b];
            pass_seams(system, other, time, 0);
            move(other, time);
            a->u = real(at);
            a->v = real(at + 8);
            other->u = real(at + 16);
            other->v = real(at + 24);
            at += 32;
        } else if (b < FEATURE_TOP || boundary_reinjects(&system->boundary, b)) {
            a->u = real(at);
            a->v = real(at + 8);
            a->x = real(at + 16);
            a->y = real(at + 24);
            at += 32;
            if (b >= FEATURE_TOP && !boundary_turned_back(&system->boundary, b, a))
                boundary_count(&system->boundary, &system->counts[a->id], b);
        } else if (b == FEATURE_LEFT || b == FEATURE_RIGHT) {
            double radius = system_radius(system, a);
            a->x = b == FEATURE_LEFT ? radius : system->boundary.width - radius;
            a->u = -a->u;
        } else {
            double radius = system_radius(system, a);
            a->y = b == FEATURE_BOTTOM ? radius : system->boundary.height - radius;
            a->v = -a->v;
        }
    }
    memory_free(events);
    return count;
}

/* Whether the page, replayed, ends with the very anchors of the run. */
static void check_exact(struct system *system, enum schedule_kind kind, double end_time)
{
    OWNED_TEXT(page) = animate(system, kind, end_time, "a title");
    struct system replayed = first_state(page, system);
    size_t count = replay(page, &replayed);
    uint64_t collisions = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        struct particle *q = &replayed.particles[k];
        pass_seams(&replayed, q, end_time, 1);
        CHECK(replayed.counts[k].x_image == system->counts[k].x_image &&
              replayed.counts[k].y_image == system->counts[k].y_image);
        CHECK(p->x == q->x && p->y == q->y && p->u == q->u && p->v == q->v && p->t == q->t);
        collisions += 2 * system->counts[k].walls + system->counts[k].particles;
    }
    CHECK(count > 0 && collisions > 0);
    CHECK(strstr(page, "\"exact\": true") != NULL);
    memory_free(replayed.particles);
    memory_free(replayed.counts);
}

TEST(the_swap_rule_is_exact)
{
    for (enum schedule_kind kind = SCHEDULE_ARRAY; kind <= SCHEDULE_CELLS; kind++) {
        struct random_generator random = random_from(3);
        OWNED(system, system) = random_system(&random, 200, 0.4, 2);
        check_exact(&system, kind, 20);
    }
}

/* Passages of seams are not in the list, but follow from it: also where many events are at a time.
 */
TEST(periodic_runs_are_exact)
{
    for (unsigned periodic = PERIODIC_X; periodic <= (PERIODIC_X | PERIODIC_Y); periodic++) {
        struct random_generator random = random_from(31 + periodic);
        OWNED(system, gas) = random_system(&random, 100, 0.2, 1.5);
        OWNED(system, ties) = random_lattice(&random, 6, 5, 1);
        gas.boundary.periodic = ties.boundary.periodic = periodic;
        gas.law = ELASTIC;
        check_exact(&gas, SCHEDULE_CELLS, 100);
        check_exact(&ties, SCHEDULE_ARRAY, 40);
    }
}

/* Disks, or points, in a box of 20 x 20 with an obstacle in the middle, one on the right side,
 * which may be a seam, and an oblique thin wall. */
static struct system make_polygonal(double radius, unsigned periodic)
{
    static const double pentagon[][2] = {{10, 7.5}, {12.5, 9}, {11.5, 12.5}, {10, 10}, {7.5, 12}};
    static const double square[][2] = {{18, 9}, {20.5, 8.5}, {21, 11}, {18.5, 11.5}};
    static const double wall[][2] = {{5.9, 14.1}, {14.2, 18.3}};
    struct random_generator random = random_from(7 + periodic);
    struct system system = {.radius = radius,
                            .boundary = {.width = 20, .height = 20, .periodic = periodic}};
    must(system_reserve(&system, 100, &failure));
    for (size_t k = 0; k < 100; k++) {
        double x = (double)(1 + k % 10 * 2);
        double y = (double)(1 + k / 10 * 2);
        int is_in_the_way = (y > 7 && y < 13 && ((x > 7 && x < 13) || x > 17 || x < 3)) ||
                            (x > 4 && x < 16 && y > 13 && y < 19);
        if (is_in_the_way)
            continue;
        struct particle *p = &system.particles[system.count++];
        p->x = x;
        p->y = y;
        p->u = 2 * random_unit(&random) - 1;
        p->v = 2 * random_unit(&random) - 1;
    }
    system_add_polygon(&system, pentagon, 5, 0);
    system_add_polygon(&system, square, 4, 0);
    system_add_polygon(&system, wall, 2, 0);
    return system;
}

/* Hits of polygons are in the list, with their places, which rounding may move. */
TEST(runs_with_polygons_are_exact)
{
    for (unsigned periodic = 0; periodic <= PERIODIC_X; periodic++) {
        for (int are_points = 0; are_points < 2; are_points++) {
            OWNED(system, system) = make_polygonal(are_points ? 0 : 0.4, periodic);
            check_exact(&system, periodic ? SCHEDULE_CELLS : SCHEDULE_ARRAY, 100);
        }
    }
}

/* So is what a stream gives. */
TEST(streams_are_exact)
{
    for (unsigned axes = PERIODIC_X; axes <= (PERIODIC_X | PERIODIC_Y); axes += PERIODIC_Y) {
        OWNED(system, system) = make_polygonal(0.4, axes);
        system.boundary.stream = stream_make(axes == PERIODIC_X ? 1.5 : -0.5, 1, 3);
        check_exact(&system, axes == PERIODIC_X ? SCHEDULE_CELLS : SCHEDULE_ARRAY, 60);
    }
}

/* Disks of two radii and masses that lose energy. */
RANDOM_TEST(any_law_is_exact, 9)
{
    OWNED(system, system) = random_system(random, 100, 0.3, 1);
    system.law =
        (struct system_law){.rule = RULE_ELASTIC, .restitution = 0.9, .contact_time = 1e-3};
    system.kinds = memory_allocate(2, sizeof *system.kinds, "kinds", &failure);
    system.kinds[0] = (struct particle_kind){.radius = 1, .mass = 1};
    system.kinds[1] = (struct particle_kind){.radius = 0.5, .mass = 3, .species = 4};
    system.kind_count = 2;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].kind = k % 2;
    check_exact(&system, SCHEDULE_ARRAY, 20);

    OWNED_TEXT(page) = animate(&system, SCHEDULE_ARRAY, 0, "a title");
    size_t size;
    unsigned char *kinds = block(page, "kinds", &size);
    CHECK(size == 40 && real(kinds) == 1 && real(kinds + 20) == 0.5 && real(kinds + 28) == 3 &&
          whole(kinds + 36, 4) == 4);
    memory_free(kinds);
    unsigned char *kind_of = block(page, "kind-of", &size);
    CHECK(size == 400 && whole(kind_of, 4) == 0 && whole(kind_of + 4, 4) == 1);
    memory_free(kind_of);
}

TEST(numbers_of_frames)
{
    CHECK(animation_count_frames(1, 10) == ANIMATION_MAX_FRAMES);
    CHECK(animation_count_frames(8888, 10) == ANIMATION_MAX_FRAMES);
    CHECK(animation_count_frames(100000, 10) == 53);
    CHECK(animation_count_frames(ANIMATION_MAX_PARTICLES, 10) == 5);
    CHECK(animation_count_frames(SYSTEM_MAX_COUNT, 10) == 2);
    CHECK(animation_count_frames(1, 0) == 1);
}

/* Two disks that bounce about for longer than the list of events may be. Each frame is where a run
 * up to its time ends. */
TEST(frames)
{
    struct particle particles[2] = {{.x = 2, .y = 3, .u = 3, .v = 1},
                                    {.x = 6, .y = 7, .u = -1, .v = 2, .id = 1}};
    const struct system start =
        arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
    OWNED(system, system) = system_copy(&start);
    const double end_time = 600000;
    OWNED_TEXT(page) = animate(&system, SCHEDULE_CELLS, end_time, "long");
    CHECK(strstr(page, "\"exact\": false, \"events\": 0, \"frames\": 600}") != NULL);
    CHECK(strstr(page, "id=\"events\"") == NULL);
    size_t size;
    const size_t frame_size = 24 + 2 * ANIMATION_FRAME_BYTES;
    unsigned char *frames = block(page, "frames", &size);
    CHECK(size == ANIMATION_MAX_FRAMES * frame_size);
    const size_t checked[] = {0, 1, 7, 599};
    for (size_t k = 0; k < 4 && size == ANIMATION_MAX_FRAMES * frame_size; k++) {
        const unsigned char *frame = frames + checked[k] * frame_size;
        double time = real(frame);
        CHECK(fabs(time - end_time * (double)checked[k] / 599) < 1e-6);
        OWNED(system, same) = system_copy(&start);
        CHECK(!observed_create_and_run(
            &animation_operations, &(struct run_settings){.title = "", .to = time},
            &(struct output_settings){.name = "/dev/null"}, &same, SCHEDULE_CELLS, time, &failure));
        double walls = 0;
        for (size_t i = 0; i < 2; i++) {
            const unsigned char *state = frame + 24 + i * ANIMATION_FRAME_BYTES;
            const struct particle_counts *counts = &same.counts[i];
            double x, y;
            physics_position(&same, i, time, &x, &y);
            CHECK(fabs((double)whole(state, 2) / 65535 * 10 - x) < 1e-4);
            CHECK(fabs((double)whole(state + 2, 2) / 65535 * 10 - y) < 1e-4);
            CHECK(whole(state + 8, 4) == counts->walls + counts->particles);
            walls += (double)counts->walls;
        }
        CHECK(real(frame + 8) == walls);
        CHECK(2 * real(frame + 16) ==
              (double)(same.counts[0].particles + same.counts[1].particles));
    }
    memory_free(frames);
}

/* In a stream, frames have the momenta that obstacles have gained, and speeds relative to it. A
 * disk goes up and down below an obstacle, and hits it at 1, 5, 9, ... */
TEST(frames_of_streams)
{
    static const double roof[][2] = {{2, 4}, {8, 4}, {8, 5}, {2, 5}};
    struct particle particle = {.x = 5, .y = 2, .v = 1};
    struct system system = SYSTEM(1, 10, 10, .radius = 1, .boundary.periodic = PERIODIC_X,
                                  .boundary.stream = stream_make(-1, 2, 0), .particles = &particle,
                                  .counts = (struct particle_counts[1]){{0}});
    system_add_polygon(&system, roof, 4, 0);
    OWNED_TEXT(page) = animate(&system, SCHEDULE_ARRAY, 900000, "long");
    size_t size;
    const size_t frame_size = 24 + 16 + ANIMATION_FRAME_BYTES;
    unsigned char *frames = block(page, "frames", &size);
    CHECK(strstr(page, ",\n\"stream\": {\"speed\": -1, \"temperature\": 2, \"forces\": 1}}"));
    CHECK(size == ANIMATION_MAX_FRAMES * frame_size);
    for (size_t k = 0; k < size / frame_size; k++) {
        const unsigned char *frame = frames + k * frame_size;
        CHECK(real(frame + 24) == 0 && real(frame + 32) == 2 * floor((real(frame) + 3) / 4));
        CHECK(whole(frame + 40 + 4, 4) == 0x3f800000); /* 1: that of the start, relative, too */
    }
    memory_free(frames);
    polygons_free(system.boundary.polygons);
}

/* A schedule puts particles in another order; in frames they stand by their ids. */
RANDOM_TEST(frames_are_by_ids, 4)
{
    if (check_is_quick())
        return;
    enum { COUNT = 300 };
    OWNED(system, system) = random_system(random, COUNT, 0.5, 1);
    OWNED(system, same) = system_copy(&system);
    OWNED_TEXT(page) = animate(&system, SCHEDULE_CELLS, 2000, "many");
    size_t size;
    const size_t frame_size = 24 + COUNT * ANIMATION_FRAME_BYTES;
    unsigned char *frames = block(page, "frames", &size);
    if (CHECK(size == ANIMATION_MAX_FRAMES * frame_size)) {
        const unsigned char *frame = frames + ANIMATION_MAX_FRAMES / 2 * frame_size;
        double time = real(frame);
        memory_free(animate(&same, SCHEDULE_CELLS, time, "half"));
        for (size_t k = 0; k < COUNT; k++) {
            const unsigned char *state = frame + 24 + k * ANIMATION_FRAME_BYTES;
            double x, y;
            physics_position(&same, k, time, &x, &y);
            CHECK(fabs((double)whole(state, 2) - x / same.boundary.width * 65535) < 1);
            CHECK(fabs((double)whole(state + 2, 2) - y / same.boundary.height * 65535) < 1);
        }
    }
    memory_free(frames);
}

TEST(too_many_particles)
{
    struct error error = {""};
    struct observer *observer;
    const struct system system = {.count = ANIMATION_MAX_PARTICLES + 1};
    const struct snapshot start = snapshot_in_order(&system, 0);
    const struct run_settings settings = {.title = "", .to = 1};
    struct output_settings output = {.name = "/dev/null"};
    CHECK(!observer_create(&animation_operations, &settings, &output, &observer, &error));
    CHECK(observer_begin(observer, &start, &error) == STATUS_USAGE);
    CHECK(strstr(error.message, "up to 1000000 particles") != NULL);
    observer_free(observer);
    output.name = "/nowhere/at/all";
    CHECK(!observer_create(&animation_operations, &settings, &output, &observer, &error));
    CHECK(observer_begin(observer, &start, &error) == STATUS_CANNOT_WRITE);
    observer_free(observer);
}
