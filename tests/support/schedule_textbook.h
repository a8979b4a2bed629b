/*
 * The assignment's algorithm word for word, as a measure of the array schedule: for its answers,
 * which must be the same, and for its speed.
 */
#ifndef PARTICLES_TESTS_SCHEDULE_TEXTBOOK_H
#define PARTICLES_TESTS_SCHEDULE_TEXTBOOK_H

#include "schedule/schedule.h"

/* Like schedule_create; ends the process if there is no memory. */
struct schedule *schedule_textbook_create(const struct system *system, double end_time);

#endif
