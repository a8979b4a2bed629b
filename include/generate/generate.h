/* Generates systems: any number of disks, placed without overlap, with random velocities. A request
 * gives the same bytes on every machine. */
#ifndef PARTICLES_GENERATE_H
#define PARTICLES_GENERATE_H

#include "input/input.h"
#include "model/system.h"

#include <stdio.h>

/* The largest area fraction of a request: in a box with walls, and with two periodic axes. The
 * densest packing has pi / sqrt(12) = 0.9069. */
#define GENERATE_MAX_AREA_FRACTION 0.88
#define GENERATE_MAX_WITHOUT_WALLS 0.9

/* The largest speed of a request, so that no disk is faster than SYSTEM_LARGEST. */
#define GENERATE_MAX_SPEED (SYSTEM_LARGEST / 2)

/* Components of a request, and sizes into which a spread of radii is divided. */
enum { GENERATE_MAX_COMPONENTS = 16, GENERATE_MAX_SIZES = 24 };

/* A spread of radii: uniform from `radius` to `largest`; or log-normal with the median `radius` and
 * the standard deviation `deviation` of their logarithm, up to three of these. {0}: none. */
struct generate_spread {
    double radius, largest; /* length; `largest` is 0 if it is log-normal */
    double deviation;       /* up to GENERATE_MAX_DEVIATION */
    const char *text;       /* the option's, for the report; not owned */
};
#define GENERATE_MAX_DEVIATION 1.0

/* Equal disks in a mixture. */
struct generate_component {
    size_t count;  /* 1 to SYSTEM_MAX_COUNT */
    double radius; /* length, SYSTEM_SMALLEST to SYSTEM_LARGEST */
    double mass;   /* any unit of mass, SYSTEM_MIN_MASS to SYSTEM_LARGEST_MASS */
};

/* Lets the disks of a system, with its velocities, grow by a factor, in place; or returns
 * STATUS_USAGE if they have no room for that, or STATUS_NO_MEMORY. Velocities stay. */
typedef enum status generate_grow(struct system *system, double factor, struct error *error);

/* Up to this area fraction disks are placed at random: each takes 6 proposals, at 0.5 it is 50. */
#define GENERATE_MAX_BY_CHANCE 0.4

/* A request for a system. `radius` and `speed` are of the first component. */
struct generate_request {
    size_t count;         /* N, 1 to SYSTEM_MAX_COUNT: of all components */
    double area_fraction; /* the sum of pi R^2, divided by the free area; SYSTEM_SMALLEST to the
                             most above; 0, in a domain only: it follows from the radius */
    double radius;        /* R, length, SYSTEM_SMALLEST to SYSTEM_LARGEST; 0, in a domain only: that
                             of all follows from the area fraction */
    double aspect;        /* Lx / Ly, SYSTEM_SMALLEST to SYSTEM_LARGEST; 0 in a domain */
    double speed;         /* root mean square, length per time, SYSTEM_SMALLEST to
                             GENERATE_MAX_SPEED */
    struct stream stream; /* whose gas it is, along a periodic axis x: the temperature gives the
                             speeds, and `speed` does not count; {0}: none */
    uint64_t seed;
    generate_grow *grow; /* with area fractions above GENERATE_MAX_BY_CHANCE: disks are placed at
                            that, and grow, so that they are no crystal; or NULL */
    unsigned periodic;   /* the box's periodic axes: PERIODIC_X, PERIODIC_Y, both or 0 */
    struct boundary box; /* with polygons: the box and its polygons; otherwise {0} */
    const struct polygon_files *files; /* with polygons: of these, for the report */
    size_t component_count;            /* 0: all disks have radius R, mass 1 and species 0 */
    struct generate_component components[GENERATE_MAX_SIZES];
    struct generate_spread spread; /* of a single component: its radius does not count */
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

/* Completes a request with polygons, which are in its box now and have been checked
 * (polygons_check): the radius, if that is to follow. Returns STATUS_DONE; STATUS_BAD_DATA if no
 * area is free; or STATUS_USAGE if the radius would be out of range. */
enum status generate_take_polygons(struct generate_request *request, struct polygons *polygons,
                                   struct error *error);

/*
 * Generates the system of a request whose members are within the ranges above.
 *
 * The box has the area that the area fraction demands and the aspect, except that no side between
 * walls is shorter than 2.1 radii of the largest disk. Disks are placed at random where that is
 * quick, otherwise on a jittered lattice. Where none fits, first the aspect is changed, and only
 * then the box grows: at 10000 disks or more by less than 1 %. Disks of different sizes that are
 * too dense for a lattice of the largest stand anywhere, pushed apart. Among polygons disks are
 * placed at random (model/region.h); the system owns the polygons, also if this fails.
 *
 * Component k has species k, and its particles come after all of the components before it. A spread
 * becomes equally spaced radii, in ascending order, of one species, mass and motion. Velocities are
 * uniform in a disc around 0, with `speed` the root mean square; components have one temperature.
 * Along a periodic axis the velocities of each component add up to 0, in decimal numbers exactly;
 * between walls no component of a velocity is 0. A stream has the velocities of its gas.
 *
 * Returns STATUS_DONE with `*system`, for system_free. Otherwise `*system` is empty: STATUS_USAGE
 * if the box would be too large, a periodic side shorter than 4 radii of the largest disk, a
 * component too fast or too slow, or if there is no room for the disks; or STATUS_NO_MEMORY. Takes
 * 12 bytes of passing memory for each particle.
 */
enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error);

/* Generates the system that `request` asks for, among the polygons of these files, in memory;
 * `*complete` is what has been generated. Returns as generate_input. */
enum status generate_among(const struct generate_request *request,
                           const struct polygon_files *files, struct generate_request *complete,
                           struct system *system, struct error *error);

/*
 * Generates the system that `request` asks for, among the polygons of these files, and writes it as
 * INPUT to standard output; input_read gets the very same numbers. Unless `report` is NULL, which
 * is standard error, it also writes how to repeat that. Returns STATUS_DONE, or fails as
 * input_write (input/input.h), polygon_files_read and the functions above do.
 */
enum status generate_input(const struct generate_request *request,
                           const struct polygon_files *files, FILE *stream, FILE *report,
                           struct error *error);

#endif
