/*
 * The dynamics of a flow: its units, what it refuses, the particles that it carries, and figures;
 * see lattice/lattice.h. flow.h has the method, in units of dx, dt and the mean density.
 */
#include "lattice/lattice.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "flow.h"
#include "model/boundary_law.h"
#include "model/enskog.h"

static const double MAX_MACH = 0.3; /* so the density changes by less than its square, a tenth */
static const double MIN_VISCOSITY = 0.001; /* in cells and steps; below, short waves grow */
static const double MAX_KNUDSEN = 0.1;     /* above, a gas is no continuum; */
static const double MAX_FRICTION = 0.1;    /* and friction so much faster than sound that what a
                                              lattice computes is wrong by about a per cent */
static const double MAX_PUSH = 0.01;       /* Mach number: what a force adds in a step */
static const double FIT = 1e-9; /* the part of a box's height by which cells may miss it */

/* Steps after which fields are sampled, and the flow is checked; nodes from which threads pay. */
enum { SAMPLED_STEPS = 16, CHECKED_STEPS = 256, NODES_FOR_THREADS = 30000 };

struct lattice_run {
    struct dynamics dynamics; /* the first member */
    struct system *system;    /* not owned */
    unsigned threads;         /* wanted, */
    struct thread_pool *pool; /* and started */
    struct flow flow;
    double sound, viscosity, theory; /* theory: Enskog's viscosity */
    double speed;                    /* of the stream, or of the fastest wall, */
    double length;  /* and of the largest body, or the box's height: of Reynolds numbers */
    double least;   /* of the lengths of all bodies and the box's height */
    double knudsen; /* the mean free path by that length */
    double dx, dt, relaxation; /* relaxation: the viscosity in cells and steps */
    double force[2];           /* acceleration */
    uint64_t done;             /* steps */
};

/* Finds the gas that the particles are, and the scales of its flow. */
static enum status find_gas(struct lattice_run *lattice, struct lattice_settings *settings,
                            struct error *error)
{
    struct system system = *lattice->system;
    const struct boundary *box = &system.boundary;
    system.law = (struct system_law){.rule = RULE_ELASTIC, .restitution = 1};
    if (settings->temperature == 0)
        settings->temperature =
            box->stream.draw ? box->stream.temperature : stream_find_temperature(&system);
    const double temperature = settings->temperature;
    const double density = enskog_per_area(&system, (double)system.count);
    const struct enskog theory = enskog_predict(&system, temperature, 1);
    lattice->dynamics.gas =
        (struct dynamics_gas){.mass = theory.mass,
                              .density = density,
                              .temperature = temperature,
                              .pressure = density * temperature * theory.compressibility,
                              .stiffness = theory.mass * theory.sound_speed * theory.sound_speed};
    lattice->sound = theory.sound_speed;
    lattice->theory = enskog_transport(&system, temperature).viscosity / (theory.mass * density);
    lattice->viscosity = settings->viscosity > 0 ? settings->viscosity : lattice->theory;
    if (!(lattice->sound > 0))
        return error_set(
            error, STATUS_BAD_DATA,
            "Enskog's theory has no speed of sound for these particles: it takes more "
            "than one velocity, or --stream-temperature, an area fraction up to %g and "
            "up to %d kinds",
            ENSKOG_MAX_AREA_FRACTION, (int)ENSKOG_MAX_KINDS);
    if (!isfinite(lattice->viscosity))
        return error_set(error, STATUS_USAGE,
                         "Enskog's theory has a viscosity for disks that are all alike, not for "
                         "points or several kinds: give --viscosity=NU");
    lattice->speed = fmax(fabs(box->stream.speed), box->walls ? box->walls->fastest : 0);
    const enum status status =
        polygon_shape_extremes(box->polygons, &lattice->least, &lattice->length, error);
    lattice->least = fmin(lattice->least, box->height);
    lattice->length = isnan(lattice->length) ? box->height : lattice->length;
    lattice->knudsen =
        sqrt(PI * temperature / (2 * theory.mass)) / theory.collision_rate / lattice->length;
    return status;
}

