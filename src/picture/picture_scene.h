/*
 * What a picture shows: the final state, and how its quantities become sizes and colours.
 */
#ifndef PARTICLES_PICTURE_SCENE_H
#define PARTICLES_PICTURE_SCENE_H

#include "model/system.h"
#include "palette.h"
#include "picture_layout.h"

enum { PICTURE_SHADES = 32 }; /* how many colours the speeds are drawn in */

/* The particles of one species. */
struct picture_species {
    int32_t species;
    size_t count;
};

struct picture_scene {
    const struct system *system; /* not owned */
    double end_time;
    struct picture_layout layout;
    double fastest;                  /* the highest speed */
    double arrow;                    /* speed that is drawn as an arrow of 1 pixel; 0: no arrows */
    double outline;                  /* width of the lines around disks, in pixels; 0: none */
    int are_enlarged;                /* some disks are drawn larger than they are */
    int are_labelled;                /* disks bear their numbers, for there is room */
    size_t species_count;            /* 1: colours stand for speeds; more: for species */
    struct picture_species *species; /* `species_count` of them, in the order of their labels;
                                        owned; or NULL if there is but one */
};

/*
 * Chooses how to draw `system` at `end_time`. Returns STATUS_DONE, or STATUS_NO_MEMORY and a scene
 * that picture_scene_free still frees.
 */
enum status picture_scene_create(struct picture_scene *scene, const struct system *system,
                                 double end_time, struct error *error);

/* Frees all but the system. */
void picture_scene_free(struct picture_scene *scene);

/* The radius that a particle is drawn with, in pixels, its outline included. */
double picture_scene_radius(const struct picture_scene *scene, const struct particle *particle);

/* How many colours the scene has, and which of them, from 0, is a particle's. */
size_t picture_scene_colours(const struct picture_scene *scene);
size_t picture_scene_colour_of(const struct picture_scene *scene, const struct particle *particle);

/* The colour of this number. */
struct colour picture_scene_colour(const struct picture_scene *scene, size_t number);

#endif
