/*
 * Measures structure and motion frame by frame, and writes the means when the run is over; see
 * structure.h. What is measured how stands in files of its own: pairs of particles
 * (pair_distribution.h), bonds (bond_order.h), waves of density (structure_factor.h), correlations
 * in time (correlator.h), speeds and free paths (kinetics.h). Each keeps its sums in blocks of time
 * (block_sums.h), from which the errors follow.
 */
#include "observe/structure.h"

#include "base/memory.h"
#include "bond_order.h"
#include "correlator.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/text.h"
#include "kinetics.h"
#include "measured.h"
#include "observe/frames.h"
#include "observe/statistics.h"
#include "observe/trajectory.h"
#include "pair_distribution.h"
#include "structure_factor.h"

#include <inttypes.h>

enum { MOST_MOMENTS = 1024, LABEL_SIZE = 32 };

/* The bond order of one frame. */
struct moment {
    double time, local, global;
};

/* The places of the sums of bond order in their table. */
enum { ORDER_LOCAL, ORDER_GLOBAL, ORDER_FRAMES, ORDER_SUMS };

struct structure {
    struct observer observer; /* the first member: see observer.h */
    struct structure_request request;
    struct frames frames;
    uint64_t first_frame; /* that counts */
    uint64_t next_frame;
    struct output_file file;
    struct classes classes;
    struct frame frame;
    struct pair_distribution pairs;
    struct bond_order bond_order;
    struct structure_factor factor;
    struct correlator correlator;
    struct kinetics kinetics;
    struct block_sums order_sums;
    struct moment *moments; /* MOST_MOMENTS, of every `stride`-th frame that counts; owned */
    size_t moment_count;
    uint64_t stride; /* a power of 2 */
};

/* The block of a time that counts. */
static int find_block(const struct structure *structure, double time)
{
    const struct structure_request *request = &structure->request;
    return block_sums_find(request->from, request->end_time, time);
}

/* How many frames in a row are at equal intervals. */
static uint64_t count_regular(const struct structure *structure)
{
    const struct frames *frames = &structure->frames;
    const uint64_t last = frames_first(frames, frames->end_time);
    return last - structure->first_frame + (frames_is_regular(frames, last) ? 1 : 0);
}

/* Makes all that is needed to measure, with nothing measured so far. */
static enum status prepare(struct structure *structure, const struct snapshot *snapshot,
                           struct error *error)
{
    const struct system *system = snapshot->system;
    const struct classes *classes = &structure->classes;
    const struct structure_request *request = &structure->request;
    const struct kinetics_request followed = {
        .classes = classes, .most = SIZE_MAX, .from = request->from, .to = request->end_time};
    structure->first_frame = frames_first(&structure->frames, structure->request.from);
    enum status status = classes_create(&structure->classes, snapshot, error);
    if (!status)
        status = frame_create(&structure->frame, system, error);
    if (!status)
        status = pair_distribution_create(&structure->pairs, &structure->frame, classes, error);
    if (!status)
        status = bond_order_create(&structure->bond_order, error);
    if (!status)
        status = structure_factor_create(&structure->factor, &structure->frame,
                                         structure->pairs.diameter, error);
    if (!status)
        status = correlator_create(&structure->correlator, system, classes,
                                   count_regular(structure), error);
    if (!status)
        status = kinetics_create(&structure->kinetics, snapshot, &followed, error);
    if (!status)
        status = block_sums_create(&structure->order_sums, ORDER_SUMS, error);
    if (status)
        return status;
    structure->moments = memory_allocate(MOST_MOMENTS, sizeof *structure->moments,
                                         "the bond order of frames", error);
    if (!structure->moments)
        return STATUS_NO_MEMORY;
    return output_file_prepare(&structure->file, structure->request.name, error);
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    enum status status = prepare(structure, snapshot, error);
    structure->next_frame = structure->first_frame;
    observer->next_look = frames_time(&structure->frames, structure->first_frame);
    return status;
}

/* Keeps the bond order of a frame, if it is one of those to be kept; when there is no more room,
 * every second one goes. */
