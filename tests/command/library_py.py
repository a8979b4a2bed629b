"""The checks of library_py.sh: prints "passed NAME" or "FAILED NAME: ..." for each."""
import copy
import gc
import json
import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import weakref

import particles
from particles import Error, Simulation

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background of a shell ignores it
os.chdir(sys.argv[1])
checks = []


def check(function):
    checks.append(function)
    return function


def run(*words):
    return subprocess.run([os.environ["PROGRAM"], "--quiet", *words], check=True, capture_output=True, text=True).stdout


def lists(values):
    return values.tolist() if hasattr(values, "tolist") else [list(row) if isinstance(row, tuple) else row for row in values]


def state(simulation):
    return [lists(values) for values in (simulation.x, simulation.y, simulation.u, simulation.v)]


def saved(*words):
    """The state at the end, counts, and figures of a run of the command."""
    answer = run("--final=end", "--stats=stats.json", *words)
    with open("end", encoding="ascii") as file:
        rows = [[float(word) for word in line.split()] for line in file.read().splitlines()[3:]]
    with open("stats.json", encoding="ascii") as file:
        expected = {name: figure for name, figure in json.load(file).items() if isinstance(figure, dict)}
    counts = [[int(line.split(", ")[k]) for line in answer.splitlines()] for k in (2, 3)]
    return [list(column) for column in zip(*rows)][:4], counts, expected


def figures(simulation):
    """All figures and their errors but those of the clock, as text."""
    return [repr({name: value for name, value in values.items() if "second" not in name})
            for values in (simulation.stats, simulation.errors)]


def same(simulation, ended):
    """That the simulation is where the command's run has ended, to the last bit; figures, whose blocks of time end
    elsewhere, but for rounding."""
    columns, counts, expected = ended
    assert state(simulation) == columns, "another state"
    assert [lists(column) for column in simulation.counts] == counts, "other counts"
    assert list(simulation.stats) == list(expected) and len(simulation.stats) == len(expected), list(simulation.stats)
    for name, figure in expected.items():
        value = simulation.stats[name]
        if figure["value"] is None:
            assert math.isnan(value), (name, value)
        elif "second" not in name:
            assert math.isclose(value, figure["value"], rel_tol=1e-9, abs_tol=1e-12), (name, value, figure)


def refuse(call, status, pattern, kind=Error):
    try:
        call()
    except kind as error:
        assert pattern in str(error) and getattr(error, "status", None) == status, f"{error!r}"
        assert "particles_" not in str(error) and "--" not in str(error), f"{error!r}"
        return
    raise AssertionError(f"not refused: {pattern}")


run_gas = run("--generate=60,40", "--radius=1,0.5", "--mass=1,0.25", "--seed=5")
with open("gas", "w", encoding="ascii") as stream:
    stream.write(run_gas)
run_gas_rows = [[float(word) for word in line.split()] for line in run_gas.splitlines()[3:]]
GAS = dict(zip(["x", "y", "u", "v", "radius", "mass", "species"], map(list, zip(*run_gas_rows))))
GAS["species"] = list(map(int, GAS["species"]))
GAS["box"] = [float(word) for word in run_gas.splitlines()[2].split()]


def gas(**options):
    return Simulation("gas", rule="elastic", **options)


@check
def the_same_bits_as_the_command():
    ended = saved("--rule=elastic", "gas", "8")
    one = gas()
    one.advance(8)
    figures_of_one = figures(one)
    for made in (gas(), Simulation(run_gas, rule="elastic"), Simulation(**GAS, rule="elastic"),
                 Simulation(generate=[60, 40], radius=[1, 0.5], mass="1,0.25", seed=5, rule="elastic")):
        for stop in (0, 0.1, 0.1, 3, math.pi, 8):
            assert made.advance(stop) is True and made.time == stop
        same(made, ended)
        assert figures(made) == figures_of_one, "stops make a difference to figures"
        assert lists(made.radius) == GAS["radius"] and lists(made.mass) == GAS["mass"]
        assert lists(made.species) == GAS["species"] and list(made.box) == GAS["box"] and len(made) == 100
        assert lists(made.positions) == [list(row) for row in zip(made.x, made.y)]
        assert lists(made.velocities) == [list(row) for row in zip(made.u, made.v)]


