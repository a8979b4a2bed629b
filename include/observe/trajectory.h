/*
 * The observer behind --trajectory: writes the positions of all particles at equal intervals.
 */
#ifndef PARTICLES_TRAJECTORY_H
#define PARTICLES_TRAJECTORY_H

#include "run/observer.h"

/* The most frames of a trajectory after the first: end_time / interval must not exceed it. */
#define TRAJECTORY_MOST_FRAMES 1e9

/*
 * Makes an observer that writes a file `name` with a frame at each time k * interval before
 * `end_time`, from 0 on, and one at `end_time`, as extended XYZ (the specification in
 * github.com/libAtoms/extxyz), which OVITO and ASE read. A frame shows the state after all
 * collisions up to and including its time:
 *
 *     N
 *     Lattice="Lx 0 0 0 Ly 0 0 0 1" Origin="0 0 0" pbc="F F F" Properties=... Time=TIME
 *     SPECIES X Y 0 U V 0 RADIUS ID
 *
 * with a line of the last kind for each particle, in the order of their ids; Properties names the
 * columns. In a box with periodic axes, pbc has a T for each, and a line ends with XU YU 0: where
 * the particle would be without seams (snapshot_unwrapped). All numbers read back to the same bits.
 * The file appears, complete, with `finish`.
 *
 * `interval` is positive. `name` must outlive the observer. Returns STATUS_DONE with `*observer`
 * for observers_add, or STATUS_NO_MEMORY. `begin` fails with STATUS_CANNOT_WRITE if the file cannot
 * be opened.
 */
enum status trajectory_create(const char *name, double interval, double end_time,
                              struct observer **observer, struct error *error);

#endif
