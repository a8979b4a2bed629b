#!/bin/sh
# scripts/cases and scripts/grade: that the cases are what they are for, and that submissions, right
# and wrong in many ways, are classified rightly and do no harm. grade_hostile.sh has those that mean
# harm.
. tests/support/expect.sh
. tests/support/grading.sh

# The cases: the same for the same seed. The first two kinds are walls and pairs.
sh scripts/cases --program="$PROGRAM" --output="$work/some cases" --count=2 --seed=3 >"$work/said" 2>&1
verdict "cases are made" "$([ $? -eq 0 ] || cat "$work/said")"
sh scripts/cases --program="$PROGRAM" --quiet --output="$work/again" --count=1 --seed=3 >"$work/said" 2>&1
verdict "the same again" "$(cat "$work/said"
    for file in "$work/again"/01*; do cmp "$file" "$work/some cases/${file##*/}" 2>&1; done)"
[ -z "$THOROUGH" ] || verdict "others for another seed" "$(
    sh scripts/cases --program="$PROGRAM" --quiet --output="$work/other" --count=1 --seed=4 2>&1
    cmp -s "$work/other/01_walls_n1.txt" "$work/again/01_walls_n1.txt" && echo "the same")"
for kind in walls:0 pairs:1; do
    file=$(echo "$work/some cases/"*_${kind%:*}_*.expected)
    verdict "${kind%:*} only" "$(awk -F', ' -v pairs="${kind#*:}" \
        '{ walls += $3; other += $4 } END { if (pairs ? walls || !other : !walls || other) print walls, other }' "$file")"
