/*
 * Files of options: what --config reads. Each line has one option as the command line has it, but
 * without the dashes; the manual page, "FILES OF OPTIONS", has the format.
 */
#ifndef PARTICLES_CONFIG_H
#define PARTICLES_CONFIG_H

#include "base/error.h"

#include <getopt.h>
#include <stddef.h>

enum { CONFIG_MOST_BYTES = 1 << 16 }; /* of a file */

/* An option of a file. */
struct config_option {
    const char *argument; /* as the command line would have it: "--name" or "--name=value" */
    size_t line;          /* where it stands, from 1 */
};

/* The options of a file, in their order, and those of the files before it. */
struct config {
    struct config *before; /* the file that was read before, or NULL; owned */
    const char *name;      /* of the file; not owned */
    size_t count;
    struct config_option *options; /* owned */
    char *arguments;               /* the texts of the options; owned */
};

/*
 * Reads the file `name`, which must outlive what is read, and puts its options before `*config`,
 * the caller's, who frees all with config_free. Memory is in proportion to CONFIG_MOST_BYTES, at
 * most. Returns STATUS_DONE; STATUS_NO_INPUT if the file cannot be read; STATUS_USAGE, with a
 * message that begins with "FILE:LINE: ", if it is no file of options; or STATUS_NO_MEMORY.
 */
enum status config_read(const char *name, struct config **config, struct error *error);

/* The same for the `size` bytes of `text` instead of those of a file. */
enum status config_parse(const char *name, const char *text, size_t size, struct config **config,
                         struct error *error);

/*
 * Finds what an option of a file means among those of `list`, as getopt_long takes it. A name may
 * be shortened, as on the command line. Returns STATUS_DONE with the option's `*code` and its
 * `*value`, or NULL if it has none; otherwise STATUS_USAGE.
 */
enum status config_match(const struct config_option *option, const struct option *list, int *code,
                         const char **value, struct error *error);

/*
 * Puts "FILE:LINE: " before the message if `argument` is that of an option that was read from one
 * of these files: the very pointer, not another one to the same text.
 */
void config_locate(const struct config *config, const char *argument, struct error *error);

/* Frees it, and those before it; NULL is allowed. */
void config_free(struct config *config);

#endif
