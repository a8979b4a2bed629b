/* The reader of --wall; see wall_setting.h. */
#include "input/wall_setting.h"

#include "base/memory.h"
#include "base/words.h"
#include "io/text.h"
#include "model/polygons.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 400 };

/* The subjects; the first are the sides of the box. */
enum subject { BOX = BOUNDARY_SIDES, DOMAIN, OBSTACLES, OBSTACLE, SUBJECTS };

static const char *const subjects[SUBJECTS] = {"left", "right",  "bottom",    "top",
                                               "box",  "domain", "obstacles", "obstacle"};

enum key { TEMPERATURE, ACCOMMODATION, SPEED, RESTITUTION };

static const struct {
    const char *name;
    double min, max;
} keys[WALL_KEYS] = {{"temperature", STREAM_COLDEST, STREAM_HOTTEST},
                     {"accommodation", 0, 1},
                     {"speed", -STREAM_FASTEST, STREAM_FASTEST},
                     {"restitution", 0, 1}};

static enum status read_subject(struct wall_setting *setting, char *word, struct error *error)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    while (setting->subject < SUBJECTS && strcmp(word, subjects[setting->subject]) != 0)
        setting->subject++;
    if (setting->subject == SUBJECTS)
        return error_set(error, STATUS_USAGE,
                         "--wall: there is no wall '%.100s': use left, right, bottom, top, box, "
                         "domain, obstacles or obstacle=N",
                         word);
    if (setting->subject != OBSTACLE && value)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%s' takes no value, and '%.100s' is one: keys follow after a "
                         "blank",
                         word, value);
    const char *problem = setting->subject != OBSTACLE ? NULL
                          : value ? text_whole_number(value, &setting->obstacle)
                                  : "is missing";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--wall: obstacle=N takes the number of an obstacle, from 0, and '%.100s' "
                         "%s",
                         value ? value : "N", problem);
    return STATUS_DONE;
}

static enum status read_key(struct wall_setting *setting, char *word, struct error *error)
{
    char *value = strchr(word, '=');
    double number = 0;
    int k = 0;
    if (!value || value == word || value[1] == '\0')
        return error_set(error, STATUS_USAGE, "--wall: '%.100s' should be KEY=VALUE", word);
    *value++ = '\0';
    while (k < WALL_KEYS && strcmp(word, keys[k].name) != 0)
        k++;
    if (k == WALL_KEYS)
        return error_set(error, STATUS_USAGE,
                         "--wall has no '%.100s': it has temperature, accommodation, speed and "
                         "restitution",
                         word);
    if (!isnan(setting->values[k]))
        return error_set(error, STATUS_USAGE, "--wall: '%s' is given twice", word);
    const char *problem = text_number(value, &number);
    if (!problem && number < keys[k].min)
        problem = k == TEMPERATURE && number == 0 ? "is too small: nothing would leave such a wall"
                                                  : "is too small";
    if (!problem && number > keys[k].max)
        problem = "is too large";
    if (problem)
        return error_set(error, STATUS_USAGE,
                         "--wall: %s takes a number from %g to %g, and '%.100s' %s", word,
                         keys[k].min, keys[k].max, value, problem);
    setting->values[k] = number + 0.0; /* there is no -0 */
    return STATUS_DONE;
}

const char *wall_subject_name(size_t k)
{
    return k < OBSTACLE ? subjects[k] : k == OBSTACLE ? "obstacle=" : NULL;
}

enum status wall_settings_add(struct wall_settings *settings, const char *text, struct error *error)
{
    struct wall_setting setting = {.values = {(double)NAN, (double)NAN, (double)NAN, (double)NAN}};
    char copy[TEXT_SIZE];
    char *rest = copy;
    if (strlen(text) >= TEXT_SIZE)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%.40s...' is too long: it has less than %d characters", text,
                         (int)TEXT_SIZE);
    memcpy(copy, text, strlen(text) + 1);
    char *word = words_next(&rest);
    enum status status = read_subject(&setting, word ? word : rest, error);
    int count = 0;
    for (; !status && (word = words_next(&rest)); count++)
        status = read_key(&setting, word, error);
    if (!status && count == 0)
        status = error_set(error, STATUS_USAGE,
                           "--wall: '%.100s' says nothing of that wall: give a key, such as "
                           "temperature=T or restitution=E",
                           text);
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

