#!/bin/sh
# Every kind of bad input gets its message, with file, line and what was expected, its status and
# an empty standard output.
. tests/support/expect.sh

# refuse NAME LINE PATTERN TEXT [OPTION]: the input TEXT (as printf has it) is refused for its line
# LINE
refuse() {
    printf "$4" >"$work/input"
    expect_error "$1" 65 "input:$2: .*$3" ${5:+"$5"} "$work/input" 10
}

expect_error "a missing file" 66 "nothing: cannot open: " "$work/nothing" 10
expect_error "a directory" 66 ": cannot read: " "$work" 10
expect_error "an empty name" 66 "cannot open: " "" 10
printf '1\n' >"$work/secret"
chmod 0 "$work/secret"
if [ ! -r "$work/secret" ]; then
    expect_error "an unreadable file" 66 "secret: cannot open: " "$work/secret" 10
elif command -v setpriv >/dev/null; then
    # This user can read everything, so another user tries, with a copy of the program.
    chmod 755 "$work" && cp "$PROGRAM" "$work/program"
    setpriv --reuid=65534 --clear-groups "$work/program" "$work/secret" 10 >"$work/out" 2>"$work/err"
    status=$?
    expect_error "an unreadable file" 66 "secret: cannot open: "
else
    echo "an unreadable file: not tested, for nothing is unreadable to this user"
fi
printf '1\n1\n' >"$work/input"
particles - 10 <"$work/input"
expect_error "standard input" 65 "standard input:3: expected the box's width Lx, found the end"