@check
def options():
    walls = ["left temperature=1", "right temperature=2"]
    same_run = gas(wall=walls, restitution=0.9, stats_from=1, seed=3, threads=2, schedule=None, periodic=False)
    same_run.advance(3)
    same(same_run, saved("--rule=elastic", *[f"--wall={wall}" for wall in walls], "--restitution=0.9", "--stats-from=1",
                         "--seed=3", "--threads=2", "gas", "3"))
    periodic = gas(periodic="xy", reverse=True)
    periodic.advance(5)
    same(periodic, saved("--rule=elastic", "--periodic=xy", "--reverse", "gas", "5"))


@check
def steps():
    steps = Simulation("gas", step=0.01, constraint=["contact"], interaction="gravity g=1")
    for stop in (0.105, 0.5, 1):
        steps.advance(stop)
    same(steps, saved("--step=0.01", "--constraint=contact", "--interaction=gravity g=1", "gas", "1"))
    assert not [batch for batch in steps.collisions(1.5)]


@check
def collisions():
    run("--rule=elastic", "--events=events", "gas", "20")
    events = particles.read_events("events")
    walls = {"left": -1, "right": -2, "bottom": -3, "top": -4}
    expected = [list(map(float, events["time"])), [int(a) for a in events["a"]],
                [walls[wall] if wall else int(b) for wall, b in zip(events["wall"], events["b"])]]
    for pieces in (gas().collisions(20), gas(stats=False).collisions(until=20, every=0.75)):
        columns, last = ([], [], [], [], []), 0
        for batch in pieces:
            assert len(batch) == len(batch.b) and all(last < when for when in batch.time)
            for column, values in zip(columns, (batch.time, batch.a, batch.b, batch.x, batch.y)):
                column += lists(values)
        assert [columns[0], columns[1], columns[2]] == expected
        assert columns[3] == list(map(float, events["a_x"])) and columns[4] == list(map(float, events["a_y"]))
    made = gas()
    times = []
    for batch in made.collisions(2, every=0.5):
        times.append(made.time)
        made.u = [-u for u in made.u]
    assert times == [0.5, 1, 1.5, 2]
    for batch in made.collisions(100):
        break
    assert 2 < made.time < 100 and len(batch) > 0
    made.advance(100)
    refuse(lambda: next(made.collisions(1)), 64, "the present")
    refuse(lambda: next(made.collisions(200, every=0)), 64, "more than 0")


@check
def many_collisions():
    made = Simulation(generate=500, area_fraction=0.5, rule="elastic", stats=False)
    old, particles.BATCH = particles.BATCH, 1000
    try:
        sizes = [len(batch) for batch in made.collisions(40)]
    finally:
        particles.BATCH = old
    assert sum(sizes) == sum(map(int, made.counts.pairs)) // 2 + sum(map(int, made.counts.walls))
    assert max(sizes) < 8000 and len(sizes) > 10, sizes


@check
def changes():
    made = gas()
    made.advance(1)
    before = made.u
    made.u = [2 * u for u in made.u]
    assert lists(made.u) == [2 * u for u in before]
    refuse(lambda: made.stats["collisions"], 64, "beyond")
    assert not list(made.stats)
    made.velocities = [[1, 2]] * 100
    assert set(made.u) == {1} and set(made.v) == {2} and set(map(tuple, lists(made.velocities))) == {(1, 2)}
    made.mass = 2
    assert set(made.mass) == {2}
    made.change(radius=[0.9 * radius for radius in made.radius], v=0)
    assert set(made.v) == {0} and abs(made.radius[0] - 0.9 * GAS["radius"][0]) < 1e-15
    state_before = state(made)
    refuse(lambda: setattr(made, "positions", [(5, 5)] * 100), 65, "overlap")
    refuse(lambda: made.change(radius=50), 65, "")
    assert state(made) == state_before
    made.advance(2)
    assert made.time == 2 and made.stats["collisions"] > 0
    # Spins, in arrays and afterwards, are those of INPUT.
    rough = {"rule": "elastic", "roughness": 1, "inertia": 1}
    disks = Simulation(x=[5, 9], y=[5, 5], u=[1, -1], radius=1, spin=[-3.5, 0], box=(20, 10), **rough)
    text = Simulation("2\n1\n20 10\n5 5 1 0 1 1 0 -3.5\n9 5 -1 0\n", **rough)
    assert lists(disks.spin) == [-3.5, 0]
    for one in (disks, text):
        one.advance(2)
    assert lists(disks.spin) == lists(text.spin) == [-1.75, 1.75]
    disks.spin = 2
    text.change(spin=[2, 2], u=disks.u)
    assert lists(disks.spin) == lists(text.spin) == [2, 2]
    refuse(lambda: setattr(made, "spin", 1), 64, "need the option 'roughness'")
    refuse(lambda: Simulation(x=[5], y=[5], radius=1, spin=[1], box=(20, 10)), 65, "particle 0 has a spin, and that needs roughness")
    refuse(lambda: Simulation(generate=5, spin=[1]), 64, "spin= goes with arrays")
    # A disk that is moved goes on from there.
    disk = Simulation(x=[2], y=[2], u=[1], v=[0], radius=0.5, box=(10, 4))
    disk.advance(3)
    disk.x = [7.25]
    disk.advance(4)
    assert lists(disk.x) == [8.25] and lists(disk.counts.walls) == [0]


