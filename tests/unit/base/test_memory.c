/* Tests of checked allocation. */
#include "base/memory.h"
#include "check.h"

#include <string.h>

static void test_products_that_overflow_fail(void)
{
    struct error error = {""};
    CHECK(memory_allocate(SIZE_MAX / 2, 3, "things", &error) == NULL);
    CHECK(strstr(error.message, "things") != NULL);
    CHECK(memory_allocate(SIZE_MAX / 16 + 2, 16, "things", &error) == NULL);
    error.message[0] = '\0';
    CHECK(memory_allocate_lines(SIZE_MAX / 16 + 2, 16, "lines", &error) == NULL);
    CHECK(strstr(error.message, "lines") != NULL);
}

static void test_lines_begin_with_a_line_of_the_cache(void)
{
    struct error error;
    const size_t counts[] = {0, 1, 1000, 1 << 20};
    for (int k = 0; k < 4; k++) {
        void *block = memory_allocate_lines(counts[k], 3, "lines", &error);
        CHECK(block != NULL && (uintptr_t)block % 64 == 0);
        memory_free(block);
    }
}

static void test_growing_keeps_the_contents(void)
{
    struct error error;
    int *numbers = memory_allocate(3, sizeof *numbers, "numbers", &error);
    CHECK(numbers != NULL);
    numbers[2] = 7;
    numbers = memory_resize(numbers, 1000, sizeof *numbers, "numbers", &error);
    CHECK(numbers != NULL && numbers[2] == 7);
    memory_free(numbers);
}

static void test_nothing_is_a_block_too(void)
{
    struct error error;
    void *block = memory_allocate(0, 8, "nothing", &error);
    CHECK(block != NULL);
    memory_free(block);
    memory_free(NULL);
}

static void test_sizes_read_as_people_say_them(void)
{
    char text[MEMORY_TEXT_SIZE];
    CHECK(strcmp(memory_text(text, 999), "999 bytes") == 0);
    CHECK(strcmp(memory_text(text, 80.04e9), "80.0 GB") == 0);
    CHECK(strcmp(memory_text(text, 3.7e39), "3700000000000000.0 YB") == 0);
}

static void test_physical_memory_is_known(void)
{
    CHECK(memory_physical() > 1e6);
}

int main(void)
{
    RUN(test_products_that_overflow_fail);
    RUN(test_lines_begin_with_a_line_of_the_cache);
    RUN(test_growing_keeps_the_contents);
    RUN(test_nothing_is_a_block_too);
    RUN(test_sizes_read_as_people_say_them);
    RUN(test_physical_memory_is_known);
    return check_finish();
}
