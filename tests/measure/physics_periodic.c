/* Compares elastic disks in periodic boxes with simulations of others and with kinetic theory, and
 * inelastic ones with Haff's law; prints tables, which README.md sums up. Everything is seeded:
 * collisions are the same on every machine, and what is printed, but for last digits that depend on
 * the C library.
 *
 * Disks have radius 1 and mass 1. Each comparison says how far off a value is, in standard errors;
 * if one is more than 3 off, or has no error because the run was too short to tell, the program
 * fails. Systems first relax for many collisions of each disk: dense ones begin as crystals. That
 * they have relaxed shows in their bond order, and in that they have errors at all: blocks_error
 * gives none where the measurement drifts. */
#include "fluid.h"
#include "gas.h"
#include "tracer.h"

/* The collision rate of a disk, by Enskog with the contact value of the fit. */
static double expect_rate(const struct system *system, double area_fraction)
{
    return 4 * area_fraction / pi * gas_contact_value(area_fraction) *
           sqrt(pi * gas_temperature(system));
}

/* Lets a system relax for `relaxing` collisions of each disk and measures `measured` more. The
 * caller gives what it returns to fluid_free. */
static struct fluid *measure_fluid(struct system *system, double area_fraction, double relaxing,
                                   double measured)
{
    const double rate = expect_rate(system, area_fraction);
    const double end = (relaxing + measured) / rate;
    struct fluid *fluid = fluid_create(relaxing / rate, end);
    gas_run(system, SCHEDULE_CELLS, end, &fluid->observer);
    return fluid;
}

/* How ordered a system is before and after: at first a crystal, or at random. */
static void print_order(const struct system *system, double before, const struct fluid *fluid)
{
    printf(" %.3f → %.3f |\n", before, gas_bond_order(system, fluid->to));
}

/* Z, and the contact value by both ways, against the fit of Kolafa and Rottner. Its own error and
 * what 10^4 disks differ from infinitely many are below 10^-4 of Z. */
static void measure_states(void)
{
    enum { COUNT = 10000 };
    static const struct {
        double area_fraction, relaxing, measured; /* collisions of each disk */
    } states[] = {{0.1, 200, 1000},  {0.2, 200, 1000},  {0.3, 200, 1000},  {0.4, 200, 1500},
                  {0.5, 1000, 2000}, {0.6, 1000, 3000}, {0.65, 2000, 5500}};
    puts("| area fraction | Z | error / Z | fit | off by | g(2R), rate | off by | g(2R), pressure "
         "| difference | bond order |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(states); k++) {
        const double area_fraction = states[k].area_fraction;
        const double contact_value = gas_contact_value(area_fraction);
        const double expected = 1 + 2 * area_fraction * contact_value;
        OWNED(system, system) = gas_create_periodic(COUNT, area_fraction, 21);
        const double order = gas_bond_order(&system, 0);
        struct fluid *fluid =
            measure_fluid(&system, area_fraction, states[k].relaxing, states[k].measured);
        const struct measured_mean z = fluid_estimate(fluid, FIGURE_COMPRESSIBILITY_VIRIAL);
        const struct measured_mean rate = fluid_estimate(fluid, FIGURE_CONTACT_VALUE);
        const struct measured_mean difference = fluid_contact_difference(fluid);
        printf("| %.2f | %.4f ± %.4f | %.5f | %.4f |", area_fraction, z.mean, z.error,
               z.error / z.mean, expected);
        measure_deviation(z.mean - expected, z.error);
        printf(" %.4f ± %.4f |", rate.mean, rate.error);
        measure_deviation(rate.mean - contact_value, rate.error);
        printf(" %.4f |", rate.mean - difference.mean);
        measure_deviation(difference.mean, difference.error);
        print_order(&system, order, fluid);
        fluid_free(fluid);
    }
}

/* The reduced pressure where disks begin to freeze, against event-chain Monte Carlo of as many in
 * the same box (B. Li and others, Hard-disk computer simulations - a historic perspective, 2022).
 * The runs are `factor` times as long as usual. */
