/* Tests of the cell list. Its members are compared with those of a naive list that knows only in
 * which cell each one is; most are in few cells, for a cell's own three are the easy
 * case. Of the layout: there is memory for the cells, they are where the particles are, and two
 * particles that touch are in cells side by side. */
#include "schedule/cell_list.h"
#include "schedule/lanes.h"

#include "check.h"
#include "odd_system.h"

#include <float.h>

enum { MAX_MEMBERS = 400, MAX_CELLS = 600, NOWHERE = 0 };

/* In which cell each member is, or NOWHERE: the border's first cell, which never has any. */
struct naive {
    size_t count;
    uint32_t cells[MAX_MEMBERS];
};

/* Appends all members of a cell and its chain to `list`; returns how many there are. */
static size_t gather(const struct cell_list *cell_list, uint32_t cell, uint32_t *list)
{
    size_t count = 0;
    do
        cell = cell_list_gather(&cell_list->cells[cell], 1, list, &count) >> 2;
    while (cell != 0);
    return count;
}

/* Whether `list` names no member twice and only members of `cell`, and as many as there are. */
static int holds_exactly(const struct naive *naive, uint32_t cell, const uint32_t *list,
                         size_t count)
{
    int seen[MAX_MEMBERS] = {0};
    for (size_t k = 0; k < count; k++) {
        if (list[k] >= naive->count || naive->cells[list[k]] != cell || seen[list[k]])
            return 0;
        seen[list[k]] = 1;
    }
    for (size_t member = 0; member < naive->count; member++)
        count -= naive->cells[member] == cell;
    return count == 0;
}

/* Each cell, also of the border, has the members that it should, and the chains are short. */
static void check_members(const struct cell_list *cell_list, const struct naive *naive)
{
    uint32_t list[MAX_MEMBERS + CELL_LIST_SLACK];
    uint32_t cells = cell_list->stride * (cell_list->shape.rows + 2);
    size_t present = 0, overflow = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        size_t count = gather(cell_list, cell, list);
        if (cell != NOWHERE)
            CHECK(holds_exactly(naive, cell, list, count));
        present += count;
        overflow += count > 0 ? (count - 1) / CELL_LIST_MEMBERS : 0;
    }
    for (size_t member = 0; member < naive->count; member++)
        present -= naive->cells[member] != NOWHERE;
    CHECK(present == 0);
    CHECK(cell_list->overflow_used == overflow);
    CHECK(cell_list->overflow_end <= cells + naive->count / CELL_LIST_MEMBERS + 1);
}

static uint32_t any_cell(const struct cell_list *cell_list, struct random_generator *random)
{
    return cell_list_at(cell_list, (uint32_t)random_below(random, cell_list->shape.columns),
                        (uint32_t)random_below(random, cell_list->shape.rows));
}

/* Adds, removes and moves members at random, and sometimes all of them into one cell. */
static void shuffle(struct cell_list *cell_list, struct naive *naive,
                    struct random_generator *random, int steps)
{
    for (int step = 0; step < steps; step++) {
        uint32_t member = (uint32_t)random_below(random, naive->count);
        uint32_t favourite =
            random_below(random, 3) ? cell_list_at(cell_list, 0, 0) : any_cell(cell_list, random);
        if (naive->cells[member] != NOWHERE) {
            cell_list_remove(cell_list, naive->cells[member], member);
            naive->cells[member] = NOWHERE;
        }
        if (random_below(random, 8) > 0) {
            naive->cells[member] = favourite;
            cell_list_add(cell_list, favourite, member);
        }
    }
}

RANDOM_TEST(members_are_those_of_a_naive_list, 30)
{
    static const struct cell_list_shape shapes[] = {
        {0, 0, 1, 1, 1, 1, 0, 0}, {0, 0, 1, 1, 1, 40, 0, 0}, {0, 0, 1, 1, 40, 1, 0, 0},
        {0, 0, 1, 1, 2, 2, 0, 0}, {0, 0, 1, 1, 7, 5, 0, 0},  {0, 0, 1, 1, 22, 23, 0, 0}};
    int rounds = check_is_thorough() ? 120 : 12;
    for (int round = 0; round < rounds; round++) {
        struct naive naive = {.count = 1 + random_below(random, MAX_MEMBERS)};
        OWNED(cell_list, cell_list);
        CHECK(cell_list_create(&cell_list, MAX_CELLS, naive.count, &failure) == STATUS_DONE);
        for (int use = 0; use < 3; use++) { /* it is used again, with another shape */
            for (size_t member = 0; member < naive.count; member++)
                naive.cells[member] = NOWHERE;
            cell_list_reset(&cell_list, &shapes[random_below(random, LENGTH(shapes))]);
            check_members(&cell_list, &naive);
            for (int check = 0; check < 4; check++) {
                shuffle(&cell_list, &naive, random, (int)random_below(random, 1000));
                check_members(&cell_list, &naive);
            }
        }
    }
}

