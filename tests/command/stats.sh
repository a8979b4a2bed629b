#!/bin/sh
# --stats: the table, the file, and that neither changes what standard output says.
. tests/support/expect.sh

input=data/particles_only.txt
expected=tests/command/expected/particles_only.t100.expected
file=$work/stats.txt

# expect_file NAME: the last run succeeded in silence, and left a file of numbers and "none"
expect_file() {
    if [ ! -f "$file" ]; then
        verdict "$1" "no file"
    else
        verdict "$1" "$(grep -Evx '[a-z_]+ = (-?[0-9.]+(e[-+][0-9]+)?|none)' "$file")"
    fi
}

# same_but_clock FILE FILE: two files agree in all that does not depend on the clock
same_but_clock() {
    [ "$(grep -v second "$1")" = "$(grep -v second "$2")" ] || echo "$2 differs"
}

particles --stats "$input" 100
problem=$(cmp "$work/out" $expected 2>&1)
[ "$status" -eq 0 ] || problem="status $status"
grep -Eqx '  particles +8' "$work/err" || problem="no particles in the table"
grep -Eqx '  collision rate +0\.04  1/time, per particle' "$work/err" || problem="no collision rate"
grep -Eqi 'nan|inf' "$work/err" && problem="not finite"
[ -z "$(grep '^ ' "$work/err" | cut -c 36-52 | grep -v '[0-9)-]$')" ] || problem="not aligned"
[ "$(grep -v '^ ' "$work/err" | tr '\n' ' ')" = "particles: walls: run: " ] || problem="no headings"
verdict "a table" "$problem"
grep -v second "$work/err" >"$work/quiet"
particles --stats --quiet --progress "$input" 100
verdict "the same with --quiet, and nothing else" "$(grep -v second "$work/err" | diff - "$work/quiet" 2>&1)"

# On a terminal, where the line of the progress is, and is gone before the table comes.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    end=100000
    : >"$work/terminal"
    # The line appears after a second, in which the run need not work.
    until grep -q 'time .* left' "$work/terminal" || [ $end = 100000000000 ]; do
        end=${end}0
        script -qec "$RUN_WITH '$PROGRAM' --stats $input $end >/dev/null &
            sleep 0.1; kill -STOP \$!; sleep 1; kill -CONT \$!; wait" /dev/null >"$work/terminal" </dev/null
    done
    verdict "the table begins on a line of its own" \
        "$(tr '\r' '\n' <"$work/terminal" | grep -qx '  particles  *8' || cat -v "$work/terminal")"
else
    skip "the table on a terminal, which the command script makes" bsdutils
fi

for kind in array cells; do
    expect_output "a file, $kind" $expected --schedule=$kind --stats="$file" "$input" 100
    expect_file "numbers in it, $kind"
    mv "$file" "$work/$kind"
done
verdict "the schedule cannot be told from it" "$(same_but_clock "$work/array" "$work/cells")"
particles --generate=200 --radius=1~0.3 --area-fraction=0.5
mv "$work/out" "$work/radii"
for kind in array cells; do
    particles --quiet --schedule=$kind --stats="$work/$kind.radii" "$work/radii" 10
done
verdict "nor where disks differ in size" "$(same_but_clock "$work/array.radii" "$work/cells.radii")"
{
    grep -qx 'collisions = 32' "$work/array" && grep -qx 'collisions_pairs = 16' "$work/array" &&
        grep -qx 'energy_drift = 0' "$work/array" && grep -qx 'mean_free_time = 25' "$work/array"
} && verdict "its contents" "" || verdict "its contents" "$(cat "$work/array")"

# As JSON: the same values, and errors beside them.
particles --stats="$work/figures.json" "$input" 100
if command -v python3 >/dev/null; then
    verdict "JSON has the same figures" "$(python3 - "$work/figures.json" "$work/array" 2>&1 <<'PYTHON'
import json, sys
def refuse(word):
    raise ValueError(word)
figures = json.load(open(sys.argv[1]), parse_constant=refuse)
assert figures.pop("program") == "particles"
lines = dict(line.split(" = ") for line in open(sys.argv[2]).read().splitlines())
assert figures["collision_rate"]["unit"] == "1/time, per particle"
for key, figure in figures.items():
    members = {key: figure["value"]}
    if "error" in figure:
        members[key + "_error"] = figure["error"]
    for name, value in members.items():
        line = lines.pop(name)
        assert "second" in name or (value is None if line == "none" else value == float(line)), name
