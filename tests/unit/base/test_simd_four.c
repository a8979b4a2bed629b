/* The tests of test_simd.c for four lanes. */
#define SIMD_LANES 4
#include "test_simd.c"
