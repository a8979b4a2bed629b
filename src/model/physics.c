/*
 * What a collision does, and where a particle is; the predictions stand in physics.h.
 */
#include "model/physics.h"

/* Moves an anchor along its path to `time`. */
static void move_anchor(struct particle *particle, double time)
{
    particle->x = physics_coordinate(particle->x, particle->u, particle->t, time);
    particle->y = physics_coordinate(particle->y, particle->v, particle->t, time);
    particle->t = time;
}

/*
 * d.w of two particles with anchors of the same time, by the very arithmetic of the prediction:
 * they approach if it is negative, and leave each other if it is positive.
 */
static double parting(const struct particle *a, const struct particle *b)
{
    return (b->x - a->x) * (b->u - a->u) + (b->y - a->y) * (b->v - a->v);
}

/* Makes (x, y), which is not (0, 0), a vector of length 1. */
static void normalise(double *x, double *y)
{
    double larger = fmax(fabs(*x), fabs(*y)); /* its square might vanish */
    *x /= larger;
    *y /= larger;
    double length = sqrt(*x * *x + *y * *y);
    *x /= length;
    *y /= length;
}

/*
 * Takes back what rounding has moved two particles too far. Where they meet head-on as points, or
 * graze as disks, the last bit of a coordinate decides whether they already leave each other at
 * the time of their contact: then they would approach once they have collided, and collide again at
 * once, or points would pass through each other. So b goes back along its way as seen from a, by a
 * unit in the last place or so, until they do not leave each other any more.
 *
 * Where that is not enough, it was not the rounding of positions: they only seemed to graze, by
 * the rounding of the discriminant, and in truth miss each other. Then they stay where they are.
 */
static void step_back(const struct particle *a, struct particle *b)
{
    if (!(parting(a, b) > 0))
        return;
    const struct particle here = *b;
    double nx = b->u - a->u;
    double ny = b->v - a->v;
    double speed = fmax(fmax(fabs(a->u), fabs(a->v)), fmax(fabs(b->u), fabs(b->v)));
    double reach = fmax(fmax(fabs(a->x), fabs(a->y)), fmax(fabs(b->x), fabs(b->y)));
    double most = 8 * DBL_EPSILON * (reach + speed * b->t) + DBL_MIN;
    normalise(&nx, &ny);
    double least = DBL_EPSILON / 2 * fmax(fabs(b->x), fabs(b->y)) + DBL_MIN;
    for (double step = least; parting(a, b) > 0 && step <= most; step *= 2) {
        b->x -= step * nx;
        b->y -= step * ny;
    }
    if (parting(a, b) > 0)
        *b = here;
}

static void switch_velocities(struct particle *a, struct particle *b)
{
    double u = a->u;
    double v = a->v;
    a->u = b->u;
    a->v = b->v;
    b->u = u;
    b->v = v;
}

/*
 * The share of one mass in the sum of two: value + rest, where `rest` is what `value` has lost by
 * rounding. Without it each collision of two kinds of particles would be wrong by the same last bit
 * to the same side, and a million of them would warm or cool a gas.
 */
struct share {
    double value, rest;
};

static struct share find_share(double mass, double other)
{
    double sum = mass + other;
    double rest_of_sum = fmin(mass, other) - (sum - fmax(mass, other)); /* exact (Dekker 1971) */
    double value = mass / sum;
    return (struct share){value, (fma(-value, sum, mass) - value * rest_of_sum) / sum};
}

/* That share of a speed, rounded once. */
static double take_share(const struct share *share, double speed)
{
    return fma(share->value, speed, share->rest * speed);
}

/* Two particles that touch, and which share of an exchange of velocity falls to each. */
struct contact {
    struct particle *a, *b;
    struct share a_share, b_share; /* of the sum of their masses, that of the other one */
    double nx, ny;                 /* the unit vector from the centre of a to that of b */
};

static struct contact find_contact(const struct system *system, struct particle *a,
                                   struct particle *b)
{
    double a_mass = system_mass(system, a);
    double b_mass = system_mass(system, b);
    struct contact contact = {
        .a = a,
        .b = b,
        .a_share = find_share(b_mass, a_mass),
        .b_share = find_share(a_mass, b_mass),
        .nx = b->x - a->x,
        .ny = b->y - a->y,
    };
    if (contact.nx == 0 && contact.ny == 0) { /* two points at one place: they met head-on */
        contact.nx = a->u - b->u;
        contact.ny = a->v - b->v;
    }
    normalise(&contact.nx, &contact.ny);
    return contact;
}

