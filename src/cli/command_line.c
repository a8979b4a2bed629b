/* The command line: GNU long options, then INPUT and END_TIME, or none of these with --generate.
 * Those of the command line and of files are found in the table of options, and read by its rows,
 * in one pass; then they are checked against each other. The end prints --help and --completion. */
#include "base/memory.h"
#include "io/text.h"
#include "option_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A command line that has been parsed, with strings of argv and of files of options. */
struct command_line {
    const char *bare;        /* the last option without the value that it may have, */
    const char *next;        /* and the operand just after it; or NULL */
    const char *taker;       /* the last option whose FILE is the next word, */
    const char *taken;       /* and that word; or NULL */
    int count;               /* of the operands, at most 3 */
    const char *operands[3]; /* INPUT, END_TIME and one too many, for the message */
};

/* The row of the option with this name, `length` bytes; or NULL. */
static const struct option_row *option_find(const char *name, size_t length)
{
    for (size_t k = 0; k < option_row_count; k++)
        if (strlen(option_rows[k].name) == length &&
            strncmp(option_rows[k].name, name, length) == 0)
            return &option_rows[k];
    return NULL;
}

enum { NAMES_SIZE = 400 }; /* of a list of options in a message */

static void list_name(char names[NAMES_SIZE], const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s--%s", used > 0 ? ", " : "", name);
}

/* Lists the options whose names are nearest to a word, if they are near enough to be meant. */
static void list_nearest(const char *word, size_t length, char names[NAMES_SIZE])
{
    size_t nearest = 1 + length / 4;
    for (size_t k = 0; k < option_row_count; k++) {
        size_t away = text_distance(word, length, option_rows[k].name);
        if (away < nearest)
            names[0] = '\0';
        if (away <= nearest) {
            nearest = away;
            list_name(names, option_rows[k].name);
        }
    }
}

static enum status refuse_unknown(const char *argument, struct error *error)
{
    double number;
    char names[NAMES_SIZE] = "";
    const char *word = argument + strspn(argument, "-");
    if (text_number(argument, &number) == NULL)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' has a minus sign",
                         SYSTEM_LARGEST, argument);
    list_nearest(word, strcspn(word, "="), names);
    return error_set(error, STATUS_USAGE, "unknown option '%.100s'%s%s" TRY_HELP, argument,
                     names[0] ? "; the nearest: " : "", names);
}

/* Finds the row of an option, whose name may be shortened, and its value after a '=', or NULL. */
static enum status find_row(const char *argument, const struct option_row **row, const char **value,
                            struct error *error)
{
    const int is_long = argument[1] == '-';
    const char *word = argument + 2;
    const size_t length = is_long ? strcspn(word, "=") : 0;
    char names[NAMES_SIZE] = "";
    size_t found = 0;
    const struct option_row *exact = option_find(word, length);
    *row = exact;
    for (size_t k = 0; k < option_row_count && !exact; k++) {
        if (is_long ? length == 0 || strncmp(option_rows[k].name, word, length) != 0
                    : option_rows[k].letter != argument[1])
            continue;
        *row = &option_rows[k];
        found++;
        list_name(names, option_rows[k].name);
    }
    if (!*row)
        return refuse_unknown(argument, error);
    if (found > 1)
        return error_set(error, STATUS_USAGE, "ambiguous option '%.100s': it may be %s" TRY_HELP,
                         argument, names);
    *value = is_long && word[length] == '=' ? word + length + 1 : NULL;
    if (*value && !(*row)->value)
        return error_set(error, STATUS_USAGE, "option '%.*s' takes no value, and '%.100s' has one",
                         (int)(length + 2), argument, argument);
    return STATUS_DONE;
}

static enum status take_option(const struct option_row *row, const char *argument, const char *text,
                               struct options *options, struct error *error)
{
    if (!text && row->value && row->value[0] != '[')
        return error_set(error, STATUS_USAGE, "option '%.100s' needs a value" TRY_HELP, argument);
    options->given[row - option_rows] = argument;
    return row->read(&(struct option_reading){row, options, error}, text);
}

