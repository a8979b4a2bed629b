"""Uses the page for browsers in Chromium, as a person does: writes and opens inputs, chooses options, presses Run; and
compares the answers with those of the program, byte for byte. See web.sh, which starts this."""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib

from webdriver import Browser, Checks

PAGE = os.path.abspath("build/web/particles.html")
PROGRAM = os.path.abspath(os.environ["PROGRAM"])
SCREENSHOTS = os.environ["SCREENSHOTS"]
TYPED = "/element/{}/value"

check = Checks()
Browser.patience = 60


def particles(*arguments):
    """What the program prints, and its message."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    return done.stdout, done.stderr.strip().removeprefix("particles: ")


def text(browser, selector):
    return browser.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")


def type_in(browser, selector, value):
    """Replaces what is in a field, by keys."""
    browser.call("POST", f"{browser.session}/element/{browser.element(selector)}/clear")
    browser.call("POST", f"{browser.session}/element/{browser.element(selector)}/value", {"text": value})


def open_files(browser, *paths):
    browser.call("POST", f"{browser.session}/element/{browser.element('#chosen')}/value",
                 {"text": "\n".join(map(os.path.abspath, paths))})


def add_option(browser, option):
    type_in(browser, ".option:last-child input", option)
    browser.press("\ue00c")  # Escape: closes the list of choices


def open_page(browser, fragment=""):
    browser.open("/dev/null")
    browser.open(PAGE + fragment)
    ready = browser.waits_for("document.querySelector('#status')?.dataset.ready !== undefined && "
                     "document.querySelectorAll('#example option').length > 3")
    check("the program is ready", ready, text(browser, "#error"))


def run(browser, name):
    """Presses Run. Returns the answer, or what is said instead."""
    browser.run("document.querySelector('#status').textContent = ''")
    browser.click("#run")
    browser.waits_for("/^Done|^The answer/.test(document.querySelector('#status').textContent) || "
             "[...document.querySelectorAll('.error')].some((each) => each.textContent)")
    error = browser.run("[...document.querySelectorAll('.error')].map((each) => each.textContent).join('')")
    if error:
        return error
    browser.click("#tab-0")
    return text(browser, "#panel pre")


def compare(browser, name, *arguments):
    answer = run(browser, name)
    expected = particles(*arguments)[0]
    check(name, expected and answer == expected, answer[:200])


def test_runs(browser, work):
    """By clicking: examples, files and text that is written; options by keys."""
    open_page(browser)
    compare(browser, "the first example", "data/particles_only.txt", 100)
    check("it has eight lines", text(browser, "#panel pre").count("\n") == 8)
    open_files(browser, "data/particles_walls.txt")
    browser.waits_for("document.querySelector('#name').value === 'particles_walls.txt'")
    compare(browser, "a file", "data/particles_walls.txt", 100)
    with open("data/walls_only.txt") as file:
        type_in(browser, "#input", file.read())
    type_in(browser, "#end", "37.5")
    compare(browser, "text", "data/walls_only.txt", 37.5)
    gas = f"{work}/gas.txt"
    with open(gas, "w") as file:
        file.write(particles("--quiet", "--generate=300", "--area-fraction=0.4")[0])
    with open(f"{work}/wing.txt", "w") as file:
        file.write("-1 -1\n1.3 -0.7\n0.2 1\n")
    open_files(browser, gas, f"{work}/wing.txt")
    browser.waits_for("document.querySelectorAll('#files li').length === 1")
    for option in ("--rule=elastic", "--periodic=xy"):
        add_option(browser, option)
    compare(browser, "options", "--quiet", "--rule=elastic", "--periodic=xy", gas, 37.5)
    browser.run("(() => { const field = document.querySelector('#example'); field.selectedIndex = "
                "[...field.options].findIndex((each) => each.text === 'pendulum'); field.onchange({ target: field }) })()")
    compare(browser, "steps", "--config=data/examples/steps/pendulum.conf", "data/examples/steps/pendulum.txt", 10)
    command = text(browser, "#command")
    check("the command", command == "./particles --config=data/examples/steps/pendulum.conf --animate=animation.html "
          "--report=report.html --stats data/examples/steps/pendulum.txt 10 > answer.txt", command)


def test_animation(browser):
    browser.run("document.querySelectorAll('#tabs button').forEach((each) => "
                "{ if (each.textContent === 'Animation') each.click() })")
    frame = {"element-6066-11e4-a52e-4f735466cecf": browser.element("iframe")}
    browser.call("POST", browser.session + "/frame", {"id": frame})
    check("the animation plays", browser.waits_for("typeof particles === 'object'"))
    reached = browser.run("(() => { try { return parent.document.title } catch { return '' } })()")
    check("the animation cannot reach the page", reached == "", reached)
    browser.call("POST", browser.session + "/frame", {"id": None})


def test_errors(browser):
    """The program's messages are where they belong."""
    open_page(browser)
    type_in(browser, "#end", "soon")
    said = run(browser, "END_TIME")
    check("END_TIME", said == text(browser, "#end-error") == particles("data/particles_only.txt", "soon")[1], said)
    focus = browser.run("document.activeElement.id")
    check("the focus is at END_TIME", focus == "end", focus)
    type_in(browser, "#end", "1")
    add_option(browser, "--restitution=2")
    browser.click("#end")
    browser.waits_for("document.querySelector('.option .error')?.textContent")
    said = text(browser, ".option .error")
    check("an option, before Run", said == particles("--restitution=2", "x", "1")[1], said)
    browser.click(".option button")
    type_in(browser, "#input", "2\n1\n10 10\n5 5 1 1\n5 5.5 1 1\n")
    said = run(browser, "input")
    check("a line of the input", said.startswith("data/particles_only.txt:5: particle 1 overlaps"), said)
    line = browser.run("(() => { const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd) })()")
    check("that line is selected", line == "5 5.5 1 1", line)
    browser.screenshot(f"{SCREENSHOTS}/web_error.png")


