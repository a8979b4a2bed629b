/*
 * The answer; see output.h.
 */
#include "observe/output.h"

#include "io/text.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 12 }; /* on the stack, which may be small */

/* Appends ", " and returns the end. */
static char *separate(char *text)
{
    memcpy(text, ", ", 2);
    return text + 2;
}

size_t output_line(char text[OUTPUT_LINE_SIZE], const struct snapshot *snapshot, size_t number)
{
    const struct counts counts = snapshot_counts(snapshot, number);
    char *end = text;
    double x;
    double y;
    snapshot_position(snapshot, number, &x, &y);
    end += number_write_fixed(end, x);
    end = separate(end);
    end += number_write_fixed(end, y);
    end = separate(end);
    end += number_write_whole(end, counts.walls);
    end = separate(end);
    end += number_write_whole(end, counts.particles);
    *end++ = '\n';
    return (size_t)(end - text);
}

enum status output_write(const struct system *system, double end_time, FILE *stream,
                         const char *name, struct error *error)
{
    const struct snapshot snapshot = snapshot_in_order(system, end_time);
    char block[BLOCK_SIZE];
    size_t used = 0;
    int is_writable = 1;
    for (size_t number = 0; number < system->count && is_writable; number++) {
        used += output_line(block + used, &snapshot, number);
        if (used > sizeof block - OUTPUT_LINE_SIZE || number + 1 == system->count) {
            is_writable = fwrite(block, 1, used, stream) == used;
            used = 0;
        }
    }
    return text_flush(stream, name, error);
}
