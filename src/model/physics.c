/* What a collision does to the particles; the times of collisions are in pair.h and boundary.h. */
#include "model/physics.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/simd.h"
#include "model/boundary_law.h"

/* A vector {x, y}. Both components are in one register and are stored at once: what the predictions
 * load as one soon after would otherwise have to wait for both to reach the cache. */
typedef simd vector;
_Static_assert(SIMD_LANES == 2, "one lane for each component");

static inline vector velocity_of(const struct particle *particle)
{
    return simd_load(&particle->u);
}

static inline void set_velocity(struct particle *particle, vector velocity)
{
    simd_store(&particle->u, velocity);
}

static inline double dot(vector a, vector b)
{
    const vector products = a * b;
    return products[0] + products[1];
}

/* The position of motion_at without gravity, in one register. */
static inline vector position_at(const struct particle *particle, double time)
{
    return simd_load(&particle->x) + velocity_of(particle) * (time - particle->t);
}

static inline void set_anchor(struct particle *particle, vector position, double time)
{
    simd_store(&particle->x, position);
    particle->t = time;
}

/* The vector from a to b, or to the image of b that is `shift` from it, where that is not NULL; of
 * anchors of the same time. */
static inline vector distance_between(const struct particle *a, const struct particle *b,
                                      const struct pair_shift *shift)
{
    const vector d = simd_load(&b->x) - simd_load(&a->x);
    return shift ? d + simd_load(&shift->x) : d;
}

/* d.w of such particles, by the very arithmetic of the prediction: negative if they approach, and
 * positive if they leave each other. */
static inline double separation_rate(const struct particle *a, const struct particle *b,
                                     const struct pair_shift *shift)
{
    return dot(distance_between(a, b, shift), velocity_of(b) - velocity_of(a));
}

/* A vector, not (0, 0), made one of length 1. */
static inline vector normalise(vector d)
{
    d /= fabs(d[0]) > fabs(d[1]) ? fabs(d[0]) : fabs(d[1]); /* its square might vanish */
    return d / sqrt(dot(d, d));
}

/* The assignment's rule for two particles of equal mass. */
static void switch_velocities(struct particle *a, struct particle *b)
{
    const vector velocity = velocity_of(a);
    set_velocity(a, velocity_of(b));
    set_velocity(b, velocity);
}

/*
 * Takes back what rounding has moved two particles too far. Where they meet head-on as points, or
 * graze as disks, the last bit of a coordinate decides whether they already leave each other at the
 * time of their contact: then they would collide again at once, or points would pass through each
 * other. So b goes back along its path as seen from a, by a unit in the last place or so, until
 * they do not leave each other any more. Where that is not enough, they only seemed to graze, by
 * the rounding of the discriminant, and stay where they are.
 */
COMPILER_APART static void step_back(const struct particle *a, struct particle *b,
                                     const struct pair_shift *shift)
{
    const struct particle here = *b;
    double speed = fmax(fmax(fabs(a->u), fabs(a->v)), fmax(fabs(b->u), fabs(b->v)));
    double reach = fmax(fmax(fabs(a->x), fabs(a->y)), fmax(fabs(b->x), fabs(b->y)));
    double most = 8 * DBL_EPSILON * (reach + speed * b->t) + DBL_MIN;
    const vector n = normalise(velocity_of(b) - velocity_of(a));
    double least = DBL_EPSILON / 2 * fmax(fabs(b->x), fabs(b->y)) + DBL_MIN;
    for (double step = least; separation_rate(a, b, shift) > 0 && step <= most; step *= 2)
        simd_store(&b->x, simd_load(&b->x) - step * n);
    if (separation_rate(a, b, shift) > 0)
        *b = here;
}

/* The share of a speed that one mass has of the sum of two, rounded once: otherwise each collision
 * of two kinds of particles would be wrong by the same last bit to the same side, and a million of
 * them would warm or cool a gas. */
