/* Tests of the command line: what options mean together, and what each takes, to the ends of its
 * range. Messages as a whole are in command_line.sh. */
#include "check.h"
#include "cli/options.h"
#include "option_ranges.h"

enum { MAX_WORDS = 10, MAX_LENGTH = 4000 };

static struct options options; /* of the last command line */
static struct error error;     /* of the last command line that was refused */

/* Parses a command line, NULL-terminated. */
static enum status parse(const char *const *words)
{
    static char copies[MAX_WORDS][MAX_LENGTH];
    char *argv[MAX_WORDS + 1] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = strcpy(copies[argc], words[argc]);
    return options_parse(argc, argv, &options, &error);
}

/* Whether a command line of these words is accepted, or refused as wrong usage, as it shall be. */
#define PARSE(...)    parse((const char *const[]){"particles", __VA_ARGS__, NULL})
#define ACCEPTED(...) (PARSE(__VA_ARGS__) == STATUS_DONE)
#define REFUSE(...)   CHECK(PARSE(__VA_ARGS__) == STATUS_USAGE)

TEST(operands)
{
    CHECK(ACCEPTED("file", "10.5"));
    CHECK(strcmp(options.input, "file") == 0 && options.run.to == 10.5);
    CHECK(options.run.schedule == SCHEDULE_AUTO && !options.is_quiet && !options.help);
    CHECK(ACCEPTED("-", "0"));
    CHECK(strcmp(options.input, "-") == 0 && options.run.to == 0);
    CHECK(ACCEPTED("--", "--file", "1"));
    CHECK(strcmp(options.input, "--file") == 0);
}

TEST(options_may_stand_anywhere)
{
    CHECK(ACCEPTED("--quiet", "file", "--schedule=array", "1"));
    CHECK(options.is_quiet && options.run.schedule == SCHEDULE_ARRAY);
    CHECK(ACCEPTED("file", "1", "--schedule", "auto"));
    CHECK(!options.is_quiet && options.run.schedule == SCHEDULE_AUTO);
    CHECK(ACCEPTED("file", "--schedule", "cells", "1"));
    CHECK(options.run.schedule == SCHEDULE_CELLS);
    CHECK(ACCEPTED("--schedule=cells", "file", "1", "--schedule=array"));
    CHECK(options.run.schedule == SCHEDULE_ARRAY);
    CHECK(ACCEPTED("--help") && options.help);
    CHECK(ACCEPTED("-V") && options.version);
    CHECK(ACCEPTED("file", "x", "-h") && options.help);
}

TEST(polygon_files)
{
    CHECK(ACCEPTED("--obstacle=a", "--domain=b", "f", "--obstacle", "c", "1"));
    if (CHECK(options.polygons.count == 3)) {
        const struct polygon_file *list = options.polygons.list;
        CHECK(strcmp(list[0].name, "a") == 0 && !list[0].is_domain);
        CHECK(strcmp(list[1].name, "b") == 0 && list[1].is_domain);
        CHECK(strcmp(list[2].name, "c") == 0 && !list[2].is_domain);
    }
    options_free(&options);
    CHECK(options.polygons.count == 0);
    REFUSE("--domain=b", "--domain=b", "f", "1");
    options_free(&options);
    REFUSE("--obstacle=-", "f", "1");
    options_free(&options);
    CHECK(ACCEPTED("--domain=a b scale=2", "f", "1"));
    CHECK(strcmp(polygon_files_domain(&options.polygons), "a b") == 0);
    options_free(&options);
    REFUSE("--obstacle=a", "--resume=f");
    options_free(&options);
}

TEST(sensitivity)
{
    CHECK(ACCEPTED("file", "1") && options.sensitivity.runs == 0);
    CHECK(ACCEPTED("--sensitivity", "file", "1") && options.sensitivity.runs == 8);
    CHECK(ACCEPTED("--sensitivity=10000", "file", "1"));
    CHECK(options.sensitivity.runs == 10000);
    CHECK(ACCEPTED("file", "1", "--sensitivity=1"));
    CHECK(options.sensitivity.runs == 1);
    REFUSE("--sensitivity=0", "file", "1");
    REFUSE("--sensitivity=10001", "file", "1");
    REFUSE("--sensitivity", "--generate=3");
}

