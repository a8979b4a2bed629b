/* Systems whose structure is known; see arranged.h. */
#include "arranged.h"

#include "owned.h"

#include <math.h>
#include <stdlib.h>

void set_particle(struct system *system, size_t k, double x, double y, double u, double v)
{
    struct particle *p = &system->particles[k];
    p->x = x;
    p->y = y;
    p->u = u;
    p->v = v;
}

struct system arranged_disks(size_t count, double radius, double width, double height,
                             unsigned periodic)
{
    struct system system = SYSTEM(count, width, height, .radius = radius,
                                  .boundary.periodic = periodic, .law = ELASTIC);
    must(system_reserve(&system, count, &failure));
    return system;
}

void arranged_kinds(struct system *system, size_t count)
{
    system->kinds = memory_allocate(count, sizeof *system->kinds, "the kinds", &failure);
    must(system->kinds ? STATUS_DONE : STATUS_NO_MEMORY);
    system->kind_count = count;
    for (size_t k = 0; k < count; k++)
        system->kinds[k] = (struct particle_kind){.radius = system->radius, .mass = 1};
}

/* Rows of disks, each shifted by this part of the spacing. */
static struct system arrange(size_t columns, size_t rows, double distance, double shift)
{
    struct system system = arranged_disks(columns * rows, 0.5, (double)columns,
                                          (double)rows * distance, PERIODIC_X | PERIODIC_Y);
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
    struct system system = arranged_disks(count, 0, width, height, periodic);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        p->x = random_unit(random) * width;
        p->y = random_unit(random) * height;
        p->u = 2 * random_unit(random) - 1;
        p->v = 2 * random_unit(random) - 1;
    }
    return system;
}

struct system arranged_few(struct particle *particles, struct particle_counts *counts, size_t count,
                           double radius, double width, double height)
{
    return SYSTEM(count, width, height, .radius = radius, .particles = particles, .counts = counts);
}
