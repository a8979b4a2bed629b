/*
 * Smoothed particle hydrodynamics: a weakly compressible fluid. Each particle is a volume of fluid
 * with its mass. (J. J. Monaghan, J. Comput. Phys. 110, 399, 1994; interaction
 * framework report, "Smoothed Particle Hydrodynamics".) With the kernel W of sph.h, V = m /
 * density, and sums over the others near i:
 *
 *     d rho_i / dt = rho_i sum V_j (u_i - u_j) . grad W + diffusion,
 *     p = density c^2 / gamma ((rho / density)^gamma - 1),
 *     force on i = - sum V_i V_j (p_i + p_j) grad W + viscous forces.
 *
 * The volumes V are those at pressure 0, which differ by about a percent from the present ones. So
 * a square lattice under a linear pressure is in balance to rounding errors; grad W is scaled to
 * make its sums exact there. The work of the forces equals the energy of the densities.
 *
 * The densities are integrated, not summed from the positions, so they are right at a free surface,
 * too. They change by the new velocities, at the new positions, and the next forces use the new
 * densities: for sound, too, that is the symplectic Euler method. Their diffusion, DIFFUSION h c
 * times the Laplacian, damps the noise of the pressure (D. Molteni
 * and A. Colagrossi, Comput. Phys. Commun. 180, 861, 2009). The hydrostatic gradient
 * does not diffuse, so water at rest does not change (M. Antuono et al., Comput. Phys. Commun. 181,
 * 532, 2010; here the forces give that gradient).
 *
 * `viscosity` is Monaghan's alpha, here for approaching and separating particles alike: the
 * kinematic viscosity is alpha h c / 8 in two dimensions (J. J. Monaghan, Rep. Prog. Phys. 68,
 * 1703, 2005, section 8).
 *
 * At pressures less than 0 particles cluster. `shifting` moves them down the gradient of their
 * number density (S. J. Lind et al., J. Comput. Phys. 231, 1499, 2012).
 */
#include "sph.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <inttypes.h>

static const double DIFFUSION = 0.1; /* the usual value */

/* The part of a smoothing length that sound may travel in a substep. Still water is stable with
 * 0.8, too; the margin is for fluid under impacts. */
static const double COURANT = 0.4;

/* The range of the smoothing length, in units of the spacing of the particles. */
static const double MIN_SMOOTHING = 0.9;
static const double MAX_SMOOTHING = 4;

enum { MAX_FACTORS = 16 }; /* of a power by multiplication */

struct sph {
    struct part part; /* the first member: see part.h */
    double density;   /* where the pressure is 0, mass/area */
    double sound;     /* c, length/time */
    double smoothing; /* h, length */
    double viscosity; /* alpha */
    double gamma;
    double shifting;   /* diffusivity of the particles, in units of h c */
    double slope;      /* of the gradient of the kernel, 1 / length^4 */
    double *densities; /* of each particle, mass/area; owned */
    struct sph_list list;
    struct sph_walls walls;
    int is_listed; /* the list has the present positions and velocities */
};

static void sph_free(struct part *part)
{
    struct sph *self = (struct sph *)part;
    memory_free(self->densities);
    sph_list_free(&self->list);
    sph_walls_free(&self->walls);
}

/* x^power; small whole powers by multiplication, which takes a tenth of the time. */
static double power_of(double x, double power)
{
    double product = 1;
    if (power <= MAX_FACTORS && power == floor(power)) {
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

/* The spacing of particles of this mass, length. */
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
        if (self->smoothing < MIN_SMOOTHING * spacing || self->smoothing > MAX_SMOOTHING * spacing)
            return error_set(error, STATUS_USAGE,
                             "sph: particle %zu of mass %g in a fluid of density %g takes a square "
                             "of side %g, and smoothing=%g should be 1.2 to 2 times that: choose "
                             "another smoothing, or masses of density times spacing squared",
                             k, mass, self->density, spacing, self->smoothing);
    }
    return STATUS_DONE;
}

/* Refuses substeps in which sound or viscosity would reach too far. */
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

