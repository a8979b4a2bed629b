"""Simulates hard disks from Python, by the library of the program particles, or by the program. One file: copy it to
where you need it.

    import particles

    gas = particles.Simulation(generate=1000, area_fraction=0.4, seed=7, rule="elastic")
    gas.advance(100)                            # to this time
    gas.time, gas.x, gas.u, gas.positions       # now; of each disk; N x 2
    gas.counts.walls, gas.counts.pairs          # how often each has collided
    gas.stats["pressure_walls"], gas.errors["pressure_virial"]    # figures of --stats, and standard errors
    gas.u = gas.u * 2                           # between advances disks can be changed
    for batch in gas.collisions(until=110):
        batch.time, batch.a, batch.b            # of each collision, in order

A Simulation needs the library: that which PARTICLES_LIBRARY names, or build/lib/libparticles.so in the folder above this
file (`make lib`), or that which is installed.

    gas = particles.generate(1000, area_fraction=0.4, seed=7)
    run = particles.run(gas, 100, rule="elastic", every=1)
    run.positions               # of all disks at the end, N x 2
    run.counts                  # collisions of each with walls and with others, N x 2
    run.statistics["pressure_walls"]    # figures of --stats, and errors: "pressure_walls_error"
    run.times, run.frames["pos"]        # with every: T times, and T x N x 3 positions
    run = particles.run(gas, 10, events=True)
    run.events["time"], run.events["a"] # of every collision, columns of --events

run() and generate() start the program, which writes files that they read.

Arrays are numpy's where numpy is installed; otherwise those of a Simulation are tuples, those of a run lists. What the
library or the program refuses is an Error."""
import contextlib
import csv
import ctypes
import ctypes.util
import functools
import json
import math
import operator
import os
import re
import shutil
import subprocess
import tempfile
import threading
import weakref
from array import array as c_array
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

try:
    import numpy
except ImportError:
    numpy = None

OWN = ("stats", "events", "trajectory", "quiet", "resume", "generate", "help", "version")  # options that run gives itself


class Error(Exception):
    """What the library or the program says, and its status: 64 for wrong usage, 65 for bad data and so on; negative if
    a signal ended the program."""

    def __init__(self, message, status):
        super().__init__(message, status)
        self.status = status

    def __str__(self):
        return self.args[0]


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


def system(box, positions, velocities, radius=1, radii=None, masses=None, species=None, spins=None):
    """An INPUT of arrays: of N x 2 positions and velocities, of the radius of all or of each, and of masses, species and
    spins, if they are not 1, 0 and 0."""
    rows = []
    for k, ((x, y), (u, v)) in enumerate(zip(positions, velocities)):
        numbers = [float(number) for number in (x, y, u, v)]
        if any(column is not None for column in (radii, masses, species, spins)):
            numbers += [float(radius if radii is None else radii[k]), float(1 if masses is None else masses[k]),
                        0 if species is None else int(species[k])]
        if spins is not None:
            numbers.append(float(spins[k]))
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


# ---- The library: particles.h has the contract of its functions ----

ABI = 0  # the number of the binary interface that this file knows
STOPPED = 130  # the status of an advance that a callback has stopped
BATCH = 100_000  # collisions that collisions() aims at in a batch


class _Collision(ctypes.Structure):
    _fields_ = [("time", ctypes.c_double), ("a", ctypes.c_int64), ("b", ctypes.c_int64), ("x", ctypes.c_double),
                ("y", ctypes.c_double)]


class _Kept:
    """Collisions that an advance keeps: their bytes, how many, and how many end the advance."""

    def __init__(self, most):
        self.parts, self.count, self.most = [], 0, most


class _Watch:
    """What the callbacks of a simulation share with it: what the caller wants, and what was raised.

    To report progress, the library asks for `time in watch`, which is `send` of the generator _follow. For from Python 3.11
    on an interrupt is raised where a function begins, before any `try` of it, where ctypes would only print it; a generator
    waits inside of its `try`."""
    __slots__ = ("__contains__", "progress", "kept", "error")

    def __init__(self):
        self.progress = self.kept = self.error = None
        follower = _follow(self)
        next(follower)
        setattr(self, "__contains__", follower.send)


