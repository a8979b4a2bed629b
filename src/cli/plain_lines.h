/*
 * The usual lines of INPUT, read many at a time: four decimal numbers, x y u v, and nothing else.
 * What else a line may be is left to the reader of INPUT (input.c), and so is every message.
 */
#ifndef PARTICLES_PLAIN_LINES_H
#define PARTICLES_PLAIN_LINES_H

#include "base/thread_pool.h"
#include "cli/input.h"
#include "io/text.h"
#include "model/system.h"

/* Whole lines, and the particles that they are to become. */
struct plain_lines {
    const char *begin;     /* the first line that has not been read, */
    const char *end;       /* and the end of the last one, after its line end */
    struct system *system; /* has memory for the particles, and none of them is of a kind */
    size_t index;          /* the particle of the next line */
    size_t most;           /* how many particles may still be read */
    size_t *numbers;       /* for each particle of the system, the number of its line */
    size_t number;         /* of the next line */
};

/*
 * Reads as many lines as there are, but for one that is not plain, or whose particle cannot be,
 * and those after it. Threads of `pool` share the work, if it is not NULL. The result is the same.
 * `lines` stands at the first line that has not been read then.
 */
void plain_lines_read(struct plain_lines *lines, struct thread_pool *pool);

/*
 * Starts threads for a file of so many particles, and gives its reader larger blocks for them to
 * share: `reader->larger`. The caller frees both. Returns NULL if one thread is to do it, or there
 * is no memory for more.
 */
struct thread_pool *plain_lines_start(struct text_reader *reader, size_t particles,
                                      const struct input_threads *threads);

/* Frees the threads, and the larger blocks unless what has not been used of one can be kept nowhere
 * else. One thread can read on. */
void plain_lines_stop(struct text_reader *reader, struct thread_pool *pool);

/* Gives the particles from `first` to before `end` their first values (system_begin), on the
 * threads of `pool`, if it is not NULL. */
void plain_lines_begin(struct system *system, size_t first, size_t end, struct thread_pool *pool);

/*
 * Sets place and velocity of particle `index`, whose kind has been set, to x y u v. Along a
 * periodic axis, what is at L is at 0. Returns what system_check_particle does.
 */
enum status plain_lines_place(struct system *system, size_t index, const double values[4],
                              struct error *error);

#endif
