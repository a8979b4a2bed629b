/* Sums over collisions in any order; see impact_sums.h. */
#include "model/impact_sums.h"

#include "base/simd.h"

/* For a processor with AVX2 a register. */
typedef double four __attribute__((vector_size(32)));
typedef long long four_mask __attribute__((vector_size(32)));

enum { LANES = 4, VECTORS = IMPACT_SUMS / LANES };

/* Terms are less than half of STEP units. So the units may grow without that a sum of the larger
 * ones changes, and MAX_IMPACTS terms are less than 2^53 units. */
static const double STEP = 0x1p40;
enum { MIN_EXPONENT = -800 }; /* of units; they grow as they have to */

static int exponent_of(double value)
{
    int exponent;
    frexp(value, &exponent);
    return exponent;
}

struct impact_frame impact_frame_make(const struct impact_scale *scale, double from, double to)
{
    struct impact_frame frame = {.is_counting = 1, .from = from, .to = to};
    const int energy = exponent_of(scale->energy);
    const int speed = energy - exponent_of(scale->momentum);
    const int virial = exponent_of(scale->momentum) + exponent_of(scale->length);
    const int duration = exponent_of((to - from) / BLOCKS);
    for (int k = 0; k < IMPACT_SUMS; k++) {
        int exponent = (k < IMPACT_CHANGES       ? virial
                        : k % LANES == LANES - 1 ? speed
                                                 : energy) +
                       (k < IMPACT_MOMENTS ? 0 : duration) - 24;
        if (!(scale->energy > 0) || exponent < MIN_EXPONENT)
            exponent = MIN_EXPONENT;
        frame.units[k] = ldexp(1, exponent < -MIN_EXPONENT ? exponent : -MIN_EXPONENT);
    }
    return frame;
}

void impact_sums_begin(struct impact_sums *sums, const struct impact_frame *frame, size_t block)
{
    *sums = (struct impact_sums){.block = (uint32_t)block};
    memcpy(sums->units, frame->units, sizeof sums->units);
}

static void raise_unit(struct impact_sums *sums, int k)
{
    sums->low[k] = sums->high[k];
    sums->high[k] = (struct sum){0};
    sums->units[k] *= STEP;
}

/* Of two lanes of two vectors the sums: of the first one, and of the second. */
static inline simd sum_lanes(simd first, simd second)
{
    return (simd){first[0], second[0]} + (simd){first[1], second[1]};
}

/* A gain of momentum p changes the sum of m c c by p (w' + w), with the velocities w and w' before
 * and after. A lane is of a, the other one of b. */
COMPILER_INLINE void find_terms(const struct impact *e, const struct impact_frame *frame,
                                double elapsed, double terms[IMPACT_SUMS])
{
    const simd u = simd_load(e->u) - simd_all(frame->drift_u);
    const simd v = simd_load(e->v) - simd_all(frame->drift_v);
    const simd u_before = simd_load(e->u_before) - simd_all(frame->drift_u);
    const simd v_before = simd_load(e->v_before) - simd_all(frame->drift_v);
    const simd gain_x = simd_load(e->mass) * (u - u_before);
    const simd gain_y = simd_load(e->mass) * (v - v_before);
    const simd twice_u = u + u_before;
    const simd twice_v = v + v_before;
    const simd speeds =
        simd_root(u * u + v * v) - simd_root(u_before * u_before + v_before * v_before);
    const simd given = (simd){gain_x[1], gain_y[1]} - (simd){gain_x[0], gain_y[0]};
    const simd d = simd_load(&e->dx);
    const simd squares = sum_lanes(gain_x * twice_u, gain_y * twice_v);
    const simd others = sum_lanes(gain_x * twice_v + gain_y * twice_u, speeds);
    simd_store(&terms[IMPACT_XX], d * given);
    simd_store(&terms[IMPACT_XY], d * (simd){given[1], given[0]});
    simd_store(&terms[IMPACT_CHANGES], squares);
    simd_store(&terms[IMPACT_CHANGES + 2], others);
    simd_store(&terms[IMPACT_MOMENTS], squares * simd_all(elapsed));
    simd_store(&terms[IMPACT_MOMENTS + 2], others * simd_all(elapsed));
}

/* Adds up terms for sums k and those after it; or makes units larger that need it, and returns 0.
 */
COMPILER_INLINE int add_terms(struct impact_sums *sums, int k, const four *terms, size_t count)
{
    four unit;
    memcpy(&unit, &sums->units[k], sizeof unit);
    /* A number that is added to these is rounded to multiples of the unit. */
    const four large = unit * 0x1.8p52;
    const four small = large * (1 / STEP);
    const four most = unit * (STEP / 2);
    const four_mask sign = (four_mask)(four){-0.0, -0.0, -0.0, -0.0};
    four high = {0}, low = {0};
    four_mask is_too_large = {0};
    for (size_t n = 0; n < count; n++) {
        const four term = terms[n * VECTORS];
        const four rounded = (term + large) - large;
        high += rounded;
        low += ((term - rounded) + small) - small;
        is_too_large |= (four_mask)((four)((four_mask)term & ~sign) >= most);
    }
    int are_right = 1;
    for (int lane = 0; lane < LANES; lane++)
        if (is_too_large[lane] && sums->units[k + lane] * STEP <= IMPACT_MAX_UNIT) {
            raise_unit(sums, k + lane);
            are_right = 0;
        }
    for (int lane = 0; lane < LANES && are_right; lane++) {
        sum_add(&sums->high[k + lane], high[lane]);
        sum_add(&sums->low[k + lane], low[lane]);
    }
    return are_right;
}

COMPILER_INLINE size_t add_up(struct impact_sums *sums, const struct impact_frame *frame,
                              const struct impact *list, size_t count)
{
    const double begin = block_begin(frame->from, frame->to, sums->block);
    const double end = block_end(frame->from, frame->to, sums->block);
    four terms[MAX_IMPACTS][VECTORS];
    size_t used = 0;
    do {
        find_terms(&list[used], frame, list[used].time - begin, (double *)terms[used]);
        used++;
    } while (used < count && used < MAX_IMPACTS && list[used].time <= end);
    for (int k = 0; k < VECTORS; k++)
        while (!add_terms(sums, k * LANES, &terms[0][k], used)) {
        }
    sums->pairs += used;
    return used;
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) size_t add_up_four(struct impact_sums *sums,
                                                          const struct impact_frame *frame,
                                                          const struct impact *list, size_t count)
{
    return add_up(sums, frame, list, count);
}
#endif

size_t impact_sums_add(struct impact_sums *sums, const struct impact_frame *frame,
                       const struct impact *list, size_t count)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return add_up_four(sums, frame, list, count);
#endif
    return add_up(sums, frame, list, count);
}

void impact_sums_join(struct impact_sums *sums, const struct impact_sums *others)
{
    struct impact_sums added = *others;
    sums->pairs += added.pairs;
    for (int k = 0; k < IMPACT_SUMS; k++) {
        while (sums->units[k] < added.units[k])
            raise_unit(sums, k);
        while (added.units[k] < sums->units[k])
            raise_unit(&added, k);
        sum_add(&sums->high[k], added.high[k].rounded);
        sum_add(&sums->high[k], added.high[k].rest);
        sum_add(&sums->low[k], added.low[k].rounded);
        sum_add(&sums->low[k], added.low[k].rest);
    }
}
