/*
 * The text module reading from memory; see fed_text.h.
 */
#include "fed_text.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

static struct feed left;         /* what has not been read yet */
static int was_just_interrupted; /* the last read failed with EINTR */

void fed_text_feed(const struct feed *feed)
{
    left = *feed;
    was_just_interrupted = 0;
}

static ssize_t fed_read(int descriptor, void *buffer, size_t size)
{
    (void)descriptor;
    was_just_interrupted = left.is_interrupted && !was_just_interrupted;
    if (was_just_interrupted || (left.size == 0 && left.breaks)) {
        errno = was_just_interrupted ? EINTR : EIO;
        return -1;
    }
    size_t length = left.size < size ? left.size : size;
    if (left.most > 0 && length > left.most)
        length = left.most;
    if (length > 0)
        memcpy(buffer, left.bytes, length);
    left.bytes = (const char *)left.bytes + length;
    left.size -= length;
    return (ssize_t)length;
}

#define read fed_read
#include "io/text.c"
