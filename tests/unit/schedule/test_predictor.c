/*
 * A run of the cells schedule watched from inside: after every event all that predictor.c promises
 * is checked by brute force. The schedule is compiled into this program a second time, so that
 * its parts can be seen, and its calendar made to overflow and its cells to be chosen all the time.
 */
#define cells_create watched_create
#include "schedule/cells.c"
#undef cells_create

#include "by_ids.h"
#include "check.h"
#include "odd_system.h"

enum { MAX_COUNT = 500 };

static struct event event_of_pair(const struct system *system, size_t i, size_t j)
{
    const struct particle *p = &system->particles[i];
    const struct particle *q = &system->particles[j];
    double time = physics_first_contact(system, p, q).time;
    return by_ids(system, (struct event){time, (int32_t)i, (int32_t)j});
}

static struct event event_of_prediction(const struct predictor *predictor, size_t k)
{
    return by_ids(predictor->system,
                  prediction_event(predictor->system, (uint32_t)k, &predictor->predictions[k]));
}

/* The first potential collision of the system as it stands, by looking at all of them. */
static struct event first_of_all(const struct system *system)
{
    struct event first = by_ids(system, physics_boundary_event(system, 0));
    for (size_t i = 0; i < system->count; i++) {
        struct event event = by_ids(system, physics_boundary_event(system, i));
        if (event_before(&event, &first))
            first = event;
        for (size_t j = 0; j < i; j++) {
            event = event_of_pair(system, i, j);
            if (event_before(&event, &first))
                first = event;
        }
    }
    return first;
}

/* How far rounding may take a coordinate at time `now` of a particle this fast. */
static double rounding(const struct system *system, double speed, double now)
{
    double length = fmax(system->boundary.width, system->boundary.height);
    return 64 * DBL_EPSILON * (length + fabs(speed) * now);
}

/* The distance of the nearest images along an axis of this length. */
static double nearest(double d, double length, unsigned is_periodic)
{
    return is_periodic ? fmin(fabs(d), length - fabs(d)) : fabs(d);
}

static void check_positions(const struct system *system, double now)
{
    const struct boundary *boundary = &system->boundary;
    const unsigned x_wraps = boundary->periodic & PERIODIC_X;
    const unsigned y_wraps = boundary->periodic & PERIODIC_Y;
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        double R = system_radius(system, p);
        double x_least = x_wraps ? 0 : R;
        double y_least = y_wraps ? 0 : R;
        double slack = rounding(system, fabs(p->u) + fabs(p->v), now);
        double x = particle_coordinate(p->x, p->u, p->t, now);
        double y = particle_coordinate(p->y, p->v, p->t, now);
        CHECK(x >= x_least - slack && x <= boundary->width - x_least + slack);
        CHECK(y >= y_least - slack && y <= boundary->height - y_least + slack);
        for (size_t j = 0; j < i; j++) {
            const struct particle *q = &system->particles[j];
            double dx =
                nearest(particle_coordinate(q->x, q->u, q->t, now) - x, boundary->width, x_wraps);
            double dy =
                nearest(particle_coordinate(q->y, q->v, q->t, now) - y, boundary->height, y_wraps);
            double other = rounding(system, fabs(q->u) + fabs(q->v), now);
            CHECK(sqrt(dx * dx + dy * dy) >= system_contact(system, p, q) - 2 * (slack + other));
        }
    }
}

/* Whether a coordinate is between the borders of its column or row. */
static int is_between(const struct cell_list_shape *shape, double x, double begin, double side,
                      uint32_t place, uint32_t count, double slack)
{
    double border = cell_list_folded_border(x, begin, side, place, count);
    if (shape->is_folded)
        return x >= border - slack && x <= border + side + slack;
    return (place == 0 || x >= begin + place * side - slack) &&
           (place == count - 1 || x <= begin + (place + 1) * side + slack);
}

/* Every particle but the large disks is a member of one cell. It, and a large disk, is where the
 * cell in its prediction says. */
