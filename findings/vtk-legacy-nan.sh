#!/bin/sh
# VTK 9.1.0 (Debian 12: python3-vtk9 9.1.0+really9.1.0+dfsg2-5+deb12u1) and NaN, the usual mark of a value that is not
# known, in a text file of VTK's legacy format, which VTK itself has written.
# Seen: the writer writes "nan", and the reader stops there: no array is left, neither that with the NaN nor the one
# after it, which has none. There are messages on standard error, but the error code is 0, and the grid has all its
# cells, so that a program that checks both goes on. The XML form of the same data, a text, too, is read right.
# A good guess: what VTK writes VTK reads; or it refuses to write it; or the reader's error code says that it failed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 >/dev/null 2>&1 ||
    { echo "python3-vtk9 9.1.0+really9.1.0+dfsg2-5+deb12u1 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    dpkg -x "$package" root
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
cat >nan.py <<'END'
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkVersion
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOLegacy import vtkDataSetReader, vtkDataSetWriter
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLImageDataWriter

grid = vtkImageData()
grid.SetDimensions(5, 2, 1)
for name, values in (("density", (1, float("nan"), 3, 4)), ("temperature", (5, 6, 7, 8))):
    array = vtkDoubleArray()
    array.SetName(name)
    for value in values:
        array.InsertNextValue(value)
    grid.GetCellData().AddArray(array)


def exchange(writer, reader, name):
    """The arrays that are read back, the number of cells, and the error code."""
    writer.SetFileName(name)
    writer.SetInputData(grid)
    writer.Write()
    reader.SetFileName(name)
    reader.Update()
    cells = reader.GetOutput().GetCellData()
    read = ([cells.GetArrayName(k) for k in range(cells.GetNumberOfArrays())], reader.GetOutput().GetNumberOfCells(),
            reader.GetErrorCode())
    print(name, "arrays %s, cells %d, error code %d" % read)
    return read


print("VTK", vtkVersion.GetVTKVersion())
writer = vtkXMLImageDataWriter()
writer.SetDataModeToAscii()
assert exchange(writer, vtkXMLImageDataReader(), "grid.vti") == (["density", "temperature"], 4, 0)
assert exchange(vtkDataSetWriter(), vtkDataSetReader(), "grid.vtk") == ([], 4, 0)
END
LD_LIBRARY_PATH=$libraries root/usr/bin/python3 nan.py 2>said
grep -E 'WARN|ERR' said | sed 's/.*|//' | cut -c 1-90
cat grid.vtk
echo "as stated: VTK loses all arrays for a NaN that it has written itself, and the error code is 0"
