/* What physics knows of hard disks, tested on small systems: the laws that `make physics` measures
 * on larger ones. Everything is seeded, so that a bound that holds once holds always; each leaves
 * room for about twice the deviation that was found. Under valgrind the systems are so small that
 * only gross faults can show. */
#include "bulk.h"
#include "check.h"
#include "fluid.h"
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

/* How many disks, and how many collisions of each, where `count` are wanted. */
static size_t few(size_t count)
{
    return check_is_quick() ? count / 10 : count;
}

/* As many as `few` says of `usual`, or of `thorough` in the thorough run. */
static size_t few_or(size_t usual, size_t thorough)
{
    return few(check_is_thorough() ? thorough : usual);
}

static double expect_rate(const struct system *system)
{
    return enskog_predict(system, gas_temperature(system), 1).collision_rate;
}

/* Measures a system in its bulk after `relaxing` collisions of each disk, for `measured` more. The
 * bulk begins 10 diameters from the walls: at area fraction 0.6 pressure is half a percent too high
 * 5 diameters from them, and right from 8. */
static struct bulk measure(struct system *system, enum schedule_kind kind, size_t relaxing,
                           size_t measured)
{
    struct bulk bulk;
    double start = (double)relaxing / expect_rate(system);
    double end = start + (double)measured / expect_rate(system);
    bulk_init(&bulk, system,
              check_is_quick()                  ? 5
              : system->boundary.width / 2 > 40 ? 20
                                                : 10,
              start, end);
    gas_run(system, kind, end, &bulk.observer);
    return bulk;
}

static double mean(const struct bulk *bulk, enum bulk_quantity quantity)
{
    return bulk_estimate(bulk, quantity, 0, BULK_BLOCKS).mean;
}

TEST(collision_rate_and_pressure_are_enskogs)
{
    static const double area_fractions[] = {0.02, 0.2, 0.4};
    const double bound = check_is_quick() ? 0.1 : 0.01;
    for (size_t k = 0; k < LENGTH(area_fractions); k++) {
        OWNED(system, system) = gas_create(few_or(1000, 2000), area_fractions[k], 11);
        const struct bulk bulk = measure(&system, SCHEDULE_CELLS, few_or(50, 100), few(500));
        CHECK(fabs(mean(&bulk, BULK_RATE_BY_HENDERSON) - 1) < bound);
        CHECK(fabs(mean(&bulk, BULK_Z_BY_HENDERSON) - 1) < bound);
    }
}

/* Without walls a small system already has the values of the literature. */
TEST(a_periodic_fluid_is_the_literatures)
{
    static const double area_fractions[] = {0.2, 0.5};
    for (size_t k = 0; k < LENGTH(area_fractions); k++) {
        const double contact_value = gas_contact_value(area_fractions[k]);
        const double expected = 1 + 2 * area_fractions[k] * contact_value;
        OWNED(system, system) = gas_create_periodic(few_or(1000, 2000), area_fractions[k], 13);
        const double rate = expect_rate(&system);
        const double end = (double)few_or(800, 1000) / rate;
        struct fluid *fluid = fluid_create((double)few(300) / rate, end);
        gas_run(&system, SCHEDULE_CELLS, end, &fluid->observer);
        const struct measured_mean z = fluid_estimate(fluid, FIGURE_COMPRESSIBILITY_VIRIAL);
        const struct measured_mean difference = fluid_contact_difference(fluid);
        const double bound = check_is_quick() ? 0.1 : 0.01;
        CHECK(z.error > 0 && z.error < bound * z.mean);
        CHECK(fabs(z.mean - expected) < (check_is_quick() ? bound : 3 * z.error));
        CHECK(fabs(difference.mean) < (check_is_quick() ? bound : 3 * difference.error));
        fluid_free(fluid);
    }
}

/* Where Henderson's contact value begins to be too large, and a crystal has to melt first. */
TEST(a_dense_crystal_becomes_a_fluid)
{
    OWNED(system, system) = gas_create(few(2000), 0.6, 12);
    CHECK(gas_bond_order(&system, 0) > 0.7);
    const double relaxing = check_is_quick() ? 100 : 300;
    const struct bulk bulk = measure(&system, SCHEDULE_CELLS, (size_t)relaxing, few(300));
    const double end = bulk.start + BULK_BLOCKS * BULK_LOOKS * bulk.interval;
    CHECK(gas_bond_order(&system, end) < (check_is_quick() ? 0.5 : 0.1));
    CHECK(fabs(mean(&bulk, BULK_Z_BY_BETTER) - 1) < (check_is_quick() ? 0.2 : 0.01));
}

/* The values that Kolafa and Rottner have fitted, by the density N (2 R)^2 / area. */
TEST(the_contact_value_is_as_published)
{
    static const double densities[] = {0.4, 0.5, 0.6, 0.7, 0.8};
    static const double published[] = {2.1514393, 2.7601235, 3.663691, 5.082362, 7.476491};
    for (size_t k = 0; k < LENGTH(densities); k++) {
        const double fraction = densities[k] * pi / 4;
        const double z = 1 + 2 * fraction * gas_contact_value(fraction);
        CHECK(fabs(z / published[k] - 1) < 1e-5);
    }
}

