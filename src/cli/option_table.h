/* The table of options. An option is a row: its name, its value, a line of help, what it is for,
 * and how its value is read. From this command_line.c parses the command line and files of options,
 * sees which options need or exclude each other, and prints the help and the completions of shells.
 */
#ifndef PARTICLES_OPTION_TABLE_H
#define PARTICLES_OPTION_TABLE_H

#include "base/error.h"
#include "cli/options.h"

#include <stddef.h>

/* Ends the message about a command line that makes no sense. */
#define TRY_HELP "; try 'particles --help'"

/* Says in a message why an area fraction cannot be. */
#define OPTION_TOO_DENSE                                                                           \
    "is too large: the densest packing of disks covers 0.9069 of a plane, and less of a box"

/* The uses of an option. It needs all of those that are set; command_line.c has the messages. */
enum {
    FOR_RUN = 1 << 0,      /* a simulation, not --generate */
    FOR_REQUEST = 1 << 1,  /* --generate */
    FOR_SYSTEM = 1 << 2,   /* a run from its start: a checkpoint has it, so --resume does not */
    FOR_WHOLE = 1 << 3,    /* a run from its start, which it repeats */
    FOR_LAW = 1 << 4,      /* a run from event to event, whose collisions it describes */
    FOR_EVENTS = 1 << 5,   /* a run from event to event, whose collisions it needs */
    FOR_SEAMS = 1 << 6,    /* a run from event to event, whose seams give new velocities */
    FOR_ELASTIC = 1 << 7,  /* --rule=elastic */
    FOR_LOSS = 1 << 8,     /* --rule=elastic with a restitution below 1 */
    FOR_STREAM = 1 << 9,   /* --stream */
    FOR_CHANCE = 1 << 10,  /* --generate, --stream, a wall with a temperature, or --step */
    FOR_STEPS = 1 << 11,   /* --step */
    FOR_WALLS = 1 << 12,   /* a run from event to event, whose walls act */
    FOR_RETURN = 1 << 13,  /* a run without chance, which can go back */
    FOR_FORCES = 1 << 14,  /* a run that knows the forces on polygons: not one in steps */
    FOR_MOTION = 1 << 15,  /* a run whose particles move by themselves: not one on a lattice */
    FOR_LATTICE = 1 << 16, /* --lattice */
    FOR_FALL = 1 << 17,    /* a run from event to event without a stream, under gravity */
    FOR_GROWTH = 1 << 18,  /* --rule=elastic, which can part disks that grow */
    FOR_FIXED = 1 << 19,   /* a run whose disks do not grow */
    FOR_SPIN = 1 << 20     /* --rule=elastic, without new velocities of chance: disks turn */
};

/* The files of data/embedded of the same names, which stand around the options in the help. */
extern const char help_begin[], help_end[];

/* Where the value of an option goes, and the message if it cannot be. */
struct option_reading {
    const struct option_row *row;
    struct options *options;
    struct error *error;
};

struct option_row {
    const char *name;
    const char *value; /* as the help calls it, "FILE"; "[FILE]" if it may be left out; or NULL */
    const char *help;  /* a line about the option; NULL: for tests, and not in the help */
    unsigned uses;     /* FOR_ */
    /* Unless NULL, one of the options in these texts, as "--stats and --report=FILE", must be
     * given. `needs` is for options that ask for something, `only_for` for those that say how. */
    const char *needs, *only_for;
    const char *heading; /* in the help, before this option; or NULL */
    int letter;          /* a short name, or 0 */
    /* Reads the value, NULL for none. Returns STATUS_DONE, or STATUS_USAGE with a message. */
    enum status (*read)(const struct option_reading *to, const char *text);
    /* For `read`: */
    size_t offset;         /* of the member of struct options that gets the value */
    double least, most;    /* the range of a number */
    const char *too_large; /* says why a larger number cannot be; NULL: "is too large" */
    const char *noun;      /* of a word, in messages */
    const char *words;     /* that the value may be, with blanks between; the first of them is */
    unsigned first_word;   /* this number */
};

/* All options, in the order of the help and of the manual page. */
extern const struct option_row option_rows[];
extern const size_t option_row_count;

/* The format of files of options: the manual page, "FILES OF OPTIONS". */
enum { CONFIG_MAX_BYTES = 1 << 16 }; /* of a file */

struct config_option {
    const char *argument; /* as the command line would have it: "--name" or "--name=value" */
    size_t line;          /* where it stands, from 1 */
};

/* The options of a file, in their order, and those of the files before it. */
struct config {
    struct config *before; /* the file that was read before, or NULL; owned */
    const char *name;      /* of the file; not owned */
    size_t count;
    struct config_option options[CONFIG_MAX_BYTES / 2 + 1]; /* of two bytes each, or more */
    char arguments[4 * CONFIG_MAX_BYTES + 3]; /* their texts: 3 bytes a line more than the file */
    char text[CONFIG_MAX_BYTES + 1];          /* of the file, while it is read */
};

/* Reads and closes the file `name`, which has just been opened, or could not be: NULL. The name
 * must outlive what is read. Puts the options before `*config`, the caller's, who frees all with
 * config_free. Returns STATUS_DONE;
 * STATUS_NO_INPUT if the file cannot be read; STATUS_USAGE, with a message that begins with
 * "FILE:LINE: ", if it is no file of options; or STATUS_NO_MEMORY. */
enum status config_read(const char *name, FILE *stream, struct config **config,
                        struct error *error);

/* Puts "FILE:LINE: " before the message if `argument` is, as a pointer, of one of these files. */
void config_locate(const struct config *config, const char *argument, struct error *error);

/* Frees it, and those before it; NULL is allowed. */
void config_free(struct config *config);

#endif
