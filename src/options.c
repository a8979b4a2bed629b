/*
 * The command line: GNU long options, then INPUT and END_TIME, or none of these with --generate.
 */
#include "options.h"

#include "sensitivity.h"
#include "text.h"
#include "trajectory.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static const double USUAL_CHECKPOINT_EVERY = 60;

#define TRY_HELP "; try 'particles --help'"

/* What getopt_long returns for options without a letter of their own. */
enum {
    OPTION_SCHEDULE = 256,
    OPTION_RULE,
    OPTION_RESTITUTION,
    OPTION_CONTACT_TIME,
    OPTION_EVENTS,
    OPTION_TRAJECTORY,
    OPTION_EVERY,
    OPTION_PROGRESS,
    OPTION_QUIET,
    OPTION_STATS,
    OPTION_SENSITIVITY,
    OPTION_PICTURE,
    OPTION_ANIMATE,
    OPTION_CHECKPOINT,
    OPTION_CHECKPOINT_EVERY,
    OPTION_RESUME,
    OPTION_GENERATE,
    OPTION_AREA_FRACTION,
    OPTION_RADIUS,
    OPTION_ASPECT,
    OPTION_SPEED,
    OPTION_SEED
};

static const struct option long_options[] = {
    {"schedule", required_argument, NULL, OPTION_SCHEDULE},
    {"rule", required_argument, NULL, OPTION_RULE},
    {"restitution", required_argument, NULL, OPTION_RESTITUTION},
    {"contact-time", required_argument, NULL, OPTION_CONTACT_TIME},
    {"events", required_argument, NULL, OPTION_EVENTS},
    {"trajectory", required_argument, NULL, OPTION_TRAJECTORY},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"progress", no_argument, NULL, OPTION_PROGRESS},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"stats", optional_argument, NULL, OPTION_STATS},
    {"sensitivity", optional_argument, NULL, OPTION_SENSITIVITY},
    {"picture", required_argument, NULL, OPTION_PICTURE},
    {"animate", required_argument, NULL, OPTION_ANIMATE},
    {"checkpoint", required_argument, NULL, OPTION_CHECKPOINT},
    {"checkpoint-every", required_argument, NULL, OPTION_CHECKPOINT_EVERY},
    {"resume", required_argument, NULL, OPTION_RESUME},
    {"generate", required_argument, NULL, OPTION_GENERATE},
    {"area-fraction", required_argument, NULL, OPTION_AREA_FRACTION},
    {"radius", required_argument, NULL, OPTION_RADIUS},
    {"aspect", required_argument, NULL, OPTION_ASPECT},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static enum status parse_schedule(const char *text, enum schedule_kind *kind, struct error *error)
{
    static const struct {
        const char *name;
        enum schedule_kind kind;
    } schedules[] = {{"auto", SCHEDULE_AUTO}, {"array", SCHEDULE_ARRAY}, {"cells", SCHEDULE_CELLS}};
    for (size_t k = 0; k < sizeof schedules / sizeof schedules[0]; k++) {
        if (strcmp(text, schedules[k].name) == 0) {
            *kind = schedules[k].kind;
            return STATUS_DONE;
        }
    }
    return error_set(error, STATUS_USAGE, "unknown schedule '%.100s': use auto, array or cells",
                     text);
}

static enum status parse_rule(const char *text, enum rule *rule, struct error *error)
{
    if (strcmp(text, "swap") == 0)
        *rule = RULE_SWAP;
    else if (strcmp(text, "elastic") == 0)
        *rule = RULE_ELASTIC;
    else
        return error_set(error, STATUS_USAGE, "unknown rule '%.100s': use swap or elastic", text);
    return STATUS_DONE;
}

static enum status parse_end_time(const char *text, double *end_time, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < 0)
        problem = "is negative";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is beyond all measure";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' %s", SYSTEM_LARGEST,
                         text, problem);
    *end_time = value;
    return STATUS_DONE;
}

/* Reads the name of a file that is to be written. */
static enum status parse_file(const char *option, const char *text, const char **file,
                              struct error *error)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "%s takes the name of a file to write, not '%s': standard output is for "
                         "the answer alone",
                         option, text);
    *file = text;
    return STATUS_DONE;
}

/* Reads the name of a checkpoint. */
static enum status parse_resume(const char *text, const char **file, struct error *error)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE, "--resume takes the file of a checkpoint, not '%s'",
                         text);
    *file = text;
    return STATUS_DONE;
}

