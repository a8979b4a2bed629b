#!/bin/sh
# --lattice: the same bytes on any number of threads, and after stops; what is refused, and what that
# advises; and what flows must obey: mass, mirrors, the lift of a wing.
. tests/support/expect.sh
sleep_while_waiting
polygon=$PWD/scripts/polygon vortex=$PWD/data/examples/steps/vortex.txt
cd "$work" || exit 1
mkdir files

# disks WIDTH HEIGHT: disks in a box, but for a square in it
disks() {
    awk -v width="$1" -v height="$2" 'BEGIN {
        for (k = 0; k < width * height / 2; k++) {
            x = 1 + 2 * (k % (width / 2))
            y = 0.5 + int(k / (width / 2))
            if (x < width / 3 - 4 || x > width / 3 + 4 || y < height / 2 - 4 || y > height / 2 + 4)
                line[++count] = x " " y " " (k * 7 % 13 - 6) / 4 " " (k * 5 % 11 - 5) / 3
        }
        print count "\n0.3\n" width " " height
        for (k = 1; k <= count; k++)
            print line[k]
    }'
}
disks 48 24 >input
printf '14 10\n18 9\n19 13\n15 14\n' >body
flow="--rule=elastic --lattice=48 --periodic=xy --stream=0.3 --obstacle=../body --stats-from=4"
outputs="--quiet --trajectory=frames --every=7 --stats=stats --forces=forces --fields=fields.csv --fields-grid=12x6
    --picture=picture --animate=page --report=report --final=final"

# key FILE NAME: a figure
key() {
    sed -n "s/^$2 = //p" "$1"
}

# force FILE NAME: a quantity of --forces of the first polygon
force() {
    sed -n "s/^0,all,$2,\([^,]*\),.*/\1/p" "$1"
}

# obeys NAME CONDITION [VALUE]...: whether numbers obey a condition of awk, in which they are a, b, c
obeys() {
    verdict "$1" "$(awk -v a="${3:-none}" -v b="${4:-0}" -v c="${5:-0}" \
        "BEGIN { if (a == \"none\" || !($2)) print a, b, c }")"
}

# On any threads, in a stream and between walls of which one moves.
cd files || exit 1
for threads in 1 $([ -n "$QUICK" ] || echo 2 7) 3; do
    expect_success "a stream" --threads=$threads $flow $outputs ../input 30
    take stream$threads
    particles --threads=$threads --lattice=48 --viscosity=1 --wall='top temperature=1 speed=0.2' \
        --quiet --stats=stats --final=final ../input 30
    verdict "walls" "$([ "$status" -eq 0 ] || cat "$work/err")"
    particles --threads=$threads --lattice=18 --viscosity=0.05 --periodic=xy --lattice-start=particles \
        --lattice-force=0.5,-0.2 --quiet --final=pushed "$vortex" 1
    verdict "a start and a force" "$([ "$status" -eq 0 ] || cat "$work/err")"
    take walls$threads
    verdict "$threads threads" "$(diff -rq ../stream1 ../stream$threads 2>&1; diff -rq ../walls1 ../walls$threads 2>&1)"
done
verdict "all files" "$(set -- ../stream1/*; [ $# -eq 10 ] || echo "$@")"
normal=$PROGRAM PROGRAM=$BUILD/tests/command/particles_odd PARTICLES_THREADS=0
export PARTICLES_THREADS
particles --threads=4 ${flow% *} ../input 30
PROGRAM=$normal
verdict "threads that do not start" "$(cmp "$work/out" ../stream1/out 2>&1
    grep -q "only 1 of 4 threads could be started: the run goes on with them" "$work/err" || cat "$work/err")"
verdict "no collisions" "$(grep -v ', 0, 0$' ../stream1/out)"
# shellcheck disable=SC2046 # two numbers
obeys "a gas that falls" '(a - 0.5) ^ 2 + (b + 0.2) ^ 2 < 0.0005' \
    $(awk 'NF > 5 { u += $3; v += $4; n++ } END { print u / n, v / n }' ../walls1/pushed)
