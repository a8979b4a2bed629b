/*
 * Gathers what a report shows; see report.h.
 *
 * Speeds are counted at up to MOST_LOOKS moments at equal distances, fewer of many particles. All
 * else comes from what observers have at the end: the tally and its blocks of time, from which the
 * course of the run follows, and the counts of the particles.
 *
 * Where the figures are of a sample, the last part of the time (statistics.h), so are free paths,
 * and speeds are counted at the end only: threads would have to stop for each look.
 *
 * In a time-stepped run there are neither tally nor paths. Its course is that of these moments.
 */
#include "observe/report.h"

#include "base/memory.h"
#include "field_grid.h"
#include "figures.h"
#include "io/output_file.h"
#include "kinetics.h"
#include "measured.h"
#include "observe/frames.h"
#include "observe/statistics.h"

#include <math.h>
#include <string.h>

enum {
    MOST_FOLLOWED = 1 << 16, /* particles whose speeds and paths are measured */
    MOST_LOOKS = 256,
    MOST_SPEEDS = 1 << 18, /* that are counted, but for those of the end */
    MOMENTS = 64,          /* of the course of the run; a divisor of BLOCKS */
    FIRST_RATE = 4,        /* the first moments have seen too little of a rate */
    MOST_BARS = 40,
    LEAST_PARTICLES = 10, /* for a distribution of speeds: few share their energy too evenly */
    LEAST_SAMPLES = 50    /* for a histogram */
};

_Static_assert((int)FIGURES <= (int)REPORT_MOST_FIGURES, "a report has room for all figures");

/* Kinetic energies of a time-stepped run at one time. */
struct moment {
    double time;
    double temperature, energy; /* of a particle, without and with the motion of all */
};

