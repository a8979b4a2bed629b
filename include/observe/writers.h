/*
 * The observers that write down a run or describe it, one for each option, and the times at which
 * those with a series sample it; --fields has a header of its own. The manual page describes the
 * files that they write, whose numbers read back to the same bits. The last part is the answer.
 *
 * The file of each is opened, or tried out, when the run begins; it ends complete or absent.
 */
#ifndef PARTICLES_WRITERS_H
#define PARTICLES_WRITERS_H

#include "io/number.h"
#include "io/output_file.h"
#include "io/record.h"
#include "run/dynamics.h"
#include "schedule/schedule.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

struct steps_settings;
struct lattice_settings;

/* Frames of a series: equally spaced times from 0 on, and the end of the run. Frame k is at k *
 * interval, one multiplication, so that rounding errors do not add up; 3 * 0.1 counts as 0.3. */
struct frames {
    double interval;
    double end_time; /* of the run */
};

/* What several observers must know of the run. Strings must outlive it. */
struct run_settings {
    const char *title;               /* of a page, for instance the name of the input */
    double from;                     /* the time from which figures count: 0 to */
    double to;                       /* the end of the run; INFINITY: it has none as yet, as
                                        only --stats and --checkpoint allow */
    double interval;                 /* of a series, or between frames; 0: there is none */
    struct frames frames;            /* of that interval, to the end: by observer_create */
    double reference;                /* length of coefficients and Knudsen number; or 0 */
    double (*clock)(void);           /* seconds since any moment; does not go back */
    FILE *errors;                    /* standard error, for progress and sensitivity */
    int is_terminal;                 /* standard error is one */
    enum schedule_kind schedule;     /* which finds the next collision, */
    struct schedule_threads threads; /* and on how many threads */
};

/* For the operations of an observer whose struct has a member `settings`. */
#define OBSERVER_SETTINGS(type)                                                                    \
    .settings = offsetof(type, settings), .settings_size = sizeof(((type *)0)->settings)

/* Makes an observer, for observers_add, with copies of the settings of the run and its own, and
 * calls its `complete`. */
enum status observer_create(const struct observer_operations *operations,
                            const struct run_settings *run, const struct output_settings *settings,
                            struct observer **observer, struct error *error);

/* Begin, finish and free an observer and its file: opened, completed, abandoned. */
enum status observer_begin(struct observer *observer, const struct snapshot *snapshot,
                           struct error *error);
enum status observer_finish(struct observer *observer, const struct snapshot *snapshot,
                            struct error *error);
void observer_free(struct observer *observer);

/* Writes one of several files of an observer, complete or not at all: `write` into its stream. */
typedef enum status observer_writer(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error);
enum status observer_write_file(struct observer *observer, const char *name,
                                const struct snapshot *snapshot, observer_writer *write,
                                struct error *error);

/* For an observer that begins: finds, or makes, a recorder, which is an observer without option and
 * file that others read. A run has one with these operations and this time `from`: it records
 * collisions after it, and if it is 0, those at 0, too. It is notified before its readers, and
 * saved after them, so these have a `state`. Returns its struct, or NULL: there is no memory. */
const void *observers_record(struct observer *reader, const struct observer_operations *operations,
                             double from, const struct snapshot *snapshot, struct error *error);

/* The first part of the `state` of a recorder: in a run without an end the time `from`, which its
 * readers take from the record, too. */
void recorder_state(struct observer *recorder, struct record *record);

/* Begin those that have not begun, finish and free all, until one fails. At the beginning the
 * particles are in the order of their ids, and take 4 bytes each; at the end in any order. Where a
 * run ends before its END_TIME, observers_end is to come first: series have a sample there. */
enum status observers_begin(struct observers *observers, const struct system *system,
                            struct error *error);
enum status observers_end(struct observers *observers, const struct system *system, double end_time,
                          struct error *error);
enum status observers_finish(struct observers *observers, const struct system *system,
                             double end_time, struct error *error);
void observers_free(struct observers *observers);

