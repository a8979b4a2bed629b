/* Forces between two particles: elastic disks, simple atoms, gravitation and electric charges. */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "term.h"

#include <string.h>

/* ---- spring ---- */

/*
 * Elastic disks: particles that overlap push each other apart like a spring, and a dashpot takes
 * energy from them, so that a collision has the restitution e:
 *
 *     F = k overlap + damping d(overlap)/dt,   damping = -2 ln e sqrt(m k) / sqrt(pi^2 + ln^2 e)
 *
 * with the reduced mass m of the two (P. Cundall and O. Strack, Geotechnique 29, 47, 1979; for the
 * damping, Y. Tsuji, T. Tanaka and T. Ishida, Powder Technol. 71, 239, 1992). The contact ends
 * with the overlap; near its end the dashpot pulls, as that formula assumes. Walls are no springs.
 *
 * Two corrections make the restitution right within about 1 % with 40 substeps in a contact. The
 * stored velocities are of the middle of the substep; the force is computed from the velocities at
 * its end. And in the first and the last substep the dashpot acts only while the disks overlap.
 */

enum { SPRING_MIN_SUBSTEPS = 40 }; /* substeps in a period: 20 in a contact, which is half of one */

struct spring {
    struct term term; /* the first member: see term.h */
    double stiffness; /* k, force per length */
    double damping;   /* ratio to the critical one, 2 sqrt(m k): 0 to 1 */
    double range;     /* twice the largest radius; 0: all are points */
};

static enum status spring_create(struct term *term, const struct text_arguments *arguments,
                                 struct steps *steps)
{
    struct spring *self = (struct spring *)term;
    self->range = contact_range(steps);
    self->stiffness = arguments->numbers[0];
    self->damping = 1; /* -ln e / sqrt(pi^2 + ln^2 e) */
    if (arguments->numbers[1] >= SYSTEM_SMALLEST) {
        const double logarithm = elementary_log(arguments->numbers[1]);
        self->damping = -logarithm / sqrt(PI * PI + logarithm * logarithm);
    }
    enum status status =
        neighbours_check(&steps->system->boundary, "spring", self->range, steps->error);
    return status ? status
                  : steps_check_stiffness(steps, "spring", self->stiffness, SPRING_MIN_SUBSTEPS);
}

/* The force that pushes two particles apart; `inverse` is 1 / their reduced mass. */
static double spring_force(const struct spring *self, double overlap, double approach,
                           double inverse, int is_new)
{
    const double lag = self->term.steps->lag;
    const double moved = fabs(approach) * (2 * lag);
    double fraction = 1; /* of the time in which the forces act, for which the pair touches */
    if (lag > 0 && (approach > 0 ? is_new : overlap < moved)) /* the first or last substep */
        fraction = 0.5 + fmin(1, overlap / moved);
    const double rate = self->damping * sqrt(self->stiffness * inverse) * fraction;
    return (self->stiffness * overlap + 2 * rate / inverse * approach) / (1 + 2 * rate * lag);
}

/* Adds the force of j on i; the force of i on j has the same bits, with the opposite sign. */
static void add_spring_force(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct spring *self = context;
    const struct steps *steps = self->term.steps;
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const double contact = system_contact(steps->system, p, q);
    const double inverse = steps->inverse_mass[i] + steps->inverse_mass[j];
    if (square >= contact * contact)
        return;
    const int is_new = !contact_list_had(&self->term.touching, i, j);
    steps->system->counts[i].particles += is_new ? 1 : 0;
    if (i < j)
        contact_list_add(&self->term.touching, i, j);
    if (inverse == 0)
        return; /* both are pinned */
    const double distance = sqrt(square);
    const struct vector normal = distance > 0 ? (struct vector){dx / distance, dy / distance}
                                              : (struct vector){i < j ? 1 : -1, 0};
    const double approach = (p->u - q->u) * normal.x + (p->v - q->v) * normal.y;
    const double force = spring_force(self, contact - distance, approach, inverse, is_new);
    vector_add(&steps->force[i], -force, &normal);
}

