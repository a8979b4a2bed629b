/*
 * Describes a run in figures: tallies every collision (tally.h), and when the run is over makes
 * figures of the sums (figures.h) and writes them. The file is opened before the run begins, so
 * that nobody learns only after an hour that it cannot be.
 */
#include "stats.h"

#include "figures.h"
#include "memory.h"
#include "output_file.h"
#include "text.h"

#include <math.h>

struct stats {
    struct observer observer; /* the first member: see observer.h */
    const char *name;         /* of the file, not owned; NULL: the table goes to standard error */
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

static enum status stats_finish(struct observer *observer, const struct system *system,
                                double end_time, struct error *error)
{
    struct stats *stats = (struct stats *)observer;
    double seconds = stats->clock() - stats->began;
    tally_end(&stats->tally, system, end_time);
    const struct figures figures = figures_compute(system, &stats->tally, end_time, seconds);
    if (stats->file.stream) {
        figures_write_lines(&figures, stats->file.stream);
        return output_file_complete(&stats->file, error);
    }
    figures_write_table(&figures, stderr);
    return text_flush(stderr, "standard error", error);
}

static void stats_free(struct observer *observer)
{
    struct stats *stats = (struct stats *)observer;
    output_file_abandon(&stats->file);
    memory_free(stats);
}

enum status stats_create(const char *name, double (*clock)(void), struct observer **observer,
                         struct error *error)
{
    static const struct observer_operations operations = {
        .begin = stats_begin,
        .collide = stats_collide,
        .finish = stats_finish,
        .free = stats_free,
    };
    struct stats *stats = memory_allocate(1, sizeof *stats, "the statistics", error);
    if (!stats)
        return STATUS_NO_MEMORY;
    *stats =
        (struct stats){.observer = {&operations, (double)INFINITY}, .name = name, .clock = clock};
    *observer = &stats->observer;
    return STATUS_DONE;
}