/* The largest END_TIME / interval. */
#define FRAMES_MAX 1e9

/* True if frame k would be before the end, by more than rounding. */
static inline int frames_is_before_end(const struct frames *frames, uint64_t k)
{
    const double rounding = 2 * DBL_EPSILON * frames->end_time;
    return (double)k * frames->interval < frames->end_time - rounding;
}

/* The time of frame k; INFINITY if there is none, as without an interval. */
static inline double frames_time(const struct frames *frames, uint64_t k)
{
    if (frames->interval == 0)
        return (double)INFINITY;
    if (frames_is_before_end(frames, k))
        return (double)k * frames->interval;
    return k == 0 || frames_is_before_end(frames, k - 1) ? frames->end_time : (double)INFINITY;
}

/* True if frame k is at a multiple of the interval, as all are but perhaps the last. */
static inline int frames_is_regular(const struct frames *frames, uint64_t k)
{
    const double rounding = 2 * DBL_EPSILON * frames->end_time;
    return fabs((double)k * frames->interval - frames_time(frames, k)) <= rounding;
}

/* The first frame that is not before a time from 0 to the end. A checkpoint that is being read may
 * have an earlier end, or too many frames: then it is some frame. */
static inline uint64_t frames_first(const struct frames *frames, double time)
{
    const double intervals = fmin(time, frames->end_time) / frames->interval;
    uint64_t k = (uint64_t)fmin(intervals, FRAMES_MAX);
    while (k > 0 && frames_time(frames, k - 1) >= time)
        k--;
    while ((double)k <= FRAMES_MAX && frames_time(frames, k) < time)
        k++;
    return k;
}

/* The first frame after a time, of a series that may have no interval. */
static inline uint64_t frames_after(const struct frames *frames, double time)
{
    const uint64_t k = frames->interval > 0 ? frames_first(frames, time) : 0;
    return k + (frames_time(frames, k) <= time);
}

/* A point of a series; a value that is not determined is not finite. */
struct report_point {
    double x, value;
    double error; /* the standard error of the value; NAN: none is known */
};

/* A quantity as a function of another one. */
struct report_series {
    const char *quantity; /* its name, a constant string */
    size_t count, capacity;
    struct report_point *points; /* owned */
};

enum { REPORT_MAX_SERIES = 40 };

enum { FIGURE_TEXT_SIZE = 50 };

/* Formats the value of a figure for people: with an error it has the digits that this leaves, and
 * then the error in units of the last one. `none` if it is not determined. */
void figure_format(char text[FIGURE_TEXT_SIZE], const struct dynamics_figure *figure,
                   const char *none);

/* The content of a report, gathered at the end. Its writer owns nothing of it. */
struct report {
    const struct run_settings *run;
    const struct report_settings *settings;
    double seconds;           /* that the run took since its figures began */
    struct snapshot snapshot; /* of the end of the run */
    size_t figure_count;
    struct dynamics_figure figures[DYNAMICS_MAX_FIGURES]; /* that have a meaning */
    size_t series_count;
    struct report_series series[REPORT_MAX_SERIES];
    double speeds, paths;            /* numbers of them in their histograms */
    const struct dynamics *dynamics; /* of the run */
    const struct polygon_hits *hits; /* in a stream, those of the polygons; or NULL */
    const char *warning;             /* why the forces should not be trusted; or NULL */
    const struct field_map *fields;  /* of --fields; or NULL */
    const struct field_map
        *crowd; /* the density at the end of too many particles to draw; or NULL */
};

/* Writes it. Returns STATUS_DONE or STATUS_NO_MEMORY; errors of writing are left in `stream`. */
typedef enum status report_writer(const struct report *report, FILE *stream, struct error *error);

/* The series of a quantity, or NULL if there is none. */
const struct report_series *report_find(const struct report *report, const char *quantity);

enum { REPORT_MAX_DRAWN = 20000 }; /* of more particles, the density is drawn */

struct report_settings {
    struct output_settings output;
    const char *version;    /* of the program */
    char *const *arguments; /* the command line, NULL at the end */
    report_writer *write;   /* the format of the report */
};

