/*
 * Describes a run in figures: tallies every collision (tally.h), and when the run is over makes
 * figures of the sums and writes them. The file is opened before the run begins, so that a name
 * that cannot be written is reported at once and not after an hour.
 *
 * The names of the figures are in one table, below. A function for each group computes the values,
 * and its comment says what they mean. N is the number of particles, t the time from
 * --stats-from to END_TIME, m a mass, R a radius, c a speed; Boltzmann's constant is 1, so
 * temperatures are energies.
 *
 * A figure that a run does not determine (the pressure in a time of 0, the mean free path if no two
 * particles have collided) results from a division by zero, and is not finite. It is never printed
 * as a number.
 */
#include "observe/statistics.h"

#include "base/memory.h"
#include "enskog.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "tally.h"

#include <float.h>
#include <math.h>

/* The figures, in the order in which they are printed. */
enum figure {
    FIGURE_PARTICLES,
    FIGURE_KINDS,
    FIGURE_BOX_WIDTH,
    FIGURE_BOX_HEIGHT,
    FIGURE_AREA_FRACTION,
    FIGURE_END_TIME,
    FIGURE_COLLISIONS,
    FIGURE_COLLISIONS_PAIRS,
    FIGURE_COLLISIONS_LEFT,
    FIGURE_COLLISIONS_RIGHT,
    FIGURE_COLLISIONS_BOTTOM,
    FIGURE_COLLISIONS_TOP,
    FIGURE_COLLISION_RATE,
    FIGURE_COLLISION_RATE_ENSKOG,
    FIGURE_MEAN_FREE_TIME,
    FIGURE_MEAN_FREE_PATH,
    FIGURE_ENERGY_START,
    FIGURE_ENERGY_END,
    FIGURE_ENERGY_DRIFT,
    FIGURE_MOMENTUM_X_START,
    FIGURE_MOMENTUM_X_END,
    FIGURE_MOMENTUM_Y_START,
    FIGURE_MOMENTUM_Y_END,
    FIGURE_MOMENTUM_DRIFT,
    FIGURE_TEMPERATURE_MEAN,
    FIGURE_TEMPERATURE_END,
    FIGURE_PRESSURE_WALLS,
    FIGURE_PRESSURE_VIRIAL,
    FIGURE_COMPRESSIBILITY_WALLS,
    FIGURE_COMPRESSIBILITY_VIRIAL,
    FIGURE_COMPRESSIBILITY_ENSKOG,
    FIGURE_SPEED_MEAN,
    FIGURE_SPEED_SQUARE,
    FIGURE_SPEED_RATIO,
    FIGURE_SPEED_KURTOSIS,
    FIGURE_SECONDS,
    FIGURE_COLLISIONS_PER_SECOND,
    FIGURE_STATS_FROM,
    FIGURE_CONTACT_VALUE,
    FIGURE_PRESSURE_REDUCED,
    FIGURES
};

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
    [FIGURE_STATS_FROM] = {"stats_from", "figures count from", "time", REAL},
    [FIGURE_CONTACT_VALUE] = {"contact_value", "contact value g(2R)", "", REAL},
    [FIGURE_PRESSURE_REDUCED] = {"pressure_reduced", "pressure (2R)^2 / temperature", "", REAL},
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

