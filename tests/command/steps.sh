#!/bin/sh
# Time-stepped runs: which options there are and what they refuse, and that observers and resumed runs
# do with steps what they do with collisions. What interactions and constraints do is measured by the
# tests of tests/unit/steps.
. tests/support/expect.sh
sleep_while_waiting

printf '3\n0.5\n10 10\n2 5 1 0\n5 5 0 0\n8 2 0.25 -0.25\n' >"$work/input"

# Without interactions particles move freely, through each other, between walls.
printf '%s\n' '6.000000, 5.000000, 0, 0' '5.000000, 5.000000, 0, 0' '9.000000, 1.000000, 0, 0' >"$work/expected"
expect_output "free" "$work/expected" --step=0.5 "$work/input" 4
particles --step=3 --substeps=1000 "$work/input" 4 # a last step that is shorter
expect_output "a shorter step" "$work/expected"
particles --step=0.5 --substeps=3 --progress "$work/input" 3.25
verdict "progress in steps" "$(grep -q '^particles: time 3.25 of 3.25 (100.0 %), 7 steps, .* 0:00 left$' "$work/err" ||
    cat "$work/err")"
printf 'step 0.5\nsubsteps 7\nconstraint walls restitution=1\n' >"$work/scene"
expect_output "a file of options" "$work/expected" --config="$work/scene" "$work/input" 4

# Wrong usage, and its messages.
refused() {
    name=$1 pattern=$2
    shift 2
    expect_error "$name" 64 "$pattern" "$@" "$work/input" 1
}
refused "no step" "'--interaction=drag c=1' needs --step=DT" "--interaction=drag c=1"
refused "no step for substeps" "'--substeps=3' needs --step=DT" --substeps=3
refused "a step of 0" "--step takes a positive number" --step=0
refused "no substeps" "--substeps takes a whole number from 1 to 1000000" --step=1 --substeps=0
refused "too many substeps" "--step=1e-20 would be 2e\+21 substeps; the most is 1e\+15" --step=1e-20
for option in --schedule=cells --events="$work/log" --sensitivity; do
    refused "$option" "'$option' is not for --step: it is for runs from collision to collision" --step=1 "$option"
done
for option in --rule=elastic --restitution=0.5 --contact-time=1; do
    refused "$option" "'$option' is not for --step: there particles collide if an interaction or a constraint" \
        --step=1 "$option"
done
refused "a stream" "'--stream=1' is not for --step: only event-driven runs have streams" --step=1 --periodic=x --stream=1
refused "an unknown interaction" "--interaction 'gravitas' is unknown: there are gravity, " \
    --step=1 --interaction="gravitas g=1"
refused "an unknown constraint" "--constraint 'wall' is unknown: there are .*walls" --step=1 --constraint=wall
refused "an empty one" "--interaction '' is unknown" --step=1 --interaction=
refused "an unknown key" "gravity has no 'h': it has g, direction" --step=1 --interaction="gravity h=1"
refused "a key without a value" "gravity: 'g=' should be KEY=VALUE" --step=1 --interaction="gravity g="
refused "a key twice" "gravity: 'g' is given twice" --step=1 --interaction="gravity g=1 g=2"
refused "a missing key" "gravity needs g=NUMBER" --step=1 --interaction=gravity
refused "no number" "gravity: g takes a number from .*, and 'x' is not a number" --step=1 --interaction="gravity g=x"
refused "a negative temperature" "langevin: temperature takes a number from 0 to" --step=1 --interaction="langevin temperature=-1 friction=1"
refused "a bond without stiffness" "bond needs k=NUMBER" --step=1 --interaction="bond file=none"
refused "a negative drag" "drag: c takes a number from 0 to .*, and '-1' is negative" --step=1 --interaction="drag c=-1"
particles --resume="$work/none" --step=1
expect_error "steps again" 64 "'--step=1' is not for --resume: it is as in the checkpoint"

# Files that are read are not written over.
printf '0 1 3\n' >"$work/links"
for option in --picture --trajectory="$work/frames --every=1 --stats"; do
    particles --step=0.1 --constraint="link compliance=0 file=$work/links damping=0" $option="$work/links" "$work/input" 1
    expect_error "$option over the links" 64 "would overwrite '.*/links', a file of the scene"
