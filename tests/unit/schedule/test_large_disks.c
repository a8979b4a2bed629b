/*
 * Tests of which disks are large, of the lists of cells, and of predictions: what a large disk
 * meets next is the first of all events near it, and no small disk misses a large one. Runs in
 * which large disks collide are in test_predictor.c.
 */
#include "schedule/large_disks.h"

#include "base/memory.h"
#include "by_ids.h"
#include "check.h"
#include "measure.h"
#include "model/physics.h"
#include "odd_system.h"
#include "random_system.h"
#include "schedule/predictor.h"

#include <math.h>
#include <stdlib.h>

/* The large ones among `many` disks of radius 1 and `few` of radius `large`, in a box of this side.
 */
static size_t count_large_disks(size_t many, size_t few, double large, double side)
{
    struct kind kinds[] = {{1, 1, 0}, {large, 1, 0}};
    struct system system = {.count = many + few,
                            .boundary.width = side,
                            .boundary.height = side,
                            .kind_count = 2,
                            .kinds = kinds};
    struct random_generator random = random_from(1);
    struct system plain = random_lattice(&random, many + few, 1, 0);
    struct large_disks large_disks;
    struct error error;
    system.particles = plain.particles;
    for (size_t k = many; k < many + few; k++)
        system.particles[k].kind = 1;
    CHECK(large_disks_create(&large_disks, &system, cell_list_most_cells(system.count), &error) ==
          STATUS_DONE);
    CHECK(large_disks.largest == 1 || large_disks.largest == large);
    size_t count = large_disks.count;
    large_disks_free(&large_disks);
    system_free(&plain);
    return count;
}

static void test_few_large_disks_among_many_are_large(void)
{
    CHECK(count_large_disks(10000, 10, 50, 500) == 10);
    CHECK(count_large_disks(10000, 1, 1000, 5000) == 1);
    CHECK(count_large_disks(10000, 10000, 1.4, 400) == 0); /* two sizes much alike */
    CHECK(count_large_disks(10, 10000, 2, 700) == 0);      /* a few small ones */
    CHECK(count_large_disks(10000, 0, 2, 500) == 0);
}

static void test_of_equal_disks_none_is_large(void)
{
    struct error error;
    struct large_disks large_disks;
    struct random_generator random = random_from(2);
    struct system system = random_system(&random, 10, 0.1, 1);
    CHECK(large_disks_create(&large_disks, &system, 100, &error) == STATUS_DONE);
    CHECK(large_disks.count == 0 && large_disks.first == NULL &&
          !large_disks_has(&large_disks, system.radius));
    large_disks_reset(&large_disks, &system, &(struct cell_list){0}, 0); /* and nothing to do */
    large_disks_free(&large_disks);
    system_free(&system);
}

/* Where every disk has a radius of its own, time is proportional to their number, not its square.
 */
static void test_as_many_kinds_as_disks(void)
{
    enum { COUNT = 60000 };
    struct random_generator random = random_from(4);
    struct error error;
    struct large_disks large_disks;
    struct cell_list cell_list;
    struct cell_list_shape shape;
    struct system system = random_lattice(&random, COUNT, 1, 0);
    system.kinds = memory_allocate(COUNT, sizeof *system.kinds, "the kinds", &error);
    system.kind_count = COUNT;
    system.boundary.height = system.boundary.width;
    for (size_t k = 0; k < COUNT; k++) {
        system.kinds[k] = (struct kind){system.radius * (0.5 + random_unit(&random) / 2), 1, 0};
        system.particles[k].kind = (uint32_t)k;
    }
    system.kinds[7].radius = 1000 * system.radius;
    size_t cells = cell_list_most_cells(COUNT);
    double began = measure_seconds();
    CHECK(large_disks_create(&large_disks, &system, cells, &error) == STATUS_DONE &&
          large_disks.count == 1);
    CHECK(cell_list_create(&cell_list, cells, COUNT, &error) == STATUS_DONE);
    cell_list_choose_shape(&system, large_disks.side, 0, &shape);
    cell_list_reset(&cell_list, &shape);
    large_disks_reset(&large_disks, &system, &cell_list, 0);
    CHECK(measure_seconds() - began < 3); /* a few thousandths; of all pairs, more than ten */
    cell_list_free(&cell_list);
    large_disks_free(&large_disks);
    system_free(&system);
}

