/*
 * The interaction of simple atoms: they repel each other nearer than 2^(1/6) sigma and attract each
 * other further away, by up to epsilon. (J. E. Lennard-Jones, Proc. R. Soc. A 106, 463, 1924.)
 *
 *     U(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
 *
 * It is cut off where two are further apart than `cutoff`, and force and energy are shifted so that
 * both become 0 there without a jump, which would change the energy each time that a pair passes it
 * (S. Toxvaerd and J. Dyre, Shifted forces in molecular dynamics, J. Chem. Phys. 134, 081102,
 * 2011): F(r) - F(cutoff), and U(r) - U(cutoff) + (r - cutoff) F(cutoff).
 */
#include "base/memory.h"
#include "neighbours.h"
#include "parts.h"
#include "stepping.h"

/* The cutoff that is usual, in units of sigma. */
static const double USUAL_CUTOFF = 2.5;

/* Substeps in the period of two particles; with a tenth as long ones energy is kept well. */
enum { LEAST_RESOLVED = 20 };

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

/* F(r) / r, which is positive where they repel each other. */
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

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    struct lennard_jones self = {.epsilon = arguments->numbers[0], .sigma = arguments->numbers[1]};
    self.cutoff = arguments->numbers[2] > 0 ? arguments->numbers[2] : USUAL_CUTOFF * self.sigma;
    if (self.cutoff < self.sigma)
        return error_set(error, STATUS_USAGE,
                         "lennard-jones: the cutoff %g is nearer than sigma, %g, where two still "
                         "repel each other; %g is usual",
                         self.cutoff, self.sigma, USUAL_CUTOFF * self.sigma);
    self.edge = self.cutoff * force_by_distance(&self, self.cutoff * self.cutoff);
    /* U'' is 72 epsilon / (2^(1/3) sigma^2) where U is lowest. */
    const double stiffness = 57.146 * self.epsilon / (self.sigma * self.sigma);
    enum status status = neighbours_check(&steps->system->boundary, "the cutoff of lennard-jones",
                                          self.cutoff, error);
    if (!status)
        status = steps_check_stiffness(steps, "lennard-jones", stiffness, LEAST_RESOLVED, error);
    if (status)
        return status;
    struct lennard_jones *made = memory_allocate(1, sizeof *made, "lennard-jones", error);
    if (!made)
        return STATUS_NO_MEMORY;
    *made = self;
    steps_limit(steps, self.sigma / 2);
    *part = &made->part;
    return STATUS_DONE;
}

/* What a pair adds to, and by which rule. */
struct pairs {
    const struct lennard_jones *self;
    struct vector *force;
    double energy;
};

static void add_force(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    const struct pairs *pairs = context;
    const double force = force_by_distance(pairs->self, square) - pairs->self->edge / sqrt(square);
    pairs->force[i].x -= force * dx;
    pairs->force[i].y -= force * dy;
    pairs->force[j].x += force * dx;
    pairs->force[j].y += force * dy;
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct lennard_jones *self = (struct lennard_jones *)part;
    struct pairs pairs = {.self = self, .force = steps->force};
    (void)dt;
    enum status status = neighbours_find(&self->neighbours, steps->system, self->cutoff, error);
    if (!status)
        neighbours_each(&self->neighbours, steps->system, self->cutoff, add_force, &pairs);
    return status;
}

static void add_energy(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct pairs *pairs = context;
    const struct lennard_jones *self = pairs->self;
    (void)i, (void)j, (void)dx, (void)dy;
    pairs->energy += energy_at(self, square) - energy_at(self, self->cutoff * self->cutoff) +
                     (sqrt(square) - self->cutoff) * self->edge;
}

static enum status energy(struct part *part, struct steps *steps, double *sum, struct error *error)
{
    struct lennard_jones *self = (struct lennard_jones *)part;
    struct pairs pairs = {.self = self};
    enum status status = neighbours_find(&self->neighbours, steps->system, self->cutoff, error);
    if (!status)
        neighbours_each(&self->neighbours, steps->system, self->cutoff, add_energy, &pairs);
    *sum = pairs.energy;
    return status;
}

static void free_lennard_jones(struct part *part)
{
    neighbours_free(&((struct lennard_jones *)part)->neighbours);
    memory_free(part);
}

const struct part_kind lennard_jones_kind = {
    .name = "lennard-jones",
    .parameters = {{"epsilon", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sigma", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"cutoff", 0, SYSTEM_SMALLEST, SYSTEM_LARGEST}},
    .create = create,
    .act = act,
    .energy = energy,
    .free = free_lennard_jones,
};
