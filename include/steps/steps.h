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
 * last step ends at END_TIME exactly.
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

/* The scene of a run (--step, --substeps, --interaction, --constraint): the length of its steps,
 * and the interactions and constraints that act in them; or a lattice (lattice/lattice.h). */
enum { SCENE_DEFAULT_SUBSTEPS = 20, SCENE_MAX_SUBSTEPS = 1000000, SCENE_MAX_TERMS = 64 };

enum { SCENE_TEXT_SIZE = SETTING_SIZE }; /* of a term's text, its end included */

/* An interaction or a constraint, as its option gives it. */
struct scene_term {
    int is_constraint;
    char *text; /* "NAME KEY=VALUE...", owned */
};

struct scene {
    double step;       /* DT, time, more than 0; 0: the run is event-driven, and has no scene */
    uint32_t substeps; /* K, of each step; 1 to SCENE_MAX_SUBSTEPS */
    uint64_t seed;     /* of the random numbers of a bath */
    unsigned threads;  /* the answer does not depend on them; 0: as many as are of use */
    size_t count;      /* of the terms, up to SCENE_MAX_TERMS */
    struct scene_term *terms; /* in the order of their options; owned */
    uint32_t columns;         /* of a lattice, along x; 0: there is none */
    double viscosity;         /* on it, kinematic, length^2 per time; 0: Enskog's */
    double temperature;       /* of its gas, energy; 0 until it is found */
    double force[2];          /* on its gas: acceleration */
    unsigned start;           /* of its flow: 0 at rest, or as the stream; 1 as the particles */
};

/* Adds a term, with a copy of its text. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY. */
enum status scene_add(struct scene *scene, int is_constraint, const char *text,
                      struct error *error);

/* Finds the name of the file that a term reads, "file=NAME". Returns whether it has one. */
int scene_find_file(const struct scene_term *term, char name[SCENE_TEXT_SIZE]);

/* Frees the texts, and leaves an empty scene. */
void scene_free(struct scene *scene);

/* The operations of this dynamics; of them the options that it refuses are known before a run. */
extern const struct dynamics_operations steps_operations;

/* Checks the names, keys and numbers in the texts of a scene. Returns STATUS_DONE, or STATUS_USAGE
 * with a message that lists the valid names. */
enum status steps_check(const struct scene *scene, struct error *error);

/* The name of interaction or constraint number `k`, NULL after the last, and its keys. */
const char *steps_term(int is_constraint, size_t k, const struct parameter **parameters);

/* Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids. If `is_resumed`, no files of the scene are read: their contents come from the checkpoint.
 * Returns STATUS_DONE, _USAGE, _NO_INPUT or _BAD_DATA for a file, or _NO_MEMORY. */
enum status steps_create(const struct scene *scene, struct system *system, double end_time,
                         int is_resumed, struct dynamics **dynamics, struct error *error);

#endif
