/*
 * What every test program is made of: tests, which are functions, and checks in them.
 */
#ifndef PARTICLES_TESTS_CHECK_H
#define PARTICLES_TESTS_CHECK_H

/* Fails the test that is running, with the condition's text and place, unless it holds. */
#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/* Runs one test and reports it by its name. */
#define RUN(test) check_run(#test, test)

/* What the macros call; check_that returns whether the condition holds. */
int check_that(int holds, const char *condition, const char *file, int line);
void check_run(const char *name, void (*test)(void));

/*
 * Whether tests should try fewer cases, as under valgrind, or more than `make test` has time for:
 * the environment variables QUICK and THOROUGH are set. Nobody sets both.
 */
int check_is_quick(void);
int check_is_thorough(void);

/* Ends a test program: prints "N passed, N failed" and returns main's exit status. */
int check_finish(void);

#endif
