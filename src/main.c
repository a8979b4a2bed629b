/*
 * `particles INPUT END_TIME` moves particles from collision to collision, and prints where each one
 * is at END_TIME and how often it has collided. --resume=FILE goes on with such a run; --generate=N
 * prints an INPUT.
 */
#include "cli/options.h"
#include "cli/signals.h"
#include "generate/generate.h"
#include "input/input.h"
#include "io/text.h"
#include "lattice/lattice.h"
#include "observe/observers.h"
#include "run/simulation.h"
#include "steps/steps.h"

struct run {
    struct options options;
    struct system system;
    struct dynamics *dynamics;
    struct observers observers;
};

static enum status main_read(struct run *run, struct record *checkpoint, struct error *error)
{
    struct options *options = &run->options;
    const struct input_request request = {.path = options->input,
                                          .schedule = options->run.schedule,
                                          .polygons = &options->polygons,
                                          .walls = &options->walls,
                                          .may_overlap = options->steps.step > 0 ||
                                                         options->lattice.columns > 0,
                                          .threads = options->run.threads};
    if (options->resume)
        return checkpoint_read_system(checkpoint, options->resume, &run->system, &options->run.to,
                                      &options->steps, &options->lattice, error);
    run->system.law = options->law;
    if (options->lattice.columns > 0) /* nothing collides, so any masses will do */
        run->system.law.rule = RULE_ELASTIC;
    run->system.boundary.periodic = options->periodic;
    run->system.boundary.stream = options->stream;
    enum status status = input_read(&request, &run->system, error);
    for (size_t k = 0; k < run->system.count && !status && options->reverse; k++) {
        run->system.particles[k].u = 0 - run->system.particles[k].u; /* there is no -0 */
        run->system.particles[k].v = 0 - run->system.particles[k].v;
    }
    return status;
}

static enum status main_create_dynamics(struct run *run, struct error *error)
{
    struct options *options = &run->options;
    options->steps.threads = options->lattice.threads = options->run.threads.count;
    if (options->lattice.columns > 0)
        return lattice_create(&options->lattice, &run->system, options->resume != NULL,
                              &run->dynamics, error);
    if (options->steps.step > 0)
        return steps_create(&options->steps, &run->system, options->resume != NULL, &run->dynamics,
                            error);
    return simulation_create(options->run.schedule, &options->run.threads, &run->system,
                             &run->dynamics, error);
}

static enum status main_prepare(struct run *run, struct error *error)
{
    struct record checkpoint = {0};
    enum status status = main_read(run, &checkpoint, error);
    if (!status)
        status = main_create_dynamics(run, error);
    run->observers.dynamics = run->dynamics;
    if (!status)
        status = observe_create(&run->options, &run->system, &run->observers, error);
    if (!status && run->options.resume)
        status = checkpoint_read_observers(&checkpoint, &run->observers, &run->system);
    record_close(&checkpoint);
    return status ? status : observers_begin(&run->observers, &run->system, error);
}

static enum status main_advance(struct run *run, struct error *error)
{
    const struct options *options = &run->options;
    const struct dynamics_operations *operations = run->dynamics->operations;
    enum status status =
        operations->advance(run->dynamics, options->run.to, &run->observers, error);
    if (status == STATUS_BAD_DATA)
        error_locate(error, status, options->resume ? options->resume : input_name(options->input),
                     0);
    if (operations->traits.has_schedule)
        operations->rest(run->dynamics, error);
    return status ? status
                  : observers_finish(&run->observers, &run->system, options->run.to, error);
}

/* Simulates: reads, runs, prints. Each step is done only if those before it have succeeded. */
static enum status simulate(struct run *run, struct error *error)
{
    const struct options *options = &run->options;
    enum status status = main_prepare(run, error);
    if (!status)
        status = main_advance(run, error);
    const char *saved = observe_saved(options, &run->observers);
    const enum status verdict = observe_verdict(&run->observers);
    observe_free(&run->observers);
    if (!status)
        status = output_write(&run->system, options->run.to, &options->run.threads,
                              signals_catch_late(), stdout, "standard output", error);
    if (!status)
        observe_end(options, error);
    else if (status == STATUS_CANNOT_WRITE && saved)
        error_append(error,
                     ": to go on when it can be written, give --resume=%.4100s and the same files",
                     saved);
    if (!status && verdict == STATUS_UNSTABLE)
        status = error_set(error, verdict, "the input does not determine the printed answer");
    dynamics_free(run->dynamics);
    system_free(&run->system);
    return status;
}

int main(int argc, char **argv)
{
    struct run run = {0};
    struct options *options = &run.options;
    static struct error error; /* large for a stack */

    signals_prepare();
    enum status status = options_parse(argc, argv, options, &error);
    options->polygons.warn = options->is_quiet ? NULL : error_print;
    if (!status && (options->help || options->version || options->completion))
        status = options_write_text(options, stdout, "standard output", &error);
    else if (!status && options->generate)
        status = generate_input(&options->request, &options->polygons, stdout,
                                options->is_quiet ? NULL : stderr, &error);
    else if (!status)
        status = simulate(&run, &error);
    if (!status)
        status = text_close(stdout, "standard output", &error);
    options_free(options);

    if (status) {
        error_print(&error);
        if (status != STATUS_UNSTABLE) /* then the answer is complete */
            signals_end();
    }
    return (int)status;
}
