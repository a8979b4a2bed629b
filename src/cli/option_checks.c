/*
 * Which options need or exclude each other, and the operands; see option_checks.h.
 */
#include "option_checks.h"

#include "config.h"
#include "io/text.h"
#include "observe/sensitivity.h"
#include "observe/trajectory.h"
#include "option_refusal.h"
#include "option_request.h"
#include "steps/steps.h"

static const double USUAL_CHECKPOINT_EVERY = 60;

void option_take_operand(struct operands *operands, char *word)
{
    if (operands->count < 3)
        operands->words[operands->count++] = word;
}

/* Refuses an operand too many, because of `why`. It may be the value of an option. */
static enum status refuse_operand(const char *word, const char *why, const struct seen *seen,
                                  struct error *error)
{
    if (!seen->next)
        return error_set(error, STATUS_USAGE, "extra argument '%.100s'%s" TRY_HELP, word, why);
    return error_set(error, STATUS_USAGE,
                     "extra argument '%.100s'%s; if '%.100s' is the value of %.100s, write "
                     "%.100s=%.100s" TRY_HELP,
                     word, why, seen->next, seen->bare, seen->bare, seen->next);
}

/* Refuses an option, because of `why`, which completes "option '...' "; it may stand in a file. */
static enum status refuse_option(const char *argument, const char *why,
                                 const struct options *options, struct error *error)
{
    error_set(error, STATUS_USAGE, "option '%.100s' %s" TRY_HELP, argument, why);
    config_locate(options->config, argument, error);
    return STATUS_USAGE;
}

/* Checks the law. A contact time that it needs and that is not given becomes -1. */
static enum status check_law(const struct seen *seen, struct options *options, struct error *error)
{
    struct law *law = &options->law;
    if (seen->restitution && law->rule != RULE_ELASTIC)
        return refuse_option(seen->restitution,
                             "needs --rule=elastic: particles that switch velocities lose nothing",
                             options, error);
    if (seen->contact_time && !(law->rule == RULE_ELASTIC && law->restitution < 1))
        return refuse_option(seen->contact_time,
                             "needs --rule=elastic and a --restitution below 1: otherwise no "
                             "collision loses energy",
                             options, error);
    if (law->restitution < 1 && !seen->contact_time)
        law->contact_time = -1;
    return STATUS_DONE;
}

/* Checks the stream, and gives it its seed. */
static enum status check_stream(const struct seen *seen, struct options *options,
                                struct error *error)
{
    if (!options->stream.draw && seen->stream)
        return refuse_option(seen->stream, "needs --stream=U", options, error);
    if (!options->stream.draw && !options->generate && seen->chance)
        return refuse_option(seen->chance,
                             "is only for --generate=N and --stream=U: nothing else is chance",
                             options, error);
    if (options->stream.draw && !(options->periodic & PERIODIC_X))
        return error_set(error, STATUS_USAGE,
                         "--stream needs --periodic=x or --periodic=xy: it flows through the seam "
                         "in x" TRY_HELP);
    options->stream.seed = options->request.seed;
    return STATUS_DONE;
}

/* Checks the scene of a time-stepped run. With --resume it is not known here. */
static enum status check_scene(const struct seen *seen, struct options *options,
                               struct error *error)
{
    static const double most = 1e15; /* substeps: their numbers are exact as doubles */
    const struct scene *scene = &options->scene;
    if (scene->step == 0 && seen->steps)
        return refuse_option(seen->steps, "needs --step=DT", options, error);
    if (scene->step == 0)
        return STATUS_DONE;
    if (seen->events)
        return refuse_option(seen->events,
                             "is not for --step: it needs the exact times of collisions, and in "
                             "steps there are none",
                             options, error);
    if (options->stream.draw)
        return error_set(error, STATUS_USAGE,
                         "--stream is not for --step: only event-driven runs have streams");
    if (options->end_time / scene->step * scene->substeps > most)
        return error_set(error, STATUS_USAGE,
                         "up to END_TIME %g, --step=%g would be %g substeps; the most is %g",
                         options->end_time, scene->step,
                         options->end_time / scene->step * scene->substeps, most);
    return steps_check(scene, error);
}

