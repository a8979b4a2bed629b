#!/bin/sh
# scripts/sweep and sweep.slurm: what they run, resume, report and gather. The program is run by a
# wrapper, which writes down each run; not with RUN_WITH, for it is the scripts that are tested.
. tests/support/expect.sh
if ! command -v setsid >/dev/null || ! command -v flock >/dev/null ||
    ! echo | xargs -0 -n 1 -P 2 true 2>/dev/null; then
    skip "sweeps, which use setsid, flock and xargs -0 -P" util-linux findutils
    finish
fi
export PARTICLES="$PROGRAM" LOG="$work/runs.log" NOW="$work/now"
mkdir "$NOW"

# Writes "run" for a run, and how many go on at the same time; $DELAY makes it last.
cat >"$work/wrapper" <<'END'
#!/bin/sh
case "$*" in
--version | --completion | --generate* | *" -- input "*) exec "$PARTICLES" "$@" ;;
esac
name=${PWD%/*}
exec 5>"$NOW.${name##*/}"
flock -n 5 || echo "${name##*/}" >>"$LOG.twice"
mkdir "$NOW/$$"
echo "run $(ls "$NOW" | wc -l)" >>"$LOG"
sleep "${DELAY:-0}"
"$PARTICLES" "$@"
status=$?
rmdir "$NOW/$$"
exit $status
END
chmod +x "$work/wrapper"

# sweep ARGUMENT...: leaves what it says in $work/out and $work/err, its status in $status and the
# number of runs that it has begun in $runs
sweep() {
    : >"$LOG"
    sh scripts/sweep --program="$work/wrapper" "$@" >"$work/out" 2>"$work/err"
    status=$?
    runs=$(wc -l <"$LOG")
}

# expect_sweep NAME STATUS RUNS: how the last sweep has gone
expect_sweep() {
    if [ "$status" -ne "$2" ] || [ "$runs" -ne "$3" ]; then
        verdict "$1" "status $status, $runs runs: $(cat "$work/err")"
    elif [ -s "$work/out" ]; then
        verdict "$1" "it prints $(cat "$work/out")"
    else
        verdict "$1" ""
    fi
}

# finished DIR: how many runs are
finished() {
    find "$1/runs" -mindepth 1 -maxdepth 1 | tr -dc '\n' | wc -c
}

