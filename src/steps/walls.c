/*
 * The walls, which are always there: those of the box, and the sides and corners of polygons. They
 * are the last of the constraints, and hold whatever the step.
 *
 * A particle has moved from one place to another in this substep. It is sent along the straight way
 * between them again, from contact to contact, which the predictions of the event-driven dynamics
 * find (boundary.h, polygons.h). At a contact it leaves with its velocity towards the wall times
 * the restitution, and what is left of the substep is made with that (impact.h). A velocity that no
 * more than two substeps' forces have made is not bounced, so what lies on a wall comes to rest.
 */
#include "base/memory.h"
#include "impact.h"
#include "model/polygons.h"
#include "parts.h"
#include "stepping.h"

#include <float.h>
#include <string.h>

enum {
    TOUCHED_MOST = 2,  /* as many features as a disk at rest lies on; 0 is none */
    CONTACTS_MOST = 32 /* in a substep; after these a particle stays where it is */
};

struct walls {
    struct part part;                 /* the first member: see part.h */
    double restitution;               /* 0 to 1 */
    int32_t (*touched)[TOUCHED_MOST]; /* what each particle touched in the last substep; owned */
};

/* The way of a particle through a substep. */
struct way {
    size_t k;                      /* of the particle */
    double radius;                 /* its own */
    struct particle at;            /* where it is, and its velocity along the way; its time is 0 */
    double left;                   /* of the substep, time */
    int32_t touched[TOUCHED_MOST]; /* on the way */
};

static void free_walls(struct part *part)
{
    struct walls *walls = (struct walls *)part;
    memory_free(walls->touched);
    memory_free(walls);
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    const size_t count = steps->system->count;
    struct walls *walls = memory_allocate(1, sizeof *walls, "the walls", error);
    if (!walls)
        return STATUS_NO_MEMORY;
    *walls = (struct walls){.restitution = arguments->numbers[0]};
    walls->touched = memory_allocate(count, sizeof *walls->touched, "the walls", error);
    if (!walls->touched) {
        free_walls(&walls->part);
        return STATUS_NO_MEMORY;
    }
    memset(walls->touched, 0, count * sizeof *walls->touched);
    *part = &walls->part;
    return STATUS_DONE;
}

static int is_among(const int32_t touched[TOUCHED_MOST], int32_t feature)
{
    return touched[0] == feature || touched[1] == feature;
}

/* Takes note of a feature that is touched: its first touch is a contact. */
static void note(const struct walls *walls, struct system *system, struct way *way, int32_t feature)
{
    if (is_among(way->touched, feature))
        return;
    if (!is_among(walls->touched[way->k], feature))
        system->counts[way->k].walls++;
    way->touched[way->touched[0] ? 1 : 0] = feature;
}

/* The first contact on the way. */
static struct boundary_contact find_contact(const struct boundary *boundary, const struct way *way)
{
    struct boundary_contact next = boundary_next(boundary, &way->at, way->radius);
    if (!boundary->polygons)
        return next;
    struct boundary_contact other =
        boundary->operations->next(boundary, &way->at, way->radius, 0, fmin(next.time, way->left));
    return other.time < next.time ? other : next;
}

/* Puts a particle exactly to where it touches a feature. Returns the normal. */
static struct vector touch(const struct boundary *boundary, struct way *way, int32_t feature)
{
    struct particle *at = &way->at;
    if (feature >= FEATURE_TOP) {
        const int is_x = feature >= FEATURE_RIGHT;
        const double side = feature == FEATURE_LEFT || feature == FEATURE_BOTTOM ? 1 : -1;
        if (is_x)
            at->x = side > 0 ? way->radius : boundary->width - way->radius;
        else
            at->y = side > 0 ? way->radius : boundary->height - way->radius;
        return is_x ? (struct vector){side, 0} : (struct vector){0, side};
    }
    struct shift shift = {0, 0};
    if (boundary->periodic)
        shift = polygons_image(boundary, at, way->radius, feature);
    const struct polygon_touch touch = polygons_touch(boundary, at, way->radius, feature, &shift);
    at->x -= fmin(touch.gap, 0) * touch.nx;
    at->y -= fmin(touch.gap, 0) * touch.ny;
    return (struct vector){touch.nx, touch.ny};
}

static double along(const struct vector *normal, double x, double y)
{
    return normal->x * x + normal->y * y;
}

