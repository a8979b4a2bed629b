#!/bin/sh
# Compares the program with exact.c, an independent one in twice the precision, on random cases:
# 60 of them, or 20 if QUICK is set.
. tests/support/expect.sh

seed=0
while [ "$seed" -lt "$([ -n "$QUICK" ] && echo 20 || echo 60)" ]; do
    seed=$((seed + 1))
    "$BUILD/tests/command/make_case" $seed >"$work/input"
    if "$BUILD/tests/command/exact" "$work/input" 25 >"$work/expected"; then
        for kind in array cells; do
            particles --schedule=$kind "$work/input" 25
            expect_output "seed $seed, $kind" "$work/expected"
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

finish
