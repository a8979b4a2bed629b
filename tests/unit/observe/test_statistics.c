/* Tests of the observer behind --stats: what it leaves behind, and when. */
#include "check.h"
#include "observe/statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/test_stats.XXXXXX";
static char name[64]; /* of a file in it */

static struct particle particle = {.x = 5, .y = 5, .u = 1};
static const struct system lonely = {
    .count = 1, .radius = 1, .width = 10, .height = 10, .particles = &particle};

/* Each look at this clock takes a quarter of a second. */
static double fake_clock(void)
{
    static double now;
    return now += 0.25;
}

static int exists(void)
{
    return access(name, F_OK) == 0;
}

static void test_the_file_comes_when_the_run_is_over(void)
{
    struct error error;
    struct observers observers = {0};
    struct observer *observer = NULL;
    CHECK(statistics_create(name, NULL, fake_clock, &observer, &error) == STATUS_DONE);
    observers_add(&observers, observer);
    CHECK(!observers_begin(&observers, &lonely, &error) && !exists());
    CHECK(!observers_finish(&observers, &lonely, 2, &error) && exists());
    observers_free(&observers);
    FILE *stream = fopen(name, "r");
    char line[64] = "";
    if (CHECK(stream != NULL)) {
        CHECK(fgets(line, sizeof line, stream) && strcmp(line, "particles = 1\n") == 0);
        while (strncmp(line, "seconds", 7) != 0 && fgets(line, sizeof line, stream))
            continue;
        CHECK(strcmp(line, "seconds = 0.25\n") == 0);
        fclose(stream);
    }
    CHECK(unlink(name) == 0);
}

static void test_a_run_that_is_given_up_leaves_nothing(void)
{
    struct error error;
    struct observers observers = {0};
    struct observer *observer = NULL;
    CHECK(statistics_create(name, NULL, fake_clock, &observer, &error) == STATUS_DONE);
    observers_add(&observers, observer);
    CHECK(!observers_begin(&observers, &lonely, &error));
    observers_free(&observers);
    CHECK(!exists());
    CHECK(rmdir(directory) == 0); /* so nothing under another name either */
    CHECK(statistics_create(name, NULL, fake_clock, &observer, &error) == STATUS_DONE);
    observers_add(&observers, observer);
    CHECK(observers_begin(&observers, &lonely, &error) == STATUS_CANNOT_WRITE);
    CHECK(strncmp(error.message, name, strlen(name)) == 0);
    observers_free(&observers);
}

int main(void)
{
    if (!mkdtemp(directory))
        return EXIT_FAILURE;
    snprintf(name, sizeof name, "%s/figures", directory);
    RUN(test_the_file_comes_when_the_run_is_over);
    RUN(test_a_run_that_is_given_up_leaves_nothing);
    return check_finish();
}
