/*
 * `particles INPUT END_TIME` moves particles from collision to collision, and prints where each one
 * is at END_TIME and how often it has collided. --resume=FILE goes on with such a run; --generate=N
 * prints an INPUT.
 */
#include "cli/options.h"
#include "generate/generate.h"
#include "io/text.h"
#include "library/engine.h"
#include "observe/writers.h"

#include <math.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Blocks of more than 64 kB go back to the system at once, where the C library can: when threads
 * end because memory is short, one thread needs theirs. The process is the command's to change. */
static void return_blocks(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
#endif
}

/* Moves the particles to END_TIME, and completes what observers write. */
static enum status run(struct engine *engine, struct error *error)
{
    double *end_time = &engine->options.run.to;
    const struct dynamics_operations *operations = engine->dynamics->operations;
    enum status status = engine_advance(engine, *end_time, error);
    if (engine->observers.count > 0 && operations->traits.has_schedule)
        operations->rest(engine->dynamics, error); /* they add up in the order of the numbers */
    else if (operations->end)
        operations->end(engine->dynamics);
    if (!status && engine->dynamics->is_over) {
        *end_time = system_last_time(&engine->system);
        status = observers_end(&engine->observers, &engine->system, *end_time, error);
    } else if (!status && engine->system.boundary.growth > 0) { /* frames up to the end see it */
        status = observers_sample(&engine->observers, &engine->system,
                                  nextafter(*end_time, (double)INFINITY), error);
    }
    system_end_growth(&engine->system, *end_time);
    return status ? status
                  : observers_finish(&engine->observers, &engine->system, *end_time, error);
}

/* Simulates: reads, runs, prints. Each step is done only if those before it have succeeded. */
static enum status simulate(struct engine *engine, struct error *error)
{
    struct options *options = &engine->options;
    if (options->run.threads.count != 1)
        return_blocks();
    enum status status = engine_create(engine, error);
    if (!status)
        status = option_observers_create(options, &engine->system, &engine->observers, error);
    if (!status)
        status = engine_begin(engine, error);
    if (!status)
        status = run(engine, error);
    const char *saved = option_observers_saved(options, &engine->observers);
    const enum status verdict = option_observers_verdict(&engine->observers);
    option_observers_free(&engine->observers);
    if (!status)
        status = output_write(&engine->system, options->run.to, &options->run.threads,
                              signals_catch_late(), stdout, "standard output", error);
    if (!status)
        option_observers_end(options, error);
    else if (status == STATUS_CANNOT_WRITE && saved)
        error_append(error,
                     ": to go on when it can be written, give --resume=%.4100s and the same files",
                     saved);
    if (!status && verdict == STATUS_UNSTABLE)
        status = error_set(error, verdict, "the input does not determine the printed answer");
    engine_free(engine);
    return status;
}

int main(int argc, char **argv)
{
    static struct engine engine; /* large for a stack, as is the error */
    static struct error error;
    struct options *options = &engine.options;

    signals_prepare();
    enum status status = options_parse(argc, argv, options, &error);
    options->polygons.warn = options->is_quiet ? NULL : error_print;
    options->request.grow = options->is_disordered ? engine_grow : NULL;
    if (!status && options_ask_for_text(options))
        status = options_write_text(options, stdout, "standard output", &error);
    else if (!status && options->generate)
        status = generate_input(&options->request, &options->polygons, stdout,
                                options->is_quiet ? NULL : stderr, &error);
    else if (!status)
        status = simulate(&engine, &error);
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
