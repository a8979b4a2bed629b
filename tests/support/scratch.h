/*
 * A directory of a test's own, which goes when the test ends.
 */
#ifndef PARTICLES_TESTS_SCRATCH_H
#define PARTICLES_TESTS_SCRATCH_H

/* Makes a new directory and goes there. */
void scratch_enter(void);

/* Goes back, and removes the directory with all that is in it. */
void scratch_leave(void);

/* How many files there are, links and hidden ones included. */
int scratch_count(void);

/* Makes a file with this content. */
void scratch_write(const char *name, const char *content);

/* Whether a file is there and has this content, of less than 1000 bytes. */
int scratch_has(const char *name, const char *content);

#endif
