/* Tests of placing disks: at random, with no overlap, no disk outside, everywhere as likely, and an
 * end where there is no room; by relaxation, in which what is said to be placed overlaps nowhere;
 * and on lattices, the best of which leaves the most room of all. */
#include "generate/placement.h"

#include "check.h"
#include "model/overlap.h"

static struct system unit_disks(size_t count, double area_fraction, double aspect)
{
    double area = 3.14159265358979 * (double)count / area_fraction;
    struct system system =
        arranged_disks(count, 1, fmax(2, sqrt(area * aspect)), fmax(2, sqrt(area / aspect)), 0);
    for (size_t k = 0; k < count; k++) {
        system.particles[k].u = 5;
        system.particles[k].v = 7;
    }
    return system;
}

/* Places all. Returns whether there was room. */
static int place_all(struct system *system, uint64_t seed, double step)
{
    struct random_generator generator;
    const struct placement_group group = {0, system->count, 1};
    size_t placed = 0;
    const struct number_decimals decimals =
        number_choose_decimals(step, fmax(system->boundary.width, system->boundary.height));
    random_seed(&generator, seed);
    CHECK(!place_at_random(system, &group, 1, &decimals, &generator, &placed, &failure));
    CHECK(placed <= system->count);
    const int is_placed = placed == system->count;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(p->u == 5 && p->v == 7 && p->t == 0 && p->id == (int32_t)k);
        CHECK(!is_placed || p->x == number_round(&decimals, p->x) || p->x == 1 ||
              p->x == system->boundary.width - 1);
    }
    return is_placed;
}

static void check_at_random(const struct system *system)
{
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(p->x >= 1 && p->x <= system->boundary.width - 1 && p->y >= 1 &&
              p->y <= system->boundary.height - 1);
        for (size_t j = 0; j < k; j++)
            CHECK(hypot(p->x - system->particles[j].x, p->y - system->particles[j].y) >= 2);
    }
}

/* Up to 0.45 there is always room, in boxes more than a few disks wide. */
TEST(there_is_room)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        OWNED(system, system) = unit_disks(check_is_quick() ? 1000 : 5000, 0.45, 1);
        CHECK(place_all(&system, seed, 1e-6));
        struct overlap overlap;
        CHECK(overlap_find(&system, NULL, &overlap, &failure) == STATUS_DONE && !overlap.found);
    }
}

/* Where not all find a place, that is said, and soon. */
TEST(no_room_at_random)
{
    static const double fractions[] = {0.6, 0.9, 3};
    for (size_t k = 0; k < 3; k++) {
        OWNED(system, system) = unit_disks(500, fractions[k], 1);
        CHECK(!place_all(&system, 1, 1e-6));
    }
    OWNED(system, one) = unit_disks(1, 0.7, 1); /* in a box it just fits into */
    CHECK(place_all(&one, 1, 1e-6));
    check_at_random(&one);
}

/* Parts of the box get as many as others, whether tiles or cells end there or not. */
TEST(everywhere_is_as_likely)
{
    enum { PARTS = 10, COUNT = 20000 };
    for (int shape = 0; shape < 2; shape++) {
        int found[PARTS][PARTS] = {{0}};
        double sum = 0;
        OWNED(system, system) = unit_disks(COUNT, 1e-3, shape ? 30 : 1);
        CHECK(place_all(&system, 9, 1e-6));
        for (size_t k = 0; k < COUNT; k++) {
            const struct particle *p = &system.particles[k];
            int column = (int)(PARTS * (p->x - 1) / (system.boundary.width - 2));
            int row = (int)(PARTS * (p->y - 1) / (system.boundary.height - 2));
            found[row < PARTS ? row : PARTS - 1][column < PARTS ? column : PARTS - 1]++;
        }
        for (int k = 0; k < PARTS * PARTS; k++) {
            double excess = found[k / PARTS][k % PARTS] - COUNT / 100.0;
            sum += excess * excess / (COUNT / 100.0);
        }
        CHECK(sum > 40 && sum < 170); /* chi squared: 99, and five standard deviations of 14 */
    }
}

/* Groups of different disks, the largest first, in periodic boxes: no images overlap, and the room
 * at the seams is used. */
