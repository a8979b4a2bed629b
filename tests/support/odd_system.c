/* Hard systems; see odd_system.h. Those with ties are made of numbers that need only a few binary
 * digits, so that what is equal or symmetric on paper is so to the last bit. */
#include "odd_system.h"

#include "arranged.h"

/* A uniform multiple of 1/64 in [0, limit). */
static double short_number(struct random_generator *random, size_t limit)
{
    return (double)random_below(random, 64 * limit) / 64;
}

/* `count` disks of radius 1, to be placed. */
static struct system unplaced(struct random_generator *random, size_t count, double width,
                              double height)
{
    struct system system = random_lattice(random, count, 1, 0);
    system.boundary.width = width;
    system.boundary.height = height;
    return system;
}

static struct system block(struct random_generator *random)
{
    struct system system =
        random_lattice(random, 1 + random_below(random, 8), 1 + random_below(random, 8), 0);
    system.boundary.width += 1 + (double)random_below(random, 9) / 4;
    system.boundary.height += 2;
    return system;
}

/* Rows 3 apart; in each a run of touching disks and one disk on either side that moves to it. */
static struct system cradle(struct random_generator *random)
{
    size_t rows = 1 + random_below(random, 5);
    size_t columns = 3 + random_below(random, 6);
    double width = 2 * (double)columns + 10;
    struct system system = unplaced(random, rows * columns, width, 3 * (double)rows);
    for (size_t k = 0; k < system.count; k++) {
        double y = 1.5 + 3 * (double)(k / columns);
        size_t column = k % columns;
        if (column == 0)
            set_particle(&system, k, 2, y, 1, 0);
        else if (column == columns - 1)
            set_particle(&system, k, width - 2, y, -1, 0);
        else
            set_particle(&system, k, 6 + 2 * (double)column, y, 0, 0);
    }
    return system;
}

/* On a lattice with gaps of 2, in every row a disk at rest between two that move towards it. */
static struct system meetings(struct random_generator *random)
{
    size_t triples = 1 + random_below(random, 4);
    size_t rows = 1 + random_below(random, 6);
    int upright = random_below(random, 2) == 0;
    struct system system = random_lattice(random, 3 * triples, rows, 2);
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->u = 1 - (double)(k % 3);
        p->v = 0;
        if (upright) {
            double x = p->x;
            p->x = p->y;
            p->y = x;
            p->v = p->u;
            p->u = 0;
        }
    }
    if (upright) {
        double width = system.boundary.width;
        system.boundary.width = system.boundary.height;
        system.boundary.height = width;
    }
    return system;
}

/* Two disks or four, each as far from its corner as the others, and one in the centre. */
static struct system corners(struct random_generator *random)
{
    double side = 12 + (double)random_below(random, 8);
    double far = 2 + (double)random_below(random, 8) / 4;
    double speed = 0.25 * (double)(1 + random_below(random, 8));
    struct system system = unplaced(random, 3 + 2 * random_below(random, 2), side, side);
    set_particle(&system, 0, side / 2, side / 2, 0, 0);
    for (size_t k = 1; k < system.count; k++) {
        double u = k % 2 ? -speed : speed;
        double v = k < 3 ? u : -u;
        set_particle(&system, k, u < 0 ? far : side - far, v < 0 ? far : side - far, u, v);
    }
    return system;
}

/* One half, or quarter, as random as a lattice with shifted disks is; the others mirror it. */
static struct system mirrored(struct random_generator *random, size_t copies)
{
    size_t columns = 1 + random_below(random, 5);
    size_t rows = 1 + random_below(random, 5);
    size_t part = columns * rows;
    double width = 8 * (double)columns;
    double height = copies == 2 ? 4 * (double)rows : 8 * (double)rows;
    struct system system = unplaced(random, copies * part, width, height);
    for (size_t k = 0; k < part; k++) {
        double x = 4 * (double)(k % columns) + 1 + short_number(random, 2);
        double y = 4 * (double)(k / columns) + 1 + short_number(random, 2);
        double u = short_number(random, 2) - 1;
        double v = short_number(random, 2) - 1;
        set_particle(&system, k, x, y, u, v);
        set_particle(&system, part + k, width - x, y, -u, v);
        if (copies == 4) {
            set_particle(&system, 2 * part + k, x, height - y, u, -v);
            set_particle(&system, 3 * part + k, width - x, height - y, -u, -v);
        }
    }
    return system;
}

/* Points on the lines x = 1, 2, ... or y = 1, 2, ..., moving along them; some meet at crossings. */
static struct system points(struct random_generator *random)
{
    size_t lines = 1 + random_below(random, 8);
    double side = (double)lines + 1;
    struct system system = unplaced(random, 1 + random_below(random, 60), side, side);
    system.radius = 0;
    for (size_t k = 0; k < system.count; k++) {
        double line = 1 + (double)random_below(random, lines);
        double along = short_number(random, lines + 1);
        double speed = random_below(random, 2) ? 1 : -1;
        if (random_below(random, 2))
            set_particle(&system, k, line, along, 0, speed);
        else
            set_particle(&system, k, along, line, speed, 0);
    }
    return system;
}

