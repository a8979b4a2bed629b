/*
 * The kinds of a system as they are found out: particle by particle, each kind once.
 */
#ifndef PARTICLES_PARTICLE_KINDS_H
#define PARTICLES_PARTICLE_KINDS_H

#include "model/system.h"

/* An index of a system's kinds. Initialise with {0}; free with particle_kinds_free. */
struct particle_kinds {
    size_t capacity;   /* kinds for which the system has memory */
    size_t slot_count; /* a power of 2, or 0 */
    uint32_t *slots;   /* owned; a kind's number + 1, or 0 for none */
};

/*
 * Finds the number of a kind in system->kinds, or adds it there, with the next number. No two kinds
 * there have the same radius, mass and species; a radius of -0 must not occur. Takes a constant
 * time on average, whatever the kinds, and 8 to 16 bytes a kind; there must be less of them than
 * 2^31. Returns STATUS_DONE with `*number` set, or STATUS_NO_MEMORY.
 */
enum status particle_kinds_find(struct particle_kinds *table, struct system *system,
                                const struct kind *kind, uint32_t *number, struct error *error);

/* Frees the index; the kinds stay the system's. */
void particle_kinds_free(struct particle_kinds *table);

#endif
