/* Time-stepped runs of a system, for tests and measurements. */
#ifndef PARTICLES_TESTS_STEPPED_H
#define PARTICLES_TESTS_STEPPED_H

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

/* Runs a system to the end, and leaves it there. Returns what the run returns. */
enum status stepped_run(struct stepped *run, struct system *system);

/* Runs a system like stepped_run; if that fails, ends the process with the message. */
void stepped_must_run(struct stepped *run, struct system *system);

/* `count` disks of radius 1, all at (0, 0) and at rest, in a box; the caller frees the system. */
struct system stepped_disks(size_t count, double width, double height);

/* Places a particle. */
void stepped_place(struct system *system, size_t k, double x, double y, double u, double v);

#endif
