/*
 * Two doubles side by side, as the vector registers of most processors hold them: each operation
 * does to either lane what it does to one double, to the last bit. With the registers of x86-64
 * where the compiler knows them, otherwise, or with SIMD_PLAIN, in plain C.
 *
 * A comparison yields in each lane a mask: all bits set for yes, none for no; and a NaN compares
 * as no. Masks combine and select without a branch.
 */
#ifndef PARTICLES_SIMD_H
#define PARTICLES_SIMD_H

#if defined(__SSE2__) && !defined(SIMD_PLAIN)

#include <emmintrin.h>

typedef __m128d simd;

static inline simd simd_both(double value)
{
    return _mm_set1_pd(value);
}

/* Two values from memory. */
static inline simd simd_load(const double *first, const double *second)
{
    return _mm_loadh_pd(_mm_load_sd(first), second);
}

/* Two values that stand beside each other in memory. */
static inline simd simd_load_pair(const double *pair)
{
    return _mm_loadu_pd(pair);
}

static inline void simd_store_pair(double *pair, simd a)
{
    _mm_storeu_pd(pair, a);
}

static inline double simd_first(simd a)
{
    return _mm_cvtsd_f64(a);
}

static inline double simd_second(simd a)
{
    return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a));
}

/* clang-format off */
static inline simd simd_add(simd a, simd b) { return _mm_add_pd(a, b); }
static inline simd simd_subtract(simd a, simd b) { return _mm_sub_pd(a, b); }
static inline simd simd_multiply(simd a, simd b) { return _mm_mul_pd(a, b); }
static inline simd simd_divide(simd a, simd b) { return _mm_div_pd(a, b); }
static inline simd simd_root(simd a) { return _mm_sqrt_pd(a); }
/* clang-format on */

/* a > b ? a : b, and a < b ? a : b */
static inline simd simd_larger(simd a, simd b)
{
    return _mm_max_pd(a, b);
}

static inline simd simd_smaller(simd a, simd b)
{
    return _mm_min_pd(a, b);
}

static inline simd simd_is_less(simd a, simd b)
{
    return _mm_cmplt_pd(a, b);
}

static inline simd simd_is_at_most(simd a, simd b)
{
    return _mm_cmple_pd(a, b);
}

static inline simd simd_is_equal(simd a, simd b)
{
    return _mm_cmpeq_pd(a, b);
}

static inline simd simd_or(simd mask, simd other)
{
    return _mm_or_pd(mask, other);
}

/* For each lane `yes` or `no`. */
static inline simd simd_select(simd mask, simd yes, simd no)
{
    return _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no));
}

/* Whether a mask says yes in any lane. */
static inline int simd_any(simd mask)
{
    return _mm_movemask_pd(mask) != 0;
}

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    double lane[2];
} simd;

static inline simd simd_both(double value)
{
    return (simd){{value, value}};
}

static inline simd simd_load(const double *first, const double *second)
{
    return (simd){{*first, *second}};
}

static inline simd simd_load_pair(const double *pair)
{
    return (simd){{pair[0], pair[1]}};
}

static inline void simd_store_pair(double *pair, simd a)
{
    pair[0] = a.lane[0];
    pair[1] = a.lane[1];
}

static inline double simd_first(simd a)
{
    return a.lane[0];
}

static inline double simd_second(simd a)
{
    return a.lane[1];
}

static inline double simd_mask(int yes)
{
    uint64_t bits = yes ? UINT64_MAX : 0;
    double mask;
    memcpy(&mask, &bits, sizeof mask);
    return mask;
}

static inline uint64_t simd_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What `formula`, of x and y, makes of each lane of a and b. */
#define SIMD_EACH(name, formula)                                                                   \
    static inline simd name(simd a, simd b)                                                        \
    {                                                                                              \
        simd result;                                                                               \
        for (int k = 0; k < 2; k++) {                                                              \
            double x = a.lane[k];                                                                  \
            double y = b.lane[k];                                                                  \
            result.lane[k] = formula;                                                              \
        }                                                                                          \
        return result;                                                                             \
    }

SIMD_EACH(simd_add, x + y)
SIMD_EACH(simd_subtract, x - y)
SIMD_EACH(simd_multiply, (x * y))
SIMD_EACH(simd_divide, x / y)
SIMD_EACH(simd_larger, x > y ? x : y)
SIMD_EACH(simd_smaller, x < y ? x : y)
SIMD_EACH(simd_is_less, simd_mask(x < y))
SIMD_EACH(simd_is_at_most, simd_mask(x <= y))
SIMD_EACH(simd_is_equal, simd_mask(x == y))
#undef SIMD_EACH

static inline simd simd_root(simd a)
{
    return (simd){{sqrt(a.lane[0]), sqrt(a.lane[1])}};
}

static inline simd simd_select(simd mask, simd yes, simd no)
{
    uint64_t bits[2];
    for (int k = 0; k < 2; k++) {
        uint64_t chosen = simd_bits(mask.lane[k]);
        bits[k] = (chosen & simd_bits(yes.lane[k])) | (~chosen & simd_bits(no.lane[k]));
    }
    simd result;
    memcpy(&result, bits, sizeof result);
    return result;
}

static inline simd simd_or(simd mask, simd other)
{
    return simd_select(mask, mask, other);
}

static inline int simd_any(simd mask)
{
    return (simd_bits(mask.lane[0]) | simd_bits(mask.lane[1])) != 0;
}

#endif

#endif
