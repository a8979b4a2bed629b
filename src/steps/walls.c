/*
 * The walls of the box, and the sides and corners of polygons. They are in every scene, as the last
 * constraint: no particle passes them, however long the step.
 *
 * The straight path of a particle through a substep is traced from contact to contact, by the
 * predictions of the event-driven dynamics (boundary.h, polygons.h). At a contact the velocity
 * along the normal is reflected times the restitution, and used for the remainder of the substep
 * (term.h). A velocity no larger than the change by the forces of two substeps is not reflected:
 * so a particle that lies on a wall stays there.
 */
#include "base/memory.h"
#include "model/polygons.h"
#include "term.h"

#include <float.h>
#include <string.h>

enum {
    MAX_TOUCHED = 2,  /* features that a disk touches at a time; 0 is none */
    MAX_CONTACTS = 32 /* in a substep; then the particle stays where it is */
};

/* A feature that a particle touches; or {0}. */
struct walls_contact {
    int32_t feature;
    struct vector support; /* the normal, if the particle lies there */
};

struct walls {
    struct term term;                             /* the first member: see term.h */
    double restitution;                           /* 0 to 1 */
    struct walls_contact (*touched)[MAX_TOUCHED]; /* by each particle in the last substep */
};

struct walls_path {
    size_t k;           /* of the particle */
    double radius;      /* of the particle */
    struct particle at; /* its position, and its velocity along the path; its time is 0 */
    double remaining;   /* of the substep, time */
    struct walls_contact touched[MAX_TOUCHED]; /* on the path */
};

