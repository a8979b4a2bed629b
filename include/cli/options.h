/* The command line, the observers that it asks for, and signals. */
#ifndef PARTICLES_OPTIONS_H
#define PARTICLES_OPTIONS_H

#include "generate/generate.h"
#include "input/input.h"
#include "lattice/lattice.h"
#include "observe/writers.h"
#include "picture/picture.h"
#include "run/growth.h"
#include "steps/steps.h"

#include <signal.h>
#include <stdio.h>

/* The only copy of the version; the build reads it here, too. */
#define PARTICLES_VERSION "0.1.0"

struct config;

/* Numbers that are given together. */
struct option_numbers {
    size_t count; /* 0: none is given */
    double values[GENERATE_MAX_COMPONENTS];
};

enum { TILE_SIDE_MAX = 10000 }; /* cells, of --tile-side */

enum { MAX_OPTIONS = 72 };

/* What becomes of the system of `request`. */
enum { GENERATE_NOTHING, GENERATE_INPUT, GENERATE_SYSTEM };

/* The options of a command line. Names of files point into argv or a file of options. */
struct options {
    const char *given[MAX_OPTIONS]; /* for each row of the table the last text that gives it */
    int help, version, completion;  /* see options_ask_for_text */
    int is_quiet;                   /* nothing but errors on standard error */
    struct run_settings run;        /* END_TIME, from 0 to SYSTEM_LARGEST, and what options say */
    struct growth_settings growth;  /* of disks */
    struct system_law law;          /* of collisions; a contact time of -1 asks for the default */
    struct surfaces surfaces;       /* of disks and walls */
    unsigned periodic;              /* axes without walls: PERIODIC_X, PERIODIC_Y, both or 0 */
    double gravity[2];              /* along x and y, length per time^2 */
    struct stream stream;           /* {0}: none; a temperature of 0 asks for the default */
    uint64_t seed;                  /* of all that is drawn by chance */
    int reverse;                    /* turn all velocities round at the start */
    struct polygon_files polygons;  /* of --domain and --obstacle, in the order given; owned */
    struct wall_settings walls;     /* of --wall, in the order given; owned */
    struct steps_settings steps;    /* owned */
    struct lattice_settings lattice;
    struct output_settings events, structure, forces, final_state, animation, progress;
    struct trajectory_settings trajectory;
    struct fields_settings fields;
    struct picture_settings picture;
    struct statistics_settings stats;
    struct report_settings report;
    struct sensitivity_settings sensitivity;
    struct checkpoint_settings checkpoint;
    const char *input;  /* INPUT: a path, or "-"; NULL with --resume or --generate */
    const char *resume; /* checkpoint to go on from, which has END_TIME, law and axes, or NULL */
    int generate;       /* GENERATE_: write the system of `request`, without INPUT and END_TIME; or
                           simulate it; or 0 */
    struct option_numbers radii, masses; /* for its components: one for each, or one for all */
    struct generate_request request;
    int is_disordered;     /* its disks are to grow */
    struct config *config; /* the files of --config, or NULL; owned */
};

/* Reads the command line, and the files of options that it names, into `*options`, for options_free
 * in any case. STATUS_USAGE; STATUS_NO_INPUT or STATUS_NO_MEMORY for a file of options. */
enum status options_parse(int argc, char **argv, struct options *options, struct error *error);

/*
 * For a program that has no command line: options_begin sets what holds without options;
 * options_set takes one, of those that say what the run is, by its whole name, and `text`,
 * "NAME=VALUE" or NAME, whose VALUE is `value`, or NULL; the text must outlive the options.
 * options_check sees which need or exclude each other, once it is known what the run begins with:
 * `input`, `resume` or `generate`; or none of these, where there is a system. Return STATUS_DONE;
 * or STATUS_USAGE, with messages that name options by "--", or that of a reader, such as
 * STATUS_NO_MEMORY.
 */
void options_begin(struct options *options);
enum status options_set(struct options *options, const char *name, const char *value,
                        const char *text, struct error *error);
enum status options_check(struct options *options, struct error *error);

/* True if there is an option with this name, `length` bytes. */
int options_have(const char *name, size_t length);

/* Seconds since any moment, by a clock that does not go back; 0: there is none. */
double options_read_clock(void);

/* True if --help, --version or --completion is given: then the other options do not count. */
int options_ask_for_text(const struct options *options);

/* Writes the text that --help, --version or --completion asks for. `name` says in messages what
 * `stream` is. Returns STATUS_DONE or STATUS_CANNOT_WRITE. The text of --completion is for
 * programs: a line for each option, with '|' between the option as in the help; whether it goes
 * with a run, --generate, --resume and --step; the words that its value may be; and its line of
 * help. Then comes a line for each interaction, constraint and wall, with its keys. */
enum status options_write_text(const struct options *options, FILE *stream, const char *name,
                               struct error *error);

/* Frees what options own; no string of theirs is to be used any more. */
void options_free(struct options *options);

/* Checks the names of the files to be written, none of which may be a file of options or, but for
 * that of --final, look like an INPUT, and adds the observers that the options ask for, whose
 * settings it completes. If there are any, a signal from then on ends the run instead of the
 * program. Warnings go to standard error. Returns STATUS_DONE, STATUS_USAGE, STATUS_CANNOT_WRITE or
 * STATUS_NO_MEMORY. In any case they are for option_observers_free, after which signals do again
 * what they did before. */
enum status option_observers_create(struct options *options, const struct system *system,
                                    struct observers *observers, struct error *error);
void option_observers_free(struct observers *observers);

/* The checkpoint from which a run with these observers can go on if it fails; or NULL. */
const char *option_observers_saved(const struct options *options,
                                   const struct observers *observers);

/* The exit status if nothing fails, after the observers have finished. */
enum status option_observers_verdict(const struct observers *observers);

/* Removes the checkpoint that the options name, if they name one: the answer has been written. */
void option_observers_end(const struct options *options, struct error *error);

/* ---- Signals that end the program in order, and streams that are safe to use ---- */

/* Makes reading and writing safe; to be called before any file is opened. If the program is started
 * without standard input, output or error, files that it opens would get their numbers: so these
 * are taken, and reading or writing there fails as before. Writing beyond the largest size that the
 * system allows a file fails instead of ending the program by a signal. */
void signals_prepare(void);

/* From now on SIGINT, SIGTERM and SIGHUP, and those with which batch systems end a run, SIGUSR1,
 * SIGUSR2, SIGALRM and SIGXCPU, unless they are ignored, only set the flag that is returned to
 * their number; before that it is 0. Writing to a pipe without a reader then fails. */
const volatile sig_atomic_t *signals_catch(void);

/* As signals_catch, while the answer is written; but a pipe without a reader ends the program. */
const volatile sig_atomic_t *signals_catch_late(void);

/* From now on these signals do again what they did before. */
void signals_release(void);

/* If a signal was caught, ends the program by that signal, so that the shell sees it. */
void signals_end(void);

#endif