# unfinished DIR: what a sweep that has ended has left, but runs with checkpoints
unfinished() {
    find "$1" -mindepth 1 -maxdepth 1 -name '.*'
    for run in "$1/partial"/*; do
        [ ! -d "$run" ] || [ -s "$run/0/checkpoint" ] || find "$run"
    done
}

# without_clock FILE: the columns of a CSV, without quoted names, that do not depend on the clock
without_clock() {
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) skip[k] = $k ~ /second/ }
        { for (k = 1; k <= NF; k++) if (!skip[k]) printf "%s,", $k; print "" }' "$1"
}

# Systems that are made up.
some="--end-time=5 --generate=20,8 --area-fraction=0.3,.10 --seed=9-10,9"
DELAY=0.1
export DELAY
sweep --output="$work/some runs" --jobs=3 $some
expect_sweep "a sweep" 0 8
verdict "three at a time" "$([ "$(sort -u "$LOG" | tail -n 1)" = "run 3" ] || sort "$LOG" | uniq -c)"
verdict "nothing but that is left" "$(
    find "$work/some runs" -mindepth 1 -maxdepth 1 | grep -Ev '/(runs|settings|manifest|stats.csv)$')"
csv="$work/some runs/stats.csv"
cut -d, -f 1-6 "$csv" >"$work/found"
cat >"$work/expected" <<'END'
input,generate,requested_area_fraction,seed,end_time,rule
,8,0.1,9,5,swap
,8,0.1,10,5,swap
,8,0.3,9,5,swap
,8,0.3,10,5,swap
,20,0.1,9,5,swap
,20,0.1,10,5,swap
,20,0.3,9,5,swap
,20,0.3,10,5,swap
END
verdict "its table has a row for each, in order" "$(diff "$work/found" "$work/expected")"
run="$work/some runs/runs/n20_f0.3_s10"
"$PARTICLES" --quiet --generate=20 --area-fraction=0.3 --seed=10 |
    "$PARTICLES" --stats="$work/stats" - 5 >"$work/expected"
verdict "a run's output is the program's" "$(cmp "$run/output.txt" "$work/expected" 2>&1)"
{
    echo "end_time = 5" # which is a column further on the left
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) name[k] = $k }
        $2 == 20 && $3 == 0.3 && $4 == 10 {
            for (k = 7; k <= NF; k++) print name[k] " = " ($k == "" ? "none" : $k)
        }' "$csv"
} | grep -v second | sort >"$work/found"
grep -v second "$work/stats" | sort >"$work/expected"
verdict "the table has the figures" "$(diff "$work/found" "$work/expected")"
verdict "every row has all columns" "$(awk -F, 'NR == 1 { all = NF } NF != all' "$csv")"
without_clock "$csv" >"$work/table"
DELAY=0
sweep --output="$work/some runs" --jobs=3 $some
expect_sweep "what is finished is not done again" 0 0
sweep --output="$work/one by one" --jobs=1 --quiet $some
expect_sweep "one by one" 0 8
verdict "is one at a time" "$(grep -vx 'run 1' "$LOG")"
verdict "--quiet is quiet" "$(cat "$work/err")"
verdict "the table does not depend on it" "$(without_clock "$work/one by one/stats.csv" |
    cmp - "$work/table" 2>&1)"
sweep --output="$work/some runs" --end-time=5 --generate=8 --area-fraction=0.1 --seed=12
expect_sweep "more of the same" 0 1
verdict "goes into the same table" "$([ "$(wc -l <"$csv")" -eq 10 ] || wc -l <"$csv")"
cp "$csv" "$work/table"
rm "$csv"
sweep --output="$work/some runs" --gather
expect_sweep "--gather" 0 0
verdict "--gather makes the table again" "$(cmp "$csv" "$work/table" 2>&1)"

# Inputs, with names of all kinds, one of which cannot be simulated.
mkdir "$work/inputs" "$work/inputs/folder"
line_end='two
lines'
for name in plain.txt "with space" "$line_end" 'comma, and "quotes"' -dash; do
    cp data/walls_only.txt "$work/inputs/$name"
done
printf '2\n1\n9 9\n5 5 0 0\n5 5 0 0\n' >"$work/inputs/bad"
sweep --output="$work/named" --end-time=3 "$work/inputs" -- --events=log.csv
expect_sweep "inputs, one bad" 1 6
verdict "the message" "$(grep -Fqx "sweep: bad failed with status 65: $work/inputs/bad:5: particle 1 \
overlaps particle 0 (line 4): their centres are 0 apart, less than their diameter, 2" "$work/err" ||
    cat "$work/err")"
verdict "is kept" "$([ -s "$work/named/failed/bad/error.txt" ] || echo no)"
verdict "of the others there is a log" "$(
    [ "$(find "$work/named/runs" -name log.csv | grep -c 'log.csv$')" -eq 5 ] || echo no)"
cut -d, -f 1-6 "$work/named/stats.csv" | tr '\n' ' ' >"$work/found"
printf '%s ' input,generate,requested_area_fraction,seed,end_time,rule -dash,,,,3,swap \
    '"comma, and ""quotes""",,,,3' plain.txt,,,,3,swap '"two' 'lines",,,,3,swap' \
    'with space,,,,3,swap' >"$work/expected"
verdict "their table" "$(diff "$work/found" "$work/expected")"
sweep --output="$work/named" --end-time=3 "$work/inputs" -- --events=log.csv
expect_sweep "what has failed is tried again" 1 1
cp data/walls_only.txt "$work/inputs/bad"
sweep --output="$work/named" --end-time=3 "$work/inputs" -- --events=log.csv
expect_sweep "and may succeed" 0 1
verdict "no failure is left" "$(find "$work/named/failed" 2>/dev/null)"
sed 's/^5 /5.5 /' data/walls_only.txt | sed 's/$/ /' >"$work/inputs/with space"
sweep --output="$work/named" --end-time=3 "$work/inputs" -- --events=log.csv
expect_sweep "an input that has changed is run again" 0 1
: >"$work/named/runs/plain.txt/stats.txt"
sweep --output="$work/named" --end-time=3 "$work/inputs" -- --events=log.csv
expect_sweep "a run that is not whole is done again" 0 1
verdict "and is whole then" "$([ -s "$work/named/runs/plain.txt/stats.txt" ] || echo no)"

# Interruptions: by a signal to the sweep alone, as a scheduler sends it, and by one to all, as a
# terminal does. A sweep that nothing could tidy up leaves things, too.
many="--end-time=5 --generate=10 --seed=1-12 --jobs=2 --quiet"
mkdir -p "$work/stopped/partial/n10_f0.3_s1/0" "$work/stopped/partial/n10_f0.3_s9"
touch -d '10 minutes ago' "$work/stopped/partial/n10_f0.3_s1/0.claim" "$work/stopped/partial/n10_f0.3_s9/0.claim"
DELAY=0.5
: >"$LOG"
sh scripts/sweep --program="$work/wrapper" --output="$work/stopped" $many 2>"$work/err" &
sweeper=$!
for _ in $(seq 100); do
    [ "$(finished "$work/stopped" 2>/dev/null)" -lt 3 ] || break
    sleep 0.1
done
kill -s TERM $sweeper
wait $sweeper 2>/dev/null
status=$?
begun=$(wc -l <"$LOG")
runs=0
expect_sweep "a sweep that is terminated ends by that" 143 0
verdict "it says so" "$(
    grep -qx 'sweep: interrupted; the same command goes on' "$work/err" || cat "$work/err")"
verdict "nothing unfinished is left, but checkpoints" "$(unfinished "$work/stopped")"
sleep 0.7
verdict "no worker goes on" "$([ "$(wc -l <"$LOG")" -eq "$begun" ] || cat "$LOG")"
rm -rf "$NOW" && mkdir "$NOW"
there=$(finished "$work/stopped")
verdict "it was in the middle" "$([ "$there" -ge 3 ] && [ "$there" -lt 12 ] || echo "$there runs")"
: >"$LOG"
"$BUILD/tests/command/with_signals" timeout -s INT 60 sh scripts/sweep --program="$work/wrapper" --output="$work/stopped" \
    $many >"$work/out" 2>"$work/err" &
process=$!
for _ in $(seq 200); do
    [ "$(finished "$work/stopped")" -eq "$there" ] || break
    sleep 0.1
done
kill -s INT $process
wait $process 2>/dev/null
verdict "Ctrl-C" "$(
    grep -qx 'sweep: interrupted; the same command goes on' "$work/err" || cat "$work/err")"
verdict "Ctrl-C leaves nothing unfinished, but checkpoints" "$(unfinished "$work/stopped")"
rm -rf "$NOW" && mkdir "$NOW"
later=$(finished "$work/stopped")
verdict "it had gone on" "$([ "$later" -gt "$there" ] && [ "$later" -lt 12 ] || echo "$later runs")"
DELAY=0
sweep --output="$work/stopped" $many
expect_sweep "the rest" 0 $((12 - later))
verdict "all are in the table" "$([ "$(wc -l <"$work/stopped/stats.csv")" -eq 13 ] || echo no)"

# Kills, at any moment: of the sweep alone, or of its process group, and then the same command again.
# No run is done twice at a time; at last all is as if nothing had happened. THOROUGH tries more.
many="--end-time=5 --generate=10 --seed=1-12 --jobs=2 --quiet"
sweep --output="$work/undisturbed" $many
expect_sweep "a sweep that is not disturbed" 0 12
DELAY=0.2
random=1
killed=0
rm -f "$LOG.twice"
tries=$([ -n "$THOROUGH" ] && echo 12 || echo 2)
for _ in $(seq "$tries"); do
    random=$(((random * 1103515245 + 12345) % 2147483648))
    setsid sh scripts/sweep --program="$work/wrapper" --output="$work/killed" $many \
        >"$work/out" 2>"$work/err" &
    sweeper=$!
    sleep "0.$((random / 65536 % 400 + 100))"
    victim=$sweeper
    [ $((random / 65536 % 2)) -eq 0 ] || victim=-$sweeper
    kill -s KILL -- "$victim" 2>/dev/null
    wait $sweeper 2>/dev/null
    [ $? -ne 137 ] || killed=$((killed + 1))
    # What is gathered now is whole, or there is nothing yet.
    sh scripts/sweep --output="$work/killed" --gather --quiet 2>&1 |
        grep -vE 'no run .* is finished|holds no runs|runs are missing' >>"$work/between"
    [ "$(finished "$work/killed" 2>/dev/null)" -lt 12 ] || rm -r "$work/killed/runs"
done
DELAY=0
sweep --output="$work/killed" $many
expect_sweep "after $killed kills" 0 "$runs"
verdict "gathering between" "$(cat "$work/between")"
verdict "most kills hit" "$([ "$killed" -ge $((tries / 2)) ] || echo "$killed")"
verdict "no run was done twice at a time" "$(cat "$LOG.twice" 2>/dev/null)"
without_clock "$work/undisturbed/stats.csv" >"$work/expected"
without_clock "$work/killed/stats.csv" >"$work/found"
verdict "the table is the same" "$(cmp "$work/found" "$work/expected" 2>&1)"
for folder in undisturbed killed; do
    (cd "$work/$folder" && find . ! -path './.worker.*' | sort) >"$work/$folder.files"
done
verdict "the files are the same" "$(diff "$work/killed.files" "$work/undisturbed.files")"

# Runs that are not whole are left out.
: >"$work/killed/runs/n10_f0.3_s5/stats.txt"
for partial in "" --partial; do
    sweep --output="$work/killed" --gather --quiet $partial
    verdict "a run that is not whole is told, $partial" "$(
        echo "sweep: 1 of 12 runs are missing: n10_f0.3_s5" | diff - "$work/err")"
    verdict "and left out, $partial" "$([ "$status" -eq $((${#partial} == 0)) ] &&
        [ "$(wc -l <"$work/killed/stats.csv")" -eq 12 ] || echo "status $status")"
done
sweep --output="$work/killed" --end-time=5.0 --generate=10 --seed=1-12
expect_sweep "numbers are compared as numbers" 0 1

# A long run is saved when its time is over, put back into the queue, and gone on with, with the options that it then
# needs, also of a file. Its threads are its part of the cores.
printf '#!/bin/sh\necho "$*" >>"%s"\n' "$work/requeued" >"$work/scontrol"
printf '#!/bin/sh\n[ -z "$OMP_NUM_THREADS" ] || echo "$OMP_NUM_THREADS" >>"%s"\nexec "%s" "$@"\n' "$work/threads" "$PROGRAM" >"$work/threaded"
chmod +x "$work/scontrol" "$work/threaded"
printf '%s\n' '# of this class' ' rule = elastic' '--restitution 1' 'events "log.csv"' >"$work/options"
"$PROGRAM" --quiet --generate=1000 --area-fraction=0.5 >"$work/a long one"
short="--program=$work/threaded --end-time=20 --quiet --jobs=1 --rule=elastic"
long="$short --end-time=$([ -n "$THOROUGH" ] && echo 8000 || echo 400)"
set -- "$work/a long one" -- --stats-fr 2 --conf="$work/options" "--wall=left restitution=1" --checkpoint=mine --checkpoint-every=0.01
sh scripts/sweep --output="$work/uncut" $long "$@" >"$work/err" 2>&1
PATH=$work:$PATH SLURM_JOB_ID=17 SLURM_CPUS_PER_TASK=1 "$BUILD/tests/command/with_signals" sh scripts/sweep --output="$work/cut" \
    $long --requeue "$@" >"$work/err" 2>&1 &
process=$!
for _ in $(seq 500); do
    [ ! -s "$work/cut/partial/a long one/0/checkpoint" ] || break
    sleep 0.02
done
kill -s USR1 $process
wait $process 2>/dev/null
verdict "a time that is over" "$([ $? -eq 138 ] || cat "$work/err")"
verdict "is put back into the queue" "$(grep -vx 'requeue 17' "$work/requeued")"
verdict "with its checkpoint" "$(ls "$work/cut/partial/a long one/0/checkpoint" 2>&1 >/dev/null)"
sh scripts/sweep --output="$work/cut" --status >"$work/out" 2>&1
verdict "--status" "$(printf '%s = %s\n' runs 1 "done" 0 running 0 failed 0 to_do 1 time_left none | diff - "$work/out")"
cp "$work/cut/partial/a long one/0/checkpoint" "$work/saved"
: >"$work/threads"
sh scripts/sweep --output="$work/cut" $long "$@" >"$work/err" 2>&1
verdict "goes on" "$([ $? -eq 0 ] || cat "$work/err")"
verdict "with all cores for one run" "$(tail -n 1 "$work/threads" | grep -vx "$(nproc)")"
(cd "$work/cut/runs" && find . -type f ! -name stats.txt -exec md5sum {} + && grep -v second */stats.txt) | sort >"$work/found"
(cd "$work/uncut/runs" && find . -type f ! -name stats.txt -exec md5sum {} + && grep -v second */stats.txt) | sort >"$work/expected"
verdict "and nothing is written beside" "$(ls 0 2>/dev/null)"
verdict "to the same results" "$(diff "$work/found" "$work/expected")"
# A checkpoint of another input, or a damaged one, is of no use: a run, which is short here, begins anew.
sh scripts/sweep --output="$work/short" $short "$@" >"$work/err" 2>&1
for damage in 's/^/ /' '2!d'; do
    rm -rf "$work/useless"
    mkdir -p "$work/useless/partial/a long one/0"
    cp "$work/saved" "$work/useless/partial/a long one/0/checkpoint"
    cksum <"$work/a long one" | sed "$damage" >"$work/useless/partial/a long one/0/input.cksum"
    sed -i "$damage" "$work/useless/partial/a long one/0/checkpoint"
    sh scripts/sweep --output="$work/useless" $short "$@" >"$work/err" 2>&1
    verdict "a useless checkpoint, $damage" "$([ $? -eq 0 ] || cat "$work/err"
        cmp "$work/short/runs/a long one/log.csv" "$work/useless/runs/a long one/log.csv" 2>&1)"
