/*
 * The command line: GNU long options, then INPUT and END_TIME, or none of these with --generate.
 *
 * All options stand in one table: what each is called, what it is for, and the function that reads
 * its value. A row without a function does not compile (-Wmissing-field-initializers). Which
 * options need or exclude each other is checked when all have been read: option_checks.c.
 */
#include "cli/options.h"

#include "base/thread_pool.h"
#include "config.h"
#include "io/number.h"
#include "io/text.h"
#include "model/stream.h"
#include "observe/fields.h"
#include "observe/sensitivity.h"
#include "option_checks.h"
#include "option_refusal.h"
#include "option_request.h"

#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* The numbers that an option takes. */
struct range {
    double least, most;
    const char *too_large; /* what the message says about a larger number, if it is no whole one */
};

/* A row of the table of options. */
struct description {
    const char *name;
    int letter;    /* a short name, or 0 */
    int argument;  /* whether it has a value: see getopt_long */
    unsigned uses; /* what it is for */
    /* Reads the value, NULL for none. Returns STATUS_DONE, or STATUS_USAGE with a message. */
    enum status (*read)(const struct description *description, const char *text,
                        struct options *options, struct error *error);
    size_t place; /* of the member of struct options that gets the value, if `read` uses it */
    const struct range *range; /* of a number, if `read` uses it */
};

static void *find_place(const struct description *description, struct options *options)
{
    return (char *)options + description->place;
}

static enum status read_flag(const struct description *description, const char *text,
                             struct options *options, struct error *error)
{
    (void)text;
    (void)error;
    *(int *)find_place(description, options) = 1;
    return STATUS_DONE;
}

/* A number in the option's range. */
static enum status take_number(const struct description *description, const char *text,
                               double *number, struct error *error)
{
    const struct range *range = description->range;
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < range->least)
        problem = range->least == 0 ? "is negative" : "is too small";
    if (!problem && value > range->most)
        problem = range->too_large;
    if (problem)
        return error_set(error, STATUS_USAGE, "--%s takes a number from %g to %g, and '%.100s' %s",
                         description->name, range->least, range->most, text, problem);
    *number = value + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

static enum status read_number(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    return take_number(description, text, find_place(description, options), error);
}

/* A number above 0, up to SYSTEM_LARGEST. */
static enum status read_positive(const struct description *description, const char *text,
                                 struct options *options, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && !(value > 0))
        problem = "is not";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE, "--%s takes a positive number, and '%.100s' %s",
                         description->name, text, problem);
    *(double *)find_place(description, options) = value;
    return STATUS_DONE;
}

/* The name of a file that is to be written: standard output is none. */
static enum status read_output(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "--%s takes the name of a file to write, not '%s': standard output is for "
                         "the answer alone",
                         description->name, text);
    *(const char **)find_place(description, options) = text;
    return STATUS_DONE;
}

/* One file, or a pattern of the names of frames. */
static enum status read_picture(const struct description *description, const char *text,
                                struct options *options, struct error *error)
{
    const char *problem = frame_names_parse(&options->picture_frames, text);
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--%s takes the name of a file or, for frames, one with a number in it, "
                         "such as %%06d.svg, and '%.100s' %s",
                         description->name, text, problem);
    return read_output(description, text, options, error);
}

static enum status read_resume(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    (void)description;
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE, "--resume takes the file of a checkpoint, not '%s'",
                         text);
    options->resume = text;
    return STATUS_DONE;
}

static enum status read_domain(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    const char *other = polygon_files_domain(&options->polygons);
    (void)description;
    if (other)
        return error_set(error, STATUS_USAGE,
                         "--domain is given twice, '%.100s' and '%.100s': one file has all "
                         "polygons of the domain",
                         other, text);
    return polygon_files_add(&options->polygons, text, 1, error);
}

static enum status read_obstacle(const struct description *description, const char *text,
                                 struct options *options, struct error *error)
{
    (void)description;
    return polygon_files_add(&options->polygons, text, 0, error);
}

