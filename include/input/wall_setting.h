/* The reader of --wall, and the laws of a boundary that follow from it. */
#ifndef PARTICLES_WALL_SETTING_H
#define PARTICLES_WALL_SETTING_H

#include "io/text.h"
#include "model/wall_law.h"

/* The texts of --wall, "SIDE KEY=VALUE...". */
struct wall_settings {
    uint64_t seed;         /* of what walls draw */
    size_t count;          /* 0: all walls are smooth and elastic */
    struct wall_law gives; /* how many texts give each value */
    struct wall_setting {
        unsigned subject;    /* which walls: see wall_setting.c */
        uint64_t obstacle;   /* if that is one obstacle: its number among them, from 0 */
        struct wall_law law; /* NAN: not given */
    } * list;                /* in the order in which they are given; owned */
};

/* Adds a text. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY. */
enum status wall_settings_add(struct wall_settings *settings, const char *text,
                              struct error *error);

/* The words for walls, NULL after the last one, and the keys of each. */
extern const char *const wall_subjects[];
extern const struct parameter wall_parameters[WALL_KEY_COUNT + 1];

/*
 * Gives a boundary, whose polygons are known but need not be its own yet, the laws of its walls; of
 * several values for one wall the last holds. Returns STATUS_DONE, STATUS_NO_MEMORY, or
 * STATUS_USAGE if such a wall does not exist or has a speed or an accommodation, but no
 * temperature. wall_laws_complete is still to be called.
 */
enum status wall_settings_apply(const struct wall_settings *settings,
                                const struct polygons *polygons, struct boundary *boundary,
                                struct error *error);

#endif
