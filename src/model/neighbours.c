/*
 * Lists of neighbours; see neighbours.h. The cell list is a counting sort.
 *
 * Cells are as wide as the longest range. Where one disk is much larger than most, or most are in a
 * small part of the box, a few cells have nearly all members. Then the search for overlaps, whose
 * levels of size have bounds of their own, finds the pairs; and these are sorted into the order in
 * which the cell list has them, so forces have the same sums.
 */
#include "model/neighbours.h"

#include "base/memory.h"
#include "model/overlap.h"

#include <math.h>
#include <string.h>

/* Cells are crowded if members have more than CROWDED_MEMBERS in their cell, on average, and cells
 * are CROWDED_AREA times as large as would do for particles of the mean radius. */
static const double CROWDED_MEMBERS = 32, CROWDED_AREA = 16;

static const double MEMBERS = 2; /* of a cell of a frame, about: this was the quickest */

/* An array with room for more than `count` elements; its contents are lost. */
static void *reserve_array(void *array, size_t *room, size_t count, size_t size,
                           struct error *error)
{
    if (count < *room)
        return array;
    memory_free(array);
    *room = count + count / 32 + 1;
    array = memory_allocate(*room, size, "the neighbours", error);
    if (!array)
        *room = 0;
    return array;
}

/* Along a periodic axis there are two cells or more, so that a particle and its image are never in
 * adjacent ones. */
static uint32_t neighbours_columns(double length, double range, double max, unsigned is_periodic)
{
    return (uint32_t)fmax(is_periodic ? 2 : 1, fmin(floor(length / range), max));
}

/* There are at most so many cells that empty ones cost little. */
static void choose_cells(struct neighbours *neighbours, const struct boundary *boundary,
                         size_t count, double range)
{
    const double max = 4 * (double)count + 16;
    const double min_size = fmax(range, sqrt(boundary->width / max) * sqrt(boundary->height));
    const uint32_t columns =
        neighbours_columns(boundary->width, min_size, max, boundary->periodic & PERIODIC_X);
    const uint32_t rows =
        neighbours_columns(boundary->height, min_size, max, boundary->periodic & PERIODIC_Y);
    neighbours->columns = columns + 2;
    neighbours->rows = rows + 2;
    neighbours->width = boundary->width / columns;
    neighbours->height = boundary->height / rows;
}

static uint32_t column_of(double x, double width, uint32_t columns)
{
    return 1 + boundary_locate(x, width, columns - 2);
}

uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y)
{
    return column_of(y, neighbours->height, neighbours->rows) * neighbours->columns +
           column_of(x, neighbours->width, neighbours->columns);
}

/* How many sides of the box a member of a column (or row) is from its image in the ring; 0: none.
 */
static int find_image(uint32_t column, uint32_t columns, unsigned is_periodic)
{
    return is_periodic ? (column == 1) - (column == columns - 2) : 0;
}

/* The column (or row) that lists an image `shift` sides away, or one that is near none. */
static uint32_t column_of_image(uint32_t column, uint32_t columns, int shift)
{
    if (shift == 0)
        return column;
    if (column != (shift > 0 ? 1 : columns - 2))
        return UINT32_MAX / 2;
    return shift > 0 ? columns - 1 : 0;
}

/* Lists a particle and its images; or only counts them, if `is_counting`. */
static void list_particle(struct neighbours *near, const struct boundary *boundary,
                          const struct particle *p, size_t k, int is_counting)
{
    const uint32_t column = column_of(p->x, near->width, near->columns);
    const uint32_t row = column_of(p->y, near->height, near->rows);
    const int right = find_image(column, near->columns, boundary->periodic & PERIODIC_X);
    const int up = find_image(row, near->rows, boundary->periodic & PERIODIC_Y);
    near->cell[k] = row * near->columns + column;
    for (int image = 0; image < 4; image++) {
        const int x_shift = image & 1 ? right : 0;
        const int y_shift = image & 2 ? up : 0;
        if ((image & 1 && right == 0) || (image & 2 && up == 0))
            continue;
        const uint32_t cell = column_of_image(row, near->rows, y_shift) * near->columns +
                              column_of_image(column, near->columns, x_shift);
        if (is_counting) {
            near->first[cell + 1]++;
            continue;
        }
        const uint32_t at = near->first[cell]++;
        near->x[at] = p->x + x_shift * boundary->width;
        near->y[at] = p->y + y_shift * boundary->height;
        near->number[at] = (uint32_t)k;
    }
}

/* Lists the members. That advances each `first` to the next cell, so they are moved back. */
static enum status neighbours_list(struct neighbours *near, const struct system *system,
                                   struct error *error)
{
    const size_t cells = (size_t)near->columns * near->rows;
    near->x = reserve_array(near->x, &near->x_room, 2 * near->count, sizeof *near->x, error);
    near->number =
        reserve_array(near->number, &near->list_room, near->count, sizeof *near->number, error);
    if (!near->x || !near->number)
        return STATUS_NO_MEMORY;
    near->y = near->x + near->count;
    for (size_t k = 0; k < system->count; k++)
        list_particle(near, &system->boundary, &system->particles[k], k, 0);
    memmove(near->first + 1, near->first, cells * sizeof *near->first);
    near->first[0] = 0;
    return STATUS_DONE;
}

enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error)
{
    double side = (double)INFINITY;
    if (boundary->periodic & PERIODIC_X)
        side = boundary->width;
    if (boundary->periodic & PERIODIC_Y)
        side = fmin(side, boundary->height);
    if (range <= side / 2)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "%s reaches %g far, which is more than half of a periodic side, %g: let it "
                     "reach less far, or take a larger box",
                     name, range, side / 2);
}

/* Chooses the cells, and counts their members: `first` is where they begin. */
static enum status neighbours_find_cells(struct neighbours *neighbours, const struct system *system,
                                         double range, struct error *error)
{
    if (system->count > NEIGHBOURS_MAX_PARTICLES)
        return error_set(error, STATUS_NO_MEMORY,
                         "%zu particles are too many for interactions of a short range: the most "
                         "is %d",
                         system->count, NEIGHBOURS_MAX_PARTICLES);
    choose_cells(neighbours, &system->boundary, system->count, range);
    const size_t cells = (size_t)neighbours->columns * neighbours->rows;
    neighbours->first = reserve_array(neighbours->first, &neighbours->cell_room, cells,
                                      sizeof *neighbours->first, error);
    neighbours->cell = reserve_array(neighbours->cell, &neighbours->particle_room, system->count,
                                     sizeof *neighbours->cell, error);
    if (!neighbours->first || !neighbours->cell)
        return STATUS_NO_MEMORY;
    memset(neighbours->first, 0, (cells + 1) * sizeof *neighbours->first);
    for (size_t k = 0; k < system->count; k++)
        list_particle(neighbours, &system->boundary, &system->particles[k], k, 1);
    for (size_t cell = 0; cell < cells; cell++)
        neighbours->first[cell + 1] += neighbours->first[cell];
    neighbours->count = neighbours->first[cells];
    neighbours->is_crowded = 0;
    return STATUS_DONE;
}

enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct error *error)
{
    enum status status = neighbours_find_cells(neighbours, system, range, error);
    return status ? status : neighbours_list(neighbours, system, error);
}

static int is_crowded(const struct neighbours *neighbours, const struct system *system,
                      double range, double gap)
{
    double radii = system->kinds ? 0 : (double)system->count * system->radius;
    double squares = 0;
    for (size_t k = 0; k < system->count && system->kinds; k++)
        radii += system_radius(system, &system->particles[k]);
    const double mean = fmin(range, 2 * radii / (double)system->count + gap);
    if (!(neighbours->width * neighbours->height > CROWDED_AREA * mean * mean))
        return 0;
    for (size_t k = 0; k < (size_t)neighbours->columns * neighbours->rows; k++) {
        const double members = neighbours->first[k + 1] - neighbours->first[k];
        squares += members * members;
    }
    return squares > CROWDED_MEMBERS * (double)system->count;
}

struct crowded_search {
    struct neighbours *neighbours;
    const struct system *system;
    enum status status;
    struct error *error;
};

/* Lists a pair, if its cells are adjacent. */
static int add_crowded_pair(void *context, const struct overlap_disk *a,
                            const struct overlap_disk *b)
{
    struct crowded_search *search = context;
    struct neighbours *near = search->neighbours;
    const int is_ordered = a->particle < b->particle;
    const struct overlap_disk *from = is_ordered ? a : b;
    const struct overlap_disk *to = is_ordered ? b : a;
    const struct particle *p = &search->system->particles[from->particle];
    const struct particle *q = &search->system->particles[to->particle];
    const uint32_t cell = near->cell[from->particle];
    const uint32_t other = near->cell[to->particle];
    const uint32_t column =
        column_of_image(other % near->columns, near->columns, (to->x != q->x) - (from->x != p->x));
    const uint32_t row =
        column_of_image(other / near->columns, near->rows, (to->y != q->y) - (from->y != p->y));
    if (column + 1 - cell % near->columns > 2 || row + 1 - cell / near->columns > 2 ||
        from->particle == to->particle)
        return 0;
    struct neighbours_pair *pairs = memory_grow(near->pairs, near->pair_count, &near->pair_room,
                                                sizeof *pairs, "the neighbours", search->error);
    if (!pairs) {
        search->status = STATUS_NO_MEMORY;
        return 1;
    }
    near->pairs = pairs;
    near->pairs[near->pair_count++] =
        (struct neighbours_pair){{from->particle, row * near->columns + column, to->particle}};
    return 0;
}

/* Sorts pairs by one of their numbers, which is less than `end`; equal ones stay in their order. */
static void sort_pairs(const struct neighbours_pair *pairs, struct neighbours_pair *sorted,
                       size_t count, int key, size_t *begins, size_t end)
{
    memset(begins, 0, (end + 1) * sizeof *begins);
    for (size_t k = 0; k < count; k++)
        begins[pairs[k].number[key] + 1]++;
    for (size_t k = 0; k < end; k++)
        begins[k + 1] += begins[k];
    for (size_t k = 0; k < count; k++)
        sorted[begins[pairs[k].number[key]]++] = pairs[k];
}

