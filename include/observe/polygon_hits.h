/* The hits of each polygon and the momentum that it gains, for figures and pictures of forces. */
#ifndef PARTICLES_POLYGON_HITS_H
#define PARTICLES_POLYGON_HITS_H

#include "base/sum.h"
#include "io/record.h"
#include "run/observer.h"

/* Of more polygons, only the first ones are counted. */
enum { POLYGON_HITS_MAX = 1000 };

/* The hits of all sides and corners of one polygon. */
struct polygon_hit {
    uint64_t count;
    struct sum momentum_x, momentum_y; /* that it has gained */
};

struct polygon_hits {
    const struct polygons *polygons; /* of the run; not owned; NULL: none */
    size_t count;                    /* of those that are counted */
    struct polygon_hit *list;        /* of each of them; owned; NULL: there are none */
};

/* Makes counts of 0; to be freed by polygon_hits_free, for which hits may also be {0}. Returns
 * STATUS_DONE or STATUS_NO_MEMORY. */
enum status polygon_hits_begin(struct polygon_hits *hits, const struct boundary *boundary,
                               struct error *error);
void polygon_hits_free(struct polygon_hits *hits);

/* Adds a collision of any kind. */
void polygon_hits_collide(struct polygon_hits *hits, const struct collision *collision);

/* Writes the hits into a checkpoint, or reads them, where they have begun for the same polygons. */
void polygon_hits_record(struct polygon_hits *hits, struct record *record);

#endif