refuse "an empty file"         1 "expected the number of particles.*the end of the file" ''
refuse "only comments"         3 "expected the number of particles.*the end of the file" '# a\n# b\n'
refuse "N is text"             1 "expected the number of particles.*found 'many'" 'many\n'
refuse "UTF-16"                1 "found '.*', which is UTF-16: convert it to UTF-8" '\377\376\061\0\n\0'
refuse "N is 0"                1 "at least 1, found '0'" '0\n1\n20 20\n'
refuse "N is negative"         2 "at least 1, found '-3'" '\n-3\n1\n20 20\n'
refuse "N is not whole"        1 "found '2.5', which is not a whole number" '2.5\n1\n20 20\n'
refuse "N has an exponent"     1 "found '1e1', which is not a whole number" '1e1\n'
refuse "N cannot be counted"   1 "found '9{26}', which is too large" '99999999999999999999999999\n'
refuse "the radius is text"    2 "expected the radius, found 'big'" '1\nbig\n20 20\n5 5 1 1\n'
refuse "the radius is negative" 2 "radius must be 0 or from .*, not -1" '1\n-1\n20 20\n5 5 1 1\n'
refuse "the radius is NaN"     2 "found 'nan', which is not finite" '1\nnan\n20 20\n5 5 1 1\n'
refuse "the radius is absurd"  2 "radius must be" '1\n1e-300\n20 20\n5 5 1 1\n'
refuse "no box"                3 "expected the box's width Lx, found the end of the file" '1\n1\n'
refuse "half a box"            4 "expected the box's height Ly, found the end of the file" '1\n1\n20\n'
refuse "a box of three sides"  3 "expected the end of the line .*, found '20'" '1\n1\n20 20 20\n5 5 1 1\n'
refuse "a box of width 0"      3 "width must be" '1\n0\n0 20\n0 5 1 1\n'
refuse "a box beyond bounds"    3 "width must be from 1e-40 to 1e.40, not 1e.300$" '1\n1\n1e300 20\n'
refuse "a box too narrow"      4 "particle 0 does not fit into the box: its diameter, 2, is more than the box's width, 1.5" '1\n1\n1.5 20\n1 5 1 1\n'
refuse "a box too low"         4 "its diameter, 2, is more than the box's height, 1.5" '1\n1\n20 1.5\n5 1 1 1\n'
refuse "a box too large"       3 "height must be" '1\n1\n20 1e200\n5 5 1 1\n'
refuse "text in a particle"    4 "expected u of particle 0 .*found 'fast', which is not a number" '1\n1\n20 20\n5 5 fast 1\n'
refuse "trailing characters"   5 "expected y of particle 1 .*found '5x', which is not a number" '2\n1\n20 20\n5 5 1 1\n9 5x 1 1\n'
refuse "a number too many"     4 "expected the end of the line after x y u v radius mass species of particle 0, .* found '8'" '2\n1\n20 20\n5 5 1 1 1 1 0 8\n9 5 1 1\n'
refuse "a number too few"      4 "expected v of particle 0 .1 of 2., found the end of the line, and '5' after what is missing on line 5" '2\n1\n20 20\n5 5 1\n9 5 1 1\n'
refuse "two numbers too few"   5 "expected u of particle 1 .2 of 3., found the end of the line, and '7' after what is missing on line 6" '3\n1\n20 20\n5 5 1 1\n9 5\n9 9 7 7\n5 5 5 5\n'
refuse "a number too few, by more lines" 4 "expected y of particle 0 .*, found the end of the line, and '2' after what is missing on line 6" '1\n1\n20 20\n5\n5\n1 1 2\n'
refuse "a last number too few" 4 "expected v of particle 0 .1 of 1., found the end of the file" '1\n1\n20 20\n5 5 1\n'
refuse "too few particles"     5 "expected x of particle 1 .2 of 2., found the end of the file" '2\n1\n20 20\n5 5 1 1\n'
refuse "no particles"          3 "expected x of particle 0 .1 of 2., found the end of the file" '2\n1\n20 20'
refuse "too many particles"    5 "expected the end of the file after the last particle, found '9'" '1\n1\n20 20\n5 5 1 1\n9 5 1 1\n'
refuse "text at the end"       6 "expected the end of the file after the last particle, found 'bye'" '1\n1\n20 20\n5 5 1 1\n\nbye\n'
refuse "half a byte order mark" 1 "found '\\?\\?1', which is not a whole number" '\357\2731\n1\n20 20\n'
refuse "two byte order marks"  1 "found '\\?\\?\\?1', which is not a whole number" '\357\273\277\357\273\2771\n1\n20 20\n'
refuse "a late byte order mark" 2 "found '\\?\\?\\?1', which is not a whole number" '\n\357\273\2771\n1\n20 20\n'
refuse "a byte order mark and nothing" 1 "expected the number of particles.*the end of the file" '\357\273\277'
refuse "a comma"               4 "found '5,', which is not a number" '1\n1\n20 20\n5, 5, 1, 1\n'
refuse "an infinite velocity"  4 "found 'inf', which is not finite" '1\n1\n20 20\n5 5 inf 1\n'
refuse "a number that overflows" 4 "found '1e999', which is not finite" '1\n1\n20 20\n5 5 1 1e999\n'
refuse "a number that underflows" 4 "found '1e-999', which is too close to zero" '1\n1\n20 20\n5 5 1 1e-999\n'
refuse "an absurd velocity"    4 "particle 0 is too fast: v = 1e.99" '1\n1\n20 20\n5 5 1 1e99\n'
refuse "a zero byte"           4 "found '5\\?', which is not a number" '1\n1\n20 20\n5 5\0 1 1\n'
refuse "a control character"   4 "found '5\\?\\[2J'" '1\n1\n20 20\n5 5\033[2J 1 1\n'
refuse "an endless word"       4 "found '7{40}'\\.\\.\\., which is too long" "1\n1\n20 20\n5 $(printf '%02000d' 0 | tr 0 7) 1 1\n"
refuse "left of the box"       4 "particle 0 is not inside the box: x = 0.5, must be from 1 to 19" '1\n1\n20 20\n.5 5 1 1\n'
refuse "right of the box"      5 "particle 1 is not inside the box: x = 19.001" '2\n1\n20 20\n5 5 1 1\n19.001 5 1 1\n'
refuse "below the box"         4 "particle 0 is not inside the box: y = -5" '1\n1\n20 20\n5 -5 1 1\n'
refuse "above the box"         4 "particle 0 is not inside the box: y = 1e.30" '1\n1\n20 20\n5 1e30 1 1\n'
refuse "an overlap"            8 "particle 2 overlaps particle 0 .line 5.: .* 1.5 apart.* 2" '3\n1\n20 20\n\n5 5 1 1\n9 9 1 1\n#\n5 6.5 1 1\n'
refuse "the digits of an overlap" 5 "are 0.948683298050514 apart" '2\n1\n20 20\n5 5 1 1\n5.9 5.3 1 1\n' # not hypot's
refuse "two at one place"      5 "particle 1 overlaps particle 0 .line 4.: .* 0 apart" '2\n1\n20 20\n5 5 1 1\n5 5 1 1\n'
refuse "an overlap by a millionth" 5 "overlaps" '2\n1\n20 20\n5 5 1 1\n6.999999 5 1 1\n'

