/* Tests of rough disks: collisions against impulses that this file solves for in long doubles, what
 * is conserved, disks that roll and slide, equipartition, cooling against theory, and that all
 * schedules agree. */
#include "agreement.h"
#include "base/elementary.h"
#include "check.h"
#include "run/dynamics.h"
#include "tiled.h"

typedef long double real;

/* ---- One collision ---- */

/* A body that moves and turns, at the point of contact; the inverses of mass and moment of inertia
 * are 0 for a wall. */
struct body {
    real u, v, spin;
    real inverse_mass, inverse_inertia;
    real x, y; /* from its centre to the point of contact */
};

static struct body body_of(const struct system *system, size_t k, real x, real y)
{
    const struct particle *p = &system->particles[k];
    const real mass = system_mass(system, p), radius = system_radius(system, p);
    const real length = sqrtl(x * x + y * y);
    return (struct body){p->u,
                         p->v,
                         system->spins[k],
                         1 / mass,
                         1 / (system->boundary.surfaces.inertia * mass * radius * radius),
                         radius * x / length,
                         radius * y / length};
}

/* Gives a body an impulse at the point of contact. */
static void push(struct body *body, real px, real py)
{
    body->u += px * body->inverse_mass;
    body->v += py * body->inverse_mass;
    body->spin += (body->x * py - body->y * px) * body->inverse_inertia;
}

/* The velocity of the surface of a there as seen from b, along a direction. */
static real slip_along(const struct body *a, const struct body *b, real x, real y)
{
    const real u = (a->u - a->spin * a->y) - (b->u - b->spin * b->y);
    const real v = (a->v + a->spin * a->x) - (b->v + b->spin * b->x);
    return u * x + v * y;
}

/* By how much the relative velocity along (rx, ry) changes by a unit impulse along (x, y) on b. */
static real response(struct body a, struct body b, real x, real y, real rx, real ry)
{
    const real before = slip_along(&a, &b, rx, ry);
    push(&a, -x, -y);
    push(&b, x, y);
    return slip_along(&a, &b, rx, ry) - before;
}

/* Collides bodies along the unit normal (x, y) from a to b: finds both impulses from what they
 * bring about. */
static void brute_collide(struct body *a, struct body *b, real x, real y, real restitution,
                          const struct surfaces *surfaces)
{
    const real nn = response(*a, *b, x, y, x, y), nt = response(*a, *b, -y, x, x, y);
    const real tn = response(*a, *b, x, y, -y, x), tt = response(*a, *b, -y, x, -y, x);
    const real n = -(1 + restitution) * slip_along(a, b, x, y);
    const real t = -(1 + (real)surfaces->roughness) * slip_along(a, b, -y, x);
    real normal = (n * tt - t * nt) / (nn * tt - nt * tn);
    real along = (nn * t - tn * n) / (nn * tt - nt * tn);
    if (fabsl(along) > surfaces->friction * normal) {
        along = copysignl(surfaces->friction * normal, along);
        normal = (n - nt * along) / nn;
    }
    push(a, -(normal * x - along * y), -(normal * y + along * x));
    push(b, normal * x - along * y, normal * y + along * x);
}

static int is_as(const struct system *system, size_t k, const struct body *body, double scale)
{
    const struct particle *p = &system->particles[k];
    const double radius = system_radius(system, p);
    return fabs(p->u - (double)body->u) < 1e-13 * scale &&
           fabs(p->v - (double)body->v) < 1e-13 * scale &&
           fabs(system->spins[k] - (double)body->spin) * radius < 1e-13 * scale;
}

/* Momentum, angular momentum about (3, -7), and energy of a system. */
static void add_up(const struct system *system, double sums[4])
{
    memset(sums, 0, 4 * sizeof sums[0]);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double mass = system_mass(system, p), rim = system_rim(system, k);
        const double turning = system->boundary.surfaces.inertia * mass * rim;
        sums[0] += mass * p->u;
        sums[1] += mass * p->v;
        sums[2] +=
            mass * ((p->x - 3) * p->v - (p->y + 7) * p->u) + turning * system_radius(system, p);
        sums[3] += 0.5 * mass * (p->u * p->u + p->v * p->v) + 0.5 * turning * rim;
    }
}