/* Nine full cells fill the list that is meant for nine cells, and not more. */
TEST(nine_cells_fit_into_a_list)
{
    static const struct cell_list_shape shape = {0, 0, 1, 1, 3, 3, 0, 0};
    const uint32_t untouched = 12345;
    OWNED(cell_list, cell_list);
    CHECK(cell_list_create(&cell_list, 25, 27, &failure) == STATUS_DONE);
    cell_list_reset(&cell_list, &shape);
    for (uint32_t member = 0; member < 27; member++)
        cell_list_add(&cell_list, cell_list_at(&cell_list, member % 3, member / 9), member);
    uint32_t list[CELL_LIST_NEIGHBOURS + 1];
    list[CELL_LIST_NEIGHBOURS] = untouched;
    for (int has_chains = 0; has_chains < 2; has_chains++) {
        size_t count = 0;
        for (uint32_t cell = 0; cell < 9; cell++)
            CHECK(!cell_list_overflows(
                cell_list_gather(&cell_list.cells[cell_list_at(&cell_list, cell % 3, cell / 3)],
                                 has_chains, list, &count)));
        CHECK(count == 27 && list[CELL_LIST_NEIGHBOURS] == untouched);
        uint64_t members = 0;
        for (size_t k = 0; k < count; k++)
            members |= UINT64_C(1) << list[k];
        CHECK(members == (UINT64_C(1) << 27) - 1);
    }
}

/* Gathered without one member, whichever it is, a cell has all others; with a chain, all. */
TEST(others_are_gathered)
{
    static const struct cell_list_shape shape = {0, 0, 1, 1, 2, 2, 0, 0};
    OWNED(cell_list, cell_list);
    CHECK(cell_list_create(&cell_list, 16, 10, &failure) == STATUS_DONE);
    for (uint32_t members = 1; members <= 5; members++) {
        for (uint32_t left_out = 0; left_out < members; left_out++) {
            cell_list_reset(&cell_list, &shape);
            const struct cell *cell = &cell_list.cells[cell_list_at(&cell_list, 1, 1)];
            for (uint32_t member = 0; member < members; member++)
                cell_list_add(&cell_list, cell_list_at(&cell_list, 1, 1), member);
            uint32_t list[CELL_LIST_NEIGHBOURS];
            size_t count = 0;
            const int has_chains = members > CELL_LIST_MEMBERS || left_out % 2;
            uint32_t state = cell_list_gather_others(cell, has_chains, left_out, list, &count);
            CHECK(cell_list_overflows(state) == (members > CELL_LIST_MEMBERS));
            CHECK(count ==
                  (members > CELL_LIST_MEMBERS ? members - CELL_LIST_MEMBERS : members - 1));
            uint32_t sum = 0;
            for (size_t k = 0; k < count && members <= CELL_LIST_MEMBERS; k++) {
                CHECK(list[k] != left_out);
                sum += list[k];
            }
            CHECK(members > CELL_LIST_MEMBERS || sum == members * (members - 1) / 2 - left_out);
        }
    }
}

/* Whether the cell of a point contains it, the outer ones reaching to infinity. */
static int contains(const struct cell_list *cell_list, double x, double y)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    uint32_t cell = cell_list_locate(cell_list, x, y);
    uint32_t column = cell_list_column(cell_list, cell);
    uint32_t row = cell_list_row(cell_list, cell);
    double slack = 1e-14 * (fabs(x) + fabs(y) + shape->width + shape->height);
    double left = shape->left + column * shape->width - slack;
    double bottom = shape->bottom + row * shape->height - slack;
    return column < shape->columns && row < shape->rows &&
           cell == cell_list_at(cell_list, column, row) && (column == 0 || x >= left) &&
           (column == shape->columns - 1 || x <= left + shape->width + 2 * slack) &&
           (row == 0 || y >= bottom) &&
           (row == shape->rows - 1 || y <= bottom + shape->height + 2 * slack);
}

