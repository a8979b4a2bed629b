/* Time-stepped runs of a system, for tests and measurements. */
#ifndef PARTICLES_TESTS_STEPPED_H
#define PARTICLES_TESTS_STEPPED_H

#include "arranged.h"
#include "steps/steps.h"

/* Energies and the deviation of constraints at the end of a run. */
struct stepped_end {
    double kinetic, potential; /* energy */
    double deviation;          /* the largest of all constraints, length */
};

/* Such a run. */
struct stepped {
    double step; /* DT */
    uint32_t substeps;
    unsigned threads;  /* 0: as many as are of use */
    const char *parts; /* "interaction gravity g=-1\nconstraint contact\n": the scene, by lines */
    double end_time;
    uint64_t seed;
    double every; /* `sample` is called at multiples of that time; 0: never */
    void (*sample)(void *context, const struct snapshot *snapshot);
    void *context;
    struct stepped_end end; /* if the run succeeds */
    struct steps *steps;    /* while it runs */
    struct error error;     /* its message, if it fails */
};

/* A run in steps of `length`, and what else is said of it: STEPPED(0.1, 1, .end_time = 2, ...). */
#define STEPPED(length, number, ...)                                                               \
    (struct stepped)                                                                               \
    {                                                                                              \
        .step = (length), .substeps = (number), __VA_ARGS__                                        \
    }

/* Runs a system to the end, and leaves it there. Returns what the run returns. */
enum status stepped_run(struct stepped *run, struct system *system);

/* Runs a system like stepped_run; checks that it succeeds, and prints the message if it does not.
 */
void stepped_check(struct stepped *run, struct system *system);

/* Checks a run with one substep a step likewise. */
void stepped_check_scene(struct system *system, const char *parts, double step, double end_time);

/* Runs a system like stepped_run; if that fails, ends the process with the message. */
void stepped_must_run(struct stepped *run, struct system *system);

/* `count` disks of radius 1, all at (0, 0) and at rest, in a box; the caller frees the system. */
struct system stepped_disks(size_t count, double width, double height);

/* Such disks with these x, y, u, v: STEPPED_DISKS(10, 10, {2, 5, 1, 0}, {8, 5, -1, 0}). */
#define STEPPED_DISKS(width, height, ...)                                                          \
    stepped_disks_at(LENGTH(((const double[][4]){__VA_ARGS__})), width, height,                    \
                     (const double[][4]){__VA_ARGS__})
struct system stepped_disks_at(size_t count, double width, double height,
                               const double (*places)[4]);

#endif
