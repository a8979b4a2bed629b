#!/bin/sh
# The gallery: its input files are what data/examples/make makes, its pictures what the program
# draws, and its README has the command for each.
. tests/support/expect.sh

sh data/examples/make "$work"
for input in data/examples/*.txt; do
    verdict "$input" "$(cmp "$input" "$work/$(basename "$input")" 2>&1)"
done

grep -v '^#' data/examples/gallery >"$work/list"
while read -r name end_time input options; do
    command="./particles $options${options:+ }--picture=$name.svg $input $end_time"
    verdict "the README has $name" "$(grep -Fqx "    $command" data/examples/README.md || echo "not: $command")"
    verdict "$name is small" "$([ "$(wc -c <"data/examples/$name.svg")" -lt 200000 ] || echo too large)"
    case $options in
    *--rule=elastic*)
        if ! "$PROGRAM" --rule=elastic data/walls_only.txt 0 >"$work/out" 2>&1; then
            echo "$name is not tested, for there is no --rule=elastic"
            continue
        fi
        ;;
    esac
    sh data/examples/draw "$work" "$name" 2>"$work/err"
    verdict "$name is drawn without a word" "$(cat "$work/err")"
    verdict "$name is as it was" "$(cmp "data/examples/$name.svg" "$work/$name.svg" 2>&1)"
done <"$work/list"
# Emulated or checked, these runs would take minutes.
if [ -z "$RUN_WITH" ]; then
    sh data/examples/plot "$work" 2>"$work/err"
    verdict "curves are drawn without a word" "$(cat "$work/err")"
    for name in pair_distribution melting lift; do
        verdict "$name is as it was" "$(cmp "data/examples/$name.svg" "$work/$name.svg" 2>&1)"
    done
fi
verdict "there are pictures" "$([ "$(wc -l <"$work/list")" -ge 8 ] || echo "too few")"

finish
