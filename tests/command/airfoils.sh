#!/bin/sh
# Airfoils as collections have them, read by the program and by scripts/polygon: what is mended, and how; what
# is refused; and that both always agree.
. tests/support/expect.sh
script=$PWD/scripts/polygon
cd "$work" || exit 1

# both NAME: reads the file `foil` with both; they must agree. Leaves the vertices, as in "1,0 0,0.5", or "refused"
# in $found, and the messages in the files `said` and `err`
both() {
    "$BUILD/tests/command/read_polygons" foil >out
    sed -n 's/^refused: //p' out >said
    grep -v '^[#r]' out >program
    sh "$script" read foil 2>err | grep -v '^#' >other
    [ -s said ] && [ -s other ] && echo "only the program refuses it: $(cat said)"
    [ -s said ] || cmp program other 2>&1
    found=refused
    [ -s said ] || found=$(awk '{ printf "%s%s", separator, NF ? $1 "," $2 : "/"; separator = " " }' program)
}
# reads EXPECTED TEXT: the file TEXT (as printf has it) has these vertices
reads() {
    printf "$2" >foil
    both >differ
    verdict "$2" "$(cat differ; [ "$found" = "$1" ] || echo "$found $(cat said err)")"
}
# refuses LINE PATTERN TEXT: both refuse it, the program with this message, both at this line
refuses() {
    printf "$3" >foil
    both >differ
    verdict "$3" "$(cat differ; [ "$found" = refused ] || echo "$found"; grep -Eq "^foil:$1: .*($2)" said || cat said
        grep -q "^polygon: foil:$1: " err || cat err)"
}

# Lednicer's counts: whole numbers from 2 on whose sum is the number of vertices that follow.
wedge='1,0 0.5,0.1 0,0 0.5,-0.1'
reads "$wedge" 'Wedge\n3. 3.\n0 0\n0.5 0.1\n1 0\n0 0\n0.5 -0.1\n1 0\n'
reads "$wedge" 'Wedge\n3 3\n\n0 0\n0.5 0.1\n1 0\n\n0 0\n0.5 -0.1\n1 0\n'
reads "$wedge" 'Wedge\n3,3\n0 0\n0.5 0.1\n1 0\n\n0 0\n0.5 -0.1\n1 0\n'
reads "1,0 0,0.1 0,-0.1 1,-0.1" 'Blunt\n2 2\n0 0.1\n1 0\n0 -0.1\n1 -0.1\n'
reads "3,4 4,4 4,5 3,5" 'square\n3 4\n4 4\n4 5\n3 5\n'
reads "1,0 0.5,0.1 0,0 0.5,-0.1" 'Selig\n1 0\n0.5 0.1\n0 0\n0.5 -0.1\n1 0\n'
reads "2,2 0,1 0,0" 'triangle\n2 2\n0 1\n0 0\n'
reads "2.5,3.5 0,1 0,0 1,0" 'no counts\n2.5 3.5\n0 1\n0 0\n1 0\n'
reads "1,1 2,1 2,2" 'ones are none\n1 1\n2 1\n2 2\n'
refuses 2 "have 3 and 2 vertices, and the file has 6" 'a\n3 2\n\n0 0\n0.5 0.1\n1 0\n\n0 0\n0.5 -0.1\n1 0\n'
refuses 5 "lies on" 'a\n2 4\n0 0\n0.5 0.1\n1 0\n0 0\n0.5 -0.1\n1 0\n'
refuses 6 "a blank line" 'no counts\n0 0\n0.5 0.1\n1 0\n\n0 0.01\n0.5 -0.1\n1 0\n'

# What is mended.
open='0.3 -0.04\n0.7 -0.02\n' upper='1 0\n0.7 0.05\n0.3 0.08\n0 0\n' lower='0.3 -0.04\n0.7 -0.02\n1 0\n'
foil='1,0 0.7,0.05 0.3,0.08 0,0 0.3,-0.04 0.7,-0.02'
for name in '(Dicke 12%%)' '[mh 32]' 'E 387' '63-415' '64A010' '0012-64' '(0012-64)' '0012' '0012 64' '23012' '64A010 10%%' '65-410 a=.5' '747A315' '64(2)-415' '23012 FOIL'; do
    reads "$foil" "$name\\n$upper$lower"
