/* Tests of runs among polygons: ties, points at vertices and thin walls, late times, disks that are
 * wedged; that nothing gets through, overlaps or changes its speed. All schedules must agree. */
#include "agreement.h"
#include "check.h"
#include "model/region.h"
#include "sides.h"

/* A box of 20 x 16 with `count` disks of this radius, at rest in the origin yet. */
static struct system box_with(size_t count, double radius)
{
    struct system system = SYSTEM(count, 20, 16, .radius = radius, .law = ELASTIC);
    must(system_reserve(&system, count, &failure));
    return system;
}

/* Thin walls from each vertex to the next, and from the last to the first. */
static void add_room(struct system *system, const double (*vertices)[2], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double *next = vertices[(k + 1) % count];
        const double wall[2][2] = {{vertices[k][0], vertices[k][1]}, {next[0], next[1]}};
        system_add_polygon(system, wall, 2, 0);
    }
}

static double energy(const struct system *system)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        sum += p->u * p->u + p->v * p->v;
    }
    return sum;
}

static uint64_t hits(const struct system *system)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum += system->counts[k].walls;
    return sum;
}

/* Runs a system to the end: its energy stays, and no disk overlaps a side by more than `slack`. */
static int runs(struct system *system, double end_time, double slack)
{
    const double before = energy(system);
    int is_so = CHECK(agreement_check(system, end_time, system->count < 20)) &&
                CHECK(fabs(energy(system) - before) <= 1e-12 * before) &&
                CHECK(hits(system) < 50000); /* more would be judged to be wedged */
    for (size_t k = 0; k < system->count; k++) {
        double x, y;
        physics_position(system, k, end_time, &x, &y);
        is_so &= CHECK(sides_distance(&system->boundary, x, y) >= system->radius - slack);
    }
    return is_so;
}

