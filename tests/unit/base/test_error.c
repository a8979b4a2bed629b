/* Tests of the messages. */
#include "base/error.h"
#include "check.h"

#include <string.h>

TEST(set_formats_and_returns_the_status)
{
    struct error error;
    CHECK(error_set(&error, STATUS_BAD_DATA, "%d of %s", 3, "four") == STATUS_BAD_DATA);
    CHECK(strcmp(error.message, "3 of four") == 0);
}

TEST(locate_puts_file_and_line_first)
{
    struct error error;
    error_set(&error, STATUS_BAD_DATA, "no");
    error_locate(&error, STATUS_USAGE, "input.txt", 12);
    CHECK(strcmp(error.message, "input.txt:12: no") == 0);
    error_set(&error, STATUS_BAD_DATA, "no");
    error_locate(&error, STATUS_USAGE, "input.txt", 0);
    CHECK(strcmp(error.message, "input.txt: no") == 0);
}

TEST(append_puts_text_last)
{
    struct error error;
    error_set(&error, STATUS_BAD_DATA, "no");
    error_append(&error, " %d, %s", 3, "four");
    CHECK(strcmp(error.message, "no 3, four") == 0);
}

TEST(long_messages_are_cut_not_overrun)
{
    static char text[3 * ERROR_MESSAGE_SIZE];
    struct error error;
    memset(text, 'x', sizeof text - 1);
    error_set(&error, STATUS_USAGE, "%s", text);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&error, STATUS_USAGE, "f", 1);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    CHECK(strncmp(error.message, "f:1: xxx", 8) == 0);
    error_append(&error, "more");
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
    error_locate(&error, STATUS_USAGE, text, 1);
    CHECK(strlen(error.message) == ERROR_MESSAGE_SIZE - 1);
}
