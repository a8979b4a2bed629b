#!/bin/sh
# --picture and --animate: the answer stays as it is, files are complete or absent, pictures are XML.
. tests/support/expect.sh

input=data/particles_only.txt
expected=tests/command/expected/particles_only.t10.expected

# is_xml FILE: whether it is well-formed, as far as there is a program that can tell
if command -v xmllint >/dev/null; then
    is_xml() { xmllint --noout "$1"; }
elif command -v python3 >/dev/null; then
    is_xml() { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"; }
else
    echo "pictures are not tested to be XML, for there is neither xmllint nor python3"
    is_xml() { :; }
fi

# draw NAME INPUT END_TIME: makes $work/picture.svg, which is XML and has one circle for each of N
draw() {
    particles --picture="$work/picture.svg" "$2" "$3"
    problem=$(cat "$work/err")
    [ "$status" -eq 0 ] || problem="status $status: $problem"
    verdict "$1: drawn" "$problem"
    verdict "$1: XML" "$(is_xml "$work/picture.svg" 2>&1)"
    circles=$(grep -c '<circle cx' "$work/picture.svg")
    count=$(grep -v '^#' "$2" | awk '{ print $1; exit }' | tr -d '\r')
    verdict "$1: circles" "$([ "$circles" -eq "$count" ] || echo "$circles instead of $count")"
    verdict "$1: no nonsense" "$(grep -Eio '.{20}[^a-z](nan|inf)[^a-z].{20}' "$work/picture.svg" | head -n 1)"
}

for kind in array cells; do
    particles --schedule=$kind --picture="$work/a.svg" --animate="$work/a.html" "$input" 10
    expect_output "the answer with $kind stays" $expected
    mkdir "$work/$kind" && mv "$work/a.svg" "$work/a.html" "$work/$kind"
    verdict "nothing else is left with $kind" "$(ls "$work" | grep '^a\.')"
done
verdict "a picture is the same whatever the schedule" "$(cmp "$work/array/a.svg" "$work/cells/a.svg" 2>&1)"
verdict "an animation is, too" "$(cmp "$work/array/a.html" "$work/cells/a.html" 2>&1)"
verdict "the page is whole" "$(tail -n 1 "$work/array/a.html" | grep -Fqx '</html>' || echo "it is not")"
verdict "the page asks for nothing" "$(grep -Eo '(src|href)="?(https?:|//)[^ ]*|@import|url\(' "$work/array/a.html")"
particles --picture "$work/b.svg" - 10 <"$input"
expect_output "a file's name as a word of its own" $expected
verdict "it is the same picture" "$(cmp "$work/array/a.svg" "$work/b.svg" 2>&1)"

for file in particles_only particles_walls walls_only; do
    draw $file data/$file.txt 50
done
for count in 1 2 99 1000 20000; do
    "$PROGRAM" --quiet --generate=$count --area-fraction=0.4 >"$work/input"
    draw "$count disks" "$work/input" 0.5
done
size=$(wc -c <"$work/picture.svg")
verdict "a disk takes few bytes" "$([ "$size" -lt 1000000 ] || echo "$size for 20000 disks")"
for unit in 1e-40 1e-20 1e20 1e30; do
    "$PROGRAM" --quiet --generate=40 --radius=$unit --speed=$unit >"$work/input"
    draw "disks of $unit" "$work/input" 1
done
printf '3\n0\n5 5\n1 1 0 0\n2 2 1 0\n0 5 0 0\n' >"$work/input"
draw "points" "$work/input" 0
printf '2\n1e-40\n1e40 1e-39\n1 5e-40 0 0\n1e39 5e-40 1 0\n' >"$work/input"
draw "the most slender box" "$work/input" 0
printf '1\n1\n2 2\n1 1 0 0\n' >"$work/input"
draw "no room" "$work/input" 7

# From 100 000 disks on, those of a colour and a radius are dots of paths: where the circles are that one disk
# fewer has, which is of a species of its own, and as large inside of their outlines.
awk 'BEGIN {
    print "100000\n0\n400 250"
    for (k = 0; k < 99999; k++)
        print k % 400 + 0.3, int(k / 400) + 0.2, 0, 0, 0.49 - k % 7 % 4 * 0.03, 1, k % 3
    print "399.3 249.2 0 0 0.4 1 3"
}' >"$work/many"
sed -e 1s/.*/99999/ -e '$d' "$work/many" >"$work/input"
for count in many input; do
    expect_silence "$count: drawn" --periodic=xy --picture="$work/$count.svg" "$work/$count" 0
    verdict "$count: XML" "$(is_xml "$work/$count.svg" 2>&1)"
done
awk -F'"' '/^<g fill/ { colour = $2 } /^<circle cx/ { print colour, $6, $2, $4 }' "$work/input.svg" |
    sort -s -k1,2 >"$work/circles"
awk '/^<g color/ { split($0, part, "\""); colour = part[2] } /id="dots/ {
    count = split($0, dot, "M")
    sub(/.*stroke-width="/, "", dot[1]); width = dot[1] + 0
    sub(/.*translate\(/, "", dot[1]); split(dot[1], corner, /[ )]/)
    if (count > 20001 || sub(/h1".*/, "h1", dot[count]) != 1) print "a path of " count
    for (k = 2; k <= count; k++) {
        split(dot[k], number, /[ h]/)
        printf "%s %.3f %.2f %.2f\n", colour, width / 200, corner[1] + number[1] / 100, corner[2] + number[2] / 100
    }
}' "$work/many.svg" | sort -s -k1,2 | grep -v '^#cc79a7' >"$work/dots"
verdict "dots are where circles are" "$(paste -d ' ' "$work/circles" "$work/dots" | awk '
    function far(a, b) { return a - b > 0.0151 || b - a > 0.0151 }
    { line = $2 - $6 } $1 != $5 || line < 0.03 || line > 0.12 || far($3, $7) || far($4, $8) { print; wrong++ }
    wrong == 3 { exit } END { if (NR < 100000) print NR " disks" }')"
verdict "a dot takes a third of a circle" "$(wc -c "$work/input.svg" "$work/many.svg" |
    awk '{ size[NR] = $1 } END { if (3 * size[2] > size[1]) print size[1], size[2] }')"
verdict "no circles beside dots" "$(grep -m 1 '<circle cx' "$work/many.svg")"
awk 'BEGIN { for (k = 1; k < 50000; k++) print k - 1, k, 1 }' >"$work/links"
particles --periodic=xy --step=1 --interaction="bond file=$work/links k=1" --picture="$work/many.svg" "$work/many" 0
verdict "links of many disks are in several paths" "$(sed -n '/class="joint"/,/"\/>/p' "$work/many.svg" |
    awk '/class/ { paths++ } { lines += gsub("L", "") } END { if (paths != 3 || lines < 49999) print paths, lines }')"
"$PROGRAM" --quiet --generate=100000 --area-fraction=0.2 >"$work/input"
for threads in 1 2; do
    particles --threads=$threads --picture="$work/$threads.svg" "$work/input" 0.01
done
verdict "dots without outlines, on two threads" "$(cmp "$work/1.svg" "$work/2.svg" 2>&1; grep -m 1 '<use' "$work/1.svg")"

# In a periodic box: a disk in a corner is drawn four times, and each schedule draws the same.
printf '3\n1\n20 9\n0 0 0 0\n19.5 4 0 0\n10 4 0 0\n' >"$work/input"
particles --periodic=xy --picture="$work/picture.svg" "$work/input" 0
verdict "periodic: XML" "$(is_xml "$work/picture.svg" 2>&1)"
verdict "periodic: circles" "$([ "$(grep -c '<circle cx' "$work/picture.svg")" -eq 7 ] || echo "not 7")"
for kind in textbook array cells; do
    mkdir -p "$work/$kind"
    particles --schedule=$kind --periodic=x --picture="$work/$kind/a.svg" --animate="$work/$kind/a.html" \
        data/particles_walls.txt 300
    verdict "periodic, $kind: drawn" "$(cat "$work/err")"
    for file in a.svg a.html; do
        verdict "periodic, $kind: $file" "$(cmp "$work/textbook/$file" "$work/$kind/$file" 2>&1)"
    done
done

# Links are drawn until they break, on both sides of a seam and in each strip that they touch; pins have rings.
# draw_links NAME LINES RINGS OPTION...: the numbers of lines and rings in the picture of $work/input at time 0.5
draw_links() {
    name=$1 lines=$2 rings=$3
    shift 3
    particles --step=0.01 --interaction='gravity g=-10' "$@" --picture="$work/picture.svg" "$work/input" 0.5
    verdict "links, $name: drawn" "$(cat "$work/err")"
    verdict "links, $name: XML" "$(is_xml "$work/picture.svg" 2>&1)"
    count=$(sed -n '/class="joint"/,/"\/>/p' "$work/picture.svg" | grep -c 'L')
    verdict "links, $name: lines" "$([ "$count" -eq "$lines" ] || echo "$count instead of $lines")"
    count=$(grep -c 'class="pin"' "$work/picture.svg")
    verdict "links, $name: rings" "$([ "$count" -eq "$rings" ] || echo "$count instead of $rings")"
}
printf '4\n0.1\n10 4\n0.5 2 0 0\n9.5 2 0 0\n8.5 2 0 0\n4 3 0 0\n' >"$work/input"
printf '0 1 1\n1 2 1\n' >"$work/links"
printf '0 1 9\n1 2 1\n' >"$work/apart"
draw_links walls 2 2 --constraint='pin particles=0-1' --constraint="link file=$work/apart"
verdict "links are counted" "$(grep -Fq '>lines: 2 links · rings: 2 pinned particles<' "$work/picture.svg" || echo "they are not")"
draw_links seam 3 2 --periodic=x --constraint='pin particles=0-1' --constraint="link file=$work/links"
draw_links broken 2 2 --periodic=x --constraint='pin particles=0-1' --constraint="link file=$work/links strength=15"
verdict "a broken link is counted" "$(grep -Fq '>lines: 1 link (1 more broken) · rings: 2 pinned particles<' "$work/picture.svg" || echo "it is not")"
draw_links bonds 2 0 --interaction="bond file=$work/apart k=10"
draw_links none 0 0 --constraint=contact
verdict "no word of links" "$(grep -E 'joint|pin' "$work/picture.svg")"
printf '2\n0.1\n60 1.2\n15 0.6 0 0\n45 0.6 0 0\n' >"$work/input"
printf '0 1 30\n' >"$work/links"
draw_links strips 3 2 --constraint='pin particles=0-1' --constraint="link file=$work/links"
printf '2\n0.1\n10 8\n1 2 -21 1\n5 2 21 35\n' >"$work/input"
printf '0 1 4\n' >"$work/links"
draw_links "far beyond a seam" 3 0 --periodic=x --interaction="bond file=$work/links k=0.001"
draw_links "far beyond two" 5 0 --periodic=xy --interaction="bond file=$work/links k=0.001"

# With polygons, of which one crosses a seam, each schedule draws the same; without them none is named.
printf '0.5 4\n10 4\n10 5\n0.5 5\n' >"$work/bar"
printf '18 7\n21 7\n21 9\n18 8\n\n5 7\n8 8\n' >"$work/others"
printf '3\n0.5\n20 10\n2 2 1 1\n15 4 -1 0.5\n12 8 0.5 0.25\n' >"$work/input"
for kind in textbook array cells; do
    particles --schedule=$kind --periodic=x --obstacle="$work/bar" --obstacle="$work/others" \
        --picture="$work/$kind/a.svg" --animate="$work/$kind/a.html" "$work/input" 200
    verdict "polygons, $kind: drawn" "$(cat "$work/err")"
    for file in a.svg a.html; do
        verdict "polygons, $kind: $file" "$(cmp "$work/textbook/$file" "$work/$kind/$file" 2>&1)"
    done
done
verdict "polygons: XML" "$(is_xml "$work/array/a.svg" 2>&1)"
verdict "polygons: each side of the seam" \
    "$([ "$(grep -c '<use href="#obstacles"' "$work/array/a.svg")" -eq 2 ] || echo "not two images")"
verdict "polygons: on the page" "$(grep -q 'id="polygons">' "$work/array/a.html" || echo "none")"
particles --picture="$work/a.svg" --animate="$work/a.html" "$work/input" 200
verdict "no polygons: none drawn" "$(grep -o 'obstacle"\|domain"' "$work/a.svg"; grep -o 'id="polygons">' "$work/a.html")"

# In a stream each schedule draws the same, with the force on obstacles, also from an earlier state.
"$PROGRAM" --quiet --generate="$([ -n "$THOROUGH" ] && echo 200 || echo 100)" --area-fraction=0.1 --speed=1 >"$work/gas"
awk 'NR == 3 { width = $1; height = $2 } END {
    print width / 2, height / 2; print width / 2 + 1e-3, height / 2 + 1e-3 }' "$work/gas" >"$work/plate"
