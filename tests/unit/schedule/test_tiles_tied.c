/* Tests of tiles where much happens at one instant: rows of touching disks that go all around a
 * periodic box, in patterns that repeat with the tiles. What would strike a row is turned away by a
 * disk that the next tile does not have; so every tile sees the same false impulse run through all
 * of it in no time, and neighbours see the same. The answer must be that of the cells schedule.
 *
 * All is exact: radii are 2.5, and disks touch along (5, 0), (0, 5), (4, 3) and (3, 4). */
#include "check.h"
#include "schedule/cell_list.h"
#include "schedule/tiling.h"
#include "tiled.h"

/* The outcomes of all tiles so far. */
static uint64_t outcomes[TILES_OUTCOMES];

/* The special features of a pattern: the row goes up and down; has gaps that a disk is about to
 * close; has disks that have a row of their own across it; lies on a polygon; is in a stream. */
enum { BENT = 1, GATES = 2, CROSSED = 4, FLOOR = 8, STREAM = 16, KINDS = 32 };

/* The pattern of one period. */
struct pattern {
    struct random_generator *random;
    struct particle disks[512];
    int ranks[512]; /* in this order the disks have their numbers, which decide ties */
    size_t count;
    double period, height; /* of the pattern, and of the box */
    double target;         /* x of what the last striker would strike */
};

static double across(double distance, double length)
{
    distance = fabs(fmod(distance, length));
    return fmin(distance, length - distance);
}

/* Adds a disk if there is room for it, and returns whether there was. */
static int add(struct pattern *pattern, double x, double y, double u, double v)
{
    for (size_t k = 0; k < pattern->count; k++) {
        const double dx = across(x - pattern->disks[k].x, pattern->period);
        const double dy = across(y - pattern->disks[k].y, pattern->height);
        if (dx * dx + dy * dy < 25)
            return 0;
    }
    if (y < 2.5 || y > pattern->height - 2.5 || pattern->count == 512)
        return 0;
    pattern->ranks[pattern->count] = v > 0 ? 0 : v < 0 ? 1 : 2;
    pattern->disks[pattern->count++] = (struct particle){.x = x, .y = y, .u = u, .v = v};
    return 1;
}

/* A side chain on the disk at (x, y); a disk that is about to strike its top, and another one that
 * outcomes that away, if it comes first. */
static void add_striker(struct pattern *pattern, double x, double y, int is_target)
{
    for (size_t chain = 2 + random_below(pattern->random, 2); chain > 0; chain--)
        if (add(pattern, x, y + 5, 0, 0))
            y += 5;
    if (!add(pattern, x - 3, y + 4, 2, -1))
        return;
    if (add(pattern, x - 6, y, 9, 12))
        pattern->target = is_target ? x : pattern->target;
    else
        pattern->count--;
}

/* A disk that is about to strike both sides of a gap in the row: first one, which voids the other
 * event, unless an impulse reaches the first one before. */
static void add_gate(struct pattern *pattern, size_t left, size_t right)
{
    const struct particle *p = &pattern->disks[left];
    if (!add(pattern, p->x + 3, p->y + 4, 1, -1))
        return;
    pattern->ranks[pattern->count - 1] = 4;
    pattern->ranks[left] = 5;
    pattern->ranks[right] = 6;
}

/* A row of touching disks that goes through the whole period, at the bottom. */
static void add_row(struct pattern *pattern, int kinds)
{
    struct random_generator *random = pattern->random;
    const size_t length = 30 + random_below(random, 20);
    const int is_steep = random_below(random, 2) == 0;
    double places[128][2] = {{2, 5}};
    size_t last = 0;
    for (int is_up = 0; last < length || is_up; last++) {
        const double *place = places[last];
        double *next = places[last + 1];
        const double run = 4 - (double)(is_steep && random_below(random, 2));
        const int bends = (kinds & BENT) && (is_up || random_below(random, 3) == 0);
        const int is_gate = !bends && (kinds & GATES) && random_below(random, 16) == 0;
        next[0] = place[0] + (!bends ? 5 + is_gate : is_up ? place[0] - places[last - 1][0] : run);
        next[1] = place[1] + (!bends ? 0 : is_up ? places[last - 1][1] - place[1] : 7 - run);
        is_up = bends && !is_up;
    }
    pattern->period = places[last][0] - 2;
    for (size_t k = 0; k < last; k++)
        add(pattern, places[k][0], places[k][1], 0, 0);
    for (size_t k = 0; k < last; k++)
        pattern->ranks[k] =
            kinds & FLOOR ? 2 : 3; /* side chains last, to which a floor outcomes it */
    for (size_t k = 0; k < last; k++)
        if (places[k + 1][0] - places[k][0] == 6)
            add_gate(pattern, k, (k + 1) % last);
    for (double up = 5; (kinds & CROSSED) && up < pattern->height - 5; up += 5)
        add(pattern, places[last / 2][0], 5 + up, 0, 0);
    for (size_t k = random_below(random, 3); k < last; k += 3 + random_below(random, 2))
        add_striker(pattern, places[k][0], places[k][1],
                    !(kinds & BENT) || places[k + 1][1] < places[k][1]);
}

