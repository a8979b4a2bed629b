/* Text in and text out: strict reading of numbers, cutting a file into words and lines, and writing
 * that notices when the disk is full. */
#ifndef PARTICLES_TEXT_H
#define PARTICLES_TEXT_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* Reads all of `text` as a finite number in the notation of C (decimal or hexadecimal), rounded to
 * the nearest double. Returns NULL, or what is wrong in words that complete "'12a' ...": "is not a
 * number". `*value` is set only on success. The locale must be "C", as without setlocale. */
const char *text_number(const char *text, double *value);

/* text_number for a number from `min` to `max`; `*value` is also set to one out of this range. */
const char *text_number_within(const char *text, double min, double max, double *value);

/* The Levenshtein distance of the first `length` bytes of a word and a name, of up to 63 bytes. */
size_t text_distance(const char *word, size_t length, const char *name);

/* Reads a whole number as text_number does: digits only, from 0 to 2^64 - 1. */
const char *text_whole_number(const char *text, uint64_t *value);

enum {
    TEXT_WORD_SIZE = 1024,    /* the longest word is one byte shorter */
    TEXT_SHOWN_SIZE = 46,     /* of a word in a message */
    TEXT_BLOCK_SIZE = 1 << 20 /* of each thread that shares its lines */
};

/* Cuts a file into words, as input files have them: white space separates words, '#' starts a
 * comment that ends with its line. `line` is the line (from 1) of the word that was returned last.
 * It reads whole blocks from the descriptor, so that nothing else may read from that. */
struct thread_pool;

struct text_reader {
    int descriptor;
    int is_owned;     /* the descriptor, which is to be closed */
    const char *text; /* not owned, in place of a file; or NULL */
    size_t text_left; /* how many bytes of it are not yet read */
    size_t line;
    size_t used_line;         /* the last line on which a word or a comment was met, */
    size_t blank_line;        /* and the last one that was passed without either; 0: none yet */
    int failure;              /* errno of a read error, or 0 */
    int is_ended;             /* the system has reported the end of the file, or a read error */
    int is_new_block;         /* set with each block, for the caller to clear */
    size_t next;              /* the first byte of the block that is not yet used, */
    size_t end;               /* and the end of those in it */
    size_t lines_end;         /* after the last line end in the block; 0: there is none */
    size_t block_size;        /* how many bytes to read at a time; smaller ones are for tests */
    struct thread_pool *pool; /* that shares the reading; not owned; NULL: one thread does it */
    unsigned char *block;     /* `first_block`, or a larger one, owned */
    char word[TEXT_WORD_SIZE];
    unsigned char first_block[TEXT_BLOCK_SIZE];
};

/* Refuses to read a file to which standard output goes, STATUS_USAGE: that has emptied it, or would
 * append to it. Returns STATUS_DONE for any other, and for what is no file. */
enum status text_check_apart(int descriptor, const char *name, struct error *error);

/* Opens a file, or standard input if `path` is NULL; `use` says in a message what the memory was
 * for. Returns STATUS_DONE with `*reader` to be closed; STATUS_NO_INPUT; STATUS_NO_MEMORY; or what
 * text_check_apart returns. */
enum status text_reader_open(struct text_reader **reader, const char *path, const char *use,
                             struct error *error);

/* text_reader_open for `size` bytes in memory, which must outlive the reader. */
enum status text_reader_open_text(struct text_reader **reader, const char *text, size_t size,
                                  const char *use, struct error *error);

/* Lets the threads of a pool read, each as much as a block had before; NULL: from now on one thread
 * does. The pool must outlive that. Without memory for it the reader stays as it is. */
void text_reader_share(struct text_reader *reader, struct thread_pool *pool);

/* How many bytes it has still to read, as far as is known: of a regular file or a text; else 0. */
size_t text_reader_left(const struct text_reader *reader);

/* Closes it. Returns STATUS_NO_INPUT, with a message, if there was a read error; or `status`. */
enum status text_reader_close(struct text_reader *reader, enum status status, const char *name,
                              struct error *error);

