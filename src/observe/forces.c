/*
 * Measures the forces of particles on obstacles; see observe/writers.h.
 *
 * Coefficients compare a force with what the stream could do to a body that stops it: q L for a
 * length L across it, with the dynamic pressure q = rho U^2 / 2. The density rho of the stream
 * which comes in follows from the number of particles that come in (tally.h). It differs from the
 * mean density, all mass / the free area, where gas is stored before a body or missing behind it.
 * The pressure of the stream is of a fluid with its density and temperature (model/enskog.h).
 *
 * A flow has no hits: what each side has got is read off it; what comes in has the mean density.
 */
#include "observe/writers.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "blocks.h"
#include "figures.h"
#include "io/number.h"
#include "io/record.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/enskog.h"
#include "model/polygons.h"
#include "model/region.h"
#include "tally.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The gains of an obstacle: momentum along x and y, and angular momentum about its centroid; where
 * walls act, also the parts of the momentum along its surface, and energy. */
enum { GAIN_X, GAIN_Y, GAIN_TORQUE, GAIN_FRICTION_X, GAIN_FRICTION_Y, GAIN_HEAT, GAINS };

static const char *const gain_names[GAINS] = {"force_x",    "force_y",    "torque",
                                              "friction_x", "friction_y", "heat"};

/* Of each side: its hits, the momentum along its normal and along the side itself, and energy. */
enum { SIDE_HITS, SIDE_NORMAL, SIDE_ALONG, SIDE_HEAT, SIDE_SUMS };

/* The inflow: of particles that a stream has given a velocity, the weights of struct inflow_gauge,
 * and these times m. Per time these are the number and the mass per area of the stream. */
enum { INFLOW_NUMBER, INFLOW_MASS, INFLOWS };

/* Parts of the height: in each, m / E|u| of particles that reach the seam in x is summed up. */
enum { INFLOW_ROWS = 64 };

enum { INTERVALS = 64 }; /* intervals of the force in the report; a divisor of BLOCKS */

/* A sum, and its values in the course of the run. */
struct force_course {
    struct sum sum;
    double noted;         /* its value at the last row of a series */
    double marks[BLOCKS]; /* and at the end of each block */
};

struct force_obstacle {
    size_t polygon; /* its number among all polygons */
    struct polygon_shape shape;
    struct force_course *gains; /* forces->gains of them */
};

struct forces {
    struct observer observer;         /* the first member: see observer.h */
    int is_counting;                  /* 1 from the time on from which hits count */
    double since, until;              /* the next rows are means over this time */
    uint64_t next_frame;              /* the frame of the next row of a series */
    const struct boundary *boundary;  /* of the run; not owned */
    const struct polygons *polygons;  /* of the run; not owned; NULL: none */
    size_t count;                     /* of the obstacles, which are in the order of the polygons */
    struct force_obstacle *obstacles; /* owned; NULL: there are none */
    struct force_course *courses;     /* of the gains of all obstacles; owned */
    int gains;                        /* how many each one has: GAINS where walls act */
    size_t *numbers;          /* of each polygon: which obstacle it is; owned; NULL without any */
    struct block_times times; /* of the marks */
    struct block_sums sides;  /* SIDE_SUMS for each side; sums of rows; the inflow of mass */
    int has_flow;             /* a flow acts on the obstacles, if there are any: */
    double (*noted)[3];       /* of each side, what it had got at the last sample; owned */
    double sampled;           /* the time of that sample */
    struct force_course inflow[INFLOWS];
    struct inflow_gauge gauge;
    /* After `finish`: */
    double least;                  /* the least duration of a block, see find_least */
    int is_stream;                 /* the gas comes in; if so, these are set, too: */
    struct block_estimate density; /* particles per area of the inflow, */
    double crowding;               /* this density / the mean density */
    double per_inflow;    /* the dynamic pressure q, divided by the inflow of mass per time */
    double pressure;      /* / q, where nothing disturbs it; NAN if there is no prediction */
    struct error warning; /* without a message if there is none */
};

