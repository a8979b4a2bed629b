/* Tests of psi6: of lattices, by hand; and of random systems, whose neighbours are found another
 * way: two particles are neighbours if there is a part of their bisector where no other particle
 * is nearer. */
#include "observe/correlations.h"

#include "check.h"

struct order {
    double local, global;
};

static struct order find(const struct system *system)
{
    static struct bond_order bonds[400];
    struct neighbours_map map;
    double area = 0;
    struct order order = {-1, -1};
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    CHECK(neighbours_map_create(&map, &system->boundary, system->count, &failure) == STATUS_DONE);
    neighbours_map_take(&map, &snapshot);
    CHECK(bond_order_find(&map, bonds, &order.local, &order.global, &failure) == STATUS_DONE);
    for (size_t k = 0; k < system->count; k++) {
        CHECK(bonds[k].area > 0 || system->count > 40);
        area += bonds[k].area;
    }
    /* The cells share the box out, also where particles are at one place. */
    const double box = system->boundary.width * system->boundary.height;
    CHECK(fabs(area - box) < 1e-13 * (double)(system->count + 10) * box);
    neighbours_map_free(&map);
    return order;
}

TEST(lattices)
{
    struct system triangular = arranged_triangular(9, 8);
    struct order order = find(&triangular);
    CHECK(fabs(order.local - 1) < 1e-12 && fabs(order.global - 1) < 1e-12);
    system_free(&triangular);
    /* Four bonds, of 0, 90, 180 and 270 degrees: 1 - 1 + 1 - 1. The diagonals do not count. */
    OWNED(system, square) = arranged_square(7, 5);
    order = find(&square);
    CHECK(order.local < 1e-12 && order.global < 1e-12);
    /* With walls there are three at the sides, 1 - 1 + 1 or -1 + 1 - 1, and 1 - 1 in corners. */
    square.boundary.periodic = 0;
    square.boundary.width = 7;
    square.boundary.height = 5;
    for (size_t k = 0; k < square.count; k++) {
        square.particles[k].x += 0.5;
        square.particles[k].y += 0.5;
    }
    order = find(&square);
    CHECK(fabs(order.local - (2 * 5 + 2 * 3) / 3.0 / 35) < 1e-12);
    CHECK(fabs(order.global - (2 * 5 - 2 * 3) / 3.0 / 35) < 1e-12);
}

/* All images that matter, in a list: particle k first. */
struct places {
    size_t count;
    double x[9 * 40], y[9 * 40];
    int is_mirrored[9 * 40]; /* the image in a wall: it cuts off, and is no neighbour */
};

/* A coordinate's image: shifted, or mirrored in a wall. */
static double find_image(double x, double side, int image, int is_periodic)
{
    if (is_periodic)
        return x + image * side;
    return image == 0 ? x : image < 0 ? -x : 2 * side - x;
}

static void list_places(const struct system *system, struct places *places)
{
    const struct boundary *box = &system->boundary;
    const int is_x = (box->periodic & PERIODIC_X) != 0;
    const int is_y = (box->periodic & PERIODIC_Y) != 0;
    places->count = 0;
    for (int image = 0; image < 9; image++) {
        const int column = (image + 1) % 3 - 1; /* 0 comes first */
        const int row = (image / 3 + 1) % 3 - 1;
        for (size_t k = 0; k < system->count; k++) {
            const size_t n = places->count++;
            places->x[n] = find_image(system->particles[k].x, box->width, column, is_x);
            places->y[n] = find_image(system->particles[k].y, box->height, row, is_y);
            places->is_mirrored[n] = (column != 0 && !is_x) || (row != 0 && !is_y);
        }
    }
}

/* Whether k and n are neighbours: which part of the bisector, in distances, is nearer to none. */
static int are_neighbours(const struct places *places, size_t k, size_t n)
{
    const double dx = places->x[n] - places->x[k];
    const double dy = places->y[n] - places->y[k];
    double low = -1e9, high = 1e9;
    for (size_t m = 0; m < places->count; m++) {
        const double ex = places->x[m] - places->x[k];
        const double ey = places->y[m] - places->y[k];
        /* (d/2 + t perp).e <= e.e/2 */
        const double slope = ex * -dy + ey * dx;
        const double most = (ex * ex + ey * ey) / 2 - (ex * dx + ey * dy) / 2;
        if (m == k || m == n)
            continue;
        if (slope > 0)
            high = fmin(high, most / slope);
        else if (slope < 0)
            low = fmax(low, most / slope);
        else if (most < 0)
            return 0;
    }
    return high - low > 1e-6;
}

static struct order find_by_force(const struct system *system)
{
    static struct places places;
    double sizes = 0, real = 0, imaginary = 0;
    list_places(system, &places);
    for (size_t k = 0; k < system->count; k++) {
        double x = 0, y = 0, bonds = 0;
        for (size_t n = 0; n < places.count; n++) {
            if (n == k || places.is_mirrored[n] || !are_neighbours(&places, k, n))
                continue;
            const double angle = atan2(places.y[n] - places.y[k], places.x[n] - places.x[k]);
            x += cos(6 * angle);
            y += sin(6 * angle);
            bonds++;
        }
        if (bonds > 0) {
            sizes += sqrt(x * x + y * y) / bonds;
            real += x / bonds;
            imaginary += y / bonds;
        }
    }
    const double count = (double)system->count;
    return (struct order){sizes / count, sqrt(real * real + imaginary * imaginary) / count};
}

RANDOM_TEST(random_systems, 21)
{
    for (int round = 0; round < (check_is_thorough() ? 400 : 60); round++) {
        OWNED(system, system) =
            arranged_points(random, 1 + random_below(random, 40), 1,
                            round % 7 == 0 ? 8 : 0.5 + random_unit(random), (unsigned)round % 4);
        if (round % 5 == 0) /* a crowd */
            for (size_t k = 0; k < system.count; k++)
                system.particles[k].x = 0.1 * system.particles[k].x;
        const struct order order = find(&system);
        const struct order expected = find_by_force(&system);
        CHECK(fabs(order.local - expected.local) < 1e-9);
        CHECK(fabs(order.global - expected.global) < 1e-9);
    }
}

RANDOM_TEST(few_and_many_neighbours, 22)
{
    struct system alone = arranged_points(random, 1, 3, 2, 0);
    CHECK(find(&alone).local == 0);
    system_free(&alone);
    alone = arranged_points(random, 1, 2, 2, PERIODIC_X); /* its images: 0 and 180 degrees */
    CHECK(fabs(find(&alone).local - 1) < 1e-12);
    system_free(&alone);
    /* All at one place. */
    struct system heap = arranged_points(random, 30, 3, 2, 0);
    for (size_t k = 0; k < heap.count; k++)
        heap.particles[k].x = heap.particles[k].y = 1;
    CHECK(find(&heap).local == 0);
    system_free(&heap);
    /* A ring of 300 around one, which has a cell with 300 sides: their psi6 adds up to 0. */
    OWNED(system, ring) = arranged_points(random, 301, 4, 4, 0);
    for (size_t k = 0; k < 300; k++) {
        ring.particles[k].x = 2 + cos((double)k / 300 * 6.28318530717958648);
        ring.particles[k].y = 2 + sin((double)k / 300 * 6.28318530717958648);
    }
    ring.particles[300].x = ring.particles[300].y = 2;
    const struct order order = find(&ring);
    CHECK(order.local > 0 && order.local < 1 && order.global < 1e-9);
}
