/* Records how often particles hit each polygon, and the momentum that it gains; see writers.h. */
#include "observe/writers.h"

#include "base/memory.h"
#include "model/polygons.h"

#include <math.h>

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

static enum status polygon_hits_take(struct observer *observer, const struct collision_batch *batch,
                                     struct error *error)
{
    struct polygon_hits *hits = (struct polygon_hits *)observer;
    const double from = observer->run->from;
    (void)error;
    for (const struct collision *k = batch->list; k < batch->list + batch->count; k++) {
        if (k->partner == PARTNER_PARTICLE || k->feature >= FEATURE_TOP ||
            (k->time <= from && from > 0))
            continue;
        const size_t polygon = polygons_polygon(hits->polygons, k->feature);
        if (polygon >= hits->count)
            continue;
        hits->list[polygon].count++;
        sum_add(&hits->list[polygon].momentum_x, k->a.mass * (k->a.u_before - k->a.u));
        sum_add(&hits->list[polygon].momentum_y, k->a.mass * (k->a.v_before - k->a.v));
    }
    return STATUS_DONE;
}

static void polygon_hits_state(struct observer *observer, struct record *record)
{
    struct polygon_hits *hits = (struct polygon_hits *)observer;
    if (!isfinite(observer->run->to)) /* that of a reader comes from the record, too */
        record_number(record, &observer->run->from, 0, SYSTEM_LARGEST);
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
        .take = polygon_hits_take,
        .state = polygon_hits_state,
        .free = polygon_hits_free};
    struct observer *recorder = NULL;
    if (!snapshot->system->boundary.polygons)
        return STATUS_DONE;
    const enum status status =
        observers_record(reader, &operations, from, snapshot, &recorder, error);
    *hits = (const struct polygon_hits *)recorder;
    return status;
}
