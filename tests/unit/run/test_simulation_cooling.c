/*
 * Tests of whole runs that lose energy: gases that cool, and inelastic collapse.
 */
#include "check.h"
#include "model/physics.h"
#include "observed.h"
#include "random_system.h"

#include <string.h>

/* Of equal masses 1. */
static double energy_of(const struct system *system)
{
    double energy = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        energy += (p->u * p->u + p->v * p->v) / 2;
    }
    return energy;
}

static int same_particles(const struct system *left, const struct system *right)
{
    return memcmp(left->particles, right->particles, left->count * sizeof *left->particles) == 0;
}

/* A gas that cools: the run ends, its energy only falls, and both schedules give the same bytes. */
static void test_a_cooling_gas(void)
{
    static const double restitutions[] = {0.9, 0.5, 0};
    struct random_generator random = random_from(34);
    struct error error;
    size_t count = check_is_thorough() ? 500 : 150;
    struct system gas = random_system(&random, count, 0.3, 1);
    double before = energy_of(&gas);
    for (size_t k = 0; k < 3; k++) {
        struct system system = system_copy(&gas);
        system.law = (struct law){RULE_ELASTIC, restitutions[k], physics_contact_time(&gas)};
        struct system twin = system_copy(&system);
        CHECK(observed_run(&system, SCHEDULE_ARRAY, 300, NULL, &error) == STATUS_DONE);
        CHECK(observed_run(&twin, SCHEDULE_CELLS, 300, NULL, &error) == STATUS_DONE);
        CHECK(same_particles(&system, &twin));
        CHECK(energy_of(&system) < (k == 0 ? 0.1 : 0.01) * before);
        CHECK(energy_of(&system) > 0);
        system_free(&system);
        system_free(&twin);
    }
    system_free(&gas);
}

/* A row of disks that runs into a wall, or whose ends close in on the others. */
static void make_row(struct system *row, int closes)
{
    for (size_t k = 0; k < row->count; k++) {
        struct particle *p = &row->particles[k];
        size_t last = row->count - 1;
        *p = (struct particle){.x = 2 + 2.5 * (double)k, .y = 5, .u = -1, .id = (int32_t)k};
        if (closes)
            p->u = k == 0 ? 1 : k == last ? -1 : 0;
    }
    row->boundary.width = 400;
    row->boundary.height = 10;
}

/* Inelastic collapse: with a contact time the run ends; without one, that is said. */
static void test_inelastic_collapse(void)
{
    struct random_generator random = random_from(35);
    struct error error;
    static const double restitutions[] = {0.5, 0.1, 1e-3, 0};
    static const size_t counts[] = {2, 3, 4, 7, 12};
    int collapsed = 0;
    const size_t step = check_is_thorough() ? 1 : 5; /* which leaves some of each */
    for (size_t round = 0; round < 40; round += step) {
        struct system row = random_lattice(&random, counts[round / 8], 1, 1);
        make_row(&row, round & 1);
        double contact_time = physics_contact_time(&row);
        row.law = (struct law){RULE_ELASTIC, restitutions[round / 2 % 4], contact_time};
        CHECK(observed_run(&row, SCHEDULE_ARRAY, 1000, NULL, &error) == STATUS_DONE);
        struct system twin = row;
        make_row(&twin, round & 1);
        twin.law.contact_time = 0;
        if (observed_run(&twin, SCHEDULE_ARRAY, 1000, NULL, &error) != STATUS_DONE) {
            collapsed++;
            CHECK(strstr(error.message, "contact time longer than 0") != NULL);
        }
        system_free(&row);
    }
    CHECK(collapsed > (int)(10 / step));
}

int main(void)
{
    RUN(test_a_cooling_gas);
    RUN(test_inelastic_collapse);
    return check_finish();
}
