/*
 * `particles INPUT END_TIME` moves particles from collision to collision, and prints where each one
 * is at END_TIME and how often it has collided. --resume=FILE goes on with such a run; --generate=N
 * prints an INPUT.
 */
#include "cli/generated_input.h"
#include "cli/help.h"
#include "cli/input.h"
#include "cli/observe.h"
#include "cli/options.h"
#include "cli/signals.h"
#include "io/text.h"
#include "observe/checkpoint.h"
#include "observe/output.h"
#include "run/simulation.h"
#include "steps/steps.h"

/* Makes the system and the observers: from INPUT, or from the checkpoint of an earlier run. */
static enum status prepare(struct options *options, struct system *system, struct steps **steps,
                           struct observers *observers, struct error *error)
{
    struct record_reader checkpoint = {0};
    const struct input_threads threads = {.run = options->threads};
    system->law = options->law;
    system->boundary.periodic = options->periodic;
    system->boundary.stream = options->stream;
    enum status status =
        options->resume ? checkpoint_read_system(&checkpoint, options->resume, system,
                                                 &options->end_time, &options->scene, error)
                        : input_read_threaded(options->input, options->schedule, &options->polygons,
                                              options->scene.step > 0, &threads, system, error);
    options->stream = system->boundary.stream; /* of the checkpoint, too */
    if (!status && options->scene.step > 0)
        status = steps_create(&options->scene, system, options->end_time, options->resume != NULL,
                              steps, error);
    if (!status && *steps)
        observers_add(observers, steps_observer(*steps));
    if (!status)
        status = observe_create(options, observers, error);
    if (!status && options->resume)
        status = checkpoint_read_observers(&checkpoint, observers, system, error);
    record_close(&checkpoint);
    return status;
}

/* Moves the system from event to event, or step by step. */
static enum status run(const struct options *options, struct system *system, struct steps *steps,
                       struct observers *observers, struct error *error)
{
    struct schedule *schedule = NULL;
    if (steps)
        return steps_run(steps, observers, error);
    enum status status = schedule_create_threaded(options->schedule, system, options->end_time,
                                                  &options->threads, &schedule, error);
    if (!status)
        status = simulation_run(system, schedule, options->end_time, observers, error);
    schedule_free(schedule);
    return status;
}

/* Simulates: reads, runs, writes. Each step is done only if those before it have succeeded. */
static enum status simulate(struct options *options, struct error *error)
{
    struct system system = {0};
    struct steps *steps = NULL;
    struct observers observers = {0};

    enum status status = prepare(options, &system, &steps, &observers, error);
    if (!status)
        status = observers_begin(&observers, &system, error);
    if (!status) {
        status = run(options, &system, steps, &observers, error);
        if (status == STATUS_BAD_DATA)
            error_locate(error, options->resume ? options->resume : input_name(options->input), 0);
    }
    system_restore_order(&system);
    if (!status)
        status = observers_finish(&observers, &system, options->end_time, error);
    const char *saved = observe_saved(options, &observers);
    const enum status verdict = observe_verdict(&observers);
    observe_free(&observers);
    if (!status)
        status = output_write_threaded(&system, options->end_time, &options->threads,
                                       signals_catch_late(), stdout, "standard output", error);
    if (!status)
        observe_end(options);
    else if (status == STATUS_CANNOT_WRITE && saved)
        error_append(error,
                     ": to go on when it can be written, give --resume=%.4100s and the same files",
                     saved);
    if (!status && verdict == STATUS_UNSTABLE)
        status = error_set(error, verdict, "the input does not determine the printed answer");

    system_free(&system);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error;

    signals_prepare();
    enum status status = options_parse(argc, argv, &options, &error);
    if (!status && options.help)
        status = help_write(stdout, "standard output", &error);
    else if (!status && options.version)
        status = help_write_version(stdout, "standard output", &error);
    else if (!status && options.generate)
        status = generated_input_write(&options, &error);
    else if (!status)
        status = simulate(&options, &error);
    if (!status)
        status = text_close(stdout, "standard output", &error);
    options_free(&options);

    if (status) {
        error_print(&error);
        if (status != STATUS_UNSTABLE) /* then the answer is complete */
            signals_end();
    }
    return (int)status;
}
