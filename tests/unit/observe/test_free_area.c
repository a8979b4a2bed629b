/* Tests of the free part of cells: shapes by hand, and at random against counting places. */
#include "observe/fields.h"

#include "check.h"
#include "model/region.h"
#include "outline.h"

static double *find_parts(const struct system *system, size_t columns, size_t rows)
{
    double *parts;
    CHECK(free_area_create(&system->boundary, columns, rows, &parts, &failure) == STATUS_DONE);
    return parts;
}

static struct system make_box(double width, double height, unsigned periodic)
{
    return (struct system){.boundary = {.width = width, .height = height, .periodic = periodic}};
}

TEST(no_polygons)
{
    const struct system system = make_box(3, 4, 0);
    CHECK(!find_parts(&system, 2, 2));
}

/* A triangle, its corners on those of cells, in either sense. */
TEST(a_triangle)
{
    static const double vertices[2][3][2] = {{{1, 1}, {3, 1}, {1, 3}}, {{1, 1}, {1, 3}, {3, 1}}};
    static const double expected[16] = {1, 1, 1, 1, 1, 0, 0.5, 1, 1, 0.5, 1, 1, 1, 1, 1, 1};
    for (int sense = 0; sense < 2; sense++) {
        OWNED(system, system) = make_box(4, 4, 0);
        system_add_polygon(&system, vertices[sense], 3, 0);
        double *parts = find_parts(&system, 4, 4);
        for (int k = 0; k < 16; k++)
            CHECK(parts[k] == expected[k]);
        memory_free(parts);
    }
}

/* An obstacle across both seams is in all four corners of the box. */
TEST(across_seams)
{
    static const double vertices[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    OWNED(system, system) = make_box(3, 3, PERIODIC_X | PERIODIC_Y);
    system_add_polygon(&system, vertices, 4, 0);
    double *parts = find_parts(&system, 3, 3);
    for (int k = 0; k < 9; k++)
        CHECK(parts[k] == (k == 0 || k == 2 || k == 6 || k == 8 ? 0.75 : 1));
    memory_free(parts);
}

/* The part of a cell that is free, by a lattice of places in it. */
static double count_places(const struct region *region, const struct boundary *box, size_t columns,
                           size_t rows, size_t cell)
{
    enum { PLACES = 60 };
    int count = 0;
    for (int k = 0; k < PLACES * PLACES; k++) {
        const double x = (double)(cell % columns) + (k % PLACES + 0.5) / PLACES;
        const double y = (double)(cell / columns) + (k / PLACES + 0.5) / PLACES;
        count += region_contains(region, x * box->width / (double)columns,
                                 y * box->height / (double)rows);
    }
    return (double)count / (PLACES * PLACES);
}

static void compare_with_places(struct system *system, size_t columns, size_t rows, double area)
{
    struct region *region;
    const struct boundary *box = &system->boundary;
    double *parts = find_parts(system, columns, rows);
    double sum = 0, wrong = 0;
    CHECK(region_create(box, &region, &failure) == STATUS_DONE);
    for (size_t cell = 0; cell < columns * rows; cell++) {
        sum += parts[cell] * box->width * box->height / (double)(columns * rows);
        wrong = fmax(wrong, fabs(parts[cell] - count_places(region, box, columns, rows, cell)));
    }
    CHECK(fabs(sum - area) < 1e-12 * area);
    CHECK(wrong < 0.02);
    region_free(region);
    memory_free(parts);
}

TEST(a_star)
{
    const struct outline star = outline_star(1.3, 1.1, 1);
    OWNED(system, system) = make_box(3, 2.2, PERIODIC_X);
    system_add_polygon(&system, star.vertices, star.count, 0);
    compare_with_places(&system, 7, 5, 3 * 2.2 - outline_area(&star));
}

/* A domain with a round hole in it, and an obstacle in the domain. */
TEST(a_domain)
{
    static const double obstacle[3][2] = {{0.4, 0.8}, {0.9, 1.1}, {0.5, 1.6}};
    const struct outline stadium = outline_stadium();
    const struct outline hole = outline_regular(2.7, 1.25, 0.5, 20);
    OWNED(system, system) = make_box(4.5, 2.5, 0);
    system_add_polygon(&system, stadium.vertices, stadium.count, 1);
    struct polygons *polygons = system.boundary.polygons;
    polygons->list[0].is_domain = 1;
    CHECK(!polygons_add(polygons, hole.vertices, hole.count, 1, 0, &failure));
    CHECK(!polygons_add(polygons, obstacle, 3, 0, 0, &failure));
    CHECK(!polygons_add(polygons, obstacle, 3, 0, 0, &failure)); /* as one inside of another is: */
    polygons->list[3].is_hidden = 1;
    compare_with_places(&system, 9, 8, outline_area(&stadium) - outline_area(&hole) - 0.5 * 0.37);
}