static void check_cells(const struct predictor *predictor, double now)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    size_t found[MAX_COUNT] = {0};
    size_t cells = (size_t)cell_list->stride * (shape->rows + 2);
    CHECK(cells <= cell_list->most_cells);
    CHECK(cell_list->overflow_used <= predictor->system->count / CELL_LIST_MEMBERS);
    CHECK(cell_list->overflow_end <=
          cell_list->most_cells + predictor->system->count / CELL_LIST_MEMBERS + 1);
    for (uint32_t cell = 0; cell < cells; cell++) {
        uint32_t list[MAX_COUNT + CELL_LIST_SLACK];
        size_t count = 0;
        uint32_t next = cell;
        do
            next = cell_list_gather(&cell_list->cells[next], 1, list, &count) >> 2;
        while (next != 0 && count + CELL_LIST_MEMBERS <= MAX_COUNT);
        for (size_t m = 0; m < count; m++) {
            CHECK(predictor->predictions[list[m]].cell == cell);
            found[list[m]]++;
        }
    }
    for (size_t k = 0; k < predictor->system->count; k++) {
        const struct particle *p = &predictor->system->particles[k];
        double slack = rounding(predictor->system, fabs(p->u) + fabs(p->v), now);
        uint32_t column = cell_list_column(cell_list, predictor->predictions[k].cell);
        uint32_t row = cell_list_row(cell_list, predictor->predictions[k].cell);
        CHECK(found[k] == !predictor_is_large(predictor, (uint32_t)k) && column < shape->columns &&
              row < shape->rows);
        CHECK(is_between(shape, particle_coordinate(p->x, p->u, p->t, now), shape->left,
                         shape->width, column, shape->columns, slack));
        CHECK(is_between(shape, particle_coordinate(p->y, p->v, p->t, now), shape->bottom,
                         shape->height, row, shape->rows, slack));
    }
}

/* Whether two columns or rows of a folded list are side by side. */
static int are_side_by_side(int32_t a, int32_t b, uint32_t columns)
{
    int32_t count = (int32_t)columns;
    int32_t apart = (a + count - b) % count;
    return apart <= 1 || apart == count - 1;
}

/* Whether two columns or rows of a folded list are at its edges, and so maybe at the box's seam. */
static int are_at_edges(int32_t a, int32_t b, uint32_t columns)
{
    const int32_t last = (int32_t)columns - 1;
    return (a == 0 || a == last) && (b == 0 || b == last);
}

/* The column and row of a particle's cell; of a large disk in the cells for these. */
struct cell_position {
    int32_t column, row;
};

static struct cell_position position_of(const struct predictor *predictor, size_t k)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    uint32_t cell = predictor->predictions[k].cell;
    return (struct cell_position){(int32_t)cell_list_column(cell_list, cell),
                                  (int32_t)cell_list_row(cell_list, cell)};
}

static struct cell_position coarse_position_of(const struct predictor *predictor, size_t k)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    struct cell_position position = position_of(predictor, k);
    int32_t column = position.column / (int32_t)large_disks->columns_each;
    int32_t row = position.row / (int32_t)large_disks->rows_each;
    int32_t last_column = (int32_t)large_disks->coarse.shape.columns - 1;
    int32_t last_row = (int32_t)large_disks->coarse.shape.rows - 1;
    return (struct cell_position){column < last_column ? column : last_column,
                                  row < last_row ? row : last_row};
}

/* True if a cell in this column and row, maybe beyond the edges, is in the block of large disk k.
 */
static int is_in_block(const struct predictor *predictor, size_t k, int32_t column, int32_t row)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    uint32_t cell = predictor->predictions[k].cell;
    struct large_disks_span rows = large_disks_rows(large_disks, (uint32_t)k, cell);
    struct large_disks_span columns = large_disks_columns(large_disks, (uint32_t)k, cell, row);
    return row >= rows.first && row <= rows.last && column >= columns.first &&
           column <= columns.last;
}

/* Neighbours are particles in cells side by side; of a large disk, the small ones in its block, and
 * the large ones in cells of their own side by side. Here j is its image that is `column` and `row`
 * times all cells away. Where cells are folded that image touches only what is at the edges, too:
 * elsewhere it need not be considered yet. */