/* --events: writes every collision, and every velocity that a stream gives. `threads` are the
 * threads of the run: if there are several, another one makes the lines. */
extern const struct observer_operations event_log_operations;

/* --trajectory: writes the positions at each frame, as extended XYZ or, if the name ends in
 * .lammpstrj, as LAMMPS does, with columns: 1 << COLUMN_. In XYZ it refuses COLUMN_SPECIES where
 * that is no atomic number (STATUS_BAD_DATA). */
enum { COLUMN_PSI6, COLUMN_VORONOI, COLUMN_SPECIES, COLUMN_UNWRAPPED, COLUMN_TIME };
struct trajectory_settings {
    struct output_settings output;
    unsigned columns; /* a set of bits, 1 << COLUMN_ */
};
extern const struct observer_operations trajectory_operations;

/* --structure: measures how the particles are arranged, and how they move, of frames from the time
 * `from` on, and of collisions after it (if that is 0, also at 0). There are at most FRAMES_MAX
 * intervals. Memory: 100 bytes a particle, and up to 64 MB for correlations in time. */
extern const struct observer_operations structure_operations;

/* --forces: measures the forces of a gas on the obstacles in it, from the momentum that its
 * particles give them after the time `from` (if that is 0, also at 0). It writes the same bytes on
 * every machine, a series as the run goes on, and the means when it ends. Of a stream it warns if
 * the drag is not steady, or if the inflow before the largest obstacle has another density than
 * elsewhere. Memory: 25 kB an obstacle and 240 bytes a side. */
extern const struct observer_operations forces_operations;

/* Of more polygons, only the first ones are counted. */
enum { POLYGON_HITS_MAX = 1000 };

/* The hits of each polygon and the momentum that it gains. */
struct polygon_hits {
    struct observer observer;        /* the first member: see observers_record */
    const struct polygons *polygons; /* of the run; not owned */
    size_t count;                    /* of those that are counted */
    struct polygon_hit {             /* of all sides and corners of a polygon */
        uint64_t count;
        struct sum momentum_x, momentum_y;
    } * list; /* of each of them; owned */
};

/* Records them; without polygons `*hits` stays as it is. */
enum status polygon_hits_record(struct observer *reader, double from,
                                const struct snapshot *snapshot, const struct polygon_hits **hits,
                                struct error *error);

/* Records contacts of disks that grow; where they do not `*packing` stays as it is. Memory: 256
 * bytes a disk. */
struct packing;
enum status packing_record(struct observer *reader, double from, const struct snapshot *snapshot,
                           const struct packing **packing, struct error *error);

/* The number of contacts of each disk, for memory_free; 0 for a rattler, which less than 3 contacts
 * hold when other rattlers have been taken away. NULL: there is no memory. */
uint32_t *packing_contacts(const struct packing *packing, struct error *error);

/* --stats: writes the figures of the run when it ends. Collisions after the time `from` count; if
 * that is 0, those at 0 do, too. */
struct statistics_settings {
    struct output_settings output;
    FILE *table; /* where figures go without a file; NULL: they are for the report */
};
extern const struct observer_operations statistics_operations;

/* If the run has no end, `to` is INFINITY: computes the figures of the time up to the snapshot, to
 * which the run has just been advanced; before `from` there are none. Measuring goes on, and the
 * figures depend on no earlier one. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status statistics_update(struct observer *observer, const struct snapshot *snapshot,
                              struct error *error);

/* Visits the figures that have been computed last, in the order of files; each lasts during the
 * call. */
typedef void statistics_visit(void *to, const struct dynamics_figure *figure);
void statistics_each(const struct observer *observer, statistics_visit *visit, void *to);

/* --report: writes a report at the end of the run, of the measurements of --stats, which must be
 * there, --structure, --fields and --forces, which come before it in the list of observers. A run
 * has the same report with every schedule and on every machine, except for lines with
 * `class="run"`: the command line and the seconds. Memory: a byte a particle, and up to 2 MB. */
