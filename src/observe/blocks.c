/* Blocks of a run, classes of particles, and histograms that grow; see blocks.h. */
#include "blocks.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The fewest joined blocks whose scatter is used: it is known to 1 / sqrt(14), a quarter. */
enum { MIN_JOINED = 8 };

static const double MAX_GROWTH = 3;

double block_times_length(const struct block_times *times, size_t k)
{
    return (times->to - times->from) / BLOCKS * (double)(k + 1);
}

void block_times_begin(struct block_times *times, double from, double to, size_t complete)
{
    *times = (struct block_times){.from = from, .to = to, .complete = complete};
    times->end = block_end(from, to, complete);
}

/* The mean of `count` blocks, a power of 2, as the mean of the means of both halves: so equal
 * blocks have their value as mean to the last bit, and the error of a constant is 0. */
static double mean_of(const double values[BLOCKS], size_t first, size_t count)
{
    if (count > 1)
        return 0.5 * mean_of(values, first, count / 2) +
               0.5 * mean_of(values, first + count / 2, count / 2);
    return values[first];
}

/* The square of the standard error of the mean, if blocks joined to this length are independent. */
static double variance(const double values[BLOCKS], double mean, size_t length)
{
    const double count = (double)(BLOCKS / length);
    double squares = 0;
    for (size_t first = 0; first < BLOCKS; first += length) {
        double away = mean_of(values, first, length) - mean;
        squares += away * away;
    }
    return squares / (count * (count - 1));
}

/* Let n be the number of blocks, and r the ratio of the squared errors that blocks of length L and
 * of length 1 show: twice the correlation time, in blocks. The error is too small by about r / (4L)
 * of itself, and its noise is sqrt(L / 2n) of itself; so the best length is where L^3 = n r^2 / 8.
 * The first one with L^3 > 2 n r^2 is taken, which is on the safe side (R. Lee and others,
 * Strategies for improving the efficiency of quantum Monte Carlo calculations, Phys. Rev. E 83,
 * 066706, 2011). If blocks are independent then, the longest ones show a squared error more than
 * MAX_GROWTH times as large once in 200 cases; if there is a trend, almost always. */
double block_error(const double values[BLOCKS], double least)
{
    const double mean = mean_of(values, 0, BLOCKS);
    const double first = variance(values, mean, 1);
    const double last = variance(values, mean, BLOCKS / MIN_JOINED);
    if (!isfinite(least))
        return (double)NAN;
    if (first == 0)
        return 0;
    for (size_t length = 1; length <= BLOCKS / MIN_JOINED; length *= 2) {
        const double squared = variance(values, mean, length);
        const double ratio = squared / first;
        const double cube = (double)length * (double)length * (double)length;
        if ((double)length >= least && cube > 2 * BLOCKS * ratio * ratio)
            return last <= MAX_GROWTH * squared ? sqrt(squared) : (double)NAN;
    }
    return (double)NAN;
}

void blocks_begin(struct blocks *blocks, double from, double to, double energy)
{
    block_times_begin(&blocks->times, from, to, 0);
    blocks->starts[INTEGRAL_ENERGY] = energy;
}

static size_t count_sums(const struct blocks *blocks)
{
    return blocks->has_classes ? BLOCK_SUMS : BLOCK_CLASSES;
}

void blocks_mark(struct blocks *blocks, struct tally *tally)
{
    struct block_times *times = &blocks->times;
    tally_advance(tally, times->end);
    double mark[BLOCK_SUMS] = {[BLOCK_PAIRS] = (double)tally->pairs,
                               [BLOCK_VIRIAL] = sum_value(&tally->virial),
                               [BLOCK_DIFFERENCE] = tally->difference,
                               [BLOCK_SHEAR] = tally->shear,
                               [BLOCK_INFLOW] = sum_value(&tally->inflow)};
    memcpy(&mark[BLOCK_INTEGRALS], tally->integrals, sizeof tally->integrals);
    memcpy(&mark[BLOCK_CLASS_PAIRS], tally->class_pairs, sizeof tally->class_pairs);
    for (size_t sum = 0; sum < count_sums(blocks); sum++)
        blocks->marks[sum][times->complete] = mark[sum];
    blocks->energy_gained[times->complete] = tally->changes[INTEGRAL_ENERGY];
    block_times_begin(times, times->from, times->to, times->complete + 1);
    tally->sums += 1 + tally->basis.more_pairs;
    tally->sums->block = times->complete;
}

