/*
 * Checks that no polygon crosses itself or another: then each has an inside and an outside.
 *
 * A vertical line sweeps over the sides from left to right (M. I. Shamos and D. Hoey, Geometric
 * intersection problems, 1976). The sides that it meets are kept in their order from bottom to top,
 * in a search tree. Two sides that cross are neighbours in this order before: so only neighbours
 * are compared. Points are ordered by x, then by y: so no side is vertical.
 *
 * For each side in the order the polygons around the positions just below it are known: how many
 * they are, and the sum of their keys, which are random numbers. If no polygon crosses another one,
 * not even where both have a vertex, this sum is the same outside of all sides of a polygon.
 */
#include "model/polygons.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

struct polygon_nest {
    int32_t obstacles, domains;
    uint64_t key; /* the sum of their keys */
};

/* A side from its left to its right end, and its links in the order. A thin wall has one. */
struct polygon_segment {
    double left[2], right[2];
    uint32_t side;
    uint32_t copy;       /* the copy of a polygon that has it */
    int32_t weight;      /* 1 if the polygon is above it, -1 if it is below, 0 for a thin wall */
    int32_t rank;        /* of those on one line, which is above: twice the weight for obstacles */
    uint32_t priority;   /* in the tree: random, and less than its parent's */
    const double *shown; /* where it can be met from; it is covered to the left of it */
    struct polygon_nest below;               /* what is just below it */
    struct polygon_segment *up;              /* its parent in the tree; NULL for the root */
    struct polygon_segment *child[2];        /* lower and upper ones, or NULL */
    struct polygon_segment *previous, *next; /* its neighbours in the order, or NULL */
};

struct polygon_copy {
    uint32_t polygon;
    double dx, dy;    /* how far it is from the polygon, length */
    int is_known;     /* a side of it has been met */
    uint64_t outside; /* then: the sum of the keys outside it */
};

struct polygon_sweep {
    struct polygons *polygons;
    const struct boundary *boundary;
    int has_domain;
    size_t segment_count, copy_count;
    struct polygon_segment *segments; /* owned */
    struct polygon_copy *copies;      /* owned */
    struct polygon_segment **starts;  /* in the order of left ends, and of directions */
    struct polygon_segment **ends;    /* in the order of right ends */
    struct polygon_segment *root;
    struct polygon_fault *fault;
};

/* Notes that the corner at an end of a segment touches something, if disks can meet it. */
static void touch_corner(struct polygon_sweep *sweep, const struct polygon_segment *segment,
                         const double at[2])
{
    const struct polygon_copy *copy = &sweep->copies[segment->copy];
    const struct polygon_side *sides = sweep->polygons->sides;
    const struct polygon_side *side = &sides[segment->side];
    if (side->corner_x + copy->dx != at[0] || side->corner_y + copy->dy != at[1])
        side = polygons_next_side(sweep->polygons, side);
    if (side->corner != CORNER_HOLLOW)
        sweep->polygons->sides[side - sides].corner = CORNER_TOUCHED;
}

/* The polygons around the positions just above a segment; NULL: below all segments. */
static struct polygon_nest find_above(const struct polygon_sweep *sweep,
                                      const struct polygon_segment *segment)
{
    struct polygon_nest nest = segment ? segment->below : (struct polygon_nest){0};
    if (segment) {
        const uint32_t polygon = sweep->copies[segment->copy].polygon;
        *(sweep->polygons->list[polygon].is_domain ? &nest.domains : &nest.obstacles) +=
            segment->weight;
        nest.key += (uint64_t)(int64_t)segment->weight * random_mix(segment->copy);
    }
    return nest;
}

static void find_fault(struct polygon_sweep *sweep, enum polygon_fault_kind kind, uint32_t a,
                       uint32_t b)
{
    if (sweep->fault->kind == POLYGON_SOUND)
        *sweep->fault = (struct polygon_fault){kind, a < b ? a : b, a < b ? b : a};
}

/* True if two sides are on one line, and have more than a point of it in common. */
static int is_overlap(const struct polygon_segment *s, const struct polygon_segment *t)
{
    const double *left = compare_points(s->left, t->left) < 0 ? t->left : s->left;
    const double *right = compare_points(s->right, t->right) < 0 ? s->right : t->right;
    return compare_points(left, right) < 0 && orientation(s->left, s->right, t->left) == 0 &&
           orientation(s->left, s->right, t->right) == 0;
}

