/*
 * Several doubles side by side, as the vector registers of most processors hold them: each
 * operation does to every lane what it does to one double, to the last bit. A file that defines
 * SIMD_LANES as 4 before it includes this one has as many, those of AVX2; it must be used only
 * where the processor has these (src/schedule/lanes.h). Others have 2, as every x86-64. For other
 * processors and compilers, or with SIMD_PLAIN, the lanes are in plain C.
 *
 * A comparison yields a mask, yes or no for each lane; and a NaN compares as no. Masks combine and
 * select without a branch.
 */
#ifndef PARTICLES_SIMD_H
#define PARTICLES_SIMD_H

#include "base/compiler.h"

#ifndef SIMD_LANES
#define SIMD_LANES 2
#endif

#if defined(__SSE2__) && defined(__GNUC__) && !defined(SIMD_PLAIN)

#include <immintrin.h>

/* There can be 4 lanes, if the processor has them. */
#define SIMD_HAS_FOUR

#if SIMD_LANES == 2

typedef __m128d simd;
typedef __m128d simd_mask;

/* A function on lanes is compiled for a processor that has them. Of the two names of a comparison
 * each set of instructions has one. */
#define SIMD_TARGET
#define SIMD_OPERATION(name)              _mm_##name##_pd
#define SIMD_COMPARISON(a, name, NAME, b) _mm_cmp##name##_pd(a, b)

#else

typedef __m256d simd;
typedef __m256d simd_mask;

#define SIMD_TARGET                       __attribute__((target("avx2")))
#define SIMD_OPERATION(name)              _mm256_##name##_pd
#define SIMD_COMPARISON(a, name, NAME, b) _mm256_cmp_pd(a, b, _CMP_##NAME##_OQ)

#endif

#define SIMD_INLINE COMPILER_INLINE SIMD_TARGET

/* clang-format off */
/* The same number in each lane; as many as there are lanes from memory, and back to it. */
SIMD_INLINE simd simd_all(double value) { return SIMD_OPERATION(set1)(value); }
SIMD_INLINE simd simd_load(const double *values) { return SIMD_OPERATION(loadu)(values); }
SIMD_INLINE void simd_store(double *values, simd a) { SIMD_OPERATION(storeu)(values, a); }
SIMD_INLINE simd simd_add(simd a, simd b) { return SIMD_OPERATION(add)(a, b); }
SIMD_INLINE simd simd_subtract(simd a, simd b) { return SIMD_OPERATION(sub)(a, b); }
SIMD_INLINE simd simd_multiply(simd a, simd b) { return SIMD_OPERATION(mul)(a, b); }
SIMD_INLINE simd simd_divide(simd a, simd b) { return SIMD_OPERATION(div)(a, b); }
SIMD_INLINE simd simd_root(simd a) { return SIMD_OPERATION(sqrt)(a); }
/* a > b ? a : b, and a < b ? a : b */
SIMD_INLINE simd simd_larger(simd a, simd b) { return SIMD_OPERATION(max)(a, b); }
SIMD_INLINE simd simd_smaller(simd a, simd b) { return SIMD_OPERATION(min)(a, b); }

SIMD_INLINE simd_mask simd_is_less(simd a, simd b) { return SIMD_COMPARISON(a, lt, LT, b); }
SIMD_INLINE simd_mask simd_is_at_most(simd a, simd b) { return SIMD_COMPARISON(a, le, LE, b); }
SIMD_INLINE simd_mask simd_is_equal(simd a, simd b) { return SIMD_COMPARISON(a, eq, EQ, b); }
SIMD_INLINE simd_mask simd_or(simd_mask a, simd_mask b) { return SIMD_OPERATION(or)(a, b); }
/* A bit for each lane, that of the first lowest. */
SIMD_INLINE unsigned simd_bits(simd_mask mask) { return (unsigned)SIMD_OPERATION(movemask)(mask); }
/* Each lane, but 0 where the mask says no; 0 where it says yes; or a NaN where it says yes. */
SIMD_INLINE simd simd_only(simd_mask mask, simd a) { return SIMD_OPERATION(and)(mask, a); }
SIMD_INLINE simd simd_except(simd_mask mask, simd a) { return SIMD_OPERATION(andnot)(mask, a); }
SIMD_INLINE simd simd_spoil(simd_mask mask, simd a) { return SIMD_OPERATION(or)(mask, a); }
/* clang-format on */

#if SIMD_LANES == 2

/* For each lane two numbers that stand beside each other: all first ones, and all second ones. */
SIMD_INLINE void simd_load_two(const double *const pairs[2], simd *first, simd *second)
{
    const simd a = _mm_loadu_pd(pairs[0]);
    const simd b = _mm_loadu_pd(pairs[1]);
    *first = _mm_unpacklo_pd(a, b);
    *second = _mm_unpackhi_pd(a, b);
}

/* One number for each lane. */
SIMD_INLINE simd simd_load_one(const double *const places[2])
{
    return _mm_loadh_pd(_mm_load_sd(places[0]), places[1]);
}