done
reads "$foil" "two\\nS1020\\n$upper$lower"
reads "$foil" "two\\nNACA 2412, second line\\nFrom a report\\n\\n$upper$lower"
reads "$foil" "text\\n$upper$lower\\nZZ"
reads "$foil" "text\\n$upper${lower}http://some.where/1\\n\\nThe points, by (somebody)\\n"
reads "$foil" "repeated\\n${upper}0 0\\n0.3 -0.04\\n$lower"
reads "$foil" 'commas\n1,0\n0.7, 0.05\n0.3 ,0.08\n0 , 0\n.3,-.04\n.7,\t-.02\n1,0\n'
reads "$foil" 'brackets\n1 (0)\n0.7 0.05\n(0.3) (0.08)\n0 0\n0.3 -0.04\n0.7 (-0.02)\n1 0\n'
reads "$foil" 'dots\n1 ......\n1 0\n0.7 0.05\n0.3 0.08\n0 ...\n0 0\n0.3 -0.04\n.... -0.02\n0.7 -0.02\n1 0\n'
reads "1,0 0.5,0.1 0,0 0.5,-0.1" 'dots\n4 4\n0 0\n0.1 ....\n0.5 0.1\n1 0\n0 0\n0.1 ....\n0.5 -0.1\n1 0\n'

# Surfaces that cross at the trailing edge end there, also where they do so several times; with a warning.
reads "0.9921875,0.00048828125 0.75,0.015625 0,0 0.75,-0.0146484375" \
    'cross\n1 0\n0.75 0.015625\n0 0\n0.75 -0.0146484375\n1 0.0009765625\n'
verdict "a warning" "$(grep -x 'polygon: foil:2: the surfaces of the airfoil cross at 0.9921875, 0.00048828125: they end there' err >out || cat err)"
printf '1\n0.001\n9 9\n1 1 0 0\n' >input
cp foil crossing
particles --obstacle='crossing scale=3 at=4,4' input 1
verdict "the warning of the program" "$(grep -x 'particles: crossing:2: the surfaces of the airfoil cross at 0.9921875, 0.00048828125: they end there' err >other || cat err)"
expect_silence "none with --quiet" --quiet --obstacle='crossing scale=3 at=4,4' input 1
reads "0.9769108280254777,0.0023089171974522297 0.75,0.025 0,0 0.75,-0.0225" \
    'twice\n1 0.0001\n0.984375 0.0015625\n0.75 0.025\n0 0\n0.75 -0.0225\n0.984375 0.003125\n1 0\n'
reads "0.9921875,0.00048828125 0.75,-0.0146484375 0,0 0.75,0.015625" \
    'lower first\n1 0.0009765625\n0.75 -0.0146484375\n0 0\n0.75 0.015625\n1 0\n'
refuses 7 "crosses" 'in front of it\n1 -0.1\n0.7 0.1\n0.3 0.1\n0 0\n0.3 -0.1\n0.7 -0.1\n1 0.1\n'
refuses 4 "crosses" 'no airfoil\n0 0\n2 2\n2 0\n0 1\n'

# What is refused.
refuses 10 "between the points" "two\\n$upper${lower}another\\n1 0\\n0.5 0.1\\n0 0\\n"
refuses 11 "between the points" "two\\n$upper$lower\\nanother\\n$upper$lower"
refuses 11 "a blank line" "two\\n$upper$lower\\n\\n$upper$lower"
refuses 9 "not on the way" "a hundred\\n1 .....\\n$upper${open}100 0\\n"
refuses 8 "not on the way" "a hundred\\n$upper${open}100 0\\n"
refuses 6 "not on the way" "out of order\\n1 .....\\n1 0\\n0.3 0.08\\n0.7 0.05\\n0 0\\n$lower"
refuses 6 "lies on" 'on one another\n1 0\n0.5 0\n0 0.1\n0 -0.1\n0.5 0\n'
refuses 9 "'0.5x', which is not a number" "typed\\n$upper$lower""0.5x 1\\n"
refuses 6 "found 'O.3', which is not a number" "typed\\n${upper}O.3 -0.04\\n0.7 -0.02\\n1 0\\n"
refuses 8 "'O', which is not a number" "typed\\n$upper${open}1 O\\n"
refuses 8 "'1.O', which is not a number" "typed\\n$upper${open}1.O 0\\n"
refuses 8 "'O.99', which is not a number" "typed\\n$upper${open}O.99 0\\n"
refuses 2 "'l', which is not a number" "typed\\nl 0\\n$upper$lower"
refuses 4 "end of the line after x, found 'foo'|after x and y, found 'foo'" "typed\\n1 0\\n0.7 0.05\\n0.3 0.08 foo\\n0 0\\n$lower"
refuses 3 "after x and y, found" 'a decimal comma\n0 0\n1,5 2,5\n1 0\n'
refuses 3 "after x and y, found" 'a decimal comma\n0 0\n1,5 2.5\n1 0\n'
refuses 3 "after x and y, found '2,5'" 'a decimal comma\n0 0\n1.5 2,5\n1 0\n'
refuses 3 "found ',', which" 'a comma\n0 0\n, 1\n1 0\n'
refuses 3 "after x" 'a comma\n0 0\n1,\n1 0\n'
refuses 3 "found ',', which" 'commas\n0 0\n,\n1 0\n'
refuses 3 "'..', which is not a number" 'dots\n0 0\n1 ..\n1 0\n'
refuses 3 "'0...5', which is not a number" 'dots\n0 0\n1 0...5\n1 0\n'
refuses 3 "not a number" 'hexadecimal\n1 0\n0x0.5 0.1\n0 0\n'
for word in nan inf; do
    refuses 3 "not finite" "a\\n1 0\\n0.5 $word\\n0 0\\n"