struct reporter {
    struct observer observer; /* the first member: see observer.h */
    struct report_request request;
    struct frames frames; /* when speeds are counted */
    uint64_t next_frame;
    struct output_file file;
    struct classes classes;
    struct kinetics kinetics;
    struct moment moments[MOMENTS + 4]; /* of a time-stepped run: at the start, and at each look */
    size_t moment_count;
    char *title; /* if the run has been resumed, its title; owned; otherwise NULL */
    struct report_figure figures[REPORT_MOST_FIGURES];
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

/* Adds a point to a series. Once memory has been short, nothing more. */
static void add(struct reporter *reporter, const char *quantity, double x, struct estimate estimate)
{
    if (reporter->status)
        return;
    struct report_series *series = find_series(&reporter->report, quantity);
    if (series->count == series->room) {
        const size_t room = 2 * series->room + 64;
        struct report_point *points =
            memory_resize(series->points, room, sizeof *points, "the report", reporter->error);
        if (!points) {
            reporter->status = STATUS_NO_MEMORY;
            return;
        }
        series->points = points;
        series->room = room;
    }
    series->points[series->count++] = (struct report_point){x, estimate.value, estimate.error};
}

static void add_exactly(struct reporter *reporter, const char *quantity, double x, double value)
{
    add(reporter, quantity, x, (struct estimate){value, (double)NAN});
}

/* Takes a row of another observer, of all species together. */
static void take_row(void *to, const char *quantity, const char *species, double x,
                     struct estimate estimate)
{
    if (isfinite(x) && strcmp(species, "all") == 0)
        add(to, quantity, x, estimate);
}

/* The energies of all particles at a moment, that of their thermal motion and the whole. */
static void add_energies(struct reporter *reporter, double time, double thermal, double energy)
{
    const struct system *system = reporter->report.snapshot.system;
    add_exactly(reporter, "temperature", time, thermal / tally_half_freedom(system));
    if (!system->boundary.stream.draw) /* there, the energy of the mean motion is not followed */
        add_exactly(reporter, "energy", time, energy / (double)system->count);
}

/*
 * The course of the run, from the blocks. The error of a running mean is that of the whole run's
 * mean, times the square root of (whole time / time so far), as for any mean over independent
 * times.
 */
static void tell_course(struct reporter *reporter, const struct measured *measured)
{
    const double count = (double)reporter->report.snapshot.system->count;
    const struct blocks *blocks = measured->blocks;
    const double from = blocks->times.from;
    const double whole = blocks->times.to - from;
    const struct motion *start = &measured->tally->start;
    double energy = start->energy;
    if (!(whole > 0))
        return;
    if (measured->is_sampled) {
        const double told = reporter->request.from;
        add_energies(reporter, told, start->thermal, start->energy);
        add_energies(reporter, told + (from - told) / 2, (double)NAN, (double)NAN); /* unknown */
        energy = measured->tally->end.energy - sum_value(&measured->tally->energy_gained);
    }
    add_energies(reporter, from, blocks->energy, energy);
    for (size_t moment = 1; moment <= MOMENTS; moment++) {
        const size_t block = moment * (BLOCKS / MOMENTS) - 1;
        const struct mark *mark = &blocks->marks[block];
        const double time = block_times_length(&blocks->times, block);
        add_energies(reporter, from + time, blocks->energy + mark->energy_gained,
                     energy + mark->energy_gained);
        if (moment >= FIRST_RATE && measured->tally->pairs > 0)
            add(reporter, "collision_rate", from + time,
                (struct estimate){2 * mark->pairs / (count * time),
                                  measured->values[FIGURE_COLLISION_RATE_ERROR] *
                                      sqrt(whole / time)});
    }
}

/* The course of a time-stepped run. */
static void tell_moments(struct reporter *reporter)
{
    const struct moment *end = reporter->moments + reporter->moment_count;
    for (const struct moment *moment = reporter->moments; moment < end; moment++) {
        add_exactly(reporter, "temperature", moment->time, moment->temperature);
        add_exactly(reporter, "energy", moment->time, moment->energy);
    }
}

/* Collisions with the sides of the box that are walls, by their codes, and then with polygons; if
 * there are any, and walls to compare with each other. */
static void tell_walls(struct reporter *reporter, const struct measured *measured)
{
    const struct boundary *boundary = &reporter->report.snapshot.system->boundary;
    const struct tally *tally = measured->tally;
    uint64_t hits = tally->polygons;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        hits += tally->walls[wall];
    if (hits == 0 || boundary->periodic == (PERIODIC_X | PERIODIC_Y))
        return;
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        if (!boundary_is_seam(boundary, FEATURE_LEFT - wall))
            add_exactly(reporter, "walls", wall, (double)tally->walls[wall]);
    if (boundary->polygons)
        add_exactly(reporter, "walls", TALLY_WALLS, (double)tally->polygons);
}

/*
 * How many particles have collided how often, with walls and with each other, from time 0 on. The
 * least width of the bars that makes them few enough is taken. The order of particles does not
 * matter here.
 */
static enum status tell_counts(struct reporter *reporter)
{
    const struct system *system = reporter->report.snapshot.system;
    double bars[MOST_BARS] = {0};
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (size_t k = 0; k < system->count; k++) {
        const uint64_t all = system->counts[k].walls + system->counts[k].particles;
        least = all < least ? all : least;
        most = all > most ? all : most;
    }
    if (most == 0)
        return STATUS_DONE;
    const uint64_t width = (most - least) / MOST_BARS + 1;
    for (size_t k = 0; k < system->count; k++)
        bars[(system->counts[k].walls + system->counts[k].particles - least) / width]++;
    for (uint64_t bar = 0; bar <= (most - least) / width; bar++)
        add_exactly(reporter, "counts", (double)(least + bar * width) + ((double)width - 1) / 2,
                    bars[bar]);
    return reporter->status;
}

/*
 * A histogram, and the distribution to compare it with, from the same bins joined to be few: to
 * powers of two of them, so that bars have equal widths. `expected` may be NULL: not to compare.
 */
static void tell_histogram(struct reporter *reporter, const struct histogram *histogram,
                           const char *quantity, const char *expected,
                           double (*expect)(size_t, const struct reporter *))
{
    const size_t used = histogram_used(histogram);
    size_t joined = 1;
    while (used > MOST_BARS * joined)
        joined *= 2;
    for (size_t first = 0; first < used; first += joined) {
        const double begin = histogram_edge(histogram, first);
        const double end = histogram_edge(histogram, first + joined);
        double density = 0;
        double theory = 0;
        for (size_t bin = first; bin < first + joined; bin++) {
            density += histogram_density(histogram, bin).value / (double)joined;
            theory += expect(bin, reporter) / (double)joined;
        }
        add_exactly(reporter, quantity, begin + (end - begin) / 2, density);
        if (expected)
            add_exactly(reporter, expected, begin + (end - begin) / 2, theory);
    }
}

static double expect_speed(size_t bin, const struct reporter *reporter)
{
    return kinetics_maxwell(&reporter->kinetics, reporter->report.snapshot.system, 0, bin);
}

static double expect_path(size_t bin, const struct reporter *reporter)
{
    return kinetics_exponential(&reporter->kinetics, 0, bin);
}

static void tell_kinetics(struct reporter *reporter)
{
    const struct histogram *speeds = &reporter->kinetics.speeds[0];
    const struct histogram *paths = &reporter->kinetics.paths[0];
    reporter->report.speeds = histogram_count(speeds);
    reporter->report.paths = histogram_count(paths);
    if (reporter->report.speeds >= LEAST_SAMPLES && reporter->kinetics.count >= LEAST_PARTICLES)
        tell_histogram(reporter, speeds, "speeds",
                       reporter->report.is_drifting ? NULL : "speeds_maxwell", expect_speed);
    if (reporter->report.paths >= LEAST_SAMPLES)
        tell_histogram(reporter, paths, "paths", "paths_exponential", expect_path);
}

/* The observer of an option, or NULL. */
static const struct observer *find_observer(const struct reporter *reporter, const char *option)
{
    const struct observers *all = reporter->observer.all;
    for (size_t k = 0; k < all->count; k++) {
        const char *other = all->list[k]->operations->option;
        if (other && strcmp(other, option) == 0)
            return all->list[k];
    }
    return NULL;
}

/* The observer of --stats or, without that option, the one that is there for the report. */
static const struct observer *find_statistics(const struct reporter *reporter)
{
    const struct observer *statistics = find_observer(reporter, "--stats");
    return statistics ? statistics : find_observer(reporter, "--report");
}

/* Whether the gas moves as a whole, by more than a hundredth of the thermal motion's mean square
 * speed: less shows in no distribution of speeds. */
static int is_drifting(const struct tally *tally)
{
    const struct motion *motion = &tally->end;
    return motion->drift_u * motion->drift_u + motion->drift_v * motion->drift_v >
           0.01 * tally->speeds.square;
}

/* What there is of a run of events: the figures, the course, and collisions with walls. */
static void gather_events(struct reporter *reporter, const struct snapshot *snapshot)
{
    struct report *report = &reporter->report;
    const struct measured measured = statistics_measured(find_statistics(reporter));
    const struct boundary *boundary = &snapshot->system->boundary;
    report->is_drifting = is_drifting(measured.tally);
    report->is_sampled = measured.is_sampled;
    report->sampled_from = measured.tally->from;
    report->sampled_pairs = (double)measured.tally->pairs;
    report->seconds = measured.values[FIGURE_SECONDS];
    report->collision_rate_enskog = measured.values[FIGURE_COLLISION_RATE_ENSKOG];
    report->figure_count = figures_list(measured.values, boundary, reporter->figures);
    tell_course(reporter, &measured);
    tell_walls(reporter, &measured);
}

/* The same of a time-stepped run. */
static void gather_steps(struct reporter *reporter)
{
    struct report *report = &reporter->report;
    const struct report_figure *figure = reporter->figures;
    report->is_stepped = 1;
    report->figure_count = reporter->request.list(find_statistics(reporter), reporter->figures);
    for (; figure < reporter->figures + report->figure_count; figure++)
        if (strcmp(figure->description->key, "seconds") == 0)
            report->seconds = figure->value;
    tell_moments(reporter);
}

static enum status gather(struct reporter *reporter, const struct snapshot *snapshot)
{
    const struct row_sink sink = {take_row, reporter};
    const struct observer *structure = find_observer(reporter, "--structure");
    const struct observer *forces = find_observer(reporter, "--forces");
    reporter->report = (struct report){.title = reporter->request.title,
                                       .version = reporter->request.version,
                                       .arguments = reporter->request.arguments,
                                       .snapshot = *snapshot,
                                       .figures = reporter->figures,
                                       .collision_rate_enskog = (double)NAN};
    if (reporter->request.list)
        gather_steps(reporter);
    else
        gather_events(reporter, snapshot);
    tell_counts(reporter);
    tell_kinetics(reporter);
    if (structure)
        structure_tell(structure, snapshot, &sink);
    if (forces) {
        forces_tell(forces, snapshot, &sink);
        reporter->report.warning = forces_warning(forces);
    }
    return reporter->status;
}

/* Writes what has been gathered, with maps that live only for this. */
static enum status write_file(struct reporter *reporter, const struct snapshot *snapshot,
                              struct error *error)
{
    struct report *report = &reporter->report;
    struct field_grid grid = {0};
    double *free_parts = NULL;
    struct field_map crowd;
    struct field_map map;
    enum status status = output_file_begin(&reporter->file, error);
    const struct observer *fields = find_observer(reporter, "--fields");
    if (!status && snapshot->system->count > REPORT_MOST_DRAWN) {
        status = fields_count_now(snapshot, &grid, &free_parts, &crowd, error);
        report->crowd = &crowd;
    }
    if (fields) {
        map = fields_map(fields, snapshot);
        report->fields = &map;
    }
    if (!status)
        status = reporter->request.write(report, reporter->file.stream, error);
    field_grid_free(&grid);
    memory_free(free_parts);
    return status;
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    reporter->error = error;
    enum status status = gather(reporter, snapshot);
    reporter->file.is_durable = observer->is_resumable;
    if (!status)
        status = write_file(reporter, snapshot, error);
    return status ? status : output_file_complete(&reporter->file, error);
}

/* A time-stepped run need not stop for a look. */
static enum status prepare(struct reporter *reporter, const struct snapshot *snapshot,
                           struct error *error)
{
    const struct report_request *request = &reporter->request;
    const struct observer *statistics = find_statistics(reporter);
    const int is_sampled = !request->list && statistics_measured(statistics).is_sampled;
    const double from = is_sampled ? statistics->told_from : request->from;
    const struct kinetics_request followed = {.classes = &reporter->classes,
                                              .most = MOST_FOLLOWED,
                                              .from = from,
                                              .to = request->to,
                                              .is_sampled = is_sampled};
    reporter->observer.told_from = from;
    enum status status = classes_create(&reporter->classes, snapshot, error);
    if (!status)
        status = kinetics_create(&reporter->kinetics, snapshot, &followed, error);
    if (status)
        return status;
    const double most = floor(fmax(MOST_SPEEDS / (double)snapshot->system->count, 1));
    const double looks = request->list ? MOMENTS : is_sampled ? 1 : fmin(most, MOST_LOOKS);
    reporter->frames = (struct frames){request->to > 0 ? request->to / looks : 1, request->to};
    return output_file_prepare(&reporter->file, request->name, error);
}

/* Notes the energies of a time-stepped run, now. */
static void note_moment(struct reporter *reporter, const struct snapshot *snapshot)
{
    const struct motion motion = tally_motion(snapshot);
    reporter->moments[reporter->moment_count++] =
        (struct moment){snapshot->time, motion.thermal / tally_half_freedom(snapshot->system),
                        motion.energy / (double)snapshot->system->count};
}

/* The speeds at the very start are not counted: often they are all the same. */
static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    enum status status = prepare(reporter, snapshot, error);
    if (status)
        return status;
    reporter->next_frame = frames_first(&reporter->frames, reporter->request.from);
    if (reporter->next_frame == 0 && reporter->request.to > 0) {
        reporter->next_frame = 1;
        if (reporter->request.list)
            note_moment(reporter, snapshot);
    }
    observer->next_look = frames_time(&reporter->frames, reporter->next_frame);
    return status;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    (void)error;
    kinetics_look(&reporter->kinetics, snapshot);
    if (reporter->request.list && reporter->request.to > 0)
        note_moment(reporter, snapshot);
    observer->next_look = frames_time(&reporter->frames, ++reporter->next_frame);
    return STATUS_DONE;
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    (void)error;
    kinetics_collide(&reporter->kinetics, collision);
    return STATUS_DONE;
}

