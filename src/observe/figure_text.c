/*
 * Figures as text; see figure_text.h.
 */
#include "observe/figure_text.h"

#include <math.h>

enum { VALUE_SIZE = 32 };

/* Writes a figure's value into `text`, with up to `digits` digits; `none` where there is none. */
static void format_value(char text[VALUE_SIZE], enum figure_form form, double value, int digits,
                         const char *none)
{
    if (!isfinite(value))
        snprintf(text, VALUE_SIZE, "%s", none);
    else if (form == FIGURE_WHOLE)
        snprintf(text, VALUE_SIZE, "%.0f", value);
    else
        snprintf(text, VALUE_SIZE, "%.*g", digits, value + 0.0); /* + 0.0: there is no -0 */
}

void figure_write_row(const struct figure_description *description, double value, FILE *stream)
{
    char text[VALUE_SIZE];
    format_value(text, description->form, value, 7, "-");
    fprintf(stream, "%-30s  %15s%s%s\n", description->label, text, *description->unit ? "  " : "",
            description->unit);
}

void figure_write_line(const struct figure_description *description, double value, FILE *stream)
{
    char text[VALUE_SIZE];
    format_value(text, description->form, value, 17, "none");
    fprintf(stream, "%s = %s\n", description->key, text);
}
