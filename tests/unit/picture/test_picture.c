/* Tests of the picture of the final state. That it is XML is checked in pictures.sh. */
#include "check.h"
#include "observed.h"
#include "picture/picture.h"

/* The picture of `system` at `end_time`, which the caller frees. */
static char *draw(struct system *system, enum schedule_kind kind, double end_time)
{
    const struct picture_settings settings = {.output.name = "file"};
    return observed_text(&picture_operations, &(struct run_settings){0}, &settings.output, system,
                         kind, end_time);
}

/* A disk of radius 1 in a box of 20 x 20: 36 pixels a unit of length. */
TEST(to_scale)
{
    struct particle particle = {.x = 5, .y = 4, .u = 1};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 20, 20);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 2);
    /* The box begins at 32, 84 and is 720 high; half of the line of 1 is outside of the circle. */
    CHECK(strstr(text, "<circle cx=\"284\" cy=\"660\" r=\"35.5\">") != NULL);
    CHECK(strstr(text, "particle 0: x 7, y 4, speed 1, 0 wall collisions") != NULL);
    CHECK(strstr(text, "width=\"720.00\" height=\"720.00\"") != NULL);
    CHECK(strstr(text, "<title>1 particle at time 2</title>") != NULL);
    /* From beside the number, 14 pixels from the centre, an arrow of 36 pixels. */
    CHECK(strstr(text, "M298 660L334 660M") != NULL);
}

/* One disk hits another, which then hits a wall. */
TEST(one_collision)
{
    struct particle particles[2] = {{.x = 5, .y = 4, .u = 1}, {.x = 9, .y = 4, .id = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 20, 20);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 12.5);
    CHECK(strstr(text, " · 1 wall collision · 1 particle collision<") != NULL);
    CHECK(strstr(text, " 0 wall collisions, 1 particle collision<") != NULL);
    CHECK(strstr(text, " 1 wall collision, 1 particle collision<") != NULL);
}

/* The beginnings and the tips of a picture's arrows. Returns how many arrows there are. */
static size_t read_arrows(const char *text, double begins[][2], double tips[][2])
{
    size_t count = 0;
    const char *at = strstr(text, "id=\"arrows\"");
    for (; at && *at != '/'; at = strpbrk(at + 1, "M/")) {
        double x[2], y[2];
        char next; /* M: the head follows */
        if (sscanf(at, "M%lf %lfL%lf %lf%c", &x[0], &y[0], &x[1], &y[1], &next) != 5 || next != 'M')
            continue;
        begins[count][0] = x[0];
        begins[count][1] = y[0];
        tips[count][0] = x[1];
        tips[count++][1] = y[1];
    }
    return count;
}

/* The number after the first `mark` that follows `place`. */
static double number_after(const char *text, const char *place, const char *mark)
{
    const char *at = strstr(text, place);
    at = at ? strstr(at, mark) : NULL;
    CHECK(at != NULL);
    return at ? strtod(at + strlen(mark), NULL) : 0;
}

/* A small disk is above the halo of all arrows, a large one below; its arrow begins at the rim. */
TEST(arrows_hide_no_small_disks)
{
    struct particle particles[2] = {{.x = 10, .y = 10, .u = 1},
                                    {.x = 5, .y = 4, .v = 1, .kind = 1, .id = 1}};
    struct particle_kind kinds[2] = {{.radius = 2, .mass = 1}, {.radius = 0, .mass = 1}};
    struct system system =
        SYSTEM(2, 20, 20, .particles = particles, .counts = (struct particle_counts[2]){{0}},
               .kind_count = 2, .kinds = kinds);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
    const char *large = strstr(text, "<circle cx=\"392\" cy=\"444\"");
    const char *small = strstr(text, "<circle cx=\"212\" cy=\"660\"");
    const char *halo = strstr(text, "<use class=\"halo\"");
    const char *arrow = strstr(text, "<use class=\"arrow\"");
    CHECK(large && small && halo && arrow && large < halo && halo < small && small < arrow);
    CHECK(strstr(text, "M392 444L428 444M") && strstr(text, "M212 657L212 621M"));
}

