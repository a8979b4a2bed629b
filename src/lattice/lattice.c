/*
 * The dynamics of a flow: its units, what it refuses, the particles that it carries, and figures;
 * see lattice/lattice.h. flow.h has the method, in units of dx, dt and the mean density.
 */
#include "lattice/lattice.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "flow.h"
#include "model/enskog.h"
#include "model/wall_law.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* Changes of the density are as the square of the Mach number, less than a tenth. */
static const double MAX_MACH = 0.3;

/* In cells and steps: a smaller viscosity, or a larger Reynolds number of a cell, lets waves of a
 * few cells grow; above, what a wall does reaches too far in a step. */
static const double MIN_VISCOSITY = 0.001, MAX_VISCOSITY = 10, MAX_CELL_REYNOLDS = 10;

static const double MAX_KNUDSEN = 0.1; /* above, a gas is no continuum */
static const double FIT = 1e-9;        /* the part of a box's height by which cells may miss it */
static const double LATTICE_MAX_STEPS = 1e15; /* their numbers are exact as doubles */

/* The steps after which fields are sampled, and the flow is checked; from how many nodes threads
 * pay; and of how many bodies there are figures. */
enum { SAMPLED_STEPS = 16, CHECKED_STEPS = 64, NODES_FOR_THREADS = 30000, LISTED_BODIES = 16 };

/* The figures, and after them those of each body, whose keys are its own. */
static const struct lattice_row {
    struct figure_description description;
    const char *meaning;
} lattice_rows[] = {
    {{"density", "density", "1/area", FIGURE_REAL}, "Particles per free area."},
    {{"temperature", "temperature", "energy", FIGURE_REAL},
     "Of the stream, or of the particles at the start; heat is not computed."},
    {{"sound_speed", "speed of sound", "length/time", FIGURE_REAL},
     "By Enskog's theory. Its square is the change of pressure by that of density."},
    {{"viscosity_enskog", "viscosity by Enskog's theory", "length^2/time", FIGURE_REAL},
     "The kinematic viscosity of elastic disks, which --viscosity replaces."},
    {{"viscosity", "  of the flow", "length^2/time", FIGURE_REAL},
     "The kinematic viscosity that the flow has."},
    {{"mach", "Mach number", "", FIGURE_REAL},
     "The largest speed at an end or a wall, by that of sound."},
    {{"reynolds", "Reynolds number", "", FIGURE_REAL},
     "That speed times the height of the largest body, or of the box, by the viscosity."},
    {{"knudsen", "Knudsen number", "", FIGURE_REAL},
     "The mean free path by that height. Above 0.1 a gas is no continuum."},
    {{"cell", "side of a cell", "length", FIGURE_REAL}, "From a node to the next."},
    {{"step", "step", "time", FIGURE_REAL}, "The time of a step."},
    {{"relaxation_time", "relaxation time", "step", FIGURE_REAL},
     "In how many steps stress relaxes; 0.5 without viscosity."},
    {{"steps_made", "steps made", "", FIGURE_WHOLE}, "That the figures cover."},
    {{"mass_change", "mass, relative change", "", FIGURE_REAL},
     "Of the flow since the start; without a stream, by rounding."},
    {{"seconds", "elapsed time", "seconds", FIGURE_REAL}, "How long it took."},
    {{"nodes_per_second", "steps of a node per second", "1/second", FIGURE_REAL},
     "How many steps of one node it computed in a second."},
    {{"force_x", "force on a polygon, in x", "energy/length", FIGURE_REAL},
     "The mean force of the flow on this polygon."},
    {{"force_y", "  in y", "energy/length", FIGURE_REAL},
     "The mean force of the flow on this polygon."},
    {{"drag_coefficient", "  drag coefficient", "", FIGURE_REAL},
     "The force along the stream by its dynamic pressure and the polygon's height."},
    {{"lift_coefficient", "  lift coefficient", "", FIGURE_REAL},
     "The force along y by the dynamic pressure and the polygon's length."}};

enum {
    FIRST_OF_STREAM = 5,
    FIRST_OF_RUN = 8,
    BODY_ROWS = 4,
    PLAIN_ROWS = sizeof lattice_rows / sizeof lattice_rows[0] - BODY_ROWS
};

