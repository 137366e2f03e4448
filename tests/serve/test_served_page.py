"""The page of --serve in a real browser: it opens once, zooms to single operations, searches by expressions.

use: test_served_page.py HIERA_TRANSFORM
Exit: 0 good, 1 a check failed, 77 Chromium is missing, or this hiera-transform has no server."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "page"))

import traces  # noqa: E402
from checks import Checks  # noqa: E402
from server import Server  # noqa: E402
from chromium import Browser, missing  # noqa: E402

READY = "document.documentElement.dataset.ready"
OPERATIONS = 300000
MESSAGES = 130
SETTLED = "hiera.timeline.store.waiting.size === hiera.timeline.store.ready.size && !hiera.timeline.asked"


def check_open(check, browser, server):
    browser.open("about:blank")
    browser.console(), browser.requests()
    browser.open(server.line.strip())
    browser.wait(READY)
    browser.wait(SETTLED)
    home = f"http://127.0.0.1:{server.port}/"
    check.equal("the token is gone from the address", home, browser.js("return location.href"))
    check.equal("console", [], [text for _, text in browser.console()])
    asked = [address for address in browser.requests() if not address.startswith(("data:", "about:"))]
    check.equal("others that were asked", [], [address for address in asked if not address.startswith(home)])
    check.equal("the script does not see the cookie", "", browser.js("return document.cookie"))
    browser.open(home)
    browser.wait(READY)
    check.equal("opened again", home, browser.js("return location.href"))


def check_zoom(check, browser):
    """An operation that the whole run shows only with others is there alone, with its attributes, when the window is small."""
    head = browser.js("return hiera.timeline.head")
    number = next(i for i, site in enumerate(head["sites"]) if site["name"] == "irecv")
    begin = browser.js("return (async () => (await hiera.timeline.store.where(`operation == \"irecv\" && line == 210`)).total)()")
    check.equal("another line has none", 0, begin)
    most, longer = browser.js("""return (async () => {
        const {list} = await hiera.timeline.store.where('operation == "irecv"'), least = Math.min(...list.map((one) => one.duration));
        return [list.length, (await hiera.timeline.store.where(`operation == "irecv" && duration > ${least}ns`)).total];
      })()""")
    check.true("where gives the longest", longer < most == 5000, [longer, most])
    one = browser.js("""return (async () => {
        const {list} = await hiera.timeline.store.where(`operation == "irecv" && duration == 737ns`);
        return list.length ? list[list.length - 1] : null;
      })()""")
    check.true("where finds it", one is not None and one["duration"] == 737, one)
    at = browser.js("""return (async () => {
        const place = arguments[0], {timeline} = hiera, {store} = timeline;
        const coarse = (await store.tileNow("tile", 0, 0))[place.lane].some((part) => part.exact.row.includes(place.row));
        timeline.showSpan(place.begin, place.duration);
        await timeline.visit(place);
        return [coarse, timeline.chosen.row, timeline.chosen.site];
      })()""", one)
    check.equal("merged in the whole run, alone in the window", [False, one["row"], number], at)
    browser.wait("document.querySelector('#operation .card dd')")
    browser.wait(SETTLED)
    card = browser.js("return document.querySelector('#operation').textContent")
    check.true("its attributes", "MPI_COMM_WORLD" in card and "irecv" in card, card)
    check.true("nothing is missing in the window", browser.js("return hiera.timeline.picture.isFine && !document.querySelector('#timeline').textContent.includes('--html window.html')"))
    drawn = browser.js("""const {timeline} = hiera, found = [];
        timeline.painter.eachTile(timeline.picture.level, (level, tile) => tile[0].forEach((part) => found.push(...part.exact.row)));
        return found.includes(arguments[0]);""", one["row"])
    check.true("it is drawn", drawn)


def check_search(check, browser):
    """Words and expressions; both tell how many there are."""
    browser.js("return hiera.search.set('irecv')")
    browser.wait("document.querySelector('#search').textContent.includes('call site')")
    said = browser.js("return document.querySelector('#search').textContent")
    calls = OPERATIONS // 5
    check.true("words", f"of {calls:,}".replace(",", " ") in said.replace("\u202f", " ").replace("\u2009", " ").replace("\u00a0", " ").replace(",", " "), said)
    browser.js("return hiera.search.set('where level == \"app\"')")
    browser.wait("document.querySelector('#search').textContent.includes('fulfil')")
    said = browser.js("return document.querySelector('#search').textContent")
    check.true("an expression", "60" in said and "fulfil it" in said, said)
    with open(os.path.join(HERE, "..", "..", "docs", "page.md"), encoding="utf-8") as file:
        example = next(line.strip() for line in file if line.startswith("where "))
    browser.js("return hiera.search.set(arguments[0])", example)
    browser.wait("document.querySelector('#search').textContent.includes('0 operations fulfil')")
    browser.js("return hiera.search.set('where level ==')")
    browser.wait("document.querySelector('#search pre')")
    check.true("a wrong expression", "column" in browser.js("return document.querySelector('#search pre').textContent"))


def check_messages(check, browser, server):
    """Of a call with many messages the card shows some, and says how many there are."""
    browser.open(server.line.strip())
    browser.wait(READY)
    browser.js("""return (async () => {
        const {list} = await hiera.timeline.store.where('operation == "waitall"');
        await hiera.timeline.visit(list[0]);
      })()""")
    browser.wait("document.querySelector('#operation').textContent.includes('message from P0')")
    card = browser.js("return [...document.querySelectorAll('#operation p')].map((one) => one.textContent)")
    shown = len([line for line in card if line.startswith("message from P0")])
    check.true("all of its messages are counted", 0 < shown < MESSAGES and f"and {MESSAGES - shown} messages more" in card, [shown, card])


def check_second(check, server):
    """The address opens in one browser only; what the second one gets has no number of the trace."""
    with Browser() as second:
        second.open(server.line.strip())
        check.true("a second browser", "may not see" in second.js("return document.body.textContent"))


def check_lost(check, browser, server):
    """Without its server the page says what is missing."""
    check.equal("exit status", 0, server.end()[0])
    browser.js("hiera.timeline.store.tileNow('tile', hiera.timeline.store.details.length - 1, 0).catch(() => {})")
    browser.wait("document.querySelector('#timeline').textContent.includes('does not answer')")
    check.true("what was there is still there", browser.js("return hiera.timeline.picture.level >= 0"))


def main(transform):
    check = Checks()
    with tempfile.TemporaryDirectory(prefix="hiera-serve-") as folder:
        trace = os.path.join(folder, "many.xml")
        traces.many(trace, OPERATIONS)
        if missing() or "without libmicrohttpd" in subprocess.run([transform, trace, "--serve=x"], capture_output=True, text=True, check=False).stderr:
            print(f"no {missing() or 'server'}")
            return 77
        with Browser() as browser:
            with Server(transform, trace, "--quiet") as server:
                check_open(check, browser, server)
                check_zoom(check, browser)
                check_search(check, browser)
                check_second(check, server)
                check_lost(check, browser, server)
            with Server(transform, traces.burst(os.path.join(folder, "burst"), MESSAGES), "--quiet") as server:
                check_messages(check, browser, server)
    print(f"{check.done} checks, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