done

# A cluster: tasks of an array with any numbers, then the table; flock is not needed.
printf '#!/bin/sh\nexit 1\n' >"$work/flock"
: >"$LOG"
for task in 5 9; do
    SLURM_SUBMIT_DIR=$PWD SLURM_JOB_ID=$task SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_TASK_COUNT=2 \
        bash scripts/sweep.slurm --quiet --program="$work/wrapper" --output="$work/cluster" --end-time=5 --generate=10 --seed=1-8 \
        >"$work/out.$task" 2>&1 &
done
wait
verdict "two tasks" "$(cat "$work"/out.?)"
verdict "the tasks do each run once" "$(
    [ "$(wc -l <"$LOG")" -eq 8 ] && [ "$(finished "$work/cluster")" -eq 8 ] || cat "$LOG")"
verdict "and gather nothing" "$(ls "$work/cluster/stats.csv" 2>/dev/null)"
rm -r "$work/cluster/runs/n10_f0.3_s3"
sweep --output="$work/cluster" --gather
verdict "a table that is short" "$([ $status -eq 1 ] && grep -qx 'sweep: 1 of 8 runs are missing: n10_f0.3_s3' "$work/err" || cat "$work/err")"
sweep --share=1/7 --output="$work/cluster" --end-time=5 --generate=10 --seed=1-8 --quiet
expect_sweep "one share does all that is left" 0 1
sweep --output="$work/cluster" --gather
verdict "their table" "$([ "$(wc -l <"$work/cluster/stats.csv")" -eq 9 ] || cat "$work/err")"

