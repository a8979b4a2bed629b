/*
 * The report on a generated system: how to repeat it, its box, and how to simulate it.
 */
#include "io/text.h"
#include "model/reach.h"
#include "request.h"

#include <inttypes.h>

static const double ROUNDING = 1e-6; /* of the area fraction by that of the box, more or less */

/* Writes --NAME=LIST: a number for each component, or one if all are equal. */
static void write_list(const char *name, const double *values, size_t count, FILE *stream)
{
    char text[NUMBER_SHORTEST_SIZE];
    int is_one = 1;
    for (size_t k = 1; k < count; k++)
        is_one = is_one && values[k] == values[0];
    fprintf(stream, " --%s=", name);
    for (size_t k = 0; k < (is_one ? 1 : count); k++) {
        number_write_shortest(text, values[k]);
        fprintf(stream, "%s%s", k > 0 ? "," : "", text);
    }
}

/* The value of the option --periodic. */
static const char *periodic_name(unsigned periodic)
{
    static const char *const names[4] = {"", "x", "y", "xy"};
    return names[periodic]; /* PERIODIC_X is 1, PERIODIC_Y 2 */
}

/* Writes the options that INPUT and the request have in common. */
static void write_boundary(const struct generate_request *request, FILE *stream)
{
    if (request->periodic)
        fprintf(stream, " --periodic=%s", periodic_name(request->periodic));
    if (request->stream.draw) {
        write_list("stream", &request->stream.speed, 1, stream);
        write_list("stream-temperature", &request->stream.temperature, 1, stream);
    }
    if (request->box.polygons)
        fputs(request->files, stream);
}

/* Writes the options that repeat the request. */
static void write_options(const struct generate_request *request, FILE *stream)
{
    const size_t count = request->component_count;
    double radii[GENERATE_MAX_COMPONENTS];
    double masses[GENERATE_MAX_COMPONENTS];
    const int has_domain = !(request->aspect > 0);
    fputs("particles: --generate=", stream);
    for (size_t k = 0; k < count; k++) {
        fprintf(stream, "%s%zu", k > 0 ? "," : "", request->components[k].count);
        radii[k] = request->components[k].radius;
        masses[k] = request->components[k].mass;
    }
    if (request->area_fraction > 0)
        write_list("area-fraction", &request->area_fraction, 1, stream);
    if (!has_domain || request->area_fraction == 0)
        write_list("radius", radii, count, stream);
    if (request_has_kinds(request))
        write_list("mass", masses, count, stream);
    if (!has_domain)
        write_list("aspect", &request->aspect, 1, stream);
    if (!request->stream.draw)
        write_list("speed", &request->speed, 1, stream);
    write_boundary(request, stream);
    fprintf(stream, " --seed=%" PRIu64 "\n", request->seed);
}

/* Says which options a simulation needs, if it needs any. */
static void write_advice(const struct generate_request *request, FILE *stream)
{
    int is_elastic = 0;
    for (size_t k = 1; k < request->component_count; k++)
        is_elastic = is_elastic || request->components[k].mass != request->components[0].mass;
    if (!is_elastic && !request->periodic && !request->box.polygons)
        return;
    fputs("particles: simulate it with", stream);
    write_boundary(request, stream);
    fputs(is_elastic ? " --rule=elastic\n" : "\n", stream);
}

enum status generate_report(const struct generate_request *request, const struct system *system,
                            FILE *stream, const char *name, struct error *error)
{
    const struct generate_request full = request_complete(request);
    const struct boundary *box = &system->boundary;
    double covered = 0;
    for (size_t k = 0; k < full.component_count; k++)
        covered += (double)full.components[k].count * REQUEST_PI *
                   (full.components[k].radius / box->width) *
                   (full.components[k].radius / box->height);
    write_options(&full, stream);
    if (request->box.polygons)
        covered /= reach_area(box) / box->width / box->height;
    fprintf(stream, "particles: this box has area fraction %.6g%s and aspect %.6g", covered,
            request->box.polygons ? " (of its free area)" : "", box->width / box->height);
    if (covered < (1 - ROUNDING) * request->area_fraction)
        fprintf(stream, ": there is no room for %g", request->area_fraction);
    fputc('\n', stream);
    write_advice(&full, stream);
    return text_flush(stream, name, error);
}
