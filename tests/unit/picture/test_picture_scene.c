/* Tests of how a picture shows things: where the box goes, in what colours and sizes. */
#include "check.h"
#include "picture/drawing.h"

static int is_near(double value, double expected)
{
    return fabs(value - expected) < 1e-6;
}

TEST(layout_a_square)
{
    struct picture_layout layout = picture_layout_choose(20, 20);
    CHECK(layout.strips == 1 && is_near(layout.strip_pixels[0], PICTURE_MAX_HEIGHT) &&
          is_near(layout.strip_pixels[1], PICTURE_MAX_HEIGHT));
    CHECK(is_near(picture_layout_pixels(&layout, 10), PICTURE_MAX_HEIGHT / 2.0));
    double place[2];
    picture_layout_project(&layout, 0, (const double[2]){0, 0}, place); /* the lower left corner */
    CHECK(is_near(place[0], layout.box_x) && is_near(place[1], layout.bottom));
    picture_layout_project(&layout, 0, (const double[2]){20, 15}, place);
    CHECK(is_near(place[0], layout.box_x + PICTURE_MAX_HEIGHT));
    CHECK(is_near(place[1], layout.box_y + PICTURE_MAX_HEIGHT / 4.0));
}

TEST(layout_a_wide_box_fills_the_width)
{
    struct picture_layout layout = picture_layout_choose(30, 10);
    CHECK(layout.strips == 1 && is_near(layout.strip_pixels[0], PICTURE_MAX_WIDTH) &&
          is_near(layout.strip_pixels[1], PICTURE_MAX_WIDTH / 3.0));
    CHECK(is_near(layout.width, PICTURE_MAX_WIDTH + 2 * PICTURE_MARGIN));
}

TEST(layout_a_narrow_box_is_centred)
{
    struct picture_layout layout = picture_layout_choose(1, 10);
    CHECK(layout.strips == 1 && layout.width == PICTURE_MIN_WIDTH);
    CHECK(is_near(layout.box_x + layout.strip_pixels[0] / 2, PICTURE_MIN_WIDTH / 2.0));
}

TEST(layout_strips_of_a_wide_box)
{
    struct picture_layout layout = picture_layout_choose(1000, 1);
    CHECK(layout.strips == 19 && !layout.is_tall && is_near(layout.strip_length, 1000.0 / 19));
    CHECK(layout.strip_pixels[1] > 12); /* thick enough to see disks in it */
    CHECK(picture_layout_strip(&layout, (const double[2]){0, .5}) == 0);
    CHECK(picture_layout_strip(&layout, (const double[2]){-3, .5}) == 0);
    CHECK(picture_layout_strip(&layout, (const double[2]){1003, .5}) == 18);
    CHECK(picture_layout_strip(&layout, (const double[2]){1.5 * layout.strip_length, .5}) == 1);
    double place[2], corner[2];
    picture_layout_project(&layout, 1, (const double[2]){1.5 * layout.strip_length, 0.5}, place);
    picture_layout_corner(&layout, 1, corner);
    CHECK(is_near(place[0], layout.box_x + PICTURE_MAX_WIDTH / 2.0));
    CHECK(is_near(place[1], corner[1] + layout.strip_pixels[1] / 2));
    CHECK(is_near(corner[1], layout.box_y + layout.strip_pixels[1] + PICTURE_STRIP_GAP));
    picture_layout_corner(&layout, 18, corner);
    CHECK(is_near(layout.bottom, corner[1] + layout.strip_pixels[1]));
}

TEST(layout_strips_of_a_high_box)
{
    struct picture_layout layout = picture_layout_choose(1, 100);
    CHECK(layout.strips == 6 && layout.is_tall);
    CHECK(is_near(layout.strip_pixels[1], PICTURE_MAX_HEIGHT));
    CHECK(picture_layout_strip(&layout, (const double[2]){.5, 99}) == 5);
    double place[2], corner[2];
    picture_layout_project(&layout, 5, (const double[2]){0.5, 100}, place);
    picture_layout_corner(&layout, 5, corner);
    CHECK(is_near(place[0], corner[0] + layout.strip_pixels[0] / 2) &&
          is_near(place[1], corner[1]));
    CHECK(is_near(corner[0] + layout.strip_pixels[0], layout.width - layout.box_x));
}

