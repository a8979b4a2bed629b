/* Tests of disks that grow: against a simulation of this file's own, pair by pair in extended
 * precision; the same bytes from all schedules, threads and stops; and what can be said of any. */
#include "run/growth.h"

#include "agreement.h"
#include "check.h"
#include "model/overlap.h"
#include "model/region.h"
#include "run/dynamics.h"

#include <float.h>

/* Lets a system grow up to a time, in this number of advances. */
static enum status grow_with(enum schedule_kind kind, const struct schedule_threads *threads,
                             const struct growth_settings *settings, struct system *system,
                             double to, int advances, int *is_over)
{
    struct dynamics *dynamics = NULL;
    enum status status = growth_begin(system, settings, &to, &failure);
    if (!status)
        status = simulation_create(kind, threads, system, &dynamics, &failure);
    for (int k = 1; k <= advances && !status && !dynamics->is_over; k++)
        status = dynamics->operations->advance(dynamics, k < advances ? to * k / advances : to,
                                               NULL, &failure);
    if (is_over)
        *is_over = dynamics && dynamics->is_over;
    if (dynamics)
        dynamics->operations->rest(dynamics, &failure);
    dynamics_free(dynamics);
    return status;
}

/* A system of any kind, dilute to dense, whose boxes, masses and radii differ. */
static struct system growing_system(struct random_generator *random, size_t count, double rate)
{
    const double fraction = 0.05 + 0.3 * random_unit(random);
    struct system system =
        random_below(random, 2)
            ? random_system(random, count, fraction, 0.5 + random_unit(random))
            : mixed_system(random, random_below(random, 2) ? MIXED_TWO : MIXED_RADII, count,
                           fraction);
    system.law = (struct system_law){RULE_ELASTIC, 1, 0};
    if (random_below(random, 3) > 0)
        random_periodic(random, &system, random_axes(random));
    system.boundary.growth = rate;
    return system;
}

/* ---- The simulation to compare with ---- */

typedef long double real;

struct brute_disk {
    real x, y, u, v, radius, mass;
    uint64_t walls, others;
};

struct brute {
    struct brute_disk disks[16];
    size_t count;
    real width, height, growth, time;
    unsigned periodic;
};

struct brute_event {
    real wait;
    size_t i, j; /* j = count + side: a side of the box */
    real dx, dy; /* of the image */
};

/* The wait until a gap, whose square is a q^2 + 2 b q + c, closes: the first root where it does. */
static real brute_root(real a, real b, real c)
{
    if (c <= 0)
        return b < 0 ? 0 : a < 0 ? -2 * b / a : INFINITY;
    const real d = b * b - a * c;
    if (d < 0)
        return INFINITY;
    const real q = b < 0 ? -b + sqrtl(d) : -b - sqrtl(d);
    const real roots[2] = {q / a, c / q};
    real first = INFINITY;
    for (int k = 0; k < 2; k++)
        if (roots[k] > 0 && a * roots[k] + b <= 0 && roots[k] < first)
            first = roots[k];
    return first;
}

static void brute_consider(struct brute_event *next, struct brute_event event)
{
    if (event.wait < next->wait)
        *next = event;
}

static struct brute_event brute_next(const struct brute *brute)
{
    struct brute_event next = {.wait = INFINITY};
    const real grown = 1 + brute->growth * brute->time;
    for (size_t i = 0; i < brute->count; i++) {
        const struct brute_disk *a = &brute->disks[i];
        const real at[2] = {a->x, a->y}, speed[2] = {a->u, a->v};
        const real sides[2] = {brute->width, brute->height};
        for (size_t side = 0; side < 4; side++) {
            const int axis = side > 1;
            if (brute->periodic & (axis ? PERIODIC_Y : PERIODIC_X))
                continue;
            const real gap = (side % 2 ? sides[axis] - at[axis] : at[axis]) - a->radius * grown;
            const real rate = (side % 2 ? speed[axis] : -speed[axis]) + a->radius * brute->growth;
            if (rate > 0)
                brute_consider(&next,
                               (struct brute_event){gap / rate, i, brute->count + side, 0, 0});
        }
        for (size_t j = i + 1; j < brute->count; j++)
            for (int image = 0; image < 9; image++) {
                const struct brute_disk *b = &brute->disks[j];
                const int column = image / 3 - 1, row = image % 3 - 1;
                if ((column && !(brute->periodic & PERIODIC_X)) ||
                    (row && !(brute->periodic & PERIODIC_Y)))
                    continue;
                const real dx = b->x - a->x + column * brute->width;
                const real dy = b->y - a->y + row * brute->height;
                const real wx = b->u - a->u, wy = b->v - a->v;
                const real s = (a->radius + b->radius) * grown;
                const real h = (a->radius + b->radius) * brute->growth;
                const real wait = brute_root(wx * wx + wy * wy - h * h, dx * wx + dy * wy - h * s,
                                             dx * dx + dy * dy - s * s);
                brute_consider(&next, (struct brute_event){wait, i, j, dx, dy});
            }
    }
    return next;
}

