/* Tests of the search for overlaps: it finds one exactly where looking at all pairs finds one,
 * among equal disks and among disks of any radii, and nothing makes it quadratic. */
#include "model/overlap.h"

#include "check.h"

#include <unistd.h>

static double distance_of(const struct particle *p, const struct particle *q)
{
    const double dx = p->x - q->x;
    const double dy = p->y - q->y;
    return sqrt(dx * dx + dy * dy);
}

/* Whether two equal disks overlap, by looking at all pairs. */
static int overlaps_by_all_pairs(const struct system *system)
{
    for (size_t i = 0; i < system->count; i++)
        for (size_t j = i + 1; j < system->count; j++)
            if (distance_of(&system->particles[i], &system->particles[j]) <
                2 * system->radius * (1 - 1e-12))
                return 1;
    return 0;
}

static struct thread_pool *pool; /* of three, for all tests */

/* Finds an overlap on one thread, and compares it with that of several: if there are few disks, and
 * every eighth time, as it takes longer to wake threads than to find it. */
static struct overlap find(const struct system *system)
{
    struct overlap overlap;
    struct overlap same;
    CHECK(overlap_find(system, NULL, &overlap, &failure) == STATUS_DONE);
    static unsigned calls;
    if (system->count > 10000 || calls++ % 8 > 0)
        return overlap;
    CHECK(overlap_find(system, pool, &same, &failure) == STATUS_DONE);
    CHECK(overlap.found == same.found && overlap.first == same.first &&
          overlap.second == same.second && overlap.distance == same.distance);
    return overlap;
}

/* Disks anywhere, overlapping or not, in boxes of many shapes: about half have an overlap. */
RANDOM_TEST(overlaps_are_found_exactly_where_they_are, 3)
{
    int found = 0;
    for (int round = 0; round < 2000; round++) {
        size_t count = 2 + random_below(random, 12);
        OWNED(system, system) = random_system(random, count, 0.04, 0.02 + random_unit(random));
        for (size_t k = 0; k < count; k++) {
            system.particles[k].x = 1 + (system.boundary.width - 2) * random_unit(random);
            system.particles[k].y = 1 + (system.boundary.height - 2) * random_unit(random);
        }
        struct overlap overlap = find(&system);
        CHECK(overlap.found == overlaps_by_all_pairs(&system));
        if (overlap.found) {
            found++;
            const struct particle *p = &system.particles[overlap.first];
            const struct particle *q = &system.particles[overlap.second];
            CHECK(overlap.first < overlap.second);
            CHECK(overlap.distance == distance_of(p, q));
            CHECK(overlap.distance < 2);
        }
    }
    CHECK(found > 500 && found < 1500);
}

RANDOM_TEST(touching_is_not_overlapping, 4)
{
    OWNED(system, lattice) = random_lattice(random, 30, 20, 0);
    CHECK(!find(&lattice).found);
    lattice.particles[17].x -= 1e-9;
    CHECK(find(&lattice).found);
}

/* Where a cell list or a plain sweep would take N^2 steps: the alarm would end the program. */
TEST(no_shape_makes_the_search_quadratic)
{
    const size_t count = check_is_thorough() ? 400000 : 80000;
    alarm(60);
    struct particle *particles = memory_allocate(count, sizeof *particles, "particles", &failure);
    if (!CHECK(particles != NULL))
        return;
    memset(particles, 0, count * sizeof *particles);
    struct system system = SYSTEM(count, 1e9, 1e9, .radius = 0.5, .particles = particles);
    for (size_t k = 0; k < count; k++) { /* a square in a corner of a huge box */
        particles[k].x = 0.5 + (double)(k % 600);
        particles[k].y = 0.5 + (double)(k / 600);
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < count; k++) { /* a column */
        particles[k].x = 0.5;
        particles[k].y = 0.5 + (double)k;
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < count; k++) /* a row */
        particles[k].x = particles[k].y;
    for (size_t k = 0; k < count; k++)
        particles[k].y = 0.5;
    CHECK(!find(&system).found);
    for (size_t k = 1; k < count; k += 2) { /* two rows */
        particles[k].x = particles[k - 1].x;
        particles[k].y = 1.5;
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < count; k++) { /* two far corners, each a square */
        double corner = k % 2 ? 1e9 - 1000 : 0.5;
        particles[k].x = corner + (double)(k / 2 % 500);
        particles[k].y = corner + (double)(k / 2 / 500);
    }
    CHECK(!find(&system).found);
    particles[count - 1].y -= 0.1;
    CHECK(find(&system).found && find(&system).second == count - 1);
    system.radius = 1e-20; /* more rows than a double can count */
    CHECK(!find(&system).found);
    system.radius = 0.5;
    for (size_t k = 0; k < count; k++) /* all at one place */
        particles[k].x = particles[k].y = 7;
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 1);
    system.radius = 1e-20; /* nearly points, all at one place */
    CHECK(!find(&system).found);
    system_free(&system);
    alarm(0);
}

