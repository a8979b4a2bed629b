/*
 * Records: text files of words and numbers by which one run hands its state to another. A record
 * tells by itself whether it is whole: the first line says what it is, and the last one has the
 * CRC-64 of all before it. The manual page, "CHECKPOINT FILE", has the format.
 *
 * The reader trusts nothing. It takes no item before it has checked that the file is whole; and
 * since a CRC can be forged, it refuses a count of items that the file has no room for.
 */
#ifndef PARTICLES_RECORD_H
#define PARTICLES_RECORD_H

#include "base/error.h"
#include "io/crc64.h"

#include <stdint.h>
#include <stdio.h>

/* The first line, with its end, and how the two last ones begin. */
#define RECORD_TITLE    "particles checkpoint "
#define RECORD_VERSION  "4"
#define RECORD_FIRST    RECORD_TITLE RECORD_VERSION "\n"
#define RECORD_END      "end\n"
#define RECORD_CHECKSUM "crc-64/xz "

enum { RECORD_BLOCK_SIZE = 1 << 16 };

/* A record that is being written; large. Errors stay with the stream: see text_flush. */
struct record_writer {
    FILE *stream; /* not owned */
    int is_in_line;
    size_t used; /* bytes that wait in `block` */
    struct crc64 crc64;
    char block[RECORD_BLOCK_SIZE];
};

/* Begins a record that goes to `stream`. */
void record_begin(struct record_writer *writer, FILE *stream);

/* Put an item into the line: a word; a whole number; a finite number, exactly; or bytes. */
void record_put_word(struct record_writer *writer, const char *word);
void record_put_whole(struct record_writer *writer, uint64_t value);
void record_put_number(struct record_writer *writer, double value);
void record_put_bytes(struct record_writer *writer, const void *bytes, size_t count);

/* Ends the line. */
void record_end_line(struct record_writer *writer);

/* Ends the record, and hands all of it to the stream. */
void record_finish(struct record_writer *writer);

/*
 * A record being read. The first thing that is not what was expected there sets `status`, and the
 * message; from then on all items are zero, so that a caller may ask for the status only now and
 * then: before it uses an item, and in loops that take long.
 */
struct record_reader {
    const char *name; /* of the file, for messages; not owned */
    struct error *error;
    enum status status;
    char *text; /* the record but for its last line; owned */
    size_t size;
    size_t next;     /* the first byte not yet taken */
    size_t line;     /* of the item taken last, from 1 */
    int is_line_end; /* the item taken last ended its line */
};

/*
 * Reads the file `name`, which must outlive the reader, as must `error`. It takes as much memory as
 * the file has bytes. Returns STATUS_DONE; STATUS_NO_INPUT if it cannot be read; STATUS_BAD_DATA
 * with what is wrong if it is no record, or not whole; or STATUS_NO_MEMORY. In any case
 * record_close frees the reader, which may also be {0}.
 */
enum status record_open(struct record_reader *reader, const char *name, struct error *error);
void record_close(struct record_reader *reader);

/* Takes a word, which has to be this one. */
void record_expect(struct record_reader *reader, const char *word);

/* Takes any word, and copies it; "" if it does not fit. */
void record_take_word(struct record_reader *reader, char *word, size_t size);

/* Takes a whole number, from 0 to `most`. */
uint64_t record_take_whole(struct record_reader *reader, uint64_t most);

/* Takes a number from `least` to `most`; any finite one is from -DBL_MAX to DBL_MAX. */
double record_take_number(struct record_reader *reader, double least, double most);

/* Takes how many things of `items` items each follow: not more than the rest of the file holds. */
size_t record_take_count(struct record_reader *reader, size_t most, size_t items);

/* Takes `count` bytes; 0 where there are others. */
void record_take_bytes(struct record_reader *reader, void *bytes, size_t count);

/* The item taken last must have ended its line. */
void record_expect_line_end(struct record_reader *reader);

/* After the last line: nothing else must follow. Returns the status. */
enum status record_expect_end(struct record_reader *reader);

/* Fails, unless it has failed, with a fault in the line of the item taken last. */
enum status record_refuse(struct record_reader *reader, const char *problem);

#endif
