/* What --wall says of walls, "SIDE KEY=VALUE...", and the laws of a boundary that follow. */
#ifndef PARTICLES_WALL_SETTING_H
#define PARTICLES_WALL_SETTING_H

#include "model/wall_law.h"

enum { WALL_KEYS = 4 }; /* the members of struct wall_law */

struct wall_setting {
    unsigned subject;         /* which walls: the position in a list of wall_setting.c */
    uint64_t obstacle;        /* if that is one obstacle: its number among them, from 0 */
    double values[WALL_KEYS]; /* in the order of struct wall_law; NAN: not given */
};

struct wall_settings {
    size_t count;              /* 0: all walls are smooth and elastic */
    struct wall_setting *list; /* in the order in which they are given; owned */
};

/* Adds what a text says. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY. */
enum status wall_settings_add(struct wall_settings *settings, const char *text,
                              struct error *error);
void wall_settings_free(struct wall_settings *settings);

/* The words for walls, for completions; NULL after the last one. */
const char *wall_subject_name(size_t k);

/* True if one gives a temperature; if one takes energy from particles that are mirrored. */
int wall_settings_are_diffuse(const struct wall_settings *settings);
int wall_settings_are_lossy(const struct wall_settings *settings);

/*
 * Gives a boundary, whose polygons are known but need not be its own yet, the laws of its walls; of
 * several values for one wall the last holds. Returns STATUS_DONE, STATUS_NO_MEMORY, or
 * STATUS_USAGE if such a wall does not exist or has a speed or an accommodation, but no
 * temperature. wall_laws_complete is still to be called.
 */
enum status wall_settings_apply(const struct wall_settings *settings, uint64_t seed,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error);

#endif
