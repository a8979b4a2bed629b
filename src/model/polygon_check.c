/*
 * The check of polygons; see polygon_check.h.
 *
 * A vertical line sweeps over the sides from left to right (M. I. Shamos and D. Hoey, Geometric
 * intersection problems, 1976). The sides that it meets are kept in their order from bottom to top,
 * in a search tree. Two sides that cross are neighbours in this order at some time before: so only
 * neighbours are compared. Points are ordered by x, those of equal x by y, as if the line leaned
 * a little to the left: so no side is vertical.
 *
 * Each side in the order knows what is just below it: inside how many polygons that is, and the sum
 * of their keys, random numbers. If no polygon crosses another one, not even where both have a
 * vertex, all sides of a polygon have the same outside of them.
 */
#include "model/polygon_check.h"

#include "base/memory.h"
#include "orientation.h"

#include <math.h>
#include <string.h>

/* What a place is inside of. */
struct nest {
    int32_t domains, obstacles; /* how many polygons of each sort */
    uint64_t key;               /* the sum of their keys */
};

/* A side from its left to its right end, and its place in the order. A thin wall has one. */
struct segment {
    double left[2], right[2];
    uint32_t side;
    uint32_t copy;      /* of which copy of a polygon */
    int32_t weight;     /* 1 if the polygon is above it, -1 if it is below, 0 for a thin wall */
    uint32_t priority;  /* in the tree: random, and less than its parent's */
    struct nest below;  /* what is just below it */
    struct segment *up; /* its parent in the tree; NULL for the root */
    struct segment *child[2];        /* lower and upper ones, or NULL */
    struct segment *previous, *next; /* its neighbours in the order, or NULL */
};

/* A polygon, or an image of it. */
struct copy {
    uint32_t polygon;
    int is_known;     /* a side of it has been met */
    uint64_t outside; /* then: the sum of the keys outside it */
};

struct sweep {
    struct polygons *polygons;
    const struct boundary *boundary;
    int has_domain;
    size_t segment_count, copy_count;
    struct segment *segments; /* owned */
    struct copy *copies;      /* owned */
    struct segment **starts;  /* in the order of left ends, and of directions */
    struct segment **ends;    /* in the order of right ends */
    struct segment *root;
    struct polygon_fault *fault;
};

/* The order of points: negative if a comes before b. */
static int compare_points(const double a[2], const double b[2])
{
    const int axis = a[0] == b[0];
    return (a[axis] > b[axis]) - (a[axis] < b[axis]);
}

/* A random number that depends on nothing but `k` (S. Vigna, splitmix64). */
static uint64_t mix(uint64_t k)
{
    k = (k + 1) * 0x9e3779b97f4a7c15;
    k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
    k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
    return k ^ (k >> 31);
}

static int is_domain(const struct sweep *sweep, const struct segment *segment)
{
    return sweep->polygons->list[sweep->copies[segment->copy].polygon].is_domain;
}

/* What is just above a segment, or above nothing. */
static struct nest find_above(const struct sweep *sweep, const struct segment *segment)
{
    struct nest nest = {0};
    if (!segment)
        return nest;
    nest = segment->below;
    if (is_domain(sweep, segment))
        nest.domains += segment->weight;
    else
        nest.obstacles += segment->weight;
    nest.key += (uint64_t)(int64_t)segment->weight * mix(segment->copy);
    return nest;
}

/* Takes note of the first fault. */
static void find_fault(struct sweep *sweep, enum polygon_fault_kind kind, uint32_t a, uint32_t b)
{
    if (sweep->fault->kind == POLYGON_SOUND)
        *sweep->fault = (struct polygon_fault){kind, a < b ? a : b, a < b ? b : a};
}

/* Whether two sides on one line are a whole side that two obstacles share, one above, one below. */
static int is_shared(const struct sweep *sweep, const struct segment *s, const struct segment *t)
{
    return s->copy != t->copy && compare_points(s->left, t->left) == 0 &&
           compare_points(s->right, t->right) == 0 && s->weight * t->weight < 0 &&
           !is_domain(sweep, s) && !is_domain(sweep, t);
}