static enum status create_obstacles(struct forces *forces, struct error *error)
{
    const struct polygons *polygons = forces->polygons;
    forces->obstacles =
        memory_allocate(forces->count, sizeof *forces->obstacles, "the forces on obstacles", error);
    forces->numbers = memory_allocate(polygons->count, sizeof *forces->numbers,
                                      "the numbers of obstacles", error);
    forces->gains = wall_laws_act(forces->boundary) && !forces->has_flow ? GAINS : GAIN_FRICTION_X;
    forces->noted =
        memory_allocate_zeros(polygons->side_count, sizeof *forces->noted, "the sides", error);
    forces->courses =
        memory_allocate_zeros(forces->count * (size_t)forces->gains, sizeof *forces->courses,
                              "the forces on obstacles", error);
    if (!forces->obstacles || !forces->numbers || !forces->courses || !forces->noted)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_DONE;
    for (size_t k = 0, number = 0; k < polygons->count && !status; k++) {
        forces->numbers[k] = number;
        if (polygons->list[k].is_domain)
            continue;
        struct force_obstacle *obstacle = &forces->obstacles[number];
        *obstacle = (struct force_obstacle){
            .polygon = k, .gains = &forces->courses[number++ * (size_t)forces->gains]};
        status = polygon_shape_find(polygons, k, &obstacle->shape, error);
    }
    return status;
}

/* The first row of the inflow in the table of sums. */
static size_t find_inflow(const struct forces *forces)
{
    return SIDE_SUMS * forces->polygons->side_count;
}

static void forces_mark(struct forces *forces)
{
    struct block_times *times = &forces->times;
    for (size_t k = 0; k < forces->count * (size_t)forces->gains; k++)
        forces->courses[k].marks[times->complete] = sum_value(&forces->courses[k].sum);
    for (int inflow = 0; inflow < INFLOWS; inflow++)
        forces->inflow[inflow].marks[times->complete] = sum_value(&forces->inflow[inflow].sum);
    block_times_begin(times, times->from, times->to, times->complete + 1);
}

/* The momentum that an obstacle gains along the outward normal of a side: less than 0. */
static double along_normal(const struct polygon_side *side, double x, double y)
{
    return side->facing * ((side->lx * y - side->ly * x) / side->length);
}

/* The momentum along a side, from the vertex where it begins to the next one. */
static double along_side(const struct polygon_side *side, double x, double y)
{
    const double along = (side->lx * x + side->ly * y) / side->length;
    return side->is_thin && side->facing < 0 ? -along : along;
}

/* Adds a hit to the sums of a side; a smooth one gains no momentum but along its normal. The force
 * of such a side and of a corner acts along the line through the centre of the disk. A corner
 * belongs to the side whose normal is nearer to that line, or to the one that begins there. */
static void add_to_side(struct forces *forces, const struct collision *collision, double x,
                        double y, double heat)
{
    const struct polygons *polygons = forces->polygons;
    const int is_corner = polygons_is_corner(collision->feature);
    const struct polygon_side *side = &polygons->sides[polygons_side(collision->feature)];
    const struct polygon_side *before = polygons_side_before(polygons, side);
    if (is_corner && along_normal(before, x, y) < along_normal(side, x, y))
        side = before;
    const int block = block_sums_find(forces->times.from, forces->times.to, collision->time);
    double *table =
        block_sums_table(&forces->sides, block) + SIDE_SUMS * (size_t)(side - polygons->sides);
    table[SIDE_HITS]++;
    table[SIDE_NORMAL] -= along_normal(side, x, y);
    if (is_corner || wall_laws_act(forces->boundary))
        table[SIDE_ALONG] += along_side(side, x, y);
    table[SIDE_HEAT] += heat;
}

/* Of a flow: adds what sides have got by `time` since the last sample, the part of it that is due
 * to the time from `begin` to `end`, and what came in then. */
