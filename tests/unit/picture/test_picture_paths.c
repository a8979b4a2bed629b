/* Tests of paths, as they are drawn; frames.sh has more. */
#include "check.h"
#include "observed.h"
#include "picture/picture.h"

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
    int is_begun = 0, length = 0;
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

/* Runs a system with a picture of its paths. Returns that, for memory_free. */
static char *draw_text(struct system *system, double end_time)
{
    const struct picture_settings settings = {.output.name = "file", .has_paths = 1};
    return observed_text(&picture_operations, &(struct run_settings){0}, &settings.output, system,
                         SCHEDULE_AUTO, end_time);
}

static struct drawn draw(struct system *system, double end_time)
{
    static const char mark[] = "<path class=\"path\"";
    struct drawn drawn = {0};
    OWNED_TEXT(text) = draw_text(system, end_time);
    const char *box = text ? strstr(text, "<rect class=\"box\"") : NULL;
    double left = 0, top = 0;
    CHECK(box && sscanf(box, "<rect class=\"box\" x=\"%lf\" y=\"%lf\"", &left, &top) == 2);
    for (const char *at = box; at && (at = strstr(at, mark)); at++)
        read_path(strstr(at, " d=\"") + 4, left, top, &drawn);
    for (const char *at = box; at && (at = strstr(at, "class=\"meeting\"")); at++)
        drawn.collisions++;
    return drawn;
}

/* Particles of one speed, whose collisions switch velocities, so that all keep it. */
static void check_length(struct random_generator *random, size_t count, double radius,
                         unsigned periodic, double end_time)
{
    struct particle particles[9];
    struct particle_counts counts[9] = {{0}};
    struct system system =
        SYSTEM(count, SIDE, SIDE, .radius = radius, .boundary.periodic = periodic,
               .particles = particles, .counts = counts);
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

RANDOM_TEST(paths_are_as_long_as_particles_go, 3)
{
    for (int k = 0; k < 40; k++) {
        const unsigned periodic = (unsigned)k % 4;
        check_length(random, 1, 1, periodic, 0);
        check_length(random, 1, 1, periodic, 200 * random_unit(random));
        check_length(random, 9, 1.2, periodic, 60 * random_unit(random));
    }
}

/* A particle that a stream gives another velocity at the seam: its path ends there and begins anew.
 */
TEST(stream)
{
    struct particle particle = {.x = 15, .y = 10, .u = 1, .v = 0};
    struct particle_counts counts = {0};
    struct system system = SYSTEM(
        1, SIDE, SIDE, .radius = 1, .boundary.periodic = PERIODIC_X | PERIODIC_Y,
        .boundary.stream = stream_make(1, 0.01, 1), .particles = &particle, .counts = &counts);
    system.law.rule = RULE_ELASTIC;
    const struct drawn drawn = draw(&system, 10);
    CHECK(drawn.pieces == 2 && drawn.jump == 0 && drawn.outside < 0.006);
    CHECK(fabs(drawn.last[1][0] - drawn.last[0][0] - 5 * SCALE * particle.u) < 0.02);
    CHECK(fabs(drawn.last[1][1] - drawn.last[0][1] + 5 * SCALE * particle.v) < 0.02);
}

/* Of a text: the rectangles of times, and circles, in pixels. */
struct covering {
    size_t times, dots, tips, circles;
    double rectangles[32][4]; /* left, top, right, bottom */
    double disks[256][3];     /* centre and radius, of disks and dots */
};

static struct covering read_covering(const char *text)
{
    struct covering found = {0};
    double x, y, r;
    char time[20];
    for (const char *at = text; at && (at = strstr(at, "<text class=\"time\"")); at++)
        if (sscanf(at, "<text class=\"time\" x=\"%lf\" y=\"%lf\">t = %19[0-9.e-]", &x, &y, time) ==
            3) {
            const double half = 3 * (4 + (double)strlen(time)); /* a little less than it is */
            memcpy(found.rectangles[found.times++], (double[4]){x - half, y - 9, x + half, y + 1},
                   sizeof *found.rectangles);
        }
    for (const char *at = text; at && (at = strstr(at, "<circle c")); at++) {
        const char *place = strstr(at, "cx=");
        const int is_dot = strncmp(at, "<circle class=\"meeting\"", 23) == 0;
        if (strncmp(at, "<circle cx", 10) != 0 && !is_dot)
            continue;
        found.dots += is_dot != 0;
        found.tips += is_dot && strstr(at, "<title>t = ") < strchr(at, '\n');
        if (CHECK(sscanf(place, "cx=\"%lf\" cy=\"%lf\" r=\"%lf", &x, &y, &r) == 3))
            memcpy(found.disks[found.circles++], (double[3]){x, y, r}, sizeof *found.disks);
    }
    return found;
}

static void check_covering(const struct covering *found)
{
    for (size_t k = 0; k < found->times; k++) {
        const double *a = found->rectangles[k];
        for (size_t n = 0; n < k; n++) {
            const double *b = found->rectangles[n];
            CHECK(a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]);
        }
        for (size_t n = 0; n < found->circles; n++) {
            const double *disk = found->disks[n];
            const double x = fmax(fmax(a[0] - disk[0], disk[0] - a[2]), 0);
            const double y = fmax(fmax(a[1] - disk[1], disk[1] - a[3]), 0);
            CHECK(x * x + y * y >= disk[2] * disk[2]);
        }
    }
}

/* Times cover neither each other nor a disk or a dot; each dot has its time as a tooltip. */
RANDOM_TEST(times_cover_nothing, 5)
{
    size_t times = 0, dots = 0;
    for (unsigned k = 0; k < 40; k++) {
        struct particle particles[9];
        struct particle_counts counts[9] = {{0}};
        struct system system =
            SYSTEM(9, SIDE, SIDE, .radius = 0.5 + 1.5 * random_unit(random),
                   .boundary.periodic = k % 4, .particles = particles, .counts = counts);
        for (size_t n = 0; n < 9; n++)
            particles[n] = (struct particle){.x = 3.5 + 6.5 * (double)(n % 3),
                                             .y = 3.5 + 6.5 * (double)(n / 3),
                                             .u = random_unit(random) - 0.5,
                                             .v = random_unit(random) - 0.5,
                                             .id = (int32_t)n};
        OWNED_TEXT(text) = draw_text(&system, 12);
        const struct covering found = read_covering(text ? text : "");
        CHECK(found.circles >= 9 + found.dots && found.tips == found.dots);
        if (found.times > 0)
            check_covering(&found);
        if (found.dots <= 24) {
            times += found.times;
            dots += found.dots;
        }
    }
    CHECK(dots > 100 && times <= dots && times > dots * 9 / 10); /* there is room for most */
}

/* A disk has the colour of its path, which begins at a ring. */
TEST(colours_are_those_of_disks)
{
    struct particle particles[2] = {{.x = 4, .y = 10, .u = 1}, {.x = 16, .y = 10, .id = 1}};
    struct system system = SYSTEM(2, SIDE, SIDE, .radius = 1, .particles = particles,
                                  .counts = (struct particle_counts[2]){{0}});
    OWNED_TEXT(text) = draw_text(&system, 3);
    CHECK(text && strstr(text, "<g fill=\"#0072b2\">\n<circle cx=\"284\"") &&
          strstr(text, "<g fill=\"#e69f00\">\n<circle cx=\"608\""));
    CHECK(text && strstr(text, "<path class=\"path\" stroke=\"#0072b2\" d=\"M176") &&
          strstr(text, "<circle class=\"start\" stroke=\"#0072b2\" cx=\"176.00\""));
}
