/* Ends runs that never end; see stall.h. */
#include "stall.h"

#include "base/memory.h"
#include "model/physics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MANY_COLLISIONS = 100000 };
static const double MAX_COLLISIONS = 1e15; /* three years of them, at ten million a second */
static const double MAX_OF_A_BURST = 1e9;

/* Of the contact time: a pile of disks that rest on each other under gravity has a few collisions
 * of each disk in one contact time. */
static const double MIN_PROGRESS = 1e-6;

/* Up to this number nothing is judged, so that the check of all particles costs little. */
static uint64_t most_hits(const struct system *system)
{
    return MANY_COLLISIONS + 4 * (uint64_t)system->count;
}

void stall_begin(struct stall *stall, const struct system *system, double since, double end_time)
{
    *stall = (struct stall){.system = system,
                            .end_time = end_time,
                            .since = since,
                            .check_at = most_hits(system),
                            .reached = since};
}

/* True after more collisions than there can be at one time. */
static int is_time_to_judge(const struct stall *stall)
{
    const struct system *system = stall->system;
    uint64_t colliding = 0;
    if (stall->sum.hits >= most_hits(system))
        return 1;
    for (size_t k = 0; k < system->count; k++)
        colliding += system->particles[k].collided >= stall->since;
    return stall->sum.events >= MANY_COLLISIONS + colliding * colliding;
}

/* True if the fastest particle moves less, from one event to the next, than the rounding error of
 * its position. If nearly all events are passages of seams, no disks are wedged, but a particle is
 * too fast for the digits of the time: wedged disks pass a seam a few times with each collision. */
static int is_wedged(const struct stall *stall, double elapsed)
{
    const struct system *system = stall->system;
    if (stall->sum.passages > stall->sum.events / 10 * 9)
        return 0;
    double rounding = pair_rounding(fmax(system->boundary.width, system->boundary.height));
    if (system->boundary.gravity.acts && elapsed > MIN_PROGRESS * system->law.contact_time)
        return 0;
    return system_fastest(system) * elapsed <= rounding * (double)stall->sum.events;
}

/* A disk in a row along an axis: its position across and along it, and its speed along it. */
struct stall_link {
    double across, along, radius, speed;
};

static int compare_links(const void *one, const void *other)
{
    const struct stall_link *a = one;
    const struct stall_link *b = other;
    if (a->across != b->across)
        return a->across < b->across ? -1 : 1;
    return (a->along > b->along) - (a->along < b->along);
}

/* True if a row of touching disks, where one moves along it, leaves no room on its axis. */
static int find_full_row(struct stall_link *links, size_t count, double length, int is_periodic)
{
    const double slack = pair_rounding(length);
    size_t begin = 0; /* of the row */
    int moves = 0;
    qsort(links, count, sizeof *links, compare_links);
    for (size_t k = 0; k < count; k++) {
        const struct stall_link *link = &links[k];
        moves |= link->speed != 0;
        if (k + 1 < count && link[1].across == link->across &&
            link[1].along - link->along <= link->radius + link[1].radius + slack)
            continue;
        const double before = links[begin].along - links[begin].radius;
        const double behind = length - (link->along + link->radius);
        if (moves && (is_periodic ? before + behind : fmax(before, behind)) <= slack)
            return 1;
        begin = k + 1;
        moves = 0;
    }
    return 0;
}

/* True if disks are wedged in a straight row, the usual case. More collisions show bent ones. */
static int has_full_row(const struct system *system, double time)
{
    const struct boundary *boundary = &system->boundary;
    struct error error; /* without memory, more collisions decide */
    struct stall_link *links = memory_allocate(system->count, sizeof *links, "the rows", &error);
    int is_found = 0;
    for (int is_upright = 0; links && is_upright < 2 && !is_found; is_upright++) {
        size_t count = 0;
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *p = &system->particles[k];
            if (particle_is_absorbed(p))
                continue;
            const double radius = system_radius(system, p) * system_grown(system, time);
            double x, y;
            physics_position(system, k, time, &x, &y);
            links[count++] = is_upright ? (struct stall_link){x, y, radius, p->v}
                                        : (struct stall_link){y, x, radius, p->u};
        }
        is_found =
            find_full_row(links, count, is_upright ? boundary->height : boundary->width,
                          (boundary->periodic & (is_upright ? PERIODIC_Y : PERIODIC_X)) != 0);
    }
    memory_free(links);
    return is_found;
}