static enum status read_config(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    (void)description;
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE, "--config takes a file of options, not '%s'", text);
    return config_read(text, &options->config, error);
}

static enum status read_stats(const struct description *description, const char *text,
                              struct options *options, struct error *error)
{
    options->stats = 1;
    return text ? read_output(description, text, options, error) : STATUS_DONE;
}

static enum status read_schedule(const struct description *description, const char *text,
                                 struct options *options, struct error *error)
{
    static const struct {
        const char *name;
        enum schedule_kind kind;
    } schedules[] = {{"auto", SCHEDULE_AUTO},
                     {"textbook", SCHEDULE_TEXTBOOK},
                     {"array", SCHEDULE_ARRAY},
                     {"cells", SCHEDULE_CELLS}};
    (void)description;
    for (size_t k = 0; k < sizeof schedules / sizeof schedules[0]; k++) {
        if (strcmp(text, schedules[k].name) == 0) {
            options->schedule = schedules[k].kind;
            return STATUS_DONE;
        }
    }
    return error_set(error, STATUS_USAGE,
                     "unknown schedule '%.100s': use auto, textbook, array or cells", text);
}

/* A whole number from `least` to `largest`. */
static enum status take_whole(const struct description *description, const char *text,
                              uint64_t least, uint64_t largest, uint64_t *number,
                              struct error *error)
{
    uint64_t value = 0;
    const char *problem = text_whole_number(text, &value);
    if (!problem && value < least)
        problem = "is too small";
    if (!problem && value > largest)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--%s takes a whole number from %" PRIu64 " to %" PRIu64
                         ", and '%.100s' %s",
                         description->name, least, largest, text, problem);
    *number = value;
    return STATUS_DONE;
}

/* A whole number in the option's range. */
static enum status read_whole(const struct description *description, const char *text,
                              struct options *options, struct error *error)
{
    const struct range *range = description->range;
    uint64_t value = 0;
    enum status status =
        take_whole(description, text, (uint64_t)range->least, (uint64_t)range->most, &value, error);
    *(uint32_t *)find_place(description, options) = (uint32_t)value;
    return status;
}

/* A number of threads, or auto. */
static enum status read_threads(const struct description *description, const char *text,
                                struct options *options, struct error *error)
{
    uint64_t count = 0;
    enum status status = STATUS_DONE;
    if (strcmp(text, "auto") != 0)
        status = take_whole(description, text, 1, THREADS_MOST, &count, error);
    options->threads.count = (unsigned)count;
    return status;
}

static enum status read_rule(const struct description *description, const char *text,
                             struct options *options, struct error *error)
{
    (void)description;
    if (strcmp(text, "swap") == 0)
        options->law.rule = RULE_SWAP;
    else if (strcmp(text, "elastic") == 0)
        options->law.rule = RULE_ELASTIC;
    else
        return error_set(error, STATUS_USAGE, "unknown rule '%.100s': use swap or elastic", text);
    return STATUS_DONE;
}

static enum status read_periodic(const struct description *description, const char *text,
                                 struct options *options, struct error *error)
{
    (void)description;
    if (strcmp(text, "x") == 0)
        options->periodic = PERIODIC_X;
    else if (strcmp(text, "y") == 0)
        options->periodic = PERIODIC_Y;
    else if (strcmp(text, "xy") == 0)
        options->periodic = PERIODIC_X | PERIODIC_Y;
    else
        return error_set(error, STATUS_USAGE, "unknown axes '%.100s': use x, y or xy", text);
    return STATUS_DONE;
}

