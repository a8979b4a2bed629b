/*
 * Contacts: disks do not overlap. Those that collide bounce; those that lie on each other are
 * pushed apart.
 *
 * Pairs whose paths meet in a substep are resolved in the order of the times of contact. A pair
 * that approaches faster than its forces could accelerate it in two substeps bounces at the time of
 * contact, and moves with the new velocity for the remainder of the substep (term.h): without
 * forces, each substep in which a hard disk has one contact is exact. A slower pair is in lasting
 * contact, and so is one whose overlap the approach does not explain: it is projected (XPBD), and
 * may be as large as alpha times the force. So restitution is for collisions, and compliance for
 * lasting contacts. The projection of a hard contact adds no velocity.
 *
 * Disks that touch pass a hit on: constraints act again, walls too, until no disk makes another one
 * bounce, and until soft ones balance. All these bounces are of one moment. So each pass has to
 * know all contacts, also of disks that have not met yet.
 */
#include "term.h"

#include "base/memory.h"
#include "model/ordered_pairs.h"

#include <string.h>

/* The fraction of an overlap of hard disks that a substep removes. With 1, a disk in a pile, which
 * several others push, would move too far, and the pile would never settle. */
static const double RELAXATION = 0.5;

/* Larger errors of lasting contacts are reported: of hard disks an overlap of the first, in radii;
 * of soft ones a difference of the overlap and alpha times the force that is more than the second,
 * as a part of the latter, and more than the last, in diameters. */
static const double MAX_OVERLAP = 1e-3, MAX_ERROR = 0.01, LEAST_ERROR = 1e-6;

/* Disks that approach collide if their approach would have made their overlap in fewer substeps
 * than this. Otherwise they have pressed on each other for longer. */
static const double MEMORY = 2;

/* Soft disks that overlapped before the substep, by this part of a distance or more, press on each
 * other, and what presses is a spring: it gives back by itself. Less is rounding. */
static const double PRESSED = 1e-12;

/* Two disks whose paths meet in this substep, or that were in contact in the last one. Its key is
 * the time from the contact to the end of the substep; INFINITY if they overlapped before, and
 * -INFINITY if they do not meet. */
struct contact_pair {
    struct ordered_pair pair; /* the first member */
    double since;             /* that time, as resolved; less than 0: they do not meet */
    double arrival;           /* speed along the line of centres before the projection */
    double multiplier;        /* of soft disks, the sum of this substep */
    double error;             /* of a lasting contact, length; 0: small enough */
    double push;              /* distance times momentum that it has passed on */
    char was_touching, is_touching;
    char is_resting; /* the overlap has been projected */
};

struct contact {
    struct term term; /* the first member: see term.h */
    struct xpbd_compliance compliance;
    double restitution; /* 0 to 1 */
    double range;       /* the largest sum of two radii */
    double deviation;   /* the largest overlap at the start or after the last substep, length */
    double squares;     /* the sum of the squares of all overlaps, length^2 */
    double slack;       /* the gap at which a contact of the last substep lasts, length */
    double near;        /* the range of the search for neighbours, length */
    atomic_ullong max_acceleration; /* of a disk in this substep */
    atomic_ullong max_overlap;      /* at its end */
    atomic_ullong max_error;        /* of its lasting contacts */
    double worst[4];                /* the largest error so far, length, when, and of which two */
    double warned;                  /* of that error, 0: not yet */
    struct ordered_pairs pairs;     /* of this substep */
};

static void contact_free(struct term *term)
{
    ordered_pairs_free(&((struct contact *)term)->pairs);
}

static enum status contact_create(struct term *term, const struct text_arguments *arguments,
                                  struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    contact->compliance = (struct xpbd_compliance){arguments->numbers[0], arguments->numbers[1]};
    contact->restitution = arguments->numbers[2];
    contact->range = contact_range(steps);
    steps->flights = term->memory = memory_allocate_zeros(
        steps->system->count, sizeof *steps->flights, "the contacts", steps->error);
    return steps->flights ? STATUS_DONE : STATUS_NO_MEMORY;
}

/*
 * The time since two disks on straight paths first touched: the larger root of
 * (w.w) s^2 - 2 (d.w) s + (d.d - contact^2) = 0, in the form of pair.h in which nothing cancels;
 * or `straight`, the time for which both have moved on straight paths, if they overlapped before
 * that; less than 0 if they did not touch in that time.
 */
