/*
 * Signals that ask the program to end, for as long as it has something to tidy up, and standard
 * streams that are safe to use.
 */
#ifndef PARTICLES_SIGNALS_H
#define PARTICLES_SIGNALS_H

#include <signal.h>

/*
 * Makes reading and writing safe; to be called before any file is opened. Where a program is
 * started without standard input, output or error, the first files that it opens get their numbers,
 * and what is meant for the standard stream would go into one of them. So the numbers are taken: to
 * read from or to write to such a stream goes on failing. And to write more than the system lets a
 * file grow fails, too, instead of ending the program by a signal.
 */
void signals_prepare(void);

/*
 * From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, only set the flag that is
 * returned: to the signal's number; 0 as long as there was none. And to write to a pipe that is
 * closed at its other end fails, instead of ending the program.
 */
const volatile sig_atomic_t *signals_catch(void);

/* From now on these signals do again what they did before. */
void signals_release(void);

/* If a signal was caught, ends the program by it, so that the shell learns of it. */
void signals_end(void);

#endif
