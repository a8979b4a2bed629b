/*
 * Why an argument is refused as an option; see option_refusal.h.
 */
#include "option_refusal.h"

#include "io/text.h"
#include "model/system.h"

#include <string.h>

enum {
    NAMES_SIZE = 400, /* of a list of options in a message */
    LONGEST_NAME = 31 /* of an option */
};

/* The name in an argument such as --name=value: without its dashes, up to the value. */
static const char *find_name(const char *argument, size_t *length)
{
    argument += strspn(argument, "-");
    *length = strcspn(argument, "=");
    return argument;
}

/*
 * How many letters of a word must be put in, left out or replaced until it is `name` (Levenshtein).
 * For one beginning of the word after the other, the row has the distance to each of the name's.
 */
static size_t distance(const char *word, size_t length, const char *name)
{
    size_t row[LONGEST_NAME + 1];
    size_t size = strlen(name);
    for (size_t j = 0; j <= size; j++)
        row[j] = j;
    for (size_t i = 0; i < length; i++) {
        size_t diagonal = i;
        row[0] = i + 1;
        for (size_t j = 1; j <= size; j++) {
            size_t replaced = diagonal + (word[i] != name[j - 1]);
            size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = replaced <= shorter ? replaced : shorter + 1;
        }
    }
    return row[size];
}

/* Whether an option's name begins with a word. */
static int is_beginning(const char *word, size_t length, const char *name)
{
    return length > 0 && strncmp(word, name, length) == 0;
}

/* Appends an option to a list of them, where there is room. */
static void list_name(char names[NAMES_SIZE], const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s--%s", used > 0 ? ", " : "", name);
}

/* Lists the options whose names are nearest to a word, if they are near enough to be meant. */
static void list_nearest(const char *word, size_t length, const struct option *list,
                         char names[NAMES_SIZE])
{
    size_t nearest = 1 + length / 4;
    for (; list->name; list++) {
        size_t away = distance(word, length, list->name);
        if (away < nearest)
            names[0] = '\0';
        if (away <= nearest) {
            nearest = away;
            list_name(names, list->name);
        }
    }
}

/*
 * Says what is wrong with the argument at which getopt_long has stopped: its value is missing, or
 * it is a negative number, has a value that it does not take, may be several options, or is none.
 */
enum status option_refuse(const char *argument, int is_missing, const struct option *list,
                          struct error *error)
{
    double number;
    size_t length;
    size_t found = 0;
    char names[NAMES_SIZE] = "";
    const char *word = find_name(argument, &length);
    if (is_missing)
        return error_set(error, STATUS_USAGE, "option '%.100s' needs a value" TRY_HELP, argument);
    if (text_number(argument, &number) == NULL)
        return error_set(error, STATUS_USAGE,
                         "END_TIME must be a number from 0 to %g, and '%.100s' has a minus sign",
                         SYSTEM_LARGEST, argument);
    for (const struct option *row = list; row->name && strncmp(argument, "--", 2) == 0; row++) {
        if (is_beginning(word, length, row->name)) {
            list_name(names, row->name);
            if (strlen(row->name) == length) {
                found = 1;
                break;
            }
            found++;
        }
    }
    if (found == 1)
        return error_set(error, STATUS_USAGE, "option '%.*s' takes no value, and '%.100s' has one",
                         (int)(length + 2), argument, argument);
    if (found > 1)
        return error_set(error, STATUS_USAGE, "ambiguous option '%.100s': it may be %s" TRY_HELP,
                         argument, names);
    list_nearest(word, length, list, names);
    return error_set(error, STATUS_USAGE, "unknown option '%.100s'%s%s" TRY_HELP, argument,
                     names[0] ? "; the nearest: " : "", names);
}
