/* Tests of the predictions of kinetic theory. */
#include "check.h"
#include "model/enskog.h"

static const double pi = 3.14159265358979323846;

enum { MAX = 100 };

/* A system with room for its particles and kinds. */
struct mixture {
    struct particle particles[MAX];
    struct particle_kind kinds[MAX];
    struct system system;
};

/* `count` disks of radius 2 and mass 1 with the elastic rule, on half the area of the box. */
static void make_alike(struct mixture *mixture, size_t count)
{
    *mixture = (struct mixture){0};
    mixture->system = SYSTEM(count, 8 * pi, (double)count, .radius = 2,
                             .particles = mixture->particles, .law = ELASTIC);
}

/* Makes the disks belong to `kinds` kinds, which are alike so far. */
static void make_kinds(struct mixture *mixture, size_t kinds)
{
    mixture->system.kinds = mixture->kinds;
    mixture->system.kind_count = kinds;
    for (size_t k = 0; k < kinds; k++)
        mixture->kinds[k] = (struct particle_kind){.radius = 2, .mass = 1};
    for (size_t k = 0; k < mixture->system.count; k++)
        mixture->particles[k].kind = (uint32_t)(k % kinds);
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-14 * fabs(expected);
}

TEST(disks_all_alike)
{
    struct mixture mixture;
    make_alike(&mixture, 10);
    CHECK(is_near(enskog_area_fraction(&mixture.system), 0.5));
    const struct enskog prediction = enskog_predict(&mixture.system, 0.25, 1);
    CHECK(is_near(prediction.compressibility, 1 + 2 * 0.5 * 3.125));
    /* Z = 4.125, f dZ/df = 2 f g + 2 f^2 dg/df with dg/df = (25 - 7 f) / 16 / (1 - f)^3 = 10.75 */
    CHECK(is_near(prediction.sound_speed, sqrt(0.25 * (4.125 + 3.125 + 5.375 + 4.125 * 4.125))));
    double density = 1 / (8 * pi);
    CHECK(is_near(prediction.collision_rate, 2 * density * 4 * 3.125 * sqrt(pi * 0.25)));
}

/* A disk has nine partners, whatever kinds there are: at most four of its own. */
TEST(a_disk_is_no_partner_of_its_own)
{
    struct mixture mixture;
    make_alike(&mixture, 10);
    const struct enskog alike = enskog_predict(&mixture.system, 2, 1);
    CHECK(is_near(alike.few_rate, 0.9 * alike.collision_rate));
    CHECK(is_near(alike.few_compressibility - 1, 0.9 * (alike.compressibility - 1)));
    make_kinds(&mixture, 2);
    mixture.kinds[0].species = 7;
    const struct enskog two = enskog_predict(&mixture.system, 2, 1);
    CHECK(is_near(two.few_rate, alike.few_rate));
    CHECK(is_near(two.pairs[0].rate, 0.2 * alike.collision_rate)); /* of species 0 */
    CHECK(is_near(two.pairs[1].rate, 0.5 * alike.collision_rate));
    CHECK(is_near(two.pairs[2].rate, two.pairs[0].rate));
    CHECK(is_near(two.pairs[1].rate / two.pairs[1].ideal_rate, 3.125));

    make_alike(&mixture, 1);
    const struct enskog alone = enskog_predict(&mixture.system, 2, 1);
    CHECK(alone.few_rate == 0 && alone.few_compressibility == 1);
}

TEST(kinds_that_do_not_differ_change_nothing)
{
    struct mixture mixture;
    make_alike(&mixture, 10);
    const struct enskog alike = enskog_predict(&mixture.system, 2, 1);
    for (size_t kinds = 1; kinds < 5; kinds++) {
        make_kinds(&mixture, kinds);
        const struct enskog prediction = enskog_predict(&mixture.system, 2, 1);
        CHECK(is_near(prediction.compressibility, alike.compressibility));
        CHECK(is_near(prediction.collision_rate, alike.collision_rate));
    }
}

/* Points among disks: they meet disks, at the rate of 1 / (1 - f), but not each other. */
TEST(a_mixture_with_points)
{
    struct mixture mixture;
    make_alike(&mixture, 10);
    make_kinds(&mixture, 2);
    mixture.kinds[1].radius = 0;
    mixture.kinds[1].mass = 4;
    CHECK(is_near(enskog_area_fraction(&mixture.system), 0.25));
    double n = 1 / (16 * pi); /* of each kind */
    double g = (1 - 7 * 0.25 / 16) / (0.75 * 0.75);
    double crossed = 1 / 0.75;
    const struct enskog prediction = enskog_predict(&mixture.system, 1, 1);
    CHECK(is_near(prediction.compressibility,
                  1 + pi / (2 * 2 * n) * (n * n * 16 * g + 2 * n * n * 4 * crossed)));
    CHECK(is_near(prediction.collision_rate,
                  0.5 * n * 4 * g * sqrt(4 * pi) + n * 2 * crossed * sqrt(2 * pi * 1.25)));
}

TEST(an_ideal_gas)
{
    struct mixture mixture;
    make_alike(&mixture, 10);
    mixture.system.radius = 0;
    const struct enskog prediction = enskog_predict(&mixture.system, 1, 1);
    CHECK(prediction.compressibility == 1 && prediction.collision_rate == 0);
    CHECK(is_near(prediction.sound_speed, sqrt(2)));
}

static int predicts(const struct mixture *mixture)
{
    const struct enskog prediction = enskog_predict(&mixture->system, 1, 1);
    CHECK(isnan(prediction.collision_rate) == isnan(prediction.compressibility));
    return !isnan(prediction.collision_rate);
}