static void measure_freezing(double factor)
{
    enum { COUNT = 870 };
    static const struct {
        double area_fraction, pressure, error;
    } states[] = {{0.67, 7.986779, 0.000025},
                  {0.68, 8.513249, 0.000037},
                  {0.69, 8.969898, 0.000075},
                  {0.7, 9.12966, 0.00015}};
    puts("\n| area fraction | P* | Li and others | off by | bond order |\n"
         "|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(states); k++) {
        OWNED(system, system) = gas_create_periodic(COUNT, states[k].area_fraction, 22);
        const double order = gas_bond_order(&system, 0);
        struct fluid *fluid = measure_fluid(&system, states[k].area_fraction, 2e4, factor * 6e4);
        const struct measured_mean pressure = fluid_estimate(fluid, FIGURE_PRESSURE_REDUCED);
        printf("| %.2f | %.4f ± %.4f | %.4f |", states[k].area_fraction, pressure.mean,
               pressure.error, states[k].pressure);
        measure_deviation(pressure.mean - states[k].pressure,
                          hypot(pressure.error, states[k].error));
        print_order(&system, order, fluid);
        fluid_free(fluid);
    }
}

/* Self-diffusion from 5 to 10 and from 10 to 30 mean free times, in units of Enskog's first
 * approximation. By 5 the velocity of the start is forgotten. The tail adds 4 tail (t ln(t / t0) -
 * t) to the mean square displacement from a time t0 on, which is not known: two or three mean free
 * times. So the difference of the ranges is predicted; and D itself up to half a tail, which is
 * added to its error. */
static void measure_diffusion(double area_fraction)
{
    enum { COUNT = 40000, FIRST = 5, MIDDLE = 10, LAST = 30, ORIGINS = 12 };
    const double tail_begins = 2.5;
    OWNED(system, system) = gas_create_periodic(COUNT, area_fraction, 23);
    const double interval = 1 / expect_rate(&system, area_fraction);
    const double start = 100 * interval;
    OWNED(tracer, tracer);
    tracer_init(&tracer, &system, start, interval, LAST + 1, (LAST + 1) * ORIGINS, 0);
    gas_run(&system, SCHEDULE_CELLS, start + interval * (LAST + 1) * ORIGINS, &tracer.observer);

    const double contact_value = gas_contact_value(area_fraction);
    const double temperature = gas_temperature(&system);
    const double enskog = tracer_enskog(contact_value, area_fraction / pi, temperature);
    const double tail = tracer_tail(area_fraction, contact_value, temperature) / enskog;
    double curve[LAST + 1] = {0};
    for (size_t lag = 1; lag <= LAST; lag++)
        curve[lag] = (double)lag * log((double)lag / tail_begins) - (double)lag;
    const double late_tail = tail * tracer_slope(curve, MIDDLE, LAST);
    const double growth = late_tail - tail * tracer_slope(curve, FIRST, MIDDLE);
    const struct measured_mean early = tracer_diffusion(&tracer, FIRST, MIDDLE);
    const struct measured_mean late = tracer_diffusion(&tracer, MIDDLE, LAST);
    printf("| %.2f | %.4g ± %.2g | %.4f ± %.4f | %.4f |", area_fraction, late.mean, late.error,
           late.mean / enskog, late.error / enskog, TRACER_BOLTZMANN + late_tail);
    measure_deviation(late.mean / enskog - TRACER_BOLTZMANN - late_tail,
                      hypot(late.error / enskog, tail / 2));
    const double error = hypot(late.error, early.error) / enskog;
    printf(" %.4f ± %.4f | %.4f |", (late.mean - early.mean) / enskog, error, growth);
    measure_deviation((late.mean - early.mean) / enskog - growth, error);
    puts("");
}

