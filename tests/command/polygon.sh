#!/bin/sh
# scripts/polygon: what it makes, reads, changes and measures; what it refuses; and that every shell
# and awk that there is gives the same bytes.
. tests/support/expect.sh
script=$PWD/scripts/polygon

# polygon ARGUMENT...: the script; leaves its output, its status and in $work/vertices what is no comment
polygon() {
    sh "$script" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    grep -v '^#' "$work/out" >"$work/vertices"
}

# expect VERTICES ARGUMENT...: these, with a comma between coordinates, a space between vertices and
# a slash between polygons
expect() {
    expected=$1
    shift
    polygon "$@"
    found=$(awk '{ printf "%s%s", separator, NF ? $1 "," $2 : "/"; separator = " " }' "$work/vertices")
    verdict "$*" "$([ "$status $found" = "0 $expected" ] || echo "status $status: $found" "$(cat "$work/err")")"
}

# expect_numbers NAME TOLERANCE EXPECTED FOUND: as many numbers, which differ by TOLERANCE at most
expect_numbers() {
    verdict "$1" "$(awk 'BEGIN {
        count = split(ARGV[2], expected, " ")
        wrong = split(ARGV[3], found, " ") != count || count == 0
        for (k = 1; k <= count; k++) {
            difference = found[k] - expected[k]
            wrong += difference > ARGV[1] + 0 || -difference > ARGV[1] + 0
        }
        if (wrong) print ARGV[3], "instead of", ARGV[2]
    }' "$2" "$3" "$4")"
}

# Polygons that are made. Simple values are exact, and symmetric shapes are so in all digits.
expect "1,0 0,1 -1,0 0,-1" regular 4
expect "1,0 0.5,0.8660254037844386 -0.5,0.8660254037844386 -1,0 -0.5,-0.8660254037844386 \
0.5,-0.8660254037844386" regular 6
expect "2,0 -1,1.7320508075688772 -1,-1.7320508075688772" regular --radius=2 3
expect "1,0 0.7071067811865476,0.7071067811865476 0,1 -0.7071067811865476,0.7071067811865476 -1,0 \
-0.7071067811865476,-0.7071067811865476 0,-1 0.7071067811865476,-0.7071067811865476" circle --sides=8
expect "-1.5,-2 1.5,-2 1.5,2 -1.5,2" rectangle 3 4
expect "1.5,-0.5 2,0 1.5,0.5 -1.5,0.5 -2,0 -1.5,-0.5" stadium --sides=6 --length=3 --radius=0.5
verdict "the first line says how it was made" "$(
    head -n 1 "$work/out" | grep -vFx '# polygon stadium --sides=6 --length=3 --radius=0.5')"
polygon circle --sides=1000
verdict "a circle is on the circle" "$(awk '{
    square = $1 * $1 + $2 * $2 - 1
    if (square > 4e-16 || square < -4e-16) print
}' "$work/vertices" | head -n 3)"
verdict "a circle is symmetric in all digits" "$(
    for image in '$1, minus($2)' 'minus($1), $2' '$2, $1'; do
        awk 'function minus(text) {
            return text ~ /^-/ ? substr(text, 2) : text == "0" ? text : "-" text
        } { print '"$image"' }' "$work/vertices" | sort >"$work/image"
        sort "$work/vertices" | cmp - "$work/image" 2>&1
    done)"

# Polygons that are read, and changed.
printf '\357\273\277# a triangle\r\n0 0\r\n1 0 # a vertex\r\n+0.10 1e0\r\n\r\n\n 2\t2\n# no end\n3 3' >"$work/two"
expect "0,0 1,0 0.1,1 / 2,2 3,3" read "$work/two"
expect "3,0 1,0 2.8,2 / -1,4 -3,6" read "$work/two" --scale=-2,2 --move=3,0
expect "6,0 4,0 5.8,2 / 2,4 0,6" read "$work/two" --move=-3,0 --scale=-2,2
expect "1,2 3,2 3,6 1,6" rectangle 2 4 --move=2,4
expect "2,-1 2,1 -2,1 -2,-1" rectangle 2 4 --rotate=90
expect "-2,1 -2,-1 2,-1 2,1" rectangle 2 4 --rotate=-90
expect "0.25,0.5 0.75,0.5 0.75,1.5 0.25,1.5" rectangle 1 2 --move=1,2 --scale=0.5
expect "1,2 -1,2 -1,-2 1,-2" rectangle 2 4 --flip=x --flip=y
expect "1,2 -1,2 -1,-2 1,-2" rectangle 2 4 --rotate=180
expect "0.8660254037844386,0.5 -0.5,0.8660254037844386 -0.8660254037844386,-0.5 0.5,-0.8660254037844386" \
    regular 4 --rotate=30
