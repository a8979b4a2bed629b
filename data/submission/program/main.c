/*
 * particles INPUT END_TIME: moves the particles of a file from collision to collision up to a time,
 * and prints where each one ends and how often it has collided.
 *
 * Between collisions particles move on straight lines. So the times of all potential collisions are
 * known; the earliest one happens, and changes only those of the particles involved.
 */
#include "event.h"

#include <stdio.h>
#include <stdlib.h>

/* "Processes" a potential collision, the earliest one. */
static void process(struct system *system, struct event event)
{
    struct particle *first = &system->particles[event.a];
    if (event.b < 0)
        particle_hit_wall(first, system, (enum wall)event.b, event.time);
    else
        particle_hit_particle(first, &system->particles[event.b], event.time);
}

/* The simulation up to the end time. Returns 0, or -1 if there is not enough memory. */
static int simulate(struct system *system, double end_time)
{
    struct event *events = events_create(system);
    if (!events) {
        fprintf(stderr, "particles: there is not enough memory for the potential collisions\n");
        return -1;
    }
    while (events[0].time <= end_time) {
        const struct event next = events[0];
        process(system, next);
        events_update(events, system, next);
    }
    system_finish(system, end_time);
    free(events);
    return 0;
}

/* The final position and the counts of collisions with walls and with particles. */
static void print(const struct system *system)
{
    for (int i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        printf("%.6f, %.6f, %d, %d\n", p->x, p->y, p->walls, p->particles);
    }
}

int main(int argc, char **argv)
{
    struct system system;
    char *end;
    const double end_time = argc == 3 ? strtod(argv[2], &end) : -1;
    if (argc != 3 || end == argv[2] || *end != '\0' || !(end_time >= 0 && end_time <= 1e300)) {
        fprintf(stderr, "usage: particles INPUT END_TIME\n");
        return EXIT_FAILURE;
    }
    int result = system_read(&system, argv[1]);
    if (result == 0)
        result = simulate(&system, end_time);
    if (result == 0)
        print(&system);
    free(system.particles);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