static double find_since(const struct steps_motion *relative, double contact, double straight)
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
    struct ordered_strip *strip = context;
    const struct contact *contact = strip->pairs->user;
    const struct steps *steps = contact->term.steps;
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const struct steps_motion relative = {{dx, dy}, {q->u - p->u, q->v - p->v}};
    const double diameter = system_contact(steps->system, p, q);
    const double lasting = diameter + contact->slack,
                 reach = diameter + contact->near - contact->range;
    const double since = find_since(&relative, diameter, MEMORY * steps->dt);
    if (!(since >= 0 || square < reach * reach) ||
        !(steps->inverse_mass[i] + steps->inverse_mass[j] > 0))
        return;
    const int had = (since >= 0 || square < lasting * lasting) &&
                    contact_list_had(&contact->term.touching, i, j);
    const double key = since < 0 ? (double)-INFINITY : since < steps->dt ? since : (double)INFINITY;
    struct contact_pair *pair = ordered_pairs_add(strip, i, j, key);
    if (pair)
        *pair = (struct contact_pair){.pair = pair->pair, .was_touching = (char)had};
}

static void search_contacts(void *user, struct ordered_strip *strip)
{
    struct contact *contact = user;
    for (size_t k = strip->begin; k < strip->end; k++) {
        const size_t i = contact->pairs.members[k];
        contact_list_begin(&contact->term.touching, i, contact->term.near.begins[i]);
        verlet_visit(&contact->term.near, i, i + 1, contact->near, add_if_met, strip);
    }
}

static void contact_forces_part(void *user, size_t begin, size_t end)
{
    struct contact *contact = user;
    double largest = 0;
    for (size_t k = begin; k < end; k++) {
        const struct vector a = steps_acceleration(contact->term.steps, k);
        largest = fmax(largest, vector_length(&a));
        contact->term.steps->flights[k] =
            (struct steps_flight){.straight = MEMORY * contact->term.steps->dt};
    }
    thread_pool_raise(&contact->max_acceleration, largest);
}

static double contact_distance(const struct steps *steps, const struct contact_pair *pair)
{
    return system_contact(steps->system, &steps->system->particles[pair->pair.i],
                          &steps->system->particles[pair->pair.j]);
}

static enum status find_pairs(struct contact *contact)
{
    const struct steps *steps = contact->term.steps;
    const double max_move = thread_pool_raised(&steps->largest_move);
    contact->max_acceleration = 0;
    thread_pool_divide(steps->pool, steps->system->count, contact_forces_part, contact);
    contact->slack = fmin(
        4 * thread_pool_raised(&contact->max_acceleration) * steps->dt * steps->dt, contact->range);
    /* Disks that met in this substep may be apart by their moves. */
    contact->near = contact->range + 2 * fmin(max_move, contact->range) + contact->slack;
    enum status status = verlet_update(&contact->term.near, steps->system, contact->near,
                                       2 * max_move + contact->slack, steps->pool, steps->error);
    if (!status && !contact->pairs.strips)
        status = ordered_pairs_create(&contact->pairs, steps->system, sizeof(struct contact_pair),
                                      steps->pool, steps->error);
    if (!status)
        status = contact_list_reserve(&contact->term.touching, steps->system->count,
                                      contact->term.near.number_room, steps->error);
    return status ? status
                  : ordered_pairs_find(&contact->pairs, search_contacts, contact, steps->error);
}

/* Moves two disks apart and changes their velocities, both along the normal; `reaction` is the
 * part of that change which is a reaction. */
static void contact_push(struct steps *steps, struct contact_pair *pair,
                         const struct vector *normal, double distance, double speed,
                         double reaction)
{
    struct particle *p = &steps->system->particles[pair->pair.i];
    struct particle *q = &steps->system->particles[pair->pair.j];
    const double sum = steps->inverse_mass[pair->pair.i] + steps->inverse_mass[pair->pair.j];
    const double a = steps->inverse_mass[pair->pair.i] / sum;
    const double b = steps->inverse_mass[pair->pair.j] / sum;
    pair->push += speed / sum * contact_distance(steps, pair);
    p->x -= a * distance * normal->x;
    p->y -= a * distance * normal->y;
    q->x += b * distance * normal->x;
    q->y += b * distance * normal->y;
    steps_push(steps, pair->pair.i, normal, -a * speed, reaction);
    steps_push(steps, pair->pair.j, normal, b * speed, reaction);
}