obeys "mass between walls" 'a * a < 1e-24' "$(key ../walls1/stats mass_change)"
obeys "the moving wall drags the flow along" 'a > 0.01 && a < 0.2' \
    "$(awk 'NR > 3 && $2 > 23 { sum += $3; count++ } END { print sum / count }' ../walls1/final)"

# At any time the flow is that of a longer run; and a run that is stopped and resumed leaves the same.
particles --quiet ${flow% *} ../input 14
sed -n '/Time=14\([" ].*\)*$/,/^544$/p' ../stream1/frames | awk 'NF > 5 && !/=/ { printf "%.6f, %.6f, 0, 0\n", $2, $3 }' >frame
verdict "a frame is the end of a shorter run" "$([ -s frame ] && cmp frame "$work/out" 2>&1)"
rm frame
long=$(if [ -n "$QUICK" ]; then echo 100; elif [ -n "$THOROUGH" ]; then echo 300; else echo 200; fi)
particles $flow $outputs ../input "$long"
take whole
launch --checkpoint=saved --checkpoint-every=0.01 $flow $outputs ../input "$long"
await grep -q Time=7 frames.part
stop TERM
verdict "a stop" "$([ "$status" -eq 143 ] || echo "status $status: $(cat "$work/err")")"
expect_usage "option '--lattice=96' is not for --resume" --resume=saved --lattice=96 --quiet
particles --resume=saved --stats-from=4 --threads=2 $outputs
take resumed
verdict "a resumed run" "$(rm -f ../resumed/saved; diff -rq ../whole ../resumed 2>&1)"
cd ..

# What is refused, before anything is computed.
flow="--rule=elastic --periodic=xy --stream=0.3 --obstacle=body"
for wrong in 0 1 3 1e9 nan -4 100001 4.5 ''; do
    expect_usage "--lattice takes a whole number from 4 to 100000, and '$wrong'" --lattice="$wrong" input 1
done
expect_usage "--viscosity takes a positive number" --lattice=8 --viscosity=0 input 1
expect_usage "'--viscosity=1' needs --lattice=NX" --viscosity=1 input 1
expect_usage "'--lattice-start=rest' needs --lattice=NX" --lattice-start=rest input 1
expect_usage "'--lattice-force=0,0' needs --lattice=NX" --lattice-force=0,0 input 1
expect_usage "the particles of a cell of the lattice have Mach number .* and 0.3 is the most" \
    --rule=elastic --lattice=48 --viscosity=1 --lattice-start=particles input 1
expect_usage "the force adds Mach number 0.3[0-9]* in a step .up to 0.01.: give --lattice=1[0-9]*$" \
    --rule=elastic --lattice=48 --viscosity=10 --lattice-force=0,-2 input 1
expect_usage "the force adds .* no finer one will do$" --rule=elastic --lattice=48 --viscosity=1 --lattice-force=1e30,0 input 1
for option in --events=x --sensitivity --paths --schedule=cells --restitution=0.5 --contact-time=1 --reverse \
    "--structure=x --every=1" --step=1 --tile-side=4; do
    expect_usage "is not for --(lattice|step)" --lattice=96 $option input 1
done
{
    expect_usage "the box is 47.5 cells high .*: give --lattice=9[46]$" --lattice=95 $flow input 1
    expect_usage "Mach number 0.48, .*: slow its stream" --lattice=96 --periodic=xy --stream=0.9 --rule=elastic input 1
    expect_usage "viscosity 0.00.*: give --lattice=144$" --lattice=8 --viscosity=0.01 $flow input 1
    expect_usage "no finer one will do: give --viscosity=0.0*[1-9]" --lattice=96 --viscosity=1e-9 $flow input 1
    expect_usage "finer than the lattice: up to 96x48" --lattice=96 --fields=x.csv --fields-grid=97x2 $flow input 1
}
printf '1\n1\n20 10\n5 5 1 1\n' >one
expect_error "no temperature" 65 "one velocity" --lattice=20 one 1
printf '2\n0\n20 10\n5 5 1 1\n6 6 0 0\n' >points
expect_usage "give --viscosity=NU" --lattice=20 points 1
printf '2\n1\n20 10\n5 5 1 1\n9 6 0 0 0.5 3\n' >two
expect_usage "give --viscosity=NU" --rule=elastic --lattice=20 two 1
particles --rule=elastic --lattice=20 --viscosity=1 --quiet two 0
verdict "no time" "$([ "$status" -eq 0 ] && printf '5.000000, 5.000000, 0, 0\n9.000000, 6.000000, 0, 0\n' | cmp - out 2>&1)"
expect_success "masses that never collide" --lattice=20 --viscosity=1 --quiet two 0
# Only between rough sides of the box a stream is a parabola, whose middle is faster than 0.3 here.
particles --lattice=96 --viscosity=1 --periodic=x --stream=0.45 --obstacle=body --rule=elastic --quiet \
    --wall='obstacles temperature=1' input 0
