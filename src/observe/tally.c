/*
 * Sums over a run; see tally.h.
 *
 * Integrals over time, of the paths and of the momentum that particles carry, follow from how each
 * collision changes the sums of speeds and of m c c, and from these sums at the end. So nothing has
 * to be done in between, and no particle has to be looked at where a block of time ends.
 */
#include "tally.h"

#include "base/elementary.h"
#include "model/boundary_law.h"
#include "model/polygons.h"

#include <float.h>
#include <math.h>

/* The fraction of the stream's particles that fly so far without a collision: e^(-k l), with k =
 * sqrt(8) n d collisions for each length of the path in a dilute gas of disks of diameter d at
 * rest; in the box the path is longer, as its particles are faster there. */
static double find_free_fraction(const struct snapshot *snapshot, double length)
{
    const struct boundary *boundary = &snapshot->system->boundary;
    const size_t count = snapshot->system->count;
    struct stream still = boundary->stream;
    double radii = 0;
    double mass = 0;
    still.speed = 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        radii += body.radius;
        mass += body.mass / (double)count;
    }
    const double collisions = sqrt(8) * 2 * radii / (boundary->width * boundary->height);
    const double longer =
        stream_mean_speed(&boundary->stream, mass, 2) / stream_mean_speed(&still, mass, 2);
    return elementary_exp(-collisions * length / longer);
}

/* The circle is around the middle of the extent of all obstacles along both axes. */
struct inflow_gauge inflow_gauge_make(const struct snapshot *snapshot)
{
    const struct boundary *boundary = &snapshot->system->boundary;
    const struct polygons *polygons = boundary->polygons;
    struct inflow_gauge gauge = {.boundary = boundary};
    double low[2], high[2];
    if (!boundary->stream.draw || !polygons || !(boundary->periodic & PERIODIC_Y))
        return gauge;
    polygons_extent(polygons, 0, low, high);
    gauge.x = (low[0] + high[0]) / 2;
    gauge.y = (low[1] + high[1]) / 2;
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        const double dx = side->corner_x - gauge.x;
        const double dy = side->corner_y - gauge.y;
        if (!polygons->list[side->polygon].is_domain)
            gauge.radius = fmax(gauge.radius, sqrt(dx * dx + dy * dy));
    }
    const double room =
        fmin(fmin(gauge.x, boundary->width - gauge.x), fmin(gauge.y, boundary->height - gauge.y));
    if (gauge.radius > 0 && gauge.radius < room)
        gauge.weight = find_free_fraction(snapshot, room);
    return gauge;
}

double inflow_gauge_weigh(const struct inflow_gauge *gauge, const struct collision *passage)
{
    const struct collision_particle *a = &passage->a;
    const struct boundary *boundary = gauge->boundary;
    const double moment = (gauge->x - a->x) * a->v - (gauge->y - a->y) * a->u;
    double weight = 0;
    if (gauge->weight < 1 && passage->feature >= FEATURE_RIGHT)
        weight += (1 - gauge->weight) /
                  (stream_mean_speed(&boundary->stream, a->mass, 1) * boundary->height);
    if (gauge->weight > 0 && fabs(moment) < gauge->radius * sqrt(a->u * a->u + a->v * a->v))
        weight +=
            gauge->weight / (stream_mean_speed(&boundary->stream, a->mass, 2) * 2 * gauge->radius);
    return weight;
}

static void add_energy(struct tally *tally, double energy)
{
    sum_add(&tally->energy_gained, energy);
    tally->changes[INTEGRAL_ENERGY] = sum_value(&tally->energy_gained);
}

/* Between collisions gravity g changes the momentum P of all particles, of mass M, by M g, and so
 * the sums of m u^2, m u v and m v^2 by 2 Px gx, Px gy + Py gx and 2 Py gy in a unit of time. (It
 * changes sums of other powers, and of classes, by more than that tells; they are not known.) */
