/*
 * Polygons: domains, with particles inside, and obstacles, with particles outside. Their sides and
 * corners are features of the boundary. A side meets a disk as a wall does, and a corner as a point
 * of infinite mass at rest does. (Rules of contact: engineering course project, "walls"; lift
 * article, "Collision Resolution".)
 *
 * Particles are on one side of each side; which one follows from the polygon's sense of rotation,
 * and from whether it is a domain or an obstacle. A polygon of two vertices is a thin wall: its two
 * sides are the same line, seen from its left and from its right. Along a periodic axis an obstacle
 * has images, a side of the box away, as particles have.
 */
#ifndef PARTICLES_POLYGONS_H
#define PARTICLES_POLYGONS_H

#include "base/error.h"
#include "model/grid.h"

#include <stddef.h>
#include <stdint.h>

enum { POLYGONS_MAX_SIDES = 1000000 }; /* of all polygons together */

struct polygon {
    size_t first_side; /* among all sides: that from its first vertex to its second */
    size_t side_count; /* as many as it has vertices: 2 or more; 2 make it a thin wall */
    int is_domain;     /* of a domain, not an obstacle */
    int is_inside;     /* particles beside it are inside it: of a domain, but for holes in it */
    int is_hidden;     /* no particle can be beside it: inside an obstacle, outside the domain */
};

/* A side, from one vertex of a polygon to the next, and the corner where it begins; 64 bytes. */
struct polygon_side {
    double x, y;   /* an end of the part that can be met; of a thin wall, one for both its sides */
    double lx, ly; /* from there to the other end of that part, length */
    double length; /* of that; more than 0 */
    double corner_x, corner_y; /* the vertex where it begins, length */
    uint32_t polygon;          /* to which it belongs */
    int8_t facing;             /* 1 if particles are to the left of l, -1 if to the right */
    int8_t is_thin;            /* it is one of a thin wall */
    int8_t corner;             /* what its corner is to particles: enum polygon_corner */
    int8_t cover;              /* what covers it on the side of the particles: enum polygon_cover */
};

enum polygon_corner {
    CORNER_HOLLOW, /* a disk meets the sides before it */
    CORNER_SOLID,  /* it juts out among the particles, and disks can meet it */
    CORNER_TOUCHED /* so it does, and touches something: it keeps points away */
};

/* The cover of a whole side, which is then never met (polygons_check). */
enum polygon_cover {
    COVER_NONE,
    COVER_WALL,    /* a wall of the box, or a longer side that goes on at both its ends */
    COVER_OBSTACLE /* other sides */
};

/* An image of a feature. */
struct polygon_image {
    int32_t feature;
    int16_t column, row; /* of the image: its shift is that many sides of the box, -1 to 1 */
};

struct polygons {
    size_t count;
    struct polygon *list; /* `count` of them, owned */
    size_t side_count;
    struct polygon_side *sides; /* `side_count` of them, polygon by polygon, owned */
    struct grid grid;           /* lists which features are near a position: images[k] for each k in
                                   the list of a cell are those that a disk can touch whose centre
                                   is in the cell. It never changes; owned. */
    struct polygon_image *images; /* owned */
    size_t room, side_room;       /* allocated elements */
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

/* The numbers by which users know such a feature: its polygon, counted from 0 in the order of the
 * files, and the number of its side there, 0 for the side from the first vertex to the second. */
static inline size_t polygons_polygon(const struct polygons *polygons, int32_t feature)
{
    return polygons->sides[polygons_side(feature)].polygon;
}

static inline size_t polygons_number(const struct polygons *polygons, int32_t feature)
{
    return polygons_side(feature) - polygons->list[polygons_polygon(polygons, feature)].first_side;
}

/* Adds a polygon with these vertices, at least 2, to `polygons`, which may be {0}. Sides must not
 * have length 0. The grid is then to be made. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status polygons_add(struct polygons *polygons, const double (*vertices)[2], size_t count,
                         int is_domain, int is_inside, struct error *error);

/* Gives a polygon other vertices, as many as it has; sides must not have length 0. */
void polygons_set_vertices(struct polygons *polygons, size_t polygon, const double (*vertices)[2]);

/* Makes the line between two points of a side the part of it that can be met. */
void polygons_set_line(struct polygons *polygons, size_t side, const double from[2],
                       const double to[2]);

/* The sides of the same polygon that begin where a side ends, and end where it begins. */
static inline const struct polygon_side *polygons_next_side(const struct polygons *polygons,
                                                            const struct polygon_side *side)
{
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct polygon_side *first = &polygons->sides[polygon->first_side];
    return side + 1 < first + polygon->side_count ? side + 1 : first;
}

static inline const struct polygon_side *polygons_side_before(const struct polygons *polygons,
                                                              const struct polygon_side *side)
{
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct polygon_side *first = &polygons->sides[polygon->first_side];
    return side > first ? side - 1 : first + polygon->side_count - 1;
}

/* Sets the side of a polygon on which particles are. */
void polygons_set_inside(struct polygons *polygons, size_t polygon, int is_inside);

/* The area that a polygon adds to the one that is free for particles: its area if they are inside
 * it, less than 0 if they are outside, 0 if it is hidden. The bits are equal on every machine. */
double polygons_area(const struct polygons *polygons, size_t polygon);

/* True if a domain is among the polygons, which may be NULL. */
static inline int polygons_have_domain(const struct polygons *polygons)
{
    for (size_t k = 0; polygons && k < polygons->count; k++)
        if (polygons->list[k].is_domain)
            return 1;
    return 0;
}

/* Finds the rectangle around all polygons of the domain, or all obstacles, and returns 1; without
 * them it is of infinities, low above high, and 0 is returned. `polygons` may be NULL. */
int polygons_extent(const struct polygons *polygons, int is_domain, double low[2], double high[2]);

/* Makes the polygons, and their grid, part of the boundary, for as many disks as `particles` says,
 * with radii up to `largest`. The periodic axes must be known. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; in either case the boundary owns the polygons. */
enum status polygons_prepare(struct polygons *polygons, struct boundary *boundary, double largest,
                             size_t particles, struct error *error);

void polygons_free(struct polygons *polygons);

/*
 * When a particle, as it goes on from its anchor, meets the image of a feature that is `shift`
 * away; INFINITY: never. A side is met where the distance to it comes down to the radius, from the
 * side where particles are, and the foot of the centre is within the side, ends included; a corner
 * as by pair_time. What touches, or overlaps by rounding, and approaches, is met at once.
 */
double polygons_feature_time(const struct boundary *boundary, const struct particle *particle,
                             double radius, int32_t feature, const struct pair_shift *shift);

/*
 * The first contact of a particle with a polygon, on its path from time `from`, not before its
 * anchor, to time `until`; time INFINITY if there is none. A contact later than `until` may be
 * found or not. Of several features at one time, the first: side before corner, in the order of the
 * files. No feature is met between its anchor and `from`.
 */
struct boundary_contact polygons_next(const struct boundary *boundary,
                                      const struct particle *particle, double radius, double from,
                                      double until);

/* Which image of a feature a particle meets when it meets the feature first: along each periodic
 * axis those at -L, 0 and L; of several at one time, the first in this order, x before y. */
struct pair_shift polygons_image(const struct boundary *boundary, const struct particle *particle,
                                 double radius, int32_t feature);

/* The direction, of length 1, from a feature to the centre of a particle, and the distance to its
 * rim, length; less than 0 where they overlap. */
struct polygon_normal {
    double nx, ny, gap;
    int has_normal; /* 0 at a corner that a point meets, or a disk whose centre rounding has taken
                       too near: it turns back */
};

/* The touch of a particle, at its anchor, and the image of a feature that is `shift` away. The
 * direction from a corner that a point is at is that from which the point came. */
struct polygon_normal polygons_normal(const struct boundary *boundary,
                                      const struct particle *particle, double radius,
                                      int32_t feature, const struct pair_shift *shift);

/* Resolves the contact of a particle whose anchor is at the time of it: its velocity is reflected,
 * by a side along the normal of it, by a corner along the line from the corner to the centre. Its
 * speed changes by rounding only, which is as often up as down. */
void polygons_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature, const struct pair_shift *shift);

