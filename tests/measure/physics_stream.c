/*
 * Compares streams of elastic disks with what theory knows of them, and prints the tables that
 * stand in the README: streams without a body; profiles, whose lift is that of their mirror image
 * with the other sign; and a gas that is stopped by a wall. (free_molecules.c has bodies for which
 * theory knows the force.) Everything is seeded: collisions are the same on every machine, and what
 * is printed, but for last digits that depend on the C library.
 *
 * Disks have radius 1 and mass 1, and the temperature is 1. Each comparison says how far off a
 * value is, in standard errors, which come from the scatter of blocks of time or of seeds; if one
 * is more than 3 off, the program fails.
 */
#include "base/sum.h"
#include "gas.h"
#include "generate/generate.h"
#include "measure.h"
#include "model/region.h"
#include "model/stream.h"
#include "outline.h"
#include "random_system.h"
#include "sides.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* How many comparisons there were, and how many values are off. */
struct verdict {
    int compared, off;
};

/* Two columns of a table: a value, and how far it is off, in standard errors. */
static void judge(struct verdict *verdict, const struct estimate *value, double expected)
{
    const double deviation = (value->mean - expected) / value->error;
    printf(" %.4f ± %.4f | %+.1f |", value->mean, value->error, deviation);
    fflush(stdout);
    verdict->compared++;
    verdict->off += !(fabs(deviation) <= 3);
}

/* Compressibility factor, and the speed of sound at temperature 1. */
static double find_z(double area_fraction)
{
    return 1 + 2 * area_fraction * gas_contact_value(area_fraction);
}

/* c^2 = T (Z + f dZ/df + Z^2 / c_v), c_v = 1 for disks, which have no energy but that of motion. */
static double find_sound(double area_fraction)
{
    const double step = 1e-3 * area_fraction;
    const double slope = (find_z(area_fraction + step) - find_z(area_fraction - step)) / (2 * step);
    const double z = find_z(area_fraction);
    return sqrt(z + area_fraction * slope + z * z);
}

/* Gives all disks the velocities of a gas of temperature 1 that streams. */
static void set_velocities(struct system *system, double speed, uint64_t seed)
{
    struct random_generator random = random_from(seed);
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        random_normal(&random, &p->u, &p->v);
        p->u += speed;
    }
}

/* ---- Streams without a body ---- */

enum { BLOCKS = 40, LOOKS = 100 }; /* blocks of time, and looks in each */

/* What is summed up in a block of time. */
struct stream_block {
    double u, energy;          /* of all disks, energy relative to the stream; sums of all looks */
    double near, near_energy;  /* disks in the eighth of the box on each side of the seam */
    double passages, momentum; /* through the seam, and what they carried */
};

struct stream_watch {
    struct observer observer;
    double speed, start, interval;
    size_t looks; /* so far */
    struct stream_block blocks[BLOCKS];
};

static struct stream_block *find_block(struct stream_watch *watch, double time)
{
    const double block = floor((time - watch->start) / (watch->interval * LOOKS));
    return block >= 0 && block < BLOCKS ? &watch->blocks[(size_t)block] : NULL;
}

static enum status look_at_stream(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct stream_watch *watch = (struct stream_watch *)observer;
    struct stream_block *block = &watch->blocks[watch->looks / LOOKS];
    const double width = snapshot->system->boundary.width;
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        const double u = body.u - watch->speed;
        const double energy = (u * u + body.v * body.v) / 2;
        block->u += body.u;
        block->energy += energy;
        if (body.x < width / 8 || body.x > width * 7 / 8) {
            block->near++;
            block->near_energy += energy;
        }
    }
    watch->looks++;
    observer->next_look = watch->looks == BLOCKS * LOOKS
                              ? (double)INFINITY
                              : watch->start + watch->interval * ((double)watch->looks + 0.5);
    return STATUS_DONE;
}

static enum status count_passage(struct observer *observer, const struct collision *passage,
                                 struct error *error)
{
    struct stream_block *block = find_block((struct stream_watch *)observer, passage->time);
    (void)error;
    if (block) {
        block->passages++;
        block->momentum += fabs(passage->a.u_before);
    }
    return STATUS_DONE;
}

/* Disks that pass a line to the right, per length and time, of a gas of density 1. */
static double expect_flux(double speed)
{
    return exp(-speed * speed / 2) / sqrt(2 * pi) + speed / 2 * (1 + erf(speed / sqrt(2)));
}

/* The estimate from a sum in all blocks divided by another one, times a factor. */
static struct estimate estimate_ratio(const struct stream_watch *watch, size_t above, size_t below,
                                      double factor)
{
    double values[BLOCKS];
    for (size_t k = 0; k < BLOCKS; k++) {
        const double *sums = (const double *)&watch->blocks[k];
        values[k] = factor * sums[above] / (below == SIZE_MAX ? 1 : sums[below]);
    }
    return measure_estimate(values, BLOCKS);
}