/* The numbers of collisions; a corner counts as two walls. There are none with a seam. */
static void count_collisions(double *values, const struct system *system, const struct tally *tally)
{
    uint64_t all = tally->pairs;
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
 * Energy and momentum at the start and the end. Walls change the momentum of the particles, so the
 * momentum that the walls have gained is added before start and end are compared. The difference is
 * then due to collisions of particles; it is divided by the sum of m c at the start. (The momentum
 * gained by all walls has a sum of its own. It is a small difference of what opposite walls have
 * gained, and each of these becomes far larger than the momentum of the particles.)
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

/*
 * Temperature. In two dimensions that is the kinetic energy for each two degrees of freedom. N
 * particles have 2N of them, so T = E / N. Along a periodic axis nothing changes the momentum, and
 * one of them is missing: with E relative to the drift of the centre of mass (struct motion) and g
 * periodic axes, T = E / (N - g / 2). Walls do not conserve momentum, so without seams nothing is
 * subtracted.
 */
static double half_freedom(const struct system *system)
{
    int axes =
        !!(system->boundary.periodic & PERIODIC_X) + !!(system->boundary.periodic & PERIODIC_Y);
    return (double)system->count - 0.5 * axes;
}

static void measure_temperature(double *values, const struct system *system,
                                const struct tally *tally, double duration)
{
    values[FIGURE_TEMPERATURE_MEAN] = sum_value(&tally->action) / duration / half_freedom(system);
    values[FIGURE_TEMPERATURE_END] = tally->end.thermal / half_freedom(system);
}

/* N T for the thermal energy E: the same where there are only walls. */
static double ideal_part(const struct system *system, double energy)
{
    return energy * ((double)system->count / half_freedom(system));
}

static double mean_radius(const struct system *system)
{
    struct sum radii = {0};
    for (size_t k = 0; k < system->count; k++)
        sum_add(&radii, system_radius(system, &system->particles[k]));
    return system->kinds ? sum_value(&radii) / (double)system->count : system->radius;
}

/*
 * The sides and the area of the box that centres can reach, and the length of all its walls: 2R
 * less than the box's between two walls, if radii differ with the mean radius, and the whole side
 * along a periodic axis. NAN if there is no area.
 */
struct reach {
    double width, height, walls; /* length */
};

static struct reach find_reach(const struct system *system)
{
    const unsigned periodic = system->boundary.periodic;
    double radius = mean_radius(system);
    struct reach reach = {
        .width = system->boundary.width - (periodic & PERIODIC_X ? 0 : 2 * radius),
        .height = system->boundary.height - (periodic & PERIODIC_Y ? 0 : 2 * radius)};
    if (!(reach.width > 0 && reach.height > 0))
        reach.width = reach.height = (double)NAN;
    reach.walls = 2 * ((periodic & PERIODIC_Y ? 0 : reach.width) +
                       (periodic & PERIODIC_X ? 0 : reach.height));
    return reach;
}

/*
 * Pressure and compressibility factor, with the lengths and the area A of what centres can reach.
 * From the walls,
 *     p = (momentum transferred to all walls) / (their length t).
 * With these lengths this is exact for an ideal gas, and for others it is the pressure in the
 * middle of the box but for the effect of corners. From the virial, p A = N T + (sum of d.J over
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
    const struct reach reach = find_reach(system);
    double ideal = ideal_part(system, sum_value(&tally->action) / duration);
    double pushed = 0;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        pushed += sum_value(&tally->push[wall]);
    double walls = pushed / reach.walls / duration;
    double virial =
        (ideal + sum_value(&tally->virial) / (2 * duration)) / reach.width / reach.height;
    values[FIGURE_PRESSURE_WALLS] = walls;
    values[FIGURE_PRESSURE_VIRIAL] = virial;
    values[FIGURE_COMPRESSIBILITY_WALLS] = walls * reach.width * reach.height / ideal;
    values[FIGURE_COMPRESSIBILITY_VIRIAL] = virial * reach.width * reach.height / ideal;
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
 * Computes the figures of a run of `system` up to `end_time`; it took `seconds` by the clock since
 * figures count. What the run does not determine (a rate without time) is not finite.
 */
static void compute(double values[FIGURES], const struct system *system, const struct tally *tally,
                    double end_time, double seconds)
{
    const double duration = end_time - tally->from;
    describe_system(values, system, end_time);
    count_collisions(values, system, tally);
    measure_flights(values, system, tally, duration);
    compare_ends(values, tally);
    measure_temperature(values, system, tally, duration);
    measure_pressure(values, system, tally, duration);
    describe_speeds(values, &tally->speeds);
    compare_with_theory(values, system);
    values[FIGURE_SECONDS] = seconds;
    values[FIGURE_COLLISIONS_PER_SECOND] = values[FIGURE_COLLISIONS] / seconds;
    values[FIGURE_STATS_FROM] = tally->from;
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
        snprintf(text, size, "%.*g", digits, value + 0.0); /* + 0.0: there is no -0 */
}

enum { VALUE_SIZE = 32 };

/* Writes an aligned table with units, '-' for what is not determined. */
static void write_table(const double values[FIGURES], FILE *stream)
{
    for (int k = 0; k < FIGURES; k++) {
        char value[VALUE_SIZE];
        format_value(value, sizeof value, descriptions[k].form, values[k], 7, "-");
        fprintf(stream, "%-30s  %15s%s%s\n", descriptions[k].label, value,
                *descriptions[k].unit ? "  " : "", descriptions[k].unit);
    }
}

/* Writes lines "key = value", with all digits, "none" for what is not determined. */
static void write_lines(const double values[FIGURES], FILE *stream)
{
    for (int k = 0; k < FIGURES; k++) {
        char value[VALUE_SIZE];
        format_value(value, sizeof value, descriptions[k].form, values[k], 17, "none");
        fprintf(stream, "%s = %s\n", descriptions[k].key, value);
    }
}

struct statistics {
    struct observer observer; /* the first member: see observer.h */
    struct statistics_request request;
    struct output_file file;
    int is_counting; /* the time from which the figures count has come */
    struct tally tally;
    double began; /* by the clock, seconds: when it came */
};

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)error;
    tally_begin(&statistics->tally, snapshot);
    statistics->began = statistics->request.clock();
    statistics->is_counting = 1;
    observer->next_look = (double)INFINITY;
    return STATUS_DONE;
}