/* A pair about to touch, of radii and masses of its own. */
static struct system touching_pair(struct random_generator *random)
{
    struct system pair = SYSTEM(2, 100, 100, .radius = 1, .law = ELASTIC);
    must(system_reserve(&pair, 2, &failure));
    arranged_kinds(&pair, 2);
    for (uint32_t k = 0; k < 2; k++) {
        pair.particles[k].kind = k;
        pair.kinds[k].radius = pow(10, 2 * random_unit(random) - 1);
        pair.kinds[k].mass = random_below(random, 2) ? 1 : pow(10, 4 * random_unit(random) - 2);
    }
    const double angle = 2 * PI * random_unit(random);
    const double contact = pair.kinds[0].radius + pair.kinds[1].radius;
    set_particle(&pair, 0, 50, 50, random_unit(random) - 0.5, random_unit(random) - 0.5);
    set_particle(&pair, 1, 50 + contact * cos(angle), 50 + contact * sin(angle),
                 random_unit(random) - 0.5, random_unit(random) - 0.5);
    random_rough(random, &pair);
    pair.law.restitution = random_below(random, 2) ? 1 : random_unit(random);
    return pair;
}

RANDOM_TEST(pairs, 55)
{
    const int rounds = check_is_thorough() ? 20000 : 2000;
    int sticks = 0, slides = 0;
    for (int round = 0; round < rounds; round++) {
        OWNED(system, pair) = touching_pair(random);
        const struct particle *a = &pair.particles[0], *b = &pair.particles[1];
        const real dx = (real)b->x - a->x, dy = (real)b->y - a->y, d = sqrtl(dx * dx + dy * dy);
        struct body bodies[2] = {body_of(&pair, 0, dx, dy), body_of(&pair, 1, -dx, -dy)};
        double before[4], after[4];
        if ((a->u - b->u) * (double)dx + (a->v - b->v) * (double)dy < 1e-3)
            continue;
        add_up(&pair, before);
        physics_resolve(&pair, &(struct event){0, 0, 1});
        add_up(&pair, after);
        brute_collide(&bodies[0], &bodies[1], dx / d, dy / d, pair.law.restitution,
                      &pair.boundary.surfaces);
        const double masses = fmax(pair.kinds[0].mass, pair.kinds[1].mass);
        CHECK(is_as(&pair, 0, &bodies[0], 1 + masses / pair.kinds[0].mass) &&
              is_as(&pair, 1, &bodies[1], 1 + masses / pair.kinds[1].mass));
        for (int k = 0; k < 3; k++)
            CHECK(fabs(after[k] - before[k]) < 1e-12 * masses * (k == 2 ? 100 : 1));
        const struct surfaces *surfaces = &pair.boundary.surfaces;
        const int keeps_energy = pair.law.restitution == 1 && fabs(surfaces->roughness) == 1 &&
                                 surfaces->friction == SYSTEM_LARGEST;
        CHECK(keeps_energy ? fabs(after[3] - before[3]) < 1e-13 * before[3]
                           : after[3] < before[3] * (1 + 1e-13));
        sticks += surfaces->friction == SYSTEM_LARGEST;
        slides += surfaces->friction < SYSTEM_LARGEST;
    }
    CHECK(sticks > rounds / 8 && slides > rounds / 8);
}

