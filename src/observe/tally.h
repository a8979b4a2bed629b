/* Sums over a run: how often particles collide, how far and how long they fly in between, and how
 * much momentum they transfer; and the density of the stream that comes in. figures.c computes the
 * figures of --stats from them. */
#ifndef PARTICLES_TALLY_H
#define PARTICLES_TALLY_H

#include "base/elementary.h"
#include "io/record.h"
#include "model/boundary_law.h"
#include "run/observer.h"
#include "schedule/collision_sums.h"

/*
 * Measures the density of the stream that comes in, by the particles to which it gives a velocity.
 *
 * In a gas of n particles per area, n E|u| Ly per time reach the seam in x. But in a thin gas the
 * density is not the same everywhere there: wakes come back through the seam. So in a thin gas
 * those particles count whose straight path leads into a circle around all obstacles. In a uniform
 * gas these are 2 r n E|c| per time for a radius r, for the circle is as wide from every side, and
 * all paths into it begin at seams. In a dense gas no particle comes so far without a collision:
 * there those that reach the seam in x count. The density is the mean of the two; the weight of the
 * first is the fraction of a gas that would reach the circle without a collision; it is 0 if y is
 * not periodic, or the circle does not fit into the box.
 */
struct inflow_gauge {
    const struct boundary *boundary; /* not owned */
    double x, y, radius;             /* the circle, length */
    double weight;                   /* of the particles whose path leads into it, 0 to 1 */
};

/* Makes the gauge for the run of a snapshot, which depends on no position or velocity. */
struct inflow_gauge inflow_gauge_make(const struct snapshot *snapshot);

/* Returns by how much a particle that gets a velocity from a stream increases density times time;
 * may be 0. */
double inflow_gauge_weigh(const struct inflow_gauge *gauge, const struct collision *passage);

/* The axes along which nothing changes the momentum of all particles, in a set of bits: the
 * periodic ones, unless there are polygons, or a stream or walls that give other velocities, such
 * as rough ones, or walls that absorb. */
static inline unsigned tally_conserved(const struct boundary *boundary)
{
    const int is_rubbed =
        boundary->surfaces.are_rough && boundary->periodic != (PERIODIC_X | PERIODIC_Y);
    return boundary->polygons || boundary->stream.draw || wall_laws_are_diffuse(boundary) ||
                   wall_laws_absorb(boundary) || is_rubbed
               ? 0
               : boundary->periodic;
}

/* The distribution of speeds c relative to the drift, at one moment: means over all particles. */
struct tally_speeds {
    double mean;      /* of c */
    double square;    /* of c^2 */
    double reduced;   /* of sqrt(m) c, whose distribution does not depend on the mass, */
    double reduced_2; /* and of its square m c^2 */
};

enum { TALLY_WALLS = 4 };

/* Sums over all particles, relative to the drift, that are integrated over time. */
enum tally_integral {
    INTEGRAL_ENERGY,     /* of m c^2 / 2 */
    INTEGRAL_SPEED,      /* of c */
    INTEGRAL_DIFFERENCE, /* of m (u^2 - v^2) and */
    INTEGRAL_SHEAR,      /* of m u v: m c c but for its trace */
    INTEGRAL_FOURTH,     /* of (m c^2)^2 */
    INTEGRAL_COUNT,      /* of 1, */
    INTEGRAL_MASS,       /* and of m: they change where walls absorb */
    INTEGRAL_CLASSES,    /* of m c^2 / 2, of each of several classes */
    TALLY_INTEGRALS = INTEGRAL_CLASSES + CLASSES_MAX
};

