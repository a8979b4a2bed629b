/* Property tests of advances: of every dynamics, a run that is advanced to many times comes to the
 * same bytes as one that is advanced once, to the last of them. */
#include "agreement.h"
#include "check.h"
#include "lattice/lattice.h"
#include "model/boundary_law.h"
#include "run/dynamics.h"
#include "smoothed.h"
#include "steps/steps.h"

static struct observers nobody(struct dynamics *dynamics)
{
    return (struct observers){
        .dynamics = dynamics, .next_sample = (double)INFINITY, .notify_from = (double)INFINITY};
}

static int advance(struct dynamics *dynamics, double limit)
{
    struct observers observers = nobody(dynamics);
    return !dynamics->operations->advance(dynamics, limit, &observers, &failure);
}

static int rest(struct dynamics *dynamics)
{
    return !dynamics->operations->rest ||
           CHECK(dynamics->operations->rest(dynamics, &failure) == STATUS_DONE);
}

/* Advances to some times before `end`, on and off a grid of width `step`, and to `end`. */
static int advance_by_pieces(struct dynamics *dynamics, struct random_generator *random, double end,
                             double step)
{
    const size_t pieces = 1 + random_below(random, random_below(random, 3) ? 8 : 40);
    int is_done = 1;
    double time = 0;
    for (size_t k = 0; k < pieces && is_done; k++) {
        time += (end - time) * random_unit(random) * 2 / (double)(pieces - k);
        if (random_below(random, 3) == 0)
            time = ceil(time / step) * step;
        if (time > end)
            break;
        is_done = advance(dynamics, time);
        if (random_below(random, 4) == 0)
            time = nextafter(time, (double)INFINITY);
        if (is_done && random_below(random, 4) == 0)
            is_done = rest(dynamics);
    }
    return is_done && advance(dynamics, end);
}

/* True if two dynamics remember the same. */
static int is_same_state(struct dynamics *one, struct dynamics *other)
{
    struct dynamics *const both[] = {one, other};
    struct record records[2] = {{0}, {0}};
    if (!one->operations->traits.has_state)
        return 1;
    for (int k = 0; k < 2; k++) {
        CHECK(!record_begin(&records[k], NULL, &failure));
        both[k]->operations->state(both[k], &records[k]);
        record_rewind(&records[k]);
        CHECK(!records[k].status);
    }
    const int is_same = records[0].size == records[1].size &&
                        memcmp(records[0].text, records[1].text, records[0].size) == 0;
    record_close(&records[0]);
    record_close(&records[1]);
    return is_same;
}

/* Advances one dynamics once, as the command does or not, and an equal one in pieces. */
static void compare(struct dynamics *once, const struct system *system, struct dynamics *pieces,
                    const struct system *other, struct random_generator *random, double end,
                    double step)
{
    pieces->is_open = 1;
    once->is_open = random_below(random, 2) > 0;
    if (!advance(once, end) || !CHECK(advance_by_pieces(pieces, random, end, step)))
        return; /* disks can be wedged, or move too far in a substep */
    CHECK(is_same_state(once, pieces));
    if (once->operations->traits.has_schedule && CHECK(rest(once) && rest(pieces)))
        CHECK(agreement_is_same(system, other));
    CHECK(agreement_is_same(system, other));
    if (!once->operations->traits.has_schedule && once->is_open &&
        CHECK(rest(once) && rest(pieces))) { /* so these are at the last whole step */
        CHECK(is_same_state(once, pieces));
        CHECK(agreement_is_same(system, other));
    }
}

/* ---- From event to event ---- */

