/*
 * Averages fields over time, and writes them; see fields.h.
 *
 * A particle moves straight on from when it got its velocity, by a collision or from a stream,
 * until it gets another one. Such a path is added to the cells that it passes when it ends, or when
 * the run ends; of a path that began before the averages do, only the part after that counts. When
 * an interval of a series ends, so do all paths, and new sums begin.
 *
 * The virial of a collision counts in the cell where the two disks touch. There the momentum passes
 * from one to the other: that is the middle of the line of centres, over which it is spread in the
 * local pressure of J. Irving and J. Kirkwood, The statistical mechanical theory of transport
 * processes IV, J. Chem. Phys. 18, 1950. (Half of it at either centre would be further off.) So the
 * sum of pressure times area over all cells is the pressure of figures.c times the area.
 *
 * A path is followed from its end, which is known exactly, back to its beginning, and is cut where
 * it crosses a border of cells. How many borders it crosses follows from the cells at both ends; so
 * however times are rounded, the pieces end where the path begins and their times add up.
 *
 * A path that only touches a border, where it begins or ends, does not visit the cell beyond. In a
 * stream all paths begin and end at seams, up to rounding; so both ends count as in the cell where
 * the path is a billionth of a cell farther inside.
 *
 * In a time-stepped run there are no such paths. A particle is counted at the ends of steps, and of
 * each interval at both ends, for half of the time to the samples before and after: the trapezoidal
 * rule. A node of a flow is as the particles in its part of a cell.
 */
#include "observe/fields.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "blocks.h"
#include "figures.h"
#include "io/number.h"
#include "io/record.h"
#include "io/text.h"
#include "model/polygons.h"
#include "observe/writers.h"
#include "run/dynamics.h"
#include "tally.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* In cells: longer paths would cross too many seams; a border as near as this is touched. */
static const double MAX_CELLS = 1e15;
static const double MAX_PIECES = 1e6; /* of a parabola */
static const double TOUCH = 1e-9;

enum {
    CELLS_NOW = 96, /* of the density at one moment, along the longer side of the box */
    MIN_PIECES = 10 /* with fewer velocities a temperature is too small by a tenth or more */
};

/*
 * The free fraction of each cell.
 *
 * By Green's theorem an area is the integral of dy over the area's border. In a row of cells, each
 * piece of a side changes what is free to the right of it: by its height in all cells farther to
 * the right, and in its own cell by its height times the part of the cell to its right. So a side
 * is added as the difference from a cell to the next, and a sum along each row gives the area (R.
 * Levien, Inside the fastest font renderer in the world, 2016). Lengths are in cells.
 */

/* Fractions that are nearer to 0 or 1 differ from it by rounding only. */
static const double MIN_PART = 1e-10;

struct field_raster {
    size_t columns, rows;
    double *steps; /* free fraction of a cell less the fraction before it; `columns` + 1 a row */
};

/* Adds a piece in one cell, its middle at `x`; its height is below 0 if the left of it is free. */
static void add_in_cell(double *steps, size_t column, double x, double height)
{
    const double part = x - (double)column; /* of the cell, to the left of it */
    steps[column] += height * (1 - part);
    steps[column + 1] += height * part;
}

static void add_in_row(const struct field_raster *raster, size_t row, double low, double high,
                       double height)
{
    double *steps = &raster->steps[row * (raster->columns + 1)];
    const double end = (double)raster->columns;
    if (high <= low) { /* it is parallel to y */
        if (low < end)
            add_in_cell(steps, (size_t)fmax(low, 0), fmax(low, 0), height);
        return;
    }
    const double slope = height / (high - low);
    if (low < 0)
        steps[0] += slope * (fmin(high, 0) - low);
    for (double x = fmax(low, 0); x < fmin(high, end);) {
        const double next = fmin(fmin(high, end), floor(x) + 1);
        add_in_cell(steps, (size_t)x, x + (next - x) / 2, slope * (next - x));
        x = next;
    }
}

/* Adds a line with the free area to the left, or to the right if `sign` is -1. */
static void add_line(const struct field_raster *raster, const double from[2], const double to[2],
                     int sign)
{
    const double low = fmax(fmin(from[1], to[1]), 0);
    const double high = fmin(fmax(from[1], to[1]), (double)raster->rows);
    const double direction = to[1] > from[1] ? -sign : sign;
    for (double y = low; y < high;) {
        const double next = fmin(high, floor(y) + 1);
        const double height = to[1] - from[1];
        const double x = from[0] + (y - from[1]) / height * (to[0] - from[0]);
        const double next_x = from[0] + (next - from[1]) / height * (to[0] - from[0]);
        add_in_row(raster, (size_t)y, fmin(x, next_x), fmax(x, next_x), direction * (next - y));
        y = next;
    }
}

static void add_side(const struct field_raster *raster, const struct boundary *boundary,
                     size_t number)
{
    const struct polygons *polygons = boundary->polygons;
    const struct polygon_side *side = &polygons->sides[number];
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct polygon_side *next = polygons_next_side(polygons, side);
    const int columns = !polygon->is_domain && boundary->periodic & PERIODIC_X;
    const int rows = !polygon->is_domain && boundary->periodic & PERIODIC_Y;
    const double per_x = (double)raster->columns / boundary->width;
    const double per_y = (double)raster->rows / boundary->height;
    if (polygon->is_hidden || side->is_thin)
        return;
    for (int column = -columns; column <= columns; column++) {
        for (int row = -rows; row <= rows; row++) {
            const double x = column * boundary->width, y = row * boundary->height;
            const double from[2] = {(side->corner_x + x) * per_x, (side->corner_y + y) * per_y};
            const double to[2] = {(next->corner_x + x) * per_x, (next->corner_y + y) * per_y};
            add_line(raster, from, to, side->facing);
        }
    }
}

