/* Measuring where no wall is near; see bulk.h. */
#include "bulk.h"

#include "gas.h"
#include "model/physics.h"
#include "observe/tally.h"
#include "observed.h"

static double block_time(const struct bulk *bulk)
{
    return BULK_LOOKS * bulk->interval;
}

/* The block to which a time belongs; NULL before the first and after the last. */
static struct bulk_block *find_block(struct bulk *bulk, double time)
{
    double number = floor((time - bulk->start) / block_time(bulk));
    return number >= 0 && number < BULK_BLOCKS ? &bulk->blocks[(size_t)number] : NULL;
}

static int is_in_window(const struct bulk *bulk, double x, double y)
{
    return x >= bulk->margin && x < bulk->margin + bulk->width && y >= bulk->margin &&
           y < bulk->margin + bulk->height;
}

static enum status bulk_collide(struct observer *observer, const struct collision *collision,
                                struct error *error)
{
    struct bulk *bulk = (struct bulk *)observer;
    struct bulk_block *block = find_block(bulk, collision->time);
    (void)error;
    if (!block)
        return STATUS_DONE;
    struct collision_sums sums = {0};
    struct tally tally = {.sums = &sums}; /* of this collision alone */
    tally_collide(&tally, collision);
    for (int wall = 0; wall < TALLY_WALLS; wall++)
        block->pressure += sum_value(&tally.push[wall]);
    if (collision->partner == PARTNER_BOUNDARY)
        return STATUS_DONE;
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    block->whole_virial += tally_virial(collision);
    if (is_in_window(bulk, (a->x + b->x) / 2, (a->y + b->y) / 2)) {
        block->pairs++;
        block->virial += tally_virial(collision);
    }
    return STATUS_DONE;
}

OBSERVED_TAKE(bulk_take, bulk_collide, NULL)

static enum status bulk_sample(struct observer *observer, const struct snapshot *snapshot,
                               struct error *error)
{
    struct bulk *bulk = (struct bulk *)observer;
    struct bulk_block *block = &bulk->blocks[bulk->looks / BULK_LOOKS];
    (void)error;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        double x, y;
        snapshot_position(snapshot, k, &x, &y);
        if (is_in_window(bulk, x, y)) {
            const struct snapshot_particle p = snapshot_body(snapshot, k);
            block->disks += 1.0 / BULK_LOOKS;
            block->energy += 0.5 * p.mass * (p.u * p.u + p.v * p.v) / BULK_LOOKS;
            bulk->kinds[p.kind % 2]++;
        }
    }
    bulk->looks++;
    observer->next_sample = bulk->looks < (size_t)BULK_BLOCKS * BULK_LOOKS
                                ? bulk->start + ((double)bulk->looks + 0.5) * bulk->interval
                                : (double)INFINITY;
    return STATUS_DONE;
}

void bulk_init(struct bulk *bulk, const struct system *system, double margin, double start,
               double end)
{
    static const struct observer_operations operations = {
        .watches = WATCH_PAIRS, .take = bulk_take, .sample = bulk_sample};
    double interval = (end - start) / (BULK_BLOCKS * BULK_LOOKS);
    *bulk =
        (struct bulk){.observer = {.operations = &operations, .next_sample = start + interval / 2},
                      .margin = margin,
                      .start = start,
                      .interval = interval,
                      .width = system->boundary.width - 2 * margin,
                      .height = system->boundary.height - 2 * margin,
                      .box_width = system->boundary.width - 2 * system->radius,
                      .box_height = system->boundary.height - 2 * system->radius,
                      .count = (double)system->count,
                      .temperature = gas_temperature(system)};
}

/* The contact value that follows from a collision rate: rate / (2 n s sqrt(pi k T / m)), s = 2. */
static double rate_per_crowd(const struct bulk *bulk, const struct bulk_block *block)
{
    double density = block->disks / (bulk->width * bulk->height);
    double rate = 2 * block->pairs / (block->disks * block_time(bulk));
    return rate / (4 * density * sqrt(pi * block->energy / block->disks));
}

static double window_z(const struct bulk *bulk, const struct bulk_block *block)
{
    return 1 + block->virial / (2 * block->energy * block_time(bulk));
}

static double walls_z(const struct bulk *bulk, const struct bulk_block *block)
{
    double pressure =
        block->pressure / (2 * (bulk->box_width + bulk->box_height) * block_time(bulk));
    return pressure * bulk->box_width * bulk->box_height / (bulk->count * bulk->temperature);
}

static double virial_z(const struct bulk *bulk, const struct bulk_block *block)
{
    return 1 + block->whole_virial / (2 * bulk->count * bulk->temperature * block_time(bulk));
}

static double block_value(const struct bulk *bulk, const struct bulk_block *block,
                          enum bulk_quantity quantity)
{
    double fraction = pi * block->disks / (bulk->width * bulk->height);
    switch (quantity) {
    case BULK_AREA_FRACTION:
        return fraction;
    case BULK_RATE:
        return 2 * block->pairs / (block->disks * block_time(bulk));
    case BULK_Z:
        return window_z(bulk, block);
    case BULK_RATE_BY_HENDERSON:
        return rate_per_crowd(bulk, block) / gas_henderson(fraction);
    case BULK_Z_BY_HENDERSON:
        return window_z(bulk, block) / (1 + 2 * fraction * gas_henderson(fraction));
    case BULK_RATE_BY_BETTER:
        return rate_per_crowd(bulk, block) / gas_contact_value(fraction);
    case BULK_Z_BY_BETTER:
        return window_z(bulk, block) / (1 + 2 * fraction * gas_contact_value(fraction));
    case BULK_WHOLE_Z_WALLS:
        return walls_z(bulk, block);
    case BULK_WHOLE_Z_VIRIAL:
        return virial_z(bulk, block);
    case BULK_WHOLE_Z_DIFFERENCE:
        return walls_z(bulk, block) - virial_z(bulk, block);
    }
    return (double)NAN;
}

struct measured_mean bulk_estimate(const struct bulk *bulk, enum bulk_quantity quantity,
                                   size_t first, size_t end)
{
    double values[BULK_BLOCKS];
    for (size_t k = first; k < end; k++)
        values[k - first] = block_value(bulk, &bulk->blocks[k], quantity);
    return measure_estimate(values, end - first);
}

double bulk_disks(const struct bulk *bulk, uint32_t kind)
{
    return bulk->kinds[kind] / (BULK_BLOCKS * BULK_LOOKS);
}

double bulk_temperature(const struct bulk *bulk)
{
    double energy = 0, disks = 0;
    for (size_t k = 0; k < BULK_BLOCKS; k++) {
        energy += bulk->blocks[k].energy;
        disks += bulk->blocks[k].disks;
    }
    return energy / disks;
}
