/*
 * Tests of which disks are large, and of the cells that they cover. Their lists and predictions are
 * checked during runs in test_predictor.c.
 */
#include "schedule/large_disks.h"

#include "base/memory.h"
#include "check.h"
#include "measure.h"
#include "random_system.h"

#include <math.h>

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

TEST(few_large_disks_among_many_are_large)
{
    CHECK(count_large_disks(10000, 10, 50, 500) == 10);
    CHECK(count_large_disks(10000, 1, 1000, 5000) == 1);
    CHECK(count_large_disks(10000, 10000, 1.4, 400) == 0); /* two sizes much alike */
    CHECK(count_large_disks(10, 10000, 2, 700) == 0);      /* a few small ones */
    CHECK(count_large_disks(10000, 0, 2, 500) == 0);
}

TEST(of_equal_disks_none_is_large)
{
    struct error error;
    struct large_disks large_disks;
    struct random_generator random = random_from(2);
    struct system system = random_system(&random, 10, 0.1, 1);
    CHECK(large_disks_create(&large_disks, &system, 100, &error) == STATUS_DONE);
    CHECK(large_disks.count == 0 && large_disks.first == NULL &&
          !large_disks_has(&large_disks, system.radius));
    large_disks_reset(&large_disks, &(struct cell_list){0}, 0); /* and nothing to do */
    large_disks_free(&large_disks);
    system_free(&system);
}

/* Where every disk has a radius of its own, time is proportional to their number, not its square.
 */
TEST(as_many_kinds_as_disks)
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
    cell_list_choose_shape(&system, cell_list_least_side(large_disks.side, 0), 0, &shape);
    cell_list_reset(&cell_list, &shape);
    large_disks_reset(&large_disks, &cell_list, 0);
    CHECK(measure_seconds() - began < 3); /* a few thousandths; of all pairs, more than ten */
    cell_list_free(&cell_list);
    large_disks_free(&large_disks);
    system_free(&system);
}

/* From any point of its own cell, a large disk covers all of a cell that counts as covered. */
TEST(covered_cells_are_covered)
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
