/*
 * Positions in a grid; see frame.h.
 */
#include "frame.h"

#include "base/memory.h"

#include <math.h>

static const double MEMBERS = 2; /* of a cell, about: this was the quickest */

/* Chooses columns and rows of cells that are about square. */
static void choose_grid(struct frame *frame)
{
    const double cells = fmax(1, (double)frame->count / MEMBERS);
    const double width = frame->boundary.width;
    const double height = frame->boundary.height;
    const double columns = fmin(fmax(1, sqrt(cells * (width / height))), cells);
    frame->columns = (int64_t)columns;
    frame->rows = (int64_t)fmax(1, cells / columns);
    frame->side_x = width / (double)frame->columns;
    frame->side_y = height / (double)frame->rows;
}

enum status frame_create(struct frame *frame, const struct system *system, struct error *error)
{
    static const char what[] = "the positions of --structure";
    const size_t count = system->count;
    *frame = (struct frame){.count = count, .boundary = system->boundary};
    choose_grid(frame);
    frame->x = memory_allocate(count, sizeof *frame->x, what, error);
    frame->y = memory_allocate(count, sizeof *frame->y, what, error);
    frame->begins = memory_allocate((size_t)(frame->columns * frame->rows) + 1,
                                    sizeof *frame->begins, what, error);
    frame->numbers = memory_allocate(count, sizeof *frame->numbers, what, error);
    frame->sorted_x = memory_allocate(count, sizeof *frame->sorted_x, what, error);
    frame->sorted_y = memory_allocate(count, sizeof *frame->sorted_y, what, error);
    frame->cells = memory_allocate(count, sizeof *frame->cells, what, error);
    return frame->x && frame->y && frame->begins && frame->numbers && frame->sorted_x &&
                   frame->sorted_y && frame->cells
               ? STATUS_DONE
               : STATUS_NO_MEMORY;
}

void frame_free(struct frame *frame)
{
    memory_free(frame->x);
    memory_free(frame->y);
    memory_free(frame->begins);
    memory_free(frame->numbers);
    memory_free(frame->sorted_x);
    memory_free(frame->sorted_y);
    memory_free(frame->cells);
    *frame = (struct frame){0};
}

/* The column (or row) of a coordinate from 0 to the side of the box. */
static int64_t locate(double coordinate, double side, int64_t count)
{
    const int64_t place = (int64_t)(coordinate / side);
    return place < count ? place : count - 1;
}

void frame_take(struct frame *frame, const struct snapshot *snapshot)
{
    const size_t cells = (size_t)(frame->columns * frame->rows);
    uint32_t *begins = frame->begins;
    for (size_t k = 0; k <= cells; k++)
        begins[k] = 0;
    for (size_t k = 0; k < frame->count; k++) {
        snapshot_position(snapshot, k, &frame->x[k], &frame->y[k]);
        const int64_t column = locate(frame->x[k], frame->side_x, frame->columns);
        const int64_t row = locate(frame->y[k], frame->side_y, frame->rows);
        frame->cells[k] = (uint32_t)(row * frame->columns + column);
        begins[frame->cells[k]]++;
    }
    /* From the counts to the ends of the cells; and back to their beginnings, from the last on. */
    for (size_t k = 1; k <= cells; k++)
        begins[k] += begins[k - 1];
    for (size_t k = frame->count; k-- > 0;) {
        const uint32_t place = --begins[frame->cells[k]];
        frame->numbers[place] = (uint32_t)k;
        frame->sorted_x[place] = frame->x[k];
        frame->sorted_y[place] = frame->y[k];
    }
}

/* The image in which a column (or row) of cells is: 0 is the box. */
static int64_t find_image(int64_t place, int64_t count)
{
    return place >= 0 ? place / count : -((count - 1 - place) / count);
}

int frame_span(const struct frame *frame, int64_t row, int64_t *column, int64_t last,
               struct span *span)
{
    const int64_t columns = frame->columns;
    const struct boundary *boundary = &frame->boundary;
    if (!(boundary->periodic & PERIODIC_Y) && (row < 0 || row >= frame->rows))
        return 0;
    if (!(boundary->periodic & PERIODIC_X)) {
        *column = *column > 0 ? *column : 0;
        last = last < columns ? last : columns - 1;
    }
    if (*column > last)
        return 0;
    const int64_t x_image = find_image(*column, columns);
    const int64_t y_image = find_image(row, frame->rows);
    const int64_t cells = (row - y_image * frame->rows) * columns;
    const int64_t end = (x_image + 1) * columns;
    const int64_t next = last + 1 < end ? last + 1 : end;
    span->begin = frame->begins[cells + *column - x_image * columns];
    span->end = frame->begins[cells + next - x_image * columns];
    span->shift =
        (struct shift){(double)x_image * boundary->width, (double)y_image * boundary->height};
    *column = next;
    return 1;
}
