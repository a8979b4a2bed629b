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

/* Threads that share the sorting put the particles where one does; they find the same last time. */
RANDOM_TEST(the_order_of_tiles, 5)
{
    enum { COUNT = 4000 };
    const struct particle *kept[2];
    struct system systems[2];
    struct tiling tilings[2];
    struct thread_pool *pools[2] = {NULL, thread_pool_create(3)};
    struct schedule *schedule;
    const double last = random_unit(random);
    for (int k = 0; k < 2; k++) {
        systems[k] = generated_system(COUNT, 0.3, 0.5, 1, 5);
        for (size_t from = 0; from < COUNT; from++) /* in no order of places */
            system_exchange(&systems[k], from, from * 1237 % COUNT);
        systems[k].particles[COUNT / 3].t = last;
        CHECK(tiles_create(&systems[k], &(struct schedule_threads){.count = 1 + 2 * (unsigned)k},
                           &schedule, &failure) == STATUS_DONE);
        CHECK(schedule->operations->last_time(schedule) == last);
        schedule_end(schedule);
        CHECK(tiling_create(&tilings[k], &systems[k], last, 6, pools[k], &failure) == TILES_DONE);
        kept[k] = systems[k].particles;
    }
    CHECK(tilings[0].valid_until == tilings[1].valid_until);
    CHECK(memcmp(kept[0], kept[1], COUNT * sizeof *kept[0]) == 0);
    for (int k = 0; k < 2; k++) {
        tiling_free(&tilings[k], pools[k]);
        system_free(&systems[k]);
        thread_pool_free(pools[k]);
    }
}
