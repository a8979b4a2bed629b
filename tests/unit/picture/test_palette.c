/* Tests of the colours. */
#include "check.h"
#include "picture/palette.h"

#include <math.h>

static int is_colour(struct colour colour, int red, int green, int blue)
{
    return colour.red == red && colour.green == green && colour.blue == blue;
}

static void test_quantities(void)
{
    CHECK(is_colour(palette_quantity(0), 0x44, 0x01, 0x54));
    CHECK(is_colour(palette_quantity(1), 0xfd, 0xe7, 0x25));
    CHECK(is_colour(palette_quantity(1.0 / 9), 0x48, 0x28, 0x78));
    CHECK(is_colour(palette_quantity(1.0 / 18), 0x46, 0x15, 0x66)); /* halfway between stops */
    CHECK(is_colour(palette_quantity(-1), 0x44, 0x01, 0x54));
    CHECK(is_colour(palette_quantity(7), 0xfd, 0xe7, 0x25));
    CHECK(is_colour(palette_quantity((double)NAN), 0x44, 0x01, 0x54));
}

/* The eye tells more from less by how light it is. */
static void test_more_is_lighter(void)
{
    double last = -1;
    for (int k = 0; k <= 1000; k++) {
        struct colour c = palette_quantity(k / 1000.0);
        double luma = 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue;
        CHECK(luma > last - 1); /* but for rounding */
        last = luma;
    }
    CHECK(last > 200);
}

static void test_kinds_differ(void)
{
    for (size_t a = 0; a < PALETTE_KINDS; a++)
        for (size_t b = 0; b < a; b++) {
            struct colour one = palette_kind(a);
            struct colour other = palette_kind(b);
            CHECK(!is_colour(one, other.red, other.green, other.blue));
        }
    struct colour first = palette_kind(0);
    CHECK(is_colour(palette_kind(PALETTE_KINDS), first.red, first.green, first.blue));
}

int main(void)
{
    RUN(test_quantities);
    RUN(test_more_is_lighter);
    RUN(test_kinds_differ);
    return check_finish();
}
