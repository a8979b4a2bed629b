/* Tests of a floor that is shaken: each contact of a ball against the height of the floor in long
 * doubles, at many times before it; a ball that keeps step; and that all schedules agree. */
#include "agreement.h"
#include "check.h"

static void shake(struct system *system, double height, double period, double restitution)
{
    system->boundary.walls = wall_laws_create(0, 1, &failure);
    struct wall_law *bottom = &system->boundary.walls->list[2];
    bottom->shake = height;
    bottom->period = period;
    bottom->restitution = restitution;
    wall_laws_shake(&system->boundary);
    must(wall_laws_complete(system->boundary.walls, system, &failure));
}

/* The height of the floor, by another formula than the program's. */
static long double height_at(const struct boundary *boundary, long double time)
{
    const long double phase = time / boundary->shake.period;
    return boundary->shake.height * (1 - fabsl(1 - 2 * (phase - floorl(phase))));
}

static long double gap_at(const struct system *system, const struct particle *p, long double time)
{
    const long double passed = time - p->t;
    const long double y =
        p->y + (p->v + system->boundary.gravity.y * passed / 2) * passed - system->radius;
    return y - height_at(&system->boundary, time);
}

/* Nowhere between its last event and `time` is the ball below the floor. */
static int is_clear(const struct system *system, const struct particle *p, double time,
                    double rounding)
{
    const int times = check_is_thorough() ? 1000 : 100;
    long double early = time - p->t; /* times near its last event, too */
    int is_clear = 1;
    for (int k = 0; k <= times && is_clear; k++, early *= 0.9L) {
        const long double even = (long double)(time - p->t) * k / times;
        is_clear = gap_at(system, p, p->t + even) > -rounding &&
                   gap_at(system, p, p->t + early) > -rounding;
    }
    return is_clear;
}

/* Follows a ball through its hits. Returns how many of them are with the floor. */
static size_t follow_ball(struct system *system, size_t hits)
{
    struct particle *p = system->particles;
    size_t on_floor = 0;
    for (size_t k = 0; k < hits; k++) {
        const struct particle before = *p;
        struct event event = physics_boundary_event(system, 0);
        const int is_never = !(event.time < (double)INFINITY);
        const double end = is_never ? before.t + 50 * system->boundary.shake.period : event.time;
        const double speed = fabs(before.v) + fabs(system->boundary.gravity.y) * (end - before.t) +
                             boundary_floor(&system->boundary.shake, 0).speed;
        const double rounding = 1e-14 * (system->boundary.height + speed * end);
        if (!CHECK(event.time >= before.t && is_clear(system, &before, end, rounding)))
            return on_floor;
        if (is_never)
            return on_floor;
        physics_resolve(system, &event);
        if (event.b != FEATURE_BOTTOM)
            continue;
        on_floor++;
        const double height = (double)height_at(&system->boundary, event.time);
        CHECK(fabsl(gap_at(system, &before, event.time)) < 2 * rounding);
        CHECK(fabs(p->y - system->radius - height) < 2 * rounding);
        const double v = before.v + system->boundary.gravity.y * (event.time - before.t);
        const double floor = boundary_floor(&system->boundary.shake, event.time).speed;
        const double restitution = system->boundary.walls->list[2].restitution;
        CHECK(p->v - floor >= 0 && v - floor < 1e-9 * speed);
        if (system->boundary.gravity.y == 0 || v - floor < -1e-3)
            CHECK(fabs((p->v - floor) + restitution * (v - floor)) < 1e-9 * speed);
    }
    return on_floor;
}

RANDOM_TEST(no_contact_is_lost, 81)
{
    const size_t cases = check_is_quick() ? 20 : check_is_thorough() ? 150 : 40;
    size_t hits = 0;
    for (size_t k = 0; k < cases; k++) {
        const double radius = random_unit(random), height = exp(4 * random_unit(random) - 3);
        OWNED(system, system) = SYSTEM(1, 10, 3 * radius + height * (2 + 20 * random_unit(random)),
                                       .radius = radius, .law = ELASTIC);
        must(system_reserve(&system, 1, &failure));
        const double room = system.boundary.height - 2 * radius - height;
        const double pull = k % 3 == 0 ? 0 : k % 7 == 1 ? 0.1 : -exp(5 * random_unit(random) - 3);
        system.boundary.gravity = acceleration_make((double[2]){0, pull});
        shake(&system, height, exp(6 * random_unit(random) - 4),
              k % 4 == 3 ? random_unit(random) : 1);
        set_particle(&system, 0, 5, radius + height + room * random_unit(random), 0,
                     4 * random_unit(random) - 2);
        system.law.contact_time = physics_contact_time(&system);
        hits += follow_ball(&system, 100);
    }
    CHECK(hits > 20 * cases);
}

/* A ball that hits the floor at the same phase, n periods later each time, with the speed g n P / 2
 * before it: the floor gives back just what the restitution takes, (1 - e) g n P / 2 = (1 + e) w.
 */
TEST(a_ball_keeps_step)
{
    const double period = 0.5, restitution = 0.5, height = 0.25, g = 4;
    OWNED(system, system) = SYSTEM(1, 10, 40, .radius = 0.5, .law = ELASTIC);
    must(system_reserve(&system, 1, &failure));
    system.boundary.gravity = acceleration_make((double[2]){0, -g});
    shake(&system, height, period, restitution);
    set_particle(&system, 0, 5, 0.5 + height / 2, 0, 1.5 * g * period); /* 3 periods up and down */
    system.particles[0].t = period / 4;
    for (int k = 1; k < 5; k++) {
        const struct event event = physics_boundary_event(&system, 0);
        physics_resolve(&system, &event);
        CHECK(event.b == FEATURE_BOTTOM && fabs(event.time - (3 * k + 0.25) * period) < 1e-9);
    }
}

RANDOM_TEST(schedules_agree, 82)
{
    const size_t cases = check_is_quick() ? 4 : check_is_thorough() ? 100 : 8;
    for (size_t k = 0; k < cases; k++) {
        const size_t count = 5 + random_below(random, k < 3 ? 20 : 100);
        OWNED(system, system) =
            k % 3 == 2 ? mixed_system(random, (enum mixed_kind)(k / 3 % MIXED_KINDS), count, 0.2)
                       : random_system(random, count, 0.3, k % 2 ? 1 : 3);
        const double height = system.boundary.height * random_unit(random);
        for (size_t n = 0; n < count; n++)
            system.particles[n].y += height;
        system.boundary.height += height;
        system.law = k % 4 ? ELASTIC : (struct system_law){0};
        if (system.kinds)
            system.law = ELASTIC;
        if (k % 2)
            random_periodic(random, &system, PERIODIC_X);
        if (k % 3)
            system.boundary.gravity = acceleration_make((double[2]){0, -random_unit(random)});
        shake(&system, height, 10 * random_unit(random), k % 5 ? 1 : 0.7);
        system.law.contact_time = physics_contact_time(&system);
        CHECK(agreement_check(&system, 5, k < 3));
    }
}