static enum status take_line(const char *argument, struct options *options, struct error *error)
{
    const struct option_row *row = NULL;
    const char *value = NULL;
    enum status status = find_row(argument, &row, &value, error);
    if (status)
        return status;
    if (strcmp(row->name, "config") == 0)
        return error_set(error, STATUS_USAGE, "a file of options cannot name another one");
    status = take_option(row, argument, value, options, error);
    const size_t length = strcspn(argument + 2, "=");
    if (status && length < strlen(row->name))
        error_append(error,
                     "; '%.*s' is read as the option %s, for a line is an option and its value, "
                     "such as 'rule elastic'",
                     (int)length, argument + 2, row->name);
    return status;
}

int options_ask_for_text(const struct options *options)
{
    return options->help || options->version || options->completion;
}

static enum status take_config(struct options *options, struct error *error)
{
    const struct config *config = options->config;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < config->count && !status && !options_ask_for_text(options); k++) {
        status = take_line(config->options[k].argument, options, error);
        error_locate(error, status, config->name, config->options[k].line);
    }
    return status;
}

/* Takes the option in `words[0]`, and its value in the next word if it is there. */
static enum status take_words(char **words, struct command_line *parsed, struct options *options,
                              size_t *used, struct error *error)
{
    const struct config *before = options->config;
    const struct option_row *row = NULL;
    const char *value = NULL;
    enum status status = find_row(words[0], &row, &value, error);
    *used = 1;
    if (status)
        return status;
    if (!value && row->value && row->value[0] == '[')
        parsed->bare = words[0];
    if (!value && row->value && row->value[0] != '[' && words[1]) {
        value = words[1];
        *used = 2;
        if (strcmp(row->value, "FILE") == 0) {
            parsed->taker = words[0];
            parsed->taken = words[1];
        }
    }
    status = take_option(row, words[0], value, options, error);
    if (!status && options->config != before)
        status = take_config(options, error);
    return status;
}

/* Which options need or exclude each other, and the operands. Most of it follows from the uses in
 * the rows of the table; all else are relations between values. */
static const double MAX_STEPS = 1e15; /* substeps: their numbers are exact as doubles */

/* True if the command line gives one of the options that a text names by "--". */
static int is_given(const struct options *options, const char *text)
{
    for (; (text = strstr(text, "--")); text += 2) {
        const struct option_row *row = option_find(text + 2, strcspn(text + 2, "=,: "));
        if (row && options->given[row - option_rows])
            return 1;
    }
    return 0;
}

/* Refuses an operand too many, because of `why`. It may be the value of an option. */
static enum status refuse_operand(const char *word, const char *why,
                                  const struct command_line *parsed, struct error *error)
{
    if (!parsed->next)
        return error_set(error, STATUS_USAGE, "extra argument '%.100s'%s" TRY_HELP, word, why);
    return error_set(error, STATUS_USAGE,
                     "extra argument '%.100s'%s; if '%.100s' is the value of %.100s, write "
                     "%.100s=%.100s" TRY_HELP,
                     word, why, parsed->next, parsed->bare, parsed->bare, parsed->next);
}

static int has_gravity(const struct options *options)
{
    return options->gravity[0] != 0 || options->gravity[1] != 0;
}

