#!/bin/sh
# scripts/plot: the values, errors and theory that it draws, of each kind of table; that the same table is the
# same file; and what it refuses.
. tests/support/expect.sh

python=python3
$python -c 'import matplotlib' 2>/dev/null || python=/usr/bin/python3
if ! $python -c 'import matplotlib' 2>/dev/null; then
    echo "skipped: plots, for there is no matplotlib (python3-matplotlib)"
    finish
fi

"$PROGRAM" --quiet --generate=100 --area-fraction=0.3 --periodic=xy >"$work/gas"
"$PROGRAM" --rule=elastic --periodic=xy --every=1 --structure="$work/structure.csv" --fields="$work/fields.csv" \
    --fields-grid=4x3 --events="$work/events.csv" "$work/gas" 5 >"$work/out"
# Two runs at 1, one at 2, of which one has no value.
cat >"$work/sweep.csv" <<'END'
fraction,rule,collision_rate,collision_rate_enskog,collision_rate_error
1,elastic,3,4,0.5
1,elastic,5,4,0.5
2,elastic,7,8,0.25
2,elastic,,8,
END

# plot ARGUMENT...: leaves what it says in $work/err and its status in $status
plot() {
    PYTHONDONTWRITEBYTECODE=1 $python scripts/plot "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# expect_plot NAME TEXT ARGUMENT...: it draws $work/plot.svg with this text, and says nothing
expect_plot() {
    plotted=$1 text=$2
    shift 2
    plot "$work/plot.svg" "$@"
    verdict "$plotted" "$([ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || cat "$work/err")"
    verdict "$plotted: $text" "$(grep -q "$text" "$work/plot.svg" || echo "not in it")"
}
expect_plot "a structure" "pair distribution g(r)" "$work/structure.csv" --y=g,speed
verdict "no date, no version" "$(grep -e '<dc:date>' -e Creator -e creator "$work/plot.svg")"
mv "$work/plot.svg" "$work/first.svg"
expect_plot "the same again" "Maxwell" "$work/structure.csv" --y=g,speed
verdict "the same bytes" "$(cmp "$work/first.svg" "$work/plot.svg" 2>&1)"
expect_plot "a sweep" "disks, Enskog's theory" "disks=$work/sweep.csv" --x=fraction --y=collision_rate --theory="twice=2*x"
verdict "a formula" "$(grep -q ">twice<" "$work/plot.svg" || echo "not in it")"
expect_plot "a map" "temperature" "$work/fields.csv" --y=temperature

# Numbers: of long tables as they are; of others the mean of rows with one x and its error.
PYTHONDONTWRITEBYTECODE=1 $python - "$work" >"$work/out" 2>&1 <<'END'
import csv
import math
import sys
from importlib.machinery import SourceFileLoader

plot = SourceFileLoader("plot", "scripts/plot").load_module()


def curves(*arguments):
    sys.argv = ["plot", "out.svg", *arguments]
    return plot.collect(plot.parse())


work = sys.argv[1]
sweep = curves(f"{work}/sweep.csv", "--x=fraction", "--y=collision_rate")["collision_rate"]["curves"]
assert sweep[False, ""] == [(1, 4, 1), (2, 7, 0.25)], sweep  # the scatter of 3 and 5 is sqrt(2), of their mean 1
assert [point[:2] for point in sweep[True, "Enskog's theory"]] == [(1, 4), (2, 8)], sweep
forces = curves("data/examples/wing_slow.csv")
assert list(forces) == ["hits", "pressure_coefficient", "shear_coefficient"], list(forces)
assert [point[0] for point in forces["hits"]["curves"][False, ""]] == list(range(99))
assert len(curves(f"{work}/events.csv", "--x=time", "--y=a_u")["a_u"]["curves"][False, ""]) > 50
profile = curves(f"{work}/fields.csv", "--x=y", "--y=density")["density"]["curves"][False, ""]
assert len(profile) == 3 and all(point[2] > 0 for point in profile), profile
halves = curves(f"{work}/structure.csv", "--y=speed", "--unit-x=2", "--unit-y=4")["speed"]["curves"]
with open(f"{work}/structure.csv", encoding="utf-8") as file:
    rows = [row for row in csv.DictReader(file) if row["quantity"] == "speed" and row["value"]]
assert len(rows) > 20 and len(rows) == len(halves[False, ""])
for row, (x, y, error) in zip(rows, halves[False, ""]):
    assert (x, y) == (float(row["x"]) / 2, float(row["value"]) / 4)
    assert math.isnan(error) if not row["error"] else error == float(row["error"]) / 4
END
verdict "the numbers" "$([ $? -eq 0 ] || cat "$work/out")"

# expect_refusal NAME STATUS MESSAGE ARGUMENT...
expect_refusal() {
    refused=$1 refused_status=$2 refused_message=$3
    shift 3
    plot "$@"
    verdict "$refused" "$([ $status -eq "$refused_status" ] && grep -q "^plot: .*$refused_message" "$work/err" &&
        [ "$(wc -l <"$work/err")" -eq 1 ] || echo "status $status: $(cat "$work/err")")"
}
expect_refusal "no FILE" 64 "required" "$work/plot.svg"
expect_refusal "another end" 64 "ends in .svg, .pdf or .png" "$work/plot.gif" "$work/sweep.csv"
expect_refusal "no columns" 64 "needs --x=NAME and --y=NAME" "$work/plot.svg" "$work/sweep.csv"
expect_refusal "no such column" 64 "no column 'speed'" "$work/plot.svg" "$work/sweep.csv" --x=fraction --y=speed
expect_refusal "no such quantity" 65 "nothing to draw of mass" "$work/plot.svg" "$work/structure.csv" --y=mass
expect_refusal "no file" 66 "nothing.csv: No such file" "$work/plot.svg" "$work/nothing.csv"
expect_refusal "no rows" 65 "no rows" "$work/plot.svg" "$work/structure.csv" --where=species=7
expect_refusal "no formula" 64 "--theory=y" "$work/plot.svg" "$work/structure.csv" --y=g --theory=y
printf 'x,y\n1,2\n2\n' >"$work/short.csv"
printf 'quantity,x\ng,1\n' >"$work/no_value.csv"
printf 'column,row,x,y,density\n0,0,0,0,1\n1,1,,1,2\n' >"$work/no_place.csv"
expect_refusal "a short row" 65 "fewer fields" "$work/plot.svg" "$work/short.csv" --x=x --y=y
expect_refusal "no values" 65 "no column 'value'" "$work/plot.svg" "$work/no_value.csv"
expect_refusal "a cell nowhere" 65 "no position" "$work/plot.svg" "$work/no_place.csv"
for option in --unit-x=0 --unit-y=nan --size=0x3 --limits-x=nan,1; do
    expect_refusal "$option" 64 "${option%%=*}" "$work/plot.svg" "$work/structure.csv" --y=g $option
done
expect_refusal "no folder" 74 "No such file" "$work/nowhere/plot.svg" "$work/structure.csv" --y=g
finish