static int are_neighbours(const struct predictor *predictor, size_t i, size_t j, int32_t column,
                          int32_t row)
{
    const int is_large[2] = {predictor_is_large(predictor, (uint32_t)i),
                             predictor_is_large(predictor, (uint32_t)j)};
    const int are_large = is_large[0] && is_large[1];
    const struct cell_list_shape *shape =
        are_large ? &predictor->large_disks.coarse.shape : &predictor->cell_list.shape;
    struct cell_position a =
        are_large ? coarse_position_of(predictor, i) : position_of(predictor, i);
    struct cell_position b =
        are_large ? coarse_position_of(predictor, j) : position_of(predictor, j);
    if (shape->is_folded)
        return are_side_by_side(a.column, b.column, shape->columns) &&
               are_side_by_side(a.row, b.row, shape->rows) &&
               (column == 0 || are_at_edges(a.column, b.column, shape->columns)) &&
               (row == 0 || are_at_edges(a.row, b.row, shape->rows));
    column *= (int32_t)shape->columns;
    row *= (int32_t)shape->rows;
    if (is_large[0] && !is_large[1])
        return is_in_block(predictor, i, b.column + column, b.row + row);
    if (is_large[1] && !is_large[0])
        return is_in_block(predictor, j, a.column - column, a.row - row);
    return abs(b.column + column - a.column) <= 1 && abs(b.row + row - a.row) <= 1;
}

/* The first collision of neighbours i and j, only with those images that are in neighbouring cells.
 * If no image is, never. */
static struct event event_of_neighbours(const struct predictor *predictor, size_t i, size_t j)
{
    const struct system *system = predictor->system;
    const struct boundary *boundary = &system->boundary;
    const struct particle *p = &system->particles[i];
    const struct particle *q = &system->particles[j];
    const int32_t columns = (boundary->periodic & PERIODIC_X) != 0;
    const int32_t rows = (boundary->periodic & PERIODIC_Y) != 0;
    double time = (double)INFINITY;
    for (int32_t column = -columns; column <= columns; column++) {
        for (int32_t row = -rows; row <= rows; row++) {
            const struct pair_shift shift = {column * boundary->width, row * boundary->height};
            if (!are_neighbours(predictor, i, j, column, row))
                continue;
            time = fmin(time, pair_time(p, q, system_contact(system, p, q), &shift));
        }
    }
    return by_ids(system, (struct event){time, (int32_t)i, (int32_t)j});
}

/* How many images of a cell, in this column and row, are in the block of large disk k, which may
 * wrap. Checks that its list, if it is known, has these images of a member, once each. */
static size_t count_in_block(const struct predictor *predictor, size_t k, int32_t column,
                             int32_t row, const size_t *member)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    const struct cell_list_shape *shape = &predictor->cell_list.shape;
    const struct large_disks_list *known =
        &large_disks->lists[k + large_disks->count - predictor->system->count];
    const int32_t columns = shape->wraps & PERIODIC_X ? 1 : 0;
    const int32_t rows = shape->wraps & PERIODIC_Y ? 1 : 0;
    size_t count = 0;
    for (int32_t x = -columns; x <= columns; x++)
        for (int32_t y = -rows; y <= rows; y++) {
            if (!is_in_block(predictor, k, column + x * (int32_t)shape->columns,
                             row + y * (int32_t)shape->rows))
                continue;
            count++;
            if (!member || known->count > LARGE_DISKS_KNOWN)
                continue;
            const uint32_t entry = (uint32_t)*member |
                                   (x < 0   ? PREDICTION_LEFT
                                    : x > 0 ? PREDICTION_RIGHT
                                            : 0) |
                                   (y < 0   ? PREDICTION_BELOW
                                    : y > 0 ? PREDICTION_ABOVE
                                            : 0);
            size_t found = 0;
            for (uint32_t m = 0; m < known->count; m++)
                found += known->members[m] == entry;
            CHECK(found == 1);
        }
    return count;
}

/* Every large disk is a member, once for each image, of the cells of its block, and of one cell for
 * large disks; and nothing else is a member of any. What is in its block is on its list. */