/* Finds cells and steps. Refuses them where the flow would not be the flow of the gas. */
static enum status find_units(struct lattice_run *lattice, double columns, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const double aspect = box->height / box->width;
    const double fastest = box->stream.draw && flow_is_channel(box) ? 1.5 : 1; /* a parabola's */
    const double mach = fastest * lattice->speed / lattice->sound;
    lattice->dynamics.gas.columns = (size_t)columns;
    lattice->dynamics.gas.rows = (size_t)fmin(columns * aspect + 0.5, UINT32_MAX);
    lattice->dx = box->width / columns;
    lattice->dt = lattice->dx / (sqrt(3) * lattice->sound);
    lattice->dynamics.sampling = SAMPLED_STEPS * lattice->dt;
    lattice->relaxation = lattice->viscosity / (sqrt(3) * lattice->sound * lattice->dx);
    const double reynolds = mach / (sqrt(3) * lattice->relaxation);
    const double coarse =
        fmax(reynolds / FLOW_MAX_CELL_REYNOLDS, MIN_VISCOSITY / lattice->relaxation);
    const double least = lattice->least / lattice->dx;
    const double *g = lattice->force;
    const double push = sqrt(g[0] * g[0] + g[1] * g[1]) * lattice->dt / lattice->sound;
    double better = ceil(columns * fmax(fmax(1, push / MAX_PUSH),
                                        fmax(coarse, (LATTICE_MIN_COLUMNS - FIT) / least)));
    if (mach > MAX_MACH)
        return error_set(error, STATUS_USAGE,
                         "the flow reaches Mach number %.3g, and %g is the most on a lattice: slow "
                         "its stream and its walls down, to %.6g, or heat the gas",
                         mach, MAX_MACH, MAX_MACH / mach * lattice->speed);
    while (better <= LATTICE_MAX_COLUMNS &&
           fabs(remainder(better * aspect, 1)) > FIT * better * aspect)
        better++;
    if (better == columns)
        return STATUS_DONE;
    error_set(error, STATUS_USAGE,
              "with --lattice=%.0f the box is %.10g cells high (a whole number), the least of it "
              "and its bodies %.3g long (from %d), and a cell has Reynolds number %.3g (up to %d) "
              "and viscosity %.3g in its units (from %g)",
              columns, columns * aspect, least, (int)LATTICE_MIN_COLUMNS, reynolds,
              (int)FLOW_MAX_CELL_REYNOLDS, lattice->relaxation, MIN_VISCOSITY);
    if (push > MAX_PUSH)
        error_append(error, ", and the force adds Mach number %.3g in a step (up to %g)", push,
                     MAX_PUSH);
    if (better <= LATTICE_MAX_COLUMNS)
        error_append(error, ": give --lattice=%.0f", better);
    else
        error_append(error, ", and no finer one will do");
    if (better > LATTICE_MAX_COLUMNS && coarse > 1)
        error_append(error, ": give --viscosity=%.2g", 1.1 * coarse * lattice->viscosity);
    return STATUS_USAGE;
}

static enum status make_flow(struct lattice_run *lattice, struct error *error)
{
    const struct boundary *box = &lattice->system->boundary;
    const double unit = lattice->dt / lattice->dx;
    const double force[2] = {lattice->force[0] * unit * lattice->dt,
                             lattice->force[1] * unit * lattice->dt};
    const enum status status = flow_create(
        &lattice->flow, box, lattice->dynamics.gas.columns, lattice->dynamics.gas.rows,
        lattice->relaxation, box->stream.draw ? box->stream.speed * unit : 0, unit, force, error);
    if (status)
        return status;
    if (lattice->threads == 0) /* as many as are of use */
        lattice->threads = lattice->flow.nodes >= NODES_FOR_THREADS ? threads_available() : 1;
    lattice->pool = thread_pool_create(lattice->threads);
    return STATUS_DONE;
}