/* Sums up each row from the fraction `base` before its first cell; removes the gaps between rows.
 */
static void complete(const struct field_raster *raster, double base)
{
    for (size_t row = 0; row < raster->rows; row++) {
        const double *steps = &raster->steps[row * (raster->columns + 1)];
        double part = base;
        for (size_t column = 0; column < raster->columns; column++) {
            part += steps[column];
            const double shown = part < MIN_PART ? 0 : part;
            raster->steps[row * raster->columns + column] = shown > 1 - MIN_PART ? 1 : shown;
        }
    }
}

enum status free_area_create(const struct boundary *boundary, size_t columns, size_t rows,
                             double **parts, struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    struct field_raster raster = {.columns = columns, .rows = rows};
    *parts = NULL;
    if (!polygons)
        return STATUS_DONE;
    raster.steps = memory_allocate_zeros((columns + 1) * rows, sizeof *raster.steps,
                                         "the area of the cells of --fields-grid", error);
    if (!raster.steps)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < polygons->side_count; k++)
        add_side(&raster, boundary, k);
    complete(&raster, !polygons_have_domain(polygons));
    *parts = raster.steps;
    return STATUS_DONE;
}

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
    grid->cells = memory_allocate_zeros(count, sizeof *grid->cells, what, error);
    if (grid->cells && species > 1)
        grid->times = memory_allocate_zeros(count, species * sizeof *grid->times, what, error);
    if (!grid->cells || (species > 1 && !grid->times))
        return STATUS_NO_MEMORY;
    return free_area_create(boundary, columns, rows, &grid->free, error);
}

static size_t count_times(const struct field_grid *grid)
{
    return grid->times ? grid->columns * grid->rows * grid->species : 0;
}

void field_grid_clear(struct field_grid *grid)
{
    memset(grid->cells, 0, grid->columns * grid->rows * sizeof *grid->cells);
    if (grid->times)
        memset(grid->times, 0, count_times(grid) * sizeof *grid->times);
}

void field_grid_free(struct field_grid *grid)
{
    memory_free(grid->cells);
    memory_free(grid->times);
    memory_free(grid->free);
    memory_free(grid->node_counts);
    *grid = (struct field_grid){0};
}

/* The path along one axis, back in time. Beyond a seam the numbers of cells continue. */
struct field_path {
    double position; /* where it starts, in cells; */
    double speed;    /* cells per time, backwards */
    int64_t cell;    /* in which it is now */
    int64_t left;    /* borders of cells still to be crossed */
    double border;   /* when it crosses the next one: time since it started; INFINITY: never */
};

/* The cell of a position. Without a seam it is one of the box, which rounding can take it out of.
 */
static inline int64_t field_grid_find_cell(double position, size_t count, int is_periodic)
{
    const int64_t whole = (int64_t)position;
    const int64_t cell = whole - (position < (double)whole); /* as floor, which is slower */
    if (is_periodic || (cell >= 0 && cell < (int64_t)count))
        return cell;
    return cell < 0 ? 0 : (int64_t)count - 1;
}

/* A step from an end of a path to the inside of it, along an axis; in cells. */
static double find_nudge(double speed)
{
    return speed < 0 ? -TOUCH : TOUCH;
}

static void find_border(struct field_path *path)
{
    const int64_t border = path->cell + (path->speed > 0);
    path->border =
        path->left > 0 ? ((double)border - path->position) / path->speed : (double)INFINITY;
}

static inline struct field_path field_grid_start(double position, double speed, double duration,
                                                 size_t count, int is_periodic)
{
    const double nudge = find_nudge(speed);
    struct field_path path = {position, speed,
                              field_grid_find_cell(position + nudge, count, is_periodic), 0, 0};
    const int64_t last =
        field_grid_find_cell(position + speed * duration - nudge, count, is_periodic);
    path.left = speed < 0 ? path.cell - last : last - path.cell;
    if (path.left < 0) /* it is shorter than a nudge, or at rest */
        path.left = 0;
    find_border(&path);
    return path;
}

static size_t wrap_cell(int64_t cell, size_t count)
{
    const int64_t end = (int64_t)count;
    return (size_t)(cell >= 0 && cell < end ? cell : (cell % end + end) % end);
}

static struct field_cell *field_grid_find_wrapped(struct field_grid *grid, int64_t column,
                                                  int64_t row)
{
    return &grid->cells[wrap_cell(row, grid->rows) * grid->columns +
                        wrap_cell(column, grid->columns)];
}

static void add_piece(struct field_grid *grid, struct field_cell *cell,
                      const struct snapshot_particle *body, double time, size_t species)
{
    const double mass = body->mass * time;
    const double terms[FIELD_PATH_SUMS] = {
        [FIELD_TIME] = time,
        [FIELD_MASS] = mass,
        [FIELD_MOMENTUM_X] = mass * body->u,
        [FIELD_MOMENTUM_Y] = mass * body->v,
        [FIELD_ENERGY] = 0.5 * mass * (body->u * body->u + body->v * body->v),
    };
    double *block = grid->block ? grid->block + (cell - grid->cells) * FIELD_PATH_SUMS : NULL;
    for (int k = 0; k < FIELD_PATH_SUMS; k++)
        sum_add(&cell->sums[k], terms[k]);
    for (int k = 0; block && k < FIELD_PATH_SUMS; k++)
        block[k] += terms[k];
    cell->pieces++;
    if (grid->times)
        sum_add(&grid->times[(size_t)(cell - grid->cells) * grid->species + species], time);
}

/* As fmin(fmax(time, least), most), but without calls, around which registers are saved. */
static double clamp_time(double time, double least, double most)
{
    const double later = time > least ? time : least;
    return later < most ? later : most;
}

