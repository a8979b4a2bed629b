/*
 * A hash table with open addressing: a kind's number is in the first slot from its hash on that was
 * free when it came. At most half of the slots are taken.
 *
 * An input could be made in which all kinds have the same hash, so that each search is long. So the
 * hash depends on where the slots are in memory, which cannot be known beforehand. The numbers of
 * the kinds do not depend on it.
 */
#include "model/particle_kinds.h"

#include "base/memory.h"

#include <string.h>

enum { FEWEST_KINDS = 16, FEWEST_SLOTS = 64 };

/* Mixes the bits of a number, one to one (the last step of MurmurHash3; A. Appleby, 2011). */
static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdu;
    bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53u;
    return bits ^ bits >> 33;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static size_t first_slot(const struct particle_kinds *table, const struct kind *kind)
{
    uint64_t hash = mix((uint64_t)(uintptr_t)table->slots);
    hash = mix(hash ^ bits_of(kind->radius));
    hash = mix(hash ^ bits_of(kind->mass));
    hash = mix(hash ^ (uint64_t)kind->species);
    return (size_t)hash & (table->slot_count - 1);
}

static size_t next_slot(const struct particle_kinds *table, size_t slot)
{
    return (slot + 1) & (table->slot_count - 1);
}

/* The slot of a kind, or the free one where it would go. */
static size_t find_slot(const struct particle_kinds *table, const struct system *system,
                        const struct kind *kind)
{
    size_t slot = first_slot(table, kind);
    for (; table->slots[slot] != 0; slot = next_slot(table, slot)) {
        const struct kind *other = &system->kinds[table->slots[slot] - 1];
        if (other->radius == kind->radius && other->mass == kind->mass &&
            other->species == kind->species)
            break;
    }
    return slot;
}

/* Makes a larger table; it is another one, for the hash is. */
static enum status grow_slots(struct particle_kinds *table, const struct system *system,
                              struct error *error)
{
    struct particle_kinds larger = *table;
    larger.slot_count = table->slot_count ? 2 * table->slot_count : (size_t)FEWEST_SLOTS;
    larger.slots =
        memory_allocate(larger.slot_count, sizeof *larger.slots, "the table of kinds", error);
    if (!larger.slots)
        return STATUS_NO_MEMORY;
    memset(larger.slots, 0, larger.slot_count * sizeof *larger.slots);
    for (size_t k = 0; k < system->kind_count; k++)
        larger.slots[find_slot(&larger, system, &system->kinds[k])] = (uint32_t)k + 1;
    memory_free(table->slots);
    *table = larger;
    return STATUS_DONE;
}

static enum status grow_kinds(struct particle_kinds *table, struct system *system,
                              struct error *error)
{
    size_t capacity = table->capacity ? 2 * table->capacity : (size_t)FEWEST_KINDS;
    struct kind *kinds =
        memory_resize(system->kinds, capacity, sizeof *kinds, "the kinds of particles", error);
    if (!kinds)
        return STATUS_NO_MEMORY;
    system->kinds = kinds;
    table->capacity = capacity;
    return STATUS_DONE;
}

enum status particle_kinds_find(struct particle_kinds *table, struct system *system,
                                const struct kind *kind, uint32_t *number, struct error *error)
{
    enum status status = STATUS_DONE;
    if (2 * (system->kind_count + 1) > table->slot_count)
        status = grow_slots(table, system, error);
    if (!status && system->kind_count == table->capacity)
        status = grow_kinds(table, system, error);
    if (status)
        return status;
    uint32_t *slot = &table->slots[find_slot(table, system, kind)];
    if (*slot == 0) {
        system->kinds[system->kind_count++] = *kind;
        *slot = (uint32_t)system->kind_count;
    }
    *number = *slot - 1;
    return STATUS_DONE;
}

void particle_kinds_free(struct particle_kinds *table)
{
    memory_free(table->slots);
    *table = (struct particle_kinds){0};
}
