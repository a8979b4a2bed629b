/* Tests of Helfand's moments: against sums over all particles at every collision, and of the
 * coefficients against Enskog's values. */
#include "check.h"
#include "gas.h"
#include "observe/kinetics.h"
#include "observed.h"

enum { MAX_DISKS = 100, MAX_FRAMES = 4000 };

/* Has a transport watch a run, and the moments of its frames summed up here, too. */
struct witness {
    struct observer observer;
    struct transport transport;
    double interval, end;
    size_t count, frames;
    double velocities[MAX_DISKS][2]; /* relative to the drift */
    double time, moments[TRANSPORT_MOMENTS];
    double worst; /* difference of the moments of a frame, time */
};

static void fly(struct witness *witness, double time)
{
    const double slowness = witness->transport.slowness;
    for (size_t k = 0; k < witness->count; k++) {
        const double u = witness->velocities[k][0] * slowness;
        const double v = witness->velocities[k][1] * slowness;
        const double flows[] = {u * v, (u * u - v * v) / 2, (u * u + v * v) / 2 * u,
                                (u * u + v * v) / 2 * v};
        for (int m = 0; m < TRANSPORT_MOMENTS; m++)
            witness->moments[m] += flows[m] * (time - witness->time);
    }
    witness->time = time;
}

static void set_velocity(struct witness *witness, int32_t number, double u, double v)
{
    witness->velocities[number][0] = u - witness->transport.drift_u;
    witness->velocities[number][1] = v - witness->transport.drift_v;
}

static enum status witness_collide(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    const double slowness = witness->transport.slowness;
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    (void)error;
    fly(witness, collision->time);
    const double *w = witness->velocities[b->number];
    const double before = (w[0] * w[0] + w[1] * w[1]) / 2;
    const double gain_x = b->u - witness->transport.drift_u - w[0];
    const double gain_y = b->v - witness->transport.drift_v - w[1];
    set_velocity(witness, a->number, a->u, a->v);
    set_velocity(witness, b->number, b->u, b->v);
    const double gain = ((w[0] * w[0] + w[1] * w[1]) / 2 - before) * slowness * slowness * slowness;
    const double x = collision->dx * slowness * slowness;
    const double y = collision->dy * slowness * slowness;
    witness->moments[0] += (x * gain_y + y * gain_x) / 2; /* both terms are the same */
    witness->moments[1] += (x * gain_x - y * gain_y) / 2;
    witness->moments[2] += collision->dx * gain;
    witness->moments[3] += collision->dy * gain;
    transport_collide(&witness->transport, collision);
    return STATUS_DONE;
}

OBSERVED_TAKE(witness_take, witness_collide, NULL)

static enum status witness_sample(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    (void)error;
    fly(witness, snapshot->time);
    transport_sample(&witness->transport, snapshot,
                     block_sums_find(0, witness->end, snapshot->time));
    for (int m = 0; m < TRANSPORT_MOMENTS; m++) {
        if (witness->frames == 0) /* only differences count */
            witness->moments[m] = witness->transport.moments[m];
        witness->worst =
            fmax(witness->worst, fabs(witness->moments[m] - witness->transport.moments[m]));
    }
    observer->next_sample = (double)++witness->frames * witness->interval;
    return STATUS_DONE;
}

static void witness_forget(struct observer *observer)
{
    (void)observer;
}

/* Runs a gas for so many collisions of each disk, with `frames` frames. */
static void watch(struct witness *witness, struct system *system, double collisions, size_t frames)
{
    static const struct observer_operations operations = {.watches = WATCH_PAIRS,
                                                          .take = witness_take,
                                                          .sample = witness_sample,
                                                          .free = witness_forget};
    const struct snapshot start = snapshot_in_order(system, 0);
    *witness = (struct witness){.observer = {.operations = &operations}, .count = system->count};
    CHECK(transport_create(&witness->transport, &start, 1, frames, &failure) == STATUS_DONE);
    double enskog[TRANSPORT_COEFFICIENTS];
    transport_enskog(&witness->transport, enskog);
    /* D = T / m times the mean free time, but for the third approximation. */
    const double slowness = witness->transport.slowness;
    const double free_time = enskog[TRANSPORT_DIFFUSION] / 1.0271 * slowness * slowness;
    witness->end = collisions * free_time;
    witness->interval = witness->end / (double)frames;
    for (size_t k = 0; k < system->count; k++)
        set_velocity(witness, (int32_t)k, system->particles[k].u, system->particles[k].v);
    gas_run(system, SCHEDULE_CELLS, witness->end, &witness->observer);
}