done
cp "$work/links" "$work/my links"
expect_success "a name with a blank" --step=0.1 --constraint="link file=\"$work/my links\" compliance=0" "$work/input" 0
particles --step=0.1 --constraint="link file=\"$work/my links\"" --final="$work/my links" "$work/input" 0
expect_error "a final state over the links" 64 "would overwrite '.*/my links', a file of the scene"
printf '4 8\n6 8\n5 9\n' >"$work/polygon"
particles --obstacle="$work/polygon" --events="$work/polygon" "$work/input" 1
expect_error "the log over a polygon" 64 "--events would overwrite '.*/polygon', a file of polygons"

# The constraint error covers the start, and the substep in which it is largest: this spring has its
# length at the ends of all steps.
error_is() {
    name=$1 low=$2 high=$3
    shift 3
    particles --stats="$work/stats" "$@"
    verdict "$name" "$(awk -v low="$low" -v high="$high" '$1 == "constraint_error_largest" { found = $3 }
        END { if (!(found >= low && found <= high)) print "it is " found }' "$work/stats" 2>&1)"
}
printf '0 1 2.9\n' >"$work/links"
error_is "a link that is off at the start" 0.0999999 0.1000001 --step=1 --constraint="link file=$work/links" "$work/input" 1
error_is "a link that is off, at the start" 0.0999999 0.1000001 --step=1 --constraint="link file=$work/links" "$work/input" 0
printf '0 1 3\n' >"$work/links"
error_is "a spring within a step" 0.9 1 --step=3.14159265358979 --substeps=2000 \
    --constraint="link file=$work/links compliance=2" "$work/input" 3.14159265358979
printf '2\n0.5\n10 10\n2 5 0 0\n2.75 5 0 0\n' >"$work/overlap"
error_is "disks that overlap at the start" 0.25 0.25 --step=1 --constraint=contact "$work/overlap" 2

# A rigid net is too much for ten iterations, and a chain is not; the run says so, once.
for columns in 1 12; do
    awk -v columns="$columns" -v links="$work/links" 'BEGIN {
        print 12 * columns; print 0; print "20 20"
        for (k = 0; k < 12 * columns; k++) {
            print 2 + k % columns, 18 - int(k / columns), 0, 0
            if (k % columns > 0) print k - 1, k, 1 >links
            if (k >= columns) print k - columns, k, 1 >links
        }
    }' >"$work/net"
    set -- --step=0.05 --interaction="gravity g=-9.81" --constraint="pin particles=0" \
        --constraint="link file=$work/links"
    particles "$@" "$work/net" 0.1
    verdict "links, $columns in a row" "$([ "$status" -eq 0 ] || echo "status $status"
        grep -c "^particles: links are off by .* of their lengths" "$work/err" | grep -vx "$((columns > 1))")"
    expect_silence "links, $columns in a row, quiet" --quiet "$@" "$work/net" 0.1
done

# A heavy disk sinks into light ones: the run says at its end which two, also if it is quiet. Disks
# of one mass do not sink.
for mass in 1 10000; do
    awk -v mass="$mass" 'BEGIN {
        print 10; print 0.5; print "2 12"
        for (k = 0; k < 10; k++) print 1, 0.5 + k, 0, 0, 0.5, k < 9 ? 1 : mass, k == 9
    }' >"$work/column"
    particles --quiet --step=0.001 --interaction="gravity g=-9.81" --constraint="contact restitution=0" \
        "$work/column" 0.2
    verdict "a column, $mass on top" "$([ "$status" -eq 0 ] || echo "status $status"
        grep -c "^particles: the distance of particles [0-9] and [0-9], in lasting contact, was off by 0.00" \
            "$work/err" | grep -vx "$((mass > 1))")"
done

# Observers see steps: the last frame is the answer, and a resumed run leaves the same files.
set -- --step=0.01 --interaction="gravity g=-9.81" --constraint="walls restitution=0.8" --every=0.25 --quiet
end=$([ -n "$THOROUGH" ] && echo 2000 || echo 300)
particles "$@" --trajectory="$work/frames.1" --picture="$work/picture.1" --fields="$work/fields.1.vtk" \
    --fields-grid=4x3 "$work/input" "$end.5"
mv "$work/out" "$work/expected"
verdict "frames" "$([ "$(grep -c Time= "$work/frames.1")" -eq $((4 * end + 3)) ] ||
    echo "not $((4 * end + 3))")"
launch "$@" --trajectory="$work/frames.2" --picture="$work/picture.2" --fields="$work/fields.2.vtk" --fields-grid=4x3 \
    --checkpoint="$work/saved" --checkpoint-every=0.02 "$work/input" "$end.5"
