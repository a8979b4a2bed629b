/*
 * Tests of what giants plan, and of what others plan with them: the first of all events, and no
 * giant is missed. Runs in which giants collide are in test_forecast.c.
 */
#include "forecast_giant.h"

#include "check.h"
#include "odd_system.h"
#include "physics.h"

#include <math.h>
#include <stdlib.h>

/* An event with ids in place of indices, the lower one first. */
static struct event by_ids(const struct system *system, double time, uint32_t k, int32_t partner)
{
    int32_t a = system->particles[k].id;
    int32_t b = partner < 0 ? partner : system->particles[partner].id;
    if (b >= 0 && b < a)
        return (struct event){time, b, a};
    return (struct event){time, a, b};
}

static struct event pair_by_ids(const struct system *system, uint32_t k, uint32_t other)
{
    const struct particle *p = &system->particles[k];
    const struct particle *q = &system->particles[other];
    return by_ids(system, physics_pair_time(p, q, system_contact(system, p, q)), k, (int32_t)other);
}

static struct event plan_by_ids(const struct forecast *forecast, uint32_t k)
{
    const struct plan *plan = &forecast->plans[k];
    return by_ids(forecast->system, plan->time, k, plan->partner);
}

static int same_events(struct event left, struct event right)
{
    return left.time == right.time && left.a == right.a && left.b == right.b;
}

/* In which cells a particle is to be found: its own one, or a giant's block. */
static struct giants_block block_of(const struct forecast *forecast, uint32_t k)
{
    const struct grid *grid = &forecast->grid;
    uint32_t cell = forecast->plans[k].cell;
    if (forecast_is_giant(forecast, k))
        return giants_block(&forecast->giants, grid, forecast->system->particles[k].kind, cell);
    return (struct giants_block){grid_column(grid, cell), grid_column(grid, cell),
                                 grid_row(grid, cell), grid_row(grid, cell)};
}

static int do_overlap(struct giants_block a, struct giants_block b)
{
    return a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;
}

/* The first event of a particle with a wall, or with any that its block overlaps; or with all. */
static struct event first_event(const struct forecast *forecast, uint32_t k, int with_all)
{
    const struct system *system = forecast->system;
    struct event wall = physics_wall_event(system, k);
    struct event first = by_ids(system, wall.time, k, wall.b);
    for (uint32_t other = 0; other < system->count; other++) {
        if (other == k ||
            !(with_all || do_overlap(block_of(forecast, k), block_of(forecast, other))))
            continue;
        struct event event = pair_by_ids(system, k, other);
        if (event.time < (double)INFINITY && event_before(&event, &first))
            first = event;
    }
    return first;
}

/* Makes a forecast of a system in which there are giants, and all plans. */
static void make_forecast(struct forecast *forecast, struct system *system)
{
    struct error error;
    if (!CHECK(forecast_create(forecast, system, &error) == STATUS_DONE))
        exit(EXIT_FAILURE);
    forecast_renew(forecast, 0);
}

/* A system, of this area fraction at most, in which the large ones are giants. */
static struct system giant_system(struct random *random, double most)
{
    for (;;) {
        struct error error;
        struct giants giants;
        size_t count = 100 + random_below(random, 300);
        struct system system =
            mixed_system(random, MIXED_FEW_LARGE, count, 1e-3 + most * random_uniform(random));
        CHECK(giants_create(&giants, &system, 10000, &error) == STATUS_DONE);
        size_t found = giants.count;
        giants_free(&giants);
        if (found > 0)
            return system;
        system_free(&system);
    }
}

static int rounds(int usual)
{
    return check_is_quick() ? usual / 10 : usual;
}

/* Among all that are near, whether they are members of cells, of chains, or giants. */
static void test_a_giant_plans_for_the_first_event(void)
{
    struct random random = {1};
    size_t with_giants = 0;
    size_t with_others = 0;
    for (int round = 0; round < rounds(300); round++) {
        struct forecast forecast;
        struct system system = giant_system(&random, 0.4);
        for (size_t k = 0; k < system.count && round % 2; k++) /* most are hit by others */
            if (random_below(&random, 4))
                system.particles[k].u = system.particles[k].v = 0;
        make_forecast(&forecast, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            if (!forecast_is_giant(&forecast, k))
                continue;
            forecast.plans[k].time = 0; /* of an earlier plan nothing is left */
            forecast_giant(&forecast, k);
            const struct plan *plan = &forecast.plans[k];
            CHECK(same_events(plan_by_ids(&forecast, k), first_event(&forecast, k, 0)));
            CHECK(plan->key <= plan->time);
            if (plan->partner >= 0) {
                CHECK(plan->version == plan_version(&system.particles[plan->partner]));
                int is_giant = forecast_is_giant(&forecast, (uint32_t)plan->partner);
                *(is_giant ? &with_giants : &with_others) += 1;
            }
        }
        forecast_free(&forecast);
        system_free(&system);
    }
    CHECK(with_giants > 5 && with_others > 50);
}

