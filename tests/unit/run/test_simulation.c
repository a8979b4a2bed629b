/* Tests of whole runs: laws that hold for every input, on random ones, and the special cases that
 * random inputs never show. */
#include "check.h"
#include "run/dynamics.h"

static enum status run_with(enum schedule_kind kind, struct system *system, double end_time)
{
    struct schedule *schedule = NULL;
    CHECK(schedule_create(kind, system, NULL, &schedule, &failure) == STATUS_DONE);
    enum status status = simulation_run(schedule, end_time, NULL, &failure);
    schedule_free(schedule);
    return status;
}

static enum status run(struct system *system, double end_time)
{
    return run_with(SCHEDULE_ARRAY, system, end_time);
}

/* A random system without ties: 1 to 30 particles, dilute to dense, slender to square. */
static struct system untied_system(struct random_generator *random)
{
    size_t count = 1 + random_below(random, 30);
    double area_fraction = 0.01 + 0.44 * random_unit(random);
    return random_system(random, count, area_fraction, 0.1 + random_unit(random));
}

/* One like that or, one time in five, a block of touching disks in a corner, full of ties. */
static struct system any_system(struct random_generator *random)
{
    if (random_below(random, 5) > 0)
        return untied_system(random);
    struct system block =
        random_lattice(random, 1 + random_below(random, 5), 1 + random_below(random, 5), 0);
    block.boundary.width += 1 + random_unit(random);
    block.boundary.height += 3;
    return block;
}

struct velocity {
    double u, v;
};

static int compare_velocities(const void *left, const void *right)
{
    const struct velocity *a = left;
    const struct velocity *b = right;
    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

/* All velocities without their signs, sorted; the caller frees them. */
static struct velocity *sorted_velocities(const struct system *system)
{
    struct velocity *all = memory_allocate(system->count, sizeof *all, "velocities", &failure);
    if (!all)
        exit(EXIT_FAILURE);
    for (size_t k = 0; k < system->count; k++)
        all[k] = (struct velocity){fabs(system->particles[k].u), fabs(system->particles[k].v)};
    qsort(all, system->count, sizeof *all, compare_velocities);
    return all;
}

/* Velocities are switched and reversed but never changed: so energy is conserved to the last bit.
 */
RANDOM_TEST(velocities_are_conserved_exactly, 12)
{
    for (int round = 0; round < 100; round++) {
        OWNED(system, system) = any_system(random);
        struct velocity *before = sorted_velocities(&system);
        run(&system, 100 * random_unit(random));
        struct velocity *after = sorted_velocities(&system);
        CHECK(memcmp(before, after, system.count * sizeof *before) == 0);
        memory_free(before);
        memory_free(after);
    }
}

RANDOM_TEST(relabelling_the_input_relabels_the_output, 14)
{
    for (int round = 0; round < 100; round++) {
        OWNED(system, system) = untied_system(random);
        OWNED(system, other) = system_copy(&system);
        size_t shift = random_below(random, system.count);
        for (size_t k = 0; k < system.count; k++) {
            other.particles[k] = system.particles[(system.count - 1 - k + shift) % system.count];
            other.particles[k].id = (int32_t)k;
        }
        run(&system, 25);
        run(&other, 25);
        for (size_t k = 0; k < system.count; k++) {
            const size_t before = (system.count - 1 - k + shift) % system.count;
            other.particles[k].id = (int32_t)before;
            CHECK(memcmp(&other.particles[k], &system.particles[before],
                         sizeof other.particles[k]) == 0);
        }
    }
}

/* Special cases: up to three disks of radius 1, in a box of 20 x 20 unless said otherwise. */
struct few {
    struct particle particles[3];
    struct particle_counts counts[3];
    struct system system;
};

static struct system *few_particles(struct few *few, size_t count, double width, double height)
{
    for (size_t k = 0; k < count; k++)
        few->particles[k].id = (int32_t)k;
    few->system = arranged_few(few->particles, few->counts, count, 1, width, height);
    return &few->system;
}

static int ends(const struct system *system, size_t index, double end_time, double x, double y,
                uint64_t walls, uint64_t others)
{
    const struct particle_counts *counts = &system->counts[index];
    double px, py;
    physics_position(system, index, end_time, &px, &py);
    return fabs(px - x) < 1e-12 && fabs(py - y) < 1e-12 && counts->walls == walls &&
           counts->particles == others;
}

TEST(at_rest)
{
    struct few few = {.particles = {{.x = 5, .y = 5}, {.x = 7, .y = 5}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 1e9) == STATUS_DONE);
    CHECK(ends(system, 0, 1e9, 5, 5, 0, 0) && ends(system, 1, 1e9, 7, 5, 0, 0));
}

TEST(zero_velocity_components)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .v = 1}, {.x = 15, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 30) == STATUS_DONE);
    CHECK(ends(system, 0, 30, 5, 3, 1, 0) && ends(system, 1, 30, 17, 5, 1, 0));
}

TEST(touching_disks)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 7, .y = 5}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 0) == STATUS_DONE); /* approaching: at once */
    CHECK(ends(system, 0, 0, 5, 5, 0, 1) && ends(system, 1, 0, 7, 5, 0, 1));
    struct few apart = {.particles = {{.x = 5, .y = 5}, {.x = 7, .y = 5, .u = 1}}};
    system = few_particles(&apart, 2, 20, 20);
    CHECK(run(system, 2) == STATUS_DONE); /* receding: never */
    CHECK(ends(system, 0, 2, 5, 5, 0, 0) && ends(system, 1, 2, 9, 5, 0, 0));
}

