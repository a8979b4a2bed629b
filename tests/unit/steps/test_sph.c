/* Tests of smoothed particle hydrodynamics: the kernel, what a fluid keeps, the walls around it,
 * and what is refused. tests/measure/physics_sph.c compares flows with theory and experiments. */
#include "check.h"
#include "resumed.h"
#include "smoothed.h"
#include "steps/sph.h"

/* For particles 0.1 apart. */
#define FLUID "sph density=1 sound-speed=20 smoothing=0.13 alpha=0.1"

TEST(the_kernel_is_normalised)
{
    enum { RINGS = 2000 };
    const double h = 0.7;
    const double dr = 2 * h / RINGS;
    double integral = 0;
    for (int k = 0; k < RINGS; k++) {
        const double r = (k + 0.5) * dr;
        const double slope =
            (sph_kernel((r + 1e-6) * (r + 1e-6), h) - sph_kernel((r - 1e-6) * (r - 1e-6), h)) /
            2e-6;
        const double near = sph_closeness(r * r, 0.5 / h);
        integral += 2 * PI * r * sph_kernel(r * r, h) * dr;
        CHECK(fabs(slope + sph_slope(h) * near * near * near * r) < 1e-6);
    }
    CHECK(fabs(integral - 1) < 1e-6);
    CHECK(sph_kernel(4 * h * h, h) == 0 && sph_kernel(9, h) == 0);
    CHECK(fabs(sph_lattice_moment(h, 0.02) - 1) < 1e-6);
}

/* A run that has not begun. */
static enum status prepare(struct steps **steps, struct system *system, const char *const *parts,
                           double dt, struct error *error)
{
    OWNED(steps_settings, scene) = {.step = dt, .substeps = 1};
    enum status status = STATUS_DONE;
    for (; *parts && !status; parts++)
        status = steps_settings_add(&scene, 0, *parts, error);
    struct dynamics *dynamics = NULL;
    if (!status)
        status = steps_create(&scene, system, 0, &dynamics, error);
    *steps = (struct steps *)dynamics;
    return status;
}

static void finish(struct steps *steps, struct system *system)
{
    dynamics_free(&steps->dynamics);
    system_free(system);
}

/* Moves the particles of a fluid a little, and gives them velocities. */
static void stir(struct system *system, double distance, double speed)
{
    struct random_generator random = random_from(3);
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        p->x += distance * (2 * random_unit(&random) - 1);
        p->y += distance * (2 * random_unit(&random) - 1);
        p->u = speed * (2 * random_unit(&random) - 1);
        p->v = speed * (2 * random_unit(&random) - 1);
    }
}

/* A box without walls keeps its momentum to rounding; and its mean density, if it is filled. */
TEST(momentum_is_kept)
{
    static const char *const fluids[] = {FLUID, FLUID " shifting=0.3"};
    for (size_t f = 0; f < 2; f++) {
        OWNED(system, system) = smoothed_block(1, 1, PERIODIC_X | PERIODIC_Y, 0.1, 10, 10);
        struct smoothed run = {.step = 1e-3, .end_time = 0.05, .parts = {fluids[f]}};
        struct vector before = {0, 0};
        struct vector after = {0, 0};
        stir(&system, 0.02, 1);
        for (size_t k = 0; k < system.count; k++) {
            before.x += system.particles[k].u;
            before.y += system.particles[k].v;
        }
        CHECK(!smoothed_run(&run, &system, &failure));
        for (size_t k = 0; k < system.count; k++) {
            after.x += system.particles[k].u;
            after.y += system.particles[k].v;
        }
        CHECK(fabs(after.x - before.x) < 1e-12 && fabs(after.y - before.y) < 1e-12);
    }
}

/* Forces on two particles are opposite to the last bit, and nothing happens where they are one. */
TEST(a_pair_feels_opposite_forces)
{
    static const char *const parts[] = {FLUID, NULL};
    for (int k = 0; k < 30; k++) {
        struct steps *steps = NULL;
        struct system system = smoothed_block(10, 10, 0, 0.1, 2, 1);
        const double distance = 0.26 * k / 29;
        system.particles[0] = (struct particle){.x = 5, .y = 5, .u = 1, .v = 0.5};
        system.particles[1] =
            (struct particle){.x = 5 + 0.6 * distance, .y = 5 + 0.8 * distance, .id = 1};
        CHECK(!prepare(&steps, &system, parts, 1e-3, &failure));
        struct term *fluid = steps->terms[0];
        steps->force[0] = steps->force[1] = (struct vector){0, 0};
        steps->dt = 1e-3;
        CHECK(!fluid->kind->act[PHASE_FORCES](fluid, steps));
        CHECK(steps->force[0].x == -steps->force[1].x && steps->force[0].y == -steps->force[1].y);
        CHECK((steps->force[0].x < 0) == (k > 0 && k < 29));
        finish(steps, &system);
    }
}

