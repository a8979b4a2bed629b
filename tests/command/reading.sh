#!/bin/sh
# data/READING.md: its lines, as they stand, on files of several kinds of runs; what the programs make of these is
# compared with what a few lines of Python make of them. Kinds other than the first, and programs that start slowly,
# are left to THOROUGH.
. tests/support/expect.sh

python=$(python_with pandas)
: "${python:=python3}"
if ! $python -c 'import sys; assert sys.version_info >= (3, 8)' 2>/dev/null; then
    skip "the lines of data/READING.md" python3
    finish
fi

# record KIND INPUT END_TIME OPTION...: the files of a run, in the folder of this name
record() {
    mkdir -p "$work/runs/$1"
    folder=$work/runs/$1/ input=$2 end=$3
    shift 3
    "$PROGRAM" --quiet "$@" --fields="${folder}fields.csv" --fields-grid=12x8 --stats="${folder}stats.txt" \
        "$input" "$end" >"${folder}answer.txt"
    "$PROGRAM" --quiet "$@" --fields="${folder}fields.vti" --fields-grid=12x8 --every=0.5 \
        --trajectory="${folder}gas.lammpstrj" "$input" "$end" >"$work/out"
    case " $* " in *" --lattice"*) ;; *) set -- "$@" --structure="${folder}structure.csv" ;; esac
    case " $* " in *" --lattice"* | *" --config"*) ;; *) set -- "$@" --events="${folder}events.csv" ;; esac
    case " $* " in *" --obstacle"*) set -- "$@" --forces="${folder}forces.csv" ;; esac
    "$PROGRAM" --quiet "$@" --every=0.5 --trajectory="${folder}gas.xyz" --stats="${folder}stats.json" \
        --fields="${folder}fields.vtk" --fields-grid=12x8 "$input" "$end" >"$work/out"
}

printf '%s\n' "6 4" "12 4" "12 8" "6 8" >"$work/block"
set -- --periodic=xy --stream=0.3 --stream-temperature=0.5 --obstacle="$work/block"
"$PROGRAM" --quiet --generate=60,40 --radius=0.3,0.2 --mass=1,0.25 --area-fraction=0.1 "$@" >"$work/mixture"
record stream "$work/mixture" 6 --rule=elastic --stats-from=1 "$@"
if [ -n "$THOROUGH" ]; then
    "$PROGRAM" --quiet --generate=80 --radius=0.3 --area-fraction=0.1 "$@" >"$work/gas"
    record lattice "$work/gas" 3 --rule=elastic --lattice=30 --viscosity=0.5 "$@"
    "$PROGRAM" --quiet --generate=60,40 --radius=1,0.5 --periodic=x --area-fraction=0.4 >"$work/dense"
    record mixture "$work/dense" 10 --rule=elastic --periodic=x
    record walls data/particles_walls.txt 20 --wall="left temperature=2"
    record links data/examples/steps/net.txt 2 --config=data/examples/steps/net.conf
fi

cat >"$work/check.py" <<'END'
"""check.py ROOT [SLOW]: the lines of the page on the files in each folder of ROOT. It prints a line for each section of the
page: its name, and what is wrong or, after "needs ", which package is missing."""
import csv
import itertools
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys

with open("data/READING.md") as file:
    page = file.read()
files = re.findall(r"`([a-z]+\.[a-z]+)`", page)
texts = ("kind", "wall", "quantity", "species", "side")
tables = ("events", "structure", "forces", "fields")


def lines(section):
    """The lines of a section, without those that read a file which this run has not written."""
    text = re.search(rf"^## {section}\b.*?^```\w+\n(.*?)^```", page, re.M | re.S).group(1)
    return [line for line in text.splitlines() if all(file not in line or os.path.exists(file) for file in files)]


