/* Tests of the check of polygons: random ones with few vertices on a small lattice, which touch,
 * overlap and cross in all ways there are, compared with all pairs of sides and with the winding
 * numbers beside each side; and cases with seams. */
#include "check.h"

enum { MAX_VERTICES = 6, PARTS = 12 };

static void add(struct polygons *polygons, const double (*vertices)[2], size_t count, int is_domain)
{
    must(polygons_add(polygons, vertices, count, is_domain, is_domain, &failure));
}

static void clear(struct polygons **polygons)
{
    polygons_free(*polygons);
    *polygons = calloc(1, sizeof **polygons);
    if (!*polygons)
        exit(EXIT_FAILURE);
}

static enum polygon_fault_kind find_fault(struct polygons *polygons,
                                          const struct boundary *boundary)
{
    struct polygon_fault fault;
    CHECK(polygons_check(polygons, boundary, &fault, &failure) == STATUS_DONE);
    CHECK(fault.kind == POLYGON_SOUND || fault.second < polygons->side_count);
    CHECK(fault.first <= fault.second);
    return fault.kind;
}

/* The ends of a side. */
static void find_ends(const struct polygons *polygons, size_t k, double a[2], double b[2])
{
    const struct polygon_side *side = &polygons->sides[k];
    const struct polygon *polygon = &polygons->list[side->polygon];
    const size_t next = polygon->first_side + (k + 1 - polygon->first_side) % polygon->side_count;
    a[0] = side->corner_x;
    a[1] = side->corner_y;
    b[0] = polygons->sides[next].corner_x;
    b[1] = polygons->sides[next].corner_y;
}

/* Exact, for small whole numbers. */
static int turn(const double a[2], const double b[2], const double c[2])
{
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    return (area > 0) - (area < 0);
}

/* How often a polygon winds around a place. */
static int wind(const struct polygons *polygons, size_t polygon, const double at[2])
{
    int winding = 0;
    const size_t first = polygons->list[polygon].first_side;
    for (size_t k = first; k < first + polygons->list[polygon].side_count; k++) {
        double a[2], b[2];
        find_ends(polygons, k, a, b);
        if ((a[1] > at[1]) != (b[1] > at[1]))
            winding += turn(a, b, at) > 0 && b[1] > at[1]   ? 1
                       : turn(a, b, at) < 0 && a[1] > at[1] ? -1
                                                            : 0;
    }
    return winding;
}

/* A place just beside a side: to the left of it if `left` is 1, to the right if it is -1. `part`,
 * from 0 to PARTS - 1, says where along it: there is one between any two points of the lattice. */
static void find_beside(const struct polygons *polygons, size_t k, int part, int left, double at[2])
{
    double a[2], b[2];
    find_ends(polygons, k, a, b);
    const double along = (part + 0.38196601125) / PARTS; /* no other side meets it there */
    at[0] = a[0] + along * (b[0] - a[0]) - left * 1e-9 * (b[1] - a[1]);
    at[1] = a[1] + along * (b[1] - a[1]) + left * 1e-9 * (b[0] - a[0]);
}

/* A place inside the polygon, if it is sound; to the left of a thin wall. */
static void find_inside(const struct polygons *polygons, size_t k, int part, double at[2])
{
    const struct polygon *polygon = &polygons->list[polygons->sides[k].polygon];
    double area = 0;
    for (size_t m = 0; m < polygon->side_count; m++) {
        double a[2], b[2];
        find_ends(polygons, polygon->first_side + m, a, b);
        area += a[0] * b[1] - a[1] * b[0];
    }
    find_beside(polygons, k, part, area < 0 ? -1 : 1, at);
}

/* Whether two sides on one line are of an obstacle and the domain, or of obstacles whose insides
 * are on different sides of them. */
static int may_overlap(const struct polygons *polygons, size_t j, size_t k)
{
    const size_t p = polygons->sides[j].polygon;
    const size_t q = polygons->sides[k].polygon;
    double at[2], a[2], b[2], c[2], d[2];
    if (polygons->sides[j].is_thin || polygons->sides[k].is_thin ||
        (polygons->list[p].is_domain && polygons->list[q].is_domain))
        return 0;
    if (polygons->list[p].is_domain || polygons->list[q].is_domain)
        return 1;
    find_ends(polygons, j, a, b);
    find_ends(polygons, k, c, d);
    const int is_along = (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1]) > 0;
    find_inside(polygons, j, 0, at);
    const int is_left = turn(a, b, at) > 0;
    find_inside(polygons, k, 0, at);
    return is_left != ((turn(c, d, at) > 0) == is_along);
}

