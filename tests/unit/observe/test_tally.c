/* Tests of adding up a run, on collisions that can be done by hand. */

#include "check.h"
#include "observe/tally.h"

#include <float.h>

/* Two disks of radius 1 in a box of 10 x 10, and what has been tallied of them. */
struct scene {
    struct particle particles[2];
    struct particle_counts counts[2];
    struct particle_kind kinds[2];
    struct system system;
    struct tally tally;
    struct collision_sums sums;
};

static void begin_tally(struct scene *scene)
{
    const struct snapshot start = snapshot_in_order(&scene->system, 0);
    scene->sums = (struct collision_sums){0};
    tally_begin(&scene->tally, &start, 10 * BLOCKS, &scene->sums);
}

static void begin(struct scene *scene, struct particle a, struct particle b)
{
    scene->particles[0] = a;
    scene->particles[1] = b;
    scene->kinds[0] = scene->kinds[1] = (struct particle_kind){.radius = 1, .mass = 1};
    scene->system = SYSTEM(2, 10, 10, .radius = 1, .particles = scene->particles,
                           .counts = scene->counts, .law = ELASTIC);
    begin_tally(scene);
}

/* Gives both particles masses, and begins the tally again. */
static void weigh(struct scene *scene, double a_mass, double b_mass)
{
    scene->system.kinds = scene->kinds;
    scene->system.kind_count = 2;
    scene->kinds[0].mass = a_mass;
    scene->kinds[1].mass = b_mass;
    scene->particles[1].kind = 1;
    begin_tally(scene);
}

static struct collision_particle before(const struct scene *scene, int32_t k)
{
    const struct particle *p = &scene->particles[k];
    return (struct collision_particle){.number = k,
                                       .u_before = p->u,
                                       .v_before = p->v,
                                       .since = p->t,
                                       .radius = system_radius(&scene->system, p),
                                       .mass = system_mass(&scene->system, p)};
}

static void complete(const struct scene *scene, int32_t k, struct collision_particle *participant)
{
    const struct particle *p = &scene->particles[k];
    participant->x = p->x;
    participant->y = p->y;
    participant->u = p->u;
    participant->v = p->v;
}

static void collide(struct scene *scene, double time, int32_t a, int32_t b)
{
    const struct event event = {time, a, b};
    struct collision collision = {
        .time = time, .partner = event_partner(b), .feature = b, .a = before(scene, a)};
    if (collision.partner == PARTNER_PARTICLE)
        collision.b = before(scene, b);
    physics_resolve(&scene->system, &event);
    complete(scene, a, &collision.a);
    if (collision.partner == PARTNER_PARTICLE) {
        complete(scene, b, &collision.b);
        collision.dx = collision.b.x - collision.a.x;
        collision.dy = collision.b.y - collision.a.y;
    }
    tally_collide(&scene->tally, &collision);
    tally_advance(&scene->tally, time);
}

static void end_tally(struct scene *scene, double time)
{
    const struct snapshot end = snapshot_in_order(&scene->system, time);
    tally_end(&scene->tally, &end);
}

/* Of a run of no time: its speeds, and their fourth powers. */
static struct tally_speeds speeds_of(const struct scene *scene, double *fourth)
{
    const struct snapshot now = snapshot_in_order(&scene->system, 0);
    struct tally tally;
    struct collision_sums sums = {0};
    tally_begin(&tally, &now, 10, &sums);
    tally_end(&tally, &now);
    *fourth = tally.starts[INTEGRAL_FOURTH];
    return tally.speeds;
}

static const struct particle from_left = {.x = 3, .y = 5, .u = 1};
static const struct particle from_right = {.x = 7, .y = 5, .u = -1};
static const struct particle at_rest = {.x = 3, .y = 5};

TEST(two_disks_head_on)
{
    struct scene scene;
    begin(&scene, from_left, from_right);
    collide(&scene, 1, 0, 1);
    CHECK(scene.tally.pairs == 1);
    CHECK(sum_value(&scene.tally.virial) == 4); /* 2 apart, and each turns back */
    end_tally(&scene, 1.5);
    CHECK(tally_path(&scene.tally, 1.5) == 3);
    CHECK(scene.tally.start.energy == 1 && scene.tally.end.energy == 1);
    CHECK(scene.tally.end.momentum_x == 0 && scene.tally.end.momentum_scale == 2);
}

TEST(the_order_of_two_does_not_matter)
{
    struct scene scene;
    begin(&scene, from_right, from_left);
    collide(&scene, 1, 0, 1);
    CHECK(sum_value(&scene.tally.virial) == 4);
}

