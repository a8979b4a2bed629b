/* Tests of whole runs under the elastic rule: the cases of the engineering course project, the laws
 * of nature over many collisions, with unequal particles, too, and runs that lose energy: gases
 * that cool, and inelastic collapse. */
#include "agreement.h"
#include "check.h"
#include "observed.h"

/* The conserved sums: the kinetic energy and, but for walls, the momentum. */
struct sums {
    double energy, x, y;
    double size; /* of the momenta, to compare errors with */
};

static struct sums sum_up(const struct system *system)
{
    struct sums sums = {0};
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double mass = system_mass(system, p);
        sums.energy += mass * (p->u * p->u + p->v * p->v) / 2;
        sums.x += mass * p->u;
        sums.y += mass * p->v;
        sums.size += mass * (fabs(p->u) + fabs(p->v));
    }
    return sums;
}

/* Whether energy and momentum are what they were, but for the momentum that walls have given. */
static int are_conserved(const struct sums *before, const struct sums *walls,
                         const struct system *system, double error)
{
    struct sums now = sum_up(system);
    return fabs(now.energy - before->energy) <= error * before->energy &&
           fabs(now.x - before->x - walls->x) <= error * now.size &&
           fabs(now.y - before->y - walls->y) <= error * now.size;
}

/* Runs an elastic system, checking what is conserved after each `every` collisions. Returns how
 * many there were, `most` at most. */
static size_t run_conserving(struct system *system, double end_time, size_t most, size_t every,
                             double allowed)
{
    struct schedule *schedule = NULL;
    struct event event;
    size_t events = 0;
    const struct sums before = sum_up(system);
    struct sums walls = {0};
    int is_conserved = 1;
    system->law = ELASTIC;
    CHECK(!schedule_create(SCHEDULE_ARRAY, system, NULL, &schedule, &failure));
    while (is_conserved && events < most && schedule_next(schedule, end_time, &event)) {
        const struct particle *p = &system->particles[event.a];
        double u = p->u;
        double v = p->v;
        physics_resolve(system, &event);
        if (event.b < 0) {
            walls.x += system_mass(system, p) * (p->u - u);
            walls.y += system_mass(system, p) * (p->v - v);
        }
        schedule_update(schedule, &event);
        if (++events % every == 0)
            is_conserved = CHECK(are_conserved(&before, &walls, system, allowed));
    }
    schedule_free(schedule);
    return events;
}

/* Up to three particles of radius 1 in a box of 20 x 20; the mass of particle 0 may differ. */
struct few {
    struct particle particles[3];
    struct particle_counts counts[3];
    struct particle_kind kinds[2];
    struct system system;
};

static struct system *few_particles(struct few *few, size_t count, double mass)
{
    for (size_t k = 0; k < count; k++)
        few->particles[k].id = (int32_t)k;
    few->kinds[0] = (struct particle_kind){1, mass, 0};
    few->kinds[1] = (struct particle_kind){1, 1, 1};
    for (size_t k = 1; k < count; k++)
        few->particles[k].kind = 1;
    few->system = SYSTEM(count, 20, 20, .particles = few->particles, .counts = few->counts,
                         .kind_count = 2, .kinds = few->kinds, .law = ELASTIC);
    return &few->system;
}

static int moves(const struct particle *p, double u, double v)
{
    return fabs(p->u - u) < 1e-15 && fabs(p->v - v) < 1e-15;
}

/* The case "headOnCollision": Eqs. 2.3 and 2.4 in one dimension. */
TEST(head_on)
{
    struct few equal = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 10, .y = 5, .u = -2}}};
    CHECK(run_conserving(few_particles(&equal, 2, 1), 1.5, 9, 1, 1e-15) == 1);
    CHECK(moves(&equal.particles[0], -2, 0) && moves(&equal.particles[1], 1, 0));
    struct few heavy = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 10, .y = 5, .u = -2}}};
    CHECK(run_conserving(few_particles(&heavy, 2, 2), 1.5, 9, 1, 1e-15) == 1);
    CHECK(moves(&heavy.particles[0], -1, 0) && moves(&heavy.particles[1], 2, 0));
    CHECK(heavy.particles[0].x == 6 && heavy.particles[1].x == 8);
}