TEST(checkpoints)
{
    CHECK(ACCEPTED("file", "1") && !options.checkpoint.output.name && !options.resume);
    CHECK(ACCEPTED("--checkpoint=c", "file", "1"));
    CHECK(strcmp(options.checkpoint.output.name, "c") == 0 && options.checkpoint.every == 60);
    CHECK(ACCEPTED("--checkpoint=c", "--checkpoint-every=0.5", "file", "1"));
    CHECK(options.checkpoint.every == 0.5);
    CHECK(ACCEPTED("--resume", "r", "--checkpoint", "c"));
    CHECK(strcmp(options.resume, "r") == 0 && strcmp(options.checkpoint.output.name, "c") == 0);
    CHECK(!options.input);
    REFUSE("--resume=r", "--trajectory=t"); /* --every is missing */
    REFUSE("--resume=r", "file", "1");
    REFUSE("--resume=r", "--rule=elastic");
    REFUSE("--resume=r", "--generate=3");
    REFUSE("--checkpoint=-", "file", "1");
    REFUSE("--checkpoint-every=1", "file", "1");
}

TEST(files_to_write)
{
    CHECK(ACCEPTED("file", "1"));
    CHECK(!options.picture.output.name && !options.animation.name && !options.final_state.name);
    CHECK(ACCEPTED("--picture=a.svg", "file", "1", "--animate", "b.html"));
    CHECK(strcmp(options.picture.output.name, "a.svg") == 0 &&
          strcmp(options.animation.name, "b.html") == 0);
    CHECK(ACCEPTED("--final=end.txt", "file", "1"));
    CHECK(strcmp(options.final_state.name, "end.txt") == 0);
    REFUSE("--picture=-", "file", "1");
    CHECK(!options.picture.output.frames.pattern && !options.picture.has_paths);
    CHECK(ACCEPTED("--picture=%03d", "--paths", "--every=1", "f", "1e6"));
    CHECK(strcmp(options.picture.output.name, "%03d") == 0 &&
          options.picture.output.frames.width == 3);
    CHECK(options.picture.has_paths && options.run.interval == 1);
    CHECK(ACCEPTED("--picture=%d", "--picture=a", "f", "1"));
    CHECK(strcmp(options.picture.output.name, "a") == 0 && !options.picture.output.frames.pattern);
    REFUSE("--picture=%d", "f", "1"); /* --every is missing */
    REFUSE("--picture=%d", "--every=0.9", "f", "1e6");
    REFUSE("--picture=a", "--every=1", "f", "1");
    REFUSE("--picture=%x", "--every=1", "f", "1");
    REFUSE("--paths", "f", "1");
    REFUSE("--paths", "--generate=3");
    CHECK(ACCEPTED("--picture=a", "--colour-contacts", "f", "1") && options.picture.has_contacts);
    REFUSE("--colour-contacts", "f", "1");
    REFUSE("--final=x", "--generate=3");
    REFUSE("--animate=", "file", "1");
    REFUSE("--animate=x", "--generate=3");
}

TEST(what_makes_no_sense_is_refused)
{
    REFUSE(NULL);
    REFUSE("file");
    REFUSE("file", "1", "2");
    REFUSE("--no-such-option", "file", "1");
    REFUSE("--quiet=yes", "file", "1");
    REFUSE("--schedule=heap", "file", "1");
    REFUSE("--schedule=cell", "file", "1");
    REFUSE("file", "1", "--schedule");
}

TEST(the_law)
{
    CHECK(ACCEPTED("file", "1"));
    CHECK(options.law.rule == RULE_SWAP && options.law.contact_time == 0);
    CHECK(ACCEPTED("file", "1", "--rule=elastic"));
    CHECK(options.law.rule == RULE_ELASTIC && options.law.restitution == 1);
    CHECK(options.law.contact_time == 0);
    CHECK(ACCEPTED("--restitution=.25", "--rule", "elastic", "file", "1"));
    CHECK(options.law.restitution == 0.25 && options.law.contact_time == -1);
    CHECK(ACCEPTED("--contact-time=3e-7", "--restitution=0", "--rule=elastic", "file", "1"));
    CHECK(options.law.restitution == 0 && options.law.contact_time == 3e-7);
    REFUSE("file", "1", "--restitution=1");
    REFUSE("file", "1", "--rule=elastic", "--contact-time=1");
    REFUSE("file", "1", "--rule=elastic", "--restitution=1.5");
}

