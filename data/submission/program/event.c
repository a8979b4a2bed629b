#include "event.h"

#include <math.h>
#include <stdlib.h>

/* "Particle-wall collisions": when a coordinate is the radius away from the wall ahead. */
static double find_wall_time(double t, double x, double u, double length, double radius)
{
    if (u == 0)
        return INFINITY;
    const double time = t + ((u > 0 ? length - radius : radius) - x) / u;
    return time < t ? t : time; /* it may touch the wall already, and be beyond it by rounding */
}

/* The collision of a particle with the wall that it would reach first. */
static struct event predict_wall(const struct system *system, int i)
{
    const struct particle *p = &system->particles[i];
    const double x_time = find_wall_time(p->t, p->x, p->u, system->width, system->radius);
    const double y_time = find_wall_time(p->t, p->y, p->v, system->height, system->radius);
    if (y_time < x_time)
        return (struct event){y_time, i, p->v > 0 ? WALL_TOP : WALL_BOTTOM};
    return (struct event){x_time, i, p->u > 0 ? WALL_RIGHT : WALL_LEFT};
}

/*
 * "Calculation of particle-particle collisions": when two touch, the smaller root of
 *
 *     A q^2 + 2 B q + C = 0,  q = time - r,  A = w.w,  B = d.w,  C = d.d - (2 R)^2,
 *
 * with their distance d and relative velocity w at the reference time r, the later of their last
 * updates: so the result does not depend on the current time. The root (-B - sqrt(D)) / A is
 * computed as C / (sqrt(D) - B), and D = B^2 - A C as A (2 R)^2 - (d x w)^2: the same numbers, but
 * nothing cancels in them, so that a grazing contact keeps its digits.
 */
static double find_contact_time(const struct particle *p, const struct particle *q, double radius)
{
    const double r = fmax(p->t, q->t);
    const double wx = q->u - p->u;
    const double wy = q->v - p->v;
    const double dx = (q->x + q->u * (r - q->t)) - (p->x + p->u * (r - p->t));
    const double dy = (q->y + q->v * (r - q->t)) - (p->y + p->v * (r - p->t));
    const double contact = radius + radius;
    const double cross = dx * wy - dy * wx;
    const double B = dx * wx + dy * wy;
    const double C = (dx * dx + dy * dy) - contact * contact;
    const double D = (wx * wx + wy * wy) * (contact * contact) - cross * cross;
    if (B >= 0)
        return INFINITY; /* they leave each other, as after their collision */
    if (C <= 0)
        return r; /* they touch already */
    if (D < 0)
        return INFINITY; /* they miss each other */
    return r + C / (sqrt(D) - B);
}

/* The potential collision of particles a and b, or of particle a with a wall. */
static struct event predict(const struct system *system, int a, int b)
{
    if (b < 0)
        return predict_wall(system, a);
    return (struct event){
        find_contact_time(&system->particles[a], &system->particles[b], system->radius), a, b};
}

/* At one time the lower particle comes first, and of its collisions those with walls. */
static int comes_before(const struct event *left, const struct event *right)
{
    if (left->time != right->time)
        return left->time < right->time;
    if (left->a != right->a)
        return left->a < right->a;
    return left->b < right->b;
}

/* N (N + 1) / 2 */
static size_t count_events(const struct system *system)
{
    return (size_t)system->count * ((size_t)system->count + 1) / 2;
}

/* Sorts by insertion: each one moves down to its place among those before it. */
static void sort(struct event *events, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const struct event event = events[k];
        size_t slot = k;
        for (; slot > 0 && comes_before(&event, &events[slot - 1]); slot--)
            events[slot] = events[slot - 1];
        events[slot] = event;
    }
}

struct event *events_create(const struct system *system)
{
    struct event *events = calloc(count_events(system), sizeof *events);
    size_t k = 0;
    for (int a = 0; events && a < system->count; a++) {
        events[k++] = predict_wall(system, a);
        for (int b = a + 1; b < system->count; b++)
            events[k++] = predict(system, a, b);
    }
    if (events)
        sort(events, k);
    return events;
}

void events_update(struct event *events, const struct system *system, struct event resolved)
{
    const size_t count = count_events(system);
    for (size_t k = 0; k < count; k++) {
        const int a = events[k].a;
        const int b = events[k].b;
        if (a == resolved.a || b == resolved.a || a == resolved.b ||
            (b == resolved.b && resolved.b >= 0))
            events[k] = predict(system, a, b);
    }
    sort(events, count);
}