/* A time in which no disk moves so far that it meets images farther away. */
static real brute_step(const struct brute *brute)
{
    real fastest = 0;
    for (size_t k = 0; k < brute->count; k++)
        fastest = fmaxl(fastest, fmaxl(fabsl(brute->disks[k].u), fabsl(brute->disks[k].v)));
    return brute->periodic ? fminl(brute->width, brute->height) / (4 * fastest) : INFINITY;
}

static void brute_move(struct brute *brute, real wait)
{
    brute->time += wait;
    for (size_t k = 0; k < brute->count; k++) {
        struct brute_disk *disk = &brute->disks[k];
        disk->x += disk->u * wait;
        disk->y += disk->v * wait;
        if (brute->periodic & PERIODIC_X)
            disk->x -= brute->width * floorl(disk->x / brute->width);
        if (brute->periodic & PERIODIC_Y)
            disk->y -= brute->height * floorl(disk->y / brute->height);
    }
}

/* The event, after the wait: d has changed by w times the wait. */
static void brute_collide(struct brute *brute, const struct brute_event *event)
{
    struct brute_disk *a = &brute->disks[event->i];
    if (event->j >= brute->count) {
        const real rim = 2 * a->radius * brute->growth;
        real *speed = event->j - brute->count > 1 ? &a->v : &a->u;
        *speed = ((event->j - brute->count) % 2 ? -rim : rim) - *speed;
        a->walls++;
        return;
    }
    struct brute_disk *b = &brute->disks[event->j];
    const real dx = event->dx + (b->u - a->u) * event->wait;
    const real dy = event->dy + (b->v - a->v) * event->wait;
    const real distance = sqrtl(dx * dx + dy * dy), nx = dx / distance, ny = dy / distance;
    const real h = (a->radius + b->radius) * brute->growth;
    const real closing = h - ((b->u - a->u) * nx + (b->v - a->v) * ny);
    const real impulse = 2 * closing * a->mass * b->mass / (a->mass + b->mass);
    a->u -= impulse / a->mass * nx;
    a->v -= impulse / a->mass * ny;
    b->u += impulse / b->mass * nx;
    b->v += impulse / b->mass * ny;
    a->others++;
    b->others++;
}

static struct brute brute_of(const struct system *system, double time)
{
    struct brute brute = {.count = system->count,
                          .width = system->boundary.width,
                          .height = system->boundary.height,
                          .growth = system->boundary.growth,
                          .periodic = system->boundary.periodic};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const struct particle_counts *counts = &system->counts[k];
        double x, y;
        physics_position(system, k, time, &x, &y);
        brute.disks[k] = (struct brute_disk){x,
                                             y,
                                             p->u,
                                             p->v,
                                             system_radius(system, p),
                                             system_mass(system, p),
                                             counts->walls,
                                             counts->particles};
    }
    return brute;
}

static real brute_energy(const struct brute *brute)
{
    real energy = 0;
    for (size_t k = 0; k < brute->count; k++) {
        const struct brute_disk *disk = &brute->disks[k];
        energy += disk->mass * (disk->u * disk->u + disk->v * disk->v) / 2;
    }
    return energy;
}

/* Runs up to `end`; or, if that is 0, to the time of collision number `most`, and a little on.
 * Velocities are scaled after 5 collisions of each disk, but not a second time, which depends on
 * rounding. Returns the time. */
static double brute_run(struct brute *brute, unsigned most, double end)
{
    const real energy = brute_energy(brute);
    struct brute_event next;
    for (unsigned count = 1; count <= most; count++) {
        while ((next = brute_next(brute)).wait > brute_step(brute) &&
               !(end > 0 && brute->time + brute_step(brute) > end) && brute->time < 1e6)
            brute_move(brute, brute_step(brute));
        if (end > 0 && brute->time + next.wait > end)
            break;
        if (!(next.wait < INFINITY))
            return NAN;
        brute_move(brute, next.wait);
        brute_collide(brute, &next);
        if (count == 5 * brute->count && energy > 0) {
            const real factor = sqrtl(energy / brute_energy(brute));
            for (size_t k = 0; k < brute->count; k++) {
                brute->disks[k].u *= factor;
                brute->disks[k].v *= factor;
            }
        }
    }
    next = brute_next(brute);
    const real rest = fminl(next.wait, fminl(brute_step(brute), 1)) / 2;
    if (!(end > 0))
        end = (double)(brute->time + rest);
    brute_move(brute, end - brute->time);
    return end;
}

/* How far two ends are from each other; with other counts, INFINITY. */
static double brute_distance(const struct brute *brute, const struct brute *other)
{
    double farthest = 0;
    for (size_t k = 0; k < brute->count; k++) {
        const struct brute_disk *a = &brute->disks[k], *b = &other->disks[k];
        if (a->walls != b->walls || a->others != b->others)
            return (double)INFINITY;
        farthest = fmax(farthest, axis_distance((double)a->x, (double)b->x, (double)brute->width,
                                                brute->periodic & PERIODIC_X));
        farthest = fmax(farthest, axis_distance((double)a->y, (double)b->y, (double)brute->height,
                                                brute->periodic & PERIODIC_Y));
    }
    return farthest;
}

