/* Compares streams of elastic disks with what theory knows of them, and prints tables, which
 * README.md sums up: streams without a body; profiles, whose lift is that of their mirror image
 * with the other sign; and a gas that is stopped by a wall. (free_molecules.c has bodies for which
 * theory knows the force.) Everything is seeded: collisions are the same on every machine, and what
 * is printed, but for last digits that depend on the C library.
 *
 * Disks have radius 1 and mass 1, and the temperature is 1. Each comparison says how far off a
 * value is, in standard errors, which come from the scatter of blocks of time or of seeds; if one
 * is more than 3 off, the program fails. */
#include "base/elementary.h"
#include "gas.h"
#include "generate/generate.h"
#include "measure.h"
#include "model/boundary_law.h"
#include "model/region.h"
#include "observed.h"
#include "outline.h"
#include "random_system.h"
#include "sides.h"

/* Two columns of a table: a value, and how far it is off, in standard errors. */
static void judge(const struct measured_mean *value, double expected)
{
    printf(" %.4f ± %.4f |", value->mean, value->error);
    measure_deviation(value->mean - expected, value->error);
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

enum { DISKS = 250, RUNS = 20, LOOKS = 150 }; /* of each gas, and looks in each run */

/* The sums of each run. */
enum stream_sum {
    SUM_LOOKS,
    SUM_U,           /* of all disks at all looks, */
    SUM_ENERGY,      /* relative to the stream */
    SUM_NEAR,        /* disks in the eighth of the box on each side of the seam, */
    SUM_NEAR_ENERGY, /* and their energy */
    SUM_PASSAGES,    /* disks that reach the seam, */
    SUM_MOMENTUM,    /* and what they carry, whatever its sign */
    SUMS
};

struct stream_watch {
    struct observer observer;
    double speed, interval, sums[SUMS];
};

static enum status look_at_stream(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct stream_watch *watch = (struct stream_watch *)observer;
    double *sums = watch->sums;
    const double width = snapshot->system->boundary.width;
    (void)error;
    sums[SUM_LOOKS]++;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double u = body.u - watch->speed;
        const double energy = (u * u + body.v * body.v) / 2;
        sums[SUM_U] += body.u;
        sums[SUM_ENERGY] += energy;
        if (body.x < width / 8 || body.x > width * 7 / 8) {
            sums[SUM_NEAR]++;
            sums[SUM_NEAR_ENERGY] += energy;
        }
    }
    observer->next_sample += watch->interval;
    return STATUS_DONE;
}

static enum status count_passage(struct observer *observer, const struct collision *passage,
                                 struct error *error)
{
    double *sums = ((struct stream_watch *)observer)->sums;
    (void)error;
    if (passage->feature < FEATURE_RIGHT) /* at the seam in y */
        return STATUS_DONE;
    sums[SUM_PASSAGES]++;
    sums[SUM_MOMENTUM] += fabs(passage->a.u_before);
    return STATUS_DONE;
}

OBSERVED_TAKE(take_passages, NULL, count_passage)

/* Disks that pass a line to the right, per length and time, of a gas of density 1. */
static double expect_flux(double speed)
{
    return exp(-speed * speed / 2) / sqrt(2 * pi) + speed / 2 * (1 + erf(speed / sqrt(2)));
}

/* Sums over one run of 250 disks, which begins in equilibrium, and in which the stream passes the
 * box so often. Returns the width of the box, and the time between two looks. */
static struct stream_watch watch_stream(double area_fraction, double speed, double passages,
                                        uint64_t seed, double *width)
{
    static const struct observer_operations operations = {
        .sample = look_at_stream, .watches = WATCH_BOUNDARY, .take = take_passages};
    OWNED(system, system) = gas_create_periodic(DISKS, area_fraction, seed);
    *width = system.boundary.width;
    const double time = passages * *width / speed;
    struct stream_watch watch = {
        .observer = {.operations = &operations}, .speed = speed, .interval = time / LOOKS};
    watch.observer.next_sample = watch.interval / 2;
    set_velocities(&system, speed, seed);
    system.boundary.stream = stream_make(speed, 1, seed);
    gas_run(&system, SCHEDULE_CELLS, time, &watch.observer);
    return watch;
}

/* A stream without a body should stay what it is: uniform, with its velocity and temperature; and
 * through the seam go as many disks, and as much momentum, as through any line in it. Errors are
 * from the scatter of runs, for the stream remembers long: near Mach 1 sound hardly gets away
 * against it. All runs of a gas together last until the stream has passed so often. */
