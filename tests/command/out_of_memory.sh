#!/bin/sh
# Makes every allocation fail in turn: each time the run ends with status 71 and one message; and
# when none is left to fail, it succeeds.
. tests/support/expect.sh
plain=$PROGRAM
step=$([ -n "$QUICK" ] && [ -n "$RUN_WITH" ] && echo 5 || echo 1) # from one allocation that fails to the next
PROGRAM=$BUILD/tests/command/particles_failing

# Enough particles that the reader has to ask for more memory on the way.
{ printf '1100\n0\n1 2000\n'; seq 1100 | sed 's/.*/0.5 & 0.1 0/'; } >"$work/many"
"$plain" --schedule=array "$work/many" 7 >"$work/many.expected"

# Kinds enough that their table grows, too.
{ printf '60\n0\n20 20\n'; awk 'BEGIN { for (k = 0; k < 60; k++)
    print 2 * (k % 10) + 1, 3 * int(k / 10) + 1, 0, 1, 0.5 + k / 150, 1, k }'; } >"$work/kinds"
"$plain" --schedule=array "$work/kinds" 7 >"$work/kinds.expected"

# fail_in_turn KIND INPUT END_TIME EXPECTED: as said above, for this kind of schedule; EXPECTED is
# the output when it succeeds
fail_in_turn() {
    PARTICLES_FAIL_AT=0
    while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        particles --schedule="$1" --stats="$work/stats" "$2" "$3"
        [ "$status" -eq 0 ] && break
        expect_error "$1, $2, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need [0-9.]+ (bytes|[kM]B)"
        [ -z "$(find "$work" -name 'stats*')" ] || verdict "a file is left" "$(ls "$work")"
    done
    expect_output "$1, $2, no allocation left to fail" "$4"
    rm -f "$work/stats"
    verdict "$1, $2 makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 4 ] || echo none)"
}

# left_in DIRECTORY: the files in it that are not the ones of $work/complete, byte for byte. When all
# but one have been completed and that one fails, those may stay.
left_in() {
    for file in $(ls -A "$1"); do
        cmp -s "$1/$file" "$work/complete/$file" || echo "$file"
    done
}

# observe_in_turn NAME OPTION...: the same for a run that writes files to $work/observed; none that is
# incomplete is left when it fails
observe_in_turn() {
    name=$1
    shift
    mkdir "$work/observed"
    "$plain" --quiet "$@" >"$work/expected"
    mv "$work/observed" "$work/complete"
    mkdir "$work/observed"
    PARTICLES_FAIL_AT=0
    while [ "$PARTICLES_FAIL_AT" -lt 200 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        particles --quiet "$@"
        [ "$status" -eq 0 ] && break
        expect_error "$name, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need [0-9.]+ "
        verdict "$name, allocation $PARTICLES_FAIL_AT: no files" "$(left_in "$work/observed")"
        rm -f "$work"/observed/*
    done
    expect_output "$name, no allocation left to fail" "$work/expected"
    verdict "$name makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 4 ] || echo none)"
    rm -r "$work/observed" "$work/complete"
}

# generate_in_turn N OPTION...: the same for --generate
generate_in_turn() {
    count=$1
    shift
    PARTICLES_FAIL_AT=0
    while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        particles --quiet --generate="$count" "$@"
        [ "$status" -eq 0 ] && break
        expect_error "--generate=$count $*, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need "
    done
    "$plain" --quiet --generate="$count" "$@" >"$work/generated"
    expect_output "--generate=$count $*, no allocation left to fail" "$work/generated"
    verdict "--generate=$count $* makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 1 ] || echo none)"
}

# All files, each rule, both schedules, alike particles and kinds.
files="--events=$work/observed/events --trajectory=$work/observed/frames --every=1
    --stats=$work/observed/stats --picture=$work/observed/picture
    --animate=$work/observed/animation"
combine() {
    for schedule in array cells; do
        for rule in "" "--rule=elastic" "--rule=elastic --restitution=0.9"; do
            for option in "" "$files"; do
                [ -z "$QUICK" ] || [ -n "$option" ] || continue
                [ -z "$QUICK" ] || [ "$rule" = "--rule=elastic" ] || continue
                # shellcheck disable=SC2086 # several words, or none
                observe_in_turn "$schedule $rule ${option:+all files}" --schedule=$schedule $rule \
                    $option data/particles_only.txt 30
            done
        done
    done
    # shellcheck disable=SC2086
    [ -n "$QUICK" ] ||
        observe_in_turn "kinds, all files" --schedule=array --rule=elastic $files "$work/kinds" 7
}

export PARTICLES_KEEP_FAILING PARTICLES_FAIL_AT
for PARTICLES_KEEP_FAILING in 0 1; do
    for kind in textbook array cells; do
        fail_in_turn $kind data/particles_only.txt 100 tests/command/expected/particles_only.t100.expected
        fail_in_turn $kind "$work/many" 7 "$work/many.expected"
    done
    fail_in_turn array "$work/kinds" 7 "$work/kinds.expected"
    PARTICLES_FAIL_AT=0
    mkdir "$work/files"
    while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        particles --events="$work/files/log" --trajectory="$work/files/frames" --every=1 \
            --progress data/particles_only.txt 100
        [ "$status" -eq 0 ] && break
        expect_error "observers, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need [0-9.]+ "
        verdict "observers, allocation $PARTICLES_FAIL_AT: no files" "$(ls -A "$work/files")"
    done
    verdict "observers make allocations" "$([ "$PARTICLES_FAIL_AT" -gt 12 ] || echo none)"
    cmp -s "$work/out" tests/command/expected/particles_only.t100.expected
    verdict "observers, no allocation left to fail" "$([ $? -eq 0 ] || cat "$work/err")"
    rm -r "$work/files"
    for option in --picture --animate; do
        PARTICLES_FAIL_AT=0
        while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
            PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
            particles $option="$work/shown" data/particles_only.txt 100
            [ "$status" -eq 0 ] && break
            expect_error "$option, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need "
            verdict "$option, allocation $PARTICLES_FAIL_AT, leaves nothing" \
                "$(find "$work" -name 'shown*')"
        done
        expect_output "$option, no allocation left to fail" \
            tests/command/expected/particles_only.t100.expected
        verdict "$option, no allocation left to fail, leaves its file" \
            "$([ -s "$work/shown" ] || echo "it does not")"
        rm -f "$work/shown"
    done
    PARTICLES_FAIL_AT=0
    while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        particles --sensitivity=2 data/particles_only.txt 100
        [ "$status" -eq 0 ] && break
        expect_error "--sensitivity, allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need "
    done
    : >"$work/err"
    expect_output "--sensitivity, no allocation left to fail" \
        tests/command/expected/particles_only.t100.expected
    verdict "--sensitivity makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 20 ] || echo none)"
    combine
    generate_in_turn 100 --area-fraction=0.3 # scattered
    generate_in_turn 100 --area-fraction=0.7 # on a lattice
done

finish
