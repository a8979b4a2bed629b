/*
 * The functions of the library; see particles.h.
 *
 * A handle has options, which particles_set adds to, and an engine with a copy of them, which is
 * made with the system. What observers do for the command, the observer `host` does for the caller:
 * it passes collisions on, reports the progress, and notes where an advance has been stopped.
 *
 * A function begins with library_begin, which says if it can be called, sets `status` where it
 * fails, and ends with library_end. The messages of the engine name options as on the command line;
 * library_translate turns them into those of the caller.
 */
#include <particles.h>

#include "base/memory.h"
#include "io/text.h"
#include "library/engine.h"
#include "model/overlap.h"
#include "model/physics.h"
#include "run/growth.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { FIGURE_NAME_SIZE = 64 };
static const double PROGRESS_PAUSE = 0.1; /* seconds between two calls */

/* A text of an option, "NAME" or "NAME=VALUE"; the options point into it. */
struct library_text {
    struct library_text *next;
    char text[];
};

struct particles {
    pid_t process;              /* that has made it */
    struct options options;     /* owned */
    struct options tried;       /* one of them at a time, which may be refused */
    struct library_text *texts; /* owned */
    struct engine engine;       /* with a copy of the options */
    int has_terms;              /* its options own their terms: these are from a checkpoint */
    struct snapshot_order order;
    double time;                 /* the present, */
    int is_current;              /* all events up to it have happened, */
    int has_figures;             /* and the figures are of it */
    int is_made;                 /* there is a system */
    int is_busy;                 /* a callback is called */
    int has_failed;              /* it can only be read and freed */
    struct observer *statistics; /* NULL: there are none */
    struct observer host;
    particles_collisions *on_collisions;
    particles_progress *on_progress;
    void *collisions_user, *progress_user;
    struct pace pace;
    double shown;                         /* when the progress was reported last, by the clock */
    volatile sig_atomic_t is_interrupted; /* the callback has said so */
    enum status status;                   /* of the function that is called */
    char name[FIGURE_NAME_SIZE];          /* of a figure, for the caller */
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
            error_append(error, "%c", *from == '\n' ? ' ' : *from); /* of the caller's text */
            from++;
        }
    }
}

/* What there must be for a function. */
enum library_need { NO_SYSTEM, SYSTEM, SYSTEM_TO_READ };

/* Begins a function. Returns 0 if it cannot be called. Nothing of the parent's is touched. */
static int library_begin(struct particles *p, enum library_need need)
{
    if (!p || p->process != getpid())
        return 0;
    const char *problem = NULL;
    if (p->is_busy)
        problem = "a callback must not call a function with the handle that calls it";
    else if (p->has_failed && need != SYSTEM_TO_READ)
        problem = "a call has failed before: this simulation can only be read and freed";
    else if (need == NO_SYSTEM && p->is_made)
        problem = "there is a system already: this comes before it, in another simulation";
    else if (need != NO_SYSTEM && !p->is_made)
        problem = "there is no system yet: give one by particles_read, particles_place, "
                  "particles_generate or particles_load";
    if (problem)
        error_set(&p->error, STATUS_USAGE, "%s", problem);
    if (!p->is_busy) /* or the status is that of an advance */
        p->status = problem ? STATUS_USAGE : STATUS_DONE;
    return !problem;
}

static int library_end(struct particles *p)
{
    if (!p || p->process != getpid() || p->is_busy)
        return PARTICLES_USAGE;
    p->has_failed |= p->status == STATUS_NO_MEMORY;
    if (p->status)
        library_translate(&p->error);
    else
        p->error.message[0] = '\0';
    return (int)p->status;
}

static struct snapshot library_snapshot(struct particles *p)
{
    return (struct snapshot){p->time, &p->engine.system, &p->order};
}

static void library_ignore_warning(const struct error *warning)
{
    (void)warning;
}

/* ---- The observer ---- */

static struct particles *library_host(struct observer *observer)
{
    return (struct particles *)((char *)observer - offsetof(struct particles, host));
}

