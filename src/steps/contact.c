/*
 * Contacts: disks do not overlap. Those that arrive bounce; those at rest on each other are pushed
 * apart.
 *
 * Pairs whose paths meet in a substep are treated in the order of the times of contact. A pair that
 * approaches faster than the forces of two substeps explain bounces at the time of contact, and
 * moves with the new velocity for the remainder of the substep (contact.h): without forces, each
 * substep in which a hard disk has one contact is exact. A slower pair is at rest: its overlap is
 * projected (xpbd.h), and may be as large as alpha times the force. So restitution is for arrivals,
 * and compliance for pressure. The projection of a hard contact adds no velocity.
 *
 * (M. Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020,
 * section 3.6, has restitution and its threshold.)
 */
#include "contact.h"

#include "base/memory.h"
#include "neighbours.h"
#include "xpbd.h"

#include <stdlib.h>

/*
 * The part of an overlap of hard disks that a substep removes. With 1, disks in a pile, which two
 * others push, would move too far, and hop for ever.
 */
static const double RELAXATION = 0.5;

static uint64_t pair_of(size_t i, size_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

enum status contact_list_add(struct contact_list *list, size_t i, size_t j, struct error *error)
{
    uint64_t *now = part_grow(list->now, list->count, &list->now_room, sizeof *now,
                              "the pairs in contact", error);
    if (!now)
        return STATUS_NO_MEMORY;
    list->now = now;
    list->now[list->count++] = pair_of(i, j);
    return STATUS_DONE;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a;
    const uint64_t q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

int contact_list_had(const struct contact_list *list, size_t i, size_t j)
{
    const uint64_t pair = pair_of(i, j);
    return list->last_count > 0 &&
           bsearch(&pair, list->last, list->last_count, sizeof pair, compare_pairs) != NULL;
}

/* Moves the pairs of this substep to `last`. */
static void swap_lists(struct contact_list *list)
{
    uint64_t *last = list->last;
    const size_t room = list->room;
    list->last = list->now;
    list->room = list->now_room;
    list->last_count = list->count;
    list->now = last;
    list->now_room = room;
    list->count = 0;
}

void contact_list_end_substep(struct contact_list *list, struct counts *counts)
{
    size_t old = 0;
    if (list->count > 1)
        qsort(list->now, list->count, sizeof *list->now, compare_pairs);
    for (size_t k = 0; k < list->count; k++) {
        const uint64_t pair = list->now[k];
        while (old < list->last_count && list->last[old] < pair)
            old++;
        if (old < list->last_count && list->last[old] == pair)
            continue;
        counts[pair >> 32].particles++;
        counts[pair & UINT32_MAX].particles++;
    }
    swap_lists(list);
}

void contact_list_save(const struct contact_list *list, struct record_writer *writer)
{
    record_put_whole(writer, list->last_count);
    record_end_line(writer);
    for (size_t k = 0; k < list->last_count; k++) {
        record_put_whole(writer, list->last[k] >> 32);
        record_put_whole(writer, list->last[k] & UINT32_MAX);
        record_end_line(writer);
    }
}

void contact_list_load(struct contact_list *list, size_t particles, struct record_reader *reader)
{
    uint64_t before = 0;
    const size_t count = record_take_count(reader, SIZE_MAX, 2);
    record_expect_line_end(reader);
    for (size_t k = 0; k < count && !reader->status; k++) {
        const uint64_t i = record_take_whole(reader, particles - 1);
        const uint64_t j = record_take_whole(reader, particles - 1);
        record_expect_line_end(reader);
        const uint64_t pair = i << 32 | j;
        if (!reader->status && (i >= j || pair <= before))
            record_refuse(reader, "pairs that touch are not in order");
        before = pair;
        if (!reader->status)
            reader->status = contact_list_add(list, (size_t)i, (size_t)j, reader->error);
    }
    swap_lists(list);
}

void contact_list_free(struct contact_list *list)
{
    memory_free(list->now);
    memory_free(list->last);
    *list = (struct contact_list){0};
}

/* Two disks whose paths meet in this substep. */
struct contact_pair {
    uint32_t i, j;  /* i < j */
    double since;   /* time from the contact to the end of the substep; less than 0: none */
    int is_resting; /* the overlap has been projected */
    double arrival; /* speed along the line of centres before the projection */
};

struct contact {
    struct part part; /* the first member: see part.h */
    struct xpbd_compliance compliance;
    double restitution; /* 0 to 1 */
    double range;       /* the largest sum of two radii */
    double deviation;   /* the largest overlap after the last substep, length */
    struct neighbours neighbours;
    struct contact_list touching;
    struct contact_pair *pairs; /* of this substep, with memory for `room`; owned */
    size_t count, room;
    double *straight; /* of each disk, time from its last bounce to the end of the substep; owned */
};

static void contact_free(struct part *part)
{
    struct contact *contact = (struct contact *)part;
    neighbours_free(&contact->neighbours);
    contact_list_free(&contact->touching);
    memory_free(contact->pairs);
    memory_free(contact->straight);
}

void contact_radii(const struct system *system, double *largest, double *smallest)
{
    *largest = 0;
    *smallest = (double)INFINITY;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        *largest = fmax(*largest, radius);
        *smallest = radius > 0 ? fmin(*smallest, radius) : *smallest;
    }
}

static enum status contact_create(struct part *part, const struct arguments *arguments,
                                  struct steps *steps, struct error *error)
{
    double largest, smallest;
    struct contact *contact = (struct contact *)part;
    contact_radii(steps->system, &largest, &smallest);
    contact->compliance = (struct xpbd_compliance){arguments->numbers[0], arguments->numbers[1]};
    contact->restitution = arguments->numbers[2];
    contact->range = 2 * largest;
    steps_limit_move(steps, smallest / 2); /* so that no two pass through each other */
    contact->straight =
        memory_allocate(steps->system->count, sizeof *contact->straight, "the contacts", error);
    return contact->straight ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* The position and velocity of a disk relative to another. */
struct relative {
    struct vector position, velocity; /* from i to j; of j less that of i */
};

static struct relative relative_motion(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    return (struct relative){xpbd_nearest_image(&steps->system->boundary, q->x - p->x, q->y - p->y),
                             {q->u - p->u, q->v - p->v}};
}

/*
 * The time since two disks on straight paths first touched: the larger root of
 * (w.w) s^2 - 2 (d.w) s + (d.d - contact^2) = 0, in the form of physics.h in which nothing cancels;
 * `straight`, for which they have moved straight, if they overlapped before; less than 0 if they
 * have not touched since.
 */
static double find_since(const struct relative *relative, double contact, double straight)
{
    const struct vector *d = &relative->position;
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
    return since < straight ? since : straight; /* also if nothing moves and `since` is NAN */
}

/* The acceleration of a disk by forces. */
static struct vector find_acceleration(const struct steps *steps, size_t k)
{
    return (struct vector){steps->force[k].x * steps->inverse_mass[k],
                           steps->force[k].y * steps->inverse_mass[k]};
}

static double vector_length(const struct vector *vector)
{
    return sqrt(vector->x * vector->x + vector->y * vector->y);
}

/* The search for pairs in contact. */
struct contact_search {
    struct contact *contact;
    const struct steps *steps;
    double dt;
    double slack; /* the gap at which a contact of the last substep lasts, length */
    enum status status;
    struct error *error;
};

/* Lists a pair of neighbours if it is in contact. */
static void add_if_met(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contact_search *search = context;
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
                       contact_list_had(&contact->touching, i, j)))
        return;
    struct contact_pair *pairs = part_grow(contact->pairs, contact->count, &contact->room,
                                           sizeof *pairs, "the contacts", search->error);
    if (!pairs) {
        search->status = STATUS_NO_MEMORY;
        return;
    }
    contact->pairs = pairs;
    pairs[contact->count++] =
        (struct contact_pair){.i = (uint32_t)i, .j = (uint32_t)j, .since = since};
}

