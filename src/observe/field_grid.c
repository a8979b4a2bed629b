/*
 * A grid of cells and their sums; see field_grid.h.
 *
 * A path is followed from its end, which is known exactly, back to its beginning, and is cut where
 * it crosses a border of cells. How many borders it crosses along each axis follows from the cells
 * at both ends; so however the times of crossings are rounded, the pieces end where the path begins
 * and their times add up to that of the path. Most paths are shorter than a cell, and have one
 * piece.
 *
 * A path that only touches a border, where it begins or ends, does not visit the cell beyond. In a
 * stream all paths begin and end at seams, up to rounding; so both ends count as in the cell where
 * the path is a billionth of a cell farther inside.
 */
#include "field_grid.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>

/* Longer paths, in cells, are no paths of a run: in between it would have passed too many seams. */
static const double MOST_CELLS = 1e15;

static const double TOUCH = 1e-9; /* as near as that a border is touched; in cells */

enum status field_grid_create(struct field_grid *grid, const struct boundary *boundary,
                              size_t columns, size_t rows, size_t species, struct error *error)
{
    static const char what[] = "the cells of --fields-grid";
    const size_t count = columns * rows;
    *grid = (struct field_grid){.boundary = boundary,
                                .columns = columns,
                                .rows = rows,
                                .per_x = (double)columns / boundary->width,
                                .per_y = (double)rows / boundary->height,
                                .species = species};
    grid->cells = memory_allocate(count, sizeof *grid->cells, what, error);
    if (grid->cells && species > 1)
        grid->times = memory_allocate(count, species * sizeof *grid->times, what, error);
    if (!grid->cells || (species > 1 && !grid->times))
        return STATUS_NO_MEMORY;
    field_grid_clear(grid);
    return STATUS_DONE;
}

/* How many times of single species there are. */
static size_t count_times(const struct field_grid *grid)
{
    return grid->times ? grid->columns * grid->rows * grid->species : 0;
}

void field_grid_clear(struct field_grid *grid)
{
    for (size_t k = 0; k < grid->columns * grid->rows; k++)
        grid->cells[k] = (struct field_cell){0};
    for (size_t k = 0; k < count_times(grid); k++)
        grid->times[k] = (struct sum){0};
}

void field_grid_free(struct field_grid *grid)
{
    memory_free(grid->cells);
    memory_free(grid->times);
    *grid = (struct field_grid){0};
}

/* The way along one axis, back in time. Cells are counted on beyond the box where it has a seam. */
struct way {
    double place;  /* where it starts, in cells; */
    double speed;  /* cells per time, of the way back */
    int64_t cell;  /* in which it is now */
    int64_t left;  /* how many borders are still to be crossed */
    double border; /* when it crosses the next one: time since it started; INFINITY: never */
};

static int64_t find_cell(double place)
{
    const int64_t whole = (int64_t)place;
    return whole - (place < (double)whole); /* as floor, which is slower */
}

/* What leads from an end of a path to the inside of it, along an axis; in cells. */
static double find_nudge(double speed)
{
    return speed < 0 ? -TOUCH : TOUCH;
}

/* The cell, where the axis has no seam: rounding can take a centre out of the box. */
static int64_t clamp_cell(int64_t cell, size_t count)
{
    return cell < 0 ? 0 : cell >= (int64_t)count ? (int64_t)count - 1 : cell;
}

static void find_border(struct way *way)
{
    const int64_t border = way->cell + (way->speed > 0);
    way->border = way->left > 0 ? ((double)border - way->place) / way->speed : (double)INFINITY;
}

static inline struct way start(double place, double speed, double duration, size_t count,
                               int is_periodic)
{
    const double nudge = find_nudge(speed);
    struct way way = {.place = place, .speed = speed, .cell = find_cell(place + nudge)};
    int64_t last = find_cell(place + speed * duration - nudge);
    if (!is_periodic) {
        way.cell = clamp_cell(way.cell, count);
        last = clamp_cell(last, count);
    }
    way.left = speed < 0 ? way.cell - last : last - way.cell;
    if (way.left < 0) /* it is shorter than a nudge, or at rest */
        way.left = 0;
    find_border(&way);
    return way;
}

static void cross(struct way *way)
{
    way->cell += way->speed > 0 ? 1 : -1;
    way->left--;
    find_border(way);
}

/* The cell of the box that a cell is an image of. */
static size_t wrap_cell(int64_t cell, size_t count)
{
    if (cell >= 0 && cell < (int64_t)count)
        return (size_t)cell;
    const int64_t rest = cell % (int64_t)count;
    return (size_t)(rest < 0 ? rest + (int64_t)count : rest);
}

static struct field_cell *find_wrapped(struct field_grid *grid, int64_t column, int64_t row)
{
    return &grid->cells[wrap_cell(row, grid->rows) * grid->columns +
                        wrap_cell(column, grid->columns)];
}

