/* Tests of whole runs with streams: paths and balances that follow from what is drawn, and a gas
 * without a body, which must stay as theory has it. */
#include "agreement.h"
#include "check.h"
#include "generate/generate.h"
#include "measure.h"
#include "model/boundary_law.h"
#include "observe/tally.h"
#include "observed.h"
#include "sides.h"

/* A point alone in a box 3 wide and 2 high, followed from draw to draw. */
TEST(a_point_alone)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};
    const struct stream stream = stream_make(0.5, 1, 11);
    const double end_time = 1000;
    struct particle point = {.x = 1, .y = 1, .u = 0.75, .v = 0.25};
    int64_t images[2] = {0, 0};
    for (;;) {
        const double x_time = point.t + ((point.u > 0 ? 3 : 0) - point.x) / point.u;
        const double y_time = point.t + ((point.v > 0 ? 2 : 0) - point.y) / point.v;
        const double passage = fmin(x_time, y_time);
        if (passage > end_time)
            break;
        point.x += point.u * (passage - point.t);
        point.y += point.v * (passage - point.t);
        point.t = passage;
        const int is_y = y_time < x_time;
        const int is_up = (is_y ? point.v : point.u) > 0;
        stream_draw(&stream, &point, 1, is_y ? FEATURE_TOP : FEATURE_RIGHT);
        const int goes_up = (is_y ? point.v : point.u) > 0;
        *(is_y ? &point.y : &point.x) = goes_up ? 0 : is_y ? 2 : 3;
        images[is_y] += goes_up + is_up - 1; /* none if it is turned back */
    }
    for (int k = 0; k < 3; k++) {
        struct random_generator random = random_from(0);
        OWNED(system, system) = random_lattice(&random, 1, 1, 0);
        system.radius = 0;
        system.boundary = (struct boundary){
            .width = 3, .height = 2, .periodic = PERIODIC_X | PERIODIC_Y, .stream = stream};
        system.particles[0].u = 0.75;
        system.particles[0].v = 0.25;
        CHECK(agreement_run(kinds[k], &system, end_time, &failure) == STATUS_DONE);
        double x, y;
        physics_position(&system, 0, end_time, &x, &y);
        CHECK(fabs(x - (point.x + point.u * (end_time - point.t))) < 1e-9);
        CHECK(fabs(y - (point.y + point.v * (end_time - point.t))) < 1e-9);
        CHECK(system.counts[0].x_image == images[0] && system.counts[0].y_image == images[1]);
        CHECK(system.counts[0].walls == 0);
        CHECK(system.particles[0].draws == point.draws && point.draws > 100);
    }
}

/* The momentum and energy that boundary and stream give to the particles. */
struct balance {
    struct observer observer;
    double momentum[2], energy;
    size_t reinjections[2], hits; /* at the seam in x and at that in y */
};

static void give(struct balance *balance, const struct collision_particle *p)
{
    balance->momentum[0] += p->mass * (p->u - p->u_before);
    balance->momentum[1] += p->mass * (p->v - p->v_before);
    balance->energy += 0.5 * p->mass * (p->u * p->u - p->u_before * p->u_before);
    balance->energy += 0.5 * p->mass * (p->v * p->v - p->v_before * p->v_before);
}

static enum status take_collision(struct observer *observer, const struct collision *collision,
                                  struct error *error)
{
    struct balance *balance = (struct balance *)observer;
    (void)error;
    if (collision->partner == PARTNER_BOUNDARY)
        give(balance, &collision->a);
    balance->hits += collision->partner == PARTNER_BOUNDARY;
    return STATUS_DONE;
}

static enum status take_reinjection(struct observer *observer, const struct collision *passage,
                                    struct error *error)
{
    struct balance *balance = (struct balance *)observer;
    (void)error;
    give(balance, &passage->a);
    CHECK(passage->partner == PARTNER_BOUNDARY && passage->feature >= FEATURE_TOP);
    CHECK(passage->a.since <= passage->time);
    balance->reinjections[passage->feature < FEATURE_RIGHT]++;
    return STATUS_DONE;
}

