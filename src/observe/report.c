/*
 * Gathers the content of a report; see writers.h.
 *
 * Speeds are sampled at up to MAX_SAMPLES times at equal intervals, fewer of many particles. A
 * time-stepped run has neither tally nor free paths: its course is the energies at COURSE_POINTS
 * times. All else comes from other observers at the end.
 */
#include "observe/writers.h"

#include "base/memory.h"
#include "figures.h"
#include "io/record.h"
#include "kinetics.h"
#include "model/boundary_law.h"
#include "observe/fields.h"

#include <math.h>
#include <string.h>

enum {
    MAX_FOLLOWED = 1 << 16, /* particles whose speeds and paths are measured */
    MAX_SAMPLES = 256,
    MAX_SPEEDS = 1 << 18, /* in all samples but the last */
    COURSE_POINTS = 64,   /* a divisor of BLOCKS */
    FIRST_RATE = 4,       /* the point from which on the rate is shown: before, it is too rough */
    MAX_BARS = 40,
    MIN_PARTICLES = 10, /* for a distribution of speeds: fewer have none of Maxwell's */
    MIN_SAMPLES = 50    /* for a histogram */
};

/* A pair distribution is flat where it differs from its mean at long distances by no more. */
static const double FLAT = 0.05;

struct report_observer {
    struct observer observer; /* the first member: see observer.h */
    struct report_settings settings;
    struct frames frames; /* when speeds are counted */
    uint64_t next_frame;
    struct classes classes;
    struct kinetics kinetics;
    char *title;          /* if the run has been resumed, its title; owned; otherwise NULL */
    struct report report; /* gathered at the end */
    struct error *error;  /* of `finish` */
    enum status status;   /* of gathering it */
};

const struct report_series *report_find(const struct report *report, const char *quantity)
{
    for (size_t k = 0; k < report->series_count; k++)
        if (strcmp(report->series[k].quantity, quantity) == 0)
            return &report->series[k];
    return NULL;
}

/* The series of a quantity, which may be a new one. */
static struct report_series *find_series(struct report *report, const char *quantity)
{
    struct report_series *series = (struct report_series *)report_find(report, quantity);
    if (!series) {
        series = &report->series[report->series_count++];
        *series = (struct report_series){.quantity = quantity};
    }
    return series;
}

/* Adds a point to a series, if its value is determined, and no allocation has failed. */
static void report_add(struct report_observer *reporter, const char *quantity, double x,
                       struct block_estimate estimate)
{
    if (reporter->status || !isfinite(estimate.value))
        return;
    struct report_series *series = find_series(&reporter->report, quantity);
    series->points = memory_extend(series->points, series->count, &series->capacity,
                                   sizeof *series->points, "the report", reporter->error);
    if (!series->points) {
        reporter->status = STATUS_NO_MEMORY;
        return;
    }
    series->points[series->count++] = (struct report_point){x, estimate.value, estimate.error};
}

static void add_exactly(struct report_observer *reporter, const char *quantity, double x,
                        double value)
{
    report_add(reporter, quantity, x, estimate_exact(value));
}

/* Adds a row of another observer, if it is of all species together; theory has values without x. */
static void report_take_row(void *to, const char *quantity, const char *species, double x,
                            struct block_estimate estimate)
{
    if ((isfinite(x) || strstr(quantity, "_enskog")) && strcmp(species, "all") == 0)
        report_add(to, quantity, x, estimate);
}

static void add_energies(struct report_observer *reporter, double time, double count,
                         double thermal, double energy)
{
    const struct system *system = reporter->report.snapshot.system;
    add_exactly(reporter, "temperature", time, thermal / tally_half_freedom(system, count));
    /* There, the energy of the mean motion, or of the rotation, is not followed. */
    if (!system->boundary.stream.draw && !system->spins)
        add_exactly(reporter, "energy", time, energy / count);
}

/* The mean number of particles in a block. */
static double count_particles(const struct blocks *blocks, size_t block)
{
    const double lost = block_gain(blocks->marks[BLOCK_INTEGRALS + INTEGRAL_COUNT], block);
    return blocks->starts[INTEGRAL_COUNT] + lost / block_times_length(&blocks->times, 0);
}

/* The course of the run, from the blocks. The error of a running mean is the error of the whole
 * run's mean, times the square root of (whole time / time so far). */
