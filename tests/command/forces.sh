#!/bin/sh
# --forces, and what --stats says of a stream: the rows agree with each other, with the figures and
# with formulas that are written here once more; errors are as large as the scatter of many runs.
. tests/support/expect.sh

# A quadrilateral and a thin wall, and disks on a lattice where there is room for them.
printf '17 8\n23 9\n21 13\n18 12\n\n30 4\n32 6\n' >"$work/obstacles"
awk 'BEGIN {
    for (k = 0; k < 400; k++) {
        x = 1 + 1.5 * (k % 26)
        y = 1 + 1.2 * int(k / 26)
        if ((x > 16 && x < 24 && y > 7 && y < 14) || (x > 29 && x < 33 && y > 3 && y < 7))
            continue
        line[++count] = x " " y " " 1 + (k * 7 % 13 - 6) / 4 " " (k * 5 % 11 - 5) / 3
    }
    print count "\n0.3\n40 20"
    for (k = 1; k <= count; k++)
        print line[k]
}' >"$work/input"
set -- --rule=elastic --periodic=x --obstacle="$work/obstacles" --stats="$work/stats" --forces="$work/forces"
stream="--stream=1.5 --stream-temperature=2"

# key NAME: a figure
key() {
    sed -n "s/^$1 = //p" "$work/stats"
}

# value OBSTACLE QUANTITY [FILE]: of an obstacle as a whole
value() {
    awk -F, -v obstacle="$1" -v quantity="$2" '$1 == obstacle && $2 == "all" && $3 == quantity { print $4 }' "${3:-$work/forces}"
}

# near NAME VALUE EXPECTED: equal up to rounding
near() {
    verdict "$1" "$(awk -v value="$2" -v expected="$3" 'BEGIN {
        away = value - expected
        most = 1e-9 * (expected < 0 ? -expected : expected)
        if (value == "" || !(away <= most && -away <= most)) print value " and not " expected }')"
}

# Every schedule gives the same.
for schedule in array cells; do
    expect_success "$schedule" "$@" $stream --schedule=$schedule --stats-from=5 "$work/input" 60
    [ $schedule = array ] && cp "$work/forces" "$work/forces.expected"
    verdict "forces with $schedule" "$(cmp "$work/forces" "$work/forces.expected" 2>&1)"
done
verdict "the lines" "$(grep -Evx -e 'obstacle,side,quantity,value,error' \
    -e ',all,stream_density(_ratio)?,[^,]+,[^,]*' \
    -e '[01],all,(force_x|force_y|torque|drag_coefficient|lift_coefficient|inflow_ratio),[^,]+,[^,]*' \
    -e '[01],all,(reference_length_drag|reference_length_lift|hits),[^,]+,' -e '[01],[0-3],hits,[0-9]+,' \
    -e '[01],[0-3],(pressure|shear)_coefficient,[^,]+,[^,]+' "$work/forces")"
verdict "the number of lines" "$([ "$(wc -l <"$work/forces")" -eq $((1 + 2 + 2 * 9 + 6 * 3)) ] || wc -l <"$work/forces")"

# Rows and figures.
for obstacle in 0 1; do
    near "hits" "$(value $obstacle hits)" "$(key collisions_polygon_$obstacle)"
    for axis in x y; do
        near "force_$axis" "$(value $obstacle force_$axis)" "$(key momentum_${axis}_polygon_$obstacle | awk '{ printf "%.17g", $1 / 55 }')"
    done
done
for axis in x y; do
    near "force_$axis" "$(key force_$axis)" "$(awk -v a="$(value 0 force_$axis)" -v b="$(value 1 force_$axis)" 'BEGIN { printf "%.17g", a + b }')"
done
verdict "what is given is taken" "$(awk -v drift="$(key momentum_drift)" 'BEGIN { if (!(drift < 1e-14)) print drift }')"
near "chord" "$(value 0 reference_length_lift)" "$(awk 'BEGIN { printf "%.17g", sqrt(41) }')"
near "extent" "$(value 0 reference_length_drag)" 5

# The density of the stream follows from how many come in: E|u| = sigma sqrt(2 / pi) e^(-s^2) + U erf s is
# 1.7096645 where U = 1.5, T = 2 and m = 1.
near "stream_density" "$(key stream_density)" "$(value "" stream_density)"
near "density" "$(key stream_density | awk '{ printf "%.6g", $1 }')" \
    "$(key stream_passages | awk '{ printf "%.6g", $1 / 55 / 20 / 1.7096645197 }')"
near "its ratio" "$(key stream_density_ratio)" "$(key stream_density |
    awk -v n="$(key particles)" -v area="$(key free_area)" '{ printf "%.17g", $1 * area / n }')"
