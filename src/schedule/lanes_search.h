/*
 * The source of the inner loops for SIMD_LANES pairs at a time; see lanes.h. Each file that
 * includes it makes the `struct lanes` of one number of lanes.
 */
#ifndef PARTICLES_LANES_SEARCH_H
#define PARTICLES_LANES_SEARCH_H

#include "lanes.h"
#include "model/physics_simd.h"

/* The earliest time in each lane, and which place in a list, from 1, it has; 0: it is not of these.
 */
struct lanes_earliest {
    simd time, place;
    simd_mask is_tied; /* another one had the same time */
};

/* The contact distances of a particle with this radius and others. */
SIMD_INLINE simd lanes_contacts(const struct kind *kinds, simd radius,
                                const struct particle *const others[SIMD_LANES])
{
    const double *pairs[SIMD_LANES];
    simd radii;
    simd masses;
    for (int m = 0; m < SIMD_LANES; m++)
        pairs[m] = &kinds[others[m]->kind].radius;
    simd_load_two(pairs, &radii, &masses);
    return simd_add(radius, radii);
}

/* Looks through a list for contacts before `time`. `kinds` and `shifts` are NULL, constants, where
 * there are none. */
SIMD_INLINE struct lanes_earliest lanes_look(const struct lanes_search *search, uint32_t k,
                                             double time, const uint32_t *list, size_t count,
                                             int is_latest, const struct kind *kinds,
                                             const struct shift *shifts)
{
    static const double places[] = {1, 2, 3, 4};
    const struct particle *particles = search->system->particles;
    const struct physics_repeated self = physics_repeat(&particles[k]);
    const simd radius = simd_all(kinds ? kinds[particles[k].kind].radius : 0);
    simd contact = simd_all(search->contact);
    simd place = simd_load(places);
    struct lanes_earliest earliest = {.time = simd_all(time), .place = simd_all(0)};
    earliest.is_tied = simd_is_less(contact, contact);
    for (size_t m = 0; m < count; m += SIMD_LANES) {
        const struct particle *others[SIMD_LANES];
        for (int n = 0; n < SIMD_LANES; n++)
            others[n] = &particles[list[m + (size_t)n]];
        if (kinds)
            contact = lanes_contacts(kinds, radius, others);
        const struct physics_approaches approaches =
            physics_pair_approaches(&self, others, contact, is_latest, shifts ? shifts + m : NULL);
        const simd times = physics_pair_times(&approaches);
        earliest.is_tied = simd_or(simd_is_equal(times, earliest.time), earliest.is_tied);
        earliest.place = /* places go up */
            simd_larger(simd_only(simd_is_less(times, earliest.time), place), earliest.place);
        earliest.time = simd_smaller(times, earliest.time);
        place = simd_add(place, simd_all(SIMD_LANES));
    }
    return earliest;
}

SIMD_INLINE void lanes_consider_list(const struct lanes_search *search, uint32_t k,
                                     struct prediction *prediction, uint32_t *list, size_t count,
                                     int is_latest, const struct kind *kinds,
                                     const struct shift *shifts)
{
    for (size_t m = 0; m < SIMD_LANES - 1; m++)
        list[count + m] = k; /* if lanes are left over: a particle never meets itself */
    const struct lanes_earliest earliest =
        lanes_look(search, k, prediction->time, list, count, is_latest, kinds, shifts);
    const double time = simd_least(earliest.time);
    const unsigned lanes = simd_bits(simd_is_equal(earliest.time, simd_all(time)));
    const int is_shared = (lanes & (lanes - 1)) != 0;
    if (simd_bits(earliest.is_tied) | (unsigned)(is_shared & (time < prediction->time))) {
        prediction_consider_each(search->system, k, prediction, list, count, shifts);
        return;
    }
    double places[SIMD_LANES];
    simd_store(places, earliest.place);
    const uint32_t place = (uint32_t)(int32_t)places[COMPILER_LOWEST_BIT(lanes)];
    const uint32_t is_found = place > 0;
    const uint32_t partner = list[place - is_found];
    const uint32_t change = 0 - is_found;
    prediction->time = time;
    prediction->version ^=
        (prediction->version ^ search->system->particles[partner].version) & change;
    prediction->partner = (int32_t)((uint32_t)prediction->partner ^
                                    (((uint32_t)prediction->partner ^ partner) & change));
}

/* From NULL for `kinds` and `shifts` the compiler sees what it can leave out. */
SIMD_INLINE void lanes_consider_any(const struct lanes_search *search, uint32_t k,
                                    struct prediction *prediction, uint32_t *list, size_t count,
                                    int is_latest, const struct shift *shifts)
{
    if (shifts)
        lanes_consider_list(search, k, prediction, list, count, is_latest, search->kinds, shifts);
    else if (search->kinds)
        lanes_consider_list(search, k, prediction, list, count, is_latest, search->kinds, NULL);
    else
        lanes_consider_list(search, k, prediction, list, count, is_latest, NULL, NULL);
}

SIMD_TARGET static void consider(const struct lanes_search *search, uint32_t k,
                                 struct prediction *prediction, uint32_t *list, size_t count,
                                 const struct shift *shifts)
{
    lanes_consider_any(search, k, prediction, list, count, 0, shifts);
}

SIMD_TARGET static void consider_latest(const struct lanes_search *search, uint32_t k,
                                        struct prediction *prediction, uint32_t *list, size_t count,
                                        const struct shift *shifts)
{
    lanes_consider_any(search, k, prediction, list, count, 1, shifts);
}

/*
 * Of many particles in a box most never meet, so roots and divisions are left out where none in all
 * lanes do. Those that are left over in the end are predicted one by one.
 */
SIMD_INLINE void find_times(const struct lanes_search *search, uint32_t k, double *times,
                            const struct kind *kinds)
{
    const struct system *system = search->system;
    const struct particle *particles = system->particles;
    const struct physics_repeated self = physics_repeat(&particles[k]);
    const simd radius = simd_all(kinds ? kinds[particles[k].kind].radius : 0);
    const simd never = simd_all((double)INFINITY);
    simd contact = simd_all(search->contact);
    size_t m = 0;
    for (; m + SIMD_LANES <= system->count; m += SIMD_LANES) {
        const struct particle *others[SIMD_LANES];
        for (int n = 0; n < SIMD_LANES; n++)
            others[n] = &particles[m + (size_t)n];
        if (kinds)
            contact = lanes_contacts(kinds, radius, others);
        const struct physics_approaches approaches =
            physics_pair_approaches(&self, others, contact, 1, NULL);
        if (physics_pairs_meet(&approaches))
            simd_store(&times[m], simd_smaller(physics_pair_times(&approaches), never));
        else
            simd_store(&times[m], never);
    }
    for (; m < system->count; m++)
        times[m] = physics_pair_time(&particles[k], &particles[m],
                                     system_contact(system, &particles[k], &particles[m]), NULL);
}

SIMD_TARGET static void find_latest_times(const struct lanes_search *search, uint32_t k,
                                          double *times)
{
    if (search->kinds)
        find_times(search, k, times, search->kinds);
    else
        find_times(search, k, times, NULL);
}

#define LANES                                                                                      \
    {                                                                                              \
        SIMD_LANES, consider, consider_latest, find_latest_times                                   \
    }

#endif
