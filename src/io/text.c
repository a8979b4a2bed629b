/* Numbers, words and checked writing; see text.h. */
#include "io/text.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/number.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *text_number(const char *text, double *value)
{
    double number = 0;
    char *end = NULL;
    const char *after = number_read(text, &number);
    if (!after || *after) {
        errno = 0;
        number = strtod(text, &end);
        if (end == text || *end != '\0' || isspace((unsigned char)text[0]))
            return "is not a number";
        if (fabs(number) < DBL_MIN && (number != 0 || errno == ERANGE))
            return "is too close to zero for a double";
        if (!isfinite(number))
            return "is not finite";
    }
    *value = number;
    return NULL;
}

/* The row has the distance to each prefix of the name. */
size_t text_distance(const char *word, size_t length, const char *name)
{
    size_t row[64];
    size_t size = strlen(name);
    for (size_t j = 0; j <= size; j++)
        row[j] = j;
    for (size_t i = 0; i < length; i++) {
        size_t diagonal = i;
        row[0] = i + 1;
        for (size_t j = 1; j <= size; j++) {
            size_t replaced = diagonal + (word[i] != name[j - 1]);
            size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = replaced <= shorter ? replaced : shorter + 1;
        }
    }
    return row[size];
}

const char *text_number_within(const char *text, double min, double max, double *value)
{
    const char *problem = text_number(text, value);
    if (!problem && *value < min)
        problem = min == 0 ? "is negative" : "is too small";
    return !problem && *value > max ? "is too large" : problem;
}

const char *text_whole_number(const char *text, uint64_t *value)
{
    uint64_t number = 0;
    if (*text == '\0')
        return "is not a whole number";
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') /* no byte of UTF-8 is 0xfe or 0xff */
            return (unsigned char)*text >= 0xfe ? "is UTF-16: convert it to UTF-8"
                                                : "is not a whole number";
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

enum status text_check_apart(int descriptor, const char *name, struct error *error)
{
    struct stat read, written;
    if (fstat(descriptor, &read) != 0 || fstat(STDOUT_FILENO, &written) != 0 ||
        !S_ISREG(read.st_mode) || read.st_dev != written.st_dev || read.st_ino != written.st_ino)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "%.4100s: standard output goes to this file, which is to be read: let it go "
                     "to another one",
                     name);
}

enum status text_reader_open_text(struct text_reader **reader, const char *text, size_t size,
                                  const char *use, struct error *error)
{
    *reader = memory_allocate(1, sizeof **reader, use, error);
    if (!*reader)
        return STATUS_NO_MEMORY;
    memset(*reader, 0, offsetof(struct text_reader, first_block));
    (*reader)->text = text;
    (*reader)->text_left = size;
    (*reader)->line = 1;
    (*reader)->block = (*reader)->first_block;
    (*reader)->block_size = TEXT_BLOCK_SIZE;
    return STATUS_DONE;
}

enum status text_reader_open(struct text_reader **reader, const char *path, const char *use,
                             struct error *error)
{
    const int descriptor = path ? open(path, O_RDONLY) : STDIN_FILENO;
    *reader = NULL;
    if (descriptor < 0)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", path, strerror(errno));
    enum status status = text_check_apart(descriptor, path ? path : "standard input", error);
    if (!status)
        status = text_reader_open_text(reader, NULL, 0, use, error);
    if (status) {
        if (path)
            close(descriptor);
        return status;
    }
    (*reader)->descriptor = descriptor;
    (*reader)->is_owned = path != NULL;
    return STATUS_DONE;
}

enum status text_reader_close(struct text_reader *reader, enum status status, const char *name,
                              struct error *error)
{
    if (reader->failure)
        status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name,
                           strerror(reader->failure));
    if (reader->is_owned)
        close(reader->descriptor);
    if (reader->block != reader->first_block)
        memory_free(reader->block);
    memory_free(reader);
    return status;
}

void text_reader_share(struct text_reader *reader, struct thread_pool *pool)
{
    struct error error; /* of no interest: the reader can do without */
    const size_t size = reader->block_size * thread_pool_count(pool);
    unsigned char *block =
        pool ? memory_allocate_lines(size, 1, "the reader of INPUT", &error) : NULL;
    reader->pool = block ? pool : NULL;
    if (!block)
        return;
    reader->end -= reader->next;
    reader->lines_end -= reader->next < reader->lines_end ? reader->next : reader->lines_end;
    memcpy(block, reader->block + reader->next, reader->end);
    reader->next = 0;
    reader->block = block;
    reader->block_size = size;
}

size_t text_reader_left(const struct text_reader *reader)
{
    struct stat state;
    if (reader->text)
        return reader->text_left;
    const off_t position = lseek(reader->descriptor, 0, SEEK_CUR);
    if (position < 0 || fstat(reader->descriptor, &state) != 0 || state.st_size < position)
        return 0;
    return (size_t)(state.st_size - position);
}

/* A block that threads fill. */
struct text_fill {
    const struct text_reader *reader;
    off_t position;     /* of the block in the file */
    atomic_size_t size; /* of what has been read before the first byte that could not be */
};

