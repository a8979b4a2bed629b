/*
 * The interactions and the constraint that act on single particles.
 *
 * Gravity is a homogeneous field of acceleration `g` along `direction`, an angle in degrees from
 * the x axis. Drag is Stokes's, -c times the velocity. Each half of a substep, h, solves m du/dt =
 * f - c u exactly, with the other forces f:
 *
 *     u += (f - c u) / m h (1 - e^-x) / x,   x = c h / m.
 *
 * The last factor, which also applies to the forces of constraints, is that of `mobility` (term.h);
 * the sum of all c is steps->drag.
 *
 * Pinned particles stay at rest: every move is in proportion to an inverse mass, and theirs is 0.
 */
#include "base/elementary.h"
#include "term.h"

#include <inttypes.h>
#include <string.h>

struct gravity {
    struct term term; /* the first member: see term.h */
    struct vector acceleration;
};

static enum status gravity_create(struct term *term, const struct arguments *arguments,
                                  struct steps *steps)
{
    double cosine, sine;
    struct gravity *self = (struct gravity *)term;
    elementary_turn(arguments->numbers[1] / 360, &cosine, &sine);
    self->acceleration =
        (struct vector){arguments->numbers[0] * cosine, arguments->numbers[0] * sine};
    steps->gravity.x += self->acceleration.x;
    steps->gravity.y += self->acceleration.y;
    return STATUS_DONE;
}

static enum status gravity_add_forces(struct term *term, struct steps *steps)
{
    const struct gravity *self = (const struct gravity *)term;
    const struct boundary *boundary = &steps->system->boundary;
    const double side = fmin(boundary->width, boundary->height);
    const double moved = vector_length(&self->acceleration) * steps->dt * steps->dt;
    if (!(moved <= side))
        return error_set(steps->error, STATUS_BAD_DATA,
                         "gravity moves what is at rest by %g in a substep, and the most is the "
                         "smaller side of the box, %g: reduce --step, or raise --substeps",
                         moved, side);
    for (size_t k = 0; k < steps->system->count; k++) {
        const double mass = system_mass(steps->system, &steps->system->particles[k]);
        steps->force[k].x += mass * self->acceleration.x;
        steps->force[k].y += mass * self->acceleration.y;
    }
    return STATUS_DONE;
}

static enum status gravity_add_energy(struct term *term, struct steps *steps)
{
    const struct gravity *self = (const struct gravity *)term;
    double sum = 0;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        sum -= system_mass(steps->system, p) *
               (self->acceleration.x * p->x + self->acceleration.y * p->y);
    }
    steps->potential += sum;
    return STATUS_DONE;
}

const struct term_kind gravity_kind = {
    .name = "gravity",
    .size = sizeof(struct gravity),
    .parameters = {{"g", NAN, -SYSTEM_LARGEST, SYSTEM_LARGEST}, {"direction", 90, -360, 360}},
    .create = gravity_create,
    .act = {[PHASE_FORCES] = gravity_add_forces, [PHASE_ENERGY] = gravity_add_energy},
};

static enum status drag_create(struct term *term, const struct arguments *arguments,
                               struct steps *steps)
{
    (void)term;
    steps->drag += arguments->numbers[0];
    return STATUS_DONE;
}

const struct term_kind drag_kind = {
    .name = "drag",
    .size = sizeof(struct term),
    .parameters = {{"c", NAN, 0, SYSTEM_LARGEST}},
    .create = drag_create,
};

static enum status read_pin_number(const struct steps *steps, const char *text, uint64_t *k)
{
    const char *problem = text_whole_number(text, k);
    if (problem)
        return error_set(steps->error, STATUS_USAGE, "pin: the number of a particle, '%s', %s",
                         text, problem);
    if (*k >= steps->system->count)
        return error_set(steps->error, STATUS_USAGE,
                         "pin: there is no particle %" PRIu64 ": the last one is %zu", *k,
                         steps->system->count - 1);
    return STATUS_DONE;
}

/* Pins a particle, "I", or a range of them, "I-J". */
static enum status pin(struct steps *steps, char *range)
{
    uint64_t first = 0, last = 0;
    char *dash = strchr(range, '-');
    if (dash)
        *dash = '\0';
    enum status status = read_pin_number(steps, range, &first);
    if (!status)
        status = read_pin_number(steps, dash ? dash + 1 : range, &last);
    if (!status && last < first)
        status = error_set(steps->error, STATUS_USAGE,
                           "pin: a range of particles goes up, and %" PRIu64 "-%" PRIu64
                           " goes down: exchange the two",
                           first, last);
    for (uint64_t k = first; !status && k <= last; k++) {
        if (steps->inverse_mass[k] > 0)
            steps->system->fixed += 2;
        steps->inverse_mass[k] = 0;
        steps->system->particles[k].u = 0;
        steps->system->particles[k].v = 0;
    }
    return status;
}

static enum status pin_create(struct term *term, const struct arguments *arguments,
                              struct steps *steps)
{
    char item[TEXT_ITEM_SIZE];
    enum status status = STATUS_DONE;
    (void)term;
    for (const char *list = arguments->texts[0]; list && !status;) {
        list = text_list_item(list, item);
        status = pin(steps, item);
    }
    return status;
}

const struct term_kind pin_kind = {
    .name = "pin",
    .size = sizeof(struct term),
    .parameters = {{"particles", NAN, NAN, NAN}},
    .create = pin_create,
};
