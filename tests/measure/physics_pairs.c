/* Compares time-stepped runs of particles that attract and repel each other with what theory knows
 * of them, in a table; if something is out of bounds, it fails.
 *
 * The restitution of a spring; the energy and the pressure of a Lennard-Jones gas; orbits of two
 * bodies under gravitation and of two charges; and the order in which errors fall with the step. */
#include "arranged.h"
#include "measure.h"
#include "random_system.h"
#include "stepped.h"
#include "steps/term.h"

/* Runs a system, which it changes, with one interaction to its end. */
static void run(struct system *system, const char *parts, double substep, double end_time)
{
    struct stepped stepped = {.step = substep, .substeps = 1, .parts = parts, .end_time = end_time};
    stepped_must_run(&stepped, system);
}

/* Two particles of these masses on a horizontal line, around the middle of a box. */
static struct system make_pair(struct particle_kind kinds[2], double distance)
{
    struct random_generator random = random_from(1);
    struct system system = arranged_points(&random, 2, 100, 100, 0);
    const double mass = kinds[0].mass + kinds[1].mass;
    system.kinds = kinds;
    system.kind_count = 2;
    for (uint32_t k = 0; k < 2; k++) {
        struct particle *p = &system.particles[k];
        const double part = kinds[1 - k].mass / mass;
        p->kind = k;
        p->x = 50 + (k == 0 ? -distance : distance) * part;
        p->y = 50;
        p->u = p->v = 0;
    }
    return system;
}

static void free_pair(struct system *system)
{
    system->kinds = NULL;
    system_free(system);
}

/* With which part of their velocity two disks part, with 200 substeps in a contact. */
static double bounce(struct particle_kind kinds[2], double restitution, double gap)
{
    struct system system = make_pair(kinds, 1 + gap);
    const double inverse = 1 / kinds[0].mass + 1 / kinds[1].mass;
    const double contact = pi / sqrt(1e6 * inverse);
    char text[64];
    system.particles[0].u = 1;
    system.particles[1].u = -kinds[0].mass / kinds[1].mass;
    const double closing = system.particles[0].u - system.particles[1].u;
    snprintf(text, sizeof text, "interaction spring k=1e6 restitution=%g", restitution);
    run(&system, text, contact / 200, 30 * contact);
    const double parting = system.particles[1].u - system.particles[0].u;
    free_pair(&system);
    return parting / closing;
}

static void measure_restitution(void)
{
    static const double restitutions[] = {1, 0.9, 0.5, 0.2, 0.05, 0};
    struct particle_kind masses[][2] = {{{0.5, 1, 0}, {0.5, 1, 0}}, {{0.5, 1, 0}, {0.5, 20, 0}}};
    enum { MOMENTS = 25 };
    for (size_t m = 0; m < 2; m++) {
        for (size_t k = 0; k < LENGTH(restitutions); k++) {
            const double expected = restitutions[k];
            double mean = 0; /* over the moments of a substep in which a contact begins */
            for (int phase = 0; phase < MOMENTS; phase++)
                mean += bounce(masses[m], expected, phase * 1.37e-5) / MOMENTS;
            const double deviation = mean - expected;
            measure_row(measure_text("restitution, masses 1 and %g", masses[m][1].mass), expected,
                        mean, expected > 0 ? deviation / expected : deviation, 0.01);
        }
    }
}

/* Two bodies at their largest distance 1, attracted by strength / r^2: half the axis of the
 * relative orbit is `axis`. */
static struct system make_orbit(struct particle_kind kinds[2], double strength, double axis)
{
    struct system system = make_pair(kinds, 1);
    const double reduced = kinds[0].mass * kinds[1].mass / (kinds[0].mass + kinds[1].mass);
    const double speed = sqrt(strength / reduced * (2 - 1 / axis));
    for (uint32_t k = 0; k < 2; k++)
        system.particles[k].v = (k == 0 ? -speed : speed) * reduced / kinds[k].mass;
    return system;
}

static double period_of(const struct particle_kind kinds[2], double strength, double axis)
{
    const double reduced = kinds[0].mass * kinds[1].mass / (kinds[0].mass + kinds[1].mass);
    return 2 * pi * axis * sqrt(axis) * sqrt(reduced / strength);
}

/* After a period the second body is back on the line, or has still a way to go: in periods. */
static void measure_period(const char *quantity, const char *text, struct particle_kind kinds[2],
                           double strength, double axis)
{
    const double period = period_of(kinds, strength, axis);
    struct system system = make_orbit(kinds, strength, axis);
    const double speed = system.particles[1].v - system.particles[0].v;
    run(&system, text, period / 20000, period);
    const double ahead = (system.particles[1].y - system.particles[0].y) / speed;
    measure_row(quantity, period, period - ahead, ahead / period, 1e-4);
    free_pair(&system);
}