static struct system any_system(struct random_generator *random, size_t count)
{
    const size_t kind = random_below(random, MIXED_KINDS + 2);
    struct system system =
        kind < MIXED_KINDS ? mixed_system(random, (enum mixed_kind)kind, count, 0.4)
        : kind == MIXED_KINDS
            ? random_system(random, count, 0.7 * random_unit(random), random_aspect(random))
            : random_lattice(random, 8, 5, 0.25);
    if (random_below(random, 2))
        system.law = (struct system_law){.rule = RULE_ELASTIC,
                                         .restitution = random_below(random, 2) ? 1 : 0.9,
                                         .contact_time = 1e-6};
    if (random_below(random, 3) == 0) { /* beside the disks */
        const double x = system.boundary.width, y = system.boundary.height;
        const double triangle[][2] = {{x + 2, 0.2 * y}, {x + 4, 0.5 * y}, {x + 2, 0.8 * y}};
        system.boundary.width += 6;
        if (fmin(x, y) > 4 * system_largest_radius(&system))
            system.boundary.periodic = (unsigned)random_below(random, 4);
        system_add_polygon(&system, triangle, 3, 0);
    } else if (random_below(random, 2)) {
        random_periodic(random, &system, random_axes(random));
    }
    if (system.boundary.periodic & PERIODIC_X)
        random_stream(random, &system);
    if (!system.boundary.stream.draw)
        random_walls(random, &system);
    system_restore_order(&system);
    return system;
}

TEST(events)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS,
                                               SCHEDULE_CELLS};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 800 : 60); seed++) {
        struct random_generator random = random_from(seed);
        OWNED(system, system) = any_system(&random, 5 + random_below(&random, 60));
        OWNED(system, other) = system_copy(&system);
        const double end = agreement_time(&system, 400);
        const struct schedule_threads alone = {.count = 1},
                                      tiles = {.count = 1 + random_below(&random, 3) % 2,
                                               .tile_side = 3 + (uint32_t)random_below(&random, 9)};
        struct dynamics *once = NULL, *pieces = NULL;
        CHECK(!simulation_create(SCHEDULE_CELLS, &alone, &system, &once, &failure));
        CHECK(!simulation_create(kinds[seed % 4], seed % 4 == 3 ? &tiles : &alone, &other, &pieces,
                                 &failure));
        compare(once, &system, pieces, &other, &random, end, end / 8);
        dynamics_free(once);
        dynamics_free(pieces);
    }
}

/* ---- In steps ---- */

/* Scenes for disks of radius 1 with random velocities up to 1, their terms between newlines. */
static const struct {
    const char *terms[4];
} scenes[] = {
    {{"i lennard-jones epsilon=1 sigma=0.9"}},
    {{"i lennard-jones epsilon=1 sigma=0.7", "i gravity g=-1", "i drag c=1"}},
    {{"i spring k=9 restitution=0.7", "i gravity g=-3"}},
    {{"c contact restitution=0.8", "i langevin temperature=1 friction=2"}},
    {{"c contact restitution=0.5", "i gravity g=-5", "c walls restitution=0.6"}},
    {{"c contact compliance=1e-4", "i gravity g=-5 direction=20"}},
    {{"i gravitation G=1 softening=1", "c contact"}},
    {{"i coulomb k=0.1 charges=1", "c pin particles=3,4"}},
    {{"c link file=links", "i gravity g=-5", "c contact restitution=0.3"}},
    {{"c link file=links compliance=0.01 damping=0.1 strength=20", "i langevin temperature=1 "
                                                                   "friction=1"}},
    {{"i bond file=links k=50 damping=0.5", "c pin particles=2", "c contact"}},
    {{"i langevin temperature=2 friction=1", "i lennard-jones epsilon=1 sigma=0.8"}},
};

/* Links that are shorter than the distances of some particles. */
static void write_links(const struct system *system)
{
    static const size_t pairs[][2] = {{0, 1}, {1, 2}, {5, 9}};
    char text[200] = "";
    for (size_t k = 0; k < 3; k++) {
        const struct particle *p = &system->particles[pairs[k][0]];
        const struct particle *q = &system->particles[pairs[k][1]];
        double dx = q->x - p->x, dy = q->y - p->y;
        boundary_shorten(&system->boundary, &dx, &dy);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%zu %zu %.17g\n", pairs[k][0],
                 pairs[k][1], 0.65 * hypot(dx, dy));
    }
    scratch_write("links", text);
}

