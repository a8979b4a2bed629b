/*
 * The values of options; see option_values.h.
 */
#include "option_values.h"

#include "io/text.h"

#include <inttypes.h>
#include <string.h>

enum status option_schedule(const char *text, enum schedule_kind *kind, struct error *error)
{
    static const struct {
        const char *name;
        enum schedule_kind kind;
    } schedules[] = {{"auto", SCHEDULE_AUTO}, {"array", SCHEDULE_ARRAY}, {"cells", SCHEDULE_CELLS}};
    for (size_t k = 0; k < sizeof schedules / sizeof schedules[0]; k++) {
        if (strcmp(text, schedules[k].name) == 0) {
            *kind = schedules[k].kind;
            return STATUS_DONE;
        }
    }
    return error_set(error, STATUS_USAGE, "unknown schedule '%.100s': use auto, array or cells",
                     text);
}

enum status option_rule(const char *text, enum rule *rule, struct error *error)
{
    if (strcmp(text, "swap") == 0)
        *rule = RULE_SWAP;
    else if (strcmp(text, "elastic") == 0)
        *rule = RULE_ELASTIC;
    else
        return error_set(error, STATUS_USAGE, "unknown rule '%.100s': use swap or elastic", text);
    return STATUS_DONE;
}

enum status option_end_time(const char *text, double *end_time, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < 0)
        problem = "is negative";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is beyond all measure";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' %s", SYSTEM_LARGEST,
                         text, problem);
    *end_time = value;
    return STATUS_DONE;
}

enum status option_number(const char *name, const char *text, double least, double largest,
                          const char *too_large, double *number, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && value < least)
        problem = least == 0 ? "is negative" : "is too small";
    if (!problem && value > largest)
        problem = too_large;
    if (problem)
        return error_set(error, STATUS_USAGE, "--%s takes a number from %g to %g, and '%.100s' %s",
                         name, least, largest, text, problem);
    *number = value + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

enum status option_positive(const char *name, const char *text, double *number, struct error *error)
{
    double value = 0;
    const char *problem = text_number(text, &value);
    if (!problem && !(value > 0))
        problem = "is not";
    if (!problem && value > SYSTEM_LARGEST)
        problem = "is beyond all measure";
    if (problem)
        return error_set(error, STATUS_USAGE, "--%s takes a positive number, and '%.100s' %s", name,
                         text, problem);
    *number = value;
    return STATUS_DONE;
}

enum status option_whole(const char *name, const char *text, uint64_t least, uint64_t largest,
                         uint64_t *number, struct error *error)
{
    uint64_t value = 0;
    const char *problem = text_whole_number(text, &value);
    if (!problem && value < least)
        problem = "is too small";
    if (!problem && value > largest)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--%s takes a whole number from %" PRIu64 " to %" PRIu64
                         ", and '%.100s' %s",
                         name, least, largest, text, problem);
    *number = value;
    return STATUS_DONE;
}

enum status option_output(const char *name, const char *text, const char **file,
                          struct error *error)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "--%s takes the name of a file to write, not '%s': standard output is for "
                         "the answer alone",
                         name, text);
    *file = text;
    return STATUS_DONE;
}

enum status option_resume(const char *text, const char **file, struct error *error)
{
    if (strcmp(text, "") == 0 || strcmp(text, "-") == 0)
        return error_set(error, STATUS_USAGE, "--resume takes the file of a checkpoint, not '%s'",
                         text);
    *file = text;
    return STATUS_DONE;
}
