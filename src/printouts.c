/*
 * What a run would print if it ended earlier; see printouts.h.
 *
 * The checksum of a line is FNV-1a (G. Fowler, L. C. Noll and K.-P. Vo; D. Eastlake and others, The
 * FNV non-cryptographic hash algorithm, IETF draft) of the particle's number and the very bytes
 * that output.h prints, mixed once more by the last step of splitmix64 (see random.h). That of a
 * printout is the sum of its lines', which does not depend on the order that the schedule has
 * given to the particles.
 *
 * A printout of N lines takes as long as about N collisions. So the number of printouts is limited
 * where N is large.
 */
#include "printouts.h"

#include "memory.h"
#include "output.h"

#include <math.h>

enum { LEAST_STEPS = 10, MOST_LINES = 10000000 }; /* in all printouts together */
static const double FINENESS = 1000; /* at least so many decimals of printouts_time in a step */

double printouts_time(const struct printouts *printouts, size_t k)
{
    if (k == 0 || k >= printouts->steps)
        return k == 0 ? 0 : printouts->end_time;
    double time = (double)k * printouts->end_time / (double)printouts->steps;
    return decimals_round(&printouts->decimals, time);
}

static uint64_t sum_line(const struct system *system, size_t index, double time)
{
    char line[OUTPUT_LINE_SIZE];
    size_t length = output_line(line, system, index, time);
    uint64_t sum = 0xCBF29CE484222325;
    uint32_t id = (uint32_t)system->particles[index].id;
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
    if (steps > PRINTOUTS_MOST_STEPS)
        steps = PRINTOUTS_MOST_STEPS;
    /* The parts of so short a time might not be distinct. */
    return end_time > SYSTEM_SMALLEST * SYSTEM_SMALLEST ? steps : end_time > 0;
}

static enum status begin(struct observer *observer, const struct system *system,
                         struct error *error)
{
    struct printouts *printouts = (struct printouts *)observer;
    printouts->steps = choose_steps(system->count, printouts->end_time);
    if (printouts->steps > 1)
        printouts->decimals = decimals_choose(
            printouts->end_time / (double)printouts->steps / FINENESS, printouts->end_time);
    printouts->sums =
        memory_allocate(printouts->steps + 1, sizeof *printouts->sums, "the checksums", error);
    observer->next_look = 0;
    return printouts->sums ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status look(struct observer *observer, const struct system *system, struct error *error)
{
    struct printouts *printouts = (struct printouts *)observer;
    uint64_t sum = 0;
    (void)error;
    for (size_t index = 0; index < system->count; index++)
        sum += sum_line(system, index, observer->next_look);
    printouts->sums[printouts->taken++] = sum;
    observer->next_look = printouts->taken <= printouts->steps
                              ? printouts_time(printouts, printouts->taken)
                              : (double)INFINITY;
    return STATUS_DONE;
}

static void free_printouts(struct observer *observer)
{
    struct printouts *printouts = (struct printouts *)observer;
    memory_free(printouts->sums);
    memory_free(printouts);
}

enum status printouts_create(double end_time, struct printouts **printouts, struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin, .look = look, .free = free_printouts};
    *printouts = memory_allocate(1, sizeof **printouts, "the checksums", error);
    if (!*printouts)
        return STATUS_NO_MEMORY;
    **printouts = (struct printouts){.observer = {.operations = &operations}, .end_time = end_time};
    return STATUS_DONE;
}

int printouts_are_alike(const struct printouts *a, const struct printouts *b, size_t k)
{
    return k < a->taken && k < b->taken && a->sums[k] == b->sums[k];
}
