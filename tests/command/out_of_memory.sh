#!/bin/sh
# Makes every third allocation of plain runs and every 97th of others fail in turn, and others between them with all
# that follow: each time the run ends with status 71 and one message, and leaves no file that is not
# complete; and when none is left to fail, it succeeds. THOROUGH lets each fail in one of the two ways.
. tests/support/expect.sh
plain=$PROGRAM
step=97 # from one allocation that fails to the next
ways="0 1" # whether all that follow fail, too
[ -z "$QUICK" ] || step=47 # for coverage
[ -z "$THOROUGH" ] || step=2
if [ -n "$QUICK" ] && [ -n "$RUN_WITH" ]; then
    step=101
    ways=0
fi
PROGRAM=$BUILD/tests/command/particles_failing

# Enough particles that the reader has to ask for more memory on the way.
{ printf '1100\n0\n1 2000\n'; seq 1100 | sed 's/.*/0.5 & 0.1 0/'; } >"$work/many"

# Kinds enough that their table grows, too.
{ printf '60\n0\n20 20\n'; awk 'BEGIN { for (k = 0; k < 60; k++)
    print 2 * (k % 10) + 1, 3 * int(k / 10) + 1, 0, 1, 0.5 + k / 150, 1, k }'; } >"$work/kinds"

# Polygons, so many that their lists grow, too; particles are among them.
awk 'BEGIN { for (k = 0; k < 40; k++) print 19 + k / 50, 19.9 "\n" 19 + k / 50, 19.91 "\n" }' >"$work/polygons"
printf '6 6\n12 6\n6 12\n' >"$work/body"
printf '0 0\n9 0\n9 9\n0 9\n' >"$work/room"
printf '3 3\n3 6\n' >"$work/wall"
printf '2\n1\n9 9\n3 3 0 0\n4.5 3 0 0\n' >"$work/overlap"

printf '0 1 1\n' >"$work/pairs"

# Most of the particles in a small part of the box.
{ printf '100\n0.5\n9000 9000\n'; seq 100 | awk '{ print $1 % 10 + 1, int($1 / 10) + 1, 0, 0 }'; } >"$work/crowd"

# is_untimed_same: whether the figures are complete, but for those that a clock made
is_untimed_same() {
    sed '/second/d' "$work/complete/stats" >"$work/untimed"
    sed '/second/d' "$work/files/stats" | cmp -s "$work/untimed" -
}

# left: the files in $work/files that are not those of $work/complete, byte for byte. (When all but
# one have been completed and that one fails, those may stay.)
left() {
    for file in "$work"/files/* "$work"/files/.[!.]*; do
        [ ! -e "$file" ] || cmp -s "$file" "$work/complete/${file##*/}" ||
            { [ "${file##*/}" = stats ] && is_untimed_same; } || echo "$file"
    done
}

