/*
 * What a collision does, and where a particle is; the predictions stand in physics.h.
 */
#include "physics.h"

/* Moves an anchor along its path to `time`. */
static void move_anchor(struct particle *particle, double time)
{
    particle->x = physics_coordinate(particle->x, particle->u, particle->t, time);
    particle->y = physics_coordinate(particle->y, particle->v, particle->t, time);
    particle->t = time;
}

static void hit_wall(struct system *system, struct particle *particle, enum wall wall)
{
    switch (wall) {
    case WALL_LEFT:
        particle->x = system->radius;
        particle->u = -particle->u;
        break;
    case WALL_RIGHT:
        particle->x = system->width - system->radius;
        particle->u = -particle->u;
        break;
    case WALL_BOTTOM:
        particle->y = system->radius;
        particle->v = -particle->v;
        break;
    case WALL_TOP:
        particle->y = system->height - system->radius;
        particle->v = -particle->v;
        break;
    }
    particle->wall_collisions++;
}

static void switch_velocities(struct particle *a, struct particle *b)
{
    double u = a->u;
    double v = a->v;
    a->u = b->u;
    a->v = b->v;
    b->u = u;
    b->v = v;
    a->particle_collisions++;
    b->particle_collisions++;
}

void physics_resolve(struct system *system, const struct event *event)
{
    struct particle *a = &system->particles[event->a];
    move_anchor(a, event->time);
    if (event->b < 0) {
        hit_wall(system, a, (enum wall)event->b);
    } else {
        struct particle *b = &system->particles[event->b];
        move_anchor(b, event->time);
        switch_velocities(a, b);
    }
}

static double clamp(double value, double lowest, double highest)
{
    if (value > highest)
        value = highest;
    return value > lowest ? value : lowest; /* for -0 and 0, the latter */
}

void physics_position(const struct system *system, size_t index, double time, double *x, double *y)
{
    const struct particle *p = &system->particles[index];
    double radius = system->radius;
    *x = clamp(physics_coordinate(p->x, p->u, p->t, time), radius, system->width - radius);
    *y = clamp(physics_coordinate(p->y, p->v, p->t, time), radius, system->height - radius);
}