polygon regular 3 --rotate=-0.001
expect_numbers "a small angle" 1e-20 -1.74532925190572e-05 "$(sed -n '1s/.* //p' "$work/vertices")"
printf '0.1 -1e-9\n123456789.123456789 0.30000000000000004\n' >"$work/digits"
expect "0.1,-1e-09 123456789.12345679,0.30000000000000004" read "$work/digits"
polygon read - <"$work/two"
sh "$script" regular 6 | sh "$script" read - --rotate=0 | sed 1d >"$work/piped"
polygon regular 6
verdict "standard input" "$(cmp "$work/piped" "$work/vertices" 2>&1)"

# Airfoils: published ordinates of the upper and the lower surface, in percent of the chord (NACA
# reports 460 and 824; those of 2412 were computed with two digits).
# ordinates DIGITS SIDE STATION...: those at these stations, between the nearest points
ordinates() {
    polygon naca "$1" --points=1001
    awk -v side="$2" -v stations="$(shift 2 && echo "$*")" '
        { x[NR] = 100 * $1; y[NR] = 100 * $2 }
        END {
            count = split(stations, at, " ")
            for (k = 1; k <= count; k++)
                for (i = side > 0 ? 1 : NR; ; i += side)
                    if (x[i + side] <= at[k]) {
                        print y[i] + (y[i + side] - y[i]) * (at[k] - x[i]) / (x[i + side] - x[i])
                        break
                    }
        }' "$work/vertices" | tr '\n' ' '
}
expect_numbers "NACA 0012" 0.001 "1.894 2.615 3.555 4.683 5.737 6.002 5.803 5.294 4.563 2.623 1.448 0.807" \
    "$(ordinates 0012 1 1.25 2.5 5 10 20 30 40 50 60 80 90 95)"
expect_numbers "NACA 2412, upper" 0.02 "2.15 2.99 4.13 5.63 7.26 7.88 7.80 7.24 6.36 3.75 2.08 1.14" \
    "$(ordinates 2412 1 1.25 2.5 5 10 20 30 40 50 60 80 90 95)"
expect_numbers "NACA 2412, lower" 0.02 "-1.65 -2.27 -3.01 -3.75 -4.23 -4.12 -3.80 -3.34 -2.76 -1.50 -0.82" \
    "$(ordinates 2412 -1 1.25 2.5 5 10 20 30 40 50 60 80 90)"
polygon naca 0012 --points=2
expect_numbers "a coarse airfoil" 1e-15 "1 0.00126 0 0 1 -0.00126" "$(tr '\n' ' ' <"$work/vertices")"
polygon naca 4415 --points=50
verdict "points of a blunt airfoil" "$([ "$(wc -l <"$work/vertices")" -eq 99 ] || wc -l <"$work/vertices")"
polygon naca 4415 --points=50 --closed
verdict "points of a sharp one" "$([ "$(wc -l <"$work/vertices")" -eq 98 ] || wc -l <"$work/vertices")"
verdict "its edge" "$(grep -cvx '1 0' "$work/vertices" | grep -vx 97)"

# The forms in which airfoils are published give the same polygon.
cp "$work/vertices" "$work/expected"
{ echo "NACA 4415 by Selig" && cat "$work/expected" && echo " 1.0  0.0" && echo; } >"$work/selig"
{
    printf 'NACA 4415 by Lednicer\r\n  50. 50.\r\n\r\n'
    sed -n '1,50p' "$work/expected" | awk '{ line[NR] = $0 } END { for (k = NR; k > 0; k--) print line[k] }'
    echo
    sed -n '50,$p' "$work/expected"
    echo 1 0
} >"$work/lednicer"
for form in selig lednicer; do
    polygon read "$work/$form"
    verdict "an airfoil by $form" "$(cat "$work/err" && cmp "$work/vertices" "$work/expected" 2>&1)"
    verdict "its name, by $form" "$(head -n 1 "$work/out" | grep -qi ": NACA 4415 by $form$" || cat "$work/out")"
