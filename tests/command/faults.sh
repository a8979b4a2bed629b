#!/bin/sh
# Faults of the world around: every write fails, at every byte; every call that reads, opens, closes
# or renames; streams are closed, files change, directories cannot be written. Each time the run ends
# with its status and one message, and leaves nothing behind.
. tests/support/expect.sh

files=$work/files
mkdir "$files"
input=$work/input
printf '2\n1\n10 8\n2 3 1 0\n6 3.5 -1 0.25\n' >"$input"
"$PROGRAM" "$input" 9 >"$work/expected"
observed="--events=$files/events --trajectory=$files/frames --every=3 --stats=$files/stats --structure=$files/structure
    --forces=$files/forces --obstacle=$work/floor
    --fields=$files/fields.csv --fields-grid=4x3 --picture=$files/picture --animate=$files/animation --report=$files/report --final=$files/final"
printf '0 0\n10 0\n' >"$work/floor" # as the box has one: it changes nothing

# error_only NAME STATUS PATTERN: like expect_error, whatever has been written to standard output
error_only() {
    : >"$work/out"
    expect_error "$@"
}

# nothing_left NAME: no files but those in $work/before, with what they had
nothing_left() {
    (cd "$files" && for file in $(ls -A); do echo "$file $(cksum <"$file")"; done) >"$work/after"
    verdict "$1: nothing is left" "$(diff "$work/before" "$work/after" | grep '^[<>]')"
}

# remember: what nothing_left compares with
remember() {
    (cd "$files" && for file in $(ls -A); do echo "$file $(cksum <"$file")"; done) >"$work/before"
}

# limited BYTES ARGUMENT...: the command with files of at most so many bytes. Standard error is a
# pipe, which has no limit; standard output is a file. (Not under RUN_WITH: valgrind would fall
# over the limit itself.)
limited() {
    bytes=$1
    shift
    {
        "$BUILD/tests/command/with_limit" "$bytes" "$PROGRAM" "$@" 2>&1 >"$work/out"
        echo $? >"$work/status"
    } | cat >"$work/err"
    status=$(cat "$work/status")
}

# offsets SIZE: where to fail: at both ends and in the middle; if THOROUGH is set, at every byte of a small file,
# and at many of a large one
offsets() {
    if [ -z "$THOROUGH" ]; then
        echo "0 $(($1 / 2)) $(($1 - 1))"
    elif [ "$1" -le 120 ]; then
        seq 0 $(($1 - 1))
    else
        echo "0 1 2 511 512 4095 4096 4097 $(seq 7 $(($1 / 25)) "$1") $(($1 - 2)) $(($1 - 1))"
    fi
}

# A full disk, for standard output.
remember
size=$(wc -c <"$work/expected")
for bytes in $(offsets "$size"); do
    limited "$bytes" "$input" 9
    head -c "$bytes" "$work/expected" | cmp -s - "$work/out"
    verdict "output ends after $bytes bytes" "$([ $? -eq 0 ] || echo "$(wc -c <"$work/out")")"
    error_only "a disk full after $bytes bytes" 74 "standard output: cannot write: "
done
limited "$size" "$input" 9
expect_output "a disk with just enough room" "$work/expected"
for option in --help --version "--quiet --generate=20"; do
    "$PROGRAM" $option >"$work/long"
    for bytes in $(offsets "$(wc -c <"$work/long")" | tr ' ' '\n' | awk 'NR % 5 == 1'); do
        [ "$bytes" -lt "$(wc -c <"$work/long")" ] || continue
        limited "$bytes" $option
        error_only "$option, a disk full after $bytes bytes" 74 "standard output: cannot write: "
    done
done

# For each of the other files: what was there before stays, or there is nothing.
for option in events "forces --every=3" "trajectory --every=3" "structure --every=3" "fields.csv --fields-grid=4x3" \
    "fields.vtk --fields-grid=4x3" "fields.vti --fields-grid=4x3" "fields.svg --fields-grid=4x3" stats picture animate report final; do
    name=${option%% *}
    set -- --"${name%.*}"="$files/$name"
    [ "$name" = "$option" ] || set -- "$@" "${option#* }"
    [ "$name" != forces ] || set -- "$@" --obstacle="$work/floor"
    "$PROGRAM" "$@" "$input" 9 >"$work/plain"
    size=$(wc -c <"$files/$name")
    rm "$files/$name"
    remember
    for bytes in $(offsets "$size"); do
        [ "$bytes" -lt $((size - 40)) ] || { [ "$name" != stats ] && [ "$name" != report ]; } || continue # its length varies
        [ "$bytes" -lt "$size" ] || continue
        if [ $((bytes % 2)) -eq 0 ]; then
            echo before >"$files/$name"
        else
            rm -f "$files/$name"
        fi
        remember
        limited "$bytes" "$@" "$input" 9
        expect_error "--$name, a disk full after $bytes bytes" 74 "$name: cannot write: "
        nothing_left "--$name, a disk full after $bytes bytes"
    done
    rm -f "$files/$name"
