/*
 * Describes a run in figures: tallies every collision (tally.h, blocks.h, polygon_hits.h), and when
 * the run is over makes figures of the sums and writes them (figures.h). The file is opened before
 * the run begins, so that a name that cannot be written is reported at once and not after an hour.
 *
 * Of a sample the tally begins twice: with energy and momentum of the particles when the figures
 * begin, and with collisions when the last part of the time does. The numbers of all collisions are
 * known from the particles' counts.
 */
#include "observe/statistics.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "blocks.h"
#include "figures.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "measured.h"
#include "observe/polygon_hits.h"
#include "observe/tally.h"
#include "polygon_shape.h"

#include <float.h>
#include <math.h>

/* How often all particles have collided. */
struct totals {
    uint64_t pairs; /* with each other */
    uint64_t hits;  /* with walls and polygons */
};

struct statistics {
    struct observer observer; /* the first member: see observer.h */
    struct observer_operations operations;
    struct statistics_request request;
    struct output_file file;
    int is_counting;      /* the time from which the figures count has come */
    int is_sampled;       /* only the last part of the time counts, from observer.told_from on */
    struct totals totals; /* if so: when the figures began */
    struct tally tally;
    struct blocks blocks;
    struct polygon_hits hits;
    double reference;       /* of the Knudsen number, length; NAN: none */
    double began;           /* by the clock, seconds: when it came */
    double values[FIGURES]; /* after `finish` */
};

/* In whatever order: whole numbers have one sum. */
static struct totals count_all(const struct system *system)
{
    struct totals totals = {0};
    for (size_t k = 0; k < system->count; k++) {
        totals.pairs += system->counts[k].particles;
        totals.hits += system->counts[k].walls;
    }
    totals.pairs /= 2;
    return totals;
}

/* What time counts of a sample. */
static void take_sample(struct statistics *statistics)
{
    const struct statistics_request *request = &statistics->request;
    statistics->is_sampled = 1;
    statistics->observer.told_from = request->to - (request->to - request->from) / STATISTICS_PARTS;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)error;
    tally_begin(&statistics->tally, snapshot);
    if (statistics->is_sampled) {
        statistics->totals = count_all(snapshot->system);
        statistics->tally.from = observer->told_from;
    }
    blocks_begin(&statistics->blocks, statistics->tally.from, statistics->request.to,
                 statistics->tally.start.thermal);
    statistics->began = statistics->request.clock();
    statistics->is_counting = 1;
    observer->next_look = (double)INFINITY;
    return STATUS_DONE;
}

/* Finds the length of the Knudsen number, where there is one. */
static enum status find_reference(struct statistics *statistics, const struct boundary *boundary,
                                  struct error *error)
{
    statistics->reference = statistics->request.reference;
    if (statistics->reference > 0 || !boundary->stream.draw)
        return STATUS_DONE;
    return polygon_shape_largest(boundary->polygons, &statistics->reference, error);
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
    const struct statistics_request *request = &statistics->request;
    if (request->sampled > 0 && snapshot->system->count >= request->sampled &&
        request->to > request->from)
        take_sample(statistics);
    if (request->from == 0)
        look(observer, snapshot, error);
    enum status status = polygon_hits_begin(&statistics->hits, &snapshot->system->boundary, error);
    if (!status)
        status = find_reference(statistics, &snapshot->system->boundary, error);
    return status ? status : prepare_file(statistics, error);
}

/* Others may have to be told of what does not count here. */
static int is_to_count(const struct statistics *statistics, double time)
{
    return statistics->is_counting &&
           (!statistics->is_sampled || time > statistics->observer.told_from);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)error;
    if (is_to_count(statistics, collision->time)) {
        blocks_reach(&statistics->blocks, &statistics->tally, collision->time);
        tally_collide(&statistics->tally, collision);
        if (statistics->hits.count > 0)
            polygon_hits_collide(&statistics->hits, collision);
    }
    return STATUS_DONE;
}

static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)error;
    if (is_to_count(statistics, passage->time)) {
        blocks_reach(&statistics->blocks, &statistics->tally, passage->time);
        tally_renew(&statistics->tally, passage);
    }
    return STATUS_DONE;
}

enum status statistics_refuse_from(const char *name, double from, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "%.4100s is the checkpoint of a run with --stats-from=%.17g: give it again",
                     name, from);
}

/* What `save` says of how the figures count: a sum of these. */
enum { SAVED_COUNTING = 1, SAVED_SAMPLED = 2 };

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, statistics->request.from);
    record_put_whole(writer, (statistics->is_counting ? (uint64_t)SAVED_COUNTING : 0) +
                                 (statistics->is_sampled ? (uint64_t)SAVED_SAMPLED : 0));
    if (statistics->is_sampled) {
        record_put_whole(writer, statistics->totals.pairs);
        record_put_whole(writer, statistics->totals.hits);
    }
    record_end_line(writer);
    if (statistics->is_counting) {
        record_put_number(writer, statistics->request.clock() - statistics->began);
        tally_save(&statistics->tally, writer);
        blocks_save(&statistics->blocks, writer);
        polygon_hits_save(&statistics->hits, writer);
    }
    return STATUS_DONE;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    double from = record_take_number(reader, 0, DBL_MAX);
    const uint64_t state = record_take_whole(reader, SAVED_COUNTING + SAVED_SAMPLED);
    statistics->is_counting = (state & SAVED_COUNTING) != 0;
    if (state & SAVED_SAMPLED) {
        take_sample(statistics);
        statistics->totals.pairs = record_take_whole(reader, UINT64_MAX);
        statistics->totals.hits = record_take_whole(reader, UINT64_MAX);
    }
    record_expect_line_end(reader);
    if (!reader->status && from != statistics->request.from)
        return statistics_refuse_from(reader->name, from, error);
    enum status status = polygon_hits_begin(&statistics->hits, &snapshot->system->boundary, error);
    if (!status)
        status = find_reference(statistics, &snapshot->system->boundary, error);
    if (status)
        return status;
    if (statistics->is_counting) {
        observer->next_look = (double)INFINITY;
        statistics->began = statistics->request.clock() - record_take_number(reader, 0, DBL_MAX);
        tally_load(&statistics->tally, observer->told_from, snapshot->system, reader);
        blocks_load(&statistics->blocks, observer->told_from, statistics->request.to, reader);
        polygon_hits_load(&statistics->hits, reader);
    }
    return reader->status ? reader->status : prepare_file(statistics, error);
}