static void add_flow(struct forces *forces, double time, double begin, double end)
{
    const struct dynamics *dynamics = forces->observer.all->dynamics;
    const struct dynamics_gas *gas = &dynamics->gas;
    const struct polygons *polygons = forces->polygons;
    const double duration = end - begin, part = duration / (time - forces->sampled);
    const double came = gas->density * duration;
    const int block = block_sums_find(forces->times.from, forces->times.to, begin);
    double *table = block_sums_table(&forces->sides, block);
    for (size_t side = 0; side < polygons->side_count; side++) {
        const struct polygon_side *line = &polygons->sides[side];
        double momentum[3];
        dynamics->operations->flow.push(dynamics, side, time, momentum);
        if (polygons->list[line->polygon].is_domain)
            continue;
        struct force_obstacle *obstacle = &forces->obstacles[forces->numbers[line->polygon]];
        const double x = part * (momentum[0] - forces->noted[side][0]);
        const double y = part * (momentum[1] - forces->noted[side][1]);
        sum_add(&obstacle->gains[GAIN_X].sum, x);
        sum_add(&obstacle->gains[GAIN_Y].sum, y);
        sum_add(&obstacle->gains[GAIN_TORQUE].sum,
                part * (momentum[2] - forces->noted[side][2]) -
                    (obstacle->shape.x * y - obstacle->shape.y * x));
        table[SIDE_SUMS * side + SIDE_NORMAL] +=
            gas->pressure * line->length * duration - along_normal(line, x, y);
        table[SIDE_SUMS * side + SIDE_ALONG] += along_side(line, x, y);
    }
    sum_add(&forces->inflow[INFLOW_NUMBER].sum, came);
    sum_add(&forces->inflow[INFLOW_MASS].sum, gas->mass * came);
    table[find_inflow(forces) + INFLOW_ROWS] += gas->mass * came;
}

/* Of a flow: adds what has been since the last sample, evenly over the time. */
static void forces_take_flow(struct forces *forces, double time)
{
    const struct dynamics *dynamics = forces->observer.all->dynamics;
    for (double begin = forces->sampled; begin < time;) {
        const double end = fmin(time, forces->times.end);
        add_flow(forces, time, begin, end);
        if (end < time)
            forces_mark(forces);
        begin = end;
    }
    for (size_t side = 0; side < forces->polygons->side_count; side++)
        dynamics->operations->flow.push(dynamics, side, time, forces->noted[side]);
    forces->sampled = time;
}

static void forces_hit(struct forces *forces, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const size_t polygon = polygons_polygon(forces->polygons, collision->feature);
    if (forces->polygons->list[polygon].is_domain)
        return;
    while (collision->time > forces->times.end)
        forces_mark(forces);
    struct force_obstacle *obstacle = &forces->obstacles[forces->numbers[polygon]];
    const double x = a->mass * (a->u_before - a->u), y = a->mass * (a->v_before - a->v);
    const double rx = (a->x - collision->shift.x) - obstacle->shape.x;
    const double ry = (a->y - collision->shift.y) - obstacle->shape.y;
    sum_add(&obstacle->gains[GAIN_X].sum, x);
    sum_add(&obstacle->gains[GAIN_Y].sum, y);
    sum_add(&obstacle->gains[GAIN_TORQUE].sum, rx * y - ry * x);
    double heat = 0;
    if (wall_laws_act(forces->boundary)) {
        const struct polygon_normal normal = tally_normal(forces->boundary, collision);
        const double along = x * normal.ny - y * normal.nx;
        heat = 0.5 * (x * (a->u + a->u_before) + y * (a->v + a->v_before));
        sum_add(&obstacle->gains[GAIN_FRICTION_X].sum, along * normal.ny);
        sum_add(&obstacle->gains[GAIN_FRICTION_Y].sum, -along * normal.nx);
        sum_add(&obstacle->gains[GAIN_HEAT].sum, heat);
    }
    add_to_side(forces, collision, x, y, heat);
}

static void forces_reinject(struct forces *forces, const struct collision *passage)
{
    const struct boundary *boundary = forces->boundary;
    const double mass = passage->a.mass;
    while (passage->time > forces->times.end)
        forces_mark(forces);
    const double weight = inflow_gauge_weigh(&forces->gauge, passage);
    sum_add(&forces->inflow[INFLOW_NUMBER].sum, weight);
    sum_add(&forces->inflow[INFLOW_MASS].sum, mass * weight);
    const double part = fmin(fmax(passage->a.y / boundary->height, 0), 1);
    const size_t row = (size_t)fmin(part * INFLOW_ROWS, INFLOW_ROWS - 1);
    const int block = block_sums_find(forces->times.from, forces->times.to, passage->time);
    double *table = block_sums_table(&forces->sides, block) + find_inflow(forces);
    if (passage->feature >= FEATURE_RIGHT)
        table[row] += mass / stream_mean_speed(&boundary->stream, mass, 1);
    table[INFLOW_ROWS] += mass * weight;
}

