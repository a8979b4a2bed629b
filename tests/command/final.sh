#!/bin/sh
# --final: runs that are chained. The state at the end of one is accepted as the INPUT of the next,
# whenever the run ended, and is the same whatever found it; nothing but such a state is replaced.
. tests/support/expect.sh

# positions: the first two columns of an answer, of standard input
positions() {
    cut -d , -f 1,2
}

# chain NAME END OPTION...: runs $work/NAME to the end, and from there to time 0, which prints the same
# positions and writes the same state
chain() {
    from=$work/$1
    until=$2
    shift 2
    particles "$@" --final="$work/state" "$from" "$until"
    positions <"$work/out" >"$work/first"
    problem=$(cat "$work/err")
    particles "$@" --final="$work/again" "$work/state" 0
    problem=$problem$(cat "$work/err" && positions <"$work/out" | cmp - "$work/first" 2>&1)
    verdict "$from $until $*" "$problem$(cmp "$work/state" "$work/again" 2>&1)"
}

# ends FILE: the last collisions of a log, the moments at which disks touch
ends() {
    tail -n "$([ -n "$THOROUGH" ] && echo 15 || echo 2)" "$1" | cut -d , -f 1
}

"$PROGRAM" --quiet --generate=40 --area-fraction=0.7 --seed=1 >"$work/dense"
"$PROGRAM" --quiet --generate=20 --radius=2e7 --speed=1e8 --seed=2 >"$work/huge"
"$PROGRAM" --quiet --generate=20 --radius=1e-30 --speed=1e-20 --seed=3 >"$work/tiny"
"$PROGRAM" --quiet --generate=6 --seed=4 >"$work/few"
printf '3\n1\n20 20\n5 5 1 0.3 1 2\n12 5 -1 0.1 2 0.5 3\n5 12 0.7 0.7 0.5\n' >"$work/mixed"
printf '2\n1\n30 20\n5 5 1 0.03\n20 5.5 -1 0.04\n' >"$work/pair"
printf '3\n1\n30 2\n5 1 3 0\n9 1 -1 0\n20 1 -2 0\n' >"$work/slit"
while read -r input end options; do
    particles $options --events="$work/log" "$work/$input" "$end"
    for time in 0 "$end" $(ends "$work/log"); do
        chain "$input" "$time" $options
    done
done <<'END'
dense 50
dense 50 --rule=elastic --periodic=xy
dense 200 --rule=elastic --restitution=0.5
huge 20
huge 20 --periodic=x
tiny 1e-8 --rule=elastic
few 20000
pair 1e6 --rule=elastic
few 2000 --rule=elastic --periodic=y
mixed 300 --rule=elastic
slit 100
END

# Disks that a flow carries along overlap each other and bodies.
printf '6 6\n9 6.5\n8 9\n\n12 3\n14 3\n14 5\n12 5\n' >"$work/bodies"
for seed in 1 2 3; do
    "$PROGRAM" --quiet --generate=75,75 --radius=0.1,0.3 --area-fraction=0.06 --seed=$seed \
        --obstacle="$work/bodies" >"$work/carried"
    set -- --quiet --lattice=40 --viscosity=0.5 --stream=0.1 --stream-temperature=4 --periodic=xy --obstacle="$work/bodies"
    particles "$@" --final="$work/state" "$work/carried" 40
    positions <"$work/out" >"$work/first"
    particles "$@" "$work/state" 0
    verdict "carried along, $seed" "$(cat "$work/err" && positions <"$work/out" | cmp - "$work/first" 2>&1)"
    chain carried 3 --rule=elastic --wall="obstacles temperature=2" --obstacle="$work/bodies"
    chain carried 3 --step=0.05 --interaction="langevin temperature=1 friction=1" --constraint="contact restitution=0.5"
done

# Turned round, a run goes back to where it began.
back() {
    input=$1
    until=$2
    shift 2
    particles "$@" --final="$work/state" "$work/$input" "$until"
    particles "$@" --reverse --final="$work/again" "$work/state" "$until"
    verdict "$input and back with $*" "$(cat "$work/err")$(paste "$work/$input" "$work/again" | awk '
        function off(a, b) { return a - b > 1e-8 || b - a > 1e-8 }
        NR > 3 && (off($1, $(1 + NF / 2)) || off($2, $(2 + NF / 2)) || off(-$3, $(3 + NF / 2)) || off(-$4, $(4 + NF / 2))) { print }
        END { if (NR < 9) print "no particles" }')$(cmp -s "$work/state" "$work/again" && echo "it stood still")"
}
back few 30
back few 10 --rule=elastic --periodic=xy --schedule=cells
back few 5 --step=0.01 --interaction="gravity g=-0.01"
printf '0 1 1\n' >"$work/pairs"
printf '%s\n' 6 0.1 '10 10' '9.5 5 -1 2' '0.5 5 2 -1' '2 2 1 0' '3 3 0 1' '4 4 1 1' '5 5 0 0' >"$work/bound"
back bound 20 --periodic=xy --step=0.01 --interaction="bond file=$work/pairs k=5"
printf '%s\n' 6 1 '30 20' '5 5 0 1' '9 5 0 0' '9 9 0 -1' '15 9 2 0' '20 9 0 0' '25 9 0 0.5' >"$work/still"
back still 3 --rule=elastic
verdict "there is no -0" "$(grep -e '-0\( \|$\)' "$work/again")"

# Only a state of an earlier run is replaced: nothing that this run reads or another option writes.
cd "$work" || exit 1
cp few plain
ln -s few link
ln few hard
particles --final=state few 1
expect_silence "a state replaces another" --final=state few 2
for name in few ./few link hard; do
    expect_error "--final=$name" 64 "--final would overwrite INPUT: '$name' is the same file" --final=$name few 1
done
expect_error "INPUT is a link" 64 "--final would overwrite INPUT" --final=few link 1
expect_error "two options" 64 "need a file each" --final=state --stats=state few 1
particles --stats=state few 1
expect_error "no other option replaces a state" 64 "--stats would overwrite 'state', which looks like"
expect_error "standard output is for the answer" 64 "--final takes the name of a file to write" --final=- few 1
expect_error "a request has no end" 64 "--generate makes an INPUT" --final=state --generate=3
verdict "INPUT is as it was" "$(cmp few plain 2>&1)"

# A run that fails leaves what was there; so does one that ends as no INPUT may be.
cp state before
printf '2\n0.1\n10 10\n2 5 9e39 0 0.1 1e6\n6 5 -9e39 0 0.1 1\n' >fast
expect_error "too fast for an INPUT" 65 "state: particle 1 is too fast: u = 2.7e\+40, .* not written" \
    --rule=elastic --final=state fast 3.5e-40
expect_error "no end, no state" 65 "out of reach" --final=state few 1e40
printf '0 1 4\n' >pairs
printf '2\n0.1\n10 10\n1 5 -2 0\n5 5 2 0\n' >far
expect_error "no pair beyond its nearest image" 65 "state: particles 0 and 1 are further apart than half" \
    --periodic=x --step=0.01 --interaction='bond file=pairs k=1' --final=state far 1
verdict "the old state is there" "$(cmp state before 2>&1)"

finish
