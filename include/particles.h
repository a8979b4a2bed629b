/*
 * particles: hard disks in a box, moved from collision to collision. The library is the engine of
 * the command `particles`: the same input gives the same answer, to the last bit.
 *
 *     #include <particles.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         const double box[2] = {10, 5}, radius[2] = {0.5, 0.5};
 *         double x[2] = {2, 8}, y[2] = {2.4, 2.6}, u[2] = {1, -1}, v[2] = {0, 0};
 *         struct particles *p = particles_create();
 *         int status = particles_set(p, "rule", "elastic");
 *         if (!status)
 *             status = particles_place(p, 2, box, x, y, u, v, radius, NULL, NULL);
 *         for (int time = 1; time <= 10 && !status; time++) {
 *             status = particles_advance(p, time);
 *             if (!status && !(status = particles_state(p, x, y, u, v)))
 *                 printf("%d: %.3f %.3f, %.3f %.3f\n", time, x[0], y[0], x[1], y[1]);
 *         }
 *         if (status)
 *             fprintf(stderr, "%s\n", particles_error(p));
 *         particles_free(p);
 *         return status;
 *     }
 *
 * Link with -lparticles -lm -pthread, in this order (pkg-config --static --libs particles).
 *
 * Order of calls. First the settings, by particles_set and the callbacks; then the system, once, by
 * particles_read, _read_text, _place, _generate or _load; then particles_advance, any number of
 * times, with all else between. A call out of this order is an error, and changes nothing.
 *
 * Errors. A function that returns int returns PARTICLES_DONE, 0, or a status below; then
 * particles_error has a message. A call that fails changes nothing, except an advance, which has
 * come part of the way. After an advance that has failed, or any call without enough memory, a
 * simulation can only be read and freed. A handle of NULL is an error (PARTICLES_USAGE).
 *
 * Units of length, time and mass are the caller's own. Sizes, times, speeds and masses are 0 or
 * from 1e-40 to 1e40. Particles have the numbers from 0 to particles_count - 1, in the order in
 * which they were given. An array has an element for each particle, unless told otherwise; the
 * caller owns it, and it is used during the call only. Strings are copied. Numbers in strings and
 * files have a decimal point: LC_NUMERIC must be "C", as it is without setlocale.
 *
 * The library prints nothing, ends no process, touches no signal and has no global state: there may
 * be any number of handles, each used by one thread at a time. It starts threads of its own only if
 * the option "threads" or the number of particles asks for them; they take no signals. After a
 * fork a handle belongs to the parent: in the child its functions fail, and particles_free does
 * nothing.
 */
#ifndef PARTICLES_H
#define PARTICLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The number of the binary interface, that of libparticles.so.0. A larger one is not compatible. */
#define PARTICLES_ABI 0
int particles_abi(void); /* that of the library that is loaded */

/* What functions return. The command ends with these numbers, too. */
enum {
    PARTICLES_DONE = 0,          /* all is done */
    PARTICLES_USAGE = 64,        /* an argument, an option or the order of calls is wrong */
    PARTICLES_BAD_DATA = 65,     /* a system, or a file, that cannot be simulated; or a time that
                                    cannot be reached, as with disks wedged between walls */
    PARTICLES_NO_INPUT = 66,     /* a file cannot be opened or read */
    PARTICLES_NO_MEMORY = 71,    /* not enough memory */
    PARTICLES_CANNOT_WRITE = 74, /* a file could not be written to the end */
    PARTICLES_STOPPED = 130      /* the callback for progress has stopped the advance */
};

/* A simulation: an opaque handle. */
struct particles;

/* Makes a simulation without a system, for particles_free; NULL if there is no memory. Freeing NULL
 * does nothing. */
struct particles *particles_create(void);
void particles_free(struct particles *p);

/* The message of the last call, if that has failed, a line without its end: what is wrong, where,
 * and what to do; otherwise "". It is valid until the next call with this handle. */
const char *particles_error(const struct particles *p);

/*
 * Sets an option of the command, by its name without dashes; the manual page, particles(1), has
 * all: particles_set(p, "rule", "elastic"), (p, "wall", "left temperature=2"), (p, "step",
 * "0.001"). An option without a value takes NULL: (p, "reverse", NULL). "obstacle", "wall",
 * "interaction" and "constraint" add up; of other options the last value holds. Names of files are
 * relative to the working directory. "stats" with NULL switches on what particles_figure needs,
 * which makes an advance some per cent slower.
 *
 * An unknown option or a bad value is refused at once; options that need or exclude each other when
 * the system is made. Options that write files, and those about the terminal or the process, are
 * refused, with a message that says what takes their place.
 */
int particles_set(struct particles *p, const char *option, const char *value);

/* Reads the system from a file, an INPUT of the command; "-" is refused. */
int particles_read(struct particles *p, const char *path);

/* The same from the `size` bytes of an INPUT in memory; messages call it "the text". */
int particles_read_text(struct particles *p, const char *text, size_t size);

/*
 * Takes the system from arrays: `count` particles, 1 to 2^28, in a box from (0, 0) to (box[0],
 * box[1]), with centres at x, y, velocities u, v, radii, masses and species, labels from 0 on. NULL
 * for u or v is 0, for mass 1, for species 0; x, y and radius are needed. Checks what
 * particles_read does: disks must be inside of the box and must not overlap.
 */
