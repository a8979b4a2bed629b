/*
 * Measures what particles do to obstacles (force_sums.h), and writes the series of forces as the
 * run goes on and the means when it is over; see forces.h.
 *
 * Coefficients compare a force with what the stream could do to a body that stops it: q L for a
 * length L across it, with the dynamic pressure q = rho U^2 / 2. The density rho is that of the
 * stream which comes in, and follows from how many particles do (stream_mean_speed). It is not that
 * of the whole, all mass / the free area, where gas is stored before a body or missing behind it.
 * The pressure of the stream is that of a fluid of its density and temperature (enskog.h).
 */
#include "observe/forces.h"

#include "base/memory.h"
#include "enskog.h"
#include "force_sums.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/text.h"
#include "measured.h"
#include "model/reach.h"
#include "observe/frames.h"
#include "observe/tally.h"
#include "observe/trajectory.h"

#include <float.h>
#include <math.h>

struct forces {
    struct observer observer; /* the first member: see observer.h */
    struct forces_request request;
    struct output_file file;
    int is_counting;      /* the time from which hits count has come */
    double since;         /* the series has been written up to this time */
    uint64_t next_frame;  /* where it goes on */
    struct frames frames; /* only of a series */
    struct force_sums sums;
    struct error warning; /* after `finish`; without a message if there is none */
};

/* A time of which a row gives the mean. */
struct span {
    double from, to;
};

/* Which row to write: of an obstacle, or of one of its sides; or if these are NONE, of the whole.
 */
struct place {
    size_t obstacle, side;
};

static const size_t NONE = SIZE_MAX;

enum { STRETCHES = 64 }; /* of the course of the force, for the report; a divisor of BLOCKS */

/* Writes a comma, and a number if it is determined. */
static void write_field(FILE *stream, double value)
{
    char text[NUMBER_SHORTEST_SIZE] = "";
    if (isfinite(value))
        number_write_shortest(text, value + 0.0); /* + 0.0: there is no -0 */
    fprintf(stream, ",%s", text);
}

/* Only where there is a series rows tell of which time they are. */
static void write_row(const struct forces *forces, struct place place, const char *quantity,
                      struct estimate estimate, struct span span)
{
    FILE *stream = forces->file.stream;
    if (place.obstacle != NONE)
        fprintf(stream, "%zu", place.obstacle);
    fputc(',', stream);
    if (place.side != NONE)
        fprintf(stream, "%zu", place.side);
    fprintf(stream, ",%s", quantity);
    write_field(stream, estimate.value);
    write_field(stream, estimate.error);
    if (forces->request.interval > 0) {
        write_field(stream, span.from);
        write_field(stream, span.to);
    }
    fputc('\n', stream);
}

static struct estimate exactly(double value)
{
    return (struct estimate){value, (double)NAN};
}

/* A quantity in other units: (value - zero) * factor. */
static struct estimate convert(struct estimate estimate, double zero, double factor)
{
    return (struct estimate){(estimate.value - zero) * factor, estimate.error * fabs(factor)};
}

static const char *const gain_names[GAINS] = {"force_x", "force_y", "torque"};

/* Begins to count, at a time, and finds the first frame after it. */
static void begin_counting(struct forces *forces, double time)
{
    force_sums_begin(&forces->sums, time, forces->request.to);
    forces->is_counting = 1;
    forces->since = time;
    if (forces->request.interval > 0) {
        forces->next_frame = frames_first(&forces->frames, time);
        if (frames_time(&forces->frames, forces->next_frame) <= time)
            forces->next_frame++;
    }
}

/* Without a series, and after it, there is nothing to look at. */
static void set_next_look(struct forces *forces)
{
    forces->observer.next_look = (double)INFINITY;
    if (!forces->is_counting)
        forces->observer.next_look = forces->request.from;
    else if (forces->request.interval > 0)
        forces->observer.next_look = frames_time(&forces->frames, forces->next_frame);
}

/* Writes the mean forces since the last row of the series. */
static void write_series(struct forces *forces, double time)
{
    const struct span span = {forces->since, time};
    for (size_t k = 0; k < forces->sums.count; k++) {
        double gained[GAINS];
        force_sums_note(&forces->sums.obstacles[k], gained);
        for (int gain = 0; gain < GAINS; gain++)
            write_row(forces, (struct place){k, NONE}, gain_names[gain],
                      exactly(gained[gain] / (span.to - span.from)), span);
    }
    forces->since = time;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    if (!forces->is_counting) {
        begin_counting(forces, snapshot->time);
    } else {
        write_series(forces, snapshot->time);
        forces->next_frame++;
    }
    set_next_look(forces);
    if (ferror(forces->file.stream))
        return text_flush(forces->file.stream, forces->request.name, error);
    return STATUS_DONE;
}

