/* Compares what the simulation does with what physics knows of hard disks, and prints tables,
 * which README.md sums up. Everything is seeded: it prints the same on every machine.
 *
 * All disks are elastic, alike unless said otherwise, of radius 1 and mass 1, in a square box with
 * hard walls. Each run first relaxes, for many collisions of each disk: velocities come uniform in
 * a disc, and dense systems as a crystal. That it has relaxed is shown, not assumed: by the bond
 * order, which is 1 for a crystal, and by comparing the first half of what is measured with the
 * second. Collision rate and pressure are those of the bulk, as bulk.h says. */
#include "bulk.h"
#include "gas.h"
#include "model/enskog.h"
#include "observe/figures.h"
#include "observe/tally.h"
#include "tracer.h"

static double energy_of(const struct system *system)
{
    const struct snapshot now = snapshot_in_order(system, 0);
    return tally_motion(&now).energy;
}

enum { COUNT = 10000, MEASURED = 800 }; /* disks; collisions of each that are measured */
static const double margin = 20;        /* window to wall: 10 diameters */

/* The collision rate to be expected, for choosing times. */
static double expect_rate(const struct system *system)
{
    return enskog_predict(system, gas_temperature(system), 1).collision_rate;
}

static double count_pairs(const struct system *system)
{
    double halves = 0;
    for (size_t k = 0; k < system->count; k++)
        halves += (double)system->counts[k].particles;
    return halves / 2;
}

/* One line of the two tables of fluids: the first goes to `thermal`, the second to `checks`. */
static void measure_fluid(double area_fraction, FILE *thermal, FILE *checks)
{
    OWNED(system, system) = gas_create(COUNT, area_fraction, 1);
    const double rate = expect_rate(&system);
    const double energy = energy_of(&system);
    const double order = gas_bond_order(&system, 0);
    const double start = (area_fraction > 0.45 ? 1000 : 200) / rate;
    const double end = start + MEASURED / rate;
    struct bulk bulk;
    bulk_init(&bulk, &system, margin, start, end);
    gas_run(&system, SCHEDULE_CELLS, end, &bulk.observer);

    const struct measured_mean fraction = bulk_estimate(&bulk, BULK_AREA_FRACTION, 0, BULK_BLOCKS);
    const struct measured_mean z = bulk_estimate(&bulk, BULK_Z, 0, BULK_BLOCKS);
    const struct measured_mean z_ratio = bulk_estimate(&bulk, BULK_Z_BY_HENDERSON, 0, BULK_BLOCKS);
    const struct measured_mean rates = bulk_estimate(&bulk, BULK_RATE_BY_HENDERSON, 0, BULK_BLOCKS);
    const struct measured_mean z_better = bulk_estimate(&bulk, BULK_Z_BY_BETTER, 0, BULK_BLOCKS);
    const struct measured_mean better = bulk_estimate(&bulk, BULK_RATE_BY_BETTER, 0, BULK_BLOCKS);
    fprintf(thermal,
            "| %.2f | %.4f | %.4f ± %.4f | %.4f ± %.4f | %.3f | %.4f ± %.4f | %.4f | %.4f |\n",
            area_fraction, fraction.mean, bulk_estimate(&bulk, BULK_RATE, 0, BULK_BLOCKS).mean,
            bulk_estimate(&bulk, BULK_RATE, 0, BULK_BLOCKS).error, rates.mean, rates.error, z.mean,
            z_ratio.mean, z_ratio.error, better.mean, z_better.mean);

    const struct measured_mean early =
        bulk_estimate(&bulk, BULK_Z_BY_HENDERSON, 0, BULK_BLOCKS / 2);
    const struct measured_mean late =
        bulk_estimate(&bulk, BULK_Z_BY_HENDERSON, BULK_BLOCKS / 2, BULK_BLOCKS);
    const struct measured_mean walls = bulk_estimate(&bulk, BULK_WHOLE_Z_WALLS, 0, BULK_BLOCKS);
    const struct measured_mean virial = bulk_estimate(&bulk, BULK_WHOLE_Z_VIRIAL, 0, BULK_BLOCKS);
    const struct measured_mean off = bulk_estimate(&bulk, BULK_WHOLE_Z_DIFFERENCE, 0, BULK_BLOCKS);
    fprintf(
        checks,
        "| %.2f | %.3f → %.3f | %+.1f σ | %.4f ± %.4f | %.4f ± %.4f | %+.1f σ | %.1f | %.1e |\n",
        area_fraction, order, gas_bond_order(&system, end),
        (late.mean - early.mean) / hypot(early.error, late.error), walls.mean, walls.error,
        virial.mean, virial.error, off.mean / off.error, count_pairs(&system) / 1e6,
        fabs(energy_of(&system) / energy - 1));
}