static void measure_orbits(void)
{
    struct particle_kind bodies[2] = {{0, 3, 0}, {0, 1, 0}};
    struct particle_kind charges[2] = {{0, 5, 0}, {0, 2, 1}};
    measure_period("Kepler's period, circular", "interaction gravitation G=2 softening=0", bodies,
                   6, 1);
    measure_period("Kepler's period, eccentricity 0.6", "interaction gravitation G=2 softening=0",
                   bodies, 6, 0.625);
    measure_period("period of opposite charges", "interaction coulomb k=4", charges, 4, 1);
    measure_period("period of charges 3 and -0.5", "interaction coulomb k=4 charges=3,-0.5",
                   charges, 6, 0.8);
}

/* How far from its place on a circle a body is after a quarter of a period of `count` substeps. */
static double find_error(double count)
{
    struct particle_kind bodies[2] = {{0, 1, 0}, {0, 1, 0}};
    const double period = period_of(bodies, 1, 1);
    struct system system = make_orbit(bodies, 1, 1);
    run(&system, "interaction gravitation G=1 softening=0", period / 4 / count, period / 4);
    const double error = hypot(system.particles[1].x - 50, system.particles[1].y - 50.5);
    free_pair(&system);
    return error;
}

static void measure_order(void)
{
    for (double count = 100; count < 2000; count *= 4) {
        const double order = log2(find_error(count) / find_error(2 * count));
        measure_row(measure_text("order of convergence, %g substeps", count), 2, order, order - 2,
                    0.05);
    }
}

/* A Lennard-Jones gas whose particles begin on a lattice: in a square periodic box. */
static struct system make_gas(size_t rows, double density, double temperature)
{
    struct random_generator random = random_from(7);
    const double side = (double)rows / sqrt(density);
    struct system system =
        arranged_points(&random, rows * rows, side, side, PERIODIC_X | PERIODIC_Y);
    double sum_u = 0, sum_v = 0;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x = side * ((double)(k % rows) + 0.5) / (double)rows;
        p->y = side * ((double)(k / rows) + 0.5) / (double)rows;
        random_normal(&random, &p->u, &p->v);
        sum_u += p->u / (double)system.count;
        sum_v += p->v / (double)system.count;
    }
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->u = (p->u - sum_u) * sqrt(temperature);
        p->v = (p->v - sum_v) * sqrt(temperature);
    }
    return system;
}

static const char lennard_jones[] = "interaction lennard-jones epsilon=1 sigma=1";

enum { SAMPLES = 2000 };

struct energies {
    const struct stepped *run;
    size_t count;
    double total[SAMPLES + 1];
    double kinetic;
};

static void note_energy(void *context, const struct snapshot *snapshot)
{
    struct energies *energies = context;
    double kinetic, potential;
    (void)snapshot;
    must(steps_operations.samples.energy(&energies->run->steps->dynamics, &kinetic, &potential,
                                         &failure));
    if (energies->count < SAMPLES)
        energies->total[energies->count++] = kinetic + potential;
    energies->kinetic = kinetic;
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k] / (double)count;
    return sum;
}

/* By how much the energy of the last tenth of a run is off that of the first, in kinetic energies.
 */
static void measure_drift(double density, double temperature, double substep)
{
    static struct energies energies;
    OWNED(system, system) = make_gas(10, density, temperature);
    const double end_time = 1e5 * substep;
    struct stepped stepped =
        STEPPED(substep, 1, .parts = lennard_jones, .end_time = end_time,
                .every = end_time / SAMPLES, .sample = note_energy, .context = &energies);
    energies = (struct energies){.run = &stepped};
    stepped_must_run(&stepped, &system);
    const size_t tenth = energies.count / 10;
    const double first = mean_of(energies.total, tenth);
    const double last = mean_of(energies.total + energies.count - tenth, tenth);
    measure_row(measure_text("energy after 10^5 substeps of %g, density %g", substep, density),
                first, last, (last - first) / energies.kinetic, 1e-5);
}

/* Force before it is shifted, and energy after it is, of lennard-jones cut off at 2.5. */
static double lennard_jones_force(double r)
{
    const double sixth = 1 / (r * r * r * r * r * r);
    return 24 * sixth * (2 * sixth - 1) / r;
}

static double lennard_jones_energy(double r)
{
    static const double cutoff = 2.5;
    const double sixth = 1 / (r * r * r * r * r * r);
    const double edge = 1 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
    if (r >= cutoff)
        return 0;
    return 4 * sixth * (sixth - 1) - 4 * edge * (edge - 1) +
           (r - cutoff) * lennard_jones_force(cutoff);
}

/* How far apart two particles of a square periodic box are. */
static double distance_of(const struct system *system, double x, double y, size_t k)
{
    const double side = system->boundary.width;
    double dx = system->particles[k].x - x;
    double dy = system->particles[k].y - y;
    dx -= side * floor(dx / side + 0.5);
    dy -= side * floor(dy / side + 0.5);
    return sqrt(dx * dx + dy * dy);
}

/* The sum over all pairs of distance times force. */
static double find_virial(const struct system *system)
{
    double sum = 0;
    for (size_t i = 0; i < system->count; i++) {
        for (size_t j = i + 1; j < system->count; j++) {
            const double r = distance_of(system, system->particles[i].x, system->particles[i].y, j);
            if (r < 2.5)
                sum += r * (lennard_jones_force(r) - lennard_jones_force(2.5));
        }
    }
    return sum;
}