OBSERVED_TAKE(take, take_collision, take_reinjection)

/* These observers are not of allocated memory. */
static void keep(struct observer *observer)
{
    (void)observer;
}

/* The momentum and the energy of all. */
static void add_up(const struct system *system, double totals[3])
{
    totals[0] = totals[1] = totals[2] = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double m = system_mass(system, p);
        totals[0] += m * p->u;
        totals[1] += m * p->v;
        totals[2] += 0.5 * m * (p->u * p->u + p->v * p->v);
    }
}

/* An obstacle across the seam, one with a side on it, and a thin wall, in a box 30 wide and high.
 */
static void add_obstacles(struct system *system)
{
    static const double across[3][2] = {{-3, 10}, {4, 12}, {1, 16}};
    static const double beside[3][2] = {{0, 22}, {3, 24}, {0, 26}};
    static const double wall[2][2] = {{14, 3}, {18, 26}};
    system_add_polygon(system, across, 3, 0);
    system_add_polygon(system, beside, 3, 0);
    system_add_polygon(system, wall, 2, 0);
}

/* Whether a disk has room there, beside those before it. */
static int is_free(const struct system *system, size_t k, double radius)
{
    const struct particle *p = &system->particles[k];
    if (sides_distance(&system->boundary, p->x, p->y) < radius)
        return 0;
    /* not inside: above the obstacles or right of the first ones and left of their images */
    if ((p->x < 5 || p->x > 26) && p->y > 9 && p->y < 27)
        return 0;
    for (size_t j = 0; j < k; j++) {
        const struct particle *q = &system->particles[j];
        const double dx = fabs(p->x - q->x);
        if (hypot(fmin(dx, 30 - dx), p->y - q->y) < radius + system_radius(system, q))
            return 0;
    }
    return 1;
}

static struct system among_obstacles(struct random_generator *random, int round)
{
    struct system system = mixed_system(random, (enum mixed_kind)(round % 3 == 0), 25, 0.1);
    for (size_t k = 0; k < system.kind_count; k++)
        system.kinds[k].radius *= round % 4 ? 0.3 : 0;
    system.boundary = (struct boundary){
        .width = 30, .height = 30, .periodic = round % 2 ? PERIODIC_X : PERIODIC_X | PERIODIC_Y};
    system.law = (struct system_law){RULE_ELASTIC, round % 5 == 4 ? 0.8 : 1, 1e-4};
    system.boundary.stream = stream_make(round % 3 - 1, 0.5, (uint64_t)round);
    add_obstacles(&system);
    for (size_t k = 0; k < system.count; k++) {
        const double radius = system_radius(&system, &system.particles[k]);
        do {
            system.particles[k].x = 30 * random_unit(random);
            system.particles[k].y = radius + (30 - 2 * radius) * random_unit(random);
        } while (!is_free(&system, k, radius));
    }
    return system;
}

RANDOM_TEST(runs_among_obstacles, 31)
{
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = take, .free = keep};
    size_t reinjections[2] = {0}, hits = 0;
    for (int round = 0; round < (check_is_thorough() ? 30 : 12); round++) {
        OWNED(system, system) = among_obstacles(random, round);
        OWNED(system, twin) = system_copy(&system);
        struct balance balance = {
            .observer = {.operations = &operations, .next_sample = (double)INFINITY}};
        double before[3], after[3];
        const double end_time = agreement_time(&system, 1000);
        add_up(&system, before);
        CHECK(agreement_check(&twin, end_time, round % 4 == 0));
        CHECK(!observed_run(&system, SCHEDULE_CELLS, end_time, &balance.observer, &failure));
        CHECK(agreement_is_same(&system, &twin));
        add_up(&system, after);
        for (int k = 0; k < 2; k++)
            CHECK(fabs(after[k] - before[k] - balance.momentum[k]) < 1e-9);
        if (system.law.restitution == 1)
            CHECK(fabs(after[2] - before[2] - balance.energy) < 1e-9);
        for (size_t k = 0; k < system.count; k++) {
            const double radius = system_radius(&system, &system.particles[k]);
            double x, y;
            physics_position(&system, k, end_time, &x, &y);
            CHECK(x >= 0 && x < 30 && y >= 0 && y <= 30);
            CHECK(sides_distance(&system.boundary, x, y) >= radius - 1e-11);
        }
        for (int k = 0; k < 2; k++)
            reinjections[k] += balance.reinjections[k];
        hits += balance.hits;
    }
    CHECK(reinjections[0] > (check_is_thorough() ? 2500 : 1000) && hits > 1000);
    CHECK(reinjections[1] > 500);
}