/* A cell as the flow begins, with sums for its mean velocity: over its particles, by mass; or, if
 * it has none, over the cells around it that are in the layer before its own. */
struct lattice_cell {
    double weight, u, v; /* the sums; velocities in units of the flow */
    size_t layer;        /* 1 with particles; 0: not known yet */
    size_t listed;       /* which cell is number k in the order of layers, in cell k */
};

static void start_flow(struct flow *flow, struct lattice_cell *cells)
{
    size_t count = 0;
    for (size_t k = 0; k < flow->columns * flow->rows; k++) {
        cells[k].layer = cells[k].weight > 0 && !flow->is_solid[k];
        cells[count].listed = k;
        count += cells[k].layer;
    }
    for (size_t k = 0; k < count; k++) {
        const struct lattice_cell cell = cells[cells[k].listed];
        const size_t column = cells[k].listed % flow->columns;
        const size_t row = cells[k].listed / flow->columns;
        const double u = cell.u / cell.weight, v = cell.v / cell.weight;
        flow_set(flow, column, row, (struct dynamics_node){1, u, v});
        for (int d = 1; d < FLOW_DIRECTIONS; d++) {
            const size_t x = column + flow->columns + (size_t)flow_x[d];
            const size_t y = row + flow->rows + (size_t)flow_y[d];
            const size_t index = x % flow->columns + flow->columns * (y % flow->rows);
            struct lattice_cell *next = &cells[index];
            if ((x / flow->columns != 1 && !flow->is_seam[0]) ||
                (y / flow->rows != 1 && !flow->is_seam[1]) || flow->is_solid[index] ||
                (next->layer > 0 && next->layer <= cell.layer))
                continue;
            if (next->layer == 0)
                cells[count++].listed = index;
            next->layer = cell.layer + 1;
            next->weight++;
            next->u += u;
            next->v += v;
        }
    }
}

/* Begins the flow with the velocities of the particles. */
static enum status lattice_start(struct lattice_run *lattice, struct error *error)
{
    const struct system *system = lattice->system;
    struct flow *flow = &lattice->flow;
    struct lattice_cell *cells = memory_allocate_zeros(flow->columns * flow->rows, sizeof *cells,
                                                       "the start of the flow", error);
    if (!cells)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const size_t row = boundary_locate(p->y, lattice->dx, (uint32_t)flow->rows);
        struct lattice_cell *cell =
            &cells[boundary_locate(p->x, lattice->dx, (uint32_t)flow->columns) +
                   flow->columns * row];
        const double mass = system_mass(system, p);
        cell->weight += mass;
        cell->u += mass * p->u * (lattice->dt / lattice->dx);
        cell->v += mass * p->v * (lattice->dt / lattice->dx);
    }
    start_flow(flow, cells);
    memory_free(cells);
    const double mach = flow_mach(flow, lattice->pool);
    if (mach > MAX_MACH)
        return error_set(error, STATUS_USAGE,
                         "the particles of a cell of the lattice have Mach number %.3g on average, "
                         "and %g is the most: have more in a cell, or heat the gas",
                         mach, MAX_MACH);
    return STATUS_DONE;
}

static struct dynamics_node lattice_node(const struct dynamics *dynamics, size_t column, size_t row)
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const double unit = lattice->dx / lattice->dt;
    const struct dynamics_node node = flow_get(&lattice->flow, column, row);
    return (struct dynamics_node){node.density * lattice->dynamics.gas.density, node.u * unit,
                                  node.v * unit};
}

/* The velocity of the flow at a position, interpolated from the four nodes around it. Beyond the
 * last node before a wall it is the velocity at that node. */
