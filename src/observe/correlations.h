/* Correlations of positions at one time (pair distribution, structure factor, bond order), and of
 * positions and velocities at two times, for --structure. Sums are in blocks of time (blocks.h). */
#ifndef PARTICLES_CORRELATIONS_H
#define PARTICLES_CORRELATIONS_H

#include "blocks.h"
#include "model/neighbours.h"
#include "run/observer.h"

void neighbours_map_take(struct neighbours_map *map, const struct snapshot *snapshot);

/* The bonds of a particle, with its neighbours. */
struct bond_order {
    double real, imaginary; /* psi6: see bond_order_find */
    double area;            /* of its Voronoi cell; of those at one position each has a part */
    size_t count;
};

/* The pair distribution function g(r): the number of pairs of particles at a distance r, divided by
 * the number if all positions were equally likely. Slot 0 is for all pairs; if there are several
 * classes, the others are for pairs of them (classes_slot). Near bins are a 50th of a diameter
 * wide, and counted for all pairs; of many particles only some are centres of the far ones. With it
 * goes g6(r), the mean of Re(psi6* psi6) of the pairs in a bin. */
struct pair_distribution {
    const struct classes *classes; /* not owned */
    size_t slots;
    double diameter;    /* the mean, or for points the mean spacing */
    double near, reach; /* where near and far bins end, length; reach: half the shorter side */
    double far_width;   /* of a far bin, length */
    size_t near_bins, far_bins;
    double sides[2];          /* of what centres can reach, length */
    double walls[2];          /* 1 where these are between walls, 0 along a periodic axis */
    size_t stride;            /* each stride-th particle is a centre for the far bins */
    uint64_t *counts;         /* of one frame: for each slot near bins, near pairs that are found
                                 again, far bins, and pairs that are farther apart; owned */
    double *orders;           /* the sums of g6 of a block, in the order of counts; not owned */
    struct block_sums blocks; /* for each slot the bins, and the numbers of pairs examined for near
                                 and for far bins; and then the sums of g6, like counts */
};

enum status pair_distribution_create(struct pair_distribution *pairs,
                                     const struct neighbours_map *map,
                                     const struct classes *classes, struct error *error);
void pair_distribution_free(struct pair_distribution *pairs);

/* Counts the pairs of frame number `k`, whose particles have these bonds, in a block. */
void pair_distribution_add(struct pair_distribution *pairs, const struct neighbours_map *map,
                           const struct bond_order *bonds, uint64_t k, int block);

/* The distance at which a bin begins, and g in it. */
double pair_distribution_edge(const struct pair_distribution *pairs, size_t bin);
struct block_estimate pair_distribution_value(const struct pair_distribution *pairs, size_t slot,
                                              size_t bin);

/* g6 in a bin. */
struct block_estimate pair_distribution_order(const struct pair_distribution *pairs, size_t bin);

/* g at a contact distance: a parabola is fitted to ln g of the bins from there to 1.2 times that
 * distance, weighted by their counts. NAN with less than four bins, or if one is empty. */
struct block_estimate pair_distribution_contact(const struct pair_distribution *pairs, size_t slot,
                                                double contact);

/* The structure factor S(k) = |sum of exp(i k.r) over all particles|^2 / N, of the wave vectors
 * that fit the box, k = 2 pi (m / Lx, n / Ly) with whole m and n: its mean in shells of |k|. Along
 * an axis with walls m or n is 0; without a periodic axis there is none. The partial ones, of the
 * sums A and B over two classes, are Re(A* B) / sqrt(N_a N_b) (N. Ashcroft and D. Langreth,
 * Structure of binary liquid mixtures, Phys. Rev. 156, 1967). */
struct structure_factor {
    const struct classes *classes; /* not owned */
    size_t shells;                 /* up to k = 8 pi / diameter */
    double width;                  /* of a shell, 1 / length */
    double pitch_x, pitch_y;       /* of wave vectors, 1 / length; INFINITY: the axis has walls */
    size_t count;                  /* of wave vectors */
    struct structure_waves *waves; /* owned */
    struct block_sums blocks; /* for each slot the sum of S in each shell; then numbers of terms */
};