/* Makes two disks in contact bounce. Returns false if they are too slow for that. */
static int bounce_pair(struct contact *contact, struct steps *steps, struct contact_pair *pair,
                       double diameter)
{
    if (pair->since >= MEMORY * steps->dt && contact->slack + contact->compliance.value > 0)
        return 0;
    const struct steps_motion relative = relative_motion(steps, pair->pair.i, pair->pair.j);
    const double apart = vector_length(&relative.position);
    if (contact->compliance.value > 0 && pair->was_touching &&
        apart - xpbd_change(steps, pair->pair.i, pair->pair.j, apart) < (1 - PRESSED) * diameter)
        return 0;
    const struct vector met = {relative.position.x - relative.velocity.x * pair->since,
                               relative.position.y - relative.velocity.y * pair->since};
    const double distance = vector_length(&met);
    if (!(distance > 0))
        return 0;
    const struct vector normal = {met.x / distance, met.y / distance};
    const struct vector a = steps_acceleration(steps, pair->pair.i);
    const struct vector b = steps_acceleration(steps, pair->pair.j);
    const double largest = fmax(vector_length(&a), vector_length(&b));
    const struct contact_arrival arrival = {vector_product(&normal, &relative.velocity),
                                            normal.x * (b.x - a.x) + normal.y * (b.y - a.y),
                                            2 * largest * steps->dt, pair->since};
    const struct contact_departure departure =
        contact_leave(&arrival, contact->restitution, steps->dt);
    const double gap = vector_product(&normal, &relative.position) - diameter;
    if (departure.is_resting)
        return 0;
    contact_push(steps, pair, &normal, departure.gap - gap, departure.speed - arrival.speed, 0);
    steps->flights[pair->pair.i] = steps->flights[pair->pair.j] =
        (struct steps_flight){pair->since, steps->passes};
    pair->arrival = departure.speed;
    steps->is_unsettled |= departure.speed - arrival.speed > steps->strong;
    return 1;
}

static void project_overlap(const struct contact *contact, struct steps *steps,
                            struct contact_pair *pair, double diameter)
{
    const struct xpbd_separation separation = xpbd_separation(steps, pair->pair.i, pair->pair.j);
    const struct vector *normal = &separation.normal;
    const struct xpbd_compliance *soft = &contact->compliance;
    const double mobility = steps->mobility[pair->pair.i] + steps->mobility[pair->pair.j];
    const double dt = steps->dt, off = separation.distance - diameter;
    double change = RELAXATION * -off / mobility;
    if (!(off < 0) && !(pair->multiplier > 0))
        return;
    if (!pair->is_resting)
        pair->arrival = separation_speed(steps, pair->pair.i, pair->pair.j, normal);
    pair->is_resting = pair->is_touching = 1;
    if (soft->value > 0) {
        change = xpbd_multiplier(
            soft, dt, off, xpbd_change(steps, pair->pair.i, pair->pair.j, separation.distance),
            pair->multiplier, mobility);
        const double least =
            fmax(MAX_ERROR * soft->value * pair->multiplier / dt / dt, LEAST_ERROR * diameter);
        const double error = fabs(change) * ((1 + soft->value * soft->damping / dt) * mobility +
                                             soft->value / dt / dt);
        pair->error = error > least ? error : 0;
        steps->is_unsettled |= error > least / 4;
        change = fmax(change, -pair->multiplier); /* contacts do not pull */
        pair->multiplier += change;
        steps->flights[pair->pair.i].pass = steps->flights[pair->pair.j].pass = steps->passes;
    }
    pair->push += change / dt * separation.distance;
    xpbd_move(steps, pair->pair.i, pair->pair.j, normal, change);
}

/* Resolves a pair; after the first pass only if it is soft, or one of the two has bounced. */
static void resolve_pair(void *user, struct ordered_pair *ordered)
{
    struct contact *contact = user;
    struct steps *steps = contact->term.steps;
    struct contact_pair *pair = (struct contact_pair *)ordered;
    const double a = steps->flights[ordered->i].straight, b = steps->flights[ordered->j].straight;
    const double straight = a < b ? a : b, diameter = contact_distance(steps, pair);
    const int is_apart = ordered->key <= (double)-INFINITY && !pair->was_touching;
    if ((steps->passes == 1 && !is_apart) || straight < MEMORY * steps->dt) {
        const struct steps_motion relative = relative_motion(steps, ordered->i, ordered->j);
        pair->since = find_since(&relative, diameter, straight);
        if (pair->since < 0 && !pair->was_touching)
            return;
        pair->is_touching = 1;
        if (pair->since < 0 || bounce_pair(contact, steps, pair, diameter))
            return;
    }
    if (contact->compliance.value > 0 || steps->passes == 1)
        project_overlap(contact, steps, pair, diameter);
}

static void add_push(void *user, struct ordered_pair *pair)
{
    sum_add(user, ((const struct contact_pair *)pair)->push);
}

static void list_touching(void *user, unsigned number)
{
    struct contact *contact = user;
    const struct ordered_strip *strip = &contact->pairs.strips[number];
    const struct contact_pair *pairs = (const struct contact_pair *)strip->found;
    for (size_t k = 0; k < strip->count; k++)
        if (pairs[k].is_touching)
            contact_list_add(&contact->term.touching, pairs[k].pair.i, pairs[k].pair.j);
}

