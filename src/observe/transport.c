/* Helfand's moments; see correlations.h. In them lengths are divided by sqrt(T / m), so that
 * moments are times, and no power of a velocity is too large. */
#include "correlations.h"

#include "model/enskog.h"
#include "tally.h"

#include <math.h>

/* Moments are of conserved momentum and energy, and of equal disks. */
static const char *find_refusal(const struct system *system, int collides)
{
    const struct boundary *box = &system->boundary;
    const struct kind kind = enskog_common_kind(system);
    return isnan(kind.radius) || isnan(kind.mass)       ? "viscosity_none_mixture"
           : !collides                                  ? "viscosity_none_steps"
           : box->periodic != (PERIODIC_X | PERIODIC_Y) ? "viscosity_none_walls"
           : box->polygons                              ? "viscosity_none_polygons"
           : box->stream.draw                           ? "viscosity_none_stream"
           : system->law.rule != RULE_ELASTIC           ? "viscosity_none_swap"
           : system->law.restitution < 1                ? "viscosity_none_restitution"
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
        const struct motion motion = tally_motion(snapshot);
        const double mass = system_mass(system, system->particles);
        transport->drift_u = motion.drift_u;
        transport->drift_v = motion.drift_v;
        transport->slowness = sqrt(mass * tally_half_freedom(system) / motion.thermal);
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
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
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
        const struct body body = snapshot_body(snapshot, k);
        add_flows(transport, body.u, body.v, 1, transport->rates);
    }
    struct sample *now = correlator_next(correlator);
    now[0] = (struct sample){moments[0], moments[1], 0, 0};
    now[1] = (struct sample){moments[2], moments[3], 0, 0};
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
