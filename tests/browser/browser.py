"""Opens pages of --animate and of --report in Chromium, uses them, and compares what they show with what the
program prints. See browser.sh, which starts this."""
import base64
import math
import os
import subprocess
import sys
import tempfile
import time

from webdriver import Browser, Checks

PROGRAM = os.path.abspath(os.environ["PROGRAM"])
SCREENSHOTS = os.environ["SCREENSHOTS"]
MOST_EVENTS = 400000  # ANIMATION_MAX_EVENTS in include/picture/picture.h

check = Checks()


def particles(*arguments):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True)
    return done.stdout


def final_state(path, end_time, options=()):
    """x, y, wall collisions and particle collisions of each, as the program prints them."""
    return [[float(part) for part in line.split(", ")]
            for line in particles(*options, path, end_time).splitlines()]


def check_quiet(browser, name):
    said = browser.messages()
    check(f"{name}: the console is silent", not said, said)
    loaded = browser.run("performance.getEntriesByType('resource').length")
    check(f"{name}: nothing is fetched", loaded == 0, loaded)


def compare(browser, name, path, times, tolerance, options=()):
    """The positions and counts of the page are those of a run that ends at that time."""
    for moment in times:
        browser.run(f"particles.seek({moment!r})")
        expected = final_state(path, repr(moment), options)
        places = browser.run("particles.positions()")
        counts = browser.run("particles.counts()")
        off = max(abs(there - here) for row, place in zip(expected, places)
                  for there, here in zip(row[:2], place))
        check(f"{name} at {moment}: positions", len(places) == len(expected) and off <= tolerance, off)
        check(f"{name} at {moment}: counts", [row[2:] for row in expected] == counts)
        walls = sum(row[2] for row in expected)
        totals = browser.run("particles.totals()")
        check(f"{name} at {moment}: totals", totals["wallHits"] == walls and
              2 * totals["collisions"] == sum(row[3] for row in expected), totals)


def test_exact_positions(browser, work):
    # The program prints 6 decimals: in a box of 20 000 that is a relative error of less than 1e-10.
    path = f"{work}/large.txt"
    with open(path, "w") as file:
        file.write(particles("--generate=60", "--radius=1000", "--speed=1000", "--seed=3"))
    page = f"{work}/large.html"
    particles(f"--animate={page}", path, 40)
    browser.open(page)
    check("60 disks: the run is exact", browser.run("particles.exact"))
    compare(browser, "60 disks", path, [0, 40, 13.37, 0.01, 39.99, 7, 25.5], 5.1e-7)
    check_quiet(browser, "60 disks")
    # Units of 1e-30: nothing on the page may vanish or overflow.
    with open(path, "w") as file:
        file.write(particles("--generate=30", "--radius=1e-30", "--speed=1e30"))
    particles(f"--animate={page}", path, 1e-60)
    browser.open(page)
    box = browser.run("particles.screen(0).radius")
    check("tiny units: disks are seen", box is not None and box > 5, box)
    check_quiet(browser, "tiny units")


def test_contract_files(browser, work):
    for name in ("particles_only", "particles_walls", "walls_only"):
        page = f"{work}/{name}.html"
        particles(f"--animate={page}", f"data/{name}.txt", 100)
        browser.open(page)
        compare(browser, name, f"data/{name}.txt", [0, 100, 50.5, 10], 5.1e-7)
        check_quiet(browser, name)


def test_elastic(browser, work):
    """Unequal disks that exchange momentum."""
    path = "data/examples/brownian.txt"
    page = f"{work}/brownian.html"
    try:
        particles("--rule=elastic", f"--animate={page}", path, 2)
    except subprocess.CalledProcessError as error:
        if error.returncode != 64:
            raise
        print("skipped: unequal disks, for there is no --rule=elastic")
        return
    browser.open(page)
    compare(browser, "unequal disks", path, [0, 2, 0.777, 1.5], 5.1e-7, ["--rule=elastic"])
    energy = browser.run("particles.totals().energy")
    browser.run("particles.seek(0)")
    start = browser.run("particles.totals().energy")
    check("unequal disks: energy is kept", abs(energy / start - 1) < 1e-9, (energy, start))
    check("unequal disks: species are coloured", browser.run("particles.colour()") == "species")
    check_quiet(browser, "unequal disks")


def read_trajectory(path):
    """Pairs of a time and the positions then; of a trajectory all digits are read."""
    with open(path) as file:
        lines = file.read().splitlines()
    count = int(lines[0])
    for begin in range(0, len(lines), count + 2):
        frame = [line.split() for line in lines[begin + 2:begin + 2 + count]]
        yield float(lines[begin + 1].split("Time=")[1]), [[float(row[1]), float(row[2])] for row in frame]


def open_run(browser, work, text, end_time, interval, options):
    """Opens the page of a run. Returns its trajectory."""
    paths = [f"{work}/run.{ending}" for ending in ("txt", "html", "xyz")]
    with open(paths[0], "w") as file:
        file.write(text)
    particles(f"--animate={paths[1]}", f"--trajectory={paths[2]}", f"--every={interval!r}",
              *options, paths[0], repr(end_time))
    browser.open(paths[1])
    return list(read_trajectory(paths[2]))


def open_periodic(browser, work, axes, text, end_time, interval, options=()):
    return open_run(browser, work, text, end_time, interval, [f"--periodic={axes}", *options])


def compare_bits(browser, name, trajectory):
    """The page is at the same places as the trajectory, to the last bit: onwards, backwards, and in jumps."""
    middle = len(trajectory) // 2
    jumps = [frame for pair in zip(trajectory[:middle], trajectory[middle:]) for frame in pair]
    for way, frames in ("onwards", trajectory), ("backwards", trajectory[::-1]), ("in jumps", jumps):
        shown = browser.run(f"{[moment for moment, _ in frames]!r}.map(time => (particles.seek(time), particles.positions()))")
        wrong = [moment for (moment, places), there in zip(frames, shown) if there != places]
        check(f"{name}: positions {way}", not wrong, wrong[:5])
    check_quiet(browser, name)


def test_periodic_positions(browser, work):
    gas = particles("--generate=60", "--area-fraction=0.3", "--seed=4")
    for axes in ("x", "y", "xy"):
        compare_bits(browser, f"periodic {axes}", open_periodic(browser, work, axes, gas, 60, 0.7))
        compare_bits(browser, f"periodic {axes}, elastic", open_periodic(
            browser, work, axes, gas, 20, 0.3, ["--rule=elastic"]))
    # A lattice of ties: passages, collisions with disks and walls, and frames are at the same times.
    lattice = "9\n0.5\n6 6\n" + "".join(f"{1 + 2 * (k % 3)} {1 + 2 * (k // 3)} {k % 3 - 1} {(k * 5 + 1) % 3 - 1}\n"
                                         for k in range(9))
    for axes in ("x", "y", "xy"):
        compare_bits(browser, f"ties, periodic {axes}", open_periodic(browser, work, axes, lattice, 40, 0.5))
    # Thousands of passages between two collisions, and a million without any.
    for text, end_time in ("4\n0.001\n10 10\n1 1 3 1.1\n5 5 -2 0.7\n2 8 1.3 -2\n8 3 0.1 3.3\n", 2e4), \
                          ("1\n1\n10 10\n1 1 1 1.0001\n", 5e6):
        trajectory = open_periodic(browser, work, "xy", text, end_time, end_time / 10)
        compare_bits(browser, "thousands of passages", trajectory)
        spent = browser.run(f"(() => {{ const t = performance.now(); particles.seek({end_time / 2!r});"
                            " return performance.now() - t; })()")
        check("thousands of passages: a jump", spent < 500, spent)