/* Whether two sides cross or overlap. */
static int are_crossing(const struct polygons *polygons, size_t j, size_t k)
{
    double a[2], b[2], c[2], d[2];
    find_ends(polygons, j, a, b);
    find_ends(polygons, k, c, d);
    if (turn(a, b, c) || turn(a, b, d))
        return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
    const int axis = a[0] == b[0];
    const double low = fmax(fmin(a[axis], b[axis]), fmin(c[axis], d[axis]));
    const double high = fmin(fmax(a[axis], b[axis]), fmax(c[axis], d[axis]));
    if (low >= high || polygons->sides[j].polygon == polygons->sides[k].polygon)
        return low < high && !polygons->sides[j].is_thin;
    return !may_overlap(polygons, j, k);
}

/* How often a polygon winds around a place just inside a side of another one. An obstacle is not
 * around a side of a domain where it is only on the inside of it: there it is in the domain. */
static int wind_around(const struct polygons *polygons, size_t polygon, size_t k, int part)
{
    double at[2], a[2], b[2];
    find_inside(polygons, k, part, at);
    const int winding = wind(polygons, polygon, at);
    if (polygons->list[polygon].is_domain || !polygons->list[polygons->sides[k].polygon].is_domain)
        return winding;
    find_ends(polygons, k, a, b);
    find_beside(polygons, k, part, -turn(a, b, at), at);
    return wind(polygons, polygon, at) != 0 ? winding : 0;
}

/* Whether everywhere just inside a polygon it is inside the same polygons. */
static int is_uniform(const struct polygons *polygons, size_t polygon)
{
    const size_t first = polygons->list[polygon].first_side;
    for (size_t other = 0; other < polygons->count; other++) {
        const int winding = wind_around(polygons, other, first, 0);
        for (size_t k = 0; k < PARTS * polygons->list[polygon].side_count; k++)
            if (wind_around(polygons, other, first + k / PARTS, (int)(k % PARTS)) != winding)
                return 0;
    }
    return 1;
}

static int are_sound(const struct polygons *polygons)
{
    for (size_t j = 0; j < polygons->side_count; j++)
        for (size_t k = 0; k < j; k++)
            if (are_crossing(polygons, j, k))
                return 0;
    for (size_t k = 0; k < polygons->count; k++)
        if (!is_uniform(polygons, k))
            return 0;
    return 1;
}

/* Compares which polygons are nested in which with winding numbers. */
static int is_nest_right(const struct polygons *polygons, int has_domain)
{
    int right = 1;
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        int domains = 0, obstacles = 0;
        for (size_t m = 0; m < polygons->count; m++)
            if (m != k)
                *(polygons->list[m].is_domain ? &domains : &obstacles) +=
                    wind_around(polygons, m, polygon->first_side, 0) != 0;
        if (polygon->is_domain)
            right &= polygon->is_inside == (domains % 2 == 0);
        right &= polygon->is_hidden ==
                 (obstacles > 0 || (!polygon->is_domain && has_domain && domains % 2 == 0));
    }
    return right;
}

/* How many pieces the points of the lattice cut a side into. */
static int count_pieces(const double a[2], const double b[2])
{
    int m = abs((int)(b[0] - a[0]));
    int n = abs((int)(b[1] - a[1]));
    while (n != 0) {
        const int rest = m % n;
        m = n;
        n = rest;
    }
    return m;
}

/* Whether particles can be where they are to be beside a place. */
static int is_free(const struct polygons *polygons, int has_domain, const double at[2])
{
    int domains = 0, obstacles = 0;
    for (size_t k = 0; k < polygons->count; k++)
        *(polygons->list[k].is_domain ? &domains : &obstacles) += wind(polygons, k, at) != 0;
    return obstacles == 0 && (!has_domain || domains % 2 != 0);
}

/* Whether all pieces of sides beside which particles can be are met, and what is met of all sides,
 * less the length of those that lie within others, is as long as these pieces. */
static int is_cover_right(const struct polygons *polygons, int has_domain)
{
    int right = 1;
    double length = 0;
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        double a[2], b[2];
        if (side->is_thin || polygons->list[side->polygon].is_hidden)
            continue;
        length += side->cover == COVER_NONE ? side->length : 0;
        length -= side->cover == COVER_WALL ? side->length : 0;
        find_ends(polygons, k, a, b);
        const int pieces = count_pieces(a, b);
        const double dx = (b[0] - a[0]) / pieces;
        const double dy = (b[1] - a[1]) / pieces;
        for (int m = 0; m < pieces; m++) {
            const double x = a[0] + (m + 0.38196601125) * dx;
            const double y = a[1] + (m + 0.38196601125) * dy;
            const double at[2] = {x - side->facing * 1e-9 * dy, y + side->facing * 1e-9 * dx};
            if (!is_free(polygons, has_domain, at))
                continue;
            const double along = ((x - side->x) * side->lx + (y - side->y) * side->ly);
            right &= !side->cover && along > 0 && along < side->length * side->length;
            length -= sqrt(dx * dx + dy * dy);
        }
    }
    return right && fabs(length) < 1e-9;
}

