"""The page of a run that is far larger than what it can hold, in a real browser: its numbers are those of the whole run, its worst
instances are there in full, and it says what it has not.

use: test_large.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import csv
import io
import os

import traces
from reports import main, measured, quiet_since, tables, texts
from test_tree import rows_of_page, rows_of_profile

PER_RANK = 51000
MOST = 20
EVERY = 1000  # calls of a rank from one long wait to the next
CARD = "return document.querySelector('#operation').textContent"


def folder(site):
    """Traces of four ranks with 204,000 operations together, more than a page describes, made once."""
    path = site.path("large")
    if not os.path.exists(path):
        traces.pairs(path, 4, PER_RANK)
    return path


def lane_sums(browser):
    """Operations of each lane, added up over all levels of detail: those that stand alone, and at the last level the merged ones."""
    return browser.js("""
        const {store} = hiera.timeline, last = store.details.length - 1;
        return (async () => {
          const sums = store.head.lanes.map(() => 0);
          for (let level = 0; level <= last; level++) {
            for (let i = 0; i < store.details[level].tiles; i++) {
              (await store.tileNow("tile", level, i)).forEach((depths, lane) => depths.forEach((part) => {
                sums[lane] += part.exact.n;
                if (level === last) for (const count of part.merged.count) sums[lane] += count;
              }));
            }
          }
          return sums;
        })()""")


def the_worst_of_each_measure_are_in_full(check, site):
    """Those of each list are the worst of all, by the measure; a click shows attributes, partner, parents and line."""
    address = site.page("large.html", folder(site))
    b = site.browser
    check.equal("operations", 4 * PER_RANK, b.js("return hiera.timeline.head.run.operations"))
    check.true("not all of them are there in full", not b.js("return hiera.details.isKnown"))
    lists = {one["name"]: one for one in b.js("return hiera.worst")}
    statistics = {f"{row['level']} {row['operation']}": row for row in measured(site, folder(site), "statistics")}
    check.equal("a list for each operation", set(statistics), set(lists) & set(statistics))
    for name, row in statistics.items():
        check.equal(f"{name}: the longest", round(row["max"] * 1e9), int(lists[name]["values"][0]))
        check.equal(f"{name}: how many", min(MOST, row["count"]), len(lists[name]["rows"]))
    classes = {row["class"] for row in measured(site, folder(site), "waits")}
    check.equal("a list for each class of waiting", classes, set(lists) & classes)
    largest = max(row["bytes_max"] for row in statistics.values() if row["bytes_max"] is not None)
    check.equal("the largest message", largest, int(lists["largest messages"]["values"][0]))
    for name, one in lists.items():
        for row in one["rows"]:
            known = b.js("return [hiera.details.has(arguments[0]), hiera.timeline.store.places.has(arguments[0])]", row)
            check.equal(f"{name}: operation {row} is known", [True, True], known)
    quiet_since(check, b, "large", address)


def a_click_shows_all_of_it(check, site):
    b = site.browser
    site.open("file://" + site.path("large.html"))
    b.js("document.getElementById('measure-waits').open = true")
    b.wait("document.querySelector('#measure-waits .worst li button')")
    b.js("document.querySelector('#measure-waits .worst li button').click()")
    b.wait("document.querySelector('#operation .why')")
    card = b.js(CARD)
    for what, words in (("attributes", ("MPI_COMM_WORLD", "tag4", "bytes72", "count9", "typeMPI_DOUBLE", "rem0")), ("parent", ("inside step",)), ("cause", ("late sender", "because of send on P")),
                        ("partner", ("message from P",)), ("line", ("md.c:12",))):
        check.true(f"a worst wait: {what}", all(word in card for word in words), card)
    check.true("nothing is missing", "The page holds only" not in card, card)
    b.click("#operation .why button")
    b.wait("document.querySelector('#operation h3').textContent === 'send'")
    card = b.js(CARD)
    check.true("its cause is in full", all(word in card for word in ("MPI_COMM_WORLD", "inside step", "message to P", "md.c:11")), card)
    other = b.js_later("""const done = arguments[0], {timeline} = hiera;
        timeline.store.instances(new Set(timeline.head.sites.map((_, i) => i)), 5000).then((all) => { timeline.choose(all.find((one) => !hiera.details.has(one.row))); done(true); })""")
    b.wait("document.querySelector('#operation').textContent.includes('--serve')")
    check.true("of another one the page says where its attributes are", other and "the attributes of the worst operations" in b.js(CARD), b.js(CARD))
    b.js("document.querySelector('#operation').replaceChildren(); hiera.timeline.choose({lane: 0, row: -1, depth: 0, begin: 0, duration: 9, site: 0, waiting: 7})")
    b.wait("document.querySelector('#operation').textContent.includes('--serve')")
    check.true("nor does it keep silent about the cause of a wait", "the causes of the longest waits" in b.js(CARD), b.js(CARD))


def it_is_coloured_by_bytes(check, site):
    """Also where operations are merged: the bytes of all bars of the coarsest level are those of the run."""
    b, trace = site.browser, folder(site)
    site.open("file://" + site.path("large.html"))
    sums = b.js("""return hiera.timeline.store.tileNow("tile", 0, 0).then((lanes) => {
        const sum = (bars) => bars.bytes.reduce((a, one) => a + one, 0), parts = lanes.flat();
        return [parts.reduce((a, {merged}) => a + merged.n, 0), parts.reduce((a, {exact, merged}) => a + sum(exact) + sum(merged), 0)]; })""")
    check.true("some are merged", sums[0] > 0, sums)
    check.equal("bytes", sum(row["bytes"] for row in measured(site, trace, "statistics")), sums[1])
    b.js("hiera.timeline.setMode('bytes')")
    check.equal("the mode can be chosen", "bytes", b.js("return document.getElementById('color-mode').value"))
    shades = b.js("""const {coloring} = hiera.timeline, bars = {n: 3, bytes: [0, 8000, 8000], count: [1, 1, 1000], busy: [1, 1, 1]};
        return [0, 1, 2].map((i) => coloring.at(bars, i))""")
    check.true("a merged bar has the colour of its mean", shades[0] == 0 and shades[1] > shades[2] > shades[0], shades)


def its_numbers_are_those_of_the_whole_run(check, site):
    """Times, waits and tables, to the last digit."""
    b, trace = site.browser, folder(site)
    site.open("file://" + site.path("large.html"))
    check.equal("all operations are in the levels", [PER_RANK] * 4, lane_sums(b))
    b.size(390, 900)
    b.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    b.wait("document.documentElement.scrollWidth <= innerWidth")  # no scrolling to the side, once all is laid out
    b.size(1280, 900)
    site.open("file://" + site.path("large.html"))
    check.equal("call tree", rows_of_profile(site, trace), rows_of_page(b))
    waits = {}
    for row in measured(site, trace, "waits"):
        waits[row["class"]] = waits.get(row["class"], 0) + round(row["time"] * 1e9)
    nanoseconds = "hiera.tree.setMetric(arguments[0]); return String(hiera.tree.sums[0])"
    classes = b.js("return hiera.tree.metrics.filter((one) => one.name.startsWith('class-')).map((one) => [one.name, one.text])")
    check.true("it waits", waits)
    check.equal("waiting by class", waits, {text: int(b.js(nanoseconds, name)) for name, text in classes})
    check.equal("waits, by class", {row["class"]: row["count"] for row in measured(site, trace, "waits")},
                {name: n for name, n in zip(b.js("return hiera.timeline.head.classes"), b.js("return hiera.waits.totals")) if n})
    rows = measured(site, trace, "over-time", "--by", "waiting", "--bins", "128")
    check.equal("over time", [[round(row[name] * 1e9) for row in rows] for name in ("useful", "mpi", "io", "waiting")],
                b.js("return [0, 1, 2, 3].map((what) => hiera.heat.edges.slice(1).map((_, bin) => hiera.heat.sums.reduce((sum, rank) => sum + rank[what][bin], 0)))"))
    for name, expected in tables(site, trace, texts(b, "#tables summary strong")).items():
        shown = list(csv.reader(io.StringIO(b.js("return hiera.tableAsCsv(arguments[0])", name))))
        check.true(f"table {name}: has rows, or as many as there are", len(shown) == min(len(expected), 2001), [len(shown), len(expected)])
        check.equal(f"table {name}", expected[:len(shown)], shown)
    counts = {row["operation"]: row["count"] for row in measured(site, trace, "counts")}
    for word in ("send", "receive", "step"):
        b.js("return hiera.search.set(arguments[0])", word)
        b.wait("document.querySelector('#search .found li')")
        check.true(f"search {word}: k of n", f"of {counts[word]:,}" in b.js("return document.querySelector('#search').textContent"), b.js("return document.querySelector('#search').textContent"))


def each_iteration_has_a_bar(check, site):
    """The picture has all iterations, however many they are: the longest one of a column is drawn."""
    b, trace = site.browser, folder(site)
    site.open("file://" + site.path("large.html"))
    phases = {}
    for row in measured(site, trace, "phases", "--by", "iteration"):
        phases.setdefault(row["phase"], []).append(round(row["time"] * 1e9))
    check.true("there are many", max(map(len, phases.values())) > 16000)
    check.equal("phases, and how many iterations each has", [f"phase {number}, {len(times):,} iterations" for number, times in phases.items()], texts(b, "#phase option"))
    longest, times = max(phases[1]), phases[1]
    check.true("the longest one is named", f"{len(times):,} iterations; the longest takes" in texts(b, "#iterations [role=status]")[0], texts(b, "#iterations [role=status]"))
    column = times.index(longest) * min(len(times), b.js("return Math.floor(document.querySelector('#iterations canvas').parentElement.clientWidth)")) // len(times)
    b.js("""const canvas = document.querySelector('#iterations canvas'), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + arguments[0] + 0.5}))""", column)
    check.true("its column is its bar", texts(b, "#iterations [role=status]")[0].startswith(f"iteration {times.index(longest) + 1}: "), texts(b, "#iterations [role=status]"))


TESTS = [the_worst_of_each_measure_are_in_full, a_click_shows_all_of_it, it_is_coloured_by_bytes, its_numbers_are_those_of_the_whole_run,
         each_iteration_has_a_bar]


if __name__ == "__main__":
    main(__doc__, TESTS)
