/*
 * The interactions and the constraint that act on single particles.
 *
 * Gravity is a homogeneous field of acceleration `g` along `direction`, an angle in degrees from
 * the x axis. Drag is Stokes's, -c times the velocity. Each half of a substep, h, solves m du/dt =
 * f - c u exactly, with the other forces f:
 *
 *     u += (f - c u) / m h (1 - e^-x) / x,   x = c h / m.
 *
 * `mobility` (term.h) has the factor (1 - e^-x) / x, which so applies to constraints, too; the sum
 * of all c is steps->drag.
 *
 * Pinned particles stay at rest: every move is in proportion to an inverse mass, and theirs is 0.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "term.h"

#include <inttypes.h>
#include <string.h>

struct gravity {
    struct term term; /* the first member: see term.h */
    struct vector acceleration;
};

static enum status gravity_create(struct term *term, const struct text_arguments *arguments,
                                  struct steps *steps)
{
    double cosine, sine;
    struct gravity *self = (struct gravity *)term;
    elementary_turn(arguments->numbers[1] / 360, &cosine, &sine);
    self->acceleration =
        (struct vector){arguments->numbers[0] * cosine, arguments->numbers[0] * sine};
    vector_add(&steps->gravity, 1, &self->acceleration);
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
    for (size_t k = 0; k < steps->system->count; k++)
        vector_add(&steps->force[k], system_mass(steps->system, &steps->system->particles[k]),
                   &self->acceleration);
    return STATUS_DONE;
}

static enum status gravity_add_energy(struct term *term, struct steps *steps)
{
    const struct gravity *self = (const struct gravity *)term;
    double sum = 0;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        sum -= system_mass(steps->system, p) *
               vector_product(&self->acceleration, &(struct vector){p->x, p->y});
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

static enum status drag_create(struct term *term, const struct text_arguments *arguments,
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

static enum status pin_create(struct term *term, const struct text_arguments *arguments,
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
    .rank = RANK_CONSTRAINT,
    .traits = {.has_deviation = 1, .hides_forces = 1},
    .parameters = {{"particles", NAN, NAN, NAN}},
    .create = pin_create,
};

/*
 * Langevin dynamics: a bath of temperature T slows particles down with the friction c, mass per
 * time, and kicks them at random: Brownian motion, and equilibrium at a temperature.
 *
 * In the middle of a substep each velocity changes as if no other forces acted, which is exact (G.
 * E. Uhlenbeck and L. S. Ornstein, Phys. Rev. 36, 823, 1930), with normal deviates xi:
 *
 *     v -> v e^-x + sqrt(T / m (1 - e^-2x)) xi,   x = c dt / m.
 *
 * Particles move with the mean of the velocities before and after, and the forces act in two
 * halves: that is the BAOAB method (B. Leimkuhler and C. Matthews, Appl. Math. Res. Express 2013,
 * 34). Averages over configurations have errors of second order, and none where forces are linear.
 * A particle that bounces in a substep keeps a Maxwellian velocity.
 *
 * Alone this would spread free particles too fast, by the factor (x / 2) / tanh(x / 2). So they
 * move, under forces too, with velocities smaller by its square root, that is, as if their masses
 * were larger by the factor. Then the diffusivity, T / c, and how far a constant force
 * F moves them in a time, F / c, are exact for any x (D. Sivak, J. Chodera and G. Crooks, J. Phys.
 * Chem. B 118, 6466, 2014). Between substeps velocities belong to the true masses.
 *
 * The deviates are a pure function of the seed, the particle and the substep.
 */

/* What depends on the mass and on dt; and a velocity. */
struct langevin_particle {
    double decay;       /* e^-x */
    double scale;       /* of its velocity while it moves */
    double noise;       /* standard deviation of the change of that */
    struct vector half; /* the second half of the change in this substep */
};

struct langevin {
    struct term term; /* the first member: see term.h */
    double temperature, friction;
    uint64_t seed;
    double dt; /* for which particles are prepared; 0: none yet */
    struct langevin_particle *particles;
};

static enum status langevin_create(struct term *term, const struct text_arguments *arguments,
                                   struct steps *steps)
{
    struct langevin *self = (struct langevin *)term;
    steps->bath = term;
    self->seed = steps->seed;
    self->temperature = arguments->numbers[0];
    self->friction = steps->friction = arguments->numbers[1];
    self->particles = term->memory = memory_allocate(steps->system->count, sizeof *self->particles,
                                                     "the particles in a bath", steps->error);
    return self->particles ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status langevin_begin(struct term *term, struct steps *steps)
{
    struct langevin *self = (struct langevin *)term;
    for (size_t k = 0; k < steps->system->count && steps->dt != self->dt; k++) {
        const double x = self->friction * steps->dt * steps->inverse_mass[k];
        const double square = steps_bath_scale(x);
        const double lost = 2 * x * elementary_mean_decay(2 * x); /* 1 - e^-2x */
        self->particles[k] = (struct langevin_particle){
            .decay = elementary_exp(-x),
            .scale = sqrt(square),
            .noise = sqrt(self->temperature * steps->inverse_mass[k] * lost * square)};
    }
    self->dt = steps->dt;
    for (size_t k = 0; k < steps->system->count; k++) {
        steps->system->particles[k].u *= self->particles[k].scale;
        steps->system->particles[k].v *= self->particles[k].scale;
    }
    return STATUS_DONE;
}

/* Gives a particle the mean of its velocities before and after. */
static void langevin_kick(struct term *term, const struct steps *steps, size_t k)
{
    const struct langevin *bath = (const struct langevin *)term;
    struct langevin_particle *self = &bath->particles[k];
    struct particle *p = &steps->system->particles[k];
    struct random_generator generator;
    double x, y;
    random_seed_draw(&generator, bath->seed + (steps->done >> 32), (uint32_t)k,
                     (uint32_t)steps->done);
    random_normal(&generator, &x, &y);
    self->half.x = ((self->decay - 1) * p->u + self->noise * x) / 2;
    self->half.y = ((self->decay - 1) * p->v + self->noise * y) / 2;
    p->u += self->half.x;
    p->v += self->half.y;
}

static void langevin_kick_again(void *user, size_t begin, size_t end)
{
    const struct langevin *self = user;
    for (size_t k = begin; k < end; k++) {
        self->term.steps->system->particles[k].u += self->particles[k].half.x;
        self->term.steps->system->particles[k].v += self->particles[k].half.y;
    }
}

static void langevin_end(void *user, size_t begin, size_t end)
{
    const struct langevin *self = user;
    for (size_t k = begin; k < end; k++) {
        self->term.steps->system->particles[k].u /= self->particles[k].scale;
        self->term.steps->system->particles[k].v /= self->particles[k].scale;
    }
}

static void langevin_state(struct term *term, const struct steps *steps, struct record *record)
{
    (void)steps;
    record_whole(record, &((struct langevin *)term)->seed, UINT64_MAX);
    record_end_line(record);
}

const struct term_kind langevin_kind = {
    .name = "langevin",
    .size = sizeof(struct langevin),
    .rank = RANK_BATH,
    .traits = {.is_single = 1, .is_bath = 1},
    .parameters = {{"temperature", NAN, 0, SYSTEM_LARGEST}, {"friction", NAN, 0, SYSTEM_LARGEST}},
    .create = langevin_create,
    .act = {[PHASE_ADVANCE] = langevin_begin},
    .divide = {[PHASE_RATES] = langevin_kick_again, [PHASE_END] = langevin_end},
    .kick = langevin_kick,
    .state = langevin_state,
};
