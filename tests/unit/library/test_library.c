/*
 * Tests of the library: through its public functions alone, except that what it computes is
 * compared with the command's own path, byte by byte.
 */
#include "check.h"
#include "cli/option_table.h"
#include "library/engine.h"

#include <particles.h>

#include <float.h>
#include <pthread.h>

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
    {"60",
     10,
     {"rule", "elastic", "gravity", "0.1,-0.3", "obstacle", "pins", "area-fraction", "0.02"}},
    {"60,40",
     14,
     {"rule", "elastic", "radius", "1,1.4", "mass", "1,3", "area-fraction", "0.3", "periodic", "xy",
      "grow", "0.04"}},
    {"60",
     10,
     {"rule", "elastic", "grow", "0.3", "obstacle", "pins", "area-fraction", "0.02", "schedule",
      "cells"}},
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

/* Whether a name is one of a list, which NULL ends. */
static int is_listed(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static const char *const of_request[] = {"radius", "mass",  "area-fraction",
                                         "aspect", "speed", NULL};
static const char *const of_both[] = {"periodic", "obstacle", "domain", "stream", "seed", NULL};

/* The options of a scene as a command line; those of --generate, or those of a run. */
static void parse(const struct scene *scene, int is_generated, struct options *options,
                  char texts[MAX_OPTIONS_GIVEN + 4][100])
{
    char *words[MAX_OPTIONS_GIVEN + 5] = {"particles"};
    int count = 1;
    for (const char *const *option = scene->options; *option; option += 2) {
        if (!is_listed(of_both, option[0]) && is_listed(of_request, option[0]) != is_generated)
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

/* The command's own path: generates an INPUT and runs it. Returns the time of the end. */
static double run_command(const struct scene *scene, struct state *state)
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
    must(engine_advance(&engine, engine.options.run.to, &failure));
    if (engine.dynamics->operations->traits.has_schedule)
        must(engine.dynamics->operations->rest(engine.dynamics, &failure));
    const double end =
        engine.dynamics->is_over ? system_last_time(&engine.system) : engine.options.run.to;
    const struct snapshot snapshot = snapshot_in_order(&engine.system, end);
    state->count = engine.system.count;
    for (size_t k = 0; k < state->count; k++) {
        const struct snapshot_particle body = snapshot_body(&snapshot, k);
        snapshot_position(&snapshot, k, &state->x[k], &state->y[k]);
        state->u[k] = body.u;
        state->v[k] = body.v;
        state->walls[k] = engine.system.counts[k].walls;
        state->pairs[k] = engine.system.counts[k].particles;
    }
    return end;
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
    const int has_stats = random_below(random, 2) > 0;
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

/* ---- Wrong use ---- */

static const double box[2] = {10, 5}, two_x[] = {2, 8}, two_y[] = {2, 3}, radii[] = {0.5, 0.5};

static int place_two(struct particles *p)
{
    return particles_place(p, 2, box, two_x, two_y, NULL, NULL, radii, NULL, NULL);
}

/* True if a call has failed with a status, and a message that has these words and no dashes. */
static int is_refused(struct particles *p, int got, int status, const char *words)
{
    const char *message = particles_error(p);
    const int is_right = got == status && strstr(message, words) && !strstr(message, "--");
    if (!is_right)
        fprintf(stderr, "%d, not %d: '%s' without '%s'\n", got, status, message, words);
    return is_right;
}

TEST(options_are_refused_in_the_terms_of_the_caller)
{
    static const struct {
        const char *name, *value, *words;
    } wrong[] = {
        {"rulee", "x", "nearest: rule"},
        {"rule", "x", "unknown rule 'x': use swap or elastic"},
        {"rule", NULL, "option 'rule' needs a value"},
        {"reverse", "1", "takes no value"},
        {"--rule", "elastic", "nearest: rule"},
        {"", NULL, "unknown option"},
        {NULL, NULL, "NULL"},
        {"restitution", "2", "restitution takes a number from 0 to 1"},
        {"substeps", "x", "is not a whole number"},
        {"wall", "left", "says nothing"},
        {"rule", "two\nlines", "'two lines'"},
        {"constraint", "foo", "constraint 'foo' is unknown"},
        {"obstacle", "", "takes a file"},
        {"events", "x.csv", "use particles_on_collisions"},
        {"generate", "5", "use particles_generate"},
        {"resume", "f", "use particles_load"},
        {"stats", "x", "takes no file"},
        {"progress", NULL, "use particles_on_progress"},
        {"quiet", NULL, "for the command"},
    };
    struct particles *p = particles_create();
    for (size_t k = 0; k < LENGTH(wrong); k++)
        CHECK(is_refused(p, particles_set(p, wrong[k].name, wrong[k].value), PARTICLES_USAGE,
                         wrong[k].words));
    /* What has been refused has left nothing behind. */
    CHECK(particles_set(p, "step", "0.1") == PARTICLES_DONE && *particles_error(p) == '\0');
    CHECK(place_two(p) == PARTICLES_DONE);
    CHECK(particles_advance(p, 1) == PARTICLES_DONE);
    particles_free(p);
}

TEST(options_that_write_files_or_concern_the_process_are_refused)
{
    struct particles *p = particles_create();
    for (size_t k = 0; k < option_row_count; k++) {
        const struct option_row *row = &option_rows[k];
        const int is_file = row->value && strstr(row->value, "FILE") &&
                            strcmp(row->name, "domain") != 0 && strcmp(row->name, "obstacle") != 0;
        const int is_of_process = row->letter || strcmp(row->name, "completion") == 0 ||
                                  strcmp(row->name, "quiet") == 0 ||
                                  strcmp(row->name, "progress") == 0;
        if (is_file || is_of_process)
            CHECK(particles_set(p, row->name, row->value ? "file.svg" : NULL) == PARTICLES_USAGE);
    }
    particles_free(p);
}

TEST(calls_out_of_order_are_refused)
{
    struct particles *p = particles_create();
    double x[2];
    CHECK(is_refused(p, particles_advance(p, 1), PARTICLES_USAGE, "no system yet"));
    CHECK(is_refused(p, particles_state(p, x, x, x, x), PARTICLES_USAGE, "no system yet"));
    CHECK(is_refused(p, particles_counts(p, NULL, NULL), PARTICLES_USAGE, "no system yet"));
    CHECK(is_refused(p, particles_save(p, "f"), PARTICLES_USAGE, "no system yet"));
    CHECK(is_refused(p, particles_figure(p, "mass", x, x), PARTICLES_USAGE, "no system yet"));
    CHECK(is_refused(p, particles_change(p, x, x, x, x, x, x), PARTICLES_USAGE, "no system yet"));
    CHECK(particles_count(p) == 0 && particles_time(p) == 0);
    CHECK(place_two(p) == PARTICLES_DONE);
    CHECK(is_refused(p, place_two(p), PARTICLES_USAGE, "a system already"));
    CHECK(is_refused(p, particles_read(p, "f"), PARTICLES_USAGE, "a system already"));
    CHECK(is_refused(p, particles_load(p, "f"), PARTICLES_USAGE, "a system already"));
    CHECK(is_refused(p, particles_generate(p, "9"), PARTICLES_USAGE, "a system already"));
    CHECK(is_refused(p, particles_set(p, "rule", "elastic"), PARTICLES_USAGE, "a system already"));
    CHECK(is_refused(p, particles_advance(p, -1), PARTICLES_USAGE, "from 0, the present"));
    CHECK(is_refused(p, particles_advance(p, (double)NAN), PARTICLES_USAGE, "not nan"));
    CHECK(particles_advance(p, 1) == PARTICLES_DONE);
    CHECK(is_refused(p, particles_advance(p, 0.5), PARTICLES_USAGE, "from 1, the present"));
    CHECK(is_refused(p, particles_advance(p, (double)INFINITY), PARTICLES_USAGE, "to 1e+40"));
    CHECK(is_refused(p, particles_save(p, NULL), PARTICLES_USAGE, "NULL"));
    CHECK(
        is_refused(p, particles_save(p, "no/such/place"), PARTICLES_CANNOT_WRITE, "no/such/place"));
    CHECK(is_refused(p, particles_figure(p, "mass", x, x), PARTICLES_USAGE, "option 'stats'"));
    CHECK(particles_advance(p, 2) == PARTICLES_DONE && particles_time(p) == 2);
    particles_free(p);
    CHECK(is_refused(NULL, particles_advance(NULL, 1), PARTICLES_USAGE, "NULL"));
    CHECK(particles_set(NULL, "rule", "swap") == PARTICLES_USAGE);
    CHECK(particles_count(NULL) == 0 && particles_time(NULL) == 0);
    particles_free(NULL);
}

TEST(systems_that_cannot_be_are_refused_and_another_one_is_taken)
{
    struct particles *p = particles_create();
    const double near[] = {2, 2.5}, same_y[] = {2, 2}, out[] = {2, 9.8}, none[] = {-1, 0.5},
                 mass[] = {1, 2}, flat[] = {10, -1}, bad[] = {2, (double)NAN};
    const int species[] = {0, -1};
    const struct {
        size_t count;
        const double *box, *x, *y, *u, *radius, *mass;
        const int *species;
        int status;
        const char *part; /* of the message */
    } rows[] = {
        {0, box, two_x, two_y, NULL, radii, NULL, NULL, PARTICLES_BAD_DATA, "from 1 to"},
        {2, NULL, two_x, two_y, NULL, radii, NULL, NULL, PARTICLES_USAGE, "NULL"},
        {2, box, two_x, two_y, NULL, NULL, NULL, NULL, PARTICLES_USAGE, "NULL"},
        {2, box, near, same_y, NULL, radii, NULL, NULL, PARTICLES_BAD_DATA,
         "particle 1 overlaps particle 0: "},
        {2, box, out, two_y, NULL, radii, NULL, NULL, PARTICLES_BAD_DATA,
         "particle 1 is not inside"},
        {2, box, bad, two_y, NULL, radii, NULL, NULL, PARTICLES_BAD_DATA,
         "particle 1 is not inside"},
        {2, box, two_x, two_y, bad, radii, NULL, NULL, PARTICLES_BAD_DATA,
         "particle 1 is too fast"},
        {2, box, two_x, two_y, NULL, none, NULL, NULL, PARTICLES_BAD_DATA, "not -1 (particle 0)"},
        {2, box, two_x, two_y, NULL, radii, mass, NULL, PARTICLES_BAD_DATA, "use rule=elastic"},
        {2, box, two_x, two_y, NULL, radii, NULL, species, PARTICLES_BAD_DATA, "species"},
        {2, flat, two_x, two_y, NULL, radii, NULL, NULL, PARTICLES_BAD_DATA, "height"},
    };
    for (size_t k = 0; k < LENGTH(rows); k++)
        CHECK(is_refused(p,
                         particles_place(p, rows[k].count, rows[k].box, rows[k].x, rows[k].y,
                                         rows[k].u, NULL, rows[k].radius, rows[k].mass,
                                         rows[k].species),
                         rows[k].status, rows[k].part));
    CHECK(is_refused(p, particles_read(p, "nowhere"), PARTICLES_NO_INPUT, "nowhere"));
    CHECK(is_refused(p, particles_read(p, "-"), PARTICLES_USAGE, "standard input"));
    CHECK(is_refused(p, particles_load(p, "nowhere"), PARTICLES_NO_INPUT, "nowhere"));
    CHECK(is_refused(p, particles_generate(p, "x"), PARTICLES_USAGE, "whole number"));
    scratch_write("input", "2\n0.5\n10 5\n2 2 0 0\n2 2.5 0 0\n");
    CHECK(is_refused(p, particles_read(p, "input"), PARTICLES_BAD_DATA,
                     "input:5: particle 1 overlaps"));
    static const char text[] = "2\n0.5\n10 5\n2 2 0 0\n2 2.5 0 0\n8 8";
    CHECK(is_refused(p, particles_read_text(p, NULL, 1), PARTICLES_USAGE, "NULL"));
    CHECK(is_refused(p, particles_read_text(p, text, 0), PARTICLES_BAD_DATA, "the text:"));
    CHECK(is_refused(p, particles_read_text(p, text, 20), PARTICLES_BAD_DATA, "the text:"));
    CHECK(is_refused(p, particles_read_text(p, text, sizeof text - 5), PARTICLES_BAD_DATA,
                     "the text:5: particle 1 overlaps"));
    CHECK(is_refused(p, particles_load(p, "input"), PARTICLES_BAD_DATA, "input"));
    CHECK(particles_set(p, "restitution", "0.5") == PARTICLES_DONE);
    CHECK(is_refused(p, place_two(p), PARTICLES_USAGE, "needs rule=elastic"));
    CHECK(particles_set(p, "rule", "elastic") == PARTICLES_DONE);
    CHECK(place_two(p) == PARTICLES_DONE && particles_count(p) == 2);
    particles_free(p);
}

/* The bytes of an INPUT in memory, of more than a block, give what its file gives. */
TEST(a_text_is_read_as_its_file)
{
    enum { SIDE = 230, BYTES = 45 };
    char *text = memory_allocate(SIDE * SIDE + 2, BYTES, "a text", &failure);
    must(text ? STATUS_DONE : STATUS_NO_MEMORY);
    size_t size = (size_t)sprintf(text, "%d\n0.3\n%d %d\n", SIDE * SIDE, SIDE, SIDE);
    for (int k = 0; k < SIDE * SIDE; k++)
        size += (size_t)sprintf(text + size, "%d.5 %d.5 0.%d -0.%d 0.3 1 0\n", k % SIDE, k / SIDE,
                                k % 97 + 100000, k % 89 + 100000);
    CHECK(size > TEXT_BLOCK_SIZE);
    text[size] = '\0';
    scratch_write("input", text);
    static double found[2][4][SIDE * SIDE];
    for (int way = 0; way < 2; way++) {
        struct particles *p = particles_create();
        CHECK((way ? particles_read_text(p, text, size) : particles_read(p, "input")) ==
              PARTICLES_DONE);
        CHECK(particles_count(p) == SIDE * SIDE && particles_advance(p, 0.1) == PARTICLES_DONE);
        CHECK(particles_state(p, found[way][0], found[way][1], found[way][2], found[way][3]) ==
              PARTICLES_DONE);
        particles_free(p);
    }
    CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0);
    memory_free(text);
}

/* The lists of options that add up grow after a system that was refused. */
TEST(options_add_up_after_a_refusal)
{
    struct particles *p = particles_create();
    CHECK(particles_set(p, "step", "0.1") == PARTICLES_DONE);
    for (int k = 0; k < 3; k++) {
        static const char *const parts[] = {"gravity g=-1", "drag c=0.1", "spring k=2"};
        CHECK(particles_set(p, "interaction", parts[k]) == PARTICLES_DONE);
        CHECK(particles_place(p, 2, NULL, two_x, two_y, NULL, NULL, radii, NULL, NULL) ==
              PARTICLES_USAGE);
        CHECK(
            is_refused(p, particles_load(p, "nowhere"), PARTICLES_USAGE, "not for particles_load"));
        CHECK(particles_generate(p, "x") == PARTICLES_USAGE);
    }
    CHECK(place_two(p) == PARTICLES_DONE && particles_advance(p, 1) == PARTICLES_DONE);
    particles_free(p);
}

/* ---- Changes ---- */

TEST(a_change_is_checked_and_refused_as_a_whole)
{
    struct particles *p = particles_create();
    const double near[] = {2, 2.5}, same_y[] = {2, 2}, huge[] = {0.5, 9}, fast[] = {0, 1e41},
                 moved[] = {3, 7}, heavy[] = {1, 2};
    static struct state before, after;
    CHECK(place_two(p) == PARTICLES_DONE && particles_advance(p, 1) == PARTICLES_DONE);
    take_state(p, &before);
    CHECK(is_refused(p, particles_change(p, near, same_y, NULL, NULL, NULL, NULL),
                     PARTICLES_BAD_DATA, "particle 1 overlaps particle 0: "));
    CHECK(is_refused(p, particles_change(p, NULL, NULL, NULL, NULL, huge, NULL), PARTICLES_BAD_DATA,
                     "particle 1 does not fit"));
    CHECK(is_refused(p, particles_change(p, NULL, NULL, fast, NULL, NULL, NULL), PARTICLES_BAD_DATA,
                     "particle 1 is too fast"));
    CHECK(is_refused(p, particles_change(p, moved, NULL, NULL, NULL, NULL, heavy),
                     PARTICLES_BAD_DATA, "use rule=elastic"));
    take_state(p, &after);
    CHECK(is_same(&before, &after));
    CHECK(particles_change(p, moved, NULL, NULL, heavy, NULL, NULL) == PARTICLES_DONE);
    take_state(p, &after);
    CHECK(after.x[0] == 3 && after.x[1] == 7 && after.y[0] == 2 && after.v[1] == 2);
    CHECK(particles_advance(p, 1.25) == PARTICLES_DONE);
    take_state(p, &after);
    CHECK(after.x[0] == 3 && after.y[0] == 2.25 && after.y[1] == 3.5);
    particles_free(p);
}

/* What a wall has absorbed has no velocity, and stays when all others are changed. */
TEST(an_absorbed_particle_has_no_velocity)
{
    const double sides[] = {10, 10}, radius[] = {1, 1}, x[] = {5, 5}, y[] = {3, 7}, u[] = {1, -1};
    double at[2][4], figure;
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "wall", "right absorb=1"));
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_place(p, 2, sides, x, y, u, NULL, radius, NULL, NULL));
    is_done(p, particles_advance(p, 6));
    is_done(p, particles_state(p, at[0], at[0] + 2, at[1], at[1] + 2));
    CHECK(at[0][0] == 9 && at[0][2] == 3 && isnan(at[1][0]) && isnan(at[1][2]));
    CHECK(at[0][1] == 3 && at[1][1] == 1 && at[1][3] == 0);
    at[0][1] = 8; /* it may be where the other one has left */
    at[0][3] = 3;
    is_done(p, particles_change(p, at[0], at[0] + 2, at[1], at[1] + 2, NULL, NULL));
    is_done(p, particles_advance(p, 6.5));
    is_done(p, particles_state(p, at[0], at[0] + 2, at[1], at[1] + 2));
    CHECK(at[0][0] == 9 && isnan(at[1][0]) && at[0][1] == 8.5 && at[1][1] == 1);
    is_done(p, particles_figure(p, "temperature_end", &figure, NULL));
    CHECK(figure == 0.5);
    CHECK(particles_count(p) == 2);
    particles_free(p);
}