/* A body in the flow: its sides, the momentum it had got when the figures began, and their keys. */
struct lattice_body {
    const struct polygon *polygon;
    double start[2];
    struct polygon_shape shape;
    char keys[BODY_ROWS][40];
};

struct lattice_run {
    struct dynamics dynamics; /* the first member */
    struct system *system;    /* not owned */
    struct thread_pool *pool;
    struct flow *flow;
    struct sum (*pushes)[2]; /* what each wall of the flow has got in all steps; owned */
    struct dynamics_gas gas;
    double sound, viscosity, theory, free_path, dx, dt, end_time; /* theory: Enskog's viscosity */
    double speed;  /* the largest at an end or a wall of the flow, */
    double length; /* and that of the largest body across it, or of the box: of Reynolds numbers */
    double mass;   /* of the flow, at the start */
    uint64_t steps, done;
    size_t body_count;
    struct lattice_body *bodies; /* owned */
    uint64_t measured;           /* the figures began after so many steps, */
    double from;                 /* at this time */
};

/* ---- Before the run ---- */

static int lattice_fits(const struct boundary *box, double columns)
{
    const double rows = columns * (box->height / box->width);
    return columns >= LATTICE_MIN_COLUMNS && columns <= LATTICE_MAX_COLUMNS &&
           rows >= LATTICE_MIN_COLUMNS - 0.5 && fabs(rows - floor(rows + 0.5)) <= FIT * rows;
}

/* Sets STATUS_USAGE, with the number of columns that would do: the nearest one that fits, or with a
 * `sign` only from there upwards or downwards. */
static enum status advise(const struct boundary *box, double columns, int sign, struct error *error)
{
    for (int away = 0; away <= LATTICE_MAX_COLUMNS; away++)
        for (int k = sign < 0 ? -1 : 1; k >= (sign > 0 ? 1 : -1); k -= 2)
            if (lattice_fits(box, columns + k * away)) {
                error_append(error, ": give --lattice=%.0f", columns + k * away);
                return STATUS_USAGE;
            }
    error_append(error, "; no --lattice up to %d does", (int)LATTICE_MAX_COLUMNS);
    return STATUS_USAGE;
}

/* Finds the gas that the particles are. */
static enum status find_gas(struct lattice_run *lattice, struct scene *scene, struct error *error)
{
    struct system system = *lattice->system;
    struct dynamics_gas *gas = &lattice->gas;
    struct sum mass = {0};
    system.law = (struct law){.rule = RULE_ELASTIC, .restitution = 1};
    if (scene->temperature == 0)
        scene->temperature = system.boundary.stream.draw ? system.boundary.stream.temperature
                                                         : stream_find_temperature(&system);
    if (!(scene->temperature > 0))
        return error_set(
            error, STATUS_BAD_DATA,
            "the particles all have one velocity, so no temperature, and sound in them "
            "has no speed, which a lattice needs: give them several velocities");
    for (size_t k = 0; k < system.count; k++)
        sum_add(&mass, system_mass(&system, &system.particles[k]));
    const struct enskog theory = enskog_predict(&system, scene->temperature, 1);
    gas->mass = sum_value(&mass) / (double)system.count;
    gas->density = enskog_per_area(&system, (double)system.count);
    gas->temperature = scene->temperature;
    gas->pressure = gas->density * gas->temperature * theory.compressibility;
    gas->stiffness = gas->mass * theory.sound_speed * theory.sound_speed;
    lattice->sound = theory.sound_speed;
    lattice->free_path = sqrt(PI * gas->temperature / (2 * gas->mass)) / theory.collision_rate;
    if (!(lattice->sound > 0))
        return error_set(error, STATUS_BAD_DATA,
                         "there is no theory of this gas: it takes an area fraction up to %g, and "
                         "up to %d kinds of particles",
                         ENSKOG_MAX_AREA_FRACTION, (int)ENSKOG_MAX_KINDS);
    lattice->theory =
        enskog_transport(&system, gas->temperature).viscosity / (gas->mass * gas->density);
    lattice->viscosity = scene->viscosity > 0 ? scene->viscosity : lattice->theory;
    if (!isfinite(lattice->viscosity))
        return error_set(error, STATUS_USAGE,
                         "Enskog's theory has a viscosity for disks that are all alike, and these "
                         "are points, or of several kinds: give --viscosity=NU");
    return STATUS_DONE;
}

