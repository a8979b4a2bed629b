/*
 * Sums over hits of obstacles; see force_sums.h.
 */
#include "force_sums.h"

#include "base/memory.h"
#include "model/stream.h"

#include <float.h>
#include <math.h>

static enum status create_obstacles(struct force_sums *sums, struct error *error)
{
    const struct polygons *polygons = sums->polygons;
    sums->obstacles =
        memory_allocate(sums->count, sizeof *sums->obstacles, "the forces on obstacles", error);
    sums->numbers =
        memory_allocate(polygons->count, sizeof *sums->numbers, "the numbers of obstacles", error);
    if (!sums->obstacles || !sums->numbers)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_DONE;
    for (size_t k = 0, number = 0; k < polygons->count && !status; k++) {
        sums->numbers[k] = number;
        if (polygons->list[k].is_domain)
            continue;
        struct obstacle *obstacle = &sums->obstacles[number++];
        for (int gain = 0; gain < GAINS; gain++) {
            obstacle->gains[gain].sum = (struct sum){0};
            obstacle->gains[gain].noted = 0;
        }
        obstacle->polygon = k;
        status = polygon_shape_find(polygons, k, &obstacle->shape, error);
    }
    return status;
}

/* Where the rows of the inflow are in the table of sums. */
static size_t find_inflow(const struct force_sums *sums)
{
    return SIDE_SUMS * sums->polygons->side_count;
}

enum status force_sums_create(struct force_sums *sums, const struct boundary *boundary,
                              struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    *sums = (struct force_sums){.boundary = boundary, .polygons = polygons};
    for (size_t k = 0; polygons && k < polygons->count; k++)
        sums->count += !polygons->list[k].is_domain;
    if (sums->count == 0)
        return STATUS_DONE;
    enum status status = create_obstacles(sums, error);
    return status ? status
                  : block_sums_create(&sums->sides, find_inflow(sums) + INFLOW_ROWS + 1, error);
}

void force_sums_free(struct force_sums *sums)
{
    memory_free(sums->obstacles);
    memory_free(sums->numbers);
    block_sums_free(&sums->sides);
    *sums = (struct force_sums){0};
}

void force_sums_begin(struct force_sums *sums, double from, double to)
{
    block_times_begin(&sums->times, from, to, 0);
}

static void mark_course(struct course *course, size_t block)
{
    course->marks[block] = sum_value(&course->sum);
}

/* Marks the end of a block. */
static void mark(struct force_sums *sums)
{
    for (size_t k = 0; k < sums->count; k++)
        for (int gain = 0; gain < GAINS; gain++)
            mark_course(&sums->obstacles[k].gains[gain], sums->times.complete);
    for (int inflow = 0; inflow < INFLOWS; inflow++)
        mark_course(&sums->inflow[inflow], sums->times.complete);
    block_times_advance(&sums->times);
}

void force_sums_complete(struct force_sums *sums)
{
    while (sums->times.complete < BLOCKS)
        mark(sums);
}

/* The momentum that a collision gives to what is hit, along the normal of a side, out of it: less
 * than 0. */
static double along_normal(const struct side *side, double x, double y)
{
    return side->facing * ((side->lx * y - side->ly * x) / side->length);
}

/* The momentum along a side, from the vertex where it begins to the next one. */
static double along_side(const struct side *side, double x, double y)
{
    const double along = (side->lx * x + side->ly * y) / side->length;
    return side->is_thin && side->facing < 0 ? -along : along;
}

/* The side to which the corner where `side` begins belongs, hit with this momentum. */
static size_t find_side(const struct force_sums *sums, const struct polygon *polygon, size_t side,
                        double x, double y)
{
    const size_t last = polygon->first_side + polygon->side_count - 1;
    const size_t before = side > polygon->first_side ? side - 1 : last;
    const struct side *sides = sums->polygons->sides;
    return along_normal(&sides[before], x, y) < along_normal(&sides[side], x, y) ? before : side;
}

/* A side is smooth: a hit gives it no momentum but along its normal. */
static void add_to_side(struct force_sums *sums, const struct collision *collision, double x,
                        double y)
{
    const struct polygons *polygons = sums->polygons;
    const int is_corner = polygons_is_corner(collision->feature);
    size_t side = polygons_side(collision->feature);
    if (is_corner)
        side = find_side(sums, &polygons->list[polygons->sides[side].polygon], side, x, y);
    const int block = block_sums_find(sums->times.from, sums->times.to, collision->time);
    double *table = block_sums_table(&sums->sides, block) + SIDE_SUMS * side;
    table[SIDE_HITS]++;
    table[SIDE_NORMAL] -= along_normal(&polygons->sides[side], x, y);
    if (is_corner)
        table[SIDE_ALONG] += along_side(&polygons->sides[side], x, y);
}

