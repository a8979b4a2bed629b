/* The text module reading from memory: linked in place of the real one, so that the reader of input
 * files takes bytes that no file has, cut into reads of any size, millions of times a minute. */
#ifndef PARTICLES_TESTS_FED_TEXT_H
#define PARTICLES_TESTS_FED_TEXT_H

#include <stddef.h>

/* How the next reads deliver what there is to read. */
struct feed {
    const void *bytes;
    size_t size;
    size_t most;        /* so many bytes at a time; 0: as many as are asked for */
    int is_interrupted; /* before each read, one fails with EINTR */
    int breaks;         /* in the end reads fail with EIO, instead of reporting the end */
};

/* Has all reads of the text module, from whatever stream, deliver this from now on. */
void fed_text_feed(const struct feed *feed);

/* After that: has those from other streams than standard input deliver `count` files instead, at
 * most FED_TEXT_FILES, one after another. Files must have names of files that exist: /dev/null. */
void fed_text_feed_files(const struct feed *files, size_t count);
enum { FED_TEXT_FILES = 2 };

#endif
