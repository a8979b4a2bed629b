/*
 * Random velocities; see velocities.h.
 *
 * Between walls, which take up momentum, the mean velocity is left to chance. On a periodic axis
 * momentum is conserved, and a gas that begins with some drifts for ever; there the mean is
 * subtracted. After rounding, the sum of the components is a whole number of units of their last
 * place, less than one for each particle: as many particles lose a unit each. A stream needs none
 * of this: its seam gives and takes momentum.
 */
#include "velocities.h"

#include <math.h>

static const double SQRT_2 = 1.41421356237309504880;

/* A component of the velocity: u of an axis PERIODIC_X, v of PERIODIC_Y. */
static double *velocity_component(struct particle *particle, unsigned axis)
{
    return axis == PERIODIC_X ? &particle->u : &particle->v;
}

/* Draws velocities from a disc of this radius. */
static void draw_from_disc(struct particle *particles, size_t count, double radius,
                           const struct decimals *decimals, struct random_generator *generator)
{
    for (size_t k = 0; k < count; k++) {
        struct particle *particle = &particles[k];
        do {
            random_in_disc(generator, &particle->u, &particle->v);
            particle->u = number_round(decimals, radius * particle->u);
            particle->v = number_round(decimals, radius * particle->v);
        } while (particle->u == 0 || particle->v == 0);
    }
}

static void subtract_mean(struct particle *particles, size_t count, unsigned axis)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += *velocity_component(&particles[k], axis);
    const double mean = sum / (double)count;
    for (size_t k = 0; k < count; k++)
        *velocity_component(&particles[k], axis) -= mean;
}

/* Makes the sum of the components, which are decimals, 0 if it is a few units of their last place.
 */
static void balance_momentum(struct particle *particles, size_t count, unsigned axis,
                             const struct decimals *decimals)
{
    int64_t excess = 0;
    for (size_t k = 0; k < count; k++)
        excess += (int64_t)floor(*velocity_component(&particles[k], axis) * decimals->scale + 0.5);
    for (size_t k = 0; excess != 0; k = (k + 1) % count) {
        const int unit = excess > 0 ? 1 : -1;
        double *value = velocity_component(&particles[k], axis);
        *value = number_round(decimals, *value - unit / decimals->scale);
        excess -= unit;
    }
}

/* The root mean square of the speeds, and the largest absolute value of a component. */
static void measure_velocities(const struct particle *particles, size_t count, double *speed,
                               double *fastest)
{
    double sum = 0;
    *fastest = 0;
    for (size_t k = 0; k < count; k++) {
        const struct particle *p = &particles[k];
        sum += p->u * p->u + p->v * p->v;
        *fastest = fmax(*fastest, fmax(fabs(p->u), fabs(p->v)));
    }
    *speed = sqrt(sum / (double)count);
}

/*
 * A disc of radius a holds velocities whose mean square is a^2 / 2, on average. A factor corrects
 * the mean square of the velocities that are drawn. Between walls that is at least 1 / sqrt(2), so
 * no component becomes 0. Of a few, one may become too fast by it; then all are drawn again.
 */
void draw_velocities(struct system *system, size_t first, size_t count, double speed,
                     const struct decimals *decimals, struct random_generator *generator)
{
    static const unsigned axes[2] = {PERIODIC_X, PERIODIC_Y};
    struct particle *particles = system->particles + first;
    const unsigned periodic = system->boundary.periodic;
    double drawn;
    double fastest;
    double factor;
    do {
        draw_from_disc(particles, count, SQRT_2 * speed, decimals, generator);
        for (int k = 0; k < 2; k++)
            if (periodic & axes[k])
                subtract_mean(particles, count, axes[k]);
        measure_velocities(particles, count, &drawn, &fastest);
        factor = drawn > 0 ? speed / drawn : 1; /* 0: a particle alone on two periodic axes */
    } while (factor * fastest > VELOCITIES_MAX_COMPONENT * speed);
    for (size_t k = 0; k < count; k++) {
        particles[k].u = number_round(decimals, factor * particles[k].u);
        particles[k].v = number_round(decimals, factor * particles[k].v);
    }
    for (int k = 0; k < 2; k++)
        if ((periodic & axes[k]) && decimals->scale > 0)
            balance_momentum(particles, count, axes[k], decimals);
}

void draw_stream_velocities(struct system *system, size_t first, size_t count, double stream,
                            double speed, const struct decimals *decimals,
                            struct random_generator *generator)
{
    const double deviation = speed / SQRT_2; /* of each component */
    for (size_t k = first; k < first + count; k++) {
        struct particle *particle = &system->particles[k];
        do {
            random_normal(generator, &particle->u, &particle->v);
            particle->u = number_round(decimals, stream + deviation * particle->u);
            particle->v = number_round(decimals, deviation * particle->v);
        } while (particle->u == 0 || particle->v == 0);
    }
}
