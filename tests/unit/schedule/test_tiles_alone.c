/* Tests of the ways out of the tiles schedule: halos that must grow, one thread that goes on alone,
 * windows that are given up. Each is made to happen, seen to have happened, and comes to what the
 * cells schedule comes to. Memory and threads that cannot be had are tested by
 * tests/command/tiles.sh. */
#include "agreement.h"
#include "check.h"
#include "tiled.h"

/* The outcomes of tiles in the last comparison. */
static uint64_t outcomes[TILES_OUTCOMES];

/* A gas of disks of radius 0.5 in a square box. */
static struct system make_gas(size_t count, double area_fraction)
{
    return generated_system(count, area_fraction, 0.5, 1, count);
}

static void compare(const struct system *system, double end_time, unsigned threads, uint32_t side)
{
    struct random_generator random = random_from(170);
    const struct schedule_threads ways = {threads, side};
    memset(outcomes, 0, sizeof outcomes);
    CHECK(tiled_check(system, end_time, 200000, &ways, &random, outcomes));
}

/* A disk that is faster than the others crosses a halo before a window ends: a wider one is enough.
 * If it is much faster, tiles are joined, or one thread alone has to go on. */
TEST(a_fast_disk)
{
    static const double faster[] = {15, 100, 1000};
    for (int k = 0; k < 3; k++) {
        OWNED(system, system) = make_gas(1000, 0.05);
        system.particles[500].u *= faster[k];
        system.particles[500].v *= faster[k];
        compare(&system, k < 2 ? 5 : 0.5, 2, 6);
        CHECK(outcomes[TILES_REDONE] > 0 || k > 0);
        CHECK((outcomes[TILES_JOINED] > 0) == (k > 0));
        CHECK((outcomes[TILES_DISAGREED] + outcomes[TILES_TIED] > 0) == (k > 0));
        CHECK(k > 0 || outcomes[TILES_DONE] > 0);
    }
}

/* Disks that move at random in rows 5 apart, and between two rows `count` disks at rest, with gaps
 * between them. */
static struct system make_chain(size_t count, double gap)
{
    enum { COLUMNS = 70, ROWS = 8 };
    struct random_generator random = random_from(171);
    struct system system = random_lattice(&random, COLUMNS * ROWS + count, 1, 0);
    system.boundary.width = 4 * COLUMNS;
    system.boundary.height = 5 * ROWS;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        const size_t place = k - COLUMNS * ROWS;
        p->x = k < COLUMNS * ROWS ? 2 + 4 * (double)(k % COLUMNS) : 30 + (2 + gap) * (double)place;
        p->y = 2.5 + 5 * (k < COLUMNS * ROWS ? (double)(k / COLUMNS) : 3.5);
        p->u = k < COLUMNS * ROWS ? 2 * random_unit(&random) - 1 : 0;
        p->v = k < COLUMNS * ROWS ? 2 * random_unit(&random) - 1 : 0;
    }
    return system;
}

/* So narrow that an impulse passes in hardly any time, but that no two collisions are at one. */
static const double NARROW = 1e-9;

/* A chain that is a little longer than a halo is wide: a wider one is enough. */
TEST(halos_that_grow)
{
    OWNED(system, system) = make_chain(20, NARROW);
    compare(&system, 5, 2, 3);
    CHECK(outcomes[TILES_REDONE] > 0);
    CHECK(outcomes[TILES_DISAGREED] == 0);
}

/* A chain across more tiles than a halo can have. */
TEST(a_long_chain)
{
    OWNED(system, system) = make_chain(80, NARROW);
    compare(&system, 27, 3, 3);
    CHECK(outcomes[TILES_DISAGREED] > 0);
    CHECK(outcomes[TILES_DONE] > 0);
}

/* A chain that carries an impulse through borders in no time: tiles cannot compare that. Those
 * along it are done as one, and all others go on. */
TEST(a_tied_chain)
{
    OWNED(system, system) = make_chain(20, 0);
    compare(&system, 5, 2, 3);
    CHECK(outcomes[TILES_JOINED] > 0 && outcomes[TILES_DONE] > 0);
    CHECK(outcomes[TILES_TIED] == 0 && outcomes[TILES_DISAGREED] == 0);
}

/* Two crowds far apart, each in a few cells. They spread, and tiles begin. */
TEST(clusters)
{
    OWNED(system, system) = make_gas(400, 0.5);
    const double side = system.boundary.width;
    for (size_t k = 0; k < system.count; k++)
        if (system.particles[k].x > side / 2)
            system.particles[k].x += 6 * side;
    system.boundary.width *= 7;
    compare(&system, 60, 2, 4);
    CHECK(outcomes[TILES_CROWDED] > 0);
    CHECK(outcomes[TILES_DONE] > 0);
}

