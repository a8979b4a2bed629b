/*
 * Particles by their species; see classes.h.
 */
#include "classes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Enters a species into the list, which is ascending, if it is new and there is room. */
static void enter_species(struct classes *classes, int32_t species, size_t *count)
{
    size_t place = 0;
    while (place < *count && place < CLASSES_MOST && classes->species[place] < species)
        place++;
    if (*count > CLASSES_MOST ||
        (place < *count && place < CLASSES_MOST && classes->species[place] == species))
        return;
    (*count)++;
    for (size_t k = CLASSES_MOST - 1; k > place; k--)
        classes->species[k] = classes->species[k - 1];
    if (place < CLASSES_MOST)
        classes->species[place] = species;
}

/* All particles are alike: of a million, there is no need to look at each. */
static void enter_all(struct classes *classes, const struct system *system)
{
    memset(classes->list, 0, system->count);
    classes->count = 1;
    classes->members[0] = system->count;
    classes->radius[0] = classes->mean_radius = system->radius;
}

enum status classes_create(struct classes *classes, const struct snapshot *snapshot,
                           struct error *error)
{
    const size_t particles = snapshot->system->count;
    size_t count = 0;
    *classes = (struct classes){0};
    classes->list = memory_allocate(particles, 1, "the species of --structure", error);
    if (!classes->list)
        return STATUS_NO_MEMORY;
    if (!snapshot->system->kinds) {
        enter_all(classes, snapshot->system);
        return STATUS_DONE;
    }
    for (size_t k = 0; k < particles; k++)
        enter_species(classes, snapshot_body(snapshot, k).species, &count);
    classes->count = count <= CLASSES_MOST ? count : 1;
    double radii = 0;
    int is_equal = 1;
    for (size_t k = 0; k < particles; k++) {
        const struct body body = snapshot_body(snapshot, k);
        size_t class = 0;
        while (class + 1 < classes->count && classes->species[class] != body.species)
            class ++;
        if (classes->members[class]++ == 0)
            classes->radius[class] = body.radius;
        else if (classes->radius[class] != body.radius)
            classes->radius[class] = (double)NAN;
        classes->list[k] = (uint8_t) class;
        radii += body.radius;
        is_equal &= body.radius == classes->radius[0];
    }
    classes->mean_radius = is_equal ? classes->radius[0] : radii / (double)particles;
    return STATUS_DONE;
}

void classes_free(struct classes *classes)
{
    memory_free(classes->list);
    *classes = (struct classes){0};
}
