#!/bin/sh
# Polygon files: what is read, what is refused with which message, where particles may be; and runs
# that are interrupted and go on without the files.
. tests/support/expect.sh

cat >"$work/input" <<'END'
3
0.5
20 20
5 5 1 .5
10 3 -1 .2
15 15 .3 -.7
END

# run OPTION TEXT [MORE]: runs with the polygon file TEXT (as printf has it)
run() {
    printf -- "$2" >"$work/polygons"
    particles "$1=$work/polygons" ${3:+"$3"} "$work/input" 100
}

# accept NAME TEXT [MORE]: such an obstacle is read
accept() {
    run --obstacle "$2" "${3:-}"
    verdict "$1" "$(cat "$work/err")"
}

# same NAME TEXT: such an obstacle is the same as that of the last accept
same() {
    cp "$work/out" "$work/before"
    run --obstacle "$2"
    expect_output "$1" "$work/before"
}

# refuse NAME LINE PATTERN TEXT [MORE]: it is refused for its line LINE
refuse() {
    run --obstacle "$4" "${5:-}"
    expect_error "$1" 65 "polygons:$2: .*$3"
}

# misplaced NAME PATTERN OPTION TEXT [MORE]: a particle is refused, at its line
misplaced() {
    run "$3" "$4" "${5:-}"
    expect_error "$1" 65 "input:$2"
}

# Forms of files that are accepted.
accept "a square" '8 8\n12 8\n12 12\n8 12\n\n2 2\n2 7\n'
same "comments, blank lines, a last line without end" \
    '# a\n\n \n8 8 # b\n12 8\n# c\n12 12\n8 12\n\n\n#d\n\n2 2\n2 7'
same "line ends of other systems and a byte order mark" '\357\273\2778 8\r\n12 8\r\n12 12\r\n8 12\r\n\r\n2 2\r\n2 7\r\n'
same "repeated first vertices" '8 8\n12 8\n12 12\n8 12\n8 8\n\n2 2\n2 7\n2 2\n'
same "other numbers for the same" '.8e1 8\n12 8.000\n+12 12\n8 1.2E1\n\n2\t2\n 2 7 '
accept "an airfoil in Selig's form" 'NACA 9999\n13 10\n10 11\n7 10\n10 9.5\n13 10\n'
same "a name that begins with a digit" '# a\n23012 FOIL 12%%\n13 10\n10 11\n7 10\n10 9.5\n'
same "an airfoil in Lednicer's form" 'NACA 9999\n 3. 3.\n\n7 10\n10 11\n13 10\n\n7 10\n10 9.5\n13 10\n'
# placed NAME PLACES FILE: so placed, FILE (as printf has it) is the same obstacle
placed() {
    cp "$work/out" "$work/before"
    printf "$3" >"$work/a wing"
    expect_output "$1" "$work/before" --obstacle="$work/a wing $2" "$work/input" 100
}
placed "an airfoil that is scaled and moved" "scale=3,0.5 at=10,10" 'NACA 9999\n1 0\n0 2\n-1 0\n0 -1\n1 0\n'
placed "and turned" "at=10,10 angle=90 scale=0.5" '23012 FOIL\n0 -6\n2 0\n0 6\n-1 0\n'
echo "obstacle $work/a wing angle=-270 at=10,10" >"$work/config"
printf '0 -3\n1 0\n0 3\n-0.5 0\n' >"$work/a wing"
cp "$work/out" "$work/before"
expect_output "placed by a file of options" "$work/before" --config="$work/config" "$work/input" 100
particles --generate=5 --area-fraction=0.01 --obstacle="$work/a wing at=10,10"
verdict "placed when a system is generated" "$(grep -qF -- "--obstacle='$work/a wing at=10,10'" "$work/err" || cat "$work/err")"
accept "thin walls that meet" '8 8\n12 8\n\n12 8\n12 12\n\n10 8\n10 5\n\n12 10\n20 10\n'
accept "obstacles that touch" '8 8\n9 8\n9 9\n\n9 8\n10 8\n10 9\n\n9 9\n8 10\n8 9\n'
accept "obstacles that share a side" '8 8\n9 8\n9 9\n\n8 8\n9 9\n8 9\n'
accept "obstacles that share a part of a side" '1 1\n3 1\n2 2\n\n0 1\n2 1\n2 0\n'
accept "an obstacle in an obstacle" '8 8\n12 8\n12 12\n8 12\n\n9 9\n10 9\n10 10\n'
accept "an obstacle across a seam" '-1 8\n1 8\n1 9\n' --periodic=x
accept "a floor from seam to seam" '0 0\n20 0\n20 1\n10 2\n0 1\n' --periodic=x

