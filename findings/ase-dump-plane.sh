#!/bin/sh
# ASE 3.22.1 (Debian 12: python3-ase 3.22.1-3+deb12u1) and LAMMPS dumps of runs in the plane, whose columns are those that there
# are in two dimensions: "id type x y z vx vy". LAMMPS's own read_dump takes such files, and velocities from them.
# Seen: ASE reads the file without a word, and all velocities and the kinetic energy are 0. With a column vz of zeros
# beside them they are there. If z is missing instead, it is an error about a variable of ASE's own.
# A good guess: a missing component is 0, or the file is refused; the velocities that there are do not vanish.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" python3-ase=3.22.1-3+deb12u1 >/dev/null 2>&1 ||
    { echo "python3-ase 3.22.1-3+deb12u1 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    dpkg -x "$package" root
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')

# dump COLUMNS PARTICLE...: a frame of two particles
dump() {
    printf '%s\n' "ITEM: TIMESTEP" 0 "ITEM: NUMBER OF ATOMS" 2 "ITEM: BOX BOUNDS pp pp pp" "0 10" "0 10" "-0.5 0.5" \
        "ITEM: ATOMS $1" "$2" "$3"
}
dump "id type x y z vx vy" "1 1 2 3 0 1.5 0" "2 1 6 7 0 0 -2.5" >plane.lammpstrj
dump "id type x y z vx vy vz" "1 1 2 3 0 1.5 0 0" "2 1 6 7 0 0 -2.5 0" >space.lammpstrj
dump "id type x y vx vy" "1 1 2 3 1.5 0" "2 1 6 7 0 -2.5" >flat.lammpstrj
cat plane.lammpstrj
cat >read.py <<'END'
import ase
from ase.calculators.lammps import convert
from ase.io import read

print("ASE", ase.__version__)
energies = []
for name in ("plane", "space"):
    atoms = read(f"{name}.lammpstrj", format="lammps-dump-text")
    energies.append(atoms.get_kinetic_energy())
    print(name, "velocities", convert(atoms.get_velocities(), "velocity", "ASE", "metal").tolist(), "energy", energies[-1])
try:
    read("flat.lammpstrj", format="lammps-dump-text")
    refused = None
except Exception as error:
    refused = error
    print("flat:", type(error).__name__, error)
assert energies[0] == 0 < energies[1] and isinstance(refused, UnboundLocalError)
END
LD_LIBRARY_PATH=$libraries root/usr/bin/python3 read.py
echo "as stated: ASE drops the velocities of a dump without vz"
