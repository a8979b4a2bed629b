#!/bin/sh
# --stream: which options it goes with, what the answer depends on, runs that are interrupted or go
# on from a final state, and generated gases.
. tests/support/expect.sh

cd "$work" || exit 1
cat >input <<'END'
4
0.5
20 20
5 5 1 .5
10 3 -1 .2
15 15 .3 -.7
3 12 2 0
END
printf '8 8\n12 7\n9 11\n\n-2 15\n2 16\n' >obstacles

expect_usage "'--stream-temperature=2' needs --stream=U" --stream-temperature=2 --periodic=x input 1
expect_usage "'--seed=2' is only for --generate=N, --stream=U, --wall='SIDE temperature=T' and --step=DT" --seed=2 --periodic=x input 1
expect_usage "'--seed' is only for --generate=N, --stream=U, --wall='SIDE temperature=T' and --step=DT" input --seed 2 1
for axes in "" --periodic=y; do
    expect_usage "--stream needs --periodic=x or --periodic=xy" --stream=1 ${axes:+$axes} input 1
    expect_usage "--stream needs --periodic=x or --periodic=xy" --stream=1 ${axes:+$axes} --generate=9
done
expect_usage "--stream takes a number from -1e.38 to 1e.38, and '2e38' is too large" --stream=2e38 input 1
expect_usage "--stream takes a number .* and '' " --stream= input 1
expect_usage "--stream-temperature takes a number from 1e-120 to 1e.116, and '0' is too small" \
    --stream=1 --stream-temperature=0 --periodic=x input 1
for option in --stream=1 --stream-temperature=2 --seed=3; do
    expect_usage "'$option' is not for --resume: it is as in the checkpoint" --resume=saved $option
done
expect_usage "--stream-temperature=2' needs --stream=U" --generate=9 --periodic=x --stream-temperature=2
expect_usage "--speed and --stream-temperature both say" \
    --generate=9 --periodic=x --stream=1 --speed=1 --stream-temperature=2
expect_usage "at one temperature these masses would have speeds from .* from 2e-40 to 1e.38" \
    --generate=9 --periodic=x --stream=1 --stream-temperature=1e80
printf 'periodic x\nstream 1\nseed x\n' >options
expect_usage "options:3: --seed takes a whole number .* and 'x'" --config=options input 1
printf 'periodic y\nstream-temperature 1\n' >options
expect_usage "options:2: option '--stream-temperature=1' needs --stream=U" --config=options input 1

# The conditions on particles.
printf '3\n0.5\n20 20\n5 5 .1 .7\n10 3 .1 .7\n15 15 .1 .7\n' >parallel
expect_error "no temperature" 65 "parallel: .*: give --stream-temperature=T" --periodic=x --stream=1 parallel 100
expect_silence "a temperature for particles that have none" --periodic=x --stream=1 --stream-temperature=1 parallel 100
printf '1\n0.5\n20 20\n5 5 1 1 1 1e-40\n' >light
particles --rule=elastic --periodic=x --stream=1 --stream-temperature=1e40 light 1
expect_error "too hot" 65 "light: a stream of temperature 1e.40 gives .* of mass 1e-40 a thermal speed of 1e.40"

# The answer is the same on every machine; it depends on U, T and the seed, and on nothing else.
usual="--rule=elastic --periodic=x --stream=1.5 --stream-temperature=0.4 --obstacle=obstacles"
particles $usual input 200
cp out answer
found=$(cksum <answer)
verdict "the same bytes everywhere" "$([ "$found" = "752041047 108" ] || echo "checksum $found")"
for axes in x xy; do
    for kind in textbook array cells; do
        particles $usual --periodic=$axes --schedule=$kind --seed=1 --events=$kind.csv input 200
        [ -e answer_$axes ] || cp out answer_$axes
        expect_output "--periodic=$axes --schedule=$kind" answer_$axes
        verdict "its log" "$(cmp textbook.csv $kind.csv 2>&1)"
    done
    mv textbook.csv $axes.csv
done
verdict "the answer without options" "$(cmp answer answer_x)"
for other in --seed=2 --seed=0 --stream=-1.5 --stream=1.50000001 --stream-temperature=0.40001 --periodic=xy; do
    particles $usual $other input 200
    verdict "another answer with $other" "$(cmp -s out answer && echo same; cat err)"
done
printf 'rule elastic\nperiodic x\nstream = 1.5\nstream-temperature 0.4\nobstacle obstacles\nseed 1\n' >options
expect_output "options from a file" answer --config=options input 200
# By hand: the kinetic energy, 3.435, less that of a mass of 4 with (0.575, 0), divided by 3.
particles --periodic=x --stream=1.5 input 200
cp out default
particles --periodic=x --stream=1.5 --stream-temperature=0.9245833333333333 input 200
expect_output "the default temperature" default

