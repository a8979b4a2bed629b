/*
 * The functions of the library; see particles.h.
 *
 * A handle has options, which particles_set adds to, and an engine with a copy of them, which is
 * made with the system. What observers do for the command, the observer `host` does for the caller:
 * it collects collisions, reports the progress, and notes where an advance has been stopped.
 *
 * The messages of the engine name options as on the command line. library_translate turns them into
 * those of the caller.
 */
#include <particles.h>

#include "base/memory.h"
#include "io/text.h"
#include "library/engine.h"
#include "model/overlap.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double PROGRESS_PAUSE = 0.1; /* seconds between two calls */

/* A text of an option, "NAME" or "NAME=VALUE"; the options point into it. */
struct library_text {
    struct library_text *next;
    char text[];
};

struct particles {
    struct options options; /* owned */
    struct options tried;   /* one of them at a time, which may be refused */
    struct engine engine;   /* with a copy of the options */
    struct library_text *texts;
    struct observer host;
    struct observer *statistics; /* NULL: there are none */
    int has_figures;             /* they are of the present */
    struct snapshot_order order;
    pid_t process;  /* that has made it */
    double time;    /* the present, */
    int is_current; /* all events up to it have happened */
    int is_made;    /* there is a system */
    int is_busy;    /* a callback is called */
    int has_failed; /* an advance or a change, or memory for an option; it cannot go on */
    particles_collisions *on_collisions;
    void *collisions_user;
    particles_progress *on_progress;
    void *progress_user;
    struct pace pace;
    double shown;                         /* when the progress was reported last, by the clock */
    volatile sig_atomic_t is_interrupted; /* the callback has said so */
    struct particles_collision collisions[MAX_IMPACTS];
    char name[64]; /* of a figure, for the caller */
    struct error error;
};

/* What the caller has in place of an option of the command. */
static const char *library_instead(const char *option, size_t length)
{
    static const char *const list[][2] = {
        {"checkpoint", "particles_save"}, {"events", "particles_on_collisions"},
        {"final", "particles_state"},     {"generate", "particles_generate"},
        {"picture", "particles_state"},   {"progress", "particles_on_progress"},
        {"report", "particles_figure"},   {"resume", "particles_load"},
        {"trajectory", "particles_state"}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++)
        if (strlen(list[k][0]) == length && strncmp(option, list[k][0], length) == 0)
            return list[k][1];
    return NULL;
}

/* Rewrites the message: "--rule" becomes "rule", and "--resume" "particles_load". */
static void library_translate(struct error *error)
{
    static const char help[] = "; try 'particles --help'";
    const struct error old = *error;
    const char *from = old.message;
    error->message[0] = '\0';
    while (*from) {
        const size_t length = strncmp(from, "--", 2) == 0 ? strcspn(from + 2, "=,:;.' )") : 0;
        const char *instead = library_instead(from + 2, length);
        if (strncmp(from, help, sizeof help - 1) == 0) {
            from += sizeof help - 1;
        } else if (length > 0 && options_have(from + 2, length)) {
            error_append(error, "%.*s", instead ? 30 : (int)length, instead ? instead : from + 2);
            from += 2 + length;
        } else {
            error_append(error, "%c", *from++);
        }
    }
}

/* Begins a function. Returns 0 if it cannot be called. */
static int library_enter(struct particles *p)
{
    if (!p || p->process != getpid()) /* nothing of the parent's is touched */
        return 0;
    if (p->is_busy)
        error_set(&p->error, STATUS_USAGE,
                  "a callback must not call a function with the handle that calls it");
    return !p->is_busy;
}

/* Ends a function that has begun, and returns its status. */
static int library_leave(struct particles *p, enum status status)
{
    if (status)
        library_translate(&p->error);
    else
        p->error.message[0] = '\0';
    return (int)status;
}