/* Sorts the pairs into the order of the cell list, and drops those that stand there twice. */
static enum status order_pairs(struct neighbours *near, size_t particles, struct error *error)
{
    const size_t cells = (size_t)near->columns * near->rows;
    const size_t count = near->pair_count;
    size_t *begins = memory_allocate((cells > particles ? cells : particles) + 1, sizeof *begins,
                                     "the neighbours", error);
    struct neighbours_pair *sorted =
        begins ? memory_allocate(near->pair_room, sizeof *sorted, "the neighbours", error) : NULL;
    if (sorted) {
        sort_pairs(near->pairs, sorted, count, PAIR_SECOND, begins, particles);
        sort_pairs(sorted, near->pairs, count, PAIR_CELL, begins, cells);
        sort_pairs(near->pairs, sorted, count, PAIR_FIRST, begins, particles);
        near->pair_count = 0;
        for (size_t k = 0; k < count; k++)
            if (k == 0 || memcmp(&sorted[k], &sorted[k - 1], sizeof *sorted) != 0)
                near->pairs[near->pair_count++] = sorted[k];
    }
    memory_free(begins);
    memory_free(sorted);
    return sorted ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Finds the pairs, unless a position is too far outside of the box: then `is_crowded` stays 0. */
static enum status find_crowded_pairs(struct neighbours *near, const struct system *system,
                                      double range, double gap, struct error *error)
{
    const double width = system->boundary.width;
    const double height = system->boundary.height;
    struct crowded_search search = {near, system, STATUS_DONE, error};
    struct overlap_range reach = {gap < range,
                                  fmin(gap, range) / 2 + system_rounding(2 * (width + height)), 0};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        if (!(fabs(p->x) < 2 * width && fabs(p->y) < 2 * height))
            return STATUS_DONE;
        reach.outside =
            fmax(reach.outside, fmax(fmax(-p->x, p->x - width), fmax(-p->y, p->y - height)));
    }
    near->is_crowded = 1;
    near->pair_count = 0;
    enum status status = overlap_visit_pairs(system, &reach, add_crowded_pair, &search, error);
    if (!status)
        status = search.status;
    if (!status && near->pair_count > 0)
        status = order_pairs(near, system->count, error);
    return status;
}

enum status neighbours_find_pairs(struct neighbours *neighbours, const struct system *system,
                                  double range, double gap, struct error *error)
{
    enum status status = neighbours_find_cells(neighbours, system, range, error);
    if (!status && is_crowded(neighbours, system, range, gap))
        status = find_crowded_pairs(neighbours, system, range, gap, error);
    if (status || neighbours->is_crowded)
        return status;
    return neighbours_list(neighbours, system, error);
}

void neighbours_free(struct neighbours *neighbours)
{
    memory_free(neighbours->first);
    memory_free(neighbours->cell);
    memory_free(neighbours->x);
    memory_free(neighbours->number);
    memory_free(neighbours->pairs);
    *neighbours = (struct neighbours){0};
}

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

enum status frame_create(struct frame *frame, const struct boundary *boundary, size_t count,
                         struct error *error)
{
    static const char what[] = "the positions of --structure";
    *frame = (struct frame){.count = count, .boundary = *boundary};
    choose_grid(frame);
    const size_t cells = (size_t)(frame->columns * frame->rows);
    frame->x = memory_allocate(4 * count, sizeof *frame->x, what, error);
    if (frame->x)
        frame->numbers =
            memory_allocate(2 * count + cells + 1, sizeof *frame->numbers, what, error);
    if (!frame->numbers)
        return STATUS_NO_MEMORY;
    frame->y = frame->x + count;
    frame->sorted_x = frame->y + count;
    frame->sorted_y = frame->sorted_x + count;
    frame->cells = frame->numbers + count;
    frame->begins = frame->cells + count;
    return STATUS_DONE;
}

void frame_free(struct frame *frame)
{
    memory_free(frame->x);
    memory_free(frame->numbers);
    *frame = (struct frame){0};
}

void frame_sort(struct frame *frame)
{
    const size_t cells = (size_t)(frame->columns * frame->rows);
    uint32_t *begins = frame->begins;
    memset(begins, 0, (cells + 1) * sizeof *begins);
    for (size_t k = 0; k < frame->count; k++) {
        const uint32_t columns = (uint32_t)frame->columns;
        frame->cells[k] =
            boundary_locate(frame->x[k], frame->side_x, columns) +
            columns * boundary_locate(frame->y[k], frame->side_y, (uint32_t)frame->rows);
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
static int64_t frame_find_image(int64_t place, int64_t count)
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
    const int64_t x_image = frame_find_image(*column, columns);
    const int64_t y_image = frame_find_image(row, frame->rows);
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
