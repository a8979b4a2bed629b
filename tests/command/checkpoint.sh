#!/bin/sh
# --checkpoint and --resume: runs that are killed at any moment, or interrupted, and resumed leave
# the same bytes as those that are not; what cannot be resumed is refused.
. tests/support/expect.sh

input=$PWD/data/particles_only.txt
mkdir "$work/files"
cd "$work/files" || exit 1

files="--events=events --trajectory=frames --trajectory-columns=voronoi,psi6,species --stats=stats --structure=structure --fields=fields.csv --fields-grid=4x3 --picture=picture --animate=page --report=report
    --final=final"

# check_same: whether the last run has succeeded, and left what is in $work/plain; leaves what is
# wrong in $problem
check_same() {
    problem=$(cat "$work/err")
    [ "$status" -eq 0 ] || problem="status $status: $problem"
    take resumed
    [ -n "$problem" ] || problem=$(diff -rq "$work/plain" "$work/resumed" 2>&1)
}

# holds NAME FILE...: exactly these files are here
holds() {
    name=$1
    shift
    found=$(echo "$(ls -A | sort)")
    sorted=$(printf '%s\n' "$@" | sort)
    verdict "$name" "$([ "$found" = "$sorted" ] || echo "here are $found")"
}

# Killed at moments of chance. The pauses come from a generator of random numbers (D. Lehmer's, with
# the multiplier 16807); they become longer, so that every run gets to its end at some time.
seed=7
pause() {
    seed=$((seed * 16807 % 2147483647))
    longest=$((longest * 9 / 8)) # tenths of a millisecond
    sleep "$(printf '%d.%04d' $((seed % longest / 10000)) $((seed % longest % 10000)))"
}

# start KIND ARGUMENT...: starts a run, or takes it up if there is a checkpoint, with that schedule
start() {
    kind=$1
    shift
    [ ! -e saved ] || set -- --resume=saved
    $RUN_WITH "$PROGRAM" --schedule="$kind" --checkpoint=saved --checkpoint-every=0.002 \
        $files --every=50 "$@" >"$work/out" 2>"$work/err" &
    process=$!
}

