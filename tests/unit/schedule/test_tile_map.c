/*
 * Tests of the geometry of tiles: how cells are dealt to them, and what a worker sees around one.
 */
#include "schedule/tile_worker.c"
#include "schedule/tiling.c"

#include "check.h"

enum { MAX_CELLS = 60 };

/* A packed particle has all that it had, and its prediction; also one that has passed a seam. */
RANDOM_TEST(packed_particles, 200)
{
    const struct boundary boundary = {.width = 20, .height = 10};
    const struct tile_prediction kept = {random_unit(random),
                                         (int32_t)random_below(random, 1000) - 9,
                                         (uint32_t)random_below(random, 1000)};
    struct particle p = {.x = 20 * random_unit(random),
                         .y = 10 * random_unit(random),
                         .u = random_unit(random) - 0.5,
                         .v = random_unit(random) - 0.5,
                         .id = (int32_t)random_below(random, 1 << 28),
                         .collided = -(double)INFINITY};
    const int has_collided = random_below(random, 2) > 0;
    if (has_collided)
        p.collided = p.t = (double)random_below(random, 3) * random_unit(random);
    p.version = has_collided ? (uint32_t)random_below(random, 3) - 1 : 0;
    p.version += has_collided && p.t == 0 && p.version == 0; /* it has had an event */
    const size_t seam = random_below(random, 3);
    if (seam > 0) {
        p.t += (double)random_below(random, 3) * random_unit(random);
        p.version++;
        p.version += p.version == 0 && p.t == 0;
        if (seam == 1)
            p.x = p.u > 0 ? 0 : boundary.width;
        else
            p.y = p.v > 0 ? 0 : boundary.height;
    }
    struct particle packed = p;
    tile_pack(&packed, &boundary, kept);
    const struct tile_prediction back = tile_unpack(&packed, &boundary);
    CHECK(memcmp(&packed, &p, sizeof p) == 0);
    CHECK(back.time == kept.time && back.partner == kept.partner && back.version == kept.version);
}

static void free_axis(const struct tile_axis *axis)
{
    memory_free(axis->first);
    memory_free(axis->tile_of);
}

/* An axis of up to MAX_CELLS columns, with particles anywhere, or nearly none. */
static struct tile_axis random_axis(struct random_generator *random)
{
    struct tile_axis axis;
    uint32_t counts[MAX_CELLS];
    const uint32_t cells = 1 + (uint32_t)random_below(random, MAX_CELLS);
    const uint32_t tiles = 1 + (uint32_t)random_below(random, cells);
    const size_t most = 1 + random_below(random, 20);
    for (uint32_t k = 0; k < cells; k++)
        counts[k] = random_below(random, 3) ? (uint32_t)random_below(random, most) : 0;
    CHECK(!tile_axis_create(&axis, cells, tiles, 1, random_below(random, 2) > 0, counts, &failure));
    return axis;
}

RANDOM_TEST(all_cells_are_dealt, 160)
{
    for (int round = 0; round < 2000; round++) {
        struct tile_axis axis = random_axis(random);
        int is_right = axis.first[0] == 0 && axis.first[axis.tiles] == axis.cells;
        for (uint32_t tile = 0; tile < axis.tiles; tile++) {
            is_right &= axis.first[tile] < axis.first[tile + 1];
            for (uint32_t k = axis.first[tile]; k < axis.first[tile + 1]; k++)
                is_right &= axis.tile_of[k] == tile;
        }
        CHECK(is_right);
        free_axis(&axis);
    }
}

/* Tiles have about as many particles each: at most a column's more or less than their share. */
RANDOM_TEST(shares_are_even, 161)
{
    for (int round = 0; round < 500; round++) {
        struct tile_axis axis;
        uint32_t counts[MAX_CELLS];
        uint32_t all = 0;
        uint32_t before = 0;
        for (uint32_t k = 0; k < MAX_CELLS; k++)
            all += counts[k] = 3 + (uint32_t)random_below(random, 6);
        const uint32_t tiles = 1 + (uint32_t)random_below(random, MAX_CELLS / 4);
        CHECK(!tile_axis_create(&axis, MAX_CELLS, tiles, 1, 0, counts, &failure));
        for (uint32_t tile = 1; tile < tiles; tile++) {
            for (uint32_t k = axis.first[tile - 1]; k < axis.first[tile]; k++)
                before += counts[k];
            const double off = before - (double)all * tile / tiles;
            CHECK(off > -8 && off < 8);
        }
        free_axis(&axis);
    }
}

/* How many columns lie between two: 1 for neighbours, also at a seam. */
static uint32_t find_distance(const struct tile_axis *axis, uint32_t left, uint32_t right)
{
    const uint32_t plain = left < right ? right - left : left - right;
    return axis->is_periodic && axis->cells - plain < plain ? axis->cells - plain : plain;
}