void field_grid_add(struct field_grid *grid, const struct snapshot_particle *body, double duration,
                    int is_first, size_t species)
{
    const double u = -body->u * grid->per_x, v = -body->v * grid->per_y;
    const unsigned periodic = grid->boundary->periodic;
    if (!(duration > 0) || !(fabs(u) * duration < MAX_CELLS && fabs(v) * duration < MAX_CELLS))
        return;
    struct field_path x = field_grid_start(body->x * grid->per_x, u, duration, grid->columns,
                                           (periodic & PERIODIC_X) != 0);
    struct field_path y = field_grid_start(body->y * grid->per_y, v, duration, grid->rows,
                                           (periodic & PERIODIC_Y) != 0);
    struct field_cell *cell = field_grid_find_wrapped(grid, x.cell, y.cell);
    double gone = 0;
    while (x.left + y.left > 0) {
        struct field_path *next = x.border <= y.border ? &x : &y;
        const double time = clamp_time(next->border, gone, duration);
        add_piece(grid, cell, body, time - gone, species);
        cell->visits++;
        gone = time;
        next->cell += next->speed > 0 ? 1 : -1;
        next->left--;
        find_border(next);
        cell = field_grid_find_wrapped(grid, x.cell, y.cell);
    }
    add_piece(grid, cell, body, duration - gone, species);
    cell->visits += is_first != 0;
}

/* The cell of a position in the box, or out of it by rounding or across these seams. */
static struct field_cell *find_at(struct field_grid *grid, double column, double row,
                                  unsigned seams)
{
    return field_grid_find_wrapped(
        grid, field_grid_find_cell(column, grid->columns, (seams & PERIODIC_X) != 0),
        field_grid_find_cell(row, grid->rows, (seams & PERIODIC_Y) != 0));
}

void field_grid_push(struct field_grid *grid, double x, double y, double virial)
{
    struct field_cell *cell =
        find_at(grid, x * grid->per_x, y * grid->per_y, grid->boundary->periodic);
    sum_add(&cell->sums[FIELD_VIRIAL], virial);
}

void field_grid_enter(struct field_grid *grid, double x, double y, double u, double v)
{
    find_at(grid, x * grid->per_x + find_nudge(u), y * grid->per_y + find_nudge(v), 0)->visits++;
}

static size_t find_node_cell(const struct field_grid *grid, const struct dynamics_gas *gas,
                             size_t column, size_t row)
{
    return (2 * row + 1) * grid->rows / (2 * gas->rows) * grid->columns +
           (2 * column + 1) * grid->columns / (2 * gas->columns);
}

/* Adds all nodes of a flow, for a time: to the kinetic term of the pressure the other one is added
 * as the virial of collisions. A cell with several nodes is theirs in equal parts. */
static void field_grid_add_flow(struct field_grid *grid, const struct dynamics *dynamics,
                                double duration)
{
    const struct dynamics_gas *gas = &dynamics->gas;
    for (size_t k = 0; k < gas->rows * gas->columns; k++) {
        const size_t column = k % gas->columns, row = k / gas->columns;
        const struct dynamics_node node = dynamics->operations->flow.node(dynamics, column, row);
        const size_t index = find_node_cell(grid, gas, column, row);
        const double time = node.density * duration / grid->node_counts[index] *
                            (grid->free ? grid->free[index] : 1) / (grid->per_x * grid->per_y);
        const double pressure = gas->pressure + gas->stiffness * (node.density - gas->density);
        const double excess = pressure / node.density - gas->temperature; /* of a particle */
        const struct snapshot_particle body = {.u = node.u, .v = node.v, .mass = gas->mass};
        if (!(time > 0))
            continue;
        add_piece(grid, &grid->cells[index], &body, time, 0);
        sum_add(&grid->cells[index].sums[FIELD_ENERGY], gas->temperature * time);
        sum_add(&grid->cells[index].sums[FIELD_VIRIAL], 2 * excess * time);
        if (grid->block)
            grid->block[index * FIELD_PATH_SUMS + FIELD_ENERGY] += gas->temperature * time;
        grid->cells[index].visits++;
    }
}

static enum status count_nodes(struct field_grid *grid, const struct dynamics *dynamics,
                               struct error *error)
{
    const struct dynamics_gas *gas = &dynamics->gas;
    if (grid->columns > gas->columns || grid->rows > gas->rows)
        return error_set(error, STATUS_USAGE,
                         "--fields-grid=%zux%zu is finer than the lattice: up to %zux%zu is "
                         "possible",
                         grid->columns, grid->rows, gas->columns, gas->rows);
    grid->node_counts = memory_allocate_zeros(grid->columns * grid->rows, sizeof *grid->node_counts,
                                              "the nodes", error);
    if (!grid->node_counts)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < gas->rows * gas->columns; k++)
        grid->node_counts[find_node_cell(grid, gas, k % gas->columns, k / gas->columns)] +=
            dynamics->operations->flow.node(dynamics, k % gas->columns, k / gas->columns).density >
            0;
    return STATUS_DONE;
}

static void field_grid_record(struct field_grid *grid, struct record *record)
{
    for (size_t k = 0; k < grid->columns * grid->rows && !record->status; k++) {
        struct field_cell *cell = &grid->cells[k];
        record_whole(record, &cell->visits, UINT64_MAX);
        record_whole(record, &cell->pieces, UINT64_MAX);
        for (int sum = 0; sum < FIELD_SUMS; sum++)
            record_sum(record, &cell->sums[sum]);
        record_end_line(record);
    }
    for (size_t k = 0; k < count_times(grid) && !record->status; k++) {
        record_sum(record, &grid->times[k]);
        record_end_line(record);
    }
}