static void measure_stream(double area_fraction, double mach, uint64_t seed, double passages)
{
    const double speed = mach * find_sound(area_fraction);
    double values[SUMS][RUNS];
    for (size_t k = 0; k < RUNS; k++) {
        double width;
        const struct stream_watch watch =
            watch_stream(area_fraction, speed, passages / RUNS, seed + k, &width);
        const double *sums = watch.sums;
        const double disks = DISKS * sums[SUM_LOOKS];
        const double crossing = disks / width * watch.interval; /* times the speed of a gas */
        values[SUM_U][k] = sums[SUM_U] / (disks * speed);
        values[SUM_ENERGY][k] = sums[SUM_ENERGY] / disks;
        values[SUM_NEAR][k] = sums[SUM_NEAR] / (disks / 4);
        values[SUM_NEAR_ENERGY][k] = sums[SUM_NEAR_ENERGY] / sums[SUM_NEAR];
        values[SUM_PASSAGES][k] =
            sums[SUM_PASSAGES] / (crossing * (expect_flux(speed) + expect_flux(-speed)));
        values[SUM_MOMENTUM][k] = sums[SUM_MOMENTUM] / (crossing * (speed * speed + 1));
    }
    printf("| %.2f | %.1f |", area_fraction, mach);
    for (enum stream_sum k = SUM_U; k < SUMS; k++) {
        const struct measured_mean ratio = measure_estimate(values[k], RUNS);
        judge(&ratio, 1);
    }
    puts("");
}

static void measure_streams(double part)
{
    static const double area_fractions[] = {0.01, 0.3, 0.6};
    static const double machs[] = {0.3, 1, 2.5};
    puts(
        "| area fraction | Mach | velocity | off by | temperature | off by | density at the seam | "
        "off by | temperature there | off by | passages | off by | momentum | off by |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t f = 0; f < 3; f++)
        for (size_t m = 0; m < 3; m++)
            measure_stream(area_fractions[f], machs[m], 1000 * (3 * f + m), 1000 * part);
}

/* ---- Profiles ---- */

enum {
    PERIODS = 16
}; /* of time; in each the stream passes ten times, for the lift remembers long */

/* Sums up the momentum that a body takes and that the seam gives. */
struct force_watch {
    struct observer observer;
    double from, length; /* of the first block of time, and of each; */
    struct sum body[PERIODS + 1]
                   [2]; /* what the body has got in it along x and y; the last: before */
    struct sum seam[2]; /* what the stream has given, in all of the run */
    double passages;    /* particles that it has given velocities, in the blocks */
    struct sum size;    /* of all these exchanges together */
};

/* Adds the momentum that a particle has lost. */
static void add_loss(struct force_watch *watch, struct sum *sums, double sign,
                     const struct collision_particle *a)
{
    sum_add(&sums[0], sign * (a->u_before - a->u));
    sum_add(&sums[1], sign * (a->v_before - a->v));
    sum_add(&watch->size, fabs(a->u_before - a->u) + fabs(a->v_before - a->v));
}

static enum status hit_body(struct observer *observer, const struct collision *collision,
                            struct error *error)
{
    struct force_watch *watch = (struct force_watch *)observer;
    (void)error;
    if (collision->partner == PARTNER_BOUNDARY) {
        const double block = floor((collision->time - watch->from) / watch->length);
        const int is_counted = block >= 0 && block < PERIODS;
        add_loss(watch, watch->body[is_counted ? (size_t)block : PERIODS], 1, &collision->a);
    }
    return STATUS_DONE;
}

static enum status pass_seam(struct observer *observer, const struct collision *passage,
                             struct error *error)
{
    struct force_watch *watch = (struct force_watch *)observer;
    (void)error;
    add_loss(watch, watch->seam, -1, &passage->a);
    watch->passages += passage->feature >= FEATURE_RIGHT && passage->time > watch->from;
    return STATUS_DONE;
}

OBSERVED_TAKE(take_forces, hit_body, pass_seam)

/* Takes away the disks that a new body is in the way of. */
static void make_room(struct system *system)
{
    struct region *region = NULL;
    size_t count = 0;
    must(region_create(&system->boundary, &region, &failure));
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        if (!region_contains(region, p->x, p->y) ||
            sides_distance(&system->boundary, p->x, p->y) < system->radius)
            continue;
        system->particles[count] = *p;
        system->particles[count].id = (int32_t)count;
        count++;
    }
    system->count = count;
    region_free(region);
}

