/*
 * The reader of polygon files; see polygon_file.h.
 *
 * A line is a vertex, and a blank line ends a polygon. A file that begins with a name instead is an
 * airfoil (scripts/polygon has the same rule for names). In Selig's form the name is the only
 * difference. In Lednicer's two counts follow, and the upper and the lower surface, both from the
 * nose: they are put together into one polygon.
 */
#include "cli/polygon_file.h"

#include "base/memory.h"
#include "io/text.h"
#include "model/polygon_check.h"
#include "model/system.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A coordinate so close to 0 is 0: it is less than the rounding of any box, and products of what is
 * larger do not underflow.
 */
static const double LEAST_COORDINATE = 1e-100;

static const char a_vertex[] = "x and y of a vertex, two numbers";

/* A vertex as it was read. */
struct vertex {
    double x, y;
    size_t line;
};

/* A file being read, and what has been made of it and those before it. */
struct reading {
    const struct polygon_file *file;
    struct polygon_source *source;
    struct text_reader *reader; /* owned */
    struct vertex *vertices;    /* of the polygon that is being read; owned */
    size_t count;               /* of these */
    size_t capacity;
    double (*places)[2]; /* room for these vertices as the model takes them; owned */
    struct error *error;
};

/* A line of the file that is not blank. */
struct line {
    enum text_piece end;         /* what stopped it: TEXT_END if there is none, TEXT_UNREADABLE */
    size_t words;                /* how many there are */
    size_t number;               /* of the line */
    int is_apart;                /* there is a blank line before it */
    int is_name;                 /* if it is the first one: it cannot be meant as a vertex */
    double values[2];            /* the first two words, if there is no problem */
    size_t fault;                /* the first word, from 0, that is no number, */
    const char *problem;         /* and why; or NULL */
    char shown[TEXT_SHOWN_SIZE]; /* that word, or the third one, for the message */
};

static enum status refuse(struct reading *reading, size_t line, const char *problem)
{
    error_set(reading->error, STATUS_BAD_DATA, "%s", problem);
    error_locate(reading->error, reading->file->name, line);
    return STATUS_BAD_DATA;
}

/*
 * Whether a word, the k-th of its line, makes the line a name: "NACA 23012" or "23012 FOIL", but
 * neither "nan 1" nor "1 O.5", which are meant as vertices.
 */
static int is_of_name(const char *word, size_t k)
{
    char *end;
    if (!isalpha((unsigned char)word[0]) || (k > 0 && !isalpha((unsigned char)word[1])))
        return 0;
    strtod(word, &end);
    return *end != '\0';
}

/* Takes note of a word, which is number `line->words` of the line. */
static void take_word(struct reading *reading, enum text_piece piece, struct line *line)
{
    const size_t k = line->words++;
    const char *word = reading->reader->word;
    double value = 0;
    line->is_name |= is_of_name(word, k);
    if (k > 2 || line->problem)
        return;
    const char *problem = piece == TEXT_TOO_LONG_WORD ? "is too long" : text_number(word, &value);
    if (k < 2 && !problem) {
        line->values[k] = value;
        return;
    }
    if (k < 2) {
        line->problem = problem;
        line->fault = k;
    }
    text_show(reading->reader, line->shown);
}

/* Reads the next line that has words. */
static void take_line(struct reading *reading, struct line *line)
{
    struct text_reader *reader = reading->reader;
    const size_t before = reader->line;
    const int is_first = reader->used_line == 0;
    enum text_piece piece = is_first ? text_first(reader) : text_next(reader, 0);
    *line = (struct line){.number = reader->line, .is_apart = reader->blank_line > before};
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1))
        take_word(reading, piece, line);
    line->end = piece;
}

/* Fails because a line is no vertex. */
static enum status refuse_line(struct reading *reading, const struct line *line)
{
    struct error *error = reading->error;
    if (line->problem)
        error_set(error, STATUS_BAD_DATA, "expected %s, found %s, which %s", a_vertex, line->shown,
                  line->problem);
    else if (line->words == 1)
        error_set(error, STATUS_BAD_DATA, "expected %s, found the end of the line after x",
                  a_vertex);
    else
        error_set(error, STATUS_BAD_DATA, "expected the end of the line after x and y, found %s",
                  line->shown);
    error_locate(error, reading->file->name, line->number);
    return STATUS_BAD_DATA;
}

