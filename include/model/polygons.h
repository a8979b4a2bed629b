/*
 * Polygons: domains, in which particles are, and obstacles, outside of which they are. A polygon's
 * sides and corners are features of the boundary. A side meets a disk as a wall does, and a corner
 * as a point of infinite mass at rest does. (Rules of contact: engineering course project, "walls";
 * lift article, "Collision Resolution".)
 *
 * Particles are on one side of each side of a polygon; which side that is follows from the
 * polygon's sense of rotation, and from whether it is a domain or an obstacle. A polygon of two
 * vertices is a thin wall: its two sides are the same line, seen from its left and from its right.
 *
 * Along a periodic axis an obstacle has images, a side of the box away, as particles have.
 */
#ifndef PARTICLES_POLYGONS_H
#define PARTICLES_POLYGONS_H

#include "base/error.h"
#include "model/boundary.h"
#include "model/particle.h"

#include <stddef.h>
#include <stdint.h>

/* The most sides of all polygons together. */
enum { POLYGONS_MOST_SIDES = 1000000 };

struct polygon {
    size_t first_side; /* among all sides: that from its first vertex to its second */
    size_t side_count; /* as many as it has vertices: 2 or more; 2 make it a thin wall */
    int is_domain;     /* of a domain, not an obstacle */
    int is_inside;     /* particles beside it are inside it: of a domain, but for holes in it */
    int is_hidden;     /* no particle can be beside it: inside an obstacle, outside the domain */
};

/* A side, from one vertex of a polygon to the next, and the corner where it begins; 64 bytes. */
struct side {
    double x, y;               /* an end of what of it can be met, length; of a thin wall, the same
                                  end of both its sides */
    double lx, ly;             /* from there along all of that, to the other end, length */
    double length;             /* of that; more than 0 */
    double corner_x, corner_y; /* the vertex where it begins, length */
    uint32_t polygon;          /* to which it belongs */
    int8_t facing;             /* 1 if particles are to the left of l, -1 if to the right */
    int8_t is_thin;            /* it is one of a thin wall */
    int8_t corner;             /* what its corner is to particles: enum corner */
    int8_t cover;              /* what is just beside it where particles would be: enum cover */
};

enum corner {
    CORNER_HOLLOW, /* the sides meet what comes before it does */
    CORNER_SOLID,  /* it juts out among the particles, and disks can meet it */
    CORNER_TOUCHED /* so it does, and touches something: it keeps points away */
};

/* What covers all of a side, so that it is never met (polygon_check.h). */
enum cover {
    COVER_NONE,
    COVER_WALL,    /* a wall of the box, or a longer side that goes on at both its ends */
    COVER_OBSTACLE /* other sides */
};

struct polygon_grid;
struct system;

struct polygons {
    size_t count;
    struct polygon *list; /* `count` of them, owned */
    size_t side_count;
    struct side *sides;        /* `side_count` of them, polygon by polygon, owned */
    struct polygon_grid *grid; /* which features are near a place; owned */
};

/* The code of a side, and of the corner where it begins, among the features of a boundary. */
static inline int32_t polygons_feature(size_t side, int is_corner)
{
    return FEATURE_TOP - 1 - (int32_t)(2 * side) - is_corner;
}

/* The side of such a feature, and whether it is its corner. */
static inline size_t polygons_side(int32_t feature)
{
    return (size_t)(FEATURE_TOP - 1 - feature) / 2;
}

static inline int polygons_is_corner(int32_t feature)
{
    return (FEATURE_TOP - 1 - feature) % 2;
}

/*
 * What users know of such a feature: its polygon, counted from 0 in the order of the files, and its
 * number there, that of the side, from 0 for the one from the first vertex to the second.
 */
static inline size_t polygons_polygon(const struct polygons *polygons, int32_t feature)
{
    return polygons->sides[polygons_side(feature)].polygon;
}

static inline size_t polygons_number(const struct polygons *polygons, int32_t feature)
{
    return polygons_side(feature) - polygons->list[polygons_polygon(polygons, feature)].first_side;
}