/* Orders pairs by the time of contact, then by their numbers. */
static int compare_times(const void *a, const void *b)
{
    const struct contact_pair *p = a;
    const struct contact_pair *q = b;
    if (p->since != q->since)
        return p->since > q->since ? -1 : 1;
    if (p->i != q->i)
        return p->i < q->i ? -1 : 1;
    return (p->j > q->j) - (p->j < q->j);
}

static enum status find_pairs(struct contact *contact, const struct steps *steps, double dt,
                              struct error *error)
{
    const struct boundary *boundary = &steps->system->boundary;
    struct contact_search search = {contact, steps, dt, 0, STATUS_DONE, error};
    double max_move = 0;         /* of a particle in this substep, length */
    double max_acceleration = 0; /* acceleration */
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        max_move = fmax(max_move, sqrt(p->u * p->u + p->v * p->v) * dt);
        const struct vector acceleration = find_acceleration(steps, k);
        max_acceleration = fmax(max_acceleration, vector_length(&acceleration));
        contact->straight[k] = dt;
    }
    search.slack = fmin(4 * max_acceleration * dt * dt, contact->range);
    /* Two may have separated again by the moves of both, and one may be beyond a seam. */
    double range = contact->range + 3 * fmin(max_move, contact->range) + search.slack;
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
    neighbours_each(&contact->neighbours, steps->system, range, add_if_met, &search);
    if (contact->count > 1)
        qsort(contact->pairs, contact->count, sizeof *contact->pairs, compare_times);
    return search.status;
}

