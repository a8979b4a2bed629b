/*
 * The interaction of simple atoms: repulsion nearer than 2^(1/6) sigma and attraction farther away,
 * with an energy down to -epsilon. (J. E. Lennard-Jones, Proc. R. Soc. A 106, 463, 1924.)
 *
 *     U(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
 *
 * Force and energy are 0 beyond `cutoff`, and shifted so that neither jumps there: a jump would
 * change the energy each time that a pair crosses it (S. Toxvaerd and J. Dyre, Shifted forces in
 * molecular dynamics, J. Chem. Phys. 134, 081102, 2011): F(r) - F(cutoff), and U(r) - U(cutoff) +
 * (r - cutoff) F(cutoff).
 */
#include "neighbours.h"
#include "part.h"

/* In units of sigma. */
static const double DEFAULT_CUTOFF = 2.5;

/* Substeps in the period of two particles; with ten times as many energy is conserved well. */
enum { MIN_SUBSTEPS = 20 };

struct lennard_jones {
    struct part part; /* the first member: see part.h */
    double epsilon;   /* energy */
    double sigma;     /* length */
    double cutoff;    /* length */
    double edge;      /* F(cutoff), by which forces are shifted */
    struct neighbours neighbours;
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

static enum status lennard_jones_create(struct part *part, const struct arguments *arguments,
                                        struct steps *steps, struct error *error)
{
    struct lennard_jones *self = (struct lennard_jones *)part;
    self->epsilon = arguments->numbers[0];
    self->sigma = arguments->numbers[1];
    self->cutoff = arguments->numbers[2] > 0 ? arguments->numbers[2] : DEFAULT_CUTOFF * self->sigma;
    if (self->cutoff < self->sigma)
        return error_set(error, STATUS_USAGE,
                         "lennard-jones: the cutoff %g is nearer than sigma, %g, where two still "
                         "repel each other; %g is usual",
                         self->cutoff, self->sigma, DEFAULT_CUTOFF * self->sigma);
    self->edge = self->cutoff * force_by_distance(self, self->cutoff * self->cutoff);
    /* U'' is 72 epsilon / (2^(1/3) sigma^2) where U is lowest. */
    const double stiffness = 57.146 * self->epsilon / (self->sigma * self->sigma);
    enum status status = neighbours_check(&steps->system->boundary, "the cutoff of lennard-jones",
                                          self->cutoff, error);
    if (!status)
        status = steps_check_stiffness(steps, "lennard-jones", stiffness, MIN_SUBSTEPS, error);
    steps_limit_move(steps, self->sigma / 2);
    return status;
}

/* The sums to which pairs add. */
struct lennard_jones_sums {
    const struct lennard_jones *self;
    struct vector *force;
    double energy;
};

static void add_shifted_force(void *context, size_t i, size_t j, double dx, double dy,
                              double square)
{
    const struct lennard_jones_sums *sums = context;
    const double force = force_by_distance(sums->self, square) - sums->self->edge / sqrt(square);
    sums->force[i].x -= force * dx;
    sums->force[i].y -= force * dy;
    sums->force[j].x += force * dx;
    sums->force[j].y += force * dy;
}

static enum status lennard_jones_add_forces(struct part *part, struct steps *steps, double dt,
                                            struct error *error)
{
    struct lennard_jones *self = (struct lennard_jones *)part;
    struct lennard_jones_sums sums = {.self = self, .force = steps->force};
    (void)dt;
    enum status status = neighbours_find(&self->neighbours, steps->system, self->cutoff, error);
    if (!status)
        neighbours_each(&self->neighbours, steps->system, self->cutoff, add_shifted_force, &sums);
    return status;
}

static void add_shifted_energy(void *context, size_t i, size_t j, double dx, double dy,
                               double square)
{
    struct lennard_jones_sums *sums = context;
    const struct lennard_jones *self = sums->self;
    (void)i, (void)j, (void)dx, (void)dy;
    sums->energy += energy_at(self, square) - energy_at(self, self->cutoff * self->cutoff) +
                    (sqrt(square) - self->cutoff) * self->edge;
}

static enum status lennard_jones_energy(struct part *part, struct steps *steps, double *sum,
                                        struct error *error)
{
    struct lennard_jones *self = (struct lennard_jones *)part;
    struct lennard_jones_sums sums = {.self = self};
    enum status status = neighbours_find(&self->neighbours, steps->system, self->cutoff, error);
    if (!status)
        neighbours_each(&self->neighbours, steps->system, self->cutoff, add_shifted_energy, &sums);
    *sum = sums.energy;
    return status;
}

static void lennard_jones_free(struct part *part)
{
    neighbours_free(&((struct lennard_jones *)part)->neighbours);
}

const struct part_kind lennard_jones_kind = {
    .name = "lennard-jones",
    .size = sizeof(struct lennard_jones),
    .parameters = {{"epsilon", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sigma", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"cutoff", 0, SYSTEM_SMALLEST, SYSTEM_LARGEST}},
    .create = lennard_jones_create,
    .act = {[PHASE_FORCES] = lennard_jones_add_forces},
    .energy = lennard_jones_energy,
    .free = lennard_jones_free,
};
