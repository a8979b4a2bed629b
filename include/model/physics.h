/*
 * The collisions of a system: which is next of a particle, or of a pair, and what it does to them.
 * It puts together what pair.h, boundary.h, polygons.h and boundary_law.h know.
 *
 * Every predicted time is a pure function of the anchors of the particles involved, and each
 * formula is evaluated in one fixed order in IEEE double precision. Therefore any schedule, on any
 * machine, with any compiler, finds the very same collisions.
 */
#ifndef PARTICLES_PHYSICS_H
#define PARTICLES_PHYSICS_H

#include "model/event.h"
#include "model/polygons.h"
#include "model/system.h"

/* When two particles touch, and with which image of the second: its shift is added to j - i. */
struct physics_contact {
    double time; /* INFINITY: never */
    struct pair_shift shift;
};

/* The earliest contact of particle i with the images of j: along each periodic axis those at -L, 0
 * and L, for between events every centre is in the box. Of several at one time, the first in this
 * order, x before y. */
struct physics_contact physics_first_contact(const struct system *system, const struct particle *i,
                                             const struct particle *j);

/* When particle i touches j, or its image that is `shift` from it, where that is not NULL. */
static inline double physics_pair_time(const struct system *system, const struct particle *i,
                                       const struct particle *j, const struct pair_shift *shift)
{
    const double growth = system->boundary.growth;
    const double contact = system_contact(system, i, j);
    return growth > 0 ? pair_growing_time(i, j, contact, growth, shift)
                      : pair_time_under(&system->boundary.gravity, i, j, contact, shift);
}

/* The next collision of particle `index` with the boundary. */
static inline struct event physics_boundary_event(const struct system *system, size_t index)
{
    const struct particle *p = &system->particles[index];
    const double radius = system_radius(system, p);
    struct boundary_contact next = boundary_next(&system->boundary, p, radius);
    if (system->boundary.polygons) {
        struct boundary_contact other =
            polygons_next(&system->boundary, p, radius, p->t, next.time);
        next = other.time < next.time ? other : next;
    }
    return (struct event){next.time, (int32_t)index, next.feature};
}

/* The potential collision of particles i and j, where i has the lower id; or, if they are the same,
 * of i with the boundary. */
static inline struct event physics_event(const struct system *system, size_t i, size_t j)
{
    if (i == j)
        return physics_boundary_event(system, i);
    const struct particle *p = &system->particles[i];
    const struct particle *q = &system->particles[j];
    const int is_plain = !(system->boundary.periodic | (unsigned)system->boundary.gravity.acts);
    const double contact = system_contact(system, p, q);
    double time = !is_plain ? physics_first_contact(system, p, q).time
                  : system->boundary.growth > 0
                      ? pair_growing_time(p, q, contact, system->boundary.growth, NULL)
                      : pair_time(p, q, contact, NULL);
    return (struct event){time, (int32_t)i, (int32_t)j};
}

/*
 * Resolves `event`, which the predictions above gave for these anchors: moves the anchors of its
 * particles to its time, changes their velocities, raises their versions and counts the collision.
 * Two particles switch velocities (assignment, "Calculation of particle-particle collisions") or
 * exchange momentum, as the system's law says; afterwards they do not approach.
 */
void physics_resolve(struct system *system, const struct event *event);

/* The same, and describes the collision. */
void physics_resolve_collision(struct system *system, const struct event *event,
                               struct collision *collision);

/* Where particle `index` is at `time`, not before its anchor and not after its next collision.
 * Rounding cannot take it out of the box. */
void physics_position(const struct system *system, size_t index, double time, double *x, double *y);

/*
 * The contact time of a law with restitution < 1, and under gravity, if the user gives none: 10^-5
 * times the time in which a particle moves by its own size: the mean diameter, or the shorter side
 * of the box where all are points, divided by the root mean square of the present speeds, to which
 * those of the rims of rough disks are added; or the root of the size divided by gravity, if that
 * is shorter. 0 if nothing moves, at most SYSTEM_LARGEST. Sums are made in the order of the
 * particles, which should be that of their ids.
 */
double physics_contact_time(const struct system *system);

#endif