extern const struct observer_operations report_operations;

/* --final: writes the state at the end of a run that succeeds, as input_write does, with all
 * digits. Positions are as in snapshot_position, except where that is no INPUT: disks that rounding
 * has made overlap are moved apart, unless particles may overlap, as in a time-stepped run. If a
 * state still would be refused, it warns. At the end it takes 102 bytes a particle. */
extern const struct observer_operations final_state_operations;

/* --progress: writes to `stream`, which the caller owns, the time, the percentage, events or steps,
 * these per second, and the time left, estimated from the time taken so far; or as long as first
 * predictions are still to be made, how many of them are done. On a terminal it writes one line
 * again and again, three times a second from the first second on, and clears it when the run ends;
 * elsewhere, a line every ten seconds and one at the end. Failures to write are ignored. */
extern const struct observer_operations progress_operations;

enum { SENSITIVITY_DEFAULT_RUNS = 8, SENSITIVITY_MAX_RUNS = 10000 };

/* --sensitivity: tests whether the input determines the printed answer: in `finish`, it runs again
 * with coordinates moved by the last bit, each time in another unit of time, compares the answers,
 * and writes a report: lines "particles: sensitivity: KEY: ...", or a file. The perturbed runs take
 * K times as long as the run on one thread, and memory for a schedule and copy of the particles and
 * walls for each thread, and for one further copy of the particles. If a perturbed run cannot reach
 * END_TIME, because a disk without room collides without end, its answer counts as different. */
struct sensitivity_settings {
    struct output_settings output;
    uint32_t runs;   /* K: 1 to SENSITIVITY_MAX_RUNS */
    int has_verdict; /* STATUS_UNSTABLE if the answer is not determined */
};
extern const struct observer_operations sensitivity_operations;

/* An observer that takes a checksum of the answer that the run would print if it ended then, at
 * equally spaced times. So the answers of two runs can be compared without keeping them. */
enum { ANSWER_DIGEST_MAX_STEPS = 1000, ANSWER_DIGEST_MAX = ANSWER_DIGEST_MAX_STEPS + 1 };

/* Its fields are to be read only. */
struct answer_digest {
    struct observer observer; /* the first member: see observer.h */
    double end_time;
    double clock;                     /* the run's times are the answer's times this */
    struct number_decimals decimals;  /* the times are rounded to these */
    size_t steps;                     /* one less than the number of times; 0 if END_TIME is 0 */
    size_t taken;                     /* number of checksums so far, up to steps + 1 */
    uint64_t sums[ANSWER_DIGEST_MAX]; /* the checksum at each time */
};

/* Divides the time into ANSWER_DIGEST_MAX_STEPS steps; for many particles fewer, 10 or more. */
void answer_digest_init(struct answer_digest *digest, double end_time);

/* Time number k, from 0 to `steps`: a short decimal number next to k END_TIME / steps. */
double answer_digest_time(const struct answer_digest *digest, size_t k);

/* Whether two runs print the same lines at time number k. Lines that differ have the same checksum
 * with a probability of 2^-64. If one of the runs has not reached that time, the answer is no. */
int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k);

/*
 * --checkpoint: writes the state of the run and of all its observers: when the run begins, every
 * `every` seconds, and when a signal ends it. It must be added as the last: it writes
 * when it begins, and all others must have begun by then. A new checkpoint replaces the one before
 * when it is on the disk. None is made, STATUS_USAGE, if there is a file that must not be replaced.
 *
 * If a checkpoint cannot be written during the run, the observer warns, once, and tries again
 * later. At the beginning and at an interruption it fails, STATUS_CANNOT_WRITE.
 */
struct checkpoint_settings {
    struct output_settings output;
    double every;                       /* seconds between two, by the clock; positive */
    int may_replace;                    /* a file that exists */
    const struct steps_settings *steps; /* of the dynamics */
    const struct lattice_settings *lattice;
};
extern const struct observer_operations checkpoint_operations;