def _follow(watch):
    """Is sent times that an advance has reached, and gives back whether it is to stop there."""
    stop = False
    while True:
        try:
            while True:
                time = yield stop
                stop = (watch.kept is not None and watch.kept.count >= watch.kept.most
                        or watch.progress is not None and bool(watch.progress(time)))
        except GeneratorExit:
            return
        except BaseException as error:
            watch.error, stop = error, True


def _keep(watch, collisions, count):
    try:
        watch.kept.parts.append(ctypes.string_at(collisions, count * ctypes.sizeof(_Collision)))
        watch.kept.count += count
    except BaseException as error:
        watch.error, watch.kept.most = error, 0


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_double)
_COLLISIONS = ctypes.CFUNCTYPE(None, ctypes.py_object, ctypes.c_void_p, ctypes.c_size_t)
_report_progress = _PROGRESS(operator.contains)
_keep_collisions = _COLLISIONS(_keep)

# The functions: their results and parameters.
_FUNCTIONS = {
    "abi": (ctypes.c_int,),
    "create": (ctypes.c_void_p,),
    "free": (None, ctypes.c_void_p),
    "error": (ctypes.c_char_p, ctypes.c_void_p),
    "set": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "read": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "place_rough": (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_void_p] * 9),
    "generate": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "advance": (ctypes.c_int, ctypes.c_void_p, ctypes.c_double),
    "change_rough": (ctypes.c_int, *[ctypes.c_void_p] * 8),
    "count": (ctypes.c_size_t, ctypes.c_void_p),
    "time": (ctypes.c_double, ctypes.c_void_p),
    "box": (ctypes.c_int, *[ctypes.c_void_p] * 2),
    "state": (ctypes.c_int, *[ctypes.c_void_p] * 5),
    "kinds": (ctypes.c_int, *[ctypes.c_void_p] * 4),
    "spins": (ctypes.c_int, *[ctypes.c_void_p] * 2),
    "counts": (ctypes.c_int, *[ctypes.c_void_p] * 3),
    "figure": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, *[ctypes.POINTER(ctypes.c_double)] * 2),
    "figure_name": (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t),
    "on_collisions": (ctypes.c_int, ctypes.c_void_p, _COLLISIONS, ctypes.py_object),
    "on_progress": (ctypes.c_int, ctypes.c_void_p, _PROGRESS, ctypes.py_object),
    "read_text": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t),
    "save": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "load": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
}
_loaded = []  # the library, when it has been found


def find_library():
    """The library: what $PARTICLES_LIBRARY names, or build/lib in the folder above this file, or what is installed."""
    if _loaded:
        return _loaded[0]
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "build", "lib", "libparticles.so")
    named = os.environ.get("PARTICLES_LIBRARY") or (built if os.path.isfile(built) else None)
    try:
        try:
            library = ctypes.CDLL(named or f"libparticles.so.{ABI}")
        except OSError:
            elsewhere = None if named else ctypes.util.find_library("particles")
            if not elsewhere:
                raise
            library = ctypes.CDLL(elsewhere)
        for name, (result, *parameters) in _FUNCTIONS.items():
            function = getattr(library, "particles_" + name)
            function.restype, function.argtypes = result, parameters
            if name == "abi" and function() != ABI:
                raise AttributeError(f"its binary interface has the number {function()}, not {ABI}")
    except OSError as error:
        raise Error(f"the library of particles cannot be loaded: {error}. `make lib` builds it, in build/lib; elsewhere set "
                    "PARTICLES_LIBRARY to its path", 64) from None
    except AttributeError as error:
        raise Error(f"{library._name} is not the library that {__file__} needs: {error}. `make lib` builds that",
                    64) from None
    _loaded.append(library)
    return library


# How functions of the library are called here, for its messages.
_HERE = {"on_collisions": "collisions()", "on_progress": "advance(progress=...)", "figure": "stats", "place": "x= and y=",
         "state": "x, y, u and v", "save": "save()", "load": "particles.load()", "generate": "generate="}


def _text(value, what):
    """A path, or the value of an option, for the library."""
    value = os.fsencode(value if isinstance(value, (str, bytes, os.PathLike)) else str(value))
    if b"\0" in value:
        raise Error(f"{what} has a NUL in it", 64)
    return value


