/* Tests of contacts of disks in time-stepped runs: single bounces that can be computed by hand, the
 * exact dynamics of hard disks, heaps that lie still, disks that overlap from the start; and of the
 * list of pairs in contact: which contacts are new, and what a checkpoint keeps. */
#include "check.h"
#include "gas.h"
#include "stepped.h"
#include "steps/term.h"

/* Gives particle 1 another mass than 1. */
static void set_mass(struct system *system, double mass)
{
    arranged_kinds(system, 2);
    system->kinds[1] = (struct particle_kind){.radius = 1, .mass = mass};
    system->particles[1].kind = 1;
}

/* Two disks meet on a line: velocities and places are those of the exact bounce, whatever dt. */
TEST(a_bounce)
{
    static const double steps[] = {0.25, 0.1, 0.03125, 0.007};
    static const double masses[] = {1, 3, 1e6};
    static const double restitutions[] = {1, 0.5, 0};
    for (size_t k = 0; k < 36; k++) {
        OWNED(system, system) = stepped_disks(2, 40, 10);
        const double m = masses[k / 4 % 3];
        const double e = restitutions[k / 12];
        const double u = (1 - e * m) / (1 + m); /* of the first: Newton's law */
        const double w = (1 + e) / (1 + m);
        char parts[100];
        snprintf(parts, sizeof parts, "constraint contact restitution=%g", e);
        set_mass(&system, m);
        set_particle(&system, 0, 17, 5, 1, 0); /* 1 apart: a second */
        set_particle(&system, 1, 20, 5, 0, 0);
        stepped_check_scene(&system, parts, steps[k % 4], 2);
        const struct particle *p = system.particles;
        CHECK(fabs(p[0].u - u) < 1e-12 && fabs(p[1].u - w) < 1e-12);
        CHECK(fabs(p[0].x - (18 + u)) < 1e-9 && fabs(p[1].x - (20 + w)) < 1e-9);
        CHECK(system.counts[0].particles == 1 && system.counts[1].particles == 1);
        CHECK(p[0].v == 0 && p[1].v == 0 && system.counts[0].walls == 0);
    }
}

/* Disks in a periodic box meet across seams, as they do in the middle. */
TEST(a_bounce_across_a_seam)
{
    OWNED(system, system) = stepped_disks(2, 10, 10);
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    set_particle(&system, 0, 9.5, 9.75, 1, 0.5);
    set_particle(&system, 1, 2.5, 2.75, 0, -1); /* (3, 3) away: not yet in contact */
    OWNED(system, exact) = system_copy(&system);
    stepped_check_scene(&system, "constraint contact", 0.01, 3);
    gas_run(&exact, SCHEDULE_ARRAY, 3, NULL);
    CHECK(exact.counts[0].particles == 1 && system.counts[0].particles == 1);
    for (size_t k = 0; k < 2; k++) {
        CHECK(fabs(system.particles[k].u - exact.particles[k].u) < 1e-9);
        CHECK(fabs(system.particles[k].v - exact.particles[k].v) < 1e-9);
    }
}

/* How far stepped disks are from exact ones: the largest distance, and of how many counts differ.
 */
static double compare(const struct system *start, unsigned periodic, double dt, double end_time,
                      size_t *miscounted)
{
    OWNED(system, exact) = system_copy(start);
    OWNED(system, system) = system_copy(start);
    double largest = 0;
    exact.law = ELASTIC;
    exact.boundary.periodic = system.boundary.periodic = periodic;
    gas_run(&exact, SCHEDULE_ARRAY, end_time, NULL);
    stepped_check_scene(&system, "constraint contact", dt, end_time);
    *miscounted = 0;
    for (size_t k = 0; k < system.count; k++) {
        const struct particle *p = &exact.particles[k];
        double x = p->x + p->u * (end_time - p->t);
        double y = p->y + p->v * (end_time - p->t);
        boundary_clamp(&exact.boundary, exact.radius, &x, &y);
        largest = fmax(largest, fabs(x - system.particles[k].x));
        largest = fmax(largest, fabs(y - system.particles[k].y));
        *miscounted += exact.counts[k].particles != system.counts[k].particles ||
                       exact.counts[k].walls != system.counts[k].walls;
    }
    return largest;
}

