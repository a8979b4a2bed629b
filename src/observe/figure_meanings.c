/*
 * What each figure says, in the words of the report; the manual page, STATISTICS, has the formulas.
 * It is the sentence of `meanings`, that of a gas in a box, unless `variants` has another one for
 * the kind of run.
 */
#include "figures.h"

#include <math.h>

static const char *const meanings[FIGURES] = {
    [FIGURE_PARTICLES] = "How many particles there are.",
    [FIGURE_KINDS] = "How many different sets of radius, mass and species they have.",
    [FIGURE_BOX_WIDTH] = "The length of the box along x.",
    [FIGURE_BOX_HEIGHT] = "The length of the box along y.",
    [FIGURE_AREA_FRACTION] = "The part of the area that the disks cover.",
    [FIGURE_END_TIME] = "When the run ends, in the units of the input.",
    [FIGURE_COLLISIONS] =
        "All collisions, of two particles and with walls and polygons, if there are any.",
    [FIGURE_COLLISIONS_PAIRS] = "Collisions of two particles with each other.",
    [FIGURE_COLLISIONS_LEFT] = "How often a particle came to the wall at x = 0.",
    [FIGURE_COLLISIONS_RIGHT] = "How often a particle came to the wall opposite it.",
    [FIGURE_COLLISIONS_BOTTOM] = "How often a particle came to the wall at y = 0.",
    [FIGURE_COLLISIONS_TOP] = "How often a particle came to the wall opposite it.",
    [FIGURE_COLLISION_RATE] = "How many collisions with others a particle has in a unit of time.",
    [FIGURE_COLLISION_RATE_ENSKOG] =
        "What Enskog's theory predicts for a fluid in equilibrium; walls raise the rate a little.",
    [FIGURE_MEAN_FREE_TIME] = "How long a particle flies from one collision with another particle "
                              "to the next, on average.",
    [FIGURE_MEAN_FREE_PATH] = "How far it flies in that time.",
    [FIGURE_ENERGY_START] = "The kinetic energy of all particles when the figures begin.",
    [FIGURE_ENERGY_END] = "The kinetic energy of all particles at the end.",
    [FIGURE_ENERGY_DRIFT] = "The change of the energy, as part of what it was at the start. Where "
                            "collisions are elastic, only rounding makes it differ from 0.",
    [FIGURE_MOMENTUM_X_START] = "The sum of mass times velocity along x when the figures begin.",
    [FIGURE_MOMENTUM_X_END] = "The same at the end. Walls and polygons change it.",
    [FIGURE_MOMENTUM_Y_START] = "The sum of mass times velocity along y when the figures begin.",
    [FIGURE_MOMENTUM_Y_END] = "The same at the end. Walls and polygons change it.",
    [FIGURE_MOMENTUM_DRIFT] = "The change of momentum that walls, polygons and a stream do not "
                              "explain, as part of all momenta's sizes. It comes from rounding.",
    [FIGURE_TEMPERATURE_MEAN] = "The kinetic energy for each two degrees of freedom, averaged over "
                                "time. Boltzmann's constant is 1.",
    [FIGURE_TEMPERATURE_END] = "The same at the end of the run.",
    [FIGURE_PRESSURE_WALLS] =
        "The momentum that walls and polygons take up, for each unit of their length and time.",
    [FIGURE_PRESSURE_VIRIAL] = "The pressure that the temperature and the collisions of particles "
                               "with each other show. In a long run both are the same.",
    [FIGURE_COMPRESSIBILITY_WALLS] =
        "The pressure on the walls, divided by that of an ideal gas, whose factor is 1.",
    [FIGURE_COMPRESSIBILITY_VIRIAL] = "The same of the pressure from the virial.",
    [FIGURE_COMPRESSIBILITY_ENSKOG] = "What Enskog's theory predicts for a fluid.",
    [FIGURE_SPEED_MEAN] = "The mean of the particles' speeds at the end.",
    [FIGURE_SPEED_SQUARE] = "The mean of their squares at the end.",
    [FIGURE_SPEED_RATIO] = "The mean speed divided by the root of the mean square. It is 0.886 in "
                           "equilibrium, and 1 if all speeds are the same.",
    [FIGURE_SPEED_KURTOSIS] = "The mean fourth power divided by the square of the mean square. It "
                              "is 2 in equilibrium; larger if there are more fast particles.",
    [FIGURE_SECONDS] = "How long the computer took.",
    [FIGURE_COLLISIONS_PER_SECOND] = "How many collisions it computed in a second.",
    [FIGURE_STATS_FROM] = "Collisions and flights before this time do not count in the figures.",
    [FIGURE_CONTACT_VALUE] = "How much denser others are around a disk that touches it than "
                             "elsewhere, as the collision rate shows.",
    [FIGURE_PRESSURE_REDUCED] =
        "The pressure in units of the temperature divided by the square of a diameter.",
    [FIGURE_COLLISION_RATE_ERROR] = "How far off the collision rate may be by chance: its standard "
                                    "error. The figure of an infinite run is within twice "
                                    "this in 19 of 20 cases.",
    [FIGURE_TEMPERATURE_MEAN_ERROR] = "The standard error of the mean temperature.",
    [FIGURE_PRESSURE_VIRIAL_ERROR] = "The standard error of the pressure from the virial.",
    [FIGURE_COMPRESSIBILITY_VIRIAL_ERROR] =
        "The standard error of the compressibility factor from the virial.",
    [FIGURE_CONTACT_VALUE_ERROR] = "The standard error of the contact value.",
    [FIGURE_PRESSURE_REDUCED_ERROR] = "The standard error of the reduced pressure.",
    [FIGURE_COLLISIONS_POLYGONS] = "How often particles came to sides and corners of polygons.",
    [FIGURE_FREE_AREA] = "The area of the domain or the box, without obstacles.",
    [FIGURE_BOUNDARY_LENGTH] = "The length of all walls and of the sides of all polygons.",
    [FIGURE_MEAN_FREE_PATH_BOUNDARY] =
        "How far a particle flies from one wall or polygon to the next, other particles apart.",
    [FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY] =
        "What it is for particles that come everywhere in every direction.",
    [FIGURE_STREAM_SPEED] = "The mean velocity along x with which the stream comes in.",
    [FIGURE_STREAM_TEMPERATURE] = "The temperature with which it comes in.",
    [FIGURE_STREAM_PASSAGES] = "How many velocities the stream has given to particles that came to "
                               "the sides of the box along x.",
    [FIGURE_STREAM_DENSITY] = "Particles per area in the stream that comes in, from how many do.",
    [FIGURE_STREAM_DENSITY_ERROR] = "The standard error of this density.",
    [FIGURE_STREAM_DENSITY_RATIO] = "This density divided by that of the whole. What differs is "
                                    "stored before obstacles or missing behind them.",
    [FIGURE_MOMENTUM_X_SEAM] = "The momentum along x that particles have gained by that.",
    [FIGURE_MOMENTUM_Y_SEAM] = "The momentum along y that particles have gained by that.",
    [FIGURE_FORCE_X] = "The mean force of the gas on all polygons along x: their drag.",
    [FIGURE_FORCE_Y] = "The mean force of the gas on all polygons along y: their lift.",
    [FIGURE_STREAM_SPEED_RATIO] =
        "The stream's speed divided by the most probable speed of its particles at rest.",
    [FIGURE_MACH] = "The stream's speed divided by the speed of sound.",
    [FIGURE_KNUDSEN] = "The mean free path divided by the length of the largest obstacle. Far "
                       "below 1 a gas flows as a fluid does, far above as single particles.",
};

