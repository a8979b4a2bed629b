/* A dynamics moves the particles of a system: from event to event (simulation_create) or in small
 * steps (steps/steps.h). This is all that main, observers and checkpoints know of it. */
#ifndef PARTICLES_DYNAMICS_H
#define PARTICLES_DYNAMICS_H

#include "base/memory.h"
#include "run/observer.h"
#include "schedule/schedule.h"

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

/* What such a list makes of each figure: its number, and its row. */
#define FIGURE_NAME(name, ...) FIGURE_##name,
#define FIGURE_ROW(name, form, key, label, unit, meaning)                                          \
    {{key, label, unit, FIGURE_##form}, meaning},

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

/* A quantity of each particle beside those of struct snapshot_particle. */
struct dynamics_column {
    const char *name; /* in files; NULL ends a list */
    const void *of;   /* what has the quantity, for `value` */
    double (*value)(const void *of, size_t number);
};

enum { DYNAMICS_MAX_COLUMNS = 2 };

/* The flow at a node; the density of one that is not in the flow is 0. */
struct dynamics_node {
    double density, u, v; /* particles per area; velocity, length per time */
};

/* The gas of a flow, on nodes in the middle of equal cells. */
struct dynamics_gas {
    size_t columns, rows; /* of nodes over the box */
    double mass;          /* of a particle, the mean */
    double density;       /* particles per free area, the mean */
    double temperature;   /* energy, everywhere */
    double pressure;      /* at that density; it changes by */
    double stiffness;     /* this times the change of the density: m c^2 */
};

/* A joint of two particles, such as a link, by their numbers. */
struct dynamics_joint {
    uint32_t a, b;
    int is_broken; /* it joins them no longer */
    double way[2]; /* from a to b along x and y, across how many seams ever, length */
};

/* The needs of options: a law of collisions, their exact times, a stream, or walls that act. */
enum dynamics_need {
    DYNAMICS_LAW,
    DYNAMICS_TIMES,
    DYNAMICS_STREAM,
    DYNAMICS_WALLS,
    DYNAMICS_NEEDS
};

/* What a dynamics is, and which of the views below it has. */
struct dynamics_traits {
    int has_collisions; /* observers are notified of them; then --stats computes its figures from
                           these, and otherwise `list` has them */
    int has_schedule;   /* an advance leaves a schedule behind, and particles in its order */
    int has_state;      /* checkpoints save a state beside the particles */
    int has_samples;    /* figures and energies are measured during the run */
    int has_flow;       /* it computes a flow, which carries the particles */
    int has_joints;     /* some particles are joined or fixed */
};

struct dynamics_operations {
    struct dynamics_traits traits;
    const char *option;  /* that asks for it, and names its state in checkpoints */
    const char *counted; /* what events of a batch are, a plural */
    /* Why it refuses options with such a need, completing "option '...' "; NULL: it does not. */
    const char *refusals[DYNAMICS_NEEDS];
    /* Moves the system to the time `limit`, not before the last one, with the observers, which have
       begun. An advance is no event: if the dynamics `is_open`, several leave the same bytes as one
       to the last limit. Returns STATUS_DONE; STATUS_BAD_DATA if the limit cannot be reached; or
       that of an observer or an allocation. */
    enum status (*advance)(struct dynamics *dynamics, double limit, struct observers *observers,
                           struct error *error);
    /* Frees what only the next advance needs, which makes it anew. If has_schedule, the particles
       are then in the order of their numbers. In open steps they are as at the
       end of the last whole step, which is what a checkpoint has to save; an advance to the last
       limit brings them back. NULL: there is nothing to do. Returns STATUS_DONE, or
       STATUS_NO_MEMORY, after which the dynamics can only be freed. */
    enum status (*rest)(struct dynamics *dynamics, struct error *error);
    /* Before its owner changes particles at the last limit: the run goes on from there. If
       has_schedule, the particles are then in the order of their numbers. NULL: there is nothing to
       do. Returns as `rest`. */
    enum status (*settle)(struct dynamics *dynamics, struct error *error);
    /* After the last advance: frees what only that needed, and leaves the particles in any order.
       NULL: there is nothing to do. */
    void (*end)(struct dynamics *dynamics);
    /* Frees the dynamics, and all that it owns. */
    void (*free)(struct dynamics *dynamics);
    /* If has_state: describes it; see io/record.h. */
    void (*state)(struct dynamics *dynamics, struct record *record);
    /* Unless has_collisions: lists the figures at the end, `seconds` after they began. */
    enum status (*list)(struct dynamics *dynamics, const struct snapshot *snapshot,
                        const struct snapshot_motion *motion, double seconds,
                        struct dynamics_figure *figures, size_t *count, struct error *error);
    /* If has_samples. */
    struct {
        /* Begins the figures of the time up to `to`, or adds a sample; `next` is the time of the
           next one. */
        enum status (*measure)(struct dynamics *dynamics, const struct snapshot *snapshot,
                               const struct snapshot_motion *motion, int is_first, double to,
                               double *next, struct error *error);
        /* Describes what is measured: see io/record.h; it `began` by the clock. */
        void (*record)(struct dynamics *dynamics, double (*clock)(void), double *began,
                       struct record *record);
        /* The kinetic energy, and the potential energy of all interactions, at the moment of the
           last snapshot. */
        enum status (*energy)(struct dynamics *dynamics, double *kinetic, double *potential,
                              struct error *error);
    } samples;
    /* If has_flow: a node; and the momentum, and angular momentum about (0, 0), that side `side` of
       all polygons has taken up by a time in the present step, without those of the mean
       pressure. */
    struct {
        struct dynamics_node (*node)(const struct dynamics *dynamics, size_t column, size_t row);
        void (*push)(const struct dynamics *dynamics, size_t side, double time, double momentum[3]);
    } flow;
    /* If has_joints: finds joint number `k`, in an order that stays, and returns 0 after the last
       one; whether a particle is fixed. */
    struct {
        int (*find)(const struct dynamics *dynamics, size_t k, struct dynamics_joint *joint);
        int (*is_fixed)(const struct dynamics *dynamics, size_t number);
    } joints;
};

/* The first member of every dynamics. */
struct dynamics {
    const struct dynamics_operations *operations;
    int is_open;             /* the owner may set it before the first advance: more will follow */
    int has_advanced;        /* there has been an advance, which has given its warnings */
    int is_over;             /* the run is, at the time of the last event, before the limit */
    double sampling;         /* observers of each step sample it so often: time */
    struct dynamics_gas gas; /* if has_flow */
    struct dynamics_column columns[DYNAMICS_MAX_COLUMNS + 1]; /* of a pressure, fields are means */
};

/* The dynamics of a run; in tests, that have none, one with collisions. */
const struct dynamics *observers_dynamics(const struct observers *observers);

static inline const struct dynamics_traits *observers_traits(const struct observers *observers)
{
    return &observers_dynamics(observers)->operations->traits;
}

/* Finds a joint: see above. Without joints there is none, and no particle is fixed. */
static inline int dynamics_find_joint(const struct dynamics *dynamics, size_t k,
                                      struct dynamics_joint *joint)
{
    return dynamics->operations->traits.has_joints &&
           dynamics->operations->joints.find(dynamics, k, joint);
}

static inline int dynamics_is_fixed(const struct dynamics *dynamics, size_t number)
{
    return dynamics->operations->traits.has_joints &&
           dynamics->operations->joints.is_fixed(dynamics, number);
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
    if (dynamics)
        dynamics->operations->free(dynamics);
}

/* ---- The dynamics from event to event ---- */

/* Processes every event up to `end_time`, in order, and notifies the observers, which are neither
 * begun nor finished here; NULL for none. Afterwards the anchors are of the last events. Can be
 * called again, for a later time. Returns STATUS_DONE; the status of an observer that failed; or
 * STATUS_BAD_DATA if `end_time` cannot be reached, as with disks that are wedged between walls. */
enum status simulation_run(struct schedule *schedule, double end_time, struct observers *observers,
                           struct error *error);

/* Makes the dynamics of `system`, which must outlive it: STATUS_DONE or STATUS_NO_MEMORY. */
enum status simulation_create(enum schedule_kind kind, const struct schedule_threads *threads,
                              struct system *system, struct dynamics **dynamics,
                              struct error *error);

#endif
