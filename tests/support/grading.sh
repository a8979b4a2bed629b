# shellcheck shell=sh
# What the tests of scripts/grade share, after expect.sh: a class of submissions, made of student.c, and
# how they are graded. Not with RUN_WITH, for it is the scripts that are tested.
# shellcheck disable=SC2034,SC2154 # variables of expect.sh and of the tests
for tool in setsid unshare setpriv prlimit timeout zip unzip; do
    command -v $tool >/dev/null || {
        echo "skipped: grading, for there is no $tool"
        finish
    }
done
chmod 711 "$work"
class="$work/the class"
top=$PWD
mkdir "$class"

# hand_in NAME [OPTION]: a submission, compiled with OPTION
hand_in() {
    mkdir "$class/$1"
    cp tests/command/student.c "$class/$1/main.c"
    printf 'particles: main.c\n\t%s %s main.c -lm -o particles\n' \
        "cc -std=c11 -D_XOPEN_SOURCE=700 -Wall -g" "$2" >"$class/$1/Makefile"
}

# grade OUTPUT CASES OPTION... NAME...: grades what is in the class; leaves the table in $work/table and
# what is said in $work/said
grade() {
    output=$1 set_of_cases=$2
    shift 2
    (cd "$class" && sh "$top/scripts/grade" --program="$PROGRAM" --cases="$set_of_cases" --output="$output" \
        "$@") >"$work/said" 2>&1
    status=$?
    cp "$output/grades.csv" "$work/table" 2>/dev/null
}

# expect_result NAME CASE RESULT [PATTERN]: a row of the table, and what it has to match, too
expect_result() {
    row=$(grep "^$1,$2[^,]*," "$work/table" | head -n 1)
    verdict "$1, $2" "$(printf '%s\n' "$row" | grep "^[^,]*,[^,]*,$3,.*$4" >/dev/null || echo "the row is '$row'")"
}
