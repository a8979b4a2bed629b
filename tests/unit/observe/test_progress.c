/* Tests of how a run tells of its progress. */
#include "check.h"
#include "observe/progress.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The clock of these tests, and how far each look at it moves it on. */
static double now, tick;

static double fake_clock(void)
{
    now += tick;
    return now;
}

static int reads(struct progress_state state, const char *expected)
{
    char text[PROGRESS_TEXT_SIZE];
    progress_format(text, &state);
    if (strcmp(text, expected) == 0)
        return 1;
    printf("    '%s' instead of '%s'\n", text, expected);
    return 0;
}

#define READS(time, end_time, events, seconds, expected)                                           \
    CHECK(reads((struct progress_state){time, end_time, events, "events", seconds, 0, 0}, expected))

static void test_the_words(void)
{
    READS(25, 100, 5000, 10, "time 25 of 100 (25.0 %), 5000 events, 500/s, 0:30 left");
    READS(100, 100, 5000, 10, "time 100 of 100 (100.0 %), 5000 events, 500/s, 0:00 left");
    READS(99.9999, 100, 7, 10, "time 99.9999 of 100 (99.9 %), 7 events, 1/s, 0:00 left");
    READS(1, 100, 0, 60, "time 1 of 100 (1.0 %), 0 events, 0/s, 1:39:00 left");
    READS(1, 500, 9, 3600, "time 1 of 500 (0.2 %), 9 events, 0/s, 20 d 19 h left");
    READS(1, 2, 9, 3599, "time 1 of 2 (50.0 %), 9 events, 0/s, 59:59 left");
    READS(1, 2, 9, 86399, "time 1 of 2 (50.0 %), 9 events, 0/s, 23:59:59 left");
    READS(1, 2, 9, 86400, "time 1 of 2 (50.0 %), 9 events, 0/s, 1 d 0 h left");
}

static void test_what_is_not_known(void)
{
    READS(0, 0, 0, 0, "time 0 of 0 (100.0 %), 0 events, -/s, 0:00 left");
    READS(0, 0, 9, 1, "time 0 of 0 (100.0 %), 9 events, 9/s, 0:00 left");
    READS(0, 10, 9, 100, "time 0 of 10 (0.0 %), 9 events, 0/s, - left");
    READS(5, 10, 90, 1.5, "time 5 of 10 (50.0 %), 90 events, 60/s, - left");      /* too early */
    READS(0.005, 10, 90, 9, "time 0.005 of 10 (0.0 %), 90 events, 10/s, - left"); /* too little */
    READS(1, 1000, 90, 86500, "time 1 of 1000 (0.1 %), 90 events, 0/s, - left");  /* too long */
    READS(11, 10, 90, 9, "time 11 of 10 (100.0 %), 90 events, 10/s, 0:00 left");
    READS(1, 10, 90, -1, "time 1 of 10 (10.0 %), 90 events, -/s, - left"); /* a clock gone wrong */
}

static void test_runs_that_have_been_resumed(void)
{
    CHECK(reads((struct progress_state){75, 100, 5000, "events", 10, 50, 0},
                "time 75 of 100 (75.0 %), 5000 events, 500/s, 0:10 left"));
    CHECK(reads((struct progress_state){50.01, 100, 5000, "events", 10, 50, 0},
                "time 50.01 of 100 (50.0 %), 5000 events, 500/s, - left"));
}

static void test_the_first_predictions(void)
{
    CHECK(reads((struct progress_state){0, 100, 0, "events", 10, 0, .waiting = 0.25},
                "predicting the first collisions (75.0 %)"));
    CHECK(reads((struct progress_state){0, 100, 0, "events", 10, 0, .waiting = 1},
                "predicting the first collisions (0.0 %)"));
}

static void test_extremes_fit(void)
{
    static const double values[] = {0, DBL_TRUE_MIN, 1e-40, 1.2345678e-5, 1, 1.2345678e39, 1e40};
    enum { COUNT = sizeof values / sizeof values[0] };
    for (size_t k = 0; k < COUNT * COUNT * COUNT; k++) {
        char text[PROGRESS_TEXT_SIZE];
        const struct progress_state state = {values[k % COUNT],
                                             values[k / COUNT % COUNT],
                                             UINT64_MAX,
                                             "events",
                                             values[k / COUNT / COUNT],
                                             0,
                                             0};
        progress_format(text, &state);
        CHECK(strlen(text) < PROGRESS_TEXT_SIZE - 1 && strstr(text, " left"));
        CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
        const char *sign = strchr(strchr(text, '('), '-');
        CHECK(!sign || sign[1] == '/' || sign[1] == ' ');
    }
}

/* What a run of `events` collisions writes, which the caller frees; each look at the clock takes
 * `seconds`. If it does not finish, it is freed half-way. There are `waits` before the first. */
