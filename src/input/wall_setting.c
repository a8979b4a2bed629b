/* The reader of --wall; see input.h. */
#include "input/input.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* The subjects; the first are the sides of the box. */
enum { BOX = BOUNDARY_SIDES, DOMAIN, OBSTACLES, OBSTACLE, SUBJECTS };

const char *const wall_subjects[SUBJECTS + 1] = {"left",   "right",     "bottom",    "top", "box",
                                                 "domain", "obstacles", "obstacle=", NULL};

#define WALL_KEY_PARAMETER(name, smooth, least, most, is_thermal) {#name, smooth, least, most},
#define WALL_KEY_NAN(...)                                         (double)NAN,

const struct parameter wall_parameters[WALL_KEY_COUNT + 1] = {WALL_KEYS(WALL_KEY_PARAMETER){0}};
static const struct wall_law none = {.values = {WALL_KEYS(WALL_KEY_NAN)}};

static enum status read_subject(struct wall_setting *setting, const char *word, struct error *error)
{
    const size_t length = strlen(wall_subjects[OBSTACLE]);
    while (setting->subject < OBSTACLE && strcmp(word, wall_subjects[setting->subject]) != 0)
        setting->subject++;
    if (setting->subject < OBSTACLE || (strncmp(word, wall_subjects[OBSTACLE], length) == 0 &&
                                        !text_whole_number(word + length, &setting->obstacle)))
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--wall: there is no wall '%.100s': use left, right, bottom, top, box, "
                     "domain, obstacles or, with a number from 0, obstacle=N",
                     word);
}

enum status wall_settings_add(struct wall_settings *settings, const char *text, struct error *error)
{
    struct wall_setting setting = {.law = none};
    struct arguments arguments;
    enum status status = arguments_begin(&arguments, text, "--wall", error);
    if (status)
        return status;
    const char *word = text_take_word(&arguments.rest);
    if ((status = read_subject(&setting, word ? word : "", error)) ||
        (status = arguments_read(&arguments, wall_parameters, "--wall", error)))
        return status;
    int count = 0;
    for (int k = 0; k < WALL_KEY_COUNT; k++) {
        if (!arguments.texts[k])
            continue;
        setting.law.values[k] = arguments.numbers[k] + 0.0; /* there is no -0 */
        settings->gives.values[k]++;
        count++;
    }
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%.100s' says nothing of that wall: give a key, such as "
                         "temperature=T or restitution=E",
                         text);
    struct wall_setting *list =
        memory_resize(settings->list, settings->count + 1, sizeof *list, "the walls", error);
    if (!list)
        return STATUS_NO_MEMORY;
    settings->list = list;
    list[settings->count++] = setting;
    return STATUS_DONE;
}

/* Overwrites the laws of the walls that are meant. */
static enum status apply_one(const struct wall_setting *setting, const struct polygons *polygons,
                             struct boundary *boundary, struct error *error)
{
    const unsigned subject = setting->subject;
    uint64_t obstacles = 0;
    int is_used = 0;
    for (unsigned k = 0; k < boundary->walls->count; k++) {
        const int is_side = k < BOUNDARY_SIDES;
        const int is_domain = !is_side && polygons->list[k - BOUNDARY_SIDES].is_domain;
        const int is_meant = is_side ? !boundary_is_seam(boundary, FEATURE_LEFT - (int32_t)k) &&
                                           (subject == k || subject == BOX)
                             : is_domain ? subject == DOMAIN
                                         : subject == OBSTACLES || (subject == OBSTACLE &&
                                                                    setting->obstacle == obstacles);
        for (int key = 0; key < WALL_KEY_COUNT; key++)
            if (is_meant && !isnan(setting->law.values[key]))
                boundary->walls->list[k].values[key] = setting->law.values[key];
        is_used |= is_meant;
        obstacles += !is_side && !is_domain;
    }
    if (is_used)
        return STATUS_DONE;
    if (subject == OBSTACLE && obstacles > 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: there is no obstacle %" PRIu64
                         ": their numbers are from 0 to %" PRIu64,
                         setting->obstacle, obstacles - 1);
    return error_set(error, STATUS_USAGE, "--wall: '%s' is no wall%s",
                     subject == OBSTACLE ? "obstacle=N" : wall_subjects[subject],
                     subject <= BOX      ? ", for the box is periodic there"
                     : subject == DOMAIN ? " without --domain=FILE"
                                         : " without --obstacle=FILE");
}

enum status wall_settings_apply(const struct wall_settings *settings,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error)
{
    struct wall_laws *laws =
        wall_laws_create(polygons ? polygons->count : 0, settings->seed, error);
    enum status status = STATUS_DONE;
    boundary->walls = laws;
    if (!laws)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < laws->count; k++)
        laws->list[k] = none;
    for (size_t j = 0; j < settings->count && !status; j++)
        status = apply_one(&settings->list[j], polygons, boundary, error);
    for (size_t k = 0; k < laws->count && !status; k++) {
        double *values = laws->list[k].values;
        for (int key = WALL_KEY_COUNT - 1; key >= 0; key--) {
            if (isnan(values[key]))
                values[key] = wall_keys[key].smooth;
            else if (wall_keys[key].is_thermal && isnan(laws->list[k].temperature))
                return error_set(error, STATUS_USAGE,
                                 "--wall: the %s is that of a wall with a temperature, for without "
                                 "one a wall is smooth, and mirrors: give temperature=T, too",
                                 wall_keys[key].name);
        }
    }
    return status;
}
