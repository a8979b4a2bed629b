#!/bin/sh
# --fields for other programs: .vti has the numbers of .csv, .vtk hides what nothing is known of from VTK's own
# filters, and a series is a file for each interval, with a list of them, however a run ends.
. tests/support/expect.sh
mkdir "$work/files" "$work/part"
cd "$work/files" || exit 1

cat >"$work/check.py" <<'PYTHON'
"""check.py FILE.csv FILE.vti [SPAN]: what is not the same in both, or odd in the second."""
import base64, csv, math, struct, sys
import xml.etree.ElementTree as tree

def check(table, image, span=None):
    rows = [row for row in csv.DictReader(open(table)) if span is None or [row["time_start"], row["time_end"]] == span]
    root = tree.parse(image).getroot()
    box, piece = root[0], root[0].find("Piece")
    columns, lines = (1 + max(int(row[name]) for row in rows) for name in ("column", "row"))
    assert root.attrib == {"type": "ImageData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt32"}
    assert box.get("WholeExtent") == piece.get("Extent") == f"0 {columns} 0 {lines} 0 0", box.attrib
    size = [2 * float(rows[0][axis]) for axis in "xy"]
    assert [float(word) for word in box.get("Spacing").split()] == size + [1], box.get("Spacing")
    if span:
        assert float(box.find("FieldData")[0].text) == float(span[1])
    text = root.find("AppendedData").text.strip()
    assert text[0] == "_" and "\n" not in text
    place, names = 0, []
    for array in piece.find("CellData"):
        name, parts = array.get("Name"), int(array.get("NumberOfComponents"))
        assert int(array.get("offset")) == place, name
        length, = struct.unpack("<I", base64.b64decode(text[1 + place:9 + place])[:4])
        end = place + (length + 6) // 3 * 4
        data = base64.b64decode(text[1 + place:1 + end], validate=True)[4:]
        place = end
        names.append(name)
        assert length == len(data) == len(rows) * parts * (1 if array.get("type") == "UInt8" else 8), name
        if name == "vtkGhostType":
            assert list(data) == [0 if row["density"] else 32 for row in rows], name
            continue
        of = {"velocity": ["u", "v", None]}.get(name, [name])
        for k, row in enumerate(rows):
            for j, part in enumerate(of):
                word = data[8 * (parts * k + j):][:8]
                value, = struct.unpack("<d", word)
                expected = row[part] if part else "0"
                if expected == "":
                    assert word == bytes.fromhex("000000000000f87f"), (name, k, word)
                else:
                    assert value == float(expected) and math.copysign(1, value) == math.copysign(1, float(expected))
    assert place == len(text) - 1
    given = [name for name in rows[0] if name.startswith("count_")]
    assert names == ["density", "velocity", "mass_density", "temperature", "samples", "area", "vtkGhostType",
                     "pressure_ideal", "pressure_collisional", "mach", "count"] + given, names

if len(sys.argv) == 3:
    check(*sys.argv[1:])
else: # TABLE LIST FROM: a series that is listed, and the same as in one table
    files = [entry.attrib for entry in tree.parse(sys.argv[2]).getroot()[0]]
    spans = [[row["time_start"], row["time_end"]] for row in csv.DictReader(open(sys.argv[1])) if row["column"] == row["row"] == "0"]
    assert [entry["timestep"] for entry in files] == [span[1] for span in spans], files
    assert [entry["file"] for entry in files] == [sys.argv[3] % k for k in range(len(spans))], files
    for entry, span in zip(files, spans):
        check(sys.argv[1], sys.argv[2][:sys.argv[2].rfind("/") + 1] + entry["file"], span)
PYTHON
# same NAME ARGUMENT...: that check as a test
same() {
    name=$1
    shift
    if command -v python3 >/dev/null; then
        verdict "$name" "$(python3 "$work/check.py" "$@" 2>&1 | tail -n 3)"
    else
        skip "$name" python3
    fi
}

# A mixture in a stream past a slanted body, and in steps between walls; a flow on a lattice, of which a cell at the
# rim of the body has no node; and empty cells, a hidden one, in a box whose sides are no short numbers.
printf '%s\n' '3 3' '6 4' '6.5 6' '3.5 5.5' >"$work/body"
"$PROGRAM" --quiet --generate=60,40 --radius=0.2,0.1 --mass=1,4 --area-fraction=0.07 --periodic=xy --stream=1 \
    --obstacle="$work/body" >"$work/input"
