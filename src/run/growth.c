/*
 * Disks that grow. Each collision gains energy (physics.c), and with it the particles would become
 * ever faster than the growth. So velocities are scaled to the first energy, whenever it has grown
 * by GAIN or so: after a number of collisions that follows from the last such time, so it depends
 * on nothing but the input.
 *
 * The gain also shows the pressure, as the work of a compression. A pair gains h J = g d.J, with J
 * the momentum exchanged at the distance d and g = growth / (1 + growth t); and p A = N T + (sum of
 * d.J) / (2 t). From walls a disk gains J g R, and p is the momentum per length and time. So, with
 * the area A and the length L that centres can reach (region.h),
 *     gain / g = 2 t (p A - N T) + t p R L.
 * It is the sum over the collisions themselves: they gain nothing else.
 */
#include "run/growth.h"

#include "model/region.h"

#include <math.h>

static const double GAIN = 0.005;
/* The least and first number of collisions of each particle between two scalings, for each costs as
 * much as one collision of each. */
static const uint64_t LEAST_COLLISIONS = 5;

static double growth_energy(const struct system *system)
{
    double energy = 0;
    for (const struct particle *p = system->particles; p < system->particles + system->count; p++)
        energy += 0.5 * system_mass(system, p) * (p->u * p->u + p->v * p->v);
    return energy;
}

/* The time at which radii have grown by a factor. */
static double growth_time(const struct system *system, double factor)
{
    return fmax(factor - 1, 0) / system->boundary.growth;
}

double growth_last_time(const struct system *system)
{
    const double area = system->boundary.width * system->boundary.height;
    return growth_time(system, sqrt(area / system_covered(system)));
}

double growth_fraction(const struct system *system, double grown)
{
    return system_covered(system) * grown * grown / reach_area(&system->boundary);
}

/* Refuses a periodic side that becomes shorter than four radii. */
static enum status growth_check_sides(const struct system *system, double end_time,
                                      struct error *error)
{
    const struct pair_shift periods = boundary_periods(&system->boundary);
    const double time =
        growth_time(system, fmin(periods.x, periods.y) / (4 * system_largest_radius(system)));
    if (!(time < fmin(end_time, growth_last_time(system))))
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--grow=%s: at time %.6g a periodic side is shorter than four radii, so that "
                     "disks could touch one another on both sides at once",
                     show_exactly(system->boundary.growth).text, time);
}

void growth_restart(struct system *system, double time)
{
    const struct system_growth *old = &system->growth;
    system->growth = (struct system_growth){.pressure = old->pressure,
                                            .until = old->until,
                                            .energy = growth_energy(system),
                                            .begin = time,
                                            .since = time,
                                            .each = LEAST_COLLISIONS * system->count,
                                            .next = LEAST_COLLISIONS * system->count};
}

enum status growth_begin(struct system *system, const struct growth_settings *settings,
                         double *end_time, struct error *error)
{
    const double fraction = growth_fraction(system, 1);
    if (!(settings->rate > 0))
        return settings->fraction + settings->pressure == 0
                   ? STATUS_DONE
                   : error_set(error, STATUS_USAGE,
                               "--grow-until needs a --grow above 0: nothing grows");
    if (fraction == 0)
        return error_set(error, STATUS_USAGE,
                         "--grow is for disks: these are points, which do not grow");
    if (settings->fraction > 0 && settings->fraction < fraction)
        return error_set(error, STATUS_USAGE,
                         "--grow-until=%s: the disks cover more at the start, %.6g",
                         show_exactly(settings->fraction).text, fraction);
    if (settings->fraction > 0)
        *end_time = fmin(*end_time, growth_time(system, sqrt(settings->fraction / fraction)));
    system->growth = (struct system_growth){.pressure = settings->pressure,
                                            .until = fmin(*end_time, growth_last_time(system))};
    growth_restart(system, 0);
    return growth_check_sides(system, *end_time, error);
}

/* The reduced pressure p A / (N T) of all collisions since it was found last. */
static double growth_pressure(const struct system *system, double time)
{
    const struct boundary *boundary = &system->boundary;
    const double count = (double)system->count;
    const double conserved = boundary->polygons
                                 ? 0
                                 : 0.5 * ((boundary->periodic & PERIODIC_X) != 0) +
                                       0.5 * ((boundary->periodic & PERIODIC_Y) != 0);
    double radii = 0;
    for (size_t k = 0; k < system->count; k++)
        radii += system_radius(system, &system->particles[k]);
    const double radius = radii / count * system_grown(system, time);
    const struct region_reach reach = reach_find(boundary, radius);
    const double walls = radius * reach.length / (2 * reach.width * reach.height);
    const double z =
        1 + system->growth.work * (1 - conserved / count) / (2 * system->growth.action);
    return walls > 0 ? z / (1 + walls) : z;
}

static void growth_move(struct system *system, double time, double factor)
{
    for (struct particle *p = system->particles; p < system->particles + system->count; p++) {
        motion_move(&system->boundary.gravity, p, time);
        p->u *= factor;
        p->v *= factor;
        p->version++;
    }
}

void growth_end(struct system *system, double time)
{
    growth_move(system, time, 1);
    system_end_growth(system, time);
    system->growth.has_ended = 0;
}

enum status growth_scale(struct system *system, int *is_over, struct error *error)
{
    struct system_growth *growth = &system->growth;
    const uint64_t most = GROWTH_COLLISIONS * (uint64_t)system->count;
    const double time = system_last_time(system), elapsed = time - growth->begin;
    const double energy = growth_energy(system), gain = energy - growth->energy;
    const double fastest = system_fastest(system);
    const double each = 2 * (double)growth->each / (double)system->count;
    *is_over = 0;
    growth->work += gain * (1 / system->boundary.growth + (growth->begin + time) / 2);
    growth->action += elapsed * (energy + growth->energy) / 2;
    if (growth->energy == 0)
        growth->energy = energy;
    if (fastest * elapsed <= each * pair_rounding(system->boundary.width + fastest * time))
        return error_set(error, STATUS_BAD_DATA,
                         "at time %s disks have grown until they have no room, at area fraction "
                         "%.6g",
                         show_exactly(time).text,
                         growth_fraction(system, system_grown(system, time)));
    growth_move(system, time, energy > 0 ? sqrt(growth->energy / energy) : 1);
    growth->begin = time;
    if (growth->collisions == most) {
        const double pressure = growth_pressure(system, time);
        const double middle = system_grown(system, (growth->since + time) / 2);
        *is_over = growth->has_ended = growth->pressure > 0 && pressure >= growth->pressure;
        growth->jamming = pressure > 2 ? growth_fraction(system, middle) / (1 - 2 / pressure) : 0;
        growth->work = growth->action = 0;
        growth->since = time;
        growth->collisions = 0;
    }
    const double wanted = (double)growth->each * (GAIN * growth->energy / fmax(gain, DBL_MIN));
    growth->each =
        (uint64_t)fmin(fmax(wanted, (double)(LEAST_COLLISIONS * system->count)), (double)most);
    growth->next =
        growth->collisions + growth->each < most ? growth->collisions + growth->each : most;
    return STATUS_DONE;
}