/* Points that move outwards beside the walls. */
TEST(arrows_keep_off_the_words)
{
    enum { COUNT = 400 };
    struct particle particles[COUNT];
    double begins[COUNT][2], tips[COUNT][2];
    for (int k = 0; k < COUNT; k++) {
        double along = 0.025 * k + 0.01;
        double away = k % 2 ? 9.99 : 0.01;
        double speed = (k % 2 ? 1 : -1) * (k < 4 ? 30 : 1);
        particles[k] = k % 4 < 2 ? (struct particle){.x = along, .y = away, .v = speed, .id = k}
                                 : (struct particle){.x = away, .y = along, .u = speed, .id = k};
    }
    for (size_t count = 4; count <= COUNT; count *= 10) {
        struct system system =
            arranged_few(particles, (struct particle_counts[COUNT]){{0}}, count, 0, 10, 10);
        OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
        double words = number_after(text, "class=\"quiet\"", "y=\"");
        double width = number_after(text, "<svg", "width=\"");
        double legend = number_after(text, "url(#speeds)", "y=\"");
        CHECK(read_arrows(text, begins, tips) == count);
        for (size_t k = 0; k < count; k++) {
            CHECK(tips[k][0] > 5 && tips[k][0] < width - 5);
            CHECK(tips[k][1] > words + 9 && tips[k][1] < legend - 5);
        }
    }
}

/* Two disks that touch and move towards each other: arrows reach no number, and are below them. */
TEST(numbers_stay_readable)
{
    struct particle particles[2] = {{.x = 9, .y = 10, .u = 1},
                                    {.x = 11.000001, .y = 10, .u = -1, .id = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 20, 20);
    double begins[2][2], tips[2][2];
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
    if (CHECK(read_arrows(text, begins, tips) == 2))
        for (size_t k = 0; k < 2; k++) {
            CHECK(begins[k][0] >= 356 + 14 && begins[k][0] <= 428 - 14);
            CHECK(tips[k][0] >= 356 + 14 && tips[k][0] <= 428 - 14);
        }
    const char *number = strstr(text, "<text class=\"id on-light\" x=\"356.00\"");
    CHECK(number && number > strstr(text, "<use class=\"arrow\""));
    CHECK(strstr(text, ";stroke:#fde725\">0</text>") != NULL); /* the halo, as its disk */
}

RANDOM_TEST(each_is_drawn_once, 1)
{
    OWNED(system, system) = random_system(random, 3000, 0.4, 1.5);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_CELLS, 1);
    CHECK(observed_count(text, "<circle cx") == 3000);
    CHECK(observed_count(text, "<title>") == 1 && observed_count(text, "class=\"id") == 0);
    CHECK(observed_count(text, "id=\"arrows\"") == 0);
}

/* In strips a disk on a cut appears twice. */
TEST(strips)
{
    enum { COUNT = 200 };
    struct particle particles[COUNT] = {{.x = 0}};
    struct particle_counts counts[COUNT] = {{0}};
    struct system system = arranged_few(particles, counts, COUNT, 1, 1000, 4);
    size_t cut = 0;
    for (int32_t k = 0; k < COUNT; k++) {
        particles[k] = (struct particle){.x = 2.5 + 5 * k, .y = 2, .id = k};
        double place = particles[k].x / (1000.0 / 10);
        double away = (place - (int)place) * 100;
        cut += (away < 1 || away > 99) && place > 0.5 && place < 9.5;
    }
    particles[20].x = 100; /* on the first of the cuts */
    char *text = draw(&system, SCHEDULE_ARRAY, 0);
    CHECK(observed_count(text, "<clipPath") == 10);
    CHECK(observed_count(text, "<circle cx") == COUNT + cut + 1);
    CHECK(strstr(text, "cut into 10 strips of length 100") != NULL);
    CHECK(observed_count(text, "id=\"arrows\"") == 0); /* all are at rest */
    memory_free(text);
    for (int32_t k = 0; k < COUNT; k++)
        particles[k].v = 1;
    text = draw(&system, SCHEDULE_ARRAY, 0);
    /* Each arrow is seen in its strip only. */
    CHECK(observed_count(text, "<path clip-path=\"url(#strip") == 10);
    CHECK(strstr(text, "<path clip-path=\"url(#strip9)\" d=\"M") != NULL);
    memory_free(text);
}

