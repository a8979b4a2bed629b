#!/bin/sh
# --structure: what it writes is what the frames of --trajectory give, which are recomputed here; an
# ideal gas has the values that theory has for it; and nothing odd is written of odd systems.
. tests/support/expect.sh

# recompute FROM: from the trajectory in $work/frames of equal disks, with the interval $every, and the
# values in $work/structure: prints which differ. g from all pairs, S of the first two wave vectors
# along x if that is periodic, the displacement and the velocities of one lag, and the speeds.
recompute() {
    awk -v from="$1" -v every="$every" -v lag="$lag" '
    function close_to(name, value, expected) {
        checks++
        if (!(value - expected < 1e-9 * (1 + expected) && expected - value < 1e-9 * (1 + expected)))
            print name " is " value " and not " expected
    }
    # the probability of a distance up to r
    function likelihood(r,    sum) {
        sum = pi * a * b * r * r - 4 / 3 * r * r * r * (b * X + a * Y) + r * r * r * r / 2 * X * Y
        return sum / (a * a * b * b)
    }
    function count_pairs(    i, j, dx, dy, r) {
        for (i = 0; i < N; i++)
            for (j = 0; j < i; j++) {
                dx = x[i] - x[j]; if (dx < 0) dx = -dx
                dy = y[i] - y[j]; if (dy < 0) dy = -dy
                if (!X && W - dx < dx) dx = W - dx
                if (!Y && H - dy < dy) dy = H - dy
                r = sqrt(dx * dx + dy * dy)
                if (r < 4 * d) pairs[int(r / d * 50)]++
                else pairs[200 + int((r - 4 * d) / (d / 10))]++
            }
    }
    function take_frame(    k, m, c, s) {
        count_pairs()
        for (m = 1; m <= 2; m++) {
            c = s = 0
            for (k = 0; k < N; k++) {
                c += cos(2 * pi * m * x[k] / W)
                s += sin(2 * pi * m * x[k] / W)
            }
            waves[m] += (c * c + s * s) / N
        }
        for (k = 0; k < N; k++) {
            kept[frames, k] = px[k] " " py[k] " " u[k] " " v[k]
            energy += (u[k] * u[k] + v[k] * v[k]) / 2
        }
        times[frames++] = time
    }
    function correlate(    f, k, first, last) {
        for (f = 0; f + lag < frames; f++) {
            if (times[f + lag] - times[f] < (lag - 0.001) * every) continue # the last frame
            for (k = 0; k < N; k++) {
                split(kept[f, k], first, " ")
                split(kept[f + lag, k], last, " ")
                square += (last[1] - first[1]) ^ 2 + (last[2] - first[2]) ^ 2
                product += first[3] * last[3] + first[4] * last[4]
                number++
            }
        }
    }
    BEGIN { pi = atan2(0, -1); frames = 0 }
    FILENAME ~ /frames/ {
        if (line == 0) { N = $1; line++ }
        else if (line == 1) {
            gsub(/["=]/, " ")
            W = $2; H = $6; X = $0 ~ /pbc +F/; Y = $0 ~ /pbc +[TF] F/
            time = $NF; line++
        } else {
            k = $9; x[k] = $2; y[k] = $3; u[k] = $5; v[k] = $6; d = 2 * $8
            px[k] = NF > 14 ? $10 : $2; py[k] = NF > 14 ? $11 : $3
            if (++line == N + 2) {
                line = 0
                a = W - d * X; b = H - d * Y
                if (time >= from) take_frame()
            }
        }
        next
    }
    FNR == 1 { correlate(); FS = ","; next }
    {
        split($0, field, ",")
        if (field[2] != "all") next
        value = field[4]
        rows[field[1]]++
    }
    field[1] == "g" {
        bin = rows["g"] - 1
        inner = bin < 200 ? bin * d / 50 : 4 * d + (bin - 200) * d / 10
        outer = bin < 200 ? (bin + 1) * d / 50 : 4 * d + (bin - 199) * d / 10
        close_to("x of g", field[3], (inner + outer) / 2)
        close_to("g at " field[3], value,
            pairs[bin] / (frames * N * (N - 1) / 2 * (likelihood(outer) - likelihood(inner))))
    }
    # With one periodic axis the first shells have one wave vector each.
    field[1] == "structure_factor" && Y && rows[field[1]] <= 2 && rows[field[1]] > 0 {
        k = int(field[3] / (2 * pi / W) + 1e-6)
        if (k >= 1 && k <= 2) close_to("S at " field[3], value, waves[k] / frames)
    }
    field[1] == "mean_square_displacement" && field[3] > (lag - 0.01) * every && field[3] < (lag + 0.01) * every {
        close_to("displacement", value, square / number)
    }
    field[1] == "velocity_autocorrelation" && field[3] > (lag - 0.01) * every && field[3] < (lag + 0.01) * every {
        close_to("velocities", value, product / number)
    }
    field[1] == "speed_maxwell" && rows[field[1]] == 1 {
        width = 2 * field[3]; T = energy / frames / N
        close_to("Maxwell", value, (1 - exp(-width * width / (2 * T))) / width)
    }
    END {
        if (checks < 50) print "only " checks " checks"
        if (rows["psi6_local_at"] != frames) print rows["psi6_local_at"] " frames, not " frames
    }' "$work/frames" "$work/structure"
}

# compare NAME FROM ARGUMENT...: a run from FROM on, with both schedules, and the same from its frames
compare() {
    name=$1
    from=$2
    shift 2
    particles --schedule=array --every=$every --structure="$work/structure" \
        --trajectory="$work/frames" --stats-from="$from" --rule=elastic "$@"
    verdict "$name" "$(cat "$work/err")$(recompute "$from")"
    particles --schedule=cells --every=$every --structure="$work/other" --stats-from="$from" \
        --rule=elastic "$@"
    verdict "$name, with cells" "$(cmp "$work/structure" "$work/other" 2>&1)"
}
for axes in "" x xy; do
    "$PROGRAM" --quiet --generate=150 --area-fraction=0.4 --aspect=1.3 ${axes:+--periodic=$axes} \
        >"$work/gas"
    every=0.3 lag=3
    compare "frames of a gas, periodic: $axes" 2 ${axes:+--periodic=$axes} "$work/gas" 5
    every=0.7 lag=1
    compare "the last frame is no multiple, periodic: $axes" 0 ${axes:+--periodic=$axes} "$work/gas" 5
done

# mean QUANTITY [SPECIES [FROM]]: its mean value, and of all rows with x from FROM on
mean() {
    awk -F , -v name="$1" -v species="${2:-all}" -v from="${3:-0}" '
        $1 == name && $2 == species && $3 + 0 >= from && $4 != "" { sum += $4; count++ }
        END { print count ? sum / count : "none" }' "$work/structure"
}

# within NAME VALUE LEAST MOST
within() {
    verdict "$1" "$(echo "$2 $3 $4" | awk '!($1 >= $2 && $1 <= $3) { print "it is " $1 }')"
}

# An ideal gas: points at random, which do not meet each other.
awk 'function uniform() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
    BEGIN { seed = 5; print "400 0 20 10"
    for (k = 0; k < 400; k++) print 20 * uniform(), 10 * uniform(), 2 * uniform() - 1, 2 * uniform() - 1 }' \
    >"$work/ideal"
particles --periodic=xy --every=2 --structure="$work/structure" "$work/ideal" 200
within "g of an ideal gas" "$(mean g all 1)" 0.99 1.01
within "S of an ideal gas" "$(mean structure_factor)" 0.93 1.07
verdict "the displacement of an ideal gas is <v^2> t^2" "$(awk -F , '
    $1 == "velocity_autocorrelation" && $3 == 0 { square = $4 }
    $1 == "velocity_autocorrelation" && ($4 / square - 1) ^ 2 > 1e-18 { print $0 }
    $1 == "mean_square_displacement" { line[$3] = $4 }
    END { for (t in line) if ((line[t] - square * t * t) ^ 2 > (1e-9 * line[t]) ^ 2) print t, line[t] }
    ' "$work/structure")"
verdict "points do not touch" "$(grep -e g_contact -e free_path "$work/structure")"

# A crystal, and what becomes of it: long before it melts, and long after.
"$PROGRAM" --quiet --generate=120 --area-fraction=0.6 --periodic=xy >"$work/crystal"
particles --rule=elastic --periodic=xy --every=1 --structure="$work/structure" "$work/crystal" 0
within "a crystal has bond order" "$(mean psi6_global)" 0.7 1
particles --rule=elastic --periodic=xy --every=1 --stats-from=50 --structure="$work/structure" "$work/crystal" 150
within "it melts" "$(mean psi6_global)" 0 0.4
# Kolafa and Rottner: Z = 1 + 2 f g = 6.55 at this area fraction.
within "g at contact" "$(mean g_contact)" 4.2 5.1
within "speeds are off Maxwell's by" "$(awk -F , '$1 == "speed" { speed = $4 }
    $1 == "speed_maxwell" { off += speed > $4 ? speed - $4 : $4 - speed; all += $4 }
    END { print off / all }' "$work/structure")" 0 0.1
verdict "there are errors" "$(awk -F , '$1 == "g" && $3 > 2.1 && $3 < 6 && !($5 > 0 && $5 < 0.5) { print }' "$work/structure")"

# A gas that drifts, seen from the frame that moves with it: the same, but for rounding. Figures agree.
"$PROGRAM" --quiet --generate=100 --area-fraction=0.1 --periodic=xy >"$work/still"
awk 'NR > 3 { printf "%s %s %.12f %.12f\n", $1, $2, $3 + 2, $4 - 1; next } { print }' "$work/still" >"$work/drifting"
for gas in still drifting; do
    particles --rule=elastic --periodic=xy --every=0.1 --structure="$work/$gas.csv" --stats="$work/$gas.stats" \
        "$work/$gas" 10
done
verdict "a drifting gas" "$(awk -F , '
    FNR == NR { value[FNR] = $4; next }
    /^frame_velocity/ { if ($4 - value[FNR] - ($1 ~ /x$/ ? 2 : -1) > 1e-9) print; rows++; next }
    FNR > 1 && ($4 - value[FNR]) ^ 2 > 1e-12 * (1 + value[FNR] ^ 2) { print $0 " and not " value[FNR] }
    END { if (rows != 2) print "no frame" }' "$work/still.csv" "$work/drifting.csv" | head -3)"
verdict "figures of a drifting gas" "$(awk '
    FNR == NR { value[$1] = $3; next }
    $1 ~ /^(mean_free_path|temperature|pressure|speed)/ && ($3 - value[$1]) ^ 2 > 1e-12 { print }' \
    "$work/still.stats" "$work/drifting.stats")"
# A block is 1 long.
verdict "errors at long lags" "$(awk -F , '
    $1 ~ /^(mean_square|velocity_auto)/ && ($5 == "") != ($3 > 1.001) { print }' "$work/still.csv")"

# A mixture has rows for each species and each pair.
"$PROGRAM" --quiet --generate=100,50 --radius=1,0.5 --mass=1,4 --area-fraction=0.4 --periodic=xy >"$work/mixture"
particles --rule=elastic --periodic=xy --every=1 --structure="$work/structure" "$work/mixture" 30
verdict "rows of a mixture" "$(cut -d , -f 1,2 "$work/structure" | sort -u | grep -c -e '^g,0~[01]$' -e '^g,1~1$' \
    -e '^g_contact,[01]~1$' -e '^speed,[01]$' -e '^free_path,[01]$' -e '^mean_square_displacement,[01]$' \
    -e '^diffusion,[01]$' -e '^diffusion_plateau,[01]$' -e '^viscosity_none_mixture,all$' -e '^structure_factor,0~[01]$' -e ',all$' | grep -vx 35)"
within "heavy and small ones are slower" \
    "$(awk -F , '$1 == "speed" { sum[$2] += $3 * $4; all[$2] += $4 }
        END { print sum[1] / all[1] / (sum[0] / all[0]) }' "$work/structure")" 0.4 0.6

# Plateaus have errors or no value: after 40 of the lags of 8 mean free times (here 4.1) viscosity has one.
"$PROGRAM" --quiet --generate=40 --area-fraction=0.14 --periodic=xy >"$work/gas"
for case in "17 1300 0 0 0" "17 1440 34 0 0" "17 2800 68 68 68" "150 13000 300 300 300"; do
    set -- $case
    particles --rule=elastic --periodic=xy --every="$1" --structure="$work/structure" "$work/gas" "$2"
    verdict "plateaus of $2" "$(awk -F , -v all="$3 $4 $5" 'BEGIN { split(all, x, " ") }
        /_plateau,all/ && (++n && $3 + 0 != x[n] || ($4 > 0 && $5 > 0 && $5 < $4 / 2) != (x[n] > 0)) { print }
        END { if (n != 3) print n " plateaus" }' "$work/structure")"
done
# Heavy disks keep their velocities longer, and so must the whole mixture wait.
"$PROGRAM" --quiet --generate=10,10 --mass=1,100 --area-fraction=0.2 --periodic=xy >"$work/heavy"
particles --rule=elastic --periodic=xy --every=60 --structure="$work/structure" "$work/heavy" 15000
verdict "the plateau of heavy disks" "$(awk -F , '$1 == "diffusion_plateau" { x[$2] = $3 }
    END { if (!(x[0] == 120 && x[1] >= 180 && x["all"] == x[1])) print x[0], x[1], x["all"] }' "$work/structure")"

# Columns of particles: cells share the box out, also of disks at its walls and on a lattice, and have 6
# neighbours, on average, on a torus; psi6 has the mean of --structure.
"$PROGRAM" --quiet --generate=150 --area-fraction=0.5 >"$work/walls"
for input in crystal mixture walls; do
    boundary=--periodic=xy
    [ $input != walls ] || boundary=
    particles --rule=elastic $boundary --every=1 --structure="$work/structure" --trajectory="$work/frames" \
        --trajectory-columns=voronoi,psi6,species "$work/$input" 2
    verdict "columns of $input" "$(cat "$work/err")$(awk -v is_periodic="$boundary" '
        function off(name, a, b) { if (!(a - b < 1e-12 * b && b - a < 1e-12 * b)) print name " is " a " and not " b }
        FILENAME ~ /structure/ { split($0, row, ","); if (row[1] == "psi6_local") local = row[4]; next }
        NF == 1 { N = $1; next }
        /Lattice/ { split($0, side, /[" ]/); box = side[2] * side[6]; next }
        { sums += sqrt($(NF - 4) ^ 2 + $(NF - 3) ^ 2); bonds += $(NF - 2); area += $(NF - 1); line++
          if ($NF != $1) print "species of: " $0 }
        line == N { frames++; off("the area", area, box); if (is_periodic) off("bonds", bonds, 6 * N); area = bonds = line = 0 }
        END { off("psi6", sums / N / frames, local); if (frames != 3) print frames " frames" }' \
        "$work/structure" "$work/frames")"
done
expect_error "unknown columns" 64 "unknown column 'm': use psi6, voronoi, species, unwrapped or time" \
    --trajectory="$work/frames" --every=1 --trajectory-columns=psi6,m "$work/walls" 1
expect_error "columns of what" 64 "only for --trajectory" --trajectory-columns=psi6 "$work/walls" 1

# Odd systems: nothing but numbers and empty fields.
odd() {
    particles --rule=elastic --every="$2" --structure="$work/structure" "$work/input" "$3"
    verdict "$1" "$(cat "$work/err")$(grep -v -e '^quantity' -e '^[a-z_0-9]*,[a-z0-9~]*\(,\(-*[0-9][0-9.e+-]*\)*\)\{3\}$' \
        "$work/structure")"
}
printf '1\n1\n10 8\n5 5 1 0.5\n' >"$work/input"
odd "one particle" 1 20
odd "one frame" 1 0
printf '1\n1\n2 8\n1 5 0 0.5\n' >"$work/input"
odd "a box as wide as a disk" 1 20
printf '3\n1\n10 8\n5 5 0 0\n5 2 0 0\n2 2 0 0\n' >"$work/input"
odd "all at rest" 1 5
printf '2\n0\n10 8\n5 5 1 0\n5 5 -1 0\n' >"$work/input"
odd "points at one place" 1 5
printf '3\n1e39\n1e40 1e40\n5e39 5e39 1e40 0\n2e39 2e39 0 1e40\n8e39 2e39 0 1e-40 1e38 1e40 7\n' >"$work/input"
odd "huge coordinates" 0.1 3
printf '3\n1e-40\n1e40 1e-30\n5e39 5e-31 1e40 0\n2e39 2e-31 0 1e-40\n8e39 2e-31 0 1e-40\n' >"$work/input"
odd "a slender box" 0.1 2
awk 'BEGIN { print "60 1 100 100"; for (k = 0; k < 60; k++)
    print 12 * (k % 8) + 6, 12 * int(k / 8) + 6, k % 3 - 1, 1, 0.1 + k / 12, 1 + k, k }' >"$work/input"
odd "sixty species" 1 30
verdict "which are not told apart" "$(grep -v -e ,all, -e quantity "$work/structure")"

finish
