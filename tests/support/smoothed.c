/* Fluids for tests; see smoothed.h. */
#include "smoothed.h"

#include "measure.h"
#include "stepped.h"

struct system smoothed_block(double width, double height, unsigned periodic, double spacing,
                             size_t columns, size_t rows)
{
    struct system system = {.count = columns * rows,
                            .radius = spacing / 4,
                            .boundary = {.width = width, .height = height, .periodic = periodic},
                            .kind_count = 1};
    system.kinds = memory_allocate(1, sizeof *system.kinds, "a kind", &failure);
    if (!system.kinds || system_reserve(&system, system.count, &failure))
        exit(EXIT_FAILURE);
    system.kinds[0] = (struct particle_kind){.radius = spacing / 4, .mass = spacing * spacing};
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = ((double)(k % columns) + 0.5) * spacing;
        p->y = ((double)(k / columns) + 0.5) * spacing;
    }
    return system;
}

/* A run, and what it is for stepped.h. */
struct watched {
    const struct smoothed *run;
    struct stepped stepped;
};

static void look(void *context, const struct snapshot *snapshot)
{
    const struct watched *watched = context;
    if (snapshot->time > 0)
        watched->run->see(watched->run->context, snapshot,
                          &watched->stepped.steps->dynamics.columns[1]);
}

enum status smoothed_run(const struct smoothed *run, struct system *system, struct error *error)
{
    char parts[1000] = "";
    size_t length = 0;
    for (size_t k = 0; k < sizeof run->parts / sizeof *run->parts && run->parts[k]; k++) {
        length += (size_t)snprintf(parts + length, sizeof parts - length, "interaction %s\n",
                                   run->parts[k]);
        if (length >= sizeof parts)
            measure_fail("the interactions are too long");
    }
    struct watched watched = {run,
                              {.step = run->step,
                               .substeps = 1,
                               .parts = parts,
                               .end_time = run->end_time,
                               .every = run->every,
                               .sample = look,
                               .context = &watched}};
    const enum status status = stepped_run(&watched.stepped, system);
    *error = watched.stepped.error;
    return status;
}