TEST(unequal_masses)
{
    struct scene scene;
    begin(&scene, from_left, from_right);
    weigh(&scene, 1, 3);
    CHECK(scene.tally.start.energy == 2 && scene.tally.start.momentum_x == -2);
    collide(&scene, 1, 0, 1);
    /* J = 2 (3/4) 2, with the reduced mass 3/4 and the relative velocity 2 */
    CHECK(fabs(sum_value(&scene.tally.virial) - 6) < 1e-14);
    end_tally(&scene, 1);
    CHECK(fabs(scene.tally.end.energy - 2) < 1e-15);
    CHECK(fabs(scene.tally.end.momentum_x + 2) < 1e-15);
}

/* a loses 2 and b gains 6: the mean of both counts. */
TEST(unequal_masses_that_switch_velocities)
{
    struct scene scene;
    begin(&scene, from_left, from_right);
    weigh(&scene, 1, 3);
    scene.system.law = (struct system_law){.rule = RULE_SWAP};
    collide(&scene, 1, 0, 1);
    CHECK(sum_value(&scene.tally.virial) == 8);
}

/* Only the part along the line of centres counts: d = (2, 0) and J = (1, 0), or (1, 3) if they
 * switch velocities, whose d.J is the same. */
TEST(oblique_collisions)
{
    for (int is_swap = 0; is_swap < 2; is_swap++) {
        struct scene scene;
        struct particle moving = {.x = 3, .y = 2, .u = 1, .v = 3};
        struct particle hit = {.x = 6, .y = 5};
        begin(&scene, moving, hit);
        scene.system.law.rule = is_swap ? RULE_SWAP : RULE_ELASTIC;
        collide(&scene, 1, 0, 1);
        CHECK(sum_value(&scene.tally.virial) == 2);
        end_tally(&scene, 1); /* the next flight takes no time */
        CHECK(tally_path(&scene.tally, 1) == sqrt(10));
        CHECK(scene.particles[1].v == (is_swap ? 3 : 0));
    }
}

TEST(walls)
{
    static const struct {
        int32_t wall;
        double u, v;
    } hits[] = {{FEATURE_LEFT, -2, 0.5},
                {FEATURE_RIGHT, 2, 0.5},
                {FEATURE_BOTTOM, 0.5, -2},
                {FEATURE_TOP, 0.5, 2}};
    struct scene scene;
    begin(&scene, at_rest, at_rest);
    weigh(&scene, 3, 1);
    for (int k = 0; k < TALLY_WALLS; k++) {
        scene.particles[0] = (struct particle){.x = 5, .y = 5, .u = hits[k].u, .v = hits[k].v};
        collide(&scene, 2, 0, hits[k].wall);
        for (int wall = 0; wall < TALLY_WALLS; wall++) {
            CHECK(scene.tally.walls[wall] == (wall <= k));
            CHECK(sum_value(&scene.tally.push[wall]) == (wall <= k ? 12 : 0));
        }
        CHECK(sum_value(&scene.tally.gained[k / 2]) == (k % 2 == 0 ? -12 : 0));
    }
    CHECK(scene.tally.pairs == 0 && sum_value(&scene.tally.virial) == 0);
}

/* From (3, 4) to (3, -4) and from (-2, 0) to (0, 2): what is transferred is along the normal. */
TEST(polygons)
{
    struct scene scene;
    begin(&scene, at_rest, at_rest);
    struct collision collision = {.time = 2,
                                  .partner = PARTNER_BOUNDARY,
                                  .feature = FEATURE_TOP - 1,
                                  .a = {.u_before = 3, .v_before = 4, .u = 3, .v = -4, .mass = 3}};
    tally_collide(&scene.tally, &collision);
    collision.feature = FEATURE_TOP - 8;
    collision.a = (struct collision_particle){.u_before = -2, .v = 2, .mass = 1};
    tally_collide(&scene.tally, &collision);
    CHECK(scene.tally.polygons == 2 && scene.tally.walls[3] == 0 && scene.tally.pairs == 0);
    CHECK(sum_value(&scene.tally.polygons_push) == 24 + sqrt(8));
    CHECK(sum_value(&scene.tally.gained[0]) == -2 && sum_value(&scene.tally.gained[1]) == 22);
}

/* The masses 1 and 3 lose, with the reduced mass 3/4, 3/8 of 2^2 less 1^2; whatever the drift. */
TEST(energy_that_is_lost)
{
    for (int is_drifting = 0; is_drifting < 2; is_drifting++) {
        struct scene scene;
        struct particle left = from_left;
        struct particle right = from_right;
        left.x = is_drifting ? 1 : 3;
        right.x = is_drifting ? 5 : 7;
        left.u += is_drifting ? 2 : 0;
        right.u += is_drifting ? 2 : 0;
        begin(&scene, left, right);
        scene.system.law.restitution = 0.5;
        weigh(&scene, 1, 3);
        collide(&scene, 1, 0, 1);
        CHECK(fabs(sum_value(&scene.tally.virial) - 4.5) < 1e-14);
        CHECK(fabs(sum_value(&scene.tally.energy_gained) + 1.125) < 1e-14);
        tally_advance(&scene.tally, 3); /* it has happened at time 1 */
        CHECK(fabs(scene.tally.integrals[INTEGRAL_ENERGY] + 2 * 1.125) < 1e-14);
    }
}

