/* Tests of checked allocation. */
#include "check.h"

TEST(products_that_overflow_fail)
{
    struct error error = {""};
    CHECK(memory_allocate(SIZE_MAX / 2, 3, "things", &error) == NULL);
    CHECK(strstr(error.message, "things") != NULL);
    CHECK(memory_allocate(SIZE_MAX / 16 + 2, 16, "things", &error) == NULL);
    error.message[0] = '\0';
    CHECK(memory_allocate_lines(SIZE_MAX / 16 + 2, 16, "lines", &error) == NULL);
    CHECK(strstr(error.message, "lines") != NULL);
}

TEST(lines_begin_with_a_line_of_the_cache)
{
    const size_t counts[] = {0, 1, 1000, 1 << 20};
    for (int k = 0; k < 4; k++) {
        void *block = memory_allocate_lines(counts[k], 3, "lines", &failure);
        CHECK(block != NULL && (uintptr_t)block % 64 == 0);
        memory_free(block);
    }
}

TEST(zeros_are_zero)
{
    struct error error = {""};
    const size_t counts[] = {0, 1, 1000, 1 << 21};
    for (int k = 0; k < 4; k++) {
        char *block = memory_allocate_zeros(counts[k], 16, "zeros", &error);
        if (!CHECK(block != NULL))
            continue;
        for (size_t m = 0; m < 16 * counts[k]; m += 97)
            CHECK(block[m] == 0);
        memory_free(block);
    }
    CHECK(memory_allocate_zeros(SIZE_MAX / 16 + 2, 16, "zeros", &error) == NULL);
    CHECK(strstr(error.message, "zeros") != NULL);
}

TEST(growing_keeps_the_contents)
{
    int *numbers = memory_allocate(3, sizeof *numbers, "numbers", &failure);
    CHECK(numbers != NULL);
    numbers[2] = 7;
    numbers = memory_resize(numbers, 1000, sizeof *numbers, "numbers", &failure);
    CHECK(numbers != NULL && numbers[2] == 7);
    memory_free(numbers);
}

TEST(nothing_is_a_block_too)
{
    void *block = memory_allocate(0, 8, "nothing", &failure);
    CHECK(block != NULL);
    memory_free(block);
    memory_free(NULL);
}

TEST(sizes_read_as_people_say_them)
{
    char text[MEMORY_TEXT_SIZE];
    CHECK(strcmp(memory_text(text, 999), "999 bytes") == 0);
    CHECK(strcmp(memory_text(text, 80.04e9), "80.0 GB") == 0);
    CHECK(strcmp(memory_text(text, 3.7e39), "3700000000000000.0 YB") == 0);
}

TEST(physical_memory_is_known)
{
    CHECK(memory_physical() > 1e6);
}
