/* Records how often particles hit each polygon, and the momentum that it gains; see writers.h. */
#include "observe/writers.h"

#include "base/memory.h"
#include "model/polygons.h"

static enum status polygon_hits_begin(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    struct polygon_hits *hits = (struct polygon_hits *)observer;
    hits->polygons = snapshot->system->boundary.polygons;
    hits->count =
        hits->polygons->count < POLYGON_HITS_MAX ? hits->polygons->count : POLYGON_HITS_MAX;
    hits->list =
        memory_allocate_zeros(hits->count, sizeof *hits->list, "the hits of polygons", error);
    return hits->list ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void polygon_hits_collide(struct observer *observer, const struct collision *collision)
{
    struct polygon_hits *hits = (struct polygon_hits *)observer;
    const struct collision_particle *a = &collision->a;
    if (collision->partner == PARTNER_PARTICLE || collision->feature >= FEATURE_TOP)
        return;
    const size_t polygon = polygons_polygon(hits->polygons, collision->feature);
    if (polygon >= hits->count)
        return;
    hits->list[polygon].count++;
    sum_add(&hits->list[polygon].momentum_x, a->mass * (a->u_before - a->u));
    sum_add(&hits->list[polygon].momentum_y, a->mass * (a->v_before - a->v));
}

static void polygon_hits_state(struct observer *observer, struct record *record)
{
    struct polygon_hits *hits = (struct polygon_hits *)observer;
    recorder_state(observer, record);
    for (size_t k = 0; k < hits->count && !record->status; k++) {
        struct polygon_hit *hit = &hits->list[k];
        record_whole(record, &hit->count, UINT64_MAX);
        record_sum(record, &hit->momentum_x);
        record_sum(record, &hit->momentum_y);
        record_end_line(record);
    }
}

static void polygon_hits_free(struct observer *observer)
{
    memory_free(((struct polygon_hits *)observer)->list);
}

enum status polygon_hits_record(struct observer *reader, double from,
                                const struct snapshot *snapshot, const struct polygon_hits **hits,
                                struct error *error)
{
    static const struct observer_operations operations = {
        .kind = {.what = "the hits of polygons", .size = sizeof(struct polygon_hits)},
        .watches = WATCH_BOUNDARY,
        .begin = polygon_hits_begin,
        .collide = polygon_hits_collide,
        .state = polygon_hits_state,
        .free = polygon_hits_free};
    if (!snapshot->system->boundary.polygons)
        return STATUS_DONE;
    *hits = observers_record(reader, &operations, from, snapshot, error);
    return *hits ? STATUS_DONE : STATUS_NO_MEMORY;
}