/* True if two sides may lie on each other: sides of two obstacles, one above and one below, or of
 * an obstacle and the domain. Particles then meet them as if there were one side. */
static int may_overlap(const struct polygon_segment *s, const struct polygon_segment *t)
{
    return s->copy != t->copy && s->weight != 0 && t->weight != 0 && s->rank != t->rank &&
           abs(s->rank) + abs(t->rank) > 2;
}

static void polygon_check_compare(struct polygon_sweep *sweep, const struct polygon_segment *s,
                                  const struct polygon_segment *t)
{
    if (!s || !t)
        return;
    const int t_left = orientation(s->left, s->right, t->left);
    const int t_right = orientation(s->left, s->right, t->right);
    if (t_left == 0 && t_right == 0) {
        if (!may_overlap(s, t) && is_overlap(s, t))
            find_fault(sweep, POLYGON_OVERLAP, s->side, t->side);
    } else if (t_left * t_right < 0 &&
               orientation(t->left, t->right, s->left) * orientation(t->left, t->right, s->right) <
                   0) {
        find_fault(sweep, POLYGON_CROSSING, s->side, t->side);
    }
}

/* True if particles would be above a segment, not below it. */
static int faces_up(const struct polygon_sweep *sweep, const struct polygon_segment *segment)
{
    const uint32_t polygon = sweep->copies[segment->copy].polygon;
    return (segment->weight > 0) == sweep->polygons->list[polygon].is_inside;
}

/* Moves the left or the right end of the part of a side that can be met. Its images have moved
 * ends, too: perhaps farther, or so far that nothing is left. */
static void move_end(struct polygon_sweep *sweep, const struct polygon_segment *segment,
                     int is_right, const double end[2])
{
    const struct polygon_copy *copy = &sweep->copies[segment->copy];
    struct polygon_side *side = &sweep->polygons->sides[segment->side];
    const double at[2] = {end[0] - copy->dx, end[1] - copy->dy};
    const double from[2] = {side->x, side->y};
    const double to[2] = {side->x + side->lx, side->y + side->ly};
    const int is_to = (compare_points(from, to) < 0) == is_right; /* the end that is moved */
    const int way = is_right ? -1 : 1;
    if (way * compare_points(at, is_to ? to : from) <= 0)
        return;
    if (way * compare_points(at, is_to ? from : to) >= 0)
        side->cover = COVER_OBSTACLE;
    else
        polygons_set_line(sweep->polygons, segment->side, is_to ? from : at, is_to ? at : to);
}

/* Covers a part of a segment. One in the middle of it stays: there particles cannot be. */
static void hide(struct polygon_sweep *sweep, struct polygon_segment *segment, const double *left,
                 const double *right, int is_within)
{
    const int has_right = compare_points(right, segment->right) == 0;
    if (compare_points(left, segment->shown) == 0) {
        segment->shown = right;
        if (has_right)
            sweep->polygons->sides[segment->side].cover = is_within ? COVER_WALL : COVER_OBSTACLE;
        else
            move_end(sweep, segment, 0, right);
    } else if (has_right) {
        move_end(sweep, segment, 1, left);
    }
}

/* Where two neighbours lie on each other and face each other, neither can be met. */
static void cover(struct polygon_sweep *sweep, struct polygon_segment *s, struct polygon_segment *t)
{
    if (!s || !t || !may_overlap(s, t) || faces_up(sweep, s) == faces_up(sweep, t) ||
        !is_overlap(s, t))
        return;
    const double *left = compare_points(s->shown, t->shown) < 0 ? t->shown : s->shown;
    const double *right = compare_points(s->right, t->right) < 0 ? s->right : t->right;
    if (compare_points(left, right) >= 0)
        return;
    const int has_s_end =
        compare_points(left, s->shown) == 0 || compare_points(right, s->right) == 0;
    const int has_t_end =
        compare_points(left, t->shown) == 0 || compare_points(right, t->right) == 0;
    hide(sweep, s, left, right, !has_t_end);
    hide(sweep, t, left, right, !has_s_end);
}

/* The link to a segment, in its parent or the root. */
static struct polygon_segment **link_to(struct polygon_sweep *sweep,
                                        const struct polygon_segment *segment)
{
    return segment->up ? &segment->up->child[segment->up->child[1] == segment] : &sweep->root;
}