/*
 * A stream without a body should stay what it is: uniform, with its velocity and temperature; and
 * through the seam go as many disks, and as much momentum, as through any line in it. The gas is
 * watched while the stream passes a thousand times.
 */
static void measure_stream(struct verdict *verdict, double area_fraction, double mach,
                           uint64_t seed, double passages)
{
    enum { COUNT = 250 };
    static const struct observer_operations operations = {.look = look_at_stream,
                                                          .renew = count_passage};
    const double speed = mach * find_sound(area_fraction);
    struct system system = gas_create_periodic(COUNT, area_fraction, seed);
    const double width = system.boundary.width;
    const double time = passages * width / speed;
    const double relaxing = time / 50 + 100 * width;
    struct stream_watch watch = {.observer = {.operations = &operations},
                                 .speed = speed,
                                 .start = relaxing,
                                 .interval = time / (BLOCKS * LOOKS)};
    watch.observer.next_look = relaxing + watch.interval / 2;
    set_velocities(&system, speed, seed);
    system.boundary.stream = stream_make(speed, 1, seed);
    gas_run(&system, SCHEDULE_CELLS, relaxing + time, &watch.observer);

    const double disks = (double)COUNT * LOOKS;
    const double crossing =
        (double)COUNT / width * time / BLOCKS; /* of a line by a gas of speed 1 */
    const struct estimate u = estimate_ratio(&watch, 0, SIZE_MAX, 1 / (disks * speed));
    const struct estimate temperature = estimate_ratio(&watch, 1, SIZE_MAX, 1 / disks);
    const struct estimate density = estimate_ratio(&watch, 2, SIZE_MAX, 4 / disks);
    const struct estimate near = estimate_ratio(&watch, 3, 2, 1);
    const struct estimate flux = estimate_ratio(
        &watch, 4, SIZE_MAX, 1 / (crossing * (expect_flux(speed) + expect_flux(-speed))));
    const struct estimate momentum =
        estimate_ratio(&watch, 5, SIZE_MAX, 1 / (crossing * (speed * speed + 1)));
    printf("| %.2f | %.1f |", area_fraction, mach);
    judge(verdict, &u, 1);
    judge(verdict, &temperature, 1);
    judge(verdict, &density, 1);
    judge(verdict, &near, 1);
    judge(verdict, &flux, 1);
    judge(verdict, &momentum, 1);
    puts("");
    system_free(&system);
}

