/*
 * The time-stepped dynamics: particles move in small steps, under whatever interactions and
 * constraints the user puts together. (Interaction framework report; M. Macklin et al., Small
 * steps in physics simulation, SCA 2019; M. Macklin, M. Mueller and N. Chentanez, XPBD, MIG 2016.)
 *
 * A step DT consists of K substeps dt = DT / K. In each of them
 *
 *     interactions add forces:       f = f(x, u),
 *     particles are integrated:      u += f / m dt, x += u dt,
 *     constraints move centres:      x += moved,
 *     velocities are updated:        u += moved / dt; then what touches may bounce.
 *
 * Without constraints that is the symplectic Euler method: of first order, and energy does not
 * drift. The last step ends at END_TIME exactly.
 *
 * The particles are those of the system, in the order of their ids. Observers see them as in an
 * event-driven run, on straight lines within a substep; what happens to them is not told as
 * collisions, which have no exact times here.
 */
#ifndef PARTICLES_STEPS_H
#define PARTICLES_STEPS_H

#include "model/system.h"
#include "run/observer.h"
#include "run/scene.h"

struct steps;

/*
 * Checks the texts of a scene: names, keys and numbers. Returns STATUS_DONE; STATUS_USAGE with a
 * message that says what there is; or STATUS_NO_MEMORY.
 */
enum status steps_check(const struct scene *scene, struct error *error);

/*
 * Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids. A run that is to be resumed reads from its checkpoint what else it would read from files.
 * Returns STATUS_DONE, and whatever reads files may return STATUS_NO_INPUT or STATUS_BAD_DATA;
 * or STATUS_NO_MEMORY.
 */
enum status steps_create(const struct scene *scene, struct system *system, double end_time,
                         int is_resumed, struct steps **steps, struct error *error);

/* What keeps the state of the run in checkpoints. It owns the steps, so its `free` frees them. */
struct observer *steps_observer(struct steps *steps);

/* The steps of which the observer is among these; there must be one. */
struct steps *steps_among(const struct observers *observers);

/*
 * Moves the system to the end. Returns STATUS_DONE; STATUS_BAD_DATA if steps are too large for
 * what happens, with a message that says what to reduce; or what an observer or an allocation
 * returns.
 */
enum status steps_run(struct steps *steps, struct observers *observers, struct error *error);

/*
 * The kinetic energy, and the potential energy of all parts that have one, between two substeps.
 * Velocities have been made by the forces half a substep ago, as in the leapfrog method: here they
 * are brought to the time of the positions, u + f / m dt / 2. Energies so measured swing in
 * proportion to dt^2 and not to dt. Returns STATUS_DONE, or what an interaction returns.
 */
enum status steps_energy(struct steps *steps, double *kinetic, double *potential,
                         struct error *error);

#endif