static void forces_collide(struct observer *observer, const struct collision *collision)
{
    struct forces *forces = (struct forces *)observer;
    if (forces->count == 0)
        return;
    if (collision->is_reinjection)
        forces_reinject(forces, collision);
    else if (collision->partner == PARTNER_BOUNDARY && collision->feature < FEATURE_TOP)
        forces_hit(forces, collision);
}

/* The standard error of the mean of a course - ratio * divisor; apart for the sake of its stack. */
COMPILER_APART static double course_error(const struct force_course *course,
                                          const struct force_course *divisor, double ratio,
                                          double least)
{
    double values[BLOCKS];
    for (size_t k = 0; k < BLOCKS; k++)
        values[k] =
            block_gain(course->marks, k) - (divisor ? ratio * block_gain(divisor->marks, k) : 0);
    return block_error(values, least);
}

/* The ratio of two courses and its standard error, by blocks of at least forces->least: to first
 * order the error of a - (a / b) b, divided by b. Without a divisor: the mean per time. */
static struct block_estimate course_ratio(const struct forces *forces,
                                          const struct force_course *course,
                                          const struct force_course *divisor)
{
    const double duration = forces->times.to - forces->times.from;
    const double whole = divisor ? sum_value(&divisor->sum) : duration;
    const double ratio = sum_value(&course->sum) / whole;
    const double error = course_error(course, divisor, ratio, forces->least / (duration / BLOCKS));
    return (struct block_estimate){ratio, error / (whole / BLOCKS)};
}

/* The force along x on all obstacles in the second half of the time less that in the first, in
 * standard errors of this difference; NAN if it is not known. Each half is eight blocks. */
static double forces_drift(const struct forces *forces)
{
    enum { PARTS = 8, LENGTH = BLOCKS / 2 / PARTS };
    double means[2] = {0, 0};
    double squared = 0; /* the error of the difference */
    size_t block = 0;
    for (int half = 0; half < 2; half++) {
        double scatter = 0;
        for (int part = 1; part <= PARTS; part++) {
            double value = 0;
            for (const size_t end = block + LENGTH; block < end; block++)
                for (size_t k = 0; k < forces->count; k++)
                    value += block_gain(forces->obstacles[k].gains[GAIN_X].marks, block);
            const double away = value - means[half];
            means[half] += away / part;
            scatter += away * (value - means[half]);
        }
        squared += scatter / (PARTS * (PARTS - 1));
    }
    return squared > 0 ? (means[1] - means[0]) / sqrt(squared) : (double)NAN;
}

/* The sums of the rows where an obstacle is per height, divided by the sums of all rows. The rows
 * of an obstacle that crosses a seam in y continue at the other edge. */
static struct block_estimate forces_inflow(const struct forces *forces,
                                           const struct force_obstacle *obstacle)
{
    const double row = forces->boundary->height / INFLOW_ROWS;
    const struct polygon_shape *shape = &obstacle->shape;
    const double first = floor(shape->bottom / row);
    const double end = fmax(ceil((shape->bottom + shape->across) / row), first + 1);
    const int count = (int)fmin(end - first, INFLOW_ROWS);
    double parts[SUM_BLOCKS];
    double here = 0, all = 0;
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *table = block_sums_table(&forces->sides, block) + find_inflow(forces);
        double sum = 0, total = 0;
        for (int k = 0; k < count; k++)
            sum += table[((int)first + k + INFLOW_ROWS) % INFLOW_ROWS] * INFLOW_ROWS / count;
        for (int k = 0; k < INFLOW_ROWS; k++)
            total += table[k];
        parts[block] = sum / total;
        here += sum;
        all += total;
    }
    return block_estimate(here / all, parts);
}

/* Writes a mean from `since` to `until`, of an obstacle or a side; of the gas, if both are NONE. */
static const size_t NONE = SIZE_MAX;

