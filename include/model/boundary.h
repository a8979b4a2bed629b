/*
 * The boundary of the system: the box, with sides that are walls or, along a periodic axis, seams.
 * It consists of features. Feature k, from 0, has the code -1 - k: in struct event
 * it stands for a second particle, and being negative it cannot be a particle's number. The first
 * features are the sides of the box, the others are features of polygons (polygons.h).
 */
#ifndef PARTICLES_BOUNDARY_H
#define PARTICLES_BOUNDARY_H

#include "model/event.h"
#include "model/pair.h"

enum boundary_feature {
    FEATURE_LEFT = -1,
    FEATURE_RIGHT = -2,
    FEATURE_BOTTOM = -3,
    FEATURE_TOP = -4
};

enum { BOUNDARY_SIDES = 4 }; /* of the box */

struct polygons;
struct wall_laws;

/* The axes that are periodic, in a set of bits. */
enum { PERIODIC_X = 1, PERIODIC_Y = 2 };

/* An endless stream along x: a particle that reaches a seam gets a new velocity, of a gas that
 * streams, and passes or goes back (boundary_law.h). */
struct stream {
    void (*draw)(const struct stream *stream, struct particle *particle, double mass,
                 int32_t side); /* NULL: there is no stream */
    double speed;               /* U, length per time; negative: it streams to the left */
    double temperature;         /* T, energy, more than 0 */
    uint64_t seed;              /* of the velocities */
};

/* The bottom wall as a floor that is shaken: at time 0 it is at height 0, rises evenly to `height`
 * in half of a period, and is back at its end. */
struct boundary_shake {
    double height, period; /* length; time */
    int acts;              /* 0: it is at rest */
};

/* Surfaces of rough disks, and of all that they collide with; {0}: all are smooth. Where two of
 * them meet, they slip on each other with some speed, and with -roughness times that speed
 * afterwards; but the impulse along them is at most friction times the normal one. */
struct surfaces {
    int are_rough;
    double roughness; /* -1 to 1 */
    double friction;  /* from 0 */
    double inertia;   /* of a disk, I / (m R^2): SURFACES_LEAST_INERTIA to 1, a ring */
};

#define SURFACES_INERTIA       0.5 /* of disks that are uniform */
#define SURFACES_LEAST_INERTIA 1e-6

struct boundary {
    double width, height; /* Lx and Ly: the box is [0, Lx] x [0, Ly], length */
    unsigned periodic;    /* PERIODIC_X, PERIODIC_Y, both or 0: the two sides of these axes are one
                             seam, which centres pass */
    struct acceleration gravity; /* of all particles, on their ways to it */
    struct boundary_shake shake; /* of the bottom wall, on which nothing else depends */
    struct stream stream;        /* through all seams */
    struct polygons *polygons;   /* inside the box; NULL: none. Owned by the system. */
    struct wall_laws *walls; /* NULL: all are smooth and elastic (boundary_law.h). Owned as well. */
    double growth; /* how fast disks grow: at time t each radius is 1 + growth t times what it was
                      at time 0, which is what functions below call a radius; 0: they do not */
    struct surfaces surfaces; /* of its walls, and of particles */
};

/* The sides of the box along periodic axes; INFINITY along others. */
static inline struct pair_shift boundary_periods(const struct boundary *boundary)
{
    return (struct pair_shift){boundary->periodic & PERIODIC_X ? boundary->width : (double)INFINITY,
                               boundary->periodic & PERIODIC_Y ? boundary->height
                                                               : (double)INFINITY};
}

/* True if an event's partner is a seam. */
static inline int boundary_is_seam(const struct boundary *boundary, int32_t partner)
{
    if (partner >= 0 || partner < FEATURE_TOP)
        return 0;
    return (boundary->periodic & (partner >= FEATURE_RIGHT ? PERIODIC_X : PERIODIC_Y)) != 0;
}

/* True if an event's partner is a seam at which a stream gives the particle another velocity. */
static inline int boundary_reinjects(const struct boundary *boundary, int32_t partner)
{
    return boundary->stream.draw && boundary_is_seam(boundary, partner);
}

/* The side of the box to which a particle at the seam of a side moves. */
static inline int32_t boundary_ahead(int32_t side, const struct particle *particle)
{
    if (side >= FEATURE_RIGHT)
        return particle->u > 0 ? FEATURE_RIGHT : FEATURE_LEFT;
    return particle->v > 0 ? FEATURE_TOP : FEATURE_BOTTOM;
}

/* True if a stream has sent a particle, now in the state after the event, back from a seam. */
static inline int boundary_turned_back(const struct boundary *boundary, int32_t feature,
                                       const struct particle *particle)
{
    return boundary_reinjects(boundary, feature) && boundary_ahead(feature, particle) != feature;
}

/* When a particle meets the boundary next, and which feature of it. */
struct boundary_contact {
    double time; /* INFINITY: never */
    int32_t feature;
};

/* A side of the box as a particle sees it, from its anchor: how far it is from contact, and how
 * fast, and how much faster, it approaches; each is along the normal of the side. */
struct boundary_approach {
    double gap, speed, pull;
};

struct boundary_approach boundary_approach(const struct boundary *boundary,
                                           const struct particle *p, double radius,
                                           int32_t feature);

/* The height of a floor that is shaken, and how fast it rises, at a time. Pieces of half a period
 * begin at k times the period / 2: so nothing adds up. */
struct boundary_floor {
    double height, speed;
};

struct boundary_floor boundary_floor(const struct boundary_shake *shake, double time);

