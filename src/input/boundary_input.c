/*
 * What bounds the particles: polygon files and, at the end, the settings of --wall; see input.h.
 * The name of a file may have blanks in it: it ends where a blank and a word KEY=... follow.
 *
 * A line is a vertex, and a blank line ends a polygon. A file that begins with a name instead is an
 * airfoil, one polygon: in Selig's form from the trailing edge around the nose and back, in
 * Lednicer's form two counts, and the upper and the lower surface, both from the nose. What else
 * collections of airfoils have is mended if the points are in this order. scripts/polygon has the
 * same rules, in the same arithmetic.
 */
#include "input/input.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "io/text.h"
#include "model/polygons.h"
#include "model/system.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SCALE, KEY_ANGLE, KEY_AT, KEYS };

static const struct text_parameter polygon_file_keys[KEYS + 1] = {
    [KEY_SCALE] = {"scale", 0, NAN, NAN},
    [KEY_ANGLE] = {"angle", 0, -360, 360},
    [KEY_AT] = {"at", 0, NAN, NAN},
};

static const char *polygon_file_option_of(const struct polygon_file *file)
{
    return file->is_domain ? "--domain" : "--obstacle";
}

/* Cuts the text of a file after its name. Returns what follows that. */
static char *cut_name(char *text)
{
    static const char blanks[] = " \t";
    for (char *end = strpbrk(text, blanks); end;) {
        char *word = end + strspn(end, blanks);
        const size_t key = strspn(word, "abcdefghijklmnopqrstuvwxyz");
        if (key > 0 && word[key] == '=') {
            *end = '\0';
            return word;
        }
        end = strpbrk(word, blanks);
    }
    return text + strlen(text);
}

/* Reads one or two numbers with a comma. Returns how many, or 0 if they are not that. */
static size_t read_pair(const char *text, double numbers[2])
{
    char item[TEXT_ITEM_SIZE];
    size_t count = 0;
    while (text && count < 2) {
        text = text_list_item(text, item);
        if (text_number_within(item, -SYSTEM_LARGEST, SYSTEM_LARGEST, &numbers[count++]))
            return 0;
    }
    return text ? 0 : count;
}

static enum status read_placement(struct polygon_file *file, const char *text, struct error *error)
{
    struct text_arguments arguments;
    char name[120];
    double scale[2], at[2] = {0, 0};
    enum status status;
    snprintf(name, sizeof name, "%s '%.100s'", polygon_file_option_of(file), file->text);
    if ((status = arguments_begin(&arguments, text, name, error)) ||
        (status = arguments_read(&arguments, polygon_file_keys, name, error)))
        return status;
    const char *scale_text = arguments.texts[KEY_SCALE];
    const size_t scales = read_pair(scale_text ? scale_text : "1", scale);
    if (scales == 0 || scale[0] == 0 || scale[scales - 1] == 0)
        return error_set(error, STATUS_USAGE,
                         "%s: scale takes one or two numbers other than 0, such as 8 or 8,4", name);
    if (arguments.texts[KEY_AT] && read_pair(arguments.texts[KEY_AT], at) != 2)
        return error_set(error, STATUS_USAGE, "%s: at takes x and y, such as 20,10", name);
    file->placement = (struct polygon_placement){
        .x_scale = scale[0], .y_scale = scale[scales - 1], .x = at[0], .y = at[1]};
    elementary_turn(arguments.numbers[KEY_ANGLE] / 360, &file->placement.cosine,
                    &file->placement.sine);
    return STATUS_DONE;
}

enum status polygon_files_add(struct polygon_files *files, const char *text, int is_domain,
                              struct error *error)
{
    static const char what[] = "the names of files";
    const size_t size = strlen(text) + 1;
    struct polygon_file *list =
        memory_resize(files->list, files->count + 1, sizeof *list, what, error);
    if (!list)
        return STATUS_NO_MEMORY;
    files->list = list;
    struct polygon_file *file = &list[files->count];
    *file = (struct polygon_file){
        .text = text, .name = memory_allocate(size, 1, what, error), .is_domain = is_domain};
    if (!file->name)
        return STATUS_NO_MEMORY;
    files->count++;
    memcpy(file->name, text, size);
    const char *rest = cut_name(file->name);
    if (strcmp(file->name, "") == 0 || strcmp(file->name, "-") == 0)
        return error_set(error, STATUS_USAGE, "%s takes a file of polygons, not '%s'",
                         polygon_file_option_of(file), file->name);
    return read_placement(file, rest, error);
}