static void report_list_course(struct report_observer *reporter,
                               const struct figure_sources *measured)
{
    const struct blocks *blocks = measured->blocks;
    const double from = blocks->times.from;
    const double whole = blocks->times.to - from;
    const double energy = measured->tally->start.energy;
    if (!(whole > 0))
        return;
    add_energies(reporter, from, blocks->starts[INTEGRAL_COUNT], blocks->starts[INTEGRAL_ENERGY],
                 energy);
    for (size_t point = 1; point <= COURSE_POINTS; point++) {
        const size_t block = point * (BLOCKS / COURSE_POINTS) - 1;
        const double gained = blocks->energy_gained[block];
        const double time = block_times_length(&blocks->times, block);
        const double count = blocks->starts[INTEGRAL_COUNT] * time +
                             blocks->marks[BLOCK_INTEGRALS + INTEGRAL_COUNT][block];
        add_energies(reporter, from + time, count_particles(blocks, block),
                     blocks->starts[INTEGRAL_ENERGY] + gained, energy + gained);
        if (point >= FIRST_RATE && measured->tally->pairs > 0)
            report_add(reporter, "collision_rate", from + time,
                       (struct block_estimate){2 * blocks->marks[BLOCK_PAIRS][block] / count,
                                               measured->table->errors[FIGURE_COLLISION_RATE] *
                                                   sqrt(whole / time)});
    }
}

/* Collisions with the sides of the box that are walls, by their codes, and then with polygons; if
 * there are any, and walls to compare with each other. */
static void list_walls(struct report_observer *reporter, const struct figure_sources *measured)
{
    const struct boundary *boundary = &reporter->report.snapshot.system->boundary;
    const struct tally *tally = measured->tally;
    const double *values = measured->table->values;
    if (values[FIGURE_COLLISIONS] == values[FIGURE_COLLISIONS_PAIRS] ||
        boundary->periodic == (PERIODIC_X | PERIODIC_Y))
        return;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        if (!boundary_is_seam(boundary, FEATURE_LEFT - wall))
            add_exactly(reporter, "walls", wall, (double)tally->walls[wall]);
    if (boundary->polygons)
        add_exactly(reporter, "walls", TALLY_WALLS, (double)tally->polygons);
}

/* Lists the distribution of the number of collisions of a particle, with walls and others, from
 * time 0 on. The bars have the least width with which they are at most MAX_BARS. */
static void list_counts(struct report_observer *reporter)
{
    const struct system *system = reporter->report.snapshot.system;
    double bars[MAX_BARS] = {0};
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (size_t k = 0; k < system->count; k++) {
        const uint64_t all = system->counts[k].walls + system->counts[k].particles;
        least = all < least ? all : least;
        most = all > most ? all : most;
    }
    if (most == 0)
        return;
    const uint64_t width = (most - least) / MAX_BARS + 1;
    for (size_t k = 0; k < system->count; k++)
        bars[(system->counts[k].walls + system->counts[k].particles - least) / width]++;
    for (uint64_t bar = 0; bar <= (most - least) / width; bar++)
        add_exactly(reporter, "counts", (double)(least + bar * width) + ((double)width - 1) / 2,
                    bars[bar]);
}

/* Ends g half as far again as it is not flat, but not before four of the largest diameters. */
static void trim_pairs(struct report_series *pairs, const struct system *system)
{
    const size_t far_begin = pairs->count - pairs->count / 4;
    double mean = 0;
    size_t last = 0;
    size_t kept = 0;
    for (size_t k = far_begin; k < pairs->count; k++)
        mean += pairs->points[k].value / (double)(pairs->count - far_begin);
    for (size_t k = 0; k < pairs->count; k++)
        if (fabs(pairs->points[k].value - mean) > FLAT)
            last = k;
    const double far = fmax(1.5 * pairs->points[last].x, 8 * system_largest_radius(system));
    while (kept < pairs->count && pairs->points[kept].x <= far)
        kept++;
    pairs->count = kept;
}

/* A histogram, and the distribution to compare it with, from the same bins joined to be few: to
 * powers of two of them, so that bars have equal widths. */
static void list_histogram(struct report_observer *reporter, const struct histogram *histogram,
                           const char *quantity, const char *expected, kinetics_expected *expect)
{
    const size_t used = histogram_used(histogram);
    size_t joined = 1;
    while (used > MAX_BARS * joined)
        joined *= 2;
    for (size_t first = 0; first < used; first += joined) {
        const double begin = histogram_edge(histogram, first);
        const double end = histogram_edge(histogram, first + joined);
        double density = 0;
        double theory = 0;
        for (size_t bin = first; bin < first + joined; bin++) {
            density += histogram_density(histogram, bin).value / (double)joined;
            theory += expect(&reporter->kinetics, 0, bin) / (double)joined;
        }
        add_exactly(reporter, quantity, begin + (end - begin) / 2, density);
        add_exactly(reporter, expected, begin + (end - begin) / 2, theory);
    }
}

