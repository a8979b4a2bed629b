/* read_polygons FILE...: prints the vertices of each file as the program reads it, in the format of
 * scripts/polygon, or nothing but a line "refused: MESSAGE". Files of obstacles, in a large box. */
#include "input/input.h"
#include "owned.h"

#include <stdio.h>
#include <string.h>

static enum status read_placed(const char *text, int is_printed, struct error *error)
{
    const struct boundary box = {.width = 1e5, .height = 1e5};
    struct polygon_files files = {0};
    OWNED(polygon_source, source) = {0};
    enum status status = polygon_files_add(&files, text, 0, error);
    if (!status)
        status = polygon_files_read(&files, &source, error);
    for (size_t p = 0; is_printed && !status && p < source.polygons->count; p++) {
        const struct polygon *polygon = &source.polygons->list[p];
        for (size_t k = 0; k < polygon->side_count; k++) {
            const double *vertex = source.vertices[polygon->first_side + k];
            printf("%s%s %s\n", p > 0 && k == 0 ? "\n" : "", show_exactly(vertex[0]).text,
                   show_exactly(vertex[1]).text);
        }
    }
    if (!is_printed && !status)
        status = polygon_source_fit(&source, &box, error);
    polygon_files_free(&files);
    return status;
}

int main(int argc, char **argv)
{
    static struct error error;
    for (int k = 1; k < argc; k++) {
        char text[1000];
        snprintf(text, sizeof text, "%s at=5e4,5e4", argv[k]);
        printf("# %s\n", argv[k]);
        if (read_placed(text, 0, &error) || read_placed(argv[k], 1, &error))
            printf("refused: %s\n", error.message);
    }
    return 0;
}
