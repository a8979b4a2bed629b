#!/bin/sh
# Open Babel 3.1.1 (Debian 12: openbabel 3.1.1+dfsg-9+b3) and 3Dmol.js 2.5.5 (npm: 3dmol), and a .gro file with five
# decimals, as mdtraj's save_gro(precision=5) writes it. The width of the columns follows from the distance of the decimal
# points, says GROMACS's manual; and GROMACS, MDAnalysis, mdtraj and Mol* read it so.
# Seen: both cut the lines at the columns of three decimals. An atom at (12.3457, 23.4568, 34.5679) angstrom is at
# (12.34, 570, 45680) for 3Dmol.js, and also for Open Babel, which converts it into any other format, if the file has
# velocities: they fill the columns that it looks at. Nothing is said. Without velocities Open Babel fails.
# A good guess: the columns are found, as by the others; or lines that are too long for three decimals are refused.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . 3dmol@2.5.5 >/dev/null 2>&1 ||
    { echo "3dmol 2.5.5 cannot be had" && exit 2; }
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" openbabel=3.1.1+dfsg-9+b3 >/dev/null 2>&1 ||
    { echo "openbabel 3.1.1+dfsg-9+b3 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    dpkg -x "$package" root
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
plugins=$(dirname "$(find "$PWD/root" -name 'groformat.so' | sed -n 1p)")

# gro DECIMALS: two atoms with velocities, which have a decimal more, as the format has it
gro() {
    printf 'two atoms\n2\n'
    awk -v n="$1" '{ printf "%5d%-5s%5s%5d", NR, "AR", "AR", NR
        for (k = 1; k <= 6; k++) printf "%" n + 5 "." (k > 3 ? n + 1 : n) "f", $k
        print "" }' <<END
1.23456789 2.34567891 3.45678912 0.1 0.2 -0.3
4.23456789 0.34567891 1.45678912 0.1 0.2 -0.3
END
    printf '%10.5f%10.5f%10.5f\n' 5 5 5
}
gro 3 >three.gro
gro 5 >five.gro
cut -c 1-50 five.gro >still.gro
cat five.gro
cat >read.cjs <<'END'
// What it takes from a browser when it is loaded: anything that answers.
const any = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : any), apply: () => any });
for (const [name, value] of Object.entries({ window: globalThis, document: any, navigator: { userAgent: "" } }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
const { Parsers } = require("3dmol");
const atoms = Parsers.GRO(require("fs").readFileSync(process.argv[2], "utf8"), {})[0];
for (const { x, y, z } of atoms) console.log([x, y, z].map((value) => value.toFixed(4)).join(" "));
END
# read_all: what each reads of both files
read_all() {
    LD_LIBRARY_PATH=$libraries root/usr/bin/obabel -V | sed 's/ -- .*//'
    for file in three five still; do
        echo "Open Babel, $file:"
        LD_LIBRARY_PATH=$libraries BABEL_LIBDIR=$plugins root/usr/bin/obabel $file.gro -oxyz 2>&1 |
            awk '/failed/ { print "it fails" } NF == 4 && $2 + 0 { printf "%.4f %.4f %.4f\n", $2, $3, $4 }'
    done
    node -p '"3Dmol.js " + require("3dmol/package.json").version'
    for file in three five still; do
        echo "3Dmol.js, $file:"
        node read.cjs $file.gro
    done
}
read_all | tee said
cat >stated <<'END'
Open Babel 3.1.1
Open Babel, three:
12.3500 23.4600 34.5700
42.3500 3.4600 14.5700
Open Babel, five:
12.3400 570.0000 45680.0000
42.3400 570.0000 45680.0000
Open Babel, still:
it fails
3Dmol.js 2.5.5
3Dmol.js, three:
12.3500 23.4600 34.5700
42.3500 3.4600 14.5700
3Dmol.js, five:
12.3400 570.0000 45680.0000
42.3400 570.0000 45680.0000
3Dmol.js, still:
12.3400 570.0000 45680.0000
42.3400 570.0000 45680.0000
END
cmp said stated
echo "as stated: with five decimals the atoms are elsewhere"
