/* Galperin's billiard (G. Galperin, Playing pool with pi, Regular and Chaotic Dynamics 8, 2003): a
 * light particle stands between a wall and one that is 100^n times as heavy, which comes along. All
 * collisions together, of the two and of the light one with the wall, are the first digits of pi.
 *
 * They follow one another ever more quickly, and then are over: a run may go on long after that. */
#include "check.h"
#include "run/dynamics.h"

enum { MAX_DIGITS = 6 };

/* The collisions up to `end_time`, in a box so wide that the heavy one does not reach its end.
 * `gap` is how far the wall and the two are apart. */
static uint64_t count_collisions(double ratio, double radius, double gap, enum schedule_kind kind,
                                 double end_time)
{
    struct schedule *schedule = NULL;
    struct particle_kind kinds[] = {{.radius = radius, .mass = 1},
                                    {.radius = radius, .mass = ratio}};
    struct particle particles[] = {
        {.id = 0, .x = radius + gap, .y = 2, .kind = 0},
        {.id = 1, .x = 3 * radius + 2 * gap, .y = 2, .u = -1, .kind = 1},
    };
    OWNED(system, system) = {.boundary.width = 10 * end_time + 100,
                             .boundary.height = 4,
                             .radius = radius,
                             .law = {RULE_ELASTIC, 1, 0},
                             .count = 2,
                             .kind_count = 2};
    system.kinds = memory_allocate(2, sizeof *kinds, "two kinds", &failure);
    if (!CHECK(!system_reserve(&system, 2, &failure) && system.kinds))
        return 0;
    for (int k = 0; k < 2; k++) {
        system.particles[k] = particles[k];
        system.kinds[k] = kinds[k];
    }
    CHECK(schedule_create(kind, &system, NULL, &schedule, &failure) == STATUS_DONE);
    CHECK(simulation_run(schedule, end_time, NULL, &failure) == STATUS_DONE);
    schedule_free(schedule);
    CHECK(system.counts[1].walls == 0);
    uint64_t collisions = system.counts[0].walls + system.counts[0].particles;
    return collisions;
}

static void check_digits(double radius, double gap, double end_time)
{
    static const uint64_t pi[MAX_DIGITS] = {3, 31, 314, 3141, 31415, 314159};
    for (int digit = 0; digit < MAX_DIGITS; digit++) {
        double ratio = pow(100, digit);
        CHECK(count_collisions(ratio, radius, gap, SCHEDULE_ARRAY, end_time) == pi[digit]);
        CHECK(count_collisions(ratio, radius, gap, SCHEDULE_CELLS, end_time) == pi[digit]);
    }
}

TEST(points_count_the_digits_of_pi)
{
    check_digits(0, 1, 100);
}

TEST(disks_count_the_digits_of_pi)
{
    check_digits(1, 1, 100);
}

TEST(all_can_happen_at_one_moment)
{
    check_digits(1, 0, 100);
}

TEST(a_burst_is_not_taken_for_a_run_without_end)
{
    check_digits(0, 1, 1e12);
}