/* The four sides of the box, and a side and a corner of a polygon. */
RANDOM_TEST(walls, 56)
{
    static const double block[][2] = {{4, 4}, {7, 5}, {5, 8}};
    static const double normals[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int round = 0; round < 2000; round++) {
        const int side = round % 6;
        OWNED(system, system) = SYSTEM(1, 10, 10, .radius = 0.5, .law = ELASTIC);
        must(system_reserve(&system, 1, &failure));
        real x = side < 4 ? normals[side][0] : 1, y = side < 4 ? normals[side][1] : -3;
        set_particle(&system, 0, x > 0 ? 0.5 : 9.5, y > 0 ? 0.5 : 9.5, 0, 0);
        if (side == 4) /* at the middle of the lowest side of the block */
            set_particle(&system, 0, 5.5 + 0.5 / sqrt(10), 4.5 - 1.5 / sqrt(10), 0, 0);
        if (side == 5) { /* below the corner where it begins */
            x = -0.6L, y = -0.8L;
            set_particle(&system, 0, 4 - 0.3, 4 - 0.4, 0, 0);
        }
        if (side >= 4)
            system_add_polygon(&system, block, LENGTH(block), 0);
        random_rough(random, &system);
        const real length = sqrtl(x * x + y * y);
        struct particle *p = &system.particles[0];
        p->u = 2 * random_unit(random) - 1;
        p->v = 2 * random_unit(random) - 1;
        if (p->u * (double)x + p->v * (double)y > -1e-3)
            continue;
        struct body wall = {0}, body = body_of(&system, 0, -x, -y);
        brute_collide(&wall, &body, x / length, y / length, 1, &system.boundary.surfaces);
        const int32_t feature = side < 4 ? FEATURE_LEFT - side : side == 4 ? -5 : -6;
        physics_resolve(&system, &(struct event){0, 0, feature});
        if (!CHECK(is_as(&system, 0, &body, 10)))
            printf("    %d: %g %g %g, not %Lg %Lg %Lg\n", side, p->u, p->v, system.spins[0], body.u,
                   body.v, body.spin);
        CHECK(system.counts[0].walls == 1);
    }
}

/* Where a disk is as small as what rounding leaves of places, a corner has no direction to rub in.
 */
TEST(a_grain_of_dust_at_a_corner)
{
    static const double block[][2] = {{4, 4}, {7, 5}, {5, 8}};
    OWNED(system, system) = SYSTEM(1, 10, 10, .radius = 1e-15, .law = ELASTIC);
    system.boundary.surfaces = (struct surfaces){1, 1, SYSTEM_LARGEST, 0.5};
    must(system_reserve(&system, 1, &failure));
    system_add_polygon(&system, block, LENGTH(block), 0);
    set_particle(&system, 0, 4, 4 - 1e-15, 0.25, 1);
    system.spins[0] = 3;
    physics_resolve(&system, &(struct event){0, 0, -6});
    CHECK(system.particles[0].v < 0 && system.spins[0] == 3);
}

/* ---- Runs ---- */

/* A gas of any kind, whose disks turn. */
static struct system rough_gas(struct random_generator *random, size_t k)
{
    static const enum mixed_kind kinds[] = {MIXED_TWO, MIXED_RADII, MIXED_MASSES, MIXED_FEW_LARGE};
    struct system system = k % 3 ? mixed_system(random, kinds[k % 4], 60 + 20 * (k % 8), 0.3)
                                 : generated_gas(100 + 20 * (k % 8), 0.4, k, 0);
    if (k % 2)
        random_periodic(random, &system, random_axes(random));
    system.law = ELASTIC;
    if (k % 4 == 3)
        system.law = (struct system_law){RULE_ELASTIC, 0.8, 1e-4};
    if (k % 5 == 2)
        random_walls(random, &system);
    if (k % 4 == 2)
        system.boundary.gravity = acceleration_make((const double[]){0, -0.1});
    random_rough(random, &system);
    return system;
}

RANDOM_TEST(schedules_and_tiles_agree, 57)
{
    const size_t cases = check_is_quick() ? 2 : check_is_thorough() ? 20 : 6;
    uint64_t outcomes[TILES_OUTCOMES] = {0};
    for (size_t k = 0; k < cases; k++) {
        OWNED(system, system) = rough_gas(random, k);
        const double end = agreement_time(&system, 2000);
        const struct schedule_threads threads = {1 + (unsigned)(k % 3), 4 + (uint32_t)(k % 5)};
        if (!CHECK(tiled_check(&system, end, 20000, &threads, random, outcomes)))
            printf("    case %zu\n", k);
        CHECK(agreement_check(&system, end, k < 2));
    }
    CHECK(outcomes[TILES_DONE] > 0);
}

