/*
 * What a run adds up to, in figures.
 *
 * Their names stand in one table, below; a function for each group computes the values, and says
 * what they mean. N is the number of particles, t the END_TIME, m a mass, R a radius, c a speed;
 * Boltzmann's constant is 1, so temperatures are energies.
 *
 * A figure that makes no sense for a run (the pressure in no time, the mean free path if nothing
 * met) comes out as a division by zero; it is never printed as a number.
 */
#include "figures.h"

#include "enskog.h"

#include <math.h>

enum form { WHOLE, REAL };

static const struct {
    const char *key;
    const char *label;
    const char *unit;
    enum form form;
} descriptions[FIGURES] = {
    [FIGURE_PARTICLES] = {"particles", "particles", "", WHOLE},
    [FIGURE_KINDS] = {"kinds", "kinds of particles", "", WHOLE},
    [FIGURE_BOX_WIDTH] = {"box_width", "box width", "length", REAL},
    [FIGURE_BOX_HEIGHT] = {"box_height", "box height", "length", REAL},
    [FIGURE_AREA_FRACTION] = {"area_fraction", "area fraction", "", REAL},
    [FIGURE_END_TIME] = {"end_time", "end time", "time", REAL},
    [FIGURE_COLLISIONS] = {"collisions", "collisions", "", WHOLE},
    [FIGURE_COLLISIONS_PAIRS] = {"collisions_pairs", "  of two particles", "", WHOLE},
    [FIGURE_COLLISIONS_LEFT] = {"collisions_left", "  with the left wall", "", WHOLE},
    [FIGURE_COLLISIONS_RIGHT] = {"collisions_right", "  with the right wall", "", WHOLE},
    [FIGURE_COLLISIONS_BOTTOM] = {"collisions_bottom", "  with the bottom wall", "", WHOLE},
    [FIGURE_COLLISIONS_TOP] = {"collisions_top", "  with the top wall", "", WHOLE},
    [FIGURE_COLLISION_RATE] = {"collision_rate", "collision rate", "1/time, per particle", REAL},
    [FIGURE_COLLISION_RATE_ENSKOG] = {"collision_rate_enskog", "  by Enskog's theory", "1/time",
                                      REAL},
    [FIGURE_MEAN_FREE_TIME] = {"mean_free_time", "mean free time", "time", REAL},
    [FIGURE_MEAN_FREE_PATH] = {"mean_free_path", "mean free path", "length", REAL},
    [FIGURE_ENERGY_START] = {"energy_start", "energy at the start", "energy", REAL},
    [FIGURE_ENERGY_END] = {"energy_end", "energy at the end", "energy", REAL},
    [FIGURE_ENERGY_DRIFT] = {"energy_drift", "  relative change", "", REAL},
    [FIGURE_MOMENTUM_X_START] = {"momentum_x_start", "momentum in x at the start", "momentum",
                                 REAL},
    [FIGURE_MOMENTUM_X_END] = {"momentum_x_end", "momentum in x at the end", "momentum", REAL},
    [FIGURE_MOMENTUM_Y_START] = {"momentum_y_start", "momentum in y at the start", "momentum",
                                 REAL},
    [FIGURE_MOMENTUM_Y_END] = {"momentum_y_end", "momentum in y at the end", "momentum", REAL},
    [FIGURE_MOMENTUM_DRIFT] = {"momentum_drift", "  relative change, walls apart", "", REAL},
    [FIGURE_TEMPERATURE_MEAN] = {"temperature_mean", "temperature, mean", "energy", REAL},
    [FIGURE_TEMPERATURE_END] = {"temperature_end", "temperature at the end", "energy", REAL},
    [FIGURE_PRESSURE_WALLS] = {"pressure_walls", "pressure on the walls", "energy/area", REAL},
    [FIGURE_PRESSURE_VIRIAL] = {"pressure_virial", "pressure from the virial", "energy/area", REAL},
    [FIGURE_COMPRESSIBILITY_WALLS] = {"compressibility_walls", "compressibility factor, walls", "",
                                      REAL},
    [FIGURE_COMPRESSIBILITY_VIRIAL] = {"compressibility_virial", "compressibility factor, virial",
                                       "", REAL},
    [FIGURE_COMPRESSIBILITY_ENSKOG] = {"compressibility_enskog", "  by Enskog's theory", "", REAL},
    [FIGURE_SPEED_MEAN] = {"speed_mean", "mean speed at the end", "length/time", REAL},
    [FIGURE_SPEED_SQUARE] = {"speed_square", "mean square speed at the end", "length^2/time^2",
                             REAL},
    [FIGURE_SPEED_RATIO] = {"speed_ratio", "mean/rms speed", "Maxwell: 0.886227", REAL},
    [FIGURE_SPEED_KURTOSIS] = {"speed_kurtosis", "<c^4>/<c^2>^2", "Maxwell: 2", REAL},
    [FIGURE_SECONDS] = {"seconds", "elapsed time", "seconds", REAL},
    [FIGURE_COLLISIONS_PER_SECOND] = {"collisions_per_second", "collisions per second", "1/second",
                                      REAL},
};

