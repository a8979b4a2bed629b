/*
 * The figures of --stats in a time-stepped run. Temperature is sampled at the end of each step, and
 * the constraint error at that of each substep; energies, which cost a sum over all forces, only at
 * the start and at the end, and the virial, which comes with them, at up to MAX_VIRIALS ends of
 * steps.
 */
#include "model/region.h"
#include "sph.h"

enum { MAX_VIRIALS = 1000 };

static enum status measure_state(struct steps *steps, const struct snapshot *snapshot,
                                 const struct motion *motion, struct step_state *state,
                                 struct error *error)
{
    *state =
        (struct step_state){.momentum_x = motion->momentum_x, .momentum_y = motion->momentum_y};
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct counts counts = snapshot_counts(snapshot, k);
        state->walls += (double)counts.walls;
        state->pairs += (double)counts.particles / 2;
    }
    return steps_energy(&steps->dynamics, &state->kinetic, &state->potential, error);
}

double steps_next(const struct dynamics *dynamics, double time)
{
    const double step = ((const struct steps *)dynamics)->step;
    const double next = (floor(time / step) + 1) * step;
    return next > time ? next : (floor(time / step) + 2) * step;
}

/* The samples after the first one are at the ends of steps. */
enum status step_figures_measure(struct dynamics *dynamics, const struct snapshot *snapshot,
                                 const struct motion *motion, int is_first, double *next,
                                 struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    struct step_figures *figures = &steps->figures;
    enum status status = STATUS_DONE;
    if (is_first) {
        figures->from = snapshot->time;
        figures->done = steps->done;
        figures->is_measured = 1;
        figures->deviation = steps_deviation(steps);
        figures->pushes = (struct sum){0};
        status = measure_state(steps, snapshot, motion, &figures->start, error);
    } else {
        sum_add(&figures->thermal, motion->thermal);
        if (figures->samples++ % (steps->steps / MAX_VIRIALS + 1) == 0) {
            double kinetic, potential;
            status = steps_energy(dynamics, &kinetic, &potential, error);
            sum_add(&figures->virial, steps->virial);
            figures->virials++;
        }
    }
    *next = steps_next(dynamics, snapshot->time);
    return status;
}

static void add_whole(struct dynamics_figure **next, const char *key, const char *label,
                      double value, const char *meaning)
{
    *(*next)++ =
        (struct dynamics_figure){{key, label, "", FIGURE_WHOLE}, meaning, value, 0, GROUP_SYSTEM};
}

static void add_real(struct dynamics_figure **next, const char *key, const char *label,
                     const char *unit, double value, const char *meaning)
{
    *(*next)++ =
        (struct dynamics_figure){{key, label, unit, FIGURE_REAL}, meaning, value, 0, GROUP_SYSTEM};
}

static struct dynamics_figure *add_run(const struct steps *steps, const struct snapshot *snapshot,
                                       struct dynamics_figure *next)
{
    const struct system *system = snapshot->system;
    const double made = (double)(steps->done - steps->figures.done);
    add_whole(&next, "particles", "particles", (double)system->count,
              "How many particles there are.");
    add_real(&next, "box_width", "box width", "length", system->boundary.width,
             "The length of the box along x.");
    add_real(&next, "box_height", "box height", "length", system->boundary.height,
             "The length of the box along y.");
    add_real(&next, "end_time", "end time", "time", snapshot->time,
             "When the run ends, in the units of the input.");
    add_real(&next, "stats_from", "figures count from", "time", steps->figures.from,
             "The time at which the figures begin.");
    add_real(&next, "step", "step", "time", steps->step, "The time of a step.");
    add_whole(&next, "substeps", "substeps of each", steps->substeps,
              "The number of substeps of each step.");
    add_whole(&next, "substeps_made", "substeps made", made,
              "The number of substeps that the figures cover.");
    return next;
}

/* The energy of a field, and so its relative change, depends on where it is 0. */
static struct dynamics_figure *add_changes(const struct step_state *start,
                                           const struct step_state *end,
                                           struct dynamics_figure *next)
{
    const double before = start->kinetic + start->potential;
    const double after = end->kinetic + end->potential;
    add_whole(&next, "contacts_walls", "contacts with walls and polygons",
              end->walls - start->walls,
              "How often a particle came into contact with a wall or a polygon.");
    add_whole(&next, "contacts_pairs", "contacts of two particles", end->pairs - start->pairs,
              "How often two particles came into contact with each other.");
    add_real(&next, "energy_start", "energy at the start", "energy", before,
             "The energy of motion and of the interactions when the figures begin.");
    add_real(&next, "energy_end", "energy at the end", "energy", after,
             "The energy of motion and of the interactions at the end.");
    add_real(&next, "energy_drift", "  relative change", "", (after - before) / fabs(before),
             "The change of the energy, divided by that at the start, which depends on where the "
             "energy of a field is 0.");
    add_real(&next, "energy_kinetic_start", "  kinetic, at the start", "energy", start->kinetic,
             "The energy of motion when the figures begin.");
    add_real(&next, "energy_kinetic_end", "  kinetic, at the end", "energy", end->kinetic,
             "The energy of motion at the end.");
    add_real(&next, "energy_potential_start", "  potential, at the start", "energy",
             start->potential, "The energy of the interactions when the figures begin.");
    add_real(&next, "energy_potential_end", "  potential, at the end", "energy", end->potential,
             "The energy of the interactions at the end.");
    add_real(&next, "momentum_x_start", "momentum in x at the start", "momentum", start->momentum_x,
             "The sum of mass times velocity along x when the figures begin.");
    add_real(
        &next, "momentum_x_end", "momentum in x at the end", "momentum", end->momentum_x,
        "The sum of mass times velocity along x at the end. Walls, polygons and fields change it.");
    add_real(&next, "momentum_y_start", "momentum in y at the start", "momentum", start->momentum_y,
             "The sum of mass times velocity along y when the figures begin.");
    add_real(
        &next, "momentum_y_end", "momentum in y at the end", "momentum", end->momentum_y,
        "The sum of mass times velocity along y at the end. Walls, polygons and fields change it.");
    return next;
}

