/*
 * Compares the drag and the lift of bodies in a stream of points, which do not meet each other,
 * with the theory of free molecules that are reflected like light, and prints the table that stands
 * in the README; if a value is more than 3 standard errors off, it fails. Everything is seeded:
 * hits are the same on every machine, and what is printed, but for last digits that depend on the C
 * library.
 *
 * In theory a body stands in an endless stream, and what it has deflected never comes back. In a
 * tunnel it does: around a periodic side, or through the seam, where it keeps its y and the side to
 * which it goes, so that more and more points go against the stream. (In a gas collisions prevent
 * that.) So a run has one point and is short. It begins anywhere in the stream as it would be
 * without a body, outside of it. This state does not change with time, seams included; and before a
 * convex body is hit for the first time nothing differs from theory: who reaches it has come
 * straight, and not from behind it. Only a second hit could, and a run ends before one that is as
 * fast as the stream and twice the thermal speed gets once around the tunnel. The few that do are
 * less than one in a thousand of all hits, and most were deflected past the body.
 *
 * The body stands near the seam, so that many points hit it with velocities that the stream gave
 * them: for these velocities, and for the forces of polygons, this is a test.
 */
#include "gas.h"
#include "measure.h"
#include "model/region.h"
#include "model/stream.h"
#include "outline.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* The tunnel, in widths or chords of the body, whose middle is at BODY_X; the stream has
 * temperature 1, and points mass 1. */
static const double TUNNEL = 8, BODY_X = 1, BODY_Y = 4;

/* Drag and lift, per half of n m U^2 and the body's width or chord. */
struct coefficients {
    double drag, lift;
};

struct body_case {
    const char *name;
    size_t sides; /* of a regular polygon in a circle of diameter 1; 2: a wall of no thickness */
    double angle; /* by which it is turned from the direction of the stream, degrees */
    double speed_ratio; /* s = U / sqrt(2 T / m) */
};

/*
 * The pressure of free molecules on a side that faces the stream with S = s sin(angle), or turns
 * away with S < 0, per half of n m U^2, times s^2 (G. A. Bird, Molecular gas dynamics and the
 * direct simulation of gas flows, 1994, section 7.5, with specular reflection).
 */
static double expect_pressure(double s)
{
    return 2 * (s * exp(-s * s) / sqrt(pi) + (0.5 + s * s) * (1 + erf(s)));
}

/*
 * The sum over all sides. For a circle it is 4 sqrt(pi) / (3 s) e^-x [(s^2 + 3/2) I0(x) + (s^2 +
 * 1/2) I1(x)], x = s^2 / 2; 256 sides differ from it in the fifth digit.
 */
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

/* What a point has given to the body. */
struct push {
    struct observer observer;
    double x, y;        /* momentum, since it was set to 0 */
    int is_renewed;     /* the stream has given the point its velocity */
    double hits, fresh; /* of all points, and of those that are renewed */
};

static enum status note_hit(struct observer *observer, const struct collision *collision,
                            struct error *error)
{
    struct push *push = (struct push *)observer;
    (void)error;
    push->x += collision->a.u_before - collision->a.u;
    push->y += collision->a.v_before - collision->a.v;
    push->hits++;
    push->fresh += push->is_renewed;
    return STATUS_DONE;
}

static enum status note_renewal(struct observer *observer, const struct collision *passage,
                                struct error *error)
{
    (void)passage;
    (void)error;
    ((struct push *)observer)->is_renewed = 1;
    return STATUS_DONE;
}

/* Puts the point somewhere into the stream. */
static void start_point(struct system *system, const struct region *region,
                        struct random_generator *random)
{
    struct particle *p = &system->particles[0];
    *p = (struct particle){.collided = -(double)INFINITY};
    do {
        p->x = TUNNEL * random_unit(random);
        p->y = TUNNEL * random_unit(random);
    } while (!region_contains(region, p->x, p->y));
    random_normal(random, &p->u, &p->v);
    p->u += system->boundary.stream.speed;
}

