#!/bin/sh
# VTK 9.1.0 (Debian 12: python3-vtk9 9.1.0+really9.1.0+dfsg2-5+deb12u1) and base64 in its XML files (.vti, .vtu and
# others), cut into lines of 76 characters, as base64(1), MIME and Python's base64.encodebytes write it, and as XML
# Schema's base64Binary allows it.
# Seen: the reader takes the end of a line for digits. Of 40 numbers the first 6 are right; the others are random,
# denormal or 0. There is no warning, and GetErrorCode() is 0. It is the same with format="binary" and "appended"; in
# one line all are right.
# A good guess: white space is skipped, as in format="ascii" and by other XML readers, or the file is refused.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
version=9.1.0+really9.1.0+dfsg2-5+deb12u1
apt-get install -y -q --no-install-recommends python3-vtk9=$version >/dev/null 2>&1 ||
    { echo "python3-vtk9 $version cannot be had" && exit 2; }
cat >read.py <<'PYTHON'
import base64
import struct
import sys
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

print("VTK", vtkVersion().GetVTKVersion())
given = [k / 7 for k in range(1, 41)]
data = struct.pack("<I40d", 8 * len(given), *given)
lines, line = base64.encodebytes(data).decode(), base64.b64encode(data).decode()
right = {}
for form in "binary", "appended":
    for name, text in ("one line", line), ("lines", lines):
        inside, after, offset = f"\n{text}\n", "", ""
        if form == "appended":
            inside, after, offset = "", f'<AppendedData encoding="base64">\n_{text}\n</AppendedData>', 'offset="0"'
        with open("a.vti", "w") as file:
            file.write('<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt32">'
                       '<ImageData WholeExtent="0 40 0 1 0 0" Origin="0 0 0" Spacing="1 1 1">'
                       '<Piece Extent="0 40 0 1 0 0"><CellData>'
                       f'<DataArray type="Float64" Name="a" format="{form}" {offset}>{inside}</DataArray>'
                       f'</CellData></Piece></ImageData>{after}</VTKFile>')
        reader = vtkXMLImageDataReader()
        reader.SetFileName("a.vti")
        reader.Update()
        array = reader.GetOutput().GetCellData().GetArray("a")
        read = [array.GetValue(k) for k in range(array.GetNumberOfTuples())]
        right[form, name] = sum(a == b for a, b in zip(read, given))
        print(f"{form}, {name}: {right[form, name]} of {len(given)} right, error code {reader.GetErrorCode()}")
        if reader.GetErrorCode() != 0:
            sys.exit("it is refused")
for form in "binary", "appended":
    if right[form, "one line"] != 40 or right[form, "lines"] != 6:
        sys.exit("that is another behaviour")
PYTHON
/usr/bin/python3 read.py
echo "as stated: after the first line of base64 all numbers are wrong, and nothing says so"
