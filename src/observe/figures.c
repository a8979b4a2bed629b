/* Figures of a run; see figures.h. One list, figure_list.h, has their names and meanings. A
 * function for each group computes the values, and its comment has the formulas. N is the number of
 * particles, the mean where walls absorb some, t the time from --stats-from to END_TIME, m a mass,
 * R a radius, c a speed; Boltzmann's constant is 1, so temperatures are energies. A figure that a
 * run does not determine is a division by zero. */
#include "figures.h"

#include "base/elementary.h"
#include "model/enskog.h"
#include "model/region.h"

#include <math.h>
#include <stdio.h>

static const char carried[] = "The part of it that particles carry.";
static const char passed_on[] = "The part of it that particles pass on when they collide.";
static const char of_so_many[] = "What Enskog's theory predicts for so many disks of a fluid.";
static const char heat_taken[] =
    "The energy that this wall takes up from the gas, for each unit of its length and time. It is "
    "negative if the wall heats the gas.";
static const char shear_taken[] =
    "The momentum along itself that this wall takes up, for each unit of its length and time.";

static const struct figure_row figure_rows[] = {
#define FIGURE(name, form, key, label, unit, meaning) {{key, label, unit, FIGURE_##form}, meaning},
#include "figure_list.h"
#undef FIGURE
};

/* The numbers of collisions; a corner of the box counts as two walls. Seams have none. */
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

/* Flights of particles from one collision with another particle to the next; walls do not end them.
 * Each collision of two particles ends two flights. The first and the last flight of each particle,
 * which t cuts off, count as one together (S. Chapman and T. Cowling, The mathematical theory of
 * non-uniform gases, section 5.2, for the definitions). */
static void measure_flights(double *values, double count, const struct tally *tally,
                            double duration)
{
    double ends = 2 * (double)tally->pairs;
    double time = count * duration;
    values[FIGURE_COLLISION_RATE] = ends / time;
    values[FIGURE_MEAN_FREE_TIME] = time / ends;
    values[FIGURE_MEAN_FREE_PATH] = tally_path(tally, duration) / ends;
}

/* Energy, with that in the field of gravity, and momentum at the start and the end. The momentum
 * that walls, polygons and a stream have gained, less what gravity has given, is added before start
 * and end are compared, so that the difference is due to collisions of particles; it is divided by
 * the sum of m c at the start. (That gain has a sum of its own, for it is a small difference
 * between the gains of opposite walls.) */
static void compare_ends(double *values, const struct tally *tally, double duration)
{
    const struct acceleration *gravity = &tally->gravity;
    const struct snapshot_motion *start = &tally->start;
    const struct snapshot_motion *end = &tally->end;
    const double left = /* the mass that walls have absorbed, integrated over the time before */
        tally->integrals[INTEGRAL_MASS] - tally->changes[INTEGRAL_MASS] * duration;
    double lost_x = (end->momentum_x - start->momentum_x) + sum_value(&tally->gained[0]) -
                    end->mass * gravity->x * duration - left * gravity->x;
    double lost_y = (end->momentum_y - start->momentum_y) + sum_value(&tally->gained[1]) -
                    end->mass * gravity->y * duration - left * gravity->y;
    const double before = start->energy + start->potential, after = end->energy + end->potential;
    values[FIGURE_ENERGY_START] = before;
    values[FIGURE_ENERGY_END] = after;
    values[FIGURE_ENERGY_DRIFT] = (after - before) / before;
    values[FIGURE_POTENTIAL_START] = start->potential;
    values[FIGURE_POTENTIAL_END] = end->potential;
    values[FIGURE_MOMENTUM_X_START] = start->momentum_x;
    values[FIGURE_MOMENTUM_X_END] = end->momentum_x;
    values[FIGURE_MOMENTUM_Y_START] = start->momentum_y;
    values[FIGURE_MOMENTUM_Y_END] = end->momentum_y;
    values[FIGURE_MOMENTUM_DRIFT] = sqrt(lost_x * lost_x + lost_y * lost_y) / start->momentum_scale;
}

/* N T for the thermal energy E. */
static double ideal_part(const struct system *system, double count, double energy)
{
    return energy * (count / tally_half_freedom(system, count));
}

