/* Tests of tiles that are joined: any tiles may be, at any time, and the answer remains. */
#include "schedule/tiles.c"

#include "agreement.h"
#include "check.h"
#include "odd_system.h"
#include "tiled.h"

static uint64_t outcomes[TILES_OUTCOMES];
static int joins;

/* Each tile is in its region, and all tiles of a region know the same one. */
static int are_regions(const struct tiling *tiling)
{
    int is_right = 1;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile *tile = &tiling->tiles[k];
        int has_tile = 0;
        for (uint32_t m = 0; m < tile->region.size; m++) {
            const struct tile *member = tile_of_region(tiling, &tile->region, m);
            has_tile += member == tile;
            is_right &= member->first == tile->first;
            is_right &= memcmp(&member->region, &tile->region, sizeof tile->region) == 0;
        }
        is_right &= has_tile == 1 && tile->first == tile_of_region(tiling, &tile->region, 0);
        for (int m = 0; m < 2; m++) {
            const struct tile_axis *axis = m == 0 ? &tiling->columns : &tiling->rows;
            is_right &=
                axis->is_periodic || tile->region.first[m] + tile->region.count[m] <= axis->tiles;
        }
    }
    return is_right;
}

static void part(const struct tiling *tiling, struct tile_region region)
{
    for (uint32_t k = 0; k < region.size; k++) {
        struct tile *tile = tile_of_region(tiling, &region, k);
        tile->region = tile->alone;
        tile->first = tile;
    }
}

/* Joins some tiles to neighbours, or parts some, between two windows. */
static void change_regions(struct tiles *tiles, struct random_generator *random)
{
    struct tiling *tiling = &tiles->tiling;
    give_up_window(tiles);
    for (size_t k = random_below(random, 4); tiling->tiles && k > 0; k--) {
        struct tile *tile = &tiling->tiles[random_below(random, tile_count(tiling))];
        const struct tile *other =
            find_neighbour(tiling, tile, (uint32_t)random_below(random, TILE_DIRECTIONS));
        if (other && other->first != tile->first)
            joins += join_regions(tiling, tile, other);
        if (tile->region.size > 1 && random_below(random, 2))
            part(tiling, tile->region);
    }
    CHECK(!tiling->tiles || are_regions(tiling));
}

/* Window by window, with regions at random. */
static int check_regions(const struct system *start, double end_time, double notify_from,
                         const struct listener *known, struct random_generator *random)
{
    const struct schedule_threads threads = {1 + (unsigned)random_below(random, 3),
                                             1 + (uint32_t)random_below(random, 9)};
    OWNED(system, system) = system_copy(start);
    struct listener listener;
    struct schedule *schedule;
    double time = -1;
    size_t first = 0;
    must(tiles_create(&system, &threads, &schedule, &failure));
    listener_init(&listener, &system, SIZE_MAX);
    listener.sink.notify_from = notify_from;
    while (time <= end_time) {
        listener.sink.most = listener.sink.sum.events + 1; /* so that it returns after a window */
        must(schedule_advance(schedule, end_time, &listener.sink, &time, &failure));
        change_regions((struct tiles *)schedule, random);
    }
    while (first < known->count && known->events[first].time <= notify_from)
        first++;
    for (int k = 0; k < TILES_OUTCOMES; k++)
        outcomes[k] += tiles_outcomes(schedule)[k];
    schedule_free(schedule);
    const int same =
        CHECK(listener.count == known->count - first) && CHECK(listener.resolved == known->count) &&
        CHECK(listener.count == 0 || memcmp(listener.events, known->events + first,
                                            listener.count * sizeof *listener.events) == 0) &&
        CHECK(agreement_is_same(&system, known->system));
    listener_free(&listener);
    return same;
}

static void compare(const struct system *start, int events, struct random_generator *random)
{
    const double end_time = agreement_time(start, events);
    OWNED(system, system) = system_copy(start);
    struct listener known;
    struct schedule *schedule;
    must(schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &failure));
    listener_init(&known, &system, SIZE_MAX);
    must(listener_advance(&known, schedule, end_time, &failure));
    schedule_free(schedule);
    const double from[] = {-(double)INFINITY, end_time / 3, (double)INFINITY};
    for (size_t k = 0; k < LENGTH(from); k++)
        check_regions(start, end_time, from[k], &known, random);
    listener_free(&known);
}

RANDOM_TEST(regions_at_random, 410)
{
    for (int round = 0; round < (check_is_thorough() ? 40 : check_is_quick() ? 4 : 12); round++) {
        const size_t count = 100 + random_below(random, 500);
        const double area_fraction = 0.02 + 0.6 * random_unit(random);
        OWNED(system, system) =
            round % 4 == 3 ? mixed_system(random, (enum mixed_kind)(round / 4 % MIXED_KINDS), count,
                                          area_fraction / 2)
            : round % 4 == 2
                ? random_lattice(random, 5 + count / 20, 20,
                                 0.5 * (double)(1 + random_below(random, 3)))
                : generated_system(count, area_fraction, 0.5, random_aspect(random), count);
        if (random_below(random, 2))
            system.law = ELASTIC;
        if (random_below(random, 3))
            random_periodic(random, &system, random_axes(random));
        compare(&system, 100 + (int)random_below(random, check_is_quick() ? 200 : 1500), random);
    }
    CHECK(check_is_quick() || (joins > 20 && outcomes[TILES_DONE] > 40));
}
