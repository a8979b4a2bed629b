/* The table of options, and the functions that read their values, files of options among them; see
 * option_table.h. */
#include "option_table.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/text.h"
#include "model/boundary_law.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Files of options. A file becomes texts such as "--name=value", so that all that follows, and the
 * words that messages quote, are as on the command line. A byte 0, which the command line cannot
 * have, is refused. A file without end is not read to the end. */
static const char white[] = " \t\v\f\r";

static char *trim(char *text)
{
    text += strspn(text, white);
    size_t length = strlen(text);
    while (length > 0 && strchr(white, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static enum status unquote(char *value, struct error *error)
{
    char *to = value;
    const char *from = value + 1;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    if (!*from)
        return error_set(error, STATUS_USAGE, "the quotation mark that ends the value is missing");
    const char *after = ++from;
    after += strspn(after, white);
    if (*after && (*after != '#' || after == from))
        return error_set(error, STATUS_USAGE,
                         "expected the end of the line after the value, not '%.40s'", after);
    *to = '\0';
    return STATUS_DONE;
}

/* Ends a value before white space and a comment. */
static void cut_comment(char *value)
{
    for (char *at = strchr(value, '#'); at; at = strchr(at + 1, '#'))
        if (strchr(white, at[-1]))
            *at = '\0';
    trim(value);
}

/* Copies the option of a line, if there is one, to `*text` in the form of the command line, with a
 * byte 0 at its end; that takes up to 3 bytes more than the line has. `*text` becomes its end. */
static enum status copy_option(char *line, char **text, struct error *error)
{
    enum status status = STATUS_DONE;
    line = trim(line);
    if (*line == '\0' || *line == '#')
        return STATUS_DONE;
    if (strncmp(line, "--", 2) == 0 && line[2] != '\0')
        line += 2;
    if (strspn(line, white) > 0 || strchr("-=\"", *line))
        return error_set(error, STATUS_USAGE,
                         "expected the name of an option, without its dashes, not '%.40s'", line);
    const size_t length = strcspn(line, "= \t\v\f\r");
    char *value = line + length + strspn(line + length, white);
    const int is_assigned = *value == '=';
    if (is_assigned)
        value += 1 + strspn(value + 1, white);
    const int has_value = is_assigned || (*value != '\0' && *value != '#');
    if (*value == '"')
        status = unquote(value, error);
    else
        cut_comment(value);
    *text += sprintf(*text, "--%.*s%s%s", (int)length, line, has_value ? "=" : "",
                     has_value ? value : "") +
             1;
    return status;
}

/* Takes all options of a text, which it changes. */
static enum status take_lines(struct config *config, char *text, const char *text_end,
                              struct error *error)
{
    char *end = config->arguments;
    for (size_t line = 1; text < text_end; line++) {
        char *begin = end;
        char *line_end = memchr(text, '\n', (size_t)(text_end - text));
        const size_t length = (size_t)((line_end ? line_end : text_end) - text);
        text[length] = '\0';
        enum status status =
            strlen(text) < length
                ? error_set(error, STATUS_USAGE, "there is a byte 0: this is no file of options")
                : copy_option(text, &end, error);
        if (error_locate(error, status, config->name, line))
            return status;
        if (end > begin)
            config->options[config->count++] = (struct config_option){begin, line};
        text += length + 1;
    }
    return STATUS_DONE;
}

enum status config_read(const char *name, FILE *stream, struct config **config, struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* with which some editors begin UTF-8 */
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name, strerror(errno));
    enum status status = text_check_apart(fileno(stream), name, error);
    struct config *read =
        status ? NULL : memory_allocate(1, sizeof *read, "the options of a file", error);
    if (!read) {
        fclose(stream);
        return status ? status : STATUS_NO_MEMORY;
    }
    read->before = *config;
    read->name = name;
    read->count = 0;
    *config = read; /* it is freed with the others, also if it is not complete */
    const size_t size = fread(read->text, 1, sizeof read->text, stream);
    const size_t skipped = size >= 3 && memcmp(read->text, mark, 3) == 0 ? 3 : 0;
    if (ferror(stream))
        status =
            error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name, strerror(errno));
    else if (size > CONFIG_MAX_BYTES)
        status = error_set(error, STATUS_USAGE,
                           "%.4100s: a file of options has up to %d bytes, and this one more", name,
                           CONFIG_MAX_BYTES);
    else
        status = take_lines(read, read->text + skipped, read->text + size, error);
    fclose(stream);
    return status;
}

void config_locate(const struct config *config, const char *argument, struct error *error)
{
    for (; config; config = config->before)
        for (size_t k = 0; k < config->count; k++)
            if (config->options[k].argument == argument)
                error_locate(error, STATUS_USAGE, config->name, config->options[k].line);
}

void config_free(struct config *config)
{
    while (config) {
        struct config *before = config->before;
        memory_free(config);
        config = before;
    }
}

static void *option_member(const struct option_reading *to)
{
    return (char *)to->options + to->row->offset;
}

static enum status read_flag(const struct option_reading *to, const char *text)
{
    (void)text;
    *(int *)option_member(to) = 1;
    return STATUS_DONE;
}

static enum status option_take_number(const struct option_reading *to, const char *text,
                                      double *number)
{
    double value = 0;
    const char *problem = text_number_within(text, to->row->least, to->row->most, &value);
    if (value > to->row->most && to->row->too_large)
        problem = to->row->too_large;
    if (problem)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes a number from %g to %g, and '%.100s' %s", to->row->name,
                         to->row->least, to->row->most, text, problem);
    *number = value + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

static enum status option_read_number(const struct option_reading *to, const char *text)
{
    return option_take_number(to, text, option_member(to));
}

static enum status read_positive(const struct option_reading *to, const char *text)
{
    double value = 0;
    const char *problem = text_number_within(text, 0, SYSTEM_LARGEST, &value);
    if (!problem && value == 0)
        problem = "is not";
    if (problem)
        return error_set(to->error, STATUS_USAGE, "--%s takes a positive number, and '%.100s' %s",
                         to->row->name, text, problem);
    *(double *)option_member(to) = value;
    return STATUS_DONE;
}

static enum status take_whole(const struct option_reading *to, const char *text, uint64_t least,
                              uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    const char *problem = text_whole_number(text, &value);
    if (!problem && value < least)
        problem = "is too small";
    if (!problem && value > most)
        problem = "is too large";
    if (problem)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes a whole number from %" PRIu64 " to %" PRIu64
                         ", and '%.100s' %s",
                         to->row->name, least, most, text, problem);
    *number = value;
    return STATUS_DONE;
}

