#!/bin/sh
# vtk.js 37.4.3 (npm: @kitware/vtk.js) and VTK's XML files with arrays in place (format="binary", base64), not compressed,
# with header_type="UInt32", VTK's default: 4 bytes, the number of those that follow, and then the numbers.
# Seen: an array of Float64, as VTK and meshio write doubles, is a RangeError, "start offset of Float64Array should be a
# multiple of 8", for the numbers begin at byte 4. Float32 is read, and so is Float64 with header_type="UInt64", or if
# the same bytes are appended at the end of the file, where it copies them.
# A good guess: the reader of VTK's own makers reads the form that VTK writes by default, or all forms or none of one type.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --prefix "$work" @kitware/vtk.js@37.4.3 >/dev/null 2>&1 || { echo "vtk.js 37.4.3 cannot be had" && exit 2; }
cat >read.mjs <<'END'
import { readFileSync } from 'node:fs';
globalThis.Node = { ELEMENT_NODE: 1 }; // all that it takes from a browser here
const { default: reader } = await import('@kitware/vtk.js/IO/XML/XMLImageDataReader.js');

// A grid of 2 x 2 cells with the values 1, 2, 3, 4 of a type, in place or appended, and what is read of it.
function read(type, header, appended) {
    const numbers = new { Float32: Float32Array, Float64: Float64Array }[type]([1, 2, 3, 4]);
    const bytes = Buffer.concat([Buffer.alloc(header == 'UInt32' ? 4 : 8), Buffer.from(numbers.buffer)]);
    bytes.writeUInt32LE(numbers.byteLength);
    const data = bytes.toString('base64');
    const array = `<DataArray type="${type}" Name="density" format="${appended ? 'appended" offset="0"/>' : `binary">${data}</DataArray>`}`;
    const text = `<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="${header}">
<ImageData WholeExtent="0 2 0 2 0 0" Origin="0 0 0" Spacing="1 1 1">
<Piece Extent="0 2 0 2 0 0"><PointData/><CellData>${array}</CellData></Piece>
</ImageData>
${appended ? `<AppendedData encoding="base64">_${data}</AppendedData>` : ''}
</VTKFile>
`;
    let result;
    try {
        const made = reader.newInstance();
        made.parseAsArrayBuffer(new TextEncoder().encode(text).buffer);
        result = [...made.getOutputData().getCellData().getArrayByName('density').getData()].join(' ');
    } catch (error) {
        result = `${error}`;
    }
    console.log(type, header, appended ? 'appended:' : 'in place:', result);
    return result;
}
console.log('vtk.js', JSON.parse(readFileSync('node_modules/@kitware/vtk.js/package.json')).version);
const seen = [read('Float64', 'UInt32', false), read('Float32', 'UInt32', false), read('Float64', 'UInt64', false),
    read('Float64', 'UInt32', true)];
process.exit(seen[0].startsWith('RangeError') && seen.slice(1).every(values => values == '1 2 3 4') ? 0 : 1);
END
node read.mjs
echo "as stated: it does not read doubles after VTK's default header"
