/* Fuzzing the command line: bytes cut at line ends into arguments. What is accepted has to be
 * within the bounds that options.h names; what is refused has its message. The same bytes are also
 * read as a file of options. */

#include "cli/option_table.h"
#include "cli/options.h"
#include "fuzz.h"
#include "model/boundary_law.h"
#include "observe/fields.h"
#include "observe/writers.h"
#include "option_ranges.h"

#include <unistd.h>

enum { MAX_ARGUMENTS = 40, MAX_BYTES = 4000 };

static void check_components(const struct generate_request *request, double least_radius)
{
    size_t count = 0;
    fuzz_expect(request->component_count >= 1 &&
                    request->component_count <= GENERATE_MAX_COMPONENTS,
                "the components are too few or too many");
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        count += component->count;
        fuzz_expect(component->count >= 1, "a component is empty");
        fuzz_expect(component->radius <= SYSTEM_LARGEST && component->radius >= least_radius,
                    "the radius is out of range");
        fuzz_expect(component->mass >= SYSTEM_MIN_MASS && component->mass <= SYSTEM_LARGEST_MASS,
                    "the mass is out of range");
    }
    fuzz_expect(request->count == count && count <= SYSTEM_MAX_COUNT, "N is out of range");
    fuzz_expect(request->radius == request->components[0].radius, "there are two radii");
}

/* In a domain there is no aspect, and either no radius or no area fraction. */
static void check_request(const struct generate_request *request, int has_domain)
{
    const int has_walls = request->periodic != (PERIODIC_X | PERIODIC_Y);
    const double least = has_domain ? 0 : SYSTEM_SMALLEST;
    check_components(request, least);
    fuzz_expect(!has_domain || (request->radius > 0) != (request->area_fraction > 0),
                "a domain leaves too much or too little open");
    fuzz_expect(request->speed > 0, "nothing moves");
    fuzz_expect((request->aspect == 0) == has_domain, "the aspect is not the domain's");
    fuzz_expect(request->area_fraction >= least &&
                    request->area_fraction <=
                        (has_walls ? GENERATE_MAX_AREA_FRACTION : GENERATE_MAX_WITHOUT_WALLS),
                "the area fraction is out of range");
}

/* A stream flows along x; what it needs to know may still have to be found. */
static void check_stream(const struct options *options)
{
    const struct stream *stream = &options->stream;
    fuzz_expect(stream->draw || (stream->speed == 0 && stream->temperature == 0),
                "a part of a stream");
    fuzz_expect(!stream->draw || options->periodic & PERIODIC_X, "a stream without a seam");
}

static void check_walls(const struct wall_settings *walls)
{
    for (size_t k = 0; k < walls->count; k++) {
        const struct wall_law *law = &walls->list[k].law;
        fuzz_expect(wall_subjects[walls->list[k].subject] != NULL, "there is no such wall");
        fuzz_expect(isnan(law->temperature) ||
                        (law->temperature >= STREAM_COLDEST && law->temperature <= STREAM_HOTTEST),
                    "a wall's temperature is out of range");
        fuzz_expect(isnan(law->restitution) || (law->restitution >= 0 && law->restitution <= 1),
                    "a wall's restitution is out of range");
    }
}

/* A restitution below 1 without a contact time gives -1, which stands for one that fits. */
static void check_ranges(const struct options *options)
{
    for (size_t k = 0; k < LENGTH(option_ranges); k++) {
        const size_t offset = option_ranges[k].offset;
        if (offset == SIZE_MAX)
            continue;
        const double value = *(const double *)((const char *)options + offset);
        fuzz_expect(value == 0 || (value == -1 && offset == OPTION(law.contact_time)) ||
                        (value >= strtod(option_ranges[k].least, NULL) &&
                         value <= strtod(option_ranges[k].most, NULL)),
                    option_ranges[k].name);
    }
}