/* Reads the time between frames, or between checkpoints. */
static enum status parse_every(const char *option, const char *text, double *every,
                               struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && !(value > 0))
        problem = "is not";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is beyond all measure";
    if (problem)
        return error_set(error, STATUS_USAGE, "%s takes a positive number, and '%.100s' %s", option,
                         text, problem);
    *every = value;
    return STATUS_DONE;
}

/* Checks the options for frames against each other, and against END_TIME. */
static enum status check_frames(const struct options *options, struct error *error)
{
    if (options->trajectory && options->every == 0)
        return error_set(error, STATUS_USAGE,
                         "--trajectory needs --every=DT, the time between frames" TRY_HELP);
    if (!options->trajectory && options->every > 0)
        return error_set(error, STATUS_USAGE, "--every is only for --trajectory=FILE" TRY_HELP);
    if (options->end_time > TRAJECTORY_MOST_FRAMES * options->every && options->trajectory)
        return error_set(error, STATUS_USAGE,
                         "up to END_TIME %g, --every=%g would be %g frames, and there can be %g",
                         options->end_time, options->every, options->end_time / options->every,
                         TRAJECTORY_MOST_FRAMES);
    return STATUS_DONE;
}

/* Reads the number of particles to generate. */
static enum status parse_generate(const char *text, struct options *options, struct error *error)
{
    uint64_t count = 0;
    const char *problem = text_whole_number(text, &count);
    if (!problem && count < 1)
        problem = "is too small";
    if (!problem && count > SYSTEM_MAX_COUNT)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--generate takes a whole number from 1 to %d, and '%.100s' %s",
                         SYSTEM_MAX_COUNT, text, problem);
    options->generate = 1;
    options->request.count = (size_t)count;
    return STATUS_DONE;
}

/* Reads the number of perturbed runs, or NULL for the usual one. */
static enum status parse_sensitivity(const char *text, uint32_t *runs, struct error *error)
{
    uint64_t count = SENSITIVITY_USUAL_RUNS;
    const char *problem = text ? text_whole_number(text, &count) : NULL;
    if (!problem && count < 1)
        problem = "is too small";
    if (!problem && count > SENSITIVITY_MOST_RUNS)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--sensitivity takes a whole number from 1 to %d, and '%.100s' %s",
                         SENSITIVITY_MOST_RUNS, text, problem);
    *runs = (uint32_t)count;
    return STATUS_DONE;
}

static enum status parse_seed(const char *text, uint64_t *seed, struct error *error)
{
    const char *problem = text_whole_number(text, seed);
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--seed takes a whole number from 0 to %" PRIu64 ", and '%.100s' %s",
                         UINT64_MAX, text, problem);
    return STATUS_DONE;
}

/* Reads a number from `least` to `largest`; of one beyond, it says `too_large`. */
static enum status parse_number(const char *name, const char *text, double least, double largest,
                                const char *too_large, double *number, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < least)
        problem = least == 0 ? "is negative" : "is too small";
    if (!problem && value > largest)
        problem = too_large;
    if (problem)
        return error_set(error, STATUS_USAGE, "--%s takes a number from %g to %g, and '%.100s' %s",
                         name, least, largest, text, problem);
    *number = value + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

/* The same for a number that has to be there: from SYSTEM_SMALLEST on. */
static enum status parse_size(const char *name, const char *text, double largest,
                              const char *too_large, double *size, struct error *error)
{
    return parse_number(name, text, SYSTEM_SMALLEST, largest, too_large, size, error);
}

/* Arguments that others have to give a meaning: the last of each sort, or NULL for none. */
struct seen {
    const char *request;      /* only for --generate */
    const char *restitution;  /* only for --rule=elastic */
    const char *contact_time; /* only for a restitution below 1 */
    const char *law;          /* any of these, or the rule: not for --resume */
};

/* Reads the value of an option that says what a collision does, and that stands in `argument`. */
static enum status parse_law(int option, const char *text, const char *argument, struct law *law,
                             struct seen *seen, struct error *error)
{
    const char *too_large = "is too large";
    seen->law = argument;
    switch (option) {
    case OPTION_RULE:
        return parse_rule(text, &law->rule, error);
    case OPTION_RESTITUTION:
        seen->restitution = argument;
        return parse_number("restitution", text, 0, 1, too_large, &law->restitution, error);
    default:
        seen->contact_time = argument;
        return parse_number("contact-time", text, 0, SYSTEM_LARGEST, too_large, &law->contact_time,
                            error);
    }
}

