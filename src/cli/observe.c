/* The observers that the options ask for; see observe.h. */
#include "cli/observe.h"

#include "base/memory.h"
#include "cli/signals.h"
#include "input/input.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "observe/checkpoint.h"
#include "observe/fields.h"
#include "observe/observers.h"
#include "observe/report.h"
#include "observe/sensitivity.h"
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

static enum status create_event_log(const struct options *options, struct observer **observer,
                                    struct error *error)
{
    return event_log_create(options->events, &options->threads, observer, error);
}

static enum status create_trajectory(const struct options *options, struct observer **observer,
                                     struct error *error)
{
    return trajectory_create(options->trajectory, options->trajectory_columns, options->every,
                             options->end_time, observer, error);
}

static enum status create_picture(const struct options *options, struct observer **observer,
                                  struct error *error)
{
    const struct picture_request request = {
        .name = options->picture,
        .names = options->picture_frames,
        .interval = options->every,
        .end_time = options->end_time,
        .has_stream = options->stream.draw != NULL,
        .from = options->stats_from,
        .has_paths = options->paths,
        .keeps_top_speed = options->law.rule == RULE_SWAP,
    };
    return picture_create(&request, observer, error);
}

static enum status create_final_state(const struct options *options, struct observer **observer,
                                      struct error *error)
{
    return final_state_create(options->final_state, observer, error);
}

static enum status create_animation(const struct options *options, struct observer **observer,
                                    struct error *error)
{
    return animation_create(options->animation, name_input(options), options->end_time, observer,
                            error);
}

static enum status create_progress(const struct options *options, struct observer **observer,
                                   struct error *error)
{
    return progress_create(options->end_time, stderr, isatty(STDERR_FILENO), read_clock, observer,
                           error);
}

static enum status create_statistics(const struct options *options, struct observer **observer,
                                     struct error *error)
{
    const struct statistics_request request = {
        .name = options->stats_file,
        .table = options->stats ? stderr : NULL,
        .from = options->stats_from,
        .to = options->end_time,
        .reference = options->reference_length,
        .sampled = options->stats ? 0 : STATISTICS_SAMPLED,
        .clock = read_clock,
    };
    return statistics_create(&request, observer, error);
}

static enum status create_structure(const struct options *options, struct observer **observer,
                                    struct error *error)
{
    return structure_create(options->structure, options->stats_from, options->every,
                            options->end_time, observer, error);
}

static enum status create_fields(const struct options *options, struct observer **observer,
                                 struct error *error)
{
    static field_writer *const writers[] = {[FIELDS_CSV] = field_file_write_csv,
                                            [FIELDS_VTK] = field_file_write_vtk,
                                            [FIELDS_SVG] = field_picture_write};
    const struct fields_request request = {
        .name = options->fields,
        .write = writers[options->fields_format],
        .columns = options->fields_grid.columns,
        .rows = options->fields_grid.rows,
        .from = options->stats_from,
        .to = options->end_time,
        .interval = options->fields_format == FIELDS_CSV ? options->every : 0,
        .shown = options->fields_show,
    };
    return fields_create(&request, observer, error);
}

static enum status create_forces(const struct options *options, struct observer **observer,
                                 struct error *error)
{
    const struct forces_request request = {
        .name = options->forces,
        .from = options->stats_from,
        .to = options->end_time,
        .interval = options->every,
        .reference = options->reference_length,
        .is_quiet = options->quiet,
    };
    return forces_create(&request, observer, error);
}

static enum status create_report(const struct options *options, struct observer **observer,
                                 struct error *error)
{
    const struct report_request request = {
        .name = options->report,
        .title = name_input(options),
        .version = PARTICLES_VERSION,
        .arguments = options->arguments,
        .write = report_page_write,
        .from = options->stats_from,
        .to = options->end_time,
    };
    return report_create(&request, observer, error);
}

static enum status create_sensitivity(const struct options *options, struct observer **observer,
                                      struct error *error)
{
    const struct sensitivity_request request = {
        .runs = options->sensitivity,
        .schedule = options->schedule,
        .threads = options->threads.count,
        .end_time = options->end_time,
        .interrupt = signals_catch(),
        .file = options->sensitivity_file,
        .stream = stderr,
        .name = "standard error",
        .has_verdict = options->sensitivity_status,
    };
    return sensitivity_create(&request, observer, error);
}

static enum status create_checkpoint(const struct options *options, struct observer **observer,
                                     struct error *error)
{
    const struct checkpoint_request request = {
        .name = options->checkpoint,
        .may_replace = is_checkpoint_resumed(options),
        .every = options->checkpoint_every,
        .end_time = options->end_time,
        .scene = &options->scene,
        .clock = read_clock,
    };
    return checkpoint_create(&request, observer, error);
}

struct observer_kind {
    const char *option;
    int is_wanted;
    const char *file; /* to be checked: it must be written by this one only; or NULL */
    int has_part;     /* a run that can be resumed writes FILE.part, too */
    enum status (*create)(const struct options *options, struct observer **observer,
                          struct error *error);
    const struct observer **source; /* the report's pointer to it; or NULL */
};

enum { KINDS = 13 };

