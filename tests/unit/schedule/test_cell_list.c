/*
 * Tests of the grid against a naive one that knows only in which cell each member is. Most of
 * them crowd members into few cells, for a cell's own three are the easy case.
 */
#include "schedule/cell_list.h"

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
static size_t gather(const struct cell_list *cell_list, uint32_t cell, uint32_t *list)
{
    size_t count = 0;
    do
        cell = cell_list_gather(&cell_list->cells[cell], list, &count) >> 2;
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
static void check_members(const struct cell_list *cell_list, const struct naive *naive)
{
    uint32_t list[MOST_MEMBERS + CELL_LIST_SLACK];
    uint32_t cells = cell_list->stride * (cell_list->shape.rows + 2);
    size_t present = 0;
    size_t overflow = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        size_t count = gather(cell_list, cell, list);
        if (cell != NOWHERE)
            CHECK(holds_exactly(naive, cell, list, count));
        present += count;
        overflow += count > 0 ? (count - 1) / CELL_LIST_MEMBERS : 0;
    }
    for (size_t member = 0; member < naive->count; member++)
        present -= naive->cells[member] != NOWHERE;
    CHECK(present == 0);
    CHECK(cell_list->overflow_used == overflow);
    CHECK(cell_list->overflow_end <= cells + naive->count / CELL_LIST_MEMBERS + 1);
}

static uint32_t any_cell(const struct cell_list *cell_list, struct random *random)
{
    return cell_list_at(cell_list, (uint32_t)random_below(random, cell_list->shape.columns),
                        (uint32_t)random_below(random, cell_list->shape.rows));
}

/* Adds, removes and moves members at random, and sometimes all of them into one cell. */
static void shuffle(struct cell_list *cell_list, struct naive *naive, struct random *random,
                    int steps)
{
    for (int step = 0; step < steps; step++) {
        uint32_t member = (uint32_t)random_below(random, naive->count);
        uint32_t favourite =
            random_below(random, 3) ? cell_list_at(cell_list, 0, 0) : any_cell(cell_list, random);
        if (naive->cells[member] != NOWHERE) {
            cell_list_remove(cell_list, naive->cells[member], member);
            naive->cells[member] = NOWHERE;
        }
        if (random_below(random, 8) > 0) {
            naive->cells[member] = favourite;
            cell_list_add(cell_list, favourite, member);
        }
    }
}

static void test_members_are_those_of_a_naive_grid(void)
{
    static const struct cell_list_shape shapes[] = {{0, 0, 1, 1, 1, 1},  {0, 0, 1, 1, 1, 40},
                                                    {0, 0, 1, 1, 40, 1}, {0, 0, 1, 1, 2, 2},
                                                    {0, 0, 1, 1, 7, 5},  {0, 0, 1, 1, 22, 23}};
    struct random random = {30};
    struct error error;
    int rounds = check_is_quick() ? 12 : 120;
    for (int round = 0; round < rounds; round++) {
        struct naive naive = {.count = 1 + random_below(&random, MOST_MEMBERS)};
        struct cell_list cell_list;
        CHECK(cell_list_create(&cell_list, MOST_CELLS, naive.count, &error) == STATUS_DONE);
        for (int use = 0; use < 3; use++) { /* a grid is used again, with another shape */
            for (size_t member = 0; member < naive.count; member++)
                naive.cells[member] = NOWHERE;
            cell_list_reset(&cell_list,
                            &shapes[random_below(&random, sizeof shapes / sizeof shapes[0])]);
            check_members(&cell_list, &naive);
            for (int check = 0; check < 4; check++) {
                shuffle(&cell_list, &naive, &random, (int)random_below(&random, 1000));
                check_members(&cell_list, &naive);
            }
        }
        cell_list_free(&cell_list);
    }
}

