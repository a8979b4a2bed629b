/* The interface of interactions and constraints, the terms of a scene; the run as they see it; the
 * reader of their texts; and what they share: pairs in contact, bounces and projections. */
#ifndef PARTICLES_TERM_H
#define PARTICLES_TERM_H

#include "base/elementary.h"
#include "base/thread_pool.h"
#include "io/record.h"
#include "io/text.h"
#include "model/neighbours.h"
#include "model/system.h"
#include "run/dynamics.h"
#include "schedule/collision_sums.h"

#include <math.h>

struct term;

/* What a term is. */
struct term_traits {
    int is_single;     /* there is at most one in a scene */
    int is_long_range; /* it computes all pairs */
    int has_contacts;  /* it counts contacts of two particles */
    int has_deviation; /* figures show its violation */
    int hides_forces;  /* the virial is without its forces */
    int is_fluid;      /* its virial alone is the pressure, over steps->fluid_area */
    int is_bath;       /* it has a `kick` */
};

/* Two components, of a force, a distance or a velocity. */
struct vector {
    double x, y;
};

static inline double vector_product(const struct vector *a, const struct vector *b)
{
    return a->x * b->x + a->y * b->y;
}

static inline double vector_length(const struct vector *vector)
{
    return sqrt(vector_product(vector, vector));
}

/* sum += factor * added */
static inline void vector_add(struct vector *sum, double factor, const struct vector *added)
{
    sum->x += factor * added->x;
    sum->y += factor * added->y;
}

/* The state of a run at one moment, which figures compare: numbers, and nothing else. */
struct step_state {
    double kinetic, potential, thermal; /* energies */
    double momentum_x, momentum_y;
    double walls, pairs; /* contacts so far: with walls and polygons; of two particles */
};

/* The measurements for --stats. */
struct step_figures {
    double from;   /* when they began, the end of a substep */
    double to;     /* when blocks end: the end of the run; without one, as yet */
    uint64_t done; /* substeps made then */
    struct step_state start;
    double virial;           /* as last summed, at the end of a step */
    double time;             /* of the last end of a step, */
    uint64_t block;          /* which is in this block of the time; and means over each block: */
    double means[2][BLOCKS]; /* the growth of the thermal energy since `start`, and the virial */
    struct sum pushes;       /* since `time`: distance times momentum, as contacts pass it on */
    int is_measured;
    double deviation; /* the largest of any constraint since `from`, length */
};

/* The scene at the last whole step, while the particles are in a shorter one, or after it. */
struct steps_kept {
    struct particle *particles; /* NULL: they are in no such step; owned, with `counts` */
    struct particle_counts *counts;
    size_t fixed;         /* see struct system */
    struct record record; /* the rest, as checkpoints have it */
    struct step_figures figures;
};

/* The straight path of a particle at the end of a substep, for `contact`. */
struct steps_flight {
    double straight; /* time from its last bounce to the end of the substep */
    int pass;        /* in which another particle has moved it last; from 1 */
};