/* Exchanges a segment with its parent, which keeps the order. */
static void rotate(struct polygon_sweep *sweep, struct polygon_segment *segment)
{
    struct polygon_segment *parent = segment->up;
    const int is_upper = parent->child[1] == segment;
    struct polygon_segment *between = segment->child[!is_upper];
    *link_to(sweep, parent) = segment;
    segment->up = parent->up;
    segment->child[!is_upper] = parent;
    parent->up = segment;
    parent->child[is_upper] = between;
    if (between)
        between->up = parent;
}

/* True if a segment that begins now is above another one that is in the order. If it begins on it,
 * their directions decide; if these are equal, their polygons. */
static int is_above(const struct polygon_segment *segment, const struct polygon_segment *other)
{
    int side = orientation(other->left, other->right, segment->left);
    if (side == 0)
        side = orientation(other->left, other->right, segment->right);
    return (side ? side : segment->rank - other->rank) >= 0;
}

/* Puts a segment into the order, and compares it with its neighbours. */
static void polygon_check_insert(struct polygon_sweep *sweep, struct polygon_segment *segment)
{
    struct polygon_segment **slot = &sweep->root;
    while (*slot) {
        struct polygon_segment *other = *slot;
        const int above = is_above(segment, other);
        *(above ? &segment->previous : &segment->next) = other;
        segment->up = other;
        slot = &other->child[above];
    }
    *slot = segment;
    if (segment->previous)
        segment->previous->next = segment;
    if (segment->next)
        segment->next->previous = segment;
    while (segment->up && segment->priority < segment->up->priority)
        rotate(sweep, segment);
    polygon_check_compare(sweep, segment->previous, segment);
    polygon_check_compare(sweep, segment, segment->next);
}

/* Takes a segment out of the order, and compares those that become neighbours. */
static void take_out(struct polygon_sweep *sweep, struct polygon_segment *segment)
{
    cover(sweep, segment->previous, segment);
    cover(sweep, segment, segment->next);
    while (segment->child[0] && segment->child[1])
        rotate(sweep, segment->child[segment->child[1]->priority < segment->child[0]->priority]);
    struct polygon_segment *child = segment->child[segment->child[0] == NULL];
    *link_to(sweep, segment) = child;
    if (child)
        child->up = segment->up;
    if (segment->previous)
        segment->previous->next = segment->next;
    if (segment->next)
        segment->next->previous = segment->previous;
    polygon_check_compare(sweep, segment->previous, segment->next);
}

/* Stores what is around a polygon when the first of its sides is met. */
static void meet_polygon(struct polygon_sweep *sweep, uint32_t index,
                         const struct polygon_nest *around)
{
    struct polygon *polygon = &sweep->polygons->list[index];
    const int is_outside = around->domains % 2 == 0;
    if (polygon->is_domain)
        polygons_set_inside(sweep->polygons, index, is_outside);
    polygon->is_hidden =
        around->obstacles > 0 || (!polygon->is_domain && sweep->has_domain && is_outside);
}

/* Sets `below` of a segment that has just begun: it must agree with its polygon's other sides. */
static void set_below(struct polygon_sweep *sweep, struct polygon_segment *segment)
{
    struct polygon_copy *copy = &sweep->copies[segment->copy];
    segment->below = find_above(sweep, segment->previous);
    const struct polygon_nest above = find_above(sweep, segment);
    const struct polygon_nest *outside = segment->weight < 0 ? &above : &segment->below;
    if (!copy->is_known) {
        copy->is_known = 1;
        copy->outside = outside->key;
        if (segment->copy < sweep->polygons->count)
            meet_polygon(sweep, copy->polygon, outside);
    } else if (copy->outside != outside->key) {
        find_fault(sweep, POLYGON_CORNER, segment->side, segment->side);
    }
}

/* At a point where segments have ended or begun, `lowest` is the last one that may be below it, or
 * NULL. Another one that passes through the point must still have the same below it: returns 1. */
static int update(struct polygon_sweep *sweep, const double point[2],
                  struct polygon_segment *lowest)
{
    struct polygon_segment *segment = lowest ? lowest : sweep->root;
    int is_passed = 0;
    while (segment && !lowest && segment->child[0])
        segment = segment->child[0];
    if (lowest && orientation(lowest->left, lowest->right, point) > 0)
        segment = lowest->next;
    for (; segment && orientation(segment->left, segment->right, point) == 0;
         segment = segment->next) {
        if (compare_points(segment->left, point) == 0) {
            set_below(sweep, segment);
            continue;
        }
        is_passed = 1;
        if (segment->below.key != find_above(sweep, segment->previous).key)
            find_fault(sweep, POLYGON_CORNER, segment->side, segment->side);
    }
    return is_passed;
}

