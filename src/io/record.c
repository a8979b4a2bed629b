/* Writing and reading records; see record.h. Items that are written collect in a block, which is
 * added to the CRC when it goes to the stream. A file is read as a whole, so that the bytes that
 * are used are those that have been checked, even if the file changes meanwhile. */
#include "io/record.h"

#include "base/memory.h"
#include "io/number.h"
#include "io/text.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#define USE_ANOTHER ": use an older checkpoint, or begin anew"

enum {
    NUMBER_LENGTH = 16,
    FIRST_LENGTH = sizeof RECORD_FIRST - 1,
    LAST_LENGTH = sizeof RECORD_CHECKSUM - 1 + CRC64_TEXT_SIZE /* a line end for the byte 0 */
};

static const char digits[] = "0123456789abcdef";

/* The CRC-64. The bytes are taken as one long polynomial over the integers modulo 2 and
 * divided by a fixed one; the CRC is the remainder. Table 0 has the remainder of each byte. Table k
 * has the CRC of the byte followed by k zeros, so that 8 bytes are divided in one step by 8
 * look-ups, which do not depend on each other ("slicing by 8": M. Kounavis and F. Berry, A
 * systematic approach to building high performance software-based CRC generators, 2005). */
static const uint64_t POLYNOMIAL = 0xc96c5795d7870f42u; /* of ECMA-182, lowest bit first */

void crc64_begin(struct crc64 *crc64)
{
    crc64->state = ~(uint64_t)0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = (remainder >> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
        crc64->tables[0][byte] = remainder;
    }
    for (int k = 1; k < CRC64_TABLES; k++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t before = crc64->tables[k - 1][byte];
            crc64->tables[k][byte] = (before >> 8) ^ crc64->tables[0][before & 255];
        }
    }
}

void crc64_add(struct crc64 *crc64, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t state = crc64->state;
    for (; count >= CRC64_TABLES; count -= CRC64_TABLES, next += CRC64_TABLES) {
        uint64_t after = 0;
        for (unsigned k = 0; k < CRC64_TABLES; k++) {
            unsigned byte = ((unsigned)(state >> 8 * k) ^ next[k]) & 255;
            after ^= crc64->tables[CRC64_TABLES - 1 - k][byte];
        }
        state = after;
    }
    for (; count > 0; count--, next++)
        state = (state >> 8) ^ crc64->tables[0][(state ^ *next) & 255];
    crc64->state = state;
}

const char *crc64_text(const struct crc64 *crc64, char text[CRC64_TEXT_SIZE])
{
    snprintf(text, CRC64_TEXT_SIZE, "%016" PRIx64, ~crc64->state);
    return text;
}

struct record_block {
    size_t used;
    struct crc64 crc64;
    char text[1 << 16];
};

/* Hands the block to the stream or, of a record that stays in memory, adds it to its text. */
static void empty_block(struct record *record)
{
    struct record_block *block = record->block;
    char *text;
    if (record->stream) {
        crc64_add(&block->crc64, block->text, block->used);
        fwrite(block->text, 1, block->used, record->stream);
    } else if ((text = memory_resize(record->text, record->size + block->used, 1,
                                     "a copy of the state", record->error))) {
        memcpy(text + record->size, block->text, block->used);
        record->text = text;
        record->size += block->used;
    } else {
        record_add_status(record, STATUS_NO_MEMORY);
    }
    block->used = 0;
}

static void record_put(struct record *record, const char *text, size_t length)
{
    struct record_block *block = record->block;
    while (length > 0) {
        if (block->used == sizeof block->text)
            empty_block(record);
        size_t room = sizeof block->text - block->used;
        size_t taken = length < room ? length : room;
        memcpy(block->text + block->used, text, taken);
        block->used += taken;
        text += taken;
        length -= taken;
    }
}

/* Writes an item; within a line, after a space. */
static void put_item(struct record *record, const char *text, size_t length)
{
    if (record->is_in_line)
        record_put(record, " ", 1);
    record->is_in_line = 1;
    record_put(record, text, length);
}

