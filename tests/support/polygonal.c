/*
 * Systems with polygons; see polygonal.h.
 */
#include "polygonal.h"

#include "base/memory.h"
#include "check.h"

#include <math.h>

void polygonal_add(struct system *system, const double (*vertices)[2], size_t count, int is_domain)
{
    struct error error;
    struct polygons *polygons = system->boundary.polygons;
    double largest = 0;
    for (size_t k = 0; k < system->count; k++)
        largest = fmax(largest, system_radius(system, &system->particles[k]));
    if (!polygons) {
        polygons = memory_allocate(1, sizeof *polygons, "polygons", &error);
        if (!CHECK(polygons != NULL))
            return;
        *polygons = (struct polygons){0};
    }
    CHECK(!polygons_add(polygons, vertices, count, is_domain, is_domain, &error));
    CHECK(!polygons_prepare(polygons, &system->boundary, largest, system->count, &error));
}

void polygonal_free(struct system *system)
{
    polygons_free(system->boundary.polygons);
    system->boundary.polygons = NULL;
    system->boundary.operations = NULL;
}