/* Sums over a gas in a number of intervals of time; each has a number of samples. */
enum { STRETCHES = 20, STRIPS = 8, LOOKS = 50 };

struct gauge {
    struct observer observer;
    double interval; /* of looks */
    double looks[STRETCHES];
    double velocity[STRETCHES][2];       /* sums of the momentum of all */
    double temperature[STRETCHES][2];    /* of m c^2, along x and y */
    double strips[2][STRIPS][STRETCHES]; /* of how many particles are in each strip in x, in y */
    double passages[STRETCHES];          /* of the seam in x, to both sides, */
    double net[STRETCHES];               /* and to the right less those to the left */
    double momentum[STRETCHES];          /* and the momentum in x that they carry to the right */
    double end_time;
};

static size_t find_stretch(const struct gauge *gauge, double time)
{
    return (size_t)fmin(time / gauge->end_time * STRETCHES, STRETCHES - 1);
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct gauge *gauge = (struct gauge *)observer;
    const struct boundary *boundary = &snapshot->system->boundary;
    const size_t stretch = find_stretch(gauge, snapshot->time);
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double u = body.u - boundary->stream.speed;
        double x, y;
        snapshot_position(snapshot, k, &x, &y);
        gauge->velocity[stretch][0] += body.mass * u;
        gauge->velocity[stretch][1] += body.mass * body.v;
        gauge->temperature[stretch][0] += body.mass * u * u;
        gauge->temperature[stretch][1] += body.mass * body.v * body.v;
        gauge->strips[0][(size_t)(x / boundary->width * STRIPS)][stretch]++;
        gauge->strips[1][(size_t)(y / boundary->height * STRIPS)][stretch]++;
    }
    gauge->looks[stretch]++;
    observer->next_sample += gauge->interval;
    return STATUS_DONE;
}

static enum status count_passage(struct observer *observer, const struct collision *passage,
                                 struct error *error)
{
    struct gauge *gauge = (struct gauge *)observer;
    const struct collision_particle *a = &passage->a;
    const size_t stretch = find_stretch(gauge, passage->time);
    (void)error;
    if (passage->feature < FEATURE_RIGHT)
        return STATUS_DONE;
    gauge->passages[stretch]++;
    gauge->net[stretch] += passage->feature == FEATURE_RIGHT ? 1 : -1;
    gauge->momentum[stretch] += a->mass * fabs(a->u);
    return STATUS_DONE;
}

OBSERVED_TAKE(take_passages, NULL, count_passage)

/* Whether the mean of stretches is what theory says: within five standard errors, and these are a
 * small part of `scale`. */
static int agrees(const char *what, const double values[STRETCHES], double expected, double scale)
{
    const struct measured_mean found = measure_estimate(values, STRETCHES);
    const double precision = check_is_quick() ? 0.03 : 0.015;
    if (fabs(found.mean - expected) < 5 * found.error && found.error < precision * scale)
        return 1;
    printf("    %s: %g +- %g instead of %g\n", what, found.mean, found.error, expected);
    return 0;
}

/* Particles of a mass that pass a line to the right, per length and time, with one of them per
 * area. */
