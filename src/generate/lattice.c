/*
 * The hexagonal lattice; see lattice.h.
 *
 * The idea is to blow the disks up. The lattice is stretched so that disks of some radius rho,
 * larger than R, touch the walls on all four sides. As rho grows, the sites move inwards, and at
 * some largest rho two disks touch. That lattice it is; then the real disks may go anywhere within
 * the large ones, no two of which overlap, and none of which leaves the box.
 */
#include "lattice.h"

#include <math.h>

static const double LEAST_ROOM = 0.001; /* rho is larger than R by this part of R, or more */
static const double USED_ROOM = 0.9;    /* part of rho - R by which a disk is moved; the rest is
                                           for rounding, and so that no two ever touch */

/*
 * The largest radius rho with which disks on a lattice in a box of these sides do not overlap.
 * The distance of two sites in a row is (W - 2 rho) / (c - 1/2), that of two rows is
 * (H - 2 rho) / (r - 1), for c columns and r rows. With s = 2 rho, two in a row and two in rows
 * with one between them give linear conditions, and the nearest two in neighbouring rows give
 *     a^2 (W - s)^2 + b^2 (H - s)^2 >= s^2,  a = 1 / (2 c - 1),  b = 1 / (r - 1),
 * whose smaller root is written without the cancellation, as in physics_pair_time.
 */
static double find_radius(double width, double height, size_t rows, size_t columns)
{
    double r = (double)rows;
    double c = (double)columns;
    double rho = fmin(width, height) / 2;
    if (rows == 1)
        return fmin(rho, width / (2 * c)); /* no row is shifted */
    if (columns > 1)
        rho = fmin(rho, width / (2 * c + 1));
    if (rows > 2)
        rho = fmin(rho, height / (r + 1));
    double a2 = 1 / ((2 * c - 1) * (2 * c - 1));
    double b2 = 1 / ((r - 1) * (r - 1));
    double A = a2 + b2 - 1;
    double B = a2 * width + b2 * height;
    double C = a2 * width * width + b2 * height * height;
    double s = C / (B + sqrt(fmax(B * B - A * C, 0)));
    return fmin(rho, s / 2);
}

/* How many groups of `size` it takes to hold `count`. */
static size_t count_groups(size_t count, size_t size)
{
    return (count - 1) / size + 1;
}

/* Finds the best lattice whose rows run along the box's `width`, if it is better than `*best`. */
static void search(const struct system *system, double width, double height, int is_upright,
                   struct lattice *best)
{
    /* No more rows or columns than these fit. The fewer of the two are tried one by one. */
    double most_rows = fmin(height / system->radius, (double)system->count);
    double most_columns = fmin(width / (2 * system->radius), (double)system->count);
    int by_rows = most_rows < most_columns;
    size_t most = (size_t)(by_rows ? most_rows : most_columns);
    for (size_t k = 1; k <= most; k++) {
        size_t other = count_groups(system->count, k);
        size_t rows = by_rows ? k : other;
        size_t columns = by_rows ? other : k;
        double radius = find_radius(width, height, rows, columns);
        if (radius > best->radius)
            *best = (struct lattice){
                .rows = rows, .columns = columns, .is_upright = is_upright, .radius = radius};
    }
}

int lattice_find(const struct system *system, struct lattice *lattice)
{
    *lattice = (struct lattice){0};
    search(system, system->boundary.width, system->boundary.height, 0, lattice);
    search(system, system->boundary.height, system->boundary.width, 1, lattice);
    return lattice->radius >= system->radius * (1 + LEAST_ROOM);
}

/* Where the sites of a lattice are, along its rows and across them. */
struct sites {
    double start, step, shift; /* along: of the first site, to the next, of every other row */
    double bottom, rise;       /* across: of the first row, to the next */
};

static struct sites locate_sites(const struct system *system, const struct lattice *lattice)
{
    double width = lattice->is_upright ? system->boundary.height : system->boundary.width;
    double height = lattice->is_upright ? system->boundary.width : system->boundary.height;
    double along = width - 2 * lattice->radius;
    double across = height - 2 * lattice->radius;
    struct sites sites = {.start = lattice->radius, .bottom = lattice->radius};
    if (lattice->rows > 1) {
        sites.step = along / ((double)lattice->columns - 0.5);
        sites.shift = sites.step / 2;
        sites.rise = across / ((double)lattice->rows - 1);
    } else {
        sites.bottom = height / 2;
        if (lattice->columns > 1)
            sites.step = along / ((double)lattice->columns - 1);
    }
    return sites;
}

/* Puts a particle near the site (along, across). */
static void place(struct particle *particle, double along, double across, double room,
                  const struct lattice *lattice, const struct decimals *decimals,
                  struct random_generator *generator)
{
    double dx;
    double dy;
    random_in_disc(generator, &dx, &dy);
    along = number_round(decimals, along + room * dx);
    across = number_round(decimals, across + room * dy);
    particle->x = lattice->is_upright ? across : along;
    particle->y = lattice->is_upright ? along : across;
}

void lattice_place(struct system *system, const struct lattice *lattice,
                   const struct decimals *decimals, struct random_generator *generator)
{
    const struct sites sites = locate_sites(system, lattice);
    const double room = USED_ROOM * (lattice->radius - system->radius);
    size_t wanted = system->count;
    size_t left = lattice->rows * lattice->columns;
    struct particle *particle = system->particles;
    for (size_t row = 0; row < lattice->rows; row++) {
        double start = sites.start + (row % 2 ? sites.shift : 0);
        double across = sites.bottom + sites.rise * (double)row;
        for (size_t column = 0; column < lattice->columns; column++, left--) {
            /* Of the sites that are left, each is as likely as the others to be taken (Knuth,
               The Art of Computer Programming 2, algorithm 3.4.2 S). */
            if (wanted < left && (double)left * random_unit(generator) >= (double)wanted)
                continue;
            place(particle++, start + sites.step * (double)column, across, room, lattice, decimals,
                  generator);
            wanted--;
        }
    }
}