/* Finds cells and steps: steps * dt <= END_TIME < (steps + 1) * dt, as these products round. */
static enum status find_units(struct lattice_run *lattice, uint32_t columns, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const double rows = columns * (box->height / box->width);
    lattice->gas.columns = columns;
    lattice->gas.rows = (size_t)fmin(rows + 0.5, UINT32_MAX);
    lattice->dx = box->width / columns;
    lattice->dt = lattice->dx / (sqrt(3) * lattice->sound);
    const double steps = floor(lattice->end_time / lattice->dt);
    if (!lattice_fits(box, columns)) {
        error_set(error, STATUS_USAGE,
                  "with --lattice=%" PRIu32 " the box is %.10g cells high, and it must be a whole "
                  "number, %d or more",
                  columns, rows, (int)LATTICE_MIN_COLUMNS);
        return advise(box, columns, 0, error);
    }
    if (rows * columns > UINT32_MAX || !(steps <= LATTICE_MAX_STEPS))
        return error_set(error, STATUS_USAGE,
                         "--lattice=%" PRIu32
                         " takes %.7g nodes and, up to END_TIME, %g steps: the "
                         "most are %g and %g",
                         columns, rows * columns, steps, (double)UINT32_MAX, LATTICE_MAX_STEPS);
    lattice->steps = (uint64_t)steps;
    lattice->steps -= (double)lattice->steps * lattice->dt > lattice->end_time;
    lattice->steps += (double)(lattice->steps + 1) * lattice->dt <= lattice->end_time;
    return STATUS_DONE;
}

/* In cells and steps. */
static double lattice_viscosity(const struct lattice_run *lattice)
{
    return lattice->viscosity / (sqrt(3) * lattice->sound * lattice->dx);
}

/* Refuses a lattice on which the flow would not be that of the gas. */
static enum status check_numbers(const struct lattice_run *lattice, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const double columns = (double)lattice->gas.columns;
    const double mach = lattice->speed / lattice->sound;
    const double viscosity = lattice_viscosity(lattice);
    const double reynolds = mach / (sqrt(3) * viscosity);
    const double coarse = fmax(reynolds / MAX_CELL_REYNOLDS, MIN_VISCOSITY / viscosity);
    if (mach > MAX_MACH)
        return error_set(error, STATUS_USAGE,
                         "the flow reaches Mach number %.3g, and %g is the most on a lattice: slow "
                         "its stream and its walls down, to %.6g, or heat the gas",
                         mach, MAX_MACH, MAX_MACH / mach * lattice->speed);
    error_set(error, STATUS_USAGE,
              "--lattice=%.0f is too %s: Reynolds number %.3g of a cell (up to %g), viscosity %.3g "
              "in cells and steps (%g to %g)",
              columns, coarse > 1 ? "coarse" : "fine", reynolds, MAX_CELL_REYNOLDS, viscosity,
              MIN_VISCOSITY, MAX_VISCOSITY);
    if (coarse > 1)
        return advise(box, ceil(columns * coarse), 1, error);
    if (viscosity > MAX_VISCOSITY)
        return advise(box, floor(columns / viscosity * MAX_VISCOSITY), -1, error);
    return STATUS_DONE;
}

/* Lists the bodies, and finds the length and the speed of the Reynolds number. */
static enum status find_bodies(struct lattice_run *lattice, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const struct polygons *polygons = box->polygons;
    const size_t count = polygons ? polygons->count : 0;
    const struct wall_law *laws = box->walls ? box->walls->list : NULL;
    lattice->speed = fabs(box->stream.speed);
    if (laws && !(box->periodic & PERIODIC_Y) && laws[2].temperature * laws[2].accommodation > 0 &&
        laws[3].temperature * laws[3].accommodation > 0)
        lattice->speed *= 1.5; /* the middle of the parabola that comes in */
    if (laws)
        lattice->speed = fmax(lattice->speed, box->walls->fastest);
    lattice->bodies = memory_allocate(count + 1, sizeof *lattice->bodies, "the bodies", error);
    if (!lattice->bodies)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        struct lattice_body *body = &lattice->bodies[lattice->body_count];
        if (polygons->list[k].is_domain)
            continue;
        *body = (struct lattice_body){.polygon = &polygons->list[k]};
        if (polygon_shape_find(polygons, k, &body->shape, error))
            return STATUS_NO_MEMORY;
        for (int row = 0; row < BODY_ROWS; row++)
            snprintf(body->keys[row], sizeof body->keys[row], "%s_polygon_%zu",
                     lattice_rows[PLAIN_ROWS + row].description.key, k);
        lattice->length = fmax(lattice->length, body->shape.across);
        lattice->body_count++;
    }
    if (lattice->body_count == 0)
        lattice->length = box->height;
    return STATUS_DONE;
}