# Who is dead: claims of another machine by the time of the file system alone.
rm -r "$work/cluster/runs/n10_f0.3_s3" "$work/cluster/runs/n10_f0.3_s4"
mkdir -p "$work/cluster/partial/n10_f0.3_s3" "$work/cluster/partial/n10_f0.3_s4"
echo "elsewhere other 1 1 1 1" >"$work/cluster/partial/n10_f0.3_s3/0.claim"
cp "$work/cluster/partial/n10_f0.3_s3/0.claim" "$work/cluster/partial/n10_f0.3_s4"
touch -d '6 minutes ago' "$work/cluster/partial/n10_f0.3_s4/0.claim"
: >"$LOG"
QUEUE_MINUTE=60 "$BUILD/tests/command/with_signals" sh scripts/sweep --share=1/2 --program="$work/wrapper" --output="$work/cluster" \
    --end-time=5 --generate=10 --seed=1-8 --quiet 2>"$work/err" &
process=$!
for _ in $(seq 100); do
    [ ! -s "$work/cluster/runs/n10_f0.3_s4/output.txt" ] || break
    sleep 0.1
done
sleep 0.5
verdict "it waits for one that may be alive" "$(kill -s 0 $process 2>&1; ls "$work/cluster/runs/n10_f0.3_s3" 2>/dev/null)"
touch "$work/cluster/partial/n10_f0.3_s3/0.claim"
wait $process
verdict "and leaves it, when it has seen that" "$([ $? -eq 0 ] || cat "$work/err"; ls "$work/cluster/runs/n10_f0.3_s3" 2>/dev/null)"
rm -r "$work/cluster/partial"
sweep --output="$work/cluster" --end-time=5 --generate=10 --seed=1-8 --quiet
expect_sweep "a claim that is gone" 0 1
(cd "$work" && bash "$OLDPWD/scripts/sweep.slurm" >"$work/out" 2>"$work/err")
verdict "from another folder" "$(grep -q 'call sbatch from the folder' "$work/err" || cat "$work/err")"

