/* Tests of strict numbers, words and checked writing. */
#include "base/thread_pool.h"
#include "check.h"
#include "io/text.h"

#include <errno.h>
#include <unistd.h>

/* Closes a reader that has not failed. */
static void finish(struct text_reader *reader)
{
    CHECK(!text_reader_close(reader, STATUS_DONE, "", &failure));
}

enum { BLOCK = 4 * TEXT_WORD_SIZE };

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

TEST(numbers)
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

TEST(what_is_not_a_number_is_refused)
{
    static const char *const texts[] = {
        "",     " ",  "x",     "1x",     "1 ",     " 1", "1,5",   "--1", "nan",     "inf",
        "-inf", "1e", "1e999", "1e-400", "1e-310", "0x", "1.2.3", "1e+", "infinity"};
    for (size_t k = 0; k < LENGTH(texts); k++)
        if (!CHECK(is_refused(texts[k])))
            printf("    accepted: '%s'\n", texts[k]);
}

TEST(whole_numbers)
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

/* A reader of a file that holds `text` of `size` bytes, in blocks of `block` bytes. */
static struct text_reader *reader_of(const char *text, size_t size, size_t block)
{
    struct text_reader *reader = NULL;
    FILE *stream = fopen("text", "w");
    if (!CHECK(stream && fwrite(text, 1, size, stream) == size && fclose(stream) == 0))
        exit(EXIT_FAILURE);
    must(text_reader_open(&reader, "text", "a test", &failure));
    reader->block_size = block;
    return reader;
}

/* True if two readers find the same words and lines. */
static int read_the_same(struct text_reader *one, struct text_reader *other)
{
    enum text_piece piece;
    do {
        piece = text_next(one, 0);
        if (piece != text_next(other, 0) || one->line != other->line ||
            (piece == TEXT_WORD && strcmp(one->word, other->word) != 0))
            return 0;
    } while (piece == TEXT_WORD);
    return piece == TEXT_END;
}

/* Threads that read a file leave its words as they are, from wherever they begin. */
RANDOM_TEST(threads_read_the_same, 10)
{
    static char text[20000];
    const size_t size = 1 + random_below(random, sizeof text);
    for (size_t k = 0; k < size; k++)
        text[k] = random_below(random, 6)   ? (char)('0' + random_below(random, 10))
                  : random_below(random, 2) ? ' '
                                            : '\n';
    struct text_reader *alone = reader_of(text, size, BLOCK);
    struct text_reader *shared = reader_of(text, size, 1 + random_below(random, 1000));
    struct thread_pool *pool = thread_pool_create(3);
    for (size_t k = random_below(random, 20); k > 0; k--)
        CHECK(text_next(alone, 0) == text_next(shared, 0));
    text_reader_share(shared, pool);
    CHECK(text_reader_left(shared) <= size);
    for (size_t k = random_below(random, 1000); k > 0; k--)
        CHECK(text_next(alone, 0) == text_next(shared, 0));
    if (random_below(random, 2))
        text_reader_share(shared, NULL);
    CHECK(read_the_same(alone, shared));
    finish(alone);
    finish(shared);
    thread_pool_free(pool);
}

TEST(numbers_within_a_range)
{
    double value = 0;
    CHECK(text_number_within("-2", -2, 3, &value) == NULL && value == -2);
    CHECK(text_number_within("3", -2, 3, &value) == NULL && value == 3);
    CHECK(strcmp(text_number_within("-2.1", -2, 3, &value), "is too small") == 0);
    CHECK(strcmp(text_number_within("3.5", -2, 3, &value), "is too large") == 0 && value == 3.5);
    CHECK(strcmp(text_number_within("-1", 0, 3, &value), "is negative") == 0);
    CHECK(strcmp(text_number_within("1,", -2, 3, &value), "is not a number") == 0);
}

/* An item that has no room is no item. */
TEST(items_of_a_list)
{
    char item[TEXT_ITEM_SIZE];
    char longest[TEXT_ITEM_SIZE + 2];
    const char *rest = text_list_item("a b,,c", item);
    CHECK(strcmp(item, "a b") == 0);
    rest = text_list_item(rest, item);
    CHECK(strcmp(item, "") == 0);
    CHECK(text_list_item(rest, item) == NULL && strcmp(item, "c") == 0);
    memset(longest, '7', sizeof longest);
    longest[TEXT_ITEM_SIZE - 1] = '\0';
    CHECK(text_list_item(longest, item) == NULL && strcmp(item, longest) == 0);
    longest[TEXT_ITEM_SIZE - 1] = '7';
    strcpy(longest + TEXT_ITEM_SIZE, ",");
    CHECK(text_list_item(longest, item) != NULL && item[0] == '\0');
}

TEST(words_lines_and_comments)
{
    static const char text[] = "a\tb\r\n# comment\n\n  c#d e\n\"f";
    struct text_reader *reader = reader_of(text, sizeof text - 1, BLOCK);
    CHECK(text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, "a") == 0);
    CHECK(text_next(reader, 1) == TEXT_WORD && strcmp(reader->word, "b") == 0);
    CHECK(text_next(reader, 1) == TEXT_LINE_END && reader->line == 1);
    CHECK(text_next(reader, 1) == TEXT_LINE_END && reader->line == 1);
    CHECK(text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, "c") == 0);
    CHECK(reader->line == 4);
    CHECK(text_next(reader, 1) == TEXT_LINE_END);
    CHECK(text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, "\"f") == 0);
    CHECK(reader->line == 5);
    CHECK(text_next(reader, 1) == TEXT_END);
    CHECK(text_next(reader, 0) == TEXT_END);
    finish(reader);
}