static void compare_steps(const struct system *start, const char *const terms[4],
                          struct random_generator *random, double step)
{
    const double end = step * (1 + 12 * random_unit(random));
    OWNED(system, system) = system_copy(start);
    OWNED(system, other) = system_copy(start);
    struct steps_settings settings = {
        .step = step, .substeps = 1 + (uint32_t)random_below(random, 4), .threads = 1, .seed = 5};
    struct dynamics *once = NULL, *pieces = NULL;
    for (size_t k = 0; k < 4 && terms[k]; k++)
        CHECK(!steps_settings_add(&settings, terms[k][0] == 'c', terms[k] + 2, &failure));
    const double limit = random_below(random, 3) ? end : floor(end / step + 0.5) * step;
    steps_create(&settings, &system, 0, &once, &failure); /* refuses a link across half a box */
    settings.threads = 1 + (unsigned)random_below(random, 2);
    CHECK(!steps_create(&settings, &other, 0, &pieces, &failure) == (once != NULL));
    if (once && pieces)
        compare(once, &system, pieces, &other, random, limit, step);
    dynamics_free(once);
    dynamics_free(pieces);
    steps_settings_free(&settings);
}

TEST(steps)
{
    static const double triangle[][2] = {{4, 4}, {9, 5}, {6, 9}};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 300 : 3 * LENGTH(scenes)); seed++) {
        struct random_generator random = random_from(seed);
        OWNED(system, system) = random_system(&random, 12 + random_below(&random, 30), 0.3, 1);
        if (random_below(&random, 2) && seed % LENGTH(scenes) != 6 && seed % LENGTH(scenes) != 7)
            system.boundary.periodic = random_axes(&random);
        if (random_below(&random, 3) == 0)
            system_add_polygon(&system, triangle, 3, 0);
        write_links(&system);
        compare_steps(&system, scenes[seed % LENGTH(scenes)].terms, &random,
                      random_below(&random, 2) ? 0.02 : 0.0078125);
    }
}

TEST(fluids)
{
    static const char *const terms[4] = {
        "i sph density=1 sound-speed=10 smoothing=0.12 alpha=0.5 shifting=0.3", "i gravity g=-1"};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 20 : 4); seed++) {
        struct random_generator random = random_from(seed);
        OWNED(system, system) = smoothed_block(0.9, 0.48, seed % 4, 0.06, 15, 8);
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = random_unit(&random) - 0.5;
            system.particles[k].v = random_unit(&random) - 0.5;
        }
        compare_steps(&system, terms, &random, 0.004);
    }
}

/* ---- On a lattice ---- */

TEST(lattices)
{
    for (unsigned seed = 0; seed < (check_is_thorough() ? 100 : 20); seed++) {
        struct random_generator random = random_from(seed);
        OWNED(system, system) = random_system(&random, 20, 0.2, 1);
        system.boundary.width = system.boundary.height =
            fmax(system.boundary.width, system.boundary.height);
        system.boundary.periodic = seed % 4;
        if (seed % 4 & PERIODIC_X && seed % 3)
            system.boundary.stream = stream_make(0.1, 1, seed);
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = 0.1 + 0.02 * random_unit(&random);
            system.particles[k].v = 0.02 * random_unit(&random);
        }
        OWNED(system, other) = system_copy(&system);
        struct lattice_settings settings = {.columns = 12,
                                            .viscosity = 0.05 * system.boundary.width,
                                            .temperature = 1,
                                            .threads = 1,
                                            .start = !system.boundary.stream.draw};
        struct lattice_settings same = settings;
        struct dynamics *once = NULL, *pieces = NULL;
        CHECK(!lattice_create(&settings, &system, 0, &once, &failure));
        CHECK(!lattice_create(&same, &other, 0, &pieces, &failure));
        if (once && pieces) {
            const double step = once->sampling / 16;
            compare(once, &system, pieces, &other, &random, step * 40 * random_unit(&random), step);
        }
        dynamics_free(once);
        dynamics_free(pieces);
    }
}
