/*
 * What is checked when the whole command line has been read: which options need or exclude each
 * other, and the operands.
 */
#ifndef PARTICLES_OPTION_CHECKS_H
#define PARTICLES_OPTION_CHECKS_H

#include "cli/options.h"

/* What an option is for: it needs all of these that are set. */
enum {
    FOR_RUN = 1,      /* a simulation, not --generate */
    FOR_SYSTEM = 2,   /* what --resume takes from the checkpoint */
    FOR_ELASTIC = 4,  /* --rule=elastic */
    FOR_LOSS = 8,     /* --rule=elastic with a restitution below 1 */
    FOR_REQUEST = 16, /* --generate */
    FOR_FIGURES = 32, /* an option that asks for figures of the run */
    FOR_STREAM = 64,  /* --stream */
    FOR_CHANCE = 128, /* --generate, or --stream */
    FOR_STEPS = 256,  /* --step */
    FOR_EVENTS = 512  /* a run without --step */
};

/* For each use the last argument that has it, or NULL. */
struct seen {
    const char *run;          /* FOR_RUN */
    const char *system;       /* FOR_SYSTEM */
    const char *restitution;  /* FOR_ELASTIC */
    const char *contact_time; /* FOR_LOSS */
    const char *request;      /* FOR_REQUEST */
    const char *figures;      /* FOR_FIGURES */
    const char *stream;       /* FOR_STREAM */
    const char *chance;       /* FOR_CHANCE */
    const char *steps;        /* FOR_STEPS */
    const char *events;       /* FOR_EVENTS */
    const char *bare;         /* the last option without the value that it may have, */
    const char *next;         /* and the operand just after it */
};

/* The words of the command line that are not options. */
struct operands {
    int count;
    char *words[3]; /* the first three: INPUT, END_TIME and one too many, for the message */
};

/* Adds a word of the command line that is no option. */
void option_take_operand(struct operands *operands, char *word);

/* Remembers that an option for these uses was given, as `argument`. */
void option_note(unsigned uses, const char *argument, struct seen *seen);

/*
 * Checks the options against each other, takes the operands, and fills in what follows from other
 * options. Returns STATUS_DONE, or STATUS_USAGE with a message.
 */
enum status option_complete(const struct operands *operands, const struct seen *seen,
                            struct options *options, struct error *error);

#endif