static enum status option_read_pair(const struct option_reading *to, const char *text)
{
    double *pair = option_member(to);
    char item[TEXT_ITEM_SIZE];
    const char *rest = text_list_item(text, item);
    if (!rest)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes two numbers as in '0.1,0', not '%.100s'", to->row->name, text);
    const enum status status = option_take_number(to, item, &pair[0]);
    return status ? status : option_take_number(to, rest, &pair[1]);
}

static enum status read_whole(const struct option_reading *to, const char *text)
{
    uint64_t value = 0;
    enum status status =
        take_whole(to, text, (uint64_t)to->row->least, (uint64_t)to->row->most, &value);
    *(uint32_t *)option_member(to) = (uint32_t)value;
    return status;
}

/* One of the option's words; the message lists them: "unknown rule 'x': use swap or elastic". */
static enum status option_read_word(const struct option_reading *to, const char *text)
{
    const size_t size = strlen(text);
    unsigned number = to->row->first_word;
    error_set(to->error, STATUS_USAGE, "unknown %s '%.100s': use", to->row->noun, text);
    for (const char *word = to->row->words; *word; number++) {
        const size_t length = strcspn(word, " ");
        const char *next = word + length + strspn(word + length, " ");
        if (length == size && strncmp(word, text, size) == 0) {
            *(unsigned *)option_member(to) = number;
            return STATUS_DONE;
        }
        error_append(to->error, "%s %.*s",
                     word == to->row->words ? ""
                     : *next                ? ","
                                            : " or",
                     (int)length, word);
        word = next;
    }
    return STATUS_USAGE;
}

static enum status read_output(const struct option_reading *to, const char *text)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes the name of a file to write, not '%s': standard output is for "
                         "the answer alone",
                         to->row->name, text);
    *(const char **)option_member(to) = text;
    return STATUS_DONE;
}

