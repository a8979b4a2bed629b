/*
 * The page that plays a run; see animation_page.h.
 *
 * The line <!-- DATA --> of data/animation.html is replaced by script elements that browsers do not
 * run, and that the page reads:
 *
 *     state     x y u v of each particle at the start, as doubles
 *     kinds     radius, mass (doubles) and species (4 bytes) of each kind
 *     kind-of   the kind of each particle, 4 bytes; empty if there is but one kind
 *     polygons  of each the number of its sides, 4 bytes, whether it is a domain, 4 bytes, and of
 *               each vertex x and y, in parts of the box's sides, as floats; only if there are any
 *     events or frames: see animation_page.h. A frame is its three numbers, in a stream the momenta
 *               of the polygons, and the states
 *     run       the title, the box, the stream, counts: JSON
 *
 * All but the last are base64. The title is the only text in them that comes from the user: in it,
 * characters that could end a string or an element are written as \uXXXX.
 */
#include "animation_page.h"

#include "io/base64.h"
#include "model/polygons.h"

#include <inttypes.h>
#include <string.h>

static const char data_marker[] = "<!-- DATA -->\n";

/* The position of the data in the template. */
static size_t find_data_marker(void)
{
    size_t position = 0;
    while (position + sizeof data_marker - 1 < animation_template_size &&
           memcmp(animation_template + position, data_marker, sizeof data_marker - 1) != 0)
        position++;
    return position;
}

static struct base64 begin_block(const char *id, FILE *stream)
{
    fprintf(stream, "<script type=\"text/plain\" id=\"%s\">\n", id);
    return (struct base64){.stream = stream};
}

static void end_block(struct base64 *base64)
{
    base64_finish(base64);
    fputs("</script>\n", base64->stream);
}

static void write_kinds(const struct snapshot *snapshot, FILE *stream)
{
    const struct system *system = snapshot->system;
    const struct kind alike = {.radius = system->radius, .mass = 1};
    const struct kind *kinds = system->kind_count > 0 ? system->kinds : &alike;
    size_t count = system->kind_count > 0 ? system->kind_count : 1;
    struct base64 base64 = begin_block("kinds", stream);
    for (size_t k = 0; k < count; k++) {
        base64_put_double(&base64, kinds[k].radius);
        base64_put_double(&base64, kinds[k].mass);
        base64_put_int32(&base64, kinds[k].species);
    }
    end_block(&base64);
    base64 = begin_block("kind-of", stream);
    for (size_t k = 0; k < system->count && count > 1; k++)
        base64_put_int32(&base64, (int32_t)snapshot_body(snapshot, k).kind);
    end_block(&base64);
}

static void put_float(struct base64 *base64, double value)
{
    unsigned char bytes[4];
    base64_store_float(bytes, (float)value);
    base64_put(base64, bytes, sizeof bytes);
}

static void write_polygon_block(const struct boundary *boundary, FILE *stream)
{
    const struct polygons *polygons = boundary->polygons;
    if (!polygons)
        return;
    struct base64 base64 = begin_block("polygons", stream);
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        base64_put_int32(&base64, (int32_t)polygon->side_count);
        base64_put_int32(&base64, polygon->is_domain);
        for (size_t side = 0; side < polygon->side_count; side++) {
            const struct side *s = &polygons->sides[polygon->first_side + side];
            put_float(&base64, s->corner_x / boundary->width);
            put_float(&base64, s->corner_y / boundary->height);
        }
    }
    end_block(&base64);
}

void animation_page_begin(const struct snapshot *snapshot, FILE *stream)
{
    fwrite(animation_template, 1, find_data_marker(), stream);
    struct base64 base64 = begin_block("state", stream);
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        base64_put_double(&base64, body.x);
        base64_put_double(&base64, body.y);
        base64_put_double(&base64, body.u);
        base64_put_double(&base64, body.v);
    }
    end_block(&base64);
    write_kinds(snapshot, stream);
    write_polygon_block(&snapshot->system->boundary, stream);
}

static void write_events(const struct boundary *boundary, const struct animation_run *run,
                         FILE *stream)
{
    struct base64 base64 = begin_block("events", stream);
    for (size_t k = 0; k < run->event_count; k++) {
        const struct animation_event *event = &run->events[k];
        base64_put_double(&base64, event->time);
        base64_put_int32(&base64, event->a);
        base64_put_int32(&base64, event->b);
        for (int i = 0; i < 4 && animation_event_has_after(boundary, event); i++)
            base64_put_double(&base64, event->after[i]);
    }
    end_block(&base64);
}

static void write_frames(const struct system *system, const struct animation_run *run, FILE *stream)
{
    size_t size = system->count * ANIMATION_FRAME_BYTES;
    struct base64 base64 = begin_block("frames", stream);
    for (size_t k = 0; k < run->frame_count; k++) {
        base64_put_double(&base64, run->frames[k].time);
        base64_put_double(&base64, run->frames[k].wall_collisions);
        base64_put_double(&base64, run->frames[k].particle_collisions);
        for (size_t force = k * run->force_count; force < (k + 1) * run->force_count; force++) {
            base64_put_double(&base64, run->momenta[force][0]);
            base64_put_double(&base64, run->momenta[force][1]);
        }
        base64_put(&base64, run->states + k * size, size);
    }
    end_block(&base64);
}

/* Writes a string of JSON that is safe within a script element, too. */
static void write_string(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        unsigned char character = (unsigned char)*text;
        if (character < ' ' || character == 127 || strchr("\"\\<>&'", character))
            fprintf(stream, "\\u%04x", (unsigned)character);
        else
            fputc(character, stream);
    }
    fputc('"', stream);
}

/* Writes the stream, and the number of polygons whose momenta frames have. */
static void write_stream(const struct system *system, const struct animation_run *run, FILE *stream)
{
    const struct stream *flow = &system->boundary.stream;
    if (flow->draw)
        fprintf(stream,
                ",\n\"stream\": {\"speed\": %.17g, \"temperature\": %.17g, \"forces\": %zu}",
                flow->speed, flow->temperature, run->force_count);
}

static void write_run_block(const struct system *system, const struct animation_run *run,
                            FILE *stream)
{
    fputs("<script type=\"application/json\" id=\"run\">\n{\"title\": ", stream);
    write_string(run->title, stream);
    fprintf(stream,
            ",\n\"count\": %zu, \"width\": %.17g, \"height\": %.17g, \"periodic\": %u, "
            "\"endTime\": %.17g,\n\"kinds\": %zu, \"exact\": %s, \"events\": %zu, \"frames\": "
            "%zu",
            system->count, system->boundary.width, system->boundary.height,
            system->boundary.periodic, run->end_time,
            system->kind_count > 0 ? system->kind_count : 1, run->is_exact ? "true" : "false",
            run->event_count, run->frame_count);
    write_stream(system, run, stream);
    fputs("}\n</script>\n", stream);
}

void animation_page_end(const struct system *system, const struct animation_run *run, FILE *stream)
{
    if (run->is_exact)
        write_events(&system->boundary, run, stream);
    else
        write_frames(system, run, stream);
    write_run_block(system, run, stream);
    size_t position = find_data_marker() + sizeof data_marker - 1;
    fwrite(animation_template + position, 1, animation_template_size - position, stream);
}
