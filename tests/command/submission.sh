#!/bin/sh
# What `make submission` hands in: exactly the files that the assignment asks for, which build a
# program that prints the same as this one; the same bytes each time.
. tests/support/expect.sh

for tool in zip unzip rsvg-convert; do
    command -v $tool >/dev/null || {
        echo "skipped: the files to hand in, for there is no $tool"
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

# What a student would hand in and explain: the contract, and nothing else.
unzip -Z1 "$work/one.zip" >"$work/names"
verdict "at most 20 files" "$([ "$(wc -l <"$work/names")" -le 20 ] || wc -l "$work/names")"
for name in Makefile slides.pdf main.c textbook.c physics.c wall.txt pair.txt; do
    verdict "$name is there" "$(grep -qx "$name" "$work/names" || echo no)"
done
lines=$(cat "$work"/one/*.[ch] | wc -l)
verdict "at most 2000 lines" "$([ "$lines" -le 2000 ] || echo "$lines")"
verdict "main.c has at most 60" "$([ "$(wc -l <"$work/one/main.c")" -le 60 ] || echo no)"
for file in "$work"/one/*.[ch]; do
    name=$(basename "$file")
    [ "$name" = main.c ] || verdict "$name is the program's" \
        "$(grep -v '^#include' "$(find src include -name "$name")" >"$work/a"
        grep -v '^#include' "$file" | cmp - "$work/a" 2>&1)"
done

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
    particles "data/${name%.t*}.txt" "${name##*.t}"
    expect_output "$name" "$expected"
done
for seed in 1 2 3 4 5 6 7 8; do
    "$BUILD/tests/command/make_case" $seed >"$work/case"
    # shellcheck disable=SC2086 # RUN_WITH is a command and its options
    $RUN_WITH "$own" "$work/case" 30 >"$work/expected"
    particles "$work/case" 30
    expect_output "a random case, $seed" "$work/expected"
done
if command -v valgrind >/dev/null; then
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
        "$PROGRAM" data/particles_only.txt 100 >"$work/out" 2>"$work/err"
    status=$?
    expect_output "under valgrind" tests/command/expected/particles_only.t100.expected
else
    echo "skipped: valgrind, which is not installed"
fi

# A case that the program gets wrong does not get onto a slide.
printf '#!/bin/sh\n"%s" "$@" | sed s/7.000000/7.000001/\n' "$own" >"$work/wrong"
chmod +x "$work/wrong"
PROGRAM=$work/wrong RUN_WITH='' sh data/submission/make "$work/bad" >"$work/log" 2>&1
verdict "a wrong answer is noticed" "$([ $? -ne 0 ] && [ ! -e "$work/bad.zip" ] || echo "it is not")"

finish
