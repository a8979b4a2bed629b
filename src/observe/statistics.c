/*
 * Describes a run in figures: tallies every collision (tally.h, blocks.h), and when
 * the run is over computes figures from the sums and writes them (figures.h).
 */
#include "observe/writers.h"

#include "base/memory.h"
#include "blocks.h"
#include "figures.h"
#include "io/record.h"
#include "io/text.h"
#include "model/polygons.h"
#include "model/region.h"
#include "tally.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct statistics {
    struct observer observer; /* the first member: see observer.h */
    struct statistics_settings settings;
    const struct system *system; /* of the run; not owned */
    int is_counting;             /* 1 from the time on from which the figures count */
    struct classes classes;
    struct tally tally;
    struct blocks blocks;
    struct collision_sums *sums;     /* of each block; owned */
    const struct polygon_hits *hits; /* NULL: there are no polygons */
    const struct packing *packing;   /* NULL: disks do not grow */
    struct block_sums loads;   /* of each side of the box: what it takes up, where walls act; */
    struct sum given;          /* and the energy that all walls have given to particles */
    struct sum left[3];        /* energy and momentum of absorbed particles */
    double reference;          /* of the Knudsen number, length; NAN: none */
    double began;              /* that time by the clock, seconds */
    struct figure_table table; /* after `finish`; of a dynamics that has its own figures, {0} */
    struct dynamics_figure figures[DYNAMICS_MAX_FIGURES]; /* after `finish` */
    struct figure_name names[FIGURES_OF_MIXTURE];         /* of the figures of species */
    size_t figure_count;
};

_Static_assert((int)FIGURES + (int)FIGURES_OF_MIXTURE <= (int)DYNAMICS_MAX_FIGURES,
               "statistics have room for all figures");

/* A dynamics without collisions measures its figures itself. Its first sample begins them. */
static enum status measure_own(struct statistics *statistics, const struct snapshot *snapshot,
                               struct error *error)
{
    struct dynamics *dynamics = statistics->observer.all->dynamics;
    const struct snapshot_motion motion = tally_motion(snapshot);
    const int is_first = !statistics->is_counting;
    if (is_first)
        statistics->began = statistics->observer.run->clock();
    statistics->is_counting = 1;
    statistics->observer.next_sample = DBL_MAX;
    if (!dynamics->operations->traits.has_samples)
        return STATUS_DONE;
    return dynamics->operations->samples.measure(dynamics, snapshot, &motion, is_first,
                                                 statistics->observer.run->to,
                                                 &statistics->observer.next_sample, error);
}

/*
 * ---- A run without an end ----
 *
 * Its blocks begin short, and become twice as long whenever all have passed. So their ends do not
 * depend on when figures are asked for. These are computed from a copy, in which as many blocks end
 * at that time.
 */

/* The length of all blocks together at first: a power of two, about a 64th of the time in which
 * particles move as far as they are apart. */
static double statistics_first_length(const struct snapshot *snapshot)
{
    const struct system *system = snapshot->system;
    const struct snapshot_motion motion = tally_motion(snapshot);
    const double area = system->boundary.width * system->boundary.height;
    const double length = sqrt(area / (double)system->count * motion.mass / (2 * motion.energy));
    int exponent;
    (void)frexp(isfinite(length) ? fmax(length / 64, 0x1p-30 * snapshot->time) : 1, &exponent);
    return ldexp(1, exponent);
}

static void statistics_double(struct statistics *statistics)
{
    struct blocks *blocks = &statistics->blocks;
    struct tally *tally = &statistics->tally;
    while (blocks->times.complete < BLOCKS)
        blocks_mark(blocks, tally);
    blocks_double(blocks);
    if (statistics->loads.sums)
        block_sums_join(&statistics->loads);
    tally->basis.to = blocks->times.to;
    tally->basis.last = blocks->times.complete;
    tally->sums = statistics->sums + tally->basis.last * (1 + tally->basis.more_pairs);
    tally->sums->block = tally->basis.last;
}

