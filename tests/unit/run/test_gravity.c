/* Tests of runs under gravity: bounces that can be computed by hand, energy, billiards among
 * polygons against another program in long doubles, and that all schedules agree. */
#include "agreement.h"
#include "base/elementary.h"
#include "check.h"

static const double R = 0.25;

static struct system fall_box(size_t count, double gx, double gy)
{
    const double gravity[2] = {gx, gy};
    struct system system = SYSTEM(count, 10, 10, .radius = R, .law = ELASTIC);
    must(system_reserve(&system, count, &failure));
    system.boundary.gravity = acceleration_make(gravity);
    return system;
}

static struct motion fall_state(const struct system *system, double time)
{
    return motion_at(&system->boundary.gravity, &system->particles[0], time);
}

/* Of all particles; the masses are equal. */
static double fall_energy(const struct system *system, double time)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct motion at = motion_at(&system->boundary.gravity, &system->particles[k], time);
        sum += 0.5 * (at.u * at.u + at.v * at.v) - system->boundary.gravity.x * at.x -
               system->boundary.gravity.y * at.y;
    }
    return sum;
}

/* A ball's n-th bounce is at (2 n + 1) times the time of its fall. Times are rounded to 10^-11
 * there, all to one side, and speeds not at all. */
TEST(ten_thousand_bounces)
{
    OWNED(system, system) = fall_box(1, 0, -0.7);
    const long double g = 0.7, fall = sqrtl(2 * ((long double)5.3 - R) / g);
    set_particle(&system, 0, 5, 5.3, 0, 0);
    const double end = (double)(20002.5L * fall);
    CHECK(agreement_check(&system, end, 1));
    CHECK(system.counts[0].walls == 10001);
    const long double up = end - 20001 * fall;
    const struct motion at = fall_state(&system, end);
    CHECK(fabs(at.y - (double)(R + up * g * (fall - up / 2))) < 1e4 * 1e-11 * 2.7);
    CHECK(fabs(fall_energy(&system, end) - 0.7 * 5.3) < 1e-14 * 3.71);
}

/* With restitution 1/2 a ball that falls for a time T rests at 3 T; and then time goes on, with a
 * hop in each contact time. */
TEST(a_ball_comes_to_rest)
{
    OWNED(system, system) = fall_box(1, 0, -1);
    set_particle(&system, 0, 5, R + 2, 0, 0);
    system.law.restitution = 0.5;
    system.law.contact_time = physics_contact_time(&system);
    CHECK(fabs(system.law.contact_time - 1e-5 * sqrt(2 * R)) < 1e-17);
    system.boundary.walls = wall_laws_create(0, 1, &failure);
    system.boundary.walls->list[2].restitution = 0.5;
    CHECK(system.boundary.walls->list[2].restitution == 0.5);
    CHECK(agreement_check(&system, 5.9, 1));
    CHECK(system.counts[0].walls < 10 && fall_state(&system, 5.9).y > R + 1e-5);
    const uint64_t before = system.counts[0].walls;
    CHECK(agreement_check(&system, 6.1, 1));
    const double hops = (double)(system.counts[0].walls - before);
    CHECK(fabs(hops - 0.1 / system.law.contact_time) < 30);
    CHECK(fall_state(&system, 6.1).y < R + 1e-10);
}

/* What falls on a ball that rests, and so has just collided, loses energy all the same. */
TEST(a_ball_falls_on_another)
{
    OWNED(system, system) = fall_box(2, 0, -1);
    set_particle(&system, 0, 5, R, 0, 0);
    set_particle(&system, 1, 5, 3 * R + 2, 0, 0);
    system.law.restitution = 0;
    system.law.contact_time = physics_contact_time(&system);
    CHECK(agreement_check(&system, 2.01, 1));
    for (size_t k = 0; k < 2; k++)
        CHECK(motion_at(&system.boundary.gravity, &system.particles[k], 2.01).v < 1.01);
}

