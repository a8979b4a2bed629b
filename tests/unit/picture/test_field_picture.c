/* Tests of the picture of fields. That it is XML is checked in fields.sh. */
#include "picture/picture.h"

#include "check.h"
#include "observed.h"

/* The picture of a run of points that shows a field, which the caller frees. */
static char *draw_field(struct system *system, size_t columns, size_t rows, double end_time,
                        enum field_shown shown)
{
    const struct fields_settings settings = {
        {.name = "file"}, field_picture_write, 0, columns, rows, shown};
    return observed_text(&fields_operations, &(struct run_settings){.to = end_time},
                         &settings.output, system, SCHEDULE_ARRAY, end_time);
}

static char *draw(struct system *system, size_t columns, size_t rows, double end_time)
{
    return draw_field(system, columns, rows, end_time, SHOW_DENSITY);
}

/* Two points in a box of 20 x 10, 880 x 440 pixels: at rest on the left, moving on the right. */
struct scene {
    struct particle particles[2];
    struct particle_counts counts[2];
    struct system system;
};

static void begin(struct scene *scene, double height)
{
    *scene = (struct scene){.particles = {{.x = 5, .y = 5}, {.x = 12, .y = 5, .u = 1, .id = 1}}};
    scene->system = arranged_few(scene->particles, scene->counts, 2, 0, 20, height);
}

/* The polygons alone: the particles are on the stack. */
static void end(struct scene *scene)
{
    scene->system.particles = NULL;
    scene->system.counts = NULL;
    system_free(&scene->system);
}

TEST(cells_and_arrows)
{
    struct scene scene;
    begin(&scene, 10);
    OWNED_TEXT(text) = draw(&scene.system, 4, 1, 1);
    /* One shade for two empty cells, lower than the other two: they are side by side. */
    CHECK(observed_count(text, "<path fill=\"#") == 2);
    CHECK(strstr(text, "transform=\"scale(220 -440)\""));
    CHECK(strstr(text, "<path fill=\"#440154\" d=\"M0 0H1v1H0zM3 0H4v1H3z\"/>"));
    CHECK(strstr(text, "<path fill=\"#fde725\" d=\"M1 0H3v1H1z\"/>"));
    /* One arrow, around the middle of its cell; what is at rest has none. */
    CHECK(observed_count(text, "L") == 3 &&
          strstr(text, "id=\"arrows\" d=\"M524.4 -220L575.6 -220M"));
    CHECK(strstr(text, "2 particles, averaged from time 0 to 1 · box 20 × 10 · 4 × 1 cells"));
}

/* A uniform density is in the middle of the scale, whose numbers are round: it is the mean. */
TEST(the_scale)
{
    struct scene scene;
    begin(&scene, 10);
    char *text = draw(&scene.system, 2, 1, 1);
    CHECK(observed_count(text, "<path fill=\"#") == 1 && strstr(text, ">1</text>"));
    CHECK(strstr(text, ">0.95</text>") && strstr(text, ">1.05</text>"));
    CHECK(strstr(text, ">mean 0.01</text>"));
    memory_free(text);
    begin(&scene, 10);
    text = draw(&scene.system, 2, 1, 0); /* no time: no density and no speed */
    CHECK(observed_count(text, "<path fill=\"#") == 0 && !strstr(text, "arrows\""));
    memory_free(text);
}