/* Moves two disks apart and changes their velocities, both along the normal. */
static void contact_push(struct steps *steps, const struct contact_pair *pair,
                         const struct vector *normal, double distance, double speed)
{
    struct particle *p = &steps->system->particles[pair->i];
    struct particle *q = &steps->system->particles[pair->j];
    const double sum = steps->inverse_mass[pair->i] + steps->inverse_mass[pair->j];
    const double a = steps->inverse_mass[pair->i] / sum;
    const double b = steps->inverse_mass[pair->j] / sum;
    p->x -= a * distance * normal->x;
    p->y -= a * distance * normal->y;
    p->u -= a * speed * normal->x;
    p->v -= a * speed * normal->y;
    q->x += b * distance * normal->x;
    q->y += b * distance * normal->y;
    q->u += b * speed * normal->x;
    q->v += b * speed * normal->y;
}

/* The arrival of two disks in contact along this normal. */
static struct impact_arrival find_arrival(const struct steps *steps,
                                          const struct contact_pair *pair,
                                          const struct relative *relative,
                                          const struct vector *normal, double dt)
{
    const struct vector a = find_acceleration(steps, pair->i);
    const struct vector b = find_acceleration(steps, pair->j);
    const double largest = fmax(vector_length(&a), vector_length(&b));
    return (struct impact_arrival){
        normal->x * relative->velocity.x + normal->y * relative->velocity.y,
        normal->x * (b.x - a.x) + normal->y * (b.y - a.y), 2 * largest * dt, pair->since};
}

/* Makes two disks in contact bounce. Returns true if they do, and false if they are at rest. */
static int bounce_pair(struct contact *contact, struct steps *steps,
                       const struct contact_pair *pair, double touch, double dt)
{
    const struct relative relative = relative_motion(steps, pair->i, pair->j);
    const struct vector met = {relative.position.x - relative.velocity.x * pair->since,
                               relative.position.y - relative.velocity.y * pair->since};
    const double distance = sqrt(met.x * met.x + met.y * met.y);
    if (!(distance > 0))
        return 0;
    const struct vector normal = {met.x / distance, met.y / distance};
    const struct impact_arrival arrival = find_arrival(steps, pair, &relative, &normal, dt);
    if ((contact->compliance.value > 0 || arrival.threshold > 0) &&
        contact_list_had(&contact->touching, pair->i, pair->j))
        return 0;
    const struct impact_departure departure = impact_leave(&arrival, contact->restitution, dt);
    const double gap = normal.x * relative.position.x + normal.y * relative.position.y - touch;
    if (departure.is_resting)
        return 0;
    contact_push(steps, pair, &normal, departure.gap - gap, departure.speed - arrival.speed);
    contact->straight[pair->i] = contact->straight[pair->j] = pair->since;
    return 1;
}

static void project_overlap(const struct contact *contact, struct steps *steps,
                            struct contact_pair *pair, double touch, double dt)
{
    const struct xpbd_separation separation = xpbd_separation(steps, pair->i, pair->j);
    const struct vector *normal = &separation.normal;
    const struct relative relative = relative_motion(steps, pair->i, pair->j);
    if (!(separation.distance < touch))
        return;
    pair->is_resting = 1;
    pair->arrival = normal->x * relative.velocity.x + normal->y * relative.velocity.y;
    const struct xpbd_violation violation = {.error = separation.distance - touch,
                                             .change = xpbd_change(steps, pair->i, pair->j, normal),
                                             .inverse_mass = steps->inverse_mass[pair->i] +
                                                             steps->inverse_mass[pair->j]};
    const double multiplier = xpbd_multiplier(&contact->compliance, &violation, dt);
    const double relaxation = contact->compliance.value > 0 ? 1 : RELAXATION;
    if (multiplier > 0) /* contacts do not pull */
        xpbd_move(steps, pair->i, pair->j, normal, relaxation * multiplier);
}

static double contact_distance(const struct steps *steps, const struct contact_pair *pair)
{
    return system_contact(steps->system, &steps->system->particles[pair->i],
                          &steps->system->particles[pair->j]);
}

