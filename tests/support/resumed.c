/*
 * Running systems as the command does; see resumed.h.
 */
#include "resumed.h"

#include "base/memory.h"
#include "cli/observe.h"
#include "observe/checkpoint.h"
#include "random_system.h"
#include "run/simulation.h"
#include "steps/steps.h"

struct options resumed_options(enum schedule_kind schedule, double end_time, double every)
{
    static char name[] = "particles";
    static char *arguments[] = {name, NULL};
    return (struct options){.quiet = 1,
                            .schedule = schedule,
                            .input = "input.txt",
                            .end_time = end_time,
                            .events = "events",
                            .trajectory = "frames",
                            .structure = "structure",
                            .every = every,
                            .fields = "fields.csv",
                            .fields_grid = {3, 2},
                            .forces = "forces",
                            .stats = 1,
                            .stats_file = "stats",
                            .picture = "picture",
                            .animation = "page",
                            .report = "report",
                            .arguments = arguments,
                            .final_state = "final",
                            .checkpoint = "saved",
                            .checkpoint_every = 1e9};
}

/* Begins a run, or takes it up; with its steps, if it has some. */
static enum status begin(struct resumed *run, struct observers *observers, struct stopper *stopper,
                         struct steps **steps)
{
    struct record_reader reader = {0};
    struct options *options = &run->options;
    enum status status = STATUS_DONE;
    if (options->resume)
        status = checkpoint_read_system(&reader, options->resume, &run->system, &options->end_time,
                                        &options->scene, &run->error);
    options->stream = run->system.boundary.stream;
    if (!status && options->scene.step > 0)
        status = steps_create(&options->scene, &run->system, options->end_time,
                              options->resume != NULL, steps, &run->error);
    if (!status && *steps)
        observers_add(observers, steps_observer(*steps));
    if (!status)
        status = observe_create(options, observers, &run->error);
    observers->interrupt = &stopper->flag; /* not that of the signals */
    if (!status && options->resume)
        status = checkpoint_read_observers(&reader, observers, &run->system, &run->error);
    record_close(&reader);
    return status ? status : observers_begin(observers, &run->system, &run->error);
}

void resumed_run(struct resumed *run, const struct options *options, const struct system *system,
                 struct told stop)
{
    struct stopper stopper;
    struct observers observers = {0};
    struct schedule *schedule = NULL;
    struct steps *steps = NULL;
    *run = (struct resumed){.options = *options};
    if (system)
        run->system = system_copy(system);
    else
        run->options.resume = "saved";
    if (run->options.resume)
        run->options.scene = (struct scene){0}; /* the checkpoint has it */
    stopper_join(&stopper, stop, &observers);
    run->status = begin(run, &observers, &stopper, &steps);
    double end_time = run->options.end_time;
    if (!run->status && steps)
        run->status = steps_run(steps, &observers, &run->error);
    else if (!run->status)
        run->status =
            schedule_create(options->schedule, &run->system, end_time, &schedule, &run->error);
    if (!run->status && schedule)
        run->status = simulation_run(&run->system, schedule, end_time, &observers, &run->error);
    system_restore_order(&run->system);
    if (!run->status)
        run->status = observers_finish(&observers, &run->system, end_time, &run->error);
    observe_free(&observers);
    if (!run->status)
        observe_end(&run->options);
    run->told = stopper.told;
    schedule_free(schedule);
}

void resumed_free(struct resumed *run)
{
    system_free(&run->system);
    if (run->options.resume)
        scene_free(&run->options.scene);
}
