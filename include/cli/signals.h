/* Signals that end the program in order, and standard streams that are safe to use. */
#ifndef PARTICLES_SIGNALS_H
#define PARTICLES_SIGNALS_H

#include <signal.h>

/* Makes reading and writing safe; to be called before any file is opened. If the program is started
 * without standard input, output or error, files that it opens would get their numbers: so these
 * are taken, and reading or writing there fails as before. Writing beyond the largest size that the
 * system allows a file fails instead of ending the program by a signal. */
void signals_prepare(void);

/* From now on SIGINT, SIGTERM and SIGHUP, and those with which batch systems end a run, SIGUSR1,
 * SIGUSR2, SIGALRM and SIGXCPU, unless they are ignored, only set the flag that is returned to
 * their number; before that it is 0. Writing to a pipe without a reader then fails. */
const volatile sig_atomic_t *signals_catch(void);

/* As signals_catch, while the answer is written; but a pipe without a reader ends the program. */
const volatile sig_atomic_t *signals_catch_late(void);

/* From now on these signals do again what they did before. */
void signals_release(void);

/* If a signal was caught, ends the program by that signal, so that the shell sees it. */
void signals_end(void);

#endif