def run(*command, program=None):
    done = subprocess.run(command, input=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def number(text):
    return math.nan if text in ("", "NA", "NaN", None) else float(text)


def table(name):
    """The columns of a file by their names."""
    with open(f"{name}.csv") as file:
        names, *rows = csv.reader(file)
    return {key: [row[k] if key in texts else number(row[k]) for row in rows] for k, key in enumerate(names)}


def answer():
    with open("answer.txt") as file:
        return list(zip(*[[float(word) for word in row] for row in csv.reader(file)]))


def stats():
    with open("stats.json") as file:
        return [(key, number(figure["value"]), number(figure.get("error")))
                for key, figure in json.load(file).items() if key != "program"]


def trajectory():
    """Of each frame its time, and the columns of each particle by their names."""
    with open("gas.xyz") as file:
        rows = file.read().splitlines()
    frames, size = [], int(rows[0]) + 2
    for k in range(0, len(rows), size):
        words = re.search(r"Properties=(\S*)", rows[k + 1]).group(1).split(":")
        names = [name + "xyz"[axis] if many == "3" else name + str(axis)
                 for name, many in zip(words[::3], words[2::3]) for axis in range(int(many))]
        frames.append((float(rows[k + 1].split("Time=")[1].split()[0]),
                       [dict(zip(names, map(float, row.split()))) for row in rows[k + 2:k + size]]))
    return frames


def compare(name, found, expected, error=0):
    found, expected = list(found), list(expected)
    assert len(found) == len(expected), f"{name}: {len(found)} values instead of {len(expected)}"
    for k, (a, b) in enumerate(zip(found, expected)):
        a = a if isinstance(b, str) else float(a)
        assert a == b or not isinstance(b, str) and (abs(a - b) <= error * abs(b) or a != a and b != b), \
            f"{name}, {k}: {a!r} instead of {b!r}"


def variables(command, program):
    """Runs it; it writes a file NAME.read for each variable, a line a value."""
    for name in os.listdir():
        if name.endswith(".read"):
            os.remove(name)
    run(*command, program=program)
    found = {}
    for name in os.listdir():
        if name.endswith(".read"):
            with open(name) as file:
                found[name[:-5]] = file.read().splitlines()
    return found


def check_python(section):
    found = {}
    exec("\n".join(lines(section)), found)
    return found


def check_pandas():
    found = check_python("pandas")
    for k, column in enumerate(answer()):
        compare("answer", found["answer"].iloc[:, k], column)
    compare("stats", found["stats"]["value"].astype(float), [row[1] for row in stats()])
    compare("stats", found["stats"].index, [row[0] for row in stats()])
    for name in filter(found.__contains__, tables):
        for key, column in table(name).items():
            read = found[name][key]
            compare(f"{name}, {key}", read.fillna("") if key in texts else read.astype(float), column)


def check_numpy():
    found = check_python("numpy")
    for k, column in enumerate(answer()):
        compare("answer", found["answer"][:, k], column)
    for name in filter(found.__contains__, tables):
        for key, column in table(name).items():
            if key not in texts:
                compare(f"{name}, {key}", found[name][key], column)
            elif key in found:
                compare(f"{name}, {key}", found[key], column)
    if os.path.basename(os.getcwd()) != "first": # files of one disk, one cell, one event
        os.mkdir("first")
        for name in ("answer.txt", "events.csv", "fields.csv"):
            if os.path.exists(name):
                with open(name) as file, open(os.path.join("first", name), "w") as first:
                    first.writelines(itertools.islice(file, 1 if name == "answer.txt" else 2))
        os.chdir("first")
        check_numpy()


def check_gnuplot():
    code = [line.replace("plot ", f"set table 'plot{k}'; plot ", 1) for k, line in enumerate(lines("gnuplot"))]
    run("gnuplot", program="set terminal unknown\n" + "\n".join(code) + "\n")
    curves = []
    for k in range(len(code)):
        if os.path.exists(f"plot{k}"):
            with open(f"plot{k}") as file:
                curves += [[[float(word) for word in line.split()[:-1]] for line in curve.splitlines() if line.endswith(" i")]
                           for curve in file.read().split("# Curve title")[1:]]
    expected = []
    if os.path.exists("structure.csv"):
        rows = [row[2:] for row in zip(*table("structure").values()) if row[:2] == ("mean_square_displacement", "all")]
        expected = [[row[:2] for row in rows if row[1] == row[1]], [row[:2] for row in rows if row[2] == row[2]]]
    fields = table("fields")
    expected.append(list(zip(fields["x"], fields["y"], fields["mach"])))
    if os.path.exists("events.csv"):
        events = table("events")
        expected.append([(time, u) for time, kind, u in zip(events["time"], events["kind"], events["a_u"])
                         if kind == "particle"])
    assert len(curves) == len(expected), f"{len(curves)} curves"
    for k, (curve, rows) in enumerate(zip(curves, expected)):
        assert len(curve) == len(rows), f"curve {k}: {len(curve)} points instead of {len(rows)}"
        for axis, column in enumerate(zip(*rows)):
            compare(f"curve {k}", [row[axis] for row in curve], column, 1e-5)


def check_Octave():
    code = lines("Octave")
    for name in ("answer", "time", "b", "value", "mach"):
        code.append(f'if exist("{name}", "var"), dlmwrite("{name}.read", {name}\'(:), "precision", "%.17g"); end')
    found = {name: map(number, column) for name, column in variables(["octave-cli", "--no-gui", "--norc"], "\n".join(code)).items()}
    compare("answer", found["answer"], [value for row in zip(*answer()) for value in row])
    compare("mach", found["mach"], table("fields")["mach"])
    for name, of in (("time", "events"), ("b", "events"), ("value", "structure")):
        if name in found:
            compare(name, found[name], table(of)[name])


def check_R():
    code = lines("R") + ["""
for (t in c("answer", "events", "structure", "forces", "fields")) if (exists(t, inherits = FALSE)) for (n in names(get(t))) {
    column <- get(t)[[n]]
    writeLines(if (is.numeric(column)) sprintf("%.17g", column) else as.character(column), paste0(t, ".", n, ".read"))
}"""]
    found = variables(["R", "--vanilla", "--no-echo"], "\n".join(code) + "\n")
    for k, name in enumerate(("x", "y", "walls", "disks")):
        compare("answer", map(number, found[f"answer.{name}"]), answer()[k], 2e-16)
    for name in tables:
        if os.path.exists(f"{name}.csv"):
            for key, column in table(name).items():
                read = found[f"{name}.{key}"]
                compare(f"{name}, {key}", [text.replace("NA", "") for text in read] if key in texts else map(number, read),
                        column, 2.3e-16)


def check_jq():
    rows = [line.split("\t") for line in run("sh", "-c", "\n".join(lines("jq"))).splitlines()]
    for k, column in enumerate(zip(*stats())):
        compare("stats", [number(row[k]) if k else row[k] for row in rows], column)


def check_Miller():
    for line in lines("Miller"):
        rows = json.loads(run("sh", "-c", line))
        if "stats.txt" in line:
            with open("stats.txt") as file:
                expected = [row.rstrip("\n").split(" = ") for row in file]
            compare("stats", rows[0], [key for key, _ in expected])
            compare("stats", rows[0].values(), [value if value == "none" else float(value) for _, value in expected])
        elif "structure.csv" in line:
            structure = table("structure")
            compare("g", [row["value"] for row in rows],
                    [row[3] for row in zip(*structure.values()) if row[:2] == ("g", "all")])
        else:
            compare("mach", [row["mach"] for row in rows],
                    sorted((value for value in table("fields")["mach"] if value == value), reverse=True))


def check_SQLite():
    if lines("SQLite"):
        run("sh", "-c", "\n".join(lines("SQLite")))
        rows = sqlite3.connect("run.db").execute("SELECT * FROM structure").fetchall()
        for k, (key, column) in enumerate(table("structure").items()):
            compare(key, [math.nan if row[k] is None else row[k] for row in rows], column, 2.3e-16)


def check_Grace():
    run("sh", "-c", "\n".join(lines("Grace")))
    with open("density.dat") as file:
        rows = [line.split() for line in file]
    fields = table("fields")
    expected = [row for row in zip(fields["x"], fields["density"]) if row[1] == row[1]]
    for k in range(2):
        compare("density", [float(row[k]) for row in rows], [row[k] for row in expected])


def check_ASE():
    found, expected = check_python("ASE"), trajectory()
    compare("times", found["times"], [time for time, _ in expected])
    compare("temperature", found["temperature"],
            [sum(row["masses0"] * (row["velox"] ** 2 + row["veloy"] ** 2) / 2 for row in rows) / len(rows)
             for _, rows in expected], 1e-12)
    for frame, (_, rows) in zip(found["frames"], expected):
        for k, axis in enumerate("xyz"):
            compare(f"pos{axis}", frame.positions[:, k], [row[f"pos{axis}"] for row in rows])
            compare(f"velo{axis}", frame.get_velocities()[:, k], [row[f"velo{axis}"] for row in rows], 1e-12)


def check_VTK():
    found = check_python("VTK")
    compare("density", found["density"], table("fields")["density"])
    compare("mach", found["mach"], table("fields")["mach"])


def check_meshio():
    found = check_python("meshio")
    compare("density", found["density"], table("fields")["density"])


def check_MDAnalysis():
    universe, expected = check_python("MDAnalysis")["universe"], trajectory()
    compare("masses", universe.atoms.masses, [row["masses0"] for row in expected[0][1]], 1e-6)
    compare("times", [step.time for step in universe.trajectory], [time for time, _ in expected])
    for step, (_, rows) in zip(universe.trajectory, expected):
        for k, axis in enumerate("xy"):
            compare(f"pos{axis}", step.positions[:, k], [row[f"pos{axis}"] for row in rows], 1e-6)
            compare(f"velo{axis}", step.velocities[:, k], [row[f"velo{axis}"] for row in rows], 1e-6)


def check_mdtraj():
    found, expected = check_python("mdtraj")["trajectory"], trajectory()
    assert len(found) == len(expected)
    for places, (_, rows) in zip(found.xyz, expected):
        for k, axis in enumerate("xy"):
            compare(f"pos{axis}", places[:, k], [row[f"pos{axis}"] for row in rows], 1e-6)


def check_LAMMPS():
    write = "write_dump all custom read.lammpstrj id type x y vx vy modify sort id format float %.17g"
    run("lmp", "-log", "none", program="\n".join(lines("LAMMPS") + [write, ""]))
    with open("read.lammpstrj") as file:
        found = [list(map(float, line.split())) for line in file.read().splitlines()[9:]]
    expected = trajectory()[0][1]
    for k, name in enumerate(("id0", "type0", "posx", "posy", "velox", "veloy")):
        compare(name, [row[k] for row in found], [row[name] + (k < 2) for row in expected], 1e-15)


# Section, package, how it is imported, whether it starts slowly.
sections = (
    ("pandas", "python3-pandas", "import pandas", False), ("numpy", "python3-numpy", "import numpy", False),
    ("ASE", "python3-ase", "import ase.io", False), ("VTK", "python3-vtk9", "import vtkmodules", False),
    ("meshio", "python3-meshio", "import meshio", False), ("gnuplot", "gnuplot-nox", "", False),
    ("Octave", "octave", "", True), ("R", "r-base-core", "", True), ("jq", "jq", "", False), ("Miller", "miller", "", False),
    ("SQLite", "sqlite3", "", False), ("Grace", "grace", "", False), ("MDAnalysis", "python3-mdanalysis", "import MDAnalysis", True),
    ("mdtraj", "python3-mdtraj", "import mdtraj", True), ("LAMMPS", "lammps", "", True))
commands = {"Octave": "octave-cli", "Miller": "mlr", "SQLite": "sqlite3", "Grace": "cut", "LAMMPS": "lmp"}
for name, package, importable, slow in sections:
    if slow and len(sys.argv) < 3:
        continue
    try:
        exec(importable)
        assert importable or shutil.which(commands.get(name, name))
    except (ImportError, AssertionError):
        print(name, "needs", package)
        continue
    for kind in sorted(os.listdir(sys.argv[1])):
        os.chdir(os.path.join(sys.argv[1], kind))
        try:
            globals()[f"check_{name}"]()
            print(name, kind)
        except Exception as error:
            print(name, kind, f"{type(error).__name__}: {error}".replace("\n", " "))
END
$python "$work/check.py" "$work/runs" $THOROUGH >"$work/said" 2>"$work/err" || verdict "data/READING.md" "$(cat "$work/err")"
missing=
while read -r section kind problem; do
    if [ "$kind" = needs ]; then
        missing="$missing $problem"
    else
        verdict "data/READING.md, $section: $kind" "$problem"
    fi
done <"$work/said"
[ -z "$missing" ] || skip "lines of data/READING.md" $missing
finish
