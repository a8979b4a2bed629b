#!/bin/sh
# The page for browsers: make test-web runs this. Builds the page, compares what its program writes with that of $PROGRAM
# under node (scripts/portability: more than 35 runs, all files), and uses it in Chromium. It needs emscripten, node 18,
# Chromium, its driver and python3 (on Debian: apt-get install emscripten chromium chromium-driver python3);
# without them it says so. Pictures of what was seen go to $SCREENSHOTS.
LC_ALL=C
export LC_ALL
: "${BUILD:=build}" "${PROGRAM:=./particles}" "${SCREENSHOTS:=$BUILD/screenshots}"
export BUILD PROGRAM SCREENSHOTS

for needed in emcc node python3; do
    command -v $needed >/dev/null && continue
    echo "skipped: no $needed"
    exit 0
done
if [ "$(node -p 'process.versions.node.split(".")[0] >= 18')" != true ]; then
    echo "skipped: node is older than 18"
    exit 0
fi
REFERENCE=$PROGRAM sh scripts/portability wasm || exit 1

CHROMIUM=$(command -v chromium)
CHROMEDRIVER=$(command -v chromedriver)
export CHROMIUM CHROMEDRIVER
if [ -z "$CHROMIUM" ] || [ -z "$CHROMEDRIVER" ]; then
    echo "skipped: no Chromium, or no driver"
    exit 0
fi
mkdir -p "$SCREENSHOTS"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/browser exec python3 tests/web/web.py
