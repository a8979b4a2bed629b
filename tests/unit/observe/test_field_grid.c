/* Tests of adding paths to cells: by hand, and at random against cutting a path at all borders. */
#include "observe/fields.h"

#include "check.h"

/* The path of a particle that ends at (x, y). */
struct path {
    double x, y, u, v, duration, mass;
    int is_first;
    size_t species;
};

static void add_path(struct field_grid *grid, const struct path *path)
{
    const struct snapshot_particle body = {
        .x = path->x, .y = path->y, .u = path->u, .v = path->v, .mass = path->mass};
    field_grid_add(grid, &body, path->duration, path->is_first, path->species);
}

static struct field_grid make_grid(const struct boundary *boundary, size_t columns, size_t rows,
                                   size_t species)
{
    struct field_grid grid;
    CHECK(field_grid_create(&grid, boundary, columns, rows, species, &failure) == STATUS_DONE);
    return grid;
}

static double time_in(const struct field_grid *grid, size_t column, size_t row)
{
    return sum_value(&grid->cells[row * grid->columns + column].sums[FIELD_TIME]);
}

static uint64_t visits_of(const struct field_grid *grid, size_t column, size_t row)
{
    return grid->cells[row * grid->columns + column].visits;
}

/* From (1, 1) to (7, 4) in cells of 2 x 2: the borders are crossed after 1, 2, 3 and 5 of 6. */
TEST(a_path_by_hand)
{
    const struct boundary boundary = {.width = 8, .height = 6};
    OWNED(field_grid, grid) = make_grid(&boundary, 4, 3, 1);
    add_path(&grid, &(struct path){7, 4, 1, 0.5, 6, 3, 1, 0});
    CHECK(time_in(&grid, 0, 0) == 1 && time_in(&grid, 1, 0) == 1 && time_in(&grid, 1, 1) == 1);
    CHECK(time_in(&grid, 2, 1) == 2 && time_in(&grid, 3, 1) == 1 && time_in(&grid, 3, 2) == 0);
    CHECK(visits_of(&grid, 0, 0) == 1 && visits_of(&grid, 2, 1) == 1);
    CHECK(visits_of(&grid, 3, 2) == 0); /* it ends on the border */
    const struct field_cell *cell = &grid.cells[1 * 4 + 2];
    CHECK(sum_value(&cell->sums[FIELD_MASS]) == 6 && sum_value(&cell->sums[FIELD_MOMENTUM_X]) == 6);
    CHECK(sum_value(&cell->sums[FIELD_MOMENTUM_Y]) == 3 &&
          sum_value(&cell->sums[FIELD_ENERGY]) == 0.5 * 6 * 1.25);
    add_path(&grid, &(struct path){7.5, 4.25, 1, 0.5, 0.5, 3, 0, 0}); /* it goes on */
    CHECK(time_in(&grid, 3, 2) == 0.5 && visits_of(&grid, 3, 2) == 0);
}

TEST(borders_and_rest)
{
    const struct boundary boundary = {.width = 4, .height = 4};
    OWNED(field_grid, grid) = make_grid(&boundary, 4, 4, 1);
    add_path(&grid, &(struct path){2, 2, 0, 0, 5, 1, 1, 0}); /* at rest on a corner */
    CHECK(time_in(&grid, 2, 2) == 5 && visits_of(&grid, 2, 2) == 1);
    add_path(&grid, &(struct path){2, 0.5, 1, 0, 1, 1, 0, 0});  /* up to a border, */
    add_path(&grid, &(struct path){1, 0.5, -1, 0, 1, 1, 0, 0}); /* and back */
    CHECK(time_in(&grid, 1, 0) == 2 && visits_of(&grid, 1, 0) == 0);
    CHECK(visits_of(&grid, 2, 0) == 0 && visits_of(&grid, 0, 0) == 0);
    add_path(&grid, &(struct path){4.0000001, 4, 1, 1, 0.5, 1, 0, 0}); /* by rounding */
    CHECK(fabs(time_in(&grid, 3, 3) - 0.5) < 1e-12 && visits_of(&grid, 3, 3) == 0);
    add_path(&grid, &(struct path){1, 1, 1, 1, 0, 1, 1, 0});         /* no time */
    add_path(&grid, &(struct path){1, 1, 1e300, 1, 1e300, 1, 1, 0}); /* forged */
    CHECK(time_in(&grid, 0, 0) == 0);
    field_grid_enter(&grid, 0, 3, 1, -1);
    field_grid_enter(&grid, 4, 3, -1, 1);
    CHECK(visits_of(&grid, 0, 2) == 1 && visits_of(&grid, 3, 3) == 1);
}

TEST(a_path_through_seams)
{
    const struct boundary boundary = {.width = 3, .height = 2, .periodic = PERIODIC_X};
    OWNED(field_grid, grid) = make_grid(&boundary, 3, 2, 1);
    add_path(&grid, &(struct path){0.5, 1.5, -2, 0, 10, 1, 1, 0}); /* from 20.5 */
    CHECK(time_in(&grid, 0, 1) == 3.25 && visits_of(&grid, 0, 1) == 7);
    CHECK(time_in(&grid, 1, 1) == 3.5 && visits_of(&grid, 1, 1) == 7);
    CHECK(time_in(&grid, 2, 1) == 3.25 && visits_of(&grid, 2, 1) == 7);
    CHECK(time_in(&grid, 1, 0) == 0);
}

