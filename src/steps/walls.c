/*
 * The walls of the box, and the sides and corners of polygons. They are in every scene, as the last
 * constraint: no particle passes them, however long the step.
 *
 * The straight path of a particle through a substep is traced from contact to contact, by the
 * predictions of the event-driven dynamics (boundary.h, polygons.h). At a contact the velocity
 * along the normal is reflected times the restitution, and used for the remainder of the substep
 * (contact.h). A velocity that the forces of two substeps explain is not reflected, so a particle
 * that lies on a wall comes to rest.
 */
#include "base/memory.h"
#include "contact.h"
#include "model/polygons.h"

#include <float.h>
#include <string.h>

enum {
    MAX_TOUCHED = 2,  /* features that a disk at rest lies on; 0 is none */
    MAX_CONTACTS = 32 /* in a substep; then the particle stays where it is */
};

struct walls {
    struct part part;                /* the first member: see part.h */
    double restitution;              /* 0 to 1 */
    int32_t (*touched)[MAX_TOUCHED]; /* features, by each particle in the last substep; owned */
};

/* The path of a particle through a substep. */
struct wall_path {
    size_t k;                     /* of the particle */
    double radius;                /* its own */
    struct particle at;           /* its position, and its velocity along the path; its time is 0 */
    double remaining;             /* of the substep, time */
    int32_t touched[MAX_TOUCHED]; /* features on the path */
};

static void walls_free(struct part *part)
{
    memory_free(((struct walls *)part)->touched);
}

static enum status walls_create(struct part *part, const struct arguments *arguments,
                                struct steps *steps, struct error *error)
{
    const size_t count = steps->system->count;
    struct walls *walls = (struct walls *)part;
    walls->restitution = arguments->numbers[0];
    walls->touched = memory_allocate(count, sizeof *walls->touched, "the walls", error);
    if (!walls->touched)
        return STATUS_NO_MEMORY;
    memset(walls->touched, 0, count * sizeof *walls->touched);
    return STATUS_DONE;
}

static int contains_feature(const int32_t touched[MAX_TOUCHED], int32_t feature)
{
    return touched[0] == feature || touched[1] == feature;
}

/* Lists a feature that is touched, and counts it if it is not one of the last substep. */
static void count_contact(const struct walls *walls, struct system *system, struct wall_path *path,
                          int32_t feature)
{
    if (contains_feature(path->touched, feature))
        return;
    if (!contains_feature(walls->touched[path->k], feature))
        system->counts[path->k].walls++;
    path->touched[path->touched[0] ? 1 : 0] = feature;
}

/* The first contact on the path. */
static struct boundary_contact find_contact(const struct boundary *boundary,
                                            const struct wall_path *path)
{
    struct boundary_contact next = boundary_next(boundary, &path->at, path->radius);
    if (!boundary->polygons)
        return next;
    struct boundary_contact other = boundary->operations->next(boundary, &path->at, path->radius, 0,
                                                               fmin(next.time, path->remaining));
    return other.time < next.time ? other : next;
}

/* Moves a particle exactly to the position of contact. Returns the normal. */
static struct vector place_at_contact(const struct boundary *boundary, struct wall_path *path,
                                      int32_t feature)
{
    struct particle *at = &path->at;
    if (feature >= FEATURE_TOP) {
        const int is_x = feature >= FEATURE_RIGHT;
        const double side = feature == FEATURE_LEFT || feature == FEATURE_BOTTOM ? 1 : -1;
        if (is_x)
            at->x = side > 0 ? path->radius : boundary->width - path->radius;
        else
            at->y = side > 0 ? path->radius : boundary->height - path->radius;
        return is_x ? (struct vector){side, 0} : (struct vector){0, side};
    }
    struct shift shift = {0, 0};
    if (boundary->periodic)
        shift = polygons_image(boundary, at, path->radius, feature);
    const struct polygon_touch touch = polygons_touch(boundary, at, path->radius, feature, &shift);
    at->x -= fmin(touch.gap, 0) * touch.nx;
    at->y -= fmin(touch.gap, 0) * touch.ny;
    return (struct vector){touch.nx, touch.ny};
}

static double normal_component(const struct vector *normal, double x, double y)
{
    return normal->x * x + normal->y * y;
}

