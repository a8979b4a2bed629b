/* Tests of systems as text. That the reader takes it is tested with those who write it: the
 * generator and the final state. */
#include "input/input.h"

#include "check.h"

/* Whether a system becomes this text. */
static int becomes(const struct system *system, const struct input_decimals *decimals,
                   const char *expected)
{
    char text[200] = "";
    FILE *stream = tmpfile();
    if (!CHECK(stream != NULL))
        return 0;
    CHECK(input_write(system, decimals, stream, "a file", &failure) == STATUS_DONE);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return strcmp(text, expected) == 0;
}

static struct particle particles[] = {{.x = 0.1, .y = 1e-7, .u = -2, .v = 1.0 / 3},
                                      {.x = 3, .y = 4e20, .u = 0.25, .v = 5e-9, .kind = 1}};

static const struct input_decimals all_digits = {{0}, {0}};

TEST(plain_particles)
{
    const struct input_decimals few = {{.places = 7, .scale = 1e7}, {.places = 2, .scale = 100}};
    struct system system = SYSTEM(2, 10, 1e21, .radius = 0.5, .particles = particles);
    CHECK(becomes(&system, &all_digits,
                  "2\n0.5\n10 1e+21\n0.1 1e-07 -2 0.333333333333333\n3 4e+20 0.25 5e-09\n") ==
          0); /* that is 0.333..., but not to the bit */
    CHECK(becomes(&system, &all_digits,
                  "2\n0.5\n10 1e+21\n0.1 1e-07 -2 0.33333333333333331\n3 4e+20 0.25 5e-09\n"));
    CHECK(becomes(&system, &few,
                  "2\n0.5\n10 1e+21\n0.1 0.0000001 -2 0.33333333333333331\n3 4e+20 0.25 5e-09\n"));
}

/* One that differs, and all have the columns for it. */
TEST(kinds)
{
    struct particle_kind kinds[] = {{0.5, 1, 0}, {1e-40, 1e40, 2147483647}};
    struct system system = SYSTEM(2, 10, 1e21, .radius = 0.5, .boundary.periodic = PERIODIC_X,
                                  .particles = particles, .kinds = kinds, .kind_count = 2);
    CHECK(becomes(&system, &all_digits,
                  "2\n0.5\n10 1e+21\n0.1 1e-07 -2 0.33333333333333331 0.5 1 0\n"
                  "3 4e+20 0.25 5e-09 1e-40 1e+40 2147483647\n"));
}

TEST(a_full_disk)
{
    struct system system = SYSTEM(2, 10, 8, .radius = 0.5, .particles = particles);
    FILE *stream = fopen("/dev/full", "w");
    if (!stream)
        return; /* a system without it */
    CHECK(input_write(&system, &all_digits, stream, "a file", &failure) == STATUS_CANNOT_WRITE);
    CHECK(strstr(failure.message, "a file: cannot write: ") == failure.message);
    fclose(stream);
}