/* Changes the velocity of a particle in contact with a feature, which by rounding it approaches, in
 * steps from the last bit on, until it does not. */
void polygons_leave(const struct boundary *boundary, struct particle *particle, int32_t feature,
                    const struct pair_shift *shift);

/* The centroid of a polygon's area; of a thin wall, its middle. */
void polygons_centroid(const struct polygons *polygons, size_t polygon, double centroid[2]);

struct polygon_shape {
    double x, y;   /* the centroid of its area, length; of a thin wall, its middle */
    double bottom; /* its lowest y, and */
    double across; /* its extent along y, length */
    double chord;  /* the largest distance of two vertices, length; more than 0 */
};

/* Takes O(n log n) time and 32 n bytes for n sides. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status polygon_shape_find(const struct polygons *polygons, size_t polygon,
                               struct polygon_shape *shape, struct error *error);

/* The least and largest chord of all obstacles, or NAN; `polygons` may be NULL. Errors as above. */
enum status polygon_shape_extremes(const struct polygons *polygons, double *least, double *most,
                                   struct error *error);

/*
 * The sign of (b - a) x (c - a): 1 if c is to the left of the line from a to b, -1 if it is to the
 * right, 0 if it is on it, without any error by rounding. Points are {x, y}; coordinates that are
 * not 0 are at least 1e-100 and at most 1e100 in size, so that no product under- or overflows.
 * (J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates, Discrete Comput. Geom. 18, 305, 1997.)
 */
int orientation(const double a[2], const double b[2], const double c[2]);

/* Twice the area of the triangle a, b, c, rounded; more than 0 if it is counter-clockwise. */
static inline double polygons_turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The order of two points {x, y}, by x, then by y: negative if the first one comes first. */
int compare_points(const void *one, const void *other);

/* ---- Polygons that have an inside and an outside: polygon_check.c ---- */

enum polygon_fault_kind {
    POLYGON_SOUND,    /* nothing */
    POLYGON_CROSSING, /* two sides cross */
    POLYGON_OVERLAP, /* two sides that must not are on one line, with more than a point in common */
    POLYGON_CORNER   /* a polygon crosses itself or another one just where a side begins or ends */
};

struct polygon_fault {
    enum polygon_fault_kind kind;
    size_t first, second; /* sides, first < second; of POLYGON_CORNER the same side twice */
};

/*
 * Looks for polygons that cross, exactly, images of obstacles along periodic axes included. They
 * may touch themselves and each other in points. A side of an obstacle may lie on one of the
 * domain, or of an obstacle, or image, on the other side of it. Sides must not have length 0.
 *
 * If there is no fault, this also nests polygons: one of the domain that is inside an odd number of
 * others of the domain becomes a hole (is_inside = 0); one inside an obstacle or outside the domain
 * is hidden; sides that face each other on one line are covered, or become shorter if that is so at
 * an end; and corners that touch something are marked. Takes O(n log n) time for n sides, however
 * they are placed, and 170 bytes for each; in a periodic box four times as many. Returns
 * STATUS_DONE with `*fault` filled in, or STATUS_NO_MEMORY.
 */
enum status polygons_check(struct polygons *polygons, const struct boundary *boundary,
                           struct polygon_fault *fault, struct error *error);

#endif
