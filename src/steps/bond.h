/* Pairs of particles that a file lists, for links and bonds: a line is "i j length". */
#ifndef PARTICLES_BOND_H
#define PARTICLES_BOND_H

#include "term.h"

struct chosen_pair {
    uint32_t i, j; /* the numbers of its particles */
    double length; /* without force, more than 0 */
    int is_broken; /* of a link */
    double rate;   /* of a bond: dr/dt at the end of the substep */
};

struct chosen_pairs {
    size_t count, room;
    struct chosen_pair *list; /* in the order of the lines; owned */
};

/* Adds the pairs of a file; messages call them by the name of the term. Returns STATUS_DONE;
 * STATUS_NO_INPUT; STATUS_BAD_DATA, also if there is no pair or one twice; or STATUS_NO_MEMORY. */
enum status chosen_pairs_read(struct chosen_pairs *pairs, const struct term *term, const char *file,
                              const struct steps *steps);

/* Write and read them. */
void chosen_pairs_record(struct chosen_pairs *pairs, const struct steps *steps,
                         struct record *record);

void chosen_pairs_free(struct chosen_pairs *pairs);

#endif
