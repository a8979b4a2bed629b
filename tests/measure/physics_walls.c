/* Compares gases between walls that act with kinetic theory, and prints tables; fails if a value is
 * more than 3 standard errors off. Errors are those of the mean over runs with different seeds, but
 * for viscosity and conductivity, whose theory is Enskog's: these may be off by 5 %. */
#include "arranged.h"
#include "gas.h"
#include "measure.h"
#include "model/boundary_law.h"
#include "observed.h"
#include "random_system.h"

enum { BINS = 20, SEEDS_MAX = 12 };

/* What a run has measured since `from`: what walls took up, and a profile along y. */
struct watch {
    struct observer observer;
    double from, interval;
    double heat[BOUNDARY_SIDES], shear[BOUNDARY_SIDES];
    double samples, count[BINS], u[BINS], energy[BINS]; /* sums over particles at sampled times */
    double square, fourth;                              /* of their speeds */
};

static enum status watch_hit(struct observer *observer, const struct collision *collision,
                             struct error *error)
{
    struct watch *watch = (struct watch *)observer;
    const struct collision_particle *a = &collision->a;
    (void)error;
    if (collision->partner == PARTNER_PARTICLE || collision->time < watch->from)
        return STATUS_DONE;
    const int side = FEATURE_LEFT - collision->feature;
    watch->heat[side] +=
        0.5 * (a->u_before * a->u_before + a->v_before * a->v_before - a->u * a->u - a->v * a->v);
    watch->shear[side] += side < 2 ? a->v_before - a->v : a->u_before - a->u;
    return STATUS_DONE;
}

OBSERVED_TAKE(watch_take, watch_hit, NULL)

static enum status watch_sample(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct watch *watch = (struct watch *)observer;
    (void)error;
    watch->samples++;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double square = body.u * body.u + body.v * body.v;
        const size_t bin = boundary_locate(body.y, snapshot->system->boundary.height / BINS, BINS);
        watch->count[bin]++;
        watch->u[bin] += body.u;
        watch->energy[bin] += square / 2;
        watch->square += square;
        watch->fourth += square * square;
    }
    observer->next_sample += watch->interval;
    return STATUS_DONE;
}

/* Runs a system with these walls, and frees it. */
static void watch_run(struct watch *watch, struct system *system,
                      const struct wall_law laws[BOUNDARY_SIDES], double from, double end)
{
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = watch_take, .sample = watch_sample};
    system->boundary.walls = wall_laws_create(0, 1 + (uint64_t)system->particles[0].x, &failure);
    if (!system->boundary.walls)
        measure_fail(failure.message);
    for (int k = 0; k < BOUNDARY_SIDES; k++)
        system->boundary.walls->list[k] = laws[k];
    must(wall_laws_complete(system->boundary.walls, system, &failure));
    *watch = (struct watch){.observer = {.operations = &operations, .next_sample = from},
                            .from = from,
                            .interval = (end - from) / 1000};
    gas_run(system, SCHEDULE_CELLS, end, &watch->observer);
    system_free(system);
}

static void judge(const char *what, const double *values, size_t count, double expected,
                  double tolerance)
{
    const struct measured_mean mean = measure_estimate(values, count);
    printf("| %s | %.4f ± %.4f | %.4f |", what, mean.mean, mean.error, expected);
    measure_deviation(mean.mean - expected, fmax(mean.error, tolerance * fabs(expected) / 3));
    puts("");
}

