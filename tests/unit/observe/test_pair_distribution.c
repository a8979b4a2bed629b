/* Tests of g(r): lattices, by hand; ideal gases, for which it is 1 in any box; and all distances of
 * a random system, counted one by one. */
#include "observe/correlations.h"

#include "check.h"

/* The pair distribution of one system, and what it needs. */
struct scene {
    struct classes classes;
    struct neighbours_map map;
    struct pair_distribution pairs;
};

static void begin(struct scene *scene, const struct system *system)
{
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    CHECK(classes_create(&scene->classes, &snapshot, &failure) == STATUS_DONE);
    CHECK(neighbours_map_create(&scene->map, &system->boundary, system->count, &failure) ==
          STATUS_DONE);
    CHECK(!pair_distribution_create(&scene->pairs, &scene->map, &scene->classes, &failure));
}

static void add(struct scene *scene, const struct system *system, uint64_t k)
{
    static struct bond_order bonds[10000];
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    CHECK(system->count <= 10000);
    for (size_t j = 0; j < system->count && j < 10000; j++)
        bonds[j].real = bonds[j].imaginary = sqrt(0.5) * (j % 2 ? 1 : -1);
    neighbours_map_take(&scene->map, &snapshot);
    pair_distribution_add(&scene->pairs, &scene->map, bonds, k, (int)(k % SUM_BLOCKS));
}

static void end(struct scene *scene)
{
    pair_distribution_free(&scene->pairs);
    neighbours_map_free(&scene->map);
    classes_free(&scene->classes);
}

/* The bin of a distance. */
static size_t find_bin(const struct pair_distribution *pairs, double r)
{
    size_t bin = 0;
    while (pair_distribution_edge(pairs, bin + 1) <= r)
        bin++;
    return bin;
}

/* g of a lattice: `neighbours` of each disk at a distance r. */
static void check_peak(const struct scene *scene, double r, double neighbours)
{
    const struct pair_distribution *pairs = &scene->pairs;
    const size_t bin = find_bin(pairs, r);
    const double inner = pair_distribution_edge(pairs, bin);
    const double outer = pair_distribution_edge(pairs, bin + 1);
    const double others = (double)scene->map.count - 1;
    const double area = pairs->sides[0] * pairs->sides[1];
    const double shell = 3.14159265358979323846 * (outer * outer - inner * inner);
    const double expected = neighbours / (others * shell / area);
    CHECK(fabs(pair_distribution_value(pairs, 0, bin).value - expected) < 1e-9 * expected);
}

TEST(lattices)
{
    struct scene scene;
    struct system square = arranged_square(20, 12);
    begin(&scene, &square);
    add(&scene, &square, 0);
    CHECK(scene.pairs.diameter == 1 && scene.pairs.reach == 6);
    check_peak(&scene, 1, 4); /* in the bin that begins at contact */
    check_peak(&scene, sqrt(2), 4);
    check_peak(&scene, 2, 4);
    check_peak(&scene, sqrt(5), 8);
    check_peak(&scene, 4.05, 4 + 0);  /* 4 only: sqrt(17) is in the next bin */
    check_peak(&scene, 5.05, 12 + 8); /* 5 = sqrt(25), also 3 and 4; and sqrt(26) */
    /* Columns have psi6 of opposite signs. */
    CHECK(fabs(pair_distribution_order(&scene.pairs, find_bin(&scene.pairs, 1)).value) < 1e-12);
    CHECK(fabs(pair_distribution_order(&scene.pairs, find_bin(&scene.pairs, sqrt(2))).value + 1) <
          1e-12);
    CHECK(fabs(pair_distribution_order(&scene.pairs, find_bin(&scene.pairs, 5.05)).value + 0.4) <
          1e-12); /* of 20 the signs are (-1)^x: 6 are 1 */
    CHECK(pair_distribution_value(&scene.pairs, 0, find_bin(&scene.pairs, 1.3)).value == 0);
    CHECK(pair_distribution_value(&scene.pairs, 0, find_bin(&scene.pairs, 0.99)).value == 0);
    end(&scene);
    system_free(&square);
    OWNED(system, triangular) = arranged_triangular(20, 22);
    begin(&scene, &triangular);
    add(&scene, &triangular, 0);
    check_peak(&scene, sqrt(3), 6);
    check_peak(&scene, sqrt(7), 12);
    end(&scene);
}