/* Of a gas of 20000 and more the order is restored by way of another block. */
RANDOM_TEST(large_gases, 58)
{
    OWNED(system, system) = generated_gas(20000, 0.4, 3, PERIODIC_X);
    OWNED(system, twin) = (struct system){0};
    system.law = ELASTIC;
    random_rough(random, &system);
    twin = system_copy(&system);
    struct schedule *schedule = NULL;
    must(schedule_create(SCHEDULE_CELLS, &twin, &(struct schedule_threads){.count = 2}, &schedule,
                         &failure));
    CHECK(simulation_run(schedule, 0.2, NULL, &failure) == STATUS_DONE);
    schedule_free(schedule);
    CHECK(agreement_run(SCHEDULE_CELLS, &system, 0.2, &failure) == STATUS_DONE);
    CHECK(agreement_is_same(&twin, &system));
}

/* With roughness -1, and with friction 0, disks move as smooth ones do, to the last bit, and keep
 * their spins. */
RANDOM_TEST(smooth_surfaces, 59)
{
    for (size_t k = 0; k < 8; k++) {
        OWNED(system, system) = rough_gas(random, k);
        OWNED(system, smooth) = system_copy(&system);
        const double first = system.spins[7];
        system.boundary.surfaces.roughness = k % 2 ? -1 : 0.5;
        system.boundary.surfaces.friction = k % 2 ? 0.5 : 0;
        smooth.boundary.surfaces = (struct surfaces){0};
        memory_free(smooth.spins);
        smooth.spins = NULL;
        const double end = agreement_time(&smooth, 1000);
        CHECK(agreement_run(SCHEDULE_CELLS, &system, end, &failure) == STATUS_DONE);
        CHECK(agreement_run(SCHEDULE_CELLS, &smooth, end, &failure) == STATUS_DONE);
        CHECK(agreement_is_same(&smooth, &system));
        CHECK(system.spins[7] == first);
    }
}

/* Momentum and energy of perfectly rough disks in a periodic box, with different moments of
 * inertia. */
RANDOM_TEST(conservation, 60)
{
    static const double inertia[] = {0.5, 0.25, 1, 0.3, SURFACES_LEAST_INERTIA};
    for (size_t n = 0; n < LENGTH(inertia); n++) {
        OWNED(system, system) = mixed_system(random, MIXED_RADII, 100, 0.4);
        const int collisions = n == 0 || check_is_thorough() ? 30000 : 5000;
        double before[4], after[4];
        random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
        system.law = ELASTIC;
        random_rough(random, &system);
        system.boundary.surfaces = (struct surfaces){1, 1, SYSTEM_LARGEST, inertia[n]};
        add_up(&system, before);
        const double end = agreement_time(&system, collisions);
        CHECK(agreement_run(SCHEDULE_CELLS, &system, end, &failure) == 0);
        add_up(&system, after);
        CHECK(fabs(after[3] / before[3] - 1) < 1e-13);
        for (int k = 0; k < 2; k++)
            CHECK(fabs(after[k] - before[k]) < 1e-12);
    }
}

/* ---- Rolling ---- */

/* A disk on the floor, pulled down by gravity 1 and along it by `pull`. */
static struct system disk_on_floor(double pull, double roughness, double friction)
{
    struct system system = SYSTEM(1, 100, 4, .radius = 0.5);
    system.boundary.surfaces = (struct surfaces){1, roughness, friction, SURFACES_INERTIA};
    must(system_reserve(&system, 1, &failure));
    system.law = ELASTIC;
    system.boundary.gravity = acceleration_make((const double[]){pull, -1});
    system.law.contact_time = 1e-4;
    return system;
}

/* A disk that slides along the floor rolls in the end, with 2/3 of its first velocity; friction f
 * takes v / (3 f g) for that. */
