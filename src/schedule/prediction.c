/* The functions of predictions that are not in an inner loop; see prediction.h. */
#include "prediction.h"

#include "model/polygons.h"

_Static_assert(sizeof(struct prediction) == 32,
               "two predictions are a line of the processor's cache");

/* The order of a predicted event. A wall's negative code comes before any particle's id. */
static inline uint64_t rank_of_event(const struct particle *particles, uint32_t k, int32_t partner)
{
    const uint32_t is_pair = event_partner(partner) == PARTNER_PARTICLE;
    const int32_t id = particles[k].id;
    const int32_t other = is_pair ? particles[partner].id : partner;
    /* Which of two ids is lower is unpredictable, so there is no branch. */
    const uint32_t change = (uint32_t)(id ^ other) & (0 - (is_pair & (uint32_t)(other < id)));
    return (uint64_t)((uint32_t)id ^ change) << 32 | ((uint32_t)other ^ change ^ 0x80000000u);
}

/* From here on are the ranks of events, after those of all crossings. */
static const uint64_t EVENTS_RANK = (uint64_t)1 << 32;

uint64_t prediction_rank(const struct system *system, uint32_t k,
                         const struct prediction *prediction)
{
    if (prediction->key < prediction->time)
        return 1 + (uint64_t)(uint32_t)system->particles[k].id;
    return EVENTS_RANK + rank_of_event(system->particles, k, prediction->partner);
}

/* True if an event at `time` with `partner` is before the predicted one. */
static int prediction_is_before(const struct particle *particles, uint32_t k,
                                const struct prediction *prediction, double time, int32_t partner)
{
    if (time != prediction->time || time == (double)INFINITY)
        return time < prediction->time;
    return rank_of_event(particles, k, partner) < rank_of_event(particles, k, prediction->partner);
}

/* Takes a contact with the boundary if it is before the event that a prediction has. Of several
 * features at one time the one with the highest code comes first. */
static void take_contact(const struct system *system, uint32_t k, struct prediction *prediction,
                         struct boundary_contact next)
{
    const int is_tie = next.time == prediction->time && next.time < (double)INFINITY &&
                       event_partner(prediction->partner) == PARTNER_BOUNDARY;
    if (is_tie ? next.feature <= prediction->partner
               : !prediction_is_before(system->particles, k, prediction, next.time, next.feature))
        return;
    prediction->time = next.time;
    prediction->partner = next.feature;
    prediction->key = fmin(prediction->key, next.time);
}

void prediction_consider_wall(const struct system *system, uint32_t k,
                              struct prediction *prediction)
{
    const struct particle *p = &system->particles[k];
    take_contact(system, k, prediction,
                 boundary_next(&system->boundary, p, system_radius(system, p)));
}

void prediction_consider_polygons(const struct system *system, uint32_t k,
                                  struct prediction *prediction, double now)
{
    const struct particle *p = &system->particles[k];
    take_contact(
        system, k, prediction,
        polygons_next(&system->boundary, p, system_radius(system, p), now, prediction->key));
}

void prediction_consider_each(const struct system *system, uint32_t k,
                              struct prediction *prediction, const uint32_t *list, size_t count,
                              enum prediction_images images)
{
    const struct particle *self = &system->particles[k];
    for (size_t m = 0; m < count; m++) {
        const uint32_t index = prediction_index(list[m]);
        const struct particle *other = &system->particles[index];
        const struct pair_shift shift = prediction_shift(&system->boundary, list[m]);
        const double time = images == LIST_HAS_ALL_IMAGES
                                ? physics_first_contact(system, self, other).time
                                : physics_pair_time(system, self, other, &shift);
        if (prediction_is_before(system->particles, k, prediction, time, (int32_t)index)) {
            prediction->time = time;
            prediction->partner = (int32_t)index;
            prediction->version = other->version;
        }
    }
}

void prediction_set_crossing(const struct system *system, uint32_t k, struct prediction *prediction,
                             const struct cell_list *cell_list, double now)
{
    const struct particle *p = &system->particles[k];
    const struct acceleration *gravity = &system->boundary.gravity;
    const struct cell_list_shape *shape = &cell_list->shape;
    const uint32_t column = cell_list_column(cell_list, prediction->cell);
    const uint32_t row = cell_list_row(cell_list, prediction->cell);
    double x_ends[] = {cell_list->x_borders[column], cell_list->x_borders[column + 1]};
    double y_ends[] = {cell_list->y_borders[row], cell_list->y_borders[row + 1]};
    if (shape->is_folded) {
        const struct motion at = particle_is_absorbed(p) ? (struct motion){p->x, p->y, 0, 0}
                                                         : motion_at(gravity, p, now);
        x_ends[0] =
            cell_list_folded_border(at.x, shape->left, shape->width, column, shape->columns);
        y_ends[0] = cell_list_folded_border(at.y, shape->bottom, shape->height, row, shape->rows);
        x_ends[1] = x_ends[0] + shape->width;
        y_ends[1] = y_ends[0] + shape->height;
    }
    const int32_t stride = (int32_t)cell_list->stride;
    int is_right, is_up;
    const double x_exit =
        motion_exit((const double[]){p->x, p->u, gravity->x, p->t}, x_ends, now, &is_right);
    const double y_exit =
        motion_exit((const double[]){p->y, p->v, gravity->y, p->t}, y_ends, now, &is_up);
    prediction->step = x_exit < y_exit ? (is_right ? 1 : -1) : (is_up ? stride : -stride);
    prediction->key = fmin(fmax(fmin(x_exit, y_exit), now), prediction->time);
}