/* The total momentum along x or y, as `watch` adds it up. */
static double find_momentum(const struct system *system, int along_y)
{
    struct sum sum = {0};
    for (size_t k = 0; k < system->count; k++)
        sum_add(&sum, along_y ? system->particles[k].v : system->particles[k].u);
    return sum_value(&sum);
}

struct profile {
    const char *name;
    double m, p, t; /* see outline_naca */
    double degrees; /* by which the nose points up */
    int is_flipped; /* up and down */
};

struct forces {
    struct measured_mean drag, lift; /* coefficients, per chord */
    double imbalance;                /* of momentum: part of all that has been exchanged */
};

/* Places a profile in the middle of a square tunnel full of disks. */
static void place_profile(struct system *system, const struct profile *profile, double chord)
{
    const double middle = system->boundary.width / 2;
    struct outline outline = outline_naca(profile->m, profile->p, profile->t, 50);
    outline_turn(&outline, 0.5, 0, -profile->degrees);
    for (size_t k = 0; k < outline.count; k++) {
        double *vertex = outline.vertices[k];
        vertex[0] = middle + chord * (vertex[0] - 0.5);
        vertex[1] = middle + chord * (profile->is_flipped ? -vertex[1] : vertex[1]);
    }
    system_add_polygon(system, (const double(*)[2])outline.vertices, outline.count, 0);
    make_room(system);
}

/* Mean force along x or y, in this unit. */
static struct measured_mean estimate_force(const struct force_watch *watch, int along, double unit)
{
    double values[PERIODS];
    for (size_t k = 0; k < PERIODS; k++)
        values[k] = sum_value(&watch->body[k][along]) / (watch->length * unit);
    return measure_estimate(values, PERIODS);
}

/* The part that is missing of a momentum that was `before`. */
static double find_imbalance(const struct force_watch *watch, int along, double before,
                             double after)
{
    double imbalance = after - before - sum_value(&watch->seam[along]);
    for (size_t k = 0; k <= PERIODS; k++)
        imbalance += sum_value(&watch->body[k][along]);
    return fabs(imbalance);
}

/* A profile in a stream of Mach number 0.8; the chord is a fifth of the tunnel. */
static struct forces measure_profile(const struct profile *profile, double part)
{
    enum { COUNT = 4000 };
    static const struct observer_operations operations = {.watches = WATCH_PAIRS,
                                                          .take = take_forces};
    const double area_fraction = 0.05;
    const double speed = 0.8 * find_sound(area_fraction);
    OWNED(system, system) = gas_create_periodic(COUNT, area_fraction, 44);
    const double width = system.boundary.width;
    place_profile(&system, profile, width / 5);
    set_velocities(&system, speed, 45);
    system.boundary.stream = stream_make(speed, 1, 46);
    const double before[2] = {find_momentum(&system, 0), find_momentum(&system, 1)};
    struct force_watch watch = {
        .observer = {.operations = &operations, .next_sample = (double)INFINITY},
        .from = 10 * width / speed,
        .length = 160 * part * width / speed / PERIODS};
    gas_run(&system, SCHEDULE_CELLS, watch.from + PERIODS * watch.length, &watch.observer);

    const double lost = find_imbalance(&watch, 0, before[0], find_momentum(&system, 0)) +
                        find_imbalance(&watch, 1, before[1], find_momentum(&system, 1));
    const double density = watch.passages / (PERIODS * watch.length * width *
                                             (expect_flux(speed) + expect_flux(-speed)));
    const double unit = density * speed * speed / 2 * width / 5;
    return (struct forces){estimate_force(&watch, 0, unit), estimate_force(&watch, 1, unit),
                           lost / sum_value(&watch.size)};
}

/* Whether momentum is kept is one more comparison, with rounding. */
static struct measured_mean print_profile(const struct profile *profile, double part)
{
    const struct forces forces = measure_profile(profile, part);
    printf("| %s | %.4f ± %.4f | %.4f ± %.4f | %.0e |", profile->name, forces.drag.mean,
           forces.drag.error, forces.lift.mean, forces.lift.error, forces.imbalance);
    measure_check(forces.imbalance < 1e-15);
    return forces.lift;
}

