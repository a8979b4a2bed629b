/*
 * The observer behind --picture: draws the final state, to scale, as an SVG file, or frames of the
 * run, a file each; with --paths also where the particles went and collided.
 */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "picture/frame_names.h"
#include "run/observer.h"

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