/* Kinds that do not differ in size are no reason for another search. */
TEST(kinds_of_equal_radii)
{
    struct particle_kind kinds[] = {{2, 1, 0}, {2, 5, 1}};
    struct particle particles[] = {
        {.x = 5, .y = 5}, {.x = 9, .y = 5, .kind = 1}, {.x = 13, .y = 5}};
    struct system system =
        SYSTEM(3, 1e9, 1e9, .radius = 1, .particles = particles,
               .counts = (struct particle_counts[3]){{0}}, .kind_count = 2, .kinds = kinds);
    CHECK(!find(&system).found);
    particles[1].x = 8.5;
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 1);
}

/* A system of disks with kinds of their own, all the radius of the system yet. */
static struct system make_kinds(size_t count)
{
    struct system system = SYSTEM(count, 1e9, 1e9, .radius = 1);
    system.particles = memory_allocate(count, sizeof *system.particles, "particles", &failure);
    system.kinds = memory_allocate(count, sizeof *system.kinds, "kinds", &failure);
    if (!system.particles || !system.kinds)
        exit(EXIT_FAILURE);
    memset(system.particles, 0, count * sizeof *system.particles);
    system.kind_count = count;
    for (size_t k = 0; k < count; k++) {
        system.particles[k].id = (int32_t)k;
        system.particles[k].kind = (uint32_t)k;
        system.kinds[k] = (struct particle_kind){1, 1, 0};
    }
    return system;
}

static void put(struct system *system, size_t index, double x, double y, double radius)
{
    system->particles[index].x = x;
    system->particles[index].y = y;
    system->kinds[index].radius = radius;
}

/* How many pairs overlap, by looking at all; a tangency that is in doubt counts for `in_doubt`. */
static int count_overlaps(const struct system *system, double in_doubt)
{
    int overlaps = 0;
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        for (size_t j = i + 1; j < system->count; j++) {
            const struct particle *q = &system->particles[j];
            overlaps += distance_of(p, q) < system_contact(system, p, q) - in_doubt;
        }
    }
    return overlaps;
}

/* Checks that the pair that is found overlaps, and that one is found if there is one. */
static int check_search(const struct system *system)
{
    struct overlap overlap = find(system);
    CHECK(overlap.found == (count_overlaps(system, 1e-13 * system->boundary.width) > 0));
    if (overlap.found) {
        const struct particle *p = &system->particles[overlap.first];
        const struct particle *q = &system->particles[overlap.second];
        CHECK(overlap.first < overlap.second && overlap.second < system->count);
        CHECK(overlap.distance == distance_of(p, q));
        CHECK(overlap.distance < system_contact(system, p, q));
    }
    return overlap.found;
}

/* Systems without an overlap, and the same with one disk somewhere else. */
RANDOM_TEST(unequal_disks_overlap_exactly_where_they_do, 8)
{
    int found = 0;
    int rounds = check_is_thorough() ? 5000 : 600;
    for (int round = 0; round < rounds; round++) {
        enum mixed_kind kind = (enum mixed_kind)(round % MIXED_KINDS);
        OWNED(system, system) =
            mixed_system(random, kind, 2 + random_below(random, round % 10 ? 60 : 600),
                         0.05 + 0.4 * random_unit(random));
        CHECK(!find(&system).found);
        struct particle *p = &system.particles[random_below(random, system.count)];
        double radius = system_radius(&system, p);
        p->x = radius + (system.boundary.width - 2 * radius) * random_unit(random);
        p->y = radius + (system.boundary.height - 2 * radius) * random_unit(random);
        found += check_search(&system);
    }
    CHECK(found > rounds / 10 && found < rounds * 9 / 10);
}

