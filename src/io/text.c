/*
 * Numbers, words and checked writing; see text.h.
 */
#include "io/text.h"

#include "io/number.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *text_number(const char *text, double *value)
{
    if (number_read(text, value))
        return NULL;
    char *end = NULL;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]))
        return "is not a number";
    if (fabs(number) < DBL_MIN && (number != 0 || errno == ERANGE))
        return "is too close to zero for a double";
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

/* Fetches the next block. Returns 0 if there is none. */
static int fetch_block(struct text_reader *reader)
{
    if (reader->is_ended)
        return 0; /* do not ask a terminal again */
    unsigned char *block = reader->larger ? reader->larger : reader->own;
    const size_t room = reader->larger ? reader->larger_size : sizeof reader->own;
    ssize_t size;
    do {
        size = read(fileno(reader->stream), block, room);
    } while (size < 0 && errno == EINTR); /* by a signal, which is handled elsewhere */
    reader->failure = size < 0 ? errno : 0;
    reader->is_ended = size <= 0;
    reader->next = 0;
    reader->end = size > 0 ? (size_t)size : 0;
    reader->block = block;
    reader->blocks++;
    reader->lines_end = reader->end;
    while (reader->lines_end > 0 && block[reader->lines_end - 1] != '\n')
        reader->lines_end--;
    return size > 0;
}

/* The next byte, which stays the next one, or EOF. */
static int peek(struct text_reader *reader)
{
    if (reader->next == reader->end && !fetch_block(reader))
        return EOF;
    return reader->block[reader->next];
}

/* Passes over what is left of a comment, up to the line end. */
static void skip_comment(struct text_reader *reader)
{
    for (int character = peek(reader); character != '\n' && character != EOF;
         character = peek(reader))
        reader->next++;
}

/* How many of the next `size` bytes still belong to a word. */
static size_t word_length(const unsigned char *bytes, size_t size)
{
    size_t length = 0;
    /* In ASCII all that can end a word is at most '#', and nothing in a number is. */
    while (length < size &&
           (bytes[length] > '#' || (bytes[length] != '#' && !is_white_space(bytes[length]))))
        length++;
    return length;
}

/* Reads the word that begins with the next byte. */
static enum text_piece read_word(struct text_reader *reader)
{
    size_t length = 0;
    size_t available;
    size_t taken;
    do {
        const unsigned char *bytes = reader->block + reader->next;
        available = reader->end - reader->next;
        size_t room = sizeof reader->word - 1 - length;
        taken = word_length(bytes, available < room ? available : room);
        for (size_t k = 0; k < taken; k++)
            reader->word[length + k] = (char)(bytes[k] == '\0' ? '?' : bytes[k]);
        length += taken;
        reader->next += taken;
    } while (taken == available && fetch_block(reader)); /* it may go on in the next block */
    reader->word[length] = '\0';
    if (reader->failure)
        return TEXT_UNREADABLE;
    /* Where there is no room left, the word may still end just here. */
    int is_cut = length == sizeof reader->word - 1 && reader->next < reader->end &&
                 word_length(reader->block + reader->next, 1) > 0;
    return is_cut ? TEXT_TOO_LONG_WORD : TEXT_WORD;
}

enum text_piece text_next(struct text_reader *reader, int stop_at_line_end)
{
    for (;;) {
        int character = peek(reader);
        if (character == EOF)
            return reader->failure ? TEXT_UNREADABLE : TEXT_END;
        if (character == '#') {
            reader->used_line = reader->line;
            skip_comment(reader);
            continue;
        }
        if (character == '\n' && stop_at_line_end)
            return TEXT_LINE_END;
        if (!is_white_space(character)) {
            reader->used_line = reader->line;
            return read_word(reader);
        }
        if (character == '\n') {
            if (reader->used_line != reader->line)
                reader->blank_line = reader->line;
            reader->line++;
        }
        reader->next++;
    }
}

enum text_piece text_first(struct text_reader *reader)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    char *word = reader->word;
    enum text_piece piece = text_next(reader, 0);
    if (piece != TEXT_WORD || reader->line != 1 || strncmp(word, mark, length) != 0)
        return piece;
    memmove(word, word + length, strlen(word + length) + 1);
    return *word != '\0' ? piece : text_next(reader, 0);
}

const char *text_lines(const struct text_reader *reader, const char **begin)
{
    if (reader->next + 1 >= reader->lines_end || reader->block[reader->next] != '\n')
        return NULL;
    *begin = (const char *)reader->block + reader->next + 1;
    return (const char *)reader->block + reader->lines_end;
}

void text_take_lines(struct text_reader *reader, const char *end, size_t count)
{
    reader->next = (size_t)((const unsigned char *)end - reader->block) - 1;
    reader->line += count;
    reader->used_line = reader->line;
}

void text_show(const struct text_reader *reader, char shown[TEXT_SHOWN_SIZE])
{
    const char *word = reader->word;
    size_t length = 0;
    shown[length++] = '\'';
    for (; length <= 40 && *word != '\0'; word++)
        shown[length++] = (char)(isgraph((unsigned char)*word) ? *word : '?');
    strcpy(shown + length, *word != '\0' ? "'..." : "'");
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