/* The mean of a property of particles, such as system_radius. */
static double mean_over(const struct system *system,
                        double (*property)(const struct system *, const struct particle *))
{
    struct sum sum = {0};
    if (!system->kinds)
        return property(system, system->particles);
    for (size_t k = 0; k < system->count; k++)
        sum_add(&sum, property(system, &system->particles[k]));
    return sum_value(&sum) / (double)system->count;
}

/*
 * Pressure and compressibility factor, with the lengths and the area A of what centres can reach
 * (region.h); if radii differ with the mean radius. From the walls, with polygons among them, p is
 * the momentum that they take up / (their length t). With these lengths this is exact for an ideal
 * gas, and for others it is the pressure in the middle of the box but for the effect of corners.
 * From the virial, p A = N T + (sum of d.J over all collisions of two particles) / (2 t) with d and
 * J as in tally.h (B. Alder and T. Wainwright, Studies in molecular dynamics II, J. Chem. Phys. 33,
 * 1960, for spheres). By the virial theorem for the box of the centres, both are the same in the
 * long run. Z = p A / (N T), with the mean temperature.
 *
 * In a periodic box this is the canonical pressure, which other methods compute, for any N:
 * positions are distributed alike with and without conserved energy and momentum, and where the
 * momentum is 0, velocities have covariances T (1 / m_i if i = j - 1 / M), M the mass of all. So
 * the mean square of the relative velocity of a pair is T (1 / m_i + 1 / m_j) as in the canonical
 * ensemble, if T has 2N - g degrees of freedom, in the virial and in the ideal part.
 */