static void forces_write_row(const struct forces *forces, size_t obstacle, size_t side,
                             const char *quantity, struct block_estimate estimate)
{
    FILE *stream = forces->observer.file->stream;
    if (obstacle != NONE)
        fprintf(stream, "%zu", obstacle);
    fputc(',', stream);
    if (side != NONE)
        fprintf(stream, "%zu", side);
    else
        fputs("all", stream);
    fprintf(stream, ",%s", quantity);
    csv_put_fields(stream,
                   (const double[]){estimate.value, estimate.error, forces->since, forces->until},
                   forces->observer.run->interval > 0 ? 4 : 2); /* only a series has times */
    fputc('\n', stream);
}

/* A quantity in other units: (value - zero) * factor. */
static struct block_estimate convert(struct block_estimate estimate, double zero, double factor)
{
    return (struct block_estimate){(estimate.value - zero) * factor, estimate.error * fabs(factor)};
}

/* Begins to count, at a time, and finds the first frame after it. */
static void begin_counting(struct forces *forces, double time)
{
    block_times_begin(&forces->times, time, forces->observer.run->to, 0);
    forces->is_counting = 1;
    forces->since = time;
    forces->next_frame = frames_after(&forces->observer.run->frames, time);
}

/* Without a series, and after it, no sample is needed. */
static void forces_set_next_sample(struct forces *forces)
{
    struct observer *observer = &forces->observer;
    observer->next_sample = forces->is_counting
                                ? frames_time(&observer->run->frames, forces->next_frame)
                                : observer->run->from;
    if (forces->is_counting && forces->has_flow)
        observer->next_sample = fmin(
            observer->next_sample, dynamics_next_sample(observer->all->dynamics, forces->sampled));
}

static void write_series(struct forces *forces, double time)
{
    forces->until = time;
    for (size_t k = 0; k < forces->count; k++) {
        for (int gain = 0; gain < forces->gains; gain++) {
            struct force_course *course = &forces->obstacles[k].gains[gain];
            const double value = sum_value(&course->sum);
            forces_write_row(
                forces, k, NONE, gain_names[gain],
                estimate_exact((value - course->noted) / (forces->until - forces->since)));
            course->noted = value;
        }
    }
    forces->since = time;
}

static enum status forces_sample(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    if (forces->has_flow)
        forces_take_flow(forces, snapshot->time);
    if (!forces->is_counting) {
        begin_counting(forces, snapshot->time);
    } else if (snapshot->time >= frames_time(&observer->run->frames, forces->next_frame)) {
        write_series(forces, snapshot->time);
        forces->next_frame++;
    }
    forces_set_next_sample(forces);
    if (ferror(observer->file->stream))
        return text_flush(observer->file->stream, observer->file->name, error);
    return STATUS_DONE;
}

/* If hits count from time 0, counting begins here: a sample would come after those at 0. */
static enum status forces_begin(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    enum status status = STATUS_DONE;
    observer->notify_from = forces->sampled = observer->run->from;
    forces->boundary = &snapshot->system->boundary;
    forces->polygons = forces->boundary->polygons;
    forces->gauge = inflow_gauge_make(snapshot);
    for (size_t k = 0; forces->polygons && k < forces->polygons->count; k++)
        forces->count += !forces->polygons->list[k].is_domain;
    forces->has_flow = forces->count > 0 && observers_traits(observer->all)->has_flow;
    if (forces->count > 0)
        status = create_obstacles(forces, error);
    if (!status && forces->count > 0)
        status = block_sums_create(&forces->sides, find_inflow(forces) + INFLOW_ROWS + 1, error);
    if (observer->run->from == 0)
        begin_counting(forces, 0);
    forces_set_next_sample(forces);
    if (!observer->has_begun)
        fprintf(observer->file->stream, "obstacle,side,quantity,value,error%s\n",
                observer->run->interval > 0 ? ",time_start,time_end" : "");
    return status;
}

static void record_course(struct force_course *course, size_t complete, struct record *record)
{
    record_sum(record, &course->sum);
    record_numbers(record, &course->noted, 1);
    record_numbers(record, course->marks, complete);
    record_end_line(record);
}