struct pressures {
    const struct stepped *run;
    double kinetic, virial; /* sums */
    size_t count;
};

static void note_pressure(void *context, const struct snapshot *snapshot)
{
    struct pressures *pressures = context;
    double kinetic, potential;
    must(steps_operations.samples.energy(&pressures->run->steps->dynamics, &kinetic, &potential,
                                         &failure));
    pressures->kinetic += kinetic;
    pressures->virial += find_virial(snapshot->system);
    pressures->count++;
}

/* exp(-U / T) - 1, in a table: `r` is in units of 2.5 / MAYER. */
enum { MAYER = 250 };

static double mayer[MAYER + 1];

static double mayer_at(double r)
{
    const size_t k = (size_t)r;
    return k >= MAYER ? 0 : mayer[k] + (r - (double)k) * (mayer[k + 1] - mayer[k]);
}

/* p / (density T) up to the third virial coefficient, by summation of their integrals. */
static double virial_series(double density, double temperature)
{
    const double cell = 2.5 / MAYER;
    double second = 0, third = 0;
    for (int k = 0; k <= MAYER; k++)
        mayer[k] = k < 10 ? -1 : exp(-lennard_jones_energy(k * cell) / temperature) - 1;
    for (int r = 1; r < MAYER; r++) {
        double both = 0; /* the integral of f(s) f(|r - s|) over the plane */
        for (int x = -MAYER; x <= MAYER; x++)
            for (int y = 1; y <= MAYER; y++)
                both += 2 * mayer_at(hypot(x, y - 0.5)) * mayer_at(hypot(x - r, y - 0.5));
        second -= pi * r * mayer[r] * cell * cell;
        third -= 2 * pi / 3 * r * mayer[r] * both * cell * cell * cell * cell;
    }
    return 1 + second * density + third * density * density;
}

/* Moves a particle at random, or not, by the rule of Metropolis. */
static void try_move(struct system *system, struct random_generator *random, double temperature)
{
    const size_t k = random_below(random, system->count);
    struct particle *p = &system->particles[k];
    const double x = p->x + 0.3 * (random_unit(random) - 0.5);
    const double y = p->y + 0.3 * (random_unit(random) - 0.5);
    double change = 0;
    for (size_t j = 0; j < system->count; j++)
        if (j != k)
            change += lennard_jones_energy(distance_of(system, x, y, j)) -
                      lennard_jones_energy(distance_of(system, p->x, p->y, j));
    if (random_unit(random) >= exp(-change / temperature))
        return;
    p->x = x;
    p->y = y;
}

/* p / (density T) by a Monte Carlo simulation (N. Metropolis et al., J. Chem. Phys. 21, 1087,
 * 1953), which knows nothing of velocities, forces or steps. */
static double monte_carlo(size_t rows, double density, double temperature)
{
    struct random_generator random = random_from(9);
    OWNED(system, system) = make_gas(rows, density, temperature);
    double virial = 0, samples = 0;
    for (size_t sweep = 0; sweep < 50000; sweep++) {
        for (size_t k = 0; k < system.count; k++)
            try_move(&system, &random, temperature);
        if (sweep >= 2000 && sweep % 10 == 0) {
            virial += find_virial(&system);
            samples++;
        }
    }
    const double ratio = 1 + virial / samples / 2 / ((double)system.count * temperature);
    return ratio;
}

/* The pressure of a gas, against virial coefficients, or of a liquid, against Monte Carlo. */
static void measure_pressure(size_t rows, double density, double start)
{
    OWNED(system, system) = make_gas(rows, density, start);
    const int is_gas = density < 0.2;
    struct pressures pressures = {0};
    struct stepped stepped =
        STEPPED(0.005, 1, .parts = lennard_jones, .end_time = is_gas ? 400 : 2000, .every = 0.25,
                .sample = note_pressure, .context = &pressures);
    pressures.run = &stepped;
    run(&system, lennard_jones, 0.005, 20);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].t = 0;
    stepped_must_run(&stepped, &system);
    const double count = (double)pressures.count;
    const double temperature = pressures.kinetic / count / (double)(system.count - 1);
    const double ratio = 1 + pressures.virial / count / 2 / ((double)system.count * temperature);
    const double expected =
        is_gas ? virial_series(density, temperature) : monte_carlo(rows, density, temperature);
    measure_row(measure_text("p / (density T), %s, density %g, T %.3f",
                             is_gas ? "virial series" : "Monte Carlo", density, temperature),
                expected, ratio, ratio / expected - 1, is_gas ? 0.005 : 0.02);
}

int main(void)
{
    measure_begin_table();
    measure_restitution();
    measure_orbits();
    measure_order();
    measure_drift(0.6, 1, 0.002);
    measure_drift(0.05, 2, 0.002);
    measure_pressure(20, 0.05, 0.6);
    measure_pressure(20, 0.1, 3);
    measure_pressure(10, 0.6, 1);
    return measure_finish();
}
