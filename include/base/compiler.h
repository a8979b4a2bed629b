/* Hints for gcc and clang; they change nothing but speed. */
#ifndef PARTICLES_COMPILER_H
#define PARTICLES_COMPILER_H

/* Asks the processor to fetch an address from memory before it is needed. */
#define COMPILER_PREFETCH(address) __builtin_prefetch(address)
/* A function to be built into each of its callers, where its arguments may be constants. */
#define COMPILER_INLINE static inline __attribute__((always_inline))
/* A function that is seldom called, and so is not built into its callers. */
#define COMPILER_APART __attribute__((noinline, cold))
/* Before a loop none of whose rounds reads what another one writes. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitizers leave loops as they are */
#define COMPILER_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define COMPILER_INDEPENDENT _Pragma("GCC ivdep")
#endif
/* The position of the lowest bit, or of the highest, that is set in a number that is not 0. */
#define COMPILER_LOWEST_BIT(bits)  ((unsigned)__builtin_ctzll(bits))
#define COMPILER_HIGHEST_BIT(bits) (63 - __builtin_clzll(bits))

#endif
