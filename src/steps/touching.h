/*
 * Which pairs of particles touch, now and in the last substep: so that a contact is counted when it
 * begins, and not as long as it lasts.
 *
 * In each substep the part that knows of contacts adds all pairs that touch, in any order, and then
 * ends the substep. What touched in the last substep is part of the state of a run.
 */
#ifndef PARTICLES_TOUCHING_H
#define PARTICLES_TOUCHING_H

#include "io/record.h"
#include "model/system.h"

/* A pair as a number: i * 2^32 + j, for i < j; so pairs are in the order (i, j). */
struct touching {
    uint64_t *now, *last;  /* pairs: those added in this substep; and those of the last one, in
                              order; owned */
    size_t count, lasted;  /* how many they are */
    size_t now_room, room; /* how many there is memory for, in `now` and in `last` */
};

/* Adds two particles, i != j, that touch in this substep; once. `touching` may be {0}, and is given
 * to touching_free. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status touching_add(struct touching *touching, size_t i, size_t j, struct error *error);

/* Whether two particles touched in the last substep. It takes the logarithm of how many did. */
int touching_lasts(const struct touching *touching, size_t i, size_t j);

/* Ends a substep: each pair that did not touch in the last one is a contact of both its particles,
 * and counted in `counts`, those of all particles by their numbers. */
void touching_end(struct touching *touching, struct counts *counts);

/* Write and read the pairs of the last substep, of `particles` particles. */
void touching_save(const struct touching *touching, struct record_writer *writer);
void touching_load(struct touching *touching, size_t particles, struct record_reader *reader);

void touching_free(struct touching *touching);

#endif
