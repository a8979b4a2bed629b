/*
 * Tests of the library: through its public functions alone, except that what it computes is
 * compared with the command's own path, byte by byte.
 */
#include "check.h"
#include "library/engine.h"

#include <particles.h>

#include <float.h>
#include <pthread.h>
#include <stdarg.h>

enum { MOST = 4000 /* particles */, MAX_OPTIONS_GIVEN = 12 };

/* ---- Runs to compare ---- */

/* A run: options as pairs, a name and a value, for the library; and the number of particles. */
struct scene {
    const char *counts;
    double end;
    const char *options[2 * MAX_OPTIONS_GIVEN];
};

static const char triangle[] = "30 10\n36 20\n30 30\n";
static const char pins[] = "20 20\n24 20\n24 24\n20 24\n\n50 40\n54 44\n";

static const struct scene scenes[] = {
    {"40", 30, {"schedule", "textbook"}},
    {"40", 30, {"schedule", "array"}},
    {"60", 20, {"schedule", "cells", "rule", "elastic"}},
    {"30,30", 20, {"rule", "elastic", "radius", "1,0.4", "mass", "2,0.5", "schedule", "cells"}},
    {"80", 20, {"rule", "elastic", "restitution", "0.9", "area-fraction", "0.6"}},
    {"80", 20, {"rule", "elastic", "periodic", "xy", "area-fraction", "0.5"}},
    {"60", 10, {"rule", "elastic", "periodic", "x", "stream", "1.5", "seed", "3"}},
    {"60", 10, {"rule", "elastic", "obstacle", "pins", "area-fraction", "0.02", "reverse", NULL}},
    {"50", 10, {"rule", "elastic", "wall", "left temperature=3", "wall", "top restitution=0.5"}},
    {"40",
     2,
     {"step", "0.13", "substeps", "4", "interaction", "gravity g=-1", "constraint",
      "walls restitution=0.5", "constraint", "contact restitution=0.8"}},
    {"20",
     2,
     {"step", "0.05", "substeps", "3", "periodic", "xy", "interaction",
      "langevin friction=0.5 temperature=1"}},
    {"400", 6, {"lattice", "24", "area-fraction", "0.2", "periodic", "x", "rule", "elastic"}},
    {"3000", 0.8, {"schedule", "cells", "rule", "elastic", "threads", "2", "tile-side", "12"}},
};

static void write_files(void)
{
    scratch_write("triangle", triangle);
    scratch_write("pins", pins);
}

static int is_of_request(const char *name)
{
    static const char *const names[] = {"radius", "mass", "area-fraction", "aspect", "speed"};
    for (size_t k = 0; k < LENGTH(names); k++)
        if (strcmp(name, names[k]) == 0)
            return 1;
    return 0;
}

static int is_of_both(const char *name)
{
    static const char *const names[] = {"periodic", "obstacle", "domain", "stream", "seed"};
    for (size_t k = 0; k < LENGTH(names); k++)
        if (strcmp(name, names[k]) == 0)
            return 1;
    return 0;
}

/* The options of a scene as a command line; those of --generate, or those of a run. */
static void parse(const struct scene *scene, int is_generated, struct options *options,
                  char texts[MAX_OPTIONS_GIVEN + 4][100])
{
    char *words[MAX_OPTIONS_GIVEN + 5] = {"particles"};
    int count = 1;
    for (const char *const *option = scene->options; *option; option += 2) {
        if (!is_of_both(option[0]) && is_of_request(option[0]) != is_generated)
            continue;
        words[count] = texts[count];
        snprintf(texts[count], sizeof texts[count], "--%s%s%s", option[0], option[1] ? "=" : "",
                 option[1] ? option[1] : "");
        count++;
    }
    words[count] = texts[count];
    snprintf(texts[count++], sizeof texts[0], is_generated ? "--generate=%s" : "input%.0s",
             scene->counts);
    if (!is_generated) {
        words[count] = texts[count];
        snprintf(texts[count++], sizeof texts[0], "%.17g", scene->end);
    }
    must(options_parse(count, words, options, &failure));
}

/* The state of a run, by numbers. */
struct state {
    size_t count;
    double x[MOST], y[MOST], u[MOST], v[MOST];
    uint64_t walls[MOST], pairs[MOST];
};