/* A stream has given a particle another velocity: it is not the one that began a path. */
static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    (void)error;
    kinetics_forget(&reporter->kinetics, passage->a.number);
    return STATUS_DONE;
}

static void save_moments(const struct reporter *reporter, struct record_writer *writer)
{
    record_put_whole(writer, reporter->moment_count);
    record_end_line(writer);
    for (const struct moment *moment = reporter->moments;
         moment < reporter->moments + reporter->moment_count; moment++) {
        record_put_number(writer, moment->time);
        record_put_number(writer, moment->temperature);
        record_put_number(writer, moment->energy);
        record_end_line(writer);
    }
}

/* There are not more than looks so far, so that there is room for all that come. */
static void load_moments(struct reporter *reporter, struct record_reader *reader)
{
    reporter->moment_count = record_take_count(reader, (size_t)reporter->next_frame, 3);
    record_expect_line_end(reader);
    for (size_t k = 0; k < reporter->moment_count && !reader->status; k++) {
        struct moment *moment = &reporter->moments[k];
        moment->time = record_take_number(reader, 0, DBL_MAX);
        moment->temperature = record_take_number(reader, 0, DBL_MAX);
        moment->energy = record_take_number(reader, 0, DBL_MAX);
        record_expect_line_end(reader);
    }
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    (void)snapshot;
    (void)error;
    const size_t title_length = strlen(reporter->request.title);
    record_put_whole(writer, title_length);
    record_put_bytes(writer, reporter->request.title, title_length);
    record_put_number(writer, reporter->request.from);
    record_put_whole(writer, reporter->next_frame);
    record_end_line(writer);
    if (reporter->request.list)
        save_moments(reporter, writer);
    kinetics_save(&reporter->kinetics, writer);
    return STATUS_DONE;
}

