/* Tests of the CRC, against values from other programs and against bit by bit division. */
#include "check.h"
#include "io/crc64.h"

#include <string.h>

static uint64_t crc64_of(const void *bytes, size_t count)
{
    struct crc64 crc64;
    crc64_begin(&crc64);
    crc64_add(&crc64, bytes, count);
    return crc64_value(&crc64);
}

static void test_known_values(void)
{
    char text[CRC64_TEXT_SIZE];
    CHECK(crc64_of("123456789", 9) == 0x995dc9bbdf1939fau); /* the check value of CRC-64/XZ */
    CHECK(crc64_of("", 0) == 0);
    CHECK(strcmp(crc64_text(text, 0x0123456789abcdefu), "0123456789abcdef") == 0);
    CHECK(strcmp(crc64_text(text, 0), "0000000000000000") == 0);
}

/* The definition: one bit at a time, highest first, in the bits' usual order. */
static uint64_t divide(const unsigned char *bytes, size_t count)
{
    uint64_t remainder = ~(uint64_t)0;
    uint64_t reflected = 0;
    for (size_t k = 0; k < count; k++) {
        for (int bit = 0; bit < 8; bit++) {
            uint64_t top = (remainder >> 63) ^ (bytes[k] >> bit & 1);
            remainder = (remainder << 1) ^ (top ? 0x42f0e1eba9ea3693u : 0);
        }
    }
    for (int bit = 0; bit < 64; bit++)
        reflected |= (remainder >> bit & 1) << (63 - bit);
    return ~reflected;
}

static void test_any_length_and_any_cut(void)
{
    unsigned char bytes[100];
    for (unsigned k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * k * 7 + 13 * k + 200);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        uint64_t expected = divide(bytes, length);
        CHECK(crc64_of(bytes, length) == expected);
        for (size_t cut = 0; cut <= length; cut++) {
            struct crc64 crc64;
            crc64_begin(&crc64);
            crc64_add(&crc64, bytes, cut);
            crc64_add(&crc64, bytes + cut, length - cut);
            CHECK(crc64_value(&crc64) == expected);
        }
    }
}

int main(void)
{
    RUN(test_known_values);
    RUN(test_any_length_and_any_cut);
    return check_finish();
}