/* All in one cell and out again, in another order: the longest chain there can be, many times. */
static void test_one_cell_holds_all(void)
{
    static const struct cell_list_shape shape = {0, 0, 1, 1, 3, 3};
    struct random random = {31};
    struct error error;
    for (uint32_t count = 1; count <= 50; count++) {
        struct naive naive = {.count = count};
        struct cell_list cell_list;
        CHECK(cell_list_create(&cell_list, 25, count, &error) == STATUS_DONE);
        cell_list_reset(&cell_list, &shape);
        uint32_t centre = cell_list_at(&cell_list, 1, 1);
        for (int time = 0; time < 5; time++) {
            for (uint32_t member = 0; member < count; member++) {
                cell_list_add(&cell_list, centre, member);
                naive.cells[member] = centre;
            }
            check_members(&cell_list, &naive);
            for (uint32_t left = count; left > 0; left--) {
                uint32_t member = (uint32_t)random_below(&random, count);
                while (naive.cells[member] == NOWHERE)
                    member = (member + 1) % count;
                cell_list_remove(&cell_list, centre, member);
                naive.cells[member] = NOWHERE;
                check_members(&cell_list, &naive);
            }
        }
        CHECK(cell_list.overflow_used == 0);
        cell_list_free(&cell_list);
    }
}

/* Nine full cells fill the list that is meant for nine cells, and not more. */
static void test_nine_cells_fit_into_a_list(void)
{
    static const struct cell_list_shape shape = {0, 0, 1, 1, 3, 3};
    const uint32_t untouched = 12345;
    struct error error;
    struct cell_list cell_list;
    CHECK(cell_list_create(&cell_list, 25, 27, &error) == STATUS_DONE);
    cell_list_reset(&cell_list, &shape);
    for (uint32_t member = 0; member < 27; member++)
        cell_list_add(&cell_list, cell_list_at(&cell_list, member % 3, member / 9), member);
    uint32_t list[CELL_LIST_NEIGHBOURS + 1];
    list[CELL_LIST_NEIGHBOURS] = untouched;
    size_t count = 0;
    for (uint32_t cell = 0; cell < 9; cell++)
        CHECK(!cell_list_overflows(cell_list_gather(
            &cell_list.cells[cell_list_at(&cell_list, cell % 3, cell / 3)], list, &count)));
    CHECK(count == 27 && list[CELL_LIST_NEIGHBOURS] == untouched);
    uint64_t members = 0;
    for (size_t k = 0; k < count; k++)
        members |= UINT64_C(1) << list[k];
    CHECK(members == (UINT64_C(1) << 27) - 1);
    cell_list_free(&cell_list);
}

/* Gathered without one member, whichever it is, a cell has all others; with a chain, all. */
static void test_others_are_gathered(void)
{
    static const struct cell_list_shape shape = {0, 0, 1, 1, 2, 2};
    struct error error;
    struct cell_list cell_list;
    CHECK(cell_list_create(&cell_list, 16, 10, &error) == STATUS_DONE);
    for (uint32_t members = 1; members <= 5; members++) {
        for (uint32_t left_out = 0; left_out < members; left_out++) {
            cell_list_reset(&cell_list, &shape);
            const struct cell *cell = &cell_list.cells[cell_list_at(&cell_list, 1, 1)];
            for (uint32_t member = 0; member < members; member++)
                cell_list_add(&cell_list, cell_list_at(&cell_list, 1, 1), member);
            uint32_t list[CELL_LIST_NEIGHBOURS];
            size_t count = 0;
            uint32_t state = cell_list_gather_others(cell, left_out, list, &count);
            CHECK(cell_list_overflows(state) == (members > CELL_LIST_MEMBERS));
            CHECK(count ==
                  (members > CELL_LIST_MEMBERS ? members - CELL_LIST_MEMBERS : members - 1));
            uint32_t sum = 0;
            for (size_t k = 0; k < count && members <= CELL_LIST_MEMBERS; k++) {
                CHECK(list[k] != left_out);
                sum += list[k];
            }
            CHECK(members > CELL_LIST_MEMBERS || sum == members * (members - 1) / 2 - left_out);
        }
    }
    cell_list_free(&cell_list);
}

/* Whether the cell of a point contains it, the outer ones reaching to infinity. */
static int contains(const struct cell_list *cell_list, double x, double y)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    uint32_t cell = cell_list_locate(cell_list, x, y);
    uint32_t column = cell_list_column(cell_list, cell);
    uint32_t row = cell_list_row(cell_list, cell);
    double slack = 1e-14 * (fabs(x) + fabs(y) + shape->width + shape->height);
    double left = shape->left + column * shape->width - slack;
    double bottom = shape->bottom + row * shape->height - slack;
    return column < shape->columns && row < shape->rows &&
           cell == cell_list_at(cell_list, column, row) && (column == 0 || x >= left) &&
           (column == shape->columns - 1 || x <= left + shape->width + 2 * slack) &&
           (row == 0 || y >= bottom) &&
           (row == shape->rows - 1 || y <= bottom + shape->height + 2 * slack);
}

