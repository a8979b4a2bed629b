/*
 * Two doubles side by side, as the vector registers of most processors hold them: each operation
 * does to either lane what it does to one double, to the last bit. With the registers of x86-64
 * where the compiler knows them, otherwise, or with LANES_PLAIN, in plain C.
 *
 * A comparison yields in each lane a mask: all bits set for yes, none for no; and a NaN compares
 * as no. Masks combine and select without a branch.
 */
#ifndef PARTICLES_LANES_H
#define PARTICLES_LANES_H

#if defined(__SSE2__) && !defined(LANES_PLAIN)

#include <emmintrin.h>

typedef __m128d lanes;

static inline lanes lanes_both(double value)
{
    return _mm_set1_pd(value);
}

/* Two values from memory. */
static inline lanes lanes_load(const double *first, const double *second)
{
    return _mm_loadh_pd(_mm_load_sd(first), second);
}

static inline double lanes_first(lanes a)
{
    return _mm_cvtsd_f64(a);
}

static inline double lanes_second(lanes a)
{
    return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a));
}

/* clang-format off */
static inline lanes lanes_add(lanes a, lanes b) { return _mm_add_pd(a, b); }
static inline lanes lanes_subtract(lanes a, lanes b) { return _mm_sub_pd(a, b); }
static inline lanes lanes_multiply(lanes a, lanes b) { return _mm_mul_pd(a, b); }
static inline lanes lanes_divide(lanes a, lanes b) { return _mm_div_pd(a, b); }
static inline lanes lanes_root(lanes a) { return _mm_sqrt_pd(a); }
/* clang-format on */

/* a > b ? a : b, and a < b ? a : b */
static inline lanes lanes_larger(lanes a, lanes b)
{
    return _mm_max_pd(a, b);
}

static inline lanes lanes_smaller(lanes a, lanes b)
{
    return _mm_min_pd(a, b);
}

static inline lanes lanes_is_less(lanes a, lanes b)
{
    return _mm_cmplt_pd(a, b);
}

static inline lanes lanes_is_at_most(lanes a, lanes b)
{
    return _mm_cmple_pd(a, b);
}

static inline lanes lanes_is_equal(lanes a, lanes b)
{
    return _mm_cmpeq_pd(a, b);
}

static inline lanes lanes_or(lanes mask, lanes other)
{
    return _mm_or_pd(mask, other);
}

/* For each lane `yes` or `no`. */
static inline lanes lanes_select(lanes mask, lanes yes, lanes no)
{
    return _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no));
}

/* Whether a mask says yes in any lane. */
static inline int lanes_any(lanes mask)
{
    return _mm_movemask_pd(mask) != 0;
}

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    double lane[2];
} lanes;

static inline lanes lanes_both(double value)
{
    return (lanes){{value, value}};
}

static inline lanes lanes_load(const double *first, const double *second)
{
    return (lanes){{*first, *second}};
}

static inline double lanes_first(lanes a)
{
    return a.lane[0];
}

static inline double lanes_second(lanes a)
{
    return a.lane[1];
}

static inline double lanes_mask(int yes)
{
    uint64_t bits = yes ? UINT64_MAX : 0;
    double mask;
    memcpy(&mask, &bits, sizeof mask);
    return mask;
}

static inline uint64_t lanes_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What `formula`, of x and y, makes of each lane of a and b. */
#define LANES_EACH(name, formula)                                                                  \
    static inline lanes name(lanes a, lanes b)                                                     \
    {                                                                                              \
        lanes result;                                                                              \
        for (int k = 0; k < 2; k++) {                                                              \
            double x = a.lane[k];                                                                  \
            double y = b.lane[k];                                                                  \
            result.lane[k] = formula;                                                              \
        }                                                                                          \
        return result;                                                                             \
    }

LANES_EACH(lanes_add, x + y)
LANES_EACH(lanes_subtract, x - y)
LANES_EACH(lanes_multiply, (x * y))
LANES_EACH(lanes_divide, x / y)
LANES_EACH(lanes_larger, x > y ? x : y)
LANES_EACH(lanes_smaller, x < y ? x : y)
LANES_EACH(lanes_is_less, lanes_mask(x < y))
LANES_EACH(lanes_is_at_most, lanes_mask(x <= y))
LANES_EACH(lanes_is_equal, lanes_mask(x == y))
#undef LANES_EACH

static inline lanes lanes_root(lanes a)
{
    return (lanes){{sqrt(a.lane[0]), sqrt(a.lane[1])}};
}

static inline lanes lanes_select(lanes mask, lanes yes, lanes no)
{
    uint64_t bits[2];
    for (int k = 0; k < 2; k++) {
        uint64_t chosen = lanes_bits(mask.lane[k]);
        bits[k] = (chosen & lanes_bits(yes.lane[k])) | (~chosen & lanes_bits(no.lane[k]));
    }
    lanes result;
    memcpy(&result, bits, sizeof result);
    return result;
}

static inline lanes lanes_or(lanes mask, lanes other)
{
    return lanes_select(mask, mask, other);
}

static inline int lanes_any(lanes mask)
{
    return (lanes_bits(mask.lane[0]) | lanes_bits(mask.lane[1])) != 0;
}

#endif

#endif