/* Moves all disks by a last bit of a double, or so. */
static struct brute brute_disturb(const struct brute *brute)
{
    struct brute other = *brute;
    for (size_t k = 0; k < other.count; k++)
        other.disks[k].x *= 1 + (k % 2 ? DBL_EPSILON : -DBL_EPSILON);
    return other;
}

RANDOM_TEST(a_simulation_of_all_pairs_in_extended_precision_comes_to_the_same_end, 540)
{
    const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};
    int compared = 0;
    for (int trial = 0; trial < (check_is_thorough() ? 3000 : 60); trial++) {
        const size_t count = 2 + random_below(random, 11);
        const double rate = pow(10, -4 + 5 * random_unit(random));
        OWNED(system, system) = growing_system(random, count, rate);
        if (random_below(random, 10) == 0) /* at rest, they meet as they grow */
            for (size_t k = 0; k < count; k++)
                system.particles[k].u = system.particles[k].v = 0;
        struct brute brute = brute_of(&system, 0), other = brute_disturb(&brute);
        const unsigned most = (unsigned)(1 + random_below(random, 7 * count));
        const double end = brute_run(&brute, most, 0);
        if (isnan(end))
            continue;
        brute_run(&other, 2 * most, end);
        const double doubt = brute_distance(&brute, &other); /* by the chaos of collisions */
        const struct growth_settings settings = {.rate = rate};
        if (doubt > 1e-6 || grow_with(kinds[trial % 3], &(struct schedule_threads){.count = 1},
                                      &settings, &system, end, 1, NULL))
            continue; /* or a periodic box has become too small */
        compared++;
        const struct brute found = brute_of(&system, end);
        CHECK(brute_distance(&brute, &found) < 1e3 * doubt + 1e-12 * (1 + end));
    }
    CHECK(compared > 30);
}

/* ---- Schedules, threads and stops ---- */

static int no_disks_overlap(const struct system *system, double time)
{
    struct overlap overlap;
    OWNED(system, end) = system_copy(system);
    for (size_t k = 0; k < end.count; k++)
        physics_position(&end, k, time, &end.particles[k].x, &end.particles[k].y);
    system_end_growth(&end, time * (1 - 1e-12)); /* they may touch at that very time */
    must(overlap_find(&end, NULL, &overlap, &failure));
    return !overlap.found;
}

RANDOM_TEST(all_schedules_threads_and_stops_lead_to_the_same_bytes, 541)
{
    for (int trial = 0; trial < (check_is_thorough() ? 200 : 5); trial++) {
        const size_t count = 3 + random_below(random, trial % 4 ? 40 : 150);
        struct growth_settings settings = {.rate = pow(10, -3 + 3 * random_unit(random))};
        OWNED(system, start) = growing_system(random, count, settings.rate);
        if (random_below(random, 2))
            settings.pressure = 5;
        else
            settings.fraction = 0.6;
        const struct schedule_threads one = {.count = 1};
        const struct schedule_threads tiled = {.count = 1 + (unsigned)random_below(random, 3),
                                               .tile_side = 3 + (uint32_t)random_below(random, 9)};
        int is_over[4];
        OWNED(system, cells) = system_copy(&start);
        OWNED(system, array) = system_copy(&start);
        OWNED(system, stopped) = system_copy(&start);
        OWNED(system, tiles) = system_copy(&start);
        const enum status status =
            grow_with(SCHEDULE_CELLS, &one, &settings, &cells, 1e6, 1, &is_over[0]);
        if (status == STATUS_USAGE)
            continue; /* a periodic side would be too short */
        CHECK(status == STATUS_DONE || status == STATUS_BAD_DATA); /* without room for so much */
        CHECK(grow_with(SCHEDULE_ARRAY, &one, &settings, &array, 1e6, 1, &is_over[1]) == status);
        CHECK(grow_with(SCHEDULE_CELLS, &one, &settings, &stopped, 1e6, 7, &is_over[2]) == status);
        CHECK(grow_with(SCHEDULE_CELLS, &tiled, &settings, &tiles, 1e6, 3, &is_over[3]) == status);
        if (status)
            continue;
        CHECK(agreement_is_same(&cells, &array));
        CHECK(agreement_is_same(&cells, &stopped));
        CHECK(agreement_is_same(&cells, &tiles));
        CHECK(is_over[0] == (settings.pressure > 0) && is_over[1] == is_over[0] &&
              is_over[2] == is_over[0] && is_over[3] == is_over[0]);
        CHECK(no_disks_overlap(&cells, is_over[0] ? system_last_time(&cells) : cells.growth.until));
    }
}
