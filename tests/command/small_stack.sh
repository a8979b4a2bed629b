#!/bin/sh
# A stack of 64 kB is enough for every ability, as threads and small systems have it.
. tests/support/expect.sh

input=$PWD/data/particles_only.txt
cd "$work" || exit 1
# shellcheck disable=SC3045 # a shell without ulimit -s skips this
if [ -n "$RUN_WITH" ] || ! (ulimit -s 64 && "$PROGRAM" --version) >/dev/null 2>&1; then
    skip "small stacks: the program needs more itself (with sanitizers, valgrind), or they cannot be had"
    finish
fi

# small ARGUMENT...: the command with such a stack has to print what it prints with a large one
small() {
    particles "$@"
    [ "$status" -eq 0 ] || verdict "with a large stack, $*" "$(cat "$work/err")"
    cp "$work/out" "$work/expected"
    # shellcheck disable=SC3045
    (ulimit -s 64 && exec "$PROGRAM" "$@") >"$work/out" 2>"$work/err"
    status=$?
    verdict "$*" "$([ "$status" -eq 0 ] || echo "status $status: $(cat "$work/err")")"
    cmp -s "$work/out" "$work/expected"
    verdict "$*: the same" "$([ $? -eq 0 ] || echo "other output")"
}

files="--events=events --trajectory=frames --every=1 --stats=stats --picture=picture --animate=page
    --final=final"
small --help
small --version
small --generate=1000
small --generate=1000 --area-fraction=0.8 # on a lattice
small --generate=800,200 --radius=1,0.5 --mass=1,4 --periodic=xy
"$PROGRAM" --quiet --generate=20000 >many
for kind in textbook array cells; do
    small --schedule=$kind --rule=elastic --progress --sensitivity $files "$input" 100
done
small --stats --checkpoint=saved --checkpoint-every=0.01 --events=events --picture=picture many 1
small --rule=elastic --restitution=0.9 "$input" 10

# An interrupted run, and its end.
"$BUILD/tests/command/with_signals" "$PROGRAM" --checkpoint=saved $files "$input" 1e7 >"$work/out" 2>&1 &
process=$!
await [ -s saved ]
stop TERM
mkdir kept
cp saved ./*.part kept
for end in large small; do
    cp kept/* .
    # shellcheck disable=SC3045
    (if [ $end = small ]; then ulimit -s 64; fi
    exec "$BUILD/tests/command/with_signals" "$PROGRAM" --checkpoint=saved --resume=saved $files) \
        >"$work/out" 2>"$work/err" &
    process=$!
    sleep 0.1
    stop TERM
    expect_error "resumed and interrupted, $end" 143 "interrupted at time .* --resume=saved"
done

# fails STATUS ARGUMENT...: the command with such a stack fails as it should
fails() {
    wanted=$1
    shift
    # shellcheck disable=SC3045
    (ulimit -s 64 && exec "$PROGRAM" "$@") >"$work/out" 2>"$work/err"
    status=$?
    expect_error "a message about $(echo "$1" | cut -c 1-20)" "$wanted" ""
}
fails 64 --sped=1
fails 66 none 10
fails 66 "$(printf '%05000d' 0)" 10

finish