/* From time 0 on hits count at once, with those at 0: a look would come after them. */
static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    enum status status = force_sums_create(&forces->sums, &snapshot->system->boundary, error);
    if (!status)
        status = output_file_open_resumable(&forces->file, forces->request.name,
                                            observer->is_resumable, &observer->is_saved, error);
    if (status)
        return status;
    if (forces->request.from == 0)
        begin_counting(forces, 0);
    set_next_look(forces);
    fprintf(forces->file.stream, "obstacle,side,quantity,value,error%s\n",
            forces->request.interval > 0 ? ",from,to" : "");
    return STATUS_DONE;
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    (void)error;
    if (forces->is_counting)
        force_sums_collide(&forces->sums, collision);
    return STATUS_DONE;
}

static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    (void)error;
    if (forces->is_counting)
        force_sums_renew(&forces->sums, passage);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    (void)snapshot;
    record_put_number(writer, forces->request.from);
    record_put_number(writer, forces->request.interval);
    record_put_whole(writer, (uint64_t)forces->is_counting);
    record_put_number(writer, forces->since);
    record_put_whole(writer, forces->next_frame);
    record_end_line(writer);
    if (forces->is_counting)
        force_sums_save(&forces->sums, writer);
    return output_file_save(&forces->file, writer, error);
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    const struct forces_request *request = &forces->request;
    const double from = record_take_number(reader, 0, DBL_MAX);
    const double interval = record_take_number(reader, 0, DBL_MAX);
    forces->is_counting = (int)record_take_whole(reader, 1);
    forces->since = record_take_number(reader, 0, DBL_MAX);
    forces->next_frame = record_take_whole(reader, (uint64_t)TRAJECTORY_MOST_FRAMES + 2);
    record_expect_line_end(reader);
    if (!reader->status && (from != request->from || interval != request->interval))
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run with --stats-from=%.17g and %s%.17g "
                         "for --forces: give it again",
                         reader->name, from, interval > 0 ? "--every=" : "without --every, ",
                         interval);
    enum status status = force_sums_create(&forces->sums, &snapshot->system->boundary, error);
    if (status)
        return status;
    if (forces->is_counting)
        force_sums_load(&forces->sums, from, request->to, reader);
    set_next_look(forces);
    return reader->status ? reader->status
                          : output_file_load(&forces->file, request->name, reader, error);
}

/* The gas in which the obstacles are. */
struct gas {
    double passage;          /* the time in which its particles cross the box */
    int is_stream;           /* only of one there is the rest: */
    double speed;            /* U */
    struct estimate density; /* particles per area, of what comes in, */
    double crowding;         /* and divided by that of the whole */
    double dynamic_pressure; /* q, */
    double per_inflow;       /* and divided by the inflow of mass per time */
    double pressure;         /* / q, where nothing disturbs it; NAN if there is no prediction */
};

/* Blocks last so long, but not longer than this part of the run: see find_least. */
static const double MOST_OF_RUN = 1.0 / 16;

/*
 * How long blocks last. The force remembers for as long as particles and sound need to cross the
 * box: a surge is followed by a lull, for there are only so many particles. Shorter blocks would
 * show errors that are too large, by a half where the box is small; so they last that long.
 */
static double find_least(const struct forces *forces, const struct gas *gas)
{
    return fmin(gas->passage, (forces->request.to - forces->request.from) * MOST_OF_RUN);
}

static struct gas describe_gas(const struct forces *forces, const struct snapshot *snapshot)
{
    const struct system *system = snapshot->system;
    const struct boundary *boundary = &system->boundary;
    const struct stream *stream = &boundary->stream;
    const struct force_sums *sums = &forces->sums;
    struct sum mass = {0};
    for (size_t k = 0; k < system->count; k++)
        sum_add(&mass, system_mass(system, &system->particles[k]));
    const double speed = sqrt(2 * tally_motion(snapshot).energy / sum_value(&mass));
    struct gas gas = {.passage = fmax(boundary->width, boundary->height) / speed};
    if (!stream->draw)
        return gas;
    gas.is_stream = 1;
    gas.speed = stream->speed;
    gas.density =
        convert(force_sums_mean(sums, &sums->inflow[INFLOW_NUMBER], find_least(forces, &gas)), 0,
                1 / boundary->height);
    gas.crowding = gas.density.value * reach_area(boundary) / (double)system->count;
    gas.per_inflow = stream->speed * stream->speed / (2 * boundary->height);
    gas.dynamic_pressure =
        gas.per_inflow * force_sums_mean(sums, &sums->inflow[INFLOW_MASS], 0).value;
    gas.pressure = gas.density.value * stream->temperature / gas.dynamic_pressure *
                   enskog_predict_at(system, stream->temperature, gas.crowding).compressibility;
    return gas;
}

