/* Tests of walls that act: the distributions of what they give back, what a draw depends on,
 * mirrored hits and the contact time, corners, and points that must not get through polygons. */

#include "check.h"
#include "schedule/schedule.h"

enum { DRAWS = 40000 };

/* Sums of powers of a number. */
struct moments {
    double sum, square, fourth;
};

static void moments_add(struct moments *moments, double value)
{
    moments->sum += value / DRAWS;
    moments->square += value * value / DRAWS;
    moments->fourth += value * value * value * value / DRAWS;
}

/* A mean within five standard errors. */
static int is_near(double mean, double square, double expected)
{
    const double error = sqrt(fmax(square - mean * mean, 0) / DRAWS);
    if (fabs(mean - expected) < 5 * error)
        return 1;
    printf("%g, not %g +- %g\n", mean, expected, error);
    return 0;
}

static void act(const struct wall_law *law, const double contact[3], uint64_t seed, double mass,
                struct particle *particle)
{
    struct particle_kind kind = {.mass = mass};
    struct wall_laws laws = {.seed = seed};
    const struct system system = {.kinds = &kind, .boundary.walls = &laws};
    wall_act(&system, law, contact[0], contact[1], contact[2], particle);
}

TEST(what_a_diffuse_wall_gives_back)
{
    static const double masses[] = {1, 4, 0.25};
    for (int k = 0; k < 3; k++) {
        const struct wall_law law = {.temperature = 2, .accommodation = 1, .speed = 1.5 - k};
        const double contact[] = {0.6, 0.8, 1};
        const double variance = 2 / masses[k];
        struct moments across = {0};
        struct moments along = {0};
        struct particle p = {.id = 7 + k};
        for (int draw = 0; draw < DRAWS; draw++) {
            p.u = 5;
            p.v = draw;
            act(&law, contact, 3, masses[k], &p);
            const double normal = 0.6 * p.u + 0.8 * p.v;
            CHECK(normal > 0);
            moments_add(&across, normal);
            moments_add(&along, 0.8 * p.u - 0.6 * p.v - law.speed);
        }
        CHECK(p.draws == DRAWS);
        CHECK(is_near(across.sum, across.square, sqrt(variance * 3.14159265358979323846 / 2)));
        CHECK(is_near(across.square, across.fourth, 2 * variance));
        CHECK(is_near(along.sum, along.square, 0));
        CHECK(is_near(along.square, along.fourth, variance));
        CHECK(is_near(along.fourth, 105 * pow(variance, 4), 3 * variance * variance));
    }
}

TEST(the_share_that_is_mirrored)
{
    static const double shares[] = {0, 0.3, 1};
    for (int k = 0; k < 3; k++) {
        const struct wall_law law = {
            .temperature = 2, .accommodation = shares[k], .restitution = 0.5};
        const double contact[] = {-1, 0, 1};
        struct moments diffuse = {0};
        struct particle p = {.id = 0};
        for (int draw = 0; draw < DRAWS; draw++) {
            p.u = -2;
            p.v = 0.25;
            act(&law, contact, 3, 1, &p);
            moments_add(&diffuse, !(p.u == -1 && p.v == 0.25));
        }
        CHECK(k == 1 ? is_near(diffuse.sum, diffuse.square, 0.3)
                     : fabs(diffuse.sum - shares[k]) < 1e-9);
    }
}

/* On every machine; and a draw depends on seed, number and draws, and on nothing else. */
TEST(known_velocities)
{
    const struct wall_law law = {.temperature = 2, .accommodation = 0.9, .speed = 1};
    const double contact[] = {0, -1, -1};
    static const double known[4][2] = {{-0x1.a3c5c82762592p+0, -0x1.93eebb0fdc6fbp+0},
                                       {0x1.e660122f15f74p+0, -0x1.e5e52efec361bp+0},
                                       {0x1.29a1e628cdc9ep-1, -0x1.3a76d996f282fp+0},
                                       {0x1.3a5c238944014p+0, -0x1.1f06ebccaf034p+1}};
    for (int k = 0; k < 4; k++) {
        struct particle p = {.id = k == 1 ? 6 : 5, .draws = k == 2 ? 8 : 7, .u = 3, .v = -4};
        struct particle same = p;
        same.x = same.t = 9;
        act(&law, contact, k == 3 ? 2 : 1, 1, &p);
        act(&law, contact, k == 3 ? 2 : 1, 1, &same);
        CHECK(p.u == same.u && p.v == same.v);
        if (!CHECK(p.u == known[k][0] && p.v == known[k][1]))
            printf("{%a, %a},\n", p.u, p.v);
    }
}

/* A disk between a lossy wall and another particle loses nothing within the contact time. */
TEST(contact_time)
{
    struct particle particles[1] = {{.x = 5, .y = 1, .u = 3, .v = -2, .collided = -0.5}};
    struct particle_counts counts[1] = {{0}};
    struct system system = arranged_few(particles, counts, 1, 1, 10, 10);
    system.boundary.walls = wall_laws_create(0, 0, &failure);
    if (!CHECK(system.boundary.walls != NULL))
        return;
    system.boundary.walls->list[2].restitution = 0.25;
    const struct event event = {0, 0, FEATURE_BOTTOM};
    system.law.contact_time = 1;
    physics_resolve(&system, &event);
    CHECK(particles[0].u == 3 && particles[0].v == 2 && counts[0].walls == 1);
    particles[0].v = -2;
    particles[0].collided = -2;
    physics_resolve(&system, &event);
    CHECK(particles[0].u == 3 && particles[0].v == 0.5 && particles[0].draws == 0);
    memory_free(system.boundary.walls);
}

/* What leaves a corner of a polygon leaves the line through it that touches the disk, and moves on
 * average as the sides do: here, around a square counter-clockwise. */
TEST(corners)
{
    static const double square[4][2] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}};
    struct particle particles[1];
    struct particle_counts counts[1] = {{0}};
    struct system system = arranged_few(particles, counts, 1, 0.5, 10, 10);
    particles[0] = (struct particle){.x = 8, .y = 8};
    system_add_polygon(&system, square, 4, 0);
    system.boundary.walls = wall_laws_create(1, 1, &failure);
    if (!CHECK(system.boundary.walls != NULL))
        return;
    system.boundary.walls->list[4] =
        (struct wall_law){.temperature = 1, .accommodation = 1, .speed = 2, .restitution = 1};
    struct moments along = {0};
    const struct event event = {0, 0, polygons_feature(2, 1)};
    for (int draw = 0; draw < DRAWS; draw++) {
        particles[0] =
            (struct particle){.x = 6 + 0.3, .y = 6 + 0.4, .u = -1, .draws = (uint32_t)draw};
        physics_resolve(&system, &event);
        CHECK(0.6 * particles[0].u + 0.8 * particles[0].v > 0);
        moments_add(&along, 0.6 * particles[0].v - 0.8 * particles[0].u);
    }
    CHECK(is_near(along.sum, along.square, 2));
    particles[0] = (struct particle){.x = 6 + 0.01, .y = 6 + 0.02, .u = -1, .v = -1};
    physics_resolve(&system, &event); /* too near for a direction: it turns back */
    CHECK(particles[0].u == 1 && particles[0].v == 1 && particles[0].draws == 0);
    polygons_free(system.boundary.polygons);
    memory_free(system.boundary.walls);
}
