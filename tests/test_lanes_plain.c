/* The tests of test_lanes.c for lanes in plain C, as processors get them that lanes.h does not
 * know. */
#define LANES_PLAIN
#include "test_lanes.c"