/* Reads the value of an option that says what --generate makes. */
static enum status parse_request(int option, const char *text, struct generate_request *request,
                                 struct error *error)
{
    const char *too_large = "is too large";
    switch (option) {
    case OPTION_AREA_FRACTION:
        return parse_size("area-fraction", text, GENERATE_MAX_AREA_FRACTION,
                          "is too large: the densest packing there is covers 0.9069, and walls "
                          "cost some of that",
                          &request->area_fraction, error);
    case OPTION_RADIUS:
        return parse_size("radius", text, SYSTEM_LARGEST, too_large, &request->radius, error);
    case OPTION_ASPECT:
        return parse_size("aspect", text, SYSTEM_LARGEST, too_large, &request->aspect, error);
    case OPTION_SPEED:
        return parse_size("speed", text, GENERATE_MAX_SPEED, too_large, &request->speed, error);
    default:
        return parse_seed(text, &request->seed, error);
    }
}

/* Says what is wrong with the argument at which getopt_long has stopped. */
static enum status refuse_option(const char *argument, int is_missing, struct error *error)
{
    double number;
    if (is_missing)
        return error_set(error, STATUS_USAGE, "option '%.100s' needs a value" TRY_HELP, argument);
    if (text_number(argument, &number) == NULL)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' has a minus sign",
                         SYSTEM_LARGEST, argument);
    return error_set(error, STATUS_USAGE, "unknown, ambiguous or misused option '%.100s'" TRY_HELP,
                     argument);
}

/* The words of the command line that are not options. */
struct operands {
    int count;
    char *words[3]; /* the first three: two are wanted, one too many is named */
};

static void take_operand(struct operands *operands, char *word)
{
    if (operands->count < 3)
        operands->words[operands->count++] = word;
}

/* Whether the law makes sense; the contact time that it needs and does not have becomes -1. */
static enum status check_law(const struct seen *seen, struct law *law, struct error *error)
{
    if (seen->restitution && law->rule != RULE_ELASTIC)
        return error_set(error, STATUS_USAGE,
                         "option '%.100s' needs --rule=elastic: particles that switch velocities "
                         "lose nothing" TRY_HELP,
                         seen->restitution);
    if (seen->contact_time && !(law->rule == RULE_ELASTIC && law->restitution < 1))
        return error_set(error, STATUS_USAGE,
                         "option '%.100s' needs --rule=elastic and a --restitution below 1: only "
                         "then is anything lost" TRY_HELP,
                         seen->contact_time);
    if (law->restitution < 1 && !seen->contact_time)
        law->contact_time = -1;
    return STATUS_DONE;
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
    if (options->generate && (options->checkpoint || options->resume))
        return error_set(error, STATUS_USAGE,
                         "--generate makes an INPUT and simulates nothing: it takes no "
                         "--checkpoint and --resume" TRY_HELP);
    if (options->resume && seen->law)
        return error_set(error, STATUS_USAGE,
                         "option '%.100s' is not for --resume: the law of collisions is that of "
                         "the checkpoint" TRY_HELP,
                         seen->law);
    if (options->resume && operands->count > 0)
        return error_set(error, STATUS_USAGE,
                         "extra argument '%.100s': --resume takes no INPUT and no END_TIME, for "
                         "they are in the checkpoint" TRY_HELP,
                         operands->words[0]);
    return STATUS_DONE;
}