/* Whatever the units and the shape, all is finite and on the canvas. */
TEST(layout_extremes)
{
    static const double sizes[] = {1e-40, 1e-10, 1, 3e7, 1e40};
    for (size_t a = 0; a < LENGTH(sizes); a++)
        for (size_t b = 0; b < LENGTH(sizes); b++) {
            struct picture_layout layout = picture_layout_choose(sizes[a], sizes[b]);
            CHECK(layout.strips >= 1 && layout.strips <= PICTURE_MAX_STRIPS);
            CHECK(layout.width <= PICTURE_MAX_WIDTH + 2 * PICTURE_MARGIN);
            CHECK(layout.bottom <= PICTURE_HEADER + PICTURE_HEADER_LINE + PICTURE_MAX_HEIGHT);
            for (double part = 0; part <= 1; part += 0.25) {
                double x = part * sizes[a];
                double y = part * sizes[b];
                double place[2];
                picture_layout_locate(&layout, (const double[2]){x, y}, place);
                CHECK(place[0] > layout.box_x - 1e-6 &&
                      place[0] < layout.width - layout.box_x + 1e-6);
                CHECK(place[1] > layout.box_y - 1e-6 && place[1] < layout.bottom + 1e-6);
            }
        }
}

static double lightness(uint32_t colour)
{
    return 0.299 * (colour >> 16) + 0.587 * (colour >> 8 & 0xff) + 0.114 * (colour & 0xff);
}

/* The eye sees more and less by how light it is: by steps as even as rounding allows. */
TEST(more_is_lighter)
{
    for (int k = 0; k < 1000; k++) {
        double step = lightness(picture_quantity_colour((k + 1) / 1000.0)) -
                      lightness(picture_quantity_colour(k / 1000.0));
        CHECK(step > -1 && step < 2);
    }
    CHECK(lightness(picture_quantity_colour(0)) < 40);
    CHECK(lightness(picture_quantity_colour(1)) > 200);
    CHECK(picture_quantity_colour(-1) == picture_quantity_colour(0));
    CHECK(picture_quantity_colour(7) == picture_quantity_colour(1));
    CHECK(picture_quantity_colour((double)NAN) == picture_quantity_colour(0));
}

TEST(colours_of_kinds_differ)
{
    for (size_t a = 0; a < PICTURE_KIND_COLOURS; a++)
        for (size_t b = 0; b < a; b++)
            CHECK(picture_kind_colour(a) != picture_kind_colour(b));
    CHECK(picture_kind_colour(PICTURE_KIND_COLOURS) == picture_kind_colour(0));
}

static struct picture_scene scene_of(const struct system *system)
{
    const struct picture_extras extras = {.dynamics = observers_dynamics(NULL)};
    static struct snapshot snapshot; /* of the last scene */
    struct picture_scene scene;
    snapshot = snapshot_in_order(system, 0);
    CHECK(picture_scene_create(&scene, &snapshot, &extras, &failure) == STATUS_DONE);
    return scene;
}

/* The pixels of the longest arrow. */
static double longest_arrow(const struct picture_scene *scene)
{
    return scene->scale.fastest / scene->scale.arrow;
}

RANDOM_TEST(sizes_follow_from_numbers, 7)
{
    static const size_t counts[] = {1, 10, 100, 1000, 20000};
    static struct particle particles[20000]; /* where they are does not matter */
    double last_outline = 2;
    for (size_t k = 0; k < 20000; k++)
        particles[k] =
            (struct particle){.u = random_unit(random) - 0.5, .v = random_unit(random) - 0.5};
    for (size_t k = 0; k < LENGTH(counts); k++) {
        double side = sqrt((double)counts[k] * 10); /* disks cover 31 % */
        const struct system system =
            SYSTEM(counts[k], side, side, .radius = 1, .particles = particles);
        OWNED(picture_scene, scene) = scene_of(&system);
        CHECK(scene.outline <= last_outline && scene.outline <= 1);
        CHECK(scene.are_labelled == (counts[k] <= 100));
        CHECK((scene.scale.arrow > 0) == (counts[k] <= 1000));
        if (scene.scale.arrow > 0)
            CHECK(longest_arrow(&scene) > 4 && longest_arrow(&scene) <= 64 + 1e-9);
        CHECK(!scene.are_enlarged);
        last_outline = scene.outline;
    }
}

