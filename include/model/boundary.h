/*
 * What bounds the motion of particles: the box, each side of which is a wall or, along a periodic
 * axis, a seam. Everything that depends on where they are or what they do is asked here; the rest
 * of the program knows only the codes of features.
 */
#ifndef PARTICLES_BOUNDARY_H
#define PARTICLES_BOUNDARY_H

#include "base/error.h"
#include "model/event.h"
#include "model/particle.h"

#include <math.h>

/*
 * A boundary consists of features. Feature k, from 0, has the code -1 - k, which stands in struct
 * event for a second particle: the code is less than any particle's number, and says so. First come
 * the sides of the box, then those of polygons (polygons.h).
 */
enum feature { FEATURE_LEFT = -1, FEATURE_RIGHT = -2, FEATURE_BOTTOM = -3, FEATURE_TOP = -4 };

enum { BOUNDARY_SIDES = 4 }; /* of the box */

struct polygons;
struct boundary;
struct boundary_contact;
struct shift;

/*
 * What is asked of the features other than the sides of the box. Only polygons.c has such
 * operations, and polygons.h says what they do; a program without polygons does without it.
 */
struct boundary_operations {
    struct boundary_contact (*next)(const struct boundary *boundary,
                                    const struct particle *particle, double radius, double from,
                                    double until);
    struct shift (*image)(const struct boundary *boundary, const struct particle *particle,
                          double radius, int32_t feature);
    void (*resolve)(const struct boundary *boundary, struct particle *particle, double radius,
                    int32_t feature, const struct shift *shift);
    void (*free)(struct polygons *polygons);
};

/* The axes that are periodic, in a set of bits. */
enum { PERIODIC_X = 1, PERIODIC_Y = 2 };

/*
 * An endless stream along x: a particle that reaches the seam in x gets a new velocity, of a gas
 * that streams, and goes on to the right or to the left. Only stream.c has such a function, and
 * stream.h says what it does; a program without streams does without it.
 */
struct stream {
    void (*draw)(const struct stream *stream, struct particle *particle,
                 double mass); /* NULL: there is no stream */
    double speed;              /* U, length per time; negative: it streams to the left */
    double temperature;        /* T, energy, more than 0 */
    uint64_t seed;             /* of the velocities */
};

struct boundary {
    double width, height; /* Lx and Ly: the box is [0, Lx] x [0, Ly], length */
    unsigned periodic;    /* PERIODIC_X, PERIODIC_Y, both or 0: along these axes the box is repeated
                             without end, and its two sides are one seam, which centres pass */
    struct stream stream; /* through the seam in x */
    const struct boundary_operations *operations; /* of the features below, */
    struct polygons *polygons; /* inside the box; NULL: none. Owned by the system. */
};

/* How far an image of a particle is from the particle: a side of the box or 0 along each axis. */
struct shift {
    double x, y; /* length */
};

/* Whether an event's partner is a seam. */
static inline int boundary_is_seam(const struct boundary *boundary, int32_t partner)
{
    if (partner >= 0 || partner < FEATURE_TOP)
        return 0;
    return (boundary->periodic & (partner >= FEATURE_RIGHT ? PERIODIC_X : PERIODIC_Y)) != 0;
}

/* Whether an event's partner is a seam that gives a particle another velocity. */
static inline int boundary_renews(const struct boundary *boundary, int32_t partner)
{
    return boundary->stream.draw && (partner == FEATURE_LEFT || partner == FEATURE_RIGHT);
}

/* Whether a stream has turned back a particle that reached `feature`, given its velocity u after
 * that: then it has not passed the seam. */
static inline int boundary_turned_back(const struct boundary *boundary, int32_t feature, double u)
{
    return boundary_renews(boundary, feature) && (u > 0) != (feature == FEATURE_RIGHT);
}

/* When a particle meets the boundary next, and which feature of it. */
struct boundary_contact {
    double time; /* INFINITY: never */
    int32_t feature;
};

/*
 * The next contact of a particle: the earlier of the two walls that its velocity leads to
 * (assignment, "Calculation of particle-wall collisions"), left or right before bottom or top if it
 * meets a corner; not before its anchor. Walls keep its centre a radius away, and seams do not. A
 * particle at rest gets time INFINITY and, by convention, FEATURE_LEFT. Where it goes cannot be
 * guessed, so the walls ahead are looked up, without a branch.
 */
static inline struct boundary_contact boundary_next(const struct boundary *boundary,
                                                    const struct particle *p, double radius)
{
    const double x_radius = boundary->periodic & PERIODIC_X ? 0 : radius;
    const double y_radius = boundary->periodic & PERIODIC_Y ? 0 : radius;
    const double x_walls[] = {x_radius, boundary->width - x_radius};
    const double y_walls[] = {y_radius, boundary->height - y_radius};
    const double x_wait = (x_walls[p->u > 0] - p->x) / p->u;
    const double y_wait = (y_walls[p->v > 0] - p->y) / p->v;
    const double x_time = p->u != 0 ? p->t + x_wait : (double)INFINITY;
    const double y_time = p->v != 0 ? p->t + y_wait : (double)INFINITY;
    const int is_vertical = y_time < x_time;
    const double time = is_vertical ? y_time : x_time;
    const int32_t x_feature = p->u > 0 ? FEATURE_RIGHT : FEATURE_LEFT;
    const int32_t y_feature = p->v > 0 ? FEATURE_TOP : FEATURE_BOTTOM;
    const struct boundary_contact next = {time < p->t ? p->t : time,
                                          is_vertical ? y_feature : x_feature};
    return next;
}

/*
 * What a contact does to a particle whose anchor is at the time of it: a wall puts the coordinate
 * exactly at contact and reverses that velocity component (assignment, "Calculation of
 * particle-wall collisions").
 */
void boundary_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature);

/*
 * Passing a seam, for a particle whose anchor is at the time of it: the coordinate becomes exactly
 * that of the opposite side.
 */
void boundary_pass(const struct boundary *boundary, struct particle *particle, int32_t feature);

/* Counts a collision with a feature; or, of a seam, that an image count goes up or down by one. */
void boundary_count(const struct boundary *boundary, struct counts *counts, int32_t feature);

/*
 * Moves a centre that rounding has taken out of the reach of a disk's centre back into it. Along a
 * periodic axis that is from 0 to less than L: what is at L is at 0.
 */
void boundary_clamp(const struct boundary *boundary, double radius, double *x, double *y);

/* What a side of the box is called, in logs and messages: "left", "right", "bottom" or "top". */
const char *boundary_name(int32_t feature);

/* How far a particle is, from the start on, from where it would be without seams; length. */
struct shift boundary_image(const struct boundary *boundary, const struct counts *counts);

/* The radius of the largest disks that fit in. */
double boundary_largest_radius(const struct boundary *boundary);

/* Checks the sides of the box. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status boundary_check(const struct boundary *boundary, struct error *error);

/*
 * Checks that a particle is inside, up to the rounding of its coordinates; that it fits in at all;
 * and that, if it moves, it has room to. Along a periodic axis its centre is inside, and there is
 * room for two. Returns STATUS_DONE, or STATUS_BAD_DATA with a message that names the particle by
 * its id.
 */
enum status boundary_check_particle(const struct boundary *boundary,
                                    const struct particle *particle, double radius,
                                    struct error *error);

#endif
