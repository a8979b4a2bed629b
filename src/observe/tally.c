/*
 * Sums over a run; see tally.h.
 *
 * A flight is the straight motion of a particle from its anchor to its next collision. Each
 * collision ends one flight or two, whose lengths and times follow from the anchors before the
 * collision. So nothing has to be done in between, and a collision costs about twenty
 * multiplications, two square roots and the sums.
 */
#include "observe/tally.h"

#include "base/thread_pool.h"
#include "model/stream.h"

#include <float.h>
#include <math.h>

/* Adds a flight with velocity (u, v), from `since` to `time`; or the part that counts. */
static void add_flight(struct tally *tally, double mass, double u, double v, double since,
                       double time)
{
    double duration = time - (since > tally->from ? since : tally->from);
    u -= tally->start.drift_u;
    v -= tally->start.drift_v;
    double square = u * u + v * v;
    sum_add(&tally->path, sqrt(square) * duration);
    sum_add(&tally->action, 0.5 * mass * square * duration);
}

/* Adds the flight that a collision ends. */
static void end_flight(struct tally *tally, const struct participant *p, double time)
{
    add_flight(tally, p->mass, p->u_before, p->v_before, p->since, time);
}

/*
 * Adds the energy, relative to the drift, that a particle gains from a polygon or the stream. With
 * w and w' its velocities before and after that is m (w' - w).(w' + w) / 2.
 */
static void add_heat(struct tally *tally, const struct participant *p, double time)
{
    double twice_u = (p->u - tally->start.drift_u) + (p->u_before - tally->start.drift_u);
    double twice_v = (p->v - tally->start.drift_v) + (p->v_before - tally->start.drift_v);
    double energy =
        0.5 * p->mass * ((p->u - p->u_before) * twice_u + (p->v - p->v_before) * twice_v);
    sum_add(&tally->energy_gained, energy);
    sum_add(&tally->energy_moment, energy * (time - tally->from));
}

static void add_wall(struct tally *tally, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    int wall = FEATURE_LEFT - collision->feature;
    double change = wall < 2 ? a->u - a->u_before : a->v - a->v_before;
    tally->walls[wall]++;
    sum_add(&tally->push[wall], a->mass * fabs(change));
    sum_add(&tally->gained[wall / 2], -a->mass * change);
}

static void add_polygon(struct tally *tally, const struct participant *a, double time)
{
    double u = a->u - a->u_before;
    double v = a->v - a->v_before;
    tally->polygons++;
    sum_add(&tally->polygons_push, a->mass * sqrt(u * u + v * v));
    sum_add(&tally->polygons_gained[0], -a->mass * u);
    sum_add(&tally->polygons_gained[1], -a->mass * v);
    sum_add(&tally->gained[0], -a->mass * u);
    sum_add(&tally->gained[1], -a->mass * v);
    if (tally->stream)
        add_heat(tally, a, time);
}

/*
 * Adds the energy that two particles gain: b gains J.(v + v') / 2 with its velocities before and
 * after, and a loses such a product. So only relative velocities count, and no drift spoils it.
 */
static void add_energy(struct tally *tally, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    const double gain_x = b->mass * (b->u - b->u_before);
    const double gain_y = b->mass * (b->v - b->v_before);
    double energy = 0.5 * (gain_x * ((b->u + b->u_before) - (a->u + a->u_before)) +
                           gain_y * ((b->v + b->v_before) - (a->v + a->v_before)));
    sum_add(&tally->energy_gained, energy);
    sum_add(&tally->energy_moment, energy * (collision->time - tally->from));
}

double tally_virial(const struct collision *collision)
{
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    const double gain_x = b->mass * (b->u - b->u_before);
    const double gain_y = b->mass * (b->v - b->v_before);
    const double loss_x = a->mass * (a->u_before - a->u);
    const double loss_y = a->mass * (a->v_before - a->v);
    return 0.5 * (collision->dx * (gain_x + loss_x) + collision->dy * (gain_y + loss_y));
}

static void add_pair(struct tally *tally, const struct collision *collision)
{
    tally->pairs++;
    sum_add(&tally->virial, tally_virial(collision));
    if (tally->is_lossy)
        add_energy(tally, collision);
}

/* With restitution 1 energy changes by rounding only, and with the other rule not at all. */
static int is_lossy(const struct law *law)
{
    return law->rule == RULE_ELASTIC && law->restitution < 1;
}

static const struct stream *find_stream(const struct system *system)
{
    return system->boundary.stream.draw ? &system->boundary.stream : NULL;
}