static enum status contact_resolve(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    if (contact->range == 0)
        return STATUS_DONE;
    if (steps->passes == 1) {
        enum status status = find_pairs(contact);
        if (status)
            return status;
        steps->is_unsettled = contact->compliance.value > 0; /* walls move disks onto others */
    }
    ordered_pairs_run(&contact->pairs, resolve_pair, contact);
    return STATUS_DONE;
}

/* Removes the separation speed that the projection of a hard contact added. */
static void slow_pair(void *user, struct ordered_pair *ordered)
{
    struct contact *contact = user;
    struct steps *steps = contact->term.steps;
    struct contact_pair *pair = (struct contact_pair *)ordered;
    if (!pair->is_touching)
        return;
    if (!pair->was_touching) {
        steps->system->counts[ordered->i].particles++;
        steps->system->counts[ordered->j].particles++;
    }
    const struct xpbd_separation separation = xpbd_separation(steps, ordered->i, ordered->j);
    const double speed = separation_speed(steps, ordered->i, ordered->j, &separation.normal);
    const double most = fmax(pair->arrival, 0);
    const double diameter = contact_distance(steps, pair), overlap = diameter - separation.distance;
    if (pair->is_resting && contact->compliance.value == 0 && speed > most)
        contact_push(steps, pair, &separation.normal, 0, most - speed, 0.5);
    if (overlap > 0)
        thread_pool_raise(&contact->max_overlap, overlap);
    if (pair->is_resting && contact->compliance.value == 0 && overlap > MAX_OVERLAP * diameter / 2)
        pair->error = overlap;
    if (pair->error > 0)
        thread_pool_raise(&contact->max_error, pair->error);
}

static void note_worst(void *user, struct ordered_pair *pair)
{
    struct contact *contact = user;
    const double now[] = {((const struct contact_pair *)pair)->error,
                          contact->term.steps->system->particles[pair->i].t, pair->i, pair->j};
    if (now[0] > contact->worst[0])
        memcpy(contact->worst, now, sizeof now);
}

static enum status contact_bounce(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    contact->max_overlap = contact->max_error = 0;
    if (contact->range > 0) {
        ordered_pairs_run(&contact->pairs, slow_pair, contact);
        thread_pool_run(steps->pool, list_touching, contact);
        contact_list_end_substep(&contact->term.touching);
    }
    if (contact->range > 0 && steps->figures.is_measured)
        ordered_pairs_visit(&contact->pairs, add_push, &steps->figures.pushes);
    contact->deviation = thread_pool_raised(&contact->max_overlap);
    if (thread_pool_raised(&contact->max_error) > contact->worst[0])
        ordered_pairs_visit(&contact->pairs, note_worst, contact);
    return STATUS_DONE;
}

static void add_overlap(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct contact *contact = context;
    const struct steps *steps = contact->term.steps;
    const struct particle *particles = steps->system->particles;
    const double diameter = system_contact(steps->system, &particles[i], &particles[j]);
    const double overlap = fmax(0, diameter - sqrt(square));
    (void)dx, (void)dy;
    contact->squares += overlap * overlap;
    if (steps->inverse_mass[i] + steps->inverse_mass[j] > 0) /* not both pinned */
        contact->deviation = fmax(contact->deviation, overlap);
}

static enum status contact_measure(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    contact->squares = contact->deviation = 0;
    return verlet_each(&contact->term.near, steps->system, contact->range, 0, steps->pool,
                       add_overlap, contact, steps->error);
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

static enum status contact_finish(struct term *term, struct steps *steps)
{
    struct contact *contact = (struct contact *)term;
    const double *worst = contact->worst;
    if (!(worst[0] > contact->warned) || !steps->warn)
        return STATUS_DONE;
    contact->warned = worst[0];
    error_set(
        steps->error, STATUS_DONE,
        "the distance of particles %.0f and %.0f, in lasting contact, was off by %.2g at time "
        "%g, and that of no others by more: reduce --step, or raise --substeps",
        worst[2], worst[3], worst[0], worst[1]);
    steps->warn(steps->error);
    return STATUS_DONE;
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
    record_numbers(record, contact->worst, 4);
    record_end_line(record);
    contact_list_record(&contact->term.touching, steps->system->count, record);
}

const struct term_kind contact_kind = {
    .name = "contact",
    .size = sizeof(struct contact),
    .rank = RANK_CONSTRAINT,
    .traits = {.is_single = 1, .has_contacts = 1, .has_deviation = 1},
    .parameters = {{"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"restitution", 1, 0, 1}},
    .create = contact_create,
    .act = {[PHASE_PREPARE] = contact_measure,
            [PHASE_CONSTRAINTS] = contact_resolve,
            [PHASE_BOUNCE] = contact_bounce,
            [PHASE_FINISH] = contact_finish,
            [PHASE_DEVIATION] = contact_report,
            [PHASE_ENERGY] = contact_add_energy},
    .state = contact_state,
    .free = contact_free,
};
