/*
 * Writing the answer; see output.h.
 */
#include "observe/output.h"

#include "io/text.h"
#include "model/physics.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 16 };

/* Appends ", " and returns where to go on. */
static char *separate(char *text)
{
    memcpy(text, ", ", 2);
    return text + 2;
}

size_t output_line(char text[OUTPUT_LINE_SIZE], const struct system *system, size_t index,
                   double end_time)
{
    const struct counts *counts = &system->counts[index];
    char *end = text;
    double x;
    double y;
    physics_position(system, index, end_time, &x, &y);
    end += number_write_fixed(end, x);
    end = separate(end);
    end += number_write_fixed(end, y);
    end = separate(end);
    end += number_write_whole(end, counts->walls);
    end = separate(end);
    end += number_write_whole(end, counts->particles);
    *end++ = '\n';
    return (size_t)(end - text);
}

enum status output_write(const struct system *system, double end_time, FILE *stream,
                         const char *name, struct error *error)
{
    char block[BLOCK_SIZE];
    size_t used = 0;
    int is_writable = 1;
    for (size_t index = 0; index < system->count && is_writable; index++) {
        used += output_line(block + used, system, index, end_time);
        if (used > sizeof block - OUTPUT_LINE_SIZE || index + 1 == system->count) {
            is_writable = fwrite(block, 1, used, stream) == used;
            used = 0;
        }
    }
    return text_flush(stream, name, error);
}
