/*
 * The observers that the options ask for; see observe.h.
 */
#include "cli/observe.h"

#include "base/memory.h"
#include "cli/help.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "config.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "observe/checkpoint.h"
#include "observe/event_log.h"
#include "observe/fields.h"
#include "observe/final_state.h"
#include "observe/forces.h"
#include "observe/frames.h"
#include "observe/progress.h"
#include "observe/report.h"
#include "observe/sensitivity.h"
#include "observe/statistics.h"
#include "observe/structure.h"
#include "observe/trajectory.h"
#include "picture/animation.h"
#include "picture/field_picture.h"
#include "picture/picture.h"
#include "picture/report_page.h"
#include "steps/step_statistics.h"

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

/* Whether the run must be able to go on from a checkpoint, so that its files are made for that. */
static int is_resumable(const struct options *options)
{
    return options->checkpoint || options->resume;
}

/* Whether two names lead to one file, which exists. */
static int is_one_file(const char *name, const char *other)
{
    struct stat one;
    struct stat two;
    return stat(name, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

/* Whether the run writes its checkpoints into the file that it resumes. */
static int is_checkpoint_resumed(const struct options *options)
{
    return options->checkpoint && options->resume &&
           is_one_file(options->checkpoint, options->resume);
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
    return trajectory_create(options->trajectory, options->every, options->end_time, observer,
                             error);
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
        .keeps_top_speed = options->law.rule == RULE_SWAP && options->scene.step == 0,
    };
    return picture_create(&request, observer, error);
}

static enum status create_final_state(const struct options *options, struct observer **observer,
                                      struct error *error)
{
    return final_state_create(options->final_state, options->scene.step > 0, observer, error);
}

static enum status create_animation(const struct options *options, struct observer **observer,
                                    struct error *error)
{
    return animation_create(options->animation, name_input(options), options->end_time,
                            options->scene.step > 0, observer, error);
}

static enum status create_progress(const struct options *options, struct observer **observer,
                                   struct error *error)
{
    const char *what = options->scene.step > 0 ? "steps" : "events";
    return progress_create(options->end_time, what, stderr, isatty(STDERR_FILENO), read_clock,
                           observer, error);
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
        .threads = options->threads,
        .clock = read_clock,
    };
    return options->scene.step > 0 ? step_statistics_create(&request, observer, error)
                                   : statistics_create(&request, observer, error);
}

static enum status create_structure(const struct options *options, struct observer **observer,
                                    struct error *error)
{
    const struct structure_request request = {
        .name = options->structure,
        .interval = options->every,
        .from = options->stats_from,
        .end_time = options->end_time,
    };
    return structure_create(&request, observer, error);
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
        .list = options->scene.step > 0 ? step_statistics_list : NULL,
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

/* An observer that an option asks for. */
struct observer_kind {
    const char *option;
    int is_wanted;
    const char *file; /* to be checked: it must be written by this one only; or NULL */
    int has_part;     /* a run that can be resumed writes FILE.part, too */
    enum status (*create)(const struct options *options, struct observer **observer,
                          struct error *error);
};

enum { KINDS = 13 };

/* Checks the names of all files that the run writes, FILE.part included. */
static enum status check_names(const struct observer_kind kinds[KINDS],
                               const struct options *options, struct error *error)
{
    struct output_name names[2 * KINDS + 1];
    size_t count = 0;
    for (int k = 0; k < KINDS; k++)
        names[count++] = (struct output_name){kinds[k].option, kinds[k].file, ""};
    names[count++] = (struct output_name){"--resume", options->resume, ""};
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].has_part && is_resumable(options))
            names[count++] = (struct output_name){kinds[k].option, kinds[k].file, OUTPUT_FILE_PART};
    return output_path_check(names, count, options->resume ? "-" : options->input, error);
}

/* Checks the names of the frames of the picture against those of other files, and what is there. */
static enum status check_frames(const struct observer_kind kinds[KINDS],
                                const struct options *options, struct error *error)
{
    const struct frame_names *names = &options->picture_frames;
    if (!names->pattern)
        return STATUS_DONE;
    const struct frames frames = {options->every, options->end_time};
    const uint64_t count = frames_first(&frames, options->end_time) + 1;
    enum status status = frame_names_check(names, count, error);
    for (int k = 0; k < KINDS && !status; k++) {
        int is_frame = 0;
        if (!kinds[k].file || kinds[k].create == create_picture)
            continue;
        status = frame_names_include(names, count, kinds[k].file, &is_frame, error);
        if (!status && is_frame)
            status = error_set(error, STATUS_USAGE,
                               "%s would overwrite a frame of --picture: name another file than "
                               "'%.4100s'",
                               kinds[k].option, kinds[k].file);
    }
    return status;
}