/* Begins a function that needs a system, or that must come before there is one. */
static enum status library_expect(struct particles *p, int is_made)
{
    if (p->has_failed)
        return error_set(&p->error, STATUS_USAGE,
                         "a call has failed before: this simulation can only be read and freed");
    if (is_made && !p->is_made)
        return error_set(&p->error, STATUS_USAGE,
                         "there is no system yet: give one by particles_read, particles_place, "
                         "particles_generate or particles_load");
    if (!is_made && p->is_made)
        return error_set(&p->error, STATUS_USAGE,
                         "there is a system already: this comes before it, in another simulation");
    return STATUS_DONE;
}

static double library_read_clock(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : 0;
}

static void library_ignore_warning(const struct error *warning)
{
    (void)warning;
}

/* ---- The observer ---- */

static struct particles *host_of(struct observer *observer)
{
    return (struct particles *)((char *)observer - offsetof(struct particles, host));
}

/* Reports the progress now and then. */
static void host_count(struct particles *p, double time)
{
    double now;
    if (!p->on_progress || p->is_interrupted || !pace_count(&p->pace, &now) ||
        now - p->shown < PROGRESS_PAUSE)
        return;
    p->shown = now;
    p->is_busy = 1;
    p->is_interrupted = p->on_progress(p->progress_user, time) != 0;
    p->is_busy = 0;
}

static enum status host_take(struct observer *observer, const struct collision_batch *batch,
                             struct error *error)
{
    struct particles *p = host_of(observer);
    size_t count = 0;
    (void)error;
    for (size_t k = 0; k < batch->count && p->on_collisions; k++) {
        const struct collision *collision = &batch->list[k];
        const int32_t b =
            collision->partner == PARTNER_PARTICLE ? collision->b.number : collision->feature;
        if (!collision->is_reinjection)
            p->collisions[count++] = (struct particles_collision){
                collision->time, collision->a.number, b, collision->a.x, collision->a.y};
    }
    p->is_busy = 1;
    if (count > 0)
        p->on_collisions(p->collisions_user, p->collisions, count);
    p->is_busy = 0;
    host_count(p, batch->time);
    return STATUS_DONE;
}

static void host_predict(struct observer *observer, double part)
{
    (void)part;
    host_count(host_of(observer), host_of(observer)->time);
}

static enum status host_interrupt(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    (void)error;
    host_of(observer)->time = snapshot->time;
    return STATUS_INTERRUPTED;
}

#define HOST(what)                                                                                 \
    {                                                                                              \
        .watches = (what), .take = host_take, .on_progress = host_predict,                         \
        .interrupt = host_interrupt                                                                \
    }
static const struct observer_operations host_events = HOST(WATCH_EVENTS);
static const struct observer_operations host_collisions = HOST(WATCH_PAIRS);

/* Adds the observers anew: `host` watches what the callbacks need. */
static void library_watch(struct particles *p)
{
    struct observers *observers = &p->engine.observers;
    observers->count = 0;
    observers->watches = WATCH_NOTHING;
    observers->wants_counts = observers->wants_quiescence = 0;
    if (p->statistics)
        observers_add(observers, p->statistics);
    p->host = (struct observer){.operations = p->on_collisions ? &host_collisions : &host_events,
                                .next_sample = (double)INFINITY};
    if (p->on_collisions || p->on_progress)
        observers_add(observers, &p->host);
}

/* Adds the observers that the caller has asked for. */
static enum status library_add_observers(struct particles *p)
{
    struct options *options = &p->engine.options;
    struct observers *observers = &p->engine.observers;
    p->statistics = NULL;
    observers->warn = library_ignore_warning;
    observers->is_quiet = 1;
    observers->interrupt = &p->is_interrupted;
    options->run.clock = library_read_clock;
    if (options->stats.output.is_wanted) {
        enum status status = observer_create(&statistics_operations, &options->run,
                                             &options->stats.output, &p->statistics, &p->error);
        if (status)
            return status;
    }
    library_watch(p);
    return STATUS_DONE;
}

