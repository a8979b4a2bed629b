/*
 * Tests of lattices: the one that is found leaves the most room of all, and disks that are placed
 * on it overlap nowhere.
 */
#include "generate/lattice.h"

#include "check.h"
#include "random_system.h"

#include <math.h>

enum { MOST = 60 };

/* A box as the rows of a lattice see it. */
struct frame {
    double width, height; /* along the rows, across them */
    int along, across;    /* whether it is periodic there */
};

/* Whether disks of radius `rho` on a lattice in this box overlap. */
static int is_too_large(const struct frame *box, size_t rows, size_t columns, double rho)
{
    double along = box->width - 2 * rho;
    double across = box->height - 2 * rho;
    double step = box->along ? box->width / (double)columns : along / ((double)columns - 0.5);
    double rise = box->across ? box->height / (double)rows : across / ((double)rows - 1);
    if (along < 0 || across < 0)
        return 1;
    if (rows == 1) {
        step = box->along ? step : along / ((double)columns - 1);
        return (columns > 1 || box->along) && step < 2 * rho;
    }
    return ((columns > 1 || box->along) && step < 2 * rho) ||
           ((rows > 2 || box->across) && 2 * rise < 2 * rho) || hypot(step / 2, rise) < 2 * rho;
}

/* The largest radius for any number of rows, by halving. */
static double best_radius(size_t count, const struct frame *box)
{
    double best = 0;
    for (size_t rows = 1; rows <= count + 1; rows++) {
        size_t columns = (count + rows - 1) / rows;
        double low = 0;
        double high = box->width + box->height;
        if (box->across && rows % 2 == 1)
            continue;
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            *(is_too_large(box, rows, columns, middle) ? &high : &low) = middle;
        }
        best = fmax(best, low);
    }
    return best;
}

static struct system empty_system(struct particle *particles, size_t count, double width,
                                  double height)
{
    for (size_t k = 0; k < count; k++)
        particles[k] = (struct particle){.u = 5, .v = 7, .id = (int32_t)k, .kind = 3};
    return (struct system){.count = count,
                           .radius = 1,
                           .boundary.width = width,
                           .boundary.height = height,
                           .particles = particles};
}

static double distance(double a, double b, double length, unsigned is_periodic)
{
    double direct = fabs(a - b);
    return is_periodic ? fmin(direct, length - direct) : direct;
}

/* No two overlap, all are in the box and at decimals, and nothing but places is set. */
static void check_places(const struct system *system, const struct decimals *decimals)
{
    const struct boundary *box = &system->boundary;
    const double R = system->radius;
    const double x_margin = box->periodic & PERIODIC_X ? 0 : R;
    const double y_margin = box->periodic & PERIODIC_Y ? 0 : R;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(p->x >= x_margin && p->x <= box->width - x_margin);
        CHECK(p->y >= y_margin && p->y <= box->height - y_margin);
        CHECK(p->x == number_round(decimals, p->x) && p->y == number_round(decimals, p->y));
        CHECK(p->u == 5 && p->v == 7 && p->id == (int32_t)k && p->kind == 3 && p->t == 0);
        for (size_t j = 0; j < k; j++) {
            const struct particle *q = &system->particles[j];
            CHECK(hypot(distance(p->x, q->x, box->width, box->periodic & PERIODIC_X),
                        distance(p->y, q->y, box->height, box->periodic & PERIODIC_Y)) > 2 * R);
        }
    }
}

/* The best radius of rows that run either way. */
static double best_of_both(const struct system *system)
{
    const struct boundary *box = &system->boundary;
    const int x_periodic = (box->periodic & PERIODIC_X) != 0;
    const int y_periodic = (box->periodic & PERIODIC_Y) != 0;
    const struct frame level = {box->width, box->height, x_periodic, y_periodic};
    const struct frame upright = {box->height, box->width, y_periodic, x_periodic};
    return fmax(best_radius(system->count, &level), best_radius(system->count, &upright));
}

