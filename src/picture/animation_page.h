/* The page that plays a run: a template with the data of the run in it. */
#ifndef PARTICLES_ANIMATION_PAGE_H
#define PARTICLES_ANIMATION_PAGE_H

#include "run/dynamics.h"

#include <stdio.h>

/* The bytes of data/animation.html, which the build turns into an array. */
extern const unsigned char animation_template[];
extern const size_t animation_template_size; /* in bytes; no byte 0 follows them */

/* A collision, or a passage of a stream's seam, as the page holds it; particles are ids. */
struct animation_event {
    double time;
    int32_t a, b;    /* b: the other particle, or the code of a feature: see model/boundary.h */
    double after[4]; /* of two particles, u and v of a, then of b; where b is a side or a corner of
                        a polygon, or the seam of a stream, u, v, x and y of a; nothing where it is
                        a wall */
};

/* Of a particle in a frame, little-endian: x and y, 2 bytes each, 0 to 65535 across the box; its
 * speed / the highest at the start, in a stream relative to it, a float; its collisions, 4
 * bytes. */
enum { ANIMATION_FRAME_BYTES = 12 };

struct animation_frame {
    double time;
    double wall_collisions, particle_collisions; /* of all particles, up to this time */
};

/* A run as the page holds it, without the state at the start. */
struct animation_run {
    const char *title;
    double end_time;
    int is_exact;   /* it has all events, and no frames; otherwise frames */
    int is_stepped; /* in small steps, without events */
    size_t joint_count;
    size_t event_count;
    struct animation_event *events; /* owned by the caller, as are all below */
    size_t frame_count;
    struct animation_frame *frames;
    unsigned char *states; /* frame by frame, and in each by id; then a bit for each joint that is
                              broken, from the lowest on, and whole bytes */
    size_t force_count;    /* the first polygons, whose momenta are recorded */
    double (*momenta)[2];  /* x and y that each has gained up to a frame, frame by frame; NULL
                                    if force_count is 0 */
};

/* Write the page: first the template up to the data, and the state at the start, particles in the
 * order of their ids; in the end the run and the remainder of the template. */
void animation_page_begin(const struct snapshot *snapshot, const struct dynamics *dynamics,
                          FILE *stream);
void animation_page_end(const struct system *system, const struct animation_run *run, FILE *stream);

#endif