def pixel(browser, x, y):
    """The colour at a place of the canvas."""
    return browser.run("((canvas) => { const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })"
                       ".getContext('2d', { willReadFrequently: true });"
                       f" pen.drawImage(canvas, {-x} * devicePixelRatio | 0, {-y} * devicePixelRatio | 0);"
                       " return Array.from(pen.getImageData(0, 0, 1, 1).data); })(document.getElementById('canvas'))")


def test_periodic_view(browser, work):
    """A disk across a seam is seen, and pointed at, on both sides; trails do not cross the box."""
    text = "3\n1\n12 12\n0.25 6 -1 0\n6 11.5 0 0\n0.5 0.5 0 0\n"
    open_periodic(browser, work, "xy", text, 10, 1)
    scale = browser.run("particles.screen(0).radius")
    check("the page says that it is periodic", "periodic along x and y (dashed)" in text_of(browser, "subtitle"))
    for disk, count in (0, 2), (1, 2), (2, 4):
        images = browser.run(f"particles.images({disk})")
        check(f"images of disk {disk}", len(images) == count, images)
        check(f"images of disk {disk}: their distance", all(
            min(abs(part) % (12 * scale), -abs(part) % (12 * scale)) < 1e-6
            for image in images for part in (image[0] - images[0][0], image[1] - images[0][1])), images)
    corner = browser.run("(() => { const c = document.getElementById('canvas').getBoundingClientRect();"
                         " return [c.left, c.top]; })()")
    image = browser.run("particles.images(0)[1]")
    own = browser.run("particles.screen(0)")
    here = pixel(browser, image[0] - 0.6 * scale, image[1])
    beyond = pixel(browser, image[0] + 0.6 * scale, image[1])
    check("its colour on the other side, and none beyond",
          here == pixel(browser, own["x"] + 0.6 * scale, own["y"]) and beyond[3] == 0, (here, beyond))
    browser.point(corner[0] + image[0] - 0.6 * scale, corner[1] + image[1])
    check("pointing at an image", browser.waits_for("!document.getElementById('tip').hidden"))
    check("its number", "Disk 0" in browser.run("document.getElementById('tip').innerText"))
    browser.screenshot(f"{SCREENSHOTS}/periodic.png")
    browser.point(2, 2)
    # Disk 0 goes to the left, through the seam: nothing in the middle of the box may have a trail.
    browser.run("(particles.setRate(1), particles.play())")
    browser.press("t")
    check("it passes the seam", browser.waits_for("particles.time() > 2.5"))
    browser.run("particles.pause()")
    time.sleep(0.2)
    place = browser.run("particles.screen(0)")
    middle = pixel(browser, browser.run("particles.screen(1).x"), place["y"])
    behind = pixel(browser, place["x"] + 1.3 * scale, place["y"])
    empty = pixel(browser, place["x"], place["y"] + 2 * scale)
    check("its trail is behind it", behind != empty, (behind, empty))
    check("and not across the box", middle == empty, (middle, empty))
    check_quiet(browser, "periodic view")


def test_periodic_frames(browser, work):
    """Frames of a periodic box: the page is where they are, and goes across seams between them."""
    gas = particles("--generate=200", "--area-fraction=0.5")
    side = float(gas.split("\n")[2].split()[0])
    trajectory = open_periodic(browser, work, "x", gas, 1500.0, 1500 / 599 * 100)
    check("the periodic run is not exact", not browser.run("particles.exact"))
    check("the page says what it does at seams", "across a seam" in text_of(browser, "note"))
    for moment, places in trajectory:
        shown = browser.run(f"(particles.seek({moment!r}), particles.positions())")
        off = max(min(abs(here - there), side - abs(here - there))
                  for row, place in zip(shown, places) for here, there in zip(row, place))
        check(f"periodic frames at {moment}", off < side / 65535 * 1.01, off)
    check("all are in the box", browser.run(
        f"(particles.seek(333.3), particles.positions().every(([x, y]) => x >= 0 && x <= {side!r}))"))
    check_quiet(browser, "periodic frames")


DOMAIN = "1 10\n5.5 1\n14 1.5\n19 9\n14.5 19\n6 18.5\n"  # polygons 0 and,
HOLE = "9 9\n11 9\n10 11\n"  # in it, 1, in a box of 20 x 20
OBSTACLE = "6 6\n7 5\n8 6\n8 7\n"  # 2
THIN_WALL = "12 12\n14.5 13\n"  # 3
SEAM_OBSTACLE = "18.5 9\n20.5 8.5\n21.5 11\n18.5 11.5\n"


def open_polygons(browser, work, radius, places, names, end_time, more=()):
    """Opens the page of disks at these places, with polygons. Returns the trajectory."""
    polygons = {"domain": f"{DOMAIN}\n{HOLE}", "obstacle": f"{OBSTACLE}\n{THIN_WALL}", "seam": SEAM_OBSTACLE}
    options = ["--rule=elastic", *more]
    for name in names:
        with open(f"{work}/{name}", "w") as file:
            file.write(polygons[name])
        options.append(f"--{'domain' if name == 'domain' else 'obstacle'}={work}/{name}")
    if "seam" in names:
        options.append("--periodic=x")
    text = f"{len(places)}\n{radius}\n20 20\n" + "".join(
        f"{x} {y} {(k * 7 % 11 - 5) / 4} {(k * 5 % 13 - 6) / 5}\n" for k, (x, y) in enumerate(places))
    return open_run(browser, work, text, end_time, end_time / 50, options), options


def test_polygon_positions(browser, work):
    in_domain = [(x, y) for x in (4.5, 10.5, 15.5) for y in (7.5, 12.5, 14.5)] + [(8, 3), (12.5, 3), (10.5, 17)]
    in_box = [(x, y) for x in (2, 4, 10, 16) for y in (2, 4, 9.5, 15.5, 18)]
    for radius in (0.4, 0):
        for names, places in (["domain", "obstacle"], in_domain), (["obstacle", "seam"], in_box):
            trajectory, options = open_polygons(browser, work, radius, places, names, 100.0)
            name = f"{' and '.join(names)}, radius {radius}"
            compare_bits(browser, name, trajectory)
            compare(browser, name, f"{work}/run.txt", [33.3, 100], 5.1e-7, options)


