/* Tests of what a picture shows of a stream. */
#include "check.h"
#include "observed.h"
#include "picture/picture.h"

/*
 * The picture of `system` at `end_time`, with forces from time `from` on, which the caller frees.
 */
static char *draw(const struct system *system, double end_time, double from)
{
    OWNED(system, run) = system_copy(system);
    const struct picture_settings settings = {.output.name = "file", .has_stream = 1};
    return observed_text(&picture_operations, &(struct run_settings){.from = from},
                         &settings.output, &run, SCHEDULE_ARRAY, end_time);
}

/* Whether the picture has this part. */
static int has(const struct system *system, double end_time, double from, const char *part)
{
    OWNED_TEXT(text) = draw(system, end_time, from);
    int is_there = strstr(text, part) != NULL;
    return is_there;
}

enum { MAX = 200 };

/* `count` disks in rows, in a box of 20 x 20 in which lengths are 36 pixels, all of which stream.
 */
static struct system make_stream(double speed, size_t count, struct particle particles[MAX])
{
    static struct particle_counts counts[MAX];
    for (size_t k = 0; k < count; k++)
        particles[k] = (struct particle){.x = 0.75 + (double)(k % 15) * 1.25,
                                         .y = 0.75 + (double)(k / 15) * 1.25,
                                         .u = speed,
                                         .id = (int32_t)k};
    return SYSTEM(count, 20, 20, .radius = 0.5, .boundary.periodic = PERIODIC_X,
                  .boundary.stream = stream_make(speed, 2, 0), .particles = particles,
                  .counts = counts);
}

TEST(the_direction)
{
    struct particle particles[MAX];
    static const struct {
        double speed;
        const char *line, *heads;
    } cases[] = {
        {2, ">stream of speed 2 to the right, temperature 2; colours: speed relative to it<",
         "class=\"heads\" d=\"M17.50 223.00l5 5l-5 5M17.50 403.00l5 5l-5 5"},
        {-0.25, ">stream of speed 0.25 to the left, temperature 2; colours: ",
         "class=\"heads\" d=\"M22.50 223.00l-5 5l5 5M"},
        {0, ">stream of speed 0, temperature 2; colours", ">1 tracer<"},
    };
    for (size_t k = 0; k < 3; k++) {
        const struct system system = make_stream(cases[k].speed, 1, particles);
        OWNED_TEXT(text) = draw(&system, 0, 0);
        CHECK(strstr(text, cases[k].line) && strstr(text, cases[k].heads));
        CHECK(observed_count(text, "class=\"heads\"") == (cases[k].speed != 0));
    }
}

/* Colours are of speeds relative to the stream: all that just stream are dark. */
TEST(colours)
{
    struct particle particles[MAX];
    struct system system = make_stream(3, 20, particles);
    CHECK(!has(&system, 0, 0, "<g fill=\"#fde725\""));
    particles[4].u = 0;
    CHECK(has(&system, 0, 0, "<g fill=\"#fde725\""));
    CHECK(has(&system, 0, 0, "<g fill=\"#440154\""));
    /* One exception does not darken the others: the brightest is 2.5 times the root mean square. */
    for (size_t k = 0; k < 20; k++)
        particles[k].u = 3 + (k == 4 ? 1000 : k % 2 ? 1 : -1);
    CHECK(has(&system, 0, 0, ">400</text>") && !has(&system, 0, 0, ">600</text>"));
}