/*
 * Prints a value, what is expected and how far off that is, and returns whether it is within 3
 * standard errors. What is only rounding, the lift of a plate across the stream, is 0.
 */
static int compare(struct estimate value, double expected)
{
    const double least = 1e-12;
    if (value.error < least)
        value = (struct estimate){0, least};
    if (fabs(expected) < least)
        expected = 0;
    const double off = (value.mean - expected) / value.error;
    printf(" %.4f ± %.4f | %.4f | %+.1f |", value.mean, value.error, expected, off);
    return fabs(off) <= 3;
}

static int measure(const struct body_case *body, uint64_t seed, double starts)
{
    enum { BLOCKS = 50 };
    static const struct observer_operations operations = {.collide = note_hit,
                                                          .renew = note_renewal};
    const double speed = body->speed_ratio * sqrt(2);
    const double time = (TUNNEL - 1) / (speed + 2);
    struct outline outline = outline_regular(BODY_X, BODY_Y, 0.5, body->sides);
    outline_turn(&outline, BODY_X, BODY_Y, body->angle);
    const double density = 1 / (TUNNEL * TUNNEL - outline_area(&outline));
    const double unit = time * density * speed * speed / 2 * starts; /* C_D = momentum / unit */
    struct system system = {
        .boundary = {.width = TUNNEL, .height = TUNNEL, .periodic = PERIODIC_X | PERIODIC_Y},
        .count = 1};
    struct push push = {.observer = {.operations = &operations, .next_look = (double)INFINITY}};
    struct random_generator random = random_from(seed);
    struct region *region = NULL;
    struct error error;
    double drags[BLOCKS], lifts[BLOCKS];
    if (system_reserve(&system, 0, 1, &error))
        measure_fail(error.message);
    system_add_polygon(&system, (const double(*)[2])outline.vertices, outline.count, 0);
    if (region_create(&system.boundary, &region, &error))
        measure_fail(error.message);
    for (size_t block = 0; block < BLOCKS; block++) {
        push.x = push.y = 0;
        for (double k = 0; k < starts; k++) {
            system.boundary.stream = stream_make(speed, 1, random_next(&random));
            start_point(&system, region, &random);
            push.is_renewed = 0;
            gas_run(&system, SCHEDULE_ARRAY, time, &push.observer);
        }
        drags[block] = push.x / unit;
        lifts[block] = push.y / unit;
    }
    const struct coefficients expected = expect(&outline, body->speed_ratio);
    const struct estimate drag = measure_estimate(drags, BLOCKS);
    const struct estimate lift = measure_estimate(lifts, BLOCKS);
    printf("| %s | %.1f | %.2g | %.0f %% |", body->name, body->speed_ratio, push.hits,
           100 * push.fresh / push.hits);
    int is_well = compare(drag, expected.drag);
    printf(" %.2f %% |", 100 * drag.error / drag.mean);
    is_well &= compare(lift, expected.lift);
    puts("");
    fflush(stdout);
    region_free(region);
    system_free(&system);
    return is_well;
}

int main(int argc, char **argv)
{
    static const struct body_case cases[] = {
        {"cylinder", 256, 0, 0.5}, {"cylinder", 256, 0, 1},   {"cylinder", 256, 0, 2},
        {"cylinder", 256, 0, 3},   {"plate, 30°", 2, -30, 1}, {"plate, 30°", 2, -30, 2},
        {"plate, 90°", 2, -90, 1}, {"plate, 90°", 2, -90, 2}, {"triangle, 20°", 3, -20, 1.5},
    };
    const double part = argc > 1 ? strtod(argv[1], NULL) : 1;
    int is_well = 1;
    puts("| body | s | hits | of the seam | C_D | theory | off by | error | C_L | theory | off by "
         "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        is_well &= measure(&cases[k], k, ceil(part * 40000));
    puts(is_well ? "\nall is as expected" : "\nsomething is off");
    return !is_well;
}
