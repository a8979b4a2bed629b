/*
 * Checked allocation; see memory.h.
 */
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *memory_allocate(size_t count, size_t size, const char *what, struct error *error)
{
    return memory_resize(NULL, count, size, what, error);
}

void *memory_resize(void *block, size_t count, size_t size, const char *what, struct error *error)
{
    size_t bytes = count * size;
    void *resized = NULL;
    if (size == 0 || count <= SIZE_MAX / size)
        resized = realloc(block, bytes > 0 ? bytes : 1);
    if (!resized) {
        char text[MEMORY_TEXT_SIZE];
        error_set(error, STATUS_NO_MEMORY, "out of memory: %s need %s", what,
                  memory_text(text, (double)count * (double)size));
    }
    return resized;
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