TEST(moments_are_sums_over_all_particles)
{
    OWNED(system, system) = gas_create_periodic(40, 0.4, 7);
    struct witness witness;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u += 0.5;
    watch(&witness, &system, 40, 80);
    CHECK(!witness.transport.refusal && witness.frames >= 80);
    CHECK(witness.transport.ends > 1000);
    CHECK(witness.worst < 1e-11 * witness.end && witness.moments[0] != 0);
    transport_free(&witness.transport);
}

/* Gass' formulas for diameter, mass and temperature 1 give 0.4962 and 2.346 at area fraction 0.3.
 */
TEST(viscosity_and_heat_conductivity_are_enskogs)
{
    const double collisions = check_is_quick() ? 300 : check_is_thorough() ? 20000 : 5000;
    OWNED(system, system) = gas_create_periodic(64, 0.3, 8);
    struct witness witness;
    watch(&witness, &system, collisions, (size_t)(collisions / 4));
    double factors[TRANSPORT_COEFFICIENTS], enskog[TRANSPORT_COEFFICIENTS];
    transport_factors(&witness.transport, factors);
    transport_enskog(&witness.transport, enskog);
    const double unit = 1 / witness.transport.slowness / 2; /* sqrt(T / m) / diameter */
    CHECK(fabs(enskog[TRANSPORT_VISCOSITY] / (0.4962 * unit) - 1) < 1e-3);
    CHECK(fabs(enskog[TRANSPORT_HEAT] / (2.346 * unit) - 1) < 1e-3);
    for (size_t k = TRANSPORT_VISCOSITY; k <= TRANSPORT_HEAT; k++) {
        const struct block_estimate slope = correlator_slope(&witness.transport.correlator, 4,
                                                             k + 1, factors[k] / witness.interval);
        const double value = slope.value, error = slope.error;
        if (!check_is_quick())
            CHECK(error < 0.12 * value);
        CHECK(fabs(value - enskog[k]) < (check_is_quick() ? enskog[k] : 3 * error));
    }
    transport_free(&witness.transport);
}

/* Where momentum or energy is not conserved, or disks differ, there are no moments. */
TEST(other_gases_have_none)
{
    OWNED(system, system) = gas_create_periodic(10, 0.1, 9);
    const struct snapshot snapshot = snapshot_in_order(&system, 0);
    for (int k = 0; k < 6; k++) {
        struct transport transport;
        double enskog[TRANSPORT_COEFFICIENTS];
        system.law = (struct system_law){.rule = k == 1 ? RULE_SWAP : RULE_ELASTIC,
                                         .restitution = k == 2 ? 0.9 : 1};
        system.boundary.periodic = k == 3 ? PERIODIC_X : PERIODIC_X | PERIODIC_Y;
        for (size_t j = 0; j < system.count && k == 5; j++)
            system.particles[j].u = system.particles[j].v = 0;
        CHECK(transport_create(&transport, &snapshot, k != 4, 10, &failure) == STATUS_DONE);
        CHECK((transport.refusal != NULL) == (k > 0));
        CHECK(isfinite(transport.slowness)); /* for checkpoints */
        transport_sample(&transport, &snapshot, 0);
        transport_enskog(&transport, enskog);
        CHECK(isnan(enskog[TRANSPORT_VISCOSITY]) == (k > 0));
        transport_free(&transport);
    }
}