# kill_until_done KIND OTHER_KIND ARGUMENT...: kills a run again and again until it is done; it goes
# on with the other schedule, and then again with the first one, and so on
kill_until_done() {
    one=$1
    other=$2
    shift 2
    particles $files --every=50 "$@"
    take plain
    status=137
    longest=$([ -n "$RUN_WITH" ] && echo 50000 || echo 60)
    while [ "$status" -eq 137 ] && { [ -e saved ] || [ ! -e picture ]; }; do
        start "$one" "$@"
        pause
        kill -KILL $process 2>/dev/null
        wait $process 2>/dev/null
        status=$?
        [ "$status" -ne 137 ] || kills=$((kills + 1))
        next=$other
        other=$one
        one=$next
    done
    [ "$status" -ne 137 ] || status=0 # it was killed after all was done
    rm -f ./*.?????? # what was in the making when a run was killed
    check_same
}

# kill_all_along KIND OTHER_KIND ARGUMENT...: does so with longer and longer runs, until there were
# kills enough
enough=$([ -n "$QUICK" ] && echo 1 || { [ -n "$THOROUGH" ] && echo 20 || echo 2; })
kill_all_along() {
    end=$([ -n "$THOROUGH" ] && echo 8000 || echo 4000)
    kills=0
    problem=
    while [ -z "$problem" ] && [ "$kills" -lt "$enough" ]; do
        kill_until_done "$@" $end
        end=$((end * 9 / 8))
    done
    verdict "killed again and again: $*" "$problem"
}

"$BUILD/tests/command/make_case" 3 >"$work/case"
printf '3\n1\n20 20\n5 5 1 0.3 1 2\n12 5 -1 0.1 2 0.5 3\n5 12 0.7 0.7 0.5\n' >"$work/mixed"
printf '13 13\n16 14\n14 17\n\n8 15\n11 18\n' >"$work/obstacles"
printf '1 8\n8 0\n19.5 7\n15 19.5\n3 18.5\n' >"$work/room"
kill_all_along array cells "$input"
[ -z "$THOROUGH" ] || kill_all_along cells array --rule=elastic "$input"
options=$files
files="$files --forces=forces"
kill_all_along cells array --rule=elastic --periodic=x --stream=0.4 --seed=4 --obstacle="$work/obstacles" "$work/mixed"
kill_all_along array cells --rule=elastic --domain="$work/room" --obstacle="$work/obstacles" "$work/mixed"
files=$options
[ -z "$THOROUGH" ] || kill_all_along array array --rule=elastic "$work/mixed" # as do those with polygons
kill_all_along cells cells --rule=elastic --restitution=0.99 "$work/case"
kill_all_along array cells --periodic=xy --rule=elastic "$work/mixed"
kill_all_along cells textbook --periodic=x "$input"
options=$files
files="$files --stats-from=1500" # kills before and after
kill_all_along array cells "$input"
files=$options

# has_grown: whether the log is no longer of the size $size
has_grown() {
    [ "$(cat events.part 2>/dev/null | wc -c)" -ne "$size" ]
}

# interrupt SIGNAL STATUS ARGUMENT...: sends a signal to a run that has got somewhere
interrupt() {
    signal=$1
    wanted=$2
    shift 2
    size=$(cat events.part 2>/dev/null | wc -c)
    launch "$@"
    await has_grown
    stop "$signal"
    expect_error "SIG$signal, $*" "$wanted" "interrupted at time [0-9.e+]+$message"
}
message=": to go on, give --resume=saved and the same files"
interrupt TERM 143 --checkpoint=saved --events=events "$input" 1e9
holds "a run that was interrupted" saved events.part
before=$(cksum saved)
message="$"
interrupt INT 130 --resume=saved --events=events
holds "and a second time, without --checkpoint" saved events.part
verdict "the checkpoint is what it was" "$([ "$before" = "$(cksum saved)" ] || echo "it is not")"
message=": to go on, give --resume=other and"
interrupt HUP 129 --resume=saved --events=events --checkpoint=other
holds "and a third time, with another checkpoint" saved other events.part
rm -f ./*

# --quiet may come and go.
message=
for loud in "" --quiet; do
    quiet=$([ -n "$loud" ] || echo --quiet)
    interrupt TERM 143 --checkpoint=saved --events=events --stats $loud "$input" 1e9
    interrupt TERM 143 --resume=saved --events=events --stats $quiet
    rm -f ./*
done
particles --stats "$input" 100
grep -v second "$work/err" >"$work/table"
"$PROGRAM" --checkpoint=saved --stats --quiet "$input" 100 >&- 2>"$work/err" # the answer fails
particles --resume=saved --stats
verdict "the table of a run that began with --quiet" "$(grep -v second "$work/err" | diff "$work/table" - 2>&1)"
rm -f ./*

# --sensitivity, which begins after the first checkpoint has been written.
"$PROGRAM" --sensitivity "$input" 500 >"$work/wanted" 2>"$work/report"
particles --checkpoint=saved --sensitivity --events=events "$input" 500
verdict "a run with --sensitivity" "$({ cmp "$work/wanted" "$work/out"; diff "$work/report" "$work/err"; } 2>&1)"
holds "which leaves the log alone" events
rm -f ./*
launch --checkpoint=saved --sensitivity=10000 --events=events "$input" 500
await test -s events # then it is in the perturbed runs
stop TERM
expect_error "interrupted in a perturbed run" 143 "interrupted in perturbed run [0-9]+ of 10000"
expect_output "goes on without --sensitivity" "$work/wanted" --resume=saved --events=events
rm -f ./*

# A checkpoint whose name is a link is where that leads, and goes from there; the link stays.
mkdir there
ln -s there/saved link
expect_silence "a run whose checkpoint is behind a link" --checkpoint=link "$input" 10
holds "which leaves the link" there link
verdict "and nothing behind it" "$(ls there)"
rm -rf ./*

# A checkpoint that cannot be written.
"$PROGRAM" --quiet --generate=300 >"$work/many"
(ulimit -f 8; particles --checkpoint=saved "$work/many" 1; echo "$status" >"$work/status")
status=$(cat "$work/status")
expect_error "a file that gets too large" 74 "saved: cannot write: File too large"
holds "which leaves nothing" ""
particles --checkpoint=none/saved --events=events "$input" 1
expect_error "no such directory" 74 "none/saved: cannot open: No such file"
holds "which leaves nothing, either" ""
expect_error "a device" 74 "/dev/null: a checkpoint cannot be written there" --checkpoint=/dev/null "$input" 1
mkdir there
end=$([ -n "$QUICK" ] && echo 20000 || echo 500000)
launch --checkpoint=there/saved --checkpoint-every=0.001 "$input" "$end"
await test -s there/saved
mv there gone
wait "$process"
status=$?
verdict "a checkpoint that can no longer be written does not end the run" \
    "$([ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 8 ] || echo "status $status")"
verdict "but is told of, once" "$([ "$(grep -c 'there/saved: .*: the run goes on, and the checkpoint of time' \
    "$work/err")" -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || cat "$work/err")"
rm -rf ./*

# A part that somebody has removed while its run goes on, and that another run has written since: the first run ends at
# its next checkpoint, and leaves it.
many=$work/many.txt
"$PROGRAM" --generate=100 --quiet >"$many"
for what in replaced removed; do
    size=0
    launch --checkpoint=saved --checkpoint-every=0.2 --events=events "$many" 30000
    await has_grown
    kill -STOP "$process"
    "$PROGRAM" --checkpoint=other --events=events "$many" 1 >/dev/null 2>"$work/refusal"
    verdict "a part that a run is writing, $what" "$([ $? -eq 74 ] && grep -q \
        'events.part: is there already, and another run is writing it: wait' "$work/refusal" || cat "$work/refusal")"
    case $what in
    removed) rm events.part ;;
    replaced)
        rm events.part
        "$PROGRAM" --checkpoint=other --checkpoint-every=1e-9 --events=events "$many" 30000 >/dev/null 2>&1 &
        second=$!
        until [ "$(wc -c <events.part)" -gt 100000 ]; do sleep 0.02; done 2>/dev/null
        kill -KILL $second
        wait $second 2>/dev/null
        cp events.part "$work/whole"
        ;;
    esac
    kill -CONT "$process"
    wait "$process"
    status=$?
    expect_error "its run, $what" 74 "events: cannot be completed: while the run wrote it, .*events.part was removed, replaced or cut"
    verdict "what is there stays, $what" "$([ ! -e events ] || ls; [ "$what" != replaced ] || cmp events.part "$work/whole" 2>&1)"
    rm -rf ./*
done

# Nor can it be written when the run is interrupted: then that is the message.
mkdir there
launch --checkpoint=there/saved --events=events "$input" 1e9
await test -s there/saved
mv there gone
stop TERM
expect_error "no checkpoint at an interruption" 143 "there/saved: cannot open: No such file"
holds "the one before stays, and the log" events.part gone
verdict "and can be resumed" "$([ -s gone/saved ] || ls gone)"
rm -rf ./*

expect_usage "--checkpoint takes the name of a file to write" --checkpoint=- "$input" 1
expect_usage "--resume takes the file of a checkpoint" --resume=-
expect_usage "--resume takes the file of a checkpoint" --resume=
expect_usage "--checkpoint-every is only for --checkpoint" --checkpoint-every=1 "$input" 1
expect_usage "--checkpoint-every takes a positive number, and '0' is" --checkpoint=saved \
    --checkpoint-every=0 "$input" 1
expect_usage "extra argument '1': --resume takes no INPUT and no END_TIME" --resume=saved 1
expect_usage "'--rule=swap' is not for --resume" --resume=saved --rule=swap
# Another --stats-from, also one so far beyond the end that no search for its frame would ever be done.
frames="--stats --structure=structure --every=3"
"$PROGRAM" --checkpoint=saved $frames --stats-from=1 --quiet "$input" 9 >&- 2>"$work/err"
for from in 2 1e15; do
    timeout -s KILL 10 $RUN_WITH "$PROGRAM" --resume=saved $frames --stats-from=$from >"$work/out" 2>"$work/err"
    status=$?
    expect_error "--stats-from=$from for 1" 64 "a run with --stats-from=1: give it again"
done
rm -f ./*
# The hits of polygons are recorded once for all that count them from one time: from 0 the animation, too.
printf '18 9\n19 9\n19 10\n' >"$work/body"
shared="--stats=stats --animate=page --picture=picture --report=report"
for from in 0 5; do
    set -- --rule=elastic --periodic=xy --stream=0.3 "--obstacle=$work/body" --quiet --stats-from=$from "$input" 40
    particles $shared "$@"
    take plain
    "$PROGRAM" --checkpoint=saved $shared "$@" >&- 2>"$work/err"
    expect_error "another --stats-from than $from in a stream" 64 "a run with --stats-from=$from: give it again" \
        --resume=saved $shared --stats-from=$((5 - from))
    particles --resume=saved $shared --stats-from=$from
    rm -f saved
    check_same
    verdict "hits from $from on, resumed" "$problem"
done
rm -f ./*
# A report has the figures, with and without --stats.
"$PROGRAM" --checkpoint=saved --stats=stats --report=page --quiet "$input" 9 >&- 2>"$work/err"
expect_error "a report without its --stats" 64 "a run with --stats: give it again" --resume=saved --report=page
rm -f ./*
"$PROGRAM" --checkpoint=saved --report=page --quiet "$input" 9 >&- 2>"$work/err"
particles --resume=saved --report=page --stats
expect_error "--stats for a report only" 64 "a run without --stats, which cannot begin"
"$PROGRAM" "$input" 9 >"$work/wanted"
expect_output "a report without --stats" "$work/wanted" --resume=saved --report=page
rm -f ./*
expect_usage "--generate makes an INPUT and simulates nothing" --generate=3 --checkpoint=saved
expect_usage "--generate makes an INPUT and simulates nothing" --generate=3 --resume=saved
expect_usage "--events and --checkpoint need a file each" --events=saved --checkpoint=saved "$input" 1
expect_usage "--events and --trajectory need a file each" --checkpoint=saved --events=frames.part \
    --trajectory=frames --every=1 "$input" 1
ln -s there link
expect_usage "--events and --trajectory need a file each" --checkpoint=saved --events=there.part \
    --trajectory=link --every=1 "$input" 1
rm link
cp "$input" input
expect_usage "--checkpoint would overwrite INPUT" --checkpoint=input input 1
expect_error "a checkpoint that is not there" 66 "none: cannot open: No such file" --resume=none
expect_error "an INPUT for a checkpoint" 65 "input: is not a checkpoint" --resume=input
rm input
holds "wrong usage leaves nothing" ""

# A file that gets too large ends the run; but what has been written is not lost.
particles $files --every=500 "$input" 4000
take plain
(ulimit -f 60; particles --checkpoint=saved --checkpoint-every=0.001 $files --every=500 "$input" 4000
    echo "$status" >"$work/status")
status=$(cat "$work/status")
# A checkpoint, which has what the animation remembers, may have become too large before the log.
sed -i '/saved: .*: the run goes on, and the checkpoint of time/d' "$work/err"
expect_error "a log that gets too large" 74 \
    "events.*: cannot write: File too large: to go on when it can be written, give --resume=saved and the same"
holds "which leaves what can be resumed" saved events.part fields.csv.part frames.part page.part
mkdir "$work/kept"
cp saved ./*.part "$work/kept"
particles --resume=saved $files --every=500
rm -f saved
check_same
verdict "resumed after that" "$problem"
if [ -c /dev/full ]; then
    $RUN_WITH "$PROGRAM" --checkpoint=saved $files --every=500 "$input" 4000 >/dev/full 2>"$work/err"
    status=$?
    : >"$work/out"
    expect_error "an answer on a full disk" 74 "standard output: cannot write: .*, give --resume=saved and"
    particles --resume=saved $files --every=500
    rm -f saved
    check_same
    verdict "resumed after that, too" "$problem"
fi
particles --checkpoint=none/saved --events=events "$input" 10
verdict "no hint where there is nothing to resume" "$(grep -e --resume "$work/err")"
rm -rf ./*

# Out of memory: every 60th allocation of a run with checkpoints fails in turn, and of one that resumes, and those
# between them where all that follow fail, too; or every second.
resumable=$PROGRAM
PROGRAM=$BUILD/tests/command/particles_failing
export PARTICLES_FAIL_AT PARTICLES_KEEP_FAILING
step=$([ -n "$THOROUGH" ] && echo 2 || { [ -n "$QUICK" ] && echo 30 || echo 60; })
# resume_again WHAT: if nothing is wrong yet, whether what could not be resumed, because WHAT has
# failed, still can be; leaves what is wrong in $problem
resume_again() {
    if [ -z "$problem" ]; then
        "$resumable" --resume=saved $files --every=500 >"$work/out" 2>"$work/err"
        status=$?
        rm -f saved
        check_same
    fi
    [ -z "$problem" ] || problem="$1: $problem"
}
fail_in_turn() {
    PARTICLES_FAIL_AT=$((1 + PARTICLES_KEEP_FAILING * step / 2))
    problem=
    spared=0
    while [ -z "$problem" ] && [ "$PARTICLES_FAIL_AT" -lt 400 ]; do
        rm -f ./*
        [ "$1" != --resume=saved ] || cp "$work"/kept/* .
        particles $files --every=500 "$@"
        if [ "$status" -eq 0 ] && [ "$spared" -lt 8 ]; then # there is another way to do without
            spared=$((spared + 1))
            PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
            continue
        fi
        [ "$status" -eq 71 ] || break
        check_error 71 "out of memory: .* for "
        [ "$1" != --resume=saved ] || resume_again "allocation $PARTICLES_FAIL_AT"
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
    done
    verdict "$*, allocations fail in turn" "$problem"
    verdict "$*, no allocation left to fail" "$([ "$status" -eq 0 ] || cat "$work/err")"
    verdict "$* makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 20 ] || echo none)"
}
for PARTICLES_KEEP_FAILING in 0 1; do
    fail_in_turn --checkpoint=saved "$input" 100
    fail_in_turn --resume=saved
done

# Each call that a resumed run makes to open, check, write and name its files fails in turn, or every fifth.
PROGRAM=$BUILD/tests/command/particles_faulty
export PARTICLES_FAIL_CALL
for PARTICLES_FAIL_CALL in fdopen read fflush rename; do
    PARTICLES_FAIL_AT=1
    problem=
    while [ -z "$problem" ] && [ "$PARTICLES_FAIL_AT" -lt 30 ]; do
        rm -f ./*
        cp "$work"/kept/* .
        particles --resume=saved $files --every=500
        [ "$status" -ne 0 ] || break
        : >"$work/out" # the answer may have been written when its end cannot be
        check_error 74 ": cannot "
        resume_again "$PARTICLES_FAIL_CALL $PARTICLES_FAIL_AT"
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + $([ -n "$THOROUGH" ] && echo 1 || echo 5)))
    done
    verdict "each $PARTICLES_FAIL_CALL of a resumed run fails in turn" "$problem"
    verdict "no $PARTICLES_FAIL_CALL left to fail" "$([ "$status" -eq 0 ] || cat "$work/err")"
    verdict "$PARTICLES_FAIL_CALL is called" "$([ "$PARTICLES_FAIL_AT" -gt 2 ] || echo never)"
done

finish