static enum status statistics_sample(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    const int has_end = isfinite(observer->run->to);
    if (!observers_traits(observer->all)->has_collisions)
        return measure_own(statistics, snapshot, error);
    if (statistics->is_counting) {
        statistics_double(statistics);
    } else {
        const double to =
            has_end ? observer->run->to : snapshot->time + statistics_first_length(snapshot);
        tally_begin(&statistics->tally, snapshot, to, statistics->sums);
        classes_watch(&statistics->classes, &statistics->tally.basis);
        blocks_begin(&statistics->blocks, snapshot->time, to, statistics->tally.start.thermal);
        statistics->began = statistics->observer.run->clock();
        statistics->is_counting = 1;
    }
    observer->next_sample = has_end ? (double)INFINITY : statistics->blocks.times.to;
    return STATUS_DONE;
}

/*
 * ---- What walls that act take up ----
 *
 * The energy and the momentum along each side of the box, then the number of absorbed particles;
 * and the balance of energy.
 */

enum { LOAD_ABSORBED = BOUNDARY_SIDES * FIGURES_OF_SIDE, LOADS };

static void loads_collide(struct statistics *statistics, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const struct block_times *times = &statistics->blocks.times;
    const double u = a->u - a->u_before;
    const double v = a->v - a->v_before;
    if (!statistics->loads.sums || collision->is_reinjection)
        return;
    const double given = 0.5 * a->mass * (u * (a->u + a->u_before) + v * (a->v + a->v_before));
    sum_add(&statistics->given, given);
    if (collision->feature < FEATURE_TOP)
        return;
    const int side = FEATURE_LEFT - collision->feature;
    const int block = block_sums_find(times->from, times->to, collision->time);
    double *loads = block_sums_table(&statistics->loads, block);
    if (collision->is_absorbed) {
        const double square = a->u_before * a->u_before + a->v_before * a->v_before;
        loads[LOAD_ABSORBED]++;
        sum_add(&statistics->left[0], 0.5 * a->mass * square);
        sum_add(&statistics->left[1], a->mass * a->u_before);
        sum_add(&statistics->left[2], a->mass * a->v_before);
    }
    loads += side * FIGURES_OF_SIDE;
    loads[0] -= given; /* heat, and the momentum of the shear stress */
    loads[1] -= a->mass * (side < 2 ? v : u);
}

/* `now` has a tally and blocks that have ended. */
static void loads_measure(struct statistics *statistics, const struct statistics *now,
                          const struct boundary *boundary)
{
    const struct tally *tally = &now->tally;
    const struct block_times *times = &statistics->blocks.times;
    const double duration = now->blocks.times.to - times->from;
    struct figure_table *table = &statistics->table;
    const double gained = tally->end.thermal - tally->start.thermal;
    if (!statistics->loads.sums)
        return;
    table->values[FIGURE_ENERGY_WALLS] = sum_value(&statistics->given);
    table->values[FIGURE_ENERGY_BALANCE] = (gained - sum_value(&tally->energy_gained)) /
                                           fmax(tally->start.thermal, tally->end.thermal);
    struct boundary box = *boundary;
    box.polygons = NULL;
    const struct region_reach reach = reach_find(&box, statistics->classes.mean_radius);
    for (size_t k = 0; k < LOADS; k++) {
        const double length = k == LOAD_ABSORBED        ? 1
                              : k / FIGURES_OF_SIDE < 2 ? reach.height
                                                        : reach.width;
        const size_t figure = k == LOAD_ABSORBED ? FIGURE_ABSORBED_RATE : FIGURE_HEAT_LEFT + k;
        const struct block_estimate load = block_sums_mean(&statistics->loads, k, duration * length,
                                                           duration / (times->to - times->from));
        table->values[figure] = load.value;
        table->errors[figure] = load.error;
    }
    table->values[FIGURE_ABSORBED] = block_sums_total(&statistics->loads, LOAD_ABSORBED);
    for (int k = 0; k < 3; k++)
        table->values[FIGURE_ABSORBED_ENERGY + k] = sum_value(&statistics->left[k]);
}

