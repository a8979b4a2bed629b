/* A test program is a file of tests, TEST(name) { ... }, with checks in them. Each test registers
 * itself when the program starts; main, unless the file has its own, runs all in their order. What
 * nearly all tests need is included here and in owned.h, and need not be included again. */
#ifndef PARTICLES_TESTS_CHECK_H
#define PARTICLES_TESTS_CHECK_H

#include "arranged.h"
#include "owned.h"
#include "random_system.h"
#include "scratch.h"

/* Fails the test that is running, with the condition's text and place, unless it holds. */
#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/* Defines a test. */
#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        static struct check_test test = {#name, test_##name, __LINE__, NULL};                      \
        check_register(&test);                                                                     \
    }                                                                                              \
    static void test_##name(void)

/* Defines a test with `struct random_generator *random`, which begins the sequence of `seed`. */
#define RANDOM_TEST(name, seed)                                                                    \
    static void drawn_##name(struct random_generator *random);                                     \
    TEST(name)                                                                                     \
    {                                                                                              \
        struct random_generator random = random_from(seed);                                        \
        drawn_##name(&random);                                                                     \
    }                                                                                              \
    static void drawn_##name(struct random_generator *random)

struct check_test {
    const char *name;
    void (*run)(void);
    int line; /* in its file: tests run in this order */
    struct check_test *next;
};

/* The functions behind the macros; check_that returns whether the condition holds. */
int check_that(int holds, const char *condition, const char *file, int line);
void check_register(struct check_test *test);

/* Whether the test that is running has failed so far. */
int check_has_failed(void);

/* Whether tests should try fewer cases, as under valgrind, or more than `make test` has time for:
 * the environment variables QUICK and THOROUGH are set. Nobody sets both. */
int check_is_quick(void);
int check_is_thorough(void);

/* Runs all tests, each in a directory of its own (scratch.h), and reports those that fail. Prints
 * "N passed, N failed" and returns main's exit status. */
int check_run_tests(void);

#endif
