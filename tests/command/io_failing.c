/* The modules that read and write, with calls that fail on demand, linked into the program in place
 * of the real ones. From the environment:
 *
 *   PARTICLES_FAIL_CALL, PARTICLES_FAIL_AT   call number so many (from 1) of this function fails,
 *   PARTICLES_FAIL_ERRNO                     with this errno
 *   PARTICLES_READ_MAX                      a read takes at most so many bytes
 *   PARTICLES_READ_END                       the input ends after so many bytes, as if it had been
 *                                            cut short meanwhile
 *   PARTICLES_SIGNAL                         comes when standard output has been written */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number from the environment. */
static long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* Whether this call of a function is to fail, with errno set then. */
static int fails(const char *function)
{
    static long calls;
    const char *failing = getenv("PARTICLES_FAIL_CALL");
    if (!failing || strcmp(failing, function) != 0 || ++calls != number("PARTICLES_FAIL_AT", 1))
        return 0;
    errno = (int)number("PARTICLES_FAIL_ERRNO", EIO);
    return 1;
}

static ssize_t failing_read(int descriptor, void *buffer, size_t size)
{
    static long taken;
    long most = number("PARTICLES_READ_MAX", (long)size);
    long end = number("PARTICLES_READ_END", -1);
    if (fails("read"))
        return -1;
    if (end >= 0 && most > end - taken)
        most = end - taken;
    ssize_t length = read(descriptor, buffer, (size_t)most < size ? (size_t)most : size);
    taken += length > 0 ? (long)length : 0;
    return length;
}

static int failing_fflush(FILE *stream)
{
    const int result = fails("fflush") ? EOF : fflush(stream);
    if (stream == stdout)
        raise((int)number("PARTICLES_SIGNAL", 0));
    return result;
}

/* The stream is closed in any case, as by the real one. */
static int failing_fclose(FILE *stream)
{
    int result = fclose(stream);
    return fails("fclose") ? EOF : result;
}

static FILE *failing_fopen(const char *path, const char *mode)
{
    return fails("fopen") ? NULL : fopen(path, mode);
}

static FILE *failing_fdopen(int descriptor, const char *mode)
{
    return fails("fdopen") ? NULL : fdopen(descriptor, mode);
}

static int failing_mkstemp(char *name)
{
    return fails("mkstemp") ? -1 : mkstemp(name);
}

static int failing_rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : rename(from, to);
}

#define read    failing_read
#define fflush  failing_fflush
#define fclose  failing_fclose
#define fopen   failing_fopen
#define fdopen  failing_fdopen
#define mkstemp failing_mkstemp
#define rename  failing_rename
#include "io/output_file.c"
#include "io/text.c"