await [ -s "$work/frames.2.part" ]
stop TERM
verdict "interrupted" "$([ "$status" -eq 143 ] || echo "status $status: $(cat "$work/err")")"
particles --resume="$work/saved" --checkpoint="$work/saved" --trajectory="$work/frames.2" \
    --picture="$work/picture.2" --fields="$work/fields.2.vtk" --fields-grid=4x3 --every=0.25 --quiet
expect_output "resumed" "$work/expected"
verdict "the frames of a resumed run" "$(cmp "$work/frames.1" "$work/frames.2" 2>&1)"
verdict "the picture of a resumed run" "$(cmp "$work/picture.1" "$work/picture.2" 2>&1)"
verdict "the fields of a resumed run" "$(cmp "$work/fields.1.vtk" "$work/fields.2.vtk" 2>&1)"

# Means over time by the trapezoidal rule: of uniformly accelerated particles the velocity is exact, from any step on,
# in any series, and over a shorter last step; and each particle counts for all of the time.
printf '2\n0.1\n100 1000\n10 700 1 0\n30 300 0 1\n' >"$work/falling"
for times in "0 1.25 0.1" "0 1.25 0.1 --every=0.3" "0.4 2.13 0.1" "0.3 2.13 0.1 --every=0.5" "0.4 0.5 0.1 --every=7" \
    "1.8 2.7 0.3" "0.63 2.8 0.07 --every=0.77" "0.5 0.5 0.1"; do # 3 * 0.1, 9 * 0.3 and others are rounded
    set -- $times
    particles --step="$3" --substeps=3 --interaction='gravity g=-2' --quiet --fields="$work/falling.csv" \
        --fields-grid=1x1 --stats-from="$1" $4 "$work/falling" "$2"
    verdict "fields of a fall, $times" "$(awk -F , -v from="$1" -v to="$2" 'function near(a, b) { return (a - b) ^ 2 < 1e-24 }
        NR > 1 && from < to { # the last columns of a series are its times, otherwise they are errors
            v = 0.5 - (NF == 17 ? $16 + $17 : from + to)
            if (!(near($9, 0.5) && near($10, v) && near($15, 2))) print
        }
        END { if (NR < 2) print "no rows" }' "$work/falling.csv")"
done

# The pressure of water at rest, in a tank 1 wide and 0.5 deep: of each particle, and in fields, which have
# each particle for all of the time. A spacing is 0.05.
awk 'BEGIN { print "200\n0.01\n1 1"; for (k = 0; k < 200; k++)
    print (k % 20 + 0.5) / 20, (int(k / 20) + 0.5) / 20, 0, 0, 0.01, 0.0025 }' >"$work/tank"
particles --step=0.01 --substeps=5 --interaction="gravity g=-1" --interaction="sph density=1 sound-speed=7" --quiet \
    --fields="$work/tank.csv" --fields-grid=2x5 --trajectory="$work/tank.xyz" --every=0.125 --stats="$work/stats" "$work/tank" 0.3
verdict "the pressure of particles" "$(awk 'NF > 9 && /Lattice/ {
        if ($0 !~ /mass:R:1:density:R:1:pressure:R:1 Time=/) print
        frames++
        next
    }
    NF == 16 { off = $16 - (0.5 - $3); lines++; if (off * off > 0.002 || $15 < 1 || $15 > 1.02) print }
    END { if (frames != 4 || lines != 800) print frames " frames, " lines " lines" }' "$work/tank.xyz")"
verdict "the pressure in fields" "$(awk -F , '
    NR > 1 { off = $13 - (0.5 - $4); count += $15 }
    NR > 1 && $4 < 0.5 && (off * off > 0.002 || $12 != 0 || $6 < 20 * 9) { print }
    END { if (NR != 31 || count < 599.999999 || count > 600.000001) print NR " lines, " count " particles" }' \
    "$work/tank.csv")"
verdict "the mean pressure" "$(awk '$1 == "pressure_virial" && ($3 > 0.24 && $3 < 0.26) { found = 1 }
    END { if (!found) print "not 0.25" }' "$work/stats")"