/*
 * Adds a polygon with these vertices, of which there are at least 2, to `polygons`, which may be
 * {0}. Sides must not have length 0; see polygon_check.h for more. Its grid is then to be made.
 * Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status polygons_add(struct polygons *polygons, const double (*vertices)[2], size_t count,
                         int is_domain, int is_inside, struct error *error);

/* Gives a polygon other vertices, as many as it has; sides must not have length 0. */
void polygons_set_vertices(struct polygons *polygons, size_t polygon, const double (*vertices)[2]);

/* Makes a side, of what can be met of it, the line between two points of it. */
void polygons_set_line(struct polygons *polygons, size_t side, const double from[2],
                       const double to[2]);

/* Makes all sides whole again, and none covered. */
void polygons_uncover(struct polygons *polygons);

/* The side of the same polygon that begins where a side ends. */
static inline const struct side *polygons_next_side(const struct polygons *polygons,
                                                    const struct side *side)
{
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct side *first = &polygons->sides[polygon->first_side];
    return side + 1 < first + polygon->side_count ? side + 1 : first;
}

/* Sets the side of a polygon on which particles are: 1 for inside it. */
void polygons_set_inside(struct polygons *polygons, size_t polygon, int is_inside);

/*
 * What a polygon adds to the area that is free for particles: its area if they are inside it, less
 * than 0 if they are outside, 0 if it is hidden. The same on every machine.
 */
double polygons_area(const struct polygons *polygons, size_t polygon);

/*
 * Makes the polygons, and their grid, part of the boundary, for disks with radii up to `largest`,
 * of which there are `particles`. The boundary's periodic axes must be known. Returns STATUS_DONE
 * or STATUS_NO_MEMORY; in either case the boundary owns the polygons.
 */
enum status polygons_prepare(struct polygons *polygons, struct boundary *boundary, double largest,
                             size_t particles, struct error *error);

/* The same for the boundary and the particles of a system. */
enum status polygons_attach(struct polygons *polygons, struct system *system, struct error *error);

void polygons_free(struct polygons *polygons);

/*
 * When a particle, as it goes on from its anchor, meets a feature or the image of it that is
 * `shift` away; INFINITY if it never does. A side is met where the distance to it comes down to the
 * radius, from the side where particles are, and the foot of the centre is within the side, ends
 * included. A corner is met as by physics_pair_time. What touches already, or overlaps by rounding,
 * and approaches, is met at once.
 */
double polygons_feature_time(const struct boundary *boundary, const struct particle *particle,
                             double radius, int32_t feature, const struct shift *shift);

/*
 * The first contact of a particle with a polygon, on its way from time `from`, not before its
 * anchor, to time `until`; time INFINITY if there is none. What is later than `until` may be found
 * or not. Of several features at one time, the first: side before corner, in the order of the
 * files. No feature is met between its anchor and `from`.
 */
struct boundary_contact polygons_next(const struct boundary *boundary,
                                      const struct particle *particle, double radius, double from,
                                      double until);

/*
 * Which image of a feature a particle meets when it meets the feature first: along each periodic
 * axis those at -L, 0 and L; of several at one time, the first in this order, x before y.
 */
struct shift polygons_image(const struct boundary *boundary, const struct particle *particle,
                            double radius, int32_t feature);

/* How a particle is to a feature: the direction from it to the centre, of length 1, and how far the
 * rim is from it, length; less than 0 where they overlap. */
struct polygon_touch {
    double nx, ny, gap;
};

/*
 * That of a particle that touches a feature, or the image of it that is `shift` away, where it is
 * now. The direction from a corner that the centre of a point is at is that from which the point
 * came.
 */
struct polygon_touch polygons_touch(const struct boundary *boundary,
                                    const struct particle *particle, double radius, int32_t feature,
                                    const struct shift *shift);

/*
 * What the contact does to a particle whose anchor is at the time of it: its velocity is reflected,
 * by a side along the normal of it, by a corner along the line from the corner to the centre. Its
 * speed changes by rounding only, which is as often up as down.
 */
void polygons_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature, const struct shift *shift);

#endif
