/* Tests of the neighbour search: what it finds near each particle, compared with all pairs of all
 * images. */
#include "check.h"
#include "model/neighbours.h"

/* The distance of the nearest images of two coordinates. */
static double nearest(double distance, double side, int is_periodic)
{
    return is_periodic ? distance - side * floor(distance / side + 0.5) : distance;
}

/* What a search among all pairs, or a visit of the found ones, has found: it adds up in any order.
 */
struct found {
    size_t pairs;
    uint64_t digest; /* of the numbers */
    double dx, dy;   /* sums of the distances, weighted with the numbers */
};

static void add(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct found *found = context;
    CHECK(i < j && fabs(dx * dx + dy * dy - square) <= 1e-15 * square);
    found->pairs++;
    found->digest += (i * 1000003 + j) * UINT64_C(0x9e3779b97f4a7c15);
    found->dx += dx * (double)(i + 1);
    found->dy += dy * (double)(j + 1);
}

/* Adds all pairs, but for those whose distance is `range` up to rounding: `doubtful` counts them.
 */
static struct found search_all(const struct system *system, double range, size_t *doubtful)
{
    const struct boundary *boundary = &system->boundary;
    struct found found = {0};
    for (size_t i = 0; i < system->count; i++) {
        for (size_t j = i + 1; j < system->count; j++) {
            const struct particle *p = &system->particles[i];
            const struct particle *q = &system->particles[j];
            const double dx =
                nearest(q->x - p->x, boundary->width, (boundary->periodic & PERIODIC_X) != 0);
            const double dy =
                nearest(q->y - p->y, boundary->height, (boundary->periodic & PERIODIC_Y) != 0);
            const double square = dx * dx + dy * dy;
            *doubtful += fabs(square - range * range) < 1e-12 * range * range;
            if (square < range * range)
                add(&found, i, j, dx, dy, square);
        }
    }
    return found;
}

/* Visits pairs i < j nearer to each other than `range`, at most that of neighbours_find, by i, then
 * in the order of the list. */
static void neighbours_each(const struct neighbours *neighbours, const struct system *system,
                            double range, neighbours_visit *visit, void *context)
{
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        for (int row = -1; row <= 1; row++) {
            const struct neighbours_span span =
                neighbours_around(neighbours, neighbours_cell(neighbours, p->x, p->y), row);
            for (uint32_t at = span.begin; at < span.end; at++) {
                const double dx = neighbours->x[at] - p->x;
                const double dy = neighbours->y[at] - p->y;
                const double square = dx * dx + dy * dy;
                if (square < range * range && neighbours->number[at] > i)
                    visit(context, i, neighbours->number[at], dx, dy, square);
            }
        }
    }
}

static int finds_all(struct neighbours *neighbours, const struct system *system, double list_range,
                     double range)
{
    size_t doubtful = 0;
    struct found found = {0};
    const struct found all = search_all(system, range, &doubtful);
    if (!CHECK(!neighbours_find(neighbours, system, list_range, NULL, &failure)))
        return 0;
    neighbours_each(neighbours, system, range, add, &found);
    const double scale = 1e-9 * range * (double)(system->count * (all.pairs + 1));
    return doubtful > 0 || (found.pairs == all.pairs && found.digest == all.digest &&
                            fabs(found.dx - all.dx) < scale && fabs(found.dy - all.dy) < scale);
}

/* A box, square or slender, with points in it, some of which lie on its edges. */
static struct system random_points(struct random_generator *random, unsigned periodic)
{
    static const double aspects[] = {1, 1, 30, 1.0 / 30, 1e4};
    const double aspect = aspects[random_below(random, 5)];
    const size_t count = 1 + random_below(random, random_below(random, 4) ? 80 : 3);
    struct system system = arranged_points(random, count, 3 * aspect, 3, periodic);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        if (random_below(random, 10) == 0)
            p->x = random_below(random, 2) ? 0 : system.boundary.width;
        if (random_below(random, 10) == 0)
            p->y = random_below(random, 2) ? 0 : system.boundary.height;
        if (random_below(random, 10) == 0)
            *p = system.particles[0];
        p->id = (int32_t)k;
    }
    return system;
}

