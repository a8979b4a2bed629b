/* Flows on a lattice for tests; see channel.h. */
#include "channel.h"

struct wall_law channel_rough(double speed)
{
    return (struct wall_law){
        .temperature = 1, .accommodation = 1, .speed = speed, .restitution = 1};
}

struct flow *channel_flow(const struct channel *channel)
{
    struct flow *flow = memory_allocate(1, sizeof *flow, "the flow", &failure);
    struct polygons *polygons = NULL;
    struct boundary boundary = {.width = (double)channel->columns,
                                .height = (double)channel->rows,
                                .periodic = channel->periodic | (channel->stream != 0)};
    if (channel->polygon_count > 0) {
        polygons = memory_allocate(1, sizeof *polygons, "polygons", &failure);
        if (!polygons)
            abort();
        *polygons = (struct polygons){0};
        for (size_t k = 0; k < channel->polygon_count; k++)
            if (polygons_add(polygons, channel->polygons[k].vertices, channel->polygons[k].count,
                             (int)k < channel->domains, (int)k < channel->domains, &failure))
                abort();
        if (polygons_prepare(polygons, &boundary, 0, 1, &failure))
            abort();
    }
    boundary.walls = wall_laws_create(channel->polygon_count, 0, &failure);
    for (size_t k = 0; boundary.walls && k < boundary.walls->count; k++)
        boundary.walls->list[k] = channel->walls[k];
    if (!flow || !boundary.walls ||
        flow_create(flow, &boundary, channel->columns, channel->rows, channel->viscosity,
                    channel->stream, 1, channel->force, &failure))
        abort();
    if (polygons)
        polygons_free(polygons);
    memory_free(boundary.walls);
    return flow;
}

void channel_free(struct flow **flow)
{
    flow_free(*flow);
    memory_free(*flow);
}

void channel_force(const struct flow *flow, double force[2])
{
    force[0] = force[1] = 0;
    for (size_t wall = BOUNDARY_SIDES; wall < flow->wall_count; wall++)
        for (int k = 0; k < 2; k++)
            force[k] += flow->walls[wall].impulse[k];
}
