/*
 * Standard streams; see streams.h.
 */
#include "cli/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void signals_prepare(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) /* open takes the lowest number that is free: this */
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    signal(SIGXFSZ, SIG_IGN);
}
