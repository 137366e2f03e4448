"""One headless Chromium, which is told what to do by the DevTools protocol: JSON with a zero byte behind it, through two pipes.

Hides the protocol and the process. It ends only the process that it started."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

# Program, flags. The shell has no window to draw: tests with it take less than half of the processor time.
BROWSERS = [("/usr/bin/chromium-headless-shell", []), ("/usr/bin/chromium", ["--headless=new"])]
CHROMIUM, HEADLESS = next((browser for browser in BROWSERS if os.access(browser[0], os.X_OK)), BROWSERS[-1])
FLAGS = [*HEADLESS, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--password-store=basic", "--disable-extensions",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync", "--remote-debugging-pipe"]
# Keys without a character of their own: name in the protocol, number, text.
KEYS = {"left": ("ArrowLeft", 37, ""), "up": ("ArrowUp", 38, ""), "right": ("ArrowRight", 39, ""), "down": ("ArrowDown", 40, ""),
        "escape": ("Escape", 27, ""), "enter": ("Enter", 13, "\r"), "tab": ("Tab", 9, "")}
# Of an element that is scrolled into the window: the middle of what is seen of it, its box in the page, and what is on top there if it is not in it.
PLACE = """const one = document.querySelector(arguments[0]);
    if (!one) throw Error(`no ${arguments[0]}`);
    one.scrollIntoViewIfNeeded();
    const box = one.getClientRects()[0];
    if (!box) throw Error(`${arguments[0]} is not shown`);
    const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2, y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
    const top = document.elementFromPoint(x, y);
    return {x, y, box: {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}, other: one.contains(top) ? null : `${top && top.outerHTML}`}"""


def missing():
    """Name of a required program that is not installed, or None."""
    return None if os.access(CHROMIUM, os.X_OK) else CHROMIUM


class Browser:
    def __init__(self):
        self.number, self.rest, self.session, self.loaded = 0, b"", None, None
        self.messages, self.addresses = [], []
        self.profile = tempfile.mkdtemp(prefix="hiera-page-")
        # It reads commands from descriptor 3 and writes answers to 4.
        self.process = subprocess.Popen(["/bin/sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null', CHROMIUM, *FLAGS,
                                         f"--user-data-dir={self.profile}", "about:blank"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            page = self.cdp("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.cdp("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.cdp(f"{domain}.enable")
            self.cdp("Page.setLifecycleEventsEnabled", enabled=True)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """It ends with its commands. Debian's program is a shell that waits for the browser, so that a signal would have to go to both."""
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
        shutil.rmtree(self.profile, ignore_errors=True)

    def cdp(self, command, **parameters):
        """What a command of the protocol answers."""
        self.number += 1
        message = {"id": self.number, "method": command, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{command}: {answer['error']['message']}")
                return answer["result"]

    def _receive(self):
        """The next message. What an event says is kept."""
        while b"\0" not in self.rest:
            if not select.select([self.process.stdout], [], [], 120)[0]:
                raise RuntimeError("the browser does not answer")
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        text, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(text)
        event, said = message.get("method"), message.get("params", {})
        if event == "Page.lifecycleEvent" and said["name"] == "load":
            self.loaded = said["loaderId"]
        elif event == "Network.requestWillBeSent":
            self.addresses.append(said["request"]["url"])
        elif event == "Log.entryAdded":
            self.messages.append((said["entry"]["level"], f"{said['entry'].get('url', '')} {said['entry']['text']}"))
        elif event == "Runtime.consoleAPICalled":
            self.messages.append((said["type"], " ".join(str(one.get("value", one.get("description"))) for one in said["args"])))
        elif event == "Runtime.exceptionThrown":
            self.messages.append(("error", self._description(said["exceptionDetails"])))
        return message

    @staticmethod
    def _description(details):
        return details.get("exception", {}).get("description", details["text"])

    def open(self, address):
        """Load a page and return the seconds until its load event."""
        start = time.monotonic()
        answer = self.cdp("Page.navigate", url=address)
        if "errorText" in answer:
            raise RuntimeError(f"{address}: {answer['errorText']}")
        while "loaderId" in answer and self.loaded != answer["loaderId"]:
            self._receive()
        return time.monotonic() - start

    def _value(self, promise):
        answer = self.cdp("Runtime.evaluate", expression=f"{promise}.then((value) => JSON.stringify(value))", awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(self._description(answer["exceptionDetails"]))
        return json.loads(answer["result"].get("value", "null"))

    def js(self, script, *arguments):
        """Value that a script returns."""
        return self._value(f"Promise.resolve((function () {{ {script}\n}})(...{json.dumps(arguments)}))")

    def js_later(self, script, *arguments):
        """Value that a script gives to its last argument, a function."""
        return self._value(f"new Promise((done) => (function () {{ {script}\n}})(...{json.dumps(arguments)}, done))")

    def wait(self, condition, seconds=20):
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + seconds
        while not self.js(f"return Boolean({condition})"):
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.02)

    def click(self, selector):
        """Click as a user does: fails if the element is not visible or is covered."""
        place = self.js(PLACE, selector)
        if place["other"]:
            raise RuntimeError(f"{selector} is covered by {place['other'][:200]}")
        for kind, button in (("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")):
            self.cdp("Input.dispatchMouseEvent", type=kind, x=place["x"], y=place["y"], button=button, clickCount=int(button == "left"))

    def type(self, selector, text):
        self.js("document.querySelector(arguments[0]).focus()", selector)
        for key in text:
            self.press(key)

    def press(self, key):
        """Send a key to the focused element: a character, or a name in KEYS."""
        name, number, text = KEYS.get(key) or (key, ord(key.upper()) if key.isalnum() else 0, key)
        for kind, more in (("keyDown", {"text": text} if text else {}), ("keyUp", {})):
            self.cdp("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=number, **more)

    def scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def console(self):
        """Console messages since the last call: (level, text)."""
        self.js("")  # what was said before has come
        messages, self.messages = self.messages, []
        return messages

    def requests(self):
        """Addresses that the page requested since the last call."""
        self.js("")
        addresses, self.addresses = self.addresses, []
        return addresses

    def screenshot(self, path, **parameters):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.cdp("Page.captureScreenshot", **parameters)["data"]))

    def picture(self, selector, path):
        """A picture of one element."""
        self.screenshot(path, clip=self.js(PLACE, selector)["box"])
