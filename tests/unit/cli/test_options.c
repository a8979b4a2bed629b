/*
 * Tests of the command line: what options mean together, and what each takes, to the ends of its
 * range. Messages as a whole are in command_line.sh.
 */
#include "check.h"
#include "cli/options.h"

#include <math.h>
#include <string.h>

enum { MAX_WORDS = 10, MAX_LENGTH = 4000 };

static struct error error; /* of the last command line */

/* Parses a command line, NULL-terminated. */
static enum status parse(struct options *options, const char *const *words)
{
    static char copies[MAX_WORDS][MAX_LENGTH];
    char *argv[MAX_WORDS + 1] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = strcpy(copies[argc], words[argc]);
    return options_parse(argc, argv, options, &error);
}

#define PARSE(options, ...) parse(options, (const char *const[]){"particles", __VA_ARGS__, NULL})

TEST(operands)
{
    struct options options;
    CHECK(PARSE(&options, "file", "10.5") == STATUS_DONE);
    CHECK(strcmp(options.input, "file") == 0 && options.run.to == 10.5);
    CHECK(options.run.schedule == SCHEDULE_AUTO && !options.is_quiet && !options.help);
    CHECK(PARSE(&options, "-", "0") == STATUS_DONE);
    CHECK(strcmp(options.input, "-") == 0 && options.run.to == 0);
    CHECK(PARSE(&options, "--", "--file", "1") == STATUS_DONE);
    CHECK(strcmp(options.input, "--file") == 0);
}

TEST(options_may_stand_anywhere)
{
    struct options options;
    CHECK(PARSE(&options, "--quiet", "file", "--schedule=array", "1") == STATUS_DONE);
    CHECK(options.is_quiet && options.run.schedule == SCHEDULE_ARRAY);
    CHECK(PARSE(&options, "file", "1", "--schedule", "auto") == STATUS_DONE);
    CHECK(!options.is_quiet && options.run.schedule == SCHEDULE_AUTO);
    CHECK(PARSE(&options, "file", "--schedule", "cells", "1") == STATUS_DONE);
    CHECK(options.run.schedule == SCHEDULE_CELLS);
    CHECK(PARSE(&options, "--schedule=cells", "file", "1", "--schedule=array") == STATUS_DONE);
    CHECK(options.run.schedule == SCHEDULE_ARRAY);
    CHECK(PARSE(&options, "--help") == STATUS_DONE && options.help);
    CHECK(PARSE(&options, "-V") == STATUS_DONE && options.version);
    CHECK(PARSE(&options, "file", "x", "-h") == STATUS_DONE && options.help);
}

TEST(polygon_files)
{
    struct options options;
    CHECK(PARSE(&options, "--obstacle=a", "--domain=b", "f", "--obstacle", "c", "1") ==
          STATUS_DONE);
    if (CHECK(options.polygons.count == 3)) {
        const struct polygon_file *list = options.polygons.list;
        CHECK(strcmp(list[0].name, "a") == 0 && !list[0].is_domain);
        CHECK(strcmp(list[1].name, "b") == 0 && list[1].is_domain);
        CHECK(strcmp(list[2].name, "c") == 0 && !list[2].is_domain);
    }
    options_free(&options);
    CHECK(options.polygons.count == 0);
    CHECK(PARSE(&options, "--domain=b", "--domain=b", "f", "1") == STATUS_USAGE);
    options_free(&options);
    CHECK(PARSE(&options, "--obstacle=-", "f", "1") == STATUS_USAGE);
    options_free(&options);
    CHECK(PARSE(&options, "--domain=a b scale=2", "f", "1") == STATUS_DONE);
    CHECK(strcmp(polygon_files_domain(&options.polygons), "a b") == 0);
    options_free(&options);
    CHECK(PARSE(&options, "--obstacle=a", "--resume=f") == STATUS_USAGE);
    options_free(&options);
}

TEST(sensitivity)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && options.sensitivity.runs == 0);
    CHECK(PARSE(&options, "--sensitivity", "file", "1") == STATUS_DONE &&
          options.sensitivity.runs == 8);
    CHECK(PARSE(&options, "--sensitivity=10000", "file", "1") == STATUS_DONE);
    CHECK(options.sensitivity.runs == 10000);
    CHECK(PARSE(&options, "file", "1", "--sensitivity=1") == STATUS_DONE);
    CHECK(options.sensitivity.runs == 1);
    CHECK(PARSE(&options, "--sensitivity=0", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--sensitivity=10001", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--sensitivity", "--generate=3") == STATUS_USAGE);
}

