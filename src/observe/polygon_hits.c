/*
 * Hits of each polygon; see polygon_hits.h.
 */
#include "observe/polygon_hits.h"

#include "base/memory.h"
#include "model/polygons.h"

#include <float.h>
#include <inttypes.h>

enum status polygon_hits_begin(struct polygon_hits *hits, const struct boundary *boundary,
                               struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    *hits = (struct polygon_hits){.polygons = polygons};
    if (!polygons)
        return STATUS_DONE;
    const size_t count = polygons->count < POLYGON_HITS_MOST ? polygons->count : POLYGON_HITS_MOST;
    hits->list = memory_allocate(count, sizeof *hits->list, "the hits of polygons", error);
    if (!hits->list)
        return STATUS_NO_MEMORY;
    hits->count = count;
    for (size_t k = 0; k < count; k++)
        hits->list[k] = (struct polygon_hit){0};
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

void polygon_hits_save(const struct polygon_hits *hits, struct record_writer *writer)
{
    for (size_t k = 0; k < hits->count; k++) {
        const struct polygon_hit *hit = &hits->list[k];
        record_put_whole(writer, hit->count);
        record_put_number(writer, hit->momentum_x.rounded);
        record_put_number(writer, hit->momentum_x.rest);
        record_put_number(writer, hit->momentum_y.rounded);
        record_put_number(writer, hit->momentum_y.rest);
        record_end_line(writer);
    }
}

void polygon_hits_load(struct polygon_hits *hits, struct record_reader *reader)
{
    for (size_t k = 0; k < hits->count && !reader->status; k++) {
        struct polygon_hit *hit = &hits->list[k];
        hit->count = record_take_whole(reader, UINT64_MAX);
        hit->momentum_x.rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
        hit->momentum_x.rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
        hit->momentum_y.rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
        hit->momentum_y.rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
        record_expect_line_end(reader);
    }
}

void polygon_hits_write_table(const struct polygon_hits *hits, FILE *stream)
{
    for (size_t k = 0; k < hits->count; k++) {
        const struct polygon_hit *hit = &hits->list[k];
        fprintf(stream, "collisions with polygon %-6zu  %15" PRIu64 "\n", k, hit->count);
        fprintf(stream, "  momentum given to it, in x    %15.7g  momentum\n",
                sum_value(&hit->momentum_x) + 0.0); /* + 0.0: there is no -0 */
        fprintf(stream, "  momentum given to it, in y    %15.7g  momentum\n",
                sum_value(&hit->momentum_y) + 0.0);
    }
}

void polygon_hits_write_lines(const struct polygon_hits *hits, FILE *stream)
{
    for (size_t k = 0; k < hits->count; k++) {
        const struct polygon_hit *hit = &hits->list[k];
        fprintf(stream, "collisions_polygon_%zu = %" PRIu64 "\n", k, hit->count);
        fprintf(stream, "momentum_x_polygon_%zu = %.17g\n", k, sum_value(&hit->momentum_x) + 0.0);
        fprintf(stream, "momentum_y_polygon_%zu = %.17g\n", k, sum_value(&hit->momentum_y) + 0.0);
    }
}
