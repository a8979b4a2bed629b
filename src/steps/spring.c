/*
 * Elastic disks: particles that overlap push each other apart like a spring, and a dashpot takes
 * energy from them, so that two that collide part with the restitution e:
 *
 *     F = k overlap + damping d(overlap)/dt,   damping = -2 ln e sqrt(m k) / sqrt(pi^2 + ln^2 e)
 *
 * with the reduced mass m of the two (P. Cundall and O. Strack, Geotechnique 29, 47, 1979; for the
 * damping, Y. Tsuji, T. Tanaka and T. Ishida, Powder Technol. 71, 239, 1992). The contact ends when
 * the overlap does; at the end the dashpot pulls, as that formula supposes. Walls are no springs.
 *
 * Two details keep the restitution right within about 1 % with 40 substeps in a contact. Velocities
 * are from half a substep ago: the force that follows from those of now is solved for. And in its
 * first and last substep a contact lasts for a part of the time, and the dashpot acts in that part.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "neighbours.h"
#include "parts.h"
#include "stepping.h"
#include "touching.h"

static const double PI = 3.141592653589793;

enum { LEAST_RESOLVED = 40 }; /* substeps in a period: 20 in a contact, which is half of one */

struct spring {
    struct part part; /* the first member: see part.h */
    double stiffness; /* k, force per length */
    double damping;   /* of the critical one, 2 sqrt(m k): 0 to 1 */
    double range;     /* how far apart the largest touch; 0: all are points */
    struct neighbours neighbours;
    struct touching touching;
};

/* -ln e / sqrt(pi^2 + ln^2 e), which is 1 where e is 0. */
static double critical_part(double restitution)
{
    if (restitution < SYSTEM_SMALLEST)
        return 1;
    const double logarithm = elementary_log(restitution);
    return -logarithm / sqrt(PI * PI + logarithm * logarithm);
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    const struct system *system = steps->system;
    const double stiffness = arguments->numbers[0];
    double largest = 0;
    double smallest = (double)INFINITY;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        largest = fmax(largest, radius);
        if (radius > 0)
            smallest = fmin(smallest, radius);
    }
    enum status status = neighbours_check(&system->boundary, "spring", 2 * largest, error);
    if (!status)
        status = steps_check_stiffness(steps, "spring", stiffness, LEAST_RESOLVED, error);
    if (status)
        return status;
    struct spring *self = memory_allocate(1, sizeof *self, "spring", error);
    if (!self)
        return STATUS_NO_MEMORY;
    *self = (struct spring){.stiffness = stiffness,
                            .damping = critical_part(arguments->numbers[1]),
                            .range = 2 * largest};
    steps_limit(steps, smallest / 2);
    *part = &self->part;
    return STATUS_DONE;
}

/* What happens to pairs that touch. */
struct contacts {
    struct spring *self;
    struct steps *steps;
    double dt;
    double energy;
    enum status status; /* of the memory of which pairs touch */
    struct error *error;
};

/* The part of a substep, for which its forces act from its middle to the middle of the next, in
 * which a pair touches: it overlaps by `overlap`, which grows by `closing` a time. */
static double part_of_substep(double overlap, double closing, double dt, int is_new)
{
    const double moved = fabs(closing) * dt;
    const int is_first_or_last = closing > 0 ? is_new : overlap < moved;
    return is_first_or_last ? 0.5 + fmin(1, overlap / moved) : 1;
}

/* The force that pushes two particles apart; `inverse` is that of their reduced mass. */
static double find_force(const struct contacts *contacts, double overlap, double closing,
                         double inverse, int is_new)
{
    const struct spring *self = contacts->self;
    const double part = part_of_substep(overlap, closing, contacts->dt, is_new);
    const double rate = self->damping * sqrt(self->stiffness * inverse) * part;
    return (self->stiffness * overlap + 2 * rate / inverse * closing) / (1 + rate * contacts->dt);
}

static void add_contact(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contacts *contacts = context;
    struct steps *steps = contacts->steps;
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const double contact = system_contact(steps->system, p, q);
    const double inverse = steps->inverse_mass[i] + steps->inverse_mass[j];
    if (square >= contact * contact)
        return;
    struct touching *touching = &contacts->self->touching;
    if (!contacts->status)
        contacts->status = touching_add(touching, i, j, contacts->error);
    if (inverse == 0)
        return; /* both are pinned */
    const double distance = sqrt(square);
    const struct vector normal =
        distance > 0 ? (struct vector){dx / distance, dy / distance} : (struct vector){1, 0};
    const double closing = (p->u - q->u) * normal.x + (p->v - q->v) * normal.y;
    const double force =
        find_force(contacts, contact - distance, closing, inverse, !touching_lasts(touching, i, j));
    steps->force[i].x -= force * normal.x;
    steps->force[i].y -= force * normal.y;
    steps->force[j].x += force * normal.x;
    steps->force[j].y += force * normal.y;
}

static void add_energy(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contacts *contacts = context;
    const struct system *system = contacts->steps->system;
    const double overlap =
        system_contact(system, &system->particles[i], &system->particles[j]) - sqrt(square);
    (void)dx, (void)dy;
    if (overlap > 0)
        contacts->energy += contacts->self->stiffness * overlap * overlap / 2;
}

/* Visits all pairs that may touch. */
static enum status visit_pairs(struct contacts *contacts, neighbours_visit *visit)
{
    struct spring *self = contacts->self;
    const struct system *system = contacts->steps->system;
    if (self->range == 0)
        return STATUS_DONE;
    enum status status = neighbours_find(&self->neighbours, system, self->range, contacts->error);
    if (!status)
        neighbours_each(&self->neighbours, system, self->range, visit, contacts);
    return status ? status : contacts->status;
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct contacts contacts = {
        .self = (struct spring *)part, .steps = steps, .dt = dt, .error = error};
    contacts.self->touching.count = 0;
    return visit_pairs(&contacts, add_contact);
}

static enum status advance(struct part *part, struct steps *steps, double dt, struct error *error)
{
    (void)dt;
    (void)error;
    touching_end(&((struct spring *)part)->touching, steps->system->counts);
    return STATUS_DONE;
}

static enum status energy(struct part *part, struct steps *steps, double *sum, struct error *error)
{
    struct contacts contacts = {.self = (struct spring *)part, .steps = steps, .error = error};
    enum status status = visit_pairs(&contacts, add_energy);
    *sum = contacts.energy;
    return status;
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
{
    (void)steps;
    touching_save(&((const struct spring *)part)->touching, writer);
}

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    touching_load(&((struct spring *)part)->touching, steps->system->count, reader);
}

static void free_spring(struct part *part)
{
    struct spring *self = (struct spring *)part;
    neighbours_free(&self->neighbours);
    touching_free(&self->touching);
    memory_free(self);
}

const struct part_kind spring_kind = {
    .name = "spring",
    .is_single = 1,
    .parameters = {{"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST}, {"restitution", 1, 0, 1}},
    .create = create,
    .act = act,
    .advance = advance,
    .energy = energy,
    .save = save,
    .load = load,
    .free = free_spring,
};
