#!/bin/sh
# MDAnalysis 2.4.2 (Debian 12: python3-mdanalysis 2.4.2+dfsg1-1+b1) and XYZ files of open systems, whose frames have their
# own numbers of atoms, such as particles that leave through a hole. Each frame of XYZ begins with that number.
# Seen: it says that there are 4 frames, of the 5 in the file, and a loop over them ends after the first, without a
# warning. If atoms are added, it says 5, and the loop gives two, the second without the atom that came.
# A good guess: all frames; or the error that its reader of LAMMPS dumps raises for the same frames, "Number of atoms in
# trajectory changed"; or a loop that is as long as len() says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
apt-get -q -y -o Dir::Cache::archives="$PWD/archives" --no-install-recommends --download-only --reinstall install \
    python3-mdanalysis=2.4.2+dfsg1-1+b1 >/dev/null 2>&1 || { echo "it cannot be had" && exit 2; }
for package in archives/*.deb; do
    dpkg -x "$package" root
done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH PYTHONPATH
cat >read.py <<'END'
import warnings
warnings.simplefilter("ignore")
import MDAnalysis


def xyz(count, time):
    return f"{count}\ntime={time}\n" + "".join(f"C {i} {time} 0\n" for i in range(count))


def dump(count, time):
    return (f"ITEM: TIMESTEP\n{time}\nITEM: NUMBER OF ATOMS\n{count}\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n-1 1\n"
            "ITEM: ATOMS id type x y z\n" + "".join(f"{i + 1} 1 {i} {time} 0\n" for i in range(count)))


print("MDAnalysis", MDAnalysis.__version__)
for name, kind, frame, counts in (("fewer", "XYZ", xyz, (5, 4, 4, 4, 4)), ("more", "XYZ", xyz, (4, 5, 5, 5, 5)),
                                  ("fewer", "LAMMPSDUMP", dump, (5, 4, 4, 4, 4))):
    with open("frames", "w") as file:
        file.write("".join(frame(count, time) for time, count in enumerate(counts)))
    trajectory = MDAnalysis.Universe("frames", format=kind).trajectory
    seen = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            for step in trajectory:
                seen.append(step.n_atoms)
        except ValueError as error:
            seen.append(str(error))
    print(f"{kind}, {name}: atoms {list(counts)}; len {len(trajectory)}, seen {seen}, warnings {len(said)}")
END
/usr/bin/python3 -W ignore read.py >said
cat said
cat >stated <<'END'
MDAnalysis 2.4.2
XYZ, fewer: atoms [5, 4, 4, 4, 4]; len 4, seen [5], warnings 0
XYZ, more: atoms [4, 5, 5, 5, 5]; len 5, seen [4, 4], warnings 0
END
head -n 3 said | cmp - stated
grep -q "LAMMPSDUMP, .*seen \[5, 'Number of atoms in trajectory changed" said
echo "as stated: the loop ends early and says nothing"