/* The energy when the sample began: it is known from the end, and what has been gained since. Until
 * now the blocks have had that of when the figures began. */
static void complete_sample(struct statistics *statistics)
{
    statistics->tally.start.thermal = statistics->blocks.energy;
    statistics->blocks.energy =
        statistics->tally.end.thermal - sum_value(&statistics->tally.energy_gained);
}

/* What a sample of the time does not determine: sums over all of it, and means over what is so rare
 * as collisions with walls are where there are many particles. */
static void forget_sums(double *values, const struct boundary *boundary)
{
    static const enum figure rare[] = {
        FIGURE_COLLISIONS_LEFT, FIGURE_COLLISIONS_RIGHT,    FIGURE_COLLISIONS_BOTTOM,
        FIGURE_COLLISIONS_TOP,  FIGURE_PRESSURE_WALLS,      FIGURE_COMPRESSIBILITY_WALLS,
        FIGURE_MOMENTUM_X_SEAM, FIGURE_MOMENTUM_Y_SEAM,     FIGURE_MEAN_FREE_PATH_BOUNDARY,
        FIGURE_STREAM_PASSAGES, FIGURE_COLLISIONS_POLYGONS, FIGURE_FORCE_X,
        FIGURE_FORCE_Y};
    for (size_t k = 0; k < sizeof rare / sizeof rare[0]; k++)
        values[rare[k]] = (double)NAN;
    if (tally_conserved(boundary) != (PERIODIC_X | PERIODIC_Y)) /* walls have taken some of it */
        values[FIGURE_MOMENTUM_DRIFT] = (double)NAN;
}

/* The figures of a sample that are of the whole time. */
static void describe_whole(struct statistics *statistics, const struct system *system)
{
    const struct totals totals = count_all(system);
    const uint64_t pairs = totals.pairs - statistics->totals.pairs;
    const uint64_t hits = totals.hits - statistics->totals.hits;
    double *values = statistics->values;
    values[FIGURE_COLLISIONS] = (double)(pairs + hits);
    values[FIGURE_COLLISIONS_PAIRS] = (double)pairs;
    values[FIGURE_COLLISIONS_PER_SECOND] = values[FIGURE_COLLISIONS] / values[FIGURE_SECONDS];
    forget_sums(values, &system->boundary);
}

/* Sums up the end of the run: on several threads, if they are to be had. */
static void end_tally(struct statistics *statistics, const struct snapshot *snapshot)
{
    const struct schedule_threads *threads = &statistics->request.threads;
    struct error error; /* that ends nothing */
    struct thread_pool *pool = NULL;
    if (schedule_choose_threads(threads, snapshot->system->count) > 1)
        pool = thread_pool_create(2, &error);
    tally_end(&statistics->tally, snapshot, pool);
    thread_pool_free(pool);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    double seconds = statistics->request.clock() - statistics->began;
    const struct boundary *boundary = &snapshot->system->boundary;
    double *values = statistics->values;
    end_tally(statistics, snapshot);
    blocks_complete(&statistics->blocks, &statistics->tally);
    if (statistics->is_sampled)
        complete_sample(statistics);
    figures_compute(values, snapshot->system, &statistics->tally, &statistics->blocks,
                    statistics->reference, seconds);
    if (statistics->is_sampled)
        describe_whole(statistics, snapshot->system);
    if (statistics->request.name) {
        enum status status = output_file_begin(&statistics->file, error);
        if (status)
            return status;
        statistics->file.is_durable = observer->is_resumable;
        figures_write_lines(values, boundary, statistics->file.stream);
        polygon_hits_write_lines(&statistics->hits, statistics->file.stream);
        return output_file_complete(&statistics->file, error);
    }
    if (!statistics->request.table)
        return STATUS_DONE;
    figures_write_table(values, boundary, statistics->request.table);
    polygon_hits_write_table(&statistics->hits, statistics->request.table);
    return text_flush(statistics->request.table, "standard error", error);
}

struct measured statistics_measured(const struct observer *observer)
{
    const struct statistics *statistics = (const struct statistics *)observer;
    return (struct measured){statistics->values, &statistics->tally, &statistics->blocks,
                             statistics->is_sampled};
}

static void free_statistics(struct observer *observer)
{
    struct statistics *statistics = (struct statistics *)observer;
    output_file_abandon(&statistics->file);
    polygon_hits_free(&statistics->hits);
    memory_free(statistics);
}

enum status statistics_create(const struct statistics_request *request, struct observer **observer,
                              struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin,
        .collide = collide,
        .renew = renew,
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
        .observer = {.operations = &statistics->operations,
                     .next_look = request->from > 0 ? request->from : (double)INFINITY,
                     .told_from = request->from},
        .operations = operations,
        .request = *request,
    };
    /* So that no run with --stats is resumed without it, nor the other way round. */
    if (!request->name && !request->table)
        statistics->operations.option = "--report";
    *observer = &statistics->observer;
    return STATUS_DONE;
}
