/*
 * Tests of contacts that the last bit of a coordinate decides: points that meet head-on, and disks
 * that graze. Each is one collision, whatever rounding makes of it.
 */
#include "check.h"
#include "physics.h"
#include "random_system.h"
#include "simulation.h"

#include <math.h>

/* A number with up to three decimals, as people write them. */
static double some_number(struct random *random, double lowest, double highest)
{
    double unit = pow(10, (double)random_below(random, 4));
    return round((lowest + (highest - lowest) * random_uniform(random)) * unit) / unit;
}

/*
 * Two particles that come from far on both sides along x, or along y if `is_upright`, and pass at
 * exactly the distance of contact.
 */
static void place_passing(struct random *random, double radius, int is_upright,
                          struct system *system, struct particle particles[2])
{
    double at = (double)(32 + random_below(random, 48)) / 8; /* so that it is exactly that */
    *system = (struct system){.count = 2, .radius = radius, .width = 20, .height = 20};
    system->law.restitution = 1;
    system->particles = particles;
    for (int k = 0; k < 2; k++) {
        double along = k == 0 ? some_number(random, 2, 8) : some_number(random, 14, 18);
        double speed = (k == 0 ? 1 : -1) * some_number(random, 0.6, 3);
        double across = at + (k == 0 ? 0 : 2 * radius);
        particles[k] = is_upright ? (struct particle){.x = across, .y = along, .v = speed}
                                  : (struct particle){.x = along, .y = across, .u = speed};
        particles[k].id = k;
    }
}

/* Whether they collided once by time `end`, and left each other as the rule says. */
static int is_one_collision(struct system *system, const struct particle before[2], double end)
{
    struct error error;
    struct schedule *schedule = NULL;
    const struct particle *after = system->particles;
    if (schedule_create(SCHEDULE_ARRAY, system, end, &schedule, &error))
        return 0;
    enum status status = simulation_run(system, schedule, end, NULL, &error);
    schedule_free(schedule);
    double missing = fabs(after[0].u - before[1].u) + fabs(after[0].v - before[1].v) +
                     fabs(after[1].u - before[0].u) + fabs(after[1].v - before[0].v);
    double allowed = system->law.rule == RULE_SWAP ? 0 : 1e-14;
    double moved = fabs(after[0].u - before[0].u) + fabs(after[0].v - before[0].v);
    int is_graze = system->radius > 0 && system->law.rule == RULE_ELASTIC;
    return !status && after[0].particle_collisions == 1 && after[1].particle_collisions == 1 &&
           (is_graze ? moved < 1e-6 : missing <= allowed);
}

static void check_passing(double radius, enum rule rule)
{
    struct random random = {1};
    for (int round = 0; round < 1000; round++) {
        struct system system;
        struct particle particles[2];
        place_passing(&random, radius, round % 2, &system, particles);
        const struct particle before[2] = {particles[0], particles[1]};
        system.law.rule = rule;
        double distance = hypot(before[1].x - before[0].x, before[1].y - before[0].y);
        double speed = fabs(before[0].u - before[1].u) + fabs(before[0].v - before[1].v);
        double end = 1.0001 * distance / speed; /* long before any wall */
        CHECK(is_one_collision(&system, before, end));
    }
}

static void test_disks_that_graze_collide_once(void)
{
    check_passing(1, RULE_SWAP);
    check_passing(0.5, RULE_SWAP);
    check_passing(0.25, RULE_SWAP);
    check_passing(1, RULE_ELASTIC);
}

static void test_points_that_meet_head_on_collide_once(void)
{
    check_passing(0, RULE_SWAP);
    check_passing(0, RULE_ELASTIC);
}

/* So their order stays what it is, and only neighbours meet. (Three at once are another matter.) */
static void test_points_on_a_line_do_not_pass_through_each_other(void)
{
    struct error error;
    for (int rule = 0; rule < 2; rule++) {
        struct particle start[3] = {{.x = 0.3, .y = 0.7, .u = 4.1234, .id = 0},
                                    {.x = 3.1, .y = 0.7, .u = -0.31415, .id = 1},
                                    {.x = 7.7, .y = 0.7, .u = -6.0371, .id = 2}};
        struct system line = {.count = 3, .width = 10, .height = 1, .particles = start};
        struct system system = system_copy(&line);
        system.law = (struct law){.rule = (enum rule)rule, .restitution = 1};
        struct schedule *schedule = NULL;
        CHECK(schedule_create(SCHEDULE_CELLS, &system, 1000, &schedule, &error) == STATUS_DONE);
        CHECK(simulation_run(&system, schedule, 1000, NULL, &error) == STATUS_DONE);
        schedule_free(schedule);
        system_restore_order(&system);
        double x[3];
        for (size_t k = 0; k < 3; k++) {
            double y;
            physics_position(&system, k, 1000, &x[k], &y);
        }
        const struct particle *particles = system.particles;
        CHECK(x[0] <= x[1] && x[1] <= x[2]);
        CHECK(particles[1].particle_collisions ==
              particles[0].particle_collisions + particles[2].particle_collisions);
        system_free(&system);
    }
}

int main(void)
{
    RUN(test_disks_that_graze_collide_once);
    RUN(test_points_that_meet_head_on_collide_once);
    RUN(test_points_on_a_line_do_not_pass_through_each_other);
    return check_finish();
}
