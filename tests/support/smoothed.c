/*
 * Fluids for tests; see smoothed.h.
 */
#include "smoothed.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>

struct system smoothed_block(double width, double height, unsigned periodic, double spacing,
                             size_t columns, size_t rows)
{
    struct error error;
    struct system system = {.count = columns * rows,
                            .radius = spacing / 4,
                            .boundary = {.width = width, .height = height, .periodic = periodic},
                            .kind_count = 1};
    system.kinds = memory_allocate(1, sizeof *system.kinds, "a kind", &error);
    if (!system.kinds || system_reserve(&system, 0, system.count, &error))
        exit(EXIT_FAILURE);
    system.kinds[0] = (struct kind){.radius = spacing / 4, .mass = spacing * spacing};
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = ((double)(k % columns) + 0.5) * spacing;
        p->y = ((double)(k / columns) + 0.5) * spacing;
    }
    return system;
}

/* An observer that calls `see`. */
struct watcher {
    struct observer observer; /* the first member: see observer.h */
    const struct smoothed *run;
    const struct steps *steps;
    uint64_t looks;
};

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct watcher *watcher = (struct watcher *)observer;
    const struct smoothed *run = watcher->run;
    (void)error;
    run->see(run->context, snapshot, sph_of(watcher->steps));
    observer->next_look = (double)(++watcher->looks + 1) * run->every;
    return STATUS_DONE;
}

static void free_nothing(struct observer *observer)
{
    (void)observer;
}

enum status smoothed_run(const struct smoothed *run, struct system *system, struct error *error)
{
    static const struct observer_operations operations = {.look = look, .free = free_nothing};
    struct watcher watcher = {.observer = {.operations = &operations, .next_look = run->every},
                              .run = run};
    struct scene scene = {.step = run->step, .substeps = 1};
    struct observers observers = {0};
    struct steps *steps = NULL;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < sizeof run->parts / sizeof *run->parts && run->parts[k] && !status; k++)
        status = scene_add(&scene, 0, run->parts[k], error);
    if (!status)
        status = steps_create(&scene, system, run->end_time, 0, &steps, error);
    watcher.steps = steps;
    if (steps)
        observers_add(&observers, steps_observer(steps));
    if (run->every > 0)
        observers_add(&observers, &watcher.observer);
    if (!status)
        status = observers_begin(&observers, system, error);
    if (!status)
        status = steps_run(steps, &observers, error);
    observers_free(&observers);
    scene_free(&scene);
    return status;
}
