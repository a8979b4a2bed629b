/* Speeds, free paths, and the coefficients of transport; see kinetics.h. */
#include "kinetics.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "model/enskog.h"
#include "tally.h"

#include <math.h>

/* Indices of the sums in a table; of each group, length and number of paths. */
enum { HEAT, HEATED, PATHS };

static size_t find_paths(size_t group)
{
    return PATHS + 2 * group;
}

enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct classes *classes, size_t most, double from, double to,
                            struct error *error)
{
    const struct system *system = snapshot->system;
    const struct snapshot_motion motion = tally_motion(snapshot);
    *kinetics = (struct kinetics){.classes = classes,
                                  .system = system,
                                  .from = from,
                                  .to = to,
                                  .drift_u = motion.drift_u,
                                  .drift_v = motion.drift_v,
                                  .kind_count = system->kinds ? system->kind_count : 1};
    while ((system->count - 1) >> kinetics->shift >= most)
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
    const size_t groups = classes_groups(classes);
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
    const struct classes *classes = kinetics->classes;
    const int block = block_sums_find(kinetics->from, kinetics->to, snapshot->time);
    double *counts = block_sums_table(&kinetics->speeds[0].counts, block);
    double heat = 0, present = 0;
    for (size_t k = 0; k < kinetics->count; k++) {
        const size_t number = k << kinetics->shift;
        if (!snapshot_has(snapshot, number))
            continue;
        present++;
        const struct snapshot_particle body = snapshot_body(snapshot, number);
        const double u = body.u - kinetics->drift_u;
        const double v = body.v - kinetics->drift_v;
        const double speed = kinetics_lengths((simd){u}, (simd){v})[0];
        heat += 0.5 * body.mass * (u * u + v * v);
        histogram_put(&kinetics->speeds[0], counts, speed);
        if (classes->count > 1)
            histogram_add(&kinetics->speeds[1 + classes->list[number]], block, speed);
    }
    counts[HISTOGRAM_BINS] += present;
    block_sums_table(&kinetics->sums, block)[HEAT] += heat;
    block_sums_table(&kinetics->sums, block)[HEATED] += present;
}

static int is_followed(const struct kinetics *kinetics, int32_t number)
{
    return ((uint32_t)number & kinetics->path_mask) == 0;
}

/* A collision with the boundary, or a reinjection. */
static void kinetics_turn(struct kinetics *kinetics, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
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
    const struct classes *classes = kinetics->classes;
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
    const double from = kinetics->from, to = kinetics->to;
    size_t k = 0;
    if (kinetics->system->boundary.gravity.acts)
        return; /* a path's length is not its speed times its time */
    while (k < count && list[k].time <= from && from > 0) /* in no block */
        k++;
    for (size_t run = 0; k < count; k += run) { /* one by one where a block ends */
        const int block = block_sums_find(from, to, list[k].time);
        const int is_last = block == block_sums_find(from, to, list[count - 1].time);
        run = is_last ? count - k : 1;
        kinetics_end_paths(kinetics, &list[k], run, block);
    }
}