/* ---- The life of a simulation ---- */

int particles_abi(void)
{
    return PARTICLES_ABI;
}

struct particles *particles_create(void)
{
    struct error error;
    struct particles *p = memory_allocate_zeros(1, sizeof *p, "a simulation", &error);
    if (p) {
        options_begin(&p->options);
        p->process = getpid();
    }
    return p;
}

static void library_free_engine(struct particles *p)
{
    struct engine *engine = &p->engine;
    if (engine->options.steps.terms != p->options.steps.terms) /* a checkpoint had others */
        steps_settings_free(&engine->options.steps);
    engine_free(engine);
    *engine = (struct engine){0};
}

void particles_free(struct particles *p)
{
    if (!p || p->process != getpid() || p->is_busy)
        return;
    library_free_engine(p);
    options_free(&p->options);
    while (p->texts) {
        struct library_text *text = p->texts;
        p->texts = text->next;
        memory_free(text);
    }
    memory_free(p->order.indices);
    memory_free(p);
}

const char *particles_error(const struct particles *p)
{
    if (!p)
        return "there is no simulation: its handle is NULL";
    return p->process == getpid() ? p->error.message
                                  : "this simulation belongs to another process, the parent";
}

/* Keeps "name=value", or "name", until the simulation is freed; NULL if there is no memory. */
static char *library_keep_text(struct particles *p, const char *name, const char *value)
{
    const size_t length = strlen(name), size = length + (value ? strlen(value) : 0) + 2;
    struct library_text *kept = memory_allocate(sizeof *kept + size, 1, "an option", &p->error);
    if (!kept)
        return NULL;
    kept->next = p->texts;
    p->texts = kept;
    memcpy(kept->text, name, length + 1);
    if (value) {
        kept->text[length] = '=';
        memcpy(kept->text + length + 1, value, size - length - 1);
    }
    return kept->text;
}

/* Sets an option of `options` from texts that are kept. It is tried first where it does no harm. */
static enum status library_set_option(struct particles *p, struct options *options,
                                      const char *name, const char *value)
{
    const char *text = library_keep_text(p, name, value);
    if (!text)
        return STATUS_NO_MEMORY;
    if (value)
        value = text + strlen(name) + 1;
    options_begin(&p->tried);
    enum status status = options_set(&p->tried, name, value, text, &p->error);
    options_free(&p->tried);
    return status ? status : options_set(options, name, value, text, &p->error);
}

int particles_set(struct particles *p, const char *option, const char *value)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    enum status status = library_expect(p, 0);
    if (!status && !option)
        status = error_set(&p->error, STATUS_USAGE, "the name of an option is NULL");
    const char *instead = status ? NULL : library_instead(option, strlen(option));
    if (instead)
        status = error_set(&p->error, STATUS_USAGE, "option '%s' is for the command; use %s",
                           option, instead);
    else if (!status && strcmp(option, "stats") == 0 && value)
        status = error_set(&p->error, STATUS_USAGE,
                           "option 'stats' takes no file here, but NULL; particles_figure has what "
                           "it measures");
    else if (!status)
        status = library_set_option(p, &p->options, option, value);
    p->has_failed |= status == STATUS_NO_MEMORY;
    return library_leave(p, status);
}

int particles_on_collisions(struct particles *p, particles_collisions *call, void *user)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    p->on_collisions = call;
    p->collisions_user = user;
    if (p->is_made)
        library_watch(p);
    return library_leave(p, STATUS_DONE);
}

int particles_on_progress(struct particles *p, particles_progress *call, void *user)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    p->on_progress = call;
    p->progress_user = user;
    if (p->is_made)
        library_watch(p);
    return library_leave(p, STATUS_DONE);
}

/* ---- The system ---- */