static enum status check_uses(const struct options *options, struct error *error)
{
    const int is_elastic = options->law.rule == RULE_ELASTIC;
    const int has_stream = options->stream.draw != NULL;
    const int has_steps = options->steps.step > 0;
    const struct {
        unsigned use;
        int is_missing;
        const char *why;
    } rules[] = {
        {FOR_RUN, options->generate == GENERATE_INPUT,
         "is for a simulation: --generate makes an INPUT and simulates nothing"},
        {FOR_REQUEST, !options->generate, "is only for --generate=N"},
        {FOR_SYSTEM, options->resume != NULL, "is not for --resume: it is as in the checkpoint"},
        {FOR_WHOLE, options->resume != NULL, "is not for --resume: it needs the whole run"},
        {FOR_LAW, has_steps, steps_operations.refusals[DYNAMICS_LAW]},
        {FOR_EVENTS, has_steps, steps_operations.refusals[DYNAMICS_TIMES]},
        {FOR_SEAMS, has_steps, steps_operations.refusals[DYNAMICS_STREAM]},
        {FOR_WALLS, has_steps, steps_operations.refusals[DYNAMICS_WALLS]},
        {FOR_FORCES, has_steps, steps_operations.refusals[DYNAMICS_TIMES]},
        {FOR_EVENTS | FOR_ELASTIC | FOR_LOSS | FOR_RETURN | FOR_MOTION | FOR_SPIN,
         options->lattice.columns > 0, lattice_operations.refusals[DYNAMICS_TIMES]},
        {FOR_LATTICE, options->lattice.columns == 0, "needs --lattice=NX"},
        {FOR_WALLS,
         options->lattice.columns > 0 &&
             options->walls.gives.absorb + options->walls.gives.shake > 0,
         "is not for --lattice: there walls neither absorb nor are shaken"},
        {FOR_WALLS, has_stream && options->walls.gives.shake > 0,
         "is not for --stream, through which particles come from far away: a floor is not shaken"},
        {FOR_FALL, has_steps, "is not for --step: in steps it is --interaction='gravity g=G'"},
        {FOR_FALL, options->lattice.columns > 0, "is not for --lattice, which has --lattice-force"},
        {FOR_FALL, has_stream, "is not for --stream, whose particles come from far away"},
        {FOR_ELASTIC, !is_elastic,
         "needs --rule=elastic: particles that switch velocities lose nothing"},
        {FOR_GROWTH, !is_elastic,
         "needs --rule=elastic: particles that switch velocities cannot part as they grow"},
        {FOR_SPIN, !is_elastic,
         "needs --rule=elastic: particles that switch velocities have no surfaces"},
        {FOR_SPIN, has_stream || options->walls.gives.temperature > 0,
         "is not for --stream=U or a --wall with a temperature: these give velocities, but no "
         "spins"},
        {FOR_WHOLE, is_given(options, "--roughness"), "is not for --roughness=BETA"},
        {FOR_FIXED, options->growth.rate > 0, "is not for --grow=RATE"},
        {FOR_LOSS,
         !(is_elastic && options->law.restitution < 1) && !(options->walls.gives.restitution > 0) &&
             !has_gravity(options),
         "needs --rule=elastic and a --restitution below 1, or a --wall with one: otherwise no "
         "collision loses energy"},
        {FOR_STREAM, !has_stream, "needs --stream=U"},
        {FOR_CHANCE,
         !has_stream && !has_steps && !options->generate && !(options->walls.gives.temperature > 0),
         "is only for --generate=N, --stream=U, --wall='SIDE temperature=T' and --step=DT: nothing "
         "else is chance"},
        {FOR_STEPS, !has_steps, "needs --step=DT"},
        {FOR_RETURN, has_stream || options->walls.gives.temperature > 0,
         "is not for --stream=U or a --wall with a temperature: velocities that are drawn by "
         "chance lead nowhere back"},
    };
    for (size_t j = 0; j < sizeof rules / sizeof rules[0]; j++) {
        for (size_t k = 0; k < option_row_count && rules[j].is_missing; k++) {
            if (!options->given[k] || !(option_rows[k].uses & rules[j].use))
                continue;
            error_set(error, STATUS_USAGE, "option '%.100s' %s" TRY_HELP, options->given[k],
                      rules[j].why);
            config_locate(options->config, options->given[k], error);
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

static enum status check_companions(const struct options *options, struct error *error)
{
    if ((options->picture.output.frames.pattern || options->fields.output.frames.pattern) &&
        options->run.interval == 0)
        return error_set(error, STATUS_USAGE,
                         "%s with a '%%' in its name needs --every=DT, the time between "
                         "frames" TRY_HELP,
                         options->fields.output.frames.pattern ? "--fields" : "--picture");
    for (size_t k = 0; k < option_row_count; k++) {
        const struct option_row *row = &option_rows[k];
        if (options->given[k] && row->needs && !is_given(options, row->needs))
            return error_set(error, STATUS_USAGE, "--%s needs %s" TRY_HELP, row->name, row->needs);
        if (options->given[k] && row->only_for && !is_given(options, row->only_for))
            return error_set(error, STATUS_USAGE, "--%s is only for %s" TRY_HELP, row->name,
                             row->only_for);
    }
    return STATUS_DONE;
}

static enum status check_stream(struct options *options, struct error *error)
{
    if (options->stream.draw && !(options->periodic & PERIODIC_X))
        return error_set(error, STATUS_USAGE,
                         "--stream needs --periodic=x or --periodic=xy: it flows through the seam "
                         "in x" TRY_HELP);
    for (int axis = 0; axis < 2; axis++)
        if (options->gravity[axis] != 0 && options->periodic & 1u << axis)
            return error_set(error, STATUS_USAGE,
                             "--gravity acts along %c, and --periodic makes that axis endless: "
                             "particles would fall for ever" TRY_HELP,
                             "xy"[axis]);
    options->stream.seed = options->steps.seed = options->walls.seed = options->seed;
    return STATUS_DONE;
}

/* Checks a run in steps. With --resume they are not known here. */
static enum status check_steps(const struct options *options, struct error *error)
{
    const struct steps_settings *steps = &options->steps;
    const double substeps = steps->step > 0 && isfinite(options->run.to)
                                ? options->run.to / steps->step * steps->substeps
                                : 0;
    if (substeps <= MAX_STEPS)
        return STATUS_DONE;
    return error_set(
        error, STATUS_USAGE, "up to END_TIME %s, --step=%s would be %g substeps; the most is %g",
        show_exactly(options->run.to).text, show_exactly(steps->step).text, substeps, MAX_STEPS);
}

static enum status check_frames(const struct options *options, struct error *error)
{
    const int draws_frames =
        options->picture.output.frames.pattern || options->fields.output.frames.pattern;
    const int has_series = options->fields.has_series;
    const double most = draws_frames ? FRAME_NAMES_MAX : FRAMES_MAX;
    if (options->run.interval == 0)
        return STATUS_DONE;
    if (!options->trajectory.output.name && !options->structure.name && !options->forces.name &&
        !has_series && !draws_frames)
        return error_set(error, STATUS_USAGE,
                         "--every is only for --trajectory=FILE, --structure=FILE, --forces=FILE, "
                         "--fields=FILE.csv, and --fields and frames of --picture, such as "
                         "%%06d.svg" TRY_HELP);
    if (options->run.to > most * options->run.interval)
        return error_set(error, STATUS_USAGE,
                         "up to END_TIME %s, --every=%s would be %g frames; the most is %g%s",
                         show_exactly(options->run.to).text,
                         show_exactly(options->run.interval).text,
                         options->run.to / options->run.interval, most,
                         draws_frames ? " for --picture and files of --fields" : "");
    return STATUS_DONE;
}

/* Checks the time from which figures count. With --resume, END_TIME and stream are not known. */
static enum status check_figures(const struct options *options, struct error *error)
{
    const int draws_forces = options->picture.output.name &&
                             !options->picture.output.frames.pattern &&
                             (options->stream.draw || options->resume);
    if (is_given(options, "--stats-from") && !options->stats.output.is_wanted &&
        !options->structure.name && !options->fields.output.name && !options->forces.name &&
        !options->report.output.name && !draws_forces)
        return error_set(error, STATUS_USAGE,
                         "--stats-from is only for --stats, --structure=FILE, --fields=FILE, "
                         "--forces=FILE, --report=FILE and, in a stream, --picture=FILE" TRY_HELP);
    if (!options->resume && options->run.from > options->run.to)
        return error_set(error, STATUS_USAGE,
                         "--stats-from=%s is after END_TIME, %s: no figure would count anything",
                         show_exactly(options->run.from).text, show_exactly(options->run.to).text);
    return STATUS_DONE;
}

static enum status check_subjects(const struct options *options, struct error *error)
{
    if (options->fields.shown != SHOW_DENSITY &&
        !(options->fields.write &&
          (options->fields.write == field_picture_write || options->report.output.name)))
        return error_set(error, STATUS_USAGE,
                         "--fields-show is only for --fields=FILE.svg and, with --fields, "
                         "--report=FILE: it chooses what a picture shows" TRY_HELP);
    if (options->forces.name && !options->resume &&
        !polygon_files_have_obstacles(&options->polygons))
        return error_set(
            error, STATUS_USAGE,
            "--forces needs --obstacle=FILE: it measures the forces on obstacles" TRY_HELP);
    return STATUS_DONE;
}

/* Takes INPUT and END_TIME. One that is missing may have become the value of an option. */
static enum status take_operands(const struct command_line *parsed, struct options *options,
                                 struct error *error)
{
    if (parsed->count < 2) {
        if (parsed->count == 0)
            error_set(error, STATUS_USAGE, "INPUT and END_TIME are missing");
        else
            error_set(error, STATUS_USAGE, "END_TIME is missing after '%.100s'",
                      parsed->operands[0]);
        if (parsed->taker)
            error_append(error, "; option '%.100s' has taken '%.100s' as its FILE", parsed->taker,
                         parsed->taken);
        error_append(error, TRY_HELP);
        return STATUS_USAGE;
    }
    if (parsed->count > 2)
        return refuse_operand(parsed->operands[2], " after END_TIME", parsed, error);
    options->input = parsed->operands[0];
    const char *text = parsed->operands[1];
    double number = 0;
    const char *problem = text_number_within(text, 0, SYSTEM_LARGEST, &options->run.to);
    if (!problem)
        return STATUS_DONE;
    error_set(error, STATUS_USAGE, "END_TIME must be a number from 0 to %g, and '%.100s' %s",
              SYSTEM_LARGEST, text, problem);
    if (text_number(text, &number) && !text_number(options->input, &number))
        error_append(error, "; INPUT comes first: are '%.100s' and '%.100s' swapped?",
                     options->input, text);
    return STATUS_USAGE;
}

/* Sets the defaults of radius, area fraction and box, where they are 0. A domain gives the box, and
 * with the radius or the area fraction the other one, which stays 0. */
static enum status complete_sizes(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    const int has_domain = polygon_files_domain(&options->polygons) != NULL;
    const int has_radius = options->radii.count > 0;
    if (has_domain && request->aspect > 0)
        return error_set(error, STATUS_USAGE,
                         "--aspect is not for --domain, which gives the box" TRY_HELP);
    if (has_domain && has_radius && request->area_fraction > 0)
        return error_set(error, STATUS_USAGE,
                         "--radius and --area-fraction cannot both be kept with --domain, which "
                         "gives the box: leave one of them out" TRY_HELP);
    if (!has_radius)
        options->radii = (struct option_numbers){1, {has_domain ? 0 : 1}};
    if (request->area_fraction == 0 && !(has_domain && has_radius))
        request->area_fraction = 0.3;
    if (request->aspect == 0 && !has_domain)
        request->aspect = 1;
    return STATUS_DONE;
}

/* Checks that a list has a number for each component, or one for all. */
static enum status check_list(const char *name, const struct option_numbers *list,
                              size_t components, struct error *error)
{
    if (list->count == 1 || list->count == components)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--%s has %zu values and --generate has %zu: there must be one for each "
                     "number of particles, or one for all" TRY_HELP,
                     name, list->count, components);
}

static enum status complete_components(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    const struct option_numbers *radii = &options->radii;
    const struct option_numbers *masses = &options->masses;
    enum status status;
    if ((status = check_list("radius", radii, request->component_count, error)) ||
        (status = check_list("mass", masses, request->component_count, error)))
        return status;
    if (request->spread.radius > 0 && request->component_count > 1)
        return error_set(error, STATUS_USAGE,
                         "a --radius with a spread is for a single species" TRY_HELP);
    for (size_t k = 0; k < request->component_count; k++) {
        request->components[k].radius = radii->values[radii->count > 1 ? k : 0];
        request->components[k].mass = masses->values[masses->count > 1 ? k : 0];
    }
    request->radius = radii->values[0];
    request->periodic = options->periodic;
    return STATUS_DONE;
}

static enum status complete_speed(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    request->stream = options->stream;
    if (request->speed > 0 && request->stream.temperature > 0)
        return error_set(error, STATUS_USAGE,
                         "--speed and --stream-temperature both say how fast the particles are: "
                         "leave one of them out" TRY_HELP);
    if (request->speed == 0)
        request->speed = 1;
    if (request->stream.draw && request->stream.temperature == 0)
        request->stream.temperature =
            request->components[0].mass * request->speed * request->speed / 2;
    return STATUS_DONE;
}

static enum status check_generate(struct options *options, struct error *error)
{
    enum status status;
    options->request.seed = options->seed;
    if ((status = check_stream(options, error)) || (status = complete_sizes(options, error)) ||
        (status = complete_components(options, error)) || (status = complete_speed(options, error)))
        return status;
    /* Where there are no walls, the range of the area fraction is enough. */
    const double area_fraction = options->request.area_fraction;
    if (options->periodic == (PERIODIC_X | PERIODIC_Y) ||
        area_fraction <= GENERATE_MAX_AREA_FRACTION)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--area-fraction takes a number from %g to %g, and '%s' %s; with "
                     "--periodic=xy up to %g is possible",
                     SYSTEM_SMALLEST, GENERATE_MAX_AREA_FRACTION, show_exactly(area_fraction).text,
                     OPTION_TOO_DENSE, GENERATE_MAX_WITHOUT_WALLS);
}

static enum status check_values(struct options *options, struct error *error)
{
    enum status status = options->generate ? check_generate(options, error) : STATUS_DONE;
    if (status || options->generate == GENERATE_INPUT)
        return status;
    const int is_lossy = options->law.restitution < 1 || options->walls.gives.restitution > 0;
    if ((is_lossy || has_gravity(options)) && !is_given(options, "--contact-time"))
        options->law.contact_time = -1;
    options->surfaces.are_rough = is_given(options, "--roughness");
    if (!is_given(options, "--friction"))
        options->surfaces.friction = SYSTEM_LARGEST;
    if (!is_given(options, "--inertia"))
        options->surfaces.inertia = SURFACES_INERTIA;
    if (options->sensitivity.runs == 0 &&
        (options->sensitivity.output.name || options->sensitivity.has_verdict))
        options->sensitivity.runs = SENSITIVITY_DEFAULT_RUNS;
    if ((status = check_companions(options, error)) || (status = check_stream(options, error)) ||
        (status = check_steps(options, error)) || (status = check_figures(options, error)) ||
        (status = check_subjects(options, error)))
        return status;
    return check_frames(options, error);
}

enum status options_check(struct options *options, struct error *error)
{
    const enum status status = check_uses(options, error);
    return status ? status : check_values(options, error);
}

/* Options of which operands depend come first, then the operands, then all else. */
static enum status check_line(const struct command_line *parsed, struct options *options,
                              struct error *error)
{
    enum status status = check_uses(options, error);
    if (status)
        return status;
    if (parsed->count > 0 && options->generate)
        return refuse_operand(parsed->operands[0], ": --generate takes no INPUT and no END_TIME",
                              parsed, error);
    if (parsed->count > 0 && options->resume)
        return refuse_operand(
            parsed->operands[0],
            ": --resume takes no INPUT and no END_TIME, for they are in the checkpoint", parsed,
            error);
    if (!options->generate && !options->resume && (status = take_operands(parsed, options, error)))
        return status;
    return check_values(options, error);
}

double options_read_clock(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : 0;
}

void options_begin(struct options *options)
{
    *options =
        (struct options){.law = {.rule = RULE_SWAP, .restitution = 1},
                         .steps = {.substeps = STEPS_DEFAULT_SUBSTEPS},
                         .report = {.version = PARTICLES_VERSION, .write = report_page_write},
                         .checkpoint = {.every = 60},
                         .masses = {1, {1}},
                         .seed = 1};
}

enum status options_set(struct options *options, const char *name, const char *value,
                        const char *text, struct error *error)
{
    static const char of_run[] = "schedule threads tile-side stats-from reference-length";
    const struct option_row *row = option_find(name, strlen(name));
    if (!row)
        return refuse_unknown(name, error);
    if (!(row->uses & (FOR_SYSTEM | FOR_REQUEST)) && !strstr(of_run, row->name))
        return error_set(error, STATUS_USAGE, "option '%.100s' is for the command alone", name);
    if (value && !row->value)
        return error_set(error, STATUS_USAGE, "option '%.100s' takes no value", text);
    return take_option(row, text, value, options, error);
}

int options_have(const char *name, size_t length)
{
    return option_find(name, length) != NULL;
}

enum status options_parse(int argc, char **argv, struct options *options, struct error *error)
{
    struct command_line parsed = {0};
    enum status status = STATUS_DONE;
    int has_ended = 0; /* a "--" has been met */
    options_begin(options);
    options->report.arguments = argv;
    for (char **word = argv + (argc > 0); *word && !status && !options_ask_for_text(options);) {
        size_t used = 1;
        if (has_ended || (*word)[0] != '-' || (*word)[1] == '\0') {
            if (parsed.bare && word[-1] == parsed.bare)
                parsed.next = *word;
            if (parsed.count < 3)
                parsed.operands[parsed.count++] = *word;
        } else if (strcmp(*word, "--") == 0) {
            has_ended = 1;
        } else {
            status = take_words(word, &parsed, options, &used, error);
        }
        word += used;
    }
    return status || options_ask_for_text(options) ? status : check_line(&parsed, options, error);
}

void options_free(struct options *options)
{
    config_free(options->config);
    polygon_files_free(&options->polygons);
    memory_free(options->walls.list);
    steps_settings_free(&options->steps);
    options->config = NULL;
}

/* Of a line of the help, in characters. */
enum { HELP_INDENT = 23, HELP_WIDTH = 80 };

/* Writes an option as in "--stats[=FILE]". Returns the number of characters. */
static int write_option(FILE *stream, const struct option_row *row)
{
    if (!row->value)
        return fprintf(stream, "--%s", row->name);
    return fprintf(stream, row->value[0] == '[' ? "--%s[=%s" : "--%s=%s", row->name,
                   row->value + (row->value[0] == '['));
}

/* Writes a text from column `column` on, in lines that begin at HELP_INDENT. */
static void write_wrapped(FILE *stream, const char *text, int column)
{
    if (column >= HELP_INDENT) {
        fputc('\n', stream);
        column = 0;
    }
    fprintf(stream, "%*s", HELP_INDENT - column, "");
    column = HELP_INDENT;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > HELP_INDENT && column + 1 + length >= HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        }
        column += fprintf(stream, "%s%.*s", column > HELP_INDENT ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

static void write_help(FILE *stream)
{
    fputs(help_begin, stream);
    for (size_t k = 0; k < option_row_count; k++) {
        const struct option_row *row = &option_rows[k];
        char letter[] = "-x, ";
        if (!row->help)
            continue;
        letter[1] = (char)row->letter;
        if (row->heading)
            fprintf(stream, "\n%s:\n", row->heading);
        const int before = fprintf(stream, "  %-4s", row->letter ? letter : "");
        write_wrapped(stream, row->help, before + write_option(stream, row));
        if (row->noun)
            fprintf(stream, "%*s%s: %s\n", HELP_INDENT, "", row->value, row->words);
    }
    fputs(help_end, stream);
}

static void write_keys(FILE *stream, const char *option, const char *name,
                       const struct text_parameter *parameters)
{
    fprintf(stream, "%s %s|", option, name);
    for (size_t k = 0; parameters[k].key; k++)
        fprintf(stream, "%s%s=", k > 0 ? " " : "", parameters[k].key);
    fputc('\n', stream);
}

static void write_completion(FILE *stream)
{
    const struct text_parameter *parameters;
    const char *name;
    for (size_t k = 0; k < option_row_count; k++) {
        const struct option_row *row = &option_rows[k];
        const unsigned uses = row->uses;
        if (!row->help)
            continue;
        if (row->letter)
            fprintf(stream, "-%c|run generate resume step||%s\n", row->letter, row->help);
        write_option(stream, row);
        fprintf(stream, "|%s%s%s%s|%s|%s\n", uses & FOR_REQUEST ? "" : "run ",
                uses & FOR_RUN ? "" : "generate ",
                uses & (FOR_SYSTEM | FOR_WHOLE | FOR_REQUEST) ? "" : "resume ",
                uses & (FOR_LAW | FOR_EVENTS | FOR_SEAMS | FOR_WALLS | FOR_FORCES | FOR_REQUEST)
                    ? ""
                    : "step",
                row->words ? row->words : "", row->help);
    }
    for (int is_constraint = 0; is_constraint < 2; is_constraint++)
        for (size_t k = 0; (name = steps_term(is_constraint, k, &parameters)); k++)
            write_keys(stream, is_constraint ? "constraint" : "interaction", name, parameters);
    for (size_t k = 0; (name = wall_subjects[k]); k++)
        write_keys(stream, "wall", name, wall_parameters);
}

enum status options_write_text(const struct options *options, FILE *stream, const char *name,
                               struct error *error)
{
    if (options->help)
        write_help(stream);
    else if (options->version)
        fputs("particles " PARTICLES_VERSION "\n", stream);
    else
        write_completion(stream);
    return text_flush(stream, name, error);
}
