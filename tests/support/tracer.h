/*
 * Watching disks diffuse: how far they get from where they were, and how two populations mix.
 */
#ifndef PARTICLES_TESTS_TRACER_H
#define PARTICLES_TESTS_TRACER_H

#include "run/observer.h"

enum { TRACER_LAGS = 400 };

/*
 * Looks at all disks at the times start + k interval. Displacements are measured from an origin,
 * which is chosen anew every `lags` looks; only of disks that then were `margin` or more away from
 * every wall, which would hold them back.
 */
struct tracer {
    struct observer observer;
    double start, interval, margin;
    size_t lags, looks;          /* lags up to TRACER_LAGS; looks so far */
    double *x, *y;               /* where each disk was at the origin, by ids */
    signed char *side;           /* in which half it was at the start: -1 left, 1 right; by ids */
    double squares[TRACER_LAGS]; /* sums of squared displacements after 1, 2, ... looks, */
    double counts[TRACER_LAGS];  /* and of how many disks */
    size_t most_segregations;    /* looks for which there is room in `segregation`, */
    double *segregation;         /* the mean of (side at the start) (side now): 1 at the start */
};

/*
 * Makes a tracer of `system`; `looks` is how many looks there will be at most. tracer_free frees
 * what it owns.
 */
void tracer_init(struct tracer *tracer, const struct system *system, double start, double interval,
                 size_t lags, size_t looks, double margin);
void tracer_free(struct tracer *tracer);

/* The mean square displacement after 1 <= `lag` < `lags` looks. */
double tracer_displacement(const struct tracer *tracer, size_t lag);

/*
 * The diffusion coefficient: a quarter of the slope of a straight line through the mean square
 * displacements from lag `first` to `last`; `*bend` is the largest relative deviation from it.
 */
double tracer_diffusion(const struct tracer *tracer, size_t first, size_t last, double *bend);

/*
 * Enskog's self-diffusion coefficient of disks of mass 1 and radius 1 at contact value g, number
 * density n and temperature T: D = T / rate = sqrt(T / pi) / (4 n g), the collision rate being
 * 4 n g sqrt(pi T) for a contact distance of 2.
 * A collision takes 1/d of its velocity from a disk, half of the relative one along the line of
 * centres, so velocities are forgotten at the rate (2/d) (collision rate), which in d = 2
 * dimensions is the collision rate itself (first Sonine approximation; for spheres see S. Chapman
 * and T. Cowling, chapter 16; for disks D. Gass, J. Chem. Phys. 54, 1971). The exact solution of
 * Enskog's equation lies a few per cent above; and real disks remember longer than he assumes, in
 * two dimensions the more so the longer one looks (B. Alder and T. Wainwright, Phys. Rev. A 1,
 * 1970), so that this is a limit for low density and no more.
 */
double tracer_enskog(double contact_value, double density, double temperature);

#endif
