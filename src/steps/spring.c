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
 * stored velocities are half a substep old: the force is solved for with those of the present. And
 * the dashpot acts only for the part of the first and last substep in which the disks overlap.
 */
#include "base/elementary.h"
#include "contact.h"
#include "neighbours.h"

static const double PI = 3.141592653589793;

enum { MIN_SUBSTEPS = 40 }; /* substeps in a period: 20 in a contact, which is half of one */

struct spring {
    struct part part; /* the first member: see part.h */
    double stiffness; /* k, force per length */
    double damping;   /* ratio to the critical one, 2 sqrt(m k): 0 to 1 */
    double range;     /* twice the largest radius; 0: all are points */
    struct neighbours neighbours;
    struct contact_list touching;
};

/* -ln e / sqrt(pi^2 + ln^2 e), which is 1 where e is 0. */
static double damping_ratio(double restitution)
{
    if (restitution < SYSTEM_SMALLEST)
        return 1;
    const double logarithm = elementary_log(restitution);
    return -logarithm / sqrt(PI * PI + logarithm * logarithm);
}

static enum status spring_create(struct part *part, const struct arguments *arguments,
                                 struct steps *steps, struct error *error)
{
    const struct system *system = steps->system;
    const double stiffness = arguments->numbers[0];
    double largest, smallest;
    contact_radii(system, &largest, &smallest);
    enum status status = neighbours_check(&system->boundary, "spring", 2 * largest, error);
    if (!status)
        status = steps_check_stiffness(steps, "spring", stiffness, MIN_SUBSTEPS, error);
    struct spring *self = (struct spring *)part;
    self->stiffness = stiffness;
    self->damping = damping_ratio(arguments->numbers[1]);
    self->range = 2 * largest;
    steps_limit_move(steps, smallest / 2);
    return status;
}

/* A sum over the pairs in contact. */
struct spring_pairs {
    struct spring *self;
    struct steps *steps;
    double dt;
    double energy;
    enum status status; /* of the memory of which pairs touch */
    struct error *error;
};

/* The part of a substep, for which its forces act from its middle to the middle of the next, in
 * which a pair touches: it overlaps by `overlap`, which grows by `closing` a time. */
static double contact_fraction(double overlap, double approach, double dt, int is_new)
{
    const double moved = fabs(approach) * dt;
    const int is_first_or_last = approach > 0 ? is_new : overlap < moved;
    return is_first_or_last ? 0.5 + fmin(1, overlap / moved) : 1;
}

/* The force that pushes two particles apart; `inverse` is that of their reduced mass. */
static double spring_force(const struct spring_pairs *pairs, double overlap, double approach,
                           double inverse, int is_new)
{
    const struct spring *self = pairs->self;
    const double part = contact_fraction(overlap, approach, pairs->dt, is_new);
    const double rate = self->damping * sqrt(self->stiffness * inverse) * part;
    return (self->stiffness * overlap + 2 * rate / inverse * approach) / (1 + rate * pairs->dt);
}

static void add_spring_force(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct spring_pairs *pairs = context;
    struct steps *steps = pairs->steps;
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const double contact = system_contact(steps->system, p, q);
    const double inverse = steps->inverse_mass[i] + steps->inverse_mass[j];
    if (square >= contact * contact)
        return;
    struct contact_list *touching = &pairs->self->touching;
    if (!pairs->status)
        pairs->status = contact_list_add(touching, i, j, pairs->error);
    if (inverse == 0)
        return; /* both are pinned */
    const double distance = sqrt(square);
    const struct vector normal =
        distance > 0 ? (struct vector){dx / distance, dy / distance} : (struct vector){1, 0};
    const double approach = (p->u - q->u) * normal.x + (p->v - q->v) * normal.y;
    const double force = spring_force(pairs, contact - distance, approach, inverse,
                                      !contact_list_had(touching, i, j));
    steps->force[i].x -= force * normal.x;
    steps->force[i].y -= force * normal.y;
    steps->force[j].x += force * normal.x;
    steps->force[j].y += force * normal.y;
}

static void add_spring_energy(void *context, size_t i, size_t j, double dx, double dy,
                              double square)
{
    struct spring_pairs *pairs = context;
    const struct system *system = pairs->steps->system;
    const double overlap =
        system_contact(system, &system->particles[i], &system->particles[j]) - sqrt(square);
    (void)dx, (void)dy;
    if (overlap > 0)
        pairs->energy += pairs->self->stiffness * overlap * overlap / 2;
}

/* Visits all pairs that may touch. */
static enum status visit_pairs(struct spring_pairs *pairs, neighbours_visit *visit)
{
    struct spring *self = pairs->self;
    const struct system *system = pairs->steps->system;
    if (self->range == 0)
        return STATUS_DONE;
    enum status status = neighbours_find(&self->neighbours, system, self->range, pairs->error);
    if (!status)
        neighbours_each(&self->neighbours, system, self->range, visit, pairs);
    return status ? status : pairs->status;
}

static enum status spring_add_forces(struct part *part, struct steps *steps, double dt,
                                     struct error *error)
{
    struct spring_pairs pairs = {
        .self = (struct spring *)part, .steps = steps, .dt = dt, .error = error};
    pairs.self->touching.count = 0;
    return visit_pairs(&pairs, add_spring_force);
}

static enum status spring_advance(struct part *part, struct steps *steps, double dt,
                                  struct error *error)
{
    (void)dt, (void)error;
    contact_list_end_substep(&((struct spring *)part)->touching, steps->system->counts);
    return STATUS_DONE;
}

static enum status spring_energy(struct part *part, struct steps *steps, double *sum,
                                 struct error *error)
{
    struct spring_pairs pairs = {.self = (struct spring *)part, .steps = steps, .error = error};
    enum status status = visit_pairs(&pairs, add_spring_energy);
    *sum = pairs.energy;
    return status;
}

static void spring_save(const struct part *part, const struct steps *steps,
                        struct record_writer *writer)
{
    (void)steps;
    contact_list_save(&((const struct spring *)part)->touching, writer);
}

static void spring_load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    contact_list_load(&((struct spring *)part)->touching, steps->system->count, reader);
}

static void spring_free(struct part *part)
{
    struct spring *self = (struct spring *)part;
    neighbours_free(&self->neighbours);
    contact_list_free(&self->touching);
}

const struct part_kind spring_kind = {
    .name = "spring",
    .size = sizeof(struct spring),
    .is_single = 1,
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"restitution", 1, 0, 1}},
    .create = spring_create,
    .act = {[PHASE_FORCES] = spring_add_forces, [PHASE_ADVANCE] = spring_advance},
    .energy = spring_energy,
    .save = spring_save,
    .load = spring_load,
    .free = spring_free,
};