/* boundary_next under gravity, or on a floor that is shaken. */
struct boundary_contact boundary_next_under(const struct boundary *boundary,
                                            const struct particle *p, double radius);

/* boundary_next for disks that grow, also those at rest and those that leave a wall more slowly. */
struct boundary_contact boundary_next_growing(const struct boundary *boundary,
                                              const struct particle *p, double radius);

/*
 * The next contact of a particle: with the earlier of the two sides that its velocity leads to
 * (assignment, "Calculation of particle-wall collisions"), left or right before bottom or top if it
 * meets a corner; not before its anchor. Walls keep its centre a radius away, and seams do not. A
 * particle at rest gets INFINITY and FEATURE_LEFT. A processor cannot predict the signs of the
 * velocity, so the sides ahead are looked up, without a branch.
 */
static inline struct boundary_contact boundary_next(const struct boundary *boundary,
                                                    const struct particle *p, double radius)
{
    if (boundary->gravity.acts | boundary->shake.acts)
        return boundary_next_under(boundary, p, radius);
    if (boundary->growth > 0)
        return boundary_next_growing(boundary, p, radius);
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

/* Adds to boundary_resolve what a disk that grows asks for. */
void boundary_resolve_growing(const struct boundary *boundary, struct particle *particle,
                              double radius, int32_t feature);

/* Resolves the contact of a particle whose anchor is at the time of it: a wall puts the coordinate
 * exactly at contact and reverses that velocity component, relative to the rim of a disk that
 * grows.
 */
static inline void boundary_resolve(const struct boundary *boundary, struct particle *particle,
                                    double radius, int32_t feature)
{
    if (feature >= FEATURE_RIGHT) {
        particle->x = feature == FEATURE_LEFT ? radius : boundary->width - radius;
        particle->u = -particle->u;
    } else {
        particle->y = feature == FEATURE_BOTTOM ? radius : boundary->height - radius;
        particle->v = -particle->v;
    }
    if (boundary->growth > 0)
        boundary_resolve_growing(boundary, particle, radius, feature);
}

/* Moves such a particle across a seam: exactly to the opposite side. */
void boundary_pass(const struct boundary *boundary, struct particle *particle, int32_t feature);

/* Counts a collision with a feature; or, of a seam, that an image count goes up or down by one. */
void boundary_count(const struct boundary *boundary, struct particle_counts *counts,
                    int32_t feature);

/* Moves a centre that rounding has taken out of its range, for its present radius, back into it:
 * along a periodic axis from 0 to less than L, where a centre at L is moved to 0. */
void boundary_clamp(const struct boundary *boundary, double radius, double *x, double *y);

/* Moves a centre that is anywhere back into the box along periodic axes, and counts the crossings.
 */
void boundary_wrap(const struct boundary *boundary, struct particle *particle,
                   struct particle_counts *counts);

/* A distance along an axis, or that to the nearest image, of two positions in the box; the period
 * is INFINITY where there are no images. */
static inline double boundary_nearest(double distance, double period)
{
    return distance > period / 2    ? distance - period
           : distance < -period / 2 ? distance + period
                                    : distance;
}

/* The shift, along a periodic axis, of the nearest image of another particle at any distance. */
static inline double boundary_shift(double distance, double period)
{
    return -period * floor(distance / period + 0.5);
}

/* The shift of the nearest image of another particle at the distance (dx, dy). */
static inline struct pair_shift boundary_image(const struct boundary *boundary, double dx,
                                               double dy)
{
    return (struct pair_shift){
        boundary->periodic & PERIODIC_X ? boundary_shift(dx, boundary->width) : 0,
        boundary->periodic & PERIODIC_Y ? boundary_shift(dy, boundary->height) : 0};
}

/* Shortens a distance from a particle to another one to that to its nearest image. */
static inline void boundary_shorten(const struct boundary *boundary, double *dx, double *dy)
{
    if (boundary->periodic & PERIODIC_X)
        *dx += boundary_shift(*dx, boundary->width);
    if (boundary->periodic & PERIODIC_Y)
        *dy += boundary_shift(*dy, boundary->height);
}

/* The column or row of a coordinate, of `count` with this side; outside of all, the nearest. */
static inline uint32_t boundary_locate(double coordinate, double side, uint32_t count)
{
    const double position = coordinate / side;
    if (!(position > 0))
        return 0;
    return position < (double)count ? (uint32_t)position : count - 1;
}

/* The name of a side of the box in logs and messages: "left", "right", "bottom" or "top". */
const char *boundary_name(int32_t feature);

/* The radius of the largest disks that fit in. */
double boundary_largest_radius(const struct boundary *boundary);

enum { BOUNDARY_IMAGES = 9 }; /* at most */

/* The images that a particle in the box can meet of something else there: those that are -L, 0 and
 * L away along each periodic axis, in this order, x before y. Returns how many they are. */
static inline int boundary_images(const struct boundary *boundary,
                                  struct pair_shift images[BOUNDARY_IMAGES])
{
    const double xs[] = {-boundary->width, 0, boundary->width};
    const double ys[] = {-boundary->height, 0, boundary->height};
    int count = 0;
    for (int k = 0; k < BOUNDARY_IMAGES; k++)
        if ((boundary->periodic & PERIODIC_X || k / 3 == 1) &&
            (boundary->periodic & PERIODIC_Y || k % 3 == 1))
            images[count++] = (struct pair_shift){xs[k / 3], ys[k % 3]};
    return count;
}

#endif