/* Scales the vertex of a line, turns and moves it. */
static struct vertex place_vertex(const struct polygon_placement *placement,
                                  const struct line *line)
{
    const double x = placement->x_scale * line->values[0];
    const double y = placement->y_scale * line->values[1];
    const double at[2] = {placement->cosine * x - placement->sine * y + placement->x,
                          placement->sine * x + placement->cosine * y + placement->y};
    return (struct vertex){fabs(at[0]) < LEAST_COORDINATE ? 0 : at[0],
                           fabs(at[1]) < LEAST_COORDINATE ? 0 : at[1], line->number};
}

/* Adds a vertex to the polygon that is being read. */
static enum status add_vertex(struct reading *reading, const struct line *line)
{
    if (line->words != 2 || line->problem)
        return refuse_line(reading, line);
    const struct vertex vertex = place_vertex(&reading->file->placement, line);
    if (!isfinite(vertex.x) || !isfinite(vertex.y))
        return refuse(reading, line->number, "the vertex is too far off");
    if (reading->source->polygons->side_count + reading->count >= POLYGONS_MOST_SIDES) {
        error_set(reading->error, STATUS_BAD_DATA, "more than %d sides in all",
                  (int)POLYGONS_MOST_SIDES);
        error_locate(reading->error, reading->file->name, line->number);
        return STATUS_BAD_DATA;
    }
    if (reading->count == reading->capacity) {
        size_t capacity = reading->capacity < 64 ? 64 : 2 * reading->capacity;
        struct vertex *vertices = memory_resize(reading->vertices, capacity, sizeof *vertices,
                                                "the vertices of polygons", reading->error);
        if (!vertices)
            return STATUS_NO_MEMORY;
        reading->vertices = vertices;
        reading->capacity = capacity;
    }
    reading->vertices[reading->count++] = vertex;
    return STATUS_DONE;
}

static int is_same(const struct vertex *a, const struct vertex *b)
{
    return a->x == b->x && a->y == b->y;
}

/* Refuses what has no sides, or a side of length 0. */
static enum status check_vertices(struct reading *reading)
{
    const struct vertex *vertices = reading->vertices;
    if (reading->count < 2)
        return refuse(reading, vertices[0].line, "a polygon needs two vertices or more");
    for (size_t k = 0; k < reading->count; k++) {
        size_t next = (k + 1) % reading->count;
        if (!is_same(&vertices[k], &vertices[next]))
            continue;
        error_set(reading->error, STATUS_BAD_DATA,
                  "the vertex %.17g %.17g is that of line %zu once more: a side must not have "
                  "length 0",
                  vertices[next].x, vertices[next].y, vertices[k].line);
        error_locate(reading->error, reading->file->name, vertices[next].line);
        return STATUS_BAD_DATA;
    }
    return STATUS_DONE;
}

/* One axis of the box, as the vertices see it. */
struct axis {
    char name;
    double length;
    int is_seam; /* the polygon may cross it */
};

static double *coordinate(struct vertex *vertex, const struct axis *axis)
{
    return axis->name == 'x' ? &vertex->x : &vertex->y;
}

/* Fails because a vertex is too far out. */
static enum status refuse_place(struct reading *reading, const struct axis *axis,
                                struct vertex *vertex)
{
    const double far = axis->is_seam ? axis->length : 0;
    error_set(reading->error, STATUS_BAD_DATA,
              "%c = %.17g is outside the box: it must be from %.17g to %.17g", axis->name,
              *coordinate(vertex, axis), 0 - far, axis->length + far);
    error_locate(reading->error, reading->file->name, vertex->line);
    return STATUS_BAD_DATA;
}

/*
 * Puts the polygon where the model takes it along one axis: in the box or, across a seam, in the
 * box and the one after it, so that the least coordinate is in [0, L).
 */
