/*
 * The figures of --stats in a time-stepped run. Temperature and constraints are sampled at the end
 * of each step; energies, which cost a sum over all forces, only at the first and at the last.
 */
#include "steps/step_statistics.h"

#include "base/memory.h"
#include "base/sum.h"
#include "io/output_file.h"
#include "io/text.h"
#include "observe/figure_text.h"
#include "observe/tally.h"
#include "part.h"

#include <float.h>
#include <string.h>

/* The state of a run at one moment, which figures compare. */
struct step_state {
    double kinetic, potential; /* energy */
    double momentum_x, momentum_y;
    double walls, pairs; /* contacts so far: with walls and polygons; of two particles */
};

enum { STATE_NUMBERS = sizeof(struct step_state) / sizeof(double) };

/* A figure of --stats. */
struct step_figure {
    struct figure_description description;
    const char *meaning; /* a sentence */
    double value;        /* at the end of the run */
};

struct step_statistics {
    struct observer observer; /* the first member: see observer.h */
    struct observer_operations operations;
    struct statistics_request request;
    struct steps *steps; /* not owned */
    struct output_file file;
    int is_counting; /* figures have started */
    double from;     /* when they started, the end of a substep */
    uint64_t done;   /* substeps made then */
    struct step_state start;
    struct sum thermal;  /* thermal energies at the ends of steps */
    uint64_t samples;    /* of `thermal` */
    double deviation;    /* the largest of any constraint at these times, length */
    double began;        /* by the clock, seconds: when figures started */
    size_t figure_count; /* 0 before the end of the run */
    struct step_figure figures[REPORT_MOST_FIGURES];
};

static enum status measure_state(struct steps *steps, const struct snapshot *snapshot,
                                 struct step_state *state, struct error *error)
{
    const struct motion motion = tally_motion(snapshot);
    *state = (struct step_state){.momentum_x = motion.momentum_x, .momentum_y = motion.momentum_y};
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct counts counts = snapshot_counts(snapshot, k);
        state->walls += (double)counts.walls;
        state->pairs += (double)counts.particles / 2;
    }
    return steps_energy(steps, &state->kinetic, &state->potential, error);
}

static enum status start_figures(struct step_statistics *statistics,
                                 const struct snapshot *snapshot, struct error *error)
{
    statistics->is_counting = 1;
    statistics->from = snapshot->time;
    statistics->done = statistics->steps->done;
    statistics->began = statistics->request.clock();
    return measure_state(statistics->steps, snapshot, &statistics->start, error);
}

/* Figures start at the first call; the next ones are at the ends of steps. */
static enum status step_statistics_sample(struct observer *observer,
                                          const struct snapshot *snapshot, struct error *error)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    const double step = statistics->steps->step;
    enum status status = STATUS_DONE;
    if (!statistics->is_counting) {
        status = start_figures(statistics, snapshot, error);
    } else {
        sum_add(&statistics->thermal, tally_motion(snapshot).thermal);
        statistics->samples++;
        statistics->deviation = fmax(statistics->deviation, steps_deviation(statistics->steps));
    }
    observer->next_look = (floor(snapshot->time / step) + 1) * step;
    if (observer->next_look <= snapshot->time)
        observer->next_look = (floor(snapshot->time / step) + 2) * step;
    return status;
}

static enum status prepare_figures_file(struct step_statistics *statistics, struct error *error)
{
    const char *name = statistics->request.name;
    return name ? output_file_prepare(&statistics->file, name, error) : STATUS_DONE;
}

static enum status step_statistics_begin(struct observer *observer, const struct snapshot *snapshot,
                                         struct error *error)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    (void)snapshot;
    statistics->steps = steps_among(observer->all);
    return prepare_figures_file(statistics, error);
}

static void add_figures(struct step_statistics *statistics, const struct step_figure *figures,
                        size_t count)
{
    memcpy(statistics->figures + statistics->figure_count, figures, count * sizeof *figures);
    statistics->figure_count += count;
}

static void add_run(struct step_statistics *statistics, const struct snapshot *snapshot)
{
    const struct steps *steps = statistics->steps;
    const struct system *system = snapshot->system;
    const double made = (double)(steps->done - statistics->done);
    const struct step_figure figures[] = {
        {{"particles", "particles", "", FIGURE_WHOLE},
         "How many particles there are.",
         (double)system->count},
        {{"box_width", "box width", "length", FIGURE_REAL},
         "The length of the box along x.",
         system->boundary.width},
        {{"box_height", "box height", "length", FIGURE_REAL},
         "The length of the box along y.",
         system->boundary.height},
        {{"end_time", "end time", "time", FIGURE_REAL},
         "When the run ends, in the units of the input.",
         snapshot->time},
        {{"stats_from", "figures count from", "time", FIGURE_REAL},
         "What happens before this time does not count in the figures.",
         statistics->from},
        {{"step", "step", "time", FIGURE_REAL}, "The time of a step.", steps->step},
        {{"substeps", "substeps of each", "", FIGURE_WHOLE},
         "In how many parts each step is computed.",
         steps->substeps},
        {{"substeps_made", "substeps made", "", FIGURE_WHOLE},
         "How many of these parts count.",
         made},
    };
    add_figures(statistics, figures, sizeof figures / sizeof *figures);
}