static void measure_pressure(double *values, const struct system *system, double count,
                             const struct tally *tally, double energy, double duration)
{
    const struct region_reach reach =
        reach_find(&system->boundary, mean_over(system, system_radius));
    double ideal = ideal_part(system, count, energy);
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

/* The paths between collisions with walls and polygons, other particles apart. Of points, and of a
 * single disk, the mean is exactly pi A / P, with the area and the length that centres can reach,
 * if their paths come everywhere in every direction (N. Chernov, Entropy, Lyapunov exponents, and
 * mean free path for billiards, J. Stat. Phys. 88, 1997). */
static void describe_boundary(double *values, const struct system *system,
                              const struct tally *tally, double duration)
{
    const struct region_reach points = reach_find(&system->boundary, 0);
    const struct region_reach centres =
        reach_find(&system->boundary, mean_over(system, system_radius));
    const double hits = values[FIGURE_COLLISIONS] - values[FIGURE_COLLISIONS_PAIRS];
    values[FIGURE_FREE_AREA] = points.width * points.height;
    values[FIGURE_BOUNDARY_LENGTH] = points.length;
    values[FIGURE_MEAN_FREE_PATH_BOUNDARY] = tally_path(tally, duration) / hits;
    values[FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY] =
        PI * centres.width * centres.height / centres.length;
}

/* Contact values need Maxwell's distribution, but the other rule keeps all speeds. */
static int has_contact_values(const struct system *system)
{
    const struct surfaces *surfaces = &system->boundary.surfaces;
    return system->law.rule == RULE_ELASTIC && system->law.restitution == 1 &&
           (!surfaces->are_rough || fabs(surfaces->roughness) == 1);
}

/* Enskog's predictions for the mean temperature; the contact value of equal disks for which Enskog
 * predicts the collision rate that is measured; and the pressure in units of T / (2R)^2. */
static void compare_with_theory(double *values, const struct system *system, double count)
{
    const double temperature = values[FIGURE_TEMPERATURE_MEAN];
    const struct particle_kind kind = enskog_common_kind(system);
    const double diameter = 2 * kind.radius;
    const double density = enskog_per_area(system, count);
    const struct enskog prediction =
        enskog_predict(system, temperature, count / (double)system->count);
    values[FIGURE_COLLISION_RATE_ENSKOG] = prediction.few_rate;
    values[FIGURE_COMPRESSIBILITY_ENSKOG] = prediction.few_compressibility;
    values[FIGURE_CONTACT_VALUE] = (double)NAN;
    if (has_contact_values(system))
        values[FIGURE_CONTACT_VALUE] =
            values[FIGURE_COLLISION_RATE] /
            (4 * density * kind.radius * sqrt(PI * temperature / kind.mass));
    values[FIGURE_PRESSURE_REDUCED] =
        values[FIGURE_PRESSURE_VIRIAL] * diameter * diameter / temperature;
}

/*
 * Standard errors, by blocks in which each particle has at least five collisions with others, and
 * heavy and light ones exchange energy four times, for shorter ones are correlated. The error of Z
 * follows from the errors of its terms to first order: with K the ideal term and V the virial of a
 * block, Z = 1 + V / (2 K), so that
 *     the change of Z = (change of V) / (2 K) - (Z - 1) (change of K) / K.
 * The contact value is proportional to rate / sqrt(T), but T contributes to its error only in a
 * stream or with walls that act: elsewhere it is given only where energy is conserved.
 *
 * The pressure on the walls has no error of its own. In the long run it is the error of the virial,
 * but a block would have to be much longer than the time in which sound runs from wall to wall.
 */
static const double BLOCK_COLLISIONS = 5, BLOCK_EXCHANGES = 4;

/* The time in which the stream crosses the box, the correlation time of its density, in blocks. */
static double passage_in_blocks(const struct system *system, const struct blocks *blocks)
{
    const struct stream *stream = &system->boundary.stream;
    const double square =
        stream->speed * stream->speed + 2 * stream->temperature / mean_over(system, system_mass);
    const double passage = system->boundary.width / sqrt(square);
    return fmin(passage / block_times_length(&blocks->times, 0), BLOCKS / 16.0);
}

/* The number of degrees of freedom of an axis, 2N - g of both, divided by N. */
static double axis_freedom(const struct system *system, double count, unsigned axis)
{
    const int is_conserved = (tally_conserved(&system->boundary) & axis) != 0;
    return (count - is_conserved) / count;
}

/* The pressure tensor: p_ab A = <sum of m c_a c_b> + (sum of d_a J_b over all collisions of two) /
 * t, with A, d and J as in the pressure, and (p_xx + p_yy) / 2 is the pressure. The kinetic part of
 * an axis is of all N particles, as there. */
static void measure_tensor(struct figure_table *table, const struct system *system, double count,
                           const struct blocks *blocks, double least)
{
    const struct region_reach reach =
        reach_find(&system->boundary, mean_over(system, system_radius));
    const double length = block_times_length(&blocks->times, 0);
    const double unit = 1 / (reach.width * reach.height * length);
    const double freedom_x = axis_freedom(system, count, PERIODIC_X);
    const double freedom_y = axis_freedom(system, count, PERIODIC_Y);
    /* Of each component two terms by collisions, and two by motion. */
    const struct block_term terms[3][4] = {
        {{BLOCK_VIRIAL, 0.5 * unit},
         {BLOCK_DIFFERENCE, 0.5 * unit},
         {BLOCK_ACTION, unit / freedom_x},
         {BLOCK_KINETIC_DIFFERENCE, 0.5 * unit / freedom_x}},
        {{BLOCK_VIRIAL, 0.5 * unit},
         {BLOCK_DIFFERENCE, -0.5 * unit},
         {BLOCK_ACTION, unit / freedom_y},
         {BLOCK_KINETIC_DIFFERENCE, -0.5 * unit / freedom_y}},
        {{BLOCK_SHEAR, unit}, {0}, {BLOCK_KINETIC_SHEAR, unit * ideal_part(system, count, 1)}},
    };
    for (int k = 0; k < 3; k++) {
        const struct block_estimate estimates[3] = {blocks_estimate(blocks, terms[k], 4, least),
                                                    blocks_estimate(blocks, terms[k] + 2, 2, least),
                                                    blocks_estimate(blocks, terms[k], 2, least)};
        for (int part = 0; part < 3; part++) {
            table->values[FIGURE_PRESSURE_XX + 3 * part + k] = estimates[part].value;
            table->errors[FIGURE_PRESSURE_XX + 3 * part + k] = estimates[part].error;
        }
    }
}

/* How many blocks must be joined so that a particle, which has `own` collisions in one, has this
 * number of `collisions` and heavy and light ones exchange energy. */
static double least_blocks(const struct system *system, double collisions, double own)
{
    return fmax(collisions, BLOCK_EXCHANGES * enskog_exchange(system)) / own;
}

static void estimate_errors(struct figure_table *table, const struct system *system, double count,
                            const struct blocks *blocks)
{
    const double pairs = blocks_mean(blocks, BLOCK_PAIRS);
    const double action = blocks_mean(blocks, BLOCK_ACTION);
    const double least = least_blocks(system, BLOCK_COLLISIONS, 2 * pairs / count);
    const double ideal = ideal_part(system, count, 1);
    const double pressure = ideal * action + blocks_mean(blocks, BLOCK_VIRIAL) / 2;
    const double z = pressure / (ideal * action);
    const struct block_term virial = {BLOCK_VIRIAL, 0.5 / pressure};
    const struct block_term of_z = {BLOCK_ACTION, (1 - z) / z / action};
    const int is_heated = system->boundary.stream.draw || wall_laws_act(&system->boundary);
    /* Weights of relative errors. */
    const struct {
        enum figure figure;
        struct block_term terms[2];
    } rows[] = {
        {FIGURE_COLLISION_RATE, {{BLOCK_PAIRS, 1 / pairs}}},
        {FIGURE_MEAN_FREE_TIME, {{BLOCK_PAIRS, 1 / pairs}}},
        {FIGURE_MEAN_FREE_PATH,
         {{BLOCK_PAIRS, -1 / pairs}, {BLOCK_PATH, 1 / blocks_mean(blocks, BLOCK_PATH)}}},
        {FIGURE_CONTACT_VALUE,
         {{BLOCK_PAIRS, 1 / pairs}, {BLOCK_ACTION, is_heated ? -0.5 / action : 0}}},
        {FIGURE_TEMPERATURE_MEAN, {{BLOCK_ACTION, 1 / action}}},
        {FIGURE_SPEED_KURTOSIS,
         {{BLOCK_ACTION, -2 / action}, {BLOCK_FOURTH, 1 / blocks_mean(blocks, BLOCK_FOURTH)}}},
        {FIGURE_PRESSURE_VIRIAL, {virial, {BLOCK_ACTION, ideal / pressure}}},
        {FIGURE_COMPRESSIBILITY_VIRIAL, {virial, of_z}},
        {FIGURE_PRESSURE_REDUCED, {virial, of_z}},
        {FIGURE_STREAM_DENSITY, {{BLOCK_INFLOW, 1 / blocks_mean(blocks, BLOCK_INFLOW)}}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const int is_inflow = rows[k].figure == FIGURE_STREAM_DENSITY;
        const double longer = is_inflow ? passage_in_blocks(system, blocks) : least;
        table->errors[rows[k].figure] =
            table->values[rows[k].figure] * blocks_estimate(blocks, rows[k].terms, 2, longer).error;
    }
    measure_tensor(table, system, count, blocks, least);
}

/* The distribution of speeds. In equilibrium it is Maxwell's, whose mean is sqrt(pi) / 2 times its
 * root mean square and whose <c^4> is 2 <c^2>^2. Both ratios are of sqrt(m) c: so they have these
 * values for unequal masses, too. The second one is of means over time. */
static void describe_speeds(double *values, const struct tally_speeds *speeds)
{
    values[FIGURE_SPEED_MEAN] = speeds->mean;
    values[FIGURE_SPEED_SQUARE] = speeds->square;
    values[FIGURE_SPEED_RATIO] = speeds->reduced / sqrt(speeds->reduced_2);
}

/* The stream. The speed of sound is the speed in a fluid at its temperature T and the area fraction
 * of the whole (Enskog's theory); in a dilute gas it is sqrt(2T/m), m the mean mass, and so the
 * Mach number is the speed ratio there. The Knudsen number is the mean free path / the length of
 * the body in the stream. The density of the stream follows from the inflow (tally.h): where gas is
 * stored before a body, or missing behind it, it is not the mean density. */
static void describe_stream(double *values, const struct system *system, const struct tally *tally,
                            double duration, double reference)
{
    const struct stream *stream = &system->boundary.stream;
    const struct enskog gas = enskog_predict(system, stream->temperature, 1);
    const double thermal_speed = sqrt(2 * stream->temperature / mean_over(system, system_mass));
    values[FIGURE_STREAM_SPEED] = stream->speed;
    values[FIGURE_STREAM_TEMPERATURE] = stream->temperature;
    values[FIGURE_STREAM_PASSAGES] = (double)tally->reinjections;
    values[FIGURE_STREAM_DENSITY] = sum_value(&tally->inflow) / duration;
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

void figures_compute(struct figure_table *table, const struct system *system,
                     const struct tally *tally, const struct blocks *blocks, double reference,
                     double seconds)
{
    double *values = table->values;
    const double duration = blocks->times.to - blocks->times.from;
    const double energy = blocks_mean_integral(blocks, INTEGRAL_ENERGY);
    const double count = blocks_mean_integral(blocks, INTEGRAL_COUNT);
    values[FIGURE_PARTICLES] = (double)system->count;
    values[FIGURE_KINDS] = system->kinds ? (double)system->kind_count : 1;
    values[FIGURE_BOX_WIDTH] = system->boundary.width;
    values[FIGURE_BOX_HEIGHT] = system->boundary.height;
    values[FIGURE_AREA_FRACTION] = enskog_area_fraction(system);
    values[FIGURE_END_TIME] = blocks->times.to;
    count_collisions(values, system, tally);
    measure_flights(values, count, tally, duration);
    compare_ends(values, tally, duration);
    values[FIGURE_TEMPERATURE_MEAN] = energy / tally_half_freedom(system, count);
    values[FIGURE_TEMPERATURE_END] = tally->end.thermal / tally->end.half_freedom;
    values[FIGURE_ROTATIONAL_TEMPERATURE] =
        2 * tally->end.rotational /
        (tally->starts[INTEGRAL_COUNT] + tally->changes[INTEGRAL_COUNT]);
    measure_pressure(values, system, count, tally, energy, duration);
    describe_boundary(values, system, tally, duration);
    describe_stream(values, system, tally, duration, reference);
    describe_speeds(values, &tally->speeds);
    values[FIGURE_SPEED_KURTOSIS] =
        blocks_mean_integral(blocks, INTEGRAL_FOURTH) * count / (4 * energy * energy);
    compare_with_theory(values, system, count);
    estimate_errors(table, system, count, blocks);
    if (table->has_growth) /* velocities are scaled beside collisions */
        values[FIGURE_PRESSURE_XX] = values[FIGURE_PRESSURE_YY] = values[FIGURE_PRESSURE_XY] =
            values[FIGURE_PRESSURE_XX_KINETIC] = values[FIGURE_PRESSURE_YY_KINETIC] =
                values[FIGURE_PRESSURE_XY_KINETIC] = values[FIGURE_MOMENTUM_DRIFT] = (double)NAN;
    if (system->boundary.gravity.acts || /* lengths of parabolas, and powers of speeds along them */
        table->has_growth)
        values[FIGURE_MEAN_FREE_PATH] = values[FIGURE_MEAN_FREE_PATH_BOUNDARY] =
            values[FIGURE_SPEED_KURTOSIS] = (double)NAN;
    values[FIGURE_SECONDS] = seconds;
    values[FIGURE_COLLISIONS_PER_SECOND] = values[FIGURE_COLLISIONS] / seconds;
    values[FIGURE_STATS_FROM] = blocks->times.from;
    values[FIGURE_FRAME_VELOCITY_X] = tally->start.drift_u;
    values[FIGURE_FRAME_VELOCITY_Y] = tally->start.drift_v;
}

/* The kinds of runs, in a set of bits. */
enum {
    RUN_STREAM = 1,
    RUN_SEAM_X = 2,
    RUN_SEAM_Y = 4,
    RUN_KEEPS_X = 8, /* the momentum of all particles along x is conserved */
    RUN_KEEPS_Y = 16,
    RUN_OPEN = 32, /* there are neither walls nor polygons */
    RUN_WITHOUT_POLYGONS = 64,
    RUN_WALLS = 128, /* walls act */
    RUN_GRAVITY = 256,
    RUN_ROUGH = 512
};

static const char stream_changes_momentum[] =
    "The same at the end. The stream changes it, and what stands in it.";
static const char gravity_changes_momentum[] = "The same at the end. Walls and gravity change it.";
static const char mean_pressure[] = "The pressure that the temperature and the collisions of "
                                    "particles with each other show, over the whole box.";
static const char all_energy[] =
    "The kinetic energy of all particles, and that in the field of gravity.";
static const char energy_of_rotation[] =
    "The energy of all particles, with that of their rotation.";
static const char nothing_changes_momentum[] =
    "The same at the end. There is no wall to change it.";

/* Meanings for the kinds of runs in which the meanings of the table are false; the first that fits
 * holds. NULL: the figure has no meaning there, and is left out if it is not determined. */
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
     "What Enskog's theory predicts for so many disks of a fluid in equilibrium, of the mean "
     "density and temperature."},
    {FIGURE_ENERGY_DRIFT, RUN_STREAM,
     "The change of the energy, as part of what it was at the start. The stream gives particles "
     "other energies than those with which they leave."},
    {FIGURE_ENERGY_DRIFT, RUN_WALLS,
     "The change of the energy, as part of what it was at the start. Walls give and take some."},
    {FIGURE_ENERGY_START, RUN_ROUGH, energy_of_rotation},
    {FIGURE_ENERGY_END, RUN_ROUGH, energy_of_rotation},
    {FIGURE_ENERGY_START, RUN_GRAVITY, all_energy},
    {FIGURE_ENERGY_END, RUN_GRAVITY, all_energy},
    {FIGURE_MOMENTUM_X_END, RUN_STREAM, stream_changes_momentum},
    {FIGURE_MOMENTUM_Y_END, RUN_STREAM, stream_changes_momentum},
    {FIGURE_MOMENTUM_Y_END, RUN_GRAVITY, gravity_changes_momentum},
    {FIGURE_PRESSURE_VIRIAL, RUN_GRAVITY, mean_pressure},
    {FIGURE_MOMENTUM_X_END, RUN_KEEPS_X, nothing_changes_momentum},
    {FIGURE_MOMENTUM_Y_END, RUN_KEEPS_Y, nothing_changes_momentum},
    {FIGURE_TEMPERATURE_MEAN, RUN_STREAM,
     "The kinetic energy for each two degrees of freedom, relative to the velocity of the stream, "
     "averaged over time. Boltzmann's constant is 1."},
    {FIGURE_TEMPERATURE_MEAN, RUN_KEEPS_X | RUN_KEEPS_Y,
     "The kinetic energy for each two degrees of freedom, relative to the motion of all particles "
     "together, averaged over time. Boltzmann's constant is 1."},
    {FIGURE_PRESSURE_WALLS, RUN_OPEN, NULL},
    {FIGURE_PRESSURE_VIRIAL, RUN_STREAM | RUN_OPEN, mean_pressure},
    {FIGURE_COMPRESSIBILITY_WALLS, RUN_OPEN, NULL},
    {FIGURE_SPEED_MEAN, RUN_STREAM,
     "The mean of the particles' speeds at the end, relative to the stream."},
    {FIGURE_SPEED_MEAN, RUN_KEEPS_X | RUN_KEEPS_Y,
     "The mean of the particles' speeds at the end, relative to the motion of all together."},
    {FIGURE_FORCE_X, RUN_WITHOUT_POLYGONS, NULL},
    {FIGURE_FORCE_Y, RUN_WITHOUT_POLYGONS, NULL},
    {FIGURE_KNUDSEN, RUN_WITHOUT_POLYGONS, NULL},
};

static unsigned figures_describe_run(const struct boundary *boundary)
{
    const unsigned kept = tally_conserved(boundary);
    const int is_open = !boundary->polygons && boundary->periodic == (PERIODIC_X | PERIODIC_Y);
    return (boundary->stream.draw ? RUN_STREAM : 0u) |
           (boundary->periodic & PERIODIC_X ? RUN_SEAM_X : 0u) |
           (boundary->periodic & PERIODIC_Y ? RUN_SEAM_Y : 0u) |
           (kept & PERIODIC_X ? RUN_KEEPS_X : 0u) | (kept & PERIODIC_Y ? RUN_KEEPS_Y : 0u) |
           (is_open ? RUN_OPEN : 0u) | (boundary->polygons ? 0u : RUN_WITHOUT_POLYGONS) |
           (boundary->walls ? RUN_WALLS : 0u) | (boundary->gravity.acts ? RUN_GRAVITY : 0u) |
           (boundary->surfaces.are_rough ? RUN_ROUGH : 0u);
}

const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary)
{
    const unsigned run = figures_describe_run(boundary);
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++)
        if (variants[k].figure == figure && variants[k].run & run)
            return variants[k].meaning || !isfinite(value) ? variants[k].meaning
                                                           : figure_rows[figure].meaning;
    return figure_rows[figure].meaning;
}

