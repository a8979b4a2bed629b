/* Tests of the messages. */
#include "base/error.h"
#include "check.h"

TEST(set_formats_and_returns_the_status)
{
    CHECK(error_set(&failure, STATUS_BAD_DATA, "%d of %s", 3, "four") == STATUS_BAD_DATA);
    CHECK(strcmp(failure.message, "3 of four") == 0);
}

TEST(locate_puts_file_and_line_first)
{
    error_set(&failure, STATUS_BAD_DATA, "no");
    error_locate(&failure, STATUS_USAGE, "input.txt", 12);
    CHECK(strcmp(failure.message, "input.txt:12: no") == 0);
    error_set(&failure, STATUS_BAD_DATA, "no");
    error_locate(&failure, STATUS_USAGE, "input.txt", 0);
    CHECK(strcmp(failure.message, "input.txt: no") == 0);
}

TEST(append_puts_text_last)
{
    error_set(&failure, STATUS_BAD_DATA, "no");
    error_append(&failure, " %d, %s", 3, "four");
    CHECK(strcmp(failure.message, "no 3, four") == 0);
}

TEST(long_messages_are_cut_not_overrun)
{
    static char text[3 * ERROR_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    error_set(&failure, STATUS_USAGE, "%s", text);
    CHECK(strlen(failure.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&failure, STATUS_USAGE, "f", 1);
    CHECK(strlen(failure.message) == ERROR_MESSAGE_SIZE - 1);
    CHECK(strncmp(failure.message, "f:1: xxx", 8) == 0);
    error_append(&failure, "more");
    CHECK(strlen(failure.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&failure, STATUS_USAGE, text, 1);
    CHECK(strlen(failure.message) == ERROR_MESSAGE_SIZE - 1);
}