TEST(surfaces)
{
    CHECK(ACCEPTED("--rule=elastic", "file", "1") && !options.surfaces.are_rough);
    CHECK(ACCEPTED("--rule=elastic", "--roughness=-1", "file", "1"));
    CHECK(options.surfaces.are_rough && options.surfaces.roughness == -1 &&
          options.surfaces.friction == SYSTEM_LARGEST && options.law.contact_time == 0 &&
          options.surfaces.inertia == SURFACES_INERTIA);
    CHECK(ACCEPTED("--rule=elastic", "--friction=0", "--roughness=0.5", "file", "1"));
    CHECK(options.surfaces.roughness == 0.5 && options.surfaces.friction == 0);
    REFUSE("file", "1", "--roughness=1");
    CHECK(strstr(error.message, "'--roughness=1' needs --rule=elastic"));
    REFUSE("file", "1", "--rule=elastic", "--friction=1");
    CHECK(strstr(error.message, "--friction is only for --roughness=BETA"));
    REFUSE("file", "1", "--rule=elastic", "--inertia=1");
    CHECK(strstr(error.message, "--inertia is only for --roughness=BETA"));
    REFUSE("--resume=file", "--roughness=1");
    REFUSE("--generate=9", "--roughness=1");
}

TEST(observers)
{
    CHECK(ACCEPTED("file", "1"));
    CHECK(!options.events.name && !options.trajectory.output.name && options.run.interval == 0 &&
          !options.progress.is_wanted);
    CHECK(ACCEPTED("file", "1", "--events=a b", "--progress"));
    CHECK(strcmp(options.events.name, "a b") == 0 && !options.trajectory.output.name &&
          options.progress.is_wanted);
    CHECK(ACCEPTED("--every", "0.5", "--trajectory", "c", "f", "5e8"));
    CHECK(strcmp(options.trajectory.output.name, "c") == 0 && options.run.interval == 0.5 &&
          !options.events.name);
    REFUSE("--every", "0.49", "--trajectory", "c", "f", "5e8");
    CHECK(ACCEPTED("--every", "1e-40", "--trajectory", "c", "f", "0"));
    REFUSE("--events=", "f", "1");
    REFUSE("--events=-", "f", "1");
    REFUSE("--trajectory=-", "--every=1", "f", "1");
    REFUSE("--trajectory=c", "f", "1");
    CHECK(
        ACCEPTED("--trajectory=c", "--every=1", "--trajectory-columns=unwrapped,time", "f", "1") &&
        options.trajectory.columns == (1U << COLUMN_UNWRAPPED | 1U << COLUMN_TIME));
    REFUSE("--every=1", "f", "1");
    CHECK(ACCEPTED("--structure=s", "--every=1", "f", "1"));
    CHECK(strcmp(options.structure.name, "s") == 0 && options.run.interval == 1 &&
          !options.trajectory.output.name);
    REFUSE("--structure=s", "f", "1");
    CHECK(strstr(error.message, "--structure needs --every=DT"));
    REFUSE("--structure=s", "--every=0.49", "f", "5e8");
    REFUSE("--progress=1", "f", "1");
    REFUSE("--generate=3", "--events=c");
}

