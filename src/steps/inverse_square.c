/*
 * Forces between all pairs; see inverse_square.h.
 *
 * Each pair is computed once, for two partners of a particle at a time. That takes a square root
 * and a division, which are what limits the speed: everything else is done while the processor
 * divides. Sums are made in the order of the numbers, those of even and of odd places in the list
 * of partners apart from each other, so they are the same on every machine.
 */
#include "inverse_square.h"

#include "base/memory.h"
#include "base/simd.h"

#include <string.h>

/* A place far away from all others, for a partner that has no strength. */
static const double FAR_AWAY = 1e80;

enum status inverse_square_prepare(struct inverse_square *sums, const struct system *system,
                                   const char *name, struct error *error)
{
    const size_t count = system->count;
    double **const arrays[] = {&sums->strength, &sums->x,       &sums->y,
                               &sums->field_x,  &sums->field_y, &sums->steepness};
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

static void copy_places(struct inverse_square *sums, const struct system *system)
{
    for (size_t k = 0; k < sums->count; k++) {
        sums->x[k] = system->particles[k].x;
        sums->y[k] = system->particles[k].y;
    }
}

static void simd_add_to(double *pair, simd added)
{
    simd_store_pair(pair, simd_add(simd_load_pair(pair), added));
}

/* Adds what particle i and its partners of higher numbers do to each other. */
static void add_partners(struct inverse_square *sums, size_t i)
{
    const simd x = simd_both(sums->x[i]);
    const simd y = simd_both(sums->y[i]);
    const simd strength = simd_both(sums->strength[i]);
    const simd size = simd_both(fabs(sums->strength[i]));
    const simd softening = simd_both(sums->softening * sums->softening);
    simd field_x = simd_both(0);
    simd field_y = field_x;
    simd steepness = field_x;
    for (size_t j = i + 1; j < sums->count; j += 2) {
        const simd dx = simd_subtract(simd_load_pair(&sums->x[j]), x);
        const simd dy = simd_subtract(simd_load_pair(&sums->y[j]), y);
        const simd square =
            simd_add(simd_add(simd_multiply(dx, dx), simd_multiply(dy, dy)), softening);
        const simd weight = simd_divide(simd_both(1), simd_multiply(square, simd_root(square)));
        const simd theirs = simd_multiply(simd_load_pair(&sums->strength[j]), weight);
        const simd ours = simd_multiply(strength, weight);
        field_x = simd_subtract(field_x, simd_multiply(theirs, dx));
        field_y = simd_subtract(field_y, simd_multiply(theirs, dy));
        steepness = simd_add(steepness, simd_larger(theirs, simd_subtract(simd_both(0), theirs)));
        simd_add_to(&sums->field_x[j], simd_multiply(ours, dx));
        simd_add_to(&sums->field_y[j], simd_multiply(ours, dy));
        simd_add_to(&sums->steepness[j], simd_multiply(size, weight));
    }
    sums->field_x[i] += simd_first(field_x) + simd_second(field_x);
    sums->field_y[i] += simd_first(field_y) + simd_second(field_y);
    sums->steepness[i] += simd_first(steepness) + simd_second(steepness);
}

static void find_fields(struct inverse_square *sums, const struct system *system)
{
    const size_t size = (sums->count + 1) * sizeof *sums->field_x;
    copy_places(sums, system);
    memset(sums->field_x, 0, size);
    memset(sums->field_y, 0, size);
    memset(sums->steepness, 0, size);
    for (size_t i = 0; i < sums->count; i++)
        add_partners(sums, i);
}

enum status inverse_square_act(struct inverse_square *sums, struct steps *steps, double dt,
                               const char *name, struct error *error)
{
    find_fields(sums, steps->system);
    for (size_t k = 0; k < sums->count; k++) {
        const double strength = sums->factor * sums->strength[k];
        const double turned =
            fabs(strength) * steps->inverse_mass[k] * sums->steepness[k] * dt * dt;
        if (!(turned <= 1))
            return error_set(error, STATUS_BAD_DATA,
                             "particle %zu is so near to another one at time %g that a substep "
                             "does not resolve how %s moves it: reduce --step, or raise "
                             "--substeps%s",
                             k, steps->system->particles[k].t, name,
                             sums->softening > 0 ? ", or the softening" : "");
        steps->force[k].x += strength * sums->field_x[k];
        steps->force[k].y += strength * sums->field_y[k];
    }
    return STATUS_DONE;
}

double inverse_square_energy(struct inverse_square *sums, const struct system *system)
{
    double sum = 0;
    copy_places(sums, system);
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
    memory_free(sums->field_x);
    memory_free(sums->field_y);
    memory_free(sums->steepness);
}
