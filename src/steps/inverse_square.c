/*
 * Forces between all pairs of particles in proportion to 1 / distance^2, as in three dimensions.
 * Gravitation (Newton's), softened as if each mass were spread over about the softening's length
 * (H. C. Plummer, MNRAS 71, 460, 1911):
 *
 *     U(r) = -G m1 m2 / sqrt(r^2 + softening^2)
 *
 * The force between electric charges (C. A. de Coulomb, 1785); `charges` lists those of the species
 * 0, 1, ...:
 *
 *     U(r) = k q1 q2 / r
 *
 * Each pair is computed once, for two partners of a particle at a time. The square root and the
 * division of a pair take two thirds of the time or more. Partners are summed in the order of their
 * numbers, every other one in a lane of its own, so sums are the same on every machine.
 */
#include "base/memory.h"
#include "base/simd.h"
#include "io/text.h"
#include "part.h"

#include <string.h>

static const char DEFAULT_CHARGES[] = "1,-1";

enum { NUMBER_SIZE = 64 }; /* of the text of a charge, with its end */

/* The coordinate of the partner without strength that fills up the last two lanes. */
static const double FAR_AWAY = 1e80;

/* Two strengths s and t, a distance d apart, have the energy factor s t / sqrt(d^2 + softening^2).
 */
struct inverse_square {
    struct part part; /* the first member: see part.h */
    double factor;    /* positive: equal signs repel each other */
    double softening; /* length, from 0 */
    size_t count;
    double *strength;          /* of each particle: its mass or its charge; owned */
    double *x, *y;             /* positions, length; owned */
    double *force_x, *force_y; /* on each particle, without the factor; owned */
};

static void inverse_square_free(struct part *part)
{
    struct inverse_square *sums = (struct inverse_square *)part;
    memory_free(sums->strength);
    memory_free(sums->x);
    memory_free(sums->y);
    memory_free(sums->force_x);
    memory_free(sums->force_y);
}

/* Allocates the sums. A periodic box is refused: forces would reach images without end. */
static enum status inverse_square_allocate(struct inverse_square *sums, const struct system *system,
                                           struct error *error)
{
    const char *name = sums->part.kind->name;
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

static enum status gravitation_create(struct part *part, const struct arguments *arguments,
                                      struct steps *steps, struct error *error)
{
    const struct system *system = steps->system;
    struct inverse_square *sums = (struct inverse_square *)part;
    sums->factor = -arguments->numbers[0];
    sums->softening = arguments->numbers[1];
    enum status status = inverse_square_allocate(sums, system, error);
    for (size_t k = 0; k < system->count && !status; k++)
        sums->strength[k] = system_mass(system, &system->particles[k]);
    return status;
}

/* Reads the number at the beginning of a list; `*rest` is the remainder of the list, or NULL. */
static enum status read_charge(const char *list, double *charge, const char **rest,
                               struct error *error)
{
    char text[NUMBER_SIZE] = "";
    const size_t length = strcspn(list, ",");
    if (length < NUMBER_SIZE)
        memcpy(text, list, length);
    const char *problem = text_number(text, charge);
    *rest = list[length] ? list + length + 1 : NULL;
    if (!problem && fabs(*charge) > SYSTEM_LARGEST)
        problem = "is too large";
    if (!problem)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "coulomb: charges takes numbers with commas between them, one for each "
                     "species, and '%.*s' %s",
                     (int)(length < NUMBER_SIZE ? length : NUMBER_SIZE), list, problem);
}

/* Sets the charge of the particles of a species, and returns their number. */
static size_t charge_species(struct inverse_square *sums, const struct system *system,
                             int32_t species, double charge)
{
    size_t count = 0;
    for (size_t k = 0; k < system->count; k++) {
        if (system_species(system, &system->particles[k]) != species)
            continue;
        sums->strength[k] = charge;
        count++;
    }
    return count;
}

/* Sets the charges of all particles from a list. */
static enum status charge_all(struct inverse_square *sums, const struct system *system,
                              const char *list, struct error *error)
{
    size_t charged = 0;
    int32_t species = 0;
    for (const char *rest = list; rest; species++) {
        double charge = 0;
        enum status status = read_charge(rest, &charge, &rest, error);
        if (status)
            return status;
        charged += charge_species(sums, system, species, charge);
    }
    if (charged == system->count)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "coulomb: charges=%.100s has those of %d species, 0 to %d, and there are "
                     "particles of others",
                     list, (int)species, (int)species - 1);
}

static enum status coulomb_create(struct part *part, const struct arguments *arguments,
                                  struct steps *steps, struct error *error)
{
    struct inverse_square *sums = (struct inverse_square *)part;
    const char *list = arguments->texts[1] ? arguments->texts[1] : DEFAULT_CHARGES;
    sums->factor = arguments->numbers[0];
    enum status status = inverse_square_allocate(sums, steps->system, error);
    return status ? status : charge_all(sums, steps->system, list, error);
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
                                  double dt, size_t i, struct error *error)
{
    for (size_t j = i + 1; j < sums->count; j++)
        if (!(angle_squared(sums, steps, dt, i, j) <= 1))
            return error_set(error, STATUS_BAD_DATA,
                             "particles %zu and %zu are so near to each other at time %g that a "
                             "substep does not resolve how %s moves them: reduce --step, or raise "
                             "--substeps%s",
                             i, j, steps->system->particles[i].t, sums->part.kind->name,
                             sums->softening > 0 ? ", or the softening" : "");
    return STATUS_DONE;
}

/*
 * Refuses two particles so near to each other that a substep does not resolve their motion: on a
 * circle they would move by more than a radian.
 */
static enum status inverse_square_add_forces(struct part *part, struct steps *steps, double dt,
                                             struct error *error)
{
    struct inverse_square *sums = (struct inverse_square *)part;
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
        if (!(bound < 0.999) && check_partners(sums, steps, dt, i, error))
            return STATUS_BAD_DATA;
    }
    for (size_t k = 0; k < sums->count; k++) {
        steps->force[k].x += sums->factor * sums->force_x[k];
        steps->force[k].y += sums->factor * sums->force_y[k];
    }
    return STATUS_DONE;
}

static enum status inverse_square_energy(struct part *part, struct steps *steps, double *energy,
                                         struct error *error)
{
    struct inverse_square *sums = (struct inverse_square *)part;
    double sum = 0;
    (void)error;
    copy_positions(sums, steps->system);
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
    *energy = sums->factor * sum;
    return STATUS_DONE;
}

const struct part_kind gravitation_kind = {
    .name = "gravitation",
    .size = sizeof(struct inverse_square),
    .parameters = {{"G", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"softening", NAN, 0, SYSTEM_LARGEST}},
    .create = gravitation_create,
    .act = {[PHASE_FORCES] = inverse_square_add_forces},
    .energy = inverse_square_energy,
    .free = inverse_square_free,
};

const struct part_kind coulomb_kind = {
    .name = "coulomb",
    .size = sizeof(struct inverse_square),
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"charges", 0, NAN, NAN}},
    .create = coulomb_create,
    .act = {[PHASE_FORCES] = inverse_square_add_forces},
    .energy = inverse_square_energy,
    .free = inverse_square_free,
};