static void tally_fall(struct tally *tally, double elapsed)
{
    const struct acceleration *g = &tally->gravity;
    const struct snapshot_motion *start = &tally->start;
    const double lost = tally->changes[INTEGRAL_MASS], mass = start->mass + lost;
    const double fallen = start->mass * (tally->integrated - tally->basis.from) +
                          (tally->integrals[INTEGRAL_MASS] - lost * elapsed);
    const double x =
        start->momentum_x - mass * start->drift_u - sum_value(&tally->gained[0]) + fallen * g->x;
    const double y =
        start->momentum_y - mass * start->drift_v - sum_value(&tally->gained[1]) + fallen * g->y;
    const struct {
        enum tally_integral of;
        double rate, growth; /* of the sum, and of the rate */
    } rows[] = {
        {INTEGRAL_ENERGY, x * g->x + y * g->y, mass * (g->x * g->x + g->y * g->y)},
        {INTEGRAL_DIFFERENCE, 2 * (x * g->x - y * g->y), 2 * mass * (g->x * g->x - g->y * g->y)},
        {INTEGRAL_SHEAR, x * g->y + y * g->x, 2 * mass * g->x * g->y}};
    for (int k = 0; k < 3; k++) {
        const double change = (rows[k].rate + 0.5 * rows[k].growth * elapsed) * elapsed;
        tally->integrals[rows[k].of] +=
            (0.5 * rows[k].rate + rows[k].growth * elapsed / 6) * elapsed * elapsed;
        if (k == 0)
            add_energy(tally, change);
        else
            tally->changes[rows[k].of] += change;
    }
}

/* Brings the integrals of changes so far up to `time`. */
static void tally_integrate(struct tally *tally, double time)
{
    const double elapsed = time - tally->integrated;
    const int count = tally->basis.classes ? TALLY_INTEGRALS : INTEGRAL_CLASSES;
    for (int k = 0; k < count; k++)
        tally->integrals[k] += tally->changes[k] * elapsed;
    if (tally->gravity.acts)
        tally_fall(tally, elapsed);
    tally->integrated = time;
}

/* Adds the change of a particle's velocity, relative to the drift, by the boundary; and, if it
 * `is_heat`, its energy. With w and w' before and after that is m (w' - w).(w' + w) / 2. */
static void add_turn(struct tally *tally, const struct collision_particle *p, int is_heat,
                     double time)
{
    const double gain_x = p->mass * (p->u - p->u_before);
    const double gain_y = p->mass * (p->v - p->v_before);
    const double u = p->u - tally->start.drift_u;
    const double v = p->v - tally->start.drift_v;
    const double u_before = p->u_before - tally->start.drift_u;
    const double v_before = p->v_before - tally->start.drift_v;
    const double square = u * u + v * v;
    const double square_before = u_before * u_before + v_before * v_before;
    const double gained = gain_x * (u + u_before) + gain_y * (v + v_before);
    tally_integrate(tally, time);
    tally->changes[INTEGRAL_DIFFERENCE] += gain_x * (u + u_before) - gain_y * (v + v_before);
    tally->changes[INTEGRAL_SHEAR] += 0.5 * (gain_x * (v + v_before) + gain_y * (u + u_before));
    tally->changes[INTEGRAL_SPEED] += sqrt(square) - sqrt(square_before);
    if (!is_heat)
        return;
    add_energy(tally, 0.5 * gained);
    tally->changes[INTEGRAL_FOURTH] += gained * (p->mass * (square + square_before));
    if (tally->basis.classes)
        tally->changes[INTEGRAL_CLASSES + tally->basis.classes[p->number]] += 0.5 * gained;
}

/* Takes an absorbed particle out of all sums: as if the wall had given it the drift. */
static void add_leaver(struct tally *tally, struct collision_particle p, double time)
{
    p.u = tally->start.drift_u;
    p.v = tally->start.drift_v;
    add_turn(tally, &p, 1, time);
    tally->changes[INTEGRAL_COUNT]--;
    tally->changes[INTEGRAL_MASS] -= p.mass;
}

/* A collision with a side of the box, by which the particle gains this momentum. */
static void add_wall(struct tally *tally, const struct collision *collision, double x, double y)
{
    const int wall = FEATURE_LEFT - collision->feature;
    tally->walls[wall]++;
    sum_add(&tally->push[wall], fabs(wall < 2 ? x : y));
    if (collision->is_absorbed)
        add_leaver(tally, collision->a, collision->time);
    else
        add_turn(tally, &collision->a, tally->has_laws, collision->time);
}

struct polygon_normal tally_normal(const struct boundary *boundary,
                                   const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const struct particle arrived = {.x = a->x, .y = a->y, .u = a->u_before, .v = a->v_before};
    return polygons_normal(boundary, &arrived, a->radius, collision->feature, &collision->shift);
}

