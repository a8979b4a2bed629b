/*
 * Judges whether a run reaches its end; see stall.h.
 */
#include "stall.h"

#include "base/memory.h"
#include "model/physics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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
    *stall = (struct stall){.since = since, .reached = since, .look = most_hits(system)};
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
static int is_time_to_judge(const struct stall *stall, const struct system *system)
{
    if (stall->hits >= most_hits(system))
        return 1;
    const uint64_t colliding = count_colliding(stall, system);
    return stall->events >= MANY_COLLISIONS + colliding * colliding;
}

/*
 * Whether the fastest particle covers, from one event to the next, less than rounding does. That is
 * no wedge where nearly all events are passages of seams: then it is too fast for the digits of the
 * time. Wedged disks on a seam pass it, to and fro, at most a few times with each collision.
 */
static int is_wedged(const struct stall *stall, const struct system *system, double elapsed)
{
    if (stall->passages > stall->events / 10 * 9)
        return 0;
    double rounding = system_rounding(fmax(system->boundary.width, system->boundary.height));
    return system_fastest(system) * elapsed <= rounding * (double)stall->events;
}

/* A disk in a row along an axis: its place across and along it, and its speed along it. */
struct link {
    double across, along, radius, speed;
};

static int compare_links(const void *one, const void *other)
{
    const struct link *a = one;
    const struct link *b = other;
    if (a->across != b->across)
        return a->across < b->across ? -1 : 1;
    return (a->along > b->along) - (a->along < b->along);
}

/* Whether a row of touching disks, one of which moves along it, leaves no room on its axis. */
static int is_full(const struct link *row, size_t count, double length, int is_periodic)
{
    const struct link *last = &row[count - 1];
    const double before = row->along - row->radius;
    const double behind = length - (last->along + last->radius);
    const double room = is_periodic ? before + behind : fmax(before, behind);
    int moves = 0;
    for (size_t k = 0; k < count; k++)
        moves |= row[k].speed != 0;
    return moves && room <= system_rounding(length);
}

/* Whether there is such a row among so many disks. */
static int find_full_row(struct link *links, size_t count, double length, int is_periodic)
{
    const double slack = system_rounding(length);
    size_t end;
    qsort(links, count, sizeof *links, compare_links);
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin + 1; end < count; end++) {
            const struct link *a = &links[end - 1];
            const struct link *b = &links[end];
            if (a->across != b->across || b->along - a->along > a->radius + b->radius + slack)
                break;
        }
        if (is_full(&links[begin], end - begin, length, is_periodic))
            return 1;
    }
    return 0;
}

/*
 * Whether disks are wedged in a straight row, as most are that are wedged at all: of those no
 * collisions need be counted. Of others, which may be a bent row that is about to give way, only
 * more collisions will tell.
 */
static int has_full_row(const struct system *system, double time)
{
    const struct boundary *boundary = &system->boundary;
    struct error error; /* without memory, more collisions will tell */
    struct link *links = memory_allocate(system->count, sizeof *links, "the rows", &error);
    int is_found = 0;
    for (int is_upright = 0; links && is_upright < 2 && !is_found; is_upright++) {
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *p = &system->particles[k];
            const double radius = system_radius(system, p);
            double x;
            double y;
            physics_position(system, k, time, &x, &y);
            links[k] =
                is_upright ? (struct link){x, y, radius, p->v} : (struct link){y, x, radius, p->u};
        }
        is_found =
            find_full_row(links, system->count, is_upright ? boundary->height : boundary->width,
                          (boundary->periodic & (is_upright ? PERIODIC_Y : PERIODIC_X)) != 0);
    }
    memory_free(links);
    return is_found;
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

static int is_late(const struct stall *stall, double elapsed, double end_time)
{
    return (double)stall->events * end_time > MOST_COLLISIONS * elapsed;
}

/* When the last look was is not known, but for `reached`, before it. */
int stall_pass(struct stall *stall, const struct system *system, const struct schedule_sum *sum,
               double time, double end_time)
{
    struct stall next = *stall;
    next.events += sum->events;
    next.hits += sum->hits;
    next.passages += sum->passages;
    if (next.events >= next.look) {
        const double elapsed = time - next.since;
        if (is_wedged(&next, system, elapsed) || is_late(&next, elapsed, end_time))
            return 0;
        const uint64_t events = (next.events - next.look) % most_hits(system);
        stall_begin(&next, system, stall->reached);
        next.events = events;
    }
    *stall = next;
    stall->reached = time;
    return 1;
}

enum status stall_judge(struct stall *stall, const struct system *system, const struct event *event,
                        double end_time, struct error *error)
{
    const double elapsed = event->time - stall->since;
    const int is_wedged_now = is_wedged(stall, system, elapsed);
    stall->look += most_hits(system);
    if ((double)stall->events < longest_burst(system))
        return STATUS_DONE; /* more collisions will tell */
    if (!is_wedged_now && !is_late(stall, elapsed, end_time)) {
        stall_begin(stall, system, event->time);
        return STATUS_DONE;
    }
    if (!is_time_to_judge(stall, system) && !(is_wedged_now && has_full_row(system, event->time)))
        return STATUS_DONE;
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
    return error_set(error, STATUS_BAD_DATA,
                     "END_TIME %g is out of reach: it takes more than %g collisions%s; the "
                     "last %" PRIu64 " took the run from time %.17g to %.17g only",
                     end_time, MOST_COLLISIONS, stall->passages > 0 ? " and passages of seams" : "",
                     stall->events, stall->since, event->time);
}