static void check_large_disks(const struct predictor *predictor)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    const struct cell_list *lists[] = {&large_disks->nearby, &large_disks->coarse};
    const size_t count = predictor->system->count;
    for (int m = 0; m < 2 && large_disks->count > 0; m++) {
        for (int32_t row = 0; row < (int32_t)lists[m]->shape.rows; row++) {
            for (int32_t column = 0; column < (int32_t)lists[m]->shape.columns; column++) {
                size_t found[MAX_COUNT] = {0};
                uint32_t next = cell_list_at(lists[m], (uint32_t)column, (uint32_t)row);
                for (; next != 0; next = lists[m]->cells[next].state >> 2)
                    for (uint32_t n = 0; n < (lists[m]->cells[next].state & 3); n++)
                        found[prediction_index(lists[m]->cells[next].members[n])]++;
                for (size_t k = 0; k < count; k++) {
                    const int is_large = predictor_is_large(predictor, (uint32_t)k);
                    const struct cell_position own = is_large ? coarse_position_of(predictor, k)
                                                              : (struct cell_position){-1, -1};
                    CHECK(found[k] == (m == 1     ? (size_t)(own.column == column && own.row == row)
                                       : is_large ? count_in_block(predictor, k, column, row, NULL)
                                                  : 0));
                }
            }
        }
    }
    for (size_t k = count - large_disks->count; k < count; k++)
        for (size_t m = 0; m < count - large_disks->count; m++) {
            const struct cell_position position = position_of(predictor, m);
            count_in_block(predictor, k, position.column, position.row, &m);
        }
}

/* Of two neighbours at least one has their collision as its event, or something earlier. */
static void check_pairs(const struct predictor *predictor)
{
    const struct system *system = predictor->system;
    for (size_t i = 0; i < system->count; i++) {
        struct event prediction = event_of_prediction(predictor, i);
        for (size_t j = 0; j < i; j++) {
            struct event event = event_of_neighbours(predictor, i, j);
            if (event.time == (double)INFINITY)
                continue;
            struct event other = event_of_prediction(predictor, j);
            CHECK(!event_before(&event, &prediction) || !event_before(&event, &other));
        }
    }
}

/* No prediction is overdue, and no particle meets a wall or a seam before its event. */
static void check_predictions(const struct predictor *predictor, double now)
{
    const struct system *system = predictor->system;
    for (size_t k = 0; k < system->count; k++) {
        const struct prediction *prediction = &predictor->predictions[k];
        const struct particle *p = &system->particles[k];
        double slowest = fmin(p->u != 0 ? fabs(p->u) : (double)INFINITY,
                              p->v != 0 ? fabs(p->v) : (double)INFINITY);
        double length = fmax(system->boundary.width, system->boundary.height);
        double slack = 64 * DBL_EPSILON * (now + length / slowest);
        struct event event = event_of_prediction(predictor, k);
        struct event wall = by_ids(system, physics_boundary_event(system, k));
        CHECK(prediction->key >= now - slack);
        CHECK(prediction->key <= prediction->time);
        if (prediction->key == prediction->time)
            CHECK(!event_before(&wall, &event));
        else
            CHECK(wall.time > prediction->key);
    }
}

static void check_all(const struct cells *cells, double now)
{
    check_positions(cells->predictor.system, now);
    check_cells(&cells->predictor, now);
    check_large_disks(&cells->predictor);
    check_pairs(&cells->predictor);
    check_predictions(&cells->predictor, now);
}

/* Options that make a run harder for the schedule. */
enum { SMALL_CALENDAR = 1, OFTEN_RENEWED = 2 };

/* As little memory as a turn of the calendar can begin with. */
static void shrink_calendar(struct cells *cells)
{
    size_t count = cells->predictor.system->count;
    struct calendar *calendar = &cells->calendar;
    calendar->heap_capacity = calendar->heap_count > count ? calendar->heap_count : count + 1;
    calendar->chunk_most = (uint32_t)(count / CALENDAR_CHUNK_ITEMS) + 1;
}

/* Lets up to `events` events happen, all of them checked against first_of_all, and each one
 * followed by check_all; of large systems, every fiftieth. Returns how many there were. */
