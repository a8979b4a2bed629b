/*
 * Writing a record: a text of words and numbers that only programs read, but people can. It tells
 * by itself whether it is whole: the first line says what it is, and the last one holds the
 * checksum of all before it. README.md, "The file of a checkpoint", has the format.
 */
#ifndef PARTICLES_RECORD_WRITER_H
#define PARTICLES_RECORD_WRITER_H

#include "io/crc64.h"

#include <stdint.h>
#include <stdio.h>

/* The first line, with its end, and how the two last ones begin. */
#define RECORD_TITLE    "particles checkpoint "
#define RECORD_FIRST    RECORD_TITLE "1\n"
#define RECORD_END      "end\n"
#define RECORD_CHECKSUM "crc-64/xz "

enum { RECORD_BLOCK_SIZE = 1 << 16 };

/* A record in the making; large. Errors stay with the stream: text_flush tells in the end. */
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

#endif