/* A picture or a page. Other programs make other formats of them. */
static enum status read_drawing(const struct option_reading *to, const char *text)
{
    const char *end = strrchr(text, '.');
    if (end && strcmp(end, ".mp4") == 0)
        return error_set(to->error, STATUS_USAGE,
                         "--%s does not write '%.100s': make that movie with 'scripts/movie "
                         "FILE.mp4 -- particles INPUT END_TIME'",
                         to->row->name, text);
    if (end && (strcmp(end, ".png") == 0 || strcmp(end, ".pdf") == 0))
        return error_set(to->error, STATUS_USAGE,
                         "--%s does not write '%.100s': make it from --picture=FILE.svg with "
                         "'rsvg-convert --format=%s --output=FILE%s FILE.svg'",
                         to->row->name, text, end + 1, end);
    return read_output(to, text);
}

/* The name of a file, or a pattern for many with this beginning. */
static enum status read_pattern(const struct option_reading *to, struct output_pattern *names,
                                const char *beginning, const char *text)
{
    const char *problem = output_pattern_parse(names, text);
    names->beginning = beginning;
    if (!problem)
        return read_drawing(to, text);
    return error_set(to->error, STATUS_USAGE,
                     "--%s takes the name of a file or, for frames, one with a number in it, "
                     "such as %%06d.svg, and '%.100s' %s",
                     to->row->name, text, problem);
}

static enum status read_picture(const struct option_reading *to, const char *text)
{
    return read_pattern(to, &to->options->picture.output.frames, picture_beginning, text);
}

static enum status read_stats(const struct option_reading *to, const char *text)
{
    to->options->stats.output.is_wanted = 1;
    return text ? read_output(to, text) : STATUS_DONE;
}

static enum status read_fields(const struct option_reading *to, const char *text)
{
    static const struct {
        const char *end, *beginning;
        field_writer *write;
    } formats[] = {{".csv", FIELD_CSV_BEGINNING, field_file_write_csv},
                   {".vtk", FIELD_VTK_BEGINNING, field_file_write_vtk},
                   {".vti", FIELD_VTI_BEGINNING, field_file_write_vti},
                   {".svg", picture_beginning, field_picture_write}};
    struct fields_settings *fields = &to->options->fields;
    const char *end = strrchr(text, '.');
    for (size_t k = 0; k < sizeof formats / sizeof formats[0] && end; k++) {
        if (strcmp(end, formats[k].end) == 0) {
            const enum status status =
                read_pattern(to, &fields->output.frames, formats[k].beginning, text);
            fields->write = formats[k].write;
            fields->has_series =
                fields->write == field_file_write_csv || fields->output.frames.pattern;
            return status;
        }
    }
    return error_set(to->error, STATUS_USAGE,
                     "--%s takes a file whose name ends in .csv, .vtk, .vti or .svg, which "
                     "is its format, not '%.100s'",
                     to->row->name, text);
}

static enum status read_grid(const struct option_reading *to, const char *text)
{
    char columns[NUMBER_WHOLE_SIZE];
    const char *cross = strchr(text, 'x');
    uint64_t sizes[2] = {0, 0};
    if (!cross || (size_t)(cross - text) >= sizeof columns)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes the numbers of columns and rows, such as 100x40, not '%.100s'",
                         to->row->name, text);
    snprintf(columns, sizeof columns, "%.*s", (int)(cross - text), text);
    enum status status = take_whole(to, columns, 1, FIELDS_MAX_ALONG, &sizes[0]);
    if (!status)
        status = take_whole(to, cross + 1, 1, FIELDS_MAX_ALONG, &sizes[1]);
    if (!status && sizes[0] * sizes[1] > FIELDS_MAX_CELLS)
        return error_set(to->error, STATUS_USAGE,
                         "--%s takes up to %d cells, and %.100s are %" PRIu64, to->row->name,
                         (int)FIELDS_MAX_CELLS, text, sizes[0] * sizes[1]);
    to->options->fields.columns = (size_t)sizes[0];
    to->options->fields.rows = (size_t)sizes[1];
    return status;
}

/* The file of a checkpoint, or of options. Standard input can be neither. */
static enum status read_saved(const struct option_reading *to, const char *text)
{
    const int is_config = strcmp(to->row->name, "config") == 0;
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(to->error, STATUS_USAGE, "--%s takes %s, not '%s'", to->row->name,
                         is_config ? "a file of options" : "the file of a checkpoint", text);
    if (is_config)
        return config_read(text, fopen(text, "r"), &to->options->config, to->error);
    to->options->resume = text;
    return STATUS_DONE;
}

