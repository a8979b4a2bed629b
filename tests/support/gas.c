/* Gases of elastic disks; see gas.h. */
#include "gas.h"

#include "arranged.h"
#include "random_system.h"

#include "measure.h"
#include "model/physics.h"
#include "observe/figures.h"
#include "observe/tally.h"
#include "observe/writers.h"
#include "run/dynamics.h"

static struct system create(size_t count, double area_fraction, uint64_t seed, unsigned periodic)
{
    struct system system = generated_gas(count, area_fraction, seed, periodic);
    system.law = ELASTIC;
    return system;
}

struct system gas_create(size_t count, double area_fraction, uint64_t seed)
{
    return create(count, area_fraction, seed, 0);
}

struct system gas_create_periodic(size_t count, double area_fraction, uint64_t seed)
{
    return create(count, area_fraction, seed, PERIODIC_X | PERIODIC_Y);
}

void gas_mix(struct system *system, double radius, double mass)
{
    arranged_kinds(system, 2);
    system->kinds[1] = (struct particle_kind){.radius = radius, .mass = mass, .species = 1};
    for (size_t k = 0; k < system->count; k++)
        system->particles[k].kind = (uint32_t)(k % 2);
}

double gas_temperature(const struct system *system)
{
    const struct snapshot now = snapshot_in_order(system, 0);
    return tally_motion(&now).energy / (double)system->count;
}

void gas_run(struct system *system, enum schedule_kind kind, double end_time,
             struct observer *observer)
{
    struct schedule *schedule = NULL;
    struct observers observers = {0};
    if (observer)
        observers_add(&observers, observer);
    must(observers_begin(&observers, system, &failure));
    must(schedule_create(kind, system, NULL, &schedule, &failure));
    must(simulation_run(schedule, end_time, &observers, &failure));
    schedule_free(schedule);
    must(observers_finish(&observers, system, end_time, &failure));
    memory_free(observers.order.indices); /* the observer is the caller's */
}

double gas_contact_value(double area_fraction)
{
    static const double terms[] = {1,
                                   2,
                                   1.12801775,
                                   0.00181895291,
                                   -0.0526134737,
                                   0.0504960168,
                                   -0.0325537792,
                                   0.0134578632,
                                   0.00140888182,
                                   -0.00834273601,
                                   0.00694127367,
                                   -0.00262254723,
                                   0.000355746352};
    const double x = area_fraction / (1 - area_fraction);
    double z = 0;
    for (size_t k = LENGTH(terms); k-- > 0;)
        z = z * x + terms[k];
    z += -5.24672938e-9 * pow(x, 22) + 5.88054639e-23 * pow(x, 57);
    return (z - 1) / (2 * area_fraction);
}

/* A distance along an axis of this length to the nearest image, if the axis is periodic. */
static double nearest(double d, double length, unsigned is_periodic)
{
    return is_periodic ? d - length * rint(d / length) : d;
}

double gas_bond_order(const struct system *system, double time)
{
    const struct boundary *box = &system->boundary;
    double density = (double)system->count / (box->width * box->height);
    double reach = 1.4 * 1.4 * 2 / (sqrt(3) * density);
    double cosines = 0, sines = 0, bonds = 0;
    for (size_t i = 1; i < system->count; i++) {
        double x, y;
        physics_position(system, i, time, &x, &y);
        for (size_t j = 0; j < i; j++) {
            const struct particle *other = &system->particles[j];
            double dx = particle_coordinate(other->x, other->u, other->t, time) - x;
            double dy = particle_coordinate(other->y, other->v, other->t, time) - y;
            dx = nearest(dx, box->width, box->periodic & PERIODIC_X);
            dy = nearest(dy, box->height, box->periodic & PERIODIC_Y);
            if (dx * dx + dy * dy > reach)
                continue;
            double angle = 6 * atan2(dy, dx);
            cosines += cos(angle);
            sines += sin(angle);
            bonds++;
        }
    }
    return hypot(cosines, sines) / bonds;
}

double gas_kolmogorov(const struct system *system)
{
    double *energies = memory_allocate(system->count, sizeof *energies, "the energies", &failure);
    if (!energies)
        measure_fail(failure.message);
    double count = (double)system->count;
    double temperature = gas_temperature(system);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        energies[k] = system_mass(system, p) * (p->u * p->u + p->v * p->v) / 2 / temperature;
    }
    qsort(energies, system->count, sizeof *energies, compare_doubles);
    double worst = 0;
    for (size_t k = 0; k < system->count; k++) {
        double expected = 1 - exp(-energies[k]);
        worst = fmax(worst, expected - (double)k / count);
        worst = fmax(worst, (double)(k + 1) / count - expected);
    }
    memory_free(energies);
    return (worst - 0.2 / count) * (sqrt(count) + 0.26 + 0.5 / sqrt(count));
}

double gas_kurtosis(const struct system *system)
{
    const struct snapshot now = snapshot_in_order(system, 0);
    struct tally tally;
    struct collision_sums sums = {0};
    tally_begin(&tally, &now, 1, &sums);
    tally_end(&tally, &now);
    return tally.starts[INTEGRAL_FOURTH] / (double)system->count /
           (tally.speeds.reduced_2 * tally.speeds.reduced_2);
}
