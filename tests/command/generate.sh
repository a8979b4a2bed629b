#!/bin/sh
# --generate: what it writes can be simulated, is the same everywhere, and needs sensible options.
. tests/support/expect.sh

# pin NAME CHECKSUM ARGUMENT...: the command writes bytes with this checksum
pin() {
    name=$1
    checksum=$2
    shift 2
    expect_output "$name" "$work/out" --quiet "$@"
    found=$(cksum <"$work/out")
    verdict "$name: the same bytes everywhere" \
        "$([ "$found" = "$checksum" ] || echo "checksum $found instead of $checksum")"
}

pin "at random" "2157570364 257580" --generate=5000 --area-fraction=0.35 --seed=7
pin "on a lattice" "788220579 50365" --generate=1000 --area-fraction=0.7 --aspect=3
pin "in other units" "469530011 4668" \
    --generate=50 --radius=1e-30 --speed=1e20 --seed=18446744073709551615
cp "$work/out" "$work/first"
for radius in 0.5..1 1~0.2; do
    particles --generate=70 --radius=$radius
    cp "$work/out" "$work/spread"
    # shellcheck disable=SC2046 # the options that the report repeats
    expect_output "radii $radius, repeated" "$work/spread" --quiet $(sed -n '1s/^particles: //p' "$work/err")
    particles --stats="$work/stats" "$work/spread" 2
    verdict "radii $radius are run, and have a theory" "$(cat "$work/err"; grep -q '^compressibility_enskog = 2\.' "$work/stats" || echo none)"
done
particles --seed=18446744073709551615 --generate 50 --speed 1e20 --radius 1e-30 --quiet
expect_output "options in another order" "$work/first"

pin "in a periodic box" "3030397299 154046" --generate=3000 --periodic=xy --seed=5
pin "a crystal in a periodic box" "956798110 43687" --generate=870 --area-fraction=0.9 --periodic=xy
pin "in a channel" "2039613027 19994" --generate=400 --area-fraction=0.8 --periodic=x --aspect=4
pin "a mixture" "70989066 60749" --generate=800,200 --radius=1,0.5 --mass=1,4 --periodic=y
pin "a mixture that is pushed apart" "2660700923 34161" --generate=300,300 --radius=1,1.4 --area-fraction=0.75
pin "a dense mixture" "928196775 35499" --generate=300,300 --radius=1,0.9 --area-fraction=0.7

for options in "--aspect=1000" "--area-fraction=0.88"; do
    particles --generate=100 $options --seed=3
    cp "$work/out" "$work/input"
    sed -n '1s/^particles: --/--/p' "$work/err" >"$work/command"
    verdict "two lines tell where it comes from: $options" "$(awk '
        NR == 1 && /^particles: --generate=100 --area-fraction=[.0-9]+ --radius=1 --aspect=[0-9]+ --speed=1 --seed=3$/ { next }
        NR == 2 && /^particles: this box has area fraction 0[.][0-9]+ and aspect [.0-9]+(: there is no room for 0[.]88)?$/ { next }
        { print "line " NR ": " $0 }
        END { if (NR != 2) print NR " lines" }' "$work/err")"
    verdict "they tell if there is no room: $options" "$(
        case $options in *0.88) wanted=1 ;; *) wanted=0 ;; esac
        [ "$(grep -c 'there is no room for 0.88$' "$work/err")" -eq $wanted ] || cat "$work/err")"
    # shellcheck disable=SC2046 # the words of a command
    expect_output "repeated after its own report: $options" "$work/input" --quiet $(cat "$work/command")
    "$BUILD/tests/command/literal" "$work/input" 0.1 >"$work/expected" # which reads it with fscanf
    expect_output "can be simulated: $options" "$work/expected" "$work/input" 0.1
done

# report LINE [COUNT]: the last report has, after two lines about the box, COUNT lines (1), all LINE
report() {
    verdict "what a simulation needs: $1" "$(sed -n '3,$p' "$work/err" | grep -vFx -e "$1")$(
        [ "$(sed -n '3,$p' "$work/err" | wc -l)" -eq "${2:-1}" ] || echo "not ${2:-1} lines")"
}

# A generated input runs with the options that the report names.
for options in "--generate=150 --periodic=x" "--generate=150 --periodic=xy --area-fraction=0.9" \
    "--generate=90,60 --radius=1,0.5 --mass=1,4 --periodic=y" "--generate=90,60 --mass=1,1" \
    "--generate=2 --periodic=xy --area-fraction=0.1" "--generate=1 --periodic=x --area-fraction=0.1" \
    "--generate=9,9 --mass=1e-40,1e40"; do # of these the slow ones would stand still in the decimals of the others
    particles $options
    cp "$work/out" "$work/input"
    cp "$work/err" "$work/report"
    sed -n '1s/^particles: --/--/p' "$work/err" >"$work/command"
    # shellcheck disable=SC2046 # the words of a command
    expect_output "repeated after its own report: $options" "$work/input" --quiet $(cat "$work/command")
    # shellcheck disable=SC2046
    particles --stats="$work/figures" $(sed -n 's/.*simulate it with //p' "$work/report") \
        "$work/input" 2
    verdict "can be simulated: $options" "$([ "$status" -eq 0 ] || cat "$work/err")"
