#!/bin/sh
# Runs past obstacles: what the log of events, the statistics and the report on sensitivity say of
# polygons, and that it does not depend on the schedule. (checkpoint.sh resumes such runs.)
. tests/support/expect.sh

# Two obstacles and a thin wall, and disks on a lattice where there is room for them.
obstacles=$work/obstacles
{
    sh scripts/polygon regular 5 --radius=2.5 --move=8,8
    echo
    sh scripts/polygon rectangle 4 2 --rotate=20 --move=15,14
} >"$obstacles"
printf '4 12\n9 17\n' >"$work/wall"
awk 'BEGIN {
    for (k = 0; k < 81; k++) {
        x = 2 + 2 * (k % 9)
        y = 2 + 2 * int(k / 9)
        if ((x - 8)^2 + (y - 8)^2 > 9.5 && (x - 15)^2 + (y - 14)^2 > 8 && (y - x - 8)^2 > 1)
            line[++count] = x " " y " " (k * 7 % 13 - 6) / 7 " " (k * 5 % 11 - 5) / 7
    }
    print count "\n0.5\n20 20"
    for (k = 1; k <= count; k++)
        print line[k]
}' >"$work/input"
set -- --rule=elastic --obstacle="$obstacles" --obstacle="$work/wall"

# key NAME: a figure
key() {
    sed -n "s/^$1 = //p" "$work/stats"
}

# Every schedule gives the same.
for schedule in textbook array cells; do
    expect_success "$schedule" "$@" --schedule=$schedule --events="$work/events" --stats="$work/stats" "$work/input" 40
    for file in out events stats; do
        [ $schedule = textbook ] && grep -v second "$work/$file" >"$work/$file.expected"
        verdict "$file with $schedule" "$(grep -v second "$work/$file" | cmp - "$work/$file.expected" 2>&1)"
    done
done

# The log has as many hits as the statistics, kind by kind and polygon by polygon; a line has no
# other numbers of polygons and sides than there are.
verdict "the header" "$(head -n 1 "$work/events" |
    grep -vx 'time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v,polygon,number')"
verdict "the lines" "$(sed 1d "$work/events" | grep -Evx \
    '[^,]*,(particle(,[^,]+){2},(,[^,]+){8},,|wall(,[^,]+),,[a-z]+(,[^,]+){4},{6}|(side|corner),[^,]+,,(,[^,]+){4},,,,,(0,[0-4]|1,[0-3]|2,[01]))')"
awk -F, 'NR > 1 { all++; kinds[$2]++; polygons[$14]++ }
    END { print all, kinds["particle"], kinds["side"] + kinds["corner"], polygons[0], polygons[1], polygons[2] }' \
    "$work/events" >"$work/found"
verdict "the numbers of hits" "$(echo "$(key collisions)" "$(key collisions_pairs)" "$(key collisions_polygons)" \
    "$(key collisions_polygon_0)" "$(key collisions_polygon_1)" "$(key collisions_polygon_2)" |
    diff - "$work/found")"
verdict "each kind was there" "$(for kind in particle wall side corner; do
    grep -q ",$kind," "$work/events" || echo "no $kind"
done)"

# Energy is conserved, and what momentum walls and polygons have not taken.
verdict "conserved" "$(awk -v energy="$(key energy_drift)" -v momentum="$(key momentum_drift)" 'BEGIN {
    if (!(energy < 1e-13 && energy > -1e-13 && momentum < 1e-13)) print energy, momentum }')"

# The free area and the perimeter are those that the polygons have by themselves.
verdict "the room" "$(sh scripts/polygon measure "$obstacles" | awk -v area="$(key free_area)" \
    -v perimeter="$(key boundary_length)" '!/^#/ { taken += $2; sides += $3 } END {
    sides += 2 * sqrt(50) + 80
    if (!(area + taken - 400 < 1e-9 && 400 - area - taken < 1e-9)) print area, taken
    if (!(perimeter - sides < 1e-9 && sides - perimeter < 1e-9)) print perimeter, sides }')"

# Two thin walls which a disk touches by turns, at 1 and 3 and so on.
printf '3 5\n3 15\n\n7 5\n7 15\n' >"$work/walls"
printf '1\n1\n20 20\n5 10 1 0\n' >"$work/input"
particles --sensitivity=20 --obstacle="$work/walls" "$work/input" 8
verdict "the report on sensitivity" "$(grep -qx "particles: sensitivity: closest call: 2 between collisions of \
particle 0 with side 0 of polygon 1 at 1 and with side 1 of polygon 0 at 3" "$work/err" || cat "$work/err")"
verdict "whatever the last bits are" "$(grep -q "stable: 20 of 20" "$work/err" || cat "$work/err")"

finish
