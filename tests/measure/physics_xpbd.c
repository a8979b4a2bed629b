/* Compares time-stepped runs with constraints with what theory knows of them, in tables; if
 * something is out of bounds, it fails.
 *
 * Weights on links stretch them by what they weigh, oscillate and swing; bounces keep their height.
 * (M. Macklin et al., XPBD, 2016; Small steps, 2019.) physics_contact compares hard disks with
 * exact ones. */
#include "arranged.h"
#include "measure.h"
#include "stepped.h"

#include <unistd.h>

/* Writes the links of a chain of `count` to the file "chain"; each has this length. */
static void write_chain(size_t count, double length)
{
    FILE *stream = fopen("chain", "w");
    if (!stream)
        measure_fail("chain: cannot be written");
    for (size_t k = 0; k < count; k++)
        fprintf(stream, "%zu %zu %.17g\n", k, k + 1, length);
    if (fclose(stream))
        measure_fail("chain: cannot be written");
}

/* A chain of `count` weights below a pinned one, which is at (50, 90). */
static struct system create_chain(size_t count, double length)
{
    struct system system = stepped_disks(count + 1, 100, 100);
    for (size_t k = 0; k <= count; k++)
        set_particle(&system, k, 50, 90 - length * (double)k, 0, 0);
    write_chain(count, length);
    return system;
}

/* How far the last of `count` weights, of mass `mass` and the others 1, is below where the chain
 * would end without gravity, once it is at rest. */
static double measure_stretch(size_t count, double mass, double dt, const char *parts)
{
    OWNED(system, system) = create_chain(count, 1);
    struct stepped stepped = {.step = dt, .substeps = 1, .parts = parts, .end_time = 400};
    arranged_kinds(&system, 2);
    system.kinds[1] = (struct particle_kind){.radius = 1, .mass = mass};
    system.particles[count].kind = 1;
    stepped_must_run(&stepped, &system);
    const double stretch = 90 - (double)count - system.particles[count].y;
    return stretch;
}

static void compare_stretches(void)
{
    static const char parts[] = "interaction gravity g=-9.81\ninteraction drag c=1\n"
                                "constraint pin particles=0\n"
                                "constraint link file=chain compliance=0.001";
    static const char rigid[] = "interaction gravity g=-9.81\ninteraction drag c=1\n"
                                "constraint pin particles=0\nconstraint link file=chain";
    static const double steps[] = {0.1, 0.01, 0.001};
    for (size_t k = 0; k < 3; k++) {
        const double mg = 9.81 * 0.001;
        double stretch = measure_stretch(1, 5, steps[k], parts);
        measure_row(measure_text("stretch m g alpha, dt %g", steps[k]), 5 * mg, stretch,
                    stretch - 5 * mg, 1e-6);
        stretch = measure_stretch(10, 1, steps[k], parts);
        measure_row(measure_text("a chain of 10, dt %g", steps[k]), 55 * mg, stretch,
                    stretch - 55 * mg, 1e-9);
        stretch = measure_stretch(10, 100, steps[k], rigid);
        measure_row(measure_text("a rope of 10 with a weight of 100, dt %g", steps[k]), 0, stretch,
                    stretch, 1e-12);
    }
}

/* When a coordinate of the last particle passes a value downwards. */
struct passages {
    double level, before, time; /* the value; the coordinate and the time of the last look */
    double first, last;         /* of the passages, by interpolation */
    int count, is_x;
};

static void watch_passages(void *context, const struct snapshot *snapshot)
{
    struct passages *passages = context;
    const struct particle *p = &snapshot->system->particles[snapshot->system->count - 1];
    const double now = passages->is_x ? p->x : p->y;
    if (passages->before > passages->level && now <= passages->level) {
        const double part = (passages->before - passages->level) / (passages->before - now);
        passages->last = passages->time + part * (p->t - passages->time);
        if (passages->count++ == 0)
            passages->first = passages->last;
    }
    passages->before = now;
    passages->time = p->t;
}

