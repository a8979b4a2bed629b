#!/bin/sh
# The result of `make submission`: exactly the files that the assignment asks for, the same bytes each
# time. They build a program that shares no line with this one, and prints the same.
. tests/support/expect.sh

for tool in zip unzip rsvg-convert; do
    command -v $tool >/dev/null || {
        skip "the files to hand in, for there is no $tool" zip unzip librsvg2-bin fonts-liberation
        finish
    }
done
export PROGRAM RUN_WITH

# submit DIRECTORY AUTHOR: what the target does, elsewhere
submit() {
    AUTHOR=$2 sh data/submission/make "$work/$1" >"$work/log" 2>&1
    verdict "it is made, $1" "$([ $? -eq 0 ] || cat "$work/log")"
}
# A long name, with what a shell, sed or XML could stumble over; through make, too.
author="Ada O'Lovelace, née Byron & <friends> of the École \1 | \$x, whose name has more than 100 characters"
submit one "$author"
sleep 1 # another time
submit other "$author"
verdict "it is the same each time" "$(cmp "$work/one.zip" "$work/other.zip" 2>&1)"
verdict "it has the author's name" "$(grep -Fq "Ada O'Lovelace, née Byron &amp; &lt;friends&gt; of the École \1 | \$x," \
    "$work/one.slides/structure.svg" || echo no)"
verdict "make hands it on" "$(make -n submission AUTHOR="$author" | sh -n 2>&1)"

# The program of the contract, and nothing else.
unzip -Z1 "$work/one.zip" >"$work/names"
verdict "at most 10 files" "$([ "$(wc -l <"$work/names")" -le 10 ] || wc -l "$work/names")"
for name in Makefile slides.pdf main.c event.c particle.c wall.txt pair.txt; do
    verdict "$name is there" "$(grep -qx "$name" "$work/names" || echo no)"
done
lines=$(cat "$work"/one/*.[ch] | wc -l)
verdict "at most 350 lines" "$([ "$lines" -le 350 ] || echo "$lines")"

# The slides: three, of the cases that were computed by hand.
verdict "a PDF" "$([ "$(head -c 5 "$work/one/slides.pdf")" = "%PDF-" ] || echo no)"
verdict "of three pages" \
    "$([ "$(grep -aEc '/Type /Page( |$)' "$work/one/slides.pdf")" -eq 3 ] || echo no)"
for name in wall pair; do
    while read -r line; do
        verdict "the slide $name has $line" \
            "$(grep -Fq ">$line</text>" "$work/one.slides/$name.svg" || echo no)"
    done <data/submission/$name.expected
done
verdict "nothing is left to be filled in" "$(grep -h '@[A-Z]' "$work"/one.slides/*.svg)"

# In an empty folder.
mkdir "$work/empty"
(cd "$work/empty" && unzip -q ../one.zip && MAKEFLAGS="" make -j2) >"$work/log" 2>&1
verdict "it builds" "$([ -x "$work/empty/particles" ] || tail -n 5 "$work/log")"
verdict "without a warning" "$(grep -i warning "$work/log")"
own=$PROGRAM
PROGRAM=$work/empty/particles
for expected in tests/command/expected/*.expected; do
    name=$(basename "$expected" .expected)
    expect_output "$name" "$expected" "data/${name%.t*}.txt" "${name##*.t}"
done
# compare_with_own NAME END_TIME: the input $work/case, which both programs answer alike
compare_with_own() {
    $RUN_WITH "$own" "$work/case" "$2" >"$work/expected"
    expect_output "$1" "$work/expected" "$work/case" "$2"
}
for seed in $(seq "$([ -n "$THOROUGH" ] && echo 60 || echo 20)"); do
    "$BUILD/tests/command/make_case" "$seed" >"$work/case"
    compare_with_own "a random case, $seed" 30
done
# compare_case NAME TEXT: an input, at several times
compare_case() {
    printf '%b' "$2" >"$work/case"
    for time in 0 1 2.5 40; do
        compare_with_own "$1 at $time" $time
    done
}
compare_case "a corner, and at rest" "2\n1\n10 10\n2 2 1 1\n7 3 0 0\n"
compare_case "two that touch at the start" "2\n1\n10 8\n3 4 1 0\n5 4 -1 0.5\n"
compare_case "a row that touches" "4\n1\n20 8\n3 4 1 0\n5 4 0 0\n7 4 0 0\n9 4 0 0\n"
compare_case "collisions at one time" "4\n1\n12 12\n3 3 1 1\n9 3 -1 1\n3 9 1 -1\n9 9 -1 -1\n"
compare_case "against the wall" "1\n1\n10 8\n1 1 -1 -1\n"
compare_case "a glancing blow" "2\n1\n20 20\n3 5 2 0\n10 6.999 -1 0\n"
for text in "0\n1\n10 8\n" "2\n1\n10 8\n3 4 1 0\n" "" "x"; do
    printf '%b' "$text" >"$work/case"
    particles "$work/case" 1
    check_error 1 ''
    verdict "bad input is refused: $text" "$problem"
done
if command -v valgrind >/dev/null; then
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
        "$PROGRAM" data/particles_only.txt 100 >"$work/out" 2>"$work/err"
    status=$?
    expect_output "under valgrind" tests/command/expected/particles_only.t100.expected
else
    skip "what is handed in under valgrind" valgrind
fi

# A case that the program gets wrong does not get onto a slide.
printf '#!/bin/sh\n"%s" "$@" | sed s/7.000000/7.000001/\n' "$own" >"$work/wrong"
chmod +x "$work/wrong"
PROGRAM=$work/wrong RUN_WITH='' sh data/submission/make "$work/bad" >"$work/log" 2>&1
verdict "a wrong answer is noticed" "$([ $? -ne 0 ] && [ ! -e "$work/bad.zip" ] || echo "it is not")"

finish