/* Opens the file, so that a name that cannot be written is reported at once. */
static enum status prepare_file(struct statistics *statistics, struct error *error)
{
    const char *name = statistics->request.name;
    return name ? output_file_prepare(&statistics->file, name, error) : STATUS_DONE;
}

/* From time 0 on figures count at once, with the collisions at 0: a look would come after them. */
static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    if (statistics->request.from == 0)
        look(observer, snapshot, error);
    return prepare_file(statistics, error);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)error;
    if (statistics->is_counting)
        tally_collide(&statistics->tally, collision);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, statistics->request.from);
    record_put_whole(writer, (uint64_t)statistics->is_counting);
    record_end_line(writer);
    if (statistics->is_counting) {
        record_put_number(writer, statistics->request.clock() - statistics->began);
        tally_save(&statistics->tally, writer);
    }
    return STATUS_DONE;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)snapshot;
    double from = record_take_number(reader, 0, DBL_MAX);
    statistics->is_counting = (int)record_take_whole(reader, 1);
    record_expect_line_end(reader);
    if (!reader->status && from != statistics->request.from)
        return error_set(
            error, STATUS_USAGE,
            "%.4100s is the checkpoint of a run with --stats-from=%.17g: give it again",
            reader->name, from);
    if (statistics->is_counting) {
        observer->next_look = (double)INFINITY;
        statistics->began = statistics->request.clock() - record_take_number(reader, 0, DBL_MAX);
        tally_load(&statistics->tally, from, reader);
    }
    return reader->status ? reader->status : prepare_file(statistics, error);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    double seconds = statistics->request.clock() - statistics->began;
    double values[FIGURES];
    tally_end(&statistics->tally, snapshot);
    compute(values, snapshot->system, &statistics->tally, snapshot->time, seconds);
    if (statistics->request.name) {
        enum status status = output_file_begin(&statistics->file, error);
        if (status)
            return status;
        statistics->file.is_durable = observer->is_resumable;
        write_lines(values, statistics->file.stream);
        return output_file_complete(&statistics->file, error);
    }
    write_table(values, statistics->request.table);
    return text_flush(statistics->request.table, "standard error", error);
}

static void free_statistics(struct observer *observer)
{
    struct statistics *statistics = (struct statistics *)observer;
    output_file_abandon(&statistics->file);
    memory_free(statistics);
}

enum status statistics_create(const struct statistics_request *request, struct observer **observer,
                              struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin,
        .collide = collide,
        .look = look,
        .finish = finish,
        .option = "--stats",
        .save = save,
        .load = load,
        .free = free_statistics,
    };
    struct statistics *statistics = memory_allocate(1, sizeof *statistics, "the statistics", error);
    if (!statistics)
        return STATUS_NO_MEMORY;
    *statistics = (struct statistics){
        .observer = {.operations = &operations,
                     .next_look = request->from > 0 ? request->from : (double)INFINITY},
        .request = *request,
    };
    *observer = &statistics->observer;
    return STATUS_DONE;
}
