/* Compares the drag and the lift of bodies in a stream of points, which do not meet each other,
 * with the theory of free molecules that are reflected like light or, in part, diffusely, and
 * prints a table, which README.md sums up; if a value is more than 3 standard errors off, it
 * fails. Everything is seeded: hits are the same on every machine, and what is printed, but for
 * last digits that depend on the C library.
 *
 * In theory a body stands in an endless stream, and nothing of what it does comes back. In a tunnel
 * the wake comes back through the seam, at its own height, so the tunnel is so long that one
 * passage spreads it over the height, and the longer the faster the stream is. The coefficients are
 * taken with the density n' of what comes towards the body: see observe/tally.h. */
#include "gas.h"
#include "measure.h"
#include "model/boundary_law.h"
#include "model/region.h"
#include "observe/tally.h"
#include "observed.h"
#include "outline.h"
#include "random_system.h"

/* Drag and lift, per half of n m U^2 and the body's width or chord. */
struct coefficients {
    double drag, lift;
};

struct body_case {
    const char *name;
    size_t sides; /* of a regular polygon in a circle of diameter 1; 2: a wall of no thickness */
    double angle; /* by which it is turned from the direction of the stream, degrees */
    double speed_ratio;   /* s = U / sqrt(2 T / m) */
    double width, height; /* of the tunnel, in widths or chords of the body */
    double accommodation; /* of a cylinder that is not smooth: the share that is diffuse, */
    double temperature;   /* at this temperature; that of the stream is 1 */
};

/* The pressure of free molecules on a side that faces the stream with S = s sin(angle), or turns
 * away with S < 0, per half of n m U^2, times s^2 (G. A. Bird, Molecular gas dynamics and the
 * direct simulation of gas flows, 1994, section 7.5, with specular reflection). */
static double expect_pressure(double s)
{
    return 2 * (s * exp(-s * s) / sqrt(pi) + (0.5 + s * s) * (1 + erf(s)));
}

/* The sum over all sides. For a circle it is 4 sqrt(pi) / (3 s) e^-x [(s^2 + 3/2) I0(x) + (s^2 +
 * 1/2) I1(x)], x = s^2 / 2; 256 sides differ from it in the fifth digit. */
static struct coefficients expect(const struct outline *outline, double s)
{
    struct coefficients sum = {0, 0};
    for (size_t k = 0; k < outline->count; k++) {
        const double *a = outline->vertices[k];
        const double *b = outline->vertices[(k + 1) % outline->count];
        const double nx = -(b[1] - a[1]); /* into the body, as long as the side */
        const double ny = b[0] - a[0];
        const double pressure = expect_pressure(s * nx / sqrt(nx * nx + ny * ny)) / (s * s);
        sum.drag += pressure * nx;
        sum.lift += pressure * ny;
    }
    return sum;
}

/* The same where a share of the hits is diffuse, on a cylinder (G. A. Bird, section 7.6). */
static struct coefficients expect_body(const struct body_case *body, const struct outline *outline)
{
    struct coefficients sum = expect(outline, body->speed_ratio);
    sum.drag *= (1 + (1 - body->accommodation) / 3) * 0.75;
    sum.drag +=
        body->accommodation * pow(pi, 1.5) / (4 * body->speed_ratio) * sqrt(body->temperature);
    return sum;
}

enum { POINTS = 2000, PERIODS = 50 };

/* Sums over a block of time; the last one is before the others. */
struct block {
    double x, y;   /* momentum that the body has got, */
    double hits;   /* in so many hits */
    double inflow; /* density of what comes in, times time */
};

struct watch {
    struct observer observer;
    struct inflow_gauge gauge;
    double from, length; /* of the first block, and of each */
    struct block blocks[PERIODS + 1];
};

static struct block *find_block(struct watch *watch, double time)
{
    const double block = floor((time - watch->from) / watch->length);
    return &watch->blocks[block >= 0 && block < PERIODS ? (size_t)block : PERIODS];
}

static enum status note_hit(struct observer *observer, const struct collision *collision,
                            struct error *error)
{
    struct block *block = find_block((struct watch *)observer, collision->time);
    (void)error;
    block->x += collision->a.u_before - collision->a.u;
    block->y += collision->a.v_before - collision->a.v;
    block->hits++;
    return STATUS_DONE;
}

static enum status note_reinjection(struct observer *observer, const struct collision *passage,
                                    struct error *error)
{
    struct watch *watch = (struct watch *)observer;
    (void)error;
    find_block(watch, passage->time)->inflow += inflow_gauge_weigh(&watch->gauge, passage);
    return STATUS_DONE;
}

OBSERVED_TAKE(take, note_hit, note_reinjection)

/* Puts the points somewhere into the stream. */
static void start_points(struct system *system, const struct region *region,
                         struct random_generator *random)
{
    for (size_t k = 0; k < POINTS; k++) {
        struct particle *p = &system->particles[k];
        *p = (struct particle){.collided = -(double)INFINITY, .id = (int32_t)k};
        do {
            p->x = system->boundary.width * random_unit(random);
            p->y = system->boundary.height * random_unit(random);
        } while (!region_contains(region, p->x, p->y));
        random_normal(random, &p->u, &p->v);
        p->u += system->boundary.stream.speed;
    }
}

