/*
 * Systems with polygons; see polygonal.h.
 */
#include "polygonal.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>

void polygonal_add(struct system *system, const double (*vertices)[2], size_t count, int is_domain,
                   int is_inside)
{
    struct error error;
    struct polygons *polygons = system->boundary.polygons;
    double largest = system->radius;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    if (!polygons) {
        polygons = memory_allocate(1, sizeof *polygons, "polygons", &error);
        if (!CHECK(polygons != NULL))
            exit(EXIT_FAILURE);
        *polygons = (struct polygons){0};
    }
    if (!CHECK(polygons_add(polygons, vertices, count, is_domain, is_inside, &error) ==
                   STATUS_DONE &&
               polygons_prepare(polygons, &system->boundary, largest, system->count, &error) ==
                   STATUS_DONE))
        exit(EXIT_FAILURE);
}