static char *output_after(int waits, int is_terminal, uint64_t events, double seconds, int finishes)
{
    char *text = NULL;
    size_t size;
    struct error error;
    struct system system = {0};
    struct observers observers = {0};
    struct observer *observer = NULL;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        exit(EXIT_FAILURE);
    now = 1e6;
    tick = seconds;
    CHECK(progress_create(100, "events", stream, is_terminal, fake_clock, &observer, &error) ==
          STATUS_DONE);
    observers_add(&observers, observer);
    CHECK(observers_begin(&observers, &system, &error) == STATUS_DONE);
    CHECK(observers.told_from == (double)INFINITY); /* to count is not to watch each event */
    for (int k = 1; k <= waits; k++)
        CHECK(observers_wait(&observers, &system, 0, (double)k / waits, &error) == STATUS_DONE);
    for (uint64_t k = 0; k < events; k++) {
        observers_count(&observers, 1, 100 * (double)k / (double)events / (finishes ? 1 : 2));
    }
    if (finishes)
        CHECK(observers_finish(&observers, &system, 100, &error) == STATUS_DONE);
    observers_free(&observers);
    fclose(stream);
    return text;
}

/* The same without any. */
static char *output_of(int is_terminal, uint64_t events, double seconds, int finishes)
{
    return output_after(0, is_terminal, events, seconds, finishes);
}

/* How often `character` occurs in `text`. */
static int count(const char *text, char character)
{
    int found = 0;
    for (; *text; text++)
        found += *text == character;
    return found;
}

static void test_a_short_run_says_nothing_on_a_terminal(void)
{
    char *text = output_of(1, 9, 0.1, 1);
    CHECK(strcmp(text, "") == 0);
    free(text);
    text = output_of(1, 0, 0.1, 1);
    CHECK(strcmp(text, "") == 0);
    free(text);
}

static void test_long_predictions(void)
{
    char *text = output_after(128, 0, 50, 1, 1); /* parts that are exact */
    CHECK(strstr(text, "particles: predicting the first collisions (7.8 %)\n"));
    CHECK(strstr(text, "particles: predicting the first collisions (93.7 %)\n"));
    CHECK(!strstr(text, "(100.0 %)\nparticles: time"));
    CHECK(strstr(text, "time 100 of 100 (100.0 %), 50 events, 1/s, 0:00 left"));
    free(text);
    text = output_after(100, 1, 0, 1, 0);
    CHECK(strstr(text, "predicting the first collisions (50.0 %)"));
    free(text);
}

/* Lets a terminal do what `text` says: what its line shows in the end, and how far it reached. */
static size_t print_on_terminal(const char *text, char line[PROGRESS_TEXT_SIZE])
{
    size_t column = 0;
    size_t widest = 0;
    memset(line, ' ', PROGRESS_TEXT_SIZE);
    for (; *text; text++) {
        column = *text == '\r' ? 0 : column + 1;
        if (*text != '\r' && column <= PROGRESS_TEXT_SIZE)
            line[column - 1] = *text;
        if (column > widest)
            widest = column;
    }
    line[PROGRESS_TEXT_SIZE - 1] = '\0';
    return widest;
}

static void test_the_line_on_a_terminal(void)
{
    for (int finishes = 0; finishes < 2; finishes++) {
        char line[PROGRESS_TEXT_SIZE];
        char *text = output_of(1, 80, 0.125, finishes);
        size_t widest = print_on_terminal(text, line);
        CHECK(count(text, '\n') == 0 && widest > 50 && widest < 80);
        CHECK(strstr(text, "\rtime ") == text && strstr(text, " events, 8/s, 0:"));
        CHECK(strspn(line, " ") == PROGRESS_TEXT_SIZE - 1); /* it is cleared at the end, */
        CHECK(text[strlen(text) - 1] == '\r');              /* and the cursor is where it was */
        CHECK(count(text, '\r') == 2 + 25);                 /* in 9 seconds, each 0.375 s */
        free(text);
    }
}

static void test_the_lines_of_a_log(void)
{
    char *text = output_of(0, 350, 0.1, 1);
    CHECK(count(text, '\n') == 4 && count(text, '\r') == 0);
    CHECK(strncmp(text, "particles: time ", 16) == 0);
    CHECK(strstr(text, "\nparticles: time 100 of 100 (100.0 %), 350 events, 10/s, 0:00 left\n"));
    free(text);
    text = output_of(0, 0, 0, 1);
    CHECK(strcmp(text, "particles: time 100 of 100 (100.0 %), 0 events, -/s, 0:00 left\n") == 0);
    free(text);
    text = output_of(0, 50, 0.1, 0);
    CHECK(strcmp(text, "") == 0);
    free(text);
}

/* Fast events do not ask the clock each time; slow ones do. */
static void test_how_often_the_clock_is_asked(void)
{
    free(output_of(1, 1000000, 0.001, 1));
    CHECK(now < 1e6 + 0.3); /* 300 times in a million events */
    free(output_of(1, 1000, 0.02, 1));
    CHECK(now > 1e6 + 19); /* each time */
}

int main(void)
{
    RUN(test_the_words);
    RUN(test_what_is_not_known);
    RUN(test_runs_that_have_been_resumed);
    RUN(test_the_first_predictions);
    RUN(test_long_predictions);
    RUN(test_extremes_fit);
    RUN(test_a_short_run_says_nothing_on_a_terminal);
    RUN(test_the_line_on_a_terminal);
    RUN(test_the_lines_of_a_log);
    RUN(test_how_often_the_clock_is_asked);
    return check_finish();
}