TEST(fields)
{
    CHECK(ACCEPTED("--fields=a.csv", "--fields-grid=100x40", "f", "1"));
    CHECK(strcmp(options.fields.output.name, "a.csv") == 0);
    CHECK(options.fields.columns == 100 && options.fields.rows == 40);
    CHECK(ACCEPTED("--fields=a.svg", "--fields-grid=1x10000", "f", "1"));
    CHECK(ACCEPTED("--fields=a.svg", "--fields-grid=1000x1000", "f", "1"));
    REFUSE("--fields=a.svg", "--fields-grid=1000x1001", "f", "1");
    CHECK(strstr(error.message, "up to 1000000 cells, and 1000x1001 are 1001000"));
    static const char *const wrong[] = {
        "",       "10",    "x",       "10x",        "x10",
        "0x5",    "5x0",   "10001x1", "1x10001",    "-1x5",
        "1.5x2",  "10X10", "10x10x1", "10x 10",     "10 x10",
        "1e2x10", "10*10", "ax2",     "0x10x0x10x", "99999999999999999999999x1"};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        char grid[100];
        snprintf(grid, sizeof grid, "--fields-grid=%s", wrong[k]);
        REFUSE("--fields=a.svg", grid, "f", "1");
        CHECK(strstr(error.message, "--fields-grid takes "));
    }
    REFUSE("--fields=a.svg", "f", "1");
    CHECK(strstr(error.message, "--fields needs --fields-grid=NXxNY"));
    REFUSE("--fields-grid=2x2", "f", "1");
    CHECK(strstr(error.message, "--fields-grid is only for --fields=FILE"));
    CHECK(ACCEPTED("--fields=a.svg", "--fields-grid=2x2", "--fields-show=mach", "f", "1"));
    CHECK(options.fields.shown == SHOW_MACH);
    CHECK(ACCEPTED("--fields=a.csv", "--fields-grid=2x2", "--fields-show=mach", "--report=r", "f",
                   "1"));
    REFUSE("--fields=a.csv", "--fields-grid=2x2", "--fields-show=mach", "f", "1");
    REFUSE("--fields=a.svg", "--fields-grid=2x2", "--fields-show=heat", "f", "1");
    CHECK(strstr(error.message, "unknown field 'heat': use density, speed, "));
    CHECK(ACCEPTED("--fields=a.csv", "--fields-grid=2x2", "--every=1", "f", "1"));
    REFUSE("--fields=a.vtk", "--fields-grid=2x2", "--every=1", "f", "1");
    CHECK(ACCEPTED("--fields=a.vtk", "--fields-grid=2x2", "f", "1"));
    CHECK(options.fields.write == field_file_write_vtk && !options.fields.output.frames.pattern);
    CHECK(ACCEPTED("--fields=a%02d.vti", "--fields-grid=2x2", "--every=1", "f", "1"));
    CHECK(options.fields.write == field_file_write_vti && options.fields.output.frames.width == 2);
    CHECK(!options.picture.output.frames.pattern);
    REFUSE("--fields=a%d.csv", "--fields-grid=2x2", "f", "1");
    CHECK(strstr(error.message, "--fields with a '%' in its name needs --every=DT"));
    REFUSE("--fields=a%d.vtk", "--fields-grid=2x2", "--every=1", "f", "1000001");
    CHECK(ACCEPTED("--fields=a%d.vtk", "--fields-grid=2x2", "--every=1", "f", "1000000"));
    REFUSE("--fields=%.vtk", "--fields-grid=2x2", "--every=1", "f", "1");
    REFUSE("--fields=a.CSV", "--fields-grid=2x2", "f", "1");
    CHECK(
        strstr(error.message, "--fields takes a file whose name ends in .csv, .vtk, .vti or .svg"));
    REFUSE("--fields=-", "--fields-grid=2x2", "f", "1");
    CHECK(ACCEPTED("--fields=a.svg", "--fields-grid=2x2", "--step=1", "f", "1"));
    CHECK(ACCEPTED("--fields=a.svg", "--fields-grid=2x2", "--stats-from=1", "f", "1"));
    REFUSE("--generate=3", "--fields=a.svg", "--fields-grid=2x2");
}

TEST(when_figures_begin)
{
    CHECK(ACCEPTED("--stats", "file", "1") && options.run.from == 0);
    CHECK(ACCEPTED("--stats-from=0.5", "--stats", "file", "1"));
    CHECK(options.run.from == 0.5);
    CHECK(ACCEPTED("--stats-from=1e40", "--stats=s", "file", "1e40"));
    CHECK(ACCEPTED("--stats-from", "0", "--stats", "file", "0"));
    REFUSE("--stats-from=1.5", "--stats", "file", "1");
    CHECK(strstr(error.message, "--stats-from=1.5 is after END_TIME, 1"));
    REFUSE("--stats-from=0", "file", "1");
    CHECK(strstr(error.message, "--stats-from is only for --stats"));
    REFUSE("--stats-from=1", "--picture=p", "f", "1");
    CHECK(strstr(error.message, "in a stream, --picture=FILE"));
    CHECK(ACCEPTED("--stats-from=1", "--picture=p", "--resume=c"));
    CHECK(ACCEPTED("--stats-from=1", "--picture=p", "--stream=1", "--periodic=x", "f", "1"));
    REFUSE("--stats-from=-1", "--stats", "file", "1");
    REFUSE("--stats-from=x", "--stats", "file", "1");
    REFUSE("--stats-from=1.1e40", "--stats", "file", "1e40");
    CHECK(ACCEPTED("--stats-from=1", "--structure=s", "--every=1", "f", "1"));
    CHECK(ACCEPTED("--stats-from=5", "--stats", "--resume=r"));
    REFUSE("--stats-from=5", "--generate=3");
}

