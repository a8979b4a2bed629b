/*
 * Hints for compilers that take them; they change nothing but speed.
 */
#ifndef PARTICLES_COMPILER_H
#define PARTICLES_COMPILER_H

#if defined(__GNUC__)
/* Asks the processor to fetch an address from memory before it is needed. */
#define COMPILER_PREFETCH(address) __builtin_prefetch(address)
/* A function to be built into each of its callers, where its arguments may be constants. */
#define COMPILER_INLINE static inline __attribute__((always_inline))
/* A function that is seldom called, and so is not built into its callers. */
#define COMPILER_APART __attribute__((noinline, cold))
/* The place of the lowest bit that is set in a number that is not 0. */
#define COMPILER_LOWEST_BIT(bits) ((unsigned)__builtin_ctz(bits))
#else
#define COMPILER_PREFETCH(address) ((void)(address))
#define COMPILER_INLINE            static inline
#define COMPILER_APART
static inline unsigned compiler_lowest_bit(unsigned bits)
{
    unsigned place = 0;
    for (; !(bits & 1); bits >>= 1)
        place++;
    return place;
}
#define COMPILER_LOWEST_BIT(bits) compiler_lowest_bit(bits)
#endif

#endif