/* Makes the flow, at rest or streaming. */
static enum status make_flow(struct lattice_run *lattice, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const double unit = lattice->dt / lattice->dx;
    const struct flow_state state = {1, box->stream.draw ? box->stream.speed * unit : 0, 0};
    const enum status status =
        flow_create(box, lattice->gas.columns, lattice->gas.rows, lattice_viscosity(lattice),
                    state.u, unit, &lattice->flow, error);
    if (status)
        return status;
    for (size_t k = 0; k < lattice->gas.rows * lattice->gas.columns; k++)
        if (!lattice->flow->is_solid[k])
            flow_set(lattice->flow, k % lattice->gas.columns, k / lattice->gas.columns, state);
    lattice->mass = flow_mass(lattice->flow);
    const size_t count = lattice->flow->wall_count;
    lattice->pushes = memory_allocate(count, sizeof *lattice->pushes, "the forces", error);
    if (!lattice->pushes)
        return STATUS_NO_MEMORY;
    memset(lattice->pushes, 0, count * sizeof *lattice->pushes);
    return STATUS_DONE;
}

/* ---- The particles ---- */

static struct dynamics_node lattice_node(const struct dynamics *dynamics, size_t column, size_t row)
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const double unit = lattice->dx / lattice->dt;
    if (lattice->flow->is_solid[row * lattice->gas.columns + column])
        return (struct dynamics_node){0};
    const struct flow_state state = flow_get(lattice->flow, column, row);
    return (struct dynamics_node){state.density * lattice->gas.density, state.u * unit,
                                  state.v * unit};
}

/* The nodes on both sides of a place along an axis, and how far it is from the first one. Beyond
 * the last node before a wall the flow is as there. */
struct lattice_span {
    size_t low, high;
    double part;
};

static struct lattice_span find_span(double place, size_t count, int is_seam)
{
    const double low = floor(place);
    if (place >= 0 && place < (double)count - 1)
        return (struct lattice_span){(size_t)low, (size_t)low + 1, place - low};
    if (is_seam)
        return (struct lattice_span){count - 1, 0, place - low};
    return (struct lattice_span){place < 0 ? 0 : count - 1, place < 0 ? 0 : count - 1, 0};
}

/* The velocity of the flow at a position, between those of the four nodes around it. */
static void lattice_velocity(const struct lattice_run *lattice, double x, double y,
                             double velocity[2])
{
    const struct boundary *box = &lattice->system->boundary;
    const struct lattice_span h = find_span(x / lattice->dx - 0.5, lattice->gas.columns,
                                            box->periodic & PERIODIC_X && !box->stream.draw);
    const struct lattice_span v =
        find_span(y / lattice->dx - 0.5, lattice->gas.rows, (box->periodic & PERIODIC_Y) != 0);
    velocity[0] = velocity[1] = 0;
    for (int k = 0; k < 4; k++) {
        const double weight = (k & 1 ? h.part : 1 - h.part) * (k & 2 ? v.part : 1 - v.part);
        const struct dynamics_node node =
            lattice_node(&lattice->dynamics, k & 1 ? h.high : h.low, k & 2 ? v.high : v.low);
        velocity[0] += weight * node.u;
        velocity[1] += weight * node.v;
    }
}

/* Moves a coordinate to the end of a step: into [0, length), where images that it has passed are
 * counted; or to a wall, at most. */