for kind in textbook array cells; do
    particles --schedule=$kind --rule=elastic --periodic=x --stream=2 --obstacle="$work/plate" \
        --picture="$work/$kind/a.svg" --animate="$work/$kind/a.html" "$work/gas" 60
    verdict "stream, $kind: drawn" "$(cat "$work/err")"
    for file in a.svg a.html; do
        verdict "stream, $kind: $file" "$(cmp "$work/textbook/$file" "$work/$kind/$file" 2>&1)"
    done
done
verdict "stream: XML" "$(is_xml "$work/array/a.svg" 2>&1)"
verdict "stream: its picture" "$(grep -q '>stream of speed 2 to the right, ' "$work/array/a.svg" || echo "not said")"
verdict "stream: on the page" "$(grep -q '"stream": {"speed": 2, ' "$work/array/a.html" || echo "not said")"

# A polygon of 100 000 sides takes few bytes.
awk 'BEGIN { for (k = 0; k < 100000; k++) {
    a = k * 6.283185307179586 / 100000; printf "%.17g %.17g\n", 10 + 4 * cos(a), 5 + 4 * sin(a) } }' >"$work/round"
printf '1\n0.5\n20 10\n10 5 1 1\n' >"$work/input"
particles --domain="$work/round" --picture="$work/picture.svg" --animate="$work/picture.html" "$work/input" 100
size=$(wc -c <"$work/picture.svg")
verdict "a side takes few bytes of the picture" "$([ "$status" -eq 0 ] && [ "$size" -lt 500000 ] || echo "$size")"
size=$(wc -c <"$work/picture.html")
verdict "a side takes few bytes of the page" "$([ "$size" -lt 1200000 ] || echo "$size")"

