/*
 * Judges whether a run reaches its end; see stall.h.
 */
#include "stall.h"

#include <inttypes.h>
#include <math.h>

enum { MANY_COLLISIONS = 100000 };
static const double MOST_COLLISIONS = 1e15; /* three years of them, at ten million a second */
static const double MOST_OF_A_BURST = 1e9;

/* Up to this number nothing is judged, so that looking at all particles costs little. */
static uint64_t most_hits(const struct system *system)
{
    return MANY_COLLISIONS + 4 * (uint64_t)system->count;
}

void stall_begin(struct stall *stall, const struct system *system, double since)
{
    *stall = (struct stall){.since = since, .look = most_hits(system)};
}

/* How many particles have collided since counting began. */
static uint64_t count_colliding(const struct stall *stall, const struct system *system)
{
    uint64_t colliding = 0;
    for (size_t k = 0; k < system->count; k++)
        colliding += system->particles[k].collided >= stall->since;
    return colliding;
}

/* Whether there have been more collisions than there can be at one moment. */
static int is_time_to_judge(struct stall *stall, const struct system *system)
{
    stall->look = stall->events + most_hits(system);
    if (stall->hits >= most_hits(system))
        return 1;
    const uint64_t colliding = count_colliding(stall, system);
    return stall->events >= MANY_COLLISIONS + colliding * colliding;
}

/* Particles that have collided stay so: looks that find too many of them judge nothing. */
int stall_pass(struct stall *stall, const struct system *system, const struct schedule_sum *sum)
{
    const uint64_t events = stall->events + sum->events;
    if (events >= stall->look) {
        if (stall->hits + sum->hits >= most_hits(system))
            return 0;
        if (events >= MANY_COLLISIONS + stall->colliding * stall->colliding)
            stall->colliding = count_colliding(stall, system);
        if (events >= MANY_COLLISIONS + stall->colliding * stall->colliding)
            return 0;
    }
    while (events >= stall->look)
        stall->look += most_hits(system);
    stall->events = events;
    stall->hits += sum->hits;
    stall->passages += sum->passages;
    return 1;
}

/*
 * Whether the fastest particle covers, from one event to the next, less than rounding does. That is
 * no wedge where nearly all events are passages of seams: then it is too fast for the digits of the
 * time. Wedged disks on a seam pass it, to and fro, at most a few times with each collision.
 */
static int is_wedged(const struct system *system, const struct stall *stall, double elapsed)
{
    if (stall->passages > stall->events / 10 * 9)
        return 0;
    double rounding = system_rounding(fmax(system->boundary.width, system->boundary.height));
    return system_fastest(system) * elapsed <= rounding * (double)stall->events;
}

/*
 * How many collisions may follow one another quickly and then end. A light particle that a
 * heavy one presses against a wall or another heavy one has about pi times the square root of the
 * ratio of their masses (G. Galperin, Playing pool with pi, Regular and Chaotic Dynamics 8, 2003);
 * if they touch, all at one moment. There may be a few such at once. More than MOST_OF_A_BURST are
 * not waited for.
 */
static double longest_burst(const struct system *system)
{
    double lightest = SYSTEM_LARGEST;
    double heaviest = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        lightest = fmin(lightest, system->kinds[k].mass);
        heaviest = fmax(heaviest, system->kinds[k].mass);
    }
    double most = 10 * sqrt(heaviest / lightest);
    return most <= MOST_OF_A_BURST ? most : 0;
}

enum status stall_judge(struct stall *stall, const struct system *system, const struct event *event,
                        double end_time, struct error *error)
{
    if (!is_time_to_judge(stall, system))
        return STATUS_DONE;
    double elapsed = event->time - stall->since;
    if ((double)stall->events < longest_burst(system))
        return STATUS_DONE; /* more collisions will tell */
    int is_wedged_now = is_wedged(system, stall, elapsed);
    if (is_wedged_now && system->law.rule == RULE_ELASTIC && system->law.restitution < 1)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %.17g collisions follow one another without end, because they "
                         "lose energy or because disks are wedged: against the loss, a contact "
                         "time longer than %g helps; particle %" PRId32 " was the last to collide",
                         event->time, system->law.contact_time, system->particles[event->a].id);
    if (is_wedged_now)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %.17g disks are wedged: they move but have no room; particle "
                         "%" PRId32 " was the last to collide",
                         event->time, system->particles[event->a].id);
    if ((double)stall->events * end_time > MOST_COLLISIONS * elapsed)
        return error_set(error, STATUS_BAD_DATA,
                         "END_TIME %g is out of reach: it takes more than %g collisions%s; the "
                         "last %" PRIu64 " took the run from time %.17g to %.17g only",
                         end_time, MOST_COLLISIONS,
                         stall->passages > 0 ? " and passages of seams" : "", stall->events,
                         stall->since, event->time);
    stall_begin(stall, system, event->time);
    return STATUS_DONE;
}