static void report_list_kinetics(struct report_observer *reporter)
{
    const struct histogram *speeds = &reporter->kinetics.speeds[0];
    const struct histogram *paths = &reporter->kinetics.paths[0];
    reporter->report.speeds = histogram_count(speeds);
    reporter->report.paths = histogram_count(paths);
    if (reporter->report.speeds >= MIN_SAMPLES && reporter->kinetics.count >= MIN_PARTICLES)
        list_histogram(reporter, speeds, "speeds", "speeds_maxwell", kinetics_maxwell);
    if (reporter->report.paths >= MIN_SAMPLES)
        list_histogram(reporter, paths, "paths", "paths_exponential", kinetics_exponential);
}

static enum status gather(struct report_observer *reporter, const struct snapshot *snapshot)
{
    const struct figure_sink sink = {report_take_row, reporter};
    const struct observers *all = reporter->observer.all;
    const struct figure_sources measured =
        statistics_measured(observers_find(all, &statistics_operations));
    const struct observer *structure = observers_find(all, &structure_operations);
    const struct observer *forces = observers_find(all, &forces_operations);
    struct report *report = &reporter->report;
    report->snapshot = *snapshot;
    report->dynamics = observers_dynamics(all);
    report->seconds = measured.table->values[FIGURE_SECONDS];
    for (size_t k = 0; k < measured.figure_count; k++)
        if (measured.figures[k].meaning)
            report->figures[report->figure_count++] = measured.figures[k];
    if (report->dynamics->operations->traits.has_collisions) {
        add_exactly(reporter, "collision_rate_enskog", (double)NAN,
                    measured.table->values[FIGURE_COLLISION_RATE_ENSKOG]);
        report_list_course(reporter, &measured);
        list_walls(reporter, &measured);
        list_counts(reporter);
        report_list_kinetics(reporter);
    }
    if (structure)
        structure_list(structure, &sink);
    if (!reporter->status && report_find(report, "g"))
        trim_pairs(find_series(report, "g"), snapshot->system);
    if (forces) {
        forces_list(forces, &sink);
        report->warning = forces_warning(forces);
    }
    return reporter->status;
}

/* Lists the profiles between two walls with a temperature, of fields of one row or column. */
static void list_profile(struct report_observer *reporter, const struct field_map *map)
{
    const struct boundary *box = &map->snapshot->system->boundary;
    const int is_upright = map->columns == 1;
    if (!map->blocks || !wall_laws_are_diffuse(box) ||
        box->periodic & (is_upright ? PERIODIC_Y : PERIODIC_X))
        return;
    for (size_t k = 0; k < map->columns * map->rows; k++) {
        const struct field_values cell = field_map_values(map, k % map->columns, k / map->columns);
        const double x = is_upright ? cell.y : cell.x;
        double errors[FIELD_ERRORS];
        field_map_errors(map, k, errors);
        if (!cell.is_scarce)
            report_add(reporter, "profile_temperature", x,
                       (struct block_estimate){cell.temperature, errors[TEMPERATURE_ERROR]});
        report_add(reporter, "profile_speed", x,
                   (struct block_estimate){is_upright ? cell.u : cell.v,
                                           errors[is_upright ? U_ERROR : V_ERROR]});
    }
}

static enum status report_finish(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    const struct observer *fields = observers_find(observer->all, &fields_operations);
    struct report *report = &reporter->report;
    struct field_grid grid = {0};
    struct field_map crowd;
    struct field_map map;
    reporter->error = error;
    enum status status = gather(reporter, snapshot);
    if (!status && snapshot->system->count > REPORT_MAX_DRAWN) {
        status = fields_count_now(snapshot, &grid, &crowd, error);
        report->crowd = &crowd;
    }
    if (!status && fields) {
        map = fields_map(fields, snapshot);
        report->fields = &map;
        list_profile(reporter, &map);
        status = reporter->status;
    }
    if (!status)
        status = report->settings->write(report, observer->file->stream, error);
    field_grid_free(&grid);
    return status;
}

static void add_step_energies(struct report_observer *reporter, double time,
                              const double energies[2])
{
    if (!isfinite(energies[0] + energies[1])) /* points of one time are added together */
        return;
    add_exactly(reporter, "energy_kinetic", time, energies[0]);
    add_exactly(reporter, "energy_potential", time, energies[1]);
    add_exactly(reporter, "energy_total", time, energies[0] + energies[1]);
}

