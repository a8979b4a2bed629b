/*
 * The pairs of particles in contact, in this substep and in the last one: so that a contact is
 * counted once, when it begins.
 *
 * In each substep a part adds all pairs in contact, in any order, and then ends the substep. The
 * pairs of the last substep are saved in checkpoints.
 */
#ifndef PARTICLES_TOUCHING_H
#define PARTICLES_TOUCHING_H

#include "io/record.h"
#include "model/system.h"

/* A pair is the number i * 2^32 + j, for i < j; so sorted pairs are in the order (i, j). */
struct contact_list {
    uint64_t *now, *last; /* pairs added in this substep; those of the last one, sorted; owned */
    size_t count, last_count; /* of pairs */
    size_t now_room, room;    /* allocated in `now` and in `last` */
};

/* Adds two particles, i != j, in contact in this substep, once. `touching` may be {0}, and is given
 * to touching_free. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status contact_list_add(struct contact_list *list, size_t i, size_t j, struct error *error);

/* True if two particles were in contact in the last substep; by binary search. */
int contact_list_had(const struct contact_list *list, size_t i, size_t j);

/* Ends a substep: counts each pair that was not in contact in the last one for both particles, in
 * the `counts` of all particles by their numbers. */
void contact_list_end_substep(struct contact_list *list, struct counts *counts);

/* Write and read the pairs of the last substep, of `particles` particles. */
void contact_list_save(const struct contact_list *list, struct record_writer *writer);
void contact_list_load(struct contact_list *list, size_t particles, struct record_reader *reader);

void contact_list_free(struct contact_list *list);

#endif