refuse "a wedged disk"         4 "particle 0 has no room .*: its velocity u must be 0, not 0.5" '1\n1\n2 20\n1 5 .5 1\n'
refuse "a disk wedged upright" 4 "particle 0 has no room .*: its velocity v must be 0, not -1" '1\n1\n20 2\n5 1 0 -1\n'
refuse "an overlap in a huge box" 5 "overlaps" '2\n1\n1e17 1e17\n5 5 1 1\n5 6.99 1 1\n'
refuse "an escape in a huge box"  4 "not inside" '1\n1\n1e17 1e17\n0.99 5 1 1\n'

# The optional columns.
refuse "a radius that is text"     4 "expected the radius of particle 0 .1 of 1., found 'big', which is not a number" '1\n1\n20 20\n5 5 1 1 big\n'
refuse "a mass that is text"       5 "expected the mass of particle 1 .2 of 2., found 'heavy', which is not a number" '2\n1\n20 20\n5 5 1 1\n9 9 1 1 1 heavy\n'
refuse "a species that is text"    4 "expected the species, a whole number from 0 to 2147483647, of particle 0 .*found 'red', which is not a whole" '1\n1\n20 20\n5 5 1 1 1 1 red\n'
refuse "a species with a fraction" 4 "found '1.5', which is not a whole number" '1\n1\n20 20\n5 5 1 1 1 1 1.5\n'
refuse "a negative species"        4 "found '-1', which is not a whole number" '1\n1\n20 20\n5 5 1 1 1 1 -1\n'
refuse "a species too large"       4 "found '2147483648', which is too large" '1\n1\n20 20\n5 5 1 1 1 1 2147483648\n'
refuse "a negative radius"         4 "a particle's radius must be 0 or from 1e-40 to 1e.40, not -1" '1\n1\n20 20\n5 5 1 1 -1\n'
refuse "an absurd radius"          4 "a particle's radius must be .* not 1.*e.50" '1\n1\n20 20\n5 5 1 1 1e50\n'
refuse "a radius that is NaN"      4 "found 'nan', which is not finite" '1\n1\n20 20\n5 5 1 1 nan\n'
refuse "a mass that is infinite"   4 "found 'inf', which is not finite" '1\n1\n20 20\n5 5 1 1 1 inf\n'
refuse "a mass of 0"               4 "a particle's mass must be from 1e-40 to 1e.40, not 0" '1\n1\n20 20\n5 5 1 1 1 0\n'
refuse "a negative mass"           4 "a particle's mass must be .* not -2" '1\n1\n20 20\n5 5 1 1 1 -2\n'
refuse "an absurd mass"            4 "a particle's mass must be .* not 1e.41" '1\n1\n20 20\n5 5 1 1 1 1e41\n'
refuse "an endless column"         4 "found '7{40}'\\.\\.\\., which is too long" "1\n1\n20 20\n5 5 1 1 $(printf '%02000d' 0 | tr 0 7)\n"
refuse "a column on a line of its own" 4 "expected v of particle 0 .1 of 1., found the end of the line, and '1' after what is missing on line 5" '1\n1\n20 20\n5 5 1\n1 1\n'
refuse "a disk too large for the box" 4 "particle 0 does not fit into the box: its diameter, 22, is more than the box's width, 20" '1\n1\n20 30\n5 5 0 0 11\n'
refuse "a disk too high for the box" 4 "particle 0 does not fit .* height, 20" '1\n1\n30 20\n5 5 0 0 11\n'
refuse "an outsider by its own radius" 5 "particle 1 is not inside the box: y = 3, must be from 4 to 16" '2\n1\n20 20\n9 9 1 1\n9 3 1 1 4\n'
refuse "a wedged disk of its own"  4 "particle 0 has no room .*: its velocity v must be 0, not 1" '1\n1\n20 8\n5 4 1 1 4\n'
refuse "a default radius too large, used by the second" 5 "particle 1 does not fit into the box: its diameter, 30, is more than the box's width, 20" '2\n15\n20 40\n9 9 1 1 1\n9 30 1 1\n'
refuse "an overlap of unequal disks" 5 "particle 1 overlaps particle 0 .line 4.: .* 4 apart, less than the sum of their radii, 4.5" '2\n1\n20 20\n9 9 1 1\n9 5 1 1 3.5\n'
refuse "an overlap of equal ones"  6 "particle 2 overlaps particle 1 .line 5.: .* 4 apart, less than their diameter, 5" '3\n1\n20 20\n19 19 1 1\n9 9 1 1 2.5\n9 5 1 1 2.5\n'
refuse "a point in a disk"         5 "overlaps .* 0.5 apart, less than the sum of their radii, 1" '2\n1\n20 20\n9 9 1 1\n9 9.5 1 1 0\n'
refuse "masses that cannot switch" 6 "particle 2 has mass 2, and particle 0 .line 4. has 1: .*--rule=elastic" '3\n1\n20 20\n9 9 1 1\n5 5 1 1 1 1 3\n15 5 1 1 1 2\n'
refuse "masses that cannot switch, plain ones last" 5 "particle 1 has mass 1, and particle 0 .line 4. has 2: .*--rule=elastic" '2\n1\n20 20\n9 9 1 1 1 2\n5 5 1 1\n'

