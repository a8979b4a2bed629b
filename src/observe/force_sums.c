/*
 * Sums over hits of obstacles; see force_sums.h.
 */
#include "force_sums.h"

#include "base/memory.h"

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
            obstacle->gains[gain] = (struct sum){0};
            obstacle->noted[gain] = 0;
        }
        obstacle->polygon = k;
        status = polygon_shape_find(polygons, k, &obstacle->shape, error);
    }
    return status;
}

enum status force_sums_create(struct force_sums *sums, const struct boundary *boundary,
                              struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    *sums = (struct force_sums){.polygons = polygons};
    for (size_t k = 0; polygons && k < polygons->count; k++)
        sums->count += !polygons->list[k].is_domain;
    if (sums->count == 0)
        return STATUS_DONE;
    enum status status = create_obstacles(sums, error);
    return status ? status
                  : block_sums_create(&sums->sides, SIDE_SUMS * polygons->side_count, error);
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

/* Marks the end of a block. */
static void mark(struct force_sums *sums)
{
    for (size_t k = 0; k < sums->count; k++) {
        struct obstacle *obstacle = &sums->obstacles[k];
        for (int gain = 0; gain < GAINS; gain++)
            obstacle->marks[sums->times.complete][gain] = sum_value(&obstacle->gains[gain]);
    }
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
    sum_add(&obstacle->gains[GAIN_X], x);
    sum_add(&obstacle->gains[GAIN_Y], y);
    sum_add(&obstacle->gains[GAIN_TORQUE], rx * y - ry * x);
    add_to_side(sums, collision, x, y);
}

/* A gain of an obstacle. */
struct obstacle_gain {
    const struct obstacle *obstacle;
    int gain;
};

static double gain_of_block(const void *of, size_t k)
{
    const struct obstacle_gain *series = of;
    const double before = k > 0 ? series->obstacle->marks[k - 1][series->gain] : 0;
    return series->obstacle->marks[k][series->gain] - before;
}

struct estimate force_sums_gain(const struct force_sums *sums, const struct obstacle *obstacle,
                                int gain, double least)
{
    const double duration = sums->times.to - sums->times.from;
    const double block = duration / BLOCKS;
    const struct obstacle_gain of = {obstacle, gain};
    const struct block_series series = {gain_of_block, &of};
    return (struct estimate){sum_value(&obstacle->gains[gain]) / duration,
                             block_series_error(&series, least / block) / block};
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

double force_sums_hits(const struct force_sums *sums, size_t side)
{
    return block_sums_total(&sums->sides, SIDE_SUMS * side + SIDE_HITS);
}

void force_sums_note(struct obstacle *obstacle, double gained[GAINS])
{
    for (int gain = 0; gain < GAINS; gain++) {
        const double value = sum_value(&obstacle->gains[gain]);
        gained[gain] = value - obstacle->noted[gain];
        obstacle->noted[gain] = value;
    }
}

void force_sums_save(const struct force_sums *sums, struct record_writer *writer)
{
    record_put_whole(writer, sums->times.complete);
    record_end_line(writer);
    for (size_t k = 0; k < sums->count; k++) {
        const struct obstacle *obstacle = &sums->obstacles[k];
        for (int gain = 0; gain < GAINS; gain++) {
            record_put_number(writer, obstacle->gains[gain].rounded);
            record_put_number(writer, obstacle->gains[gain].rest);
            record_put_number(writer, obstacle->noted[gain]);
        }
        record_end_line(writer);
        for (size_t block = 0; block < sums->times.complete; block++) {
            for (int gain = 0; gain < GAINS; gain++)
                record_put_number(writer, obstacle->marks[block][gain]);
            record_end_line(writer);
        }
    }
    if (sums->count > 0)
        block_sums_save(&sums->sides, writer);
}

void force_sums_load(struct force_sums *sums, double from, double to, struct record_reader *reader)
{
    const size_t complete = (size_t)record_take_whole(reader, BLOCKS - 1);
    record_expect_line_end(reader);
    block_times_begin(&sums->times, from, to, complete);
    for (size_t k = 0; k < sums->count && !reader->status; k++) {
        struct obstacle *obstacle = &sums->obstacles[k];
        for (int gain = 0; gain < GAINS; gain++) {
            obstacle->gains[gain].rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
            obstacle->gains[gain].rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
            obstacle->noted[gain] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        }
        record_expect_line_end(reader);
        for (size_t block = 0; block < complete && !reader->status; block++) {
            for (int gain = 0; gain < GAINS; gain++)
                obstacle->marks[block][gain] = record_take_number(reader, -DBL_MAX, DBL_MAX);
            record_expect_line_end(reader);
        }
    }
    if (sums->count > 0 && !reader->status)
        block_sums_load(&sums->sides, reader);
}