/* Disks across seams are drawn on both sides, one in a corner four times, others once. */
TEST(seams)
{
    static const struct {
        unsigned periodic;
        size_t circles, seams;
        const char *line;
    } cases[] = {{0, 4, 0, "wall collisions"},
                 {PERIODIC_X, 6, 1, ">periodic along x: disks pass the dashed sides<"},
                 {PERIODIC_Y, 6, 1, ">periodic along y: disks pass the dashed sides<"},
                 {PERIODIC_X | PERIODIC_Y, 9, 2, ">periodic along x and y: disks pass"}};
    for (size_t k = 0; k < LENGTH(cases); k++) {
        struct particle particles[4] = {{.v = 1},
                                        {.x = 0.5, .y = 10, .id = 1},
                                        {.x = 10, .y = 19.5, .u = 1, .id = 2},
                                        {.x = 10, .y = 1.1, .u = 1, .id = 3}};
        struct system system =
            SYSTEM(4, 20, 20, .radius = 1, .boundary.periodic = cases[k].periodic,
                   .particles = particles, .counts = (struct particle_counts[4]){{0}});
        double begins[4][2], tips[4][2];
        OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
        CHECK(observed_count(text, "<circle cx") == cases[k].circles);
        CHECK(observed_count(text, "class=\"seam\"") == cases[k].seams);
        CHECK(observed_count(text, "class=\"wall\"") ==
              (cases[k].periodic ? 2 - cases[k].seams : 0));
        CHECK(observed_count(text, "<g fill=\"#fde725\" clip-path=\"url(#strip0)\">") ==
              (cases[k].periodic != 0));
        CHECK(strstr(text, cases[k].line) != NULL);
        CHECK(read_arrows(text, begins, tips) == 3 && observed_count(text, "class=\"id ") == 4);
        const char *left =
            "<circle cx=\"50\" cy=\"462\" r=\"35.5\"><title>particle 1: x 0.5, y 10,";
        const char *right =
            "<circle cx=\"770\" cy=\"462\" r=\"35.5\"><title>particle 1: x 0.5, y 10,";
        CHECK(!(cases[k].periodic & PERIODIC_X) || (strstr(text, left) && strstr(text, right)));
    }
}

/* In strips, the end of the last is a seam with the beginning of the first. */
TEST(seams_of_strips)
{
    struct particle particle = {.x = 0.5, .y = 2, .u = 1};
    struct system system =
        SYSTEM(1, 1000, 4, .radius = 1, .boundary.periodic = PERIODIC_X, .particles = &particle,
               .counts = (struct particle_counts[1]){{0}});
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
    const char *first = strstr(text, "clip-path=\"url(#strip0)\">\n<circle");
    const char *last = strstr(text, "clip-path=\"url(#strip9)\">\n<circle");
    CHECK(first && last && observed_count(text, "<circle cx") == 2);
    CHECK(strstr(text, "cut into 10 strips") && strstr(text, "periodic along x:"));
}

/* How often each part is in a picture. */
struct expected_part {
    const char *part;
    size_t count;
};

static void check_parts(const char *text, const struct expected_part *parts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!CHECK(observed_count(text, parts[k].part) == parts[k].count))
            printf("%zu times: %s\n", observed_count(text, parts[k].part), parts[k].part);
}

/* In a box of 20 x 20, 36 pixels a unit: a domain with a hole is one path on the shade of what is
 * outside, thin walls are one line, and what cannot be seen of a polygon is left out. */
TEST(polygons)
{
    static const double domain[][2] = {{1, 1}, {19, 1}, {19, 19}, {1, 19}};
    static const double hole[][2] = {{10, 2}, {12, 2}, {11, 4}};
    static const double obstacle[][2] = {{5, 5}, {5.0001, 5}, {6, 5}, {6, 7.25}, {5, 5.00001}};
    static const double walls[][2][2] = {{{2, 9}, {4, 11}}, {{4, 11}, {4, 15}}};
    static const struct expected_part parts[] = {
        {"<path id=\"domain\" class=\"domain\" stroke-width=\"100\" d=\"M3600-3600l64800 0 "
         "0-64800-64800 "
         "0zM36000-7200l7200 0-3600-7200z\"/>",
         1},
        {"<path d=\"M18000-18000l3600 0 0-8100-3600 8100z\"/>", 1},
        {"<path class=\"thin\" d=\"M7200-32400l7200-7200M14400-39600l0-14400\"/>", 1},
        {"<use href=\"#domain\" transform=\"translate(32.00 822.00)scale(.01)\"/>", 1},
        {"<use href=\"#obstacles\" transform=\"translate(32.00 822.00)scale(.01)\"/>", 1},
        {".box{fill:#d7dbe0}", 1},
        {">outside the domain<", 1},
        {">1 obstacle<", 1},
        {">2 thin walls<", 1},
        {"clip-path", 0}};
    struct particle particle = {.x = 15, .y = 15};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 20, 20);
    OWNED_TEXT(plain) = draw(&system, SCHEDULE_ARRAY, 0);
    CHECK(!strstr(plain, "domain") && !strstr(plain, "obstacle") && !strstr(plain, "<defs>"));
    system_add_polygon(&system, domain, 4, 1);
    system_add_polygon(&system, hole, 3, 0);
    system.boundary.polygons->list[1].is_domain = 1;
    system_add_polygon(&system, obstacle, 5, 0);
    system_add_polygon(&system, walls[0], 2, 0);
    system_add_polygon(&system, walls[1], 2, 0);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
    check_parts(text, parts, LENGTH(parts));
    polygons_free(system.boundary.polygons);
}

