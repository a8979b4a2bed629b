/*
 * What each polygon takes of the hits of particles: how many, and how much momentum. A part of the
 * statistics, and of the observers that draw forces.
 */
#ifndef PARTICLES_POLYGON_HITS_H
#define PARTICLES_POLYGON_HITS_H

#include "base/sum.h"
#include "io/record.h"
#include "run/observer.h"

#include <stdio.h>

/* Of more polygons, only the first ones are told apart. */
enum { POLYGON_HITS_MOST = 1000 };

/* The hits of all sides and corners of one polygon. */
struct polygon_hit {
    uint64_t count;
    struct sum momentum_x, momentum_y; /* that it has gained */
};

struct polygon_hits {
    const struct polygons *polygons; /* of the run; not owned; NULL: none */
    size_t count;                    /* of those that are told apart */
    struct polygon_hit *list;        /* of each of them; owned; NULL: there are none */
};

/*
 * Begins with no hits; to be freed by polygon_hits_free, for which hits may also be {0}. Returns
 * STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status polygon_hits_begin(struct polygon_hits *hits, const struct boundary *boundary,
                               struct error *error);
void polygon_hits_free(struct polygon_hits *hits);

/* Adds a collision, of whatever kind. */
void polygon_hits_collide(struct polygon_hits *hits, const struct collision *collision);

/* Writes the hits into a checkpoint; and reads them, where they have begun for the same polygons.
 */
void polygon_hits_save(const struct polygon_hits *hits, struct record_writer *writer);
void polygon_hits_load(struct polygon_hits *hits, struct record_reader *reader);

/* Write three figures of each polygon, as figures_write_table and figures_write_lines do. */
void polygon_hits_write_table(const struct polygon_hits *hits, FILE *stream);
void polygon_hits_write_lines(const struct polygon_hits *hits, FILE *stream);

#endif