@check
def copies():
    made = gas()
    made.name = "mine"
    made.advance(2)
    made.save("saved")
    others = [particles.load("saved"), pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)]
    assert others[1].name == others[2].name == "mine" and type(others[1]) is Simulation
    ended = saved("--rule=elastic", "gas", "4")
    for one in (made, *others):
        assert one.time == 2
        one.advance(4)
        same(one, ended)
        assert figures(one) == figures(made)
    without = pickle.loads(pickle.dumps(gas(stats=False)))
    without.advance(4)
    assert state(without) == ended[0]
    refuse(lambda: without.stats["collisions"], 64, "stats")


@check
def arrays():
    numpy = particles.numpy
    if numpy is None:
        from array import array
        from fractions import Fraction
        for kind in (tuple, iter, lambda values: array("d", values), lambda values: array("f", values),
                     lambda values: [Fraction(value) for value in values]):
            made = Simulation(x=kind([1, 4]), y=kind([1, 2]), radius=[0.5, 0.5], species=array("i", [3, 4]), box=(9, 9))
            assert made.x == (1, 4) and made.y == (1, 2) and made.species == (3, 4) and made.positions == ((1, 1), (4, 2))
        try:
            made.u[0] = 1
        except TypeError:
            return
        raise AssertionError("a tuple can be written to")
    x = numpy.arange(20.0) + 1
    for kind in ("<f8", ">f8", "f4", "i8", "u1", "f2"):
        labels = numpy.arange(20, dtype=">i8")
        made = Simulation(x=x.astype(kind), y=numpy.ones(20, kind), radius=0.5, species=labels, box=(22, 2))
        assert (made.x == x).all() and (made.species == numpy.arange(20)).all()
    strided = numpy.stack([x, x], 1)
    made = Simulation(x=strided[:, 0], y=numpy.broadcast_to(1, 20), u=x[::-1], radius=0.5, box=(22, 2))
    assert (made.x == x).all() and (made.u == x[::-1]).all() and made.x.dtype == numpy.float64
    assert made.counts.pairs.dtype == numpy.int64 and made.positions.shape == (20, 2) and made.x is not made.x
    assert Simulation(positions=strided * [1, 0] + [0, 1], radius=0.5, box=(22, 2)).y[3] == 1
    old = made.x
    made.advance(0.1)
    assert (old == x).all() and (made.x != x).any()
    try:
        made.u[0] = 1
    except ValueError:
        return
    raise AssertionError("an array can be written to")


