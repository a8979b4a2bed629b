/* Polygon files: what --domain and --obstacle read. The manual page, "POLYGONS", has the format. */
#ifndef PARTICLES_POLYGON_FILE_H
#define PARTICLES_POLYGON_FILE_H

#include "model/polygons.h"

/* The transformation of a file's vertices: scaled, rotated about the origin, then moved. */
struct polygon_placement {
    double x_scale, y_scale;
    double cosine, sine; /* of the angle, counter-clockwise */
    double x, y;         /* where the origin goes, length */
};

/* The files to read, in the order in which their features are numbered. */
struct polygon_files {
    size_t count;
    struct polygon_file {
        const char *text; /* as the option gives it, "NAME KEY=VALUE..."; not owned */
        char *name;       /* of the file; owned */
        int is_domain;    /* of --domain, not --obstacle */
        struct polygon_placement placement;
    } * list;                                /* `count` of them, owned */
    void (*warn)(const struct error *error); /* shows what is mended and seen; or NULL */
};

/* The polygons of these files, and where each of their sides stands. */
struct polygon_source {
    const struct polygon_files *files;
    struct polygons *polygons; /* owned until a boundary has them, or NULL: there are no files */
    size_t *last;              /* for each file, the number of the polygon after its last; owned */
    double (*vertices)[2];     /* for each side, where it begins; owned */
    size_t *lines;             /* and the line of that vertex; owned */
};

/* Adds a file to the list, which polygon_files_free frees in any case. Returns STATUS_DONE,
 * STATUS_USAGE or STATUS_NO_MEMORY. */
enum status polygon_files_add(struct polygon_files *files, const char *text, int is_domain,
                              struct error *error);

void polygon_files_free(struct polygon_files *files);

/* The name of the domain's file; NULL if there is none. */
const char *polygon_files_domain(const struct polygon_files *files);

int polygon_files_have_obstacles(const struct polygon_files *files);

/*
 * Reads all files. The polygons have at least two vertices and no side of length 0, and may be
 * anywhere: polygon_source_place comes next. Returns STATUS_DONE with `*source`; STATUS_NO_INPUT;
 * STATUS_BAD_DATA, with a message that begins with "FILE:LINE: "; or STATUS_NO_MEMORY. In any case
 * the caller gives it to polygon_source_free. `files` must outlive it.
 */
enum status polygon_files_read(const struct polygon_files *files, struct polygon_source *source,
                               struct error *error);

/*
 * Moves the polygons into a boundary whose box and periodic axes are known: along a periodic axis,
 * so that the least coordinate of an obstacle is in [0, L), and a vertex that rounding has taken
 * out of the box onto it. Returns STATUS_DONE, with polygons that are sound (polygons_check); or
 * STATUS_BAD_DATA or STATUS_NO_MEMORY, as above.
 */
enum status polygon_source_place(struct polygon_source *source, const struct boundary *boundary,
                                 struct error *error);

void polygon_source_free(struct polygon_source *source);

/* The file of a side, and the numbers of the side and of its polygon there, from 0. */
struct polygon_place_in_file {
    const char *name, *text; /* of the file, as above */
    size_t line, polygon, side;
};

/* Finds the place of a side; `polygons` are made of the source. */
struct polygon_place_in_file polygon_source_find(const struct polygon_source *source,
                                                 const struct polygons *polygons, size_t side);

#endif
