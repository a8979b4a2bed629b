/* Tests of the page of an animation: the template as it is, with data at its mark that are known
 * byte by byte. What the page does with them is tested in a browser: see browser.sh. */
#include "check.h"
#include "picture/drawing.h"

static const char mark[] = "<!-- DATA -->\n";

/* The page of a run, ended by a byte 0, which the caller gives to free. */
static char *write_page(const struct system *system, const struct animation_run *run)
{
    char *page = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&page, &size);
    if (!stream)
        exit(EXIT_FAILURE);
    const struct snapshot start = snapshot_in_order(system, 0);
    animation_page_begin(&start, observers_dynamics(NULL), stream);
    animation_page_end(system, run, stream);
    if (!CHECK(!ferror(stream) && fclose(stream) == 0 && strlen(page) == size))
        exit(EXIT_FAILURE);
    return page;
}

/* Where the template has the mark; it has it once, as a line of its own. */
static size_t find_mark(void)
{
    const size_t length = sizeof mark - 1;
    size_t found = 0, place = 0;
    for (size_t k = 0; k + length <= strlen(animation_template); k++) {
        if (memcmp(animation_template + k, mark, length) == 0) {
            place = k;
            found++;
        }
    }
    CHECK(found == 1 && place > 0 && animation_template[place - 1] == '\n');
    return place;
}

/* Whether a text is the template behind its mark: lines that begin with //+ without that, or, where
 * disks do not grow, not at all. */
static int is_script(const char *text, int grows)
{
    size_t of_growth = 0;
    for (const char *line = animation_template + find_mark() + sizeof mark - 1; *line;) {
        const size_t length = strcspn(line, "\n") + 1, skipped = memcmp(line, "//+", 3) ? 0 : 3;
        of_growth += skipped > 0;
        if ((grows || !skipped) && strncmp(text, line + skipped, length - skipped) != 0)
            return 0;
        text += grows || !skipped ? length - skipped : 0;
        line += length;
    }
    return CHECK(of_growth > 20) && *text == '\0';
}

/* Whether a page is the template with `data` at its mark. */
static int has_data(const char *page, const char *data)
{
    size_t place = find_mark();
    size_t length = strlen(data);
    int is_so = memcmp(page, animation_template, place) == 0 &&
                strncmp(page + place, data, length) == 0 && is_script(page + place + length, 0);
    if (!is_so && strlen(page) > place)
        printf("%.1500s\n", page + place);
    return is_so;
}

static struct particle particles[] = {{.x = 1, .y = 2, .u = 0.5, .v = -1},
                                      {.x = 3.25, .y = 4, .v = 1e-3, .id = 1, .kind = 1}};
static struct particle_kind kinds[] = {{1, 1, 0}, {0.5, 0.25, 7}};

/* These numbers, written by another program's base64. */
#define STATE                                                                                      \
    "<script type=\"text/plain\" id=\"state\">\n"                                                  \
    "AAAAAAAA8D8AAAAAAAAAQAAAAAAAAOA/AAAAAAAA8L8AAAAAAAAKQAAAAAAAABBAAAAAAAAAAAD8qfHSTWJQPw==\n"   \
    "</script>\n"

TEST(a_run_with_all_events)
{
    struct animation_event events[] = {{0.75, 0, 1, {0, 1e-3, 0.5, -1}},
                                       {1.5, 1, -4, {9, 9, 9, 9}}};
    const struct system system =
        SYSTEM(2, 8, 0.1, .particles = particles, .counts = (struct particle_counts[2]){{0}},
               .kind_count = 2, .kinds = kinds);
    const struct animation_run run = {.title = "two",
                                      .has_collisions = 1,
                                      .end_time = 2.5,
                                      .is_exact = 1,
                                      .event_count = 2,
                                      .events = events,
                                      .frame_count = 0};
    char *page = write_page(&system, &run);
    CHECK(has_data(
        page, STATE
        "<script type=\"text/plain\" id=\"kinds\">\n"
        "AAAAAAAA8D8AAAAAAADwPwAAAAAAAAAAAADgPwAAAAAAANA/BwAAAA==\n</script>\n"
        "<script type=\"text/plain\" id=\"kind-of\">\nAAAAAAEAAAA=\n</script>\n"
        "<script type=\"text/plain\" id=\"events\">\n"
        "AAAAAAAA6D8AAAAAAQAAAAAAAAAAAAAA/Knx0k1iUD8AAAAAAADgPwAAAAAAAPC/AAAAAAAA+D8BAAAA/P///w==\n"
        "</script>\n<script type=\"application/json\" id=\"run\">\n{\"title\": \"two\",\n"
        "\"count\": 2, \"width\": 8, \"height\": 0.10000000000000001, \"periodic\": 0, "
        "\"endTime\": 2.5,\n"
        "\"kinds\": 2, \"exact\": true, \"events\": 2, \"frames\": 0}\n</script>\n"));
    free(page);
}