void force_sums_collide(struct force_sums *sums, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    if (collision->partner == PARTNER_PARTICLE || collision->feature >= FEATURE_TOP)
        return;
    const size_t polygon = polygons_polygon(sums->polygons, collision->feature);
    if (sums->count == 0 || sums->polygons->list[polygon].is_domain)
        return;
    while (collision->time > sums->times.end)
        mark(sums);
    struct obstacle *obstacle = &sums->obstacles[sums->numbers[polygon]];
    const double x = a->mass * (a->u_before - a->u);
    const double y = a->mass * (a->v_before - a->v);
    const double rx = (a->x - collision->shift.x) - obstacle->shape.x;
    const double ry = (a->y - collision->shift.y) - obstacle->shape.y;
    sum_add(&obstacle->gains[GAIN_X].sum, x);
    sum_add(&obstacle->gains[GAIN_Y].sum, y);
    sum_add(&obstacle->gains[GAIN_TORQUE].sum, rx * y - ry * x);
    add_to_side(sums, collision, x, y);
}

void force_sums_renew(struct force_sums *sums, const struct collision *passage)
{
    const double mass = passage->a.mass;
    const struct boundary *boundary = sums->boundary;
    if (sums->count == 0)
        return;
    while (passage->time > sums->times.end)
        mark(sums);
    if (mass != sums->mass) {
        sums->mass = mass;
        sums->mean_speed = stream_mean_speed(&boundary->stream, mass);
    }
    sum_add(&sums->inflow[INFLOW_NUMBER].sum, 1 / sums->mean_speed);
    sum_add(&sums->inflow[INFLOW_MASS].sum, mass / sums->mean_speed);
    const double part = fmin(fmax(passage->a.y / boundary->height, 0), 1);
    const size_t row = (size_t)fmin(part * INFLOW_ROWS, INFLOW_ROWS - 1);
    const int block = block_sums_find(sums->times.from, sums->times.to, passage->time);
    double *table = block_sums_table(&sums->sides, block) + find_inflow(sums);
    table[row] += mass / sums->mean_speed;
    table[INFLOW_ROWS] += mass / sums->mean_speed;
}

/* A course, less another one times a factor. */
struct difference {
    const struct course *course, *other;
    double factor;
};

static double value_of_block(const struct course *course, size_t k)
{
    return course->marks[k] - (k > 0 ? course->marks[k - 1] : 0);
}

static double difference_of_block(const void *of, size_t k)
{
    const struct difference *difference = of;
    return value_of_block(difference->course, k) -
           difference->factor * value_of_block(difference->other, k);
}

/* The standard error of the mean block. */
static double find_error(const struct force_sums *sums, const struct difference *difference,
                         double least)
{
    const double block = (sums->times.to - sums->times.from) / BLOCKS;
    const struct block_series series = {difference_of_block, difference};
    return block_series_error(&series, least / block);
}

struct estimate force_sums_mean(const struct force_sums *sums, const struct course *course,
                                double least)
{
    const struct difference difference = {course, course, 0};
    const double duration = sums->times.to - sums->times.from;
    return (struct estimate){sum_value(&course->sum) / duration,
                             find_error(sums, &difference, least) / (duration / BLOCKS)};
}

/* To first order the error of a / b is that of a - (a / b) b, divided by b. */
struct estimate force_sums_ratio(const struct force_sums *sums, const struct course *course,
                                 const struct course *divisor, double least)
{
    const double ratio = sum_value(&course->sum) / sum_value(&divisor->sum);
    const struct difference difference = {course, divisor, ratio};
    return (struct estimate){ratio, find_error(sums, &difference, least) /
                                        (sum_value(&divisor->sum) / BLOCKS)};
}

double force_sums_drift(const struct force_sums *sums)
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
                for (size_t k = 0; k < sums->count; k++)
                    value += value_of_block(&sums->obstacles[k].gains[GAIN_X], block);
            const double away = value - means[half];
            means[half] += away / part;
            scatter += away * (value - means[half]);
        }
        squared += scatter / (PARTS * (PARTS - 1));
    }
    return squared > 0 ? (means[1] - means[0]) / sqrt(squared) : (double)NAN;
}

