/*
 * Quantities derived from a request; see request.h.
 */
#include "request.h"

#include "velocities.h"

#include <math.h>

static const double STEP = 1e-9; /* of coordinates in radii, and of velocities in speeds */

struct generate_request request_complete(const struct generate_request *request)
{
    struct generate_request completed = *request;
    if (request->component_count == 0) {
        completed.component_count = 1;
        completed.components[0] = (struct generate_component){request->count, request->radius, 1};
    }
    return completed;
}

int request_has_kinds(const struct generate_request *request)
{
    return request->component_count > 1 ||
           (request->component_count == 1 && request->components[0].mass != 1);
}

/* A mean square speed is as large as the mass is small: all have one temperature. */
double request_speed(const struct generate_request *request, size_t component)
{
    if (request->stream.draw)
        return sqrt(2 * request->stream.temperature / request->components[component].mass);
    return request->speed * sqrt(request->components[0].mass / request->components[component].mass);
}

struct extremes request_extremes(const struct generate_request *request)
{
    struct extremes found = {.smallest = (double)INFINITY, .slowest = (double)INFINITY};
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        const double speed = request_speed(request, k);
        found.smallest = fmin(found.smallest, component->radius);
        found.largest = fmax(found.largest, component->radius);
        found.slowest = fmin(found.slowest, speed);
        found.fastest = fmax(found.fastest, speed);
        found.area += (double)component->count * REQUEST_PI * component->radius * component->radius;
    }
    found.largest_component =
        request->stream.draw ? fabs(request->stream.speed) + VELOCITIES_MAX_NORMAL * found.fastest
                             : VELOCITIES_MAX_COMPONENT * found.fastest;
    return found;
}

struct decimals request_place_decimals(const struct extremes *extremes, const struct boundary *box)
{
    return number_choose_decimals(STEP * extremes->smallest, fmax(box->width, box->height));
}

struct decimals request_velocity_decimals(const struct extremes *extremes)
{
    return number_choose_decimals(STEP * extremes->slowest, extremes->largest_component);
}
