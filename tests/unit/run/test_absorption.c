/* Tests of runs with walls that absorb: what stays behind, that all schedules agree, and that the
 * others go on as if absorbed particles had never been; and effusion. */
#include "agreement.h"
#include "base/elementary.h"
#include "check.h"
#include "run/snapshot.h"

/* Gives a system sides that absorb along a part of them, `part` of all, in the middle. */
static void absorb_on(struct system *system, unsigned sides, double part)
{
    if (!system->boundary.walls)
        system->boundary.walls = wall_laws_create(
            system->boundary.polygons ? system->boundary.polygons->count : 0, 1, &failure);
    for (int side = 0; side < BOUNDARY_SIDES; side++) {
        const double length = side < 2 ? system->boundary.height : system->boundary.width;
        struct wall_law *law = &system->boundary.walls->list[side];
        law->absorb = sides >> side & 1;
        law->from = length * (1 - part) / 2;
        law->to = length * (1 + part) / 2;
    }
    must(wall_laws_complete(system->boundary.walls, system, &failure));
}

/* The second one comes to the wall where the first one was absorbed, and leaves it, too. */
TEST(a_place_that_is_left)
{
    OWNED(system, system) = SYSTEM(3, 10, 10, .radius = 1, .law = ELASTIC);
    must(system_reserve(&system, 3, &failure));
    set_particle(&system, 0, 5, 5, 1, 0);
    set_particle(&system, 1, 2, 5, 1, 0);
    set_particle(&system, 2, 5, 8, 1, 0);
    absorb_on(&system, 2, 0.2);
    CHECK(agreement_check(&system, 6, 1));
    CHECK(particle_is_absorbed(&system.particles[0]) && system.particles[0].x == 9);
    CHECK(!particle_is_absorbed(&system.particles[1]) && system.counts[1].particles == 0);
    CHECK(agreement_check(&system, 19, 1));
    for (size_t k = 0; k < 2; k++) {
        const struct snapshot snapshot = snapshot_in_order(&system, 19);
        const struct snapshot_particle body = snapshot_body(&snapshot, k);
        CHECK(!snapshot_has(&snapshot, k) && body.x == 9 && body.y == 5 && body.u == 0);
        CHECK(system.counts[k].walls == 1 && system.particles[k].collided == (k == 0 ? 4 : 7));
    }
    CHECK(!particle_is_absorbed(&system.particles[2]) && system.counts[2].walls == 2);
    CHECK(system_present(&system) == 1 && system_last_time(&system) == 12);
}

/* Of three disks that come to each side the one in the middle of it is absorbed; rough or smooth,
 * where the bottom is shaken and where it is not. */
TEST(the_middle_of_each_side)
{
    static const double along[] = {2, 5, 8};
    for (int k = 0; k < 4; k++) {
        OWNED(system, system) = SYSTEM(12, 10, 10, .radius = 0.1, .law = ELASTIC);
        system.boundary.surfaces = (struct surfaces){k % 2, 0.5, SYSTEM_LARGEST, 0.5};
        must(system_reserve(&system, 12, &failure));
        for (size_t n = 0; n < 12; n++) {
            const double across = n / 3 % 2 ? 9 : 1, speed = n / 3 % 2 ? 1 : -1;
            if (n < 6)
                set_particle(&system, n, across, along[n % 3], speed, 0);
            else
                set_particle(&system, n, along[n % 3], across, 0, speed);
        }
        absorb_on(&system, 15, 0.2);
        if (k >= 2) {
            system.boundary.walls->list[2].shake = 0.5;
            system.boundary.walls->list[2].period = 2;
            wall_laws_shake(&system.boundary);
        }
        CHECK(agreement_check(&system, 1.5, 1) && system_present(&system) == 8);
        for (size_t n = 0; n < 12; n++)
            CHECK(particle_is_absorbed(&system.particles[n]) == (n % 3 == 1));
    }
}

/* A copy without absorbed particles; the others have other numbers, in the same order. */
static struct system copy_present(const struct system *system)
{
    struct system copy = system_copy(system);
    copy.count = 0;
    for (size_t k = 0; k < system->count; k++) {
        if (particle_is_absorbed(&system->particles[k]))
            continue;
        copy.particles[copy.count] = system->particles[k];
        copy.particles[copy.count].id = (int32_t)copy.count;
        copy.counts[copy.count++] = system->counts[k];
    }
    return copy;
}

RANDOM_TEST(others_go_on_as_if_they_had_never_been, 71)
{
    const size_t cases = check_is_quick() ? 6 : check_is_thorough() ? 300 : 12;
    size_t left = 0;
    for (size_t n = 0; n < cases; n++) {
        const size_t count = 10 + random_below(random, n < 3 ? 30 : 200);
        OWNED(system, system) =
            n % 3 ? random_system(random, count, 0.3, random_aspect(random) > 1 ? 3 : 1)
                  : mixed_system(random, (enum mixed_kind)(n / 3 % MIXED_KINDS), count, 0.3);
        system.law = n % 2 || system.kinds ? ELASTIC : (struct system_law){0};
        if (n % 4 == 1)
            random_periodic(random, &system, PERIODIC_X);
        if (n % 5 == 2)
            system.boundary.gravity = acceleration_make((double[2]){n % 4 == 1 ? 0 : 0.03, -0.05});
        absorb_on(&system, (unsigned)random_below(random, 15) + 1, 0.1 + 0.9 * random_unit(random));
        const double time = system.boundary.height * (0.2 + random_unit(random));
        CHECK(agreement_check(&system, time, n < 3));
        OWNED(system, others) = copy_present(&system);
        left += system.count - others.count;
        if (others.count == 0)
            continue;
        CHECK(agreement_check(&system, 2 * time, 0));
        must(agreement_run(n % 2 ? SCHEDULE_ARRAY : SCHEDULE_CELLS, &others, 2 * time, &failure));
        for (size_t k = 0, m = 0; k < others.count; m++)
            if (!particle_is_absorbed(&system.particles[m]) ||
                system.particles[m].collided > time) {
                const struct particle *p = &system.particles[m], *q = &others.particles[k++];
                CHECK(memcmp(p, q, offsetof(struct particle, id)) == 0);
            }
    }
    CHECK(left > 10 * cases);
}

/* Points between walls of temperature 1 leave through a slit: of N in the area A, n w sqrt(T / (2
 * pi m)) in a unit of time, with n = N / A. */
RANDOM_TEST(effusion, 72)
{
    const size_t seeds = check_is_thorough() ? 100 : 1, count = 500;
    const double width = 20, height = 10, slit = 0.5;
    const double rate = slit / (width * height * sqrt(2 * PI)), time = 0.2 / rate;
    double left = 0;
    for (size_t seed = 0; seed < seeds; seed++) {
        OWNED(system, system) = arranged_points(random, count, width, height, 0);
        for (size_t k = 0; k < count; k++)
            random_normal(random, &system.particles[k].u, &system.particles[k].v);
        system.boundary.walls = wall_laws_create(0, seed, &failure);
        for (int side = 0; side < BOUNDARY_SIDES; side++)
            system.boundary.walls->list[side].temperature = 1;
        absorb_on(&system, 2, slit / height);
        must(agreement_run(SCHEDULE_CELLS, &system, time, &failure));
        left += (double)(count - system_present(&system));
    }
    const double part = 1 - elementary_exp(-0.2), all = (double)(seeds * count);
    const double error = sqrt(all * part * (1 - part));
    CHECK(fabs(left - all * part) < 3 * error);
}
