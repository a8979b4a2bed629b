/*
 * The interface of interactions and constraints, the parts of a scene; the run as they see it; and
 * the reader of their texts, "NAME KEY=VALUE...".
 */
#ifndef PARTICLES_PART_H
#define PARTICLES_PART_H

#include "io/record.h"
#include "steps/steps.h"

#include <math.h>

struct part;

/* Two components, of a force, a distance or a velocity. */
struct vector {
    double x, y;
};

struct steps {
    struct observer observer; /* the first member: see observer.h */
    struct system *system;    /* not owned; particle k has the id k */
    double step;              /* DT, time */
    uint32_t substeps;        /* of each step */
    double end_time;
    int is_resumed;        /* contents of files come from the checkpoint */
    uint64_t steps;        /* of the whole run */
    uint64_t done;         /* substeps made so far */
    double max_move;       /* the largest move of a particle in a substep, length; or INFINITY */
    double *inverse_mass;  /* 1 / mass of each particle; 0 of one that is pinned; owned */
    struct vector *force;  /* on each particle, in this substep; owned */
    struct vector *before; /* where each particle was before this substep, length; owned */
    struct vector *moved;  /* how far constraints have moved it in this substep, length; owned */
    size_t part_count;
    struct part *parts[SCENE_MOST_PARTS + 1]; /* by their ranks; owned */
};

enum { MAX_PARAMETERS = 8 };

/* A key of a part, and the range of its value. */
struct parameter {
    const char *key;      /* NULL ends the list */
    double default_value; /* of a number that is not given; NAN: it must be given */
    double min, max;      /* of a number; NAN: the value is a text, which is optional if
                           default_value is 0 */
};

/* The values of a part's parameters, in the order of the keys. */
struct arguments {
    double numbers[MAX_PARAMETERS];
    const char *texts[MAX_PARAMETERS]; /* as given; NULL: not given */
    char *copy;                        /* of the part's text, into which `texts` point; owned */
};

/*
 * The phases of a substep in which parts act, in their order. A part that acts returns STATUS_DONE,
 * STATUS_NO_MEMORY, or STATUS_BAD_DATA if the run cannot go on.
 */
enum phase {
    PHASE_FORCES,      /* an interaction adds to steps->force. It changes neither particles nor its
                          own state: the measurement of the energy calls it, too */
    PHASE_ADVANCE,     /* it advances its state by this substep, with all forces known */
    PHASE_CONSTRAINTS, /* a constraint moves particles by steps_move */
    PHASE_BOUNCE,      /* it changes velocities, which have been updated */
    PHASE_END,         /* an interaction advances its state with the new positions and velocities */
    PHASES
};

typedef enum status part_action(struct part *part, struct steps *steps, double dt,
                                struct error *error);

/* A kind of interaction or constraint. Each function but `create` may be NULL. */
struct part_kind {
    const char *name;
    size_t size;   /* of its struct, which begins with struct part */
    int is_single; /* at most one in a scene */
    struct parameter parameters[MAX_PARAMETERS + 1];
    /* Sets up a part, whose other members are zero. Returns STATUS_DONE, or another status with a
     * message; `free` follows in any case. */
    enum status (*create)(struct part *part, const struct arguments *arguments, struct steps *steps,
                          struct error *error);
    /* Prepares the part after all are created, and before `load`. Returns a status of `create`. */
    enum status (*prepare)(struct part *part, struct steps *steps, struct error *error);
    part_action *act[PHASES];
    /* The potential energy of the present positions. */
    enum status (*energy)(struct part *part, struct steps *steps, double *energy,
                          struct error *error);
    /* The largest violation of a constraint, length. */
    double (*deviation)(const struct part *part, const struct steps *steps);
    /* Write and read the state beside positions and velocities. */
    void (*save)(const struct part *part, const struct steps *steps, struct record_writer *writer);
    void (*load)(struct part *part, const struct steps *steps, struct record_reader *reader);
    void (*free)(struct part *part); /* frees what the part owns, not the part itself */
};

/* The first member of every interaction and constraint. */
struct part {
    const struct part_kind *kind;
    int rank; /* 0: interaction, 1: constraint, 2: walls; parts act in this order */
};

extern const struct part_kind gravity_kind, drag_kind, spring_kind, lennard_jones_kind,
    gravitation_kind, coulomb_kind, sph_kind;
extern const struct part_kind contact_kind, link_kind, pin_kind, walls_kind;

/* All kinds, in the order in which messages list them; NULL ends a list. */
extern const struct part_kind *const interaction_kinds[];
extern const struct part_kind *const constraint_kinds[];

/*
 * Finds the kind that `text` names, and reads its arguments, which the caller gives to
 * arguments_free in any case. Returns STATUS_DONE, STATUS_USAGE with a message that lists the valid
 * names or keys, or STATUS_NO_MEMORY.
 */
enum status part_parse(const char *text, int is_constraint, const struct part_kind **kind,
                       struct arguments *arguments, struct error *error);

void arguments_free(struct arguments *arguments);

/*
 * An array of a part with room for more than `count` elements: the same one, or one twice as large,
 * whose `room` is updated. Returns NULL, with a message, if there is no memory; `array` then stays.
 */
void *part_grow(void *array, size_t count, size_t *room, size_t size, const char *name,
                struct error *error);

/* Moves a particle by a constraint. Its velocity changes when velocities are updated. */
static inline void steps_move(struct steps *steps, size_t k, double dx, double dy)
{
    struct particle *p = &steps->system->particles[k];
    p->x += dx;
    p->y += dy;
    steps->moved[k].x += dx;
    steps->moved[k].y += dy;
}

/* Lets no particle move farther than `length` in a substep. */
static inline void steps_limit_move(struct steps *steps, double length)
{
    steps->max_move = fmin(steps->max_move, length);
}

/*
 * Checks that a spring of this stiffness, force per length, between two of the lightest particles
 * has `resolved` substeps or more in a period. Returns STATUS_DONE, or STATUS_USAGE with a message
 * that names the part.
 */
enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved, struct error *error);

/* The first part of a kind; NULL: there is none. */
struct part *steps_find(const struct steps *steps, const struct part_kind *kind);

/* The present largest deviation of any constraint, length. */
double steps_deviation(const struct steps *steps);

/* The sum of the accelerations of all gravity, length per time^2; after all parts are created. */
struct vector gravity_sum(const struct steps *steps);

#endif
