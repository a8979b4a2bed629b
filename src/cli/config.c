/*
 * Files of options; see config.h.
 *
 * A file becomes texts such as "--name=value", so that all that follows, and what messages quote,
 * is as on the command line. Texts that the command line cannot have do not occur: a byte 0 is
 * refused. A file is small, so it is read as a whole, and one without end is not read to the end.
 */
#include "config.h"

#include "base/memory.h"
#include "option_refusal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A part of a line, from `next` to before `end`. */
struct part {
    const char *next, *end;
};

static int is_space(char character)
{
    return isspace((unsigned char)character) != 0;
}

/* Takes the white space off the beginning of a part, or off its end. */
static void skip_space(struct part *part)
{
    while (part->next < part->end && is_space(*part->next))
        part->next++;
}

static void trim(struct part *part)
{
    while (part->next < part->end && is_space(part->end[-1]))
        part->end--;
}

/* Whether nothing follows but a comment. */
static int is_over(const struct part *part)
{
    return part->next == part->end || *part->next == '#';
}

/* How long the beginning of a part is that a message shows. */
static int shown(const struct part *part)
{
    const size_t most = 40;
    size_t length = (size_t)(part->end - part->next);
    return (int)(length < most ? length : most);
}

/* Copies a value in quotation marks, the first of which has been taken, and checks what follows. */
static enum status copy_quoted(struct part *line, char **text, struct error *error)
{
    while (line->next < line->end && *line->next != '"') {
        if (*line->next == '\\' && line->next + 1 < line->end)
            line->next++;
        *(*text)++ = *line->next++;
    }
    if (line->next == line->end)
        return error_set(error, STATUS_USAGE, "the quotation mark that ends the value is missing");
    line->next++;
    const char *after = line->next;
    skip_space(line);
    if (is_over(line) && (line->next == line->end || line->next > after))
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "expected the end of the line after the value, not '%.*s'", shown(line),
                     line->next);
}

/* Copies a value that ends with its line, or where white space and a comment follow. */
static void copy_plain(struct part *line, char **text)
{
    for (const char *at = line->next; at < line->end; at++)
        if (*at == '#' && is_space(at[-1])) /* there is a byte before: the name */
            line->end = at;
    trim(line);
    while (line->next < line->end)
        *(*text)++ = *line->next++;
}

/* Copies the value of an option, if the rest of its line has one, after a '='. */
static enum status copy_value(struct part *line, char **text, struct error *error)
{
    enum status status = STATUS_DONE;
    skip_space(line);
    const int is_assigned = line->next < line->end && *line->next == '=';
    if (is_assigned) {
        line->next++;
        skip_space(line);
    } else if (is_over(line)) {
        return STATUS_DONE;
    }
    *(*text)++ = '=';
    if (line->next < line->end && *line->next == '"') {
        line->next++;
        status = copy_quoted(line, text, error);
    } else {
        copy_plain(line, text);
    }
    return status;
}

/*
 * Copies the option of a line, if there is one, to `*text` in the form of the command line, with a
 * byte 0 at its end; that takes up to 3 bytes more than the line has. `*text` becomes its end.
 */
static enum status copy_option(struct part line, char **text, struct error *error)
{
    trim(&line);
    skip_space(&line);
    if (is_over(&line))
        return STATUS_DONE;
    if (line.end - line.next > 2 && strncmp(line.next, "--", 2) == 0)
        line.next += 2;
    if (is_space(*line.next) || strchr("-=\"", *line.next))
        return error_set(error, STATUS_USAGE,
                         "expected the name of an option, without its dashes, not '%.*s'",
                         shown(&line), line.next);
    memcpy(*text, "--", 2);
    *text += 2;
    while (line.next < line.end && *line.next != '=' && !is_space(*line.next))
        *(*text)++ = *line.next++;
    enum status status = copy_value(&line, text, error);
    *(*text)++ = '\0';
    return status;
}