static void arrive(double *x, double radius, double length, int is_seam, int64_t *image)
{
    const double passed = is_seam ? floor(*x / length) : 0;
    *x -= passed * length;
    *image += (int64_t)passed;
    if (!is_seam)
        *x = fmin(fmax(*x, radius), length - radius);
    else if (*x >= length) /* it was just below 0 */
        *x = 0, ++*image;
}

/* The velocity in a step that ends at a wall, at most. */
static double limit(double u, double x, double radius, double length, int is_seam, double dt)
{
    return is_seam ? u : fmin(fmax(u, (radius - x) / dt), (length - radius - x) / dt);
}

/* Lets a particle that would meet a polygon before `end` go along it, or stay. */
static void slide(const struct boundary *box, struct particle *p, double end)
{
    for (int tries = 0; box->polygons && tries < 2; tries++) {
        const struct boundary_contact next = polygons_next(box, p, 0, p->t, end);
        if (next.time > end)
            return;
        const struct shift shift = polygons_image(box, p, 0, next.feature);
        const struct polygon_touch touch = polygons_touch(box, p, 0, next.feature, &shift);
        const double across = p->u * touch.nx + p->v * touch.ny;
        p->u = tries == 0 ? p->u - across * touch.nx : 0;
        p->v = tries == 0 ? p->v - across * touch.ny : 0;
    }
}

/* Moves particles to the end of a step, and gives them their velocities in the next one. */
static void lattice_move_part(void *user, size_t begin, size_t end)
{
    const struct lattice_run *lattice = user;
    struct system *system = lattice->system;
    const struct boundary *box = &system->boundary;
    const int x_seam = (box->periodic & PERIODIC_X) != 0;
    const int y_seam = (box->periodic & PERIODIC_Y) != 0;
    const double dt = lattice->dt;
    const double time = (double)lattice->done * dt;
    for (size_t k = begin; k < end; k++) {
        struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        p->x = physics_coordinate(p->x, p->u, p->t, time);
        p->y = physics_coordinate(p->y, p->v, p->t, time);
        arrive(&p->x, radius, box->width, x_seam, &system->counts[k].x_image);
        arrive(&p->y, radius, box->height, y_seam, &system->counts[k].y_image);
        p->t = time;
        double velocity[2];
        lattice_velocity(lattice, p->x, p->y, velocity);
        lattice_velocity(lattice, p->x + dt / 2 * velocity[0], p->y + dt / 2 * velocity[1],
                         velocity);
        p->u = limit(velocity[0], p->x, radius, box->width, x_seam, dt);
        p->v = limit(velocity[1], p->y, radius, box->height, y_seam, dt);
        slide(box, p, time + dt);
    }
}

/* ---- The run ---- */

static enum status lattice_step(struct lattice_run *lattice, struct error *error)
{
    struct flow *flow = lattice->flow;
    flow_step(flow, lattice->pool);
    lattice->done++;
    for (size_t k = 0; k < 2 * flow->wall_count; k++)
        sum_add(&lattice->pushes[k / 2][k % 2], flow->impulses[k / 2][k % 2]);
    thread_pool_divide(lattice->pool, lattice->system->count, lattice_move_part, lattice);
    if ((lattice->done % CHECKED_STEPS > 0 && lattice->done < lattice->steps) ||
        isfinite(flow_mass(flow)))
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "the flow has grown without bounds by time %g: give a finer --lattice, or a "
                     "larger --viscosity",
                     (double)lattice->done * lattice->dt);
}

static enum status lattice_advance(struct dynamics *dynamics, struct observers *observers,
                                   struct error *error)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    const double knudsen = lattice->free_path / lattice->length;
    enum status status = STATUS_DONE;
    struct error warning;
    error_set(&warning, STATUS_DONE,
              "the mean free path is %.2g of the height of the largest body, or of the box: this "
              "gas is no continuum, and will flow otherwise",
              knudsen);
    if (knudsen > MAX_KNUDSEN && lattice->viscosity == lattice->theory && !observers->is_quiet &&
        observers->warn)
        observers->warn(&warning);
    while (!status && lattice->done < lattice->steps) {
        const double end = (double)(lattice->done + 1) * lattice->dt;
        status = observers_sample(observers, lattice->system, end, error);
        if (!status)
            status = lattice_step(lattice, error);
        if (!status)
            observers_count(observers, 1, end);
    }
    return status ? status : observers_sample(observers, lattice->system, lattice->end_time, error);
}