done
printf '\n23012 FOIL\n1 0\n0 0\n0.5 -1\n' >"$work/digits"
expect "1,0 0,0 0.5,-1" read "$work/digits"

# measures NAME TOLERANCE EXPECTED ARGUMENT...: vertices, area, perimeter, centroid and bounds
measures() {
    name=$1 tolerance=$2 expected=$3
    shift 3
    polygon measure "$@"
    expect_numbers "measure $name" "$tolerance" "$expected" "$(tr '\n' ' ' <"$work/vertices")"
}
sh "$script" rectangle 3 4 --move=1,1 >"$work/rectangle"
measures "a rectangle" 0 "4 12 14 1 1 -0.5 -1 2.5 3" "$work/rectangle"
measures "it clockwise" 0 "4 12 14 -1 1 -2.5 -1 0.5 3" "$work/rectangle" --flip=x
measures "it far off" 0 "4 12 14 1000001 1 999999.5 -1 1000002.5 3" "$work/rectangle" --move=1e6,0
printf '0 0\n3 0\n3 1\n1 1\n1 3\n0 3\n\n0 0\n3 4\n' >"$work/corner"
measures "a corner and a thin wall" 1e-15 "6 5 12 1.1 1.1 0 0 3 3 2 0 10 1.5 2 0 0 3 4" "$work/corner"
# Both half circles of 127 sides each: area m sin(pi/m) R^2, perimeter 4 m sin(pi/2m) R.
sh "$script" stadium --length=3 --radius=2 >"$work/stadium"
measures "a stadium" 1e-12 "$(awk 'BEGIN {
    m = 127
    pi = 3.141592653589793
    printf "%d %.16g %.16g 0 0 %.16g -2 %.16g 2", 256, 12 + 4 * m * sin(pi / m), 6 + 8 * m * sin(pi / 2 / m),
        -1.5 - 2 * cos(pi / 2 / m), 1.5 + 2 * cos(pi / 2 / m)
}')" "$work/stadium"

# The sides as strips, of the width that is asked for, or 1/300 of the size of all.
printf '1 1\n1 3\n' >"$work/wall"
polygon obj "$work/wall" --width=0.5
verdict "obj of a thin wall" "$(diff - "$work/vertices" <<'END'
v 0.75 1 0
v 1.25 1 0
v 1.25 3 0
v 0.75 3 0
f 1 2 3 4
v 1.25 3 0
v 0.75 3 0
v 0.75 1 0
v 1.25 1 0
f 5 6 7 8
END
)"
polygon obj "$work/rectangle" --scale=75 --move=75,75
verdict "obj of a rectangle" "$(grep -qx 'v 37.5 300.5 0' "$work/vertices" || cat "$work/vertices" "$work/err")"

