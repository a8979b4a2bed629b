/* Tests of records: what has been written comes back, and anything else that stands there is
 * refused with its line. Damage to the file is tested in test_checkpoint_damage.c. */
#include "check.h"
#include "io/record.h"

#include <float.h>

static void put_word(struct record *writer, const char *word)
{
    record_word(writer, word);
}

static void put_whole(struct record *writer, uint64_t value)
{
    record_whole(writer, &value, UINT64_MAX);
}

static void put_number(struct record *writer, double value)
{
    record_numbers(writer, &value, 1);
}

static uint64_t take_whole(struct record *reader, uint64_t max)
{
    uint64_t value = 7;
    record_whole(reader, &value, max);
    return value;
}

static size_t take_count(struct record *reader, size_t max, size_t items)
{
    size_t count = 7;
    record_count(reader, &count, max, items);
    return count;
}

static double take_number(struct record *reader, double min, double max)
{
    double value = 7;
    record_number(reader, &value, min, max);
    return value;
}

/* Writes a record of what `put` puts. */
static void write_record(void (*put)(struct record *writer))
{
    struct record writer = {0};
    FILE *stream = fopen("record", "w");
    if (CHECK(stream && !record_begin(&writer, stream, &failure))) {
        put(&writer);
        record_finish(&writer);
        fclose(stream);
    }
    record_close(&writer);
}

/* Writes a record, and opens it. */
static void prepare(struct record *reader, struct error *error, void (*put)(struct record *writer))
{
    write_record(put);
    CHECK(record_open(reader, "record", error) == STATUS_DONE);
}

/* Everything that can stand in a record; the CRC is from another program, xz. */
static const char expected[] = "particles checkpoint 8\n"
                               "word 0 18446744073709551615\n"
                               "4008000000000000 8000000000000000 : :00ff7f\n"
                               "end\n"
                               "crc-64/xz 2f0a64c152de116d\n";

static void put_everything(struct record *writer)
{
    put_word(writer, "word");
    put_whole(writer, 0);
    put_whole(writer, UINT64_MAX);
    record_end_line(writer);
    put_number(writer, 3);
    put_number(writer, -0.0);
    record_bytes(writer, (char[]){""}, 0);
    record_bytes(writer, (char[]){"\0\xff\x7f"}, 3);
    record_end_line(writer);
}

TEST(how_every_item_looks)
{
    write_record(put_everything);
    CHECK(scratch_has("record", expected));
}

TEST(errors_stay_with_the_stream)
{
    struct record writer = {0};
    FILE *stream = fopen("/dev/full", "w");
    if (stream && CHECK(!record_begin(&writer, stream, &failure))) {
        for (int k = 0; k < 100000; k++)
            put_whole(&writer, 1);
        record_finish(&writer);
        CHECK(ferror(stream) || fflush(stream) != 0);
    }
    if (stream)
        fclose(stream);
    record_close(&writer);
}

enum { MANY = 30000 };

static void put_many(struct record *writer)
{
    struct random_generator random = random_from(1);
    for (int k = 0; k < MANY; k++) {
        unsigned char bytes[7] = {(unsigned char)k, 1, 2, 255};
        put_word(writer, "item");
        put_whole(writer, random_below(&random, SIZE_MAX));
        put_number(writer, random_unit(&random) - 0.5);
        record_bytes(writer, bytes, (size_t)(k % 8));
        record_end_line(writer);
    }
}

RANDOM_TEST(what_is_written_comes_back, 1)
{
    struct record reader;
    prepare(&reader, &failure, put_many);
    for (int k = 0; k < MANY; k++) {
        unsigned char bytes[7] = {9, 9, 9, 9, 9, 9, 9};
        const unsigned char written[7] = {(unsigned char)k, 1, 2, 255};
        record_word(&reader, "item");
        CHECK(reader.line == (size_t)k + 2);
        CHECK(take_whole(&reader, UINT64_MAX) == random_below(random, SIZE_MAX));
        CHECK(take_number(&reader, -1, 1) == random_unit(random) - 0.5);
        record_bytes(&reader, bytes, (size_t)(k % 8));
        CHECK(memcmp(bytes, written, (size_t)(k % 8)) == 0);
        record_end_line(&reader);
    }
    CHECK(record_expect_end(&reader) == STATUS_DONE);
    record_close(&reader);
}

static const double extremes[] = {0,        -0.0,    1,           -1,        DBL_MAX,
                                  -DBL_MAX, DBL_MIN, DBL_MIN / 2, 0x1p-1074, 0.1};

static void put_extremes(struct record *writer)
{
    for (size_t k = 0; k < LENGTH(extremes); k++)
        put_number(writer, extremes[k]);
    record_end_line(writer);
}

TEST(numbers_come_back_to_the_bit)
{
    struct record reader;
    prepare(&reader, &failure, put_extremes);
    for (size_t k = 0; k < LENGTH(extremes); k++) {
        double value = take_number(&reader, -DBL_MAX, DBL_MAX);
        CHECK(memcmp(&value, &extremes[k], sizeof value) == 0);
    }
    CHECK(record_expect_end(&reader) == STATUS_DONE);
    record_close(&reader);
}

