#!/bin/sh
# --fields for other programs: .vti has the numbers of .csv, .vtk hides what nothing is known of from VTK's own
# filters.
. tests/support/expect.sh
mkdir "$work/files"
cd "$work/files" || exit 1

cat >"$work/check.py" <<'PYTHON'
"""check.py FILE.csv FILE.vti: what is not the same in both, or odd in the second."""
import base64, csv, math, struct, sys
import xml.etree.ElementTree as tree

def check(table, image):
    rows = list(csv.DictReader(open(table)))
    root = tree.parse(image).getroot()
    box, piece = root[0], root[0].find("Piece")
    columns, lines = (1 + max(int(row[name]) for row in rows) for name in ("column", "row"))
    assert root.attrib == {"type": "ImageData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt32"}
    assert box.get("WholeExtent") == piece.get("Extent") == f"0 {columns} 0 {lines} 0 0", box.attrib
    size = [2 * float(rows[0][axis]) for axis in "xy"]
    assert [float(word) for word in box.get("Spacing").split()] == size + [1], box.get("Spacing")
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

check(*sys.argv[1:])
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
        # shellcheck disable=SC2086 # several words
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
vtk=
for python in python3 /usr/bin/python3; do
    [ -n "$vtk" ] || ! $python -c 'import vtkmodules.vtkIOXML' 2>/dev/null || vtk=$python
done
if [ -n "$vtk" ]; then
    verdict "VTK averages over visible cells" "$($vtk "$work/points.py" wind bed flow few 2>&1 | tail -n 3)"
else
    skip "what VTK makes of .vtk and .vti" python3-vtk9
fi

finish
