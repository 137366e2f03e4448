"""The page in a real browser: what it shows and what a user can do, opened from a file, from a server, and with many operations.

use: test_page.py MAKE_PAGE STYLESHEET OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing. Screenshots are left in OUTPUT_FOLDER."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import traces
from webdriver import Browser, missing

HERE = os.path.dirname(os.path.abspath(__file__))
SHOWN = ".rank:not([hidden])"
# Long, because the machine may be busy. On an idle one it takes about half a second.
LOAD_SECONDS = 10
ROWS_AT_ONCE = 300

VISIBLE_ROWS = "[...document.querySelectorAll('.rows .r')].filter((r) => r.checkVisibility()).length"


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


def text(browser, selector):
    return browser.js("const e = document.querySelector(arguments[0]); return e && e.textContent.replace(/\\s+/g, ' ').trim()", selector)


def row_index(browser, name):
    """Index of the first operation row with this name, for the rank that is shown."""
    return browser.js("return [...document.querySelectorAll(arguments[0])].findIndex((r) => r.querySelector('.n').textContent.includes(arguments[1]))",
                      f"{SHOWN} .rows .r[data-a]", name)


def name_at(browser, line):
    """Name in the row of a call from this line of the program."""
    return browser.js("return [...document.querySelectorAll('.rows .r[data-a]')].find((r) => r.querySelector('.f').textContent.endsWith(':' + arguments[0]))"
                      ".querySelector('.n').textContent", line)


def mark(browser, name):
    """Give the first row with this name an id, so that it can be clicked."""
    browser.js("document.querySelectorAll('#target').forEach((e) => e.removeAttribute('id'));"
               "document.querySelectorAll(arguments[0])[arguments[1]].id = 'target'",
               f"{SHOWN} .rows .r[data-a]", row_index(browser, name))


def attributes(browser):
    return dict(browser.js("return [...document.querySelectorAll('#attributes > div')].map((d) => [...d.children].map((c) => c.textContent))"))


def quiet_since(check, browser, what, address):
    """Check that the console has only Chromium's warning about XSLT, and that nothing but the page was requested."""
    messages = [m for level, m in browser.console() if level != "INFO" and "XSLT" not in m]
    check.equal(f"{what}: console", [], messages)
    folder = address.rsplit("/", 1)[0] + "/"
    others = [a for a in browser.requests() if not a.startswith(("data:", "blob:", folder))]
    check.equal(f"{what}: requests to others", [], others)


def background(browser):
    return browser.js("return getComputedStyle(document.documentElement).backgroundColor")


def check_nested(check, browser, what):
    """Check the page of nested.xml, for the rank that is shown."""
    check.true(f"{what}: rank in the header", "P0" in (text(browser, f"{SHOWN} h2") or text(browser, "h1")))
    check.equal(f"{what}: operations", "22", text(browser, f"{SHOWN} .operations"))
    check.equal(f"{what}: total time", "969.05 ms", text(browser, f"{SHOWN} .figures dd"))
    check.true(f"{what}: lost records", "12 (calls made in a signal handler)" in text(browser, f"{SHOWN} .warn"))
    counts = browser.js("return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].slice(0, 3).map((c) => c.textContent))",
                        f"{SHOWN} .counts:not(.filtered) tbody tr")
    check.true(f"{what}: counts of send", ["send", "mpi", "2"] in counts, counts)
    check.equal(f"{what}: rows of the table of counts", 20, len(counts))
    filtered = browser.js("return [...document.querySelectorAll(arguments[0])].map((r) => [...r.cells].map((c) => c.textContent))",
                          f"{SHOWN} .filtered tbody tr")
    check.equal(f"{what}: filtered operations", [["send", "mpi", "P0_comm9", "1,000", "10.00 ms", "10.0 µs", "4 KiB"],
                                                   ["Group::shift", "oops", "", "3", "300.0 µs", "100.0 µs", ""]], filtered)
    check.equal(f"{what}: number of filtered operations", "1,003", text(browser, f"{SHOWN} .only-counted"))
    legend = browser.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", f"{SHOWN} .legend > span")
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
    check.equal(f"{what}: cells of a receive", ["receive", "← 1 (any)", "4 B", "auxfmd.c:51", "30.02 ms"],
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
                           f"{SHOWN} .rows .r[data-a]", row_index(browser, "output")))


