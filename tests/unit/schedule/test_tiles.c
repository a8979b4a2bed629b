/* Tests of the tiles schedule's answers: the events, their order, and the end are those of the
 * cells schedule, to the last bit, for any number of threads and tiles of any size. That each of
 * its ways out is taken, and comes to the same, is tested in test_tiles_alone.c. */
#include "agreement.h"
#include "check.h"
#include "odd_system.h"
#include "tiled.h"

/* How many inputs of each kind. */
static int rounds(int most)
{
    return check_is_thorough() ? most / 2 : (most + 19) / (check_is_quick() ? 80 : 20);
}

/* The outcomes of all tiles so far. */
static uint64_t outcomes[TILES_OUTCOMES];

static struct schedule_threads random_threads(struct random_generator *random)
{
    static const unsigned counts[] = {1, 2, 3, 5, 8, 16};
    return (struct schedule_threads){counts[random_below(random, LENGTH(counts))],
                                     1 + (uint32_t)random_below(random, 12)};
}

/* Compares the schedules up to a time, often that of an event; frees the system. */
static void compare_until(const char *name, int round, struct system *system, double end_time,
                          struct random_generator *random)
{
    const struct schedule_threads threads = random_threads(random);
    if (!tiled_check(system, end_time, 20000, &threads, random, outcomes))
        printf("this was %s, round %d: %zu disks up to %.17g, %u threads, tiles of %u\n", name,
               round, system->count, end_time, threads.count, (unsigned)threads.tile_side);
    system_free(system);
}

static void compare(const char *name, int round, struct system *system, int events,
                    struct random_generator *random)
{
    if (check_is_quick())
        events = events / 10 + 1;
    compare_until(name, round, system, agreement_time(system, events), random);
}

/* Any law of collisions, often the assignment's. */
static struct system_law random_law(struct random_generator *random)
{
    return (struct system_law){random_below(random, 2) ? RULE_ELASTIC : RULE_SWAP,
                               random_below(random, 3) ? 1 : random_unit(random), 1e-3};
}

/* In half of the cases, seams and streams. */
static void maybe_periodic(struct random_generator *random, struct system *system)
{
    if (random_below(random, 2)) {
        random_periodic(random, system, random_axes(random));
        random_stream(random, system);
    }
    random_walls(random, system);
}

RANDOM_TEST(gases, 150)
{
    for (int round = 0; round < rounds(160); round++) {
        const size_t count = 1 + random_below(random, round % 8 == 0 ? 1500 : 250);
        const double area_fraction = 0.01 * pow(80, random_unit(random));
        const double aspect = random_aspect(random);
        struct system system = generated_system(count, area_fraction, 0.5, aspect, (uint64_t)round);
        system.law = random_law(random);
        maybe_periodic(random, &system);
        compare("a gas", round, &system, 1 + (int)random_below(random, 3000), random);
    }
}

RANDOM_TEST(unequal_particles, 151)
{
    for (int round = 0; round < rounds(140); round++) {
        struct system system =
            mixed_system(random, (enum mixed_kind)(round % MIXED_KINDS),
                         1 + random_below(random, 250), 1e-3 + 0.6 * random_unit(random));
        system.law = random_law(random);
        maybe_periodic(random, &system);
        compare("unequal", round, &system, 1 + (int)random_below(random, 2000), random);
    }
}

/* Disks much larger than the others, in tiles that are wide enough for them. */
RANDOM_TEST(large_disks, 161)
{
    static const enum mixed_kind kinds[] = {MIXED_FEW_LARGE, MIXED_SCALES, MIXED_RADII,
                                            MIXED_FEW_LARGE};
    const uint64_t done = outcomes[TILES_DONE];
    for (int round = 0; round < rounds(80); round++) {
        OWNED(system, system) =
            mixed_system(random, kinds[round % 4], 500 + random_below(random, 1500),
                         0.02 + 0.5 * random_unit(random));
        struct schedule_threads threads = random_threads(random);
        threads.tile_side += 12;
        system.law = random_law(random);
        maybe_periodic(random, &system);
        const double end_time =
            agreement_time(&system, 1 + (int)random_below(random, check_is_quick() ? 300 : 3000));
        if (!tiled_check(&system, end_time, 20000, &threads, random, outcomes))
            printf("this was round %d: %u threads, tiles of %u\n", round, threads.count,
                   (unsigned)threads.tile_side);
    }
    CHECK(outcomes[TILES_DONE] > done);
}