struct steps {
    struct dynamics dynamics;                /* the first member */
    struct error *error;                     /* for messages, of the present call; not owned */
    void (*warn)(const struct error *error); /* see run/observer.h; NULL: --quiet */
    struct system *system;                   /* not owned; particle k has the id k */
    double step;                             /* DT, time */
    uint32_t substeps, most_substeps;        /* of each step; to which they can be raised */
    double end_time;                         /* of this advance, where its last step ends */
    int is_resumed;                          /* contents of files come from the checkpoint */
    struct thread_pool *pool;                /* owned; NULL: one thread */
    unsigned threads;                        /* that it was to have */
    atomic_ullong largest_move; /* of a particle in this substep, the bits of a length */
    uint64_t steps;             /* from the beginning of the run to the end of this advance */
    uint64_t done;              /* substeps made so far */
    uint64_t first;             /* the step that follows the last change of the particles, */
    double start;               /* at this time */
    double dt;                  /* the length of this substep, time */
    double max_move;      /* the largest move of a particle in a substep, length; or DBL_MAX */
    double *inverse_mass; /* 1 / mass of each; 0: pinned; owned, with `mobility` */
    double drag;          /* the sum of c, mass per time */
    double friction;      /* of a bath, mass per time (one_body.c) */
    struct term *bath;    /* the term that is one; not owned */
    double fluid_area;    /* of all of a fluid at pressure 0 */
    uint64_t seed;
    double *mobility;        /* speed per force and dt: 1 / mass, less with drag or in a bath */
    double lag;              /* while forces are summed: how much older velocities are, time */
    struct vector *force;    /* on each particle, as last summed; owned, with the next three */
    struct vector *before;   /* where each particle was before this substep, length */
    struct vector *moved;    /* how far constraints have moved it in this substep, length */
    struct vector *reaction; /* the velocity by constraints in the last half of a substep */
    struct steps_flight *flights; /* of each particle; NULL: there is no `contact`; not owned */
    double strong;                /* bounces that change a speed by more need another pass, */
    int passes;              /* of constraints in this substep, with the present one; at first 0 */
    atomic_int is_unsettled; /* there has to be one more */
    struct vector gravity;   /* the sum of all accelerations by gravity, length per time^2 */
    double deviation;        /* to which PHASE_DEVIATION raises it, length */
    double potential;        /* energy, as PHASE_ENERGY sums it */
    double virial;           /* of pairs, summed there: distance times force, repulsion positive */
    struct term_traits traits; /* those that one of the terms has */
    size_t term_count;
    struct term **terms; /* by their ranks; owned, and behind this struct */
    struct step_figures figures;
    struct step_figures listed; /* a copy, up to the present time */
    struct steps_kept kept;
};

/* The phases in which terms act, the phases of a substep in their order. A term that acts returns
 * STATUS_DONE, or another status, with a message, if the run cannot go on. */
enum term_phase {
    PHASE_PREPARE,     /* after all terms are created, and before `state` is read */
    PHASE_START,       /* before the first substep a constraint moves particles to where it holds,
                          by steps_move. Their velocities do not change */
    PHASE_REACT,       /* then a link moves particles by steps_move, only to find the reactions */
    PHASE_ADVANCE,     /* an interaction moves particles beside their velocities */
    PHASE_CONSTRAINTS, /* a constraint moves particles by steps_move; in several passes, while one
                          of them sets is_unsettled */
    PHASE_BOUNCE,      /* it changes velocities, which have been updated */
    PHASE_RATES,       /* an interaction advances its state with the new positions, and with the
                          velocities of the middle of the substep */
    PHASE_FORCES,      /* it adds to steps->force, once at a moment */
    PHASE_END,         /* a constraint removes the velocities that it forbids */
    PHASE_FINISH,      /* at the end of an advance: it may warn, under --quiet, too */
    PHASE_DEVIATION,   /* a constraint raises steps->deviation to its largest violation */
    PHASE_ENERGY,      /* it adds the energy of the present positions to steps->potential, and the
                          virial of an interaction to steps->virial */
    PHASES
};

typedef enum status term_action(struct term *term, struct steps *steps);

/* The order in which terms act. Walls are the last constraint, so that no other one moves a
 * particle through them. */
enum term_rank { RANK_INTERACTION, RANK_CONSTRAINT, RANK_WALLS, RANK_BATH };

/* A kind of interaction or constraint. Each function but `create` may be NULL. */
struct term_kind {
    const char *name;
    size_t size; /* of its struct, which begins with struct term */
    enum term_rank rank;
    struct term_traits traits;
    struct text_parameter parameters[MAX_PARAMETERS + 1];
    /* Sets up a term, whose other members are zero; `free` follows in any case. */
    enum status (*create)(struct term *term, const struct text_arguments *arguments,
                          struct steps *steps);
    term_action *act[PHASES];
    /* Instead of `act`, in a phase in which it acts on each particle alone: its task for a share of
     * the particles, whose `user` is the term. */
    thread_pool_part *divide[PHASES];
    /* If is_bath: changes the velocity of a particle in the middle of a substep. */
    void (*kick)(struct term *term, const struct steps *steps, size_t k);
    /* Describes the state beside positions and velocities: see io/record.h. */
    void (*state)(struct term *term, const struct steps *steps, struct record *record);
    void (*free)(struct term *term); /* frees what the term owns besides */
};

/* The pairs of particles in contact, in this substep and in the last one: so that a contact is
 * counted once, when it begins. */