size_t figures_list(const struct figure_table *table, const struct boundary *boundary,
                    struct dynamics_figure list[FIGURES])
{
    size_t count = 0;
    for (int k = 0; k < FIGURE_SPECIES_TEMPERATURE; k++) {
        const enum figure_group group = k < FIGURE_COLLISIONS_LEFT   ? GROUP_SYSTEM
                                        : k < FIGURE_STREAM_SPEED    ? GROUP_WALLS
                                        : k < FIGURE_END_TIME        ? GROUP_STREAM
                                        : k < FIGURE_ENERGY_WALLS    ? GROUP_RUN
                                        : k < FIGURE_POTENTIAL_START ? GROUP_WALLS
                                                                     : GROUP_SYSTEM;
        const int is_of_spins = k == FIGURE_ROTATIONAL_TEMPERATURE;
        const int is_of_growth = k >= FIGURE_JAMMING_FRACTION && !is_of_spins;
        const int is_of_gravity = k >= FIGURE_POTENTIAL_START && k < FIGURE_JAMMING_FRACTION;
        const int is_of_walls = k >= FIGURE_ENERGY_WALLS && k < FIGURE_POTENTIAL_START;
        const int is_of_absorption = k >= FIGURE_ABSORBED && is_of_walls;
        const int is_of_polygons = k >= FIGURE_COLLISIONS_POLYGONS && k < FIGURE_STREAM_SPEED;
        const int32_t side = FEATURE_LEFT - (k - FIGURE_HEAT_LEFT) / FIGURES_OF_SIDE;
        if ((!boundary->stream.draw && group == GROUP_STREAM) ||
            (!boundary->polygons && is_of_polygons) || (!boundary->walls && is_of_walls) ||
            (!boundary->gravity.acts && is_of_gravity) || (!table->has_growth && is_of_growth) ||
            (!boundary->surfaces.are_rough && is_of_spins) ||
            (is_of_absorption && !wall_laws_absorb(boundary)) ||
            (k >= FIGURE_HEAT_LEFT && is_of_walls && boundary_is_seam(boundary, side)))
            continue;
        list[count++] = (struct dynamics_figure){
            figure_rows[k].description, figure_meaning((enum figure)k, table->values[k], boundary),
            table->values[k], isnan(table->values[k]) ? (double)NAN : table->errors[k],
            .group = group};
    }
    return count;
}

