/* Tests of the messages. */
#include "base/error.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

static void test_set_formats_and_returns_the_status(void)
{
    struct error error;
    CHECK(error_set(&error, STATUS_BAD_DATA, "%d of %s", 3, "four") == STATUS_BAD_DATA);
    CHECK(strcmp(error.message, "3 of four") == 0);
}

static void test_locate_puts_file_and_line_first(void)
{
    struct error error;
    error_set(&error, STATUS_BAD_DATA, "no");
    error_locate(&error, "input.txt", 12);
    CHECK(strcmp(error.message, "input.txt:12: no") == 0);
    error_set(&error, STATUS_BAD_DATA, "no");
    error_locate(&error, "input.txt", 0);
    CHECK(strcmp(error.message, "input.txt: no") == 0);
}

static void test_append_puts_text_last(void)
{
    struct error error;
    error_set(&error, STATUS_BAD_DATA, "no");
    error_append(&error, " %d, %s", 3, "four");
    CHECK(strcmp(error.message, "no 3, four") == 0);
}

static void test_long_messages_are_cut_not_overrun(void)
{
    static char text[3 * ERROR_MESSAGE_SIZE];
    struct error error;
    memset(text, 'x', sizeof text - 1);
    error_set(&error, STATUS_USAGE, "%s", text);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&error, "f", 1);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    CHECK(strncmp(error.message, "f:1: xxx", 8) == 0);
    error_append(&error, "more");
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&error, text, 1);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
}

int main(void)
{
    RUN(test_set_formats_and_returns_the_status);
    RUN(test_locate_puts_file_and_line_first);
    RUN(test_append_puts_text_last);
    RUN(test_long_messages_are_cut_not_overrun);
    return check_finish();
}