TEST(checkpoints)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && !options.checkpoint.output.name &&
          !options.resume);
    CHECK(PARSE(&options, "--checkpoint=c", "file", "1") == STATUS_DONE);
    CHECK(strcmp(options.checkpoint.output.name, "c") == 0 && options.checkpoint.every == 60);
    CHECK(PARSE(&options, "--checkpoint=c", "--checkpoint-every=0.5", "file", "1") == STATUS_DONE);
    CHECK(options.checkpoint.every == 0.5);
    CHECK(PARSE(&options, "--resume", "r", "--checkpoint", "c") == STATUS_DONE);
    CHECK(strcmp(options.resume, "r") == 0 && strcmp(options.checkpoint.output.name, "c") == 0);
    CHECK(!options.input);
    CHECK(PARSE(&options, "--resume=r", "--trajectory=t") == STATUS_USAGE); /* --every is missing */
    CHECK(PARSE(&options, "--resume=r", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--resume=r", "--rule=elastic") == STATUS_USAGE);
    CHECK(PARSE(&options, "--resume=r", "--generate=3") == STATUS_USAGE);
    CHECK(PARSE(&options, "--checkpoint=-", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--checkpoint-every=1", "file", "1") == STATUS_USAGE);
}

TEST(files_to_write)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE);
    CHECK(!options.picture.output.name && !options.animation.name && !options.final_state.name);
    CHECK(PARSE(&options, "--picture=a.svg", "file", "1", "--animate", "b.html") == STATUS_DONE);
    CHECK(strcmp(options.picture.output.name, "a.svg") == 0 &&
          strcmp(options.animation.name, "b.html") == 0);
    CHECK(PARSE(&options, "--final=end.txt", "file", "1") == STATUS_DONE);
    CHECK(strcmp(options.final_state.name, "end.txt") == 0);
    CHECK(PARSE(&options, "--picture=-", "file", "1") == STATUS_USAGE);
    CHECK(!options.picture.output.frames.pattern && !options.picture.has_paths);
    CHECK(PARSE(&options, "--picture=%03d", "--paths", "--every=1", "f", "1e6") == STATUS_DONE);
    CHECK(strcmp(options.picture.output.name, "%03d") == 0 &&
          options.picture.output.frames.width == 3);
    CHECK(options.picture.has_paths && options.run.interval == 1);
    CHECK(PARSE(&options, "--picture=%d", "--picture=a", "f", "1") == STATUS_DONE);
    CHECK(strcmp(options.picture.output.name, "a") == 0 && !options.picture.output.frames.pattern);
    CHECK(PARSE(&options, "--picture=%d", "f", "1") == STATUS_USAGE); /* --every is missing */
    CHECK(PARSE(&options, "--picture=%d", "--every=0.9", "f", "1e6") == STATUS_USAGE);
    CHECK(PARSE(&options, "--picture=a", "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--picture=%x", "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--paths", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--paths", "--generate=3") == STATUS_USAGE);
    CHECK(PARSE(&options, "--final=x", "--generate=3") == STATUS_USAGE);
    CHECK(PARSE(&options, "--animate=", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--animate=x", "--generate=3") == STATUS_USAGE);
}

TEST(what_makes_no_sense_is_refused)
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
}

TEST(the_law)
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

TEST(observers)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE);
    CHECK(!options.events.name && !options.trajectory.output.name && options.run.interval == 0 &&
          !options.progress.is_wanted);
    CHECK(PARSE(&options, "file", "1", "--events=a b", "--progress") == STATUS_DONE);
    CHECK(strcmp(options.events.name, "a b") == 0 && !options.trajectory.output.name &&
          options.progress.is_wanted);
    CHECK(PARSE(&options, "--every", "0.5", "--trajectory", "c", "f", "5e8") == STATUS_DONE);
    CHECK(strcmp(options.trajectory.output.name, "c") == 0 && options.run.interval == 0.5 &&
          !options.events.name);
    CHECK(PARSE(&options, "--every", "0.49", "--trajectory", "c", "f", "5e8") == STATUS_USAGE);
    CHECK(PARSE(&options, "--every", "1e-40", "--trajectory", "c", "f", "0") == STATUS_DONE);
    CHECK(PARSE(&options, "--events=", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--events=-", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--trajectory=-", "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--trajectory=c", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--trajectory=c", "--every=1", "--trajectory-columns=unwrapped,time", "f",
                "1") == STATUS_DONE &&
          options.trajectory.columns == (1U << COLUMN_UNWRAPPED | 1U << COLUMN_TIME));
    CHECK(PARSE(&options, "--every=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--structure=s", "--every=1", "f", "1") == STATUS_DONE);
    CHECK(strcmp(options.structure.name, "s") == 0 && options.run.interval == 1 &&
          !options.trajectory.output.name);
    CHECK(PARSE(&options, "--structure=s", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--structure needs --every=DT"));
    CHECK(PARSE(&options, "--structure=s", "--every=0.49", "f", "5e8") == STATUS_USAGE);
    CHECK(PARSE(&options, "--progress=1", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=3", "--events=c") == STATUS_USAGE);
}

TEST(fields)
{
    struct options options;
    CHECK(PARSE(&options, "--fields=a.csv", "--fields-grid=100x40", "f", "1") == STATUS_DONE);
    CHECK(strcmp(options.fields.output.name, "a.csv") == 0);
    CHECK(options.fields.columns == 100 && options.fields.rows == 40);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=1x10000", "f", "1") == STATUS_DONE);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=1000x1000", "f", "1") == STATUS_DONE);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=1000x1001", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "up to 1000000 cells, and 1000x1001 are 1001000"));
    static const char *const wrong[] = {
        "",       "10",    "x",       "10x",        "x10",
        "0x5",    "5x0",   "10001x1", "1x10001",    "-1x5",
        "1.5x2",  "10X10", "10x10x1", "10x 10",     "10 x10",
        "1e2x10", "10*10", "ax2",     "0x10x0x10x", "99999999999999999999999x1"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char grid[100];
        snprintf(grid, sizeof grid, "--fields-grid=%s", wrong[k]);
        CHECK(PARSE(&options, "--fields=a.svg", grid, "f", "1") == STATUS_USAGE);
        CHECK(strstr(error.message, "--fields-grid takes "));
    }
    CHECK(PARSE(&options, "--fields=a.svg", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--fields needs --fields-grid=NXxNY"));
    CHECK(PARSE(&options, "--fields-grid=2x2", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--fields-grid is only for --fields=FILE"));
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=2x2", "--fields-show=mach", "f", "1") ==
          STATUS_DONE);
    CHECK(options.fields.shown == SHOW_MACH);
    CHECK(PARSE(&options, "--fields=a.csv", "--fields-grid=2x2", "--fields-show=mach", "--report=r",
                "f", "1") == STATUS_DONE);
    CHECK(PARSE(&options, "--fields=a.csv", "--fields-grid=2x2", "--fields-show=mach", "f", "1") ==
          STATUS_USAGE);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=2x2", "--fields-show=heat", "f", "1") ==
          STATUS_USAGE);
    CHECK(strstr(error.message, "unknown field 'heat': use density, speed, "));
    CHECK(PARSE(&options, "--fields=a.csv", "--fields-grid=2x2", "--every=1", "f", "1") ==
          STATUS_DONE);
    CHECK(PARSE(&options, "--fields=a.vtk", "--fields-grid=2x2", "--every=1", "f", "1") ==
          STATUS_USAGE);
    CHECK(PARSE(&options, "--fields=a.vtk", "--fields-grid=2x2", "f", "1") == STATUS_DONE);
    CHECK(options.fields.write == field_file_write_vtk && !options.fields.output.frames.pattern);
    CHECK(PARSE(&options, "--fields=a%02d.vti", "--fields-grid=2x2", "--every=1", "f", "1") ==
          STATUS_DONE);
    CHECK(options.fields.write == field_file_write_vti && options.fields.output.frames.width == 2);
    CHECK(!options.picture.output.frames.pattern);
    CHECK(PARSE(&options, "--fields=a%d.csv", "--fields-grid=2x2", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--fields with a '%' in its name needs --every=DT"));
    CHECK(PARSE(&options, "--fields=a%d.vtk", "--fields-grid=2x2", "--every=1", "f", "1000001") ==
          STATUS_USAGE);
    CHECK(PARSE(&options, "--fields=a%d.vtk", "--fields-grid=2x2", "--every=1", "f", "1000000") ==
          STATUS_DONE);
    CHECK(PARSE(&options, "--fields=%.vtk", "--fields-grid=2x2", "--every=1", "f", "1") ==
          STATUS_USAGE);
    CHECK(PARSE(&options, "--fields=a.CSV", "--fields-grid=2x2", "f", "1") == STATUS_USAGE);
    CHECK(
        strstr(error.message, "--fields takes a file whose name ends in .csv, .vtk, .vti or .svg"));
    CHECK(PARSE(&options, "--fields=-", "--fields-grid=2x2", "f", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=2x2", "--step=1", "f", "1") ==
          STATUS_DONE);
    CHECK(PARSE(&options, "--fields=a.svg", "--fields-grid=2x2", "--stats-from=1", "f", "1") ==
          STATUS_DONE);
    CHECK(PARSE(&options, "--generate=3", "--fields=a.svg", "--fields-grid=2x2") == STATUS_USAGE);
}

TEST(when_figures_begin)
{
    struct options options;
    CHECK(PARSE(&options, "--stats", "file", "1") == STATUS_DONE && options.run.from == 0);
    CHECK(PARSE(&options, "--stats-from=0.5", "--stats", "file", "1") == STATUS_DONE);
    CHECK(options.run.from == 0.5);
    CHECK(PARSE(&options, "--stats-from=1e40", "--stats=s", "file", "1e40") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from", "0", "--stats", "file", "0") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from=1.5", "--stats", "file", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--stats-from=1.5 is after END_TIME, 1"));
    CHECK(PARSE(&options, "--stats-from=0", "file", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "--stats-from is only for --stats"));
    CHECK(PARSE(&options, "--stats-from=1", "--picture=p", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "in a stream, --picture=FILE"));
    CHECK(PARSE(&options, "--stats-from=1", "--picture=p", "--resume=c") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from=1", "--picture=p", "--stream=1", "--periodic=x", "f",
                "1") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from=-1", "--stats", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--stats-from=x", "--stats", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--stats-from=1.1e40", "--stats", "file", "1e40") == STATUS_USAGE);
    CHECK(PARSE(&options, "--stats-from=1", "--structure=s", "--every=1", "f", "1") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from=5", "--stats", "--resume=r") == STATUS_DONE);
    CHECK(PARSE(&options, "--stats-from=5", "--generate=3") == STATUS_USAGE);
}

TEST(generate)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && !options.generate);
    CHECK(PARSE(&options, "--generate=1000") == STATUS_DONE);
    CHECK(options.generate && options.request.count == 1000 && options.request.seed == 1);
    CHECK(options.request.area_fraction == 0.3 && options.request.radius == 1);
    CHECK(options.request.component_count == 1 && options.request.periodic == 0);
    CHECK(options.request.aspect == 1 && options.request.speed == 1);
    CHECK(PARSE(&options, "--seed=18446744073709551615", "--area-fraction=0.88", "--radius=2",
                "--aspect=.25", "--speed=1e3", "--generate", "268435456") == STATUS_DONE);
    CHECK(options.request.count == 268435456 && options.request.seed == UINT64_MAX);
    CHECK(options.request.area_fraction == 0.88 && options.request.radius == 2);
    CHECK(options.request.aspect == 0.25 && options.request.speed == 1000);
}

/* A domain gives the box; so there is no aspect, and the radius or the area fraction follows. */
TEST(generate_in_a_domain)
{
    struct options options;
    const struct generate_request *request = &options.request;
    CHECK(PARSE(&options, "--generate=5,6", "--domain=room") == STATUS_DONE);
    CHECK(request->radius == 0 && request->area_fraction == 0.3 && request->aspect == 0);
    CHECK(request->components[0].radius == 0 && request->components[1].radius == 0);
    options_free(&options);
    CHECK(PARSE(&options, "--generate=5,6", "--domain=d", "--radius=2,3") == STATUS_DONE);
    CHECK(request->radius == 2 && request->area_fraction == 0 && request->aspect == 0);
    CHECK(request->components[1].radius == 3);
    options_free(&options);
    CHECK(PARSE(&options, "--generate=5", "--obstacle=o", "--obstacle=p") == STATUS_DONE);
    CHECK(request->radius == 1 && request->area_fraction == 0.3 && request->aspect == 1);
    CHECK(options.polygons.count == 2);
    options_free(&options);
    CHECK(PARSE(&options, "--radius=1", "--generate=5", "--domain=d", "--area-fraction=.1") ==
          STATUS_USAGE);
    CHECK(strstr(error.message, "--radius and --area-fraction") &&
          strstr(error.message, "leave one of them out"));
    options_free(&options);
    CHECK(PARSE(&options, "--aspect=1", "--generate=5", "--domain=d") == STATUS_USAGE);
    CHECK(strstr(error.message, "--aspect is not for --domain"));
    options_free(&options);
}

TEST(dense_boxes_have_no_walls)
{
    struct options options;
    CHECK(PARSE(&options, "--generate=9", "--area-fraction=.9", "--periodic=xy") == STATUS_DONE);
    CHECK(options.request.area_fraction == 0.9);
    CHECK(options.request.periodic == (PERIODIC_X | PERIODIC_Y));
    CHECK(PARSE(&options, "--periodic=xy", "--area-fraction=.88", "--generate=9") == STATUS_DONE);
    CHECK(PARSE(&options, "--generate=9", "--area-fraction=.9", "--periodic=x") == STATUS_USAGE);
    CHECK(strstr(error.message, "to 0.88, and '0.9' is too large"));
    CHECK(PARSE(&options, "--generate=9", "--area-fraction=.9000001", "--periodic=xy") ==
          STATUS_USAGE);
}

static void check_component(const struct options *options, size_t k, size_t count, double radius,
                            double mass)
{
    const struct generate_component *component = &options->request.components[k];
    CHECK(component->count == count && component->radius == radius && component->mass == mass);
}

TEST(mixtures)
{
    struct options options;
    CHECK(PARSE(&options, "--generate=7", "--mass=3") == STATUS_DONE);
    CHECK(options.request.component_count == 1 && options.request.count == 7);
    check_component(&options, 0, 7, 1, 3);
    CHECK(PARSE(&options, "--radius=1,0.5", "--mass", "1,4", "--generate=800,200") == STATUS_DONE);
    CHECK(options.request.component_count == 2 && options.request.count == 1000);
    CHECK(options.request.radius == 1);
    check_component(&options, 0, 800, 1, 1);
    check_component(&options, 1, 200, 0.5, 4);
    CHECK(PARSE(&options, "--generate=3,4,5", "--radius=2") == STATUS_DONE);
    check_component(&options, 0, 3, 2, 1);
    check_component(&options, 1, 4, 2, 1);
    check_component(&options, 2, 5, 2, 1);
    CHECK(PARSE(&options, "--radius=1,2,3", "--radius=4", "--generate=1,2") == STATUS_DONE);
    check_component(&options, 1, 2, 4, 1); /* the last option counts */
    CHECK(PARSE(&options, "--generate=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1") == STATUS_DONE);
    CHECK(options.request.component_count == GENERATE_MAX_COMPONENTS);
    CHECK(PARSE(&options, "--generate=9", "--radius=.5..1") == STATUS_DONE);
    CHECK(options.request.spread.radius == 0.5 && options.request.spread.largest == 1);
    CHECK(PARSE(&options, "--generate=9", "--radius=2~0.3") == STATUS_DONE);
    CHECK(options.request.spread.radius == 2 && options.request.spread.largest == 0 &&
          options.request.spread.deviation == 0.3);
    CHECK(PARSE(&options, "--generate=9", "--radius=2~0.3", "--radius=3") == STATUS_DONE);
    CHECK(options.request.spread.radius == 0 && options.request.radius == 3);
    CHECK(PARSE(&options, "--generate=9", "--radius=2..1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9", "--radius=1~1.1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9", "--radius=1e40~1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9", "--radius=1..") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9", "--radius=0..1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9", "--radius=1..2,3") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=9,2", "--radius=1..2") == STATUS_USAGE);
}

TEST(mixtures_that_make_no_sense)
{
    static const struct {
        const char *options[3], *message;
    } bad[] = {
        {{"--generate=3,4", "--radius=1,2,3"}, "--radius has 3 values and --generate has 2: "},
        {{"--generate=3", "--mass=1,2"}, "--mass has 2 values and --generate has 1: "},
        {{"--generate=3,4,5", "--radius=1", "--mass=1,2"}, "--mass has 2 values"},
        {{"--generate=3,"}, "whole number from 1 to 268435456, and '' is not"},
        {{"--generate=,3"}, "and '' is not"},
        {{"--generate=3,x,4"}, "and 'x' is not"},
        {{"--generate=3,4", "--radius=1,0"}, "to 1e+40, and '0' is too small"},
        {{"--generate=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"}, "up to 16 values"},
        {{"--generate=268435456,1"}, "up to 268435456 particles in all"},
    };
    struct options options;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const char *words[MAX_WORDS] = {"particles", bad[k].options[0], bad[k].options[1],
                                        bad[k].options[2]};
        CHECK(parse(&options, words) == STATUS_USAGE);
        if (!CHECK(strstr(error.message, bad[k].message) != NULL))
            printf("    %s\n", error.message);
    }
}

TEST(a_request_needs_generate_and_nothing_else)
{
    static const char *const names[] = {"--area-fraction", "--radius", "--mass",
                                        "--aspect",        "--speed",  "--seed"};
    struct options options;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        CHECK(PARSE(&options, names[k], "1", "file", "1") == STATUS_USAGE);
    CHECK(PARSE(&options, "--generate=1", "file", "1") == STATUS_USAGE);
}

TEST(streams)
{
    struct options options;
    CHECK(PARSE(&options, "file", "1") == STATUS_DONE && !options.stream.draw);
    CHECK(PARSE(&options, "--stream", "-2.5", "--periodic=x", "file", "1") == STATUS_DONE);
    CHECK(options.stream.draw && options.stream.speed == -2.5);
    CHECK(options.stream.temperature == 0 && options.stream.seed == 1);
    CHECK(PARSE(&options, "--stream-temperature=3", "--seed=18446744073709551615", "--stream=0",
                "--stream=-0", "--periodic=xy", "file", "1") == STATUS_DONE);
    CHECK(options.stream.speed == 0 && !signbit(options.stream.speed));
    CHECK(options.stream.temperature == 3 && options.stream.seed == UINT64_MAX);
}

TEST(requests_for_a_stream)
{
    struct options options;
    const struct generate_request *request = &options.request;
    CHECK(PARSE(&options, "--generate=9", "--periodic=x", "--stream=2", "--mass=4", "--seed=5") ==
          STATUS_DONE);
    CHECK(request->stream.draw && request->stream.speed == 2 && request->stream.temperature == 2);
    CHECK(PARSE(&options, "--generate=9,9", "--periodic=x", "--stream=2", "--mass=4,1",
                "--speed=3") == STATUS_DONE);
    CHECK(request->stream.temperature == 18);
    CHECK(PARSE(&options, "--generate=9", "--periodic=x", "--stream=2", "--stream-temperature=7") ==
          STATUS_DONE);
    CHECK(request->stream.temperature == 7);
    CHECK(PARSE(&options, "--generate=9") == STATUS_DONE && !request->stream.draw);
}

/* Parses --NAME=VALUE beside what gives it a meaning. */
static enum status parse_value(struct options *options, const char *name, const char *value)
{
    static const struct {
        const char *name, *first, *second;
    } needs[] = {{"restitution", "--rule=elastic", NULL},
                 {"contact-time", "--rule=elastic", "--restitution=0.5"},
                 {"every", "--trajectory=t", NULL},
                 {"checkpoint-every", "--checkpoint=c", NULL},
                 {"stream", "--periodic=x", NULL},
                 {"stream-temperature", "--periodic=xy", "--stream=1"}};
    static const char *const without_operands[] = {"resume", "generate", "area-fraction", "radius",
                                                   "mass",   "aspect",   "speed",         "seed"};
    enum { NEEDS = sizeof needs / sizeof needs[0] };
    enum { WITHOUT_OPERANDS = sizeof without_operands / sizeof without_operands[0] };
    char argument[MAX_LENGTH];
    const char *words[MAX_WORDS] = {"particles", argument};
    size_t count = 2;
    snprintf(argument, sizeof argument, "--%s=%s", name, value);
    for (size_t k = 0; k < WITHOUT_OPERANDS; k++) {
        if (strcmp(name, without_operands[k]) == 0) {
            words[count] = k < 2 ? NULL : "--generate=1";
            return parse(options, words);
        }
    }
    words[count++] = "file";
    words[count++] = "0";
    for (size_t k = 0; k < NEEDS; k++) {
        if (strcmp(name, needs[k].name) == 0) {
            words[count++] = needs[k].first;
            words[count++] = needs[k].second;
        }
    }
    return parse(options, words);
}

/* Whether a value is refused with a message that names the option and the value. */
static int refuses(const char *name, const char *value)
{
    struct options options;
    char option[100];
    char quoted[MAX_LENGTH];
    snprintf(option, sizeof option, "--%s takes a", name);
    snprintf(quoted, sizeof quoted, "'%s' ", value);
    int is_right = parse_value(&options, name, value) == STATUS_USAGE &&
                   strstr(error.message, option) && strstr(error.message, quoted);
    if (!is_right)
        printf("--%s=%s: %s\n", name, value, error.message);
    return is_right;
}

/* Texts that are no numbers, or none that any option takes. */
static const char *const no_numbers[] = {"",    " 1",  "1 ",     "x",      "1x", "1,5", "--1",
                                         "nan", "inf", "1e9999", "1e-400", "0x", "1 2", "+-1"};
enum { NO_NUMBERS = sizeof no_numbers / sizeof no_numbers[0] };

/* Whether a value that is no number is a list of them, and the option takes lists. */
static int is_list(const char *name, const char *value)
{
    return strchr(value, ',') && (strcmp(name, "radius") == 0 || strcmp(name, "mass") == 0 ||
                                  strcmp(name, "generate") == 0);
}

TEST(the_ranges_of_numbers)
{
    static const struct {
        const char *name, *too_small, *least, *most, *too_large;
    } ranges[] = {
        {"restitution", "-1e-300", "0", "1", "1.0000000000000002"},
        {"contact-time", "-1e-300", "-0", "1e40", "1.0000000000000002e40"},
        {"every", "0", "1e-300", "1e40", "1.0000000000000002e40"},
        {"checkpoint-every", "-0", "1e-300", "1e40", "1.0000000000000002e40"},
        {"area-fraction", "9.99999999999999e-41", "1e-40", "0.88", "0.8800000000000001"},
        {"radius", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40"},
        {"mass", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40"},
        {"aspect", "9.99999999999999e-41", "1e-40", "1e40", "1.0000000000000002e40"},
        {"speed", "9.99999999999999e-41", "1e-40", "5e39", "5.000000000000001e39"},
        {"sensitivity", "0", "1", "10000", "10001"},
        {"generate", "0", "1", "268435456", "268435457"},
        {"seed", "-1", "0", "18446744073709551615", "18446744073709551616"},
        {"stream", "-1.0000000000000002e38", "-1e38", "1e38", "1.0000000000000002e38"},
        {"stream-temperature", "9.9999999999999e-121", "1e-120", "1e116", "1.0000000000000002e116"},
    };
    struct options options;
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        CHECK(refuses(ranges[k].name, ranges[k].too_small));
        CHECK(parse_value(&options, ranges[k].name, ranges[k].least) == STATUS_DONE);
        CHECK(parse_value(&options, ranges[k].name, ranges[k].most) == STATUS_DONE);
        CHECK(refuses(ranges[k].name, ranges[k].too_large));
        for (size_t j = 0; j < NO_NUMBERS; j++)
            if (!is_list(ranges[k].name, no_numbers[j]))
                CHECK(refuses(ranges[k].name, no_numbers[j]));
    }
    CHECK(parse_value(&options, "contact-time", "-0") == STATUS_DONE);
    CHECK(options.law.contact_time == 0 && !signbit(options.law.contact_time));
}

TEST(pairs_of_numbers)
{
    static const char *const bad[] = {"",    "1",     "1,",     ",1",     "1,2,3",
                                      "x,1", "1,nan", "1e41,0", "0,-1e41"};
    struct options options;
    CHECK(PARSE(&options, "--lattice=9", "f", "1") == STATUS_DONE);
    CHECK(options.lattice.force[0] == 0 && options.lattice.force[1] == 0);
    CHECK(PARSE(&options, "--lattice=9", "--lattice-force=-1e40,2.5", "f", "1") == STATUS_DONE);
    CHECK(options.lattice.force[0] == -1e40 && options.lattice.force[1] == 2.5);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char argument[100];
        snprintf(argument, sizeof argument, "--lattice-force=%s", bad[k]);
        CHECK(PARSE(&options, "--lattice=9", argument, "f", "1") == STATUS_USAGE);
        CHECK(strstr(error.message, "--lattice-force takes "));
    }
    CHECK(PARSE(&options, "--lattice-force=1,2", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "needs --lattice=NX"));
}

TEST(whole_numbers)
{
    static const char *const names[] = {"sensitivity", "generate", "seed"};
    static const char *const bad[] = {"1.5", "1e3", "-1", "+5", "0x10"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++)
            CHECK(refuses(names[k], bad[j]));
}

TEST(the_end_time)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"1.0000000000000002e40", "'1.0000000000000002e40' is too large"},
               {"-1e-300", "'-1e-300' is negative"}};
    struct options options;
    CHECK(PARSE(&options, "--", "f", "-0") == STATUS_DONE && options.run.to == 0);
    CHECK(PARSE(&options, "f", "1e40") == STATUS_DONE && options.run.to == 1e40);
    CHECK(PARSE(&options, "f", "1e-300") == STATUS_DONE && options.run.to == 1e-300);
    for (size_t k = 0; k < 2; k++) {
        CHECK(PARSE(&options, "--", "f", bad[k].text) == STATUS_USAGE);
        CHECK(strstr(error.message, "END_TIME must be a number from 0 to 1e+40"));
        CHECK(strstr(error.message, bad[k].message));
    }
    for (size_t k = 0; k < NO_NUMBERS; k++) {
        CHECK(PARSE(&options, "--", "f", no_numbers[k]) == STATUS_USAGE);
        CHECK(strstr(error.message, "END_TIME") && strstr(error.message, no_numbers[k]));
    }
}

TEST(words)
{
    static const char *const no_schedules[] = {"",       "Auto",  "cell",
                                               "cellss", "auto ", "array,cells"};
    static const char *const no_rules[] = {"", "Swap", "swa", "swap ", "elastics"};
    struct options options;
    for (size_t k = 0; k < sizeof no_schedules / sizeof no_schedules[0]; k++) {
        CHECK(parse_value(&options, "schedule", no_schedules[k]) == STATUS_USAGE);
        CHECK(strstr(error.message, "auto, textbook, array or cells"));
        CHECK(strstr(error.message, no_schedules[k]));
    }
    for (size_t k = 0; k < sizeof no_rules / sizeof no_rules[0]; k++) {
        CHECK(parse_value(&options, "rule", no_rules[k]) == STATUS_USAGE);
        CHECK(strstr(error.message, "swap or elastic") && strstr(error.message, no_rules[k]));
    }
    CHECK(PARSE(&options, "--lattice=9", "f", "1") == STATUS_DONE && options.lattice.start == 0);
    CHECK(PARSE(&options, "--lattice=9", "--lattice-start=particles", "f", "1") == STATUS_DONE);
    CHECK(options.lattice.start == 1);
    CHECK(PARSE(&options, "--lattice=9", "--lattice-start=Rest", "f", "1") == STATUS_USAGE);
    CHECK(strstr(error.message, "unknown start 'Rest': use rest or particles"));
}

/* Any name but none at all and that of standard output. */
TEST(names_of_files)
{
    static const char *const names[] = {"events", "stats",   "picture",
                                        "final",  "animate", "checkpoint"};
    static const char *const good[] = {"a", " ", "--", "-x", "/dev/null", "a\nb", "./-"};
    struct options options;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        for (size_t j = 0; j < sizeof good / sizeof good[0]; j++)
            CHECK(parse_value(&options, names[k], good[j]) == STATUS_DONE);
        for (int j = 0; j < 2; j++) {
            CHECK(parse_value(&options, names[k], j ? "-" : "") == STATUS_USAGE);
            CHECK(strstr(error.message, names[k]) && strstr(error.message, "name of a file"));
        }
    }
    CHECK(parse_value(&options, "stats", "./-") == STATUS_DONE);
    CHECK(strcmp(options.stats.output.name, "./-") == 0);
    CHECK(parse_value(&options, "resume", "./-") == STATUS_DONE);
    CHECK(strcmp(options.resume, "./-") == 0);
    CHECK(parse_value(&options, "resume", "-") == STATUS_USAGE);
    CHECK(parse_value(&options, "resume", "") == STATUS_USAGE);
    CHECK(strstr(error.message, "--resume takes the file of a checkpoint"));
}

/* However much is given, the message stays readable. */
TEST(long_values_are_cut_short)
{
    static const char *const names[] = {"schedule", "rule", "radius", "every", "seed"};
    char text[3001];
    struct options options;
    memset(text, 'x', 3000);
    text[3000] = '\0';
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        CHECK(parse_value(&options, names[k], text) == STATUS_USAGE);
        CHECK(strlen(error.message) < 300);
    }
    CHECK(PARSE(&options, "f", text) == STATUS_USAGE && strlen(error.message) < 300);
}
