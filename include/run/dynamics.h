/* A dynamics moves the particles of a system: from event to event (run/simulation.h) or in small
 * steps (steps/steps.h). This is all that main, observers and checkpoints know of it. */
#ifndef PARTICLES_DYNAMICS_H
#define PARTICLES_DYNAMICS_H

#include "base/memory.h"
#include "run/observer.h"

struct dynamics;

/* How a figure is written: as a whole number, as any, or with a standard error. */
enum figure_form { FIGURE_WHOLE, FIGURE_REAL, FIGURE_MEASURED };

/* What a figure is about. */
enum figure_group { GROUP_SYSTEM, GROUP_WALLS, GROUP_STREAM, GROUP_RUN, FIGURE_GROUPS };

struct figure_description {
    const char *key;   /* for programs, never changed */
    const char *label; /* for people, up to 30 characters */
    const char *unit;  /* or "" */
    enum figure_form form;
};

/* A figure of --stats. */
struct dynamics_figure {
    struct figure_description description;
    const char *meaning; /* a sentence or two; NULL: it has none in such a run */
    double value;        /* at the end of the run; not finite: not determined */
    double error;        /* if FIGURE_MEASURED: its standard error, which may not be finite */
    enum figure_group group;
    const double *blocks; /* whose scatter shows it: means over BLOCKS parts of time; or NULL */
    double least;         /* how many of them are joined, or more; may be infinite */
};

enum { DYNAMICS_MAX_FIGURES = 280 };

/* A row of a table of figures, as a list such as observe/figure_list.h gives it. */
struct figure_row {
    struct figure_description description;
    const char *meaning; /* in a usual run */
};

/* Lists the figures of a table with their values, in the order of its rows. Returns their number.
 */
static inline size_t dynamics_list_figures(const struct figure_row *rows, size_t count,
                                           const double *values, struct dynamics_figure *list)
{
    for (size_t k = 0; k < count; k++)
        list[k] = (struct dynamics_figure){rows[k].description, rows[k].meaning, values[k],
                                           .group = GROUP_SYSTEM};
    return count;
}

/* A quantity of each particle beside those of struct body. */
struct dynamics_column {
    const char *name; /* in files; NULL ends a list */
    double (*value)(const struct dynamics *dynamics, size_t number);
};

enum { DYNAMICS_MAX_COLUMNS = 2 };

/* The gas of a dynamics that computes its flow, on nodes in the middle of equal cells. */
struct dynamics_gas {
    size_t columns, rows; /* of nodes over the box */
    double mass;          /* of a particle, the mean */
    double density;       /* particles per free area, the mean */
    double temperature;   /* energy, everywhere */
    double pressure;      /* at that density; it changes by */
    double stiffness;     /* this times the change of the density: m c^2 */
};

/* The flow at a node; the density of one that is not in the flow is 0. */
struct dynamics_node {
    double density, u, v; /* particles per area; velocity, length per time */
};

/* The needs of options: a law of collisions, their exact times, a stream, or walls that act. */
enum dynamics_need {
    DYNAMICS_LAW,
    DYNAMICS_TIMES,
    DYNAMICS_STREAM,
    DYNAMICS_WALLS,
    DYNAMICS_NEEDS
};

/* The first member of every dynamics. */
struct dynamics {
    const struct dynamics_operations *operations;
    const struct dynamics_gas *gas; /* of one that computes a flow; otherwise NULL */
    double sampling;                /* observers of each step sample it so often: time */
};

/* A joint of two particles, such as a link, by their numbers. */
struct joint {
    uint32_t a, b;
    int is_broken; /* it joins them no longer */
    double way[2]; /* from a to b along x and y, across how many seams ever, length */
};

