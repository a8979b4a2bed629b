/*
 * What acts on one particle at a time.
 *
 * Gravity is a homogeneous field: every particle has the acceleration `g` along `direction`, an
 * angle in degrees from the x axis. The default is upwards, so g=-9.81 pulls down.
 *
 * Drag is that of a viscous medium at rest: the force on a particle is -c times its velocity
 * (Stokes). A substep multiplies the velocity by e^(-c dt / m), as the exact solution does, so no
 * drag is too strong for a step.
 *
 * Pinned particles stay at rest: every move is in proportion to an inverse mass, and theirs is 0.
 * `particles` lists their numbers, separated by commas.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "io/text.h"
#include "part.h"

#include <inttypes.h>
#include <string.h>

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

static enum status gravity_add_forces(struct part *part, struct steps *steps, double dt,
                                      struct error *error)
{
    const struct gravity *self = (const struct gravity *)part;
    (void)dt, (void)error;
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
    .act = {[PHASE_FORCES] = gravity_add_forces},
    .energy = gravity_energy,
};

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
static enum status drag_add_forces(struct part *part, struct steps *steps, double dt,
                                   struct error *error)
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
    .act = {[PHASE_FORCES] = drag_add_forces},
};

static enum status pin(struct steps *steps, const char *number, struct error *error)
{
    uint64_t k;
    const char *problem = text_whole_number(number, &k);
    if (problem)
        return error_set(error, STATUS_USAGE, "pin: the number of a particle, '%.100s', %s", number,
                         problem);
    if (k >= steps->system->count)
        return error_set(error, STATUS_USAGE,
                         "pin: there is no particle %" PRIu64 ": the last one is %zu", k,
                         steps->system->count - 1);
    steps->inverse_mass[k] = 0;
    steps->system->particles[k].u = 0;
    steps->system->particles[k].v = 0;
    return STATUS_DONE;
}

static enum status pin_create(struct part *part, const struct arguments *arguments,
                              struct steps *steps, struct error *error)
{
    enum status status = STATUS_DONE;
    (void)part;
    const size_t size = strlen(arguments->texts[0]) + 1;
    char *list = memory_allocate(size, 1, "the pinned particles", error);
    if (!list)
        return STATUS_NO_MEMORY;
    memcpy(list, arguments->texts[0], size);
    for (char *number = list, *end = list; number && !status; number = end) {
        end = strchr(number, ',');
        if (end)
            *end++ = '\0';
        status = pin(steps, number, error);
    }
    memory_free(list);
    return status;
}

const struct part_kind pin_kind = {
    .name = "pin",
    .size = sizeof(struct part),
    .parameters = {{"particles", NAN, NAN, NAN}},
    .create = pin_create,
};