static void measure_fluids(void)
{
    static const double area_fractions[] = {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    char lines[4000] = "";
    FILE *checks = fmemopen(lines, sizeof lines, "w");
    puts("| area fraction | in the bulk | collision rate | / Enskog | Z | / Enskog | rate / fit "
         "| Z / fit |\n|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(area_fractions); k++) {
        measure_fluid(area_fractions[k], stdout, checks);
    }
    fclose(checks);
    printf("\n| area fraction | bond order | second half - first | Z, walls | Z, virial | "
           "difference | 10^6 collisions | energy drift |\n"
           "|---:|---:|---:|---:|---:|---:|---:|---:|\n%s",
           lines);
}

/* How far Z and the collision rate of a whole box are from those of a homogeneous fluid of the
 * box's area fraction, in percent, and these times the width of the box in diameters. */
static void measure_walls(double area_fraction, size_t count)
{
    OWNED(system, system) = gas_create(count, area_fraction, 7);
    const double contact_value = gas_contact_value(area_fraction);
    const double z = 1 + 2 * area_fraction * contact_value;
    const double rate =
        4 * area_fraction / pi * contact_value * sqrt(pi * gas_temperature(&system));
    const double start = (area_fraction > 0.45 ? 1000 : 200) / rate;
    const double end = start + 6e6 / (double)count / rate;
    struct bulk bulk;
    bulk_init(&bulk, &system, 0, start, end); /* the window is the whole box */
    gas_run(&system, SCHEDULE_CELLS, end, &bulk.observer);

    const double width = system.boundary.width / (2 * system.radius);
    const struct measured_mean box_z = bulk_estimate(&bulk, BULK_Z, 0, BULK_BLOCKS);
    const struct measured_mean box_rate = bulk_estimate(&bulk, BULK_RATE, 0, BULK_BLOCKS);
    const double off_z = 100 * (box_z.mean / z - 1);
    const double off_rate = 100 * (box_rate.mean / rate - 1);
    printf("| %.2f | %zu | %.1f | %+.3f ± %.3f | %.1f | %+.3f ± %.3f | %.1f |\n", area_fraction,
           count, width, off_z, 100 * box_z.error / z, off_z * width, off_rate,
           100 * box_rate.error / rate, off_rate * width);
}

static void measure_boxes(void)
{
    static const double area_fractions[] = {0.1, 0.3, 0.6};
    static const size_t counts[] = {500, 2000, 8000};
    puts("\n| area fraction | N | width in diameters | Z off by, % | times width "
         "| rate off by, % | times width |\n|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(area_fractions); k++)
        for (size_t n = 0; n < LENGTH(counts); n++)
            measure_walls(area_fractions[k], counts[n]);
}

/* A mixture, in which every second disk has half the radius and four times the mass. */
static void measure_mixture(double area_fraction)
{
    enum { RELAXING = 100 };
    OWNED(system, system) = gas_create(COUNT, area_fraction, 2);
    gas_mix(&system, 0.5, 4);
    const double start = RELAXING / expect_rate(&system);
    const double end = start + MEASURED / expect_rate(&system);
    struct bulk bulk;
    bulk_init(&bulk, &system, 8, start, end);
    gas_run(&system, SCHEDULE_CELLS, end, &bulk.observer);

    /* What Enskog says of the mixture that was in the window: of a box as densely filled. */
    const double disks[2] = {bulk_disks(&bulk, 0), bulk_disks(&bulk, 1)};
    const double all = disks[0] + disks[1];
    for (size_t k = 0; k < COUNT; k++)
        system.particles[k].kind = (double)k < COUNT * disks[0] / all ? 0 : 1;
    system.boundary.width = bulk.width;
    system.boundary.height = bulk.height * COUNT / all;
    const struct enskog theory = enskog_predict(&system, bulk_temperature(&bulk), 1);
    const struct measured_mean measured = bulk_estimate(&bulk, BULK_RATE, 0, BULK_BLOCKS);
    const struct measured_mean z = bulk_estimate(&bulk, BULK_Z, 0, BULK_BLOCKS);
    printf("| %.3f | %.4f ± %.4f | %.4f | %.4f ± %.4f | %.4f |\n", enskog_area_fraction(&system),
           measured.mean, measured.error, measured.mean / theory.collision_rate, z.mean, z.error,
           z.mean / theory.compressibility);
}

static void measure_mixtures(void)
{
    puts("\n| area fraction | collision rate | / Enskog | Z | / Enskog |\n"
         "|---:|---:|---:|---:|---:|");
    measure_mixture(0.1);
    measure_mixture(0.3);
    measure_mixture(0.6);
}

static void measure_speeds(void)
{
    static const double times[] = {0, 0.5, 1, 2, 5, 20, 100}; /* collisions of each disk */
    puts("\n| collisions per disk | Kolmogorov-Smirnov | <c^4>/<c^2>^2 |\n|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(times); k++) {
        OWNED(system, system) = gas_create(COUNT, 0.2, 3);
        struct bulk bulk; /* which sees nothing */
        const double end = times[k] / expect_rate(&system);
        bulk_init(&bulk, &system, margin, 2 * end + 1, 3 * end + 2);
        gas_run(&system, SCHEDULE_CELLS, end, &bulk.observer);
        printf("| %g | %.2f | %.3f |\n", 2 * count_pairs(&system) / COUNT, gas_kolmogorov(&system),
               gas_kurtosis(&system));
    }
    printf("\nMaxwell: below %.3f in 99 of 100 cases; 2.000 ± %.3f\n", GAS_KOLMOGOROV_1_PERCENT,
           2 / sqrt(COUNT));
}

/* Enskog's self-diffusion coefficient of a system, with the box's mean density. */
static double expect_diffusion(const struct system *system)
{
    double density = (double)system->count / (system->boundary.width * system->boundary.height);
    return tracer_enskog(gas_contact_value(enskog_area_fraction(system)), density,
                         gas_temperature(system));
}

enum { DIFFUSING = 40000, LATEST = 90 }; /* disks; mean free times that one is watched for */

/* Watches disks diffuse for `lags` mean free times from each of `origins` origins. Those are 3
 * standard deviations of what they do then away from every wall: it holds back so few that D is
 * less than 0.1 % too small. */
static struct tracer watch_diffusion(struct system *system, size_t lags, size_t origins)
{
    const double interval = 1 / expect_rate(system);
    const double start = 100 * interval;
    const double reach = 3 * sqrt(2 * 1.1 * expect_diffusion(system) * (double)lags * interval);
    struct tracer tracer;
    tracer_init(&tracer, system, start, interval, lags, lags * origins, reach);
    gas_run(system, SCHEDULE_CELLS, start + interval * (double)(lags * origins), &tracer.observer);
    return tracer;
}

/* Enskog's D at the density where disks were watched; `*tail` is tracer_tail divided by it. */
static double expect_where_watched(const struct tracer *tracer, const struct system *system,
                                   double *tail)
{
    const double density = tracer_density(tracer);
    const double temperature = gas_temperature(system);
    const double contact_value = gas_contact_value(pi * density);
    const double enskog = tracer_enskog(contact_value, density, temperature);
    *tail = tracer_tail(pi * density, contact_value, temperature) / enskog;
    return enskog;
}

/* Prints a line on self-diffusion; returns D, divided by Enskog's. */
static double measure_diffusion(double area_fraction)
{
    enum { FIRST = 10, LAST = 30, ORIGINS = 24 };
    OWNED(system, system) = gas_create(DIFFUSING, area_fraction, 4);
    OWNED(tracer, tracer) = watch_diffusion(&system, LAST + 1, ORIGINS);
    double tail;
    const double enskog = expect_where_watched(&tracer, &system, &tail);
    const struct measured_mean d = tracer_diffusion(&tracer, FIRST, LAST);
    printf("| %.2f | %.4g ± %.2g | %.3f ± %.3f | %.3f | %.4f | %.1f %% |\n", area_fraction, d.mean,
           d.error, d.mean / enskog, d.error / enskog, d.mean / enskog - TRACER_BOLTZMANN, tail,
           100 * tracer_bend(&tracer, FIRST, LAST));
    return d.mean / enskog;
}

/* D from several ranges of lags, and how much it is more than from the range before; and how much
 * more it is by the tail, which adds 4 tail (t ln t - t) to the mean square displacement. */
static void measure_tail(double area_fraction)
{
    enum { RANGES = 3, ORIGINS = 12 };
    static const size_t ranges[RANGES + 1] = {3, 10, 30, LATEST};
    OWNED(system, system) = gas_create(DIFFUSING, area_fraction, 6);
    OWNED(tracer, tracer) = watch_diffusion(&system, LATEST + 1, ORIGINS);
    double tail;
    const double enskog = expect_where_watched(&tracer, &system, &tail);
    double curve[LATEST + 1];
    for (size_t lag = 1; lag <= LATEST; lag++)
        curve[lag] = (double)lag * log((double)lag) - (double)lag;
    for (size_t k = 0; k < RANGES; k++) {
        const struct measured_mean d = tracer_diffusion(&tracer, ranges[k], ranges[k + 1]);
        printf("| %zu to %zu | %.3f ± %.3f |", ranges[k], ranges[k + 1], d.mean / enskog,
               d.error / enskog);
        if (k == 0) {
            puts(" | |");
            continue;
        }
        const struct measured_mean before = tracer_diffusion(&tracer, ranges[k - 1], ranges[k]);
        printf(" %.3f ± %.3f | %.3f |\n", (d.mean - before.mean) / enskog,
               hypot(d.error, before.error) / enskog,
               tail * (tracer_slope(curve, ranges[k], ranges[k + 1]) -
                       tracer_slope(curve, ranges[k - 1], ranges[k])));
    }
}

/* How much of the difference between left and right is left, if at first each half has its own
 * kind, as the diffusion equation has it: `exponent` is D pi^2 t / L^2, L being the width that
 * centres can reach. (The Fourier series of a step, projected on the step.) */
static double segregation_by_diffusion(double exponent)
{
    double sum = 0;
    for (int k = 1; k < 2000; k += 2)
        sum += 8 / (pi * pi * k * k) * exp(-k * k * exponent);
    return sum;
}

/* Disks of the left half and of the right half mix. Prints how, and how they would if D were
 * Enskog's, or `ratio` times that. */
static void measure_mixing(double area_fraction, double ratio)
{
    enum { MIXING = 4000, LOOKS = 81, SHOWN = 10 };
    const double step = 0.04; /* of the exponent, between two looks */
    OWNED(system, system) = gas_create(MIXING, area_fraction, 5);
    const double start = 100 / expect_rate(&system);
    const double reachable = system.boundary.width - 2 * system.radius;
    const double decay = expect_diffusion(&system) * pi * pi / (reachable * reachable);
    OWNED(tracer, tracer);
    tracer_init(&tracer, &system, start, step / decay, LOOKS, LOOKS, 0);
    gas_run(&system, SCHEDULE_CELLS, start + step / decay * LOOKS, &tracer.observer);
    for (size_t look = 0; look < LOOKS; look += SHOWN) {
        double exponent = step * (double)look;
        printf("| %.1f | %.3f | %.3f | %.3f |\n", exponent, tracer.segregation[look],
               segregation_by_diffusion(exponent), segregation_by_diffusion(ratio * exponent));
    }
}

int main(void)
{
    measure_fluids();
    measure_boxes();
    measure_mixtures();
    measure_speeds();
    puts("\n| area fraction | D | / Enskog | - 1.0271 | tail | bend |\n"
         "|---:|---:|---:|---:|---:|---:|");
    measure_diffusion(0.01);
    measure_diffusion(0.05);
    double ratio = measure_diffusion(0.1);
    measure_diffusion(0.3);
    puts("\n| mean free times | D / Enskog | more | by the tail |\n|---:|---:|---:|---:|");
    measure_tail(0.1);
    puts("\n| time D π²/L² | segregation | with Enskog's D | with the D above |\n"
         "|---:|---:|---:|---:|");
    measure_mixing(0.1, ratio);
    return 0;
}