/*
 * The pressure p: p A = N T + virial / 2, with the area A that centres can reach. In a fluid of sph
 * particles have pressures, and p is their mean over its area.
 */
static double find_pressure(const struct steps *steps, double temperature, double duration)
{
    const struct step_figures *measured = &steps->figures;
    const struct system *system = steps->system;
    const double virial = sum_value(&measured->virial) / (double)measured->virials;
    double radius = 0;
    if (sph_of(steps))
        return virial / 2 / sph_area(sph_of(steps), system);
    if (steps_find(steps, &link_kind) || steps_find(steps, &pin_kind))
        return (double)NAN; /* what these pass on is not known */
    for (size_t k = 0; k < system->count; k++)
        radius += system_radius(system, &system->particles[k]) / (double)system->count;
    const struct reach reach = reach_find(&system->boundary, radius);
    return ((double)system->count * temperature +
            (virial + sum_value(&measured->pushes) / duration) / 2) /
           (reach.width * reach.height);
}

static struct dynamics_figure *add_samples(const struct steps *steps, const struct motion *motion,
                                           double duration, double seconds,
                                           struct dynamics_figure *next)
{
    const struct step_figures *measured = &steps->figures;
    const double temperature =
        sum_value(&measured->thermal) / (double)measured->samples / motion->half_freedom;
    const double made = (double)(steps->done - measured->done);
    add_real(&next, "temperature_mean", "temperature, mean", "energy", temperature,
             "The kinetic energy for each two degrees of freedom, averaged over the ends of steps. "
             "Boltzmann's constant is 1.");
    add_real(&next, "temperature_end", "temperature at the end", "energy",
             motion->thermal / motion->half_freedom,
             "The kinetic energy for each two degrees of freedom at the end.");
    add_real(&next, "pressure_virial", "pressure from the virial", "energy/area",
             find_pressure(steps, temperature, duration),
             "The pressure that the temperature, the forces between pairs and contacts show; of a "
             "fluid the mean of its particles. Not known where there are links or pins.");
    add_real(&next, "constraint_error_largest", "constraint error, largest", "length",
             measured->deviation,
             "How far a link has been from its length, or two particles have overlapped, at the "
             "start or at the end of any substep.");
    add_real(&next, "constraint_error_end", "constraint error at the end", "length",
             steps_deviation(steps),
             "How far a link is from its length, or two particles overlap, at the end.");
    add_real(&next, "seconds", "elapsed time", "seconds", seconds, "How long the computer took.");
    add_real(&next, "substeps_per_second", "substeps of a particle per second", "1/second",
             made * (double)steps->system->count / seconds,
             "How many substeps of one particle it computed in a second.");
    next[-1].group = next[-2].group = GROUP_RUN;
    return next;
}

enum status step_figures_list(struct dynamics *dynamics, const struct snapshot *snapshot,
                              const struct motion *motion, double seconds,
                              struct dynamics_figure *list, size_t *count, struct error *error)
{
    struct steps *steps = (struct steps *)dynamics;
    struct step_state end;
    enum status status = measure_state(steps, snapshot, motion, &end, error);
    if (status)
        return status;
    struct dynamics_figure *next = add_run(steps, snapshot, list);
    next = add_changes(&steps->figures.start, &end, next);
    next = add_samples(steps, motion, snapshot->time - steps->figures.from, seconds, next);
    *count = (size_t)(next - list);
    return STATUS_DONE;
}

void step_figures_record(struct dynamics *dynamics, double (*clock)(void), double *began,
                         struct record *record)
{
    struct step_figures *figures = &((struct steps *)dynamics)->figures;
    figures->is_measured = 1;
    record_whole(record, &figures->done, UINT64_MAX);
    record_whole(record, &figures->samples, UINT64_MAX);
    record_clock(record, clock, began);
    record_numbers(record, &figures->from, 1);
    record_sum(record, &figures->thermal);
    record_whole(record, &figures->virials, UINT64_MAX);
    record_sum(record, &figures->virial);
    record_sum(record, &figures->pushes);
    record_numbers(record, &figures->deviation, 1);
    record_numbers(record, &figures->start.kinetic, 1);
    record_numbers(record, &figures->start.potential, 1);
    record_numbers(record, &figures->start.momentum_x, 1);
    record_numbers(record, &figures->start.momentum_y, 1);
    record_numbers(record, &figures->start.walls, 1);
    record_numbers(record, &figures->start.pairs, 1);
}
