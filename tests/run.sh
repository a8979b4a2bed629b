#!/bin/sh
# run.sh [TEST]...: runs these tests, or all, on all cores. Prints their results in the same order
# every time; of a test that fails, all that it says; and the sums as the last line, "N passed, N
# failed, N skipped". Each test counts its own and ends with such a line without the last, which its lines "skipped: ..." are.
#
# TEST is a source without its suffix: of tests/unit, where each is a program; of tests/command,
# scripts; or of tests/fuzz, fuzz targets, which try the inputs that are kept.
#
# BUILD      where the test programs are
# PROGRAM    the command under test
# RUN_WITH   what to run them with, such as valgrind; empty for nothing
# JOBS       how many to run at a time; two more than there are cores, as some wait for the clock
LC_ALL=C # numbers have a decimal point, and bytes an order
export LC_ALL
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}" "${PROGRAM:=particles}" "${JOBS:=$(($(getconf _NPROCESSORS_ONLN || echo 1) + 2))}"
export BUILD PROGRAM RUN_WITH
# Where python3 is a script that looks for the interpreter, it takes longer than most of what it is started for.
python=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))' 2>/dev/null) &&
    [ "$(command -v python3)" = "$python/python3" ] || PATH=${python:+$python:}$PATH
times=$BUILD/tests/times # seconds and name of each test when all were run last

umask 022
ulimit -f 8388608 # 4 GB: a test that writes without end fails, and does not fill the memory
# Files of tests are kept in memory where there is a place for it, with room, that runs programs: the system
# takes half as long for them as on a disk.
[ -n "$TMPDIR" ] || ! memory=$(mktemp -d -p /dev/shm 2>/dev/null) || {
    printf '#!/bin/sh\n' >"$memory/program" && chmod +x "$memory/program"
    [ "$(df -Pk "$memory" | awk 'END { print $4 }')" -lt 4000000 ] || ! "$memory/program" || export TMPDIR=/dev/shm
    rm -r "$memory"
} 2>/dev/null
directory=$(mktemp -d) || exit 1
chmod 755 "$directory" # a test that runs the program as another user has its files here
workers=
trap 'kill $workers 2>/dev/null; wait; rm -rf "$directory"' EXIT
trap 'exit 1' HUP INT TERM

for source in tests/command/*.sh tests/fuzz/fuzz_*.c tests/unit/*/test_*.c; do
    echo "${source%.*}"
done >"$directory/all"
for test in "$@"; do
    ! grep -Fqx -e "$test" "$directory/all" || continue
    echo "there is no test '$test'; the names most like it:"
    sed 's/.*\///; s/^test_//; s/^fuzz_//' "$directory/all" | awk -v wanted="$test" '{
        for (k = 1; k < length(wanted); k++)
            alike[$1] += index($1, substr(wanted, k, 2)) > 0
    } END { for (name in alike) print alike[name] - length(name) / 100, name }' |
        sort -rn | sed -n '1,5s/^[^ ]*/   /p'
    exit 1
done >&2
[ $# -eq 0 ] || printf '%s\n' "$@" >"$directory/all"

# The longest first, as far as is known; before all have run once, those that usually are.
touch "$times"
awk 'BEGIN {
        count = split("command/sweep command/grade_shared command/grade command/checkpoint command/tiles " \
            "unit/schedule/test_tiles_tied command/gallery unit/observe/test_checkpoint_damage command/growth " \
            "command/library_py command/grade_hostile command/out_of_memory unit/observe/test_checkpoint " \
            "command/movie command/documents command/sweep_kills command/steps command/lattice command/faults " \
            "command/small_memory unit/schedule/test_tiles unit/model/test_neighbours unit/schedule/test_predictor " \
            "command/structure command/observers command/plot command/submission unit/run/test_stream_runs " \
            "unit/steps/test_threads command/packaging", long, " ")
        for (k = 1; k <= count; k++)
            seconds["tests/" long[k]] = 2000 - k
    }
    FILENAME == ARGV[1] { seconds[$2] = $1; next }
    { print ($1 in seconds ? seconds[$1] : 1000), FNR, $1 }' "$times" "$directory/all" |
    sort -k 1,1nr -k 2,2n >"$directory/order"