void polygon_files_free(struct polygon_files *files)
{
    for (size_t k = 0; k < files->count; k++)
        memory_free(files->list[k].name);
    memory_free(files->list);
    *files = (struct polygon_files){0};
}

const char *polygon_files_domain(const struct polygon_files *files)
{
    for (size_t k = 0; k < files->count; k++)
        if (files->list[k].is_domain)
            return files->list[k].name;
    return NULL;
}

int polygon_files_have_obstacles(const struct polygon_files *files)
{
    return files->count > (polygon_files_domain(files) ? 1 : 0);
}

/* A smaller coordinate becomes 0: products of larger ones do not underflow. */
static const double MIN_COORDINATE = 1e-100;

/* The part of the chord, from the trailing edge on, in which surfaces that cross are ended. */
static const double TRAILING_EDGE = 0.05;

static const char a_vertex[] = "x and y of a vertex, two numbers";

/* A file being read, and the polygon that is being read or placed. */
struct polygon_reading {
    const struct polygon_file *file;
    struct polygon_source *source;
    struct text_reader *reader;
    size_t first, count; /* its vertices in the source */
    size_t apart;        /* of an airfoil: the first one after a blank line but the first, or 0 */
    size_t vertex_capacity, line_capacity;
    int is_airfoil, is_mended; /* mended: it has more than a sure name and pairs of numbers */
    struct error *error;
};

/* How surely the first line of a file is a name, and not meant as a vertex. */
enum polygon_name {
    NAME_NONE,        /* "1 2", "nan 1", "1 O.5" */
    NAME_DESIGNATION, /* "64A010 10%", "0012 64", "23012" */
    NAME_THICKNESS,   /* "0012": two more digits may follow */
    NAME_LETTER,      /* "E 387" */
    NAME_WORD         /* "NACA 23012", "23012 FOIL", "(Dicke 12%)" */
};

/* A line of the file that is not blank. */
struct polygon_file_line {
    size_t words;                /* how many there are; 0: there is no further line */
    size_t number;               /* of the line */
    int is_apart;                /* there is a blank line before it */
    enum polygon_name name;      /* if it is the first one */
    double values[2];            /* the first two words; NAN: unknown, or x is no number */
    const char *problem;         /* why one of these is no number; or NULL */
    char shown[TEXT_SHOWN_SIZE]; /* that word, or the third one, for the message */
};

/* What the first line is with its k-th word, `before` without it. */
static enum polygon_name find_name(const char *word, size_t k, enum polygon_name before)
{
    char *end;
    word += strspn(word, "([{");
    const size_t digits = strspn(word, "0123456789"), length = strlen(word);
    strtod(word, &end);
    const int has_letter = *end != '\0' && isalpha((unsigned char)word[0]);
    if ((has_letter && isalpha((unsigned char)word[1])) || before == NAME_WORD)
        return NAME_WORD;
    if (before == NAME_LETTER || (has_letter && k == 0))
        return NAME_LETTER;
    if (k > 0)
        return (before == NAME_DESIGNATION && *end != '\0') ||
               (before == NAME_THICKNESS && digits == 2 && length == 2 && word[0] != '0');
    if (digits == 4 && length == 4 && word[0] == '0' && word[1] == '0')
        return NAME_THICKNESS;
    if (digits == length && (length == 4 || length == 5))
        return NAME_DESIGNATION;
    return digits > 0 && *end != '\0' && !strpbrk(word, ".,;:");
}

static void polygon_file_take_word(struct polygon_reading *reading, enum text_piece piece,
                                   struct polygon_file_line *line, const char *word)
{
    const size_t k = line->words++;
    double value = (double)NAN;
    line->name = find_name(word, k, line->name);
    if (k > 2 || line->problem)
        return;
    const char *problem = piece == TEXT_TOO_LONG_WORD ? "is too long" : text_number(word, &value);
    if (reading->is_airfoil && strpbrk(word, "xX"))
        problem = "is not a number"; /* not even hexadecimal */
    if (reading->is_airfoil && strncmp(word, "...", 3) == 0 && !word[strspn(word, ".")])
        problem = NULL;
    if (k < 2)
        line->problem = problem;
    if (k < 2 && !problem)
        line->values[k] = value;
    else
        text_show(reading->reader, line->shown);
}

