/* The text module reading from memory; see fed_text.h. */
#include "fed_text.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The bytes still to be read: from standard input or, if there are no files, from any stream. */
static struct feed left;
static struct feed files[FED_TEXT_FILES]; /* from other streams: the last ones of these, */
static size_t file_count;                 /* so many, the first of which is being read */
static int was_just_interrupted;          /* the last read failed with EINTR */

void fed_text_feed(const struct feed *feed)
{
    left = *feed;
    file_count = 0;
    was_just_interrupted = 0;
}

void fed_text_feed_files(const struct feed *feeds, size_t count)
{
    file_count = count;
    memcpy(files + FED_TEXT_FILES - count, feeds, count * sizeof *feeds);
}

static ssize_t fed_read(int descriptor, void *buffer, size_t size)
{
    const int is_file = file_count > 0 && descriptor != STDIN_FILENO;
    struct feed *from = is_file ? &files[FED_TEXT_FILES - file_count] : &left;
    was_just_interrupted = from->is_interrupted && !was_just_interrupted;
    if (was_just_interrupted || (from->size == 0 && from->breaks)) {
        errno = was_just_interrupted ? EINTR : EIO;
        return -1;
    }
    size_t length = from->size < size ? from->size : size;
    if (from->most > 0 && length > from->most)
        length = from->most;
    if (length > 0)
        memcpy(buffer, from->bytes, length);
    from->bytes = (const char *)from->bytes + length;
    from->size -= length;
    file_count -= is_file && length == 0; /* it has ended */
    return (ssize_t)length;
}

#define read                              fed_read
#define lseek(descriptor, offset, whence) ((off_t)-1) /* it is no file */
#include "io/text.c"
