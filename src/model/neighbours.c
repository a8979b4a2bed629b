/*
 * Lists of neighbours; see neighbours.h. The cell list is a counting sort.
 *
 * Cells are as wide as the longest range. Where one disk is much larger than most, or most are in a
 * small part of the box, a few cells have nearly all members. Then the search for overlaps, whose
 * levels of size have bounds of their own, finds the pairs of a Verlet list.
 */
#include "model/neighbours.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "model/overlap.h"

#include <math.h>
#include <string.h>

/* Cells are crowded if members have more than CROWDED_MEMBERS in their cell, on average, and cells
 * are CROWDED_AREA times as large as would do for particles of the mean radius. */
static const double CROWDED_MEMBERS = 32, CROWDED_AREA = 16;

/* In units of the mean distance at which particles are near each other: the skin; and the move in a
 * use that is assumed at first. */
static const double MIN_SKIN = 0.02, MAX_SKIN = 0.5, FIRST_MOVE = 0.004;

static const double MEMBERS = 2; /* of a cell of a map, about: this was the quickest */

static const char NEIGHBOURS[] = "the neighbours";

/* Two or more along a periodic axis: a particle and its image are never in adjacent ones. */
static uint32_t neighbours_columns(double length, double range, double max, unsigned is_periodic)
{
    return (uint32_t)fmax(is_periodic ? 2 : 1, fmin(floor(length / range), max));
}

/* There are few enough cells that empty ones cost little. */
static void choose_cells(struct grid *grid, const struct boundary *boundary, size_t count,
                         double range)
{
    const double max = 4 * (double)count + 16;
    const double min_size = fmax(range, sqrt(boundary->width / max) * sqrt(boundary->height));
    const uint32_t columns =
        neighbours_columns(boundary->width, min_size, max, boundary->periodic & PERIODIC_X);
    const uint32_t rows =
        neighbours_columns(boundary->height, min_size, max, boundary->periodic & PERIODIC_Y);
    grid->columns = columns + 2;
    grid->rows = rows + 2;
    grid->width = boundary->width / columns;
    grid->height = boundary->height / rows;
}

static uint32_t column_of(double x, double width, uint32_t columns)
{
    return 1 + boundary_locate(x, width, columns - 2);
}

uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y)
{
    const struct grid *grid = &neighbours->grid;
    return column_of(y, grid->height, grid->rows) * grid->columns +
           column_of(x, grid->width, grid->columns);
}

/* How many sides of the box a column (or row) is from its image in the ring; 0: it has none. */
static int find_image(uint32_t column, uint32_t columns, unsigned is_periodic)
{
    return is_periodic ? (column == 1) - (column == columns - 2) : 0;
}

/* The column (or row) that lists a particle, or its image `shift` sides away. */
static uint32_t column_of_image(uint32_t column, uint32_t columns, int shift)
{
    return shift == 0 ? column : shift > 0 ? columns - 1 : 0;
}

/* Lists a particle and its images; or only counts them, if `is_counting`. */
static void list_particle(struct neighbours *near, const struct boundary *boundary,
                          const struct particle *p, size_t k, int is_counting)
{
    struct grid *grid = &near->grid;
    const uint32_t column = column_of(p->x, grid->width, grid->columns);
    const uint32_t row = column_of(p->y, grid->height, grid->rows);
    const int right = find_image(column, grid->columns, boundary->periodic & PERIODIC_X);
    const int up = find_image(row, grid->rows, boundary->periodic & PERIODIC_Y);
    for (int image = 0; image < 4; image++) {
        const int x_shift = image & 1 ? right : 0, y_shift = image & 2 ? up : 0;
        if ((image & 1 && right == 0) || (image & 2 && up == 0))
            continue;
        const uint32_t cell = column_of_image(row, grid->rows, y_shift) * grid->columns +
                              column_of_image(column, grid->columns, x_shift);
        const uint32_t at = grid_put(grid, cell);
        if (is_counting)
            continue;
        near->x[at] = p->x + x_shift * boundary->width;
        near->y[at] = p->y + y_shift * boundary->height;
        near->number[at] = (uint32_t)k;
    }
}

/* What threads do with the particles, which are shared among them by rows: then no two of them list
 * in one cell, for the images of a row are in a row or column of the ring that has no others. */
