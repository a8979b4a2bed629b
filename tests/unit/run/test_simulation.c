/*
 * Tests of whole runs: laws that hold for every input, on random ones, and the special cases that
 * random inputs never show.
 */
#include "base/memory.h"
#include "check.h"
#include "model/physics.h"
#include "model/polygons.h"
#include "random_system.h"
#include "run/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status run_with(enum schedule_kind kind, struct system *system, double end_time)
{
    struct error error;
    struct schedule *schedule = NULL;
    CHECK(schedule_create(kind, system, end_time, &schedule, &error) == STATUS_DONE);
    enum status status = simulation_run(system, schedule, end_time, NULL, &error);
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

static int same_particles(const struct system *left, const struct system *right)
{
    return memcmp(left->particles, right->particles, left->count * sizeof *left->particles) == 0;
}

static void test_the_textbook_version_gives_the_same_bytes(void)
{
    struct random_generator random = random_from(10);
    for (int round = 0; round < 200; round++) {
        struct system system = round % 4 ? any_system(&random)
                                         : random_lattice(&random, 1 + random_below(&random, 5),
                                                          1 + random_below(&random, 5), 1);
        struct system twin = system_copy(&system);
        double end_time = 20 * random_unit(&random);
        CHECK(run(&system, end_time) == run_with(SCHEDULE_TEXTBOOK, &twin, end_time));
        CHECK(same_particles(&system, &twin));
        system_free(&system);
        system_free(&twin);
    }
}

/* No disk leaves the box or overlaps another beyond rounding, at the time of an event. */
static void check_positions(const struct system *system, double time)
{
    double slack = 1e-12 * fmax(system->boundary.width, system->boundary.height);
    double R = system->radius;
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        double x = physics_coordinate(p->x, p->u, p->t, time);
        double y = physics_coordinate(p->y, p->v, p->t, time);
        CHECK(x > R - slack && x < system->boundary.width - R + slack);
        CHECK(y > R - slack && y < system->boundary.height - R + slack);
        for (size_t j = 0; j < i; j++) {
            const struct particle *q = &system->particles[j];
            double dx = physics_coordinate(q->x, q->u, q->t, time) - x;
            double dy = physics_coordinate(q->y, q->v, q->t, time) - y;
            CHECK(dx * dx + dy * dy > 4 * R * R - 4 * R * slack);
        }
    }
}

static void test_no_overlap_no_escape_and_time_never_decreases(void)
{
    struct random_generator random = random_from(11);
    struct error error;
    for (int round = 0; round < 100; round++) {
        struct system system = any_system(&random);
        double end_time = 30 * random_unit(&random);
        double now = 0;
        uint64_t walls = 0;
        uint64_t pairs = 0;
        struct schedule *schedule = NULL;
        struct event event;
        CHECK(!schedule_create(SCHEDULE_ARRAY, &system, end_time, &schedule, &error));
        while (schedule_next(schedule, &event)) {
            CHECK(event.time >= now && event.time <= end_time);
            now = event.time;
            check_positions(&system, now);
            physics_resolve(&system, &event);
            schedule_update(schedule, &event);
            *(event_partner(event.b) == PARTNER_BOUNDARY ? &walls : &pairs) += 1;
        }
        check_positions(&system, end_time);
        uint64_t counted_walls = 0;
        uint64_t counted_halves = 0;
        for (size_t k = 0; k < system.count; k++) {
            counted_walls += system.counts[k].walls;
            counted_halves += system.counts[k].particles;
        }
        CHECK(counted_walls == walls && counted_halves == 2 * pairs);
        schedule_free(schedule);
        system_free(&system);
    }
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
    struct error error;
    struct velocity *all = memory_allocate(system->count, sizeof *all, "velocities", &error);
    if (!all)
        exit(EXIT_FAILURE);
    for (size_t k = 0; k < system->count; k++)
        all[k] = (struct velocity){fabs(system->particles[k].u), fabs(system->particles[k].v)};
    qsort(all, system->count, sizeof *all, compare_velocities);
    return all;
}

/* Velocities are switched and reversed but never changed: so energy is conserved to the last bit.
 */
static void test_velocities_are_conserved_exactly(void)
{
    struct random_generator random = random_from(12);
    for (int round = 0; round < 100; round++) {
        struct system system = any_system(&random);
        struct velocity *before = sorted_velocities(&system);
        run(&system, 100 * random_unit(&random));
        struct velocity *after = sorted_velocities(&system);
        CHECK(memcmp(before, after, system.count * sizeof *before) == 0);
        memory_free(before);
        memory_free(after);
        system_free(&system);
    }
}