def test_walls(browser, work):
    """The velocities that walls give, which the page cannot compute."""
    path = f"{work}/walls.txt"
    obstacle = f"{work}/walls.obstacle"
    with open(obstacle, "w") as file:
        file.write("6 6\n9 6\n9 9\n6 9\n")
    with open(path, "w") as file:
        file.write(particles("--generate=60", "--area-fraction=0.12", "--radius=0.5", f"--obstacle={obstacle}"))
    options = ["--rule=elastic", f"--obstacle={obstacle}", "--wall=left temperature=1", "--wall=right temperature=4 speed=-1",
               "--wall=bottom restitution=0.5", "--wall=obstacles temperature=3 accommodation=0.5"]
    for periodic in [], ["--periodic=y", "--wall=obstacles speed=1"]:
        chosen = [option for option in options if not periodic or "bottom" not in option] + periodic
        page = f"{work}/walls.html"
        particles(f"--animate={page}", *chosen, path, 30)
        browser.open(page)
        compare(browser, f"walls that act {periodic}", path, [30, 7.7, 21], 5.1e-7, chosen)
        chosen += ["--gravity=0.1,0", "--wall=left absorb=1 from=0 to=20"]
        particles(f"--animate={page}", *chosen, path, 30)
        browser.open(page)
        compare(browser, f"walls that absorb {periodic}", path, [30, 7.7, 21], 5.1e-7, chosen)
    check_quiet(browser, "walls that act")


def test_growth(browser, work):
    """Disks that grow, whose velocities the page scales now and then, up to a pressure."""
    block = f"{work}/block"
    with open(block, "w") as file:
        file.write("4 4\n7 4\n7 7\n4 7\n")
    for name, options in (("growth between seams", ["--periodic=xy"]), ("growth between walls", [f"--obstacle={block}"])):
        text = particles("--generate=60,40", "--radius=0.5,0.7", "--mass=1,3", "--area-fraction=0.2", "--quiet", *options)
        trajectory = open_run(browser, work, text, 1000, 0.7, [
            "--rule=elastic", "--grow=0.05", "--grow-until=P300", *options])
        check(f"{name}: velocities are scaled", browser.run("particles.totals().collisions") == 0 and browser.run(
            "(particles.seek(1000), particles.totals().collisions)") > 5000)
        compare_bits(browser, name, trajectory)
        radii = browser.run("[0, 2, 4].map(time => (particles.seek(time), particles.screen(0).radius))")
        check(f"{name}: radii", all(abs(radii[k] / radii[0] - 1 - 0.1 * k) < 1e-12 for k in (1, 2)), radii)
        check(f"{name}: the end", browser.run("particles.endTime") == trajectory[-1][0])
    browser.run("particles.seek(particles.endTime)")
    browser.screenshot(f"{SCREENSHOTS}/growth.png")
    # Too many collisions for the page to have them all, and an end between two frames.
    trajectory = open_run(browser, work, text, 10000, 1.0, [
        "--rule=elastic", "--grow=0.001", "--grow-until=P1e5", *options])
    check("long growth: the run is not exact", not browser.run("particles.exact"))
    places = browser.run(f"(particles.seek({trajectory[-1][0]!r}), particles.positions())")
    side = float(text.split("\n")[2].split()[0])
    check("long growth: the end", max(abs(there - here) for row, place in zip(trajectory[-1][1], places)
                                      for there, here in zip(row, place)) < side / 65535)
    press = lambda button: browser.run(
        "(button => { const times = []; do { times.push(particles.time()); document.getElementById(button).click(); }"
        f" while (particles.time() !== times.at(-1)); return times; }})({button!r})")
    browser.run("particles.seek(particles.endTime)")
    back = press("previous")
    steps = [later - earlier for earlier, later in zip(back[1:], back)]
    check("long growth: frame by frame", len(steps) > 20 and back[-1] == 0 and max(steps) < 1.001 * min(steps[1:]), steps)
    check("long growth: and onwards", press("next") == back[::-1])
    shown = browser.run(f"[0.3, 0.8].map(part => (particles.seek({back[-8]!r} + part * {steps[-1]!r}), "
                        "document.getElementById('next').click(), particles.time()))")
    check("long growth: the frame after a time between two", shown == 2 * [back[-9]], shown)
    check_quiet(browser, "long growth")


def test_polygon_view(browser, work):
    """What is outside and in obstacles is shaded, and the names of sides are shown."""
    open_polygons(browser, work, 0.5, [(4, 9), (16, 9)], ["domain", "obstacle"], 10.0)
    check("the page says that there are polygons", "with 4 polygons" in text_of(browser, "subtitle"))
    disk = browser.run("particles.screen(0)")
    corner = browser.run("(() => { const c = document.getElementById('canvas').getBoundingClientRect();"
                         " return [c.left, c.top]; })()")
    place = lambda x, y: (disk["x"] + (x - 4) * disk["radius"] / 0.5, disk["y"] - (y - 9) * disk["radius"] / 0.5)
    shade = lambda x, y: pixel(browser, *place(x, y))
    check("the hole is outside, too", shade(1, 1) == shade(10, 9.5) != shade(10, 5), shade(10, 9.5))
    check("an obstacle has another shade", shade(7, 6) not in (shade(1, 1), shade(10, 5)), shade(7, 6))
    for (x, y), name in (((3.25, 5.5), "Side 0 of polygon 0"), ((19, 9), "Corner 3 of polygon 0"),
                         ((10.5, 10), "Side 1 of polygon 1"), ((8, 6.5), "Side 2 of polygon 2"),
                         ((13.2, 12.6), "Side 0 of polygon 3"), ((13.3, 12.4), "Side 1 of polygon 3")):
        here = place(x, y)
        browser.point(corner[0] + here[0], corner[1] + here[1])
        check(f"pointing at {name}", browser.waits_for(f"document.getElementById('tip').innerText === {name!r}"), text_of(browser, "tip"))
    browser.screenshot(f"{SCREENSHOTS}/polygons.png")
    browser.point(2, 2)
    check("pointing elsewhere", browser.waits_for("document.getElementById('tip').hidden"))
    browser.press(".")
    check("a side is hit", browser.waits_for("particles.totals().wallHits === 1"))
    tries = 100  # it is drawn with the next frame
    while shade(3.25, 5.5) != [0xd4, 0, 0x6a, 255] and tries > 0:
        tries -= 1
    check("the side that is hit first is marked", tries > 0, shade(3.25, 5.5))
    check_quiet(browser, "polygons")


STREAM_PLACES = [(x, y) for x in (2, 4, 10, 16) for y in (2, 4, 9.5, 15.5, 18)]


