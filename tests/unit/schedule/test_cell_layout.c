/*
 * Tests of how the box is laid out in cells: there is memory for them, they are where the particles
 * are, and two particles that touch are in cells side by side.
 */
#include "schedule/cell_layout.h"

#include "base/memory.h"
#include "check.h"
#include "model/physics.h"
#include "odd_system.h"
#include "schedule/predictor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 100000 };

static double largest_contact(const struct system *system)
{
    double radius = 0;
    for (size_t k = 0; k < system->count; k++)
        radius = fmax(radius, system_radius(system, &system->particles[k]));
    return 2 * radius;
}

/* Systems of all sorts, some of them late: everything is where it is at time `*now`. */
static struct system any_system(struct random *random, int round, double *now)
{
    struct system system;
    switch (round % 4) {
    case 0:
        system = odd_system(random, (enum odd_kind)(round / 4 % ODD_KINDS));
        break;
    case 1:
        system = tied_system(random, (enum tied_kind)(round / 4 % TIED_KINDS));
        break;
    case 2:
        system = mixed_system(random, (enum mixed_kind)(round / 4 % MIXED_KINDS),
                              1 + random_below(random, 100), 0.5 * random_uniform(random) + 1e-3);
        break;
    default:
        system = random_system(random, 1 + random_below(random, 200),
                               1e-3 + 0.4 * random_uniform(random),
                               pow(1e4, random_uniform(random) - 0.5));
    }
    *now = round % 3 == 0 ? 1000 : 0;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].t = *now;
    return system;
}

/* Whether a shape fits into the memory for it, and no cell is too small. */
static void check_shape(const struct system *system, const struct cell_list_shape *shape,
                        double least)
{
    size_t cells = ((size_t)shape->columns + 2) * ((size_t)shape->rows + 2);
    CHECK(shape->columns >= 1 && shape->rows >= 1);
    CHECK(cells <= layout_most_cells(system->count));
    CHECK(shape->width >= least && shape->height >= least);
    CHECK(shape->width < (double)INFINITY && shape->height < (double)INFINITY);
    CHECK(shape->left >= 0 && shape->left <= system->width);
    CHECK(shape->bottom >= 0 && shape->bottom <= system->height);
}

static int rounds(int usual)
{
    return check_is_quick() ? usual / 10 : usual;
}

static void test_shapes_are_within_bounds(void)
{
    struct random random = {1};
    for (int round = 0; round < rounds(4000); round++) {
        double now;
        struct cell_list_shape shape;
        struct system system = any_system(&random, round, &now);
        double contact = random_below(&random, 5) ? largest_contact(&system) : 0;
        layout_choose_shape(&system, contact, now, &shape);
        check_shape(&system, &shape, layout_least_side(contact, layout_reach(&system, now)));
        system_free(&system);
    }
}

/* How far two particles' cells are from each other, in columns or rows. */
static uint32_t cells_apart(const struct cell_list *cell_list, double x, double y, double x2,
                            double y2)
{
    uint32_t a = cell_list_locate(cell_list, x, y);
    uint32_t b = cell_list_locate(cell_list, x2, y2);
    int columns = abs((int)cell_list_column(cell_list, a) - (int)cell_list_column(cell_list, b));
    int rows = abs((int)cell_list_row(cell_list, a) - (int)cell_list_row(cell_list, b));
    return (uint32_t)(columns > rows ? columns : rows);
}

/* Points at the distance of contact from each particle, most of them along an axis. */
static void test_those_that_touch_are_neighbours(void)
{
    struct random random = {2};
    struct error error;
    struct cell_list cell_list;
    size_t apart[3] = {0};
    CHECK(cell_list_create(&cell_list, MOST_CELLS, 1, &error) == STATUS_DONE);
    for (int round = 0; round < rounds(2000); round++) {
        double now;
        struct cell_list_shape shape;
        struct system system = any_system(&random, round, &now);
        double contact = largest_contact(&system);
        layout_choose_shape(&system, contact, now, &shape);
        cell_list_reset(&cell_list, &shape);
        for (size_t k = 0; k < system.count; k++) {
            double x = random_below(&random, 2) ? system.particles[k].x
                                                : system.width * random_uniform(&random);
            double y = system.particles[k].y;
            double angle = 6.283185307179586 * random_uniform(&random);
            int axis = (int)random_below(&random, 4);
            double dx = axis == 0 ? contact : axis == 1 ? 0 : contact * cos(angle);
            double dy = axis == 1 ? contact : axis == 0 ? 0 : contact * sin(angle);
            uint32_t distance = cells_apart(&cell_list, x, y, x + dx, y + dy);
            CHECK(distance <= 1);
            apart[distance < 2 ? distance : 2]++;
        }
        system_free(&system);
    }
    CHECK(apart[0] > 1000 && apart[1] > 1000);
    cell_list_free(&cell_list);
}

