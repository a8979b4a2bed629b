/*
 * Hints for compilers that take them; they change nothing but speed.
 */
#ifndef PARTICLES_HINT_H
#define PARTICLES_HINT_H

#if defined(__GNUC__)
/* Asks the processor to fetch an address from memory before it is needed. */
#define HINT_FETCH(address) __builtin_prefetch(address)
/* A function to be built into each of its callers, where its arguments may be constants. */
#define HINT_INLINE static inline __attribute__((always_inline))
#else
#define HINT_FETCH(address) ((void)(address))
#define HINT_INLINE         static inline
#endif

#endif