/* f dZ/df of a mixture, from a little more and a little less room. */
TEST(sound_in_a_mixture)
{
    const double part = 1e-6;
    struct mixture mixture;
    make_alike(&mixture, 10);
    make_kinds(&mixture, 3);
    mixture.kinds[1] = (struct particle_kind){.radius = 1, .mass = 4};
    mixture.kinds[2] = (struct particle_kind){.radius = 0, .mass = 2};
    const struct enskog gas = enskog_predict(&mixture.system, 3, 1);
    mixture.system.boundary.height /= 1 + part;
    const double denser = enskog_predict(&mixture.system, 3, 1).compressibility;
    mixture.system.boundary.height *= (1 + part) / (1 - part);
    const double thinner = enskog_predict(&mixture.system, 3, 1).compressibility;
    const double mass = (4 * 1 + 3 * 4 + 3 * 2) / 10.0;
    const double z = gas.compressibility;
    const double square = 3 / mass * (z + (denser - thinner) / (2 * part) + z * z);
    CHECK(fabs(gas.sound_speed / sqrt(square) - 1) < 1e-8);
}

TEST(what_has_no_prediction)
{
    struct mixture mixture;
    make_alike(&mixture, MAX);
    CHECK(predicts(&mixture));
    mixture.system.law.restitution = 0.9;
    CHECK(!predicts(&mixture));
    mixture.system.law = (struct system_law){0}; /* switching velocities conserves all, */
    CHECK(predicts(&mixture));
    make_kinds(&mixture, 2);
    CHECK(predicts(&mixture));
    mixture.kinds[1].mass = 2; /* but not where masses differ */
    CHECK(!predicts(&mixture));
    make_alike(&mixture, MAX);
    mixture.system.boundary.height /= 1.5; /* area fraction 0.75: frozen */
    CHECK(!predicts(&mixture));
    make_alike(&mixture, MAX);
    make_kinds(&mixture, ENSKOG_MAX_KINDS);
    CHECK(predicts(&mixture));
    make_kinds(&mixture, ENSKOG_MAX_KINDS + 1);
    CHECK(!predicts(&mixture));
}

/* Of two masses: how many collisions a disk has while what one side has too much goes to the other,
 * from the rates at which disks of each side collide, in any unit. */
static double exchange_of_two(const struct mixture *mixture, double first)
{
    const struct particle_kind *a = &mixture->kinds[0], *b = &mixture->kinds[1];
    const double second = 1 - first;
    const double both = (a->radius + b->radius) * sqrt(1 / a->mass + 1 / b->mass);
    const double mean = first * first * 2 * a->radius * sqrt(2 / a->mass) +
                        second * second * 2 * b->radius * sqrt(2 / b->mass) +
                        2 * first * second * both;
    const double sum = a->mass + b->mass;
    return mean * sum * sum / (4 * a->mass * b->mass * (first + second) * both);
}

TEST(exchange_of_energy)
{
    struct wall_laws laws = {0};
    struct mixture mixture;
    make_alike(&mixture, MAX);
    CHECK(enskog_exchange(&mixture.system) == 0);
    make_kinds(&mixture, 2);
    CHECK(enskog_exchange(&mixture.system) == 0);
    mixture.kinds[1].mass = 100;
    CHECK(fabs(enskog_exchange(&mixture.system) - 22.6202) < 1e-4);
    mixture.system.law.restitution = 0; /* half of it passes */
    CHECK(fabs(enskog_exchange(&mixture.system) - 2 * 22.6202) < 2e-4);
    mixture.system.law = (struct system_law){0}; /* switched velocities forget the masses */
    CHECK(enskog_exchange(&mixture.system) == 0);
    make_alike(&mixture, MAX);
    make_kinds(&mixture, 2);
    mixture.kinds[1].mass = 100;
    mixture.system.boundary.walls = &laws; /* light disks keep their temperature */
    CHECK(fabs(enskog_exchange(&mixture.system) - 2 * 22.6202) < 2e-4);
}

TEST(exchange_of_any_two_masses)
{
    struct random_generator random;
    random_seed(&random, 11);
    for (int round = 0; round < 200; round++) {
        struct mixture mixture;
        const size_t heavy = 1 + (size_t)(random_unit(&random) * (MAX - 1));
        make_alike(&mixture, MAX);
        make_kinds(&mixture, 2);
        for (size_t k = 0; k < MAX; k++)
            mixture.particles[k].kind = (37 * k + 5) % MAX < heavy;
        mixture.kinds[0] = (struct particle_kind){.radius = random_unit(&random), .mass = 1e-3};
        mixture.kinds[1] = (struct particle_kind){
            .radius = random_unit(&random), .mass = 1e-3 * pow(10, 0.4 + 5 * random_unit(&random))};
        const double expected = exchange_of_two(&mixture, 1 - (double)heavy / MAX);
        CHECK(fabs(enskog_exchange(&mixture.system) / expected - 1) < 1e-12);
    }
}

/* Many masses are as slow as a few: 100 from 1 to 2 forget what each had, and one of 1000 among
 * them does not, up to the mean of what it meets. */
TEST(exchange_of_many_masses)
{
    struct mixture mixture;
    make_alike(&mixture, MAX);
    make_kinds(&mixture, MAX);
    for (size_t k = 0; k < MAX; k++)
        mixture.kinds[k].mass = 1.01 + 0.0098 * (double)k;
    CHECK(enskog_exchange(&mixture.system) == 0);
    mixture.kinds[50].mass = 1000;
    const double slow = enskog_exchange(&mixture.system);
    mixture.kinds[0] = (struct particle_kind){.radius = 2, .mass = 1.5};
    mixture.kinds[1] = mixture.kinds[50];
    CHECK(fabs(slow / exchange_of_two(&mixture, 0.99) - 1) < 0.02);
}
