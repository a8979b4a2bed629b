/* Tests of strict numbers, words and checked writing. */
#include "check.h"
#include "io/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* The next word is `word`, on line `line`. */
static int is_next(struct text_reader *reader, const char *word, size_t line)
{
    return text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, word) == 0 &&
           reader->line == line;
}

/* Blocks may end anywhere: in a word, a comment, a line end. */
static void test_nothing_happens_where_blocks_end(void)
{
    static const char piece[] = "123 45#c#\r\n-6.5e7\n#\n8";
    static char text[TEXT_BLOCK_SIZE + sizeof piece];
    static struct text_reader reader;
    for (size_t offset = 0; offset < sizeof piece; offset++) {
        size_t start = TEXT_BLOCK_SIZE - offset;
        memset(text, ' ', start);
        memcpy(text + start, piece, sizeof piece - 1);
        reader = (struct text_reader){.line = 1};
        reader.stream = stream_of(text, start + sizeof piece - 1);
        if (!CHECK(reader.stream != NULL))
            return;
        CHECK(is_next(&reader, "123", 1) && is_next(&reader, "45", 1));
        CHECK(text_next(&reader, 1) == TEXT_LINE_END);
        CHECK(is_next(&reader, "-6.5e7", 2) && is_next(&reader, "8", 4));
        CHECK(text_next(&reader, 1) == TEXT_END && text_next(&reader, 0) == TEXT_END);
        fclose(reader.stream);
    }
}

static void test_long_words_where_blocks_end(void)
{
    static char text[2 * TEXT_BLOCK_SIZE];
    static struct text_reader reader;
    for (size_t length = TEXT_WORD_SIZE - 2; length <= TEXT_WORD_SIZE + 1; length++) {
        for (size_t before = TEXT_WORD_SIZE - 3; before <= TEXT_WORD_SIZE + 2; before++) {
            size_t start = TEXT_BLOCK_SIZE - before;
            memset(text, ' ', sizeof text);
            memset(text + start, '7', length);
            reader = (struct text_reader){.line = 1};
            reader.stream = stream_of(text, start + length + (before % 2 ? 1 : 0));
            if (!CHECK(reader.stream != NULL))
                return;
            int fits = length < TEXT_WORD_SIZE;
            CHECK(text_next(&reader, 0) == (fits ? TEXT_WORD : TEXT_TOO_LONG_WORD));
            CHECK(strlen(reader.word) == (fits ? length : TEXT_WORD_SIZE - 1));
            CHECK(text_next(&reader, 0) == (fits ? TEXT_END : TEXT_WORD));
            fclose(reader.stream);
        }
    }
}

/* What has come through a pipe is read at once, however little: the alarm would end the program. */
static void test_a_pipe_is_not_waited_for(void)
{
    static struct text_reader reader = {.line = 1};
    int ends[2];
    if (!CHECK(pipe(ends) == 0))
        return;
    reader.stream = fdopen(ends[0], "r");
    alarm(60);
    CHECK(write(ends[1], "1\n2", 3) == 3);
    CHECK(is_next(&reader, "1", 1) && text_next(&reader, 1) == TEXT_LINE_END);
    CHECK(write(ends[1], "3 ", 2) == 2);
    CHECK(is_next(&reader, "23", 2));
    close(ends[1]);
    CHECK(text_next(&reader, 0) == TEXT_END && text_next(&reader, 0) == TEXT_END);
    alarm(0);
    fclose(reader.stream);
}

/* As on a terminal, where the end is only said, and typing may go on. */
static void test_the_end_stays_the_end(void)
{
    static struct text_reader reader = {.line = 1};
    reader.stream = stream_of("1", 1);
    if (!CHECK(reader.stream != NULL))
        return;
    CHECK(is_next(&reader, "1", 1));
    fputs("2", reader.stream);
    fflush(reader.stream);
    lseek(fileno(reader.stream), 0, SEEK_SET);
    CHECK(text_next(&reader, 0) == TEXT_END);
    fclose(reader.stream);
}

static void test_read_errors_are_told_from_the_end(void)
{
    static struct text_reader reader = {.line = 1};
    reader.stream = fopen("/", "r");
    if (!reader.stream)
        return; /* a system that does not open directories */
    CHECK(text_next(&reader, 0) == TEXT_UNREADABLE && reader.failure == EISDIR);
    CHECK(text_next(&reader, 1) == TEXT_UNREADABLE && reader.failure == EISDIR);
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
    RUN(test_nothing_happens_where_blocks_end);
    RUN(test_long_words_where_blocks_end);
    RUN(test_a_pipe_is_not_waited_for);
    RUN(test_the_end_stays_the_end);
    RUN(test_read_errors_are_told_from_the_end);
    RUN(test_a_full_disk_is_noticed);
    return check_finish();
}