struct fields {
    struct observer observer; /* the first member: see observer.h */
    struct fields_settings settings;
    struct field_grid grid;
    struct block_sums blocks; /* of a profile, for its errors: FIELD_PATH_SUMS of all cells */
    struct classes species;
    double since;                           /* the sums are of the time from here on */
    const struct dynamics_column *pressure; /* of particles; NULL: it is not known */
    double sampled;                         /* in a time-stepped run: up to when samples count */
    struct frames frames;                   /* of a series: when its intervals end, */
    uint64_t next_frame;                    /* and at which the one that has begun does */
    int has_unlisted;                       /* some of its files are not yet in the list */
};

static void choose_block(struct fields *fields, double time)
{
    const double since = fields->since;
    if (fields->blocks.sums)
        fields->grid.block = block_sums_table(
            &fields->blocks, block_sums_find(since, fields->observer.run->to, fmax(time, since)));
}

/* Adds the part that counts of the path of a particle that ends at a time, where the body is. */
static void end_path(struct fields *fields, const struct snapshot_particle *body, size_t number,
                     double time)
{
    const int is_first = body->since <= fields->since;
    const double duration = time - (is_first ? fields->since : body->since);
    const struct acceleration *gravity = &fields->grid.boundary->gravity;
    struct snapshot_particle piece = *body;
    double pieces = 1;
    choose_block(fields, time);
    if (gravity->acts && duration > 0) /* pieces of a parabola that bend by a cell / 256 at most */
        pieces = ceil(fmin(1 + duration * sqrt(32 * fmax(fabs(gravity->x) * fields->grid.per_x,
                                                         fabs(gravity->y) * fields->grid.per_y)),
                           MAX_PIECES));
    const double part = duration / pieces;
    for (double k = 0; k < pieces; k++) {
        piece.u -= 0.5 * gravity->x * part; /* the mean */
        piece.v -= 0.5 * gravity->y * part;
        field_grid_add(&fields->grid, &piece, part, is_first && k + 1 == pieces,
                       fields->species.list[number]);
        piece.x -= piece.u * part;
        piece.y -= piece.v * part;
        piece.u -= 0.5 * gravity->x * part;
        piece.v -= 0.5 * gravity->y * part;
    }
}

/* Ends the path on which a particle has come to a collision or a seam, at (x, y). */
static void end_arrival(struct fields *fields, const struct collision_particle *p, double x,
                        double y, double time)
{
    const struct snapshot_particle body = {
        .x = x, .y = y, .u = p->u_before, .v = p->v_before, .since = p->since, .mass = p->mass};
    end_path(fields, &body, (size_t)p->number, time);
}

/* When the interval of a series ends; INFINITY: with the run. */
static double fields_end(const struct fields *fields)
{
    const int has_frame =
        fields->frames.interval > 0 && frames_is_before_end(&fields->frames, fields->next_frame);
    return has_frame ? frames_time(&fields->frames, fields->next_frame) : (double)INFINITY;
}

static void fields_set_next_sample(struct fields *fields)
{
    const struct observers *all = fields->observer.all;
    double *next = &fields->observer.next_sample;
    *next = fields_end(fields);
    if (observers_traits(all)->has_collisions)
        return;
    const double rounding = 1e-6 * all->dynamics->sampling; /* of times of steps, or more */
    const double step = dynamics_next_sample(all->dynamics, fields->sampled - rounding);
    if (fields->sampled == fields->since && fields->since < fields->observer.run->to)
        *next = fields->since;
    if (step - rounding < *next && step + rounding < fields->observer.run->to)
        *next = step + rounding < *next ? step : fmax(step, *next);
}

/* Until when a sample counts that does not end an interval: half-way to the next one. */
static double sample_end(const struct fields *fields, double time)
{
    const double end = fmin(fields_end(fields), fields->observer.run->to);
    const double next = fmin(dynamics_next_sample(fields->observer.all->dynamics, time), end);
    return fmax(time + (next - time) / 2, nextafter(time, end));
}

/* Of a time-stepped run: adds all particles, for the time up to `until` that no sample has. */
static void add_particles(struct fields *fields, const struct snapshot *snapshot, double until)
{
    struct field_grid *grid = &fields->grid;
    const double duration = until - fields->sampled;
    const int is_flow = grid->node_counts != NULL;
    choose_block(fields, snapshot->time);
    if (is_flow && duration > 0)
        field_grid_add_flow(grid, fields->observer.all->dynamics, duration);
    for (size_t k = 0; k < snapshot->system->count && duration > 0 && !is_flow; k++) {
        struct snapshot_particle body = snapshot_body(snapshot, k);
        snapshot_position(snapshot, k, &body.x, &body.y);
        const double pressure =
            fields->pressure ? fields->pressure->value(fields->pressure->of, k) : 0;
        struct field_cell *cell = find_at(grid, body.x * grid->per_x, body.y * grid->per_y, 0);
        add_piece(grid, cell, &body, duration, fields->species.list[k]);
        sum_add(&cell->sums[FIELD_VIRIAL], body.mass * pressure * duration);
        cell->visits++;
    }
    fields->sampled = until;
}

static enum status fields_begin(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct run_settings *run = observer->run;
    const struct dynamics *dynamics = observers_dynamics(observer->all);
    observer->notify_from = run->from;
    fields->since = fields->sampled = run->from;
    fields->frames = (struct frames){fields->settings.has_series ? run->interval : 0, run->to};
    fields->next_frame = frames_after(&fields->frames, run->from);
    fields_set_next_sample(fields);
    if (classes_create(&fields->species, snapshot, error) ||
        field_grid_create(&fields->grid, &snapshot->system->boundary, fields->settings.columns,
                          fields->settings.rows, fields->species.count, error))
        return STATUS_NO_MEMORY;
    if (dynamics->operations->traits.has_flow) {
        enum status status = count_nodes(&fields->grid, dynamics, error);
        fields->species.count = 1;
        if (status)
            return status;
    }
    for (const struct dynamics_column *column = dynamics->columns; column->name; column++)
        if (strcmp(column->name, "pressure") == 0)
            fields->pressure = column;
    if (!dynamics->operations->traits.has_collisions && !fields->grid.node_counts)
        fields->grid.pressure = fields->pressure ? OF_FLUID : OF_MOTION;
    if (fields->frames.interval == 0 &&
        (fields->settings.columns == 1 || fields->settings.rows == 1))
        return block_sums_create(&fields->blocks,
                                 fields->settings.columns * fields->settings.rows * FIELD_PATH_SUMS,
                                 error);
    return STATUS_DONE;
}