assert not lines, lines
PYTHON
    )"
else
    skip "reading JSON" python3
fi
particles --periodic=xy --stats "$input" 100
verdict "no walls without walls" "$(grep -i wall "$work/err" | grep -v 'relative change')"
expect_output "the last one counts" $expected --stats --stats="$file" "$input" 100
particles --quiet --stats="$file" "$input" 0
expect_file "END_TIME 0"
verdict "nothing has happened" "$(grep -qx 'collision_rate = none' "$file" || cat "$file")"

# The collisions of the log after a time, and nothing of standard output.
expect_output "from a time on" $expected --events="$work/log" --stats="$file" --stats-from=40 "$input" 100
verdict "what is after it counts" "$(
    all=$(awk -F, '$1 > 40' "$work/log" | grep -c '^[0-9]')
    grep -qx "collisions = $all" "$file" && grep -qx 'stats_from = 40' "$file" || cat "$file")"
time=$(sed -n '5s/,.*//p' "$work/log")
particles --stats="$file" --stats-from="$time" "$input" 100
verdict "and not a collision at that time" "$(grep -qx 'collisions = 28' "$file" || cat "$file")"
particles --stats="$work/zero" --stats-from=0 "$input" 100
verdict "from 0 on, everything" "$(same_but_clock "$work/array" "$work/zero")"
expect_error "after the end" 64 "--stats-from=100.5 is after END_TIME, 100" --stats --stats-from=100.5 "$input" 100
expect_error "without --stats" 64 "--stats-from is only for --stats" --stats-from=1 "$input" 100

# Heavy and light disks exchange energy in 23 collisions of each on average, and a block lasts four times as
# long: too short a run has no errors, also where the masses are of one species, nor has one at 1:10^4.
"$PROGRAM" --quiet --generate=20,20 --mass=1,100 --area-fraction=0.2 --periodic=xy >"$work/slow"
awk 'NR <= 3 || NF == 0 { print; next } { $7 = 0; print }' "$work/slow" >"$work/one"
sed 's/ 100 / 10000 /' "$work/slow" >"$work/slower"
for case in "slow 500 none" "one 500 none" "slow 4000 [0-9].*" "slower 4000 none"; do
    set -- $case
    particles --rule=elastic --periodic=xy --stats="$file" "$work/$1" "$2"
    verdict "errors of a mixture: $case" "$(for figure in collision_rate pressure_virial pressure_xy_kinetic; do
        grep -qx "${figure}_error = $3" "$file" || grep "^${figure}_error" "$file"
    done)"
done

rm -f "$file"
printf '1\n1\n10 10\n5 50 1 1\n' >"$work/outside"
expect_error "bad data" 65 "particle 0" --stats="$file" "$work/outside" 10
verdict "bad data leave no file" "$(ls "$work" | grep '^stats')"
printf '2\n1\n4 4\n1 1 1 0\n3 1 0 0\n' >"$work/wedged"
expect_error "a run that fails" 65 "wedged" --stats="$file" "$work/wedged" 10
verdict "a run that fails leaves no file" "$(ls "$work" | grep '^stats')"

expect_error "--stats=-" 64 "--stats takes the name of a file to write, not '-'" --stats=- "$input" 10
expect_error "--stats=" 64 "--stats takes the name of a file to write, not ''" --stats= "$input" 10
expect_error "a file as a word of its own" 64 "extra argument" --stats "$file" "$input" 10
expect_error "--generate" 64 "--generate makes an INPUT and simulates nothing" --stats --generate=3
expect_error "no directory" 74 "none/stats: cannot .*No such file" --stats="$work/none/stats" "$input" 10
expect_error "a directory" 74 "cannot open: Is a directory" --stats="$work" "$input" 10
if [ -c /dev/full ]; then
    expect_error "a full disk" 74 "/dev/full: cannot write: No space left" --stats=/dev/full "$input" 10
    $RUN_WITH "$PROGRAM" --stats "$input" 10 >"$work/out" 2>/dev/full
    status=$?
    verdict "no room for the table" "$([ "$status" -eq 74 ] && [ ! -s "$work/out" ] || echo "status $status")"
fi

finish