RANDOM_TEST(all_pairs_are_found, 18)
{
    OWNED(neighbours, neighbours) = {0};
    for (int k = 0; k < (check_is_thorough() ? 3000 : 500); k++) {
        OWNED(system, system) = random_points(random, (unsigned)random_below(random, 4));
        const struct boundary *boundary = &system.boundary;
        const double least = fmin(boundary->width, boundary->height);
        double range = least / 2 * random_unit(random);
        if (random_below(random, 10) == 0)
            range = least / 2; /* the most in a periodic box */
        if (random_below(random, 10) == 0)
            range = 1e-9;
        if (boundary->periodic == 0 && random_below(random, 5) == 0)
            range = 5 * boundary->width;
        const double shorter = range * random_unit(random);
        CHECK(finds_all(&neighbours, &system, range, range));
        CHECK(finds_all(&neighbours, &system, range, shorter));
    }
}

/* Constraints may look for neighbours before particles that have passed a seam, or a wall, are
 * brought back. */
RANDOM_TEST(particles_outside_of_the_box, 19)
{
    OWNED(neighbours, neighbours) = {0};
    for (int k = 0; k < (check_is_thorough() ? 2000 : 300); k++) {
        OWNED(system, system) = random_points(random, (unsigned)random_below(random, 4));
        const double side = fmin(system.boundary.width, system.boundary.height);
        const double range = side * (0.05 + 0.25 * random_unit(random));
        const double outside = range / 10;
        for (size_t i = 0; i < system.count; i++) {
            struct particle *p = &system.particles[i];
            if (p->x == 0 || p->x == system.boundary.width)
                p->x += outside * (2 * random_unit(random) - 1);
            if (p->y == 0 || p->y == system.boundary.height)
                p->y += outside * (2 * random_unit(random) - 1);
        }
        CHECK(finds_all(&neighbours, &system, range, range - outside));
    }
}

/* Cells are in proportion to particles, however small the range is. */
RANDOM_TEST(memory_in_a_huge_box, 20)
{
    OWNED(neighbours, neighbours) = {0};
    const double sides[][2] = {{1e40, 1e40}, {1e40, 1e-40}, {1e-40, 1e40}, {1e5, 1e5}};
    for (size_t k = 0; k < LENGTH(sides); k++) {
        OWNED(system, system) =
            arranged_points(random, 50, sides[k][0], sides[k][1], PERIODIC_X | PERIODIC_Y);
        CHECK(!neighbours_find(&neighbours, &system, 1e-41, NULL, &failure));
        CHECK((size_t)neighbours.grid.columns * neighbours.grid.rows < 3000);
        CHECK(neighbours.count >= system.count && neighbours.count <= 4 * system.count);
    }
}

/* The order in which pairs come is that of numbers and positions, whatever was listed before. */
struct order {
    const struct system *system;
    double gap; /* those farther apart do not count */
    uint64_t digest;
};

static void note(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct order *order = context;
    uint64_t bits;
    memcpy(&bits, &square, sizeof bits);
    (void)dx;
    (void)dy;
    const double near = order->gap + system_contact(order->system, &order->system->particles[i],
                                                    &order->system->particles[j]);
    if (square < near * near)
        order->digest = (order->digest ^ ((uint64_t)i << 32) ^ j ^ bits) * UINT64_C(0x100000001b3);
}

RANDOM_TEST(the_order_has_no_history, 21)
{
    OWNED(neighbours, used) = {0};
    for (int k = 0; k < 100; k++) {
        OWNED(system, system) = random_points(random, (unsigned)random_below(random, 4));
        OWNED(neighbours, fresh) = {0};
        struct order orders[2] = {{&system, (double)INFINITY, 0}, {&system, (double)INFINITY, 0}};
        CHECK(!neighbours_find(&used, &system, 1, NULL, &failure));
        CHECK(!neighbours_find(&fresh, &system, 1, NULL, &failure));
        neighbours_each(&used, &system, 1, note, &orders[0]);
        neighbours_each(&fresh, &system, 1, note, &orders[1]);
        CHECK(orders[0].digest == orders[1].digest);
    }
}

/* A large disk and many small ones, most of them in a part of the box, and some outside of it. */
static struct system crowded_disks(struct random_generator *random, unsigned periodic)
{
    const double part = random_below(random, 2) ? 1 : 0.02 + 0.1 * random_unit(random);
    struct system system = arranged_points(random, 400, 100, 60, periodic);
    system.kind_count = 3;
    system.kinds = calloc(3, sizeof *system.kinds);
    if (!system.kinds)
        exit(EXIT_FAILURE);
    for (int k = 0; k < 3; k++)
        system.kinds[k] = (struct particle_kind){.radius = random_unit(random), .mass = 1};
    if (random_below(random, 2))
        system.kinds[0] = (struct particle_kind){.radius = 5 + 10 * random_unit(random), .mass = 1};
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->kind = (uint32_t)(k == 7 ? 0 : 1 + random_below(random, 2));
        p->id = (int32_t)k;
        if (random_below(random, 50) > 0)
            p->x *= part, p->y *= part;
        if (random_below(random, 10) == 0)
            p->x = 0.1 * random_unit(random) + (random_below(random, 2) ? -0.1 : 100);
    }
    return system;
}