/* Chooses wave vectors: all of the first shells, a sample of the others. `diameter`: as above. */
enum status structure_factor_create(struct structure_factor *factor,
                                    const struct neighbours_map *map, const struct classes *classes,
                                    double diameter, struct error *error);
void structure_factor_free(struct structure_factor *factor);

void structure_factor_add(struct structure_factor *factor, const struct neighbours_map *map,
                          int block);

/* S, of slot 0, or a partial one in a shell; not determined if no wave vector is in it. */
struct block_estimate structure_factor_value(const struct structure_factor *factor, size_t slot,
                                             size_t shell);

/*
 * The bond-orientational order of disks, psi6: the mean of exp(6 i angle) over the bonds of a disk
 * with its neighbours, 1 in size for the bonds of a triangular lattice (D. Nelson and B. Halperin,
 * Dislocation-mediated melting in two dimensions, Phys. Rev. B 19, 1979).
 *
 * Finds the bonds of each particle, by its number, the mean of |psi6|, and the size of the mean of
 * psi6. Neighbours are those whose Voronoi cells, which end at walls, share a side of more than
 * 10^-6 of their distance; so four particles at one distance from a point do not depend on
 * rounding. Particles at one position are no neighbours; without neighbours psi6 is 0. The areas
 * add up to the area of the box, polygons included. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status bond_order_find(const struct neighbours_map *map, struct bond_order *bonds,
                            double *local, double *global, struct error *error);

/* Mean square displacement and velocity autocorrelation against time, with many time origins and
 * lags that are about evenly spaced in their logarithm (J. Ramirez, S. Sukumaran, B. Vorselaars and
 * A. Likhtman, Efficient on the fly calculation of time correlation functions in computer
 * simulations, J. Chem. Phys. 133, 154103, 2010). Where they average, every second sample is taken:
 * level l keeps the last CORRELATOR_KEPT of each 2^l-th frame. So the lags, in frames, are 0 to 7,
 * then 8, 10, 12, 14, then 16, 20, 24, 28, and so on. */
enum { CORRELATOR_KEPT = 8 };

/* The sums of squares of displacements and of products of velocities, and their number. */
enum correlator_sum {
    CORRELATOR_DISPLACEMENT,
    CORRELATOR_VELOCITY,
    CORRELATOR_COUNT,
    CORRELATOR_SUMS
};

struct correlator {
    const struct classes *classes; /* not owned */
    size_t particles;              /* of the system */
    size_t tracers;                /* those followed: all, unless they are too many */
    size_t levels;
    uint64_t taken;                    /* frames */
    struct correlator_sample *samples; /* the kept ones of each level, tracer by tracer; owned */
    struct block_sums blocks;          /* for each lag and group CORRELATOR_SUMS */
};

/* A particle, or anything else that moves, at one time. */
struct correlator_sample {
    double x, y; /* its position without seams, length */
    double u, v; /* its velocity */
};

/* Prepares for a number of frames at equal intervals. Keeps at most 2^21 samples, 64 MB. */
enum status correlator_create(struct correlator *correlator, size_t particles,
                              const struct classes *classes, uint64_t frames, struct error *error);
void correlator_free(struct correlator *correlator);

/* Adds particles, relative to the frame of reference that moves with this velocity. */
void correlator_add(struct correlator *correlator, const struct snapshot *snapshot, double drift_u,
                    double drift_v, int block);

/* Adds something else than particles: first the samples of the tracers go where `next` says. */
struct correlator_sample *correlator_next(const struct correlator *correlator);
void correlator_take(struct correlator *correlator, int block);

/* The lags by number, in frames. */
size_t correlator_lags(const struct correlator *correlator);
uint64_t correlator_lag(size_t number);

/* The mean of one of the first two sums for a lag and a group of particles. It has an error if the
 * lag is not longer than a block: otherwise blocks depend on each other. */
struct block_estimate correlator_mean(const struct correlator *correlator, size_t lag, size_t group,
                                      enum correlator_sum sum);

/* A factor times the growth of the mean square displacement in a frame, on average from half of a
 * lag of at least 1 on. It has an error if the lag is not longer than a quarter of a block. */
struct block_estimate correlator_slope(const struct correlator *correlator, size_t lag,
                                       size_t group, double factor);

void correlator_record(struct correlator *correlator, struct record *record);

#endif
