/*
 * The interface of interactions and constraints, and how options name them: "NAME KEY=VALUE...".
 */
#ifndef PARTICLES_PART_H
#define PARTICLES_PART_H

#include "io/record.h"
#include "model/system.h"

struct steps;
struct part;

enum { PARAMETERS_MOST = 8 };

/* A key of a part, and what it takes. */
struct parameter {
    const char *key;    /* NULL: there is no further one */
    double usual;       /* a number's value where it is not given; NAN: it has to be given */
    double least, most; /* the numbers that it takes; NAN: it takes a text, and `usual` 0 says
                           that it need not be given */
};

/* The values of a part's parameters, in their order. */
struct arguments {
    double numbers[PARAMETERS_MOST];
    const char *texts[PARAMETERS_MOST]; /* of those that take texts; NULL: not given */
    char *copy;                         /* of the part's text, in which these are; owned */
};

/* What kind of interaction or constraint a part is. */
struct part_kind {
    const char *name;
    int is_single; /* it counts contacts: a second one in a scene would count them again */
    struct parameter parameters[PARAMETERS_MOST + 1];
    /* Makes a part. Returns STATUS_DONE with `*part`, or another status with a message. */
    enum status (*create)(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error);
    /* What is left to do once all parts have been made, and before what was saved is loaded; NULL:
     * nothing. Returns STATUS_DONE or what `create` may return. */
    enum status (*prepare)(struct part *part, struct steps *steps, struct error *error);
    /*
     * An interaction adds its forces to steps->force, as the particles are now. Neither they nor
     * what the part remembers are to change, for forces are also asked for to measure the energy.
     * A constraint moves particles (steps_move); NULL: it does nothing. Returns STATUS_DONE or
     * STATUS_NO_MEMORY, or STATUS_BAD_DATA where something has gone wrong.
     */
    enum status (*act)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* An interaction brings what it remembers forward by this substep, for which it has acted;
     * NULL: it remembers nothing. Returns what `act` may return. */
    enum status (*advance)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* What a constraint does when velocities have been updated; NULL: nothing. */
    void (*bounce)(struct part *part, struct steps *steps, double dt);
    /* An interaction brings what it remembers forward by this substep, now that particles have
     * moved and velocities have been updated; NULL: nothing. Returns what `act` may return. */
    enum status (*follow)(struct part *part, struct steps *steps, double dt, struct error *error);
    /* The potential energy, as the particles are now; NULL: it has none. */
    enum status (*energy)(struct part *part, struct steps *steps, double *energy,
                          struct error *error);
    /* How far a constraint is from being fulfilled at most, length; NULL: it does not tell. */
    double (*deviation)(const struct part *part, const struct steps *steps);
    /* What a run must remember beside positions and velocities; NULL: nothing. */
    void (*save)(const struct part *part, const struct steps *steps, struct record_writer *writer);
    void (*load)(struct part *part, const struct steps *steps, struct record_reader *reader);
    void (*free)(struct part *part);
};

/* The first member of every interaction and constraint. */
struct part {
    const struct part_kind *kind;
};

/* All kinds, lists that end with NULL. */
extern const struct part_kind *const interaction_kinds[];
extern const struct part_kind *const constraint_kinds[];

/*
 * Finds the kind that `text` names, and reads its arguments, which the caller gives to
 * arguments_free. Returns STATUS_DONE, STATUS_USAGE with a message that says what there is, or
 * STATUS_NO_MEMORY.
 */
enum status part_parse(const char *text, int is_constraint, const struct part_kind **kind,
                       struct arguments *arguments, struct error *error);

void arguments_free(struct arguments *arguments);

#endif
