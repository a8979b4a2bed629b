#!/bin/sh
# Runs every test: the programs $BUILD/tests/test_* and the scripts beside this one. Each prints
# "N passed, N failed" as its last line; the sums are the last line of all.
#
# BUILD      where the test programs are
# PROGRAM    the command under test
# RUN_WITH   what to run them with, such as valgrind; empty for nothing
: "${BUILD:=build}" "${PROGRAM:=./particles}"
export BUILD PROGRAM RUN_WITH

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0

# run NAME COMMAND...: one test program or script, which counts its own tests
run() {
    name=$1
    shift
    timeout 1200 "$@" >"$directory/log" 2>&1
    status=$?
    counts=$(tail -n 1 "$directory/log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ -z "$counts" ]; then
        counts="0 1"
    elif [ "$status" -ne 0 ] && [ "${counts#* }" -eq 0 ]; then
        counts="${counts% *} 1" # it passed and then fell, as a leak makes it
    fi
    printf '%-28s %s passed, %s failed\n' "$name" "${counts% *}" "${counts#* }"
    grep '^skipped: ' "$directory/log"
    if [ "${counts#* }" -ne 0 ]; then
        echo "--- $name ended with status $status and said:"
        cat "$directory/log"
        echo "---"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

for program in "$BUILD"/tests/unit/*/test_*; do
    case $program in *.*) continue ;; esac
    # shellcheck disable=SC2086 # RUN_WITH is a command and its options
    run "$(basename "$program")" $RUN_WITH "$program"
done
for script in golden command_line observers checkpoint bad_input generate stats sensitivity exact \
    out_of_memory faults gallery pictures documents packaging sweep submission; do
    run "$script" sh "tests/command/$script.sh"
done
for program in "$BUILD"/tests/fuzz/replay_*; do
    case $program in *.*) continue ;; esac
    name=$(basename "$program")
    # shellcheck disable=SC2086
    run "$name" $RUN_WITH "$program" "tests/fuzz/${name#replay_}"/*
done
run check_layers sh scripts/check_layers

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