/* Compares two neighbours, or nothing. */
static void compare(struct sweep *sweep, const struct segment *s, const struct segment *t)
{
    if (!s || !t)
        return;
    const int t_left = orientation(s->left, s->right, t->left);
    const int t_right = orientation(s->left, s->right, t->right);
    if (t_left == 0 && t_right == 0) {
        const double *left = compare_points(s->left, t->left) < 0 ? t->left : s->left;
        const double *right = compare_points(s->right, t->right) < 0 ? s->right : t->right;
        if (compare_points(left, right) >= 0)
            return;
        if (!is_shared(sweep, s, t))
            find_fault(sweep, POLYGON_OVERLAP, s->side, t->side);
        sweep->polygons->sides[s->side].cover = COVER_OBSTACLE;
        sweep->polygons->sides[t->side].cover = COVER_OBSTACLE;
    } else if (t_left * t_right < 0 &&
               orientation(t->left, t->right, s->left) * orientation(t->left, t->right, s->right) <
                   0) {
        find_fault(sweep, POLYGON_CROSSING, s->side, t->side);
    }
}

/* The place of the link to a segment in its parent, or the root. */
static struct segment **link_to(struct sweep *sweep, const struct segment *segment)
{
    return segment->up ? &segment->up->child[segment->up->child[1] == segment] : &sweep->root;
}

/* Exchanges a segment with its parent, which keeps the order. */
static void rotate(struct sweep *sweep, struct segment *segment)
{
    struct segment *parent = segment->up;
    const int is_upper = parent->child[1] == segment;
    struct segment *between = segment->child[!is_upper];
    *link_to(sweep, parent) = segment;
    segment->up = parent->up;
    segment->child[!is_upper] = parent;
    parent->up = segment;
    parent->child[is_upper] = between;
    if (between)
        between->up = parent;
}

/*
 * Whether a segment that begins now is above another one that is in the order. If it begins on it,
 * their directions decide; if these are the same, compare() will find that.
 */
static int is_above(const struct segment *segment, const struct segment *other)
{
    int side = orientation(other->left, other->right, segment->left);
    if (side == 0)
        side = orientation(other->left, other->right, segment->right);
    return side >= 0;
}

/* Puts a segment into the order, and compares it with its neighbours. */
static void insert(struct sweep *sweep, struct segment *segment)
{
    struct segment **place = &sweep->root;
    while (*place) {
        struct segment *other = *place;
        const int above = is_above(segment, other);
        *(above ? &segment->previous : &segment->next) = other;
        segment->up = other;
        place = &other->child[above];
    }
    *place = segment;
    if (segment->previous)
        segment->previous->next = segment;
    if (segment->next)
        segment->next->previous = segment;
    while (segment->up && segment->priority < segment->up->priority)
        rotate(sweep, segment);
    compare(sweep, segment->previous, segment);
    compare(sweep, segment, segment->next);
}

/* Takes a segment out of the order, and compares those that become neighbours. */
static void take_out(struct sweep *sweep, struct segment *segment)
{
    while (segment->child[0] && segment->child[1])
        rotate(sweep, segment->child[segment->child[1]->priority < segment->child[0]->priority]);
    struct segment *child = segment->child[segment->child[0] == NULL];
    *link_to(sweep, segment) = child;
    if (child)
        child->up = segment->up;
    if (segment->previous)
        segment->previous->next = segment->next;
    if (segment->next)
        segment->next->previous = segment->previous;
    compare(sweep, segment->previous, segment->next);
}

/* A side of a polygon is met for the first time: so this is what is around the polygon. */
static void meet_polygon(struct sweep *sweep, uint32_t index, const struct nest *around)
{
    struct polygon *polygon = &sweep->polygons->list[index];
    const int is_outside = around->domains % 2 == 0;
    if (polygon->is_domain)
        polygons_set_inside(sweep->polygons, index, is_outside);
    polygon->is_hidden =
        around->obstacles > 0 || (!polygon->is_domain && sweep->has_domain && is_outside);
}