static void forces_record_sums(struct forces *forces, struct record *record)
{
    uint64_t complete = forces->times.complete;
    record_whole(record, &complete, BLOCKS - 1);
    record_end_line(record);
    if (record->is_reading)
        block_times_begin(&forces->times, forces->observer.run->from, forces->observer.run->to,
                          (size_t)complete);
    if (forces->count == 0)
        return;
    for (size_t k = 0; k < forces->count && !record->status; k++)
        for (int gain = 0; gain < forces->gains; gain++)
            record_course(&forces->obstacles[k].gains[gain], (size_t)complete, record);
    for (int inflow = 0; inflow < INFLOWS && !record->status; inflow++)
        record_course(&forces->inflow[inflow], (size_t)complete, record);
    block_sums_record(&forces->sides, record);
    for (size_t k = 0; k < forces->polygons->side_count && forces->has_flow && !record->status;
         k++) {
        record_numbers(record, forces->noted[k], 3);
        record_end_line(record);
    }
    if (forces->has_flow)
        record_numbers(record, &forces->sampled, 1);
}

static void forces_state(struct observer *observer, struct record *record)
{
    struct forces *forces = (struct forces *)observer;
    const struct run_settings *run = observer->run;
    record_setting(record, "--stats-from", run->from, NULL);
    record_setting(record, "--every", run->interval, "whose --forces are no series by --every");
    record_flag(record, &forces->is_counting);
    record_number(record, &forces->since, 0, DBL_MAX);
    record_whole(record, &forces->next_frame, (uint64_t)FRAMES_MAX + 2);
    record_end_line(record);
    if (forces->is_counting)
        forces_record_sums(forces, record);
    forces_set_next_sample(forces);
}

/* The least duration of a block: the correlation time of the force, in which particles and sound
 * cross the box. As the number of particles is fixed, a force above the mean is followed by one
 * below it, so shorter blocks would show errors that are too large, by a half where the box is
 * small. But a block is at most a sixteenth of the run. */
static double find_least(const struct forces *forces, const struct snapshot *snapshot)
{
    const struct boundary *boundary = &snapshot->system->boundary;
    const struct snapshot_motion motion = tally_motion(snapshot);
    const double speed = sqrt(2 * motion.energy / motion.mass);
    return fmin(fmax(boundary->width, boundary->height) / speed,
                (forces->observer.run->to - forces->observer.run->from) * (1.0 / 16));
}

static void describe_gas(struct forces *forces, const struct snapshot *snapshot)
{
    const struct system *system = snapshot->system;
    const struct stream *stream = &system->boundary.stream;
    forces->least = find_least(forces, snapshot);
    if (!stream->draw)
        return;
    forces->is_stream = 1;
    forces->density = course_ratio(forces, &forces->inflow[INFLOW_NUMBER], NULL);
    forces->crowding =
        forces->density.value * reach_area(&system->boundary) / (double)system->count;
    forces->per_inflow = stream->speed * stream->speed / 2;
    const double dynamic_pressure =
        forces->per_inflow * course_ratio(forces, &forces->inflow[INFLOW_MASS], NULL).value;
    forces->pressure =
        forces->density.value * stream->temperature / dynamic_pressure *
        enskog_predict(system, stream->temperature, forces->crowding).compressibility;
}

/* A sum of a side per time and length; in a stream, / q. */
static struct block_estimate measure_side(const struct forces *forces, size_t side, int sum)
{
    const double length = forces->polygons->sides[side].length;
    const double duration = forces->times.to - forces->times.from;
    const size_t entry = SIDE_SUMS * side + (size_t)sum;
    if (!forces->is_stream)
        return convert(block_sums_mean(&forces->sides, entry, duration, 1), 0, 1 / length);
    const struct block_estimate ratio =
        block_sums_ratio(&forces->sides, entry, find_inflow(forces) + INFLOW_ROWS, 1);
    return convert(ratio, 0, 1 / (forces->per_inflow * length));
}

static double forces_count_hits(const struct forces *forces, size_t side)
{
    return block_sums_total(&forces->sides, SIDE_SUMS * side + SIDE_HITS);
}

