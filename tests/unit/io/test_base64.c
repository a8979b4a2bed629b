/* Tests of base64, against the vectors of RFC 4648, section 10. */
#include "check.h"
#include "io/number.h"

/* Puts bytes, one by one and at once, and compares the lines. */
static void check_bytes(const char *bytes, size_t count, const char *expected)
{
    for (int is_split = 0; is_split < 2; is_split++) {
        char text[300] = "";
        FILE *stream = tmpfile();
        if (!CHECK(stream != NULL))
            return;
        struct base64 base64 = {.stream = stream};
        for (size_t k = 0; k < count; k += is_split ? 1 : count)
            base64_put(&base64, bytes + k, is_split ? 1 : count);
        base64_end(&base64);
        rewind(stream);
        CHECK(fread(text, 1, sizeof text - 1, stream) == strlen(expected));
        CHECK(strcmp(text, expected) == 0);
        fclose(stream);
    }
}

TEST(vectors)
{
    static const char *const encoded[] = {"",           "Zg==\n",     "Zm8=\n",    "Zm9v\n",
                                          "Zm9vYg==\n", "Zm9vYmE=\n", "Zm9vYmFy\n"};
    for (size_t k = 0; k < sizeof encoded / sizeof *encoded; k++)
        check_bytes("foobar", k, encoded[k]);
}

/* A line has 96 bytes. */
TEST(lines)
{
    char expected[300] = "";
    memset(expected, 'A', 128);
    strcat(expected, "\n");
    check_bytes((const char[96]){0}, 96, expected);
    strcat(expected, "AA==\n");
    check_bytes((const char[97]){0}, 97, expected);
}

TEST(numbers)
{
    unsigned char bytes[4];
    base64_store(bytes, 4, 0x01020304);
    CHECK(memcmp(bytes, "\4\3\2\1", 4) == 0);
    base64_store_float(bytes, 1.5F);
    CHECK(memcmp(bytes, "\0\0\xc0\x3f", 4) == 0);
}
