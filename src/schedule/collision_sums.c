/* Sums over collisions in any order; see collision_sums.h. */
#include "schedule/collision_sums.h"

#include "base/memory.h"
#include "base/simd.h"

/* Between the units of two parts. Terms are less than half of it, so that a part of a larger unit
 * is 0, and BATCH_COLLISIONS of them are less than 2^53 units. */
static const double STEP = 0x1p40;

/* From the end on: it reads no mark after the one that it replaces. */
void block_marks_stretch(double marks[BLOCKS], size_t complete, double part)
{
    const double end = (double)complete + part;
    marks[BLOCKS - 1] = marks[complete];
    for (size_t k = BLOCKS - 1; k-- > 0;) {
        const double at = end / BLOCKS * (double)(k + 1);
        const size_t before = at < (double)complete ? (size_t)at : complete;
        const double way = (at - (double)before) / (before < complete ? 1 : part);
        const double begin = before > 0 ? marks[before - 1] : 0;
        marks[k] = begin + way * (marks[before] - begin);
    }
}

double collision_sums_unit(double term)
{
    double unit = term > 0;
    while (term >= STEP / 2 * unit && unit > 0 && unit < 0x1p1000)
        unit *= STEP;
    while (term < unit / 2)
        unit /= STEP;
    return unit;
}

/* Makes the unit of a sum at least as large. */
static void raise_unit(struct collision_sums *sums, int k, double unit)
{
    while (sums->units[k] < unit) {
        for (int part = COLLISION_PARTS - 1; part > 0; part--)
            sums->parts[part][k] = sums->parts[part - 1][k];
        sums->parts[0][k] = (struct sum){0};
        sums->units[k] = sums->units[k] > 0 ? sums->units[k] * STEP : unit;
    }
}

/* Of two lanes of two vectors the sums: of the first one, and of the second. */
static inline simd sum_lanes(simd first, simd second)
{
    return (simd){first[0], second[0]} + (simd){first[1], second[1]};
}

/* A gain of momentum p changes the sum of m c c by p (w' + w), with the velocities w and w' before
 * and after. A lane is of a, the other one of b. */
COMPILER_INLINE void find_terms(const struct collision *e, const struct collision_basis *basis,
                                double elapsed, double terms[COLLISION_SUMS])
{
    const double *const after[] = {&e->a.u, &e->b.u};
    const double *const before[] = {&e->a.u_before, &e->b.u_before};
    const simd mass = {e->a.mass, e->b.mass};
    simd u, v, u_before, v_before;
    simd_load_two(after, &u, &v);
    simd_load_two(before, &u_before, &v_before);
    u -= simd_all(basis->drift_u);
    v -= simd_all(basis->drift_v);
    u_before -= simd_all(basis->drift_u);
    v_before -= simd_all(basis->drift_v);
    const simd gain_x = mass * (u - u_before);
    const simd gain_y = mass * (v - v_before);
    const simd twice_u = u + u_before;
    const simd twice_v = v + v_before;
    const simd square = u * u + v * v;
    const simd square_before = u_before * u_before + v_before * v_before;
    const simd speeds = simd_root(square) - simd_root(square_before);
    const simd given = (simd){gain_x[1], gain_y[1]} - (simd){gain_x[0], gain_y[0]};
    const simd squares = sum_lanes(gain_x * twice_u, gain_y * twice_v);
    const simd others = sum_lanes(gain_x * twice_v + gain_y * twice_u, speeds);
    const simd gained = gain_x * twice_u + gain_y * twice_v;
    const simd fourths = gained * (mass * (square + square_before));
    const uint8_t *classes = basis->classes;
    const int lower = classes && classes[e->a.number] > classes[e->b.number];
    const simd more = {fourths[0] + fourths[1], gained[lower]};
    simd_store(&terms[COLLISION_XX], simd_load(&e->dx) * given);
    simd_store(&terms[COLLISION_XY], simd_load(&e->dx) * (simd){given[1], given[0]});
    simd_store(&terms[COLLISION_CHANGES], squares);
    simd_store(&terms[COLLISION_CHANGES + 2], others);
    simd_store(&terms[COLLISION_MOMENTS], squares * simd_all(elapsed));
    simd_store(&terms[COLLISION_MOMENTS + 2], others * simd_all(elapsed));
    simd_store(&terms[COLLISION_FOURTH], more);
    simd_store(&terms[COLLISION_FOURTH + 2], more * simd_all(elapsed));
}

