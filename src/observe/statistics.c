/*
 * Describes a run in figures: tallies every collision (tally.h), and when the run is over makes
 * figures of the sums (figures.h) and writes them. The file is opened before the run begins, so
 * that nobody learns only after an hour that it cannot be.
 */
#include "observe/statistics.h"

#include "base/memory.h"
#include "figures.h"
#include "io/output_file.h"
#include "io/record_reader.h"
#include "io/record_writer.h"
#include "io/text.h"

#include <float.h>
#include <math.h>

struct stats {
    struct observer observer; /* the first member: see observer.h */
    const char *name;         /* of the file, not owned; or NULL, and then */
    FILE *table;              /* standard error, not owned; or NULL, too */
    struct output_file file;
    struct tally tally;
    double (*clock)(void);
    double began; /* by the clock, seconds */
};

static enum status stats_begin(struct observer *observer, const struct system *system,
                               struct error *error)
{
    struct stats *stats = (struct stats *)observer;
    tally_begin(&stats->tally, system);
    stats->began = stats->clock();
    return stats->name ? output_file_open(&stats->file, stats->name, error) : STATUS_DONE;
}

static enum status stats_collide(struct observer *observer, const struct system *system,
                                 const struct collision *collision, struct error *error)
{
    (void)error;
    tally_collide(&((struct stats *)observer)->tally, system, collision);
    return STATUS_DONE;
}

/* The sums of a tally so far, in one order for putting them down and for taking them back. */
enum { TALLY_SUMS = TALLY_WALLS + 5, TALLY_MOTIONS = 4 };

static struct sum *tally_sum(struct tally *tally, int k)
{
    struct sum *const others[] = {&tally->gained[0], &tally->gained[1], &tally->virial,
                                  &tally->path, &tally->action};
    return k < TALLY_WALLS ? &tally->push[k] : others[k - TALLY_WALLS];
}

static double *tally_motion_at_start(struct tally *tally, int k)
{
    struct motion *start = &tally->start;
    double *const all[] = {&start->energy, &start->momentum_x, &start->momentum_y, &start->impetus};
    return all[k];
}

static enum status stats_save(struct observer *observer, const struct system *system,
                              struct record_writer *writer, struct error *error)
{
    struct stats *stats = (struct stats *)observer;
    (void)system;
    (void)error;
    record_put_number(writer, stats->clock() - stats->began);
    record_put_whole(writer, stats->tally.pairs);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        record_put_whole(writer, stats->tally.walls[wall]);
    for (int k = 0; k < TALLY_MOTIONS; k++)
        record_put_number(writer, *tally_motion_at_start(&stats->tally, k));
    for (int k = 0; k < TALLY_SUMS; k++) {
        record_put_number(writer, tally_sum(&stats->tally, k)->rounded);
        record_put_number(writer, tally_sum(&stats->tally, k)->rest);
    }
    record_end_line(writer);
    return STATUS_DONE;
}

static enum status stats_load(struct observer *observer, const struct system *system,
                              struct record_reader *reader, struct error *error)
{
    struct stats *stats = (struct stats *)observer;
    (void)system;
    stats->began = stats->clock() - record_take_number(reader, 0, DBL_MAX);
    stats->tally.pairs = record_take_whole(reader, UINT64_MAX);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        stats->tally.walls[wall] = record_take_whole(reader, UINT64_MAX);
    for (int k = 0; k < TALLY_MOTIONS; k++)
        *tally_motion_at_start(&stats->tally, k) = record_take_number(reader, -DBL_MAX, DBL_MAX);
    for (int k = 0; k < TALLY_SUMS; k++) {
        tally_sum(&stats->tally, k)->rounded = record_take_number(reader, -DBL_MAX, DBL_MAX);
        tally_sum(&stats->tally, k)->rest = record_take_number(reader, -DBL_MAX, DBL_MAX);
    }
    record_expect_line_end(reader);
    if (reader->status)
        return reader->status;
    return stats->name ? output_file_open(&stats->file, stats->name, error) : STATUS_DONE;
}

static enum status stats_finish(struct observer *observer, const struct system *system,
                                double end_time, struct error *error)
{
    struct stats *stats = (struct stats *)observer;
    double seconds = stats->clock() - stats->began;
    tally_end(&stats->tally, system, end_time);
    const struct figures figures = figures_compute(system, &stats->tally, end_time, seconds);
    if (stats->file.stream) {
        stats->file.is_durable = observer->is_resumable;
        figures_write_lines(&figures, stats->file.stream);
        return output_file_complete(&stats->file, error);
    }
    if (!stats->table)
        return STATUS_DONE;
    figures_write_table(&figures, stats->table);
    return text_flush(stats->table, "standard error", error);
}

static void stats_free(struct observer *observer)
{
    struct stats *stats = (struct stats *)observer;
    output_file_abandon(&stats->file);
    memory_free(stats);
}

enum status statistics_create(const char *name, FILE *table, double (*clock)(void),
                              struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {
        .begin = stats_begin,
        .collide = stats_collide,
        .finish = stats_finish,
        .option = "--stats",
        .save = stats_save,
        .load = stats_load,
        .free = stats_free,
    };
    struct stats *stats = memory_allocate(1, sizeof *stats, "the statistics", error);
    if (!stats)
        return STATUS_NO_MEMORY;
    *stats = (struct stats){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                            .name = name,
                            .table = table,
                            .clock = clock};
    *observer = &stats->observer;
    return STATUS_DONE;
}