/* ---- Observers ---- */

static const struct dynamics_gas *lattice_gas(const struct dynamics *dynamics)
{
    return &((const struct lattice_run *)dynamics)->gas;
}

static void lattice_push(const struct dynamics *dynamics, size_t side, double momentum[2])
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const double unit = lattice->gas.mass * lattice->gas.density * lattice->dx * lattice->dx *
                        (lattice->dx / lattice->dt);
    for (int axis = 0; axis < 2; axis++)
        momentum[axis] = unit * sum_value(&lattice->pushes[BOUNDARY_SIDES + side][axis]);
}

static void push_body(const struct lattice_run *lattice, const struct lattice_body *body,
                      double momentum[2])
{
    momentum[0] = momentum[1] = 0;
    for (size_t k = 0; k < body->polygon->side_count; k++) {
        double part[2];
        lattice_push(&lattice->dynamics, body->polygon->first_side + k, part);
        momentum[0] += part[0];
        momentum[1] += part[1];
    }
}

static double lattice_next(const struct dynamics *dynamics, double time)
{
    const double step = SAMPLED_STEPS * ((const struct lattice_run *)dynamics)->dt;
    const double next = (floor(time / step) + 1) * step;
    return next > time ? next : (floor(time / step) + 2) * step;
}

static enum status lattice_energy(struct dynamics *dynamics, double *kinetic, double *potential,
                                  struct error *error)
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const size_t columns = lattice->gas.columns;
    struct sum sum = {0};
    (void)error;
    for (size_t k = 0; k < columns * lattice->gas.rows; k++) {
        const struct dynamics_node node = lattice_node(dynamics, k % columns, k / columns);
        sum_add(&sum, node.density * (node.u * node.u + node.v * node.v));
    }
    *kinetic = lattice->gas.mass / 2 * lattice->dx * lattice->dx * sum_value(&sum);
    *potential = 0;
    return STATUS_DONE;
}

/* Figures are means since they began, so one sample is enough. */
static enum status lattice_measure(struct dynamics *dynamics, const struct snapshot *snapshot,
                                   const struct motion *motion, int is_first, double *next,
                                   struct error *error)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    (void)motion;
    (void)is_first;
    (void)error;
    lattice->from = snapshot->time;
    lattice->measured = lattice->done;
    for (size_t k = 0; k < lattice->body_count; k++)
        push_body(lattice, &lattice->bodies[k], lattice->bodies[k].start);
    *next = DBL_MAX;
    return STATUS_DONE;
}

/* Adds a figure, of row number `row`. */
static void add_row(struct dynamics_figure **next, size_t row, double value, const char *key)
{
    const enum figure_group group = row < FIRST_OF_STREAM       ? GROUP_SYSTEM
                                    : row < FIRST_OF_RUN || key ? GROUP_STREAM
                                                                : GROUP_RUN;
    **next = (struct dynamics_figure){lattice_rows[row].description, lattice_rows[row].meaning,
                                      value, 0, group};
    if (key)
        (*next)->description.key = key;
    ++*next;
}

static void list_body(const struct lattice_run *lattice, struct lattice_body *body, double duration,
                      struct dynamics_figure **next)
{
    const double speed = lattice->system->boundary.stream.speed;
    const double head = lattice->gas.mass * lattice->gas.density * speed * speed / 2;
    double force[2];
    push_body(lattice, body, force);
    force[0] = (force[0] - body->start[0]) / duration;
    force[1] = (force[1] - body->start[1]) / duration;
    const double values[BODY_ROWS] = {
        force[0], force[1], (speed < 0 ? -force[0] : force[0]) / (head * body->shape.across),
        force[1] / (head * body->shape.chord)};
    for (size_t k = 0; k < (speed != 0 ? BODY_ROWS : 2); k++)
        add_row(next, PLAIN_ROWS + k, values[k], body->keys[k]);
}

