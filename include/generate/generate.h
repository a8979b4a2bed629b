/*
 * Generates systems: any number of disks, placed without overlap, with random velocities. A request
 * gives the same bytes on every machine.
 */
#ifndef PARTICLES_GENERATE_H
#define PARTICLES_GENERATE_H

#include "model/polygons.h"
#include "model/system.h"

#include <stdio.h>

/* The densest that can be asked for: in a box with walls, and in one that has none, with periodic
 * axes x and y. None is denser than pi / sqrt(12) = 0.9069. */
#define GENERATE_MAX_AREA_FRACTION 0.88
#define GENERATE_MAX_WITHOUT_WALLS 0.9

/* The fastest that can be asked for, so that no disk is faster than SYSTEM_LARGEST. */
#define GENERATE_MAX_SPEED (SYSTEM_LARGEST / 2)

enum { GENERATE_MAX_COMPONENTS = 16 };

/* Equal disks in a mixture. */
struct generate_component {
    size_t count;  /* 1 to SYSTEM_MAX_COUNT */
    double radius; /* length, SYSTEM_SMALLEST to SYSTEM_LARGEST */
    double mass;   /* any unit of mass, SYSTEM_LEAST_MASS to SYSTEM_LARGEST_MASS */
};

/* A request for a system. */
struct generate_request {
    size_t count;         /* N, 1 to SYSTEM_MAX_COUNT: of all components */
    double area_fraction; /* the sum of pi R^2, divided by the free area; SYSTEM_SMALLEST to the
                             most above; 0, in a domain only: it follows from the radius */
    double radius; /* R, length, SYSTEM_SMALLEST to SYSTEM_LARGEST, of the first component; 0, in a
                      domain only: that of all follows from the area fraction */
    double
        aspect; /* Lx / Ly, SYSTEM_SMALLEST to SYSTEM_LARGEST; 0 in a domain, which gives the box */
    double speed; /* root mean square, length per time, SYSTEM_SMALLEST to GENERATE_MAX_SPEED; of
                     the first component */
    struct stream stream; /* whose gas it is (model/stream.h), along a periodic axis x: the
                             temperature gives the speeds, and `speed` does not count; {0}: none */
    uint64_t seed;
    unsigned periodic;      /* the box's periodic axes: PERIODIC_X, PERIODIC_Y, both or 0 */
    struct boundary box;    /* with polygons: the box and its polygons; otherwise {0} */
    const char *files;      /* with polygons: the options that name their files, for the report */
    size_t component_count; /* 0: all disks have radius R, mass 1 and species 0 */
    struct generate_component components[GENERATE_MAX_COMPONENTS];
};

/*
 * Chooses the box of a request with these polygons, which are not yet in it: `request->box`. If
 * there is a domain, the box reaches from the origin to its largest coordinates. Otherwise it has
 * the area that the area fraction demands, and the area of the obstacles besides. Returns
 * STATUS_DONE; STATUS_BAD_DATA if there can be no such box; STATUS_USAGE if it would be too large,
 * or if an obstacle is not within its walls; or STATUS_NO_MEMORY.
 */
enum status generate_choose_box(struct generate_request *request, struct polygons *polygons,
                                struct error *error);

/*
 * Completes a request with polygons, which are in its box now and have been checked
 * (model/polygon_check.h): the radius, if that is to follow. Returns STATUS_DONE; STATUS_BAD_DATA
 * if no area is free; or STATUS_USAGE if the radius would be out of range.
 */
enum status generate_take_polygons(struct generate_request *request, struct polygons *polygons,
                                   struct error *error);

/*
 * Makes the system that `request`, within the ranges above, asks for.
 *
 * The box has the area that the area fraction demands, rounded up in its ninth digit or so, and
 * the aspect, except that no side between walls is shorter than 2.1 radii of the largest disk.
 * Disks are placed at random where that is quick, otherwise on a jittered lattice; none overlap,
 * nor do their periodic images. Where a lattice does not fit,
 * because walls cost room or no whole number of its sites fits along a periodic axis, first the
 * shape gives way, towards a square or by a quarter away from it, and only then the box grows. At
 * 10000 disks or more it grows by less than 1 %.
 *
 * Component k has species k, and its particles come after those of the components before it; their
 * positions are mixed at random. Disks of different sizes that are too dense for chance stand on a
 * lattice for the largest of them or, where that is too dense, anywhere, pushed apart.
 *
 * With polygons the request has been completed by the functions above, and the system owns the
 * polygons, also if this fails. Disks are placed at random in the region of particles
 * (model/region.h), and do not overlap polygons.
 *
 * Velocities are uniform in a disc around 0, with `speed` the root mean square of their speeds, but
 * for the rounding to its ninth digit or so; no component is larger than twice that. Components
 * have one temperature, the mass times the mean square of the speeds. Along a periodic axis the
 * velocities of each component add up to 0, in decimal numbers exactly: a disk that is alone in its
 * component is at rest there. Between walls no component of a velocity is 0. All numbers are short
 * decimal numbers unless the units are beyond some 10^10.
 *
 * With a stream the velocities are those of its gas instead, of Maxwell's distribution around its
 * velocity; no sum of them is made to be anything.
 *
 * Returns STATUS_DONE with `*system` filled in: the caller gives it to system_free. Otherwise
 * `*system` is empty: STATUS_USAGE if the box would be too large, if a periodic side would be
 * shorter than 4 radii of the largest disk, if disks of different sizes do not fit, if there is no
 * room among polygons, or if a component would be too fast or too slow; or STATUS_NO_MEMORY. Takes
 * 12 bytes of passing memory for each particle.
 *
 */
enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error);

/*
 * Writes a system, as made for `request`, in the format of the contract, with the columns radius,
 * mass and species if the disks have kinds. input_read reads it: it gets the very same numbers.
 * `name` says in messages what `stream` is. Returns STATUS_DONE when all of it has reached the
 * system, or STATUS_CANNOT_WRITE.
 */
enum status generate_write(const struct generate_request *request, const struct system *system,
                           FILE *stream, const char *name, struct error *error);

/*
 * Says in two lines how to repeat such a system, and what area fraction and aspect it has; and
 * whether there was no room for the area fraction that `request` asks for. With periodic axes or
 * polygons a third line says how to simulate it. Returns as generate_write does.
 */
enum status generate_report(const struct generate_request *request, const struct system *system,
                            FILE *stream, const char *name, struct error *error);

#endif
