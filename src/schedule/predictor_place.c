/*
 * Where the cells schedule puts the particles: which cells there are, who is in which, and in which
 * order the particles stand in memory. It is chosen at the start and again from time to time, as
 * the particles spread; see predictor.h.
 */
#include "model/physics.h"
#include "model/polygon_grid.h"
#include "predictor.h"

#include <math.h>
#include <string.h>

/* Members in the cell of a member; and the part of them that smaller cells must leave at most. */
static const double USUAL_CROWDING = 2;
static const double MOST_CROWDING = 6;
static const double LEAST_GAIN = 0.9;
/* Cells for points are not smaller than this part of the box: they would cross too many of them. */
static const double LEAST_PART = 1e-6;

/* How many of `count` columns (or rows) `length` reaches into, from `first` to `last`. */
static uint32_t count_columns(const struct cell_list_shape *shape, uint32_t first, uint32_t last,
                              uint32_t count, double length, double side)
{
    if (!shape->is_folded)
        return last - first + 1;
    return (uint32_t)fmin(ceil(length / side) + 1, count);
}

void predictor_mark_polygons(const struct cell_list *list, const struct polygon_grid *grid,
                             unsigned char *has_polygons)
{
    const struct cell_list_shape *shape = &list->shape;
    memset(has_polygons, 0, ((size_t)shape->columns + 2) * ((size_t)shape->rows + 2));
    for (uint32_t k = 0; k < grid->columns * grid->rows; k++) {
        if (grid->first[k] == grid->first[k + 1])
            continue;
        const double x = k % grid->columns * grid->width;
        const double y = (double)(k / grid->columns) * grid->height;
        const uint32_t first = cell_list_locate(list, x, y);
        const uint32_t last = cell_list_locate(list, x + grid->width, y + grid->height);
        const uint32_t left = cell_list_column(list, first);
        const uint32_t bottom = cell_list_row(list, first);
        const uint32_t columns = count_columns(shape, left, cell_list_column(list, last),
                                               shape->columns, grid->width, shape->width);
        const uint32_t rows = count_columns(shape, bottom, cell_list_row(list, last), shape->rows,
                                            grid->height, shape->height);
        for (uint32_t row = bottom; row < bottom + rows; row++)
            for (uint32_t column = left; column < left + columns; column++)
                has_polygons[cell_list_at(list, column % shape->columns, row % shape->rows)] = 1;
    }
}

/* Puts every particle into the cell where it is at time `now`. */
static void place_all(struct predictor *predictor, const struct cell_list_shape *shape, double now)
{
    struct system *system = predictor->system;
    struct cell_list *cell_list = &predictor->cell_list;
    cell_list_reset(cell_list, shape);
    if (predictor->has_polygons)
        predictor_mark_polygons(cell_list, system->boundary.polygons->grid,
                                predictor->has_polygons);
    large_disks_reset(&predictor->large_disks, system, cell_list, now);
    predictor_find_special(predictor);
    for (uint32_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double x = physics_coordinate(p->x, p->u, p->t, now);
        double y = physics_coordinate(p->y, p->v, p->t, now);
        uint32_t cell = cell_list_locate(cell_list, x, y);
        predictor->predictions[k].cell = cell;
        if (predictor_is_large(predictor, k)) {
            struct large_disks_block block =
                large_disks_block(&predictor->large_disks, cell_list, p->kind, cell);
            large_disks_add(&predictor->large_disks, cell_list, &block, k);
        } else {
            cell_list_add(cell_list, cell, k);
        }
    }
}

/* The order in which the particles are to stand in memory: cell by cell, then the large disks. */
static void find_order(struct predictor *predictor)
{
    size_t place = cell_list_order(&predictor->cell_list, predictor->order);
    for (uint32_t k = 0; k < predictor->system->count && place < predictor->system->count; k++)
        if (predictor_is_large(predictor, k))
            predictor->order[place++] = k;
}

/*
 * Whether every particle is in the box or not much farther away. Those of a forged checkpoint may
 * not be. Then cells are not folded: they have no end, and where a coordinate has no digits left
 * for a cell, its particle would cross one after the other and get nowhere.
 */
static int are_near(const struct system *system, double reach, double now)
{
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        if (!(fabs(physics_coordinate(p->x, p->u, p->t, now)) <= 2 * reach &&
              fabs(physics_coordinate(p->y, p->v, p->t, now)) <= 2 * reach))
            return 0;
    }
    return 1;
}

/*
 * Takes smaller cells, and folds them, as long as they are crowded: as many times smaller as would
 * do if the members of a cell were spread over all of it. They are not, where a crowd is small
 * against its cell; then the next time is the better one. Large disks, which know the columns that
 * they cover, forbid it.
 */
static void refine(struct predictor *predictor, struct cell_list_shape *shape, double widest,
                   double now)
{
    const struct system *system = predictor->system;
    const double reach = cell_list_reach(system, now);
    const double longer = fmax(system->boundary.width, system->boundary.height);
    const double part = widest > 0 ? 0 : LEAST_PART;
    const double least = fmax(cell_list_least_side(widest, reach), part * longer);
    struct cell_list_shape finer = *shape;
    double least_crowding = cell_list_crowding(&predictor->cell_list, system->count);
    double crowding = least_crowding;
    if (crowding > MOST_CROWDING && !are_near(system, reach, now))
        return;
    while (crowding > MOST_CROWDING && predictor->large_disks.count == 0 &&
           cell_list_refine(&system->boundary, &finer, fmin(0.5, sqrt(USUAL_CROWDING / crowding)),
                            least)) {
        place_all(predictor, &finer, now);
        crowding = cell_list_crowding(&predictor->cell_list, system->count);
        if (crowding < LEAST_GAIN * least_crowding) {
            least_crowding = crowding;
            *shape = finer;
        }
    }
    if (finer.width < shape->width || finer.height < shape->height) /* the last try was of no use */
        place_all(predictor, shape, now);
}

void predictor_place(struct predictor *predictor, double now)
{
    struct system *system = predictor->system;
    struct cell_list_shape shape;
    double widest = fmax(predictor->search.contact, predictor->large_disks.side);
    cell_list_choose_shape(system, widest, now, &shape);
    place_all(predictor, &shape, now);
    refine(predictor, &shape, widest, now);
    find_order(predictor);
    cell_list_permute(system, predictor->order);
    place_all(predictor, &shape, now);
}