static void spring_part(void *user, size_t begin, size_t end)
{
    struct spring *self = user;
    for (size_t i = begin; i < end; i++) {
        contact_list_begin(&self->term.touching, i, self->term.near.begins[i]);
        verlet_visit(&self->term.near, i, 0, self->range, add_spring_force, self);
    }
}

static void add_overlap_energy(void *context, size_t i, size_t j, double dx, double dy,
                               double square)
{
    const struct spring *self = context;
    struct steps *steps = self->term.steps;
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const double overlap = system_contact(steps->system, p, q) - sqrt(square);
    const double inverse = steps->inverse_mass[i] + steps->inverse_mass[j];
    const double approach = (p->u - q->u) * dx + (p->v - q->v) * dy; /* times the distance */
    if (overlap <= 0 || inverse == 0)
        return;
    steps->potential += self->stiffness * overlap * overlap / 2;
    steps->virial += self->stiffness * overlap * sqrt(square) +
                     2 * self->damping * sqrt(self->stiffness / inverse) * approach;
}

static enum status spring_add_forces(struct term *term, struct steps *steps)
{
    struct spring *self = (struct spring *)term;
    if (self->range == 0)
        return STATUS_DONE;
    enum status status =
        verlet_update(&term->near, steps->system, self->range, 0, steps->pool, steps->error);
    if (status || (status = contact_list_reserve(&term->touching, steps->system->count,
                                                 term->near.number_room, steps->error)))
        return status;
    thread_pool_divide(steps->pool, steps->system->count, spring_part, self);
    contact_list_end_substep(&term->touching);
    return STATUS_DONE;
}

static enum status spring_add_energy(struct term *term, struct steps *steps)
{
    struct spring *self = (struct spring *)term;
    return add_pair_energies(&self->term.near, steps, self->range, 0, add_overlap_energy, self);
}

static void spring_state(struct term *term, const struct steps *steps, struct record *record)
{
    contact_list_record(&term->touching, steps->system->count, record);
}

const struct term_kind spring_kind = {
    .name = "spring",
    .size = sizeof(struct spring),
    .traits = {.is_single = 1, .has_contacts = 1},
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"restitution", 1, 0, 1}},
    .create = spring_create,
    .act = {[PHASE_FORCES] = spring_add_forces, [PHASE_ENERGY] = spring_add_energy},
    .state = spring_state,
};

/* ---- lennard-jones ---- */

/*
 * The interaction of simple atoms: repulsion at distances below 2^(1/6) sigma, attraction above,
 * and a minimum of the energy of -epsilon. (J. E. Lennard-Jones, Proc. R. Soc. A 106, 463, 1924.)
 *
 *     U(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
 *
 * Force and energy are 0 beyond `cutoff`, and shifted so that neither jumps there: a jump would
 * change the energy each time that a pair crosses it (S. Toxvaerd and J. Dyre, Shifted forces in
 * molecular dynamics, J. Chem. Phys. 134, 081102, 2011): F(r) - F(cutoff), and U(r) - U(cutoff) +
 * (r - cutoff) F(cutoff).
 */

/* In units of sigma. */
static const double DEFAULT_CUTOFF = 2.5;

/* Substeps in the period of two particles; with ten times as many energy is conserved well. */
enum { LENNARD_JONES_MIN_SUBSTEPS = 20 };

struct lennard_jones {
    struct term term; /* the first member: see term.h */
    double epsilon;   /* energy */
    double sigma;     /* length */
    double cutoff;    /* length */
    double edge;      /* F(cutoff), by which forces are shifted */
};

/* (sigma/r)^6 */
static double sixth_power(const struct lennard_jones *self, double square)
{
    const double ratio = self->sigma * self->sigma / square;
    return ratio * ratio * ratio;
}

/* F(r) / r, positive for repulsion. */
static double force_by_distance(const struct lennard_jones *self, double square)
{
    const double sixth = sixth_power(self, square);
    return 24 * self->epsilon * sixth * (2 * sixth - 1) / square;
}

static double energy_at(const struct lennard_jones *self, double square)
{
    const double sixth = sixth_power(self, square);
    return 4 * self->epsilon * sixth * (sixth - 1);
}

