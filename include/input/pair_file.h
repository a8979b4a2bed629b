/* Pairs of particles, and the files that list them for links and bonds: a line is "i j length". */
#ifndef PARTICLES_PAIR_FILE_H
#define PARTICLES_PAIR_FILE_H

#include "io/record.h"
#include "model/system.h"

struct chosen_pair {
    uint32_t i, j; /* the numbers of its particles */
    double length; /* without force, more than 0 */
    int is_broken; /* of a link */
    double rate;   /* of a bond: dr/dt at the end of the substep */
};

struct chosen_pairs {
    size_t count, room;
    struct chosen_pair *list; /* in the order of the lines; owned, for memory_free */
};

/* Adds the pairs of a file; messages call one `name`. Returns STATUS_DONE; STATUS_NO_INPUT;
 * STATUS_BAD_DATA, also if there is no pair or one twice; or STATUS_NO_MEMORY. */
enum status chosen_pairs_read(struct chosen_pairs *pairs, const char *file, const char *name,
                              const struct system *system, struct error *error);

/* Write and read them. */
void chosen_pairs_record(struct chosen_pairs *pairs, const struct system *system,
                         struct record *record);

#endif
