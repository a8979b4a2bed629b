/*
 * Standard errors from blocks; see blocks.h.
 */
#include "blocks.h"

#include <float.h>
#include <math.h>

/* The fewest joined blocks whose scatter says something: it is known to 1 / sqrt(14), a quarter. */
enum { FEWEST = 8 };

static const double MOST_GROWTH = 3;

/* When a block ends, since the first one began. */
static double end_of(const struct blocks *blocks, size_t k)
{
    return (blocks->to - blocks->from) / BLOCKS * (double)(k + 1);
}

/* Sets the end of the next block. The last one ends at `to` to the last bit, not at a sum. */
static void set_end(struct blocks *blocks)
{
    blocks->end = blocks->complete + 1 < BLOCKS ? blocks->from + end_of(blocks, blocks->complete)
                                                : blocks->to;
}

void blocks_begin(struct blocks *blocks, double from, double to, double energy)
{
    blocks->from = from;
    blocks->to = to;
    blocks->energy = energy;
    blocks->complete = 0;
    set_end(blocks);
}

void blocks_mark(struct blocks *blocks, const struct tally *tally)
{
    blocks->marks[blocks->complete++] = (struct mark){
        .pairs = (double)tally->pairs,
        .virial = sum_value(&tally->virial),
        .energy_gained = sum_value(&tally->energy_gained),
        .energy_moment = sum_value(&tally->energy_moment),
    };
    set_end(blocks);
}

void blocks_complete(struct blocks *blocks, const struct tally *tally)
{
    while (blocks->complete < BLOCKS)
        blocks_mark(blocks, tally);
}

/*
 * A block: the difference of two marks. Energy that is gained at a time counts from then to the end
 * of the block; what the block begins with, all along.
 */
static struct block block_at(const struct blocks *blocks, size_t k)
{
    const struct mark *mark = &blocks->marks[k];
    const struct mark before = k > 0 ? blocks->marks[k - 1] : (struct mark){0};
    const double gained = mark->energy_gained - before.energy_gained;
    const double moment = mark->energy_moment - before.energy_moment;
    return (struct block){
        .pairs = mark->pairs - before.pairs,
        .virial = mark->virial - before.virial,
        .action = (blocks->energy + before.energy_gained) * end_of(blocks, 0) +
                  (gained * end_of(blocks, k) - moment),
    };
}

/*
 * The mean of `count` blocks, a power of 2, as the mean of the means of both halves: so equal
 * blocks have their value as mean to the last bit, and the error of what is constant is 0.
 */
static double mean_of(const struct blocks *blocks, const struct block *weights, size_t first,
                      size_t count)
{
    if (count > 1)
        return 0.5 * mean_of(blocks, weights, first, count / 2) +
               0.5 * mean_of(blocks, weights, first + count / 2, count / 2);
    const struct block block = block_at(blocks, first);
    return weights->pairs * block.pairs + weights->virial * block.virial +
           weights->action * block.action;
}

struct block blocks_mean(const struct blocks *blocks)
{
    const struct block pairs = {.pairs = 1};
    const struct block virial = {.virial = 1};
    const struct block action = {.action = 1};
    return (struct block){.pairs = mean_of(blocks, &pairs, 0, BLOCKS),
                          .virial = mean_of(blocks, &virial, 0, BLOCKS),
                          .action = mean_of(blocks, &action, 0, BLOCKS)};
}

/* The square of the standard error of the mean, if blocks joined to this length are independent. */
static double variance(const struct blocks *blocks, const struct block *weights, double mean,
                       size_t length)
{
    const double count = (double)(BLOCKS / length);
    double squares = 0;
    for (size_t first = 0; first < BLOCKS; first += length) {
        double away = mean_of(blocks, weights, first, length) - mean;
        squares += away * away;
    }
    return squares / (count * (count - 1));
}

/*
 * Let n be the number of blocks, and r the ratio of the squared errors that blocks of length L and
 * of length 1 show: twice the correlation time, in blocks. The error is too small by about r / (4L)
 * of itself, and its noise is sqrt(L / 2n) of itself; so the best length is where L^3 = n r^2 / 8.
 * The first one with L^3 > 2 n r^2 is taken, which is on the safe side (R. Lee and others,
 * Strategies for improving the efficiency of quantum Monte Carlo calculations, Phys. Rev. E 83,
 * 066706, 2011). If blocks are independent then, the longest ones show a squared error more than
 * MOST_GROWTH times as large once in 200 cases; if there is a trend, almost always.
 */
double blocks_error(const struct blocks *blocks, const struct block *weights, double least)
{
    const double mean = mean_of(blocks, weights, 0, BLOCKS);
    const double first = variance(blocks, weights, mean, 1);
    const double last = variance(blocks, weights, mean, BLOCKS / FEWEST);
    if (!isfinite(least))
        return (double)NAN;
    if (first == 0)
        return 0;
    for (size_t length = 1; length <= BLOCKS / FEWEST; length *= 2) {
        const double squared = variance(blocks, weights, mean, length);
        const double ratio = squared / first;
        const double cube = (double)length * (double)length * (double)length;
        if ((double)length >= least && cube > 2 * BLOCKS * ratio * ratio)
            return last <= MOST_GROWTH * squared ? sqrt(squared) : (double)NAN;
    }
    return (double)NAN;
}

void blocks_save(const struct blocks *blocks, struct record_writer *writer)
{
    record_put_whole(writer, blocks->complete);
    record_put_number(writer, blocks->energy);
    record_end_line(writer);
    for (size_t k = 0; k < blocks->complete; k++) {
        record_put_number(writer, blocks->marks[k].pairs);
        record_put_number(writer, blocks->marks[k].virial);
        record_put_number(writer, blocks->marks[k].energy_gained);
        record_put_number(writer, blocks->marks[k].energy_moment);
        record_end_line(writer);
    }
}

void blocks_load(struct blocks *blocks, double from, double to, struct record_reader *reader)
{
    const size_t complete = record_take_count(reader, BLOCKS - 1, 4);
    blocks_begin(blocks, from, to, record_take_number(reader, -DBL_MAX, DBL_MAX));
    record_expect_line_end(reader);
    for (size_t k = 0; k < complete && !reader->status; k++) {
        struct mark *mark = &blocks->marks[k];
        mark->pairs = record_take_number(reader, 0, DBL_MAX);
        mark->virial = record_take_number(reader, -DBL_MAX, DBL_MAX);
        mark->energy_gained = record_take_number(reader, -DBL_MAX, DBL_MAX);
        mark->energy_moment = record_take_number(reader, -DBL_MAX, DBL_MAX);
        record_expect_line_end(reader);
    }
    blocks->complete = complete;
    set_end(blocks);
}
