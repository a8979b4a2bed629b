/*
 * Forces between all pairs; see inverse_square.h.
 *
 * Each pair is computed once, for two partners of a particle at a time. The square root and the
 * division of a pair take two thirds of the time or more. Partners are summed in the order of their
 * numbers, every other one in a lane of its own, so sums are the same on every machine.
 */
#include "inverse_square.h"

#include "base/memory.h"
#include "base/simd.h"

#include <string.h>

/* The coordinate of the partner without strength that fills up the last two lanes. */
static const double FAR_AWAY = 1e80;

enum status inverse_square_prepare(struct inverse_square *sums, const struct system *system,
                                   const char *name, struct error *error)
{
    const size_t count = system->count;
    double **const arrays[] = {&sums->strength, &sums->x, &sums->y, &sums->force_x, &sums->force_y};
    if (system->boundary.periodic)
        return error_set(error, STATUS_USAGE,
                         "%s is not for --periodic: it would reach images without end", name);
    sums->count = count;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = memory_allocate(count + 1, sizeof **arrays[k], name, error);
        if (!*arrays[k])
            return STATUS_NO_MEMORY;
    }
    sums->x[count] = sums->y[count] = FAR_AWAY;
    sums->strength[count] = 0;
    return STATUS_DONE;
}

static void copy_positions(struct inverse_square *sums, const struct system *system)
{
    for (size_t k = 0; k < sums->count; k++) {
        sums->x[k] = system->particles[k].x;
        sums->y[k] = system->particles[k].y;
    }
}

static void add_to_pair(double *pair, simd added)
{
    simd_store(pair, simd_add(simd_load(pair), added));
}

/*
 * Adds the forces between particle i and its partners of higher numbers. Returns the largest
 * 1 / (d^2 + softening^2)^(3/2) among them.
 */
static double add_partners(struct inverse_square *sums, size_t i)
{
    const simd x = simd_all(sums->x[i]);
    const simd y = simd_all(sums->y[i]);
    const simd strength = simd_all(sums->strength[i]);
    const simd softening = simd_all(sums->softening * sums->softening);
    simd force_x = simd_all(0);
    simd force_y = force_x;
    simd largest = force_x;
    for (size_t j = i + 1; j < sums->count; j += 2) {
        const simd dx = simd_subtract(simd_load(&sums->x[j]), x);
        const simd dy = simd_subtract(simd_load(&sums->y[j]), y);
        const simd square =
            simd_add(simd_add(simd_multiply(dx, dx), simd_multiply(dy, dy)), softening);
        const simd weight = simd_divide(simd_all(1), simd_multiply(square, simd_root(square)));
        const simd strengths = simd_multiply(strength, simd_load(&sums->strength[j]));
        const simd scale = simd_multiply(strengths, weight);
        const simd pair_x = simd_multiply(scale, dx);
        const simd pair_y = simd_multiply(scale, dy);
        force_x = simd_subtract(force_x, pair_x);
        force_y = simd_subtract(force_y, pair_y);
        add_to_pair(&sums->force_x[j], pair_x);
        add_to_pair(&sums->force_y[j], pair_y);
        largest = simd_larger(largest, weight);
    }
    double lanes[2];
    simd_store(lanes, force_x);
    sums->force_x[i] += lanes[0] + lanes[1];
    simd_store(lanes, force_y);
    sums->force_y[i] += lanes[0] + lanes[1];
    simd_store(lanes, largest);
    return fmax(lanes[0], lanes[1]);
}

/* The largest values of any partner, which bound the angle of a pair in a substep. */
struct inverse_square_bounds {
    double strength, inverse_mass;
};

static struct inverse_square_bounds find_bounds(const struct inverse_square *sums,
                                                const struct steps *steps)
{
    struct inverse_square_bounds bounds = {0, 0};
    for (size_t k = 0; k < sums->count; k++) {
        bounds.strength = fmax(bounds.strength, fabs(sums->strength[k]));
        bounds.inverse_mass = fmax(bounds.inverse_mass, steps->inverse_mass[k]);
    }
    return bounds;
}

/* The square of the angle by which i and j would move around each other on a circle in a substep.
 */
static double angle_squared(const struct inverse_square *sums, const struct steps *steps, double dt,
                            size_t i, size_t j)
{
    const double dx = sums->x[j] - sums->x[i];
    const double dy = sums->y[j] - sums->y[i];
    const double square = dx * dx + dy * dy + sums->softening * sums->softening;
    return fabs(sums->factor * sums->strength[i] * sums->strength[j]) / (square * sqrt(square)) *
           (steps->inverse_mass[i] + steps->inverse_mass[j]) * dt * dt;
}

/* Refuses particle i if one of its partners is too near; called only if the bound is exceeded. */
static enum status check_partners(const struct inverse_square *sums, const struct steps *steps,
                                  double dt, size_t i, const char *name, struct error *error)
{
    for (size_t j = i + 1; j < sums->count; j++)
        if (!(angle_squared(sums, steps, dt, i, j) <= 1))
            return error_set(error, STATUS_BAD_DATA,
                             "particles %zu and %zu are so near to each other at time %g that a "
                             "substep does not resolve how %s moves them: reduce --step, or raise "
                             "--substeps%s",
                             i, j, steps->system->particles[i].t, name,
                             sums->softening > 0 ? ", or the softening" : "");
    return STATUS_DONE;
}

enum status inverse_square_act(struct inverse_square *sums, struct steps *steps, double dt,
                               const char *name, struct error *error)
{
    const size_t size = (sums->count + 1) * sizeof *sums->force_x;
    const struct inverse_square_bounds bounds = find_bounds(sums, steps);
    copy_positions(sums, steps->system);
    memset(sums->force_x, 0, size);
    memset(sums->force_y, 0, size);
    for (size_t i = 0; i < sums->count; i++) {
        const double strengths = fabs(sums->factor * sums->strength[i]) * bounds.strength;
        const double bound = strengths * add_partners(sums, i) *
                             (steps->inverse_mass[i] + bounds.inverse_mass) * dt * dt;
        /* A little less than 1, because of rounding errors. */
        if (!(bound < 0.999) && check_partners(sums, steps, dt, i, name, error))
            return STATUS_BAD_DATA;
    }
    for (size_t k = 0; k < sums->count; k++) {
        steps->force[k].x += sums->factor * sums->force_x[k];
        steps->force[k].y += sums->factor * sums->force_y[k];
    }
    return STATUS_DONE;
}

double inverse_square_energy(struct inverse_square *sums, const struct system *system)
{
    double sum = 0;
    copy_positions(sums, system);
    for (size_t i = 0; i < sums->count; i++) {
        double potential = 0;
        for (size_t j = i + 1; j < sums->count; j++) {
            const double dx = sums->x[j] - sums->x[i];
            const double dy = sums->y[j] - sums->y[i];
            potential +=
                sums->strength[j] / sqrt(dx * dx + dy * dy + sums->softening * sums->softening);
        }
        sum += sums->strength[i] * potential;
    }
    return sums->factor * sum;
}

void inverse_square_free(struct inverse_square *sums)
{
    memory_free(sums->strength);
    memory_free(sums->x);
    memory_free(sums->y);
    memory_free(sums->force_x);
    memory_free(sums->force_y);
}