enum status record_begin(struct record *record, FILE *stream, struct error *error)
{
    struct record_block *block = record->block;
    *record = (struct record){.error = error, .block = block, .stream = stream};
    if (!block)
        record->block = block = memory_allocate(1, sizeof *block, "the checkpoint", error);
    if (!block)
        return record->status = STATUS_NO_MEMORY;
    block->used = 0;
    crc64_begin(&block->crc64);
    record_put(record, RECORD_FIRST, strlen(RECORD_FIRST));
    return STATUS_DONE;
}

void record_finish(struct record *record)
{
    char text[CRC64_TEXT_SIZE];
    record_put(record, RECORD_END, strlen(RECORD_END));
    empty_block(record);
    fprintf(record->stream, RECORD_CHECKSUM "%s\n", crc64_text(&record->block->crc64, text));
}

void record_rewind(struct record *record)
{
    empty_block(record);
    record->is_reading = record->is_line_end = 1;
    record->next = FIRST_LENGTH;
}

static enum status cannot_read(const struct record *record, const char *reason)
{
    return error_set(record->error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", record->name,
                     reason);
}

static enum status refuse_file(const struct record *record, const char *problem)
{
    return error_set(record->error, STATUS_BAD_DATA, "%.4100s: %s", record->name, problem);
}

/* Checks by the first line that it is a record. `length` bytes of the file are there. */
static enum status check_first(const struct record *record, const char *first, size_t length)
{
    size_t title = strlen(RECORD_TITLE);
    if (length == 0)
        return refuse_file(record, "is empty" USE_ANOTHER);
    if (memcmp(first, RECORD_FIRST, length) == 0)
        return STATUS_DONE;
    if (length > title && memcmp(first, RECORD_TITLE, title) == 0)
        return refuse_file(record, "is a checkpoint in a format that this version of the program "
                                   "cannot read: it reads format " RECORD_VERSION);
    return refuse_file(record,
                       "is not a checkpoint: it does not begin with '" RECORD_TITLE RECORD_VERSION
                       "'; was it meant as INPUT?");
}

static enum status check_last(struct record *record)
{
    char text[CRC64_TEXT_SIZE];
    char last[LAST_LENGTH + 1] = RECORD_CHECKSUM;
    size_t end = strlen(RECORD_END);
    if (record->size < FIRST_LENGTH + end + LAST_LENGTH)
        return refuse_file(record, "is cut short" USE_ANOTHER);
    record->size -= LAST_LENGTH;
    char *found = record->text + record->size;
    if (memcmp(found, RECORD_CHECKSUM, strlen(RECORD_CHECKSUM)) != 0 ||
        found[LAST_LENGTH - 1] != '\n' || memcmp(found - end, RECORD_END, end) != 0)
        return refuse_file(record, "is cut short or altered: it does not end with the line "
                                   "'" RECORD_CHECKSUM "...'" USE_ANOTHER);
    struct crc64 *crc64 = memory_allocate(1, sizeof *crc64, "the checksum", record->error);
    if (!crc64)
        return STATUS_NO_MEMORY;
    crc64_begin(crc64);
    crc64_add(crc64, record->text, record->size);
    strcat(last, crc64_text(crc64, text));
    memory_free(crc64);
    if (memcmp(found, last, LAST_LENGTH - 1) == 0)
        return STATUS_DONE;
    return error_set(
        record->error, STATUS_BAD_DATA,
        "%.4100s: is altered: it says '%.*s', but that of its content is '%s'" USE_ANOTHER,
        record->name, LAST_LENGTH - 1, found, last);
}

static enum status record_read_file(struct record *record, FILE *stream)
{
    struct stat state;
    char first[FIRST_LENGTH];
    size_t length = fread(first, 1, sizeof first, stream);
    if (ferror(stream) || fstat(fileno(stream), &state) != 0)
        return cannot_read(record, strerror(errno));
    enum status status = check_first(record, first, length);
    if (status)
        return status;
    if ((uintmax_t)state.st_size > SIZE_MAX - 1)
        return refuse_file(record, "is too large");
    size_t size = (size_t)state.st_size;
    record->text =
        memory_allocate(size > length ? size : length, 1, "the checkpoint", record->error);
    if (!record->text)
        return STATUS_NO_MEMORY;
    memcpy(record->text, first, length);
    if (size > length)
        length += fread(record->text + length, 1, size - length, stream);
    if (ferror(stream))
        return cannot_read(record, strerror(errno));
    record->size = length;
    return STATUS_DONE;
}