static inline void add_term(struct field_cell *cell, int number, double term)
{
    struct sum sum = {cell->rounded[number], cell->rest[number]};
    sum_add(&sum, term);
    cell->rounded[number] = sum.rounded;
    cell->rest[number] = sum.rest;
}

static void add_piece(struct field_grid *grid, struct field_cell *cell,
                      const struct field_path *path, double time, int is_visit)
{
    const double mass = path->mass * time;
    const double terms[FIELD_PATH_SUMS] = {
        [FIELD_TIME] = time,
        [FIELD_MASS] = mass,
        [FIELD_MOMENTUM_X] = mass * path->u,
        [FIELD_MOMENTUM_Y] = mass * path->v,
        [FIELD_ENERGY] = 0.5 * mass * (path->u * path->u + path->v * path->v),
    };
    for (int k = 0; k < FIELD_PATH_SUMS; k++)
        add_term(cell, k, terms[k]);
    cell->visits += (uint64_t)is_visit;
    cell->pieces++;
    if (grid->times)
        sum_add(&grid->times[(size_t)(cell - grid->cells) * grid->species + path->species], time);
}

void field_grid_add(struct field_grid *grid, const struct field_path *path)
{
    const double duration = path->duration;
    const double u = -path->u * grid->per_x;
    const double v = -path->v * grid->per_y;
    const unsigned periodic = grid->boundary->periodic;
    if (!(duration > 0) || !(fmax(fabs(u), fabs(v)) * duration < MOST_CELLS))
        return;
    struct way x =
        start(path->x * grid->per_x, u, duration, grid->columns, (periodic & PERIODIC_X) != 0);
    struct way y =
        start(path->y * grid->per_y, v, duration, grid->rows, (periodic & PERIODIC_Y) != 0);
    double gone = 0;
    while (x.left + y.left > 0) {
        struct way *next = x.border <= y.border ? &x : &y;
        const double time = fmin(fmax(next->border, gone), duration);
        add_piece(grid, find_wrapped(grid, x.cell, y.cell), path, time - gone, 1);
        gone = time;
        cross(next);
    }
    add_piece(grid, find_wrapped(grid, x.cell, y.cell), path, duration - gone, path->is_first);
}

/* The place in the box, or out of it by rounding. */
static struct field_cell *find_at(struct field_grid *grid, double column, double row)
{
    return find_wrapped(grid, clamp_cell(find_cell(column), grid->columns),
                        clamp_cell(find_cell(row), grid->rows));
}

void field_grid_count(struct field_grid *grid, double x, double y)
{
    struct field_cell *cell = find_at(grid, x * grid->per_x, y * grid->per_y);
    cell->rounded[FIELD_TIME]++; /* whole numbers are exact */
    cell->visits++;
}

void field_grid_push(struct field_grid *grid, double x, double y, double virial)
{
    const unsigned periodic = grid->boundary->periodic;
    int64_t column = find_cell(x * grid->per_x);
    int64_t row = find_cell(y * grid->per_y);
    if (!(periodic & PERIODIC_X))
        column = clamp_cell(column, grid->columns);
    if (!(periodic & PERIODIC_Y))
        row = clamp_cell(row, grid->rows);
    add_term(find_wrapped(grid, column, row), FIELD_VIRIAL, virial);
}

void field_grid_enter(struct field_grid *grid, double x, double y, double u, double v)
{
    find_at(grid, x * grid->per_x + find_nudge(u), y * grid->per_y + find_nudge(v))->visits++;
}

void field_grid_save(const struct field_grid *grid, struct record_writer *writer)
{
    for (size_t k = 0; k < grid->columns * grid->rows; k++) {
        const struct field_cell *cell = &grid->cells[k];
        record_put_whole(writer, cell->visits);
        record_put_whole(writer, cell->pieces);
        for (int sum = 0; sum < FIELD_SUMS; sum++) {
            record_put_number(writer, cell->rounded[sum]);
            record_put_number(writer, cell->rest[sum]);
        }
        record_end_line(writer);
    }
    for (size_t k = 0; k < count_times(grid); k++) {
        record_put_number(writer, grid->times[k].rounded);
        record_put_number(writer, grid->times[k].rest);
        record_end_line(writer);
    }
}

void field_grid_load(struct field_grid *grid, struct record_reader *reader)
{
    for (size_t k = 0; k < grid->columns * grid->rows && !reader->status; k++) {
        struct field_cell *cell = &grid->cells[k];
        cell->visits = record_take_whole(reader, UINT64_MAX);
        cell->pieces = record_take_whole(reader, UINT64_MAX);
        for (int sum = 0; sum < FIELD_SUMS; sum++) {
            cell->rounded[sum] = record_take_number(reader, -DBL_MAX, DBL_MAX);
            cell->rest[sum] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        }
        record_expect_line_end(reader);
    }
    for (size_t k = 0; k < count_times(grid) && !reader->status; k++) {
        grid->times[k].rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
        grid->times[k].rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
        record_expect_line_end(reader);
    }
}
