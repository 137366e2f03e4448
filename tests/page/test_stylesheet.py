"""The stylesheets of traces in real browsers: what visual.xsl shows and what a user can do, made by xsltproc and applied by Firefox; and visual.css.

use: test_stylesheet.py STYLESHEET OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium or xsltproc is missing. Screenshots are left in OUTPUT_FOLDER."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading

import firefox
import traces
from checks import run

HERE = os.path.dirname(os.path.abspath(__file__))
# Long, because the machine may be busy. On an idle one it takes about half a second.
LOAD_SECONDS = 30
ROWS_AT_ONCE = 300

VISIBLE_ROWS = "[...document.querySelectorAll('.rows .r')].filter((r) => r.checkVisibility()).length"


def text(browser, selector):
    return browser.js("const e = document.querySelector(arguments[0]); return e && e.textContent.replace(/\\s+/g, ' ').trim()", selector)


def row_index(browser, name):
    """Index of the first operation row with this name."""
    return browser.js("return [...document.querySelectorAll(arguments[0])].findIndex((r) => r.querySelector('.n').textContent.includes(arguments[1]))",
                      ".rank .rows .r[data-a]", name)


def name_at(browser, line):
    """Name in the row of a call from this line of the program."""
    return browser.js("return [...document.querySelectorAll('.rows .r[data-a]')].find((r) => r.querySelector('.f').textContent.endsWith(':' + arguments[0]))"
                      ".querySelector('.n').textContent", line)


def mark(browser, name):
    """Give the first row with this name an id, so that it can be clicked."""
    browser.js("document.querySelectorAll('#target').forEach((e) => e.removeAttribute('id'));"
               "document.querySelectorAll(arguments[0])[arguments[1]].id = 'target'",
               ".rank .rows .r[data-a]", row_index(browser, name))


def attributes(browser):
    return dict(browser.js("return [...document.querySelectorAll('#attributes > div')].map((d) => [...d.children].map((c) => c.textContent))"))


def quiet_since(check, browser, what, address):
    """Check that the console has nothing, and that nothing but the page was requested."""
    messages = [m for level, m in browser.console() if level != "info"]
    check.equal(f"{what}: console", [], messages)
    folder = address.rsplit("/", 1)[0] + "/"
    others = [a for a in browser.requests() if not a.startswith(("data:", "blob:", folder))]
    check.equal(f"{what}: requests to others", [], others)


def background(browser):
    return browser.js("return getComputedStyle(document.documentElement).backgroundColor")


def check_nested(check, browser, what):
    """Check the page of nested.xml."""
    check.equal(f"{what}: rank in the header", "P0 of 4 md", text(browser, "h1"))
    check.equal(f"{what}: operations", "22", text(browser, ".rank .operations"))
    check.equal(f"{what}: total time", "969 ms", text(browser, ".rank .figures dd"))
    check.true(f"{what}: lost records", "12 (calls made in a signal handler)" in text(browser, ".rank .warn"))
    counts = browser.js("return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].slice(0, 3).map((c) => c.textContent))",
                        ".rank .counts:not(.filtered) tbody tr")
    check.true(f"{what}: counts of send", ["send", "mpi", "2"] in counts, counts)
    check.equal(f"{what}: rows of the table of counts", 20, len(counts))
    filtered = browser.js("return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].map((c) => c.textContent))",
                          ".rank .filtered tbody tr")
    check.equal(f"{what}: filtered operations", [["send", "mpi", "P0_comm9", "1,000", "10.0 ms", "10.0 µs", "4.10 kB"],
                                                   ["Group::shift", "oops", "", "3", "300 µs", "100 µs", ""]], filtered)
    check.equal(f"{what}: number of filtered operations", "1,003", text(browser, ".rank .only-counted"))
    legend = browser.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", ".rank .legend > span")
    check.equal(f"{what}: levels in the legend", ["mpi", "app", "oops", "scalapack", "pblas", "blacs", "petsc", "collector"], legend)
    check_tree(check, browser, what)
    check_colours(check, browser, what)


def check_tree(check, browser, what):
    before = browser.js(f"return {VISIBLE_ROWS}")
    mark(browser, "time step")
    browser.click("#target")
    browser.wait(f"{VISIBLE_ROWS} === {before + 2}")
    check.equal(f"{what}: attribute of a region", "n=1 dt=0.005", attributes(browser).get("args"))
    mark(browser, "receive")
    browser.click("#target")
    browser.wait("document.getElementById('panel-name').textContent === 'receive'")
    expected = {"operation": "receive", "file": "auxfmd.c", "line": "51", "start_time": "0.025400000",
                "finish_time": "0.055420000", "count": "1", "type": "MPI_INT", "rem": "1", "posted": "any", "tag": "0",
                "comm": "MPI_COMM_WORLD", "bytes": "4"}
    check.equal(f"{what}: all attributes of a receive", expected, attributes(browser))
    check.equal(f"{what}: cells of a receive", ["receive", "← 1 (any)", "4 B", "auxfmd.c:51", "30.0 ms"],
                browser.js("return [...document.getElementById('target').children].map((c) => c.textContent.trim()).filter(Boolean)"))
    browser.press("down")
    browser.wait("document.getElementById('panel-name').textContent === 'type_contiguous'")
    bar = browser.js("const r = document.getElementById('target'), t = r.querySelector('.t').getBoundingClientRect(), i = r.querySelector('i').getBoundingClientRect();"
                     "return [(i.left - t.left) / t.width, i.width / t.width]")
    check.true(f"{what}: a bar starts at the start of its call", abs(bar[0] - 0.0254 / 0.969) < 0.004, bar)
    check.true(f"{what}: a bar is as long as its call", abs(bar[1] - 0.03002 / 0.969) < 0.004, bar)
    browser.press("escape")
    check.equal(f"{what}: Escape closes the panel", True, browser.js("return document.getElementById('panel').hidden"))
    check.equal(f"{what}: an operation without an end", "open",
                browser.js("return document.querySelectorAll(arguments[0])[arguments[1]].querySelector('.d').textContent",
                           ".rank .rows .r[data-a]", row_index(browser, "output")))


def check_colours(check, browser, what):
    browser.scheme("light")
    light = background(browser)
    browser.scheme("dark")
    dark = background(browser)
    check.true(f"{what}: dark differs from light", light != dark, (light, dark))
    browser.scheme("light")


def check_filter(check, browser, what):
    browser.type(".rank .filter", "send md.c")
    browser.wait("!document.querySelector('.rank .found').hidden")
    check.equal(f"{what}: filter by name and file", ["sendrecv", "send error 15"],
                browser.js("return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent.replace(/error/, ' error').replace(/\\s+/g, ' ').trim())", ".rank .found .n"))
    browser.js("document.querySelectorAll(arguments[0])[1].click()", ".rank .found .r")
    browser.click("#reveal")
    check.equal(f"{what}: a match is shown in the tree", [False, "send"],
                browser.js("return [document.querySelector('.rank .rows').hidden, document.querySelector('.rank .rows .chosen .n').childNodes[1].textContent]"))
    browser.press("z")
    check.equal(f"{what}: key z zooms to the operation", ["530.00 ms", "531.00 ms"],
                browser.js("return ['.from', '.to'].map((s) => document.querySelector('.rank ' + s).textContent)"))
    browser.press("escape")


class Site:
    """Pages, traces and the browser of one test run."""

    def __init__(self, stylesheet, output, folder, browser):
        self.stylesheet, self.output, self.folder, self.browser = stylesheet, output, folder, browser
        browser.open("about:blank")
        browser.console(), browser.requests()

    def path(self, name):
        return os.path.join(self.folder, name)

    def page(self, name, trace, stylesheet=None):
        """Make a page with xsltproc and return its address."""
        subprocess.run(["xsltproc", "--novalid", "-o", self.path(name), stylesheet or self.stylesheet, trace], check=True, timeout=120)
        return "file://" + self.path(name)

    def shot(self, name):
        self.browser.screenshot(os.path.join(self.output, name + ".png"))


def a_page_from_a_file(check, site):
    b = site.browser
    address = site.page("nested.html", os.path.join(HERE, "nested.xml"))
    b.open(address)
    check_nested(check, b, "file")
    check_filter(check, b, "file")
    site.shot("file")
    b.size(480, 900)
    check.true("file: no horizontal scrolling in a narrow window", b.js("return document.documentElement.scrollWidth <= innerWidth"))
    site.shot("narrow")
    b.size(1280, 900)
    b.open(site.page("paper.html", os.path.join(HERE, "paper.xml")))
    mark(b, "receive")
    b.click("#target")
    check.equal("paper: ISO-8859-1 text", "posição", attributes(b).get("nota"))
    check.true("paper: method names as in the paper", row_index(b, "OOPS::TopologyPipe::TopologyPipe") == 0)
    quiet_since(check, b, "file", address)


# Firefox leaves attr(name) in the value.
ROW = """const e = document.querySelector(arguments[0]), content = getComputedStyle(e, '::before').content;
    const parts = [...content.matchAll(/"([^"]*)"|attr\\((\\w+)\\)/g)].map((m) => m[2] ? e.getAttribute(m[2]) : m[1]);
    return parts.join('').replace(/\\s+/g, ' ').trim()"""
COLOUR = "return getComputedStyle(document.querySelector(arguments[0])).borderLeftColor"
HEIGHT = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
CALLER, INSIDE = "hieraOOPS[method=bcast]", "hieraOOPS[method=bcast] > *"


def trace_beside(site, name, trace):
    """A folder as a job leaves it. Returns the path of the trace."""
    folder = site.path(name)
    os.mkdir(folder)
    for companion in ("visual.xsl", "visual.css", "trace.dtd"):
        shutil.copy(os.path.join(os.path.dirname(site.stylesheet), companion), folder)
    with open(trace, encoding="utf-8") as file:
        body = file.read().split("?>", 2)[2]
    with open(os.path.join(folder, "trace0.xml"), "w", encoding="utf-8") as file:
        file.write(traces.HEAD + body)
    return os.path.join(folder, "trace0.xml")


def check_rows(check, browser, what):
    """Check what visual.css makes of nested.xml."""
    check.true(f"{what}: the header says which rank", browser.js(ROW, "processor").startswith("P0 of 4 md"), browser.js(ROW, "processor"))
    expected = {"hieraMPI[operation=receive]": "receive ← 1 4 B 1 MPI_INT auxfmd.c:51 0.025400000 to 0.055420000 s",
                "hieraMPI[operation=sendrecv]": "sendrecv → 1 ← 3 4096 B md.c:150 0.420000000 to 0.447000000 s",
                "hieraRegion[operation=output]": "▸ output md.c:181 0.600000000 s, did not end",
                "hieraLost": "12 operations are missing: calls made in a signal handler",
                CALLER: "▸ TopologyGrid::bcast root=0 md.c:46 0.110000000 to 0.190000000 s"}
    for selector, row in expected.items():
        check.equal(f"{what}: row of {selector}", row, browser.js(ROW, selector))
        check.true(f"{what}: {selector} is seen", browser.js(HEIGHT, selector) > 10)
    check.true(f"{what}: levels have colours", len({browser.js(COLOUR, s) for s in ("hieraMPI", "hieraRegion", "hieraOOPS")}) == 3)
    check.equal(f"{what}: the third level is folded", 0, browser.js(HEIGHT, INSIDE))


def a_trace_on_the_disk(check, site):
    b = site.browser
    b.size(1280, 900)
    b.open("file://" + trace_beside(site, "disk", os.path.join(HERE, "nested.xml")))
    check_rows(check, b, "disk")
    site.shot("disk")
    b.click(CALLER)
    b.js("document.activeElement && document.activeElement.blur()")
    check.true("disk: a click shows what is inside, and it stays", b.js(HEIGHT, INSIDE) > 10)
    site.shot("disk-open")
    check.equal("disk: console", [], [m for level, m in b.console() if level != "info"])


def a_trace_from_a_server(check, site):
    folder = os.path.dirname(trace_beside(site, "served", os.path.join(HERE, "nested.xml")))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/trace0.xml"
        site.browser.open(address)
        check_rows(check, site.browser, "served")
        # not even a warning that XSLT goes away
        check.equal("served: console", [], [m for level, m in site.browser.console() if level != "info" and "favicon" not in m])
        site.browser.open("about:blank")
        if os.access(firefox.FIREFOX, os.X_OK):
            in_firefox(check, folder, address)
        server.shutdown()


def in_firefox(check, folder, address):
    """Firefox applies XSLT to what a server gives, and the style sheet to what is on the disk."""
    browser = firefox.Firefox()
    try:
        browser.open(address)
        check.equal("Firefox, served: the page of visual.xsl", "22", text(browser, ".rank .operations"))
        browser.open(f"file://{folder}/trace0.xml")
        check_rows(check, browser, "Firefox, disk")
    finally:
        browser.close()


def many_operations(check, site):
    """More than 10,000 siblings are in groups of groups."""
    b = site.browser
    count = traces.many(site.path("flat.xml"), 10500, True)
    address = site.page("flat.html", site.path("flat.xml"))
    seconds = b.open(address)
    print(f"flat: {count} operations, loaded in {seconds:.2f} s, {os.path.getsize(site.path('flat.html')) / 1e6:.1f} MB")
    check.true(f"flat: loads in {LOAD_SECONDS} s", seconds < LOAD_SECONDS, seconds)
    check.equal("flat: operations", f"{count:,}", text(b, ".operations"))
    check.equal("flat: all operations are in the tree", count, b.js("return document.querySelectorAll('.rows [data-a]').length"))
    rows = b.js(f"return {VISIBLE_ROWS}")
    check.true("flat: few rows are shown at first", 0 < rows <= 100, rows)
    b.click(".rows > .g > summary")
    rows = b.js(f"return {VISIBLE_ROWS}")
    check.true("flat: a hundred more in an opened group", 100 < rows <= ROWS_AT_ONCE, rows)
    edges = b.js("return [...new Set([...document.querySelectorAll('.rows .r .d')].filter((d) => d.checkVisibility()).map((d) => Math.round(d.getBoundingClientRect().right)))]")
    check.equal("flat: columns of all rows are aligned", 1, len(edges))
    site.shot("flat")
    b.type(".filter", "waitall")
    b.wait("!document.querySelector('.found').hidden")
    check.equal("flat: number of matches shown is limited", 200, b.js("return document.querySelectorAll('.found .r').length"))
    quiet_since(check, b, "flat", address)


def more_than_are_listed(check, site):
    """Of a large trace the first operations of each caller are listed; the page and the filter say of how many."""
    b = site.browser
    count = traces.many(site.path("large.xml"), 8000)
    address = site.page("large.html", site.path("large.xml"), traces.list_fewer(site.stylesheet, site.path("fewer.xsl")))
    b.open(address)
    listed = b.js("return document.querySelectorAll('.rows [data-a]').length")
    check.true("large: some operations are listed, not all", 1000 < listed <= 1200, listed)
    check.true("large: the page says how many", text(b, ".listed").startswith(f"{listed:,} of {count:,} operations are listed"), text(b, ".listed"))
    b.type(".filter", "waitall")
    b.wait("!document.querySelector('.found').hidden")
    check.true("large: the filter says of how many", f"of those on this page ({listed:,} of {count:,})" in text(b, ".found p"), text(b, ".found p"))
    b.size(390, 800)
    check.true("large: no horizontal scrolling on a phone", b.js("return document.documentElement.scrollWidth <= innerWidth"))
    site.shot("large-phone")
    b.size(1280, 900)
    quiet_since(check, b, "large", address)


def many_levels(check, site):
    """More than templates of libxslt may call each other."""
    with open(site.path("levels.xml"), "w", encoding="utf-8") as file:
        file.write('<processor rank="P0" init="0" finalize="9">' + "".join(
            f'<hieraRegion level="l{i}" operation="f{i}" file="a.c" line="1" start_time="0.{i:04d}" finish_time="0.{i:04d}5"/>' for i in range(3100)) + "</processor>")
    site.browser.open(site.page("levels.html", site.path("levels.xml")))
    check.equal("levels: all operations are on the page", 3100, site.browser.js("return document.querySelectorAll('.rows [data-a]').length"))
    check.equal("levels: the legend has the first ones", 51, site.browser.js("return document.querySelectorAll('.legend > span').length"))


def hostile_text(check, site):
    b = site.browser
    traces.hostile(site.path("hostile.xml"))
    address = site.page("hostile.html", site.path("hostile.xml"))
    b.open(address)
    check.equal("hostile: no script of the trace ran", None, b.js("return window.hurt"))
    check.equal("hostile: no element of the trace", 0, b.js("return document.querySelectorAll('img').length"))
    mark(b, traces.HOSTILE[:6])
    b.js("document.getElementById('target').click()")
    check.equal("hostile: the text is shown unchanged", traces.HOSTILE, attributes(b).get("operation"))
    check.equal("hostile: a line feed does not make a new attribute", "first␤forged=line", attributes(b).get("two"))
    check.equal("hostile: no character hides or reorders a name", "�gpj.exe", name_at(b, 3))
    quiet_since(check, b, "hostile", address)


TESTS = [a_page_from_a_file, a_trace_on_the_disk, a_trace_from_a_server, many_operations, more_than_are_listed, many_levels, hostile_text]


def main(stylesheet, output):
    if not shutil.which("xsltproc"):
        print("skipped: xsltproc is not installed")
        return 77
    return run(TESTS, lambda folder, browser: Site(os.path.abspath(stylesheet), output, folder, browser), output)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