static double take_share(double mass, double other, double speed)
{
    double sum = mass + other;
    double rest_of_sum = fmin(mass, other) - (sum - fmax(mass, other)); /* exact (Dekker 1971) */
    double value = mass / sum;
    double rest = (fma(-value, sum, mass) - value * rest_of_sum) / sum;
    return rest == 0 ? value * speed : fma(value, speed, rest * speed);
}

/* The unit vector from the centre of a to the centre of b. */
static inline vector line_of_centres(const struct particle *a, const struct particle *b, vector d)
{
    if (d[0] == 0 && d[1] == 0) /* two points at one position: they met head-on */
        d = velocity_of(a) - velocity_of(b);
    return normalise(d);
}

/* Changes the velocity with which b leaves a, along a unit vector, by `speed`. Returns the parts of
 * it that a and b get. Most masses are equal. */
static inline vector push_apart(const struct system *system, struct particle *a, struct particle *b,
                                vector n, double speed)
{
    const double a_mass = system_mass(system, a);
    const double b_mass = system_mass(system, b);
    double a_speed = 0.5 * speed;
    double b_speed = a_speed;
    if (a_mass != b_mass) {
        a_speed = take_share(b_mass, a_mass, speed);
        b_speed = take_share(a_mass, b_mass, speed);
    }
    set_velocity(a, velocity_of(a) - a_speed * n);
    set_velocity(b, velocity_of(b) + b_speed * n);
    return (vector){a_speed, b_speed};
}

/* Pushes a pair on that rounding has left approaching. */
COMPILER_APART static void push_on(const struct system *system, struct particle *a,
                                   struct particle *b, vector n, const struct pair_shift *shift)
{
    double least = DBL_EPSILON * (fabs(a->u - b->u) + fabs(a->v - b->v)) + DBL_MIN;
    for (double speed = least; separation_rate(a, b, shift) < 0; speed *= 2)
        push_apart(system, a, b, n, speed);
}

/*
 * ---- Rough disks ----
 *
 * Where two surfaces meet, they slip on each other with a speed s, to which velocities and spins
 * contribute; after the collision it is -r s, with the roughness r. With the normal impulse J_n and
 * friction f, the impulse along the surfaces is f J_n at most: then they go on slipping (O. Walton
 * and R. Braun, Viscosity, granular-temperature, and stress calculations for shearing assemblies of
 * inelastic, frictional disks, J. Rheology 30, 1986). An impulse that changes the relative velocity
 * of the centres by c changes s by c (1 + m R^2 / I), for any two masses and radii, and a spin by
 * R m / I times the part of c that the disk gets. I is rounded so that 1 + m R^2 / I is exact:
 * otherwise each collision would be wrong to the same side, as in take_share.
 */

/* 1 + m R^2 / I, which is the same for all disks; 1 less than that is exact, too. */
static double surface_response(const struct surfaces *surfaces)
{
    return 1 + 1 / surfaces->inertia;
}

/* The change c for a slip s, where the normal velocity changes by `normal`. */
static double rub(const struct surfaces *surfaces, double response, double slip, double normal)
{
    const double change = (1 + surfaces->roughness) * slip / response;
    const double most = surfaces->friction * normal;
    return fabs(change) > most ? copysign(most, slip) : change;
}

/* Changes the spin of a disk whose surface gets a velocity as seen from its centre. */
static void turn(const struct system *system, const struct particle *particle, double speed)
{
    system->spins[particle - system->particles] += speed / system_radius(system, particle);
}

COMPILER_APART static void rub_pair(const struct system *system, struct particle *a,
                                    struct particle *b, vector n, double normal)
{
    const vector along = {-n[1], n[0]};
    const double rims = system_rim(system, (size_t)(a - system->particles)) +
                        system_rim(system, (size_t)(b - system->particles));
    const double slip = dot(velocity_of(a) - velocity_of(b), along) + rims;
    const double response = surface_response(&system->boundary.surfaces);
    const double change = rub(&system->boundary.surfaces, response, slip, normal);
    if (change == 0) /* velocities keep all their bits, as those of smooth disks */
        return;
    const vector parts = push_apart(system, a, b, along, change);
    turn(system, a, -parts[0] * (response - 1));
    turn(system, b, -parts[1] * (response - 1));
}