/* Checks the options for frames against each other, and against END_TIME. */
static enum status check_frames(const struct options *options, struct error *error)
{
    const int draws_frames = options->picture_frames.pattern != NULL;
    const int needs_frames = options->trajectory || options->structure || draws_frames;
    const int has_series = options->fields && options->fields_format == FIELDS_CSV;
    const int has_frames = needs_frames || ((options->forces || has_series) && options->every > 0);
    if (needs_frames && options->every == 0)
        return error_set(error, STATUS_USAGE,
                         "--%s needs --every=DT, the time between frames" TRY_HELP,
                         options->trajectory  ? "trajectory"
                         : options->structure ? "structure"
                                              : "picture with a '%' in its name");
    if (!has_frames && options->every > 0)
        return error_set(error, STATUS_USAGE,
                         "--every is only for --trajectory=FILE, --structure=FILE, --forces=FILE, "
                         "--fields=FILE.csv and frames of --picture, such as %%06d.svg" TRY_HELP);
    const double most = draws_frames ? FRAME_NAMES_MAX : TRAJECTORY_MOST_FRAMES;
    if (options->end_time > most * options->every && has_frames)
        return error_set(error, STATUS_USAGE,
                         "up to END_TIME %g, --every=%g would be %g frames; the most is %g%s",
                         options->end_time, options->every, options->end_time / options->every,
                         most, draws_frames ? " for --picture" : "");
    return STATUS_DONE;
}

/* Checks that paths have a picture. */
static enum status check_paths(const struct options *options, struct error *error)
{
    if (options->paths && !options->picture)
        return error_set(error, STATUS_USAGE,
                         "--paths is only for --picture=FILE: they are drawn into it" TRY_HELP);
    return STATUS_DONE;
}

/* Checks the options for forces. With --resume, the obstacles are not known here. */
static enum status check_forces(const struct options *options, struct error *error)
{
    if (options->reference_length > 0 && !options->forces && !options->stats && !options->report)
        return error_set(error, STATUS_USAGE,
                         "--reference-length is only for --forces=FILE, --stats and "
                         "--report=FILE" TRY_HELP);
    if (options->forces && !options->resume && !polygon_files_have_obstacles(&options->polygons))
        return error_set(
            error, STATUS_USAGE,
            "--forces needs --obstacle=FILE: it measures the forces on obstacles" TRY_HELP);
    return STATUS_DONE;
}

/* Checks the time from which figures count. With --resume, END_TIME is not known here. */
static enum status check_figures(const struct seen *seen, const struct options *options,
                                 struct error *error)
{
    /* Whether a resumed run has a stream is not known here. */
    const int draws_forces = options->picture && !options->picture_frames.pattern &&
                             (options->stream.draw || options->resume);
    if (seen->figures && !options->stats && !options->structure && !options->fields &&
        !options->forces && !options->report && !draws_forces)
        return error_set(error, STATUS_USAGE,
                         "--stats-from is only for --stats, --structure=FILE, --fields=FILE, "
                         "--forces=FILE, --report=FILE and, in a stream, --picture=FILE" TRY_HELP);
    if (!options->resume && options->stats_from > options->end_time)
        return error_set(error, STATUS_USAGE,
                         "--stats-from=%g is after END_TIME, %g: no figure would count anything",
                         options->stats_from, options->end_time);
    return STATUS_DONE;
}

/* Checks that fields have a grid, and a grid has fields. */
static enum status check_fields(const struct options *options, struct error *error)
{
    if (options->fields && options->fields_grid.columns == 0)
        return error_set(error, STATUS_USAGE,
                         "--fields needs --fields-grid=NXxNY, the numbers of cells along x and "
                         "y" TRY_HELP);
    if (!options->fields && options->fields_grid.columns > 0)
        return error_set(error, STATUS_USAGE, "--fields-grid is only for --fields=FILE" TRY_HELP);
    if (options->fields_show != SHOW_DENSITY &&
        !(options->fields && (options->fields_format == FIELDS_SVG || options->report)))
        return error_set(error, STATUS_USAGE,
                         "--fields-show is only for --fields=FILE.svg and, with --fields, "
                         "--report=FILE: it chooses what a picture shows" TRY_HELP);
    return STATUS_DONE;
}

/* What asks for a report of the perturbed runs in another form asks for these runs. */
static void complete_sensitivity(struct options *options)
{
    if (options->sensitivity == 0 && (options->sensitivity_file || options->sensitivity_status))
        options->sensitivity = SENSITIVITY_USUAL_RUNS;
}

