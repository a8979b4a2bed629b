/* What is read: INPUT, polygon files, and the settings of walls.
 *
 * INPUT (assignment, "Specifications"): N; the radius; the box's sides Lx and Ly; then for each
 * particle a line with x, y, u and v, and perhaps its own radius, mass and species, and of a rough
 * disk its spin. */
#ifndef PARTICLES_INPUT_H
#define PARTICLES_INPUT_H

#include "io/number.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/polygons.h"
#include "schedule/schedule.h"

#include <stdio.h>

enum { INPUT_COLUMNS = 8 }; /* of a particle: x y u v radius mass species spin */

/* A system that is not in a file: the text of an INPUT, and nothing else; or rows. */
struct input_source {
    const char *text; /* not owned; or NULL */
    size_t text_size;
    uint64_t count;
    double radius, width, height; /* of the second and third line */
    /* Puts the columns of a particle there. */
    void (*take)(const void *of, size_t number, double values[INPUT_COLUMNS]);
    const void *of;
};

/* The INPUT to read, and the run that it is for. */
struct input_request {
    const char *path;                  /* of INPUT; "-": standard input */
    const struct input_source *source; /* in place of a file; or NULL */
    enum schedule_kind schedule; /* an N that it cannot hold is reported at its line, before the
                                    particles are read */
    const struct polygon_files *polygons; /* that bound the particles, or NULL */
    const struct wall_settings *walls;    /* what these and the box do, or NULL: nothing */
    int may_overlap;                 /* particles do not collide, and need obey no law of that */
    struct schedule_threads threads; /* that read; the result does not depend on them */
    size_t block_size; /* how many bytes of the file to take at once, for tests; 0: the best */
};

/*
 * Reads and checks a whole system. It has its law, its periodic axes and its stream already:
 * particles that cannot obey the law are reported, a negative contact time is replaced by
 * physics_contact_time, and the stream is completed (model/boundary_law.h), and so are walls
 * (wall_settings_apply), which can also fail with STATUS_USAGE. The memory taken is in
 * proportion to what has been read of the file, not to N.
 *
 * Returns STATUS_DONE with `*system` filled in: the caller owns it and gives it to system_free. It
 * has kinds only if a particle has another radius than the second line says, a mass other than 1 or
 * a species other than 0. Otherwise STATUS_NO_INPUT, STATUS_BAD_DATA (the message begins with
 * "FILE:LINE: ", of INPUT or of a polygon file) or STATUS_NO_MEMORY, and `*system` is empty.
 */
enum status input_read(const struct input_request *request, struct system *system,
                       struct error *error);

/* Checks those particles that have changed, by `changes` (model/overlap.h), as input_read checks
 * all. The boundary is prepared for the radii of all. Returns STATUS_DONE, _BAD_DATA or _NO_MEMORY.
 */
enum status input_check(const struct system *system, const unsigned char *changes, int may_overlap,
                        struct error *error);

/* Finds out if a regular file begins as an INPUT does: with a whole number, the radius, the box and
 * a particle. No other file that it writes does. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status input_recognise(const char *path, int *is_input, struct error *error);

/* The decimals of an INPUT's numbers. A number that has more gets all its digits; {0} has none. */
struct input_decimals {
    struct number_decimals position; /* of the radius, the box and coordinates */
    struct number_decimals velocity; /* of velocities */
};

/* Writes a system as INPUT, the particles' anchors in their order; radius, mass and species only if
 * it has kinds or rough disks, and then their spins. Each number reads back to the same double.
 * `name` says in messages what `stream` is. Returns STATUS_DONE when the operating system has all
 * of it, or STATUS_CANNOT_WRITE. */
enum status input_write(const struct system *system, const struct input_decimals *decimals,
                        FILE *stream, const char *name, struct error *error);

/* The name of the file `path` in messages: `path` itself or, for "-", "standard input". */
const char *input_name(const char *path);

/* Polygon files: what --domain and --obstacle read. The manual page, "POLYGONS", has the format. */

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
 * anywhere: polygon_source_fit comes next. Returns STATUS_DONE with `*source`; STATUS_NO_INPUT;
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
enum status polygon_source_fit(struct polygon_source *source, const struct boundary *boundary,
                               struct error *error);

void polygon_source_free(struct polygon_source *source);

/* The file of a side, and the numbers of the side and of its polygon there, from 0. */
struct polygon_origin {
    const char *name, *text; /* of the file, as above */
    size_t line, polygon, side;
};

/* Finds the file and line of a side; `polygons` are made of the source. */
struct polygon_origin polygon_source_find(const struct polygon_source *source,
                                          const struct polygons *polygons, size_t side);

/* The reader of --wall, and the laws of a boundary that follow from it. */

/* The texts of --wall, "SIDE KEY=VALUE...". */
struct wall_settings {
    uint64_t seed;         /* of what walls draw */
    size_t count;          /* 0: all walls are smooth and elastic */
    struct wall_law gives; /* how many texts give each value */
    struct wall_setting {
        unsigned subject;    /* which walls: see boundary_input.c */
        uint64_t obstacle;   /* if that is one obstacle: its number among them, from 0 */
        struct wall_law law; /* NAN: not given */
    } * list;                /* in the order in which they are given; owned */
};

/* Adds a text. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY. */
enum status wall_settings_add(struct wall_settings *settings, const char *text,
                              struct error *error);

/* The words for walls, NULL after the last one, and the keys of each. */
extern const char *const wall_subjects[];
extern const struct text_parameter wall_parameters[WALL_KEY_COUNT + 1];

/*
 * Gives a boundary, whose polygons are known but need not be its own yet, the laws of its walls; of
 * several values for one wall the last holds. Returns STATUS_DONE, STATUS_NO_MEMORY, or
 * STATUS_USAGE if such a wall does not exist or has a speed or an accommodation, but no
 * temperature. wall_laws_complete is still to be called.
 */
enum status wall_settings_apply(const struct wall_settings *settings,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error);

#endif