struct neighbours_work {
    struct neighbours *near;
    const struct system *system;
    struct thread_pool *pool;
    int is_counting;
};

static void find_rows(void *user, size_t begin, size_t end)
{
    const struct neighbours_work *work = user;
    const struct grid *grid = &work->near->grid;
    for (size_t k = begin; k < end; k++)
        work->near->rows[k] = column_of(work->system->particles[k].y, grid->height, grid->rows);
}

static void list_share(void *user, unsigned number)
{
    const struct neighbours_work *work = user;
    const size_t rows = work->near->grid.rows;
    const size_t begin = thread_pool_share(work->pool, rows, number);
    const size_t end = thread_pool_share(work->pool, rows, number + 1);
    for (size_t k = 0; k < work->system->count; k++)
        if (work->near->rows[k] - begin < end - begin)
            list_particle(work->near, &work->system->boundary, &work->system->particles[k], k,
                          work->is_counting);
}

/* Lists the members, which are counted. */
static enum status neighbours_list(struct neighbours *near, const struct system *system,
                                   struct thread_pool *pool, struct error *error)
{
    struct neighbours_work work = {near, system, pool, 0};
    near->x = memory_reserve(near->x, &near->x_room, 2 * near->count + 1, sizeof *near->x,
                             NEIGHBOURS, error);
    near->number = memory_reserve(near->number, &near->list_room, near->count, sizeof *near->number,
                                  NEIGHBOURS, error);
    if (!near->x || !near->number)
        return STATUS_NO_MEMORY;
    near->y = near->x + near->count;
    thread_pool_run(pool, list_share, &work);
    return STATUS_DONE;
}

enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error)
{
    const struct pair_shift periods = boundary_periods(boundary);
    const double side = fmin(periods.x, periods.y);
    if (range <= side / 2)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "%s reaches %g far, which is more than half of a periodic side, %g: let it "
                     "reach less far, or take a larger box",
                     name, range, side / 2);
}

/* Chooses the cells, and counts their members. */
static enum status neighbours_find_cells(struct neighbours *neighbours, const struct system *system,
                                         double range, struct thread_pool *pool,
                                         struct error *error)
{
    struct neighbours_work work = {neighbours, system, pool, 1};
    choose_cells(&neighbours->grid, &system->boundary, system->count, range);
    neighbours->rows = memory_reserve(neighbours->rows, &neighbours->row_room, system->count,
                                      sizeof *neighbours->rows, NEIGHBOURS, error);
    if (!neighbours->rows || grid_count(&neighbours->grid, NEIGHBOURS, error))
        return STATUS_NO_MEMORY;
    thread_pool_divide(pool, system->count, find_rows, &work);
    thread_pool_run(pool, list_share, &work);
    neighbours->count = grid_begin(&neighbours->grid);
    return STATUS_DONE;
}

enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct thread_pool *pool, struct error *error)
{
    enum status status = neighbours_find_cells(neighbours, system, range, pool, error);
    return status ? status : neighbours_list(neighbours, system, pool, error);
}

/* The mean distance at which particles are near each other. */
static double verlet_reach(const struct system *system, double range, double gap)
{
    double radii = system->kinds ? 0 : (double)system->count * system->radius;
    for (size_t k = 0; k < system->count && system->kinds; k++)
        radii += system_radius(system, &system->particles[k]);
    return fmin(range, 2 * radii / (double)system->count + gap);
}

/* Of cells whose members are counted: first[k + 1] is where the members of cell k begin. */
static int is_crowded(const struct verlet_list *list)
{
    const struct grid *cells = &list->cells.grid;
    const double mean = verlet_reach(list->system, list->range, list->gap);
    double squares = 0;
    if (!(cells->width * cells->height > CROWDED_AREA * mean * mean))
        return 0;
    for (size_t k = 0; k < (size_t)cells->columns * cells->rows; k++) {
        const double members = cells->first[k + 2] - cells->first[k + 1];
        squares += members * members;
    }
    return squares > CROWDED_MEMBERS * (double)list->system->count;
}

/* Copies the present positions, and compares them with those when the list was made. */
static void verlet_move_part(void *user, size_t begin, size_t end)
{
    struct verlet_list *list = user;
    int is_stale = 0;
    for (size_t k = begin; k < end; k++) {
        const struct particle *p = &list->system->particles[k];
        const double dx = boundary_nearest(p->x - list->origin[k].x, list->period.x);
        const double dy = boundary_nearest(p->y - list->origin[k].y, list->period.y);
        is_stale |= !(dx * dx + dy * dy <= list->limit * list->limit);
        list->at[k] = (struct verlet_position){p->x, p->y};
    }
    if (is_stale)
        list->is_stale = 1;
}

