/* Tests of contacts that the last bit of a coordinate decides: points that meet head-on, and disks
 * that graze. Each is one collision, whatever rounding makes of it. */
#include "check.h"
#include "run/dynamics.h"

/* A number with up to three decimals, as people write them. */
static double some_number(struct random_generator *random, double lowest, double highest)
{
    double unit = pow(10, (double)random_below(random, 4));
    return round((lowest + (highest - lowest) * random_unit(random)) * unit) / unit;
}

/* Two particles that come from far on both sides along x, or along y if `is_upright`, and pass at
 * exactly the distance of contact. */
static void place_passing(struct random_generator *random, double radius, int is_upright,
                          struct system *system, struct particle particles[2])
{
    double at = (double)(32 + random_below(random, 48)) / 8; /* so that it is exactly that */
    *system =
        (struct system){.count = 2, .radius = radius, .boundary.width = 20, .boundary.height = 20};
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
    struct schedule *schedule = NULL;
    const struct particle *after = system->particles;
    if (schedule_create(SCHEDULE_ARRAY, system, NULL, &schedule, &failure))
        return 0;
    enum status status = simulation_run(schedule, end, NULL, &failure);
    schedule_free(schedule);
    double missing = fabs(after[0].u - before[1].u) + fabs(after[0].v - before[1].v) +
                     fabs(after[1].u - before[0].u) + fabs(after[1].v - before[0].v);
    double allowed = system->law.rule == RULE_SWAP ? 0 : 1e-14;
    double moved = fabs(after[0].u - before[0].u) + fabs(after[0].v - before[0].v);
    int is_graze = system->radius > 0 && system->law.rule == RULE_ELASTIC;
    return !status && system->counts[0].particles == 1 && system->counts[1].particles == 1 &&
           (is_graze ? moved < 1e-6 : missing <= allowed);
}

static void check_passing(double radius, enum system_rule rule)
{
    struct random_generator random = random_from(1);
    for (int round = 0; round < 1000; round++) {
        struct system system;
        struct particle particles[2];
        struct particle_counts counts[2] = {{0}};
        place_passing(&random, radius, round % 2, &system, particles);
        const struct particle before[2] = {particles[0], particles[1]};
        system.counts = counts;
        system.law.rule = rule;
        double distance = hypot(before[1].x - before[0].x, before[1].y - before[0].y);
        double speed = fabs(before[0].u - before[1].u) + fabs(before[0].v - before[1].v);
        double end = 1.0001 * distance / speed; /* long before any wall */
        CHECK(is_one_collision(&system, before, end));
    }
}

TEST(disks_that_graze_collide_once)
{
    check_passing(1, RULE_SWAP);
    check_passing(0.5, RULE_SWAP);
    check_passing(0.25, RULE_SWAP);
    check_passing(1, RULE_ELASTIC);
}

TEST(points_that_meet_head_on_collide_once)
{
    check_passing(0, RULE_SWAP);
    check_passing(0, RULE_ELASTIC);
}

/* So their order stays what it is, and only neighbours meet. (Three at once are another matter.) */
TEST(points_on_a_line_do_not_pass_through_each_other)
{
    for (int rule = 0; rule < 2; rule++) {
        struct particle start[3] = {{.x = 0.3, .y = 0.7, .u = 4.1234, .id = 0},
                                    {.x = 3.1, .y = 0.7, .u = -0.31415, .id = 1},
                                    {.x = 7.7, .y = 0.7, .u = -6.0371, .id = 2}};
        struct system line = arranged_few(start, (struct particle_counts[3]){{0}}, 3, 0, 10, 1);
        OWNED(system, system) = system_copy(&line);
        system.law = (struct system_law){.rule = (enum system_rule)rule, .restitution = 1};
        struct schedule *schedule = NULL;
        CHECK(schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &failure) == STATUS_DONE);
        CHECK(simulation_run(schedule, 1000, NULL, &failure) == STATUS_DONE);
        schedule_free(schedule);
        double x[3];
        for (size_t k = 0; k < 3; k++) {
            double y;
            physics_position(&system, k, 1000, &x[k], &y);
        }
        const struct particle_counts *counts = system.counts;
        CHECK(x[0] <= x[1] && x[1] <= x[2]);
        CHECK(counts[1].particles == counts[0].particles + counts[2].particles);
    }
}

