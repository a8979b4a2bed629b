/* Tests of signals: caught, they leave a word and nothing else; ignored ones stay so; afterwards
 * all is as before. And of standard streams that are closed. What would end the program is tried in
 * a process of its own. */
#include "cli/options.h"

#include "check.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};

/* Runs `part` with its argument in a new process. Returns how that has ended. */
static int run_apart(void (*part)(int number), int number)
{
    int state = 0;
    pid_t process = fork();
    if (process == 0) {
        const struct sigaction standard = {.sa_handler = SIG_DFL};
        for (size_t k = 0; k < LENGTH(numbers); k++)
            sigaction(numbers[k], &standard, NULL);
        sigaction(SIGPIPE, &standard, NULL);
        part(number);
        _exit(0);
    }
    if (!CHECK(process > 0 && waitpid(process, &state, 0) == process))
        exit(EXIT_FAILURE);
    return state;
}

static int has_died_of(int state, int number)
{
    return WIFSIGNALED(state) && WTERMSIG(state) == number;
}

static int has_ended_well(int state)
{
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* In a process of its own, a fault shows in the status. */
static void demand(int condition)
{
    if (!condition)
        _exit(1);
}

static void catch_one(int number)
{
    const volatile sig_atomic_t *flag = signals_catch();
    demand(*flag == 0);
    signals_end(); /* there was none yet: all stays as it is */
    raise(number);
    demand(*flag == number);
    raise(number); /* it has not been used up */
    demand(*flag == number && signals_catch() == flag && *flag == number);
}

static void end_by_it(int number)
{
    signals_catch();
    raise(number);
    signals_end();
}

static void die_before(int number)
{
    raise(number);
}

static void die_after(int number)
{
    signals_catch();
    signals_release();
    raise(number);
}

TEST(each_signal)
{
    for (size_t k = 0; k < LENGTH(numbers); k++) {
        CHECK(has_ended_well(run_apart(catch_one, numbers[k])));
        CHECK(has_died_of(run_apart(end_by_it, numbers[k]), numbers[k]));
        CHECK(has_died_of(run_apart(die_before, numbers[k]), numbers[k]));
        CHECK(has_died_of(run_apart(die_after, numbers[k]), numbers[k]));
    }
}

/* As nohup and shells in the background do. */
static void ignore_one(int number)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction action;
    sigaction(number, &ignore, NULL);
    const volatile sig_atomic_t *flag = signals_catch();
    raise(number);
    demand(*flag == 0);
    signals_release();
    demand(sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
    signals_end();
}

TEST(ignored_signals_stay_so)
{
    for (size_t k = 0; k < LENGTH(numbers); k++)
        CHECK(has_ended_well(run_apart(ignore_one, numbers[k])));
    CHECK(has_ended_well(run_apart(ignore_one, SIGPIPE)));
}

/* Writes to a pipe that has no reader. */
static int write_in_vain(void)
{
    int ends[2];
    demand(pipe(ends) == 0 && close(ends[0]) == 0);
    return write(ends[1], "x", 1) < 0 && errno == EPIPE;
}

static void write_while_caught(int number)
{
    (void)number;
    const volatile sig_atomic_t *flag = signals_catch();
    demand(write_in_vain());
    demand(*flag == 0); /* the flag is for signals that end the run */
    signals_end();
}

static void write_afterwards(int number)
{
    (void)number;
    signals_catch();
    signals_release();
    write_in_vain();
}

TEST(a_pipe_without_a_reader)
{
    CHECK(has_ended_well(run_apart(write_while_caught, 0)));
    CHECK(has_died_of(run_apart(write_afterwards, 0), SIGPIPE));
}

/* A program that waits for a pipe goes on when a signal comes: the call fails. */
static void wait_in_vain(int number)
{
    int ends[2];
    char byte;
    (void)number;
    const volatile sig_atomic_t *flag = signals_catch();
    demand(pipe(ends) == 0);
    pid_t other = fork();
    if (other == 0) {
        for (int k = 0; k < 100; k++) { /* more than once, if it comes too early */
            nanosleep(&(const struct timespec){.tv_nsec = 20000000}, NULL);
            kill(getppid(), SIGTERM);
        }
        _exit(0);
    }
    demand(read(ends[0], &byte, 1) < 0 && errno == EINTR && *flag == SIGTERM);
    kill(other, SIGKILL);
}

TEST(calls_that_wait_fail)
{
    alarm(60);
    CHECK(has_ended_well(run_apart(wait_in_vain, 0)));
    alarm(0);
}

/* No file of its own gets the number of a stream that was closed; it cannot be read or written. */
static void use_closed(int closed)
{
    char byte = 0;
    close(closed);
    signals_prepare();
    demand(dup(STDERR_FILENO) != closed);
    demand((closed == STDIN_FILENO ? read(closed, &byte, 1) : write(closed, &byte, 1)) < 0);
}

TEST(closed_streams)
{
    for (int closed = STDIN_FILENO; closed <= STDERR_FILENO; closed++)
        CHECK(has_ended_well(run_apart(use_closed, closed)));
}

TEST(open_streams_stay)
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
