/*
 * Contacts: disks do not overlap. What arrives at another one bounces; what lies on it is held off.
 *
 * A pair whose paths have come together in this substep is treated in the order in which that
 * happened, so that a disk that meets two meets them in turn. One that approaches faster than two
 * substeps' forces explain bounces at the moment of contact, and makes the rest of the substep with
 * its new velocity (impact.h): of hard disks without forces, each substep with one contact of a
 * disk is exact. A slower one is at rest: its overlap is projected (XPBD, xpbd.h), and may be as
 * large as alpha times the force. So restitution is for what arrives, and compliance for what
 * presses. A hard contact gives no velocity by pushing apart what has overlapped before.
 *
 * (M. Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020,
 * section 3.6, has restitution and its threshold.)
 */
#include "base/memory.h"
#include "impact.h"
#include "neighbours.h"
#include "parts.h"
#include "touching.h"
#include "xpbd.h"

#include <stdlib.h>

/*
 * What part of an overlap of hard disks is undone in a substep. If it were all, disks that lie upon
 * each other would be pushed too far, as each is by two, and would hop in turns for ever.
 */
static const double RELAXATION = 0.5;

/* Two disks that have come together. */
struct meeting {
    uint32_t i, j; /* i < j */
    double since;  /* how long before the end of the substep, time; its length: from the start on */
    int is_rest;   /* has been projected, */
    double arrival; /* with this speed along the line of centres before it */
};

struct contact {
    struct part part; /* the first member: see part.h */
    struct compliance compliance;
    double restitution; /* 0 to 1 */
    double range;       /* the largest sum of two radii */
    double deviation;   /* the largest overlap after the last substep, length */
    struct neighbours neighbours;
    struct touching touching;
    struct meeting *meetings; /* of this substep, with memory for `room`; owned */
    size_t count, room;
    double *straight; /* how long before the end of the substep each disk has begun to move
                         straight, time; owned */
};

static void free_contact(struct part *part)
{
    struct contact *contact = (struct contact *)part;
    neighbours_free(&contact->neighbours);
    touching_free(&contact->touching);
    memory_free(contact->meetings);
    memory_free(contact->straight);
    memory_free(contact);
}

/* The largest radius, and the smallest that is not 0; both 0 if all are points. */
static void find_radii(const struct system *system, double *largest, double *least)
{
    *largest = 0;
    *least = (double)INFINITY;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        *largest = fmax(*largest, radius);
        *least = radius > 0 ? fmin(*least, radius) : *least;
    }
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    double largest, least;
    struct contact *contact = memory_allocate(1, sizeof *contact, "the contacts", error);
    if (!contact)
        return STATUS_NO_MEMORY;
    find_radii(steps->system, &largest, &least);
    *contact = (struct contact){.compliance = {arguments->numbers[0], arguments->numbers[1]},
                                .restitution = arguments->numbers[2],
                                .range = 2 * largest};
    contact->straight =
        memory_allocate(steps->system->count, sizeof *contact->straight, "the contacts", error);
    if (!contact->straight) {
        free_contact(&contact->part);
        return STATUS_NO_MEMORY;
    }
    steps_limit(steps, least / 2); /* then no two pass through each other */
    *part = &contact->part;
    return STATUS_DONE;
}

/* How one disk moves as another one sees it. */
struct relative {
    struct vector way, velocity; /* from i to j, and of j less that of i */
};

static struct relative find_relative(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    return (struct relative){xpbd_way(&steps->system->boundary, q->x - p->x, q->y - p->y),
                             {q->u - p->u, q->v - p->v}};
}

/*
 * How long ago two disks touched first, as they have moved straight: the larger root of
 * (w.w) s^2 - 2 (d.w) s + (d.d - contact^2) = 0, in the form of physics.h in which nothing cancels;
 * `straight`, how long they have moved straight, if they overlapped then already; less than 0 if
 * they have not touched since.
 */