/* `periods` of a pattern, in a box of a height with which each of them has equal cells, mostly. */
static struct system repeat(struct pattern *pattern, size_t periods, struct cell_list_shape *shape)
{
    struct system system = random_lattice(pattern->random, pattern->count * periods, 1, 0);
    const int is_any_order = random_below(pattern->random, 8) == 0;
    struct particle *next = system.particles;
    system.radius = 2.5;
    system.boundary.width = pattern->period * (double)periods;
    system.boundary.height = pattern->height;
    system.boundary.periodic = PERIODIC_X | (random_below(pattern->random, 3) ? PERIODIC_Y : 0);
    for (int rank = 0; rank <= 6; rank++) {
        for (size_t k = 0; k < system.count; k++) {
            struct particle disk = pattern->disks[k % pattern->count];
            disk.x += pattern->period * (double)(k / pattern->count);
            disk.id = (int32_t)(next - system.particles);
            disk.collided = -(double)INFINITY;
            if ((is_any_order ? 0 : pattern->ranks[k % pattern->count]) == rank)
                *next++ = disk;
        }
    }
    cell_list_choose_shape(&system, cell_list_least_side(5, 0), 0, shape);
    for (int tries = 0; tries < 60 && shape->columns % periods != 0; tries++) {
        system.boundary.height += 0.5;
        cell_list_choose_shape(&system, cell_list_least_side(5, 0), 0, shape);
    }
    return system;
}

/* Moves all disks so that the edge of a tile's halo is between a striker and what outcomes it away.
 */
static void place_edge(struct system *system, const struct pattern *pattern, double halo)
{
    const double shift = floor(2 * (4.5 - halo - pattern->target) + 0.5) / 2;
    const double width = system->boundary.width;
    for (size_t k = 0; k < system->count; k++) {
        const double x = fmod(system->particles[k].x + shift, width);
        system->particles[k].x = x < 0 ? x + width : x;
    }
}

/* Exchanges x and y. */
static void transpose(struct system *system)
{
    struct boundary *boundary = &system->boundary;
    const double width = boundary->width;
    boundary->width = boundary->height;
    boundary->height = width;
    if (boundary->periodic == PERIODIC_X)
        boundary->periodic = PERIODIC_Y;
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        const struct particle q = *p;
        p->x = q.y;
        p->y = q.x;
        p->u = q.v;
        p->v = q.u;
    }
}

/* Puts polygons under the row, before the end of each period, where every impulse passes. */
static void add_floors(struct system *system, double period, double cell)
{
    for (double end = period - cell; end < system->boundary.width; end += period) {
        const double vertices[4][2] = {
            {end - 7 * cell, 1}, {end, 1}, {end, 2.5}, {end - 7 * cell, 2.5}};
        system_add_polygon(system, vertices, 4, 0);
    }
}

/* Exchanges left and right. */
static void mirror(struct system *system)
{
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        p->x = system->boundary.width - p->x;
        p->u = -p->u;
    }
}

static void compare(int kinds, int round, struct random_generator *random)
{
    static struct pattern pattern;
    struct cell_list_shape shape;
    const size_t periods = 2 + random_below(random, 4);
    pattern =
        (struct pattern){.random = random, .height = 27.5 + 5 * (double)random_below(random, 4)};
    add_row(&pattern, kinds);
    OWNED(system, system) = repeat(&pattern, periods, &shape);
    place_edge(&system, &pattern, tile_halo(1.8) * shape.width);
    if (!(kinds & FLOOR) && random_below(random, 2))
        mirror(&system);
    if (random_below(random, 2))
        system.law = (struct system_law){RULE_ELASTIC, random_below(random, 2) ? 1 : 0.5, 0};
    if (kinds & FLOOR)
        add_floors(&system, pattern.period, shape.width);
    if (kinds & STREAM)
        random_stream(random, &system);
    if (!(kinds & (FLOOR | STREAM)) && random_below(random, 2))
        transpose(&system);
    const struct schedule_threads threads = {1 + (unsigned)random_below(random, 5),
                                             shape.columns / (uint32_t)periods};
    if (!tiled_check(&system, 0.25, 20000, &threads, random, outcomes))
        printf("this was kinds %d, round %d: %zu disks, %u threads, tiles of %u\n", kinds, round,
               system.count, threads.count, (unsigned)threads.tile_side);
}

TEST(rows)
{
    const int rounds = check_is_thorough() ? 30 : check_is_quick() ? 2 : 1;
    for (int kinds = 0; kinds < KINDS; kinds++) {
        struct random_generator random = random_from(180 + (uint64_t)kinds);
        for (int round = 0; round < rounds; round++)
            compare(kinds, round, &random);
    }
    CHECK(outcomes[TILES_TIED] > 0 && outcomes[TILES_DONE] > 0);
}
