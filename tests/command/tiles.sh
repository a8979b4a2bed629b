#!/bin/sh
# --threads and --tile-side: no file and no answer depends on them, whatever is stopped, killed,
# resumed, late or not to be had.
. tests/support/expect.sh

mkdir "$work/files"
odd=$BUILD/tests/command/particles_odd
failing=$BUILD/tests/command/particles_failing
for request in "gas --generate=400 --area-fraction=0.3" \
    "small --generate=70 --area-fraction=0.2 --aspect=5" "large --generate=3000 --area-fraction=0.3" \
    "mixture --generate=200,100 --radius=1,0.4 --mass=1,0.2 --periodic=x"; do
    set -- $request
    name=$1
    shift
    "$PROGRAM" --quiet --seed=7 "$@" >"$work/$name"
done
awk 'BEGIN { print 200; print 0.3; print "20 10"
    for (k = 0; k < 200; k++) print k % 20 + 0.5, int(k / 20) + 0.5, k % 3 - 1, k % 5 - 2 }' >"$work/lattice"
printf '3 3\n3 3.7\n\n7 7\n7.7 7\n\n12 5\n12 5.7\n' >"$work/walls" # between those disks
printf '2\n0.5\n40 1\n0.5 0.5 0 0\n5 0.5 1 0\n' >"$work/tube"

expect_usage() {
    pattern=$1
    shift
    expect_error "$*" 64 "$pattern" "$@"
}
for value in 0 -1 1025 x 1.5 "" 99999999999999999999; do
    expect_usage "threads.*'?$value" --threads="$value" data/particles_only.txt 1
done
for value in -1 10001 x 1.5 "" 99999999999999999999; do
    expect_usage "tile-side.*'?$value" --tile-side="$value" data/particles_only.txt 1
done
expect_usage "threads" --threads=2 --generate=3
"$PROGRAM" "$work/gas" 3 >"$work/answer"
for options in --threads=auto --threads=1 --threads=1024 "--threads=2 --tile-side=10000" \
    "--threads=2 --tile-side=3 --quiet" "--threads=7 --tile-side=2" "--tile-side=2" \
    "--schedule=array --threads=2" "--schedule=cells --threads=2 --tile-side=4"; do
    expect_output "$options" "$work/answer" $options "$work/gas" 3
done
particles --schedule=cells --threads=1 --progress "$work/gas" 3
events=$(sed -n 's/.* \([0-9]* events\), .*/\1/p' "$work/err" | tail -n 1)
particles --threads=3 --tile-side=2 --progress "$work/gas" 3
verdict "--progress" "$(cmp "$work/out" "$work/answer" 2>&1)$(grep -vE 'time .* of 3 .*events' "$work/err")"
verdict "--progress counts all events" \
    "$(tail -n 1 "$work/err" | grep -vF "(100.0 %), ${events:-none}," || :)"

# Impulses that pass through a whole periodic box in no time (tests/unit/schedule/test_tiles_tied.c).
for name in ring gate; do
    for observer in "" --events="$work/events"; do
        particles --periodic=xy --threads=1 $observer tests/command/tied/$name.txt 0.1
        cp "$work/out" "$work/answer"
        [ -z "$observer" ] || mv "$work/events" "$work/plain_events"
        particles --periodic=xy --threads=2 --tile-side=24 $observer tests/command/tied/$name.txt 0.1
        expect_output "$name $observer" "$work/answer"
        [ -z "$observer" ] || verdict "$name: events" "$(cmp "$work/events" "$work/plain_events" 2>&1)"
    done
done

# Predictions that tiles keep from one window to the next: of disks that come into a tile, of large ones.
particles --generate=211,20 --radius=1,10 --area-fraction=0.45 --seed=618683
mv "$work/out" "$work/mixture"
particles --rule=elastic --periodic=y --schedule=array --final="$work/final.1" "$work/mixture" 200
particles --rule=elastic --periodic=y --threads=2 --tile-side=3 --final="$work/final.2" "$work/mixture" 200
verdict "large disks and narrow tiles" "$(cmp "$work/final.1" "$work/final.2" 2>&1)"

# All files, with every number of threads.
cd "$work/files" || exit 1
files="--events=events --trajectory=frames --every=0.7 --stats=stats --structure=structure
    --fields=fields.csv --fields-grid=4x3 --picture=picture --report=report --final=final"
