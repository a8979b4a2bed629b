/*
 * Figures of a run; see figures.h.
 *
 * The names of the figures are in one table, below. A function for each group computes the values,
 * and its comment says what they mean. N is the number of particles, t the time from --stats-from
 * to END_TIME, m a mass, R a radius, c a speed; Boltzmann's constant is 1, so temperatures are
 * energies.
 *
 * A figure that a run does not determine (the pressure in a time of 0, the mean free path if no two
 * particles have collided) results from a division by zero, and is not finite. It is never printed
 * as a number.
 */
#include "figures.h"

#include "enskog.h"
#include "model/reach.h"
#include "observe/figure_text.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const struct figure_description descriptions[FIGURES] = {
    [FIGURE_PARTICLES] = {"particles", "particles", "", FIGURE_WHOLE},
    [FIGURE_KINDS] = {"kinds", "kinds of particles", "", FIGURE_WHOLE},
    [FIGURE_BOX_WIDTH] = {"box_width", "box width", "length", FIGURE_REAL},
    [FIGURE_BOX_HEIGHT] = {"box_height", "box height", "length", FIGURE_REAL},
    [FIGURE_AREA_FRACTION] = {"area_fraction", "area fraction", "", FIGURE_REAL},
    [FIGURE_END_TIME] = {"end_time", "end time", "time", FIGURE_REAL},
    [FIGURE_COLLISIONS] = {"collisions", "collisions", "", FIGURE_WHOLE},
    [FIGURE_COLLISIONS_PAIRS] = {"collisions_pairs", "  of two particles", "", FIGURE_WHOLE},
    [FIGURE_COLLISIONS_LEFT] = {"collisions_left", "  with the left wall", "", FIGURE_WHOLE},
    [FIGURE_COLLISIONS_RIGHT] = {"collisions_right", "  with the right wall", "", FIGURE_WHOLE},
    [FIGURE_COLLISIONS_BOTTOM] = {"collisions_bottom", "  with the bottom wall", "", FIGURE_WHOLE},
    [FIGURE_COLLISIONS_TOP] = {"collisions_top", "  with the top wall", "", FIGURE_WHOLE},
    [FIGURE_COLLISION_RATE] = {"collision_rate", "collision rate", "1/time, per particle",
                               FIGURE_REAL},
    [FIGURE_COLLISION_RATE_ENSKOG] = {"collision_rate_enskog", "  by Enskog's theory", "1/time",
                                      FIGURE_REAL},
    [FIGURE_MEAN_FREE_TIME] = {"mean_free_time", "mean free time", "time", FIGURE_REAL},
    [FIGURE_MEAN_FREE_PATH] = {"mean_free_path", "mean free path", "length", FIGURE_REAL},
    [FIGURE_ENERGY_START] = {"energy_start", "energy at the start", "energy", FIGURE_REAL},
    [FIGURE_ENERGY_END] = {"energy_end", "energy at the end", "energy", FIGURE_REAL},
    [FIGURE_ENERGY_DRIFT] = {"energy_drift", "  relative change", "", FIGURE_REAL},
    [FIGURE_MOMENTUM_X_START] = {"momentum_x_start", "momentum in x at the start", "momentum",
                                 FIGURE_REAL},
    [FIGURE_MOMENTUM_X_END] = {"momentum_x_end", "momentum in x at the end", "momentum",
                               FIGURE_REAL},
    [FIGURE_MOMENTUM_Y_START] = {"momentum_y_start", "momentum in y at the start", "momentum",
                                 FIGURE_REAL},
    [FIGURE_MOMENTUM_Y_END] = {"momentum_y_end", "momentum in y at the end", "momentum",
                               FIGURE_REAL},
    [FIGURE_MOMENTUM_DRIFT] = {"momentum_drift", "  relative change, walls apart", "", FIGURE_REAL},
    [FIGURE_TEMPERATURE_MEAN] = {"temperature_mean", "temperature, mean", "energy", FIGURE_REAL},
    [FIGURE_TEMPERATURE_END] = {"temperature_end", "temperature at the end", "energy", FIGURE_REAL},
    [FIGURE_PRESSURE_WALLS] = {"pressure_walls", "pressure on the walls", "energy/area",
                               FIGURE_REAL},
    [FIGURE_PRESSURE_VIRIAL] = {"pressure_virial", "pressure from the virial", "energy/area",
                                FIGURE_REAL},
    [FIGURE_COMPRESSIBILITY_WALLS] = {"compressibility_walls", "compressibility factor, walls", "",
                                      FIGURE_REAL},
    [FIGURE_COMPRESSIBILITY_VIRIAL] = {"compressibility_virial", "compressibility factor, virial",
                                       "", FIGURE_REAL},
    [FIGURE_COMPRESSIBILITY_ENSKOG] = {"compressibility_enskog", "  by Enskog's theory", "",
                                       FIGURE_REAL},
    [FIGURE_SPEED_MEAN] = {"speed_mean", "mean speed at the end", "length/time", FIGURE_REAL},
    [FIGURE_SPEED_SQUARE] = {"speed_square", "mean square speed at the end", "length^2/time^2",
                             FIGURE_REAL},
    [FIGURE_SPEED_RATIO] = {"speed_ratio", "mean/rms speed", "Maxwell: 0.886227", FIGURE_REAL},
    [FIGURE_SPEED_KURTOSIS] = {"speed_kurtosis", "<c^4>/<c^2>^2", "Maxwell: 2", FIGURE_REAL},
    [FIGURE_SECONDS] = {"seconds", "elapsed time", "seconds", FIGURE_REAL},
    [FIGURE_COLLISIONS_PER_SECOND] = {"collisions_per_second", "collisions per second", "1/second",
                                      FIGURE_REAL},
    [FIGURE_STATS_FROM] = {"stats_from", "figures count from", "time", FIGURE_REAL},
    [FIGURE_CONTACT_VALUE] = {"contact_value", "contact value g(2R)", "", FIGURE_REAL},
    [FIGURE_PRESSURE_REDUCED] = {"pressure_reduced", "reduced pressure p (2R)^2 / T", "",
                                 FIGURE_REAL},
    [FIGURE_COLLISION_RATE_ERROR] = {"collision_rate_error", "standard error: collision rate",
                                     "1/time", FIGURE_REAL},
    [FIGURE_TEMPERATURE_MEAN_ERROR] = {"temperature_mean_error", "  temperature, mean", "energy",
                                       FIGURE_REAL},
    [FIGURE_PRESSURE_VIRIAL_ERROR] = {"pressure_virial_error", "  pressure from the virial",
                                      "energy/area", FIGURE_REAL},
    [FIGURE_COMPRESSIBILITY_VIRIAL_ERROR] = {"compressibility_virial_error",
                                             "  compressibility, virial", "", FIGURE_REAL},
    [FIGURE_CONTACT_VALUE_ERROR] = {"contact_value_error", "  contact value", "", FIGURE_REAL},
    [FIGURE_PRESSURE_REDUCED_ERROR] = {"pressure_reduced_error", "  reduced pressure", "",
                                       FIGURE_REAL},
    [FIGURE_COLLISIONS_POLYGONS] = {"collisions_polygons", "collisions with polygons", "",
                                    FIGURE_WHOLE},
    [FIGURE_FREE_AREA] = {"free_area", "free area", "area", FIGURE_REAL},
    [FIGURE_BOUNDARY_LENGTH] = {"boundary_length", "length of all boundaries", "length",
                                FIGURE_REAL},
    [FIGURE_MEAN_FREE_PATH_BOUNDARY] = {"mean_free_path_boundary", "mean path between boundaries",
                                        "length", FIGURE_REAL},
    [FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY] = {"mean_free_path_boundary_theory",
                                               "  of points: pi area / length", "length",
                                               FIGURE_REAL},
    [FIGURE_STREAM_SPEED] = {"stream_speed", "speed of the stream", "length/time", FIGURE_REAL},
    [FIGURE_STREAM_TEMPERATURE] = {"stream_temperature", "temperature of the stream", "energy",
                                   FIGURE_REAL},
    [FIGURE_STREAM_PASSAGES] = {"stream_passages", "particles it has renewed", "", FIGURE_WHOLE},
    [FIGURE_MOMENTUM_X_SEAM] = {"momentum_x_seam", "  momentum given to them, in x", "momentum",
                                FIGURE_REAL},
    [FIGURE_MOMENTUM_Y_SEAM] = {"momentum_y_seam", "  momentum given to them, in y", "momentum",
                                FIGURE_REAL},
    [FIGURE_STREAM_DENSITY] = {"stream_density", "density of what comes in", "1/area", FIGURE_REAL},
    [FIGURE_STREAM_DENSITY_ERROR] = {"stream_density_error", "  standard error", "1/area",
                                     FIGURE_REAL},
    [FIGURE_STREAM_DENSITY_RATIO] = {"stream_density_ratio", "  / mean density, N / free area", "",
                                     FIGURE_REAL},
    [FIGURE_FORCE_X] = {"force_x", "force on all polygons, in x", "momentum/time", FIGURE_REAL},
    [FIGURE_FORCE_Y] = {"force_y", "force on all polygons, in y", "momentum/time", FIGURE_REAL},
    [FIGURE_STREAM_SPEED_RATIO] = {"stream_speed_ratio", "speed ratio U / sqrt(2T/m)", "",
                                   FIGURE_REAL},
    [FIGURE_MACH] = {"mach", "Mach number", "", FIGURE_REAL},
    [FIGURE_KNUDSEN] = {"knudsen", "Knudsen number", "", FIGURE_REAL},
};