/* Takes a line. Commas and brackets in an airfoil separate words as blanks do. */
static void polygon_file_take_line(struct polygon_reading *reading, struct polygon_file_line *line)
{
    struct text_reader *reader = reading->reader;
    const char *separators = reading->is_airfoil ? "()," : "";
    const size_t before = reader->line;
    enum text_piece piece = text_next(reader, 0);
    *line = (struct polygon_file_line){
        .number = reader->line, .is_apart = reader->blank_line > before, .values = {(double)NAN}};
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1)) {
        char word[TEXT_WORD_SIZE];
        const char *rest = reader->word;
        reading->is_mended |= *separators && (strpbrk(rest, separators) || strstr(rest, "..."));
        for (size_t length = 0; *rest; rest += length) {
            rest += strspn(rest, separators);
            length = strcspn(rest, separators);
            memcpy(word, rest, length);
            word[length] = '\0';
            if (length > 0 || line->words == 0)
                polygon_file_take_word(reading, piece, line, word);
        }
    }
    if (reader->failure)
        line->words = 0; /* text_reader_close refuses it */
}

static enum status refuse_line(struct polygon_reading *reading,
                               const struct polygon_file_line *line)
{
    const int is_short = line->words == 1 && !line->problem;
    return text_refuse(reading->error, reading->file->name, line->number,
                       "expected %s, found %s%s%s",
                       line->problem || is_short ? a_vertex : "the end of the line after x and y",
                       is_short ? "the end of the line after x" : line->shown,
                       line->problem ? ", which " : "", line->problem ? line->problem : "");
}

static enum status add_vertex(struct polygon_reading *reading, const struct polygon_file_line *line)
{
    static const char what[] = "the vertices of polygons";
    struct polygon_source *source = reading->source;
    const size_t number = reading->first + reading->count;
    if (line->words != 2 || line->problem)
        return refuse_line(reading, line);
    if (number >= POLYGONS_MAX_SIDES)
        return text_refuse(reading->error, reading->file->name, line->number,
                           "more than %d sides in all", (int)POLYGONS_MAX_SIDES);
    source->vertices = memory_extend(source->vertices, number, &reading->vertex_capacity,
                                     sizeof *source->vertices, what, reading->error);
    source->lines = memory_extend(source->lines, number, &reading->line_capacity,
                                  sizeof *source->lines, what, reading->error);
    if (!source->vertices || !source->lines)
        return STATUS_NO_MEMORY;
    memcpy(source->vertices[number], line->values, sizeof line->values);
    source->lines[number] = line->number;
    reading->count++;
    return STATUS_DONE;
}

/* Scales, rotates and moves the polygon that has been read. */
static enum status transform(const struct polygon_reading *reading)
{
    const struct polygon_placement *placement = &reading->file->placement;
    for (size_t k = reading->first; k < reading->first + reading->count; k++) {
        double *vertex = reading->source->vertices[k];
        const double x = placement->x_scale * vertex[0], y = placement->y_scale * vertex[1];
        vertex[0] = placement->cosine * x - placement->sine * y + placement->x;
        vertex[1] = placement->sine * x + placement->cosine * y + placement->y;
        for (int axis = 0; axis < 2; axis++)
            vertex[axis] = fabs(vertex[axis]) < MIN_COORDINATE ? 0 : vertex[axis];
        if (!isfinite(vertex[0]) || !isfinite(vertex[1]))
            return text_refuse(reading->error, reading->file->name, reading->source->lines[k],
                               "the vertex is too far off");
    }
    return STATUS_DONE;
}