static void lattice_velocity(const struct lattice_run *lattice, double x, double y,
                             double velocity[2])
{
    const size_t counts[2] = {lattice->dynamics.gas.columns, lattice->dynamics.gas.rows};
    const double at[2] = {x, y};
    size_t first[2];
    double parts[2];
    for (int axis = 0; axis < 2; axis++) {
        const int seam = lattice->flow.is_seam[axis];
        const double position =
            fmin(fmax(at[axis] / lattice->dx - 0.5, -seam), (double)counts[axis] - 1 + seam);
        first[axis] = (size_t)(floor(position) + (double)counts[axis]);
        parts[axis] = position - floor(position);
    }
    velocity[0] = velocity[1] = 0;
    for (size_t k = 0; k < 4; k++) {
        const double weight = (k & 1 ? parts[0] : 1 - parts[0]) * (k & 2 ? parts[1] : 1 - parts[1]);
        const struct dynamics_node node = lattice_node(
            &lattice->dynamics, (first[0] + k % 2) % counts[0], (first[1] + k / 2) % counts[1]);
        velocity[0] += weight * node.u;
        velocity[1] += weight * node.v;
    }
}

/* Moves particles to the end of a step, up to a wall of the box at most, and none into a polygon.
 * Gives them their velocities in the next step. */
static void lattice_move_part(void *user, size_t begin, size_t end)
{
    const struct lattice_run *lattice = user;
    struct system *system = lattice->system;
    const struct boundary *box = &system->boundary;
    const double dt = lattice->dt, time = (double)lattice->done * dt;
    for (size_t k = begin; k < end; k++) {
        struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        double w[2];
        motion_move(&box->gravity, p, time);
        boundary_wrap(box, p, &system->counts[k]);
        boundary_clamp(box, radius, &p->x, &p->y);
        lattice_velocity(lattice, p->x, p->y, w);
        lattice_velocity(lattice, p->x + dt / 2 * w[0], p->y + dt / 2 * w[1], w);
        double x = p->x + dt * w[0], y = p->y + dt * w[1];
        boundary_clamp(box, radius, &x, &y);
        p->u = box->periodic & PERIODIC_X ? w[0] : (x - p->x) / dt;
        p->v = box->periodic & PERIODIC_Y ? w[1] : (y - p->y) / dt;
        if (box->polygons && polygons_next(box, p, 0, time, time + dt).time <= time + dt)
            p->u = p->v = 0;
    }
}

/* Warns of what makes the flow differ from the flow of the gas. */
static void lattice_warn(const struct lattice_run *lattice, const struct observers *observers)
{
    const struct flow *flow = &lattice->flow;
    const struct polygons *polygons = lattice->system->boundary.polygons;
    const double most = MAX_FRICTION * lattice->sound * lattice->least;
    struct error warning;
    int is_at_end = 0;
    if (!observers->warn || observers->is_quiet)
        return;
    thread_pool_warn(lattice->pool, lattice->threads, observers->warn);
    error_set(&warning, STATUS_DONE, "Knudsen number %.2g: this gas is no continuum",
              lattice->knudsen);
    if (lattice->knudsen > MAX_KNUDSEN && lattice->viscosity == lattice->theory)
        observers->warn(&warning);
    error_set(&warning, STATUS_DONE,
              "--viscosity=%g is large: across the least of the box and its bodies friction acts "
              "almost as fast as sound, so forces, and flows that change, are wrong by a per cent "
              "or more; up to %.2g is small enough",
              lattice->viscosity, most);
    if (lattice->viscosity > most && lattice->viscosity != lattice->theory)
        observers->warn(&warning);
    for (size_t k = 0; k < flow->link_count && !flow->is_seam[0]; k++) {
        const struct flow_link *link = &flow->links[k];
        is_at_end |=
            lattice->system->boundary.stream.draw && link->wall >= BOUNDARY_SIDES &&
            link->out.column % (flow->columns - 1) == 0 &&
            !polygons->list[polygons->sides[link->wall - BOUNDARY_SIDES].polygon].is_domain;
    }
    error_set(&warning, STATUS_DONE,
              "a body is where the stream comes in or leaves: the flow there is not that around "
              "it; leave a few of its lengths before and behind it");
    if (is_at_end)
        observers->warn(&warning);
}