enum status record_open(struct record *record, const char *name, struct error *error)
{
    struct stat state;
    *record = (struct record){.is_reading = 1, .name = name, .error = error, .line = 1};
    if (stat(name, &state) == 0 && !S_ISREG(state.st_mode))
        return record->status = cannot_read(record, "it is not a file");
    FILE *stream = fopen(name, "rb");
    if (!stream)
        return record->status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name,
                                          strerror(errno));
    record->status = record_read_file(record, stream);
    fclose(stream);
    if (!record->status)
        record->status = check_last(record);
    record->next = FIRST_LENGTH;
    record->is_line_end = 1;
    return record->status;
}

void record_close(struct record *record)
{
    memory_free(record->block);
    memory_free(record->text);
    *record = (struct record){0};
}

enum status record_add_status(struct record *record, enum status status)
{
    if (!record->status)
        record->status = status;
    return record->status;
}

void record_refuse(struct record *record, const char *format, ...)
{
    va_list arguments;
    if (record->status)
        return;
    va_start(arguments, format);
    vsnprintf(record->error->message, sizeof record->error->message, format, arguments);
    va_end(arguments);
    record->status = error_locate(record->error, STATUS_BAD_DATA, record->name, record->line);
}

/* Takes the next item, as a string; it ends with a space or with its line. "" if there is none. */
static const char *take(struct record *record)
{
    if (record->status || record->next == record->size) {
        record_refuse(record, "the file ends too early");
        return "";
    }
    record->line += record->is_line_end ? 1 : 0;
    char *item = record->text + record->next;
    size_t length = 0;
    while (item[length] != ' ' && item[length] != '\n')
        length++; /* the last byte is a line end */
    record->is_line_end = item[length] == '\n';
    item[length] = '\0';
    record->next += length + 1;
    return item;
}

void record_word(struct record *record, const char *word)
{
    if (!record->is_reading)
        put_item(record, word, strlen(word));
    else if (strcmp(take(record), word) != 0)
        record_refuse(record, "expected '%.50s'", word);
}

void record_text(struct record *record, char *text, size_t size)
{
    if (!record->is_reading) {
        put_item(record, text, strlen(text));
        return;
    }
    const char *item = take(record);
    size_t length = strlen(item);
    if (length >= size) {
        record_refuse(record, "expected a shorter word");
        length = 0;
    }
    memcpy(text, item, length);
    text[length] = '\0';
}

void record_whole(struct record *record, uint64_t *value, uint64_t max)
{
    char text[NUMBER_WHOLE_SIZE];
    if (!record->is_reading) {
        put_item(record, text, number_write_whole(text, *value));
        return;
    }
    if (text_whole_number(take(record), value) == NULL && *value <= max)
        return;
    *value = 0;
    record_refuse(record, "expected a whole number up to %" PRIu64, max);
}

void record_uint32(struct record *record, uint32_t *value, uint32_t max)
{
    uint64_t whole = *value;
    record_whole(record, &whole, max);
    *value = (uint32_t)whole;
}

void record_int32(struct record *record, int32_t *value, int32_t min, int32_t max)
{
    uint64_t whole = (uint64_t)((int64_t)*value - min);
    record_whole(record, &whole, (uint64_t)((int64_t)max - min));
    *value = (int32_t)((int64_t)whole + min);
}

void record_flag(struct record *record, int *flag)
{
    uint64_t whole = *flag != 0;
    record_whole(record, &whole, 1);
    *flag = (int)whole;
}

