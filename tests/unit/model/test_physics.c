/* Tests of the predictions and of what a collision does. */
#include "check.h"

static const double never = (double)INFINITY;

/* A particle at rest or moving, with its anchor at time 0. */
static struct particle at(double x, double y, double u, double v)
{
    return (struct particle){.x = x, .y = y, .u = u, .v = v};
}

static double time_of_pair(struct particle i, struct particle j, double contact)
{
    double time = pair_time(&i, &j, contact, NULL);
    CHECK(pair_time(&j, &i, contact, NULL) == time);
    return time;
}

TEST(pairs_that_meet)
{
    CHECK(time_of_pair(at(0, 0, 1, 0), at(10, 0, -1, 0), 2) == 4);
    CHECK(time_of_pair(at(0, 0, 0, 3), at(0, 5, 0, 0), 2) == 1);
    /* At contact the centres are (1.2, 1.6) apart: a 3-4-5 triangle. */
    CHECK(fabs(time_of_pair(at(0, 0, 1, 0), at(6.2, 1.6, 0, 0), 2) - 5) < 1e-14);
}

TEST(pairs_that_never_meet)
{
    CHECK(time_of_pair(at(0, 0, -1, 0), at(10, 0, 1, 0), 2) == never);   /* receding */
    CHECK(time_of_pair(at(0, 0, 1, 1), at(10, 0, 1, 1), 2) == never);    /* side by side */
    CHECK(time_of_pair(at(0, 0, 0, 0), at(2, 0, 0, 0), 2) == never);     /* at rest, touching */
    CHECK(time_of_pair(at(0, 0, 1, 0), at(10, 2.1, -1, 0), 2) == never); /* passing */
    CHECK(time_of_pair(at(0, 0, 0, 1), at(2, 0, 0, -1), 2) == never);    /* touching, sliding */
    CHECK(time_of_pair(at(0, 0, -1, 0), at(2, 0, 0, 0), 2) == never);    /* touching, receding */
}

TEST(a_graze_counts)
{
    CHECK(time_of_pair(at(0, 0, 1, 0), at(5, 2, -1, 0), 2) == 2.5);
}

TEST(touching_or_overlapping_by_rounding_collides_at_once)
{
    CHECK(time_of_pair(at(0, 0, 1, 0), at(2, 0, 0, 0), 2) == 0);
    CHECK(time_of_pair(at(0, 0, 1, 0), at(nextafter(2, 0), 0, 0, 0), 2) == 0);
    struct particle late = at(2, 0, -1, 0);
    late.t = 7;
    CHECK(time_of_pair(at(0, 0, 0, 0), late, 2) == 7);
}

TEST(the_reference_is_the_later_anchor)
{
    struct particle early = at(0, 0, 1, 0); /* at time 3 it is at x = 3 */
    struct particle late = at(10, 0, 0, 0);
    late.t = 3;
    CHECK(time_of_pair(early, late, 2) == 8);
    late.x = 4.5; /* overlaps at time 3, approaching: so at time 3, not before */
    CHECK(time_of_pair(early, late, 2) == 3);
}

/* The formulas to the last bit. Other correct ways to write them (the contract's own root, a
 * fused multiplication, another order of the same terms) give other last bits here. */
TEST(the_bits_are_fixed)
{
    const struct particle i = at(0.1, 0.2, 1.3, 0.7);
    struct particle j = at(7.9, 6.3, -0.9, -1.1);
    CHECK(time_of_pair(i, j, 0.6) == 3.2860351420844638);
    j.t = 0.3;
    CHECK(time_of_pair(i, j, 0.6) == 3.4239296423750893);
    CHECK(time_of_pair(i, at(0.1 + 0.6 * (1 + 1e-9), 0.2, -0.9, 0.1), 0.6) ==
          2.7272729516660751e-10);
    CHECK(particle_coordinate(0.1, 0.7, 0.3, 1.7) == 1.0799999999999998);
}

TEST(points_meet_only_head_on)
{
    CHECK(time_of_pair(at(0, 0, 1, 0), at(4, 0, -1, 0), 0) == 2);
    CHECK(time_of_pair(at(0, 0, 1, 0), at(4, 1e-9, -1, 0), 0) == never);
}

/* The wall event of a particle of radius 1 in a box of 10 x 20. */
static struct event wall_event(struct particle particle)
{
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 20);
    return physics_boundary_event(&system, 0);
}

static int is_event(struct event event, double time, int32_t b)
{
    return event.time == time && event.a == 0 && event.b == b;
}