void tally_begin(struct tally *tally, const struct snapshot *snapshot)
{
    *tally = (struct tally){.from = snapshot->time,
                            .start = tally_motion(snapshot),
                            .is_lossy = is_lossy(&snapshot->system->law),
                            .stream = find_stream(snapshot->system)};
}

void tally_collide(struct tally *tally, const struct collision *collision)
{
    end_flight(tally, &collision->a, collision->time);
    if (collision->partner == PARTNER_BOUNDARY && collision->feature < FEATURE_TOP) {
        add_polygon(tally, &collision->a, collision->time);
    } else if (collision->partner == PARTNER_BOUNDARY) {
        add_wall(tally, collision);
    } else {
        end_flight(tally, &collision->b, collision->time);
        add_pair(tally, collision);
    }
}

void tally_renew(struct tally *tally, const struct collision *passage)
{
    const struct participant *a = &passage->a;
    const double gain_x = a->mass * (a->u - a->u_before);
    const double gain_y = a->mass * (a->v - a->v_before);
    end_flight(tally, a, passage->time);
    tally->renewals++;
    sum_add(&tally->inflow, 1 / stream_mean_speed(tally->stream, a->mass));
    sum_add(&tally->seam_given[0], gain_x);
    sum_add(&tally->seam_given[1], gain_y);
    sum_add(&tally->gained[0], -gain_x);
    sum_add(&tally->gained[1], -gain_y);
    add_heat(tally, a, passage->time);
}

/* The numbers of a tally in the order in which they are saved. */
enum { TALLY_NUMBERS = 6 + 2 * (TALLY_WALLS + 13) };

static void list_numbers(struct tally *tally, double *list[TALLY_NUMBERS])
{
    struct motion *start = &tally->start;
    struct sum *const sums[] = {&tally->push[0],
                                &tally->push[1],
                                &tally->push[2],
                                &tally->push[3],
                                &tally->polygons_push,
                                &tally->polygons_gained[0],
                                &tally->polygons_gained[1],
                                &tally->seam_given[0],
                                &tally->seam_given[1],
                                &tally->inflow,
                                &tally->gained[0],
                                &tally->gained[1],
                                &tally->virial,
                                &tally->path,
                                &tally->action,
                                &tally->energy_gained,
                                &tally->energy_moment};
    *list++ = &start->energy;
    *list++ = &start->momentum_x;
    *list++ = &start->momentum_y;
    *list++ = &start->impetus;
    *list++ = &start->drift_u;
    *list++ = &start->drift_v;
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++) {
        *list++ = &sums[k]->rounded;
        *list++ = &sums[k]->rest;
    }
}

void tally_save(const struct tally *tally, struct record_writer *writer)
{
    struct tally copy = *tally;
    double *list[TALLY_NUMBERS];
    list_numbers(&copy, list);
    record_put_whole(writer, tally->pairs);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        record_put_whole(writer, tally->walls[wall]);
    record_put_whole(writer, tally->polygons);
    record_put_whole(writer, tally->renewals);
    for (int k = 0; k < TALLY_NUMBERS; k++)
        record_put_number(writer, *list[k]);
    record_end_line(writer);
}

void tally_load(struct tally *tally, double from, const struct system *system,
                struct record_reader *reader)
{
    double *list[TALLY_NUMBERS];
    list_numbers(tally, list);
    tally->from = from;
    tally->is_lossy = is_lossy(&system->law);
    tally->stream = find_stream(system);
    tally->pairs = record_take_whole(reader, UINT64_MAX);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        tally->walls[wall] = record_take_whole(reader, UINT64_MAX);
    tally->polygons = record_take_whole(reader, UINT64_MAX);
    tally->renewals = record_take_whole(reader, UINT64_MAX);
    for (int k = 0; k < TALLY_NUMBERS; k++)
        *list[k] = record_take_number(reader, -DBL_MAX, DBL_MAX);
    record_expect_line_end(reader);
}

double tally_half_freedom(const struct system *system)
{
    const unsigned conserved = tally_conserved(&system->boundary);
    int axes = !!(conserved & PERIODIC_X) + !!(conserved & PERIODIC_Y);
    return (double)system->count - 0.5 * axes;
}

/* Sums over particles at one moment: see struct motion and struct speeds. */
struct moment_sums {
    struct sum energy, momentum_x, momentum_y, impetus, thermal;
    struct sum mean, square, reduced, reduced_2, reduced_4;
};

