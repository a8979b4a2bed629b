/* Tests of counting the hits of polygons one by one; test_statistics.c has a whole run. */
#include "check.h"
#include "observe/writers.h"

enum { MANY = POLYGON_HITS_MAX + 1 };

/* A box with MANY thin walls, which system_free frees. */
static struct system many_walls(void)
{
    static const double first[2][2] = {{0, 1}, {0, 2}};
    static const double last[2][2] = {{MANY - 1, 1}, {MANY - 1, 2}};
    struct system system = {.boundary = {.width = MANY, .height = 4}};
    system_add_polygon(&system, first, 2, 0);
    for (int k = 1; k < MANY - 1; k++) {
        const double wall[2][2] = {{k, 1}, {k, 2}};
        CHECK(!polygons_add(system.boundary.polygons, wall, 2, 0, 0, &failure));
    }
    system_add_polygon(&system, last, 2, 0);
    return system;
}

/* A run with one observer, which reads hits. */
struct reading {
    struct observers observers;
    struct run_settings run;
    struct observer reader;
};

static const struct polygon_hits *read_hits(struct reading *reading, const struct system *system,
                                            double from)
{
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    const struct polygon_hits *hits = NULL;
    reading->reader = (struct observer){.all = &reading->observers, .run = &reading->run};
    CHECK(!polygon_hits_record(&reading->reader, from, &snapshot, &hits, &failure));
    return hits;
}

static void hand_over(struct reading *reading, const struct collision *collision)
{
    struct collision_batch *batch = &reading->observers.batch;
    batch->list[batch->count++] = *collision;
    CHECK(!observers_hand_over(&reading->observers, 1, collision->time, &failure));
}

/* A particle of mass 3 turns from (1, 2) to (-1, 2.5). */
static void hit(struct reading *reading, int32_t feature)
{
    const struct collision collision = {
        .partner = feature < 0 ? PARTNER_BOUNDARY : PARTNER_PARTICLE,
        .feature = feature,
        .a = {.u_before = 1, .v_before = 2, .u = -1, .v = 2.5, .mass = 3}};
    hand_over(reading, &collision);
}

static int has_hits(const struct polygon_hits *hits, size_t polygon, uint64_t count)
{
    const struct polygon_hit *hit = &hits->list[polygon];
    return hit->count == count && sum_value(&hit->momentum_x) == 6 * (double)count &&
           sum_value(&hit->momentum_y) == -1.5 * (double)count;
}

TEST(each_polygon_has_its_own)
{
    OWNED(system, system) = many_walls();
    struct reading reading = {.run.from = 0};
    const struct polygon_hits *hits = read_hits(&reading, &system, 0);
    CHECK(hits->count == POLYGON_HITS_MAX && has_hits(hits, 0, 0));
    hit(&reading, 0);
    hit(&reading, FEATURE_LEFT);
    hit(&reading, FEATURE_TOP);
    hit(&reading, polygons_feature(0, 0));
    hit(&reading, polygons_feature(1, 1));
    hit(&reading, polygons_feature(2 * 999 + 1, 0));
    hit(&reading, polygons_feature(2 * 1000, 0)); /* not told apart */
    CHECK(has_hits(hits, 0, 2) && has_hits(hits, 1, 0) && has_hits(hits, 999, 1));
    observers_free(&reading.observers);
}

/* Hits at the very time from which they count do so only if that is 0, as in the statistics. Those
 * who ask for the same time read the same hits. */
TEST(from_a_time)
{
    OWNED(system, system) = many_walls();
    struct reading reading = {.run.from = 0};
    struct collision collision = {.partner = PARTNER_BOUNDARY, .feature = polygons_feature(0, 0)};
    const struct polygon_hits *hits[3];
    for (int k = 0; k < 3; k++)
        hits[k] = read_hits(&reading, &system, k / 2.0);
    CHECK(read_hits(&reading, &system, 0.5) == hits[1] &&
          read_hits(&reading, &system, 0) == hits[0]);
    CHECK(reading.observers.count == 3 && reading.observers.recorders == 3);
    for (; collision.time <= 1; collision.time += 0.5)
        hand_over(&reading, &collision);
    for (uint64_t k = 0; k < 3; k++)
        CHECK(hits[k]->list[0].count == (k == 0 ? 3 : k == 1 ? 1 : 0));
    observers_free(&reading.observers);
}

TEST(a_run_without_polygons)
{
    const struct system system = {.boundary = {.width = 2, .height = 2}};
    struct reading reading = {.run.from = 0};
    CHECK(!read_hits(&reading, &system, 0) && reading.observers.count == 0);
    hit(&reading, FEATURE_RIGHT);
    observers_free(&reading.observers);
}