verdict "a rough body in a wide stream" "$([ "$status" -eq 0 ] || cat err)"
expect_usage "Mach number 0.36" --lattice=96 --viscosity=1 --periodic=x --stream=0.45 --rule=elastic \
    --wall='box temperature=1' input 0
# What is warned of: a viscosity that is large beside the speed of sound, 1.41, and bodies at the ends of a stream.
# warned NAME PATTERN [OPTION]...: whether a run of points warns of it; with an empty pattern, of nothing
warned() {
    name=$1 pattern=$2
    shift 2
    particles --lattice=80 --stream-temperature=1 --stream=0.1 --periodic=x "$@" points 0.1
    verdict "$name" "$(if [ "$pattern" ]; then grep -q "$pattern" err || echo none; fi; [ "$pattern" ] || cat err)"
}
printf -- '-1 -1\n1 -1\n1 1\n-1 1\n' >cube
warned "a moderate viscosity" "" --viscosity=0.39 --obstacle="cube at=9,5"
warned "a large viscosity" "is large: .* up to 0.4 is small enough$" --viscosity=0.41 --obstacle="cube at=9,5"
for x in 1 1.1 19; do
    warned "a body at an end" "where the stream comes in or leaves" --viscosity=0.1 --obstacle="cube at=$x,5"
done
warned "a body near an end" "" --viscosity=0.1 --obstacle="cube at=1.5,5"
printf '4 0\n5 0\n5 10\n4 10\n' >dam
printf '4 0\n5 0\n5 9.5\n4 9.5\n' >gap
for body in dam gap; do
    expect_error "a stream against a $body" 65 "by time [0-9.]* the flow is faster than sound" --lattice=80 --viscosity=0.2 \
        --periodic=x --stream=0.2 --obstacle=$body points 60
done
printf '4 4\n7 4\n7 7\n4 7\n' >cover
expect_error "a particle in a body" 65 "particle 0 is inside" --rule=elastic --lattice=20 --obstacle=cover two 1
expect_success "eight columns" --lattice=8 --viscosity=1 --quiet input 1
expect_usage "its bodies 0.972 long .*: give --lattice=34$" --lattice=8 --viscosity=1 --obstacle=body input 1

# Rows of forces over parts of steps: the flow hardly changes.
particles $flow --lattice=48 --viscosity=1 --quiet --forces=rows --stats-from=48 --every=0.0625 input 50
# shellcheck disable=SC2046 # three numbers
obeys "forces over parts of steps" 'a == 32 && b > 0.5 && c < 1.02 * b' \
    $(awk -F, '$3 == "force_x" && $7 - $6 < 1 {
    low = n++ && low < $4 ? low : $4; high = high > $4 ? high : $4 } END { print n, low, high }' rows)

# Means over time converge as fast as steps do: those of samples are near those of each step, as a wall drags a flow along.
for fields in "whole.csv" "series.csv --every=0.5"; do
    particles --lattice=24 --viscosity=3 --periodic=x --wall='top temperature=1 speed=0.1' --quiet --stats-from=1.37 \
        --fields-grid=1x2 --fields=$fields input 150
done
obeys "means of an unsteady flow" 'a > 1 && b > 0 && (a - b) ^ 2 < 1e-4 * b ^ 2' \
    "$(awk -F, '/^0,1,/ { print $9 * 1000 }' whole.csv)" \
    "$(awk -F, '/^0,1,/ { sum += $9 * ($NF - $(NF - 1)) * 1000; time += $NF - $(NF - 1) } END { print sum / time }' series.csv)"

