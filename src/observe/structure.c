/* Measures structure and motion frame by frame (correlations.h, kinetics.h), and writes the means
 * when the run is over; see observe/writers.h. The sums are kept in blocks of time (blocks.h). */
#include "observe/writers.h"

#include "base/memory.h"
#include "correlations.h"
#include "figures.h"
#include "io/number.h"
#include "io/record.h"
#include "kinetics.h"
#include "model/region.h"
#include "tally.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_ORDERS = 1024,
    LABEL_SIZE = 32,
    MEMORY = 8 /* mean free times, in which flows of heat in a thin gas decay to e^-4 */
};

struct structure_order {
    double time, local, global;
    double fraction, pressure; /* of disks that grow: the area fraction in the middle of the time
                                  since the frame before, and the reduced pressure in it */
};

/* The sums of bond order in their table. */
enum { ORDER_LOCAL, ORDER_GLOBAL, ORDER_FRAMES, ORDER_SUMS };

struct structure {
    struct observer observer; /* the first member: see observer.h */
    uint64_t first_frame;     /* that counts */
    uint64_t next_frame;
    struct classes classes;
    struct neighbours_map map;
    struct bond_order *bonds; /* of each particle in this frame; owned */
    struct pair_distribution pairs;
    struct structure_factor factor;
    struct correlator correlator;
    struct kinetics kinetics;
    struct transport transport;
    struct block_sums order_sums;
    double fraction;             /* of disks that grow: the area fraction at time 0; or 0 */
    double virial, ideal, since; /* of disks that grow: the sum of d.J since the last frame, and N T
                                    and the time then; 0 before the first one */
    struct structure_order orders[MAX_ORDERS]; /* of each `stride`-th frame that counts */
    size_t order_count;
    uint64_t stride; /* a power of 2 */
};

static enum status structure_begin(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    const struct run_settings *run = observer->run;
    const struct frames *frames = &run->frames;
    const struct system *system = snapshot->system;
    const struct classes *classes = &structure->classes;
    const int collides = observers_traits(observer->all)->has_collisions;
    if (run->to > FRAMES_MAX * run->interval) /* as only a checkpoint can have it */
        return error_set(error, STATUS_BAD_DATA, "--structure: these are too many frames");
    const uint64_t first = frames_first(frames, run->from);
    const uint64_t last = frames_first(frames, run->to);
    const uint64_t regular = last - first + (frames_is_regular(frames, last) ? 1 : 0);
    structure->stride = 1;
    if (system->boundary.growth > 0)
        structure->fraction = system_covered(system) / reach_area(&system->boundary);
    structure->first_frame = structure->next_frame = first;
    observer->notify_from = run->from;
    observer->next_sample = frames_time(frames, first);
    structure->bonds =
        memory_allocate(system->count, sizeof *structure->bonds, "the bonds of --structure", error);
    if (!structure->bonds || classes_create(&structure->classes, snapshot, error) ||
        neighbours_map_create(&structure->map, &system->boundary, system->count, error) ||
        pair_distribution_create(&structure->pairs, &structure->map, classes, error) ||
        structure_factor_create(&structure->factor, &structure->map, classes,
                                structure->pairs.diameter, error) ||
        correlator_create(&structure->correlator, system->count, classes, regular, error) ||
        transport_create(&structure->transport, snapshot, collides, regular, error) ||
        kinetics_create(&structure->kinetics, snapshot, classes, SIZE_MAX, run->from, run->to,
                        error) ||
        block_sums_create(&structure->order_sums, ORDER_SUMS, error))
        return STATUS_NO_MEMORY;
    return STATUS_DONE;
}

/* Keeps the bond order of each `stride`-th frame; a full list is halved, and the stride doubled. */
static void keep_order(struct structure *structure, const struct structure_order *order)
{
    const uint64_t frame = structure->next_frame - structure->first_frame;
    if (frame % structure->stride != 0)
        return;
    if (structure->order_count == MAX_ORDERS) {
        for (size_t k = 0; k < MAX_ORDERS / 2; k++)
            structure->orders[k] = structure->orders[2 * k];
        structure->order_count = MAX_ORDERS / 2;
        structure->stride *= 2;
    }
    structure->orders[structure->order_count++] = *order;
}