static void library_report(struct particles *p, double time)
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

static enum status library_take(struct observer *observer, const struct collision_batch *batch,
                                struct error *error)
{
    struct particles *p = library_host(observer);
    struct particles_collision list[BATCH_COLLISIONS];
    size_t count = 0;
    (void)error;
    for (size_t k = 0; k < batch->count && p->on_collisions; k++) {
        const struct collision *it = &batch->list[k];
        const int32_t b = it->partner == PARTNER_PARTICLE ? it->b.number : it->feature;
        if (!it->is_reinjection)
            list[count++] =
                (struct particles_collision){it->time, it->a.number, b, it->a.x, it->a.y};
    }
    p->is_busy = 1;
    if (count > 0)
        p->on_collisions(p->collisions_user, list, count);
    p->is_busy = 0;
    library_report(p, batch->time);
    return STATUS_DONE;
}

static void library_predict(struct observer *observer, double part)
{
    (void)part;
    library_report(library_host(observer), library_host(observer)->time);
}

static enum status library_interrupt(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    (void)error;
    library_host(observer)->time = snapshot->time;
    return STATUS_INTERRUPTED;
}

/* Puts the host behind the other observers, as the callbacks need it. */
static void library_watch(struct particles *p)
{
#define HOST(what)                                                                                 \
    {                                                                                              \
        .watches = (what), .take = library_take, .on_progress = library_predict,                   \
        .interrupt = library_interrupt                                                             \
    }
    static const struct observer_operations operations[] = {HOST(WATCH_EVENTS), HOST(WATCH_PAIRS)};
    struct observers *observers = &p->engine.observers;
    const size_t count = observers->count;
    observers->count = 0;
    observers->watches = WATCH_NOTHING;
    observers->wants_pauses = 0;
    for (size_t k = 0; k < count; k++)
        if (observers->list[k] != &p->host)
            observers_add(observers, observers->list[k]);
    p->host = (struct observer){.operations = &operations[p->on_collisions != NULL],
                                .next_sample = (double)INFINITY};
    if (p->on_collisions || p->on_progress)
        observers_add(observers, &p->host);
    observers_find_times(observers);
}

static enum status library_add_observers(struct particles *p)
{
    struct options *options = &p->engine.options;
    struct observers *observers = &p->engine.observers;
    enum status status = STATUS_DONE;
    observers->warn = library_ignore_warning;
    observers->is_quiet = 1;
    observers->interrupt = &p->is_interrupted;
    options->run.clock = options_read_clock;
    p->statistics = NULL;
    if (options->stats.output.is_wanted)
        status = observer_create(&statistics_operations, &options->run, &options->stats.output,
                                 &p->statistics, &p->error);
    if (p->statistics)
        observers_add(observers, p->statistics);
    library_watch(p);
    return status;
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
    if (p->has_terms)
        steps_settings_free(&engine->options.steps);
    p->has_terms = 0;
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
    if (library_begin(p, NO_SYSTEM)) {
        const char *instead = option ? library_instead(option, strlen(option)) : NULL;
        if (!option)
            p->status = error_set(&p->error, STATUS_USAGE, "the name of an option is NULL");
        else if (instead)
            p->status = error_set(&p->error, STATUS_USAGE, "option '%s' is for the command; use %s",
                                  option, instead);
        else if (strcmp(option, "stats") == 0 && value)
            p->status = error_set(&p->error, STATUS_USAGE,
                                  "option 'stats' takes no file here, but NULL; particles_figure "
                                  "has what it measures");
        else
            p->status = library_set_option(p, &p->options, option, value);
    }
    return library_end(p);
}

/* Begins a function that sets a callback, with or without a system. */
static int library_begin_callback(struct particles *p)
{
    return library_begin(p, p && p->is_made ? SYSTEM_TO_READ : NO_SYSTEM);
}

int particles_on_collisions(struct particles *p, particles_collisions *call, void *user)
{
    if (library_begin_callback(p)) {
        p->on_collisions = call;
        p->collisions_user = user;
        library_watch(p);
    }
    return library_end(p);
}