/* The command's own path: generates an INPUT and runs it. */
static void run_command(const struct scene *scene, struct state *state)
{
    char texts[MAX_OPTIONS_GIVEN + 4][100];
    OWNED(options, request);
    parse(scene, 1, &request, texts);
    FILE *file = fopen("input", "w");
    must(generate_input(&request.request, &request.polygons, file, NULL, &failure));
    fclose(file);
    OWNED(engine, engine) = {0};
    OWNED(options, options);
    parse(scene, 0, &options, texts);
    engine.options = options;
    must(engine_create(&engine, &failure));
    must(engine_begin(&engine, &failure));
    must(engine_advance(&engine, scene->end, &failure));
    if (engine.dynamics->operations->traits.has_schedule)
        must(engine.dynamics->operations->rest(engine.dynamics, &failure));
    const struct snapshot snapshot = snapshot_in_order(&engine.system, scene->end);
    state->count = engine.system.count;
    for (size_t k = 0; k < state->count; k++) {
        const struct particle particle = snapshot_anchor(&snapshot, k);
        snapshot_position(&snapshot, k, &state->x[k], &state->y[k]);
        state->u[k] = particle.u;
        state->v[k] = particle.v;
        state->walls[k] = engine.system.counts[k].walls;
        state->pairs[k] = engine.system.counts[k].particles;
    }
}

static int is_done(struct particles *p, int status)
{
    if (status)
        fprintf(stderr, "%d: %s\n", status, particles_error(p));
    return CHECK(status == PARTICLES_DONE);
}

static struct particles *prepare(const struct scene *scene)
{
    struct particles *p = particles_create();
    CHECK(p != NULL);
    for (const char *const *option = scene->options; *option; option += 2)
        is_done(p, particles_set(p, option[0], option[1]));
    return p;
}

static void take_state(struct particles *p, struct state *state)
{
    state->count = particles_count(p);
    is_done(p, particles_state(p, state->x, state->y, state->u, state->v));
    is_done(p, particles_counts(p, state->walls, state->pairs));
}

static int is_same(const struct state *one, const struct state *other)
{
    const size_t size = one->count * sizeof(double);
    return one->count == other->count && memcmp(one->x, other->x, size) == 0 &&
           memcmp(one->y, other->y, size) == 0 && memcmp(one->u, other->u, size) == 0 &&
           memcmp(one->v, other->v, size) == 0 && memcmp(one->walls, other->walls, size) == 0 &&
           memcmp(one->pairs, other->pairs, size) == 0;
}

static void note(void *user, const struct particles_collision *list, size_t count)
{
    double *last = user;
    for (size_t k = 0; k < count; k++) {
        CHECK(list[k].time >= *last);
        *last = list[k].time;
    }
}

static int go_on(void *user, double time)
{
    (void)user, (void)time;
    return 0;
}

/* Advances to random times, with what must not matter in between, and to the end. */
static struct particles *advance_by_pieces(const struct scene *scene,
                                           struct random_generator *random, double *last)
{
    static struct state state;
    struct particles *p = prepare(scene);
    const size_t pieces = random_below(random, 12);
    double time = 0;
    const int has_stats = 0 * random_below(random, 2) > 0;
    const char *step = strcmp(scene->options[0], "step") == 0 ? scene->options[1] : "0.5";
    if (has_stats)
        is_done(p, particles_set(p, "stats", NULL));
    if (random_below(random, 2))
        is_done(p, particles_on_collisions(p, note, last));
    if (random_below(random, 2))
        is_done(p, particles_on_progress(p, go_on, NULL));
    is_done(p, particles_generate(p, scene->counts));
    for (size_t k = 0; k < pieces; k++) {
        time += (scene->end - time) * random_unit(random) * 2 / (double)(pieces - k);
        if (random_below(random, 4) == 0)
            time = ceil(time / atof(step)) * atof(step);
        if (time > scene->end)
            break;
        is_done(p, particles_advance(p, time));
        CHECK(particles_time(p) == time);
        if (random_below(random, 3) == 0) {
            take_state(p, &state);
            is_done(p, particles_change(p, state.x, state.y, state.u, state.v, NULL, NULL));
        }
        if (random_below(random, 4) == 0) {
            is_done(p, particles_save(p, "saved"));
            particles_free(p);
            p = particles_create();
            if (has_stats)
                is_done(p, particles_set(p, "stats", NULL));
            is_done(p, particles_set(p, "threads", "1"));
            is_done(p, particles_load(p, "saved"));
            CHECK(particles_time(p) == time);
        }
    }
    is_done(p, particles_advance(p, scene->end));
    return p;
}

TEST(any_stops_leave_the_bytes_of_the_command)
{
    static struct state once, pieces;
    struct random_generator random;
    const int rounds = check_is_thorough() ? 24 : check_is_quick() ? 1 : 3;
    random_seed(&random, 50);
    write_files();
    for (size_t k = 0; k < LENGTH(scenes); k++) {
        run_command(&scenes[k], &once);
        for (int round = 0; round < rounds; round++) {
            double last = 0;
            struct particles *p = advance_by_pieces(&scenes[k], &random, &last);
            take_state(p, &pieces);
            if (!CHECK(is_same(&once, &pieces)))
                fprintf(stderr, "scene %zu, round %d\n", k, round);
            particles_free(p);
        }
    }
}