/* Checks the options for checkpoints. */
static enum status check_checkpoints(const struct operands *operands, const struct seen *seen,
                                     struct options *options, struct error *error)
{
    if (!options->checkpoint && options->checkpoint_every > 0)
        return error_set(error, STATUS_USAGE,
                         "--checkpoint-every is only for --checkpoint=FILE" TRY_HELP);
    if (options->checkpoint_every == 0)
        options->checkpoint_every = USUAL_CHECKPOINT_EVERY;
    if (options->resume && seen->steps)
        return refuse_option(seen->steps, "is not for --resume: it is as in the checkpoint",
                             options, error);
    if (options->resume && seen->system)
        return refuse_option(seen->system, "is not for --resume: it is as in the checkpoint",
                             options, error);
    if (options->resume && options->sensitivity)
        return error_set(error, STATUS_USAGE,
                         "--sensitivity is not for --resume: it needs the whole run" TRY_HELP);
    if (options->resume && operands->count > 0)
        return refuse_operand(
            operands->words[0],
            ": --resume takes no INPUT and no END_TIME, for they are in the checkpoint", seen,
            error);
    return STATUS_DONE;
}

/* Checks the command line of --generate. */
static enum status check_generate(const struct operands *operands, const struct seen *seen,
                                  struct options *options, struct error *error)
{
    if (seen->run)
        return refuse_option(seen->run,
                             "is for a simulation: --generate makes an INPUT and simulates nothing",
                             options, error);
    if (operands->count > 0)
        return refuse_operand(operands->words[0], ": --generate takes no INPUT and no END_TIME",
                              seen, error);
    const enum status status = check_stream(seen, options, error);
    return status ? status : option_complete_request(options, error);
}

/* END_TIME: from 0 to SYSTEM_LARGEST. */
static enum status take_end_time(const char *text, double *end_time, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < 0)
        problem = "is negative";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' %s", SYSTEM_LARGEST,
                         text, problem);
    *end_time = value;
    return STATUS_DONE;
}

/* Takes INPUT and END_TIME. */
static enum status take_operands(const struct operands *operands, const struct seen *seen,
                                 struct options *options, struct error *error)
{
    if (operands->count < 1)
        return error_set(error, STATUS_USAGE, "INPUT and END_TIME are missing" TRY_HELP);
    if (operands->count < 2)
        return error_set(error, STATUS_USAGE, "END_TIME is missing after '%.100s'" TRY_HELP,
                         operands->words[0]);
    if (operands->count > 2)
        return refuse_operand(operands->words[2], " after END_TIME", seen, error);
    options->input = operands->words[0];
    return take_end_time(operands->words[1], &options->end_time, error);
}

enum status option_complete(const struct operands *operands, const struct seen *seen,
                            struct options *options, struct error *error)
{
    if (options->generate)
        return check_generate(operands, seen, options, error);
    if (seen->request)
        return refuse_option(seen->request, "is only for --generate=N", options, error);
    complete_sensitivity(options);
    enum status status = check_law(seen, options, error);
    if (!status)
        status = check_checkpoints(operands, seen, options, error);
    if (!status)
        status = check_stream(seen, options, error);
    if (!status && !options->resume)
        status = take_operands(operands, seen, options, error);
    if (!status)
        status = check_scene(seen, options, error);
    if (!status)
        status = check_figures(seen, options, error);
    if (!status)
        status = check_fields(options, error);
    if (!status)
        status = check_forces(options, error);
    if (!status)
        status = check_paths(options, error);
    return status ? status : check_frames(options, error);
}

void option_note(unsigned uses, const char *argument, struct seen *seen)
{
    if (uses & FOR_RUN)
        seen->run = argument;
    if (uses & FOR_SYSTEM)
        seen->system = argument;
    if (uses & FOR_ELASTIC)
        seen->restitution = argument;
    if (uses & FOR_LOSS)
        seen->contact_time = argument;
    if (uses & FOR_REQUEST)
        seen->request = argument;
    if (uses & FOR_FIGURES)
        seen->figures = argument;
    if (uses & FOR_STREAM)
        seen->stream = argument;
    if (uses & FOR_CHANCE)
        seen->chance = argument;
    if (uses & FOR_STEPS)
        seen->steps = argument;
    if (uses & FOR_EVENTS)
        seen->events = argument;
}
