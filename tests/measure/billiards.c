/* Compares points and disks among polygons with what geometry knows of them, and prints
 * tables; if something is off, it fails. Vertices and starts are made of exact operations, so it
 * prints the same on every machine.
 *
 * The mean free path of points between hits of the boundary is pi A / P in a region of area A and
 * perimeter P, however it is shaped, on average over all places and directions (N. Chernov,
 * Entropy, Lyapunov exponents, and mean free path for billiards, J. Stat. Phys. 88, 1997). Points
 * begin evenly spread in both, and each run has only one, so their paths are independent.
 *
 * `billiards PART` follows only that part of the points. */
#include "arranged.h"
#include "base/elementary.h"
#include "gas.h"
#include "measure.h"
#include "model/physics.h"
#include "model/region.h"
#include "outline.h"
#include "random_system.h"

/* A box with `count` particles, all in one place yet, and this polygon. */
static struct system create(double width, double height, size_t count, double radius,
                            const struct outline *outline, int is_inside)
{
    struct system system = arranged_disks(count, radius, width, height, 0);
    for (size_t k = 0; k < count; k++)
        system.particles[k].id = (int32_t)k;
    if (outline)
        system_add_polygon(&system, (const double(*)[2])outline->vertices, outline->count,
                           is_inside);
    return system;
}

/* Puts particle 0 at a random place of the region, with speed 1 in a random direction. */
static void scatter(struct system *system, const struct region *region,
                    struct random_generator *random)
{
    struct particle *p = &system->particles[0];
    *p = (struct particle){.collided = -(double)INFINITY};
    do {
        p->x = system->boundary.width * random_unit(random);
        p->y = system->boundary.height * random_unit(random);
    } while (!region_contains(region, p->x, p->y));
    elementary_turn(random_unit(random), &p->u, &p->v);
}

/* Prints a line on the mean free path, measured with `points` points, each for about HITS hits;
 * returns whether it is that of theory. */
static void measure_path(const char *name, struct system *system, double theory, double points)
{
    enum { HITS = 500 };
    const size_t count = (size_t)points;
    const double length = HITS * theory;
    struct random_generator random = random_from(11);
    struct region *region = NULL;
    struct error error;
    double *hits = memory_allocate(count, sizeof *hits, "the hits", &error);
    if (!hits || region_create(&system->boundary, &region, &error))
        measure_fail(error.message);
    for (size_t k = 0; k < count; k++) {
        scatter(system, region, &random);
        system->counts[0].walls = 0;
        gas_run(system, SCHEDULE_ARRAY, length, NULL);
        hits[k] = (double)system->counts[0].walls;
    }
    const struct measured_mean rate = measure_estimate(hits, count);
    const double path = length / rate.mean;
    const double error_of_path = path * rate.error / rate.mean;
    const double off = (path - theory) / error_of_path;
    printf("| %s | %.2g | %.6f ± %.6f | %.6f | %.1e | %+.1f σ |\n", name, rate.mean * points, path,
           error_of_path, theory, error_of_path / path, off);
    region_free(region);
    memory_free(hits);
    measure_check(fabs(off) <= 3);
}

static void measure_paths(double part)
{
    const struct outline stadium = outline_stadium();
    const struct outline disk = outline_regular(2, 1.5, 0.75, 64);
    OWNED(system, inside) = create(4.5, 2.5, 1, 0, &stadium, 1);
    OWNED(system, outside) = create(4, 3, 1, 0, &disk, 0);
    puts("| region | hits | mean free path | pi A / P | error | off by |\n"
         "|---|---:|---:|---:|---:|---:|");
    measure_path("stadium of 256 sides", &inside,
                 pi * outline_area(&stadium) / outline_perimeter(&stadium), 150000 * part);
    measure_path("box around a disk of 64 sides", &outside,
                 pi * (12 - outline_area(&disk)) / (14 + outline_perimeter(&disk)), 350000 * part);
}

/* A point on its way, with the precision of long double. */
struct ray {
    long double x, y, u, v;
};

/* Follows a point for a time inside a convex polygon whose vertices are in counter-clockwise order:
 * from each side to the one that it comes to first, of all others. Returns the number of hits. */
static uint64_t trace(const struct outline *outline, long double time, struct ray *ray)
{
    size_t last = outline->count;
    for (uint64_t hits = 0;; hits++) {
        long double wait = time;
        size_t next = outline->count;
        for (size_t k = 0; k < outline->count; k++) {
            const double *a = outline->vertices[k];
            const double *b = outline->vertices[(k + 1) % outline->count];
            const long double lx = (long double)b[0] - a[0];
            const long double ly = (long double)b[1] - a[1];
            const long double rate = lx * ray->v - ly * ray->u;
            const long double gap = lx * (ray->y - a[1]) - ly * (ray->x - a[0]);
            if (k != last && rate < 0 && gap < wait * -rate) {
                wait = gap / -rate;
                next = k;
            }
        }
        ray->x += ray->u * wait;
        ray->y += ray->v * wait;
        time -= wait;
        if (next == outline->count)
            return hits;
        const double *a = outline->vertices[next];
        const double *b = outline->vertices[(next + 1) % outline->count];
        const long double lx = (long double)b[0] - a[0];
        const long double ly = (long double)b[1] - a[1];
        const long double factor =
            2 * (lx * ray->v - ly * ray->u) / (lx * lx + ly * ly); /* of the normal (-ly, lx) */
        ray->u += factor * ly;
        ray->v -= factor * lx;
        last = next;
    }
}