/* Disks of all sizes, full of ties: centres and ends on the same lines. */
RANDOM_TEST(unequal_disks_on_a_lattice, 9)
{
    int found = 0;
    int rounds = check_is_thorough() ? 20000 : 3000;
    for (int round = 0; round < rounds; round++) {
        size_t count = 2 + random_below(random, 9);
        OWNED(system, system) = make_kinds(count);
        system.boundary.width = system.boundary.height = 32;
        for (size_t k = 0; k < count; k++) {
            double radius = (double)random_below(random, 5) / (k % 2 ? 2 : 1);
            put(&system, k, radius + (double)random_below(random, 24),
                radius + (double)random_below(random, 24), radius);
        }
        found += check_search(&system);
    }
    CHECK(found > rounds / 10 && found < rounds * 9 / 10);
}

/*
 * Radii over many scales, a third of them points, in boxes so full that about half of them have an
 * overlap. Some touch another one: closer or farther by more than rounding, and across all scales.
 */
RANDOM_TEST(radii_over_many_scales, 11)
{
    int found = 0, clear = 0;
    int rounds = check_is_thorough() ? 10000 : 2000;
    for (int round = 0; round < rounds; round++) {
        size_t count = 2 + random_below(random, 70); /* more than are in a word of the line */
        OWNED(system, system) = make_kinds(count);
        system.boundary.width = system.boundary.height = 10;
        for (size_t k = 0; k < count; k++) {
            double radius = random_below(random, 3) ? 3 * pow(10, -1 - 8 * random_unit(random)) : 0;
            double x = radius + (10 - 2 * radius) * random_unit(random);
            double y = radius + (10 - 2 * radius) * random_unit(random);
            if (k > 0 && random_below(random, 4) == 0) { /* beside another one */
                size_t other = random_below(random, k);
                const struct particle *p = &system.particles[other];
                double angle = 6.283185307179586 * random_unit(random);
                double gap = random_below(random, 40) ? 1e-11 : -1e-11;
                double contact = system.kinds[other].radius + radius + gap;
                x = fmin(fmax(p->x + contact * cos(angle), radius), 10 - radius);
                y = fmin(fmax(p->y + contact * sin(angle), radius), 10 - radius);
            }
            put(&system, k, x, y, radius);
        }
        /* By chance two that are beside a third one may touch too closely to tell. */
        if ((count_overlaps(&system, 1e-12) > 0) == (count_overlaps(&system, -1e-12) > 0)) {
            found += check_search(&system);
            clear++;
        }
    }
    CHECK(found > rounds / 10 && found < rounds * 9 / 10 && clear > rounds * 19 / 20);
}

/* Disks that touch exactly, on paper, and one of which then moves a little nearer. */
RANDOM_TEST(unequal_disks_that_touch_do_not_overlap, 10)
{
    for (int round = 0; round < (check_is_thorough() ? 3000 : 600); round++) {
        OWNED(system, system) = make_kinds(4);
        double R = pow(10, 6 * random_unit(random) - 3);
        double angle = 6.283185307179586 * random_unit(random);
        put(&system, 0, 3e3, 3e3, 1000 * random_unit(random));
        double contact = system.kinds[0].radius + R;
        put(&system, 1, 3e3 + contact * cos(angle), 3e3 + contact * sin(angle), R);
        put(&system, 2, 3e3 - contact * cos(angle), 3e3 - contact * sin(angle), R);
        put(&system, 3, 3e3 + contact * cos(angle), 3e3 + contact * sin(angle), 0);
        system.particles[3].x += R * sin(angle); /* a point on the rim of disk 1 */
        system.particles[3].y -= R * cos(angle);
        CHECK(!find(&system).found);
        system.particles[2].x += 1e-9 * cos(angle);
        system.particles[2].y += 1e-9 * sin(angle);
        CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 2);
        put(&system, 2, 1, 1, 0);
        system.particles[3].x -= 1e-9 * sin(angle);
        system.particles[3].y += 1e-9 * cos(angle);
        CHECK(find(&system).found && find(&system).first == 1 && find(&system).second == 3);
    }
}