/* Figures from time 0 on start here, as they include collisions at 0, which precede any sample. */
static enum status statistics_begin(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    const struct run_settings *run = observer->run;
    const struct boundary *boundary = &snapshot->system->boundary;
    if (snapshot->system->growth.pressure > 0) /* which may end the run at any time */
        observer->run->to = (double)INFINITY;
    statistics->system = snapshot->system;
    statistics->reference = run->reference;
    observer->notify_from = observer->next_sample = run->from;
    observer->basis = &statistics->tally.basis;
    if (!observers_traits(observer->all)->has_collisions)
        return STATUS_DONE;
    enum status status =
        polygon_hits_record(observer, run->from, snapshot, &statistics->hits, error);
    if (!status)
        status = packing_record(observer, run->from, snapshot, &statistics->packing, error);
    if (!status)
        status = classes_create(&statistics->classes, snapshot, error);
    classes_watch(&statistics->classes, &statistics->tally.basis);
    statistics->blocks.has_classes = statistics->classes.count > 1 && !wall_laws_absorb(boundary);
    statistics->sums =
        memory_allocate_zeros((BLOCKS + 1) * (1 + statistics->tally.basis.more_pairs),
                              sizeof *statistics->sums, "the sums over collisions", error);
    statistics->tally.basis.blocks = statistics->sums;
    if (!statistics->sums)
        status = STATUS_NO_MEMORY;
    if (!status && boundary->walls)
        status = block_sums_create(&statistics->loads, LOADS, error);
    if (!status && !(run->reference > 0) && boundary->stream.draw)
        status =
            polygon_shape_extremes(boundary->polygons, &(double){0}, &statistics->reference, error);
    if (status || observer->has_begun)
        return status;
    return run->from == 0 ? statistics_sample(observer, snapshot, error) : STATUS_DONE;
}

/* The collisions of each block: of two particles all together, and with the boundary one by one. */
static enum status statistics_take(struct observer *observer, const struct collision_batch *batch,
                                   struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    struct tally *tally = &statistics->tally;
    const struct collision *const end = batch->list + batch->count;
    (void)error;
    for (const struct collision *k = batch->list; k < end && statistics->is_counting;) {
        blocks_reach(&statistics->blocks, tally, k->time);
        const struct collision *const next =
            k + collision_sums_add(tally->sums, &tally->basis, k, (size_t)(end - k));
        for (; k < next; k++) {
            if (k->partner == PARTNER_PARTICLE)
                continue;
            tally_collide(tally, k);
            loads_collide(statistics, k);
        }
    }
    return STATUS_DONE;
}

/* Marks the blocks before the last one that has got sums, when all is known that is in them. */
static void statistics_mark(struct statistics *statistics)
{
    while (statistics->blocks.times.complete < statistics->tally.basis.last)
        blocks_mark(&statistics->blocks, &statistics->tally);
}

