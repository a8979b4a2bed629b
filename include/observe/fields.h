/* The observer behind --fields: density, mean velocity, temperature, pressure and Mach number in
 * each cell of a grid over the box, averaged over time, exactly: a particle counts in a cell for as
 * long as its centre is there. The averages are of the whole run, or a series of them of intervals.
 * In a time-stepped run it counts for each step in the cell where it is at the end. The fields of a
 * flow are averages over its nodes, and over samples in time. */
#ifndef PARTICLES_FIELDS_H
#define PARTICLES_FIELDS_H

#include "base/elementary.h"
#include "io/output_file.h"
#include "model/boundary.h"
#include "run/observer.h"

#include <stdio.h>

/* The most cells along each axis, and in all. */
enum { FIELDS_MAX_ALONG = 10000, FIELDS_MAX_CELLS = 1000000 };

struct block_sums;
struct classes;

/* The field that a picture shows in colours. */
enum field_shown {
    SHOW_DENSITY,
    SHOW_SPEED,
    SHOW_TEMPERATURE,
    SHOW_PRESSURE,
    SHOW_MACH,
    FIELDS_SHOWN
};

/* What a grid knows of pressure. FIELD_VIRIAL is the sum of m p dt in a fluid. */
enum field_pressure { OF_COLLISIONS, OF_FLUID, OF_MOTION };

/* The sums of a cell, over all pieces of paths in it; each piece takes a time dt. */
enum field_sum {
    FIELD_TIME,       /* dt */
    FIELD_MASS,       /* m dt */
    FIELD_MOMENTUM_X, /* m u dt */
    FIELD_MOMENTUM_Y, /* m v dt */
    FIELD_ENERGY,     /* m (u^2 + v^2) / 2 dt */
    FIELD_PATH_SUMS,
    FIELD_VIRIAL = FIELD_PATH_SUMS, /* over collisions of two that touch there: their virial */
    FIELD_SUMS
};

struct field_cell {
    struct sum sums[FIELD_SUMS];
    uint64_t visits; /* how often a centre has come in, or was there at first */
    uint64_t pieces; /* how many pieces of paths there are, each with one velocity */
};

struct field_grid {
    const struct boundary *boundary; /* of the run; not owned */
    size_t columns, rows;            /* 1 or more */
    double per_x, per_y;             /* cells per length */
    struct field_cell *cells;        /* row by row from the bottom, from the left; owned */
    size_t species;                  /* the number of species; if there are several: */
    struct sum *times;               /* of each cell the time for each of them; owned */
    enum field_pressure pressure;
    double *free;        /* the free fraction of each cell, owned; NULL: 1 */
    double *node_counts; /* of a flow: how many nodes of it a cell has; owned; otherwise NULL */
    double *block; /* the FIELD_PATH_SUMS of all cells in this block of time; not owned; or NULL */
};

/* Makes a grid of empty cells over a box, which is to outlive it, for field_grid_free in any case.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. field_grid_clear makes the cells empty again. */
enum status field_grid_create(struct field_grid *grid, const struct boundary *boundary,
                              size_t columns, size_t rows, size_t species, struct error *error);
void field_grid_clear(struct field_grid *grid);
void field_grid_free(struct field_grid *grid);

/* Makes `*parts`, the free fractions of cells, row by row from the bottom, for memory_free; NULL
 * where there are no polygons. What is all free, or not at all, is exactly 1 or 0. */
enum status free_area_create(const struct boundary *boundary, size_t columns, size_t rows,
                             double **parts, struct error *error);

/* Adds the straight path on which a body has come to where it is, maybe across seams, in a time; if
 * the time is 0, nothing. Of the body x, y, u, v and mass count. `is_first`: nothing has been added
 * of where the particle was before. `species` is less than grid->species. */
void field_grid_add(struct field_grid *grid, const struct snapshot_particle *body, double duration,
                    int is_first, size_t species);

/* Adds the virial of a collision at a position in the box, or beyond a seam. */
void field_grid_push(struct field_grid *grid, double x, double y, double virial);

/* Counts a visit of a centre that enters at a position in the box, with this velocity. */
void field_grid_enter(struct field_grid *grid, double x, double y, double u, double v);