def check_colours(check, browser, what):
    browser.scheme("light")
    light = background(browser)
    browser.scheme("dark")
    dark = background(browser)
    check.true(f"{what}: dark differs from light", light != dark, (light, dark))
    browser.js("document.getElementById('theme').click()")  # Chromium's warning about XSLT may cover it
    check.equal(f"{what}: the button switches from dark to light", light, background(browser))
    browser.js("try { localStorage.clear() } catch (e) {} delete document.documentElement.dataset.theme")
    browser.scheme("light")


def check_filter(check, browser, what):
    browser.type(f"{SHOWN} .filter", "send md.c")
    browser.wait(f"!document.querySelector('{SHOWN} .found').hidden")
    check.equal(f"{what}: filter by name and file", ["sendrecv", "send error 15"],
                browser.js("return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent.replace(/error/, ' error').replace(/\\s+/g, ' ').trim())", f"{SHOWN} .found .n"))
    browser.js("document.querySelectorAll(arguments[0])[1].click()", f"{SHOWN} .found .r")
    browser.click("#reveal")
    check.equal(f"{what}: a match is shown in the tree", [False, "send"],
                browser.js(f"return [document.querySelector('{SHOWN} .rows').hidden, document.querySelector('{SHOWN} .rows .chosen .n').childNodes[1].textContent]"))
    browser.press("z")
    check.equal(f"{what}: key z zooms to the operation", ["530.00 ms", "531.00 ms"],
                browser.js(f"return ['.from', '.to'].map((s) => document.querySelector('{SHOWN} ' + s).textContent)"))
    browser.press("escape")


class Site:
    """Pages, traces and the browser of one test run."""

    def __init__(self, make_page, stylesheet, output, folder, browser):
        self.make_page, self.stylesheet, self.output, self.folder, self.browser = make_page, stylesheet, output, folder, browser
        browser.open("about:blank")
        browser.console(), browser.requests()

    def path(self, name):
        return os.path.join(self.folder, name)

    def page(self, name, *inputs, limit=0):
        """Write a page with hiera_page_write and return its address."""
        subprocess.run([self.make_page, self.stylesheet, str(limit), self.path(name), *inputs], check=True, timeout=120)
        return "file://" + self.path(name)

    def refuses(self, check, what, expected, *inputs):
        """Check that no page is written, and that one line gives this reason."""
        out = self.path("refused.html")
        done = subprocess.run([self.make_page, self.stylesheet, "0", out, *inputs], capture_output=True, text=True, timeout=120)
        check.equal(f"{what}: exit", 1, done.returncode)
        check.true(f"{what}: message", done.stderr.startswith(expected) and done.stderr.count("\n") == 1, done.stderr)
        check.equal(f"{what}: no file left", [], [n for n in os.listdir(self.folder) if n.startswith("refused")])

    def shot(self, name):
        self.browser.screenshot(os.path.join(self.output, name + ".png"))


def a_report_from_a_file(check, site):
    b = site.browser
    address = site.page("report.html", os.path.join(HERE, "nested.xml"), os.path.join(HERE, "paper.xml"))
    b.open(address)
    check.equal("report: rows of the table of ranks", [["P0", "n1", "22"], ["P1", "", "9"]],
                b.js("return [...document.querySelectorAll('.ranks tbody tr')].map((r) => [...r.cells].slice(0, 3).map((c) => c.textContent))"))
    check_nested(check, b, "report")
    check_filter(check, b, "report")
    site.shot("report")
    b.js("const c = document.getElementById('chooser'); c.value = 'r2'; c.dispatchEvent(new Event('change'))")
    b.wait("document.getElementById('r1').hidden && !document.getElementById('r2').hidden")
    check.equal("report: the other rank", "P1", text(b, f"{SHOWN} h2"))
    mark(b, "receive")
    b.click("#target")
    check.equal("report: ISO-8859-1 text", "posição", attributes(b).get("nota"))
    check.true("report: method names as in the paper", row_index(b, "OOPS::TopologyPipe::TopologyPipe") == 0)
    b.click(".ranks tbody tr:first-child a")
    b.wait("!document.getElementById('r1').hidden")
    b.size(480, 900)
    check.true("report: no horizontal scrolling in a narrow window", b.js("return document.documentElement.scrollWidth <= innerWidth"))
    site.shot("narrow")
    b.size(1280, 900)
    quiet_since(check, b, "report", address)


