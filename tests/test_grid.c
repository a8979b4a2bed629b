/*
 * Tests of the grid against a naive one that knows only in which cell each member is. Most of
 * them crowd members into few cells, for a cell's own three are the easy case.
 */
#include "grid.h"

#include "check.h"
#include "random_system.h"

#include <math.h>

enum { MOST_MEMBERS = 400, MOST_CELLS = 600, NOWHERE = 0 };

/* In which cell each member is, or NOWHERE: the border's first cell, which never has any. */
struct naive {
    size_t count;
    uint32_t cells[MOST_MEMBERS];
};

/* Appends all members of a cell and its chain to `list`; returns how many there are. */
static size_t gather(const struct grid *grid, uint32_t cell, uint32_t *list)
{
    size_t count = 0;
    do
        cell = grid_gather(&grid->cells[cell], list, &count) >> 2;
    while (cell != 0);
    return count;
}

/* Whether `list` names no member twice and only members of `cell`, and as many as there are. */
static int holds_exactly(const struct naive *naive, uint32_t cell, const uint32_t *list,
                         size_t count)
{
    int seen[MOST_MEMBERS] = {0};
    for (size_t k = 0; k < count; k++) {
        if (list[k] >= naive->count || naive->cells[list[k]] != cell || seen[list[k]])
            return 0;
        seen[list[k]] = 1;
    }
    for (size_t member = 0; member < naive->count; member++)
        count -= naive->cells[member] == cell;
    return count == 0;
}

/* Each cell, also of the border, has the members that it should, and the chains are short. */
static void check_members(const struct grid *grid, const struct naive *naive)
{
    uint32_t list[MOST_MEMBERS + GRID_SLACK];
    uint32_t cells = grid->stride * (grid->shape.rows + 2);
    size_t present = 0;
    size_t overflow = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        size_t count = gather(grid, cell, list);
        if (cell != NOWHERE)
            CHECK(holds_exactly(naive, cell, list, count));
        present += count;
        overflow += count > 0 ? (count - 1) / GRID_MEMBERS : 0;
    }
    for (size_t member = 0; member < naive->count; member++)
        present -= naive->cells[member] != NOWHERE;
    CHECK(present == 0);
    CHECK(grid->overflow_used == overflow);
    CHECK(grid->overflow_end <= cells + naive->count / GRID_MEMBERS + 1);
}

static uint32_t any_cell(const struct grid *grid, struct random *random)
{
    return grid_cell_at(grid, (uint32_t)random_below(random, grid->shape.columns),
                        (uint32_t)random_below(random, grid->shape.rows));
}

/* Adds, removes and moves members at random, and sometimes all of them into one cell. */
static void shuffle(struct grid *grid, struct naive *naive, struct random *random, int steps)
{
    for (int step = 0; step < steps; step++) {
        uint32_t member = (uint32_t)random_below(random, naive->count);
        uint32_t favourite =
            random_below(random, 3) ? grid_cell_at(grid, 0, 0) : any_cell(grid, random);
        if (naive->cells[member] != NOWHERE) {
            grid_remove(grid, naive->cells[member], member);
            naive->cells[member] = NOWHERE;
        }
        if (random_below(random, 8) > 0) {
            naive->cells[member] = favourite;
            grid_add(grid, favourite, member);
        }
    }
}

static void test_members_are_those_of_a_naive_grid(void)
{
    static const struct grid_shape shapes[] = {{0, 0, 1, 1, 1, 1},  {0, 0, 1, 1, 1, 40},
                                               {0, 0, 1, 1, 40, 1}, {0, 0, 1, 1, 2, 2},
                                               {0, 0, 1, 1, 7, 5},  {0, 0, 1, 1, 22, 23}};
    struct random random = {30};
    struct error error;
    int rounds = check_is_quick() ? 12 : 120;
    for (int round = 0; round < rounds; round++) {
        struct naive naive = {.count = 1 + random_below(&random, MOST_MEMBERS)};
        struct grid grid;
        CHECK(grid_create(&grid, MOST_CELLS, naive.count, &error) == STATUS_DONE);
        for (int use = 0; use < 3; use++) { /* a grid is used again, with another shape */
            for (size_t member = 0; member < naive.count; member++)
                naive.cells[member] = NOWHERE;
            grid_reset(&grid, &shapes[random_below(&random, sizeof shapes / sizeof shapes[0])]);
            check_members(&grid, &naive);
            for (int check = 0; check < 4; check++) {
                shuffle(&grid, &naive, &random, (int)random_below(&random, 1000));
                check_members(&grid, &naive);
            }
        }
        grid_free(&grid);
    }
}

