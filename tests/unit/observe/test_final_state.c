/* Tests of the final state as an INPUT: it is what the run ended with, and the reader accepts it,
 * at whatever moment the run ended. */
#include "check.h"
#include "input/input.h"
#include "observed.h"
#include "odd_system.h"

/* Writes the state of a system at its end to the file "final". */
static enum status finish_at(const struct system *system, double end_time)
{
    OWNED(observers, observers) = {0};
    struct observer *observer = NULL;
    enum status status =
        observer_create(&final_state_operations, &(struct run_settings){0},
                        &(struct output_settings){.name = "final"}, &observer, &failure);
    if (!status)
        observers_add(&observers, observer);
    if (!status)
        status = observers_finish(&observers, system, end_time, &failure);
    return status;
}

/* Whether the file is refused as an INPUT of the axes and the law of `system`, and why. */
static enum status read_back(const struct system *system, struct system *read)
{
    struct error error = {""};
    *read = (struct system){.law = system->law, .boundary.periodic = system->boundary.periodic};
    enum status status = input_read(&(struct input_request){.path = "final"}, read, &error);
    if (status)
        printf("    %s\n", error.message);
    return status;
}

/* Compares what was read with the end of the run; `rounding` is how far disks may have moved. */
static void compare(const struct system *system, const struct system *read, double end_time,
                    double rounding)
{
    const struct snapshot end = snapshot_in_order(system, end_time);
    CHECK(read->count == system->count && read->radius == system->radius);
    CHECK(read->boundary.width == system->boundary.width);
    CHECK(read->boundary.height == system->boundary.height);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &read->particles[k];
        const struct snapshot_particle body = snapshot_body(&end, k);
        double x, y;
        snapshot_position(&end, k, &x, &y);
        CHECK(fabs(p->x - x) <= rounding && fabs(p->y - y) <= rounding);
        CHECK(p->u == body.u && p->v == body.v && !signbit(p->x) && !signbit(p->y));
        CHECK(system_radius(read, p) == body.radius && system_mass(read, p) == body.mass);
        CHECK(system_species(read, p) == body.species);
    }
}

/* Runs a system, which is freed, up to the last event before a time, and reads the end back. */
static void check_end(struct system *system, double end_time)
{
    struct system read;
    OWNED(system, rest) = system_copy(system);
    if (CHECK(observed_run(&rest, SCHEDULE_CELLS, end_time, NULL, &failure) == STATUS_DONE)) {
        const double last = system_last_time(&rest);
        const double fastest = system_fastest(system);
        CHECK(observed_run(system, SCHEDULE_CELLS, last, NULL, &failure) == STATUS_DONE);
        CHECK(finish_at(system, last) == STATUS_DONE);
        if (CHECK(read_back(system, &read) == STATUS_DONE))
            compare(system, &read, last, 1e-12 * (1 + fastest * last));
        system_free(&read);
    }
    system_free(system);
}

RANDOM_TEST(all_sorts_of_systems, 1)
{
    const size_t cases = check_is_thorough() ? 4 : 2;
    for (size_t k = 0; k < cases; k++) {
        for (int kind = 0; kind < MIXED_KINDS; kind++) {
            struct system system = mixed_system(random, (enum mixed_kind)kind, 30, 0.3);
            system.law = (struct system_law){RULE_ELASTIC, k % 2 == 0 ? 1 : 0.5, 1e-3};
            check_end(&system, 20);
        }
        for (int kind = 0; kind < TIED_KINDS; kind++) {
            struct system system = tied_system(random, (enum tied_kind)kind);
            check_end(&system, 3 + (double)k);
        }
    }
}

/* The end is the time of a collision, long after the start: these two overlap by its rounding. */
RANDOM_TEST(late_ends, 2)
{
    const size_t cases = check_is_thorough() ? 4 : 2;
    for (size_t k = 0; k < cases; k++) {
        for (unsigned periodic = 0; periodic <= (PERIODIC_X | PERIODIC_Y); periodic++) {
            struct system system = random_system(random, 6, 0.3, 1);
            system.boundary.periodic = periodic;
            for (size_t j = 0; j < system.count; j++)
                system.particles[j].u *= 1e6;
            system.law = ELASTIC;
            if (boundary_largest_radius(&system.boundary) < 1)
                system_free(&system);
            else
                check_end(&system, 1e-2 * (1 + (double)k));
        }
    }
}

/* The text where the run ended with numbers that no INPUT may have. */
TEST(the_text)
{
    struct particle particles[] = {{.x = -0.0, .y = 1e-310, .u = -0.0, .v = 1e-320, .id = 0},
                                   {.x = 2.5, .y = 0.1, .u = -1e-300, .v = 4, .id = 1, .kind = 1}};
    struct particle_counts counts[2] = {{0}};
    struct particle_kind kinds[] = {{0, 1, 0}, {0.5, 2.25, 7}};
    struct system system = SYSTEM(2, 10, 8, .boundary.periodic = PERIODIC_X | PERIODIC_Y,
                                  .particles = particles, .counts = counts);
    CHECK(finish_at(&system, 0) == STATUS_DONE);
    CHECK(scratch_has("final", "2\n0\n10 8\n0 0 0 0\n2.5 0.1 -1e-300 4\n"));
    system.kinds = kinds;
    system.kind_count = 2;
    CHECK(finish_at(&system, 0.5) == STATUS_DONE);
    CHECK(scratch_has("final", "2\n0\n10 8\n0 0 0 0 0 1 0\n2.5 2.1 -1e-300 4 0.5 2.25 7\n"));
}

/* Two disks that a wall and a seam keep from moving apart but for one way. */
TEST(overlaps_at_walls_and_seams)
{
    struct particle particles[] = {{.x = 1, .y = 9.9999999, .id = 0},
                                   {.x = 1, .y = 1.9999998, .id = 1}};
    struct particle_counts counts[2] = {{0}};
    struct system system = SYSTEM(2, 2, 10, .radius = 1, .boundary.periodic = PERIODIC_Y,
                                  .particles = particles, .counts = counts);
    OWNED(system, read);
    CHECK(finish_at(&system, 0) == STATUS_DONE);
    CHECK(read_back(&system, &read) == STATUS_DONE);
}

/* What no run could read is not written: a chain of runs would go on with an older file. */
TEST(what_cannot_be_an_input)
{
    struct particle particles[] = {{.x = 1, .y = 1, .id = 0}, {.x = 2, .y = 1, .id = 1}};
    struct particle_counts counts[2] = {{0}};
    struct system system = arranged_few(particles, counts, 2, 1, 3, 2);
    CHECK(finish_at(&system, 0) == STATUS_BAD_DATA && scratch_count() == 0);
    CHECK(strstr(failure.message, "final: particles 0 and 1 overlap") != NULL);
    system.boundary.width = 10;
    particles[1] = (struct particle){.x = 5, .y = 1, .u = 2e40, .id = 1};
    CHECK(finish_at(&system, 0) == STATUS_BAD_DATA && scratch_count() == 0);
    CHECK(strstr(failure.message, "final: particle 1 is too fast: u = 2e+40") != NULL);
}