static void keep_moment(struct structure *structure, const struct moment *moment)
{
    const uint64_t frame = structure->next_frame - structure->first_frame;
    if (frame % structure->stride != 0)
        return;
    if (structure->moment_count == MOST_MOMENTS) {
        for (size_t k = 0; k < MOST_MOMENTS / 2; k++)
            structure->moments[k] = structure->moments[2 * k];
        structure->moment_count = MOST_MOMENTS / 2;
        structure->stride *= 2;
    }
    structure->moments[structure->moment_count++] = *moment;
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    const int block = find_block(structure, snapshot->time);
    struct moment moment = {.time = snapshot->time};
    frame_take(&structure->frame, snapshot);
    enum status status = bond_order_find(&structure->bond_order, &structure->frame, &moment.local,
                                         &moment.global, error);
    if (status)
        return status;
    double *sums = block_sums_table(&structure->order_sums, block);
    sums[ORDER_LOCAL] += moment.local;
    sums[ORDER_GLOBAL] += moment.global;
    sums[ORDER_FRAMES]++;
    keep_moment(structure, &moment);
    pair_distribution_add(&structure->pairs, &structure->frame, structure->next_frame, block);
    structure_factor_add(&structure->factor, &structure->frame, block);
    kinetics_look(&structure->kinetics, snapshot);
    if (frames_is_regular(&structure->frames, structure->next_frame))
        correlator_add(&structure->correlator, snapshot, block);
    observer->next_look = frames_time(&structure->frames, ++structure->next_frame);
    return STATUS_DONE;
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    (void)error;
    kinetics_collide(&structure->kinetics, collision);
    return STATUS_DONE;
}

/* A stream has given a particle another velocity: it is not the one that began a path. */
static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    (void)error;
    kinetics_forget(&structure->kinetics, passage->a.number);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, structure->request.interval);
    record_put_number(writer, structure->request.from);
    record_put_whole(writer, structure->next_frame);
    record_put_whole(writer, structure->stride);
    record_put_whole(writer, structure->moment_count);
    record_end_line(writer);
    for (size_t k = 0; k < structure->moment_count; k++) {
        record_put_number(writer, structure->moments[k].time);
        record_put_number(writer, structure->moments[k].local);
        record_put_number(writer, structure->moments[k].global);
        record_end_line(writer);
    }
    block_sums_save(&structure->order_sums, writer);
    block_sums_save(&structure->pairs.blocks, writer);
    block_sums_save(&structure->factor.blocks, writer);
    correlator_save(&structure->correlator, writer);
    kinetics_save(&structure->kinetics, writer);
    return STATUS_DONE;
}

/* Takes the first line and checks that the options are those of the run that is resumed. */
static enum status load_options(struct structure *structure, struct record_reader *reader,
                                struct error *error)
{
    const double interval = record_take_number(reader, DBL_MIN, DBL_MAX);
    const double from = record_take_number(reader, 0, structure->request.end_time);
    structure->next_frame = record_take_whole(reader, (uint64_t)TRAJECTORY_MOST_FRAMES + 2);
    structure->stride = record_take_whole(reader, (uint64_t)1 << 32);
    structure->moment_count = record_take_count(reader, MOST_MOMENTS, 3);
    record_expect_line_end(reader);
    if (structure->request.end_time > TRAJECTORY_MOST_FRAMES * interval)
        record_refuse(reader, "these are too many frames");
    if (structure->stride == 0)
        record_refuse(reader, "0 is no distance of frames");
    if (!reader->status && interval != structure->request.interval)
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run with --every=%.17g: give it again",
                         reader->name, interval);
    if (!reader->status && from != structure->request.from)
        return statistics_refuse_from(reader->name, from, error);
    return reader->status;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    enum status status = load_options(structure, reader, error);
    if (!status)
        status = prepare(structure, snapshot, error);
    if (structure->next_frame < structure->first_frame)
        record_refuse(reader, "this frame does not count");
    for (size_t k = 0; !status && !reader->status && k < structure->moment_count; k++) {
        struct moment *moment = &structure->moments[k];
        moment->time = record_take_number(reader, 0, DBL_MAX);
        moment->local = record_take_number(reader, 0, 2);
        moment->global = record_take_number(reader, 0, 2);
        record_expect_line_end(reader);
    }
    if (status || reader->status)
        return status ? status : reader->status;
    block_sums_load(&structure->order_sums, reader);
    block_sums_load(&structure->pairs.blocks, reader);
    block_sums_load(&structure->factor.blocks, reader);
    correlator_load(&structure->correlator, reader);
    kinetics_load(&structure->kinetics, reader);
    observer->next_look = frames_time(&structure->frames, structure->next_frame);
    return reader->status;
}