/* What is simulated. */
static void describe_system(double *values, const struct system *system, double end_time)
{
    values[FIGURE_PARTICLES] = (double)system->count;
    values[FIGURE_KINDS] = system->kinds ? (double)system->kind_count : 1;
    values[FIGURE_BOX_WIDTH] = system->width;
    values[FIGURE_BOX_HEIGHT] = system->height;
    values[FIGURE_AREA_FRACTION] = enskog_area_fraction(system);
    values[FIGURE_END_TIME] = end_time;
}

/* How often what collides; a corner is two walls. */
static void count_collisions(double *values, const struct tally *tally)
{
    uint64_t all = tally->pairs;
    values[FIGURE_COLLISIONS_PAIRS] = (double)tally->pairs;
    for (int wall = 0; wall < TALLY_WALLS; wall++) {
        values[FIGURE_COLLISIONS_LEFT + wall] = (double)tally->walls[wall];
        all += tally->walls[wall];
    }
    values[FIGURE_COLLISIONS] = (double)all;
}

/*
 * Flights between collisions with other particles, walls not counted as an end. Each collision
 * ends two, so that all particles together, in all time,
 *     collision rate = 2 collisions / (N t), mean free time = N t / (2 collisions),
 *     mean free path = length of the ways of all particles / (2 collisions),
 * the beginning and the end of the run being taken for one flight of each particle (S. Chapman and
 * T. Cowling, The mathematical theory of non-uniform gases, section 5.2, for the definitions).
 */
static void measure_flights(double *values, const struct system *system, const struct tally *tally,
                            double end_time)
{
    double ends = 2 * (double)tally->pairs;
    double time = (double)system->count * end_time;
    values[FIGURE_COLLISION_RATE] = ends / time;
    values[FIGURE_MEAN_FREE_TIME] = time / ends;
    values[FIGURE_MEAN_FREE_PATH] = sum_value(&tally->path) / ends;
}

/*
 * What should be conserved. Walls change the momentum, so what the walls have gained is added
 * before start and end are compared: what remains is due to collisions of particles. It is
 * compared with the sum of m c. (The gain has a sum of its own, for it is the small difference of
 * what opposite walls have got, which in the end is far more than any particle has.)
 */
static void compare_ends(double *values, const struct tally *tally)
{
    const struct motion *start = &tally->start;
    const struct motion *end = &tally->end;
    double lost_x = (end->momentum_x - start->momentum_x) + sum_value(&tally->gained[0]);
    double lost_y = (end->momentum_y - start->momentum_y) + sum_value(&tally->gained[1]);
    values[FIGURE_ENERGY_START] = start->energy;
    values[FIGURE_ENERGY_END] = end->energy;
    values[FIGURE_ENERGY_DRIFT] = (end->energy - start->energy) / start->energy;
    values[FIGURE_MOMENTUM_X_START] = start->momentum_x;
    values[FIGURE_MOMENTUM_X_END] = end->momentum_x;
    values[FIGURE_MOMENTUM_Y_START] = start->momentum_y;
    values[FIGURE_MOMENTUM_Y_END] = end->momentum_y;
    values[FIGURE_MOMENTUM_DRIFT] = sqrt(lost_x * lost_x + lost_y * lost_y) / start->impetus;
}

static double mean_radius(const struct system *system)
{
    struct sum radii = {0};
    for (size_t k = 0; k < system->count; k++)
        sum_add(&radii, system_radius(system, &system->particles[k]));
    return system->kinds ? sum_value(&radii) / (double)system->count : system->radius;
}

/*
 * Temperature, pressure and compressibility factor. In two dimensions the temperature is the
 * kinetic energy of one particle, T = E / N; the motion of the centre of mass is not subtracted,
 * for the walls let none last.
 *
 * Lengths and areas are those which centres can reach: a box with sides Lx - 2R and Ly - 2R, and
 * of area A; with the mean radius, if radii differ. On the walls
 *     p = (momentum transferred to all four) / (2 (Lx - 2R + Ly - 2R) t).
 * That a centre can be nowhere else makes this the pressure of an ideal gas exactly, and of any
 * other in the middle of the box but for the corners. The virial gives
 *     p A = N T + (sum of d.J over all collisions of two) / (2 t)
 * with d and J as in tally.h (B. Alder and T. Wainwright, Studies in molecular dynamics II, J.
 * Chem. Phys. 33, 1960, for spheres). The virial theorem for the box of the centres says that both
 * are the same in the long run, for equal disks in a square box even on every run, up to a term in
 * 1/t. Z = p A / (N T), with the mean temperature.
 */
