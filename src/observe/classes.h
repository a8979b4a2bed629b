/*
 * Particles by their species, in the order of these labels: what is told apart in what --structure
 * writes. If there are more than CLASSES_MOST species, all particles are one class.
 */
#ifndef PARTICLES_CLASSES_H
#define PARTICLES_CLASSES_H

#include "run/snapshot.h"

enum { CLASSES_MOST = 8 };

struct classes {
    size_t count;                  /* 1 to CLASSES_MOST */
    int32_t species[CLASSES_MOST]; /* ascending */
    size_t members[CLASSES_MOST];  /* how many particles */
    double radius[CLASSES_MOST];   /* of all of them; NAN if they differ */
    double mean_radius;            /* of all particles */
    uint8_t *list;                 /* the class of each particle by its number; owned */
};

/* Groups of particles: all, number 0; and if there are several classes, class g - 1 is group g. */
enum { GROUPS_MOST = 1 + CLASSES_MOST };

static inline size_t classes_groups(const struct classes *classes)
{
    return classes->count > 1 ? 1 + classes->count : 1;
}

/* Finds the classes of a system. Returns STATUS_DONE or STATUS_NO_MEMORY; free with classes_free.
 */
enum status classes_create(struct classes *classes, const struct snapshot *snapshot,
                           struct error *error);
void classes_free(struct classes *classes);

#endif