TEST(walls_and_virial_give_the_same_pressure)
{
    if (!check_is_thorough())
        return;
    OWNED(system, system) = gas_create(few(2000), 0.3, 13);
    const double energy = energy_of(&system);
    const struct bulk bulk = measure(&system, SCHEDULE_CELLS, few(50), few_or(600, 1000));
    const struct measured_mean off = bulk_estimate(&bulk, BULK_WHOLE_Z_DIFFERENCE, 0, BULK_BLOCKS);
    CHECK(fabs(off.mean) < 3 * off.error);
    CHECK(off.error < (check_is_quick() ? 0.5 : 0.02) * mean(&bulk, BULK_WHOLE_Z_VIRIAL));
    /* Half a million collisions or more, and no energy lost or gained. */
    CHECK(fabs(energy_of(&system) / energy - 1) < 1e-12);
}

TEST(speeds_become_maxwells)
{
    OWNED(system, system) = gas_create(2000, 0.2, 14);
    CHECK(gas_kolmogorov(&system) > 5 && gas_kurtosis(&system) < 1.5); /* uniform in a disc */
    measure(&system, SCHEDULE_CELLS, 20, 10);
    CHECK(gas_kolmogorov(&system) < GAS_KOLMOGOROV_1_PERCENT);
    CHECK(fabs(gas_kurtosis(&system) - 2) < 3 * 2 / sqrt(2000));
}

/* Where velocities are switched, there are never any others than at the start. */
TEST(switching_velocities_leaves_the_speeds_as_they_are)
{
    OWNED(system, system) = gas_create(1000, 0.2, 15);
    system.law = (struct system_law){.rule = RULE_SWAP};
    const double before = gas_kolmogorov(&system);
    measure(&system, SCHEDULE_CELLS, 20, 10);
    CHECK(gas_kolmogorov(&system) == before && before > 3);
}

TEST(unequal_disks)
{
    OWNED(system, system) = gas_create(few_or(300, 500), 0.4, 16);
    gas_mix(&system, 0.5, 4);
    const struct bulk bulk = measure(&system, SCHEDULE_ARRAY, few(100), few(300));
    const double disks[2] = {bulk_disks(&bulk, 0), bulk_disks(&bulk, 1)};
    const double all = disks[0] + disks[1];
    const double count = (double)system.count;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].kind = (double)k < count * disks[0] / all ? 0 : 1;
    system.boundary.width = bulk.width;
    system.boundary.height = bulk.height * count / all;
    const struct enskog theory = enskog_predict(&system, bulk_temperature(&bulk), 1);
    const double bound = check_is_quick() ? 0.2 : 0.02;
    CHECK(fabs(mean(&bulk, BULK_RATE) / theory.collision_rate - 1) < bound);
    CHECK(fabs(mean(&bulk, BULK_Z) / theory.compressibility - 1) < bound);
}

static double expect_diffusion(const struct system *system)
{
    double density = (double)system->count / (system->boundary.width * system->boundary.height);
    return tracer_enskog(gas_contact_value(enskog_area_fraction(system)), density,
                         gas_temperature(system));
}

TEST(disks_diffuse)
{
    if (!check_is_thorough())
        return;
    enum { LAGS = 200, PER_FLIGHT = 10 };
    const size_t origins = few(20);
    OWNED(system, system) = gas_create(few_or(2000, 4000), 0.05, 17);
    const double start = (double)few(50) / expect_rate(&system);
    const double interval = 1 / (expect_rate(&system) * PER_FLIGHT);
    OWNED(tracer, tracer);
    tracer_init(&tracer, &system, start, interval, LAGS, LAGS * origins, system.boundary.width / 4);
    gas_run(&system, SCHEDULE_CELLS, start + interval * (double)(LAGS * origins), &tracer.observer);
    const double diffusion = tracer_diffusion(&tracer, 8 * PER_FLIGHT, LAGS - 1).mean;
    CHECK(fabs(diffusion / expect_diffusion(&system) - 1.05) < (check_is_quick() ? 2 : 0.1));
    CHECK(tracer_bend(&tracer, 8 * PER_FLIGHT, LAGS - 1) < (check_is_quick() ? 0.5 : 0.03));
}

/* After a time in which the difference of left and right should fall to 1 / 20. */
TEST(left_and_right_mix)
{
    OWNED(system, system) = gas_create(few(1000), 0.1, 18);
    const double width = system.boundary.width - 2 * system.radius;
    const double mixed = log(20) * width * width / (pi * pi * expect_diffusion(&system));
    OWNED(tracer, tracer);
    tracer_init(&tracer, &system, 0, mixed / 20, 21, 21, 0);
    gas_run(&system, SCHEDULE_CELLS, mixed, &tracer.observer);
    CHECK(tracer.looks >= 20 && tracer.segregation[0] == 1);
    CHECK(tracer.segregation[2] > 0.4);
    CHECK(fabs(tracer.segregation[tracer.looks - 1]) < (check_is_quick() ? 0.4 : 0.15));
}