/* The other fields. Two points are too few for temperatures. */
RANDOM_TEST(other_fields, 92)
{
    static const char *const titles[] = {"Density", "Speed", "Temperature", "Pressure",
                                         "Mach number"};
    OWNED(system, system) = random_system(random, 30, 0.2, 2);
    struct scene scene;
    begin(&scene, 10);
    char *text = draw_field(&scene.system, 4, 1, 1, SHOW_SPEED);
    CHECK(strstr(text, "<path fill=\"#440154\" d=\"M1 0H2v1H1z\"/>")); /* two are empty */
    CHECK(strstr(text, "<path fill=\"#fde725\" d=\"M2 0H3v1H2z\"/>"));
    memory_free(text);
    begin(&scene, 10);
    text = draw_field(&scene.system, 4, 1, 1, SHOW_TEMPERATURE);
    CHECK(observed_count(text, "<path fill=\"#") == 0);
    memory_free(text);
    double end_time = 10;
    for (enum field_shown shown = SHOW_DENSITY; shown < FIELDS_SHOWN; shown++) {
        char title[100];
        text = draw_field(&system, 3, 3, end_time += 10, shown);
        snprintf(title, sizeof title, ">%s and mean velocity</text>", titles[shown]);
        CHECK(strstr(text, title) && observed_count(text, "<path fill=\"#") > 1);
        CHECK((strstr(text, "√(2T/m)") != NULL) == (shown == SHOW_MACH));
        memory_free(text);
    }
}

/* The sides of a periodic axis are dashed, and the header has the stream. */
TEST(a_stream)
{
    struct scene scene;
    begin(&scene, 10);
    char *text = draw(&scene.system, 4, 1, 1);
    CHECK(observed_count(text, "<path class=\"wall\"") == 2 && !strstr(text, "class=\"seam\""));
    memory_free(text);
    begin(&scene, 10);
    scene.system.boundary.periodic = PERIODIC_X;
    scene.system.boundary.stream = stream_make(-3, 2, 1);
    text = draw(&scene.system, 4, 1, 1);
    CHECK(observed_count(text, "<path class=\"wall\"") == 1 &&
          observed_count(text, "class=\"seam\"") == 1);
    CHECK(strstr(text, ">stream U = -3, T = 2, Mach 1.5 (") && strstr(text, ">periodic along x"));
    memory_free(text);
}

/* Small cells share arrows, and there are no more of them than fit in. */
RANDOM_TEST(small_cells, 91)
{
    OWNED(system, system) = random_system(random, 300, 0.2, 2);
    OWNED_TEXT(text) = draw(&system, 300, 150, 30);
    const char *arrows = strstr(text, "id=\"arrows\"");
    CHECK(arrows && observed_count(arrows, "M") < 3 * 28 * 14 &&
          observed_count(arrows, "M") > 28 * 14);
    CHECK(strlen(text) < 3000000);
}

/* An obstacle is drawn once, and the map is cut where there is a domain. */
TEST(polygons)
{
    static const double obstacle[3][2] = {{8, 2}, {10, 2}, {9, 4}};
    static const double domain[4][2] = {{1, 1}, {19, 1}, {19, 9}, {1, 9}};
    for (int is_domain = 0; is_domain < 2; is_domain++) {
        struct scene scene;
        begin(&scene, 10);
        if (is_domain)
            system_add_polygon(&scene.system, domain, 4, 1);
        else
            system_add_polygon(&scene.system, obstacle, 3, 0);
        scene.system.boundary.polygons->list[0].is_domain = is_domain;
        char *text = draw(&scene.system, 5, 5, 1);
        CHECK(strstr(text, is_domain ? ">outside the domain<" : ">1 obstacle<"));
        CHECK((strstr(text, "clip-path=\"url(#inside)\"") != NULL) == is_domain);
        memory_free(text);
        end(&scene);
    }
}

/* A slender box is cut into strips, of which each shows its part of the one map. */
TEST(strips)
{
    struct scene scene;
    begin(&scene, 1);
    scene.particles[0].y = scene.particles[1].y = 0.5;
    scene.system.boundary.width = 60;
    OWNED_TEXT(text) = draw(&scene.system, 60, 1, 1);
    const size_t strips = observed_count(text, "<use href=\"#map\"");
    CHECK(strips > 1 && observed_count(text, "<clipPath id=\"strip") == strips);
    CHECK(observed_count(text, "<g id=\"map\"") == 1);
}