/* Around a domain as much of the box is shown as leaves the same margin on each side: here 1. */
TEST(a_domain_has_an_even_margin)
{
    static const double domain[][2] = {{2, 1}, {12, 1}, {12, 13}, {2, 13}};
    static const struct expected_part parts[] = {
        {"<rect class=\"box\" x=\"32.43\" y=\"102.00\" width=\"617.14\" height=\"720.00\"/>", 1},
        {"d=\"M10286-5143l51428 0 0-61714-51428 0z\"", 1},
        {"<use href=\"#domain\" transform=\"translate(-19.00 822.00)scale(.01)\"/>", 1},
        {"<circle cx=\"341\" cy=\"462\"", 1}};
    struct particle particle = {.x = 7, .y = 7};
    struct system system = arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 20, 20);
    system_add_polygon(&system, domain, 4, 1);
    OWNED_TEXT(text) = draw(&system, SCHEDULE_ARRAY, 0);
    check_parts(text, parts, LENGTH(parts));
    polygons_free(system.boundary.polygons);
}

/* An obstacle across seams is drawn on each side of them, and in each strip of a box that is cut.
 */
TEST(polygons_across_seams)
{
    static const double square[][2] = {{18, 18}, {21, 18}, {21, 21}, {18, 21}};
    static const double plate[][2] = {{10, 1}, {990, 1}, {990, 2}, {10, 2}};
    static const struct expected_part parts[] = {
        {"<use href=\"#obstacles\"", 4},
        {"<g clip-path=\"url(#strip0)\">\n<use href=\"#obstacles\"", 1},
        {"transform=\"translate(-688.00 1560.00)scale(.01)\"", 1},
        {"#domain", 0},
        {".box{fill:#d7dbe0}", 0}};
    static const struct expected_part strips[] = {
        {"<use href=\"#obstacles\"", 10},
        {"<g clip-path=\"url(#strip9)\">\n<use href=\"#obstacles\"", 1}};
    struct particle particle = {.x = 5, .y = 5};
    struct system system =
        SYSTEM(1, 20, 20, .radius = 0.5, .boundary.periodic = PERIODIC_X | PERIODIC_Y,
               .particles = &particle, .counts = (struct particle_counts[1]){{0}});
    system_add_polygon(&system, square, 4, 0);
    char *text = draw(&system, SCHEDULE_ARRAY, 0);
    check_parts(text, parts, LENGTH(parts));
    memory_free(text);
    polygons_free(system.boundary.polygons);
    system.boundary = (struct boundary){.width = 1000, .height = 4};
    particle.y = 3;
    system_add_polygon(&system, plate, 4, 0);
    text = draw(&system, SCHEDULE_ARRAY, 0);
    check_parts(text, strips, LENGTH(strips));
    memory_free(text);
    polygons_free(system.boundary.polygons);
}

/* An observer that is freed before the end leaves nothing behind, nor the file that was there. */
TEST(no_half_pictures)
{
    struct observer *observer;
    struct picture_settings settings = {.output.name = "file"};
    scratch_write("file", "old");
    if (CHECK(observer_create(&picture_operations, &(struct run_settings){0}, &settings.output,
                              &observer, &failure) == STATUS_DONE))
        observer_free(observer);
    CHECK(scratch_has("file", "old") && scratch_count() == 1);
    settings.output.name = "/nowhere/at/all.svg";
    if (CHECK(observer_create(&picture_operations, &(struct run_settings){0}, &settings.output,
                              &observer, &failure) == STATUS_DONE)) {
        CHECK(observer_begin(observer, NULL, &failure) == STATUS_CANNOT_WRITE);
        observer_free(observer);
    }
}

