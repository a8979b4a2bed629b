/*
 * The options that say what --generate makes; see option_request.h.
 */
#include "option_request.h"

#include "io/number.h"
#include "option_refusal.h"

#include <string.h>

enum status option_list_next(struct option_list *list, const char *name, struct error *error)
{
    const char *comma = strchr(list->rest, ',');
    const size_t length = comma ? (size_t)(comma - list->rest) : 0;
    if (list->count == GENERATE_MAX_COMPONENTS || length >= OPTION_VALUE_SIZE)
        return error_set(error, STATUS_USAGE,
                         "--%s takes up to %d values, separated by commas, each shorter than %d "
                         "characters",
                         name, (int)GENERATE_MAX_COMPONENTS, (int)OPTION_VALUE_SIZE);
    list->value = list->rest;
    if (comma) {
        memcpy(list->copy, list->rest, length);
        list->copy[length] = '\0';
        list->value = list->copy;
    }
    list->rest = comma ? comma + 1 : NULL;
    list->count++;
    return STATUS_DONE;
}

/* Checks the area fraction where there are walls; where there are none, its range is enough. */
static enum status check_area_fraction(const struct options *options, struct error *error)
{
    const double area_fraction = options->request.area_fraction;
    char text[NUMBER_SHORTEST_SIZE];
    if (options->periodic == (PERIODIC_X | PERIODIC_Y) ||
        area_fraction <= GENERATE_MAX_AREA_FRACTION)
        return STATUS_DONE;
    number_write_shortest(text, area_fraction);
    return error_set(error, STATUS_USAGE,
                     "--area-fraction takes a number from %g to %g, and '%s' %s; with "
                     "--periodic=xy up to %g is possible",
                     SYSTEM_SMALLEST, GENERATE_MAX_AREA_FRACTION, text, OPTION_TOO_DENSE,
                     GENERATE_MAX_WITHOUT_WALLS);
}

/*
 * Gives what determines the sizes its usual values; 0 is what has not been given. A domain gives
 * the box, and one of the radius and the area fraction; the other one follows, and stays 0.
 */
static enum status complete_sizes(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    const int has_domain = polygon_files_domain(&options->polygons) != NULL;
    const int has_radius = options->radii.count > 0;
    if (has_domain && request->aspect > 0)
        return error_set(error, STATUS_USAGE,
                         "--aspect is not for --domain, which gives the box" TRY_HELP);
    if (has_domain && has_radius && request->area_fraction > 0)
        return error_set(error, STATUS_USAGE,
                         "--radius and --area-fraction cannot both be kept with --domain, which "
                         "gives the box: leave one of them out" TRY_HELP);
    if (!has_radius)
        options->radii = (struct number_list){1, {has_domain ? 0 : 1}};
    if (request->area_fraction == 0 && !(has_domain && has_radius))
        request->area_fraction = 0.3;
    if (request->aspect == 0 && !has_domain)
        request->aspect = 1;
    return STATUS_DONE;
}

/* Checks that a list has a number for each component, or one for all. */
static enum status check_list(const char *name, const struct number_list *list, size_t components,
                              struct error *error)
{
    if (list->count == 1 || list->count == components)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--%s has %zu values and --generate has %zu: there must be one for each "
                     "number of particles, or one for all" TRY_HELP,
                     name, list->count, components);
}

/* Makes the components out of the lists. */
static enum status complete_components(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    const struct number_list *radii = &options->radii;
    const struct number_list *masses = &options->masses;
    enum status status = check_list("radius", radii, request->component_count, error);
    if (!status)
        status = check_list("mass", masses, request->component_count, error);
    if (status)
        return status;
    for (size_t k = 0; k < request->component_count; k++) {
        request->components[k].radius = radii->values[radii->count > 1 ? k : 0];
        request->components[k].mass = masses->values[masses->count > 1 ? k : 0];
    }
    request->radius = radii->values[0];
    request->periodic = options->periodic;
    return STATUS_DONE;
}

/* Says how fast the components are; 0 is what has not been given. */
static enum status complete_speed(struct options *options, struct error *error)
{
    struct generate_request *request = &options->request;
    request->stream = options->stream;
    if (request->speed > 0 && request->stream.temperature > 0)
        return error_set(error, STATUS_USAGE,
                         "--speed and --stream-temperature both say how fast the particles are: "
                         "leave one of them out" TRY_HELP);
    if (request->speed == 0)
        request->speed = 1;
    if (request->stream.draw && request->stream.temperature == 0)
        request->stream.temperature =
            request->components[0].mass * request->speed * request->speed / 2;
    return STATUS_DONE;
}

enum status option_complete_request(struct options *options, struct error *error)
{
    enum status status = complete_sizes(options, error);
    if (!status)
        status = complete_components(options, error);
    if (!status)
        status = complete_speed(options, error);
    return status ? status : check_area_fraction(options, error);
}