/* One fast disk among many slow ones must not have an arrow across the picture. */
TEST(one_is_fast)
{
    struct particle particles[100] = {{.u = 1e30}};
    for (size_t k = 1; k < 100; k++)
        particles[k] = (struct particle){.u = 1e20};
    const struct system system =
        arranged_few(particles, (struct particle_counts[100]){{0}}, 100, 0.1, 10, 10);
    OWNED(picture_scene, scene) = scene_of(&system);
    CHECK(fabs(longest_arrow(&scene) - 64) < 1e-9);
    CHECK(picture_scene_colour_of(&scene, 0) == PICTURE_SHADES - 1);
    CHECK(picture_scene_colour_of(&scene, 1) == 0);
}

TEST(all_at_rest)
{
    struct particle particle = {.x = 5, .y = 5};
    const struct system system =
        arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 1, 10, 10);
    OWNED(picture_scene, scene) = scene_of(&system);
    CHECK(scene.scale.arrow == 0 && scene.scale.fastest == 0);
    CHECK(picture_scene_colour_of(&scene, 0) == 0);
}

/* The scale of frames, from their start; what is faster later looks no faster than its end. */
TEST(scale_of_frames)
{
    struct particle particles[4] = {
        {.x = 2, .y = 2, .u = 3}, {.x = 4, .y = 4, .v = -1}, {.x = 6, .y = 6, .id = 1}, {.x = 8}};
    struct system system = arranged_few(particles, (struct particle_counts[4]){{0}}, 4, 1, 10, 8);
    struct snapshot start = snapshot_in_order(&system, 0);
    const struct picture_scale kept = picture_scale_choose(&start, 1, 5);
    CHECK(kept.brightest == 3 && kept.fastest == 3);
    const struct picture_scale scale = picture_scale_choose(&start, 0, 5);
    CHECK(fabs(scale.brightest - 2 * sqrt(2.5)) < 1e-12); /* (3^2 + 1^2) / 4 */
    CHECK(fabs(scale.fastest - 2 * sqrt(5)) < 1e-12);     /* of those that move */
    particles[0].u = 1e9;
    struct picture_scene scene;
    struct picture_arrow arrow;
    const struct picture_extras extras = {.scale = &scale, .dynamics = observers_dynamics(NULL)};
    CHECK(picture_scene_create(&scene, &start, &extras, &failure) == STATUS_DONE);
    CHECK(picture_scene_colour_of(&scene, 0) == PICTURE_SHADES - 1);
    CHECK(picture_scene_arrow(&scene, 0, 0, &arrow));
    CHECK(fabs(arrow.length - scale.fastest / scale.arrow) < 1e-9 && arrow.length <= 64 + 1e-9);
    picture_scene_free(&scene);
    for (int k = 0; k < 4; k++)
        particles[k].u = particles[k].v = 0;
    const struct picture_scale rest = picture_scale_choose(&start, 0, 5);
    CHECK(rest.brightest == 2 && rest.fastest == 2 && rest.arrow > 0 && rest.arrow < 1);
    CHECK(picture_scale_choose(&start, 0, 0).brightest == 10);
}

TEST(what_is_small_can_be_seen)
{
    struct particle particles[2] = {{.x = 1, .y = 1}, {.x = 2, .y = 2, .kind = 1}};
    struct particle_kind kinds[2] = {{.radius = 0, .mass = 1}, {.radius = 1e-3, .mass = 1}};
    const struct system system =
        SYSTEM(2, 100, 100, .particles = particles, .counts = (struct particle_counts[2]){{0}},
               .kind_count = 2, .kinds = kinds);
    OWNED(picture_scene, scene) = scene_of(&system);
    CHECK(scene.are_enlarged && !scene.are_labelled);
    CHECK(picture_scene_radius(&scene, 0) == 3);
    CHECK(picture_scene_radius(&scene, 1) == 3);
}