/* The distance of a column from a tile. */
static uint32_t find_distance_to_tile(const struct tile_axis *axis, uint32_t tile, uint32_t column)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t k = axis->first[tile]; k < axis->first[tile + 1]; k++) {
        const uint32_t distance = find_distance(axis, k, column);
        least = distance < least ? distance : least;
    }
    return least;
}

/* The distance of a column from the nearest of `tiles` tiles. */
static uint32_t find_distance_to_tiles(const struct tile_axis *axis, uint32_t tile, uint32_t tiles,
                                       uint32_t column)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < tiles; k++) {
        const uint32_t distance = find_distance_to_tile(axis, (tile + k) % axis->tiles, column);
        least = distance < least ? distance : least;
    }
    return least;
}

/* How often a span has a column; `place` becomes where. */
static int count_places(const struct tile_span *span, uint32_t column, uint32_t *place)
{
    int count = 0;
    for (uint32_t k = 0; k < span->count; k++) {
        if (span->list[k].column == column) {
            *place = k;
            count++;
        }
    }
    return count;
}

/* Each column up to `halo` away is there once, at its distance; and of others at most one that is
 * next to a seam. */
static void check_columns(const struct tile_axis *axis, const struct tile_span *span, uint32_t tile,
                          uint32_t tiles, uint32_t halo)
{
    uint32_t others = 0;
    int is_right = 1;
    for (uint32_t column = 0; column < axis->cells; column++) {
        uint32_t place = 0;
        const uint32_t distance = find_distance_to_tiles(axis, tile, tiles, column);
        const int count = count_places(span, column, &place);
        is_right &= count == 1 || (count == 0 && distance > halo);
        is_right &= count == 0 || span->list[place].distance == distance;
        others += count == 1 && distance > halo;
    }
    CHECK(is_right);
    CHECK(others <= 1 + (uint32_t)span->wraps);
}

/* Whether what is next to each other in a span is so in the box; and what is next to each other in
 * the box, in a span that has both. */
static void check_neighbours(const struct tile_axis *axis, const struct tile_span *span)
{
    int is_right = 1;
    for (uint32_t k = 0; k + 1 < span->count; k++) {
        const uint32_t column = span->list[k].column;
        const uint32_t next = span->list[k + 1].column;
        is_right &= column == TILE_NO_COLUMN || next == TILE_NO_COLUMN || next == column + 1;
    }
    const uint32_t first = span->list[0].column;
    const uint32_t last = span->list[span->count - 1].column;
    const int is_at_seam = axis->is_periodic && first == 0 && last == axis->cells - 1;
    is_right &= span->wraps == is_at_seam;
    for (uint32_t k = 0; k < span->count; k++)
        if (axis->is_periodic && !is_at_seam) /* or a particle would find no column beyond */
            is_right &= span->list[k].column != 0 && span->list[k].column != axis->cells - 1;
    CHECK(is_right);
}

RANDOM_TEST(spans, 162)
{
    struct tile_span span = {0};
    for (int round = 0; round < 2000; round++) {
        struct tile_axis axis = random_axis(random);
        const uint32_t tile = (uint32_t)random_below(random, axis.tiles);
        const uint32_t halo = (uint32_t)random_below(random, round % 2 ? 12 : MAX_CELLS + 5);
        const uint32_t most = axis.tiles - (axis.is_periodic ? 0 : tile); /* from this one on */
        const uint32_t tiles = round % 3 ? 1 : 1 + (uint32_t)random_below(random, most);
        CHECK(!tile_span_set(&span, &axis, tile, tiles, halo, &failure));
        CHECK(span.count <= span.capacity && span.count <= axis.cells + 1);
        check_columns(&axis, &span, tile, tiles, halo);
        check_neighbours(&axis, &span);
        free_axis(&axis);
    }
    memory_free(span.list);
}

/* The tile in a direction of an axis, -1, 0 or 1; or UINT32_MAX. */
static uint32_t find_tile(const struct tile_axis *axis, uint32_t tile, int direction)
{
    if (direction == 0)
        return tile;
    if (axis->tiles == 1)
        return UINT32_MAX;
    if (axis->is_periodic)
        return (tile + axis->tiles + (uint32_t)(direction + 1) - 1) % axis->tiles;
    if (direction < 0)
        return tile > 0 ? tile - 1 : UINT32_MAX;
    return tile + 1 < axis->tiles ? tile + 1 : UINT32_MAX;
}

/* The directions in which a cell of the box plays a part, for a tile that has these spans; none, if
 * it does not see it. */