def a_trace_from_a_server(check, site):
    folder = site.path("served")
    os.mkdir(folder)
    shutil.copy(os.path.join(HERE, "nested.xml"), os.path.join(folder, "trace0.xml"))
    shutil.copy(site.stylesheet, os.path.join(folder, "visual.xsl"))
    # Chromium shows an empty page if the DTD that the trace names is missing.
    shutil.copy(os.path.join(os.path.dirname(site.stylesheet), "trace.dtd"), folder)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/trace0.xml"
        site.browser.open(address)
        site.browser.wait("document.querySelector('.rows .r')")
        check_nested(check, site.browser, "served")
        check_filter(check, site.browser, "served")
        site.shot("served")
        quiet_since(check, site.browser, "served", address)
        site.browser.open("about:blank")
        server.shutdown()


def many_operations(check, site):
    b = site.browser
    for name, flat in (("many", False), ("flat", True)):
        count = traces.many(site.path(name + ".xml"), 10000, flat)
        address = site.page(name + ".html", site.path(name + ".xml"))
        seconds = b.open(address)
        print(f"{name}: {count} operations, loaded in {seconds:.2f} s, {os.path.getsize(site.path(name + '.html')) / 1e6:.1f} MB")
        check.true(f"{name}: loads in {LOAD_SECONDS} s", seconds < LOAD_SECONDS, seconds)
        check.equal(f"{name}: operations", f"{count:,}", text(b, ".operations"))
        check.equal(f"{name}: all operations are in the tree", count, b.js("return document.querySelectorAll('.rows [data-a]').length"))
        rows = b.js(f"return {VISIBLE_ROWS}")
        check.true(f"{name}: few rows are shown at first", 0 < rows <= 100, rows)
        b.click(".rows > .g > summary")
        rows = b.js(f"return {VISIBLE_ROWS}")
        check.true(f"{name}: a hundred more in an opened group", 100 < rows <= ROWS_AT_ONCE, rows)
        edges = b.js("return [...new Set([...document.querySelectorAll('.rows .r .d')].filter((d) => d.checkVisibility()).map((d) => Math.round(d.getBoundingClientRect().right)))]")
        check.equal(f"{name}: columns of all rows are aligned", 1, len(edges))
        site.shot(name)
        b.type(".filter", "waitall")
        b.wait("!document.querySelector('.found').hidden")
        check.equal(f"{name}: number of matches shown is limited", 200, b.js("return document.querySelectorAll('.found .r').length"))
        quiet_since(check, b, name, address)


def a_bounded_page(check, site):
    b = site.browser
    b.open(site.page("bounded.html", site.path("many.xml"), limit=7))
    check.true("bounded: the number of omitted operations is shown", "9,993 further operations" in text(b, ".notice"), text(b, ".notice"))
    check.equal("bounded: the first ones are shown", 7, b.js("return document.querySelectorAll('.rows [data-a]').length"))
    check.equal("bounded: the figures count all operations of the run", [["operations", "10,000"]],
                b.js("return [...document.querySelectorAll('.figures div')].slice(1).map((d) => [...d.children].map((c) => c.textContent))"))
    check.equal("bounded: no sums of only a part", 0, b.js("return document.querySelectorAll('.counts').length"))
    check.equal("bounded: no sums in the table of ranks", ["10,000", "—", ""],
                b.js("return [2, 4, 5].map((i) => document.querySelector('.ranks tbody tr').cells[i].textContent)"))
    b.type(".filter", "isend")
    b.wait("!document.querySelector('.found').hidden")
    check.equal("bounded: the search says that it covers this page only", "2 operations match of those on this page.", text(b, ".found p"))
    check.true("bounded: the notice says where the sums are", "--measure counts" in text(b, ".notice"))