static void measure_profiles(double part)
{
    static const struct profile profiles[] = {{"NACA 0012 at 0°", 0, 0, 0.12, 0, 0},
                                              {"NACA 2412 at 6°", 0.02, 0.4, 0.12, 6, 0},
                                              {"the same, flipped", 0.02, 0.4, 0.12, 6, 1}};
    puts("\n| profile | C_D | C_L | momentum lost | C_L, or sum of both | off by |\n"
         "|---|---:|---:|---:|---:|---:|");
    const struct measured_mean symmetric = print_profile(&profiles[0], part);
    judge(&symmetric, 0);
    puts("");
    const struct measured_mean up = print_profile(&profiles[1], part);
    puts(" | |");
    const struct measured_mean down = print_profile(&profiles[2], part);
    const struct measured_mean sum = {up.mean + down.mean, hypot(up.error, down.error)};
    judge(&sum, 0);
    puts("");
}

/* ---- A gas that is stopped by a wall ---- */

/* A shock that runs into a gas of temperature 1, by the conservation of mass, momentum, energy. */
struct shock {
    double speed;             /* of the gas before it, as seen from the shock; */
    double behind;            /* and behind it */
    double density, pressure; /* behind it, divided by before it */
    double area_fraction;     /* before it */
};

/* The gain in enthalpy and kinetic energy of each disk in a shock with this density ratio. */
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

OBSERVED_TAKE(take_wall, hit_wall, NULL)

/* Counts disks from 0.4 to 0.8 of the way from the wall to the shock: there the thin layer at the
 * wall does not matter, which remembers how the shock began, nor the width of the shock. */
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
    observer->next_sample = watch->looks == WALL_LOOKS
                                ? (double)INFINITY
                                : observer->next_sample + (watch->to - watch->from) / WALL_LOOKS;
    return STATUS_DONE;
}

struct ratios {
    double density, pressure;
};

/* A gas between walls runs towards the right one and is stopped by it, so a shock runs back; until
 * it meets the gas that thins out behind the left wall, at END. It is measured from 0.6 to 0.95
 * of that time. The box is 240 mean free paths long. */
static struct ratios stop_gas(const struct shock *shock, uint64_t seed)
{
    enum { COUNT = 12000 };
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = take_wall, .sample = look_at_wall};
    const double path = pi / (4 * sqrt(2) * shock->area_fraction);
    const double area = COUNT * pi / shock->area_fraction;
    const struct generate_request request = {.count = COUNT,
                                             .area_fraction = shock->area_fraction,
                                             .radius = 1,
                                             .aspect = 240 * path * 240 * path / area,
                                             .speed = 1,
                                             .seed = seed,
                                             .periodic = PERIODIC_Y};
    struct system system;
    must(generate_system(&request, &system, &failure));
    system.law = (struct system_law){.rule = RULE_ELASTIC, .restitution = 1};
    set_velocities(&system, shock->speed - shock->behind, seed);
    const struct boundary *box = &system.boundary;
    const double end = box->width / (shock->speed + find_sound(shock->area_fraction));
    struct wall_watch watch = {.observer = {.operations = &operations, .next_sample = 0.6 * end},
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

static void measure_shock(double area_fraction, double mach, size_t seeds)
{
    enum { MAX = 20 };
    const struct shock shock = find_shock(area_fraction, mach);
    const double m2 = mach * mach;
    double densities[MAX], pressures[MAX];
    for (size_t k = 0; k < seeds; k++) {
        const struct ratios ratios = stop_gas(&shock, 51 + k);
        densities[k] = ratios.density;
        pressures[k] = ratios.pressure;
    }
    const struct measured_mean density = measure_estimate(densities, seeds);
    const struct measured_mean pressure = measure_estimate(pressures, seeds);
    printf("| %.4f | %.1f | %.4f | %.4f |", area_fraction, mach, 3 * m2 / (m2 + 2), shock.density);
    judge(&density, shock.density);
    printf(" %.4f | %.4f |", (4 * m2 - 1) / 3, shock.pressure);
    judge(&pressure, shock.pressure);
    puts("");
}

static void measure_shocks(double part)
{
    const size_t seeds = 2 + (size_t)(4 * fmin(part, 4));
    puts("\n| area fraction | Mach | density, thin | expected | measured | off by | pressure, thin "
         "| "
         "expected | measured | off by |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    measure_shock(0.005, 1.5, seeds);
    measure_shock(0.005, 2, seeds);
    measure_shock(0.005, 3, seeds);
    measure_shock(0.05, 2, seeds);
}

int main(int argc, char **argv)
{
    const double part = argc > 1 ? strtod(argv[1], NULL) : 1;
    measure_streams(part);
    measure_profiles(part);
    measure_shocks(part);
    return measure_finish();
}