RANDOM_TEST(points_are_located, 32)
{
    OWNED(cell_list, cell_list);
    CHECK(cell_list_create(&cell_list, MAX_CELLS, 1, &failure) == STATUS_DONE);
    for (int round = 0; round < 300; round++) {
        double unit = pow(10, 60 * random_unit(random) - 30);
        struct cell_list_shape shape = {unit * (random_unit(random) - 0.5),
                                        unit * random_unit(random),
                                        unit * (0.01 + random_unit(random)),
                                        unit * (0.01 + random_unit(random)),
                                        1 + (uint32_t)random_below(random, 20),
                                        1 + (uint32_t)random_below(random, 20),
                                        0,
                                        0};
        cell_list_reset(&cell_list, &shape);
        for (int point = 0; point < 100; point++)
            CHECK(contains(&cell_list, unit * (60 * random_unit(random) - 20),
                           unit * (60 * random_unit(random) - 20)));
        for (int border = 0; border < 40; border++)
            CHECK(contains(&cell_list, shape.left + border * shape.width,
                           shape.bottom + border * shape.height));
    }
}

TEST(points_outside_belong_to_the_nearest_cell)
{
    static const struct cell_list_shape shape = {-4, 2, 1, 2, 8, 3, 0, 0};
    OWNED(cell_list, cell_list);
    CHECK(cell_list_create(&cell_list, 50, 1, &failure) == STATUS_DONE);
    cell_list_reset(&cell_list, &shape);
    CHECK(cell_list_locate(&cell_list, -4, 2) == cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, -1e300, -1e300) == cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, 1e300, 1e300) == cell_list_at(&cell_list, 7, 2));
    CHECK(cell_list_locate(&cell_list, (double)INFINITY, -(double)INFINITY) ==
          cell_list_at(&cell_list, 7, 0));
    CHECK(cell_list_locate(&cell_list, -3, 4) ==
          cell_list_at(&cell_list, 1, 1)); /* a border belongs to the next */
    CHECK(cell_list_locate(&cell_list, nextafter(-3, -9), nextafter(4, 0)) ==
          cell_list_at(&cell_list, 0, 0));
    CHECK(cell_list_locate(&cell_list, 4, 8) ==
          cell_list_at(&cell_list, 7, 2)); /* except the last one */
    CHECK(cell_list_locate(&cell_list, 5e9, 5) == cell_list_at(&cell_list, 7, 1));
}

/* The list names each member once; and members of a tile of 8 x 8 cells follow each other. */
RANDOM_TEST(the_list_names_each_member_once, 33)
{
    uint32_t list[MAX_MEMBERS];
    for (int round = 0; round < 60; round++) {
        const struct cell_list_shape shape = {0,
                                              0,
                                              1,
                                              1,
                                              1 + (uint32_t)random_below(random, 22),
                                              1 + (uint32_t)random_below(random, 22),
                                              0,
                                              0};
        struct naive naive = {.count = 1 + random_below(random, MAX_MEMBERS)};
        OWNED(cell_list, cell_list);
        CHECK(cell_list_create(&cell_list, MAX_CELLS, naive.count, &failure) == STATUS_DONE);
        cell_list_reset(&cell_list, &shape);
        for (uint32_t member = 0; member < naive.count; member++) {
            naive.cells[member] = any_cell(&cell_list, random);
            cell_list_add(&cell_list, naive.cells[member], member);
        }
        shuffle(&cell_list, &naive, random, 300);
        for (uint32_t member = 0; member < naive.count; member++)
            if (naive.cells[member] == NOWHERE)
                cell_list_add(&cell_list, naive.cells[member] = any_cell(&cell_list, random),
                              member);
        cell_list_order(&cell_list, list);
        int seen[MAX_MEMBERS] = {0};
        uint32_t last_tile = 0;
        for (size_t k = 0; k < naive.count; k++) {
            if (!CHECK(list[k] < naive.count && !seen[list[k]]))
                break;
            seen[list[k]] = 1;
            uint32_t cell = naive.cells[list[k]];
            uint32_t tile =
                cell_list_row(&cell_list, cell) / 8 * 100 + cell_list_column(&cell_list, cell) / 8;
            CHECK(tile >= last_tile);
            last_tile = tile;
        }
    }
}