static void measure_streams(struct verdict *verdict, double part)
{
    static const double area_fractions[] = {0.01, 0.1, 0.3};
    static const double machs[] = {0.3, 0.8, 2};
    puts("| area fraction | Mach | velocity / U | off by | temperature / T | off by | density at "
         "the "
         "seam | off by | temperature there | off by | passages | off by | momentum | off by |\n"
         "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t f = 0; f < 3; f++)
        for (size_t m = 0; m < 3; m++)
            measure_stream(verdict, area_fractions[f], machs[m], 40 + 3 * f + m, 1000 * part);
}

/* ---- A gas that is stopped by a wall ---- */

/* A shock that runs into a gas of temperature 1, by the conservation of mass, momentum, energy. */
struct shock {
    double speed;             /* of the gas before it, as seen from the shock; */
    double behind;            /* and behind it */
    double density, pressure; /* behind it, divided by before it */
    double area_fraction;     /* before it */
};

/* What a shock with this density ratio would gain in enthalpy and kinetic energy for each disk. */
static double find_gain(struct shock *shock, double density)
{
    const double z = find_z(shock->area_fraction);
    const double w = shock->speed;
    shock->density = density;
    shock->behind = w / density;
    shock->pressure = 1 + w * w / z * (1 - 1 / density);
    const double heat = shock->pressure * z / density; /* pressure / density, behind */
    const double temperature = heat / find_z(shock->area_fraction * density);
    return temperature + heat + shock->behind * shock->behind / 2 - (1 + z + w * w / 2);
}

static struct shock find_shock(double area_fraction, double mach)
{
    struct shock shock = {.speed = mach * find_sound(area_fraction),
                          .area_fraction = area_fraction};
    double low =
        1 + (mach - 1) / 100; /* where there is a gain; at 1 and at the shock there is none */
    double high = 3;
    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;
        if (find_gain(&shock, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return shock;
}

/* Watches the gas between the wall at the right and the shock, from one time to another. */
struct wall_watch {
    struct observer observer;
    double from, to;
    double spreading; /* the speed of the shock */
    double momentum;  /* that the wall has got */
    double densities; /* sum over all looks, */
    size_t looks;     /* so far */
};

static enum status hit_wall(struct observer *observer, const struct collision *collision,
                            struct error *error)
{
    struct wall_watch *watch = (struct wall_watch *)observer;
    (void)error;
    if (collision->partner == PARTNER_BOUNDARY && collision->feature == FEATURE_RIGHT &&
        collision->time > watch->from && collision->time <= watch->to)
        watch->momentum += collision->a.u_before - collision->a.u;
    return STATUS_DONE;
}

/*
 * Counts disks from 0.4 to 0.8 of the way from the wall to the shock: there the thin layer at the
 * wall does not matter, which remembers how the shock began, nor the width of the shock.
 */
static enum status look_at_wall(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    enum { WALL_LOOKS = 50 };
    struct wall_watch *watch = (struct wall_watch *)observer;
    const struct boundary *box = &snapshot->system->boundary;
    const double length = watch->spreading * snapshot->time;
    double disks = 0;
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const double distance = box->width - snapshot_body(snapshot, k).x;
        disks += distance > 0.4 * length && distance < 0.8 * length;
    }
    watch->densities += disks / (0.4 * length * box->height);
    watch->looks++;
    observer->next_look = watch->looks == WALL_LOOKS
                              ? (double)INFINITY
                              : observer->next_look + (watch->to - watch->from) / WALL_LOOKS;
    return STATUS_DONE;
}

struct ratios {
    double density, pressure;
};

/*
 * A gas between walls runs towards the right one and is stopped by it, so a shock runs back; until
 * it meets the gas that thins out behind the left wall, at END. It is measured from 0.6 to 0.95
 * of that time. The box is 240 mean free paths long.
 */
static struct ratios stop_gas(const struct shock *shock, uint64_t seed)
{
    enum { COUNT = 12000 };
    static const struct observer_operations operations = {.collide = hit_wall,
                                                          .look = look_at_wall};
    const double path = pi / (4 * sqrt(2) * shock->area_fraction);
    const double area = COUNT * pi / shock->area_fraction;
    const struct generate_request request = {.count = COUNT,
                                             .area_fraction = shock->area_fraction,
                                             .radius = 1,
                                             .aspect = 240 * path * 240 * path / area,
                                             .speed = 1,
                                             .seed = seed,
                                             .periodic = PERIODIC_Y};
    struct error error;
    struct system system;
    if (generate_system(&request, &system, &error))
        measure_fail(error.message);
    system.law = (struct law){.rule = RULE_ELASTIC, .restitution = 1};
    set_velocities(&system, shock->speed - shock->behind, seed);
    const struct boundary *box = &system.boundary;
    const double end = box->width / (shock->speed + find_sound(shock->area_fraction));
    struct wall_watch watch = {.observer = {.operations = &operations, .next_look = 0.6 * end},
                               .from = 0.6 * end,
                               .to = 0.95 * end,
                               .spreading = shock->behind};
    gas_run(&system, SCHEDULE_CELLS, watch.to, &watch.observer);
    const double density = COUNT / (box->width * box->height);
    const double pressure = watch.momentum / (box->height * (watch.to - watch.from));
    system_free(&system);
    return (struct ratios){watch.densities / (double)watch.looks / density,
                           pressure / (density * find_z(shock->area_fraction))};
}

static void measure_shock(struct verdict *verdict, double area_fraction, double mach, size_t seeds)
{
    enum { MOST = 100 };
    const struct shock shock = find_shock(area_fraction, mach);
    const double m2 = mach * mach;
    double densities[MOST], pressures[MOST];
    for (size_t k = 0; k < seeds; k++) {
        const struct ratios ratios = stop_gas(&shock, 51 + k);
        densities[k] = ratios.density;
        pressures[k] = ratios.pressure;
    }
    const struct estimate density = measure_estimate(densities, seeds);
    const struct estimate pressure = measure_estimate(pressures, seeds);
    printf("| %.4f | %.1f | %.4f | %.4f |", area_fraction, mach, 3 * m2 / (m2 + 2), shock.density);
    judge(verdict, &density, shock.density);
    printf(" %.4f | %.4f |", (4 * m2 - 1) / 3, shock.pressure);
    judge(verdict, &pressure, shock.pressure);
    puts("");
}

static void measure_shocks(struct verdict *verdict, double part)
{
    const size_t seeds = 2 + (size_t)(8 * part);
    puts("\n| area fraction | Mach | density, thin | expected | measured | off by | pressure, thin "
         "| "
         "expected | measured | off by |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    measure_shock(verdict, 0.005, 1.5, seeds);
    measure_shock(verdict, 0.005, 2, seeds);
    measure_shock(verdict, 0.005, 3, seeds);
    measure_shock(verdict, 0.05, 2, seeds);
}

int main(int argc, char **argv)
{
    const double part = argc > 1 ? strtod(argv[1], NULL) : 1;
    struct verdict verdict = {0, 0};
    if (argc <= 2 || argv[2][0] == 's')
        measure_streams(&verdict, part);
    if (argc <= 2 || argv[2][0] == 'w')
        measure_shocks(&verdict, part);
    printf("\n%d of %d values are within 3 standard errors\n", verdict.compared - verdict.off,
           verdict.compared);
    return verdict.off == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