/* The equation of state of disks that grow: p A / (N T) = 1 + (sum of d.J) / (2 N T t). */
static void find_reduced_pressure(struct structure *structure, const struct snapshot *snapshot,
                                  struct structure_order *order)
{
    const struct system *system = snapshot->system;
    const struct snapshot_motion motion = tally_motion(snapshot);
    const double ideal = motion.thermal / motion.half_freedom * (double)system->count;
    const double grown = system_grown(system, (structure->since + snapshot->time) / 2);
    const double elapsed = snapshot->time - structure->since;
    order->fraction = structure->fraction * grown * grown;
    if (structure->ideal > 0 && elapsed > 0)
        order->pressure = 1 + structure->virial / ((structure->ideal + ideal) * elapsed);
    structure->virial = 0;
    structure->ideal = ideal;
    structure->since = snapshot->time;
}

static enum status structure_sample(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    const int block = block_sums_find(observer->run->from, observer->run->to, snapshot->time);
    struct structure_order order = {.time = snapshot->time};
    classes_count(&structure->classes, snapshot);
    neighbours_map_take(&structure->map, snapshot);
    enum status status =
        bond_order_find(&structure->map, structure->bonds, &order.local, &order.global, error);
    if (status)
        return status;
    double *sums = block_sums_table(&structure->order_sums, block);
    sums[ORDER_LOCAL] += order.local;
    sums[ORDER_GLOBAL] += order.global;
    sums[ORDER_FRAMES]++;
    if (structure->fraction > 0)
        find_reduced_pressure(structure, snapshot, &order);
    keep_order(structure, &order);
    pair_distribution_add(&structure->pairs, &structure->map, structure->bonds,
                          structure->next_frame, block);
    structure_factor_add(&structure->factor, &structure->map, block);
    kinetics_sample(&structure->kinetics, snapshot);
    if (frames_is_regular(&observer->run->frames, structure->next_frame)) {
        correlator_add(&structure->correlator, snapshot, structure->kinetics.drift_u,
                       structure->kinetics.drift_v, block);
        transport_sample(&structure->transport, snapshot, block);
    }
    observer->next_sample = frames_time(&observer->run->frames, ++structure->next_frame);
    return STATUS_DONE;
}

static enum status structure_take(struct observer *observer, const struct collision_batch *batch,
                                  struct error *error)
{
    struct structure *structure = (struct structure *)observer;
    (void)error;
    kinetics_collide(&structure->kinetics, batch->list, batch->count);
    for (size_t k = 0; k < batch->count && structure->fraction > 0; k++)
        if (batch->list[k].partner == PARTNER_PARTICLE)
            structure->virial += tally_virial(&batch->list[k]);
    for (size_t k = 0; k < batch->count; k++)
        if (!batch->list[k].is_reinjection)
            transport_collide(&structure->transport, &batch->list[k]);
    return STATUS_DONE;
}

