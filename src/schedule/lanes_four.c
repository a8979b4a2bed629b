/* The inner loops for four pairs at a time, where processors can have AVX2: see lanes.h. */
#define SIMD_LANES 4
#include "base/simd.h"

#ifdef SIMD_HAS_FOUR
#include "lanes_search.h"

const struct lanes lanes_four = {.count = SIMD_LANES, LANES_FUNCTIONS};
#endif