/* A gas of hard disks: with small steps it is the exact one, contacts and all. */
RANDOM_TEST(against_the_exact_dynamics, 5)
{
    OWNED(system, gas) = random_system(random, 60, 0.2, 1);
    size_t coarse, fine;
    for (unsigned periodic = 0; periodic < 2; periodic++) {
        const double far = compare(&gas, periodic ? PERIODIC_X : 0, 0.05, 4, &coarse);
        const double near = compare(&gas, periodic ? PERIODIC_X : 0, 0.002, 4, &fine);
        CHECK(near <= far + 1e-9 && near < 1e-9 && fine == 0);
    }
}

/* Elastic disks keep their energy and, in a periodic box, their momentum, also when dense. */
RANDOM_TEST(energy_and_momentum_stay, 6)
{
    OWNED(system, gas) = random_system(random, 100, 0.5, 1);
    double energy = 0, momentum = 0;
    gas.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    for (size_t k = 0; k < gas.count; k++) {
        const struct particle *p = &gas.particles[k];
        energy += p->u * p->u + p->v * p->v;
        momentum += p->u;
    }
    stepped_check_scene(&gas, "constraint contact", 0.02, check_is_quick() ? 4 : 20);
    for (size_t k = 0; k < gas.count; k++) {
        const struct particle *p = &gas.particles[k];
        energy -= p->u * p->u + p->v * p->v;
        momentum -= p->u;
    }
    CHECK(fabs(energy) < 0.5 && fabs(momentum) < 1e-10); /* of about 67 */
}

/* A column of disks comes to rest one upon the other. */
TEST(a_column_lies_still)
{
    enum { DISKS = 6 };
    OWNED(system, system) = stepped_disks(DISKS, 2, 20);
    for (size_t k = 0; k < DISKS; k++)
        set_particle(&system, k, 1, 1.5 + 2.5 * (double)k, 0, 0);
    stepped_check_scene(&system,
                        "interaction gravity g=-10\nconstraint contact restitution=0.3\n"
                        "constraint walls restitution=0.3",
                        0.001, 8);
    for (size_t k = 0; k < DISKS; k++) {
        CHECK(fabs(system.particles[k].y - (1 + 2 * (double)k)) < 0.002);
        CHECK(fabs(system.particles[k].v) < 0.02);
    }
}

/* A disk that lies on a soft one overlaps it by alpha m g, whatever the step. */
TEST(compliance_gives)
{
    static const double steps[] = {0.02, 0.004};
    for (size_t k = 0; k < 2; k++) {
        OWNED(system, system) = STEPPED_DISKS(20, 20, {10, 5, 0, 0}, {10, 7, 0, 0});
        set_mass(&system, 2);
        stepped_check_scene(&system,
                            "interaction gravity g=-10\nconstraint pin particles=0\n"
                            "constraint contact compliance=0.005 damping=20 restitution=0",
                            steps[k], 20);
        CHECK(fabs(system.particles[1].y - (7 - 0.005 * 2 * 10)) < 1e-9);
        CHECK(system.particles[0].y == 5 && system.counts[1].particles == 1);
    }
}

/* The energy of a soft contact is that of a spring, and its deviation is the overlap. */
TEST(energy_and_deviation)
{
    OWNED(system, system) = STEPPED_DISKS(20, 20, {5, 5, 0, 0}, {6.5, 5, 0, 0}, {6.5, 6.75, 0, 0});
    struct stepped stepped =
        STEPPED(0.01, 1, .parts = "constraint contact compliance=1e9", .end_time = 0.01);
    CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
    CHECK(fabs(stepped.end.potential * 2e9 - (0.5 * 0.5 + 0.25 * 0.25)) < 1e-9);
    CHECK(fabs(stepped.end.deviation - 0.5) < 1e-9 && stepped.end.kinetic < 1e-9);
}

