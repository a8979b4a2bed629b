/* The box, its walls and its seams; the prediction of contacts is in boundary.h. */
#include "model/boundary.h"

#include "base/compiler.h"

struct boundary_approach boundary_approach(const struct boundary *boundary,
                                           const struct particle *p, double radius, int32_t feature)
{
    const int is_x = feature >= FEATURE_RIGHT;
    const int is_far = feature == FEATURE_RIGHT || feature == FEATURE_TOP;
    const double contact = boundary->periodic & (is_x ? PERIODIC_X : PERIODIC_Y) ? 0 : radius;
    const double length = is_x ? boundary->width : boundary->height;
    const double at = is_x ? p->x : p->y;
    const double speed = is_x ? p->u : p->v;
    const double pull = is_x ? boundary->gravity.x : boundary->gravity.y;
    return is_far ? (struct boundary_approach){length - contact - at, speed, pull}
                  : (struct boundary_approach){at - contact, -speed, -pull};
}

/* When piece k of the floor's way begins. */
static double floor_begin(const struct boundary_shake *shake, double k)
{
    return k * shake->period / 2;
}

/* The piece that a time is in: it rises in even ones. */
static double floor_piece(const struct boundary_shake *shake, double time)
{
    const double k = floor(time / (shake->period / 2)); /* rounded */
    return floor_begin(shake, k) > time ? k - 1 : floor_begin(shake, k + 1) <= time ? k + 1 : k;
}

static struct boundary_floor floor_in_piece(const struct boundary_shake *shake, double k,
                                            double time)
{
    const double speed = shake->height / (shake->period / 2);
    const int is_rising = fmod(k, 2) == 0;
    const double since =
        is_rising ? time - floor_begin(shake, k) : floor_begin(shake, k + 1) - time;
    return (struct boundary_floor){fmin(speed * since, shake->height), is_rising ? speed : -speed};
}

struct boundary_floor boundary_floor(const struct boundary_shake *shake, double time)
{
    return floor_in_piece(shake, floor_piece(shake, time), time);
}

/* When a particle meets the floor. Above the highest place of the floor nothing can happen: there
 * the pieces up to the one before it comes down to that are left out. Below that place it is met
 * within a period, for the floor comes to every height there, unless it leaves before. So after a
 * few pieces all is known. In each the floor moves evenly. A contact that rounding puts behind the
 * end of its piece is one at the beginning of the next, where the gap has closed. */
COMPILER_APART static double floor_time(const struct boundary *boundary, const struct particle *p,
                                        double radius)
{
    enum { MOST_PIECES = 16 };
    const struct boundary_shake *shake = &boundary->shake;
    const double pull = -boundary->gravity.y;
    double k = floor_piece(shake, p->t);
    for (int n = 0; n < MOST_PIECES; n++, k++) {
        double from = fmax(p->t, floor_begin(shake, k));
        struct motion at = motion_at(&boundary->gravity, p, from);
        const double above = at.y - radius - shake->height;
        if (above > 0) {
            const double down = from + motion_wait(above, -at.v, pull);
            if (!(down < (double)INFINITY))
                return down;
            k = fmax(k, floor_piece(shake, down) - 1);
            from = fmax(p->t, floor_begin(shake, k));
            at = motion_at(&boundary->gravity, p, from);
        }
        const struct boundary_floor floor = floor_in_piece(shake, k, from);
        const double time =
            from + motion_wait(at.y - radius - floor.height, floor.speed - at.v, pull);
        if (time < floor_begin(shake, k + 1))
            return time;
    }
    return (double)INFINITY;
}

struct boundary_contact boundary_next_under(const struct boundary *boundary,
                                            const struct particle *p, double radius)
{
    struct boundary_contact next = {(double)INFINITY, FEATURE_LEFT};
    for (int32_t feature = FEATURE_LEFT; feature >= FEATURE_TOP; feature--) {
        const struct boundary_approach to = boundary_approach(boundary, p, radius, feature);
        const double time = boundary->shake.acts && feature == FEATURE_BOTTOM
                                ? floor_time(boundary, p, radius)
                                : p->t + motion_wait(to.gap, to.speed, to.pull);
        if (time < next.time)
            next = (struct boundary_contact){time, feature};
    }
    return next;
}