static enum status read_polygons(const struct option_reading *to, const char *text)
{
    const int is_domain = strcmp(to->row->name, "domain") == 0;
    const char *other = is_domain ? polygon_files_domain(&to->options->polygons) : NULL;
    if (other)
        return error_set(to->error, STATUS_USAGE,
                         "--domain is given twice, '%.100s' and '%.100s': one file has all "
                         "polygons of the domain",
                         other, text);
    return polygon_files_add(&to->options->polygons, text, is_domain, to->error);
}

static enum status option_read_wall(const struct option_reading *to, const char *text)
{
    return wall_settings_add(&to->options->walls, text, to->error);
}

static enum status option_read_part(const struct option_reading *to, const char *text)
{
    return steps_settings_add(&to->options->steps, strcmp(to->row->name, "constraint") == 0, text,
                              to->error);
}

static enum status read_threads(const struct option_reading *to, const char *text)
{
    uint64_t count = 0;
    const int is_auto = strcmp(text, to->row->words) == 0;
    enum status status = is_auto ? STATUS_DONE : take_whole(to, text, 1, THREADS_MAX, &count);
    to->options->run.threads.count = (unsigned)count;
    return status;
}

static enum status read_sensitivity(const struct option_reading *to, const char *text)
{
    uint64_t runs = SENSITIVITY_DEFAULT_RUNS;
    enum status status = text ? take_whole(to, text, 1, SENSITIVITY_MAX_RUNS, &runs) : STATUS_DONE;
    to->options->sensitivity.runs = (uint32_t)runs;
    return status;
}

/* An area fraction, or P and a reduced pressure. */
static enum status read_growth_end(const struct option_reading *to, const char *text)
{
    const int is_pressure = text[0] == 'P';
    const struct option_row *row = to->row;
    double *number = is_pressure ? &to->options->growth.pressure : &to->options->growth.fraction;
    const char *problem = text_number_within(text + is_pressure, SYSTEM_SMALLEST,
                                             is_pressure ? SYSTEM_LARGEST : row->most, number);
    if (!problem)
        return STATUS_DONE;
    return error_set(to->error, STATUS_USAGE,
                     "--%s takes an area fraction up to %g, or P and a reduced pressure such as "
                     "P1e6, and '%.100s' %s",
                     row->name, row->most, text, problem);
}

static enum status read_seed(const struct option_reading *to, const char *text)
{
    return take_whole(to, text, 0, UINT64_MAX, &to->options->seed);
}

static enum status option_read_stream(const struct option_reading *to, const char *text)
{
    to->options->stream = stream_make(0, to->options->stream.temperature, 0);
    return option_take_number(to, text, &to->options->stream.speed);
}

/* Several of the option's words, as a set of bits. */
static enum status read_words(const struct option_reading *to, const char *text)
{
    unsigned *set = option_member(to);
    char item[TEXT_ITEM_SIZE];
    enum status status = STATUS_DONE;
    unsigned words = 0;
    while (!status && text) {
        text = text_list_item(text, item);
        status = option_read_word(to, item);
        words |= 1U << *set;
    }
    *set = words;
    return status;
}

/* Goes on to the next of several values, which `*list` has. */
static enum status next_value(const struct option_reading *to, const char **list, size_t *count,
                              char item[TEXT_ITEM_SIZE])
{
    *list = text_list_item(*list, item);
    if (++*count <= GENERATE_MAX_COMPONENTS)
        return STATUS_DONE;
    return error_set(to->error, STATUS_USAGE, "--%s takes up to %d values, separated by commas",
                     to->row->name, (int)GENERATE_MAX_COMPONENTS);
}

static enum status read_list(const struct option_reading *to, const char *text)
{
    struct option_numbers *numbers = option_member(to);
    char item[TEXT_ITEM_SIZE];
    enum status status = STATUS_DONE;
    numbers->count = 0;
    while (!status && text) {
        status = next_value(to, &text, &numbers->count, item);
        if (!status)
            status = option_take_number(to, item, &numbers->values[numbers->count - 1]);
    }
    return status;
}