/* The least of all lanes, none of which is a NaN. */
SIMD_INLINE double simd_least(simd a)
{
    return _mm_cvtsd_f64(_mm_min_sd(a, _mm_unpackhi_pd(a, a)));
}

#else

SIMD_INLINE simd simd_load_halves(const double *low, const double *high)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}

SIMD_INLINE void simd_load_two(const double *const pairs[4], simd *first, simd *second)
{
    const simd a = simd_load_halves(pairs[0], pairs[2]);
    const simd b = simd_load_halves(pairs[1], pairs[3]);
    *first = _mm256_unpacklo_pd(a, b);
    *second = _mm256_unpackhi_pd(a, b);
}

SIMD_INLINE simd simd_load_one(const double *const places[4])
{
    const __m128d low = _mm_loadh_pd(_mm_load_sd(places[0]), places[1]);
    const __m128d high = _mm_loadh_pd(_mm_load_sd(places[2]), places[3]);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

SIMD_INLINE double simd_least(simd a)
{
    __m128d half = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
}

#endif

#else

#include <math.h>

typedef struct {
    double lane[SIMD_LANES];
} simd;

/* A bit for each lane. */
typedef unsigned simd_mask;

#define SIMD_TARGET
#define SIMD_INLINE  COMPILER_INLINE
#define SIMD_EACH(k) for (int k = 0; k < SIMD_LANES; k++)

/* What `formula`, of x and y, makes of each lane of a and b. */
#define SIMD_DEFINE(name, formula)                                                                 \
    SIMD_INLINE simd name(simd a, simd b)                                                          \
    {                                                                                              \
        simd result;                                                                               \
        SIMD_EACH(k)                                                                               \
        {                                                                                          \
            double x = a.lane[k];                                                                  \
            double y = b.lane[k];                                                                  \
            result.lane[k] = formula;                                                              \
        }                                                                                          \
        return result;                                                                             \
    }

SIMD_DEFINE(simd_add, x + y)
SIMD_DEFINE(simd_subtract, x - y)
SIMD_DEFINE(simd_multiply, (x * y))
SIMD_DEFINE(simd_divide, x / y)
SIMD_DEFINE(simd_larger, x > y ? x : y)
SIMD_DEFINE(simd_smaller, x < y ? x : y)
#undef SIMD_DEFINE

/* For which lanes of a and b it holds that x `compares` y. */
#define SIMD_COMPARE(name, compares)                                                               \
    SIMD_INLINE simd_mask name(simd a, simd b)                                                     \
    {                                                                                              \
        simd_mask mask = 0;                                                                        \
        SIMD_EACH(k)                                                                               \
        mask |= (unsigned)(a.lane[k] compares b.lane[k]) << k;                                     \
        return mask;                                                                               \
    }

SIMD_COMPARE(simd_is_less, <)
SIMD_COMPARE(simd_is_at_most, <=)
SIMD_COMPARE(simd_is_equal, ==)
#undef SIMD_COMPARE

SIMD_INLINE simd simd_all(double value)
{
    simd result;
    SIMD_EACH(k)
    result.lane[k] = value;
    return result;
}

SIMD_INLINE simd simd_load(const double *values)
{
    simd result;
    SIMD_EACH(k)
    result.lane[k] = values[k];
    return result;
}

SIMD_INLINE void simd_store(double *values, simd a)
{
    SIMD_EACH(k)
    values[k] = a.lane[k];
}

SIMD_INLINE void simd_load_two(const double *const pairs[SIMD_LANES], simd *first, simd *second)
{
    SIMD_EACH(k)
    {
        first->lane[k] = pairs[k][0];
        second->lane[k] = pairs[k][1];
    }
}

SIMD_INLINE simd simd_load_one(const double *const places[SIMD_LANES])
{
    simd result;
    SIMD_EACH(k)
    result.lane[k] = *places[k];
    return result;
}

SIMD_INLINE simd simd_root(simd a)
{
    SIMD_EACH(k)
    a.lane[k] = sqrt(a.lane[k]);
    return a;
}

SIMD_INLINE simd_mask simd_or(simd_mask a, simd_mask b)
{
    return a | b;
}

SIMD_INLINE unsigned simd_bits(simd_mask mask)
{
    return mask;
}

/* Puts `value` into those lanes for which a mask says `answer`. */
SIMD_INLINE simd simd_replace(simd_mask mask, unsigned answer, simd a, double value)
{
    SIMD_EACH(k)
    a.lane[k] = (mask >> k & 1) == answer ? value : a.lane[k];
    return a;
}

SIMD_INLINE simd simd_only(simd_mask mask, simd a)
{
    return simd_replace(mask, 0, a, 0);
}

SIMD_INLINE simd simd_except(simd_mask mask, simd a)
{
    return simd_replace(mask, 1, a, 0);
}

SIMD_INLINE simd simd_spoil(simd_mask mask, simd a)
{
    return simd_replace(mask, 1, a, (double)NAN);
}

SIMD_INLINE double simd_least(simd a)
{
    double least = a.lane[0];
    SIMD_EACH(k)
    least = a.lane[k] < least ? a.lane[k] : least;
    return least;
}

#endif

#endif
