/* Tests of counting the hits of polygons one by one; test_statistics.c has a whole run. */
#include "check.h"
#include "observe/observers.h"

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

/* A particle of mass 3 turns from (1, 2) to (-1, 2.5). */
static void hit(struct polygon_hits *hits, int32_t feature)
{
    const struct collision collision = {
        .partner = feature < 0 ? PARTNER_BOUNDARY : PARTNER_PARTICLE,
        .feature = feature,
        .a = {.u_before = 1, .v_before = 2, .u = -1, .v = 2.5, .mass = 3}};
    polygon_hits_collide(hits, &collision);
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
    struct polygon_hits hits;
    CHECK(!polygon_hits_begin(&hits, &system.boundary, 0, &failure));
    CHECK(hits.count == POLYGON_HITS_MAX && has_hits(&hits, 0, 0));
    hit(&hits, 0);
    hit(&hits, FEATURE_LEFT);
    hit(&hits, FEATURE_TOP);
    hit(&hits, polygons_feature(0, 0));
    hit(&hits, polygons_feature(1, 1));
    hit(&hits, polygons_feature(2 * 999 + 1, 0));
    hit(&hits, polygons_feature(2 * 1000, 0)); /* not told apart */
    CHECK(has_hits(&hits, 0, 2) && has_hits(&hits, 1, 0) && has_hits(&hits, 999, 1));
    polygon_hits_free(&hits);
}

/* Hits at the very time from which they count do so only if that is 0, as in the statistics. */
TEST(from_a_time)
{
    for (int k = 0; k < 3; k++) {
        const double from = k / 2.0;
        OWNED(system, system) = many_walls();
        struct collision collision = {.partner = PARTNER_BOUNDARY,
                                      .feature = polygons_feature(0, 0)};
        struct polygon_hits hits;
        CHECK(!polygon_hits_begin(&hits, &system.boundary, from, &failure));
        for (; collision.time <= 1; collision.time += 0.5)
            polygon_hits_collide(&hits, &collision);
        CHECK(hits.list[0].count == (k == 0 ? 3 : k == 1 ? 1 : 0));
        polygon_hits_free(&hits);
    }
}

TEST(a_run_without_polygons)
{
    const struct boundary boundary = {.width = 2, .height = 2};
    struct polygon_hits hits;
    CHECK(!polygon_hits_begin(&hits, &boundary, 0, &failure) && hits.count == 0 && !hits.list);
    hit(&hits, FEATURE_RIGHT);
    polygon_hits_free(&hits);
}