/* The same of a particle and the boundary, at rest, that it has left along the unit vector n; it
 * had the velocity `before`. */
static void rub_on_boundary(const struct system *system, struct particle *particle, vector n,
                            vector before)
{
    const vector along = {-n[1], n[0]};
    const double slip = dot(velocity_of(particle), along) -
                        system_rim(system, (size_t)(particle - system->particles));
    const double response = surface_response(&system->boundary.surfaces);
    const double change =
        rub(&system->boundary.surfaces, response, slip, dot(velocity_of(particle) - before, n));
    if (change == 0)
        return;
    set_velocity(particle, velocity_of(particle) - change * along);
    turn(system, particle, change * (response - 1));
}

/*
 * The impulse J = (1 + e) m_a m_b / (m_a + m_b) (w.n) acts along the line of centres (engineering
 * course project, Eqs. 2.19 and 2.20; priority queue article, "bounceOff"; lift article,
 * "Collision Resolution", for the restitution e). Rounding can leave a pair approaching, by a last
 * bit, that has hardly any normal velocity: a graze, or any pair if e = 0. Lest it collides again
 * without end, it is pushed on, a little and then twice as much, until it no longer approaches.
 */
static inline void exchange_momentum(const struct system *system, struct particle *a,
                                     struct particle *b, const struct pair_shift *shift, vector d,
                                     double restitution)
{
    const vector n = line_of_centres(a, b, d);
    double closing = dot(velocity_of(a) - velocity_of(b), n);
    if (closing > 0) {
        push_apart(system, a, b, n, (1 + restitution) * closing);
        if (system->spins)
            rub_pair(system, a, b, n, (1 + restitution) * closing);
    }
    if (dot(d, velocity_of(b) - velocity_of(a)) < 0)
        push_on(system, a, b, n, shift);
}

/* Particles that lose energy can collide infinitely often in a finite time (inelastic collapse); so
 * one that has just collided loses nothing (S. Luding and S. McNamara, How to handle the inelastic
 * collapse of a dissipative hard-sphere gas with the TC model, Granular Matter 1, 1998). */
static inline double restitution_at(const struct system *system, const struct particle *a,
                                    const struct particle *b, const struct pair_shift *shift,
                                    double time)
{
    const double collided = a->collided > b->collided ? a->collided : b->collided;
    if (!(time - collided < system->law.contact_time))
        return system->law.restitution;
    const vector d = distance_between(a, b, shift);
    const double speed = -separation_rate(a, b, shift) / elementary_length(d[0], d[1]);
    return system_loses(system, time - collided, speed) ? system->law.restitution : 1;
}

static void physics_mark(struct particle *particle)
{
    particle->collided = particle->t;
    particle->version++;
}

/*
 * Disks that grow exchange momentum elastically as seen from their rims: these move at the speed h
 * at which the distance of contact grows, and with the normal velocity w.n before, it is 2 h - w.n
 * after. So the pair leaves more quickly than it grows, and gains h J, which is the work of a
 * compression. Where rounding leaves a gap that closes by the arithmetic of the prediction, the
 * pair is pushed on.
 */
COMPILER_APART static void part_growing(const struct system *system, double time,
                                        struct particle *a, struct particle *b,
                                        const struct pair_shift *shift)
{
    const vector n = line_of_centres(a, b, distance_between(a, b, shift));
    const double contact = system_contact(system, a, b);
    const double h = contact * system->boundary.growth;
    const double least = h * (contact * system_grown(system, time));
    const double closing = dot(velocity_of(a) - velocity_of(b), n) + h;
    push_apart(system, a, b, n, 2 * fmax(closing, 0));
    double speed = DBL_EPSILON * (fabs(a->u - b->u) + fabs(a->v - b->v)) + DBL_MIN;
    for (; separation_rate(a, b, shift) < least; speed *= 2)
        push_apart(system, a, b, n, speed);
}

