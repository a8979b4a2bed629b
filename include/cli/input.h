/*
 * Reading the input file (assignment, "Specifications"): N; the radius; the box's sides Lx and
 * Ly; then for each particle a line with x, y, u and v, and perhaps its own radius, mass and
 * species.
 */
#ifndef PARTICLES_INPUT_H
#define PARTICLES_INPUT_H

#include "cli/polygon_file.h"
#include "schedule/schedule.h"

/*
 * Reads and checks a whole system from the file `path`, or from standard input where `path` is
 * "-". `kind` is the schedule to be used: an N that it cannot hold is reported at its line, before
 * the particles are read. The system has its law, its periodic axes and its stream already:
 * particles that cannot obey the law are reported, a negative contact time is replaced by
 * physics_contact_time, and the stream is completed (model/stream.h). `files` are those of the
 * polygons that bound the particles, which have to be on the right side of them; or NULL. In a run
 * that `is_stepped`, particles may overlap each other, and obey no law of collisions. The memory
 * taken is in proportion to the file on the disk, or to what has been read of it, whatever N says.
 *
 * Returns STATUS_DONE with `*system` filled in: the caller owns it and gives it to system_free. The
 * system has kinds only if a particle has another radius than the second line says, a mass other
 * than 1 or a species other than 0. There are no kinds without particles.
 * Otherwise STATUS_NO_INPUT, STATUS_BAD_DATA (the message begins with "FILE:LINE: ", of INPUT or
 * of a polygon file) or STATUS_NO_MEMORY, and `*system` is empty.
 */
enum status input_read(const char *path, enum schedule_kind kind, const struct polygon_files *files,
                       int is_stepped, struct system *system, struct error *error);

/* On which threads INPUT is read. The result is the same. */
struct input_threads {
    struct schedule_threads run; /* those of the run */
    size_t block_size; /* bytes of the file that each takes at once, for tests; 0: what is best */
};

/* The same as input_read on several threads; with fewer, if there is no memory for them. */
enum status input_read_threaded(const char *path, enum schedule_kind kind,
                                const struct polygon_files *files, int is_stepped,
                                const struct input_threads *threads, struct system *system,
                                struct error *error);

/*
 * Tells in `*is_input` whether a file begins as an INPUT does: with a whole number, the radius, the
 * box and a particle. Nothing else that this program writes to a file begins like that. What is not
 * a regular file, or cannot be read, is none. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status input_recognise(const char *path, int *is_input, struct error *error);

/* The name of the file `path` in messages: `path` itself or, for "-", "standard input". */
const char *input_name(const char *path);

#endif