def one_time_axis(check, site):
    """The same axis also for a rank that began later and ended earlier."""
    for rank, init, finalize in ((0, 0, 10), (1, 2, 6)):
        with open(site.path(f"axis{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(f'<processor rank="P{rank}" init="{init}" finalize="{finalize}" size="2">'
                       '<hieraMPI operation="barrier" file="a.c" line="1" start_time="5" finish_time="6"/></processor>')
    b = site.browser
    b.open(site.page("axis.html", site.path("axis0.xml"), site.path("axis1.xml")))
    check.equal("axis: the same for both ranks", 2 * [["0", "10", "0 ns", "10.00 s"]],
                b.js("return [...document.querySelectorAll('.tree')].map((t) => [t.dataset.init, t.dataset.end, ...[...t.querySelectorAll('.axis .t span')].map((e) => e.textContent)])"))
    check.equal("axis: calls at the same time have the same place", 2 * [["0.5", "0.1"]],
                b.js("return [...document.querySelectorAll('.rows i')].map((i) => ['--s', '--w'].map((p) => i.style.getPropertyValue(p)))"))


def many_levels(check, site):
    with open(site.path("levels.xml"), "w", encoding="utf-8") as file:
        file.write('<processor rank="P0" init="0" finalize="9">' + "".join(
            f'<hieraRegion level="l{i}" operation="f{i}" file="a.c" line="1" start_time="0.{i:04d}" finish_time="0.{i:04d}5"/>' for i in range(4000)) + "</processor>")
    site.browser.open(site.page("levels.html", site.path("levels.xml")))
    check.equal("levels: all operations are on the page", 4000, site.browser.js("return document.querySelectorAll('.rows [data-a]').length"))
    check.equal("levels: the legend has the first ones", 51, site.browser.js("return document.querySelectorAll('.legend > span').length"))


def a_cut_trace(check, site):
    with open(os.path.join(HERE, "nested.xml"), encoding="utf-8") as file:
        whole = file.read()
    for name, cut in (("in a tag", whole[:whole.index("dgebs2d_.c")]), ("before a hole", whole[:whole.index("<hieraThread")] + "\0" * 5000),
                      ("after an element", whole[:whole.index("  <hieraFlush")])):
        with open(site.path("cut.xml"), "w", encoding="utf-8") as file:
            file.write(cut)
        site.browser.open(site.page("cut.html", site.path("cut.xml")))
        check.true(f"cut {name}: the notice says that the trace is cut", "cut short" in text(site.browser, ".notice"), text(site.browser, ".notice"))
        check.true(f"cut {name}: operations before the cut are shown", row_index(site.browser, "time step") == 3)


def deep_nesting(check, site):
    traces.deep(site.path("deep.xml"), 100000)
    site.browser.open(site.page("deep.html", site.path("deep.xml")))
    check.true("deep: the number of omitted operations is shown", "99,800 further operations" in text(site.browser, ".notice"), text(site.browser, ".notice"))
    check.equal("deep: nesting survives the browser's parser", 200,
                site.browser.js("let n = 0; for (let e = [...document.querySelectorAll('.rows [data-a]')].pop(); e; e = e.parentElement.closest('details')) n++; return n"))


def hostile_text(check, site):
    b = site.browser
    traces.hostile(site.path("hostile.xml"))
    for name, limit in (("hostile.html", 0),):
        address = site.page(name, site.path("hostile.xml"), limit=limit)
        b.open(address)
        check.equal("hostile: no script of the trace ran", None, b.js("return window.hurt"))
        check.equal("hostile: no element of the trace", 0, b.js("return document.querySelectorAll('img').length"))
        mark(b, traces.HOSTILE[:6])
        b.js("document.getElementById('target').click()")
        check.equal("hostile: the text is shown unchanged", traces.HOSTILE, attributes(b).get("operation"))
        check.equal("hostile: a line feed does not make a new attribute", "first␤forged=line", attributes(b).get("two"))
        check.equal("hostile: no character hides or reorders a name", "�gpj.exe", name_at(b, 3))
        quiet_since(check, b, "hostile", address)


def unreadable_input(check, site):
    def write(name, content):
        with open(site.path(name), "w", encoding="utf-8") as file:
            file.write(content)
        return site.path(name)

    site.refuses(check, "no such file", site.path("absent.xml") + ": cannot be opened: No such file", site.path("absent.xml"))
    site.refuses(check, "another root", site.path("other.xml") + ":2: the root element is 'html'", write("other.xml", "<?xml version='1.0'?>\n<html/>"))
    site.refuses(check, "empty file", site.path("empty.xml") + ":1: no element 'processor'", write("empty.xml", ""))
    site.refuses(check, "not XML from the root on", site.path("broken.xml") + ":2: ", write("broken.xml", "<processor rank='P0'\n<a/>\n" + " " * 9000))
    bomb = "<!DOCTYPE processor [<!ENTITY a 'ha'>\n<!ENTITY b '&a;&a;'>]>\n<processor rank='&b;' init='0' finalize='1'/>"
    site.refuses(check, "entities", site.path("bomb.xml") + ":1: declares an entity", write("bomb.xml", bomb))
    leak = f"<!DOCTYPE processor [\n<!ENTITY x SYSTEM 'file://{site.path('secret')}'>]>\n<processor rank='P0' init='0' finalize='1'>&x;</processor>"
    write("secret", "<hieraLost count='1' reason='secret'/>")
    site.refuses(check, "external entity", site.path("leak.xml") + ":2: declares an entity", write("leak.xml", leak))
    stylesheet, site.stylesheet = site.stylesheet, write("reads.xsl",
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'>"
        f"<p><xsl:copy-of select=\"document('file://{site.path('secret')}')\"/></p></xsl:template></xsl:stylesheet>")
    done = subprocess.run([site.make_page, site.stylesheet, "0", "-", os.path.join(HERE, "nested.xml")], capture_output=True, text=True, timeout=60)
    check.true("a stylesheet cannot read files", "secret'/" not in done.stdout and 'reason="secret"' not in done.stdout, done.stdout)
    write("bad.xsl", "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template/></xsl:stylesheet>")
    site.stylesheet = site.path("bad.xsl")
    site.refuses(check, "a wrong stylesheet", "stylesheet: cannot be used: ", os.path.join(HERE, "nested.xml"))
    site.stylesheet = stylesheet


TESTS = [a_report_from_a_file, a_trace_from_a_server, many_operations, a_bounded_page, one_time_axis, many_levels, a_cut_trace, deep_nesting, hostile_text, unreadable_input]


def main(make_page, stylesheet, output):
    absent = missing()
    if absent:
        print(f"skipped: {absent} is not installed (Debian: chromium, chromium-driver)")
        return 77
    os.makedirs(output, exist_ok=True)
    check = Checks()
    with tempfile.TemporaryDirectory(prefix="hiera-page-") as folder, Browser() as browser:
        browser.size(1280, 900)
        browser.scheme("light")
        site = Site(os.path.abspath(make_page), os.path.abspath(stylesheet), output, folder, browser)
        for test in TESTS:
            begin, before = time.monotonic(), check.failed
            browser.console(), browser.requests()
            try:
                test(check, site)
            except (AssertionError, RuntimeError, subprocess.SubprocessError) as error:
                check.failed += 1
                print(f"FAILED {test.__name__}: {error}", flush=True)
            print(f"{'ok' if check.failed == before else 'FAILED'} {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    print(f"{check.done} checks, {check.failed} failed; screenshots in {output}")
    return 1 if check.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