/* Makes the system, as `engine` has been prepared, and all that moves and watches it. */
static enum status library_make(struct particles *p)
{
    struct engine *engine = &p->engine;
    struct error *error = &p->error;
    enum status status = options_check(&engine->options, error);
    if (!status)
        status = engine_create(engine, error);
    engine->options.run.to = (double)INFINITY; /* a checkpoint has another */
    if (!status)
        engine->dynamics->is_open = 1;
    if (!status)
        status = library_add_observers(p);
    if (!status)
        status = engine_begin(engine, error);
    p->order = (struct snapshot_order){0};
    if (!status) {
        p->order.indices =
            memory_allocate(engine->system.count, sizeof *p->order.indices, "the order", error);
        status = p->order.indices ? STATUS_DONE : STATUS_NO_MEMORY;
    }
    p->is_made = !status;
    p->time = engine->time;
    if (status)
        library_free_engine(p);
    return status;
}

/* Begins to give a simulation its system, from something that is not to be NULL. */
static enum status library_begin_system(struct particles *p, const void *from, const char *what)
{
    const enum status status = library_expect(p, 0);
    if (status)
        return status;
    p->engine = (struct engine){.options = p->options};
    p->engine.options.run.to = (double)INFINITY;
    return from ? STATUS_DONE : error_set(&p->error, STATUS_USAGE, "%s is NULL", what);
}

int particles_read(struct particles *p, const char *path)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    enum status status = library_begin_system(p, path, "the name of the file");
    if (!status && strcmp(path, "-") == 0)
        status = error_set(&p->error, STATUS_USAGE,
                           "'-' is no file: standard input belongs to the process");
    if (!status) {
        p->engine.options.input = path;
        status = library_make(p);
        p->engine.options.input = NULL;
    }
    return library_leave(p, status);
}

struct library_arrays {
    const double *x, *y, *u, *v, *radius, *mass;
    const int *species;
};

static void library_take_from_arrays(const void *of, size_t k, double values[INPUT_COLUMNS])
{
    const struct library_arrays *from = of;
    values[0] = from->x[k];
    values[1] = from->y[k];
    values[2] = from->u ? from->u[k] : 0;
    values[3] = from->v ? from->v[k] : 0;
    values[4] = from->radius[k];
    values[5] = from->mass ? from->mass[k] : 1;
    values[6] = from->species ? from->species[k] : 0;
}

int particles_place(struct particles *p, size_t count, const double box[2], const double *x,
                    const double *y, const double *u, const double *v, const double *radius,
                    const double *mass, const int *species)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    const struct library_arrays arrays = {x, y, u, v, radius, mass, species};
    enum status status =
        library_begin_system(p, box && x && y ? radius : NULL, "box, x, y or radius");
    if (!status) {
        const struct input_source source = {count,  count > 0 ? radius[0] : 0, box[0],
                                            box[1], library_take_from_arrays,  &arrays};
        p->engine.source = &source;
        status = library_make(p);
        p->engine.source = NULL;
    }
    return library_leave(p, status);
}

static void library_take_from_system(const void *of, size_t k, double values[INPUT_COLUMNS])
{
    const struct system *system = of;
    const struct particle *particle = &system->particles[k];
    const double columns[INPUT_COLUMNS] = {particle->x,
                                           particle->y,
                                           particle->u,
                                           particle->v,
                                           system_radius(system, particle),
                                           system_mass(system, particle),
                                           system_species(system, particle)};
    memcpy(values, columns, sizeof columns);
}

int particles_generate(struct particles *p, const char *counts)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    struct options *options = &p->engine.options;
    struct system system = {0};
    enum status status = library_begin_system(p, counts, "the number of particles");
    if (!status)
        status = library_set_option(p, options, "generate", counts);
    if (!status) {
        options->generate = GENERATE_SYSTEM;
        status = options_check(options, &p->error);
    }
    if (!status) {
        struct generate_request complete;
        status =
            generate_among(&options->request, &options->polygons, &complete, &system, &p->error);
    }
    if (!status) {
        const struct input_source source = {system.count,
                                            system.radius,
                                            system.boundary.width,
                                            system.boundary.height,
                                            library_take_from_system,
                                            &system};
        p->engine.source = &source;
        status = library_make(p);
        p->engine.source = NULL;
    }
    system_free(&system);
    return library_leave(p, status);
}

