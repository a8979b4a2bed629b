/* The directory in which a test runs (check.h): empty, its own, and removed when the test ends. */
#ifndef PARTICLES_TESTS_SCRATCH_H
#define PARTICLES_TESTS_SCRATCH_H

/* Makes a new directory and goes there; goes back, and removes it with all that is in it. */
void scratch_enter(void);
void scratch_leave(void);

/* Removes all that is in the directory. */
void scratch_empty(void);

/* Where the program was started. */
const char *scratch_origin(void);

/* How many files there are, links and hidden ones included. */
int scratch_count(void);

/* Makes a file with this content. */
void scratch_write(const char *name, const char *content);

/* Whether a file is there and has this content, of less than 1000 bytes. */
int scratch_has(const char *name, const char *content);

#endif