/* All in one cell and out again, in another order: the longest chain there can be, many times. */
static void test_one_cell_holds_all(void)
{
    static const struct grid_shape shape = {0, 0, 1, 1, 3, 3};
    struct random random = {31};
    struct error error;
    for (uint32_t count = 1; count <= 50; count++) {
        struct naive naive = {.count = count};
        struct grid grid;
        CHECK(grid_create(&grid, 25, count, &error) == STATUS_DONE);
        grid_reset(&grid, &shape);
        uint32_t centre = grid_cell_at(&grid, 1, 1);
        for (int time = 0; time < 5; time++) {
            for (uint32_t member = 0; member < count; member++) {
                grid_add(&grid, centre, member);
                naive.cells[member] = centre;
            }
            check_members(&grid, &naive);
            for (uint32_t left = count; left > 0; left--) {
                uint32_t member = (uint32_t)random_below(&random, count);
                while (naive.cells[member] == NOWHERE)
                    member = (member + 1) % count;
                grid_remove(&grid, centre, member);
                naive.cells[member] = NOWHERE;
                check_members(&grid, &naive);
            }
        }
        CHECK(grid.overflow_used == 0);
        grid_free(&grid);
    }
}

/* Nine full cells fill the list that is meant for nine cells, and not more. */
static void test_nine_cells_fit_into_a_list(void)
{
    static const struct grid_shape shape = {0, 0, 1, 1, 3, 3};
    const uint32_t untouched = 12345;
    struct error error;
    struct grid grid;
    CHECK(grid_create(&grid, 25, 27, &error) == STATUS_DONE);
    grid_reset(&grid, &shape);
    for (uint32_t member = 0; member < 27; member++)
        grid_add(&grid, grid_cell_at(&grid, member % 3, member / 9), member);
    uint32_t list[GRID_NEIGHBOURS + 1];
    list[GRID_NEIGHBOURS] = untouched;
    size_t count = 0;
    for (uint32_t cell = 0; cell < 9; cell++)
        CHECK(!grid_overflows(
            grid_gather(&grid.cells[grid_cell_at(&grid, cell % 3, cell / 3)], list, &count)));
    CHECK(count == 27 && list[GRID_NEIGHBOURS] == untouched);
    uint64_t members = 0;
    for (size_t k = 0; k < count; k++)
        members |= UINT64_C(1) << list[k];
    CHECK(members == (UINT64_C(1) << 27) - 1);
    grid_free(&grid);
}

/* Gathered without one member, whichever it is, a cell has all others; with a chain, all. */
static void test_others_are_gathered(void)
{
    static const struct grid_shape shape = {0, 0, 1, 1, 2, 2};
    struct error error;
    struct grid grid;
    CHECK(grid_create(&grid, 16, 10, &error) == STATUS_DONE);
    for (uint32_t members = 1; members <= 5; members++) {
        for (uint32_t left_out = 0; left_out < members; left_out++) {
            grid_reset(&grid, &shape);
            const struct grid_cell *cell = &grid.cells[grid_cell_at(&grid, 1, 1)];
            for (uint32_t member = 0; member < members; member++)
                grid_add(&grid, grid_cell_at(&grid, 1, 1), member);
            uint32_t list[GRID_NEIGHBOURS];
            size_t count = 0;
            uint32_t state = grid_gather_others(cell, left_out, list, &count);
            CHECK(grid_overflows(state) == (members > GRID_MEMBERS));
            CHECK(count == (members > GRID_MEMBERS ? members - GRID_MEMBERS : members - 1));
            uint32_t sum = 0;
            for (size_t k = 0; k < count && members <= GRID_MEMBERS; k++) {
                CHECK(list[k] != left_out);
                sum += list[k];
            }
            CHECK(members > GRID_MEMBERS || sum == members * (members - 1) / 2 - left_out);
        }
    }
    grid_free(&grid);
}

/* Whether the cell of a point contains it, the outer ones reaching to infinity. */
static int contains(const struct grid *grid, double x, double y)
{
    const struct grid_shape *shape = &grid->shape;
    uint32_t cell = grid_locate(grid, x, y);
    uint32_t column = grid_column(grid, cell);
    uint32_t row = grid_row(grid, cell);
    double slack = 1e-14 * (fabs(x) + fabs(y) + shape->width + shape->height);
    double left = shape->left + column * shape->width - slack;
    double bottom = shape->bottom + row * shape->height - slack;
    return column < shape->columns && row < shape->rows &&
           cell == grid_cell_at(grid, column, row) && (column == 0 || x >= left) &&
           (column == shape->columns - 1 || x <= left + shape->width + 2 * slack) &&
           (row == 0 || y >= bottom) &&
           (row == shape->rows - 1 || y <= bottom + shape->height + 2 * slack);
}