/* At rest on the floor at the start, without any loss, it stays there. */
TEST(a_ball_at_rest_stays)
{
    OWNED(system, system) = fall_box(1, 0, -1);
    set_particle(&system, 0, 5, R, 0, 0);
    system.law.contact_time = physics_contact_time(&system);
    CHECK(agreement_check(&system, 0.01, 1));
    CHECK(system.counts[0].walls > 1000 && system.counts[0].walls < 3000);
    CHECK(fall_state(&system, 0.01).y < R + 1e-10);
}

RANDOM_TEST(schedules_agree_and_energy_stays, 55)
{
    const size_t cases = check_is_quick() ? 4 : check_is_thorough() ? 200 : 12;
    for (size_t k = 0; k < cases; k++) {
        const double gravity[2] = {k % 2 ? 0 : random_unit(random) - 0.5, -random_unit(random)};
        const enum mixed_kind kind = (enum mixed_kind)(k % MIXED_KINDS);
        OWNED(system, system) = k % 3 ? mixed_system(random, kind, 12 + 10 * (k % 24), 0.3)
                                      : random_system(random, 12 + 10 * (k % 24), 0.4, 1);
        if (k % 2)
            random_periodic(random, &system, PERIODIC_X);
        system.boundary.gravity = acceleration_make(gravity);
        system.law = ELASTIC;
        system.law.contact_time = physics_contact_time(&system);
        const int is_equal = !system.kinds;
        const double before = fall_energy(&system, 0);
        CHECK(agreement_check(&system, 3, k < 4));
        if (is_equal)
            CHECK(fabs(fall_energy(&system, 3) - before) < 1e-12 * fabs(before));
    }
}

/* ---- Among polygons ---- */

enum { MOST_SIDES = 80 };

/* Another program: it goes on in steps much shorter than a flight, and halves the one in which the
 * distance to a side or its ends, which are segments, has become that of contact. */
struct brute_run {
    size_t count;
    double ends[MOST_SIDES][4];
    long double x, y, u, v, gx, gy, radius;
    long double nx, ny; /* from the nearest point */
};

static void brute_fall(struct brute_run *run, long double time)
{
    run->x += (run->u + run->gx * time / 2) * time;
    run->y += (run->v + run->gy * time / 2) * time;
    run->u += run->gx * time;
    run->v += run->gy * time;
}

/* How far the disk is from all segments, as far as it approaches them. */
static long double brute_gap(struct brute_run *run)
{
    long double least = 100;
    for (size_t k = 0; k < run->count; k++) {
        const double *end = run->ends[k];
        const long double lx = (long double)end[2] - end[0], ly = (long double)end[3] - end[1];
        long double part = ((run->x - end[0]) * lx + (run->y - end[1]) * ly) / (lx * lx + ly * ly);
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        const long double dx = run->x - end[0] - part * lx, dy = run->y - end[1] - part * ly;
        const long double distance = sqrtl(dx * dx + dy * dy);
        if (distance - run->radius >= least || dx * run->u + dy * run->v >= 0)
            continue;
        least = distance - run->radius;
        run->nx = dx / distance;
        run->ny = dy / distance;
    }
    return least;
}

/* Returns the number of hits up to `end`. */
static uint64_t brute_advance(struct brute_run *run, long double end)
{
    const long double step = 1 / 256.0L;
    uint64_t hits = 0;
    for (long double time = 0; time < end;) {
        struct brute_run next = *run;
        long double low = 0, high = step < end - time ? step : end - time;
        brute_fall(&next, high);
        if (brute_gap(&next) > 0) {
            *run = next;
            time += high;
            continue;
        }
        for (int k = 0; k < 80; k++) {
            const long double middle = (low + high) / 2;
            next = *run;
            brute_fall(&next, middle);
            if (brute_gap(&next) > 0)
                low = middle;
            else
                high = middle;
        }
        brute_fall(run, high);
        brute_gap(run);
        const long double twice = 2 * (run->u * run->nx + run->v * run->ny);
        run->u -= twice * run->nx;
        run->v -= twice * run->ny;
        time += high;
        hits++;
    }
    return hits;
}