/* Adds the terms of `used` collisions, BATCH_COLLISIONS at most. */
COMPILER_INLINE void add_terms(struct collision_sums *sums, double terms[][COLLISION_SUMS],
                               size_t used)
{
    double most[COLLISION_SUMS];
    for (int k = 0; k < COLLISION_SUMS; k++) {
        double largest = 0;
        for (size_t n = 0; n < used; n++)
            largest = fabs(terms[n][k]) > largest ? fabs(terms[n][k]) : largest;
        most[k] = largest;
    }
    for (int k = 0; k < COLLISION_SUMS; k++)
        if (most[k] >= STEP / 2 * sums->units[k])
            raise_unit(sums, k, collision_sums_unit(most[k]));
    for (int k = 0; k < COLLISION_SUMS; k++) {
        /* A number that is added to one of these is rounded to multiples of a unit. */
        const double large = sums->units[k] * 0x1.8p52;
        const double less = large * (1 / STEP);
        const double least = less * (1 / STEP);
        double parts[COLLISION_PARTS] = {0};
        for (size_t n = 0; n < used; n++) {
            const double first = (terms[n][k] + large) - large;
            const double second = ((terms[n][k] - first) + less) - less;
            parts[0] += first;
            parts[1] += second;
            parts[2] += (((terms[n][k] - first) - second) + least) - least;
        }
        for (int part = 0; part < COLLISION_PARTS; part++)
            sum_add(&sums->parts[part][k], parts[part]);
    }
    sums->pairs += used;
}

COMPILER_INLINE size_t add_up(struct collision_sums *sums, const struct collision_basis *basis,
                              const struct collision *list, size_t count)
{
    const double begin = block_begin(basis->from, basis->to, sums->block);
    const double end = block_end(basis->from, basis->to, sums->block);
    const uint8_t *classes = basis->classes;
    double terms[BATCH_COLLISIONS][COLLISION_SUMS];
    const struct collision *counted[BATCH_COLLISIONS];
    size_t pairs[BATCH_COLLISIONS];
    size_t used = 0;
    size_t seen = 0;
    do {
        const struct collision *e = &list[seen++];
        if (e->partner == PARTNER_BOUNDARY)
            continue;
        counted[used] = e;
        pairs[used++] = classes ? class_pair(classes[e->a.number], classes[e->b.number]) : 0;
    } while (seen < count && used < BATCH_COLLISIONS && list[seen].time <= end);
    for (size_t pair = 0, done = 0; done < used; pair++) {
        size_t found = 0;
        for (size_t n = 0; n < used; n++)
            if (pairs[n] == pair)
                find_terms(counted[n], basis, counted[n]->time - begin, terms[found++]);
        if (found > 0)
            add_terms(&sums[pair], terms, found);
        done += found;
    }
    return seen;
}

#ifdef __x86_64__
/* The same with registers of four doubles, to the same bits. */
__attribute__((target("avx2"))) static size_t add_up_four(struct collision_sums *sums,
                                                          const struct collision_basis *basis,
                                                          const struct collision *list,
                                                          size_t count)
{
    return add_up(sums, basis, list, count);
}
#endif

size_t collision_sums_add(struct collision_sums *sums, const struct collision_basis *basis,
                          const struct collision *list, size_t count)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return add_up_four(sums, basis, list, count);
#endif
    return add_up(sums, basis, list, count);
}

void collision_sums_join(struct collision_sums *sums, const struct collision_sums *others)
{
    struct collision_sums added = *others;
    sums->pairs += added.pairs;
    for (int k = 0; k < COLLISION_SUMS; k++) {
        raise_unit(sums, k, added.units[k]);
        raise_unit(&added, k, sums->units[k]);
        for (int part = 0; part < COLLISION_PARTS; part++) {
            sum_add(&sums->parts[part][k], added.parts[part][k].rounded);
            sum_add(&sums->parts[part][k], added.parts[part][k].rest);
        }
    }
}

double collision_sums_value(const struct collision_sums *sums, int k)
{
    return sum_value(&sums->parts[0][k]) +
           (sum_value(&sums->parts[1][k]) + sum_value(&sums->parts[2][k]));
}

int collision_series_add_up(struct collision_series *series, const struct collision_basis *basis)
{
    const struct collision *list = series->waiting;
    const struct collision *const end = list + series->waiting_count;
    const size_t pairs = basis ? 1 + basis->more_pairs : 1;
    struct collision_sums *last = series->count > 0 ? &series->list[series->count - pairs] : NULL;
    uint64_t block = last ? last->block : 0;
    series->waiting_count = 0;
    for (; list < end; list += collision_sums_add(last, basis, list, (size_t)(end - list))) {
        while (list->time > block_end(basis->from, basis->to, block))
            block++;
        if (last && last->block == block)
            continue;
        if (series->count + pairs > series->capacity) { /* doubles: these entries are large */
            struct error error;
            const size_t capacity = 2 * (series->count + pairs);
            struct collision_sums *larger = memory_resize(series->list, capacity, sizeof *larger,
                                                          "the sums over collisions", &error);
            if (!larger) {
                series->count = 0;
                return 0;
            }
            series->list = larger;
            series->capacity = capacity;
        }
        for (size_t k = 0; k < pairs; k++)
            series->list[series->count++] = (struct collision_sums){.block = block};
        last = &series->list[series->count - pairs];
    }
    return 1;
}

void collision_series_give(const struct collision_series *series, struct collision_basis *basis)
{
    const size_t pairs = 1 + basis->more_pairs;
    for (size_t k = 0; k < series->count; k++) {
        const struct collision_sums *sums = &series->list[k];
        basis->last = sums->block > basis->last ? sums->block : basis->last;
        collision_sums_join(&basis->blocks[sums->block * pairs + k % pairs], sums);
    }
}