/* Fields, averaged up to the time of a snapshot. */
struct field_map {
    const struct snapshot *snapshot;
    double from;                     /* the time from which on they are averages */
    int is_of_series;                /* of an interval, which files name, */
    int is_continued;                /* and this is not the first one of its file */
    enum field_shown shown;          /* in a picture */
    int is_instant;                  /* or: of the end only, with nothing but the density */
    size_t columns, rows;            /* of cells */
    double width, height;            /* of a cell, length */
    const struct field_grid *grid;   /* the sums of each cell */
    const struct classes *species;   /* the species; NULL at an instant */
    const struct block_sums *blocks; /* the sums in each block; NULL: there are no errors */
};

/* The values of a cell; NAN where the run does not determine them. */
struct field_values {
    double x, y;           /* of its middle, length */
    double area;           /* that is free: inside the domain and outside obstacles, length^2 */
    double samples;        /* how often a centre has come in, or was there at first */
    double density;        /* particles per free area */
    double mass_density;   /* mass per free area */
    double u, v;           /* the mean velocity, by mass: momentum per mass; length per time */
    double temperature;    /* the kinetic energy relative to that velocity per particle; energy */
    double pressure_ideal; /* the kinetic term, density * T, energy per area; 0 of a fluid; */
    double pressure_collisional; /* and that of collisions of two: their virial / (2 area time), or
                                    the mean pressure of a fluid */
    double mach;  /* the mean velocity's size / sqrt(2 T / m), the speed of sound in a dilute gas */
    double count; /* the mean number of particles */
    int is_scarce; /* too few velocities for a temperature or a Mach number */
};

/* Those of a cell, counted from the left and from the bottom. */
struct field_values field_map_values(const struct field_map *map, size_t column, size_t row);

/* The standard errors of density, u, v and temperature in a cell of a map that has blocks. */
enum { DENSITY_ERROR, U_ERROR, V_ERROR, TEMPERATURE_ERROR, FIELD_ERRORS };
void field_map_errors(const struct field_map *map, size_t index, double errors[FIELD_ERRORS]);

/* The mean number of particles of a species, by its index in the map's list, in cell `index`. */
double field_map_count(const struct field_map *map, size_t index, size_t species);

/* The Mach number of the run's stream, with the speed of sound as above; NAN without a stream. */
double field_map_mach(const struct field_map *map);

/* Writes the map, or the next one of a series, in a format; errors of writing stay in `stream`. */
typedef enum status field_writer(const struct field_map *map, FILE *stream, struct error *error);

/* Comma-separated values, the legacy and the XML format of VTK: the manual page, FIELDS. And how
 * these files begin. */
field_writer field_file_write_csv, field_file_write_vtk, field_file_write_vti;
#define FIELD_CSV_BEGINNING "column,row,x,y,"
#define FIELD_VTK_BEGINNING "# vtk DataFile Version 3.0\n"
#define FIELD_VTI_BEGINNING "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" "

/* Writes the fields: when the run ends or, of a series, as it goes on; if the name is a pattern, a
 * file for each interval, and a list of .vti files, complete when the run ends by a signal, too. A
 * resumed run may write some of them once more; they are the same. Memory: 120 bytes a cell, 16
 * more for each of several species, and 400 more for a profile: one row or column, no series. */
struct fields_settings {
    struct output_settings output;
    field_writer *write;    /* the format */
    int has_series;         /* of that format: one map for each interval, if there are any */
    size_t columns, rows;   /* 1 to FIELDS_MAX_ALONG, FIELDS_MAX_CELLS in all */
    enum field_shown shown; /* in a picture of fields */
};
extern const struct observer_operations fields_operations;

/* The fields of the observer of --fields; owned by it. */
struct field_map fields_map(const struct observer *observer, const struct snapshot *snapshot);

/* The density now, of nearly square cells, 96 along the longer side of the box. The map refers to
 * `grid`, for field_grid_free in any case. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status fields_count_now(const struct snapshot *snapshot, struct field_grid *grid,
                             struct field_map *map, struct error *error);

#endif
