/* Tests of plots: ticks at round numbers, all in bounds, and the table of numbers. */
#include "picture/drawing.h"

#include "check.h"

static char text[200000];

static void draw(const struct plot *plot)
{
    FILE *stream = tmpfile();
    text[0] = '\0';
    if (CHECK(stream != NULL)) {
        plot_write(plot, stream);
        rewind(stream);
        text[fread(text, 1, sizeof text - 1, stream)] = '\0';
        fclose(stream);
    }
}

/* A plot of some points. */
static void draw_points(struct report_point *points, size_t count, enum plot_form form,
                        int is_close)
{
    const struct report_series series = {.quantity = "q", .count = count, .points = points};
    const struct plot plot = {.labels = {"A title", "x", "y"},
                              .is_close = is_close,
                              .level = (double)NAN,
                              .count = 1,
                              .series = {{"q", "series", form}},
                              .points = {&series}};
    draw(&plot);
}

/* How often a text occurs. */
static int count_of(const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

/* Whether all coordinates of paths are in the drawing, of 440 x 248. */
static int is_in_bounds(void)
{
    for (const char *at = text; (at = strstr(at, " d=\"M")); at++) {
        char *end = NULL;
        const double x = strtod(at + 5, &end);
        const double y = strtod(end, NULL);
        if (!(x >= 0 && x <= 440 && y >= 0 && y <= 248))
            return 0;
    }
    return !strstr(text, "nan") && !strstr(text, "inf");
}

TEST(ticks)
{
    struct report_point points[] = {{0, 0, (double)NAN}, {10, 3.7, (double)NAN}};
    draw_points(points, 2, PLOT_CURVE, 0);
    CHECK(strstr(text, ">0</text>") && strstr(text, ">10</text>") && strstr(text, ">3</text>"));
    CHECK(!strstr(text, ">3.5</text>") && strstr(text, ">8</text>") && !strstr(text, ">7</text>"));
    CHECK(!strstr(text, ">-1</text>") && !strstr(text, "-0<"));
    CHECK(strstr(text, "role=\"img\" aria-label=\"A title: y against x.") != NULL);
    CHECK(is_in_bounds());
}

/* A smooth curve passes through all points. */
TEST(smooth)
{
    struct report_point points[] = {{0, 0, (double)NAN}, {3, 3, (double)NAN}, {6, 6, (double)NAN}};
    draw_points(points, 3, PLOT_SMOOTH, 0);
    CHECK(strstr(text, "d=\"M62.0 204.0C122.7 173.2 ") && is_in_bounds()); /* a straight line */
    CHECK(strstr(text, " 244.0 ") && strstr(text, " 426.0 "));
    points[0].value = 20;
    points[1].value = points[2].value = 0;
    draw_points(points, 3, PLOT_SMOOTH, 0);
    CHECK(strstr(text, "C304.7 204.0 365.3 204.0 426.0 204.0")); /* it stays above the axis */
}

/* Constant, alone, huge, tiny: the ticks come to an end, and all is in bounds. */
TEST(extremes)
{
    static const double values[] = {0, 1, -3, 1e-300, 1e300, 1e20, 123456.7};
    for (size_t k = 0; k < LENGTH(values); k++)
        for (int form = PLOT_CURVE; form <= PLOT_POINTS; form++)
            for (int is_close = 0; is_close < 2; is_close++) {
                struct report_point points[] = {{values[k], values[k], (double)NAN},
                                                {values[k], values[k], 0.1}};
                draw_points(points, 1, (enum plot_form)form, is_close);
                CHECK(is_in_bounds());
                draw_points(points, 2, (enum plot_form)form, is_close);
                CHECK(is_in_bounds());
                CHECK(count_of("</text>") < 20);
            }
}

/* Errors are a band, if any is known; and a line of one point is a dot. */
TEST(errors)
{
    struct report_point points[] = {{1, 2, (double)NAN}, {2, 3, (double)NAN}, {3, 4, (double)NAN}};
    draw_points(points, 1, PLOT_CURVE, 0);
    CHECK(count_of("<circle") == 1);
    draw_points(points, 3, PLOT_CURVE, 0);
    CHECK(is_in_bounds() && count_of("<tr><td>") == 3 && count_of("–") == 0);
    CHECK(count_of("<circle") == 0);
    CHECK(!strstr(text, "standard error") && !strstr(text, "class=\"band\""));
    points[0].error = 0.5;
    draw_points(points, 3, PLOT_CURVE, 0);
    CHECK(strstr(text, "standard error") && strstr(text, "class=\"band\""));
    CHECK(strstr(text, "<tr><td>1<td>2<td>0.5\n") && strstr(text, "<tr><td>3<td>4<td>–\n"));
}

TEST(categories)
{
    static const char *const names[] = {"left", "right"};
    struct report_point points[] = {{0, 30, (double)NAN}, {1, 50, (double)NAN}};
    const struct report_series series = {.quantity = "q", .count = 2, .points = points};
    const struct plot plot = {.labels = {"Walls", "wall", "hits"},
                              .categories = names,
                              .level = 40,
                              .count = 1,
                              .series = {{"q", "hits", PLOT_BARS}},
                              .points = {&series}};
    draw(&plot);
    CHECK(count_of(">left") == 2 && count_of(">right") == 2); /* below the bar, in the table */
    CHECK(strstr(text, "<tr><td>right<td>50\n") && strstr(text, "class=\"level\""));
    CHECK(strstr(text, "Enskog's theory") && is_in_bounds());
}