static void polygon_check_run(struct polygon_sweep *sweep)
{
    size_t start = 0;
    for (size_t end = 0; end < sweep->segment_count && sweep->fault->kind == POLYGON_SOUND;) {
        const size_t last_end = end, last_start = start;
        struct polygon_segment *first = NULL, *lowest = NULL;
        const double *point = sweep->ends[end]->right;
        if (start < sweep->segment_count && compare_points(sweep->starts[start]->left, point) < 0)
            point = sweep->starts[start]->left;
        for (; end < sweep->segment_count && compare_points(sweep->ends[end]->right, point) == 0;
             end++) {
            take_out(sweep, sweep->ends[end]);
            lowest = sweep->ends[end]->previous;
        }
        for (;
             start < sweep->segment_count && compare_points(sweep->starts[start]->left, point) == 0;
             start++) {
            polygon_check_insert(sweep, sweep->starts[start]);
            if (!first)
                first = sweep->starts[start];
        }
        const int is_passed = update(sweep, point, first ? first->previous : lowest);
        if (!is_passed && end - last_end + start - last_start <= 2)
            continue;
        for (size_t k = last_end; k < end; k++)
            touch_corner(sweep, sweep->ends[k], point);
        for (size_t k = last_start; k < start; k++)
            touch_corner(sweep, sweep->starts[k], point);
    }
}

/* Of segments that begin at one point, the lower one comes first. On one line the side of an
 * obstacle below it comes first, then sides of the domain, then an obstacle above it. */
static int order_starts(const void *one, const void *other)
{
    const struct polygon_segment *a = *(struct polygon_segment *const *)one;
    const struct polygon_segment *b = *(struct polygon_segment *const *)other;
    int order = compare_points(a->left, b->left);
    if (order == 0)
        order = -orientation(a->left, a->right, b->right);
    if (order == 0)
        order = a->rank - b->rank;
    return order ? order : (a > b) - (a < b);
}

static int order_ends(const void *one, const void *other)
{
    const struct polygon_segment *a = *(struct polygon_segment *const *)one;
    const struct polygon_segment *b = *(struct polygon_segment *const *)other;
    const int order = compare_points(a->right, b->right);
    return order ? order : (a > b) - (a < b);
}

static void add_copy(struct polygon_sweep *sweep, uint32_t index, double dx, double dy)
{
    const struct polygons *polygons = sweep->polygons;
    const struct polygon *polygon = &polygons->list[index];
    const struct polygon_side *sides = &polygons->sides[polygon->first_side];
    const size_t count = polygon->side_count == 2 ? 1 : polygon->side_count;
    const uint32_t copy = (uint32_t)sweep->copy_count++;
    sweep->copies[copy] = (struct polygon_copy){.polygon = index, .dx = dx, .dy = dy};
    for (size_t k = 0; k < count; k++) {
        const struct polygon_side *side = &sides[k], *next = &sides[(k + 1) % polygon->side_count];
        const double from[2] = {side->corner_x + dx, side->corner_y + dy};
        const double to[2] = {next->corner_x + dx, next->corner_y + dy};
        const int order = compare_points(from, to);
        const int is_left = (side->facing > 0) == polygon->is_inside; /* the polygon, of the side */
        if (order == 0)
            continue; /* rounding has made it a point */
        struct polygon_segment *segment = &sweep->segments[sweep->segment_count++];
        *segment =
            (struct polygon_segment){.side = (uint32_t)(polygon->first_side + k), .copy = copy};
        segment->weight = side->is_thin ? 0 : is_left == (order < 0) ? 1 : -1;
        segment->rank = segment->weight * (polygon->is_domain ? 1 : 2);
        segment->priority = (uint32_t)random_mix(sweep->segment_count);
        memcpy(segment->left, order < 0 ? from : to, sizeof from);
        memcpy(segment->right, order < 0 ? to : from, sizeof to);
        segment->shown = segment->left;
    }
}

