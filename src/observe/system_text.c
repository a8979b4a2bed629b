/*
 * Systems as text; see system_text.h.
 */
#include "observe/system_text.h"

#include "io/text.h"

/* Writes numbers on one line. Returns a negative number if that fails. */
static int write_line(const struct decimals *const decimals[], const double *values, size_t count,
                      FILE *stream)
{
    enum { MOST_COLUMNS = 7 };
    char line[MOST_COLUMNS * NUMBER_SHORTEST_SIZE];
    size_t length = 0;
    for (size_t k = 0; k < count; k++) {
        length += number_write_decimal(line + length, decimals[k], values[k]);
        line[length++] = k + 1 < count ? ' ' : '\n';
    }
    return fwrite(line, 1, length, stream) == length ? 0 : -1;
}

enum status system_write(const struct system *system, const struct system_decimals *decimals,
                         FILE *stream, const char *name, struct error *error)
{
    static const struct decimals all = {0};
    const struct decimals *place = &decimals->place;
    const struct decimals *velocity = &decimals->velocity;
    const struct decimals *const columns[] = {place, place, velocity, velocity, place, &all, &all};
    const size_t column_count = system->kinds ? 7 : 4;
    const double box[] = {system->boundary.width, system->boundary.height};
    int written = fprintf(stream, "%zu\n", system->count);
    if (written >= 0)
        written = write_line(columns, &system->radius, 1, stream);
    if (written >= 0)
        written = write_line(columns, box, 2, stream);
    for (size_t k = 0; k < system->count && written >= 0; k++) {
        const struct particle *p = &system->particles[k];
        const double values[] = {p->x,
                                 p->y,
                                 p->u,
                                 p->v,
                                 system_radius(system, p),
                                 system_mass(system, p),
                                 system_species(system, p)};
        written = write_line(columns, values, column_count, stream);
    }
    return text_flush(stream, name, error);
}