static void statistics_state(struct observer *observer, struct record *record)
{
    struct statistics *statistics = (struct statistics *)observer;
    struct run_settings *run = observer->run;
    if (isfinite(run->to))
        record_setting(record, "--stats-from", run->from, NULL);
    else
        record_number(record, &run->from, 0, SYSTEM_LARGEST);
    observer->notify_from = run->from;
    record_flag(record, &statistics->is_counting);
    if (!statistics->is_counting)
        observer->next_sample = run->from;
    if (!observers_traits(observer->all)->has_collisions) {
        struct dynamics *dynamics = observer->all->dynamics;
        record_number(record, &observer->next_sample, 0, DBL_MAX);
        if (dynamics->operations->traits.has_samples)
            dynamics->operations->samples.record(dynamics, run->clock, &statistics->began, record);
        else
            record_clock(record, run->clock, &statistics->began);
        record_end_line(record);
        return;
    }
    record_end_line(record);
    if (!record->status && statistics->is_counting) {
        statistics_mark(statistics);
        record_clock(record, run->clock, &statistics->began);
        const struct snapshot snapshot = snapshot_in_order(statistics->system, 0);
        const int has_end = isfinite(run->to);
        double to = has_end ? run->to : statistics->blocks.times.to;
        record_number(record, &to, has_end ? 0 : nextafter(run->from, DBL_MAX), DBL_MAX);
        if (has_end && to != run->to)
            record_refuse_run(record, "without END_TIME", "go on with it by the library");
        to = has_end ? run->to : to;
        tally_record(&statistics->tally, run->from, to, &snapshot, record);
        blocks_record(&statistics->blocks, run->from, to, record);
        statistics->tally.sums = statistics->sums + statistics->blocks.times.complete *
                                                        (1 + statistics->tally.basis.more_pairs);
        statistics->tally.sums->block = statistics->blocks.times.complete;
        tally_record_sums(&statistics->tally, record);
        if (statistics->loads.sums) {
            record_sum(record, &statistics->given);
            for (int k = 0; k < 3; k++)
                record_sum(record, &statistics->left[k]);
            record_end_line(record);
            block_sums_record(&statistics->loads, record);
        }
        observer->next_sample = has_end ? (double)INFINITY : to;
    }
}

/* Computes figures from a tally and blocks that end with the snapshot: its own, or a copy's. */
static enum status compute_figures(struct statistics *statistics, struct statistics *now,
                                   const struct snapshot *snapshot, struct error *error)
{
    enum status status = STATUS_DONE;
    double seconds = statistics->observer.run->clock() - statistics->began;
    statistics_mark(statistics);
    statistics->table.has_growth = statistics->packing != NULL;
    tally_end(&now->tally, snapshot);
    if (now != statistics)
        blocks_cut(&now->blocks, &now->tally, snapshot->time);
    blocks_complete(&now->blocks, &now->tally);
    now->tally.start.thermal = now->blocks.starts[INTEGRAL_ENERGY];
    figures_compute(&statistics->table, snapshot->system, &now->tally, &now->blocks,
                    statistics->reference, seconds);
    loads_measure(statistics, now, &snapshot->system->boundary);
    if (statistics->packing)
        status = packing_measure(statistics->packing, snapshot, statistics->table.values, error);
    statistics->figure_count =
        figures_list(&statistics->table, &snapshot->system->boundary, statistics->figures);
    statistics->figure_count += figures_list_species(
        &statistics->table, snapshot->system, &statistics->classes, &now->blocks, statistics->names,
        statistics->figures + statistics->figure_count);
    return status;
}

/* Computes figures from a copy. */
static enum status compute_now(struct statistics *statistics, const struct snapshot *snapshot,
                               struct error *error)
{
    static const char what[] = "the figures";
    const size_t pairs = 1 + statistics->tally.basis.more_pairs;
    statistics_mark(statistics);
    struct statistics *copy = memory_allocate(1, sizeof *copy, what, error);
    struct collision_sums *sums = memory_allocate_zeros(
        (BLOCKS + 1 - statistics->blocks.times.complete) * pairs, sizeof *sums, what, error);
    enum status status = copy && sums ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status) {
        *copy = *statistics;
        copy->tally.sums = memcpy(sums, statistics->tally.sums, pairs * sizeof *sums);
        while (copy->blocks.times.end < snapshot->time)
            blocks_mark(&copy->blocks, &copy->tally);
        status = compute_figures(statistics, copy, snapshot, error);
    }
    memory_free(copy);
    memory_free(sums);
    return status;
}

static enum status list_own(struct statistics *statistics, const struct snapshot *snapshot,
                            struct error *error)
{
    struct dynamics *dynamics = statistics->observer.all->dynamics;
    const struct snapshot_motion motion = tally_motion(snapshot);
    enum status status = isfinite(statistics->observer.run->to)
                             ? measure_own(statistics, snapshot, error)
                             : STATUS_DONE;
    const double seconds = statistics->observer.run->clock() - statistics->began;
    struct dynamics_figure *list = statistics->figures;
    statistics->table.values[FIGURE_SECONDS] = seconds;
    if (!status)
        status = dynamics->operations->list(dynamics, snapshot, &motion, seconds, list,
                                            &statistics->figure_count, error);
    for (size_t k = 0; k < statistics->figure_count; k++)
        if (list[k].blocks)
            list[k].error = block_error(list[k].blocks, list[k].least);
    return status;
}