/* A run that is changed at a time goes on as a run that begins with the changed state. */
TEST(a_changed_run_goes_on_as_a_run_that_begins_so)
{
    struct random_generator random;
    static struct state state, once, again;
    random_seed(&random, 3);
    write_files();
    for (size_t k = 0; k < LENGTH(scenes); k++) {
        struct particles *p = prepare(&scenes[k]), *q = prepare(&scenes[k]);
        const int is_lattice = strcmp(scenes[k].options[0], "lattice") == 0;
        is_done(p, particles_generate(p, scenes[k].counts));
        is_done(q, particles_generate(q, scenes[k].counts));
        take_state(p, &state);
        for (size_t j = 0; j < state.count; j++) {
            state.u[j] = 2 * random_unit(&random) - 1;
            state.v[j] = 2 * random_unit(&random) - 1;
        }
        const double time = scenes[k].end / 10;
        is_done(p, particles_advance(p, time));
        is_done(p, particles_change(p, NULL, NULL, state.u, state.v, NULL, NULL));
        take_state(p, &once);
        CHECK(memcmp(once.u, state.u, state.count * sizeof *state.u) == 0);
        is_done(p, particles_save(p, "saved"));
        is_done(p, particles_advance(p, scenes[k].end / 2));
        take_state(p, &once);
        particles_free(p);
        p = particles_create();
        is_done(p, particles_load(p, "saved"));
        CHECK(particles_time(p) == time);
        is_done(p, particles_advance(p, scenes[k].end / 4));
        is_done(p, particles_advance(p, scenes[k].end / 2));
        take_state(p, &again);
        CHECK(is_lattice || is_same(&once, &again));
        if (!CHECK(is_same(&once, &again)))
            fprintf(stderr, "scene %zu\n", k);
        particles_free(p);
        particles_free(q);
    }
}

