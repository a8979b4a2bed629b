/* Tests of what a collision does to two particles under the elastic rule: laws of nature, an
 * independent formula, and extremes of masses, sizes and speeds. */
#include "check.h"

/* Two particles of kinds of their own in a box too large to matter. */
struct pair {
    struct particle particles[2];
    struct particle_counts counts[2];
    struct particle_kind kinds[2];
    struct system system;
};

static struct system *pair_system(struct pair *pair, double restitution)
{
    pair->particles[1].kind = 1;
    pair->particles[1].id = 1;
    pair->system = SYSTEM(2, SYSTEM_LARGEST, SYSTEM_LARGEST, .particles = pair->particles,
                          .counts = pair->counts, .kind_count = 2, .kinds = pair->kinds,
                          .law = {RULE_ELASTIC, restitution, 0});
    return &pair->system;
}

static double meeting_time(const struct pair *pair)
{
    return pair_time(&pair->particles[0], &pair->particles[1],
                     pair->kinds[0].radius + pair->kinds[1].radius, NULL);
}

/* Lets the two collide; returns whether they do. */
static int collide(struct pair *pair, double restitution)
{
    struct system *system = pair_system(pair, restitution);
    const struct event event = {meeting_time(pair), 0, 1};
    if (!(event.time < (double)INFINITY))
        return 0;
    physics_resolve(system, &event);
    return 1;
}

/* Random radii, masses, places and velocities, none extreme. */
static struct pair ordinary_pair(struct random_generator *random)
{
    struct pair pair = {0};
    for (int k = 0; k < 2; k++) {
        pair.kinds[k] =
            (struct particle_kind){0.1 + random_unit(random), 0.1 + random_unit(random), 0};
        pair.particles[k].x = 10 + 4 * random_unit(random);
        pair.particles[k].y = 10 + 4 * k;
        pair.particles[k].u = random_unit(random) - 0.5;
        pair.particles[k].v = 0.5 - k + 0.5 * random_unit(random);
    }
    return pair;
}

/* Velocities after a collision, by the priority queue article's "bounceOff"; units are ours. */
static void bounce_off(struct particle *a, struct particle *b, const struct particle_kind *kinds)
{
    double dx = b->x - a->x;
    double dy = b->y - a->y;
    double approach = dx * (b->u - a->u) + dy * (b->v - a->v);
    double distance = kinds[0].radius + kinds[1].radius;
    double masses = kinds[0].mass + kinds[1].mass;
    double force = 2 * kinds[0].mass * kinds[1].mass * approach / (masses * distance);
    a->u += force * dx / distance / kinds[0].mass;
    a->v += force * dy / distance / kinds[0].mass;
    b->u -= force * dx / distance / kinds[1].mass;
    b->v -= force * dy / distance / kinds[1].mass;
}

RANDOM_TEST(the_article_says_the_same, 21)
{
    int collisions = 0;
    for (int round = 0; round < 40000; round++) {
        struct pair pair = ordinary_pair(random);
        struct pair other = pair;
        double time = meeting_time(&pair);
        if (!collide(&pair, 1))
            continue;
        collisions++;
        for (int k = 0; k < 2; k++) {
            struct particle *p = &other.particles[k];
            p->x += p->u * time;
            p->y += p->v * time;
        }
        bounce_off(&other.particles[0], &other.particles[1], other.kinds);
        for (int k = 0; k < 2; k++) {
            const struct particle *p = &pair.particles[k];
            CHECK(fabs(p->u - other.particles[k].u) < 1e-11);
            CHECK(fabs(p->v - other.particles[k].v) < 1e-11);
            CHECK(p->x == other.particles[k].x && p->y == other.particles[k].y && p->t == time);
            CHECK(pair.counts[k].particles == 1 && pair.counts[k].walls == 0);
        }
    }
    CHECK(collisions > 5000);
}

/* Relative velocity along the line of centres and across it. */
static void split_velocity(const struct pair *pair, double *normal, double *tangential)
{
    const struct particle *a = &pair->particles[0];
    const struct particle *b = &pair->particles[1];
    double distance = hypot(b->x - a->x, b->y - a->y);
    double nx = (b->x - a->x) / distance;
    double ny = (b->y - a->y) / distance;
    *normal = (b->u - a->u) * nx + (b->v - a->v) * ny;
    *tangential = (b->v - a->v) * nx - (b->u - a->u) * ny;
}

static double momentum(const struct pair *pair, int is_vertical)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        sum += pair->kinds[k].mass * (is_vertical ? pair->particles[k].v : pair->particles[k].u);
    return sum;
}

static double energy(const struct pair *pair)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const struct particle *p = &pair->particles[k];
        sum += pair->kinds[k].mass * (p->u * p->u + p->v * p->v) / 2;
    }
    return sum;
}

