/*
 * The standard streams, made safe to write to.
 */
#ifndef PARTICLES_STREAMS_H
#define PARTICLES_STREAMS_H

/*
 * To be called before any file is opened. Where a program is started without standard input, output
 * or error, the first files that it opens get their numbers, and what is meant for the standard
 * stream would go into one of them. So the numbers are taken: to read from or to write to such a
 * stream goes on failing. And to write more than the system lets a file grow fails, too, instead of
 * ending the program by a signal.
 */
void signals_prepare(void);

#endif