/* The giants are on the lists of all cells of their blocks, and nobody else is. */
static void check_lists(const struct forecast *forecast)
{
    const struct grid *grid = &forecast->grid;
    for (uint32_t row = 0; row < grid->shape.rows; row++) {
        for (uint32_t column = 0; column < grid->shape.columns; column++) {
            const struct giants_block here = {column, column, row, row};
            size_t expected = 0;
            size_t found = 0;
            for (uint32_t k = 0; k < forecast->system->count; k++)
                expected +=
                    forecast_is_giant(forecast, k) && do_overlap(here, block_of(forecast, k));
            const struct giants_link *link =
                giants_at(&forecast->giants, grid_cell_at(grid, column, row));
            for (; link; link = giants_next(&forecast->giants, link), found++)
                CHECK(do_overlap(here, block_of(forecast, link->giant)));
            CHECK(found == expected);
        }
    }
}

/*
 * One giant moves among others at rest, from cell to cell. It knows of all that are near, and when
 * it has come to its event, that is the first of all there are.
 */
static void test_a_giant_goes_its_way(void)
{
    struct random random = {2};
    size_t crossings = 0;
    size_t walls = 0;
    for (int round = 0; round < rounds(1000); round++) {
        struct forecast forecast;
        struct system system = giant_system(&random, round % 2 ? 0.1 : 0.2);
        size_t mover = 7 + 50 * random_below(&random, 2); /* both are large ones */
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].u = system.particles[k].v = 0;
        system.particles[mover].u = random_below(&random, 4) ? random_uniform(&random) - 0.5 : 0;
        system.particles[mover].v = random_below(&random, 4) ? random_uniform(&random) - 0.5 : 0.25;
        make_forecast(&forecast, &system);
        uint32_t k = 0;
        while (system.particles[k].id != (int32_t)mover)
            k++;
        const struct plan *plan = &forecast.plans[k];
        CHECK(forecast_is_giant(&forecast, k));
        for (; plan->key < plan->time; crossings++) {
            uint32_t ahead = plan->cell + (uint32_t)plan->step;
            struct event before = plan_by_ids(&forecast, k);
            forecast_giant_cross(&forecast, k);
            CHECK(plan->cell == ahead);
            struct event now = plan_by_ids(&forecast, k);
            struct event first = first_event(&forecast, k, 0);
            CHECK(!event_before(&before, &now) && !event_before(&first, &now));
            if (crossings % 4 == 0)
                check_lists(&forecast);
        }
        CHECK(same_events(plan_by_ids(&forecast, k), first_event(&forecast, k, 1)));
        walls += plan->partner < 0;
        check_lists(&forecast);
        forecast_free(&forecast);
        system_free(&system);
    }
    CHECK(crossings > (size_t)rounds(200) && walls > 0 && walls < (size_t)rounds(300));
}

/* Others plan with the giants on the list of their cell, with each of them and with no one else. */
static void test_others_plan_with_giants(void)
{
    struct random random = {3};
    size_t met = 0;
    for (int round = 0; round < rounds(200); round++) {
        struct forecast forecast;
        struct system system = giant_system(&random, 0.4);
        make_forecast(&forecast, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            struct event expected = {(double)INFINITY, 0, WALL_LEFT};
            struct plan plan = forecast.plans[k];
            if (forecast_is_giant(&forecast, k))
                continue;
            plan_clear(&plan);
            for (uint32_t giant = 0; giant < system.count; giant++) {
                if (!forecast_is_giant(&forecast, giant))
                    continue;
                struct event event = pair_by_ids(&system, k, giant);
                const struct particle *p = &system.particles[k];
                const struct particle *q = &system.particles[giant];
                int is_near = do_overlap(block_of(&forecast, k), block_of(&forecast, giant));
                CHECK(is_near ||
                      hypot(p->x - q->x, p->y - q->y) > 1.0001 * system_contact(&system, p, q));
                if (is_near && event_before(&event, &expected))
                    expected = event;
            }
            forecast_with_giants(&forecast, k, &plan, plan.cell);
            CHECK(plan.time == expected.time);
            if (expected.time < (double)INFINITY) {
                CHECK(same_events(by_ids(&system, plan.time, k, plan.partner), expected));
                met++;
            }
        }
        forecast_free(&forecast);
        system_free(&system);
    }
    CHECK(met > (size_t)rounds(2000));
}

int main(void)
{
    RUN(test_a_giant_plans_for_the_first_event);
    RUN(test_a_giant_goes_its_way);
    RUN(test_others_plan_with_giants);
    return check_finish();
}
