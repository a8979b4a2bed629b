/*
 * Smoothed particle hydrodynamics: a weakly compressible fluid. Each particle is a piece of fluid
 * with the mass of its input. (J. J. Monaghan, J. Comput. Phys. 110, 399, 1994; interaction
 * framework report, "Smoothed Particle Hydrodynamics".) With W the kernel of sph_kernel.h, V = m /
 * density, and sums over the others near i:
 *
 *     d rho_i / dt = rho_i sum V_j (u_i - u_j) . grad W + diffusion,
 *     p = density c^2 / gamma ((rho / density)^gamma - 1),
 *     force on i = - sum V_i V_j (p_i + p_j) grad W + viscous forces.
 *
 * The volumes V are those without pressure, which differ by a percent or so from the others. So
 * a square lattice under a pressure that grows linearly is in balance to rounding; grad W is scaled
 * to make its sums there exact. The work of the forces is what the densities gain, to the last
 * term.
 *
 * The densities are carried on from substep to substep, not summed up anew, so they are right at a
 * free surface, too. They go with the particles' new velocities, after these have moved, and the
 * next forces with the new densities: for sound, too, that is the symplectic Euler method. Their
 * diffusion, DIFFUSION h c times the Laplacian, takes away the noise of the pressure (D. Molteni
 * and A. Colagrossi, Comput. Phys. Commun. 180, 861, 2009). The gradient that they have in balance
 * does not diffuse, so water at rest stays as it is (M. Antuono et al., Comput. Phys. Commun. 181,
 * 532, 2010; here that gradient follows from the forces).
 *
 * `viscosity` is Monaghan's alpha, here for approaching and parting particles alike, so that it is
 * the kinematic viscosity alpha h c / 8 of a fluid in two dimensions (J. J. Monaghan, Rep. Prog.
 * Phys. 68, 1703, 2005, section 8).
 *
 * Where pressures are less than 0, particles stick together. `shifting` spreads them, down the
 * gradient of how many there are (S. J. Lind et al., J. Comput. Phys. 231, 1499, 2012).
 */
#include "sph.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "parts.h"
#include "sph_kernel.h"
#include "sph_start.h"
#include "sph_sums.h"
#include "sph_walls.h"
#include "stepping.h"

#include <inttypes.h>

static const double DIFFUSION = 0.1; /* as usual with this method */

/* The part of a smoothing length that sound may go in a substep. Still water stays still with 0.8,
 * too; the rest is for fluid that is squeezed. */
static const double COURANT = 0.4;

/* How many times the spacing of the particles the smoothing length may be. */
static const double LEAST_SMOOTHING = 0.9;
static const double MOST_SMOOTHING = 4;

enum { MOST_FACTORS = 16 }; /* of a power that is multiplied out */

struct sph {
    struct part part; /* the first member: see part.h */
    double density;   /* where the pressure is 0, mass/area */
    double sound;     /* c, length/time */
    double smoothing; /* h, length */
    double viscosity; /* alpha */
    double gamma;
    double shifting;   /* in units of h c, the diffusivity by which particles are spread evenly */
    double slope;      /* of the kernel, 1 / length^4 */
    double *densities; /* of each particle, mass/area; owned */
    struct sph_list list;
    struct sph_walls walls;
    int is_listed; /* the list is of the particles as they are now */
};

static void free_sph(struct part *part)
{
    struct sph *self = (struct sph *)part;
    memory_free(self->densities);
    sph_list_free(&self->list);
    sph_walls_free(&self->walls);
    memory_free(self);
}

/* x^power; for whole powers by multiplication, which takes a tenth of the time. */
static double power_of(double x, double power)
{
    double product = 1;
    if (power <= MOST_FACTORS && power == floor(power)) {
        for (int k = 0; k < (int)power; k++)
            product *= x;
        return product;
    }
    const double exponent = power * elementary_log(x);
    return exponent > 0 ? 1 / elementary_exp(-exponent) : elementary_exp(exponent);
}