static enum status parse_operands(const struct operands *operands, const struct seen *seen,
                                  struct options *options, struct error *error)
{
    enum status status = check_law(seen, &options->law, error);
    if (!status)
        status = check_checkpoints(operands, seen, options, error);
    if (status)
        return status;
    if (seen->request && !options->generate)
        return error_set(error, STATUS_USAGE, "option '%.100s' is only for --generate=N" TRY_HELP,
                         seen->request);
    if (options->generate && operands->count > 0)
        return error_set(
            error, STATUS_USAGE,
            "extra argument '%.100s': --generate takes no INPUT and no END_TIME" TRY_HELP,
            operands->words[0]);
    if (options->generate && (options->stats || options->events || options->trajectory ||
                              options->every > 0 || options->picture || options->animation ||
                              options->sensitivity))
        return error_set(error, STATUS_USAGE,
                         "--generate makes an INPUT and simulates nothing: it takes no --stats, "
                         "--events, --trajectory, --every, --picture, --animate and --sensitivity" TRY_HELP);
    if (options->generate)
        return STATUS_DONE;
    if (options->resume)
        return check_frames(options, error);
    if (operands->count < 1)
        return error_set(error, STATUS_USAGE, "INPUT and END_TIME are missing" TRY_HELP);
    if (operands->count < 2)
        return error_set(error, STATUS_USAGE, "END_TIME is missing after '%.100s'" TRY_HELP,
                         operands->words[0]);
    if (operands->count > 2)
        return error_set(error, STATUS_USAGE, "extra argument '%.100s' after END_TIME" TRY_HELP,
                         operands->words[2]);
    options->input = operands->words[0];
    status = parse_end_time(operands->words[1], &options->end_time, error);
    return status ? status : check_frames(options, error);
}

enum status options_parse(int argc, char **argv, struct options *options, struct error *error)
{
    struct operands operands = {0};
    struct seen seen = {0};
    *options = (struct options){
        .schedule = SCHEDULE_AUTO,
        .law = {.rule = RULE_SWAP, .restitution = 1},
        .request = {.area_fraction = 0.3, .radius = 1, .aspect = 1, .speed = 1, .seed = 1}};
    opterr = 0; /* the messages are ours */
    for (;;) {
        int at = optind > 0 ? optind : 1;
        /* The '-' returns operands in their order, as 1; the ':' tells what lacks its value. */
        int option = getopt_long(argc, argv, "-:hV", long_options, NULL);
        enum status status = STATUS_DONE;
        switch (option) {
        case -1:
            while (optind < argc) /* what follows a "--" */
                take_operand(&operands, argv[optind++]);
            return parse_operands(&operands, &seen, options, error);
        case 1:
            take_operand(&operands, optarg);
            break;
        case 'h':
            options->help = 1;
            return STATUS_DONE;
        case 'V':
            options->version = 1;
            return STATUS_DONE;
        case OPTION_EVENTS:
            status = parse_file("--events", optarg, &options->events, error);
            break;
        case OPTION_TRAJECTORY:
            status = parse_file("--trajectory", optarg, &options->trajectory, error);
            break;
        case OPTION_EVERY:
            status = parse_every("--every", optarg, &options->every, error);
            break;
        case OPTION_PROGRESS:
            options->progress = 1;
            break;
        case OPTION_QUIET:
            options->quiet = 1;
            break;
        case OPTION_STATS:
            options->stats = 1;
            if (optarg)
                status = parse_file("--stats", optarg, &options->stats_file, error);
            break;
        case OPTION_SENSITIVITY:
            status = parse_sensitivity(optarg, &options->sensitivity, error);
            break;
        case OPTION_PICTURE:
            status = parse_file("--picture", optarg, &options->picture, error);
            break;
        case OPTION_ANIMATE:
            status = parse_file("--animate", optarg, &options->animation, error);
            break;
        case OPTION_SCHEDULE:
            status = parse_schedule(optarg, &options->schedule, error);
            break;
        case OPTION_RULE:
        case OPTION_RESTITUTION:
        case OPTION_CONTACT_TIME:
            status = parse_law(option, optarg, argv[at], &options->law, &seen, error);
            break;
        case OPTION_CHECKPOINT:
            status = parse_file("--checkpoint", optarg, &options->checkpoint, error);
            break;
        case OPTION_CHECKPOINT_EVERY:
            status = parse_every("--checkpoint-every", optarg, &options->checkpoint_every, error);
            break;
        case OPTION_RESUME:
            status = parse_resume(optarg, &options->resume, error);
            break;
        case OPTION_GENERATE:
            status = parse_generate(optarg, options, error);
            break;
        case OPTION_AREA_FRACTION:
        case OPTION_RADIUS:
        case OPTION_ASPECT:
        case OPTION_SPEED:
        case OPTION_SEED:
            seen.request = argv[at];
            status = parse_request(option, optarg, &options->request, error);
            break;
        default:
            status = refuse_option(argv[at], option == ':', error);
        }
        if (status)
            return status;
    }
}