/* Writes the neighbours of a particle to `numbers`, unless that is NULL, and counts them. */
COMPILER_INLINE uint32_t verlet_collect(const struct verlet_list *list, size_t k, uint32_t *numbers)
{
    const struct neighbours *cells = &list->cells;
    const struct particle *particles = list->system->particles;
    const double range = list->range * list->range;
    const uint32_t cell = neighbours_cell(cells, list->at[k].x, list->at[k].y);
    uint32_t count = 0;
    for (int row = -1; row <= 1; row++) {
        const struct neighbours_span span = neighbours_around(cells, cell, row);
        for (uint32_t at = span.begin; at < span.end; at++) {
            const double dx = cells->x[at] - list->at[k].x, dy = cells->y[at] - list->at[k].y;
            const double square = dx * dx + dy * dy;
            const uint32_t j = cells->number[at];
            if (!(square < range) || j == k)
                continue;
            const double near = system_contact(list->system, &particles[k], &particles[j]);
            if (!(square < (near + list->gap) * (near + list->gap)))
                continue;
            if (numbers)
                numbers[count] = j;
            count++;
        }
    }
    return count;
}

static void verlet_count_part(void *user, size_t begin, size_t end)
{
    struct verlet_list *list = user;
    for (size_t k = begin; k < end; k++)
        list->counts[k] = verlet_collect(list, k, NULL);
}

/* Puts the neighbours of particles in order. In a box of two cells, they are found twice. */
static void verlet_order_part(void *user, size_t begin, size_t end)
{
    struct verlet_list *list = user;
    for (size_t k = begin; k < end; k++) {
        uint32_t *numbers = list->numbers + list->begins[k];
        uint32_t count = 0;
        elementary_sort_numbers(numbers, list->counts[k]);
        for (uint32_t n = 0; n < list->counts[k]; n++)
            if (count == 0 || numbers[n] != numbers[count - 1])
                numbers[count++] = numbers[n];
        list->counts[k] = count;
        if (count % 2 == 1)
            numbers[count] = (uint32_t)list->system->count;
    }
}

static void verlet_fill_part(void *user, size_t begin, size_t end)
{
    struct verlet_list *list = user;
    for (size_t k = begin; k < end; k++)
        verlet_collect(list, k, list->numbers + list->begins[k]);
    verlet_order_part(list, begin, end);
}

/* Makes room for as many neighbours as are counted. */
static enum status verlet_reserve_numbers(struct verlet_list *list, struct error *error)
{
    size_t sum = 0;
    for (size_t k = 0; k < list->system->count; k++) {
        list->begins[k] = sum;
        sum += list->counts[k] + list->counts[k] % 2;
    }
    list->numbers = memory_reserve(list->numbers, &list->number_room, sum, sizeof *list->numbers,
                                   NEIGHBOURS, error);
    return list->numbers ? STATUS_DONE : STATUS_NO_MEMORY;
}

struct neighbours_crowd {
    struct neighbours_pair {
        uint32_t i, j;
    } * pairs; /* owned */
    size_t count, room;
    enum status status;
    struct error *error;
};

static int add_crowded_pair(void *context, const struct overlap_disk *a,
                            const struct overlap_disk *b)
{
    struct neighbours_crowd *search = context;
    if (a->particle == b->particle)
        return 0;
    search->pairs = memory_extend(search->pairs, search->count, &search->room,
                                  sizeof *search->pairs, NEIGHBOURS, search->error);
    if (!search->pairs) {
        search->status = STATUS_NO_MEMORY;
        return 1;
    }
    search->pairs[search->count++] = (struct neighbours_pair){a->particle, b->particle};
    return 0;
}