static enum status measure_step_energies(struct report_observer *reporter,
                                         const struct snapshot *snapshot, struct error *error)
{
    struct dynamics *dynamics = reporter->observer.all->dynamics;
    double energies[2] = {0};
    enum status status = STATUS_DONE;
    reporter->error = error;
    if (dynamics->operations->traits.has_samples)
        status = dynamics->operations->samples.energy(dynamics, &energies[0], &energies[1], error);
    else
        energies[0] = tally_motion(snapshot).energy;
    if (!status)
        add_step_energies(reporter, snapshot->time, energies);
    return status ? status : reporter->status;
}

/* The speeds at the very start are not counted: often they are all the same. */
static enum status report_begin(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    const struct run_settings *run = observer->run;
    const int has_collisions = observers_traits(observer->all)->has_collisions;
    const double most = floor(fmax(MAX_SPEEDS / (double)snapshot->system->count, 1));
    const double samples = has_collisions ? fmin(most, MAX_SAMPLES) : COURSE_POINTS;
    reporter->report.run = run;
    reporter->report.settings = &reporter->settings;
    reporter->frames = (struct frames){run->to > 0 ? run->to / samples : 1, run->to};
    reporter->next_frame = frames_first(&reporter->frames, run->from);
    observer->notify_from = run->from;
    enum status status = classes_create(&reporter->classes, snapshot, error);
    if (!status)
        status = kinetics_create(&reporter->kinetics, snapshot, &reporter->classes, MAX_FOLLOWED,
                                 run->from, run->to, error);
    if (!status && snapshot->system->boundary.stream.draw)
        status = polygon_hits_record(observer, run->from, snapshot, &reporter->report.hits, error);
    if (reporter->next_frame == 0 && run->to > 0) {
        reporter->next_frame = 1;
        if (!status && !has_collisions && !observer->has_begun)
            status = measure_step_energies(reporter, snapshot, error);
    }
    observer->next_sample = frames_time(&reporter->frames, reporter->next_frame);
    return status;
}

static enum status report_sample(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    observer->next_sample = frames_time(&reporter->frames, ++reporter->next_frame);
    if (!observers_traits(observer->all)->has_collisions && observer->run->to > 0)
        return measure_step_energies(reporter, snapshot, error);
    kinetics_sample(&reporter->kinetics, snapshot);
    return STATUS_DONE;
}

static enum status report_take(struct observer *observer, const struct collision_batch *batch,
                               struct error *error)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    (void)error;
    kinetics_collide(&reporter->kinetics, batch->list, batch->count);
    return STATUS_DONE;
}

/* The energies of a time-stepped run: at most as many as samples so far. */
static void record_step_energies(struct report_observer *reporter, struct record *record)
{
    const struct report_series *kinetic = find_series(&reporter->report, "energy_kinetic");
    const struct report_series *potential = find_series(&reporter->report, "energy_potential");
    size_t count = kinetic->count;
    record_count(record, &count, (size_t)reporter->next_frame, 3);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        const int is_known = !record->is_reading;
        double time = is_known ? kinetic->points[k].x : 0;
        double energies[2] = {is_known ? kinetic->points[k].value : 0,
                              is_known ? potential->points[k].value : 0};
        record_number(record, &time, 0, DBL_MAX);
        record_numbers(record, energies, 2);
        record_end_line(record);
        reporter->error = record->error;
        if (record->is_reading) {
            add_step_energies(reporter, time, energies);
            record_add_status(record, reporter->status);
        }
    }
}

/* A checkpoint has no other name of the input than the title. */
static void report_state(struct observer *observer, struct record *record)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    const int has_collisions = observers_traits(observer->all)->has_collisions;
    record_string(record, &observer->run->title, &reporter->title, "the report's title");
    record_setting(record, "--stats-from", reporter->observer.run->from, NULL);
    record_whole(record, &reporter->next_frame, (has_collisions ? MAX_SAMPLES : COURSE_POINTS) + 2);
    record_end_line(record);
    if (!has_collisions)
        record_step_energies(reporter, record);
    kinetics_record(&reporter->kinetics, record);
    observer->next_sample = frames_time(&reporter->frames, reporter->next_frame);
}

static void free_reporter(struct observer *observer)
{
    struct report_observer *reporter = (struct report_observer *)observer;
    for (size_t k = 0; k < reporter->report.series_count; k++)
        memory_free(reporter->report.series[k].points);
    kinetics_free(&reporter->kinetics);
    classes_free(&reporter->classes);
    memory_free(reporter->title);
}

const struct observer_operations report_operations = {
    .kind = {"--report", "the report", sizeof(struct report_observer), FILE_AT_END},
    OBSERVER_SETTINGS(struct report_observer),
    .watches = WATCH_PAIRS,
    .begin = report_begin,
    .take = report_take,
    .sample = report_sample,
    .finish = report_finish,
    .state = report_state,
    .free = free_reporter,
};
