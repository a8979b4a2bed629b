/*
 * Reading the values of options. Each function returns STATUS_DONE and sets the value; or
 * STATUS_USAGE with a message that says what the option takes. `name` is the option's, without
 * the dashes; files point into `text`.
 */
#ifndef PARTICLES_OPTION_VALUES_H
#define PARTICLES_OPTION_VALUES_H

#include "schedule/schedule.h"

enum status option_schedule(const char *text, enum schedule_kind *kind, struct error *error);

enum status option_rule(const char *text, enum rule *rule, struct error *error);

/* END_TIME: from 0 to SYSTEM_LARGEST. */
enum status option_end_time(const char *text, double *end_time, struct error *error);

/* A number from `least` to `largest`; of one beyond, the message says `too_large`. */
enum status option_number(const char *name, const char *text, double least, double largest,
                          const char *too_large, double *number, struct error *error);

/* A number above 0, up to SYSTEM_LARGEST. */
enum status option_positive(const char *name, const char *text, double *number,
                            struct error *error);

/* A whole number from `least` to `largest`. */
enum status option_whole(const char *name, const char *text, uint64_t least, uint64_t largest,
                         uint64_t *number, struct error *error);

/* The name of a file that is to be written: standard output is none. */
enum status option_output(const char *name, const char *text, const char **file,
                          struct error *error);

/* The name of a checkpoint to read. */
enum status option_resume(const char *text, const char **file, struct error *error);

#endif