/* The system. */
static void describe_system(double *values, const struct system *system, double end_time)
{
    values[FIGURE_PARTICLES] = (double)system->count;
    values[FIGURE_KINDS] = system->kinds ? (double)system->kind_count : 1;
    values[FIGURE_BOX_WIDTH] = system->boundary.width;
    values[FIGURE_BOX_HEIGHT] = system->boundary.height;
    values[FIGURE_AREA_FRACTION] = enskog_area_fraction(system);
    values[FIGURE_END_TIME] = end_time;
}

/*
 * The numbers of collisions; a corner of the box counts as two walls. There are none with a seam.
 */
static void count_collisions(double *values, const struct system *system, const struct tally *tally)
{
    uint64_t all = tally->pairs + tally->polygons;
    values[FIGURE_COLLISIONS_POLYGONS] = (double)tally->polygons;
    values[FIGURE_COLLISIONS_PAIRS] = (double)tally->pairs;
    for (int wall = 0; wall < TALLY_WALLS; wall++) {
        values[FIGURE_COLLISIONS_LEFT + wall] =
            boundary_is_seam(&system->boundary, FEATURE_LEFT - wall) ? (double)NAN
                                                                     : (double)tally->walls[wall];
        all += tally->walls[wall];
    }
    values[FIGURE_COLLISIONS] = (double)all;
}