TEST(groups_and_seams)
{
    static const struct placement_group groups[] = {{300, 40, 2}, {0, 200, 1}, {200, 100, 0.3}};
    for (unsigned periodic = 1; periodic <= 3; periodic++) {
        struct random_generator generator = random_from(periodic);
        OWNED(system, system) = unit_disks(340, 0.35, 1); /* 0.38 with these radii */
        const struct boundary *box = &system.boundary;
        const struct number_decimals decimals = number_choose_decimals(1e-9, box->width);
        size_t placed = 0;
        int near_seam = 0;
        system.boundary.periodic = periodic;
        CHECK(!place_at_random(&system, groups, 3, &decimals, &generator, &placed, &failure));
        CHECK(placed == 340);
        for (size_t k = 0; k < 340; k++) {
            const struct particle *p = &system.particles[k];
            const double radius = k >= 300 ? 2 : k < 200 ? 1 : 0.3;
            CHECK(p->x >= 0 && p->x < box->width && p->y >= 0 && p->y < box->height);
            near_seam += p->x < radius || p->y < radius;
            for (size_t j = 0; j < k; j++) {
                const struct particle *q = &system.particles[j];
                const double other = j >= 300 ? 2 : j < 200 ? 1 : 0.3;
                CHECK(hypot(axis_distance(p->x, q->x, box->width, periodic & PERIODIC_X),
                            axis_distance(p->y, q->y, box->height, periodic & PERIODIC_Y)) >
                      radius + other);
            }
        }
        CHECK(near_seam > 0);
    }
}

/* Half of the disks with radius 1, the others with `ratio`, in a box with periodic axes. */
static struct system mixture(size_t count, double ratio, double area_fraction, unsigned periodic)
{
    double area = 3.14159265358979 * (double)count * (1 + ratio * ratio) / 2 / area_fraction;
    struct system system =
        arranged_disks(count, 1, 1.5 * sqrt(area / 1.5), sqrt(area / 1.5), periodic);
    arranged_kinds(&system, 2);
    system.kinds[1] = (struct particle_kind){ratio, 1, 1};
    for (size_t k = 0; k < count; k++)
        system.particles[k].kind = k % 2;
    return system;
}

/* No two overlap, by brute force, and all are in the box and at decimals. */
static void check_relaxed(const struct system *system, const struct number_decimals *decimals)
{
    const struct boundary *box = &system->boundary;
    const unsigned x_periodic = box->periodic & PERIODIC_X;
    const unsigned y_periodic = box->periodic & PERIODIC_Y;
    for (size_t j = 0; j < system->count; j++) {
        const struct particle *q = &system->particles[j];
        const double x_margin = x_periodic ? 0 : system_radius(system, q);
        const double y_margin = y_periodic ? 0 : system_radius(system, q);
        CHECK(q->x >= x_margin && q->x <= box->width - x_margin);
        CHECK(q->y >= y_margin && q->y <= box->height - y_margin);
        CHECK(q->x == number_round(decimals, q->x) || q->x == x_margin ||
              q->x == box->width - x_margin);
        CHECK(q->u == 0 && q->v == 0 && q->t == 0 && q->kind == j % 2);
        for (size_t i = 0; i < j; i++) {
            const struct particle *p = &system->particles[i];
            double dx = axis_distance(p->x, q->x, box->width, x_periodic);
            double dy = axis_distance(p->y, q->y, box->height, y_periodic);
            CHECK(sqrt(dx * dx + dy * dy) > system_contact(system, p, q));
        }
    }
}

/* Places the disks and checks them. Returns whether there was room. */
static int relax(struct system *system, uint64_t seed)
{
    struct random_generator generator = random_from(seed);
    const struct number_decimals decimals =
        number_choose_decimals(1e-9, fmax(system->boundary.width, system->boundary.height));
    int is_placed = -1;
    CHECK(place_by_relaxation(system, &decimals, &generator, &is_placed, &failure) == STATUS_DONE);
    CHECK(is_placed == 0 || is_placed == 1);
    if (is_placed)
        check_relaxed(system, &decimals);
    return is_placed;
}