static enum status place(struct reading *reading, const struct axis *axis)
{
    const double length = axis->length;
    const double rounding = system_rounding(length);
    double least = (double)INFINITY;
    double most = -(double)INFINITY;
    for (size_t k = 0; k < reading->count; k++) {
        const double value = *coordinate(&reading->vertices[k], axis);
        const double far = axis->is_seam ? length : 0;
        if (!(value >= -far - rounding && value <= length + far + rounding))
            return refuse_place(reading, axis, &reading->vertices[k]);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (axis->is_seam && most - least > length + rounding) {
        error_set(reading->error, STATUS_BAD_DATA,
                  "along %c, which is periodic, the polygon from here on is longer than the box: "
                  "%.17g, and the box %.17g",
                  axis->name, most - least, length);
        error_locate(reading->error, reading->file->name, reading->vertices[0].line);
        return STATUS_BAD_DATA;
    }
    const double shift = !axis->is_seam      ? 0
                         : least < -rounding ? length
                         : least >= length   ? -length
                                             : 0;
    for (size_t k = 0; k < reading->count; k++) {
        double *value = coordinate(&reading->vertices[k], axis);
        double moved = fmax(*value + shift, 0);
        if (!axis->is_seam)
            moved = fmin(moved, length);
        *value = moved;
    }
    return STATUS_DONE;
}

/* Copies the vertices to `places`. Returns STATUS_DONE or STATUS_NO_MEMORY. */
static enum status copy_places(struct reading *reading)
{
    double(*places)[2] = memory_resize(reading->places, reading->count, sizeof *places,
                                       "the vertices of polygons", reading->error);
    if (!places)
        return STATUS_NO_MEMORY;
    reading->places = places;
    for (size_t k = 0; k < reading->count; k++) {
        places[k][0] = reading->vertices[k].x;
        places[k][1] = reading->vertices[k].y;
    }
    return STATUS_DONE;
}

/* Gives the polygon that has been read to the model, without a repeated first vertex. */
static enum status add_polygon(struct reading *reading)
{
    struct polygon_source *source = reading->source;
    const struct vertex *vertices = reading->vertices;
    const int is_domain = reading->file->is_domain;
    const size_t sides = source->polygons->side_count;
    if (reading->count > 1 && is_same(&vertices[0], &vertices[reading->count - 1]))
        reading->count--;
    enum status status = check_vertices(reading);
    if (!status)
        status = copy_places(reading);
    if (status)
        return status;
    size_t *lines = memory_resize(source->lines, sides + reading->count, sizeof *lines,
                                  "the line numbers", reading->error);
    if (!lines)
        return STATUS_NO_MEMORY;
    source->lines = lines;
    for (size_t k = 0; k < reading->count; k++)
        lines[sides + k] = vertices[k].line;
    status = polygons_add(source->polygons, (const double(*)[2])reading->places, reading->count,
                          is_domain, is_domain, reading->error);
    reading->count = 0;
    return status;
}

/* Whether a line, the first after the name, has the counts of Lednicer's form. */
static int is_counts(const struct line *line, const struct line *next)
{
    return line->words == 2 && !line->problem && next->is_apart && line->values[0] >= 2 &&
           line->values[1] >= 2 && floor(line->values[0]) == line->values[0] &&
           floor(line->values[1]) == line->values[1];
}

static void exchange(struct vertex *a, struct vertex *b)
{
    struct vertex vertex = *a;
    *a = *b;
    *b = vertex;
}

/* Makes one polygon of the two surfaces of an airfoil, of which the first has `upper` vertices. */
static void join_surfaces(struct reading *reading, size_t upper)
{
    struct vertex *vertices = reading->vertices;
    for (size_t k = 0; k < upper / 2; k++)
        exchange(&vertices[k], &vertices[upper - 1 - k]);
    if (!is_same(&vertices[upper - 1], &vertices[upper]))
        return;
    reading->count--;
    memmove(vertices + upper, vertices + upper + 1, (reading->count - upper) * sizeof *vertices);
}

/* Reads the two surfaces of Lednicer's form; `line` is the first of the first one. */
static enum status read_surfaces(struct reading *reading, const struct line *counts,
                                 struct line *line)
{
    enum status status = STATUS_DONE;
    for (; line->words > 0 && !status; take_line(reading, line))
        status = add_vertex(reading, line);
    if (status || line->end == TEXT_UNREADABLE)
        return status;
    if ((double)reading->count != counts->values[0] + counts->values[1]) {
        error_set(reading->error, STATUS_BAD_DATA,
                  "the two surfaces of the airfoil have %.17g and %.17g vertices, and the file has "
                  "%zu",
                  counts->values[0], counts->values[1], reading->count);
        error_locate(reading->error, reading->file->name, counts->number);
        return STATUS_BAD_DATA;
    }
    join_surfaces(reading, (size_t)counts->values[0]);
    return add_polygon(reading);
}

/* Reads the polygons of the file; `line` is the one after the first vertex. */
static enum status read_polygons(struct reading *reading, const struct line *first,
                                 struct line *line)
{
    enum status status = add_vertex(reading, first);
    for (; !status && line->words > 0; take_line(reading, line)) {
        if (line->is_apart)
            status = add_polygon(reading);
        if (!status)
            status = add_vertex(reading, line);
        if (status)
            break;
    }
    return status || line->end == TEXT_UNREADABLE ? status : add_polygon(reading);
}

static enum status read_lines(struct reading *reading)
{
    struct line first;
    struct line line = {0};
    enum status status = STATUS_DONE;
    take_line(reading, &first);
    const int is_airfoil = first.is_name;
    if (is_airfoil && first.end != TEXT_UNREADABLE)
        take_line(reading, &first);
    if (first.words == 0 && first.end == TEXT_END)
        return refuse(reading, first.number, "expected a vertex, found the end of the file");
    if (first.end != TEXT_UNREADABLE)
        take_line(reading, &line);
    else
        line = first;
    if (line.end == TEXT_UNREADABLE && line.words == 0)
        status = STATUS_DONE; /* the message comes below */
    else if (is_airfoil && is_counts(&first, &line))
        status = read_surfaces(reading, &first, &line);
    else
        status = read_polygons(reading, &first, &line);
    if (!status && reading->reader->failure)
        return error_set(reading->error, STATUS_NO_INPUT, "%.4100s: cannot read: %s",
                         reading->file->name, strerror(reading->reader->failure));
    return status;
}

/* Reads a file, and adds its polygons. */
static enum status read_file(struct reading *reading)
{
    struct text_reader *reader = reading->reader;
    FILE *stream = fopen(reading->file->name, "r");
    if (!stream)
        return error_set(reading->error, STATUS_NO_INPUT, "%.4100s: cannot open: %s",
                         reading->file->name, strerror(errno));
    *reader = (struct text_reader){.stream = stream, .line = 1};
    reading->count = 0;
    enum status status = read_lines(reading);
    fclose(stream);
    return status;
}

static enum status read_files(struct reading *reading, const struct polygon_files *files)
{
    struct polygon_source *source = reading->source;
    struct error *error = reading->error;
    enum status status = STATUS_DONE;
    reading->reader = memory_allocate(1, sizeof *reading->reader, "the reader of polygons", error);
    source->last = memory_allocate(files->count, sizeof *source->last, "the polygons", error);
    source->polygons = memory_allocate(1, sizeof *source->polygons, "the polygons", error);
    if (source->polygons)
        *source->polygons = (struct polygons){0};
    if (!reading->reader || !source->last || !source->polygons)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < files->count && !status; k++) {
        reading->file = &files->list[k];
        status = read_file(reading);
        source->last[k] = source->polygons->count;
    }
    return status;
}