/*
 * Flights of particles from one collision with another particle to the next; walls do not end them.
 * Each collision of two particles ends two flights, so that
 *     collision rate = 2 collisions / (N t), mean free time = N t / (2 collisions),
 *     mean free path = length of the paths of all particles / (2 collisions).
 * The first and the last flight of each particle, which t cuts off, count as one together (S.
 * Chapman and T. Cowling, The mathematical theory of non-uniform gases, section 5.2, for the
 * definitions).
 */
static void measure_flights(double *values, const struct system *system, const struct tally *tally,
                            double duration)
{
    double ends = 2 * (double)tally->pairs;
    double time = (double)system->count * duration;
    values[FIGURE_COLLISION_RATE] = ends / time;
    values[FIGURE_MEAN_FREE_TIME] = time / ends;
    values[FIGURE_MEAN_FREE_PATH] = sum_value(&tally->path) / ends;
}

/*
 * Energy and momentum at the start and the end. Walls, polygons and a stream change the momentum of
 * the particles, so the momentum that they have gained is added before start and end are compared.
 * The difference is then due to collisions of particles; it is divided by the sum of m c at the
 * start. (The momentum gained by all walls has a sum of its own. It is a small difference of what
 * opposite walls have gained, and each of these becomes far larger than the momentum of the
 * particles.)
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

static void measure_temperature(double *values, const struct system *system,
                                const struct tally *tally, double duration)
{
    values[FIGURE_TEMPERATURE_MEAN] =
        sum_value(&tally->action) / duration / tally_half_freedom(system);
    values[FIGURE_TEMPERATURE_END] = tally->end.thermal / tally_half_freedom(system);
}

/* N T for the thermal energy E: the same where there are only walls. */
static double ideal_part(const struct system *system, double energy)
{
    return energy * ((double)system->count / tally_half_freedom(system));
}

static double mean_radius(const struct system *system)
{
    struct sum radii = {0};
    if (!system->kinds)
        return system->radius;
    for (size_t k = 0; k < system->count; k++)
        sum_add(&radii, system_radius(system, &system->particles[k]));
    return sum_value(&radii) / (double)system->count;
}

