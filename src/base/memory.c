/* Checked allocation; see memory.h. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise and its large pages, where there are any */
#endif

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64, LARGE_PAGE = 1 << 21, SPARSE_BLOCK = 1 << 24 };

void *memory_allocate(size_t count, size_t size, const char *what, struct error *error)
{
    return memory_resize(NULL, count, size, what, error);
}

static void set_out_of_memory(size_t count, size_t size, const char *what, struct error *error)
{
    char text[MEMORY_TEXT_SIZE];
    const double bytes = (double)count * (double)size;
    error_set(error, STATUS_NO_MEMORY, "out of memory: %s for %s", memory_text(text, bytes), what);
    if (bytes > memory_physical())
        error_append(error, ", and this machine has %s", memory_text(text, memory_physical()));
}

void *memory_resize(void *block, size_t count, size_t size, const char *what, struct error *error)
{
    size_t bytes = count * size;
    void *resized = NULL;
    if (size == 0 || count <= SIZE_MAX / size)
        resized = realloc(block, bytes > 0 ? bytes : 1);
    if (!resized)
        set_out_of_memory(count, size, what, error);
    return resized;
}

void *memory_extend(void *array, size_t count, size_t *capacity, size_t size, const char *what,
                    struct error *error)
{
    if (count < *capacity)
        return array;
    *capacity = count + count / 8 + 64;
    void *larger = memory_resize(array, *capacity, size, what, error);
    if (larger)
        return larger;
    memory_free(array);
    *capacity = 0;
    return NULL;
}

void *memory_allocate_lines(size_t count, size_t size, const char *what, struct error *error)
{
    void *block = NULL;
    const int is_large = count * size >= (size_t)LARGE_PAGE / 2;
    const size_t page = is_large ? (size_t)LARGE_PAGE : CACHE_LINE;
    const size_t bytes = count * size + (page - count * size % page) % page;
    if ((size > 0 && count > (SIZE_MAX - page) / size) || (double)bytes > memory_physical() ||
        posix_memalign(&block, page, bytes ? bytes : 1) != 0) {
        set_out_of_memory(count, size, what, error);
        return NULL;
    }
    memory_use_large_pages(block, bytes);
    return block;
}

void memory_use_large_pages(void *block, size_t bytes)
{
    const size_t before = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
    const size_t pages = bytes > before ? (bytes - before) / LARGE_PAGE : 0;
#ifdef MADV_HUGEPAGE
    if (pages > 0) /* it may fail: nothing depends on it */
        madvise((char *)block + before, pages * LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)pages;
#endif
}

void *memory_allocate_zeros(size_t count, size_t size, const char *what, struct error *error)
{
    const int is_sparse = size > 0 && count >= SPARSE_BLOCK / size && count <= SIZE_MAX / size;
    void *block = is_sparse ? calloc(count, size) : memory_allocate_lines(count, size, what, error);
    if (is_sparse && !block)
        set_out_of_memory(count, size, what, error);
    if (!is_sparse && block)
        memset(block, 0, count * size);
    return block;
}

void memory_free(void *block)
{
    free(block);
}

double memory_physical(void)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_size > 0)
        return (double)pages * (double)page_size;
#endif
    return (double)INFINITY;
}

const char *memory_text(char text[MEMORY_TEXT_SIZE], double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, MEMORY_TEXT_SIZE, "%.*f %s", unit > 0 ? 1 : 0, bytes, units[unit]);
    return text;
}
