/*
 * What a picture shows; see picture_scene.h.
 *
 * One rule serves 1 particle and 100 000: sizes follow from the room that each particle has on
 * average. Arrows are as long that neighbours' arrows hardly touch, but no arrow goes across the
 * picture; where they would be too short to tell directions, there are none. Disks too small to
 * see, points above all, are drawn larger than they are.
 */
#include "picture_scene.h"

#include "base/memory.h"
#include "model/speed.h"

#include <math.h>
#include <stdlib.h>

/* In pixels. */
static const double LEAST_RADIUS = 0.7;   /* of a disk; and of one that has much room, */
static const double SEEN_RADIUS = 2;      /* so that it is found on an empty picture */
static const double LEAST_ROOM = 16;      /* of a particle, for an arrow */
static const double LONGEST_ARROW = 64;   /* of all */
static const double LONGEST_TYPICAL = 36; /* the root mean square of those of moving particles */
static const double LEAST_OUTLINE = 0.12; /* thinner lines are not drawn */
static const double LABELLED_RADIUS = 8;  /* the least, for a number of two digits to fit in */
static const size_t MOST_LABELLED = 100;  /* particles: of two digits */

static int compare_species(const void *left, const void *right)
{
    int32_t a = ((const struct picture_species *)left)->species;
    int32_t b = ((const struct picture_species *)right)->species;
    return (a > b) - (a < b);
}

static struct picture_species *find_species(const struct picture_scene *scene, int32_t species)
{
    struct picture_species wanted = {.species = species};
    return bsearch(&wanted, scene->species, scene->species_count, sizeof *scene->species,
                   compare_species);
}

/* Lists the species that there are, and counts their particles. */
static enum status list_species(struct picture_scene *scene, struct error *error)
{
    const struct system *system = scene->system;
    scene->species_count = 1;
    if (system->kind_count == 0)
        return STATUS_DONE;
    scene->species =
        memory_allocate(system->kind_count, sizeof *scene->species, "the species", error);
    if (!scene->species)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count; k++)
        scene->species[k] = (struct picture_species){.species = system->kinds[k].species};
    qsort(scene->species, system->kind_count, sizeof *scene->species, compare_species);
    for (size_t k = 1; k < system->kind_count; k++)
        if (scene->species[k].species != scene->species[scene->species_count - 1].species)
            scene->species[scene->species_count++] = scene->species[k];
    for (size_t k = 0; k < system->count; k++)
        find_species(scene, system_species(system, &system->particles[k]))->count++;
    return STATUS_DONE;
}

/* The room for each particle, in square pixels. */
static double find_room(const struct picture_scene *scene)
{
    const struct picture_layout *layout = &scene->layout;
    return layout->strip_pixels[0] * layout->strip_pixels[1] * (double)layout->strips /
           (double)scene->system->count;
}

static void choose_arrows(struct picture_scene *scene)
{
    const struct system *system = scene->system;
    double sum = 0; /* of the squares of speeds, the fastest being 1 */
    size_t moving = 0;
    for (size_t k = 0; k < system->count; k++)
        scene->fastest = fmax(scene->fastest, system_speed(&system->particles[k]));
    if (scene->fastest == 0)
        return;
    for (size_t k = 0; k < system->count; k++) {
        double part = system_speed(&system->particles[k]) / scene->fastest;
        sum += part * part;
        moving += part > 0;
    }
    double room = sqrt(find_room(scene));
    double typical = sqrt(sum / (double)moving); /* speed of the moving */
    double thickness = fmin(scene->layout.strip_pixels[0], scene->layout.strip_pixels[1]);
    double length = fmin(fmin(0.45 * room, thickness), LONGEST_TYPICAL) / typical;
    if (room >= LEAST_ROOM)
        scene->arrow = scene->fastest / fmin(length, LONGEST_ARROW);
}

double picture_scene_radius(const struct picture_scene *scene, const struct particle *particle)
{
    double radius = system_radius(scene->system, particle);
    double least = fmax(LEAST_RADIUS, fmin(SEEN_RADIUS, 0.1 * sqrt(find_room(scene))));
    return fmax(least, picture_layout_pixels(&scene->layout, radius));
}

/* Chooses what depends on how large the disks appear. */
static void choose_disks(struct picture_scene *scene)
{
    double smallest = (double)INFINITY;
    for (size_t k = 0; k < scene->system->count; k++) {
        const struct particle *particle = &scene->system->particles[k];
        double radius = picture_scene_radius(scene, particle);
        double true_radius =
            picture_layout_pixels(&scene->layout, system_radius(scene->system, particle));
        scene->are_enlarged |= radius > true_radius;
        smallest = fmin(smallest, radius);
    }
    scene->outline = fmin(1, 0.15 * smallest);
    if (scene->outline < LEAST_OUTLINE)
        scene->outline = 0;
    scene->are_labelled = scene->system->count <= MOST_LABELLED && smallest >= LABELLED_RADIUS;
}

enum status picture_scene_create(struct picture_scene *scene, const struct system *system,
                                 double end_time, struct error *error)
{
    *scene = (struct picture_scene){
        .system = system,
        .end_time = end_time,
        .layout = picture_layout_choose(system->width, system->height),
    };
    choose_arrows(scene);
    choose_disks(scene);
    return list_species(scene, error);
}

void picture_scene_free(struct picture_scene *scene)
{
    memory_free(scene->species);
    *scene = (struct picture_scene){0};
}

size_t picture_scene_colours(const struct picture_scene *scene)
{
    return scene->species_count > 1 ? PALETTE_KINDS : PICTURE_SHADES;
}

size_t picture_scene_colour_of(const struct picture_scene *scene, const struct particle *particle)
{
    if (scene->species_count > 1) {
        int32_t species = system_species(scene->system, particle);
        return (size_t)(find_species(scene, species) - scene->species) % PALETTE_KINDS;
    }
    if (scene->fastest == 0)
        return 0;
    double place = system_speed(particle) / scene->fastest * PICTURE_SHADES;
    return place < PICTURE_SHADES ? (size_t)place : PICTURE_SHADES - 1;
}

struct colour picture_scene_colour(const struct picture_scene *scene, size_t number)
{
    if (scene->species_count > 1)
        return palette_kind(number);
    return palette_quantity((double)number / (PICTURE_SHADES - 1));
}