static int polygon_file_is_same(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Refuses a polygon that has no sides, or a side of length 0. */
static enum status check_vertices(const struct polygon_reading *reading)
{
    const char *name = reading->file->name;
    const size_t *lines = reading->source->lines + reading->first;
    double(*vertices)[2] = reading->source->vertices + reading->first;
    if (reading->count < (reading->is_airfoil ? 3 : 2))
        return text_refuse(reading->error, name, lines[0],
                           "a polygon needs two vertices or more, and an airfoil three");
    for (size_t k = 0; k < reading->count; k++) {
        const size_t next = (k + 1) % reading->count;
        if (polygon_file_is_same(vertices[k], vertices[next]))
            return text_refuse(
                reading->error, name, lines[next],
                "the vertex %s %s is that of line %zu once more: a side must not have length "
                "0",
                show_exactly(vertices[next][0]).text, show_exactly(vertices[next][1]).text,
                lines[k]);
    }
    return STATUS_DONE;
}

/* Moves the polygon along an axis (0: x, 1: y) to where the model needs it: in the box or, across a
 * seam, in the box and the next image of it, so that the least coordinate is in [0, L). */
static enum status fit_in_box(const struct polygon_reading *reading, int axis, double length,
                              int is_seam)
{
    const char *name = reading->file->name;
    const size_t *lines = reading->source->lines + reading->first;
    double(*vertices)[2] = reading->source->vertices + reading->first;
    const double far = is_seam ? length : 0;
    const double rounding = pair_rounding(length);
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (size_t k = 0; k < reading->count; k++) {
        const double value = vertices[k][axis];
        if (!(value >= -far - rounding && value <= length + far + rounding))
            return text_refuse(reading->error, name, lines[k],
                               "%c = %s is outside the box: it must be from %s to %s", 'x' + axis,
                               show_exactly(value).text, show_exactly(0 - far).text,
                               show_exactly(length + far).text);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (is_seam && most - least > length + rounding)
        return text_refuse(reading->error, name, lines[0],
                           "along %c, which is periodic, the polygon from here on is longer than "
                           "the box: %s, and the box %s",
                           'x' + axis, show_exactly(most - least).text, show_exactly(length).text);
    const double shift = !is_seam ? 0 : least < -rounding ? length : least >= length ? -length : 0;
    for (size_t k = 0; k < reading->count; k++) {
        const double moved = fmax(vertices[k][axis] + shift, 0);
        vertices[k][axis] = is_seam ? moved : fmin(moved, length);
    }
    return STATUS_DONE;
}

/* Gives the polygon that has been read to the model, without a repeated first vertex. */
static enum status polygon_file_add_polygon(struct polygon_reading *reading)
{
    const int is_domain = reading->file->is_domain;
    double(*vertices)[2] = reading->source->vertices + reading->first;
    enum status status = transform(reading);
    if (reading->count > 1 && polygon_file_is_same(vertices[0], vertices[reading->count - 1]))
        reading->count--;
    if (!status && !(status = check_vertices(reading)))
        status = polygons_add(reading->source->polygons, (const double(*)[2])vertices,
                              reading->count, is_domain, is_domain, reading->error);
    reading->first += reading->count;
    reading->count = 0;
    return status;
}

static void exchange(const struct polygon_reading *reading, size_t a, size_t b)
{
    double(*vertices)[2] = reading->source->vertices + reading->first;
    size_t *lines = reading->source->lines + reading->first;
    const size_t line = lines[a];
    const double vertex[2] = {vertices[a][0], vertices[a][1]};
    memmove(vertices[a], vertices[b], sizeof vertex);
    memcpy(vertices[b], vertex, sizeof vertex);
    lines[a] = lines[b];
    lines[b] = line;
}

/* Puts an airfoil in the order of Selig's form, without what is repeated or not known. */
static enum status order_airfoil(struct polygon_reading *reading)
{
    double(*vertices)[2] = reading->source->vertices + reading->first;
    const size_t *lines = reading->source->lines + reading->first, count = reading->count;
    const double upper = vertices[0][0], lower = vertices[0][1];
    const int is_pair = upper >= 2 && lower >= 2 && floor(upper) == upper && floor(lower) == lower;
    const size_t counts = is_pair && upper + lower == (double)(count - 1);
    if (is_pair && !counts && reading->apart == 1)
        return text_refuse(
            reading->error, reading->file->name, lines[0],
            "the two surfaces of the airfoil have %s and %s vertices, and the file has %zu",
            show_exactly(upper).text, show_exactly(lower).text, count - 1);
    if (!counts && reading->apart > 0)
        return text_refuse(reading->error, reading->file->name, lines[reading->apart],
                           "a blank line in an airfoil: files of several polygons have no name");
    for (size_t k = 1, last = counts ? (size_t)upper : 0; k < last; k++, last--)
        exchange(reading, k, last);
    reading->count = 0;
    for (size_t k = counts; k < count; k++)
        if (!isnan(vertices[k][0] + vertices[k][1]) &&
            (reading->count == 0 ||
             !polygon_file_is_same(vertices[k], vertices[reading->count - 1])))
            exchange(reading, reading->count++, k);
    return STATUS_DONE;
}

/* Ends surfaces that cross within `limit` where they do so last, as seen from the trailing edge.
 * Only sides with a common x are compared. */
static void end_surfaces(struct polygon_reading *reading, double limit)
{
    double(*vertices)[2] = reading->source->vertices + reading->first;
    size_t upper = 0, lower = reading->count - 1, first = 0, count = reading->count;
    while (upper + 2 < lower && fmax(vertices[upper][0], vertices[lower][0]) > limit) {
        double *a = vertices[upper];
        const double *b = vertices[upper + 1], *c = vertices[lower], *d = vertices[lower - 1];
        const double from = polygons_turn(c, d, a), to = polygons_turn(c, d, b);
        const double part = from / (from - to), x = a[0] + part * (b[0] - a[0]);
        if (from * to < 0 && polygons_turn(a, b, c) * polygons_turn(a, b, d) < 0 && x > limit) {
            a[0] = x;
            a[1] += part * (b[1] - a[1]);
            first = upper;
            count = lower - upper;
        }
        if (b[0] > d[0])
            upper++;
        else
            lower--;
    }
    if (count < reading->count && reading->source->files->warn) {
        struct error warning;
        text_refuse(&warning, reading->file->name, reading->source->lines[reading->first + first],
                    "the surfaces of the airfoil cross at %s, %s: they end there",
                    show_exactly(vertices[first][0]).text, show_exactly(vertices[first][1]).text);
        reading->source->files->warn(&warning);
    }
    reading->count = count;
    for (size_t k = 0; k < count; k++)
        exchange(reading, k, k + first);
}

/* Adds an airfoil. If it is mended, x must fall to the nose and then rise to where it was; and
 * nowhere may its ends be far apart. */
static enum status add_airfoil(struct polygon_reading *reading)
{
    double(*vertices)[2] = reading->source->vertices + reading->first;
    enum status status = order_airfoil(reading);
    size_t k = 1;
    if (status || reading->count < 3) /* this is refused */
        return status ? status : polygon_file_add_polygon(reading);
    while (k < reading->count && vertices[k][0] <= vertices[k - 1][0])
        k++;
    const double nose = vertices[k - 1][0];
    while (k < reading->count && vertices[k][0] >= vertices[k - 1][0])
        k++;
    const int is_around = k == reading->count;
    const double ends[2] = {vertices[0][0], vertices[k - 1][0]};
    const double gap = fabs(ends[0] - ends[1]), chord = fmin(ends[0], ends[1]) - nose;
    if (reading->is_mended ? !is_around || !(gap <= chord / 10)
                           : is_around && chord > 0 && gap > 10 * chord)
        return text_refuse(
            reading->error, reading->file->name,
            reading->source->lines[reading->first + k - (is_around ? 1 : 0)],
            "this is not on the way from the trailing edge around the nose and back");
    if (is_around)
        end_surfaces(reading, fmax(ends[0], ends[1]) - TRAILING_EDGE * chord);
    return polygon_file_add_polygon(reading);
}

static enum status polygon_file_read_lines(struct polygon_reading *reading)
{
    struct polygon_file_line line;
    size_t text = 0, doubtful = 0; /* the vertices before text; the line of a name */
    enum status status = STATUS_DONE;
    reading->is_airfoil = reading->is_mended = 0;
    reading->apart = 0;
    polygon_file_take_line(reading, &line);
    if ((reading->is_airfoil = line.name != NAME_NONE)) {
        reading->is_mended = line.name < NAME_LETTER;
        doubtful = reading->is_mended ? line.number : 0;
        polygon_file_take_line(reading, &line);
    }
    for (; !status && line.words > 0; polygon_file_take_line(reading, &line)) {
        const int is_apart = line.is_apart && reading->count > 0;
        if (reading->is_airfoil && line.problem && isnan(line.values[0]) &&
            line.name >= (line.words == 1 ? NAME_LETTER : NAME_WORD)) {
            reading->is_mended = 1;
            text = reading->count;
            continue;
        }
        if (text > 0)
            return text_refuse(reading->error, reading->file->name, line.number,
                               "there is text between the points of the airfoil");
        if (is_apart && !reading->is_airfoil)
            status = polygon_file_add_polygon(reading);
        else if (is_apart && reading->apart == 0)
            reading->apart = reading->count;
        if (!status)
            status = add_vertex(reading, &line);
    }
    if (status || reading->reader->failure)
        return status;
    if (reading->count == 0)
        return text_refuse(reading->error, reading->file->name, line.number,
                           "expected a vertex, found the end of the file");
    status = reading->is_airfoil ? add_airfoil(reading) : polygon_file_add_polygon(reading);
    if (doubtful > 0 && status == STATUS_BAD_DATA)
        text_refuse(reading->error, reading->file->name, doubtful,
                    "expected %s, or a name and then an airfoil: from the trailing edge around the "
                    "nose and back, without a blank line",
                    a_vertex);
    return status;
}

enum status polygon_files_read(const struct polygon_files *files, struct polygon_source *source,
                               struct error *error)
{
    struct polygon_reading reading = {.source = source, .error = error};
    enum status status = STATUS_DONE;
    *source = (struct polygon_source){.files = files};
    if (files->count == 0)
        return STATUS_DONE;
    source->last = memory_allocate(files->count, sizeof *source->last, "the polygons", error);
    source->polygons = memory_allocate_zeros(1, sizeof *source->polygons, "the polygons", error);
    if (!source->last || !source->polygons)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < files->count && !status; k++) {
        const char *name = files->list[k].name;
        reading.file = &files->list[k];
        reading.count = 0;
        status = text_reader_open(&reading.reader, name, "the reader of polygons", error);
        if (!status)
            status =
                text_reader_close(reading.reader, polygon_file_read_lines(&reading), name, error);
        source->last[k] = source->polygons->count;
    }
    return status;
}

/* "side 3 of polygon 0 (line 9)", with the file if that is not the one that the message names. */
static void polygon_file_describe(const struct polygon_origin *origin, const char *named,
                                  char *text, size_t size)
{
    const int is_other = strcmp(origin->text, named) != 0;
    snprintf(text, size, "side %zu of polygon %zu%s%.1000s (line %zu)", origin->side,
             origin->polygon, is_other ? " of " : "", is_other ? origin->text : "", origin->line);
}

static int polygon_file_are_same(const struct polygon_source *source, size_t first, size_t second)
{
    const struct polygon *a = &source->polygons->list[first], *b = &source->polygons->list[second];
    size_t same = 0;
    while (same < a->side_count && a->side_count == b->side_count &&
           polygon_file_is_same(source->vertices[a->first_side + same],
                                source->vertices[b->first_side + same]))
        same++;
    return first != second && same == a->side_count;
}

/* Refuses polygons that cross. The message is about the side that was read last. */
static enum status refuse_crossing(const struct polygon_source *source,
                                   const struct boundary *boundary, struct error *error)
{
    struct polygon_fault fault;
    char first[1200], second[1200];
    enum status status = polygons_check(source->polygons, boundary, &fault, error);
    if (status || fault.kind == POLYGON_SOUND)
        return status;
    const struct polygon_origin a = polygon_source_find(source, source->polygons, fault.first);
    const struct polygon_origin b = polygon_source_find(source, source->polygons, fault.second);
    polygon_file_describe(&a, b.text, first, sizeof first);
    polygon_file_describe(&b, b.text, second, sizeof second);
    if (polygon_file_are_same(source, source->polygons->sides[fault.first].polygon,
                              source->polygons->sides[fault.second].polygon))
        error_set(error, STATUS_BAD_DATA,
                  "polygon %zu is there twice, first as polygon %zu of %.1000s (line %zu): give "
                  "each file and each polygon only once",
                  b.polygon, a.polygon, a.name, a.line);
    else if (fault.kind == POLYGON_CORNER)
        error_set(error, STATUS_BAD_DATA,
                  "at an end of %s the polygon crosses another one or itself: polygons may touch, "
                  "but not cross",
                  second);
    else
        error_set(error, STATUS_BAD_DATA, "%s %s %s: polygons may touch, but not cross", second,
                  fault.kind == POLYGON_OVERLAP ? "lies on a part of" : "crosses", first);
    return error_locate(error, STATUS_BAD_DATA, b.name, b.line);
}

/* Moves a polygon to where the model needs it, after which two vertices may be equal. */
static enum status place_polygon(struct polygon_reading *reading, const struct boundary *boundary,
                                 size_t index)
{
    const struct polygon_source *source = reading->source;
    reading->first = source->polygons->list[index].first_side;
    reading->count = source->polygons->list[index].side_count;
    reading->file = source->files->list;
    for (size_t k = 0; index >= source->last[k]; k++)
        reading->file++;
    const unsigned seams = reading->file->is_domain ? 0 : boundary->periodic;
    enum status status;
    if ((status = fit_in_box(reading, 0, boundary->width, (seams & PERIODIC_X) != 0)) ||
        (status = fit_in_box(reading, 1, boundary->height, (seams & PERIODIC_Y) != 0)) ||
        (status = check_vertices(reading)))
        return status;
    polygons_set_vertices(source->polygons, index,
                          (const double(*)[2])source->vertices + reading->first);
    return STATUS_DONE;
}

enum status polygon_source_fit(struct polygon_source *source, const struct boundary *boundary,
                               struct error *error)
{
    struct polygon_reading reading = {.source = source, .error = error};
    enum status status = STATUS_DONE;
    for (size_t k = 0; source->polygons && k < source->polygons->count && !status; k++)
        status = place_polygon(&reading, boundary, k);
    return source->polygons && !status ? refuse_crossing(source, boundary, error) : status;
}

void polygon_source_free(struct polygon_source *source)
{
    polygons_free(source->polygons);
    memory_free(source->last);
    memory_free(source->vertices);
    memory_free(source->lines);
}

struct polygon_origin polygon_source_find(const struct polygon_source *source,
                                          const struct polygons *polygons, size_t side)
{
    const size_t polygon = polygons->sides[side].polygon;
    size_t file = 0;
    while (polygon >= source->last[file])
        file++;
    return (struct polygon_origin){
        .name = source->files->list[file].name,
        .text = source->files->list[file].text,
        .line = source->lines[side],
        .polygon = polygon - (file > 0 ? source->last[file - 1] : 0),
        .side = side - polygons->list[polygon].first_side,
    };
}

/* ---- The reader of --wall ---- */

/* The subjects; the first are the sides of the box. */
enum { BOX = BOUNDARY_SIDES, DOMAIN, OBSTACLES, OBSTACLE, SUBJECTS };

const char *const wall_subjects[SUBJECTS + 1] = {"left",   "right",     "bottom",    "top", "box",
                                                 "domain", "obstacles", "obstacle=", NULL};

#define WALL_KEY_PARAMETER(name, smooth, least, most, needs) {#name, smooth, least, most},
#define WALL_KEY_NAN(...)                                    (double)NAN,

const struct text_parameter wall_parameters[WALL_KEY_COUNT + 1] = {
    WALL_KEYS(WALL_KEY_PARAMETER){0}};
static const struct wall_law none = {.values = {WALL_KEYS(WALL_KEY_NAN)}};

static enum status read_subject(struct wall_setting *setting, const char *word, struct error *error)
{
    const size_t length = strlen(wall_subjects[OBSTACLE]);
    while (setting->subject < OBSTACLE && strcmp(word, wall_subjects[setting->subject]) != 0)
        setting->subject++;
    if (setting->subject < OBSTACLE || (strncmp(word, wall_subjects[OBSTACLE], length) == 0 &&
                                        !text_whole_number(word + length, &setting->obstacle)))
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--wall: there is no wall '%.100s': use left, right, bottom, top, box, "
                     "domain, obstacles or, with a number from 0, obstacle=N",
                     word);
}

