/*
 * Finds the connected components of a fluid; see sph_start.h. Each is a tree whose root is the
 * particle of the lowest number (R. E. Tarjan, J. ACM 22, 215, 1975).
 */
#include "sph_start.h"

#include "base/memory.h"

#include <stdint.h>

/* The root of a particle's tree. It halves the path there. */
static uint32_t find_root(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

static void join_trees(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    uint32_t *parent = context;
    const uint32_t a = find_root(parent, (uint32_t)i);
    const uint32_t b = find_root(parent, (uint32_t)j);
    (void)dx, (void)dy, (void)square;
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* The potential energy of a particle per mass. */
static double potential(const struct sph_walls *walls, const struct particle *p)
{
    return -(walls->gravity.x * p->x + walls->gravity.y * p->y);
}

/* The highest potential of each tree, in `tops` at its root; -INFINITY if it touches no wall. */
static void find_tops(const struct system *system, const struct sph_walls *walls, uint32_t *parent,
                      double *tops)
{
    for (size_t k = 0; k < system->count; k++)
        tops[k] = (double)-INFINITY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const uint32_t root = find_root(parent, (uint32_t)k);
        if (sph_walls_touch(walls, p->x, p->y))
            tops[root] = potential(walls, &system->particles[root]);
    }
    for (size_t k = 0; k < system->count; k++) {
        const uint32_t root = find_root(parent, (uint32_t)k);
        if (isfinite(tops[root]))
            tops[root] = fmax(tops[root], potential(walls, &system->particles[k]));
    }
}

enum status sph_start(const struct system *system, const struct neighbours *near,
                      const struct sph_walls *walls, double *depths, struct error *error)
{
    uint32_t *parent = memory_allocate(system->count, sizeof *parent, "the fluid's parts", error);
    double *tops = memory_allocate(system->count, sizeof *tops, "the fluid's parts", error);
    if (parent && tops) {
        for (size_t k = 0; k < system->count; k++)
            parent[k] = (uint32_t)k;
        neighbours_each(near, system, 2 * walls->smoothing, join_trees, parent);
        find_tops(system, walls, parent, tops);
        for (size_t k = 0; k < system->count; k++) {
            const double top = tops[find_root(parent, (uint32_t)k)];
            depths[k] = isfinite(top) ? top - potential(walls, &system->particles[k]) : 0;
        }
    }
    const int is_done = parent && tops;
    memory_free(parent);
    memory_free(tops);
    return is_done ? STATUS_DONE : STATUS_NO_MEMORY;
}