/*
 * Pressure and compressibility factor, with the lengths and the area A of what centres can reach
 * (reach.h); if radii differ with the mean radius. From the walls, with polygons among them,
 *     p = (momentum transferred to all walls) / (their length t).
 * With these lengths this is exact for an ideal gas, and for others it is the pressure in the
 * middle of the box but for the effect of corners. What a corner of a polygon takes is along the
 * normal of the arc on which centres go around it. From the virial, p A = N T + (sum of d.J over
 * all collisions of two particles) / (2 t) with d and J as in tally.h (B. Alder and T. Wainwright,
 * Studies in molecular dynamics II, J. Chem. Phys. 33, 1960, for spheres). By the virial theorem
 * for the box of the centres, both are the same in the long run. For equal disks in a square box
 * they are the same in every run, up to a term in 1/t. Z = p A / (N T), with the mean temperature.
 *
 * In a periodic box this is the pressure at constant temperature (the canonical one, which other
 * methods compute), for any N: positions are distributed alike with and without conserved energy
 * and momentum, since hard disks have no potential energy. The virial of a pair at contact goes
 * with the mean square of its relative velocity along the line of centres. Where the momentum
 * is 0, velocities have covariances T (1 / m_i if i = j - 1 / M), M the mass of all, so that mean
 * square is T (1 / m_i + 1 / m_j) as in the canonical ensemble, if T is that of 2N - g degrees of
 * freedom. So the virial is N T (Z - 1) with this T, and the ideal part, N T, must have the same.
 */
static void measure_pressure(double *values, const struct system *system, const struct tally *tally,
                             double duration)
{
    const struct reach reach = reach_find(&system->boundary, mean_radius(system));
    double ideal = ideal_part(system, sum_value(&tally->action) / duration);
    double pushed = sum_value(&tally->polygons_push);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        pushed += sum_value(&tally->push[wall]);
    double walls = pushed / reach.length / duration;
    double virial =
        (ideal + sum_value(&tally->virial) / (2 * duration)) / reach.width / reach.height;
    values[FIGURE_PRESSURE_WALLS] = walls;
    values[FIGURE_PRESSURE_VIRIAL] = virial;
    values[FIGURE_COMPRESSIBILITY_WALLS] = walls * reach.width * reach.height / ideal;
    values[FIGURE_COMPRESSIBILITY_VIRIAL] = virial * reach.width * reach.height / ideal;
}

/*
 * The paths between collisions with walls and polygons, other particles apart. Of points, and of a
 * single disk, the mean is exactly pi A / P, with the area and the length that centres can reach,
 * if their paths come everywhere in every direction (N. Chernov, Entropy, Lyapunov exponents, and
 * mean free path for billiards, J. Stat. Phys. 88, 1997).
 */
static void describe_boundary(double *values, const struct system *system,
                              const struct tally *tally)
{
    const struct reach points = reach_find(&system->boundary, 0);
    const struct reach centres = reach_find(&system->boundary, mean_radius(system));
    uint64_t hits = tally->polygons;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        hits += tally->walls[wall];
    values[FIGURE_FREE_AREA] = points.width * points.height;
    values[FIGURE_BOUNDARY_LENGTH] = points.length;
    values[FIGURE_MEAN_FREE_PATH_BOUNDARY] = sum_value(&tally->path) / (double)hits;
    values[FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY] =
        pi * centres.width * centres.height / centres.length;
}

/*
 * What theory makes of the mean temperature: Enskog's predictions; the contact value that the
 * collision rate shows, and the pressure in units of T / (2R)^2, from the virial.
 */
static void compare_with_theory(double *values, const struct system *system)
{
    const double temperature = values[FIGURE_TEMPERATURE_MEAN];
    const double diameter = 2 * enskog_radius(system);
    const struct enskog prediction = enskog_predict(system, temperature);
    values[FIGURE_COLLISION_RATE_ENSKOG] = prediction.collision_rate;
    values[FIGURE_COMPRESSIBILITY_ENSKOG] = prediction.compressibility;
    values[FIGURE_CONTACT_VALUE] =
        enskog_measured_contact_value(system, values[FIGURE_COLLISION_RATE], temperature);
    values[FIGURE_PRESSURE_REDUCED] =
        values[FIGURE_PRESSURE_VIRIAL] * diameter * diameter / temperature;
}