static void check_accepted(const struct options *options)
{
    const struct system_law *law = &options->law;
    fuzz_expect(
        options->run.schedule == SCHEDULE_AUTO || options->run.schedule == SCHEDULE_TEXTBOOK ||
            options->run.schedule == SCHEDULE_ARRAY || options->run.schedule == SCHEDULE_CELLS,
        "there is no such schedule");
    fuzz_expect(law->rule == RULE_ELASTIC || law->restitution == 1, "switching loses energy");
    check_ranges(options);
    check_stream(options);
    check_walls(&options->walls);
    if (options->generate) {
        check_request(&options->request, polygon_files_domain(&options->polygons) != NULL);
        fuzz_expect(!options->events.name && !options->trajectory.output.name &&
                        !options->stats.output.is_wanted,
                    "files of nothing");
        return;
    }
    fuzz_expect((options->input != NULL) == (options->resume == NULL), "no INPUT, or two");
    fuzz_expect(!options->resume || !options->sensitivity.runs, "a part of a run is not perturbed");
    fuzz_expect(options->checkpoint.every > 0, "checkpoints without end");
    const struct lattice_settings *scene = &options->lattice;
    fuzz_expect(scene->start <= 1 && fabs(scene->force[0]) <= SYSTEM_LARGEST &&
                    fabs(scene->force[1]) <= SYSTEM_LARGEST,
                "the lattice is out of range");
    fuzz_expect(scene->columns > 0 ||
                    (scene->start == 0 && scene->force[0] == 0 && scene->force[1] == 0),
                "a flow on no lattice");
    fuzz_expect(options->run.to >= 0 && options->run.to <= SYSTEM_LARGEST, "a bad END_TIME");
    fuzz_expect(options->run.from >= 0 && (options->stats.output.is_wanted ||
                                           options->structure.name || options->fields.output.name ||
                                           options->forces.name || options->picture.output.name ||
                                           options->report.output.name || options->run.from == 0),
                "figures of nothing");
    fuzz_expect(options->resume || options->run.from <= options->run.to, "no figures at all");
    const int draws_frames =
        options->picture.output.frames.pattern || options->fields.output.frames.pattern;
    const int has_frames =
        options->trajectory.output.name || options->structure.name || draws_frames;
    const double most = draws_frames ? FRAME_NAMES_MAX : FRAMES_MAX;
    fuzz_expect(has_frames <= (options->run.interval > 0), "frames at no time");
    const int has_series = options->forces.name || (options->fields.has_series);
    fuzz_expect((options->run.interval > 0) <= (has_frames || has_series),
                "no frames at some time");
    fuzz_expect(!options->forces.name || options->resume ||
                    polygon_files_have_obstacles(&options->polygons),
                "forces on nothing");
    fuzz_expect(!(options->picture.has_paths || options->picture.has_contacts) ||
                    options->picture.output.name,
                "paths or contacts in no picture");
    fuzz_expect(options->run.reference == 0 || options->forces.name ||
                    options->stats.output.is_wanted,
                "a length of nothing");
    const struct fields_settings *grid = &options->fields;
    fuzz_expect((options->fields.output.name != NULL) == (grid->columns > 0) &&
                    (grid->columns > 0) == (grid->rows > 0),
                "fields, half asked for");
    fuzz_expect(grid->columns <= FIELDS_MAX_ALONG && grid->rows <= FIELDS_MAX_ALONG &&
                    grid->columns * grid->rows <= FIELDS_MAX_CELLS,
                "too many cells");
    fuzz_expect(options->fields.shown < FIELDS_SHOWN &&
                    (options->fields.output.name || options->fields.shown == SHOW_DENSITY),
                "a field of nothing");
    fuzz_expect(options->run.interval == 0 || options->resume ||
                    options->run.to <= most * options->run.interval,
                "too many frames");
}

/* Reads a file of this text, which fits into a pipe. */
static enum status read_config_text(const char *text, size_t size, struct config **config,
                                    struct error *error)
{
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text, size) != (ssize_t)size)
        exit(EXIT_FAILURE);
    close(ends[1]);
    return config_read("file", fdopen(ends[0], "r"), config, error);
}

static void check_config(const char *text, size_t size)
{
    struct config *config = NULL;
    struct error error = {""};
    size_t line = 0;
    enum status status = read_config_text(text, size, &config, &error);
    fuzz_expect(status == STATUS_DONE || status == STATUS_USAGE, "a status that no text can have");
    fuzz_expect(!status || strncmp(error.message, "file:", 5) == 0, "a refusal without a place");
    for (size_t k = 0; k < config->count; k++) {
        const char *argument = config->options[k].argument;
        fuzz_expect(strncmp(argument, "--", 2) == 0 && !strchr("-= \t", argument[2]),
                    "an option without a name");
        fuzz_expect(strlen(argument) <= size + 3 && !strchr(argument, '\n'), "more than a line");
        fuzz_expect(config->options[k].line > line, "two options on a line");
        line = config->options[k].line;
    }
    config_free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MAX_BYTES + 1];
    char name[] = "particles";
    char *arguments[MAX_ARGUMENTS + 2] = {name};
    int count = 1;
    OWNED(options, options);
    struct error error = {""};
    if (size > MAX_BYTES)
        size = MAX_BYTES;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    check_config(text, size);
    for (char *next = text; *next && count <= MAX_ARGUMENTS;) {
        size_t length = strcspn(next, "\n");
        int is_last = next[length] == '\0';
        next[length] = '\0';
        arguments[count++] = next;
        next += length + !is_last;
    }
    enum status status = options_parse(count, arguments, &options, &error);
    fuzz_expect(status == STATUS_DONE || status == STATUS_USAGE || status == STATUS_NO_INPUT,
                "a status that options cannot have");
    fuzz_expect(!status || error.message[0] != '\0', "a refusal without a message");
    fuzz_expect(strlen(error.message) < 600, "a message too long to read");
    if (!status && !options.help && !options.version && !options.completion)
        check_accepted(&options);
    return 0;
}