static double largest_contact(const struct system *system)
{
    double radius = 0;
    for (size_t k = 0; k < system->count; k++)
        radius = fmax(radius, system_radius(system, &system->particles[k]));
    return 2 * radius;
}

/* Systems of all sorts, some of them late: everything is where it is at time `*now`. */
static struct system any_system(struct random_generator *random, int round, double *now)
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
                              1 + random_below(random, 100), 0.5 * random_unit(random) + 1e-3);
        break;
    default:
        system =
            random_system(random, 1 + random_below(random, 200), 1e-3 + 0.4 * random_unit(random),
                          pow(1e4, random_unit(random) - 0.5));
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
    CHECK(cells <= cell_list_most_cells(system->count));
    CHECK(shape->width >= least && shape->height >= least);
    CHECK(shape->width < (double)INFINITY && shape->height < (double)INFINITY);
    CHECK(shape->left >= 0 && shape->left <= system->boundary.width);
    CHECK(shape->bottom >= 0 && shape->bottom <= system->boundary.height);
}

static int rounds(int most)
{
    return check_is_thorough() ? most : most / 10;
}

static double find_least_side(const struct system *system, double contact, double now)
{
    return cell_list_least_side(contact, cell_list_find_margin(system, contact, now, NULL).length);
}

RANDOM_TEST(shapes_are_within_bounds, 1)
{
    for (int round = 0; round < rounds(4000); round++) {
        double now;
        struct cell_list_shape shape;
        OWNED(system, system) = any_system(random, round, &now);
        double contact = random_below(random, 5) ? largest_contact(&system) : 0;
        const double least = find_least_side(&system, contact, now);
        cell_list_choose_shape(&system, least, now, &shape);
        check_shape(&system, &shape, least);
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
RANDOM_TEST(those_that_touch_are_neighbours, 2)
{
    OWNED(cell_list, cell_list);
    size_t apart[3] = {0};
    CHECK(cell_list_create(&cell_list, 100000, 1, &failure) == STATUS_DONE);
    for (int round = 0; round < rounds(2000); round++) {
        double now;
        struct cell_list_shape shape;
        OWNED(system, system) = any_system(random, round, &now);
        double contact = largest_contact(&system);
        cell_list_choose_shape(&system, find_least_side(&system, contact, now), now, &shape);
        cell_list_reset(&cell_list, &shape);
        for (size_t k = 0; k < system.count; k++) {
            double x = random_below(random, 2) ? system.particles[k].x
                                               : system.boundary.width * random_unit(random);
            double y = system.particles[k].y;
            double angle = 6.283185307179586 * random_unit(random);
            int axis = (int)random_below(random, 4);
            double dx = axis == 0 ? contact : axis == 1 ? 0 : contact * cos(angle);
            double dy = axis == 1 ? contact : axis == 0 ? 0 : contact * sin(angle);
            uint32_t distance = cells_apart(&cell_list, x, y, x + dx, y + dy);
            CHECK(distance <= 1);
            apart[distance < 2 ? distance : 2]++;
        }
    }
    CHECK(apart[0] > 1000 && apart[1] > 1000);
}

/* About as many cells as particles where these are, however large the box is around them. */
RANDOM_TEST(cells_are_where_the_particles_are, 3)
{
    enum { COLUMNS = 53, ROWS = 30, COUNT = COLUMNS * ROWS };
    static const double scales[] = {1, 1000, 1e6};
    for (size_t scale = 0; scale < 3; scale++) {
        struct cell_list_shape shape;
        OWNED(system, system) = random_lattice(random, COLUMNS, ROWS, 1);
        double length = system.boundary.width, height = system.boundary.height;
        double shift = length * (scales[scale] - 1) / 3;
        double rise = height * (scales[scale] - 1) / 2;
        system.boundary.width *= scales[scale];
        system.boundary.height *= scales[scale];
        for (size_t k = 0; k < COUNT; k++) {
            system.particles[k].x += shift;
            system.particles[k].y += rise;
        }
        cell_list_choose_shape(&system, cell_list_least_side(2, 0), 0, &shape);
        CHECK(shape.columns * shape.rows > COUNT / 2 && shape.columns * shape.rows <= 1.2 * COUNT);
        CHECK(fabs(shape.left - shift) < length / 4);
        CHECK(fabs(shape.left + shape.columns * shape.width - shift - length) < length / 4);
        CHECK(fabs(shape.bottom - rise) < length / 4);
        CHECK(fabs(shape.bottom + shape.rows * shape.height - rise - height) < length / 4);
        const struct particle *last = &system.particles[COUNT - 1];
        CHECK(shape.left <= system.particles[0].x && shape.bottom <= system.particles[0].y);
        CHECK(shape.left + shape.columns * shape.width >= last->x * (1 - 1e-14));
        CHECK(shape.bottom + shape.rows * shape.height >= last->y * (1 - 1e-14));
        for (size_t k = 0; k < 30; k++) { /* a few far away make the cells no larger */
            system.particles[k * 53].x = system.boundary.width * random_unit(random);
            system.particles[k * 53].y = system.boundary.height * random_unit(random);
        }
        struct cell_list_shape scattered;
        cell_list_choose_shape(&system, cell_list_least_side(2, 0), 0, &scattered);
        CHECK(scattered.width < 1.5 * shape.width && scattered.height < 1.5 * shape.height);
    }
}

/* Not the anchors count, but where the particles are by now. */
RANDOM_TEST(time_passes, 4)
{
    struct cell_list_shape shape;
    OWNED(system, system) = random_lattice(random, 20, 20, 1);
    system.boundary.width = system.boundary.height = 10000;
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].u = 3;
        system.particles[k].v = 2;
    }
    cell_list_choose_shape(&system, cell_list_least_side(2, 0), 1000, &shape);
    CHECK(shape.left > 2900 && shape.left < 3100 && shape.bottom > 1900 && shape.bottom < 2100);
}

