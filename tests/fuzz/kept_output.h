/* Output files that are kept in memory: linked in place of the real output_file.c, so that the
 * whole program can run millions of times without touching a disk. */
#ifndef PARTICLES_TESTS_KEPT_OUTPUT_H
#define PARTICLES_TESTS_KEPT_OUTPUT_H

#include <stddef.h>

/* A file that has been completed. */
struct kept_output {
    const char *name;
    char *bytes; /* ended by a byte 0 that `size` does not count */
    size_t size;
};

enum { KEPT_OUTPUT_MAX = 8 };

/* The files that have been completed since the last kept_output_clear; `*count` of them. */
const struct kept_output *kept_output_files(size_t *count);

/* How many files are open: neither completed nor abandoned. */
size_t kept_output_open_count(void);

/* Forgets and frees all files. */
void kept_output_clear(void);

#endif