/* From any point of its own cell, a large disk covers all of a cell that counts as covered. */
static void test_covered_cells_are_covered(void)
{
    struct random_generator random = random_from(3);
    struct error error;
    struct cell_list cell_list;
    size_t covered_cells = 0;
    CHECK(cell_list_create(&cell_list, 10000, 1, &error) == STATUS_DONE);
    for (int trial = 0; trial < 2000; trial++) {
        const struct cell_list_shape shape = {0,
                                              0,
                                              0.5 + random_unit(&random),
                                              0.5 + random_unit(&random),
                                              1 + (uint32_t)random_below(&random, 40),
                                              1 + (uint32_t)random_below(&random, 40),
                                              0,
                                              0};
        cell_list_reset(&cell_list, &shape);
        uint32_t column = (uint32_t)random_below(&random, shape.columns);
        uint32_t own_row = (uint32_t)random_below(&random, shape.rows);
        uint32_t row = (uint32_t)random_below(&random, shape.rows);
        double radius = 20 * random_unit(&random);
        uint32_t covered =
            large_disks_covered(&cell_list, cell_list_at(&cell_list, column, own_row), radius, row);
        if (covered == 0)
            continue;
        double across = covered * shape.width;
        double along = (fabs((double)row - (double)own_row) + 1) * shape.height;
        CHECK(sqrt(across * across + along * along) <= radius * (1 + 1e-14));
        CHECK(column >= covered && column + covered < shape.columns); /* no outer cells, */
        CHECK(row > 0 && row < shape.rows - 1);                       /* which have no end */
        covered_cells += covered;
    }
    CHECK(covered_cells > 1000);
    cell_list_free(&cell_list);
}

/* The collision of two particles, and the event of a prediction, by ids. */
static struct event event_of_pair(const struct system *system, uint32_t k, uint32_t other)
{
    const struct particle *p = &system->particles[k];
    const struct particle *q = &system->particles[other];
    double time = physics_pair_time(p, q, system_contact(system, p, q), NULL);
    return by_ids(system, (struct event){time, (int32_t)k, (int32_t)other});
}

static struct event event_of_prediction(const struct predictor *predictor, uint32_t k)
{
    const struct prediction *prediction = &predictor->predictions[k];
    return by_ids(predictor->system,
                  (struct event){prediction->time, (int32_t)k, prediction->partner});
}

static int same_events(struct event left, struct event right)
{
    return left.time == right.time && left.a == right.a && left.b == right.b;
}

/* In which cells a particle is to be found: its own one, or the block of a large disk. */
static struct large_disks_block block_of(const struct predictor *predictor, uint32_t k)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    uint32_t cell = predictor->predictions[k].cell;
    if (predictor_is_large(predictor, k))
        return large_disks_block(&predictor->large_disks, cell_list,
                                 predictor->system->particles[k].kind, cell);
    int32_t column = (int32_t)cell_list_column(cell_list, cell);
    int32_t row = (int32_t)cell_list_row(cell_list, cell);
    return (struct large_disks_block){column, column, row, row};
}

static int do_overlap(struct large_disks_block a, struct large_disks_block b)
{
    return a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;
}

/* The first event of a particle with a wall, or with any that its block overlaps; for a large disk
 * with any large one, for there are few; or with all. */