/* Changes the velocity with which b leaves a, along the line of centres, by `speed`. */
static void push_apart(const struct contact *contact, double speed)
{
    double a_speed = take_share(&contact->a_share, speed);
    double b_speed = take_share(&contact->b_share, speed);
    contact->a->u -= a_speed * contact->nx;
    contact->a->v -= a_speed * contact->ny;
    contact->b->u += b_speed * contact->nx;
    contact->b->v += b_speed * contact->ny;
}

/*
 * The impulse J = (1 + e) m_a m_b / (m_a + m_b) (w.n) acts along the line of centres (engineering
 * course project, Eqs. 2.19 and 2.20; priority queue article, "bounceOff"; lift article,
 * "Collision Resolution", for the restitution e).
 *
 * Rounding can leave a pair approaching, by a last bit, that has hardly any normal velocity: a
 * graze, or any pair if e = 0. It would collide again at once, without end. So such a pair is
 * pushed on, a little and then twice as much, until it no longer approaches.
 */
static void exchange_momentum(const struct system *system, struct particle *a, struct particle *b,
                              double restitution)
{
    struct contact contact = find_contact(system, a, b);
    double closing = (a->u - b->u) * contact.nx + (a->v - b->v) * contact.ny;
    if (closing > 0)
        push_apart(&contact, (1 + restitution) * closing);
    double least = DBL_EPSILON * (fabs(a->u - b->u) + fabs(a->v - b->v)) + DBL_MIN;
    for (double speed = least; parting(a, b) < 0; speed *= 2)
        push_apart(&contact, speed);
}

/* Whether the last collision of a particle was shorter than the contact time ago. */
static int is_in_contact(const struct law *law, const struct particle *particle, double time)
{
    return time - particle->collided < law->contact_time;
}

/*
 * The restitution of a collision at `time`. Particles that lose energy can collide infinitely
 * often in a finite time (inelastic collapse); so a particle that has just collided loses nothing
 * (S. Luding and S. McNamara, How to handle the inelastic collapse of a dissipative hard-sphere
 * gas with the TC model, Granular Matter 1, 1998).
 */
static double restitution_at(const struct law *law, const struct particle *a,
                             const struct particle *b, double time)
{
    if (is_in_contact(law, a, time) || is_in_contact(law, b, time))
        return 1;
    return law->restitution;
}

static void hit_particle(const struct system *system, struct particle *a, struct particle *b,
                         double time)
{
    int is_elastic = system->law.rule == RULE_ELASTIC;
    double restitution = is_elastic ? restitution_at(&system->law, a, b, time) : 1;
    move_anchor(a, time);
    move_anchor(b, time);
    step_back(a, b);
    if (is_elastic)
        exchange_momentum(system, a, b, restitution);
    else if (!(parting(a, b) > 0))
        switch_velocities(a, b);
}

/* An event of its own has happened to a particle, at its anchor: a collision. */
static void mark(struct particle *particle)
{
    particle->collided = particle->t;
    particle->version++;
}

void physics_resolve(struct system *system, const struct event *event)
{
    struct particle *a = &system->particles[event->a];
    if (event_partner(event->b) == PARTNER_BOUNDARY) {
        move_anchor(a, event->time);
        boundary_resolve(&system->boundary, a, system_radius(system, a), event->b);
        system->counts[event->a].walls++;
    } else {
        struct particle *b = &system->particles[event->b];
        hit_particle(system, a, b, event->time);
        mark(b);
        system->counts[event->a].particles++;
        system->counts[event->b].particles++;
    }
    mark(a);
}

void physics_position(const struct system *system, size_t index, double time, double *x, double *y)
{
    const struct particle *p = &system->particles[index];
    *x = physics_coordinate(p->x, p->u, p->t, time);
    *y = physics_coordinate(p->y, p->v, p->t, time);
    boundary_clamp(&system->boundary, system_radius(system, p), x, y);
}

double physics_contact_time(const struct system *system)
{
    const double part = 1e-5; /* of the time in which a particle moves by its own size */
    double fastest = system_fastest(system);
    if (fastest == 0)
        return 0;
    double radii = 0;
    double squares = 0; /* of speeds in units of the fastest, for they might vanish */
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double u = p->u / fastest;
        double v = p->v / fastest;
        radii += system_radius(system, p);
        squares += u * u + v * v;
    }
    double count = (double)system->count;
    double size =
        radii > 0 ? 2 * radii / count : fmin(system->boundary.width, system->boundary.height);
    double speed = fastest * sqrt(squares / count);
    return fmin(part * size / speed, SYSTEM_LARGEST);
}