/* Disks between two walls without room, in a gas: the run has no end, and the message says so. */
RANDOM_TEST(wedged_disks, 172)
{
    for (size_t place = 0; place < 2; place++) {
        OWNED(system, system) = random_lattice(random, 24, 4, 0);
        for (size_t k = 0; k < system.count; k++) {
            struct particle *p = &system.particles[k];
            p->u = 0;
            p->v = k % 24 == 12 * place + 3 ? 1 : 0; /* a column that reaches from wall to wall */
        }
        system.boundary.width = 1000;
        compare(&system, 5, 2, 12);
        CHECK(outcomes[TILES_TOO_MANY] > 0);
        CHECK(agreement_run(SCHEDULE_CELLS, &system, 5, &failure) == STATUS_BAD_DATA);
    }
}

/* Touching disks collide at once, across all borders. */
RANDOM_TEST(touching_disks, 174)
{
    OWNED(system, system) = random_lattice(random, 40, 40, 0);
    system.boundary.width += 4;
    system.boundary.height += 4;
    compare(&system, 0.01, 2, 3);
    CHECK(outcomes[TILES_TIED] > 0);
}

/* A row of a tile with more members than 16 bits count: one thread goes on until they spread. */
RANDOM_TEST(a_crowded_row, 175)
{
    OWNED(system, system) = arranged_points(random, 210000, 30000, 7, 0);
    for (size_t k = 0; k < system.count / 2; k++) {
        system.particles[k].x /= 2;
        system.particles[k].y = 3.2 + 0.6 * system.particles[k].y / 7;
    }
    compare(&system, 1e-4, 2, 16000);
    CHECK(outcomes[TILES_CROWDED] > 0);
}

TEST(one_tile)
{
    OWNED(system, system) = make_gas(100, 0.3);
    compare(&system, 3, 2, 1000);
    CHECK(outcomes[TILES_SMALL] == 3 && outcomes[TILES_DONE] == 0);
}

/* So many that one thread fetches memory ahead, and that they are cut into tiles unasked. */
TEST(many_disks)
{
    OWNED(system, system) = make_gas(21000, 0.3);
    compare(&system, 2, 2, 0);
    CHECK(outcomes[TILES_DONE] > 0 && outcomes[TILES_DISAGREED] == 0);
}

/* A window without length: only what happens when the run begins. */
TEST(no_time)
{
    OWNED(system, system) = make_chain(1, 0);
    struct particle *p = &system.particles[3 * 70 + 7]; /* that below the disk at rest */
    p->y = 18;                                          /* touches it */
    p->v = 1;
    compare(&system, 0, 2, 3);
    CHECK(outcomes[TILES_NO_TIME] == 0 && outcomes[TILES_DONE] >= 2);
}

/* Lets one window happen, and gives one up: that leaves everything as it was. */
static void check_interruption(struct listener *listener, struct schedule *schedule,
                               double end_time, volatile sig_atomic_t *interrupt, double *time)
{
    const double last = *time;
    CHECK(!schedule_advance(schedule, end_time, &listener->sink, time, &failure));
    CHECK(*time > last);
    if (*time > end_time)
        return;
    const uint64_t windows = tiles_outcomes(schedule)[TILES_DONE];
    const double now = *time;
    OWNED(system, before) = system_copy(listener->system);
    *interrupt = 1;
    CHECK(!schedule_advance(schedule, end_time, &listener->sink, time, &failure));
    *interrupt = 0;
    CHECK(*time == now && tiles_outcomes(schedule)[TILES_DONE] == windows);
    CHECK(agreement_is_same(listener->system, &before));
}

TEST(interrupted_windows)
{
    const struct schedule_threads threads = {3, 4};
    const double end_time = 5;
    for (int is_told = 0; is_told < 2; is_told++) {
        volatile sig_atomic_t interrupt = 0;
        OWNED(system, known) = make_gas(600, 0.3);
        OWNED(system, system) = system_copy(&known);
        struct listener listener;
        struct schedule *schedule;
        double time = -1;
        CHECK(!agreement_run(SCHEDULE_CELLS, &known, end_time, &failure));
        CHECK(!tiles_create(&system, &threads, &schedule, &failure));
        listener_init(&listener, &system, SIZE_MAX);
        listener.sink.notify_from = is_told ? -(double)INFINITY : (double)INFINITY;
        listener.sink.most = 0; /* so that one window after another is asked for */
        listener.sink.interrupt = &interrupt;
        while (time <= end_time)
            check_interruption(&listener, schedule, end_time, &interrupt, &time);
        CHECK(tiles_outcomes(schedule)[TILES_INTERRUPTED] >= 3);
        schedule_free(schedule);
        CHECK(agreement_is_same(&system, &known));
        listener_free(&listener);
    }
}
