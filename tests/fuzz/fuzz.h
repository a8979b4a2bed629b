/* What fuzz targets have in common. Every tests/fuzz/fuzz_NAME.c is one: a function that takes any
 * bytes and ends the process if the program does what it must not. libFuzzer calls it with bytes
 * that it makes up (make fuzz), and tests/fuzz/replay.c with those of the files in tests/fuzz/NAME
 * (make test). */
#ifndef PARTICLES_TESTS_FUZZ_H
#define PARTICLES_TESTS_FUZZ_H

#include "owned.h"

#include <stdint.h>

/* The target; the name is libFuzzer's. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A target's own way to change an input of `size` bytes, to up to `room`; returns the new size. It
 * has libFuzzer's: LLVMFuzzerMutate, which replay.c has for those that only play inputs again. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* Ends the process, saying what is wrong, unless `holds`. */
static inline void fuzz_expect(int holds, const char *otherwise)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", otherwise);
        abort();
    }
}

/* Bytes being used up, one after another; after the last one there are zeros. */
struct fuzz_bytes {
    const uint8_t *next;
    size_t left;
};

static inline unsigned fuzz_byte(struct fuzz_bytes *bytes)
{
    if (bytes->left == 0)
        return 0;
    bytes->left--;
    return *bytes->next++;
}

#endif
