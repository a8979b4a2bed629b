/*
 * Contacts within a substep: the bounce at a hard wall or a hard disk, and the list of pairs of
 * particles in contact.
 */
#ifndef PARTICLES_CONTACT_H
#define PARTICLES_CONTACT_H

#include "part.h"

/*
 * The loop kicks and then drifts, so a stored velocity is that of the middle of the substep. If it
 * were reflected unchanged, each bounce under gravity would lose height. So the velocity is
 * computed at the moment of contact, reflected there, and used for the remainder of the substep:
 * that is exact for constant forces. (M. Mueller et al., Detailed rigid body simulation with
 * extended position based dynamics, 2020, section 3.6, reflects after projection; it has the
 * threshold.)
 */

/* An arrival along the normal, which points away from the wall or disk. */
struct impact_arrival {
    double speed;        /* stored, before the contact, length per time; less than 0: towards it */
    double acceleration; /* by forces, length per time squared */
    double threshold;    /* slower arrivals come to rest, length per time, from 0 */
    double since;        /* time from the contact of the straight path to the end of the substep */
};

struct impact_departure {
    int is_resting; /* too slow for a bounce, or moving away already: the overlap is projected */
    double speed;   /* stored, after the contact, length per time */
    double gap;     /* at the end of the substep, length, from 0 */
};

/* The departure from a contact in a substep of length dt, with a restitution from 0 to 1. */
static inline struct impact_departure impact_leave(const struct impact_arrival *arrival,
                                                   double restitution, double dt)
{
    const double a = arrival->acceleration;
    double since = arrival->since;
    if (!(arrival->speed < 0))
        return (struct impact_departure){.is_resting = 1};
    since -= a * since * (dt - since) / (2 * arrival->speed); /* the path is a parabola */
    since = fmin(fmax(since, 0), dt);
    const double correction =
        a * (dt / 2 - since); /* from the speed in the middle to that at contact */
    const double speed = arrival->speed + correction;
    if (-speed <= arrival->threshold)
        return (struct impact_departure){.is_resting = 1};
    const double leaving = -restitution * speed;
    return (struct impact_departure){0, leaving - correction,
                                     fmax(0, (leaving + a * since / 2) * since)};
}

/*
 * The pairs of particles in contact, in this substep and in the last one: so that a contact is
 * counted once, when it begins.
 *
 * In each substep a part adds all pairs in contact, in any order, and then ends the substep. The
 * pairs of the last substep are saved in checkpoints.
 */

/* A pair is the number i * 2^32 + j, for i < j; so sorted pairs are in the order (i, j). */
struct contact_list {
    uint64_t *now, *last; /* pairs added in this substep; those of the last one, sorted; owned */
    size_t count, last_count; /* of pairs */
    size_t now_room, room;    /* allocated in `now` and in `last` */
};

/* Adds two particles, i != j, in contact in this substep, once. `touching` may be {0}, and is given
 * to touching_free. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status contact_list_add(struct contact_list *list, size_t i, size_t j, struct error *error);

/* True if two particles were in contact in the last substep; by binary search. */
int contact_list_had(const struct contact_list *list, size_t i, size_t j);

/* Ends a substep: counts each pair that was not in contact in the last one for both particles, in
 * the `counts` of all particles by their numbers. */
void contact_list_end_substep(struct contact_list *list, struct counts *counts);

/* Write and read the pairs of the last substep, of `particles` particles. */
void contact_list_save(const struct contact_list *list, struct record_writer *writer);
void contact_list_load(struct contact_list *list, size_t particles, struct record_reader *reader);

void contact_list_free(struct contact_list *list);

/* Finds the largest radius, and the smallest that is not 0; 0 and INFINITY if all are points. */
void contact_radii(const struct system *system, double *largest, double *smallest);

#endif