def momenta(path, end_time, options, polygon):
    """What the polygon has gained up to a time, by the statistics."""
    with tempfile.NamedTemporaryFile() as file:
        particles(f"--stats={file.name}", *options, path, repr(end_time))
        rows = dict(line.split(" = ") for line in open(file.name))
    return [float(rows[f"momentum_{axis}_polygon_{polygon}"]) for axis in "xy"]


def test_streams(browser, work):
    """What a stream gives, the paths of tracers, and the forces on obstacles."""
    gas = particles("--generate=60", "--area-fraction=0.1", "--seed=4")
    for axes, speed in ("x", 1.5), ("xy", -0.7):
        compare_bits(browser, f"stream of {speed}, periodic {axes}", open_periodic(
            browser, work, axes, gas, 60, 0.7, ["--rule=elastic", f"--stream={speed}"]))
    stream = ["--stream=1.5", "--stream-temperature=0.7"]
    for radius in (0, 0.4):
        trajectory, options = open_polygons(
            browser, work, radius, STREAM_PLACES, ["obstacle", "seam"], 100.0, stream)
        compare_bits(browser, f"stream past polygons, radius {radius}", trajectory)
        compare(browser, f"stream past polygons, radius {radius}", f"{work}/run.txt", [33.3, 100], 5.1e-7, options)
    shown = text_of(browser, "about-stream")
    check("the page tells of the stream", shown.startswith("→ An endless stream of speed 1.5 and temperature 0.7"), shown)
    check("of tracers", text_of(browser, "about-tracers") == "3 tracers, each with its path during the last 1 units of time", text_of(browser, "about-tracers"))
    check("and that speeds are relative", not browser.run("document.getElementById('quantity').hidden"))
    for moment in (20.0, 100.0, 61.7):
        browser.run(f"particles.seek({moment!r})")
        forces = browser.run("particles.forces()")
        check(f"the number of forces at {moment}", len(forces) == 3, forces)
        for polygon, force in enumerate(forces):
            before, after = (momenta(f"{work}/run.txt", time, options, polygon) for time in (moment - 1, moment))
            off = max(abs(now - then - part) for now, then, part in zip(after, before, force))
            check(f"the force on polygon {polygon} at {moment}", off < 1e-12, off)
        for tracer in browser.run("particles.tracers()"):
            path = browser.run(f"particles.path({tracer})")
            place = browser.run(f"particles.positions()[{tracer}]")
            check(f"the path of tracer {tracer} at {moment} ends where it is",
                  max(abs(path[0]["toX"] - place[0]), abs(path[0]["toY"] - place[1])) < 1e-9, (path[0], place))
            check(f"the path of tracer {tracer} at {moment} has no gaps in time",
                  abs(path[-1]["fromTime"] - (moment - 1)) < 1e-9 and path[0]["toTime"] == moment and
                  all(late["fromTime"] == early["toTime"] for late, early in zip(path, path[1:])), path)
            jumps = [(early, late) for late, early in zip(path, path[1:])
                     if abs(late["fromX"] - early["toX"]) + abs(late["fromY"] - early["toY"]) > 1e-9]
            check(f"the path of tracer {tracer} at {moment} jumps at the seam only",
                  all(abs(early["toX"] - 20) < 1e-9 or abs(early["toX"]) < 1e-9 for early, _ in jumps), jumps)
    steps = browser.run("particles.totals().wallHits + particles.totals().collisions")
    browser.press(".")
    check("a step goes to a collision", browser.run(
        "particles.totals().wallHits + particles.totals().collisions") == steps + 1)
    browser.screenshot(f"{SCREENSHOTS}/stream.png")
    check_quiet(browser, "streams")


def test_stream_frames(browser, work):
    """Frames have the momenta of polygons; between them tracers do not go back through the seam."""
    trajectory, options = open_polygons(
        browser, work, 0.4, STREAM_PLACES, ["obstacle", "seam"], 119800.0, ["--stream=0.01", "--stream-temperature=1"])
    check("the stream is not exact", not browser.run("particles.exact"))
    check("the last moments are those of frames", browser.run("particles.lastMoments()") == 1)
    browser.run("particles.seek(119800)")
    forces = browser.run("particles.forces()")
    before, after = (momenta(f"{work}/run.txt", time, options, 0) for time in (119600.0, 119800.0))
    off = max(abs((now - then) / 200 - part) for now, then, part in zip(after, before, forces[0]))
    check("the force in the last frame", off < 1e-9, off)
    parts = [part for k in range(20) for part in browser.run(
        f"(particles.seek({k * 600.5!r}), particles.tracers().flatMap((i) => particles.path(i)))")]
    check("paths do not cross the box", parts and all(abs(part["toX"] - part["fromX"]) < 10 for part in parts))
    check_quiet(browser, "frames of a stream")