/* What a run is, in a set of bits. */
enum {
    RUN_STREAM = 1,
    RUN_SEAM_X = 2,
    RUN_SEAM_Y = 4,
    RUN_KEEPS_X = 8, /* the momentum of all particles along x, */
    RUN_KEEPS_Y = 16,
    RUN_OPEN = 32, /* there are neither walls nor polygons */
    RUN_WITHOUT_POLYGONS = 64
};

static const char stream_changes_momentum[] =
    "The same at the end. The stream changes it, and what stands in it.";
static const char nothing_changes_momentum[] =
    "The same at the end. There is no wall to change it.";

/* Sentences of the kinds of runs in which those above are false, the first that fits; NULL: the
 * figure has no meaning there, and if it is not determined it is left out. */
static const struct {
    enum figure figure;
    unsigned run;
    const char *meaning;
} variants[] = {
    {FIGURE_COLLISIONS_LEFT, RUN_SEAM_X, NULL},
    {FIGURE_COLLISIONS_RIGHT, RUN_SEAM_X, NULL},
    {FIGURE_COLLISIONS_BOTTOM, RUN_SEAM_Y, NULL},
    {FIGURE_COLLISIONS_TOP, RUN_SEAM_Y, NULL},
    {FIGURE_COLLISION_RATE_ENSKOG, RUN_STREAM | RUN_OPEN,
     "What Enskog's theory predicts for a fluid in equilibrium, of the mean density and "
     "temperature."},
    {FIGURE_ENERGY_DRIFT, RUN_STREAM,
     "The change of the energy, as part of what it was at the start. The stream gives particles "
     "other energies than those with which they leave."},
    {FIGURE_MOMENTUM_X_END, RUN_STREAM, stream_changes_momentum},
    {FIGURE_MOMENTUM_Y_END, RUN_STREAM, stream_changes_momentum},
    {FIGURE_MOMENTUM_X_END, RUN_KEEPS_X, nothing_changes_momentum},
    {FIGURE_MOMENTUM_Y_END, RUN_KEEPS_Y, nothing_changes_momentum},
    {FIGURE_TEMPERATURE_MEAN, RUN_STREAM,
     "The kinetic energy for each two degrees of freedom, relative to the velocity of the stream, "
     "averaged over time. Boltzmann's constant is 1."},
    {FIGURE_TEMPERATURE_MEAN, RUN_KEEPS_X | RUN_KEEPS_Y,
     "The kinetic energy for each two degrees of freedom, relative to the motion of all particles "
     "together, averaged over time. Boltzmann's constant is 1."},
    {FIGURE_PRESSURE_WALLS, RUN_OPEN, NULL},
    {FIGURE_PRESSURE_VIRIAL, RUN_STREAM | RUN_OPEN,
     "The pressure that the temperature and the collisions of particles with each other show, over "
     "the whole box."},
    {FIGURE_COMPRESSIBILITY_WALLS, RUN_OPEN, NULL},
    {FIGURE_COMPRESSIBILITY_VIRIAL, RUN_OPEN,
     "The pressure from the virial, divided by that of an ideal gas, whose factor is 1."},
    {FIGURE_SPEED_MEAN, RUN_STREAM,
     "The mean of the particles' speeds at the end, relative to the stream."},
    {FIGURE_SPEED_MEAN, RUN_KEEPS_X | RUN_KEEPS_Y,
     "The mean of the particles' speeds at the end, relative to the motion of all together."},
    {FIGURE_FORCE_X, RUN_WITHOUT_POLYGONS, NULL},
    {FIGURE_FORCE_Y, RUN_WITHOUT_POLYGONS, NULL},
    {FIGURE_KNUDSEN, RUN_WITHOUT_POLYGONS, NULL},
};

static unsigned describe_run(const struct boundary *boundary)
{
    const unsigned kept = tally_conserved(boundary);
    const int is_open = !boundary->polygons && boundary->periodic == (PERIODIC_X | PERIODIC_Y);
    return (boundary->stream.draw ? RUN_STREAM : 0u) |
           (boundary->periodic & PERIODIC_X ? RUN_SEAM_X : 0u) |
           (boundary->periodic & PERIODIC_Y ? RUN_SEAM_Y : 0u) |
           (kept & PERIODIC_X ? RUN_KEEPS_X : 0u) | (kept & PERIODIC_Y ? RUN_KEEPS_Y : 0u) |
           (is_open ? RUN_OPEN : 0u) | (boundary->polygons ? 0u : RUN_WITHOUT_POLYGONS);
}

const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary)
{
    const unsigned run = describe_run(boundary);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++)
        if (variants[k].figure == figure && variants[k].run & run)
            return variants[k].meaning || !isfinite(value) ? variants[k].meaning : meanings[figure];
    return meanings[figure];
}