enum status wall_settings_add(struct wall_settings *settings, const char *text, struct error *error)
{
    struct wall_setting setting = {.law = none};
    struct text_arguments arguments;
    enum status status = arguments_begin(&arguments, text, "--wall", error);
    if (status)
        return status;
    const char *word = text_take_word(&arguments.rest);
    if ((status = read_subject(&setting, word ? word : "", error)) ||
        (status = arguments_read(&arguments, wall_parameters, "--wall", error)))
        return status;
    int count = 0;
    for (int k = 0; k < WALL_KEY_COUNT; k++) {
        if (!arguments.texts[k])
            continue;
        setting.law.values[k] = arguments.numbers[k] + 0.0; /* there is no -0 */
        settings->gives.values[k]++;
        count++;
    }
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%.100s' says nothing of that wall: give a key, such as "
                         "temperature=T or restitution=E",
                         text);
    struct wall_setting *list =
        memory_resize(settings->list, settings->count + 1, sizeof *list, "the walls", error);
    if (!list)
        return STATUS_NO_MEMORY;
    settings->list = list;
    list[settings->count++] = setting;
    return STATUS_DONE;
}

static enum status apply_one(const struct wall_setting *setting, const struct polygons *polygons,
                             struct boundary *boundary, struct error *error)
{
    const unsigned subject = setting->subject;
    uint64_t obstacles = 0;
    int is_used = 0;
    for (unsigned k = 0; k < boundary->walls->count; k++) {
        const int is_side = k < BOUNDARY_SIDES;
        const int is_domain = !is_side && polygons->list[k - BOUNDARY_SIDES].is_domain;
        const int is_meant = is_side ? !boundary_is_seam(boundary, FEATURE_LEFT - (int32_t)k) &&
                                           (subject == k || subject == BOX)
                             : is_domain ? subject == DOMAIN
                                         : subject == OBSTACLES || (subject == OBSTACLE &&
                                                                    setting->obstacle == obstacles);
        for (int key = 0; key < WALL_KEY_COUNT; key++)
            if (is_meant && !isnan(setting->law.values[key]))
                boundary->walls->list[k].values[key] = setting->law.values[key];
        is_used |= is_meant;
        obstacles += !is_side && !is_domain;
    }
    if (is_used)
        return STATUS_DONE;
    if (subject == OBSTACLE && obstacles > 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: there is no obstacle %" PRIu64
                         ": their numbers are from 0 to %" PRIu64,
                         setting->obstacle, obstacles - 1);
    return error_set(error, STATUS_USAGE, "--wall: '%s' is no wall%s",
                     subject == OBSTACLE ? "obstacle=N" : wall_subjects[subject],
                     subject <= BOX      ? ", for the box is periodic there"
                     : subject == DOMAIN ? " without --domain=FILE"
                                         : " without --obstacle=FILE");
}