/* A sum of a side per time and length; in a stream, / q. */
static struct estimate measure_side(const struct forces *forces, const struct gas *gas, size_t side,
                                    int sum)
{
    const double length = forces->sums.polygons->sides[side].length;
    if (!gas->is_stream)
        return convert(force_sums_side(&forces->sums, side, sum), 0, 1 / length);
    return convert(force_sums_side_ratio(&forces->sums, side, sum), 0,
                   1 / (gas->per_inflow * length));
}

/* Writes the rows of each side of an obstacle. */
static void write_sides(const struct forces *forces, const struct gas *gas, size_t number,
                        struct span span)
{
    const struct polygons *polygons = forces->sums.polygons;
    const struct polygon *polygon = &polygons->list[forces->sums.obstacles[number].polygon];
    for (size_t k = 0; k < polygon->side_count; k++) {
        const size_t side = polygon->first_side + k;
        const struct place place = {number, k};
        write_row(forces, place, "hits", exactly(force_sums_hits(&forces->sums, side)), span);
        write_row(forces, place, gas->is_stream ? "pressure_coefficient" : "pressure",
                  convert(measure_side(forces, gas, side, SIDE_NORMAL), gas->pressure, 1), span);
        write_row(forces, place, gas->is_stream ? "shear_coefficient" : "shear",
                  measure_side(forces, gas, side, SIDE_ALONG), span);
    }
}

/* How often an obstacle has been hit, as all of its sides. */
static double count_hits(const struct force_sums *sums, const struct obstacle *obstacle)
{
    const struct polygon *polygon = &sums->polygons->list[obstacle->polygon];
    double hits = 0;
    for (size_t k = 0; k < polygon->side_count; k++)
        hits += force_sums_hits(sums, polygon->first_side + k);
    return hits;
}

/* Writes all rows of an obstacle. */
static void write_obstacle(const struct forces *forces, const struct gas *gas, size_t number)
{
    const struct force_sums *sums = &forces->sums;
    const struct obstacle *obstacle = &sums->obstacles[number];
    const struct polygon_shape *shape = &obstacle->shape;
    const struct span span = {forces->request.from, forces->request.to};
    const struct place place = {number, NONE};
    const double reference = forces->request.reference;
    const double drag_length = reference > 0 ? reference : shape->across;
    const double lift_length = reference > 0 ? reference : shape->chord;
    const double least = find_least(forces, gas);
    for (int gain = 0; gain < GAINS; gain++)
        write_row(forces, place, gain_names[gain],
                  force_sums_mean(sums, &obstacle->gains[gain], least), span);
    if (gas->is_stream) {
        const struct course *inflow = &sums->inflow[INFLOW_MASS];
        const double unit = copysign(gas->per_inflow, gas->speed);
        write_row(forces, place, "drag_coefficient",
                  convert(force_sums_ratio(sums, &obstacle->gains[GAIN_X], inflow, least), 0,
                          1 / (unit * drag_length)),
                  span);
        write_row(forces, place, "lift_coefficient",
                  convert(force_sums_ratio(sums, &obstacle->gains[GAIN_Y], inflow, least), 0,
                          1 / (gas->per_inflow * lift_length)),
                  span);
        write_row(forces, place, "inflow_ratio", force_sums_inflow(sums, obstacle), span);
        write_row(forces, place, "reference_length_drag", exactly(drag_length), span);
        write_row(forces, place, "reference_length_lift", exactly(lift_length), span);
    }
    write_row(forces, place, "hits", exactly(count_hits(sums, obstacle)), span);
    write_sides(forces, gas, number, span);
}

/* Writes the rows of the stream. */
static void write_stream(const struct forces *forces, const struct gas *gas)
{
    const struct span span = {forces->request.from, forces->request.to};
    const struct place place = {NONE, NONE};
    const double mean = gas->density.value / gas->crowding;
    write_row(forces, place, "stream_density", gas->density, span);
    write_row(forces, place, "stream_density_ratio", convert(gas->density, 0, 1 / mean), span);
}

/* By how many standard errors what should be equal may differ; and by which part at least, for a
 * difference that is known well may be of no importance. */
static const double MAX_ERRORS = 4;
static const double MIN_DIFFERENCE = 0.02;

/* By which part the density of the stream may differ from the mean: gas is on its way from one
 * image of an obstacle to the next one. */
static const double MAX_STORED = 0.05;

