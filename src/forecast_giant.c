/*
 * Forecasts of giants; see forecast_giant.h.
 *
 * The rule is that of forecast.c: of two that are neighbours, at least the one that was forecast
 * last knows of their collision. A giant's neighbours are all that are in the cells of its block,
 * and the giants whose blocks overlap its own. When the giant goes on by a cell, so does its block,
 * and only what is in the column or row of cells ahead is new.
 */
#include "forecast_giant.h"

void forecast_with_giants(const struct forecast *forecast, uint32_t k, struct plan *plan,
                          uint32_t cell)
{
    const struct giants *giants = &forecast->giants;
    for (const struct giants_link *link = giants_at(giants, cell); link;
         link = giants_next(giants, link))
        plan_consider_each(forecast->system, k, plan, &link->giant, 1);
}

/* Those that a giant may meet, to be considered when there are enough of them. */
struct candidates {
    uint32_t list[GRID_NEIGHBOURS];
    size_t count;
};

static void consider_candidates(const struct forecast *forecast, uint32_t giant, struct plan *plan,
                                struct candidates *candidates)
{
    plan_consider_list(forecast->system, giant, plan, candidates->list, candidates->count, 0,
                       forecast->kinds, forecast->contact);
    candidates->count = 0;
}

/*
 * Considers the collisions of a giant with all that are in some columns of a row, which may be
 * none. Giants that stand on the lists of many cells are tested as often; but there are few.
 */
static void consider_row(const struct forecast *forecast, uint32_t giant, struct plan *plan,
                         uint32_t row, uint32_t left, uint32_t right, struct candidates *candidates)
{
    const struct grid *grid = &forecast->grid;
    for (uint32_t column = left; column <= right; column++) {
        uint32_t cell = grid_cell_at(grid, column, row);
        uint32_t state = grid_gather(&grid->cells[cell], candidates->list, &candidates->count);
        if (grid_overflows(state))
            plan_consider_chain(forecast->system, giant, plan, grid, cell);
        forecast_with_giants(forecast, giant, plan, cell);
        if (candidates->count > GRID_NEIGHBOURS - GRID_MEMBERS - GRID_SLACK - 1)
            consider_candidates(forecast, giant, plan, candidates);
    }
}

/* The same for a block, without the cells that the giant itself covers: nobody is there. */
static void consider_block(const struct forecast *forecast, uint32_t giant, struct plan *plan,
                           const struct giants_block *block)
{
    const struct system *system = forecast->system;
    const struct grid *grid = &forecast->grid;
    struct candidates candidates = {.count = 0};
    double radius = system_radius(system, &system->particles[giant]);
    uint32_t column = grid_column(grid, plan->cell);
    for (uint32_t row = block->bottom; row <= block->top; row++) {
        uint32_t covered = giants_covered(grid, plan->cell, radius, row);
        uint32_t left = column - covered;
        uint32_t right = covered > 0 ? column + covered : column + 1;
        consider_row(forecast, giant, plan, row, block->left,
                     left < block->right ? left : block->right, &candidates);
        consider_row(forecast, giant, plan, row, right > block->left ? right : block->left,
                     block->right, &candidates);
    }
    consider_candidates(forecast, giant, plan, &candidates);
}

void forecast_giant(struct forecast *forecast, uint32_t k)
{
    const struct grid *grid = &forecast->grid;
    struct plan *plan = &forecast->plans[k];
    struct giants_block block =
        giants_block(&forecast->giants, grid, forecast->system->particles[k].kind, plan->cell);
    plan_clear(plan);
    consider_block(forecast, k, plan, &block);
    plan_consider_wall(forecast->system, k, plan);
    plan_crossing(forecast->system, k, plan, grid, grid_column(grid, plan->cell),
                  grid_row(grid, plan->cell));
}

/* What a giant's block has, when it goes on by one cell, that it had not before. */
static struct giants_block block_ahead(struct giants_block before, struct giants_block block)
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

void forecast_giant_cross(struct forecast *forecast, uint32_t k)
{
    const struct grid *grid = &forecast->grid;
    struct plan *plan = &forecast->plans[k];
    uint32_t kind = forecast->system->particles[k].kind;
    struct giants_block before = giants_block(&forecast->giants, grid, kind, plan->cell);
    plan->cell += (uint32_t)plan->step;
    struct giants_block block = giants_block(&forecast->giants, grid, kind, plan->cell);
    struct giants_block behind = block_ahead(block, before);
    struct giants_block ahead = block_ahead(before, block);
    giants_remove(&forecast->giants, grid, &behind, k);
    consider_block(forecast, k, plan, &ahead);
    giants_add(&forecast->giants, grid, &ahead, k);
    plan_crossing(forecast->system, k, plan, grid, grid_column(grid, plan->cell),
                  grid_row(grid, plan->cell));
}