static const char *const no_numbers[] = {"",
                                         "0",
                                         "3ff000000000000",
                                         "3ff00000000000000",
                                         "3FF0000000000000",
                                         "3ff000000000000g",
                                         "+ff0000000000000",
                                         "0x3ff00000000000",
                                         "7ff0000000000000", /* infinity */
                                         "fff0000000000000",
                                         "7ff8000000000000", /* no number at all */
                                         "fff8000000000001"};

static void put_no_numbers(struct record *writer)
{
    for (size_t k = 0; k < LENGTH(no_numbers); k++) {
        put_word(writer, no_numbers[k]);
        record_end_line(writer);
    }
}

TEST(other_numbers_are_refused)
{
    struct record reader;
    char word[32];
    for (size_t k = 0; k < LENGTH(no_numbers); k++) {
        prepare(&reader, &failure, put_no_numbers);
        for (size_t before = 0; before < k; before++)
            record_text(&reader, word, sizeof word);
        CHECK(reader.status == STATUS_DONE);
        CHECK(take_number(&reader, -DBL_MAX, DBL_MAX) == 0);
        CHECK(reader.status == STATUS_BAD_DATA);
        record_close(&reader);
    }
}

static void put_line(struct record *writer)
{
    put_word(writer, "word");
    put_whole(writer, 12);
    put_number(writer, -2);
    record_bytes(writer, (char[]){"ab"}, 2);
    record_end_line(writer);
}

/* Whether the reader has refused line `line`; then it refuses everything that follows, too. */
static int is_refused(struct record *reader, const char *line)
{
    char byte = 1;
    int is = reader->status == STATUS_BAD_DATA && strstr(reader->error->message, line);
    CHECK(take_whole(reader, 9) == 0 && take_number(reader, 1, 2) == 0);
    CHECK(take_count(reader, 9, 1) == 0);
    record_bytes(reader, &byte, 1);
    CHECK(byte == 0 && strstr(reader->error->message, line));
    CHECK(record_expect_end(reader) == STATUS_BAD_DATA);
    record_close(reader);
    return is;
}

TEST(other_items_are_refused)
{
    struct record reader;
    char text[8];
    for (int fault = 0; fault < 12; fault++) {
        prepare(&reader, &failure, put_line);
        if (fault == 0)
            record_word(&reader, "wor");
        else if (fault == 1)
            record_text(&reader, text, 4);
        else if (fault == 2)
            take_whole(&reader, 100);
        else
            record_text(&reader, text, 5);
        if (fault == 3)
            take_whole(&reader, 11);
        else if (fault == 4)
            take_number(&reader, -DBL_MAX, DBL_MAX);
        else if (fault > 4)
            CHECK(take_whole(&reader, 12) == 12);
        if (fault == 5)
            take_number(&reader, -1.9, 3);
        else if (fault == 6)
            take_number(&reader, -3, -2.1);
        else if (fault == 7)
            record_bytes(&reader, text, 2);
        else if (fault > 7)
            CHECK(take_number(&reader, -2, -2) == -2);
        if (fault == 8)
            record_bytes(&reader, text, 1);
        else if (fault == 9)
            record_bytes(&reader, text, 3);
        else if (fault == 10)
            record_end_line(&reader);
        else if (fault == 11) {
            record_bytes(&reader, text, 2);
            CHECK(memcmp(text, "ab", 2) == 0 && reader.status == STATUS_DONE);
            record_word(&reader, "en"); /* which is line 3 */
        }
        CHECK(is_refused(&reader, fault < 11 ? "record:2: expected " : "record:3: expected "));
    }
}

static void put_counts(struct record *writer)
{
    put_whole(writer, 3); /* "end " and the like follow: 4 bytes in all, and 2 lines */
    record_end_line(writer);
    put_whole(writer, 5);
    record_end_line(writer);
}

TEST(counts_are_not_believed)
{
    struct record reader;
    prepare(&reader, &failure, put_counts); /* after "3\n" come 6 bytes, "5\nend\n" */
    CHECK(take_count(&reader, 3, 1) == 3);
    CHECK(take_count(&reader, 5, 1) == 0 && is_refused(&reader, "record:3: the file is too short"));
    prepare(&reader, &failure, put_counts);
    CHECK(take_count(&reader, 3, 2) == 0 && is_refused(&reader, "record:2: the file is too short"));
    prepare(&reader, &failure, put_counts);
    CHECK(take_count(&reader, 2, 1) == 0 && is_refused(&reader, "record:2: expected"));
}

TEST(the_end)
{
    struct record reader;
    prepare(&reader, &failure, put_counts);
    CHECK(take_whole(&reader, 3) == 3);
    CHECK(record_expect_end(&reader) == STATUS_BAD_DATA && is_refused(&reader, "record:3:"));
    prepare(&reader, &failure, put_counts);
    take_whole(&reader, 9);
    take_whole(&reader, 9);
    record_word(&reader, "end");
    record_word(&reader, "end");
    CHECK(is_refused(&reader, "record:4: the file ends too early"));
}