static enum status check_law(const struct wall_law *law, size_t wall, struct error *error)
{
    if (law->absorb > 0 && law->absorb < 1)
        return error_set(error, STATUS_USAGE, "--wall: absorb is 1, or 0, and not %s",
                         show_exactly(law->absorb).text);
    if (law->absorb > 0 && wall >= BOUNDARY_SIDES)
        return error_set(error, STATUS_USAGE,
                         "--wall: only sides of the box absorb: left, right, bottom, top or box");
    if (law->shake > 0 && wall != FEATURE_LEFT - FEATURE_BOTTOM)
        return error_set(error, STATUS_USAGE, "--wall: only the bottom is shaken");
    if (law->shake > 0 && law->temperature > 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: a bottom that is shaken has no temperature and no speed");
    if (law->shake == 0 && law->period > 0)
        return error_set(error, STATUS_USAGE, "--wall: period needs shake, on the same wall");
    if (!(law->from <= law->to))
        return error_set(error, STATUS_USAGE, "--wall: from=%s is beyond to=%s",
                         show_exactly(law->from).text, show_exactly(law->to).text);
    return STATUS_DONE;
}

enum status wall_settings_apply(const struct wall_settings *settings,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error)
{
    struct wall_laws *laws =
        wall_laws_create(polygons ? polygons->count : 0, settings->seed, error);
    enum status status = STATUS_DONE;
    boundary->walls = laws;
    if (!laws)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < laws->count; k++)
        laws->list[k] = none;
    for (size_t j = 0; j < settings->count && !status; j++)
        status = apply_one(&settings->list[j], polygons, boundary, error);
    for (size_t k = 0; k < laws->count && !status; k++) {
        double *values = laws->list[k].values;
        for (int key = WALL_KEY_COUNT - 1; key >= 0; key--) {
            const int needs = wall_keys[key].needs;
            if (isnan(values[key]))
                values[key] = wall_keys[key].smooth;
            else if (needs == WALL_temperature && isnan(values[needs]))
                return error_set(error, STATUS_USAGE,
                                 "--wall: the %s is that of a wall with a temperature, for without "
                                 "one a wall is smooth, and mirrors: give temperature=T, too",
                                 wall_keys[key].name);
            else if (needs < WALL_KEY_COUNT && isnan(values[needs]))
                return error_set(error, STATUS_USAGE, "--wall: %s needs %s, on the same wall",
                                 wall_keys[key].name, wall_keys[needs].name);
        }
        status = check_law(&laws->list[k], k, error);
    }
    wall_laws_shake(boundary);
    return status;
}