static void structure_state(struct observer *observer, struct record *record)
{
    struct structure *structure = (struct structure *)observer;
    record_setting(record, "--every", observer->run->interval, NULL);
    record_setting(record, "--stats-from", observer->run->from, NULL);
    record_whole(record, &structure->next_frame, (uint64_t)FRAMES_MAX + 2);
    record_whole(record, &structure->stride, (uint64_t)1 << 32);
    record_count(record, &structure->order_count, MAX_ORDERS, 5);
    record_end_line(record);
    if (structure->stride == 0)
        record_refuse(record, "0 is no distance of frames");
    if (structure->next_frame < structure->first_frame)
        record_refuse(record, "this frame does not count");
    for (size_t k = 0; k < structure->order_count && !record->status; k++) {
        struct structure_order *order = &structure->orders[k];
        record_number(record, &order->time, 0, DBL_MAX);
        record_number(record, &order->local, 0, 2);
        record_number(record, &order->global, 0, 2);
        record_number(record, &order->fraction, 0, DBL_MAX);
        record_number(record, &order->pressure, 0, DBL_MAX);
        record_end_line(record);
    }
    record_number(record, &structure->virial, -DBL_MAX, DBL_MAX);
    record_number(record, &structure->ideal, 0, DBL_MAX);
    record_number(record, &structure->since, 0, DBL_MAX);
    record_end_line(record);
    block_sums_record(&structure->order_sums, record);
    block_sums_record(&structure->pairs.blocks, record);
    block_sums_record(&structure->factor.blocks, record);
    correlator_record(&structure->correlator, record);
    transport_record(&structure->transport, record);
    kinetics_record(&structure->kinetics, record);
    observer->next_sample = frames_time(&observer->run->frames, structure->next_frame);
}

static void structure_write_row(void *to, const char *quantity, const char *species, double x,
                                struct block_estimate estimate)
{
    FILE *stream = to;
    fprintf(stream, "%s,%s", quantity, species);
    csv_put_fields(stream, (const double[]){x, estimate.value, estimate.error}, 3);
    fputc('\n', stream);
}

static void put_row(const struct figure_sink *sink, const char *quantity, const char *species,
                    double x, struct block_estimate estimate)
{
    sink->take(sink->to, quantity, species, x, estimate);
}

static double middle(double begin, double end)
{
    return begin + (end - begin) / 2;
}

static double find_middle(const struct pair_distribution *pairs, size_t bin)
{
    return middle(pair_distribution_edge(pairs, bin), pair_distribution_edge(pairs, bin + 1));
}

/* Lists g of the pairs of a slot, also at contact if all of them have the same contact distance,
 * and their structure factor. */
static void list_slot(const struct structure *structure, size_t slot, const char *label,
                      double contact, const struct figure_sink *sink)
{
    const struct pair_distribution *pairs = &structure->pairs;
    const struct structure_factor *factor = &structure->factor;
    for (size_t bin = 0; bin < pairs->near_bins + pairs->far_bins; bin++)
        put_row(sink, "g", label, find_middle(pairs, bin),
                pair_distribution_value(pairs, slot, bin));
    if (contact > 0 && structure->fraction == 0) /* of disks that do not grow */
        put_row(sink, "g_contact", label, contact, pair_distribution_contact(pairs, slot, contact));
    for (size_t shell = 0; shell < factor->shells; shell++)
        put_row(sink, "structure_factor", label, ((double)shell + 0.5) * factor->width,
                structure_factor_value(factor, slot, shell));
}

static void list_distributions(const struct structure *structure, const struct figure_sink *sink)
{
    const struct classes *classes = &structure->classes;
    int is_equal = 1;
    for (size_t a = 0; a < classes->count; a++)
        is_equal = is_equal && classes->radius[a] == classes->radius[0];
    list_slot(structure, 0, "all", is_equal ? 2 * classes->radius[0] : 0, sink);
    for (size_t a = 0; a < classes->count && classes->count > 1; a++) {
        for (size_t b = a; b < classes->count; b++) {
            char label[LABEL_SIZE];
            snprintf(label, sizeof label, "%" PRId32 "~%" PRId32, classes->species[a],
                     classes->species[b]);
            list_slot(structure, classes_slot(classes, a, b), label,
                      classes->radius[a] + classes->radius[b], sink);
        }
    }
}

