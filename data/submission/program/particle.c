#include "particle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int refuse(const char *name, const char *problem)
{
    fprintf(stderr, "particles: %s: %s\n", name, problem);
    return -1;
}

/* "Read in the initial particle information"; calloc sets times and counts to 0. */
static int read_from(FILE *file, struct system *system, const char *name)
{
    if (fscanf(file, "%d %lf %lf %lf", &system->count, &system->radius, &system->width,
               &system->height) != 4)
        return refuse(name, "expected N, the radius, and the width and height of the box");
    if (system->count < 1)
        return refuse(name, "N must be at least 1");
    system->particles = calloc((size_t)system->count, sizeof *system->particles);
    if (!system->particles)
        return refuse(name, "there is not enough memory for the particles");
    for (int i = 0; i < system->count; i++) {
        struct particle *p = &system->particles[i];
        if (fscanf(file, "%lf %lf %lf %lf", &p->x, &p->y, &p->u, &p->v) != 4)
            return refuse(name, "expected x, y, u and v of each particle");
    }
    return 0;
}

int system_read(struct system *system, const char *name)
{
    system->particles = NULL;
    FILE *file = fopen(name, "r");
    if (!file)
        return refuse(name, "cannot be opened");
    const int result = read_from(file, system, name);
    fclose(file);
    return result;
}

/* x(time) = x(t) + u (time - t), and so for y */
void particle_move(struct particle *particle, double time)
{
    particle->x += particle->u * (time - particle->t);
    particle->y += particle->v * (time - particle->t);
    particle->t = time;
}

/*
 * The particle touches the wall: rounding must not leave it a little off, so that coordinate is
 * set. The component of the velocity towards the wall is reversed.
 */
void particle_hit_wall(struct particle *particle, const struct system *system, enum wall wall,
                       double time)
{
    particle_move(particle, time);
    if (wall == WALL_LEFT)
        particle->x = system->radius;
    else if (wall == WALL_RIGHT)
        particle->x = system->width - system->radius;
    else if (wall == WALL_BOTTOM)
        particle->y = system->radius;
    else
        particle->y = system->height - system->radius;
    if (wall == WALL_LEFT || wall == WALL_RIGHT)
        particle->u = -particle->u;
    else
        particle->v = -particle->v;
    particle->walls++;
}

/* Two particles of the same mass switch velocities. */
void particle_hit_particle(struct particle *first, struct particle *second, double time)
{
    particle_move(first, time);
    particle_move(second, time);
    const double u = first->u;
    const double v = first->v;
    first->u = second->u;
    first->v = second->v;
    second->u = u;
    second->v = v;
    first->particles++;
    second->particles++;
}

/* "Advance all particle positions": rounding must not take one beyond a wall. */
void system_finish(struct system *system, double end_time)
{
    const double radius = system->radius;
    for (int i = 0; i < system->count; i++) {
        struct particle *p = &system->particles[i];
        particle_move(p, end_time);
        p->x = fmax(radius, fmin(p->x, system->width - radius));
        p->y = fmax(radius, fmin(p->y, system->height - radius));
    }
}
