/*
 * The command line: GNU long options, then INPUT and END_TIME, or none of these with --generate.
 */
#include "cli/options.h"

#include "io/text.h"
#include "observe/sensitivity.h"
#include "observe/trajectory.h"
#include "option_values.h"

#include <getopt.h>

static const double USUAL_CHECKPOINT_EVERY = 60;

#define TRY_HELP "; try 'particles --help'"

/* What getopt_long returns for options without a letter of their own. */
enum {
    OPTION_QUIET = 256,
    OPTION_SCHEDULE, /* from here on only for a simulation, */
    OPTION_RULE,
    OPTION_RESTITUTION,
    OPTION_CONTACT_TIME,
    OPTION_EVENTS,
    OPTION_TRAJECTORY,
    OPTION_EVERY,
    OPTION_PROGRESS,
    OPTION_STATS,
    OPTION_SENSITIVITY,
    OPTION_PICTURE,
    OPTION_ANIMATE,
    OPTION_CHECKPOINT,
    OPTION_CHECKPOINT_EVERY,
    OPTION_RESUME,
    OPTION_GENERATE, /* and from here on only for none */
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

/* Arguments that others have to give a meaning: the last of each sort, or NULL for none. */
struct seen {
    const char *run;          /* not for --generate, which simulates nothing */
    const char *request;      /* only for --generate */
    const char *restitution;  /* only for --rule=elastic */
    const char *contact_time; /* only for a restitution below 1 */
    const char *law;          /* any of these, or the rule: not for --resume */
};

/* Reads the value of an option that says what a collision does, and that stands in `argument`. */
static enum status take_law(int option, const char *text, const char *argument, struct law *law,
                            struct seen *seen, struct error *error)
{
    const char *too_large = "is too large";
    seen->law = argument;
    switch (option) {
    case OPTION_RULE:
        return option_rule(text, &law->rule, error);
    case OPTION_RESTITUTION:
        seen->restitution = argument;
        return option_number("restitution", text, 0, 1, too_large, &law->restitution, error);
    default:
        seen->contact_time = argument;
        return option_number("contact-time", text, 0, SYSTEM_LARGEST, too_large, &law->contact_time,
                             error);
    }
}

/* Reads the value of an option that says what --generate makes. */
static enum status take_request(int option, const char *text, struct generate_request *request,
                                struct error *error)
{
    const double least = SYSTEM_SMALLEST;
    const char *too_large = "is too large";
    switch (option) {
    case OPTION_AREA_FRACTION:
        return option_number("area-fraction", text, least, GENERATE_MAX_AREA_FRACTION,
                             "is too large: the densest packing there is covers 0.9069, and walls "
                             "cost some of that",
                             &request->area_fraction, error);
    case OPTION_RADIUS:
        return option_number("radius", text, least, SYSTEM_LARGEST, too_large, &request->radius,
                             error);
    case OPTION_ASPECT:
        return option_number("aspect", text, least, SYSTEM_LARGEST, too_large, &request->aspect,
                             error);
    case OPTION_SPEED:
        return option_number("speed", text, least, GENERATE_MAX_SPEED, too_large, &request->speed,
                             error);
    default:
        return option_whole("seed", text, 0, UINT64_MAX, &request->seed, error);
    }
}

/* Reads the value of an option for what is to be written, or read, beside INPUT and the answer. */
static enum status take_file(int option, const char *text, struct options *options,
                             struct error *error)
{
    switch (option) {
    case OPTION_EVENTS:
        return option_output("events", text, &options->events, error);
    case OPTION_TRAJECTORY:
        return option_output("trajectory", text, &options->trajectory, error);
    case OPTION_EVERY:
        return option_positive("every", text, &options->every, error);
    case OPTION_STATS:
        options->stats = 1;
        return text ? option_output("stats", text, &options->stats_file, error) : STATUS_DONE;
    case OPTION_PICTURE:
        return option_output("picture", text, &options->picture, error);
    case OPTION_ANIMATE:
        return option_output("animate", text, &options->animation, error);
    case OPTION_CHECKPOINT:
        return option_output("checkpoint", text, &options->checkpoint, error);
    case OPTION_CHECKPOINT_EVERY:
        return option_positive("checkpoint-every", text, &options->checkpoint_every, error);
    default:
        return option_resume(text, &options->resume, error);
    }
}

/* Reads the number of particles to generate. */
static enum status take_generate(const char *text, struct options *options, struct error *error)
{
    uint64_t count = 0;
    enum status status = option_whole("generate", text, 1, SYSTEM_MAX_COUNT, &count, error);
    options->generate = 1;
    options->request.count = (size_t)count;
    return status;
}

/* Reads the number of perturbed runs, or NULL for the usual one. */
static enum status take_sensitivity(const char *text, uint32_t *runs, struct error *error)
{
    uint64_t count = SENSITIVITY_USUAL_RUNS;
    enum status status =
        text ? option_whole("sensitivity", text, 1, SENSITIVITY_MOST_RUNS, &count, error)
             : STATUS_DONE;
    *runs = (uint32_t)count;
    return status;
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

/* Checks the options for checkpoints. */
static enum status check_checkpoints(const struct operands *operands, const struct seen *seen,
                                     struct options *options, struct error *error)
{
    if (!options->checkpoint && options->checkpoint_every > 0)
        return error_set(error, STATUS_USAGE,
                         "--checkpoint-every is only for --checkpoint=FILE" TRY_HELP);
    if (options->checkpoint_every == 0)
        options->checkpoint_every = USUAL_CHECKPOINT_EVERY;
    if (options->resume && seen->law)
        return error_set(error, STATUS_USAGE,
                         "option '%.100s' is not for --resume: the law of collisions is that of "
                         "the checkpoint" TRY_HELP,
                         seen->law);
    if (options->resume && options->sensitivity)
        return error_set(error, STATUS_USAGE,
                         "--sensitivity is not for --resume: it needs the whole run" TRY_HELP);
    if (options->resume && operands->count > 0)
        return error_set(error, STATUS_USAGE,
                         "extra argument '%.100s': --resume takes no INPUT and no END_TIME, for "
                         "they are in the checkpoint" TRY_HELP,
                         operands->words[0]);
    return STATUS_DONE;
}

/* Checks the command line of --generate. */
static enum status check_generate(const struct operands *operands, const struct seen *seen,
                                  struct error *error)
{
    if (seen->run)
        return error_set(error, STATUS_USAGE,
                         "option '%.100s' is for a simulation: --generate makes an INPUT and "
                         "simulates nothing" TRY_HELP,
                         seen->run);
    if (operands->count > 0)
        return error_set(
            error, STATUS_USAGE,
            "extra argument '%.100s': --generate takes no INPUT and no END_TIME" TRY_HELP,
            operands->words[0]);
    return STATUS_DONE;
}

/* Takes INPUT and END_TIME. */
static enum status take_operands(const struct operands *operands, struct options *options,
                                 struct error *error)
{
    if (operands->count < 1)
        return error_set(error, STATUS_USAGE, "INPUT and END_TIME are missing" TRY_HELP);
    if (operands->count < 2)
        return error_set(error, STATUS_USAGE, "END_TIME is missing after '%.100s'" TRY_HELP,
                         operands->words[0]);
    if (operands->count > 2)
        return error_set(error, STATUS_USAGE, "extra argument '%.100s' after END_TIME" TRY_HELP,
                         operands->words[2]);
    options->input = operands->words[0];
    return option_end_time(operands->words[1], &options->end_time, error);
}

/* Checks all that was read together, and takes the operands. */
static enum status complete(const struct operands *operands, const struct seen *seen,
                            struct options *options, struct error *error)
{
    if (options->generate)
        return check_generate(operands, seen, error);
    if (seen->request)
        return error_set(error, STATUS_USAGE, "option '%.100s' is only for --generate=N" TRY_HELP,
                         seen->request);
    enum status status = check_law(seen, &options->law, error);
    if (!status)
        status = check_checkpoints(operands, seen, options, error);
    if (!status && !options->resume)
        status = take_operands(operands, options, error);
    return status ? status : check_frames(options, error);
}

/* Takes an option that stands in `argument`, with its value or NULL. */
static enum status take_option(int option, const char *text, const char *argument,
                               struct options *options, struct seen *seen, struct error *error)
{
    if (option >= OPTION_SCHEDULE && option < OPTION_GENERATE)
        seen->run = argument;
    switch (option) {
    case OPTION_PROGRESS:
        options->progress = 1;
        return STATUS_DONE;
    case OPTION_QUIET:
        options->quiet = 1;
        return STATUS_DONE;
    case OPTION_SCHEDULE:
        return option_schedule(text, &options->schedule, error);
    case OPTION_RULE:
    case OPTION_RESTITUTION:
    case OPTION_CONTACT_TIME:
        return take_law(option, text, argument, &options->law, seen, error);
    case OPTION_SENSITIVITY:
        return take_sensitivity(text, &options->sensitivity, error);
    case OPTION_GENERATE:
        return take_generate(text, options, error);
    case OPTION_AREA_FRACTION:
    case OPTION_RADIUS:
    case OPTION_ASPECT:
    case OPTION_SPEED:
    case OPTION_SEED:
        seen->request = argument;
        return take_request(option, text, &options->request, error);
    default:
        return take_file(option, text, options, error);
    }
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
        if (option == -1) {
            while (optind < argc) /* what follows a "--" */
                take_operand(&operands, argv[optind++]);
            return complete(&operands, &seen, options, error);
        }
        if (option == 1)
            take_operand(&operands, optarg);
        else if (option == 'h')
            options->help = 1;
        else if (option == 'V')
            options->version = 1;
        else if (option >= OPTION_QUIET)
            status = take_option(option, optarg, argv[at], options, &seen, error);
        else
            status = refuse_option(argv[at], option == ':', error);
        if (status || options->help || options->version)
            return status;
    }
}
