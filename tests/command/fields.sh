#!/bin/sh
# --fields: the file's formats have the same numbers; they add up to what the statistics have; they
# do not depend on the schedule; a gas in equilibrium is uniform; and what is asked for wrongly is
# refused.
. tests/support/expect.sh

printf '%s\n' '10 8' '16 8' '16 14' '10 14' '' '-1 20' '2 21' '1 24' >"$work/obstacles"
"$PROGRAM" --quiet --generate=100,50 --radius=0.5,0.3 --mass=1,4 --area-fraction=0.1 --periodic=xy --stream=1 \
    --obstacle="$work/obstacles" >"$work/input"
run="--rule=elastic --periodic=xy --obstacle=$work/obstacles --stream=1 --stream-temperature=0.5 --stats-from=3"

# fields NAME OPTION...: the fields of the run, in $work/NAME
fields() {
    name=$1
    shift
    particles --quiet $run --fields="$work/$name" --fields-grid=12x9 "$@" "$work/input" 40
}

fields array.csv --schedule=array --stats="$work/stats"
cp "$work/out" "$work/answer"
fields cells.csv --schedule=cells
expect_output "the answer does not depend on it" "$work/answer"
verdict "fields do not depend on the schedule" "$(cmp "$work/array.csv" "$work/cells.csv" 2>&1)"
verdict "each cell has its line" "$(awk -F , '
    NR == 1 {
        if ($0 != "column,row,x,y,area,samples,density,mass_density,u,v,temperature," \
            "pressure_ideal,pressure_collisional,mach,count,count_0,count_1") print
        next
    }
    NF != 17 || $1 != (NR - 2) % 12 || $2 != int((NR - 2) / 12) { print }
    END { if (NR != 1 + 12 * 9) print NR " lines" }' "$work/array.csv")"
verdict "a cell inside an obstacle has no values" "$(grep -q ',0,0,,,,,,,,,0,0,0$' "$work/array.csv" || echo none)"
verdict "the particles are all there" "$(awk -F , '
    NR > 1 { count += $5 * $7; mass += $5 * $8; area += $5; momentum += $5 * $8 * $9; first += $16; second += $17 }
    NR > 1 && ($15 - $16 - $17) ^ 2 > 1e-20 { print $15 " are not " $16 " and " $17 }
    END {
        if (count < 149.9999999 || count > 150.0000001) print count " particles"
        if ((first - 100) ^ 2 > 1e-14 || (second - 50) ^ 2 > 1e-14) print first " and " second
        if (mass < 299.9999999 || mass > 300.0000001) print "mass " mass
        if (momentum / mass < 0.3 || momentum / mass > 1.5) print "speed " momentum / mass
    }' "$work/array.csv")"

# The other formats have the same numbers. This reader is strict: every line is what it has to be.
fields other.vtk
verdict "VTK has the same numbers" "$(awk '
    function expect(line) { getline text; if (text != line) print "\"" text "\" instead of \"" line "\"" }
    function take(name, part,    k) {
        for (k = 0; k < cells; k++) {
            getline text
            count = split(text, words, " ")
            expected = value[k, name] == "" ? 0 : value[k, name]
            if (count != (part ? 3 : 1) || words[1] != expected) print name " of " k " is " text
            expected = value[k, "v"] == "" ? 0 : value[k, "v"]
            if (part && (words[2] != expected || words[3] != 0)) print "velocity of " k " is " text
        }
    }
    function take_field(name) { expect(name " 1 108 double"); take(name, 0) }
    FNR == 1 && NR == 1 { columns = split($0, names, ","); next }
    NR == FNR {
        split($0, words, ",")
        for (k = 1; k <= columns; k++) value[cells + 0, names[k]] = words[k]
        cells++
        next
    }
    { if ($0 != "# vtk DataFile Version 3.0") print
      getline
      if (length($0) > 255 || $0 !~ /, stream U = 1, T = 0.5, Mach 1.414$/) print "the title " $0
      expect("ASCII"); expect("DATASET STRUCTURED_GRID"); expect("DIMENSIONS 13 10 1"); expect("POINTS 130 double")
      for (k = 0; k < 130; k++) {
          getline
          x = 2 * value[0, "x"] * (k % 13); y = 2 * value[0, "y"] * int(k / 13)
          if (NF != 3 || ($1 - x) ^ 2 + ($2 - y) ^ 2 > 1e-24 || $3 != "0") print "point " k " is " $0
      }
      expect("CELL_DATA 108"); expect("SCALARS density double 1"); expect("LOOKUP_TABLE default")
      take("density", 0)
      expect("VECTORS velocity double"); take("u", 1)
      expect("FIELD fields 11")
      take_field("mass_density"); take_field("temperature"); take_field("samples"); take_field("area")
      expect("vtkGhostType 1 108 unsigned_char")
      for (k = 0; k < cells; k++) expect(value[k, "area"] == 0 ? "32" : "0")
      take_field("pressure_ideal"); take_field("pressure_collisional"); take_field("mach")
      take_field("count"); take_field("count_0"); take_field("count_1")
      if (getline > 0) print "more: " $0
    }' "$work/array.csv" "$work/other.vtk")"
fields picture.svg
if command -v xmllint >/dev/null; then
    verdict "the picture is XML" "$(xmllint --noout "$work/picture.svg" 2>&1)"
fi
verdict "the picture has no nonsense" "$(grep -Eio '.{20}[^a-z](nan|inf)[^a-z].{20}' "$work/picture.svg" | head -n 1)"
verdict "the picture has colours, arrows and obstacles" "$(for part in '<path fill="#' 'id="arrows" d="M' 'href="#obstacles"' \
    '>density / mean<' '>speed ' 'class="seam"' 'class="rim"' '>stream U = 1, T = 0.5, Mach 1.414 '; do
    grep -q "$part" "$work/picture.svg" || echo "no $part"