/* Takes all options of a text. There is room for as many as it has lines. */
static enum status take_lines(struct config *config, struct part text, struct error *error)
{
    char *end = config->arguments;
    for (size_t line = 1; text.next < text.end; line++) {
        const char *begin = end;
        const char *line_end = memchr(text.next, '\n', (size_t)(text.end - text.next));
        if (!line_end)
            line_end = text.end;
        const size_t length = (size_t)(line_end - text.next);
        enum status status =
            memchr(text.next, '\0', length)
                ? error_set(error, STATUS_USAGE, "there is a byte 0: this is no file of options")
                : copy_option((struct part){text.next, line_end}, &end, error);
        if (status) {
            error_locate(error, config->name, line);
            return status;
        }
        if (end > begin)
            config->options[config->count++] = (struct config_option){begin, line};
        text.next = line_end < text.end ? line_end + 1 : text.end;
    }
    return STATUS_DONE;
}

enum status config_parse(const char *name, const char *text, size_t size, struct config **config,
                         struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* with which some editors begin UTF-8 */
    const size_t mark_size = sizeof mark - 1;
    const char *what = "the options of a file";
    size_t lines = 1;
    struct config *read = memory_allocate(1, sizeof *read, what, error);
    if (!read)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < size; k++)
        lines += text[k] == '\n';
    *read = (struct config){.before = *config, .name = name};
    *config = read; /* it is freed with the others, also if it is not complete */
    read->options = memory_allocate(lines, sizeof *read->options, what, error);
    if (read->options)
        read->arguments = memory_allocate(size + 3 * lines, 1, what, error);
    if (!read->arguments)
        return STATUS_NO_MEMORY;
    const size_t begin = size >= mark_size && memcmp(text, mark, mark_size) == 0 ? mark_size : 0;
    return take_lines(read, (struct part){text + begin, text + size}, error);
}

enum status config_read(const char *name, struct config **config, struct error *error)
{
    FILE *stream = fopen(name, "r");
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name, strerror(errno));
    enum status status = STATUS_NO_MEMORY;
    char *text = memory_allocate(CONFIG_MOST_BYTES + 1, 1, "the options of a file", error);
    if (text) {
        const size_t size = fread(text, 1, CONFIG_MOST_BYTES + 1, stream);
        if (ferror(stream))
            status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name,
                               strerror(errno));
        else if (size > CONFIG_MOST_BYTES)
            status = error_set(error, STATUS_USAGE,
                               "%.4100s: a file of options has up to %d bytes, and this one more",
                               name, CONFIG_MOST_BYTES);
        else
            status = config_parse(name, text, size, config, error);
    }
    memory_free(text);
    fclose(stream);
    return status;
}

enum status config_match(const struct config_option *option, const struct option *list, int *code,
                         const char **value, struct error *error)
{
    const char *word = option->argument + 2;
    const size_t length = strcspn(word, "=");
    const struct option *found = NULL;
    size_t count = 0;
    for (const struct option *row = list; row->name; row++) {
        if (strncmp(row->name, word, length) != 0)
            continue;
        found = row;
        count++;
        if (row->name[length] == '\0') {
            count = 1;
            break;
        }
    }
    *value = word[length] == '=' ? word + length + 1 : NULL;
    if (count != 1 || (*value && found->has_arg == no_argument))
        return option_refuse(option->argument, 0, list, error);
    if (!*value && found->has_arg == required_argument)
        return option_refuse(option->argument, 1, list, error);
    if (strcmp(found->name, "config") == 0)
        return error_set(error, STATUS_USAGE, "a file of options cannot name another one");
    *code = found->val;
    return STATUS_DONE;
}

void config_locate(const struct config *config, const char *argument, struct error *error)
{
    for (; config; config = config->before)
        for (size_t k = 0; k < config->count; k++)
            if (config->options[k].argument == argument)
                error_locate(error, config->name, config->options[k].line);
}

void config_free(struct config *config)
{
    while (config) {
        struct config *before = config->before;
        memory_free(config->options);
        memory_free(config->arguments);
        memory_free(config);
        config = before;
    }
}
