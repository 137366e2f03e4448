"""Checks of the tests of pages, and what runs these tests."""

import os
import subprocess
import tempfile
import time

from chromium import Browser, missing


class Checks:
    """Counts checks that hold, and prints the expected and the actual value of those that fail."""

    def __init__(self):
        self.done, self.failed = 0, 0

    def equal(self, what, expected, actual):
        self.done += 1
        if expected != actual:
            self.failed += 1
            print(f"FAILED {what}: expected {expected!r}, actual {actual!r}", flush=True)

    def true(self, what, condition, actual=None):
        self.equal(what, True, bool(condition) if actual is None or condition else actual)


def run(tests, make_site, output):
    """Run tests one after the other in one browser, with the site that `make_site` returns for a folder and the browser. Return the exit status."""
    absent = missing()
    if absent:
        print(f"skipped: {absent} is not installed (Debian: chromium-headless-shell)")
        return 77
    os.makedirs(output, exist_ok=True)
    check = Checks()
    with tempfile.TemporaryDirectory(prefix="hiera-page-") as folder, Browser() as browser:
        browser.size(1280, 900)
        browser.scheme("light")
        site = make_site(folder, browser)
        for test in tests:
            begin, before = time.monotonic(), check.failed
            browser.console(), browser.requests()
            try:
                test(check, site)
            except (AssertionError, KeyError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
                check.failed += 1
                print(f"FAILED {test.__name__}: {error}", flush=True)
            print(f"{'ok' if check.failed == before else 'FAILED'} {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    print(f"{check.done} checks, {check.failed} failed; screenshots in {output}")
    return 1 if check.failed else 0
