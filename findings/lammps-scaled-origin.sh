#!/bin/sh
# MDAnalysis 2.4.2, mdtraj 1.9.7 and ASE 3.22.1 (Debian 12: python3-mdanalysis 2.4.2+dfsg1-1+b1, python3-mdtraj 1.9.7-6,
# python3-ase 3.22.1-3+deb12u1) and the two forms in which LAMMPS writes positions: "x y z", and "xs ys zs", parts of the
# box, which "dump ID all atom" writes unless it is told otherwise. Here a box from -10 to 10, and a disk at its centre, 0.
# Seen: none of them reads the same position from both. In the scaled form the disk is for ASE at 10 (the origin of the
# box is left out); for mdtraj at 0.5, as if the parts were lengths; and for MDAnalysis, which moves the box to 0 and
# would say 10, at 20, in the corner: it takes the origin away twice. Nothing is said.
# A good guess: LAMMPS's two forms of one state are one state, as they are for its own read_dump.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" python3-mdanalysis=2.4.2+dfsg1-1+b1 python3-mdtraj=1.9.7-6 \
    python3-ase=3.22.1-3+deb12u1 >/dev/null 2>&1 ||
    { echo "python3-mdanalysis 2.4.2, python3-mdtraj 1.9.7 and python3-ase 3.22.1 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    case $package in
        *-dev_* | */gcc-* | */g++-* | */cpp-* | */binutils* | */libllvm* | *-theme_*) ;;
        *) dpkg -x "$package" root ;;
    esac
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')

# dump COLUMNS PARTICLE...: a frame of two particles in a box around the origin
dump() {
    printf '%s\n' "ITEM: TIMESTEP" 0 "ITEM: NUMBER OF ATOMS" 2 "ITEM: BOX BOUNDS pp pp pp" "-10 10" "-10 10" "-0.5 0.5" \
        "ITEM: ATOMS id type $1" "1 1 $2" "2 1 $3"
}
dump "x y z" "0 0 0" "5 -5 0" >plain.lammpstrj
dump "xs ys zs" "0.5 0.5 0.5" "0.75 0.25 0.5" >scaled.lammpstrj
cat scaled.lammpstrj
cat >read.py <<'END'
import warnings
warnings.simplefilter("ignore")
import ase.io
import MDAnalysis
import mdtraj
import mdtraj.version

topology = mdtraj.Topology()
residue = topology.add_residue("disks", topology.add_chain())
for _ in range(2):
    topology.add_atom("disk", mdtraj.element.virtual, residue)
readers = {
    f"MDAnalysis {MDAnalysis.__version__}": lambda name: MDAnalysis.Universe(name, format="LAMMPSDUMP").atoms.positions,
    f"mdtraj {mdtraj.version.version}": lambda name: 10 * mdtraj.load_lammpstrj(name, top=topology).xyz[0],
    f"ASE {ase.__version__}": lambda name: ase.io.read(name, format="lammps-dump-text").positions,
}
seen = []
for reader, read in readers.items():
    positions = [[[round(float(x), 5) for x in disk[:2]] for disk in read(f"{form}.lammpstrj")] for form in ("plain", "scaled")]
    print(reader, "x y z:", positions[0], "xs ys zs:", positions[1])
    seen.append(positions)
assert seen == [[[[10, 10], [15, 5]], [[20, 20], [25, 15]]],
                [[[0, 0], [5, -5]], [[0.5, 0.5], [0.75, 0.25]]],
                [[[0, 0], [5, -5]], [[10, 10], [15, 5]]]]
END
LD_LIBRARY_PATH=$libraries PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages root/usr/bin/python3 read.py 2>errors ||
    { cat errors && exit 1; }
echo "as stated: three readers have three places for a disk at the centre, and none of them the same from both forms"