TEST(generate)
{
    CHECK(ACCEPTED("file", "1") && !options.generate);
    CHECK(ACCEPTED("--generate=1000"));
    CHECK(options.generate && options.request.count == 1000 && options.request.seed == 1);
    CHECK(options.request.area_fraction == 0.3 && options.request.radius == 1);
    CHECK(options.request.component_count == 1 && options.request.periodic == 0);
    CHECK(options.request.aspect == 1 && options.request.speed == 1);
    CHECK(ACCEPTED("--seed=18446744073709551615", "--area-fraction=0.88", "--radius=2",
                   "--aspect=.25", "--speed=1e3", "--generate", "268435456"));
    CHECK(options.request.count == 268435456 && options.request.seed == UINT64_MAX);
    CHECK(options.request.area_fraction == 0.88 && options.request.radius == 2);
    CHECK(options.request.aspect == 0.25 && options.request.speed == 1000);
}

/* A domain gives the box; so there is no aspect, and the radius or the area fraction follows. */
TEST(generate_in_a_domain)
{
    const struct generate_request *request = &options.request;
    CHECK(ACCEPTED("--generate=5,6", "--domain=room"));
    CHECK(request->radius == 0 && request->area_fraction == 0.3 && request->aspect == 0);
    CHECK(request->components[0].radius == 0 && request->components[1].radius == 0);
    options_free(&options);
    CHECK(ACCEPTED("--generate=5,6", "--domain=d", "--radius=2,3"));
    CHECK(request->radius == 2 && request->area_fraction == 0 && request->aspect == 0);
    CHECK(request->components[1].radius == 3);
    options_free(&options);
    CHECK(ACCEPTED("--generate=5", "--obstacle=o", "--obstacle=p"));
    CHECK(request->radius == 1 && request->area_fraction == 0.3 && request->aspect == 1);
    CHECK(options.polygons.count == 2);
    options_free(&options);
    REFUSE("--radius=1", "--generate=5", "--domain=d", "--area-fraction=.1");
    CHECK(strstr(error.message, "--radius and --area-fraction") &&
          strstr(error.message, "leave one of them out"));
    options_free(&options);
    REFUSE("--aspect=1", "--generate=5", "--domain=d");
    CHECK(strstr(error.message, "--aspect is not for --domain"));
    options_free(&options);
}

TEST(dense_boxes_have_no_walls)
{
    CHECK(ACCEPTED("--generate=9", "--area-fraction=.9", "--periodic=xy"));
    CHECK(options.request.area_fraction == 0.9);
    CHECK(options.request.periodic == (PERIODIC_X | PERIODIC_Y));
    CHECK(ACCEPTED("--periodic=xy", "--area-fraction=.88", "--generate=9"));
    REFUSE("--generate=9", "--area-fraction=.9", "--periodic=x");
    CHECK(strstr(error.message, "to 0.88, and '0.9' is too large"));
    REFUSE("--generate=9", "--area-fraction=.9000001", "--periodic=xy");
}

static void check_component(size_t k, size_t count, double radius, double mass)
{
    const struct generate_component *component = &options.request.components[k];
    CHECK(component->count == count && component->radius == radius && component->mass == mass);
}

