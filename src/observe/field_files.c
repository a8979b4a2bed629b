/*
 * Files of fields: comma-separated values, and the legacy format of VTK (The VTK User's Guide, "VTK
 * File Formats", Simple Legacy Formats); see fields.h.
 */
#include "io/number.h"
#include "observe/fields.h"

#include <inttypes.h>
#include <math.h>

/* Writes a number; `undetermined` if it is none. */
static void write_number(FILE *stream, double value, const char *undetermined)
{
    char text[NUMBER_SHORTEST_SIZE];
    if (isfinite(value))
        number_write_shortest(text, value + 0.0); /* + 0.0: there is no -0 */
    fputs(isfinite(value) ? text : undetermined, stream);
}

static void write_row(const struct field_map *map, size_t column, size_t row, FILE *stream)
{
    const struct field_values cell = field_map_values(map, column, row);
    const double before[] = {cell.x, cell.y, cell.area};
    const double after[] = {cell.density, cell.mass_density, cell.u, cell.v, cell.temperature};
    fprintf(stream, "%zu,%zu", column, row);
    for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) {
        fputc(',', stream);
        write_number(stream, before[k], "");
    }
    fprintf(stream, ",%" PRIu64, cell.samples);
    for (size_t k = 0; k < sizeof after / sizeof after[0]; k++) {
        fputc(',', stream);
        write_number(stream, after[k], "");
    }
    fputc('\n', stream);
}

enum status field_file_write_csv(const struct field_map *map, FILE *stream, struct error *error)
{
    (void)error;
    fputs("column,row,x,y,area,samples,density,mass_density,u,v,temperature\n", stream);
    for (size_t row = 0; row < map->rows; row++)
        for (size_t column = 0; column < map->columns; column++)
            write_row(map, column, row, stream);
    return STATUS_DONE;
}

/* The arrays of a VTK file. */
enum array { DENSITY, VELOCITY, MASS_DENSITY, TEMPERATURE, SAMPLES, AREA, GHOST_TYPE };

/* What hides a cell, where an array of this name has it (VTK, vtkDataSetAttributes, HIDDENCELL). */
static const double HIDDEN_CELL = 32;

static double choose_value(const struct field_values *cell, enum array array)
{
    switch (array) {
    case DENSITY:
        return cell->density;
    case MASS_DENSITY:
        return cell->mass_density;
    case TEMPERATURE:
        return cell->temperature;
    case SAMPLES:
        return (double)cell->samples;
    case AREA:
        return cell->area;
    default:
        return cell->area > 0 ? 0 : HIDDEN_CELL;
    }
}

/* Writes an array, a line a cell. What is undetermined is 0: VTK reads no "nan" in such files. */
static void write_array(const struct field_map *map, enum array array, FILE *stream)
{
    for (size_t row = 0; row < map->rows; row++) {
        for (size_t column = 0; column < map->columns; column++) {
            const struct field_values cell = field_map_values(map, column, row);
            if (array == VELOCITY) {
                write_number(stream, cell.u, "0");
                fputc(' ', stream);
                write_number(stream, cell.v, "0");
                fputs(" 0\n", stream);
            } else {
                write_number(stream, choose_value(&cell, array), "0");
                fputc('\n', stream);
            }
        }
    }
}

enum status field_file_write_vtk(const struct field_map *map, FILE *stream, struct error *error)
{
    static const struct {
        enum array array;
        const char *name, *type;
    } further[] = {{MASS_DENSITY, "mass_density", "double"},
                   {TEMPERATURE, "temperature", "double"},
                   {SAMPLES, "samples", "double"},
                   {AREA, "area", "double"},
                   {GHOST_TYPE, "vtkGhostType", "unsigned_char"}};
    enum { FURTHER = sizeof further / sizeof further[0] };
    const size_t cells = map->columns * map->rows;
    (void)error;
    fprintf(stream,
            "# vtk DataFile Version 3.0\nhard disks, averaged from time %.8g to %.8g\nASCII\n"
            "DATASET STRUCTURED_POINTS\nDIMENSIONS %zu %zu 1\nORIGIN 0 0 0\nSPACING ",
            map->from, map->snapshot->time, map->columns + 1, map->rows + 1);
    write_number(stream, map->width, "");
    fputc(' ', stream);
    write_number(stream, map->height, "");
    fprintf(stream, " 1\nCELL_DATA %zu\nSCALARS density double 1\nLOOKUP_TABLE default\n", cells);
    write_array(map, DENSITY, stream);
    fputs("VECTORS velocity double\n", stream);
    write_array(map, VELOCITY, stream);
    /* Of several SCALARS VTK reads only the first unless it is told to. */
    fprintf(stream, "FIELD fields %d\n", (int)FURTHER);
    for (int k = 0; k < FURTHER; k++) {
        fprintf(stream, "%s 1 %zu %s\n", further[k].name, cells, further[k].type);
        write_array(map, further[k].array, stream);
    }
    return STATUS_DONE;
}