/*
 * Refuses to write over a file that looks like an INPUT: the user may have forgotten a name. But a
 * final state may replace that of an earlier run.
 */
static enum status keep_inputs(const struct observer_kind kinds[KINDS], struct error *error)
{
    for (int k = 0; k < KINDS; k++) {
        int is_input = 0;
        if (kinds[k].file && kinds[k].create != create_final_state &&
            input_recognise(kinds[k].file, &is_input, error) != STATUS_DONE)
            return STATUS_NO_MEMORY;
        if (is_input)
            return error_set(error, STATUS_USAGE,
                             "%s would overwrite '%.4100s', which looks like an INPUT: name "
                             "another file, or remove this one",
                             kinds[k].option, kinds[k].file);
    }
    return STATUS_DONE;
}

/* Refuses to write over a file that is read. Of devices such as /dev/null nothing is lost. */
static enum status keep_file(const struct observer_kind kinds[KINDS], const char *name,
                             const char *what, struct error *error)
{
    struct stat state;
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].file && is_one_file(kinds[k].file, name) && stat(name, &state) == 0 &&
            S_ISREG(state.st_mode))
            return error_set(error, STATUS_USAGE, "%s would overwrite '%.4100s', %s",
                             kinds[k].option, kinds[k].file, what);
    return STATUS_DONE;
}

/* Keeps what options are read from: files of options, of polygons, and of parts of a scene. */
static enum status keep_sources(const struct observer_kind kinds[KINDS],
                                const struct options *options, struct error *error)
{
    const struct polygon_files *polygons = &options->polygons;
    const struct scene *scene = &options->scene;
    enum status status = STATUS_DONE;
    for (const struct config *config = options->config; config && !status; config = config->before)
        status = keep_file(kinds, config->name, "a file of options", error);
    for (size_t k = 0; k < polygons->count && !status; k++)
        status = keep_file(kinds, polygons->list[k].name, "a file of polygons", error);
    for (size_t k = 0; k < scene->count && !status; k++) {
        char name[SCENE_TEXT_SIZE];
        if (scene_find_file(&scene->parts[k], name))
            status = keep_file(kinds, name, "a file of the scene", error);
    }
    return status;
}

enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error)
{
    const int has_progress = !options->quiet && (options->progress || isatty(STDERR_FILENO));
    const char *checkpoint = is_checkpoint_resumed(options) ? NULL : options->checkpoint;
    /*
     * In the order in which they finish: --stats after --progress, so that the line of progress has
     * gone from the terminal before the table comes; --report after all that it tells of;
     * --sensitivity when all files of the run itself are complete; --checkpoint last (see
     * checkpoint.h).
     */
    const struct observer_kind kinds[KINDS] = {
        {"--events", options->events != NULL, options->events, 1, create_event_log},
        {"--trajectory", options->trajectory != NULL, options->trajectory, 1, create_trajectory},
        {"--structure", options->structure != NULL, options->structure, 0, create_structure},
        {"--fields", options->fields != NULL, options->fields, 1, create_fields},
        {"--forces", options->forces != NULL, options->forces, 1, create_forces},
        {"--picture", options->picture != NULL, options->picture, 0, create_picture},
        {"--final", options->final_state != NULL, options->final_state, 0, create_final_state},
        {"--animate", options->animation != NULL, options->animation, 1, create_animation},
        {"--progress", has_progress, NULL, 0, create_progress},
        {"--stats", options->stats || options->report, options->stats_file, 0, create_statistics},
        {"--report", options->report != NULL, options->report, 0, create_report},
        {"--sensitivity-file", options->sensitivity > 0, options->sensitivity_file, 0,
         create_sensitivity},
        {"--checkpoint", options->checkpoint != NULL, checkpoint, 0, create_checkpoint},
    };
    enum status status = check_names(kinds, options, error);
    if (!status)
        status = keep_inputs(kinds, error);
    if (!status)
        status = keep_sources(kinds, options, error);
    if (!status)
        status = check_frames(kinds, options, error);
    observers->warn = error_print;
    for (int k = 0; k < KINDS && !status; k++) {
        struct observer *observer = NULL;
        if (kinds[k].is_wanted)
            status = kinds[k].create(options, &observer, error);
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

void observe_end(const struct options *options)
{
    struct error error;
    char *path = NULL; /* of the checkpoint itself, where its name is a link */
    if (!options->checkpoint)
        return;
    (void)fsync(STDOUT_FILENO); /* the answer, if it goes to a file */
    if (output_path_follow(options->checkpoint, &path, &error) == STATUS_DONE)
        (void)unlink(path);
    memory_free(path);
}

void observe_free(struct observers *observers)
{
    observers_free(observers);
    signals_release();
}
