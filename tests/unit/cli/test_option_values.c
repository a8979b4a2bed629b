/*
 * Tests of the values of options: what each takes, to the ends of its range, what it refuses, and
 * that its message tells the option, the range and what was given.
 */
#include "cli/option_values.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct error error;

/* Whether the last message holds all of these, up to NULL; then forgets it. */
static int says(const char *const *parts)
{
    int is_all = 1;
    for (; *parts; parts++)
        is_all &= strstr(error.message, *parts) != NULL;
    if (!is_all)
        printf("%s\n", error.message);
    error.message[0] = '\0';
    return is_all;
}

#define SAYS(...) says((const char *const[]){__VA_ARGS__, NULL})

/* Texts that are no numbers, or none that any option takes. */
static const char *const no_numbers[] = {"",    " 1",  "1 ",     "x",  "1x",  "1,5", "--1",
                                         "nan", "inf", "1e9999", "0x", "1 2", "+-1"};
enum { NO_NUMBERS = sizeof no_numbers / sizeof no_numbers[0] };

static void test_schedules(void)
{
    static const char *const names[] = {"auto", "array", "cells"};
    static const enum schedule_kind kinds[] = {SCHEDULE_AUTO, SCHEDULE_ARRAY, SCHEDULE_CELLS};
    static const char *const bad[] = {"", "Auto", "cell", "cellss", "auto ", "array,cells"};
    for (size_t k = 0; k < 3; k++) {
        enum schedule_kind kind = kinds[(k + 1) % 3];
        CHECK(option_schedule(names[k], &kind, &error) == STATUS_DONE && kind == kinds[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        enum schedule_kind kind = SCHEDULE_CELLS;
        CHECK(option_schedule(bad[k], &kind, &error) == STATUS_USAGE && kind == SCHEDULE_CELLS);
        CHECK(SAYS(bad[k], "auto, array or cells"));
    }
}

static void test_rules(void)
{
    static const char *const bad[] = {"", "Swap", "swa", "swap ", "elastics"};
    enum rule rule = RULE_ELASTIC;
    CHECK(option_rule("swap", &rule, &error) == STATUS_DONE && rule == RULE_SWAP);
    CHECK(option_rule("elastic", &rule, &error) == STATUS_DONE && rule == RULE_ELASTIC);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        CHECK(option_rule(bad[k], &rule, &error) == STATUS_USAGE && rule == RULE_ELASTIC);
        CHECK(SAYS(bad[k], "swap or elastic"));
    }
}

static void test_the_end_time(void)
{
    double time = -7;
    CHECK(option_end_time("0", &time, &error) == STATUS_DONE && time == 0);
    CHECK(option_end_time("-0", &time, &error) == STATUS_DONE && time == 0);
    CHECK(option_end_time("10.5", &time, &error) == STATUS_DONE && time == 10.5);
    CHECK(option_end_time("1e40", &time, &error) == STATUS_DONE && time == 1e40);
    CHECK(option_end_time("1e-300", &time, &error) == STATUS_DONE && time == 1e-300);
    CHECK(option_end_time("1.0000000000000002e40", &time, &error) == STATUS_USAGE);
    CHECK(SAYS("END_TIME", "0 to 1e+40", "'1.0000000000000002e40' is beyond"));
    CHECK(option_end_time("-1e-300", &time, &error) == STATUS_USAGE);
    CHECK(SAYS("END_TIME", "'-1e-300' is negative"));
    for (size_t k = 0; k < NO_NUMBERS; k++) {
        CHECK(option_end_time(no_numbers[k], &time, &error) == STATUS_USAGE);
        CHECK(SAYS("END_TIME", no_numbers[k]));
    }
    CHECK(time == 1e-300); /* what is refused changes nothing */
}

static void test_numbers(void)
{
    double number = -7;
    CHECK(option_number("n", "0.5", 0.5, 2, "is much", &number, &error) == STATUS_DONE);
    CHECK(number == 0.5);
    CHECK(option_number("n", "2", 0.5, 2, "is much", &number, &error) == STATUS_DONE);
    CHECK(number == 2);
    CHECK(option_number("n", "2.0000000000000005", 0.5, 2, "is much", &number, &error) ==
          STATUS_USAGE);
    CHECK(SAYS("--n ", "from 0.5 to 2,", "'2.0000000000000005' is much"));
    CHECK(option_number("n", "0.49999999999999994", 0.5, 2, "is much", &number, &error) ==
          STATUS_USAGE);
    CHECK(SAYS("--n ", "from 0.5 to 2,", "'0.49999999999999994' is too small"));
    CHECK(option_number("n", "-1", 0, 2, "is much", &number, &error) == STATUS_USAGE);
    CHECK(SAYS("'-1' is negative"));
    for (size_t k = 0; k < NO_NUMBERS; k++) {
        CHECK(option_number("n", no_numbers[k], -1, 1, "", &number, &error) == STATUS_USAGE);
        CHECK(SAYS("--n ", no_numbers[k]));
    }
    CHECK(number == 2);
    CHECK(option_number("n", "-0", 0, 2, "is much", &number, &error) == STATUS_DONE);
    CHECK(number == 0 && !signbit(number));
}

static void test_positive_numbers(void)
{
    static const char *const bad[] = {"0", "-0", "-1", "1e-400", "1.0000000000000002e40"};
    double number = -7;
    CHECK(option_positive("p", "1e40", &number, &error) == STATUS_DONE && number == 1e40);
    CHECK(option_positive("p", "1e-300", &number, &error) == STATUS_DONE && number == 1e-300);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        CHECK(option_positive("p", bad[k], &number, &error) == STATUS_USAGE);
        CHECK(SAYS("--p ", "positive", bad[k]));
    }
    for (size_t k = 0; k < NO_NUMBERS; k++) {
        CHECK(option_positive("p", no_numbers[k], &number, &error) == STATUS_USAGE);
        CHECK(SAYS("--p ", no_numbers[k]));
    }
    CHECK(number == 1e-300);
}