/* The format of the file of fields follows from how its name ends. */
static enum status read_fields(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    static const char *const ends[] = {
        [FIELDS_CSV] = ".csv", [FIELDS_VTK] = ".vtk", [FIELDS_SVG] = ".svg"};
    const char *end = strrchr(text, '.');
    for (size_t k = 0; k < sizeof ends / sizeof ends[0] && end; k++) {
        if (strcmp(end, ends[k]) == 0) {
            options->fields_format = (enum fields_format)k;
            return read_output(description, text, options, error);
        }
    }
    return error_set(error, STATUS_USAGE,
                     "--%s takes a file whose name ends in .csv, .vtk or .svg, which is its "
                     "format, not '%.100s'",
                     description->name, text);
}

/* What a picture of fields shows. */
static enum status read_fields_show(const struct description *description, const char *text,
                                    struct options *options, struct error *error)
{
    static const char *const names[FIELDS_SHOWN] = {[SHOW_DENSITY] = "density",
                                                    [SHOW_SPEED] = "speed",
                                                    [SHOW_TEMPERATURE] = "temperature",
                                                    [SHOW_PRESSURE] = "pressure",
                                                    [SHOW_MACH] = "mach"};
    (void)description;
    for (int k = 0; k < FIELDS_SHOWN; k++) {
        if (strcmp(text, names[k]) == 0) {
            options->fields_show = (enum field_shown)k;
            return STATUS_DONE;
        }
    }
    return error_set(error, STATUS_USAGE,
                     "unknown field '%.100s': use density, speed, temperature, pressure or mach",
                     text);
}

/* A size of a grid, such as 100x40. */
static enum status read_grid(const struct description *description, const char *text,
                             struct options *options, struct error *error)
{
    struct grid_size *grid = find_place(description, options);
    char columns[NUMBER_WHOLE_SIZE];
    const char *cross = strchr(text, 'x');
    const size_t length = cross ? (size_t)(cross - text) : 0;
    uint64_t sizes[2] = {0, 0};
    if (!cross || length >= sizeof columns)
        return error_set(error, STATUS_USAGE,
                         "--%s takes the numbers of columns and rows, such as 100x40, not '%.100s'",
                         description->name, text);
    memcpy(columns, text, length);
    columns[length] = '\0';
    enum status status = take_whole(description, columns, 1, FIELDS_MOST_ALONG, &sizes[0], error);
    if (!status)
        status = take_whole(description, cross + 1, 1, FIELDS_MOST_ALONG, &sizes[1], error);
    if (!status && sizes[0] * sizes[1] > FIELDS_MOST_CELLS)
        return error_set(error, STATUS_USAGE, "--%s takes up to %d cells, and %.100s are %" PRIu64,
                         description->name, (int)FIELDS_MOST_CELLS, text, sizes[0] * sizes[1]);
    *grid = (struct grid_size){(size_t)sizes[0], (size_t)sizes[1]};
    return status;
}

static enum status read_sensitivity(const struct description *description, const char *text,
                                    struct options *options, struct error *error)
{
    uint64_t runs = SENSITIVITY_USUAL_RUNS;
    enum status status =
        text ? take_whole(description, text, 1, SENSITIVITY_MOST_RUNS, &runs, error) : STATUS_DONE;
    options->sensitivity = (uint32_t)runs;
    return status;
}

static enum status read_generate(const struct description *description, const char *text,
                                 struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    struct option_list list = {.rest = text};
    enum status status = STATUS_DONE;
    uint64_t sum = 0;
    while (!status && list.rest) {
        uint64_t count = 0;
        status = option_list_next(&list, description->name, error);
        if (!status)
            status = take_whole(description, list.value, 1, SYSTEM_MAX_COUNT, &count, error);
        if (!status)
            request->components[list.count - 1].count = (size_t)count;
        sum += count;
    }
    if (!status && sum > SYSTEM_MAX_COUNT)
        return error_set(error, STATUS_USAGE,
                         "--generate takes up to %d particles in all, and '%.100s' are %" PRIu64,
                         (int)SYSTEM_MAX_COUNT, text, sum);
    options->generate = 1;
    request->component_count = list.count;
    request->count = (size_t)sum;
    return status;
}

