/*
 * Which lanes this processor can use; see lanes.h.
 */
#include "lanes.h"

#include "base/simd.h"

const struct lanes *lanes_choose(unsigned most)
{
#ifdef SIMD_HAS_FOUR
    if (most >= 4 && __builtin_cpu_supports("avx2"))
        return &lanes_four;
#endif
    (void)most;
    return &lanes_two;
}