/* From boxes that are too small to such that hold many more, of all shapes. */
static void test_the_best_lattice_is_found_and_holds_all(void)
{
    struct random_generator random = random_from(1);
    int fits = 0;
    int rounds = check_is_thorough() ? 3000 : 400;
    for (int round = 0; round < rounds; round++) {
        struct particle particles[MOST];
        struct lattice lattice;
        struct random_generator generator;
        size_t count = 1 + random_below(&random, MOST);
        double aspect = pow(100, random_unit(&random) - 0.5);
        double area = (double)count * (2 + 2.5 * random_unit(&random));
        struct system system =
            empty_system(particles, count, 2.1 + sqrt(area * aspect), 2.1 + sqrt(area / aspect));
        system.boundary.periodic = (unsigned)round % 4;
        const struct decimals decimals =
            number_choose_decimals(1e-5, system.boundary.width + system.boundary.height);
        double best = best_of_both(&system);
        int does_fit = lattice_find(&system, 1, &lattice);
        if (best > 1.0011 || best < 0.999)
            CHECK(does_fit == (best > 1));
        if (best >= 1) /* others need not be looked for */
            CHECK(fabs(lattice.radius - best) < 1e-9 * best);
        if (!does_fit)
            continue;
        fits++;
        CHECK(lattice.rows * lattice.columns >= count);
        random_seed(&generator, (uint64_t)round);
        lattice_place(&system, 1, &lattice, &decimals, &generator);
        check_places(&system, &decimals);
    }
    CHECK(fits > rounds / 3 && fits < rounds * 9 / 10);
}

/* Many disks come close to the densest of all packings. */
static void test_many_disks(void)
{
    struct lattice lattice;
    struct system system = {
        .count = 100000, .radius = 1, .boundary.width = 590, .boundary.height = 600};
    CHECK(lattice_find(&system, 1, &lattice));
    double full = 100000 * 3.14159265358979 / (590.0 * 600.0); /* 0.887 */
    CHECK(full * lattice.radius * lattice.radius > 0.9);
    CHECK(full * lattice.radius * lattice.radius < 0.9069);
    system.boundary.height = 580; /* 0.918 */
    CHECK(!lattice_find(&system, 1, &lattice));
}

/* A disk may be anywhere in nine tenths of its room, and as likely here as there. */
static void test_the_room_is_used(void)
{
    enum { TRIALS = 4000 };
    double farthest = 0;
    double sum_x = 0;
    double sum_y = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        struct particle particle;
        struct lattice lattice;
        struct random_generator generator;
        struct system system = empty_system(&particle, 1, 10, 14);
        const struct decimals decimals = number_choose_decimals(1e-5, 14);
        CHECK(lattice_find(&system, 1, &lattice) && lattice.radius == 5);
        random_seed(&generator, seed);
        lattice_place(&system, 1, &lattice, &decimals, &generator);
        double dx = particle.x - 5;
        double dy = particle.y - 7;
        farthest = fmax(farthest, hypot(dx, dy));
        sum_x += dx;
        sum_y += dy;
    }
    CHECK(farthest > 3.55 && farthest < 3.6001);
    CHECK(fabs(sum_x / TRIALS) < 0.15 &&
          fabs(sum_y / TRIALS) < 0.15); /* five standard deviations */
}

/* Of more sites than disks, each is left empty as often as the others. */
static void test_any_site_may_stay_empty(void)
{
    enum { TRIALS = 6000 };
    int taken[6] = {0};
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        struct particle particles[5];
        struct random_generator generator;
        const struct lattice lattice = {.rows = 2, .columns = 3, .radius = 1.01};
        struct system system = empty_system(particles, 5, 2.02 + 25, 2.02 + 30);
        const struct decimals decimals = number_choose_decimals(1e-5, 40);
        random_seed(&generator, seed);
        lattice_place(&system, 1, &lattice, &decimals, &generator);
        check_places(&system, &decimals); /* steps of 10, every other row shifted by 5 */
        for (size_t k = 0; k < 5; k++) {
            int row = particles[k].y > 15;
            double along = (particles[k].x - 1.01 - 5 * row) / 10;
            CHECK(fabs(along - floor(along + 0.5)) < 0.01 && along > -0.5 && along < 2.5);
            taken[3 * row + (int)floor(along + 0.5)]++;
        }
    }
    for (int k = 0; k < 6; k++) /* 1000 expected, and five standard deviations */
        CHECK(TRIALS - taken[k] > 850 && TRIALS - taken[k] < 1150);
}

int main(void)
{
    RUN(test_the_best_lattice_is_found_and_holds_all);
    RUN(test_many_disks);
    RUN(test_the_room_is_used);
    RUN(test_any_site_may_stay_empty);
    return check_finish();
}