# The pressure from the virial: of a gas that does not interact; of hard disks as in the run from
# collision to collision; and of Lennard-Jones atoms as the trajectory has it.
pressure_is() { # pressure_is NAME EXPECTED PART: the last run's, but for this part of it
    verdict "$1" "$(awk -v expected="$2" -v part="$3" '$1 == "pressure_virial" { found = $3 }
        END { if (!((found / expected - 1) ^ 2 < part ^ 2)) print found " is not " expected }' "$work/stats")"
}
"$PROGRAM" --quiet --generate=64 --area-fraction=0.3 --seed=5 >"$work/gas"
particles --step=0.1 --stats="$work/stats" "$work/gas" 1
pressure_is "of an ideal gas" "$(awk 'NR == 2 { radius = $1 } NR == 3 { side = $1 - 2 * radius }
    NR > 3 { energy += ($3 ^ 2 + $4 ^ 2) / 2 } END { printf "%.17g", energy / side ^ 2 }' "$work/gas")" 1e-12
particles --rule=elastic --periodic=xy --stats="$work/stats" "$work/gas" 4
exact=$(awk '$1 == "pressure_virial" { print $3 }' "$work/stats")
particles --step=0.001 --constraint=contact --periodic=xy --stats="$work/stats" "$work/gas" 4
pressure_is "of hard disks" "$exact" 0.001
particles --step=0.01 --substeps=5 --interaction="lennard-jones epsilon=1 sigma=2" --periodic=xy \
    --trajectory="$work/atoms.xyz" --every=0.01 --stats="$work/stats" "$work/gas" 0.2
pressure_is "of atoms" "$(awk 'function force(r) { return 24 / r * (2 * (2 / r) ^ 12 - (2 / r) ^ 6) }
    function nearest(d) { return d > side / 2 ? d - side : d < -side / 2 ? d + side : d }
    /Lattice/ { side = $1; sub(/.*"/, "", side); side += 0; count = 0; frames++; next }
    NF > 9 && frames > 1 {
        x[count] = $2; y[count] = $3; u += $5; v += $6; energy += ($5 ^ 2 + $6 ^ 2) / 2
        for (k = 0; k < count; k++) {
            r = sqrt(nearest(x[k] - $2) ^ 2 + nearest(y[k] - $3) ^ 2)
            if (r < 5) virial += r * (force(r) - force(5))
        }
        count++
    }
    END {
        frames--
        drift = (u ^ 2 + v ^ 2) / frames / 64 / 2
        printf "%.17g", ((energy - drift) * 64 / 63 + virial / 2) / frames / side ^ 2
    }' "$work/atoms.xyz")" 1e-9

# No file depends on the number of threads, also where a run goes on with another number. Particles
# are as many as all pairs need to be shared among threads.
particles --generate=600 --area-fraction=0.4 --seed=5
mv "$work/out" "$work/gas"
same_figures() { # same_figures FILE FILE: but for how long the runs took
    grep -v second "$1" >"$work/figures.1"
    grep -v second "$2" | cmp "$work/figures.1" - 2>&1
}
for scene in "--interaction=lennard-jones epsilon=1 sigma=1.5" "--interaction=spring k=100 restitution=0.5" \
    "--interaction=gravitation G=1 softening=1" "--constraint=contact compliance=0.001" --constraint=contact; do
    set -- --step=0.02 --substeps=4 "$scene" --interaction="gravity g=-1" --every=0.1 --trajectory-columns=unwrapped,voronoi
    end=0.3
    [ "$scene" != --constraint=contact ] || end=$([ -n "$THOROUGH" ] && echo 8 || echo 1)
    particles --threads=1 --final="$work/final.1" --trajectory="$work/frames.1.lammpstrj" --stats="$work/stats.1" "$@" "$work/gas" $end
    mv "$work/out" "$work/expected"
    for threads in 2 ${THOROUGH:+3}; do
        particles --threads=$threads --final="$work/final.2" --trajectory="$work/frames.2.lammpstrj" --stats="$work/stats.2" \
            "$@" "$work/gas" $end
        sed -i '/in lasting contact, was off by/d' "$work/err" # the largest scenes say so
        expect_output "$threads threads: $scene" "$work/expected"
        verdict "the files of $threads threads: $scene" \
            "$(cmp "$work/final.1" "$work/final.2" 2>&1; cmp "$work/frames.1.lammpstrj" "$work/frames.2.lammpstrj" 2>&1
                same_figures "$work/stats.1" "$work/stats.2")"
    done
done
launch --threads=2 --final="$work/final.2" --trajectory="$work/frames.2.lammpstrj" --stats="$work/stats.2" --checkpoint="$work/saved" \
    --checkpoint-every=0.01 "$@" "$work/gas" $end
await [ -s "$work/frames.2.lammpstrj.part" ]
stop TERM
expect_usage "a run with other --trajectory-columns or another format of that file: give the same ones" \
    --resume="$work/saved" --every=0.1 --trajectory-columns=unwrapped,voronoi --trajectory="$work/frames.2" \
    --final="$work/final.2" --stats="$work/stats.2"
particles --threads=3 --resume="$work/saved" --final="$work/final.2" --trajectory="$work/frames.2.lammpstrj" --stats="$work/stats.2" \
    --every=0.1 --trajectory-columns=unwrapped,voronoi
sed -i '/in lasting contact, was off by/d' "$work/err"
expect_output "resumed on other threads" "$work/expected"
verdict "the files of a run resumed on other threads" \
    "$(cmp "$work/final.1" "$work/final.2" 2>&1; cmp "$work/frames.1.lammpstrj" "$work/frames.2.lammpstrj" 2>&1
        same_figures "$work/stats.1" "$work/stats.2")"

