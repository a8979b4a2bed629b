/* Words of a text such as "gravity g=-9.81", the value of an option; and as a shell reads them. */
#ifndef PARTICLES_WORDS_H
#define PARTICLES_WORDS_H

#include <stdio.h>

/* Takes the next word from the beginning of `*rest`, and moves that on. Blanks between double
 * quotes, which are left out, belong to the word. The text is changed in place. NULL: no word. */
char *words_next(char **rest);

/* Writes a text so that a shell reads it as one word, in single quotes if it needs them. `put`
 * writes a character, as fputc does. */
void words_quote(const char *text, int (*put)(int character, FILE *stream), FILE *stream);

#endif
