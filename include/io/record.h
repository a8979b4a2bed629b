/*
 * Records: text files that carry the state of one run to another.
 *
 * A module describes its state in one function, which both writes and reads it:
 *
 *     void model_record(struct model *model, struct record *record)
 *     {
 *         record_whole(record, &model->count, MAX_COUNT);
 *         record_number(record, &model->energy, 0, DBL_MAX);
 *         record_end_line(record);
 *     }
 *
 * A record is being written or read (`is_reading`). Written, each call puts the value into the
 * file; read, it takes the value from there, and refuses what is out of bounds. The first failure
 * sets `status`, and the message; from then on every value that is read is 0. So the status need be
 * checked only before a value is relied on, and in long loops.
 *
 * The file consists of lines of items with a space between them: words; whole numbers, decimal;
 * other numbers, as the 16 hexadecimal digits of a double; and bytes, as ':' and two such digits
 * each. The first line says what it is, and the last one has the CRC-64 of all before it. The
 * reader takes no item before it has checked that CRC; and since a CRC can be forged, it refuses a
 * count of items that the file has no room for.
 */
#ifndef PARTICLES_RECORD_H
#define PARTICLES_RECORD_H

#include "base/elementary.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A cyclic redundancy check of 64 bits, which shows whether bytes have changed: CRC-64/XZ, as in
 * the .xz file format (version 1.1.0, section 6: the polynomial of ECMA-182, bits reflected,
 * beginning and ending with the complement). It finds every change within 64 bits in a row, and
 * misses any other with a probability of 2^-64. It does not protect against forgery. */
enum { CRC64_TABLES = 8, CRC64_TEXT_SIZE = 17 };

/* A CRC that is being computed, with the tables for 8 bytes at a time; 16 kB. */
struct crc64 {
    uint64_t state;
    uint64_t tables[CRC64_TABLES][256];
};

/* Begins with the CRC of no bytes. */
void crc64_begin(struct crc64 *crc64);

/* Adds bytes. All bytes that have been added count as one string, however it was cut. */
void crc64_add(struct crc64 *crc64, const void *bytes, size_t count);

/* Writes the CRC of all that has been added as a string of hexadecimal digits; returns `text`. */
const char *crc64_text(const struct crc64 *crc64, char text[CRC64_TEXT_SIZE]);

/* The first line, with its end, and how the two last ones begin. */
#define RECORD_TITLE    "particles checkpoint "
#define RECORD_VERSION  "8"
#define RECORD_FIRST    RECORD_TITLE RECORD_VERSION "\n"
#define RECORD_END      "end\n"
#define RECORD_CHECKSUM "crc-64/xz "

/* A record; {0} is none. record_close frees it. */
struct record {
    int is_reading;
    enum status status;
    struct error *error;        /* not owned */
    struct record_block *block; /* being written: text not yet in the stream; owned */
    FILE *stream;               /* where it goes; not owned; NULL: into `text` */
    int is_in_line;
    const char *name; /* being read: of the file, for messages; not owned */
    char *text;       /* the record but for its last line; owned */
    size_t size;
    size_t next;     /* the first byte not yet taken */
    size_t line;     /* of the item taken last, from 1 */
    int is_line_end; /* the item taken last ended its line */
};

/* Begins to write a record to `stream`, also after another one: then no memory is allocated.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. Errors of the stream stay with it: see text_flush.
 * record_finish hands all of the record to the stream. */
enum status record_begin(struct record *record, FILE *stream, struct error *error);
void record_finish(struct record *record);

/* Begins to read a record that has been written without a stream, NULL: it has stayed in memory. */
void record_rewind(struct record *record);

/*
 * Reads the file `name`, which must outlive the record, as must `error`, into as much memory as it
 * has bytes. Returns STATUS_DONE; STATUS_NO_INPUT if it cannot be read; STATUS_BAD_DATA if it is no
 * record, or not whole; or STATUS_NO_MEMORY. After the last item record_expect_end makes sure that
 * nothing follows, and returns the status.
 */
enum status record_open(struct record *record, const char *name, struct error *error);
enum status record_expect_end(struct record *record);
void record_close(struct record *record);

/* This word; or any word, less than `size` long. */
void record_word(struct record *record, const char *word);
void record_text(struct record *record, char *text, size_t size);

/* Whole numbers from 0, or `min`, to `max`; the one from `min` on is written less that. */
void record_whole(struct record *record, uint64_t *value, uint64_t max);
void record_uint32(struct record *record, uint32_t *value, uint32_t max);
void record_int32(struct record *record, int32_t *value, int32_t min, int32_t max);
void record_flag(struct record *record, int *flag); /* 0 or 1; written, any other is 1 */

/* How many things of `items` items each follow: not more than the rest of the file holds. */
void record_count(struct record *record, size_t *count, size_t max, size_t items);

/* A number from `min` to `max`, exactly; several finite numbers; a sum; and `count` bytes. */
void record_number(struct record *record, double *value, double min, double max);
void record_numbers(struct record *record, double *values, size_t count);
void record_sum(struct record *record, struct sum *sum);
void record_bytes(struct record *record, void *bytes, size_t count);

/* A string. Read, `*text` is allocated for `use`, and for memory_free also `*owned`; or NULL. */
void record_string(struct record *record, const char **text, char **owned, const char *use);

/* A number that an option has set. A run with another one cannot be continued: it is refused with
 * STATUS_USAGE, as a run "with OPTION=NUMBER" or, if 0 stands for a run without the option, with
 * the words of `without`. record_refuse_run forms such a message of any other option. */
void record_setting(struct record *record, const char *option, double value, const char *without);
void record_refuse_run(struct record *record, const char *run, const char *advice);

/* A time by a clock, saved as its age: so the time between two runs does not count. */
void record_clock(struct record *record, double (*clock)(void), double *since);

/* The end of the line. */
void record_end_line(struct record *record);

/* Sets STATUS_BAD_DATA, with a message about the line of the last item, unless it has failed. */
void record_refuse(struct record *record, const char *format, ...) ERROR_PRINTF_LIKE(2, 3);

/* Takes over a status, whose message is set, unless the record has failed. Returns its status. */
enum status record_add_status(struct record *record, enum status status);

#endif
