/* Hits of each polygon; see polygon_hits.h. */
#include "observe/polygon_hits.h"

#include "base/memory.h"
#include "model/polygons.h"

enum status polygon_hits_begin(struct polygon_hits *hits, const struct boundary *boundary,
                               struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    *hits = (struct polygon_hits){.polygons = polygons};
    if (!polygons)
        return STATUS_DONE;
    const size_t count = polygons->count < POLYGON_HITS_MAX ? polygons->count : POLYGON_HITS_MAX;
    hits->list = memory_allocate_zeros(count, sizeof *hits->list, "the hits of polygons", error);
    if (!hits->list)
        return STATUS_NO_MEMORY;
    hits->count = count;
    return STATUS_DONE;
}

void polygon_hits_free(struct polygon_hits *hits)
{
    memory_free(hits->list);
    *hits = (struct polygon_hits){0};
}

void polygon_hits_collide(struct polygon_hits *hits, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    if (collision->partner == PARTNER_PARTICLE || collision->feature >= FEATURE_TOP)
        return;
    const size_t polygon = polygons_polygon(hits->polygons, collision->feature);
    if (polygon >= hits->count)
        return;
    hits->list[polygon].count++;
    sum_add(&hits->list[polygon].momentum_x, a->mass * (a->u_before - a->u));
    sum_add(&hits->list[polygon].momentum_y, a->mass * (a->v_before - a->v));
}

void polygon_hits_record(struct polygon_hits *hits, struct record *record)
{
    for (size_t k = 0; k < hits->count && !record->status; k++) {
        struct polygon_hit *hit = &hits->list[k];
        record_whole(record, &hit->count, UINT64_MAX);
        record_sum(record, &hit->momentum_x);
        record_sum(record, &hit->momentum_y);
        record_end_line(record);
    }
}
