/*
 * The force between electric charges, of all pairs of particles (C. A. de Coulomb, 1785), as in
 * three dimensions:
 *
 *     U(r) = k q1 q2 / r
 *
 * `charges` lists the charges of the species 0, 1, ...
 */
#include "base/memory.h"
#include "inverse_square.h"
#include "io/text.h"
#include "part.h"

#include <string.h>

static const char name[] = "coulomb";
static const char DEFAULT_CHARGES[] = "1,-1";

enum { NUMBER_SIZE = 64 }; /* of the text of a charge, with its end */

struct coulomb {
    struct part part;           /* the first member: see part.h */
    struct inverse_square sums; /* the strengths are charges */
};

static void coulomb_free(struct part *part)
{
    inverse_square_free(&((struct coulomb *)part)->sums);
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
    const struct system *system = steps->system;
    const char *list = arguments->texts[1] ? arguments->texts[1] : DEFAULT_CHARGES;
    struct coulomb *self = (struct coulomb *)part;
    self->sums.factor = arguments->numbers[0];
    enum status status = inverse_square_prepare(&self->sums, system, name, error);
    return status ? status : charge_all(&self->sums, system, list, error);
}

static enum status coulomb_act(struct part *part, struct steps *steps, double dt,
                               struct error *error)
{
    return inverse_square_act(&((struct coulomb *)part)->sums, steps, dt, name, error);
}

static enum status coulomb_energy(struct part *part, struct steps *steps, double *sum,
                                  struct error *error)
{
    (void)error;
    *sum = inverse_square_energy(&((struct coulomb *)part)->sums, steps->system);
    return STATUS_DONE;
}

const struct part_kind coulomb_kind = {
    .name = name,
    .size = sizeof(struct coulomb),
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"charges", 0, NAN, NAN}},
    .create = coulomb_create,
    .act = {[PHASE_FORCES] = coulomb_act},
    .energy = coulomb_energy,
    .free = coulomb_free,
};