/* What `see` keeps. */
struct seen {
    double speed, pressure; /* the largest speed, and error of the pressure in a depth of 1 */
};

static void see_tank(void *context, const struct snapshot *snapshot,
                     const struct dynamics_column *pressure)
{
    struct seen *seen = context;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        seen->speed = fmax(seen->speed, sqrt(body.u * body.u + body.v * body.v));
        seen->pressure =
            fmax(seen->pressure, fabs(pressure->value(pressure->of, k) - (1 - body.y)));
    }
}

/* Still water begins with its pressure, and keeps it: between walls, and along a seam. */
TEST(still_water_stays_still)
{
    for (unsigned periodic = 0; periodic <= PERIODIC_X; periodic++) {
        OWNED(system, system) = smoothed_block(2, 1.5, periodic, 0.1, 20, 10);
        struct seen seen = {0, 0};
        struct smoothed run = {.step = 1e-3,
                               .end_time = check_is_quick() ? 0.2 : 1,
                               .parts = {"gravity g=-1", FLUID},
                               .every = 0.05,
                               .see = see_tank,
                               .context = &seen};
        CHECK(!smoothed_run(&run, &system, &failure));
        CHECK(seen.speed < 0.01);
        CHECK(seen.pressure < 0.02);
    }
}

static double mean_height(const struct system *system)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum += system->particles[k].y;
    return sum / (double)system->count;
}

/* Nor does it rise, or gain energy, by the diffusion of its density: with few rows most of it is
 * near the surface. */
TEST(still_water_does_not_rise)
{
    for (size_t rows = 5; rows <= (check_is_thorough() ? 10U : 5U); rows += 5) {
        const double spacing = 0.5 / (double)rows;
        OWNED(system, system) = smoothed_block(0.5, 1, 0, spacing, rows, rows);
        const struct smoothed run = {.step = 0.05 * spacing,
                                     .end_time = 30,
                                     .parts = {"gravity g=-1", "sph density=1 sound-speed=7"}};
        CHECK(!smoothed_run(&run, &system, &failure));
        CHECK(fabs(mean_height(&system) / 0.25 - 1) < (rows == 5 ? 0.004 : 0.001));
    }
}

/* Before the first substep: deep water beside shallow water, and a slope. Each particle carries
 * what is above it. */
TEST(a_surface_need_not_be_level)
{
    static const char *const parts[] = {"sph density=1 sound-speed=20", "gravity g=-1", NULL};
    for (int is_slope = 0; is_slope <= 1; is_slope++) {
        struct steps *steps = NULL;
        struct system system = smoothed_block(2, 1.5, 0, 0.1, 20, 10);
        size_t kept = 0;
        for (size_t k = 0; k < system.count; k++) {
            struct particle *p = &system.particles[k];
            if (is_slope ? p->y < 0.3 + 0.3 * p->x : p->x < 0.6 || p->y < 0.3)
                system.particles[kept++] = *p;
        }
        system.count = kept;
        CHECK(!prepare(&steps, &system, parts, 1e-3, &failure));
        for (size_t k = 0; k < kept; k++) {
            const struct particle *p = &system.particles[k];
            const struct dynamics_column *pressure = &steps->dynamics.columns[1];
            const double surface = is_slope ? 0.3 + 0.3 * p->x : p->x < 0.6 ? 1 : 0.3;
            CHECK(fabs(pressure->value(pressure->of, k) - (surface - p->y)) <
                  (is_slope ? 0.1 : 1e-9));
        }
        finish(steps, &system);
    }
}

/* The mean velocity along x while water sloshes. */
struct slosh {
    double time, u;                /* of the last look */
    double crossings[8], sizes[8]; /* when u changed its sign, and its largest size before */
    size_t count;
};

static void see_slosh(void *context, const struct snapshot *snapshot,
                      const struct dynamics_column *pressure)
{
    struct slosh *slosh = context;
    double u = 0;
    (void)pressure;
    for (size_t k = 0; k < snapshot->system->count; k++)
        u += snapshot_body(snapshot, k).u / (double)snapshot->system->count;
    if (slosh->time > 0 && u * slosh->u < 0 && slosh->count + 1 < 8)
        slosh->crossings[slosh->count++] =
            slosh->time + (snapshot->time - slosh->time) * slosh->u / (slosh->u - u);
    slosh->sizes[slosh->count] = fmax(slosh->sizes[slosh->count], fabs(u));
    slosh->time = snapshot->time;
    slosh->u = u;
}