static int watch(struct system *system, double now, double end_time, int events, int hardships)
{
    struct schedule *schedule = NULL;
    struct event event;
    int done = 0;
    int interval = system->count > 60 ? 50 : 1;
    CHECK(watched_create(system, &schedule, &failure) == STATUS_DONE);
    struct cells *cells = (struct cells *)schedule;
    while (schedule_predict(schedule) < 1)
        continue;
    if (hardships & SMALL_CALENDAR)
        shrink_calendar(cells);
    check_all(cells, now);
    for (; done < events && schedule_next(schedule, end_time, &event); done++) {
        struct event found = by_ids(system, event);
        if (done % interval == 0) {
            struct event expected = first_of_all(system);
            CHECK(found.time == expected.time && found.a == expected.a && found.b == expected.b);
        }
        CHECK(event.time >= now && event.time <= end_time);
        CHECK(event.b < 0 || system->particles[event.a].id < system->particles[event.b].id);
        now = event.time;
        physics_resolve(system, &event);
        if (hardships & OFTEN_RENEWED)
            cells->crossings += 16 * (uint64_t)system->count;
        schedule_update(schedule, &event);
        CHECK(system->particles[event.a].id == found.a); /* an update moves no particle */
        if (done % interval == 0)
            check_all(cells, now);
    }
    if (done < events)
        CHECK(first_of_all(system).time > end_time);
    schedule_free(schedule);
    return done;
}

static int rounds(int most)
{
    return check_is_thorough() ? most : (most + 9) / 10;
}

/* Makes a third of all boxes periodic. */
static void perhaps_periodic(struct random_generator *random, struct system *system)
{
    if (random_below(random, 3) == 0)
        random_periodic(random, system, random_axes(random));
    random_stream(random, system);
    random_walls(random, system);
}

RANDOM_TEST(random_systems, 60)
{
    for (int round = 0; round < rounds(120); round++) {
        size_t count = 1 + random_below(random, round % 10 == 0 ? MAX_COUNT : 60);
        double aspect = random_aspect(random);
        OWNED(system, system) =
            random_system(random, count, 1e-3 + 0.4 * random_unit(random), aspect);
        perhaps_periodic(random, &system);
        watch(&system, 0, SYSTEM_LARGEST, 300, round % 4);
    }
}

RANDOM_TEST(dense_systems, 61)
{
    for (int round = 0; round < rounds(60); round++) {
        const size_t count = 1 + random_below(random, round % 10 == 0 ? MAX_COUNT : 60);
        const double area_fraction = 0.4 + 0.48 * random_unit(random);
        const double aspect = 1 + 3 * random_unit(random);
        OWNED(system, system) = generated_system(count, area_fraction, 1, aspect, (uint64_t)round);
        perhaps_periodic(random, &system);
        watch(&system, 0, SYSTEM_LARGEST, 300, round % 4);
    }
}

RANDOM_TEST(systems_full_of_ties, 62)
{
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        for (int round = 0; round < rounds(12); round++) {
            OWNED(system, system) = tied_system(random, (enum tied_kind)kind);
            perhaps_periodic(random, &system);
            watch(&system, 0, 100, 200, round % 4);
        }
    }
}

RANDOM_TEST(odd_shapes, 63)
{
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        for (int round = 0; round < rounds(12); round++) {
            OWNED(system, system) = odd_system(random, (enum odd_kind)kind);
            perhaps_periodic(random, &system);
            watch(&system, 0, SYSTEM_LARGEST, 200, round % 4);
        }
    }
}

/* Groups far apart get cells as small as a group alone would, and these are used again and again.
 */
RANDOM_TEST(groups_far_apart, 68)
{
    int folded = 0;
    for (int round = 0; round < 20; round++) {
        OWNED(system, system) = odd_system(random, ODD_GROUPS);
        struct predictor predictor;
        CHECK(predictor_create(&predictor, &system, &failure) == STATUS_DONE);
        predictor_choose_cells(&predictor, 0);
        folded += predictor.cell_list.shape.is_folded;
        CHECK(cell_list_crowding(&predictor.cell_list, system.count) <= 6);
        predictor_free(&predictor);
    }
    CHECK(folded >= 15); /* the groups of some are not crowded */
}

