/* Tests of binary data as text. */
#include "check.h"
#include "io/base64.h"

#include <string.h>

enum { TEXT_SIZE = 1000 };

/* What `count` bytes become. */
static const char *encode(const void *bytes, size_t count, char text[TEXT_SIZE])
{
    struct base64 base64 = {.stream = tmpfile()};
    text[0] = '\0';
    if (CHECK(base64.stream != NULL)) {
        base64_put(&base64, bytes, count);
        base64_finish(&base64);
        rewind(base64.stream);
        text[fread(text, 1, TEXT_SIZE - 1, base64.stream)] = '\0';
        fclose(base64.stream);
    }
    return text;
}

/* RFC 4648, section 10. */
static void test_the_standard_s_examples(void)
{
    char text[TEXT_SIZE];
    CHECK(strcmp(encode("", 0, text), "") == 0);
    CHECK(strcmp(encode("f", 1, text), "Zg==\n") == 0);
    CHECK(strcmp(encode("fo", 2, text), "Zm8=\n") == 0);
    CHECK(strcmp(encode("foo", 3, text), "Zm9v\n") == 0);
    CHECK(strcmp(encode("foob", 4, text), "Zm9vYg==\n") == 0);
    CHECK(strcmp(encode("fooba", 5, text), "Zm9vYmE=\n") == 0);
    CHECK(strcmp(encode("foobar", 6, text), "Zm9vYmFy\n") == 0);
    CHECK(strcmp(encode("\xff\xef\xbe", 3, text), "/+++\n") == 0);
}

static void test_lines(void)
{
    char text[TEXT_SIZE];
    char bytes[BASE64_LINE + 1] = {0};
    encode(bytes, sizeof bytes, text);
    CHECK(strlen(text) == BASE64_LINE / 3 * 4 + 1 + 5);
    CHECK(text[BASE64_LINE / 3 * 4] == '\n');
    CHECK(strcmp(text + BASE64_LINE / 3 * 4 + 1, "AA==\n") == 0);
    CHECK(strlen(encode(bytes, BASE64_LINE, text)) == BASE64_LINE / 3 * 4 + 1);
}

/* The same bytes on every machine, the lowest first. */
static void test_numbers(void)
{
    unsigned char bytes[8];
    base64_store_double(bytes, 1.5);
    CHECK(memcmp(bytes, "\0\0\0\0\0\0\xf8\x3f", 8) == 0);
    base64_store_float(bytes, -2.0f);
    CHECK(memcmp(bytes, "\0\0\0\xc0", 4) == 0);
    base64_store_32(bytes, 0x01020304);
    CHECK(memcmp(bytes, "\4\3\2\1", 4) == 0);
    base64_store_16(bytes, 0x0102);
    CHECK(memcmp(bytes, "\2\1", 2) == 0);

    char text[TEXT_SIZE];
    struct base64 base64 = {.stream = tmpfile()};
    if (!CHECK(base64.stream != NULL))
        return;
    base64_put_int32(&base64, -1);
    base64_put_double(&base64, 1.5);
    base64_finish(&base64);
    rewind(base64.stream);
    text[fread(text, 1, TEXT_SIZE - 1, base64.stream)] = '\0';
    fclose(base64.stream);
    CHECK(strcmp(text, "/////wAAAAAAAPg/\n") == 0);
}

int main(void)
{
    RUN(test_the_standard_s_examples);
    RUN(test_lines);
    RUN(test_numbers);
    return check_finish();
}