static double find_since(const struct relative *relative, double contact, double straight)
{
    const struct vector *d = &relative->way;
    const struct vector *w = &relative->velocity;
    const double B = d->x * w->x + d->y * w->y;
    const double C = (d->x * d->x + d->y * d->y) - contact * contact;
    const double W = w->x * w->x + w->y * w->y;
    const double cross = d->x * w->y - d->y * w->x;
    const double D = W * (contact * contact) - cross * cross;
    if (C >= 0 && !(B > 0 && D >= 0))
        return -1;
    const double root = sqrt(fmax(D, 0));
    const double since = B > 0 ? (B + root) / W : -C / (root - B);
    if (C >= 0)
        return since <= straight ? since : -1;
    return since < straight ? since : straight; /* also where nothing moves, and it is no number */
}

/* The acceleration of a disk by forces. */
static struct vector find_acceleration(const struct steps *steps, size_t k)
{
    return (struct vector){steps->force[k].x * steps->inverse_mass[k],
                           steps->force[k].y * steps->inverse_mass[k]};
}

static double length_of(const struct vector *vector)
{
    return sqrt(vector->x * vector->x + vector->y * vector->y);
}

/* A search for meetings. */
struct search {
    struct contact *contact;
    const struct steps *steps;
    double dt;
    double slack; /* how near what touched in the last substep still touches, length */
    enum status status;
    struct error *error;
};

static enum status reserve(struct contact *contact, struct error *error)
{
    const size_t room = contact->room < 16 ? 16 : 2 * contact->room;
    struct meeting *meetings =
        memory_resize(contact->meetings, room, sizeof *meetings, "the contacts", error);
    if (!meetings)
        return STATUS_NO_MEMORY;
    contact->meetings = meetings;
    contact->room = room;
    return STATUS_DONE;
}

/* Lists a near pair, if it has met. */
static void consider(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct search *search = context;
    struct contact *contact = search->contact;
    const struct steps *steps = search->steps;
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const struct relative relative = {{dx, dy}, {q->u - p->u, q->v - p->v}};
    const double touch = system_contact(steps->system, p, q);
    const double since = find_since(&relative, touch, search->dt);
    if (search->status || steps->inverse_mass[i] + steps->inverse_mass[j] == 0)
        return;
    if (since < 0 && !(square < (touch + search->slack) * (touch + search->slack) &&
                       touching_lasts(&contact->touching, i, j)))
        return;
    if (contact->count == contact->room)
        search->status = reserve(contact, search->error);
    if (!search->status)
        contact->meetings[contact->count++] =
            (struct meeting){.i = (uint32_t)i, .j = (uint32_t)j, .since = since};
}

/* The first to meet come first; of several at a time, by their numbers. */
static int compare(const void *a, const void *b)
{
    const struct meeting *p = a;
    const struct meeting *q = b;
    if (p->since != q->since)
        return p->since > q->since ? -1 : 1;
    if (p->i != q->i)
        return p->i < q->i ? -1 : 1;
    return (p->j > q->j) - (p->j < q->j);
}

static enum status find_meetings(struct contact *contact, const struct steps *steps, double dt,
                                 struct error *error)
{
    const struct boundary *boundary = &steps->system->boundary;
    struct search search = {contact, steps, dt, 0, STATUS_DONE, error};
    double farthest = 0;  /* that one has moved */
    double strongest = 0; /* acceleration */
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        farthest = fmax(farthest, sqrt(p->u * p->u + p->v * p->v) * dt);
        const struct vector acceleration = find_acceleration(steps, k);
        strongest = fmax(strongest, length_of(&acceleration));
        contact->straight[k] = dt;
    }
    search.slack = fmin(4 * strongest * dt * dt, contact->range);
    /* Two may have parted again, by what both have moved, and one may be beyond a seam. */
    double range = contact->range + 3 * fmin(farthest, contact->range) + search.slack;
    if (boundary->periodic & PERIODIC_X)
        range = fmin(range, boundary->width / 2);
    if (boundary->periodic & PERIODIC_Y)
        range = fmin(range, boundary->height / 2);
    contact->count = 0;
    if (contact->range == 0)
        return STATUS_DONE;
    enum status status = neighbours_find(&contact->neighbours, steps->system, range, error);
    if (status)
        return status;
    neighbours_each(&contact->neighbours, steps->system, range, consider, &search);
    if (contact->count > 1)
        qsort(contact->meetings, contact->count, sizeof *contact->meetings, compare);
    return search.status;
}