/* Water in a tank sways with omega^2 = g k tanh(k depth), k = pi / width; and hardly dies out. */
TEST(water_sloshes)
{
    const double depth = 0.5, spacing = 0.05, k = PI;
    const double decay = elementary_exp(-2 * k * depth);
    const double omega = sqrt(k * (1 - decay) / (1 + decay));
    struct slosh slosh = {0};
    OWNED(system, system) = smoothed_block(1, 1, 0, spacing, 20, 10);
    struct smoothed run = {.step = 0.005,
                           .end_time = 1.4 * 2 * PI / omega,
                           .parts = {"gravity g=-1", "sph density=1 sound-speed=7"},
                           .every = 0.03,
                           .see = see_slosh,
                           .context = &slosh};
    for (size_t n = 0; n < system.count; n++) {
        struct particle *p = &system.particles[n];
        const double up = elementary_exp(k * (p->y - depth));
        const double down = elementary_exp(-k * (p->y + depth));
        double cosine, sine;
        elementary_turn(p->x / 2, &cosine, &sine);
        p->u = 0.03 * omega * sine * (up + down) / (1 - decay);
        p->v = -0.03 * omega * cosine * (up - down) / (1 - decay);
    }
    CHECK(!smoothed_run(&run, &system, &failure));
    CHECK(slosh.count == 3);
    const double period = slosh.crossings[2] - slosh.crossings[0];
    if (check_is_thorough())
        printf("sloshing %g too fast\n", 2 * PI / omega / period - 1);
    CHECK(fabs(2 * PI / omega / period - 1) < 0.035);
    CHECK(slosh.sizes[2] > 0.8 * slosh.sizes[0] && slosh.sizes[2] < slosh.sizes[0]);
}

/* Flow between plates has a parabolic profile; without viscosity it slips. */
TEST(walls_hold_what_is_viscous)
{
    static const char *const fluids[] = {"sph density=1 sound-speed=20 kinematic-viscosity=0.5",
                                         "sph density=1 sound-speed=20"};
    for (int slips = 0; slips <= 1; slips++) {
        OWNED(system, system) = smoothed_block(1, 1, PERIODIC_X, 0.1, 10, 10);
        struct smoothed run = {.step = 2e-3,
                               .end_time = slips ? 0.2 : 1.4,
                               .parts = {fluids[slips], "gravity direction=0 g=4"}};
        CHECK(!smoothed_run(&run, &system, &failure));
        for (size_t k = 0; k < system.count; k++) {
            const struct particle *p = &system.particles[k];
            const double expected = slips ? 4 * 0.2 : 4 * p->y * (1 - p->y);
            CHECK(fabs(p->u - expected) < (slips ? 1e-6 : 0.05));
        }
    }
}

/* Water that falls has no pressure: no particle feels another one. */
TEST(falling_water_has_no_pressure)
{
    OWNED(system, system) = smoothed_block(4, 4, 0, 0.1, 8, 8);
    struct smoothed run = {.step = 1e-3, .end_time = 0.5, .parts = {FLUID, "gravity g=-1"}};
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].x += 1;
        system.particles[k].y += 2;
    }
    const double before = system.particles[0].y;
    double fastest = 0;
    CHECK(!smoothed_run(&run, &system, &failure));
    for (size_t k = 0; k < system.count; k++)
        fastest =
            fmax(fastest, fmax(fabs(system.particles[k].v + 0.5), fabs(system.particles[k].u)));
    CHECK(fastest < 1e-9);
    CHECK(fabs(system.particles[0].y - (before - 0.125)) < 1e-3);
}

/* Without viscosity, energy is lost by diffusion only. */
TEST(energy_hardly_changes)
{
    static const char *const parts[] = {"sph density=1 sound-speed=20 smoothing=0.15 alpha=0",
                                        NULL};
    struct steps *steps = NULL;
    struct observers observers = {0};
    struct system system = smoothed_block(1, 1, PERIODIC_X | PERIODIC_Y, 0.1, 10, 10);
    double kinetic, potential;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->u = 0.1 * ((p->x < 0.5) - 0.5) * 2;
    }
    CHECK(!prepare(&steps, &system, parts, 1e-3, &failure));
    CHECK(!steps_operations.samples.energy(&steps->dynamics, &kinetic, &potential, &failure));
    const double before = kinetic + potential;
    CHECK(potential == 0);
    CHECK(!steps->dynamics.operations->advance(&steps->dynamics, 0.02, &observers, &failure));
    CHECK(!steps_operations.samples.energy(&steps->dynamics, &kinetic, &potential, &failure));
    CHECK(potential > 0.1 * before);
    CHECK(kinetic + potential < before && kinetic + potential > 0.8 * before);
    finish(steps, &system);
}