near "its ratio, too" "$(key stream_density_ratio)" "$(value "" stream_density_ratio)"
q=$(key stream_density | awk '{ printf "%.17g", $1 * 1.5 ^ 2 / 2 }')
near "drag" "$(value 0 drag_coefficient)" "$(value 0 force_x | awk -v q="$q" '{ printf "%.17g", $1 / q / 5 }')"
near "lift" "$(value 0 lift_coefficient)" "$(value 0 force_y | awk -v q="$q" '{ printf "%.17g", $1 / q / sqrt(41) }')"
verdict "the error of drag has that of the box" "$(awk -F, -v ratio="$(key stream_density_ratio)" '
    $3 == "drag_coefficient" && !($5 > ($4 * (ratio - 1) / 2) ^ 2 / $5) { print $0, ratio }' "$work/forces")"

# sums OBSTACLE UNIT: the forces that its sides have together, if their rows are in this unit
sums() {
    awk -F, -v obstacle="$1" -v unit="$2" '
        FNR == NR { if (!NF) polygon++; else if (polygon + 0 == obstacle) { split($0, v, " "); x[n + 0] = v[1]; y[n++ + 0] = v[2] }; next }
        $1 == obstacle && $2 != "all" && $3 != "hits" {
            dx = x[($2 + 1) % n] - x[$2]
            dy = y[($2 + 1) % n] - y[$2]
            if (n == 2 && $3 ~ /pressure/) { dx = -dx; dy = -dy }
            if ($3 ~ /pressure/) { fx -= $4 * dy; fy += $4 * dx } else { fx += $4 * dx; fy += $4 * dy }
        }
        END { printf "%.17g %.17g\n", fx * unit, fy * unit }' "$work/obstacles" "$work/forces"
}

# The sides add up to the whole. The vertices are in counter-clockwise order, and particles to the right
# of the sides; but to the left of those of a thin wall.
for obstacle in 0 1; do
    sums $obstacle "$q" >"$work/sums"
    near "the sides of $obstacle, in x" "$(cut -d ' ' -f 1 "$work/sums")" "$(value $obstacle force_x)"
    near "the sides of $obstacle, in y" "$(cut -d ' ' -f 2 "$work/sums")" "$(value $obstacle force_y)"
done

# The stream: Z of Henderson, with its slope by differences; the pressure of the stream follows from
# that of a side.
z='function z(f) { return 1 + 2 * f * (1 - 7 * f / 16) / (1 - f) ^ 2 }'
mach='{ slope = (z($1 * 1.0001) - z($1 * 0.9999)) / 0.0002; printf "%.7g", 1.5 / sqrt(2 * (z($1) + slope + z($1) ^ 2)) }'
near "mach" "$(key mach | awk '{ printf "%.7g", $1 }')" "$(key area_fraction | awk "$z $mach")"
near "speed ratio" "$(key stream_speed_ratio)" 0.75
near "knudsen" "$(key knudsen)" "$(key mean_free_path | awk '{ printf "%.17g", $1 / sqrt(41) }')"
cp "$work/forces" "$work/in_stream"

# Another reference length; a stream the other way; and none at all.
particles "$@" $stream --stats-from=5 --reference-length=2 "$work/input" 60
near "another length" "$(value 0 drag_coefficient)" "$(value 0 drag_coefficient "$work/in_stream" | awk '{ printf "%.17g", $1 * 2.5 }')"
near "knudsen, too" "$(key knudsen)" "$(key mean_free_path | awk '{ printf "%.17g", $1 / 2 }')"
awk 'NR > 3 { $3 = -$3 } { print }' "$work/input" >"$work/back"
particles "$@" --stream=-1.5 --stream-temperature=2 "$work/back" 60
verdict "drag is along the stream" "$(awk -v force="$(value 0 force_x)" -v drag="$(value 0 drag_coefficient)" \
    'BEGIN { if (!(force < 0 && drag > 0)) print force, drag }')"
particles "$@" --stats-from=5 "$work/input" 60
verdict "no coefficients" "$(grep -e coefficient -e reference "$work/forces"; grep -e mach -e stream "$work/stats")"
sums 0 1 >"$work/sums"
near "the sides, in x" "$(cut -d ' ' -f 1 "$work/sums")" "$(value 0 force_x)"
near "the sides, in y" "$(cut -d ' ' -f 2 "$work/sums")" "$(value 0 force_y)"

# Drag that is not steady, for the gas begins with the wrong velocity; and a wake that comes back
# through the seam, of points that are fast. The warning is in the report, too, and --quiet is quiet.
warned() {
    name=$1
    pattern=$2
    shift 2
    particles --periodic=xy --obstacle="$work/obstacles" --forces="$work/forces" --report="$work/page" "$@"
    verdict "warned: $name" "$(grep -Eq "^particles: the drag of --forces should not be trusted: $pattern" "$work/err" &&
        [ "$(wc -l <"$work/err")" -eq 1 ] || { echo "but this:"; cat "$work/err"; })"
    verdict "warned in the report: $name" "$(
        grep -Eq "^<p id=\"warning\">Warning: the drag .* trusted: $pattern" "$work/page" || { echo "but this:"; grep 'id="warning' "$work/page"; })"
}
awk 'NR > 3 { $3 = -2 } { print }' "$work/input" >"$work/slow"
warned "not steady" "in the first and the second half of the time it differs by [0-9]*\.[0-9] standard errors" \
    --rule=elastic --stream=3 --stream-temperature=2 "$work/slow" 10
