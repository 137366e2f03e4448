"""The timeline of the page of --html, in a real browser, by mouse, wheel, touch and minimap, and when the page holds less than a zoom wants.

use: test_moves.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import csv
import io
import os
import shlex

import traces
from reports import FRAME, GOLDEN, main, measured, tables, texts

TEAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "export", "teams")
WINDOW = "const {begin, end} = hiera.timeline.window; return [begin, end]"


class Hand:
    """Does with the canvas of the timeline what a person does."""

    def __init__(self, browser):
        self.browser = browser
        browser.js("document.querySelector('#timeline').scrollIntoView()")
        box = browser.js("const r = hiera.timeline.canvas.getBoundingClientRect(); return [r.left, r.top]")
        self.left, self.top = box[0], box[1] + 40

    def window(self):
        self.browser.js_later(FRAME)
        return self.browser.js(WINDOW)

    def time(self, x):
        """The time at a place of the canvas."""
        return self.browser.js("return hiera.timeline.painter.time(arguments[0])", x)

    def mouse(self, kind, x, y=None, **more):
        self.browser.cdp("Input.dispatchMouseEvent", type=kind, x=self.left + x, y=self.top if y is None else y, **more)

    def drag(self, begin, end, y=None, left=None):
        before, self.left = self.left, self.left if left is None else left
        self.mouse("mousePressed", begin, y, button="left", clickCount=1)
        self.mouse("mouseMoved", end, y, button="left", buttons=1)
        self.mouse("mouseReleased", end, y, button="left", clickCount=1)
        self.left = before

    def touch(self, *steps):
        """Fingers at places, step by step, then none."""
        for i, places in enumerate([*steps, ()]):
            kind = "touchStart" if i == 0 else "touchMove" if places else "touchEnd"
            self.browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": self.left + x, "y": self.top, "id": k} for k, x in enumerate(places)])


def click(browser, x, y):
    for kind in ("mousePressed", "mouseReleased"):
        browser.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def mouse_wheel_touch_and_minimap(check, site):
    b = site.browser
    site.page("moves.html", os.path.join(GOLDEN, "traces", "late"))
    b.wait("hiera.timeline.picture")
    hand = Hand(b)
    whole = hand.window()
    under = hand.time(600)
    hand.mouse("mouseWheel", 600, deltaX=0, deltaY=-600)
    b.wait("hiera.timeline.window.span < hiera.timeline.store.length / 2")
    zoomed = hand.window()
    check.true("wheel: the time under the pointer stays there", abs(hand.time(600) - under) < 0.01 * (whole[1] - whole[0]), [under, hand.time(600)])
    hand.drag(600, 500)
    moved = hand.window()
    check.true("drag: to the left shows what is later", moved[0] > zoomed[0], [zoomed, moved])
    check.equal("drag: as long as before", round(zoomed[1] - zoomed[0]), round(moved[1] - moved[0]))
    check.equal("drag: nothing is chosen", None, b.js("return hiera.timeline.chosen"))
    hand.mouse("mouseWheel", 600, deltaX=0, deltaY=900)
    b.wait("hiera.timeline.window.span > hiera.timeline.store.length * 0.9")
    hand.window()
    b.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    hand.touch((550, 650), (520, 680), (450, 750))
    pinched = hand.window()
    check.true("two fingers apart: a smaller window", pinched[1] - pinched[0] < 0.6 * (whole[1] - whole[0]), pinched)
    hand.touch((600,), (560,), (500,))
    panned = hand.window()
    check.true("one finger moves it", panned[0] > pinched[0] and round(panned[1] - panned[0]) == round(pinched[1] - pinched[0]), [pinched, panned])
    b.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
    box = b.js("const r = document.querySelector('canvas.minimap').getBoundingClientRect(); return [r.left, r.top, r.width, hiera.timeline.painter.plot]")
    middle = box[2] - box[3] / 2
    hand.drag(middle, middle, box[1] + 10, box[0])
    begin, end = hand.window()
    check.true("minimap: a click centres the window there", abs((begin + end) / 2 - whole[1] / 2) < 0.02 * whole[1], [begin, end])
    hand.drag(middle, middle + 100, box[1] + 10, box[0])
    check.true("minimap: a drag takes it along", hand.window()[0] > begin, [begin, hand.window()])
    bar = b.js("""const {timeline} = hiera, {painter, layout} = timeline; timeline.showAll();
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
          const lane = layout.shown[0], box = timeline.canvas.getBoundingClientRect();
          done([painter.x(timeline.store.length * 0.6), box.top + layout.places[lane].y + 1.5 * layout.places[lane].row]);
        })))""")
    click(b, *bar)
    b.wait("hiera.timeline.chosen")
    check.true("click: chooses the bar there", b.js("const c = hiera.timeline.chosen, half = hiera.timeline.store.length * 0.6; return c.begin <= half && half <= c.begin + c.duration"))
    for count in (1, 2):
        hand.mouse("mousePressed", bar[0], bar[1], button="left", clickCount=count)
        hand.mouse("mouseReleased", bar[0], bar[1], button="left", clickCount=count)
    b.wait("hiera.timeline.window.span < hiera.timeline.store.length")
    check.true("double click: zooms to it", b.js("const c = hiera.timeline.chosen, w = hiera.timeline.window; return w.begin <= c.begin && c.begin + c.duration <= w.end"))


def where_when_the_page_is_made(check, site):
    """--where narrows the tables, as it narrows the measures; the pictures show all."""
    b = site.browser
    folder, where = os.path.join(GOLDEN, "traces", "late"), ["--where", 'operation == "send" || duration > 2s']
    site.page("where.html", folder, *where)
    check.true("the first screen says so", where[1] in texts(b, ".part")[0], texts(b, ".part"))
    for name, expected in tables(site, folder, texts(b, "#tables summary strong"), *where).items():
        check.equal(f"where: {name}", expected, list(csv.reader(io.StringIO(b.js("return hiera.tableAsCsv(arguments[0])", name)))))
    check.equal("all operations are in the timeline", sum(row["count"] for row in measured(site, folder, "counts")), b.js("return hiera.timeline.head.run.operations"))
    check.equal("the worst of the tables are of these operations", [], b.js("""const {head, store} = hiera.timeline, among = (row) => { const at = store.places.get(row); return head.sites[at.site].name === "send" || at.duration > 2e9; };
        return hiera.worst.filter(({measures}) => /waits|statistics|matrix/.test(measures)).flatMap(({name, rows}) => rows.filter((row) => !among(row)).map((row) => [name, row]))"""))
    check.true("where needs a server in the page", "fulfil" not in b.js("hiera.search.set('where level == \"mpi\"'); return document.querySelector('#search').textContent"))


def deeper_than_what_is_stored(check, site):
    """A page without room for all operations says so when a window wants more, and its command makes a page that has all of the window."""
    b = site.browser
    trace = site.path("deep.xml")
    traces.noise(trace, 600000)
    site.page("deep.html", trace)
    size = os.path.getsize(site.path("deep.html"))
    check.true("it is below 10 MB", size < 10e6, size)
    text = "return document.querySelector('#timeline').textContent"
    b.wait("hiera.timeline.picture")
    check.true("whole run: nothing is said", "holds shorter operations only together" not in b.js(text))
    b.js("hiera.timeline.showSpan(hiera.timeline.store.length / 2, 400000)")
    b.wait("!hiera.timeline.picture.isFine")
    check.true("deeper: the page says that it holds less", "the page holds shorter operations only together" in b.js(text), b.js(text))
    b.js("const w = hiera.timeline.window; return hiera.timeline.visit({lane: 0, row: -1, begin: (w.begin + w.end) / 2, duration: 0})")
    b.wait("document.querySelector('#operation h3')")
    check.equal("deeper: what is known of an operation that is held only with others", ["rank", "at"], texts(b, "#operation dt"))
    b.js("hiera.timeline.choose(null); hiera.timeline.showSpan(hiera.timeline.store.length / 2, 400000)")
    # The window before was not fine either, so the command may still be that one's: wait until it names a window as wide as the new one.
    b.wait("""(() => { const {window} = hiera.timeline, code = document.querySelector('#timeline code');
        const [, from, to] = code && /--from ([0-9.]+) --to ([0-9.]+)/.exec(code.textContent) || [];
        return window.span > 400000 && Math.abs((to - from) * 1e9 - window.span) < 100; })()""")
    command = b.js("return document.querySelector('#timeline code').textContent")
    words = shlex.split(command)
    check.equal("deeper: the command", ["hiera-transform", trace, "--html", "window.html", "--from"], words[:5])
    window = b.js(WINDOW)
    words[words.index("window.html")] = site.path("window.html")
    check.equal("deeper: the command works", 0, site.run(*words[1:], "--quiet").returncode)
    begin = int(b.js("return hiera.timeline.head.run.begin"))
    site.open("file://" + site.path("window.html"))
    b.wait("hiera.timeline.picture")
    check.true("deeper: its page has all of it", b.js("return hiera.timeline.picture.isFine"))
    shown = [int(b.js("return hiera.timeline.head.run.begin")), int(b.js("return hiera.timeline.head.run.end"))]
    check.true("deeper: it is the window", all(abs(begin + one - other) <= 1 for one, other in zip(window, shown)), [window, shown])


def clocks_that_differ(check, site):
    """A message that arrives before it is sent: its arrow ends where its receive does, and each end leads to the other one."""
    site.page("apart.html", traces.apart(site.path("apart")))
    b = site.browser
    b.wait("hiera.timeline.picture?.arrows.length")
    check.equal("apart: the arrow goes back", [[2e8, 1e8]], b.js("return hiera.timeline.picture.arrows.map((one) => [one.begin, one.end])"))
    b.js("hiera.timeline.choose(hiera.timeline.findAt(0, 0, 2.05e8, 1))")
    b.wait("document.querySelector('#operation').textContent.includes('message to P1')")
    check.true("apart: the card says so", any("arrives 100\u00a0ms before it is sent" in text for text in texts(b, "#operation p")), texts(b, "#operation p"))
    b.js("[...document.querySelectorAll('#operation p')].find((one) => one.textContent.startsWith('message to')).querySelector('button').click()")
    b.wait("document.querySelector('#operation').textContent.includes('message from P0')")
    check.equal("apart: the receive, and not what begins where it ends", ["receive"], texts(b, "#operation h3"))


def names_of_times_are_whole(check, site):
    """Also the last one, in a narrow window."""
    b = site.browser
    site.page("ticks.html", os.path.join(GOLDEN, "traces", "late"))
    b.size(390, 900)
    b.wait("hiera.timeline.painter.width < 390")
    cut = b.js("""const {timeline} = hiera, {painter} = timeline, {context} = painter, cut = [], write = context.fillText.bind(context);
        context.fillText = (text, x, y) => {
          const wide = context.measureText(text).width, left = context.textAlign === "center" ? x - wide / 2 : context.textAlign === "right" ? x - wide : x;
          if (y < 22 && left + wide > painter.width) cut.push([text, left + wide, painter.width]);
          write(text, x, y);
        };
        const windows = Array.from({length: 40}, (_, i) => [i * 1e8, 8.05e9 + i * 5e7]);
        for (const [begin, end] of windows) { timeline.window.set(begin, end); painter.draw(); }
        delete context.fillText;
        return cut;""")
    b.size(1280, 900)
    check.equal("names of times that are cut", [], cut)


def waiting_in_thin_lanes(check, site):
    """With many ranks a lane has few pixels: waiting is striped there, too, as long as its box is ticked."""
    folder = site.path("thin")
    os.makedirs(folder, exist_ok=True)
    for rank in range(64):
        begin = 9 if rank == 0 else 1
        with open(os.path.join(folder, f"trace{rank}.xml"), "w", encoding="utf-8") as file:
            file.write(traces.HEAD + f'<processor rank="P{rank}" init="0" finalize="10" size="64" application="thin" job="j1" format="1">\n'
                       '  <hieraComm id="MPI_COMM_WORLD" ranks="0-63"/>\n'
                       '  <hieraRegion level="app" operation="step" file="t.c" line="1" start_time="0" finish_time="10">\n'
                       f'    <hieraMPI operation="barrier" file="t.c" line="3" start_time="{begin}" finish_time="10" comm="MPI_COMM_WORLD"/>\n'
                       '  </hieraRegion>\n</processor>\n')
    site.page("thin.html", folder)
    b = site.browser
    check.true("lanes are thin", b.js("hiera.timeline.fold(false); return hiera.timeline.layout.thin"))
    colors = """const {timeline} = hiera, {painter} = timeline, lane = timeline.layout.places[timeline.layout.shown[arguments[0]]], ratio = devicePixelRatio;
        Object.assign(timeline.show, {waiting: arguments[1], critical: false, bands: false});
        painter.draw();
        const left = Math.ceil(painter.x(2e9)) * ratio, y = Math.floor((lane.y + lane.height / 2) * ratio), n = Math.floor((painter.x(8e9) - painter.x(2e9)) * ratio);
        const data = new Uint32Array(timeline.canvas.getContext("2d").getImageData(left, y, n, 1).data.buffer);
        return new Set(data).size"""
    check.equal("thin lanes: waiting has stripes", 2, b.js(colors, 40, True))
    site.shot("thin-lanes")
    check.equal("thin lanes: without them", 1, b.js(colors, 40, False))
    check.equal("thin lanes: who does not wait has none", 1, b.js(colors, 0, True))


def threads_of_a_rank(check, site):
    """Threads stand under their rank, and a click on its label, a key or an address hides them. What they wait for each other is hatched."""
    b = site.browser
    address = site.page("teams.html", TEAMS)
    named = "return hiera.timeline.layout.shown.map((lane) => hiera.timeline.labelOf(lane))"
    lanes = ["▾ P0", "P0 thread 1", "P0 thread 2", "▾ P1", "P1 thread 1"]
    check.equal("threads: lanes by rank and number", lanes, b.js(named))
    waits = b.js_later("""const done = arguments[0], {store, head} = hiera.timeline;
        store.instances(new Set(head.sites.map((_, i) => i)), 100).then((all) => done(all.filter(({site, waiting}) => waiting > 0 && head.sites[site].level === "openmp")
          .map(({site, lane, waiting}) => [`P${head.lanes[lane].rank}.${head.lanes[lane].thread}`, head.sites[site].name, waiting / 1e6])))""")
    check.equal("threads: waiting in ms", sorted([
        ["P0.0", "parallel", 60], ["P0.0", "barrier", 100], ["P0.0", "acquire critical", 20], ["P0.1", "taskwait", 20], ["P0.1", "task", 120],
        ["P0.2", "barrier", 110], ["P0.2", "implicit task", 150], ["P1.0", "taskgroup", 30], ["P1.0", "parallel", 100], ["P1.0", "acquire lock", 10],
        ["P1.1", "acquire ordered", 20], ["P1.1", "implicit task", 120]]), sorted(waits))
    box = b.js("document.querySelector('#timeline').scrollIntoView(); const {places, shown} = hiera.timeline.layout, r = hiera.timeline.canvas.getBoundingClientRect(); return shown.map((lane) => [r.left + 40, r.top + places[lane].y + 5])")
    colors = """const {timeline} = hiera, {painter} = timeline, ratio = devicePixelRatio, lane = timeline.layout.places[timeline.layout.shown[arguments[0]]];
        Object.assign(timeline.show, {waiting: arguments[3], critical: false, bands: false});
        painter.draw();
        const left = Math.ceil(painter.x(arguments[1] * 1e6)) * ratio, n = Math.floor(painter.x(arguments[2] * 1e6) * ratio) - left;
        const data = new Uint32Array(timeline.canvas.getContext("2d").getImageData(left, Math.floor((lane.y + lane.row / 2) * ratio), n, 1).data.buffer);
        return new Set(data).size"""
    for what, lane, begin, end, hatched in (("behind its part", 2, 410, 490, True), ("in its part", 2, 305, 340, False), ("at the end of a region", 0, 450, 490, True), ("before that", 0, 420, 435, False)):
        check.equal(f"threads: {what}", hatched, b.js(colors, lane, begin, end, True) > 2)
        check.true(f"threads: {what}, without waiting", b.js(colors, lane, begin, end, False) <= 2)
    site.shot("threads")
    click(b, *box[0])
    check.equal("threads: a click on the label hides them", ["▸ P0 ×3", *lanes[3:]], b.js(named))
    b.js("const {head, store} = hiera.timeline; store.instances(new Set([head.sites.findIndex((site) => site.name === 'taskwait')]), 1).then(([one]) => hiera.timeline.visit(one))")
    b.wait("document.querySelector('#operation dd')")
    check.equal("threads: what is chosen is shown, and the card names the thread", [lanes, "P0 thread 1 on n1"], [b.js(named), texts(b, "#operation dd")[0]])
    check.true("threads: the page knows all of the wait", "The page holds only" not in texts(b, "#operation")[0], texts(b, "#operation"))
    b.js("hiera.timeline.canvas.focus()")
    b.press("t")
    check.equal("threads: a key hides those of the chosen one's rank", ["▸ P0 ×3", *lanes[3:]], b.js(named))
    b.press("escape")
    b.press("t")
    check.equal("threads: or turns those of all ranks", [*lanes[:3], "▸ P1 ×2"], b.js(named))
    b.wait("location.hash.includes('threads=1,1')")
    site.open(address + "#threads=0,0")
    check.equal("threads: as the address says", [*lanes[:3], "▸ P1 ×2"], b.js(named))


TESTS = [threads_of_a_rank, waiting_in_thin_lanes, names_of_times_are_whole, mouse_wheel_touch_and_minimap, where_when_the_page_is_made, deeper_than_what_is_stored, clocks_that_differ]


if __name__ == "__main__":
    main(__doc__, TESTS)