/* Checks that each file, FILE.part included, is written by one option only, and none is read. */
static enum status check_names(const struct observer_kind kinds[KINDS],
                               const struct options *options, struct error *error)
{
    struct output_names names = {.error = error};
    char text[SCENE_TEXT_SIZE]; /* a name that no file after it is compared with */
    const int has_input = options->input && strcmp(options->input, "-") != 0;
    output_names_add(&names, NULL, has_input ? options->input : NULL, "", NULL);
    for (int k = 0; k < KINDS; k++)
        output_names_add(&names, kinds[k].option, kinds[k].file, "", NULL);
    output_names_add(&names, "--resume", options->resume, "", NULL);
    for (int k = 0; k < KINDS && is_resumable(options); k++)
        if (kinds[k].has_part)
            output_names_add(&names, kinds[k].option, kinds[k].file, OUTPUT_FILE_PART, NULL);
    for (const struct config *config = options->config; config; config = config->before)
        output_names_add(&names, NULL, config->name, "", "a file of options");
    for (size_t k = 0; k < options->polygons.count; k++)
        output_names_add(&names, NULL, options->polygons.list[k].name, "", "a file of polygons");
    for (size_t k = 0; k < options->scene.count; k++)
        if (scene_find_file(&options->scene.terms[k], text))
            output_names_add(&names, NULL, text, "", "a file of the scene");
    return output_names_free(&names);
}

/* Refuses to write over a file that looks like an INPUT, for the user may have forgotten a name;
 * but a final state may replace that of an earlier run. Also refuses to write over a frame. */
static enum status check_content(const struct observer_kind *kind, const struct frame_names *frames,
                                 uint64_t frame_count, struct error *error)
{
    int is_input = 0;
    int is_frame = 0;
    enum status status = STATUS_DONE;
    if (kind->file && kind->create != create_final_state)
        status = input_recognise(kind->file, &is_input, error);
    if (is_input)
        return error_set(error, STATUS_USAGE,
                         "%s would overwrite '%.4100s', which looks like an INPUT: name another "
                         "file, or remove this one",
                         kind->option, kind->file);
    if (!status && kind->file && frames->pattern && kind->create != create_picture)
        status = frame_names_include(frames, frame_count, kind->file, &is_frame, error);
    if (is_frame)
        return error_set(error, STATUS_USAGE,
                         "%s would overwrite a frame of --picture: name another file than "
                         "'%.4100s'",
                         kind->option, kind->file);
    return status;
}

static enum status check_files(const struct observer_kind kinds[KINDS],
                               const struct options *options, struct error *error)
{
    const struct frame_names *names = &options->picture_frames;
    const struct frames frames = {options->every, options->end_time};
    const uint64_t count = names->pattern ? frames_first(&frames, options->end_time) + 1 : 0;
    enum status status = check_names(kinds, options, error);
    if (!status && names->pattern)
        status = frame_names_check(names, count, picture_beginning, error);
    for (int k = 0; k < KINDS && !status; k++)
        status = check_content(&kinds[k], names, count, error);
    return status;
}

enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error)
{
    const int has_progress = !options->quiet && (options->progress || isatty(STDERR_FILENO));
    const char *checkpoint = is_checkpoint_resumed(options) ? NULL : options->checkpoint;
    /*
     * In the order in which they finish: --stats after --progress, so that the line of progress has
     * gone from the terminal before the table comes; --report after all that it shows;
     * --sensitivity when all files of the run are complete; --checkpoint last (checkpoint.h).
     */
    struct report_sources sources = {0};
    const struct observer_kind kinds[KINDS] = {
        {"--events", options->events != NULL, options->events, 1, create_event_log, NULL},
        {"--trajectory", options->trajectory != NULL, options->trajectory, 1, create_trajectory,
         NULL},
        {"--structure", options->structure != NULL, options->structure, 0, create_structure,
         &sources.structure},
        {"--fields", options->fields != NULL, options->fields, 1, create_fields, &sources.fields},
        {"--forces", options->forces != NULL, options->forces, 1, create_forces, &sources.forces},
        {"--picture", options->picture != NULL, options->picture, 0, create_picture, NULL},
        {"--final", options->final_state != NULL, options->final_state, 0, create_final_state,
         NULL},
        {"--animate", options->animation != NULL, options->animation, 1, create_animation, NULL},
        {"--progress", has_progress, NULL, 0, create_progress, NULL},
        {"--stats", options->stats || options->report, options->stats_file, 0, create_statistics,
         &sources.statistics},
        {"--report", options->report != NULL, options->report, 0, create_report, NULL},
        {"--sensitivity-file", options->sensitivity > 0, options->sensitivity_file, 0,
         create_sensitivity, NULL},
        {"--checkpoint", options->checkpoint != NULL, checkpoint, 0, create_checkpoint, NULL},
    };
    enum status status = check_files(kinds, options, error);
    observers->warn = error_print;
    observers->is_quiet = options->quiet;
    for (int k = 0; k < KINDS && !status; k++) {
        struct observer *observer = NULL;
        if (kinds[k].is_wanted)
            status = kinds[k].create(options, &observer, error);
        if (observer && kinds[k].source)
            *kinds[k].source = observer;
        if (observer && kinds[k].create == create_report)
            report_show(observer, &sources);
        if (observer) {
            observer->is_resumable = is_resumable(options);
            observers_add(observers, observer);
        }
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