TEST(energy_is_what_a_thermostat_sets)
{
    struct particles *p = particles_create();
    static struct state state;
    is_done(p, particles_set(p, "rule", "elastic"));
    is_done(p, particles_set(p, "restitution", "0.8"));
    is_done(p, particles_set(p, "area-fraction", "0.6"));
    is_done(p, particles_generate(p, "200"));
    for (int round = 1; round <= 10; round++) {
        double energy = 0;
        is_done(p, particles_advance(p, round));
        take_state(p, &state);
        for (size_t k = 0; k < state.count; k++)
            energy += (state.u[k] * state.u[k] + state.v[k] * state.v[k]) / 2;
        for (size_t k = 0; k < state.count; k++) {
            state.u[k] *= sqrt(100 / energy);
            state.v[k] *= sqrt(100 / energy);
        }
        CHECK(round == 1 || (energy < 100 && energy > 10));
        is_done(p, particles_change(p, NULL, NULL, state.u, state.v, NULL, NULL));
    }
    particles_free(p);
}

/* ---- Figures ---- */

static double figure(struct particles *p, const char *name)
{
    double value = (double)NAN, error = (double)NAN;
    is_done(p, particles_figure(p, name, &value, &error));
    return value;
}

/* The figures are those of the command's file at the same time, but for the ends of blocks. */
static void check_figures(struct particles *p, int words, char **run, double end, int least)
{
    char key[100], text[100];
    OWNED(options, options);
    must(options_parse(words, run, &options, &failure));
    OWNED(engine, engine) = {.options = options};
    must(engine_create(&engine, &failure));
    must(option_observers_create(&engine.options, &engine.system, &engine.observers, &failure));
    must(engine_begin(&engine, &failure));
    must(engine_advance(&engine, end, &failure));
    must(observers_finish(&engine.observers, &engine.system, end, &failure));
    FILE *file = fopen("stats", "r");
    int count = 0, same = 0;
    while (fscanf(file, "%99s = %99s", key, text) == 2) {
        const double wanted = strcmp(text, "none") == 0 ? (double)NAN : atof(text);
        if (strstr(key, "_error") || strstr(key, "second"))
            continue;
        const double found = figure(p, key);
        count++;
        if (found == wanted || (isnan(found) && isnan(wanted)) ||
            fabs(found - wanted) < 1e-9 * fabs(wanted))
            same++;
        else
            fprintf(stderr, "%s: %.17g, %.17g\n", key, found, wanted);
    }
    fclose(file);
    CHECK(count > least && same == count);
}