static void write_hits(const struct forces *forces, size_t number)
{
    const struct polygon *polygon = &forces->polygons->list[forces->obstacles[number].polygon];
    const double per_speed =
        forces->is_stream ? 1 / fabs(forces->boundary->stream.speed) : 1; /* of heat */
    double all = 0;
    for (size_t k = 0; k < polygon->side_count; k++)
        all += forces_count_hits(forces, polygon->first_side + k);
    if (!forces->has_flow)
        forces_write_row(forces, number, NONE, "hits", estimate_exact(all));
    for (size_t k = 0; k < polygon->side_count; k++) {
        const size_t side = polygon->first_side + k;
        if (!forces->has_flow)
            forces_write_row(forces, number, k, "hits",
                             estimate_exact(forces_count_hits(forces, side)));
        forces_write_row(forces, number, k, forces->is_stream ? "pressure_coefficient" : "pressure",
                         convert(measure_side(forces, side, SIDE_NORMAL), forces->pressure, 1));
        forces_write_row(forces, number, k, forces->is_stream ? "shear_coefficient" : "shear",
                         measure_side(forces, side, SIDE_ALONG));
        if (wall_laws_act(forces->boundary) && !forces->has_flow)
            forces_write_row(forces, number, k, forces->is_stream ? "heat_coefficient" : "heat",
                             convert(measure_side(forces, side, SIDE_HEAT), 0, per_speed));
    }
}

/* A coefficient with the error that the size of the box adds. Because of the images of a body, the
 * density of the gas that meets it is not the mean, but uneven, by about half the difference. */
static struct block_estimate forces_coefficient(const struct forces *forces,
                                                struct block_estimate ratio, double unit)
{
    const double uneven = fabs(forces->crowding - 1) / 2;
    struct block_estimate coefficient = convert(ratio, 0, 1 / unit);
    coefficient.error = sqrt(coefficient.error * coefficient.error +
                             uneven * uneven * coefficient.value * coefficient.value);
    return coefficient;
}

static void write_obstacle(const struct forces *forces, size_t number)
{
    const struct force_obstacle *obstacle = &forces->obstacles[number];
    const double reference = forces->observer.run->reference;
    const double drag_length = reference > 0 ? reference : obstacle->shape.across;
    const double lift_length = reference > 0 ? reference : obstacle->shape.chord;
    const double speed = forces->boundary->stream.speed;
    const double unit = forces->per_inflow;
    for (int gain = 0; gain < forces->gains; gain++)
        forces_write_row(forces, number, NONE, gain_names[gain],
                         course_ratio(forces, &obstacle->gains[gain], NULL));
    if (forces->is_stream) {
        const struct {
            const char *name;
            int gain;
            double unit; /* of the gain, per mass of the inflow */
        } coefficients[] = {
            {"drag_coefficient", GAIN_X, copysign(unit, speed) * drag_length},
            {"lift_coefficient", GAIN_Y, unit * lift_length},
            {"friction_drag_coefficient", GAIN_FRICTION_X, copysign(unit, speed) * drag_length},
            {"friction_lift_coefficient", GAIN_FRICTION_Y, unit * lift_length},
            {"heat_coefficient", GAIN_HEAT, unit * fabs(speed) * drag_length},
        };
        for (int k = 0; k < 5 && coefficients[k].gain < forces->gains; k++)
            forces_write_row(
                forces, number, NONE, coefficients[k].name,
                forces_coefficient(forces,
                                   course_ratio(forces, &obstacle->gains[coefficients[k].gain],
                                                &forces->inflow[INFLOW_MASS]),
                                   coefficients[k].unit));
        if (!forces->has_flow)
            forces_write_row(forces, number, NONE, "inflow_ratio", forces_inflow(forces, obstacle));
        forces_write_row(forces, number, NONE, "reference_length_drag",
                         estimate_exact(drag_length));
        forces_write_row(forces, number, NONE, "reference_length_lift",
                         estimate_exact(lift_length));
    }
    write_hits(forces, number);
}

/* Quantities that should be equal may differ by this number of standard errors, or by this
 * fraction: a difference that is known well may be unimportant. The density of the stream may
 * differ from the mean by more: gas is between one image of an obstacle and the next. */
static const double MAX_ERRORS = 4;
static const double MIN_DIFFERENCE = 0.02;
static const double MAX_STORED = 0.05;