/* Virials count where they are, in a cell of the box if that is beyond a seam. */
TEST(virials)
{
    const struct boundary boundary = {.width = 4, .height = 4, .periodic = PERIODIC_X};
    OWNED(field_grid, grid) = make_grid(&boundary, 4, 4, 1);
    field_grid_push(&grid, 1.5, 2.5, 3);
    field_grid_push(&grid, 1.9, 2.1, 4);
    field_grid_push(&grid, -0.5, 0.5, 5);
    field_grid_push(&grid, 4.5, 4.0000001, 6);
    CHECK(sum_value(&grid.cells[2 * 4 + 1].sums[FIELD_VIRIAL]) == 7);
    CHECK(sum_value(&grid.cells[3].sums[FIELD_VIRIAL]) == 5);
    CHECK(sum_value(&grid.cells[3 * 4].sums[FIELD_VIRIAL]) == 6);
    CHECK(time_in(&grid, 1, 2) == 0 && visits_of(&grid, 1, 2) == 0);
    field_grid_clear(&grid);
    CHECK(sum_value(&grid.cells[2 * 4 + 1].sums[FIELD_VIRIAL]) == 0);
}

/* The cell in which a place is, on whichever side of the box. */
static size_t find_cell(double place, double length, size_t count, int is_periodic)
{
    if (is_periodic)
        place -= length * floor(place / length);
    return (size_t)fmin(fmax(floor(place / length * (double)count), 0), (double)(count - 1));
}

/* The same path, plainly: the times of all crossings of lines, sorted; the cell of each piece is
 * that of its middle. */
static void add_plainly(double *times, const struct field_grid *grid, const struct path *path)
{
    enum { MAX = 4000 };
    static double cuts[MAX];
    const struct boundary *box = grid->boundary;
    const double x = path->x - path->u * path->duration;
    const double y = path->y - path->v * path->duration;
    size_t count = 0;
    cuts[count++] = 0;
    cuts[count++] = path->duration;
    for (int k = -1000; k <= 1000; k++) {
        const double of_x = (k * box->width / (double)grid->columns - x) / path->u;
        const double of_y = (k * box->height / (double)grid->rows - y) / path->v;
        if (of_x > 0 && of_x < path->duration && count < MAX)
            cuts[count++] = of_x;
        if (of_y > 0 && of_y < path->duration && count < MAX)
            cuts[count++] = of_y;
    }
    qsort(cuts, count, sizeof *cuts, compare_doubles);
    for (size_t k = 0; k + 1 < count; k++) {
        const double middle = (cuts[k] + cuts[k + 1]) / 2;
        const size_t column = find_cell(x + path->u * middle, box->width, grid->columns,
                                        (box->periodic & PERIODIC_X) != 0);
        const size_t row = find_cell(y + path->v * middle, box->height, grid->rows,
                                     (box->periodic & PERIODIC_Y) != 0);
        times[row * grid->columns + column] += cuts[k + 1] - cuts[k];
    }
}

/* A random path; along an axis without a seam it stays in the box. */
static struct path random_path(struct random_generator *random, const struct boundary *box)
{
    struct path path = {.x = box->width * random_unit(random),
                        .y = box->height * random_unit(random),
                        .duration = pow(10, 3 * random_unit(random) - 2),
                        .mass = 1};
    const double begin[2] = {box->width * random_unit(random), box->height * random_unit(random)};
    path.u = (path.x - begin[0]) / path.duration;
    path.v = (path.y - begin[1]) / path.duration;
    if (box->periodic & PERIODIC_X)
        path.u *= 10 * random_unit(random);
    if (box->periodic & PERIODIC_Y)
        path.v *= 10 * random_unit(random);
    return path;
}

RANDOM_TEST(random_paths, 71)
{
    enum { PATHS = 200, MAX_CELLS = 900 };
    for (int round = 0; round < (check_is_quick() ? 4 : 20); round++) {
        const struct boundary boundary = {.width = 1 + random_unit(random),
                                          .height = 1 + 5 * random_unit(random),
                                          .periodic = (unsigned)random_below(random, 4)};
        OWNED(field_grid, grid) =
            make_grid(&boundary, 1 + random_below(random, 30), 1 + random_below(random, 30), 1);
        double times[MAX_CELLS] = {0}, all = 0;
        for (int k = 0; k < PATHS; k++) {
            const struct path path = random_path(random, &boundary);
            add_path(&grid, &path);
            add_plainly(times, &grid, &path);
            all += path.duration;
        }
        double wrong = 0, sum = 0;
        for (size_t k = 0; k < grid.columns * grid.rows; k++) {
            wrong = fmax(wrong, fabs(sum_value(&grid.cells[k].sums[FIELD_TIME]) - times[k]));
            sum += sum_value(&grid.cells[k].sums[FIELD_TIME]);
        }
        CHECK(wrong < 1e-11 * all);
        CHECK(fabs(sum - all) < 1e-13 * all);
    }
}