int particles_on_progress(struct particles *p, particles_progress *call, void *user)
{
    if (library_begin_callback(p)) {
        p->on_progress = call;
        p->progress_user = user;
        library_watch(p);
    }
    return library_end(p);
}

/* ---- The system ---- */

static enum status library_move(struct particles *p, double time, struct error *error)
{
    const enum status status = engine_advance(&p->engine, time, error);
    p->has_failed |= status && status != STATUS_INTERRUPTED;
    return status;
}

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

/* Makes the system, as `engine` has been prepared, and all that moves and watches it. */
static void library_make(struct particles *p, const struct input_source *source)
{
    struct engine *engine = &p->engine;
    struct error *error = &p->error;
    enum status status = options_check(&engine->options, error);
    engine->source = source;
    if (!status)
        status = engine_create(engine, error);
    const double step = engine->options.steps.step, end = engine->options.run.to;
    int is_cut = 0;
    if (step > 0 && engine->time < end && engine->options.resume) { /* perhaps within a step, */
        const double whole = ceil(engine->time / step) * step;
        is_cut = whole > end; /* the last of the command's, which is shorter */
        engine->time = fmin(whole, end);
    }
    engine->options.run.to = (double)INFINITY; /* a checkpoint has another */
    if (!status) {
        engine->dynamics->is_open = 1;
        p->order.indices =
            memory_allocate(engine->system.count, sizeof *p->order.indices, "the order", error);
        status = p->order.indices ? library_add_observers(p) : STATUS_NO_MEMORY;
    }
    if (!status)
        status = engine_begin(engine, error);
    p->is_made = !status;
    p->time = engine->time;
    engine->options.input = engine->options.resume = NULL; /* the caller's */
    if (!status && !engine->dynamics->operations->traits.has_schedule && p->time > 0)
        status = library_move(p, p->time, error); /* a checkpoint has a whole step */
    if (!status && is_cut)
        status = engine->dynamics->operations->settle(engine->dynamics, error);
    if (!status && is_cut)
        status = library_restart_figures(p);
    p->status = status;
    if (p->is_made)
        return;
    library_free_engine(p);
    memory_free(p->order.indices);
    p->order.indices = NULL;
}

/* Begins to give a simulation its system, from something that is not to be NULL. */
static int library_begin_system(struct particles *p, const void *from, const char *what)
{
    if (!library_begin(p, NO_SYSTEM))
        return 0;
    p->engine = (struct engine){.options = p->options};
    p->engine.options.run.to = (double)INFINITY;
    if (!from)
        p->status = error_set(&p->error, STATUS_USAGE, "%s is NULL", what);
    return !p->status;
}

int particles_read(struct particles *p, const char *path)
{
    if (library_begin_system(p, path, "the name of the file")) {
        p->engine.options.input = path;
        if (strcmp(path, "-") == 0)
            p->status = error_set(&p->error, STATUS_USAGE,
                                  "'-' is no file: standard input belongs to the process");
        else
            library_make(p, NULL);
    }
    return library_end(p);
}

int particles_read_text(struct particles *p, const char *text, size_t size)
{
    if (library_begin_system(p, text, "the text"))
        library_make(p, &(struct input_source){.text = text, .text_size = size});
    return library_end(p);
}

int particles_load(struct particles *p, const char *path)
{
    if (library_begin_system(p, path, "the name of the file")) {
        p->engine.options.resume = path;
        p->engine.options.steps.terms = NULL; /* if there are any, they are refused */
        p->engine.options.steps.count = 0;
        p->has_terms = 1;
        library_make(p, NULL);
    }
    return library_end(p);
}

struct library_arrays {
    const double *x, *y, *u, *v, *radius, *mass;
    const int *species;
    const double *spin;
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
    values[7] = from->spin ? from->spin[k] : 0;
}

int particles_place(struct particles *p, size_t count, const double box[2], const double *x,
                    const double *y, const double *u, const double *v, const double *radius,
                    const double *mass, const int *species)
{
    return particles_place_rough(p, count, box, x, y, u, v, radius, mass, species, NULL);
}