/* Checks whether the drag can be trusted, of the obstacle that is the largest across. */
static void judge(struct forces *forces)
{
    struct error *warning = &forces->warning;
    const char *separator = "the drag of --forces should not be trusted:";
    size_t largest = 0;
    for (size_t k = 1; k < forces->count; k++)
        if (forces->obstacles[k].shape.across > forces->obstacles[largest].shape.across)
            largest = k;
    const double drift = fabs(forces_drift(forces));
    const struct block_estimate inflow = forces_inflow(forces, &forces->obstacles[largest]);
    const double away = fabs(inflow.value - 1);
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
    const double stored = fabs(forces->crowding - 1);
    const double error = forces->crowding * forces->density.error / forces->density.value;
    if (stored > MAX_STORED && stored > MAX_ERRORS * error)
        error_append(warning,
                     "%s the stream has %.3g of the mean density, for obstacles meet what their "
                     "images turn away: make the box higher and longer",
                     separator, forces->crowding);
    if (warning->message[0] && !forces->observer.all->is_quiet)
        forces->observer.all->warn(warning);
}

const char *forces_warning(const struct observer *observer)
{
    const struct forces *forces = (const struct forces *)observer;
    return forces->warning.message[0] ? forces->warning.message : NULL;
}

/* Lists the force on all obstacles together, in equal intervals of the time that counts. */
static void forces_list_course(const struct forces *forces, const struct figure_sink *sink)
{
    static const char *const names[] = {"force_x_at", "force_y_at"};
    const size_t joined = BLOCKS / INTERVALS;
    const double length = block_times_length(&forces->times, joined - 1);
    if (!(length > 0) || forces->count == 0)
        return;
    for (size_t end = joined; end <= BLOCKS; end += joined) {
        const double time = forces->times.from + block_times_length(&forces->times, end - 1);
        for (int gain = GAIN_X; gain <= GAIN_Y; gain++) {
            double gained = 0;
            for (size_t k = 0; k < forces->count; k++) {
                const double *marks = forces->obstacles[k].gains[gain].marks;
                gained += marks[end - 1] - (end > joined ? marks[end - joined - 1] : 0);
            }
            sink->take(sink->to, names[gain], "all", time - length / 2,
                       estimate_exact(gained / length));
        }
    }
}

void forces_list(const struct observer *observer, const struct figure_sink *sink)
{
    const struct forces *forces = (const struct forces *)observer;
    for (size_t k = 0; k < forces->count; k++)
        for (int gain = GAIN_X; gain <= GAIN_Y; gain++)
            sink->take(sink->to, gain_names[gain], "all", (double)k,
                       course_ratio(forces, &forces->obstacles[k].gains[gain], NULL));
    forces_list_course(forces, sink);
}

static enum status forces_finish(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct forces *forces = (struct forces *)observer;
    (void)error;
    if (forces->has_flow)
        forces_take_flow(forces, snapshot->time);
    while (forces->times.complete < BLOCKS)
        forces_mark(forces);
    forces->since = forces->observer.run->from;
    forces->until = forces->observer.run->to;
    describe_gas(forces, snapshot);
    if (forces->is_stream) {
        const double mean = forces->density.value / forces->crowding;
        forces_write_row(forces, NONE, NONE, "stream_density", forces->density);
        forces_write_row(forces, NONE, NONE, "stream_density_ratio",
                         convert(forces->density, 0, 1 / mean));
    }
    if (forces->is_stream && forces->count > 0 && !forces->has_flow)
        judge(forces);
    for (size_t k = 0; k < forces->count; k++)
        write_obstacle(forces, k);
    return STATUS_DONE;
}

static void free_forces(struct observer *observer)
{
    struct forces *forces = (struct forces *)observer;
    memory_free(forces->obstacles);
    memory_free(forces->courses);
    memory_free(forces->numbers);
    memory_free(forces->noted);
    block_sums_free(&forces->sides);
}

const struct observer_operations forces_operations = {
    .kind = {"--forces", "the forces", sizeof(struct forces), FILE_FROM_BEGIN},
    .watches = WATCH_BOUNDARY,
    .begin = forces_begin,
    .collide = forces_collide,
    .sample = forces_sample,
    .finish = forces_finish,
    .state = forces_state,
    .free = free_forces,
};
