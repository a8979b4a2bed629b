/*
 * Figures as text: rows of a table for people, and lines "key = value" for programs.
 */
#ifndef PARTICLES_FIGURE_TEXT_H
#define PARTICLES_FIGURE_TEXT_H

#include <stdio.h>

/* What is written of a figure: a whole number, or any. */
enum figure_form { FIGURE_WHOLE, FIGURE_REAL };

struct figure_description {
    const char *key;   /* for programs, never changed */
    const char *label; /* for people, up to 30 characters */
    const char *unit;  /* or "" */
    enum figure_form form;
};

/* Write a figure; one that is not finite is no number, but "-" and "none". The table has up to 7
 * digits, the lines all. Errors stay with the stream. */
void figure_write_row(const struct figure_description *description, double value, FILE *stream);
void figure_write_line(const struct figure_description *description, double value, FILE *stream);

#endif