/* Whether all are on the inner side of each side of a convex, counter-clockwise polygon. */
static int are_inside(const struct system *system, double time, const double (*vertices)[2],
                      size_t count, double slack)
{
    int is_so = 1;
    for (size_t k = 0; k < system->count; k++) {
        double x, y;
        physics_position(system, k, time, &x, &y);
        for (size_t m = 0; m < count; m++) {
            const double *a = vertices[m];
            const double *b = vertices[(m + 1) % count];
            is_so &= (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > -slack;
        }
    }
    return is_so;
}

static const double triangle[3][2] = {{4, 2}, {16, 2}, {10, 14}};
static const double square[4][2] = {{5, 3}, {15, 3}, {15, 13}, {5, 13}};

/* Particles that are aimed exactly at corners of a domain, or of thin walls, stay inside. */
RANDOM_TEST(rooms, 5)
{
    for (int trial = 0; trial < (check_is_thorough() ? 400 : 80); trial++) {
        const int is_square = trial % 2;
        const double(*room)[2] = is_square ? square : triangle;
        const size_t count = is_square ? 4 : 3;
        OWNED(system, system) = trial % 3 == 0 ? box_with(1, 0.25) : box_with(8, 0);
        if (trial % 4 < 2)
            add_room(&system, room, count);
        else
            system_add_polygon(&system, room, count, 1);
        for (size_t k = 0; k < system.count; k++) {
            const double *aim = room[random_below(random, count)];
            const double x = 8 + (double)random_below(random, 5) - (k % 2 ? 0 : 1.0 / 3);
            const double y = 4 + (double)random_below(random, 3);
            const double speed = k % 4 == 3 ? 1.0 / 3 : 1;
            set_particle(&system, k, x, y, speed * (aim[0] - x), speed * (aim[1] - y));
        }
        const double end_time = 1 + 50 * random_unit(random);
        CHECK(runs(&system, end_time, 1e-12));
        CHECK(are_inside(&system, end_time, room, count, 1e-11));
    }
}

/* A point at a corner goes back, also where rounding has taken it past the corner. */
TEST(a_point_at_a_corner)
{
    static const double places[] = {0, 1e-15, -1e-15};
    for (size_t k = 0; k < LENGTH(places); k++) {
        OWNED(system, system) = box_with(1, 0);
        struct particle *p = &system.particles[0];
        system_add_polygon(&system, square, 4, 0);
        set_particle(&system, 0, 5 + places[k], 3, 4, 4);
        physics_resolve(&system, &(struct event){0, 0, polygons_feature(0, 1)});
        CHECK(p->u == -4 && p->v == -4);
        CHECK(p->x == 5 && p->y == 3);
    }
}

/* A point that starts at the end of a thin wall, but for the smallest of all numbers. */
TEST(a_point_at_the_end_of_a_thin_wall)
{
    static const double wall[2][2] = {{0, 0}, {4, 4}};
    OWNED(system, system) = box_with(1, 0);
    system_add_polygon(&system, wall, 2, 0);
    set_particle(&system, 0, 0, 3 * DBL_TRUE_MIN, -4, -4);
    physics_resolve(&system, &(struct event){0, 0, polygons_feature(0, 1)});
    CHECK(system.particles[0].u == 4 && system.particles[0].v == 4);
}

/* At late times a time is rounded far more coarsely than a place. */
TEST(late_times)
{
    static const double times[] = {1e3, 1e6, 1e9, 1e12};
    for (size_t k = 0; k < LENGTH(times); k++) {
        for (int is_point = 0; is_point < 2; is_point++) {
            OWNED(system, system) = box_with(1, is_point ? 0 : 0.125);
            const double end_time = times[k] + 5000;
            const double slack = 4 * DBL_EPSILON * times[k] + 1e-13;
            system_add_polygon(&system, triangle, 3, 1);
            system.particles[0].t = times[k];
            set_particle(&system, 0, 10.25, 5, 0.7, 0.31);
            CHECK(runs(&system, end_time, slack));
            CHECK(are_inside(&system, end_time, triangle, 3, 20 * slack));
            CHECK(hits(&system) > 400);
        }
    }
}

/* Late, a pair of disks that pushes one of them against a side leaves it there. */
RANDOM_TEST(late_collisions_at_sides, 8)
{
    for (int trial = 0; trial < 20; trial++) {
        OWNED(system, system) = box_with(30, 0.9);
        system_add_polygon(&system, square, 4, 1);
        const double start = pow(10, trial % 10);
        for (size_t k = 0; k < 30; k++) {
            set_particle(&system, k, 5.9 + 1.82 * (double)(k % 5), 3.9 + 1.84 * (double)(k / 5 % 5),
                         random_unit(random) - 0.5, random_unit(random) - 0.5);
            system.particles[k].t = start;
        }
        system.count = 25;
        CHECK(runs(&system, start + 20, 16 * DBL_EPSILON * start + 1e-12));
        CHECK(hits(&system) > 100);
    }
}

/* Rows of touching disks in a triangle, all at once; and a mirror image of it. */
TEST(a_lattice_in_a_triangle)
{
    for (int is_mirrored = 0; is_mirrored < 2; is_mirrored++) {
        const double height = sqrt(0.75);
        OWNED(system, system) = box_with(10, 0.5);
        const double edge = 3 + 2 * sqrt(3) * 0.5 + 0.25;
        const double middle = 10, low = 4;
        const double around[3][2] = {
            {middle - edge / 2, low}, {middle + edge / 2, low}, {middle, low + edge * height}};
        size_t k = 0;
        system_add_polygon(&system, around, 3, 1);
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4 - row; column++, k++) {
                const double side = column - 0.5 * (3 - row);
                set_particle(&system, k, middle + (is_mirrored ? -side : side),
                             low + 0.55 + row * height, is_mirrored ? -1 : 1, row % 2);
            }
        CHECK(runs(&system, 100, 1e-12));
        CHECK(hits(&system) > 500);
    }
}

/* Notches narrower than a disk, sides shorter than its radius, and a corner that points inwards. */
RANDOM_TEST(short_sides_and_concave_corners, 9)
{
    double teeth[40][2];
    for (size_t k = 0; k < 36; k++) {
        teeth[k][0] = 1 + 0.5 * (double)k;
        teeth[k][1] = k % 2 ? 3.25 : 2.75;
    }
    const double rest[4][2] = {{18.5, 8}, {18.5, 14}, {10, 9}, {1, 14}};
    memcpy(teeth[36], rest, sizeof rest);
    for (int trial = 0; trial < 10; trial++) {
        OWNED(system, system) = box_with(6, 0.75);
        system_add_polygon(&system, (const double(*)[2])teeth, 40, 1);
        for (size_t k = 0; k < 6; k++)
            set_particle(&system, k, 3 + 2.5 * (double)k, 6, (double)random_below(random, 3) - 1,
                         (double)random_below(random, 3) - 1);
        CHECK(runs(&system, 300, 1e-12));
    }
}

