/* The engine: a system, the dynamics that moves it, and the observers that watch it, made as
 * options say. The command and the library are built on it. */
#ifndef PARTICLES_ENGINE_H
#define PARTICLES_ENGINE_H

#include "cli/options.h"
#include "input/input.h"
#include "io/record.h"
#include "run/dynamics.h"

/* {0}, with options, is none yet; engine_free frees it in any case, and leaves none. */
struct engine {
    struct options options;            /* checked; not freed here */
    const struct input_source *source; /* of the system, in place of a file; not owned; or NULL */
    struct system system;              /* owned */
    double time;                       /* that it has reached where it begins */
    struct dynamics *dynamics;
    struct observers observers; /* option_observers_create, or its like, adds them */
    struct record checkpoint;   /* the remainder of that of --resume, for engine_begin */
};

/* Reads the system, from a checkpoint, a source or an INPUT, and makes its dynamics. Returns
 * STATUS_DONE, or what the readers and a dynamics return. */
enum status engine_create(struct engine *engine, struct error *error);

/* Begins the observers, or reads their states. */
enum status engine_begin(struct engine *engine, struct error *error);

/* Moves the system to `time`, which the messages say; the particles stay in any order. */
enum status engine_advance(struct engine *engine, double time, struct error *error);

void engine_free(struct engine *engine);

/* Of --disordered: growth at a rate of ENGINE_GROWTH, in units of the thermal speed divided by the
 * mean radius. Where the reduced pressure would exceed ENGINE_PRESSURE, there is no room. */
#define ENGINE_GROWTH   0.03
#define ENGINE_PRESSURE 1e5
generate_grow engine_grow;

#endif
