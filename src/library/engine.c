/* The engine of the command and of the library; see engine.h. */
#include "library/engine.h"

#include "base/memory.h"
#include "model/physics.h"
#include "run/dynamics.h"
#include "run/growth.h"

#include <math.h>

/* Times have 16 digits. */
static enum status check_floor(const struct options *options, const struct boundary_shake *shake,
                               struct error *error)
{
    static const double most = 1e12;
    if (!shake->acts || !isfinite(options->run.to) || options->run.to <= most * shake->period)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--wall: up to END_TIME %s, period=%s would be %g periods; the most is %g",
                     show_exactly(options->run.to).text, show_exactly(shake->period).text,
                     options->run.to / shake->period, most);
}

static enum status engine_read(struct engine *engine, struct error *error)
{
    struct options *options = &engine->options;
    struct system *system = &engine->system;
    const struct input_request request = {.path = options->input,
                                          .source = engine->source,
                                          .schedule = options->run.schedule,
                                          .polygons = &options->polygons,
                                          .walls = &options->walls,
                                          .may_overlap = options->steps.step > 0 ||
                                                         options->lattice.columns > 0,
                                          .threads = options->run.threads};
    if (options->resume)
        return checkpoint_read_system(&engine->checkpoint, options->resume, system, &engine->time,
                                      &options->run.to, &options->steps, &options->lattice, error);
    system->law = options->law;
    if (options->lattice.columns > 0) /* nothing collides, so any masses will do */
        system->law.rule = RULE_ELASTIC;
    system->boundary.periodic = options->periodic;
    system->boundary.stream = options->stream;
    system->boundary.gravity = acceleration_make(options->gravity);
    system->boundary.growth = options->growth.rate;
    system->growth.until = options->growth.rate > 0 ? options->run.to : 0;
    system->boundary.surfaces = options->surfaces;
    enum status status = input_read(&request, system, error);
    if (!status)
        status = growth_begin(system, &options->growth, &options->run.to, error);
    if (!status)
        status = check_floor(options, &system->boundary.shake, error);
    for (size_t k = 0; k < system->count && !status && options->reverse; k++) {
        system->particles[k].u = 0 - system->particles[k].u; /* there is no -0 */
        system->particles[k].v = 0 - system->particles[k].v;
        if (system->spins)
            system->spins[k] = 0 - system->spins[k];
    }
    return status;
}

static enum status create_dynamics(struct engine *engine, struct error *error)
{
    struct options *options = &engine->options;
    const int is_resumed = options->resume != NULL;
    options->steps.threads = options->lattice.threads = options->run.threads.count;
    if (options->lattice.columns > 0)
        return lattice_create(&options->lattice, &engine->system, is_resumed, &engine->dynamics,
                              error);
    if (options->steps.step > 0)
        return steps_create(&options->steps, &engine->system, is_resumed, &engine->dynamics, error);
    return simulation_create(options->run.schedule, &options->run.threads, &engine->system,
                             &engine->dynamics, error);
}

enum status engine_create(struct engine *engine, struct error *error)
{
    enum status status = engine_read(engine, error);
    if (!status)
        status = create_dynamics(engine, error);
    engine->observers.dynamics = engine->dynamics;
    return status;
}

enum status engine_begin(struct engine *engine, struct error *error)
{
    enum status status = STATUS_DONE;
    if (engine->options.resume)
        status =
            checkpoint_read_observers(&engine->checkpoint, &engine->observers, &engine->system);
    record_close(&engine->checkpoint);
    return status ? status : observers_begin(&engine->observers, &engine->system, error);
}

enum status engine_advance(struct engine *engine, double time, struct error *error)
{
    const struct options *options = &engine->options;
    const enum status status =
        engine->dynamics->operations->advance(engine->dynamics, time, &engine->observers, error);
    if (status == STATUS_BAD_DATA && (options->resume || options->input))
        error_locate(error, status, options->resume ? options->resume : input_name(options->input),
                     0);
    return status;
}

enum status engine_grow(struct system *system, double factor, struct error *error)
{
    const size_t count = system->count;
    const struct schedule_threads threads = {.count = 1};
    struct dynamics *dynamics = NULL;
    struct particle *first = memory_allocate(count, sizeof *first, "the first velocities", error);
    if (!first)
        return STATUS_NO_MEMORY;
    double energy = 0, mass = 0, radii = 0;
    for (size_t k = 0; k < count; k++) {
        const struct particle *p = &system->particles[k];
        first[k] = *p;
        energy += 0.5 * system_mass(system, p) * (p->u * p->u + p->v * p->v);
        mass += system_mass(system, p);
        radii += system_radius(system, p);
    }
    const struct growth_settings settings = {.rate = ENGINE_GROWTH * sqrt(energy / mass) /
                                                     (radii / (double)count),
                                             .pressure = ENGINE_PRESSURE};
    double end = (factor - 1) / settings.rate;
    system->law = (struct system_law){RULE_ELASTIC, 1, 0};
    system->boundary.growth = settings.rate;
    enum status status = growth_begin(system, &settings, &end, error);
    if (!status)
        status = simulation_create(SCHEDULE_AUTO, &threads, system, &dynamics, error);
    if (!status)
        status = dynamics->operations->advance(dynamics, end, NULL, error);
    if (dynamics)
        dynamics->operations->rest(dynamics, error);
    const double reached = system_last_time(system);
    if (status == STATUS_BAD_DATA || (!status && dynamics->is_over))
        status = error_set(error, STATUS_USAGE,
                           "--disordered: there is no room for so many disks that are no crystal: "
                           "they have grown to area fraction %.4f only",
                           growth_fraction(system, system_grown(system, reached)));
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system->particles[k];
        physics_position(system, k, status ? reached : end, &first[k].x, &first[k].y);
        *p = first[k];
        system->counts[k] = (struct particle_counts){0};
    }
    dynamics_free(dynamics);
    memory_free(first);
    system->law = (struct system_law){0};
    system->growth = (struct system_growth){0};
    system->boundary.growth = 0;
    return status;
}

void engine_free(struct engine *engine)
{
    record_close(&engine->checkpoint);
    observers_free(&engine->observers);
    dynamics_free(engine->dynamics);
    engine->dynamics = NULL;
    system_free(&engine->system);
}
