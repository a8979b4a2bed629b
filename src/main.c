/*
 * particles INPUT END_TIME: reads particles, moves them from collision to collision up to
 * END_TIME, and prints where each one ends and how often it collided. Or particles --generate=N:
 * makes up particles and prints an INPUT.
 */
#include "help.h"
#include "input.h"
#include "interrupt.h"
#include "observe.h"
#include "options.h"
#include "output.h"
#include "simulation.h"
#include "streams.h"
#include "text.h"

/* What the command is for; every step only if those before it succeeded. */
static enum status simulate(const struct options *options, struct error *error)
{
    struct system system = {0};
    struct schedule *schedule = NULL;
    struct observers observers = {0};

    enum status status =
        input_read(options->input, options->schedule, &options->law, &system, error);
    if (!status)
        status = observe_create(options, &observers, error);
    if (!status)
        status = observers_begin(&observers, &system, error);
    if (!status)
        status = schedule_create(options->schedule, &system, options->end_time, &schedule, error);
    if (!status) {
        status = simulation_run(&system, schedule, options->end_time, &observers, error);
        if (status == STATUS_BAD_DATA)
            error_locate(error, options->input, 0);
    }
    schedule_free(schedule);
    system_restore_order(&system);
    if (!status)
        status = observers_finish(&observers, &system, options->end_time, error);
    observe_free(&observers);
    if (!status)
        status = output_write(&system, options->end_time, stdout, "standard output", error);

    system_free(&system);
    return status;
}

/* What the command does with --generate. */
static enum status generate(const struct options *options, struct error *error)
{
    struct system system = {0};
    enum status status = generate_system(&options->request, &system, error);
    if (!status)
        status = generate_write(&options->request, &system, stdout, "standard output", error);
    system_free(&system);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error;

    streams_prepare();
    enum status status = options_parse(argc, argv, &options, &error);
    if (!status && options.help)
        status = help_write(stdout, "standard output", &error);
    else if (!status && options.version)
        status = help_write_version(stdout, "standard output", &error);
    else if (!status && options.generate)
        status = generate(&options, &error);
    else if (!status)
        status = simulate(&options, &error);
    if (!status)
        status = text_close(stdout, "standard output", &error);

    if (status) {
        error_print(&error);
        interrupt_end();
    }
    return (int)status;
}
