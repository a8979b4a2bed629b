#!/bin/sh
# scripts/grade, several at a time for one class: each submission is graded once, and again if something has changed;
# what one leaves that is killed another grades; and the tables are those of one alone.
. tests/support/expect.sh
. tests/support/grading.sh

mkdir "$work/cases"
"$PROGRAM" --generate=6 --area-fraction=0.1 --seed=2 --quiet >"$work/cases/gas.txt"
"$PROGRAM" "$work/cases/gas.txt" 20 >"$work/cases/gas.t20.expected"
hand_in right
hand_in_faulty count_more
hand_in_faulty sleep
hand_in "in a zip"
(cd "$class" && zip -qr "in a zip.zip" "in a zip")
mv "$class/in a zip" "$work"
hand_in no_makefile
rm "$class/no_makefile/Makefile"

# all OPTION...: grades the whole class, or does with it what the options say, in $folder
all() {
    grade "$folder" "$work/cases" --valgrind=0 --time=5 "$@" right count_more sleep "in a zip.zip" no_makefile
}

# two OPTION...: the same for two of the class
two() {
    grade "$folder" "$work/cases" --valgrind=0 --time=5 "$@" right no_makefile
}

# tables FOLDER: what does not depend on the clock
tables() {
    cat "$1/gradebook.csv" "$1/similar.csv"
    cut -d, -f 1-3,5- "$1/grades.csv"
    grep -r . "$1/submissions" | sed "s|^$1||; s/ ([0-9.]* s)//" | sort
}

printf '%s\n' count_more "in a zip" no_makefile right sleep >"$work/names"
folder=$work/alone
all --points=10
verdict "one alone" "$([ $status -eq 0 ] || cat "$work/said")"
tables "$folder" >"$work/expected"

# The first is ended while it runs the one that sleeps; nothing that it has begun is left.
folder=$work/shared
mkdir -m 711 "$work/files"
for signal in TERM KILL; do
    (cd "$class" && TMPDIR="$work/files" exec sh "$top/scripts/grade" --program="$PROGRAM" --cases="$work/cases" \
        --output="$folder" --valgrind=0 --time=5 --share --jobs=1 sleep) >"$work/said" 2>&1 &
    process=$!
    for _ in $(seq 200); do
        # shellcheck disable=SC2046 # these names have no spaces
        ! grep -lsa "^\./particles.case.txt" $(grep -lsa "GRADE_CONFINED=$work" /proc/[0-9]*/environ | sed 's/environ/cmdline/') \
            </dev/null >"$work/running" || break
        sleep 0.1
    done
    cp "$folder/partial/sleep/0.claim" "$work/claim"
    kill -s $signal $process
    wait $process 2>/dev/null
    verdict "$signal: it was running" "$([ -s "$work/running" ] && [ -s "$work/claim" ] || cat "$work/said")"
    for _ in $(seq 50); do # what ends it may not be at once
        left=$(grep -lsa "GRADE_CONFINED=$work\|QUEUE_PROCESS=$process" /proc/[0-9]*/environ; ls "$work/files")
        [ -n "$left" ] || break
        sleep 0.1
    done
    verdict "$signal ends all" "$left"
    [ $signal = KILL ] || verdict "$signal: it gives back its claims" "$(ls -A "$folder" | grep -vx submissions)"
done
all --gather
verdict "none is graded" "$([ $status -eq 1 ] && grep -qx \
    'grade: 5 of 5 submissions are missing: count_more, in a zip, no_makefile, right, sleep' "$work/said" || cat "$work/said")"
for k in 1 2 3; do
    (cd "$class" && sh "$top/scripts/grade" --program="$PROGRAM" --cases="$work/cases" --output="$folder" --valgrind=0 --time=5 \
        --share --jobs=1 right count_more sleep "in a zip.zip" no_makefile || echo "status $?") >"$work/said.$k" 2>&1 &
done
wait
verdict "three grade each once" "$(sed 's/^grade: \([^:]*\):.*/\1/; /^grade: without/d; /^grade: they/d' "$work"/said.? | sort |
    diff - "$work/names")"
verdict "nothing else is left" "$(find "$folder" -mindepth 1 -maxdepth 1 ! -name graded ! -name submissions)"
all --gather --points=10
verdict "their tables are those of one alone" "$([ $status -eq 0 ] || cat "$work/said"
    tables "$folder" | diff - "$work/expected")"
verdict "what was graded stays" "$(all --share && cat "$work/said" | grep -v without; [ $status -eq 0 ] || echo "status $status")"

# What has changed is graded again, and told until then.
echo >>"$class/right/main.c"
two --gather
verdict "a submission that has changed" "$([ $status -eq 1 ] && grep -qx 'grade: 1 of 2 submissions are missing: right' "$work/said" ||
    cat "$work/said")"
two --gather --partial
verdict "is left out" "$([ $status -eq 0 ] || cat "$work/said"; grep '^right,' "$work/table")"
two --share
verdict "it alone is graded again" "$(grep -v '^grade: right: \|without' "$work/said"; grep -q right "$work/said" || echo no)"
for change in --time=6 --tolerance=1e-6; do
    two --gather $change
    verdict "$change changes all" "$(grep -q '2 of 2 submissions are missing' "$work/said" || cat "$work/said")"
done
mv "$class/right/main.c" "$class/right/other.c"
sed -i 's/main\.c/other.c/' "$class/right/Makefile"
two --gather --quiet
verdict "other names of files" "$(grep -q '1 of 2 submissions are missing: right' "$work/said" || cat "$work/said")"
finish
