/* Tests of what a worker makes of one tile. That what it finds is right is tested with all tiles
 * (test_tiles.c). */
#include "schedule/tiling.h"

#include "check.h"

/* A copy is found by its number: otherwise the predictions of all would be made anew in each
 * window, which is slow, and not wrong. */
TEST(copies_are_found)
{
    OWNED(system, system) = generated_system(2000, 0.3, 0.5, 1, 5);
    struct tiling tiling;
    struct tile_worker worker;
    CHECK(tiling_create(&tiling, &system, 0, 6, NULL, &failure) == TILES_DONE);
    tiling.end = 0.5;
    tile_worker_init(&worker, &tiling);
    for (uint32_t number = 0; number < tile_count(&tiling); number++) {
        tile_worker_run(&worker, &tiling.tiles[number]);
        CHECK(tiling.tiles[number].outcome == TILES_DONE);
        int all_are_found = 1;
        for (uint32_t k = 0; k < worker.count; k++)
            all_are_found &= worker.copies[worker.indices[k] & worker.mask] == k;
        CHECK(worker.count > 100 && all_are_found);
    }
    tile_worker_free(&worker);
    tiling_free(&tiling, NULL);
}
