#!/bin/sh
# scripts/sweep, several at a time in one folder, each part of which is killed, stopped and started again at moments of
# chance: at last the results are the bytes of a sweep that nothing disturbed, and nothing else is left.
. tests/support/expect.sh
if ! command -v setsid >/dev/null || ! echo | xargs -0 -n 1 -P 2 true 2>/dev/null; then
    skip "sweeps, which use setsid and xargs -0 -P" util-linux findutils
    finish
fi
export QUEUE_MINUTE=1
runs=$([ -n "$THOROUGH" ] && echo 20 || echo 5)
kills=$([ -n "$THOROUGH" ] && echo 40 || echo 6)
mkdir "$work/inputs"
for seed in $(seq "$runs"); do
    "$PROGRAM" --quiet --generate=200 --area-fraction=0.5 --seed="$seed" >"$work/inputs/run $seed"
done

# start OUTPUT OPTION...: a sweep in the background, in a process group of its own
start() {
    output=$1
    shift
    setsid sh scripts/sweep --program="$PROGRAM" --output="$output" --end-time=300 --rule=elastic --quiet "$@" \
        "$work/inputs" -- --checkpoint-every=0.02 --events=log.csv >"$work/said" 2>&1 &
}

# sums DIR: those of all results; the seconds depend on the clock. (The folder of a sweep that was killed as it began
# stays for five minutes.)
sums() {
    (cd "$1" && find . -type f ! -name stats.csv ! -path './.worker.*' -exec md5sum {} + | grep -v /stats.txt | sort -k 2
        cat runs/*/stats.txt | grep -v second)
}

# among FILE: sets $chosen to one of its lines, if there are any
random=17
among() {
    random=$((random * 16807 % 2147483647))
    chosen=$(sed -n "$((random / 8 % ($(wc -l <"$1") + 1) + 1))p" "$1")
}

start "$work/whole" --jobs=2
wait $!
verdict "a sweep that nothing disturbs" "$([ $? -eq 0 ] || cat "$work/said")"
sums "$work/whole" >"$work/expected"

: >"$work/sweeps"
for _ in $(seq "$kills"); do
    while [ "$(wc -l <"$work/sweeps")" -lt 3 ]; do
        start "$work/random" --jobs="$(($(wc -l <"$work/sweeps") % 2 + 1))" --share=1/1
        echo $! >>"$work/sweeps"
    done
    sleep "0.$((random / 128 % 5))"
    among "$work/sweeps"
    sweep=$chosen
    grep -lsaz "^QUEUE=$work/random$" /proc/[0-9]*/environ | tr -dc '0-9\n' >"$work/parts"
    among "$work/parts"
    case $((random / 64 % 4)),$sweep,$chosen in # guards and runs are parts
    *,,) ;;
    0,?*,*) kill -s KILL "$sweep" ;;
    1,?*,*) kill -s KILL -- "-$sweep" ;;
    2,?*,*) kill -s TERM "$sweep" ;;
    *,*,?*) kill -s KILL "$chosen" ;;
    esac 2>/dev/null
    for sweep in $(cat "$work/sweeps"); do
        ! kill -s 0 "$sweep" || echo "$sweep"
    done 2>/dev/null >"$work/alive"
    mv "$work/alive" "$work/sweeps"
    # what is done so soon is done again
    [ "$(find "$work/random/runs" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)" -lt "$runs" ] ||
        rm -rf "$work/random/runs"/*
done
for sweep in $(cat "$work/sweeps"); do
    wait "$sweep"
done 2>/dev/null
for _ in $(seq 50); do # what renews claims looks each "minute" whether it is still needed
    grep -lsaz "^QUEUE=$work/random$" /proc/[0-9]*/environ >"$work/parts" # fails, too, where another process has gone
    [ -s "$work/parts" ] || break
    sleep 0.2
done
verdict "nothing goes on" "$(
    for part in $(cat "$work/parts"); do # an init may not bury its dead
        grep -v ' Z ' "${part%environ}stat"
    done 2>/dev/null)"
for _ in 1 2 3; do # a run whose program was killed is tried again next time
    start "$work/random" --jobs=2
    wait $!
    status=$?
    [ $status -ne 0 ] || break
done
verdict "after all kills" "$([ $status -eq 0 ] || cat "$work/said")"
sums "$work/random" >"$work/found"
verdict "all results are the same" "$(diff "$work/found" "$work/expected")"
finish
