"""A small Marionette client for one headless Firefox, with the names of chromium.Browser: open, js, close. It ends only the process that it
started."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

FIREFOX = "/usr/bin/firefox-esr"
# Without what no test looks at, whose start takes a third of all: the first page, extensions, lists that Mozilla changes. And without the settings
# for automation, which let files load files: the browser is that of a user.
SETTINGS = {"remote.prefs.recommended": False, "browser.newtabpage.enabled": False, "browser.startup.page": 0,
            "browser.startup.homepage_override.mstone": "ignore", "extensions.enabledScopes": 0, "extensions.webextensions.remote": False,
            "services.settings.server": "data:,"}


class Firefox:
    def __init__(self):
        self.profile, self.number, self.rest = tempfile.mkdtemp(prefix="hiera-page-"), 0, b""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {**SETTINGS, "marionette.port": port}.items())
        self.process = subprocess.Popen([FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", self.profile], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.profile))
        self.socket = self._connect(port)
        self.socket.settimeout(60)
        self._receive()  # it says what it is
        self._call("WebDriver:NewSession", {})

    def _connect(self, port):
        deadline = time.monotonic() + 60
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except ConnectionError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise
            time.sleep(0.05)

    def _receive(self):
        """One message: its length, a colon, JSON."""
        while b":" not in self.rest:
            self.rest += self.socket.recv(65536)
        length, _, self.rest = self.rest.partition(b":")
        while len(self.rest) < int(length):
            self.rest += self.socket.recv(65536)
        message, self.rest = self.rest[:int(length)], self.rest[int(length):]
        return json.loads(message)

    def _call(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        error, value = self._receive()[2:]
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return value

    def open(self, address):
        self._call("WebDriver:Navigate", {"url": address})

    def js(self, script, *arguments):
        return self._call("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})["value"]

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