int particles_load(struct particles *p, const char *path)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    enum status status = library_begin_system(p, path, "the name of the file");
    if (!status) {
        p->engine.options.resume = path;
        status = library_make(p);
    }
    if (!status &&
        !p->engine.dynamics->operations->traits.has_schedule) { /* on from a whole step */
        status = engine_advance(&p->engine, p->time, &p->error);
        p->has_failed = status != STATUS_DONE;
    }
    return library_leave(p, status);
}

/* ---- Between advances ---- */

int particles_advance(struct particles *p, double time)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    enum status status = library_expect(p, 1);
    if (!status && !(time >= p->time && time <= SYSTEM_LARGEST))
        status = error_set(&p->error, STATUS_USAGE,
                           "the time must be from %s, the present, to %g, not %s",
                           show_exactly(p->time).text, SYSTEM_LARGEST, show_exactly(time).text);
    if (status || (time == p->time && p->is_current))
        return library_leave(p, status);
    p->is_interrupted = p->has_figures = 0;
    p->shown = pace_begin(&p->pace, library_read_clock, PROGRESS_PAUSE / 10);
    status = engine_advance(&p->engine, time, &p->error);
    p->has_failed = status && status != STATUS_INTERRUPTED;
    p->is_current = !status;
    if (!status)
        p->time = time;
    else if (p->has_failed)
        p->time = fmax(p->time, system_last_time(&p->engine.system));
    return library_leave(p, status);
}

size_t particles_count(const struct particles *p)
{
    return p && p->is_made ? p->engine.system.count : 0;
}

double particles_time(const struct particles *p)
{
    return p && p->is_made ? p->time : 0;
}

static struct snapshot library_snapshot(struct particles *p)
{
    return (struct snapshot){p->time, &p->engine.system, &p->order};
}

/* Begins to read a simulation: also one that has failed. */
static int library_begin_reading(struct particles *p, enum status *status)
{
    if (!library_enter(p)) {
        *status = STATUS_USAGE;
        return 0;
    }
    *status = p->is_made ? STATUS_DONE : library_expect(p, 1);
    return !*status;
}

int particles_state(struct particles *p, double *x, double *y, double *u, double *v)
{
    enum status status;
    if (!library_begin_reading(p, &status))
        return (int)status;
    const struct snapshot snapshot = library_snapshot(p);
    for (size_t k = 0; k < p->engine.system.count; k++) {
        const struct particle *particle = &p->engine.system.particles[snapshot_index(&snapshot, k)];
        double at[2];
        snapshot_position(&snapshot, k, &at[0], &at[1]);
        if (x)
            x[k] = at[0];
        if (y)
            y[k] = at[1];
        if (u)
            u[k] = particle->u;
        if (v)
            v[k] = particle->v;
    }
    return library_leave(p, STATUS_DONE);
}

int particles_counts(struct particles *p, uint64_t *walls, uint64_t *pairs)
{
    enum status status;
    if (!library_begin_reading(p, &status))
        return (int)status;
    const struct snapshot snapshot = library_snapshot(p);
    for (size_t k = 0; k < p->engine.system.count; k++) {
        const struct counts counts = snapshot_counts(&snapshot, k);
        if (walls)
            walls[k] = counts.walls;
        if (pairs)
            pairs[k] = counts.particles;
    }
    return library_leave(p, STATUS_DONE);
}

int particles_box(struct particles *p, double box[2])
{
    enum status status;
    if (!library_begin_reading(p, &status))
        return (int)status;
    if (box) {
        box[0] = p->engine.system.boundary.width;
        box[1] = p->engine.system.boundary.height;
    }
    return library_leave(p, STATUS_DONE);
}

