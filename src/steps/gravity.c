/*
 * A homogeneous field: every particle has the acceleration `g` along `direction`, an angle in
 * degrees from the x axis. The default is upwards, so g=-9.81 pulls down.
 */
#include "base/elementary.h"
#include "part.h"

struct gravity {
    struct part part; /* the first member: see part.h */
    struct vector acceleration;
};

static enum status gravity_create(struct part *part, const struct arguments *arguments,
                                  struct steps *steps, struct error *error)
{
    double cosine, sine;
    struct gravity *self = (struct gravity *)part;
    (void)steps, (void)error;
    elementary_turn(arguments->numbers[1] / 360, &cosine, &sine);
    self->acceleration =
        (struct vector){arguments->numbers[0] * cosine, arguments->numbers[0] * sine};
    return STATUS_DONE;
}

static enum status gravity_act(struct part *part, struct steps *steps, double dt,
                               struct error *error)
{
    const struct gravity *self = (const struct gravity *)part;
    (void)dt;
    (void)error;
    for (size_t k = 0; k < steps->system->count; k++) {
        const double mass = system_mass(steps->system, &steps->system->particles[k]);
        steps->force[k].x += mass * self->acceleration.x;
        steps->force[k].y += mass * self->acceleration.y;
    }
    return STATUS_DONE;
}

static enum status gravity_energy(struct part *part, struct steps *steps, double *sum,
                                  struct error *error)
{
    const struct gravity *self = (const struct gravity *)part;
    (void)error;
    *sum = 0;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        *sum -= system_mass(steps->system, p) *
                (self->acceleration.x * p->x + self->acceleration.y * p->y);
    }
    return STATUS_DONE;
}

struct vector gravity_sum(const struct steps *steps)
{
    struct vector sum = {0, 0};
    for (size_t k = 0; k < steps->part_count; k++) {
        const struct gravity *self = (const struct gravity *)steps->parts[k];
        if (self->part.kind != &gravity_kind)
            continue;
        sum.x += self->acceleration.x;
        sum.y += self->acceleration.y;
    }
    return sum;
}

const struct part_kind gravity_kind = {
    .name = "gravity",
    .size = sizeof(struct gravity),
    .parameters = {{"g", NAN, -SYSTEM_LARGEST, SYSTEM_LARGEST}, {"direction", 90, -360, 360}},
    .create = gravity_create,
    .act = {[PHASE_FORCES] = gravity_act},
    .energy = gravity_energy,
};