# Wrong usage is refused.
# refuse STATUS PATTERN ARGUMENT...: one line on standard error, nothing on standard output
refuse() {
    code=$1 pattern=$2
    shift 2
    polygon "$@"
    if [ "$status" -ne "$code" ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
        verdict "$*" "status $status: $(head -n 3 "$work/out" "$work/err")"
    else
        verdict "$*" "$(grep -Eq "^polygon: .*$pattern" "$work/err" || cat "$work/err")"
    fi
}
# refuse_text PATTERN COMMAND TEXT: the same, of a file
refuse_text() {
    printf "$3" >"$work/bad"
    refuse 65 "/bad:$1" "$2" "$work/bad"
}
refuse 64 "a command is missing"
refuse 64 "unknown command 'square'" square 2
refuse 64 "regular needs SIDES" regular
refuse 64 "rectangle needs HEIGHT" rectangle 2
refuse 64 "unexpected '7'" regular 6 7
for sides in 0 2 -6 5.5 1e9 six 0x10; do
    refuse 64 "SIDES must be .*and not '?$sides'?$" regular "$sides"
done
refuse 64 "WIDTH must be greater than 0, and not -1" rectangle -1 2
for radius in 0 -1 1e999 nan inf '' 1,5; do
    refuse 64 "--radius (must be|is too large)" circle --radius="$radius"
done
refuse 64 "--radius needs a value" circle --radius
refuse 64 "circle has no option '--length'" circle --length=1
refuse 64 "naca has no option '--closd'" naca 2412 --closd
refuse 64 "--closed takes no value" naca 2412 --closed=1
for digits in 24 24120 24a2; do
    refuse 64 "naca needs four digits, .* not '$digits'" naca "$digits"
done
refuse 64 "naca 2400 has no thickness" naca 2400
refuse 64 "naca 2012 has a camber, .* no place" naca 2012
refuse 64 "--points must be a whole number from 2" naca 2412 --points=1
refuse 64 "must be even, and not 7" stadium --sides=7
refuse 64 "--length must be greater than 0" stadium --length=0
refuse 64 "--scale must not be 0" regular 4 --scale=1,0
refuse 64 "--scale takes two numbers" regular 4 --scale=1,2,3
refuse 64 "--move takes two numbers" regular 4 --move=1
refuse 64 "--move must be a number, and not '2[?]'" regular 4 "--move=1,2
"
refuse 64 "--rotate takes degrees" regular 4 --rotate=361
refuse 64 "--flip takes x or y" regular 4 --flip=xy
refuse 64 "too far off" regular 4 --scale=1e100 --scale=1e100
refuse 64 "a side has no length" regular 400 --move=1e17,1e17
refuse 66 "there is no file" read "$work/none"
refuse 66 "is a folder" measure "$work"
refuse_text "1: there is no polygon" read ''
refuse_text "3: there is no polygon" read '# nothing\n\n'
refuse_text "2: y must be a number, and not 'b'" read '1 2\n3 b\n'
refuse_text "1: x is too large" read '1e200 2\n3 4\n'
refuse_text "2: two numbers are needed, x and y, and there is 1" read '1 2\n3\n'
refuse_text "2: two numbers are needed, x and y, and there are 3" measure '1 2\n3 4 5\n'
refuse_text "3: this vertex is the same as the one before" read '0 0\n1 1\n1 1.0\n'
refuse_text "4: the first vertex is repeated" read '0 0\n1 0\n1 1\n0 0\n\n2 2\n3 3\n'
refuse_text "4: the polygon has only this vertex" read '0 0\n1 1\n\n2 2\n\n3 3\n4 4\n'
refuse_text "1: x must be a number, and not 'nan'" read 'nan 1\n0 0\n1 -0.1\n'
refuse_text "1: y must be a number, and not 'O.5'" read '1 O.5\n0 0\n1 -0.1\n'
refuse_text "3: .*there is 1" read 'name\n1 0\n0\n'
refuse_text "4: there are 2 different points" read 'name\n1 0\n0 0\n'
refuse_text "2: there are 3 points, and not 2 and 2" read 'name\n2 2\n\n0 0\n1 0\n0 0\n'
if [ -c /dev/full ]; then
    sh "$script" regular 6 >/dev/full 2>"$work/err"
    status=$?
    verdict "a full disk" "$([ $status -eq 74 ] && [ "$(cat "$work/err")" = \
        "polygon: standard output cannot be written" ] || echo "status $status: $(cat "$work/err")")"
fi
polygon --help
verdict "--help" "$(grep -q '^Usage: polygon ' "$work/out" || cat "$work/out")"
verdict "--help fits on 80 columns" "$(awk 'length > 80' "$work/out")"

# Every shell and awk that there is.
printf '(0012-64)\n1 (-0.001)\n1,-0.001\n0.7 ...\n0.5, 0.06\n0 0\n.5\t-.04\n1 0.001\nThe end\n' >"$work/mended"
# bytes SHELL...: some of all
bytes() {
    "$@" "$script" naca 2412 --points=30 --rotate=-6
    "$@" "$script" stadium --sides=30
    "$@" "$script" read "$work/two" --scale=2,3 --flip=x
    "$@" "$script" measure "$work/lednicer" 2>&1
    "$@" "$script" measure - <"$work/corner"
    "$@" "$script" obj - --rotate=30 <"$work/corner"
    "$@" "$script" read "$work/lednicer" --move=1,0.1
    "$@" "$script" read "$work/mended" 2>&1
}
bytes sh >"$work/expected"
for shell in dash bash ksh "busybox sh"; do
    command -v "${shell%% *}" >/dev/null || continue
    verdict "the bytes with $shell" "$(bytes $shell | cmp - "$work/expected" 2>&1)"
done
for awk in mawk gawk busybox; do
    path=$(command -v $awk) || continue
    mkdir "$work/$awk"
    ln -s "$path" "$work/$awk/awk"
    verdict "the bytes with $awk" "$(PATH=$work/$awk:$PATH && export PATH && bytes sh | cmp - "$work/expected" 2>&1)"
done

finish