/* Large lattices whose velocities have components -1, 0 or 1. */
RANDOM_TEST(lattices, 152)
{
    for (int round = 0; round < rounds(120); round++) {
        const size_t columns = 1 + random_below(random, 60);
        struct system system =
            random_lattice(random, columns, 1 + random_below(random, 1 + 600 / columns),
                           0.25 * (double)(random_below(random, 9)));
        system.law = random_law(random);
        if (random_below(random, 2))
            system.boundary.periodic = random_axes(random);
        if (system.boundary.periodic && (system.boundary.width < 4 || system.boundary.height < 4))
            system.boundary.periodic = 0;
        compare("a lattice", round, &system, 1 + (int)random_below(random, 3000), random);
    }
}

RANDOM_TEST(ties_and_odd_shapes, 153)
{
    for (int round = 0; round < rounds(400); round++) {
        const int kind = round / 2;
        struct system system = round % 2 ? odd_system(random, (enum odd_kind)(kind % ODD_KINDS))
                                         : tied_system(random, (enum tied_kind)(kind % TIED_KINDS));
        system.law = random_law(random);
        maybe_periodic(random, &system);
        compare(round % 2 ? "odd" : "tied", round, &system, 1 + (int)random_below(random, 300),
                random);
    }
}

/* Disks of radius 0.3 in the middle of cells of side 1, thin walls between some of these. */
static struct system maze(struct random_generator *random)
{
    const size_t columns = 4 + random_below(random, 30);
    const size_t rows = 4 + random_below(random, 10);
    struct system system = random_lattice(random, columns, rows, 0);
    system.radius = 0.3;
    system.boundary.width = (double)columns;
    system.boundary.height = (double)rows;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = (double)(k % columns) + 0.5;
        p->y = (double)(k / columns) + 0.5;
        if (random_below(random, 3))
            p->u = 2 * random_unit(random) - 1;
    }
    for (size_t walls = 1 + random_below(random, 20); walls > 0; walls--) {
        const double x = 1 + (double)random_below(random, columns - 1);
        const double y = 1 + (double)random_below(random, rows - 1);
        const double length = 0.25 + 0.5 * random_unit(random);
        const double upright[2][2] = {{x, y - 0.875}, {x, y - 0.875 + length}};
        const double level[2][2] = {{x - 0.875, y}, {x - 0.875 + length, y}};
        system_add_polygon(&system, random_below(random, 2) ? upright : level, 2, 0);
    }
    return system;
}

RANDOM_TEST(polygons, 154)
{
    for (int round = 0; round < rounds(120); round++) {
        struct system system = maze(random);
        const double w = system.boundary.width, h = system.boundary.height;
        const double room[6][2] = {{0.1, 0.1}, {w - 0.1, 0.1},   {w, h / 2},
                                   {w, h},     {w / 2, h - 0.1}, {0.1, h - 0.1}};
        system.law = random_law(random);
        if (round % 3 == 0) {
            system_add_polygon(&system, room, 6, 1);
        } else if (round % 3 == 1) {
            system.boundary.periodic = random_axes(random);
            random_stream(random, &system);
        }
        random_walls(random, &system);
        compare("with polygons", round, &system, 1 + (int)random_below(random, 1500), random);
    }
}

/* Moves everything along periodic axes, so that a seam is anywhere. */
static void shift_across_seams(struct system *system, double x, double y)
{
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        p->x += p->x + x < system->boundary.width ? x : x - system->boundary.width;
        p->y += p->y + y < system->boundary.height ? y : y - system->boundary.height;
    }
}

/* Rows of up to 80 touching disks, level, upright or along a diagonal, at rest. The last disk of
 * each row moves to it; sometimes also the first one. */
