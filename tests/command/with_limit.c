/* with_limit BYTES COMMAND...: runs a command that cannot write a file beyond so many bytes, as if
 * the disk were full then. (ulimit counts in blocks.) Pipes have no limit. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc > 2) {
        rlim_t bytes = (rlim_t)strtoull(argv[1], NULL, 10);
        const struct rlimit limit = {bytes, bytes};
        if (setrlimit(RLIMIT_FSIZE, &limit) == 0)
            execvp(argv[2], argv + 2);
    }
    perror("with_limit");
    return 127;
}
