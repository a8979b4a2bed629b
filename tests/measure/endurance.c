/* Whether long runs stay sound: endurance [COLLISIONS], 10^8 if it is not said, lets that many
 * collisions happen in gases of 1000 and of 10 000 disks, by both rules, and in periodic boxes. Ten
 * times on the way it measures by how much disks overlap or have left the box, and whether energy
 * is what it was, and momentum where there are no walls; and how many collisions there are per
 * second, which must not become less.
 *
 * And how late it may become: positions come from times, and a double has 53 bits for a time. So
 * the same gas is started at later and later times, with disks of radius 1 and speeds about 1. */
#include "gas.h"
#include "measure.h"
#include "model/physics.h"
#include "random_system.h"

/* How wrong a state is. */
struct harm {
    double overlap; /* the deepest of two disks, in radii */
    double escape;  /* the farthest beyond a wall or a seam, in radii */
};

/* How far a coordinate is beyond where a centre may be along its axis. */
static double find_escape(double x, double length, double R, unsigned is_periodic)
{
    const double least = is_periodic ? 0 : R;
    return fmax(least - x, x - (length - least));
}

/* The deepest overlap, length, of a disk with those that are before it in x, also across a seam. */
static double find_overlap(const struct system *system, double (*places)[2], size_t k)
{
    const struct boundary *boundary = &system->boundary;
    const unsigned x_wraps = boundary->periodic & PERIODIC_X;
    double overlap = 0;
    for (size_t step = 1; step < system->count && (step <= k || x_wraps); step++) {
        const size_t j = (k + system->count - step) % system->count;
        const double dx = places[k][0] - places[j][0] + (step > k ? boundary->width : 0);
        double dy = places[k][1] - places[j][1];
        if (dx >= 2 * system->radius)
            break;
        if (boundary->periodic & PERIODIC_Y)
            dy = remainder(dy, boundary->height);
        overlap = fmax(overlap, 2 * system->radius - hypot(dx, dy));
    }
    return overlap;
}

/* Looks at all pairs that are close in x. */
static struct harm find_harm(const struct system *system, double time)
{
    struct harm harm = {0, 0};
    const struct boundary *boundary = &system->boundary;
    double R = system->radius;
    double(*places)[2] = memory_allocate(system->count, sizeof *places, "places", &failure);
    if (!places)
        measure_fail(failure.message);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double x = particle_coordinate(p->x, p->u, p->t, time);
        double y = particle_coordinate(p->y, p->v, p->t, time);
        double beyond_x = find_escape(x, boundary->width, R, boundary->periodic & PERIODIC_X);
        double beyond_y = find_escape(y, boundary->height, R, boundary->periodic & PERIODIC_Y);
        harm.escape = fmax(harm.escape, fmax(beyond_x, beyond_y) / R);
        places[k][0] = x;
        places[k][1] = y;
    }
    qsort(places, system->count, sizeof *places, compare_doubles);
    for (size_t k = 0; k < system->count; k++)
        harm.overlap = fmax(harm.overlap, find_overlap(system, places, k) / R);
    memory_free(places);
    return harm;
}

/* The larger component of the mean velocity. */
static double find_drift(const struct system *system)
{
    double u = 0, v = 0;
    for (size_t k = 0; k < system->count; k++) {
        u += system->particles[k].u;
        v += system->particles[k].v;
    }
    return fmax(fabs(u), fabs(v)) / (double)system->count;
}

/* A run that goes on and on. */
struct marathon {
    struct system system;
    struct schedule *schedule;
    double time;
};

static void begin(struct marathon *run, size_t count, enum system_rule rule, unsigned periodic,
                  double start)
{
    *run = (struct marathon){generated_gas(count, 0.4, 1, periodic), NULL, start};
    run->system.law = (struct system_law){.rule = rule, .restitution = 1};
    for (size_t k = 0; k < count; k++)
        run->system.particles[k].t = start;
    must(schedule_create(SCHEDULE_CELLS, &run->system, NULL, &run->schedule, &failure));
}

/* Lets this number of collisions of two disks happen. Returns how many seconds that took. */
static double go_on(struct marathon *run, uint64_t collisions)
{
    struct event event;
    double began = measure_seconds();
    while (collisions > 0 && schedule_next(run->schedule, SYSTEM_LARGEST, &event)) {
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

static void run_long(size_t count, enum system_rule rule, unsigned periodic, double collisions)
{
    enum { INTERVALS = 10 };
    struct marathon run;
    begin(&run, count, rule, periodic, 0);
    const double energy = gas_temperature(&run.system);
    double first = 0;
    printf("\n%zu disks, %s%s\n%12s %12s %12s %12s %12s %12s%s\n", count,
           rule == RULE_SWAP ? "swap" : "elastic", periodic ? ", periodic" : "", "collisions",
           "time", "per second", "overlap", "escape", "energy", periodic ? "     momentum" : "");
    for (int k = 1; k <= INTERVALS; k++) {
        double seconds = go_on(&run, (uint64_t)(collisions / INTERVALS));
        double rate = collisions / INTERVALS / seconds;
        struct harm harm = find_harm(&run.system, run.time);
        const int has_walls = periodic != (PERIODIC_X | PERIODIC_Y);
        const double drift = has_walls ? 0 : find_drift(&run.system);
        double change = gas_temperature(&run.system) / energy - 1;
        /* Coordinates are rounded to their size, positions to what the time is rounded to. */
        double allowed = 16 * DBL_EPSILON * (run.system.boundary.width + 4 * run.time);
        first = k == 1 ? rate : first;
        measure_check(harm.overlap < allowed && harm.escape < allowed && fabs(change) < 1e-12 &&
                      drift < 1e-12);
        measure_check(rate > first / 3); /* other programs may be in the way */
        printf("%12.0f %12.6g %12.0f %12.1e %12.1e %12.1e", k * (collisions / INTERVALS), run.time,
               rate, harm.overlap, harm.escape, change);
        printf(has_walls ? "\n" : " %12.1e\n", drift);
    }
    end(&run);
}

/* The worst of many looks at runs that begin late. */
static void run_late(void)
{
    enum { LOOKS = 100, BETWEEN = 1000 };
    static const double starts[] = {0, 1e3, 1e6, 1e8, 1e10, 1e12, 1e13, 1e14, 1e15};
    printf("\n1000 elastic disks, begun late\n%12s %12s %12s %12s\n", "time", "overlap", "escape",
           "energy");
    for (size_t k = 0; k < LENGTH(starts); k++) {
        struct marathon run;
        begin(&run, 1000, RULE_ELASTIC, 0, starts[k]);
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
        end(&run);
    }
}

int main(int argc, char **argv)
{
    double collisions = argc > 1 ? strtod(argv[1], NULL) : 1e8;
    run_late();
    for (int k = 0; k < 4; k++)
        run_long(k < 2 ? 1000 : 10000, k % 2 ? RULE_ELASTIC : RULE_SWAP, 0, collisions);
    run_long(1000, RULE_ELASTIC, PERIODIC_X | PERIODIC_Y, collisions);
    run_long(10000, RULE_SWAP, PERIODIC_X | PERIODIC_Y, collisions);
    return measure_finish();
}