static struct system chains(struct random_generator *random)
{
    static const double steps[][2] = {{5, 0}, {0, 5}, {3, 4}, {4, 3}};
    const double *step = steps[random_below(random, 4)];
    const size_t length = 3 + random_below(random, 78);
    const size_t count = 1 + random_below(random, 3);
    const double speed = (double)(1 + random_below(random, 3));
    struct system system = random_lattice(random, length, count, 0);
    const double far = (double)length + 3;
    system.radius = 2.5;
    system.boundary.width = step[0] * far + 10.5 * (double)count + 5;
    system.boundary.height = step[1] * far + 10;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        const size_t place = k % length;
        const int is_last = place + 1 == length;
        const int is_first = place == 0 && random_below(random, 2);
        const double along = (double)place + (is_last ? 2 : is_first ? 0 : 1);
        p->x = 5 + 10 * (double)(k / length) + step[0] * along;
        p->y = 5 + step[1] * along;
        p->u = is_last ? -speed * step[0] : is_first ? speed * step[0] : 0;
        p->v = is_last ? -speed * step[1] : is_first ? speed * step[1] : 0;
    }
    return system;
}

RANDOM_TEST(chains, 155)
{
    for (int round = 0; round < rounds(120); round++) {
        struct system system = chains(random);
        if (round % 2)
            system.law.rule = RULE_ELASTIC;
        if (round % 4 > 1) {
            system.boundary.periodic = random_axes(random);
            shift_across_seams(
                &system,
                system.boundary.periodic & PERIODIC_X ? floor(system.boundary.width / 3) : 0,
                system.boundary.periodic & PERIODIC_Y ? floor(system.boundary.height / 3) : 0);
        }
        if (system.law.rule == RULE_ELASTIC)
            system.law = ELASTIC;
        compare("chains", round, &system, 1 + (int)random_below(random, 1000), random);
    }
}

/* Ends that leave nothing to do, or just something. */
RANDOM_TEST(short_runs, 156)
{
    for (int round = 0; round < rounds(80); round++) {
        struct system system =
            random_lattice(random, round % 4 == 0 ? 1 : 1 + random_below(random, 30),
                           round % 4 == 0 ? 1 : 1 + random_below(random, 10), round % 3);
        if (round % 5 == 0) /* all at rest */
            for (size_t k = 0; k < system.count; k++)
                system.particles[k].u = system.particles[k].v = 0;
        compare_until("short", round, &system,
                      round % 5 == 0 ? 1000 * random_unit(random)
                      : round % 2    ? 0
                                     : 1e-300,
                      random);
    }
}

/* As if the run had been going on for long: times have few digits left for what comes now. */
RANDOM_TEST(late_anchors, 157)
{
    static const double starts[] = {1e3, 1e6, 0x1p20, 1e9};
    for (int round = 0; round < rounds(80); round++) {
        struct system system =
            round % 2
                ? random_system(random, 1 + random_below(random, 150), 0.3, random_aspect(random))
                : random_lattice(random, 1 + random_below(random, 40), 5, 0.5);
        const double wait = agreement_time(&system, 500);
        const double start = starts[round % 4] * wait;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].t = start;
        compare_until("late", round, &system, start + wait, random);
    }
}

/* Compares about 300 events, with and without observers, with tiles of one cell on one and three
 * threads.
 */
static void check_kept(struct system *system)
{
    struct random_generator random = random_from(158);
    system->law = ELASTIC;
    const double end_time = agreement_time(system, 300);
    for (unsigned count = 1; count <= 3; count += 2) {
        const struct schedule_threads threads = {count, 1};
        CHECK(tiled_check(system, end_time, 20000, &threads, &random, outcomes));
    }
    system_free(system);
}

/* Found by chance, and small: a disk that is 130 times as fast as the others misleads a tile, which
 * keeps a particle that is another tile's. That one is right. If it were not done again, the state
 * that the first one has written would stay. */
TEST(a_particle_that_two_tiles_keep)
{
    struct system system = generated_system(40, 0.1, 0.5, 20, 524);
    system.particles[20].u *= 130;
    system.particles[20].v *= 130;
    check_kept(&system);
}

/* The same for two disks that cross towards each other's cells at one time, each of which is kept
 * by a tile of its own: unless both tiles take the same one for the first, no one knows that they
 * will collide. */
RANDOM_TEST(crossings_at_one_time, 894)
{
    struct system system = random_lattice(random, 9, 10, 2);
    check_kept(&system);
}

/* All of this is worth nothing if windows do not last, or if tiles always agree at once. */
TEST(tiles_have_worked)
{
    CHECK(outcomes[TILES_DONE] > 300 || check_is_quick());
    CHECK(outcomes[TILES_REDONE] > 5 || check_is_quick());
}
