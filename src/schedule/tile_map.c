/*
 * Tiles of cells; see tile_map.h.
 */
#include "tile_map.h"

#include "base/memory.h"

/* Where the columns of tiles begin: each has a column of cells, and else its share of particles. */
static void deal(struct tile_axis *axis, const uint32_t *counts)
{
    uint64_t all = 0;
    uint64_t before = 0;
    uint32_t column = 0;
    for (uint32_t k = 0; k < axis->cells; k++)
        all += counts[k];
    axis->first[0] = 0;
    for (uint32_t tile = 1; tile < axis->tiles; tile++) {
        const double share = (double)all * tile / axis->tiles;
        const uint32_t least = axis->first[tile - 1] + 1;
        const uint32_t most = axis->cells - (axis->tiles - tile);
        while (column < least || (column < most && (double)before + counts[column] / 2. < share))
            before += counts[column++];
        axis->first[tile] = column;
    }
    axis->first[axis->tiles] = axis->cells;
    for (uint32_t tile = 0; tile < axis->tiles; tile++)
        for (uint32_t k = axis->first[tile]; k < axis->first[tile + 1]; k++)
            axis->tile_of[k] = tile;
}

enum status tile_axis_create(struct tile_axis *axis, uint32_t cells, uint32_t tiles,
                             int is_periodic, const uint32_t *counts, struct error *error)
{
    *axis = (struct tile_axis){.cells = cells, .tiles = tiles, .is_periodic = is_periodic};
    axis->first = memory_allocate((size_t)tiles + 1, sizeof *axis->first, "the tiles", error);
    if (axis->first)
        axis->tile_of = memory_allocate(cells, sizeof *axis->tile_of, "the tiles", error);
    if (!axis->tile_of)
        return STATUS_NO_MEMORY;
    deal(axis, counts);
    return STATUS_DONE;
}

void tile_axis_free(struct tile_axis *axis)
{
    memory_free(axis->first);
    memory_free(axis->tile_of);
    *axis = (struct tile_axis){0};
}

static enum status reserve(struct tile_span *span, uint32_t count, struct error *error)
{
    if (count > span->capacity) {
        tile_span_free(span);
        span->list = memory_allocate(count, sizeof *span->list, "the halo of a tile", error);
        if (!span->list)
            return STATUS_NO_MEMORY;
        span->capacity = count;
    }
    span->count = count;
    return STATUS_DONE;
}

void tile_span_free(struct tile_span *span)
{
    memory_free(span->list);
    *span = (struct tile_span){0};
}

/* How many columns lie from `from` upwards to `to`. */
static uint32_t count_up(const struct tile_axis *axis, uint32_t from, uint32_t to)
{
    if (to >= from)
        return to - from;
    return axis->is_periodic ? to + axis->cells - from : UINT32_MAX;
}

/* The column between two ends of the box, farther than any halo is wide. */
static const struct tile_column no_column = {TILE_NO_COLUMN, 1 << 20, 0, 0};

/* What a column is for a tile. */
static struct tile_column describe(const struct tile_axis *axis, uint32_t tile, uint32_t column)
{
    const uint32_t first = axis->first[tile];
    const uint32_t last = axis->first[tile + 1] - 1;
    const int has_below = tile > 0 || (axis->is_periodic && axis->tiles > 1);
    const int has_above = tile + 1 < axis->tiles || (axis->is_periodic && axis->tiles > 1);
    if (column >= first && column <= last) {
        const int inner = TILE_SAME | (has_below && column == first ? TILE_BELOW : 0) |
                          (has_above && column == last ? TILE_ABOVE : 0);
        return (struct tile_column){column, 0, (unsigned char)inner, TILE_SAME};
    }
    const uint32_t below = count_up(axis, column, first);
    const uint32_t above = count_up(axis, last, column);
    const int outer = (below == 1 ? TILE_BELOW : 0) | (above == 1 ? TILE_ABOVE : 0);
    return (struct tile_column){column, below < above ? below : above, 0, (unsigned char)outer};
}

/*
 * A span that ends just at a seam is made to go beyond it, for a particle that passes the seam must
 * find a column there.
 */
enum status tile_span_set(struct tile_span *span, const struct tile_axis *axis, uint32_t tile,
                          uint32_t halo, struct error *error)
{
    const int64_t cells = axis->cells;
    int64_t begin = (int64_t)axis->first[tile] - halo;
    int64_t end = (int64_t)axis->first[tile + 1] + halo;
    enum status status;
    if (axis->is_periodic) {
        begin -= begin == 0;
        end += end == cells;
    } else {
        begin = begin > 0 ? begin : 0;
        end = end < cells ? end : cells;
    }
    const int is_all = end - begin >= cells - 1;
    const int is_across = !is_all && (begin < 0 || end > cells);
    if (is_all) {
        begin = 0;
        end = cells;
    }
    status = reserve(span, (uint32_t)(end - begin) + (uint32_t)is_across, error);
    if (status)
        return status;
    span->wraps = axis->is_periodic && (is_all || is_across);
    if (!is_across) {
        for (uint32_t k = 0; k < span->count; k++)
            span->list[k] = describe(axis, tile, (uint32_t)begin + k);
        return STATUS_DONE;
    }
    const uint32_t low = (uint32_t)(end > cells ? end - cells : end);
    for (uint32_t k = 0; k < low; k++)
        span->list[k] = describe(axis, tile, k);
    span->list[low] = no_column;
    for (uint32_t k = low + 1; k < span->count; k++)
        span->list[k] = describe(axis, tile, axis->cells - (span->count - k));
    return STATUS_DONE;
}
