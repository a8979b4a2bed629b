/*
 * Adds up a run; see tally.h.
 *
 * A flight is what a particle does between two of its collisions: from its anchor, straight, with
 * one velocity. So each collision ends one flight or two, whose lengths and times are known from
 * the anchors as they were before; nothing has to be followed in between. All that is asked for
 * each collision is some twenty multiplications, two roots and the sums.
 */
#include "tally.h"

#include <math.h>

/* Adds the flight of a particle from its anchor to `time`. */
static void add_flight(struct tally *tally, double mass, const struct particle *particle,
                       double time)
{
    double square = particle->u * particle->u + particle->v * particle->v;
    double duration = time - particle->t;
    sum_add(&tally->path, sqrt(square) * duration);
    sum_add(&tally->action, 0.5 * mass * square * duration);
}

static void add_wall(struct tally *tally, double mass, const struct collision *collision)
{
    const struct particle *before = &collision->before[0];
    const struct particle *after = collision->after[0];
    int wall = FEATURE_LEFT - collision->event.b;
    double change = wall < 2 ? after->u - before->u : after->v - before->v;
    tally->walls[wall]++;
    sum_add(&tally->push[wall], mass * fabs(change));
    sum_add(&tally->gained[wall / 2], -mass * change);
}

static void add_pair(struct tally *tally, double a_mass, double b_mass,
                     const struct collision *collision)
{
    const struct particle *before = collision->before;
    const struct particle *a = collision->after[0];
    const struct particle *b = collision->after[1];
    double gain_x = b_mass * (b->u - before[1].u);
    double gain_y = b_mass * (b->v - before[1].v);
    double loss_x = a_mass * (before[0].u - a->u);
    double loss_y = a_mass * (before[0].v - a->v);
    tally->pairs++;
    sum_add(&tally->virial,
            0.5 * ((b->x - a->x) * (gain_x + loss_x) + (b->y - a->y) * (gain_y + loss_y)));
}

void tally_begin(struct tally *tally, const struct system *system)
{
    *tally = (struct tally){.start = tally_motion(system)};
}

void tally_collide(struct tally *tally, const struct system *system,
                   const struct collision *collision)
{
    double time = collision->event.time;
    double a_mass = system_mass(system, &collision->before[0]);
    add_flight(tally, a_mass, &collision->before[0], time);
    if (event_partner(collision->event.b) == PARTNER_BOUNDARY) {
        add_wall(tally, a_mass, collision);
    } else {
        double b_mass = system_mass(system, &collision->before[1]);
        add_flight(tally, b_mass, &collision->before[1], time);
        add_pair(tally, a_mass, b_mass, collision);
    }
}

void tally_end(struct tally *tally, const struct system *system, double end_time)
{
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *particle = &system->particles[k];
        add_flight(tally, system_mass(system, particle), particle, end_time);
    }
    tally->end = tally_motion(system);
    tally->speeds = tally_speeds(system);
}

struct motion tally_motion(const struct system *system)
{
    struct sum energy = {0};
    struct sum momentum_x = {0};
    struct sum momentum_y = {0};
    struct sum impetus = {0};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *particle = &system->particles[k];
        double mass = system_mass(system, particle);
        double square = particle->u * particle->u + particle->v * particle->v;
        sum_add(&energy, 0.5 * mass * square);
        sum_add(&momentum_x, mass * particle->u);
        sum_add(&momentum_y, mass * particle->v);
        sum_add(&impetus, mass * sqrt(square));
    }
    return (struct motion){sum_value(&energy), sum_value(&momentum_x), sum_value(&momentum_y),
                           sum_value(&impetus)};
}

struct speeds tally_speeds(const struct system *system)
{
    struct sum mean = {0};
    struct sum square = {0};
    struct sum reduced = {0};
    struct sum reduced_2 = {0};
    struct sum reduced_4 = {0};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *particle = &system->particles[k];
        double c_2 = particle->u * particle->u + particle->v * particle->v;
        double mass_c_2 = system_mass(system, particle) * c_2;
        sum_add(&mean, sqrt(c_2));
        sum_add(&square, c_2);
        sum_add(&reduced, sqrt(mass_c_2));
        sum_add(&reduced_2, mass_c_2);
        sum_add(&reduced_4, mass_c_2 * mass_c_2);
    }
    double count = (double)system->count;
    return (struct speeds){sum_value(&mean) / count, sum_value(&square) / count,
                           sum_value(&reduced) / count, sum_value(&reduced_2) / count,
                           sum_value(&reduced_4) / count};
}