int particles_place(struct particles *p, size_t count, const double box[2], const double *x,
                    const double *y, const double *u, const double *v, const double *radius,
                    const double *mass, const int *species);

/* The same of rough disks, with the option "roughness", and their spins, counter-clockwise in
 * radians per time; NULL for these is 0. */
int particles_place_rough(struct particles *p, size_t count, const double box[2], const double *x,
                          const double *y, const double *u, const double *v, const double *radius,
                          const double *mass, const int *species, const double *spin);

/* Makes a system of random particles: "1000", or "500,500" of two species, as --generate does, with
 * the options "area-fraction", "radius", "mass", "aspect", "speed" and "seed". The system is the
 * one that the command would write and read. */
int particles_generate(struct particles *p, const char *counts);

/*
 * Moves the particles to `time`, absolute, which must not be before particles_time. Stops make no
 * difference: ten advances give the bytes of one. If it fails, or is stopped (PARTICLES_STOPPED),
 * particles_time says how far it has come; after a stop it can be called again. With the option
 * "grow" an advance ends where growth does, which particles_time says, too: at the area fraction or
 * pressure of "grow-until"; or, of a run that the command has saved, at its END_TIME. From then on
 * disks keep their size.
 */
int particles_advance(struct particles *p, double time);

/*
 * Changes the particles at the present time: each array may be NULL, for what stays. A particle
 * whose values are equal to those of particles_state stays as it is, to the last bit. What is
 * changed is checked as in particles_place, and refused as a whole. Figures begin anew at this
 * time. In steps, on a lattice and while disks grow radii and masses cannot be changed; on a
 * lattice velocities follow from the flow; and growth keeps the new kinetic energy. The next
 * advance takes the time of all first predictions.
 */
int particles_change(struct particles *p, const double *x, const double *y, const double *u,
                     const double *v, const double *radius, const double *mass);

/* The same of rough disks, with their spins, which stay where this array is NULL. */
int particles_change_rough(struct particles *p, const double *x, const double *y, const double *u,
                           const double *v, const double *radius, const double *mass,
                           const double *spin);

/* The number of particles, and the present time; 0 without a system. */
size_t particles_count(const struct particles *p);
double particles_time(const struct particles *p);

/* Copies the present state into the caller's arrays, each of which may be NULL: positions, which
 * are in the box, from 0 to less than its side along a periodic axis; and velocities. A particle
 * that a wall has absorbed has the velocity NAN, and the place where that was; it cannot be
 * changed. */
int particles_state(struct particles *p, double *x, double *y, double *u, double *v);

/* Copies how often each particle has collided with walls, and with particles. */
int particles_counts(struct particles *p, uint64_t *walls, uint64_t *pairs);

/* The width and the height of the box; and what the particles are: arrays that each may be NULL. */
int particles_box(struct particles *p, double box[2]);
int particles_kinds(struct particles *p, double *radius, double *mass, int *species);

/* Copies the spins of rough disks; of others 0. At the start they are those that were given, or 0.
 */
int particles_spins(struct particles *p, double *spin);

/* A figure at the present time, by its name in files of --stats, such as "pressure_virial"; the
 * manual page, STATISTICS, has all with their units. Needs the option "stats". `*value` is NAN if
 * the run does not determine it, `*error`, its standard error, if none is known; either may be
 * NULL. Figures count from the option "stats-from" on, and from the last change. */
int particles_figure(struct particles *p, const char *name, double *value, double *error);

/* The name of a figure by its number from 0 on, in the order of --stats, valid until the next call
 * with this handle. NULL if there is none, or where particles_figure would fail. */
const char *particles_figure_name(struct particles *p, size_t number);

/* A collision. */
struct particles_collision {
    double time;
    int64_t a;   /* a particle */
    int64_t b;   /* the other one, b > a; or -1 - k for feature k of the boundary: 0 to 3 are the
                    left, right, bottom and top wall; of polygons, in the order in which they were
                    given, there are 4 + 2 m for side m, and 5 + 2 m for the corner where it begins */
    double x, y; /* the centre of a at the collision */
};

/*
 * Callbacks. They are set at any time, NULL for none, with a pointer of the caller's
 * that each call gets; during an advance its thread calls them. A callback must not call a function
 * with the same handle, except particles_error and particles_count: it would get an error.
 *
 * All collisions, in their order, in batches of one or more; they are valid during the call. When
 * an advance ends it has handed over all. Seams of periodic axes are no collisions; steps and
 * lattices have none.
 *
 * The progress, some times a second, with a time that the advance has reached. Not 0 stops it.
 */
typedef void particles_collisions(void *user, const struct particles_collision *list, size_t count);
typedef int particles_progress(void *user, double time);
int particles_on_collisions(struct particles *p, particles_collisions *call, void *user);
int particles_on_progress(struct particles *p, particles_progress *call, void *user);

/* Saves the run in a file, complete or not at all, which it replaces; and goes on from such a file,
 * in place of particles_read: there the present time, the system, its options and its figures come
 * from the file. "stats" must be set if the run that was saved had it, and only then; callbacks
 * are not saved. The run gives the same bytes as without the stop. The format is that of the
 * command's checkpoints; files are for the same version of the library only. If the command has
 * stopped within a step of "step", the present time is the end of that step, to rounding; after the
 * last step of its run, which may be shorter, a whole one begins. */
int particles_save(struct particles *p, const char *path);
int particles_load(struct particles *p, const char *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