static void generate(int count, char **words)
{
    OWNED(options, request);
    must(options_parse(count, words, &request, &failure));
    FILE *file = fopen("input", "w");
    must(generate_input(&request.request, &request.polygons, file, NULL, &failure));
    fclose(file);
}

/* Neither callbacks that come later nor a checkpoint change them. */
TEST(figures_are_those_of_the_command)
{
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "rule", "elastic"));
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_set(p, "stats-from", "9"));
    is_done(p, particles_set(p, "obstacle", "pins"));
    is_done(p, particles_set(p, "area-fraction", "0.05"));
    write_files();
    is_done(p, particles_generate(p, "60"));
    CHECK(is_refused(p, particles_figure(p, "particles", NULL, NULL), PARTICLES_USAGE,
                     "from time 9 on"));
    is_done(p, particles_on_collisions(p, NULL, NULL));
    is_done(p, particles_advance(p, 7));
    is_done(p, particles_save(p, "saved"));
    particles_free(p);
    p = particles_create();
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_load(p, "saved"));
    is_done(p, particles_advance(p, 10));
    figure(p, "pressure_virial");
    is_done(p, particles_advance(p, 20));
    char *words[] = {"particles", "--generate=60", "--obstacle=pins", "--area-fraction=0.05", NULL};
    generate(4, words);
    char *run[] = {"particles",
                   "--stats=stats",
                   "--stats-from=9",
                   "--rule=elastic",
                   "--obstacle=pins",
                   "input",
                   "20",
                   NULL};
    check_figures(p, 7, run, 20, 40);
    CHECK(is_refused(p, particles_figure(p, "pressure", NULL, NULL), PARTICLES_USAGE,
                     "nearest name: pressure_virial"));
    CHECK(is_refused(p, particles_figure(p, NULL, NULL, NULL), PARTICLES_USAGE, "NULL"));
    particles_free(p);
}