# A log describes how particles move: between its lines in straight lines, with the velocities of the
# last one, up to a seam, where a line has the new velocity and the side where that leads on from.
cat >follow <<'AWK'
    NR == FNR { if (FNR > 3) { id = FNR - 4; split($0, n, " "); x[id] = n[1]; y[id] = n[2]; u[id] = n[3]; v[id] = n[4]; t[id] = 0 } next }
    FNR == 1 { next }
    $2 == "stream" {
        is_y = $5 == "bottom" || $5 == "top"
        is_up = $5 == "right" || $5 == "top"
        goes_up = (is_y ? $9 : $8) > 0
        if ((is_y ? $7 : $6) != (goes_up ? 0 : 20)) print "line " FNR ": it goes on at " $6 ", " $7
        turned[is_y] += is_up != goes_up
        check($3, is_y ? $6 : 20 * is_up, is_y ? 20 * is_up : $7)
    }
    $2 != "stream" { check($3, $6, $7) }
    { set($3, $6, $7, $8, $9); seen[$2]++ }
    $4 != "" { check($4, $10, $11); set($4, $10, $11, $12, $13) }
    function check(id, at_x, at_y,    dx, dy) {
        dx = x[id] + u[id] * ($1 - t[id]) - at_x
        dy = y[id] + v[id] * ($1 - t[id]) - at_y
        if (dx * dx + dy * dy > 1e-20) print "line " FNR ": off by " dx " " dy
    }
    function set(id, at_x, at_y, new_u, new_v) { t[id] = $1; x[id] = at_x; y[id] = at_y; u[id] = new_u; v[id] = new_v }
    END { if (seen["stream"] < 10 || turned[0] < 3 || turned[1] < least || seen["side"] < 1 || seen["particle"] < 1) print "too little happens: " seen["stream"] " " turned[0] " " turned[1] " " seen["side"] " " seen["particle"] }
AWK
verdict "the log tells how particles move" "$(awk -F, -v OFMT=%.15g -f follow input x.csv)"
verdict "in y, too" "$(awk -F, -v OFMT=%.15g -v least=3 -f follow input xy.csv)"
verdict "a line of it" "$(grep -q '^[^,]*,stream,[0-3],,right,0,[^,]*,[^,]*,[^,]*,,,,,,$' x.csv ||
    grep stream x.csv)"

# Perturbed runs draw the same velocities, and in a run of one particle no collision amplifies what
# they begin with.
sed -n '1s/4/1/p; 2,4p' input >one
particles --quiet --periodic=x --stream=1 --stream-temperature=1 --sensitivity=5 one 100
verdict "perturbed runs" "$(grep -q 'sensitivity: stable: 5 of 5 perturbed runs' err || cat err)"

# A run that is interrupted goes on with the same draws.
launch $usual --seed=9 --checkpoint=saved input 1e6
await test -e saved
sleep 0.05
stop INT
verdict "interrupted" "$([ "$status" -gt 128 ] || echo "status $status; $(cat err)")"
particles --resume=saved --schedule=textbook
cp out resumed
expect_output "resumed" resumed $usual --seed=9 input 1e6

# The final state goes on, with another seed and the same temperature.
particles $usual --final=final.txt input 200
expect_silence "a final state goes on" $usual --seed=2 final.txt 200

# A generated input runs with the options that the report names, and is the same everywhere.
printf '2 2\n4 3\n3 6\n' >obstacles
while read -r checksum options; do
    particles $options
    cp out gas
    cp err report
    found=$(cksum <gas)
    verdict "the same bytes everywhere: $options" "$([ "$found" = "$(echo "$checksum" | tr _ ' ')" ] || echo "checksum $found")"
    # shellcheck disable=SC2046 # the words of a command
    expect_output "repeated after its own report: $options" gas --quiet $(sed -n '1s/^particles: --/--/p' report)
    # shellcheck disable=SC2046
    particles $(sed -n 's/^particles: simulate it with//p' report) gas 2
    verdict "runs with $(sed -n '3p' report)" "$(cat err)"
    verdict "the report has the stream: $options" "$(
        grep -q '^particles: simulate it with --periodic=x.* --stream=[-.0-9]* --stream-temperature=[.0-9]*' report || cat report)"
done <<'END'
2040661304_10359 --generate=200 --periodic=x --stream=2 --speed=0.3
434230752_10802 --generate=200 --periodic=xy --stream=-1 --stream-temperature=0.125 --area-fraction=0.02 --seed=3
202982297_9076 --generate=90,60 --mass=1,4 --radius=1,0.5 --periodic=x --stream=3 --obstacle=obstacles
END
finish