/* Some of the collisions, as a thread adds them up: in their order. */
static void add_some(struct collision_series *series, const struct collision_basis *basis,
                     const struct collision *list, size_t count, int which, int parts)
{
    for (size_t k = (size_t)which; k < count; k += (size_t)parts) {
        *collision_series_next(series, basis) = list[k];
        CHECK(k % 7 > 0 || collision_series_add_up(series, basis));
    }
    CHECK(collision_series_add_up(series, basis));
}

static double draw_number(struct random_generator *random, int range)
{
    return ldexp(random_unit(random) - 0.5, (int)(random_unit(random) * range));
}

/* Collisions in two blocks, the velocities and masses of which differ by factors of up to
 * 2^`range`, at most 132: SYSTEM_LARGEST is less than 2^133. */
static void draw_collisions(struct random_generator *random, int range, struct collision *list,
                            size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct collision_particle *const both[] = {&list[k].a, &list[k].b};
        list[k] = (struct collision){.time = 4 * (double)k / (double)count,
                                     .dx = draw_number(random, range),
                                     .dy = draw_number(random, range)};
        for (int side = 0; side < 2; side++)
            *both[side] = (struct collision_particle){.u = draw_number(random, range),
                                                      .v = draw_number(random, range),
                                                      .u_before = draw_number(random, range),
                                                      .v_before = draw_number(random, range),
                                                      .mass = draw_number(random, range)};
    }
}

/* Collisions are added up by any number of threads, and in any portions: no bit may depend on it.
 * And sums are those of the terms, to the last digits. */
RANDOM_TEST(any_order, 7)
{
    enum { IMPACTS = 300 };
    static struct collision list[IMPACTS];
    for (int round = 0; round < 20; round++) {
        const struct collision_basis basis = {.is_counting = 1, .to = 2 * BLOCKS};
        struct collision_series whole = {0};
        struct sum exact = {0};
        double scale = 0;
        draw_collisions(random, 7 * round, list, IMPACTS);
        add_some(&whole, &basis, list, IMPACTS, 0, 1);
        CHECK(whole.count == 2);
        for (int parts = 2; parts < 8; parts++) {
            struct collision_sums joined[2] = {{0}, {.block = 1}};
            for (int part = parts; part-- > 0;) {
                struct collision_series series = {0};
                add_some(&series, &basis, list, IMPACTS, part, parts);
                CHECK(series.count == 2);
                collision_sums_join(&joined[0], &series.list[0]);
                collision_sums_join(&joined[1], &series.list[1]);
                memory_free(series.list);
            }
            for (int block = 0; block < 2; block++) {
                CHECK(joined[block].pairs == whole.list[block].pairs);
                for (int k = 0; k < COLLISION_SUMS; k++)
                    CHECK(collision_sums_value(&joined[block], k) ==
                          collision_sums_value(&whole.list[block], k));
            }
        }
        for (const struct collision *e = list; e->time <= 2; e++) {
            const double term = e->dx * (e->b.mass * (e->b.u - e->b.u_before) -
                                         e->a.mass * (e->a.u - e->a.u_before));
            sum_add(&exact, term);
            scale += fabs(term);
        }
        CHECK(fabs(collision_sums_value(&whole.list[0], COLLISION_XX) - sum_value(&exact)) <=
              fabs(sum_value(&exact)) * DBL_EPSILON + scale * 1e-28);
        memory_free(whole.list);
    }
}

/* Of pairs of classes, too, each sum is that of its collisions alone, and all add up to what they
 * are without classes. */