int particles_place_rough(struct particles *p, size_t count, const double box[2], const double *x,
                          const double *y, const double *u, const double *v, const double *radius,
                          const double *mass, const int *species, const double *spin)
{
    const struct library_arrays arrays = {x, y, u, v, radius, mass, species, spin};
    if (library_begin_system(p, box && x && y ? radius : NULL, "box, x, y or radius"))
        library_make(p, &(struct input_source){.count = count,
                                               .radius = count > 0 ? radius[0] : 0,
                                               .width = box[0],
                                               .height = box[1],
                                               .take = library_take_from_arrays,
                                               .of = &arrays});
    return library_end(p);
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
    if (library_begin_system(p, counts, "the number of particles")) {
        struct options *options = &p->engine.options;
        struct generate_request complete;
        struct system system = {0};
        p->status = library_set_option(p, options, "generate", counts);
        options->request.grow = options->is_disordered ? engine_grow : NULL;
        options->generate = GENERATE_SYSTEM;
        if (!p->status)
            p->status = options_check(options, &p->error);
        if (!p->status)
            p->status = generate_among(&options->request, &options->polygons, &complete, &system,
                                       &p->error);
        if (!p->status)
            library_make(p, &(struct input_source){.count = system.count,
                                                   .radius = system.radius,
                                                   .width = system.boundary.width,
                                                   .height = system.boundary.height,
                                                   .take = library_take_from_system,
                                                   .of = &system});
        system_free(&system);
    }
    return library_end(p);
}

/* ---- Between advances ---- */

/* Moves the particles to a time, or up to where growth ends. */
static enum status library_advance(struct particles *p, double time)
{
    struct system *system = &p->engine.system;
    struct dynamics *dynamics = p->engine.dynamics;
    const int grows = system->boundary.growth > 0;
    const double to = grows ? fmin(time, system->growth.until) : time;
    enum status status = library_move(p, to, &p->error);
    const double end = !status && dynamics->is_over ? system_last_time(system) : to;
    if (!status && grows && (dynamics->is_over || to == system->growth.until)) {
        status = dynamics->operations->settle(dynamics, &p->error);
        growth_end(system, end);
        dynamics->is_over = 0;
    }
    if (!status)
        p->time = end;
    return status;
}

int particles_advance(struct particles *p, double time)
{
    if (!library_begin(p, SYSTEM))
        return library_end(p);
    if (!(time >= p->time && time <= SYSTEM_LARGEST)) {
        p->status = error_set(&p->error, STATUS_USAGE,
                              "the time must be from %s, the present, to %g, not %s",
                              show_exactly(p->time).text, SYSTEM_LARGEST, show_exactly(time).text);
    } else if (time > p->time || !p->is_current) {
        p->is_interrupted = p->has_figures = 0;
        p->shown = pace_begin(&p->pace, options_read_clock, PROGRESS_PAUSE / 10);
        p->status = library_advance(p, time);
        p->is_current = !p->status;
        if (p->has_failed)
            p->time = fmax(p->time, system_last_time(&p->engine.system));
    }
    return library_end(p);
}

size_t particles_count(const struct particles *p)
{
    return p && p->is_made ? p->engine.system.count : 0;
}

double particles_time(const struct particles *p)
{
    return p && p->is_made ? p->time : 0;
}

int particles_state(struct particles *p, double *x, double *y, double *u, double *v)
{
    const size_t count = library_begin(p, SYSTEM_TO_READ) ? p->engine.system.count : 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot snapshot = library_snapshot(p);
        const size_t index = snapshot_index(&snapshot, k);
        double at[2];
        physics_position(snapshot.system, index, snapshot.time, &at[0], &at[1]);
        if (x)
            x[k] = at[0];
        if (y)
            y[k] = at[1];
        const struct snapshot_particle body = snapshot_body(&snapshot, k);
        if (u)
            u[k] = snapshot_has(&snapshot, k) ? body.u : (double)NAN;
        if (v)
            v[k] = snapshot_has(&snapshot, k) ? body.v : (double)NAN;
    }
    return library_end(p);
}

