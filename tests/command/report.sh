#!/bin/sh
# --report: one page that needs nothing else, the same for every schedule but for the lines that say
# how it was run; words of the user are no markup.
. tests/support/expect.sh

page=$work/page.html
run() {
    particles "$@" --report="$page"
    verdict "$*" "$([ "$status" -eq 0 ] || cat "$work/err")"
}

# Whether elements that are to be closed are, and nothing is fetched.
well_formed() {
    verdict "$1: elements are closed" "$(awk '{
        split("html head body style table svg template div section figure details p", elements)
        for (k in elements)
            left[elements[k]] += gsub("<" elements[k] "[ >]", "&") - gsub("</" elements[k] ">", "&")
    } END { for (element in left) if (left[element] != 0) print element ": " left[element] " are open" }' "$page")"
    verdict "$1: nothing is fetched" "$(grep -E 'src=|<script|<link|https?:' "$page" | grep -v 'xmlns="http://www.w3.org/2000/svg"')"
    verdict "$1: all are numbers" "$(grep -E '[ ,>"](nan|inf|-nan)[ ,<"]' "$page")"
}

# begins NAME LABELS: whether the page begins with five figures, in the first block; all are in the folded table.
begins() {
    verdict "$1: what comes first" "$(sed -n '/<dl>/,/<.dl>/s/^<dt>\([^<]*\)<dd><b>[^<]*[0-9)]<.b> .*<dd class="quiet">[A-Z].*[.]$/\1/p' "$page" |
        paste -s -d '|' - | grep -Fqx "$2" || grep '^<dt>' "$page")"
    verdict "$1: all figures are folded" "$(awk '/<details/ { folded = 1 } /<.details/ { folded = 0 } /<tr.* id=/ && !folded' "$page")"
}

verdict "each plot has words, and all words are of a plot" "$(
    { sed -n 's/.*\.labels = {"\([^"]*\)".*/\1/p' src/picture/report_page.c; echo "Speeds of swaps"; } | sort >"$work/titles"
    awk 'BEGIN { RS = ""; FS = "\n" } $1 !~ /^Figures / && (NF == 2 || NF == 3) { print $1 }' data/embedded/report_plots.txt | sort |
        diff "$work/titles" -)"

input=$work/gas
"$PROGRAM" --quiet --generate="$([ -n "$THOROUGH" ] && echo 200 || echo 100)" --area-fraction=0.3 --seed=5 >"$input"
run --rule=elastic "$input" 20
well_formed "a gas"
begins "a gas" "temperature, mean|pressure from the virial|collision rate|mean free path|area fraction"
verdict "each list of figures is of keys" "$(awk '/^Figures / { getline; gsub(/ /, "\n"); print }' data/embedded/report_plots.txt |
    while read -r key; do grep -rqF "\"$key\"" src || case $key in heat_* | shear_*) ;; *) echo "$key" ;; esac; done)"
verdict "all plots" "$([ "$(grep -c '<svg class="plot"' "$page")" -eq 6 ] || grep '<h3>' "$page")"
grep -v 'class="run"' "$page" >"$work/cells"
run --rule=elastic --schedule=textbook "$input" 20
verdict "the same with every schedule" "$(grep -v 'class="run"' "$page" | diff "$work/cells" - | head -3)"
run --rule=elastic "$input" 200
grep -v 'class="run"' "$page" >"$work/batches"
run --rule=elastic --events=/dev/null "$input" 200
verdict "the same beside a log, which gets each collision by itself" "$(grep -v 'class="run"' "$page" | diff "$work/batches" - | head -3)"
particles --rule=elastic "$input" 20 --report="$page" --stats="$work/stats"
verdict "the figures are those of --stats" "$(sed -n 's/ = .*//p' "$work/stats" | grep -v '_error$' | while read -r key; do
    grep -q "<tr[^>]* id=\"$key\">" "$page" || echo "$key"; done)"
verdict "without --stats there is no table" "$(run --rule=elastic "$input" 20 && cat "$work/err")"

run --rule=elastic --structure="$work/structure" --every=1 "$input" 20
well_formed "--structure"
for plot in "Pair distribution" "Bond order" "Mean square displacement"; do
    verdict "$plot" "$(grep -q "<h3>$plot" "$page" || echo missing)"
done
verdict "no equation of state" "$(grep 'Equation of state' "$page")"
run --rule=elastic --grow=0.01 --structure="$work/structure" --every=1 "$input" 20
well_formed "disks that grow"
verdict "the equation of state" "$(grep -q '<h3>Equation of state' "$page" || echo missing)"
printf '2 2\n4 2\n3 4\n' >"$work/wedge"
"$PROGRAM" --quiet --generate=100 --area-fraction=0.1 --periodic=x --obstacle="$work/wedge" >"$work/wind"
run --rule=elastic --periodic=x --obstacle="$work/wedge" --stream=1 --forces="$work/forces" \
    --fields="$work/fields.csv" --fields-grid=9x7 "$work/wind" 20
