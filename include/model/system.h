/* The system that is simulated: hard disks in a rectangular box whose lower left corner is the
 * origin, and the law of their collisions. Units of length and time are the user's own. */
#ifndef PARTICLES_SYSTEM_H
#define PARTICLES_SYSTEM_H

#include "base/error.h"
#include "model/boundary.h"
#include "model/particle.h"

#include <stddef.h>
#include <stdint.h>

/* The bounds of sizes, speeds and END_TIME: no product in the formulas of pair.h can overflow,
 * and none that matters can vanish. */
#define SYSTEM_SMALLEST 1e-40
#define SYSTEM_LARGEST  1e40

#define SYSTEM_MIN_MASS     1e-40
#define SYSTEM_LARGEST_MASS 1e40

enum { SYSTEM_MAX_COUNT = 1 << 28 }; /* cells and images take further bits of a number */

/* The rules of a collision of two particles. */
enum system_rule {
    RULE_SWAP,   /* they switch velocities: the assignment's rule */
    RULE_ELASTIC /* an impulse acts along the line of their centres */
};

/* The law of collisions; {0} is the assignment's. */
struct system_law {
    enum system_rule rule;
    double restitution; /* of RULE_ELASTIC: the share of the normal velocity that is left, 0 to 1 */
    double contact_time; /* of restitution < 1: a particle that collides again so soon after its
                            last collision loses nothing: system_loses; time, from 0 */
};

/*
 * Disks that grow (boundary.growth) gain energy. So from time to time, after a number of collisions
 * that follows from the course of the run alone, all velocities are scaled to the first energy: an
 * event of all particles, which rewrites every anchor. After each GROWTH_COLLISIONS collisions of
 * each particle the pressure of these is known (src/run/growth.c).
 */
enum { GROWTH_COLLISIONS = 100 };

struct system_growth {
    double pressure;     /* the reduced pressure p A / (N T) that ends the run; 0: none does */
    double until;        /* it has ended by this time */
    double energy;       /* the kinetic energy that is kept; 0: not yet known */
    double begin;        /* when velocities were scaled last */
    double work, action; /* of the present pressure: the gain of energy over the relative speed of
                            growth, energy times time, and the energy integrated over time */
    double since;        /* when that began */
    double jamming;      /* the area fraction at which the one before extrapolates to infinity, by
                            p = 2 / (1 - fraction / jamming); 0: it is not known */
    uint64_t collisions; /* since that began, */
    uint64_t next, each; /* after how many velocities are scaled again; how many are between */
    int has_ended;       /* the run is over: radii grow no longer */
};

