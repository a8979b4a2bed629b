/*
 * Tests of what giants plan, and of what others plan with them: the first of all events, and no
 * giant is missed. Runs in which giants collide are in test_forecast.c.
 */
#include "schedule/large_disk_predictor.h"

#include "check.h"
#include "model/physics.h"
#include "odd_system.h"

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

static struct event prediction_by_ids(const struct predictor *predictor, uint32_t k)
{
    const struct prediction *prediction = &predictor->predictions[k];
    return by_ids(predictor->system, prediction->time, k, prediction->partner);
}

static int same_events(struct event left, struct event right)
{
    return left.time == right.time && left.a == right.a && left.b == right.b;
}

/* In which cells a particle is to be found: its own one, or a giant's block. */
static struct large_disks_block block_of(const struct predictor *predictor, uint32_t k)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    uint32_t cell = predictor->predictions[k].cell;
    if (predictor_is_large(predictor, k))
        return large_disks_block(&predictor->large_disks, cell_list,
                                 predictor->system->particles[k].kind, cell);
    return (struct large_disks_block){
        cell_list_column(cell_list, cell), cell_list_column(cell_list, cell),
        cell_list_row(cell_list, cell), cell_list_row(cell_list, cell)};
}

static int do_overlap(struct large_disks_block a, struct large_disks_block b)
{
    return a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;
}

/* The first event of a particle with a wall, or with any that its block overlaps; or with all. */
static struct event first_event(const struct predictor *predictor, uint32_t k, int with_all)
{
    const struct system *system = predictor->system;
    struct event wall = physics_wall_event(system, k);
    struct event first = by_ids(system, wall.time, k, wall.b);
    for (uint32_t other = 0; other < system->count; other++) {
        if (other == k ||
            !(with_all || do_overlap(block_of(predictor, k), block_of(predictor, other))))
            continue;
        struct event event = pair_by_ids(system, k, other);
        if (event.time < (double)INFINITY && event_before(&event, &first))
            first = event;
    }
    return first;
}

/* Makes a forecast of a system in which there are giants, and all plans. */
static void make_forecast(struct predictor *predictor, struct system *system)
{
    struct error error;
    if (!CHECK(predictor_create(predictor, system, &error) == STATUS_DONE))
        exit(EXIT_FAILURE);
    predictor_renew(predictor, 0);
}

/* A system, of this area fraction at most, in which the large ones are giants. */
static struct system large_disk_system(struct random *random, double most)
{
    for (;;) {
        struct error error;
        struct large_disks large_disks;
        size_t count = 100 + random_below(random, 300);
        struct system system =
            mixed_system(random, MIXED_FEW_LARGE, count, 1e-3 + most * random_uniform(random));
        CHECK(large_disks_create(&large_disks, &system, 10000, &error) == STATUS_DONE);
        size_t found = large_disks.count;
        large_disks_free(&large_disks);
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
        struct predictor predictor;
        struct system system = large_disk_system(&random, 0.4);
        for (size_t k = 0; k < system.count && round % 2; k++) /* most are hit by others */
            if (random_below(&random, 4))
                system.particles[k].u = system.particles[k].v = 0;
        make_forecast(&predictor, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            if (!predictor_is_large(&predictor, k))
                continue;
            predictor.predictions[k].time = 0; /* of an earlier plan nothing is left */
            large_disks_predict(&predictor, k);
            const struct prediction *prediction = &predictor.predictions[k];
            CHECK(same_events(prediction_by_ids(&predictor, k), first_event(&predictor, k, 0)));
            CHECK(prediction->key <= prediction->time);
            if (prediction->partner >= 0) {
                CHECK(prediction->version ==
                      prediction_version(&system.particles[prediction->partner]));
                int is_giant = predictor_is_large(&predictor, (uint32_t)prediction->partner);
                *(is_giant ? &with_giants : &with_others) += 1;
            }
        }
        predictor_free(&predictor);
        system_free(&system);
    }
    CHECK(with_giants > 5 && with_others > 50);
}

/* The giants are on the lists of all cells of their blocks, and nobody else is. */
static void check_lists(const struct predictor *predictor)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    for (uint32_t row = 0; row < cell_list->shape.rows; row++) {
        for (uint32_t column = 0; column < cell_list->shape.columns; column++) {
            const struct large_disks_block here = {column, column, row, row};
            size_t expected = 0;
            size_t found = 0;
            for (uint32_t k = 0; k < predictor->system->count; k++)
                expected +=
                    predictor_is_large(predictor, k) && do_overlap(here, block_of(predictor, k));
            const struct large_disks_link *link =
                large_disks_at(&predictor->large_disks, cell_list_at(cell_list, column, row));
            for (; link; link = large_disks_next(&predictor->large_disks, link), found++)
                CHECK(do_overlap(here, block_of(predictor, link->large_disk)));
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
        struct predictor predictor;
        struct system system = large_disk_system(&random, round % 2 ? 0.1 : 0.2);
        size_t mover = 7 + 50 * random_below(&random, 2); /* both are large ones */
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].u = system.particles[k].v = 0;
        system.particles[mover].u = random_below(&random, 4) ? random_uniform(&random) - 0.5 : 0;
        system.particles[mover].v = random_below(&random, 4) ? random_uniform(&random) - 0.5 : 0.25;
        make_forecast(&predictor, &system);
        uint32_t k = 0;
        while (system.particles[k].id != (int32_t)mover)
            k++;
        const struct prediction *prediction = &predictor.predictions[k];
        CHECK(predictor_is_large(&predictor, k));
        for (; prediction->key < prediction->time; crossings++) {
            uint32_t ahead = prediction->cell + (uint32_t)prediction->step;
            struct event before = prediction_by_ids(&predictor, k);
            large_disks_cross(&predictor, k);
            CHECK(prediction->cell == ahead);
            struct event now = prediction_by_ids(&predictor, k);
            struct event first = first_event(&predictor, k, 0);
            CHECK(!event_before(&before, &now) && !event_before(&first, &now));
            if (crossings % 4 == 0)
                check_lists(&predictor);
        }
        CHECK(same_events(prediction_by_ids(&predictor, k), first_event(&predictor, k, 1)));
        walls += prediction->partner < 0;
        check_lists(&predictor);
        predictor_free(&predictor);
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
        struct predictor predictor;
        struct system system = large_disk_system(&random, 0.4);
        make_forecast(&predictor, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            struct event expected = {(double)INFINITY, 0, WALL_LEFT};
            struct prediction prediction = predictor.predictions[k];
            if (predictor_is_large(&predictor, k))
                continue;
            prediction_clear(&prediction);
            for (uint32_t large_disk = 0; large_disk < system.count; large_disk++) {
                if (!predictor_is_large(&predictor, large_disk))
                    continue;
                struct event event = pair_by_ids(&system, k, large_disk);
                const struct particle *p = &system.particles[k];
                const struct particle *q = &system.particles[large_disk];
                int is_near = do_overlap(block_of(&predictor, k), block_of(&predictor, large_disk));
                CHECK(is_near ||
                      hypot(p->x - q->x, p->y - q->y) > 1.0001 * system_contact(&system, p, q));
                if (is_near && event_before(&event, &expected))
                    expected = event;
            }
            large_disks_consider(&predictor, k, &prediction, prediction.cell);
            CHECK(prediction.time == expected.time);
            if (expected.time < (double)INFINITY) {
                CHECK(
                    same_events(by_ids(&system, prediction.time, k, prediction.partner), expected));
                met++;
            }
        }
        predictor_free(&predictor);
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