RANDOM_TEST(restitution, 22)
{
    static const double restitutions[] = {1, 0.9, 0.5, 0.1, 0};
    for (int round = 0; round < 40000; round++) {
        double restitution = restitutions[round % 5];
        struct pair pair = ordinary_pair(random);
        struct pair touching = pair;
        double time = meeting_time(&pair);
        double before, across, after, across_after;
        if (!collide(&pair, restitution))
            continue;
        for (int k = 0; k < 2; k++) {
            touching.particles[k].x += touching.particles[k].u * time;
            touching.particles[k].y += touching.particles[k].v * time;
        }
        split_velocity(&touching, &before, &across);
        split_velocity(&pair, &after, &across_after);
        CHECK(before <= 0 && fabs(after + restitution * before) < 1e-14);
        CHECK(fabs(across_after - across) < 1e-14);
        CHECK(fabs(momentum(&pair, 0) - momentum(&touching, 0)) < 1e-14);
        CHECK(fabs(momentum(&pair, 1) - momentum(&touching, 1)) < 1e-14);
        double masses = pair.kinds[0].mass + pair.kinds[1].mass;
        double reduced = pair.kinds[0].mass * pair.kinds[1].mass / masses;
        double loss = reduced * before * before * (1 - restitution * restitution) / 2;
        CHECK(fabs(energy(&pair) - (energy(&touching) - loss)) < 1e-14);
    }
}

/* Points have no line of centres: they meet head-on, along their relative velocity. */
TEST(points)
{
    struct pair pair = {
        .particles = {{.x = 5, .y = 5, .u = 1, .v = 1}, {.x = 7, .y = 7, .u = -1, .v = -1}},
        .kinds = {{0, 1, 0}, {0, 1, 0}}};
    CHECK(collide(&pair, 1));
    CHECK(fabs(pair.particles[0].u + 1) < 1e-15 && fabs(pair.particles[0].v + 1) < 1e-15);
    CHECK(fabs(pair.particles[1].u - 1) < 1e-15 && fabs(pair.particles[1].v - 1) < 1e-15);
    CHECK(meeting_time(&pair) == (double)INFINITY);
}

/* Where rounding has left points a distance whose square vanishes. */
TEST(points_that_nearly_coincide)
{
    for (double distance = 1e-150; distance > 0; distance *= 1e-10) {
        struct pair pair = {.particles = {{.u = 3}, {.x = distance, .v = -1}},
                            .kinds = {{0, 1, 0}, {0, 1, 0}}};
        struct system *system = pair_system(&pair, 1);
        const struct event event = {0, 0, 1};
        physics_resolve(system, &event);
        CHECK(pair.particles[0].u == 0 && pair.particles[1].u == 3);
        CHECK(pair.particles[0].v == 0 && pair.particles[1].v == -1);
    }
}

/* A number from 10^-exponent to 10^exponent, of either sign, or at times 0. */
static double extreme(struct random_generator *random, double exponent)
{
    if (random_below(random, 10) == 0)
        return 0;
    double size = pow(10, exponent * (2 * random_unit(random) - 1));
    return random_below(random, 2) ? size : -size;
}

/* Two touching particles that approach, of any sizes, masses and speeds, some nearly grazing. */
static struct pair extreme_pair(struct random_generator *random)
{
    struct pair pair = {0};
    double scale = pow(10, 70 * random_unit(random) - 35);
    double angle = 6.283185307179586 * random_unit(random);
    double speed = pow(10, 360 * random_unit(random) - 320);
    double drift = random_below(random, 2) ? 0 : speed * extreme(random, 18);
    int is_graze = random_below(random, 3) == 0;
    for (int k = 0; k < 2; k++) {
        pair.kinds[k].radius =
            random_below(random, 5) ? scale * pow(10, -5 * random_unit(random)) : 0;
        pair.kinds[k].mass = pow(10, 80 * random_unit(random) - 40);
        pair.particles[k].u = drift + speed * (random_unit(random) - 0.5);
        pair.particles[k].v = drift + speed * (random_unit(random) - 0.5);
        pair.particles[k].collided = 0;
    }
    double contact = pair.kinds[0].radius + pair.kinds[1].radius;
    pair.particles[0].x = scale * 10 * random_unit(random);
    pair.particles[0].y = scale * 10 * random_unit(random);
    pair.particles[1].x = pair.particles[0].x + contact * cos(angle);
    pair.particles[1].y = pair.particles[0].y + contact * sin(angle);
    if (is_graze) {
        double slide = speed * (random_unit(random) - 0.5);
        double closing = speed * pow(10, -25 * random_unit(random));
        pair.particles[1].u = pair.particles[0].u - slide * sin(angle) - closing * cos(angle);
        pair.particles[1].v = pair.particles[0].v + slide * cos(angle) - closing * sin(angle);
    }
    return pair;
}

