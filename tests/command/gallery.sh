#!/bin/sh
# The gallery: its input files are what data/examples/make makes, its pictures what the program
# draws, and its README has the command for each.
. tests/support/expect.sh
sinks='in lasting contact, was off by' # what a run says of disks that pressed on each other hard

same_matplotlib='import matplotlib; assert matplotlib.__version__.startswith("3.6.")'
mkdir "$work/steps"
sh data/examples/make "$work"
sh data/examples/steps/make "$work/steps"
for input in data/examples/*.txt data/examples/steps/*.txt; do
    verdict "$input" "$(cmp "$input" "$work/${input#data/examples/}" 2>&1)"
done

grep -v '^#' data/examples/gallery >"$work/list"
while read -r name end_time input options; do
    command="./particles $options${options:+ }--picture=${name#steps/}.svg $input $end_time"
    verdict "the README has $name" "$(grep -Fqx "    $command" data/examples/README.md || echo "not: $command")"
    verdict "$name is small" "$([ "$(wc -c <"data/examples/$name.svg")" -lt 200000 ] || echo too large)"
    # Some scenes take seconds; emulated or checked, all would take minutes.
    case ${RUN_WITH:+slow}${QUICK:+slow}${THOROUGH:+all}$name in
    slow*steps/* | steps/heap | steps/dam | steps/still | steps/net | steps/vortex) continue ;;
    esac
    case $options in
    *--rule=elastic*)
        if ! "$PROGRAM" --rule=elastic data/walls_only.txt 0 >"$work/out" 2>&1; then
            echo "$name is not tested, for there is no --rule=elastic"
            continue
        fi
        ;;
    esac
    sh data/examples/draw "$work" "$name" 2>"$work/err"
    verdict "$name is drawn without a word" "$(grep -v "$sinks" "$work/err")"
    verdict "$name is as it was" "$(cmp "data/examples/$name.svg" "$work/$name.svg" 2>&1)"
done <"$work/list"
# Curves, of runs that take seconds, are those that one matplotlib draws.
if [ -z "$THOROUGH" ]; then
    : # plot.sh has the script that draws them
elif [ -z "$RUN_WITH" ] && { python3 -c "$same_matplotlib" || /usr/bin/python3 -c "$same_matplotlib"; } 2>/dev/null; then
    set -- lift friction continuum_drag continuum_wake fourier couette knudsen steps_and_exact pair_distribution melting reversed polymer
    sh data/examples/plot "$work" "$@" 2>"$work/err"
    verdict "curves are drawn without a word" "$(grep -v "$sinks" "$work/err")"
    for name; do
        verdict "$name is as it was" "$(cmp "data/examples/$name.svg" "$work/$name.svg" 2>&1)"
    done
else
    skip "curves, which are of matplotlib 3.6, of Debian 12" python3-matplotlib
fi
verdict "there are pictures" "$([ "$(wc -l <"$work/list")" -ge 8 ] || echo "too few")"

finish