/* A particle that slides along a side touches it all the time, and does not hit it. */
TEST(sliding_along_a_side)
{
    for (int is_point = 0; is_point < 2; is_point++) {
        OWNED(system, system) = box_with(1, is_point ? 0 : 0.5);
        system_add_polygon(&system, square, 4, 1);
        set_particle(&system, 0, 10, is_point ? 3 : 3.5, 1, 0);
        CHECK(runs(&system, 100.5, 1e-12));
        CHECK(hits(&system) == (is_point ? 10 : 11));
        CHECK(system.particles[0].y == (is_point ? 3 : 3.5));
    }
}

/* A wall of the box and a thin wall that lies on it are met at the same time: the former counts.
 * Around a large disk the polygons' grid is coarse, so a side may be found before the wall. */
RANDOM_TEST(thin_walls_on_walls, 10)
{
    static const double left[2][2] = {{0, 2}, {0, 14}};
    static const double top[2][2] = {{2, 16}, {18, 16}};
    for (int trial = 0; trial < 10; trial++) {
        OWNED(system, system) = box_with(101, 0.01);
        system.kinds = memory_allocate(2, sizeof *system.kinds, "two kinds", &failure);
        system.kind_count = 2;
        if (!CHECK(system.kinds != NULL))
            exit(EXIT_FAILURE);
        system.kinds[0] = (struct particle_kind){.radius = 0.01, .mass = 1};
        system.kinds[1] = (struct particle_kind){.radius = 3, .mass = 1};
        for (size_t k = 0; k < 100; k++)
            set_particle(&system, k, 1 + (double)(k % 10), 1 + 1.4 * (double)(k / 10),
                         random_unit(random) - 0.5, random_unit(random) - 0.5);
        set_particle(&system, 100, 16, 8, 0, 0);
        system.particles[100].kind = 1;
        system_add_polygon(&system, left, 2, 0);
        system_add_polygon(&system, top, 2, 0);
        CHECK(agreement_check(&system, 50, 0));
        CHECK(hits(&system) > 100);
    }
}

enum { COLUMNS = 10, ROWS = 8 };

/* Adds a random rectangle of the lattice of 2 x 2 as an obstacle, or one half of it, if no cell of
 * it is taken; takes its cells. */
static void add_block(struct system *system, struct random_generator *random,
                      char taken[ROWS][COLUMNS])
{
    const size_t left = random_below(random, COLUMNS), right = left + 1 + random_below(random, 4);
    const size_t bottom = random_below(random, ROWS), top = bottom + 1 + random_below(random, 3);
    const double vertices[4][2] = {{2.0 * (double)left, 2.0 * (double)bottom},
                                   {2.0 * (double)right, 2.0 * (double)bottom},
                                   {2.0 * (double)right, 2.0 * (double)top},
                                   {2.0 * (double)left, 2.0 * (double)top}};
    double half[4][2];
    const size_t first = random_below(random, 4);
    int is_open = right <= COLUMNS && top <= ROWS;
    for (size_t row = bottom; row < top && is_open; row++)
        for (size_t column = left; column < right; column++)
            is_open &= !taken[row][column];
    if (!is_open)
        return;
    for (size_t row = bottom; row < top; row++)
        memset(&taken[row][left], 1, right - left);
    for (size_t k = 0; k < 4; k++)
        memcpy(half[k], vertices[(first + k) % 4], sizeof half[k]);
    system_add_polygon(system, (const double(*)[2])half, random_below(random, 3) ? 4 : 3, 0);
}

/* Blocks that stand on a domain's sides, on walls and on each other; taken cells are theirs. */
static void add_blocks(struct system *system, struct random_generator *random, int has_domain,
                       char taken[ROWS][COLUMNS])
{
    static const double domain[7][2] = {{4, 2},   {10, 2}, {10, 4}, {16, 4},
                                        {16, 14}, {8, 14}, {4, 14}};
    struct polygon_fault fault;
    memset(taken, 0, ROWS * COLUMNS);
    if (has_domain) {
        system_add_polygon(system, domain, 7, 1);
        for (size_t k = 0; k < ROWS * COLUMNS; k++) {
            const size_t x = k % COLUMNS, y = k / COLUMNS;
            taken[y][x] = x < 2 || x >= 8 || y < (x < 5 ? 1 : 2) || y == 7;
        }
    }
    for (int k = 0; k < 12; k++)
        add_block(system, random, taken);
    if (!CHECK(polygons_check(system->boundary.polygons, &system->boundary, &fault, &failure) ==
                   STATUS_DONE &&
               fault.kind == POLYGON_SOUND))
        exit(EXIT_FAILURE);
}

