/* The tests of test_simd.c for lanes in plain C, as processors get them that simd.h does not
 * know. */
#define SIMD_PLAIN
#include "test_simd.c"