page=--animate=page
# compare_all [$page] ARGUMENT...: the files of runs with one thread, and with several. A page, whose many frames take
# longer than all else, the more so where tiles are narrow, is one of them with tiles of 5. With THOROUGH every run has
# all sides and all numbers of threads, half of their pairs, and the next one the other half.
compare_all() {
    shown=
    [ "$1" != "$page" ] || {
        shown=$1
        shift
    }
    particles --threads=1 --schedule=cells $shown "$@"
    verdict "$*: has an answer" "$([ "$status" -eq 0 ] || cat "$work/err")"
    take plain
    turn=$((turn % 4 + 1))
    for side in 5 $([ -n "$THOROUGH" ] && echo 1 3 8); do
        [ "$side" -eq 5 ] || { shown='' && rm -f "$work/plain/page"; }
        for threads in $([ -n "$THOROUGH" ] && echo "1 3:2 5" | cut -d : -f $(((turn + side / 3) % 2 + 1)) ||
            echo 5 2 3 1 | cut -d ' ' -f $turn); do
            particles --threads="$threads" --tile-side="$side" $shown "$@"
            take tiled
            verdict "$*: $threads threads, tiles of $side" "$(diff -rq "$work/plain" "$work/tiled" 2>&1)"
        done
    done
}
sleep_while_waiting
turn=0
also_page=${THOROUGH:+$page}
{
    compare_all $page $files "$work/gas" 3
    compare_all $also_page --rule=elastic --restitution=0.9 $files "$work/gas" 3
    compare_all $also_page --rule=elastic --periodic=xy $files "$work/gas" 3
    compare_all $also_page --rule=elastic --periodic=x --stream=1.5 $files "$work/mixture" 5
    compare_all $also_page --rule=elastic --obstacle="$work/walls" $files --forces=forces "$work/lattice" 5
    compare_all $page --rule=elastic --obstacle="$work/walls" --periodic=xy --stream=-1 $files --forces=forces \
        --stats-from=2 "$work/lattice" 5
    compare_all --trajectory=frames.lammpstrj --every=0.01 "$work/small" 3
    compare_all --sensitivity=3 "$work/small" 3
    compare_all --rule=elastic "$work/lattice" 30
    compare_all --rule=elastic --restitution=0.9 --periodic=x --stats=stats --report=report --stats-from=1 "$work/gas" 3
}
files="$files $page"
unset OMP_NUM_THREADS