TEST(figures_of_steps_are_those_of_the_command)
{
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_set(p, "step", "0.125"));
    is_done(p, particles_set(p, "interaction", "spring k=20"));
    is_done(p, particles_set(p, "stats-from", "0.01"));
    char *words[] = {"particles", "--generate=60", NULL};
    generate(2, words);
    is_done(p, particles_read(p, "input"));
    is_done(p, particles_advance(p, 0.1));
    CHECK(is_refused(p, particles_figure(p, "particles", NULL, NULL), PARTICLES_USAGE,
                     "at the end of a step"));
    is_done(p, particles_advance(p, 0.8));
    char *run[] = {"particles",
                   "--stats=stats",
                   "--stats-from=0.01",
                   "--interaction=spring k=20",
                   "--step=0.125",
                   "input",
                   "0.8",
                   NULL};
    check_figures(p, 7, run, 0.8, 20);
    particles_free(p);
}

/* ---- Checkpoints of the command ---- */

struct stopper {
    struct observer observer;
    struct engine *engine;
    sig_atomic_t is_time;
};

static enum status stop_late(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error)
{
    (void)error;
    ((struct stopper *)observer)->is_time = snapshot->time > 2.7;
    return STATUS_DONE;
}

static enum status save_stopped(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    const struct engine *engine = ((struct stopper *)observer)->engine;
    const struct checkpoint_run run = {snapshot->time, 3, &engine->options.steps,
                                       &engine->options.lattice};
    const struct observers none = {.dynamics = engine->dynamics};
    const enum status status = checkpoint_save("saved", &run, &none, snapshot, error);
    return status ? status : STATUS_INTERRUPTED;
}

