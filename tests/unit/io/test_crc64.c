/* Tests of the CRC, against values from other programs and against bit by bit division. */
#include "check.h"
#include "io/record.h"

#include <inttypes.h>

/* True if the CRC of bytes that are added in two parts is `expected`. */
static int has_crc(const char *bytes, size_t cut, size_t count, uint64_t expected)
{
    struct crc64 crc64;
    char text[CRC64_TEXT_SIZE];
    char expected_text[CRC64_TEXT_SIZE];
    crc64_begin(&crc64);
    crc64_add(&crc64, bytes, cut);
    crc64_add(&crc64, bytes + cut, count - cut);
    snprintf(expected_text, sizeof expected_text, "%016" PRIx64, expected);
    return strcmp(crc64_text(&crc64, text), expected_text) == 0;
}

TEST(known_values)
{
    CHECK(has_crc("123456789", 0, 9, 0x995dc9bbdf1939fau)); /* the check value of CRC-64/XZ */
    CHECK(has_crc("", 0, 0, 0));
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

TEST(any_length_and_any_cut)
{
    unsigned char bytes[100];
    for (unsigned k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * k * 7 + 13 * k + 200);
    for (size_t length = 0; length <= sizeof bytes; length++)
        for (size_t cut = 0; cut <= length; cut++)
            CHECK(has_crc((const char *)bytes, cut, length, divide(bytes, length)));
}