/* An eighth of the disks, up to 12, evenly spread; on both sides of the seam. */
TEST(tracers)
{
    struct particle particles[MAX];
    static const size_t numbers[][2] = {{1, 1}, {8, 1}, {9, 2}, {16, 2}, {89, 12}, {200, 12}};
    for (size_t k = 0; k < LENGTH(numbers); k++) {
        const struct system system = make_stream(1, numbers[k][0], particles);
        OWNED_TEXT(text) = draw(&system, 0, 0);
        CHECK(observed_count(text, "<circle class=\"tracer\"") ==
              numbers[k][1] + 1); /* and the legend */
    }
    struct system system = make_stream(1, 1, particles);
    particles[0].x = 0.25;
    OWNED_TEXT(text) = draw(&system, 0, 0);
    CHECK(strstr(text, "<g clip-path=\"url(#strip0)\"><circle class=\"tracer\" cx=\"41.00\" "
                       "cy=\"831.00\" r=\"18.00\"/></g>") != NULL);
    CHECK(strstr(text, "cx=\"761.00\" cy=\"831.00\" r=\"18.00\"/></g>") != NULL);
}

/* A disk hits the obstacle, of mean force 2 over the time, at 7.5. The domain has no arrow. */
TEST(forces)
{
    static const double square[][2] = {{10, 8}, {12, 8}, {12, 12}, {10, 12}};
    static const double wall[][2] = {{30.5, 10}, {31.5, 10}};
    struct particle particles[MAX];
    struct system system = make_stream(1, 1, particles);
    particles[0].x = 2;
    particles[0].y = 10;
    CHECK(!has(&system, 8, 0, "mean force"));
    system_add_polygon(&system, square, 4, 0);
    system_add_polygon(&system, wall, 2, 0);
    const char *const arrow = "<path class=\"force\" d=\"M428 516L508 516M";
    CHECK(!has(&system, 7, 0, "mean force"));
    CHECK(has(&system, 8, 0, arrow) && has(&system, 8, 7, arrow));
    CHECK(has(&system, 8, 0, ">0.2: mean force on an obstacle from time 0 on<"));
    CHECK(has(&system, 8, 4, ">0.5: mean force on an obstacle from time 4 on<"));
    CHECK(!has(&system, 8, 7.5, "mean force") && !has(&system, 8, 8, "mean force"));
    OWNED_TEXT(text) = draw(&system, 8, 0);
    CHECK(observed_count(text, "class=\"force\"") == 2); /* and the legend */
    polygons_free(system.boundary.polygons);
}

/* Of many obstacles the arrows are shorter; of too many there are none. */
TEST(forces_on_many)
{
    static const size_t numbers[] = {5, 50, 800};
    static const char *const lines[] = {"M320 840L400 840M", "M320 840L381.09 840M", NULL};
    struct particle particles[MAX];
    for (size_t k = 0; k < LENGTH(numbers); k++) {
        struct system system = make_stream(1, 1, particles);
        system_add_polygon(&system, (const double[2][2]){{8, 0.1}, {8, 1.9}}, 2, 0);
        for (size_t wall = 1; wall < numbers[k]; wall++) {
            const double x = 8 + 0.01 * (double)wall;
            CHECK(!polygons_add(system.boundary.polygons, (const double[2][2]){{x, 0.1}, {x, 1.9}},
                                2, 0, 0, &failure));
        }
        CHECK(!system_attach_polygons(&system, system.boundary.polygons, &failure));
        OWNED_TEXT(text) = draw(&system, 8, 0);
        CHECK(observed_count(text, "class=\"force\"") == (lines[k] ? 2 : 0));
        CHECK(!lines[k] || strstr(text, lines[k]));

        polygons_free(system.boundary.polygons);
    }
}

/* Without a stream there is nothing of it, and the observer remembers nothing. */
TEST(no_stream)
{
    struct particle particles[MAX];
    struct system system = make_stream(1, 20, particles);
    struct observer *observer;
    const struct picture_settings settings = {.output.name = "/dev/null"};
    system.boundary.stream = (struct stream){0};
    char *text = draw(&system, 0, 0);
    CHECK(!strstr(text, "tracer") && !strstr(text, "heads") && !strstr(text, "stream"));
    memory_free(text);
    if (!CHECK(observer_create(&picture_operations, &(struct run_settings){0}, &settings.output,
                               &observer, &failure) == STATUS_DONE))
        return;
    CHECK(!observer->operations->state && observer->operations->watches == WATCH_NOTHING);
    observer_free(observer);
}