/* Two that touch and move along each other may seem to collide, and that at any time: the way to go
 * and the speed of approach are nothing but rounding. Wherever they are then, they stay on their
 * ways. */
static void check_tangent(const struct particle pair[2], double contact, enum system_rule rule)
{
    struct particle particles[2] = {pair[0], pair[1]};
    struct particle_kind kinds[2] = {{.radius = contact, .mass = 1}, {.radius = 0, .mass = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 0, 20, 20);
    struct event event = {pair_time(&pair[0], &pair[1], contact, NULL), 0, 1};
    system.law = (struct system_law){.rule = rule, .restitution = 1};
    system.kinds = kinds;
    system.kind_count = 2;
    particles[1].kind = 1;
    if (event.time == (double)INFINITY)
        return;
    physics_resolve(&system, &event);
    for (int k = 0; k < 2; k++) {
        double x = particle_coordinate(pair[k].x, pair[k].u, pair[k].t, event.time);
        double y = particle_coordinate(pair[k].y, pair[k].v, pair[k].t, event.time);
        double slack = 64 * DBL_EPSILON * (20 + 20 * event.time);
        CHECK(fabs(particles[k].x - x) <= slack && fabs(particles[k].y - y) <= slack);
    }
    CHECK(
        pair_approach(&(struct acceleration){0, 0, 0}, &particles[0], &particles[1], contact, NULL)
            .B >= 0);
}

RANDOM_TEST(tangents_do_not_move_anybody, 1)
{
    /* As fuzzing has found it: scaled by 2^100. */
    const struct particle found[2] = {{.u = 4, .v = 4, .id = 0},
                                      {.x = 1.3407260000753443e-30 * 0x1p100,
                                       .y = 1.0859465899415103e-30 * 0x1p100,
                                       .u = -0.18628669885362825,
                                       .v = -6.9092366882302318,
                                       .t = 2.8915048775834282e-31 * 0x1p100,
                                       .id = 1}};
    check_tangent(found, 1.9721522630525295e-31 * 0x1p100, RULE_SWAP);
    check_tangent(found, 1.9721522630525295e-31 * 0x1p100, RULE_ELASTIC);
    for (int round = 0; round < 100000; round++) {
        double angle = 6.283185307179586 * random_unit(random);
        double contact = 0.1 + random_unit(random);
        double nx = cos(angle);
        double ny = sin(angle);
        const struct particle pair[2] = {
            {.x = 10, .y = 10, .u = 0.3 - ny, .v = 0.7 + nx, .id = 0},
            {.x = 10 + contact * nx, .y = 10 + contact * ny, .u = 0.3, .v = 0.7, .id = 1}};
        check_tangent(pair, contact, round % 2 ? RULE_SWAP : RULE_ELASTIC);
    }
}

/* A centre that steps have taken anywhere is moved by whole periods into [0, L), also from just
 * below 0, where L less that is L. */
RANDOM_TEST(centres_are_wrapped_into_a_periodic_box, 5)
{
    const struct boundary box = {.width = 3, .height = 7, .periodic = PERIODIC_X | PERIODIC_Y};
    for (int k = 0; k < 1000; k++) {
        const double x = (random_unit(random) - 0.5) * (k % 2 ? 1e-20 : 40);
        struct particle p = {.x = x, .y = 7.0 * k};
        struct particle_counts counts = {0};
        boundary_wrap(&box, &p, &counts);
        CHECK(p.x >= 0 && p.x < box.width && p.y == 0 && counts.y_image == k);
        CHECK(fabs(p.x + (double)counts.x_image * box.width - x) < 1e-13);
    }
}
