/* Fuzzing the reader of polygon files: any bytes at all.
 *
 * The first byte chooses the periodic axes, domain or obstacle, and how reads cut the file; the
 * rest is the file. It is read twice, in whole blocks and in pieces, which must not make a
 * difference. What is accepted has to be sound polygons in the box, and what is refused has its
 * one-line message. */
#include "fed_text.h"
#include "fuzz.h"
#include "input/input.h"
#include "model/polygons.h"
#include "model/region.h"

static void check_side(const struct boundary *boundary, const struct polygons *polygons, size_t k)
{
    const struct polygon_side *side = &polygons->sides[k];
    const int is_domain = polygons->list[side->polygon].is_domain;
    const double width = (!is_domain && boundary->periodic & PERIODIC_X ? 2 : 1) * boundary->width;
    const double height =
        (!is_domain && boundary->periodic & PERIODIC_Y ? 2 : 1) * boundary->height;
    fuzz_expect(side->corner_x >= 0 && side->corner_x <= width * (1 + 1e-12), "x is outside");
    fuzz_expect(side->corner_y >= 0 && side->corner_y <= height * (1 + 1e-12), "y is outside");
    fuzz_expect(side->length > 0 && isfinite(side->length), "a side without length");
    fuzz_expect(side->facing == 1 || side->facing == -1, "a side without particles");
}

static void check_accepted(const struct boundary *boundary, struct polygon_source *source)
{
    struct polygons *polygons = source->polygons;
    struct polygon_fault fault;
    struct region *region;
    struct boundary bounded = *boundary;
    fuzz_expect(polygons && polygons->count >= 1, "there is no polygon");
    fuzz_expect(source->last[0] == polygons->count, "a polygon of no file");
    for (size_t k = 0; k < polygons->side_count; k++)
        check_side(boundary, polygons, k);
    fuzz_expect(!polygons_check(polygons, boundary, &fault, &failure) &&
                    fault.kind == POLYGON_SOUND,
                "polygons that cross");
    source->polygons = NULL;
    fuzz_expect(!polygons_prepare(polygons, &bounded, 1, 10, &failure), "no grid");
    fuzz_expect(!region_create(&bounded, &region, &failure), "no region");
    fuzz_expect(region_contains(region, 10.1, 7.3) == region_contains(region, 10.1, 7.3), "chance");
    region_free(region);
    polygons_free(polygons);
}

static void check_refused(enum status status, const struct error *error)
{
    fuzz_expect(status == STATUS_BAD_DATA || status == STATUS_NO_INPUT ||
                    status == STATUS_NO_MEMORY,
                "a status that readers do not have");
    fuzz_expect(strncmp(error->message, "/dev/null:", 10) == 0, "a message without a place");
    for (const char *c = error->message; *c; c++)
        fuzz_expect((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f, "a message not in ASCII");
}

static int is_same(const struct polygon_source *a, const struct polygon_source *b)
{
    const struct polygons *p = a->polygons;
    const struct polygons *q = b->polygons;
    if (p->count != q->count || p->side_count != q->side_count)
        return 0;
    for (size_t k = 0; k < p->side_count; k++)
        if (p->sides[k].corner_x != q->sides[k].corner_x ||
            p->sides[k].corner_y != q->sides[k].corner_y || a->lines[k] != b->lines[k])
            return 0;
    return 1;
}

/* Reads the files, and places their polygons. */
static enum status read_files(const struct polygon_files *files, const struct boundary *boundary,
                              struct polygon_source *source, struct error *error)
{
    enum status status = polygon_files_read(files, source, error);
    return status ? status : polygon_source_fit(source, boundary, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned choice = size > 0 ? data[0] : 0;
    const struct boundary boundary = {.width = 20, .height = 16, .periodic = choice & 3};
    struct polygon_files files = {0};
    struct feed feed = {.bytes = size > 0 ? data + 1 : data, .size = size > 0 ? size - 1 : 0};
    struct polygon_source whole, cut;
    struct error error, cut_error;
    /* opened, but not read */
    fuzz_expect(!polygon_files_add(&files, "/dev/null", choice >> 2 & 1, &error), "no file");

    feed.breaks = choice >> 6 == 3;
    fed_text_feed(&feed);
    enum status status = read_files(&files, &boundary, &whole, &error);

    feed.most = 1 + (choice >> 4 & 3) * 2;
    feed.is_interrupted = choice >> 6 == 2;
    fed_text_feed(&feed);
    fuzz_expect(read_files(&files, &boundary, &cut, &cut_error) == status,
                "the status depends on how reads cut the file");
    fuzz_expect(!status || strcmp(error.message, cut_error.message) == 0,
                "the message depends on how reads cut the file");
    fuzz_expect(status || is_same(&whole, &cut), "the polygons depend on how reads cut the file");
    if (status)
        check_refused(status, &error);
    else
        check_accepted(&boundary, &whole);
    polygon_source_free(&whole);
    polygon_source_free(&cut);
    polygon_files_free(&files);
    return 0;
}