/* Adds all polygons and, after them, the images of those that reach across a seam. */
static void add_copies(struct polygon_sweep *sweep)
{
    const struct polygons *polygons = sweep->polygons;
    const struct pair_shift seam = boundary_periods(sweep->boundary);
    for (uint32_t k = 0; k < polygons->count; k++)
        add_copy(sweep, k, 0, 0);
    for (uint32_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        int is_right = 0, is_up = 0;
        for (size_t m = 0; m < polygon->side_count && !polygon->is_domain; m++) {
            is_right |= polygons->sides[polygon->first_side + m].corner_x >= seam.x;
            is_up |= polygons->sides[polygon->first_side + m].corner_y >= seam.y;
        }
        if (is_right)
            add_copy(sweep, k, -seam.x, 0);
        if (is_up)
            add_copy(sweep, k, 0, -seam.y);
        if (is_right && is_up)
            add_copy(sweep, k, -seam.x, -seam.y);
    }
}

static enum status polygon_check_check(struct polygon_sweep *sweep, struct error *error)
{
    static const char what[] = "the check of polygons";
    const struct polygons *polygons = sweep->polygons;
    const size_t copies = sweep->boundary->periodic ? 4 : 1;
    const size_t count = copies * polygons->side_count;
    struct polygon_segment **lists = memory_allocate(2 * count, sizeof *lists, what, error);
    sweep->segments = memory_allocate(count, sizeof *sweep->segments, what, error);
    sweep->copies = memory_allocate(copies * polygons->count, sizeof *sweep->copies, what, error);
    const int is_done = lists && sweep->segments && sweep->copies;
    if (is_done) {
        add_copies(sweep);
        sweep->starts = lists;
        sweep->ends = lists + count;
        for (size_t k = 0; k < sweep->segment_count; k++)
            sweep->starts[k] = sweep->ends[k] = &sweep->segments[k];
        qsort(sweep->starts, sweep->segment_count, sizeof *lists, order_starts);
        qsort(sweep->ends, sweep->segment_count, sizeof *lists, order_ends);
        polygon_check_run(sweep);
    }
    memory_free(sweep->copies);
    memory_free(sweep->segments);
    memory_free(lists);
    return is_done ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* True if a wall of the box is at an x (or y). */
static int is_wall(double position, double length, unsigned is_periodic)
{
    return !is_periodic && (position == 0 || position == length);
}

/* True if a side lies on a wall of the box, and faces it. */
static int is_on_wall(const struct boundary *boundary, const struct polygon_side *side)
{
    const double right = -side->facing * side->ly; /* where it faces, times its length */
    const double up = side->facing * side->lx;
    return (side->lx == 0 && (side->x == 0) == (right < 0) &&
            is_wall(side->x, boundary->width, boundary->periodic & PERIODIC_X)) ||
           (side->ly == 0 && (side->y == 0) == (up < 0) &&
            is_wall(side->y, boundary->height, boundary->periodic & PERIODIC_Y));
}

/* Makes all sides whole again, and none covered. */
static void polygons_uncover(struct polygons *polygons)
{
    for (size_t k = 0; k < polygons->side_count; k++) {
        struct polygon_side *side = &polygons->sides[k];
        const struct polygon_side *next = polygons_next_side(polygons, side);
        side->cover = COVER_NONE;
        if (side->corner == CORNER_TOUCHED)
            side->corner = CORNER_SOLID;
        if (!side->is_thin)
            polygons_set_line(polygons, k, (const double[]){side->corner_x, side->corner_y},
                              (const double[]){next->corner_x, next->corner_y});
    }
}

enum status polygons_check(struct polygons *polygons, const struct boundary *boundary,
                           struct polygon_fault *fault, struct error *error)
{
    struct polygon_sweep sweep = {.polygons = polygons,
                                  .boundary = boundary,
                                  .has_domain = polygons_have_domain(polygons),
                                  .fault = fault};
    *fault = (struct polygon_fault){POLYGON_SOUND, 0, 0};
    polygons_uncover(polygons);
    for (size_t k = 0; k < polygons->side_count; k++)
        if (is_on_wall(boundary, &polygons->sides[k]))
            polygons->sides[k].cover = COVER_WALL;
    enum status status = polygon_check_check(&sweep, error);
    for (size_t k = 0; k < polygons->side_count; k++) {
        struct polygon_side *side = &polygons->sides[k];
        if (side->corner == CORNER_SOLID &&
            (is_wall(side->corner_x, boundary->width, boundary->periodic & PERIODIC_X) ||
             is_wall(side->corner_y, boundary->height, boundary->periodic & PERIODIC_Y)))
            side->corner = CORNER_TOUCHED;
    }
    return status;
}