well_formed "a stream"
begins "a stream" "Mach number|Knudsen number|force on all polygons, in x|force on all polygons, in y|temperature, mean"
verdict "the temperature of a stream" "$(grep -q 'relative to the stream. It changes' "$page" && ! grep 'Both stay level' "$page" || echo "not said")"
# lacks NAME WORDS...: the page has none of these words
lacks() {
    name=$1
    shift
    verdict "$name" "$(for words in "$@"; do grep -o "$words" "$page" | head -n 1; done)"
}
lacks "what is false in a stream" 'only rounding makes' 'id="collisions_left"' 'id="collisions_right"' \
    'both are the same' 'Temperature and energy' 'walls raise the rate' 'Walls and polygons change it'
verdict "walls beside a stream" "$(grep -q 'id="collisions_top"' "$page" && grep -q 'The stream changes it' "$page" || echo missing)"
# The mean of the course of the force is that of all obstacles together.
verdict "the force against time" "$(awk -F'[<>]' -v file="$work/forces" '
    /<h3>/ { is_course = /Drag and lift against time/ }
    is_course && /<tr><t[hd]/ { row = $0; gsub(/<[^>]*>/, " ", row); split(row, n, " "); if (n[1] ~ /^[0-9]/) { x += n[2]; y += n[3]; count++ } }
    END {
        FS = ","
        while ((getline line < file) > 0) {
            split(line, f, ",")
            if (f[2] == "all" && f[3] == "force_x") force_x += f[4]
            if (f[2] == "all" && f[3] == "force_y") force_y += f[4]
        }
        if (count != 64 || (x / 64 - force_x) ^ 2 + (y / 64 - force_y) ^ 2 > 1e-10)
            print count, x / 64, y / 64, "instead of", force_x, force_y
    }' "$page")"
verdict "forces and fields" "$(grep -q '<h3>Forces on obstacles' "$page" && grep -q '<h2>Fields' "$page" || echo missing)"