static void list_order(const struct structure *structure, const struct figure_sink *sink)
{
    const struct block_sums *sums = &structure->order_sums;
    const struct pair_distribution *pairs = &structure->pairs;
    put_row(sink, "psi6_local", "all", (double)NAN,
            block_sums_ratio(sums, ORDER_LOCAL, ORDER_FRAMES, 1));
    put_row(sink, "psi6_global", "all", (double)NAN,
            block_sums_ratio(sums, ORDER_GLOBAL, ORDER_FRAMES, 1));
    for (size_t bin = 0; bin < pairs->near_bins + pairs->far_bins; bin++)
        put_row(sink, "g6", "all", find_middle(pairs, bin), pair_distribution_order(pairs, bin));
    for (size_t k = 0; k < structure->order_count; k++) {
        const struct structure_order *order = &structure->orders[k];
        put_row(sink, "psi6_local_at", "all", order->time, estimate_exact(order->local));
        put_row(sink, "psi6_global_at", "all", order->time, estimate_exact(order->global));
        if (order->pressure > 0)
            put_row(sink, "reduced_pressure", "all", order->fraction,
                    estimate_exact(order->pressure));
    }
}

static void list_correlations(const struct structure *structure, size_t group, const char *label,
                              const struct figure_sink *sink)
{
    const struct correlator *correlator = &structure->correlator;
    for (size_t lag = 0;
         lag < correlator_lags(correlator) && correlator_lag(lag) < correlator->taken; lag++) {
        const double time = (double)correlator_lag(lag) * structure->observer.run->interval;
        put_row(sink, "mean_square_displacement", label, time,
                correlator_mean(correlator, lag, group, CORRELATOR_DISPLACEMENT));
        put_row(sink, "velocity_autocorrelation", label, time,
                correlator_mean(correlator, lag, group, CORRELATOR_VELOCITY));
    }
}

/* Lists a coefficient over lags, at the plateau, and by Enskog's theory: a factor times the slope
 * of a mean square. The plateau is at the first lag with an error whose half is as long as the
 * memory, or else, of viscosity, half of that, as momentum is forgotten sooner. Diffusion D also
 * waits for 8 D / c^2, in which the velocities of a group are forgotten. */
static void list_coefficient(const struct structure *structure, int coefficient, size_t group,
                             const char *label, const struct figure_sink *sink)
{
    static const char *const names[][3] = {
        {"viscosity", "viscosity_plateau", "viscosity_enskog"},
        {"heat_conductivity", "heat_conductivity_plateau", "heat_conductivity_enskog"},
        {"diffusion", "diffusion_plateau", "diffusion_enskog"}};
    const struct transport *transport = &structure->transport;
    const struct correlator *correlator =
        coefficient == TRANSPORT_DIFFUSION ? &structure->correlator : &transport->correlator;
    const struct frames *frames = &structure->observer.run->frames;
    const size_t end = group > 0 ? group + 1 : classes_groups(&structure->classes);
    const double duration = frames->end_time - frames_time(frames, structure->first_frame);
    const double free_time =
        duration * (double)structure->correlator.particles / (double)transport->ends;
    struct block_estimate plateau = estimate_exact((double)NAN);
    double memory = coefficient == TRANSPORT_VISCOSITY ? MEMORY / 2 : MEMORY;
    double plateau_time = (double)NAN;
    double factors[TRANSPORT_COEFFICIENTS], enskog[TRANSPORT_COEFFICIENTS];
    transport_factors(transport, factors);
    transport_enskog(transport, enskog);
    for (size_t lag = 1;
         lag < correlator_lags(correlator) && correlator_lag(lag) < correlator->taken; lag++) {
        const double time = (double)correlator_lag(lag) * frames->interval;
        const double half = (double)(correlator_lag(lag) / 2) * frames->interval;
        const double factor = factors[coefficient] / frames->interval;
        const struct block_estimate slope = correlator_slope(correlator, lag, group, factor);
        double unit = free_time;
        put_row(sink, names[coefficient][0], label, time, slope);
        for (size_t k = group; k < end && coefficient == TRANSPORT_DIFFUSION; k++)
            unit = fmax(unit, correlator_slope(correlator, lag, k, factor).value /
                                  correlator_mean(correlator, 0, k, CORRELATOR_VELOCITY).value);
        if (half >= memory * unit && isfinite(slope.error)) {
            memory = half < MEMORY * unit ? MEMORY : (double)INFINITY;
            plateau_time = time;
            plateau = slope;
        }
    }
    put_row(sink, names[coefficient][1], label, plateau_time, plateau);
    if (isfinite(enskog[coefficient]) && strcmp(label, "all") == 0)
        put_row(sink, names[coefficient][2], label, (double)NAN,
                estimate_exact(enskog[coefficient]));
}

