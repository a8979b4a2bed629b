/*
 * Correlations in time; see correlator.h.
 */
#include "correlator.h"

#include "base/memory.h"

enum {
    HALF = CORRELATOR_KEPT / 2,
    MOST_SAMPLES = 1 << 21,
    MOST_LEVELS = 40,
    SUMS = 3 /* for a lag and a group */
};

size_t correlator_lags(const struct correlator *correlator)
{
    return CORRELATOR_KEPT + (correlator->levels - 1) * HALF;
}

uint64_t correlator_lag(size_t number)
{
    if (number < CORRELATOR_KEPT)
        return number;
    const size_t level = (number - CORRELATOR_KEPT) / HALF + 1;
    return (uint64_t)(HALF + number % HALF) << level;
}

enum status correlator_create(struct correlator *correlator, const struct system *system,
                              const struct classes *classes, uint64_t frames, struct error *error)
{
    *correlator = (struct correlator){
        .classes = classes, .particles = system->count, .tracers = system->count, .levels = 1};
    while (correlator->levels < MOST_LEVELS && correlator_lag(correlator_lags(correlator)) < frames)
        correlator->levels++;
    const size_t most = MOST_SAMPLES / CORRELATOR_KEPT / correlator->levels;
    if (correlator->tracers > most)
        correlator->tracers = most;
    const size_t samples = correlator->tracers * correlator->levels * CORRELATOR_KEPT;
    correlator->samples = memory_allocate(samples, sizeof *correlator->samples,
                                          "the displacements of --structure", error);
    if (!correlator->samples)
        return STATUS_NO_MEMORY;
    return block_sums_create(
        &correlator->blocks,
        correlator_lags(correlator) * classes_groups(correlator->classes) * SUMS, error);
}

void correlator_free(struct correlator *correlator)
{
    memory_free(correlator->samples);
    block_sums_free(&correlator->blocks);
    *correlator = (struct correlator){0};
}

/* The samples of all tracers that a level took as its `turn`-th. */
static struct sample *find_samples(const struct correlator *correlator, size_t level, uint64_t turn)
{
    const size_t place = level * CORRELATOR_KEPT + (size_t)(turn % CORRELATOR_KEPT);
    return correlator->samples + place * correlator->tracers;
}

/* The number of a tracer in the input: they are spread evenly. */
static size_t find_number(const struct correlator *correlator, size_t tracer)
{
    return (size_t)((uint64_t)tracer * correlator->particles / correlator->tracers);
}

/* Where the sums of a lag of a level begin, in a table. */
static size_t find_place(const struct correlator *correlator, size_t lag)
{
    return lag * classes_groups(correlator->classes) * SUMS;
}

/* Adds what two times have in common, for all tracers. */
static void correlate(const struct correlator *correlator, const struct sample *now,
                      const struct sample *then, double *sums)
{
    double groups[1 + CLASSES_MOST][SUMS] = {{0}};
    for (size_t k = 0; k < correlator->tracers; k++) {
        const double dx = now[k].x - then[k].x;
        const double dy = now[k].y - then[k].y;
        double *group = groups[1 + correlator->classes->list[find_number(correlator, k)]];
        group[0] += dx * dx + dy * dy;
        group[1] += now[k].u * then[k].u + now[k].v * then[k].v;
        group[2]++;
    }
    for (size_t group = 1; group <= correlator->classes->count; group++) {
        for (size_t k = 0; k < SUMS; k++) {
            sums[k] += groups[group][k];
            if (correlator->classes->count > 1)
                sums[group * SUMS + k] += groups[group][k];
        }
    }
}

void correlator_add(struct correlator *correlator, const struct snapshot *snapshot, int block)
{
    double *table = block_sums_table(&correlator->blocks, block);
    struct sample *now = find_samples(correlator, 0, correlator->taken);
    for (size_t k = 0; k < correlator->tracers; k++) {
        const size_t number = find_number(correlator, k);
        const struct body body = snapshot_body(snapshot, number);
        snapshot_unwrapped(snapshot, number, &now[k].x, &now[k].y);
        now[k].u = body.u;
        now[k].v = body.v;
    }
    for (size_t level = 0; level < correlator->levels; level++) {
        const uint64_t turn = correlator->taken >> level;
        if (turn << level != correlator->taken)
            break;
        struct sample *kept = find_samples(correlator, level, turn);
        for (size_t k = 0; k < correlator->tracers && level > 0; k++)
            kept[k] = now[k];
        for (uint64_t j = level > 0 ? HALF : 0; j < CORRELATOR_KEPT && j <= turn; j++) {
            const size_t lag = (size_t)j + level * HALF;
            correlate(correlator, now, find_samples(correlator, level, turn - j),
                      table + find_place(correlator, lag));
        }
    }
    correlator->taken++;
}

struct estimate correlator_displacement(const struct correlator *correlator, size_t lag,
                                        size_t group)
{
    const size_t place = find_place(correlator, lag) + group * SUMS;
    return block_sums_ratio(&correlator->blocks, place, place + 2, 1);
}

struct estimate correlator_velocity(const struct correlator *correlator, size_t lag, size_t group)
{
    const size_t place = find_place(correlator, lag) + group * SUMS;
    return block_sums_ratio(&correlator->blocks, place + 1, place + 2, 1);
}

/* How many samples of a level are filled. */
static uint64_t count_kept(const struct correlator *correlator, size_t level)
{
    const uint64_t turns = correlator->taken > 0 ? ((correlator->taken - 1) >> level) + 1 : 0;
    return turns < CORRELATOR_KEPT ? turns : CORRELATOR_KEPT;
}

void correlator_save(const struct correlator *correlator, struct record_writer *writer)
{
    record_put_whole(writer, correlator->taken);
    for (size_t level = 0; level < correlator->levels; level++) {
        const struct sample *samples = find_samples(correlator, level, 0);
        for (size_t k = 0; k < count_kept(correlator, level) * correlator->tracers; k++) {
            record_put_number(writer, samples[k].x);
            record_put_number(writer, samples[k].y);
            record_put_number(writer, samples[k].u);
            record_put_number(writer, samples[k].v);
        }
    }
    record_end_line(writer);
    block_sums_save(&correlator->blocks, writer);
}

void correlator_load(struct correlator *correlator, struct record_reader *reader)
{
    static const double most = 1e142; /* with images of the largest box: see checkpoint.c */
    correlator->taken = record_take_whole(reader, UINT32_MAX);
    for (size_t level = 0; level < correlator->levels && !reader->status; level++) {
        struct sample *samples = find_samples(correlator, level, 0);
        const size_t count = (size_t)count_kept(correlator, level) * correlator->tracers;
        for (size_t k = 0; k < count && !reader->status; k++) {
            samples[k].x = record_take_number(reader, -most, most);
            samples[k].y = record_take_number(reader, -most, most);
            samples[k].u = record_take_number(reader, -most, most);
            samples[k].v = record_take_number(reader, -most, most);
        }
    }
    record_expect_line_end(reader);
    block_sums_load(&correlator->blocks, reader);
}