static void test_points_are_located(void)
{
    struct random random = {32};
    struct error error;
    struct cell_list cell_list;
    CHECK(cell_list_create(&cell_list, MOST_CELLS, 1, &error) == STATUS_DONE);
    for (int round = 0; round < 300; round++) {
        double unit = pow(10, 60 * random_uniform(&random) - 30);
        struct cell_list_shape shape = {
            unit * (random_uniform(&random) - 0.5),  unit * random_uniform(&random),
            unit * (0.01 + random_uniform(&random)), unit * (0.01 + random_uniform(&random)),
            1 + (uint32_t)random_below(&random, 20), 1 + (uint32_t)random_below(&random, 20)};
        cell_list_reset(&cell_list, &shape);
        for (int point = 0; point < 100; point++)
            CHECK(contains(&cell_list, unit * (60 * random_uniform(&random) - 20),
                           unit * (60 * random_uniform(&random) - 20)));
        for (int border = 0; border < 40; border++)
            CHECK(contains(&cell_list, shape.left + border * shape.width,
                           shape.bottom + border * shape.height));
    }
    cell_list_free(&cell_list);
}

static void test_points_outside_belong_to_the_nearest_cell(void)
{
    static const struct cell_list_shape shape = {-4, 2, 1, 2, 8, 3};
    struct error error;
    struct cell_list cell_list;
    CHECK(cell_list_create(&cell_list, 50, 1, &error) == STATUS_DONE);
    cell_list_reset(&cell_list, &shape);
    CHECK(cell_list_locate(&cell_list, -4, 2) == cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, -1e300, -1e300) == cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, 1e300, 1e300) == cell_list_at(&cell_list, 7, 2));
    CHECK(cell_list_locate(&cell_list, (double)INFINITY, -(double)INFINITY) ==
          cell_list_at(&cell_list, 7, 0));
    CHECK(cell_list_locate(&cell_list, -3, 4) ==
          cell_list_at(&cell_list, 1, 1)); /* a border belongs to the next */
    CHECK(cell_list_locate(&cell_list, nextafter(-3, -9), nextafter(4, 0)) ==
          cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, 4, 8) ==
          cell_list_at(&cell_list, 7, 2)); /* except the last one */
    CHECK(cell_list_locate(&cell_list, 5e9, 5) == cell_list_at(&cell_list, 7, 1));
    cell_list_free(&cell_list);
}

/* The list names each member once; and members of a tile of 8 x 8 cells follow each other. */
static void test_the_list_names_each_member_once(void)
{
    struct random random = {33};
    struct error error;
    uint32_t list[MOST_MEMBERS];
    for (int round = 0; round < 60; round++) {
        const struct cell_list_shape shape = {0,
                                              0,
                                              1,
                                              1,
                                              1 + (uint32_t)random_below(&random, 22),
                                              1 + (uint32_t)random_below(&random, 22)};
        struct naive naive = {.count = 1 + random_below(&random, MOST_MEMBERS)};
        struct cell_list cell_list;
        CHECK(cell_list_create(&cell_list, MOST_CELLS, naive.count, &error) == STATUS_DONE);
        cell_list_reset(&cell_list, &shape);
        for (uint32_t member = 0; member < naive.count; member++) {
            naive.cells[member] = any_cell(&cell_list, &random);
            cell_list_add(&cell_list, naive.cells[member], member);
        }
        shuffle(&cell_list, &naive, &random, 300);
        for (uint32_t member = 0; member < naive.count; member++)
            if (naive.cells[member] == NOWHERE)
                cell_list_add(&cell_list, naive.cells[member] = any_cell(&cell_list, &random),
                              member);
        cell_list_list(&cell_list, list);
        int seen[MOST_MEMBERS] = {0};
        uint32_t last_tile = 0;
        for (size_t k = 0; k < naive.count; k++) {
            if (!CHECK(list[k] < naive.count && !seen[list[k]]))
                break;
            seen[list[k]] = 1;
            uint32_t cell = naive.cells[list[k]];
            uint32_t tile =
                cell_list_row(&cell_list, cell) / 8 * 100 + cell_list_column(&cell_list, cell) / 8;
            CHECK(tile >= last_tile);
            last_tile = tile;
        }
        cell_list_free(&cell_list);
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
