/* All memory of the program: one module that checks products of sizes and forms the message, and
 * that the tests replace to make any allocation fail. */
#ifndef PARTICLES_MEMORY_H
#define PARTICLES_MEMORY_H

#include "base/error.h"

#include <stdint.h>

enum { MEMORY_TEXT_SIZE = 32 };

/* Room for `count` elements of `size` bytes each, uninitialised, for memory_free; also if that is
 * nothing. `what` says in the message what it was for ("the particles"). On failure, also where
 * count * size cannot be represented, returns NULL with the message set, for STATUS_NO_MEMORY. */
void *memory_allocate(size_t count, size_t size, const char *what, struct error *error);

/* memory_allocate for a block that begins on a line of the processor's cache (64 bytes), and gets
 * large pages, and the rest of the last one, where it has the size of half of one or more. */
void *memory_allocate_lines(size_t count, size_t size, const char *what, struct error *error);

/* memory_allocate_lines for a block of zeros. A very large one takes memory only where it is
 * written to, and begins anywhere. */
void *memory_allocate_zeros(size_t count, size_t size, const char *what, struct error *error);

/* Lets large pages hold a block of zeros, all of which is to be written to. */
void memory_use_large_pages(void *block, size_t bytes);

/* memory_allocate for a block that grows or shrinks. On failure the old block stays as it was. */
void *memory_resize(void *block, size_t count, size_t size, const char *what, struct error *error);

/* An array with room for more than `count` elements: memory_resize, if needed; `*capacity`, the
 * room there is, grows by an eighth. On failure there is no array any more, and no room. */
void *memory_extend(void *array, size_t count, size_t *capacity, size_t size, const char *what,
                    struct error *error);

/* Gives a block back; NULL is allowed. */
void memory_free(void *block);

/* An array with room for `count` elements, which grows where that is needed: then its contents are
 * lost. On failure it has none. */
static inline void *memory_reserve(void *array, size_t *room, size_t count, size_t size,
                                   const char *what, struct error *error)
{
    if (array && count <= *room)
        return array;
    memory_free(array);
    *room = count + count / 32 + 1;
    array = memory_allocate(*room, size, what, error);
    if (!array)
        *room = 0;
    return array;
}

/* The machine's physical memory in bytes, or infinity if it is not known, to ask before a very
 * large allocation: systems often promise more, and kill the process that uses it. */
double memory_physical(void);

/* Writes a number of bytes, such as "80.0 GB", into `text` and returns `text`. */
const char *memory_text(char text[MEMORY_TEXT_SIZE], double bytes);

#endif