/* The energy of a field, and so its relative change, depends on where it is 0. */
static void add_changes(struct step_statistics *statistics, const struct step_state *end)
{
    const struct step_state *start = &statistics->start;
    const double before = start->kinetic + start->potential;
    const double after = end->kinetic + end->potential;
    const struct step_figure figures[] = {
        {{"contacts_walls", "contacts with walls and polygons", "", FIGURE_WHOLE},
         "How often a particle came into contact with a wall or a polygon.",
         end->walls - start->walls},
        {{"contacts_pairs", "contacts of two particles", "", FIGURE_WHOLE},
         "How often two particles came into contact with each other.",
         end->pairs - start->pairs},
        {{"energy_start", "energy at the start", "energy", FIGURE_REAL},
         "The energy of motion and of the interactions when the figures begin.",
         before},
        {{"energy_end", "energy at the end", "energy", FIGURE_REAL},
         "The same at the end of the run.",
         after},
        {{"energy_drift", "  relative change", "", FIGURE_REAL},
         "The change of the energy, as part of what it was at the start. What that is depends on "
         "where the energy of a field is called 0.",
         (after - before) / fabs(before)},
        {{"energy_kinetic_start", "  kinetic, at the start", "energy", FIGURE_REAL},
         "The energy of motion when the figures begin.",
         start->kinetic},
        {{"energy_kinetic_end", "  kinetic, at the end", "energy", FIGURE_REAL},
         "The energy of motion at the end.",
         end->kinetic},
        {{"energy_potential_start", "  potential, at the start", "energy", FIGURE_REAL},
         "The energy of the interactions when the figures begin.",
         start->potential},
        {{"energy_potential_end", "  potential, at the end", "energy", FIGURE_REAL},
         "The energy of the interactions at the end.",
         end->potential},
        {{"momentum_x_start", "momentum in x at the start", "momentum", FIGURE_REAL},
         "The sum of mass times velocity along x when the figures begin.",
         start->momentum_x},
        {{"momentum_x_end", "momentum in x at the end", "momentum", FIGURE_REAL},
         "The same at the end. Walls, polygons and fields change it.",
         end->momentum_x},
        {{"momentum_y_start", "momentum in y at the start", "momentum", FIGURE_REAL},
         "The sum of mass times velocity along y when the figures begin.",
         start->momentum_y},
        {{"momentum_y_end", "momentum in y at the end", "momentum", FIGURE_REAL},
         "The same at the end. Walls, polygons and fields change it.",
         end->momentum_y},
    };
    add_figures(statistics, figures, sizeof figures / sizeof *figures);
}

static void add_samples(struct step_statistics *statistics, const struct snapshot *snapshot)
{
    const struct system *system = snapshot->system;
    const double seconds = statistics->request.clock() - statistics->began;
    const double made = (double)(statistics->steps->done - statistics->done);
    const double freedom = tally_half_freedom(system);
    const double deviation = steps_deviation(statistics->steps);
    const struct step_figure figures[] = {
        {{"temperature_mean", "temperature, mean", "energy", FIGURE_REAL},
         "The kinetic energy for each two degrees of freedom, averaged over the ends of steps. "
         "Boltzmann's constant is 1.",
         sum_value(&statistics->thermal) / (double)statistics->samples / freedom},
        {{"temperature_end", "temperature at the end", "energy", FIGURE_REAL},
         "The same at the end of the run.",
         tally_motion(snapshot).thermal / freedom},
        {{"constraint_error_largest", "constraint error, largest", "length", FIGURE_REAL},
         "How far the particles have been, at the end of any step, from what the constraints ask "
         "for.",
         fmax(statistics->deviation, deviation)},
        {{"constraint_error_end", "constraint error at the end", "length", FIGURE_REAL},
         "How far they are from that at the end.",
         deviation},
        {{"seconds", "elapsed time", "seconds", FIGURE_REAL},
         "How long the computer took.",
         seconds},
        {{"substeps_per_second", "substeps of a particle per second", "1/second", FIGURE_REAL},
         "How many substeps of one particle it computed in a second.",
         made * (double)system->count / seconds},
    };
    add_figures(statistics, figures, sizeof figures / sizeof *figures);
}

