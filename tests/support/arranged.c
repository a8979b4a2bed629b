/* Systems whose structure is known; see arranged.h. */
#include "arranged.h"

#include "owned.h"

#include <math.h>
#include <stdlib.h>

/* A system without positions. */
static struct system make(size_t count, double radius, double width, double height,
                          unsigned periodic)
{
    struct system system = {.count = count,
                            .radius = radius,
                            .boundary = {.width = width, .height = height, .periodic = periodic},
                            .law = {RULE_ELASTIC, 1, 0}};
    must(system_reserve(&system, 0, count, &failure));
    return system;
}

/* Rows of disks, each shifted by this part of the spacing. */
static struct system arrange(size_t columns, size_t rows, double distance, double shift)
{
    struct system system = make(columns * rows, 0.5, (double)columns, (double)rows * distance,
                                PERIODIC_X | PERIODIC_Y);
    for (size_t k = 0; k < system.count; k++) {
        const size_t row = k / columns;
        system.particles[k].x = (double)(k % columns) + (double)(row % 2) * shift;
        system.particles[k].y = (double)row * distance;
    }
    return system;
}

struct system arranged_square(size_t columns, size_t rows)
{
    return arrange(columns, rows, 1, 0);
}

struct system arranged_triangular(size_t columns, size_t rows)
{
    return arrange(columns, rows, sqrt(0.75), 0.5);
}

struct system arranged_points(struct random_generator *random, size_t count, double width,
                              double height, unsigned periodic)
{
    struct system system = make(count, 0, width, height, periodic);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        p->x = random_unit(random) * width;
        p->y = random_unit(random) * height;
        p->u = 2 * random_unit(random) - 1;
        p->v = 2 * random_unit(random) - 1;
    }
    return system;
}

struct system arranged_few(struct particle *particles, struct counts *counts, size_t count,
                           double radius, double width, double height)
{
    return (struct system){.count = count,
                           .radius = radius,
                           .boundary = {.width = width, .height = height},
                           .particles = particles,
                           .counts = counts};
}
