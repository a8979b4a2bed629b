#!/bin/sh
# emscripten 3.1.6 (Debian 12: emscripten 3.1.6~dfsg-5) and a program that shows its progress in a line, as wide as the
# terminal, if standard error is one.
# Seen: isatty() says that it is one, also where node's standard error is a file; and ioctl(TIOCGWINSZ) returns 0,
# for success, and sets nothing: the width is what was in memory before.
# A good guess: no terminal where there is none; or no size, -1, where nobody knows it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
installed=$(dpkg-query -W -f='${Version}' emscripten 2>/dev/null || true)
[ "$installed" = 3.1.6~dfsg-5 ] || apt-get install -q -y --no-install-recommends emscripten=3.1.6~dfsg-5 >/dev/null 2>&1 ||
    { echo "it cannot be had" && exit 2; }
cat >width.c <<'END'
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void)
{
    struct winsize size = {.ws_col = 12345};
    printf("isatty: %d\n", isatty(STDERR_FILENO));
    printf("ioctl: %d\n", ioctl(STDERR_FILENO, TIOCGWINSZ, &size));
    printf("width: %d\n", size.ws_col);
    return 0;
}
END
emcc --version | sed -n 1p
emcc -sSINGLE_FILE width.c -o width.js
node width.js 2>errors | tee said
grep -qx 'isatty: 1' said
grep -qx 'ioctl: 0' said
grep -qx 'width: 12345' said
echo "as stated: any file is a terminal, and its width is what was there before"