# Of many particles, too, the figures are those of --stats. They are the same on several threads, and after
# interruptions by a signal, which come later and later, so that the run gets to its end.
"$PROGRAM" --quiet --generate=100000 --area-fraction=0.3 --seed=6 >"$work/many"
run --rule=elastic --threads=1 "$work/many" 2
well_formed "many particles"
grep -v 'class="run"' "$page" >"$work/alone"
particles --rule=elastic --threads=2 --stats "$work/many" 2
verdict "many: the figures are those of --stats" "$(awk '
    NR == FNR { if (/^  / && !/seconds?/ && !/ -( |$)/) { gsub(/ +/, " "); rows[++count] = $0 } next }
    /^<tr id=/ { sub(/<td class=.quiet.>/, " "); sub(/<td>.*/, ""); gsub(/<[^>]*>/, " "); gsub(/²/, "^2"); gsub(/ +/, " ")
        gsub(/&#39;/, "\047"); gsub(/&#60;/, "<"); gsub(/&#62;/, ">"); sub(/ $/, ""); if ($0 != rows[++seen]) print $0 ", not" rows[seen] }
    END { if (seen != count || count < 40) print seen, count }' "$work/err" "$page")"
run --rule=elastic --threads=3 "$work/many" 2
verdict "the same on several threads" "$(grep -v 'class="run"' "$page" | diff "$work/alone" - | head -3)"
rm "$page"
tenths=1
set -- --rule=elastic "$work/many" 2
while [ ! -e "$page" ] && [ $tenths -lt 1000 ]; do
    "$BUILD/tests/command/with_signals" "$PROGRAM" --threads=2 --checkpoint="$work/saved" \
        --report="$page" "$@" >"$work/out" 2>"$work/err" &
    sleep $((tenths / 10)).$((tenths % 10))
    kill -TERM $! 2>/dev/null
    wait $!
    [ ! -e "$work/saved" ] || set -- --resume="$work/saved"
    tenths=$((tenths + 1 + tenths / 2))
done
verdict "the same after interruptions" "$(grep -v 'class="run"' "$page" | diff "$work/alone" - | head -3)"

# Small runs have sentences.
printf '1\n0.1\n1 1\n0.5 0.5 0 0\n' >"$work/one"
for end in 0 5; do
    run "$work/one" $end
    well_formed "one particle at rest"
    verdict "sentences" "$(grep -q 'No two particles have collided' "$page" && grep -q 'too few particles' "$page" || echo missing)"
done

verdict "no particle at a wall" "$(grep -q 'No particle has come to a wall' "$page" || echo missing)"
run --periodic=xy "$work/one" 5
verdict "a periodic box" "$(grep -q ', periodic along x and y, up to' "$page" || echo missing)"
lacks "what is false without walls" 'Collisions at each wall' 'id="collisions_[lrbt]' 'id="[a-z]*_walls"' 'In a long run that' 'walls raise the rate' 'polygons change it'
run --rule=elastic --periodic=xy --obstacle="$work/wedge" --stream=1 "$work/wind" 20
lacks "what is false in a wind" 'id="collisions_[lrbt]' 'equally often'

# Between walls that act there are profiles, with errors, as the file of fields has them; in a periodic
# gas viscosity and heat conductivity beside Enskog's values.
"$PROGRAM" --quiet --generate=100 --area-fraction=0.1 --periodic=x --seed=7 >"$work/between"
run --rule=elastic --periodic=x --wall='bottom temperature=1' --wall='top temperature=4 speed=1' \
    --fields="$work/fields.csv" --fields-grid=1x4 "$work/between" 200
well_formed "walls that act"
begins "walls that act" "temperature, mean|heat flux, bottom|heat flux, top|shear stress, bottom|shear stress, top"
for column in temperature u; do
    verdict "the profile of $column" "$(awk -v column=$column '
        NR == FNR { if (/<h3>/) plot = /Temperature between/ ? "temperature" : /Velocity between/ ? "u" : ""
            if (plot == column && /^<tr><td>/) { gsub(/<[^>]*>/, " "); seen[++count] = $0 } next }
        !names { names = split($0, name, ","); for (k = 1; k <= names; k++) at[name[k]] = k; next }
        { n = split($0, cell, ","); split(seen[++row], value, " ")
          if (n && ((value[2] - cell[at[column]]) ^ 2 > 1e-10 || (value[3] - cell[at[column "_error"]]) ^ 2 > 1e-10)) print seen[row], "for", $0 }
        END { if (count != 4 || row != 4) print count, row }' "$page" FS=' ' "$work/fields.csv")"
done
verdict "labels of walls" "$(grep -q '>collisions with the top wall' "$page" || echo missing)"
run --rule=elastic --periodic=xy --structure="$work/structure" --every=1 "$work/between" 100
for plot in Viscosity "Heat conductivity"; do
    verdict "$plot" "$(sed -n "/<h3>$plot/,/<\/section>/p" "$page" | grep -q "Enskog's theory" || echo missing)"
done

run --rule=elastic --restitution=0.8 "$input" 20
begins "inelastic disks" "temperature, mean|temperature at the end|energy at the end: relative change|collision rate|pressure from the virial"
run --lattice=24 --viscosity=1 --periodic=x --wall='top temperature=1 speed=0.1' "$input" 1
begins "a lattice" "Mach number|Reynolds number|Knudsen number|viscosity|mass, relative change"

# Names that look like markup or need quoting.
cp "$work/one" "$work/<b>&'x' y"
run "$work/<b>&'x' y" 1
well_formed "a name like markup"
verdict "the name is escaped" "$(grep -q '<h1>&#60;b&#62;&#38;&#39;x&#39; y</h1>' "$page" || grep '<h1>' "$page")"

# Of time steps there are their figures, and nothing of collisions.
set -- --step=0.01 --constraint=contact "$input" 3
run "$@"
well_formed "time steps"
begins "time steps" "energy at the end|energy at the end: relative change|temperature, mean|constraint error, largest|pressure from the virial"
verdict "the plots" "$([ "$(grep '<h3>' "$page")" = '<h3>Energy</h3>' ] || grep '<h3>' "$page")"
verdict "no collisions" "$(sed -n '/<h2>Figures/,$p' "$page" | grep -i collision)"
grep -v 'class="run"' "$page" >"$work/alone"
particles "$@" --report="$page" --stats="$work/stats"
verdict "the figures of time steps" "$(sed -n 's/ = .*//p' "$work/stats" | grep -v '_error$' | while read -r key; do
    grep -q "<tr[^>]* id=\"$key\">" "$page" || echo "$key"; done)"
verdict "the last energies" "$(for key in kinetic potential; do sed -n "s/^energy_${key}_end = //p" "$work/stats"; done |
    paste -s -d ' ' | awk -v file="$page" '{ while ((getline row < file) > 0) if (row ~ /^<tr><td>/) last = row
        gsub(/<[^>]*>/, " ", last); split(last, n, " ")
        if (n[1] != 3 || (n[2] - $1) ^ 2 + (n[3] - $2) ^ 2 + (n[4] - $1 - $2) ^ 2 > 1e-10 * $1 ^ 2) print last, "for", $0 }')"
verdict "the same with --stats" "$(grep -v 'class="run"' "$page" | diff "$work/alone" - | head -3)"
run --config=data/examples/steps/drop.conf data/examples/steps/drop.txt 0.2
lacks "what is of contacts and links" 'id="contacts_pairs"' 'id="constraint_error' 'Digits in brackets'
run --config=data/examples/steps/rope.conf data/examples/steps/rope.txt 0.02
lacks "what is of contacts" 'id="contacts_pairs"' 'id="pressure_virial"'
verdict "the error of links" "$(grep -q 'id="constraint_error_largest"' "$page" || echo missing)"
for end in 0 0.5; do
    run --step=0.1 "$work/one" $end
    well_formed "one particle in steps up to $end"
done

finish
