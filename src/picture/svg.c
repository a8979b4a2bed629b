/* The elements of which pictures consist, as SVG. */
#include "drawing.h"

#include "io/number.h"
#include "picture/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* In pixels. */
enum {
    BAR_HEIGHT = 12,
    MAX_SCALE = 90 /* the longest arrow for scale */
};

const char picture_beginning[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";

void tag_write(FILE *stream, const char *format, ...)
{
    char quoted[TAG_FORMAT_SIZE];
    va_list arguments;
    size_t length = 0;
    for (; format[length] != '\0' && length < sizeof quoted - 1; length++)
        quoted[length] = format[length] == '\'' ? '"' : format[length];
    quoted[length] = '\0';
    va_start(arguments, format);
    vfprintf(stream, quoted, arguments);
    va_end(arguments);
}

int picture_legend_write_line(int y, FILE *stream, const char *format, ...)
{
    va_list arguments;
    tag_write(stream, "<text class='quiet' x='%d' y='%d'>", PICTURE_MARGIN, y);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputs("</text>\n", stream);
    return y + PICTURE_HEADER_LINE;
}

void svg_write_pixels(FILE *stream, const char *before, double value)
{
    static const struct number_decimals hundredths = {.places = 2, .scale = 100};
    char text[NUMBER_SHORTEST_SIZE];
    number_write_decimal(text, &hundredths, number_round(&hundredths, value));
    fputs(before, stream);
    fputs(text, stream);
}

const char *picture_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void svg_write_rectangle(const char *begin, const double corner[2], const double size[2],
                         const char *end, FILE *stream)
{
    tag_write(stream, "%s x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>%s\n", begin, corner[0],
              corner[1], size[0], size[1], end);
}

void svg_write_arrow(const double begin[2], const double direction[2], double length, double head,
                     FILE *stream)
{
    static const double cosine = 0.906; /* the head is two lines at 25 degrees */
    static const double sine = 0.423;
    const double right = direction[0], down = direction[1];
    const double tip[2] = {begin[0] + length * right, begin[1] + length * down};
    const double points[5][2] = {{begin[0], begin[1]},
                                 {tip[0], tip[1]},
                                 {tip[0] - head * (cosine * right - sine * down),
                                  tip[1] - head * (cosine * down + sine * right)},
                                 {tip[0], tip[1]},
                                 {tip[0] - head * (cosine * right + sine * down),
                                  tip[1] - head * (cosine * down - sine * right)}};
    for (int k = 0; k < 5; k++) {
        svg_write_pixels(stream, k == 0 || k == 2 ? "M" : "L", points[k][0]);
        svg_write_pixels(stream, " ", points[k][1]);
    }
}

void picture_drawing_begin(double width, double height, const char *title, FILE *stream)
{
    tag_write(stream,
              "%sxmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
              "viewBox='0 0 %g %g' role='img'>\n<title>%s</title>\n",
              picture_beginning, width, height, width, height, title);
}

void picture_drawing_write_card(double width, double height, const char *title, FILE *stream)
{
    tag_write(stream,
              "<rect class='card' x='.5' y='.5' width='%g' height='%g' rx='10'/>\n"
              "<text class='title' x='%d' y='38'>%s</text>\n",
              width - 1, height - 1, PICTURE_MARGIN, title);
}

double picture_legend_round(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.16e", value); /* its first digit decides */
    text[0] = text[0] >= '5' ? '5' : text[0] >= '2' ? '2' : '1';
    for (size_t k = 2; text[k] != 'e'; k++)
        text[k] = '0';
    return strtod(text, NULL);
}

double picture_legend_write_bar(const struct picture_bar *bar, double y, FILE *stream)
{
    const double range = bar->high - bar->low;
    const double step = range > 0 ? picture_legend_round(range / bar->parts) : 1;
    const int left = PICTURE_MARGIN + bar->label_width;
    tag_write(stream, "<text x='%d' y='%g'>%s</text>\n<linearGradient id='%s'>", PICTURE_MARGIN,
              y + 4, bar->label, bar->id);
    for (int k = 0; k < PICTURE_COLOUR_STOPS; k++) {
        const double position = k / (double)(PICTURE_COLOUR_STOPS - 1);
        tag_write(stream, "<stop offset='%.4f' stop-color='#%06" PRIx32 "'/>", position,
                  picture_quantity_colour(position));
    }
    tag_write(stream,
              "</linearGradient>\n"
              "<rect class='line' fill='url(#%s)' x='%d' y='%g' width='%d' height='%d'/>\n",
              bar->id, left, y - BAR_HEIGHT / 2, bar->width, BAR_HEIGHT);
    for (double number = ceil(bar->low / step); number * step <= bar->high; number++) {
        const double part = range > 0 ? (number * step - bar->low) / range : 0;
        tag_write(stream,
                  "<path class='line' d='M%.1f %gv4'/>"
                  "<text class='number' x='%.1f' y='%g'>%.6g</text>\n",
                  left + part * bar->width, y + BAR_HEIGHT / 2, left + part * bar->width,
                  y + BAR_HEIGHT / 2 + 17, number * step);
    }
    return left + bar->width;
}

void picture_legend_write_arrow(const struct picture_layout *layout, double unit, const char *label,
                                double y, FILE *stream)
{
    const double speed = picture_legend_round(unit * MAX_SCALE);
    const double length = speed / unit;
    const double right = layout->width - PICTURE_MARGIN;
    char text[40];
    const int width = 8 * snprintf(text, sizeof text, "%s%.4g", label, speed) + 8; /* about */
    tag_write(stream,
              "<text text-anchor='end' x='%g' y='%g'>%s</text>\n"
              "<path class='arrow' d='M%.1f %gh%.1fm-5 -2.5l5 2.5l-5 2.5'/>\n",
              right, y + 4, text, right - width - length, y, length);
}