static struct event first_event(const struct predictor *predictor, uint32_t k, int with_all)
{
    const struct system *system = predictor->system;
    struct event wall = physics_boundary_event(system, k);
    struct event first = by_ids(system, wall);
    for (uint32_t other = 0; other < system->count; other++) {
        const int are_large =
            predictor_is_large(predictor, k) && predictor_is_large(predictor, other);
        if (other == k || !(with_all || are_large ||
                            do_overlap(block_of(predictor, k), block_of(predictor, other))))
            continue;
        struct event event = event_of_pair(system, k, other);
        if (event.time < (double)INFINITY && event_before(&event, &first))
            first = event;
    }
    return first;
}

/* Predicts for all particles of a system in which there are large disks. */
static void make_predictor(struct predictor *predictor, struct system *system)
{
    struct error error;
    if (!CHECK(predictor_create(predictor, system, &error) == STATUS_DONE))
        exit(EXIT_FAILURE);
    predictor_renew(predictor, 0);
}

/* A system, of this area fraction at most, in which there are large disks. */
static struct system large_disk_system(struct random_generator *random, double most)
{
    for (;;) {
        struct error error;
        struct large_disks large_disks;
        size_t count = 100 + random_below(random, 300);
        struct system system =
            mixed_system(random, MIXED_FEW_LARGE, count, 1e-3 + most * random_unit(random));
        CHECK(large_disks_create(&large_disks, &system, 10000, &error) == STATUS_DONE);
        size_t found = large_disks.count;
        large_disks_free(&large_disks);
        if (found > 0)
            return system;
        system_free(&system);
    }
}

static int rounds(int most)
{
    return check_is_thorough() ? most : most / 10;
}

/* Among all that are near, whether they are members of cells, of chains, or large disks. */
static void test_a_large_disk_finds_its_first_event(void)
{
    struct random_generator random = random_from(1);
    size_t with_large_disks = 0;
    size_t with_others = 0;
    for (int round = 0; round < rounds(300); round++) {
        struct predictor predictor;
        struct system system = large_disk_system(&random, 0.4);
        for (size_t k = 0; k < system.count && round % 2; k++) /* most are hit by others */
            if (random_below(&random, 4))
                system.particles[k].u = system.particles[k].v = 0;
        make_predictor(&predictor, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            if (!predictor_is_large(&predictor, k))
                continue;
            predictor.predictions[k].time = 0; /* of an earlier prediction nothing is left */
            large_disks_predict(&predictor.large_disks, &system, &predictor.cell_list, k,
                                &predictor.predictions[k]);
            const struct prediction *prediction = &predictor.predictions[k];
            CHECK(same_events(event_of_prediction(&predictor, k), first_event(&predictor, k, 0)));
            CHECK(prediction->key <= prediction->time);
            if (prediction->partner >= 0) {
                CHECK(prediction->version == system.particles[prediction->partner].version);
                int is_large = predictor_is_large(&predictor, (uint32_t)prediction->partner);
                *(is_large ? &with_large_disks : &with_others) += 1;
            }
        }
        predictor_free(&predictor);
        system_free(&system);
    }
    CHECK(with_large_disks > 5 && with_others > 50);
}

/* The large disks are on the lists of all cells of their blocks, and no other particle is. */
static void check_lists(const struct predictor *predictor)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    for (int32_t row = 0; row < (int32_t)cell_list->shape.rows; row++) {
        for (int32_t column = 0; column < (int32_t)cell_list->shape.columns; column++) {
            const struct large_disks_block here = {column, column, row, row};
            size_t expected = 0;
            size_t found = 0;
            for (uint32_t k = 0; k < predictor->system->count; k++)
                expected +=
                    predictor_is_large(predictor, k) && do_overlap(here, block_of(predictor, k));
            const struct large_disks_link *link = large_disks_at(
                &predictor->large_disks, cell_list_at(cell_list, (uint32_t)column, (uint32_t)row));
            for (; link; link = large_disks_next(&predictor->large_disks, link), found++)
                CHECK(do_overlap(here, block_of(predictor, link->large_disk)));
            CHECK(found == expected);
        }
    }
}

/*
 * One large disk moves among others at rest, from cell to cell. It has considered all that are
 * near, and when it has come to its event, that is the first of all there are.
 */
