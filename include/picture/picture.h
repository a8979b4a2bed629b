/* Pictures and pages: an SVG file of the final state or of frames (--picture), a picture of fields,
 * a web page that plays the run (--animate), and the page of --report. */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "observe/fields.h"
#include "observe/writers.h"

/* How every picture begins. */
extern const char picture_beginning[];

/* --picture: draws the particles at the end of the run into a file, in a stream with the mean force
 * on each obstacle; for a pattern at the times of struct frames, each into a file of its own.
 * Frames have one layout and scale, chosen at the start of the run. A resumed run may draw frames
 * once more; they are the same. Memory: a byte a particle; for paths, up to 2 MB. */
struct picture_settings {
    struct output_settings output;
    int has_paths;    /* draw the paths of the particles */
    int has_contacts; /* colours are the numbers of contacts */
    int has_stream;   /* the system has a stream */
};
extern const struct observer_operations picture_operations;

/* Writes a map of one field as SVG, light where the value is high, with arrows of the mean
 * velocity, obstacles, and the area outside a domain. The hundredth of the cells with the least
 * values and that with the most do not stretch the scale. Densities are relative to the mean. Where
 * cells are small, an arrow stands for the mean velocity in several of them. The file has the same
 * bytes on every machine. Takes 9 bytes of memory a cell. */
field_writer field_picture_write;

enum {
    ANIMATION_MAX_PARTICLES = 1000000,
    ANIMATION_MAX_EVENTS = 400000,       /* a run with more collisions is kept as frames, */
    ANIMATION_MAX_FRAMES = 600,          /* the most frames, and fewer of many particles: */
    ANIMATION_MAX_FRAME_BYTES = 64000000 /* all frames together, except where two are more */
};

/* The number of frames from 0 to `end_time`: 1 if that is 0, otherwise 2 at least. */
size_t animation_count_frames(size_t particles, double end_time);

/* --animate: writes the run to a file, one page of HTML that needs no other. The state at the start
 * and the list of collisions determine the whole run, and the page computes every position as
 * physics_position does, to the last bit. A run of more than ANIMATION_MAX_EVENTS collisions is
 * kept as frames instead, and so is a time-stepped run. It takes 48 bytes for each event, and
 * ANIMATION_MAX_FRAME_BYTES (or two frames). More than ANIMATION_MAX_PARTICLES particles are
 * refused, STATUS_USAGE, when the run begins. */
extern const struct observer_operations animation_operations;

/* Writes the page of --report: one file of HTML that needs no other and no script. It has the
 * command line and the input, and shows the final picture or, of more than REPORT_MAX_DRAWN
 * particles, their density; the figures with their meanings; and plots, or a sentence where there
 * is too little for one. It is light or dark as the viewer's system, and light in print. The
 * picture is shown by browsers that know declarative shadow trees, as all do since 2024. */
report_writer report_page_write;

#endif
