"""Runs particles, a simulation of hard disks, from Python. One file: copy it to where you need it.

    import particles

    gas = particles.generate(1000, area_fraction=0.4, seed=7)
    run = particles.run(gas, 100, rule="elastic", every=1)
    run.positions               # of all disks at the end, N x 2
    run.counts                  # collisions of each with walls and with others, N x 2
    run.statistics["pressure_walls"]    # figures of --stats, and errors: "pressure_walls_error"
    run.times, run.frames["pos"]        # with every: T times, and T x N x 3 positions
    run = particles.run(gas, 10, events=True)
    run.events["time"], run.events["a"] # of every collision, columns of --events

Arrays are numpy's where numpy is installed, otherwise lists. What the program refuses is an Error."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
from types import SimpleNamespace

try:
    import numpy
except ImportError:
    numpy = None

OWN = ("stats", "events", "trajectory", "quiet", "resume", "generate", "help", "version")  # options that run gives itself


class Error(Exception):
    """The program's message, and its exit status: 64 for wrong usage, 65 for bad data and so on; negative if
    a signal ended it."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def find_program():
    """$PARTICLES, or the program in the folder above this file, or that on the PATH."""
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "particles")
    found = os.environ.get("PARTICLES") or (built if os.path.isfile(built) else shutil.which("particles"))
    if not found:
        raise Error("there is no program 'particles': build or install it, or set PARTICLES", 64)
    return found


def arguments(options):
    """Options of the program: rule="elastic" is --rule=elastic, True an option without a value, and a list one
    that is repeated. None and False are left out."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None and one is not False:
                words.append(option if one is True else f"{option}={one}")
    return words


def call(program, words, text=None):
    """Starts the program; its standard output and standard error."""
    try:
        done = subprocess.run([program or find_program(), *words], input=text, capture_output=True, check=False,
                              text=True, errors="surrogateescape")
    except OSError as error:
        raise Error(f"{error.filename}: {error.strerror}", 64) from None
    if done.returncode != 0:
        raise Error(done.stderr.strip().replace("particles: ", "") or "the run was ended", done.returncode)
    return done.stdout, done.stderr


def array(values, *shape):
    """The values as an array of numpy, of this shape; without numpy a list, nested for two dimensions."""
    if numpy is not None:
        return numpy.array(values).reshape(shape or -1)
    return values


def system(box, positions, velocities, radius=1, radii=None, masses=None, species=None):
    """An INPUT of arrays: of N x 2 positions and velocities, of the radius of all or of each, and of masses and
    species, if they are not 1 and 0."""
    rows = []
    for k, ((x, y), (u, v)) in enumerate(zip(positions, velocities)):
        numbers = [float(number) for number in (x, y, u, v)]
        if radii is not None or masses is not None or species is not None:
            numbers += [float(radius if radii is None else radii[k]), float(1 if masses is None else masses[k]),
                        0 if species is None else int(species[k])]
        rows.append(" ".join(map(repr, numbers)))
    if len(rows) != len(positions) or len(rows) != len(velocities):
        raise Error("there must be as many velocities as positions", 65)
    return "\n".join([str(len(rows)), repr(float(radius)), f"{float(box[0])!r} {float(box[1])!r}", *rows, ""])


def generate(count, *, program=None, **options):
    """An INPUT of this many random disks, as text; of a mixture, count is "800,200"."""
    return call(program, [f"--generate={count}", "--quiet", *arguments(options)])[0]


def read_statistics(path):
    """Figures by their names, and standard errors by NAME_error; None is what the run does not determine."""
    with open(path, encoding="ascii") as file:
        figures = {name: figure for name, figure in json.load(file).items() if isinstance(figure, dict)}
    values = {name: figure["value"] for name, figure in figures.items()}
    return {**values, **{f"{name}_error": figure["error"] for name, figure in figures.items() if "error" in figure}}


def read_events(path):
    """Columns by their names: numbers, nan where there is none, but of "kind" and "wall" words."""
    with open(path, newline="", encoding="ascii") as file:
        names, *rows = csv.reader(file)
    columns = dict(zip(names, map(list, zip(*rows)))) if rows else {name: [] for name in names}
    return {name: array([float(word) if word else math.nan for word in column] if name not in ("kind", "wall") else column)
            for name, column in columns.items()}


def read_frames(path):
    """The times, and the columns by their names, of extended XYZ: T x N, or T x N x 3."""
    times, frames, widths = [], {}, []
    with open(path, encoding="utf-8") as file:
        while (line := file.readline()):
            count = int(line)
            comment = file.readline()
            times.append(float(re.search(r"\bTime=(\S+)", comment)[1]))
            fields = re.search(r"\bProperties=(\S+)", comment)[1].split(":")
            widths = [(fields[k], int(fields[k + 2])) for k in range(0, len(fields), 3)]
            rows = [[float(word) for word in file.readline().split()] for _ in range(count)]
            first = 0
            for name, width in widths:
                frames.setdefault(name, []).append([row[first] if width == 1 else row[first:first + width] for row in rows])
                first += width
    return array(times), {name: array(frames[name], len(times), -1, *([width] if width > 1 else []))
                          for name, width in widths}


def run(input, end_time, *, program=None, events=False, every=None, **options):
    """Simulates INPUT up to END_TIME: a path, the text of a file, or a dict of what system() takes. Other options
    are those of the program: rule="elastic", periodic="xy", obstacle=["wing.txt"]. Gives positions, counts,
    statistics and messages, the program's warnings; with events=True also events, with every=DT times and frames."""
    for name in OWN:
        if name in options:
            raise Error(f"'{name}' is not for run(), which gives it itself", 64)
    if isinstance(input, dict):
        input = system(**input)
    path, text = (os.fspath(input), None) if not isinstance(input, str) or "\n" not in input else ("-", input)
    with tempfile.TemporaryDirectory(prefix="particles") as folder:
        place = {name: os.path.join(folder, name) for name in ("stats.json", "events", "trajectory")}
        words = ["--quiet", f"--stats={place['stats.json']}", *arguments(options)]
        words += [f"--events={place['events']}"] if events else []
        words += [f"--trajectory={place['trajectory']}", f"--every={every}"] if every is not None else []
        output, messages = call(program, [*words, "--", path, str(end_time)], text)
        rows = [line.split(",") for line in output.splitlines()]
        result = SimpleNamespace(
            positions=array([[float(x), float(y)] for x, y, _, _ in rows], -1, 2),
            counts=array([[int(walls), int(others)] for _, _, walls, others in rows], -1, 2),
            statistics=read_statistics(place["stats.json"]), messages=messages.splitlines())
        if events:
            result.events = read_events(place["events"])
        if every is not None:
            result.times, result.frames = read_frames(place["trajectory"])
    return result
