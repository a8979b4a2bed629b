#!/bin/sh
# Wherever one thread has enough memory, so have many: they end, and what they needed goes to that one.
. tests/support/expect.sh

input=$PWD/data/particles_only.txt
cd "$work" || exit 1
# shellcheck disable=SC3045 # a shell without ulimit -v skips this
if [ -n "$RUN_WITH" ] || ! (ulimit -v 50000 && "$PROGRAM" --version) >/dev/null 2>&1; then
    skip "small memory: the program needs more itself (with sanitizers, valgrind), or it cannot be had"
    finish
fi

# with_memory KB ARGUMENT...: the command with so much memory
with_memory() {
    limit=$1
    shift
    # shellcheck disable=SC3045
    (ulimit -v "$limit" && exec "$PROGRAM" "$@") >"$work/out" 2>"$work/err"
    status=$?
}
# compare NAME: the last run printed the answer, and at most warnings
compare() {
    verdict "$1" "$([ "$status" -eq 0 ] || echo "status $status")$(cmp "$work/out" "$work/answer" 2>&1)$(
        grep -vE 'the run goes on with (one|them)$' "$work/err")"
}

"$PROGRAM" --quiet --generate=30000 --area-fraction=0.3 >many
"$PROGRAM" --threads=1 many 0.05 >answer
enough=0
fewer=0
for memory in $([ -n "$THOROUGH" ] && seq 10000 1000 60000 || echo 11000 12000 14000 18000 24000 30000 36000); do
    with_memory "$memory" --threads=1 many 0.05
    [ "$status" -eq 0 ] || continue
    enough=$((enough + 1))
    for threads in 2 $([ -n "$THOROUGH" ] && echo 4 8 32) 16; do
        with_memory "$memory" --threads="$threads" many 0.05
        compare "$threads threads with $memory kB"
        fewer=$((fewer + $(wc -l <"$work/err")))
    done
done
verdict "memory is enough, and short for many" \
    "$([ "$enough" -gt 0 ] && [ "$fewer" -gt 0 ] || echo "enough $enough times, and $fewer warnings")"

# Short lines, for which there is room for too few at first; a pipe, which does not say how many are to come.
awk 'BEGIN { print 30000; print 0.4; print "400 400"
    for (k = 0; k < 30000; k++) print k % 200 * 2 + 1, int(k / 200) * 2 + 1, k % 3 - 1, k % 5 - 2 }' >short
"$PROGRAM" --threads=1 short 0.05 >answer
mkfifo pipe
for memory in 12000 14000; do
    with_memory "$memory" --threads=1 short 0.05
    [ "$status" -eq 0 ] || continue
    with_memory "$memory" --threads=16 short 0.05
    compare "short lines with $memory kB"
    cat short >pipe &
    with_memory "$memory" --threads=16 - 0.05 <pipe
    compare "short lines from a pipe with $memory kB"
done

# count_failures THREADS: how many of the first allocations end a run with perturbed runs if they fail
count_failures() {
    for number in $(seq 50); do
        PARTICLES_FAIL_AT=$number "$BUILD/tests/command/particles_failing" --threads="$1" --sensitivity=2 \
            "$input" 10 >/dev/null 2>&1
        [ $? -eq 71 ] && echo "$number"
    done | wc -l
}
verdict "perturbed runs two at a time need not end where there is memory for one" \
    "$([ $((2 * $(count_failures 2))) -lt "$(count_failures 1)" ] || echo "they do")"

finish