static enum status lennard_jones_create(struct term *term, const struct text_arguments *arguments,
                                        struct steps *steps)
{
    struct lennard_jones *self = (struct lennard_jones *)term;
    self->epsilon = arguments->numbers[0];
    self->sigma = arguments->numbers[1];
    self->cutoff = arguments->numbers[2] > 0 ? arguments->numbers[2] : DEFAULT_CUTOFF * self->sigma;
    if (self->cutoff < self->sigma)
        return error_set(steps->error, STATUS_USAGE,
                         "lennard-jones: the cutoff %g is nearer than sigma, %g, where two still "
                         "repel each other; %g is usual",
                         self->cutoff, self->sigma, DEFAULT_CUTOFF * self->sigma);
    self->edge = self->cutoff * force_by_distance(self, self->cutoff * self->cutoff);
    /* U'' is 72 epsilon / (2^(1/3) sigma^2) where U is lowest. */
    const double stiffness = 57.146 * self->epsilon / (self->sigma * self->sigma);
    steps->max_move = fmin(steps->max_move, self->sigma / 2);
    enum status status = neighbours_check(&steps->system->boundary, "the cutoff of lennard-jones",
                                          self->cutoff, steps->error);
    return status ? status
                  : steps_check_stiffness(steps, "lennard-jones", stiffness,
                                          LENNARD_JONES_MIN_SUBSTEPS);
}

/* The distances of two particles from others along an axis, or those to the nearest images. */
static simd nearest_images(simd distance, double period)
{
    const simd all = simd_all(period), half = simd_all(period / 2);
    return distance - simd_only(distance > half, all) + simd_only(distance < -half, all);
}

/* Sums the forces on particles, of two neighbours at a time. Those beyond the cutoff add exactly 0,
 * and the others in the order of their numbers: so the sum does not depend on the list. */
static void lennard_jones_part(void *user, size_t begin, size_t end)
{
    const struct lennard_jones *self = user;
    const struct verlet_list *list = &self->term.near;
    const int is_periodic = isfinite(list->period.x) || isfinite(list->period.y);
    const simd cutoff = simd_all(self->cutoff * self->cutoff);
    const simd sigma = simd_all(self->sigma * self->sigma);
    const simd scale = simd_all(24 * self->epsilon);
    const simd edge = simd_all(self->edge);
    for (size_t i = begin; i < end; i++) {
        const uint32_t *near = list->numbers + list->begins[i];
        const simd x = simd_all(list->at[i].x), y = simd_all(list->at[i].y);
        simd force = simd_all(0);
        for (uint32_t n = 0; n < list->counts[i]; n += 2) {
            const double *const pair[] = {&list->at[near[n]].x, &list->at[near[n + 1]].x};
            simd dx, dy;
            simd_load_two(pair, &dx, &dy);
            dx -= x;
            dy -= y;
            if (is_periodic) {
                dx = nearest_images(dx, list->period.x);
                dy = nearest_images(dy, list->period.y);
            }
            const simd square = dx * dx + dy * dy;
            const simd inverse = 1 / square;
            const simd ratio = sigma * inverse;
            const simd sixth = ratio * ratio * ratio;
            const simd push = scale * sixth * (2 * sixth - 1) * inverse - edge * simd_root(inverse);
            dx = simd_only(square < cutoff, push * dx);
            dy = simd_only(square < cutoff, push * dy);
            force -= (simd){dx[0], dy[0]};
            force -= (simd){dx[1], dy[1]};
        }
        self->term.steps->force[i].x += force[0];
        self->term.steps->force[i].y += force[1];
    }
}

static enum status lennard_jones_add_forces(struct term *term, struct steps *steps)
{
    struct lennard_jones *self = (struct lennard_jones *)term;
    enum status status = verlet_update(&self->term.near, steps->system, self->cutoff,
                                       (double)INFINITY, steps->pool, steps->error);
    if (!status)
        thread_pool_divide(steps->pool, steps->system->count, lennard_jones_part, self);
    return status;
}

static void add_shifted_energy(void *context, size_t i, size_t j, double dx, double dy,
                               double square)
{
    const struct lennard_jones *self = context;
    (void)i, (void)j, (void)dx, (void)dy;
    self->term.steps->potential += energy_at(self, square) -
                                   energy_at(self, self->cutoff * self->cutoff) +
                                   (sqrt(square) - self->cutoff) * self->edge;
    self->term.steps->virial +=
        force_by_distance(self, square) * square - self->edge * sqrt(square);
}

