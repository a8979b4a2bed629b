/* The scene of a time-stepped run, and the reader of its texts; see steps.h, term.h. */
#include "term.h"

#include "base/memory.h"

#include <string.h>

const struct term_kind *const term_kinds[2][TERM_MAX_KINDS + 1] = {
    {&gravity_kind, &drag_kind, &langevin_kind, &spring_kind, &bond_kind, &lennard_jones_kind,
     &gravitation_kind, &coulomb_kind, &sph_kind},
    {&contact_kind, &link_kind, &pin_kind, &walls_kind}};

enum status scene_add(struct scene *scene, int is_constraint, const char *text, struct error *error)
{
    const size_t size = strlen(text) + 1;
    if (scene->count == SCENE_MAX_TERMS)
        return error_set(error, STATUS_USAGE,
                         "there can be up to %d interactions and constraints, and '%.100s' is one "
                         "more",
                         (int)SCENE_MAX_TERMS, text);
    struct scene_term *terms =
        memory_resize(scene->terms, scene->count + 1, sizeof *terms, "the scene", error);
    if (!terms)
        return STATUS_NO_MEMORY;
    scene->terms = terms;
    char *copy = memory_allocate(size, 1, "the scene", error);
    if (!copy)
        return STATUS_NO_MEMORY;
    memcpy(copy, text, size);
    scene->terms[scene->count++] = (struct scene_term){is_constraint, copy};
    return STATUS_DONE;
}

int scene_find_file(const struct scene_term *term, char name[SCENE_TEXT_SIZE])
{
    static const char key[] = "file=";
    char text[SCENE_TEXT_SIZE];
    char *rest = text;
    char *word = NULL;
    strcpy(text, term->text);
    while ((word = text_take_word(&rest)) && strncmp(word, key, strlen(key)) != 0)
        continue;
    if (word)
        strcpy(name, word + strlen(key));
    return word != NULL;
}

void scene_free(struct scene *scene)
{
    for (size_t k = 0; k < scene->count; k++)
        memory_free(scene->terms[k].text);
    memory_free(scene->terms);
    *scene = (struct scene){0};
}

const char *steps_term(int is_constraint, size_t k, const struct parameter **parameters)
{
    const struct term_kind *kind = term_kinds[is_constraint][k];
    *parameters = kind ? kind->parameters : NULL;
    return kind ? kind->name : NULL;
}

enum status term_parse(const char *text, int is_constraint, const struct term_kind **kind,
                       struct arguments *arguments, struct error *error)
{
    const char *option = is_constraint ? "--constraint" : "--interaction";
    enum status status = arguments_begin(arguments, text, option, error);
    if (status)
        return status;
    const char *name = text_take_word(&arguments->rest);
    error_set(error, STATUS_USAGE, "%s '%.100s' is unknown: there are", option, name ? name : "");
    for (size_t k = 0; (*kind = term_kinds[is_constraint][k]); k++) {
        if (name && strcmp(name, (*kind)->name) == 0)
            return arguments_read(arguments, (*kind)->parameters, name, error);
        error_append(error, "%s %s", k > 0 ? "," : "", (*kind)->name);
    }
    return STATUS_USAGE;
}