/* But not so large that a crowd of them would cover the picture. */
TEST(what_is_small_and_many_stays_small)
{
    struct particle particles[10000] = {{0}};
    const struct system system =
        arranged_few(particles, (struct particle_counts[10000]){{0}}, 10000, 1e-3, 100, 100);
    OWNED(picture_scene, scene) = scene_of(&system);
    CHECK(scene.are_enlarged && picture_scene_radius(&scene, 0) < 0.8);
}

TEST(species)
{
    enum { COUNT = 12 };
    struct particle particles[COUNT];
    struct particle_kind kinds[COUNT];
    for (uint32_t k = 0; k < COUNT; k++) { /* labels 30, 20, 10, 0, 30, 20, ... */
        kinds[k] = (struct particle_kind){
            .radius = 0.1 + 0.01 * k, .mass = 1, .species = 30 - 10 * (int32_t)(k % 4)};
        particles[k] = (struct particle){.u = k, .kind = k};
    }
    struct system system =
        SYSTEM(COUNT, 10, 10, .particles = particles, .kind_count = COUNT, .kinds = kinds);
    struct picture_scene scene = scene_of(&system);
    CHECK(scene.species_count == 4);
    for (size_t k = 0; k < 4; k++)
        CHECK(scene.species[k].species == 10 * (int32_t)k && scene.species[k].count == 3);
    CHECK(picture_scene_colour_of(&scene, 0) == 3);
    CHECK(picture_scene_colour_of(&scene, 3) == 0);
    CHECK(picture_scene_colour(&scene, 1) == picture_kind_colour(1));
    picture_scene_free(&scene);

    system.kind_count = 1; /* one species: colours stand for speeds */
    for (size_t k = 0; k < COUNT; k++)
        particles[k].kind = 0;
    scene = scene_of(&system);
    CHECK(scene.species_count == 1);
    CHECK(picture_scene_colour_of(&scene, COUNT - 1) == PICTURE_SHADES - 1);
    CHECK(picture_scene_colour(&scene, PICTURE_SHADES - 1) == picture_quantity_colour(1));
    picture_scene_free(&scene);
}

/* Images are as far away as the box is wide and high; a point, drawn larger, has some, too. */
TEST(images)
{
    struct particle particles[4] = {
        {.x = 0, .y = 19.5}, {.x = 19.5, .y = 10}, {.x = 1.1, .y = 18.9}, {.x = 0.001, .y = 10}};
    struct particle_kind kinds[2] = {{.radius = 1, .mass = 1}, {.radius = 0, .mass = 1}};
    struct system system =
        SYSTEM(4, 20, 20, .particles = particles, .counts = (struct particle_counts[4]){{0}},
               .kind_count = 2, .kinds = kinds);
    static const double shifts[4][2] = {{20, -20}, {-20, 0}, {0, 0}, {20, 0}};
    particles[3].kind = 1;
    for (unsigned periodic = 0; periodic < 4; periodic++) {
        system.boundary.periodic = periodic;
        OWNED(picture_scene, scene) = scene_of(&system);
        for (size_t k = 0; k < 4; k++)
            for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
                double x, y, centre[2];
                const double shift[2] = {image & PERIODIC_X ? shifts[k][0] : 0,
                                         image & PERIODIC_Y ? shifts[k][1] : 0};
                int is_seen = !(image & ~periodic) && !(image & PERIODIC_X && shift[0] == 0) &&
                              !(image & PERIODIC_Y && shift[1] == 0);
                CHECK(picture_scene_image(&scene, k, image, centre) == is_seen);
                snapshot_position(scene.snapshot, k, &x, &y);
                CHECK(!is_seen ||
                      (is_near(centre[0], x + shift[0]) && is_near(centre[1], y + shift[1])));
            }
    }
}