/* "rightAngleCollision": the line of centres is (1, -1), and each keeps what is across it. */
TEST(right_angle)
{
    double offset = 2 - sqrt(2);
    struct few few = {
        .particles = {{.x = 5, .y = 7, .u = 1}, {.x = 9 - offset, .y = 3 + offset, .v = 1}}};
    CHECK(run_conserving(few_particles(&few, 2, 1), 2.5, 9, 1, 1e-14) == 1);
    CHECK(fabs(few.particles[0].t - 2) < 1e-14);
    CHECK(fabs(few.particles[0].u) < 1e-14 && fabs(few.particles[0].v - 1) < 1e-14);
    CHECK(fabs(few.particles[1].u - 1) < 1e-14 && fabs(few.particles[1].v) < 1e-14);
    /* With mass 3 against 1: w.n = -sqrt(2); each changes by its share 1/2 or 3/2 of that. */
    struct few heavy = {
        .particles = {{.x = 5, .y = 7, .u = 1}, {.x = 9 - offset, .y = 3 + offset, .v = 1}}};
    CHECK(run_conserving(few_particles(&heavy, 2, 3), 2.5, 9, 1, 1e-14) == 1);
    CHECK(fabs(heavy.particles[0].u - 0.5) < 1e-14 && fabs(heavy.particles[0].v - 0.5) < 1e-14);
    CHECK(fabs(heavy.particles[1].u - 1.5) < 1e-14 && fabs(heavy.particles[1].v + 0.5) < 1e-14);
}

/* "threeParticleCollision": first one pair, then one of them with the third, at the same time. */
TEST(three_at_once)
{
    struct few few = {
        .particles = {{.x = 5, .y = 10, .u = 1}, {.x = 10, .y = 10}, {.x = 15, .y = 10, .u = -1}}};
    struct system *system = few_particles(&few, 3, 1);
    struct schedule *schedule = NULL;
    struct event event;
    const struct sums before = sum_up(system);
    static const int32_t expected[][2] = {{0, 1}, {1, 2}, {0, 1}};
    CHECK(!schedule_create(SCHEDULE_ARRAY, system, NULL, &schedule, &failure));
    for (size_t k = 0; k < 3; k++) {
        CHECK(schedule_next(schedule, 4, &event) && event.time == 3);
        CHECK(event.a == expected[k][0] && event.b == expected[k][1]);
        physics_resolve(system, &event);
        schedule_update(schedule, &event);
        CHECK(are_conserved(&before, &(struct sums){0}, system, 1e-15));
    }
    CHECK(!schedule_next(schedule, 4, &event));
    CHECK(moves(&few.particles[0], -1, 0) && moves(&few.particles[1], 0, 0));
    CHECK(moves(&few.particles[2], 1, 0));
    schedule_free(schedule);
}

/* "particleHitWallTest": each of the four walls, with the particle's own radius. */
TEST(walls)
{
    static const struct {
        double u, v, x, y;
    } cases[] = {{-1, .5, 3, 13}, {1, .5, 17, 13}, {.5, -1, 13, 3}, {.5, 1, 13, 17}};
    for (size_t k = 0; k < LENGTH(cases); k++) {
        struct few few = {.particles = {{.x = 10, .y = 10, .u = cases[k].u, .v = cases[k].v}}};
        struct system *system = few_particles(&few, 1, 5);
        few.kinds[0].radius = 3;
        CHECK(run_conserving(system, 7.5, 9, 1, 1e-15) == 1);
        const struct particle *p = &few.particles[0];
        CHECK(p->t == 7 && few.counts[0].walls == 1);
        CHECK(moves(p, k < 2 ? -cases[k].u : .5, k < 2 ? .5 : -cases[k].v));
        CHECK(p->x == (k < 2 ? cases[k].x : 13.5) && p->y == (k < 2 ? 13.5 : cases[k].y));
    }
}

