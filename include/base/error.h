/* How anything in this program fails: a function that can fail returns a status, and where that is
 * not STATUS_DONE it has left one message in the caller's struct error. Nothing below the folder
 * cli prints it, and nothing but main ends the process. */
#ifndef PARTICLES_ERROR_H
#define PARTICLES_ERROR_H

#include <stddef.h>

/* The exit statuses of the command, with the numbers of BSD's sysexits.h. */
enum status {
    STATUS_DONE = 0,
    STATUS_UNSTABLE = 1,      /* all is done, and the answer is not determined by INPUT */
    STATUS_USAGE = 64,        /* the command line is wrong */
    STATUS_BAD_DATA = 65,     /* INPUT was read, and cannot be simulated */
    STATUS_NO_INPUT = 66,     /* INPUT cannot be opened or read */
    STATUS_NO_MEMORY = 71,    /* not enough memory */
    STATUS_CANNOT_WRITE = 74, /* output could not be written to the end */
    STATUS_INTERRUPTED = 130  /* a signal has ended the run; the process ends by that signal */
};

enum { ERROR_MESSAGE_SIZE = 6000 }; /* holds a path of the longest kind and a sentence or two */

/* One message, without the program's name and without a line end. */
struct error {
    char message[ERROR_MESSAGE_SIZE];
};

/* Lets compilers compare a format with its arguments. */
#define ERROR_PRINTF_LIKE(string, values) __attribute__((__format__(__printf__, string, values)))

/* Replaces the message by the formatted one, cut off at ERROR_MESSAGE_SIZE - 1 bytes, and returns
 * `status`, so that a caller can fail in one line. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    ERROR_PRINTF_LIKE(3, 4);

/* Appends the formatted text to the message, as far as there is room. */
void error_append(struct error *error, const char *format, ...) ERROR_PRINTF_LIKE(2, 3);

/* Unless `status` is STATUS_DONE, puts "FILE:LINE: " before the message, where the fault is in a
 * file; with line 0, "FILE: ". Returns `status`. */
enum status error_locate(struct error *error, enum status status, const char *file, size_t line);

/* A number in the fewest digits, up to 17, that read back as it, for a message: the text lives as
 * long as the expression in which the call stands. */
struct error_number {
    char text[32];
};
struct error_number show_exactly(double number);

/* Writes "particles: MESSAGE" and a line end to standard error. ASCII control characters appear as
 * '?', so it is one line on any terminal. */
void error_print(const struct error *error);

#endif