static void test_relabelling_the_input_relabels_the_output(void)
{
    struct random_generator random = random_from(14);
    for (int round = 0; round < 100; round++) {
        struct system system = untied_system(&random);
        struct system other = system_copy(&system);
        size_t shift = random_below(&random, system.count);
        for (size_t k = 0; k < system.count; k++)
            other.particles[k] = system.particles[(system.count - 1 - k + shift) % system.count];
        run(&system, 25);
        run(&other, 25);
        for (size_t k = 0; k < system.count; k++)
            CHECK(memcmp(&other.particles[k],
                         &system.particles[(system.count - 1 - k + shift) % system.count],
                         sizeof other.particles[k]) == 0);
        system_free(&system);
        system_free(&other);
    }
}

/* What a run up to one time decides, a longer run decides the same way. */
static void test_a_longer_run_begins_like_a_shorter_one(void)
{
    struct random_generator random = random_from(15);
    for (int round = 0; round < 50; round++) {
        struct system system = any_system(&random);
        struct system whole = system_copy(&system);
        struct system resumed = system_copy(&system);
        run(&whole, 20);
        run(&resumed, 8);
        run(&resumed, 20); /* anchors are all that a run needs to go on */
        CHECK(same_particles(&whole, &resumed));
        system_free(&system);
        system_free(&whole);
        system_free(&resumed);
    }
}

/* Special cases: up to three disks of radius 1, in a box of 20 x 20 unless said otherwise. */
struct few {
    struct particle particles[3];
    struct counts counts[3];
    struct system system;
};

static struct system *few_particles(struct few *few, size_t count, double width, double height)
{
    few->system = (struct system){.count = count,
                                  .radius = 1,
                                  .boundary.width = width,
                                  .boundary.height = height,
                                  .particles = few->particles,
                                  .counts = few->counts};
    return &few->system;
}

static int ends(const struct system *system, size_t index, double end_time, double x, double y,
                uint64_t walls, uint64_t others)
{
    const struct counts *counts = &system->counts[index];
    double px;
    double py;
    physics_position(system, index, end_time, &px, &py);
    return fabs(px - x) < 1e-12 && fabs(py - y) < 1e-12 && counts->walls == walls &&
           counts->particles == others;
}

static void test_at_rest(void)
{
    struct few few = {.particles = {{.x = 5, .y = 5}, {.x = 7, .y = 5}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 1e9) == STATUS_DONE);
    CHECK(ends(system, 0, 1e9, 5, 5, 0, 0) && ends(system, 1, 1e9, 7, 5, 0, 0));
}

static void test_zero_velocity_components(void)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .v = 1}, {.x = 15, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 30) == STATUS_DONE);
    CHECK(ends(system, 0, 30, 5, 3, 1, 0) && ends(system, 1, 30, 17, 5, 1, 0));
}

static void test_touching_disks(void)
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

static void test_touching_walls(void)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = -1}, {.x = 19, .y = 9, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 0) == STATUS_DONE);
    CHECK(ends(system, 0, 0, 1, 5, 1, 0) && ends(system, 1, 0, 19, 9, 0, 0));
}

static void test_a_corner_is_two_walls(void)
{
    struct few few = {.particles = {{.x = 4, .y = 16, .u = -1, .v = 1}}};
    struct system *system = few_particles(&few, 1, 20, 20);
    CHECK(run(system, 3) == STATUS_DONE);
    CHECK(ends(system, 0, 3, 1, 19, 2, 0));
    CHECK(run(system, 5) == STATUS_DONE);
    CHECK(ends(system, 0, 5, 3, 17, 2, 0));
}

/* Both outer disks reach the middle one at time 3: pair (0, 1) first, then (1, 2), then (0, 1). */
static void test_three_meet_at_once(void)
{
    struct few few = {
        .particles = {{.x = 5, .y = 10, .u = 1}, {.x = 10, .y = 10}, {.x = 15, .y = 10, .u = -1}}};
    struct system *system = few_particles(&few, 3, 20, 20);
    CHECK(run(system, 4) == STATUS_DONE);
    CHECK(ends(system, 0, 4, 7, 10, 0, 2));
    CHECK(ends(system, 1, 4, 10, 10, 0, 3));
    CHECK(ends(system, 2, 4, 13, 10, 0, 1));
}

