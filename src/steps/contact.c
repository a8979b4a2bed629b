/*
 * Contacts: disks do not overlap. Those that collide bounce; those that lie on each other are
 * pushed apart.
 *
 * Pairs whose paths meet in a substep are resolved in the order of the times of contact. A pair
 * that approaches faster than its forces could accelerate it in two substeps bounces at the time of
 * contact, and moves with the new velocity for the remainder of the substep (contact.h): without
 * forces, each substep in which a hard disk has one contact is exact. A slower pair is in lasting
 * contact: its overlap is projected (XPBD), and may be as large as alpha times the force. So
 * restitution is for collisions, and compliance for lasting contacts. The projection of a hard
 * contact adds no velocity.
 */
#include "contact.h"

#include "base/memory.h"

#include <stdlib.h>

/* The fraction of an overlap of hard disks that a substep removes. With 1, a disk in a pile, which
 * several others push, would move too far, and the pile would never settle. */
static const double RELAXATION = 0.5;

enum status contact_list_add(struct contact_list *list, size_t i, size_t j, struct error *error)
{
    struct pair_list *now = &list->now;
    uint64_t *pairs = memory_grow(now->pairs, now->count, &now->room, sizeof *pairs,
                                  "the pairs in contact", error);
    if (!pairs)
        return STATUS_NO_MEMORY;
    now->pairs = pairs;
    now->pairs[now->count++] = pair_number(i, j);
    return STATUS_DONE;
}

int contact_list_had(const struct contact_list *list, size_t i, size_t j)
{
    const uint64_t pair = pair_number(i, j);
    return list->last.count > 0 &&
           bsearch(&pair, list->last.pairs, list->last.count, sizeof pair, pair_compare) != NULL;
}

static void swap_lists(struct contact_list *list)
{
    const struct pair_list last = list->last;
    list->last = list->now;
    list->now = last;
    list->now.count = 0;
}

void contact_list_end_substep(struct contact_list *list, struct counts *counts)
{
    const struct pair_list *now = &list->now, *last = &list->last;
    size_t old = 0;
    size_t ordered = 1;
    while (ordered < now->count && now->pairs[ordered - 1] < now->pairs[ordered])
        ordered++;
    if (ordered < now->count)
        qsort(now->pairs, now->count, sizeof *now->pairs, pair_compare);
    for (size_t k = 0; k < now->count; k++) {
        const uint64_t pair = now->pairs[k];
        while (old < last->count && last->pairs[old] < pair)
            old++;
        if (old < last->count && last->pairs[old] == pair)
            continue;
        counts[pair >> 32].particles++;
        counts[pair & UINT32_MAX].particles++;
    }
    swap_lists(list);
}

void contact_list_record(struct contact_list *list, size_t particles, struct record *record)
{
    uint64_t before = 0;
    size_t count = list->last.count;
    record_count(record, &count, SIZE_MAX, 2);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        uint64_t i = record->is_reading ? 0 : list->last.pairs[k] >> 32;
        uint64_t j = record->is_reading ? 0 : list->last.pairs[k] & UINT32_MAX;
        record_whole(record, &i, particles - 1);
        record_whole(record, &j, particles - 1);
        record_end_line(record);
        const uint64_t pair = i << 32 | j;
        if (!record->status && (i >= j || pair <= before))
            record_refuse(record, "pairs that touch are not in order");
        before = pair;
        if (record->is_reading && !record->status)
            record->status = contact_list_add(list, (size_t)i, (size_t)j, record->error);
    }
    if (record->is_reading)
        swap_lists(list);
}

void contact_list_free(struct contact_list *list)
{
    memory_free(list->now.pairs);
    memory_free(list->last.pairs);
    *list = (struct contact_list){0};
}

/* Two disks whose paths meet in this substep. */
struct contact_pair {
    uint32_t i, j;  /* i < j */
    double since;   /* time from the contact to the end of the substep; less than 0: none */
    int is_resting; /* the overlap has been projected */
    int is_touching;
    double arrival; /* speed along the line of centres before the projection */
};

struct contact_order {
    double since;
    size_t pair;
};

struct contact {
    struct term term; /* the first member: see term.h */
    struct xpbd_compliance compliance;
    double restitution;  /* 0 to 1 */
    double range;        /* the largest sum of two radii */
    double deviation;    /* the largest overlap at the start or after the last substep, length */
    double squares;      /* the sum of the squares of all overlaps, length^2 */
    double slack;        /* the gap at which a contact of the last substep lasts, length */
    double near;         /* the range of the search for neighbours, length */
    struct steps *steps; /* not owned */
    struct verlet_list list;
    atomic_ullong max_acceleration; /* of a disk in this substep */
    struct contact_list touching;
    struct contact_pair *pairs; /* of this substep, with memory for `room`; owned */
    size_t count, room;
    struct contact_order *order; /* of the pairs; owned */
    double *straight; /* of each disk, time from its last bounce to the end of the substep; owned */
};