void blocks_complete(struct blocks *blocks, struct tally *tally)
{
    for (int k = INTEGRAL_ENERGY + 1; k < TALLY_INTEGRALS; k++)
        blocks->starts[k] = tally->starts[k];
    while (blocks->times.complete < BLOCKS)
        blocks_mark(blocks, tally);
}

void blocks_double(struct blocks *blocks)
{
    struct block_times *times = &blocks->times;
    for (size_t k = 0; k < BLOCKS / 2; k++) {
        for (size_t sum = 0; sum < count_sums(blocks); sum++)
            blocks->marks[sum][k] = blocks->marks[sum][2 * k + 1];
        blocks->energy_gained[k] = blocks->energy_gained[2 * k + 1];
    }
    block_times_begin(times, times->from, times->from + 2 * (times->to - times->from), BLOCKS / 2);
}

void blocks_cut(struct blocks *blocks, struct tally *tally, double time)
{
    struct block_times *times = &blocks->times;
    const size_t complete = times->complete;
    const double begin = block_begin(times->from, times->to, complete);
    const double part = (time - begin) / (times->end - begin);
    times->end = time;
    blocks_mark(blocks, tally);
    for (size_t sum = 0; sum < count_sums(blocks); sum++)
        block_marks_stretch(blocks->marks[sum], complete, part);
    block_marks_stretch(blocks->energy_gained, complete, part);
    block_times_begin(times, times->from, time, BLOCKS);
    blocks->is_short = complete < BLOCKS / 2;
}

/* A sum over a block: the difference of two marks, and an integral's part of the sum at first. */
static double sum_of_block(const struct blocks *blocks, size_t k, int sum)
{
    double value = block_gain(blocks->marks[sum], k);
    if (sum >= BLOCK_INTEGRALS && sum < BLOCK_CLASS_PAIRS)
        value += blocks->starts[sum - BLOCK_INTEGRALS] * block_times_length(&blocks->times, 0);
    return value;
}

struct block_estimate blocks_estimate(const struct blocks *blocks, const struct block_term *terms,
                                      size_t count, double least)
{
    double values[BLOCKS] = {0};
    for (const struct block_term *term = terms; term < terms + count; term++)
        for (size_t k = 0; k < BLOCKS && term->weight != 0; k++) /* others may not be finite */
            values[k] += term->weight * sum_of_block(blocks, k, term->sum);
    return (struct block_estimate){
        mean_of(values, 0, BLOCKS),
        block_error(values, blocks->is_short ? (double)INFINITY : least)};
}

double blocks_mean(const struct blocks *blocks, int sum)
{
    double values[BLOCKS];
    for (size_t k = 0; k < BLOCKS; k++)
        values[k] = sum_of_block(blocks, k, sum);
    return mean_of(values, 0, BLOCKS);
}

double blocks_mean_integral(const struct blocks *blocks, enum tally_integral integral)
{
    return blocks->starts[integral] + blocks->marks[BLOCK_INTEGRALS + integral][BLOCKS - 1] /
                                          (blocks->times.to - blocks->times.from);
}

void blocks_record(struct blocks *blocks, double from, double to, struct record *record)
{
    size_t complete = blocks->times.complete;
    record_count(record, &complete, BLOCKS - 1, count_sums(blocks) + 1);
    record_numbers(record, &blocks->starts[INTEGRAL_ENERGY], 1);
    record_end_line(record);
    for (size_t k = 0; k < complete && !record->status; k++) {
        for (size_t sum = 0; sum < count_sums(blocks); sum++)
            record_numbers(record, &blocks->marks[sum][k], 1);
        record_numbers(record, &blocks->energy_gained[k], 1);
        record_end_line(record);
    }
    if (record->is_reading)
        block_times_begin(&blocks->times, from, to, complete);
}

