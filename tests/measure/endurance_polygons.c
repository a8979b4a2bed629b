/* Whether long runs among polygons stay sound: endurance_polygons [HITS], 10^8 if it is not said,
 * lets that many hits of sides and corners happen in each of several shapes, with a disk, a point
 * or many disks. 10^5 times on the way it looks at a particle that has just hit: by how much it
 * overlaps a side or a corner, and whether it is still in the region. Hits must not change energy;
 * what collisions of two disks change, `endurance` judges. Times become as late as 10^9, where they
 * are rounded to 10^-7. */
#include "arranged.h"
#include "base/elementary.h"
#include "gas.h"
#include "measure.h"
#include "model/physics.h"
#include "model/region.h"
#include "outline.h"
#include "random_system.h"
#include "sides.h"

/* A shape, and what moves in it. */
struct shape {
    const char *name;
    double width, height; /* of the box around it */
    struct outline outline;
    int is_inside; /* the polygon is a domain, not an obstacle */
    int is_thin;   /* its sides are thin walls; they are around what moves */
    double radius;
    size_t count;
};

static void add_sides(struct system *system, const struct shape *shape)
{
    const double(*vertices)[2] = (const double(*)[2])shape->outline.vertices;
    if (!shape->is_thin) {
        system_add_polygon(system, vertices, shape->outline.count, shape->is_inside);
        return;
    }
    for (size_t k = 0; k < shape->outline.count; k++) {
        const double *next = vertices[(k + 1) % shape->outline.count];
        const double wall[2][2] = {{vertices[k][0], vertices[k][1]}, {next[0], next[1]}};
        system_add_polygon(system, wall, 2, 0);
    }
}

/* Whether there is room for a disk beside the sides and those that are there already. */
static int is_free(const struct system *system, const struct region *region, size_t placed,
                   double x, double y)
{
    const struct boundary *boundary = &system->boundary;
    const double R = system->radius;
    int is_so = region_contains(region, x, y) && sides_distance(boundary, x, y) > R && x > R &&
                y > R && x < boundary->width - R && y < boundary->height - R;
    for (size_t k = 0; k < placed && is_so; k++)
        is_so = hypot(x - system->particles[k].x, y - system->particles[k].y) > 2 * R;
    return is_so;
}

/* The region that a shape bounds. Thin walls bound none: for them it is that of a domain. */
static struct region *make_region(const struct shape *shape, struct system *twin)
{
    struct region *region;
    *twin = (struct system){.boundary = {.width = shape->width, .height = shape->height}};
    system_add_polygon(twin, (const double(*)[2])shape->outline.vertices, shape->outline.count,
                       shape->is_inside);
    must(region_create(&twin->boundary, &region, &failure));
    return region;
}

/* The shape, with disks at random places that move in random directions with speed 1. */
static struct system make_system(const struct shape *shape, const struct region *region)
{
    struct random_generator random = random_from(3);
    struct system system =
        arranged_disks(shape->count, shape->radius, shape->width, shape->height, 0);
    add_sides(&system, shape);
    for (size_t k = 0; k < shape->count; k++) {
        struct particle *p = &system.particles[k];
        do {
            p->x = shape->width * random_unit(&random);
            p->y = shape->height * random_unit(&random);
        } while (!is_free(&system, region, k, p->x, p->y));
        elementary_turn(random_unit(&random), &p->u, &p->v);
        p->id = (int32_t)k;
        p->collided = -(double)INFINITY;
    }
    return system;
}

/* The result of a run. */
struct result {
    double time;
    uint64_t corners;   /* hits of corners */
    double overlap;     /* the deepest, length */
    long double energy; /* what hits have added to the squares of all speeds */
    uint64_t escapes;   /* looks at particles that were not in the region */
};

static long double square_of_speed(const struct particle *p)
{
    return (long double)p->u * p->u + (long double)p->v * p->v;
}

static void look(struct result *result, const struct system *system, const struct region *region,
                 const struct particle *p)
{
    const double distance = sides_distance(&system->boundary, p->x, p->y);
    result->overlap = fmax(result->overlap, system->radius - distance);
    if (distance > system->boundary.width / 1e9)
        result->escapes += !region_contains(region, p->x, p->y);
}

static struct result run(struct system *system, const struct region *region, double hits)
{
    const uint64_t between = 1 + (uint64_t)(hits / 1e5);
    struct result result = {0};
    struct schedule *schedule;
    struct event event;
    must(schedule_create(SCHEDULE_AUTO, system, NULL, &schedule, &failure));
    for (uint64_t done = 0;
         (double)done < hits && schedule_next(schedule, SYSTEM_LARGEST, &event);) {
        if (event.time < result.time)
            measure_fail("time goes back");
        const struct particle *p = &system->particles[event.a];
        const int is_hit = event.b < FEATURE_TOP;
        result.time = event.time;
        if (is_hit)
            result.energy -= square_of_speed(p);
        physics_resolve(system, &event);
        schedule_update(schedule, &event);
        if (!is_hit)
            continue;
        result.energy += square_of_speed(p);
        result.corners += (uint64_t)polygons_is_corner(event.b);
        if (++done % between == 0)
            look(&result, system, region, p);
    }
    schedule_free(schedule);
    return result;
}

/* Prints a line. */
static void measure(const struct shape *shape, double hits)
{
    struct system twin;
    struct region *region = make_region(shape, &twin);
    OWNED(system, system) = make_system(shape, region);
    const double energy = gas_temperature(&system);
    const struct result result = run(&system, region, hits);
    const double change = gas_temperature(&system) / energy - 1;
    const double by_hits = (double)result.energy / (2 * energy * (double)shape->count);
    printf("| %s | %.3g | %.2g | %.1e | %.1e | %.1e | %.1e | %.0f |\n", shape->name, hits,
           (double)result.corners, result.time, result.overlap, by_hits, change,
           (double)result.escapes);
    region_free(region);
    system_free(&twin);
    /* Two sides that are met within the rounding of a time may be met in the wrong order. */
    const double allowed = 16 * DBL_EPSILON * shape->width + 4 * DBL_EPSILON * result.time;
    measure_check(result.overlap < allowed && fabs(by_hits) < 1e-12 && result.escapes == 0);
}

int main(int argc, char **argv)
{
    const double hits = argc > 1 ? strtod(argv[1], NULL) : 1e8;
    const struct outline stadium = outline_stadium();
    const struct outline star = outline_star(10, 10, 9);
    const struct outline triangle = {{{1, 1}, {9, 1}, {4, 7}}, 3};
    const struct shape shapes[] = {
        {"stadium, a disk", 4.5, 2.5, stadium, 1, 0, 0.125, 1},
        {"stadium, a point", 4.5, 2.5, stadium, 1, 0, 0, 1},
        {"box around a disk of 64 sides, a disk", 4, 3, outline_regular(2, 1.5, 0.75, 64), 0, 0,
         0.125, 1},
        {"triangle, a disk", 10, 8, triangle, 1, 0, 0.25, 1},
        {"triangle of thin walls, a point", 10, 8, triangle, 1, 1, 0, 1},
        {"star, a disk", 20, 20, star, 1, 0, 0.5, 1},
        {"star of thin walls, a point", 20, 20, star, 1, 1, 0, 1},
        {"star, 40 disks", 20, 20, star, 1, 0, 0.5, 40},
    };
    puts("| shape | hits | of corners | time | overlap | energy, by hits | in all | outside |\n"
         "|---|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(shapes); k++)
        measure(&shapes[k], hits);
    return measure_finish();
}