# Standard errors: on average what runs scatter that have the same energy, or are in a bath, as far as so few runs
# show it; none where a run is too short to know; and 0 where the energy is conserved.
errors() { # errors FIGURE LOW HIGH SEEDS OPTION... END: their mean over the scatter of runs; below 0: there are none
    figure=$1 low=$2 high=$3 seeds=$4
    shift 4
    for seed in $seeds; do
        "$PROGRAM" --quiet --generate=16 --area-fraction=0.3 --seed="$seed" | awk '{ x[NR] = $1; y[NR] = $2; u[NR] = $3; v[NR] = $4 }
            NR > 3 { drift_u += $3 / 16; drift_v += $4 / 16; squares += $3 ^ 2 + $4 ^ 2 }
            END {
                print 16 "\n" x[2] "\n" x[3], y[3]
                scale = sqrt(30 / (squares - 16 * (drift_u ^ 2 + drift_v ^ 2)))
                for (k = 4; k <= NR; k++) print x[k], y[k], (u[k] - drift_u) * scale, (v[k] - drift_v) * scale
            }' >"$work/gas"
        particles --quiet --seed="$seed" --periodic=xy --stats="$work/stats" --stats-from=5 "$work/gas" "$@"
        awk -v key="$figure" '$1 == key { value = $3 } $1 == key "_error" { print value, $3 }' "$work/stats"
    done >"$work/errors"
    verdict "errors of $figure, $*" "$(awk -v low="$low" -v high="$high" '
        { sum += $1; square += $1 ^ 2; error += $2; known += $2 != "none" }
        END {
            ratio = NR > 1 ? error / NR / sqrt((square - sum ^ 2 / NR) / (NR - 1) + 1e-20) : -1
            if (known != (high < 0 ? 0 : NR) || (known && !(ratio >= low && ratio <= high))) print NR, known, ratio
        }' "$work/errors")"
}
bath="--interaction=langevin temperature=1 friction=1"
all="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
errors temperature_mean 0.6 1.6 "$all" --step=0.2 --substeps=1 "$bath" 125
errors pressure_virial 0.6 1.6 "$all" --step=0.05 --substeps=4 --constraint=contact 105
errors temperature_mean 0 0 "1 2" --step=0.05 --substeps=4 --constraint=contact 15
errors temperature_mean -1 -1 "1 2 3" --step=0.2 --substeps=1 "$bath" 25
errors pressure_virial -1 -1 "1 2 3" --step=0.05 --substeps=4 --constraint=contact 25
errors pressure_virial -1 -1 "1 2 3" --step=0.05 --substeps=4 "--interaction=lennard-jones epsilon=1 sigma=1.6" 25

# Soft disks at rest on each other, also where a substep is much shorter than their oscillation: overlaps are A F.
printf '3\n0.5\n40 40\n10 0.5 0 0\n10 1.5 0 0\n10 2.5 0 0\n' >"$work/column"
for substeps in 5 20 40; do
    for restitution in 0 1; do
        particles --step=0.01 --substeps=$substeps --interaction='gravity g=-9.81' --quiet \
            --constraint="contact compliance=0.0001 restitution=$restitution" "$work/column" 10
        verdict "a soft column, $substeps, $restitution" "$(cat "$work/err"
            awk -F, '{ right = NR - 0.5 - 1e-4 * 9.81 * (NR > 1 ? (NR - 1) * (6 - NR) / 2 : 0)
                off = $2 - right } off > 2e-4 || off < -2e-4 { print right, $0 }' "$work/out")"
    done
done

finish
