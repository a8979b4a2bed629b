/*
 * The particles: disks of one radius and one mass in a box from (0, 0) to (width, height).
 */
#ifndef PARTICLE_H
#define PARTICLE_H

/* A particle: its position and velocity, when these were last updated, and what it collided with.
 */
struct particle {
    double x, y;   /* its centre */
    double u, v;   /* its velocity */
    double t;      /* the time of its last update: its last collision, or 0 */
    int walls;     /* its collisions with walls, */
    int particles; /* and with other particles */
};

/* The four walls, as a potential collision has them in place of a second particle. */
enum wall { WALL_LEFT = -1, WALL_RIGHT = -2, WALL_BOTTOM = -3, WALL_TOP = -4 };

/* The input file. */
struct system {
    int count;     /* N, the particles have the numbers 0 to N - 1 */
    double radius; /* of each particle */
    double width, height;
    struct particle *particles; /* an array of `count`, allocated; to be freed */
};

/* Reads a system from a file. Returns 0; or -1, having said on standard error what is wrong. */
int system_read(struct system *system, const char *name);

/* Moves a particle along its path, which is straight until its next collision, to `time`. */
void particle_move(struct particle *particle, double time);

/* What a collision with a wall does to a particle, and one of two particles to both. */
void particle_hit_wall(struct particle *particle, const struct system *system, enum wall wall,
                       double time);
void particle_hit_particle(struct particle *first, struct particle *second, double time);

/* Advances all particles to the end time. */
void system_finish(struct system *system, double end_time);

#endif