RANDOM_TEST(relaxation, 1)
{
    const int rounds = check_is_thorough() ? 200 : 30;
    for (int round = 0; round < rounds; round++) {
        const double fraction = 0.2 + 0.58 * random_unit(random);
        OWNED(system, system) =
            mixture(100 + random_below(random, 300), 0.2 + 2 * random_unit(random), fraction,
                    (unsigned)random_below(random, 4));
        CHECK(relax(&system, (uint64_t)round) || fraction > 0.7);
    }
}

/* As dense as can be asked for, without walls. */
TEST(relaxation_of_the_densest)
{
    OWNED(system, system) =
        mixture(500, 1.4, RELAXATION_MAX_AREA_FRACTION, PERIODIC_X | PERIODIC_Y);
    CHECK(relax(&system, 7));
}

/* More than any packing holds. */
TEST(no_room_to_relax)
{
    OWNED(system, system) = mixture(60, 1.4, 0.95, 0);
    CHECK(!relax(&system, 1));
}

enum { MAX = 60 };

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

static struct system lattice_system(struct particle *particles, size_t count, double width,
                                    double height)
{
    for (size_t k = 0; k < count; k++)
        particles[k] = (struct particle){.u = 5, .v = 7, .id = (int32_t)k, .kind = 3};
    return SYSTEM(count, width, height, .radius = 1, .particles = particles);
}

/* No two overlap, all are in the box and at decimals, and nothing but places is set. */
static void check_on_sites(const struct system *system, const struct number_decimals *decimals)
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
            CHECK(hypot(axis_distance(p->x, q->x, box->width, box->periodic & PERIODIC_X),
                        axis_distance(p->y, q->y, box->height, box->periodic & PERIODIC_Y)) >
                  2 * R);
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
RANDOM_TEST(the_best_lattice_is_found_and_holds_all, 1)
{
    int fits = 0;
    int rounds = check_is_thorough() ? 3000 : 400;
    for (int round = 0; round < rounds; round++) {
        struct particle particles[MAX];
        struct placement_lattice lattice;
        struct random_generator generator;
        size_t count = 1 + random_below(random, MAX);
        double aspect = pow(100, random_unit(random) - 0.5);
        double area = (double)count * (2 + 2.5 * random_unit(random));
        struct system system =
            lattice_system(particles, count, 2.1 + sqrt(area * aspect), 2.1 + sqrt(area / aspect));
        system.boundary.periodic = (unsigned)round % 4;
        const struct number_decimals decimals =
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
        check_on_sites(&system, &decimals);
    }
    CHECK(fits > rounds / 3 && fits < rounds * 9 / 10);
}

/* Many disks come close to the densest of all packings. */
TEST(lattices_of_many_disks)
{
    struct placement_lattice lattice;
    struct system system = SYSTEM(100000, 590, 600, .radius = 1);
    CHECK(lattice_find(&system, 1, &lattice));
    double full = 100000 * 3.14159265358979 / (590.0 * 600.0); /* 0.887 */
    CHECK(full * lattice.radius * lattice.radius > 0.9);
    CHECK(full * lattice.radius * lattice.radius < 0.9069);
    system.boundary.height = 580; /* 0.918 */
    CHECK(!lattice_find(&system, 1, &lattice));
}

/* A disk may be anywhere in nine tenths of its room, and as likely here as there. */
TEST(lattices_use_their_room)
{
    enum { TRIALS = 4000 };
    double farthest = 0, sum_x = 0, sum_y = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        struct particle particle;
        struct placement_lattice lattice;
        struct random_generator generator;
        struct system system = lattice_system(&particle, 1, 10, 14);
        const struct number_decimals decimals = number_choose_decimals(1e-5, 14);
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
TEST(any_site_may_stay_empty)
{
    enum { TRIALS = 6000 };
    int taken[6] = {0};
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        struct particle particles[5];
        struct random_generator generator;
        const struct placement_lattice lattice = {.rows = 2, .columns = 3, .radius = 1.01};
        struct system system = lattice_system(particles, 5, 2.02 + 25, 2.02 + 30);
        const struct number_decimals decimals = number_choose_decimals(1e-5, 40);
        random_seed(&generator, seed);
        lattice_place(&system, 1, &lattice, &decimals, &generator);
        check_on_sites(&system, &decimals); /* steps of 10, every other row shifted by 5 */
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
