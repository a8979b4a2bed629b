/*
 * Langevin dynamics: a bath of temperature T slows particles down with the friction c, mass per
 * time, and kicks them at random: Brownian motion, and equilibrium at a temperature.
 *
 * In the middle of a substep velocities change as those of free particles in the bath do, which is
 * exact (G. E. Uhlenbeck and L. S. Ornstein, Phys. Rev. 36, 823, 1930), with normal deviates xi:
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
 * Chem. B 118, 6466, 2014). Between substeps velocities are those of the true masses.
 *
 * The deviates are a pure function of the seed, the particle and the substep.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "term.h"

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

double steps_bath_scale(double x)
{
    return 2 * elementary_mean_decay(x) / (1 + elementary_exp(-x));
}

static enum status langevin_create(struct term *term, const struct arguments *arguments,
                                   struct steps *steps)
{
    struct langevin *self = (struct langevin *)term;
    steps->bath = self;
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
void langevin_kick(struct langevin *bath, const struct steps *steps, size_t k)
{
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

static enum status langevin_kick_again(struct term *term, struct steps *steps)
{
    const struct langevin *self = (const struct langevin *)term;
    for (size_t k = 0; k < steps->system->count; k++) {
        steps->system->particles[k].u += self->particles[k].half.x;
        steps->system->particles[k].v += self->particles[k].half.y;
    }
    return STATUS_DONE;
}

static enum status langevin_end(struct term *term, struct steps *steps)
{
    const struct langevin *self = (const struct langevin *)term;
    for (size_t k = 0; k < steps->system->count; k++) {
        steps->system->particles[k].u /= self->particles[k].scale;
        steps->system->particles[k].v /= self->particles[k].scale;
    }
    return STATUS_DONE;
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
    .is_single = 1,
    .parameters = {{"temperature", NAN, 0, SYSTEM_LARGEST}, {"friction", NAN, 0, SYSTEM_LARGEST}},
    .create = langevin_create,
    .act = {[PHASE_ADVANCE] = langevin_begin,
            [PHASE_RATES] = langevin_kick_again,
            [PHASE_END] = langevin_end},
    .state = langevin_state,
};
