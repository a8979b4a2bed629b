#!/bin/sh
# Where people write 0,5 some programs, such as mawk, print and read numbers like that. Scripts that
# print numbers write the same bytes there. (The locale has few characters: with those of UTF-8 it takes a second to make.)
. tests/support/expect.sh
if ! localedef -i de_DE -f ISO-8859-1 "$work/de_DE" 2>"$work/said"; then
    skip "numbers with a decimal comma" locales
    finish
fi

# in_locale NAME COMMAND...: runs it with and without a decimal comma, in $work/NAME and $work/NAME.C
in_locale() {
    name=$1
    shift
    mkdir "$work/$name" "$work/$name.C"
    (cd "$work/$name.C" && "$@") >"$work/$name.C/printed" 2>&1
    (LOCPATH=$work LC_ALL=de_DE && export LOCPATH LC_ALL && cd "$work/$name" && "$@") >"$work/$name/printed" 2>&1
    verdict "$name" "$(diff -r -x stats.csv -I '^seconds' -I '^collisions_per_second' "$work/$name.C" "$work/$name" | head -n 4
        [ -n "$(find "$work/$name" -type f -size +9c)" ] || echo nothing)"
}

verdict "numbers have a comma" "$(LOCPATH=$work LC_ALL=de_DE env printf %.1f 1 2>&1 | grep -vx 1,0)"
top=$PWD
in_locale examples sh "$top/data/examples/make" .
in_locale cases sh "$top/data/examples/cases" .
in_locale scenes sh "$top/data/examples/steps/make" .
in_locale polygon sh "$top/scripts/polygon" airfoil --naca=2412 --points=20
[ -z "$THOROUGH" ] || in_locale grading sh "$top/scripts/cases" --program="$PROGRAM" --quiet --output=made --count=3
printf '1.000000, 2.000000, 3, 4\n' >"$work/right"
printf '1.000002, 2.000000, 3, 4\n' >"$work/near"
in_locale compared sh "$top/scripts/grade_compare" "$work/right" "$work/near" 2e-6
in_locale sweep sh "$top/scripts/sweep" --quiet --program="$PROGRAM" --output=d --jobs=1 --end-time=1 --generate=20 --area-fraction=0.25
finish