/* The margin is by far more than the rounding of positions, while any particle can have the energy
 * of all: up to a later time, and there is one even for points. */
RANDOM_TEST(the_margin, 5)
{
    OWNED(system, system) = random_lattice(random, 20, 20, 1);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].v = 0;
    system.boundary.width = 1e4;
    system.boundary.height = 2e4;
    CHECK(cell_list_find_margin(&system, 2, 1e3, NULL).until == (double)INFINITY);
    system.particles[7].u = 3;
    system.particles[8].v = -4;
    for (int rule = RULE_SWAP; rule <= RULE_ELASTIC; rule++) {
        const double fastest = rule == RULE_SWAP ? 4 : 5;
        system.law.rule = (enum system_rule)rule;
        for (double contact = 0; contact < 3; contact += 2) {
            for (double now = 0; now < 1e20; now = 10 * now + 1) {
                const struct cell_list_margin margin =
                    cell_list_find_margin(&system, contact, now, NULL);
                const double reach = 2e4 + fastest * margin.until;
                const double side = cell_list_least_side(contact, margin.length);
                CHECK(margin.until > 2 * now);
                CHECK(side - contact > 128 * DBL_EPSILON * reach);
                CHECK(now > 0 || side < 1.01 * contact + 1e-8);
            }
        }
    }
    system.boundary.stream = stream_make(-6, 4, 1);
    CHECK(cell_list_find_margin(&system, 0, 1e12, NULL).length >
          256 * DBL_EPSILON * 20 * (6 + 2 * 4) * 1e12);
    CHECK(cell_list_least_side(0, 0) > 0);
}