static void brute_add(struct brute_run *run, const double (*vertices)[2], size_t count)
{
    for (size_t k = 0; k < count; k++, run->count++) {
        memcpy(run->ends[run->count], vertices[k], sizeof *vertices);
        memcpy(run->ends[run->count] + 2, vertices[(k + 1) % count], sizeof *vertices);
    }
}

static void compare_with_brute(const double (*vertices)[2], size_t count, int is_inside, double x,
                               double y, double end)
{
    static const double box[4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    OWNED(system, system) = fall_box(1, 0.125, -0.5);
    struct brute_run run = {.x = x, .y = y, .u = 0.25, .gx = 0.125, .gy = -0.5, .radius = R};
    set_particle(&system, 0, x, y, 0.25, 0);
    system_add_polygon(&system, vertices, count, is_inside);
    brute_add(&run, vertices, count);
    brute_add(&run, box, 4);
    const uint64_t hits = brute_advance(&run, end);
    CHECK(agreement_check(&system, end, 1));
    const struct motion at = fall_state(&system, end);
    CHECK(hits > 2 && system.counts[0].walls == hits);
    CHECK(fabs(at.x - (double)run.x) < 1e-9 && fabs(at.y - (double)run.y) < 1e-9);
}

TEST(billiards_among_polygons)
{
    const double wedge[3][2] = {{0.5, 9.5}, {5, 0.5}, {9.5, 9.5}};
    const double body[4][2] = {{4.2, 3}, {5.4, 3.3}, {5.1, 4.5}, {4.6, 4.75}};
    const double needle[3][2] = {{3, 2.5}, {6.5, 2.7}, {4.7, 4}};
    double circle[64][2] = {{0}};
    for (int k = 0; k < 64; k++) {
        elementary_turn(k / 64.0, &circle[k][0], &circle[k][1]);
        circle[k][0] = 5 + 4.5 * circle[k][0];
        circle[k][1] = 5 + 4.5 * circle[k][1];
    }
    compare_with_brute(wedge, 3, 1, 5.3, 7, 25);
    compare_with_brute(wedge, 3, 1, 4, 6, 25);
    compare_with_brute((const double(*)[2])circle, 64, 1, 5.3, 7, 20);
    compare_with_brute((const double(*)[2])circle, 64, 1, 3, 5, 20);
    for (int k = 0; k < 8; k++) {
        compare_with_brute(body, 4, 0, 4 + k * 0.15625, 7, 20);
        compare_with_brute(needle, 3, 0, 3.5 + k * 0.3125, 7.5, 16);
    }
}

/* Many disks, and points, in and around polygons. */
RANDOM_TEST(schedules_agree_among_polygons, 56)
{
    const double body[4][2] = {{4.2, 3}, {5.4, 3.3}, {5.1, 4.5}, {4.6, 4.75}};
    for (size_t k = 0; k < (check_is_quick() ? 2u : 8u); k++) {
        OWNED(system, system) = fall_box(16, 0.25 * (double)(k % 2), -1);
        system.radius = k % 4 < 2 ? R : 0;
        for (size_t m = 0; m < 16; m++)
            set_particle(&system, m, 1 + 2 * (double)(m % 4) + random_unit(random),
                         6 + 1 * (double)(m / 4), random_unit(random) - 0.5,
                         random_unit(random) - 0.5);
        system_add_polygon(&system, body, 4, 0);
        system.law.contact_time = physics_contact_time(&system);
        const double before = fall_energy(&system, 0);
        CHECK(agreement_check(&system, 20, 1));
        CHECK(fabs(fall_energy(&system, 20) - before) < 1e-12 * before);
    }
}
