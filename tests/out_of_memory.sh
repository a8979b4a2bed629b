#!/bin/sh
# Makes every allocation fail in turn: each time the run ends with status 71 and one message; and
# when none is left to fail, it succeeds.
PROGRAM=$BUILD/tests/particles_failing
. tests/expect.sh

expected=tests/expected/particles_only.t100.expected
for keep_failing in 0 1; do
    PARTICLES_KEEP_FAILING=$keep_failing
    PARTICLES_FAIL_AT=0
    export PARTICLES_KEEP_FAILING PARTICLES_FAIL_AT
    while [ "$PARTICLES_FAIL_AT" -lt 100 ]; do
        PARTICLES_FAIL_AT=$((PARTICLES_FAIL_AT + 1))
        particles --schedule=array data/particles_only.txt 100
        [ "$status" -eq 0 ] && break
        expect_error "allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* need [0-9.]+ (bytes|kB)"
    done
    expect_output "no allocation left to fail" "$expected"
    verdict "there are allocations" "$([ "$PARTICLES_FAIL_AT" -gt 4 ] || echo none)"
done

finish