/* The number of collisions that may follow one another quickly and then end. A light particle that
 * a heavy one presses against a wall or another heavy one has about pi times the square root of the
 * ratio of their masses (G. Galperin, Playing pool with pi, Regular and Chaotic Dynamics 8, 2003).
 * There may be a few such particles. Longer bursts than MAX_OF_A_BURST are not waited for. */
static double longest_burst(const struct system *system)
{
    double lightest = SYSTEM_LARGEST;
    double heaviest = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        lightest = fmin(lightest, system->kinds[k].mass);
        heaviest = fmax(heaviest, system->kinds[k].mass);
    }
    double most = 10 * sqrt(heaviest / lightest);
    return most <= MAX_OF_A_BURST ? most : 0;
}

static int is_late(const struct stall *stall, double elapsed)
{
    return (double)stall->sum.events * stall->end_time > MAX_COLLISIONS * elapsed;
}

/* The time of the last check is not known; `reached` is before it. */
int stall_pass(struct stall *stall, const struct schedule_sum *sum, double time)
{
    struct stall next = *stall;
    schedule_add(&next.sum, sum);
    if (next.sum.events >= next.check_at) {
        const double elapsed = time - next.since;
        if (is_wedged(&next, elapsed) || is_late(&next, elapsed))
            return 0;
        const uint64_t events = (next.sum.events - next.check_at) % most_hits(stall->system);
        stall_begin(&next, stall->system, stall->reached, stall->end_time);
        next.sum.events = events;
    }
    *stall = next;
    stall->reached = time;
    return 1;
}

enum status stall_judge(struct stall *stall, const struct event *event, struct error *error)
{
    const struct system *system = stall->system;
    const double elapsed = event->time - stall->since;
    const int is_wedged_now = is_wedged(stall, elapsed);
    stall->check_at += most_hits(system);
    if ((double)stall->sum.events < longest_burst(system))
        return STATUS_DONE; /* more collisions decide */
    if (!is_wedged_now && !is_late(stall, elapsed)) {
        stall_begin(stall, system, event->time, stall->end_time);
        return STATUS_DONE;
    }
    if (!is_time_to_judge(stall) && !(is_wedged_now && has_full_row(system, event->time)))
        return STATUS_DONE;
    if (is_wedged_now && system->law.rule == RULE_ELASTIC && system->law.restitution < 1)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %s collisions follow one another without end, because they "
                         "lose energy or because disks are wedged: against the loss, a contact "
                         "time longer than %g helps; particle %" PRId32 " was the last to collide",
                         show_exactly(event->time).text, system->law.contact_time,
                         system->particles[event->a].id);
    if (is_wedged_now)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %s disks are wedged: they move but have no room%s, or are too "
                         "fast for time to advance; particle %" PRId32 " was the last to collide",
                         show_exactly(event->time).text,
                         system->boundary.walls ? ", or walls whose --wall has a speed press one "
                                                  "into a corner"
                                                : "",
                         system->particles[event->a].id);
    return error_set(error, STATUS_BAD_DATA,
                     "END_TIME %g is out of reach: it takes more than %g collisions%s; the "
                     "last %" PRIu64 " took the run from time %s to %s only",
                     stall->end_time, MAX_COLLISIONS,
                     stall->sum.passages > 0 ? " and passages of seams" : "", stall->sum.events,
                     show_exactly(stall->since).text, show_exactly(event->time).text);
}
