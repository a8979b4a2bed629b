/*
 * Writing and reading records; see record.h. The writer collects items in a block, for there can be
 * millions of them; a block that is full is added to the CRC and goes to the stream. The reader
 * takes in the whole file at once, so that the bytes that it uses are those that it has checked,
 * even if the file changes meanwhile.
 */
#include "io/record.h"

#include "base/memory.h"
#include "io/number.h"
#include "io/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define USE_ANOTHER ": use an older checkpoint, or begin anew"

enum {
    NUMBER_LENGTH = 16,
    FIRST_LENGTH = sizeof RECORD_FIRST - 1,
    LAST_LENGTH = sizeof RECORD_CHECKSUM - 1 + CRC64_TEXT_SIZE /* a line end for the byte 0 */
};

static const char digits[] = "0123456789abcdef";

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

/* The bits of the number (IEEE 754, binary64), the highest first. */
void record_put_number(struct record_writer *writer, double value)
{
    char text[NUMBER_LENGTH];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t k = NUMBER_LENGTH; k-- > 0; bits >>= 4)
        text[k] = digits[bits & 15];
    begin_item(writer);
    put(writer, text, NUMBER_LENGTH);
}

void record_put_bytes(struct record_writer *writer, const void *bytes, size_t count)
{
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

static enum status cannot_read(const char *name, const char *reason, struct error *error)
{
    return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name, reason);
}

static enum status refuse_file(const char *name, const char *problem, struct error *error)
{
    return error_set(error, STATUS_BAD_DATA, "%.4100s: %s", name, problem);
}

/* Looks at the first line: is it a record at all? `length` bytes of the file are there. */
static enum status check_first(const char *name, const char *first, size_t length,
                               struct error *error)
{
    size_t title = strlen(RECORD_TITLE);
    if (length == 0)
        return refuse_file(name, "is empty" USE_ANOTHER, error);
    if (memcmp(first, RECORD_FIRST, length) == 0)
        return STATUS_DONE;
    if (length > title && memcmp(first, RECORD_TITLE, title) == 0)
        return refuse_file(name,
                           "is a checkpoint in a format that this version of the program cannot "
                           "read: it reads format " RECORD_VERSION,
                           error);
    return refuse_file(name,
                       "is not a checkpoint: it does not begin with '" RECORD_TITLE RECORD_VERSION
                       "'; was it meant as INPUT?",
                       error);
}

/* Checks the last line, and cuts it off. */
static enum status check_last(struct record_reader *reader)
{
    char text[CRC64_TEXT_SIZE];
    char last[LAST_LENGTH + 1] = RECORD_CHECKSUM;
    size_t end = strlen(RECORD_END);
    if (reader->size < FIRST_LENGTH + end + LAST_LENGTH)
        return refuse_file(reader->name, "is cut short" USE_ANOTHER, reader->error);
    reader->size -= LAST_LENGTH;
    char *found = reader->text + reader->size;
    if (memcmp(found, RECORD_CHECKSUM, strlen(RECORD_CHECKSUM)) != 0 ||
        found[LAST_LENGTH - 1] != '\n' || memcmp(found - end, RECORD_END, end) != 0)
        return refuse_file(
            reader->name,
            "is cut short or altered: it does not end with the line '" RECORD_CHECKSUM
            "...'" USE_ANOTHER,
            reader->error);
    struct crc64 *crc64 = memory_allocate(1, sizeof *crc64, "the checksum", reader->error);
    if (!crc64)
        return STATUS_NO_MEMORY;
    crc64_begin(crc64);
    crc64_add(crc64, reader->text, reader->size);
    strcat(last, crc64_text(text, crc64_value(crc64)));
    memory_free(crc64);
    if (memcmp(found, last, LAST_LENGTH - 1) == 0)
        return STATUS_DONE;
    return error_set(
        reader->error, STATUS_BAD_DATA,
        "%.4100s: is altered: it says '%.*s', but that of its content is '%s'" USE_ANOTHER,
        reader->name, LAST_LENGTH - 1, found, last);
}

/* Reads all of an open file. */
static enum status read_file(struct record_reader *reader, FILE *stream)
{
    struct stat state;
    char first[FIRST_LENGTH];
    size_t length = fread(first, 1, sizeof first, stream);
    if (ferror(stream) || fstat(fileno(stream), &state) != 0)
        return cannot_read(reader->name, strerror(errno), reader->error);
    enum status status = check_first(reader->name, first, length, reader->error);
    if (status)
        return status;
    if ((uintmax_t)state.st_size > SIZE_MAX - 1)
        return refuse_file(reader->name, "is too large", reader->error);
    size_t size = (size_t)state.st_size;
    reader->text =
        memory_allocate(size > length ? size : length, 1, "the checkpoint", reader->error);
    if (!reader->text)
        return STATUS_NO_MEMORY;
    memcpy(reader->text, first, length);
    if (size > length)
        length += fread(reader->text + length, 1, size - length, stream);
    if (ferror(stream))
        return cannot_read(reader->name, strerror(errno), reader->error);
    reader->size = length;
    return STATUS_DONE;
}