# Faults in files.
expect_error "a missing file" 66 "nothing: cannot open: " --obstacle="$work/nothing" "$work/input" 1
expect_error "a directory" 66 ": cannot read: " --obstacle="$work" "$work/input" 1
expect_error "an empty name" 64 "--obstacle takes a file of polygons, not ''" --obstacle= "$work/input" 1
expect_error "standard input" 64 "--domain takes a file of polygons, not '-'" --domain=- "$work/input" 1
# misplaced_by PATTERN KEYS: these say wrongly where the polygons go
misplaced_by() {
    expect_error "$2" 64 "--obstacle 'wing.txt $2'$1" --obstacle="wing.txt $2" "$work/input" 1
}
misplaced_by " has no 'size': it has scale, angle, at" "size=3"
misplaced_by ": scale takes one or two numbers other than 0" "scale=0"
misplaced_by ": scale takes" "scale=1,0"
misplaced_by ": scale takes" "scale=1,2,3"
misplaced_by ": 'scale=' should be KEY=VALUE" "scale="
misplaced_by ": scale takes" "scale=nan"
misplaced_by ": scale takes" "scale=1e41"
misplaced_by ": angle takes a number from -360 to 360, and '361' is too large" "angle=361"
misplaced_by ": angle takes" "angle=1,2"
misplaced_by ": at takes x and y, such as 20,10" "at=3"
misplaced_by ": at takes" "at=3,4x"
misplaced_by ": 'at' is given twice" "at=3,4 scale=2 at=3,4"
misplaced_by ": '5' should be KEY=VALUE" "at=3,4 5"
expect_error "keys without a file" 64 "--domain takes a file of polygons, not ''" --domain="  at=3,4" "$work/input" 1
printf '1 1\n1e300 1\n1 2\n' >"$work/polygons"
particles --domain="$work/polygons scale=1e20" "$work/input" 1
expect_error "beyond all numbers" 65 "polygons:2: the vertex is too far off"
printf '1 1\n2 1\n1 2\n' >"$work/polygons"
particles --obstacle="$work/polygons at=3,3" --obstacle="$work/polygons at=2.5,3.5" "$work/input" 1
expect_error "a file that crosses itself elsewhere" 65 "polygons:.: side . of polygon 0 .line .. crosses side . of polygon 0 of .*polygons at=3,3 .line .|polygons:.: .*of .*polygons at=2.5,3.5"
expect_error "two domains" 64 "--domain is given twice, 'a' and 'b'" --domain=a --domain=b "$work/input" 1
expect_error "with --resume" 64 "option '--domain=a' is not for --resume" --domain=a --resume=b
refuse "an empty file" 1 "expected a vertex, found the end of the file" ''
refuse "only comments" 3 "expected a vertex, found the end of the file" '# a\n# b\n'
refuse "only a name" 2 "expected a vertex, found the end of the file" 'NACA 0012\n'
refuse "one vertex" 1 "two vertices or more" '1 1\n'
refuse "the same vertex twice" 3 "two vertices or more" '\n\n1 1\n1 1\n'
refuse "a side of length 0" 3 "vertex 2 2 is that of line 2 once more" '1 1\n2 2\n2 2\n3 1\n'
refuse "closed twice" 4 "that of line 5|that of line 1|that of line 4" '1 1\n2 2\n3 1\n1 1\n1 1\n'
refuse "half a vertex" 2 "found the end of the line after x" '1 1\n2\n3 1\n'
refuse "a third number" 2 "expected the end of the line after x and y, found '3'" '1 1\n2 2 3\n3 1\n'
refuse "no number" 2 "found '2x', which is not a number" '1 1\n2x 2\n3 1\n'
refuse "no number as y" 2 "found '\\?\\[m', which is not a number" '1 1\n2 \033[m\n3 1\n'
refuse "a number first that is none" 1 "found '1x', which is not a number" '1x 1\n2 2\n3 1\n'
refuse "NaN" 1 "found 'nan', which is not finite" 'nan 1\n2 2\n3 1\n'
refuse "an infinite number" 2 "found 'inf', which is not finite" '1 1\n2 inf\n3 1\n'
refuse "a digit that is a letter" 1 "found 'O.5', which is not a number" '1 O.5\n2 2\n3 1\n'
refuse "NaN as y" 1 "found 'nan', which is not finite" '1 nan\n2 2\n3 1\n'
refuse "a late name" 3 "found 'wing', which is not a number" '1 1\n2 2\nwing\n3 1\n'
refuse "counts that are wrong" 2 "have 3 and 2 vertices, and the file has 6" 'a\n3 2\n\n7 10\n10 11\n13 10\n\n7 10\n10 9.5\n13 10\n'
refuse "zero bytes" 1 "found '\\?\\?', which is not a number" '\000\000'
refuse "an endless word" 1 "found '7{40}'\\.\\.\\., which is too long" "$(printf '%02000d' 0 | tr 0 7) 1\n"
refuse "outside the box" 3 "y = 20.5 is outside the box: it must be from 0 to 20" '1 1\n2 2\n3 20.5\n'
refuse "left of the box" 2 "x = -0.5 is outside the box" '1 1\n-.5 2\n3 5\n'
refuse "far outside a periodic box" 1 "x = -21 is outside the box: it must be from -20 to 40" '-21 1\n2 2\n3 5\n' --periodic=x
for axes in x xy; do
    run --domain '-1 1\n19 1\n19 19\n-1 19\n' --periodic=$axes
    expect_error "a domain across a seam, $axes" 65 "polygons:1: x = -1 is outside the box"