/* Sums the kernel over a fluid that fills a box, and its walls; returns the largest error. */
static double find_gap(const struct system *system, const struct sph_walls *walls, double spacing,
                       double smoothing)
{
    double worst = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double sum = 0;
        for (size_t j = 0; j < system->count; j++) {
            const double dx = p->x - system->particles[j].x, dy = p->y - system->particles[j].y;
            sum += spacing * spacing * sph_kernel(dx * dx + dy * dy, smoothing);
        }
        for (size_t j = 0; j < walls->count; j++) {
            const double dx = p->x - walls->particles[j].x, dy = p->y - walls->particles[j].y;
            sum += walls->volume * sph_kernel(dx * dx + dy * dy, smoothing);
        }
        worst = fmax(worst, fabs(sum - 1));
    }
    return worst;
}

/* Walls leave no gap: in a box, and in one whose corner is cut off. */
TEST(walls_fill_the_solid)
{
    static const double corner[][2] = {{0, 0}, {1, 0}, {0, 1}};
    const double spacing = 0.1, smoothing = 0.13;
    for (int is_cut = 0; is_cut <= 1; is_cut++) {
        struct sph_walls walls = {0};
        OWNED(system, system) = smoothed_block(2, 1, 0, spacing, 20, 10);
        size_t kept = 0;
        if (is_cut) {
            struct polygons *polygons = memory_allocate(1, sizeof *polygons, "polygons", &failure);
            *polygons = (struct polygons){0};
            CHECK(!polygons_add(polygons, corner, 3, 0, 0, &failure));
            CHECK(!system_attach_polygons(&system, polygons, &failure));
        }
        for (size_t k = 0; k < system.count; k++)
            if (!is_cut || system.particles[k].x + system.particles[k].y > 1.07)
                system.particles[kept++] = system.particles[k];
        system.count = kept;
        CHECK(!sph_walls_create(&walls, &system.boundary, spacing, smoothing, &failure));
        CHECK(find_gap(&system, &walls, spacing, smoothing) < (is_cut ? 0.25 : 0.012));
        for (size_t k = 0; k < walls.count; k++) {
            const struct sph_wall_particle *place = &walls.particles[k];
            const int is_outside = place->x < 0 || place->x > 2 || place->y < 0 || place->y > 1;
            CHECK(is_outside || (is_cut && place->x + place->y < 1 + 1e-9));
            CHECK(sph_walls_touch(&walls, place->x, place->y));
        }
        CHECK(!sph_walls_touch(&walls, 1.5, 0.5));
        sph_walls_free(&walls);
    }
}

/* A box without walls has no wall particles, and fluids run in it. */
TEST(a_box_may_have_no_walls)
{
    struct sph_walls walls = {0};
    struct boundary boundary = {.width = 1, .height = 1, .periodic = PERIODIC_X | PERIODIC_Y};
    CHECK(!sph_walls_create(&walls, &boundary, 0.1, 0.13, &failure));
    CHECK(walls.count == 0 && !sph_walls_touch(&walls, 0, 0));
    sph_walls_free(&walls);
}

/* One particle; and a hundred of them in one place, whose forces have no direction. */
TEST(particles_in_one_place_stay_finite)
{
    for (size_t count = 1; count <= 100; count += 99) {
        OWNED(system, system) = smoothed_block(10, 10, 0, 0.1, count, 1);
        struct smoothed run = {.step = 1e-3, .end_time = 0.1, .parts = {FLUID}};
        for (size_t k = 0; k < count; k++)
            system.particles[k].x = system.particles[k].y = 5;
        CHECK(!smoothed_run(&run, &system, &failure));
        for (size_t k = 0; k < count; k++)
            CHECK(system.particles[k].x == 5 && system.particles[k].y == 5);
    }
}

static void check_refused(const char *text, enum status expected, const char *part_of_message)
{
    OWNED(system, system) = smoothed_block(2, 2, PERIODIC_X, 0.1, 10, 10);
    struct smoothed run = {.step = 1e-3, .end_time = 0.1, .parts = {text}};
    system.particles[7].u = 200;
    CHECK(smoothed_run(&run, &system, &failure) == expected);
    CHECK(strstr(failure.message, part_of_message));
}

