#!/bin/sh
# scripts/particles.py over the library: the same bits as the command's files, with numpy and without; what is refused,
# threads, interrupts, copies; and the examples of data/examples/library in Python.
. tests/support/expect.sh

if ! python3 -c 'import sys; assert sys.version_info >= (3, 9)' 2>/dev/null; then
    skip "scripts/particles.py over the library" python3
    finish
fi
unset PARTICLES PARTICLES_LIBRARY
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/scripts" PARTICLES_LIBRARY="$BUILD/lib/libparticles.so" PROGRAM
if ! python3 -c 'import particles; particles.find_library()' 2>"$work/out"; then
    # A library of musl, say, is not for the Python of this system.
    grep -q 'cannot be loaded' "$work/out" && [ -e "$PARTICLES_LIBRARY" ] || verdict "the library" "$(cat "$work/out")"
    skip "scripts/particles.py over the library: $(tail -n 1 "$work/out")"
    finish
fi

mkdir "$work/no"
echo 'raise ImportError("this test has none")' >"$work/no/numpy.py"
numpy=$(python_with numpy)

# check NAME PYTHON FOLDER [CHECK]...: the checks of tests/command/library_py.py, or these, whose lines are tests
check() {
    name=$1 python=$2 folder=$3
    shift 3
    PYTHONPATH="${folder:+$folder:}$PWD/scripts" "$python" tests/command/library_py.py "$work" "$@" >"$work/out" 2>&1
    status=$?
    while read -r line; do
        case $line in
            "passed "*) verdict "$line" "" ;;
            "FAILED "*) verdict "$name: ${line#FAILED }" failed ;;
        esac
    done <"$work/out"
    [ $status -eq 0 ] || verdict "$name" "$(grep -v '^passed' "$work/out")"
}
check "without numpy" python3 "$work/no"
if [ "$numpy" ]; then
    # Those that have no arrays, and take long, are the same without it.
    # shellcheck disable=SC2046 # names
    check "with numpy" $numpy '' $([ -n "$THOROUGH" ] || sed -n 's/^def \(.*\)():$/\1/p' tests/command/library_py.py |
        grep -vx 'progress\|no_library\|memory\|forks')
else
    skip "the library with numpy" python3-numpy
fi

# The examples.
examples=data/examples/library
for kind in rescale andersen; do
    python3 $examples/thermostat.py $kind >"$work/out" 2>&1
    verdict "thermostat.py $kind" "$([ $? -eq 0 ] && awk -v kind=$kind '
        { cold += $4 / 20; warm += $8 / 20 }
        END { exit !(NR == 20 && cold < warm && (kind == "rescale" ? warm > 0.9999 && warm < 1.0001 : warm > 0.9 && warm < 1.1)) }' \
        "$work/out" || cat "$work/out")"
done
python3 $examples/equation_of_state.py 300 500 >"$work/out" 2>&1
verdict "equation_of_state.py" "$([ $? -eq 0 ] && awk '
    NR > 1 && $5 < 5 && $5 > -5 && $3 < 0.02 * $2 { count++ } END { exit count != 7 }' "$work/out" ||
    cat "$work/out")"
echo 'raise ImportError("this test has none")' >"$work/no/matplotlib.py"
PYTHONPATH="$work/no" python3 $examples/live_plot.py >"$work/out" 2>&1
verdict "live_plot.py without matplotlib" "$([ $? -eq 1 ] && grep -q 'draws nothing' "$work/out" || cat "$work/out")"
python=$(python_with matplotlib)
if [ -n "$python" ]; then
    $python $examples/live_plot.py "$work/picture.png" >"$work/out" 2>&1
    verdict "live_plot.py" "$([ -s "$work/picture.png" ] || cat "$work/out")"
else
    skip "live_plot.py" python3-matplotlib
fi
finish