RANDOM_TEST(classes_in_any_order, 8)
{
    enum { IMPACTS = 300, NUMBERS = 5, PAIRS = 6, BLOCKS_USED = 2 };
    static const uint8_t classes[NUMBERS] = {0, 2, 1, 2, 0};
    static struct collision list[IMPACTS], some[IMPACTS];
    for (int round = 0; round < 10; round++) {
        const struct collision_basis plain = {.is_counting = 1, .to = BLOCKS_USED * BLOCKS};
        struct collision_basis basis = plain;
        struct collision_series whole = {0}, all = {0};
        basis.classes = classes;
        basis.more_pairs = PAIRS - 1;
        draw_collisions(random, 13 * round, list, IMPACTS);
        for (size_t k = 0; k < IMPACTS; k++)
            for (int side = 0; side < 2; side++)
                *(side ? &list[k].b.number : &list[k].a.number) =
                    (int32_t)random_below(random, NUMBERS);
        add_some(&whole, &basis, list, IMPACTS, 0, 1);
        add_some(&all, &plain, list, IMPACTS, 0, 1);
        CHECK(whole.count == BLOCKS_USED * PAIRS && all.count == BLOCKS_USED);
        struct collision_sums joined[BLOCKS_USED] = {{0}, {.block = 1}};
        for (size_t n = 0; n < whole.count; n++) {
            const struct collision_sums *sums = &whole.list[n];
            struct collision_series alone = {0};
            size_t count = 0;
            for (size_t k = 0; k < IMPACTS; k++)
                if (class_pair(classes[list[k].b.number], classes[list[k].a.number]) == n % PAIRS)
                    some[count++] = list[k];
            add_some(&alone, &basis, some, count, 0, 1);
            const struct collision_sums *same = &alone.list[n];
            CHECK(same->pairs == sums->pairs);
            for (int k = 0; k < COLLISION_SUMS; k++)
                CHECK(collision_sums_value(same, k) == collision_sums_value(sums, k));
            collision_sums_join(&joined[n / PAIRS], sums);
            memory_free(alone.list);
        }
        for (int block = 0; block < BLOCKS_USED; block++) {
            CHECK(joined[block].pairs == all.list[block].pairs);
            for (int k = 0; k < COLLISION_FIRST; k++)
                CHECK(collision_sums_value(&joined[block], k) ==
                      collision_sums_value(&all.list[block], k));
        }
        memory_free(whole.list);
        memory_free(all.list);
    }
}

/* The drift along x is 1; so u is 2 and -2 relative to it. */
TEST(drift)
{
    struct scene scene;
    begin(&scene, (struct particle){.x = 3, .y = 5, .u = 3, .v = 1},
          (struct particle){.x = 7, .y = 5, .u = -1, .v = 1});
    CHECK(scene.tally.start.drift_u == 0 && scene.tally.start.thermal == 6);
    scene.system.boundary.periodic = PERIODIC_X;
    begin_tally(&scene);
    CHECK(scene.tally.start.drift_u == 1 && scene.tally.start.drift_v == 0);
    CHECK(scene.tally.start.energy == 6 && scene.tally.start.thermal == 5);
    end_tally(&scene, 0.25);
    CHECK(tally_path(&scene.tally, 0.25) == 0.5 * sqrt(5));
    CHECK(scene.tally.speeds.square == 5);
}

/* A disk of mass 2 leaves with (1, 0.5) and goes on with (3, -1), relative to a stream with speed 2
 * from (-1, 0.5) to (1, -1): its thermal energy grows from 1.25 to 2. */
TEST(a_stream)
{
    struct scene scene;
    begin(&scene, from_left, at_rest);
    weigh(&scene, 2, 1);
    scene.system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    scene.system.boundary.stream = stream_make(2, 1, 1);
    begin_tally(&scene);
    CHECK(scene.tally.start.drift_u == 2 && scene.tally.start.drift_v == 0);
    CHECK(scene.tally.start.thermal == 1 + 2);
    const struct collision passage = {
        .time = 4,
        .partner = PARTNER_BOUNDARY,
        .feature = FEATURE_RIGHT,
        .is_reinjection = 1,
        .a = {.u_before = 1, .v_before = 0.5, .u = 3, .v = -1, .mass = 2}};
    tally_collide(&scene.tally, &passage);
    CHECK(scene.tally.reinjections == 1 && scene.tally.polygons == 0);
    CHECK(scene.tally.changes[INTEGRAL_SPEED] == sqrt(2) - sqrt(1.25));
    CHECK(sum_value(&scene.tally.seam_given[0]) == 4 &&
          sum_value(&scene.tally.seam_given[1]) == -3);
    CHECK(sum_value(&scene.tally.gained[0]) == -4 && sum_value(&scene.tally.gained[1]) == 3);
    CHECK(sum_value(&scene.tally.energy_gained) == 0.75);
    tally_advance(&scene.tally, 6); /* it has happened at time 4 */
    CHECK(scene.tally.integrals[INTEGRAL_ENERGY] == 1.5);
}

TEST(speeds)
{
    struct scene scene;
    begin(&scene, (struct particle){.u = 3, .v = 4}, (struct particle){.v = -1});
    double fourth;
    struct tally_speeds speeds = speeds_of(&scene, &fourth);
    CHECK(speeds.mean == 3 && speeds.square == 13 && speeds.reduced == 3);
    CHECK(speeds.reduced_2 == 13 && fourth == 626);
    weigh(&scene, 1, 4);
    speeds = speeds_of(&scene, &fourth);
    CHECK(speeds.mean == 3 && speeds.square == 13);
    CHECK(speeds.reduced == 3.5 && speeds.reduced_2 == 14.5 && fourth == 641);
}