struct estimate force_sums_side(const struct force_sums *sums, size_t side, int sum)
{
    const size_t place = SIDE_SUMS * side + (size_t)sum;
    const double duration = sums->times.to - sums->times.from;
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++)
        parts[block] = block_sums_table(&sums->sides, block)[place] / (duration / SUM_BLOCKS);
    return block_estimate(block_sums_total(&sums->sides, place) / duration, parts);
}

struct estimate force_sums_side_ratio(const struct force_sums *sums, size_t side, int sum)
{
    return block_sums_ratio(&sums->sides, SIDE_SUMS * side + (size_t)sum,
                            find_inflow(sums) + INFLOW_ROWS, 1);
}

/* The rows of an obstacle that reaches across a seam in y begin anew. */
struct estimate force_sums_inflow(const struct force_sums *sums, const struct obstacle *obstacle)
{
    const double row = sums->boundary->height / INFLOW_ROWS;
    const struct polygon_shape *shape = &obstacle->shape;
    const double first = floor(shape->bottom / row);
    const double end = fmax(ceil((shape->bottom + shape->across) / row), first + 1);
    const int count = (int)fmin(end - first, INFLOW_ROWS);
    double parts[SUM_BLOCKS];
    double here = 0;
    double all = 0;
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *table = block_sums_table(&sums->sides, block) + find_inflow(sums);
        double sum = 0;
        for (int k = 0; k < count; k++)
            sum += table[((int)first + k + INFLOW_ROWS) % INFLOW_ROWS] * INFLOW_ROWS / count;
        parts[block] = sum / table[INFLOW_ROWS];
        here += sum;
        all += table[INFLOW_ROWS];
    }
    return block_estimate(here / all, parts);
}

double force_sums_hits(const struct force_sums *sums, size_t side)
{
    return block_sums_total(&sums->sides, SIDE_SUMS * side + SIDE_HITS);
}

void force_sums_note(struct obstacle *obstacle, double gained[GAINS])
{
    for (int gain = 0; gain < GAINS; gain++) {
        struct course *course = &obstacle->gains[gain];
        const double value = sum_value(&course->sum);
        gained[gain] = value - course->noted;
        course->noted = value;
    }
}

static void save_course(const struct course *course, size_t complete, struct record_writer *writer)
{
    record_put_number(writer, course->sum.rounded);
    record_put_number(writer, course->sum.rest);
    record_put_number(writer, course->noted);
    for (size_t block = 0; block < complete; block++)
        record_put_number(writer, course->marks[block]);
    record_end_line(writer);
}

void force_sums_save(const struct force_sums *sums, struct record_writer *writer)
{
    const size_t complete = sums->times.complete;
    record_put_whole(writer, complete);
    record_end_line(writer);
    if (sums->count == 0)
        return;
    for (size_t k = 0; k < sums->count; k++)
        for (int gain = 0; gain < GAINS; gain++)
            save_course(&sums->obstacles[k].gains[gain], complete, writer);
    for (int inflow = 0; inflow < INFLOWS; inflow++)
        save_course(&sums->inflow[inflow], complete, writer);
    block_sums_save(&sums->sides, writer);
}

static void load_course(struct course *course, size_t complete, struct record_reader *reader)
{
    course->sum.rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
    course->sum.rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
    course->noted = record_take_number(reader, -DBL_MAX, DBL_MAX);
    for (size_t block = 0; block < complete && !reader->status; block++)
        course->marks[block] = record_take_number(reader, -DBL_MAX, DBL_MAX);
    record_expect_line_end(reader);
}

void force_sums_load(struct force_sums *sums, double from, double to, struct record_reader *reader)
{
    const size_t complete = (size_t)record_take_whole(reader, BLOCKS - 1);
    record_expect_line_end(reader);
    block_times_begin(&sums->times, from, to, complete);
    if (sums->count == 0)
        return;
    for (size_t k = 0; k < sums->count && !reader->status; k++)
        for (int gain = 0; gain < GAINS; gain++)
            load_course(&sums->obstacles[k].gains[gain], complete, reader);
    for (int inflow = 0; inflow < INFLOWS && !reader->status; inflow++)
        load_course(&sums->inflow[inflow], complete, reader);
    if (!reader->status)
        block_sums_load(&sums->sides, reader);
}