# Seeds whose figures are 1 to 5 with the error 1 agree with it, and with the error 0.2 do not.
mkdir -p "$work/seeds/runs"
printf '%s\n' "kind = generated" "end_time = 5" "rule = swap" >"$work/seeds/settings"
for seed in 1 2 3 4 5; do
    for fraction in 0.3:1 0.72:0.2; do
        mkdir "$work/seeds/runs/n9_f${fraction%:*}_s$seed"
        echo answer >"$work/seeds/runs/n9_f${fraction%:*}_s$seed/output.txt"
        printf '%s\n' "compressibility_virial = $seed" "compressibility_virial_error = ${fraction#*:}" \
            "contact_value = none" "contact_value_error = none" \
            >"$work/seeds/runs/n9_f${fraction%:*}_s$seed/stats.txt"
    done
done
sweep --output="$work/seeds" --gather
verdict "seeds that scatter too much" "$(grep -v 'figures are in' "$work/err" >"$work/found"; diff "$work/found" - <<END
sweep: 9 disks at area fraction 0.72: compressibility_virial of 5 seeds scatters 7.9 times as far as its errors allow: runs are too short, or trapped
END
    )"

# Wrong usage.
# refuse PATTERN ARGUMENT...: wrong usage, with a message, before anything is run
refuse() {
    pattern=$1
    shift
    sweep "$@"
    if [ "$status" -eq 64 ] && [ "$runs" -eq 0 ] && [ "$(wc -l <"$work/err")" -eq 1 ]; then
        verdict "$*" "$(grep -Eq "^sweep: .*$pattern" "$work/err" || cat "$work/err")"
    else
        verdict "$*" "status $status, $runs runs: $(cat "$work/err")"
    fi
}
to="--output=$work/new"
refuse "--output=DIR is missing" --end-time=1 "$work/inputs"
refuse "--end-time=T is missing" "$to" "$work/inputs"
refuse "no INPUT, and no --generate" "$to" --end-time=1
refuse "unknown option '--fast=1'" "$to" --end-time=1 --fast=1 "$work/inputs"
refuse "or one without '='" --output "$to" --end-time=1
refuse "there is no file .*none" "$to" --end-time=1 "$work/none"
refuse "two inputs are called plain.txt" "$to" --end-time=1 "$work/inputs" "$work/inputs/plain.txt"
refuse "INPUT .* and --generate" "$to" --end-time=1 --generate=5 "$work/inputs"
refuse "are only for --generate" "$to" --end-time=1 --seed=5 "$work/inputs"
for list in 5-1 1-x x 1,,2 ',' 1.5 -1; do
    refuse "--generate takes numbers such as .* and not '$list'" "$to" --end-time=1 --generate="$list"