/* Where all particles are alike, the page has no kinds. */
TEST(a_run_in_frames)
{
    struct animation_frame frames[] = {{0, 0, 0}, {2, 3, 1}};
    const struct system system =
        SYSTEM(2, 8, 5, .radius = 2, .boundary.periodic = PERIODIC_Y, .particles = particles,
               .counts = (struct particle_counts[2]){{0}});
    unsigned char states[2 * 2 * ANIMATION_FRAME_BYTES];
    for (size_t k = 0; k < sizeof states; k++)
        states[k] = (unsigned char)k;
    const struct animation_run run = {.title = "",
                                      .has_collisions = 1,
                                      .end_time = 3,
                                      .event_count = 700,
                                      .frame_count = 2,
                                      .frames = frames,
                                      .states = states};
    char *page = write_page(&system, &run);
    CHECK(has_data(
        page,
        STATE "<script type=\"text/plain\" id=\"kinds\">\nAAAAAAAAAEAAAAAAAADwPwAAAAA=\n</script>\n"
              "<script type=\"text/plain\" id=\"kind-of\">\n</script>\n"
              "<script type=\"text/plain\" id=\"frames\">\n"
              "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAECAwQFBgcICQoLDA0ODxAREhMUFRYXAAAAAAAAAEAAAAAAAAAI"
              "QAAAAAAAAPA/"
              "GBkaGxwdHh8gISIjJCUmJygpKissLS4v\n"
              "</script>\n<script type=\"application/json\" id=\"run\">\n{\"title\": \"\",\n"
              "\"count\": 2, \"width\": 8, \"height\": 5, \"periodic\": 2, \"endTime\": 3,\n"
              "\"kinds\": 1, \"exact\": false, \"events\": 700, \"frames\": 2}\n</script>\n"));
    free(page);
}

/* Vertices in parts of the box; and what is after a hit of the first corner, but not of a wall. */
TEST(polygons)
{
    static const double wall[][2] = {{2, 0.025}, {6, 0.05}};
    static const double domain[][2] = {{0, 0}, {8, 0}, {4, 0.1}};
    struct animation_event events[] = {{0.75, 0, FEATURE_TOP, {9, 9, 9, 9}},
                                       {1.5, 1, FEATURE_TOP - 2, {0, 1e-3, 0.5, -1}}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 0, 8, 0.1);
    const struct animation_run run = {
        .title = "", .has_collisions = 1, .is_exact = 1, .event_count = 2, .events = events};
    system_add_polygon(&system, wall, 2, 0);
    system_add_polygon(&system, domain, 3, 1);
    char *page = write_page(&system, &run);
    CHECK(strstr(page,
                 "<script type=\"text/plain\" id=\"polygons\">\n"
                 "AgAAAAAAAAAAAIA+AACAPgAAQD8AAAA/AwAAAAEAAAAAAAAAAAAAAAAAgD8AAAAAAAAAPwAAgD8=\n"
                 "</script>\n") != NULL);
    CHECK(strstr(page, "<script type=\"text/plain\" id=\"events\">\n"
                       "AAAAAAAA6D8AAAAA/P///wAAAAAAAPg/AQAAAPr///8AAAAAAAAAAPyp8dJNYlA/"
                       "AAAAAAAA4D8AAAAAAADwvw==\n"
                       "</script>\n") != NULL);
    free(page);
    polygons_free(system.boundary.polygons);
}

