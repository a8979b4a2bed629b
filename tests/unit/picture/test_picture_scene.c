/* Tests of how a picture shows things. */
#include "check.h"
#include "picture/picture_scene.h"
#include "random_system.h"

#include <math.h>

static struct picture_scene scene_of(const struct system *system)
{
    struct picture_scene scene;
    struct error error;
    CHECK(picture_scene_create(&scene, system, 0, &error) == STATUS_DONE);
    return scene;
}

/* The pixels of the longest arrow. */
static double longest_arrow(const struct picture_scene *scene)
{
    return scene->fastest / scene->arrow;
}

static void test_sizes_follow_from_numbers(void)
{
    static const size_t counts[] = {1, 10, 100, 1000, 20000};
    double last_outline = 2;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct random random = {7};
        struct system system = random_system(&random, counts[k], 0.3, 1);
        struct picture_scene scene = scene_of(&system);
        CHECK(scene.outline <= last_outline && scene.outline <= 1);
        CHECK(scene.are_labelled == (counts[k] <= 100));
        CHECK((scene.arrow > 0) == (counts[k] <= 1000));
        if (scene.arrow > 0)
            CHECK(longest_arrow(&scene) > 4 && longest_arrow(&scene) <= 64 + 1e-9);
        CHECK(!scene.are_enlarged);
        last_outline = scene.outline;
        picture_scene_free(&scene);
        system_free(&system);
    }
}

/* One fast disk among many slow ones must not have an arrow across the picture. */
static void test_one_is_fast(void)
{
    struct particle particles[100] = {{.u = 1e30}};
    for (size_t k = 1; k < 100; k++)
        particles[k] = (struct particle){.u = 1e20};
    const struct system system = {
        .count = 100, .radius = 0.1, .width = 10, .height = 10, .particles = particles};
    struct picture_scene scene = scene_of(&system);
    CHECK(fabs(longest_arrow(&scene) - 64) < 1e-9);
    CHECK(picture_scene_colour_of(&scene, &particles[0]) == PICTURE_SHADES - 1);
    CHECK(picture_scene_colour_of(&scene, &particles[1]) == 0);
    picture_scene_free(&scene);
}

static void test_all_at_rest(void)
{
    struct particle particle = {.x = 5, .y = 5};
    const struct system system = {
        .count = 1, .radius = 1, .width = 10, .height = 10, .particles = &particle};
    struct picture_scene scene = scene_of(&system);
    CHECK(scene.arrow == 0 && scene.fastest == 0);
    CHECK(picture_scene_colour_of(&scene, &particle) == 0);
    picture_scene_free(&scene);
}

static void test_what_is_small_can_be_seen(void)
{
    struct particle particles[2] = {{.x = 1, .y = 1}, {.x = 2, .y = 2, .kind = 1}};
    struct kind kinds[2] = {{.radius = 0, .mass = 1}, {.radius = 1e-3, .mass = 1}};
    const struct system system = {.count = 2,
                                  .width = 100,
                                  .height = 100,
                                  .particles = particles,
                                  .kind_count = 2,
                                  .kinds = kinds};
    struct picture_scene scene = scene_of(&system);
    CHECK(scene.are_enlarged && !scene.are_labelled);
    CHECK(picture_scene_radius(&scene, &particles[0]) == 2);
    CHECK(picture_scene_radius(&scene, &particles[1]) == 2);
    picture_scene_free(&scene);
}

/* But not so large that a crowd of them would cover the picture. */
static void test_what_is_small_and_many_stays_small(void)
{
    struct particle particles[10000] = {{0}};
    const struct system system = {
        .count = 10000, .radius = 1e-3, .width = 100, .height = 100, .particles = particles};
    struct picture_scene scene = scene_of(&system);
    CHECK(scene.are_enlarged && picture_scene_radius(&scene, &particles[0]) < 0.8);
    picture_scene_free(&scene);
}

static void test_species(void)
{
    enum { COUNT = 12 };
    struct particle particles[COUNT];
    struct kind kinds[COUNT];
    for (uint32_t k = 0; k < COUNT; k++) { /* labels 30, 20, 10, 0, 30, 20, ... */
        kinds[k] = (struct kind){
            .radius = 0.1 + 0.01 * k, .mass = 1, .species = 30 - 10 * (int32_t)(k % 4)};
        particles[k] = (struct particle){.u = k, .kind = k};
    }
    struct system system = {.count = COUNT,
                            .width = 10,
                            .height = 10,
                            .particles = particles,
                            .kind_count = COUNT,
                            .kinds = kinds};
    struct picture_scene scene = scene_of(&system);
    CHECK(scene.species_count == 4 && picture_scene_colours(&scene) == PALETTE_KINDS);
    for (size_t k = 0; k < 4; k++)
        CHECK(scene.species[k].species == 10 * (int32_t)k && scene.species[k].count == 3);
    CHECK(picture_scene_colour_of(&scene, &particles[0]) == 3);
    CHECK(picture_scene_colour_of(&scene, &particles[3]) == 0);
    CHECK(picture_scene_colour(&scene, 1).red == palette_kind(1).red);
    picture_scene_free(&scene);

    system.kind_count = 1; /* one species: colours stand for speeds */
    for (size_t k = 0; k < COUNT; k++)
        particles[k].kind = 0;
    scene = scene_of(&system);
    CHECK(scene.species_count == 1 && picture_scene_colours(&scene) == PICTURE_SHADES);
    CHECK(picture_scene_colour_of(&scene, &particles[COUNT - 1]) == PICTURE_SHADES - 1);
    CHECK(picture_scene_colour(&scene, PICTURE_SHADES - 1).red == palette_quantity(1).red);
    picture_scene_free(&scene);
}

int main(void)
{
    RUN(test_sizes_follow_from_numbers);
    RUN(test_one_is_fast);
    RUN(test_all_at_rest);
    RUN(test_what_is_small_can_be_seen);
    RUN(test_what_is_small_and_many_stays_small);
    RUN(test_species);
    return check_finish();
}