/* About as many cells as particles where these are, however large the box is around them. */
static void test_cells_are_where_the_particles_are(void)
{
    enum { COLUMNS = 53, ROWS = 30, COUNT = COLUMNS * ROWS };
    static const double scales[] = {1, 1000, 1e6};
    struct random random = {3};
    for (size_t scale = 0; scale < 3; scale++) {
        struct cell_list_shape shape;
        struct system system = random_lattice(&random, COLUMNS, ROWS, 1);
        double length = system.width;
        double height = system.height;
        double shift = length * (scales[scale] - 1) / 3;
        double rise = height * (scales[scale] - 1) / 2;
        system.width *= scales[scale];
        system.height *= scales[scale];
        for (size_t k = 0; k < COUNT; k++) {
            system.particles[k].x += shift;
            system.particles[k].y += rise;
        }
        layout_choose_shape(&system, 2, 0, &shape);
        CHECK(shape.columns * shape.rows > COUNT / 2 && shape.columns * shape.rows <= 1.1 * COUNT);
        CHECK(fabs(shape.left - shift) < length / 4);
        CHECK(fabs(shape.left + shape.columns * shape.width - shift - length) < length / 4);
        CHECK(fabs(shape.bottom - rise) < length / 4);
        CHECK(fabs(shape.bottom + shape.rows * shape.height - rise - height) < length / 4);
        const struct particle *last = &system.particles[COUNT - 1];
        CHECK(shape.left <= system.particles[0].x && shape.bottom <= system.particles[0].y);
        CHECK(shape.left + shape.columns * shape.width >= last->x * (1 - 1e-14));
        CHECK(shape.bottom + shape.rows * shape.height >= last->y * (1 - 1e-14));
        for (size_t k = 0; k < 30; k++) { /* a few far away make the cells no larger */
            system.particles[k * 53].x = system.width * random_uniform(&random);
            system.particles[k * 53].y = system.height * random_uniform(&random);
        }
        struct cell_list_shape scattered;
        layout_choose_shape(&system, 2, 0, &scattered);
        CHECK(scattered.width < 1.5 * shape.width && scattered.height < 1.5 * shape.height);
        system_free(&system);
    }
}

/* Not the anchors count, but where the particles are by now. */
static void test_time_passes(void)
{
    struct random random = {4};
    struct cell_list_shape shape;
    struct system system = random_lattice(&random, 20, 20, 1);
    system.width = system.height = 10000;
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].u = 3;
        system.particles[k].v = 2;
    }
    layout_choose_shape(&system, 2, 1000, &shape);
    CHECK(shape.left > 2900 && shape.left < 3100 && shape.bottom > 1900 && shape.bottom < 2100);
    CHECK(layout_reach(&system, 0) == 10000 && layout_reach(&system, 1000) == 13000);
    system.height = 20000;
    system.particles[7].v = -5;
    CHECK(layout_reach(&system, 1000) == 25000);
    system_free(&system);
}

/* The margin is by far more than the rounding of positions, and there is one even for points. */
static void test_the_least_side(void)
{
    for (double contact = 1e-30; contact < 1e30; contact *= 7) {
        double reach = 1e3 * contact;
        CHECK(layout_least_side(contact, reach) > 1.0005 * contact);
        CHECK(layout_least_side(contact, reach) < 1.01 * contact);
        reach = 1e16 * contact;
        CHECK(layout_least_side(contact, reach) - contact > 128 * DBL_EPSILON * reach);
        CHECK(layout_least_side(0, reach) > 128 * DBL_EPSILON * reach);
    }
    CHECK(layout_least_side(0, 0) > 0);
}

/* However long and thin the box is, the grid finds room in the memory that it was given. */
static void test_a_grid_fits_into_its_memory(void)
{
    struct random random = {65};
    static const size_t counts[] = {1, 2, 3, 10, 100, 700, 2000, 6000};
    size_t sizes = sizeof counts / sizeof counts[0] - (check_is_quick() ? 3 : 0);
    for (size_t size = 0; size < sizes; size++) {
        double count = (double)counts[size];
        struct system system = random_lattice(&random, counts[size], 1, 0);
        system.radius = 0;
        for (double aspect = 1; aspect < 4 * count; aspect *= 1.06) {
            struct error error;
            struct predictor predictor;
            int upright = random_below(&random, 2) == 0;
            system.width = upright ? 1 : aspect;
            system.height = upright ? aspect : 1;
            for (size_t k = 0; k < system.count; k++) {
                system.particles[k].x = system.width * random_uniform(&random);
                system.particles[k].y = system.height * random_uniform(&random);
            }
            CHECK(predictor_create(&predictor, &system, &error) == STATUS_DONE);
            predictor_renew(&predictor, 0);
            const struct cell_list_shape *shape = &predictor.cell_list.shape;
            CHECK((shape->columns + 2) * (shape->rows + 2) <= predictor.cell_list.most_cells);
            predictor_free(&predictor);
        }
        system_free(&system);
    }
}

static void test_a_permutation_is_what_it_says(void)
{
    enum { MOST = 60 };
    struct random random = {5};
    for (int round = 0; round < 3000; round++) {
        struct particle particles[MOST + 1];
        uint32_t order[MOST + 1];
        uint32_t wanted[MOST];
        size_t count = random_below(&random, MOST + 1);
        size_t swaps = random_below(&random, 2) ? 2 : count; /* nearly in order, or in none */
        for (uint32_t k = 0; k <= MOST; k++) {
            particles[k] = (struct particle){.x = k, .id = (int32_t)k, .wall_collisions = k};
            order[k] = k;
        }
        for (size_t k = 0; k < swaps && count > 0; k++) {
            size_t a = random_below(&random, count);
            size_t b = random_below(&random, count);
            uint32_t swap = order[a];
            order[a] = order[b];
            order[b] = swap;
        }
        for (size_t k = 0; k < count; k++)
            wanted[k] = order[k];
        layout_permute(particles, order, count);
        for (size_t k = 0; k < count; k++)
            CHECK(particles[k].id == (int32_t)wanted[k] && particles[k].x == wanted[k] &&
                  particles[k].wall_collisions == wanted[k]);
        for (size_t k = count; k <= MOST; k++)
            CHECK(particles[k].id == (int32_t)k);
    }
}

int main(void)
{
    RUN(test_shapes_are_within_bounds);
    RUN(test_those_that_touch_are_neighbours);
    RUN(test_cells_are_where_the_particles_are);
    RUN(test_time_passes);
    RUN(test_the_least_side);
    RUN(test_a_grid_fits_into_its_memory);
    RUN(test_a_permutation_is_what_it_says);
    return check_finish();
}
