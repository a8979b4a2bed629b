/*
 * Quantities derived from a request.
 */
#ifndef PARTICLES_REQUEST_H
#define PARTICLES_REQUEST_H

#include "generate/generate.h"
#include "io/number.h"

#define REQUEST_PI 3.14159265358979323846

/* The request with at least one component. */
struct generate_request request_complete(const struct generate_request *request);

/* True if there are several components, or a mass other than 1: these take further columns. */
int request_has_kinds(const struct generate_request *request);

/* The functions below are for complete requests. */

/* The root mean square of the speeds of a component, relative to the stream, if there is one;
 * length per time. */
double request_speed(const struct generate_request *request, size_t component);

/* Ranges over all components. */
struct extremes {
    double smallest, largest; /* radius, length */
    double slowest, fastest;  /* root mean square of the speeds as above, length per time */
    double largest_component; /* that a velocity can have, length per time */
    double area;              /* that the disks cover, length^2 */
};

struct extremes request_extremes(const struct generate_request *request);

/* The decimals of coordinates, and of velocities. */
struct decimals request_place_decimals(const struct extremes *extremes, const struct boundary *box);
struct decimals request_velocity_decimals(const struct extremes *extremes);

#endif