static void measure_diffusions(void)
{
    static const double area_fractions[] = {0.01, 0.05, 0.1, 0.3};
    puts("\n| area fraction | D | / Enskog | expected | off by | more than before | by the tail "
         "| off by |\n|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(area_fractions); k++)
        measure_diffusion(area_fractions[k]);
}

/* Collisions of a particle so far. */
static double count_each(const struct system *system)
{
    double halves = 0;
    for (size_t k = 0; k < system->count; k++)
        halves += (double)system->counts[k].particles;
    return halves / (double)system->count;
}

/* How a gas has cooled while it cooled homogeneously, over what Haff's law says. */
struct cooling {
    double in_time, by_collisions; /* 1 / tau, d ln T / dc */
};

/* One gas, which relaxes elastically, and then cools: for 5 collisions of each disk to forget
 * Maxwell's distribution, and for 40 more, which are measured. With 1 / sqrt(T) as a clock it does
 * not matter where the measurement begins: that grows by (1 - E^2) omega / (4 sqrt(T)) per time. */
static struct cooling cool(size_t count, double area_fraction, double restitution, uint64_t seed)
{
    struct system system = gas_create_periodic(count, area_fraction, seed);
    const double loss = 1 - restitution * restitution;
    const double clock = expect_rate(&system, area_fraction) / sqrt(gas_temperature(&system));
    double now = 50 / expect_rate(&system, area_fraction);
    gas_run(&system, SCHEDULE_CELLS, now, NULL);
    system.law.restitution = restitution;
    double temperatures[2], collisions[2], times[2];
    for (int k = 0; k < 2; k++) {
        /* The time that so many collisions take: T falls by exp(-loss / 2) with each. */
        const double next = (exp(loss / 4 * (k == 0 ? 5 : 40)) - 1) * 4 / loss;
        now += next / (clock * sqrt(gas_temperature(&system)));
        gas_run(&system, SCHEDULE_CELLS, now, NULL);
        times[k] = now;
        temperatures[k] = gas_temperature(&system);
        collisions[k] = count_each(&system);
    }
    system_free(&system);
    const double slower = 1 / sqrt(temperatures[1]) - 1 / sqrt(temperatures[0]);
    return (struct cooling){
        .in_time = slower / (times[1] - times[0]) / (loss / 4 * clock),
        .by_collisions =
            log(temperatures[0] / temperatures[1]) / (collisions[1] - collisions[0]) / (loss / 2),
    };
}

/* Haff's law with the second Sonine coefficient a2 of the velocities (T. van Noije and M. Ernst,
 * Granular Matter 1, 57, 1998): energy is lost at 1 + 3 a2 / 16 times Maxwell's rate, and
 * collisions happen at 1 - a2 / 16 times. The gas is thin, and the box so small, 5 mean free paths,
 * that it should stay homogeneous: in boxes of 6 to 7, at restitution 0.7, the loss for each
 * collision is 0.2 to 0.3 % too small, as if vortices held back energy. */
static void measure_cooling(double restitution)
{
    enum { COUNT = 1000, SEEDS = 200 };
    const double area_fraction = 0.0025;
    const double e2 = restitution * restitution;
    const double a2 = 16 * (1 - restitution) * (1 - 2 * e2) /
                      (57 - 25 * restitution + 30 * e2 * (1 - restitution));
    double in_time[SEEDS], by_collisions[SEEDS];
    for (size_t k = 0; k < SEEDS; k++) {
        const struct cooling cooling = cool(COUNT, area_fraction, restitution, 100 + k);
        in_time[k] = cooling.in_time;
        by_collisions[k] = cooling.by_collisions;
    }
    const struct measured_mean time = measure_estimate(in_time, SEEDS);
    const struct measured_mean each = measure_estimate(by_collisions, SEEDS);
    const double expected = 1 + 3 * a2 / 16;
    const double expected_each = expected / (1 - a2 / 16);
    printf("| %.1f | %.4f ± %.4f | %.4f |", restitution, time.mean, time.error, expected);
    measure_deviation(time.mean - expected, time.error);
    printf(" %.4f ± %.4f | %.4f |", each.mean, each.error, expected_each);
    measure_deviation(each.mean - expected_each, each.error);
    puts("");
}

int main(int argc, char **argv)
{
    measure_states();
    measure_freezing(argc > 1 ? strtod(argv[1], NULL) : 1);
    measure_diffusions();
    puts("\n| restitution | cooling in time / Haff | with a2 | off by | by collisions / Haff "
         "| with a2 | off by |\n|---:|---:|---:|---:|---:|---:|---:|");
    measure_cooling(0.9);
    measure_cooling(0.7);
    return measure_finish();
}