static double stiffness(const struct sph *self)
{
    return self->density * self->sound * self->sound / self->gamma;
}

static double pressure_of(const struct sph *self, double density)
{
    return stiffness(self) * (power_of(density / self->density, self->gamma) - 1);
}

/* The density at a pressure. */
static double density_at(const struct sph *self, double pressure)
{
    return self->density * power_of(1 + pressure / stiffness(self), 1 / self->gamma);
}

/* The spacing of particles with so much mass, length. */
static double spacing_of(const struct sph *self, double mass)
{
    return sqrt(mass / self->density);
}

static enum status check_spacing(const struct sph *self, const struct system *system,
                                 struct error *error)
{
    for (size_t k = 0; k < system->count; k++) {
        const double mass = system_mass(system, &system->particles[k]);
        const double spacing = spacing_of(self, mass);
        if (self->smoothing < LEAST_SMOOTHING * spacing ||
            self->smoothing > MOST_SMOOTHING * spacing)
            return error_set(error, STATUS_USAGE,
                             "sph: particle %zu of mass %g in a fluid of density %g takes a square "
                             "of side %g, and smoothing=%g should be 1.2 to 2 times that: choose "
                             "another smoothing, or masses of density times spacing squared",
                             k, mass, self->density, spacing, self->smoothing);
    }
    return STATUS_DONE;
}

/* Sound and viscosity must not go too far in a substep. */
static enum status check_substep(const struct sph *self, const struct steps *steps,
                                 struct error *error)
{
    const double dt = steps->step / steps->substeps;
    const double most = COURANT * self->smoothing / (self->sound * fmax(1, self->viscosity));
    if (dt <= most)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "sph: a substep of %g is too long: with this sound-speed, smoothing and "
                     "viscosity, it may be %g; reduce --step, or raise --substeps",
                     dt, most);
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    const double *numbers = arguments->numbers;
    const struct system *system = steps->system;
    if (sph_of(steps))
        return error_set(error, STATUS_USAGE, "sph is given twice: all particles are one fluid");
    struct sph *self = memory_allocate(1, sizeof *self, "the fluid", error);
    if (!self)
        return STATUS_NO_MEMORY;
    *self = (struct sph){.density = numbers[0],
                         .sound = numbers[1],
                         .smoothing = numbers[2],
                         .viscosity = numbers[3],
                         .gamma = numbers[4],
                         .walls.grip = numbers[5],
                         .shifting = numbers[6]};
    *part = &self->part;
    steps_limit(steps, self->smoothing / 2);
    self->densities =
        memory_allocate(system->count, sizeof *self->densities, "the densities", error);
    enum status status = self->densities ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status)
        status = neighbours_check(&system->boundary, "sph", 2 * self->smoothing, error);
    if (!status)
        status = check_spacing(self, system, error);
    return status ? status : check_substep(self, steps, error);
}

static double mean_spacing(const struct sph *self, const struct system *system)
{
    double mass = 0;
    for (size_t k = 0; k < system->count; k++)
        mass += system_mass(system, &system->particles[k]);
    return spacing_of(self, mass / (double)system->count);
}

/* Lists the fluid as it is now. */
static enum status find_list(struct sph *self, const struct system *system, struct error *error)
{
    enum status status = sph_list_find(&self->list, system, 2 * self->smoothing, error);
    for (size_t at = 0; at < self->list.near.count && !status; at++) {
        const struct particle *p = &system->particles[self->list.near.number[at]];
        self->list.u[at] = p->u;
        self->list.v[at] = p->v;
    }
    self->is_listed = !status;
    return status;
}

/* Gives the fluid the densities that it has at rest. The surface is half a spacing above the
 * highest particle. */