static double find_flux(double speed, double temperature, double mass)
{
    const double s = speed / sqrt(2 * temperature / mass);
    return sqrt(temperature / (2 * pi * mass)) * (exp(-s * s) + sqrt(pi) * s * (1 + erf(s)));
}

static void check_gauge(struct gauge *gauge, const struct system *system)
{
    const struct stream *stream = &system->boundary.stream;
    const double n = (double)system->count;
    const double area = system->boundary.width * system->boundary.height;
    const double stretch_time = gauge->end_time / STRETCHES;
    const double T = stream->temperature;
    double mass = 0;
    double fluxes[2] = {0, 0};
    for (size_t k = 0; k < system->count; k++) {
        const double m = system_mass(system, &system->particles[k]);
        mass += m;
        fluxes[0] += find_flux(stream->speed, T, m) / area;
        fluxes[1] += find_flux(-stream->speed, T, m) / area;
    }
    double velocity[2][STRETCHES], temperature[2][STRETCHES];
    for (size_t j = 0; j < STRETCHES; j++) {
        for (int k = 0; k < 2; k++) {
            velocity[k][j] = gauge->velocity[j][k] / gauge->looks[j] / mass;
            temperature[k][j] = gauge->temperature[j][k] / gauge->looks[j] / n;
        }
        gauge->passages[j] /= stretch_time * system->boundary.height;
        gauge->net[j] /= stretch_time * system->boundary.height;
        gauge->momentum[j] /= stretch_time * system->boundary.height;
        for (size_t k = 0; k < 2 * STRIPS; k++)
            gauge->strips[k / STRIPS][k % STRIPS][j] *= STRIPS / n / gauge->looks[j];
    }
    const double thermal = sqrt(T * n / mass);
    CHECK(agrees("mean u - U", velocity[0], 0, thermal));
    CHECK(agrees("mean v", velocity[1], 0, 2 * thermal));
    CHECK(agrees("temperature along x", temperature[0], T, T));
    CHECK(agrees("temperature along y", temperature[1], T, T));
    CHECK(agrees("passages", gauge->passages, fluxes[0] + fluxes[1], fluxes[0] + fluxes[1]));
    CHECK(agrees("net flux", gauge->net, fluxes[0] - fluxes[1], fluxes[0] + fluxes[1]));
    const double momentum = (n * T + mass * stream->speed * stream->speed) / area;
    CHECK(agrees("momentum flux", gauge->momentum, momentum, momentum));
    for (size_t k = 0; k < STRIPS * (system->boundary.periodic & PERIODIC_Y ? 2 : 1); k++)
        CHECK(agrees("density of a strip", gauge->strips[k / STRIPS][k % STRIPS], 1, 2));
}

/* A gas in equilibrium stays exactly what it is: whatever its density is, since there velocities do
 * not depend on places. The Mach number is that of a dilute gas, |U| / sqrt(2 T / m). */
static void check_gas(double mach, double area_fraction, size_t heavy, unsigned periodic)
{
    static const struct observer_operations operations = {
        .watches = WATCH_BOUNDARY, .sample = look, .take = take_passages, .free = keep};
    static struct gauge gauge;
    struct generate_request request = {.count = 100 + heavy,
                                       .area_fraction = area_fraction,
                                       .radius = 1,
                                       .aspect = 1,
                                       .seed = 5,
                                       .periodic = periodic,
                                       .component_count = heavy ? 2 : 0,
                                       .components = {{100, 1, 1}, {heavy, 0.5, 4}}};
    struct system system;
    request.stream = stream_make(mach * sqrt(2 * 0.5), 0.5, 77);
    if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
        return;
    system.boundary.stream = request.stream;
    system.law = ELASTIC;
    const double passages = check_is_quick() ? 100 : 400;
    const double end_time = passages * system.boundary.width / fmax(fabs(mach), 0.5);
    gauge = (struct gauge){.observer = {.operations = &operations},
                           .interval = end_time / (STRETCHES * LOOKS),
                           .end_time = end_time};
    CHECK(!observed_run(&system, SCHEDULE_CELLS, end_time, &gauge.observer, &failure));
    check_gauge(&gauge, &system);
    system_free(&system);
}