TEST(nonsense_is_refused)
{
    static const char *const keys[] = {"density", "sound-speed", "smoothing", "alpha"};
    static const char *const numbers[] = {"1", "20", "0.13", "0.1"};
    static const char *const wrong[] = {"-1", "1e41", "nan", "inf", "", "1x", NULL};
    for (size_t k = 0; k < 4; k++) {
        for (size_t w = 0; w == 0 || wrong[w - 1]; w++) { /* the last one is left out */
            char text[200] = "sph";
            if (!wrong[w] && k >= 2) /* these have defaults */
                continue;
            for (size_t j = 0; j < 4; j++) {
                const char *number = j == k ? wrong[w] : numbers[j];
                const size_t length = strlen(text);
                if (number)
                    snprintf(text + length, sizeof text - length, " %s=%s", keys[j], number);
            }
            check_refused(text, STATUS_USAGE, keys[k]);
        }
    }
    check_refused("sph density=0 sound-speed=20 smoothing=0.13 alpha=0.1", STATUS_USAGE,
                  "density takes a number");
    check_refused(FLUID " kinematic-viscosity=-1", STATUS_USAGE,
                  "kinematic-viscosity takes a number");
    check_refused(FLUID " kinematic-viscosity=9", STATUS_USAGE, "reduce --step");
    check_refused(FLUID " viscosity=1", STATUS_USAGE, "kinematic-viscosity");
    check_refused("sph density=1 sound-speed=20 smoothing=0.05 alpha=0.1", STATUS_USAGE,
                  "takes a square of side 0.1, and smoothing=0.05 should be about 2 times that");
    check_refused("sph density=1 sound-speed=20 smoothing=0.9 alpha=0.1", STATUS_USAGE,
                  "more than half of a periodic side");
    check_refused("sph density=9999 sound-speed=20 smoothing=0.13 alpha=0.1", STATUS_USAGE,
                  "takes a square of side 0.001");
    check_refused("sph density=1 sound-speed=2000 smoothing=0.13 alpha=0.1", STATUS_USAGE,
                  "it may be 2.6e-05; reduce --step, or raise --substeps");
    check_refused("sph density=1 sound-speed=20 smoothing=0.13 alpha=900", STATUS_USAGE,
                  "reduce --step");
    check_refused(FLUID, STATUS_BAD_DATA, "particle 7 moves by ");
}

/* A fluid that is far too soft for its depth. */
TEST(densities_that_are_none_end_the_run)
{
    OWNED(system, system) = smoothed_block(2, 2, 0, 0.1, 10, 10);
    struct smoothed run = {
        .step = 1e-3,
        .end_time = 1,
        .parts = {"sph density=1 sound-speed=1e-3 smoothing=0.13 alpha=0.1", "gravity g=-9.81"}};
    CHECK(smoothed_run(&run, &system, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "or take a larger sound-speed"));
}

/* Fluid in a box so large that its walls would not fit into memory. */
TEST(huge_walls_are_refused)
{
    static const char *const parts[] = {FLUID, NULL};
    struct steps *steps = NULL;
    OWNED(system, system) = smoothed_block(1e6, 2, 0, 0.1, 5, 5);
    CHECK(prepare(&steps, &system, parts, 1e-3, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "far too small for a wall of length 1e+06"));
}

TEST(there_is_one_fluid)
{
    static const char *const parts[] = {FLUID, FLUID, NULL};
    struct steps *steps = NULL;
    OWNED(system, system) = smoothed_block(2, 2, 0, 0.1, 5, 5);
    CHECK(prepare(&steps, &system, parts, 1e-3, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "sph is given twice"));
}

/* A run that is interrupted, and resumed, ends with the same bytes. */
TEST(interruptions_leave_no_trace)
{
    OWNED(system, system) = smoothed_block(2, 2, PERIODIC_X, 0.1, 8, 8);
    OWNED(options, options) = resumed_steps(0.04, 0.01, 0.002, 2);
    OWNED(resumed, whole);
    CHECK(!steps_settings_add(&options.steps, 0, FLUID " shifting=0.1 kinematic-viscosity=0.1",
                              &failure));
    CHECK(!steps_settings_add(&options.steps, 0, "gravity g=-1", &failure));
    stir(&system, 0.01, 1);
    resumed_run(&whole, &options, &system, NEVER);
    resumed_check_stops(&whole, &system, 40, check_is_quick() ? 19 : 3, NULL);
}