done
refuse "--area-fraction takes numbers" "$to" --end-time=1 --generate=5 --area-fraction=0.1-0.5
refuse "'--radius=1 2' is not a number" "$to" --end-time=1 --generate=5 "--radius=1 2"
refuse "--jobs and --share take whole numbers" "$to" --end-time=1 --generate=5 --jobs=0
refuse "K goes from 1 to M" "$to" --end-time=1 --generate=5 --share=3/2
refuse "END_TIME must be a number" "$to" --end-time=soon --generate=5
refuse "unknown rule 'bounce'" "$to" --end-time=1 --generate=5 --rule=bounce
refuse "unknown option '--slow'" "$to" --end-time=1 --generate=5 -- --slow
refuse "give --rule before it" "$to" --end-time=1 --generate=5 -- --rule=elastic
refuse "and --stats not at all" "$to" --end-time=1 --generate=5 -- --stats=a
sweep --output="$work/later" --end-time=5 --generate=8 --quiet -- --stats-from=2
expect_sweep "--stats-from goes to the program" 0 1
sweep --output="$work/stream" --end-time=5 --generate=8 --rule=elastic --quiet -- --periodic=x --stream=2
expect_sweep "--stream goes to the program" 0 1
refuse "cannot be run" "$to" --end-time=1 --generate=5 --program="$work/none"
refuse "were done with 'end_time = 5'" --output="$work/cluster" --end-time=6 --generate=5
refuse "were done without 'option = --events=a'" --output="$work/cluster" --end-time=5 --generate=5 \
    -- --events=a
refuse "holds no runs" "$to" --gather
refuse "holds no runs" "$to" --status
refuse "is for a job of Slurm" "$to" --end-time=1 --generate=5 --requeue
verdict "wrong usage makes no folder" "$(ls -d "$work/new" 2>/dev/null)"
sweep --help
verdict "--help" "$(grep -q '^Usage: sweep ' "$work/out" || cat "$work/out")"
verdict "--help fits on 80 columns" "$(awk 'length > 80' "$work/out")"

finish
