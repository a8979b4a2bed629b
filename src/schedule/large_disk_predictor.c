/*
 * Forecasts of giants; see large_disks_predict.h.
 *
 * The rule is that of predictor.c: of two that are neighbours, at least the one that was forecast
 * last knows of their collision. A giant's neighbours are all that are in the cells of its block,
 * and the giants whose blocks overlap its own. When the giant goes on by a cell, so does its block,
 * and only what is in the column or row of cells ahead is new.
 */
#include "large_disk_predictor.h"

void large_disks_consider(const struct predictor *predictor, uint32_t k,
                          struct prediction *prediction, uint32_t cell)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    for (const struct large_disks_link *link = large_disks_at(large_disks, cell); link;
         link = large_disks_next(large_disks, link))
        prediction_consider_each(predictor->system, k, prediction, &link->large_disk, 1);
}

/* Those that a giant may meet, to be considered when there are enough of them. */
struct candidates {
    uint32_t list[CELL_LIST_NEIGHBOURS];
    size_t count;
};

static void consider_candidates(const struct predictor *predictor, uint32_t large_disk,
                                struct prediction *prediction, struct candidates *candidates)
{
    prediction_consider_list(predictor->system, large_disk, prediction, candidates->list,
                             candidates->count, 0, predictor->kinds, predictor->contact);
    candidates->count = 0;
}

/*
 * Considers the collisions of a giant with all that are in some columns of a row, which may be
 * none. Giants that stand on the lists of many cells are tested as often; but there are few.
 */
static void consider_row(const struct predictor *predictor, uint32_t large_disk,
                         struct prediction *prediction, uint32_t row, uint32_t left, uint32_t right,
                         struct candidates *candidates)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    for (uint32_t column = left; column <= right; column++) {
        uint32_t cell = cell_list_at(cell_list, column, row);
        uint32_t state =
            cell_list_gather(&cell_list->cells[cell], candidates->list, &candidates->count);
        if (cell_list_overflows(state))
            prediction_consider_chain(predictor->system, large_disk, prediction, cell_list, cell);
        large_disks_consider(predictor, large_disk, prediction, cell);
        if (candidates->count > CELL_LIST_NEIGHBOURS - CELL_LIST_MEMBERS - CELL_LIST_SLACK - 1)
            consider_candidates(predictor, large_disk, prediction, candidates);
    }
}

/* The same for a block, without the cells that the giant itself covers: nobody is there. */
static void consider_block(const struct predictor *predictor, uint32_t large_disk,
                           struct prediction *prediction, const struct large_disks_block *block)
{
    const struct system *system = predictor->system;
    const struct cell_list *cell_list = &predictor->cell_list;
    struct candidates candidates = {.count = 0};
    double radius = system_radius(system, &system->particles[large_disk]);
    uint32_t column = cell_list_column(cell_list, prediction->cell);
    for (uint32_t row = block->bottom; row <= block->top; row++) {
        uint32_t covered = large_disks_covered(cell_list, prediction->cell, radius, row);
        uint32_t left = column - covered;
        uint32_t right = covered > 0 ? column + covered : column + 1;
        consider_row(predictor, large_disk, prediction, row, block->left,
                     left < block->right ? left : block->right, &candidates);
        consider_row(predictor, large_disk, prediction, row,
                     right > block->left ? right : block->left, block->right, &candidates);
    }
    consider_candidates(predictor, large_disk, prediction, &candidates);
}

void large_disks_predict(struct predictor *predictor, uint32_t k)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    struct prediction *prediction = &predictor->predictions[k];
    struct large_disks_block block = large_disks_block(
        &predictor->large_disks, cell_list, predictor->system->particles[k].kind, prediction->cell);
    prediction_clear(prediction);
    consider_block(predictor, k, prediction, &block);
    prediction_consider_wall(predictor->system, k, prediction);
    prediction_crossing(predictor->system, k, prediction, cell_list,
                        cell_list_column(cell_list, prediction->cell),
                        cell_list_row(cell_list, prediction->cell));
}

/* What a giant's block has, when it goes on by one cell, that it had not before. */
static struct large_disks_block block_ahead(struct large_disks_block before,
                                            struct large_disks_block block)
{
    if (block.right > before.right)
        block.left = block.right;
    else if (block.left < before.left)
        block.right = block.left;
    else if (block.top > before.top)
        block.bottom = block.top;
    else if (block.bottom < before.bottom)
        block.top = block.bottom;
    else
        block.left = block.right + 1; /* nothing */
    return block;
}

void large_disks_cross(struct predictor *predictor, uint32_t k)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    struct prediction *prediction = &predictor->predictions[k];
    uint32_t kind = predictor->system->particles[k].kind;
    struct large_disks_block before =
        large_disks_block(&predictor->large_disks, cell_list, kind, prediction->cell);
    prediction->cell += (uint32_t)prediction->step;
    struct large_disks_block block =
        large_disks_block(&predictor->large_disks, cell_list, kind, prediction->cell);
    struct large_disks_block behind = block_ahead(block, before);
    struct large_disks_block ahead = block_ahead(before, block);
    large_disks_remove(&predictor->large_disks, cell_list, &behind, k);
    consider_block(predictor, k, prediction, &ahead);
    large_disks_add(&predictor->large_disks, cell_list, &ahead, k);
    prediction_crossing(predictor->system, k, prediction, cell_list,
                        cell_list_column(cell_list, prediction->cell),
                        cell_list_row(cell_list, prediction->cell));
}