/* The checkpoint has no other name of the input. */
static enum status take_title(struct reporter *reporter, struct record_reader *reader)
{
    const size_t length = record_take_count(reader, SIZE_MAX / 2, 1);
    if (!reader->status)
        reporter->title = memory_allocate(length + 1, 1, "the report's title", reader->error);
    if (!reporter->title)
        return reader->status = reader->status ? reader->status : STATUS_NO_MEMORY;
    record_take_bytes(reader, reporter->title, length);
    reporter->title[length] = '\0';
    reporter->request.title = reporter->title;
    return reader->status;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct reporter *reporter = (struct reporter *)observer;
    if (take_title(reporter, reader))
        return reader->status;
    const double from = record_take_number(reader, 0, DBL_MAX);
    reporter->next_frame =
        record_take_whole(reader, (reporter->request.list ? MOMENTS : MOST_LOOKS) + 2);
    record_expect_line_end(reader);
    if (!reader->status && from != reporter->request.from)
        return statistics_refuse_from(reader->name, from, error);
    enum status status = reader->status ? reader->status : prepare(reporter, snapshot, error);
    if (status)
        return status;
    if (reporter->request.list)
        load_moments(reporter, reader);
    kinetics_load(&reporter->kinetics, reader);
    observer->next_look = frames_time(&reporter->frames, reporter->next_frame);
    return reader->status;
}

static void free_reporter(struct observer *observer)
{
    struct reporter *reporter = (struct reporter *)observer;
    output_file_abandon(&reporter->file);
    for (size_t k = 0; k < reporter->report.series_count; k++)
        memory_free(reporter->report.series[k].points);
    kinetics_free(&reporter->kinetics);
    classes_free(&reporter->classes);
    memory_free(reporter->title);
    memory_free(reporter);
}

enum status report_create(const struct report_request *request, struct observer **observer,
                          struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin,
        .collide = collide,
        .renew = renew,
        .look = look,
        .finish = finish,
        .option = "--report",
        .save = save,
        .load = load,
        .free = free_reporter,
    };
    struct reporter *reporter = memory_allocate(1, sizeof *reporter, "the report", error);
    if (!reporter)
        return STATUS_NO_MEMORY;
    *reporter = (struct reporter){.observer = {.operations = &operations, /* until `begin` */
                                               .next_look = (double)INFINITY},
                                  .request = *request};
    *observer = &reporter->observer;
    return STATUS_DONE;
}
