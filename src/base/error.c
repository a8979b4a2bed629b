/* Messages and exit statuses; see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

void error_append(struct error *error, const char *format, ...)
{
    size_t used = strlen(error->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    va_end(arguments);
}

enum status error_locate(struct error *error, enum status status, const char *file, size_t line)
{
    if (!status)
        return status;
    const struct error bare = *error;
    return line > 0 ? error_set(error, status, "%s:%zu: %s", file, line, bare.message)
                    : error_set(error, status, "%s: %s", file, bare.message);
}

struct error_number show_exactly(double number)
{
    struct error_number shown;
    int digits = 14;
    do
        snprintf(shown.text, sizeof shown.text, "%.*g", ++digits, number);
    while (digits < 17 && strtod(shown.text, NULL) != number);
    return shown;
}

void error_print(const struct error *error)
{
    char line[ERROR_MESSAGE_SIZE];
    size_t length = strlen(error->message);
    for (size_t k = 0; k <= length; k++) {
        unsigned char character = (unsigned char)error->message[k];
        int is_control = (character != 0 && character < 0x20) || character == 0x7f;
        line[k] = is_control ? '?' : error->message[k];
    }
    fprintf(stderr, "particles: %s\n", line);
}