struct contact_span {
    size_t begin;
    uint32_t count;
};

struct contacts {
    struct contact_span *spans; /* of each particle in `partners`; not owned */
    uint32_t *partners;         /* of a higher number, sorted; owned */
    size_t room;                /* of `partners` */
};

struct contact_list {
    struct contact_span *spans; /* of both; owned */
    struct contacts now, last;  /* added in this substep; of the last one */
};

/* Pairs of particles of a file, for links and bonds (link.c). */
struct term_pair {
    uint32_t i, j;            /* the numbers of its particles */
    double length;            /* without force, more than 0 */
    int is_broken;            /* of a link */
    double rate;              /* of a bond: dr/dt at the end of the substep */
    double damped;            /* of a link: the distance that its damping has left it; or 0 */
    int32_t x_image, y_image; /* of j, the nearest to i at the start, in sides of the box */
};

struct term_pairs {
    size_t count, room;
    struct term_pair *list; /* in the order of the lines; freed with the term */
};

/* The first member of every interaction and constraint. Of the others of its struct, some terms
 * need one or the other; they are freed with it. */
struct term {
    const struct term_kind *kind;
    struct steps *steps;          /* not owned */
    void *memory;                 /* a block; or NULL */
    struct verlet_list near;      /* the pairs that it visits */
    struct contact_list touching; /* those that are in contact */
    struct term_pairs pairs;      /* of a file */
};

extern const struct term_kind gravity_kind, drag_kind, spring_kind, bond_kind, lennard_jones_kind,
    gravitation_kind, coulomb_kind, sph_kind, langevin_kind;
extern const struct term_kind contact_kind, link_kind, pin_kind, walls_kind;

/* Moves a particle by a constraint. Its velocity changes when velocities are updated. */
static inline void steps_move(struct steps *steps, size_t k, double dx, double dy)
{
    struct particle *p = &steps->system->particles[k];
    p->x += dx;
    p->y += dy;
    steps->moved[k].x += dx;
    steps->moved[k].y += dy;
}

/* Changes the velocity of a particle by a constraint; `reaction` is the part of that change which
 * is a reaction: none of a bounce, half of a lasting force, all at the end of a substep. */
static inline void steps_push(struct steps *steps, size_t k, const struct vector *direction,
                              double speed, double reaction)
{
    struct particle *p = &steps->system->particles[k];
    p->u += speed * direction->x;
    p->v += speed * direction->y;
    vector_add(&steps->reaction[k], reaction * speed, direction);
}

/* The acceleration of a particle by forces and drag. */
static inline struct vector steps_acceleration(const struct steps *steps, size_t k)
{
    const struct particle *p = &steps->system->particles[k];
    return (struct vector){(steps->force[k].x - steps->drag * p->u) * steps->mobility[k],
                           (steps->force[k].y - steps->drag * p->v) * steps->mobility[k]};
}

/* The factor of a mobility in a bath: tanh(x / 2) / (x / 2), from x = 0. */
double steps_bath_scale(double x);

/*
 * Checks that a spring of this stiffness, force per length, between two of the lightest particles
 * has `resolved` substeps or more in a period. Returns STATUS_DONE, or STATUS_USAGE with a message
 * that names the term.
 */
enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved);

/* The same of `what` swings with a period, time. */
enum status steps_check_period(const struct steps *steps, const char *name, const char *what,
                               double period, int resolved);

/* The operation `find_joint` of struct dynamics_operations (link.c). */
int steps_find_joint(const struct dynamics *dynamics, size_t k, struct dynamics_joint *joint);

/* ---- Contacts and projections, which constraints share ---- */

/*
 * When constraints act, a stored velocity belongs to the middle of the substep. If it were
 * reflected unchanged, each bounce under gravity would lose height. So the velocity is computed at
 * the moment of contact, reflected there, and used for the remainder of the substep: that is exact
 * for constant forces. (M. Mueller et al., Detailed rigid body simulation with extended position
 * based dynamics, 2020, section 3.6, reflects after projection; it has the threshold.)
 */

/* An arrival along the normal, which points away from the wall or disk. */
struct contact_arrival {
    double speed;        /* stored, before the contact, length per time; less than 0: towards it */
    double acceleration; /* by forces, length per time squared */
    double threshold;    /* slower arrivals do not bounce, length per time, from 0 */
    double since;        /* time from the contact of the straight path to the end of the substep */
};