/* What a checkpoint has of a run beside its system, observers and dynamics. */
struct checkpoint_run {
    double time;     /* that has been reached; of the command: of the last event */
    double end_time; /* END_TIME of --resume, not before it */
    const struct steps_settings *steps;
    const struct lattice_settings *lattice;
};

/* Writes a checkpoint into the file `name`, complete or not at all, also over another one. Returns
 * STATUS_DONE, _CANNOT_WRITE, _NO_MEMORY or that of an observer. */
enum status checkpoint_save(const char *name, const struct checkpoint_run *run,
                            const struct observers *observers, const struct snapshot *snapshot,
                            struct error *error);

/* Reads the first part of the checkpoint in the file `name`, which must outlive the record: the
 * system, particles in the order of their ids; the time that it has reached; END_TIME; and the
 * settings of the dynamics, with terms added to those of `*steps`. Memory is in proportion to the
 * file. Returns STATUS_DONE with a system for system_free; or STATUS_NO_INPUT, STATUS_BAD_DATA or
 * STATUS_NO_MEMORY. In any case record_close frees the record. */
enum status checkpoint_read_system(struct record *record, const char *name, struct system *system,
                                   double *time, double *end_time, struct steps_settings *steps,
                                   struct lattice_settings *lattice, struct error *error);

/* Reads the remainder: the state of the dynamics and of each observer. Those that save something
 * must be the same as in the run that is resumed: otherwise STATUS_USAGE, with a message that says
 * which is missing or too many. Or STATUS_DONE, STATUS_BAD_DATA or what an observer returns. */
enum status checkpoint_read_observers(struct record *record, struct observers *observers,
                                      const struct system *system);

/*
 * Reads the clock seldom: that takes longer than some events do. It is read after a number of
 * events. The number is doubled as long as they take little time, and set to 1 when they take more.
 */
struct pace {
    double (*clock)(void); /* seconds since any moment; it does not go back */
    double quick;          /* events that take less together need not be timed one by one */
    double asked;          /* when the clock was read last */
    uint64_t left, step;   /* events until it is read again; and between two readings */
};

/* Reads the clock for the first time, and returns the time. */
static inline double pace_begin(struct pace *pace, double (*clock)(void), double quick)
{
    *pace = (struct pace){.clock = clock, .quick = quick, .asked = clock(), .left = 1, .step = 1};
    return pace->asked;
}

/* Counts an event. Returns 1, with the time, if the clock was read, and otherwise 0. */
static inline int pace_count(struct pace *pace, double *now)
{
    static const uint64_t max_step = 4096;
    if (--pace->left > 0)
        return 0;
    *now = pace->clock();
    if (*now - pace->asked >= pace->quick)
        pace->step = 1;
    else if (pace->step < max_step)
        pace->step *= 2;
    pace->left = pace->step;
    pace->asked = *now;
    return 1;
}

/* The answer: the lines that the program prints (assignment, "Specifications"). */

/* Room for any line of the answer. */
enum { OUTPUT_LINE_SIZE = 2 * NUMBER_FIXED_SIZE + 2 * NUMBER_WHOLE_SIZE + 7 };

/* Puts the line of a particle, with its line end and no byte 0, at `text`; returns its length. */
size_t output_line(char text[OUTPUT_LINE_SIZE], const struct snapshot *snapshot, size_t number);

/* Writes a line for each particle, in their order, "%.6f, %.6f, %d, %d": x and y at `end_time`, and
 * the numbers of its collisions with walls and with particles. `name` says in messages what
 * `stream` is. The threads of the run make the lines, or one if `threads` is NULL or memory is
 * short. Returns STATUS_DONE when the system has all lines; STATUS_CANNOT_WRITE; or
 * STATUS_INTERRUPTED if `*interrupt`, or NULL, is not 0 before. */
enum status output_write(const struct system *system, double end_time,
                         const struct schedule_threads *threads,
                         const volatile sig_atomic_t *interrupt, FILE *stream, const char *name,
                         struct error *error);

#endif
