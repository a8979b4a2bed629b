/* Tests of strict numbers, words and checked writing. */
#include "check.h"
#include "text.h"

#include <string.h>

static int reads_as(const char *text, double expected)
{
    double value = -12345;
    return text_number(text, &value) == NULL && value == expected;
}

static int is_refused(const char *text)
{
    double value = -12345;
    return text_number(text, &value) != NULL && value == -12345;
}

static void test_numbers(void)
{
    CHECK(reads_as("1", 1));
    CHECK(reads_as("-.02", -0.02));
    CHECK(reads_as("+5.", 5));
    CHECK(reads_as("1e3", 1000));
    CHECK(reads_as("0x1.8p1", 3));
    CHECK(reads_as("-0", 0));
    CHECK(reads_as("0e-9999", 0));
    CHECK(reads_as("2.2250738585072014e-308", 2.2250738585072014e-308));
}

static void test_what_is_not_a_number_is_refused(void)
{
    static const char *const texts[] = {
        "",     " ",  "x",     "1x",     "1 ",     " 1", "1,5",   "--1", "nan",     "inf",
        "-inf", "1e", "1e999", "1e-400", "1e-310", "0x", "1.2.3", "1e+", "infinity"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        if (!CHECK(is_refused(texts[k])))
            printf("    accepted: '%s'\n", texts[k]);
}

static void test_whole_numbers(void)
{
    uint64_t value = 0;
    CHECK(text_whole_number("0", &value) == NULL && value == 0);
    CHECK(text_whole_number("007", &value) == NULL && value == 7);
    CHECK(text_whole_number("18446744073709551615", &value) == NULL && value == UINT64_MAX);
    CHECK(text_whole_number("18446744073709551616", &value) != NULL);
    CHECK(text_whole_number("99999999999999999999", &value) != NULL);
    CHECK(text_whole_number("", &value) != NULL);
    CHECK(text_whole_number("-1", &value) != NULL);
    CHECK(text_whole_number("1.0", &value) != NULL);
    CHECK(text_whole_number("1e3", &value) != NULL);
}

/* A stream that holds `text` of `size` bytes. */
static FILE *stream_of(const char *text, size_t size)
{
    FILE *stream = tmpfile();
    if (stream) {
        fwrite(text, 1, size, stream);
        rewind(stream);
    }
    return stream;
}

static void test_words_lines_and_comments(void)
{
    static const char text[] = "a\tb\r\n# comment\n\n  c#d e\n\"f";
    static struct text_reader reader = {.line = 1};
    reader.stream = stream_of(text, sizeof text - 1);
    if (!CHECK(reader.stream != NULL))
        return;
    CHECK(text_next(&reader, 0) == TEXT_WORD && strcmp(reader.word, "a") == 0);
    CHECK(text_next(&reader, 1) == TEXT_WORD && strcmp(reader.word, "b") == 0);
    CHECK(text_next(&reader, 1) == TEXT_LINE_END && reader.line == 1);
    CHECK(text_next(&reader, 1) == TEXT_LINE_END && reader.line == 1);
    CHECK(text_next(&reader, 0) == TEXT_WORD && strcmp(reader.word, "c") == 0);
    CHECK(reader.line == 4);
    CHECK(text_next(&reader, 1) == TEXT_LINE_END);
    CHECK(text_next(&reader, 0) == TEXT_WORD && strcmp(reader.word, "\"f") == 0);
    CHECK(reader.line == 5);
    CHECK(text_next(&reader, 1) == TEXT_END);
    CHECK(text_next(&reader, 0) == TEXT_END);
    fclose(reader.stream);
}

static void test_long_words_and_zero_bytes(void)
{
    static char text[3 * TEXT_WORD_SIZE];
    static struct text_reader reader = {.line = 1};
    memset(text, '7', sizeof text);
    text[TEXT_WORD_SIZE - 1] = ' '; /* one word that just fits, then one that does not */
    text[sizeof text - 4] = '\n';   /* then 7, byte 0, 7 */
    text[sizeof text - 2] = '\0';
    reader.stream = stream_of(text, sizeof text);
    if (!CHECK(reader.stream != NULL))
        return;
    CHECK(text_next(&reader, 0) == TEXT_WORD && strlen(reader.word) == TEXT_WORD_SIZE - 1);
    CHECK(text_next(&reader, 0) == TEXT_TOO_LONG_WORD && strlen(reader.word) == TEXT_WORD_SIZE - 1);
    while (text_next(&reader, 1) == TEXT_TOO_LONG_WORD)
        ; /* what is left of it */
    CHECK(text_next(&reader, 0) == TEXT_WORD && strcmp(reader.word, "7?7") == 0);
    CHECK(text_next(&reader, 0) == TEXT_END);
    fclose(reader.stream);
}

static void test_a_full_disk_is_noticed(void)
{
    struct error error = {""};
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return; /* a system without /dev/full */
    fputs("lost", full);
    CHECK(text_flush(full, "the file", &error) == STATUS_CANNOT_WRITE);
    CHECK(strncmp(error.message, "the file: cannot write: ", 24) == 0);
    fclose(full);
}

int main(void)
{
    RUN(test_numbers);
    RUN(test_what_is_not_a_number_is_refused);
    RUN(test_whole_numbers);
    RUN(test_words_lines_and_comments);
    RUN(test_long_words_and_zero_bytes);
    RUN(test_a_full_disk_is_noticed);
    return check_finish();
}