enum status statistics_update(struct observer *observer, const struct snapshot *snapshot,
                              struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    if (!statistics->is_counting)
        return STATUS_DONE;
    return observers_traits(observer->all)->has_collisions
               ? compute_now(statistics, snapshot, error)
               : list_own(statistics, snapshot, error);
}

/* Formats a number that has an error: 14.117(15) is 14.117 with the standard error 0.015. */
static void format_measured(char text[FIGURE_TEXT_SIZE], double value, double error)
{
    char digits[FIGURE_TEXT_SIZE]; /* the error as d.de+dd */
    snprintf(digits, sizeof digits, "%.1e", error);
    const int decimals = 1 - atoi(digits + strcspn(digits, "e") + 1);
    if (decimals < 0 || decimals > 9 || fabs(value) > 1e9)
        snprintf(text, FIGURE_TEXT_SIZE, "%.7g(%.1e)", value, error);
    else
        snprintf(text, FIGURE_TEXT_SIZE, "%.*f(%c%c)", decimals, value, digits[0], digits[2]);
}

void figure_format(char text[FIGURE_TEXT_SIZE], const struct dynamics_figure *figure,
                   const char *none)
{
    const double value = figure->value + 0.0; /* there is no -0 */
    const enum figure_form form = figure->description.form;
    if (!isfinite(value))
        snprintf(text, FIGURE_TEXT_SIZE, "%s", none);
    else if (form == FIGURE_MEASURED && isfinite(figure->error) && figure->error > 0)
        format_measured(text, value, figure->error);
    else
        snprintf(text, FIGURE_TEXT_SIZE, form == FIGURE_WHOLE ? "%.0f" : "%.7g", value);
}

static void write_row(void *stream, const struct dynamics_figure *figure)
{
    const struct figure_description *description = &figure->description;
    char text[FIGURE_TEXT_SIZE];
    figure_format(text, figure, "-");
    fprintf(stream, "  %-32s %17s%s%s\n", description->label, text, *description->unit ? "  " : "",
            description->unit);
}

/* Writes a number with all its digits; `none` if it is not finite. */
static void write_number(enum figure_form form, double value, const char *none, FILE *stream)
{
    if (!isfinite(value))
        fputs(none, stream);
    else
        fprintf(stream, form == FIGURE_WHOLE ? "%.0f" : "%.17g", value + 0.0);
}

/* Writes a line "key = value", and one for the error. */
static void write_figure_line(void *stream, const struct dynamics_figure *figure)
{
    const struct figure_description *description = &figure->description;
    fprintf(stream, "%s = ", description->key);
    write_number(description->form, figure->value, "none", stream);
    if (description->form == FIGURE_MEASURED) {
        fprintf(stream, "\n%s_error = ", description->key);
        write_number(description->form, figure->error, "none", stream);
    }
    fputc('\n', stream);
}

/* Writes a member of an object of JSON, which is not the first. No string has a character to be
 * escaped. */
static void write_member(void *stream, const struct dynamics_figure *figure)
{
    const struct figure_description *description = &figure->description;
    fprintf(stream, ",\n\"%s\": {\"value\": ", description->key);
    write_number(description->form, figure->value, "null", stream);
    if (description->form == FIGURE_MEASURED) {
        fputs(", \"error\": ", stream);
        write_number(description->form, figure->error, "null", stream);
    }
    fprintf(stream, ", \"unit\": \"%s\"}", description->unit);
}