static void test_a_large_disk_moves_from_cell_to_cell(void)
{
    struct random_generator random = random_from(2);
    size_t crossings = 0;
    size_t walls = 0;
    for (int round = 0; round < rounds(1000); round++) {
        struct predictor predictor;
        struct system system = large_disk_system(&random, round % 2 ? 0.1 : 0.2);
        size_t mover = 7 + 50 * random_below(&random, 2); /* both are large ones */
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].u = system.particles[k].v = 0;
        system.particles[mover].u = random_below(&random, 4) ? random_unit(&random) - 0.5 : 0;
        system.particles[mover].v = random_below(&random, 4) ? random_unit(&random) - 0.5 : 0.25;
        make_predictor(&predictor, &system);
        uint32_t k = 0;
        while (system.particles[k].id != (int32_t)mover)
            k++;
        const struct prediction *prediction = &predictor.predictions[k];
        CHECK(predictor_is_large(&predictor, k));
        for (; prediction->key < prediction->time; crossings++) {
            uint32_t ahead = prediction->cell + (uint32_t)prediction->step;
            struct event before = event_of_prediction(&predictor, k);
            large_disks_cross(&predictor.large_disks, &system, &predictor.cell_list, k,
                              &predictor.predictions[k]);
            CHECK(prediction->cell == ahead);
            struct event now = event_of_prediction(&predictor, k);
            struct event first = first_event(&predictor, k, 0);
            CHECK(!event_before(&before, &now) && !event_before(&first, &now));
            if (crossings % 4 == 0)
                check_lists(&predictor);
        }
        CHECK(same_events(event_of_prediction(&predictor, k), first_event(&predictor, k, 1)));
        walls += prediction->partner < 0;
        check_lists(&predictor);
        predictor_free(&predictor);
        system_free(&system);
    }
    CHECK(crossings > (size_t)rounds(200) && walls > 0 && walls < (size_t)rounds(300));
}

/* A small disk considers each large disk on the list of its cell, and no other particle. */
static void test_small_disks_find_large_ones(void)
{
    struct random_generator random = random_from(3);
    size_t met = 0;
    for (int round = 0; round < rounds(200); round++) {
        struct predictor predictor;
        struct system system = large_disk_system(&random, 0.4);
        make_predictor(&predictor, &system);
        for (uint32_t k = 0; k < system.count; k++) {
            struct event expected = {(double)INFINITY, 0, FEATURE_LEFT};
            struct prediction prediction = predictor.predictions[k];
            if (predictor_is_large(&predictor, k))
                continue;
            prediction_clear(&prediction);
            for (uint32_t large_disk = 0; large_disk < system.count; large_disk++) {
                if (!predictor_is_large(&predictor, large_disk))
                    continue;
                struct event event = event_of_pair(&system, k, large_disk);
                const struct particle *p = &system.particles[k];
                const struct particle *q = &system.particles[large_disk];
                int is_near = do_overlap(block_of(&predictor, k), block_of(&predictor, large_disk));
                CHECK(is_near ||
                      hypot(p->x - q->x, p->y - q->y) > 1.0001 * system_contact(&system, p, q));
                if (is_near && event_before(&event, &expected))
                    expected = event;
            }
            large_disks_consider_cell(&predictor.large_disks, &system, prediction.cell, k,
                                      &prediction);
            CHECK(prediction.time == expected.time);
            if (expected.time < (double)INFINITY) {
                CHECK(same_events(by_ids(&system, (struct event){prediction.time, (int32_t)k,
                                                                 prediction.partner}),
                                  expected));
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
    RUN(test_few_large_disks_among_many_are_large);
    RUN(test_of_equal_disks_none_is_large);
    RUN(test_as_many_kinds_as_disks);
    RUN(test_covered_cells_are_covered);
    RUN(test_a_large_disk_finds_its_first_event);
    RUN(test_a_large_disk_moves_from_cell_to_cell);
    RUN(test_small_disks_find_large_ones);
    return check_finish();
}
