/* Tests of standard streams that are closed. */
#include "check.h"
#include "cli/streams.h"

#include <sys/wait.h>
#include <unistd.h>

/* Whether, started with one of them closed, a program can use its number for a file of its own, or
 * can read or write by it. */
static int is_usable(int closed)
{
    pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        close(closed);
        signals_prepare();
        int is_free = dup(STDERR_FILENO) == closed;
        ssize_t moved = closed == STDIN_FILENO ? read(closed, &byte, 1) : write(closed, &byte, 1);
        _exit(is_free || moved >= 0);
    }
    int status = 0;
    return !(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
             WEXITSTATUS(status) == 0);
}

static void test_their_numbers_are_for_nothing_else(void)
{
    for (int closed = STDIN_FILENO; closed <= STDERR_FILENO; closed++)
        CHECK(!is_usable(closed));
}

static void test_open_ones_stay(void)
{
    int ends[2];
    char byte = 0;
    if (!CHECK(pipe(ends) == 0))
        return;
    int saved = dup(STDIN_FILENO);
    CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    signals_prepare();
    CHECK(write(ends[1], "x", 1) == 1 && read(STDIN_FILENO, &byte, 1) == 1 && byte == 'x');
    CHECK(dup2(saved, STDIN_FILENO) == STDIN_FILENO);
    close(saved);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    RUN(test_their_numbers_are_for_nothing_else);
    RUN(test_open_ones_stay);
    return check_finish();
}