RANDOM_TEST(a_permutation_is_what_it_says, 5)
{
    enum { MAX = 60 };
    for (int round = 0; round < 3000; round++) {
        struct particle particles[MAX + 1];
        struct particle_counts counts[MAX + 1];
        uint32_t order[MAX + 1];
        uint32_t wanted[MAX];
        size_t count = random_below(random, MAX + 1);
        size_t swaps = random_below(random, 2) ? 2 : count; /* nearly in order, or in none */
        for (uint32_t k = 0; k <= MAX; k++) {
            particles[k] = (struct particle){.x = k, .id = (int32_t)k};
            counts[k] = (struct particle_counts){.walls = k};
            order[k] = k;
        }
        for (size_t k = 0; k < swaps && count > 0; k++) {
            size_t a = random_below(random, count);
            size_t b = random_below(random, count);
            uint32_t swap = order[a];
            order[a] = order[b];
            order[b] = swap;
        }
        for (size_t k = 0; k < count; k++)
            wanted[k] = order[k];
        struct system system = arranged_few(particles, counts, count, 0, 0, 0);
        cell_list_permute(&system, order);
        for (size_t k = 0; k < count; k++)
            CHECK(particles[k].id == (int32_t)wanted[k] && particles[k].x == wanted[k] &&
                  counts[k].walls == wanted[k]);
        for (size_t k = count; k <= MAX; k++)
            CHECK(particles[k].id == (int32_t)k);
    }
}

/* Along a periodic axis cells can only become shorter by a whole factor. */
TEST(shorter_cells)
{
    const struct boundary boundary = {.width = 8, .height = 8, .periodic = PERIODIC_X};
    const struct cell_list_shape whole = {.width = 2, .height = 2, .columns = 4, .rows = 4};
    struct cell_list_shape shape = whole;
    CHECK(cell_list_refine(&boundary, &shape, 0.5, 1));
    CHECK(shape.width == 1 && shape.height == 1 && shape.is_folded);
    shape = whole;
    CHECK(cell_list_refine(&boundary, &shape, 0.5, 1.5));
    CHECK(shape.width == 2 && shape.height == 1.5);
    shape = whole;
    CHECK(!cell_list_refine(&boundary, &shape, 0.5, 2));
    CHECK(shape.width == 2 && shape.height == 2 && !shape.is_folded);
}

static struct lanes_list list_images(const struct cell_list *cell_list, uint32_t cell, int32_t step)
{
    struct lanes_list list = {.images = LIST_HAS_IMAGES, .k = cell_list->cells[cell].members[0]};
    lanes_list_add_images(&list, cell_list, cell, step);
    return list;
}

/* An entry is in a list, or it is the particle that this is for. */
static int has_entry(const struct lanes_list *list, uint32_t entry)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->entries[k] == entry)
            return 1;
    return entry == list->k;
}

/* Beside seams as elsewhere: what is around a cell was around the one before, or is ahead, and what
 * is listed as ahead is around the cell. */
RANDOM_TEST(images_ahead, 35)
{
    for (int round = 0; round < 300; round++) {
        OWNED(cell_list, cell_list);
        const struct cell_list_shape shape = {.columns = 1 + (uint32_t)random_below(random, 6),
                                              .rows = 1 + (uint32_t)random_below(random, 6),
                                              .wraps = (unsigned)random_below(random, 4)};
        CHECK(!cell_list_create(&cell_list, 64, MAX_MEMBERS, &failure));
        cell_list_reset(&cell_list, &shape);
        for (uint32_t member = 0; member < 2 * shape.rows * shape.columns; member++)
            cell_list_add(&cell_list,
                          cell_list_at(&cell_list, member % shape.columns,
                                       member / shape.columns % shape.rows),
                          member);
        for (uint32_t k = 0; k < shape.rows * shape.columns; k++) {
            const uint32_t column = k % shape.columns, row = k / shape.columns;
            const uint32_t cell = cell_list_at(&cell_list, column, row);
            const struct lanes_list around = list_images(&cell_list, cell, 0);
            CHECK(cell_list_wraps_around(&cell_list, cell) ==
                  cell_list_is_at_seam(&shape, column, row, 1, 1));
            for (int way = 0; way < 8; way++) {
                const int32_t step = cell_list.steps[way / 2][way % 2];
                const struct lanes_list ahead = list_images(&cell_list, cell, step);
                if (cell_list.cells[(int32_t)cell - step].state == 0)
                    continue; /* nothing comes from the border */
                const struct lanes_list before =
                    list_images(&cell_list, (uint32_t)((int32_t)cell - step), 0);
                for (size_t m = 0; m < around.count; m++)
                    CHECK(has_entry(&ahead, around.entries[m]) ||
                          has_entry(&before, around.entries[m]));
                for (size_t m = 0; m < ahead.count; m++)
                    CHECK(has_entry(&around, ahead.entries[m]));
                CHECK(ahead.count <= 6);
            }
        }
    }
}
