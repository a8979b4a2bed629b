/* Time-stepped runs of a system; see stepped.h. */
#include "stepped.h"

#include "check.h"
#include "measure.h"
#include "observe/observers.h"
#include "steps/term.h"

/* Adds the lines of a text to a scene. */
static enum status add_parts(struct steps_settings *scene, const char *parts, struct error *error)
{
    static const char constraint[] = "constraint ";
    static const char interaction[] = "interaction ";
    enum status status = STATUS_DONE;
    while (*parts && !status) {
        char line[1000];
        const size_t length = strcspn(parts, "\n");
        if (length >= sizeof line)
            return STATUS_USAGE;
        memcpy(line, parts, length);
        line[length] = '\0';
        const int is_constraint = strncmp(line, constraint, sizeof constraint - 1) == 0;
        status = steps_settings_add(
            scene, is_constraint,
            line + (is_constraint ? sizeof constraint : sizeof interaction) - 1, error);
        parts += length + (parts[length] == '\n');
    }
    return status;
}

/* Calls `look` of a run. */
struct looker {
    struct observer observer;
    struct stepped *run;
    double looks; /* that have been */
};

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct looker *looker = (struct looker *)observer;
    (void)error;
    looker->run->sample(looker->run->context, snapshot);
    looker->looks++;
    observer->next_sample = looker->looks * looker->run->every;
    return STATUS_DONE;
}

/* It stands in a variable. */
static void keep(struct observer *observer)
{
    (void)observer;
}

static enum status stepped_measure(struct stepped *run)
{
    run->end.deviation = steps_deviation(run->steps);
    return steps_energy(&run->steps->dynamics, &run->end.kinetic, &run->end.potential, &run->error);
}

enum status stepped_run(struct stepped *run, struct system *system)
{
    static const struct observer_operations operations = {.sample = look, .free = keep};
    struct steps_settings scene = {
        .step = run->step, .substeps = run->substeps, .threads = run->threads, .seed = run->seed};
    struct observers observers = {0};
    struct looker looker = {
        {.operations = &operations, .next_sample = run->every > 0 ? 0 : (double)INFINITY}, run, 0};
    enum status status = add_parts(&scene, run->parts, &run->error);
    if (!status)
        status = steps_create(&scene, system, 0, &observers.dynamics, &run->error);
    struct dynamics *dynamics = observers.dynamics;
    run->steps = (struct steps *)dynamics;
    if (!status) {
        observers_add(&observers, &looker.observer);
        status = observers_begin(&observers, system, &run->error);
    }
    if (!status)
        status = dynamics->operations->advance(dynamics, run->end_time, &observers, &run->error);
    if (!status)
        status = observers_finish(&observers, system, run->end_time, &run->error);
    if (!status)
        status = stepped_measure(run);
    observers_free(&observers);
    dynamics_free(dynamics);
    steps_settings_free(&scene);
    run->steps = NULL;
    return status;
}

void stepped_must_run(struct stepped *run, struct system *system)
{
    if (stepped_run(run, system))
        measure_fail(run->error.message);
}

struct system stepped_disks(size_t count, double width, double height)
{
    struct system system = {.count = count,
                            .radius = 1,
                            .boundary = {.width = width, .height = height},
                            .law = {.rule = RULE_ELASTIC, .restitution = 1}};
    must(system_reserve(&system, 0, count, &failure));
    return system;
}

void stepped_place(struct system *system, size_t k, double x, double y, double u, double v)
{
    struct particle *p = &system->particles[k];
    p->x = x;
    p->y = y;
    p->u = u;
    p->v = v;
}