/* Moves two disks apart at once, and changes their velocities, both along the normal. */
static void push(struct steps *steps, const struct meeting *meeting, const struct vector *normal,
                 double distance, double speed)
{
    struct particle *p = &steps->system->particles[meeting->i];
    struct particle *q = &steps->system->particles[meeting->j];
    const double sum = steps->inverse_mass[meeting->i] + steps->inverse_mass[meeting->j];
    const double a = steps->inverse_mass[meeting->i] / sum;
    const double b = steps->inverse_mass[meeting->j] / sum;
    p->x -= a * distance * normal->x;
    p->y -= a * distance * normal->y;
    p->u -= a * speed * normal->x;
    p->v -= a * speed * normal->y;
    q->x += b * distance * normal->x;
    q->y += b * distance * normal->y;
    q->u += b * speed * normal->x;
    q->v += b * speed * normal->y;
}

/* The arrival of two disks that touched some time ago along this normal. */
static struct arrival find_arrival(const struct steps *steps, const struct meeting *meeting,
                                   const struct relative *relative, const struct vector *normal,
                                   double dt)
{
    const struct vector a = find_acceleration(steps, meeting->i);
    const struct vector b = find_acceleration(steps, meeting->j);
    const double largest = fmax(length_of(&a), length_of(&b));
    return (struct arrival){normal->x * relative->velocity.x + normal->y * relative->velocity.y,
                            normal->x * (b.x - a.x) + normal->y * (b.y - a.y), 2 * largest * dt,
                            meeting->since};
}

/* Lets two disks bounce that have met. Returns whether they do. */
static int bounces(struct contact *contact, struct steps *steps, const struct meeting *meeting,
                   double touch, double dt)
{
    const struct relative relative = find_relative(steps, meeting->i, meeting->j);
    const struct vector met = {relative.way.x - relative.velocity.x * meeting->since,
                               relative.way.y - relative.velocity.y * meeting->since};
    const double distance = sqrt(met.x * met.x + met.y * met.y);
    if (!(distance > 0))
        return 0;
    const struct vector normal = {met.x / distance, met.y / distance};
    const struct arrival arrival = find_arrival(steps, meeting, &relative, &normal, dt);
    if ((contact->compliance.value > 0 || arrival.threshold > 0) &&
        touching_lasts(&contact->touching, meeting->i, meeting->j))
        return 0;
    const struct departure departure = impact_leave(&arrival, contact->restitution, dt);
    const double gap = normal.x * relative.way.x + normal.y * relative.way.y - touch;
    if (departure.is_rest)
        return 0;
    push(steps, meeting, &normal, departure.gap - gap, departure.speed - arrival.speed);
    contact->straight[meeting->i] = contact->straight[meeting->j] = meeting->since;
    return 1;
}

/* Projects the overlap of two disks. */
static void project(const struct contact *contact, struct steps *steps, struct meeting *meeting,
                    double touch, double dt)
{
    const struct between between = xpbd_between(steps, meeting->i, meeting->j);
    const struct vector *normal = &between.normal;
    const struct relative relative = find_relative(steps, meeting->i, meeting->j);
    if (!(between.distance < touch))
        return;
    meeting->is_rest = 1;
    meeting->arrival = normal->x * relative.velocity.x + normal->y * relative.velocity.y;
    const struct offence offence = {.error = between.distance - touch,
                                    .change = xpbd_change(steps, meeting->i, meeting->j, normal),
                                    .inverse_mass = steps->inverse_mass[meeting->i] +
                                                    steps->inverse_mass[meeting->j]};
    const double multiplier = xpbd_multiplier(&contact->compliance, &offence, dt);
    const double relaxation = contact->compliance.value > 0 ? 1 : RELAXATION;
    if (multiplier > 0) /* contacts do not pull */
        xpbd_move(steps, meeting->i, meeting->j, normal, relaxation * multiplier);
}

