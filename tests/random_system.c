/*
 * Random systems; see random_system.h.
 */
#include "random_system.h"

#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_bits(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_uniform(struct random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

size_t random_below(struct random *random, size_t limit)
{
    return (size_t)(random_uniform(random) * (double)limit);
}

static struct particle *allocate_particles(size_t count)
{
    struct error error;
    struct particle *particles = memory_allocate(count, sizeof *particles, "particles", &error);
    if (!particles) {
        error_print(&error);
        exit(EXIT_FAILURE);
    }
    memset(particles, 0, count * sizeof *particles);
    for (size_t k = 0; k < count; k++)
        particles[k].id = (int32_t)k;
    return particles;
}

static int overlaps(const struct system *system, size_t index)
{
    const struct particle *p = &system->particles[index];
    for (size_t k = 0; k < index; k++) {
        const struct particle *q = &system->particles[k];
        if (hypot(q->x - p->x, q->y - p->y) < 2 * system->radius)
            return 1;
    }
    return 0;
}

struct system random_system(struct random *random, size_t count, double area_fraction,
                            double aspect)
{
    const double pi = 3.14159265358979323846;
    const double growth = 1e-7;
    double area = (double)count * pi / area_fraction;
    struct system system = {.count = count, .radius = 1};
    system.height = fmax(sqrt(area / aspect), 2.5);
    system.width = fmax(area / system.height, 2.5);
    system.particles = allocate_particles(count);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        p->u = 2 * random_uniform(random) - 1;
        p->v = 2 * random_uniform(random) - 1;
        do {
            p->x = 1 + (system.width - 2) * random_uniform(random);
            p->y = 1 + (system.height - 2) * random_uniform(random);
            system.width *= 1 + growth; /* so that there will be a place in the end */
            system.height *= 1 + growth;
        } while (overlaps(&system, k));
    }
    return system;
}

struct system random_lattice(struct random *random, size_t columns, size_t rows, double gap)
{
    struct system system = {.count = columns * rows, .radius = 1};
    double pitch = 2 + gap;
    system.width = (double)columns * pitch + gap;
    system.height = (double)rows * pitch + gap;
    system.particles = allocate_particles(system.count);
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = gap + 1 + (double)(k % columns) * pitch;
        p->y = gap + 1 + (double)(k / columns) * pitch;
        p->u = (double)random_below(random, 3) - 1;
        p->v = (double)random_below(random, 3) - 1;
    }
    return system;
}

struct system system_copy(const struct system *system)
{
    struct system copy = *system;
    copy.particles = allocate_particles(system->count);
    memcpy(copy.particles, system->particles, system->count * sizeof *copy.particles);
    return copy;
}

struct particle random_particle(struct random *random)
{
    struct particle p = {
        .x = 10 * random_uniform(random),
        .y = 10 * random_uniform(random),
        .u = random_uniform(random) - 0.5,
        .v = random_uniform(random) - 0.5,
        .t = random_uniform(random),
    };
    switch (random_below(random, 8)) {
    case 0:
        p.u = p.v = 0;
        break;
    case 1:
        p.x = floor(p.x);
        p.y = floor(p.y);
        p.t = 0;
        break;
    case 2:
        p.u *= 1e6;
        p.v *= 1e-6;
        break;
    case 3:
        p.u = floor(4 * p.u);
        p.v = floor(4 * p.v);
        p.x = floor(p.x);
        p.y = floor(p.y);
        p.t = 0;
        break;
    default:
        break;
    }
    return p;
}
