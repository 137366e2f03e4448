"""A small W3C WebDriver client for one headless Chromium. It talks to chromedriver with urllib on the loopback interface.

Hides the protocol and the processes. It ends only processes that it started."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# Name in the protocol, program, flags. The shell has no window to draw: tests with it take less than half of the processor time.
BROWSERS = [("chrome-headless-shell", "/usr/bin/chromium-headless-shell", []), ("chrome", "/usr/bin/chromium", ["--headless=new"])]
BROWSER, CHROMIUM, HEADLESS = next((browser for browser in BROWSERS if os.access(browser[1], os.X_OK)), BROWSERS[-1])
CHROMEDRIVER = "/usr/bin/chromedriver"
FLAGS = [*HEADLESS, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """Name of a required program that is not installed, or None."""
    for program in (CHROMIUM, CHROMEDRIVER):
        if not os.access(program, os.X_OK):
            return program
    return None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="hiera-page-")
        self.port = free_port()
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.driver = subprocess.Popen([CHROMEDRIVER, f"--port={self.port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.session = None
        try:
            self._wait_for_driver()
            options = {"binary": CHROMIUM, "args": FLAGS + [f"--user-data-dir={self.profile}"]}
            always = {"browserName": BROWSER, "goog:chromeOptions": options,
                      "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            self.session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": always}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self._call("DELETE", f"/session/{self.session}")
        finally:
            self.session = None
            self.driver.terminate()
            try:
                self.driver.wait(10)
            except subprocess.TimeoutExpired:
                self.driver.kill()
                self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def _wait_for_driver(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except (urllib.error.URLError, ConnectionError):
                if self.driver.poll() is not None or time.monotonic() > deadline:
                    raise
            time.sleep(0.05)

    def _in_session(self, method, path, body=None):
        return self._call(method, f"/session/{self.session}{path}", body)

    def open(self, address):
        """Load a page and return the seconds until its load event."""
        start = time.monotonic()
        self._in_session("POST", "/url", {"url": address})
        return time.monotonic() - start

    def js(self, script, *arguments):
        """Value that a script returns."""
        return self._in_session("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def js_later(self, script, *arguments):
        """Value that a script gives to its last argument, a function."""
        return self._in_session("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=20):
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + seconds
        while not self.js(f"return Boolean({condition})"):
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.02)

    def find(self, selector):
        return self._in_session("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        """Click as a user does: fails if the element is not visible or is covered."""
        self._in_session("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self._in_session("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, key):
        """Send a key to the focused element. Names of keys are code points of the protocol."""
        code = {"down": "\ue015", "up": "\ue013", "right": "\ue014", "left": "\ue012", "escape": "\ue00c",
                "enter": "\ue007", "tab": "\ue004"}.get(key, key)
        actions = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        self._in_session("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def cdp(self, command, **parameters):
        return self._in_session("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def console(self):
        """Console messages since the last call: (level, text)."""
        return [(entry["level"], entry["message"]) for entry in self._in_session("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the page requested since the last call."""
        addresses = []
        for entry in self._in_session("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return addresses

    def picture(self, selector, path):
        """A picture of one element."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._in_session("GET", f"/element/{self.find(selector)}/screenshot")))

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._in_session("GET", "/screenshot")))