def _list(value):
    """Several values as one, with commas."""
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _numbers(values, what, count=None, of="d"):
    """The values as an array of C's double ("d") or int ("i"), and its address; None twice for None. What is such an array
    is not copied. A single number is that of each of `count` particles."""
    if values is None:
        return None, None
    try:
        if numpy is None:
            if isinstance(values, (int, float)) and count is not None:
                values = [values] * count
            is_ready = isinstance(values, c_array) and values.typecode == of
            result = values if is_ready else c_array(of, iter(values))
            size, address = len(result), result.buffer_info()[0]
        else:
            values = numpy.asarray(values)
            if values.dtype.kind not in "iuf":
                raise TypeError(f"not {values.dtype}")
            if values.ndim == 0 and count is not None:
                values = numpy.full(count, values)
            if values.ndim != 1:
                raise TypeError(f"not an array of the shape {values.shape}")
            if of == "i" and not ((numpy.abs(values) < 2.0 ** 31) & (values == numpy.floor(values))).all():
                raise TypeError("not others")
            result = numpy.require(values, of, "CA")
            size, address = len(result), result.ctypes.data
    except (TypeError, ValueError, OverflowError) as error:
        raise Error(f"{what} must be {'whole ' if of == 'i' else ''}numbers, one for each particle: {error}", 64) from None
    if count is not None and size != count:
        raise Error(f"{what} must be {count} numbers, not {size}", 64)
    return result, address


def _pair(pairs, what):
    """The two columns of N x 2 numbers."""
    try:
        if numpy is None:
            first, second = zip(*pairs)
        else:
            pairs = numpy.asarray(pairs)
            if pairs.ndim != 2:
                raise TypeError
            first, second = pairs.T
    except (TypeError, ValueError):
        raise Error(f"{what} must be N x 2 numbers", 64) from None
    return first, second


def _read_rows(read, rows, count, of):
    """Arrays of `count` numbers, which the function `read` fills at the addresses of all of them. Nobody can change them."""
    if numpy is None:
        block = [c_array(of, bytes(count * c_array(of).itemsize)) for _ in range(rows)]
        read(*(row.buffer_info()[0] for row in block))
        return [tuple(row) for row in block]
    block = numpy.empty((rows, count), of)
    read(*(row.ctypes.data for row in block))
    block.flags.writeable = False
    return block


@contextlib.contextmanager
def _temporary_file(content=None):
    """The path of a file with this content, or of none yet."""
    with tempfile.TemporaryDirectory(prefix="particles") as folder:
        path = os.path.join(folder, "particles")
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        yield path


def _apart(work, kept):
    """Does the work in a thread of its own, and waits for it. Signals are handled in the main thread: so nothing is
    raised in _keep, which could lose collisions. An interrupt of the wait ends the advance."""
    done, failures = threading.Event(), []  # an event: an interrupt can come when the wait is just over

    def run():
        try:
            if kept.most > 0:  # or it has been interrupted before it began
                work()
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        done.wait()
    except BaseException:
        kept.most = 0
        if thread.ident is not None:
            done.wait()
        raise
    if failures:
        raise failures.pop()


class Counts(NamedTuple):
    """How often each particle has collided with walls, and with other particles."""
    walls: Any
    pairs: Any


class Collisions:
    """Collisions in their order, len() of them, in columns: the time; the particle a; what it collided with, b: another
    particle, of a higher number, or, negative, -1 - k for feature k of the boundary: -1 to -4 are the left, right,
    bottom and top wall, then come sides and corners of polygons; and x and y, the centre of a."""

    def __init__(self, kept):
        data = b"".join(kept.parts)
        rows = (_Collision * kept.count).from_buffer_copy(data) if numpy is None else numpy.frombuffer(data, _Collision)
        self.time, self.a, self.b, self.x, self.y = (
            tuple(getattr(row, name) for row in rows) if numpy is None else rows[name] for name, _ in _Collision._fields_)

    def __len__(self):
        return len(self.time)

    def __repr__(self):
        return f"<particles.Collisions: {len(self)}>"


class _NoFigure(Error, KeyError):
    """There is no figure of this name."""


