/* Heat and friction on walls; see wall_loads.h. */
#include "wall_loads.h"

enum { LOAD_HEAT, LOAD_SHEAR, LOADS };

#define LOADS_OF(side)                                                                             \
    {                                                                                              \
        {{"heat_" side, "heat flux, " side, "energy/(length time)", FIGURE_REAL},                  \
         "The energy that the " side                                                               \
         " wall takes up from the gas, for each unit of its length and "                           \
         "time. It is negative if the wall heats the gas.",                                        \
         0},                                                                                       \
            {{"heat_" side "_error", "  standard error", "energy/(length time)", FIGURE_REAL},     \
             "The standard error of this heat flux.",                                              \
             0},                                                                                   \
            {{"shear_" side, "shear stress, " side, "energy/area", FIGURE_REAL},                   \
             "The momentum along itself that the " side                                            \
             " wall takes up, for each unit of its length "                                        \
             "and time.",                                                                          \
             0},                                                                                   \
        {                                                                                          \
            {"shear_" side "_error", "  standard error", "energy/area", FIGURE_REAL},              \
                "The standard error of this stress.", 0                                            \
        }                                                                                          \
    }

static const struct dynamics_figure rows[BOUNDARY_SIDES][2 * LOADS] = {
    LOADS_OF("left"), LOADS_OF("right"), LOADS_OF("bottom"), LOADS_OF("top")};

static const struct dynamics_figure given_row = {
    {"energy_walls", "energy given by walls", "energy", FIGURE_REAL},
    "The energy that walls and polygons have given to particles, less what they have taken.",
    0};

static const struct dynamics_figure balance_row = {
    {"energy_balance", "  relative change, walls apart", "", FIGURE_REAL},
    "The change of the energy that walls, polygons, a stream and lossy collisions do not explain, "
    "as part of it. It comes from rounding.",
    0};

enum status wall_loads_begin(struct wall_loads *loads, const struct boundary *boundary,
                             struct error *error)
{
    *loads = (struct wall_loads){0};
    if (!boundary->walls)
        return STATUS_DONE;
    loads->boundary = boundary;
    return block_sums_create(&loads->sums, (size_t)BOUNDARY_SIDES * LOADS, error);
}

void wall_loads_free(struct wall_loads *loads)
{
    block_sums_free(&loads->sums);
    *loads = (struct wall_loads){0};
}

void wall_loads_collide(struct wall_loads *loads, const struct collision *collision)
{
    const struct participant *a = &collision->a;
    const double u = a->u - a->u_before;
    const double v = a->v - a->v_before;
    if (!loads->boundary || collision->partner == PARTNER_PARTICLE)
        return;
    const double given = 0.5 * a->mass * (u * (a->u + a->u_before) + v * (a->v + a->v_before));
    sum_add(&loads->given, given);
    if (collision->feature < FEATURE_TOP)
        return;
    const int side = FEATURE_LEFT - collision->feature;
    double *sums =
        block_sums_table(&loads->sums, block_sums_find(loads->from, loads->to, collision->time)) +
        side * LOADS;
    sums[LOAD_HEAT] -= given;
    sums[LOAD_SHEAR] -= a->mass * (side < 2 ? v : u);
}

/* A sum of a side per length and time. */
static struct estimate wall_loads_rate(const struct wall_loads *loads, int side, int load)
{
    const size_t place = (size_t)(side * LOADS + load);
    const double length = side < 2 ? loads->boundary->height : loads->boundary->width;
    const double unit = length * (loads->to - loads->from);
    double parts[SUM_BLOCKS];
    for (int block = 0; block < SUM_BLOCKS; block++)
        parts[block] = block_sums_table(&loads->sums, block)[place] / (unit / SUM_BLOCKS);
    return block_estimate(block_sums_total(&loads->sums, place) / unit, parts);
}

static void append(const struct dynamics_figure *row, double value, struct dynamics_figure *list,
                   size_t *count)
{
    list[*count] = *row;
    list[(*count)++].value = value;
}

void wall_loads_list(const struct wall_loads *loads, double unexplained,
                     struct dynamics_figure *list, size_t *count)
{
    if (!loads->boundary)
        return;
    append(&given_row, sum_value(&loads->given), list, count);
    append(&balance_row, unexplained, list, count);
    for (int side = 0; side < BOUNDARY_SIDES; side++) {
        if (boundary_is_seam(loads->boundary, FEATURE_LEFT - side))
            continue;
        for (int load = 0; load < LOADS; load++) {
            const struct estimate estimate = wall_loads_rate(loads, side, load);
            append(&rows[side][2 * load], estimate.value, list, count);
            append(&rows[side][2 * load + 1], estimate.error, list, count);
        }
    }
}

void wall_loads_record(struct wall_loads *loads, struct record *record)
{
    if (!loads->boundary)
        return;
    record_sum(record, &loads->given);
    record_end_line(record);
    block_sums_record(&loads->sums, record);
}