static void visit_polygon_hits(const struct polygon_hits *hits, statistics_visit *visit, void *to)
{
    for (size_t polygon = 0; hits && polygon < hits->count; polygon++) {
        const struct polygon_hit *hit = &hits->list[polygon];
        char label[50];
        char key[50];
        struct dynamics_figure figure = {{key, label, "", FIGURE_WHOLE}, "", .group = GROUP_WALLS};
        snprintf(label, sizeof label, "collisions with polygon %zu", polygon);
        snprintf(key, sizeof key, "collisions_polygon_%zu", polygon);
        figure.value = (double)hit->count;
        visit(to, &figure);
        figure.description = (struct figure_description){key, label, "momentum", FIGURE_REAL};
        for (int axis = 0; axis < 2; axis++) {
            snprintf(label, sizeof label, "  momentum given to it, in %c", "xy"[axis]);
            snprintf(key, sizeof key, "momentum_%c_polygon_%zu", "xy"[axis], polygon);
            figure.value = sum_value(axis == 0 ? &hit->momentum_x : &hit->momentum_y);
            visit(to, &figure);
        }
    }
}

static void write_figures_table(const struct statistics *statistics, FILE *stream)
{
    static const char *const headings[FIGURE_GROUPS] = {"particles", "walls", "stream", "run"};
    for (int group = 0; group < FIGURE_GROUPS; group++) {
        const char *heading = headings[group];
        for (size_t k = 0; k < statistics->figure_count; k++) {
            const struct dynamics_figure *figure = &statistics->figures[k];
            if ((int)figure->group != group || !figure->meaning)
                continue;
            if (heading)
                fprintf(stream, "%s:\n", heading);
            heading = NULL;
            write_row(stream, figure);
        }
        if (group == GROUP_WALLS)
            visit_polygon_hits(statistics->hits, write_row, stream);
    }
}

void statistics_each(const struct observer *observer, statistics_visit *visit, void *to)
{
    const struct statistics *statistics = (const struct statistics *)observer;
    for (size_t k = 0; k < statistics->figure_count; k++)
        visit(to, &statistics->figures[k]);
    visit_polygon_hits(statistics->hits, visit, to);
}

/* The name of a file says its format. */
static void write_figures_file(const struct statistics *statistics, FILE *stream)
{
    const char *end = strrchr(statistics->observer.file->name, '.');
    const int is_json = end && strcmp(end, ".json") == 0;
    if (is_json)
        fputs("{\"program\": \"particles\"", stream);
    statistics_each(&statistics->observer, is_json ? write_member : write_figure_line, stream);
    if (is_json)
        fputs("\n}\n", stream);
}

static enum status statistics_finish(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct statistics *statistics = (struct statistics *)observer;
    FILE *table = statistics->settings.table;
    enum status status = STATUS_DONE;
    if (!observers_traits(observer->all)->has_collisions)
        status = list_own(statistics, snapshot, error);
    else if (snapshot->time < statistics->blocks.times.to)
        status = compute_now(statistics, snapshot, error);
    else
        status = compute_figures(statistics, statistics, snapshot, error);
    if (status || (!observer->file && !table))
        return status;
    if (observer->file) {
        write_figures_file(statistics, observer->file->stream);
        return STATUS_DONE;
    }
    write_figures_table(statistics, table);
    return text_flush(table, "standard error", error);
}

struct figure_sources statistics_measured(const struct observer *observer)
{
    const struct statistics *statistics = (const struct statistics *)observer;
    return (struct figure_sources){&statistics->table, statistics->figures,
                                   statistics->figure_count, &statistics->tally,
                                   &statistics->blocks};
}

static void free_statistics(struct observer *observer)
{
    struct statistics *statistics = (struct statistics *)observer;
    memory_free(statistics->sums);
    classes_free(&statistics->classes);
    block_sums_free(&statistics->loads);
}

const struct observer_operations statistics_operations = {
    .kind = {"--stats", "the statistics", sizeof(struct statistics), FILE_AT_END},
    OBSERVER_SETTINGS(struct statistics),
    .watches = WATCH_PAIRS,
    .begin = statistics_begin,
    .take = statistics_take,
    .sample = statistics_sample,
    .finish = statistics_finish,
    .state = statistics_state,
    .free = free_statistics,
};