/* An interrupted run of the command with steps goes on at the end of its step, if that is shorter
 * at the end of its run. */
TEST(a_step_of_the_command_is_completed)
{
    static const struct observer_operations operations = {.quiescent = stop_late,
                                                          .interrupt = save_stopped};
    static struct state state, expected;
    char *words[] = {"particles", "--generate=20", NULL};
    generate(2, words);
    char *run[] = {"particles", "--step=2", "--substeps=200", "--interaction=spring k=20", "input",
                   "3",         NULL};
    OWNED(options, options);
    must(options_parse(6, run, &options, &failure));
    OWNED(engine, engine) = {.options = options};
    struct stopper stopper = {
        {.operations = &operations, .next_sample = (double)INFINITY}, &engine, 0};
    must(engine_create(&engine, &failure));
    engine.observers.interrupt = &stopper.is_time;
    observers_add(&engine.observers, &stopper.observer);
    must(engine_begin(&engine, &failure));
    CHECK(engine_advance(&engine, 3, &failure) == STATUS_INTERRUPTED);
    struct particles *p = particles_create(), *whole = particles_create();
    is_done(p, particles_load(p, "saved"));
    CHECK(particles_time(p) == 3);
    is_done(whole, particles_set(whole, "step", "2"));
    is_done(whole, particles_set(whole, "substeps", "200"));
    is_done(whole, particles_set(whole, "interaction", "spring k=20"));
    is_done(whole, particles_read(whole, "input"));
    is_done(whole, particles_advance(whole, 3));
    take_state(p, &state);
    take_state(whole, &expected);
    CHECK(memcmp(&state, &expected, sizeof state) == 0);
    is_done(p, particles_advance(p, 5));
    particles_free(p);
    particles_free(whole);
}

TEST(figures_count_from_the_last_change)
{
    static struct state state;
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "rule", "elastic"));
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_generate(p, "50"));
    is_done(p, particles_advance(p, 5));
    CHECK(figure(p, "stats_from") == 0);
    take_state(p, &state);
    for (size_t k = 0; k < state.count; k++)
        state.u[k] *= 2;
    is_done(p, particles_change(p, NULL, NULL, state.u, NULL, NULL, NULL));
    CHECK(is_refused(p, particles_figure(p, "particles", NULL, NULL), PARTICLES_USAGE,
                     "from time 5 on"));
    is_done(p, particles_advance(p, 9));
    CHECK(figure(p, "stats_from") == 5 && figure(p, "end_time") == 9);
    CHECK(fabs(figure(p, "energy_end") / figure(p, "energy_start") - 1) < 1e-12);
    particles_free(p);
}

