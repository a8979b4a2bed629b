/* Running an observer by itself, and reading what it has left behind. */
#ifndef PARTICLES_TESTS_OBSERVED_H
#define PARTICLES_TESTS_OBSERVED_H

#include "observe/writers.h"
#include "run/dynamics.h"
#include "schedule/schedule.h"

/* Runs `system` up to `end_time` with `observer`, which is freed in the end, or without one, if it
 * is NULL. */
enum status observed_run(struct system *system, enum schedule_kind kind, double end_time,
                         struct observer *observer, struct error *error);

/* What an observer does with a collision. */
typedef enum status observed_collision(struct observer *observer, const struct collision *collision,
                                       struct error *error);

/* Hands each collision of a batch to `collide`, and each reinjection to `reinject`, until one
 * fails; NULL: to none. */
enum status observed_each(struct observer *observer, const struct collision_batch *batch,
                          observed_collision *collide, observed_collision *reinject,
                          struct error *error);

/* The operation `take` of an observer that does nothing else. */
#define OBSERVED_TAKE(take, collide, reinject)                                                     \
    static enum status take(struct observer *observer, const struct collision_batch *batch,        \
                            struct error *error)                                                   \
    {                                                                                              \
        return observed_each(observer, batch, collide, reinject, error);                           \
    }

/* Creates an observer of this kind and runs `system` with it. */
enum status observed_create_and_run(const struct observer_operations *operations,
                                    const struct run_settings *settings,
                                    const struct output_settings *output, struct system *system,
                                    enum schedule_kind kind, double end_time, struct error *error);

/* The same, which must succeed; returns what `output` names, as observed_read does. */
char *observed_text(const struct observer_operations *operations,
                    const struct run_settings *settings, const struct output_settings *output,
                    struct system *system, enum schedule_kind kind, double end_time);

/* How often a text has this part. */
size_t observed_count(const char *text, const char *part);

/* The whole file, ended by a byte 0, which the caller frees with memory_free; NULL if there is
 * none. The file is removed. */
char *observed_read(const char *name);

/* Removes the lines of a report that differ from run to run: see observe/writers.h. */
void observed_remove_run(char *text);

#endif