int particles_counts(struct particles *p, uint64_t *walls, uint64_t *pairs)
{
    const size_t count = library_begin(p, SYSTEM_TO_READ) ? p->engine.system.count : 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot snapshot = library_snapshot(p);
        const struct particle_counts counts = snapshot_counts(&snapshot, k);
        if (walls)
            walls[k] = counts.walls;
        if (pairs)
            pairs[k] = counts.particles;
    }
    return library_end(p);
}

int particles_box(struct particles *p, double box[2])
{
    if (library_begin(p, SYSTEM_TO_READ) && box) {
        box[0] = p->engine.system.boundary.width;
        box[1] = p->engine.system.boundary.height;
    }
    return library_end(p);
}

int particles_kinds(struct particles *p, double *radius, double *mass, int *species)
{
    const size_t count = library_begin(p, SYSTEM_TO_READ) ? p->engine.system.count : 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot snapshot = library_snapshot(p);
        const struct snapshot_particle body = snapshot_body(&snapshot, k);
        if (radius)
            radius[k] = body.radius;
        if (mass)
            mass[k] = body.mass;
        if (species)
            species[k] = body.species;
    }
    return library_end(p);
}

int particles_spins(struct particles *p, double *spin)
{
    const size_t count = library_begin(p, SYSTEM_TO_READ) && spin ? p->engine.system.count : 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot snapshot = library_snapshot(p);
        spin[k] = snapshot_spin(&snapshot, k);
    }
    return library_end(p);
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
    const size_t length = strlen(search->name);
    const size_t away = length > 0 && strncmp(key, search->name, length) == 0 && key[length] == '_'
                            ? 1
                            : text_distance(search->name, length, key);
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

/* Gives a copy of a system kinds of its own. */
static enum status library_copy_kinds(struct system *system, struct error *error)
{
    const struct particle_kind *kinds = system->kinds;
    if (!kinds)
        return STATUS_DONE;
    system->kinds = memory_allocate(system->kind_count, sizeof *kinds, "the kinds", error);
    if (!system->kinds)
        return STATUS_NO_MEMORY;
    memcpy(system->kinds, kinds, system->kind_count * sizeof *kinds);
    return STATUS_DONE;
}

/* Computes all figures at the present time, unless they are known. */
static enum status library_update_figures(struct particles *p)
{
    struct error *error = &p->error;
    const struct run_settings *run = p->statistics ? p->statistics->run : NULL;
    struct system system = p->engine.system;
    struct snapshot snapshot = library_snapshot(p);
    snapshot.system = &system;
    if (!run)
        return error_set(error, STATUS_USAGE,
                         "figures need the option 'stats', before there is a system");
    if (!(p->time > run->from))
        return error_set(error, STATUS_USAGE,
                         "figures count from time %s on: advance beyond that first",
                         show_exactly(run->from).text);
    if (p->has_figures)
        return STATUS_DONE;
    const int grows = system.boundary.growth > 0;
    enum status status = grows ? library_copy_kinds(&system, error) : STATUS_DONE;
    if (!status) {
        system_end_growth(&system, p->time); /* as the command does */
        status = statistics_update(p->statistics, &snapshot, error);
    }
    if (grows)
        memory_free(system.kinds);
    p->has_figures = !status;
    return status;
}

static enum status library_find_figure(struct particles *p, struct library_search *search)
{
    const enum status status = library_update_figures(p);
    if (status)
        return status;
    statistics_each(p->statistics, library_look, search);
    if (!*search->nearest)
        return error_set(&p->error, STATUS_USAGE,
                         "figures begin at the end of a step, from time %s on: advance to that",
                         show_exactly(p->statistics->run->from).text);
    return search->away == 0 ? STATUS_DONE
                             : error_set(&p->error, STATUS_USAGE,
                                         "there is no figure '%.50s'; the nearest name: %s",
                                         search->name, search->nearest);
}

