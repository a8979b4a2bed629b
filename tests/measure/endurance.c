/*
 * Whether long runs stay sound: endurance [COLLISIONS], 10^8 if it is not said, lets that many
 * collisions happen in gases of 1000 and of 10 000 disks, by both rules. Ten times on the way it
 * measures by how much disks overlap or have left the box, and whether energy is what it was; and
 * how many collisions there are per second, which must not become less.
 *
 * And how late it may become: positions come from times, and a double has 53 bits for a time. So
 * the same gas is started at later and later times, with disks of radius 1 and speeds about 1.
 */
#include "base/memory.h"
#include "gas.h"
#include "measure.h"
#include "model/physics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* How wrong a state is. */
struct harm {
    double overlap; /* the deepest of two disks, in radii */
    double escape;  /* the farthest beyond a wall, in radii */
};

static int compare_x(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Looks at all pairs that are close in x. */
static struct harm find_harm(const struct system *system, double time)
{
    struct error error;
    struct harm harm = {0, 0};
    double R = system->radius;
    double(*places)[2] = memory_allocate(system->count, sizeof *places, "places", &error);
    if (!places)
        measure_fail(error.message);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double x = physics_coordinate(p->x, p->u, p->t, time);
        double y = physics_coordinate(p->y, p->v, p->t, time);
        double beyond_x = fmax(R - x, x - (system->boundary.width - R));
        double beyond_y = fmax(R - y, y - (system->boundary.height - R));
        harm.escape = fmax(harm.escape, fmax(beyond_x, beyond_y) / R);
        places[k][0] = x;
        places[k][1] = y;
    }
    qsort(places, system->count, sizeof *places, compare_x);
    for (size_t k = 0; k < system->count; k++)
        for (size_t j = k; j-- > 0 && places[k][0] - places[j][0] < 2 * R;) {
            double distance = hypot(places[k][0] - places[j][0], places[k][1] - places[j][1]);
            harm.overlap = fmax(harm.overlap, (2 * R - distance) / R);
        }
    memory_free(places);
    return harm;
}

/* A run that goes on and on. */
struct marathon {
    struct system system;
    struct schedule *schedule;
    double time;
};

static void begin(struct marathon *run, size_t count, enum rule rule, double start)
{
    struct error error;
    *run = (struct marathon){.system = gas_create(count, 0.4, 1), .time = start};
    run->system.law.rule = rule;
    for (size_t k = 0; k < count; k++)
        run->system.particles[k].t = start;
    if (schedule_create(SCHEDULE_CELLS, &run->system, SYSTEM_LARGEST, &run->schedule, &error))
        measure_fail(error.message);
}

/* Lets this number of collisions of two disks happen. Returns how many seconds that took. */
static double go_on(struct marathon *run, uint64_t collisions)
{
    struct event event;
    double began = measure_seconds();
    while (collisions > 0 && schedule_next(run->schedule, &event)) {
        if (event.time < run->time)
            measure_fail("time goes back");
        run->time = event.time;
        physics_resolve(&run->system, &event);
        schedule_update(run->schedule, &event);
        collisions -= event.b >= 0;
    }
    return measure_seconds() - began;
}

static void end(struct marathon *run)
{
    schedule_free(run->schedule);
    system_free(&run->system);
}

/* Returns whether all is well. */
static int run_long(size_t count, enum rule rule, double collisions)
{
    enum { INTERVALS = 10 };
    struct marathon run;
    begin(&run, count, rule, 0);
    const double energy = gas_temperature(&run.system);
    double first = 0;
    int is_well = 1;
    printf("\n%zu disks, %s\n%12s %12s %12s %12s %12s %12s\n", count,
           rule == RULE_SWAP ? "swap" : "elastic", "collisions", "time", "per second", "overlap",
           "escape", "energy");
    for (int k = 1; k <= INTERVALS; k++) {
        double seconds = go_on(&run, (uint64_t)(collisions / INTERVALS));
        double rate = collisions / INTERVALS / seconds;
        struct harm harm = find_harm(&run.system, run.time);
        double change = gas_temperature(&run.system) / energy - 1;
        /* Coordinates are rounded to their size, positions to what the time is rounded to. */
        double allowed = 16 * DBL_EPSILON * (run.system.boundary.width + 4 * run.time);
        first = k == 1 ? rate : first;
        is_well &= harm.overlap < allowed && harm.escape < allowed && fabs(change) < 1e-12;
        is_well &= rate > first / 3; /* other programs may be in the way */
        printf("%12.0f %12.6g %12.0f %12.1e %12.1e %12.1e\n", k * (collisions / INTERVALS),
               run.time, rate, harm.overlap, harm.escape, change);
        fflush(stdout);
    }
    end(&run);
    return is_well;
}

/* The worst of many looks at runs that begin late. */
static void run_late(void)
{
    enum { LOOKS = 100, BETWEEN = 1000 };
    static const double starts[] = {0, 1e3, 1e6, 1e8, 1e10, 1e12, 1e13, 1e14, 1e15};
    printf("\n1000 elastic disks, begun late\n%12s %12s %12s %12s\n", "time", "overlap", "escape",
           "energy");
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        struct marathon run;
        begin(&run, 1000, RULE_ELASTIC, starts[k]);
        const double energy = gas_temperature(&run.system);
        struct harm worst = {0, 0};
        for (int look = 0; look < LOOKS; look++) {
            go_on(&run, BETWEEN);
            struct harm harm = find_harm(&run.system, run.time);
            worst.overlap = fmax(worst.overlap, harm.overlap);
            worst.escape = fmax(worst.escape, harm.escape);
        }
        printf("%12.0e %12.1e %12.1e %12.1e\n", starts[k], worst.overlap, worst.escape,
               gas_temperature(&run.system) / energy - 1);
        fflush(stdout);
        end(&run);
    }
}

int main(int argc, char **argv)
{
    double collisions = argc > 1 ? strtod(argv[1], NULL) : 1e8;
    int is_well = 1;
    run_late();
    for (int k = 0; k < 4; k++)
        is_well &= run_long(k < 2 ? 1000 : 10000, k % 2 ? RULE_ELASTIC : RULE_SWAP, collisions);
    puts(is_well ? "\nall is well" : "\nsomething is wrong");
    return !is_well;
}