static enum status step_statistics_finish(struct observer *observer,
                                          const struct snapshot *snapshot, struct error *error)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    const struct step_figure *figures = statistics->figures;
    struct step_state end;
    enum status status = STATUS_DONE;
    if (!statistics->is_counting)
        status = start_figures(statistics, snapshot, error);
    if (!status)
        status = measure_state(statistics->steps, snapshot, &end, error);
    if (status)
        return status;
    add_run(statistics, snapshot);
    add_changes(statistics, &end);
    add_samples(statistics, snapshot);
    if (!statistics->request.name && !statistics->request.table)
        return STATUS_DONE;
    if (!statistics->request.name) {
        for (size_t k = 0; k < statistics->figure_count; k++)
            figure_write_row(&figures[k].description, figures[k].value, statistics->request.table);
        return text_flush(statistics->request.table, "standard error", error);
    }
    status = output_file_begin(&statistics->file, error);
    if (status)
        return status;
    statistics->file.is_durable = observer->is_resumable;
    for (size_t k = 0; k < statistics->figure_count; k++)
        figure_write_line(&figures[k].description, figures[k].value, statistics->file.stream);
    return output_file_complete(&statistics->file, error);
}

size_t step_statistics_list(const struct observer *observer,
                            struct report_figure list[REPORT_MOST_FIGURES])
{
    const struct step_statistics *statistics = (const struct step_statistics *)observer;
    const struct step_figure *figures = statistics->figures;
    for (size_t k = 0; k < statistics->figure_count; k++)
        list[k] =
            (struct report_figure){&figures[k].description, figures[k].meaning, figures[k].value};
    return statistics->figure_count;
}

/* The numbers that are saved, in this order. */
enum { SAVED_NUMBERS = STATE_NUMBERS + 4 };

static void list_saved_numbers(struct step_statistics *statistics, double *list[SAVED_NUMBERS])
{
    double *const numbers[SAVED_NUMBERS] = {&statistics->from,
                                            &statistics->thermal.rounded,
                                            &statistics->thermal.rest,
                                            &statistics->deviation,
                                            &statistics->start.kinetic,
                                            &statistics->start.potential,
                                            &statistics->start.momentum_x,
                                            &statistics->start.momentum_y,
                                            &statistics->start.walls,
                                            &statistics->start.pairs};
    for (int k = 0; k < SAVED_NUMBERS; k++)
        list[k] = numbers[k];
}

static enum status step_statistics_save(struct observer *observer, const struct snapshot *snapshot,
                                        struct record_writer *writer, struct error *error)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    double *list[SAVED_NUMBERS];
    (void)snapshot, (void)error;
    list_saved_numbers(statistics, list);
    record_put_number(writer, statistics->request.from);
    record_put_whole(writer, (uint64_t)statistics->is_counting);
    record_put_number(writer, observer->next_look);
    record_put_whole(writer, statistics->done);
    record_put_whole(writer, statistics->samples);
    record_put_number(
        writer, statistics->is_counting ? statistics->request.clock() - statistics->began : 0);
    for (int k = 0; k < SAVED_NUMBERS; k++)
        record_put_number(writer, *list[k]);
    record_end_line(writer);
    return STATUS_DONE;
}

static enum status step_statistics_load(struct observer *observer, const struct snapshot *snapshot,
                                        struct record_reader *reader, struct error *error)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    double *list[SAVED_NUMBERS];
    (void)snapshot;
    statistics->steps = steps_among(observer->all);
    list_saved_numbers(statistics, list);
    const double from = record_take_number(reader, 0, DBL_MAX);
    statistics->is_counting = (int)record_take_whole(reader, 1);
    observer->next_look = record_take_number(reader, 0, DBL_MAX);
    statistics->done = record_take_whole(reader, UINT64_MAX);
    statistics->samples = record_take_whole(reader, UINT64_MAX);
    statistics->began = statistics->request.clock() - record_take_number(reader, 0, DBL_MAX);
    for (int k = 0; k < SAVED_NUMBERS; k++)
        *list[k] = record_take_number(reader, -DBL_MAX, DBL_MAX);
    record_expect_line_end(reader);
    if (!reader->status && from != statistics->request.from)
        return statistics_refuse_from(reader->name, from, error);
    return reader->status ? reader->status : prepare_figures_file(statistics, error);
}

static void step_statistics_free(struct observer *observer)
{
    struct step_statistics *statistics = (struct step_statistics *)observer;
    output_file_abandon(&statistics->file);
    memory_free(statistics);
}

enum status step_statistics_create(const struct statistics_request *request,
                                   struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {
        .begin = step_statistics_begin,
        .look = step_statistics_sample,
        .finish = step_statistics_finish,
        .option = "--stats",
        .save = step_statistics_save,
        .load = step_statistics_load,
        .free = step_statistics_free,
    };
    struct step_statistics *statistics =
        memory_allocate(1, sizeof *statistics, "the statistics", error);
    if (!statistics)
        return STATUS_NO_MEMORY;
    *statistics = (struct step_statistics){
        .observer = {.operations = &statistics->operations, .next_look = request->from},
        .operations = operations,
        .request = *request,
    };
    /* So that a run without --stats is not resumed with it, nor the other way round. */
    if (!request->name && !request->table)
        statistics->operations.option = "--report";
    *observer = &statistics->observer;
    return STATUS_DONE;
}
