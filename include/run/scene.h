/*
 * What a time-stepped run is asked for (--step, --substeps, --interaction, --constraint): how long
 * its steps are, and what acts in them. steps/steps.h says what that means.
 */
#ifndef PARTICLES_SCENE_H
#define PARTICLES_SCENE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { SCENE_USUAL_SUBSTEPS = 20, SCENE_MOST_SUBSTEPS = 1000000, SCENE_MOST_PARTS = 64 };

enum { SCENE_TEXT_SIZE = 5000 }; /* of a part's text, its end included */

/* An interaction or a constraint, as its option gives it. */
struct scene_part {
    int is_constraint;
    char *text; /* "NAME KEY=VALUE...", owned */
};

struct scene {
    double step;       /* DT, time, more than 0; 0: the run is event-driven, and has no scene */
    uint32_t substeps; /* K, of each step; 1 to SCENE_MOST_SUBSTEPS */
    size_t count;      /* of the parts, up to SCENE_MOST_PARTS */
    struct scene_part *parts; /* in the order of their options; owned */
};

/*
 * Adds a part, of whose text it keeps a copy. Returns STATUS_DONE, STATUS_USAGE if there are too
 * many or it is too long, or STATUS_NO_MEMORY.
 */
enum status scene_add(struct scene *scene, int is_constraint, const char *text,
                      struct error *error);

/*
 * Takes the next word of a part's text from the beginning of `*rest`, and moves that on. Blanks
 * between double quotes, which are left out, belong to the word. It is changed in place: words are
 * made no longer. Returns NULL if there is no further one.
 */
char *scene_next_word(char **rest);

/* Finds the name of the file that a part reads, its word "file=NAME". Returns whether it has one.
 */
int scene_find_file(const struct scene_part *part, char name[SCENE_TEXT_SIZE]);

/* Frees the texts, and leaves an empty scene. */
void scene_free(struct scene *scene);

#endif
