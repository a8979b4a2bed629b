/*
 * The command line.
 */
#ifndef PARTICLES_OPTIONS_H
#define PARTICLES_OPTIONS_H

#include "generate/generate.h"
#include "schedule/schedule.h"

struct options {
    int help, version;           /* asked for: nothing else counts then */
    int quiet;                   /* nothing on standard error but errors */
    int progress;                /* tell of the progress even if standard error is no terminal */
    enum schedule_kind schedule; /* which schedule finds the next collision */
    struct law law;              /* of collisions; a contact time of -1 asks for the default */
    const char *input;           /* INPUT: a path, or "-"; points into argv */
    double end_time;             /* END_TIME: from 0 to SYSTEM_LARGEST */
    const char *events;          /* the file for a log of all collisions, or NULL */
    const char *trajectory;      /* the file for frames, or NULL; both point into argv */
    double every;                /* the time between frames; positive; 0 if there are none */
    int stats;                   /* describe the run in figures, */
    const char *stats_file;      /* in this file, or NULL: on standard error; points into argv */
    uint32_t sensitivity;        /* how many perturbed runs to compare with; 0: none */
    const char *picture;         /* FILE of --picture and of --animate, or NULL; into argv */
    const char *animation;
    const char *checkpoint;  /* FILE of --checkpoint, or NULL; into argv */
    double checkpoint_every; /* seconds between two checkpoints; positive */
    const char *resume;      /* FILE of --resume, or NULL: then there is no INPUT, and END_TIME
                                and the law are those of the checkpoint */
    int generate;            /* write the system of `request`; no INPUT and END_TIME then */
    struct generate_request request;
};

/*
 * Reads the command line. Returns STATUS_DONE with `*options` filled in, or STATUS_USAGE with a
 * message that says what to do.
 */
enum status options_parse(int argc, char **argv, struct options *options, struct error *error);

#endif
