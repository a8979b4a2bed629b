/* Speeds and free paths; see kinetics.h. */
#include "kinetics.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"

/* Indices of the sums in a table; of each group, length and number of paths. */
enum { HEAT, HEATED, PATHS };

static size_t find_paths(size_t group)
{
    return PATHS + 2 * group;
}

enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct kinetics_request *request, struct error *error)
{
    const struct system *system = snapshot->system;
    const struct motion motion = tally_motion(snapshot);
    *kinetics = (struct kinetics){.request = *request,
                                  .system = system,
                                  .drift_u = motion.drift_u,
                                  .drift_v = motion.drift_v,
                                  .kind_count = system->kinds ? system->kind_count : 1};
    while ((system->count - 1) >> kinetics->shift >= request->most)
        kinetics->shift++;
    /* Of an eighth: then few collisions of a million wait for the memory. */
    const unsigned fewer = kinetics->shift > 0 ? 3 : 0;
    kinetics->path_mask = ((uint32_t)1 << (kinetics->shift + fewer)) - 1;
    kinetics->count = ((system->count - 1) >> kinetics->shift) + 1;
    kinetics->flown =
        memory_allocate(kinetics->count, sizeof *kinetics->flown, "the free paths", error);
    kinetics->kind_members = memory_allocate_zeros(
        kinetics->kind_count, sizeof *kinetics->kind_members, "the kinds of particles", error);
    if (!kinetics->flown || !kinetics->kind_members)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < kinetics->count; k++) {
        kinetics->flown[k] = -1;
        kinetics->kind_members[snapshot_body(snapshot, k << kinetics->shift).kind]++;
    }
    const size_t groups = classes_groups(request->classes);
    enum status status = block_sums_create(&kinetics->sums, find_paths(groups), error);
    for (size_t group = 0; group < groups && !status; group++) {
        status = histogram_create(&kinetics->speeds[group], error);
        if (!status)
            status = histogram_create(&kinetics->paths[group], error);
    }
    return status;
}

void kinetics_free(struct kinetics *kinetics)
{
    for (size_t group = 0; group < GROUPS_MAX; group++) {
        histogram_free(&kinetics->speeds[group]);
        histogram_free(&kinetics->paths[group]);
    }
    block_sums_free(&kinetics->sums);
    memory_free(kinetics->flown);
    memory_free(kinetics->kind_members);
}

/* elementary_length in each lane, without a branch on which component is larger: it would be
 * guessed wrong every second time. */
static inline simd kinetics_lengths(simd x, simd y)
{
    const simd_mask sign = (simd_mask)simd_all(-0.0);
    const simd a = simd_except(sign, x);
    const simd b = simd_except(sign, y);
    const simd larger = simd_larger(b, a);
    const simd ratio = simd_smaller(a, b) / larger;
    return simd_except(larger == simd_all(0), larger * simd_root(simd_all(1) + ratio * ratio));
}

void kinetics_sample(struct kinetics *kinetics, const struct snapshot *snapshot)
{
    const struct kinetics_request *request = &kinetics->request;
    const int block = block_sums_find(request->from, request->to, snapshot->time);
    double *counts = block_sums_table(&kinetics->speeds[0].counts, block);
    double heat = 0;
    for (size_t k = 0; k < kinetics->count; k++) {
        const size_t number = k << kinetics->shift;
        const struct body body = snapshot_body(snapshot, number);
        const double u = body.u - kinetics->drift_u;
        const double v = body.v - kinetics->drift_v;
        const double speed = kinetics_lengths((simd){u}, (simd){v})[0];
        heat += 0.5 * body.mass * (u * u + v * v);
        histogram_put(&kinetics->speeds[0], counts, speed);
        if (request->classes->count > 1)
            histogram_add(&kinetics->speeds[1 + request->classes->list[number]], block, speed);
    }
    counts[HISTOGRAM_BINS] += (double)kinetics->count;
    block_sums_table(&kinetics->sums, block)[HEAT] += heat;
    block_sums_table(&kinetics->sums, block)[HEATED] += (double)kinetics->count;
}

static int is_followed(const struct kinetics *kinetics, int32_t number)
{
    return ((uint32_t)number & kinetics->path_mask) == 0;
}

/* The collisions at 0 count if all do. */
static int is_counted(const struct kinetics *kinetics, double time)
{
    return time > kinetics->request.from || kinetics->request.from <= 0;
}

/* A collision with the boundary, or a reinjection. */
static void kinetics_turn(struct kinetics *kinetics, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    if (!is_followed(kinetics, a->number))
        return;
    double *flown = &kinetics->flown[(size_t)a->number >> kinetics->shift];
    if (collision->is_reinjection)
        *flown = -1;
    else if (*flown >= 0)
        *flown +=
            elementary_length(a->u_before - kinetics->drift_u, a->v_before - kinetics->drift_v) *
            (collision->time - a->since);
}

