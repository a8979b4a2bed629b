/*
 * The free part of each cell; see free_area.h.
 *
 * By Green's theorem an area is the integral of dy over the area's border. In a row of cells, each
 * piece of a side changes what is free to the right of it: by its height in all cells farther to
 * the right, and in its own cell by its height times the part of the cell to its right. So sides
 * are added one by one, in any order, each as the difference that it makes from a cell to the next;
 * a sum along each row then gives the area. (That is how outlines of letters are made into shades
 * of grey: R. Levien, Inside the fastest font renderer in the world, 2016.)
 *
 * Lengths are counted in cells, along both axes.
 */
#include "free_area.h"

#include "base/memory.h"
#include "model/polygons.h"

#include <math.h>

/* What is nearer to all or nothing of a cell is so by rounding. */
static const double LEAST_PART = 1e-10;

struct raster {
    size_t columns, rows;
    double *steps; /* what is free in a cell, less what is in the cell before: of each row
                      `columns` + 1; the last one is beyond the box */
};

/* A straight line, not parallel to x, and places on it. */
struct line {
    double x[2], y[2];
};

static double line_x(const struct line *line, double y)
{
    const double part = (y - line->y[0]) / (line->y[1] - line->y[0]);
    return line->x[0] + part * (line->x[1] - line->x[0]);
}

/* Adds a piece in one cell of a row: it has this height, less than 0 if what is free is to the left
 * of it, and on average is at `x`. */
static void add_in_cell(double *steps, size_t column, double x, double height)
{
    const double part = x - (double)column; /* of the cell, to the left of it */
    steps[column] += height * (1 - part);
    steps[column + 1] += height * part;
}

/* Adds a piece in one row, from x `low` to x `high`. */
static void add_in_row(const struct raster *raster, size_t row, double low, double high,
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

/* Adds a line along which what is free is to the left, or to the right if `sign` is -1. */
static void add_line(const struct raster *raster, const struct line *line, int sign)
{
    const double low = fmax(fmin(line->y[0], line->y[1]), 0);
    const double high = fmin(fmax(line->y[0], line->y[1]), (double)raster->rows);
    const double direction = line->y[1] > line->y[0] ? -sign : sign;
    for (double y = low; y < high;) {
        const double next = fmin(high, floor(y) + 1);
        const double x[2] = {line_x(line, y), line_x(line, next)};
        add_in_row(raster, (size_t)y, fmin(x[0], x[1]), fmax(x[0], x[1]), direction * (next - y));
        y = next;
    }
}

/* Adds a side, and its images where it belongs to an obstacle. */
static void add_side(const struct raster *raster, const struct boundary *boundary, size_t number)
{
    const struct polygons *polygons = boundary->polygons;
    const struct side *side = &polygons->sides[number];
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct side *next = polygons_next_side(polygons, side);
    const int columns = !polygon->is_domain && boundary->periodic & PERIODIC_X;
    const int rows = !polygon->is_domain && boundary->periodic & PERIODIC_Y;
    const double per_x = (double)raster->columns / boundary->width;
    const double per_y = (double)raster->rows / boundary->height;
    if (polygon->is_hidden || side->is_thin)
        return;
    for (int column = -columns; column <= columns; column++) {
        for (int row = -rows; row <= rows; row++) {
            const struct shift shift = {column * boundary->width, row * boundary->height};
            const struct line line = {
                .x = {(side->corner_x + shift.x) * per_x, (next->corner_x + shift.x) * per_x},
                .y = {(side->corner_y + shift.y) * per_y, (next->corner_y + shift.y) * per_y}};
            add_line(raster, &line, side->facing);
        }
    }
}

/* Sums up each row, and moves the parts together: `base` is free before the first cell of each. */
static void complete(const struct raster *raster, double base)
{
    for (size_t row = 0; row < raster->rows; row++) {
        const double *steps = &raster->steps[row * (raster->columns + 1)];
        double part = base;
        for (size_t column = 0; column < raster->columns; column++) {
            part += steps[column];
            raster->steps[row * raster->columns + column] = part < LEAST_PART       ? 0
                                                            : part > 1 - LEAST_PART ? 1
                                                                                    : part;
        }
    }
}

enum status free_area_create(const struct boundary *boundary, size_t columns, size_t rows,
                             double **parts, struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    struct raster raster = {.columns = columns, .rows = rows};
    int has_domain = 0;
    *parts = NULL;
    if (!polygons)
        return STATUS_DONE;
    raster.steps = memory_allocate((columns + 1) * rows, sizeof *raster.steps,
                                   "the area of the cells of --fields-grid", error);
    if (!raster.steps)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < (columns + 1) * rows; k++)
        raster.steps[k] = 0;
    for (size_t k = 0; k < polygons->count; k++)
        has_domain |= polygons->list[k].is_domain;
    for (size_t k = 0; k < polygons->side_count; k++)
        add_side(&raster, boundary, k);
    complete(&raster, !has_domain);
    *parts = raster.steps;
    return STATUS_DONE;
}
