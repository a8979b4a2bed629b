/* Time-stepped runs of a system; see stepped.h. */
#include "stepped.h"

#include "check.h"
#include "measure.h"
#include "observe/writers.h"
#include "steps/steps.h"
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
    struct steps *steps = run->steps;
    steps->deviation = 0;
    for (size_t k = 0; k < steps->term_count; k++)
        if (steps->terms[k]->kind->act[PHASE_DEVIATION])
            steps->terms[k]->kind->act[PHASE_DEVIATION](steps->terms[k], steps);
    run->end.deviation = steps->deviation;
    return steps_operations.samples.energy(&steps->dynamics, &run->end.kinetic, &run->end.potential,
                                           &run->error);
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

void stepped_check(struct stepped *run, struct system *system)
{
    if (!CHECK(stepped_run(run, system) == STATUS_DONE))
        error_print(&run->error);
}

void stepped_check_scene(struct system *system, const char *parts, double step, double end_time)
{
    struct stepped run = STEPPED(step, 1, .parts = parts, .end_time = end_time);
    stepped_check(&run, system);
}

void stepped_must_run(struct stepped *run, struct system *system)
{
    if (stepped_run(run, system))
        measure_fail(run->error.message);
}

struct system stepped_disks(size_t count, double width, double height)
{
    return arranged_disks(count, 1, width, height, 0);
}

struct system stepped_disks_at(size_t count, double width, double height, const double (*places)[4])
{
    struct system system = stepped_disks(count, width, height);
    for (size_t k = 0; k < count; k++)
        set_particle(&system, k, places[k][0], places[k][1], places[k][2], places[k][3]);
    return system;
}