static enum status read_interaction(const struct description *description, const char *text,
                                    struct options *options, struct error *error)
{
    (void)description;
    return scene_add(&options->scene, 0, text, error);
}

static enum status read_constraint(const struct description *description, const char *text,
                                   struct options *options, struct error *error)
{
    (void)description;
    return scene_add(&options->scene, 1, text, error);
}

static enum status read_list(const struct description *description, const char *text,
                             struct options *options, struct error *error)
{
    struct number_list *numbers = find_place(description, options);
    struct option_list list = {.rest = text};
    enum status status = STATUS_DONE;
    while (!status && list.rest) {
        status = option_list_next(&list, description->name, error);
        if (!status)
            status = take_number(description, list.value, &numbers->values[list.count - 1], error);
    }
    numbers->count = list.count;
    return status;
}

static enum status read_seed(const struct description *description, const char *text,
                             struct options *options, struct error *error)
{
    return take_whole(description, text, 0, UINT64_MAX, &options->request.seed, error);
}

static enum status read_stream(const struct description *description, const char *text,
                               struct options *options, struct error *error)
{
    options->stream = stream_make(0, options->stream.temperature, 0);
    return take_number(description, text, &options->stream.speed, error);
}

static const struct range unit_range = {0, 1, "is too large"};
static const struct range tile_side_range = {1, TILE_SIDE_MOST, NULL};
static const struct range substeps_range = {1, SCENE_MOST_SUBSTEPS, NULL};
static const struct range time_range = {0, SYSTEM_LARGEST, "is too large"};
static const struct range length_range = {SYSTEM_SMALLEST, SYSTEM_LARGEST, "is too large"};
static const struct range mass_range = {SYSTEM_LEAST_MASS, SYSTEM_LARGEST_MASS, "is too large"};
static const struct range speed_range = {SYSTEM_SMALLEST, GENERATE_MAX_SPEED, "is too large"};
static const struct range stream_range = {-STREAM_FASTEST, STREAM_FASTEST, "is too large"};
static const struct range heat_range = {STREAM_COLDEST, STREAM_HOTTEST, "is too large"};
static const struct range area_fraction_range = {SYSTEM_SMALLEST, GENERATE_MAX_WITHOUT_WALLS,
                                                 OPTION_TOO_DENSE};

/* The place of a member; does not compile where the member is not of this type. */
#define PLACE(type, member)                                                                        \
    (offsetof(struct options, member) + 0 * sizeof((type *)0 == &((struct options *)0)->member))

#define FLAG(member)          read_flag, PLACE(int, member), NULL
#define NUMBER(member, range) read_number, PLACE(double, member), &(range)
#define WHOLE(member, range)  read_whole, PLACE(uint32_t, member), &(range)
#define POSITIVE(member)      read_positive, PLACE(double, member), NULL
#define LIST(member, range)   read_list, PLACE(struct number_list, member), &(range)
#define OUTPUT(member)        read_output, PLACE(const char *, member), NULL