TEST(mixtures)
{
    CHECK(ACCEPTED("--generate=7", "--mass=3"));
    CHECK(options.request.component_count == 1 && options.request.count == 7);
    check_component(0, 7, 1, 3);
    CHECK(ACCEPTED("--radius=1,0.5", "--mass", "1,4", "--generate=800,200"));
    CHECK(options.request.component_count == 2 && options.request.count == 1000);
    CHECK(options.request.radius == 1);
    check_component(0, 800, 1, 1);
    check_component(1, 200, 0.5, 4);
    CHECK(ACCEPTED("--generate=3,4,5", "--radius=2"));
    check_component(0, 3, 2, 1);
    check_component(1, 4, 2, 1);
    check_component(2, 5, 2, 1);
    CHECK(ACCEPTED("--radius=1,2,3", "--radius=4", "--generate=1,2"));
    check_component(1, 2, 4, 1); /* the last option counts */
    CHECK(ACCEPTED("--generate=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
    CHECK(options.request.component_count == GENERATE_MAX_COMPONENTS);
    CHECK(ACCEPTED("--generate=9", "--radius=.5..1"));
    CHECK(options.request.spread.radius == 0.5 && options.request.spread.largest == 1);
    CHECK(ACCEPTED("--generate=9", "--radius=2~0.3"));
    CHECK(options.request.spread.radius == 2 && options.request.spread.largest == 0 &&
          options.request.spread.deviation == 0.3);
    CHECK(ACCEPTED("--generate=9", "--radius=2~0.3", "--radius=3"));
    CHECK(options.request.spread.radius == 0 && options.request.radius == 3);
    REFUSE("--generate=9", "--radius=2..1");
    REFUSE("--generate=9", "--radius=1~1.1");
    REFUSE("--generate=9", "--radius=1e40~1");
    REFUSE("--generate=9", "--radius=1..");
    REFUSE("--generate=9", "--radius=0..1");
    REFUSE("--generate=9", "--radius=1..2,3");
    REFUSE("--generate=9,2", "--radius=1..2");
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
    for (size_t k = 0; k < LENGTH(bad); k++) {
        const char *words[MAX_WORDS] = {"particles", bad[k].options[0], bad[k].options[1],
                                        bad[k].options[2]};
        CHECK(parse(words) == STATUS_USAGE);
        if (!CHECK(strstr(error.message, bad[k].message) != NULL))
            printf("    %s\n", error.message);
    }
}

TEST(a_request_needs_generate_and_nothing_else)
{
    static const char *const names[] = {"--area-fraction", "--radius", "--mass",
                                        "--aspect",        "--speed",  "--seed"};
    for (size_t k = 0; k < LENGTH(names); k++)
        REFUSE(names[k], "1", "file", "1");
    REFUSE("--generate=1", "file", "1");
}

TEST(streams)
{
    CHECK(ACCEPTED("file", "1") && !options.stream.draw);
    CHECK(ACCEPTED("--stream", "-2.5", "--periodic=x", "file", "1"));
    CHECK(options.stream.draw && options.stream.speed == -2.5);
    CHECK(options.stream.temperature == 0 && options.stream.seed == 1);
    CHECK(ACCEPTED("--stream-temperature=3", "--seed=18446744073709551615", "--stream=0",
                   "--stream=-0", "--periodic=xy", "file", "1"));
    CHECK(options.stream.speed == 0 && !signbit(options.stream.speed));
    CHECK(options.stream.temperature == 3 && options.stream.seed == UINT64_MAX);
}

TEST(requests_for_a_stream)
{
    const struct generate_request *request = &options.request;
    CHECK(ACCEPTED("--generate=9", "--periodic=x", "--stream=2", "--mass=4", "--seed=5"));
    CHECK(request->stream.draw && request->stream.speed == 2 && request->stream.temperature == 2);
    CHECK(ACCEPTED("--generate=9,9", "--periodic=x", "--stream=2", "--mass=4,1", "--speed=3"));
    CHECK(request->stream.temperature == 18);
    CHECK(ACCEPTED("--generate=9", "--periodic=x", "--stream=2", "--stream-temperature=7"));
    CHECK(request->stream.temperature == 7);
    CHECK(ACCEPTED("--generate=9") && !request->stream.draw);
}

/* Parses --NAME=VALUE beside what gives it a meaning. */
static enum status parse_value(const char *name, const char *value)
{
    static const struct {
        const char *name, *first, *second;
    } needs[] = {{"restitution", "--rule=elastic", NULL},
                 {"contact-time", "--rule=elastic", "--restitution=0.5"},
                 {"every", "--trajectory=t", NULL},
                 {"checkpoint-every", "--checkpoint=c", NULL},
                 {"stream", "--periodic=x", NULL},
                 {"roughness", "--rule=elastic", NULL},
                 {"friction", "--rule=elastic", "--roughness=0"},
                 {"inertia", "--rule=elastic", "--roughness=0"},
                 {"grow", "--rule=elastic", NULL},
                 {"grow-until", "--rule=elastic", "--grow=1"},
                 {"stream-temperature", "--periodic=xy", "--stream=1"}};
    static const char *const without_operands[] = {"resume", "generate", "area-fraction", "radius",
                                                   "mass",   "aspect",   "speed",         "seed"};
    char argument[MAX_LENGTH];
    const char *words[MAX_WORDS] = {"particles", argument};
    size_t count = 2;
    snprintf(argument, sizeof argument, "--%s=%s", name, value);
    for (size_t k = 0; k < LENGTH(without_operands); k++) {
        if (strcmp(name, without_operands[k]) == 0) {
            words[count] = k < 2 ? NULL : "--generate=1";
            return parse(words);
        }
    }
    words[count++] = "file";
    words[count++] = "0";
    for (size_t k = 0; k < LENGTH(needs); k++) {
        if (strcmp(name, needs[k].name) == 0) {
            words[count++] = needs[k].first;
            words[count++] = needs[k].second;
        }
    }
    return parse(words);
}

/* Whether a value is refused with a message that names the option and the value. */
static int refuses(const char *name, const char *value)
{
    char option[100];
    char quoted[MAX_LENGTH];
    snprintf(option, sizeof option, "--%s takes a", name);
    snprintf(quoted, sizeof quoted, "'%s' ", value);
    int is_right = parse_value(name, value) == STATUS_USAGE && strstr(error.message, option) &&
                   strstr(error.message, quoted);
    if (!is_right)
        printf("--%s=%s: %s\n", name, value, error.message);
    return is_right;
}

/* Texts that are no numbers, or none that any option takes. */
static const char *const no_numbers[] = {"",    " 1",  "1 ",     "x",      "1x", "1,5", "--1",
                                         "nan", "inf", "1e9999", "1e-400", "0x", "1 2", "+-1"};

/* Whether a value that is no number is a list of them, and the option takes lists. */
static int is_list(const char *name, const char *value)
{
    return strchr(value, ',') && (strcmp(name, "radius") == 0 || strcmp(name, "mass") == 0 ||
                                  strcmp(name, "generate") == 0);
}

TEST(the_ranges_of_numbers)
{
    for (size_t k = 0; k < LENGTH(option_ranges); k++) {
        CHECK(refuses(option_ranges[k].name, option_ranges[k].too_small));
        CHECK(parse_value(option_ranges[k].name, option_ranges[k].least) == STATUS_DONE);
        CHECK(parse_value(option_ranges[k].name, option_ranges[k].most) == STATUS_DONE);
        CHECK(refuses(option_ranges[k].name, option_ranges[k].too_large));
        for (size_t j = 0; j < LENGTH(no_numbers); j++)
            if (!is_list(option_ranges[k].name, no_numbers[j]))
                CHECK(refuses(option_ranges[k].name, no_numbers[j]));
    }
    CHECK(parse_value("contact-time", "-0") == STATUS_DONE);
    CHECK(options.law.contact_time == 0 && !signbit(options.law.contact_time));
}

TEST(pairs_of_numbers)
{
    static const char *const bad[] = {"",    "1",     "1,",     ",1",     "1,2,3",
                                      "x,1", "1,nan", "1e41,0", "0,-1e41"};
    CHECK(ACCEPTED("--lattice=9", "f", "1"));
    CHECK(options.lattice.force[0] == 0 && options.lattice.force[1] == 0);
    CHECK(ACCEPTED("--lattice=9", "--lattice-force=-1e40,2.5", "f", "1"));
    CHECK(options.lattice.force[0] == -1e40 && options.lattice.force[1] == 2.5);
    for (size_t k = 0; k < LENGTH(bad); k++) {
        char argument[100];
        snprintf(argument, sizeof argument, "--lattice-force=%s", bad[k]);
        REFUSE("--lattice=9", argument, "f", "1");
        CHECK(strstr(error.message, "--lattice-force takes "));
    }
    REFUSE("--lattice-force=1,2", "f", "1");
    CHECK(strstr(error.message, "needs --lattice=NX"));
}

TEST(whole_numbers)
{
    static const char *const names[] = {"sensitivity", "generate", "seed"};
    static const char *const bad[] = {"1.5", "1e3", "-1", "+5", "0x10"};
    for (size_t k = 0; k < LENGTH(names); k++)
        for (size_t j = 0; j < LENGTH(bad); j++)
            CHECK(refuses(names[k], bad[j]));
}

TEST(the_end_time)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"1.0000000000000002e40", "'1.0000000000000002e40' is too large"},
               {"-1e-300", "'-1e-300' is negative"}};
    CHECK(ACCEPTED("--", "f", "-0") && options.run.to == 0);
    CHECK(ACCEPTED("f", "1e40") && options.run.to == 1e40);
    CHECK(ACCEPTED("f", "1e-300") && options.run.to == 1e-300);
    for (size_t k = 0; k < 2; k++) {
        REFUSE("--", "f", bad[k].text);
        CHECK(strstr(error.message, "END_TIME must be a number from 0 to 1e+40"));
        CHECK(strstr(error.message, bad[k].message));
    }
    for (size_t k = 0; k < LENGTH(no_numbers); k++) {
        REFUSE("--", "f", no_numbers[k]);
        CHECK(strstr(error.message, "END_TIME") && strstr(error.message, no_numbers[k]));
    }
}