TEST(long_words_and_zero_bytes)
{
    static char text[3 * TEXT_WORD_SIZE];
    memset(text, '7', sizeof text);
    text[TEXT_WORD_SIZE - 1] = ' '; /* one word that just fits, then one that does not */
    text[sizeof text - 4] = '\n';   /* then 7, byte 0, 7 */
    text[sizeof text - 2] = '\0';
    struct text_reader *reader = reader_of(text, sizeof text, BLOCK);
    CHECK(text_next(reader, 0) == TEXT_WORD && strlen(reader->word) == TEXT_WORD_SIZE - 1);
    CHECK(text_next(reader, 0) == TEXT_TOO_LONG_WORD && strlen(reader->word) == TEXT_WORD_SIZE - 1);
    while (text_next(reader, 1) == TEXT_TOO_LONG_WORD)
        ; /* what is left of it */
    CHECK(text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, "7?7") == 0);
    CHECK(text_next(reader, 0) == TEXT_END);
    finish(reader);
}

/* The next word is `word`, on line `line`. */
static int is_next(struct text_reader *reader, const char *word, size_t line)
{
    return text_next(reader, 0) == TEXT_WORD && strcmp(reader->word, word) == 0 &&
           reader->line == line;
}

/* Blocks may end anywhere: in a word, a comment, a line end. */
TEST(nothing_happens_where_blocks_end)
{
    static const char piece[] = "123 45#c#\r\n-6.5e7\n#\n8";
    static char text[BLOCK + sizeof piece];
    for (size_t offset = 0; offset < sizeof piece; offset++) {
        size_t start = BLOCK - offset;
        memset(text, ' ', start);
        memcpy(text + start, piece, sizeof piece - 1);
        struct text_reader *reader = reader_of(text, start + sizeof piece - 1, BLOCK);
        CHECK(is_next(reader, "123", 1) && is_next(reader, "45", 1));
        CHECK(text_next(reader, 1) == TEXT_LINE_END);
        CHECK(is_next(reader, "-6.5e7", 2) && is_next(reader, "8", 4));
        CHECK(text_next(reader, 1) == TEXT_END && text_next(reader, 0) == TEXT_END);
        finish(reader);
    }
}

TEST(long_words_where_blocks_end)
{
    static char text[2 * BLOCK];
    for (size_t length = TEXT_WORD_SIZE - 2; length <= TEXT_WORD_SIZE + 1; length++) {
        for (size_t before = TEXT_WORD_SIZE - 3; before <= TEXT_WORD_SIZE + 2; before++) {
            size_t start = BLOCK - before;
            memset(text, ' ', sizeof text);
            memset(text + start, '7', length);
            struct text_reader *reader =
                reader_of(text, start + length + (before % 2 ? 1 : 0), BLOCK);
            int fits = length < TEXT_WORD_SIZE;
            CHECK(text_next(reader, 0) == (fits ? TEXT_WORD : TEXT_TOO_LONG_WORD));
            CHECK(strlen(reader->word) == (fits ? length : TEXT_WORD_SIZE - 1));
            CHECK(text_next(reader, 0) == (fits ? TEXT_END : TEXT_WORD));
            finish(reader);
        }
    }
}

/* Text from a pipe is read at once, however little: the alarm would end the program. */
TEST(a_pipe_is_not_waited_for)
{
    int ends[2];
    if (!CHECK(pipe(ends) == 0))
        return;
    struct text_reader *reader = reader_of("", 0, BLOCK);
    CHECK(dup2(ends[0], reader->descriptor) >= 0);
    alarm(60);
    CHECK(write(ends[1], "1\n2", 3) == 3);
    CHECK(is_next(reader, "1", 1) && text_next(reader, 1) == TEXT_LINE_END);
    CHECK(write(ends[1], "3 ", 2) == 2);
    CHECK(is_next(reader, "23", 2));
    close(ends[0]);
    close(ends[1]);
    CHECK(text_next(reader, 0) == TEXT_END && text_next(reader, 0) == TEXT_END);
    alarm(0);
    finish(reader);
}

/* As on a terminal, where the end is only said, and typing may go on. */
TEST(the_end_stays_the_end)
{
    struct text_reader *reader = reader_of("1", 1, BLOCK);
    CHECK(is_next(reader, "1", 1));
    scratch_write("text", "12");
    CHECK(text_next(reader, 0) == TEXT_END);
    finish(reader);
}

TEST(read_errors_are_told_from_the_end)
{
    struct text_reader *reader;
    if (text_reader_open(&reader, "/", "a test", &failure))
        return; /* a system that does not open directories */
    CHECK(text_next(reader, 0) == TEXT_UNREADABLE && reader->failure == EISDIR);
    CHECK(text_next(reader, 1) == TEXT_UNREADABLE && reader->failure == EISDIR);
    CHECK(text_reader_close(reader, STATUS_BAD_DATA, "f", &failure) == STATUS_NO_INPUT);
    CHECK(strncmp(failure.message, "f: cannot read: ", 16) == 0);
}

TEST(a_file_that_is_missing)
{
    struct error error = {""};
    struct text_reader *reader;
    CHECK(text_reader_open(&reader, "missing", "a test", &error) == STATUS_NO_INPUT);
    CHECK(!reader && strncmp(error.message, "missing: cannot open: ", 22) == 0);
}

TEST(a_full_disk_is_noticed)
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
