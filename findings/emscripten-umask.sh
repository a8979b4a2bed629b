#!/bin/sh
# emscripten 3.1.6 (Debian 12: emscripten 3.1.6~dfsg-5) and a program that replaces files as most do: it makes one by
# mkstemp, gives it the rights of any new file, 0666 & ~umask, by fchmod, and puts it in place by rename.
# Seen: the mask with which a program begins is 0777, so that such a file has no rights at all; and the file system in
# memory, where nobody else can be, refuses to open it, though geteuid() is 0: "Permission denied".
# A good guess: 022, as in a shell, or 0; and for the user 0 no file is closed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
installed=$(dpkg-query -W -f='${Version}' emscripten 2>/dev/null || true)
[ "$installed" = 3.1.6~dfsg-5 ] || apt-get install -q -y --no-install-recommends emscripten=3.1.6~dfsg-5 >/dev/null 2>&1 ||
    { echo "it cannot be had" && exit 2; }
cat >replace.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    char name[] = "/tmp/new.XXXXXX";
    const int file = mkstemp(name);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(file, 0666 & ~mask);
    close(file);
    rename(name, "/tmp/table.csv");
    printf("umask: %03o, user: %d\n", (unsigned)mask, (int)geteuid());
    printf("open: %s\n", open("/tmp/table.csv", O_RDONLY) < 0 ? strerror(errno) : "done");
    return 0;
}
END
emcc --version | sed -n 1p
emcc -sSINGLE_FILE replace.c -o replace.js
node replace.js | tee said
grep -qx 'umask: 777, user: 0' said
grep -qx 'open: Permission denied' said
echo "as stated: files that are replaced have no rights"