TEST(words)
{
    static const char *const no_schedules[] = {"",       "Auto",  "cell",
                                               "cellss", "auto ", "array,cells"};
    static const char *const no_rules[] = {"", "Swap", "swa", "swap ", "elastics"};
    for (size_t k = 0; k < LENGTH(no_schedules); k++) {
        CHECK(parse_value("schedule", no_schedules[k]) == STATUS_USAGE);
        CHECK(strstr(error.message, "auto, textbook, array or cells"));
        CHECK(strstr(error.message, no_schedules[k]));
    }
    for (size_t k = 0; k < LENGTH(no_rules); k++) {
        CHECK(parse_value("rule", no_rules[k]) == STATUS_USAGE);
        CHECK(strstr(error.message, "swap or elastic") && strstr(error.message, no_rules[k]));
    }
    CHECK(ACCEPTED("--lattice=9", "f", "1") && options.lattice.start == 0);
    CHECK(ACCEPTED("--lattice=9", "--lattice-start=particles", "f", "1"));
    CHECK(options.lattice.start == 1);
    REFUSE("--lattice=9", "--lattice-start=Rest", "f", "1");
    CHECK(strstr(error.message, "unknown start 'Rest': use rest or particles"));
}

/* Any name but none at all and that of standard output. */
TEST(names_of_files)
{
    static const char *const names[] = {"events", "stats",   "picture",
                                        "final",  "animate", "checkpoint"};
    static const char *const good[] = {"a", " ", "--", "-x", "/dev/null", "a\nb", "./-"};
    for (size_t k = 0; k < LENGTH(names); k++) {
        for (size_t j = 0; j < LENGTH(good); j++)
            CHECK(parse_value(names[k], good[j]) == STATUS_DONE);
        for (int j = 0; j < 2; j++) {
            CHECK(parse_value(names[k], j ? "-" : "") == STATUS_USAGE);
            CHECK(strstr(error.message, names[k]) && strstr(error.message, "name of a file"));
        }
    }
    CHECK(parse_value("stats", "./-") == STATUS_DONE);
    CHECK(strcmp(options.stats.output.name, "./-") == 0);
    CHECK(parse_value("resume", "./-") == STATUS_DONE);
    CHECK(strcmp(options.resume, "./-") == 0);
    CHECK(parse_value("resume", "-") == STATUS_USAGE);
    CHECK(parse_value("resume", "") == STATUS_USAGE);
    CHECK(strstr(error.message, "--resume takes the file of a checkpoint"));
}

/* However much is given, the message stays readable. */
TEST(long_values_are_cut_short)
{
    static const char *const names[] = {"schedule", "rule", "radius", "every", "seed"};
    char text[3001];
    memset(text, 'x', 3000);
    text[3000] = '\0';
    for (size_t k = 0; k < LENGTH(names); k++) {
        CHECK(parse_value(names[k], text) == STATUS_USAGE);
        CHECK(strlen(error.message) < 300);
    }
    CHECK(PARSE("f", text) == STATUS_USAGE && strlen(error.message) < 300);
}
