/* The observers that the options ask for; see options.h. */
#include "cli/options.h"

#include "cli/signals.h"
#include "input/input.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "option_table.h"
#include "picture/picture.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds since any moment, by a clock that does not go back. */
static double read_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* True if the run must be able to go on from a checkpoint, which its files must allow. */
static int is_resumable(const struct options *options)
{
    return options->checkpoint || options->resume;
}

static int is_checkpoint_resumed(const struct options *options)
{
    struct stat written;
    struct stat read;
    return options->checkpoint && options->resume && stat(options->checkpoint, &written) == 0 &&
           stat(options->resume, &read) == 0 && written.st_dev == read.st_dev &&
           written.st_ino == read.st_ino;
}

/* The title of the animation: INPUT without its directories. */
static const char *name_input(const struct options *options)
{
    const char *slash = options->input ? strrchr(options->input, '/') : NULL;
    if (!options->input)
        return ""; /* the checkpoint has it */
    return slash ? slash + 1 : input_name(options->input);
}

/* What the options ask of all observers; the file of each is its own. */
static struct observer_request request_observers(const struct options *options,
                                                 const struct system *system)
{
    static field_writer *const writers[] = {[FIELDS_CSV] = field_file_write_csv,
                                            [FIELDS_VTK] = field_file_write_vtk,
                                            [FIELDS_VTI] = field_file_write_vti,
                                            [FIELDS_SVG] = field_picture_write};
    struct observer_request request = options->observe;
    request.title = name_input(options);
    request.to = options->end_time;
    request.clock = read_clock;
    request.stream = stderr;
    request.is_terminal = isatty(STDERR_FILENO);
    request.table = options->stats ? stderr : NULL;
    request.schedule = options->schedule;
    request.threads = options->threads;
    request.write_fields = writers[options->fields_format];
    if (options->fields_format == FIELDS_CSV || options->field_names.pattern)
        request.field_interval = request.interval;
    request.has_stream = system->boundary.stream.draw != NULL;
    request.version = PARTICLES_VERSION;
    request.write_report = report_page_write;
    request.interrupt = request.perturbed_runs > 0 ? signals_catch() : NULL;
    request.may_replace = is_checkpoint_resumed(options);
    request.scene = &options->scene;
    return request;
}

struct observer_choice {
    const struct observer_operations *operations;
    const char *file; /* to be checked: it must be written by this one only; or NULL */
    int is_wanted;    /* also without a file to be checked */
    const struct observer **source; /* the report's pointer to it; or NULL */
};

enum { KINDS = 13 };

/* Checks that each file, FILE.part included, is written by one option only, and none is read. */
static enum status check_names(const struct observer_choice kinds[KINDS],
                               const struct options *options, uint64_t frame_count,
                               struct error *error)
{
    struct output_names names = {.frames = {&options->observe.frame_names, &options->field_names},
                                 .frame_count = frame_count,
                                 .error = error};
    char text[SCENE_TEXT_SIZE]; /* a name that no file after it is compared with */
    const int has_input = options->input && strcmp(options->input, "-") != 0;
    output_names_add(&names, NULL, has_input ? options->input : NULL, "", NULL);
    for (int k = 0; k < KINDS; k++)
        output_names_add(&names, kinds[k].operations->kind.option, kinds[k].file, "", NULL);
    output_names_add(&names, "--resume", options->resume, "", NULL);
    for (int k = 0; k < KINDS && is_resumable(options); k++)
        if (kinds[k].operations->kind.file == FILE_FROM_BEGIN)
            output_names_add(&names, kinds[k].operations->kind.option, kinds[k].file,
                             OUTPUT_FILE_PART, NULL);
    for (const struct config *config = options->config; config; config = config->before)
        output_names_add(&names, NULL, config->name, "", "a file of options");
    for (size_t k = 0; k < options->polygons.count; k++)
        output_names_add(&names, NULL, options->polygons.list[k].name, "", "a file of polygons");
    for (size_t k = 0; k < options->scene.count; k++)
        if (scene_find_file(&options->scene.terms[k], text))
            output_names_add(&names, NULL, text, "", "a file of the scene");
    if (options->field_names.pattern && options->fields_format == FIELDS_VTI) {
        frame_names_list(&options->field_names, text);
        output_names_add(&names, "--fields", text, "", NULL);
    }
    return output_names_free(&names);
}

/* Refuses to write over a file that looks like an INPUT, for the user may have forgotten a name;
 * but a final state may replace that of an earlier run. */