/* Particles a and b of an event, whose anchors are there. `d` is distance_between: a run waits for
 * what follows, and takes 1 to 3 % less if it is not read back from the anchors. */
static inline void hit_particle(struct system *system, const struct event *event,
                                struct particle *a, struct particle *b,
                                const struct pair_shift *shift, vector d)
{
    if (system->boundary.growth > 0) {
        part_growing(system, event->time, a, b, shift);
    } else {
        if (dot(d, velocity_of(b) - velocity_of(a)) > 0) {
            step_back(a, b, shift);
            d = distance_between(a, b, shift);
        }
        if (system->law.rule == RULE_ELASTIC)
            exchange_momentum(system, a, b, shift, d,
                              restitution_at(system, a, b, shift, event->time));
        else if (!(dot(d, velocity_of(b) - velocity_of(a)) > 0))
            switch_velocities(a, b);
    }
    physics_mark(a);
    physics_mark(b);
    if (system->counts) {
        system->counts[event->a].particles++;
        system->counts[event->b].particles++;
    }
}

/* Gravity, if there is none, and whether disks grow are constants in each caller. */
COMPILER_INLINE struct physics_contact find_first_contact(const struct system *system,
                                                          const struct acceleration *gravity,
                                                          int grows, const struct particle *i,
                                                          const struct particle *j)
{
    const struct boundary *boundary = &system->boundary;
    const int columns = (boundary->periodic & PERIODIC_X) != 0;
    const int rows = (boundary->periodic & PERIODIC_Y) != 0;
    const double contact = system_contact(system, i, j);
    struct physics_contact first = {(double)INFINITY, {0, 0}};
    for (int column = -columns; column <= columns; column++) {
        for (int row = -rows; row <= rows; row++) {
            const struct pair_shift shift = {column * boundary->width, row * boundary->height};
            const double time = grows ? pair_growing_time(i, j, contact, boundary->growth, &shift)
                                      : pair_time_under(gravity, i, j, contact, &shift);
            if (time < first.time)
                first = (struct physics_contact){time, shift};
        }
    }
    return first;
}

static struct physics_contact fall_to_contact(const struct system *system, const struct particle *i,
                                              const struct particle *j)
{
    return find_first_contact(system, &system->boundary.gravity, 0, i, j);
}

COMPILER_APART static struct physics_contact
grow_to_contact(const struct system *system, const struct particle *i, const struct particle *j)
{
    return find_first_contact(system, &(struct acceleration){0, 0, 0}, 1, i, j);
}

struct physics_contact physics_first_contact(const struct system *system, const struct particle *i,
                                             const struct particle *j)
{
    if (system->boundary.gravity.acts)
        return fall_to_contact(system, i, j);
    if (system->boundary.growth > 0)
        return grow_to_contact(system, i, j);
    return find_first_contact(system, &(struct acceleration){0, 0, 0}, 0, i, j);
}

/* hit_pair under gravity, or where the nearest image of b is that across a seam. In a box hardly
 * wider than four radii, a disk may touch two images of another at once: then it is the one that
 * was predicted. */
COMPILER_APART static void hit_image(struct system *system, const struct event *event,
                                     struct pair_shift *image)
{
    struct particle *a = &system->particles[event->a];
    struct particle *b = &system->particles[event->b];
    const struct motion from = motion_at(&system->boundary.gravity, a, event->time);
    const struct motion to = motion_at(&system->boundary.gravity, b, event->time);
    const struct pair_shift periods = boundary_periods(&system->boundary);
    const double wide = 2.01 * system_contact(system, a, b) * system_grown(system, event->time);
    *image = boundary_image(&system->boundary, to.x - from.x, to.y - from.y);
    if (periods.x < wide || periods.y < wide)
        *image = physics_first_contact(system, a, b).shift;
    motion_move(&system->boundary.gravity, a, event->time);
    motion_move(&system->boundary.gravity, b, event->time);
    hit_particle(system, event, a, b, image, distance_between(a, b, image));
}

