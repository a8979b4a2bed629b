/* The observers that the options ask for; see options.h. */
#include "cli/options.h"

#include "input/input.h"
#include "io/output_file.h"
#include "option_table.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if the run must be able to go on from a checkpoint, which its files must allow. */
static int is_resumable(const struct options *options)
{
    return options->checkpoint.output.name || options->resume;
}

static int is_checkpoint_resumed(const struct options *options)
{
    struct stat written, read;
    return options->checkpoint.output.name && options->resume &&
           stat(options->checkpoint.output.name, &written) == 0 &&
           stat(options->resume, &read) == 0 && written.st_dev == read.st_dev &&
           written.st_ino == read.st_ino;
}

/* The title of the animation: INPUT without its directories. */
static const char *name_input(const struct options *options)
{
    if (!options->input)
        return ""; /* the checkpoint has it */
    const char *slash = strrchr(options->input, '/');
    return slash ? slash + 1 : input_name(options->input);
}

/* The observers, in the order in which they finish: --stats after --progress, so that the line of
 * progress has gone from the terminal before the table comes; --report after all that it shows;
 * --sensitivity when all files of the run are complete; --checkpoint last (writers.h). */
static const struct observer_choice {
    const struct observer_operations *operations;
    size_t settings; /* where its settings are in struct options */
} kinds[] = {
    {&event_log_operations, offsetof(struct options, events)},
    {&trajectory_operations, offsetof(struct options, trajectory.output)},
    {&structure_operations, offsetof(struct options, structure)},
    {&fields_operations, offsetof(struct options, fields.output)},
    {&forces_operations, offsetof(struct options, forces)},
    {&picture_operations, offsetof(struct options, picture.output)},
    {&final_state_operations, offsetof(struct options, final_state)},
    {&animation_operations, offsetof(struct options, animation)},
    {&progress_operations, offsetof(struct options, progress)},
    {&statistics_operations, offsetof(struct options, stats.output)},
    {&report_operations, offsetof(struct options, report.output)},
    {&sensitivity_operations, offsetof(struct options, sensitivity.output)},
    {&checkpoint_operations, offsetof(struct options, checkpoint.output)},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const struct output_settings *settings_of(const struct options *options, int kind)
{
    return (const void *)((const char *)options + kinds[kind].settings);
}

/* The file that must be written by this observer only; the checkpoint of which a run is resumed may
 * be. */
static const char *file_of(const struct options *options, int kind)
{
    return kinds[kind].operations == &checkpoint_operations && options->checkpoint.may_replace
               ? NULL
               : settings_of(options, kind)->name;
}

/* Completes the settings that are not given by one option. */
static void complete_settings(struct options *options, const struct system *system)
{
    options->run.title = name_input(options);
    options->run.clock = options_read_clock;
    options->run.errors = stderr;
    options->run.is_terminal = isatty(STDERR_FILENO);
    options->progress.is_wanted =
        !options->is_quiet && (options->progress.is_wanted || options->run.is_terminal);
    options->stats.table = options->stats.output.is_wanted ? stderr : NULL;
    options->stats.output.is_wanted |= options->report.output.name != NULL;
    options->picture.has_stream = system->boundary.stream.draw != NULL;
    options->sensitivity.output.is_wanted = options->sensitivity.runs > 0;
    options->checkpoint.may_replace = is_checkpoint_resumed(options);
    options->checkpoint.steps = &options->steps;
    options->checkpoint.lattice = &options->lattice;
}

/* Checks that each file, FILE.part included, is written by one option only, and none is read. */
static enum status check_names(const struct options *options, uint64_t frame_count,
                               struct error *error)
{
    struct output_names names = {
        .frames = {&options->picture.output.frames, &options->fields.output.frames},
        .frame_count = frame_count,
        .error = error};
    char text[SETTING_SIZE]; /* a name that no file after it is compared with */
    const int has_input = options->input && strcmp(options->input, "-") != 0;
    output_names_add(&names, NULL, has_input ? options->input : NULL, "", NULL);
    for (int k = 0; k < KINDS; k++)
        output_names_add(&names, kinds[k].operations->kind.option, file_of(options, k), "", NULL);
    output_names_add(&names, "--resume", options->resume, "", NULL);
    for (int k = 0; k < KINDS && is_resumable(options); k++)
        if (kinds[k].operations->kind.file == FILE_FROM_BEGIN)
            output_names_add(&names, kinds[k].operations->kind.option, file_of(options, k),
                             OUTPUT_FILE_PART, NULL);
    for (const struct config *config = options->config; config; config = config->before)
        output_names_add(&names, NULL, config->name, "", "a file of options");
    for (size_t k = 0; k < options->polygons.count; k++)
        output_names_add(&names, NULL, options->polygons.list[k].name, "", "a file of polygons");
    for (size_t k = 0; k < options->steps.count; k++)
        if (steps_text_file(&options->steps.terms[k], text))
            output_names_add(&names, NULL, text, "", "a file of the scene");
    if (options->fields.output.frames.pattern && options->fields.write == field_file_write_vti) {
        output_pattern_list(&options->fields.output.frames, text);
        output_names_add(&names, "--fields", text, "", NULL);
    }
    return output_names_free(&names);
}

/* Refuses to write over a file that looks like an INPUT, for the user may have forgotten a name;
 * but a final state may replace that of an earlier run. */
static enum status check_content(const struct options *options, int kind, struct error *error)
{
    const struct observer_operations *operations = kinds[kind].operations;
    const char *file = file_of(options, kind);
    int is_input = 0;
    enum status status = STATUS_DONE;
    if (file && operations != &final_state_operations)
        status = input_recognise(file, &is_input, error);
    if (!is_input)
        return status;
    return error_set(error, STATUS_USAGE,
                     "%s would overwrite '%.4100s', which looks like an INPUT: name another "
                     "file, or remove this one",
                     operations->kind.option, file);
}

static enum status check_files(const struct options *options, struct error *error)
{
    const struct frames frames = {options->run.interval, options->run.to};
    const int has_frames =
        options->picture.output.frames.pattern || options->fields.output.frames.pattern;
    const uint64_t count = has_frames ? frames_first(&frames, options->run.to) + 1 : 0;
    enum status status = check_names(options, count, error);
    for (int k = 0; k < KINDS && !status; k++)
        status = check_content(options, k, error);
    return status;
}

enum status option_observers_create(struct options *options, const struct system *system,
                                    struct observers *observers, struct error *error)
{
    complete_settings(options, system);
    enum status status = check_files(options, error);
    observers->warn = error_print;
    observers->is_quiet = options->is_quiet;
    for (int k = 0; k < KINDS && !status; k++) {
        const struct output_settings *settings = settings_of(options, k);
        struct observer *observer = NULL;
        if (settings->name || settings->is_wanted)
            status =
                observer_create(kinds[k].operations, &options->run, settings, &observer, error);
        if (!observer)
            continue;
        /* A run with --stats is resumed only with it, and one without not. */
        if (settings == &options->stats.output && !settings->name && !options->stats.table)
            observer->option = "--report";
        observer->is_resumable = is_resumable(options);
        observers_add(observers, observer);
    }
    if (!status && observers->count > 0)
        observers->interrupt = signals_catch();
    return status;
}

const char *option_observers_saved(const struct options *options, const struct observers *observers)
{
    /* The observer that writes checkpoints is the last one. */
    if (options->checkpoint.output.name && observers->count > 0 &&
        observers->list[observers->count - 1]->is_saved)
        return options->checkpoint.output.name;
    return options->resume;
}

enum status option_observers_verdict(const struct observers *observers)
{
    enum status verdict = STATUS_DONE;
    for (size_t k = 0; k < observers->count && !verdict; k++)
        verdict = observers->list[k]->verdict;
    return verdict;
}

void option_observers_end(const struct options *options, struct error *error)
{
    char path[OUTPUT_PATH_SIZE]; /* of the checkpoint itself, where its name is a link */
    if (!options->checkpoint.output.name)
        return;
    (void)fsync(STDOUT_FILENO); /* the answer, if it goes to a file */
    if (output_path_follow(options->checkpoint.output.name, path, error) == STATUS_DONE)
        (void)unlink(path);
}

void option_observers_free(struct observers *observers)
{
    observers_free(observers);
    signals_release();
}