struct system {
    size_t count;               /* N: how many particles; 1 to SYSTEM_MAX_COUNT */
    double radius;              /* R, of every particle that is not of a kind, length */
    struct boundary boundary;   /* the box, its walls and its seams */
    struct particle *particles; /* `count` of them, owned by the system, in any order; a schedule,
                                   as long as there is one, may change the order and the address */
    struct particle_counts *counts; /* of each particle, in the same order; owned; or NULL */
    double *spins;        /* the same of rough disks: angular velocities since their last events,
                             counter-clockwise, 1 / time; owned; NULL: disks are smooth */
    uint64_t reorderings; /* a number that changes with that order */
    size_t kind_count;    /* 0: all are alike, with radius R, mass 1 and species 0 */
    struct particle_kind *kinds; /* `kind_count` of them, owned by the system; or NULL */
    struct system_law law;
    struct system_growth growth;
    size_t fixed; /* degrees of freedom that constraints take: of pinned particles, rigid links */
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

/* The speed of the rim of a particle as seen from its centre: of rough disks, or 0. Positive where
 * they turn counter-clockwise. */
static inline double system_rim(const struct system *system, size_t index)
{
    return system->spins ? system->spins[index] * system_radius(system, &system->particles[index])
                         : 0;
}

/* By which factor radii have grown at a time; exactly 1 if they do not grow. Radii, and what
 * follows from them, are those of time 0 elsewhere. */
static inline double system_grown(const struct system *system, double time)
{
    return 1 + system->boundary.growth * time;
}

/* How far apart the centres of two particles are when they touch, length. */
static inline double system_contact(const struct system *system, const struct particle *a,
                                    const struct particle *b)
{
    if (!system->kinds)
        return 2 * system->radius;
    return system->kinds[a->kind].radius + system->kinds[b->kind].radius;
}

/* True if a collision loses energy when the last one was `passed` ago, and the centres close in at
 * this speed. Under gravity what rests on something has a collision in each contact time, with a
 * speed of about g times that, or of n grains on top of each other n times as much; what falls on
 * it is faster. (With a bound of 100 instead of 10^4 settling grains collide ten times as often.)
 */
static inline int system_loses(const struct system *system, double passed, double speed)
{
    const struct acceleration *g = &system->boundary.gravity;
    const double contact_time = system->law.contact_time;
    return !(passed < contact_time) ||
           (g->acts && speed > 1e4 * (fabs(g->x) + fabs(g->y)) * contact_time);
}

/*
 * Gives the system memory for `capacity` particles, aligned to the lines of the processor's cache,
 * and for their counts, and the spins of rough disks (boundary.surfaces), which are zero, as are
 * the particles but for their ids; none has collided.
 * On failure, which is STATUS_NO_MEMORY, the system stays as it was. system_allocate keeps the
 * first `used`, which the system has, and leaves the others without values: threads can share
 * what is most of the first touch of memory, system_begin, which sets `first` to `end` - 1.
 */
enum status system_reserve(struct system *system, size_t capacity, struct error *error);
enum status system_allocate(struct system *system, size_t used, size_t capacity,
                            struct error *error);
void system_begin(struct system *system, size_t first, size_t end);

/* Checks that the radius and the mass are within bounds. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status system_check_kind(const struct particle_kind *kind, struct error *error);

/* Checks the sides of the box. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status system_check_box(const struct boundary *boundary, struct error *error);

/*
 * Checks that particle `index`, with the radius of its kind, is inside the box, up to the rounding
 * of its coordinates; that it fits in, and that, if it moves, it has room to; and that its speed is
 * within bounds. Along a periodic axis its centre is inside, and there is room for two. Returns
 * STATUS_DONE, or STATUS_BAD_DATA with a message that names the particle by its id.
 */
enum status system_check_particle(const struct system *system, size_t index, struct error *error);

/* The sum of pi R^2 over all particles. */
double system_covered(const struct system *system);

/* Lets all radii be those of a time from now on, and grow no longer. */
void system_end_growth(struct system *system, double time);

/* polygons_prepare for the particles of a system, as large as they become. */
enum status system_attach_polygons(struct system *system, struct polygons *polygons,
                                   struct error *error);

/* The largest radius of the kinds, or R where all are alike. */
double system_largest_radius(const struct system *system);

/* The largest absolute value of a component of all velocities; 0 if all particles are at rest. */
double system_fastest(const struct system *system);

/* The time of the last event of all; 0 if there was none. */
double system_last_time(const struct system *system);

/* How many particles no wall has absorbed. */
size_t system_present(const struct system *system);

/* Puts particle `id` at index `id`, as in the input; very many by way of another block. */
void system_restore_order(struct system *system);

/* Copies counts to others that are zero, and touches only what changes (memory_allocate_zeros). */
static inline void system_copy_counts(struct particle_counts *to,
                                      const struct particle_counts *from)
{
    if (from->particles || from->walls || from->x_image || from->y_image)
        *to = *from;
}

static inline void system_exchange(struct system *system, size_t i, size_t j)
{
    struct particle particle = system->particles[i];
    system->reorderings++;
    struct particle_counts counts = system->counts[i];
    system->particles[i] = system->particles[j];
    system->counts[i] = system->counts[j];
    system->particles[j] = particle;
    system->counts[j] = counts;
    if (system->spins) {
        const double spin = system->spins[i];
        system->spins[i] = system->spins[j];
        system->spins[j] = spin;
    }
}

/* An index of a system's kinds, for a reader that adds each once; {0} is empty. */
struct system_kinds {
    size_t capacity;   /* kinds for which the system has memory */
    size_t slot_count; /* a power of 2, or 0 */
    uint32_t *slots;   /* owned; a kind's number + 1, or 0 for none */
};

/*
 * Finds the number of a kind in system->kinds, or adds it there, with the next number. A radius of
 * -0 must not occur. Takes a constant time on average for any kinds, fewer than 2^31, and 8 to 16
 * bytes for each. Returns STATUS_DONE with `*number` set, or STATUS_NO_MEMORY.
 */
enum status system_kinds_find(struct system_kinds *table, struct system *system,
                              const struct particle_kind *kind, uint32_t *number,
                              struct error *error);

void system_kinds_free(struct system_kinds *table);

/* Frees the particles, kinds, polygons and laws of walls, and leaves an empty system. */
void system_free(struct system *system);

#endif