/* Writes a comma, and a number if it is determined. */
static void write_field(FILE *stream, double value)
{
    char text[NUMBER_SHORTEST_SIZE] = "";
    if (isfinite(value))
        number_write_shortest(text, value + 0.0); /* + 0.0: there is no -0 */
    fprintf(stream, ",%s", text);
}

/* Takes a row into the file. */
static void write_row(void *to, const char *quantity, const char *species, double x,
                      struct estimate estimate)
{
    FILE *stream = to;
    fprintf(stream, "%s,%s", quantity, species);
    write_field(stream, x);
    write_field(stream, estimate.value);
    write_field(stream, estimate.error);
    fputc('\n', stream);
}

/* Tells a row. */
static void put_row(const struct row_sink *sink, const char *quantity, const char *species,
                    double x, struct estimate estimate)
{
    sink->take(sink->to, quantity, species, x, estimate);
}

/* A value that is known without an error. */
static struct estimate exactly(double value)
{
    return (struct estimate){value, (double)NAN};
}

/* The middle of two edges. */
static double middle(double begin, double end)
{
    return begin + (end - begin) / 2;
}

/* What a group of particles is called. */
static const char *name_group(const struct classes *classes, size_t group, char label[LABEL_SIZE])
{
    snprintf(label, LABEL_SIZE, "all");
    if (group > 0)
        snprintf(label, LABEL_SIZE, "%" PRId32, classes->species[group - 1]);
    return label;
}

/* g of the pairs of a slot, and at contact if all of them have one distance of contact. */
static void tell_slot(const struct structure *structure, size_t slot, const char *label,
                      double contact, const struct row_sink *sink)
{
    const struct pair_distribution *pairs = &structure->pairs;
    for (size_t bin = 0; bin < pairs->near_bins + pairs->far_bins; bin++)
        put_row(sink, "g", label,
                middle(pair_distribution_edge(pairs, bin), pair_distribution_edge(pairs, bin + 1)),
                pair_distribution_value(pairs, slot, bin));
    if (contact > 0)
        put_row(sink, "g_contact", label, contact, pair_distribution_contact(pairs, slot, contact));
}

static void tell_pairs(const struct structure *structure, const struct row_sink *sink)
{
    const struct classes *classes = &structure->classes;
    int is_equal = 1;
    for (size_t a = 0; a < classes->count; a++)
        is_equal = is_equal && classes->radius[a] == classes->radius[0];
    tell_slot(structure, 0, "all", is_equal ? 2 * classes->radius[0] : 0, sink);
    for (size_t a = 0; a < classes->count && classes->count > 1; a++) {
        for (size_t b = a; b < classes->count; b++) {
            char label[LABEL_SIZE];
            snprintf(label, sizeof label, "%" PRId32 "-%" PRId32, classes->species[a],
                     classes->species[b]);
            tell_slot(structure, pair_slot(&structure->pairs, a, b), label,
                      classes->radius[a] + classes->radius[b], sink);
        }
    }
}

static void tell_order(const struct structure *structure, const struct row_sink *sink)
{
    const struct block_sums *sums = &structure->order_sums;
    put_row(sink, "psi6_local", "all", (double)NAN,
            block_sums_ratio(sums, ORDER_LOCAL, ORDER_FRAMES, 1));
    put_row(sink, "psi6_global", "all", (double)NAN,
            block_sums_ratio(sums, ORDER_GLOBAL, ORDER_FRAMES, 1));
    for (size_t k = 0; k < structure->moment_count; k++) {
        const struct moment *moment = &structure->moments[k];
        put_row(sink, "psi6_local_at", "all", moment->time, exactly(moment->local));
        put_row(sink, "psi6_global_at", "all", moment->time, exactly(moment->global));
    }
}