/* "particleDiffusionTest": one half of the particles in the upper half of the box. */
static void check_diffusion(size_t count, double end_time)
{
    struct random_generator random = random_from(count);
    OWNED(system, system) = random_system(&random, count, 0.2, 1);
    struct particle_kind *kinds = memory_allocate(2, sizeof *kinds, "kinds", &failure);
    if (!CHECK(kinds != NULL))
        return;
    kinds[0] = (struct particle_kind){1, 1, 1};
    kinds[1] = (struct particle_kind){1, 1, 2};
    system.kinds = kinds;
    system.kind_count = 2;
    size_t upper = 0;
    for (size_t k = 0; k < count; k++) {
        system.particles[k].kind = system.particles[k].y < system.boundary.height / 2;
        upper += system.particles[k].kind == 0;
    }
    CHECK(upper > count / 5 && upper < count * 4 / 5);
    CHECK(run_conserving(&system, end_time, SIZE_MAX, 1, 1e-12) > 20 * count);
    size_t crossed = 0;
    for (size_t k = 0; k < count; k++) {
        double x, y;
        physics_position(&system, k, end_time, &x, &y);
        int is_lower = y < system.boundary.height / 2;
        crossed += is_lower != (system_species(&system, &system.particles[k]) == 2);
    }
    CHECK(crossed > count / 4 && crossed < count * 3 / 4); /* mixed */
}

TEST(diffusion)
{
    check_diffusion(20, 200);
    if (!check_is_quick())
        check_diffusion(200, 400);
}

/*
 * A million elastic collisions, or fewer, change the energy by less than 10^-12 of it; and a
 * hundred thousand of unequal particles by less than a tenth of that. (If every collision of two
 * kinds were wrong by the same last bit, as where shares of masses are rounded, it would be more.)
 */
RANDOM_TEST(very_many_collisions_conserve_energy_and_momentum, 31)
{
    size_t most = check_is_thorough() ? 1000000 : 200000;
    OWNED(system, equal) = random_system(random, 30, 0.4, 1);
    CHECK(run_conserving(&equal, SYSTEM_LARGEST, most, 1000, 1e-12) == most);
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        OWNED(system, mixed) = mixed_system(random, (enum mixed_kind)kind, 30, 0.4);
        CHECK(run_conserving(&mixed, SYSTEM_LARGEST, most / 10, 1000, 1e-13) == most / 10);
    }
}

/* A law to test with, of which there are some. */
static struct system_law some_law(const struct system *system, int number)
{
    struct system_law law = {number % 5 ? RULE_ELASTIC : RULE_SWAP, 1, 0};
    if (number % 5 > 1)
        law = (struct system_law){RULE_ELASTIC, number % 5 == 2 ? 0 : 0.6,
                                  physics_contact_time(system)};
    if (number % 5 == 4)
        law.contact_time *= 1e4;
    return law;
}

/* No particle leaves the box, or enters another beyond rounding, at the time of an event. */
static void check_positions(const struct system *system, double time)
{
    double slack = 1e-12 * system->boundary.width;
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        double R = system_radius(system, p);
        double x = particle_coordinate(p->x, p->u, p->t, time);
        double y = particle_coordinate(p->y, p->v, p->t, time);
        CHECK(x > R - slack && x < system->boundary.width - R + slack);
        CHECK(y > R - slack && y < system->boundary.height - R + slack);
        for (size_t j = 0; j < i; j++) {
            const struct particle *q = &system->particles[j];
            double dx = particle_coordinate(q->x, q->u, q->t, time) - x;
            double dy = particle_coordinate(q->y, q->v, q->t, time) - y;
            CHECK(hypot(dx, dy) > system_contact(system, p, q) - slack);
        }
    }
}

