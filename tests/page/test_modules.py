"""Unit tests of the modules of the page: units.js, put behind them, in a browser.

use: test_modules.py BUNDLE_SCRIPT UNITS MODULE…
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import importlib.util
import os
import pathlib
import sys
import tempfile

from chromium import Browser, missing


def main(bundle_script, units, *modules):
    absent = missing()
    if absent:
        print(f"skipped: {absent} is not installed (Debian: chromium-headless-shell)")
        return 77
    spec = importlib.util.spec_from_file_location("bundle", bundle_script)
    bundle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bundle)
    script = bundle.bundle([pathlib.Path(path) for path in modules if not path.endswith("/main.js")] + [pathlib.Path(units)])
    with tempfile.TemporaryDirectory(prefix="hiera-page-") as folder, Browser() as browser:
        page = os.path.join(folder, "units.html")
        pathlib.Path(page).write_text(f'<meta charset="utf-8"><body></body><script>{script}</script>', encoding="utf-8")
        browser.open("file://" + page)
        try:
            browser.wait("window.answer")
            answer = browser.js("return window.answer")
        except AssertionError:
            answer = {"done": 0, "failures": [text for _, text in browser.console()] or ["no answer"]}
    for failure in answer["failures"]:
        print(f"FAILED {failure}")
    print(f"{answer['done']} checks, {len(answer['failures'])} failed")
    return 1 if answer["failures"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