/* Gives a segment that has just begun what is below it, which must suit the rest of its polygon. */
static void set_below(struct sweep *sweep, struct segment *segment)
{
    struct copy *copy = &sweep->copies[segment->copy];
    segment->below = find_above(sweep, segment->previous);
    const struct nest above = find_above(sweep, segment);
    const struct nest *outside = segment->weight < 0 ? &above : &segment->below;
    if (!copy->is_known) {
        copy->is_known = 1;
        copy->outside = outside->key;
        if (segment->copy < sweep->polygons->count)
            meet_polygon(sweep, copy->polygon, outside);
    } else if (copy->outside != outside->key) {
        find_fault(sweep, POLYGON_CORNER, segment->side, segment->side);
    }
}

/*
 * At a point where segments have ended or begun: `lowest` is in the order the last one that may be
 * below the point, or NULL. Another segment may pass through the point: it must still have the same
 * below it.
 */
static void update(struct sweep *sweep, const double point[2], struct segment *lowest)
{
    struct segment *segment = lowest ? lowest : sweep->root;
    while (segment && !lowest && segment->child[0])
        segment = segment->child[0];
    if (lowest && orientation(lowest->left, lowest->right, point) > 0)
        segment = lowest->next;
    for (; segment && orientation(segment->left, segment->right, point) == 0;
         segment = segment->next) {
        if (compare_points(segment->left, point) == 0)
            set_below(sweep, segment);
        else if (segment->below.key != find_above(sweep, segment->previous).key)
            find_fault(sweep, POLYGON_CORNER, segment->side, segment->side);
    }
}

static void run(struct sweep *sweep)
{
    size_t start = 0;
    for (size_t end = 0; end < sweep->segment_count && sweep->fault->kind == POLYGON_SOUND;) {
        struct segment *first = NULL;
        struct segment *lowest = NULL;
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
            insert(sweep, sweep->starts[start]);
            if (!first)
                first = sweep->starts[start];
        }
        update(sweep, point, first ? first->previous : lowest);
    }
}

typedef int segment_order(const struct segment *a, const struct segment *b);

/*
 * Of segments that begin at one point, the lower one comes first; of those on one line, which two
 * polygons share, the side of the lower polygon.
 */
static int order_starts(const struct segment *a, const struct segment *b)
{
    int order = compare_points(a->left, b->left);
    if (order == 0)
        order = -orientation(a->left, a->right, b->right);
    return order ? order : a->weight - b->weight;
}

static int order_ends(const struct segment *a, const struct segment *b)
{
    return compare_points(a->right, b->right);
}

/* Sorts by merging: runs of 1, of 2, of 4, ..., from one list to the other. Returns the sorted one.
 */
static struct segment **sort(struct segment **list, struct segment **other, size_t count,
                             segment_order *order)
{
    for (size_t length = 1; length < count; length *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * length) {
            const size_t middle = count - begin < length ? count : begin + length;
            const size_t end = count - middle < length ? count : middle + length;
            size_t a = begin;
            size_t b = middle;
            for (size_t k = begin; k < end; k++)
                other[k] = b == end || (a < middle && order(list[a], list[b]) <= 0) ? list[a++]
                                                                                    : list[b++];
        }
        struct segment **sorted = other;
        other = list;
        list = sorted;
    }
    return list;
}

/* Adds a polygon, or an image of it, a shift away. */
static void add_copy(struct sweep *sweep, uint32_t index, double dx, double dy)
{
    const struct polygons *polygons = sweep->polygons;
    const struct polygon *polygon = &polygons->list[index];
    const struct side *sides = &polygons->sides[polygon->first_side];
    const size_t count = polygon->side_count == 2 ? 1 : polygon->side_count;
    const uint32_t copy = (uint32_t)sweep->copy_count++;
    sweep->copies[copy] = (struct copy){.polygon = index};
    for (size_t k = 0; k < count; k++) {
        const struct side *side = &sides[k];
        const struct side *next = &sides[(k + 1) % polygon->side_count];
        const double from[2] = {side->corner_x + dx, side->corner_y + dy};
        const double to[2] = {next->corner_x + dx, next->corner_y + dy};
        const int order = compare_points(from, to);
        const int is_left = (side->facing > 0) == polygon->is_inside; /* the polygon, of the side */
        if (order == 0)
            continue; /* rounding has made it a point */
        struct segment *segment = &sweep->segments[sweep->segment_count++];
        *segment = (struct segment){.side = (uint32_t)(polygon->first_side + k), .copy = copy};
        segment->weight = side->is_thin ? 0 : is_left == (order < 0) ? 1 : -1;
        segment->priority = (uint32_t)mix(sweep->segment_count);
        memcpy(segment->left, order < 0 ? from : to, sizeof from);
        memcpy(segment->right, order < 0 ? to : from, sizeof to);
    }
}

