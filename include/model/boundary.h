/*
 * What bounds the motion of particles: the box and its walls. Everything that depends on where they
 * are or what they do is asked here; the rest of the program knows only the codes of features.
 */
#ifndef PARTICLES_BOUNDARY_H
#define PARTICLES_BOUNDARY_H

#include "base/error.h"
#include "model/event.h"
#include "model/particle.h"

#include <math.h>

/*
 * A boundary consists of features. Feature k, from 0, has the code -1 - k, which stands in struct
 * event for a second particle: the code is less than any particle's number, and says so.
 */
enum feature { FEATURE_LEFT = -1, FEATURE_RIGHT = -2, FEATURE_BOTTOM = -3, FEATURE_TOP = -4 };

enum { BOUNDARY_FEATURES = 4 };

struct boundary {
    double width, height; /* Lx and Ly: the box is [0, Lx] x [0, Ly], length */
};

/* When a particle meets the boundary next, and which feature of it. */
struct boundary_contact {
    double time; /* INFINITY: never */
    int32_t feature;
};

/*
 * The next contact of a particle: the earlier of the two walls that its velocity leads to
 * (assignment, "Calculation of particle-wall collisions"), left or right before bottom or top if it
 * meets a corner; not before its anchor. A particle at rest gets time INFINITY and, by convention,
 * FEATURE_LEFT.
 */
static inline struct boundary_contact boundary_next(const struct boundary *boundary,
                                                    const struct particle *p, double radius)
{
    struct boundary_contact next = {(double)INFINITY, FEATURE_LEFT};
    if (p->u > 0) {
        next.time = p->t + ((boundary->width - radius) - p->x) / p->u;
        next.feature = FEATURE_RIGHT;
    } else if (p->u < 0) {
        next.time = p->t + (radius - p->x) / p->u;
    }
    double vertical = (double)INFINITY;
    if (p->v > 0)
        vertical = p->t + ((boundary->height - radius) - p->y) / p->v;
    else if (p->v < 0)
        vertical = p->t + (radius - p->y) / p->v;
    if (vertical < next.time) {
        next.time = vertical;
        next.feature = p->v > 0 ? FEATURE_TOP : FEATURE_BOTTOM;
    }
    if (next.time < p->t)
        next.time = p->t;
    return next;
}

/*
 * What a contact does to a particle whose anchor is at the time of it: a wall puts the coordinate
 * exactly at contact and reverses that velocity component (assignment, "Calculation of
 * particle-wall collisions").
 */
void boundary_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature);

/* Moves a centre that rounding has taken out of the reach of a disk's centre back into it. */
void boundary_clamp(const struct boundary *boundary, double radius, double *x, double *y);

/* What a feature is called, in logs and messages: "left", "right", "bottom" or "top". */
const char *boundary_name(int32_t feature);

/* Checks the sides of the box. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status boundary_check(const struct boundary *boundary, struct error *error);

/*
 * Checks that a particle is inside, up to the rounding of its coordinates; that it fits in at all;
 * and that, if it moves, it has room to. Returns STATUS_DONE, or STATUS_BAD_DATA with a message
 * that names the particle by its id.
 */
enum status boundary_check_particle(const struct boundary *boundary,
                                    const struct particle *particle, double radius,
                                    struct error *error);

#endif