/* Radii: a list, or LEAST..MOST, or MEDIAN~DEVIATION. */
static enum status read_radii(const struct option_reading *to, const char *text)
{
    struct generate_spread *spread = &to->options->request.spread;
    const char *dots = strstr(text, "..");
    const char *mark = dots ? dots : strchr(text, '~');
    const size_t length = mark ? (size_t)(mark - text) : 0;
    double *second = dots ? &spread->largest : &spread->deviation;
    char first[TEXT_ITEM_SIZE];
    *spread = (struct generate_spread){.text = text};
    if (!mark || length >= TEXT_ITEM_SIZE)
        return read_list(to, text);
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    enum status status = option_take_number(to, first, &spread->radius);
    if (!status)
        status = option_take_number(to, mark + (dots ? 2 : 1), second);
    to->options->radii = (struct option_numbers){1, {spread->radius}};
    /* e^3 < 25: so no radius is out of range */
    if (status ||
        (dots ? spread->largest >= spread->radius
              : spread->deviation <= GENERATE_MAX_DEVIATION &&
                    spread->radius >= 25 * to->row->least && spread->radius <= to->row->most / 25))
        return status;
    return error_set(
        to->error, STATUS_USAGE,
        "--%s takes LEAST..MOST, or MEDIAN~DEVIATION with a deviation of the logarithm "
        "up to %g, not '%.100s'",
        to->row->name, GENERATE_MAX_DEVIATION, text);
}

static enum status read_generate(const struct option_reading *to, const char *text)
{
    struct generate_request *request = &to->options->request;
    char item[TEXT_ITEM_SIZE];
    enum status status = STATUS_DONE;
    uint64_t sum = 0;
    request->component_count = 0;
    for (const char *list = text; !status && list;) {
        uint64_t count = 0;
        status = next_value(to, &list, &request->component_count, item);
        if (!status)
            status = take_whole(to, item, 1, SYSTEM_MAX_COUNT, &count);
        if (!status)
            request->components[request->component_count - 1].count = (size_t)count;
        sum += count;
    }
    if (!status && sum > SYSTEM_MAX_COUNT)
        return error_set(to->error, STATUS_USAGE,
                         "--generate takes up to %d particles in all, and '%.100s' are %" PRIu64,
                         (int)SYSTEM_MAX_COUNT, text, sum);
    to->options->generate = 1;
    request->count = (size_t)sum;
    return status;
}

/* The offset of a member; does not compile where the member is not of this type. */
#define MEMBER(type, member)                                                                       \
    .offset =                                                                                      \
        offsetof(struct options, member) + 0 * sizeof((type *)0 == &((struct options *)0)->member)

#define FLAG(member) .read = read_flag, MEMBER(int, member)
#define NUMBER(member, low, high)                                                                  \
    .read = option_read_number, MEMBER(double, member), RANGE(low, high)
#define WHOLE(member, low, high) .read = read_whole, MEMBER(uint32_t, member), RANGE(low, high)
#define POSITIVE(member)         .read = read_positive, MEMBER(double, member)
#define LIST(member, low, high)                                                                    \
    .read = read_list, MEMBER(struct option_numbers, member), RANGE(low, high)
#define OUTPUT(member) .read = read_output, MEMBER(const char *, member)
#define WORD(member, name, list)                                                                   \
    .read = option_read_word, MEMBER(unsigned, member), .noun = (name), .words = (list)
#define RANGE(low, high) .least = (low), .most = (high)