void boundary_resolve_growing(const struct boundary *boundary, struct particle *particle,
                              double radius, int32_t feature)
{
    const double grown = radius * (1 + boundary->growth * particle->t);
    const double speed = 2 * boundary->growth * radius;
    if (feature >= FEATURE_RIGHT) {
        particle->x = feature == FEATURE_LEFT ? grown : boundary->width - grown;
        particle->u += feature == FEATURE_LEFT ? speed : -speed;
    } else {
        particle->y = feature == FEATURE_BOTTOM ? grown : boundary->height - grown;
        particle->v += feature == FEATURE_BOTTOM ? speed : -speed;
    }
}

struct boundary_contact boundary_next_growing(const struct boundary *boundary,
                                              const struct particle *p, double radius)
{
    struct boundary_contact next = {(double)INFINITY, FEATURE_LEFT};
    for (int32_t feature = FEATURE_LEFT; feature >= FEATURE_TOP; feature--) {
        const int is_upright = feature >= FEATURE_RIGHT;
        const int is_far = feature == FEATURE_RIGHT || feature == FEATURE_TOP;
        const double size = boundary_is_seam(boundary, feature) ? 0 : radius;
        const double at = is_upright ? p->x : p->y;
        const double speed = is_upright ? p->u : p->v;
        const double length = is_upright ? boundary->width : boundary->height;
        const double gap = (is_far ? length - at : at) - size * (1 + boundary->growth * p->t);
        const double rate = (is_far ? speed : -speed) + size * boundary->growth;
        const double time = p->t + (gap > 0 ? gap / rate : 0);
        if (rate > 0 && time < next.time)
            next = (struct boundary_contact){time, feature};
    }
    return next;
}

void boundary_pass(const struct boundary *boundary, struct particle *particle, int32_t feature)
{
    if (feature >= FEATURE_RIGHT)
        particle->x = feature == FEATURE_LEFT ? boundary->width : 0;
    else
        particle->y = feature == FEATURE_BOTTOM ? boundary->height : 0;
}

void boundary_count(const struct boundary *boundary, struct particle_counts *counts,
                    int32_t feature)
{
    if (!boundary_is_seam(boundary, feature))
        counts->walls++;
    else if (feature >= FEATURE_RIGHT)
        counts->x_image += feature == FEATURE_RIGHT ? 1 : -1;
    else
        counts->y_image += feature == FEATURE_TOP ? 1 : -1;
}

static double clamp(double value, double lowest, double highest)
{
    if (value > highest)
        value = highest;
    return value > lowest ? value : lowest; /* for -0 and 0, the latter */
}

/* Into [0, length), for what is in it but for rounding. */
static double wrap(double value, double length)
{
    return value < length ? clamp(value, 0, length) : 0;
}

void boundary_clamp(const struct boundary *boundary, double radius, double *x, double *y)
{
    *x = boundary->periodic & PERIODIC_X ? wrap(*x, boundary->width)
                                         : clamp(*x, radius, boundary->width - radius);
    *y = boundary->periodic & PERIODIC_Y ? wrap(*y, boundary->height)
                                         : clamp(*y, radius, boundary->height - radius);
}

static void wrap_anywhere(double *x, double length, int64_t *image)
{
    const double crossings = floor(*x / length);
    const double rest = *x - crossings * length;
    *image += (int64_t)crossings + (rest >= length); /* it was just below 0 */
    *x = wrap(rest, length);
}

void boundary_wrap(const struct boundary *boundary, struct particle *particle,
                   struct particle_counts *counts)
{
    if (boundary->periodic & PERIODIC_X)
        wrap_anywhere(&particle->x, boundary->width, &counts->x_image);
    if (boundary->periodic & PERIODIC_Y)
        wrap_anywhere(&particle->y, boundary->height, &counts->y_image);
}

const char *boundary_name(int32_t feature)
{
    static const char *const names[BOUNDARY_SIDES] = {"left", "right", "bottom", "top"};
    return names[FEATURE_LEFT - feature];
}

double boundary_largest_radius(const struct boundary *boundary)
{
    return fmin(boundary->width / (boundary->periodic & PERIODIC_X ? 4 : 2),
                boundary->height / (boundary->periodic & PERIODIC_Y ? 4 : 2));
}
