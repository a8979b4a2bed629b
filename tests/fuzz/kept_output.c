/* Output files in memory; see kept_output.h and, for the interface they have, output_file.h. */
#include "kept_output.h"

#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "picture/drawing.h"

#include <stdlib.h>

/* The page of --animate without the page, which is long: only the place of its data. */
const char animation_template[] = "<!-- DATA -->\n";

static struct kept_output files[KEPT_OUTPUT_MAX];
static size_t file_count;
static size_t open_count;

/* The memory of an open file. Its address takes the place of that of a part. */
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
    *file =
        (struct output_file){.stream = stream, .name = name, .part = (struct output_part *)buffer};
    open_count++;
    return STATUS_DONE;
}

enum status output_file_prepare(struct output_file *file, const char *name, struct error *error)
{
    (void)error;
    *file = (struct output_file){.name = name};
    return STATUS_DONE;
}

enum status output_file_begin(struct output_file *file, struct error *error)
{
    return output_file_open(file, file->name, error);
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    struct buffer *buffer = (struct buffer *)file->part;
    enum status status = text_close(file->stream, file->name, error);
    if (!status && file_count < KEPT_OUTPUT_MAX)
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
    struct buffer *buffer = (struct buffer *)file->part;
    if (!file->stream)
        return;
    fclose(file->stream);
    free(buffer->bytes);
    free(buffer);
    *file = (struct output_file){0};
    open_count--;
}

/* No run here is resumable. */
void output_file_remove_stale(const char *name)
{
    (void)name;
}

enum status output_file_open_resumable(struct output_file *file, const char *name, int is_resumable,
                                       const int *is_saved, struct error *error)
{
    (void)is_resumable;
    (void)is_saved;
    return output_file_open(file, name, error);
}

void output_file_record(struct output_file *file, const char *name, struct record *record)
{
    (void)file;
    (void)name;
    record_add_status(record,
                      error_set(record->error, STATUS_CANNOT_WRITE, "no run here is resumable"));
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