static void tell_factor(const struct structure *structure, const struct row_sink *sink)
{
    const struct structure_factor *factor = &structure->factor;
    for (size_t shell = 0; shell < factor->shells; shell++)
        put_row(sink, "structure_factor", "all", ((double)shell + 0.5) * factor->width,
                structure_factor_value(factor, shell));
}

static void tell_correlations(const struct structure *structure, size_t group,
                              const struct row_sink *sink)
{
    const struct correlator *correlator = &structure->correlator;
    char label[LABEL_SIZE];
    name_group(&structure->classes, group, label);
    for (size_t lag = 0; lag < correlator_lags(correlator); lag++) {
        if (correlator_lag(lag) >= correlator->taken)
            break;
        const double time = (double)correlator_lag(lag) * structure->request.interval;
        put_row(sink, "mean_square_displacement", label, time,
                correlator_displacement(correlator, lag, group));
        put_row(sink, "velocity_autocorrelation", label, time,
                correlator_velocity(correlator, lag, group));
    }
}

static void tell_kinetics(const struct structure *structure, const struct system *system,
                          size_t group, const struct row_sink *sink)
{
    const struct kinetics *kinetics = &structure->kinetics;
    const struct histogram *speeds = &kinetics->speeds[group];
    const struct histogram *paths = &kinetics->paths[group];
    char label[LABEL_SIZE];
    name_group(&structure->classes, group, label);
    for (size_t bin = 0; bin < histogram_used(speeds); bin++) {
        const double x = middle(histogram_edge(speeds, bin), histogram_edge(speeds, bin + 1));
        put_row(sink, "speed", label, x, histogram_density(speeds, bin));
        put_row(sink, "speed_maxwell", label, x,
                exactly(kinetics_maxwell(kinetics, system, group, bin)));
    }
    for (size_t bin = 0; bin < histogram_used(paths); bin++) {
        const double x = middle(histogram_edge(paths, bin), histogram_edge(paths, bin + 1));
        put_row(sink, "free_path", label, x, histogram_density(paths, bin));
        put_row(sink, "free_path_exponential", label, x,
                exactly(kinetics_exponential(kinetics, group, bin)));
    }
}

void structure_tell(const struct observer *observer, const struct snapshot *snapshot,
                    const struct row_sink *sink)
{
    const struct structure *structure = (const struct structure *)observer;
    tell_pairs(structure, sink);
    tell_order(structure, sink);
    tell_factor(structure, sink);
    for (size_t group = 0; group < classes_groups(&structure->classes); group++)
        tell_correlations(structure, group, sink);
    for (size_t group = 0; group < classes_groups(&structure->classes); group++)
        tell_kinetics(structure, snapshot->system, group, sink);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    enum status status = output_file_begin(&structure->file, error);
    if (status)
        return status;
    FILE *stream = structure->file.stream;
    structure->file.is_durable = observer->is_resumable;
    fputs("quantity,species,x,value,error\n", stream);
    structure_tell(observer, snapshot, &(struct row_sink){write_row, stream});
    return output_file_complete(&structure->file, error);
}

static void free_structure(struct observer *observer)
{
    struct structure *structure = (struct structure *)observer;
    output_file_abandon(&structure->file);
    memory_free(structure->moments);
    block_sums_free(&structure->order_sums);
    kinetics_free(&structure->kinetics);
    correlator_free(&structure->correlator);
    structure_factor_free(&structure->factor);
    bond_order_free(&structure->bond_order);
    pair_distribution_free(&structure->pairs);
    frame_free(&structure->frame);
    classes_free(&structure->classes);
    memory_free(structure);
}

enum status structure_create(const struct structure_request *request, struct observer **observer,
                             struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin,
        .collide = collide,
        .renew = renew,
        .look = look,
        .finish = finish,
        .option = "--structure",
        .save = save,
        .load = load,
        .free = free_structure,
    };
    struct structure *structure = memory_allocate(1, sizeof *structure, "the structure", error);
    if (!structure)
        return STATUS_NO_MEMORY;
    *structure = (struct structure){.observer = {.operations = &operations, /* until `begin` */
                                                 .next_look = (double)INFINITY,
                                                 .told_from = request->from},
                                    .request = *request,
                                    .frames = {request->interval, request->end_time},
                                    .stride = 1};
    *observer = &structure->observer;
    return STATUS_DONE;
}