/* Finds the shift of the image of b that a meets. Few pairs are at a seam: a processor guesses
 * that, and need not wait for the distance. Where centres are less than half a period apart along
 * both axes, no image of b can be touched. */
COMPILER_INLINE void hit_pair(struct system *system, const struct event *event,
                              struct pair_shift *image)
{
    struct particle *a = &system->particles[event->a];
    struct particle *b = &system->particles[event->b];
    const double time = event->time;
    const vector a_position = position_at(a, time);
    const vector b_position = position_at(b, time);
    const vector d = b_position - a_position;
    const vector near = 0.49 * simd_load(&system->boundary.width); /* and height */
    const int acts = system->boundary.gravity.acts; /* most often not, nor is the box periodic */
    if ((system->boundary.periodic | (unsigned)acts) &&
        (acts || simd_bits(simd_larger(d, -d) > near))) {
        hit_image(system, event, image);
        return;
    }
    *image = (struct pair_shift){0, 0};
    set_anchor(a, a_position, time);
    set_anchor(b, b_position, time);
    hit_particle(system, event, a, b, NULL, d);
}

/* Moves a particle across a seam, or where a stream gives it another velocity, perhaps back. */
static void cross_seam(const struct system *system, struct particle *particle, int32_t feature)
{
    const struct stream *stream = &system->boundary.stream;
    if (stream->draw) {
        stream->draw(stream, particle, system_mass(system, particle), feature);
        particle->collided = particle->t; /* the velocity is new, as after a collision */
        feature = boundary_ahead(feature, particle);
    }
    boundary_pass(&system->boundary, particle, feature);
    particle->version++;
}

/* Gravity pulls a particle back to what it has hit. A disk that has lost its energy would hit it
 * infinitely often in a finite time. So it leaves with such a speed along the normal (nx, ny), at
 * least, that it is not back before the contact time is over. */
COMPILER_APART static void lift(const struct system *system, struct particle *particle, double nx,
                                double ny)
{
    const struct acceleration *gravity = &system->boundary.gravity;
    const double least = -0.5 * (gravity->x * nx + gravity->y * ny) * system->law.contact_time;
    const double lacks = least - (particle->u * nx + particle->v * ny);
    if (least > 0 && lacks > 0) {
        particle->u += lacks * nx;
        particle->v += lacks * ny;
    }
}

/* Moves the anchor of a particle to a side that it meets under gravity, at `time`. That is rounded,
 * and the coordinate becomes that of the side exactly; so the speed there is not the one at that
 * time, but the one that conserves the energy. */
COMPILER_APART static void fall_to_side(const struct boundary *boundary, struct particle *particle,
                                        double radius, int32_t feature, double time)
{
    struct boundary_approach to = boundary_approach(boundary, particle, radius, feature);
    const int is_shaken = feature == FEATURE_BOTTOM && boundary->shake.acts;
    if (is_shaken)
        to.gap -= boundary_floor(&boundary->shake, time).height;
    const double speed = sqrt(fmax(to.speed * to.speed + 2 * to.pull * to.gap, 0));
    const double outward = feature == FEATURE_RIGHT || feature == FEATURE_TOP ? speed : -speed;
    motion_move(&boundary->gravity, particle, time);
    *(feature >= FEATURE_RIGHT ? &particle->u : &particle->v) =
        is_shaken ? copysign(speed, particle->v) : outward; /* what rises may be met, too */
}

/* Changes a vertical velocity to one that is relative to the floor at the time of the anchor, where
 * that is shaken, and puts the anchor on it. Returns the floor's own. */
COMPILER_APART static double see_from_floor(const struct system *system, struct particle *particle)
{
    const struct boundary_floor floor = boundary_floor(&system->boundary.shake, particle->t);
    particle->y = system_radius(system, particle) + floor.height;
    particle->v += floor.speed; /* which has been mirrored already */
    return floor.speed;
}