int particles_kinds(struct particles *p, double *radius, double *mass, int *species)
{
    enum status status;
    if (!library_begin_reading(p, &status))
        return (int)status;
    const struct snapshot snapshot = library_snapshot(p);
    for (size_t k = 0; k < p->engine.system.count; k++) {
        const struct body body = snapshot_body(&snapshot, k);
        if (radius)
            radius[k] = body.radius;
        if (mass)
            mass[k] = body.mass;
        if (species)
            species[k] = body.species;
    }
    return library_leave(p, STATUS_DONE);
}

/* A search for a figure by its name, or for the name that is nearest to it. */
struct library_search {
    const char *name;
    double value, error;
    char nearest[64]; /* its name */
    size_t away;
};

static void library_look(void *to, const struct dynamics_figure *figure)
{
    struct library_search *search = to;
    const char *key = figure->description.key;
    const size_t away = text_distance(search->name, strlen(search->name), key);
    if (away < search->away) {
        search->away = away;
        snprintf(search->nearest, sizeof search->nearest, "%s", key);
    }
    if (away > 0)
        return;
    search->value = isfinite(figure->value) ? figure->value + 0.0 : (double)NAN;
    if (figure->description.form == FIGURE_MEASURED && isfinite(figure->error))
        search->error = figure->error;
}

/* Computes all figures at the present time, unless they are known. */
static enum status library_update_figures(struct particles *p)
{
    struct error *error = &p->error;
    const struct run_settings *run = p->statistics ? p->statistics->run : NULL;
    const struct snapshot snapshot = library_snapshot(p);
    if (!run)
        return error_set(error, STATUS_USAGE,
                         "figures need the option 'stats', before there is a system");
    if (!(p->time > run->from))
        return error_set(error, STATUS_USAGE,
                         "figures count from time %s on: advance beyond that first",
                         show_exactly(run->from).text);
    if (!p->has_figures) {
        const enum status status = statistics_update(p->statistics, &snapshot, error);
        if (status)
            return status;
        p->has_figures = 1;
    }
    return STATUS_DONE;
}

static enum status library_find_figure(struct particles *p, struct library_search *search)
{
    const enum status status = library_update_figures(p);
    if (status)
        return status;
    statistics_each(p->statistics, library_look, search);
    return search->away == 0 ? STATUS_DONE
                             : error_set(&p->error, STATUS_USAGE,
                                         "there is no figure '%.50s'; the nearest name: %s",
                                         search->name, search->nearest);
}

int particles_figure(struct particles *p, const char *name, double *value, double *error)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    struct library_search search = {name, (double)NAN, (double)NAN, "", SIZE_MAX};
    enum status status = library_expect(p, 1);
    if (!status && (!name || strlen(name) > 200))
        status = error_set(&p->error, STATUS_USAGE, "the name of a figure is %s",
                           name ? "too long" : "NULL");
    if (!status)
        status = library_find_figure(p, &search);
    if (!status && value)
        *value = search.value;
    if (!status && error)
        *error = search.error;
    return library_leave(p, status);
}

/* A search for the name of a figure by its number. */
struct library_naming {
    size_t left; /* figures before it */
    char *name;
    size_t size;
};

static void library_name(void *to, const struct dynamics_figure *figure)
{
    struct library_naming *naming = to;
    if (naming->left-- == 0)
        snprintf(naming->name, naming->size, "%s", figure->description.key);
}

const char *particles_figure_name(struct particles *p, size_t number)
{
    if (!library_enter(p))
        return NULL;
    struct library_naming naming = {number, p->name, sizeof p->name};
    enum status status = library_expect(p, 1);
    if (!status)
        status = library_update_figures(p);
    p->name[0] = '\0';
    if (!status)
        statistics_each(p->statistics, library_name, &naming);
    (void)library_leave(p, status);
    return p->name[0] ? p->name : NULL;
}