/* The velocity that is no heat: see struct motion. */
static void find_drift(const struct snapshot *snapshot, struct motion *motion)
{
    const struct boundary *boundary = &snapshot->system->boundary;
    const unsigned conserved = tally_conserved(boundary);
    struct sum momentum_x = {0};
    struct sum momentum_y = {0};
    struct sum mass = {0};
    if (boundary->stream.draw)
        motion->drift_u = boundary->stream.speed;
    for (size_t k = 0; conserved && k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        sum_add(&momentum_x, body.mass * body.u);
        sum_add(&momentum_y, body.mass * body.v);
        sum_add(&mass, body.mass);
    }
    if (conserved & PERIODIC_X)
        motion->drift_u = sum_value(&momentum_x) / sum_value(&mass);
    if (conserved & PERIODIC_Y)
        motion->drift_v = sum_value(&momentum_y) / sum_value(&mass);
}

static void add_motion(struct moment_sums *sums, const struct body *body,
                       const struct motion *motion)
{
    const double square = body->u * body->u + body->v * body->v;
    const double u = body->u - motion->drift_u;
    const double v = body->v - motion->drift_v;
    sum_add(&sums->energy, 0.5 * body->mass * square);
    sum_add(&sums->momentum_x, body->mass * body->u);
    sum_add(&sums->momentum_y, body->mass * body->v);
    sum_add(&sums->impetus, body->mass * sqrt(square));
    sum_add(&sums->thermal, 0.5 * body->mass * (u * u + v * v));
}

static void add_speed(struct moment_sums *sums, const struct body *body,
                      const struct motion *motion)
{
    const double u = body->u - motion->drift_u;
    const double v = body->v - motion->drift_v;
    const double c_2 = u * u + v * v;
    const double mass_c_2 = body->mass * c_2;
    sum_add(&sums->mean, sqrt(c_2));
    sum_add(&sums->square, c_2);
    sum_add(&sums->reduced, sqrt(mass_c_2));
    sum_add(&sums->reduced_2, mass_c_2);
    sum_add(&sums->reduced_4, mass_c_2 * mass_c_2);
}

static void complete_motion(struct motion *motion, const struct moment_sums *sums)
{
    motion->energy = sum_value(&sums->energy);
    motion->momentum_x = sum_value(&sums->momentum_x);
    motion->momentum_y = sum_value(&sums->momentum_y);
    motion->impetus = sum_value(&sums->impetus);
    motion->thermal = sum_value(&sums->thermal);
}

static struct speeds find_speeds(const struct moment_sums *sums, size_t particles)
{
    const double count = (double)particles;
    return (struct speeds){sum_value(&sums->mean) / count, sum_value(&sums->square) / count,
                           sum_value(&sums->reduced) / count, sum_value(&sums->reduced_2) / count,
                           sum_value(&sums->reduced_4) / count};
}

struct motion tally_motion(const struct snapshot *snapshot)
{
    struct motion motion = {0};
    struct moment_sums sums = {0};
    find_drift(snapshot, &motion);
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        add_motion(&sums, &body, &motion);
    }
    complete_motion(&motion, &sums);
    return motion;
}

/* The sums at the end, over all particles. Each is one thread's, so that it does not depend on how
 * many there are. */
struct ending {
    struct tally *tally;
    const struct snapshot *snapshot;
    unsigned threads;
    struct moment_sums motion, speeds;
};

/* Task: adds flights and motion, or speeds, or all of them in one loop, for each one over a million
 * particles waits for the memory. */
static void add_end(void *user, unsigned number)
{
    struct ending *ending = user;
    const struct snapshot *snapshot = ending->snapshot;
    const int has_motion = number == 0;
    const int has_speeds = number == 1 || ending->threads == 1;
    struct moment_sums sums = {0};
    for (size_t k = 0; k < snapshot->system->count && (has_motion || has_speeds); k++) {
        const struct body body = snapshot_body(snapshot, k);
        if (has_motion) {
            add_flight(ending->tally, body.mass, body.u, body.v, body.since, snapshot->time);
            add_motion(&sums, &body, &ending->tally->end);
        }
        if (has_speeds)
            add_speed(&sums, &body, &ending->tally->end);
    }
    if (has_motion)
        ending->motion = sums;
    if (has_speeds)
        ending->speeds = sums;
}

void tally_end(struct tally *tally, const struct snapshot *snapshot, struct thread_pool *pool)
{
    struct ending ending = {.tally = tally, .snapshot = snapshot, .threads = 1};
    tally->end = (struct motion){0};
    find_drift(snapshot, &tally->end);
    (void)snapshot_index(snapshot, 0); /* the order is found before several threads ask for it */
    if (pool) {
        ending.threads = thread_pool_count(pool);
        thread_pool_run(pool, add_end, &ending);
    } else {
        add_end(&ending, 0);
    }
    complete_motion(&tally->end, &ending.motion);
    tally->speeds = find_speeds(&ending.speeds, snapshot->system->count);
}
