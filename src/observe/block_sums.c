/*
 * Means over blocks; see block_sums.h.
 */
#include "block_sums.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>

enum status block_sums_create(struct block_sums *blocks, size_t size, struct error *error)
{
    *blocks = (struct block_sums){.size = size};
    if (size > SIZE_MAX / SUM_BLOCKS)
        size = SIZE_MAX; /* which fails */
    blocks->sums =
        memory_allocate(size, SUM_BLOCKS * sizeof *blocks->sums, "sums for blocks of time", error);
    if (!blocks->sums)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < SUM_BLOCKS * size; k++)
        blocks->sums[k] = 0;
    return STATUS_DONE;
}

void block_sums_free(struct block_sums *blocks)
{
    memory_free(blocks->sums);
    *blocks = (struct block_sums){0};
}

double block_sums_total(const struct block_sums *blocks, size_t place)
{
    double sum = 0;
    for (int block = 0; block < SUM_BLOCKS; block++)
        sum += block_sums_table(blocks, block)[place];
    return sum;
}

struct estimate block_estimate(double whole, const double parts[SUM_BLOCKS])
{
    double count = 0;
    double mean = 0;
    double scatter = 0;
    for (int block = 0; block < SUM_BLOCKS; block++) {
        if (!isfinite(parts[block]))
            continue;
        const double before = mean;
        count++;
        mean += (parts[block] - mean) / count;
        scatter += (parts[block] - before) * (parts[block] - mean);
    }
    if (count < SUM_BLOCKS_LEAST)
        return (struct estimate){whole, (double)NAN};
    return (struct estimate){whole, sqrt(fmax(scatter, 0) / (count * (count - 1)))};
}

struct estimate block_sums_ratio(const struct block_sums *blocks, size_t place, size_t divisor,
                                 double factor)
{
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *table = block_sums_table(blocks, block);
        parts[block] = factor * (table[place] / table[divisor]);
    }
    return block_estimate(
        factor * (block_sums_total(blocks, place) / block_sums_total(blocks, divisor)), parts);
}

void block_sums_save(const struct block_sums *blocks, struct record_writer *writer)
{
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *table = block_sums_table(blocks, block);
        uint64_t count = 0;
        for (size_t k = 0; k < blocks->size; k++)
            count += table[k] != 0;
        record_put_whole(writer, count);
        for (size_t k = 0; k < blocks->size; k++) {
            if (table[k] != 0) {
                record_put_whole(writer, k);
                record_put_number(writer, table[k]);
            }
        }
        record_end_line(writer);
    }
}

void block_sums_load(struct block_sums *blocks, struct record_reader *reader)
{
    for (int block = 0; block < SUM_BLOCKS && !reader->status; block++) {
        size_t count = record_take_count(reader, blocks->size, 2);
        for (size_t k = 0; k < count && !reader->status; k++) {
            uint64_t place = record_take_whole(reader, blocks->size - 1);
            block_sums_table(blocks, block)[place] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        }
        record_expect_line_end(reader);
    }
}
