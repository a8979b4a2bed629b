/*
 * Writing records; see record_writer.h. Items are put together in a block, for there can be
 * millions; a block that is full goes into the checksum and to the stream.
 */
#include "io/record_writer.h"

#include "hexadecimal.h"
#include "io/number.h"

#include <string.h>

static void empty_block(struct record_writer *writer)
{
    crc64_add(&writer->crc64, writer->block, writer->used);
    fwrite(writer->block, 1, writer->used, writer->stream);
    writer->used = 0;
}

static void put(struct record_writer *writer, const char *text, size_t length)
{
    while (length > 0) {
        if (writer->used == sizeof writer->block)
            empty_block(writer);
        size_t room = sizeof writer->block - writer->used;
        size_t taken = length < room ? length : room;
        memcpy(writer->block + writer->used, text, taken);
        writer->used += taken;
        text += taken;
        length -= taken;
    }
}

/* Begins an item: within a line, with a space. */
static void begin_item(struct record_writer *writer)
{
    if (writer->is_in_line)
        put(writer, " ", 1);
    writer->is_in_line = 1;
}

void record_begin(struct record_writer *writer, FILE *stream)
{
    writer->stream = stream;
    writer->is_in_line = 0;
    writer->used = 0;
    crc64_begin(&writer->crc64);
    put(writer, RECORD_FIRST, strlen(RECORD_FIRST));
}

void record_put_word(struct record_writer *writer, const char *word)
{
    begin_item(writer);
    put(writer, word, strlen(word));
}

void record_put_whole(struct record_writer *writer, uint64_t value)
{
    char text[NUMBER_WHOLE_SIZE];
    begin_item(writer);
    put(writer, text, number_write_whole(text, value));
}

void record_put_number(struct record_writer *writer, double value)
{
    char text[HEXADECIMAL_SIZE];
    begin_item(writer);
    put(writer, text, hexadecimal_write(text, value));
}

void record_put_bytes(struct record_writer *writer, const void *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *next = bytes;
    begin_item(writer);
    put(writer, ":", 1);
    for (size_t k = 0; k < count; k++) {
        const char pair[2] = {digits[next[k] >> 4], digits[next[k] & 15]};
        put(writer, pair, 2);
    }
}

void record_end_line(struct record_writer *writer)
{
    put(writer, "\n", 1);
    writer->is_in_line = 0;
}

void record_finish(struct record_writer *writer)
{
    char text[CRC64_TEXT_SIZE];
    put(writer, RECORD_END, strlen(RECORD_END));
    empty_block(writer);
    fprintf(writer->stream, RECORD_CHECKSUM "%s\n", crc64_text(text, crc64_value(&writer->crc64)));
}
