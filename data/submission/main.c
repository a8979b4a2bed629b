/*
 * particles INPUT END_TIME: moves the particles of a file from collision to collision up to a time,
 * and prints where each one ends and how often it collided (assignment, "Specifications").
 */
#include "model/physics.h"
#include "schedules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads N, the radius, the box and N particles. */
static enum status read_system(const char *name, struct system *system, struct error *error)
{
    FILE *file = fopen(name, "r");
    int read = file ? fscanf(file, "%zu %lf %lf %lf", &system->count, &system->radius,
                             &system->boundary.width, &system->boundary.height)
                    : 0;
    enum status status = read == 4 ? system_reserve(system, 0, system->count, error)
                                   : error_set(error, STATUS_NO_INPUT, "cannot read '%s'", name);
    for (size_t k = 0; k < system->count && !status; k++) {
        struct particle *p = &system->particles[k];
        if (fscanf(file, "%lf %lf %lf %lf", &p->x, &p->y, &p->u, &p->v) != 4)
            status = error_set(error, STATUS_BAD_DATA, "'%s' ends before particle %zu", name, k);
    }
    if (file)
        fclose(file);
    return status;
}

int main(int argc, char **argv)
{
    struct system system = {0};
    struct schedule *schedule = NULL;
    struct error error;
    struct event event;
    if (argc != 3) {
        fprintf(stderr, "usage: particles INPUT END_TIME\n");
        return STATUS_USAGE;
    }
    const double end_time = strtod(argv[2], NULL);
    enum status status = read_system(argv[1], &system, &error);
    if (!status)
        status = textbook_create(&system, end_time, &schedule, &error);
    while (!status && schedule_next(schedule, &event)) {
        physics_resolve(&system, &event);
        schedule_update(schedule, &event);
    }
    for (size_t k = 0; k < system.count && !status; k++) {
        double x, y;
        physics_position(&system, k, end_time, &x, &y);
        printf("%.6f, %.6f, %" PRIu64 ", %" PRIu64 "\n", x, y, system.counts[k].walls,
               system.counts[k].particles);
    }
    if (status)
        error_print(&error);
    schedule_free(schedule);
    system_free(&system);
    return (int)status;
}