int particles_figure(struct particles *p, const char *name, double *value, double *error)
{
    struct library_search search = {name, (double)NAN, (double)NAN, "", SIZE_MAX};
    if (library_begin(p, SYSTEM)) {
        if (!name || strlen(name) > 200)
            p->status = error_set(&p->error, STATUS_USAGE, "the name of a figure is %s",
                                  name ? "too long" : "NULL");
        else
            p->status = library_find_figure(p, &search);
        if (!p->status && value)
            *value = search.value;
        if (!p->status && error)
            *error = search.error;
    }
    return library_end(p);
}

/* The figures before that whose name is wanted, and the place of this. */
struct library_naming {
    size_t left;
    char *name;
};

static void library_name(void *to, const struct dynamics_figure *figure)
{
    struct library_naming *naming = to;
    if (naming->left-- == 0)
        snprintf(naming->name, FIGURE_NAME_SIZE, "%s", figure->description.key);
}

const char *particles_figure_name(struct particles *p, size_t number)
{
    if (!library_begin(p, SYSTEM) || (p->status = library_update_figures(p))) {
        (void)library_end(p);
        return NULL;
    }
    struct library_naming naming = {number, p->name};
    p->name[0] = '\0';
    statistics_each(p->statistics, library_name, &naming);
    (void)library_end(p);
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
    struct error other;
    enum status status = has_steps ? operations->rest(engine->dynamics, &p->error) : STATUS_DONE;
    if (status)
        return status;
    status = checkpoint_save(path, &run, &engine->observers, &snapshot, &p->error);
    const enum status back =
        has_steps ? library_move(p, p->time, status ? &other : &p->error) : STATUS_DONE;
    return status ? status : back;
}

int particles_save(struct particles *p, const char *path)
{
    if (library_begin(p, SYSTEM))
        p->status = path ? library_save(p, path)
                         : error_set(&p->error, STATUS_USAGE, "the name of the file is NULL");
    return library_end(p);
}

/* ---- Changes ---- */

enum { X, Y, U, V, RADIUS, MASS, SPIN, CHANGED_COLUMNS };

/* A copy of the system, changed: the particles in the order of their numbers, at the present time;
 * where radii or masses are given, with kinds of its own. */
struct library_change {
    const double *columns[CHANGED_COLUMNS]; /* from the caller, or NULL */
    int has_kinds, has_changes;
    int grows; /* the disks do: kinds are those of the present time, only to be checked */
    struct system system;
    unsigned char *changes; /* CHANGE_, of each particle; owned, as are particles and spins */
    struct system_kinds kinds;
};

/* Changes the columns of a particle, and notes what has changed. */
static void library_change_columns(struct library_change *change, size_t k,
                                   double values[CHANGED_COLUMNS])
{
    for (int column = 0; column < CHANGED_COLUMNS; column++) {
        const double *list = change->columns[column];
        const int is_motion = column != X && column != Y && column != RADIUS;
        if (!list || list[k] == values[column])
            continue;
        values[column] = list[k] + 0.0; /* there is no -0 */
        change->has_changes = 1;
        if (change->changes[k] != CHANGE_MOVED)
            change->changes[k] = is_motion ? CHANGE_MOTION : CHANGE_MOVED;
    }
}

static enum status library_change_particle(struct library_change *change,
                                           const struct snapshot *snapshot, size_t k,
                                           struct error *error)
{
    const struct snapshot_particle body = snapshot_body(snapshot, k);
    struct particle *particle = &change->system.particles[k];
    const double spin = snapshot_spin(snapshot, k);
    double values[CHANGED_COLUMNS] = {0, 0, body.u, body.v, body.radius, body.mass, spin};
    snapshot_position(snapshot, k, &values[X], &values[Y]);
    *particle = snapshot_anchor(snapshot, k);
    if (snapshot_has(snapshot, k)) {
        library_change_columns(change, k, values);
        if (snapshot->time > 0 && (values[U] != body.u || values[V] != body.v))
            particle->collided = snapshot->time;
        particle->x = values[X];
        particle->y = values[Y];
        particle->u = values[U];
        particle->v = values[V];
        particle->t = snapshot->time;
    }
    if (change->system.spins)
        change->system.spins[k] = values[SPIN];
    const struct particle_kind kind = {values[RADIUS], values[MASS], body.species};
    enum status status = change->has_kinds ? system_check_kind(&kind, error) : STATUS_DONE;
    if (status)
        error_append(error, " (particle %zu)", k);
    return status || !change->has_kinds
               ? status
               : system_kinds_find(&change->kinds, &change->system, &kind, &particle->kind, error);
}