static void hit_side(const struct system *system, struct particle *particle, int32_t feature)
{
    const struct wall_law *law = wall_laws_find(&system->boundary, feature);
    const vector before = velocity_of(particle);
    boundary_resolve(&system->boundary, particle, system_radius(system, particle), feature);
    const int is_upright = feature >= FEATURE_RIGHT; /* its speed is up, otherwise right */
    const double n = feature == FEATURE_LEFT || feature == FEATURE_BOTTOM ? 1 : -1;
    const vector normal = is_upright ? (vector){n, 0} : (vector){0, n};
    const int is_shaken = feature == FEATURE_BOTTOM && system->boundary.shake.acts;
    const double rising = is_shaken ? see_from_floor(system, particle) : 0;
    const double along = is_upright ? particle->y : particle->x;
    if (law && law->absorb > 0 && along >= law->from && along <= law->to) {
        physics_mark(particle);
        particle_absorb(particle);
        return;
    }
    if (law)
        wall_act(system, law, normal[0], normal[1], is_upright ? -n : n, particle);
    if (system->boundary.gravity.acts)
        lift(system, particle, normal[0], normal[1]);
    if (is_shaken)
        particle->v += rising;
    if (system->spins)
        rub_on_boundary(system, particle, normal, before);
    physics_mark(particle);
}

/* A polygon's wall acts on what it has mirrored, if it has a law or the disk is rough; at a corner
 * it is the line that touches the disk there. */
static void hit_polygon(const struct system *system, struct particle *particle, int32_t feature,
                        const struct pair_shift *shift)
{
    const struct boundary *boundary = &system->boundary;
    const struct wall_law *law = wall_laws_find(boundary, feature);
    const double radius = system_radius(system, particle);
    const vector before = velocity_of(particle);
    struct polygon_normal normal = {.has_normal = 0};
    polygons_resolve(boundary, particle, radius, feature, shift);
    if (law || boundary->gravity.acts || system->spins)
        normal = polygons_normal(boundary, particle, radius, feature, shift);
    if (law && normal.has_normal) {
        wall_act(system, law, normal.nx, normal.ny, -1, particle);
        polygons_leave(boundary, particle, feature, shift);
    }
    if (normal.has_normal)
        lift(system, particle, normal.nx, normal.ny);
    if (system->spins && normal.has_normal) {
        rub_on_boundary(system, particle, (vector){normal.nx, normal.ny}, before);
        polygons_leave(boundary, particle, feature, shift);
    }
    physics_mark(particle);
}

static void hit_boundary(struct system *system, const struct event *event, struct pair_shift *shift)
{
    const struct boundary *boundary = &system->boundary;
    struct particle *a = &system->particles[event->a];
    *shift = (struct pair_shift){0, 0};
    if (event->b < FEATURE_TOP && boundary->periodic)
        *shift = polygons_image(boundary, a, system_radius(system, a), event->b);
    if (boundary->gravity.acts && event->b >= FEATURE_TOP)
        fall_to_side(boundary, a, system_radius(system, a), event->b, event->time);
    else
        motion_move(&boundary->gravity, a, event->time);
    if (boundary_is_seam(boundary, event->b))
        cross_seam(system, a, event->b);
    else if (event->b < FEATURE_TOP)
        hit_polygon(system, a, event->b, shift);
    else
        hit_side(system, a, event->b);
    if (system->counts && !boundary_turned_back(boundary, event->b, a))
        boundary_count(boundary, &system->counts[event->a], event->b);
}

COMPILER_UNGUARDED void physics_resolve(struct system *system, const struct event *event)
{
    struct pair_shift shift;
    if (event_partner(event->b) == PARTNER_PARTICLE)
        hit_pair(system, event, &shift);
    else
        hit_boundary(system, event, &shift);
}

static inline void complete_participant(struct collision_particle *participant,
                                        const struct particle *p)
{
    participant->number = p->id;
    simd_store(&participant->x, simd_load(&p->x));
    simd_store(&participant->u, velocity_of(p));
}

