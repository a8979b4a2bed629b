/* The reader of --wall; see wall_setting.h. */
#include "input/wall_setting.h"

#include "base/memory.h"
#include "base/words.h"
#include "io/text.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_SIZE = 400 };

/* The subjects; the first are the sides of the box. */
enum { BOX = BOUNDARY_SIDES, DOMAIN, OBSTACLES, OBSTACLE, SUBJECTS };

static const char *const subjects[SUBJECTS + 1] = {"left",   "right",     "bottom",    "top", "box",
                                                   "domain", "obstacles", "obstacle=", NULL};

static const struct {
    const char *name;
    double min, max, usual;
} keys[WALL_KEYS] = {{"temperature", STREAM_COLDEST, STREAM_HOTTEST, 0},
                     {"accommodation", 0, 1, 1},
                     {"speed", -STREAM_FASTEST, STREAM_FASTEST, 0},
                     {"restitution", 0, 1, 1}};

const char *wall_subject_name(size_t k)
{
    return subjects[k];
}

static enum status read_subject(struct wall_setting *setting, const char *word, struct error *error)
{
    const size_t length = strlen(subjects[OBSTACLE]);
    setting->subject = strncmp(word, subjects[OBSTACLE], length) == 0 ? OBSTACLE : 0;
    while (setting->subject < OBSTACLE && strcmp(word, subjects[setting->subject]) != 0)
        setting->subject++;
    if (strlen(word) >= length && setting->subject == OBSTACLE &&
        !text_whole_number(word + length, &setting->obstacle))
        return STATUS_DONE;
    if (setting->subject < OBSTACLE)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--wall: there is no wall '%.100s': use left, right, bottom, top, box, "
                     "domain, obstacles or, with a number from 0, obstacle=N",
                     word);
}

static enum status read_key(struct wall_setting *setting, char *word, struct error *error)
{
    char *value = strchr(word, '=');
    double number = 0;
    int k = 0;
    if (value)
        *value++ = '\0';
    while (k < WALL_KEYS && strcmp(word, keys[k].name) != 0)
        k++;
    if (k == WALL_KEYS || !value)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%.100s' should be temperature, accommodation, speed or "
                         "restitution, with '=' and a number",
                         word);
    const char *problem =
        isnan(setting->values[k]) ? text_number(value, &number) : "is a second one";
    if (!problem && number < keys[k].min)
        problem = "is too small";
    if (!problem && number > keys[k].max)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--wall: %s takes a number from %g to %g, and '%.100s' %s", word,
                         keys[k].min, keys[k].max, value, problem);
    setting->values[k] = number + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

enum status wall_settings_add(struct wall_settings *settings, const char *text, struct error *error)
{
    struct wall_setting setting = {.values = {(double)NAN, (double)NAN, (double)NAN, (double)NAN}};
    char copy[TEXT_SIZE];
    char *rest = copy;
    if (strlen(text) >= TEXT_SIZE)
        return error_set(error, STATUS_USAGE, "--wall: '%.40s...' is too long", text);
    memcpy(copy, text, strlen(text) + 1);
    char *word = words_next(&rest);
    enum status status = read_subject(&setting, word ? word : "", error);
    if (!status && !(word = words_next(&rest)))
        status = error_set(error, STATUS_USAGE,
                           "--wall: '%.100s' says nothing of that wall: give a key, such as "
                           "temperature=T or restitution=E",
                           text);
    for (; !status && word; word = words_next(&rest))
        status = read_key(&setting, word, error);
    if (status)
        return status;
    struct wall_setting *list =
        memory_resize(settings->list, settings->count + 1, sizeof *list, "the walls", error);
    if (!list)
        return STATUS_NO_MEMORY;
    settings->list = list;
    list[settings->count++] = setting;
    return STATUS_DONE;
}

int wall_settings_give(const struct wall_settings *settings, int key)
{
    for (size_t k = 0; k < settings->count; k++)
        if (!isnan(settings->list[k].values[key]))
            return 1;
    return 0;
}

/* True if a setting is for wall k of a list of laws; `obstacle` is the number of such a polygon. */
static int is_meant(const struct wall_setting *setting, size_t k, const struct polygons *polygons,
                    const struct boundary *boundary, size_t obstacle)
{
    if (k < BOUNDARY_SIDES)
        return !boundary_is_seam(boundary, FEATURE_LEFT - (int32_t)k) &&
               (setting->subject == k || setting->subject == BOX);
    if (polygons->list[k - BOUNDARY_SIDES].is_domain)
        return setting->subject == DOMAIN;
    return setting->subject == OBSTACLES ||
           (setting->subject == OBSTACLE && setting->obstacle == obstacle);
}

static double *value_of(struct wall_law *law, int key)
{
    double *const values[WALL_KEYS] = {&law->temperature, &law->accommodation, &law->speed,
                                       &law->restitution};
    return values[key];
}

/* Overwrites the laws of the walls that are meant. */
static enum status apply_one(const struct wall_setting *setting, const struct polygons *polygons,
                             struct boundary *boundary, struct error *error)
{
    size_t obstacles = 0;
    int is_used = 0;
    for (size_t k = 0; k < boundary->walls->count; k++) {
        const int is_one = is_meant(setting, k, polygons, boundary, obstacles);
        for (int key = 0; key < WALL_KEYS; key++)
            if (is_one && !isnan(setting->values[key]))
                *value_of(&boundary->walls->list[k], key) = setting->values[key];
        is_used |= is_one;
        obstacles += k >= BOUNDARY_SIDES && !polygons->list[k - BOUNDARY_SIDES].is_domain;
    }
    if (is_used)
        return STATUS_DONE;
    if (setting->subject == OBSTACLE && obstacles > 0)
        return error_set(error, STATUS_USAGE,
                         "--wall: there is no obstacle %" PRIu64
                         ": their numbers are from 0 to %zu",
                         setting->obstacle, obstacles - 1);
    return error_set(error, STATUS_USAGE, "--wall: '%s' is no wall%s", subjects[setting->subject],
                     setting->subject <= BOX      ? ", for the box is periodic there"
                     : setting->subject == DOMAIN ? " without --domain=FILE"
                                                  : " without --obstacle=FILE");
}

enum status wall_settings_apply(const struct wall_settings *settings, uint64_t seed,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error)
{
    struct wall_laws *laws = wall_laws_create(polygons ? polygons->count : 0, seed, error);
    enum status status = laws ? STATUS_DONE : STATUS_NO_MEMORY;
    boundary->walls = laws;
    for (size_t k = 0; laws && k < WALL_KEYS * laws->count; k++)
        *value_of(&laws->list[k / WALL_KEYS], (int)(k % WALL_KEYS)) = (double)NAN;
    for (size_t j = 0; j < settings->count && !status; j++)
        status = apply_one(&settings->list[j], polygons, boundary, error);
    for (size_t k = 0; laws && k < laws->count && !status; k++) {
        struct wall_law *law = &laws->list[k];
        if (isnan(law->temperature) && !(isnan(law->speed) && isnan(law->accommodation)))
            return error_set(error, STATUS_USAGE,
                             "--wall: the %s is that of a wall with a temperature, for without one "
                             "a wall is smooth, and mirrors: give temperature=T, too",
                             isnan(law->speed) ? "accommodation" : "speed");
        for (int key = 0; key < WALL_KEYS; key++)
            if (isnan(*value_of(law, key)))
                *value_of(law, key) = keys[key].usual;
    }
    return status;
}