particles --lattice=24 --viscosity=3 --periodic=x --quiet --stats-from=10 --fields-grid=1x1 --fields=none.csv input 10
verdict "fields of no time" "$([ "$status" -eq 0 ] && grep -q '^0,0,.*,0,,,,,,,,,,,,,$' none.csv || cat err none.csv)"

# A body in a mirror has the other lift; and so has a wing at the other angle, whose drag is least at 0.
awk '{ print $1, 24 - $2 }' body >mirror
for name in body mirror; do
    particles --rule=elastic --lattice=48 --periodic=xy --stream=0.3 --obstacle=$name --quiet --forces=$name.forces input 60
done
obeys "drag in the mirror" 'a > 1 && (a - b) * (a - b) < 1e-18 * a * a' \
    "$(force body.forces drag_coefficient)" "$(force mirror.forces drag_coefficient)"
obeys "torque in the mirror" 'a * a > 0.001 && (a + b) * (a + b) < 1e-16 * a * a' \
    "$(force body.forces torque)" "$(force mirror.forces torque)"
obeys "lift in the mirror" 'a * a > 0.01 && (a + b) * (a + b) < 1e-16 * a * a' \
    "$(force body.forces lift_coefficient)" "$(force mirror.forces lift_coefficient)"
"$polygon" naca 0012 --points=30 >wing
disks 48 24 >input
for angle in -10 0 10; do
    particles --rule=elastic --lattice=144 --viscosity=0.1 --periodic=xy --stream=0.25 --wall='obstacles temperature=1' \
        --obstacle="wing scale=6 angle=$((-angle)) at=13,12" --quiet --stats-from=20 --forces=wing$angle input 40
    verdict "a wing" "$([ "$status" -eq 0 ] || cat err)"
done
obeys "drag of a wing" 'b > 0.01 && a > b && c > b' "$(force wing-10 force_x)" \
    "$(force wing0 force_x)" "$(force wing10 force_x)"
obeys "lift of a wing" 'c > 0.01 && (a + c) ^ 2 < 1e-6 * c ^ 2 && b ^ 2 < 1e-6 * c ^ 2' \
    "$(force wing-10 force_y)" "$(force wing0 force_y)" "$(force wing10 force_y)"

# A force between plates makes a parabola, G d^2 / 2 nu in the middle; a cylinder that turns in another one gets the
# torque 4 pi nu m n omega r^2 R^2 / (R^2 - r^2) of Couette.
printf '2\n0\n4 2\n0.1 0.1 1 1\n3.9 1.9 -1 -1\n' >points
particles --lattice=20 --viscosity=0.5 --periodic=x --wall='bottom temperature=1' --wall='top temperature=1' \
    --lattice-force=0.1,0 --stats-from=39 --fields=plates.csv --fields-grid=1x10 --quiet points 40
obeys "flow between plates" 'a > 0 && (a / (0.1 / 2 / 0.5 * (1 - 0.01)) - 1) ^ 2 < 1e-16' "$(awk -F, '/^0,5,/ { print $9 }' plates.csv)"
"$polygon" circle --radius=2 --sides=80 --move=5,5 >inner
"$polygon" circle --radius=4 --sides=160 --move=5,5 >outer
printf '2\n0\n10 10\n2 5 1 1\n8 5 -1 -1\n' >points
particles --lattice=50 --viscosity=0.5 --domain=outer --obstacle=inner --wall='domain temperature=1' \
    --wall='obstacles temperature=1 speed=0.1' --stats-from=90 --forces=couette --quiet points 100
obeys "Couette's torque" 'a < 0 && (a / (4 * 3.14159 * 0.5 * b * 0.05 * 4 * 16 / 12) + 1) ^ 2 < 0.03 ^ 2 && c < -0.02 * a' \
    "$(force couette torque)" "$(awk 'BEGIN { print 2 / (12 * 3.14159) }')" \
    "$(awk -F, '$3 ~ /^force_[xy]/ { sum += 4 * $4 ^ 2 } END { print sqrt(sum) }' couette)"
finish