/* Changes the velocities of a particle in contact: it bounces, or slides along the wall. */
static void bounce_off(const struct walls *walls, struct steps *steps, struct wall_path *path,
                       const struct vector *normal, double dt)
{
    const size_t k = path->k;
    struct particle *p = &steps->system->particles[k];
    struct vector *moved = &steps->moved[k];
    const struct vector *force = &steps->force[k];
    const double acceleration =
        normal_component(normal, force->x, force->y) * steps->inverse_mass[k];
    const struct impact_arrival arrival = {normal_component(normal, p->u, p->v), acceleration,
                                           2 * fabs(acceleration) * dt, path->remaining};
    const struct impact_departure departure = impact_leave(&arrival, walls->restitution, dt);
    const double pushed = normal_component(normal, moved->x, moved->y); /* by other constraints */
    const double speed =
        fmax(arrival.speed + pushed / dt, departure.is_resting ? 0 : departure.speed);
    p->u += normal->x * (speed - arrival.speed);
    p->v += normal->y * (speed - arrival.speed);
    moved->x -= normal->x * pushed;
    moved->y -= normal->y * pushed;
    const double before = normal_component(normal, path->at.u, path->at.v);
    double after = departure.is_resting ? fmax(before, 0) : departure.gap / path->remaining;
    after += 4 * DBL_EPSILON *
             (fabs(path->at.u) + fabs(path->at.v)); /* against rounding errors towards the wall */
    path->at.u += normal->x * (after - before);
    path->at.v += normal->y * (after - before);
}

/* Advances along the path. */
static void path_advance(struct wall_path *path, double time)
{
    path->at.x += path->at.u * time;
    path->at.y += path->at.v * time;
    path->remaining -= time;
}

/* Traces the path of a particle, and moves it to the end. */
static void trace_path(const struct walls *walls, struct steps *steps, struct wall_path *path,
                       double dt)
{
    struct system *system = steps->system;
    const struct boundary *boundary = &system->boundary;
    struct particle *p = &system->particles[path->k];
    for (int contacts = 0;; contacts++) {
        const struct boundary_contact contact = find_contact(boundary, path);
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
        bounce_off(walls, steps, path, &normal, dt);
        count_contact(walls, system, path, contact.feature);
    }
    path_advance(path, path->remaining);
    boundary_clamp(boundary, path->radius, &path->at.x, &path->at.y);
    p->x = path->at.x;
    p->y = path->at.y;
}

/* True if a particle touches no wall of the box. */
static int touches_no_side(const struct boundary *boundary, const struct particle *p, double radius)
{
    return ((boundary->periodic & PERIODIC_X) ||
            (p->x > radius && p->x < boundary->width - radius)) &&
           ((boundary->periodic & PERIODIC_Y) ||
            (p->y > radius && p->y < boundary->height - radius));
}

static enum status walls_trace(struct part *part, struct steps *steps, double dt,
                               struct error *error)
{
    struct walls *walls = (struct walls *)part;
    const struct boundary *boundary = &steps->system->boundary;
    (void)error;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        const struct vector *before = &steps->before[k];
        struct wall_path path = {
            .k = k, .radius = system_radius(steps->system, p), .remaining = dt};
        path.at.x = before->x;
        path.at.y = before->y;
        path.at.u = (p->x - before->x) / dt;
        path.at.v = (p->y - before->y) / dt;
        if ((boundary->polygons || !touches_no_side(boundary, p, path.radius)) &&
            steps->inverse_mass[k] > 0 && isfinite(path.at.u) && isfinite(path.at.v))
            trace_path(walls, steps, &path, dt);
        memcpy(walls->touched[k], path.touched, sizeof path.touched);
    }
    return STATUS_DONE;
}

static void walls_save(const struct part *part, const struct steps *steps,
                       struct record_writer *writer)
{
    const struct walls *walls = (const struct walls *)part;
    for (size_t k = 0; k < steps->system->count; k++)
        for (size_t at = 0; at < MAX_TOUCHED; at++)
            record_put_whole(writer, (uint64_t)-walls->touched[k][at]);
    record_end_line(writer);
}

static void walls_load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct walls *walls = (struct walls *)part;
    const struct polygons *polygons = steps->system->boundary.polygons;
    const uint64_t features = BOUNDARY_SIDES + (polygons ? 2 * (uint64_t)polygons->side_count : 0);
    for (size_t k = 0; k < steps->system->count && !reader->status; k++)
        for (size_t at = 0; at < MAX_TOUCHED; at++)
            walls->touched[k][at] = -(int32_t)record_take_whole(reader, features);
    record_expect_line_end(reader);
}

const struct part_kind walls_kind = {
    .name = "walls",
    .size = sizeof(struct walls),
    .is_single = 1,
    .parameters = {{"restitution", 1, 0, 1}},
    .create = walls_create,
    .act = {[PHASE_CONSTRAINTS] = walls_trace},
    .save = walls_save,
    .load = walls_load,
    .free = walls_free,
};