enum status record_open(struct record_reader *reader, const char *name, struct error *error)
{
    struct stat state;
    *reader = (struct record_reader){.name = name, .error = error, .line = 1};
    if (stat(name, &state) == 0 && !S_ISREG(state.st_mode))
        return reader->status = cannot_read(name, "it is not a file", error);
    FILE *stream = fopen(name, "rb");
    if (!stream)
        return reader->status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name,
                                          strerror(errno));
    reader->status = read_file(reader, stream);
    fclose(stream);
    if (!reader->status)
        reader->status = check_last(reader);
    reader->next = FIRST_LENGTH;
    reader->is_line_end = 1;
    return reader->status;
}

void record_close(struct record_reader *reader)
{
    memory_free(reader->text);
    *reader = (struct record_reader){0};
}

enum status record_refuse(struct record_reader *reader, const char *problem)
{
    if (!reader->status) {
        reader->status = error_set(reader->error, STATUS_BAD_DATA, "%s", problem);
        error_locate(reader->error, reader->name, reader->line);
    }
    return reader->status;
}

/* Takes the next item, as a string; it ends with a space or with its line. "" if there is none. */
static const char *take(struct record_reader *reader)
{
    if (reader->status || reader->next == reader->size) {
        record_refuse(reader, "the file ends too early");
        return "";
    }
    reader->line += reader->is_line_end ? 1 : 0;
    char *item = reader->text + reader->next;
    size_t length = 0;
    while (item[length] != ' ' && item[length] != '\n')
        length++; /* the last byte is a line end */
    reader->is_line_end = item[length] == '\n';
    item[length] = '\0';
    reader->next += length + 1;
    return item;
}

void record_expect(struct record_reader *reader, const char *word)
{
    char problem[100];
    if (strcmp(take(reader), word) == 0)
        return;
    snprintf(problem, sizeof problem, "expected '%.50s'", word);
    record_refuse(reader, problem);
}

void record_take_word(struct record_reader *reader, char *word, size_t size)
{
    const char *item = take(reader);
    size_t length = strlen(item);
    if (length >= size) {
        record_refuse(reader, "expected a shorter word");
        length = 0;
    }
    memcpy(word, item, length);
    word[length] = '\0';
}

uint64_t record_take_whole(struct record_reader *reader, uint64_t most)
{
    uint64_t value = 0;
    const char *item = take(reader);
    if (text_whole_number(item, &value) == NULL && value <= most)
        return value;
    char problem[100];
    snprintf(problem, sizeof problem, "expected a whole number up to %" PRIu64, most);
    record_refuse(reader, problem);
    return 0;
}

/* The value of a hexadecimal digit; 16 for anything else. */
static unsigned digit_value(char character)
{
    if (character >= '0' && character <= '9')
        return (unsigned)(character - '0');
    if (character >= 'a' && character <= 'f')
        return (unsigned)(character - 'a') + 10;
    return 16;
}

double record_take_number(struct record_reader *reader, double least, double most)
{
    const char *item = take(reader);
    uint64_t bits = 0;
    size_t length = 0;
    double value;
    for (; length < NUMBER_LENGTH && digit_value(item[length]) < 16; length++)
        bits = bits << 4 | digit_value(item[length]);
    memcpy(&value, &bits, sizeof value);
    if (length == NUMBER_LENGTH && item[length] == '\0' && value >= least && value <= most)
        return value;
    char problem[100];
    snprintf(problem, sizeof problem, "expected 16 hexadecimal digits, a number from %g to %g",
             least, most);
    record_refuse(reader, problem);
    return 0;
}

size_t record_take_count(struct record_reader *reader, size_t most, size_t items)
{
    uint64_t count = record_take_whole(reader, most);
    size_t least_bytes = 2 * items; /* a digit and a space each */
    if (count <= (reader->size - reader->next) / least_bytes)
        return (size_t)count;
    record_refuse(reader, "the file is too short for this count");
    return 0;
}

void record_take_bytes(struct record_reader *reader, void *bytes, size_t count)
{
    unsigned char *next = bytes;
    const char *item = take(reader);
    memset(bytes, 0, count);
    if (reader->status || *item++ != ':' || strlen(item) / 2 != count || strlen(item) % 2 != 0) {
        char problem[100];
        snprintf(problem, sizeof problem, "expected ':' and %zu bytes", count);
        record_refuse(reader, problem);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        unsigned high = digit_value(item[2 * k]);
        unsigned low = digit_value(item[2 * k + 1]);
        if (high > 15 || low > 15) {
            record_refuse(reader, "expected bytes as hexadecimal digits");
            return;
        }
        next[k] = (unsigned char)(high << 4 | low);
    }
}

void record_expect_line_end(struct record_reader *reader)
{
    if (!reader->is_line_end)
        record_refuse(reader, "expected the end of the line");
}

enum status record_expect_end(struct record_reader *reader)
{
    record_expect(reader, "end");
    record_expect_line_end(reader);
    if (reader->next != reader->size)
        record_refuse(reader, "expected the end of the file");
    return reader->status;
}