/* "side 3 of polygon 0 (line 9)", with the file if that is not the one that the message names. */
static void describe(const struct polygon_place_in_file *place, const char *named, char *text,
                     size_t size)
{
    const int is_other = strcmp(place->text, named) != 0;
    snprintf(text, size, "side %zu of polygon %zu%s%.1000s (line %zu)", place->side, place->polygon,
             is_other ? " of " : "", is_other ? place->text : "", place->line);
}

/* Whether two polygons have the same vertices, in the same order. */
static int are_same(const struct polygons *polygons, size_t first, size_t second)
{
    const struct polygon *a = &polygons->list[first];
    const struct polygon *b = &polygons->list[second];
    size_t same = 0;
    while (same < a->side_count && a->side_count == b->side_count &&
           polygons->sides[a->first_side + same].corner_x ==
               polygons->sides[b->first_side + same].corner_x &&
           polygons->sides[a->first_side + same].corner_y ==
               polygons->sides[b->first_side + same].corner_y)
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
    const struct polygon_place_in_file a =
        polygon_source_find(source, source->polygons, fault.first);
    const struct polygon_place_in_file b =
        polygon_source_find(source, source->polygons, fault.second);
    describe(&a, b.text, first, sizeof first);
    describe(&b, b.text, second, sizeof second);
    if (are_same(source->polygons, source->polygons->sides[fault.first].polygon,
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
    error_locate(error, b.name, b.line);
    return STATUS_BAD_DATA;
}

enum status polygon_files_read(const struct polygon_files *files, struct polygon_source *source,
                               struct error *error)
{
    struct reading reading = {.source = source, .error = error};
    *source = (struct polygon_source){.files = files};
    enum status status = files->count > 0 ? read_files(&reading, files) : STATUS_DONE;
    memory_free(reading.reader);
    memory_free(reading.vertices);
    memory_free(reading.places);
    return status;
}

/* Takes a polygon of the source as if it had just been read. */
static enum status recall_polygon(struct reading *reading, size_t index)
{
    const struct polygon_source *source = reading->source;
    const struct polygon *polygon = &source->polygons->list[index];
    struct vertex *vertices =
        memory_resize(reading->vertices, polygon->side_count, sizeof *vertices,
                      "the vertices of polygons", reading->error);
    if (!vertices)
        return STATUS_NO_MEMORY;
    reading->vertices = vertices;
    reading->count = polygon->side_count;
    reading->file = source->files->list;
    for (size_t k = 0; index >= source->last[k]; k++)
        reading->file++;
    for (size_t k = 0; k < reading->count; k++) {
        const struct side *side = &source->polygons->sides[polygon->first_side + k];
        vertices[k] =
            (struct vertex){side->corner_x, side->corner_y, source->lines[polygon->first_side + k]};
    }
    return STATUS_DONE;
}

/* Puts a polygon where the model takes it. Vertices may become equal by that. */
static enum status place_polygon(struct reading *reading, const struct boundary *boundary,
                                 size_t index)
{
    enum status status = recall_polygon(reading, index);
    if (status)
        return status;
    const unsigned seams = reading->file->is_domain ? 0 : boundary->periodic;
    const struct axis x = {'x', boundary->width, (seams & PERIODIC_X) != 0};
    const struct axis y = {'y', boundary->height, (seams & PERIODIC_Y) != 0};
    status = place(reading, &x);
    if (!status)
        status = place(reading, &y);
    if (!status)
        status = check_vertices(reading);
    if (!status)
        status = copy_places(reading);
    if (!status)
        polygons_set_vertices(reading->source->polygons, index,
                              (const double(*)[2])reading->places);
    return status;
}

enum status polygon_source_place(struct polygon_source *source, const struct boundary *boundary,
                                 struct error *error)
{
    struct reading reading = {.source = source, .error = error};
    enum status status = STATUS_DONE;
    for (size_t k = 0; source->polygons && k < source->polygons->count && !status; k++)
        status = place_polygon(&reading, boundary, k);
    if (source->polygons && !status)
        status = refuse_crossing(source, boundary, error);
    memory_free(reading.vertices);
    memory_free(reading.places);
    return status;
}

void polygon_source_free(struct polygon_source *source)
{
    polygons_free(source->polygons);
    memory_free(source->last);
    memory_free(source->lines);
}

struct polygon_place_in_file polygon_source_find(const struct polygon_source *source,
                                                 const struct polygons *polygons, size_t side)
{
    const size_t polygon = polygons->sides[side].polygon;
    size_t file = 0;
    while (polygon >= source->last[file])
        file++;
    return (struct polygon_place_in_file){
        .name = source->files->list[file].name,
        .text = source->files->list[file].text,
        .line = source->lines[side],
        .polygon = polygon - (file > 0 ? source->last[file - 1] : 0),
        .side = side - polygons->list[polygon].first_side,
    };
}