struct contact_departure {
    int is_resting; /* too slow for a bounce, or separating already: the overlap is projected */
    double speed;   /* stored, after the contact, length per time */
    double gap;     /* at the end of the substep, length, from 0 */
};

/* The departure from a contact in a substep of length dt, with a restitution from 0 to 1. */
static inline struct contact_departure contact_leave(const struct contact_arrival *arrival,
                                                     double restitution, double dt)
{
    const double a = arrival->acceleration;
    double since = arrival->since;
    if (!(arrival->speed < 0))
        return (struct contact_departure){.is_resting = 1};
    since -= a * since * (dt - since) / (2 * arrival->speed); /* the path is a parabola */
    since = fmin(fmax(since, 0), fmax(dt, arrival->since));
    const double correction =
        a * (dt / 2 - since); /* from the speed in the middle to that at contact */
    const double speed = arrival->speed + correction;
    if (-speed <= arrival->threshold)
        return (struct contact_departure){.is_resting = 1};
    const double leaving = -restitution * speed;
    return (struct contact_departure){0, leaving - correction,
                                      fmax(0, (leaving + a * since / 2) * since)};
}

/* Makes room in a list of pairs in contact, at first {0}, for this number of particles and, in this
 * substep, of pairs. Returns STATUS_DONE or STATUS_NO_MEMORY; contact_list_free frees it. */
enum status contact_list_reserve(struct contact_list *list, size_t particles, size_t pairs,
                                 struct error *error);

/* In each substep a term lists the pairs of every particle i, from an index where there is room for
 * them, and in the order of j > i. */
static inline void contact_list_begin(struct contact_list *list, size_t i, size_t begin)
{
    list->now.spans[i] = (struct contact_span){begin, 0};
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

/* verlet_each for energies and virials: `visit` sums them from 0, and the sums are added then. */
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

struct steps_motion {
    struct vector position, velocity; /* from i to j; the velocity of j less the velocity of i */
};

static inline struct steps_motion relative_motion(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    struct steps_motion relative = {{q->x - p->x, q->y - p->y}, {q->u - p->u, q->v - p->v}};
    boundary_shorten(&steps->system->boundary, &relative.position.x, &relative.position.y);
    return relative;
}

/* The separation of two particles, from i to j. */
struct xpbd_separation {
    double distance;      /* of the centres, length */
    struct vector normal; /* of length 1; along x if the positions are equal */
    struct vector way;    /* distance times normal */
};

static inline struct xpbd_separation xpbd_separate(struct vector way)
{
    const double distance = vector_length(&way);
    if (!(distance > 0))
        return (struct xpbd_separation){0, {1, 0}, way};
    return (struct xpbd_separation){distance, {way.x / distance, way.y / distance}, way};
}

/* The present one, to the nearest image of j. */
static inline struct xpbd_separation xpbd_separation(const struct steps *steps, size_t i, size_t j)
{
    return xpbd_separate(relative_motion(steps, i, j).position);
}

/* The speed at which two particles separate along the normal; less than 0 if they approach. */
static inline double separation_speed(const struct steps *steps, size_t i, size_t j,
                                      const struct vector *normal)
{
    const struct vector velocity = relative_motion(steps, i, j).velocity;
    return vector_product(normal, &velocity);
}

/* The change of their distance in this substep, without what only turns them. */
static inline double xpbd_change(const struct steps *steps, size_t i, size_t j, double distance)
{
    const struct vector *a = &steps->before[i], *b = &steps->before[j];
    struct vector way = {b->x - a->x, b->y - a->y};
    boundary_shorten(&steps->system->boundary, &way.x, &way.y);
    return distance - vector_length(&way);
}

/* Moves two particles apart along the normal, by the multiplier times their mobilities. */
static inline void xpbd_move(struct steps *steps, size_t i, size_t j, const struct vector *normal,
                             double multiplier)
{
    const double a = -multiplier * steps->mobility[i], b = multiplier * steps->mobility[j];
    steps_move(steps, i, a * normal->x, a * normal->y);
    steps_move(steps, j, b * normal->x, b * normal->y);
}

#endif
