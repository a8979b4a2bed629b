/* Reading and writing INPUT (assignment, "Specifications"): N; the radius; the box's sides Lx and
 * Ly; then for each particle a line with x, y, u and v, and perhaps its own radius, mass and
 * species. */
#ifndef PARTICLES_INPUT_H
#define PARTICLES_INPUT_H

#include "input/polygon_file.h"
#include "input/wall_setting.h"
#include "io/number.h"
#include "schedule/schedule.h"

#include <stdio.h>

enum { INPUT_COLUMNS = 7 }; /* of a particle: x y u v radius mass species */

/* A system that is not in a file. */
struct input_source {
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
 * physics_contact_time, and the stream is completed (model/stream.h), and so are walls
 * (wall_setting.h), which can also fail with STATUS_USAGE. The memory taken is in
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
    struct decimals place;    /* of the radius, the box and coordinates */
    struct decimals velocity; /* of velocities */
};

/* Writes a system as INPUT, the particles' anchors in their order; radius, mass and species only if
 * it has kinds. Each number reads back to the same double. `name` says in messages what `stream`
 * is. Returns STATUS_DONE when the operating system has all of it, or STATUS_CANNOT_WRITE. */
enum status input_write(const struct system *system, const struct input_decimals *decimals,
                        FILE *stream, const char *name, struct error *error);

/* The name of the file `path` in messages: `path` itself or, for "-", "standard input". */
const char *input_name(const char *path);

#endif