static enum status library_prepare_change(struct particles *p, struct library_change *change)
{
    const struct engine *engine = &p->engine;
    const struct snapshot snapshot = library_snapshot(p);
    struct polygons *polygons = engine->system.boundary.polygons;
    struct error *error = &p->error;
    const size_t count = engine->system.count;
    const int may_overlap = !engine->dynamics->operations->traits.has_collisions;
    const int is_rough = engine->system.spins != NULL;
    struct boundary_shake *shake = &change->system.boundary.shake;
    change->system = engine->system;
    if (shake->acts) /* where the floor is now */
        shake->height = boundary_floor(shake, snapshot.time).height;
    if (change->has_kinds)
        change->system.kinds = NULL, change->system.kind_count = 0;
    change->changes = memory_allocate_zeros(count, 1, "the changes", error);
    change->system.particles =
        memory_allocate_lines(count, sizeof *change->system.particles, "the changes", error);
    change->system.spins =
        is_rough ? memory_allocate(count, sizeof(double), "the changes", error) : NULL;
    enum status status =
        change->changes && change->system.particles && (change->system.spins || !is_rough)
            ? STATUS_DONE
            : STATUS_NO_MEMORY;
    if (!status && change->columns[SPIN] && !is_rough)
        status = error_set(error, STATUS_USAGE, "spins need the option 'roughness'");
    if (!status && (change->columns[RADIUS] || change->columns[MASS]) &&
        (may_overlap || change->grows))
        status = error_set(error, STATUS_USAGE, "%s radii and masses cannot be changed",
                           may_overlap ? "in steps and on a lattice" : "while disks grow");
    change->system.boundary.growth = 0;
    for (size_t k = 0; k < count && !status; k++)
        status = library_change_particle(change, &snapshot, k, error);
    if (!status && polygons && !change->grows &&
        system_largest_radius(&change->system) > system_largest_radius(&engine->system))
        status = system_attach_polygons(&change->system, polygons, error);
    return status ? status : input_check(&change->system, change->changes, may_overlap, error);
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
        if (change->grows)
            changed->kind = system->particles[k].kind;
        if (change->changes[k])
            system->particles[k] = *changed;
        system->particles[k].kind = changed->kind;
        if (system->spins)
            system->spins[k] = change->system.spins[k];
    }
    if (change->grows)
        growth_restart(system, p->time);
    else if (change->has_kinds) {
        struct particle_kind *old = system->kinds;
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
    return particles_change_rough(p, x, y, u, v, radius, mass, NULL);
}

int particles_change_rough(struct particles *p, const double *x, const double *y, const double *u,
                           const double *v, const double *radius, const double *mass,
                           const double *spin)
{
    if (library_begin(p, SYSTEM)) {
        const int grows = p->engine.system.boundary.growth > 0;
        struct library_change change = {.columns = {x, y, u, v, radius, mass, spin},
                                        .has_kinds = radius || mass || grows,
                                        .grows = grows};
        p->status = library_prepare_change(p, &change);
        if (!p->status && change.has_changes)
            p->status = library_apply_change(p, &change);
        if (change.has_kinds)
            memory_free(change.system.kinds);
        system_kinds_free(&change.kinds);
        memory_free(change.system.particles);
        memory_free(change.system.spins);
        memory_free(change.changes);
    }
    return library_end(p);
}