done
refuses '[1-4]' "an airfoil three" 'only dots\n1 ....\n0 ....\n'
refuses '[1-4]' "an airfoil three" 'only dots\n1 ....\n'
refuses '[1-5]' "an airfoil three" 'two points\n1 0\n0 0\n1 0\n'

# Files of polygons without a name stay as they are: nothing is mended in them.
reads "8,8 12,8 12,12 / 2,2 2,7" '# a\n8 8\n12 8 # b\n12 12\n\n\n2 2\n# c\n2 7'
reads "12,64 8,8 12,8" '12 64\n8 8\n12 8\n'
reads "10,20 0,0 5,1" '0010 0020\n0 0\n5 1\n'
refuses 1 "or a name" '2412\n1 0\n0 0\n0.5 -1\n'
refuses 2 "'1,2', which" '0 0\n1,2\n2 0\n'
refuses 1 "'1,2', which" '1,2\n0 0\n2 0\n'
refuses 1 "'1.5-2', which" '1.5-2\n1 0\n0 0\n0.5 -1\n1 0\n'
refuses 2 "'\(1', which|after x and y" '0 0\n(1 2)\n2 0\n'
refuses 2 "found 'foo'" '0 0\n1 2 foo\n2 0\n'
refuses 2 "found '....', which" '0 0\n1 ....\n2 0\n'
refuses 3 "'text', which" '0 0\n1 0\ntext\n0 1\n'
refuses 1 "expected x and y of a vertex, two numbers, or a name and then an airfoil" '10-20\n8 8\n12 8\n12 12\n'

# Random changes of such files are read alike by both, or refused by both. The generator is Lehmer's.
awk -v seed=7 '
    function random(below) {
        seed = (48271 * seed) % 2147483647
        return int(seed / 2147483647 * below)
    }
    BEGIN {
        files = split("NACA 9999|1.0 0.001|0.5 0.06|0.1 0.05|0 0|0.1 -0.03|0.5 -0.04|1.0 -0.001/" \
            "Wedge|3. 3.|0 0|0.5 0.1|1 0|0 0|0.5 -0.1|1 0/" \
            "NACA|1.0 ......|1.0 (0.0016)|0.4 0.09|0.1 0.07|0.0 0.0|0.1 -0.04|0.4 -0.06|1.0 (-0.0016)/" \
            "cross|1 0|0.9 0.01|0.5 0.05|0 0|0.5 -0.03|0.9 -0.002|0.95 0.001|1.001 0/" \
            "foil|S1020|1,0|.7, .05|0.3 ,0.08|0 0|.3 -.03|.7 -.01|1 0|The end|of it/" \
            "0012 64|1 0.001|.7 .05|0.3 0.08|0 0|.3 -.08|.7 -.05|1 -0.001", file, "/")
        characters = "0123456789.-+eE ,()|#xaO"
        for (k = 1; k <= 48; k++) {
            text = file[1 + random(files)]
            for (changes = random(3); changes >= 0; changes--) {
                place = 1 + random(length(text))
                text = substr(text, 1, place - 1) (random(3) ? substr(characters, 1 + random(24), 1) : "") \
                    substr(text, place + random(3))
            }
            gsub(/[|]/, "\n", text)
            print text >("foil" k)
        }
    }'
read=0
for k in $(seq 48); do
    mv "foil$k" foil
    both >differ
    [ "$found" = refused ] || read=$((read + 1))
    verdict "random changes $k" "$([ ! -s differ ] || { cat differ foil said err; })"
done
verdict "a part of them is read" "$([ $read -gt 8 ] && [ $read -lt 40 ] || echo "$read of 48")"

finish
