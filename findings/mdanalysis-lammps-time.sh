#!/bin/sh
# MDAnalysis 2.4.2 (Debian 12: python3-mdanalysis 2.4.2+dfsg1-1+b1) and a trajectory of LAMMPS with the time of each
# frame: "dump_modify ID time yes" writes ITEM: TIME before ITEM: TIMESTEP. LAMMPS's own read_dump and OVITO take both.
# Seen: MDAnalysis names no item: it counts lines, takes the time step for the number of atoms, and fails with "not
# enough values to unpack". mdtraj 1.9.7, which counts lines, too, says that the file is no lammpstrj file. The time
# cannot stand elsewhere: LAMMPS takes it there only.
# A good guess: readers of a format of named items skip those that they do not know, and take times where a file has them.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q python3-mdanalysis=2.4.2+dfsg1-1+b1 >/dev/null 2>&1 || { echo "it cannot be had" && exit 2; }
mkdir -p archives/partial
apt-get -q -y -o Dir::Cache::archives="$PWD/archives" --no-install-recommends --download-only install \
    python3-mdanalysis >/dev/null 2>&1 || { echo "what it needs cannot be had" && exit 2; }
for package in archives/*.deb ./*.deb; do
    [ ! -e "$package" ] || dpkg -x "$package" root
done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH PYTHONPATH
for frame in 0 1; do
    printf 'ITEM: TIME\n%s\nITEM: TIMESTEP\n%s\nITEM: NUMBER OF ATOMS\n2\n' "$frame" "$frame"
    printf 'ITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n-0.5 0.5\nITEM: ATOMS id type x y z vx vy vz\n'
    printf '1 1 1 1 0 0.5 0 0\n2 1 3 3 0 0 0.5 0\n'
done >with.lammpstrj
sed '/ITEM: TIME$/,+1d' with.lammpstrj >without.lammpstrj
cat >read.py <<'END'
import warnings
warnings.simplefilter("ignore")
import MDAnalysis

print("MDAnalysis", MDAnalysis.__version__)
universe = MDAnalysis.Universe("without.lammpstrj", format="LAMMPSDUMP")
print("without ITEM: TIME:", len(universe.trajectory), "frames of", len(universe.atoms), "atoms")
try:
    universe = MDAnalysis.Universe("with.lammpstrj", format="LAMMPSDUMP")
    print("with ITEM: TIME:", len(universe.trajectory), "frames of", len(universe.atoms), "atoms")
except ValueError as error:
    print("with ITEM: TIME:", error)
END
/usr/bin/python3 -W ignore read.py >said 2>&1 || true
cat said
grep -q 'MDAnalysis 2.4.2' said
grep -q 'without ITEM: TIME: 2 frames of 2 atoms' said
grep -q 'with ITEM: TIME: .*not enough values to unpack' said
echo "as stated: one item more, and no frame is read"