TEST(a_sliding_disk_begins_to_roll)
{
    OWNED(system, system) = disk_on_floor(0, 0, 0.2);
    set_particle(&system, 0, 2, 0.5, 3, 0);
    CHECK(agreement_check(&system, 4, 0));
    CHECK(fabs(system.particles[0].u - (3 - 0.2 * 4)) < 1e-3);
    CHECK(fabs(system.spins[0] * 0.5 + 2 * 0.2 * 4) < 2e-3);
    CHECK(agreement_check(&system, 6, 0));
    CHECK(fabs(system.particles[0].u - 2) < 1e-9 && fabs(system.spins[0] * 0.5 + 2) < 1e-9);
    CHECK(fabs(system.particles[0].y - 0.5) < 1e-8);
}

/* With the moment of inertia Q m R^2 it keeps 1 / (1 + Q) of its velocity. */
TEST(rolling_with_any_inertia)
{
    static const double inertia[] = {1, 0.25, 0.01};
    for (size_t k = 0; k < LENGTH(inertia); k++) {
        OWNED(system, system) = disk_on_floor(0, k == 2 ? -0.5 : 0, 0.2);
        const double rolling = 3 / (1 + inertia[k]);
        system.boundary.surfaces.inertia = inertia[k];
        set_particle(&system, 0, 2, 0.5, 3, 0);
        CHECK(agreement_check(&system, 9, 0));
        CHECK(fabs(system.particles[0].u - rolling) < 1e-9 &&
              fabs(system.spins[0] * 0.5 + rolling) < 1e-9);
    }
}

/* On an incline of slope s a disk rolls with 2/3 of the acceleration along it, if friction is more
 * than s / 3; else it slides, with what friction leaves. */
TEST(a_disk_rolls_down_an_incline)
{
    static const double rows[][4] = {{0.6, 0, SYSTEM_LARGEST, 0.4},
                                     {0.6, 0.5, 0.25, 0.4},
                                     {0.6, 1, SYSTEM_LARGEST, 0.4},
                                     {0.6, 0, 0.1, 0.5},
                                     {0.6, -1, SYSTEM_LARGEST, 0.6}};
    for (size_t k = 0; k < LENGTH(rows); k++) {
        OWNED(system, system) = disk_on_floor(rows[k][0], rows[k][1], rows[k][2]);
        set_particle(&system, 0, 2, 0.5, 0, 0);
        CHECK(agreement_check(&system, 4, 0));
        CHECK(fabs(system.particles[0].u - 4 * rows[k][3]) < 2e-3);
        const double rim = 0.5 * -system.spins[0];
        CHECK(fabs(rim - (rows[k][1] < 0 ? 0 : 2 * 4 * (rows[k][0] - rows[k][3]))) < 2e-3);
    }
}

/* ---- Many disks ---- */

/* The temperatures of translation and of rotation; the momentum is 0. */
static void find_temperatures(const struct system *system, double temperatures[2])
{
    double moves = 0, turns = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double rim = system_rim(system, k), mass = system_mass(system, p);
        moves += 0.5 * mass * (p->u * p->u + p->v * p->v);
        turns += system->boundary.surfaces.inertia * mass * rim * rim;
    }
    temperatures[0] = moves / ((double)system->count - 1);
    temperatures[1] = turns / (double)system->count;
}

/* Perfectly rough elastic disks, none of which turns at first, share their energy. */
TEST(equipartition)
{
    const size_t count = check_is_thorough() ? 2000 : 200;
    const int samples = check_is_thorough() ? 40 : 20;
    OWNED(system, system) = generated_gas(count, 0.3, 5, PERIODIC_X | PERIODIC_Y);
    double sums[2] = {0, 0}, temperatures[2];
    system.law = ELASTIC;
    system.boundary.surfaces = (struct surfaces){1, 1, SYSTEM_LARGEST, SURFACES_INERTIA};
    system.spins = memory_allocate_zeros(count, sizeof *system.spins, "a test", &failure);
    for (int k = 0; k < samples + 5; k++) {
        CHECK(!agreement_run(SCHEDULE_CELLS, &system, 8 * (k + 1), &failure));
        find_temperatures(&system, temperatures);
        for (int m = 0; m < 2 && k >= 5; m++)
            sums[m] += temperatures[m];
    }
    /* At constant energy T_rot / T_tr has the variance 3 / N. */
    CHECK(fabs(sums[1] / sums[0] - 1) < 3 * sqrt(3 / ((double)count * samples)));
}