stream="--rule=elastic --periodic=xy --stream=1 --stream-temperature=0.5 --obstacle=$work/body"
printf '3\n0.1\n12.3 11\n1 1 0.5 0\n1 9 0.25 0.5\n11 2 0 0\n' >"$work/few"
sed 's/^12.3 11/12 12/' "$work/few" >"$work/square"
for run in "wind $stream --fields-grid=23x19 $work/input 6" "bed --step=0.1 --fields-grid=3x2 $work/few 1" \
    "flow --rule=elastic --periodic=xy --stream=0.2 --stream-temperature=0.5 --obstacle=$work/body --lattice=40 --fields-grid=40x40 $work/square 3" \
    "few --obstacle=$work/body --fields-grid=31x1 $work/few 0.7"; do
    name=${run%% *}
    for end in csv vti vtk; do
        particles --quiet --fields=$name.$end ${run#* }
        verdict "$name.$end" "$([ "$status" -eq 0 ] || cat "$work/err")"
    done
    same "$name.vti has the numbers of $name.csv" $name.csv $name.vti
done
verdict "a cell of a flow without a node is not known" "$(awk -F , '
    NR > 1 && $5 > 0 && $6 == 0 { count++; if ($7 != "" || $12 != "") print }
    END { if (!count) print "there is none" }' flow.csv)"

# VTK: at each point that a visible cell touches, the mean of the visible ones. In the image, too, once a threshold
# has taken out the cells without particles.
cat >"$work/points.py" <<'PYTHON'
import csv, sys
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkFiltersCore import vtkCellDataToPointData, vtkThreshold
from vtkmodules.vtkIOLegacy import vtkStructuredGridReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

for name in sys.argv[1:]:
    rows = list(csv.DictReader(open(name + ".csv")))
    columns = 1 + int(rows[-1]["column"])
    side = [2 * float(rows[0][axis]) for axis in "xy"]
    for reader, end, is_cut in ((vtkStructuredGridReader(), ".vtk", 0), (vtkStructuredGridReader(), ".vtk", 1),
                                (vtkXMLImageDataReader(), ".vti", 1)):
        reader.SetFileName(name + end)
        reader.Update()
        data = reader.GetOutput()
        assert data.GetNumberOfCells() == len(rows), (name, end)
        if is_cut:
            cut = vtkThreshold()
            cut.SetInputData(data)
            cut.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "samples")
            cut.SetLowerThreshold(1)
            cut.SetUpperThreshold(float("inf"))
            cut.SetThresholdFunction(vtkThreshold.THRESHOLD_BETWEEN)
            cut.Update()
            data = cut.GetOutput()
        to_points = vtkCellDataToPointData()
        to_points.SetInputData(data)
        to_points.Update()
        points = to_points.GetOutput()
        for k in range(points.GetNumberOfPoints()):
            x, y = (round(value / length) for value, length in zip(points.GetPoint(k), side))
            around = [rows[columns * j + i] for i in (x - 1, x) for j in (y - 1, y)
                      if 0 <= i < columns and 0 <= columns * j + i < len(rows)]
            for array, part in ("density", "density"), ("temperature", "temperature"), ("velocity", "u"), ("count", "count"):
                values = [float(row[part] or 0) for row in around
                          if (float(row["samples"]) >= 1 if is_cut else row["density"])]
                got = points.GetPointData().GetArray(array).GetComponent(k, 0)
                if values and not abs(got - sum(values) / len(values)) <= 1e-12 * max(map(abs, values)):
                    sys.exit(f"{name + end}, {array} at {x}, {y}: {got} of {values}")
PYTHON
vtk=$(python_with vtkmodules)
if [ -n "$vtk" ]; then
    verdict "VTK averages over visible cells" "$($vtk "$work/points.py" wind bed flow few 2>&1 | tail -n 3)"
else
    skip "what VTK makes of .vtk and .vti" python3-vtk9
fi

# A series, with the first interval shorter and the last one, too; other formats; several threads; odd names.
series="--fields-grid=5x4 --every=0.7 --stats-from=1"
odd="a&b'<c"
{
    particles $stream $series --fields=whole.csv "$work/input" 6
    for end in vti csv vtk svg; do
        expect_silence "a series of .$end" $stream $series --threads=2 --fields="$odd-%02d.$end" "$work/input" 6
    done
}
same "a series of images" whole.csv "$odd.pvd" "$odd-%02d.vti"
verdict "its other files" "$(ls | sed -n 's/.*c-//p' | tr '\n' ' ' | grep -Fqx "$(for k in 0 1 2 3 4 5 6 7; do
    printf '0%s.csv 0%s.svg 0%s.vti 0%s.vtk ' $k $k $k $k
done)" || ls)"
verdict "a series of tables" "$(for k in 0 1 2 3 4 5 6 7; do
    [ $k = 0 ] && cat "$odd-0$k.csv" || sed 1d "$odd-0$k.csv"