@check
def bad_uses():
    made, one = gas(), dict(x=[1, 4], y=[1, 1], radius=0.5, box=(9, 9))
    made.advance(1)
    for status, pattern, call in [
            (64, "one of these is needed", Simulation),
            (64, "one of these is needed", lambda: Simulation("gas", **one)),
            (64, "one of these is needed", lambda: Simulation("gas", generate=3)),
            (66, "nowhere", lambda: Simulation("nowhere")),
            (64, "", lambda: Simulation("-")),
            (65, "the text:1", lambda: Simulation("many\n")),
            (64, "NUL", lambda: Simulation("a\0b")),
            (64, "radius= is missing", lambda: Simulation(x=[1], y=[1], box=(2, 2))),
            (64, "box= is missing", lambda: Simulation(x=[1], y=[1], radius=1)),
            (64, "y= is missing", lambda: Simulation(x=[1], radius=1, box=(2, 2))),
            (64, "goes with arrays", lambda: Simulation("gas", box=(9, 9))),
            (64, "y must be 2 numbers, not 1", lambda: Simulation(**{**one, "y": [1]})),
            (64, "box must be 2 numbers", lambda: Simulation(**{**one, "box": [1, 2, 3]})),
            (64, "x must be numbers", lambda: Simulation(**{**one, "x": ["1", "4"]})),
            (64, "x must be numbers", lambda: Simulation(**{**one, "x": [1, [4, 5]]})),
            (64, "x must be numbers", lambda: Simulation(**{**one, "x": [1, 4j]})),
            (64, "x must be numbers", lambda: Simulation(**{**one, "x": 1})),
            (64, "whole numbers", lambda: Simulation(**one, species=[0, 1.5])),
            (64, "whole numbers", lambda: Simulation(**one, species=[0, 2 ** 31])),
            (64, "positions must be N x 2", lambda: Simulation(positions=[1, 4], radius=1, box=(9, 9))),
            (65, "overlap", lambda: Simulation(**{**one, "x": [1, 1.5]})),
            (65, "", lambda: Simulation(**{**one, "x": [1, math.nan]})),
            (64, "x is empty", lambda: Simulation(**{**one, "x": [], "y": []})),
            (65, "", lambda: Simulation(**{**one, "radius": -1})),
            (65, "", lambda: Simulation(**one, species=[-1, 0])),
            (64, "ruel", lambda: gas(ruel="elastic")),
            (64, "rubber", lambda: Simulation("gas", rule="rubber")),
            (64, "collisions()", lambda: gas(events="file")),
            (64, "", lambda: gas(picture="file.svg")),
            (64, "", lambda: gas(stats="file")),
            (64, "", lambda: Simulation(generate="many")),
            (64, "", lambda: Simulation("gas", area_fraction=0.3)),
            (64, "", lambda: gas(restitution=2)),
            (64, "the present", lambda: made.advance(0.5)),
            (64, "", lambda: made.advance(math.inf)),
            (64, "", lambda: made.advance(math.nan)),
            (64, "u must be 100 numbers, not 3", lambda: setattr(made, "u", [1, 2, 3])),
            (64, "no_figure", lambda: made.stats["no_figure"]),
            (64, "no_figure", lambda: made.errors["no_figure"]),
            (64, "stats", lambda: gas(stats=False).stats["collisions"]),
            (74, "no_folder", lambda: made.save("no_folder/file")),
            (66, "nowhere", lambda: particles.load("nowhere")),
            (65, "gas", lambda: particles.load("gas")),
    ]:
        refuse(call, status, pattern)
    refuse(lambda: made.stats["no_figure"], 64, "no_figure", KeyError)
    for name in ("x", "velocities", "mass"):
        refuse(lambda: setattr(made, name, None), 64, "numbers")
    assert "no_figure" not in made.stats and made.stats.get("no_figure") is None and "collisions" in made.stats
    assert repr(made) == "<particles.Simulation: 100 particles at time 1.0>", repr(made)
    for wrong in (lambda: made.advance(None), lambda: setattr(made, "species", 0), lambda: setattr(made, "time", 0)):
        try:
            wrong()
        except (TypeError, AttributeError):
            continue
        raise AssertionError("not refused")
    reference = gas()
    for one in (made, reference):
        one.advance(3)
    assert state(made) == state(reference)


@check
def progress():
    made, reached = gas(), []

    def end(now):
        reached.append(now)
        if len(reached) == 2:
            raise ValueError("enough")

    try:
        made.advance(1e7, progress=end)
    except ValueError as error:
        assert str(error) == "enough"
    assert len(reached) == 2 and 0 < reached[0] <= reached[1] <= made.time < 1e7
    assert made.advance(1e7, lambda now: True) is False
    refuse(lambda: made.advance(1e7, lambda now: made.x), 64, "a callback must not")
    stopped = made.time
    reference = gas()
    reference.advance(stopped)
    for one in (made, reference):
        one.advance(stopped + 5)
    assert state(made) == state(reference)