/* A path ends at one side of the box, and the next one begins there or at the other. */
static void fields_reinject(struct fields *fields, const struct collision *passage)
{
    const struct collision_particle *a = &passage->a;
    const struct boundary *boundary = fields->grid.boundary;
    const int32_t side = passage->feature;
    const double x = side == FEATURE_LEFT ? 0 : side == FEATURE_RIGHT ? boundary->width : a->x;
    const double y = side == FEATURE_BOTTOM ? 0 : side == FEATURE_TOP ? boundary->height : a->y;
    end_arrival(fields, a, x, y, passage->time);
    if (passage->time > fields->since)
        field_grid_enter(&fields->grid, a->x, a->y, a->u, a->v);
}

static void fields_collide(struct observer *observer, const struct collision *collision)
{
    struct fields *fields = (struct fields *)observer;
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    if (collision->is_reinjection) {
        fields_reinject(fields, collision);
        return;
    }
    end_arrival(fields, a, a->x, a->y, collision->time);
    if (collision->partner != PARTNER_PARTICLE)
        return;
    end_arrival(fields, b, b->x, b->y, collision->time);
    const double radii = a->radius + b->radius;
    const double part = radii > 0 ? a->radius / radii : 0;
    field_grid_push(&fields->grid, a->x + part * collision->dx, a->y + part * collision->dy,
                    tally_virial(collision));
}

static void fields_state(struct observer *observer, struct record *record)
{
    struct fields *fields = (struct fields *)observer;
    const struct run_settings *run = observer->run;
    uint64_t columns = fields->settings.columns, rows = fields->settings.rows;
    const int has_files = observer->output->frames.pattern != NULL;
    record_setting(record, "--stats-from", run->from, NULL);
    record_setting(record, "a number in the name of --fields and --every",
                   has_files ? fields->frames.interval : 0,
                   "with one file of --fields, not with one for each DT");
    record_setting(record, "--every", fields->frames.interval,
                   "whose --fields are no series by --every");
    record_whole(record, &columns, FIELDS_MAX_ALONG);
    record_whole(record, &rows, FIELDS_MAX_ALONG);
    record_number(record, &fields->since, 0, DBL_MAX);
    record_number(record, &fields->sampled, 0, DBL_MAX);
    record_whole(record, &fields->next_frame,
                 (uint64_t)(has_files ? FRAME_NAMES_MAX : FRAMES_MAX) + 2);
    record_end_line(record);
    if (!record->status && (columns != fields->settings.columns || rows != fields->settings.rows)) {
        char grid[50];
        snprintf(grid, sizeof grid, "with --fields-grid=%" PRIu64 "x%" PRIu64, columns, rows);
        record_refuse_run(record, grid, "give it again");
    }
    field_grid_record(&fields->grid, record);
    if (fields->blocks.sums)
        block_sums_record(&fields->blocks, record);
    fields_set_next_sample(fields);
}

struct field_values field_map_values(const struct field_map *map, size_t column, size_t row)
{
    const struct field_grid *grid = map->grid;
    const size_t index = row * map->columns + column;
    const struct field_cell *cell = &grid->cells[index];
    const double area = map->width * map->height * (grid->free ? grid->free[index] : 1);
    const double duration = map->is_instant ? 1 : map->snapshot->time - map->from;
    const int is_known = area > 0 && !(grid->node_counts && grid->node_counts[index] == 0);
    const double divisor = is_known && duration > 0 ? duration : (double)NAN;
    const double time = sum_value(&cell->sums[FIELD_TIME]);
    const double mass = sum_value(&cell->sums[FIELD_MASS]);
    const double momentum[2] = {sum_value(&cell->sums[FIELD_MOMENTUM_X]),
                                sum_value(&cell->sums[FIELD_MOMENTUM_Y])};
    const double u = mass > 0 ? momentum[0] / mass : (double)NAN;
    const double v = mass > 0 ? momentum[1] / mass : (double)NAN;
    const double drift = 0.5 * (momentum[0] * u + momentum[1] * v);
    const double thermal = mass > 0 ? fmax(0, sum_value(&cell->sums[FIELD_ENERGY]) - drift) : 0;
    const int is_scarce = cell->pieces < MIN_PIECES;
    const int is_of_fluid = grid->pressure == OF_FLUID;
    const double virial =
        grid->pressure == OF_MOTION ? (double)NAN : sum_value(&cell->sums[FIELD_VIRIAL]);
    return (struct field_values){
        .x = ((double)column + 0.5) * map->width,
        .y = ((double)row + 0.5) * map->height,
        .area = area,
        .samples = (double)cell->visits,
        .density = time / divisor / area,
        .mass_density = mass / divisor / area,
        .u = u,
        .v = v,
        .temperature = mass > 0 ? thermal / time : (double)NAN,
        .pressure_ideal = is_of_fluid ? 0 : thermal / divisor / area,
        .pressure_collisional = is_of_fluid ? virial / mass : virial / 2 / divisor / area,
        .mach = is_scarce ? (double)NAN : sqrt(drift / thermal),
        .count = time / duration,
        .is_scarce = is_scarce,
    };
}