# fail_in_turn LEAST ARGUMENT...: makes each allocation of this command fail, as said above, of which
# there are at least so many; its files are in $work/files
fail_in_turn() {
    least=$1
    shift
    rm -rf "$work/complete" "$work/files"
    mkdir "$work/files"
    "$plain" "$@" >"$work/expected" 2>"$work/err"
    mv "$work/files" "$work/complete"
    mkdir "$work/files"
    PARTICLES_FAIL_AT=$(((least - 1) % step + 1 + PARTICLES_KEEP_FAILING * step / 2)) # number `least` is among them
    while [ "$PARTICLES_FAIL_AT" -lt 400 ]; do
        particles "$@"
        [ "$status" -ne 0 ] || break
        expect_error "$*, allocation $PARTICLES_FAIL_AT" 71 "out of memory: [0-9.]+ (bytes|[kM]B) for "
        verdict "$*, allocation $PARTICLES_FAIL_AT leaves nothing" "$(left)"
        rm -f "$work"/files/*
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + step))
    done
    verdict "$*, no allocation left to fail" "$(cmp "$work/out" "$work/expected" 2>&1)"
    verdict "$* makes $least allocations and more" "$([ "$PARTICLES_FAIL_AT" -gt "$least" ] || echo "fewer than $least")"
}

# Without memory for a second thread the log of events does without it.
files="--threads=1 --events=$work/files/events --trajectory=$work/files/frames --every=1
    --stats=$work/files/stats --structure=$work/files/structure --fields=$work/files/fields.svg --fields-grid=4x3 --picture=$work/files/picture --animate=$work/files/page --report=$work/files/report
    --final=$work/files/final"
input=data/particles_only.txt
export PARTICLES_KEEP_FAILING PARTICLES_FAIL_AT
for PARTICLES_KEEP_FAILING in $ways; do
    usual=$step
    case $step in # more of those that schedules make
    97) step=3 ;;
    47) step=1 ;;
    esac
    for kind in textbook array cells; do
        fail_in_turn 5 --schedule=$kind $input 100
    done
    step=$usual
    fail_in_turn 5 "$work/many" 7
    fail_in_turn 5 "$work/kinds" 7
    fail_in_turn 20 --obstacle="$work/polygons" $input 100
    fail_in_turn 24 --obstacle="$work/polygons" --fields="$work/files/fields.csv" --fields-grid=9x9 $input 100
    fail_in_turn 20 --obstacle="$work/polygons" --forces="$work/files/forces" --every=1 $input 100
    for option in $files --stats --progress --sensitivity=2; do
        case $option in
        --every=* | --fields-grid=*) ;;
        --fields=*) fail_in_turn 9 "$option" --fields-grid=4x3 $input 100 ;;
        --trajectory=* | --structure=*) fail_in_turn 9 "$option" --every=1 $input 100 ;;
        *) fail_in_turn 9 "$option" $input 100 ;;
        esac
    done
    # What is allocated does not depend on the rule: one for each schedule is enough.
    for options in "--schedule=textbook" "--schedule=array --rule=elastic" \
        "--schedule=cells --rule=elastic --restitution=0.9 --roughness=0.5"; do
        fail_in_turn 20 --quiet $options $files $input 30
    done
    fail_in_turn 30 --quiet --rule=elastic $files "$work/kinds" 7
    fail_in_turn 30 --quiet --periodic=x --stream=1 --obstacle="$work/polygons" \
        --picture="$work/files/picture" --animate="$work/files/page" $input 30
    fail_in_turn 30 --quiet --rule=elastic --grow=0.01 --stats="$work/files/stats" --animate="$work/files/page" \
        --picture="$work/files/picture" --colour-contacts $input 30
    fail_in_turn 20 --quiet --lattice=20 --viscosity=1 --periodic=x --stream=0.05 --stream-temperature=2000 \
        --obstacle="$work/body" --lattice-start=particles \
        --fields="$work/files/fields.csv" --fields-grid=9x9 --forces="$work/files/forces" $input 30
    fail_in_turn 20 --step=0.01 --interaction="spring k=1" --interaction="lennard-jones epsilon=1 sigma=1" \
        --interaction="gravitation G=1 softening=1" --interaction="coulomb k=1" "$work/overlap" 0.02
    fail_in_turn 20 --step=0.01 --substeps=2 --interaction="spring k=1" "$work/crowd" 0.01
    fail_in_turn 30 --step=0.01 --substeps=2 --interaction="langevin temperature=1 friction=1" \
        --interaction="bond file=$work/pairs k=1" --constraint="link file=$work/pairs" \
        --constraint="pin particles=2-4" "$work/many" 0.01
    fail_in_turn 20 --rule=elastic --wall="box temperature=1" --wall="obstacles restitution=0.5" \
        --obstacle="$work/polygons" --stats="$work/files/stats" $input 30
    fail_in_turn 20 --trajectory="$work/files/frames" --every=1 --trajectory-columns=psi6,voronoi $input 7
    fail_in_turn 1 --quiet --generate=100 --radius=1..2
    fail_in_turn 1 --quiet --generate=100 --area-fraction=0.3 # at random
    fail_in_turn 1 --quiet --generate=100 --area-fraction=0.7 # on a lattice
    fail_in_turn 1 --quiet --generate=60,40 --radius=1,0.5 --periodic=xy
    fail_in_turn 1 --quiet --generate=60,40 --radius=1,0.5 --area-fraction=0.7
    fail_in_turn 9 --generate=60 --domain="$work/room" --obstacle="$work/wall"
done

# Where threads would read and write, memory that they lack ends no run: one goes on, with one answer.
{ printf '20000\n0\n100 20001\n'; seq 20000 | sed 's/.*/50 & 0 0.5/'; } >"$work/large"
"$plain" --threads=1 "$work/large" 0 >"$work/expected"
PARTICLES_KEEP_FAILING=0
survived=0
for PARTICLES_FAIL_AT in 2 3 4 5 6 7 8; do
    particles --threads=2 "$work/large" 0
    if [ "$status" -eq 0 ]; then
        survived=$((survived + 1))
        verdict "a large file, allocation $PARTICLES_FAIL_AT" "$(cmp "$work/out" "$work/expected" 2>&1)"
    else
        expect_error "a large file, allocation $PARTICLES_FAIL_AT" 71 "out of memory: [0-9.]+ (bytes|[kM]B) for "
    fi
done
verdict "some threads are done without" "$([ "$survived" -ge 3 ] || echo "$survived")"

# Nor does memory that tiles lack for sums over the collisions of many pairs of species: it goes on without tiles.
"$plain" --quiet --generate=40,40,40,40,40,40,40,40 --area-fraction=0.3 --seed=3 >"$work/species"
"$plain" --rule=elastic "$work/species" 0.6 >"$work/expected"
survived=0
every=$(if [ -n "$QUICK" ]; then echo 20; elif [ -n "$THOROUGH" ]; then echo 4; else echo 8; fi)
for PARTICLES_FAIL_AT in $(seq 200 "$every" 300); do
    particles --quiet --rule=elastic --threads=2 --tile-side=4 --stats="$work/stats" "$work/species" 0.6
    if [ "$status" -eq 0 ]; then
        survived=$((survived + 1))
        verdict "species, allocation $PARTICLES_FAIL_AT" "$(cmp "$work/out" "$work/expected" 2>&1)"
    else
        expect_error "species, allocation $PARTICLES_FAIL_AT" 71 "out of memory: [0-9.]+ (bytes|[kM]B) for "
    fi
done
verdict "some tiles are done without" "$([ "$survived" -ge 3 ] || echo "$survived")"

finish