static enum status contact_resolve(struct part *part, struct steps *steps, double dt,
                                   struct error *error)
{
    struct contact *contact = (struct contact *)part;
    struct contact_list *touching = &contact->touching;
    enum status status = find_pairs(contact, steps, dt, error);
    for (size_t k = 0; k < contact->count && !status; k++) {
        struct contact_pair *pair = &contact->pairs[k];
        const double touch = contact_distance(steps, pair);
        const struct relative relative = relative_motion(steps, pair->i, pair->j);
        pair->since = find_since(&relative, touch,
                                 fmin(contact->straight[pair->i], contact->straight[pair->j]));
        if (pair->since < 0 && !contact_list_had(touching, pair->i, pair->j))
            continue;
        status = contact_list_add(touching, pair->i, pair->j, error);
        if (pair->since >= 0 && !bounce_pair(contact, steps, pair, touch, dt))
            project_overlap(contact, steps, pair, touch, dt);
    }
    if (!status)
        contact_list_end_substep(touching, steps->system->counts);
    return status;
}

/* Takes from the disks of a projected hard contact the separation speed that the projection added.
 */
static enum status contact_bounce(struct part *part, struct steps *steps, double dt,
                                  struct error *error)
{
    struct contact *contact = (struct contact *)part;
    (void)dt, (void)error;
    contact->deviation = 0;
    for (size_t k = 0; k < contact->count; k++) {
        const struct contact_pair *pair = &contact->pairs[k];
        const struct xpbd_separation separation = xpbd_separation(steps, pair->i, pair->j);
        const struct relative relative = relative_motion(steps, pair->i, pair->j);
        const double speed =
            separation.normal.x * relative.velocity.x + separation.normal.y * relative.velocity.y;
        const double most = fmax(pair->arrival, 0);
        if (pair->is_resting && contact->compliance.value == 0 && speed > most)
            contact_push(steps, pair, &separation.normal, 0, most - speed);
        contact->deviation =
            fmax(contact->deviation, contact_distance(steps, pair) - separation.distance);
    }
    return STATUS_DONE;
}

/* A sum over overlapping pairs. */
struct overlap_sum {
    const struct system *system;
    double squares; /* of the overlaps */
};

static void add_square(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct overlap_sum *sums = context;
    const struct particle *particles = sums->system->particles;
    const double touch = system_contact(sums->system, &particles[i], &particles[j]);
    const double overlap = fmax(0, touch - sqrt(square));
    (void)dx, (void)dy;
    sums->squares += overlap * overlap;
}

/* The energy of springs: the square of the overlap divided by 2 alpha. */
static enum status contact_energy(struct part *part, struct steps *steps, double *sum,
                                  struct error *error)
{
    struct contact *contact = (struct contact *)part;
    struct overlap_sum sums = {steps->system, 0};
    *sum = 0;
    if (contact->compliance.value == 0 || contact->range == 0)
        return STATUS_DONE;
    enum status status =
        neighbours_find(&contact->neighbours, steps->system, contact->range, error);
    if (status)
        return status;
    neighbours_each(&contact->neighbours, steps->system, contact->range, add_square, &sums);
    *sum = sums.squares / (2 * contact->compliance.value);
    return STATUS_DONE;
}

static double contact_deviation(const struct part *part, const struct steps *steps)
{
    (void)steps;
    return ((const struct contact *)part)->deviation;
}

static void contact_save(const struct part *part, const struct steps *steps,
                         struct record_writer *writer)
{
    const struct contact *contact = (const struct contact *)part;
    (void)steps;
    record_put_number(writer, contact->deviation);
    record_end_line(writer);
    contact_list_save(&contact->touching, writer);
}

static void contact_load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct contact *contact = (struct contact *)part;
    contact->deviation = record_take_number(reader, 0, SYSTEM_LARGEST);
    record_expect_line_end(reader);
    contact_list_load(&contact->touching, steps->system->count, reader);
}

const struct part_kind contact_kind = {
    .name = "contact",
    .size = sizeof(struct contact),
    .is_single = 1,
    .parameters = {{"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"restitution", 1, 0, 1}},
    .create = contact_create,
    .act = {[PHASE_CONSTRAINTS] = contact_resolve, [PHASE_BOUNCE] = contact_bounce},
    .energy = contact_energy,
    .deviation = contact_deviation,
    .save = contact_save,
    .load = contact_load,
    .free = contact_free,
};
