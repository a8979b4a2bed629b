/*
 * A particle's plan; see plan.h.
 */
#include "plan.h"

_Static_assert(sizeof(struct plan) == 32, "two plans are a line of the processor's cache");

/* The order of two particles' collision among events of the same time. */
static inline uint64_t rank_of_pair(int32_t id, int32_t other)
{
    uint32_t lower = (uint32_t)(id < other ? id : other);
    uint32_t higher = (uint32_t)(id < other ? other : id);
    return (uint64_t)lower << 32 | (higher ^ 0x80000000u);
}

/* The order of a plan's event. A wall's negative code comes before any particle's id. */
static inline uint64_t rank_of_event(const struct particle *particles, uint32_t k, int32_t partner)
{
    int32_t id = particles[k].id;
    if (partner >= 0)
        return rank_of_pair(id, particles[partner].id);
    return (uint64_t)(uint32_t)id << 32 | ((uint32_t)partner ^ 0x80000000u);
}

uint64_t plan_rank(const struct system *system, uint32_t k, const struct plan *plan)
{
    if (plan->key < plan->time)
        return 1;
    return 2 + rank_of_event(system->particles, k, plan->partner);
}

struct event plan_event(const struct system *system, uint32_t k, const struct plan *plan)
{
    const struct particle *particles = system->particles;
    int32_t partner = plan->partner < 0 ? (int32_t)k : plan->partner;
    int32_t other = plan->partner < 0 ? plan->partner : (int32_t)k;
    int is_first = particles[k].id <= particles[partner].id;
    return (struct event){plan->time, is_first ? (int32_t)k : partner,
                          is_first ? plan->partner : other};
}

/* Whether an event at `time` with `partner` is before the one planned. */
static int is_before(const struct particle *particles, uint32_t k, const struct plan *plan,
                     double time, int32_t partner)
{
    if (time != plan->time || time == (double)INFINITY)
        return time < plan->time;
    return rank_of_event(particles, k, partner) < rank_of_event(particles, k, plan->partner);
}

void plan_consider_wall(const struct system *system, uint32_t k, struct plan *plan)
{
    struct event event = physics_wall_event(system, k);
    if (is_before(system->particles, k, plan, event.time, event.b)) {
        plan->time = event.time;
        plan->partner = event.b;
    }
}

void plan_consider_each(const struct system *system, uint32_t k, struct plan *plan,
                        const uint32_t *list, size_t count)
{
    const struct particle *self = &system->particles[k];
    for (size_t m = 0; m < count; m++) {
        const struct particle *other = &system->particles[list[m]];
        double time = physics_pair_time(self, other, system_contact(system, self, other));
        if (is_before(system->particles, k, plan, time, (int32_t)list[m])) {
            plan->time = time;
            plan->partner = (int32_t)list[m];
            plan->version = plan_version(other);
        }
    }
}

void plan_consider_chain(const struct system *system, uint32_t k, struct plan *plan,
                         const struct grid *grid, uint32_t cell)
{
    uint32_t chain = grid->cells[cell].state >> 2;
    while (chain != 0) {
        const struct grid_cell *link = &grid->cells[chain];
        plan_consider_each(system, k, plan, link->members, link->state & 3);
        chain = link->state >> 2;
    }
}