done
refuse "half of a vertex on the second surface of an airfoil" 9 "two numbers, found the end of the line after x" \
    'NACA 9999\n 3. 3.\n\n7 10\n10 11\n13 10\n\n7 10\n10\n13 10\n'
refuse "longer than a periodic box" 1 "along x, which is periodic, .* longer than the box: 21, and the box 20" '0 1\n21 2\n3 5\n' --periodic=x
refuse "a polygon that crosses itself" 3 "side 2 of polygon 0 .line 3. crosses side 0 of polygon 0 .line 1." '1 1\n2 2\n2 1\n1 2\n'
refuse "a side that folds back" 3 "side 2 of polygon 0 .line 3. lies on a part of side 0" '1 1\n2 2\n3 3\n'
refuse "two that cross" 5 "side 0 of polygon 1 .line 5. crosses side 0 of polygon 0" '1 1\n3 1\n2 2\n\n2 0\n2 1.5\n3 0\n'
refuse "one in another, flush" 5 "lies on a part of side 0" '1 1\n4 1\n2 3\n\n2 1\n3 1\n2 2\n'
refuse "walls that cross" 4 "side 0 of polygon 1 .line 4. crosses" '1 1\n2 2\n\n1 2\n2 1\n'
refuse "two that cross at a vertex" "[0-9]*" "at an end of side .* the polygon crosses" '1 1\n2 2\n3 1\n3 3\n2 2\n1 3\n\n2 2\n2 1\n4 0\n4 4\n2 3\n'
refuse "an image that crosses" "[57]" "crosses" '19 1\n22 1\n22 2\n\n1 0\n1 3\n0.5 3\n' --periodic=x
refuse "a polygon given twice" 5 "polygon 1 is there twice, first as polygon 0 of .*polygons .line 1." '1 1\n2 1\n1 2\n\n1 1\n2 1\n1 2\n'
run --obstacle '8 8\n12 8\n12 12\n\n2 2\n2 7\n' --obstacle="$work/polygons"
expect_error "a file given twice" 65 "polygons:5: polygon 1 is there twice, first as polygon 1 of .*polygons .line 5.: give each file and each polygon only once"
printf '1 1\n2 1\n1 2\n' >"$work/other"
run --obstacle '1.5 0\n1.5 5\n' --obstacle="$work/other"
expect_error "files that cross" 65 "other:2: side 1 .* crosses side 0 of polygon 0 of .*polygons .line 1.: polygons may touch|other:1: side 0"