/* Counts paths that end in one block; what changes with each of them is not kept in memory. */
static void kinetics_end_paths(struct kinetics *kinetics, const struct collision *list,
                               size_t count, int block)
{
    const struct classes *classes = kinetics->request.classes;
    const simd drift_u = simd_all(kinetics->drift_u);
    const simd drift_v = simd_all(kinetics->drift_v);
    double *counts = block_sums_table(&kinetics->paths[0].counts, block);
    double *sums = block_sums_table(&kinetics->sums, block) + find_paths(0);
    double length = sums[0];
    double ended = 0;
    for (const struct collision *e = list; e < list + count; e++) {
        if (e->partner == PARTNER_BOUNDARY) {
            kinetics_turn(kinetics, e);
            continue;
        }
        const int32_t numbers[] = {e->a.number, e->b.number};
        if (!is_followed(kinetics, numbers[0]) && !is_followed(kinetics, numbers[1]))
            continue;
        const double *const before[] = {&e->a.u_before, &e->b.u_before};
        simd u, v;
        simd_load_two(before, &u, &v);
        const simd flights = kinetics_lengths(u - drift_u, v - drift_v) *
                             (simd_all(e->time) - (simd){e->a.since, e->b.since});
        for (int k = 0; k < 2; k++) {
            if (!is_followed(kinetics, numbers[k]))
                continue;
            double *flown = &kinetics->flown[(size_t)numbers[k] >> kinetics->shift];
            const double flown_before = *flown;
            const double path = flown_before + flights[k];
            *flown = 0;
            if (flown_before < 0)
                continue;
            histogram_put(&kinetics->paths[0], counts, path);
            length += path;
            ended++;
            if (classes->count == 1)
                continue;
            const size_t group = 1 + (size_t)classes->list[numbers[k]];
            histogram_add(&kinetics->paths[group], block, path);
            block_sums_table(&kinetics->sums, block)[find_paths(group)] += path;
            block_sums_table(&kinetics->sums, block)[find_paths(group) + 1]++;
        }
    }
    sums[0] = length;
    sums[1] += ended;
    counts[HISTOGRAM_BINS] += ended;
}

void kinetics_collide(struct kinetics *kinetics, const struct collision *list, size_t count)
{
    const struct kinetics_request *request = &kinetics->request;
    for (size_t k = 0, run = 0; k < count; k += run) { /* one by one where a block ends */
        const int block = block_sums_find(request->from, request->to, list[k].time);
        const int is_last =
            block == block_sums_find(request->from, request->to, list[count - 1].time);
        run = is_last && is_counted(kinetics, list[k].time) ? count - k : 1;
        if (is_counted(kinetics, list[k].time))
            kinetics_end_paths(kinetics, &list[k], run, block);
    }
}

double kinetics_maxwell(const struct kinetics *kinetics, size_t group, size_t bin)
{
    const struct system *system = kinetics->system;
    const struct classes *classes = kinetics->request.classes;
    const double temperature =
        block_sums_total(&kinetics->sums, HEAT) / block_sums_total(&kinetics->sums, HEATED);
    const double begin = histogram_edge(&kinetics->speeds[group], bin);
    const double end = histogram_edge(&kinetics->speeds[group], bin + 1);
    double part = 0;
    double members = 0;
    for (size_t k = 0; k < kinetics->kind_count; k++) {
        const struct kind *kind = system->kinds ? &system->kinds[k] : NULL;
        if (group > 0 && kind && kind->species != classes->species[group - 1])
            continue;
        const double slowness = (kind ? kind->mass : 1) / (2 * temperature);
        part += kinetics->kind_members[k] *
                (elementary_exp(-slowness * begin * begin) - elementary_exp(-slowness * end * end));
        members += kinetics->kind_members[k];
    }
    return part / members / (end - begin);
}

double kinetics_exponential(const struct kinetics *kinetics, size_t group, size_t bin)
{
    const double mean = block_sums_total(&kinetics->sums, find_paths(group)) /
                        block_sums_total(&kinetics->sums, find_paths(group) + 1);
    const double begin = histogram_edge(&kinetics->paths[group], bin);
    const double end = histogram_edge(&kinetics->paths[group], bin + 1);
    return (elementary_exp(-begin / mean) - elementary_exp(-end / mean)) / (end - begin);
}

void kinetics_record(struct kinetics *kinetics, struct record *record)
{
    static const double max = 1e126; /* farther than in the longest run: see checkpoint.c */
    record_numbers(record, &kinetics->drift_u, 1);
    record_numbers(record, &kinetics->drift_v, 1);
    record_end_line(record);
    for (size_t k = 0; k < kinetics->count && !record->status; k++)
        record_number(record, &kinetics->flown[k], -1, max);
    record_end_line(record);
    block_sums_record(&kinetics->sums, record);
    for (size_t group = 0; group < classes_groups(kinetics->request.classes); group++) {
        histogram_record(&kinetics->speeds[group], record);
        histogram_record(&kinetics->paths[group], record);
    }
}