/* Whatever they are: afterwards the two do not approach, and nothing came from nothing. */
RANDOM_TEST(no_pair_approaches_after_its_collision, 23)
{
    int rounds = check_is_thorough() ? 1000000 : 100000;
    int collisions = 0;
    static const double restitutions[] = {1, 0, 0.5, 0, 0.999, 1e-10};
    for (int round = 0; round < rounds; round++) {
        struct pair pair = extreme_pair(random);
        struct pair before = pair;
        if (!collide(&pair, restitutions[round % 6]))
            continue;
        collisions++;
        const struct particle *a = &pair.particles[0];
        const struct particle *b = &pair.particles[1];
        CHECK(isfinite(a->u) && isfinite(a->v) && isfinite(b->u) && isfinite(b->v));
        CHECK(meeting_time(&pair) == (double)INFINITY);
        if (energy(&before) < 1e-250)
            continue; /* numbers so small have lost their digits */
        CHECK(energy(&pair) <= energy(&before) * (1 + 1e-14));
        double size = before.kinds[0].mass * (fabs(before.particles[0].u) + fabs(a->u)) +
                      before.kinds[1].mass * (fabs(before.particles[1].u) + fabs(b->u));
        CHECK(fabs(momentum(&pair, 0) - momentum(&before, 0)) <= 1e-14 * size);
    }
    CHECK(collisions > rounds / 4);
}

/* A particle that has just collided loses nothing, whether with a wall or another particle. */
TEST(the_contact_time)
{
    struct pair pair = {.particles = {{.x = 5, .y = 5, .u = 1}, {.x = 9, .y = 5, .u = -1}},
                        .kinds = {{1, 1, 0}, {1, 1, 0}}};
    struct system *system = pair_system(&pair, 0.5);
    const struct event event = {meeting_time(&pair), 0, 1};
    static const struct {
        double contact_time;
        int has_collided;
        double expected;
    } cases[] = {{0, 1, 0.5}, {1, 1, 0.5}, {1.001, 1, 1}, {5, 0, 0.5}};
    for (size_t k = 0; k < 2 * LENGTH(cases); k++) {
        struct particle saved[2];
        memcpy(saved, pair.particles, sizeof saved);
        system->law.contact_time = cases[k / 2].contact_time;
        pair.particles[0].collided = pair.particles[1].collided = -(double)INFINITY;
        if (cases[k / 2].has_collided)
            pair.particles[k % 2].collided = 0;
        physics_resolve(system, &event);
        CHECK(pair.particles[0].u == -cases[k / 2].expected);
        CHECK(pair.particles[1].u == cases[k / 2].expected);
        memcpy(pair.particles, saved, sizeof saved);
    }
}

TEST(the_default_contact_time)
{
    struct particle particles[2] = {{.u = 3, .v = 4}, {.u = 0}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 2, 30, 20);
    CHECK(fabs(physics_contact_time(&system) / (1e-5 * 4 / sqrt(12.5)) - 1) < 1e-15);
    system.radius = 0;
    CHECK(fabs(physics_contact_time(&system) / (1e-5 * 20 / sqrt(12.5)) - 1) < 1e-15);
    particles[0].u = 3e-200;
    particles[0].v = 4e-200;
    CHECK(physics_contact_time(&system) == SYSTEM_LARGEST);
    system.boundary.width = system.boundary.height = SYSTEM_SMALLEST;
    particles[0].u = 3e-70;
    particles[0].v = 4e-70;
    CHECK(fabs(physics_contact_time(&system) / (1e-5 * 1e-40 / (1e-70 * sqrt(12.5))) - 1) < 1e-14);
    particles[0].u = particles[0].v = 0;
    CHECK(physics_contact_time(&system) == 0);
}

/* Disks that grow, and leave each other about as fast as their rims do: however that is rounded,
 * they do not collide again at once. */
TEST(disks_that_grow_and_graze)
{
    struct random_generator random = random_from(12);
    for (int k = 0; k < 2000; k++) {
        struct pair pair = ordinary_pair(&random);
        struct particle *a = &pair.particles[0], *b = &pair.particles[1];
        const double contact = pair.kinds[0].radius + pair.kinds[1].radius;
        const double growth = random_unit(&random), along = random_unit(&random) - 0.5;
        const double x = random_unit(&random) - 0.5, y = random_unit(&random) - 0.5;
        const double nx = x / sqrt(x * x + y * y), ny = y / sqrt(x * x + y * y);
        const double h = contact * growth;
        b->x = a->x + contact * nx;
        b->y = a->y + contact * ny;
        b->u = a->u + h * nx - along * ny;
        b->v = a->v + h * ny + along * nx;
        struct system *system = pair_system(&pair, 1);
        system->boundary.growth = growth;
        physics_resolve(system, &(struct event){0, 0, 1});
        CHECK(!((b->x - a->x) * (b->u - a->u) + (b->y - a->y) * (b->v - a->v) < h * contact));
    }
}