static enum status lattice_advance(struct dynamics *dynamics, double limit,
                                   struct observers *observers, struct error *error)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    struct flow *flow = &lattice->flow;
    enum status status;
    double end, mach = 0;
    if (!dynamics->has_advanced)
        lattice_warn(lattice, observers);
    dynamics->has_advanced = 1;
    while ((end = (double)(lattice->done + 1) * lattice->dt) <= limit) {
        if ((status = observers_sample(observers, lattice->system, end, error)))
            return status;
        flow_step(flow, lattice->pool);
        lattice->done++;
        thread_pool_divide(lattice->pool, lattice->system->count, lattice_move_part, lattice);
        if ((status = observers_hand_over(observers, 1, end, error)))
            return status;
        if (lattice->done % CHECKED_STEPS == 0 || end + lattice->dt > limit)
            mach = flow_mach(flow, lattice->pool);
        if (!(mach < 1))
            return error_set(error, STATUS_BAD_DATA,
                             "by time %g the flow is faster than sound somewhere, or twice as "
                             "dense or thin as on average: slow the stream, widen its gaps, weaken "
                             "the force, or give a finer --lattice or a --viscosity nearer %.2g",
                             end, lattice->viscosity / lattice->relaxation);
    }
    return observers_sample(observers, lattice->system, limit, error);
}

/* Walls get, evenly over each step, the momentum of the step before it, the last that is known. */
static void lattice_push(const struct dynamics *dynamics, size_t side, double time,
                         double momentum[3])
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const double unit = lattice->dynamics.gas.mass * lattice->dynamics.gas.density * lattice->dx *
                        lattice->dx * (lattice->dx / lattice->dt);
    const double part = time / lattice->dt - (double)lattice->done;
    const struct flow_wall *wall = &lattice->flow.walls[BOUNDARY_SIDES + side];
    for (int k = 0; k < 3; k++)
        momentum[k] = unit * (k < 2 ? 1 : lattice->dx) *
                      (sum_value(&wall->past[k]) + part * wall->impulse[k]);
}

/* The figures, in the order in which they are written; see observe/figure_list.h. */
#define LATTICE_FIGURES(FIGURE)                                                                    \
    FIGURE(TEMPERATURE, REAL, "temperature", "temperature", "energy",                              \
           "Of the stream, or of the particles at the start.")                                     \
    FIGURE(SOUND_SPEED, REAL, "sound_speed", "speed of sound", "length/time",                      \
           "By Enskog's theory. Its square is the change of pressure by that of density.")         \
    FIGURE(VISCOSITY, REAL, "viscosity", "viscosity", "length^2/time",                             \
           "That by Enskog's theory, unless --viscosity gives another.")                           \
    FIGURE(VISCOSITY_ENSKOG, REAL, "viscosity_enskog", "  by Enskog's theory", "length^2/time",    \
           "The kinematic viscosity of elastic disks.")                                            \
    FIGURE(MACH, REAL, "mach", "Mach number", "",                                                  \
           "The speed of the stream, or of the fastest wall, by that of sound.")                   \
    FIGURE(MACH_LARGEST, REAL, "mach_largest", "  largest in the flow", "",                        \
           "At the end of the run. Above 0.3 the flow is not that of a gas.")                      \
    FIGURE(REYNOLDS, REAL, "reynolds", "Reynolds number", "",                                      \
           "With that speed, and the largest body's length, or the box's height.")                 \
    FIGURE(KNUDSEN, REAL, "knudsen", "Knudsen number", "",                                         \
           "The mean free path by that length. Above 0.1 a gas is no continuum.")                  \
    FIGURE(MASS_CHANGE, REAL, "mass_change", "mass, relative change", "",                          \
           "Of the flow since the start; without a stream, by rounding.")                          \
    FIGURE(SECONDS, REAL, "seconds", "elapsed time", "seconds", "How long the computer took.")

