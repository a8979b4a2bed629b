/* Signals and standard streams; see options.h. A signal handler can do no more than set a variable,
 * and gets no pointer to one. So `caught` is the only global variable of the program; others read
 * it by a pointer. System calls that wait are not started again after a signal: they fail. */
#include "cli/options.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

void signals_prepare(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) /* open takes the lowest free number, which is this */
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    signal(SIGXFSZ, SIG_IGN);
}

static volatile sig_atomic_t caught; /* number of the last signal, or 0 */

static void catch_signal(int number)
{
    caught = number;
}

/* Does nothing. Unlike SIG_IGN, it is known to be set by this program. */
static void catch_pipe(int number)
{
    (void)number;
}

/* The signals and their handlers. The last four that are caught come from batch systems. */
static const struct {
    int number;
    void (*handler)(int);
} signals[] = {{SIGINT, catch_signal},  {SIGTERM, catch_signal}, {SIGHUP, catch_signal},
               {SIGUSR1, catch_signal}, {SIGUSR2, catch_signal}, {SIGALRM, catch_signal},
               {SIGXCPU, catch_signal}, {SIGPIPE, catch_pipe}};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* Replaces the handler of a signal, if it is `present`. */
static void signals_replace(int number, void (*present)(int), void (*wanted)(int))
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == present) {
        action = (struct sigaction){.sa_handler = wanted};
        sigemptyset(&action.sa_mask);
        sigaction(number, &action, NULL);
    }
}

const volatile sig_atomic_t *signals_catch(void)
{
    for (size_t k = 0; k < SIGNALS; k++)
        signals_replace(signals[k].number, SIG_DFL, signals[k].handler);
    return &caught;
}

const volatile sig_atomic_t *signals_catch_late(void)
{
    (void)signals_catch();
    signals_replace(SIGPIPE, catch_pipe, SIG_DFL);
    return &caught;
}

void signals_release(void)
{
    for (size_t k = 0; k < SIGNALS; k++)
        signals_replace(signals[k].number, signals[k].handler, SIG_DFL);
}

void signals_end(void)
{
    int number = caught;
    if (number != 0) {
        signals_release();
        raise(number);
    }
}