/* Disks that overlap from the start part without a bang; also in one place, and if pinned. */
TEST(overlaps_part)
{
    OWNED(system, system) = stepped_disks(5, 20, 20);
    set_particle(&system, 0, 10, 10, 0, 0);
    set_particle(&system, 1, 10, 10, 0, 0);
    set_particle(&system, 2, 10.5, 11, 0, 0);
    set_particle(&system, 3, 3, 3, 0, 0); /* pinned to each other */
    set_particle(&system, 4, 3, 3, 0, 0);
    stepped_check_scene(&system, "constraint pin particles=3,4\nconstraint contact", 10, 100);
    for (size_t i = 0; i < 3; i++) {
        const struct particle *p = &system.particles[i];
        CHECK(fabs(p->u) + fabs(p->v) < 0.05);
        for (size_t j = 0; j < i; j++) {
            const double dx = p->x - system.particles[j].x;
            const double dy = p->y - system.particles[j].y;
            CHECK(sqrt(dx * dx + dy * dy) > 2 - 1e-6);
        }
    }
    CHECK(system.particles[3].x == 3 && system.counts[3].particles == 0);
}

/* Disks as fast as that would pass each other unseen; and two parts would count twice. */
TEST(what_is_refused)
{
    OWNED(system, system) = stepped_disks(2, 20, 20);
    struct stepped stepped = STEPPED(0.1, 2, .parts = "constraint contact", .end_time = 1);
    set_particle(&system, 0, 5, 5, 11, 0); /* 0.55 in a substep */
    set_particle(&system, 1, 10, 10, 0, 0);
    CHECK(stepped_run(&stepped, &system) == STATUS_BAD_DATA);
    set_particle(&system, 0, 5, 5, 9, 0);
    CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
    stepped.parts = "constraint contact\nconstraint contact restitution=0";
    CHECK(stepped_run(&stepped, &system) == STATUS_USAGE);
    stepped.parts = "constraint contact";
    system.radius = 0; /* points never meet, and have no such bound */
    set_particle(&system, 0, 5, 5, 50, 0);
    CHECK(stepped_run(&stepped, &system) == STATUS_DONE);
}

/* Places a disk `height` above one of the four sides of the box, to which gravity pulls. */
static void place_above(struct system *system, size_t k, int side, double height)
{
    const double far = system->boundary.width - height;
    const double x = side == 0 ? height : side == 2 ? far : 10;
    const double y = side == 1 ? height : side == 3 ? far : 10;
    set_particle(system, k, x, y, 0, 0);
}

/* Runs disks under gravity, 10, to a side; and finds where one of them should be, and is not. */
static double fall(struct system *system, int side, double restitution, double end_time)
{
    char parts[200];
    snprintf(parts, sizeof parts,
             "interaction gravity g=-10 direction=%d\nconstraint contact restitution=%g\n"
             "constraint walls restitution=%g",
             90 * side, restitution, restitution);
    struct stepped stepped = {.step = 0.001, .substeps = 1, .parts = parts, .end_time = end_time};
    stepped_check(&stepped, system);
    return stepped.end.kinetic;
}

static double height_of(const struct system *system, size_t k, int side)
{
    const struct particle *p = &system->particles[k];
    const double height = side % 2 ? p->y : p->x;
    return side < 2 ? height : system->boundary.width - height;
}

/* Touching disks that fall on a wall bounce off each other: a column of equal ones as one body,
 * whatever their numbers; and of two of masses 3 and 1 the lower one stops. */