/* Between walls of one temperature a gas is Maxwellian at it, at any density. */
static void measure_equilibrium(double area_fraction)
{
    static struct watch watch;
    const struct wall_law law = {.temperature = 2, .accommodation = 1, .restitution = 1};
    const struct wall_law laws[BOUNDARY_SIDES] = {law, law, law, law};
    double temperature[SEEDS_MAX], kurtosis[SEEDS_MAX], heat[SEEDS_MAX];
    char what[80];
    for (uint64_t seed = 0; seed < SEEDS_MAX; seed++) {
        struct system system = gas_create(200, area_fraction, 1 + seed);
        const double side = system.boundary.width;
        const double end = 150 * side;
        watch_run(&watch, &system, laws, end / 10, end);
        const double particles = 200 * watch.samples;
        temperature[seed] = watch.square / 2 / particles;
        kurtosis[seed] = watch.fourth * particles / (watch.square * watch.square);
        heat[seed] = watch.heat[0] / side / end;
    }
    sprintf(what, "temperature, walls at 2, area fraction %g", area_fraction);
    judge(what, temperature, SEEDS_MAX, 2, 0);
    judge("its <c^4> / <c^2>^2", kurtosis, SEEDS_MAX, 2, 0);
    judge("its heat flux", heat, SEEDS_MAX, 0, 0);
}

/* Points between plates at T1 and T2: T = sqrt(T1 T2), and q = 3/2 G (T2 - T1), with the flux G of
 * half of the particles, for each plate, per side: n = (n1 + n2) / 2, n1 sqrt(T1) = n2 sqrt(T2). */
static void measure_free_molecules(double cold, double hot, double accommodation)
{
    static struct watch watch;
    const size_t count = 400;
    struct random_generator random = random_from(5);
    double temperature[SEEDS_MAX], heat[SEEDS_MAX];
    char what[80];
    for (size_t seed = 0; seed < SEEDS_MAX; seed++) {
        struct system system = arranged_points(&random, count, 20, 10, PERIODIC_X);
        const struct wall_law laws[BOUNDARY_SIDES] = {
            [0] = {.restitution = 1},
            [1] = {.restitution = 1},
            [2] = {.temperature = cold, .accommodation = accommodation, .restitution = 1},
            [3] = {.temperature = hot, .accommodation = accommodation, .restitution = 1}};
        watch_run(&watch, &system, laws, 500, 4000);
        temperature[seed] = watch.square / 2 / ((double)count * watch.samples);
        heat[seed] = watch.heat[2] / 20 / 3500;
    }
    const double n = 2 * (double)count / 200;
    const double n_cold = n * sqrt(hot) / (sqrt(cold) + sqrt(hot));
    const double flux = n_cold * sqrt(cold / (2 * pi));
    sprintf(what, "free molecules between %g and %g: T", cold, hot);
    if (accommodation == 1) {
        judge(what, temperature, SEEDS_MAX, sqrt(cold * hot), 0);
        judge("their heat flux", heat, SEEDS_MAX, 1.5 * flux * (hot - cold), 0);
    } else { /* a share A of those that come is exchanged: A / (2 - A) of the flux */
        judge("their heat flux where 0.5 are diffuse", heat, SEEDS_MAX,
              1.5 * flux * (hot - cold) * accommodation / (2 - accommodation), 0.1);
    }
}

/* Enskog's viscosity and heat conductivity of disks of diameter 2 at area fraction f and T = 1 (D.
 * Gass, J. Chem. Phys. 54, 1898, 1971). */
static double expect_viscosity(double f)
{
    const double g = gas_henderson(f);
    return 1.022 / (2 * 2) / sqrt(pi) * (1 / g + 2 * f + 3.4916 * f * f * g);
}

static double expect_conductivity(double f)
{
    const double g = gas_henderson(f);
    return 1.029 * 2 / 2 / sqrt(pi) * (1 / g + 3 * f + 3.487 * f * f * g);
}

/* The slope of a line through the middle half of a profile, per length. */
static double find_slope(const double values[BINS], double height)
{
    double products = 0, squares = 0;
    for (int k = BINS / 4; k < BINS - BINS / 4; k++) {
        const double y = k + 0.5 - BINS / 2.0;
        products += y * values[k];
        squares += y * y;
    }
    return products / squares / (height / BINS);
}

/* Stress or heat flux / the slope in the middle / the root of T there, of disks between a wall at
 * rest and another one that moves, or is hotter. */
