/* Systems: their memory, the order and the kinds of their particles, and the bounds that they are
 * checked against. Overlaps of disks are found in overlap.c. */
#include "model/system.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "model/polygons.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* So many particles do not stay in the processor's cache while their order is restored. A million
 * take a fifth of the time by way of another block. */
enum { ELSEWHERE_FROM = 20000 };
_Static_assert(sizeof(struct particle_counts) <= sizeof(struct particle),
               "counts fit where particles do");

enum status system_check_kind(const struct particle_kind *kind, struct error *error)
{
    if (kind->radius != 0 && !(kind->radius >= SYSTEM_SMALLEST && kind->radius <= SYSTEM_LARGEST))
        return error_set(error, STATUS_BAD_DATA,
                         "a particle's radius must be 0 or from %g to %g, not %s", SYSTEM_SMALLEST,
                         SYSTEM_LARGEST, show_exactly(kind->radius).text);
    if (!(kind->mass >= SYSTEM_MIN_MASS && kind->mass <= SYSTEM_LARGEST_MASS))
        return error_set(error, STATUS_BAD_DATA, "a particle's mass must be from %g to %g, not %s",
                         SYSTEM_MIN_MASS, SYSTEM_LARGEST_MASS, show_exactly(kind->mass).text);
    return STATUS_DONE;
}

enum status system_check_box(const struct boundary *boundary, struct error *error)
{
    const double sides[2] = {boundary->width, boundary->height};
    for (int k = 0; k < 2; k++)
        if (!(sides[k] >= SYSTEM_SMALLEST && sides[k] <= SYSTEM_LARGEST))
            return error_set(error, STATUS_BAD_DATA, "the box's %s must be from %g to %g, not %s",
                             k == 0 ? "width" : "height", SYSTEM_SMALLEST, SYSTEM_LARGEST,
                             show_exactly(sides[k]).text);
    return STATUS_DONE;
}

/* A disk, and one axis of the box. Decimal numbers become doubles by rounding, so a disk that
 * touches a wall on paper may overlap it by a few units in the last place. That much is accepted
 * everywhere: the formulas of boundary.h and pair.h cope with it. */
struct system_axis {
    const char *side;
    char position_name, velocity_name;
    double length; /* of the box */
    unsigned is_periodic;
    double radius, position, velocity; /* of the disk */
};

static enum status check_room(int32_t id, const struct system_axis *axis, struct error *error)
{
    if (axis->is_periodic && !(axis->length >= 4 * axis->radius))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too large for a periodic box: the %s, %s, "
                         "must be at least 4 times its radius, %s, or it could touch another "
                         "one on both sides at once",
                         id, axis->side, show_exactly(axis->length).text,
                         show_exactly(axis->radius).text);
    if (!(axis->length >= 2 * axis->radius))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " does not fit into the box: its diameter, %s, is "
                         "more than the box's %s, %s",
                         id, show_exactly(2 * axis->radius).text, axis->side,
                         show_exactly(axis->length).text);
    return STATUS_DONE;
}

COMPILER_INLINE enum status check_motion(int32_t id, const struct system_axis *axis,
                                         struct error *error)
{
    const double lowest = axis->is_periodic ? 0 : axis->radius;
    if (!(axis->position >= lowest - pair_rounding(axis->is_periodic ? axis->length : lowest) &&
          axis->position <= axis->length - lowest + pair_rounding(axis->length)))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32
                         " is not inside the box: %c = %s, must be from %s to %s",
                         id, axis->position_name, show_exactly(axis->position).text,
                         show_exactly(lowest).text, show_exactly(axis->length - lowest).text);
    if (!(fabs(axis->velocity) <= SYSTEM_LARGEST))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too fast: %c = %g, must not exceed %g", id,
                         axis->velocity_name, axis->velocity, SYSTEM_LARGEST);
    if (axis->velocity != 0 && !axis->is_periodic && !(axis->length - axis->radius > axis->radius))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " has no room to move between two walls: its "
                         "velocity %c must be 0, not %g",
                         id, axis->velocity_name, axis->velocity);
    return STATUS_DONE;
}