static void test_whole_numbers(void)
{
    static const char *const bad[] = {"1.5", "1e3", "-1", "+5", "18446744073709551616", "0x10"};
    uint64_t number = 99;
    CHECK(option_whole("w", "3", 3, 8, &number, &error) == STATUS_DONE && number == 3);
    CHECK(option_whole("w", "8", 3, 8, &number, &error) == STATUS_DONE && number == 8);
    CHECK(option_whole("w", "2", 3, 8, &number, &error) == STATUS_USAGE);
    CHECK(SAYS("--w ", "from 3 to 8,", "'2' is too small"));
    CHECK(option_whole("w", "9", 3, 8, &number, &error) == STATUS_USAGE && number == 8);
    CHECK(SAYS("--w ", "from 3 to 8,", "'9' is too large"));
    CHECK(option_whole("w", "18446744073709551615", 0, UINT64_MAX, &number, &error) == STATUS_DONE);
    CHECK(number == UINT64_MAX);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        CHECK(option_whole("w", bad[k], 0, UINT64_MAX, &number, &error) == STATUS_USAGE);
        CHECK(SAYS("--w ", bad[k], "to 18446744073709551615"));
    }
    for (size_t k = 0; k < NO_NUMBERS; k++)
        CHECK(option_whole("w", no_numbers[k], 0, 9, &number, &error) == STATUS_USAGE);
    CHECK(number == UINT64_MAX);
}

/* Any name but none at all and that of standard output; it is not copied. */
static void test_files(void)
{
    static const char *const good[] = {"a", " ", "--", "-x", "/dev/null", "a\nb", "./-"};
    static const char *const bad[] = {"", "-"};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        const char *file = NULL;
        CHECK(option_output("o", good[k], &file, &error) == STATUS_DONE && file == good[k]);
        file = NULL;
        CHECK(option_resume(good[k], &file, &error) == STATUS_DONE && file == good[k]);
    }
    for (size_t k = 0; k < 2; k++) {
        const char *file = "kept";
        CHECK(option_output("o", bad[k], &file, &error) == STATUS_USAGE);
        CHECK(SAYS("--o ", "name of a file", "standard output"));
        CHECK(option_resume(bad[k], &file, &error) == STATUS_USAGE);
        CHECK(SAYS("--resume ", "checkpoint"));
        CHECK(strcmp(file, "kept") == 0);
    }
}

/* However much is given, the message stays readable. */
static void test_long_values_are_cut_short(void)
{
    char text[3001];
    enum schedule_kind kind;
    enum rule rule;
    double number;
    uint64_t whole;
    memset(text, 'x', 3000);
    text[3000] = '\0';
    CHECK(option_schedule(text, &kind, &error) == STATUS_USAGE && strlen(error.message) < 300);
    CHECK(option_rule(text, &rule, &error) == STATUS_USAGE && strlen(error.message) < 300);
    CHECK(option_end_time(text, &number, &error) == STATUS_USAGE && strlen(error.message) < 300);
    CHECK(option_positive("p", text, &number, &error) == STATUS_USAGE);
    CHECK(strlen(error.message) < 300);
    CHECK(option_number("n", text, 0, 1, "", &number, &error) == STATUS_USAGE);
    CHECK(strlen(error.message) < 300);
    CHECK(option_whole("w", text, 0, 1, &whole, &error) == STATUS_USAGE);
    CHECK(strlen(error.message) < 300);
}

int main(void)
{
    RUN(test_schedules);
    RUN(test_rules);
    RUN(test_the_end_time);
    RUN(test_numbers);
    RUN(test_positive_numbers);
    RUN(test_whole_numbers);
    RUN(test_files);
    RUN(test_long_values_are_cut_short);
    return check_finish();
}