done
particles --generate=9 --periodic=xy --area-fraction=0.2
report "particles: simulate it with --periodic=xy --rule=elastic"
particles --generate=9,9 --mass=1,2
report "particles: simulate it with --rule=elastic"
particles --generate=9,9 --mass=2
report "" 0
verdict "one mass for all is in the report" "$(grep -q -e '--generate=9,9 .* --mass=2 ' "$work/err" || cat "$work/err")"

# The decimals of the velocities along a periodic axis add up to 0.
particles --quiet --generate=1001 --periodic=x --seed=3
verdict "no momentum along a periodic axis" "$(awk 'NR > 3 {
        negative = $3 < 0
        sub("-", "", $3)
        split($3 ".0", digits, ".")
        units = digits[1] * 1e10 + substr(digits[2] "0000000000", 1, 10)
        sum += negative ? -units : units
    }
    END { if (NR != 1004 || sum != 0) print NR " lines, sum " sum }' "$work/out")"

# Among polygons: what is generated runs with what the report names, and is the same everywhere.
printf '2 1\n40 0\n41 30\n20 12\n0 30\n\n8 8\n8 12\n13 11\n13 8\n' >"$work/room"
printf '# a triangle, a wall and a box in a box\n25 3\n32 4\n30 9\n\n20 3\n22 10\n' >"$work/things"
printf '34 2\n38 2\n38 6\n34 6\n\n35 3\n36 3\n36 4\n' >"$work/it's nested"
printf -- '-3 8\n3 8\n2 12\n\n8 -2\n9 4\n\n16 9\n20 12\n17 14\n' >"$work/seams"
cd "$work" || exit 1
while read -r checksum options; do
    eval "particles --generate=$options"
    cp out input
    cp err report
    found=$(cksum <input)
    verdict "the same bytes everywhere: $options" \
        "$([ "$found" = "$(echo "$checksum" | tr _ ' ')" ] || echo "checksum $found; $(cat report)")"
    eval "particles --quiet $(sed -n '1s/^particles: --/--/p' report)"
    expect_output "repeated after its own report: $options" input
    eval "particles $(sed -n 's/.*simulate it with //p' report) --stats=figures input 3"
    verdict "can be simulated: $options" "$([ "$status" -eq 0 ] || cat err)"
    verdict "the area fraction is that of the free area: $options" "$(awk '
        /this box has area fraction/ { said = $7 }
        $1 == "area_fraction" { found = $3 }
        END { if (!(said > 0 && (said - found) ^ 2 < 1e-12)) print said " and " found }' report figures)"
done <<'END'
2553007569_7816 150 --domain=room
376628855_3010 60 --area-fraction=0.4 --domain=room --obstacle=things --obstacle="it's nested"
4136653936_3631 20,40 --radius=1,0.4 --mass=1,0.2 --obstacle=things --domain=room
2795007940_15111 300 --obstacle=things --obstacle="it's nested"
1579689099_5018 100 --area-fraction=0.35 --periodic=xy --obstacle=seams
485820696_10397 200 --periodic=x --radius=0.5 --obstacle=things --seed=2
END
cd "$OLDPWD" || exit 1

particles --generate=100 --domain="$work/room" --area-fraction=0.8
expect_error "too dense among polygons" 64 "room among the polygons for [0-9]+ of 100 disks, which cover 0.4[0-9]* of the free area: "
particles --generate=10 --domain="$work/room" --radius=300
expect_error "disks larger than the domain" 64 "for 0 of 10 disks, which cover 0 of the free area: "
particles --generate=10 --obstacle="$work/room"
expect_error "obstacles outside the box" 64 "the obstacles reach to x = 41 and y = 30, and the box would be .* a --domain"
particles --generate=10 --radius=10 --obstacle="$work/seams"
expect_error "beyond a wall" 65 "$work/seams:1: x = -3 is outside the box"
particles --generate=10 --domain="$work/seams"
expect_error "a domain that begins before 0" 65 "$work/seams:1: x = -3 is outside the box"
printf -- '-1 -1\n-2 -1\n-2 -3\n' >"$work/before"
particles --generate=10 --domain="$work/before"
expect_error "a domain before 0" 65 "reaches to x = -1 and y = -1, and the box, which begins at 0,"
printf '0 0\n9 0\n9 9\n0 9\n' >"$work/square"
expect_error "no area free" 65 "." --generate=10 --domain="$work/square" --obstacle="$work/square"
particles --generate=10 --domain="$work/square" --radius=1 --area-fraction=0.1
expect_error "too much given" 64 "--radius and --area-fraction cannot both .*: leave one of them out"
expect_error "an aspect, in a domain" 64 "--aspect is not for --domain" --generate=10 --domain="$work/square" --aspect=2
particles --generate=10 --domain="$work/square" --radius=3 --periodic=x
expect_error "too large for a periodic box" 64 "a periodic side must be at least 4 times the largest radius, 3: "
expect_error "no such file" 66 "nowhere: cannot open: " --generate=10 --domain="$work/nowhere"

