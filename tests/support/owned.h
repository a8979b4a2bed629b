/* Local variables that free what they own where their block ends, whichever way it is left; and
 * where messages of failures go that no function passes on. */
#ifndef PARTICLES_TESTS_OWNED_H
#define PARTICLES_TESTS_OWNED_H

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Declares `struct type name`, whose block ends with type_free(&name): OWNED(system, gas) = ...; */
#define OWNED(type, name) struct type name __attribute__((cleanup(type##_free)))

/* The message of what failed last, of the calls in this file that are given it. */
static struct error failure __attribute__((unused));

/* Ends the program with that message unless a call was done that has been given it. */
static inline void must(enum status status)
{
    if (status) {
        fprintf(stderr, "%s\n", failure.message);
        exit(EXIT_FAILURE);
    }
}

/* For qsort: an order of doubles, none of which is a NAN. */
static inline int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How many elements an array has. */
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Declares `char *name`, whose block ends with memory_free(name): OWNED_TEXT(page) = ...; */
#define OWNED_TEXT(name) char *name __attribute__((cleanup(owned_text_free)))

static inline void owned_text_free(char **text)
{
    memory_free(*text);
}

#endif