/* Finds out whether the drag can be trusted, of an obstacle that is the largest across. */
static void judge(struct forces *forces, const struct gas *gas)
{
    const struct force_sums *sums = &forces->sums;
    struct error *warning = &forces->warning;
    const char *separator = "the drag of --forces should not be trusted:";
    size_t largest = 0;
    for (size_t k = 1; k < sums->count; k++)
        if (sums->obstacles[k].shape.across > sums->obstacles[largest].shape.across)
            largest = k;
    const double drift = fabs(force_sums_drift(sums));
    const struct estimate inflow = force_sums_inflow(sums, &sums->obstacles[largest]);
    const double away = fabs(inflow.value - 1);
    error_set(warning, STATUS_DONE, "%s", "");
    if (drift > MAX_ERRORS) {
        error_append(warning,
                     "%s in the first and the second half of the time it differs by %.1f standard "
                     "errors",
                     separator, drift);
        separator = "; and";
    }
    if (away > MIN_DIFFERENCE && away > MAX_ERRORS * inflow.error) {
        error_append(warning,
                     "%s before obstacle %zu, %.3g +- %.1g of the density of the stream comes in, "
                     "for a wake comes back through the seam: make the box longer",
                     separator, largest, inflow.value, inflow.error);
        separator = "; and";
    }
    const double stored = fabs(gas->crowding - 1);
    const double error = gas->crowding * gas->density.error / gas->density.value;
    if (stored > MAX_STORED && !(stored <= MAX_ERRORS * error))
        error_append(warning,
                     "%s the stream has %.3g of the mean density, for obstacles meet what their "
                     "images turn away: make the box higher and longer",
                     separator, gas->crowding);
    if (warning->message[0] && !forces->request.is_quiet)
        forces->observer.all->warn(warning);
}

const char *forces_warning(const struct observer *observer)
{
    const struct forces *forces = (const struct forces *)observer;
    return forces->warning.message[0] ? forces->warning.message : NULL;
}

/* Tells the force on all obstacles together, in stretches of the time that counts. */
static void tell_course(const struct force_sums *sums, const struct row_sink *sink)
{
    static const char *const names[] = {"force_x_at", "force_y_at"};
    const size_t joined = BLOCKS / STRETCHES;
    const double length = block_times_length(&sums->times, joined - 1);
    if (!(length > 0) || sums->count == 0)
        return;
    for (size_t end = joined; end <= BLOCKS; end += joined) {
        const double time = sums->times.from + block_times_length(&sums->times, end - 1);
        for (int gain = GAIN_X; gain <= GAIN_Y; gain++) {
            double gained = 0;
            for (size_t k = 0; k < sums->count; k++) {
                const struct obstacle *obstacle = &sums->obstacles[k];
                const double *marks = obstacle->gains[gain].marks;
                gained += marks[end - 1] - (end > joined ? marks[end - joined - 1] : 0);
            }
            sink->take(sink->to, names[gain], "all", time - length / 2, exactly(gained / length));
        }
    }
}

void forces_tell(const struct observer *observer, const struct snapshot *snapshot,
                 const struct row_sink *sink)
{
    const struct forces *forces = (const struct forces *)observer;
    const struct gas gas = describe_gas(forces, snapshot);
    for (size_t k = 0; k < forces->sums.count; k++)
        for (int gain = GAIN_X; gain <= GAIN_Y; gain++)
            sink->take(sink->to, gain_names[gain], "all", (double)k,
                       force_sums_mean(&forces->sums, &forces->sums.obstacles[k].gains[gain],
                                       find_least(forces, &gas)));
    tell_course(&forces->sums, sink);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    force_sums_complete(&forces->sums);
    const struct gas gas = describe_gas(forces, snapshot);
    if (gas.is_stream)
        write_stream(forces, &gas);
    if (gas.is_stream && forces->sums.count > 0)
        judge(forces, &gas);
    for (size_t k = 0; k < forces->sums.count; k++)
        write_obstacle(forces, &gas, k);
    return output_file_complete(&forces->file, error);
}

static void free_forces(struct observer *observer)
{
    struct forces *forces = (struct forces *)observer;
    output_file_abandon(&forces->file);
    force_sums_free(&forces->sums);
    memory_free(forces);
}

enum status forces_create(const struct forces_request *request, struct observer **observer,
                          struct error *error)
{
    static const struct observer_operations operations = {.begin = begin,
                                                          .is_of_boundary = 1,
                                                          .collide = collide,
                                                          .renew = renew,
                                                          .look = look,
                                                          .finish = finish,
                                                          .option = "--forces",
                                                          .save = save,
                                                          .load = load,
                                                          .free = free_forces};
    struct forces *forces = memory_allocate(1, sizeof *forces, "the forces", error);
    if (!forces)
        return STATUS_NO_MEMORY;
    *forces = (struct forces){.observer = {.operations = &operations, .told_from = request->from},
                              .request = *request,
                              .frames = {request->interval, request->to}};
    forces->observer.next_look = (double)INFINITY; /* until it begins */
    *observer = &forces->observer;
    return STATUS_DONE;
}
