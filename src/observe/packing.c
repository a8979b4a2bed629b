/* The contacts of disks that grow. Neighbours in a jammed packing collide again and again, and what
 * is loose does not: so two disks are in contact if they have collided lately (A. Donev, S.
 * Torquato and F. Stillinger, Phys. Rev. E 71, 011105, 2005). The smaller one keeps it: at most 6
 * others that are not smaller touch a disk at once, so a few places suffice but in a fluid, where
 * old contacts are forgotten. Of equals the lower or the higher number keeps it, in turn. */
#include "base/memory.h"
#include "correlations.h"
#include "figures.h"
#include "io/record.h"
#include "observe/writers.h"

#include <math.h>

enum { PLACES = 16, STABLE = 3 };           /* for contacts of each disk; contacts that hold one */
static const uint32_t RATTLER = UINT32_MAX; /* in place of a number of contacts */

struct packing_contact {
    int32_t other; /* number of the other disk, or below 0 a feature of the boundary */
    uint64_t last; /* number of their last collision, from 1; 0: there is no contact here */
};

struct packing {
    struct observer observer; /* the first member: see observers_record */
    size_t count;             /* of disks */
    uint64_t collisions;
    struct packing_contact *contacts; /* of each disk, PLACES; owned */
};

static enum status packing_begin(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct packing *packing = (struct packing *)observer;
    packing->count = snapshot->system->count;
    packing->contacts = memory_allocate_zeros(packing->count, PLACES * sizeof *packing->contacts,
                                              "the contacts of disks", error);
    return packing->contacts ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Keeps a contact in the place that it has, or in that of the oldest. */
static void packing_keep(struct packing *packing, int32_t disk, int32_t other)
{
    struct packing_contact *const places = packing->contacts + (size_t)disk * PLACES;
    struct packing_contact *place = places;
    for (size_t k = 0; k < PLACES && (place->last == 0 || place->other != other); k++)
        if (places[k].last < place->last || (places[k].last > 0 && places[k].other == other))
            place = &places[k];
    *place = (struct packing_contact){other, ++packing->collisions};
}

static void packing_collide(struct observer *observer, const struct collision *collision)
{
    const double a_radius = collision->a.radius, b_radius = collision->b.radius;
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    const int32_t a = collision->a.number, b = is_pair ? collision->b.number : collision->feature;
    const int is_b = is_pair && (a_radius == b_radius ? (a + b) % 2 != 0 : b_radius < a_radius);
    packing_keep((struct packing *)observer, is_b ? b : a, is_b ? a : b);
}

static void packing_state(struct observer *observer, struct record *record)
{
    struct packing *packing = (struct packing *)observer;
    recorder_state(observer, record);
    record_whole(record, &packing->collisions, UINT64_MAX / 2);
    for (size_t k = 0; k < packing->count * PLACES && !record->status; k++) {
        if (k % PLACES == 0)
            record_end_line(record);
        record_int32(record, &packing->contacts[k].other, INT32_MIN, (int32_t)packing->count - 1);
        record_whole(record, &packing->contacts[k].last, packing->collisions);
    }
    record_end_line(record);
}

static void packing_free(struct observer *observer)
{
    memory_free(((struct packing *)observer)->contacts);
}

enum status packing_record(struct observer *reader, double from, const struct snapshot *snapshot,
                           const struct packing **packing, struct error *error)
{
    static const struct observer_operations operations = {
        .kind = {.what = "the contacts of disks", .size = sizeof(struct packing)},
        .watches = WATCH_PAIRS,
        .begin = packing_begin,
        .collide = packing_collide,
        .state = packing_state,
        .free = packing_free};
    if (snapshot->system->growth.each == 0) /* it may have ended */
        return STATUS_DONE;
    *packing = observers_record(reader, &operations, from, snapshot, error);
    return *packing ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Adds up the contacts of disks that are not known as rattlers. */
static void packing_add(const struct packing *packing, uint32_t *contacts)
{
    const uint64_t window = GROWTH_COLLISIONS * (uint64_t)packing->count;
    for (size_t k = 0; k < packing->count * PLACES; k++) {
        const struct packing_contact *contact = &packing->contacts[k];
        const int is_pair = contact->other >= 0;
        uint32_t *const one = &contacts[k / PLACES];
        uint32_t *const other = is_pair ? &contacts[contact->other] : one;
        if (contact->last == 0 || contact->last + window <= packing->collisions ||
            *one == RATTLER || *other == RATTLER)
            continue;
        ++*one;
        *other += is_pair ? 1 : 0;
    }
}

uint32_t *packing_contacts(const struct packing *packing, struct error *error)
{
    uint32_t *contacts = memory_allocate_zeros(packing->count, sizeof *contacts, "contacts", error);
    for (size_t found = contacts ? 1 : 0; found > 0;) {
        found = 0;
        packing_add(packing, contacts);
        for (size_t k = 0; k < packing->count; k++) {
            found += contacts[k] < STABLE;
            contacts[k] = contacts[k] < STABLE ? RATTLER : contacts[k];
        }
        for (size_t k = 0; k < packing->count && found > 0; k++)
            contacts[k] = contacts[k] == RATTLER ? RATTLER : 0;
    }
    for (size_t k = 0; contacts && k < packing->count; k++)
        contacts[k] = contacts[k] == RATTLER ? 0 : contacts[k];
    return contacts;
}

enum status packing_measure(const struct packing *packing, const struct snapshot *snapshot,
                            double values[FIGURES], struct error *error)
{
    const double jamming = snapshot->system->growth.jamming;
    struct neighbours_map map = {0};
    uint32_t *contacts = packing_contacts(packing, error);
    struct bond_order *bonds = memory_allocate(packing->count, sizeof *bonds, "bonds", error);
    enum status status = contacts && bonds ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status)
        status = neighbours_map_create(&map, &snapshot->system->boundary, packing->count, error);
    if (!status) {
        double sum = 0, rattlers = 0;
        for (size_t k = 0; k < packing->count; k++) {
            sum += contacts[k];
            rattlers += contacts[k] == 0;
        }
        values[FIGURE_JAMMING_FRACTION] = jamming > 0 ? jamming : (double)NAN;
        values[FIGURE_CONTACTS_MEAN] = sum / ((double)packing->count - rattlers);
        values[FIGURE_RATTLERS] = rattlers;
        neighbours_map_take(&map, snapshot);
        status = bond_order_find(&map, bonds, &values[FIGURE_PSI6_LOCAL],
                                 &values[FIGURE_PSI6_GLOBAL], error);
    }
    neighbours_map_free(&map);
    memory_free(bonds);
    memory_free(contacts);
    return status;
}