/* A collision with a polygon, by which the particle gains this momentum. */
static void tally_add_polygon(struct tally *tally, const struct collision *collision, double x,
                              double y)
{
    const struct collision_particle *a = &collision->a;
    const struct boundary *boundary = tally->gauge.boundary;
    double u = a->u - a->u_before;
    double v = a->v - a->v_before;
    double push = sqrt(u * u + v * v);
    if (tally->has_laws) {
        const struct polygon_normal normal = tally_normal(boundary, collision);
        push = u * normal.nx + v * normal.ny;
    }
    tally->polygons++;
    sum_add(&tally->polygons_push, a->mass * push);
    sum_add(&tally->polygons_gained[0], -x);
    sum_add(&tally->polygons_gained[1], -y);
    add_turn(tally, a, boundary->stream.draw || tally->has_laws, collision->time);
}

double tally_virial(const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    const double gain_x = b->mass * (b->u - b->u_before);
    const double gain_y = b->mass * (b->v - b->v_before);
    const double loss_x = a->mass * (a->u_before - a->u);
    const double loss_y = a->mass * (a->v_before - a->v);
    return 0.5 * (collision->dx * (gain_x + loss_x) + collision->dy * (gain_y + loss_y));
}

/* The terms of collisions for what is integrated, but for classes: its changes or, with `moment` 1,
 * these times the time. */
static void find_changes(const struct collision_sums *sums, int moment,
                         double values[TALLY_INTEGRALS])
{
    const int first = moment ? COLLISION_MOMENTS : COLLISION_CHANGES;
    const double xx = collision_sums_value(sums, first);
    const double yy = collision_sums_value(sums, first + 1);
    values[INTEGRAL_ENERGY] = 0.5 * (xx + yy);
    values[INTEGRAL_DIFFERENCE] = xx - yy;
    values[INTEGRAL_SHEAR] = 0.5 * collision_sums_value(sums, first + 2);
    values[INTEGRAL_SPEED] = collision_sums_value(sums, first + 3);
    values[INTEGRAL_FOURTH] = collision_sums_value(sums, COLLISION_FOURTH + 2 * moment);
}

/* Adds the sums over pairs of classes to `all`, which has the sums of the first pair, and adds up
 * what is of each class and pair. */
static void add_classes(struct tally *tally, struct collision_sums *all,
                        double terms[2][TALLY_INTEGRALS])
{
    for (size_t a = 0, b = 0, k = 0; k <= tally->basis.more_pairs; k++) {
        const struct collision_sums *sums = &tally->sums[k];
        if (k > 0)
            collision_sums_join(all, sums);
        tally->class_pairs[0][k] += (double)sums->pairs;
        tally->class_pairs[1][k] += 0.5 * (collision_sums_value(sums, COLLISION_XX) +
                                           collision_sums_value(sums, COLLISION_YY));
        for (int moment = 0; moment < 2; moment++) {
            const double first = 0.5 * collision_sums_value(sums, COLLISION_FIRST + 2 * moment);
            find_changes(sums, moment, terms[moment]);
            terms[moment][INTEGRAL_CLASSES + a] += first;
            terms[moment][INTEGRAL_CLASSES + b] += terms[moment][INTEGRAL_ENERGY] - first;
        }
        a = a < b ? a + 1 : 0; /* the next pair */
        b += a == 0;
    }
}

void tally_advance(struct tally *tally, double time)
{
    struct collision_sums all = tally->sums[0];
    const double elapsed = time - block_begin(tally->basis.from, tally->basis.to, all.block);
    double terms[2][TALLY_INTEGRALS] = {{0}};
    if (tally->basis.classes)
        add_classes(tally, &all, terms);
    find_changes(&all, 0, terms[0]);
    find_changes(&all, 1, terms[1]);
    const double xx = 0.5 * collision_sums_value(&all, COLLISION_XX);
    const double yy = 0.5 * collision_sums_value(&all, COLLISION_YY);
    tally_integrate(tally, time);
    tally->pairs += all.pairs;
    sum_add(&tally->virial, xx + yy);
    tally->difference += xx - yy;
    tally->shear += 0.25 * (collision_sums_value(&all, COLLISION_XY) +
                            collision_sums_value(&all, COLLISION_YX));
    for (int k = tally->is_lossy ? 0 : INTEGRAL_ENERGY + 1; k < TALLY_INTEGRALS; k++) {
        tally->integrals[k] += terms[0][k] * elapsed - terms[1][k];
        tally->changes[k] += terms[0][k];
    }
    if (tally->is_lossy)
        add_energy(tally, terms[0][INTEGRAL_ENERGY]);
    for (size_t k = 0; k <= tally->basis.more_pairs; k++)
        tally->sums[k] = (struct collision_sums){.block = all.block};
}

/* With restitution 1 energy changes by rounding only, and with the other rule not at all; but that
 * of rough disks goes into their rotation and back. */
static int is_lossy(const struct system *system)
{
    return system->spins || (system->law.rule == RULE_ELASTIC && system->law.restitution < 1);
}

