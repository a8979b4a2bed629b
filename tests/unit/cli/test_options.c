/* Tests of the command line. Its messages are in command_line.sh. */
#include "check.h"
#include "cli/options.h"

#include <getopt.h>
#include <string.h>

/* Parses a command line of up to 9 words, NULL-terminated. */
static enum status parse(struct options *options, const char *const *words)
{
    static char copies[10][100];
    char *argv[11] = {NULL};
    int argc = 0;
    struct error error;
    for (; words[argc]; argc++)
        argv[argc] = strcpy(copies[argc], words[argc]);
    optind = 0; /* begin again: glibc's and musl's way */
    return options_parse(argc, argv, options, &error);
}

#define PARSE(options, ...) parse(options, (const char *const[]){"particles", __VA_ARGS__, NULL})

static void test_operands(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "10.5") == STATUS_DONE);
    CHECK(strcmp(options.input, "file") == 0 && options.end_time == 10.5);
    CHECK(options.schedule == SCHEDULE_AUTO && !options.quiet && !options.help);
    CHECK(PARSE(&options, "-", "0") == STATUS_DONE);
    CHECK(strcmp(options.input, "-") == 0 && options.end_time == 0);
    CHECK(PARSE(&options, "--", "--file", "1") == STATUS_DONE);
    CHECK(strcmp(options.input, "--file") == 0);
}

static void test_options_may_stand_anywhere(void)
{
    struct options options;
    CHECK(PARSE(&options, "--quiet", "file", "--schedule=array", "1") == STATUS_DONE);
    CHECK(options.quiet && options.schedule == SCHEDULE_ARRAY);
    CHECK(PARSE(&options, "file", "1", "--schedule", "auto") == STATUS_DONE);
    CHECK(!options.quiet && options.schedule == SCHEDULE_AUTO);
    CHECK(PARSE(&options, "file", "--schedule", "cells", "1") == STATUS_DONE);
    CHECK(options.schedule == SCHEDULE_CELLS);
    CHECK(PARSE(&options, "--schedule=cells", "file", "1", "--schedule=array") == STATUS_DONE);
    CHECK(options.schedule == SCHEDULE_ARRAY);
    CHECK(PARSE(&options, "--help") == STATUS_DONE && options.help);
    CHECK(PARSE(&options, "-V") == STATUS_DONE && options.version);
    CHECK(PARSE(&options, "file", "x", "-h") == STATUS_DONE && options.help);
}

static void test_sensitivity(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && options.sensitivity == 0);
    CHECK(PARSE(&options, "--sensitivity", "file", "1") == STATUS_DONE && options.sensitivity == 8);
    CHECK(PARSE(&options, "--sensitivity=10000", "file", "1") == STATUS_DONE);
    CHECK(options.sensitivity == 10000);
    CHECK(PARSE(&options, "file", "1", "--sensitivity=1") == STATUS_DONE);
    CHECK(options.sensitivity == 1);
    CHECK(PARSE(&options, "--sensitivity=0", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--sensitivity=10001", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--sensitivity", "--generate=3") == STATUS_USAGE);
}