/* tests/command/documents.sh reads these lines up to the argument. */
static const struct description descriptions[] = {
    {"config", 0, required_argument, 0, read_config, 0, NULL},
    {"schedule", 0, required_argument, FOR_RUN | FOR_EVENTS, read_schedule, 0, NULL},
    {"threads", 0, required_argument, FOR_RUN | FOR_EVENTS, read_threads, 0, NULL},
    {"tile-side", 0, required_argument, FOR_RUN | FOR_EVENTS,
     WHOLE(threads.tile_side, tile_side_range)},
    {"rule", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_EVENTS, read_rule, 0, NULL},
    {"restitution", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_ELASTIC,
     NUMBER(law.restitution, unit_range)},
    {"contact-time", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_LOSS,
     NUMBER(law.contact_time, time_range)},
    {"periodic", 0, required_argument, FOR_SYSTEM, read_periodic, 0, NULL},
    {"stream", 0, required_argument, FOR_SYSTEM, read_stream, 0, &stream_range},
    {"stream-temperature", 0, required_argument, FOR_SYSTEM | FOR_STREAM,
     NUMBER(stream.temperature, heat_range)},
    {"domain", 0, required_argument, FOR_SYSTEM, read_domain, 0, NULL},
    {"obstacle", 0, required_argument, FOR_SYSTEM, read_obstacle, 0, NULL},
    {"step", 0, required_argument, FOR_RUN | FOR_SYSTEM, POSITIVE(scene.step)},
    {"substeps", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_STEPS,
     WHOLE(scene.substeps, substeps_range)},
    {"interaction", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_STEPS, read_interaction, 0,
     NULL},
    {"constraint", 0, required_argument, FOR_RUN | FOR_SYSTEM | FOR_STEPS, read_constraint, 0,
     NULL},
    {"events", 0, required_argument, FOR_RUN | FOR_EVENTS, OUTPUT(events)},
    {"trajectory", 0, required_argument, FOR_RUN, OUTPUT(trajectory)},
    {"structure", 0, required_argument, FOR_RUN, OUTPUT(structure)},
    {"fields", 0, required_argument, FOR_RUN | FOR_EVENTS, read_fields, PLACE(const char *, fields),
     NULL},
    {"fields-grid", 0, required_argument, FOR_RUN | FOR_EVENTS, read_grid,
     PLACE(struct grid_size, fields_grid), NULL},
    {"fields-show", 0, required_argument, FOR_RUN | FOR_EVENTS, read_fields_show, 0, NULL},
    {"forces", 0, required_argument, FOR_RUN | FOR_EVENTS, OUTPUT(forces)},
    {"reference-length", 0, required_argument, FOR_RUN | FOR_EVENTS, POSITIVE(reference_length)},
    {"every", 0, required_argument, FOR_RUN, POSITIVE(every)},
    {"progress", 0, no_argument, FOR_RUN, FLAG(progress)},
    {"quiet", 0, no_argument, 0, FLAG(quiet)},
    {"stats", 0, optional_argument, FOR_RUN, read_stats, PLACE(const char *, stats_file), NULL},
    {"stats-from", 0, required_argument, FOR_RUN | FOR_FIGURES, NUMBER(stats_from, time_range)},
    {"sensitivity", 0, optional_argument, FOR_RUN | FOR_EVENTS, read_sensitivity, 0, NULL},
    {"sensitivity-file", 0, required_argument, FOR_RUN | FOR_EVENTS, OUTPUT(sensitivity_file)},
    {"sensitivity-status", 0, no_argument, FOR_RUN | FOR_EVENTS, FLAG(sensitivity_status)},
    {"picture", 0, required_argument, FOR_RUN, read_picture, PLACE(const char *, picture), NULL},
    {"paths", 0, no_argument, FOR_RUN | FOR_EVENTS, FLAG(paths)},
    {"report", 0, required_argument, FOR_RUN, OUTPUT(report)},
    {"final", 0, required_argument, FOR_RUN, OUTPUT(final_state)},
    {"animate", 0, required_argument, FOR_RUN, OUTPUT(animation)},
    {"checkpoint", 0, required_argument, FOR_RUN, OUTPUT(checkpoint)},
    {"checkpoint-every", 0, required_argument, FOR_RUN, POSITIVE(checkpoint_every)},
    {"resume", 0, required_argument, FOR_RUN, read_resume, 0, NULL},
    {"generate", 0, required_argument, 0, read_generate, 0, NULL},
    {"area-fraction", 0, required_argument, FOR_REQUEST,
     NUMBER(request.area_fraction, area_fraction_range)},
    {"radius", 0, required_argument, FOR_REQUEST, LIST(radii, length_range)},
    {"mass", 0, required_argument, FOR_REQUEST, LIST(masses, mass_range)},
    {"aspect", 0, required_argument, FOR_REQUEST, NUMBER(request.aspect, length_range)},
    {"speed", 0, required_argument, FOR_REQUEST, NUMBER(request.speed, speed_range)},
    {"seed", 0, required_argument, FOR_SYSTEM | FOR_CHANCE, read_seed, 0, NULL},
    {"help", 'h', no_argument, 0, FLAG(help)},
    {"version", 'V', no_argument, 0, FLAG(version)},
};