/* A packing is that of the command, to which it is saved on the way; then disks stay as they are.
 */
TEST(growth_ends_where_that_of_the_command_does)
{
    static const char *const ends[] = {"0.6", "P40"};
    static struct state state, later;
    for (size_t k = 0; k < LENGTH(ends); k++) {
        const struct scene scene = {"60,40",
                                    1e6,
                                    {"rule", "elastic", "radius", "1,1.4", "area-fraction", "0.3",
                                     "periodic", "xy", "grow", "0.04", "grow-until", ends[k]}};
        static double radius[MOST], before[MOST];
        double jamming, fraction;
        const double end = run_command(&scene, &state);
        struct particles *p = prepare(&scene);
        is_done(p, particles_set(p, "stats", NULL));
        is_done(p, particles_generate(p, scene.counts));
        is_done(p, particles_advance(p, end / 2));
        CHECK(fabs(figure(p, "area_fraction") / 0.3 - pow(1 + 0.02 * end, 2)) < 1e-6);
        is_done(p, particles_kinds(p, before, NULL, NULL));
        CHECK(is_refused(p, particles_change(p, NULL, NULL, NULL, NULL, before, NULL),
                         PARTICLES_USAGE, "while disks grow radii and masses cannot be changed"));
        is_done(p, particles_save(p, "saved"));
        particles_free(p);
        p = particles_create();
        is_done(p, particles_set(p, "stats", NULL));
        is_done(p, particles_load(p, "saved"));
        is_done(p, particles_advance(p, 1e6));
        CHECK(particles_time(p) == end);
        take_state(p, &later);
        CHECK(is_same(&state, &later));
        jamming = figure(p, "jamming_fraction");
        fraction = figure(p, "area_fraction");
        CHECK(fraction > 0.59 && (k == 0 || fabs(jamming / fraction - 1) < 0.03));
        is_done(p, particles_kinds(p, radius, NULL, NULL));
        CHECK(fabs(radius[99] / before[99] * (1 + 0.02 * end) - (1 + 0.04 * end)) < 1e-12);
        is_done(p, particles_save(p, "saved")); /* it ends where growth has ended, too */
        particles_free(p);
        p = particles_create();
        is_done(p, particles_set(p, "stats", NULL));
        is_done(p, particles_load(p, "saved"));
        is_done(p, particles_advance(p, end + 0.5));
        CHECK(particles_time(p) == end + 0.5 &&
              (k == 0 || figure(p, "jamming_fraction") == jamming));
        CHECK(fabs(figure(p, "area_fraction") / fraction - 1) < 1e-12);
        is_done(p, particles_kinds(p, before, NULL, NULL));
        CHECK(memcmp(radius, before, sizeof radius) == 0);
        for (size_t i = 0; i < 100; i++)
            before[i] *= 0.9;
        is_done(p, particles_change(p, NULL, NULL, NULL, NULL, before, NULL));
        is_done(p, particles_advance(p, end + 1));
        particles_free(p);
    }
}

/* Velocities that are changed while disks grow are kept as those at the start are; positions are
 * checked with the present radii. */
TEST(a_change_while_disks_grow)
{
    static struct state state;
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "rule", "elastic"));
    is_done(p, particles_set(p, "grow", "0.02"));
    is_done(p, particles_set(p, "stats", NULL));
    is_done(p, particles_generate(p, "50"));
    is_done(p, particles_advance(p, 1));
    take_state(p, &state);
    state.x[0] = 1.01;
    CHECK(is_refused(p, particles_change(p, state.x, NULL, NULL, NULL, NULL, NULL),
                     PARTICLES_BAD_DATA, "particle 0"));
    for (size_t k = 0; k < state.count; k++)
        state.u[k] *= 3, state.v[k] *= 3;
    is_done(p, particles_change(p, NULL, NULL, state.u, state.v, NULL, NULL));
    is_done(p, particles_advance(p, 1.01));
    const double energy = figure(p, "energy_start");
    for (int k = 0; k < 20; k++) {
        is_done(p, particles_advance(p, particles_time(p) + 0.5));
        CHECK(figure(p, "energy_start") == energy && figure(p, "energy_end") > 0.999 * energy &&
              figure(p, "energy_end") < 1.5 * energy);
    }
    particles_free(p);
}

/* What the command makes of a checkpoint of the library, in `saved`. */
static enum status resume(char *stats, struct error *error)
{
    char *words[] = {"particles", "--resume=saved", stats, NULL};
    OWNED(options, options);
    must(options_parse(stats ? 3 : 2, words, &options, &failure));
    OWNED(engine, engine) = {.options = options};
    enum status status = engine_create(&engine, error);
    if (!status)
        status = option_observers_create(&engine.options, &engine.system, &engine.observers, error);
    return status ? status : engine_begin(&engine, error);
}