static void test_checkpoints(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && !options.checkpoint && !options.resume);
    CHECK(PARSE(&options, "--checkpoint=c", "file", "1") == STATUS_DONE);
    CHECK(strcmp(options.checkpoint, "c") == 0 && options.checkpoint_every == 60);
    CHECK(PARSE(&options, "--checkpoint=c", "--checkpoint-every=0.5", "file", "1") == STATUS_DONE);
    CHECK(options.checkpoint_every == 0.5);
    CHECK(PARSE(&options, "--resume", "r", "--checkpoint", "c") == STATUS_DONE);
    CHECK(strcmp(options.resume, "r") == 0 && strcmp(options.checkpoint, "c") == 0);
    CHECK(!options.input);
    CHECK(PARSE(&options, "--resume=r", "--trajectory=t") == STATUS_USAGE); /* --every is missing */
    CHECK(PARSE(&options, "--resume=r", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--resume=r", "--rule=elastic") == STATUS_USAGE);
    CHECK(PARSE(&options, "--resume=r", "--generate=3") == STATUS_USAGE);
    CHECK(PARSE(&options, "--checkpoint=-", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--checkpoint-every=1", "file", "1") == STATUS_USAGE);
}

static void test_files_to_write(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE);
    CHECK(!options.picture && !options.animation);
    CHECK(PARSE(&options, "--picture=a.svg", "file", "1", "--animate", "b.html") == STATUS_DONE);
    CHECK(strcmp(options.picture, "a.svg") == 0 && strcmp(options.animation, "b.html") == 0);
    CHECK(PARSE(&options, "--picture=-", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--animate=", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--animate=x", "--generate=3") == STATUS_USAGE);
}

static void test_what_makes_no_sense_is_refused(void)
{
    struct options options;
    CHECK(PARSE(&options, NULL) == STATUS_USAGE);
    CHECK(PARSE(&options, "file") == STATUS_USAGE);
    CHECK(PARSE(&options, "file", "1", "2") == STATUS_USAGE);
    CHECK(PARSE(&options, "--no-such-option", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--quiet=yes", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--schedule=heap", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--schedule=cell", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "file", "1", "--schedule") == STATUS_USAGE);
    static const char *const times[] = {"-1", "-0.5", "nan", "inf", "", "1x", "x", "1e300", "1 "};
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++)
        CHECK(PARSE(&options, "file", times[k]) == STATUS_USAGE);
}

static void test_the_law(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE);
    CHECK(options.law.rule == RULE_SWAP && options.law.contact_time == 0);
    CHECK(PARSE(&options, "file", "1", "--rule=elastic") == STATUS_DONE);
    CHECK(options.law.rule == RULE_ELASTIC && options.law.restitution == 1);
    CHECK(options.law.contact_time == 0);
    CHECK(PARSE(&options, "--restitution=.25", "--rule", "elastic", "file", "1") == STATUS_DONE);
    CHECK(options.law.restitution == 0.25 && options.law.contact_time == -1);
    CHECK(PARSE(&options, "--contact-time=3e-7", "--restitution=0", "--rule=elastic", "file",
                "1") == STATUS_DONE);
    CHECK(options.law.restitution == 0 && options.law.contact_time == 3e-7);
    CHECK(PARSE(&options, "file", "1", "--restitution=1") == STATUS_USAGE);
    CHECK(PARSE(&options, "file", "1", "--rule=elastic", "--contact-time=1") == STATUS_USAGE);
    CHECK(PARSE(&options, "file", "1", "--rule=elastic", "--restitution=1.5") == STATUS_USAGE);
}

static void test_observers(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE);
    CHECK(!options.events && !options.trajectory && options.every == 0 && !options.progress);
    CHECK(PARSE(&options, "file", "1", "--events=a b", "--progress") == STATUS_DONE);
    CHECK(strcmp(options.events, "a b") == 0 && !options.trajectory && options.progress);
    CHECK(PARSE(&options, "--every", "0.5", "--trajectory", "c", "f", "5e8") == STATUS_DONE);
    CHECK(strcmp(options.trajectory, "c") == 0 && options.every == 0.5 && !options.events);
    CHECK(PARSE(&options, "--every", "0.49", "--trajectory", "c", "f", "5e8") == STATUS_USAGE);
    CHECK(PARSE(&options, "--every", "1e-40", "--trajectory", "c", "f", "0") == STATUS_DONE);
    CHECK(PARSE(&options, "--events=", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--events=-", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--trajectory=-", "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--trajectory=c", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--progress=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=3", "--events=c") == STATUS_USAGE);
    static const char *const bad[] = {"0", "-0", "-1", "", "x", "nan", "inf", "2e40", "1e-400"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        CHECK(PARSE(&options, "--trajectory=c", "--every", bad[k], "f", "1") == STATUS_USAGE);
}

static void test_generate(void)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && !options.generate);
    CHECK(PARSE(&options, "--generate=1000") == STATUS_DONE);
    CHECK(options.generate && options.request.count == 1000 && options.request.seed == 1);
    CHECK(options.request.area_fraction == 0.3 && options.request.radius == 1);
    CHECK(options.request.aspect == 1 && options.request.speed == 1);
    CHECK(PARSE(&options, "--seed=18446744073709551615", "--area-fraction=0.88", "--radius=2",
                "--aspect=.25", "--speed=1e3", "--generate", "2147483647") == STATUS_DONE);
    CHECK(options.request.count == 2147483647 && options.request.seed == UINT64_MAX);
    CHECK(options.request.area_fraction == 0.88 && options.request.radius == 2);
    CHECK(options.request.aspect == 0.25 && options.request.speed == 1000);
}

/* Whether "--generate=1 NAME=VALUE" is refused. */
static int is_refused(const char *name, const char *value)
{
    struct options options;
    char argument[100];
    snprintf(argument, sizeof argument, "%s=%s", name, value);
    return PARSE(&options, "--generate=1", argument) == STATUS_USAGE;
}

static void test_generating_what_makes_no_sense_is_refused(void)
{
    static const char *const numbers[] = {"--area-fraction", "--radius", "--aspect", "--speed"};
    static const char *const wholes[] = {"--generate", "--seed"};
    static const char *const bad[] = {"",    "x",   "1x",   " 1",    "-1",    "-0.5",
                                      "nan", "inf", "1e50", "1e-41", "1e-400"};
    struct options options;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
            CHECK(is_refused(numbers[j], bad[k]));
        for (size_t j = 0; j < sizeof wholes / sizeof wholes[0]; j++)
            CHECK(is_refused(wholes[j], bad[k]));
    }
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
        CHECK(is_refused(numbers[j], "0"));
        CHECK(PARSE(&options, numbers[j], "0.5", "file", "1") == STATUS_USAGE);
    }
    CHECK(PARSE(&options, "--seed", "5", "file", "1") == STATUS_USAGE);
    CHECK(is_refused("--generate", "0") && is_refused("--generate", "2147483648"));
    CHECK(is_refused("--seed", "1.5") && is_refused("--seed", "18446744073709551616"));
    CHECK(is_refused("--area-fraction", "0.8801"));
    CHECK(PARSE(&options, "--generate=1", "file", "1") == STATUS_USAGE);
}

int main(void)
{
    RUN(test_operands);
    RUN(test_options_may_stand_anywhere);
    RUN(test_sensitivity);
    RUN(test_checkpoints);
    RUN(test_files_to_write);
    RUN(test_what_makes_no_sense_is_refused);
    RUN(test_the_law);
    RUN(test_observers);
    RUN(test_generate);
    RUN(test_generating_what_makes_no_sense_is_refused);
    return check_finish();
}