/* In a stream, what is after the passage of a seam in x, momenta of polygons before the states of a
 * frame, and the stream itself. */
TEST(streams)
{
    static double momenta[][2] = {{0, 1e-3}, {0.5, -1}};
    static struct animation_frame frame = {0.75, 9, 9};
    struct animation_event event = {0.75, 0, FEATURE_RIGHT, {0, 1e-3, 0.5, -1}};
    unsigned char states[2 * ANIMATION_FRAME_BYTES] = {0};
    struct system system = SYSTEM(2, 8, 5, .boundary.periodic = PERIODIC_X, .particles = particles,
                                  .counts = (struct particle_counts[2]){{0}});
    system.boundary.stream = stream_make(-0.5, 2, 1);
    struct animation_run run = {
        .title = "", .has_collisions = 1, .is_exact = 1, .event_count = 1, .events = &event};
    char *page = write_page(&system, &run);
    CHECK(strstr(page, "<script type=\"text/plain\" id=\"events\">\n"
                       "AAAAAAAA6D8AAAAA/v///wAAAAAAAAAA/Knx0k1iUD8AAAAAAADgPwAAAAAAAPC/\n"
                       "</script>\n") != NULL);
    CHECK(strstr(page, "\"events\": 1, \"frames\": 0,\n\"stream\": {\"speed\": -0.5, "
                       "\"temperature\": 2, \"forces\": 0}}\n</script>\n") != NULL);
    free(page);
    run = (struct animation_run){.title = "",
                                 .has_collisions = 1,
                                 .frame_count = 1,
                                 .frames = &frame,
                                 .states = states,
                                 .force_count = 2,
                                 .momenta = momenta};
    page = write_page(&system, &run);
    CHECK(strstr(page,
                 "<script type=\"text/plain\" id=\"frames\">\n"
                 "AAAAAAAA6D8AAAAAAAAiQAAAAAAAACJAAAAAAAAAAAD8qfHSTWJQPwAAAAAAAOA/AAAAAAAA8L8A"
                 "AAAA") != NULL);
    CHECK(strstr(page, "\"forces\": 2}}\n") != NULL);
    free(page);
}

/* Where disks grow, their rate, what is after a hit of a wall, and lines of the script. */
TEST(growth)
{
    struct animation_event event = {0.75, 0, FEATURE_TOP, {0, 1e-3, 0.5, -1}};
    const struct system system =
        arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 8, 5);
    const struct animation_run run = {.title = "",
                                      .growth = 0.1,
                                      .has_collisions = 1,
                                      .is_exact = 1,
                                      .event_count = 1,
                                      .events = &event};
    char *page = write_page(&system, &run);
    CHECK(strstr(page, "<script type=\"text/plain\" id=\"events\">\n"
                       "AAAAAAAA6D8AAAAA/P///wAAAAAAAAAA/Knx0k1iUD8AAAAAAADgPwAAAAAAAPC/\n"
                       "</script>\n") != NULL);
    const char *end = strstr(page, "\"frames\": 0, \"growth\": 0.10000000000000001}\n</script>\n");
    CHECK(end && is_script(strstr(end, "</script>\n") + 10, 1));
    free(page);
}

/* Characters that could end a string or an element are escaped in the page. */
TEST(titles_are_escaped)
{
    static const struct {
        const char *title, *written;
    } titles[] = {
        {"</script>\"\\&'\n\x7f<!--\xc3\xa9", "\\u003c/script\\u003e\\u0022\\u005c\\u0026\\u0027"
                                              "\\u000a\\u007f\\u003c!--\xc3\xa9"},
        {"\x01\x1f\t a.txt~", "\\u0001\\u001f\\u0009 a.txt~"},
    };
    const struct system system =
        arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 2, 8, 5);
    for (size_t k = 0; k < LENGTH(titles); k++) {
        char expected[200];
        const struct animation_run run = {
            .title = titles[k].title, .has_collisions = 1, .is_exact = 1};
        char *page = write_page(&system, &run);
        snprintf(expected, sizeof expected, "\n{\"title\": \"%s\",\n", titles[k].written);
        CHECK(strstr(page + find_mark(), expected) != NULL);
        free(page);
    }
}