static enum status lennard_jones_add_energy(struct term *term, struct steps *steps)
{
    struct lennard_jones *self = (struct lennard_jones *)term;
    return add_pair_energies(&self->term.near, steps, self->cutoff, (double)INFINITY,
                             add_shifted_energy, self);
}

const struct term_kind lennard_jones_kind = {
    .name = "lennard-jones",
    .size = sizeof(struct lennard_jones),
    .parameters = {{"epsilon", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sigma", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"cutoff", 0, SYSTEM_SMALLEST, SYSTEM_LARGEST}},
    .create = lennard_jones_create,
    .act = {[PHASE_FORCES] = lennard_jones_add_forces, [PHASE_ENERGY] = lennard_jones_add_energy},
};

/* ---- gravitation and coulomb ---- */

/*
 * Forces between all pairs of particles in proportion to 1 / distance^2, as in three dimensions.
 * Gravitation (Newton's), softened as if each mass were spread over about the softening's length
 * (H. C. Plummer, MNRAS 71, 460, 1911):
 *
 *     U(r) = -G m1 m2 / sqrt(r^2 + softening^2)
 *
 * The force between electric charges (C. A. de Coulomb, 1785); `charges` lists the charges of
 * species 0, 1, ...:
 *
 *     U(r) = k q1 q2 / r
 *
 * Each pair is computed once, and two pairs of a particle at a time, because the square root and
 * the division take two thirds of the time or more. Partners of even and of odd position are summed
 * separately, in the order of their numbers. Particles are dealt to groups, and each group has sums
 * of its own. The number of groups depends on the number of particles alone: so threads share the
 * groups, and sums are equal on every machine.
 */

enum { GROUP_PARTICLES = 125, MAX_GROUPS = 64 };

/* The coordinate of the partner of strength 0 that completes the last two pairs. */
static const double FAR_AWAY = 1e80;

/* Strengths s and t at a distance d have the energy factor s t / sqrt(d^2 + softening^2). */
struct inverse_square {
    struct term term; /* the first member: see term.h */
    double factor;    /* positive: equal signs repel each other */
    double softening; /* length, from 0 */
    size_t count;
    size_t groups;    /* of particles k, k + groups, ... */
    double *strength; /* of each particle: its mass or its charge; owned by the term */
    double *x, *y;    /* positions, length */
    double *largest;  /* 1 / (d^2 + softening^2)^(3/2) among the partners of each particle */
    double *forces; /* of each group, on each particle along x, then along y, without the factor */
};

/* Allocates the sums. A periodic box is refused: forces would reach images without end. */
static enum status inverse_square_allocate(struct inverse_square *sums, const struct system *system,
                                           struct error *error)
{
    const char *name = sums->term.kind->name;
    const size_t count = system->count;
    if (system->boundary.periodic)
        return error_set(error, STATUS_USAGE,
                         "%s is not for --periodic: it would reach images without end", name);
    sums->count = count;
    sums->groups = count / GROUP_PARTICLES;
    sums->groups = sums->groups < 1 ? 1 : sums->groups > MAX_GROUPS ? MAX_GROUPS : sums->groups;
    sums->strength = sums->term.memory =
        memory_allocate(count + 1, (4 + 2 * sums->groups) * sizeof *sums->strength, name, error);
    if (!sums->strength)
        return STATUS_NO_MEMORY;
    sums->x = sums->strength + count + 1;
    sums->y = sums->x + count + 1;
    sums->largest = sums->y + count + 1;
    sums->forces = sums->largest + count + 1;
    sums->x[count] = sums->y[count] = FAR_AWAY;
    sums->strength[count] = 0;
    return STATUS_DONE;
}

static enum status gravitation_create(struct term *term, const struct text_arguments *arguments,
                                      struct steps *steps)
{
    const struct system *system = steps->system;
    struct inverse_square *sums = (struct inverse_square *)term;
    sums->factor = -arguments->numbers[0];
    sums->softening = arguments->numbers[1];
    enum status status = inverse_square_allocate(sums, system, steps->error);
    for (size_t k = 0; k < system->count && !status; k++)
        sums->strength[k] = system_mass(system, &system->particles[k]);
    return status;
}

static enum status charge_all(struct inverse_square *sums, const struct system *system,
                              const char *list, struct error *error)
{
    size_t charged = 0;
    int32_t species = 0;
    for (const char *next = list; next; species++) {
        char text[TEXT_ITEM_SIZE];
        double charge = 0;
        next = text_list_item(next, text);
        const char *problem = text_number_within(text, -SYSTEM_LARGEST, SYSTEM_LARGEST, &charge);
        if (problem)
            return error_set(error, STATUS_USAGE,
                             "coulomb: charges takes numbers with commas between them, one for "
                             "each species, and '%s' %s",
                             text, problem);
        for (size_t k = 0; k < system->count; k++) {
            if (system_species(system, &system->particles[k]) == species) {
                sums->strength[k] = charge;
                charged++;
            }
        }
    }
    if (charged == system->count)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "coulomb: charges=%.100s has those of %d species, 0 to %d, and there are "
                     "particles of others",
                     list, (int)species, (int)species - 1);
}

static enum status coulomb_create(struct term *term, const struct text_arguments *arguments,
                                  struct steps *steps)
{
    struct inverse_square *sums = (struct inverse_square *)term;
    const char *list = arguments->texts[1] ? arguments->texts[1] : "1,-1";
    sums->factor = arguments->numbers[0];
    enum status status = inverse_square_allocate(sums, steps->system, steps->error);
    return status ? status : charge_all(sums, steps->system, list, steps->error);
}

static void copy_positions(struct inverse_square *sums, const struct system *system)
{
    for (size_t k = 0; k < sums->count; k++) {
        sums->x[k] = system->particles[k].x;
        sums->y[k] = system->particles[k].y;
    }
}

static void add_to_pair(double *pair, simd added)
{
    simd_store(pair, simd_load(pair) + added);
}

/* Adds the forces between particle i and partners of higher numbers to the sums of its group. */
static void add_partners(const struct inverse_square *sums, size_t i, double *sum_x, double *sum_y)
{
    const simd x = simd_all(sums->x[i]), y = simd_all(sums->y[i]);
    const simd strength = simd_all(sums->strength[i]);
    const simd softening = simd_all(sums->softening * sums->softening);
    simd force_x = simd_all(0), force_y = force_x, largest = force_x;
    for (size_t j = i + 1; j < sums->count; j += 2) {
        const simd dx = simd_load(&sums->x[j]) - x, dy = simd_load(&sums->y[j]) - y;
        const simd square = dx * dx + dy * dy + softening;
        const simd weight = 1 / (square * simd_root(square));
        const simd strengths = strength * simd_load(&sums->strength[j]);
        const simd scale = strengths * weight;
        const simd pair_x = scale * dx, pair_y = scale * dy;
        force_x -= pair_x;
        force_y -= pair_y;
        add_to_pair(&sum_x[j], pair_x);
        add_to_pair(&sum_y[j], pair_y);
        largest = simd_larger(largest, weight);
    }
    double lanes[2];
    simd_store(lanes, force_x);
    sum_x[i] += lanes[0] + lanes[1];
    simd_store(lanes, force_y);
    sum_y[i] += lanes[0] + lanes[1];
    simd_store(lanes, largest);
    sums->largest[i] = fmax(lanes[0], lanes[1]);
}

static void group_part(void *user, size_t begin, size_t end)
{
    const struct inverse_square *sums = user;
    const size_t size = sums->count + 1;
    for (size_t group = begin; group < end; group++) {
        double *forces = sums->forces + 2 * group * size;
        memset(forces, 0, 2 * size * sizeof *forces);
        for (size_t i = group; i < sums->count; i += sums->groups)
            add_partners(sums, i, forces, forces + size);
    }
}

/* Refuses particle i if it would rotate with a partner by more than a radian on a circle; called
 * only if the bound is exceeded. */
static enum status check_partners(const struct inverse_square *sums, const struct steps *steps,
                                  size_t i)
{
    for (size_t j = i + 1; j < sums->count; j++) {
        const double dx = sums->x[j] - sums->x[i], dy = sums->y[j] - sums->y[i];
        const double square = dx * dx + dy * dy + sums->softening * sums->softening;
        const double angle_squared =
            fabs(sums->factor * sums->strength[i] * sums->strength[j]) / (square * sqrt(square)) *
            (steps->inverse_mass[i] + steps->inverse_mass[j]) * steps->dt * steps->dt;
        if (!(angle_squared <= 1))
            return error_set(steps->error, STATUS_BAD_DATA,
                             "particles %zu and %zu are so near to each other at time %g that a "
                             "substep does not resolve how %s moves them: reduce --step, or raise "
                             "--substeps%s",
                             i, j, steps->system->particles[i].t, sums->term.kind->name,
                             sums->softening > 0 ? ", or the softening" : "");
    }
    return STATUS_DONE;
}

static enum status inverse_square_add_forces(struct term *term, struct steps *steps)
{
    struct inverse_square *sums = (struct inverse_square *)term;
    const size_t size = sums->count + 1;
    double max_strength = 0, max_inverse_mass = 0; /* of any particle */
    for (size_t k = 0; k < sums->count; k++) {
        max_strength = fmax(max_strength, fabs(sums->strength[k]));
        max_inverse_mass = fmax(max_inverse_mass, steps->inverse_mass[k]);
    }
    copy_positions(sums, steps->system);
    thread_pool_divide(steps->pool, sums->groups, group_part, sums);
    for (size_t i = 0; i < sums->count; i++) {
        const double strengths = fabs(sums->factor * sums->strength[i]) * max_strength;
        const double inverse_mass = steps->inverse_mass[i] + max_inverse_mass;
        const double bound = strengths * sums->largest[i] * inverse_mass * steps->dt * steps->dt;
        /* A little less than 1, because of rounding errors. */
        if (!(bound < 0.999) && check_partners(sums, steps, i))
            return STATUS_BAD_DATA;
    }
    for (size_t k = 0; k < sums->count; k++) {
        struct vector sum = {sums->forces[k], sums->forces[size + k]};
        for (size_t group = 1; group < sums->groups; group++) {
            sum.x += sums->forces[2 * group * size + k];
            sum.y += sums->forces[(2 * group + 1) * size + k];
        }
        steps->force[k].x += sums->factor * sum.x;
        steps->force[k].y += sums->factor * sum.y;
    }
    return STATUS_DONE;
}

static enum status inverse_square_add_energy(struct term *term, struct steps *steps)
{
    struct inverse_square *sums = (struct inverse_square *)term;
    const double softening = sums->softening * sums->softening;
    double sum = 0, virial = 0;
    copy_positions(sums, steps->system);
    for (size_t i = 0; i < sums->count; i++) {
        double potential = 0, softer = 0; /* than it would be without softening */
        for (size_t j = i + 1; j < sums->count; j++) {
            const double dx = sums->x[j] - sums->x[i], dy = sums->y[j] - sums->y[i];
            const double square = dx * dx + dy * dy + softening;
            const double share = sums->strength[j] / sqrt(square);
            potential += share;
            softer += share * (softening / square);
        }
        sum += sums->strength[i] * potential;
        virial += sums->strength[i] * (potential - softer);
    }
    steps->potential += sums->factor * sum;
    steps->virial += sums->factor * virial;
    return STATUS_DONE;
}

const struct term_kind gravitation_kind = {
    .name = "gravitation",
    .size = sizeof(struct inverse_square),
    .traits = {.is_long_range = 1},
    .parameters = {{"G", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"softening", NAN, 0, SYSTEM_LARGEST}},
    .create = gravitation_create,
    .act = {[PHASE_FORCES] = inverse_square_add_forces, [PHASE_ENERGY] = inverse_square_add_energy},
};

const struct term_kind coulomb_kind = {
    .name = "coulomb",
    .size = sizeof(struct inverse_square),
    .traits = {.is_long_range = 1},
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"charges", 0, NAN, NAN}},
    .create = coulomb_create,
    .act = {[PHASE_FORCES] = inverse_square_add_forces, [PHASE_ENERGY] = inverse_square_add_energy},
};
