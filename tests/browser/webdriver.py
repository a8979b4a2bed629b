"""A headless Chromium, driven by the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/),
which is HTTP and JSON: Python's own library is enough."""
import base64
import json
import socket
import subprocess
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id, section 12.1
KEYS = {"Left": "\ue012", "Right": "\ue014", "Home": "\ue011", "End": "\ue010"}  # section 17.4.2


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    def __init__(self, chromium, chromedriver, directory):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.log = open(f"{directory}/chromedriver.log", "wb")
        self.driver = subprocess.Popen([chromedriver, f"--port={port}"], stdout=self.log, stderr=self.log)
        for _ in range(100):
            try:
                if self.call("GET", "/status")["ready"]:
                    break
            except OSError:
                time.sleep(0.1)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     f"--user-data-dir={directory}/profile", "--disable-dev-shm-usage"]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": chromium, "args": arguments}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + session["sessionId"]

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def close(self):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()

    def open(self, file):
        self.call("POST", self.session + "/url", {"url": "file://" + file})

    def run(self, script):
        """The value of a JavaScript expression."""
        return self.call("POST", self.session + "/execute/sync", {"script": "return " + script, "args": []})

    def element(self, selector):
        found = self.call("POST", self.session + "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        self.call("POST", f"{self.session}/element/{self.element(selector)}/click")

    def press(self, key):
        """Presses a key, wherever the focus is."""
        value = KEYS.get(key, key)
        actions = [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keys", "actions": actions})

    def point(self, x, y, click=False, kind="mouse"):
        """Moves the pointer to a place of the window."""
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if click:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions})

    def act(self, source):
        self.call("POST", self.session + "/actions", {"actions": [source]})

    def command(self, name, **parameters):
        """A command of Chromium's own (DevTools protocol)."""
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def window(self, width, height, scale=1, dark=False, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=scale, mobile=mobile)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, file):
        with open(file, "wb") as picture:
            picture.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def messages(self):
        """What the console has said since the last call, warnings and errors."""
        said = self.call("POST", self.session + "/se/log", {"type": "browser"})
        return [entry["message"] for entry in said if entry["level"] in ("WARNING", "SEVERE")]

    patience = 5  # seconds

    def waits_for(self, condition):
        """Whether a JavaScript expression becomes true."""
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            if self.run(condition):
                return True
            time.sleep(0.02)
        return False


class Checks:
    """What holds, and what does not, which is said."""

    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {name}: {detail}")