# Periodic boxes.
refuse "a periodic side too short" 4 "particle 0 is too large for a periodic box: the width, 3.5, must be at least 4 times its radius, 1" '1\n1\n3.5 20\n1 5 1 1\n' --periodic=xy
refuse "a periodic side too low"   4 "too large for a periodic box: the height, 3.5" '1\n1\n20 3.5\n5 1 1 1\n' --periodic=y
refuse "a disk too large to be periodic" 5 "particle 1 is too large for a periodic box: the height, 20, must be at least 4 times its radius, 6" '2\n1\n20 20\n2 5 1 1\n9 9 1 1 6\n' --periodic=y
refuse "left of the seam"          4 "particle 0 is not inside the box: x = -0.01, must be from 0 to 20" '1\n1\n20 20\n-.01 5 1 1\n' --periodic=x
refuse "right of the seam"         4 "not inside the box: x = 20.000001, must be from 0 to 20" '1\n1\n20 20\n20.000001 5 1 1\n' --periodic=x
refuse "below the seam"            4 "not inside the box: y = -1, must be from 0 to 20" '1\n1\n20 20\n5 -1 1 1\n' --periodic=xy
refuse "in a wall beside a seam"   4 "not inside the box: y = 0.5, must be from 1 to 19" '1\n1\n20 20\n0 .5 1 1\n' --periodic=x
refuse "an overlap across a seam"  6 "particle 2 overlaps particle 1 .line 5.: .* 1.5 apart.* 2" '3\n1\n20 20\n9 9 0 0\n0.5 5 0 0\n19 5 0 0\n' --periodic=x
refuse "an overlap across the other seam" 5 "particle 1 overlaps particle 0 .line 4.: .* 1.5 apart" '2\n1\n20 20\n5 19 0 0\n5 .5 0 0\n' --periodic=y
refuse "an overlap across a corner" 6 "particle 2 overlaps particle 1 .line 5.: .* 1.41421[0-9]* apart" '3\n1\n20 20\n9 9 0 0\n0.5 0.5 0 0\n19.5 19.5 0 0\n' --periodic=xy
refuse "an overlap across the other corner" 5 "particle 1 overlaps particle 0 .line 4.: .* 1.41421[0-9]* apart" '2\n1\n20 20\n0.5 19.5 0 0\n19.5 0.5 0 0\n' --periodic=xy
refuse "an overlap of unequal disks across a seam" 5 "particle 1 overlaps particle 0 .line 4.: .* 3.5 apart, less than the sum of their radii, 4.5" '2\n1\n20 20\n18 9 0 0 4\n1.5 9 0 0 .5\n' --periodic=x
refuse "two at one place, 0 and L" 5 "particle 1 overlaps particle 0 .line 4.: .* 0 apart" '2\n1\n20 20\n0 0 1 1\n20 20 1 1\n' --periodic=xy

