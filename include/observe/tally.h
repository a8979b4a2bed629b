/*
 * Sums over a run: how often particles collide, how far and how long they fly in between, and how
 * much momentum they transfer. statistics.c computes its figures from them.
 */
#ifndef PARTICLES_TALLY_H
#define PARTICLES_TALLY_H

#include "base/sum.h"
#include "io/record.h"
#include "run/observer.h"

struct thread_pool;

/*
 * The axes along which nothing changes the momentum of all particles, in a set of bits: the
 * periodic ones, unless there are polygons or a stream, which gives particles other velocities.
 */
static inline unsigned tally_conserved(const struct boundary *boundary)
{
    return boundary->polygons || boundary->stream.draw ? 0 : boundary->periodic;
}

/*
 * Energy and momentum of all particles at one moment, in the units of the input. Along an axis that
 * conserves momentum, the centre of mass drifts with the same velocity all the time. That is no
 * heat: temperatures, paths and speeds are relative to the drift. The drift of a stream is its own
 * velocity, that of the gas before it meets anything.
 */
struct motion {
    double energy;           /* kinetic: sum of m (u^2 + v^2) / 2 */
    double momentum_x;       /* sum of m u */
    double momentum_y;       /* sum of m v */
    double impetus;          /* sum of m |velocity|, to compare momentum with */
    double drift_u, drift_v; /* velocity of the centre of mass along such axes, or of the
                                stream; otherwise 0 */
    double thermal;          /* kinetic energy relative to the drift */
};

/* The distribution of speeds c relative to the drift, at one moment: means over all particles. */
struct speeds {
    double mean;      /* of c */
    double square;    /* of c^2 */
    double reduced;   /* of sqrt(m) c, whose distribution does not depend on the mass, */
    double reduced_2; /* of its square m c^2 */
    double reduced_4; /* and of m^2 c^4 */
};

enum { TALLY_WALLS = 4 };

struct tally {
    double from;                   /* the time from which collisions and flights count */
    uint64_t pairs;                /* collisions of two particles */
    uint64_t walls[TALLY_WALLS];   /* collisions with the wall of code -1 - index */
    struct sum push[TALLY_WALLS];  /* momentum transferred to each wall, outwards */
    uint64_t polygons;             /* collisions with sides and corners of polygons */
    struct sum polygons_push;      /* momentum transferred to them, along each one's normal */
    struct sum polygons_gained[2]; /* x and y of the momentum that they have gained */
    uint64_t renewals;             /* velocities given by the stream */
    struct sum inflow;             /* of 1 / E|u| over these: see stream_mean_speed */
    struct sum seam_given[2];      /* x and y of the momentum that the particles gain thereby */
    struct sum
        gained[2];     /* x and y of the momentum that walls, polygons and the stream have gained */
    struct sum virial; /* sum of d.J over all collisions of two: see tally_virial */
    struct sum path;   /* length of the paths of all particles, relative to the drift */
    struct sum action; /* thermal energy times time */
    int is_lossy;      /* collisions of two lose energy */
    const struct stream *stream; /* polygons and its seam change the thermal energy; not owned;
                                    NULL: there is none */
    struct sum energy_gained;    /* thermal, in such collisions and passages */
    struct sum energy_moment;    /* and the same, times when it was, from `from` on */
    struct motion start, end;
    struct speeds speeds; /* at the end */
};

/*
 * Half of the degrees of freedom, by which a thermal energy E is to be divided for the
 * temperature. In two dimensions that is the kinetic energy for each two degrees of freedom. N
 * particles have 2N of them, so T = E / N. Along a periodic axis nothing changes the momentum, and
 * one of them is missing: with E relative to the drift of the centre of mass (struct motion) and g
 * periodic axes, T = E / (N - g / 2). Walls, polygons and streams do not conserve momentum, so
 * without seams or with any of these nothing is subtracted; but T is relative to the stream.
 */
double tally_half_freedom(const struct system *system);

/*
 * Begins a tally at the time of the snapshot, with the motion of the particles then. Of a flight
 * that has begun before, the rest counts.
 */
void tally_begin(struct tally *tally, const struct snapshot *snapshot);

/*
 * The virial d.J of a collision of two particles: d is the vector from the centre of a to that of b
 * at contact, and J the momentum that b gains and a loses. The swap of unequal masses does not
 * conserve momentum: J is then the mean of what b gains and what a loses, and d.J the virial about
 * the point midway between the centres.
 */
double tally_virial(const struct collision *collision);

/* Adds a collision and the flights that it ends. */
void tally_collide(struct tally *tally, const struct collision *collision);

/* Adds a passage by which a stream gives a particle another velocity, and the flight that it ends.
 */
void tally_renew(struct tally *tally, const struct collision *passage);

/* Adds the flights from the last collisions to the time of the snapshot, and the motion and the
 * speeds then. The threads of `pool` share that; NULL: the calling one does all. */
void tally_end(struct tally *tally, const struct snapshot *snapshot, struct thread_pool *pool);

/* Writes a tally that has begun into a checkpoint, and reads it, for the same time and system. */
void tally_save(const struct tally *tally, struct record_writer *writer);
void tally_load(struct tally *tally, double from, const struct system *system,
                struct record_reader *reader);

/* The motion of the particles at the time of the snapshot. */
struct motion tally_motion(const struct snapshot *snapshot);

#endif