static uint32_t find_directions(const struct tile_span *columns, const struct tile_span *rows,
                                uint32_t column, uint32_t row)
{
    uint32_t x, y;
    if (!count_places(columns, column, &x) || !count_places(rows, row, &y))
        return 0;
    return tile_directions(columns->list[x].inner, rows->list[y].inner) |
           tile_directions(columns->list[x].outer, rows->list[y].outer);
}

/* A tile's place along both axes, and what its worker sees. */
struct view {
    uint32_t tile[2];
    struct tile_span spans[2];
};

static void look(struct view *view, const struct tile_axis axes[2], uint32_t column, uint32_t row,
                 struct random_generator *random)
{
    view->tile[0] = column;
    view->tile[1] = row;
    for (int k = 0; k < 2; k++)
        CHECK(!tile_span_set(&view->spans[k], &axes[k], view->tile[k], 1,
                             8 + (uint32_t)random_below(random, 2) * 4, &failure));
}

/* Two tiles that are neighbours in a direction mark the same cells for each other, which are those
 * on both sides of their common border. */
static void check_pair(const struct tile_axis axes[2], const struct view *here,
                       const struct view *there, uint32_t direction)
{
    int is_same = 1;
    uint32_t marked = 0;
    for (uint32_t row = 0; row < axes[1].cells; row++) {
        for (uint32_t column = 0; column < axes[0].cells; column++) {
            const uint32_t one =
                find_directions(&here->spans[0], &here->spans[1], column, row) >> direction & 1;
            const uint32_t other =
                find_directions(&there->spans[0], &there->spans[1], column, row) >>
                    (TILE_DIRECTIONS - 1 - direction) &
                1;
            is_same &= one == other;
            marked += one;
        }
    }
    CHECK(is_same);
    CHECK(marked >= 2);
}

/* How many cells of one tile are next to another tile, and the other way round. */
static uint32_t count_common(const struct tile_axis axes[2], const uint32_t here[2],
                             const uint32_t there[2])
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < axes[1].cells; row++)
        for (uint32_t column = 0; column < axes[0].cells; column++) {
            const uint32_t own[2] = {axes[0].tile_of[column], axes[1].tile_of[row]};
            const uint32_t *other = own[0] == here[0] && own[1] == here[1]     ? there
                                    : own[0] == there[0] && own[1] == there[1] ? here
                                                                               : NULL;
            count += other && find_distance_to_tile(&axes[0], other[0], column) <= 1 &&
                     find_distance_to_tile(&axes[1], other[1], row) <= 1;
        }
    return count;
}

/* All cells that matter to two tiles are marked for some direction: where there are few tiles
 * around a periodic axis, two can be neighbours in several. */
static void check_cover(const struct tile_axis axes[2], const struct view *here,
                        const struct view *there)
{
    uint32_t marked = 0, directions = 0;
    for (uint32_t d = 0; d < TILE_DIRECTIONS; d++)
        if (d != TILE_CENTRE &&
            find_tile(&axes[0], here->tile[0], (int)(d % 3) - 1) == there->tile[0] &&
            find_tile(&axes[1], here->tile[1], (int)(d / 3) - 1) == there->tile[1])
            directions |= 1u << d;
    for (uint32_t row = 0; row < axes[1].cells; row++)
        for (uint32_t column = 0; column < axes[0].cells; column++)
            marked +=
                (find_directions(&here->spans[0], &here->spans[1], column, row) & directions) != 0;
    CHECK(marked >= count_common(axes, here->tile, there->tile));
}

RANDOM_TEST(neighbours_mark_the_same, 163)
{
    struct view here = {.spans = {{0}, {0}}};
    struct view there = {.spans = {{0}, {0}}};
    for (int round = 0; round < 400; round++) {
        const struct tile_axis axes[2] = {random_axis(random), random_axis(random)};
        look(&here, axes, (uint32_t)random_below(random, axes[0].tiles),
             (uint32_t)random_below(random, axes[1].tiles), random);
        for (uint32_t d = TILE_CENTRE + 1; d < TILE_DIRECTIONS; d++) {
            const uint32_t column = find_tile(&axes[0], here.tile[0], (int)(d % 3) - 1);
            const uint32_t row = find_tile(&axes[1], here.tile[1], (int)(d / 3) - 1);
            if (column == UINT32_MAX || row == UINT32_MAX)
                continue;
            look(&there, axes, column, row, random);
            check_pair(axes, &here, &there, d);
            if (here.tile[0] != there.tile[0] || here.tile[1] != there.tile[1])
                check_cover(axes, &here, &there);
        }
        for (int k = 0; k < 2; k++) {
            struct tile_axis axis = axes[k];
            free_axis(&axis);
        }
    }
    for (int k = 0; k < 2; k++) {
        memory_free(here.spans[k].list);
        memory_free(there.spans[k].list);
    }
}