static enum status check_content(const struct observer_choice *kind, struct error *error)
{
    int is_input = 0;
    enum status status = STATUS_DONE;
    if (kind->file && kind->operations != &final_state_operations)
        status = input_recognise(kind->file, &is_input, error);
    if (!is_input)
        return status;
    return error_set(error, STATUS_USAGE,
                     "%s would overwrite '%.4100s', which looks like an INPUT: name another "
                     "file, or remove this one",
                     kind->operations->kind.option, kind->file);
}

static enum status check_files(const struct observer_choice kinds[KINDS],
                               const struct options *options, struct error *error)
{
    const struct frames frames = {options->observe.interval, options->end_time};
    const int has_frames = options->observe.frame_names.pattern || options->field_names.pattern;
    const uint64_t count = has_frames ? frames_first(&frames, options->end_time) + 1 : 0;
    enum status status = check_names(kinds, options, count, error);
    for (int k = 0; k < KINDS && !status; k++)
        status = check_content(&kinds[k], error);
    return status;
}

enum status observe_create(const struct options *options, const struct system *system,
                           struct observers *observers, struct error *error)
{
    const int has_progress =
        !options->observe.is_quiet && (options->progress || isatty(STDERR_FILENO));
    const char *checkpoint = is_checkpoint_resumed(options) ? NULL : options->checkpoint;
    /* In the order in which they finish: --stats after --progress, so that the line of progress has
     * gone from the terminal before the table comes; --report after all that it shows;
     * --sensitivity when all files of the run are complete; --checkpoint last (observers.h). */
    struct observer_request request = request_observers(options, system);
    struct report_sources *sources = &request.sources;
    const struct observer_choice kinds[KINDS] = {
        {&event_log_operations, options->events, 0, NULL},
        {&trajectory_operations, options->trajectory, 0, NULL},
        {&structure_operations, options->structure, 0, &sources->structure},
        {&fields_operations, options->fields, 0, &sources->fields},
        {&forces_operations, options->forces, 0, &sources->forces},
        {&picture_operations, options->picture, 0, NULL},
        {&final_state_operations, options->final_state, 0, NULL},
        {&animation_operations, options->animation, 0, NULL},
        {&progress_operations, NULL, has_progress, NULL},
        {&statistics_operations, options->stats_file, options->stats || options->report,
         &sources->statistics},
        {&report_operations, options->report, 0, NULL},
        {&sensitivity_operations, options->sensitivity_file, options->observe.perturbed_runs > 0,
         NULL},
        {&checkpoint_operations, checkpoint, options->checkpoint != NULL, NULL},
    };
    enum status status = check_files(kinds, options, error);
    observers->warn = error_print;
    observers->is_quiet = options->observe.is_quiet;
    for (int k = 0; k < KINDS && !status; k++) {
        const struct observer_operations *operations = kinds[k].operations;
        struct observer *observer = NULL;
        request.name = operations == &checkpoint_operations ? options->checkpoint : kinds[k].file;
        request.frame_names = operations == &picture_operations  ? options->observe.frame_names
                              : operations == &fields_operations ? options->field_names
                                                                 : (struct frame_names){0};
        if (kinds[k].file || kinds[k].is_wanted)
            status = observer_create(operations, &request, &observer, error);
        if (!observer)
            continue;
        if (kinds[k].source)
            *kinds[k].source = observer;
        /* A run with --stats is resumed only with it, and one without not. */
        if (operations == &statistics_operations && !request.name && !request.table)
            observer->option = "--report";
        observer->is_resumable = is_resumable(options);
        observers_add(observers, observer);
    }
    if (!status && observers->count > 0)
        observers->interrupt = signals_catch();
    return status;
}

const char *observe_saved(const struct options *options, const struct observers *observers)
{
    /* The observer that writes checkpoints is the last one. */
    if (options->checkpoint && observers->count > 0 &&
        observers->list[observers->count - 1]->is_saved)
        return options->checkpoint;
    return options->resume;
}

enum status observe_verdict(const struct observers *observers)
{
    enum status verdict = STATUS_DONE;
    for (size_t k = 0; k < observers->count && !verdict; k++)
        verdict = observers->list[k]->verdict;
    return verdict;
}

void observe_end(const struct options *options, struct error *error)
{
    char path[OUTPUT_PATH_SIZE]; /* of the checkpoint itself, where its name is a link */
    if (!options->checkpoint)
        return;
    (void)fsync(STDOUT_FILENO); /* the answer, if it goes to a file */
    if (output_path_follow(options->checkpoint, path, error) == STATUS_DONE)
        (void)unlink(path);
}

void observe_free(struct observers *observers)
{
    observers_free(observers);
    signals_release();
}
