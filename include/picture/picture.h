/*
 * The observer behind --picture: draws the final state, to scale, as an SVG file, or frames of the
 * run, a file each; with --paths also where the particles went and collided.
 *
 * The names of frames are a pattern such as out/%06d.svg, in which a number replaces %06d.
 */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "run/observer.h"

/* How many frames there may be: more files in one directory are hard to use. */
#define FRAME_NAMES_MAX 1e6

/* A pattern, taken apart; {0} is none. */
struct frame_names {
    const char *pattern; /* not owned; NULL if there is none */
    size_t start;        /* where its %d or %0Nd is, */
    size_t end;          /* and what follows that */
    int width;           /* N: the least number of digits; otherwise 0 */
};

/*
 * Takes a name of a file apart, which the names keep. One without a '%' is no pattern, and leaves
 * {0}. A pattern has exactly one %d or %0Nd, N from 1 to 9, after the last '/', and no other '%'.
 * Returns NULL, or what is wrong with it: the end of a sentence.
 */
const char *frame_names_parse(struct frame_names *names, const char *name);

/* The name of frame `number`, a string for memory_free; or NULL, with a message. */
char *frame_names_format(const struct frame_names *names, uint64_t number, struct error *error);

/*
 * Refuses the names of `count` frames if one would overwrite something else. What exists under such
 * a name must be a regular file that begins as a picture does: an earlier run has left it. Returns
 * STATUS_DONE, STATUS_USAGE, STATUS_CANNOT_WRITE for a directory that cannot be read, or
 * STATUS_NO_MEMORY.
 */
enum status frame_names_check(const struct frame_names *names, uint64_t count, struct error *error);

/*
 * Finds out whether the path `other`, which need not exist yet, is that of one of these frames.
 * Returns STATUS_DONE with `*is_frame`; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 */
enum status frame_names_include(const struct frame_names *names, uint64_t count, const char *other,
                                int *is_frame, struct error *error);

struct picture_request {
    const char *name;         /* of the file; it must outlive the observer */
    struct frame_names names; /* of frames, if `name` is a pattern; otherwise {0} */
    double interval;          /* time between frames, positive */
    double end_time;          /* of the run */
    int has_stream;           /* the system has a stream */
    double from;              /* in a stream, forces are means from this time on */
    int has_paths;            /* draw the paths of the particles */
    int keeps_top_speed; /* no collision makes the highest speed higher: see picture_scale_choose */
};

/*
 * Makes an observer that draws the particles at the end of the run into a file. The file is opened
 * now, so that a wrong name is reported before a long run; in the end it is complete or absent.
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_CANNOT_WRITE or
 * STATUS_NO_MEMORY.
 *
 * For a pattern it draws the particles at the times of struct frames instead, each into a file of
 * its own, which is complete or absent, and stays. All have one layout and one scale, which is
 * chosen at the start of the run. A run that goes on from a checkpoint may draw the frames after it
 * once more; they are the same.
 *
 * With a stream, the picture of the end also has the mean force on each obstacle. With a stream,
 * frames or paths the observer has a state, which checkpoints hold.
 *
 * While it draws, it takes 8 bytes of memory for each disk, and as many for each time that one is
 * drawn again, across a seam or a cut; for paths, up to 2 MB. The same state gives the same bytes
 * with every compiler and on every machine.
 */
enum status picture_create(const struct picture_request *request, struct observer **observer,
                           struct error *error);

#endif
