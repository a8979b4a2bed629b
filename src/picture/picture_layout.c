/*
 * Where the box goes on a picture; see picture_layout.h. Lengths are divided by one another before
 * anything else is done, so no unit of theirs is too small or too large.
 */
#include "picture_layout.h"

#include <math.h>

static const double MOST_ASPECT = 10; /* of a box in one piece */

/* How many strips show a box of this aspect best: the more, the thicker they are. */
static size_t count_strips(double aspect)
{
    if (aspect <= MOST_ASPECT)
        return 1;
    return (size_t)fmin(PICTURE_MOST_STRIPS, ceil(sqrt(aspect / 3)));
}

struct picture_layout picture_layout_choose(double width, double height)
{
    struct picture_layout layout = {.is_tall = height > width};
    double aspect = layout.is_tall ? height / width : width / height;
    layout.strips = count_strips(aspect);
    double length = (layout.is_tall ? height : width) / (double)layout.strips;
    layout.strip_length = length;
    double strip_width = layout.is_tall ? width : length;
    double strip_height = layout.is_tall ? length : height;
    layout.scale_length =
        fmax(strip_width, strip_height * ((double)PICTURE_MOST_WIDTH / PICTURE_MOST_HEIGHT));
    layout.strip_pixels[0] = picture_layout_pixels(&layout, strip_width);
    layout.strip_pixels[1] = picture_layout_pixels(&layout, strip_height);

    double further = (double)(layout.strips - 1); /* strips beyond the first */
    double all_width =
        layout.strip_pixels[0] +
        (layout.is_tall ? further * (layout.strip_pixels[0] + PICTURE_STRIP_GAP) : 0);
    double all_height =
        layout.strip_pixels[1] +
        (layout.is_tall ? 0 : further * (layout.strip_pixels[1] + PICTURE_STRIP_GAP));
    layout.width = ceil(fmax(PICTURE_LEAST_WIDTH, all_width + 2 * PICTURE_MARGIN));
    layout.box_x = (layout.width - all_width) / 2;
    layout.box_y = PICTURE_HEADER + (layout.strips > 1 ? PICTURE_HEADER_LINE : 0);
    layout.bottom = layout.box_y + all_height;
    return layout;
}

double picture_layout_pixels(const struct picture_layout *layout, double length)
{
    return length / layout->scale_length * PICTURE_MOST_WIDTH;
}

size_t picture_layout_strip(const struct picture_layout *layout, double x, double y)
{
    double place = floor((layout->is_tall ? y : x) / layout->strip_length);
    return (size_t)fmin(fmax(place, 0), (double)(layout->strips - 1));
}

void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2])
{
    int axis = layout->is_tall ? 0 : 1;
    corner[0] = layout->box_x;
    corner[1] = layout->box_y;
    corner[axis] += (double)strip * (layout->strip_pixels[axis] + PICTURE_STRIP_GAP);
}

void picture_layout_place(const struct picture_layout *layout, size_t strip, double x, double y,
                          double place[2])
{
    double begin = (double)strip * layout->strip_length;
    double right = layout->is_tall ? x : x - begin;
    double up = layout->is_tall ? y - begin : y;
    picture_layout_corner(layout, strip, place);
    place[0] += picture_layout_pixels(layout, right);
    place[1] += layout->strip_pixels[1] - picture_layout_pixels(layout, up);
}
