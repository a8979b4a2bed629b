/* The answer: the lines that the program prints (assignment, "Specifications"). */
#ifndef PARTICLES_OUTPUT_H
#define PARTICLES_OUTPUT_H

#include "io/number.h"
#include "run/snapshot.h"
#include "schedule/schedule.h"

#include <signal.h>
#include <stdio.h>

/* Room for any line of the answer. */
enum { OUTPUT_LINE_SIZE = 2 * NUMBER_FIXED_SIZE + 2 * NUMBER_WHOLE_SIZE + 7 };

/* Puts the line of a particle, with its line end and no byte 0, at `text`; returns its length. */
size_t output_line(char text[OUTPUT_LINE_SIZE], const struct snapshot *snapshot, size_t number);

/* Writes a line for each particle, in their order, "%.6f, %.6f, %d, %d": x and y at `end_time`, and
 * the numbers of its collisions with walls and with particles. `name` says in messages what
 * `stream` is. The threads of the run make the lines, or one if `threads` is NULL or memory is
 * short. Returns STATUS_DONE when the system has all lines; STATUS_CANNOT_WRITE; or
 * STATUS_INTERRUPTED if `*interrupt`, or NULL, is not 0 before. */
enum status output_write(const struct system *system, double end_time,
                         const struct schedule_threads *threads,
                         const volatile sig_atomic_t *interrupt, FILE *stream, const char *name,
                         struct error *error);

#endif
