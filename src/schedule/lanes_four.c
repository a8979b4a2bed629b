/* The inner loops for four pairs at a time, where processors can have AVX2: see lanes.h. */
#define SIMD_LANES 4
#include "base/simd.h"

#ifdef SIMD_HAS_FOUR
#include "lanes.c"
#endif
