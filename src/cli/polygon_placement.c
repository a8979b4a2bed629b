/*
 * The list of polygon files, and where each is placed; see polygon_file.h.
 *
 * The name of a file may have blanks in it: it ends where a blank and a word KEY=... follow.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "cli/polygon_file.h"
#include "io/text.h"
#include "model/system.h"
#include "run/scene.h"

#include <math.h>
#include <string.h>

enum { KEY_SCALE, KEY_ANGLE, KEY_AT, KEYS };

static const struct {
    const char *name;
    size_t least, most; /* how many numbers it takes */
    const char *value;  /* in a message */
} keys[KEYS] = {
    [KEY_SCALE] = {"scale", 1, 2, "one or two numbers other than 0, such as 8 or 8,4"},
    [KEY_ANGLE] = {"angle", 1, 1, "degrees from -360 to 360"},
    [KEY_AT] = {"at", 2, 2, "x and y, such as 20,10"},
};

static const char *option_of(const struct polygon_file *file)
{
    return file->is_domain ? "--domain" : "--obstacle";
}

/* Cuts the text of a file after its name. Returns what follows that. */
static char *cut_name(char *text)
{
    static const char blanks[] = " \t";
    for (char *end = strpbrk(text, blanks); end;) {
        char *word = end + strspn(end, blanks);
        const size_t key = strspn(word, "abcdefghijklmnopqrstuvwxyz");
        if (key > 0 && word[key] == '=') {
            *end = '\0';
            return word;
        }
        end = strpbrk(word, blanks);
    }
    return text + strlen(text);
}

/* Reads one number, or two with a comma between them. Returns how many; 0: they are wrong. */
static size_t read_numbers(char *text, double numbers[2])
{
    char *comma = strchr(text, ',');
    if (comma)
        *comma++ = '\0';
    if (text_number(text, &numbers[0]) || fabs(numbers[0]) > SYSTEM_LARGEST)
        return 0;
    if (comma && (text_number(comma, &numbers[1]) || fabs(numbers[1]) > SYSTEM_LARGEST))
        return 0;
    return comma ? 2 : 1;
}

/* Takes the value of a key. Returns whether it is right. */
static int take_value(struct polygon_placement *placement, size_t key, char *value)
{
    double numbers[2];
    const size_t count = read_numbers(value, numbers);
    if (count < keys[key].least || count > keys[key].most)
        return 0;
    const double last = numbers[count - 1];
    if (key == KEY_SCALE) {
        placement->x_scale = numbers[0];
        placement->y_scale = last;
        return numbers[0] != 0 && last != 0;
    }
    if (key == KEY_ANGLE) {
        elementary_turn(last / 360, &placement->cosine, &placement->sine);
        return fabs(last) <= 360;
    }
    placement->x = numbers[0];
    placement->y = last;
    return 1;
}

/* Takes a word KEY=VALUE. */
static enum status take_word(struct polygon_file *file, char *word, unsigned *given,
                             struct error *error)
{
    char *value = strchr(word, '=');
    size_t key = 0;
    if (!value)
        return error_set(error, STATUS_USAGE, "%s '%.100s': '%.100s' should be KEY=VALUE",
                         option_of(file), file->text, word);
    *value++ = '\0';
    while (key < KEYS && strcmp(word, keys[key].name) != 0)
        key++;
    if (key == KEYS)
        return error_set(error, STATUS_USAGE,
                         "%s '%.100s': there is no '%.100s', only scale, angle and at",
                         option_of(file), file->text, word);
    if (*given >> key & 1)
        return error_set(error, STATUS_USAGE, "%s '%.100s': '%s' is given twice", option_of(file),
                         file->text, word);
    *given |= 1U << key;
    return take_value(&file->placement, key, value)
               ? STATUS_DONE
               : error_set(error, STATUS_USAGE, "%s '%.100s': '%s' takes %s", option_of(file),
                           file->text, word, keys[key].value);
}

enum status polygon_files_add(struct polygon_files *files, const char *text, int is_domain,
                              struct error *error)
{
    static const char what[] = "the names of files";
    const size_t size = strlen(text) + 1;
    struct polygon_file *list =
        memory_resize(files->list, files->count + 1, sizeof *list, what, error);
    if (!list)
        return STATUS_NO_MEMORY;
    files->list = list;
    struct polygon_file *file = &list[files->count];
    *file = (struct polygon_file){.text = text,
                                  .name = memory_allocate(size, 1, what, error),
                                  .is_domain = is_domain,
                                  .placement = {.x_scale = 1, .y_scale = 1, .cosine = 1}};
    if (!file->name)
        return STATUS_NO_MEMORY;
    files->count++;
    memcpy(file->name, text, size);
    char *rest = cut_name(file->name);
    unsigned given = 0;
    enum status status = STATUS_DONE;
    if (strcmp(file->name, "") == 0 || strcmp(file->name, "-") == 0)
        status = error_set(error, STATUS_USAGE, "%s takes a file of polygons, not '%s'",
                           option_of(file), file->name);
    for (char *word = NULL; !status && (word = scene_next_word(&rest));)
        status = take_word(file, word, &given, error);
    return status;
}

void polygon_files_free(struct polygon_files *files)
{
    for (size_t k = 0; k < files->count; k++)
        memory_free(files->list[k].name);
    memory_free(files->list);
    *files = (struct polygon_files){0};
}

const char *polygon_files_domain(const struct polygon_files *files)
{
    for (size_t k = 0; k < files->count; k++)
        if (files->list[k].is_domain)
            return files->list[k].name;
    return NULL;
}

int polygon_files_have_obstacles(const struct polygon_files *files)
{
    return files->count > (polygon_files_domain(files) ? 1 : 0);
}