/* The mean period between the first and the last passage. */
static double measure_period(struct system *system, const char *parts, double dt, double end_time,
                             double level, int is_x)
{
    struct passages passages = {.level = level, .is_x = is_x};
    struct stepped stepped = STEPPED(dt, 1, .parts = parts, .end_time = end_time, .every = dt,
                                     .sample = watch_passages, .context = &passages);
    stepped_must_run(&stepped, system);
    return (passages.last - passages.first) / (passages.count - 1);
}

static void compare_periods(void)
{
    static const char spring[] = "constraint pin particles=0\n"
                                 "constraint link file=chain compliance=0.04";
    static const char pendulum[] = "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                                   "constraint link file=chain";
    const double period = 2 * pi * 0.2;
    const double swing = 1.180340599 * 2 * pi * sqrt(2 / 9.81); /* 2 K(1/2) / pi */
    double errors[2][3];
    for (size_t k = 0; k < 3; k++) {
        const double dt = 0.02 / (double)(1 << k);
        OWNED(system, system) = create_chain(1, 2);
        system.particles[1].y -= 0.5;
        double measured = measure_period(&system, spring, dt, 5.1 * period, 88, 0);
        errors[0][k] = measured - period;
        measure_row(measure_text("period 2 pi sqrt(m alpha), dt %g", dt), period, measured,
                    errors[0][k] / period, 0.01);
        set_particle(&system, 1, 52, 90, 0, 0);
        measured = measure_period(&system, pendulum, dt, 2.2 * swing, 50, 1);
        errors[1][k] = measured - swing;
        measure_row(measure_text("pendulum from 90 degrees, dt %g", dt), swing, measured,
                    errors[1][k] / swing, 0.01);
    }
    const double order = log(errors[1][0] / errors[1][2]) / log(4);
    measure_row("order of convergence of the pendulum", 2, order, order - 2, 0.3);
}

/* The part of its energy that a pendulum has lost after 10 time units. */
static void compare_energies(void)
{
    for (uint32_t substeps = 5; substeps <= 80; substeps *= 4) {
        OWNED(system, system) = create_chain(1, 2);
        struct stepped stepped =
            STEPPED(0.01, substeps,
                    .parts = "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                             "constraint link file=chain",
                    .end_time = 10);
        set_particle(&system, 1, 52, 90, 0, 0);
        stepped_must_run(&stepped, &system);
        const struct particle *p = &system.particles[1];
        const double energy = (p->u * p->u + p->v * p->v) / 2 + 9.81 * (p->y - 90);
        measure_row(measure_text("energy lost by a pendulum, %u substeps", (unsigned)substeps), 0,
                    -energy / (2 * 9.81), energy / (2 * 9.81), 0.005 / substeps);
    }
}

/* The heights at which a ball turns around. */
struct heights {
    double before, rate; /* the last height, and how it has changed before */
    double sum;
    size_t count;
};

static void watch_heights(void *context, const struct snapshot *snapshot)
{
    struct heights *heights = context;
    const double height = snapshot->system->particles[0].y;
    const double rate = height - heights->before;
    if (rate < 0 && heights->rate >= 0) {
        heights->sum += heights->before;
        heights->count++;
    }
    heights->before = height;
    heights->rate = rate;
}

static void compare_bounces(void)
{
    static const double steps[] = {0.01, 0.05};
    for (size_t k = 0; k < 2; k++) {
        OWNED(system, system) = STEPPED_DISKS(10, 10, {5, 5, 0, 0});
        struct heights heights = {0};
        struct stepped stepped =
            STEPPED(steps[k], 1, .parts = "interaction gravity g=-2", .end_time = 40000,
                    .every = steps[k], .sample = watch_heights, .context = &heights);
        stepped_must_run(&stepped, &system);
        const double height = heights.sum / (double)heights.count - 1;
        measure_row(
            measure_text("height of %d bounces, dt %g", (int)system.counts[0].walls, steps[k]), 4,
            height, height / 4 - 1, 0.01);
    }
}

int main(void)
{
    measure_begin_table();
    compare_stretches();
    compare_periods();
    compare_energies();
    compare_bounces();
    unlink("chain");
    return measure_finish();
}