/* Groups far apart in a periodic box. Most disks stay on lines along the x axis, so those that
 * leave each other meet across the seam. One rests on the seam, and another one comes there. */
static struct system groups_at_seams(struct random_generator *random)
{
    enum { SIDE = 5 }; /* disks along the side of a group */
    const size_t columns = SIDE * (1 + random_below(random, 2));
    struct system system = random_lattice(random, columns, SIDE, 0.5);
    const double x_gap = 100 + 400 * random_unit(random);
    const double y_gap = 100 + 400 * random_unit(random);
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x += (double)(k % columns / SIDE) * x_gap;
        p->u *= random_unit(random);
        p->v *= random_below(random, 4) == 0;
    }
    system.boundary.width += x_gap * (double)(columns / SIDE);
    system.boundary.height += y_gap;
    for (int32_t k = 0; k < 2; k++)
        system.particles[k] =
            (struct particle){.y = system.boundary.height - y_gap / 2, .u = -k, .id = k};
    random_periodic(random, &system, PERIODIC_X | random_axes(random));
    system.particles[0].x = system.boundary.width;
    system.particles[1].x = 30 + 20 * random_unit(random);
    return system;
}

/* Disks that meet across the seam after a long way through folded cells. */
RANDOM_TEST(folded_cells_at_seams, 75)
{
    int folded = 0;
    for (int round = 0; round < rounds(200); round++) {
        OWNED(system, system) = groups_at_seams(random);
        struct predictor predictor;
        CHECK(predictor_create(&predictor, &system, &failure) == STATUS_DONE);
        predictor_choose_cells(&predictor, 0);
        folded += predictor.cell_list.shape.is_folded;
        predictor_free(&predictor);
        watch(&system, 0, SYSTEM_LARGEST, 300, round % 8 == 0 ? OFTEN_RENEWED : 0);
    }
    CHECK(folded >= rounds(200) / 2);
}

RANDOM_TEST(late_anchors, 64)
{
    for (int round = 0; round < rounds(30); round++) {
        OWNED(system, system) = random_system(random, 1 + random_below(random, 60), 0.2, 1);
        double start = round % 2 ? 1e6 : 0x1p20;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].t = start;
        perhaps_periodic(random, &system);
        watch(&system, start, SYSTEM_LARGEST, 200, round % 4);
    }
}

RANDOM_TEST(unequal_particles, 69)
{
    struct random_generator axes = random_from(70);
    size_t large_disks = 0;
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        for (int round = 0; round < rounds(kind == MIXED_FEW_LARGE ? 60 : 30); round++) {
            size_t count = 1 + random_below(random, round % 10 == 0 ? MAX_COUNT : 80);
            OWNED(system, system) = mixed_system(random, (enum mixed_kind)kind, count,
                                                 1e-3 + 0.5 * random_unit(random));
            system.law = (struct system_law){RULE_ELASTIC, round % 3 ? 1 : 0.5, 1e-4};
            struct large_disks chosen;
            CHECK(large_disks_create(&chosen, &system, 10000, &failure) == STATUS_DONE);
            large_disks += chosen.count;
            large_disks_free(&chosen);
            perhaps_periodic(&axes, &system);
            watch(&system, 0, SYSTEM_LARGEST, 300, round % 4);
        }
    }
    CHECK(large_disks >
          (check_is_thorough() ? 100 : 5)); /* the mixtures are such that there are some */
}

/* Large disks whose blocks just fit into a periodic box, or reach around it; and many of them. */
RANDOM_TEST(large_disks_in_periodic_boxes, 74)
{
    for (int round = 0; round < rounds(400); round++) {
        const int is_small = round % 4 > 0;
        OWNED(system, system) =
            mixed_system(random, is_small ? MIXED_FEW_LARGE : MIXED_TENTH,
                         (is_small ? 8 : 60) + random_below(random, is_small ? 16 : 200),
                         0.1 + 0.5 * random_unit(random));
        system.law = ELASTIC;
        random_periodic(random, &system, random_axes(random));
        watch(&system, 0, SYSTEM_LARGEST, 200, round % 4);
    }
}