void wall_settings_free(struct wall_settings *settings)
{
    memory_free(settings->list);
    *settings = (struct wall_settings){0};
}

int wall_settings_are_diffuse(const struct wall_settings *settings)
{
    for (size_t k = 0; k < settings->count; k++)
        if (settings->list[k].values[TEMPERATURE] > 0)
            return 1;
    return 0;
}

int wall_settings_are_lossy(const struct wall_settings *settings)
{
    for (size_t k = 0; k < settings->count; k++)
        if (settings->list[k].values[RESTITUTION] < 1)
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

static enum status refuse_subject(const struct wall_setting *setting, size_t obstacles,
                                  struct error *error)
{
    if (setting->subject <= BOX)
        return error_set(error, STATUS_USAGE,
                         "--wall: '%s' is no wall, for the box is periodic there",
                         subjects[setting->subject]);
    if (setting->subject == DOMAIN)
        return error_set(error, STATUS_USAGE, "--wall: 'domain' needs --domain=FILE");
    if (obstacles == 0)
        return error_set(error, STATUS_USAGE, "--wall: '%s' needs --obstacle=FILE",
                         subjects[setting->subject]);
    return error_set(error, STATUS_USAGE,
                     "--wall: there is no obstacle %" PRIu64 ": their numbers are from 0 to %zu",
                     setting->obstacle, obstacles - 1);
}

static double *value_of(struct wall_law *law, int key)
{
    double *const values[WALL_KEYS] = {&law->temperature, &law->accommodation, &law->speed,
                                       &law->restitution};
    return values[key];
}

/* Replaces the values that are not given. */
static enum status complete_law(struct wall_law *law, struct error *error)
{
    static const double defaults[WALL_KEYS] = {0, 1, 0, 1};
    if (isnan(law->temperature) && !(isnan(law->speed) && isnan(law->accommodation)))
        return error_set(error, STATUS_USAGE,
                         "--wall: the %s is that of a wall with a temperature, for without one a "
                         "wall is smooth, and mirrors: give temperature=T, too",
                         isnan(law->speed) ? "accommodation" : "speed");
    for (int key = 0; key < WALL_KEYS; key++)
        if (isnan(*value_of(law, key)))
            *value_of(law, key) = defaults[key];
    return STATUS_DONE;
}

enum status wall_settings_apply(const struct wall_settings *settings, uint64_t seed,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error)
{
    struct wall_laws *laws = wall_laws_create(polygons ? polygons->count : 0, seed, error);
    boundary->walls = laws;
    if (!laws)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < laws->count; k++)
        for (int key = 0; key < WALL_KEYS; key++)
            *value_of(&laws->list[k], key) = (double)NAN;
    for (size_t j = 0; j < settings->count; j++) {
        const struct wall_setting *setting = &settings->list[j];
        size_t obstacles = 0;
        int is_used = 0;
        for (size_t k = 0; k < laws->count; k++) {
            const int is_one = is_meant(setting, k, polygons, boundary, obstacles);
            for (int key = 0; key < WALL_KEYS; key++)
                if (is_one && !isnan(setting->values[key]))
                    *value_of(&laws->list[k], key) = setting->values[key];
            is_used |= is_one;
            obstacles += k >= BOUNDARY_SIDES && !polygons->list[k - BOUNDARY_SIDES].is_domain;
        }
        if (!is_used)
            return refuse_subject(setting, obstacles, error);
    }
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < laws->count && !status; k++)
        status = complete_law(&laws->list[k], error);
    return status;
}
