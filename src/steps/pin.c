/*
 * Pinned particles stay at rest: every move is in proportion to an inverse mass, and theirs is 0.
 * `particles` lists their numbers, separated by commas.
 */
#include "base/memory.h"
#include "io/text.h"
#include "part.h"

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

static enum status pin_create(struct part *part, const struct arguments *arguments,
                              struct steps *steps, struct error *error)
{
    enum status status = STATUS_DONE;
    (void)part;
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
    return status;
}

const struct part_kind pin_kind = {
    .name = "pin",
    .size = sizeof(struct part),
    .parameters = {{"particles", NAN, NAN, NAN}},
    .create = pin_create,
};