# What is at L is at 0, and so is what rounding puts before 0; touching across seams is no overlap.
printf '4\n0.1\n0.8 0.8\n0.8 -0 0 0\n0.6 -1e-17 0 0\n0.2 0.8 0 0\n0.0 0.6 0 0\n' >"$work/input"
printf '%s, 0, 0\n' "0.000000, 0.000000" "0.600000, 0.000000" "0.200000, 0.000000" \
    "0.000000, 0.600000" >"$work/expected"
for kind in textbook array cells; do
    expect_output "on the seams and touching, $kind" "$work/expected" --periodic=xy --schedule=$kind "$work/input" 10
done
for axes in z yx "" xyx; do
    expect_error "--periodic=$axes" 64 "unknown axes '$axes': use x, y or xy" "--periodic=$axes" "$work/input" 1
done
expect_output "the last --periodic counts" "$work/expected" --periodic=x --periodic=xy "$work/input" 10
particles --resume=saved --periodic=x
expect_error "--periodic with --resume" 64 "'--periodic=x' is not for --resume: it is as in the checkpoint"

# A run without progress is noticed in the run: the message has no line, but the time.
printf '3\n.1\n.6 20\n.1 1 1 .1\n.3 1 0 .1\n.5 1 -1 .1\n' >"$work/input"
expect_error "disks wedged in a row" 65 "input: .*no room" "$work/input" 10
particles - 9 <"$work/input"
expect_error "disks wedged in standard input" 65 "standard input: .*no room"
particles data/particles_walls.txt 1e30
expect_error "an END_TIME out of reach" 65 "particles_walls.txt: END_TIME 1e.30 is out of reach"
printf '1\n.1\n1 1\n.5 .5 1e20 1\n' >"$work/input"
expect_error "a particle too fast for END_TIME" 65 "input: END_TIME 1 is out of reach" "$work/input" 1
printf '1\n.1\n1 1\n.5 .5 1e20 1\n' >"$work/input"
expect_error "a particle that passes seams too fast" 65 \
    "input: END_TIME 1 is out of reach: .* 1e.15 collisions and passages of seams; the last" \
    --periodic=x "$work/input" 1
