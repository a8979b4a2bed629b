/*
 * The observer behind --fields: density, mean velocity and temperature in each cell of a grid over
 * the box, averaged over time, exactly: a particle counts in a cell for as long as its centre is
 * there.
 */
#ifndef PARTICLES_FIELDS_H
#define PARTICLES_FIELDS_H

#include "run/observer.h"

#include <stdio.h>

/* The most cells along each axis, and in all. */
enum { FIELDS_MOST_ALONG = 10000, FIELDS_MOST_CELLS = 1000000 };

struct field_grid;

/* The fields at the end of a run. */
struct field_map {
    const struct snapshot *snapshot; /* the end of the run */
    double from;                     /* the time from which on they are averages */
    int is_instant;                  /* or: they are of the end only, where particles have been
                                        counted: there is nothing but their density */
    size_t columns, rows;            /* of cells */
    double width, height;            /* of a cell, length */
    const struct field_grid *grid;   /* the sums of each cell */
    const double *free;              /* the part of each that is free; NULL: all of it */
};

/* The values of a cell; NAN where the run does not determine them. */
struct field_values {
    double x, y;         /* of its middle, length */
    double area;         /* that is free: inside the domain and outside obstacles, length^2 */
    uint64_t samples;    /* how often a centre has come in, or was there at first */
    double density;      /* particles per free area */
    double mass_density; /* mass per free area */
    double u, v;         /* the mean velocity, by mass: momentum per mass; length per time */
    double temperature;  /* the kinetic energy relative to that velocity per particle, which is T
                            for the two degrees of freedom; energy */
};

/* Those of a cell, counted from the left and from the bottom. */
struct field_values field_map_values(const struct field_map *map, size_t column, size_t row);

/* A format of the file: writes the map. Returns STATUS_DONE or STATUS_NO_MEMORY; errors of writing
 * are left in `stream`. */
typedef enum status field_writer(const struct field_map *map, FILE *stream, struct error *error);

/*
 * Comma-separated values, a row a cell, and the legacy format of VTK, which ParaView opens: the
 * manual page, FIELDS. All numbers are the same on every machine. Both return STATUS_DONE.
 */
field_writer field_file_write_csv, field_file_write_vtk;

/* What to measure, and where to write it. */
struct fields_request {
    const char *name;     /* of the file; must outlive the observer */
    field_writer *write;  /* its format */
    size_t columns, rows; /* 1 to FIELDS_MOST_ALONG, and FIELDS_MOST_CELLS together */
    double from;          /* the time from which on fields are averages: 0 to the end of the run */
};

/*
 * Makes an observer that writes the fields when the run ends. The file is found to be writable when
 * the run begins, and in the end is complete or absent. Memory: 96 bytes a cell. Returns
 * STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status fields_create(const struct fields_request *request, struct observer **observer,
                          struct error *error);

#endif