void record_count(struct record *record, size_t *count, size_t max, size_t items)
{
    uint64_t whole = *count;
    const size_t min_bytes = 2 * items; /* a digit and a space each */
    record_whole(record, &whole, max);
    *count = (size_t)whole;
    if (record->is_reading && *count > (record->size - record->next) / min_bytes) {
        record_refuse(record, "the file is too short for this count");
        *count = 0;
    }
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

/* The bits of a number (IEEE 754, binary64), the highest first. */
void record_number(struct record *record, double *value, double min, double max)
{
    uint64_t bits = 0;
    size_t length = 0;
    if (!record->is_reading) {
        char text[NUMBER_LENGTH];
        memcpy(&bits, value, sizeof bits);
        for (size_t k = NUMBER_LENGTH; k-- > 0; bits >>= 4)
            text[k] = digits[bits & 15];
        put_item(record, text, NUMBER_LENGTH);
        return;
    }
    const char *item = take(record);
    for (; length < NUMBER_LENGTH && digit_value(item[length]) < 16; length++)
        bits = bits << 4 | digit_value(item[length]);
    memcpy(value, &bits, sizeof *value);
    if (length == NUMBER_LENGTH && item[length] == '\0' && *value >= min && *value <= max)
        return;
    *value = 0;
    record_refuse(record, "expected 16 hexadecimal digits, a number from %g to %g", min, max);
}

void record_numbers(struct record *record, double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        record_number(record, &values[k], -DBL_MAX, DBL_MAX);
}

void record_sum(struct record *record, struct sum *sum)
{
    record_numbers(record, &sum->rounded, 1);
    record_numbers(record, &sum->rest, 1);
}

static void put_bytes(struct record *record, const unsigned char *bytes, size_t count)
{
    put_item(record, ":", 1);
    for (size_t k = 0; k < count; k++) {
        const char pair[2] = {digits[bytes[k] >> 4], digits[bytes[k] & 15]};
        record_put(record, pair, 2);
    }
}

void record_bytes(struct record *record, void *bytes, size_t count)
{
    unsigned char *next = bytes;
    if (!record->is_reading) {
        put_bytes(record, bytes, count);
        return;
    }
    const char *item = take(record);
    memset(bytes, 0, count);
    if (record->status || *item++ != ':' || strlen(item) / 2 != count || strlen(item) % 2 != 0) {
        record_refuse(record, "expected ':' and %zu bytes", count);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        unsigned high = digit_value(item[2 * k]);
        unsigned low = digit_value(item[2 * k + 1]);
        if (high > 15 || low > 15)
            record_refuse(record, "expected bytes as hexadecimal digits");
        next[k] = (unsigned char)(high << 4 | low);
    }
}

void record_string(struct record *record, const char **text, char **owned, const char *use)
{
    size_t length = record->is_reading ? 0 : strlen(*text);
    record_count(record, &length, SIZE_MAX / 2, 1);
    if (!record->is_reading) {
        put_bytes(record, (const unsigned char *)*text, length);
        return;
    }
    *owned = record->status ? NULL : memory_allocate(length + 1, 1, use, record->error);
    *text = *owned;
    if (!*owned) {
        record_add_status(record, STATUS_NO_MEMORY);
        return;
    }
    record_bytes(record, *owned, length);
    (*owned)[length] = '\0';
}

void record_clock(struct record *record, double (*clock)(void), double *since)
{
    const double now = clock();
    double seconds = now - *since;
    record_number(record, &seconds, 0, DBL_MAX);
    if (record->is_reading)
        *since = now - seconds;
}

void record_refuse_run(struct record *record, const char *run, const char *advice)
{
    if (!record->status)
        record->status =
            error_set(record->error, STATUS_USAGE, "%.4100s is the checkpoint of a run %s: %s",
                      record->name, run, advice);
}

void record_setting(struct record *record, const char *option, double value, const char *without)
{
    double saved = value;
    char run[100];
    record_number(record, &saved, 0, DBL_MAX);
    snprintf(run, sizeof run, "with %.50s=%s", option, show_exactly(saved).text);
    if (saved != value && saved == 0 && without)
        record_refuse_run(record, without, "leave it out");
    else if (saved != value)
        record_refuse_run(record, run, "give it again");
}

void record_end_line(struct record *record)
{
    if (!record->is_reading) {
        record_put(record, "\n", 1);
        record->is_in_line = 0;
    } else if (!record->is_line_end) {
        record_refuse(record, "expected the end of the line");
    }
}

enum status record_expect_end(struct record *record)
{
    record_word(record, "end");
    record_end_line(record);
    if (record->next != record->size)
        record_refuse(record, "expected the end of the file");
    return record->status;
}
