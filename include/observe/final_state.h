/*
 * The observer of the final state, as an INPUT from which another run goes on.
 */
#ifndef PARTICLES_FINAL_STATE_H
#define PARTICLES_FINAL_STATE_H

#include "run/observer.h"

/*
 * Creates an observer that writes the state at the end of the run to the file `name`, as
 * system_write has it, with all digits. `name` must outlive it. The file is there only if the run
 * succeeds. Positions are those of snapshot_position, except where that is no INPUT: disks that
 * rounding has made overlap are moved apart, unless particles `may_overlap`, as in a time-stepped
 * run. If a state still would be refused, `warn` tells why.
 *
 * Returns STATUS_DONE with `*observer`, which the caller owns; STATUS_CANNOT_WRITE or
 * STATUS_NO_MEMORY. At the end it takes 102 bytes of passing memory for each particle.
 */
enum status final_state_create(const char *name, int may_overlap, struct observer **observer,
                               struct error *error);

#endif