/* Adds all polygons and, after them, the images of those that reach across a seam. */
static void add_copies(struct sweep *sweep)
{
    const struct boundary *boundary = sweep->boundary;
    const struct polygons *polygons = sweep->polygons;
    const double x_seam = boundary->periodic & PERIODIC_X ? boundary->width : (double)INFINITY;
    const double y_seam = boundary->periodic & PERIODIC_Y ? boundary->height : (double)INFINITY;
    for (uint32_t k = 0; k < polygons->count; k++)
        add_copy(sweep, k, 0, 0);
    for (uint32_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        int is_right = 0;
        int is_up = 0;
        for (size_t m = 0; m < polygon->side_count && !polygon->is_domain; m++) {
            is_right |= polygons->sides[polygon->first_side + m].corner_x >= x_seam;
            is_up |= polygons->sides[polygon->first_side + m].corner_y >= y_seam;
        }
        if (is_right)
            add_copy(sweep, k, -x_seam, 0);
        if (is_up)
            add_copy(sweep, k, 0, -y_seam);
        if (is_right && is_up)
            add_copy(sweep, k, -x_seam, -y_seam);
    }
}

/* Makes the lists of segments, and sweeps. */
static enum status check(struct sweep *sweep, struct error *error)
{
    static const char what[] = "the check of polygons";
    const struct polygons *polygons = sweep->polygons;
    const size_t copies = sweep->boundary->periodic ? 4 : 1;
    const size_t count = copies * polygons->side_count;
    struct segment **lists = memory_allocate(3 * count, sizeof *lists, what, error);
    sweep->segments = lists ? memory_allocate(count, sizeof *sweep->segments, what, error) : NULL;
    sweep->copies = sweep->segments ? memory_allocate(copies * polygons->count,
                                                      sizeof *sweep->copies, what, error)
                                    : NULL;
    if (sweep->copies) {
        add_copies(sweep);
        const size_t used = sweep->segment_count;
        for (size_t k = 0; k < used; k++)
            lists[k] = lists[count + k] = &sweep->segments[k];
        sweep->starts = sort(lists, lists + 2 * count, used, order_starts);
        struct segment **other = sweep->starts == lists ? lists + 2 * count : lists;
        sweep->ends = sort(lists + count, other, used, order_ends);
        run(sweep);
    }
    const int is_done = sweep->copies != NULL;
    memory_free(sweep->copies);
    memory_free(sweep->segments);
    memory_free(lists);
    return is_done ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Whether a side lies on a wall of the box, and faces it. */
static int is_on_wall(const struct boundary *boundary, const struct side *side)
{
    const double right = -side->facing * side->ly; /* where it faces, times its length */
    const double up = side->facing * side->lx;
    const int is_vertical = side->lx == 0 && !(boundary->periodic & PERIODIC_X);
    const int is_level = side->ly == 0 && !(boundary->periodic & PERIODIC_Y);
    return (is_vertical &&
            ((side->x == 0 && right < 0) || (side->x == boundary->width && right > 0))) ||
           (is_level && ((side->y == 0 && up < 0) || (side->y == boundary->height && up > 0)));
}

enum status polygons_check(struct polygons *polygons, const struct boundary *boundary,
                           struct polygon_fault *fault, struct error *error)
{
    struct sweep sweep = {.polygons = polygons, .boundary = boundary, .fault = fault};
    *fault = (struct polygon_fault){POLYGON_SOUND, 0, 0};
    for (size_t k = 0; k < polygons->count; k++)
        sweep.has_domain |= polygons->list[k].is_domain;
    for (size_t k = 0; k < polygons->side_count; k++)
        polygons->sides[k].cover =
            is_on_wall(boundary, &polygons->sides[k]) ? COVER_WALL : COVER_NONE;
    return check(&sweep, error);
}