# run TEST: becomes the test. Of a signal to end, timeout sends it to all that the test has started.
run() {
    inputs=tests/fuzz/${1#*fuzz_}
    # Threads that wait, where each has a core, look for a while whether there is something to do. Here others need the
    # cores: they sleep at once, but in tests of threads, scripts that do not ask for it, and with THOROUGH.
    [ -n "$THOROUGH" ] || case $1 in
    */test_thread_pool | */test_tiles | */test_event_log | */test_sensitivity) ;;
    tests/unit/* | tests/fuzz/*) export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" ;;
    esac
    case $1 in
    tests/unit/*) set -- $RUN_WITH "$BUILD/$1" ;;
    tests/command/*) set -- sh "$1.sh" ;;
    tests/fuzz/*)
        [ -d "$inputs" ] || { # the package has none
            echo "skipped: $inputs, which is not here"
            echo "0 passed, 0 failed"
            exit
        }
        # Those of fuzz_run take as long as all others: a tenth of them. With sanitizers (QUICK) a fifth, for
        # make fuzz begins with all. Of fuzz_library a third, and all with sanitizers.
        case $inputs$THOROUGH in
        tests/fuzz/run) [ -n "$QUICK" ] && part=5 || part=10 ;;
        tests/fuzz/library) [ -n "$QUICK" ] && part=1 || part=3 ;;
        *) part=1 ;;
        esac
        # shellcheck disable=SC2046 # their names have no spaces
        set -- $RUN_WITH "$BUILD/tests/fuzz/replay_${1#*fuzz_}" $(printf '%s\n' "$inputs"/* | awk "NR % $part == 0")
        ;;
    esac
    exec timeout 1200 "$BUILD/tests/command/with_signals" "$@"
}

# work: runs one test after another that no other worker has taken
work() {
    trap 'kill "$child" 2>/dev/null; wait; exit' TERM
    while read -r _ number test; do
        mkdir "$directory/$number" 2>/dev/null || continue
        began=$(date +%s)
        mkdir "$directory/$number/files"
        TMPDIR=$directory/$number/files
        export TMPDIR
        run "$test" >"$directory/$number/log" 2>&1 &
        child=$!
        wait "$child"
        echo "$? $(($(date +%s) - began))" >"$directory/$number/writing"
        rm -rf "$TMPDIR"
        mv "$directory/$number/writing" "$directory/$number/result"
    done <"$directory/order"
}
for _ in $(seq "$JOBS"); do
    work &
    workers="$workers $!"
done

# is_working: whether any worker is left
is_working() {
    for worker in $workers; do
        ! kill -0 "$worker" 2>/dev/null || return 0
    done
    return 1
}

passed=0
failed=0
skipped=0
number=0
while read -r test; do
    number=$((number + 1))
    log=$directory/$number/log
    until [ -e "$directory/$number/result" ] || ! is_working; do
        sleep 0.3
    done
    read -r status seconds <"$directory/$number/result"
    counts=$(tail -n 1 "$log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ -z "$counts" ]; then
        counts="0 1"
    elif [ "$status" -ne 0 ] && [ "${counts#* }" -eq 0 ]; then
        counts="${counts% *} 1" # it passed and then fell, as a leak makes it
    fi
    printf '%-45s %s passed, %s failed\n' "${test#tests/}" "${counts% *}" "${counts#* }"
    skipped=$((skipped + $(grep -c '^skipped: ' "$log")))
    grep '^skipped: ' "$log"
    if [ "${counts#* }" -ne 0 ]; then
        echo "--- $test ended with status $status and said:"
        cat "$log"
        echo "---"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
    echo "$seconds $test" >>"$directory/times"
done <"$directory/all"
[ $# -ne 0 ] || mv "$directory/times" "$times"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
