/*
 * The time-stepped dynamics: particles move in small steps under interactions and constraints.
 * (Interaction framework report; M. Macklin et al., Small steps in physics simulation, SCA 2019; M.
 * Macklin, M. Mueller and N. Chentanez, XPBD, MIG 2016.)
 *
 * A step DT consists of K substeps dt = DT / K. In each of them
 *
 *     interactions add forces:       f = f(x, u),
 *     particles are integrated:      u += f / m dt, x += u dt,
 *     constraints move centres:      x += moved,
 *     velocities are updated:        u += moved / dt; then contacts bounce.
 *
 * Without constraints that is the symplectic Euler method: of first order, and energy does not
 * drift. The last step ends at END_TIME exactly.
 *
 * The particles are those of the system, in the order of their ids. Observers sample
 * them on straight lines within a substep, and get no collisions, which have no exact times here.
 */
#ifndef PARTICLES_STEPS_H
#define PARTICLES_STEPS_H

#include "model/system.h"
#include "run/observer.h"
#include "run/scene.h"

struct steps;

/*
 * Checks the names, keys and numbers in the texts of a scene. Returns STATUS_DONE; STATUS_USAGE
 * with a message that lists the valid names; or STATUS_NO_MEMORY.
 */
enum status steps_check(const struct scene *scene, struct error *error);

/*
 * Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids. If `is_resumed`, no files of the scene are read: their contents come from the checkpoint.
 * Returns STATUS_DONE; STATUS_USAGE; STATUS_NO_INPUT or STATUS_BAD_DATA for a file; or
 * STATUS_NO_MEMORY.
 */
enum status steps_create(const struct scene *scene, struct system *system, double end_time,
                         int is_resumed, struct steps **steps, struct error *error);

/* The observer that saves the steps in checkpoints. It owns them: its `free` frees them. */
struct observer *steps_observer(struct steps *steps);

/* The steps whose observer is in this list; there must be one. */
struct steps *steps_among(const struct observers *observers);

/*
 * Moves the system to the end. Returns STATUS_DONE; STATUS_BAD_DATA if steps are too long,
 * with a message that says what to reduce; or the status of an observer or an allocation.
 */
enum status steps_run(struct steps *steps, struct observers *observers, struct error *error);

/*
 * The kinetic energy, and the sum of all potential energies, between two substeps. The velocities
 * are those of half a substep ago, as in the leapfrog method: here they are advanced to the time of
 * the positions, u + f / m dt / 2. So the error of the energy is in proportion to dt^2 and not to
 * dt. Returns STATUS_DONE, or the status of an interaction.
 */
enum status steps_energy(struct steps *steps, double *kinetic, double *potential,
                         struct error *error);

#endif
