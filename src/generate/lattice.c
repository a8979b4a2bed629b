/*
 * The hexagonal lattice; see lattice.h.
 *
 * The idea is to blow the disks up. The lattice is stretched so that disks of some radius rho,
 * larger than R, touch the walls on all sides. As rho grows, the sites move inwards, and at
 * some largest rho two disks touch. That lattice it is; then the real disks may go anywhere within
 * the large ones, no two of which overlap, and none of which leaves the box. On a periodic axis a
 * whole number of sites fits into the side, and nothing moves inwards.
 */
#include "lattice.h"

#include <math.h>

static const double MIN_ROOM = 0.001; /* rho is larger than R by this part of R, or more */
static const double USED_ROOM = 0.9;  /* part of rho - R by which a disk is moved; the rest is
                                         for rounding, and so that no two ever touch */

/* The box as a lattice sees it: along its rows and across them. */
struct lattice_box {
    double length[2];   /* of the box: along, across */
    int is_periodic[2]; /* whether it has seams instead of walls there */
};

static struct lattice_box lattice_box_of(const struct boundary *boundary, int is_upright)
{
    const int along = is_upright ? 1 : 0;
    struct lattice_box box;
    box.length[along] = boundary->width;
    box.length[1 - along] = boundary->height;
    box.is_periodic[along] = (boundary->periodic & PERIODIC_X) != 0;
    box.is_periodic[1 - along] = (boundary->periodic & PERIODIC_Y) != 0;
    return box;
}

/*
 * The largest radius rho with which disks on a lattice of r rows and c columns do not overlap. With
 * s = 2 rho, the distance of two sites in a row is (W - p s) / C, that of two rows (H - q s) / D:
 * between walls p = 1 and C = c - 1/2, q = 1 and D = r - 1; on a periodic axis p = 0 and C = c,
 * q = 0 and D = r, which must be even. Two in a row and two in rows with one between them give
 * linear conditions, and the nearest two in neighbouring rows give
 *     a^2 (W - p s)^2 + b^2 (H - q s)^2 >= s^2,  a = 1 / (2 C),  b = 1 / D,
 * whose smaller root is written without the cancellation, as in physics_pair_time.
 */
static double largest_radius(const struct lattice_box *box, size_t rows, size_t columns)
{
    const double width = box->length[0];
    const double height = box->length[1];
    const double p = box->is_periodic[0] ? 0 : 1;
    const double q = box->is_periodic[1] ? 0 : 1;
    double c = (double)columns - p / 2;
    double d = (double)rows - q;
    double rho = fmin(width, height) / 2;
    if (rows == 1)
        return fmin(rho, width / (2 * (double)columns)); /* no row is shifted */
    if (columns > 1 || box->is_periodic[0])
        rho = fmin(rho, width / (2 * (c + p)));
    if (rows > 2 || box->is_periodic[1])
        rho = fmin(rho, height / (d + 2 * q));
    double a2 = 1 / (2 * c * (2 * c));
    double b2 = 1 / (d * d);
    double A = a2 * p + b2 * q - 1;
    double B = a2 * p * width + b2 * q * height;
    double C = a2 * width * width + b2 * height * height;
    double s = C / (B + sqrt(fmax(B * B - A * C, 0)));
    return fmin(rho, s / 2);
}

/* How many groups of `size` it takes to hold `count`. */
static size_t count_groups(size_t count, size_t size)
{
    return (count - 1) / size + 1;
}

/* Finds the best lattice, upright or not, for disks of this radius, if it is better than `*best`.
 */
static void search_orientation(const struct system *system, double radius, int is_upright,
                               struct lattice *best)
{
    const struct lattice_box box = lattice_box_of(&system->boundary, is_upright);
    const size_t multiple = box.is_periodic[1] ? 2 : 1; /* of which the rows are */
    /* No more rows or columns than these fit. The fewer of the two are tried one by one. */
    double max_rows = fmin(box.length[1] / radius, (double)system->count);
    double max_columns = fmin(box.length[0] / (2 * radius), (double)system->count);
    int by_rows = max_rows < max_columns;
    size_t max = (size_t)(by_rows ? max_rows : max_columns);
    for (size_t k = 1; k <= max; k++) {
        size_t rows = by_rows ? k : count_groups(system->count, k);
        rows = multiple * count_groups(rows, multiple);
        size_t columns = by_rows ? count_groups(system->count, rows) : k;
        double largest = largest_radius(&box, rows, columns);
        if (largest > best->radius)
            *best = (struct lattice){
                .rows = rows, .columns = columns, .is_upright = is_upright, .radius = largest};
    }
}

int lattice_find(const struct system *system, double radius, struct lattice *lattice)
{
    *lattice = (struct lattice){0};
    search_orientation(system, radius, 0, lattice);
    search_orientation(system, radius, 1, lattice);
    return lattice->radius >= radius * (1 + MIN_ROOM);
}

/* Where the sites of a lattice are, along its rows and across them. */
struct sites {
    double start, step, shift; /* along: of the first site, to the next, of every other row */
    double bottom, rise;       /* across: of the first row, to the next */
};

/* On a periodic axis no site is nearer to the seam than a quarter of the step, half the rise. */
static struct sites locate_sites(const struct lattice_box *box, const struct lattice *lattice)
{
    double along = box->length[0] - 2 * lattice->radius;
    double across = box->length[1] - 2 * lattice->radius;
    struct sites sites = {.start = lattice->radius, .bottom = lattice->radius};
    if (lattice->rows > 1) {
        sites.step = along / ((double)lattice->columns - 0.5);
        sites.rise = across / ((double)lattice->rows - 1);
    } else {
        sites.bottom = box->length[1] / 2;
        if (lattice->columns > 1)
            sites.step = along / ((double)lattice->columns - 1);
    }
    if (box->is_periodic[0]) {
        sites.step = box->length[0] / (double)lattice->columns;
        sites.start = sites.step / 4;
    }
    if (box->is_periodic[1]) {
        sites.rise = box->length[1] / (double)lattice->rows;
        sites.bottom = sites.rise / 2;
    }
    sites.shift = sites.step / 2;
    return sites;
}

/* Puts a particle near the site (along, across). */
static void place_on_site(struct particle *particle, double along, double across, double room,
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

void lattice_place(struct system *system, double radius, const struct lattice *lattice,
                   const struct decimals *decimals, struct random_generator *generator)
{
    const struct lattice_box box = lattice_box_of(&system->boundary, lattice->is_upright);
    const struct sites sites = locate_sites(&box, lattice);
    double room = USED_ROOM * (lattice->radius - radius);
    if (system->boundary.periodic)
        room = fmin(room, radius / 2); /* so that none passes a seam: the step is 2 radii or more */
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
            place_on_site(particle++, start + sites.step * (double)column, across, room, lattice,
                          decimals, generator);
            wanted--;
        }
    }
}
