#!/bin/sh
# Compares the program with exact.c, an independent one in quadruple precision, on random cases:
# 60 of them if THOROUGH is set, otherwise 20, with walls, and as many in periodic boxes.
. tests/support/expect.sh

cases=$([ -n "$THOROUGH" ] && echo 60 || echo 20)
seed=0
while [ "$seed" -lt "$cases" ]; do
    seed=$((seed + 1))
    "$BUILD/tests/command/make_case" $seed >"$work/input"
    if "$BUILD/tests/command/exact" "$work/input" 25 >"$work/expected"; then
        for kind in array cells; do
            expect_output "seed $seed, $kind" "$work/expected" --schedule=$kind "$work/input" 25
        done
    else
        verdict "seed $seed" "exact failed"
    fi
done
for name in walls_only particles_only particles_walls; do
    "$BUILD/tests/command/exact" data/$name.txt 100 >"$work/out"
    status=$?
    : >"$work/err"
    expect_output "exact itself: $name" tests/command/expected/$name.t100.expected
done

# In periodic boxes, moved so that a disk lies across a seam, also every collision; up to a time that
# is too short for elastic collisions to amplify the rounding of doubles to the ninth digit.
seed=0
while [ "$seed" -lt "$cases" ]; do
    seed=$((seed + 1))
    axes=$(echo x y xy | cut -d ' ' -f $((seed % 3 + 1)))
    rule=$(echo swap elastic | cut -d ' ' -f $((seed % 2 + 1)))
    kind=$(echo array cells textbook cells | cut -d ' ' -f $((seed % 4 + 1)))
    "$BUILD/tests/command/make_case" $seed $axes >"$work/input"
    "$BUILD/tests/command/exact" "$work/input" 6 $rule $axes "$work/log" >"$work/expected"
    particles --schedule=$kind --periodic=$axes --rule=$rule --events="$work/events" \
        "$work/input" 6
    expect_output "seed $seed, $kind, $rule, periodic in $axes" "$work/expected"
    verdict "its collisions" "$(awk -F, 'NR > 1 {
        b = $2 == "particle" ? $4 : $5 ~ /left|right/ ? -1 : -2
        printf "%.9f,%d,%d,%.9f,%.9f\n", $1, $3, b, $6, $7
    }' "$work/events" | diff - "$work/log" 2>&1 | head -n 5)"
done

finish