# Obstacles that stand on the domain's sides, on walls, on a tip and on each other; points that travel into
# the corners between them.
printf '4 4\n16 4\n16 12\n10 12\n4 12\n' >"$work/room"
printf '8 4\n10 4\n10 6\n8 6\n\n9 12\n11 12\n11 10\n9 10\n\n7 6\n9 6\n9 7\n\n13 4\n14 7\n12 7\n' >"$work/blocks"
cat >"$work/points" <<'END'
6
0
20 20
6 4 1 0
11 7 -1 -3
5 11 4 1
9.5 7 0 1
6 5 1 1
15 4 -1 0
END
for kind in array cells textbook; do
    particles --domain="$work/room" --obstacle="$work/blocks" --schedule=$kind "$work/points" 100
    verdict "flush obstacles, with the schedule $kind" "$(cat "$work/err")$(awk -F ', ' '
        { inside = $1 >= 4 && $1 <= 16 && $2 >= 4 && $2 <= 12 }
        $1 > 8 && $1 < 10 && $2 < 6 || $1 > 9 && $1 < 11 && $2 > 10 { inside = 0 }
        !inside || NF != 4' "$work/out")"
    [ $kind = array ] && cp "$work/out" "$work/whole"
    expect_output "the same, with the schedule $kind" "$work/whole"
done
printf '1\n0\n20 20\n9 4 0 1\n' >"$work/points"
particles --domain="$work/room" --obstacle="$work/blocks" "$work/points" 100
expect_error "a point between an obstacle and the domain" 65 "points:4: particle 0 is inside an obstacle, polygon 0 of .*blocks .from line 1"
printf '1\n0\n20 20\n5 3 1 -1\n' >"$work/points"
printf '8 0\n10 0\n10 3\n8 3\n' >"$work/blocks"
particles --obstacle="$work/blocks" "$work/points" 5
verdict "a point in the corner between an obstacle and a wall" "$(grep -vx '6.000000, 2.000000, 1, 0' "$work/out")"

# Where particles may be.
misplaced "inside an obstacle" "4: particle 0 is inside an obstacle, polygon 1 of .*polygons .from line 4 on" \
    --obstacle '0 0\n1 1\n\n4 4\n6 4\n6 6\n4 6\n'
misplaced "inside an image" "6: particle 2 is inside an obstacle, polygon 0 of" \
    --obstacle '34 14\n36 14\n36 16\n34 16\n' --periodic=x
misplaced "on a side" "4: particle 0 overlaps side 0 of polygon 0 of .*: its centre is 0.40" --obstacle '4 4\n5 4.6\n'
misplaced "on a corner" "4: particle 0 overlaps side 0 of polygon 0 of .*: its centre is 0.25" --obstacle '4 4\n5 4.75\n5 0\n'
misplaced "outside the domain" "4: particle 0 is outside the domain, the polygons in .*polygons" --domain '8 8\n12 8\n12 12\n8 12\n'
misplaced "in a hole of the domain" "5: particle 1 is outside the domain" \
    --domain '1 1\n19 1\n19 19\n1 19\n\n9 2\n11 2\n11 4\n9 4\n'
run --domain '1 1\n19 1\n19 19\n1 19\n\n8 8\n12 8\n12 12\n8 12\n\n9 9\n10 9\n10 10\n'
verdict "an island in a hole of the domain" "$(cat "$work/err")"
accept "just touching" '4 4\n5 4.5\n5 0\n'

# All schedules agree, and a resumed run needs no polygon file.
run --domain '1 1\n19 1\n19 19\n1 19\n\n8 8\n12 8\n12 12\n8 12\n'
cp "$work/out" "$work/whole"
for kind in array cells textbook; do
    run --domain '1 1\n19 1\n19 19\n1 19\n\n8 8\n12 8\n12 12\n8 12\n' --schedule=$kind
    expect_output "the schedule $kind" "$work/whole"
done
particles --domain="$work/polygons" "$work/input" 3000000
cp "$work/out" "$work/whole"
launch --domain="$work/polygons" --checkpoint="$work/saved" "$work/input" 3000000
await test -e "$work/saved"
stop TERM
rm "$work/polygons"
if [ -e "$work/saved" ]; then
    particles --resume="$work/saved"
fi # otherwise the machine was so quick that the run has ended
expect_output "interrupted and resumed" "$work/whole"

finish