void tally_begin(struct tally *tally, const struct snapshot *snapshot, double to,
                 struct collision_sums *sums)
{
    const double from = snapshot->time;
    const struct snapshot_motion start = tally_motion(snapshot);
    *tally = (struct tally){.integrated = from,
                            .basis = {.is_counting = 1,
                                      .from = from,
                                      .to = to,
                                      .drift_u = start.drift_u,
                                      .drift_v = start.drift_v,
                                      .blocks = sums},
                            .sums = sums,
                            .start = start,
                            .is_lossy = is_lossy(snapshot->system),
                            .has_laws = wall_laws_act(&snapshot->system->boundary),
                            .gravity = snapshot->system->boundary.gravity,
                            .gauge = inflow_gauge_make(snapshot)};
}

void tally_collide(struct tally *tally, const struct collision *collision)
{
    const struct collision_particle *a = &collision->a;
    if (collision->partner == PARTNER_PARTICLE) {
        collision_sums_add(tally->sums, &tally->basis, collision, 1);
        return;
    }
    const double x = a->mass * (a->u - a->u_before), y = a->mass * (a->v - a->v_before);
    if (tally->gravity.acts)
        tally_integrate(tally, collision->time); /* before the momentum changes */
    sum_add(&tally->gained[0], -x);
    sum_add(&tally->gained[1], -y);
    if (collision->is_reinjection) {
        tally->reinjections++;
        sum_add(&tally->inflow, inflow_gauge_weigh(&tally->gauge, collision));
        sum_add(&tally->seam_given[0], x);
        sum_add(&tally->seam_given[1], y);
        add_turn(tally, a, 1, collision->time);
    } else if (collision->feature < FEATURE_TOP) {
        tally_add_polygon(tally, collision, x, y);
    } else {
        add_wall(tally, collision, x, y);
    }
}

void tally_record(struct tally *tally, double from, double to, const struct snapshot *snapshot,
                  struct record *record)
{
    struct snapshot_motion *start = &tally->start;
    struct sum *const sums[] = {
        &tally->polygons_push, &tally->polygons_gained[0], &tally->polygons_gained[1],
        &tally->seam_given[0], &tally->seam_given[1],      &tally->inflow,
        &tally->gained[0],     &tally->gained[1],          &tally->virial,
        &tally->energy_gained};
    double *const numbers[] = {&start->energy,     &start->potential,  &start->mass,
                               &start->momentum_x, &start->momentum_y, &start->momentum_scale,
                               &start->drift_u,    &start->drift_v,    &tally->difference,
                               &tally->shear,      &tally->integrated};
    tally->is_lossy = is_lossy(snapshot->system);
    tally->has_laws = wall_laws_act(&snapshot->system->boundary);
    tally->gravity = snapshot->system->boundary.gravity;
    tally->gauge = inflow_gauge_make(snapshot);
    record_whole(record, &tally->pairs, UINT64_MAX);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        record_whole(record, &tally->walls[wall], UINT64_MAX);
    record_whole(record, &tally->polygons, UINT64_MAX);
    record_whole(record, &tally->reinjections, UINT64_MAX);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        record_numbers(record, numbers[k], 1);
    tally->basis.is_counting = 1;
    tally->basis.from = from;
    tally->basis.to = to;
    tally->basis.drift_u = start->drift_u;
    tally->basis.drift_v = start->drift_v;
    record_numbers(record, tally->changes, TALLY_INTEGRALS);
    record_numbers(record, tally->integrals, TALLY_INTEGRALS);
    if (tally->basis.classes)
        record_numbers(record, tally->class_pairs[0], 2 * CLASS_PAIRS);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        record_sum(record, &tally->push[wall]);
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
        record_sum(record, sums[k]);
    record_end_line(record);
}

void tally_record_sums(struct tally *tally, struct record *record)
{
    struct collision_sums *sums = tally->sums;
    for (; sums < tally->sums + (1 + tally->basis.more_pairs); sums++) {
        record_whole(record, &sums->pairs, UINT64_MAX);
        for (int k = 0; k < COLLISION_SUMS; k++) {
            record_number(record, &sums->units[k], 0, DBL_MAX);
            sums->units[k] = collision_sums_unit(sums->units[k]);
            for (int part = 0; part < COLLISION_PARTS; part++)
                record_sum(record, &sums->parts[part][k]);
        }
        record_end_line(record);
    }
}