static void measure_pressure(double *values, const struct system *system, const struct tally *tally,
                             double end_time)
{
    double count = (double)system->count;
    double radius = mean_radius(system);
    double width = system->width - 2 * radius;
    double height = system->height - 2 * radius;
    double energy = sum_value(&tally->action) / end_time;
    double pushed = 0;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        pushed += sum_value(&tally->push[wall]);
    double walls = pushed / (2 * (width + height)) / end_time;
    double virial = (energy + sum_value(&tally->virial) / (2 * end_time)) / width / height;
    if (!(width > 0 && height > 0))
        walls = virial = (double)NAN; /* no room to be pressed in */
    values[FIGURE_TEMPERATURE_MEAN] = energy / count;
    values[FIGURE_TEMPERATURE_END] = tally->end.energy / count;
    values[FIGURE_PRESSURE_WALLS] = walls;
    values[FIGURE_PRESSURE_VIRIAL] = virial;
    values[FIGURE_COMPRESSIBILITY_WALLS] = walls * width * height / energy;
    values[FIGURE_COMPRESSIBILITY_VIRIAL] = virial * width * height / energy;
}

/*
 * The distribution of speeds. In equilibrium it is Maxwell's, m c / T exp(-m c^2 / (2 T)), whose
 * mean is sqrt(pi) / 2 of its root mean square and whose <c^4> is 2 <c^2>^2. Both ratios are of
 * sqrt(m) c, so that they mean the same where masses differ.
 */
static void describe_speeds(double *values, const struct speeds *speeds)
{
    values[FIGURE_SPEED_MEAN] = speeds->mean;
    values[FIGURE_SPEED_SQUARE] = speeds->square;
    values[FIGURE_SPEED_RATIO] = speeds->reduced / sqrt(speeds->reduced_2);
    values[FIGURE_SPEED_KURTOSIS] = speeds->reduced_4 / (speeds->reduced_2 * speeds->reduced_2);
}

struct figures figures_compute(const struct system *system, const struct tally *tally,
                               double end_time, double seconds)
{
    struct figures figures;
    double *values = figures.values;
    describe_system(values, system, end_time);
    count_collisions(values, tally);
    measure_flights(values, system, tally, end_time);
    compare_ends(values, tally);
    measure_pressure(values, system, tally, end_time);
    describe_speeds(values, &tally->speeds);
    const struct enskog prediction = enskog_predict(system, values[FIGURE_TEMPERATURE_MEAN]);
    values[FIGURE_COLLISION_RATE_ENSKOG] = prediction.collision_rate;
    values[FIGURE_COMPRESSIBILITY_ENSKOG] = prediction.compressibility;
    values[FIGURE_SECONDS] = seconds;
    values[FIGURE_COLLISIONS_PER_SECOND] = values[FIGURE_COLLISIONS] / seconds;
    return figures;
}

/* Writes a figure's value into `text`, with up to `digits` digits; `none` where there is none. */
static void format_value(char *text, size_t size, enum form form, double value, int digits,
                         const char *none)
{
    if (!isfinite(value))
        snprintf(text, size, "%s", none);
    else if (form == WHOLE)
        snprintf(text, size, "%.0f", value);
    else
        snprintf(text, size, "%.*g", digits, value + 0.0); /* which has no -0 */
}

enum { VALUE_SIZE = 32 };

void figures_write_table(const struct figures *figures, FILE *stream)
{
    for (int k = 0; k < FIGURES; k++) {
        char value[VALUE_SIZE];
        format_value(value, sizeof value, descriptions[k].form, figures->values[k], 7, "-");
        fprintf(stream, "%-30s  %15s%s%s\n", descriptions[k].label, value,
                *descriptions[k].unit ? "  " : "", descriptions[k].unit);
    }
}

void figures_write_lines(const struct figures *figures, FILE *stream)
{
    for (int k = 0; k < FIGURES; k++) {
        char value[VALUE_SIZE];
        format_value(value, sizeof value, descriptions[k].form, figures->values[k], 17, "none");
        fprintf(stream, "%s = %s\n", descriptions[k].key, value);
    }
}