done
for file in "$work/some cases/"*.expected; do
    name=$(basename "$file")
    verdict "the README tells of $name" \
        "$(grep -q "\`${name%.t*}\`" "$work/some cases/README.md" || echo no)"
done
verdict "other cases are kept" "$(
    sh scripts/cases --program="$PROGRAM" --quiet --output="$work/again" 2>&1 | grep -v "has cases already")"

# Two cases: a gas, and a corner, which is two collisions at the same time.
mkdir "$work/two cases" "$work/one"
"$PROGRAM" --generate=6 --area-fraction=0.1 --seed=2 --quiet >"$work/two cases/gas.txt"
printf '1\n1\n16 16\n12 12 1 1\n' >"$work/two cases/corner.txt"
for case in gas:20 corner:4; do
    file="$work/two cases/${case%:*}"
    "$PROGRAM" "$file.txt" "${case#*:}" >"$file.t${case#*:}.expected"
done
cp "$work/two cases"/gas* "$work/one"

hand_in right
for fault in one_at_a_time count_more print_forever crash outside outlive leak beyond sleep \
    ${THOROUGH:+wrong_root float wrong_wall no_end loop fork chatty}; do
    hand_in_faulty $fault
done
# Names are bytes: composed, decomposed, without a meaning in UTF-8; and of files in a zip.
composed=$(printf '\303\234bung') decomposed=$(printf 'U\314\210bung') byte=$(printf 'M\374ller') chinese=$(printf '\344\275\234\344\270\232')
hand_in "$chinese"
sed -i "s/main\.c/$composed.c/" "$class/$chinese/Makefile"
mv "$class/$chinese/main.c" "$class/$chinese/$composed.c"
(cd "$class/$chinese" && zip -qr "../$chinese.zip" .)
rm -r "${class:?}/$chinese"
[ -z "$THOROUGH" ] || {
    hand_in "$composed"
    hand_in "$decomposed"
    hand_in "$byte"
}
hand_in no_makefile
rm "$class/no_makefile/Makefile"
hand_in other_name
sed -i 's/particles/simulate/g' "$class/other_name/Makefile"
hand_in built
printf '#!/bin/sh\n' >"$class/built/particles"
echo "wrong" >"$class/built/main.c"
touch -t 203001010000 "$class/built/particles"
hand_in folder
mkdir "$class/above"
mv "$class/folder" "$class/above/homework 4"
echo 'static int unused(int a) { int b; return 0; }' >>"$class/above/homework 4/main.c"
(cd "$class/above" && echo evil >../slipped && ln -s /etc/passwd "homework 4/case.txt" &&
    zip -qry "../-with 'spaces' & <all>.zip" "homework 4" ../slipped && rm ../slipped)
rm -r "$class/above"

# Others leave the right run early, too; no_makefile is among those with points below; and processes that
# outlive theirs are ended in grade_hostile.sh, where one builds no program of this name, too.
set --
[ -z "$THOROUGH" ] || set -- "$composed" "$decomposed" "$byte" wrong_root float no_end outlive wrong_wall chatty other_name
grade "$work/out put" "$work/two cases" --valgrind=0 --build-time=20 --gradescope -- right one_at_a_time \
    count_more print_forever crash outside built "-with 'spaces' & <all>.zip" "$chinese.zip" "$@"
verdict "all are graded" "$([ $status -eq 0 ] || cat "$work/said")"
for name in "$chinese" ${THOROUGH:+"$composed" "$decomposed" 'M\\xfcller'}; do
    expect_result "$name" gas pass
    verdict "$name: the page, and the student" "$(grep -q "\"#s[0-9]*\">$name<" "$work/out put/grades.html" &&
        grep -q "^Submission: $name$" "$work/out put/submissions/"*/report.txt || echo no)"
    verdict "$name: Gradescope" "$(grep -l corner "$work/out put/submissions/"*/results.json | grep -q "/$name/\|/$byte/" || echo no)"
done
for name in right outside ${THOROUGH:+outlive} "'-with 'spaces' & <all>"; do
    expect_result "$name" gas pass
    expect_result "$name" corner pass
done
expect_result "'-with 'spaces' & <all>" build pass "2 warnings"
[ -z "$THOROUGH" ] || {
    expect_result wrong_root gas differs "collision [0-9]* of 28, at time"
    expect_result wrong_root corner pass
    expect_result float gas differs "1,"
    expect_result no_end gas differs
    expect_result wrong_wall gas differs "particle [0-5] and the \(right\|top\) wall"
    expect_result chatty gas "wrong format" "1,.*6 particles"
    expect_result other_name build "did not build" "name particles"
}
expect_result one_at_a_time corner differs "counts.*collisions 1 to 2 of 2, at time 3: particle 0 and the"
expect_result count_more gas differs "before the first of"
expect_result print_forever gas "too much output"
expect_result crash gas crashed SIGABRT
expect_result built build "did not build" "make fails"
verdict "nothing of a submission is kept" "$(find "$work/out put/submissions" -type f |
    grep -v -e '/report.txt$' -e '/build.txt$' -e '/results.json$')"
verdict "nothing is left in the class" "$(find "$class" -newer "$work/said" -type f ! -path '*/built/*'; ls "$class" | grep slipped)"
verdict "names are escaped" "$(grep -q "with &#x27;spaces&#x27; &amp; &lt;all&gt;" "$work/out put/grades.html" || echo no)"
verdict "the student reads why" "$(grep -q 'particle 0 and the' \
    "$work/out put/submissions/one_at_a_time/report.txt" || cat "$work/out put/submissions/one_at_a_time/report.txt")"
if command -v xmllint >/dev/null; then
    verdict "the page is HTML" "$(xmllint --html --noout "$work/out put/grades.html" 2>&1 |
        grep error | grep -v 'Tag \(details\|summary\)')"
fi
# points FILE: of a results.json the number of tests, the points, and the most that can be reached
points() {
    python3 -IS -c 'import json, sys
tests = json.load(open(sys.argv[1]))["tests"]
print(len(tests), *("%g" % sum(test[key] for test in tests) for key in ("score", "max_score")))' "$1" 2>&1
}
for name in right crash built; do
    verdict "results.json, $name" "$(points "$work/out put/submissions/$name/results.json" |
        grep -vx "2 $([ $name = right ] && echo 2 || echo 0) 2")"
done
verdict "a right program and its copy are nearly equal" \
    "$(grep "^[01].[0-9]*,'-with.*,right$" "$work/out put/similar.csv" >/dev/null || cat "$work/out put/similar.csv")"

# Whatever happens to one, the others get their grades: the report of one fails, and results.json of another.
mkdir -p "$work/bin" "$work/other/submissions"
printf '#!/bin/sh\ncase "$*" in *"verdict crash") echo odd >"$GRADE_WORK/found/crash/rows" && exit 3 ;; *"verdict built") mkdir -p "$GRADE_WORK/found/built/results.json" ;; esac\nexec %s "$@"\n' \
    "$(command -v python3)" >"$work/bin/python3"
chmod +x "$work/bin/python3"
usual=$PATH
PATH=$work/bin:$PATH
ln -s nothing "$class/gone"
mkdir "$class/$(printf "two\nlines")"
grade "$work/other" "$work/one" --valgrind=0 --gradescope -- ${THOROUGH:+built} crash right "$(printf 'two\nlines')" gone
PATH=$usual
verdict "one report fails: the status" "$([ $status -eq 1 ] || cat "$work/said")"
expect_result right gas pass
verdict "one report fails: the page" "$(grep -c 'id="s[0-9]' "$work/other/grades.html" | grep -vx $((2 + ${#THOROUGH})))"
verdict "one report fails: the others" "$(ls "$work/other/submissions/right/report.txt" "$work/other/submissions/right/results.json" 2>&1 >/dev/null)"

# How outputs are compared: EXPECTED, what is FOUND, a tolerance, the result and its line.
tab=$(printf '\t')
while read -r expected found tolerance result line share; do
    printf "$(printf %s "$expected" | tr _ ' ')" >"$work/expected"
    printf "$(printf %s "$found" | tr _ ' ')" >"$work/found"
    verdict "$found for $expected" "$(sh scripts/grade_compare "$work/expected" "$work/found" "${tolerance#-}" 0.5 0.4 |
        tr ' ' _ | grep -v "^$result$tab${line#-}$tab.*$tab${share:-[01]}$")"
done <<'CASES'
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_4\n - pass -
1.000000,_2.000000,_3,_4\n 1.000002,_2.000000,_3,_4\n 2e-6 pass -
1.000000,_2.000000,_3,_4\n 1.000002,_2.000000,_3,_4\n - differs 1
1.000000,_2.000000,_3,_4\n 1.000000,_1.999997,_3,_4\n 2e-6 differs 1
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_5\n 2e-6 differs 1 0.4
1.000000,_2.000000,_3,_4\n 1.000000,_-nan,_3,_4\n 2e-6 differs 1
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_4 - wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_4\r\n - wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_4\n\0 - wrong_format 2 0.5
1.000000,_2.000000,_3,_4\n \00001.000000,_2.000000,_3,_4\n - wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n 1.000000,2.000000,3,4\n - wrong_format 1 0.5
1.234567,_2.000000,_3,_4\n 0:_1.23457_2.00000_3_4_\n - wrong_format 1 0.5
1.234567,_2.000000,_3,_4\n 1.23457\n2.00000\n3\n4\n - wrong_format 1 0.5
1.234567,_2.000000,_3,_4\n 1.23457_2.00000_4_4\n - wrong_format 1 0.2
1.234567,_2.000000,_3,_4\n 1.23458_2.00000_3_4\n - wrong_format 1 0
1.234567,_2.000000,_3,_4\n 1.2_2.0_3_4\n - wrong_format 1 0
1.234567,_2.000000,_3,_4\n 1.234568,_2.000000,_3,_4\n - differs 1 0
1.000000,_2.000000,_3,_4\n 1.00000,_2.00000,_3,_4\n 2e-6 wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_03,_4\n 2e-6 wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n 01.000000,_2.000000,_3,_4\n 2e-6 wrong_format 1 0.5
1.000000,_2.000000,_3,_4\n \n - wrong_format 1
1.000000,_2.000000,_3,_4\n \r - wrong_format 1
1.000000,_2.000000,_3,_4\n2.000000,_2.000000,_3,_4\n 1.000000,_2.000000,_3,_4\n - wrong_format 2
CASES
printf '1.000000, 2.000000, 3, 4\n' >"$work/expected"
printf '1.000000, nan, 3, 4\n' >"$work/found"
verdict "not a number is not a count" "$(sh scripts/grade_compare "$work/expected" "$work/found" "" |
    grep -v '1 of 1 lines differ, 1 in positions that are no finite numbers.0$')"
: >"$work/found"
verdict "nothing is printed" "$(sh scripts/grade_compare "$work/expected" "$work/found" "" | grep -v 'wrong format.1.*0$')"

# Wrong programs, each in its own way: each loses points in the usual set of cases. Others have lost some above.
if [ -n "$THOROUGH" ]; then
    sh scripts/cases --program="$PROGRAM" --quiet --output="$work/usual cases"
    set -- never_of_pairs never_of_walls before_end one_of_ties stale other_side swapped not_last leaving
    for fault; do
        hand_in_faulty $fault
    done
    grade "$work/mutants" "$work/usual cases" --valgrind=0 --quiet right "$@"
    verdict "all wrong programs lose points" "$(awk -F, 'NR > 1 && ($2 == $3) != ($1 == "right")' "$work/mutants/gradebook.csv")"
    verdict "all of them are graded" "$(grep -c '^[a-z_]*,[0-9.]*,20,[0-9]*,20,pass' "$work/mutants/gradebook.csv" | grep -vx 10)"
fi

# What a student may have overlooked, and what is no fault: a sanitizer, -static, the threads of OpenMP, a Makefile
# that runs the program.
if [ -n "$THOROUGH" ]; then
    for fault in usage writes asks null_pointer; do
        hand_in_faulty $fault
    done
    for name in sanitized static openmp absolute archive capital runs; do
        hand_in "$name"
    done
    mv "$class/capital/Makefile" "$class/capital/MakeFile"
    printf 'all: particles run\nrun:\n\t./particles\n' | cat - "$class/runs/Makefile" >"$work/Makefile"
    mv "$work/Makefile" "$class/runs"
    sed -i 's/-Wall/-Wall -fsanitize=address/' "$class/sanitized/Makefile"
    sed -i 's/    free(system.particles);//' "$class/sanitized/main.c"
    (cd "$class/archive" && tar -czf ../all.tar.gz . && rm ./* && mv ../all.tar.gz .)
    sed -i 's/-Wall/-Wall -static/' "$class/static/Makefile"
    sed -i 's/-Wall/-Wall -fopenmp/' "$class/openmp/Makefile"
    echo '_Pragma("omp parallel for") for (int k = 0; k < 100; k++) if (k < 0) puts("");' >"$class/openmp/fault.h"
    sed -i "s|cc -std|$(command -v gcc) -static -std|" "$class/absolute/Makefile"
    grade "$work/told" "$work/one" --valgrind=1 --quiet --gradescope -- usage writes capital runs static openmp absolute \
        null_pointer asks sanitized archive
    expect_result usage gas "wrong format" 'it says ""usage: particles N""'
    expect_result asks gas "wrong format" "reads standard input"
    expect_result archive build "did not build" "an archive"
    expect_result writes gas "wrong format" "has written the file output.txt"
    expect_result capital build "did not build" "must be called Makefile"
    expect_result runs build pass "it must build, and run nothing"
    for name in runs sanitized static openmp absolute; do
        expect_result "$name" gas pass
        [ "$name" = sanitized ] || expect_result "$name" "valgrind gas" pass
    done
    if command -v valgrind >/dev/null; then
        expect_result sanitized "valgrind gas" leaks "not freed"
        verdict "the student reads what valgrind says" "$(grep -q 'definitely lost' "$work/told/submissions/sanitized/report.txt" || echo no)"
    fi
    verdict "what did not run has no faults" "$(grep '^capital' "$work/told/gradebook.csv" | grep -v ',,missing$')"
    verdict "slides without a weight are no failed test" "$(grep -l slides.pdf "$work/told/submissions/"*/results.json | xargs -r grep -l '"name": "slides"')"
fi

# Limits. Without all cases grade_hostile.sh has them, where one loops and ignores its limit, too.
if [ -n "$THOROUGH" ]; then
    set -- sleep loop fork
    grade "$work/limits" "$work/one" --valgrind=0 --time=5 --build-time=20 "$@"
    for name; do
        expect_result "$name" gas "too slow" "more than \(1 s of the processor\|2 s in all\)," # a fifth, for the case is small
    done
    verdict "nothing is left behind" "$(grep -lsa "GRADE_CONFINED=$work" /proc/[0-9]*/environ)"
fi

# As another user, in a folder that all can reach.
if [ -n "$THOROUGH" ] && [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --clear-groups test -x "$PROGRAM" -a -r "$top/scripts/grade"; then
    shared=$(mktemp -d /tmp/grade_test.XXXXXX)
    trap 'rm -rf "$work" "$shared"' EXIT
    mkdir "$shared/my files"
    cp -R "$class/outlive" "$work/one" "$shared/my files"
    chmod -R a+rwX "$shared"
    (cd "$shared/my files" && TMPDIR="$shared/my files" setpriv --reuid=65534 --regid=65534 --clear-groups \
        sh "$top/scripts/grade" --program="$PROGRAM" --cases=one --output=out --valgrind=0 outlive) \
        >"$work/said" 2>&1
    verdict "as another user" "$([ $? -eq 0 ] || cat "$work/said")"
    cp "$shared/my files/out/grades.csv" "$work/table"
    expect_result outlive gas pass
fi

# A signal ends all: what runs until 20.0$$, which no other test does.
mkdir "$work/long"
cp "$work/one/gas.txt" "$work/long"
"$PROGRAM" "$work/long/gas.txt" 20.0$$ >"$work/long/gas.t20.0$$.expected"
for mode in "" ${THOROUGH:+--no-namespaces}; do
    (cd "$class" && exec sh "$top/scripts/grade" --program="$PROGRAM" --cases="$work/long" --output="$work/stopped" \
        --quiet --valgrind=0 $mode sleep) >"$work/said" 2>&1 &
    process=$!
    waited=0
    until grep -lsa "[c]ase.txt.20.0$$" /proc/[0-9]*/cmdline >"$work/running" || [ $waited -gt 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    kill -s TERM $process
    wait $process 2>/dev/null
    verdict "a signal ends it, $mode" "$([ $? -eq 143 ] || cat "$work/said")"
    verdict "it was running, $mode" "$([ -s "$work/running" ] || echo no)"
    sleep 0.3
    verdict "and all that it has begun, $mode" "$(grep -lsa "[c]ase.txt.20.0$$" /proc/[0-9]*/cmdline)"
done

# Gradescope: its folders, with this project as what was unpacked.
mkdir -p "$work/auto grader/source"
ln -s "$top" "$work/auto grader/source/particles"
ln -s "$PROGRAM" "$work/program"
ln -s "$work/one" "$work/auto grader/source/cases"
cp -R "$class/leak" "$work/auto grader/submission"
AUTOGRADER="$work/auto grader" GRADE_OPTIONS="--points=10 --valgrind=0 --program=$work/program" \
    sh data/grading/run_autograder >"$work/said" 2>&1
verdict "Gradescope" "$(points "$work/auto grader/results/results.json" | grep -vx "1 10 10"; cat "$work/said" | grep -v ^grade)"
mv "$work/auto grader/submission" "$work/auto grader/none"
AUTOGRADER="$work/auto grader" sh data/grading/run_autograder >"$work/said" 2>&1
verdict "Gradescope, if grading fails" "$(grep -q '"score": 0, "output": "The autograder failed' \
    "$work/auto grader/results/results.json" || echo "no results")"

# Points: settings, hidden cases, slides, partial credit, and what a student reads.
printf '%%PDF-1.4\n/Type /Page\n/Type /Page\n/Type /Pages\n' >"$class/right/slides.pdf"
cp -R "$class/right" "$class/=5 decimals"
sed -i 's/%.6f, %.6f, %d, %d/%.5f %.5f %d %d/; s/radius/size/g' "$class/=5 decimals"/*.c
sed -i '1,/\*\//d; s/    free(system.particles);//' "$class/=5 decimals/main.c"
sed -i 's/radius/size/g' "$class/=5 decimals"/*.h
printf '/Type /Page\n/Type /Page\n' >>"$class/=5 decimals/slides.pdf"
printf '%s\n' '# of this class' 'points=100' 'weight=slides=1' '' 'weight=val*=2' 'hidden=corner*' >"$work/settings"
printf '| `gas` | 6 | what it is for |\n' >"$work/two cases/README.md"
grade "$work/points" "$work/two cases" --settings="$work/settings" --gradescope --quiet --valgrind=1 -- \
    right "=5 decimals" no_makefile ${THOROUGH:+beyond count_more}
verdict "nothing is said" "$(grep -v without "$work/said")"
verdict "each has its points" "$(cut -d, -f 1-3,8 "$work/points/gradebook.csv" | tail -n +2 | tr '\n' ' ' | grep -vx \
    "'=5 decimals,20,100,wrong format ${THOROUGH:+beyond,40,100,missing count_more,60,100,missing }no_makefile,0,100,missing right,100,100,pass ")"
expect_result no_makefile build "did not build" "no Makefile"
expect_result no_makefile gas "did not build"
for name in "=5 decimals" no_makefile; do
    verdict "$name: the most is the same" "$(points "$work/points/submissions/$name/results.json" | grep -v '^4 .* 100$')"
done
report="$work/points/submissions/=5 decimals/report.txt"
for line in "your numbers are right; print them with %.6f" "What it is for: what it is for" "To repeat it: ./particles gas.txt 20" \
    "        6" "Of 1 hidden case 0 pass" "slides.pdf has 4 pages"; do
    verdict "the student reads '$line'" "$(grep -qF "$line" "$report" || cat "$report")"
done
verdict "and not what is hidden" "$(grep corner "$report")"
verdict "Gradescope hides it" "$(python3 -IS -c 'import json, sys
print([test["name"] for test in json.load(open(sys.argv[1]))["tests"] if test["visibility"] == "hidden"])' \
    "$work/points/submissions/right/results.json" | grep -vxF "['corner.t4']")"
verdict "renamed and without comments it is nearly equal" \
    "$(grep -q "'=5 decimals,right$" "$work/points/similar.csv" || cat "$work/points/similar.csv")"
if command -v valgrind >/dev/null; then
    expect_result "'=5 decimals" "valgrind gas" leaks "bytes"
    [ -z "$THOROUGH" ] || verdict "a fault has file and line" "$(grep -q '^beyond,valgrind gas[^,]*,memory error,.*Invalid read.*fault.h:[0-9]' "$work/points/grades.csv" || cat "$work/points/grades.csv")"
fi

# Usage.
for arguments in "" "--cases=$work/one" "--cases=$work/one --output=$work/x" "--cases=/nowhere --output=$work/x right" \
    "--cases=$work/one --output=$work/x --time=0 right" "--cases=$work/one --output=$work/x nobody" \
    "--cases=$work/one --output=$work/x --weight=a=b right" "--cases=$work/one --output=$work/x --settings=/nowhere right" \
    "--cases=$work/one --output=$work/x --points=1e right" "--cases=$class --output=$work/x right" "--cases=$work/one --output=$work/x right right" "--unknown"; do
    (cd "$work/the class" && sh "$top/scripts/grade" --program="$PROGRAM" $arguments) >"$work/said" 2>&1
    verdict "usage: $arguments" "$([ $? -eq 64 ] && [ "$(wc -l <"$work/said")" -eq 1 ] || cat "$work/said")"
done
finish
