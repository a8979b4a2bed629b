/* Tests of where the box goes on a picture. */
#include "check.h"
#include "picture/picture_layout.h"

#include <math.h>

static int is_near(double value, double expected)
{
    return fabs(value - expected) < 1e-6;
}

static void test_a_square(void)
{
    struct picture_layout layout = picture_layout_choose(20, 20);
    CHECK(layout.strips == 1 && is_near(layout.strip_pixels[0], PICTURE_MOST_HEIGHT) &&
          is_near(layout.strip_pixels[1], PICTURE_MOST_HEIGHT));
    CHECK(is_near(picture_layout_pixels(&layout, 10), PICTURE_MOST_HEIGHT / 2.0));
    double place[2];
    picture_layout_place(&layout, 0, 0, 0, place); /* the lower left corner */
    CHECK(is_near(place[0], layout.box_x) && is_near(place[1], layout.bottom));
    picture_layout_place(&layout, 0, 20, 15, place);
    CHECK(is_near(place[0], layout.box_x + PICTURE_MOST_HEIGHT));
    CHECK(is_near(place[1], layout.box_y + PICTURE_MOST_HEIGHT / 4.0));
}

static void test_a_wide_box_fills_the_width(void)
{
    struct picture_layout layout = picture_layout_choose(30, 10);
    CHECK(layout.strips == 1 && is_near(layout.strip_pixels[0], PICTURE_MOST_WIDTH) &&
          is_near(layout.strip_pixels[1], PICTURE_MOST_WIDTH / 3.0));
    CHECK(is_near(layout.width, PICTURE_MOST_WIDTH + 2 * PICTURE_MARGIN));
}

static void test_a_narrow_box_is_centred(void)
{
    struct picture_layout layout = picture_layout_choose(1, 10);
    CHECK(layout.strips == 1 && layout.width == PICTURE_LEAST_WIDTH);
    CHECK(is_near(layout.box_x + layout.strip_pixels[0] / 2, PICTURE_LEAST_WIDTH / 2.0));
}

static void test_strips_of_a_wide_box(void)
{
    struct picture_layout layout = picture_layout_choose(1000, 1);
    CHECK(layout.strips == 19 && !layout.is_tall && is_near(layout.strip_length, 1000.0 / 19));
    CHECK(layout.strip_pixels[1] > 12); /* thick enough to see disks in it */
    CHECK(picture_layout_strip(&layout, 0, .5) == 0);
    CHECK(picture_layout_strip(&layout, -3, .5) == 0);
    CHECK(picture_layout_strip(&layout, 1003, .5) == 18);
    CHECK(picture_layout_strip(&layout, 1.5 * layout.strip_length, .5) == 1);
    double place[2];
    double corner[2];
    picture_layout_place(&layout, 1, 1.5 * layout.strip_length, 0.5, place);
    picture_layout_corner(&layout, 1, corner);
    CHECK(is_near(place[0], layout.box_x + PICTURE_MOST_WIDTH / 2.0));
    CHECK(is_near(place[1], corner[1] + layout.strip_pixels[1] / 2));
    CHECK(is_near(corner[1], layout.box_y + layout.strip_pixels[1] + PICTURE_STRIP_GAP));
    picture_layout_corner(&layout, 18, corner);
    CHECK(is_near(layout.bottom, corner[1] + layout.strip_pixels[1]));
}

static void test_strips_of_a_high_box(void)
{
    struct picture_layout layout = picture_layout_choose(1, 100);
    CHECK(layout.strips == 6 && layout.is_tall);
    CHECK(is_near(layout.strip_pixels[1], PICTURE_MOST_HEIGHT));
    CHECK(picture_layout_strip(&layout, .5, 99) == 5);
    double place[2];
    double corner[2];
    picture_layout_place(&layout, 5, 0.5, 100, place);
    picture_layout_corner(&layout, 5, corner);
    CHECK(is_near(place[0], corner[0] + layout.strip_pixels[0] / 2) &&
          is_near(place[1], corner[1]));
    CHECK(is_near(corner[0] + layout.strip_pixels[0], layout.width - layout.box_x));
}

/* Whatever the units and the shape, all is finite and on the canvas. */
static void test_extremes(void)
{
    static const double sizes[] = {1e-40, 1e-10, 1, 3e7, 1e40};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b < COUNT; b++) {
            struct picture_layout layout = picture_layout_choose(sizes[a], sizes[b]);
            CHECK(layout.strips >= 1 && layout.strips <= PICTURE_MOST_STRIPS);
            CHECK(layout.width <= PICTURE_MOST_WIDTH + 2 * PICTURE_MARGIN);
            CHECK(layout.bottom <= PICTURE_HEADER + PICTURE_HEADER_LINE + PICTURE_MOST_HEIGHT);
            for (double part = 0; part <= 1; part += 0.25) {
                double x = part * sizes[a];
                double y = part * sizes[b];
                double place[2];
                picture_layout_place(&layout, picture_layout_strip(&layout, x, y), x, y, place);
                CHECK(place[0] > layout.box_x - 1e-6 &&
                      place[0] < layout.width - layout.box_x + 1e-6);
                CHECK(place[1] > layout.box_y - 1e-6 && place[1] < layout.bottom + 1e-6);
            }
        }
}

int main(void)
{
    RUN(test_a_square);
    RUN(test_a_wide_box_fills_the_width);
    RUN(test_a_narrow_box_is_centred);
    RUN(test_strips_of_a_wide_box);
    RUN(test_strips_of_a_high_box);
    RUN(test_extremes);
    return check_finish();
}