static void test_points_are_located(void)
{
    struct random random = {32};
    struct error error;
    struct grid grid;
    CHECK(grid_create(&grid, MOST_CELLS, 1, &error) == STATUS_DONE);
    for (int round = 0; round < 300; round++) {
        double unit = pow(10, 60 * random_uniform(&random) - 30);
        struct grid_shape shape = {
            unit * (random_uniform(&random) - 0.5),  unit * random_uniform(&random),
            unit * (0.01 + random_uniform(&random)), unit * (0.01 + random_uniform(&random)),
            1 + (uint32_t)random_below(&random, 20), 1 + (uint32_t)random_below(&random, 20)};
        grid_reset(&grid, &shape);
        for (int point = 0; point < 100; point++)
            CHECK(contains(&grid, unit * (60 * random_uniform(&random) - 20),
                           unit * (60 * random_uniform(&random) - 20)));
        for (int border = 0; border < 40; border++)
            CHECK(contains(&grid, shape.left + border * shape.width,
                           shape.bottom + border * shape.height));
    }
    grid_free(&grid);
}

static void test_points_outside_belong_to_the_nearest_cell(void)
{
    static const struct grid_shape shape = {-4, 2, 1, 2, 8, 3};
    struct error error;
    struct grid grid;
    CHECK(grid_create(&grid, 50, 1, &error) == STATUS_DONE);
    grid_reset(&grid, &shape);
    CHECK(grid_locate(&grid, -4, 2) == grid_cell_at(&grid, 0, 0));
    CHECK(grid_locate(&grid, -1e300, -1e300) == grid_cell_at(&grid, 0, 0));
    CHECK(grid_locate(&grid, 1e300, 1e300) == grid_cell_at(&grid, 7, 2));
    CHECK(grid_locate(&grid, (double)INFINITY, -(double)INFINITY) == grid_cell_at(&grid, 7, 0));
    CHECK(grid_locate(&grid, -3, 4) ==
          grid_cell_at(&grid, 1, 1)); /* a border belongs to the next */
    CHECK(grid_locate(&grid, nextafter(-3, -9), nextafter(4, 0)) == grid_cell_at(&grid, 0, 0));
    CHECK(grid_locate(&grid, 4, 8) == grid_cell_at(&grid, 7, 2)); /* except the last one */
    CHECK(grid_locate(&grid, 5e9, 5) == grid_cell_at(&grid, 7, 1));
    grid_free(&grid);
}

/* The list names each member once; and members of a tile of 8 x 8 cells follow each other. */
static void test_the_list_names_each_member_once(void)
{
    struct random random = {33};
    struct error error;
    uint32_t list[MOST_MEMBERS];
    for (int round = 0; round < 60; round++) {
        const struct grid_shape shape = {0,
                                         0,
                                         1,
                                         1,
                                         1 + (uint32_t)random_below(&random, 22),
                                         1 + (uint32_t)random_below(&random, 22)};
        struct naive naive = {.count = 1 + random_below(&random, MOST_MEMBERS)};
        struct grid grid;
        CHECK(grid_create(&grid, MOST_CELLS, naive.count, &error) == STATUS_DONE);
        grid_reset(&grid, &shape);
        for (uint32_t member = 0; member < naive.count; member++) {
            naive.cells[member] = any_cell(&grid, &random);
            grid_add(&grid, naive.cells[member], member);
        }
        shuffle(&grid, &naive, &random, 300);
        for (uint32_t member = 0; member < naive.count; member++)
            if (naive.cells[member] == NOWHERE)
                grid_add(&grid, naive.cells[member] = any_cell(&grid, &random), member);
        grid_list(&grid, list);
        int seen[MOST_MEMBERS] = {0};
        uint32_t last_tile = 0;
        for (size_t k = 0; k < naive.count; k++) {
            if (!CHECK(list[k] < naive.count && !seen[list[k]]))
                break;
            seen[list[k]] = 1;
            uint32_t cell = naive.cells[list[k]];
            uint32_t tile = grid_row(&grid, cell) / 8 * 100 + grid_column(&grid, cell) / 8;
            CHECK(tile >= last_tile);
            last_tile = tile;
        }
        grid_free(&grid);
    }
}

int main(void)
{
    RUN(test_others_are_gathered);
    RUN(test_members_are_those_of_a_naive_grid);
    RUN(test_one_cell_holds_all);
    RUN(test_nine_cells_fit_into_a_list);
    RUN(test_points_are_located);
    RUN(test_points_outside_belong_to_the_nearest_cell);
    RUN(test_the_list_names_each_member_once);
    return check_finish();
}
