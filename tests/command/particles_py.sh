#!/bin/sh
# scripts/particles.py: what it gives is what the program prints and writes, with numpy and without; and the examples of
# the manual and of README.md.
. tests/support/expect.sh

if ! python3 -c 'import sys; assert sys.version_info >= (3, 8)' 2>/dev/null; then
    skip "scripts/particles.py" python3
    finish
fi
export PARTICLES="$PROGRAM" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/scripts"
"$PROGRAM" --generate=60,40 --radius=1,0.5 --mass=1,0.25 --quiet --seed=5 >"$work/gas"
"$PROGRAM" --rule=elastic --stats="$work/stats" --events="$work/events" --trajectory="$work/trajectory" --every=0.5 \
    "$work/gas" 4 >"$work/answer"
cat >"$work/check.py" <<'END'
import os
import sys
import particles

if sys.argv[2] == "lists":
    particles.numpy = None
elif particles.numpy is None:
    sys.exit("skipped: arrays of numpy (needs python3-numpy)")
os.chdir(sys.argv[1])
run = particles.run("gas", 4, rule="elastic", events=True, every=0.5)


def lists(array):
    return array.tolist() if hasattr(array, "tolist") else array


with open("answer") as file:
    answer = [line.split(", ") for line in file]
assert lists(run.positions) == [[float(row[0]), float(row[1])] for row in answer]
assert lists(run.counts) == [[int(row[2]), int(row[3])] for row in answer]
with open("stats") as file:
    figures = dict(line.strip().split(" = ") for line in file)
assert run.statistics.keys() == figures.keys()
assert run.statistics["collision_rate"] == float(figures["collision_rate"]) > 0
assert all((run.statistics[name] is None) == (value == "none") for name, value in figures.items())
with open("events") as file:
    names, *rows = [line.rstrip("\n").split(",") for line in file]
assert list(run.events) == names and len(rows) > 100
for k, name in enumerate(names):
    assert [str(float(row[k])) if row[k] and name not in ("kind", "wall") else row[k] or "nan" for row in rows] == \
        [str(float(value)) if name not in ("kind", "wall") else value or "nan" for value in lists(run.events[name])], name
with open("trajectory") as file:
    lines = file.read().splitlines()
assert lists(run.times) == [k / 2 for k in range(9)]
assert lists(run.frames["pos"]) == [[[float(word) for word in line.split()[1:4]] for line in lines[k + 2:k + 102]]
                                    for k in range(0, len(lines), 102)]
assert lists(run.frames["id"])[8] == list(range(100))
if sys.argv[2] == "numpy":
    assert run.frames["velo"].shape == (9, 100, 3) and run.counts.sum() > 0

# Text, and arrays of what the first frame shows, are the same input.
with open("gas") as file:
    text = file.read()
assert lists(particles.run(text, 4, rule="elastic").positions) == lists(run.positions)
box = [float(word) for word in text.split()[2:4]]
first = {name: lists(run.frames[name])[0] for name in ("pos", "velo", "radius", "type")}
arrays = dict(box=box, positions=[place[:2] for place in first["pos"]], velocities=[way[:2] for way in first["velo"]],
              radii=first["radius"], masses=[0.25 if radius == 0.5 else 1 for radius in first["radius"]],
              species=first["type"])
again = particles.run(arrays, 4, rule="elastic")
assert lists(again.positions) == lists(run.positions) and lists(again.counts) == lists(run.counts)

# Of rough disks with spins, too.
rough = dict(box=(9, 9), positions=[(3, 4), (6, 4)], velocities=[(1, 0), (-1, 0)], spins=[2, -0.5])
assert particles.system(**rough) == "2\n1.0\n9.0 9.0\n3.0 4.0 1.0 0.0 1.0 1.0 0 2.0\n6.0 4.0 -1.0 0.0 1.0 1.0 0 -0.5\n"
assert lists(particles.run(rough, 1, rule="elastic", roughness=1).positions)[0][1] != 4

# No collision leaves empty columns.
assert lists(particles.run("1\n1\n9 9\n4 4 0 0\n", 1, events=True).events["time"]) == []
for message, status, refused in [
        ("must be", 64, lambda: particles.run("gas", -1)),
        ("nowhere", 66, lambda: particles.run("nowhere", 1)),
        ("cannot open", 66, lambda: particles.run(os.fsdecode(b"no\xff"), 1)),
        ("standard input:1", 65, lambda: particles.run("many\n", 1)),
        ("'resume'", 64, lambda: particles.run("gas", 1, resume="x")),
        ("as many velocities", 65, lambda: particles.system((9, 9), [(1, 1)], [])),
        ("no-program", 64, lambda: particles.run("gas", 1, program="./no-program"))]:
    try:
        refused()
        sys.exit(f"not refused: {message}")
    except particles.Error as error:
        if message not in str(error) or error.status != status:
            sys.exit(f"{error.status}: {error}")
END
numpy=$(python_with numpy)
: "${numpy:=/usr/bin/python3}"
$numpy "$work/check.py" "$work" numpy >"$work/out" 2>&1
status=$?
grep '^skipped' "$work/out" || verdict "with numpy" "$([ $status -eq 0 ] || cat "$work/out")"
python3 "$work/check.py" "$work" lists >"$work/out" 2>&1
verdict "without numpy" "$([ $? -eq 0 ] || cat "$work/out")"

# The example of the manual.
sed -n '/^import particles$/,/^\.Ed$/p' data/particles.1.in | sed '$d; s/\\e/\\/g' >"$work/example.py"
verdict "the manual has an example" "$([ -s "$work/example.py" ] || echo no)"
(cd "$work" && python3 example.py) >"$work/out" 2>&1
verdict "the example runs" "$([ $? -eq 0 ] && grep -Eqx '[0-9.]+ [0-9.]+' "$work/out" || cat "$work/out")"

# The example of the README.md, as it stands there; it prints the rate of the table after it.
export PARTICLES_LIBRARY="$BUILD/lib/libparticles.so"
if ! python3 -c 'import particles; particles.find_library()' 2>"$work/out"; then # of musl, say, with a Python of glibc
    skip "the README's example: $(tail -n 1 "$work/out")"
    finish
fi
sed -n '/^    import sys$/,/^$/s/^    //p' README.md >"$work/example.py"
PYTHONPATH="" python3 "$work/example.py" >"$work/out" 2>&1
rate=$(sed -n 's/^ *collision rate *\([0-9.]*\)(.*/\1/p' README.md)
verdict "the README's example" "$([ -n "$rate" ] &&
    awk -v rate="$rate" 'NR == 1 && sprintf("%.4f", $1) == rate { ok = 1 } END { exit !ok }' "$work/out" || cat "$work/out")"
finish