static enum status sph_create(struct part *part, const struct arguments *arguments,
                              struct steps *steps, struct error *error)
{
    const double *numbers = arguments->numbers;
    const struct system *system = steps->system;
    struct sph *self = (struct sph *)part;
    self->density = numbers[0];
    self->sound = numbers[1];
    self->smoothing = numbers[2];
    self->viscosity = numbers[3];
    self->gamma = numbers[4];
    self->walls.wall_friction = numbers[5];
    self->shifting = numbers[6];
    steps_limit_move(steps, self->smoothing / 2);
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

/* Lists the fluid at its present positions and velocities. */
static enum status list_fluid(struct sph *self, const struct system *system, struct error *error)
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

/* The root of a particle's tree, the particle of the lowest number in its connected component. It
 * halves the path there (R. E. Tarjan, J. ACM 22, 215, 1975). */
static uint32_t find_root(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

static void join_trees(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    uint32_t *parent = context;
    const uint32_t a = find_root(parent, (uint32_t)i);
    const uint32_t b = find_root(parent, (uint32_t)j);
    (void)dx, (void)dy, (void)square;
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* The potential energy of a particle per mass. */
static double potential(const struct sph_walls *walls, const struct particle *p)
{
    return -(walls->gravity.x * p->x + walls->gravity.y * p->y);
}

/* The highest potential of each tree, in `tops` at its root; -INFINITY if it touches no wall. */
static void find_tops(const struct system *system, const struct sph_walls *walls, uint32_t *parent,
                      double *tops)
{
    for (size_t k = 0; k < system->count; k++)
        tops[k] = (double)-INFINITY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const uint32_t root = find_root(parent, (uint32_t)k);
        if (sph_walls_touch(walls, p->x, p->y))
            tops[root] = potential(walls, &system->particles[root]);
    }
    for (size_t k = 0; k < system->count; k++) {
        const uint32_t root = find_root(parent, (uint32_t)k);
        if (isfinite(tops[root]))
            tops[root] = fmax(tops[root], potential(walls, &system->particles[k]));
    }
}

/*
 * Finds the depth of each particle: its potential per mass below that of the highest particle of
 * its connected component, in which neighbours are within reach of the kernel; length^2/time^2. It
 * is 0 in components that touch no wall, because a drop that falls has no pressure. `depths` has
 * room for all particles; `near` lists them. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
static enum status find_depths(const struct system *system, const struct neighbours *near,
                               const struct sph_walls *walls, double *depths, struct error *error)
{
    uint32_t *parent = memory_allocate(system->count, sizeof *parent, "the fluid's parts", error);
    double *tops = memory_allocate(system->count, sizeof *tops, "the fluid's parts", error);
    if (parent && tops) {
        for (size_t k = 0; k < system->count; k++)
            parent[k] = (uint32_t)k;
        neighbours_each(near, system, 2 * walls->smoothing, join_trees, parent);
        find_tops(system, walls, parent, tops);
        for (size_t k = 0; k < system->count; k++) {
            const double top = tops[find_root(parent, (uint32_t)k)];
            depths[k] = isfinite(top) ? top - potential(walls, &system->particles[k]) : 0;
        }
    }
    const int is_done = parent && tops;
    memory_free(parent);
    memory_free(tops);
    return is_done ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Sets the densities of a fluid at rest. Its surface is half a spacing above the highest particle.
 */
static enum status set_rest_densities(struct sph *self, const struct system *system, double spacing,
                                      struct error *error)
{
    const struct vector *gravity = &self->walls.gravity;
    const double half = 0.5 * spacing * sqrt(gravity->x * gravity->x + gravity->y * gravity->y);
    enum status status = list_fluid(self, system, error);
    if (!status)
        status = find_depths(system, &self->list.near, &self->walls, self->densities, error);
    for (size_t k = 0; k < system->count && !status; k++) {
        const double depth = self->densities[k];
        self->densities[k] = density_at(self, depth > 0 ? self->density * (depth + half) : 0);
    }
    return status;
}

double sph_lattice_moment(double smoothing, double spacing)
{
    const int reach = (int)ceil(2 * smoothing / spacing);
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            const double square = (double)(i * i + j * j) * spacing * spacing;
            const double closeness = sph_closeness(square, 0.5 / smoothing);
            sum += closeness * closeness * closeness * square / 2; /* x and y are equal */
        }
    }
    return sum * sph_slope(smoothing) * spacing * spacing;
}

static enum status sph_prepare(struct part *part, struct steps *steps, struct error *error)
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
    self->walls.min_pressure = self->shifting > 0 ? -(double)INFINITY : 0;
    self->slope = sph_slope(self->smoothing) / sph_lattice_moment(self->smoothing, spacing);
    return status || steps->is_resumed ? status : set_rest_densities(self, system, spacing, error);
}

/* Sets the volumes of the list, and returns the coefficients of the sums. */
static struct sph_coefficients set_volumes(struct sph *self, const struct system *system)
{
    for (size_t at = 0; at < self->list.near.count; at++) {
        const uint32_t k = self->list.near.number[at];
        self->list.volume[at] = system_mass(system, &system->particles[k]) / self->density;
    }
    return (struct sph_coefficients){.per_reach = 0.5 / self->smoothing,
                                     .viscous = self->viscosity * self->smoothing * self->sound *
                                                self->density,
                                     .regularization = 0.01 * self->smoothing * self->smoothing};
}

static enum status sph_add_forces(struct part *part, struct steps *steps, double dt,
                                  struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double slope = self->slope;
    (void)dt;
    enum status status = self->is_listed ? STATUS_DONE : list_fluid(self, steps->system, error);
    if (status)
        return status;
    const struct sph_coefficients coefficients = set_volumes(self, steps->system);
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = pressure_of(self, self->densities[list->near.number[at]]);
    sph_walls_extrapolate(&self->walls, list, self->density);
    sph_sum_forces(list, &coefficients);
    sph_walls_add_forces(&self->walls, list, &coefficients);
    for (size_t at = 0; at < list->near.count; at++) {
        struct vector *force = &steps->force[list->near.number[at]];
        force->x += slope * list->x_sum[at];
        force->y += slope * list->y_sum[at];
    }
    return STATUS_DONE;
}