double kinetics_maxwell(const struct kinetics *kinetics, size_t group, size_t bin)
{
    const struct system *system = kinetics->system;
    const struct classes *classes = kinetics->classes;
    const double temperature =
        block_sums_total(&kinetics->sums, HEAT) / block_sums_total(&kinetics->sums, HEATED);
    const double begin = histogram_edge(&kinetics->speeds[group], bin);
    const double end = histogram_edge(&kinetics->speeds[group], bin + 1);
    double part = 0;
    double members = 0;
    for (size_t k = 0; k < kinetics->kind_count; k++) {
        const struct particle_kind *kind = system->kinds ? &system->kinds[k] : NULL;
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
    for (size_t group = 0; group < classes_groups(kinetics->classes); group++) {
        histogram_record(&kinetics->speeds[group], record);
        histogram_record(&kinetics->paths[group], record);
    }
}

/* Helfand's moments. In them lengths are divided by sqrt(T / m), so that
 * moments are times, and no power of a velocity is too large. */

/* Moments are of conserved momentum and energy, and of equal disks. */
static const char *find_refusal(const struct system *system, int collides)
{
    const struct boundary *box = &system->boundary;
    const struct particle_kind kind = enskog_common_kind(system);
    return isnan(kind.radius) || isnan(kind.mass)       ? "viscosity_none_mixture"
           : !collides                                  ? "viscosity_none_steps"
           : box->periodic != (PERIODIC_X | PERIODIC_Y) ? "viscosity_none_walls"
           : box->polygons                              ? "viscosity_none_polygons"
           : box->stream.draw                           ? "viscosity_none_stream"
           : system->law.rule != RULE_ELASTIC           ? "viscosity_none_swap"
           : system->law.restitution < 1                ? "viscosity_none_restitution"
           : box->surfaces.are_rough                    ? "viscosity_none_roughness"
           : box->growth > 0                            ? "viscosity_none_growth"
                                                        : NULL;
}

enum status transport_create(struct transport *transport, const struct snapshot *snapshot,
                             int collides, uint64_t frames, struct error *error)
{
    const struct system *system = snapshot->system;
    *transport = (struct transport){.system = system,
                                    .refusal = find_refusal(system, collides),
                                    .since = -1,
                                    .list = {0, 1},
                                    .halves = {.count = 2, .members = {1, 1}}};
    transport->halves.list = transport->list;
    if (!transport->refusal) {
        const struct snapshot_motion motion = tally_motion(snapshot);
        const double mass = system_mass(system, system->particles);
        transport->drift_u = motion.drift_u;
        transport->drift_v = motion.drift_v;
        transport->slowness =
            sqrt(mass * tally_half_freedom(system, (double)system->count) / motion.thermal);
        if (!isfinite(transport->slowness)) {
            transport->refusal = "viscosity_none_rest";
            transport->slowness = 0;
        }
    }
    return correlator_create(&transport->correlator, 2, &transport->halves,
                             transport->refusal ? 0 : frames, error);
}

void transport_free(struct transport *transport)
{
    correlator_free(&transport->correlator);
}

/* Adds the flows of a particle with this velocity, `sign` times, to the rates. */
static void add_flows(const struct transport *transport, double u, double v, double sign,
                      double rates[TRANSPORT_MOMENTS])
{
    const double x = (u - transport->drift_u) * transport->slowness;
    const double y = (v - transport->drift_v) * transport->slowness;
    const double energy = sign * 0.5 * (x * x + y * y);
    rates[0] += sign * (x * y);
    rates[1] += sign * 0.5 * (x * x - y * y);
    rates[2] += energy * x;
    rates[3] += energy * y;
}

void transport_collide(struct transport *transport, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    const double slowness = transport->slowness;
    transport->ends += collision->partner == PARTNER_PARTICLE ? 2 : 1;
    if (transport->refusal)
        return;
    double changes[TRANSPORT_MOMENTS] = {0};
    add_flows(transport, a->u_before, a->v_before, -1, changes);
    add_flows(transport, b->u_before, b->v_before, -1, changes);
    add_flows(transport, a->u, a->v, 1, changes);
    add_flows(transport, b->u, b->v, 1, changes);
    /* What a gives to b crosses the line of their centres. */
    const double gain_x = (b->u - b->u_before) * slowness;
    const double gain_y = (b->v - b->v_before) * slowness;
    const double energy = (gain_x * (0.5 * (b->u + b->u_before) - transport->drift_u) +
                           gain_y * (0.5 * (b->v + b->v_before) - transport->drift_v)) *
                          slowness;
    const double dx = collision->dx * slowness, dy = collision->dy * slowness;
    const double given[TRANSPORT_MOMENTS] = {dx * gain_y, 0.5 * (dx * gain_x - dy * gain_y),
                                             dx * energy, dy * energy};
    const double elapsed = collision->time - transport->since;
    for (int k = 0; k < TRANSPORT_MOMENTS; k++) {
        transport->rates[k] += changes[k];
        transport->moments[k] += given[k] - changes[k] * elapsed;
    }
}

/* The rates are summed up anew in each frame, so that rounding does not add up. Before the first
 * frame, collisions add anything to the moments: only differences of moments count. */
void transport_sample(struct transport *transport, const struct snapshot *snapshot, int block)
{
    struct correlator *correlator = &transport->correlator;
    double *moments = transport->moments;
    if (transport->since < 0)
        transport->ends = 0;
    for (int k = 0; k < TRANSPORT_MOMENTS; k++) {
        moments[k] += transport->rates[k] * (snapshot->time - transport->since);
        transport->rates[k] = 0;
    }
    transport->since = snapshot->time;
    if (transport->refusal)
        return;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        add_flows(transport, body.u, body.v, 1, transport->rates);
    }
    struct correlator_sample *now = correlator_next(correlator);
    now[0] = (struct correlator_sample){moments[0], moments[1], 0, 0};
    now[1] = (struct correlator_sample){moments[2], moments[3], 0, 0};
    correlator_take(correlator, block);
}

/* With G of all momentum or energy, viscosity = d<dG^2>/dt / (2 A T), and heat conductivity the
 * same by T again. Here G is in units of T or T sqrt(T / m), and dG^2 the sum of two. */
void transport_factors(const struct transport *transport, double factors[TRANSPORT_COEFFICIENTS])
{
    const struct system *system = transport->system;
    const double square = 1 / (transport->slowness * transport->slowness);
    factors[TRANSPORT_DIFFUSION] = 0.25;
    factors[TRANSPORT_HEAT] = square / (4 * system->boundary.width * system->boundary.height);
    factors[TRANSPORT_VISCOSITY] = factors[TRANSPORT_HEAT] * system_mass(system, system->particles);
}

void transport_enskog(const struct transport *transport, double values[TRANSPORT_COEFFICIENTS])
{
    const double mass = system_mass(transport->system, transport->system->particles);
    const double thermal = transport->refusal ? (double)NAN : 1 / transport->slowness;
    const struct enskog_transport gas =
        enskog_transport(transport->system, mass * thermal * thermal);
    values[TRANSPORT_VISCOSITY] = gas.viscosity;
    values[TRANSPORT_HEAT] = gas.heat;
    values[TRANSPORT_DIFFUSION] = gas.diffusion;
}

void transport_record(struct transport *transport, struct record *record)
{
    record_numbers(record, &transport->drift_u, 1);
    record_numbers(record, &transport->drift_v, 1);
    record_number(record, &transport->slowness, 0, DBL_MAX);
    record_number(record, &transport->since, -1, SYSTEM_LARGEST);
    record_whole(record, &transport->ends, UINT64_MAX);
    record_numbers(record, transport->rates, TRANSPORT_MOMENTS);
    record_numbers(record, transport->moments, TRANSPORT_MOMENTS);
    record_end_line(record);
    correlator_record(&transport->correlator, record);
}