struct dynamics_operations {
    const char *option;  /* that asks for it, and names its state in checkpoints; NULL: no state */
    const char *counted; /* what observers_count counts, a plural */
    /* Why it refuses options with such a need, completing "option '...' "; NULL: it does not. */
    const char *refusals[DYNAMICS_NEEDS];
    /* Moves the system to the end time, with the observers, which have begun. Returns STATUS_DONE;
       STATUS_BAD_DATA if the end cannot be reached; or that of an observer or an allocation. */
    enum status (*advance)(struct dynamics *dynamics, struct observers *observers,
                           struct error *error);
    /* Figures. NULL if observers are notified of collisions: then --stats computes its figures from
     * these. Otherwise `list` lists them at the end, `seconds` after they began. If they need
     * samples, `measure` begins, or adds one, and returns the time of the next in `next`. */
    enum status (*measure)(struct dynamics *dynamics, const struct snapshot *snapshot,
                           const struct motion *motion, int is_first, double *next,
                           struct error *error);
    enum status (*list)(struct dynamics *dynamics, const struct snapshot *snapshot,
                        const struct motion *motion, double seconds,
                        struct dynamics_figure *figures, size_t *count, struct error *error);
    /* The kinetic energy, and the potential energy of all interactions, at the moment of the last
       snapshot. NULL: the former is that of the particles, and there is no latter. */
    enum status (*energy)(struct dynamics *dynamics, double *kinetic, double *potential,
                          struct error *error);
    /* What it knows of each particle; of a pressure, fields are means. NULL: nothing. */
    const struct dynamics_column *(*columns)(const struct dynamics *dynamics);
    /* Of one that computes a flow, otherwise NULL: a node; and the momentum, and angular momentum
       about (0, 0), that side `side` of all polygons has taken up by a time in the present step,
       without those of the mean pressure. */
    struct dynamics_node (*node)(const struct dynamics *dynamics, size_t column, size_t row);
    void (*push)(const struct dynamics *dynamics, size_t side, double time, double momentum[3]);
    /* Like `measure`: describes what is measured: see io/record.h; it `began` by the clock. */
    void (*record_figures)(struct dynamics *dynamics, double (*clock)(void), double *began,
                           struct record *record);
    /* For pictures, each of them NULL if there are none: finds joint number `k`, in an order that
       stays, and returns 0 after the last one; whether a particle is fixed. */
    int (*find_joint)(const struct dynamics *dynamics, size_t k, struct joint *joint);
    int (*is_fixed)(const struct dynamics *dynamics, size_t number);
    /* Describes the state beside the particles; NULL: there is none. */
    void (*state)(struct dynamics *dynamics, struct record *record);
    void (*free)(struct dynamics *dynamics); /* NULL: it owns nothing */
};

/* True if observers are notified of collisions; so it is without a dynamics, in tests. */
static inline int observers_see_collisions(const struct observers *observers)
{
    return !observers || !observers->dynamics || !observers->dynamics->operations->list;
}

/* What pictures show beside the particles (see above); `dynamics` may be NULL. */
static inline int dynamics_find_joint(const struct dynamics *dynamics, size_t k,
                                      struct joint *joint)
{
    return dynamics && dynamics->operations->find_joint &&
           dynamics->operations->find_joint(dynamics, k, joint);
}

static inline int dynamics_is_fixed(const struct dynamics *dynamics, size_t number)
{
    return dynamics && dynamics->operations->is_fixed &&
           dynamics->operations->is_fixed(dynamics, number);
}

/* What is known of each particle, or NULL; so it is without a dynamics, in tests. */
static inline const struct dynamics_column *observers_columns(const struct observers *observers)
{
    const struct dynamics *dynamics = observers ? observers->dynamics : NULL;
    return dynamics && dynamics->operations->columns ? dynamics->operations->columns(dynamics)
                                                     : NULL;
}

/* The gas of a flow; NULL if there is none. */
static inline const struct dynamics_gas *dynamics_find_gas(const struct dynamics *dynamics)
{
    return dynamics ? dynamics->gas : NULL;
}

/* The time after this one at which observers sample the steps of a dynamics. */
static inline double dynamics_next_sample(const struct dynamics *dynamics, double time)
{
    const double next = (floor(time / dynamics->sampling) + 1) * dynamics->sampling;
    return next > time ? next : (floor(time / dynamics->sampling) + 2) * dynamics->sampling;
}

/* Frees a dynamics; NULL is allowed. The system stays as it is. */
static inline void dynamics_free(struct dynamics *dynamics)
{
    if (dynamics && dynamics->operations->free)
        dynamics->operations->free(dynamics);
    else
        memory_free(dynamics);
}

#endif