enum { DESCRIPTIONS = sizeof descriptions / sizeof descriptions[0] };

/* What getopt_long returns for row k: its letter or, if it has none, another number. */
static int find_code(size_t k)
{
    return descriptions[k].letter ? descriptions[k].letter : 256 + (int)k;
}

/*
 * Takes the option in `argument`, for which getopt_long has returned `code`; its value is `text`,
 * or NULL. If the value is missing, `code` is ':'; if there is no such option, '?'.
 */
static enum status take_option(int code, const char *text, const char *argument,
                               const struct option *list, struct options *options,
                               struct seen *seen, struct error *error)
{
    for (size_t k = 0; k < DESCRIPTIONS; k++) {
        if (find_code(k) == code) {
            option_note(descriptions[k].uses, argument, seen);
            if (descriptions[k].argument == optional_argument && !text)
                seen->bare = argument;
            return descriptions[k].read(&descriptions[k], text, options, error);
        }
    }
    return option_refuse(argument, code == ':', list, error);
}

/* Takes the options of the file that was read last. */
static enum status take_config(const struct option *list, struct options *options,
                               struct seen *seen, struct error *error)
{
    const struct config *config = options->config;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < config->count && !status && !options->help && !options->version; k++) {
        const struct config_option *option = &config->options[k];
        const char *value = NULL;
        int code = 0;
        status = config_match(option, list, &code, &value, error);
        if (!status)
            status = take_option(code, value, option->argument, list, options, seen, error);
        if (status)
            error_locate(error, config->name, option->line);
    }
    return status;
}

/* Makes the list of options that getopt_long takes; it ends with {0}. */
static void list_options(struct option list[DESCRIPTIONS + 1])
{
    for (size_t k = 0; k < DESCRIPTIONS; k++)
        list[k] =
            (struct option){descriptions[k].name, descriptions[k].argument, NULL, find_code(k)};
    list[DESCRIPTIONS] = (struct option){0};
}

enum status options_parse(int argc, char **argv, struct options *options, struct error *error)
{
    struct option list[DESCRIPTIONS + 1];
    struct operands operands = {0};
    struct seen seen = {0};
    *options = (struct options){.schedule = SCHEDULE_AUTO,
                                .law = {.rule = RULE_SWAP, .restitution = 1},
                                .scene = {.substeps = SCENE_USUAL_SUBSTEPS},
                                .masses = {1, {1}},
                                .arguments = argv,
                                .request = {.seed = 1}};
    list_options(list);
    opterr = 0; /* the messages are ours */
    for (;;) {
        int at = optind > 0 ? optind : 1;
        /* '-': operands are returned in their order, as 1; ':': see take_option. */
        int code = getopt_long(argc, argv, "-:hV", list, NULL);
        const struct config *before = options->config;
        enum status status = STATUS_DONE;
        if (code == -1) {
            while (optind < argc) /* what follows a "--" */
                option_take_operand(&operands, argv[optind++]);
            return option_complete(&operands, &seen, options, error);
        }
        if (code == 1) {
            if (seen.bare && at > 1 && argv[at - 1] == seen.bare)
                seen.next = optarg;
            option_take_operand(&operands, optarg);
        } else {
            status = take_option(code, optarg, argv[at], list, options, &seen, error);
        }
        if (!status && options->config != before)
            status = take_config(list, options, &seen, error);
        if (status || options->help || options->version)
            return status;
    }
}

void options_free(struct options *options)
{
    config_free(options->config);
    polygon_files_free(&options->polygons);
    scene_free(&options->scene);
    options->config = NULL;
}