/* Whether a place is where particles may be, but for rounding. */
static int is_almost_in(const struct region *region, double x, double y)
{
    int is_in = 0;
    for (int k = 0; k < 9; k++)
        is_in |= region_contains(region, x + (k % 3 - 1) * 1e-9, y + (k / 3 - 1) * 1e-9);
    return is_in;
}

/* Points and disks among blocks that are flush, aimed at corners or along sides: none gets into a
 * block, and the joints do not stop the run. Points on a joint are refused. */
RANDOM_TEST(flush_obstacles, 11)
{
    size_t moved = 0, refused = 0;
    for (int trial = 0; trial < (check_is_thorough() ? 3000 : 200); trial++) {
        char taken[ROWS][COLUMNS];
        OWNED(system, system) = box_with(trial % 3 ? 8 : 1, trial % 3 ? 0 : 0.25);
        struct region *region;
        struct region_fault fault;
        system.boundary.periodic = trial % 2 ? 0 : (unsigned)random_below(random, 4);
        add_blocks(&system, random, trial % 2, taken);
        const size_t wanted = system.count;
        system.count = 0;
        for (int k = 0; k < 200 && system.count < wanted; k++) {
            const int is_on_side = trial % 3 == 1 && random_below(random, 2);
            const double x = 2 * (double)random_below(random, COLUMNS) + 1;
            const double y = 2 * (double)random_below(random, ROWS) + !is_on_side;
            const double aim_x = 2 * (double)random_below(random, COLUMNS + 1);
            const double aim_y = 2 * (double)random_below(random, ROWS + 1);
            system.particles[system.count].id = (int32_t)system.count;
            set_particle(&system, system.count++, x, y, aim_x - x, is_on_side ? 0 : aim_y - y);
            CHECK(region_check(&system, &fault, &failure) == STATUS_DONE);
            refused += fault.kind != REGION_FREE;
            system.count -= fault.kind != REGION_FREE;
        }
        const double end_time = 20 * random_unit(random);
        if (system.count > 0)
            CHECK(runs(&system, end_time, 1e-12));
        CHECK(region_create(&system.boundary, &region, &failure) == STATUS_DONE);
        for (size_t k = 0; k < system.count; k++, moved++) {
            double x, y;
            physics_position(&system, k, end_time, &x, &y);
            CHECK(is_almost_in(region, x, y));
        }
        region_free(region);
    }
    CHECK(moved > 500 && refused > 500);
}

/* In few directions rounding is not as often up as down; even so, it must not add up. */
TEST(energy_in_a_triangle)
{
    static const double few_directions[3][2] = {{1, 1}, {9, 1}, {4, 7}};
    OWNED(system, system) = box_with(1, 0.25);
    system_add_polygon(&system, few_directions, 3, 1);
    set_particle(&system, 0, 4.5, 3, 0.3, 0.91);
    const double before = energy(&system);
    CHECK(agreement_run(SCHEDULE_ARRAY, &system, 1e6, &failure) == STATUS_DONE);
    CHECK(hits(&system) > 300000);
    CHECK(fabs(energy(&system) - before) < 1.5e-15 * before);
}

/* A moving disk without room, in an angle or between two sides, ends the run with a message. */
TEST(wedged_disks)
{
    static const double strip[4][2] = {{2, 4}, {18, 4}, {18, 5}, {2, 5}};
    static const double angle[3][2] = {{2, 4}, {18, 4}, {2, 16}};
    for (int is_angle = 0; is_angle < 2; is_angle++) {
        OWNED(system, system) = box_with(1, 0.5);
        OWNED(system, other);
        if (is_angle) { /* it fits into the triangle exactly: its radius is that of the incircle */
            system.radius = 4;
            system_add_polygon(&system, angle, 3, 1);
            set_particle(&system, 0, 6, 8, 0.3, 0.7);
        } else {
            system_add_polygon(&system, strip, 4, 1);
            set_particle(&system, 0, 10, 4.5, 0, 0.7);
        }
        other = system_copy(&system);
        CHECK(agreement_run(SCHEDULE_ARRAY, &system, 1e9, &failure) == STATUS_BAD_DATA);
        CHECK(strstr(failure.message, "disks are wedged: they move but have no room") != NULL);
        CHECK(agreement_run(SCHEDULE_CELLS, &other, 1e9, &failure) == STATUS_BAD_DATA);
        CHECK(agreement_is_same(&system, &other));
    }
}