void field_map_errors(const struct field_map *map, size_t index, double errors[FIELD_ERRORS])
{
    const double duration = (map->snapshot->time - map->from) / SUM_BLOCKS;
    const double area = map->width * map->height * (map->grid->free ? map->grid->free[index] : 1);
    double parts[FIELD_ERRORS][SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *sums = block_sums_table(map->blocks, block) + index * FIELD_PATH_SUMS;
        const double u = sums[FIELD_MOMENTUM_X] / sums[FIELD_MASS];
        const double v = sums[FIELD_MOMENTUM_Y] / sums[FIELD_MASS];
        const double drift = 0.5 * (sums[FIELD_MOMENTUM_X] * u + sums[FIELD_MOMENTUM_Y] * v);
        parts[DENSITY_ERROR][block] = sums[FIELD_TIME] / duration / area;
        parts[U_ERROR][block] = u;
        parts[V_ERROR][block] = v;
        parts[TEMPERATURE_ERROR][block] = (sums[FIELD_ENERGY] - drift) / sums[FIELD_TIME];
    }
    for (int k = 0; k < FIELD_ERRORS; k++)
        errors[k] = block_estimate(0, parts[k]).error;
    /* Along a profile between walls, or with a conserved momentum, what has flowed is the change of
     * a bounded sum: the mean of all blocks scatters as one of them / their number, not its root.
     */
    const struct boundary *box = map->grid->boundary;
    const int is_exact = map->grid->pressure == OF_COLLISIONS;
    const unsigned free_axes = box->periodic & ~(is_exact ? tally_conserved(box) : 0u);
    if (map->rows == 1 && !(free_axes & PERIODIC_X))
        errors[U_ERROR] /= sqrt(SUM_BLOCKS);
    if (map->columns == 1 && !(free_axes & PERIODIC_Y))
        errors[V_ERROR] /= sqrt(SUM_BLOCKS);
}

double field_map_count(const struct field_map *map, size_t index, size_t species)
{
    const struct field_grid *grid = map->grid;
    const double time = grid->times ? sum_value(&grid->times[index * grid->species + species])
                                    : sum_value(&grid->cells[index].sums[FIELD_TIME]);
    return time / (map->snapshot->time - map->from);
}

double field_map_mach(const struct field_map *map)
{
    const struct system *system = map->snapshot->system;
    const struct stream *stream = &system->boundary.stream;
    const double mass = tally_motion(map->snapshot).mass;
    return stream->draw
               ? fabs(stream->speed) / sqrt(2 * stream->temperature * (double)system->count / mass)
               : (double)NAN;
}

static struct field_map map_grid(const struct field_grid *grid, const struct snapshot *snapshot)
{
    return (struct field_map){.snapshot = snapshot,
                              .columns = grid->columns,
                              .rows = grid->rows,
                              .width = grid->boundary->width / (double)grid->columns,
                              .height = grid->boundary->height / (double)grid->rows,
                              .grid = grid};
}

struct field_map fields_map(const struct observer *observer, const struct snapshot *snapshot)
{
    const struct fields *fields = (const struct fields *)observer;
    struct field_map map = map_grid(&fields->grid, snapshot);
    map.from = fields->since;
    map.blocks = fields->blocks.sums ? &fields->blocks : NULL;
    map.is_of_series = fields->frames.interval > 0;
    map.is_continued =
        fields->since > fields->observer.run->from && !fields->observer.output->frames.pattern;
    map.shown = fields->settings.shown;
    map.species = &fields->species;
    return map;
}

enum status fields_count_now(const struct snapshot *snapshot, struct field_grid *grid,
                             struct field_map *map, struct error *error)
{
    const struct boundary *box = &snapshot->system->boundary;
    const double side = fmax(box->width, box->height) / CELLS_NOW;
    const size_t columns = (size_t)fmax(1, floor(box->width / side));
    const size_t rows = (size_t)fmax(1, floor(box->height / side));
    enum status status = field_grid_create(grid, box, columns, rows, 1, error);
    for (size_t k = 0; k < snapshot->system->count && !status; k++) {
        double x, y;
        if (!snapshot_has(snapshot, k))
            continue;
        snapshot_position(snapshot, k, &x, &y);
        struct field_cell *cell = find_at(grid, x * grid->per_x, y * grid->per_y, 0);
        cell->sums[FIELD_TIME].rounded++; /* as if it were there for a time of 1; it adds no mass */
        cell->visits++;
    }
    *map = map_grid(grid, snapshot);
    map->is_instant = 1;
    return status;
}

static enum status fields_write(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    const struct field_map map = fields_map(observer, snapshot);
    return ((const struct fields *)observer)->settings.write(&map, observer->file->stream, error);
}

/* Writes the collection, as ParaView calls it, of the files of a series. */
static enum status fields_write_list(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    const struct fields *fields = (const struct fields *)observer;
    const uint64_t first = frames_after(&fields->frames, observer->run->from);
    FILE *stream = observer->file->stream;
    char name[OUTPUT_PATH_SIZE];
    (void)snapshot, (void)error;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          stream);
    for (uint64_t k = first; k < fields->next_frame; k++) {
        output_pattern_format(&observer->output->frames, k - first, name);
        if (access(name, F_OK) != 0) /* a run that was resumed had other names before */
            continue;
        fputs("<DataSet timestep=\"", stream);
        csv_put_number(stream, fmin(frames_time(&fields->frames, k), fields->frames.end_time), "");
        fputs("\" file=\"", stream);
        text_write_escaped(name + output_path_directory(name), stream);
        fputs("\"/>\n", stream);
    }
    fputs("</Collection>\n</VTKFile>\n", stream);
    return STATUS_DONE;
}