/* ---- Checkpoints ---- */

/* Saves the run. Of steps that is the last whole one, from which they return to the present. */
static enum status library_save(struct particles *p, const char *path)
{
    struct engine *engine = &p->engine;
    const struct dynamics_operations *operations = engine->dynamics->operations;
    const int has_steps = operations->rest && !operations->traits.has_schedule;
    const struct checkpoint_run run = {p->time, p->time, &engine->options.steps,
                                       &engine->options.lattice};
    const struct snapshot snapshot = library_snapshot(p);
    struct error *error = &p->error;
    struct error other;
    enum status status = has_steps ? operations->rest(engine->dynamics, error) : STATUS_DONE;
    p->has_failed = status != STATUS_DONE;
    if (status)
        return status;
    status = checkpoint_save(path, &run, &engine->observers, &snapshot, error);
    if (!has_steps)
        return status;
    const enum status back = engine_advance(engine, p->time, status ? &other : error);
    p->has_failed = back != STATUS_DONE;
    return status ? status : back;
}

int particles_save(struct particles *p, const char *path)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    enum status status = library_expect(p, 1);
    if (!status && !path)
        status = error_set(&p->error, STATUS_USAGE, "the name of the file is NULL");
    return library_leave(p, status ? status : library_save(p, path));
}

/* ---- Changes ---- */

enum { X, Y, U, V, RADIUS, MASS, CHANGED_COLUMNS };

/* A copy of the system, changed: the particles in the order of their numbers, at the present time,
 * and where radii or masses change, kinds of its own. */
struct library_change {
    const double *columns[CHANGED_COLUMNS]; /* from the caller, or NULL */
    struct system system;
    unsigned char *changes; /* CHANGE_, of each particle; owned, as are the particles */
    int has_changes, has_kinds;
    struct particle_kinds kinds;
};

/* Changes the values of a particle, and notes what has changed. */
static void library_change_values(struct library_change *change, size_t k,
                                  double values[CHANGED_COLUMNS])
{
    for (int column = 0; column < CHANGED_COLUMNS; column++) {
        const double *list = change->columns[column];
        const int is_motion = column == U || column == V || column == MASS;
        if (!list || list[k] == values[column])
            continue;
        values[column] = list[k] + 0.0; /* there is no -0 */
        change->has_changes = 1;
        change->has_kinds |= column >= RADIUS;
        if (change->changes[k] != CHANGE_MOVED)
            change->changes[k] = is_motion ? CHANGE_MOTION : CHANGE_MOVED;
    }
}

static enum status library_set_kind(struct library_change *change, size_t k,
                                    const struct kind *kind, struct error *error)
{
    const enum status status = system_check_kind(kind, error);
    if (status)
        error_append(error, " (particle %zu)", k);
    return status ? status
                  : particle_kinds_find(&change->kinds, &change->system, kind,
                                        &change->system.particles[k].kind, error);
}

static enum status library_fill_copy(struct library_change *change, const struct snapshot *snapshot,
                                     struct error *error)
{
    enum status status = STATUS_DONE;
    for (int has_kinds = 0; has_kinds <= change->has_kinds && !status; has_kinds++) {
        if (has_kinds) /* a second time, with all kinds */
            change->system.kinds = NULL, change->system.kind_count = 0;
        for (size_t k = 0; k < change->system.count && !status; k++) {
            const struct body body = snapshot_body(snapshot, k);
            struct particle *particle = &change->system.particles[k];
            double values[CHANGED_COLUMNS] = {0, 0, body.u, body.v, body.radius, body.mass};
            snapshot_position(snapshot, k, &values[X], &values[Y]);
            *particle = snapshot_anchor(snapshot, k);
            library_change_values(change, k, values);
            if (snapshot->time > 0 && (values[U] != body.u || values[V] != body.v))
                particle->collided = snapshot->time;
            particle->x = values[X];
            particle->y = values[Y];
            particle->u = values[U];
            particle->v = values[V];
            particle->t = snapshot->time;
            const struct kind kind = {values[RADIUS], values[MASS], body.species};
            if (has_kinds)
                status = library_set_kind(change, k, &kind, error);
        }
    }
    return status;
}

