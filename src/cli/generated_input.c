/*
 * --generate: the polygons are read, the box follows from them, the polygons are placed in it, and
 * then the particles.
 */
#include "cli/generated_input.h"

#include "base/memory.h"

#include <string.h>

/* Writes `text` at `to`, which goes on to its end, so that a shell takes it as one word. */
static void append_quoted(char **to, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-";
    const int is_plain = text[strspn(text, plain)] == '\0';
    if (!is_plain)
        *(*to)++ = '\'';
    for (; *text != '\0'; text++) {
        *(*to)++ = *text;
        if (*text == '\'') { /* 'it'\''s' */
            memcpy(*to, "\\''", 3);
            *to += 3;
        }
    }
    if (!is_plain)
        *(*to)++ = '\'';
    **to = '\0';
}

/* The options that name the files, each after a blank; the caller frees them. NULL: no memory. */
static char *name_files(const struct polygon_files *files, struct error *error)
{
    size_t size = 1;
    for (size_t k = 0; k < files->count; k++)
        size += sizeof " --obstacle=''" + 4 * strlen(files->list[k].text);
    char *text = memory_allocate(size, 1, "the names of files", error);
    char *end = text;
    for (size_t k = 0; text && k < files->count; k++) {
        const char *option = files->list[k].is_domain ? " --domain=" : " --obstacle=";
        memcpy(end, option, strlen(option));
        end += strlen(option);
        append_quoted(&end, files->list[k].text);
    }
    return text;
}

/* Completes the request by the polygons: reads them, chooses the box, and places them in it. */
static enum status take_polygons(const struct options *options, struct polygon_source *source,
                                 struct generate_request *request, struct error *error)
{
    enum status status = polygon_files_read(&options->polygons, source, error);
    if (!status)
        status = generate_choose_box(request, source->polygons, error);
    if (!status)
        status = polygon_source_place(source, &request->box, error);
    if (!status)
        status = generate_take_polygons(request, source->polygons, error);
    return status;
}

/* Generates the system of a complete request, and writes it. */
static enum status generate(const struct generate_request *request, int is_quiet,
                            struct error *error)
{
    struct system system = {0};
    enum status status = generate_system(request, &system, error);
    if (!status)
        status = generate_write(request, &system, stdout, "standard output", error);
    if (!status && !is_quiet)
        status = generate_report(request, &system, stderr, "standard error", error);
    system_free(&system);
    return status;
}

enum status generated_input_write(const struct options *options, struct error *error)
{
    struct generate_request request = options->request;
    struct polygon_source source = {0};
    char *files = NULL;
    enum status status = STATUS_DONE;
    if (options->polygons.count > 0) {
        request.files = files = name_files(&options->polygons, error);
        status = files ? take_polygons(options, &source, &request, error) : STATUS_NO_MEMORY;
    }
    if (!status) {
        source.polygons = NULL; /* the system takes them */
        status = generate(&request, options->quiet, error);
    }
    polygon_source_free(&source);
    memory_free(files);
    return status;
}