TEST(a_stream_without_a_body_stays)
{
    check_gas(0.3, 0.02, 0, PERIODIC_X | PERIODIC_Y);
    check_gas(-1, 0.2, 0, PERIODIC_X | PERIODIC_Y);
    check_gas(2.5, 0.05, 0, PERIODIC_X | PERIODIC_Y);
    check_gas(0.8, 0.1, 50, PERIODIC_X);
    check_gas(1, 0.6, 50, PERIODIC_X | PERIODIC_Y);
}

/* What points do to a plate, and the density of what comes in, in each half of a run. */
struct thin {
    struct observer observer;
    struct inflow_gauge gauge;
    double end_time;
    double momentum[2], density[2];
};

static enum status hit_plate(struct observer *observer, const struct collision *collision,
                             struct error *error)
{
    struct thin *thin = (struct thin *)observer;
    (void)error;
    thin->momentum[collision->time > thin->end_time / 2] += collision->a.u_before - collision->a.u;
    return STATUS_DONE;
}

static enum status come_in(struct observer *observer, const struct collision *passage,
                           struct error *error)
{
    struct thin *thin = (struct thin *)observer;
    (void)error;
    thin->density[passage->time > thin->end_time / 2] +=
        inflow_gauge_weigh(&thin->gauge, passage) / (thin->end_time / 2);
    return STATUS_DONE;
}

OBSERVED_TAKE(take_thin, hit_plate, come_in)

/* The drag of a plate at an angle to a stream of speed ratio 1, of free molecules: C_D = 4 / s^2 (S
 * e^-S^2 / sqrt(pi) + (1/2 + S^2) erf S) sin(angle) with S = s sin(angle), within 5 %. It stays
 * what it is, though nothing but seams carries off what the plate turns back or throws to one side:
 * if the seam in x kept directions, it would be a third of that where the plate is across the
 * stream; and if the seam in y kept velocities, it would be a tenth too small at 45 degrees. */
static void check_plate(double angle)
{
    enum { COUNT = 200 };
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = take_thin, .free = keep};
    const double speed = sqrt(2);
    const double dx = 2 * cos(angle);
    const double dy = 2 * sin(angle);
    const double plate[2][2] = {{16 - dx, 10 - dy}, {16 + dx, 10 + dy}};
    struct random_generator random = random_from(5);
    OWNED(system, system) = random_lattice(&random, COUNT, 1, 0);
    struct thin thin = {.observer = {.operations = &operations, .next_sample = (double)INFINITY},
                        .end_time = 6000};
    system.radius = 0;
    system.boundary = (struct boundary){.width = 40,
                                        .height = 20,
                                        .periodic = PERIODIC_X | PERIODIC_Y,
                                        .stream = stream_make(speed, 1, 3)};
    system_add_polygon(&system, plate, 2, 0);
    for (size_t k = 0; k < COUNT; k++) {
        struct particle *p = &system.particles[k];
        p->x = 40 * random_unit(&random);
        p->y = 20 * random_unit(&random);
        random_normal(&random, &p->u, &p->v);
        p->u += speed;
    }
    thin.gauge = inflow_gauge_make(&(struct snapshot){0, &system, NULL});
    CHECK(!observed_run(&system, SCHEDULE_CELLS, thin.end_time, &thin.observer, &failure));
    const double s = sin(angle);
    const double expected = 4 * (s * exp(-s * s) / sqrt(pi) + (0.5 + s * s) * erf(s)) * s;
    for (int half = 0; half < 2; half++) {
        const double drag =
            thin.momentum[half] / (thin.end_time / 2 * thin.density[half] * speed * speed / 2 * 4);
        if (!CHECK(fabs(drag - expected) < 0.05 * expected))
            printf("    C_D %g instead of %g\n", drag, expected);
    }
}

TEST(plates_in_free_molecules)
{
    check_plate(pi / 2);
    check_plate(pi / 4);
}