TEST(walls)
{
    CHECK(is_event(wall_event(at(5, 5, -2, 0)), 2, FEATURE_LEFT));
    CHECK(is_event(wall_event(at(5, 5, 2, 0)), 2, FEATURE_RIGHT));
    CHECK(is_event(wall_event(at(5, 5, 0, -2)), 2, FEATURE_BOTTOM));
    CHECK(is_event(wall_event(at(5, 5, 0, 2)), 7, FEATURE_TOP));
    CHECK(is_event(wall_event(at(5, 5, 0.1, -2)), 2, FEATURE_BOTTOM));
    CHECK(is_event(wall_event(at(5, 5, -2, -2)), 2, FEATURE_LEFT)); /* a corner: x before y */
    CHECK(wall_event(at(5, 5, 0, 0)).time == never);
    CHECK(is_event(wall_event(at(9, 5, 1, 0)), 0, FEATURE_RIGHT));                /* touching */
    CHECK(is_event(wall_event(at(nextafter(9, 10), 5, 1, 0)), 0, FEATURE_RIGHT)); /* by rounding */
    struct particle late = at(5, 5, 2, 0);
    late.t = 100;
    CHECK(is_event(wall_event(late), 102, FEATURE_RIGHT));
}

TEST(a_wall_collision)
{
    struct particle particle = at(5, 5, 0.3, -0.1);
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 20);
    struct event event = physics_boundary_event(&system, 0);
    physics_resolve(&system, &event);
    CHECK(particle.x == 9 && particle.u == -0.3 && particle.v == -0.1);
    CHECK(particle.y == 5 + -0.1 * (event.time - 0) && particle.t == event.time);
    CHECK(system.counts[0].walls == 1 && system.counts[0].particles == 0);
    CHECK(particle.collided == event.time && particle.version == 1);
    const struct event others[] = {
        {20, 0, FEATURE_LEFT}, {30, 0, FEATURE_BOTTOM}, {40, 0, FEATURE_TOP}};
    physics_resolve(&system, &others[0]);
    CHECK(particle.x == 1 && particle.u == 0.3);
    physics_resolve(&system, &others[1]);
    CHECK(particle.y == 1 && particle.v == 0.1);
    physics_resolve(&system, &others[2]);
    CHECK(particle.y == 19 && particle.v == -0.1);
    CHECK(system.counts[0].walls == 4 && particle.t == 40 && particle.version == 4);
}

TEST(particles_switch_velocities)
{
    struct particle particles[2] = {at(2, 2, 1, 0.5), at(6, 2, -1, 0.25)};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 10, 10);
    const struct event event = {1, 0, 1};
    physics_resolve(&system, &event);
    CHECK(particles[0].x == 3 && particles[0].y == 2.5 && particles[0].t == 1);
    CHECK(particles[1].x == 5 && particles[1].y == 2.25 && particles[1].t == 1);
    CHECK(particles[0].u == -1 && particles[0].v == 0.25);
    CHECK(particles[1].u == 1 && particles[1].v == 0.5);
    for (int k = 0; k < 2; k++) {
        CHECK(system.counts[k].particles == 1 && system.counts[k].walls == 0);
        CHECK(particles[k].collided == 1 && particles[k].version == 1);
    }
}

/* The assignment's "verification hints", on random pairs and walls. */
RANDOM_TEST(predicted_contacts_are_contacts, 1)
{
    for (int round = 0; round < 20000; round++) {
        OWNED(system, system) = random_system(random, 2, 0.05, 1);
        struct particle *i = &system.particles[0];
        struct particle *j = &system.particles[1];
        double time = pair_time(i, j, 2, NULL);
        if (time < never) {
            double x =
                particle_coordinate(j->x, j->u, 0, time) - particle_coordinate(i->x, i->u, 0, time);
            double y =
                particle_coordinate(j->y, j->v, 0, time) - particle_coordinate(i->y, i->v, 0, time);
            CHECK(fabs(hypot(x, y) - 2) < 1e-13 * fmax(1, time));
        }
        struct event event = physics_boundary_event(&system, 0);
        double x = particle_coordinate(i->x, i->u, 0, event.time);
        double y = particle_coordinate(i->y, i->v, 0, event.time);
        double gap = event.b == FEATURE_LEFT     ? x - 1
                     : event.b == FEATURE_RIGHT  ? system.boundary.width - 1 - x
                     : event.b == FEATURE_BOTTOM ? y - 1
                                                 : system.boundary.height - 1 - y;
        CHECK(fabs(gap) < 1e-13 * system.boundary.width);
    }
}

TEST(positions_stay_in_the_box)
{
    struct particle particle = at(5, 1, 1, -1e-17);
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 10);
    double x, y;
    physics_position(&system, 0, 2.5, &x, &y);
    CHECK(x == 7.5 && y == 1);
    physics_position(&system, 0, nextafter(4, 5), &x, &y);
    CHECK(x == 9);
    particle = at(-0.0, 0, 0, -0.0);
    system.radius = 0;
    physics_position(&system, 0, 1, &x, &y);
    CHECK(!signbit(x) && !signbit(y));
}
