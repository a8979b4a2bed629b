/*
 * Several doubles side by side, as the vector registers of most processors hold them: each
 * operation does to every lane what it does to one double, to the last bit. A file that defines
 * SIMD_LANES as 4 before it includes this one has 4 lanes, and must be used only where the
 * processor has AVX2 (src/schedule/lanes.h). Others have 2, as every x86-64.
 *
 * These are vectors of gcc and clang, so + - * / < <= == & | are written as in C. A comparison
 * yields a mask, all bits or none for each lane; and a NaN compares as no. Here is what has no
 * operator: in C or, unless SIMD_PLAIN is defined, by instructions of x86-64 or WebAssembly.
 */
#ifndef PARTICLES_SIMD_H
#define PARTICLES_SIMD_H

#include "base/compiler.h"

#include <math.h>

#if defined(__SSE2__) && !defined(SIMD_PLAIN)
/* A compiler takes 0.3 s to read what all of x86-64 has; two lanes need only the first of it. */
#if defined(SIMD_LANES) && SIMD_LANES == 4
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif
/* There can be 4 lanes, if the processor has them. */
#define SIMD_HAS_FOUR
#else
#undef SIMD_LANES
#if defined(__wasm_simd128__) && !defined(SIMD_PLAIN)
#include <wasm_simd128.h>
#endif
#endif

#ifndef SIMD_LANES
#define SIMD_LANES 2
#endif

typedef double simd __attribute__((vector_size(8 * SIMD_LANES)));
typedef __typeof__((simd){0} < (simd){0}) simd_mask;

/* No vector is passed from one file to another, so it does not matter how that would be done. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define SIMD_EACH(k) for (int k = 0; k < SIMD_LANES; k++)

/* A function on lanes is compiled for a processor that has them. */
#if SIMD_LANES == 2
#define SIMD_TARGET
#define SIMD_OPERATION(name) _mm_##name##_pd
#else
#define SIMD_TARGET          __attribute__((target("avx2")))
#define SIMD_OPERATION(name) _mm256_##name##_pd
#endif

#define SIMD_INLINE COMPILER_INLINE SIMD_TARGET

#ifdef SIMD_HAS_FOUR

/* a > b ? a : b, and a < b ? a : b */
SIMD_INLINE simd simd_larger(simd a, simd b)
{
    return SIMD_OPERATION(max)(a, b);
}

SIMD_INLINE simd simd_smaller(simd a, simd b)
{
    return SIMD_OPERATION(min)(a, b);
}

SIMD_INLINE simd simd_root(simd a)
{
    return SIMD_OPERATION(sqrt)(a);
}

/* A bit for each lane, the lowest for the first lane. */
SIMD_INLINE unsigned simd_bits(simd_mask mask)
{
    return (unsigned)SIMD_OPERATION(movemask)((simd)mask);
}

#elif defined(__wasm_simd128__) && !defined(SIMD_PLAIN)

SIMD_INLINE simd simd_larger(simd a, simd b)
{
    return (simd)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
}

SIMD_INLINE simd simd_smaller(simd a, simd b)
{
    return (simd)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
}

SIMD_INLINE simd simd_root(simd a)
{
    return (simd)wasm_f64x2_sqrt((v128_t)a);
}

SIMD_INLINE unsigned simd_bits(simd_mask mask)
{
    return wasm_i64x2_bitmask((v128_t)mask);
}

#else

SIMD_INLINE simd simd_larger(simd a, simd b)
{
    SIMD_EACH(k)
    a[k] = a[k] > b[k] ? a[k] : b[k];
    return a;
}

SIMD_INLINE simd simd_smaller(simd a, simd b)
{
    SIMD_EACH(k)
    a[k] = a[k] < b[k] ? a[k] : b[k];
    return a;
}

SIMD_INLINE simd simd_root(simd a)
{
    SIMD_EACH(k)
    a[k] = sqrt(a[k]);
    return a;
}

SIMD_INLINE unsigned simd_bits(simd_mask mask)
{
    unsigned bits = 0;
    SIMD_EACH(k)
    bits |= (unsigned)(mask[k] & 1) << k;
    return bits;
}

#endif

/* One number in each lane; as many as there are lanes from memory, and back to it. */
SIMD_INLINE simd simd_all(double value)
{
    return value - (simd){0}; /* also of -0 */
}

SIMD_INLINE simd simd_load(const double *values)
{
    simd result;
    COMPILER_COPY(&result, values, sizeof result);
    return result;
}

SIMD_INLINE void simd_store(double *values, simd a)
{
    COMPILER_COPY(values, &a, sizeof a);
}

/* One number for each lane. */
SIMD_INLINE simd simd_load_one(const double *const sources[SIMD_LANES])
{
#if SIMD_LANES == 4
    return (simd){*sources[0], *sources[1], *sources[2], *sources[3]};
#elif defined(SIMD_HAS_FOUR)
    return _mm_loadh_pd(_mm_load_sd(sources[0]), sources[1]);
#else
    return (simd){*sources[0], *sources[1]};
#endif
}

/* For each lane two numbers that stand beside each other: all first ones, and all second ones. */
SIMD_INLINE void simd_load_two(const double *const pairs[SIMD_LANES], simd *first, simd *second)
{
#if SIMD_LANES == 2
    const simd a = simd_load(pairs[0]);
    const simd b = simd_load(pairs[1]);
    *first = (simd){a[0], b[0]};
    *second = (simd){a[1], b[1]};
#else
    const simd a = _mm256_loadu2_m128d(pairs[2], pairs[0]);
    const simd b = _mm256_loadu2_m128d(pairs[3], pairs[1]);
    *first = _mm256_unpacklo_pd(a, b);
    *second = _mm256_unpackhi_pd(a, b);
#endif
}

/* The least of all lanes; none is a NaN. */
SIMD_INLINE double simd_least(simd a)
{
#if SIMD_LANES == 2
    return a[1] < a[0] ? a[1] : a[0];
#else
    const __m128d half = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
#endif
}

/* Operations on the bits of doubles. Written with C's operators they would be instructions for
 * whole numbers, and it takes a processor a cycle to hand a double over to one, and another cycle
 * back. */
#ifdef SIMD_HAS_FOUR
#define SIMD_AND(a, b)     SIMD_OPERATION (and)((simd)(a), (simd)(b))
#define SIMD_AND_NOT(a, b) SIMD_OPERATION(andnot)((simd)(b), (simd)(a))
#define SIMD_OR(a, b)      SIMD_OPERATION(or)((simd)(a), (simd)(b))
#else
#define SIMD_AND(a, b)     ((simd)((simd_mask)(a) & (simd_mask)(b)))
#define SIMD_AND_NOT(a, b) ((simd)((simd_mask)(a) & ~(simd_mask)(b)))
#define SIMD_OR(a, b)      ((simd)((simd_mask)(a) | (simd_mask)(b)))
#endif

/* Each lane, but 0 where the mask says no; 0 where it says yes; or a NaN where it says yes. */
SIMD_INLINE simd simd_only(simd_mask mask, simd a)
{
    return SIMD_AND(a, mask);
}

SIMD_INLINE simd simd_except(simd_mask mask, simd a)
{
    return SIMD_AND_NOT(a, mask);
}

SIMD_INLINE simd simd_spoil(simd_mask mask, simd a)
{
    return SIMD_OR(a, mask);
}

/* In each lane at least one of the two is 0: the other one. */
SIMD_INLINE simd simd_either(simd a, simd b)
{
    return SIMD_OR(a, b);
}

#endif
