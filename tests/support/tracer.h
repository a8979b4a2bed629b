/* Watching disks diffuse: how far they get from where they were, and how two populations mix. */
#ifndef PARTICLES_TESTS_TRACER_H
#define PARTICLES_TESTS_TRACER_H

#include "measure.h"
#include "run/observer.h"

/*
 * Looks at all disks at the times start + k interval. Displacements are measured from an origin,
 * which is chosen anew every `lags` looks; only of disks that then were `margin` or more away from
 * every wall, which would hold them back. In a periodic box, which must have no walls, all count.
 */
struct tracer {
    struct observer observer;
    double start, interval, margin;
    double area;                     /* where those disks are: the box without its margin */
    size_t lags, looks, max_samples; /* looks so far, and at most */
    double *x, *y;                   /* where each disk was at the origin, by ids */
    signed char *side;   /* in which half it was at the start: -1 left, 1 right; by ids */
    double *squares;     /* of each look: the sum of squared displacements */
    double *counts;      /* of each origin: of how many disks */
    double *segregation; /* of each look: the mean of (side at the start) (side now) */
};

/* Makes a tracer of `system`; `looks` is how many looks there will be at most. tracer_free frees
 * what it owns. */
void tracer_init(struct tracer *tracer, const struct system *system, double start, double interval,
                 size_t lags, size_t looks, double margin);
void tracer_free(struct tracer *tracer);

/* Disks per area where displacements are measured, mean of all origins. */
double tracer_density(const struct tracer *tracer);

/* The slope of a straight line through values[first] to values[last], by least squares. */
double tracer_slope(const double *values, size_t first, size_t last);

/* The diffusion coefficient: a quarter of the slope of a straight line through the mean square
 * displacements from lag `first` to `last`. The error is from the scatter of the origins, at least
 * 2, which see different stretches of time. */
struct measured_mean tracer_diffusion(const struct tracer *tracer, size_t first, size_t last);

/* The largest relative deviation of the mean square displacements from that line. */
double tracer_bend(const struct tracer *tracer, size_t first, size_t last);

/* Enskog's self-diffusion coefficient of disks of mass 1 and radius 1 at contact value g, number
 * density n and temperature T: D = T / rate = sqrt(T / pi) / (4 n g), the collision rate being
 * 4 n g sqrt(pi T) for a contact distance of 2.
 * A collision takes 1/d of its velocity from a disk, half of the relative one along the line of
 * centres, so velocities are forgotten at the rate (2/d) (collision rate), which in d = 2
 * dimensions is the collision rate itself (first Sonine approximation; for spheres see S. Chapman
 * and T. Cowling, chapter 16; for disks D. Gass, J. Chem. Phys. 54, 1971). The exact solution of
 * Enskog's equation lies a few per cent above; and real disks remember longer than he assumes, in
 * two dimensions the more so the longer one looks (B. Alder and T. Wainwright, Phys. Rev. A 1,
 * 1970), so that this is a limit for low density and no more. */
double tracer_enskog(double contact_value, double density, double temperature);

/* For low density, the exact solution (of the linear Boltzmann equation) over that. */
#define TRACER_BOLTZMANN 1.0271

/* How much D grows, at late times, while time grows by a factor of e. Disks set others in motion
 * that later push them, so velocities are correlated with the long-time tail T / (8 pi n (nu + D)
 * t) (M. Ernst, E. Hauge, J. van Leeuwen, Phys. Rev. Lett. 25, 1254, 1970), and D is its integral.
 * For disks of mass 1 and radius 1; D and the kinematic viscosity nu are Enskog's, in the first
 * approximation (D. Gass, as above). */
double tracer_tail(double area_fraction, double contact_value, double temperature);

#endif