/* Compares a list, of any age, with one that is made now, and with all pairs. Returns whether it
 * was made before. */
static int check_list(struct verlet_list *list, const struct system *system, double range,
                      double gap, struct thread_pool *pool)
{
    struct verlet_list fresh = {0};
    struct order orders[3] = {{system, gap, 0}, {system, gap, 0}, {system, gap, 0}};
    CHECK(!verlet_update(list, system, range, gap, pool, &failure));
    CHECK(!verlet_update(&fresh, system, range, gap, NULL, &failure));
    for (size_t i = 0; i < system->count; i++) {
        verlet_visit(list, i, 0, range, note, &orders[0]);
        verlet_visit(&fresh, i, 0, range, note, &orders[1]);
        for (size_t j = 0; j < system->count; j++) {
            const struct verlet_position *p = &list->at[i], *q = &list->at[j];
            const double dx = boundary_nearest(q->x - p->x, list->period.x);
            const double dy = boundary_nearest(q->y - p->y, list->period.y);
            if (j != i && dx * dx + dy * dy < range * range)
                note(&orders[2], i, j, dx, dy, dx * dx + dy * dy);
        }
        CHECK(list->begins[i] % 2 == 0);
        if (list->counts[i] % 2 == 1)
            CHECK(list->numbers[list->begins[i] + list->counts[i]] == system->count);
    }
    CHECK(orders[0].digest == orders[1].digest && orders[0].digest == orders[2].digest);
    verlet_free(&fresh);
    return !list->is_stale;
}

/* Neighbours come in the order of their numbers, on any number of threads, whenever the list was
 * made, also where cells are crowded, where particles pass seams, and where ranges change. */
RANDOM_TEST(verlet_lists_have_no_history, 23)
{
    int kept = 0, made = 0;
    for (int k = 0; k < (check_is_thorough() ? 500 : 20); k++) {
        const unsigned periodic = (unsigned)random_below(random, 4);
        OWNED(system, system) =
            k % 2 ? crowded_disks(random, periodic) : random_points(random, periodic);
        struct thread_pool *pool = thread_pool_create(1 + (unsigned)k % 3);
        struct verlet_list list = {0};
        const struct boundary *box = &system.boundary;
        const double side = fmin(box->width, box->height);
        double range = side / 2 * random_unit(random);
        const double gap = k % 4 == 1 ? random_unit(random) : (double)INFINITY;
        for (int m = 0; m < 3 && k % 4 == 1; m++)
            range = fmax(range, gap + 2 * system.kinds[m].radius);
        range = fmin(range, side / 2);
        const double most = range * 0.1 * random_unit(random);
        for (int step = 0; step < 8; step++) {
            const int is_old = check_list(&list, &system, range, gap, pool);
            kept += is_old;
            made += !is_old;
            range *= 1 - 0.01 * (step % 3 == 1);
            for (size_t i = 0; i < system.count; i++) {
                struct particle *p = &system.particles[i];
                p->x += most * (random_unit(random) - 0.5);
                p->y += most * (random_unit(random) - 0.5);
                if (step % 2 == 0 && (periodic & PERIODIC_X))
                    p->x -= box->width * floor(p->x / box->width);
                if (step % 2 == 0 && (periodic & PERIODIC_Y))
                    p->y -= box->height * floor(p->y / box->height);
            }
        }
        verlet_free(&list);
        thread_pool_free(pool);
    }
    CHECK(kept > 30 && made > 30);
}

/* A velocity without bounds may have made positions that are no numbers: the loop says so later. */
RANDOM_TEST(positions_that_are_not_finite, 22)
{
    OWNED(neighbours, neighbours) = {0};
    struct found found = {0};
    OWNED(system, system) = arranged_points(random, 4, 3, 3, PERIODIC_X);
    system.particles[0].x = (double)NAN;
    system.particles[1].x = (double)INFINITY;
    system.particles[2].y = -(double)INFINITY;
    CHECK(!neighbours_find(&neighbours, &system, 1, NULL, &failure));
    neighbours_each(&neighbours, &system, 1, add, &found);
    CHECK(found.pairs == 0);
}

