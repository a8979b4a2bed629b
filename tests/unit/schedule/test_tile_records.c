/* Tests of what tiles have recorded: neighbours agree only if all is the same, from first to last.
 */
#include "schedule/tiles.c"

#include "check.h"

enum { RECORDS = 3, RIGHT = 5, LEFT = 3, ABOVE = 7 };

/* A tile with these records, which matter in a direction; all but number `without`. */
static struct tile make_tile(uint32_t direction, int without)
{
    struct tile tile;
    memset(&tile, 0, sizeof tile);
    for (int k = 0; k < RECORDS; k++) {
        if (k == without)
            continue;
        struct tile_record *record = tile_list_add(&tile.records, sizeof *record);
        if (!CHECK(record != NULL))
            exit(EXIT_FAILURE);
        memset(record, 0, sizeof *record);
        record->particle.id = k;
        record->operation = (struct event){k, k, k + 1};
        record->directions = 1u << direction;
    }
    return tile;
}

/* Frees both. */
static int agree(struct tile tile, struct tile other)
{
    const int result = tile_records_agree(&tile, &other, RIGHT);
    memory_free(tile.records.entries);
    memory_free(other.records.entries);
    return result;
}

TEST(each_record_counts)
{
    CHECK(agree(make_tile(RIGHT, -1), make_tile(LEFT, -1)));
    for (int k = 0; k < RECORDS; k++) {
        CHECK(!agree(make_tile(RIGHT, k), make_tile(LEFT, -1)));
        CHECK(!agree(make_tile(RIGHT, -1), make_tile(LEFT, k)));
        for (int what = 0; what < 3; what++) {
            struct tile tile = make_tile(RIGHT, -1);
            struct tile other = make_tile(LEFT, -1);
            struct tile_record *changed = tile.records.entries;
            changed[k].operation.time += 0.5 * (what == 0);
            changed[k].operation.b += what == 1;
            changed[k].particle.u += what == 2;
            CHECK(!agree(tile, other));
        }
    }
}

TEST(other_directions_do_not_count)
{
    CHECK(agree(make_tile(ABOVE, -1), make_tile(ABOVE, 0)));
    CHECK(!agree(make_tile(ABOVE, -1), make_tile(LEFT, -1)));
    CHECK(!agree(make_tile(RIGHT, -1), make_tile(ABOVE, -1)));
}
