/*
 * The time-stepped dynamics: particles move in small steps under interactions and constraints.
 * (Interaction framework report; M. Macklin et al., Small steps in physics simulation, SCA 2019; M.
 * Macklin, M. Mueller and N. Chentanez, XPBD, MIG 2016.)
 *
 * A step DT consists of K substeps dt = DT / K. In each of them
 *
 *     forces act for half of it:     u += f / m dt / 2,
 *     particles move:                x += u dt,
 *     constraints move centres:      x += moved, u += moved / dt; then contacts bounce,
 *     the new forces act:            f = f(x, u), u += f / m dt / 2.
 *
 * Without constraints that is the velocity Verlet method: of second order, and energy does not
 * drift. Constraints act once in a substep, with the forces of all of it. So half of what lasting
 * ones change, the reaction, is added to the velocity at the end, and the next substep takes it
 * back. Before the first substep constraints move particles without a change of velocities. The
 * last step of an advance ends with it exactly; the next advance takes back a step that was cut
 * short, or long, so states do not depend on where advances end.
 *
 * The particles are those of the system, in the order of their ids. Observers sample
 * them on straight lines within a substep, and get no collisions, which have no exact times here.
 */
#ifndef PARTICLES_STEPS_H
#define PARTICLES_STEPS_H

#include "io/text.h"
#include "model/system.h"
#include "run/dynamics.h"

#include <stddef.h>
#include <stdint.h>

enum { STEPS_DEFAULT_SUBSTEPS = 20, STEPS_MAX_SUBSTEPS = 1000000, STEPS_MAX_TERMS = 64 };

struct term_kind;

/* An interaction or a constraint, as its option gives it. */
struct steps_text {
    int is_constraint;
    const struct term_kind *kind;
    char *text; /* "NAME KEY=VALUE...", up to SETTING_SIZE with its end; owned */
};

/* The settings of a run in steps: of --step, --substeps, --interaction and --constraint. */
struct steps_settings {
    double step;              /* DT, time, more than 0; 0: the run is not in steps */
    uint32_t substeps;        /* K, of each step; 1 to STEPS_MAX_SUBSTEPS */
    uint64_t seed;            /* of the random numbers of a bath */
    unsigned threads;         /* the answer does not depend on them; 0: as many as are of use */
    size_t count;             /* of the terms, up to STEPS_MAX_TERMS */
    struct steps_text *terms; /* in the order of their options; owned */
};

/* Adds a term, with a copy of its text, whose name, keys and numbers it checks. Returns
 * STATUS_DONE, STATUS_USAGE with a message that lists what is valid, or STATUS_NO_MEMORY. */
enum status steps_settings_add(struct steps_settings *settings, int is_constraint, const char *text,
                               struct error *error);

/* Finds the name of the file that a term reads, "file=NAME". Returns whether it has one. */
int steps_text_file(const struct steps_text *term, char name[SETTING_SIZE]);

/* Frees the texts, and leaves empty settings. */
void steps_settings_free(struct steps_settings *settings);

/* The operations of this dynamics; of them the options that it refuses are known before a run. */
extern const struct dynamics_operations steps_operations;

/* The name of interaction or constraint number `k`, NULL after the last, and its keys. */
const char *steps_term(int is_constraint, size_t k, const struct text_parameter **parameters);

/* All interactions and all constraints, in the order of messages; NULL ends a list. */
enum { TERM_MAX_KINDS = 9 };
extern const struct term_kind *const term_kinds[2][TERM_MAX_KINDS + 1];

/* Finds the kind that `text` names, and reads its arguments. Returns STATUS_DONE, or STATUS_USAGE
 * with a message that lists the valid names or keys. */
enum status term_parse(const char *text, int is_constraint, const struct term_kind **kind,
                       struct text_arguments *arguments, struct error *error);

/* Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids. If `is_resumed`, no files of terms are read: their contents come from the checkpoint.
 * Returns STATUS_DONE, _USAGE, _NO_INPUT or _BAD_DATA for a file, or _NO_MEMORY. */
enum status steps_create(const struct steps_settings *settings, struct system *system,
                         int is_resumed, struct dynamics **dynamics, struct error *error);

#endif