/* Adds a random polygon on the lattice, unless two vertices in a row are equal. */
static void add_random(struct polygons *polygons, struct random_generator *random, size_t size,
                       int is_domain)
{
    double vertices[MAX_VERTICES][2];
    const size_t count = 2 + random_below(random, MAX_VERTICES - 1);
    for (size_t k = 0; k < count; k++)
        for (int axis = 0; axis < 2; axis++)
            vertices[k][axis] = 1 + (double)random_below(random, size); /* not on walls */
    for (size_t k = 0; k < count; k++) {
        const double *next = vertices[(k + 1) % count];
        if (vertices[k][0] == next[0] && vertices[k][1] == next[1])
            return;
    }
    add(polygons, (const double(*)[2])vertices, count, is_domain && count > 2);
}

RANDOM_TEST(random_polygons, 3)
{
    const struct boundary box = {.width = 10, .height = 10};
    const int cases = check_is_thorough() ? 300000 : 30000;
    int wrong = 0, sound = 0;
    struct polygons *polygons = NULL;
    for (int k = 0; k < cases; k++) {
        const size_t count = 1 + random_below(random, 5);
        const size_t size = 3 + random_below(random, 5);
        const int has_domain = random_below(random, 3) == 0;
        int is_domain = 0;
        clear(&polygons);
        for (size_t m = 0; m < count; m++)
            add_random(polygons, random, size, has_domain && random_below(random, 2) == 0);
        for (size_t m = 0; m < polygons->count; m++)
            is_domain |= polygons->list[m].is_domain;
        const int expected = are_sound(polygons);
        const int found = find_fault(polygons, &box) == POLYGON_SOUND;
        sound += expected && polygons->count > 1;
        wrong += found != expected || (found && !is_nest_right(polygons, is_domain)) ||
                 (found && !is_cover_right(polygons, is_domain));
    }
    CHECK(wrong == 0);
    CHECK(sound > cases / 100);
    polygons_free(polygons);
}

/* One obstacle, or two, in a box of 10 x 10. */
static enum polygon_fault_kind check_two(unsigned periodic, const double (*a)[2], size_t a_count,
                                         const double (*b)[2], size_t b_count)
{
    const struct boundary box = {.width = 10, .height = 10, .periodic = periodic};
    struct polygons *polygons = NULL;
    clear(&polygons);
    add(polygons, a, a_count, 0);
    if (b)
        add(polygons, b, b_count, 0);
    enum polygon_fault_kind kind = find_fault(polygons, &box);
    polygons_free(polygons);
    return kind;
}

TEST(images_across_seams)
{
    static const double block[4][2] = {{8, 2}, {12, 2}, {12, 4}, {8, 4}};
    static const double near[3][2] = {{1, 3}, {5, 3}, {5, 5}};
    static const double inside[3][2] = {{0, 2.5}, {1, 2.5}, {1, 3}};
    static const double floor[4][2] = {{0, 0}, {10, 0}, {10, 1}, {0, 1}};
    static const double wall[2][2] = {{0, 5}, {10, 5}};
    static const double over[2][2] = {{9, 5}, {11, 5}};
    static const double tower[4][2] = {{8, 8}, {12, 8}, {12, 12}, {8, 12}};
    static const double corner[3][2] = {{1, 1}, {3, 1}, {1, 3}};
    CHECK(check_two(0, block, 4, near, 3) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_Y, block, 4, near, 3) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_X, block, 4, near, 3) == POLYGON_CROSSING);
    CHECK(check_two(PERIODIC_X, block, 4, inside, 3) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_X, floor, 4, NULL, 0) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_X, wall, 2, NULL, 0) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_X, wall, 2, over, 2) == POLYGON_OVERLAP);
    CHECK(check_two(PERIODIC_X, tower, 4, corner, 3) == POLYGON_SOUND);
    CHECK(check_two(PERIODIC_X | PERIODIC_Y, tower, 4, corner, 3) == POLYGON_CROSSING);
}

/* As many sides in one point as there are. */
TEST(a_star_takes_no_square_of_time)
{
    const struct boundary box = {.width = 10, .height = 10};
    const double pi = 3.14159265358979323846;
    struct polygons *polygons = NULL;
    const int count = check_is_thorough() ? 100000 : check_is_quick() ? 5000 : 25000;
    clear(&polygons);
    for (int k = 0; k < count; k++) {
        const double angle = 2 * pi * k / count;
        const double wall[2][2] = {{5, 5}, {5 + 4 * cos(angle), 5 + 4 * sin(angle)}};
        add(polygons, wall, 2, 0);
    }
    CHECK(find_fault(polygons, &box) == POLYGON_SOUND);
    const double ring[3][2] = {{4, 4}, {6, 4.5}, {5, 6}};
    add(polygons, ring, 3, 0);
    CHECK(find_fault(polygons, &box) == POLYGON_CROSSING);
    polygons_free(polygons);
}
