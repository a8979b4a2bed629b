/* Tests of the picture of the final state. That it is XML is checked in pictures.sh. */
#include "base/memory.h"
#include "check.h"
#include "observed.h"
#include "picture/picture.h"
#include "random_system.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The picture of `system` at `end_time`, which the caller frees. */
static char *draw(struct system *system, enum schedule_kind kind, double end_time)
{
    char name[100];
    struct error error = {""};
    struct observer *observer;
    observed_name(name);
    if (CHECK(picture_create(name, &observer, &error) == STATUS_DONE))
        CHECK(observed_run(system, kind, end_time, observer, &error) == STATUS_DONE);
    char *text = observed_read(name);
    CHECK(text != NULL);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* A disk of radius 1 in a box of 20 x 20: 36 pixels a unit of length. */
static void test_to_scale(void)
{
    struct particle particle = {.x = 5, .y = 4, .u = 1};
    struct system system = {.count = 1,
                            .radius = 1,
                            .boundary.width = 20,
                            .boundary.height = 20,
                            .particles = &particle,
                            .counts = (struct counts[1]){{0}}};
    char *text = draw(&system, SCHEDULE_ARRAY, 2);
    /* The box begins at 32, 84 and is 720 high; half of the line of 1 is outside of the circle. */
    CHECK(strstr(text, "<circle cx=\"284\" cy=\"660\" r=\"35.5\">") != NULL);
    CHECK(strstr(text, "particle 0: x 7, y 4, speed 1, 0 wall collisions") != NULL);
    CHECK(strstr(text, "width=\"720.00\" height=\"720.00\"") != NULL);
    CHECK(strstr(text, "<title>1 particle at time 2</title>") != NULL);
    /* From the rim, at 320, an arrow of 36 pixels. */
    CHECK(strstr(text, "M320 660L356 660M") != NULL);
    memory_free(text);
}

static void test_each_is_drawn_once(void)
{
    struct random random = {1};
    struct system system = random_system(&random, 3000, 0.4, 1.5);
    char *text = draw(&system, SCHEDULE_CELLS, 1);
    CHECK(count_of(text, "<circle cx") == 3000);
    CHECK(count_of(text, "<title>") == 1 && count_of(text, "class=\"id") == 0);
    CHECK(count_of(text, "id=\"arrows\"") == 0);
    memory_free(text);
    system_free(&system);
}

/* In strips a disk on a cut appears twice. */
static void test_strips(void)
{
    enum { COUNT = 200 };
    struct particle particles[COUNT] = {{.x = 0}};
    struct counts counts[COUNT] = {{0}};
    struct system system = {.count = COUNT,
                            .radius = 1,
                            .boundary.width = 1000,
                            .boundary.height = 4,
                            .particles = particles,
                            .counts = counts};
    size_t cut = 0;
    for (int32_t k = 0; k < COUNT; k++) {
        particles[k] = (struct particle){.x = 2.5 + 5 * k, .y = 2, .id = k};
        double place = particles[k].x / (1000.0 / 10);
        double away = (place - (int)place) * 100;
        cut += (away < 1 || away > 99) && place > 0.5 && place < 9.5;
    }
    particles[20].x = 100; /* on the first of the cuts */
    char *text = draw(&system, SCHEDULE_ARRAY, 0);
    CHECK(count_of(text, "<clipPath") == 10);
    CHECK(count_of(text, "<circle cx") == COUNT + cut + 1);
    CHECK(strstr(text, "cut into 10 strips of length 100") != NULL);
    memory_free(text);
}

static void test_any_schedule_gives_the_same_bytes(void)
{
    struct random random = {5};
    struct system one = random_system(&random, 300, 0.3, 1);
    struct system other = system_copy(&one);
    char *text = draw(&one, SCHEDULE_ARRAY, 5);
    char *same = draw(&other, SCHEDULE_CELLS, 5);
    CHECK(strcmp(text, same) == 0);
    memory_free(text);
    memory_free(same);
    system_free(&one);
    system_free(&other);
}

/* An observer that is freed before the end leaves nothing behind, nor the file that was there. */
static void test_no_half_pictures(void)
{
    char name[100];
    struct error error;
    struct observer *observer;
    observed_name(name);
    if (CHECK(picture_create(name, &observer, &error) == STATUS_DONE))
        observer->operations->free(observer);
    char *text = observed_read(name);
    CHECK(text && *text == '\0'); /* the empty file that observed_name has made */
    memory_free(text);
    CHECK(picture_create("/nowhere/at/all.svg", &observer, &error) == STATUS_CANNOT_WRITE);
}

int main(void)
{
    RUN(test_to_scale);
    RUN(test_each_is_drawn_once);
    RUN(test_strips);
    RUN(test_any_schedule_gives_the_same_bytes);
    RUN(test_no_half_pictures);
    return check_finish();
}