particles --generate=1 --periodic=xy
expect_error "too few for a periodic box" 64 "would be 3.23604 wide .* at least 4 times the largest radius, 1"
expect_error "a spread of one of two species" 64 "for a single species" --generate=3,4 --radius=1..2
expect_error "a spread downwards" 64 "--radius takes LEAST..MOST, or MEDIAN~DEVIATION .*, not '2..1'" --generate=3 --radius=2..1
expect_error "lists that do not match" 64 "--radius has 3 values and --generate has 2: " --generate=3,4 --radius=1,2,3
particles --generate=300,300 --radius=1,0.5 --area-fraction=0.81
expect_error "a mixture too dense" 64 "0.81 cannot be reached with these radii: .* up to 0.55, and .* about 0.8$"
particles --generate=30,3000 --radius=1,0.01 --area-fraction=0.81
expect_error "too dense a mixture of very different disks" 64 "0.81 cannot be reached .* about 0.5$"
particles --generate=10 --area-fraction=0.9 --periodic=y
expect_error "too dense for walls" 64 "to 0.88, and '0.9' is too large: .*; with --periodic=xy up to 0.9"
particles --mass=2 data/particles_only.txt 10
expect_error "--mass without --generate" 64 "option '--mass=2' is only for --generate=N"

expect_error "an INPUT" 64 "extra argument 'file': --generate takes no INPUT" --generate=10 file
expect_error "operands" 64 "extra argument 'file': --generate takes no INPUT" --generate=10 -- file 10
for count in 0 2147483648; do
    expect_error "--generate='$count'" 64 "--generate takes a whole number .* and '$count' is" --generate="$count"
done
expect_error "--seed=-1" 64 "--seed takes a whole number from 0 to 18446744073709551615" --generate=10 --seed=-1
particles --generate=10 --aspect=0
expect_error "--aspect=0" 64 "--aspect takes a number from 1e-40 to 1e.40, and '0' is too small"
particles --generate=10 --area-fraction=0.881
expect_error "too dense" 64 "to 0.88, and '0.881' is too large: the densest packing .* 0.9069"
expect_error "a box too large" 64 "the box would be 1.02333e.41 wide" --generate=10 --radius=1e40
particles --seed=1 data/particles_only.txt 10
expect_error "--seed without --generate" 64 "option '--seed=1' is only for --generate=N"
expect_error "--generate without N" 64 "'--generate' needs a value" --generate

if [ -c /dev/full ]; then
    for count in 1 10000; do
        $RUN_WITH "$PROGRAM" --generate=$count >/dev/full 2>"$work/err"
        status=$?
        : >"$work/out"
        expect_error "a full disk, $count particles" 74 "standard output: cannot write: No space left"
    done
fi

particles --generate=3 --schedule=cells
expect_error "a schedule, for nothing" 64 "'--schedule=cells' is for a simulation: --generate makes an INPUT"
expect_success "but it may be quiet" --generate=3 --quiet

particles --generate=20 --area-fraction=0.35 --disordered
cp "$work/out" "$work/without"
verdict "--disordered at random" "$($RUN_WITH "$PROGRAM" --generate=20 --area-fraction=0.35 --quiet | cmp - "$work/without")"
expect_usage "there is no room for so many disks that are no crystal: they have grown to area fraction 0\\.[78]" \
    --generate=50,50 --radius=1,1.4 --area-fraction=0.87 --disordered
expect_usage "'--disordered' is only for --generate=N" --disordered input 1
while read -r request; do
    # shellcheck disable=SC2086
    particles --generate=$request --disordered
    mv "$work/out" "$work/disordered"
    options=$(sed -n 's/.*simulate it with//p' "$work/err")
    grep -q disordered "$work/err" || verdict "$request" "it says nothing of --disordered"
    # shellcheck disable=SC2086
    expect_success "disordered $request" $options --rule=elastic --quiet "$work/disordered" 1
done <<'REQUESTS'
60,40 --radius=1,1.4 --mass=1,9 --area-fraction=0.7 --periodic=x
80 --radius=1~0.4 --area-fraction=0.75 --periodic=xy
80 --radius=1e-9 --area-fraction=0.6 --speed=1e-9
9 --area-fraction=0.5 --aspect=3
REQUESTS

# A dense start that is no crystal, which has the velocities of the gas that it is made of.
particles --generate=60 --area-fraction=0.72 --periodic=xy --disordered --quiet --seed=2
mv "$work/out" "$work/disordered"
cp "$work/err" "$work/log"
particles --rule=elastic --periodic=xy --structure="$work/structure" --every=1 --stats="$work/figures" \
    "$work/disordered" 1
verdict "a start that is no crystal" "$(cat "$work/log" "$work/err"
    awk -F , '$1 == "psi6_global_at" && $3 == 0 { order = $4; found = 1 }
        END { if (!found || order > 0.5) print "its order is " order }' "$work/structure"
    awk '$1 == "area_fraction" && ($3 - 0.72) ^ 2 > 1e-12 { print } $1 == "energy_start" && ($3 - 30) ^ 2 > 1e-12 { print }
        ' "$work/figures")"

finish