TEST(touching_disks_fall_and_bounce)
{
    const double g = 10, drop = 2, after = 0.5, landing = sqrt(2 * drop / g);
    for (int k = 0; k < 24; k++) {
        const int side = k % 4, is_reversed = k / 4 % 2;
        const size_t count = (size_t[]){2, 3, 5}[k / 8];
        OWNED(system, system) = stepped_disks(count, 30, 30);
        for (size_t n = 0; n < count; n++)
            place_above(&system, is_reversed ? count - 1 - n : n, side, 1 + drop + 2 * (double)n);
        fall(&system, side, 1, landing + after);
        for (size_t n = 0; n < count; n++)
            CHECK(fabs(height_of(&system, is_reversed ? count - 1 - n : n, side) -
                       (1 + 2 * (double)n + (g * landing - g * after / 2) * after)) < 1e-8);
    }
    for (int side = 0; side < 4; side++) {
        OWNED(system, system) = stepped_disks(2, 30, 30);
        set_mass(&system, 3);
        place_above(&system, 1, side, 1 + drop);
        place_above(&system, 0, side, 3 + drop);
        fall(&system, side, 1, landing + after);
        CHECK(fabs(height_of(&system, 1, side) - 1) < 1e-4);
        CHECK(fabs(height_of(&system, 0, side) - (3 + (2 * g * landing - g * after / 2) * after)) <
              1e-4);
    }
}

/* A disk that falls on one at rest, or on a column, comes back as high, and these lie again. */
TEST(a_column_passes_a_hit_on)
{
    for (size_t k = 0; k < 4; k++) {
        const size_t count = k < 2 ? 2 : 6; /* with the one that falls, which has any number */
        const size_t falling = k % 2 ? count - 1 : 0;
        OWNED(system, system) = stepped_disks(count, 30, 30);
        for (size_t n = 0, next = 0; n < count; n++)
            place_above(&system, n, 1,
                        n == falling ? 2 * (double)count + 0.8 : 1 + 2 * (double)next++);
        fall(&system, 1, 1, 2 * sqrt(2 * 1.8 / 10));
        CHECK(fabs(system.particles[falling].y - (2 * (double)count + 0.8)) < 0.02);
        CHECK(fabs(system.particles[falling == 0 ? 1 : 0].y - 1) < 0.002);
    }
}

/* What lies on each other lies still, whatever the restitution and the numbers of disks. */
TEST(a_column_at_rest_stays)
{
    enum { DISKS = 10 };
    for (size_t k = 0; k < 6; k++) {
        OWNED(system, system) = stepped_disks(DISKS, 30, 30);
        for (size_t n = 0; n < DISKS; n++)
            place_above(&system, n, 1, 1 + 2 * (double)(k % 2 ? DISKS - 1 - n : n));
        CHECK(fall(&system, 1, (double)(k / 2) / 2, 4) < 1e-12);
        for (size_t n = 0; n < DISKS; n++)
            CHECK(fabs(system.particles[n].y - (1 + 2 * (double)(k % 2 ? DISKS - 1 - n : n))) <
                  0.002);
    }
}

/* A gas under gravity keeps its energy as well as free flights do. */
TEST(a_gas_under_gravity_keeps_its_energy)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct random_generator random = random_from(seed);
        OWNED(system, gas) = random_system(&random, 60, 0.2, 1);
        struct stepped stepped = STEPPED(
            0.0005, 1, .parts = "interaction gravity g=-9.81\nconstraint contact", .end_time = 4);
        double energy = 0;
        for (size_t k = 0; k < gas.count; k++) {
            const struct particle *p = &gas.particles[k];
            energy += system_mass(&gas, p) * ((p->u * p->u + p->v * p->v) / 2 + 9.81 * p->y);
        }
        CHECK(stepped_run(&stepped, &gas) == STATUS_DONE);
        CHECK(fabs((stepped.end.kinetic + stepped.end.potential) / energy - 1) < 3e-5);
    }
}

