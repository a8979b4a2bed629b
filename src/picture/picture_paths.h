/*
 * The paths of the particles and their collisions, which --paths adds to a picture.
 */
#ifndef PARTICLES_PICTURE_PATHS_H
#define PARTICLES_PICTURE_PATHS_H

#include "picture_scene.h"
#include "run/observer.h"

#include <stdio.h>

enum {
    PICTURE_MAX_PATHS = 100,     /* particles */
    PICTURE_MAX_SEGMENTS = 20000 /* of all paths, straight; and as many collisions */
};

struct record_reader;
struct record_writer;
struct picture_paths;

/*
 * Makes paths that begin where the particles are. Returns STATUS_DONE with `*paths` for
 * picture_paths_free; STATUS_USAGE if there are more than PICTURE_MAX_PATHS particles; or
 * STATUS_NO_MEMORY.
 */
enum status picture_paths_create(const struct snapshot *snapshot, struct picture_paths **paths,
                                 struct error *error);

/* Frees them; `paths` may be NULL. */
void picture_paths_free(struct picture_paths *paths);

/*
 * Extend the paths to a collision; to where a stream gives a particle another velocity; and, for a
 * picture, to a snapshot, which only replaces their last segments. Return STATUS_DONE; STATUS_USAGE
 * if there are more than PICTURE_MAX_SEGMENTS segments; or STATUS_NO_MEMORY.
 */
enum status picture_paths_collide(struct picture_paths *paths, const struct collision *collision,
                                  struct error *error);
enum status picture_paths_renew(struct picture_paths *paths, const struct collision *passage,
                                struct error *error);
enum status picture_paths_follow(struct picture_paths *paths, const struct snapshot *snapshot,
                                 struct error *error);

/* Save them to a checkpoint, and load them into paths that have just been made: see struct
 * observer_operations. */
void picture_paths_save(const struct picture_paths *paths, struct record_writer *writer);
enum status picture_paths_load(struct picture_paths *paths, struct record_reader *reader);

/*
 * Write, for a scene with paths: the style; the line of the header that explains them, at the
 * height `y` in pixels; in a strip, the paths, and disks where they began and met, below all disks;
 * and above these, where collisions were. Without paths they write nothing. Errors are left in
 * `stream`.
 */
void picture_paths_write_style(const struct picture_scene *scene, FILE *stream);
void picture_paths_write_key(const struct picture_scene *scene, int y, FILE *stream);
void picture_paths_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream);
void picture_paths_write_collisions(const struct picture_scene *scene, FILE *stream);

#endif