printf '2\n1\n4 9\n0 5 1 0\n2 5 0 0\n' >"$work/input"
expect_error "disks wedged around a periodic axis" 65 "input: at time 0 disks are wedged" --periodic=xy "$work/input" 1
# Rows that fill the box on paper; in binary some are left a last bit of room.
for radius in 0.1 0.3 0.5 0.7; do
    for count in 3 $([ -n "$THOROUGH" ] && echo 2 5 8 40 || echo 20); do
        awk -v r=$radius -v n=$count 'BEGIN {
            printf "%d\n%s\n%.10g 5\n", n, r, 2 * r * n
            for (k = 0; k < n; k++) printf "%.10g 2 %d 0\n", r * (2 * k + 1), k % 2 ? -1 : 1
        }' >"$work/input"
        expect_error "$count disks of radius $radius wedged" 65 "input: .*no room" "$work/input" 10
    done
done
# A light disk that two heavy ones close in on, among many that have nothing to do with it.
awk 'BEGIN {
    print "30000\n0.1\n30000 10\n0.5 5 1 0 0.1 1e40\n0.9 5 0 0 0.1 1e-30\n1.3 5 -1 0 0.1 1e40"
    for (k = 3; k < 30000; k++) print k - 0.5, "5 0 0"
}' >"$work/input"
timeout 60 $RUN_WITH "$PROGRAM" --rule=elastic "$work/input" 10 >"$work/out" 2>"$work/err"
status=$?
expect_error "a few disks wedged among many" 65 "input: at time 0.2[0-9]* disks are wedged"
# The same behind a wall, in a gas in which all have collided before; and very many in a row. It must not
# take longer because there are more.
"$PROGRAM" --quiet --generate=20000 --area-fraction=0.4 --radius=0.1 >"$work/gas"
awk -v wall="$work/wall" 'NR == 1 { $1 += 3 }
    NR == 3 { printf "0 %s\n%s %s\n", $2 + 0.5, $1, $2 + 0.5 >wall; y = $2 + 1; $2 += 2 }
    { print }
    NR == 3 { print "0.5", y, "0.1 0 0.1 1e40\n0.9", y, "0 0 0.1 1e-30\n1.3", y, "-0.1 0 0.1 1e40" }' \
    "$work/gas" >"$work/input"
timeout 20 $RUN_WITH "$PROGRAM" --rule=elastic --obstacle="$work/wall" "$work/input" 10 >"$work/out" 2>"$work/err"
status=$?
expect_error "a few disks wedged beside a gas" 65 "input: at time 2 disks are wedged"
awk 'BEGIN { print "20201\n0.5\n20201 9"; for (k = 0; k < 20201; k++) print k + 0.5, 4, k * 7919 % 13 - 6, 0 }' \
    >"$work/input"
timeout 20 $RUN_WITH "$PROGRAM" "$work/input" 10 >"$work/out" 2>"$work/err"
status=$?
expect_error "very many disks wedged in a row" 65 "input: at time 0 disks are wedged"
timeout 20 $RUN_WITH "$PROGRAM" /dev/zero 1 >"$work/out" 2>"$work/err"
status=$?
expect_error "a word without an end" 65  "/dev/zero:1: expected the number of particles.*found '\\?{40}'\\.\\.\\."

# Touching on paper is no overlap, and no escape, though it may look so in binary.
printf '3\n0.1\n0.7 0.3\n0.1 0.2 0 0\n0.3 0.2 0 0\n0.5 0.2 0 0\n' >"$work/input"
printf '0.100000, 0.200000, 0, 0\n0.300000, 0.200000, 0, 0\n0.500000, 0.200000, 0, 0\n' \
    >"$work/expected"
expect_output "touching" "$work/expected" "$work/input" 10

# Too many particles for the array: said at once, with what it would take.
for count in 100000 1000000; do
    printf '%s\n1\n20 20\n' $count >"$work/input"
    particles --schedule=array "$work/input" 10
    expect_error "N = $count" 71 "input:1: .*$count particles have .* array schedule.* [GTPEZ]B"
done

