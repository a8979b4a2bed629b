/*
 * Output files in memory; see kept_output.h and, for the interface they have, output_file.h.
 */
#include "kept_output.h"

#include "io/output_file.h"
#include "io/text.h"
#include "picture/animation_page.h"

#include <stdlib.h>

/* The page of --animate without the page, which is long: only the place of its data. */
const unsigned char animation_template[] = "<!-- DATA -->\n";
const size_t animation_template_size = sizeof animation_template - 1;

static struct kept_output files[KEPT_OUTPUT_MOST];
static size_t file_count;
static size_t open_count;

/* What an open file writes to. Its address takes the place of the temporary name. */
struct buffer {
    char *bytes;
    size_t size;
};

enum status output_file_open(struct output_file *file, const char *name, struct error *error)
{
    struct buffer *buffer = calloc(1, sizeof *buffer);
    FILE *stream = buffer ? open_memstream(&buffer->bytes, &buffer->size) : NULL;
    if (!stream) {
        free(buffer);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a test");
    }
    *file = (struct output_file){.stream = stream, .name = name, .temporary = (char *)buffer};
    open_count++;
    return STATUS_DONE;
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    struct buffer *buffer = (struct buffer *)file->temporary;
    enum status status = text_close(file->stream, file->name, error);
    if (!status && file_count < KEPT_OUTPUT_MOST)
        files[file_count++] = (struct kept_output){file->name, buffer->bytes, buffer->size};
    else
        free(buffer->bytes);
    free(buffer);
    *file = (struct output_file){0};
    open_count--;
    return status;
}

void output_file_abandon(struct output_file *file)
{
    struct buffer *buffer = (struct buffer *)file->temporary;
    if (!file->stream)
        return;
    fclose(file->stream);
    free(buffer->bytes);
    free(buffer);
    *file = (struct output_file){0};
    open_count--;
}

/* What output_part.c asks for; no run here has parts. */
void output_file_set_rights(int descriptor, int exists, const struct stat *present)
{
    (void)descriptor;
    (void)exists;
    (void)present;
}

char *output_file_temporary_name(const char *path, struct error *error)
{
    (void)path;
    error_set(error, STATUS_NO_MEMORY, "there are no parts");
    return NULL;
}

enum status output_file_sync(const struct output_file *file, struct error *error)
{
    (void)file;
    (void)error;
    return STATUS_DONE;
}

enum status output_file_sync_directory(const char *path, const char *name, struct error *error)
{
    (void)path;
    (void)name;
    (void)error;
    return STATUS_DONE;
}

void output_file_forget(struct output_file *file)
{
    *file = (struct output_file){0};
}

const struct kept_output *kept_output_files(size_t *count)
{
    *count = file_count;
    return files;
}

size_t kept_output_open_count(void)
{
    return open_count;
}

void kept_output_clear(void)
{
    for (size_t k = 0; k < file_count; k++)
        free(files[k].bytes);
    file_count = 0;
}
