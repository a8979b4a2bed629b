/*
 * What is simulated: hard disks in a rectangular box whose lower left corner is the origin, and
 * the law of their collisions.
 *
 * Units are the user's own: any unit of length, any unit of time, used throughout.
 */
#ifndef PARTICLES_SYSTEM_H
#define PARTICLES_SYSTEM_H

#include "base/error.h"
#include "model/boundary.h"
#include "model/particle.h"

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
    struct boundary boundary;   /* the box, its walls and its seams */
    struct particle *particles; /* `count` of them, owned by the system, in any order */
    struct counts *counts;      /* those of each particle, in the same order; owned. NULL: nobody
                                   counts */
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
 * Gives the system memory for `capacity` particles and their counts, aligned to the lines of the
 * processor's cache. The first `used`, which the system has, stay; the others are zero but for
 * their ids, and have never collided. On failure, which is STATUS_NO_MEMORY, the system stays as it
 * was.
 */
enum status system_reserve(struct system *system, size_t used, size_t capacity,
                           struct error *error);

/*
 * Both halves of system_reserve, for threads to share the second, most of which is the clearing of
 * memory that is touched for the first time: system_allocate leaves the others without values, and
 * system_begin gives them to those from `first` to before `end`.
 */
enum status system_allocate(struct system *system, size_t used, size_t capacity,
                            struct error *error);
void system_begin(struct system *system, size_t first, size_t end);

/*
 * Check the radius R; and the sides of the box, and that there is room for a disk of radius R, or
 * for two along a periodic axis: which need not be where every particle is of a kind. They return
 * STATUS_DONE or STATUS_BAD_DATA.
 */
enum status system_check_radius(const struct system *system, struct error *error);
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

/* The time of the last event of all; 0 if there was none. */
double system_last_time(const struct system *system);

/*
 * Puts the particles into the order of the input: particle `id` at index `id`. Of very many it
 * makes a copy for a while, and `particles` is another block then, if there is memory for that.
 */
void system_restore_order(struct system *system);

/* Lets two particles, and their counts, change places. */
static inline void system_exchange(struct system *system, size_t i, size_t j)
{
    struct particle particle = system->particles[i];
    struct counts counts = system->counts[i];
    system->particles[i] = system->particles[j];
    system->counts[i] = system->counts[j];
    system->particles[j] = particle;
    system->counts[j] = counts;
}

/* Frees the particles, the kinds and the polygons, and leaves an empty system. */
void system_free(struct system *system);

#endif
