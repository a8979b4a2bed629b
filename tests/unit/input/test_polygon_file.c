/* Tests of the reader of polygon files: what it makes of vertices, and how it finds sides in their
 * files again. What is accepted and refused is in polygons.sh. */
#include "check.h"
#include "input/input.h"

/* Reads the files "a", the domain if there is a text for it, and "b c", placed like this, in a box
 * of 10 x 8. */
static enum status read_placed(const char *a, const char *b, const char *placed, unsigned periodic,
                               struct polygon_source *source, struct polygon_files *files)
{
    const struct boundary box = {.width = 10, .height = 8, .periodic = periodic};
    struct error error = {""};
    *files = (struct polygon_files){0};
    scratch_write("a", a ? a : "");
    scratch_write("b c", b);
    CHECK(!a || polygon_files_add(files, "a", 1, &error) == STATUS_DONE);
    CHECK(polygon_files_add(files, placed, 0, &error) == STATUS_DONE);
    enum status status = polygon_files_read(files, source, &error);
    if (!status)
        status = polygon_source_fit(source, &box, &error);
    if (!CHECK(status == STATUS_DONE))
        printf("    %s\n", error.message);
    return status;
}

static enum status read_both(const char *a, const char *b, unsigned periodic,
                             struct polygon_source *source, struct polygon_files *files)
{
    return read_placed(a, b, "b c", periodic, source, files);
}

static void free_both(struct polygon_source *source, struct polygon_files *files)
{
    polygon_source_free(source);
    polygon_files_free(files);
}

/* Whether side `k` begins at this vertex. */
static int begins_at(const struct polygons *polygons, size_t k, double x, double y)
{
    return polygons->sides[k].corner_x == x && polygons->sides[k].corner_y == y;
}

TEST(two_files)
{
    struct polygon_source source;
    struct polygon_files files;
    if (read_both("1 1\n9 1\n9 7\n\n# a hole\n6 2\n7 2\n6 3\n6 2\n",
                  "\n\n2 2\n# a wall\n\t3 3 # end", 0, &source, &files))
        return;
    const struct polygons *polygons = source.polygons;
    CHECK(polygons->count == 3 && polygons->side_count == 8);
    CHECK(polygons->list[0].is_domain && polygons->list[0].is_inside);
    CHECK(polygons->list[1].is_domain && !polygons->list[1].is_inside);
    CHECK(!polygons->list[2].is_domain && polygons->list[2].side_count == 2);
    CHECK(begins_at(polygons, 3, 6, 2) && begins_at(polygons, 5, 6, 3));
    CHECK(strcmp(polygon_files_domain(&files), "a") == 0);
    struct polygon_origin origin = polygon_source_find(&source, polygons, 4);
    CHECK(strcmp(origin.name, "a") == 0 && origin.polygon == 1 && origin.side == 1);
    CHECK(origin.line == 7);
    origin = polygon_source_find(&source, polygons, 7);
    CHECK(strcmp(origin.name, "b c") == 0 && origin.polygon == 0 && origin.side == 1);
    CHECK(origin.line == 5);
    free_both(&source, &files);
}

/* An airfoil in Lednicer's form: the upper surface is turned around, the nose is there once. */
TEST(two_surfaces)
{
    static const double expected[5][2] = {{8, 4}, {5, 5}, {2, 4}, {5, 3.5}, {8, 3.75}};
    struct polygon_source source;
    struct polygon_files files;
    if (read_both(NULL, "wing 2\n3. 3.\n\n2 4\n5 5\n8 4\n\n2 4\n5 3.5\n8 3.75\n", 0, &source,
                  &files))
        return;
    CHECK(source.polygons->count == 1 && source.polygons->side_count == 5);
    for (size_t k = 0; k < 5 && k < source.polygons->side_count; k++)
        CHECK(begins_at(source.polygons, k, expected[k][0], expected[k][1]));
    CHECK(source.lines[0] == 6 && source.lines[2] == 4 && source.lines[4] == 10);
    CHECK(polygon_files_domain(&files) == NULL);
    free_both(&source, &files);
}

/* The least coordinate is moved into the box; 0 has no sign, and tiny numbers are 0. */
TEST(what_crosses_seams)
{
    struct polygon_source source;
    struct polygon_files files;
    if (read_both(NULL, "-1 1\n1 1\n1 2\n\n12 13\n13 13\n13 15\n\n-0 1e-200\n2 .5\n1 .1\n",
                  PERIODIC_X | PERIODIC_Y, &source, &files))
        return;
    const struct polygons *polygons = source.polygons;
    CHECK(begins_at(polygons, 0, 9, 1) && begins_at(polygons, 1, 11, 1));
    CHECK(begins_at(polygons, 3, 2, 5) && begins_at(polygons, 5, 3, 7));
    CHECK(begins_at(polygons, 6, 0, 0) && 1 / polygons->sides[6].corner_x > 0);
    free_both(&source, &files);
}

/* Scaled, turned, moved, in whatever order the keys are; quarters of a turn are exact. */
TEST(placed)
{
    static const struct {
        const char *text;
        double second[2], third[2]; /* the first vertex is the origin */
    } cases[] = {{"b c at=5,4", {6, 4}, {5, 4.1}},
                 {"b c at=5,4 scale=2", {7, 4}, {5, 4.2}},
                 {"b c  scale=-2,3 \tat=5,4 ", {3, 4}, {5, 4 + 3 * 0.1}},
                 {"b c at=5,4 angle=90", {5, 5}, {4.9, 4}},
                 {"b c angle=-180 at=5,4", {4, 4}, {5, 3.9}},
                 {"b c at=5,4 angle=270 scale=2,1", {5, 2}, {5.1, 4}},
                 {"b c at=5,4 angle=360", {6, 4}, {5, 4.1}}};
    struct polygon_source source;
    struct polygon_files files;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (read_placed(NULL, "23012 FOIL\n0 0\n1 0\n0 0.1\n", cases[k].text, 0, &source, &files))
            return;
        const double *second = cases[k].second;
        const double *third = cases[k].third;
        CHECK(begins_at(source.polygons, 0, 5, 4));
        CHECK(begins_at(source.polygons, 1, second[0], second[1]));
        CHECK(begins_at(source.polygons, 2, third[0], third[1]));
        CHECK(strcmp(files.list[0].name, "b c") == 0 && files.list[0].text == cases[k].text);
        free_both(&source, &files);
    }
}