/* Lists pairs, each for both of its particles. */
static enum status list_crowded_pairs(struct verlet_list *list,
                                      const struct neighbours_crowd *search)
{
    memset(list->counts, 0, list->system->count * sizeof *list->counts);
    for (size_t k = 0; k < search->count; k++) {
        list->counts[search->pairs[k].i]++;
        list->counts[search->pairs[k].j]++;
    }
    if (verlet_reserve_numbers(list, search->error))
        return STATUS_NO_MEMORY;
    memset(list->counts, 0, list->system->count * sizeof *list->counts);
    for (size_t k = 0; k < search->count; k++) {
        const struct neighbours_pair *pair = &search->pairs[k];
        list->numbers[list->begins[pair->i] + list->counts[pair->i]++] = pair->j;
        list->numbers[list->begins[pair->j] + list->counts[pair->j]++] = pair->i;
    }
    verlet_order_part(list, 0, list->system->count);
    return STATUS_DONE;
}

static enum status find_crowded_pairs(struct verlet_list *list, double outside, struct error *error)
{
    const struct boundary *boundary = &list->system->boundary;
    struct neighbours_crowd search = {.error = error};
    const struct overlap_range reach = {list->gap < list->range,
                                        fmin(list->gap, list->range) / 2 +
                                            pair_rounding(2 * (boundary->width + boundary->height)),
                                        outside};
    enum status status =
        overlap_visit_pairs(list->system, &reach, add_crowded_pair, &search, error);
    if (!status && !(status = search.status))
        status = list_crowded_pairs(list, &search);
    memory_free(search.pairs);
    return status;
}

/* How far a particle is outside of the box. */
static double verlet_outside(const struct system *system)
{
    const double width = system->boundary.width, height = system->boundary.height;
    double outside = 0;
    for (size_t k = 0; k < system->count; k++) {
        const double x = system->particles[k].x, y = system->particles[k].y;
        const double farthest = fmax(fmax(-x, x - width), fmax(-y, y - height));
        outside = isfinite(x) && isfinite(y) ? fmax(outside, farthest) : (double)INFINITY;
    }
    return outside;
}

static enum status verlet_make(struct verlet_list *list, double range, double gap,
                               struct thread_pool *pool, struct error *error)
{
    const struct system *system = list->system;
    const double outside = verlet_outside(system);
    const double reach = verlet_reach(system, range, gap);
    const double moved = list->age > 0 ? list->skin / (2 * list->age) : FIRST_MOVE * reach;
    /* The best skin grows with the square root of the moves: then it takes about as long to make
     * lists as to look at what is in the skin. */
    list->skin = fmin(fmax(2 * sqrt(moved * reach), MIN_SKIN * reach), MAX_SKIN * reach);
    list->range = range + list->skin;
    list->gap = gap + list->skin;
    list->age = 0;
    memcpy(list->origin, list->at, system->count * sizeof *list->at);
    enum status status =
        neighbours_find_cells(&list->cells, system, list->range + outside, pool, error);
    if (!status && is_crowded(list) &&
        outside < fmin(system->boundary.width, system->boundary.height))
        return find_crowded_pairs(list, outside, error);
    if (!status)
        status = neighbours_list(&list->cells, system, pool, error);
    if (status)
        return status;
    thread_pool_divide(pool, system->count, verlet_count_part, list);
    status = verlet_reserve_numbers(list, error);
    if (!status)
        thread_pool_divide(pool, system->count, verlet_fill_part, list);
    return status;
}

/* Makes room for the particles of a system, with nothing known about them. */
static enum status verlet_reserve(struct verlet_list *list, const struct system *system,
                                  struct error *error)
{
    const size_t count = system->count;
    if (list->room != count)
        verlet_free(list);
    list->system = system;
    if (list->room == count)
        return STATUS_DONE;
    list->at = memory_allocate(2 * count + 1, sizeof *list->at, NEIGHBOURS, error);
    list->begins = memory_allocate(count, sizeof *list->begins, NEIGHBOURS, error);
    list->counts = memory_allocate(count, sizeof *list->counts, NEIGHBOURS, error);
    if (!list->at || !list->begins || !list->counts)
        return STATUS_NO_MEMORY;
    list->room = count;
    list->origin = list->at + count + 1;
    for (size_t k = 0; k <= 2 * count; k++)
        list->at[k] = (struct verlet_position){(double)INFINITY, (double)INFINITY};
    list->period = boundary_periods(&system->boundary);
    return STATUS_DONE;
}

