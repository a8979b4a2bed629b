/* Flows on a lattice for tests, in units of the lattice: a box of `columns` x `rows` with walls,
 * seams or a stream, and polygons in it. */
#ifndef PARTICLES_TESTS_CHANNEL_H
#define PARTICLES_TESTS_CHANNEL_H

#include "owned.h"

#include "lattice/flow.h"
#include "model/boundary_law.h"
#include "model/polygons.h"

enum { CHANNEL_POLYGONS = 4 };

struct channel {
    size_t columns, rows;
    unsigned periodic;
    double stream;    /* in at one end, out at the other; 0: none */
    double viscosity; /* kinematic */
    double force[2];  /* on each node */
    struct wall_law walls[BOUNDARY_SIDES + CHANNEL_POLYGONS]; /* {0}: no friction */
    size_t polygon_count;
    int domains; /* the first ones are of the domain, the others are obstacles */
    struct {
        const double (*vertices)[2];
        size_t count;
    } polygons[CHANNEL_POLYGONS];
};

/* A channel of this size, and what else is said of it. */
#define CHANNEL(across, up, ...)                                                                   \
    (struct channel)                                                                               \
    {                                                                                              \
        .columns = (across), .rows = (up), __VA_ARGS__                                             \
    }

/* One polygon in it, of this outline (outline.h). */
#define CHANNEL_AROUND(shape)                                                                      \
    .polygon_count = 1, .polygons = {{(const double(*)[2])(shape).vertices, (shape).count}}

/* A wall that holds the flow, and moves along itself with this speed. */
struct wall_law channel_rough(double speed);

/* Makes the flow, which streams everywhere, for channel_free; ends the process on errors. */
struct flow *channel_flow(const struct channel *channel);
void channel_free(struct flow **flow);

/* Declares `struct flow *name`, whose block ends with channel_free(&name). */
#define OWNED_FLOW(name) struct flow *name __attribute__((cleanup(channel_free)))

/* The momentum that the obstacles got in the last step. */
void channel_force(const struct flow *flow, double force[2]);

#endif
