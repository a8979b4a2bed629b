#!/bin/sh
# scripts/plot: the values, errors and theory that it draws, of each kind of table; that the same table is the
# same file; and what it refuses.
. tests/support/expect.sh

python=$(python_with matplotlib)
if [ -z "$python" ]; then
    skip "plots" python3-matplotlib
    finish
fi

"$PROGRAM" --quiet --generate=100 --area-fraction=0.3 --periodic=xy >"$work/gas"
"$PROGRAM" --rule=elastic --periodic=xy --every=1 --structure="$work/structure.csv" --fields="$work/fields.csv" \
    --fields-grid=4x3 --events="$work/events.csv" "$work/gas" 5 >"$work/out"
"$PROGRAM" --rule=elastic --every=1 --structure="$work/walls.csv" data/particles_only.txt 5 >"$work/out"
cat >"$work/forces.csv" <<'END'
obstacle,side,quantity,value,error,time_start,time_end
0,all,force_x,1,,0,5
0,all,force_x,2,,5,10
0,all,force_x,1.5,0.5,0,10
0,2,hits,6,,0,10
0,3,hits,7,,0,10
END
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

plot "$work/first.svg" "$work/structure.csv" --y=g,speed
verdict "a structure" "$([ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || cat "$work/err")"
for text in "pair distribution g(r)" Maxwell; do
    verdict "a structure: $text" "$(grep -q "$text" "$work/first.svg" || echo "not in it")"
done
verdict "no date, no version" "$(grep -e '<dc:date>' -e Creator -e creator "$work/first.svg")"

# Refusals: STATUS MESSAGE ARGUMENT..., with tabs between.
printf 'x,y\n1,2\n2\n' >"$work/short.csv"
printf 'quantity,x\ng,1\n' >"$work/no_value.csv"
printf 'column,row,x,y,density\n0,0,0,0,1\n1,1,,1,2\n' >"$work/no_place.csv"
tr '|' '\t' >"$work/refusals" <<'END'
64|ends in .svg, .pdf or .png|plot.gif|sweep.csv
64|needs --x=NAME and --y=NAME|plot.svg|sweep.csv
64|no column 'speed'|plot.svg|sweep.csv|--x=fraction|--y=speed
65|nothing to draw of mass: there are g, structure_factor, |plot.svg|structure.csv|--y=mass
65|nothing to draw of structure_factor (it needs a periodic axis)|plot.svg|walls.csv|--y=structure_factor
65|nothing to draw of viscosity (viscosity_none_walls)|plot.svg|walls.csv|--y=viscosity
66|nothing.csv: No such file|plot.svg|nothing.csv
65|no rows|plot.svg|structure.csv|--where=species=7
64|--theory=y|plot.svg|structure.csv|--y=g|--theory=y
65|fewer fields|plot.svg|short.csv|--x=x|--y=y
65|no column 'value'|plot.svg|no_value.csv
65|no position|plot.svg|no_place.csv
64|--unit-x|plot.svg|structure.csv|--y=g|--unit-x=0
64|--unit-y|plot.svg|structure.csv|--y=g|--unit-y=nan
64|--size|plot.svg|structure.csv|--y=g|--size=0x3
64|--limits-x|plot.svg|structure.csv|--y=g|--limits-x=nan,1
74|No such file|nowhere/plot.svg|structure.csv|--y=g
END
# By one start of matplotlib: refusals, the same again, other tables, and what is drawn of them: of long tables
# the values as they are; of others the mean of rows with one x and its error.
PYTHONDONTWRITEBYTECODE=1 $python - "$work" >"$work/out" 2>&1 <<'END'
import contextlib
import csv
import io
import math
import os
import runpy
import sys
from importlib.machinery import SourceFileLoader

plot = SourceFileLoader("plot", "scripts/plot").load_module()


def curves(*arguments):
    sys.argv = ["plot", "out.svg", *arguments]
    return plot.collect(plot.parse())


def drawn(*arguments):
    sys.argv = ["plot", f"{work}/plot.svg", *arguments]
    plot.draw(plot.parse())
    with open(f"{work}/plot.svg", encoding="utf-8") as file:
        return file.read()


def refuse(line):
    """What is wrong with how the arguments of this line are refused, in the folder of the tables."""
    wanted, message, *arguments = line.rstrip("\n").split("\t")
    sys.argv = ["plot", *arguments]
    status, said = 0, io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            status = end.code
    text = said.getvalue()
    is_right = status == int(wanted) and text.startswith("plot: ") and message in text and text.count("\n") == 1
    return "as wanted" if is_right else f"status {status}: {text}".replace("\n", " ")


work = sys.argv[1]
script = os.path.abspath("scripts/plot")
here = os.getcwd()
os.chdir(work)
with open("refusals", encoding="utf-8") as table, open("refused", "w", encoding="utf-8") as file:
    file.writelines(refuse(line) + "\n" for line in table)
os.chdir(here)
with open(f"{work}/first.svg", encoding="utf-8") as file:
    assert drawn(f"{work}/structure.csv", "--y=g,speed") == file.read(), "other bytes"
rates = drawn(f"disks={work}/sweep.csv", "--x=fraction", "--y=collision_rate", "--theory=twice=2*x")
assert "disks, Enskog's theory" in rates and ">twice<" in rates, "a sweep"
assert "temperature" in drawn(f"{work}/fields.csv", "--y=temperature"), "a map"
sweep = curves(f"{work}/sweep.csv", "--x=fraction", "--y=collision_rate")["collision_rate"]["curves"]
assert sweep[False, ""] == [(1, 4, 1), (2, 7, 0.25)], sweep  # the scatter of 3 and 5 is sqrt(2), of their mean 1
assert [point[:2] for point in sweep[True, "Enskog's theory"]] == [(1, 4), (2, 8)], sweep
forces = curves("data/examples/wing_slow.csv")
assert list(forces) == ["hits", "pressure_coefficient", "shear_coefficient"], list(forces)
assert [point[0] for point in forces["hits"]["curves"][False, ""]] == list(range(99))
series = curves(f"{work}/forces.csv", "--x=time_end", "--where=side=all")["force_x"]["curves"][False, ""]
assert [point[:2] for point in series] == [(5, 1), (10, 2), (10, 1.5)], series
assert list(curves(f"{work}/forces.csv", "--x=side")) == ["hits"]
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
verdict "other tables, and the numbers" "$([ $? -eq 0 ] && [ ! -s "$work/out" ] || cat "$work/out")"
while read -r line <&3 && { read -r found <&4 || found=nothing; }; do
    verdict "refused: $line" "$([ "$found" = "as wanted" ] || echo "$found")"
done 3<"$work/refusals" 4<"$work/refused"
plot "$work/plot.svg"
verdict "a refusal is a message and a status" "$([ $status -eq 64 ] && grep -q '^plot: .*required' "$work/err" &&
    [ "$(wc -l <"$work/err")" -eq 1 ] || echo "status $status: $(cat "$work/err")")"
finish
