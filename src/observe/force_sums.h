/*
 * Sums over the hits of obstacles, which are the momentum that particles give them; and over the
 * particles that come in at the seam of a stream. forces.c computes what it writes from them.
 */
#ifndef PARTICLES_FORCE_SUMS_H
#define PARTICLES_FORCE_SUMS_H

#include "base/sum.h"
#include "block_series.h"
#include "block_sums.h"
#include "io/record.h"
#include "polygon_shape.h"
#include "run/observer.h"

/* What an obstacle gains: momentum along x and y, and angular momentum about its centroid. */
enum { GAIN_X, GAIN_Y, GAIN_TORQUE, GAINS };

/* A sum, and its course. */
struct course {
    struct sum sum;
    double noted;         /* its value at some time: see force_sums_note */
    double marks[BLOCKS]; /* and at the end of each block */
};

/* The sums of one obstacle. */
struct obstacle {
    size_t polygon; /* its number among all polygons */
    struct polygon_shape shape;
    struct course gains[GAINS];
};

/* Of each side: its hits, and the momentum along its normal and along the side itself. */
enum { SIDE_HITS, SIDE_NORMAL, SIDE_ALONG, SIDE_SUMS };

/*
 * The inflow, over the particles that a stream has given a velocity: the sums of 1 / E|u| and of
 * m / E|u|. Divided by time and height of the box these are the number and the mass per area of
 * the stream that comes in (stream_mean_speed), summed up over masses.
 */
enum { INFLOW_NUMBER, INFLOW_MASS, INFLOWS };

enum { INFLOW_ROWS = 64 }; /* parts of the height, for each of which that of mass is known, too */

struct force_sums {
    const struct boundary *boundary; /* of the run; not owned */
    const struct polygons *polygons; /* of the run; not owned; NULL: none */
    size_t count;                    /* of the obstacles, which are in the order of the polygons */
    struct obstacle *obstacles;      /* owned; NULL: there are none */
    size_t *numbers;          /* of each polygon: which obstacle it is; owned; NULL without any */
    struct block_times times; /* of the marks */
    struct block_sums sides;  /* SIDE_SUMS for each side of all polygons; then the inflow of mass in
                                 each row, and in all of them */
    struct course inflow[INFLOWS];
    double mass, mean_speed; /* the last mass that came in, and its E|u| */
};

/*
 * Makes sums of 0 for a run; to be freed by force_sums_free, for which sums may also be {0}.
 * Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status force_sums_create(struct force_sums *sums, const struct boundary *boundary,
                              struct error *error);
void force_sums_free(struct force_sums *sums);

/* Counting begins: of the time `from` to `to`. */
void force_sums_begin(struct force_sums *sums, double from, double to);

/*
 * Adds a collision, of whatever kind. The force of a side and that of a corner act along the line
 * through the centre of the disk, which so is their point of application. A corner belongs to the
 * side beside it whose normal is nearer to that line; the one that begins there, if both are.
 */
void force_sums_collide(struct force_sums *sums, const struct collision *collision);

/* Adds a particle that a stream has given a velocity. */
void force_sums_renew(struct force_sums *sums, const struct collision *passage);

/* The run has reached its end: marks what is left of the blocks. */
void force_sums_complete(struct force_sums *sums);

/* The mean of a sum per time, and its standard error, by blocks of at least the time `least`. */
struct estimate force_sums_mean(const struct force_sums *sums, const struct course *course,
                                double least);

/* The same for the ratio of two sums. */
struct estimate force_sums_ratio(const struct force_sums *sums, const struct course *course,
                                 const struct course *divisor, double least);

/*
 * By how much the force along x on all obstacles together differs in the second and in the first
 * half of the time, in standard errors of this difference; NAN if it is not known. Each half is
 * eight blocks.
 */
double force_sums_drift(const struct force_sums *sums);

/* How often a side of all has been hit. */
double force_sums_hits(const struct force_sums *sums, size_t side);

/* The mean of a sum of a side per time, and its standard error; or divided by the inflow of mass.
 */
struct estimate force_sums_side(const struct force_sums *sums, size_t side, int sum);
struct estimate force_sums_side_ratio(const struct force_sums *sums, size_t side, int sum);

/* The inflow of mass per height in the rows where an obstacle is, divided by that in all rows. */
struct estimate force_sums_inflow(const struct force_sums *sums, const struct obstacle *obstacle);

/* How much an obstacle has gained since the last call. */
void force_sums_note(struct obstacle *obstacle, double gained[GAINS]);

/* Writes sums into a checkpoint; and reads them, of the time `from` to `to`, into those of 0. */
void force_sums_save(const struct force_sums *sums, struct record_writer *writer);
void force_sums_load(struct force_sums *sums, double from, double to, struct record_reader *reader);

#endif