def test_stream_plays(browser, work):
    """1000 disks in a stream past a cylinder, for 60 units of time: at least 30 pictures a second."""
    with open(f"{work}/cylinder", "w") as file:
        for k in range(64):
            angle = 2 * math.pi * k / 64
            file.write(f"{30 + 6 * math.cos(angle)!r} {30 + 6 * math.sin(angle)!r}\n")
    places = [(1.5 + 3 * (k % 40), 1.2 + 2.4 * (k // 40)) for k in range(1000)]
    places = [(x, y) for x, y in places if math.hypot(x - 30, y - 30) > 7]
    text = f"{len(places)}\n0.5\n120 60\n" + "".join(
        f"{x} {y} {2 + (k * 7 % 11 - 5) / 4} {(k * 5 % 13 - 6) / 5}\n" for k, (x, y) in enumerate(places))
    open_run(browser, work, text, 60.0, 60.0, ["--rule=elastic", "--periodic=x", "--stream=2",
             "--stream-temperature=1", f"--obstacle={work}/cylinder"])
    best = 0
    for attempt in range(3):
        browser.run("(particles.seek(0), particles.play())")
        time.sleep(3)
        best = max(best, browser.run("particles.frameRate()"))
        if best >= 30:
            break
    print(f"1000 disks in a stream: {best:.1f} pictures a second, {browser.run('particles.drawingTime()'):.1f} ms each")
    check("1000 disks in a stream: pictures a second", best >= 30, best)
    browser.run("(particles.pause(), particles.seek(60))")
    force = browser.run("particles.forces()[0]")
    check("the stream pushes the cylinder", force[0] > 3 * abs(force[1]), force)
    check_quiet(browser, "a stream that plays")


def open_many(browser, work):
    path = f"{work}/many.txt"
    with open(path, "w") as file:
        file.write(particles("--generate=10000", "--area-fraction=0.4"))
    page = f"{work}/many.html"
    particles(f"--animate={page}", path, 12)
    browser.open(page)


def text_of(browser, name):
    return browser.run(f"document.getElementById('{name}').textContent")


def test_buttons(browser, work):
    page = f"{work}/buttons.html"
    particles(f"--animate={page}", "data/particles_only.txt", 100)
    browser.open(page)
    check("at first it stands", not browser.run("particles.isPlaying()") and browser.run("particles.time()") == 0)
    covered = browser.run("""(box => [0.1, 0.3, 0.5, 0.7, 0.9].flatMap(x => [0.1, 0.5, 0.9].map(y =>
      document.elementFromPoint(box.left + x * box.width, box.top + y * box.height).id)).filter(id => id !== 'canvas'))(
      document.getElementById('canvas').getBoundingClientRect())""")
    check("nothing covers the box", not covered, covered)
    browser.click("#play")
    check("the button plays", browser.waits_for("particles.isPlaying() && particles.time() > 0"))
    first = browser.run("particles.time()")
    check("time goes on", browser.waits_for(f"particles.time() > {first}"))
    browser.click("#play")
    stopped = browser.run("particles.time()")
    time.sleep(0.3)
    check("the button pauses", browser.run("particles.time()") == stopped and not browser.run("particles.isPlaying()"))
    browser.click("#slider")  # its middle
    middle = browser.run("particles.time()")
    check("the slider seeks", 45 < middle < 55, middle)
    check("the time is shown", browser.waits_for("document.getElementById('time').textContent === particles.time().toFixed(1)"),
          text_of(browser, "time"))
    rate = browser.run("particles.rate()")
    browser.click("#faster")
    check("faster", browser.run("particles.rate()") > 1.5 * rate)
    browser.click("#slower")
    check("slower", abs(browser.run("particles.rate()") / rate - 1) < 1e-9)
    browser.run("particles.seek(0)")
    browser.click("#next")
    check("the next collision", browser.waits_for("particles.totals().collisions + particles.totals().wallHits === 1"))
    browser.click("#previous")
    check("the collision before", browser.run("particles.time()") == 0)
    browser.run("particles.seek(99.9)")
    browser.run("particles.setRate(50)")
    browser.click("#play")
    check("it stops at the end", browser.waits_for("!particles.isPlaying()") and browser.run("particles.time()") == 100)
    browser.click("#play")
    check("and begins again", browser.waits_for("particles.time() < 50"))
    browser.run("particles.pause()")
    check_quiet(browser, "buttons")


def test_keys(browser):
    browser.run("(particles.pause(), particles.seek(50), document.activeElement.blur())")
    for key, expected in (("Right", 51), ("Left", 50), ("End", 100), ("Home", 0)):
        browser.press(key)
        moment = browser.run("particles.time()")
        check(f"key {key}", abs(moment - expected) < 1e-9, moment)
    browser.press(".")
    there = browser.run("particles.time()")
    check("key .", there > 0 and browser.run("particles.totals().wallHits + particles.totals().collisions") == 1)
    browser.press(".")
    browser.press(",")
    check("key ,", browser.run("particles.time()") == there)
    rate = browser.run("particles.rate()")
    browser.press("+")
    check("key +", browser.run("particles.rate()") > rate)
    browser.press("-")
    check("key -", browser.run("particles.rate()") <= rate * 1.000001)
    browser.press(" ")
    check("space plays", browser.run("particles.isPlaying()"))
    browser.press(" ")
    check("space pauses", not browser.run("particles.isPlaying()"))
    browser.press("c")
    check("key c", browser.run("particles.colour()") == "collisions")
    browser.press("t")
    check("key t", browser.run("particles.trails()"))
    theme = browser.run("particles.theme()")
    browser.press("d")
    check("key d", browser.run("particles.theme()") != theme)
    browser.press("d")
    browser.press("t")


def picture(browser):
    return browser.run("document.getElementById('canvas').toDataURL()")


def test_colours_trails_theme(browser):
    browser.run("particles.seek(60)")
    pictures = {}
    for colour in ("collisions", "speed"):
        browser.click(f"label:has(input[value={colour}])")
        check(f"colour by {colour}", browser.run("particles.colour()") == colour)
        time.sleep(0.2)
        pictures[colour] = picture(browser)
    check("the colours differ", pictures["speed"] != pictures["collisions"])
    check("one species needs no colours", browser.run("document.querySelector('input[value=species]').disabled"))
    browser.run("(particles.setRate(20), particles.play())")
    time.sleep(0.7)
    browser.run("particles.pause()")
    time.sleep(0.2)
    plain = picture(browser)
    stopped = browser.run("particles.time()")
    browser.click("#trails")
    browser.run("particles.seek(60)")
    browser.run("particles.play()")
    check("trails: it plays", browser.waits_for(f"particles.time() >= {stopped}"))
    browser.run("particles.pause()")
    time.sleep(0.2)
    check("trails are drawn", browser.run("particles.trails()") and picture(browser) != plain)
    browser.screenshot(f"{SCREENSHOTS}/trails.png")
    browser.click("#trails")
    background = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(background)
    browser.click("#theme")
    check("dark", browser.run("particles.theme()") == "dark" and browser.run(background) != light)
    browser.screenshot(f"{SCREENSHOTS}/dark.png")
    browser.click("#theme")
    check("light again", browser.run(background) == light)
    check_quiet(browser, "colours")


def test_pointer(browser):
    browser.run("particles.seek(60)")
    corner = browser.run("(() => { const c = document.getElementById('canvas').getBoundingClientRect();"
                         " return [c.left, c.top]; })()")
    place = browser.run("particles.screen(5)")
    tip = "document.getElementById('tip')"
    check("no numbers at first", browser.run(f"{tip}.hidden"))
    browser.point(corner[0] + place["x"], corner[1] + place["y"])
    check("pointing at a disk", browser.waits_for(f"!{tip}.hidden"))
    text = browser.run(f"{tip}.innerText")
    position = browser.run("particles.positions()[5]")
    check("its number", "Disk 5" in text, text)
    check("its position", "position\t" + ", ".join(f"{part:.6g}" for part in position) in text, (text, position))
    for name in ("velocity", "speed", "radius", "mass", "species", "wall hits", "collisions"):
        check(f"its {name}", name in text, text)
    browser.screenshot(f"{SCREENSHOTS}/light.png")
    browser.point(2, 2)
    check("pointing elsewhere", browser.waits_for(f"{tip}.hidden"))
    browser.point(corner[0] + place["x"], corner[1] + place["y"], click=True, kind="touch")
    check("tapping a disk", browser.waits_for(f"!{tip}.hidden"))
    browser.press("Home")
    check("it stays in hand", not browser.run(f"{tip}.hidden"))


def test_saving(browser, work):
    """The button saves what the canvas shows, as PNG, with the name of the run and the time."""
    browser.open(f"{work}/buttons.html")
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=work)
    browser.run("particles.seek(12.5)")
    browser.click("#save")
    file = f"{work}/particles_only-12.5.png"
    for _ in range(100):
        if os.path.exists(file):
            break
        time.sleep(0.05)
    check("a picture is saved", os.path.exists(file), os.listdir(work))
    with open(file, "rb") as saved:
        data = saved.read()
    size = browser.run("(canvas => [canvas.width, canvas.height])(document.getElementById('canvas'))")
    check("it is a PNG of that size", data[:8] == b"\x89PNG\r\n\x1a\n" and
          [int.from_bytes(data[at:at + 4], "big") for at in (16, 20)] == size, data[:24])
    check_quiet(browser, "saving")


def ticks(browser):
    """The numbers below the bar of colours, and where they are, in parts of its length."""
    return browser.run("""(bar => [...document.querySelectorAll('#ticks span')].map(tick => [Number(tick.textContent),
      (tick.getBoundingClientRect().left + tick.getBoundingClientRect().right - 2 * bar.left) / 2 / bar.width]))(
      document.getElementById('bar').getBoundingClientRect())""")


CHAIN = "4\n0.1\n10 4\n0.5 2 0 0\n9.5 2 0 0\n8.5 2 0 0\n4 3 0 0\n"


def test_steps(browser, work):
    """A run in steps that begins at rest: colours, words, links that break or cross a seam, pins."""
    with open(f"{work}/links", "w") as file:
        file.write("0 1 1\n1 2 1\n")
    scene = ["--step=0.01", "--interaction=gravity g=-10", "--constraint=pin particles=0-1"]
    scene += ["--periodic=x", f"--constraint=link file={work}/links strength="]
    middle = {}
    for strength in 1000, 15:  # the weight pulls with 30 at its lowest
        trajectory = open_run(browser, work, CHAIN, 0.5, 0.5, [*scene[:-1], scene[-1] + str(strength)])
        browser.run("particles.seek(0.5)")
        time.sleep(0.2)
        ends = [browser.run(f"particles.screen({disk})") for disk in (1, 2)]
        middle[strength] = pixel(browser, *((ends[0][axis] + ends[1][axis]) / 2 for axis in "xy"))
    note = text_of(browser, "note")
    check("steps: no word of too many collisions", "too many" not in note and "600 frames" in note, note)
    check("steps: contacts", text_of(browser, "collisions-name") == "Contacts")
    subtitle = text_of(browser, "subtitle")
    check("steps: links and pins are counted", "with 2 links, 2 pinned (ringed)" in subtitle, subtitle)
    check("steps: colours by speed", browser.run("particles.colour()") == "speed")
    browser.run("particles.seek(0.5)")
    time.sleep(0.2)
    disk = browser.run("particles.screen(3)")
    fast = pixel(browser, disk["x"], disk["y"] + 0.5 * disk["radius"])
    pinned = browser.run("particles.screen(1)")
    slow = pixel(browser, pinned["x"], pinned["y"] + 0.5 * pinned["radius"])
    check("steps: two colours", fast != slow, (fast, slow))
    numbers = ticks(browser)
    check("steps: round numbers", [number for number, _ in numbers] == [0, 2, 4] and
          all(abs(part - number / 5) < 0.06 for number, part in numbers), numbers)
    scale = disk["radius"] / 0.1
    line = lambda x, y: pixel(browser, pinned["x"] + (x - 9.5) * scale, pinned["y"] - (y - 2) * scale)
    check("steps: a link across the seam", line(9.9, 2) == line(0.2, 2) != line(5, 2), (line(9.9, 2), line(5, 2)))
    ring = browser.run("particles.screen(1).radius") + 3
    check("steps: a ring around a pin", pixel(browser, pinned["x"], pinned["y"] - ring) != line(5, 2))
    check("steps: a link is drawn until it breaks", middle[15] == line(5, 2) != middle[1000], middle)
    check("steps: the disk falls", trajectory[-1][1][3][1] < 2, trajectory[-1])
    browser.screenshot(f"{SCREENSHOTS}/steps.png")
    check_quiet(browser, "steps")


def test_far_pair(browser, work):
    """A bond that becomes longer than half of a periodic side is drawn to the image that it keeps."""
    with open(f"{work}/far", "w") as file:
        file.write("0 1 4\n")
    scene = ["--step=0.01", "--periodic=x", f"--interaction=bond file={work}/far k=1"]
    open_run(browser, work, "2\n0.1\n10 10\n1 5 -2 0\n5 5 2 0\n", 3, 1, scene)
    for moment in 0.2, 0.9, 1.1, 2, 2.7:
        browser.run(f"particles.seek({moment})")
        time.sleep(0.2)
        disk, half = browser.run("particles.screen(0)"), 2 + 2**0.5 * math.sin(2**0.5 * moment)
        drawn = {}
        for place in 0.3, 1.7, 3, 4.6, 7, 8.4, 9.8:
            if min(abs((3 + way - place + 5) % 10 - 5) for way in (half, -half)) > 0.15:  # not under a disk
                x = disk["x"] + (place - (3 - half) % 10) * 10 * disk["radius"]
                drawn[place] = pixel(browser, x, disk["y"]) != pixel(browser, x, disk["y"] + 9)
        covered = {place: any(abs(place + box - 3) < half for box in (-10, 0, 10)) for place in drawn}
        check(f"far pair: the link, {moment}", drawn == covered, (drawn, covered))
    check_quiet(browser, "far pair")


def test_phone(browser, work):
    browser.window(360, 740, scale=2, mobile=True)
    browser.open(f"{work}/buttons.html")
    rows = browser.run("[...new Set([...document.querySelectorAll('#transport button, #slider')]"
                       ".map(control => Math.round(control.getBoundingClientRect().top)))].length")
    check("a phone: two rows of controls", rows == 2, rows)
    check("a phone: 360 pixels", browser.run("document.documentElement.scrollWidth") <= 360)
    browser.window(390, 844, scale=2, mobile=True, dark=True)
    browser.open(f"{work}/buttons.html")
    check("the system's dark theme", browser.run("particles.theme()") == "dark")
    wide = browser.run("document.documentElement.scrollWidth")
    check("a phone's width", wide <= 390, wide)
    browser.click("#play")
    check("it plays on a phone", browser.waits_for("particles.time() > 0"))
    browser.screenshot(f"{SCREENSHOTS}/phone.png")
    check_quiet(browser, "phone")
    browser.window(1280, 800)


# How many colours a part of an image has: 3 at most if nothing but an empty box is in it.
COUNT_COLOURS = """((image, left, top, wide, high) => {
  const pen = Object.assign(document.createElement('canvas'), { width: wide, height: high })
    .getContext('2d', { willReadFrequently: true });
  pen.drawImage(image, -left, -top);
  return new Set(new Uint32Array(pen.getImageData(0, 0, wide, high).data.buffer)).size;
})"""


def test_resizing(browser, work):
    """Each frame that is shown while the window changes its size has the disks in it."""
    particles(f"--animate={work}/few.html", "data/particles_only.txt", 100)
    for page in ("few", "many"):
        browser.open(f"{work}/{page}.html")
        # An observer made later is told later: it sees what the page has drawn for this frame.
        browser.run("(() => { window.seen = []; const canvas = document.getElementById('canvas');"
                    f" new ResizeObserver(() => seen.push({COUNT_COLOURS}(canvas, 0, 0, canvas.width, canvas.height)))"
                    ".observe(canvas); })()")
        for step in range(40):
            if step == 20:
                browser.run("particles.play()")
            seen = browser.run("seen.length")
            browser.window(1240 - 15 * step, 800 - 3 * step, scale=1 + step % 2)
            check(f"{page}: the new size is noticed", browser.waits_for(f"seen.length > {seen}"))
        colours = browser.run("seen")
        blank = sum(count < 10 for count in colours)
        check(f"{page}: frames with disks", blank == 0, f"{blank} of {len(colours)} are blank")
        check_quiet(browser, f"{page}, of many sizes")
        browser.window(1280, 800)


def test_screenshots(browser, work):
    """What Chromium alone takes a picture of, which is less patient than its driver."""
    for budget in (None, 1, 500, 500, 1000, 1000, 5000, 5000):
        limit = [] if budget is None else [f"--virtual-time-budget={budget}"]
        subprocess.run([os.environ["CHROMIUM"], "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={work}/screenshots", f"--screenshot={SCREENSHOTS}/alone.png",
                        "--window-size=1200,800", *limit, f"file://{work}/many.html"],
                       stderr=subprocess.DEVNULL, check=True, timeout=60)
        with open(f"{SCREENSHOTS}/alone.png", "rb") as file, open(f"{work}/shown.html", "w") as page:
            page.write(f"<img src='data:image/png;base64,{base64.b64encode(file.read()).decode()}'>")
        browser.open(f"{work}/shown.html")
        colours = browser.run(f"{COUNT_COLOURS}(document.images[0], 200, 200, 100, 100)")  # within the box
        check(f"a screenshot with a budget of {budget}", colours > 10, f"{colours} colours")


def test_many(browser, work):
    """10 000 disks: at least 30 pictures a second, the best of three tries."""
    open_many(browser, work)
    best = 0
    for attempt in range(3):
        browser.run("(particles.seek(0), particles.setRate(0.5), particles.play())")
        time.sleep(3)
        best = max(best, browser.run("particles.frameRate()"))
        if best >= 30:
            break
    print(f"10 000 disks: {best:.1f} pictures a second, {browser.run('particles.drawingTime()'):.1f} ms each")
    check("10 000 disks: pictures a second", best >= 30, best)
    browser.run("particles.pause()")
    spent = browser.run("(() => { particles.seek(12); const t = performance.now();"
                        " for (const s of [1, 11, 3, 9, 5]) particles.seek(s);"
                        " return (performance.now() - t) / 5; })()")
    print(f"10 000 disks: a jump takes {spent:.1f} ms")
    check("10 000 disks: a jump", spent < 200, spent)
    compare(browser, "10 000 disks", f"{work}/many.txt", [7.7, 0.5], 5.1e-7)
    browser.screenshot(f"{SCREENSHOTS}/many.png")
    check_quiet(browser, "10 000 disks")


def test_frames(browser, work):
    """A run with too many collisions: frames, which the page says are approximate."""
    path = f"{work}/long.txt"
    page = f"{work}/long.html"
    with open(path, "w") as file:
        file.write(particles("--generate=200", "--area-fraction=0.5"))
    end_time = 1500
    events = sum(row[2] + row[3] / 2 for row in final_state(path, end_time))
    check("there are too many collisions", events > MOST_EVENTS, events)
    particles(f"--animate={page}", path, end_time)
    browser.open(page)
    check("the run is not exact", not browser.run("particles.exact"))
    check("the page says so", "Approximate" in text_of(browser, "note") and
          not browser.run("document.getElementById('note').hidden"))
    side = float(open(path).read().split("\n")[2].split()[0])
    for frame in (0, 1, 250, 599):
        moment = end_time * (frame / 599)
        browser.run(f"particles.seek({moment!r})")
        expected = final_state(path, repr(moment))
        off = max(abs(there - here) for row, place in zip(expected, browser.run("particles.positions()"))
                  for there, here in zip(row[:2], place))
        check(f"frame {frame}: positions", off < side / 65535, off)
        totals = browser.run("particles.totals()")
        check(f"frame {frame}: walls", totals["wallHits"] == sum(row[2] for row in expected), totals)
        check(f"frame {frame}: counts", [[row[2] + row[3]] for row in expected] == browser.run("particles.counts()"))
    energy = browser.run("particles.totals().energy")
    check("energy", abs(energy / 100 - 1) < 0.2, energy)
    browser.run("(particles.seek(0), particles.play())")
    check("frames play", browser.waits_for("particles.time() > 0"))
    browser.screenshot(f"{SCREENSHOTS}/frames.png")
    check_quiet(browser, "frames")


def test_names(browser, work):
    """A file's name is text, whatever it looks like."""
    for name in ("<img src=x onerror=hacked=1>.txt", "<!--<script>\"'\\&amp;.txt", "ü\u2028\n.txt", "']]>.txt"):
        path = f"{work}/{name}"
        with open(path, "w") as file:
            file.write("1\n1\n20 20\n5 5 1 1\n")
        particles(f"--animate={work}/name.html", path, 3)
        browser.open(f"{work}/name.html")
        check(f"the name {name!r}", text_of(browser, "title") == name, text_of(browser, "title"))
        check(f"the name {name!r} does nothing", browser.run("typeof hacked") == "undefined")
        check_quiet(browser, f"the name {name!r}")
    particles(f"--animate={work}/name.html", path, 0)
    browser.open(f"{work}/name.html")
    browser.press(" ")
    check("END_TIME 0", browser.run("particles.positions()") == [[5, 5]])
    check_quiet(browser, "END_TIME 0")


# Finds what is wider than the window, but for tables that can be scrolled.
TOO_WIDE = """[...document.querySelectorAll('body *')].filter(element => !element.closest('.wide') &&
  element.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(element => element.outerHTML.slice(0, 80))"""


def luma(colour):
    """How bright a CSS colour is, from 0 to 255."""
    red, green, blue = (float(part) for part in colour[colour.index("(") + 1:-1].split(",")[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_reports(browser, work):
    particles("--rule=elastic", f"--report={work}/report.html", f"--structure={work}/structure", "--every=1",
              "data/particles_walls.txt", 40)
    for width in (360, 1400):
        for dark in (False, True):
            name = f"report, {width} pixels, {'dark' if dark else 'light'}"
            browser.window(width, 900, dark=dark)
            browser.open(f"{work}/report.html")
            check(f"{name}: nothing is too wide", not browser.run(TOO_WIDE), browser.run(TOO_WIDE))
            check(f"{name}: the window does not scroll sideways",
                  browser.run("document.documentElement.scrollWidth") <= width)
            page = luma(browser.run("getComputedStyle(document.body).backgroundColor"))
            text = luma(browser.run("getComputedStyle(document.body).color"))
            check(f"{name}: colours", (page < 60 < 190 < text) if dark else (text < 60 < 190 < page), (page, text))
            small = browser.run("Math.min(...[...document.querySelectorAll('.plot text')]"
                                ".map(text => text.getBoundingClientRect().height))")
            check(f"{name}: plots can be read", small >= 9, small)
            disks = browser.run("document.querySelector('figure div').shadowRoot?.querySelectorAll('circle').length")
            check(f"{name}: the picture has disks", disks and disks > 0, disks)
            check_quiet(browser, name)
            browser.screenshot(f"{SCREENSHOTS}/report-{width}-{'dark' if dark else 'light'}.png")
    browser.open(f"{work}/report.html")
    overlaps = browser.run("""[...document.querySelectorAll('.plot')].flatMap(plot => {
      const boxes = [...plot.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
      return boxes.flatMap(([one, a], k) => boxes.slice(k + 1).filter(([, b]) => a.left < b.right && b.left < a.right &&
        a.top + 3 < b.bottom && b.top + 3 < a.bottom).map(([other]) => one + ' and ' + other)); })""")
    check("report: no words of plots overlap", not overlaps, overlaps)
    labels = browser.run("[...document.querySelectorAll('.plot')].filter(plot => !plot.getAttribute('aria-label')).length")
    check("report: plots have labels", labels == 0, labels)
    first = browser.run("""(top => [top.querySelectorAll('dt').length, ...['figure', 'dl'].flatMap(name =>
      (box => [box.left, box.right, box.top])(top.querySelector(name).getBoundingClientRect()))])(document.querySelector('.top'))""")
    check("report: five figures beside the picture", first[0] == 5 and first[2] <= first[4] and first[6] < 900, first)
    browser.click(".plots details summary")
    rows = browser.run("document.querySelectorAll('.plots details[open] tbody tr').length")
    check("report: a table of numbers", rows > 10, rows)
    height = "document.querySelector('.fold').getBoundingClientRect().height"
    check("report: all figures are folded", browser.run(height) < 60, browser.run(height))
    browser.run("document.querySelector('.fold summary').focus()")
    browser.press(" ")
    check("report: a key unfolds them", browser.run(height) > 500)
    browser.press(" ")
    browser.command("Emulation.setEmulatedMedia", media="print",
                    features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check("report: light in print", luma(browser.run("getComputedStyle(document.body).backgroundColor")) > 190)
    check("report: no tables of plots in print",
          browser.run("getComputedStyle(document.querySelector('.plots details')).display") == "none")
    check("report: all figures in print", browser.run(height) > 500, browser.run(height))
    browser.screenshot(f"{SCREENSHOTS}/report-print.png")
    browser.command("Emulation.setEmulatedMedia", media="")
    browser.window(1280, 800)


def test_grades(browser, work):
    """The page for the teacher: sorted by its headings, searched, and no wider than a phone."""
    cases, output = f"{work}/grading/cases", f"{work}/grading/grades"
    os.makedirs(cases)
    with open(f"{cases}/one.txt", "w") as file:
        file.write("1\n1\n16 16\n12 12 1 1\n")
    with open(f"{cases}/one.t4.expected", "w") as file:
        file.write(particles(f"{cases}/one.txt", 4))
    line = particles(f"{cases}/one.txt", 4).strip()
    texts = {"ada": line + "\\n", "ben <b>": line.replace(",", "") + "\\n", "eve": "no"}
    for name, text in texts.items():
        os.makedirs(f"{work}/grading/{name}")
        with open(f"{work}/grading/{name}/main.c", "w") as file:
            file.write(f'#include <stdio.h>\nint main(void) {{ printf("{text}"); }}\n')
        with open(f"{work}/grading/{name}/Makefile", "w") as file:
            file.write("particles: main.c\n\tcc main.c -o particles\n")
    subprocess.run(["sh", "scripts/grade", "--quiet", "--valgrind=0", f"--program={PROGRAM}", f"--cases={cases}",
                    f"--output={output}", *(f"{work}/grading/{name}" for name in texts)], capture_output=True, check=True)
    browser.open(f"{output}/grades.html")
    names = "[...document.querySelectorAll('.all tbody tr')].filter(row => !row.hidden).map(row => row.cells[0].textContent)"
    check("grades: in the order of names", browser.run(names) == ["ada", "ben <b>", "eve"], browser.run(names))
    browser.click(".all th:nth-child(2) button")
    check("grades: the best first", browser.run(names) == ["ada", "ben <b>", "eve"], browser.run(names))
    browser.click(".all th:nth-child(2) button")
    check("grades: the worst first", browser.run(names) == ["eve", "ben <b>", "ada"], browser.run(names))
    browser.run("(input => { input.value = 'BEN'; input.dispatchEvent(new Event('input')) })(document.querySelector('input'))")
    check("grades: one is found", browser.run(names) == ["ben <b>"], browser.run(names))
    browser.click(".all tbody tr:not([hidden]) a")
    check("grades: its details open", browser.waits_for("document.querySelectorAll('details[open]').length === 1"))
    browser.window(360, 740, mobile=True)
    wide = browser.run("document.documentElement.scrollWidth")
    check("grades: as wide as a phone", wide <= 360, wide)
    browser.screenshot(f"{SCREENSHOTS}/grades.png")
    browser.window(1280, 800)
    check_quiet(browser, "grades")


def main():
    with tempfile.TemporaryDirectory() as work:
        browser = Browser(os.environ["CHROMIUM"], os.environ["CHROMEDRIVER"], work)
        try:
            browser.window(1280, 800)
            test_exact_positions(browser, work)
            test_contract_files(browser, work)
            test_elastic(browser, work)
            test_periodic_positions(browser, work)
            test_periodic_view(browser, work)
            test_periodic_frames(browser, work)
            test_polygon_positions(browser, work)
            test_walls(browser, work)
            test_growth(browser, work)
            test_polygon_view(browser, work)
            test_streams(browser, work)
            test_stream_frames(browser, work)
            test_stream_plays(browser, work)
            test_buttons(browser, work)
            test_keys(browser)
            test_colours_trails_theme(browser)
            test_pointer(browser)
            test_saving(browser, work)
            test_steps(browser, work)
            test_far_pair(browser, work)
            test_phone(browser, work)
            test_many(browser, work)
            test_resizing(browser, work)
            test_screenshots(browser, work)
            test_frames(browser, work)
            test_names(browser, work)
            test_reports(browser, work)
            test_grades(browser, work)
        finally:
            browser.close()
    for name in ("periodic", "growth", "polygons", "stream", "light", "dark", "trails", "phone", "many", "alone", "frames", "grades", "steps"):
        file = f"{SCREENSHOTS}/{name}.png"
        check(f"screenshot {name}", os.path.getsize(file) > 1000)
    print(f"screenshots are in {SCREENSHOTS}")
    print(f"{check.passed} passed, {check.failed} failed")
    return check.failed > 0


sys.exit(main())