/* Apart for the sake of its stack. */
COMPILER_APART static enum status fields_list(struct fields *fields, struct error *error)
{
    char name[OUTPUT_PATH_SIZE];
    output_pattern_list(&fields->observer.output->frames, name);
    fields->has_unlisted = 0;
    return observer_write_file(&fields->observer, name, NULL, fields_write_list, error);
}

/* Writes the means of the time since the last ones. The time that a list takes grows with its
 * length: a long one is written for each hundredth of its files, and when the run ends. */
static enum status fields_finish(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct run_settings *run = observer->run;
    const uint64_t number = fields->next_frame - frames_after(&fields->frames, run->from);
    const int has_paths = observers_traits(observer->all)->has_collisions;
    char name[OUTPUT_PATH_SIZE];
    if (!has_paths)
        add_particles(fields, snapshot, snapshot->time);
    for (size_t k = 0; k < snapshot->system->count && has_paths; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        if (snapshot_has(snapshot, k))
            end_path(fields, &body, k, snapshot->time);
    }
    if (!observer->output->frames.pattern) {
        fields->next_frame++;
        return fields_write(observer, snapshot, error);
    }
    output_pattern_format(&observer->output->frames, number, name);
    const enum status status = observer_write_file(observer, name, snapshot, fields_write, error);
    fields->next_frame += !status;
    fields->has_unlisted |= !status && fields->settings.write == field_file_write_vti;
    return !status && fields->has_unlisted &&
                   (number % (number / 100 + 1) == 0 || snapshot->time >= run->to)
               ? fields_list(fields, error)
               : status;
}

static enum status fields_sample(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    enum status status = STATUS_DONE;
    if (snapshot->time < fields_end(fields)) { /* the end of a step */
        add_particles(fields, snapshot, sample_end(fields, snapshot->time));
    } else {
        status = fields_finish(observer, snapshot, error);
        field_grid_clear(&fields->grid);
        fields->since = snapshot->time;
    }
    fields_set_next_sample(fields);
    return status || !observer->file->stream || !ferror(observer->file->stream)
               ? status
               : text_flush(observer->file->stream, observer->file->name, error);
}

static void free_fields(struct observer *observer)
{
    struct fields *fields = (struct fields *)observer;
    struct error error; /* what ended the run counts */
    if (fields->has_unlisted)
        (void)fields_list(fields, &error);
    field_grid_free(&fields->grid);
    block_sums_free(&fields->blocks);
    classes_free(&fields->species);
}

const struct observer_operations fields_operations = {
    .kind = {"--fields", "the fields", sizeof(struct fields), FILE_FROM_BEGIN},
    OBSERVER_SETTINGS(struct fields),
    .watches = WATCH_PAIRS,
    .begin = fields_begin,
    .collide = fields_collide,
    .sample = fields_sample,
    .finish = fields_finish,
    .state = fields_state,
    .free = free_fields,
};

/* The numbers at the beginning of struct field_values, in the order of a file's columns. */
enum { VALUES = 13 };
_Static_assert(offsetof(struct field_values, is_scarce) == VALUES * sizeof(double), "no gaps");

static size_t count_species(const struct field_map *map)
{
    return map->species->count > 1 ? map->species->count : 0;
}

static void write_names(const struct field_map *map, FILE *stream)
{
    fputs(FIELD_CSV_BEGINNING "area,samples,density,mass_density,u,v,temperature,pressure_ideal,"
                              "pressure_collisional,mach,count",
          stream);
    for (size_t k = 0; k < count_species(map); k++)
        fprintf(stream, ",count_%" PRId32, map->species->species[k]);
    if (map->blocks)
        fputs(",density_error,u_error,v_error,temperature_error", stream);
    fputs(map->is_of_series ? ",time_start,time_end\n" : "\n", stream);
}

enum status field_file_write_csv(const struct field_map *map, FILE *stream, struct error *error)
{
    const double span[] = {map->from, map->snapshot->time};
    (void)error;
    if (!map->is_continued)
        write_names(map, stream);
    for (size_t index = 0; index < map->columns * map->rows; index++) {
        const size_t column = index % map->columns, row = index / map->columns;
        const struct field_values cell = field_map_values(map, column, row);
        double values[VALUES];
        memcpy(values, &cell, sizeof values);
        fprintf(stream, "%zu,%zu", column, row);
        csv_put_fields(stream, values, VALUES);
        for (size_t k = 0; k < count_species(map); k++)
            csv_put_fields(stream, (const double[]){field_map_count(map, index, k)}, 1);
        if (map->blocks) {
            double errors[FIELD_ERRORS];
            field_map_errors(map, index, errors);
            csv_put_fields(stream, errors, FIELD_ERRORS);
        }
        csv_put_fields(stream, span, map->is_of_series ? 2 : 0);
        fputc('\n', stream);
    }
    return STATUS_DONE;
}

/*
 * Files of VTK. Cells without known values are hidden, by the array "vtkGhostType" (VTK,
 * vtkDataSetAttributes). Its filters average over visible cells in a structured grid, and over all
 * cells in an image. So the legacy file is a grid, for its text cannot have NaN, which VTK 9.1 does
 * not read; the XML file is an image with NaN.
 */

/* The arrays: which value of struct field_values each has. Then comes one for each of several
 * species. */
enum { VELOCITY = 1, GHOST_TYPE = 6, ARRAYS = 11 };
static const struct field_array {
    const char *name;
    size_t value;
} arrays[ARRAYS] = {{"density", 4},      {"velocity", 6},       {"mass_density", 5},
                    {"temperature", 8},  {"samples", 3},        {"area", 2},
                    {"vtkGhostType", 4}, {"pressure_ideal", 9}, {"pressure_collisional", 10},
                    {"mach", 11},        {"count", 12}};