enum { LATTICE_FIGURES(FIGURE_NAME) FIGURES };

static const struct figure_row figure_rows[FIGURES] = {LATTICE_FIGURES(FIGURE_ROW)};

static enum status lattice_list(struct dynamics *dynamics, const struct snapshot *snapshot,
                                const struct snapshot_motion *motion, double seconds,
                                struct dynamics_figure *list, size_t *count, struct error *error)
{
    const struct lattice_run *lattice = (const struct lattice_run *)dynamics;
    const struct flow *flow = &lattice->flow;
    const double mass = flow_mass(flow) / (double)flow->nodes;
    (void)snapshot, (void)motion, (void)error;
    const double values[FIGURES] = {
        [FIGURE_TEMPERATURE] = lattice->dynamics.gas.temperature,
        [FIGURE_SOUND_SPEED] = lattice->sound,
        [FIGURE_VISCOSITY] = lattice->viscosity,
        [FIGURE_VISCOSITY_ENSKOG] = lattice->theory,
        [FIGURE_MACH] = lattice->speed / lattice->sound,
        [FIGURE_MACH_LARGEST] = flow_mach(flow, lattice->pool),
        [FIGURE_REYNOLDS] = lattice->speed * lattice->length / lattice->viscosity,
        [FIGURE_KNUDSEN] = lattice->knudsen,
        [FIGURE_MASS_CHANGE] = mass - 1,
        [FIGURE_SECONDS] = seconds,
    };
    *count = dynamics_list_figures(figure_rows, FIGURES, values, list);
    return STATUS_DONE;
}

static void lattice_state(struct dynamics *dynamics, struct record *record)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    record_whole(record, &lattice->done, UINT64_MAX);
    record_end_line(record);
    flow_record(&lattice->flow, record);
}

static void lattice_free(struct dynamics *dynamics)
{
    struct lattice_run *lattice = (struct lattice_run *)dynamics;
    flow_free(&lattice->flow);
    thread_pool_free(lattice->pool);
    memory_free(lattice);
}

const struct dynamics_operations lattice_operations = {
    .traits = {.has_state = 1, .has_flow = 1},
    .option = "--lattice",
    .counted = "steps",
    .refusals = {[DYNAMICS_TIMES] = "is not for --lattice: there a flow carries particles along, "
                                    "which neither collide nor move by themselves"},
    .advance = lattice_advance,
    .list = lattice_list,
    .flow = {lattice_node, lattice_push},
    .state = lattice_state,
    .free = lattice_free};

enum status lattice_create(struct lattice_settings *settings, struct system *system, int is_resumed,
                           struct dynamics **dynamics, struct error *error)
{
    struct lattice_run *lattice = memory_allocate(1, sizeof *lattice, "the lattice", error);
    if (!lattice)
        return STATUS_NO_MEMORY;
    *lattice = (struct lattice_run){.dynamics.operations = &lattice_operations,
                                    .system = system,
                                    .threads = settings->threads,
                                    .force = {settings->force[0], settings->force[1]}};
    enum status status;
    if ((status = find_gas(lattice, settings, error)) ||
        (status = find_units(lattice, settings->columns, error)) ||
        (status = make_flow(lattice, error)) ||
        (settings->start && !is_resumed && (status = lattice_start(lattice, error)))) {
        lattice_free(&lattice->dynamics);
        return status;
    }
    if (!is_resumed)
        thread_pool_divide(lattice->pool, system->count, lattice_move_part, lattice);
    *dynamics = &lattice->dynamics;
    return STATUS_DONE;
}