struct tally {
    uint64_t pairs;                    /* collisions of two particles */
    uint64_t walls[TALLY_WALLS];       /* collisions with the wall of code -1 - index */
    struct sum push[TALLY_WALLS];      /* momentum transferred to each wall, outwards */
    uint64_t polygons;                 /* collisions with sides and corners of polygons */
    struct sum polygons_push;          /* momentum transferred to them, along each one's normal */
    struct sum polygons_gained[2];     /* x and y of the momentum that they have gained */
    uint64_t reinjections;             /* velocities given by the stream */
    struct sum inflow;                 /* the sum of inflow_gauge_weigh over them */
    struct sum seam_given[2];          /* x and y of the momentum that the particles gain thereby */
    struct sum gained[2];              /* momentum of walls, polygons and stream, x and y */
    struct sum virial;                 /* sum of d.J over all collisions of two: see tally_virial */
    double difference, shear;          /* the same of dx Jx - dy Jy, and of dx Jy */
    struct collision_basis basis;      /* of collisions of two; */
    struct collision_sums *sums;       /* those since tally_advance, of this block; not owned */
    double changes[TALLY_INTEGRALS];   /* of each sum since `from`, */
    double integrals[TALLY_INTEGRALS]; /* the integrals of these changes over time, */
    double integrated;                 /* up to this time, */
    double starts[TALLY_INTEGRALS];    /* and the sums at `from`: known after tally_end */
    int is_lossy;                      /* collisions of two lose energy */
    int has_laws;                      /* walls and polygons act */
    struct acceleration gravity;       /* of all particles */
    struct inflow_gauge gauge;
    struct sum
        energy_gained; /* thermal, by such collisions, from walls that act, or in a stream
                          by seams and polygons: changes[INTEGRAL_ENERGY] to the last digit */
    struct snapshot_motion start, end;
    struct tally_speeds speeds; /* at the end */
    /* Of each pair of several classes, collisions and virial. */
    double class_pairs[2][CLASS_PAIRS];
};

/*
 * Half of the degrees of freedom of N = `count` particles, by which a thermal energy E (struct
 * snapshot_motion) is to be divided for the temperature. N particles have 2N of them, so T = E / N.
 * Along an axis that conserves momentum one of them is missing: with g such axes, T = E / (N - g /
 * 2). A pinned particle has none, and a rigid link takes one.
 */
double tally_half_freedom(const struct system *system, double count);

/* Begins a tally of the time from the snapshot to `to`; `sums` are of the first block, and empty.
 * Of a flight that has begun before, the time from then on counts. All particles are one class as
 * long as the basis has no others. */
void tally_begin(struct tally *tally, const struct snapshot *snapshot, double to,
                 struct collision_sums *sums);

/* The virial d.J of a collision of two particles: d is the vector from the centre of a to the
 * centre of b at contact, and J the momentum that b gains and a loses. The swap of unequal masses
 * does not conserve momentum: J is then the mean of the two. */
double tally_virial(const struct collision *collision);

/* The direction from a polygon to the particle that has hit it, and their distance: see
 * polygons_normal. */
struct polygon_normal tally_normal(const struct boundary *boundary,
                                   const struct collision *collision);

/* Brings all sums up to `time`, with nothing that happens in between. */
void tally_advance(struct tally *tally, double time);

/* Adds a collision, or a passage by which a stream gives a particle another velocity; Collisions of
 * two particles are added to the sums of the block, as collision_sums_add does. */
void tally_collide(struct tally *tally, const struct collision *collision);

/* Ends the integrals at the time of the snapshot, and adds the motion and the speeds then. */
void tally_end(struct tally *tally, const struct snapshot *snapshot);

/* The length of all paths, relative to the drift, of a tally that has ended after `duration`. */
static inline double tally_path(const struct tally *tally, double duration)
{
    return tally->starts[INTEGRAL_SPEED] * duration + tally->integrals[INTEGRAL_SPEED];
}

/* Writes a tally of the time `from` to `to` into a checkpoint, or reads it, for the same system. */
void tally_record(struct tally *tally, double from, double to, const struct snapshot *snapshot,
                  struct record *record);

/* The same of its sums, when it has these and their block. */
void tally_record_sums(struct tally *tally, struct record *record);

struct snapshot_motion tally_motion(const struct snapshot *snapshot);

#endif