static void structure_list_kinetics(const struct structure *structure, size_t group,
                                    const char *label, const struct figure_sink *sink)
{
    const struct kinetics *kinetics = &structure->kinetics;
    const struct histogram *speeds = &kinetics->speeds[group];
    const struct histogram *paths = &kinetics->paths[group];
    for (size_t bin = 0; bin < histogram_used(speeds); bin++) {
        const double x = middle(histogram_edge(speeds, bin), histogram_edge(speeds, bin + 1));
        put_row(sink, "speed", label, x, histogram_density(speeds, bin));
        put_row(sink, "speed_maxwell", label, x,
                estimate_exact(kinetics_maxwell(kinetics, group, bin)));
    }
    for (size_t bin = 0; bin < histogram_used(paths); bin++) {
        const double x = middle(histogram_edge(paths, bin), histogram_edge(paths, bin + 1));
        put_row(sink, "free_path", label, x, histogram_density(paths, bin));
        put_row(sink, "free_path_exponential", label, x,
                estimate_exact(kinetics_exponential(kinetics, group, bin)));
    }
}

void structure_list(const struct observer *observer, const struct figure_sink *sink)
{
    const struct structure *structure = (const struct structure *)observer;
    const size_t groups = classes_groups(&structure->classes);
    const char *refusal = structure->transport.refusal;
    put_row(sink, "frame_velocity_x", "all", (double)NAN,
            estimate_exact(structure->kinetics.drift_u));
    put_row(sink, "frame_velocity_y", "all", (double)NAN,
            estimate_exact(structure->kinetics.drift_v));
    list_distributions(structure, sink);
    list_order(structure, sink);
    if (refusal)
        put_row(sink, refusal, "all", (double)NAN, estimate_exact((double)NAN));
    for (int k = TRANSPORT_VISCOSITY; k <= TRANSPORT_HEAT && !refusal; k++)
        list_coefficient(structure, k, 1 + (size_t)k, "all", sink);
    for (size_t k = 0; k < 2 * groups; k++) {
        char label[LABEL_SIZE] = "all";
        const size_t group = k % groups;
        if (group > 0)
            snprintf(label, sizeof label, "%" PRId32, structure->classes.species[group - 1]);
        if (k < groups) {
            list_correlations(structure, group, label, sink);
            list_coefficient(structure, TRANSPORT_DIFFUSION, group, label, sink);
        } else {
            structure_list_kinetics(structure, group, label, sink);
        }
    }
}

static enum status structure_finish(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    FILE *stream = observer->file->stream;
    (void)snapshot;
    (void)error;
    fputs("quantity,species,x,value,error\n", stream);
    structure_list(observer, &(struct figure_sink){structure_write_row, stream});
    return STATUS_DONE;
}

static void free_structure(struct observer *observer)
{
    struct structure *structure = (struct structure *)observer;
    block_sums_free(&structure->order_sums);
    kinetics_free(&structure->kinetics);
    transport_free(&structure->transport);
    correlator_free(&structure->correlator);
    structure_factor_free(&structure->factor);
    pair_distribution_free(&structure->pairs);
    neighbours_map_free(&structure->map);
    memory_free(structure->bonds);
    classes_free(&structure->classes);
}

const struct observer_operations structure_operations = {
    .kind = {"--structure", "the structure", sizeof(struct structure), FILE_AT_END},
    .watches = WATCH_PAIRS,
    .begin = structure_begin,
    .take = structure_take,
    .sample = structure_sample,
    .finish = structure_finish,
    .state = structure_state,
    .free = free_structure,
};