struct system tied_system(struct random_generator *random, enum tied_kind kind)
{
    switch (kind) {
    case TIED_BLOCK:
        return block(random);
    case TIED_CRADLE:
        return cradle(random);
    case TIED_MEETINGS:
        return meetings(random);
    case TIED_CORNERS:
        return corners(random);
    case TIED_HALVES:
        return mirrored(random, 2);
    case TIED_QUARTERS:
        return mirrored(random, 4);
    case TIED_POINTS:
        return points(random);
    default:
        return random_lattice(random, 1 + random_below(random, 10), 1 + random_below(random, 10),
                              0.5 * (double)(1 + random_below(random, 4)));
    }
}

/* Up to 60 disks, not dense. */
static struct system usual(struct random_generator *random)
{
    size_t count = 1 + random_below(random, 60);
    double area_fraction = 0.01 + 0.3 * random_unit(random);
    return random_system(random, count, area_fraction, 0.3 + random_unit(random));
}

static void move(struct system *system, size_t first, double x, double y)
{
    for (size_t k = first; k < system->count; k++) {
        system->particles[k].x += x;
        system->particles[k].y += y;
    }
}

static struct system tube(struct random_generator *random)
{
    struct system system = random_lattice(random, 1, 1 + random_below(random, 60), 0);
    double y = 0;
    for (size_t k = 0; k < system.count; k++) {
        y += 2 * random_unit(random);
        set_particle(&system, k, 1, y + 1, 0, 2 * random_unit(random) - 1);
        y += 2;
    }
    system.boundary.height = y + 1;
    return system;
}

/* A cluster in a box `larger` times its size, in one of the corners. */
static struct system corner(struct random_generator *random, double larger)
{
    struct system system = usual(random);
    double width = system.boundary.width * larger;
    double height = system.boundary.height * larger;
    move(&system, 0, random_below(random, 2) ? width - system.boundary.width : 0,
         random_below(random, 2) ? height - system.boundary.height : 0);
    system.boundary.width = width;
    system.boundary.height = height;
    return system;
}

/* 4 or 9 square lattices in a box 10^3 to 10^6 times as large. */
static struct system groups(struct random_generator *random)
{
    size_t across = 2 + random_below(random, 2);
    size_t columns = 3 + random_below(random, 3);
    double spread = pow(10, 3 + 3 * random_unit(random));
    struct system system =
        random_lattice(random, across * columns, across * columns, 0.5 * random_unit(random));
    double gap = system.boundary.width;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->x += (double)(k % (across * columns) / columns) * gap * spread;
        p->y += (double)(k / (across * columns) / columns) * gap * spread;
    }
    system.boundary.width = system.boundary.height = gap * spread * (double)across;
    return system;
}

/* The second half of the disks moves to the far end of a long box. */
static struct system clusters(struct random_generator *random)
{
    struct system system = usual(random);
    double far = (1 + 1000 * random_unit(random)) * system.boundary.width;
    system.boundary.width += far;
    move(&system, system.count / 2, far, 0);
    return system;
}

static struct system units(struct random_generator *random)
{
    struct system system = usual(random);
    double length = random_below(random, 2) ? 1e30 : 1e-30;
    double time = length > 1 ? 1e25 : 1e-25;
    system.radius *= length;
    system.boundary.width *= length * (1 + 1e-12);
    system.boundary.height *= length * (1 + 1e-12);
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        set_particle(&system, k, p->x * length, p->y * length, p->u * (length / time),
                     p->v * (length / time));
    }
    return system;
}

/* Velocities of all disks but one, multiplied by `factor`. */
static struct system slowed(struct random_generator *random, double factor)
{
    struct system system = usual(random);
    size_t fast = random_below(random, system.count);
    for (size_t k = 0; k < system.count; k++) {
        if (k != fast) {
            system.particles[k].u *= factor;
            system.particles[k].v *= factor;
        }
    }
    return system;
}

struct system odd_system(struct random_generator *random, enum odd_kind kind)
{
    switch (kind) {
    case ODD_THIN:
        return random_system(random, 1 + random_below(random, 60), 0.3 * random_unit(random),
                             random_below(random, 2) ? 1e4 : 1e-4);
    case ODD_TUBE:
        return tube(random);
    case ODD_CORNER:
        return corner(random, 1000);
    case ODD_EMPTY:
        return random_system(random, 1 + random_below(random, 60), 1e-6, 1);
    case ODD_FAST:
        return slowed(random, 1e-6);
    case ODD_CLUSTERS:
        return clusters(random);
    case ODD_GROUPS:
        return groups(random);
    case ODD_FEW:
        return random_system(random, 1 + random_below(random, 3), 0.4 * random_unit(random), 1);
    case ODD_STILL:
        return slowed(random, 0);
    default:
        return units(random);
    }
}