# Whole runs at random. The numbers come from D. Lehmer's generator with the multiplier 16807.
seed=${SEED:-1}
# choose WORDS...: one of these, in $chosen
choose() {
    seed=$((seed * 16807 % 2147483647))
    shift $((seed / 1000 % $#))
    chosen=$1
}
# random_run: a run of one thread, and the same with tiles; leaves what is wrong in $problem. Not all that is
# drawn can be run: boxes may be too small, and unequal masses cannot exchange velocities
random_run() {
    choose 2 17 120 300 700
    count=$chosen
    choose "" "" --periodic=x --periodic=y --periodic=xy
    options=$chosen
    choose 0.01 0.05 0.2 0.4 0.6 0.69
    request="--area-fraction=$chosen --seed=$seed $options"
    choose "$count" "$count" "$count --aspect=0.1" "$count --aspect=20" \
        "$((count / 2)),$((count - count / 2)) --radius=1,0.3 --mass=1,10" "$count,$count --radius=1,0.8"
    "$PROGRAM" --quiet --generate=$chosen $request >"$work/input" 2>/dev/null || return
    choose "" "" --rule=elastic --rule=elastic "--rule=elastic --restitution=0.5" "--rule=elastic --restitution=0.99"
    options="$options $chosen"
    case $options in *=x*) choose "" "--stream=-2" "--stream=0.5" && options="$options $chosen" ;; esac
    choose "" "--events=events --stats=stats" "--trajectory=frames --every=0.4" "--stats=stats --stats-from=0.4" \
        "--structure=structure --fields=fields.csv --fields-grid=3x2 --stats-from=0.3 --every=0.2"
    options="$options $chosen"
    choose 0.5 3 "$([ "$count" -gt 200 ] && echo 5 || echo 20)"
    end=$chosen
    choose 1 2 3 5
    threads=$chosen
    choose 1 2 3 5 8
    particles --threads=1 --schedule=cells $options "$work/input" "$end"
    [ "$status" -eq 0 ] || return
    runs=$((runs + 1))
    take plain
    particles --threads="$threads" --tile-side="$chosen" $options "$work/input" "$end"
    take tiled
    problem=$(diff -rq "$work/plain" "$work/tiled" 2>&1)
    [ -z "$problem" ] ||
        problem="$problem: $count, $request: --threads=$threads --tile-side=$chosen $options $end"
}
many=${RUNS:-$([ -n "$THOROUGH" ] && echo 100 || { [ -n "$QUICK" ] && echo 2 || echo 4; })}
runs=0
tries=0
problem=
while [ -z "$problem" ] && [ "$runs" -lt "$many" ] && [ "$tries" -lt $((2 * many)) ]; do
    tries=$((tries + 1))
    random_run
done
verdict "$runs random runs" "$problem"
verdict "enough can be run" "$([ -n "$problem" ] || [ "$runs" -eq "$many" ] || echo "$runs of $tries")"

# Killed again and again, and resumed with other numbers of threads.
# start ARGUMENT...: starts a run, or takes it up if there is a checkpoint
start() {
    turn=$((turn % 4 + 1))
    [ ! -e saved ] || set -- --resume=saved
    "$BUILD/tests/command/with_signals" "$PROGRAM" --threads="$(echo 2 1 5 3 | cut -d ' ' -f $turn)" \
        --tile-side="$((turn + 5))" --checkpoint=saved --checkpoint-every=0.01 $files "$@" \
        >"$work/out" 2>"$work/err" &
    process=$!
    await test -e events.part # before, a shell lets it ignore SIGINT
}
# stop_until_done SIGNAL ARGUMENT...: sends the signal again and again, later and later
stop_until_done() {
    signal=$1
    shift
    particles --quiet $files "$@"
    take plain
    wait_for=20 # milliseconds
    stops=0
    status=1
    while [ "$status" -ne 0 ] && [ "$wait_for" -lt 60000 ]; do
        start --quiet "$@"
        wait_for=$((wait_for + $([ -n "$THOROUGH" ] && echo 10 || echo $((wait_for / 2)))))
        sleep "$(printf '%d.%03d' $((wait_for / 1000)) $((wait_for % 1000)))"
        kill -"$signal" "$process" 2>/dev/null
        wait "$process" 2>/dev/null
        status=$?
        stops=$((stops + (status > 128)))
        [ -e saved ] || [ "$status" -eq 0 ] || rm -f ./*
    done
    verdict "SIG$signal: nothing is left of checkpoints" "$(ls saved.?????? 2>/dev/null)"
    rm -f ./*.?????? saved # what was in the making when a run was killed
    take resumed
    verdict "SIG$signal, again and again: $*" "$(diff -rq "$work/plain" "$work/resumed" 2>&1)"
    verdict "SIG$signal: runs were stopped" "$([ "$stops" -gt 0 ] || echo never)"
}
stop_until_done KILL --rule=elastic --periodic=x --stream=1.5 "$work/mixture" "$([ -n "$QUICK" ] && echo 2 || echo 4)"
stop_until_done INT "$work/gas" "$([ -n "$QUICK" ] && echo 2 || echo 3)"
if [ -n "$THOROUGH" ]; then
    stop_until_done KILL --rule=elastic "$work/gas" 60
    stop_until_done INT --rule=elastic --obstacle="$work/walls" --periodic=xy "$work/lattice" 60
fi

# A signal in the middle of a window, which here takes very long: the run ends soon, and can go on.
export PARTICLES_NAP PARTICLES_THREADS PARTICLES_SEED
"$PROGRAM" --threads=1 "$work/large" 2 >"$work/answer"
PROGRAM=$odd
PARTICLES_NAP=100000 # a round has more than 300 tiles, in which two threads sleep for at least 15 seconds
launch --threads=2 --tile-side=3 --checkpoint=saved "$work/large" 2
await test -s saved # the run has begun
sleep 0.4
began=$(date +%s)
stop TERM
expect_error "SIGTERM in a window" 143 "interrupted at time [0-9.e+-]+: to go on"
verdict "it does not wait for the end" "$([ $(($(date +%s) - began)) -le 7 ] || echo "it does")"
PARTICLES_NAP=0
expect_output "goes on from there" "$work/answer" --threads=3 --tile-side=5 --resume=saved
rm -f ./*

# said_that_few COUNT THREADS: checks the one warning, where COUNT may be a pattern, and takes it away
said_that_few() {
    verdict "$1 of $2 threads: says so" "$([ "$(sed "s/only $1 of/only K of/" "$work/err")" = \
        "particles: only K of $2 threads could be started: the run goes on with them" ] ||
        echo "says: $(cat "$work/err")")"
    : >"$work/err"
}

# Threads that are late, and that cannot be started.
particles --threads=1 --events=events --rule=elastic --periodic=xy "$work/gas" 3
take plain
for PARTICLES_SEED in $([ -n "$THOROUGH" ] && seq 15 || echo 1 2); do
    PARTICLES_NAP=$((PARTICLES_SEED % 3 * 300 + 50))
    PARTICLES_THREADS=$((PARTICLES_SEED % 5))
    particles --threads=5 --tile-side=4 --events=events --rule=elastic --periodic=xy "$work/gas" 3
    said_that_few '[1-4]' 5
    take late
    verdict "late threads, seed $PARTICLES_SEED" "$(diff -rq "$work/plain" "$work/late" 2>&1)"
done
PARTICLES_NAP=0
for PARTICLES_THREADS in 0 1 2; do
    particles --threads=4 --tile-side=4 --events=events --rule=elastic --periodic=xy "$work/gas" 3
    said_that_few '[1-3]' 4
    take fewer
    verdict "$PARTICLES_THREADS threads can be started" "$(diff -rq "$work/plain" "$work/fewer" 2>&1)"
done
PARTICLES_THREADS=11
particles --threads=64 --tile-side=4 "$work/gas" 3
said_that_few 7 64 # half of those that could be started: the others make room for the work

# Each allocation fails in turn, or some of them: the run goes on with one thread, or with fewer, and says
# so, unless there is too little memory even for that. Then it says that, and leaves nothing.
"$failing" --events=events --threads=1 --schedule=cells "$work/small" 5 >"$work/out" 2>"$work/err"
take plain
PROGRAM=$failing
export PARTICLES_KEEP_FAILING PARTICLES_FAIL_AT
warning="particles: there is too little memory for several threads: the run goes on with one"
# survive ARGUMENT...: a run with an allocation that fails; leaves what is wrong in $problem, and how often
# it said that it goes on in $warned
survive() {
    rm -f ./*
    particles --tile-side=3 --events=events "$@" "$work/small" 5
    warned=$(grep -Fxc "$warning" "$work/err")
    sed -i "/^$warning\$/d; /^particles: only [12] of 3 threads could be started/d" "$work/err"
    if [ "$status" -eq 71 ]; then
        check_error 71 "out of memory: .* for "
        [ -z "$(ls)" ] || problem="leaves $(ls)"
    else
        problem="status $status: $(cat "$work/err")"
        take failed
        [ "$status" -ne 0 ] || problem=$(diff -rq "$work/plain" "$work/failed" 2>&1)
    fi
    [ "$warned" -le 1 ] || problem="$warned warnings"
    [ -z "$problem" ] || problem="allocation $PARTICLES_FAIL_AT: $problem"
}
# fail_in_turn ARGUMENT...: lets each allocation fail with all that follow, until none is left to fail;
# and then each of these alone
fail_in_turn() {
    PARTICLES_KEEP_FAILING=1
    PARTICLES_FAIL_AT=1
    survive "$@"
    while [ -z "$problem" ] && { [ "$status" -eq 71 ] || [ "$warned" -eq 1 ]; }; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
        survive "$@"
    done
    verdict "$*: an allocation and all that follow fail" "$problem"
    verdict "$* makes allocations" "$([ "$PARTICLES_FAIL_AT" -gt 80 ] || echo "$PARTICLES_FAIL_AT")"
    PARTICLES_KEEP_FAILING=0
    warnings=0
    while [ -z "$problem" ] && [ "$PARTICLES_FAIL_AT" -gt 0 ]; do
        survive "$@"
        warnings=$((warnings + warned))
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT - step))
    done
    verdict "$*: an allocation fails" "$problem"
    [ -n "$QUICK" ] || verdict "$*: some runs go on" "$([ "$warnings" -gt 0 ] || echo "none does")"
}
step=$([ -n "$THOROUGH" ] && echo 7 || { [ -n "$QUICK" ] && echo 41 || echo 31; })
fail_in_turn --threads=1
fail_in_turn --threads=3
rm -f ./*

finish