/* Lets a particle that touches bounce, or holds it off, and sends it on along another way. */
static void bounce(const struct walls *walls, struct steps *steps, struct way *way,
                   const struct vector *normal, double dt)
{
    const size_t k = way->k;
    struct particle *p = &steps->system->particles[k];
    struct vector *moved = &steps->moved[k];
    const struct vector *force = &steps->force[k];
    const double acceleration = along(normal, force->x, force->y) * steps->inverse_mass[k];
    const struct arrival arrival = {along(normal, p->u, p->v), acceleration,
                                    2 * fabs(acceleration) * dt, way->left};
    const struct departure departure = impact_leave(&arrival, walls->restitution, dt);
    const double pushed = along(normal, moved->x, moved->y); /* by other constraints */
    const double speed = fmax(arrival.speed + pushed / dt, departure.is_rest ? 0 : departure.speed);
    p->u += normal->x * (speed - arrival.speed);
    p->v += normal->y * (speed - arrival.speed);
    moved->x -= normal->x * pushed;
    moved->y -= normal->y * pushed;
    const double before = along(normal, way->at.u, way->at.v);
    double after = departure.is_rest ? fmax(before, 0) : departure.gap / way->left;
    after +=
        4 * DBL_EPSILON * (fabs(way->at.u) + fabs(way->at.v)); /* rounding must not lead back */
    way->at.u += normal->x * (after - before);
    way->at.v += normal->y * (after - before);
}

/* Goes on along the way for some time. */
static void go(struct way *way, double time)
{
    way->at.x += way->at.u * time;
    way->at.y += way->at.v * time;
    way->left -= time;
}

/* Sends a particle along its way through the substep. */
static void follow(const struct walls *walls, struct steps *steps, struct way *way, double dt)
{
    struct system *system = steps->system;
    const struct boundary *boundary = &system->boundary;
    struct particle *p = &system->particles[way->k];
    for (int contacts = 0;; contacts++) {
        const struct boundary_contact contact = find_contact(boundary, way);
        const int is_last = !(contact.time < way->left);
        if (is_last && contacts == 0)
            return; /* it is where it should be */
        if (contacts == CONTACTS_MOST)
            way->left = 0;
        if (is_last || contacts == CONTACTS_MOST)
            break;
        go(way, contact.time);
        if (boundary_is_seam(boundary, contact.feature)) {
            boundary_pass(boundary, &way->at, contact.feature);
            boundary_count(boundary, &system->counts[way->k], contact.feature);
            continue;
        }
        const struct vector normal = touch(boundary, way, contact.feature);
        bounce(walls, steps, way, &normal, dt);
        note(walls, system, way, contact.feature);
    }
    go(way, way->left);
    boundary_clamp(boundary, way->radius, &way->at.x, &way->at.y);
    p->x = way->at.x;
    p->y = way->at.y;
}

/* Whether a particle touches no wall of the box. */
static int is_free(const struct boundary *boundary, const struct particle *p, double radius)
{
    return ((boundary->periodic & PERIODIC_X) ||
            (p->x > radius && p->x < boundary->width - radius)) &&
           ((boundary->periodic & PERIODIC_Y) ||
            (p->y > radius && p->y < boundary->height - radius));
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct walls *walls = (struct walls *)part;
    const struct boundary *boundary = &steps->system->boundary;
    (void)error;
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        const struct vector *before = &steps->before[k];
        struct way way = {.k = k, .radius = system_radius(steps->system, p), .left = dt};
        way.at.x = before->x;
        way.at.y = before->y;
        way.at.u = (p->x - before->x) / dt;
        way.at.v = (p->y - before->y) / dt;
        if ((boundary->polygons || !is_free(boundary, p, way.radius)) &&
            steps->inverse_mass[k] > 0 && isfinite(way.at.u) && isfinite(way.at.v))
            follow(walls, steps, &way, dt);
        memcpy(walls->touched[k], way.touched, sizeof way.touched);
    }
    return STATUS_DONE;
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
{
    const struct walls *walls = (const struct walls *)part;
    for (size_t k = 0; k < steps->system->count; k++)
        for (size_t at = 0; at < TOUCHED_MOST; at++)
            record_put_whole(writer, (uint64_t)-walls->touched[k][at]);
    record_end_line(writer);
}

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct walls *walls = (struct walls *)part;
    const struct polygons *polygons = steps->system->boundary.polygons;
    const uint64_t features = BOUNDARY_SIDES + (polygons ? 2 * (uint64_t)polygons->side_count : 0);
    for (size_t k = 0; k < steps->system->count && !reader->status; k++)
        for (size_t at = 0; at < TOUCHED_MOST; at++)
            walls->touched[k][at] = -(int32_t)record_take_whole(reader, features);
    record_expect_line_end(reader);
}

const struct part_kind walls_kind = {
    .name = "walls",
    .is_single = 1,
    .parameters = {{"restitution", 1, 0, 1}},
    .create = create,
    .act = act,
    .save = save,
    .load = load,
    .free = free_walls,
};
