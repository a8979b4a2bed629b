/*
 * Reads the texts of interactions and constraints; see part.h.
 */
#include "part.h"

#include "base/memory.h"
#include "io/text.h"

#include <stdio.h>
#include <string.h>

enum { LIST_SIZE = 400 }; /* of a list of names in a message */

const struct part_kind *const interaction_kinds[] = {
    &gravity_kind,     &drag_kind,    &spring_kind, &lennard_jones_kind,
    &gravitation_kind, &coulomb_kind, &sph_kind,    NULL};

const struct part_kind *const constraint_kinds[] = {&contact_kind, &link_kind, &pin_kind,
                                                    &walls_kind, NULL};

static const char *option_of(int is_constraint)
{
    return is_constraint ? "--constraint" : "--interaction";
}

/* Appends a name to a list, cut off at its size. */
static void add_name(char list[LIST_SIZE], const char *name)
{
    const size_t length = strlen(list);
    snprintf(list + length, LIST_SIZE - length, "%s%s", length > 0 ? ", " : "", name);
}

static int is_text(const struct parameter *parameter)
{
    return isnan(parameter->min);
}

static enum status find_kind(const char *name, int is_constraint, const struct part_kind **kind,
                             struct error *error)
{
    const struct part_kind *const *kinds = is_constraint ? constraint_kinds : interaction_kinds;
    char list[LIST_SIZE] = "";
    for (size_t k = 0; kinds[k]; k++) {
        *kind = kinds[k];
        if (strcmp(name, kinds[k]->name) == 0)
            return STATUS_DONE;
        add_name(list, kinds[k]->name);
    }
    return error_set(error, STATUS_USAGE, "%s '%.100s' is unknown: there are %s",
                     option_of(is_constraint), name, list);
}

/* Finds the index of a key. */
static enum status find_key(const struct part_kind *kind, const char *key, size_t *slot,
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

static enum status read_argument_number(const struct part_kind *kind,
                                        const struct parameter *parameter, const char *text,
                                        double *number, struct error *error)
{
    const char *problem = text_number(text, number);
    if (!problem && *number < parameter->min)
        problem = "is too small";
    if (!problem && *number > parameter->max)
        problem = "is too large";
    if (!problem)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE, "%s: %s takes a number from %g to %g, and '%.100s' %s",
                     kind->name, parameter->key, parameter->min, parameter->max, text, problem);
}

/* Reads a word "KEY=VALUE". */
static enum status read_argument(const struct part_kind *kind, char *word, unsigned *given,
                                 struct arguments *arguments, struct error *error)
{
    size_t slot = 0;
    char *value = strchr(word, '=');
    if (!value || value == word || value[1] == '\0')
        return error_set(error, STATUS_USAGE, "%s: '%.100s' should be KEY=VALUE", kind->name, word);
    *value++ = '\0';
    enum status status = find_key(kind, word, &slot, error);
    if (!status && (*given >> slot & 1))
        status = error_set(error, STATUS_USAGE, "%s: '%.100s' is given twice", kind->name, word);
    if (status)
        return status;
    *given |= 1U << slot;
    arguments->texts[slot] = value;
    return is_text(&kind->parameters[slot])
               ? STATUS_DONE
               : read_argument_number(kind, &kind->parameters[slot], value,
                                      &arguments->numbers[slot], error);
}

/* Sets values that are not given to their defaults. */
static enum status set_defaults(const struct part_kind *kind, unsigned given,
                                struct arguments *arguments, struct error *error)
{
    for (size_t k = 0; kind->parameters[k].key; k++) {
        const struct parameter *parameter = &kind->parameters[k];
        if (given >> k & 1)
            continue;
        if (isnan(parameter->default_value))
            return error_set(error, STATUS_USAGE, "%s needs %s=%s", kind->name, parameter->key,
                             is_text(parameter) ? "TEXT" : "NUMBER");
        arguments->numbers[k] = parameter->default_value;
    }
    return STATUS_DONE;
}

enum status part_parse(const char *text, int is_constraint, const struct part_kind **kind,
                       struct arguments *arguments, struct error *error)
{
    const size_t size = strlen(text) + 1;
    unsigned given = 0;
    *arguments = (struct arguments){.copy = memory_allocate(size, 1, "the scene", error)};
    if (!arguments->copy)
        return STATUS_NO_MEMORY;
    memcpy(arguments->copy, text, size);
    char *rest = arguments->copy;
    const char *name = scene_next_word(&rest);
    enum status status = find_kind(name ? name : "", is_constraint, kind, error);
    for (char *word = NULL; !status && (word = scene_next_word(&rest));)
        status = read_argument(*kind, word, &given, arguments, error);
    return status ? status : set_defaults(*kind, given, arguments, error);
}

void arguments_free(struct arguments *arguments)
{
    memory_free(arguments->copy);
    *arguments = (struct arguments){0};
}

void *part_grow(void *array, size_t count, size_t *room, size_t size, const char *name,
                struct error *error)
{
    const size_t larger = 2 * *room + 16;
    if (count < *room)
        return array;
    array = memory_resize(array, larger, size, name, error);
    if (array)
        *room = larger;
    return array;
}