for option in --picture --animate; do
    for name in - ""; do
        particles "$option=$name" "$input" 10
        expect_error "$option=$name" 64 "$option takes the name of a file to write, not '$name'"
    done
    particles "$option=$work/x" --generate=3
    expect_error "$option with --generate" 64 "--generate makes an INPUT and simulates nothing"
    expect_error "$option, no directory" 74 "nowhere/x: cannot " $option="$work/nowhere/x" "$input" 10
    expect_error "$option, a directory" 74 ": cannot open: " $option="$work" "$input" 10
    echo old >"$work/old"
    particles $option="$work/old" data/particles_walls.txt 1e30
    expect_error "$option, a run that fails" 65 "END_TIME 1e.30 is out of reach"
    verdict "$option leaves what was there" "$([ "$(cat "$work/old")" = old ] || cat "$work/old")"
    verdict "$option leaves nothing beside it" "$(find "$work" -name 'old?*')"
    particles $option="$work/new" "$work/no such file" 10
    verdict "$option writes nothing without a run" "$(ls "$work" | grep '^new')"
    if [ -c /dev/full ]; then
        expect_error "$option on a full disk" 74 "/dev/full: cannot write: No space left" $option=/dev/full "$input" 10
    fi
    "$PROGRAM" --quiet --generate=1000 >"$work/input"
    (
        ulimit -f 8 # blocks
        particles $option="$work/new" "$work/input" 0
        exit "$status"
    )
    status=$?
    expect_error "$option, a file too large" 74 "new: cannot write: "
    verdict "$option leaves nothing half-written" "$(ls "$work" | grep '^new')"
done

finish