enum status system_check_particle(const struct system *system, size_t index, struct error *error)
{
    const struct boundary *box = &system->boundary;
    const struct particle *p = &system->particles[index];
    const double radius = system_radius(system, p);
    const struct system_axis x = {"width", 'x',  'u', box->width, box->periodic & PERIODIC_X,
                                  radius,  p->x, p->u};
    const struct system_axis y = {"height", 'y',  'v', box->height, box->periodic & PERIODIC_Y,
                                  radius,   p->y, p->v};
    enum status status;
    if ((status = check_room(p->id, &x, error)) || (status = check_room(p->id, &y, error)) ||
        (status = check_motion(p->id, &x, error)) || (status = check_motion(p->id, &y, error)))
        return status;
    const double lowest = radius + box->shake.height;
    if (!box->shake.acts || p->y >= lowest - pair_rounding(lowest))
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32
                     " overlaps the floor that is shaken, up to %s: y = %s, must "
                     "be at least %s",
                     p->id, show_exactly(box->shake.height).text, show_exactly(p->y).text,
                     show_exactly(lowest).text);
}

enum status system_attach_polygons(struct system *system, struct polygons *polygons,
                                   struct error *error)
{
    const double area = system->boundary.width * system->boundary.height;
    const double grown = system->boundary.growth > 0
                             ? fmin(system_grown(system, system->growth.until),
                                    fmax(sqrt(area / system_covered(system)), 1))
                             : 1;
    return polygons_prepare(polygons, &system->boundary, grown * system_largest_radius(system),
                            system->count, error);
}

double system_covered(const struct system *system)
{
    double covered = 0;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        covered += PI * radius * radius;
    }
    return covered;
}

void system_end_growth(struct system *system, double time)
{
    const double grown = system_grown(system, time);
    system->radius *= grown;
    for (size_t k = 0; k < system->kind_count; k++)
        system->kinds[k].radius *= grown;
    system->growth.has_ended |= system->boundary.growth > 0;
    system->boundary.growth = 0;
}

double system_largest_radius(const struct system *system)
{
    double largest = system->kinds ? 0 : system->radius;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    return largest;
}

double system_fastest(const struct system *system)
{
    double fastest = 0;
    for (const struct particle *p = system->particles; p < system->particles + system->count; p++)
        fastest = fmax(fastest, fmax(fabs(p->u), fabs(p->v)));
    return fastest;
}

double system_last_time(const struct system *system)
{
    double time = 0;
    for (const struct particle *p = system->particles; p < system->particles + system->count; p++) {
        const double last = particle_is_absorbed(p) ? p->collided : p->t;
        time = last > time ? last : time;
    }
    return time;
}

size_t system_present(const struct system *system)
{
    size_t count = system->count;
    for (size_t k = 0; k < system->count && system->boundary.walls; k++)
        count -= particle_is_absorbed(&system->particles[k]) ? 1 : 0;
    return count;
}

/* Restores the order by copies to another block, which do not wait for each other as exchanges do.
 * Counts and spins go there and back. Returns 0, and does nothing, if there is no memory for that.
 */
static int restore_elsewhere(struct system *system)
{
    struct error error; /* of no interest: the caller can do without */
    const size_t count = system->count;
    struct particle *particles =
        memory_allocate_lines(count, sizeof *particles, "the order of the particles", &error);
    if (!particles)
        return 0;
    double *spins = (void *)particles;
    for (size_t k = 0; k < count && system->spins; k++)
        spins[system->particles[k].id] = system->spins[k];
    if (system->spins)
        memcpy(system->spins, spins, count * sizeof *spins);
    struct particle_counts *counts = (void *)particles;
    for (size_t k = 0; k < count; k++)
        counts[system->particles[k].id] = system->counts[k];
    memcpy(system->counts, counts, count * sizeof *counts);
    for (size_t k = 0; k < count; k++)
        particles[system->particles[k].id] = system->particles[k];
    memory_free(system->particles);
    system->particles = particles;
    system->reorderings++;
    return 1;
}

void system_restore_order(struct system *system)
{
    size_t k = 0;
    while (k < system->count && (size_t)system->particles[k].id == k)
        k++;
    if (system->count - k >= ELSEWHERE_FROM && restore_elsewhere(system))
        return;
    for (; k < system->count; k++)
        while ((size_t)system->particles[k].id != k)
            system_exchange(system, k, (size_t)system->particles[k].id);
}