static double mean_mass(const struct system *system)
{
    struct sum masses = {0};
    if (!system->kinds)
        return 1;
    for (size_t k = 0; k < system->count; k++)
        sum_add(&masses, system_mass(system, &system->particles[k]));
    return sum_value(&masses) / (double)system->count;
}

/*
 * Standard errors, by blocks that last for five collisions of each particle with others or longer:
 * what is shorter cannot tell. The error of Z is that of its parts together, to first order: with K
 * the ideal part and V the virial of a block, Z = 1 + V / (2 K), so that
 *     the change of Z = (change of V) / (2 K) - (Z - 1) (change of K) / K.
 * The temperature T has no part in the error of the contact value, which goes with rate / sqrt(T),
 * but in a stream: elsewhere it is given only where energy is conserved.
 *
 * The pressure on the walls has none of its own. In the long run it is that of the virial; but for
 * that a block must be very much longer than the time in which sound runs from wall to wall.
 */
static const double BLOCK_COLLISIONS = 5;

/* The time in which the stream passes the box, which is how long its density remembers. */
static double passage_in_blocks(const struct system *system, const struct blocks *blocks)
{
    const struct stream *stream = &system->boundary.stream;
    const double square =
        stream->speed * stream->speed + 2 * stream->temperature / mean_mass(system);
    const double passage = system->boundary.width / sqrt(square);
    return fmin(passage / block_times_length(&blocks->times, 0), BLOCKS / 16.0);
}

static void estimate_errors(double *values, const struct system *system,
                            const struct blocks *blocks)
{
    const struct block mean = blocks_mean(blocks);
    const double least = BLOCK_COLLISIONS * (double)system->count / (2 * mean.pairs);
    const double ideal = ideal_part(system, 1);
    const double kinetic = ideal * mean.action;
    const double pressure = kinetic + mean.virial / 2;
    /* Weights of relative errors, and of the error of Z. */
    const struct block rate = {.pairs = 1 / mean.pairs};
    const struct block contact = {.pairs = 1 / mean.pairs, .action = -0.5 / mean.action};
    const struct block temperature = {.action = 1 / mean.action};
    const struct block virial = {.action = ideal / pressure, .virial = 0.5 / pressure};
    const struct block z = {.action = -mean.virial / (2 * kinetic) / mean.action,
                            .virial = 1 / (2 * kinetic)};
    const struct block inflow = {.inflow = 1 / mean.inflow};
    const double rate_error = blocks_error(blocks, &rate, least);
    const double z_error = blocks_error(blocks, &z, least);
    values[FIGURE_COLLISION_RATE_ERROR] = values[FIGURE_COLLISION_RATE] * rate_error;
    values[FIGURE_TEMPERATURE_MEAN_ERROR] =
        values[FIGURE_TEMPERATURE_MEAN] * blocks_error(blocks, &temperature, least);
    values[FIGURE_PRESSURE_VIRIAL_ERROR] =
        values[FIGURE_PRESSURE_VIRIAL] * blocks_error(blocks, &virial, least);
    values[FIGURE_COMPRESSIBILITY_VIRIAL_ERROR] =
        isfinite(values[FIGURE_COMPRESSIBILITY_VIRIAL]) ? z_error : (double)NAN;
    values[FIGURE_CONTACT_VALUE_ERROR] =
        values[FIGURE_CONTACT_VALUE] *
        (system->boundary.stream.draw ? blocks_error(blocks, &contact, least) : rate_error);
    values[FIGURE_STREAM_DENSITY_ERROR] =
        values[FIGURE_STREAM_DENSITY] *
        blocks_error(blocks, &inflow, passage_in_blocks(system, blocks));
    values[FIGURE_PRESSURE_REDUCED_ERROR] =
        values[FIGURE_PRESSURE_REDUCED] * z_error / values[FIGURE_COMPRESSIBILITY_VIRIAL];
}

/*
 * The distribution of speeds. In equilibrium it is Maxwell's, m c / T exp(-m c^2 / (2 T)), whose
 * mean is sqrt(pi) / 2 times its root mean square and whose <c^4> is 2 <c^2>^2. Both ratios are
 * those of sqrt(m) c, so that they have these values for unequal masses, too.
 */
static void describe_speeds(double *values, const struct speeds *speeds)
{
    values[FIGURE_SPEED_MEAN] = speeds->mean;
    values[FIGURE_SPEED_SQUARE] = speeds->square;
    values[FIGURE_SPEED_RATIO] = speeds->reduced / sqrt(speeds->reduced_2);
    values[FIGURE_SPEED_KURTOSIS] = speeds->reduced_4 / (speeds->reduced_2 * speeds->reduced_2);
}

