/*
 * A flow on a lattice: the lattice Boltzmann method with nine velocities in two dimensions (D2Q9)
 * and two relaxation times (I. Ginzburg, F. Verhaeghe and D. d'Humieres, Commun. Comput. Phys. 3,
 * 427, 2008), in the form for incompressible flow, whose momentum is u times the mean density (X.
 * He and L.-S. Luo, J. Stat. Phys. 88, 927, 1997). Cells are squares of side 1 with a node in the
 * middle of each; a step takes a time of 1, and the mean density is 1. All quantities here are in
 * these units, in which the speed of sound is 1 / sqrt(3); src/lattice/lattice.c converts them.
 *
 * What a node has next comes from the nodes around it, by links. Links that meet a wall, or an end
 * of the lattice, are listed; but sides of the box without friction mirror, and seams are passed.
 *
 * There is one array of populations, in which no two nodes use the same element in a step (P.
 * Bailey et al., Proc. Int. Conf. Parallel Processing, 550, 2009): a node puts what it sends in a
 * direction where it got what came the opposite way. Even steps so leave it with the node, turned
 * round; odd ones fetch it from the nodes around, and put what they send where it goes.
 */
#ifndef PARTICLES_FLOW_H
#define PARTICLES_FLOW_H

#include "base/error.h"
#include "base/thread_pool.h"
#include "io/record.h"
#include "run/dynamics.h"

enum { FLOW_DIRECTIONS = 9 };

/* The largest speed of an inflow, divided by the viscosity: above that, short waves grow at the
 * inflow whatever comes in there, as the eigenvalues of a step show. */
enum { FLOW_MAX_CELL_REYNOLDS = 10 };

/* Direction 0 is at rest; and which ones are mirrored in x, in y, and in both. */
static const int flow_x[FLOW_DIRECTIONS] = {0, 1, 0, 1, -1, -1, 0, -1, 1};
static const int flow_y[FLOW_DIRECTIONS] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
static const int flow_mirrored[3][FLOW_DIRECTIONS] = {
    {0, 5, 2, 4, 3, 1, 6, 8, 7}, {0, 1, 6, 8, 7, 5, 2, 4, 3}, {0, 5, 6, 7, 8, 1, 2, 3, 4}};

enum flow_end {
    FLOW_NO_SLIP, /* a wall that holds the flow; also an inflow, as a wall that moves */
    FLOW_SLIP,    /* a polygon without friction, which moves along itself as the flow beside it
                     does; sides of the box without it mirror, unlisted */
    FLOW_OUTLET   /* an end with the mean density, through which waves of sound leave */
};

/* The population that a node sends in a direction. */
struct flow_population {
    size_t column, row;
    int direction;
};

/* A link from a node of the flow to its neighbour in a direction that does not get there. */
struct flow_link {
    struct flow_population out;   /* what goes out by it; its direction is 1 to 8 */
    struct flow_population other; /* for interpolation; at an outlet, what comes back */
    enum flow_end end;
    uint32_t wall;   /* BOUNDARY_SIDES, as features, then the sides of all polygons */
    double fraction; /* of the link up to the wall: above 0, up to 1 */
    double u, v;     /* velocity of the wall, */
    double x, y;     /* and where the link meets it, from the corner of the box */
    double image[2]; /* in x and y: -1 if it meets a mirror image of that point, or 1 */
    double nx, ny;   /* the wall's unit normal into the flow, at the point below the node */
};

/* What a wall has got by its links, without the share of the mean pressure: momentum in x and y,
 * and angular momentum about the corner of the box. */
struct flow_wall {
    double impulse[3];  /* in the last step, */
    struct sum past[3]; /* and in all before it */
};

/* A flow; flow_create fills it in. */
struct flow {
    size_t columns, rows;
    int is_seam[2];      /* in x and y: periodic; the other sides of the box mirror */
    size_t nodes;        /* of the flow, not solid */
    double even, odd;    /* relaxation rates of the two halves of populations */
    double force[2];     /* on each node: momentum in a step */
    double source;       /* what each node gets in this step, */
    double wave;         /* and by how much the density at outlets is higher */
    size_t stride, line; /* doubles from one direction of a row to the next, and between rows */
    double *populations; /* of each node and direction: */
    size_t offsets[FLOW_DIRECTIONS]; /* see flow_index */
    struct flow_wall *walls;
    size_t wall_count;
    unsigned char *is_solid; /* of each node: it is not of the flow */
    struct flow_link *links; /* all that end; of the walls that one crosses, at the nearest */
    size_t link_count;
    double (*exchanged)[2]; /* what comes back by each link in this step, and what goes out; at an
                               outlet the velocity. Apart from links, so that cores share less. */
};

/* The index of the population that a node sends in a direction. Stored is, after the collision, its
 * difference from a population at rest with the mean density: so rounding errors are small. */
static inline size_t flow_index(const struct flow *flow, struct flow_population which)
{
    return which.row * flow->line + which.column + flow->offsets[which.direction];
}

/*
 * Makes a flow of this kinematic viscosity, above 0, in a boundary whose polygons are prepared;
 * walls have the friction and speed of their laws, which `unit` turns into units of the flow. At
 * first all of it has this speed in x. With that a stream comes in at one end, or with the parabola
 * of this mean if both other sides hold the flow, and leaves at the other end; 0: there is none,
 * and seams are periodic. A force acts on each node. Returns STATUS_DONE; STATUS_BAD_DATA if there
 * is no node in the flow; or STATUS_NO_MEMORY. In any case the flow is for flow_free.
 */
enum status flow_create(struct flow *flow, const struct boundary *boundary, size_t columns,
                        size_t rows, double viscosity, double speed, double unit,
                        const double force[2], struct error *error);
void flow_free(struct flow *flow);

/* Puts a node that is not solid into equilibrium; gets the state of any, of a solid one {0}. The
 * velocity is that at the step, when half of its force has acted. */
void flow_set(struct flow *flow, size_t column, size_t row, struct dynamics_node state);
struct dynamics_node flow_get(const struct flow *flow, size_t column, size_t row);

/* Makes a step, on all threads of the pool; the bits do not depend on how many there are. */
void flow_step(struct flow *flow, struct thread_pool *pool);

double flow_mass(const struct flow *flow);

/* The largest Mach number; INFINITY if a density is off by a factor of 2. */
double flow_mach(const struct flow *flow, struct thread_pool *pool);

/* Describes what walls have got, and all populations: see io/record.h. */
void flow_record(struct flow *flow, struct record *record);

/* True if both sides along x hold the flow: a stream comes in as a parabola then. */
int flow_is_channel(const struct boundary *boundary);

#endif
