/*
 * Blocks of a tally; see blocks.h.
 */
#include "blocks.h"

#include <float.h>

void blocks_begin(struct blocks *blocks, double from, double to, double energy)
{
    block_times_begin(&blocks->times, from, to, 0);
    blocks->energy = energy;
}

void blocks_mark(struct blocks *blocks, const struct tally *tally)
{
    blocks->marks[blocks->times.complete] = (struct mark){
        .pairs = (double)tally->pairs,
        .virial = sum_value(&tally->virial),
        .energy_gained = sum_value(&tally->energy_gained),
        .energy_moment = sum_value(&tally->energy_moment),
        .inflow = sum_value(&tally->inflow),
    };
    block_times_advance(&blocks->times);
}

void blocks_complete(struct blocks *blocks, const struct tally *tally)
{
    while (blocks->times.complete < BLOCKS)
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
        .action = (blocks->energy + before.energy_gained) * block_times_length(&blocks->times, 0) +
                  (gained * block_times_length(&blocks->times, k) - moment),
        .inflow = mark->inflow - before.inflow,
    };
}

/* Blocks, and what of each of them is asked for. */
struct weighted {
    const struct blocks *blocks;
    struct block weights;
};

static double weigh(const void *of, size_t k)
{
    const struct weighted *weighted = of;
    const struct block *weights = &weighted->weights;
    const struct block block = block_at(weighted->blocks, k);
    return weights->pairs * block.pairs + weights->virial * block.virial +
           weights->action * block.action + weights->inflow * block.inflow;
}

static double weighted_mean(const struct blocks *blocks, struct block weights)
{
    const struct weighted weighted = {blocks, weights};
    return block_series_mean(&(struct block_series){weigh, &weighted});
}

struct block blocks_mean(const struct blocks *blocks)
{
    return (struct block){.pairs = weighted_mean(blocks, (struct block){.pairs = 1}),
                          .virial = weighted_mean(blocks, (struct block){.virial = 1}),
                          .action = weighted_mean(blocks, (struct block){.action = 1}),
                          .inflow = weighted_mean(blocks, (struct block){.inflow = 1})};
}

double blocks_error(const struct blocks *blocks, const struct block *weights, double least)
{
    const struct weighted weighted = {blocks, *weights};
    return block_series_error(&(struct block_series){weigh, &weighted}, least);
}

void blocks_save(const struct blocks *blocks, struct record_writer *writer)
{
    record_put_whole(writer, blocks->times.complete);
    record_put_number(writer, blocks->energy);
    record_end_line(writer);
    for (size_t k = 0; k < blocks->times.complete; k++) {
        record_put_number(writer, blocks->marks[k].pairs);
        record_put_number(writer, blocks->marks[k].virial);
        record_put_number(writer, blocks->marks[k].energy_gained);
        record_put_number(writer, blocks->marks[k].energy_moment);
        record_put_number(writer, blocks->marks[k].inflow);
        record_end_line(writer);
    }
}

void blocks_load(struct blocks *blocks, double from, double to, struct record_reader *reader)
{
    const size_t complete = record_take_count(reader, BLOCKS - 1, 5);
    blocks_begin(blocks, from, to, record_take_number(reader, -DBL_MAX, DBL_MAX));
    record_expect_line_end(reader);
    for (size_t k = 0; k < complete && !reader->status; k++) {
        struct mark *mark = &blocks->marks[k];
        mark->pairs = record_take_number(reader, 0, DBL_MAX);
        mark->virial = record_take_number(reader, -DBL_MAX, DBL_MAX);
        mark->energy_gained = record_take_number(reader, -DBL_MAX, DBL_MAX);
        mark->energy_moment = record_take_number(reader, -DBL_MAX, DBL_MAX);
        mark->inflow = record_take_number(reader, 0, DBL_MAX);
        record_expect_line_end(reader);
    }
    block_times_begin(&blocks->times, from, to, complete);
}