enum status verlet_update(struct verlet_list *list, const struct system *system, double range,
                          double gap, struct thread_pool *pool, struct error *error)
{
    static const double part = 0.499; /* a little less than half, because of rounding errors */
    enum status status = verlet_reserve(list, system, error);
    if (status)
        return status;
    list->limit = part * fmin(list->range - range, list->gap - gap);
    list->is_stale = !(list->limit >= 0);
    thread_pool_divide(pool, system->count, verlet_move_part, list);
    status = list->is_stale ? verlet_make(list, range, gap, pool, error) : STATUS_DONE;
    list->age++;
    return status;
}

void verlet_free(struct verlet_list *list)
{
    neighbours_free(&list->cells);
    memory_free(list->at);
    memory_free(list->begins);
    memory_free(list->counts);
    memory_free(list->numbers);
    *list = (struct verlet_list){0};
}

void neighbours_free(struct neighbours *neighbours)
{
    memory_free(neighbours->grid.first);
    memory_free(neighbours->x);
    memory_free(neighbours->number);
    memory_free(neighbours->rows);
}

enum status neighbours_map_create(struct neighbours_map *map, const struct boundary *boundary,
                                  size_t count, struct error *error)
{
    static const char what[] = "the positions of --structure";
    const double wanted = fmax(1, (double)count / MEMBERS);
    const double columns =
        fmin(fmax(1, sqrt(wanted * (boundary->width / boundary->height))), wanted);
    *map = (struct neighbours_map){.count = count, .boundary = *boundary};
    map->grid.columns = (uint32_t)columns;
    map->grid.rows = (uint32_t)fmax(1, wanted / columns);
    map->grid.width = boundary->width / map->grid.columns;
    map->grid.height = boundary->height / map->grid.rows;
    map->x = memory_allocate(4 * count, sizeof *map->x, what, error);
    if (map->x)
        map->numbers = memory_allocate(count, sizeof *map->numbers, what, error);
    if (!map->numbers || grid_count(&map->grid, what, error))
        return STATUS_NO_MEMORY;
    map->y = map->x + count;
    map->sorted_x = map->y + count;
    map->sorted_y = map->sorted_x + count;
    return STATUS_DONE;
}

void neighbours_map_free(struct neighbours_map *map)
{
    memory_free(map->x);
    memory_free(map->numbers);
    memory_free(map->grid.first);
}

void neighbours_map_sort(struct neighbours_map *map)
{
    struct grid *grid = &map->grid;
    struct error error; /* there is room already */
    grid_count(grid, "", &error);
    for (size_t k = 0; k < map->count; k++)
        if (map->x[k] < (double)INFINITY)
            grid_put(grid, grid_cell(grid, map->x[k], map->y[k]));
    grid_begin(grid);
    for (size_t k = 0; k < map->count; k++) {
        if (!(map->x[k] < (double)INFINITY))
            continue;
        const uint32_t index = grid_put(grid, grid_cell(grid, map->x[k], map->y[k]));
        map->numbers[index] = (uint32_t)k;
        map->sorted_x[index] = map->x[k];
        map->sorted_y[index] = map->y[k];
    }
}

/* The image in which a column (or row) of cells is: 0 is the box. */
static int64_t neighbours_map_image(int64_t column, int64_t count)
{
    return column >= 0 ? column / count : -((count - 1 - column) / count);
}

int neighbours_map_span(const struct neighbours_map *map, int64_t row, int64_t *column,
                        int64_t last, struct neighbours_map_span *span)
{
    const int64_t columns = map->grid.columns, rows = map->grid.rows;
    const struct boundary *boundary = &map->boundary;
    if (!(boundary->periodic & PERIODIC_Y) && (row < 0 || row >= rows))
        return 0;
    if (!(boundary->periodic & PERIODIC_X)) {
        *column = *column > 0 ? *column : 0;
        last = last < columns ? last : columns - 1;
    }
    if (*column > last)
        return 0;
    const int64_t x_image = neighbours_map_image(*column, columns);
    const int64_t y_image = neighbours_map_image(row, rows);
    const uint32_t *cells = &map->grid.first[(row - y_image * rows) * columns];
    const int64_t end = (x_image + 1) * columns;
    const int64_t next = last + 1 < end ? last + 1 : end;
    span->begin = cells[*column - x_image * columns];
    span->end = cells[next - x_image * columns];
    span->shift =
        (struct pair_shift){(double)x_image * boundary->width, (double)y_image * boundary->height};
    *column = next;
    return 1;
}