static enum status walls_create(struct term *term, const struct text_arguments *arguments,
                                struct steps *steps)
{
    struct walls *walls = (struct walls *)term;
    walls->restitution = arguments->numbers[0];
    walls->touched = term->memory = memory_allocate_zeros(
        steps->system->count, sizeof *walls->touched, "the walls", steps->error);
    return walls->touched ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Lists a feature that is touched, and counts it if it is not one of the last substep. */
static struct walls_contact *count_contact(const struct walls *walls, struct system *system,
                                           struct walls_path *path, int32_t feature)
{
    const struct walls_contact *last = walls->touched[path->k];
    const int32_t first = path->touched[0].feature;
    struct walls_contact *contact = &path->touched[first != 0 && first != feature];
    if (contact->feature != feature) {
        system->counts[path->k].walls += last[0].feature != feature && last[1].feature != feature;
        *contact = (struct walls_contact){.feature = feature};
    }
    return contact;
}

/* Moves a particle exactly to the position of contact. Returns the normal. */
static struct vector place_at_contact(const struct boundary *boundary, struct walls_path *path,
                                      int32_t feature)
{
    struct particle *at = &path->at;
    if (feature >= FEATURE_TOP) {
        const double side = feature == FEATURE_LEFT || feature == FEATURE_BOTTOM ? 1 : -1;
        struct particle placed = *at;
        boundary_resolve(boundary, &placed, path->radius, feature);
        at->x = placed.x;
        at->y = placed.y;
        return feature >= FEATURE_RIGHT ? (struct vector){side, 0} : (struct vector){0, side};
    }
    struct pair_shift shift = {0, 0};
    if (boundary->periodic)
        shift = polygons_image(boundary, at, path->radius, feature);
    const struct polygon_normal normal =
        polygons_normal(boundary, at, path->radius, feature, &shift);
    at->x -= fmin(normal.gap, 0) * normal.nx;
    at->y -= fmin(normal.gap, 0) * normal.ny;
    return (struct vector){normal.nx, normal.ny};
}

/* Changes the velocities of a particle in contact: it bounces, or slides along the wall. */
static void bounce_off(const struct walls *walls, struct steps *steps, struct walls_path *path,
                       const struct vector *normal, struct walls_contact *contact)
{
    const size_t k = path->k;
    const struct particle *p = &steps->system->particles[k];
    struct vector *moved = &steps->moved[k];
    const struct vector by_forces = steps_acceleration(steps, k);
    const double acceleration = vector_product(normal, &by_forces);
    const struct contact_arrival arrival = {vector_product(normal, &(struct vector){p->u, p->v}),
                                            acceleration, 2 * fabs(acceleration) * steps->dt,
                                            path->remaining};
    const struct contact_departure departure =
        contact_leave(&arrival, walls->restitution, steps->dt);
    const double pushed = vector_product(normal, moved); /* by other constraints */
    const double speed =
        fmax(arrival.speed + pushed / steps->dt, departure.is_resting ? 0 : departure.speed);
    steps_push(steps, k, normal, speed - arrival.speed, departure.is_resting ? 0.5 : 0);
    vector_add(moved, -pushed, normal);
    if (departure.is_resting)
        contact->support = *normal;
    else if (steps->flights) {
        steps->flights[k].straight = path->remaining;
        steps->is_unsettled |= departure.speed - arrival.speed > steps->strong;
    }
    const double before = vector_product(normal, &(struct vector){path->at.u, path->at.v});
    double after = departure.is_resting ? fmax(before, 0) : departure.gap / path->remaining;
    after += 4 * DBL_EPSILON *
             (fabs(path->at.u) + fabs(path->at.v)); /* against rounding errors towards the wall */
    path->at.u += normal->x * (after - before);
    path->at.v += normal->y * (after - before);
}

static void path_advance(struct walls_path *path, double time)
{
    path->at.x += path->at.u * time;
    path->at.y += path->at.v * time;
    path->remaining -= time;
}

static void trace_path(const struct walls *walls, struct steps *steps, struct walls_path *path)
{
    struct system *system = steps->system;
    const struct boundary *boundary = &system->boundary;
    struct particle *p = &system->particles[path->k];
    for (int contacts = 0;; contacts++) {
        struct boundary_contact contact = boundary_next(boundary, &path->at, path->radius);
        if (boundary->polygons) {
            const struct boundary_contact other = polygons_next(
                boundary, &path->at, path->radius, 0, fmin(contact.time, path->remaining));
            contact = other.time < contact.time ? other : contact;
        }
        const int is_last = !(contact.time < path->remaining);
        if (is_last && contacts == 0)
            return; /* without contact it is at the end already */
        if (contacts == MAX_CONTACTS)
            path->remaining = 0;
        if (is_last || contacts == MAX_CONTACTS)
            break;
        path_advance(path, contact.time);
        if (boundary_is_seam(boundary, contact.feature)) {
            boundary_pass(boundary, &path->at, contact.feature);
            boundary_count(boundary, &system->counts[path->k], contact.feature);
            continue;
        }
        const struct vector normal = place_at_contact(boundary, path, contact.feature);
        bounce_off(walls, steps, path, &normal,
                   count_contact(walls, system, path, contact.feature));
    }
    path_advance(path, path->remaining);
    boundary_clamp(boundary, path->radius, &path->at.x, &path->at.y);
    p->x = path->at.x;
    p->y = path->at.y;
}

static void trace_part(void *user, size_t begin, size_t end)
{
    struct walls *walls = user;
    struct steps *steps = walls->term.steps;
    const struct boundary *boundary = &steps->system->boundary;
    for (size_t k = begin; k < end; k++) {
        if (steps->passes > 1 && steps->flights[k].pass != steps->passes)
            continue;
        const struct particle *p = &steps->system->particles[k];
        const struct vector *before = &steps->before[k];
        const double radius = system_radius(steps->system, p);
        const int touches_side = (!(boundary->periodic & PERIODIC_X) &&
                                  !(p->x > radius && p->x < boundary->width - radius)) ||
                                 (!(boundary->periodic & PERIODIC_Y) &&
                                  !(p->y > radius && p->y < boundary->height - radius));
        if (!(boundary->polygons || touches_side) || steps->inverse_mass[k] == 0) {
            memset(walls->touched[k], 0, sizeof walls->touched[k]);
            continue;
        }
        struct walls_path path = {.k = k, .radius = radius, .remaining = steps->dt};
        path.at.x = before->x;
        path.at.y = before->y;
        path.at.u = (p->x - before->x) / steps->dt;
        path.at.v = (p->y - before->y) / steps->dt;
        if (isfinite(path.at.u) && isfinite(path.at.v))
            trace_path(walls, steps, &path);
        memcpy(walls->touched[k], path.touched, sizeof path.touched);
    }
}

/* Lets particles that lie on a wall not approach it. */
static void support_part(void *user, size_t begin, size_t end)
{
    const struct walls *walls = user;
    struct steps *steps = walls->term.steps;
    for (size_t k = begin; k < end; k++) {
        const struct particle *p = &steps->system->particles[k];
        for (size_t at = 0; at < MAX_TOUCHED; at++) {
            const struct vector *normal = &walls->touched[k][at].support;
            const double speed = vector_product(normal, &(struct vector){p->u, p->v});
            if (speed < 0)
                steps_push(steps, k, normal, -speed, 1);
        }
    }
}

static void walls_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct walls *walls = (struct walls *)term;
    const struct polygons *polygons = steps->system->boundary.polygons;
    const uint64_t features = BOUNDARY_SIDES + (polygons ? 2 * (uint64_t)polygons->side_count : 0);
    for (size_t k = 0; k < steps->system->count && !record->status; k++) {
        for (size_t at = 0; at < MAX_TOUCHED; at++) {
            uint64_t feature = (uint64_t)-walls->touched[k][at].feature;
            record_whole(record, &feature, features);
            walls->touched[k][at].feature = -(int32_t)feature;
        }
    }
    record_end_line(record);
}

const struct term_kind walls_kind = {
    .name = "walls",
    .size = sizeof(struct walls),
    .rank = RANK_WALLS,
    .traits = {.is_single = 1},
    .parameters = {{"restitution", 1, 0, 1}},
    .create = walls_create,
    .divide =
        {[PHASE_START] = trace_part, [PHASE_CONSTRAINTS] = trace_part, [PHASE_END] = support_part},
    .state = walls_state,
};
