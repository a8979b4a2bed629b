/* with_signals COMMAND...: runs a command that can be interrupted. What a shell script starts in
 * the background cannot be: there SIGINT is ignored. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    if (argc > 1)
        execvp(argv[1], argv + 1);
    perror("with_signals");
    return 127;
}
