#!/bin/sh
# The cases of data/examples/cases: the answers that the README there works out.
. tests/support/expect.sh

mkdir "$work/cases" "$work/some"
sh data/examples/cases "$work/cases"
sh data/examples/cases "$work/some" wall hexagon
verdict "some of the cases" "$(cd "$work/some" && echo * | grep -vx 'hexagon.txt hexagon_domain.txt wall.txt')"
for file in "$work"/some/*; do
    verdict "$(basename "$file")" "$(cmp "$file" "$work/cases/$(basename "$file")" 2>&1)"
done

# The commands of the README, with the lines that it gives.
# about NAME: runs the README's command of a case
about() {
    command=$(sed -n "s/^    \.\/particles \(.*\/$1\.txt .*\)/\1/p" data/examples/README.md |
        sed "s|build/cases|$work/cases|g")
    expect_success "$1" --quiet $command
}
# exact NAME: the same, whose output follows in the README
exact() {
    about "$1"
    sed -n "/^    \.\/particles .*\/$1\.txt /,/^$/p" data/examples/README.md |
        sed '1d; /^$/d; s/^    //' >"$work/expected"
    verdict "$1 has an answer" "$([ -s "$work/expected" ] || echo none)"
    verdict "$1 is as worked out" "$(diff "$work/out" "$work/expected")"
}
# near NAME EXPECTED TOLERANCE FOUND
near() {
    verdict "$1" "$(awk -v expected="$2" -v tolerance="$3" -v found="$4" 'BEGIN {
        if (!(found >= expected - tolerance && found <= expected + tolerance))
            print found, "instead of", expected
    }')"
}
for name in head_on right_angle three wall; do
    exact $name
done

# Of species 1, how many are above, on average in the second half of the run; tolerances are about three
# standard errors.
for population in "diffusion 5 5 0.8" "diffusion_large 15 50 6"; do
    set -- $population
    particles --quiet --rule=elastic --stats="$work/stats" --trajectory="$work/frames" --every=20 \
        "$work/cases/$1.txt" 4000
    verdict "$1" "$(cat "$work/err")"
    near "$1: energy" 0 1e-13 "$(sed -n 's/^energy_drift = //p' "$work/stats")"
    near "$1: mixed" "$3" "$4" "$(awk -v height="$2" '
        sub(/.*Time=/, "") { frames += later = $1 >= 2000 }
        later && NF == 14 && $1 == 1 { above += $3 > height }
        END { print above / frames }' "$work/frames")"
done

particles --help
if ! grep -q -e --domain= "$work/out" || ! grep -q -e --obstacle= "$work/out"; then
    skip "the cases with polygons: there is no --domain and --obstacle"
    finish
fi
exact hexagon
about stadium
expected=$(sh scripts/polygon measure "$work/cases/stadium_domain.txt" |
    awk '!/^#/ { print 100 * 1000 * $3 / ($2 * 3.141592653589793) }')
near "stadium: hits" "$expected" "$(awk -v e="$expected" 'BEGIN { print e / 100 }')" \
    "$(awk -F, '{ hits += $3 } END { print hits }' "$work/out")"
about galton
verdict "galton: mirror images" "$(awk -F, 'NR % 2 { x = $1; y = $2; next }
    x + $1 < 23.99999 || x + $1 > 24.00001 || y - $2 > 0.00001 || $2 - y > 0.00001' "$work/out")"
about hourglass
near "hourglass: in the upper bulb" 69 14 "$(awk -F, '$2 > 15 { n++ } END { print n + 0 }' "$work/out")"
about room
near "room: remain" 43 15 "$(awk -F, '$1 < 10 { n++ } END { print n + 0 }' "$work/out")"

finish