enum status block_sums_create(struct block_sums *blocks, size_t size, struct error *error)
{
    *blocks = (struct block_sums){.size = size};
    blocks->sums = memory_allocate_zeros(size, SUM_BLOCKS * sizeof *blocks->sums,
                                         "sums for blocks of time", error);
    return blocks->sums ? STATUS_DONE : STATUS_NO_MEMORY;
}

void block_sums_free(struct block_sums *blocks)
{
    memory_free(blocks->sums);
    *blocks = (struct block_sums){0};
}

double block_sums_total(const struct block_sums *blocks, size_t entry)
{
    double sum = 0;
    for (int block = 0; block < SUM_BLOCKS; block++)
        sum += block_sums_table(blocks, block)[entry];
    return sum;
}

struct block_estimate block_estimate(double whole, const double parts[SUM_BLOCKS])
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
    if (count < SUM_BLOCKS_MIN)
        return (struct block_estimate){whole, (double)NAN};
    return (struct block_estimate){whole, sqrt(fmax(scatter, 0) / (count * (count - 1)))};
}

void block_sums_join(const struct block_sums *blocks)
{
    const size_t half = SUM_BLOCKS / 2 * blocks->size;
    for (size_t k = 0; k < half; k++) {
        const double *first = &blocks->sums[k + k / blocks->size * blocks->size];
        blocks->sums[k] = first[0] + first[blocks->size];
    }
    memset(blocks->sums + half, 0, half * sizeof *blocks->sums);
}

struct block_estimate block_sums_mean(const struct block_sums *blocks, size_t entry, double whole,
                                      double part)
{
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++)
        parts[block] = block + 1 <= part * SUM_BLOCKS
                           ? block_sums_table(blocks, block)[entry] / (whole / part / SUM_BLOCKS)
                           : (double)NAN;
    return block_estimate(block_sums_total(blocks, entry) / whole, parts);
}

struct block_estimate block_sums_ratio(const struct block_sums *blocks, size_t entry,
                                       size_t divisor, double factor)
{
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++) {
        const double *table = block_sums_table(blocks, block);
        parts[block] = factor * (table[entry] / table[divisor]);
    }
    return block_estimate(
        factor * (block_sums_total(blocks, entry) / block_sums_total(blocks, divisor)), parts);
}

void block_sums_record(struct block_sums *blocks, struct record *record)
{
    for (int block = 0; block < SUM_BLOCKS && !record->status; block++) {
        double *table = block_sums_table(blocks, block);
        size_t count = 0;
        for (size_t entry = 0; entry < blocks->size; entry++)
            count += table[entry] != 0;
        record_count(record, &count, blocks->size, 2);
        for (uint64_t entry = 0; count > 0 && !record->status; count--, entry++) {
            while (!record->is_reading && table[entry] == 0)
                entry++;
            record_whole(record, &entry, blocks->size - 1);
            record_numbers(record, &table[entry], 1);
        }
        record_end_line(record);
    }
}

/* Lists the species of a system with kinds, or counts them as one class if they are too many. */
static void find_species(struct classes *classes, const struct snapshot *snapshot)
{
    int32_t last = -1; /* species are 0 or more */
    for (size_t count = 0;; count++) {
        int64_t next = INT64_MAX; /* the least one after the last */
        for (size_t k = 0; k < snapshot->system->count; k++) {
            const int32_t species = snapshot_body(snapshot, k).species;
            if (species > last && species < next)
                next = species;
        }
        classes->count = count <= CLASSES_MAX ? count : 1;
        if (next == INT64_MAX || count > CLASSES_MAX)
            return;
        last = (int32_t)next;
        if (count < CLASSES_MAX)
            classes->species[count] = last;
    }
}