TEST(ranges_too_long_for_a_seam)
{
    const struct boundary box = {.width = 10, .height = 4};
    struct boundary along_x = box;
    struct boundary along_y = box;
    along_x.periodic = PERIODIC_X;
    along_y.periodic = PERIODIC_Y;
    CHECK(!neighbours_check(&box, "it", 1e30, &failure));
    CHECK(!neighbours_check(&along_x, "it", 5, &failure));
    CHECK(!neighbours_check(&along_y, "it", 2, &failure));
    CHECK(neighbours_check(&along_x, "it", 5.1, &failure) == STATUS_USAGE);
    CHECK(neighbours_check(&along_y, "it", 2.1, &failure) == STATUS_USAGE);
    CHECK(strcmp(failure.message,
                 "it reaches 2.1 far, which is more than half of a periodic side, 2: let it reach "
                 "less far, or take a larger box") == 0);
}

static struct neighbours_map take(const struct system *system)
{
    struct neighbours_map map;
    CHECK(neighbours_map_create(&map, &system->boundary, system->count, &failure) == STATUS_DONE);
    for (size_t k = 0; k < system->count; k++) {
        map.x[k] = system->particles[k].x;
        map.y[k] = system->particles[k].y;
    }
    neighbours_map_sort(&map);
    return map;
}

/* Each particle is in the cell where it stands, and those in a cell are in the order of numbers. */
static void check_cells(const struct neighbours_map *map)
{
    size_t found = 0;
    for (int64_t row = 0; row < map->grid.rows; row++) {
        for (int64_t column = 0; column < map->grid.columns; column++) {
            const size_t cell = (size_t)(row * map->grid.columns + column);
            for (size_t k = map->grid.first[cell]; k < map->grid.first[cell + 1]; k++, found++) {
                const double x = map->sorted_x[k];
                const double y = map->sorted_y[k];
                const double margin = 1e-12 * (map->grid.width + map->grid.height);
                CHECK(x == map->x[map->numbers[k]] && y == map->y[map->numbers[k]]);
                CHECK(fabs(x - ((double)column + 0.5) * map->grid.width) <=
                      map->grid.width / 2 + margin);
                CHECK(fabs(y - ((double)row + 0.5) * map->grid.height) <=
                      map->grid.height / 2 + margin);
                CHECK(k == map->grid.first[cell] || map->numbers[k - 1] < map->numbers[k]);
            }
        }
    }
    CHECK(found == map->count);
}

/* How many images of particles are in a rectangle of cells, and how many that must be. */
static void check_spans(const struct neighbours_map *map, struct random_generator *random)
{
    const int64_t first = (int64_t)random_below(random, 40) - 20;
    const int64_t last = first + (int64_t)random_below(random, 30);
    const int64_t row = (int64_t)random_below(random, 40) - 20;
    const int is_x = (map->boundary.periodic & PERIODIC_X) != 0;
    const int is_y = (map->boundary.periodic & PERIODIC_Y) != 0;
    size_t expected = 0, found = 0;
    struct neighbours_map_span span;
    for (int64_t column = first; column <= last; column++) {
        const int64_t c = ((column % map->grid.columns) + map->grid.columns) % map->grid.columns;
        const int64_t r = ((row % map->grid.rows) + map->grid.rows) % map->grid.rows;
        const size_t cell = (size_t)(r * map->grid.columns + c);
        if ((is_x || c == column) && (is_y || r == row))
            expected += map->grid.first[cell + 1] - map->grid.first[cell];
    }
    for (int64_t column = first; neighbours_map_span(map, row, &column, last, &span);) {
        found += span.end - span.begin;
        for (size_t k = span.begin; k < span.end; k++) {
            const double x = map->sorted_x[k] + span.shift.x;
            const double y = map->sorted_y[k] + span.shift.y;
            CHECK(x >= ((double)first - 1e-9) * map->grid.width);
            CHECK(x <= ((double)last + 1 + 1e-9) * map->grid.width);
            CHECK(fabs(y - ((double)row + 0.5) * map->grid.height) <= 0.5001 * map->grid.height);
        }
    }
    CHECK(found == expected);
}

/* A walk over the cells of a frame meets each image of each particle once, where it is. */
RANDOM_TEST(cells_and_spans, 5)
{
    for (int round = 0; round < 40; round++) {
        const double width = round % 3 == 0 ? 1000 : 1;
        OWNED(system, system) = arranged_points(random, 1 + random_below(random, 60), width,
                                                1 + random_unit(random), (unsigned)round % 4);
        system.particles[0].x = 0;
        system.particles[0].y = 0;
        struct neighbours_map map = take(&system);
        check_cells(&map);
        for (int k = 0; k < 20; k++)
            check_spans(&map, random);
        neighbours_map_free(&map);
    }
}