static enum status rest(struct sph *self, const struct system *system, double spacing,
                        struct error *error)
{
    const struct vector *gravity = &self->walls.gravity;
    const double half = 0.5 * spacing * sqrt(gravity->x * gravity->x + gravity->y * gravity->y);
    enum status status = find_list(self, system, error);
    if (!status)
        status = sph_start(system, &self->list.near, &self->walls, self->densities, error);
    for (size_t k = 0; k < system->count && !status; k++) {
        const double depth = self->densities[k];
        self->densities[k] = density_at(self, depth > 0 ? self->density * (depth + half) : 0);
    }
    return status;
}

static enum status prepare(struct part *part, struct steps *steps, struct error *error)
{
    struct sph *self = (struct sph *)part;
    const struct system *system = steps->system;
    const struct boundary *boundary = &system->boundary;
    const double spacing = mean_spacing(self, system);
    struct vector gravity = gravity_sum(steps);
    if (boundary->periodic & PERIODIC_X)
        gravity.x = 0;
    if (boundary->periodic & PERIODIC_Y)
        gravity.y = 0;
    enum status status = sph_walls_create(&self->walls, boundary, spacing, self->smoothing, error);
    self->walls.gravity = gravity;
    self->walls.least = self->shifting > 0 ? -(double)INFINITY : 0;
    self->slope = sph_slope(self->smoothing) / sph_lattice_moment(self->smoothing, spacing);
    return status || steps->is_resumed ? status : rest(self, system, spacing, error);
}

/* The numbers of the sums, and the volumes, as the densities are now. */
static struct sph_law prepare_sums(struct sph *self, const struct system *system)
{
    for (size_t at = 0; at < self->list.near.count; at++) {
        const uint32_t k = self->list.near.number[at];
        self->list.volume[at] = system_mass(system, &system->particles[k]) / self->density;
    }
    return (struct sph_law){.per_reach = 0.5 / self->smoothing,
                            .viscous =
                                self->viscosity * self->smoothing * self->sound * self->density,
                            .least = 0.01 * self->smoothing * self->smoothing};
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double slope = self->slope;
    (void)dt;
    enum status status = self->is_listed ? STATUS_DONE : find_list(self, steps->system, error);
    if (status)
        return status;
    const struct sph_law law = prepare_sums(self, steps->system);
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = pressure_of(self, self->densities[list->near.number[at]]);
    sph_walls_extrapolate(&self->walls, list, self->density);
    sph_sum_forces(list, &law);
    sph_walls_add_forces(&self->walls, list, &law);
    for (size_t at = 0; at < list->near.count; at++) {
        struct vector *force = &steps->force[list->near.number[at]];
        force->x += slope * list->x_sum[at];
        force->y += slope * list->y_sum[at];
    }
    return STATUS_DONE;
}

/* Shifts the particles; the pressure of 1/2 makes the sums those of grad W. */
static enum status advance(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double spread = self->shifting * self->smoothing * self->sound * dt * self->slope;
    (void)error;
    if (spread == 0)
        return STATUS_DONE;
    struct sph_law law = prepare_sums(self, steps->system);
    law.viscous = 0;
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = 0.5;
    for (size_t k = 0; k < self->walls.count; k++)
        self->walls.pressure[k] = 0.5;
    sph_sum_forces(list, &law);
    sph_walls_add_forces(&self->walls, list, &law);
    for (size_t at = 0; at < list->near.count; at++) {
        struct particle *p = &steps->system->particles[list->near.number[at]];
        p->x += spread * list->x_sum[at] / list->volume[at];
        p->y += spread * list->y_sum[at] / list->volume[at];
    }
    return STATUS_DONE;
}

static enum status refuse_density(const struct steps *steps, size_t k, double density,
                                  struct error *error)
{
    return error_set(error, STATUS_BAD_DATA,
                     "the density at particle %zu became %g in substep %" PRIu64
                     ": reduce --step, raise --substeps, or take a larger sound-speed",
                     k, density, steps->done);
}

/* A fluid that fills its box keeps it. */
static double mean_density(const struct sph *self, const struct system *system)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum += self->densities[k];
    return sum / (double)system->count;
}

