/*
 * Checksums of what a run would print if it ended earlier; see answer_digest.h.
 *
 * The checksum of a line is FNV-1a (G. Fowler, L. C. Noll and K.-P. Vo; D. Eastlake and others, The
 * FNV non-cryptographic hash algorithm, IETF draft) of the particle's number and the very bytes
 * that output.h prints, mixed once more by the last step of splitmix64 (see random.h). The checksum
 * of an answer is the sum of those of its lines. It does not depend on the order that the schedule
 * has given to the particles.
 *
 * An answer of N lines takes as long as about N collisions. So the number of answers is limited
 * for large N.
 */
#include "answer_digest.h"

#include "base/memory.h"
#include "observe/output.h"

#include <math.h>

enum { LEAST_STEPS = 10, MOST_LINES = 10000000 }; /* in all answers together */
static const double FINENESS = 1000; /* decimals of answer_digest_time in a step, at least */

double answer_digest_time(const struct answer_digest *digest, size_t k)
{
    if (k == 0 || k >= digest->steps)
        return k == 0 ? 0 : digest->end_time;
    double time = (double)k * digest->end_time / (double)digest->steps;
    return number_round(&digest->decimals, time);
}

static uint64_t sum_line(const struct snapshot *snapshot, size_t number)
{
    char line[OUTPUT_LINE_SIZE];
    size_t length = output_line(line, snapshot, number);
    uint64_t sum = 0xCBF29CE484222325;
    uint32_t id = (uint32_t)number;
    for (int shift = 0; shift < 32; shift += 8)
        sum = (sum ^ (id >> shift & 0xFF)) * 0x100000001B3;
    for (size_t k = 0; k < length; k++)
        sum = (sum ^ (unsigned char)line[k]) * 0x100000001B3;
    sum = (sum ^ (sum >> 30)) * 0xBF58476D1CE4E5B9;
    sum = (sum ^ (sum >> 27)) * 0x94D049BB133111EB;
    return sum ^ (sum >> 31);
}

static size_t choose_steps(size_t count, double end_time)
{
    size_t steps = MOST_LINES / count;
    if (steps < LEAST_STEPS)
        steps = LEAST_STEPS;
    if (steps > ANSWER_DIGEST_MOST_STEPS)
        steps = ANSWER_DIGEST_MOST_STEPS;
    /* Steps of so short a time might be 0. */
    return end_time > SYSTEM_SMALLEST * SYSTEM_SMALLEST ? steps : end_time > 0;
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct answer_digest *digest = (struct answer_digest *)observer;
    digest->steps = choose_steps(snapshot->system->count, digest->end_time);
    if (digest->steps > 1)
        digest->decimals = number_choose_decimals(
            digest->end_time / (double)digest->steps / FINENESS, digest->end_time);
    digest->sums = memory_allocate(digest->steps + 1, sizeof *digest->sums, "the checksums", error);
    observer->next_look = 0;
    return digest->sums ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct answer_digest *digest = (struct answer_digest *)observer;
    uint64_t sum = 0;
    (void)error;
    for (size_t number = 0; number < snapshot->system->count; number++)
        sum += sum_line(snapshot, number);
    digest->sums[digest->taken++] = sum;
    observer->next_look = digest->taken <= digest->steps ? answer_digest_time(digest, digest->taken)
                                                         : (double)INFINITY;
    return STATUS_DONE;
}

static void free_digest(struct observer *observer)
{
    struct answer_digest *digest = (struct answer_digest *)observer;
    memory_free(digest->sums);
    memory_free(digest);
}

enum status answer_digest_create(double end_time, struct answer_digest **digest,
                                 struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin, .look = look, .free = free_digest};
    *digest = memory_allocate(1, sizeof **digest, "the checksums", error);
    if (!*digest)
        return STATUS_NO_MEMORY;
    **digest =
        (struct answer_digest){.observer = {.operations = &operations}, .end_time = end_time};
    return STATUS_DONE;
}

int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k)
{
    return k < a->taken && k < b->taken && a->sums[k] == b->sums[k];
}