class Figures(Mapping):
    """Figures of a simulation by their names, at its present time. nan is what the run does not determine. They count from
    the beginning, or from stats_from, or from the last change on: there is none before an advance beyond that."""

    def __init__(self, simulation, is_error):
        self._simulation, self._is_error = simulation, is_error

    def __getitem__(self, name):
        numbers = (ctypes.c_double(), ctypes.c_double())
        try:
            self._simulation._call("figure", _text(name, "the name"), *map(ctypes.byref, numbers))
        except Error as error:
            raise (_NoFigure if "no figure" in str(error) else Error)(*error.args) from None
        return numbers[self._is_error].value

    def __iter__(self):
        names = []
        simulation = self._simulation
        with simulation._use():
            while (name := simulation._library.particles_figure_name(simulation._handle, len(names))) is not None:
                names.append(name.decode())
        return iter(names)

    def __len__(self):
        return sum(1 for _ in self)

    def __repr__(self):
        return repr(dict(self))


def _setter(name):
    """Sets these values of all particles; None is refused, as no number is there for any."""
    return lambda self, values: self.change(**{name: () if values is None else values})


def _column(name, row, doc):
    """A property of particles: this row of their state, or these two rows as N x 2."""
    def get(self):
        block = self._state[row]
        if isinstance(row, int):
            return block
        return tuple(zip(*block)) if numpy is None else block.T
    return property(get, _setter(name), doc=doc)


