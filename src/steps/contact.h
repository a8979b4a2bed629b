/* Functions that constraints share: the bounce at a hard wall or a hard disk, the list of pairs of
 * particles in contact, and the projection of two particles onto a constraint. */
#ifndef PARTICLES_CONTACT_H
#define PARTICLES_CONTACT_H

#include "term.h"

/*
 * When constraints act, a stored velocity is that of the middle of the substep. If it were
 * reflected unchanged, each bounce under gravity would lose height. So the velocity is computed at
 * the moment of contact, reflected there, and used for the remainder of the substep: that is exact
 * for constant forces. (M. Mueller et al., Detailed rigid body simulation with extended position
 * based dynamics, 2020, section 3.6, reflects after projection; it has the threshold.)
 */

/* An arrival along the normal, which points away from the wall or disk. */
struct impact_arrival {
    double speed;        /* stored, before the contact, length per time; less than 0: towards it */
    double acceleration; /* by forces, length per time squared */
    double threshold;    /* slower arrivals do not bounce, length per time, from 0 */
    double since;        /* time from the contact of the straight path to the end of the substep */
};

struct impact_departure {
    int is_resting; /* too slow for a bounce, or separating already: the overlap is projected */
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

/* Makes room in a list of pairs in contact, at first {0}, for so many particles and, in this
 * substep, pairs. Returns STATUS_DONE or STATUS_NO_MEMORY; contact_list_free frees it. */
enum status contact_list_reserve(struct contact_list *list, size_t particles, size_t pairs,
                                 struct error *error);

/* In each substep a term lists the pairs of every particle i, at a place where there is room for
 * them, and in the order of j > i. */
static inline void contact_list_begin(struct contact_list *list, size_t i, size_t place)
{
    list->now.spans[i] = (struct contact_span){place, 0};
}

static inline void contact_list_add(struct contact_list *list, size_t i, size_t j)
{
    struct contact_span *span = &list->now.spans[i];
    list->now.partners[span->begin + span->count++] = (uint32_t)j;
}

/* True if two particles were in contact in the last substep; by binary search. */
int contact_list_had(const struct contact_list *list, size_t i, size_t j);

void contact_list_end_substep(struct contact_list *list);

/* Write and read the pairs of the last substep, of `particles` particles. */
void contact_list_record(struct contact_list *list, size_t particles, struct record *record);

void contact_list_free(struct contact_list *list);

/* The same for energies and virials, which `visit` adds to those of the steps, as one sum. */
COMPILER_INLINE enum status add_pair_energies(struct verlet_list *list, struct steps *steps,
                                              double range, double gap, neighbours_visit *visit,
                                              void *context)
{
    const double potential = steps->potential, virial = steps->virial;
    steps->potential = steps->virial = 0;
    enum status status =
        verlet_each(list, steps->system, range, gap, steps->pool, visit, context, steps->error);
    steps->potential += potential;
    steps->virial += virial;
    return status;
}

/* The largest sum of two radii. No disk may move by more than half of its radius in a substep, so
 * that no two pass through each other. */
double contact_range(struct steps *steps);

/* The softness of a constraint of extended position-based dynamics, XPBD (steps.h). */
struct xpbd_compliance {
    double value;   /* alpha, length per force, from 0: the inverse of a stiffness */
    double damping; /* beta, force per speed, from 0; without effect if alpha is 0 */
};

/*
 * The change of the multiplier of a constraint: equation 26 of the paper on XPBD. Divided by dt^2 a
 * multiplier is a force, positive if it pushes. `off` is the distance less the wanted one; it has
 * changed by `change` in this substep, with the sum `multiplier` of multipliers, mass length;
 * `inverse_mass` is the sum of the mobilities of both particles, more than 0.
 */
static inline double xpbd_multiplier(const struct xpbd_compliance *compliance, double dt,
                                     double off, double change, double multiplier,
                                     double inverse_mass)
{
    const double scaled = compliance->value / dt / dt;
    const double damped = compliance->value * compliance->damping / dt;
    return (-off - scaled * multiplier - damped * change) / ((1 + damped) * inverse_mass + scaled);
}

struct relative {
    struct vector position, velocity; /* from i to j; of j less that of i */
};

static inline struct relative relative_motion(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    struct relative relative = {{q->x - p->x, q->y - p->y}, {q->u - p->u, q->v - p->v}};
    boundary_shorten(&steps->system->boundary, &relative.position.x, &relative.position.y);
    return relative;
}

/* The present separation of two particles, from i to j. */
struct xpbd_separation {
    double distance;      /* of the centres, length */
    struct vector normal; /* of length 1; along x if the positions are equal */
};

static inline struct xpbd_separation xpbd_separation(const struct steps *steps, size_t i, size_t j)
{
    const struct vector apart = relative_motion(steps, i, j).position;
    const double distance = vector_length(&apart);
    if (!(distance > 0))
        return (struct xpbd_separation){0, {1, 0}};
    return (struct xpbd_separation){distance, {apart.x / distance, apart.y / distance}};
}

/* The speed at which two particles separate along the normal; less than 0 if they approach. */
static inline double separation_speed(const struct steps *steps, size_t i, size_t j,
                                      const struct vector *normal)
{
    const struct vector velocity = relative_motion(steps, i, j).velocity;
    return vector_product(normal, &velocity);
}

/* The change of their distance in this substep. */
static inline double xpbd_change(const struct steps *steps, size_t i, size_t j,
                                 const struct vector *normal)
{
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const struct vector *a = &steps->before[i];
    const struct vector *b = &steps->before[j];
    return normal->x * ((q->x - b->x) - (p->x - a->x)) +
           normal->y * ((q->y - b->y) - (p->y - a->y));
}

/* Moves two particles apart along the normal, by the multiplier times their mobilities. */
static inline void xpbd_move(struct steps *steps, size_t i, size_t j, const struct vector *normal,
                             double multiplier)
{
    const double a = -multiplier * steps->mobility[i];
    const double b = multiplier * steps->mobility[j];
    steps_move(steps, i, a * normal->x, a * normal->y);
    steps_move(steps, j, b * normal->x, b * normal->y);
}

#endif
