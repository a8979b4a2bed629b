/*
 * What is simulated: equal hard disks in a rectangular box whose lower left corner is the origin.
 *
 * Units are the user's own: any unit of length, any unit of time, used throughout.
 */
#ifndef PARTICLES_SYSTEM_H
#define PARTICLES_SYSTEM_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Sizes, speeds and END_TIME stay within these bounds, so that no product in the formulas of
 * physics.h can overflow, and none that matters can vanish.
 */
#define SYSTEM_SMALLEST 1e-40
#define SYSTEM_LARGEST  1e40

enum { SYSTEM_MAX_COUNT = INT32_MAX }; /* particles are numbered by int32_t: see event.h */

/*
 * One disk. (x, y, u, v, t) is its anchor: where it was, and with which velocity, at time t of
 * its own last collision (or at the start). Between collisions it is at x + u * (time - t): only
 * a collision rewrites an anchor.
 */
struct particle {
    double x, y;                  /* position of the centre at time t, length */
    double u, v;                  /* velocity since time t, length per time */
    double t;                     /* time of the last collision; 0 at the start */
    uint64_t wall_collisions;     /* how often it has hit a wall, any of the four */
    uint64_t particle_collisions; /* how often it has hit another particle */
    int32_t id;                   /* its number in the input, from 0: a label, and the tie-break */
    uint32_t unused;              /* makes it 64 bytes: a line of the processor's cache */
};

struct system {
    size_t count;               /* N: how many particles; 1 to SYSTEM_MAX_COUNT */
    double radius;              /* R, of every particle, length; 0 makes them points */
    double width, height;       /* Lx and Ly: the box is [0, Lx] x [0, Ly], length */
    struct particle *particles; /* `count` of them, owned by the system, in any order */
};

/*
 * Checks the radius and the box: sizes within bounds, and room for a disk. Returns STATUS_DONE or
 * STATUS_BAD_DATA.
 */
enum status system_check_radius(const struct system *system, struct error *error);
enum status system_check_box(const struct system *system, struct error *error);

/*
 * Checks that particle `index` lies inside the box, up to the rounding of its coordinates, and
 * that its speed is within bounds. Returns STATUS_DONE or STATUS_BAD_DATA.
 */
enum status system_check_particle(const struct system *system, size_t index, struct error *error);

/* Two particles that overlap; or, where `found` is 0, none do. */
struct system_overlap {
    int found;
    size_t first, second; /* first < second */
    double distance;      /* between their centres */
};

/*
 * Looks for two particles that overlap at their anchors by more than the rounding of coordinates
 * explains, in O(N log N) time, O(N) where they are spread evenly, and 25 N bytes of passing
 * memory. Expects checked particles.
 * Returns STATUS_DONE with `*overlap` filled in, or STATUS_NO_MEMORY.
 */
enum status system_find_overlap(const struct system *system, struct system_overlap *overlap,
                                struct error *error);

/* Puts the particles into the order of the input: particle `id` at index `id`. */
void system_restore_order(struct system *system);

/* Frees the particles and leaves an empty system. */
void system_free(struct system *system);

#endif
