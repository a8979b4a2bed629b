/* Hints for gcc and clang; they change nothing but speed. */
#ifndef PARTICLES_COMPILER_H
#define PARTICLES_COMPILER_H

/* Asks the processor to fetch an address from memory before it is needed. */
#define COMPILER_PREFETCH(address) __builtin_prefetch(address)
/* Lets a thread that only waits leave its core's units to the other thread of that core. */
#if defined __x86_64__ || defined __i386__
#define COMPILER_PAUSE() __builtin_ia32_pause()
#else
#define COMPILER_PAUSE() ((void)0)
#endif
/* A function to be built into each of its callers, where its arguments may be constants. */
#define COMPILER_INLINE static inline __attribute__((always_inline))
/* A function that is seldom called, and so is not built into its callers. */
#define COMPILER_APART __attribute__((noinline, cold))
/* A function of each event without the check of its stack that -fstack-protector adds where there
 * are arrays: in a few of these the checks are most of what a distribution's flags cost. */
#ifdef __has_attribute
#if __has_attribute(no_stack_protector)
#define COMPILER_UNGUARDED __attribute__((no_stack_protector))
#endif
#endif
#ifndef COMPILER_UNGUARDED
#define COMPILER_UNGUARDED
#endif
/* COMPILER_INDEPENDENT: before a loop none of whose rounds reads what another one writes.
 * COMPILER_UNROLLED: before a loop of a few rounds, a constant number, to be written out: with -O2
 * a run of dense disks takes a tenth longer without that. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitizers leave loops as they are */
#define COMPILER_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define COMPILER_UNROLLED    _Pragma("clang loop unroll(full)")
#else
#define COMPILER_INDEPENDENT _Pragma("GCC ivdep")
#define COMPILER_UNROLLED    _Pragma("GCC unroll 8")
#endif
/* memcpy of a few bytes, which is never a call. With _FORTIFY_SOURCE, which some compilers set by
 * themselves, the C library's memcpy is one where the room is not known: a quarter of a run. */
#define COMPILER_COPY(to, from, size) __builtin_memcpy(to, from, size)
/* The position of the lowest bit, or of the highest, that is set in a number that is not 0. */
#define COMPILER_LOWEST_BIT(bits)  ((unsigned)__builtin_ctzll(bits))
#define COMPILER_HIGHEST_BIT(bits) (63 - __builtin_clzll(bits))

#endif