TEST(the_command_goes_on_from_a_checkpoint_without_figures)
{
    for (int has_stats = 0; has_stats < 2; has_stats++) {
        struct error error = {""};
        struct particles *p = particles_create();
        if (has_stats)
            is_done(p, particles_set(p, "stats", NULL));
        is_done(p, particles_generate(p, "30"));
        is_done(p, particles_advance(p, 3));
        is_done(p, particles_save(p, "saved"));
        particles_free(p);
        CHECK(resume(NULL, &error) == (has_stats ? STATUS_USAGE : STATUS_DONE));
        CHECK(resume("--stats=stats", &error) == STATUS_USAGE);
        CHECK(strstr(error.message, has_stats ? "without END_TIME" : "without --stats") != NULL);
    }
}

/* ---- Callbacks ---- */

struct watcher {
    struct particles *p;
    int calls, refused;
    size_t collisions;
    double last;
};

static void watch(void *user, const struct particles_collision *list, size_t count)
{
    struct watcher *watcher = user;
    watcher->calls++;
    watcher->collisions += count;
    for (size_t k = 0; k < count; k++) {
        CHECK(list[k].time >= watcher->last && list[k].a >= 0 && list[k].b != list[k].a);
        CHECK(list[k].b < 0 || list[k].b > list[k].a);
        watcher->last = list[k].time;
    }
    if (watcher->p) {
        watcher->refused += particles_advance(watcher->p, 1e3) == PARTICLES_USAGE;
        watcher->refused += particles_state(watcher->p, NULL, NULL, NULL, NULL) == PARTICLES_USAGE;
        particles_free(watcher->p); /* it is not freed */
    }
}

TEST(each_collision_is_handed_over_once_in_order)
{
    struct watcher watcher = {0};
    static struct state state;
    uint64_t counted = 0;
    struct particles *p = particles_create();
    is_done(p, particles_set(p, "rule", "elastic"));
    is_done(p, particles_on_collisions(p, watch, &watcher));
    is_done(p, particles_generate(p, "100"));
    for (int k = 1; k <= 5; k++) {
        is_done(p, particles_advance(p, 4 * k));
        take_state(p, &state);
        counted = 0;
        for (size_t j = 0; j < state.count; j++)
            counted += 2 * state.walls[j] + state.pairs[j];
        CHECK(2 * watcher.collisions == counted && watcher.last <= 4 * k);
    }
    CHECK(watcher.collisions > 300);
    watcher.p = p;
    watcher.calls = 0;
    is_done(p, particles_advance(p, 40));
    CHECK(watcher.calls > 0 && watcher.refused == 2 * watcher.calls);
    particles_free(p);
}

static int stop(void *user, double time)
{
    double *stopped = user;
    *stopped = time;
    return 1;
}

static int stop_never(void *user, double time)
{
    (void)user, (void)time;
    return 0;
}

/* A stop at a time that the clock decides: the run goes on to the same bytes. */
TEST(a_stopped_run_goes_on)
{
    static struct state once, stopped;
    double time = -1, end = 1;
    int stops = 0;
    write_files();
    for (int k = 0; k < 2; k++) {
        struct particles *p = particles_create();
        is_done(p, particles_set(p, "rule", "elastic"));
        is_done(p, particles_on_progress(p, k ? stop_never : stop, &time));
        is_done(p, particles_generate(p, "3000"));
        int status = particles_advance(p, end);
        while (status == PARTICLES_STOPPED || (!status && stops == 0)) {
            stops += status == PARTICLES_STOPPED;
            CHECK(particles_time(p) <= end && (stops == 0 || time >= 0));
            take_state(p, &stopped);
            end *= stops == 0 ? 2 : 1; /* as far as takes long enough */
            status = particles_advance(p, end);
        }
        is_done(p, status);
        take_state(p, k ? &once : &stopped);
        particles_free(p);
    }
    CHECK(is_same(&once, &stopped) && stops > 0);
}

/* ---- Several at a time ---- */

static void *run_scene(void *user)
{
    const struct scene *scene = user;
    struct particles *p = prepare(scene);
    static const size_t size = sizeof(struct state);
    struct state *state = malloc(size);
    is_done(p, particles_generate(p, scene->counts));
    for (int k = 1; k <= 4; k++)
        is_done(p, particles_advance(p, k == 4 ? scene->end : scene->end / 4 * k));
    take_state(p, state);
    particles_free(p);
    return state;
}

TEST(simulations_in_several_threads_do_not_meet)
{
    static struct state once;
    pthread_t threads[LENGTH(scenes)];
    write_files();
    for (size_t k = 0; k < LENGTH(scenes); k++)
        CHECK(pthread_create(&threads[k], NULL, run_scene, (void *)&scenes[k]) == 0);
    for (size_t k = 0; k < LENGTH(scenes); k++) {
        void *state;
        pthread_join(threads[k], &state);
        run_command(&scenes[k], &once);
        CHECK(is_same(&once, state));
        free(state);
    }
}