RANDOM_TEST(no_overlap_and_no_escape, 33)
{
    int rounds = check_is_thorough() ? 120 : 15;
    for (int round = 0; round < rounds; round++) {
        enum mixed_kind kind = (enum mixed_kind)(round % MIXED_KINDS);
        OWNED(system, system) = mixed_system(random, kind, 20, 0.4);
        struct schedule *schedule = NULL;
        struct event event;
        double now = 0;
        uint64_t walls = 0, pairs = 0, counted_walls = 0, counted_halves = 0;
        system.law = some_law(&system, round / MIXED_KINDS);
        CHECK(!schedule_create(SCHEDULE_ARRAY, &system, NULL, &schedule, &failure));
        while (schedule_next(schedule, 20, &event)) {
            CHECK(event.time >= now);
            now = event.time;
            check_positions(&system, now);
            physics_resolve(&system, &event);
            schedule_update(schedule, &event);
            *(event_partner(event.b) == PARTNER_BOUNDARY ? &walls : &pairs) += 1;
        }
        check_positions(&system, 20);
        for (size_t k = 0; k < system.count; k++) {
            counted_walls += system.counts[k].walls;
            counted_halves += system.counts[k].particles;
        }
        CHECK(counted_walls == walls && counted_halves == 2 * pairs);
        schedule_free(schedule);
    }
}

/* Of equal masses 1. */
static double energy_of(const struct system *system)
{
    double energy = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        energy += (p->u * p->u + p->v * p->v) / 2;
    }
    return energy;
}

/* A gas that cools: the run ends, its energy only falls, and both schedules give the same bytes. */
RANDOM_TEST(a_cooling_gas, 34)
{
    static const double restitutions[] = {0.9, 0.5, 0};
    size_t count = check_is_thorough() ? 500 : 150;
    OWNED(system, gas) = random_system(random, count, 0.3, 1);
    double before = energy_of(&gas);
    for (size_t k = 0; k < 3; k++) {
        OWNED(system, system) = system_copy(&gas);
        system.law = (struct system_law){RULE_ELASTIC, restitutions[k], physics_contact_time(&gas)};
        OWNED(system, twin) = system_copy(&system);
        CHECK(observed_run(&system, SCHEDULE_ARRAY, 300, NULL, &failure) == STATUS_DONE);
        CHECK(observed_run(&twin, SCHEDULE_CELLS, 300, NULL, &failure) == STATUS_DONE);
        CHECK(agreement_is_same(&system, &twin));
        CHECK(energy_of(&system) < (k == 0 ? 0.1 : 0.01) * before);
        CHECK(energy_of(&system) > 0);
    }
}

/* A row of disks that runs into a wall, or whose ends close in on the others. */
static void make_row(struct system *row, int closes)
{
    for (size_t k = 0; k < row->count; k++) {
        struct particle *p = &row->particles[k];
        size_t last = row->count - 1;
        *p = (struct particle){.x = 2 + 2.5 * (double)k, .y = 5, .u = -1, .id = (int32_t)k};
        if (closes)
            p->u = k == 0 ? 1 : k == last ? -1 : 0;
    }
    row->boundary.width = 400;
    row->boundary.height = 10;
}

/* Inelastic collapse: with a contact time the run ends; without one, that is said. */
RANDOM_TEST(inelastic_collapse, 35)
{
    static const double restitutions[] = {0.5, 0.1, 1e-3, 0};
    static const size_t counts[] = {2, 3, 4, 7, 12};
    int collapsed = 0;
    const size_t step = check_is_thorough() ? 1 : 5; /* which leaves some of each */
    for (size_t round = 0; round < 40; round += step) {
        struct system row = random_lattice(random, counts[round / 8], 1, 1);
        make_row(&row, round & 1);
        double contact_time = physics_contact_time(&row);
        row.law = (struct system_law){RULE_ELASTIC, restitutions[round / 2 % 4], contact_time};
        CHECK(observed_run(&row, SCHEDULE_ARRAY, 1000, NULL, &failure) == STATUS_DONE);
        struct system twin = row;
        make_row(&twin, round & 1);
        twin.law.contact_time = 0;
        if (observed_run(&twin, SCHEDULE_ARRAY, 1000, NULL, &failure) != STATUS_DONE) {
            collapsed++;
            CHECK(strstr(failure.message, "contact time longer than 0") != NULL);
        }
        system_free(&row);
    }
    CHECK(collapsed > (int)(10 / step));
}