# More than can be numbered, by any schedule or none.
for count in 268435457 5000000000 18446744073709551615 99999999999999999999; do
    printf '%s\n1\n20 20\n' $count >"$work/input"
    for option in --schedule=array --schedule=cells --schedule=textbook --step=0.1 --lattice=20 --quiet; do
        particles $option "$work/input" 10
        expect_error "N = $count, $option" 65 "input:1: expected the number of particles.* '$count', which is too large"
    done
done
printf '268435456\n1\n20 20\n' >"$work/input"
particles --step=0.1 "$work/input" 10
verdict "the words of a run in steps" "$(grep -E "cells|schedule" "$work/err")"

# Standard output to what is read, appended to it or after the shell has emptied it.
printf '1\n1\n20 20\n5 5 0 0\n' >"$work/input"
printf '0 0\n20 0\n20 20\n0 20\n' >"$work/room"
echo 'quiet' >"$work/config"
echo '0 1 2' >"$work/pairs"
# apart NAME FILE OPERATOR ARGUMENT...: a run with these, whose output goes to FILE
apart() {
    name=$1 file=$work/$2 operator=$3
    shift 3
    cp "$file" "$work/before"
    if [ "$operator" = ">" ]; then : >"$file"; fi
    $RUN_WITH "$PROGRAM" "$@" >>"$file" 2>"$work/err" <"$work/input"
    status=$?
    : >"$work/out"
    expect_error "$name" 64 "standard output"
    [ "$operator" = ">" ] || verdict "$name: it stays" "$(cmp "$file" "$work/before" 2>&1)"
    cp "$work/before" "$file"
}
apart "> INPUT" input ">" "$work/input" 1
apart ">> INPUT" input ">>" "$work/input" 1
apart ">> standard input" input ">>" - 1
apart ">> a file of polygons" room ">>" --domain="$work/room" "$work/input" 1
apart ">> a file of polygons, generated" room ">>" --domain="$work/room" --radius=1 --generate=3
apart ">> a file of options" config ">>" --config="$work/config" "$work/input" 1
apart ">> a file of pairs" pairs ">>" --step=1 --interaction="bond k=1 file=$work/pairs" "$work/input" 1
apart ">> a file that is written" room ">>" --events="$work/room" "$work/input" 1

# What is no text may have no end: each file that an option names is read up to its first byte 0.
printf '1\n1\n20 20\n5 5 0 0\n' >"$work/input"
while IFS='|' read -r option message; do
    timeout 20 $RUN_WITH "$PROGRAM" --step=1 "--$option" "$work/input" 1 >"$work/out" 2>"$work/err"
    status=$?
    expect_error "$option" 65 "/dev/zero:1: expected $message"
done <<'END'
obstacle=/dev/zero|x and y of a vertex.*found '\?{40}'
domain=/dev/zero|x and y of a vertex.*found '\?{40}'
constraint=link file=/dev/zero|i j length
interaction=bond file=/dev/zero k=1|i j length
END
for option in config resume; do
    timeout 20 $RUN_WITH "$PROGRAM" --$option=/dev/zero "$work/input" 1 >"$work/out" 2>"$work/err"
    status=$?
    expect_error "--$option=/dev/zero" 64 ""
done
{ printf '1\n# a comment'; cat /dev/zero; } | timeout 20 $RUN_WITH "$PROGRAM" - 1 >"$work/out" 2>"$work/err"
status=$?
expect_error "a comment without an end" 65 "standard input:2: expected the radius, found '\\?{40}'"
for text in 'NACA 12\n0 0\n1 0\0\n1 1\n' 'N\n0 0\n1 0 # \0\n1 1\n' '0 0\n1 0\n\0\n'; do
    printf "$text" >"$work/polygon"
    expect_error "a byte 0 in $text" 65 "polygon:3: expected .*\\?'" --obstacle="$work/polygon" "$work/input" 1
done

finish