/* Whatever the box, and how large: with 6000 particles only some are centres. */
RANDOM_TEST(an_ideal_gas_has_1, 11)
{
    double sum = 0; /* of the means of squares */
    for (unsigned periodic = 0; periodic < 4; periodic++) {
        const size_t count = periodic == 3 ? 6000 : 500;
        const int frames = check_is_thorough() ? 40 : 10;
        struct scene scene;
        double chi = 0;
        for (int k = 0; k < frames; k++) {
            OWNED(system, gas) = arranged_points(random, count, 3, 2, periodic);
            if (k == 0)
                begin(&scene, &gas);
            add(&scene, &gas, (uint64_t)k);
        }
        const size_t bins = scene.pairs.near_bins + scene.pairs.far_bins;
        double used = 0;
        for (size_t bin = 20; bin < bins; bin++, used++) {
            const struct block_estimate g = pair_distribution_value(&scene.pairs, 0, bin);
            chi += (g.value - 1) * (g.value - 1) / (g.error * g.error);
            CHECK(fabs(g.value - 1) < 0.3);
        }
        CHECK(scene.pairs.stride == (periodic == 3 ? 3 : 1));
        sum += chi / used;
        end(&scene);
    }
    /* With an error from ten blocks the mean of the squares is 9/7; bins are not independent. */
    CHECK(sum / 4 > 1.05 && sum / 4 < 1.55);
}

/* Counts the pairs of two kinds in a distance as one would by hand. */
static double count_pairs(const struct system *system, double inner, double outer, int32_t a,
                          int32_t b)
{
    const struct boundary *box = &system->boundary;
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    double count = 0;
    for (size_t i = 0; i < system->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const int32_t p = snapshot_body(&snapshot, i).species;
            const int32_t q = snapshot_body(&snapshot, j).species;
            double x[2], y[2];
            snapshot_position(&snapshot, i, &x[0], &y[0]);
            snapshot_position(&snapshot, j, &x[1], &y[1]);
            double dx = fabs(x[0] - x[1]);
            double dy = fabs(y[0] - y[1]);
            if (box->periodic & PERIODIC_X)
                dx = fmin(dx, box->width - dx);
            if (box->periodic & PERIODIC_Y)
                dy = fmin(dy, box->height - dy);
            const double r = sqrt(dx * dx + dy * dy);
            const int is_asked = (p == a && q == b) || (p == b && q == a) || a < 0;
            count += is_asked && r >= inner && r < outer;
        }
    }
    return count;
}

RANDOM_TEST(each_pair_is_counted_once, 12)
{
    for (int round = 0; round < (check_is_thorough() ? 16 : 4); round++) {
        OWNED(system, system) = arranged_points(random, 2 + random_below(random, 90), 30,
                                                round % 5 ? 20 : 300, (unsigned)round % 4);
        struct particle_kind kinds[2] = {{0.25, 1, 7}, {0.5, 1, 3}};
        struct scene scene;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].kind = random_below(random, 3) == 0;
        system.particles[0].kind = 0; /* there are both */
        system.particles[1].kind = 1;
        system.kinds = kinds;
        system.kind_count = 2;
        begin(&scene, &system);
        add(&scene, &system, 0);
        CHECK(scene.pairs.slots == 4 && scene.classes.species[0] == 3);
        const size_t size = scene.pairs.near_bins + scene.pairs.far_bins + 2;
        for (size_t bin = 0; bin + 2 < size; bin++) {
            const double inner = pair_distribution_edge(&scene.pairs, bin);
            const double outer = pair_distribution_edge(&scene.pairs, bin + 1);
            const double *table = block_sums_table(&scene.pairs.blocks, 0);
            CHECK(table[bin] == count_pairs(&system, inner, outer, -1, -1));
            CHECK(table[classes_slot(&scene.classes, 0, 1) * size + bin] ==
                  count_pairs(&system, inner, outer, 3, 7));
            CHECK(table[classes_slot(&scene.classes, 1, 1) * size + bin] ==
                  count_pairs(&system, inner, outer, 7, 7));
        }
        end(&scene);
        system.kinds = NULL;
    }
}

/* Counts that make g = exp(2 - 3 s + s^2), s being the distance from contact in diameters. */
TEST(contact)
{
    OWNED(system, square) = arranged_square(20, 20);
    struct scene scene;
    begin(&scene, &square);
    const struct pair_distribution *pairs = &scene.pairs;
    const size_t size = pairs->near_bins + pairs->far_bins + 2;
    for (int block = 0; block < SUM_BLOCKS; block++) {
        double *table = block_sums_table(&pairs->blocks, block);
        table[size - 2] = 1e6 * (1 + block);
        for (size_t bin = 50; bin < 60; bin++) {
            const double inner = pair_distribution_edge(pairs, bin);
            const double outer = pair_distribution_edge(pairs, bin + 1);
            const double s = (inner + outer) / 2 - 1;
            const double part = 3.14159265358979323846 * (outer * outer - inner * inner) / 400;
            table[bin] = table[size - 2] * part * exp(2 - 3 * s + s * s);
        }
    }
    struct block_estimate contact = pair_distribution_contact(pairs, 0, 1);
    CHECK(fabs(contact.value - exp(2)) < 1e-9 && contact.error < 1e-9);
    for (int block = 0; block < 6; block++)
        block_sums_table(&pairs->blocks, block)[55] = 0;
    contact = pair_distribution_contact(pairs, 0, 1);
    CHECK(contact.value > 0 && isnan(contact.error)); /* only four blocks are left */
    CHECK(isnan(pair_distribution_contact(pairs, 0, 0.1).value));
    end(&scene);
}