/* The velocity of a particle just before an event. */
COMPILER_APART static void fall_to(const struct system *system, double time,
                                   const struct particle *p, struct collision_particle *to)
{
    const struct motion at = motion_at(&system->boundary.gravity, p, time);
    to->u_before = at.u;
    to->v_before = at.v;
}

/* Without a branch where one would be guessed wrong, and with few instructions: it takes a tenth of
 * the time of a run with --stats. */
void physics_resolve_collision(struct system *system, const struct event *event,
                               struct collision *collision)
{
    const int is_pair = event_partner(event->b) == PARTNER_PARTICLE;
    const struct particle *a = &system->particles[event->a];
    const struct particle *b = is_pair ? &system->particles[event->b] : a; /* of no meaning */
    const struct particle_kind *const kinds = system->kinds;
    const vector alike = {system->radius, 1}; /* radius and mass */
    const simd since = simd_larger((simd){a->collided, b->collided}, simd_all(0));
    collision->time = event->time;
    collision->partner = is_pair ? PARTNER_PARTICLE : PARTNER_BOUNDARY;
    collision->feature = event->b;
    collision->is_reinjection = !is_pair && boundary_is_seam(&system->boundary, event->b);
    simd_store(&collision->a.u_before, velocity_of(a));
    simd_store(&collision->b.u_before, velocity_of(b));
    const vector grown = {system_grown(system, event->time), 1};
    simd_store(&collision->a.radius, grown * (kinds ? simd_load(&kinds[a->kind].radius) : alike));
    simd_store(&collision->b.radius, grown * (kinds ? simd_load(&kinds[b->kind].radius) : alike));
    collision->a.since = since[0]; /* particle_since of both */
    collision->b.since = since[1];
    if (system->boundary.gravity.acts) {
        fall_to(system, event->time, a, &collision->a);
        fall_to(system, event->time, b, &collision->b);
    }
    collision->is_absorbed = 0;
    if (is_pair) {
        hit_pair(system, event, &collision->shift);
    } else {
        hit_boundary(system, event, &collision->shift);
        collision->is_absorbed = particle_is_absorbed(a);
    }
    complete_participant(&collision->a, a);
    complete_participant(&collision->b, b);
    simd_store(&collision->dx, distance_between(a, b, &collision->shift));
}

void physics_position(const struct system *system, size_t index, double time, double *x, double *y)
{
    const struct particle *p = &system->particles[index];
    const struct motion at = motion_shown(&system->boundary.gravity, p, time);
    *x = at.x;
    *y = at.y;
    boundary_clamp(&system->boundary, system_radius(system, p) * system_grown(system, time), x, y);
}

double physics_contact_time(const struct system *system)
{
    const double part = 1e-5; /* of the time in which a particle moves by its own size */
    const struct boundary *box = &system->boundary;
    double fastest = system_fastest(system);
    for (size_t k = 0; k < system->count && system->spins; k++)
        fastest = fmax(fastest, fabs(system_rim(system, k)));
    double radii = 0;
    double squares = 0; /* of speeds in units of the fastest, for they might vanish */
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double u = p->u / fastest;
        double v = p->v / fastest;
        double rim = system_rim(system, k) / fastest;
        radii += system_radius(system, p);
        squares += u * u + v * v + rim * rim;
    }
    double count = (double)system->count;
    double size = radii > 0 ? 2 * radii / count : fmin(box->width, box->height);
    double speed = fastest * sqrt(squares / count);
    double time = fastest > 0 ? part * size / speed : (double)INFINITY;
    if (box->gravity.acts)
        time = fmin(time, part * sqrt(size / elementary_length(box->gravity.x, box->gravity.y)));
    if (box->shake.acts)
        time = fmin(time, part * size / boundary_floor(&box->shake, 0).speed);
    return time < (double)INFINITY ? fmin(time, SYSTEM_LARGEST) : 0;
}