/* A small disk keeps two large ones apart until it ends; only then do they meet. */
TEST(disks_that_a_third_one_hides_from_each_other)
{
    OWNED(system, system) = make_kinds(3);
    put(&system, 0, 5.5, 8.75, 1);
    put(&system, 1, 10, 4, 5);
    put(&system, 2, 10, 13.5, 5);
    CHECK(count_overlaps(&system, 0) == 1);
    CHECK(find(&system).found && find(&system).first == 1 && find(&system).second == 2);
}

/* Points may lie where they like, but not in a disk. */
TEST(points_among_disks)
{
    OWNED(system, system) = make_kinds(1000);
    put(&system, 0, 50, 50, 10);
    for (size_t k = 1; k < system.count; k++)
        put(&system, k, 42, 42, 0);
    CHECK(!find(&system).found);
    put(&system, 999, 55, 50, 0);
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 999);
}

/* Mixtures in which each disk is near many others of another size, or seems to be. */
TEST(no_mixture_makes_the_search_quadratic)
{
    const size_t count = check_is_thorough() ? 300000 : 60000, half = count / 2;
    alarm(60);
    OWNED(system, system) = make_kinds(count);
    for (size_t k = 0; k < half; k++) { /* a row of large disks, a column of small ones beside */
        put(&system, k, 1e3 + 2e3 * (double)k, 1e3, 1e3);
        put(&system, half + k, 5e8, 0.005 * (double)k, 1e-3);
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < half; k++) { /* the same, turned */
        put(&system, k, 1e3, 1e3 + 2e3 * (double)k, 1e3);
        put(&system, half + k, 0.005 * (double)k, 5e8, 1e-3);
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < count; k++) /* few large ones among many */
        put(&system, k, (double)(k % 1000) * 3 + 2e3 + 1, (double)(k / 1000) * 3 + 1, 1);
    for (size_t k = 0; k < 100; k++)
        put(&system, k * (count / 307), 1e3, 2e3 * (double)k + 1e3, 1e3);
    CHECK(!find(&system).found);
    double place = 1; /* all scales, each disk touching the next, in a row */
    for (size_t k = 0; k < count; k++) {
        double radius = pow(10, -5 * (double)k / (double)count);
        place += radius;
        put(&system, k, place, 5e8, radius);
        place += radius;
    }
    CHECK(!find(&system).found);
    put(&system, count - 1, 2.5, 5e8, 1e-5);
    CHECK(find(&system).found && find(&system).first == 0);
    for (size_t k = 0; k < half;
         k++) { /* large ones all at one place, and small ones beside them */
        put(&system, k, 5e8, 5e8, 1e4);
        put(&system, half + k, 5e8 + 1.1e4 + (double)(k % 100), 5e8 + (double)(k / 100), 0.5);
    }
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 1);
    for (size_t k = 0; k < count; k++) /* every power of 2 of a radius */
        put(&system, k, 2e3 * (double)(k % 500) + 1e3, 2e3 * (double)(k / 500) + 1e3,
            ldexp(1e3, -(int)(k % 140)));
    CHECK(!find(&system).found);
    for (size_t k = 0; k < count; k++) /* points in the corner beside a disk */
        put(&system, k, 1, 1, k == 0 ? 5 : 0);
    put(&system, 0, 5, 5, 5);
    CHECK(!find(&system).found);
    alarm(0);
}

/* Several overlaps, of which threads find different ones first. */
RANDOM_TEST(threads_find_the_same_of_many, 12)
{
    for (int round = 0; round < 300; round++) {
        enum mixed_kind kind = (enum mixed_kind)(round % MIXED_KINDS);
        OWNED(system, system) = mixed_system(random, kind, 100, 0.3);
        if (round % 2)
            random_periodic(random, &system, 1 + (unsigned)random_below(random, 3));
        for (size_t k = 0; k < 10; k++) {
            struct particle *p = &system.particles[random_below(random, system.count)];
            const struct particle *q = &system.particles[random_below(random, system.count)];
            p->x = q->x;
            p->y = q->y;
        }
        find(&system);
    }
}

int main(void)
{
    pool = thread_pool_create(3);
    if (!pool)
        return EXIT_FAILURE;
    int status = check_run_tests();
    thread_pool_free(pool);
    return status;
}