/* Returns a figure of the classes a and b, or of a, and gives it a name. */
static struct dynamics_figure figure_of(int figure, const struct classes *classes, size_t a,
                                        size_t b, struct block_estimate estimate,
                                        struct figure_name *name)
{
    const struct figure_description *form = &figure_rows[figure].description;
    const int first = classes->species[a], second = classes->species[b];
    snprintf(name->key, sizeof name->key, form->key, first, second);
    snprintf(name->label, sizeof name->label, form->label, first, second);
    return (struct dynamics_figure){{name->key, name->label, form->unit, form->form},
                                    figure_rows[figure].meaning,
                                    estimate.value,
                                    estimate.error,
                                    .group = GROUP_SYSTEM};
}

/* Species. In equilibrium the mean square of a component of a momentum is m T (1 - m / M), M the
 * mass of all, where the momentum of all is conserved: so of the half degrees of freedom that N
 * particles lack, a species lacks the part of its mass. Its share of N T is its share of the
 * energy, and each of two that collide has half of the virial: so all shares add up to the
 * pressure. A contact value is the rate divided by that in an ideal gas of as many partners. What
 * is around a disk changes by diffusion: in blocks four times as long the errors of pairs are 0.9
 * of the scatter of 60 seeds of 200 disks at area fraction 0.3, otherwise 0.8. */