static void measure_transport(double area_fraction, double speed, double hot)
{
    static struct watch watch;
    enum { SEEDS = 4 };
    double values[SEEDS], sums[SEEDS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct system system = gas_create_periodic(1000, area_fraction, 20 + seed);
        system.boundary.periodic = PERIODIC_X;
        for (size_t k = 0; k < system.count; k++) /* the walls take two radii more */
            system.particles[k].y += 1;
        system.boundary.height += 2;
        const double height = system.boundary.height, width = system.boundary.width;
        const struct wall_law laws[BOUNDARY_SIDES] = {
            [0] = {.restitution = 1},
            [1] = {.restitution = 1},
            [2] = {.temperature = 1, .accommodation = 1, .restitution = 1},
            [3] = {.temperature = hot, .accommodation = 1, .speed = speed, .restitution = 1}};
        const double from = 3 * height * height / 20;
        const double end = from + 8000;
        watch_run(&watch, &system, laws, from, end);
        const double *taken = speed > 0 ? watch.shear : watch.heat;
        double middle = 0;
        for (int k = 0; k < BINS; k++) {
            watch.u[k] /= watch.count[k];
            watch.energy[k] = watch.energy[k] / watch.count[k] - watch.u[k] * watch.u[k] / 2;
            middle += watch.energy[k] / BINS;
        }
        const double flux = (taken[2] - taken[3]) / 2 / width / 8000;
        sums[seed] = (taken[2] + taken[3]) / (fabs(taken[2]) + fabs(taken[3]));
        values[seed] = flux / find_slope(speed > 0 ? watch.u : watch.energy, height) / sqrt(middle);
    }
    printf("| area fraction %g: what one wall takes and the other gives differ by %.4f | | | |\n",
           area_fraction, measure_estimate(sums, SEEDS).mean);
    if (speed > 0)
        judge("Couette flow: viscosity", values, SEEDS, expect_viscosity(area_fraction), 0.05);
    else
        judge("heat conductivity", values, SEEDS, expect_conductivity(area_fraction), 0.05);
}

/* A gas that loses energy at walls only: with the pressure p = n T Z a wall takes (1 - E^2) T for
 * each hit, of which there are p / ((1 + E) sqrt(pi T / 2)) per length. So T^(-1/2) grows evenly.
 */
static void measure_cooling(double area_fraction, double restitution)
{
    static struct watch watch;
    const struct wall_law law = {.accommodation = 1, .restitution = restitution};
    const struct wall_law laws[BOUNDARY_SIDES] = {law, law, law, law};
    double rates[SEEDS_MAX];
    double expected = 0;
    char what[80];
    for (uint64_t seed = 0; seed < SEEDS_MAX; seed++) {
        struct system system = gas_create(1000, area_fraction, 40 + seed);
        const double side = system.boundary.width - 2;
        const double z = 1 + 2 * area_fraction * gas_contact_value(area_fraction);
        const double start = gas_temperature(&system);
        double energy = 0;
        expected = (1 - restitution) * 4 / side * z / sqrt(2 * pi);
        const double end = 1 / (expected * sqrt(start)); /* T falls to a quarter */
        watch_run(&watch, &system, laws, 0, end);
        for (int k = 0; k < BOUNDARY_SIDES; k++)
            energy += watch.heat[k];
        rates[seed] = (1 / sqrt(start - energy / 1000) - 1 / sqrt(start)) / end / expected;
    }
    sprintf(what, "Haff's law at walls, E %g, area fraction %g", restitution, area_fraction);
    judge(what, rates, SEEDS_MAX, 1, 0.02);
}

int main(void)
{
    puts("| | measured | theory | off by |\n|---|---:|---:|---:|");
    measure_equilibrium(0.05);
    measure_equilibrium(0.3);
    measure_equilibrium(0.6);
    measure_free_molecules(1, 4, 1);
    measure_free_molecules(0.5, 1, 1);
    measure_free_molecules(1, 4, 0.5);
    measure_transport(0.1, 1, 1);
    measure_transport(0.1, 0, 2);
    measure_transport(0.3, 1, 1);
    measure_cooling(0.02, 0.99);
    measure_cooling(0.1, 0.98);
    return measure_finish();
}
