/*
 * Signals that ask the program to end, for as long as it has something to tidy up.
 */
#ifndef PARTICLES_SIGNALS_H
#define PARTICLES_SIGNALS_H

#include <signal.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, only set the flag that is
 * returned: to the signal's number; 0 as long as there was none. And a pipe that nobody reads any
 * longer makes a write fail, instead of ending the program.
 */
const volatile sig_atomic_t *signals_catch(void);

/* From now on these signals do again what they did before. */
void signals_release(void);

/* If a signal was caught, ends the program by it, so that the shell learns of it. */
void signals_end(void);

#endif