TEST(patterns)
{
    static const char *const refused[] = {"%",    "a%",   "%%",   "%s",    "%i",   "%6d",
                                          "%-6d", "%0d",  "%00d", "%010d", "%06",  "%ld",
                                          "%d%",  "%d%d", "%%d",  "%d/",   "%d/a", "a/%d/b"};
    struct output_pattern names;
    for (size_t k = 0; k < LENGTH(refused); k++)
        CHECK(output_pattern_parse(&names, refused[k]) != NULL && names.pattern == NULL);
    CHECK(output_pattern_parse(&names, "a/b.svg") == NULL && names.pattern == NULL);
    CHECK(output_pattern_parse(&names, "") == NULL && names.pattern == NULL);
    CHECK(output_pattern_parse(&names, "a/%d") == NULL && names.width == 0);
    CHECK(output_pattern_parse(&names, "%09d.svg") == NULL && names.width == 9);
}

static void check_name(const char *pattern, uint64_t number, const char *expected)
{
    struct output_pattern names;
    char name[OUTPUT_PATH_SIZE];
    CHECK(output_pattern_parse(&names, pattern) == NULL);
    output_pattern_format(&names, number, name);
    CHECK(strcmp(name, expected) == 0);
}

TEST(names)
{
    check_name("out/%06d.svg", 17, "out/000017.svg");
    check_name("%d", 0, "0");
    check_name("%03d", 1234, "1234");
    check_name("a.d/d%dd", 10, "a.d/d10d");
}

static void check_list(const char *pattern, const char *expected)
{
    struct output_pattern names;
    char name[OUTPUT_PATH_SIZE];
    CHECK(output_pattern_parse(&names, pattern) == NULL);
    output_pattern_list(&names, name);
    CHECK(strcmp(name, expected) == 0);
}

TEST(the_list)
{
    check_list("x_%04d.vti", "x.pvd");
    check_list("out.d/wing-%d of 9.vti", "out.d/wing.pvd");
    check_list("a.b%d.vti", "a.b.pvd");
    check_list("out/%06d.vti", "out/fields.pvd");
    check_list("-_.%d.vti", "fields.pvd");
}

/* Whether one of eleven frames of each pattern would be the same. */
static int are_mixed(const char *pattern, const char *other)
{
    struct output_pattern names[2];
    struct error error;
    struct output_names files = {
        .frames = {&names[0], &names[1]}, .frame_count = 11, .error = &error};
    CHECK(output_pattern_parse(&names[0], pattern) == NULL);
    CHECK(output_pattern_parse(&names[1], other) == NULL);
    output_names_add(&files, "--fields", pattern, "", NULL);
    output_names_add(&files, "--picture", other, "", NULL);
    return output_names_free(&files) == STATUS_USAGE;
}

TEST(frames_of_two_patterns)
{
    CHECK(are_mixed("a%d.svg", "./a%d.svg") == 1);
    CHECK(are_mixed("a%d.svg", "a%02d.svg") == 1); /* from 10 on */
    CHECK(are_mixed("a%03d.svg", "a%02d.svg") == 0);
    CHECK(are_mixed("a%d.svg", "b%d.svg") == 0);
    CHECK(are_mixed("a%d.svg", "/tmp/a%d.svg") == 0);
}

/* Whether `other` would be one of ten frames. */
static int is_frame(const char *pattern, const char *other)
{
    struct output_pattern names;
    struct error error;
    struct output_names files = {.frames = {&names}, .frame_count = 10, .error = &error};
    CHECK(output_pattern_parse(&names, pattern) == NULL);
    output_names_add(&files, "--picture", pattern, "", NULL);
    output_names_add(&files, "--final", other, "", NULL);
    return output_names_free(&files) == STATUS_USAGE;
}

TEST(what_is_a_frame)
{
    CHECK(is_frame("a%d.svg", "a0.svg") == 1);
    CHECK(is_frame("a%d.svg", "./a9.svg") == 1);
    CHECK(is_frame("./a%02d.svg", "a09.svg") == 1);
    CHECK(is_frame("a%d.svg", "a10.svg") == 0);
    CHECK(is_frame("a%d.svg", "a09.svg") == 0);
    CHECK(is_frame("a%02d.svg", "a9.svg") == 0);
    CHECK(is_frame("a%d.svg", "a.svg") == 0);
    CHECK(is_frame("a%d.svg", "a+1.svg") == 0);
    CHECK(is_frame("a%d.svg", "a1.svg.part") == 0);
    CHECK(is_frame("1%d1", "11") == 0); /* not one 1 for both ends */
    CHECK(is_frame("a%d", "a99999999999999999999999999") == 0);
    CHECK(is_frame("a%d", "../a1") == 0);
    CHECK(is_frame("a%d", "/dev/null") == 0);
}