/*
 * What diffuses: the density, and the gradient that it has in balance, without which water at rest
 * would diffuse. Where a particle is accelerated by its force, gravity left out, that is the
 * gradient of the pressure.
 */
static void set_diffusing(struct sph *self, const struct steps *steps)
{
    struct sph_list *list = &self->list;
    const struct vector gravity = gravity_sum(steps);
    const double scale = 2 * DIFFUSION * self->smoothing * self->sound / self->density;
    const double half = 0.5 * scale * self->density / (self->sound * self->sound);
    for (size_t at = 0; at < list->near.count; at++) {
        const uint32_t k = list->near.number[at];
        const double per_mass = 1 / system_mass(steps->system, &steps->system->particles[k]);
        list->value[at] = scale * self->densities[k];
        list->x_slope[at] = half * (gravity.x - steps->force[k].x * per_mass);
        list->y_slope[at] = half * (gravity.y - steps->force[k].y * per_mass);
    }
}

static enum status follow(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double rate = self->slope * dt;
    enum status status = find_list(self, steps->system, error);
    if (status)
        return status;
    const struct sph_law law = prepare_sums(self, steps->system);
    const double before = mean_density(self, steps->system);
    set_diffusing(self, steps);
    sph_sum_rates(list, &law);
    sph_walls_add_rates(&self->walls, list);
    for (size_t at = 0; at < list->near.count; at++) { /* images, too */
        const size_t k = list->near.number[at];
        self->densities[k] -= rate * self->densities[k] * list->x_sum[at];
    }
    const double kept = self->shifting > 0 ? before / mean_density(self, steps->system) : 1;
    for (size_t k = 0; k < steps->system->count; k++)
        self->densities[k] *= kept;
    for (size_t k = 0; k < steps->system->count; k++)
        if (!(self->densities[k] > 0 && isfinite(self->densities[k])))
            return refuse_density(steps, k, self->densities[k], error);
    return STATUS_DONE;
}

/* What it has taken to compress the fluid: the integral of p / rho over the density, times the
 * particles' volumes. */
static enum status energy(struct part *part, struct steps *steps, double *sum, struct error *error)
{
    const struct sph *self = (const struct sph *)part;
    (void)error;
    *sum = 0;
    for (size_t k = 0; k < steps->system->count; k++) {
        const double ratio = self->densities[k] / self->density;
        const double volume =
            system_mass(steps->system, &steps->system->particles[k]) / self->density;
        *sum += volume * stiffness(self) *
                ((power_of(ratio, self->gamma) - 1) / self->gamma - elementary_log(ratio));
    }
    return STATUS_DONE;
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
{
    const struct sph *self = (const struct sph *)part;
    for (size_t k = 0; k < steps->system->count; k++)
        record_put_number(writer, self->densities[k]);
    record_end_line(writer);
}

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct sph *self = (struct sph *)part;
    for (size_t k = 0; k < steps->system->count && !reader->status; k++)
        self->densities[k] = record_take_number(reader, DBL_MIN, DBL_MAX);
    record_expect_line_end(reader);
}

const struct part_kind sph_kind = {
    .name = "sph",
    .parameters = {{"density", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sound-speed", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"smoothing", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"viscosity", NAN, 0, 1000},
                   {"gamma", 7, 1, 100},
                   {"grip", 0.5, 0, 1},
                   {"shifting", 0, 0, 1}},
    .create = create,
    .prepare = prepare,
    .act = act,
    .advance = advance,
    .follow = follow,
    .energy = energy,
    .save = save,
    .load = load,
    .free = free_sph,
};

const struct sph *sph_of(const struct steps *steps)
{
    for (size_t k = 0; k < steps->interaction_count; k++)
        if (steps->interactions[k]->kind == &sph_kind)
            return (const struct sph *)steps->interactions[k];
    return NULL;
}

double sph_density(const struct sph *fluid, size_t k)
{
    return fluid->densities[k];
}

double sph_pressure(const struct sph *fluid, size_t k)
{
    return pressure_of(fluid, fluid->densities[k]);
}
