/*
 * The interface of interactions and constraints, the parts of a scene, and the reader of their
 * texts, "NAME KEY=VALUE...".
 */
#ifndef PARTICLES_PART_H
#define PARTICLES_PART_H

#include "io/record.h"
#include "model/system.h"

struct steps;
struct part;

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

/* A kind of interaction or constraint. */
struct part_kind {
    const char *name;
    int is_single; /* at most one in a scene: a second one would count contacts again */
    struct parameter parameters[MAX_PARAMETERS + 1];
    /* Creates a part. Returns STATUS_DONE with `*part`, or another status with a message. */
    enum status (*create)(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error);
    /* Prepares the part after all are created, and before `load`; or NULL. Returns a status of
     * `create`. */
    enum status (*prepare)(struct part *part, struct steps *steps, struct error *error);
    /*
     * An interaction adds its forces to steps->force. It changes neither particles nor its own
     * state, because the measurement of the energy calls it, too. A constraint moves particles by
     * steps_move, or has NULL. Returns STATUS_DONE, STATUS_NO_MEMORY, or STATUS_BAD_DATA if the run
     * cannot go on.
     */
    enum status (*act)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* An interaction advances its state by this substep after all forces are summed; or NULL.
     * Returns a status of `act`. */
    enum status (*advance)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* A constraint changes velocities after they are updated; or NULL. */
    void (*bounce)(struct part *part, struct steps *steps, double dt);
    /* An interaction advances its state at the end of the substep, with the new positions and
     * velocities; or NULL. Returns a status of `act`. */
    enum status (*follow)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* The potential energy of the present positions; NULL: none. */
    enum status (*energy)(struct part *part, struct steps *steps, double *energy,
                          struct error *error);
    /* The largest violation of a constraint, length; or NULL. */
    double (*deviation)(const struct part *part, const struct steps *steps);
    /* Write and read the state beside positions and velocities; NULL: none. */
    void (*save)(const struct part *part, const struct steps *steps, struct record_writer *writer);
    void (*load)(struct part *part, const struct steps *steps, struct record_reader *reader);
    void (*free)(struct part *part);
};

/* The first member of every interaction and constraint. */
struct part {
    const struct part_kind *kind;
};

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

#endif