done

# Every call fails in turn, with several reasons, where all files are written; or every third, but for
# coverage, which has QUICK.
plain=$PROGRAM
PROGRAM=$BUILD/tests/command/particles_faulty
export PARTICLES_FAIL_CALL PARTICLES_FAIL_AT PARTICLES_FAIL_ERRNO
remember
for PARTICLES_FAIL_CALL in fflush fclose mkstemp fdopen rename; do
    case $PARTICLES_FAIL_CALL in
    mkstemp) said="cannot create a file in its directory: " ;;
    fdopen) said="cannot open: " ;;
    rename) said="cannot rename the complete file: " ;;
    *) said="cannot write: " ;;
    esac
    for PARTICLES_FAIL_ERRNO in 28 $([ -z "$THOROUGH" ] || echo 5 122); do # ENOSPC EIO EDQUOT
        PARTICLES_FAIL_AT=1
        while [ "$PARTICLES_FAIL_AT" -lt 30 ]; do
            particles $observed "$input" 9
            [ "$status" -ne 0 ] || break
            # With the answer itself all files are already complete.
            if grep -q 'standard output' "$work/err"; then
                error_only "$PARTICLES_FAIL_CALL $PARTICLES_FAIL_AT fails" 74 "standard output: $said"
            else
                expect_error "$PARTICLES_FAIL_CALL $PARTICLES_FAIL_AT fails" 74 "files/.*: $said"
            fi
            verdict "$PARTICLES_FAIL_CALL $PARTICLES_FAIL_AT: no temporary file" \
                "$(find "$files" -name '*.??????' ! -name '*.html')"
            rm -f "$files"/*
            PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + $([ -n "$THOROUGH$QUICK" ] && echo 1 || echo 3)))
        done
        expect_output "no $PARTICLES_FAIL_CALL left to fail" "$work/expected"
        verdict "$PARTICLES_FAIL_CALL is called" "$([ "$PARTICLES_FAIL_AT" -gt 5 ] || echo "$PARTICLES_FAIL_AT")"
        rm -f "$files"/*
    done
done
PARTICLES_FAIL_CALL=fopen # a device is opened by its own name
PARTICLES_FAIL_AT=1
expect_error "a device cannot be opened" 74 "/dev/null: cannot open: " --events=/dev/null "$input" 9

# Reading: an error, an interruption, a few bytes at a time, a file that has been cut short.
PARTICLES_FAIL_CALL="read"
PARTICLES_FAIL_ERRNO=5
expect_error "a read fails" 66 "input: cannot read: " "$input" 9
export PARTICLES_READ_MAX=1 PARTICLES_READ_END
for PARTICLES_FAIL_AT in $(offsets "$(wc -c <"$input")"); do
    [ "$PARTICLES_FAIL_AT" -gt 0 ] || continue
    particles - 9 <"$input"
    expect_error "read $PARTICLES_FAIL_AT fails" 66 "standard input: cannot read: "
done
PARTICLES_FAIL_ERRNO=4 # EINTR
for PARTICLES_FAIL_AT in 1 2 7 20; do
    expect_output "read $PARTICLES_FAIL_AT is interrupted" "$work/expected" "$input" 9
done
PARTICLES_FAIL_CALL=none
for PARTICLES_READ_MAX in 1 2 3 1000; do
    expect_output "reads of $PARTICLES_READ_MAX bytes" "$work/expected" "$input" 9
done
PARTICLES_READ_MAX=
whole=$(($(wc -c <"$input") - 4)) # a number cut short may still be one, and so may the last
for PARTICLES_READ_END in $(offsets $whole); do
    expect_error "a file cut short after $PARTICLES_READ_END bytes" 65 "input:[0-9]*: expected " "$input" 9
done
unset PARTICLES_FAIL_CALL PARTICLES_FAIL_AT PARTICLES_FAIL_ERRNO
unset PARTICLES_READ_MAX PARTICLES_READ_END

# A signal that comes when the whole answer has been printed is too late. Before that it ends the program, also
# where nobody reads, and so does a pipe whose reader has gone.
export PARTICLES_SIGNAL=15
expect_output "a signal after the last line" "$work/expected" "$input" 9
particles --stats="$files/stats" --checkpoint="$files/saved" "$input" 9
expect_output "a signal after the last line, with files" "$work/expected"
verdict "no checkpoint is left" "$(find "$files" -name saved)"
unset PARTICLES_SIGNAL
PROGRAM=$plain
"$PROGRAM" --quiet --generate=20000 >"$work/many"
mkfifo "$work/pipe"
for threads in 1 2; do
    # shellcheck disable=SC2217 # it holds the pipe open
    sleep 30 <"$work/pipe" &
    reader=$!
    "$BUILD/tests/command/with_signals" "$PROGRAM" --threads=$threads "$work/many" 0 >"$work/pipe" 2>"$work/err" &
    process=$!
    sleep 0.5
    : >"$work/out"
    stop TERM
    expect_error "a signal while the answer is printed" 143 "interrupted while the answer was written"
    kill $reader
    wait $reader 2>/dev/null
    ("$PROGRAM" --threads=$threads --events=/dev/null "$work/many" 0; echo $? >"$work/status") 2>"$work/err" |
        head -n 1 >"$work/out"
    verdict "a reader that goes" "$(grep -vx 141 "$work/status")$(cat "$work/err")"
done

# Real pipes and files that change.
dd if="$input" bs=1 2>/dev/null | (particles - 9; echo "$status" >"$work/status")
status=$(cat "$work/status")
expect_output "a pipe that delivers byte by byte" "$work/expected"
(cat "$input" && echo '7 7 0 0') >"$work/grown"
expect_error "a file that has grown" 65 "grown:6: expected the end of the file" "$work/grown" 9

# A number of particles takes no memory before they are read; and a run that cannot reach its end stops.
# shellcheck disable=SC3045 # a shell without ulimit -v skips this
if (ulimit -v 100000 && "$PROGRAM" --version) >/dev/null 2>&1; then # not with sanitizers
    for kind in auto textbook array cells; do
        case $kind in
        textbook | array) promised=20000 ;;
        *) promised=10000000 ;;
        esac
        printf '%s\n1\n10 8\n2 3 1 0\n' $promised >"$work/promise"
        # shellcheck disable=SC3045
        (ulimit -v 100000 && exec "$PROGRAM" --schedule=$kind "$work/promise" 9) >"$work/out" 2>"$work/err"
        status=$?
        expect_error "many particles are promised, $kind" 65 "promise:5: expected x of particle 1 "
    done
    dd if=/dev/null of="$work/promise" bs=1 seek=1000000000 2>/dev/null
    # shellcheck disable=SC3045
    (ulimit -v 100000 && exec "$PROGRAM" "$work/promise" 9) >"$work/out" 2>"$work/err"
    status=$?
    expect_error "and there is but a hole" 65 "promise:5: expected x of particle 1 "
fi
for kind in textbook array cells; do
    for options in "" "--rule=elastic"; do
        particles --schedule=$kind $options data/particles_only.txt 1e40
        expect_error "no end, $kind $options" 65 "END_TIME 1e.40 is out of reach"
    done
done
expect_error "zeros without end" 65 "/dev/zero:1: expected the number of particles" /dev/zero 9

# Streams that are closed.
particles - 9 <&-
expect_error "standard input is closed" 66 "standard input: cannot read: "
remember
for more in "" "--quiet" "--stats=$files/stats" "$observed"; do
    $RUN_WITH "$PROGRAM" $more "$input" 9 2>"$work/err" >&-
    status=$?
    error_only "standard output is closed, $more" 74 "standard output: cannot write: "
    verdict "standard output is closed, $more: no temporary file" "$(find "$files" -name '*.??????')"
    rm -f "$files"/*
    # Valgrind would miss standard error.
    "$PROGRAM" $more "$input" 9 >"$work/out" 2>&-
    verdict "standard error is closed, $more" "$(cmp "$work/out" "$work/expected" 2>&1)"
    rm -f "$files"/*
done
"$PROGRAM" --events="$work/log" "$input" 9 >"$work/out"
"$PROGRAM" --events="$work/log2" --progress "$input" 9 >"$work/out" 2>&-
verdict "nothing gets into a file instead" "$(cmp "$work/log" "$work/log2" 2>&1)"
"$PROGRAM" --stats "$input" 9 >"$work/out" 2>&-
verdict "a table for a closed standard error fails" "$([ $? -eq 74 ] || echo "it does not")"
"$PROGRAM" "$work/none" 9 >"$work/out" 2>&-
verdict "a message for a closed standard error" "$([ $? -eq 66 ] || echo "another status")"

# Directories that cannot be written.
for name in /proc/particles.new "$work/none/new" "$input/new"; do
    particles --events="$name" "$input" 9
    expect_error "no file in $(dirname "$name")" 74 "cannot "
done
chmod 755 "$work" && mkdir -m 555 "$work/locked"
if [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null; then
    as_other=
    [ "$(id -u)" -ne 0 ] || as_other="setpriv --reuid=65534 --clear-groups"
    cp "$PROGRAM" "$work/program"
    chmod 755 "$work/program"
    chmod 644 "$input"
    for option in --events --picture --stats --animate --report --final --checkpoint "--every=1 --trajectory"; do
        $as_other "$work/program" $option="$work/locked/new" "$input" 9 >"$work/out" 2>"$work/err"
        status=$?
        expect_error "$option in a read-only directory" 74 "locked/new: cannot create a file"
    done
fi

finish
