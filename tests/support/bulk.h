/* Measuring a fluid where no wall is near.
 *
 * Disks crowd at hard walls: over a few diameters their density oscillates, and what stands there
 * is missing in the middle. So neither the box's area fraction nor a rate averaged over the whole
 * box belongs to a homogeneous fluid; at 10^4 disks the error is a percent or two. This observer
 * therefore looks through a window, a box whose sides keep a distance from the walls. It counts
 * the collisions whose point of contact lies in it, adds up their virial, and counts, at regular
 * times, the disks whose centre lies in it, and their kinetic energy. In a homogeneous fluid points
 * of contact are spread as evenly as centres; so, with C collisions, M disks in the mean and time
 * t, collision rate = 2 C / (M t),  Z = 1 + (sum of d.J) / (2 M T t), and the area fraction is M pi
 * R^2 / (area of the window). Density and temperature fluctuate, and heat moves between window and
 * rim so slowly that this does not average out: both are therefore measured in the window, too, and
 * the theory is asked for just these.
 *
 * Time is cut into blocks, longer than anything remembers; from their scatter come the errors. */
#ifndef PARTICLES_TESTS_BULK_H
#define PARTICLES_TESTS_BULK_H

#include "measure.h"
#include "run/observer.h"

enum { BULK_BLOCKS = 20, BULK_LOOKS = 50 }; /* blocks, and times in each when disks are counted */

struct bulk_block {
    double disks, energy;          /* in the window, mean of all looks */
    double pairs, virial;          /* of collisions in the window */
    double whole_virial, pressure; /* in the whole box, and momentum given to all walls */
};

struct bulk {
    struct observer observer;
    double margin, start, interval; /* window to wall; first time; time between looks */
    double width, height;           /* of the window */
    double box_width, box_height;   /* that centres can reach */
    double count;                   /* N */
    double temperature;             /* of the whole box */
    double kinds[2];                /* disks of each kind seen in the window, all looks together */
    size_t looks;                   /* so far */
    struct bulk_block blocks[BULK_BLOCKS];
};

/* Makes an observer of `system` that begins at time `start` and ends at `end`, `margin` being its
 * window's distance from the walls. It owns nothing. */
void bulk_init(struct bulk *bulk, const struct system *system, double margin, double start,
               double end);

/* What can be estimated. BY: divided by what Enskog's theory gives with Henderson's
 * contact value, or with the better one of gas_contact_value. "Whole" is the whole box, its area
 * that which centres can reach. */
enum bulk_quantity {
    BULK_AREA_FRACTION,
    BULK_RATE, /* per particle and time */
    BULK_Z,
    BULK_RATE_BY_HENDERSON,
    BULK_Z_BY_HENDERSON,
    BULK_RATE_BY_BETTER,
    BULK_Z_BY_BETTER,
    BULK_WHOLE_Z_WALLS, /* from the momentum given to the walls */
    BULK_WHOLE_Z_VIRIAL,
    BULK_WHOLE_Z_DIFFERENCE /* walls - virial */
};

/* The mean of a quantity over the blocks from `first` to before `end`, and its standard error. */
struct measured_mean bulk_estimate(const struct bulk *bulk, enum bulk_quantity quantity,
                                   size_t first, size_t end);

/* The temperature in the window, mean of all looks. */
double bulk_temperature(const struct bulk *bulk);

/* How many disks of the kinds 0 and 1 were in the window, mean of all looks. */
double bulk_disks(const struct bulk *bulk, uint32_t kind);

#endif