size_t figures_list_species(const struct figure_table *table, const struct system *system,
                            const struct classes *classes, const struct blocks *blocks,
                            struct figure_name names[FIGURES_OF_MIXTURE],
                            struct dynamics_figure list[FIGURES_OF_MIXTURE])
{
    const struct enskog theory = enskog_predict(system, table->values[FIGURE_TEMPERATURE_MEAN], 1);
    const struct region_reach reach =
        reach_find(&system->boundary, mean_over(system, system_radius));
    const double count = (double)system->count;
    const double length = block_times_length(&blocks->times, 0);
    const double own = table->values[FIGURE_COLLISION_RATE] * length;
    const double least = least_blocks(system, BLOCK_COLLISIONS, own);
    const double longer = least_blocks(system, 4 * BLOCK_COLLISIONS, own);
    const double lack = 1 - tally_half_freedom(system, count) / count;
    const double unit = 0.25 / (reach.width * reach.height * length);
    const double warming = system->boundary.stream.draw || wall_laws_act(&system->boundary)
                               ? -0.5 / (blocks_mean_integral(blocks, INTEGRAL_ENERGY) * length)
                               : 0;
    const int has_other_gain = system->boundary.gravity.acts || table->has_growth; /* see tally.c */
    size_t next = 0;
    for (size_t a = 0; a < classes->count && blocks->has_classes; a++) {
        const double mass = classes->mass[a] / mean_over(system, system_mass);
        const int energy = BLOCK_CLASSES + (int)a;
        const struct block_term heat = {energy,
                                        1 / (((double)classes->members[a] - lack * mass) * length)};
        struct block_term pressure[1 + CLASSES_MAX] = {
            {energy, 4 * unit * ideal_part(system, count, 1)}};
        for (size_t b = 0; b < classes->count; b++)
            pressure[1 + b] = (struct block_term){BLOCK_CLASS_VIRIALS + (int)class_pair(a, b),
                                                  (a == b ? 2 : 1) * unit};
        const struct block_estimate values[] = {
            blocks_estimate(blocks, &heat, 1, least),
            blocks_estimate(blocks, pressure, 1 + classes->count, least)};
        for (int k = 0; k < 2; k++, next++)
            list[next] =
                figure_of(FIGURE_SPECIES_TEMPERATURE + k, classes, a, a,
                          has_other_gain ? estimate_exact((double)NAN) : values[k], &names[next]);
    }
    for (size_t a = 0; a < classes->count && blocks->has_classes; a++) {
        for (size_t b = a; b < classes->count; b++) {
            const size_t pair = class_pair(a, b);
            const double sides = (a == b ? 2 : 1) / (double)classes->members[a];
            const double ideal = 0.5 * sides * count * theory.pairs[pair].ideal_rate;
            const double g = theory.pairs[pair].rate / theory.pairs[pair].ideal_rate;
            const double known = isnan(theory.few_rate) ? (double)NAN : 0.5 * sides * count;
            const struct block_term of_pair = {BLOCK_CLASS_PAIRS + (int)pair, sides / length};
            const struct block_estimate rate = blocks_estimate(blocks, &of_pair, 1, longer);
            const struct block_term of_g[] = {{BLOCK_ACTION, rate.value * warming}, of_pair};
            const struct block_estimate values[] = {
                rate,
                estimate_exact(known * theory.pairs[pair].rate),
                {has_contact_values(system) ? rate.value / ideal : (double)NAN,
                 blocks_estimate(blocks, of_g, 2, longer).error / ideal},
                estimate_exact(g)};
            for (int k = 0; k < 4; k++, next++)
                list[next] =
                    figure_of(FIGURE_PAIR_RATE + k, classes, a, b, values[k], &names[next]);
        }
    }
    return next;
}
