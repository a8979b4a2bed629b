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
#else
#define COMPILER_PREFETCH(address) ((void)(address))
#define COMPILER_INLINE            static inline
#endif

#endif