enum status system_allocate(struct system *system, size_t used, size_t capacity,
                            struct error *error)
{
    struct particle *particles =
        memory_allocate_lines(capacity, sizeof *particles, "the particles", error);
    struct particle_counts *counts =
        particles ? memory_allocate_zeros(capacity, sizeof *counts, "the counts", error) : NULL;
    const int is_rough = counts && system->boundary.surfaces.are_rough;
    double *spins =
        is_rough ? memory_allocate_zeros(capacity, sizeof *spins, "the spins", error) : NULL;
    if (!counts || (is_rough && !spins)) {
        memory_free(particles);
        memory_free(counts);
        return STATUS_NO_MEMORY;
    }
    if (used > 0)
        memcpy(particles, system->particles, used * sizeof *particles);
    if (used > 0 && spins)
        memcpy(spins, system->spins, used * sizeof *spins);
    for (size_t k = 0; k < used; k++)
        system_copy_counts(&counts[k], &system->counts[k]);
    memory_free(system->particles);
    memory_free(system->counts);
    memory_free(system->spins);
    system->particles = particles;
    system->counts = counts;
    system->spins = spins;
    return STATUS_DONE;
}

void system_begin(struct system *system, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        system->particles[k] = (struct particle){.collided = -(double)INFINITY, .id = (int32_t)k};
}

enum status system_reserve(struct system *system, size_t capacity, struct error *error)
{
    enum status status = system_allocate(system, 0, capacity, error);
    if (!status)
        system_begin(system, 0, capacity);
    return status;
}

void system_free(struct system *system)
{
    memory_free(system->particles);
    memory_free(system->counts);
    memory_free(system->spins);
    memory_free(system->kinds);
    polygons_free(system->boundary.polygons);
    memory_free(system->boundary.walls);
    *system = (struct system){0};
}

/*
 * ---- The kinds of particles ----
 *
 * A hash table with open addressing: the number of a kind is in the first slot, from its hash on,
 * that was free when the kind was added. At most half of the slots are taken. No input can give all
 * kinds one hash, for it depends on the address of the slots.
 */

static const size_t MIN_SLOTS = 64;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The slot of a kind, or the free one where it would go. */
static size_t find_slot(const struct system_kinds *table, const struct system *system,
                        const struct particle_kind *kind)
{
    uint64_t hash = random_mix((uint64_t)(uintptr_t)table->slots);
    hash = random_mix(hash ^ bits_of(kind->radius));
    hash = random_mix(hash ^ bits_of(kind->mass));
    hash = random_mix(hash ^ (uint64_t)kind->species);
    size_t slot = (size_t)hash & (table->slot_count - 1);
    for (; table->slots[slot] != 0; slot = (slot + 1) & (table->slot_count - 1)) {
        const struct particle_kind *other = &system->kinds[table->slots[slot] - 1];
        if (other->radius == kind->radius && other->mass == kind->mass &&
            other->species == kind->species)
            break;
    }
    return slot;
}

/* Makes a larger table; it is another one, for the hash is. */
static enum status grow_slots(struct system_kinds *table, const struct system *system,
                              struct error *error)
{
    struct system_kinds larger = *table;
    larger.slot_count = table->slot_count ? 2 * table->slot_count : MIN_SLOTS;
    larger.slots =
        memory_allocate_zeros(larger.slot_count, sizeof *larger.slots, "the table of kinds", error);
    if (!larger.slots)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count; k++)
        larger.slots[find_slot(&larger, system, &system->kinds[k])] = (uint32_t)k + 1;
    memory_free(table->slots);
    *table = larger;
    return STATUS_DONE;
}

enum status system_kinds_find(struct system_kinds *table, struct system *system,
                              const struct particle_kind *kind, uint32_t *number,
                              struct error *error)
{
    if (2 * (system->kind_count + 1) > table->slot_count && grow_slots(table, system, error))
        return STATUS_NO_MEMORY;
    system->kinds = memory_extend(system->kinds, system->kind_count, &table->capacity,
                                  sizeof *system->kinds, "the kinds of particles", error);
    if (!system->kinds)
        return STATUS_NO_MEMORY;
    uint32_t *slot = &table->slots[find_slot(table, system, kind)];
    if (*slot == 0) {
        system->kinds[system->kind_count++] = *kind;
        *slot = (uint32_t)system->kind_count;
    }
    *number = *slot - 1;
    return STATUS_DONE;
}

void system_kinds_free(struct system_kinds *table)
{
    memory_free(table->slots);
}
