"""Pages of --html in the browser of a test: made, opened, and what hiera-transform says beside them."""

import csv
import io
import json
import os
import subprocess
import sys

from checks import run

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "golden")
READY = "document.documentElement.dataset.ready"
FRAME = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"


class Site:
    """Pages and the browser of one test run."""

    def __init__(self, transform, output, folder, browser):
        self.transform, self.output, self.folder, self.browser = transform, output, folder, browser

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments):
        return subprocess.run([self.transform, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)

    def page(self, name, *arguments):
        """Write a page, and open it. Its run may have faults (exit status 3) or violate rules (1), but the page is there."""
        done = self.run(*arguments, "--html", self.path(name), "--quiet")
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"{arguments}: exit {done.returncode}: {done.stderr}")
        return self.open("file://" + self.path(name))

    def open(self, address):
        if "#" in address:  # in the page that is there it would be a place only
            self.browser.open("about:blank")
        self.browser.console(), self.browser.requests()
        self.browser.open(address)
        self.browser.wait(READY)
        return address

    def shot(self, name):
        self.browser.screenshot(os.path.join(self.output, name + ".png"))


def quiet_since(check, browser, what, address):
    """Nothing was said on the console, and nothing but the page was asked for."""
    check.equal(f"{what}: console", [], [text for _, text in browser.console()])
    check.equal(f"{what}: requests", [], [a for a in browser.requests() if a.split("#")[0] != address and not a.startswith("data:")])


def texts(browser, selector):
    return browser.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())", selector)


def measured(site, trace, measure, *options):
    done = site.run(trace, "--measure", measure, *options, "--format", "json", "--quiet")
    return json.loads(done.stdout)[measure]


def tables(site, trace, names, *options):
    """What the terminal prints as CSV: the rows of each of these tables, in one run for all that have the same options."""
    found = {}
    for words in {tuple(name.split()[1:]) for name in names}:
        some = [name for name in names if tuple(name.split()[1:]) == words]
        printed = site.run(trace, "--measure", ",".join(name.split()[0] for name in some), *words, *options, "--format", "csv", "--quiet").stdout.split("\n\n")
        assert len(printed) == len(some), (some, len(printed))
        found.update((name, list(csv.reader(io.StringIO(text)))) for name, text in zip(some, printed))
    return found


def main(use, tests):
    """Run the tests with the program and the folder for screenshots that the command line names."""
    if len(sys.argv) != 3:
        sys.exit(use)
    transform, output = sys.argv[1:]
    sys.exit(run(tests, lambda folder, browser: Site(os.path.abspath(transform), output, folder, browser), output))