static enum status lattice_list(struct dynamics *dynamics, const struct snapshot *snapshot,
                                const struct motion *motion, double seconds,
                                struct dynamics_figure *list, size_t *count, struct error *error)
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const double made = (double)(lattice->done - lattice->measured);
    const double values[PLAIN_ROWS] = {lattice->gas.density,
                                       lattice->gas.temperature,
                                       lattice->sound,
                                       lattice->theory,
                                       lattice->viscosity,
                                       lattice->speed / lattice->sound,
                                       lattice->speed * lattice->length / lattice->viscosity,
                                       lattice->free_path / lattice->length,
                                       lattice->dx,
                                       lattice->dt,
                                       3 * lattice_viscosity(lattice) + 0.5,
                                       made,
                                       flow_mass(lattice->flow) / lattice->mass - 1,
                                       seconds,
                                       made * (double)lattice->flow->nodes / seconds};
    struct dynamics_figure *next = list;
    (void)motion;
    (void)error;
    for (size_t k = 0; k < PLAIN_ROWS; k++)
        add_row(&next, k, values[k], NULL);
    for (size_t k = 0; k < lattice->body_count && k < LISTED_BODIES; k++)
        list_body(lattice, &lattice->bodies[k], snapshot->time - lattice->from, &next);
    *count = (size_t)(next - list);
    return STATUS_DONE;
}

static void lattice_record_figures(struct dynamics *dynamics, double (*clock)(void), double *began,
                                   struct record *record)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    record_whole(record, &lattice->measured, lattice->done);
    record_clock(record, clock, began);
    record_numbers(record, &lattice->from, 1);
    for (size_t k = 0; k < lattice->body_count; k++)
        record_numbers(record, lattice->bodies[k].start, 2);
}

static void lattice_state(struct dynamics *dynamics, struct record *record)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    record_whole(record, &lattice->done, lattice->steps);
    record_end_line(record);
    for (size_t k = 0; k < lattice->flow->wall_count && !record->status; k++) {
        record_sum(record, &lattice->pushes[k][0]);
        record_sum(record, &lattice->pushes[k][1]);
        record_end_line(record);
    }
    flow_record(lattice->flow, record);
}

static void lattice_free(struct dynamics *dynamics)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    flow_free(lattice->flow);
    thread_pool_free(lattice->pool);
    memory_free(lattice->pushes);
    memory_free(lattice->bodies);
    memory_free(lattice);
}

const struct dynamics_operations lattice_operations = {
    .option = "--lattice",
    .counted = "steps",
    .refusals = {[DYNAMICS_TIMES] = "is not for --lattice: there a flow carries particles along, "
                                    "which neither collide nor move by themselves"},
    .advance = lattice_advance,
    .measure = lattice_measure,
    .list = lattice_list,
    .energy = lattice_energy,
    .next_step = lattice_next,
    .gas = lattice_gas,
    .node = lattice_node,
    .push = lattice_push,
    .record_figures = lattice_record_figures,
    .state = lattice_state,
    .free = lattice_free};

enum status lattice_create(struct scene *scene, struct system *system, double end_time,
                           int is_resumed, struct dynamics **dynamics, struct error *error)
{
    unsigned threads = scene->threads;
    struct lattice_run *lattice = memory_allocate(1, sizeof *lattice, "the lattice", error);
    if (!lattice)
        return STATUS_NO_MEMORY;
    *lattice = (struct lattice_run){
        .dynamics.operations = &lattice_operations, .system = system, .end_time = end_time};
    enum status status = find_gas(lattice, scene, error);
    if (!status)
        status = find_units(lattice, scene->columns, error);
    if (!status)
        status = find_bodies(lattice, error);
    if (!status)
        status = check_numbers(lattice, error);
    if (!status)
        status = make_flow(lattice, error);
    if (!status && threads == 0) /* as many as are of use */
        threads = lattice->flow->nodes >= NODES_FOR_THREADS ? threads_available() : 1;
    if (!status && threads > 1 && !(lattice->pool = thread_pool_create(threads, error)))
        status = STATUS_NO_MEMORY;
    if (!status && !is_resumed)
        thread_pool_divide(lattice->pool, system->count, lattice_move_part, lattice);
    if (status)
        lattice_free(&lattice->dynamics);
    else
        *dynamics = &lattice->dynamics;
    return status;
}