/* Task: reads bytes of the block from `begin` up to `end`. */
static void fill_part(void *user, size_t begin, size_t end)
{
    struct text_fill *fill = user;
    const struct text_reader *reader = fill->reader;
    size_t next = begin;
    ssize_t size = 1;
    for (; next < end && size > 0; next += size > 0 ? (size_t)size : 0)
        size = pread(reader->descriptor, reader->block + next, end - next,
                     fill->position + (off_t)next);
    size_t least = fill->size;
    while (next < end && next < least && !atomic_compare_exchange_weak(&fill->size, &least, next))
        continue;
}

/* Reads up to a block, as read() does, for threads a whole one. What several threads cannot read,
 * as of a pipe, one reads, and finds out why. */
static ssize_t read_file(struct text_reader *reader)
{
    struct text_fill fill = {reader, -1, reader->block_size};
    size_t size = 0;
    ssize_t more;
    if (reader->pool)
        fill.position = lseek(reader->descriptor, 0, SEEK_CUR);
    if (fill.position >= 0)
        thread_pool_divide(reader->pool, reader->block_size, fill_part, &fill);
    if (fill.position >= 0 && fill.size > 0)
        return lseek(reader->descriptor, (off_t)fill.size, SEEK_CUR) < 0 ? -1 : (ssize_t)fill.size;
    do {
        more = read(reader->descriptor, reader->block + size, reader->block_size - size);
        size += more > 0 ? (size_t)more : 0;
    } while (reader->pool && more > 0 && size < reader->block_size);
    return size > 0 ? (ssize_t)size : more;
}

static ssize_t read_block(struct text_reader *reader)
{
    if (!reader->text)
        return read_file(reader);
    const size_t size =
        reader->text_left < reader->block_size ? reader->text_left : reader->block_size;
    memcpy(reader->block, reader->text, size);
    reader->text += size;
    reader->text_left -= size;
    return (ssize_t)size;
}

