/*
 * Files of fields: comma-separated values, and the legacy format of VTK (The VTK User's Guide, "VTK
 * File Formats", Simple Legacy Formats); see fields.h.
 */
#include "classes.h"
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

/* Writes numbers, with a comma before each. */
static void write_fields(FILE *stream, const double values[], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fputc(',', stream);
        write_number(stream, values[k], "");
    }
}

/* How many species have counts of their own. */
static size_t count_species(const struct field_map *map)
{
    return map->species->count > 1 ? map->species->count : 0;
}

static void write_row(const struct field_map *map, size_t column, size_t row, FILE *stream)
{
    const struct field_values cell = field_map_values(map, column, row);
    const double before[] = {cell.x, cell.y, cell.area};
    const double after[] = {
        cell.density,        cell.mass_density,         cell.u,    cell.v,    cell.temperature,
        cell.pressure_ideal, cell.pressure_collisional, cell.mach, cell.count};
    const double span[] = {map->from, map->snapshot->time};
    fprintf(stream, "%zu,%zu", column, row);
    write_fields(stream, before, sizeof before / sizeof before[0]);
    fprintf(stream, ",%" PRIu64, cell.samples);
    write_fields(stream, after, sizeof after / sizeof after[0]);
    for (size_t k = 0; k < count_species(map); k++) {
        const double count = field_map_count(map, column, row, k);
        write_fields(stream, &count, 1);
    }
    write_fields(stream, span, map->is_of_series ? 2 : 0);
    fputc('\n', stream);
}

static void write_names(const struct field_map *map, FILE *stream)
{
    fputs("column,row,x,y,area,samples,density,mass_density,u,v,temperature,pressure_ideal,"
          "pressure_collisional,mach,count",
          stream);
    for (size_t k = 0; k < count_species(map); k++)
        fprintf(stream, ",count_%" PRId32, map->species->species[k]);
    fputs(map->is_of_series ? ",from,to\n" : "\n", stream);
}

enum status field_file_write_csv(const struct field_map *map, FILE *stream, struct error *error)
{
    (void)error;
    if (!map->is_continued)
        write_names(map, stream);
    for (size_t row = 0; row < map->rows; row++)
        for (size_t column = 0; column < map->columns; column++)
            write_row(map, column, row, stream);
    return STATUS_DONE;
}

/* The arrays of a VTK file. */
enum array {
    DENSITY,
    VELOCITY,
    MASS_DENSITY,
    TEMPERATURE,
    SAMPLES,
    AREA,
    GHOST_TYPE,
    PRESSURE_IDEAL,
    PRESSURE_COLLISIONAL,
    MACH,
    COUNT
};

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
    case PRESSURE_IDEAL:
        return cell->pressure_ideal;
    case PRESSURE_COLLISIONAL:
        return cell->pressure_collisional;
    case MACH:
        return cell->mach;
    case COUNT:
        return cell->count;
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
                   {GHOST_TYPE, "vtkGhostType", "unsigned_char"},
                   {PRESSURE_IDEAL, "pressure_ideal", "double"},
                   {PRESSURE_COLLISIONAL, "pressure_collisional", "double"},
                   {MACH, "mach", "double"},
                   {COUNT, "count", "double"}};
    enum { FURTHER = sizeof further / sizeof further[0] };
    const size_t cells = map->columns * map->rows;
    const struct stream *flow = &map->snapshot->system->boundary.stream;
    (void)error;
    fprintf(stream, "# vtk DataFile Version 3.0\nhard disks, averaged from time %.8g to %.8g",
            map->from, map->snapshot->time);
    if (flow->draw)
        fprintf(stream, ", stream U = %.8g, T = %.8g, Mach %.4g", flow->speed, flow->temperature,
                field_map_mach(map));
    fprintf(stream,
            "\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS %zu %zu 1\nORIGIN 0 0 0\nSPACING ",
            map->columns + 1, map->rows + 1);
    write_number(stream, map->width, "");
    fputc(' ', stream);
    write_number(stream, map->height, "");
    fprintf(stream, " 1\nCELL_DATA %zu\nSCALARS density double 1\nLOOKUP_TABLE default\n", cells);
    write_array(map, DENSITY, stream);
    fputs("VECTORS velocity double\n", stream);
    write_array(map, VELOCITY, stream);
    /* Of several SCALARS VTK reads only the first unless it is told to. */
    fprintf(stream, "FIELD fields %zu\n", FURTHER + count_species(map));
    for (int k = 0; k < FURTHER; k++) {
        fprintf(stream, "%s 1 %zu %s\n", further[k].name, cells, further[k].type);
        write_array(map, further[k].array, stream);
    }
    for (size_t k = 0; k < count_species(map); k++) {
        fprintf(stream, "count_%" PRId32 " 1 %zu double\n", map->species->species[k], cells);
        for (size_t cell = 0; cell < cells; cell++) {
            write_number(stream, field_map_count(map, cell % map->columns, cell / map->columns, k),
                         "0");
            fputc('\n', stream);
        }
    }
    return STATUS_DONE;
}
