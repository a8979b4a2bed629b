/* Tests of the messages about the progress of a run. */
#include "check.h"
#include "observe/writers.h"

#include <float.h>

enum { TEXT_SIZE = 300 }; /* more than any text */

/* The clock of these tests, and how far each look at it moves it on. */
static double now, tick;

static double fake_clock(void)
{
    now += tick;
    return now;
}

/* The beginning, progress and end of a run, and how long it took. */
struct course {
    double time, end_time;
    uint64_t events;
    double seconds, start;
};

/* The last line about a run, or one about its first predictions, if `part` of them are done. */
static void write_course(char text[TEXT_SIZE], const struct course *course, double part)
{
    struct system system = {0};
    struct observers observers = {0};
    struct observer *observer = NULL;
    const struct snapshot start = {course->start, &system, NULL};
    const struct snapshot end = {course->time, &system, NULL};
    char *all = NULL;
    size_t size;
    FILE *stream = open_memstream(&all, &size);
    if (!stream)
        exit(EXIT_FAILURE);
    now = tick = 0;
    const struct run_settings run = {.to = course->end_time, .errors = stream, .clock = fake_clock};
    CHECK(!observer_create(&progress_operations, &run, &(struct output_settings){0}, &observer,
                           &failure));
    observers_add(&observers, observer);
    CHECK(!observer->operations->begin(observer, &start, &failure));
    if (course->events > 0)
        CHECK(!observers_hand_over(&observers, course->events, course->time, &failure));
    now = course->seconds;
    if (part < 1)
        observer->operations->on_progress(observer, part);
    else
        CHECK(!observer->operations->finish(observer, &end, &failure));
    observers_free(&observers);
    fclose(stream);
    snprintf(text, TEXT_SIZE, "%s", all);
    free(all);
}

static int reads(struct course course, double part, const char *expected)
{
    char text[TEXT_SIZE];
    char line[TEXT_SIZE];
    write_course(text, &course, part);
    snprintf(line, sizeof line, "particles: %s\n", expected);
    if (strcmp(text, line) == 0)
        return 1;
    printf("    '%s' instead of '%s'\n", text, line);
    return 0;
}

#define READS(time, end_time, events, seconds, expected)                                           \
    CHECK(reads((struct course){time, end_time, events, seconds, 0}, 1, expected))

TEST(the_words)
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

TEST(what_is_not_known)
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

TEST(runs_that_have_been_resumed)
{
    CHECK(reads((struct course){75, 100, 5000, 10, 50}, 1,
                "time 75 of 100 (75.0 %), 5000 events, 500/s, 0:10 left"));
    CHECK(reads((struct course){50.01, 100, 5000, 10, 50}, 1,
                "time 50.01 of 100 (50.0 %), 5000 events, 500/s, - left"));
}

TEST(the_first_predictions)
{
    CHECK(
        reads((struct course){0, 100, 0, 10, 0}, 0.75, "predicting the first collisions (75.0 %)"));
    CHECK(reads((struct course){0, 100, 0, 10, 0}, 0, "predicting the first collisions (0.0 %)"));
}

TEST(extremes_fit)
{
    static const double values[] = {0, DBL_TRUE_MIN, 1e-40, 1.2345678e-5, 1, 1.2345678e39, 1e40};
    for (size_t k = 0; k < LENGTH(values) * LENGTH(values) * LENGTH(values); k++) {
        char text[TEXT_SIZE];
        const struct course course = {values[k % LENGTH(values)],
                                      values[k / LENGTH(values) % LENGTH(values)], UINT64_MAX,
                                      values[k / LENGTH(values) / LENGTH(values)], 0};
        write_course(text, &course, 1);
        const char *end = strstr(text, " left\n");
        CHECK(end && strlen(end) == 6);
        CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
        const char *sign = strchr(strchr(text, '('), '-');
        CHECK(!sign || sign[1] == '/' || sign[1] == ' ');
    }
}

/* The output of a run of `events` collisions, which the caller frees; each look at the clock takes
 * `seconds`. If it does not finish, it is freed half-way. There are `waits` before the first. */
static char *output_after(int waits, int is_terminal, uint64_t events, double seconds, int finishes)
{
    char *text = NULL;
    size_t size;
    struct system system = {0};
    struct observers observers = {0};
    struct observer *observer = NULL;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        exit(EXIT_FAILURE);
    now = 1e6;
    tick = seconds;
    const struct run_settings run = {
        .to = 100, .errors = stream, .is_terminal = is_terminal, .clock = fake_clock};
    CHECK(!observer_create(&progress_operations, &run, &(struct output_settings){0}, &observer,
                           &failure));
    observers_add(&observers, observer);
    CHECK(observers_begin(&observers, &system, &failure) == STATUS_DONE);
    CHECK(observers.notify_from == (double)INFINITY); /* to count is not to watch each event */
    for (int k = 1; k <= waits; k++)
        CHECK(!observers_progress(&observers, &system, 0, (double)k / waits, &failure));
    for (uint64_t k = 0; k < events; k++) {
        CHECK(!observers_hand_over(
            &observers, 1, 100 * (double)k / (double)events / (finishes ? 1 : 2), &failure));
    }
    if (finishes)
        CHECK(observers_finish(&observers, &system, 100, &failure) == STATUS_DONE);
    observers_free(&observers);
    fclose(stream);
    return text;
}

/* The output of a run that does not wait before its first event. */
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

TEST(a_short_run_says_nothing_on_a_terminal)
{
    char *text = output_of(1, 9, 0.1, 1);
    CHECK(strcmp(text, "") == 0);
    free(text);
    text = output_of(1, 0, 0.1, 1);
    CHECK(strcmp(text, "") == 0);
    free(text);
}

TEST(long_predictions)
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
static size_t print_on_terminal(const char *text, char line[TEXT_SIZE])
{
    size_t column = 0, widest = 0;
    memset(line, ' ', TEXT_SIZE);
    for (; *text; text++) {
        column = *text == '\r' ? 0 : column + 1;
        if (*text != '\r' && column <= TEXT_SIZE)
            line[column - 1] = *text;
        if (column > widest)
            widest = column;
    }
    line[TEXT_SIZE - 1] = '\0';
    return widest;
}

TEST(the_line_on_a_terminal)
{
    for (int finishes = 0; finishes < 2; finishes++) {
        char line[TEXT_SIZE];
        char *text = output_of(1, 80, 0.125, finishes);
        size_t widest = print_on_terminal(text, line);
        CHECK(count(text, '\n') == 0 && widest > 50 && widest < 80);
        CHECK(strstr(text, "\rtime ") == text && strstr(text, " events, 8/s, 0:"));
        CHECK(strspn(line, " ") == TEXT_SIZE - 1); /* it is cleared at the end, */
        CHECK(text[strlen(text) - 1] == '\r');     /* and the cursor is where it was */
        CHECK(count(text, '\r') == 2 + 25);        /* in 9 seconds, each 0.375 s */
        free(text);
    }
}

TEST(the_lines_of_a_log)
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
TEST(how_often_the_clock_is_asked)
{
    free(output_of(1, 1000000, 0.001, 1));
    CHECK(now < 1e6 + 0.3); /* 300 times in a million events */
    free(output_of(1, 1000, 0.02, 1));
    CHECK(now > 1e6 + 19); /* each time */
}
