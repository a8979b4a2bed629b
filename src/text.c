/*
 * Numbers, words and checked writing; see text.h.
 */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *text_number(const char *text, double *value)
{
    char *end = NULL;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]))
        return "is not a number";
    if (fabs(number) < DBL_MIN && (number != 0 || errno == ERANGE))
        return "is closer to zero than a double can tell";
    if (!isfinite(number))
        return "is not finite";
    *value = number;
    return NULL;
}

const char *text_whole_number(const char *text, uint64_t *value)
{
    uint64_t number = 0;
    if (*text == '\0')
        return "is not a whole number";
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return "is not a whole number";
        uint64_t digit = (uint64_t)(*text - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return "is too large";
        number = number * 10 + digit;
    }
    *value = number;
    return NULL;
}

static int is_white_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* Passes over what is left of a comment and returns what ends it: a line end or EOF. */
static int skip_comment(FILE *stream)
{
    int character;
    do
        character = getc(stream);
    while (character != '\n' && character != EOF);
    return character;
}

/* Reads the word that begins with `character`; what ends it goes back to the stream. */
static enum text_piece read_word(struct text_reader *reader, int character)
{
    size_t length = 0;
    enum text_piece piece = TEXT_WORD;
    for (; character != EOF && character != '#' && !is_white_space(character);
         character = getc(reader->stream)) {
        if (length + 1 == sizeof reader->word) {
            piece = TEXT_TOO_LONG_WORD;
            break;
        }
        reader->word[length++] = (char)(character == '\0' ? '?' : character);
    }
    reader->word[length] = '\0';
    if (character != EOF)
        ungetc(character, reader->stream);
    else if (ferror(reader->stream))
        piece = TEXT_UNREADABLE;
    return piece;
}

enum text_piece text_next(struct text_reader *reader, int stop_at_line_end)
{
    for (;;) {
        int character = getc(reader->stream);
        if (character == '#')
            character = skip_comment(reader->stream);
        if (character == EOF)
            return ferror(reader->stream) ? TEXT_UNREADABLE : TEXT_END;
        if (character == '\n') {
            if (stop_at_line_end) {
                ungetc(character, reader->stream);
                return TEXT_LINE_END;
            }
            reader->line++;
        } else if (!is_white_space(character)) {
            return read_word(reader, character);
        }
    }
}

/* Says why the last call for an output failed. */
static enum status cannot_write(const char *name, struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%s: cannot write: %s", name, strerror(errno));
}

enum status text_flush(FILE *stream, const char *name, struct error *error)
{
    if (ferror(stream) || fflush(stream) != 0)
        return cannot_write(name, error);
    return STATUS_DONE;
}

enum status text_close(FILE *stream, const char *name, struct error *error)
{
    enum status status = text_flush(stream, name, error);
    if (fclose(stream) != 0 && !status)
        status = cannot_write(name, error);
    return status;
}
