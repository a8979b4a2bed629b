/* Words of a text; see words.h. */
#include "base/words.h"

#include <stddef.h>
#include <string.h>

char *words_next(char **rest)
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

void words_quote(const char *text, int (*put)(int character, FILE *stream), FILE *stream)
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