static void test_a_graze_switches_velocities(void)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 10, .y = 7, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    CHECK(run(system, 4.5) == STATUS_DONE);
    CHECK(ends(system, 0, 4.5, 5.5, 5, 0, 1) && ends(system, 1, 4.5, 9.5, 7, 0, 1));
}

static void test_an_event_exactly_at_the_end_happens(void)
{
    struct few few = {.particles = {{.x = 5, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 1, 20, 20);
    CHECK(run(system, nextafter(4, 0)) == STATUS_DONE && few.counts[0].walls == 0);
    CHECK(run(system, 4) == STATUS_DONE);
    CHECK(ends(system, 0, 4, 1, 5, 1, 0));
}

static void test_points(void)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = 1}, {.x = 3, .y = 5, .u = -1}}};
    struct system *system = few_particles(&few, 2, 20, 20);
    system->radius = 0;
    CHECK(run(system, 3) == STATUS_DONE);
    CHECK(ends(system, 0, 3, 0, 5, 1, 1) && ends(system, 1, 3, 4, 5, 0, 1));
}

static void test_a_box_as_wide_as_a_disk(void)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .v = 1}}};
    struct system *system = few_particles(&few, 1, 2, 20);
    CHECK(run(system, 32) == STATUS_DONE); /* along the box it can move */
    CHECK(ends(system, 0, 32, 1, 1, 2, 0));
    few.particles[0].u = 0.25; /* across it would hit the walls without end */
    CHECK(run(system, 64) == STATUS_BAD_DATA);
}

static void test_wedged_disks_are_noticed(void)
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
static void test_a_disk_between_polygons(void)
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
static void test_a_row_with_room_is_no_wedge(void)
{
    enum { COUNT = 700 };
    static struct particle particles[COUNT];
    static struct counts counts[COUNT];
    for (int touches_wall = 0; touches_wall <= 1; touches_wall++) {
        for (int k = 0; k < COUNT; k++)
            particles[k] = (struct particle){.x = k + (touches_wall ? 0.5 : 1.5),
                                             .y = 1,
                                             .u = COUNT / 2 - k,
                                             .collided = -(double)INFINITY,
                                             .id = k};
        memset(counts, 0, sizeof counts);
        struct system system = {.count = COUNT,
                                .boundary = {.width = COUNT + 2, .height = 2},
                                .radius = 0.5,
                                .particles = particles,
                                .counts = counts};
        uint64_t collisions = 0;
        CHECK(run_with(SCHEDULE_CELLS, &system, 1e-4) == STATUS_DONE);
        for (int k = 0; k < COUNT; k++)
            collisions += counts[k].particles;
        CHECK(collisions / 2 >= COUNT * (COUNT - 1) / 2);
    }
}

/* A narrow box is not a wedge: 2.5 million wall collisions are not too many. */
static void test_many_wall_collisions_are_fine(void)
{
    struct few few = {.particles = {{.x = 1, .y = 5, .u = 1}}};
    struct system *system = few_particles(&few, 1, 2 + 0x1p-20, 20);
    CHECK(run(system, 2.5) == STATUS_DONE);
    CHECK(few.counts[0].walls > 2600000 && few.counts[0].walls < 2640000);
}

int main(void)
{
    RUN(test_the_textbook_version_gives_the_same_bytes);
    RUN(test_no_overlap_no_escape_and_time_never_decreases);
    RUN(test_velocities_are_conserved_exactly);
    RUN(test_relabelling_the_input_relabels_the_output);
    RUN(test_a_longer_run_begins_like_a_shorter_one);
    RUN(test_at_rest);
    RUN(test_zero_velocity_components);
    RUN(test_touching_disks);
    RUN(test_touching_walls);
    RUN(test_a_corner_is_two_walls);
    RUN(test_three_meet_at_once);
    RUN(test_a_graze_switches_velocities);
    RUN(test_an_event_exactly_at_the_end_happens);
    RUN(test_points);
    RUN(test_a_box_as_wide_as_a_disk);
    RUN(test_wedged_disks_are_noticed);
    RUN(test_a_row_with_room_is_no_wedge);
    RUN(test_a_disk_between_polygons);
    RUN(test_many_wall_collisions_are_fine);
    return check_finish();
}