/* Prints a value and what is expected. What is only rounding, the lift of a plate across the
 * stream, is 0. */
static void compare(struct measured_mean value, double expected)
{
    const double least = 1e-12;
    if (value.error < least)
        value = (struct measured_mean){0, least};
    if (fabs(expected) < least)
        expected = 0;
    printf(" %.4f ± %.4f | %.4f |", value.mean, value.error, expected);
    measure_deviation(value.mean - expected, value.error);
}

/* A long run of many points past a body; the first two passages do not count. */
static void run(const struct body_case *body, const struct outline *outline, uint64_t seed,
                double passages, struct watch *watch)
{
    static const struct observer_operations operations = {.watches = WATCH_PAIRS, .take = take};
    const double speed = body->speed_ratio * sqrt(2);
    OWNED(system, system) = {.boundary = {.width = body->width,
                                          .height = body->height,
                                          .periodic = PERIODIC_X | PERIODIC_Y,
                                          .stream = stream_make(speed, 1, seed)},
                             .count = POINTS};
    struct random_generator random = random_from(seed);
    struct region *region = NULL;
    *watch =
        (struct watch){.observer = {.operations = &operations, .next_sample = (double)INFINITY},
                       .from = 2 * body->width / speed,
                       .length = passages * body->width / speed / PERIODS};
    must(system_reserve(&system, POINTS, &failure));
    system_add_polygon(&system, (const double(*)[2])outline->vertices, outline->count, 0);
    system.boundary.walls = body->accommodation > 0 ? wall_laws_create(1, seed, &failure) : NULL;
    if (system.boundary.walls) {
        system.boundary.walls->list[BOUNDARY_SIDES].accommodation = body->accommodation;
        system.boundary.walls->list[BOUNDARY_SIDES].temperature = body->temperature;
        must(wall_laws_complete(system.boundary.walls, &system, &failure));
    }
    watch->gauge = inflow_gauge_make(&(struct snapshot){0, &system, NULL});
    must(region_create(&system.boundary, &region, &failure));
    start_points(&system, region, &random);
    gas_run(&system, SCHEDULE_CELLS, watch->from + PERIODS * watch->length, &watch->observer);
    region_free(region);
}

static void measure(const struct body_case *body, uint64_t seed, double part)
{
    struct outline outline = outline_regular(0.4 * body->width, body->height / 2, 0.5, body->sides);
    outline_turn(&outline, 0.4 * body->width, body->height / 2, body->angle);
    static struct watch watch;
    run(body, &outline, seed, 400 * part, &watch);
    const double speed = body->speed_ratio * sqrt(2);
    const double mean_density = POINTS / (body->width * body->height - outline_area(&outline));
    const struct coefficients expected = expect_body(body, &outline);
    double drags[PERIODS], lifts[PERIODS], densities[PERIODS];
    double hits = 0;
    double inflow = 0;
    for (size_t k = 0; k < PERIODS; k++)
        inflow += watch.blocks[k].inflow / PERIODS;
    const double unit = inflow * speed * speed / 2; /* C_D = momentum / unit */
    for (size_t k = 0; k < PERIODS; k++) {
        const struct block *block = &watch.blocks[k];
        /* to first order the error of a ratio is that of this */
        const double more = block->inflow / inflow - 1;
        drags[k] = block->x / unit;
        lifts[k] = block->y / unit;
        densities[k] = block->inflow / (watch.length * mean_density);
        drags[k] -= more * expected.drag;
        lifts[k] -= more * expected.lift;
        hits += block->hits;
    }
    const struct measured_mean drag = measure_estimate(drags, PERIODS);
    const struct measured_mean lift = measure_estimate(lifts, PERIODS);
    const struct measured_mean density = measure_estimate(densities, PERIODS);
    printf("| %s | %.1f | %.0f × %.0f | %.2g | %.4f ± %.4f |", body->name, body->speed_ratio,
           body->width, body->height, hits, density.mean, density.error);
    compare(drag, expected.drag);
    printf(" %.2f %% |", 100 * drag.error / drag.mean);
    compare(lift, expected.lift);
    puts("");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct body_case cases[] = {
        {"cylinder", 256, 0, 0.5, 30, 30, 0, 0},
        {"cylinder", 256, 0, 1, 20, 20, 0, 0},
        {"cylinder", 256, 0, 2, 40, 20, 0, 0},
        {"cylinder", 256, 0, 3, 60, 20, 0, 0},
        {"plate, 30°", 2, -30, 1, 40, 40, 0, 0},
        {"plate, 30°", 2, -30, 2, 60, 40, 0, 0},
        {"plate, 90°", 2, -90, 1, 20, 20, 0, 0},
        {"plate, 90°", 2, -90, 2, 40, 20, 0, 0},
        {"triangle, 20°", 3, -20, 1.5, 30, 20, 0, 0},
        {"cylinder, diffuse", 256, 0, 1, 20, 20, 1, 1},
        {"cylinder, half diffuse", 256, 0, 2, 40, 20, 0.5, 3},
    };
    const double part = argc > 1 ? strtod(argv[1], NULL) : 1;
    puts("| body | s | tunnel | hits | n' / n | C_D | theory | off by | error | C_L | theory | off "
         "by |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < LENGTH(cases); k++)
        measure(&cases[k], k, part);
    return measure_finish();
}
