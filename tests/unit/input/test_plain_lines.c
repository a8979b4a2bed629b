/* Tests of reading many lines at a time, on one thread and several: the system, or the message, is
 * that of the reader that takes one word after the other. It reads the same file with a comment on
 * each line, for then no line is plain. */
#include "check.h"
#include "input/input.h"
#include "io/text.h"

enum { ROOM = 1 << 14 };

struct text {
    char bytes[ROOM];
    size_t size;
};

static void append(struct text *text, const char *string)
{
    const size_t length = strlen(string);
    memcpy(text->bytes + text->size, string, length);
    text->size += length;
}

/* One of several strings, the first most often. */
static const char *choose(struct random_generator *random, const char *const *strings, size_t count)
{
    return strings[random_below(random, 4) ? 0 : random_below(random, count)];
}

static void append_number(struct text *text, struct random_generator *random, double value)
{
    static const char *const formats[] = {"%.9f", "%g", "%.17g", "%.3e", "%+.1f", "%.20f", "%a"};
    char number[64];
    snprintf(number, sizeof number, choose(random, formats, 7), value);
    append(text, number);
}

/* A file of particles on a lattice, written in many ways. In some of them there is what makes a
 * line unusual. */
static void write_particles(struct text *text, struct random_generator *random, size_t count)
{
    static const char *const separators[] = {" ", "\t", "  ", " \f\v", "\r "};
    static const char *const ends[] = {"\n", " \n", "\t\r\n", "\r\n"};
    static const char *const unusual[] = {"", "", "\n", "# a comment\n", "#\n", "   \n"};
    const int is_plain = random_below(random, 2) == 0;
    const int overlaps = random_below(random, 4) == 0; /* the last one and another */
    const size_t other = random_below(random, count);
    for (size_t k = 0; k < count; k++) {
        const size_t place = overlaps && k + 1 == count ? other : k;
        const double values[4] = {(double)(1 + place % 10), (double)(1 + place / 10),
                                  random_unit(random) - 0.5, 1e-3 * random_unit(random)};
        if (random_below(random, 8) == 0)
            append(text, choose(random, separators, 5));
        for (size_t column = 0; column < 4; column++) {
            append_number(text, random, values[column] + 0.01 * random_unit(random));
            if (column < 3)
                append(text, choose(random, separators, 5));
            if (column < 3 && !is_plain && random_below(random, 100) == 0)
                append(text, "\n");
        }
        if (!is_plain && random_below(random, 20) == 0)
            append(text, random_below(random, 2) ? " 0.3" : " 0.4 1 7");
        append(text, choose(random, ends, 4));
        if (!is_plain)
            append(text, choose(random, unusual, 6));
    }
}

/* Changes, takes away or repeats something anywhere after the first lines. */
static void damage(struct text *text, struct random_generator *random, size_t begin)
{
    static const char bytes[] = "\n #x.e-+\0\r9,";
    const size_t place = begin + random_below(random, text->size - begin);
    char *at = text->bytes + place;
    switch (random_below(random, 5)) {
    case 0:
        *at = bytes[random_below(random, sizeof bytes - 1)];
        break;
    case 1:
        memmove(at, at + 1, text->size - place - 1);
        text->size--;
        break;
    case 2:
        text->size = place;
        break;
    case 3:
        memmove(at + 1, at, text->size - place);
        *at = bytes[random_below(random, sizeof bytes - 1)];
        text->size++;
        break;
    default: /* too far away, or too long a word */
        memmove(at + 1200, at, text->size - place);
        memset(at, '0' + (int)random_below(random, 2), 1200);
        text->size += 1200;
    }
}

static struct text make_text(struct random_generator *random)
{
    struct text text = {.size = 0};
    const size_t count = 1 + random_below(random, 60);
    const size_t wrong = random_below(random, 8); /* lines too few or too many */
    char head[64];
    snprintf(head, sizeof head, "%s%zu\n0.4%s\n20 20\n",
             random_below(random, 8) ? "" : "\xEF\xBB\xBF", wrong == 0 ? count + 1 : count,
             random_below(random, 8) ? "" : "9");
    append(&text, head);
    const size_t begin = text.size;
    write_particles(&text, random, wrong == 1 ? count + 1 : count);
    if (random_below(random, 4) == 0)
        text.size--; /* the last line end */
    if (random_below(random, 3) == 0)
        damage(&text, random, begin);
    return text;
}