def test_hostile(browser):
    """Text of files, names and links stays text; what is large or endless is refused or stopped."""
    name = "<img src=x onerror=document.title='hacked'><script>document.title='hacked'<" + "/script>.txt"
    case = {"name": name, "text": "1\n1\n10 10\n5 5 1 0.5\n", "end": "10", "options": ["--events=" + name.replace("/", "") + "\"'"],
            "files": [{"name": name + ".conf", "text": name}]}
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(case).encode()) + packer.flush()
    open_page(browser, "#" + base64.urlsafe_b64encode(packed).decode().rstrip("="))
    browser.waits_for("document.querySelector('#end').value === '10'")
    check("a link does not run by itself", text(browser, "#panel pre") == "")
    answer = run(browser, "hostile")
    check("script in names", answer.count(", ") == 3 and answer.endswith("\n"), answer)
    for k in range(browser.run("document.querySelectorAll('#tabs button').length")):
        browser.click(f"#tab-{k}")
    time.sleep(0.3)
    check("no script of names has run", browser.run("document.title") == "particles")
    check("no tag of names is there", browser.run("document.querySelectorAll('img, main script').length") == 0)

    type_in(browser, "#input", "268435456\n1\n1 1\n")
    said = run(browser, "huge")
    check("a number of particles that cannot be", "out of memory" in said or ":4:" in said or "cannot" in said or "expected" in said, said)

    type_in(browser, "#input", "2\n1\n10 10\n5 5 1 0.5\n3 2 0.3 0.7\n")
    type_in(browser, "#end", "1e9")
    browser.click("#run")
    shown = browser.waits_for("document.querySelector('#pace').textContent.startsWith('time ')")
    check("an endless run shows its progress", shown, browser.run("document.querySelector('#form').innerText"))
    browser.click("#run")
    check("Run asks first", browser.run("document.querySelector('#ask').open"))
    browser.click("#ask button[value='']")
    browser.click("#stop")
    check("it is stopped", text(browser, "#error") == "Stopped.", text(browser, "#error"))
    type_in(browser, "#end", "10")
    check("and the page goes on", run(browser, "again").count("\n") == 2)

    took = browser.run("""(() => {
        const list = new DataTransfer(), start = performance.now();
        list.items.add(new File([new Uint8Array(1e8)], "large.bin"));
        window.longest = 0;
        let last = performance.now();
        window.beat = setInterval(() => { longest = Math.max(longest, performance.now() - last); last = performance.now(); }, 10);
        dispatchEvent(new DragEvent("drop", { dataTransfer: list, bubbles: true, cancelable: true }));
        return performance.now() - start;
    })()""")
    there = browser.waits_for("document.querySelector('#files')?.textContent.includes('100.0 MB')")
    check("100 MB are taken", there, text(browser, "#files"))
    longest = browser.run("(() => { clearInterval(beat); return longest })()")
    check("and nothing freezes", longest < 1000, longest)
    browser.click("#files li:last-child button")
    said = run(browser, "100 MB")
    check("and refused as an input", said.startswith("large.bin:1: "), said[:200])


def test_quiet(browser):
    said = [line for line in browser.messages() if "net::ERR_FILE_NOT_FOUND" not in line]
    check("the console is silent", not said, said)
    loaded = browser.run("performance.getEntriesByType('resource').map((each) => each.name).filter((name) => !name.startsWith('blob:'))")
    check("nothing is fetched", not loaded, loaded)


def test_narrow(browser):
    for width in (360, 1280):
        for dark in (False, True):
            browser.window(width, 800, dark=dark, mobile=width == 360)
            open_page(browser)
            compare(browser, f"{width} pixels", "data/particles_only.txt", 100)
            wide = browser.run("document.documentElement.scrollWidth")
            check(f"{width} pixels: nothing is wider", wide <= width, wide)
            browser.screenshot(f"{SCREENSHOTS}/web_{width}{'_dark' if dark else ''}.png")


def main():
    with tempfile.TemporaryDirectory() as work:
        browser = Browser(os.environ["CHROMIUM"], os.environ["CHROMEDRIVER"], work)
        try:
            browser.window(1280, 900)
            test_runs(browser, work)
            test_animation(browser)
            test_errors(browser)
            test_hostile(browser)
            test_quiet(browser)
            test_narrow(browser)
        finally:
            browser.close()
    print(f"{check.passed} passed, {check.failed} failed")
    sys.exit(check.failed > 0)


main()