static void contact_free(struct term *term)
{
    struct contact *contact = (struct contact *)term;
    verlet_free(&contact->list);
    contact_list_free(&contact->touching);
    memory_free(contact->pairs);
    memory_free(contact->order);
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

static enum status contact_create(struct term *term, const struct arguments *arguments,
                                  struct steps *steps)
{
    double largest, smallest;
    struct contact *contact = (struct contact *)term;
    contact_radii(steps->system, &largest, &smallest);
    contact->compliance = (struct xpbd_compliance){arguments->numbers[0], arguments->numbers[1]};
    contact->restitution = arguments->numbers[2];
    contact->range = 2 * largest;
    contact->steps = steps;
    steps->max_move =
        fmin(steps->max_move, smallest / 2); /* so that no two pass through each other */
    contact->straight = memory_allocate(steps->system->count, sizeof *contact->straight,
                                        "the contacts", steps->error);
    return contact->straight ? STATUS_DONE : STATUS_NO_MEMORY;
}

/*
 * The time since two disks on straight paths first touched: the larger root of
 * (w.w) s^2 - 2 (d.w) s + (d.d - contact^2) = 0, in the form of physics.h in which nothing cancels;
 * or `straight`, the time for which both have moved on straight paths, if they overlapped before
 * that; less than 0 if they did not touch in that time.
 */
static double find_since(const struct relative *relative, double contact, double straight)
{
    const struct vector *d = &relative->position, *w = &relative->velocity;
    const double B = vector_product(d, w);
    const double C = vector_product(d, d) - contact * contact;
    const double W = vector_product(w, w);
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

static void add_if_met(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contact *contact = context;
    const struct steps *steps = contact->steps;
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const struct relative relative = {{dx, dy}, {q->u - p->u, q->v - p->v}};
    const double touch = system_contact(steps->system, p, q);
    const double lasting = touch + contact->slack;
    if (steps->inverse_mass[i] + steps->inverse_mass[j] > 0 &&
        (find_since(&relative, touch, steps->dt) >= 0 ||
         (square < lasting * lasting && contact_list_had(&contact->touching, i, j))))
        verlet_mark(&contact->list, i, j);
}

static void contact_search_part(void *user, size_t begin, size_t end)
{
    struct contact *contact = user;
    for (size_t i = begin; i < end; i++) {
        contact->list.found_counts[i] = 0;
        verlet_visit(&contact->list, i, i + 1, contact->near, add_if_met, contact);
    }
}

static void contact_forces_part(void *user, size_t begin, size_t end)
{
    struct contact *contact = user;
    double largest = 0;
    for (size_t k = begin; k < end; k++) {
        const struct vector a = steps_acceleration(contact->steps, k);
        largest = fmax(largest, vector_length(&a));
        contact->straight[k] = contact->steps->dt;
    }
    thread_pool_raise(&contact->max_acceleration, largest);
}

static int compare_times(const void *a, const void *b)
{
    const struct contact_order *p = a, *q = b;
    if (p->since != q->since)
        return p->since > q->since ? -1 : 1;
    return (p->pair > q->pair) - (p->pair < q->pair);
}

/* Sorts the pairs, which are in the order of their numbers. Most are in lasting contact, or have
 * parted: these need no sorting. */
static enum status order_contact_pairs(struct contact *contact)
{
    const double dt = contact->steps->dt;
    struct contact_order *next = memory_resize(contact->order, contact->room, sizeof *next,
                                               "the contacts", contact->steps->error);
    if (!next)
        return STATUS_NO_MEMORY;
    contact->order = next;
    for (int kind = 0; kind < 3; kind++) {
        struct contact_order *begin = next;
        for (size_t k = 0; k < contact->count; k++) {
            const double since = contact->pairs[k].since;
            if (kind == (since < 0 ? 2 : since < dt))
                *next++ = (struct contact_order){since, k};
        }
        if (kind == 1 && next > begin)
            qsort(begin, (size_t)(next - begin), sizeof *begin, compare_times);
    }
    return STATUS_DONE;
}

static double contact_distance(const struct steps *steps, const struct contact_pair *pair)
{
    return system_contact(steps->system, &steps->system->particles[pair->i],
                          &steps->system->particles[pair->j]);
}

static enum status find_pairs(struct contact *contact)
{
    const struct steps *steps = contact->steps;
    const struct verlet_list *list = &contact->list;
    const size_t count = steps->system->count;
    const double max_move = thread_pool_raised(&steps->largest_move);
    contact->max_acceleration = 0;
    thread_pool_divide(steps->pool, count, contact_forces_part, contact);
    contact->slack = fmin(
        4 * thread_pool_raised(&contact->max_acceleration) * steps->dt * steps->dt, contact->range);
    /* Disks that met in this substep may be apart by their moves. */
    contact->near = contact->range + 2 * fmin(max_move, contact->range) + contact->slack;
    contact->count = 0;
    if (contact->range == 0)
        return STATUS_DONE;
    enum status status = verlet_update(&contact->list, steps->system, contact->near,
                                       2 * max_move + contact->slack, steps->pool, steps->error);
    if (status)
        return status;
    thread_pool_divide(steps->pool, count, contact_search_part, contact);
    for (size_t i = 0; i < count; i++) {
        for (size_t n = 0; n < list->found_counts[i]; n++) {
            struct contact_pair *pairs = memory_grow(contact->pairs, contact->count, &contact->room,
                                                     sizeof *pairs, "the contacts", steps->error);
            if (!pairs)
                return STATUS_NO_MEMORY;
            contact->pairs = pairs;
            struct contact_pair *pair = &pairs[contact->count++];
            *pair = (struct contact_pair){.i = (uint32_t)i, .j = list->found[list->begins[i] + n]};
            const struct relative relative = relative_motion(steps, i, pair->j);
            pair->since = find_since(&relative, contact_distance(steps, pair), steps->dt);
        }
    }
    return contact->count == 0 ? STATUS_DONE : order_contact_pairs(contact);
}

/* Moves two disks apart and changes their velocities, both along the normal; `reaction` is the
 * part of that change which is a reaction. */
static void contact_push(struct steps *steps, const struct contact_pair *pair,
                         const struct vector *normal, double distance, double speed,
                         double reaction)
{
    struct particle *p = &steps->system->particles[pair->i];
    struct particle *q = &steps->system->particles[pair->j];
    const double sum = steps->inverse_mass[pair->i] + steps->inverse_mass[pair->j];
    const double a = steps->inverse_mass[pair->i] / sum;
    const double b = steps->inverse_mass[pair->j] / sum;
    sum_add(&steps->figures.pushes, speed / sum * contact_distance(steps, pair));
    p->x -= a * distance * normal->x;
    p->y -= a * distance * normal->y;
    q->x += b * distance * normal->x;
    q->y += b * distance * normal->y;
    steps_push(steps, pair->i, normal, -a * speed, reaction);
    steps_push(steps, pair->j, normal, b * speed, reaction);
}

/* Makes two disks in contact bounce. Returns false if they are too slow for that. */
static int bounce_pair(struct contact *contact, struct steps *steps,
                       const struct contact_pair *pair, double touch)
{
    const struct relative relative = relative_motion(steps, pair->i, pair->j);
    const struct vector met = {relative.position.x - relative.velocity.x * pair->since,
                               relative.position.y - relative.velocity.y * pair->since};
    const double distance = vector_length(&met);
    if (!(distance > 0))
        return 0;
    const struct vector normal = {met.x / distance, met.y / distance};
    const struct vector a = steps_acceleration(steps, pair->i);
    const struct vector b = steps_acceleration(steps, pair->j);
    const double largest = fmax(vector_length(&a), vector_length(&b));
    const struct impact_arrival arrival = {vector_product(&normal, &relative.velocity),
                                           normal.x * (b.x - a.x) + normal.y * (b.y - a.y),
                                           2 * largest * steps->dt, pair->since};
    if ((contact->compliance.value > 0 || arrival.threshold > 0) &&
        contact_list_had(&contact->touching, pair->i, pair->j))
        return 0;
    const struct impact_departure departure =
        impact_leave(&arrival, contact->restitution, steps->dt);
    const double gap = vector_product(&normal, &relative.position) - touch;
    if (departure.is_resting)
        return 0;
    contact_push(steps, pair, &normal, departure.gap - gap, departure.speed - arrival.speed, 0);
    contact->straight[pair->i] = contact->straight[pair->j] = pair->since;
    return 1;
}

static void project_overlap(const struct contact *contact, struct steps *steps,
                            struct contact_pair *pair, double touch)
{
    const struct xpbd_separation separation = xpbd_separation(steps, pair->i, pair->j);
    const struct vector *normal = &separation.normal;
    if (!(separation.distance < touch))
        return;
    pair->is_resting = 1;
    pair->arrival = separation_speed(steps, pair->i, pair->j, normal);
    const double multiplier =
        xpbd_multiplier(&contact->compliance, steps->dt, separation.distance - touch,
                        xpbd_change(steps, pair->i, pair->j, normal), 0,
                        steps->mobility[pair->i] + steps->mobility[pair->j]);
    const double relaxation = contact->compliance.value > 0 ? 1 : RELAXATION;
    if (!(multiplier > 0)) /* contacts do not pull */
        return;
    sum_add(&steps->figures.pushes, relaxation * multiplier / steps->dt * separation.distance);
    xpbd_move(steps, pair->i, pair->j, normal, relaxation * multiplier);
}

static enum status contact_resolve(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    struct contact_list *touching = &contact->touching;
    enum status status = find_pairs(contact);
    for (size_t k = 0; k < contact->count && !status; k++) {
        struct contact_pair *pair = &contact->pairs[contact->order[k].pair];
        const double touch = contact_distance(steps, pair);
        const struct relative relative = relative_motion(steps, pair->i, pair->j);
        pair->since = find_since(&relative, touch,
                                 fmin(contact->straight[pair->i], contact->straight[pair->j]));
        if (pair->since < 0 && !contact_list_had(touching, pair->i, pair->j))
            continue;
        pair->is_touching = 1;
        if (pair->since >= 0 && !bounce_pair(contact, steps, pair, touch))
            project_overlap(contact, steps, pair, touch);
    }
    for (size_t k = 0; k < contact->count && !status; k++)
        if (contact->pairs[k].is_touching)
            status =
                contact_list_add(touching, contact->pairs[k].i, contact->pairs[k].j, steps->error);
    if (!status)
        contact_list_end_substep(touching, steps->system->counts);
    return status;
}

/* Removes the separation speed that the projection of hard contacts added. */
static enum status contact_bounce(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    contact->deviation = 0;
    for (size_t k = 0; k < contact->count; k++) {
        const struct contact_pair *pair = &contact->pairs[contact->order[k].pair];
        const struct xpbd_separation separation = xpbd_separation(steps, pair->i, pair->j);
        const double speed = separation_speed(steps, pair->i, pair->j, &separation.normal);
        const double most = fmax(pair->arrival, 0);
        if (pair->is_resting && contact->compliance.value == 0 && speed > most)
            contact_push(steps, pair, &separation.normal, 0, most - speed, 0.5);
        contact->deviation =
            fmax(contact->deviation, contact_distance(steps, pair) - separation.distance);
    }
    return STATUS_DONE;
}

static void add_overlap(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contact *contact = context;
    const struct steps *steps = contact->steps;
    const struct particle *particles = steps->system->particles;
    const double touch = system_contact(steps->system, &particles[i], &particles[j]);
    const double overlap = fmax(0, touch - sqrt(square));
    (void)dx, (void)dy;
    contact->squares += overlap * overlap;
    if (steps->inverse_mass[i] + steps->inverse_mass[j] > 0) /* not both pinned */
        contact->deviation = fmax(contact->deviation, overlap);
}

static enum status contact_measure(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    contact->squares = contact->deviation = 0;
    return verlet_each(&contact->list, steps->system, contact->range, 0, steps->pool, add_overlap,
                       contact, steps->error);
}

/* The energy of springs: the square of the overlap divided by 2 alpha. */
static enum status contact_add_energy(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    const double deviation = contact->deviation;
    if (contact->compliance.value == 0)
        return STATUS_DONE;
    enum status status = contact_measure(term, steps);
    contact->deviation = deviation;
    steps->potential += contact->squares / (2 * contact->compliance.value);
    return status;
}

static enum status contact_report(struct term *term, struct steps *steps)
{
    steps->deviation = fmax(steps->deviation, ((const struct contact *)term)->deviation);
    return STATUS_DONE;
}

static void contact_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct contact *contact = (struct contact *)term;
    record_number(record, &contact->deviation, 0, SYSTEM_LARGEST);
    record_end_line(record);
    contact_list_record(&contact->touching, steps->system->count, record);
}

const struct term_kind contact_kind = {
    .name = "contact",
    .size = sizeof(struct contact),
    .is_single = 1,
    .parameters = {{"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"restitution", 1, 0, 1}},
    .create = contact_create,
    .act = {[PHASE_PREPARE] = contact_measure,
            [PHASE_CONSTRAINTS] = contact_resolve,
            [PHASE_BOUNCE] = contact_bounce,
            [PHASE_DEVIATION] = contact_report,
            [PHASE_ENERGY] = contact_add_energy},
    .state = contact_state,
    .free = contact_free,
};