const struct option_row option_rows[] = {
    {"config", "FILE", "take options from FILE: one a line, without the dashes", 0,
     .read = read_saved},
    {"schedule", "KIND", "how the next collision is found; the answer does not depend on it (auto)",
     FOR_RUN | FOR_EVENTS, WORD(run.schedule, "schedule", "auto textbook array cells"),
     .heading = "Collisions"},
    {"threads", "K",
     "compute on K processor cores; the answer does not depend on it (auto: all, from 20000 "
     "particles on)",
     FOR_RUN, .read = read_threads, .words = "auto"},
    {"tile-side", "CELLS", NULL, /* for tests: the side of the tiles that the box is cut into */
     FOR_RUN | FOR_EVENTS, WHOLE(run.threads.tile_side, 1, TILE_SIDE_MAX)},
    {"rule", "RULE", "what happens when two particles collide (swap)",
     FOR_RUN | FOR_SYSTEM | FOR_LAW, WORD(law.rule, "rule", "swap elastic")},
    {"restitution", "E",
     "with --rule=elastic: the part of the normal velocity that a collision leaves (1)",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_LAW | FOR_ELASTIC, NUMBER(law.restitution, 0, 1)},
    {"contact-time", "T",
     "with a restitution below 1: a particle that collides again within T loses no energy",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_LAW | FOR_LOSS,
     NUMBER(law.contact_time, 0, SYSTEM_LARGEST)},
    {"roughness", "BETA",
     "with --rule=elastic: disks turn; surfaces that slip on each other do so with -BETA times "
     "that "
     "speed after a collision, from -1, smooth, to 1, perfectly rough",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_LAW | FOR_SPIN, NUMBER(surfaces.roughness, -1, 1)},
    {"friction", "MU",
     "the impulse along surfaces is at most MU times the normal one (there is no limit)",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_LAW | FOR_SPIN, .only_for = "--roughness=BETA",
     NUMBER(surfaces.friction, 0, SYSTEM_LARGEST)},
    {"inertia", "Q", "the moment of inertia of disks is Q m R^2, up to 1, that of rings (0.5)",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_LAW | FOR_SPIN, .only_for = "--roughness=BETA",
     NUMBER(surfaces.inertia, SURFACES_LEAST_INERTIA, 1)},
    {"periodic", "AXES", "no walls along these axes: the box is repeated", FOR_SYSTEM,
     WORD(periodic, "axes", "x y xy"), .first_word = PERIODIC_X},
    {"gravity", "GX,GY", "an acceleration of all particles: they fly along parabolas",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_FALL, .read = option_read_pair,
     MEMBER(double, gravity[0]), RANGE(-SYSTEM_LARGEST, SYSTEM_LARGEST)},
    {"stream", "U",
     "with --periodic=x or xy: a gas streams through the box with velocity U along x",
     FOR_FIXED | FOR_SYSTEM | FOR_SEAMS, .read = option_read_stream,
     RANGE(-STREAM_FASTEST, STREAM_FASTEST)},
    {"stream-temperature", "T", "the temperature of that gas (of the particles at the start)",
     FOR_FIXED | FOR_SYSTEM | FOR_SEAMS | FOR_STREAM,
     NUMBER(stream.temperature, STREAM_COLDEST, STREAM_HOTTEST)},
    {"domain", "FILE",
     "particles are inside the polygons in FILE: a line 'x y' for each vertex, a blank line "
     "between polygons",
     FOR_SYSTEM, .read = read_polygons},
    {"obstacle", "FILE",
     "particles are outside of these; may be repeated; keys may place polygons, as in 'wing.txt "
     "scale=8 angle=-5 at=20,20'",
     FOR_SYSTEM, .read = read_polygons},
    {"wall", "PART",
     "what a wall does, such as 'left temperature=2' or 'box restitution=0.9'; may be repeated",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_WALLS, .read = option_read_wall},
    {"grow", "RATE",
     "with --rule=elastic: radii grow, at time t to 1 + RATE t times what they were",
     FOR_RUN | FOR_SYSTEM | FOR_GROWTH, NUMBER(growth.rate, 0, SYSTEM_LARGEST)},
    {"grow-until", "END",
     "the area fraction, such as 0.8, or reduced pressure, such as P1e6, at "
     "which the run ends, if that is before END_TIME",
     FOR_RUN | FOR_SYSTEM | FOR_GROWTH, .only_for = "--grow=RATE", .read = read_growth_end,
     .most = GROWTH_DENSEST},
    {"reverse", NULL, "turn all velocities round at the start", FOR_RUN | FOR_SYSTEM | FOR_RETURN,
     FLAG(reverse)},
    {"lattice", "NX",
     "compute the flow of the same gas as a continuum, on NX square cells along x; particles are "
     "carried along",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_FORCES,
     WHOLE(lattice.columns, LATTICE_MIN_COLUMNS, LATTICE_MAX_COLUMNS),
     .heading = "Flow on a lattice"},
    {"viscosity", "NU", "its kinematic viscosity (of the gas, by Enskog's theory)",
     FOR_RUN | FOR_SYSTEM | FOR_FORCES | FOR_LATTICE, POSITIVE(lattice.viscosity)},
    {"lattice-start", "HOW",
     "how it begins: at rest, or with the mean velocity of the particles in each cell (rest)",
     FOR_RUN | FOR_SYSTEM | FOR_FORCES | FOR_LATTICE,
     WORD(lattice.start, "start", "rest particles")},
    {"lattice-force", "GX,GY", "an acceleration of the gas, such as gravity (0,0)",
     FOR_RUN | FOR_SYSTEM | FOR_FORCES | FOR_LATTICE, .read = option_read_pair,
     MEMBER(double, lattice.force[0]), RANGE(-SYSTEM_LARGEST, SYSTEM_LARGEST)},
    {"step", "DT", "move in steps of DT instead of from collision to collision",
     FOR_FIXED | FOR_RUN | FOR_SYSTEM | FOR_MOTION, POSITIVE(steps.step), .heading = "Time steps"},
    {"substeps", "K", "divide each step by K (20)", FOR_RUN | FOR_SYSTEM | FOR_STEPS,
     WHOLE(steps.substeps, 1, STEPS_MAX_SUBSTEPS)},
    {"interaction", "PART", "what acts on particles, such as 'gravity g=-9.81'; may be repeated",
     FOR_RUN | FOR_SYSTEM | FOR_STEPS, .read = option_read_part},
    {"constraint", "PART", "what particles obey, such as 'walls restitution=0.5'; may be repeated",
     FOR_RUN | FOR_SYSTEM | FOR_STEPS, .read = option_read_part},
    {"stats", "[FILE]",
     "describe the run in figures, as a table on standard error or in FILE (or FILE.json)", FOR_RUN,
     .read = read_stats, MEMBER(const char *, stats.output.name), .heading = "Reports and files"},
    {"stats-from", "T", "the time from which figures and averages count (0)", FOR_RUN,
     NUMBER(run.from, 0, SYSTEM_LARGEST)},
    {"sensitivity", "[K]", "report whether the input determines the answer, by K more runs (8)",
     FOR_FIXED | FOR_RUN | FOR_WHOLE | FOR_EVENTS, .read = read_sensitivity},
    {"sensitivity-file", "FILE", "write that report to FILE, as lines 'key = value'",
     FOR_FIXED | FOR_RUN | FOR_WHOLE | FOR_EVENTS, OUTPUT(sensitivity.output.name)},
    {"sensitivity-status", NULL, "exit with status 1 if the answer is not determined",
     FOR_FIXED | FOR_RUN | FOR_WHOLE | FOR_EVENTS, FLAG(sensitivity.has_verdict)},
    {"events", "FILE", "write every collision to FILE, as comma-separated values",
     FOR_RUN | FOR_EVENTS, OUTPUT(events.name)},
    {"trajectory", "FILE",
     "with --every: write the positions to FILE, as extended XYZ, or as LAMMPS does if its name "
     "ends in .lammpstrj",
     FOR_RUN, .needs = "--every=DT, the time between frames", OUTPUT(trajectory.output.name)},
    {"trajectory-columns", "COLUMNS",
     "more of each particle for it: psi6, voronoi, species, unwrapped, time; separated by commas",
     FOR_RUN, .only_for = "--trajectory=FILE", .read = read_words,
     MEMBER(unsigned, trajectory.columns), .noun = "column",
     .words = "psi6 voronoi species unwrapped time"},
    {"structure", "FILE",
     "with --every: write the mean structure and motion to FILE, as comma-separated values",
     FOR_RUN | FOR_MOTION, .needs = "--every=DT, the time between frames", OUTPUT(structure.name)},
    {"fields", "FILE",
     "with --fields-grid: write mean density, velocity, temperature and pressure to FILE, whose "
     "name ends in .csv, .vtk, .vti or .svg",
     FOR_RUN, .needs = "--fields-grid=NXxNY, the numbers of cells along x and y",
     .read = read_fields, MEMBER(const char *, fields.output.name)},
    {"fields-grid", "NXxNY", "the numbers of cells of that grid along x and y", FOR_RUN,
     .only_for = "--fields=FILE", .read = read_grid},
    {"fields-show", "FIELD", "what the colours of a picture of them show (density)", FOR_RUN,
     WORD(fields.shown, "field", "density speed temperature pressure mach")},
    {"forces", "FILE",
     "write the mean forces on obstacles to FILE, as comma-separated values; in a stream also "
     "drag and lift",
     FOR_RUN | FOR_FORCES, OUTPUT(forces.name)},
    {"reference-length", "L", "the length of an obstacle, for its coefficients",
     FOR_RUN | FOR_FORCES, .only_for = "--forces=FILE, --stats and --report=FILE",
     POSITIVE(run.reference)},
    {"every", "DT", "the time between frames, or over which files average", FOR_RUN,
     POSITIVE(run.interval)},
    {"picture", "FILE",
     "draw the final state into FILE, as SVG; with --every and a FILE such as out/%06d.svg, frames",
     FOR_RUN, .read = read_picture, MEMBER(const char *, picture.output.name)},
    {"paths", NULL, "draw into it where each particle went and collided", FOR_RUN | FOR_EVENTS,
     .only_for = "--picture=FILE: they are drawn into it", FLAG(picture.has_paths)},
    {"colour-contacts", NULL, "with --grow: its colours are the numbers of contacts of the disks",
     FOR_RUN | FOR_EVENTS, .only_for = "--picture=FILE", FLAG(picture.has_contacts)},
    {"animate", "FILE", "write the whole run to FILE, a web page that plays it", FOR_RUN,
     .read = read_drawing, MEMBER(const char *, animation.name)},
    {"report", "FILE", "write a web page about the run to FILE: picture, figures and plots",
     FOR_RUN, .read = read_drawing, MEMBER(const char *, report.output.name)},
    {"final", "FILE", "write the final state to FILE, as an INPUT for another run", FOR_RUN,
     OUTPUT(final_state.name)},
    {"progress", NULL, "report progress on standard error, even if that is no terminal", FOR_RUN,
     FLAG(progress.is_wanted)},
    {"quiet", NULL, "nothing on standard error but errors and reports that are asked for", 0,
     FLAG(is_quiet)},
    {"checkpoint", "FILE", "save the run in FILE from time to time and when it is interrupted",
     FOR_RUN, OUTPUT(checkpoint.output.name), .heading = "Interruptions"},
    {"checkpoint-every", "SECONDS", "how often to save it, in real time (60)", FOR_RUN,
     .only_for = "--checkpoint=FILE", POSITIVE(checkpoint.every)},
    {"resume", "FILE", "continue the run that was saved in FILE, with the options for its files",
     FOR_RUN, .read = read_saved},
    {"generate", "N",
     "write an input of N random particles, or N1,N2,... of several species, instead of "
     "simulating",
     FOR_REQUEST, .read = read_generate, .heading = "Generated input"},
    {"area-fraction", "F", "the part of the box that they cover (0.3)", FOR_REQUEST,
     NUMBER(request.area_fraction, SYSTEM_SMALLEST, GENERATE_MAX_WITHOUT_WALLS),
     .too_large = OPTION_TOO_DENSE},
    {"disordered", NULL, "no crystal above area fraction 0.4: disks have grown to that",
     FOR_REQUEST, FLAG(is_disordered)},
    {"radius", "R",
     "the radius of each (1), R1,R2,... of each species, uniform R1..R2, or log-normal R~S",
     FOR_REQUEST, .read = read_radii, MEMBER(struct option_numbers, radii),
     RANGE(SYSTEM_SMALLEST, SYSTEM_LARGEST)},
    {"mass", "M", "the mass of each (1), or M1,M2,... of each species", FOR_REQUEST,
     LIST(masses, SYSTEM_MIN_MASS, SYSTEM_LARGEST_MASS)},
    {"aspect", "A", "the box's width divided by its height (1)", FOR_REQUEST,
     NUMBER(request.aspect, SYSTEM_SMALLEST, SYSTEM_LARGEST)},
    {"speed", "V", "the root mean square of the speeds of the first species (1)", FOR_REQUEST,
     NUMBER(request.speed, SYSTEM_SMALLEST, GENERATE_MAX_SPEED)},
    {"seed", "S",
     "a whole number: each gives other particles (1), or another --stream, --wall or bath",
     FOR_SYSTEM | FOR_CHANCE, .read = read_seed},
    {"help", NULL, "print this help and exit", 0, .letter = 'h', FLAG(help), .heading = "Help"},
    {"version", NULL, "print the version and exit", 0, .letter = 'V', FLAG(version)},
    {"completion", NULL, "print this table for the completions of shells and exit", 0,
     FLAG(completion)},
};

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];
_Static_assert(sizeof option_rows / sizeof option_rows[0] <= MAX_OPTIONS,
               "more options than can be given");
