/*
 * What is simulated: hard disks in a rectangular box whose lower left corner is the origin, and
 * the law of their collisions.
 *
 * Units are the user's own: any unit of length, any unit of time, used throughout.
 */
#ifndef PARTICLES_SYSTEM_H
#define PARTICLES_SYSTEM_H

#include "base/error.h"

#include <float.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sizes, speeds and END_TIME stay within these bounds, so that no product in the formulas of
 * physics.h can overflow, and none that matters can vanish.
 */
#define SYSTEM_SMALLEST 1e-40
#define SYSTEM_LARGEST  1e40

enum { SYSTEM_MAX_COUNT = INT32_MAX }; /* particles are numbered by int32_t: see event.h */

/*
 * One disk. (x, y, u, v, t) is its anchor: where it was, and with which velocity, at time t of
 * its own last collision (or at the start). Between collisions it is at x + u * (time - t): only
 * a collision rewrites an anchor.
 */
struct particle {
    double x, y;                  /* position of the centre at time t, length */
    double u, v;                  /* velocity since time t, length per time */
    double t;                     /* time of the last collision; 0 at the start */
    uint64_t wall_collisions;     /* how often it has hit a wall, any of the four */
    uint64_t particle_collisions; /* how often it has hit another particle */
    int32_t id;                   /* its number in the input, from 0: a label, and the tie-break */
    uint32_t kind;                /* which of the system's kinds it is; 0 if all are alike */
};

/* What particles have in common, and what never changes. */
struct kind {
    double radius;   /* R, length; 0 makes them points */
    double mass;     /* any unit of mass; SYSTEM_LEAST_MASS to SYSTEM_LARGEST_MASS */
    int32_t species; /* a label for the user's own use, from 0 */
};

#define SYSTEM_LEAST_MASS   1e-40
#define SYSTEM_LARGEST_MASS 1e40

/* What happens when two particles collide. */
enum rule {
    RULE_SWAP,   /* they switch velocities: the assignment's rule */
    RULE_ELASTIC /* an impulse acts along the line of their centres */
};

/* The law of collisions; {0} is the assignment's. */
struct law {
    enum rule rule;
    double restitution;  /* of RULE_ELASTIC: the part of the normal velocity that is left, 0 to 1 */
    double contact_time; /* of restitution < 1: a particle that collides again so soon after its
                            last collision loses nothing; time, from 0 */
};

struct system {
    size_t count;               /* N: how many particles; 1 to SYSTEM_MAX_COUNT */
    double radius;              /* R, of every particle that is not of a kind, length */
    double width, height;       /* Lx and Ly: the box is [0, Lx] x [0, Ly], length */
    struct particle *particles; /* `count` of them, owned by the system, in any order */
    size_t kind_count;          /* 0: all are alike, with radius R, mass 1 and species 0 */
    struct kind *kinds;         /* `kind_count` of them, owned by the system; or NULL */
    struct law law;
};

/* Radius, mass and species of a particle. */
static inline double system_radius(const struct system *system, const struct particle *particle)
{
    return system->kinds ? system->kinds[particle->kind].radius : system->radius;
}

static inline double system_mass(const struct system *system, const struct particle *particle)
{
    return system->kinds ? system->kinds[particle->kind].mass : 1;
}

static inline int32_t system_species(const struct system *system, const struct particle *particle)
{
    return system->kinds ? system->kinds[particle->kind].species : 0;
}

/* How far apart the centres of two particles are when they touch, length. */
static inline double system_contact(const struct system *system, const struct particle *a,
                                    const struct particle *b)
{
    if (!system->kinds)
        return 2 * system->radius;
    return system->kinds[a->kind].radius + system->kinds[b->kind].radius;
}

/* How far rounding may move something computed from lengths up to `length`, generously. */
static inline double system_rounding(double length)
{
    return 16 * DBL_EPSILON * length;
}

/*
 * Check the radius R and the box. The sides are checked by themselves, for where every particle is
 * of a kind, no disk has radius R; system_check_box checks them, too, and that there is room for a
 * disk of radius R. They return STATUS_DONE or STATUS_BAD_DATA.
 */
enum status system_check_radius(const struct system *system, struct error *error);
enum status system_check_sides(const struct system *system, struct error *error);
enum status system_check_box(const struct system *system, struct error *error);

/* Checks that the radius and the mass are within bounds. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status system_check_kind(const struct kind *kind, struct error *error);

/*
 * Checks that particle `index`, with the radius of its kind, lies inside the box, up to the
 * rounding of its coordinates, and that its speed is within bounds. Returns STATUS_DONE or
 * STATUS_BAD_DATA.
 */
enum status system_check_particle(const struct system *system, size_t index, struct error *error);

/* The largest component, whatever its sign, of all velocities; 0 if all particles are at rest. */
double system_fastest(const struct system *system);

/* The time of the last collision of all; 0 if there was none. */
double system_last_time(const struct system *system);

/* Puts the particles into the order of the input: particle `id` at index `id`. */
void system_restore_order(struct system *system);

/* Frees the particles and the kinds, and leaves an empty system. */
void system_free(struct system *system);

#endif
