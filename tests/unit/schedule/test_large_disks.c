/* Tests of which disks are large, and of the cells that they cover. Their lists and predictions are
 * checked during runs in test_predictor.c. */
#include "schedule/predictor.h"

#include "check.h"
#include "measure.h"

/* The large ones among `many` disks of radius 1 and `few` of radius `large`, in a box of this side.
 */
static size_t count_large_disks(size_t many, size_t few, double large, double side)
{
    struct particle_kind kinds[] = {{1, 1, 0}, {large, 1, 0}};
    struct system system = SYSTEM(many + few, side, side, .kind_count = 2, .kinds = kinds);
    struct random_generator random = random_from(1);
    OWNED(system, plain) = random_lattice(&random, many + few, 1, 0);
    OWNED(large_disks, large_disks);
    system.particles = plain.particles;
    for (size_t k = many; k < many + few; k++)
        system.particles[k].kind = 1;
    CHECK(!large_disks_create(&large_disks, &system, cell_list_most_cells(system.count), &failure));
    CHECK(large_disks.largest == 1 || large_disks.largest == large);
    size_t count = large_disks.count;
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

RANDOM_TEST(of_equal_disks_none_is_large, 2)
{
    OWNED(large_disks, large_disks);
    OWNED(system, system) = random_system(random, 10, 0.1, 1);
    CHECK(large_disks_create(&large_disks, &system, 100, &failure) == STATUS_DONE);
    CHECK(large_disks.count == 0 && large_disks.nearby.cells == NULL &&
          !large_disks_has(&large_disks, system.radius));
    large_disks_reset(&large_disks, &(struct cell_list){0}, 0); /* and nothing to do */
}

/* Small disks are predicted as where all have one size if none is smaller than the others. */
RANDOM_TEST(small_disks_of_one_size, 1)
{
    enum { SMALL = 10000, ALL = SMALL + 10 };
    struct particle_kind kinds[] = {{1, 1, 0}, {50, 1, 0}, {0.9, 1, 0}};
    struct system plain = random_lattice(random, ALL, 1, 0);
    for (size_t kind_count = 2; kind_count <= 3; kind_count++) {
        struct predictor predictor;
        struct system system = plain;
        system.kinds = kinds;
        system.kind_count = kind_count;
        system.boundary.width = system.boundary.height = 500;
        for (size_t k = 0; k < ALL; k++)
            system.particles[k].kind = k >= SMALL ? 1 : kind_count == 3 && k % 2 ? 2 : 0;
        CHECK(predictor_create(&predictor, &system, &failure) == STATUS_DONE);
        predictor_find_general(&predictor);
        CHECK(predictor.large_disks.count == 10);
        CHECK(predictor.search.attempts[LIST_HAS_ONE_SIZE] ==
              (kind_count == 2 ? predictor.search.lanes->one_size : predictor.search.lanes->sizes));
        CHECK(kind_count == 3 || predictor.search.contact == 2);
        predictor_free(&predictor);
    }
    system_free(&plain);
}

/* Where every disk has a radius of its own, time is proportional to their number, not its square.
 */
RANDOM_TEST(as_many_kinds_as_disks, 4)
{
    enum { COUNT = 60000 };
    OWNED(large_disks, large_disks);
    OWNED(cell_list, cell_list);
    struct cell_list_shape shape;
    OWNED(system, system) = random_lattice(random, COUNT, 1, 0);
    arranged_kinds(&system, COUNT);
    system.boundary.height = system.boundary.width;
    for (size_t k = 0; k < COUNT; k++) {
        system.kinds[k] =
            (struct particle_kind){system.radius * (0.5 + random_unit(random) / 2), 1, 0};
        system.particles[k].kind = (uint32_t)k;
    }
    system.kinds[7].radius = 1000 * system.radius;
    size_t cells = cell_list_most_cells(COUNT);
    double began = measure_seconds();
    CHECK(large_disks_create(&large_disks, &system, cells, &failure) == STATUS_DONE &&
          large_disks.count == 1);
    CHECK(cell_list_create(&cell_list, cells, COUNT, &failure) == STATUS_DONE);
    cell_list_choose_shape(&system, cell_list_least_side(large_disks.side, 0), 0, &shape);
    cell_list_reset(&cell_list, &shape);
    large_disks_reset(&large_disks, &cell_list, 0);
    CHECK(measure_seconds() - began < 3); /* a few thousandths; of all pairs, more than ten */
}

/* From anywhere in its own cell, a large disk covers what counts as covered, and can touch no small
 * disk beyond its block. */
RANDOM_TEST(rows_of_blocks, 3)
{
    enum { MAX_ROWS = 42 };
    struct particle_kind kinds[2] = {{0.5, 1, 0}, {0, 1, 1}};
    const struct system system = {.kinds = kinds, .kind_count = 2};
    struct large_disks_row rows[MAX_ROWS];
    struct large_disks_block blocks[2];
    struct large_disks_list list;
    struct large_disks large_disks = {.system = &system,
                                      .count = 1,
                                      .largest = 0.5,
                                      .blocks = blocks,
                                      .rows = rows,
                                      .lists = &list};
    struct cell_list cell_list;
    struct cell_list *const lists[] = {&cell_list, &large_disks.nearby, &large_disks.coarse};
    size_t covered_cells = 0;
    for (int m = 0; m < 3; m++)
        CHECK(cell_list_create(lists[m], 10000, 1, &failure) == STATUS_DONE);
    for (int trial = 0; trial < 2000; trial++) {
        const double width = 0.5 + random_unit(random);
        const double height = 0.5 + random_unit(random);
        const struct cell_list_shape shape = {0, 0, width, height, 40, 40, (unsigned)trial % 4, 0};
        cell_list_reset(&cell_list, &shape);
        kinds[1].radius = 0.5 + 15 * random_unit(random);
        large_disks_reset(&large_disks, &cell_list, 0);
        const double contact = kinds[1].radius + 0.5;
        CHECK(blocks[1].rows >= shape.rows - 1 || blocks[1].rows * height >= contact);
        for (uint32_t row = 0; row <= blocks[1].rows; row++) {
            const struct large_disks_row *entry = &rows[blocks[1].first + row];
            const double far = hypot(entry->covered * width, (row + 1) * height);
            const double near = hypot(entry->reach * width, row > 0 ? (row - 1) * height : 0);
            CHECK(entry->covered == 0 || far <= kinds[1].radius * (1 + 1e-14));
            CHECK(entry->reach >= shape.columns || near >= contact);
            CHECK(entry->reach > entry->covered);
            covered_cells += entry->covered;
        }
    }
    CHECK(covered_cells > 1000);
    for (int m = 0; m < 3; m++)
        cell_list_free(lists[m]);
}