static void write_array_name(const struct field_map *map, size_t array, FILE *stream)
{
    if (array < ARRAYS)
        fputs(arrays[array].name, stream);
    else
        fprintf(stream, "count_%" PRId32, map->species->species[array - ARRAYS]);
}

/* Writes an array, as text, where undetermined is 0, or else as base64, where it is NaN. */
static void write_array(const struct field_map *map, size_t array, FILE *stream,
                        struct base64 *base64)
{
    for (size_t index = 0; index < map->columns * map->rows; index++) {
        const struct field_values cell =
            field_map_values(map, index % map->columns, index / map->columns);
        const unsigned char type = isfinite(cell.density) ? 0 : 32; /* HIDDENCELL */
        double numbers[3] = {array < ARRAYS ? 0 : field_map_count(map, index, array - ARRAYS),
                             cell.v, 0};
        if (array < ARRAYS)
            memcpy(numbers, (const char *)&cell + arrays[array].value * sizeof cell.x,
                   sizeof cell.x);
        for (int k = 0; k < (array == VELOCITY ? 3 : 1); k++) {
            if (array == GHOST_TYPE && base64)
                base64_put(base64, &type, 1);
            else if (base64) /* one NaN on all machines, and no -0 */
                base64_put_double(base64, isfinite(numbers[k]) ? numbers[k] + 0.0 : (double)NAN);
            else {
                fputs(k > 0 ? " " : "", stream);
                csv_put_number(stream, array == GHOST_TYPE ? type : numbers[k], "0");
            }
        }
        fputs(base64 ? "" : "\n", stream);
    }
}

static void write_title(const struct field_map *map, FILE *stream)
{
    const struct stream *flow = &map->snapshot->system->boundary.stream;
    fprintf(stream, "hard disks, averaged from time %.8g to %.8g", map->from, map->snapshot->time);
    if (flow->draw)
        fprintf(stream, ", stream U = %.8g, T = %.8g, Mach %.4g", flow->speed, flow->temperature,
                field_map_mach(map));
}

/* In the legacy format (The VTK User's Guide, "VTK File Formats", Simple Legacy Formats). */
enum status field_file_write_vtk(const struct field_map *map, FILE *stream, struct error *error)
{
    const size_t cells = map->columns * map->rows, count = ARRAYS + count_species(map);
    const size_t points = (map->columns + 1) * (map->rows + 1);
    (void)error;
    fputs(FIELD_VTK_BEGINNING, stream);
    write_title(map, stream);
    fprintf(stream, "\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS %zu %zu 1\nPOINTS %zu double",
            map->columns + 1, map->rows + 1, points);
    for (size_t k = 0; k < points; k++) {
        fputs("\n", stream);
        csv_put_number(stream, (double)(k % (map->columns + 1)) * map->width, "");
        fputs(" ", stream);
        csv_put_number(stream, (double)(k / (map->columns + 1)) * map->height, "");
        fputs(" 0", stream);
    }
    fprintf(stream, "\nCELL_DATA %zu\nSCALARS density double 1\nLOOKUP_TABLE default\n", cells);
    write_array(map, 0, stream, NULL);
    fputs("VECTORS velocity double\n", stream);
    write_array(map, VELOCITY, stream, NULL);
    /* Of several SCALARS VTK reads only the first unless another one is asked for. */
    fprintf(stream, "FIELD fields %zu\n", count - VELOCITY - 1);
    for (size_t k = VELOCITY + 1; k < count; k++) {
        write_array_name(map, k, stream);
        fprintf(stream, " 1 %zu %s\n", cells, k == GHOST_TYPE ? "unsigned_char" : "double");
        write_array(map, k, stream, NULL);
    }
    return STATUS_DONE;
}

/* The bytes of an array in the XML format, which come after their number in 4 bytes. */
static size_t count_bytes(const struct field_map *map, size_t array)
{
    const size_t bytes_of_cell = array == GHOST_TYPE ? 1 : array == VELOCITY ? 24 : 8;
    return bytes_of_cell * map->columns * map->rows;
}

/* In the XML format (VTK's documentation, "VTK XML Formats", ImageData). An array is in one line,
 * for VTK finds it by the number of characters before it. */
enum status field_file_write_vti(const struct field_map *map, FILE *stream, struct error *error)
{
    const size_t count = ARRAYS + count_species(map);
    size_t offset = 0;
    (void)error;
    fputs(FIELD_VTI_BEGINNING
          "version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n<!-- ",
          stream);
    write_title(map, stream);
    fprintf(stream,
            " -->\n<ImageData WholeExtent=\"0 %zu 0 %zu 0 0\" Origin=\"0 0 0\" "
            "Spacing=\"%.17g %.17g 1\">\n<FieldData>\n<DataArray type=\"Float64\" "
            "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n"
            "</FieldData>\n<Piece Extent=\"0 %zu 0 %zu 0 0\">\n"
            "<CellData Scalars=\"density\" Vectors=\"velocity\">\n",
            map->columns, map->rows, map->width, map->height, map->snapshot->time, map->columns,
            map->rows);
    for (size_t k = 0; k < count; k++) {
        fputs("<DataArray Name=\"", stream);
        write_array_name(map, k, stream);
        fprintf(stream,
                "\" type=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
                k == GHOST_TYPE ? "UInt8" : "Float64", k == VELOCITY ? 3 : 1, offset);
        offset += (4 + count_bytes(map, k) + 2) / 3 * 4;
    }
    fputs("</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"base64\">\n_", stream);
    for (size_t k = 0; k < count; k++) {
        struct base64 base64 = {.stream = stream, .has_no_lines = 1};
        base64_put_int32(&base64, (int32_t)count_bytes(map, k));
        write_array(map, k, stream, &base64);
        base64_end(&base64);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", stream);
    return STATUS_DONE;
}