particles --quiet --periodic=xy --obstacle="$work/obstacles" --forces="$work/forces" \
    --rule=elastic --stream=3 --stream-temperature=2 "$work/slow" 10
verdict "no warning with --quiet" "$(cat "$work/err")"
sed '2s/.*/0/' "$work/input" >"$work/points"
warned "a wake" "before obstacle 0, 0\.[0-9]* \+- 0\.[0-9]* of the density of the stream comes in" \
    --stream=10 --stream-temperature=1 --stats-from=20 "$work/points" 200
printf '10 5\n10 15\n' >"$work/plate"
warned "images" "the stream has 1\.[01][0-9]* of the mean density, for obstacles meet what their images" \
    --obstacle="$work/plate" --stream=0.5 --stream-temperature=1 --stats-from=200 "$work/points" 800
printf '10 9.5\n11 9.5\n11 10.5\n10 10.5\n' >"$work/small"
particles --periodic=xy --obstacle="$work/small" --forces="$work/forces" --stream=1 --stream-temperature=1 \
    --stats-from=20 "$work/points" 400
verdict "no warning" "$(cat "$work/err")"
particles --periodic=xy --obstacle="$work/small" --forces="$work/forces" --stream=1 --stream-temperature=1 \
    "$work/points" 1e-3
verdict "no warning of what nothing is known of" "$(cat "$work/err")"

# The series goes from --stats-from to END_TIME, and adds up to the mean.
particles "$@" $stream --stats-from=5 --every=3.5 "$work/input" 60
verdict "the means are the same" "$(sed 1d "$work/forces" | grep ',5,60$' | sed 's/,5,60$//' | diff - "$work/in_stream" | grep '^<')"
verdict "the series" "$(awk -F, '$3 == "force_y" && $1 == 0 && !($6 == 5 && $7 == 60) {
        if ($6 != (end ? end : 5) || $5 != "") print "from " $6 ", not " end
        end = $7; rows++; sum += $4 * ($7 - $6)
    }
    $3 == "force_y" && $1 == 0 && $6 == 5 && $7 == 60 && !(sum - 55 * $4 < 1e-9 && 55 * $4 - sum < 1e-9) { print sum, 55 * $4 }
    END { if (rows != 17 || end != 60) print rows " rows, up to " end }' "$work/forces")"

expect_usage "--forces needs --obstacle" --forces="$work/forces" "$work/input" 1
expect_usage "--forces needs --obstacle" --forces="$work/forces" --domain="$work/obstacles" "$work/input" 1
expect_usage "--reference-length is only for --forces" --reference-length=1 "$work/input" 1
expect_usage "--reference-length takes a positive number" --reference-length=0 "$work/input" 1
expect_usage "--every=1e-12 would be" --forces="$work/forces" --obstacle="$work/obstacles" --every=1e-12 "$work/input" 60
expect_usage "is for a simulation" --generate=5 --forces="$work/forces"

# Errors, against the scatter of some seeds; and a body that is turned over has the opposite lift.
if [ -n "$THOROUGH" ]; then
    awk 'NF { print $1, 20 - $2; next } { print }' "$work/obstacles" >"$work/turned"
    awk 'NR > 3 { $2 = 20 - $2; $4 = -$4 } { print }' "$work/input" >"$work/over"
    seeds=20
    for seed in $(seq "$seeds"); do
        particles "$@" $stream --seed=$seed --stats-from=30 "$work/input" 330
        sed "s/^/as_it_is,/" "$work/forces"
        particles --rule=elastic --periodic=x --obstacle="$work/turned" --forces="$work/forces" $stream \
            --seed=$((seed + 20)) --stats-from=30 "$work/over" 330
        sed "s/^/turned,/" "$work/forces"
    done >"$work/seeds"
    awk -F, '$2 == 0 && $3 == "all" && $4 ~ /force|torque/ && $6 != "" {
            key = $4 " " $1
            n[key]++; sum[key] += $5; squares[key] += $5 ^ 2; errors[key] += $6 ^ 2
        }
        END {
            for (key in n) {
                mean = sum[key] / n[key]
                print key, mean, squares[key] - n[key] * mean ^ 2, errors[key], n[key]
            }
        }' "$work/seeds" | sort >"$work/errors"
    verdict "errors are as large as the scatter" "$(awk -v least=$((seeds * 7 / 4)) '{ scatter[$1] += $4; errors[$1] += $5; n[$1] += $6 } END {
        for (key in n) {
            ratio = sqrt(errors[key] / n[key] / (scatter[key] / (n[key] - 2)))
            if (!(ratio > 0.7 && ratio < 1.4 && n[key] >= least)) print key, ratio, n[key]
        } }' "$work/errors")"
    verdict "turned over" "$(awk '$1 == "force_y" { sum += $3; square += $4 / ($6 * ($6 - 1)) } END {
        if (!(sum < 3 * sqrt(square) && -sum < 3 * sqrt(square))) print sum, sqrt(square) }' "$work/errors")"
fi

finish
