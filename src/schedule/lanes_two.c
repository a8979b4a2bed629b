/* The inner loops for two pairs at a time: see lanes.h. */
#include "lanes_search.h"

const struct lanes lanes_two = {.count = SIMD_LANES, LANES_FUNCTIONS};