static int fetch_block(struct text_reader *reader)
{
    if (reader->is_ended)
        return 0; /* do not ask a terminal again */
    ssize_t size;
    do {
        size = read_block(reader);
    } while (size < 0 && errno == EINTR); /* by a signal, which is handled elsewhere */
    reader->failure = size < 0 ? errno : 0;
    reader->is_ended = size <= 0;
    reader->is_new_block = 1;
    reader->next = 0;
    reader->end = size > 0 ? (size_t)size : 0;
    reader->lines_end = reader->end;
    while (reader->lines_end > 0 && reader->block[reader->lines_end - 1] != '\n')
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

static enum text_piece read_word(struct text_reader *reader)
{
    size_t length = 0;
    size_t available, taken;
    int has_zero = 0;
    do {
        const unsigned char *bytes = reader->block + reader->next;
        available = reader->end - reader->next;
        size_t room = sizeof reader->word - 1 - length;
        taken = word_length(bytes, available < room ? available : room);
        for (size_t k = 0; k < taken; k++)
            reader->word[length + k] = (char)(bytes[k] == '\0' ? '?' : bytes[k]);
        has_zero |= memchr(bytes, '\0', taken) != NULL;
        length += taken;
        reader->next += taken;
    } while (taken == available && fetch_block(reader)); /* it may go on in the next block */
    reader->word[length] = '\0';
    if (reader->failure)
        return TEXT_UNREADABLE;
    /* Where there is no room left, the word may still end just here. */
    int is_cut = length == sizeof reader->word - 1 && reader->next < reader->end &&
                 word_length(reader->block + reader->next, 1) > 0;
    if (has_zero) { /* the end: what follows is no text, and may be endless */
        reader->next = reader->end;
        reader->is_ended = 1;
    }
    return is_cut ? TEXT_TOO_LONG_WORD : TEXT_WORD;
}

enum text_piece text_next(struct text_reader *reader, int stop_at_line_end)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* the byte order mark of some editors */
    const size_t length = sizeof mark - 1;
    for (;;) {
        int character = peek(reader);
        if (character == EOF)
            return reader->failure ? TEXT_UNREADABLE : TEXT_END;
        if (character == '#') {
            reader->used_line = reader->line;
            while (character != '\n' && character != '\0' && character != EOF) {
                reader->next++;
                character = peek(reader);
            }
            continue;
        }
        if (character == '\n' && stop_at_line_end)
            return TEXT_LINE_END;
        if (!is_white_space(character)) {
            char *word = reader->word;
            const int is_first = reader->used_line == 0 && reader->line == 1;
            const enum text_piece piece = read_word(reader);
            reader->used_line = reader->line;
            if (!is_first || piece != TEXT_WORD || strncmp(word, mark, length) != 0)
                return piece;
            memmove(word, word + length, strlen(word + length) + 1);
            if (*word != '\0') /* the mark was not all of the word */
                return piece;
            continue;
        }
        if (character == '\n') {
            if (reader->used_line != reader->line)
                reader->blank_line = reader->line;
            reader->line++;
        }
        reader->next++;
    }
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

static enum status cannot_write(const char *name, struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%s: cannot write: %s", name, strerror(errno));
}

enum status text_refuse(struct error *error, const char *file, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return error_locate(error, STATUS_BAD_DATA, file, line);
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

char *text_take_word(char **rest)
{
    static const char blanks[] = " \t";
    char *word = *rest + strspn(*rest, blanks);
    char *from = word;
    char *to = word;
    int is_quoted = 0;
    for (; *from && (is_quoted || !strchr(blanks, *from)); from++) {
        if (*from == '"')
            is_quoted = !is_quoted;
        else
            *to++ = *from;
    }
    const int is_none = from == word;
    *rest = *from ? from + 1 : from;
    *to = '\0';
    return is_none ? NULL : word;
}

const char *text_list_item(const char *list, char item[TEXT_ITEM_SIZE])
{
    const size_t length = strcspn(list, ",");
    snprintf(item, TEXT_ITEM_SIZE, "%.*s", length < TEXT_ITEM_SIZE ? (int)length : 0, list);
    return list[length] ? list + length + 1 : NULL;
}

static enum status find_key(const struct text_parameter *parameters, const char *name,
                            const char *key, size_t *slot, struct error *error)
{
    error_set(error, STATUS_USAGE, "%s has no '%.100s': it has", name, key);
    for (*slot = 0; parameters[*slot].key; ++*slot) {
        if (strcmp(key, parameters[*slot].key) == 0)
            return STATUS_DONE;
        error_append(error, "%s %s", *slot > 0 ? "," : "", parameters[*slot].key);
    }
    return STATUS_USAGE;
}

static enum status read_argument(struct text_arguments *arguments,
                                 const struct text_parameter *parameters, const char *name,
                                 char *word, struct error *error)
{
    size_t slot = 0;
    char *value = strchr(word, '=');
    if (!value || value == word || value[1] == '\0')
        return error_set(error, STATUS_USAGE, "%s: '%.100s' should be KEY=VALUE", name, word);
    *value++ = '\0';
    enum status status = find_key(parameters, name, word, &slot, error);
    if (!status && arguments->texts[slot])
        status = error_set(error, STATUS_USAGE, "%s: '%.100s' is given twice", name, word);
    if (status)
        return status;
    arguments->texts[slot] = value;
    const struct text_parameter *parameter = &parameters[slot];
    if (isnan(parameter->min)) /* a text */
        return STATUS_DONE;
    const char *problem =
        text_number_within(value, parameter->min, parameter->max, &arguments->numbers[slot]);
    if (!problem)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE, "%s: %s takes a number from %g to %g, and '%.100s' %s",
                     name, word, parameter->min, parameter->max, value, problem);
}

enum status arguments_begin(struct text_arguments *arguments, const char *text, const char *option,
                            struct error *error)
{
    int is_open = 0;
    for (const char *quote = strchr(text, '"'); quote; quote = strchr(quote + 1, '"'))
        is_open = !is_open;
    if (is_open)
        return error_set(error, STATUS_USAGE, "%s: a double quote in '%.200s' is not closed",
                         option, text);
    if (strlen(text) >= SETTING_SIZE)
        return error_set(error, STATUS_USAGE, "%s: '%.40s...' is too long", option, text);
    memset(arguments->texts, 0, sizeof arguments->texts);
    arguments->rest = strcpy(arguments->copy, text);
    return STATUS_DONE;
}

enum status arguments_read(struct text_arguments *arguments,
                           const struct text_parameter *parameters, const char *name,
                           struct error *error)
{
    enum status status = STATUS_DONE;
    for (char *word = NULL; !status && (word = text_take_word(&arguments->rest));)
        status = read_argument(arguments, parameters, name, word, error);
    for (size_t k = 0; parameters[k].key && !status; k++) {
        if (arguments->texts[k])
            continue;
        arguments->numbers[k] = parameters[k].default_value;
        if (isnan(parameters[k].default_value))
            status = error_set(error, STATUS_USAGE, "%s needs %s=%s", name, parameters[k].key,
                               isnan(parameters[k].min) ? "TEXT" : "NUMBER");
    }
    return status;
}

void text_quote(const char *text, int (*put)(int character, FILE *stream), FILE *stream)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=./,:+@%";
    const int is_plain = *text && text[strspn(text, plain)] == '\0';
    if (!is_plain)
        put('\'', stream);
    for (; *text; text++) {
        put((unsigned char)*text, stream);
        for (const char *escaped = *text == '\'' ? "\\''" : ""; *escaped; escaped++)
            put(*escaped, stream);
    }
    if (!is_plain)
        put('\'', stream);
}

int text_put_escaped(int character, FILE *stream)
{
    const int is_control = character < ' ';
    if (is_control || strchr("&<>\"'", character))
        fprintf(stream, "&#%d;", is_control ? ' ' : character);
    else
        fputc(character, stream);
    return character;
}

void text_write_escaped(const char *text, FILE *stream)
{
    for (; *text; text++)
        text_put_escaped((unsigned char)*text, stream);
}
