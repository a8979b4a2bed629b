/* Tests of the words of a picture. */
#include "check.h"
#include "picture/drawing.h"

TEST(round_numbers)
{
    CHECK(picture_legend_round(1) == 1);
    CHECK(picture_legend_round(1.999999) == 1);
    CHECK(picture_legend_round(2) == 2);
    CHECK(picture_legend_round(4.9) == 2);
    CHECK(picture_legend_round(5) == 5);
    CHECK(picture_legend_round(9.99999999999999) == 5);
    CHECK(picture_legend_round(0.03) == 0.02);
    CHECK(picture_legend_round(7.7e-41) == 5e-41);
    CHECK(picture_legend_round(1e40) == 1e40);
    CHECK(picture_legend_round(1.3e80) == 1e80);
}

TEST(titles)
{
    char title[PICTURE_TITLE_SIZE];
    const struct system one = {.count = 1, .boundary = {.width = 1, .height = 1}};
    const struct system most = {.count = SYSTEM_MAX_COUNT, .boundary = {.width = 1, .height = 1}};
    const struct snapshot of_one = snapshot_in_order(&one, 100);
    const struct snapshot of_most = snapshot_in_order(&most, 1.2345678e-40);
    struct picture_scene scene = picture_scene_begin(&of_one, 0);
    picture_legend_title(&scene, title);
    CHECK(strcmp(title, "1 particle at time 100") == 0);
    scene = picture_scene_begin(&of_most, 0);
    picture_legend_title(&scene, title);
    CHECK(strcmp(title, "268435456 particles at time 1.2345678e-40") == 0);
}

/* The text below the box. */
static const char *footer(const struct picture_scene *scene, char text[10000])
{
    FILE *stream = tmpfile();
    text[0] = '\0';
    if (CHECK(stream != NULL)) {
        picture_legend_write_footer(scene, stream);
        rewind(stream);
        text[fread(text, 1, 9999, stream)] = '\0';
        fclose(stream);
    }
    return text;
}

TEST(a_bar_for_speeds)
{
    char text[10000];
    struct picture_scene scene = {.layout = picture_layout_choose(1, 1),
                                  .scale.brightest = 0.43,
                                  .scale.arrow = 0.01,
                                  .species_count = 1};
    footer(&scene, text);
    CHECK(strstr(text, ">0</text>") && strstr(text, ">0.2</text>") && strstr(text, ">0.4</text>"));
    CHECK(!strstr(text, ">0.6</text>") && strstr(text, "class=\"arrow\""));
    CHECK(strstr(text, ">0.5</text>") != NULL); /* of the arrow: 50 pixels */
    scene.scale.brightest = scene.scale.arrow = 0;
    footer(&scene, text);
    CHECK(strstr(text, ">0</text>") && !strstr(text, ">1</text>") && !strstr(text, "arrow"));
}

TEST(a_list_of_species)
{
    char text[10000];
    struct picture_species species[30];
    for (int32_t k = 0; k < 30; k++)
        species[k] = (struct picture_species){.species = 100 + k, .count = 7};
    struct picture_scene scene = {
        .layout = picture_layout_choose(1, 1), .species_count = 3, .species = species};
    double low = picture_legend_bottom(&scene);
    footer(&scene, text);
    CHECK(strstr(text, ">102<") && !strstr(text, ">103<") && !strstr(text, "more"));
    scene.species_count = 30;
    footer(&scene, text);
    CHECK(strstr(text, ">123<") && !strstr(text, ">124<") && strstr(text, "and 6 more"));
    CHECK(picture_legend_bottom(&scene) > low + 4 * 22);
}