/* The result of text_next. */
enum text_piece {
    TEXT_WORD,          /* a word, which now stands in reader->word */
    TEXT_TOO_LONG_WORD, /* the beginning of a word that does not fit; the remainder comes next */
    TEXT_LINE_END,      /* the end of a line; it counts with the next call */
    TEXT_END,           /* the end of the file */
    TEXT_UNREADABLE     /* a read error; reader->failure says which */
};

/* The next word, or, where `stop_at_line_end` is not 0, the next word or line end. A byte 0
 * reads as '?', which spoils the word, even in a comment, and ends the file, for what has it may
 * have no end. A byte order mark at the beginning is skipped. */
enum text_piece text_next(struct text_reader *reader, int stop_at_line_end);

/* After TEXT_LINE_END, the whole lines that follow it in the block, for a caller that can read many
 * at once: they begin at `*begin`, and each has its line end. Returns what follows them, or NULL if
 * there are none. They stay as they are until the next call of text_next. */
const char *text_lines(const struct text_reader *reader, const char **begin);

/* Takes `count` of these lines, all with words, up to `end` but for the line end before it. */
void text_take_lines(struct text_reader *reader, const char *end, size_t count);

/* The beginning of the last word, quoted for a message, with '?' for what cannot be seen. */
void text_show(const struct text_reader *reader, char shown[TEXT_SHOWN_SIZE]);

/* Sets a message about a fault in a file, "FILE:LINE: ...", and returns STATUS_BAD_DATA. */
enum status text_refuse(struct error *error, const char *file, size_t line, const char *format, ...)
    ERROR_PRINTF_LIKE(4, 5);

/* Makes sure that everything written to `stream` so far has reached the system. Returns
 * STATUS_DONE, or STATUS_CANNOT_WRITE with a message that names the output by `name` and says why
 * the last write failed: call it at once when a write fails. The stream stays open. */
enum status text_flush(FILE *stream, const char *name, struct error *error);

/* text_flush, and closes the stream in any case: some systems report a full disk only then. */
enum status text_close(FILE *stream, const char *name, struct error *error);

/* Takes the next word of a text such as "gravity g=-9.81", the value of an option, and moves
 * `*rest` on; NULL: there is none. Blanks in double quotes, which are left out, belong to it. The
 * text is changed. */
char *text_take_word(char **rest);

enum { TEXT_ITEM_SIZE = 400 };

/* Copies the first item of a list with commas, or "" if too long. Returns the remainder or NULL. */
const char *text_list_item(const char *list, char item[TEXT_ITEM_SIZE]);

/* A key of a setting "NAME KEY=VALUE...", and the range of its value. */
struct text_parameter {
    const char *key;      /* NULL ends the list */
    double default_value; /* of a number that is not given; NAN: it must be given */
    double min, max;      /* of a number; NAN: it is a text, optional if default_value is 0 */
};

enum { MAX_PARAMETERS = 12, SETTING_SIZE = 5000 };

/* The values of the parameters of a setting, in the order of its keys. */
struct text_arguments {
    double numbers[MAX_PARAMETERS];
    const char *texts[MAX_PARAMETERS]; /* as given; NULL: not given */
    char *rest, copy[SETTING_SIZE];    /* what is to be read; the text, which others point into */
};

/* Copies the text of a setting; the caller then takes the name off it: see text_take_word. Returns
 * STATUS_DONE, or STATUS_USAGE with a message about the `option`. */
enum status arguments_begin(struct text_arguments *arguments, const char *text, const char *option,
                            struct error *error);

/* Reads what is left; messages call the setting `name`. Returns STATUS_DONE, or STATUS_USAGE with a
 * message that lists the valid keys. */
enum status arguments_read(struct text_arguments *arguments,
                           const struct text_parameter *parameters, const char *name,
                           struct error *error);

/* Writes a text as one word of a shell, in single quotes if it needs them. `put`: as fputc. */
void text_quote(const char *text, int (*put)(int character, FILE *stream), FILE *stream);

/* Write a character, as fputc does, or a text as text of XML; control characters become blanks. */
int text_put_escaped(int character, FILE *stream);
void text_write_escaped(const char *text, FILE *stream);

#endif
