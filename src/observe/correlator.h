/*
 * Mean square displacement and velocity autocorrelation against time, with many time origins and
 * lags that are about evenly spaced in their logarithm (J. Ramirez, S. Sukumaran, B. Vorselaars and
 * A. Likhtman, Efficient on the fly calculation of time correlation functions in computer
 * simulations, J. Chem. Phys. 133, 154103, 2010). But where they average, every second sample is
 * taken: so a displacement is one of a particle, exactly.
 */
#ifndef PARTICLES_CORRELATOR_H
#define PARTICLES_CORRELATOR_H

#include "block_sums.h"
#include "classes.h"

/* A particle at one time. */
struct sample {
    double x, y; /* where it would be without seams, length */
    double u, v; /* its velocity */
};

/*
 * Level l takes every 2^l-th frame and keeps the last CORRELATOR_KEPT of them. So the lags, in
 * frames, are 0 to 7, then 8, 10, 12, 14, then 16, 20, 24, 28, and so on.
 */
enum { CORRELATOR_KEPT = 8 };

struct correlator {
    const struct classes *classes; /* not owned */
    size_t particles;              /* of the system */
    size_t tracers;                /* those followed: all, unless they are too many */
    size_t levels;
    uint64_t taken;           /* frames */
    struct sample *samples;   /* the kept ones of each level, tracer by tracer; owned */
    struct block_sums blocks; /* for each lag, for all and each class: the sums of the squares
                             of displacements and of the products of velocities, and how
                             many there are */
};

/*
 * Prepares for a number of frames at equal intervals. Keeps at most 2^21 samples, 64 MB: of more
 * particles, some are followed. Returns STATUS_DONE or STATUS_NO_MEMORY; in any case
 * correlator_free frees it.
 */
enum status correlator_create(struct correlator *correlator, const struct system *system,
                              const struct classes *classes, uint64_t frames, struct error *error);
void correlator_free(struct correlator *correlator);

/* Takes the next frame, in a block. */
void correlator_add(struct correlator *correlator, const struct snapshot *snapshot, int block);

/* The lags by number, in frames. */
size_t correlator_lags(const struct correlator *correlator);
uint64_t correlator_lag(size_t number);

/* The two means for a lag, of all particles (group 0) or of class `group` - 1. */
struct estimate correlator_displacement(const struct correlator *correlator, size_t lag,
                                        size_t group);
struct estimate correlator_velocity(const struct correlator *correlator, size_t lag, size_t group);

void correlator_save(const struct correlator *correlator, struct record_writer *writer);
void correlator_load(struct correlator *correlator, struct record_reader *reader);

#endif
