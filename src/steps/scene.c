/* The scene of a time-stepped run, and the reader of its texts; see steps.h, term.h. */
#include "term.h"

#include "base/memory.h"
#include "io/text.h"

#include <stdio.h>
#include <string.h>

enum { LIST_SIZE = 400 }; /* of a list of names in a message */

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
    if (size > SCENE_TEXT_SIZE)
        return error_set(error, STATUS_USAGE,
                         "'%.40s...' is too long: an interaction or a constraint has less than %d "
                         "characters",
                         text, (int)SCENE_TEXT_SIZE);
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
    memcpy(text, term->text, strlen(term->text) + 1);
    while ((word = text_take_word(&rest)) && strncmp(word, key, strlen(key)) != 0)
        continue;
    if (word)
        memcpy(name, word + strlen(key), strlen(word + strlen(key)) + 1);
    return word != NULL;
}

void scene_free(struct scene *scene)
{
    for (size_t k = 0; k < scene->count; k++)
        memory_free(scene->terms[k].text);
    memory_free(scene->terms);
    *scene = (struct scene){0};
}

static void add_name(char list[LIST_SIZE], const char *name)
{
    const size_t length = strlen(list);
    snprintf(list + length, LIST_SIZE - length, "%s%s", length > 0 ? ", " : "", name);
}

static enum status find_kind(const char *name, int is_constraint, const struct term_kind **kind,
                             struct error *error)
{
    const struct term_kind *const *kinds = term_kinds[is_constraint];
    char list[LIST_SIZE] = "";
    for (size_t k = 0; kinds[k]; k++) {
        *kind = kinds[k];
        if (strcmp(name, kinds[k]->name) == 0)
            return STATUS_DONE;
        add_name(list, kinds[k]->name);
    }
    return error_set(error, STATUS_USAGE, "%s '%.100s' is unknown: there are %s",
                     is_constraint ? "--constraint" : "--interaction", name, list);
}

const char *steps_term_name(int is_constraint, size_t k)
{
    const struct term_kind *kind = term_kinds[is_constraint][k];
    return kind ? kind->name : NULL;
}

const char *steps_term_key(int is_constraint, size_t k, size_t j)
{
    return term_kinds[is_constraint][k]->parameters[j].key;
}

static enum status find_key(const struct term_kind *kind, const char *key, size_t *slot,
                            struct error *error)
{
    char list[LIST_SIZE] = "";
    for (size_t k = 0; kind->parameters[k].key; k++) {
        *slot = k;
        if (strcmp(key, kind->parameters[k].key) == 0)
            return STATUS_DONE;
        add_name(list, kind->parameters[k].key);
    }
    return error_set(error, STATUS_USAGE, "%s has no '%.100s': it has %s", kind->name, key,
                     list[0] ? list : "none");
}

static enum status read_argument(const struct term_kind *kind, char *word,
                                 struct arguments *arguments, struct error *error)
{
    size_t slot = 0;
    char *value = strchr(word, '=');
    if (!value || value == word || value[1] == '\0')
        return error_set(error, STATUS_USAGE, "%s: '%.100s' should be KEY=VALUE", kind->name, word);
    *value++ = '\0';
    enum status status = find_key(kind, word, &slot, error);
    if (!status && arguments->texts[slot])
        status = error_set(error, STATUS_USAGE, "%s: '%.100s' is given twice", kind->name, word);
    if (status)
        return status;
    arguments->texts[slot] = value;
    const struct parameter *parameter = &kind->parameters[slot];
    if (isnan(parameter->min)) /* a text */
        return STATUS_DONE;
    const char *problem = text_number(value, &arguments->numbers[slot]);
    if (!problem && arguments->numbers[slot] < parameter->min)
        problem = "is too small";
    if (!problem && arguments->numbers[slot] > parameter->max)
        problem = "is too large";
    if (!problem)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE, "%s: %s takes a number from %g to %g, and '%.100s' %s",
                     kind->name, parameter->key, parameter->min, parameter->max, value, problem);
}

static enum status set_defaults(const struct term_kind *kind, struct arguments *arguments,
                                struct error *error)
{
    for (size_t k = 0; kind->parameters[k].key; k++) {
        const struct parameter *parameter = &kind->parameters[k];
        if (arguments->texts[k])
            continue;
        if (isnan(parameter->default_value))
            return error_set(error, STATUS_USAGE, "%s needs %s=%s", kind->name, parameter->key,
                             isnan(parameter->min) ? "TEXT" : "NUMBER");
        arguments->numbers[k] = parameter->default_value;
    }
    return STATUS_DONE;
}

enum status term_parse(const char *text, int is_constraint, const struct term_kind **kind,
                       struct arguments *arguments, struct error *error)
{
    const size_t size = strlen(text) + 1;
    *arguments = (struct arguments){.copy = memory_allocate(size, 1, "the scene", error)};
    if (!arguments->copy)
        return STATUS_NO_MEMORY;
    memcpy(arguments->copy, text, size);
    char *rest = arguments->copy;
    int is_open = 0;
    for (const char *quote = strchr(text, '"'); quote; quote = strchr(quote + 1, '"'))
        is_open = !is_open;
    if (is_open)
        return error_set(error, STATUS_USAGE, "a double quote in '%.200s' is not closed", text);
    const char *name = text_take_word(&rest);
    enum status status = find_kind(name ? name : "", is_constraint, kind, error);
    for (char *word = NULL; !status && (word = text_take_word(&rest));)
        status = read_argument(*kind, word, arguments, error);
    return status ? status : set_defaults(*kind, arguments, error);
}

const char *term_list_item(const char *list, char item[LIST_ITEM_SIZE])
{
    const size_t length = strcspn(list, ",");
    snprintf(item, LIST_ITEM_SIZE, "%.*s", length < LIST_ITEM_SIZE ? (int)length : 0, list);
    return list[length] ? list + length + 1 : NULL;
}

void arguments_free(struct arguments *arguments)
{
    memory_free(arguments->copy);
    *arguments = (struct arguments){0};
}
