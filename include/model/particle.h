/* One disk, its counts, and its kind. */
#ifndef PARTICLES_PARTICLE_H
#define PARTICLES_PARTICLE_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* All that the events of a disk depend on; 64 bytes, a line of the processor's cache. (x, y, u, v,
 * t) is its anchor: its position and velocity at time t of its own last event, which alone rewrites
 * it, or at the start. Between events it is at x + u * (time - t). */
struct particle {
    double x, y;      /* position of the centre at time t, length */
    double u, v;      /* velocity since time t, length per time */
    double t;         /* time of the last event; 0 at the start */
    double collided;  /* time of the last collision or draw of a stream; before, -INFINITY */
    uint32_t version; /* how many events of its own it has had, modulo 2^32 */
    uint32_t kind;    /* which of the system's kinds it is; 0 if all are alike */
    int32_t id;       /* its number in the input, from 0: a label, and the tie-break */
    uint32_t draws;   /* how often a stream or a wall has drawn numbers for it, modulo 2^32 */
};

/* Since when a particle has had its velocity: seams do not change it but for seams of streams. */
static inline double particle_since(const struct particle *particle)
{
    return particle->collided > 0 ? particle->collided : 0;
}

/*
 * Whether a wall has absorbed a particle. Then (x, y) is where that was, `collided` is when, and
 * its anchor is at rest at time INFINITY: from there no formula predicts a contact or a crossing,
 * for each adds that time or, of another's path, finds a NaN, which is before no time. So
 * predictions need not ask. What asks for places does (motion_shown).
 */
static inline int particle_is_absorbed(const struct particle *particle)
{
    return particle->t > DBL_MAX;
}

static inline void particle_absorb(struct particle *particle)
{
    particle->u = particle->v = 0;
    particle->t = (double)INFINITY;
}

/* How often a disk has collided, and passed seams: results, on which no event depends. */
struct particle_counts {
    uint64_t walls;           /* collisions with walls, any of them */
    uint64_t particles;       /* collisions with other particles */
    int64_t x_image, y_image; /* image counts: passages of seams to the right (up) less back */
};

/* The properties of a disk that never change; disks with equal ones are of one kind. */
struct particle_kind {
    double radius;   /* R, length; 0 makes them points */
    double mass;     /* any unit of mass; SYSTEM_MIN_MASS to SYSTEM_LARGEST_MASS */
    int32_t species; /* a label for the user's own use, from 0 */
};

enum {
    CLASSES_MAX = 8, /* of particles, such as species */
    CLASS_PAIRS = CLASSES_MAX * (CLASSES_MAX + 1) / 2
};

/* The number of a pair of classes, in either order, which may be the same. */
static inline size_t class_pair(size_t a, size_t b)
{
    return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

#endif
