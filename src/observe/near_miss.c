/*
 * The closest calls of a run; see near_miss.h. When a particle has collided last its anchor
 * tells, and with whom it has done so is kept here.
 */
#include "near_miss.h"

#include "base/memory.h"

#include <math.h>

static enum status begin(struct observer *observer, const struct system *system,
                         struct error *error)
{
    struct near_miss *call = (struct near_miss *)observer;
    call->others =
        memory_allocate(system->count, sizeof *call->others, "the last collisions", error);
    return call->others ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Looks at the time since the last collision of a particle, which has now met `other`. */
static void compare_gap(struct near_miss *call, const struct particle *before, int32_t other,
                        double time)
{
    int has_collided = before->wall_collisions + before->particle_collisions > 0;
    if (has_collided && time - before->t < call->gap) {
        call->gap = time - before->t;
        call->particle = before->id;
        call->first = (struct encounter){before->t, call->others[before->id]};
        call->second = (struct encounter){time, other};
    }
    call->others[before->id] = other;
}

/* Looks at how near to a miss two disks have met. */
static void compare_cosine(struct near_miss *call, const struct collision *collision)
{
    const struct particle *a = collision->after[0];
    const struct particle *b = collision->after[1];
    double dx = b->x - a->x;
    double dy = b->y - a->y;
    double wx = collision->before[1].u - collision->before[0].u;
    double wy = collision->before[1].v - collision->before[0].v;
    double length = sqrt(dx * dx + dy * dy) * sqrt(wx * wx + wy * wy);
    double cosine = fabs(dx * wx + dy * wy) / length;
    if (length > 0 && cosine < call->cosine) {
        call->cosine = cosine;
        call->time = collision->event.time;
        call->a = a->id;
        call->b = b->id;
    }
}

static enum status collide(struct observer *observer, const struct system *system,
                           const struct collision *collision, struct error *error)
{
    struct near_miss *call = (struct near_miss *)observer;
    const struct particle *a = collision->after[0];
    const struct particle *b = collision->after[1];
    double time = collision->event.time;
    (void)error;
    compare_gap(call, &collision->before[0], b ? b->id : collision->event.b, time);
    if (b) {
        compare_gap(call, &collision->before[1], a->id, time);
        if (system_contact(system, a, b) > 0) /* points have no side to graze */
            compare_cosine(call, collision);
    }
    return STATUS_DONE;
}

static void free_call(struct observer *observer)
{
    memory_free(((struct near_miss *)observer)->others);
    memory_free(observer);
}

enum status near_miss_create(struct near_miss **call, struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin, .collide = collide, .free = free_call};
    *call = memory_allocate(1, sizeof **call, "the closest calls", error);
    if (!*call)
        return STATUS_NO_MEMORY;
    **call = (struct near_miss){
        .observer = {.operations = &operations, .next_look = (double)INFINITY},
        .gap = (double)INFINITY,
        .cosine = (double)INFINITY,
    };
    return STATUS_DONE;
}