done | cmp - whole.csv 2>&1)"
rm -- "$odd"*

# However it ends: by a signal, killed and resumed under another name, or at a full disk.
{
    particles $stream $series --fields='whole_%d.vti' "$work/input" 180
    launch $stream $series --fields="$work/part/x_%d.vti" "$work/input" 6e5
    await [ -e "$work/part/x_120.vti" ]
    stop INT
}
listed=$(sed -n 's/.*file="\(.*\)".*/\1/p' "$work/part/x.pvd")
verdict "a run that is interrupted lists its files" "$(
    [ "$listed" = "$(cd "$work/part" && ls | grep vti | sort -t _ -k 2 -n)" ] || ls "$work/part")"
verdict "and ends its list" "$([ "$(tail -n 1 "$work/part/x.pvd")" = "</VTKFile>" ] || cat "$work/part/x.pvd")"
rm "$work/part/"*
{
    launch $stream $series --fields="$work/part/y_%d.vti" --checkpoint="$work/saved" --checkpoint-every=0.001 "$work/input" 180
    await [ -e "$work/part/y_15.vti" ]
    stop KILL
    expect_error "one file goes not on as several" 64 "number in the name of --fields and --every=0.7: give it again" \
        --resume="$work/saved" --fields="$work/part/y.csv" $series
    particles --resume="$work/saved" --fields="$work/part/y_%d.vti" $series
}
verdict "a run that is killed and resumed" "$(cat "$work/err"; rm -f "$work/part/"*.vti.*
    for file in whole*vti; do cmp "$file" "$work/part/y${file#whole}" 2>&1; done; sed s/whole/y/ whole.pvd | cmp - "$work/part/y.pvd" 2>&1)"
rm "$work/part/"*
mkdir "$work/part/x.pvd"
particles --every=1 --fields="$work/part/x_%d.vti" --fields-grid=2x2 "$work/few" 3
expect_error "a list that cannot be" 74 "x.pvd: cannot"
rm -r "$work/part/"*
for limit in 1000 2500; do # less than a file has, and than the list has in the end
    "$BUILD/tests/command/with_limit" $limit "$PROGRAM" --every=0.05 --fields="$work/part/x_%d.vti" --fields-grid=2x2 "$work/few" 5 \
        >"$work/out" 2>"$work/err"
    status=$?
    expect_error "a full disk after $limit bytes" 74 "x_?0?.(vti|pvd): cannot write"
    listed=$(sed -n 's/.*file="\(.*\)".*/\1/p' "$work/part/x.pvd" 2>&1 | wc -l)
    verdict "and its list" "$([ $listed = 1 ] || { [ $listed -gt 20 ] && tail -n 1 "$work/part/x.pvd" | grep -q '^</VTKFile>$'; } || ls "$work/part")"
done
rm -f "$work/part/"*

# What is refused.
echo mine >"$work/part/2.csv"
particles --every=1 --fields="$work/part/%d.csv" --fields-grid=2x2 "$work/few" 3
expect_error "another file" 64 "--fields would overwrite '.*/2.csv'"
for run in "%d.vti|--fields with a .%. in its name needs --every=DT" "%d.svg --every=1 --picture=%02d.svg|same file" \
    "x2%d.svg --every=0.2 --picture=x%d.svg|same file" \
    "%d%d.vti --every=1|--fields takes the name of a file or, for frames, .* more than one" "%d.vti --every=1e-7|the most is 1e\+06" \
    "%d.vti --every=1 --final=2.vti|same file" "x_%d.vti --every=1 --final=x.pvd|same file" "x.vti --every=1|--every is only for"; do
    expect_error "${run%%|*}" 64 "${run#*|}" --fields-grid=2x2 --fields=${run%%|*} "$work/few" 11
done
particles --every=1 --fields=%d.svg --picture=p%02d.svg --fields-grid=2x2 "$work/few" 11
verdict "two patterns that never meet" "$(cat "$work/err")"

finish