/*
 * The stream. U is its speed, T its temperature and m the mean mass. The speed of sound is that of
 * a fluid at T and the area fraction of the whole (enskog.h), and so the Mach number is |U| / c; in
 * a dilute gas that is the speed ratio U / sqrt(2T/m), for there c = sqrt(2T/m). The Knudsen number
 * is the mean free path / the length of what stands in the stream. The density of the stream
 * follows from how many come in (stream_mean_speed): where gas is stored before a body, or missing
 * behind it, it is not that of the whole.
 */
static void describe_stream(double *values, const struct system *system, const struct tally *tally,
                            double duration, double reference)
{
    const struct stream *stream = &system->boundary.stream;
    const struct enskog gas = enskog_predict(system, stream->temperature);
    const double thermal_speed = sqrt(2 * stream->temperature / mean_mass(system));
    values[FIGURE_STREAM_SPEED] = stream->speed;
    values[FIGURE_STREAM_TEMPERATURE] = stream->temperature;
    values[FIGURE_STREAM_PASSAGES] = (double)tally->renewals;
    values[FIGURE_STREAM_DENSITY] =
        sum_value(&tally->inflow) / (duration * system->boundary.height);
    values[FIGURE_STREAM_DENSITY_RATIO] =
        values[FIGURE_STREAM_DENSITY] * values[FIGURE_FREE_AREA] / (double)system->count;
    for (int axis = 0; axis < 2; axis++) {
        values[FIGURE_MOMENTUM_X_SEAM + axis] = sum_value(&tally->seam_given[axis]);
        values[FIGURE_FORCE_X + axis] = system->boundary.polygons
                                            ? sum_value(&tally->polygons_gained[axis]) / duration
                                            : (double)NAN;
    }
    values[FIGURE_STREAM_SPEED_RATIO] = stream->speed / thermal_speed;
    values[FIGURE_MACH] = fabs(stream->speed) / gas.sound_speed;
    values[FIGURE_KNUDSEN] = values[FIGURE_MEAN_FREE_PATH] / reference;
}

void figures_compute(double values[FIGURES], const struct system *system, const struct tally *tally,
                     const struct blocks *blocks, double reference, double seconds)
{
    const double duration = blocks->times.to - tally->from;
    describe_system(values, system, blocks->times.to);
    count_collisions(values, system, tally);
    measure_flights(values, system, tally, duration);
    compare_ends(values, tally);
    measure_temperature(values, system, tally, duration);
    measure_pressure(values, system, tally, duration);
    describe_boundary(values, system, tally);
    describe_stream(values, system, tally, duration, reference);
    describe_speeds(values, &tally->speeds);
    compare_with_theory(values, system);
    estimate_errors(values, system, blocks);
    values[FIGURE_SECONDS] = seconds;
    values[FIGURE_COLLISIONS_PER_SECOND] = values[FIGURE_COLLISIONS] / seconds;
    values[FIGURE_STATS_FROM] = tally->from;
}

/* Whether a figure is not of this run. */
static int is_left_out(int figure, const struct boundary *boundary)
{
    if (figure >= FIGURE_STREAM_SPEED)
        return !boundary->stream.draw;
    return figure >= FIGURE_COLLISIONS_POLYGONS && !boundary->polygons;
}

void figures_write_table(const double values[FIGURES], const struct boundary *boundary,
                         FILE *stream)
{
    for (int k = 0; k < FIGURES; k++)
        if (!is_left_out(k, boundary))
            figure_write_row(&descriptions[k], values[k], stream);
}

void figures_write_lines(const double values[FIGURES], const struct boundary *boundary,
                         FILE *stream)
{
    for (int k = 0; k < FIGURES; k++)
        if (!is_left_out(k, boundary))
            figure_write_line(&descriptions[k], values[k], stream);
}

size_t figures_list(const double values[FIGURES], const struct boundary *boundary,
                    struct report_figure list[FIGURES])
{
    size_t count = 0;
    for (int k = 0; k < FIGURES; k++) {
        const char *meaning = figure_meaning((enum figure)k, values[k], boundary);
        if (!is_left_out(k, boundary) && meaning)
            list[count++] = (struct report_figure){&descriptions[k], meaning, values[k]};
    }
    return count;
}