/* Makes the copy, and checks it. */
static enum status library_prepare_change(struct particles *p, struct library_change *change)
{
    const struct engine *engine = &p->engine;
    const struct snapshot snapshot = library_snapshot(p);
    struct polygons *polygons = engine->system.boundary.polygons;
    struct error *error = &p->error;
    const size_t count = engine->system.count;
    change->system = engine->system;
    change->changes = memory_allocate_zeros(count, 1, "the changes", error);
    change->system.particles =
        memory_allocate_lines(count, sizeof *change->system.particles, "the changes", error);
    if (!change->changes || !change->system.particles)
        return STATUS_NO_MEMORY;
    enum status status = library_fill_copy(change, &snapshot, error);
    const int may_overlap = !engine->dynamics->operations->traits.has_collisions;
    if (!status && change->has_kinds && may_overlap)
        status = error_set(error, STATUS_USAGE,
                           "in steps and on a lattice radii and masses cannot be changed");
    if (!status && polygons &&
        system_largest_radius(&change->system) > system_largest_radius(&engine->system))
        status = system_attach_polygons(&change->system, polygons, error);
    return status ? status : input_check(&change->system, change->changes, may_overlap, error);
}

/* Begins the figures anew. */
static enum status library_restart_figures(struct particles *p)
{
    struct engine *engine = &p->engine;
    if (!p->statistics)
        return STATUS_DONE;
    engine->options.run.from = fmax(p->statistics->run->from, p->time);
    observers_free(&engine->observers);
    engine->observers.dynamics = engine->dynamics;
    const enum status status = library_add_observers(p);
    return status ? status : observers_begin(&engine->observers, &engine->system, &p->error);
}

static enum status library_apply_change(struct particles *p, struct library_change *change)
{
    struct engine *engine = &p->engine;
    struct system *system = &engine->system;
    const struct dynamics_operations *operations = engine->dynamics->operations;
    const enum status status =
        operations->settle ? operations->settle(engine->dynamics, &p->error) : STATUS_DONE;
    if (status)
        return status;
    for (size_t k = 0; k < system->count; k++) {
        struct particle *changed = &change->system.particles[k];
        if (system->boundary.periodic)
            boundary_clamp(&system->boundary, system_radius(&change->system, changed), &changed->x,
                           &changed->y);
        if (change->changes[k])
            system->particles[k] = *changed;
        system->particles[k].kind = changed->kind;
    }
    if (change->has_kinds) {
        struct kind *old = system->kinds;
        system->kinds = change->system.kinds;
        system->kind_count = change->system.kind_count;
        change->system.kinds = old;
    }
    p->is_current = p->has_figures = 0;
    return library_restart_figures(p);
}

int particles_change(struct particles *p, const double *x, const double *y, const double *u,
                     const double *v, const double *radius, const double *mass)
{
    if (!library_enter(p))
        return PARTICLES_USAGE;
    struct library_change change = {.columns = {x, y, u, v, radius, mass}};
    enum status status = library_expect(p, 1);
    if (!status)
        status = library_prepare_change(p, &change);
    const int is_right = !status;
    if (is_right && change.has_changes)
        status = library_apply_change(p, &change);
    p->has_failed |= (is_right && status) || status == STATUS_NO_MEMORY;
    if (change.has_kinds)
        memory_free(change.system.kinds);
    particle_kinds_free(&change.kinds);
    memory_free(change.system.particles);
    memory_free(change.changes);
    return library_leave(p, status);
}