class Simulation:
    """Disks in a box, which advance() moves from collision to collision.

        Simulation("gas.txt", rule="elastic")           an INPUT of the program: a file, or a text of several lines
        Simulation(x=..., y=..., radius=0.5, box=(20, 10))      arrays
        Simulation(generate=1000, area_fraction=0.4)    random disks, as --generate makes them; of two species [800, 200]

    Beside x and y there may be u, v, mass, species and, with roughness=, spin, which are 0, 0, 1, 0 and 0 without it. positions and velocities, N x 2,
    may be given instead of x and y, and u and v; a single number is that of each disk. Contiguous arrays of doubles are not
    copied.

    All other arguments are options of the program, which its manual page explains: rule="elastic", periodic="xy",
    threads=2, stats_from=10, with _ for -. True is an option without a value, None and False none, and a list one that is
    repeated: wall=["left temperature=1", "right temperature=2"]. Options that write files are refused.

    stats=False makes advances some 10 % faster, but then there are no figures.

    What is read of the disks cannot be written to: assign to change them, gas.u = gas.u * 2, or call change(). It is that
    of the time when it was read, and stays so.

    A simulation can be pickled and copied, by what save() saves. Several threads can use it: they wait for each other. A
    process that was forked cannot. Its memory is freed when nothing refers to it, by close(), or at the end of a `with`."""

    def __init__(self, input=None, *, x=None, y=None, u=None, v=None, positions=None, velocities=None, radius=None,
                 mass=None, species=None, spin=None, box=None, generate=None, stats=True, **options):
        self._begin(stats)
        if positions is not None:
            x, y = _pair(positions, "positions")
        if velocities is not None:
            u, v = _pair(velocities, "velocities")
        if (input is not None) + (x is not None or y is not None) + (generate is not None) != 1:
            raise Error("one of these is needed: a file or a text; arrays, x= and y=; or generate=", 64)
        arrays = {"x": x, "y": y, "u": u, "v": v, "radius": radius, "mass": mass}
        if x is None and y is None:
            options.update(radius=_list(radius), mass=_list(mass))
            for name, value in (("u", u), ("v", v), ("species", species), ("spin", spin), ("box", box)):
                if value is not None:
                    raise Error(f"{name}= goes with arrays, x= and y=", 64)
        for name, value in options.items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                if one is not None and one is not False:
                    self._call("set", _text(name.replace("_", "-"), name), None if one is True else _text(one, name))
        if generate is not None:
            self._call("generate", _text(_list(generate), "generate"))
        elif input is not None:
            self._read_input(input)
        else:
            self._place(box, species, spin, arrays)

    def _begin(self, stats):
        """Makes the handle."""
        self._library = library = find_library()
        self._watch = watch = _Watch()
        self._lock, self._process, self._cache = threading.RLock(), os.getpid(), {}
        self._handle = library.particles_create()
        if not self._handle:
            raise MemoryError("there is no memory for a simulation")
        # The library refers to the watch, too. At the exit of the process a thread may still be in an advance.
        self._free = weakref.finalize(self, lambda handle, watch: library.particles_free(handle), self._handle, watch)
        self._free.atexit = False
        self._call("on_progress", _report_progress, watch)
        self._has_stats = bool(stats)
        if stats:
            self._call("set", b"stats", None if stats is True else _text(stats, "stats"))

    def _use(self):
        """The lock of the handle. It can be taken again by a callback, to which the library says what is wrong."""
        if self._process != os.getpid():
            raise Error("a simulation cannot be used in a process that was forked: save it, or pickle it", 64)
        if self._handle is None:
            raise Error("the simulation is closed", 64)
        return self._lock

    def _check(self, status):
        """Raises what was raised during a call, or the message of one that gave this status, if it has failed."""
        error, self._watch.error = self._watch.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # whose traceback refers to this frame
        if status:
            message = os.fsdecode(self._library.particles_error(self._handle))
            raise Error(re.sub(r"\bparticles_(\w+)", lambda match: _HERE.get(match[1], match[0]), message), status)

    def _call(self, name, *values):
        with self._use():
            self._check(getattr(self._library, "particles_" + name)(self._handle, *values))

    def _read_input(self, input):
        if not isinstance(input, str) or "\n" not in input:
            self._call("read", _text(input, "the path"))
            return
        text = os.fsencode(input)
        self._call("read_text", text, len(text))

    def _place(self, box, species, spin, arrays):
        for name, value in {**arrays, "box": box}.items():
            if value is None and name in ("x", "y", "radius", "box"):
                raise Error(f"{name}= is missing", 64)
        arrays["x"], _ = _numbers(arrays["x"], "x")
        count = len(arrays["x"])
        if count == 0:
            raise Error("x is empty: there must be at least one particle", 64)
        numbers = [_numbers(value, name, count) for name, value in arrays.items()]
        numbers += [_numbers(species, "species", count, "i"), _numbers(spin, "spin", count)]
        sides = _numbers(box, "box", 2)
        self._call("place_rough", count, sides[1], *(address for _, address in numbers))

    def advance(self, time, progress=None):
        """Moves the disks to this time. Stops make no difference: ten advances give the bits of one.
        With grow= it ends where growth does, which .time says; from then on disks keep their size.

        progress(time) is called some times a second, with a time that has been reached. If it returns something true, the
        advance ends there, and returns False instead of True. What it raises ends the advance and is raised here, and so
        does an interrupt (Ctrl-C). Then .time says how far the advance has come; another one can go on."""
        return self._advance(float(time), progress)

    def _advance(self, time, progress=None, kept=None):
        library, watch = self._library, self._watch
        with self._use():
            handle = self._handle
            self._cache.clear()
            watch.progress, watch.kept, watch.error = progress, kept, None
            try:
                if kept is not None:
                    self._check(library.particles_on_collisions(handle, _keep_collisions, watch))
                status = library.particles_advance(handle, time)
                self._check(status if status != STOPPED else 0)
            finally:
                watch.progress = watch.kept = None
                if kept is not None:
                    library.particles_on_collisions(handle, _COLLISIONS(), None)
            return status != STOPPED

    def collisions(self, until, every=None):
        """Advances to the time `until`, and yields all collisions on the way in batches, which are Collisions.

        A batch has what happened since the batch before it, up to the present time: when it is yielded, the disks can be
        read and changed. With every=DT there is a batch for each DT, whether it has collisions or not; without it a batch
        has some 100 000 collisions, so that a few times 4 MB of memory are enough. The loop may be left at any
        time. The collisions of an advance that is interrupted are lost."""
        start, until, number = self.time, float(until), 0
        part = (until - start) / 2 ** 20
        if every is not None and not every > 0:
            raise Error(f"every= must be more than 0, not {every}", 64)
        while number == 0 or self.time < until:
            number += 1
            now = self.time
            stop = now + part if every is None else start + number * every
            kept = _Kept(4 * BATCH if every is None else math.inf)
            _apart(functools.partial(self._advance, stop if now < stop < until else until, None, kept), kept)
            part = (self.time - now) * min(8, max(1 / 8, BATCH / (kept.count + 1)))
            if kept.count or every is not None:
                yield Collisions(kept)

    def change(self, *, x=None, y=None, u=None, v=None, positions=None, velocities=None, radius=None, mass=None, spin=None):
        """Changes the disks at the present time: gas.u = ... is change(u=...). What is not given stays. Disks must not
        overlap afterwards; if something is refused, nothing is changed. Figures begin anew."""
        if positions is not None:
            x, y = _pair(positions, "positions")
        if velocities is not None:
            u, v = _pair(velocities, "velocities")
        count = len(self)
        numbers = [_numbers(value, name, count) for name, value in
                   (("x", x), ("y", y), ("u", u), ("v", v), ("radius", radius), ("mass", mass), ("spin", spin))]
        self._call("change_rough", *(address for _, address in numbers))
        self._cache.clear()

    def _read(self, name, rows, of, before=(), after=()):
        """Rows of numbers of all particles, kept until the next advance or change."""
        with self._use():
            key = name, of
            if key not in self._cache:
                read = getattr(self._library, "particles_" + name)
                self._cache[key] = _read_rows(lambda *places: self._check(read(self._handle, *before, *places, *after)), rows,
                                              self._library.particles_count(self._handle), of)
            return self._cache[key]

    _state = property(lambda self: self._read("state", 4, "d"))
    _kinds = property(lambda self: self._read("kinds", 2, "d", after=(None,)))
    x = _column("x", 0, "The x of each centre.")
    y = _column("y", 1, "The y of each centre.")
    u = _column("u", 2, "The velocity of each disk along x.")
    v = _column("v", 3, "The velocity of each disk along y.")
    positions = _column("positions", slice(0, 2), "The centres, N x 2.")
    velocities = _column("velocities", slice(2, 4), "The velocities, N x 2.")
    radius = property(lambda self: self._kinds[0], _setter("radius"),
                      doc="The radius of each disk.")
    mass = property(lambda self: self._kinds[1], _setter("mass"), doc="The mass of each disk.")
    spin = property(lambda self: self._read("spins", 1, "d")[0], _setter("spin"),
                    doc="The spin of each disk, counter-clockwise in radians per time; 0 unless roughness= is given.")
    species = property(lambda self: self._read("kinds", 1, "i", before=(None, None))[0],
                       doc="The species of each disk, a label.")
    counts = property(lambda self: Counts(*self._read("counts", 2, "q")),
                      doc="How often each disk has collided: counts.walls and counts.pairs.")
    stats = property(lambda self: Figures(self, False), doc="Figures by their names, those of --stats, at the present time.")
    errors = property(lambda self: Figures(self, True), doc="Standard errors of figures by their names; nan if unknown.")

    @property
    def time(self):
        """The present time."""
        with self._use():
            return self._library.particles_time(self._handle)

    @property
    def box(self):
        """The width and the height of the box."""
        sides = (ctypes.c_double * 2)()
        self._call("box", ctypes.addressof(sides))
        return tuple(sides)

    def __len__(self):
        with self._use():
            return self._library.particles_count(self._handle)

    def save(self, path):
        """Saves the simulation in a file, complete or not at all. particles.load() goes on from it."""
        self._call("save", _text(path, "the path"))

    def __reduce__(self):
        with _temporary_file() as path:
            self.save(path)
            with open(path, "rb") as file:
                saved = file.read()
        own = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return _revive, (type(self), saved, self._has_stats), own

    def close(self):
        """Frees the memory."""
        with self._use():
            self._handle = None
            self._free()
            self._cache.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._handle is not None:
            self.close()

    def __repr__(self):
        try:
            return f"<particles.{type(self).__name__}: {len(self)} particles at time {self.time!r}>"
        except Error as error:
            return f"<particles.{type(self).__name__}: {error}>"


def _load(kind, path, stats):
    simulation = kind.__new__(kind)
    simulation._begin(stats)
    simulation._call("load", _text(path, "the path"))
    return simulation


def _revive(kind, saved, stats):
    """The simulation that was pickled."""
    with _temporary_file(saved) as path:
        return _load(kind, path, stats)


def load(path):
    """The Simulation that save() has saved, at its time, with its options and figures. The file must be of the same version
    of the library."""
    try:
        return _load(Simulation, path, True)
    except Error as error:
        try:  # it may have no figures
            return _load(Simulation, path, False)
        except Error:
            raise error from None