/* A file with a comment on each line. */
static struct text comment(const struct text *text)
{
    static struct text commented;
    commented.size = 0;
    for (size_t k = 0; k < text->size; k++) {
        if (text->bytes[k] == '\n')
            append(&commented, " #");
        commented.bytes[commented.size++] = text->bytes[k];
    }
    return commented;
}

/* The result of reading a file. */
struct result {
    enum status status;
    struct system system;
    struct error error;
};

static void read_text(const struct text *text, const struct input_request *request,
                      unsigned periodic, struct result *result)
{
    FILE *stream = fopen(request->path, "w");
    if (!CHECK(stream != NULL))
        exit(EXIT_FAILURE);
    fwrite(text->bytes, 1, text->size, stream);
    fclose(stream);
    *result = (struct result){.system = {.law.rule = RULE_ELASTIC, .boundary.periodic = periodic}};
    result->status = input_read(request, &result->system, &result->error);
}

static int are_equal(const struct result *a, const struct result *b)
{
    const struct system *s = &a->system;
    const struct system *t = &b->system;
    if (a->status != b->status)
        return 0;
    if (a->status)
        return strcmp(a->error.message, b->error.message) == 0;
    for (size_t k = 0; k < s->kind_count && s->kind_count == t->kind_count; k++)
        if (s->kinds[k].radius != t->kinds[k].radius)
            return 0;
    return s->count == t->count && s->kind_count == t->kind_count &&
           memcmp(s->particles, t->particles, s->count * sizeof *s->particles) == 0;
}

RANDOM_TEST(threads_and_lines_give_the_same_as_words, 3)
{
    static struct result expected;
    static struct result result;
    const int rounds = check_is_thorough() ? 6000 : 100;
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
        const struct text text = make_text(random);
        const struct text commented = comment(&text);
        const unsigned periodic = (unsigned)random_below(random, 4);
        const struct input_request alone = {.path = "plain", .threads.count = 1};
        read_text(&commented, &alone, periodic, &expected);
        refused += expected.status != STATUS_DONE;
        for (unsigned count = 1; count <= 3; count++) {
            const struct input_request threads = {.path = "plain",
                                                  .threads.count = count,
                                                  .block_size = 1 + random_below(random, 300)};
            read_text(&text, &threads, periodic, &result);
            if (!CHECK(are_equal(&expected, &result)))
                printf("    round %d, %u threads, blocks of %zu\n%s\n%s\n", round, count,
                       threads.block_size, expected.error.message, result.error.message);
            system_free(&result.system);
        }
        system_free(&expected.system);
    }
    CHECK(refused > rounds / 5 && refused < rounds * 4 / 5);
}

/* Blocks of all sizes up to that of the file, so that borders come to be everywhere. */
RANDOM_TEST(borders_of_blocks_everywhere, 4)
{
    static struct text text;
    static struct result expected;
    static struct result result;
    const size_t count = check_is_thorough() ? 12 : 4;
    char head[64];
    snprintf(head, sizeof head, "%zu\n0.4\n20 20\n", count);
    text.size = 0;
    append(&text, head);
    write_particles(&text, random, count);
    const struct input_request alone = {.path = "plain", .threads.count = 1};
    read_text(&text, &alone, 0, &expected);
    CHECK(expected.status == STATUS_DONE);
    for (size_t size = 1; size <= text.size; size++) {
        const struct input_request threads = {
            .path = "plain", .threads.count = 2, .block_size = size};
        read_text(&text, &threads, 0, &result);
        CHECK(are_equal(&expected, &result));
        system_free(&result.system);
    }
    system_free(&expected.system);
}

/* Numbers with as many digits as a word may have, and one more. */
TEST(the_longest_words)
{
    static struct text text;
    static struct result expected;
    static struct result result;
    const struct input_request alone = {.path = "plain", .threads.count = 1};
    for (size_t length = TEXT_WORD_SIZE - 5; length < TEXT_WORD_SIZE + 2; length++) {
        text.size = 0;
        append(&text, "2\n0.4\n20 20\n1 1 1 1\n");
        memset(text.bytes + text.size, '0', length - 1);
        text.size += length - 1;
        append(&text, "5 5 1 1\n");
        const struct text commented = comment(&text);
        read_text(&text, &alone, 0, &result);
        read_text(&commented, &alone, 0, &expected);
        CHECK((result.status == STATUS_DONE) == (length < TEXT_WORD_SIZE));
        CHECK(are_equal(&expected, &result));
        system_free(&expected.system);
        system_free(&result.system);
    }
}