done)"

# A gas in equilibrium between walls: uniform in the middle, warm as it is. Each particle of another
# mass has the same mean energy.
"$PROGRAM" --quiet --generate=200,200 --mass=1,4 --radius=0.2 --area-fraction=0.05 >"$work/gas"
particles --rule=elastic --fields="$work/gas.csv" --fields-grid=5x5 --stats="$work/stats" --stats-from=50 "$work/gas" 650
temperature=$(sed -n 's/^temperature_mean = //p' "$work/stats")
verdict "a gas in equilibrium is uniform" "$(awk -F , -v T="$temperature" '
    NR > 1 && $1 % 4 && $2 % 4 {
        if ($7 * $5 < 0.9 * 16 || $7 * $5 > 1.15 * 16) print "density " $7 " in " $1 "," $2
        if ($11 < 0.9 * T || $11 > 1.1 * T) print "temperature " $11 " of " T
        if ($9 * $9 + $10 * $10 > 0.02 * T) print "speed " $9 "," $10
    }' "$work/gas.csv")"

# The pressure by collisions of all cells is that of the whole, and a series is of equal intervals,
# the first and the last of which may be shorter.
"$PROGRAM" --quiet --generate=100,100 --mass=1,4 --radius=0.2 --area-fraction=0.2 --periodic=xy >"$work/free"
particles --rule=elastic --periodic=xy --fields="$work/free.csv" --fields-grid=4x3 --stats="$work/stats" --stats-from=5 "$work/free" 50
verdict "the pressure is that of the statistics" "$(awk -F , '
    FNR == NR { split($0, words, " = "); key[words[1]] = words[2]; next }
    FNR > 1 { pressure += $5 * $13; area += $5 }
    END {
        expected = key["pressure_virial"] * area - key["particles"] * key["temperature_mean"]
        if (!(expected > 0) || (pressure / expected - 1) ^ 2 > 1e-24) print pressure " and not " expected
    }' "$work/stats" "$work/free.csv")"
particles --rule=elastic --periodic=xy --fields="$work/series.csv" --fields-grid=4x3 --every=20 --stats-from=5 "$work/free" 50
verdict "a series" "$(awk -F , '
    FNR == 1 { if (NR == FNR) names = $0; else if ($0 != names ",time_start,time_end") print; next }
    FNR == NR { pressure[$1, $2] = $13 * 45; next }
    { count[$(NF - 1) " to " $NF]++; pressure[$1, $2] -= $13 * ($NF - $(NF - 1)) }
    END {
        if (count["5 to 20"] != 12 || count["20 to 40"] != 12 || count["40 to 50"] != 12 || FNR != 37) print FNR " lines"
        for (cell in pressure) if (pressure[cell] ^ 2 > 1e-20) print "another pressure in " cell
    }' "$work/free.csv" "$work/series.csv")"

# The stated errors of the velocity along a profile are its scatter: where walls or a conserved momentum hold the flow,
# and where walls that give other velocities let it drift.
scatter() {
    axes=$1
    shift
    for seed in 1 2 3 4 5 6 7 8; do
        "$PROGRAM" --quiet --generate=40 --area-fraction=0.2 --seed=$seed ${axes:+"--periodic=$axes"} >"$work/small"
        particles --rule=elastic ${axes:+"--periodic=$axes"} "$@" --fields="$work/$seed.csv" --fields-grid=1x6 \
            --stats-from=20 "$work/small" 320
    done
    awk -F , 'FNR > 1 { n[$2]++; sum[$2] += $10; square[$2] += $10 ^ 2; error += $18 ^ 2 }
        END {
            for (row in n) scatter += (square[row] - sum[row] ^ 2 / n[row]) / (n[row] - 1)
            ratio = sqrt(scatter / 6 / (error / 48))
            if (!(ratio > 0.6 && ratio < 1.5)) print "the scatter is " ratio " errors"
        }' "$work"/[1-8].csv
}
verdict "errors of a flow between walls" "$(scatter "")"
verdict "errors of a flow whose momentum is conserved" "$(scatter xy)"
verdict "errors of a flow that drifts" "$(scatter y --wall="box temperature=1")"

# Wrong usage is refused.
particles --fields="$work/a.csv" --fields-grid=2x2 --fields-show=speed "$work/gas" 1
expect_error "a field of no picture" 64 "--fields-show is only for --fields=FILE.svg"
particles --fields="$work/a.svg" --fields-grid=2x2 --every=1 "$work/gas" 1
expect_error "a series of pictures" 64 "--every is only for"
for name in fields fields.txt fields.CSV csv a.csv.gz .; do
    particles --fields="$work/$name" --fields-grid=2x2 "$work/gas" 1
    expect_error "the file $name" 64 "--fields takes a file whose name ends in .csv, .vtk, .vti or .svg"
done
launch --rule=elastic --fields="$work/a.csv" --fields-grid=2x2 --checkpoint="$work/saved" "$work/gas" 1e9
await [ -s "$work/saved" ]
stop INT
particles --resume="$work/saved" --fields="$work/a.csv" --fields-grid=2x3
expect_error "a run goes on with its grid" 64 "with --fields-grid=2x2: give it again"
particles --resume="$work/saved" --fields="$work/a.csv" --fields-grid=2x2 --stats-from=7
expect_error "and from its time" 64 "with --stats-from=0: give it again"
particles --resume="$work/saved" --fields="$work/a.csv" --fields-grid=2x2 --every=7
expect_error "and with its series" 64 "whose --fields are no series"

finish
