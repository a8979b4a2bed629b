/* Tests of paths, as they are drawn; frames.sh has more. */
#include "base/memory.h"
#include "check.h"
#include "model/stream.h"
#include "observed.h"
#include "picture/picture.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SIDE = 20; /* of the box: 36 pixels a unit */
static const double SCALE = 36;
static const double SPEED = 1.5;

/* The paths of a picture. */
struct drawn {
    size_t paths, pieces, collisions;
    double length;     /* of all pieces, in units of the box */
    double outside;    /* how far they leave the box at most, in pixels */
    double jump;       /* the longest way from the end of a piece to the next one's beginning, if
                          that is not from side to side, */
    double last[2][2]; /* beginning and end of the last piece, in pixels */
};

/* Takes a path apart, which begins at `at`. */
static void read_path(const char *at, double left, double top, struct drawn *drawn)
{
    double place[2] = {0, 0};
    int is_begun = 0;
    int length = 0;
    char letter = 0;
    double next[2];
    while (sscanf(at, " %c%lf %lf%n", &letter, &next[0], &next[1], &length) == 3 &&
           (letter == 'M' || letter == 'L')) {
        const double x = next[0] - place[0];
        const double y = next[1] - place[1];
        const int is_across =
            fabs(fabs(x) - SCALE * SIDE) < 0.02 || fabs(fabs(y) - SCALE * SIDE) < 0.02;
        drawn->outside = fmax(drawn->outside, fmax(left - next[0], next[0] - left - SCALE * SIDE));
        drawn->outside = fmax(drawn->outside, fmax(top - next[1], next[1] - top - SCALE * SIDE));
        if (letter == 'M' && is_begun && !is_across)
            drawn->jump = fmax(drawn->jump, sqrt(x * x + y * y));
        if (letter == 'L') {
            drawn->length += sqrt(x * x + y * y) / SCALE;
            drawn->pieces++;
            memcpy(drawn->last[0], place, sizeof place);
            memcpy(drawn->last[1], next, sizeof next);
        }
        memcpy(place, next, sizeof place);
        is_begun = 1;
        at += length;
    }
    drawn->paths++;
}

/* Runs a system with a picture of its paths. */
static struct drawn draw(struct system *system, double end_time)
{
    static const char mark[] = "<path class=\"path\"";
    const char *name = "file";
    struct error error = {""};
    struct observer *observer;
    struct drawn drawn = {0};
    const struct picture_request request = {.name = name, .has_paths = 1};
    if (CHECK(picture_create(&request, &observer, &error) == STATUS_DONE))
        CHECK(observed_run(system, SCHEDULE_AUTO, end_time, observer, &error) == STATUS_DONE);
    char *text = observed_read(name);
    const char *box = text ? strstr(text, "<rect class=\"box\"") : NULL;
    double left = 0;
    double top = 0;
    CHECK(box && sscanf(box, "<rect class=\"box\" x=\"%lf\" y=\"%lf\"", &left, &top) == 2);
    for (const char *at = box; at && (at = strstr(at, mark)); at++)
        read_path(strstr(at, " d=\"") + 4, left, top, &drawn);
    for (const char *at = box; at && (at = strstr(at, "class=\"meeting\"")); at++)
        drawn.collisions++;
    memory_free(text);
    return drawn;
}

/* Particles of one speed, whose collisions switch velocities, so that all keep it. */
static void check_length(struct random_generator *random, size_t count, double radius,
                         unsigned periodic, double end_time)
{
    struct particle particles[9];
    struct counts counts[9] = {{0}};
    struct system system = {.count = count,
                            .radius = radius,
                            .boundary = {.width = SIDE, .height = SIDE, .periodic = periodic},
                            .particles = particles,
                            .counts = counts};
    for (size_t k = 0; k < count; k++) {
        const double slope = 4 * random_unit(random) - 2;
        const double u = SPEED / sqrt(1 + slope * slope) * (random_below(random, 2) ? 1 : -1);
        particles[k] = (struct particle){.x = 3.5 + 6.5 * (double)(k % 3),
                                         .y = 3.5 + 6.5 * (double)(k / 3),
                                         .u = u,
                                         .v = u * slope,
                                         .id = (int32_t)k};
    }
    const struct drawn drawn = draw(&system, end_time);
    uint64_t collisions = 0; /* twice those of particles */
    for (size_t k = 0; k < count; k++)
        collisions += counts[k].particles + 2 * counts[k].walls;
    CHECK(drawn.paths == count && 2 * drawn.collisions == collisions);
    CHECK(drawn.pieces >= count);
    CHECK(drawn.outside < 0.006 && drawn.jump < 0.01);
    CHECK(fabs(drawn.length - SPEED * end_time * (double)count) < 0.001 * (double)drawn.pieces);
}

TEST(paths_are_as_long_as_particles_go)
{
    struct random_generator random = random_from(3);
    for (int k = 0; k < 40; k++) {
        const unsigned periodic = (unsigned)k % 4;
        check_length(&random, 1, 1, periodic, 0);
        check_length(&random, 1, 1, periodic, 200 * random_unit(&random));
        check_length(&random, 9, 1.2, periodic, 60 * random_unit(&random));
    }
}

/* A particle that a stream gives another velocity at the seam: its path ends there and begins anew.
 */
TEST(stream)
{
    struct particle particle = {.x = 15, .y = 10, .u = 1, .v = 0};
    struct counts counts = {0};
    struct system system = {.count = 1,
                            .radius = 1,
                            .boundary = {.width = SIDE,
                                         .height = SIDE,
                                         .periodic = PERIODIC_X | PERIODIC_Y,
                                         .stream = stream_make(1, 0.01, 1)},
                            .particles = &particle,
                            .counts = &counts};
    system.law.rule = RULE_ELASTIC;
    const struct drawn drawn = draw(&system, 10);
    CHECK(drawn.pieces == 2 && drawn.jump == 0 && drawn.outside < 0.006);
    CHECK(fabs(drawn.last[1][0] - drawn.last[0][0] - 5 * SCALE * particle.u) < 0.02);
    CHECK(fabs(drawn.last[1][1] - drawn.last[0][1] + 5 * SCALE * particle.v) < 0.02);
}