enum status classes_create(struct classes *classes, const struct snapshot *snapshot,
                           struct error *error)
{
    const size_t particles = snapshot->system->count;
    double radii = 0;
    int is_equal = 1;
    *classes = (struct classes){.count = 1};
    classes->list = memory_allocate_zeros(particles, 1, "the species of particles", error);
    if (!classes->list)
        return STATUS_NO_MEMORY;
    if (!snapshot->system->kinds) { /* they are alike: none has to be examined */
        classes->members[0] = particles;
        classes->radius[0] = classes->mean_radius = snapshot->system->radius;
        return STATUS_DONE;
    }
    find_species(classes, snapshot);
    for (size_t k = 0; k < particles; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double radius = snapshot->system->kinds[body.kind].radius;
        size_t class = 0;
        while (class + 1 < classes->count && classes->species[class] != body.species)
            class ++;
        if (classes->members[class]++ == 0)
            classes->radius[class] = radius;
        else if (classes->radius[class] != radius)
            classes->radius[class] = (double)NAN;
        classes->list[k] = (uint8_t) class;
        classes->mass[class] += body.mass;
        radii += radius;
        is_equal &= radius == classes->radius[0];
    }
    classes->mean_radius = is_equal ? classes->radius[0] : radii / (double)particles;
    return STATUS_DONE;
}

void classes_count(struct classes *classes, const struct snapshot *snapshot)
{
    if (!wall_laws_absorb(&snapshot->system->boundary))
        return;
    memset(classes->members, 0, sizeof classes->members);
    for (size_t k = 0; k < snapshot->system->count; k++)
        classes->members[classes->list[k]] += snapshot_has(snapshot, k) ? 1 : 0;
}

void classes_free(struct classes *classes)
{
    memory_free(classes->list);
}

enum { MIN_EXPONENT = -1000 }; /* so that a bin's width and its inverse are normal numbers */

enum status histogram_create(struct histogram *histogram, struct error *error)
{
    histogram->limit = histogram->scale = 0;
    /* After the bins is the count of all. */
    return block_sums_create(&histogram->counts, HISTOGRAM_BINS + 1, error);
}

void histogram_free(struct histogram *histogram)
{
    block_sums_free(&histogram->counts);
}

void histogram_widen(struct histogram *histogram, double value)
{
    int exponent, before;
    (void)frexp(value, &exponent);
    exponent = exponent > MIN_EXPONENT ? exponent : MIN_EXPONENT;
    (void)frexp(histogram->limit, &before);
    /* A limit of 2^n is frexp's 0.5 * 2^(n + 1). Zeros, in bin 0, stay there. */
    const int shift = histogram->limit > 0 ? exponent - (before - 1) : 0;
    histogram->limit = ldexp(1, exponent);
    histogram->scale = HISTOGRAM_BINS / histogram->limit;
    for (int block = 0; block < SUM_BLOCKS && shift > 0; block++) {
        double *counts = block_sums_table(&histogram->counts, block);
        for (size_t k = 1; k < HISTOGRAM_BINS; k++) {
            const double moved = counts[k];
            counts[k] = 0;
            counts[shift < 8 ? k >> shift : 0] += moved;
        }
    }
}

size_t histogram_used(const struct histogram *histogram)
{
    size_t used = histogram->limit > 0 ? HISTOGRAM_BINS : 0;
    while (used > 0 && block_sums_total(&histogram->counts, used - 1) == 0)
        used--;
    return used;
}

double histogram_count(const struct histogram *histogram)
{
    return block_sums_total(&histogram->counts, HISTOGRAM_BINS);
}

struct block_estimate histogram_density(const struct histogram *histogram, size_t bin)
{
    return block_sums_ratio(&histogram->counts, bin, HISTOGRAM_BINS,
                            HISTOGRAM_BINS / histogram->limit);
}

void histogram_record(struct histogram *histogram, struct record *record)
{
    int exponent;
    record_number(record, &histogram->limit, 0, DBL_MAX);
    if (histogram->limit > 0 &&
        (frexp(histogram->limit, &exponent) != 0.5 || histogram->limit < 0x1p-1000))
        record_refuse(record, "expected a power of two");
    histogram->scale = histogram->limit > 0 ? HISTOGRAM_BINS / histogram->limit : 0;
    block_sums_record(&histogram->counts, record);
}