/* In a column on soft disks, too, each overlap is alpha times the weight above it. */
TEST(compliance_gives_in_a_column)
{
    enum { DISKS = 5 };
    static const double steps[] = {0.01, 0.003, 0.001};
    static const double alphas[] = {1e-3, 1e-4};
    for (size_t k = 0; k < 6; k++) {
        const double alpha = alphas[k / 3];
        char parts[200];
        OWNED(system, system) = stepped_disks(DISKS, 30, 30);
        for (size_t n = 0; n < DISKS; n++)
            place_above(&system, n, 1, 1 + 2 * (double)n);
        snprintf(parts, sizeof parts,
                 "interaction gravity g=-10\nconstraint contact restitution=0.5 damping=50 "
                 "compliance=%g",
                 alpha);
        stepped_check_scene(&system, parts, steps[k % 3], 20);
        for (size_t n = 1; n < DISKS; n++) {
            const double overlap = 2 - (system.particles[n].y - system.particles[n - 1].y);
            CHECK(fabs(overlap / (alpha * 10 * (double)(DISKS - n)) - 1) < 0.01);
        }
    }
}

enum { PARTICLES = 12 };

/* Many pairs, against a table of all. */
RANDOM_TEST(against_a_table, 3)
{
    OWNED(contact_list, list) = {0};
    int touched[PARTICLES][PARTICLES] = {{0}};
    for (int substep = 0; substep < 200; substep++) {
        must(contact_list_reserve(&list, PARTICLES, PARTICLES * PARTICLES, &failure));
        for (size_t i = 0; i < PARTICLES; i++) {
            contact_list_begin(&list, i, i * PARTICLES);
            for (size_t j = i + 1; j < PARTICLES; j++) {
                const int touches = random_below(random, 3) == 0;
                CHECK(contact_list_had(&list, j, i) == touched[i][j]);
                CHECK(contact_list_had(&list, i, j) == touched[i][j]);
                if (touches)
                    contact_list_add(&list, i, j);
                touched[i][j] = touches;
            }
        }
        contact_list_end_substep(&list);
    }
}

/* Reads pairs of 4 particles from a record with these lines. */
static enum status load_list(const char *lines, struct contact_list *list, struct error *error)
{
    struct record writer = {0};
    struct record reader;
    FILE *stream = fopen("record", "w");
    if (!CHECK(stream && !record_begin(&writer, stream, error)))
        exit(EXIT_FAILURE);
    for (; *lines; lines++) {
        uint64_t digit = (uint64_t)(*lines - '0');
        if (*lines == '\n')
            record_end_line(&writer);
        else if (*lines != ' ')
            record_whole(&writer, &digit, 9);
    }
    record_finish(&writer);
    record_close(&writer);
    CHECK(fclose(stream) == 0);
    enum status status = record_open(&reader, "record", error);
    if (!status)
        contact_list_record(list, 4, &reader);
    if (!status)
        status = record_expect_end(&reader);
    record_close(&reader);
    return status;
}

TEST(what_is_read)
{
    static const char *const refused[] = {"1\n0 4\n",      "1\n2 2\n",      "1\n2 1\n",
                                          "2\n0 1\n0 1\n", "2\n1 2\n0 1\n", "9\n0 1\n1 2\n",
                                          "1\n0 1\n2\n"};
    struct contact_list list = {0};
    CHECK(load_list("2\n0 3\n1 2\n", &list, &failure) == STATUS_DONE);
    CHECK(contact_list_had(&list, 0, 3) && contact_list_had(&list, 1, 2));
    CHECK(!contact_list_had(&list, 0, 2));
    contact_list_free(&list);
    CHECK(load_list("0\n", &list, &failure) == STATUS_DONE && !contact_list_had(&list, 0, 3));
    contact_list_free(&list);
    for (size_t k = 0; k < LENGTH(refused); k++) {
        CHECK(load_list(refused[k], &list, &failure) == STATUS_BAD_DATA);
        contact_list_free(&list);
    }
}
