/*
 * The parts of a scene; see scene.h.
 */
#include "run/scene.h"

#include "base/memory.h"

#include <string.h>

enum status scene_add(struct scene *scene, int is_constraint, const char *text, struct error *error)
{
    const size_t size = strlen(text) + 1;
    if (scene->count == SCENE_MOST_PARTS)
        return error_set(error, STATUS_USAGE,
                         "there can be up to %d interactions and constraints, and '%.100s' is one "
                         "more",
                         (int)SCENE_MOST_PARTS, text);
    if (size > SCENE_TEXT_SIZE)
        return error_set(error, STATUS_USAGE,
                         "'%.40s...' is too long: an interaction or a constraint has less than %d "
                         "characters",
                         text, (int)SCENE_TEXT_SIZE);
    struct scene_part *parts =
        memory_resize(scene->parts, scene->count + 1, sizeof *parts, "the scene", error);
    if (!parts)
        return STATUS_NO_MEMORY;
    scene->parts = parts;
    char *copy = memory_allocate(size, 1, "the scene", error);
    if (!copy)
        return STATUS_NO_MEMORY;
    memcpy(copy, text, size);
    scene->parts[scene->count++] = (struct scene_part){is_constraint, copy};
    return STATUS_DONE;
}

char *scene_next_word(char **rest)
{
    static const char blanks[] = " \t";
    char *word = *rest + strspn(*rest, blanks);
    char *from = word;
    char *to = word;
    int is_quoted = 0;
    for (; *from && (is_quoted || !strchr(blanks, *from)); from++) {
        if (*from == '"')
            is_quoted = !is_quoted;
        else
            *to++ = *from;
    }
    const int is_none = from == word;
    *rest = *from ? from + 1 : from;
    *to = '\0';
    return is_none ? NULL : word;
}

int scene_find_file(const struct scene_part *part, char name[SCENE_TEXT_SIZE])
{
    static const char key[] = "file=";
    char text[SCENE_TEXT_SIZE];
    char *rest = text;
    char *word = NULL;
    memcpy(text, part->text, strlen(part->text) + 1);
    while ((word = scene_next_word(&rest)) && strncmp(word, key, strlen(key)) != 0)
        continue;
    if (word)
        memcpy(name, word + strlen(key), strlen(word + strlen(key)) + 1);
    return word != NULL;
}

void scene_free(struct scene *scene)
{
    for (size_t k = 0; k < scene->count; k++)
        memory_free(scene->parts[k].text);
    memory_free(scene->parts);
    *scene = (struct scene){0};
}
