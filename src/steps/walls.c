/*
 * The walls of the box, which are always there: a particle that overlaps one is moved back to where
 * it touches, and leaves with its velocity towards the wall times the restitution. A velocity that
 * no more than two substeps' forces have made is not bounced, so what lies on a wall comes to rest
 * (M. Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020,
 * section 3.6).
 */
#include "base/memory.h"
#include "parts.h"
#include "stepping.h"

#include <string.h>

struct walls {
    struct part part;       /* the first member: see part.h */
    double restitution;     /* 0 to 1 */
    uint8_t *touched;       /* of each particle, the walls that it touched in the last substep, as
                               bits: 1 left, 2 right, 4 bottom, 8 top; owned */
    struct vector *arrival; /* of each that touches one now: its velocity before; owned */
};

static void free_walls(struct part *part)
{
    struct walls *walls = (struct walls *)part;
    memory_free(walls->touched);
    memory_free(walls->arrival);
    memory_free(walls);
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    const size_t count = steps->system->count;
    struct walls *walls = memory_allocate(1, sizeof *walls, "the walls", error);
    if (!walls)
        return STATUS_NO_MEMORY;
    *walls = (struct walls){.restitution = arguments->numbers[0]};
    walls->touched = memory_allocate(count, 1, "the walls", error);
    walls->arrival = memory_allocate(count, sizeof *walls->arrival, "the walls", error);
    if (!walls->touched || !walls->arrival) {
        free_walls(&walls->part);
        return STATUS_NO_MEMORY;
    }
    memset(walls->touched, 0, count);
    *part = &walls->part;
    return STATUS_DONE;
}

/* How far a coordinate is to be moved to touch the walls at 0 and `length`, if it overlaps one. */
static double find_move(double x, double radius, double length)
{
    if (x <= radius)
        return radius - x;
    return x >= length - radius ? length - radius - x : 0;
}

/* The walls that a particle touches or overlaps, as bits. */
static uint8_t find_touched(const struct boundary *boundary, const struct particle *p,
                            double radius)
{
    unsigned touched = 0;
    if (!(boundary->periodic & PERIODIC_X))
        touched |= (p->x <= radius) * 1U | (p->x >= boundary->width - radius) * 2U;
    if (!(boundary->periodic & PERIODIC_Y))
        touched |= (p->y <= radius) * 4U | (p->y >= boundary->height - radius) * 8U;
    return (uint8_t)touched;
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct walls *walls = (struct walls *)part;
    const struct boundary *boundary = &steps->system->boundary;
    (void)dt;
    (void)error;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        const double radius = system_radius(steps->system, p);
        const uint8_t touched = find_touched(boundary, p, radius);
        for (unsigned fresh = touched & ~(unsigned)walls->touched[k]; fresh > 0; fresh &= fresh - 1)
            steps->system->counts[k].walls++;
        walls->touched[k] = touched;
        if (touched == 0)
            continue;
        walls->arrival[k] = (struct vector){p->u, p->v};
        steps_move(steps, k, touched & 3 ? find_move(p->x, radius, boundary->width) : 0,
                   touched & 12 ? find_move(p->y, radius, boundary->height) : 0);
    }
    return STATUS_DONE;
}

/* The velocity away from a wall with which a particle leaves that has arrived with `arrival`; what
 * else has moved it may have made it faster already. */
static double leave(double speed, double arrival, double force_speed, double restitution)
{
    const int is_rest = -arrival <= 2 * fabs(force_speed);
    return fmax(speed, is_rest ? 0 : -restitution * arrival);
}

static void bounce(struct part *part, struct steps *steps, double dt)
{
    const struct walls *walls = (const struct walls *)part;
    for (size_t k = 0; k < steps->system->count; k++) {
        struct particle *p = &steps->system->particles[k];
        const double per_force = steps->inverse_mass[k] * dt;
        const uint8_t touched = walls->touched[k];
        const struct vector *arrival = &walls->arrival[k];
        if (touched & 3) {
            const double away = touched & 1 ? 1 : -1;
            p->u = away * leave(away * p->u, away * arrival->x, steps->force[k].x * per_force,
                                walls->restitution);
        }
        if (touched & 12) {
            const double away = touched & 4 ? 1 : -1;
            p->v = away * leave(away * p->v, away * arrival->y, steps->force[k].y * per_force,
                                walls->restitution);
        }
    }
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
{
    const struct walls *walls = (const struct walls *)part;
    for (size_t k = 0; k < steps->system->count; k++)
        record_put_whole(writer, walls->touched[k]);
    record_end_line(writer);
}

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct walls *walls = (struct walls *)part;
    for (size_t k = 0; k < steps->system->count && !reader->status; k++)
        walls->touched[k] = (uint8_t)record_take_whole(reader, 15);
    record_expect_line_end(reader);
}

const struct part_kind walls_kind = {
    .name = "walls",
    .parameters = {{"restitution", 1, 0, 1}},
    .create = create,
    .act = act,
    .bounce = bounce,
    .save = save,
    .load = load,
    .free = free_walls,
};
