/*
 * Newton's gravitation between all pairs of particles, as in three dimensions, softened as if each
 * mass were spread over about the softening's length (H. C. Plummer, MNRAS 71, 460, 1911).
 *
 *     U(r) = -G m1 m2 / sqrt(r^2 + softening^2)
 */
#include "base/memory.h"
#include "inverse_square.h"
#include "part.h"

static const char name[] = "gravitation";

struct gravitation {
    struct part part;           /* the first member: see part.h */
    struct inverse_square sums; /* the strengths are masses */
};

static void gravitation_free(struct part *part)
{
    inverse_square_free(&((struct gravitation *)part)->sums);
}

static enum status gravitation_create(struct part *part, const struct arguments *arguments,
                                      struct steps *steps, struct error *error)
{
    const struct system *system = steps->system;
    struct gravitation *self = (struct gravitation *)part;
    self->sums.factor = -arguments->numbers[0];
    self->sums.softening = arguments->numbers[1];
    enum status status = inverse_square_prepare(&self->sums, system, name, error);
    for (size_t k = 0; k < system->count && !status; k++)
        self->sums.strength[k] = system_mass(system, &system->particles[k]);
    return status;
}

static enum status gravitation_act(struct part *part, struct steps *steps, double dt,
                                   struct error *error)
{
    return inverse_square_act(&((struct gravitation *)part)->sums, steps, dt, name, error);
}

static enum status gravitation_energy(struct part *part, struct steps *steps, double *sum,
                                      struct error *error)
{
    (void)error;
    *sum = inverse_square_energy(&((struct gravitation *)part)->sums, steps->system);
    return STATUS_DONE;
}

const struct part_kind gravitation_kind = {
    .name = name,
    .size = sizeof(struct gravitation),
    .parameters = {{"G", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"softening", NAN, 0, SYSTEM_LARGEST}},
    .create = gravitation_create,
    .act = {[PHASE_FORCES] = gravitation_act},
    .energy = gravitation_energy,
    .free = gravitation_free,
};
