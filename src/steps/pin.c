/*
 * Pinned particles stay at rest: every move is in proportion to an inverse mass, and theirs is 0.
 * `particles` lists their numbers, separated by commas.
 */
#include "base/memory.h"
#include "io/text.h"
#include "parts.h"
#include "stepping.h"

#include <inttypes.h>
#include <string.h>

static enum status pin(struct steps *steps, const char *number, struct error *error)
{
    uint64_t k;
    const char *problem = text_whole_number(number, &k);
    if (problem)
        return error_set(error, STATUS_USAGE, "pin: the number of a particle, '%.100s', %s", number,
                         problem);
    if (k >= steps->system->count)
        return error_set(error, STATUS_USAGE,
                         "pin: there is no particle %" PRIu64 ": the last one is %zu", k,
                         steps->system->count - 1);
    steps->inverse_mass[k] = 0;
    steps->system->particles[k].u = 0;
    steps->system->particles[k].v = 0;
    return STATUS_DONE;
}

static void pin_free(struct part *part)
{
    memory_free(part);
}

static enum status pin_create(const struct arguments *arguments, struct steps *steps,
                              struct part **part, struct error *error)
{
    enum status status = STATUS_DONE;
    const size_t size = strlen(arguments->texts[0]) + 1;
    char *list = memory_allocate(size, 1, "the pinned particles", error);
    if (!list)
        return STATUS_NO_MEMORY;
    memcpy(list, arguments->texts[0], size);
    for (char *number = list, *end = list; number && !status; number = end) {
        end = strchr(number, ',');
        if (end)
            *end++ = '\0';
        status = pin(steps, number, error);
    }
    memory_free(list);
    if (!status)
        *part = memory_allocate(1, sizeof **part, "the pinned particles", error);
    return !status && !*part ? STATUS_NO_MEMORY : status;
}

const struct part_kind pin_kind = {
    .name = "pin",
    .parameters = {{"particles", NAN, NAN, NAN}},
    .create = pin_create,
    .free = pin_free,
};