/*
 * The cooling of a dilute gas: with w = 4 R n sqrt(pi T / m) collisions of each disk per time,
 * q = I / (m R^2) and h = q (1 + roughness) / (2 q + 2)
 *     dT / dt = w (-((1 - e^2) / 2 + h (1 - h)) T + h^2 / q T_rot),
 *     dT_rot / dt = 2 w h / q (h T - (1 - h / q) T_rot)
 * (M. Huthmann and A. Zippelius, Dynamics of inelastically colliding rough spheres, Phys. Rev. E
 * 56, R6275, 1997, in two dimensions).
 */
static void cool(const struct system *system, double duration, double temperatures[2])
{
    const double q = system->boundary.surfaces.inertia, e = system->law.restitution;
    const double h = q * (1 + system->boundary.surfaces.roughness) / (2 * q + 2);
    const double density =
        (double)system->count / (system->boundary.width * system->boundary.height);
    const double covered = density * PI * system->radius * system->radius;
    const double g = (1 - 7.0 / 16 * covered) / ((1 - covered) * (1 - covered)); /* Henderson's */
    for (int k = 0; k < 1000; k++) {
        const double t = temperatures[0], turning = temperatures[1];
        const double step = duration / 1000 * 4 * system->radius * density * g * sqrt(PI * t);
        temperatures[0] += step * (h * h / q * turning - ((1 - e * e) / 2 + h * (1 - h)) * t);
        temperatures[1] += step * 2 * h / q * (h * t - (1 - h / q) * turning);
    }
}

/* Velocities are Maxwell's only at first: these are short, a collision of each disk or two. */
RANDOM_TEST(cooling, 61)
{
    static const double rows[][4] = {{1, 1, 0, 0.5},      {0.9, 0, 0, 0.5},      {0.9, 0, 1, 0.5},
                                     {0.8, -0.5, 2, 0.5}, {0.95, 0.5, 0.5, 0.5}, {1, 1, 0, 1},
                                     {0.9, 0, 1, 0.1},    {0.8, 0.5, 2, 0.25}};
    const size_t count = check_is_thorough() ? 20000 : 2000;
    for (size_t k = 0; k < (check_is_thorough() ? LENGTH(rows) : 6); k++) {
        OWNED(system, system) = generated_gas(count, 0.01, 11 + k, PERIODIC_X | PERIODIC_Y);
        double expected[2], found[2];
        system.law = (struct system_law){RULE_ELASTIC, rows[k][0], 0};
        random_rough(random, &system);
        system.boundary.surfaces = (struct surfaces){1, rows[k][1], SYSTEM_LARGEST, rows[k][3]};
        for (size_t n = 0; n < count; n++) { /* Maxwell's distributions */
            struct particle *p = &system.particles[n];
            double normal;
            random_normal(random, &p->u, &p->v);
            random_normal(random, &system.spins[n], &normal);
            system.spins[n] *= sqrt(rows[k][2] / rows[k][3]);
        }
        find_temperatures(&system, expected);
        const double duration = 1 / (4 * 0.01 / PI * sqrt(PI * expected[0]));
        cool(&system, duration, expected);
        CHECK(!agreement_run(SCHEDULE_CELLS, &system, duration, &failure));
        find_temperatures(&system, found);
        const double bound = 3 * sqrt(2 / (double)count);
        if (!CHECK(fabs(found[0] / expected[0] - 1) < bound &&
                   fabs(found[1] / expected[1] - 1) < 2 * bound))
            printf("    %zu: %g %g, not %g %g\n", k, found[0], found[1], expected[0], expected[1]);
    }
}