TEST(touching_walls)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = -1}, {.x = 19, .y = 9, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 0) == STATUS_DONE);
    CHECK(ends(system, 0, 0, 1, 5, 1, 0) && ends(system, 1, 0, 19, 9, 0, 0));
}

TEST(a_corner_is_two_walls)
{
    struct few few = {.particles = {{.x = 4, .y = 16, .u = -1, .v = 1}}};
    struct system *system = few_particles(&few, 1, 20, 20);
    CHECK(run(system, 3) == STATUS_DONE);
    CHECK(ends(system, 0, 3, 1, 19, 2, 0));
    CHECK(run(system, 5) == STATUS_DONE);
    CHECK(ends(system, 0, 5, 3, 17, 2, 0));
}

TEST(a_graze_switches_velocities)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 10, .y = 7, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 4.5) == STATUS_DONE);
    CHECK(ends(system, 0, 4.5, 5.5, 5, 0, 1) && ends(system, 1, 4.5, 9.5, 7, 0, 1));
}

TEST(an_event_exactly_at_the_end_happens)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 1, 20, 20);
    CHECK(run(system, nextafter(4, 0)) == STATUS_DONE && few.counts[0].walls == 0);
    CHECK(run(system, 4) == STATUS_DONE);
    CHECK(ends(system, 0, 4, 1, 5, 1, 0));
}

TEST(points)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = 1}, {.x = 3, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    system->radius = 0;
    CHECK(run(system, 3) == STATUS_DONE);
    CHECK(ends(system, 0, 3, 0, 5, 1, 1) && ends(system, 1, 3, 4, 5, 0, 1));
}

TEST(a_box_as_wide_as_a_disk)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .v = 1}}};
    struct system *system = few_particles(&few, 1, 2, 20);
    CHECK(run(system, 32) == STATUS_DONE); /* along the box it can move */
    CHECK(ends(system, 0, 32, 1, 1, 2, 0));
    few.particles[0].u = 0.25; /* across it would hit the walls without end */
    CHECK(run(system, 64) == STATUS_BAD_DATA);
}

TEST(wedged_disks_are_noticed)
{
    /* Three in a row from wall to wall; the binary 0.1 leaves them almost no room, or none. */
    struct few few = {.particles = {{.x = 0.1, .y = 1, .u = 1, .v = 0.1},
                                    {.x = 0.3, .y = 1, .v = 0.1},
                                    {.x = 0.5, .y = 1, .u = -1, .v = 0.1}}};
    struct system *system = few_particles(&few, 3, 0.6, 20);
    system->radius = 0.1;
    CHECK(run(system, 1) == STATUS_BAD_DATA);
}

/* Between two thin walls that are as far apart as a disk is wide. */
TEST(a_disk_between_polygons)
{
    static const double walls[2][2][2] = {{{4, 0}, {4, 20}}, {{6, 0}, {6, 20}}};
    for (int is_across = 0; is_across < 2; is_across++) {
        struct few few = {.particles = {{.x = 5, .y = 5, .u = is_across ? 0.25 : 0, .v = 1}}};
        struct system *system = few_particles(&few, 1, 20, 20);
        system_add_polygon(system, walls[0], 2, 0);
        system_add_polygon(system, walls[1], 2, 0);
        CHECK(run(system, 14) == (is_across ? STATUS_BAD_DATA : STATUS_DONE));
        CHECK(is_across || ends(system, 0, 14, 5, 19, 1, 0)); /* along them it can move */
        polygons_free(system->boundary.polygons);
    }
}

/* Each of a row of touching disks meets each other at once: many collisions, but then they part. */
TEST(a_row_with_room_is_no_wedge)
{
    enum { COUNT = 700 };
    static struct particle particles[COUNT];
    static struct particle_counts counts[COUNT];
    for (int touches_wall = 0; touches_wall <= 1; touches_wall++) {
        for (int k = 0; k < COUNT; k++)
            particles[k] = (struct particle){.x = k + (touches_wall ? 0.5 : 1.5),
                                             .y = 1,
                                             .u = COUNT / 2 - k,
                                             .collided = -(double)INFINITY,
                                             .id = k};
        memset(counts, 0, sizeof counts);
        struct system system = arranged_few(particles, counts, COUNT, 0.5, COUNT + 2, 2);
        uint64_t collisions = 0;
        CHECK(run_with(SCHEDULE_CELLS, &system, 1e-4) == STATUS_DONE);
        for (int k = 0; k < COUNT; k++)
            collisions += counts[k].particles;
        CHECK(collisions / 2 >= COUNT * (COUNT - 1) / 2);
    }
}

/* A narrow box is not a wedge: 2.5 million wall collisions are not too many. */
TEST(many_wall_collisions_are_fine)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = 1}}};
    struct system *system = few_particles(&few, 1, 2 + 0x1p-20, 20);
    CHECK(run(system, 2.5) == STATUS_DONE);
    CHECK(few.counts[0].walls > 2600000 && few.counts[0].walls < 2640000);
}
