#!/bin/sh
# The pages of --animate and --report in a real browser, without a window: make test-browser runs this. It needs
# Chromium, its driver and python3 (on Debian: apt-get install chromium chromium-driver python3);
# without them it says so and counts nothing. Pictures of what was seen go to $SCREENSHOTS.
LC_ALL=C
export LC_ALL
: "${BUILD:=build}" "${PROGRAM:=./particles}" "${SCREENSHOTS:=$BUILD/screenshots}"
export BUILD PROGRAM SCREENSHOTS

# find_command NAME...: the path of the first of these commands that there is
find_command() {
    for name in "$@"; do
        command -v "$name" && return
    done
}

CHROMIUM=$(find_command chromium chromium-browser google-chrome)
CHROMEDRIVER=$(find_command chromedriver)
export CHROMIUM CHROMEDRIVER
for missing in "${CHROMIUM:-Chromium}" "${CHROMEDRIVER:-chromedriver}" "$(find_command python3 || echo python3)"; do
    case $missing in
    /*) ;;
    *)
        echo "skipped: no $missing"
        echo "0 passed, 0 failed"
        exit 0
        ;;
    esac
done
mkdir -p "$SCREENSHOTS"
PYTHONDONTWRITEBYTECODE=1 exec python3 tests/browser/browser.py