static double find_touch(const struct steps *steps, const struct meeting *meeting)
{
    return system_contact(steps->system, &steps->system->particles[meeting->i],
                          &steps->system->particles[meeting->j]);
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct contact *contact = (struct contact *)part;
    struct touching *touching = &contact->touching;
    enum status status = find_meetings(contact, steps, dt, error);
    for (size_t k = 0; k < contact->count && !status; k++) {
        struct meeting *meeting = &contact->meetings[k];
        const double touch = find_touch(steps, meeting);
        const struct relative relative = find_relative(steps, meeting->i, meeting->j);
        meeting->since = find_since(
            &relative, touch, fmin(contact->straight[meeting->i], contact->straight[meeting->j]));
        if (meeting->since < 0 && !touching_lasts(touching, meeting->i, meeting->j))
            continue;
        status = touching_add(touching, meeting->i, meeting->j, error);
        if (meeting->since >= 0 && !bounces(contact, steps, meeting, touch, dt))
            project(contact, steps, meeting, touch, dt);
    }
    if (!status)
        touching_end(touching, steps->system->counts);
    return status;
}

/* A hard contact that was projected does not let disks part faster than they did before. */
static void bounce(struct part *part, struct steps *steps, double dt)
{
    struct contact *contact = (struct contact *)part;
    (void)dt;
    contact->deviation = 0;
    for (size_t k = 0; k < contact->count; k++) {
        const struct meeting *meeting = &contact->meetings[k];
        const struct between between = xpbd_between(steps, meeting->i, meeting->j);
        const struct relative relative = find_relative(steps, meeting->i, meeting->j);
        const double speed =
            between.normal.x * relative.velocity.x + between.normal.y * relative.velocity.y;
        const double most = fmax(meeting->arrival, 0);
        if (meeting->is_rest && contact->compliance.value == 0 && speed > most)
            push(steps, meeting, &between.normal, 0, most - speed);
        contact->deviation =
            fmax(contact->deviation, find_touch(steps, meeting) - between.distance);
    }
}

/* A sum over pairs that overlap. */
struct energies {
    const struct system *system;
    double squares; /* of the overlaps */
};

static void add_square(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct energies *energies = context;
    const struct particle *particles = energies->system->particles;
    const double touch = system_contact(energies->system, &particles[i], &particles[j]);
    const double overlap = fmax(0, touch - sqrt(square));
    (void)dx;
    (void)dy;
    energies->squares += overlap * overlap;
}

/* That of springs: the square of the overlap divided by 2 alpha. */
static enum status energy(struct part *part, struct steps *steps, double *sum, struct error *error)
{
    struct contact *contact = (struct contact *)part;
    struct energies energies = {steps->system, 0};
    *sum = 0;
    if (contact->compliance.value == 0 || contact->range == 0)
        return STATUS_DONE;
    enum status status =
        neighbours_find(&contact->neighbours, steps->system, contact->range, error);
    if (status)
        return status;
    neighbours_each(&contact->neighbours, steps->system, contact->range, add_square, &energies);
    *sum = energies.squares / (2 * contact->compliance.value);
    return STATUS_DONE;
}

static double deviation(const struct part *part, const struct steps *steps)
{
    (void)steps;
    return ((const struct contact *)part)->deviation;
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
{
    const struct contact *contact = (const struct contact *)part;
    (void)steps;
    record_put_number(writer, contact->deviation);
    record_end_line(writer);
    touching_save(&contact->touching, writer);
}

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct contact *contact = (struct contact *)part;
    contact->deviation = record_take_number(reader, 0, SYSTEM_LARGEST);
    record_expect_line_end(reader);
    touching_load(&contact->touching, steps->system->count, reader);
}

const struct part_kind contact_kind = {
    .name = "contact",
    .is_single = 1,
    .parameters = {{"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"restitution", 1, 0, 1}},
    .create = create,
    .act = act,
    .bounce = bounce,
    .energy = energy,
    .deviation = deviation,
    .save = save,
    .load = load,
    .free = free_contact,
};
