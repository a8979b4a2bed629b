/*
 * The observer behind --fields: density, mean velocity, temperature, pressure and Mach number in
 * each cell of a grid over the box, averaged over time, exactly: a particle counts in a cell for as
 * long as its centre is there. The averages are of the whole run, or a series of them of intervals.
 */
#ifndef PARTICLES_FIELDS_H
#define PARTICLES_FIELDS_H

#include "run/observer.h"

#include <stdio.h>

/* The most cells along each axis, and in all. */
enum { FIELDS_MOST_ALONG = 10000, FIELDS_MOST_CELLS = 1000000 };

struct classes;
struct field_grid;

/* The field that a picture shows in colours. */
enum field_shown {
    SHOW_DENSITY,
    SHOW_SPEED,
    SHOW_TEMPERATURE,
    SHOW_PRESSURE,
    SHOW_MACH,
    FIELDS_SHOWN
};

/* Fields, averaged up to the time of a snapshot. */
struct field_map {
    const struct snapshot *snapshot;
    double from;                   /* the time from which on they are averages */
    int is_of_series;              /* of an interval: files say of which, */
    int is_continued;              /* and this is not the first one of its file */
    enum field_shown shown;        /* in a picture */
    int is_instant;                /* or: they are of the end only, where particles have been
                                      counted: there is nothing but their density */
    size_t columns, rows;          /* of cells */
    double width, height;          /* of a cell, length */
    const struct field_grid *grid; /* the sums of each cell */
    const double *free;            /* the part of each that is free; NULL: all of it */
    const struct classes *species; /* those that are told apart; NULL at an instant */
};

/* The values of a cell; NAN where the run does not determine them. */
struct field_values {
    double x, y;           /* of its middle, length */
    double area;           /* that is free: inside the domain and outside obstacles, length^2 */
    uint64_t samples;      /* how often a centre has come in, or was there at first */
    double density;        /* particles per free area */
    double mass_density;   /* mass per free area */
    double u, v;           /* the mean velocity, by mass: momentum per mass; length per time */
    double temperature;    /* the kinetic energy relative to that velocity per particle, which is T
                              for the two degrees of freedom; energy */
    double pressure_ideal; /* its part by motion, density * T, energy per area, */
    double pressure_collisional; /* and that by collisions of two: their virial / (2 area time) */
    double mach;  /* the mean velocity's size / sqrt(2 T / m), the speed of sound in a dilute gas */
    double count; /* the mean number of particles */
    int is_scarce; /* there are too few velocities to tell a temperature, or a Mach number */
};

/* Those of a cell, counted from the left and from the bottom. */
struct field_values field_map_values(const struct field_map *map, size_t column, size_t row);

/* The mean number of particles of a species, by its place in the map's list, in a cell. */
double field_map_count(const struct field_map *map, size_t column, size_t row, size_t species);

/* The number of all particles / the free area: the density to compare with. */
double field_map_mean_density(const struct field_map *map);

/* The Mach number of the run's stream, with the speed of sound as above; NAN without a stream. */
double field_map_mach(const struct field_map *map);

/* A format of the file: writes the map, or the next one of a series. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; errors of writing are left in `stream`. */
typedef enum status field_writer(const struct field_map *map, FILE *stream, struct error *error);

/*
 * Comma-separated values, a row a cell, and the legacy format of VTK, which ParaView opens: the
 * manual page, FIELDS. All numbers are the same on every machine. Both return STATUS_DONE.
 */
field_writer field_file_write_csv, field_file_write_vtk;

/* What to measure, and where to write it. */
struct fields_request {
    const char *name;       /* of the file; must outlive the observer */
    field_writer *write;    /* its format */
    size_t columns, rows;   /* 1 to FIELDS_MOST_ALONG, and FIELDS_MOST_CELLS together */
    double from;            /* the time from which on fields are averages: 0 to */
    double to;              /* the end of the run */
    double interval;        /* of a series, of which each interval is written as it ends; 0: none */
    enum field_shown shown; /* in a picture */
};

/*
 * Makes an observer that writes the fields: when the run ends or, of a series, as it goes on. In
 * the end the file is complete or absent. Memory: 120 bytes a cell, and 16 more for each species,
 * if there are several. Returns STATUS_DONE with `*observer` for observers_add, or
 * STATUS_NO_MEMORY.
 */
enum status fields_create(const struct fields_request *request, struct observer **observer,
                          struct error *error);

#endif
