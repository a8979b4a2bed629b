/*
 * Linear drag of a viscous medium at rest: the force on a particle is -c times its velocity
 * (Stokes). A substep multiplies the velocity by e^(-c dt / m), as the exact solution does, so no
 * drag is too strong for a step.
 */
#include "base/elementary.h"
#include "part.h"

struct drag {
    struct part part; /* the first member: see part.h */
    double strength;  /* c, mass per time */
};

static enum status drag_create(struct part *part, const struct arguments *arguments,
                               struct steps *steps, struct error *error)
{
    (void)steps, (void)error;
    ((struct drag *)part)->strength = arguments->numbers[0];
    return STATUS_DONE;
}

/* Adds the force that multiplies the velocity by that factor. */
static enum status drag_act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    const struct drag *self = (const struct drag *)part;
    (void)error;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        const double mass = system_mass(steps->system, p);
        const double lost = (1 - elementary_exp(-self->strength * dt / mass)) * mass / dt;
        steps->force[k].x -= lost * p->u;
        steps->force[k].y -= lost * p->v;
    }
    return STATUS_DONE;
}

const struct part_kind drag_kind = {
    .name = "drag",
    .size = sizeof(struct drag),
    .parameters = {{"c", NAN, 0, SYSTEM_LARGEST}},
    .create = drag_create,
    .act = {[PHASE_FORCES] = drag_act},
};