/* Prints a line on a point in a triangle: how far it is from where the ray is. */
static void compare_triangle(const char *name, const struct outline *triangle)
{
    enum { LOOKS = 10, HITS = 20000 };
    OWNED(system, system) = create(10, 10, 1, 0, triangle, 1);
    const double length =
        (double)HITS / LOOKS * pi * outline_area(triangle) / outline_perimeter(triangle);
    double farthest = 0;
    uint64_t hits = 0;
    int is_same = 1;
    for (int k = 1; k <= LOOKS; k++) {
        struct particle *p = &system.particles[0];
        *p = (struct particle){.x = 4.8, .y = 2.3, .u = 0.6, .v = 0.8};
        struct ray ray = {p->x, p->y, p->u, p->v};
        double x, y;
        system.counts[0].walls = 0;
        gas_run(&system, SCHEDULE_ARRAY, k * length, NULL);
        hits = trace(triangle, k * length, &ray);
        physics_position(&system, 0, k * length, &x, &y);
        farthest = fmax(farthest, hypot(x - (double)ray.x, y - (double)ray.y));
        is_same &= system.counts[0].walls == hits;
    }
    printf("| %s | %.0f | %s | %.0e |\n", name, (double)hits, is_same ? "yes" : "no", farthest);
    measure_check(is_same && hits > HITS / 2 && farthest < 1e-8);
}

static void compare_triangles(void)
{
    const struct outline equilateral = {{{1, 1}, {9, 1}, {5, 1 + 8 * sqrt(0.75)}}, 3};
    const struct outline half_square = {{{1, 1}, {9, 1}, {1, 9}}, 3};
    puts("\n| triangle | hits | as many | farthest from the ray |\n|---|---:|---:|---:|");
    compare_triangle("equilateral", &equilateral);
    compare_triangle("half a square", &half_square);
}

/* Turns a place of a box around its lower left corner by 30 degrees and into another box. */
static void turn(double width, double *x, double *y)
{
    const double old_x = *x;
    *x = sqrt(0.75) * old_x - 0.5 * *y + 0.5 * width;
    *y = 0.5 * old_x + sqrt(0.75) * *y;
}

/* Compares a gas in a box with one in a polygon of that shape, turned by 30 degrees. */
static struct system turn_gas(const struct system *gas)
{
    const double width = gas->boundary.width;
    const double whole = (0.5 + sqrt(0.75)) * width * (1 + 1e-12);
    struct outline square = {{{0, 0}, {width, 0}, {width, width}, {0, width}}, 4};
    for (size_t k = 0; k < 4; k++)
        turn(width, &square.vertices[k][0], &square.vertices[k][1]);
    struct system turned = create(whole, whole, gas->count, gas->radius, &square, 1);
    for (size_t k = 0; k < gas->count; k++) {
        struct particle *p = &turned.particles[k];
        *p = gas->particles[k];
        turn(width, &p->x, &p->y);
        turn(0, &p->u, &p->v);
    }
    return turned;
}

/* How far the disks of the turned gas are from those of the other, at most; in radii. */
static double find_distance(const struct system *gas, const struct system *turned, double time)
{
    double farthest = 0;
    for (size_t k = 0; k < gas->count; k++) {
        double x, y, turned_x, turned_y;
        physics_position(gas, k, time, &x, &y);
        physics_position(turned, k, time, &turned_x, &turned_y);
        turn(gas->boundary.width, &x, &y);
        farthest = fmax(farthest, hypot(x - turned_x, y - turned_y) / gas->radius);
    }
    return farthest;
}

/* A gas in a box and in the same box turned by 30 degrees: the difference begins with rounding and
 * grows with every collision, as it does between any two ways to compute. It may grow a hundred
 * times faster than the last bits do that `--sensitivity` changes. */
static void compare_boxes(void)
{
    static const double times[] = {0, 2, 5, 10, 15, 20, 30};
    puts("\n| time | hits of sides | collisions of each disk | farthest, in radii |\n"
         "|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(times); k++) {
        OWNED(system, gas) = gas_create(200, 0.3, 5);
        OWNED(system, turned) = turn_gas(&gas);
        double walls = 0, pairs = 0;
        gas_run(&gas, SCHEDULE_CELLS, times[k], NULL);
        gas_run(&turned, SCHEDULE_CELLS, times[k], NULL);
        for (size_t m = 0; m < gas.count; m++) {
            walls += (double)turned.counts[m].walls;
            pairs += (double)turned.counts[m].particles / (double)gas.count;
        }
        const double distance = find_distance(&gas, &turned, times[k]);
        printf("| %g | %.0f | %.1f | %.0e |\n", times[k], walls, pairs, distance);
        measure_check(pairs > 8 || distance < 1e-8);
    }
}

int main(int argc, char **argv)
{
    measure_paths(argc > 1 ? strtod(argv[1], NULL) : 1);
    compare_triangles();
    compare_boxes();
    return measure_finish();
}