/* Shifts the particles. With a pressure of 1/2 the sums of forces are those of grad W. */
static enum status sph_advance(struct part *part, struct steps *steps, double dt,
                               struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double spread = self->shifting * self->smoothing * self->sound * dt * self->slope;
    (void)error;
    if (spread == 0)
        return STATUS_DONE;
    struct sph_coefficients coefficients = set_volumes(self, steps->system);
    coefficients.viscous = 0;
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = 0.5;
    for (size_t k = 0; k < self->walls.count; k++)
        self->walls.pressure[k] = 0.5;
    sph_sum_forces(list, &coefficients);
    sph_walls_add_forces(&self->walls, list, &coefficients);
    for (size_t at = 0; at < list->near.count; at++) {
        struct particle *p = &steps->system->particles[list->near.number[at]];
        p->x += spread * list->x_sum[at] / list->volume[at];
        p->y += spread * list->y_sum[at] / list->volume[at];
    }
    return STATUS_DONE;
}

static enum status report_density(const struct steps *steps, size_t k, double density,
                                  struct error *error)
{
    return error_set(error, STATUS_BAD_DATA,
                     "the density at particle %zu became %g in substep %" PRIu64
                     ": reduce --step, raise --substeps, or take a larger sound-speed",
                     k, density, steps->done);
}

/* With shifting, which is for a fluid without a surface, the mean density is conserved. */
static double mean_density(const struct sph *self, const struct system *system)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum += self->densities[k];
    return sum / (double)system->count;
}

/*
 * Sets the densities that diffuse, and their hydrostatic gradients, which do not. The gradient of
 * the pressure follows from the acceleration of a particle without gravity.
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

static enum status sph_end_substep(struct part *part, struct steps *steps, double dt,
                                   struct error *error)
{
    struct sph *self = (struct sph *)part;
    struct sph_list *list = &self->list;
    const double rate = self->slope * dt;
    enum status status = list_fluid(self, steps->system, error);
    if (status)
        return status;
    const struct sph_coefficients coefficients = set_volumes(self, steps->system);
    const double before = mean_density(self, steps->system);
    set_diffusing(self, steps);
    sph_sum_rates(list, &coefficients);
    sph_walls_add_rates(&self->walls, list);
    for (size_t at = 0; at < list->near.count; at++) { /* with images */
        const size_t k = list->near.number[at];
        self->densities[k] -= rate * self->densities[k] * list->x_sum[at];
    }
    const double kept = self->shifting > 0 ? before / mean_density(self, steps->system) : 1;
    for (size_t k = 0; k < steps->system->count; k++)
        self->densities[k] *= kept;
    for (size_t k = 0; k < steps->system->count; k++)
        if (!(self->densities[k] > 0 && isfinite(self->densities[k])))
            return report_density(steps, k, self->densities[k], error);
    return STATUS_DONE;
}

/* The energy of compression: the integral of p / rho over the density, times the volumes. */
static enum status sph_energy(struct part *part, struct steps *steps, double *sum,
                              struct error *error)
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

static void sph_save(const struct part *part, const struct steps *steps,
                     struct record_writer *writer)
{
    const struct sph *self = (const struct sph *)part;
    for (size_t k = 0; k < steps->system->count; k++)
        record_put_number(writer, self->densities[k]);
    record_end_line(writer);
}

static void sph_load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct sph *self = (struct sph *)part;
    for (size_t k = 0; k < steps->system->count && !reader->status; k++)
        self->densities[k] = record_take_number(reader, DBL_MIN, DBL_MAX);
    record_expect_line_end(reader);
}

const struct part_kind sph_kind = {
    .name = "sph",
    .size = sizeof(struct sph),
    .is_single = 1,
    .parameters = {{"density", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sound-speed", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"smoothing", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"viscosity", NAN, 0, 1000},
                   {"gamma", 7, 1, 100},
                   {"grip", 0.5, 0, 1},
                   {"shifting", 0, 0, 1}},
    .create = sph_create,
    .prepare = sph_prepare,
    .act = {[PHASE_FORCES] = sph_add_forces,
            [PHASE_ADVANCE] = sph_advance,
            [PHASE_END] = sph_end_substep},
    .energy = sph_energy,
    .save = sph_save,
    .load = sph_load,
    .free = sph_free,
};

const struct sph *sph_of(const struct steps *steps)
{
    return (const struct sph *)steps_find(steps, &sph_kind);
}

double sph_density(const struct sph *fluid, size_t k)
{
    return fluid->densities[k];
}

double sph_pressure(const struct sph *fluid, size_t k)
{
    return pressure_of(fluid, fluid->densities[k]);
}