double tally_half_freedom(const struct system *system, double count)
{
    const unsigned conserved = tally_conserved(&system->boundary);
    int axes = !!(conserved & PERIODIC_X) + !!(conserved & PERIODIC_Y);
    const double half = count - 0.5 * ((double)system->fixed + axes);
    return system->fixed > 0 ? fmax(half, 0.5) : half; /* where nothing can move, nothing does */
}

struct snapshot_motion tally_motion(const struct snapshot *snapshot)
{
    const struct boundary *boundary = &snapshot->system->boundary;
    const unsigned conserved = tally_conserved(boundary);
    const double count = (double)system_present(snapshot->system);
    struct snapshot_motion motion = {.half_freedom = tally_half_freedom(snapshot->system, count)};
    const struct acceleration *gravity = &boundary->gravity;
    struct sum mass = {0}, x = {0}, y = {0}, scale = {0}, energy = {0}, thermal = {0};
    struct sum potential = {0}, rotational = {0};
    const int is_rough = snapshot->system->spins != NULL;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        if (!snapshot_has(snapshot, k))
            continue;
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double square = body.u * body.u + body.v * body.v;
        sum_add(&mass, body.mass);
        sum_add(&x, body.mass * body.u);
        sum_add(&y, body.mass * body.v);
        sum_add(&scale, body.mass * sqrt(square));
        sum_add(&energy, 0.5 * body.mass * square);
        if (gravity->acts)
            sum_add(&potential, -body.mass * (gravity->x * body.x + gravity->y * body.y));
        if (is_rough) {
            const double rim = body.radius * snapshot_spin(snapshot, k);
            sum_add(&rotational, 0.5 * boundary->surfaces.inertia * body.mass * (rim * rim));
        }
    }
    motion.mass = sum_value(&mass);
    motion.potential = sum_value(&potential);
    motion.rotational = sum_value(&rotational);
    motion.momentum_x = sum_value(&x);
    motion.momentum_y = sum_value(&y);
    motion.momentum_scale = sum_value(&scale);
    motion.thermal = sum_value(&energy);
    motion.energy = motion.thermal + motion.rotational;
    if (boundary->stream.draw)
        motion.drift_u = boundary->stream.speed;
    if (conserved & PERIODIC_X)
        motion.drift_u = motion.momentum_x / motion.mass;
    if (conserved & PERIODIC_Y)
        motion.drift_v = motion.momentum_y / motion.mass;
    if (motion.drift_u == 0 && motion.drift_v == 0)
        return motion;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        if (!snapshot_has(snapshot, k))
            continue;
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double u = body.u - motion.drift_u, v = body.v - motion.drift_v;
        sum_add(&thermal, 0.5 * body.mass * (u * u + v * v));
    }
    motion.thermal = sum_value(&thermal);
    return motion;
}

void tally_end(struct tally *tally, const struct snapshot *snapshot)
{
    const double count = (double)system_present(snapshot->system);
    struct sum ends[TALLY_INTEGRALS] = {{0}}; /* but for the energy */
    struct sum square = {0}, reduced = {0}, reduced_2 = {0};
    tally->end = tally_motion(snapshot);
    ends[INTEGRAL_COUNT].rounded = count;
    ends[INTEGRAL_MASS].rounded = tally->end.mass;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        if (!snapshot_has(snapshot, k))
            continue;
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        const double u = body.u - tally->end.drift_u;
        const double v = body.v - tally->end.drift_v;
        const double c_2 = u * u + v * v;
        const double mass_c_2 = body.mass * c_2;
        sum_add(&ends[INTEGRAL_SPEED], sqrt(c_2));
        sum_add(&square, c_2);
        sum_add(&reduced, sqrt(mass_c_2));
        sum_add(&reduced_2, mass_c_2);
        sum_add(&ends[INTEGRAL_FOURTH], mass_c_2 * mass_c_2);
        sum_add(&ends[INTEGRAL_DIFFERENCE], body.mass * (u * u - v * v));
        sum_add(&ends[INTEGRAL_SHEAR], body.mass * u * v);
        if (tally->basis.classes)
            sum_add(&ends[INTEGRAL_CLASSES + tally->basis.classes[k]], 0.5 * mass_c_2);
    }
    tally_advance(tally, snapshot->time);
    for (int k = INTEGRAL_SPEED; k < TALLY_INTEGRALS; k++)
        tally->starts[k] = sum_value(&ends[k]) - tally->changes[k];
    tally->speeds =
        (struct tally_speeds){sum_value(&ends[INTEGRAL_SPEED]) / count, sum_value(&square) / count,
                              sum_value(&reduced) / count, sum_value(&reduced_2) / count};
}