@check
def interrupts():
    """Ctrl-C while an advance computes, in the callback itself, and between batches."""
    made, reference = gas(), gas()

    def interrupt_soon():
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    def advance_for_ever():
        made.advance(1e7)

    def collide_for_ever():
        for _ in made.collisions(1e7):
            pass

    def interrupt_within():
        made.advance(1e7, lambda now: signal.raise_signal(signal.SIGINT))

    for endless in (advance_for_ever, interrupt_within, collide_for_ever):
        thread = threading.Thread(target=interrupt_soon)
        began = time.monotonic()
        try:
            if endless is not interrupt_within:
                thread.start()
            endless()
        except KeyboardInterrupt:
            assert time.monotonic() - began < 5
        else:
            raise AssertionError("not interrupted")
        if endless is not interrupt_within:
            thread.join()
        for one in (made, reference):  # a collision at this very moment may not have happened yet
            one.advance(made.time)
        assert state(made) == state(reference)
    made.advance(made.time + 5)
    reference.advance(made.time)
    assert state(made) == state(reference)


@check
def threads():
    ended = saved("--rule=elastic", "gas", "4")
    several, shared, failures = [gas() for _ in range(4)], gas(), []

    def work(own):
        try:
            for k in range(1, 41):
                own.advance(k / 10)
                if shared.time < 4:
                    for _ in shared.collisions(min(4, shared.time + 0.1)):
                        len(lists(shared.x))
        except Error as error:
            if "the present" not in str(error):
                failures.append(error)
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(own,)) for own in several]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures
    for own in (*several, shared):
        own.advance(4)
        same(own, ended)


@check
def memory():
    made = gas()
    made.advance(1)
    list(made.collisions(2))
    gone = made._free
    weak = weakref.ref(made)
    del made
    assert weak() is None and not gone.alive, "a cycle of references"
    with gas() as made:
        made.advance(1)
    refuse(lambda: made.x, 64, "closed")
    refuse(lambda: made.advance(2), 64, "closed")
    assert "closed" in repr(made)
    with made:
        pass
    for _ in range(50):
        try:
            Simulation("nowhere")
        except Error:
            pass
    gc.collect()


@check
def forks():
    made = gas()
    child = os.fork()
    if child == 0:
        ended = 1
        try:
            made.advance(1)
        except Error as error:
            ended = 0 if "forked" in str(error) else 1
        finally:
            os._exit(ended)
    assert os.waitpid(child, 0)[1] == 0
    made.advance(1)


@check
def subclasses():
    class Gas(Simulation):
        def energy(self):
            return sum(m * (u * u + v * v) for m, u, v in zip(self.mass, self.u, self.v)) / 2

    made = Gas("gas", rule="elastic")
    made.advance(1)
    assert abs(made.energy() - made.stats["energy_end"]) < 1e-12 * made.energy()


@check
def no_library():
    """The module elsewhere: it says what to do, and run() still works."""
    folder = tempfile.mkdtemp(dir=".")
    shutil.copy(particles.__file__, folder)
    environment = {name: value for name, value in os.environ.items() if name != "PARTICLES_LIBRARY"}
    environment.update(PYTHONPATH=folder, PARTICLES=os.environ["PROGRAM"])
    code = ("import particles, sys\n"
            "assert len(particles.run('gas', 1, rule='elastic').positions) == 100\n"
            "particles.ABI += int(sys.argv[1])\n"
            "try:\n    particles.Simulation('gas')\n"
            "except particles.Error as error:\n    print(error.status, error)")
    for library, change, pattern in [("", 7, "make lib"), ("/nowhere.so", 0, "/nowhere.so"), (particles.__file__, 0, "make lib"),
                                     (os.environ["PARTICLES_LIBRARY"], 7, "binary interface"),
                                     ("libm.so.6", 0, "is not the library")]:
        result = subprocess.run([sys.executable, "-c", code, str(change)], env={**environment, "PARTICLES_LIBRARY": library},
                                check=True, capture_output=True, text=True).stdout
        assert result.startswith("64 ") and pattern in result, result


for function in checks if len(sys.argv) < 3 else [function for function in checks if function.__name__ in sys.argv[2:]]:
    name = function.__name__.replace("_", " ")
    try:
        function()
        print("passed", name)
    except BaseException:
        print(f"FAILED {name}: {traceback.format_exc().splitlines()[-1]} at {[frame.lineno for frame in traceback.extract_tb(sys.exc_info()[2])]}")
