"""The page of --html in a real browser: what it shows is what hiera-transform says, whatever the size of the run.

use: test_report.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing. Screenshots are left in OUTPUT_FOLDER."""

import csv
import io
import os
import pathlib
import re
import shutil
from xml.etree import ElementTree

import pages
import traces
from reports import FRAME, GOLDEN, main, measured, quiet_since, tables, texts


def a_page_from_disk(check, site):
    address = site.page("tree.html", os.path.join(GOLDEN, "traces", "tree"))
    b = site.browser
    check.true("disk: the first screen has the run time", "run time" in texts(b, ".facts dt"))
    check.true("disk: sentences of the summary", len(texts(b, "#summary li")) > 2)
    quiet_since(check, b, "disk", address)
    site.shot("report")


def tables_are_those_of_the_terminal(check, site):
    """Each table, copied as CSV, is what --format csv prints."""
    for trace in ("traces/tree", "traces/waits", "figure4", "traces/rules/epochs", "traces/timed"):
        folder = os.path.join(GOLDEN, trace)
        site.page("tables.html", folder)
        for name, expected in tables(site, folder, texts(site.browser, "#tables summary strong")).items():
            actual = site.browser.js("return hiera.tableAsCsv(arguments[0])", name)
            check.equal(f"{trace}: {name}", expected, list(csv.reader(io.StringIO(actual))))


def tables_sort_and_search(check, site):
    site.page("waits.html", os.path.join(GOLDEN, "traces", "waits"))
    b = site.browser
    b.js("document.getElementById('measure-statistics').open = true")
    b.wait("document.querySelector('#measure-statistics tbody tr')")
    names = texts(b, "#measure-statistics thead th")
    count = names.index("count") if "count" in names else 1
    cell = f"#measure-statistics tbody td:nth-child({count + 1})"
    b.click(f"#measure-statistics th:nth-child({count + 1}) button")
    falling = [int(text.replace(",", "")) for text in texts(b, cell)]
    check.equal("a click sorts numbers, the largest first", sorted(falling, reverse=True), falling)
    b.click(f"#measure-statistics th:nth-child({count + 1}) button")
    check.equal("a second click turns the order round", falling[::-1] and sorted(falling), [int(text.replace(",", "")) for text in texts(b, cell)])
    b.type("#measure-statistics input", "barrier")
    found = texts(b, "#measure-statistics tbody tr")
    check.true("the search keeps rows with the word", found and all("barrier" in row for row in found), found)


def the_timeline_leads_from_call_to_call(check, site):
    """Search, zoom, arrow, cause: each leads to an operation whose times are those of the trace."""
    site.page("late.html", os.path.join(GOLDEN, "traces", "late"))
    b = site.browser
    run = measured(site, os.path.join(GOLDEN, "traces", "late"), "waits")
    check.true("late: the trace has waits", run)
    chosen = "return hiera.timeline.chosen && [hiera.timeline.head.sites[hiera.timeline.chosen.site].name, hiera.timeline.head.lanes[hiera.timeline.chosen.lane].rank, hiera.timeline.chosen.begin, hiera.timeline.chosen.duration]"
    b.type("#search input", run[0]["operation"])
    b.wait("document.querySelector('#search .found button')")
    b.click("#search .found button")
    b.wait("document.querySelector('#operation .why')")
    name, _, begin, duration = b.js(chosen)
    check.equal("search: the operation is chosen", run[0]["operation"], name)
    check.true("search: it is in the window", b.js("const w = hiera.timeline.window, c = hiera.timeline.chosen; return w.begin <= c.begin && c.begin + c.duration <= w.end"), (begin, duration))
    check.true("a wait names its class", run[0]["class"] in texts(b, "#operation .why")[0], texts(b, "#operation .why"))
    longest = b.js("return hiera.waits.list[0].at.begin")
    b.js("hiera.timeline.choose(null); document.querySelector('#summary [data-topic=Waits] p button').click()")
    b.wait("hiera.timeline.chosen")
    check.equal("summary: the longest wait is a link", longest, b.js("return hiera.timeline.chosen.begin"))
    b.wait("document.querySelector('#operation .why button')")
    waiting = b.js("return hiera.timeline.chosen.lane")
    b.click("#operation .why button")
    b.wait(f"hiera.timeline.chosen.lane !== {waiting}")
    check.true("the cause is on another rank", b.js(chosen)[1] != waiting)


def samples_are_a_tree(check, site):
    """Each row of the measure is a line; those on the way to the hottest place are shown, the others behind a click. A wait says where its cause computes."""
    folder = os.path.join(GOLDEN, "traces", "sampled-late")
    site.page("sampled.html", folder)
    b = site.browser
    rows = measured(site, folder, "samples", "--by", "line")
    names = "#samples .line:not(.head) .name"
    check.equal("samples: lines", [row["path"].split(" > ")[-1] for row in rows], texts(b, names))
    check.equal("samples: bounds", [f"{row['at_least']:.1f} % to {row['at_most']:.1f} %" for row in rows], [text.replace("\u00a0", " ") for text in texts(b, "#samples .line:not(.head) .note")])
    shown = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).map((e) => e.textContent)"
    check.equal("samples: shown at first", [row["path"].split(" > ")[-1] for row in rows if row["path"].count(" > ") < 2 and not row["path"].startswith("end >")], b.js(shown, names))
    b.js("document.querySelectorAll('#samples summary')[1].click()")
    check.true("samples: a click opens a line", "(libmpi.so)" in b.js(shown, names), b.js(shown, names))
    b.js("document.querySelector('#summary [data-topic=Waits] p button').click()")
    b.wait("document.querySelector('#operation .why button')")
    check.true("samples: where the cause computes", "; in step P1 computes in (slow): 91.7" in texts(b, "#operation .why")[0], texts(b, "#operation .why"))
    site.shot("samples")
    site.page("late.html", os.path.join(GOLDEN, "traces", "late"))
    check.equal("no samples: no part of the page", [], texts(b, "#samples-part, nav a[href='#samples-part']"))


def arrows_end_at_receives(check, site):
    """The last point of each arrow is the end of the call that completes the receive."""
    folder = os.path.join(GOLDEN, "figure4")
    site.page("figure4.html", folder)
    b = site.browser
    b.wait("hiera.timeline.picture && hiera.timeline.picture.arrows.length > 0")
    arrows = b.js("""
        const {store, picture, head} = hiera.timeline;
        return Promise.all(picture.arrows.map(async (arrow) => {
          const from = await store.locate(arrow.from, arrow.row, arrow.begin), to = await store.locate(arrow.to, arrow.toRow, arrow.toBegin);
          return [head.sites[from.site].name, from.begin - arrow.begin, head.sites[to.site].name, to.begin + to.duration - arrow.end];
        }))""")
    check.true("arrows: there are some", len(arrows) >= 2)
    check.equal("arrows: begin with sends, end with receives", [], [one for one in arrows if one[1] or one[3] or "send" not in one[0] or "rec" not in one[2]])
    matrix = measured(site, folder, "matrix")
    check.equal("arrows: as many as messages", sum(row["messages"] for row in matrix), len(arrows))


def each_message_has_its_ends(check, site):
    """Of a run of this size the page has all messages; the send, the receive and the wait of one lead to its other end."""
    site.page("overlap.html", os.path.join(GOLDEN, "traces", "overlap"))
    b = site.browser
    n = b.js("return hiera.timeline.head.run.messages")
    index = b.js_later("""const done = arguments[0], {store} = hiera.timeline;
        store.indexMessages().then(({all, index}) => done([all, [...index].map(([row, list]) => [row, list.map((one) => [one.row, one.receiveRow, one.toRow])])]))""")
    check.true("messages: the page has all", index[0])
    ends = {tuple(one) for _, list in index[1] for one in list}
    check.equal("messages: as many as the run has", n, len(ends))
    check.true("messages: some receives are completed by another call", any(receive != to for _, receive, to in ends), ends)
    check.equal("messages: each is found at its ends", sorted((row, end) for end in ends for row in set(end)), sorted((row, tuple(one)) for row, list in index[1] for one in list))
    send, receive, _ = min(one for one in ends if one[1] != one[2])
    for row, word in ((send, "message to"), (receive, "message from")):
        b.js_later("""const done = arguments[1], {timeline} = hiera;
            timeline.store.instances(new Set(timeline.head.sites.map((_, i) => i)), 5000).then((all) => { timeline.showAll(); timeline.choose(all.find((one) => one.row === arguments[0])); done(); })""", row)
        b.wait("document.querySelector('#operation .card')")
        b.wait(f"document.querySelector('#operation').textContent.includes('{word} P')")


def the_call_tree_and_the_run_over_time_add_up(check, site):
    """Time, and waiting by class, of the whole program are those of the measures, and so is each bin."""
    b = site.browser
    nanoseconds = "hiera.tree.setMetric(arguments[0]); return String(hiera.tree.sums[0])"
    for trace in ("late", "tree", "chain", "rendezvous"):
        folder = os.path.join(GOLDEN, "traces", trace)
        site.page("sums.html", folder)
        total = sum(row["total"] for row in measured(site, folder, "times"))
        check.equal(f"{trace}: time", round(total * 1e9), int(b.js(nanoseconds, "inclusive")))
        parts = [int(b.js(nanoseconds, name)) for name in ("computation", "transfer", "waiting")]
        check.equal(f"{trace}: computation, MPI and waiting are all of it", round(total * 1e9), sum(parts))
        waits = {}
        for row in measured(site, folder, "waits"):
            waits[row["class"]] = waits.get(row["class"], 0) + round(row["time"] * 1e9)
        classes = b.js("return hiera.tree.metrics.filter((one) => one.name.startsWith('class-')).map((one) => [one.name, one.text])")
        check.equal(f"{trace}: waiting by class", waits, {text: int(b.js(nanoseconds, name)) for name, text in classes})
        rows = measured(site, folder, "over-time", "--by", "waiting", "--bins", "128")
        expected = [[round(row[name] * 1e9) for row in rows] for name in ("useful", "mpi", "io", "waiting")]
        check.equal(f"{trace}: over time", expected, b.js("return [0, 1, 2, 3].map((what) => hiera.heat.edges.slice(1).map((_, bin) => hiera.heat.sums.reduce((sum, rank) => sum + rank[what][bin], 0)))"))
    b.js("document.querySelector('#heat canvas').focus()")
    b.press("right")
    check.true("over time: a cell says its numbers", texts(b, "#heat [role=status]")[0].startswith("P0, "), texts(b, "#heat [role=status]"))
    b.press("enter")
    b.wait("hiera.timeline.window.span < hiera.timeline.store.length / 8")


def missing_calls_make_the_efficiency_unknown(check, site):
    """Calls that went past Hiera look like computation, so the page draws no efficiency over the run, and says why."""
    b, why = site.browser, "calls of plug.so go past Hiera to MPI"
    site.page("past.html", os.path.join(GOLDEN, "traces", "past"))
    check.equal("missing calls: over time", f"parallel efficiency: unknown: {why}", texts(b, "#heat .note")[-1])
    check.equal("missing calls: no bars of the efficiency", [], texts(b, "#heat .columns"))
    check.true("missing calls: the summary says so", f"unknown: {why}" in texts(b, "#summary [data-topic=Efficiency] li"), texts(b, "#summary li"))
    b.js("document.querySelector('#heat canvas').focus()")
    b.press("right")
    check.true("missing calls: a cell says so", texts(b, "#heat [role=status]")[0].endswith("of all ranks unknown"), texts(b, "#heat [role=status]"))


def threads_that_were_not_recorded_are_named(check, site):
    """The efficiency over the run is that of the threads that call MPI, and so is the one in the summary."""
    b, why = site.browser, "4 of 6 ranks have threads that were not recorded"
    site.page("unrecorded.html", os.path.join(GOLDEN, "traces", "unrecorded"))
    check.true("threads: over time", texts(b, "#heat .note")[-1].startswith(f"parallel efficiency of the MPI threads, 0 to 100 %: {why}"), texts(b, "#heat .note"))
    check.true("threads: the summary", any("of the MPI threads" in text for text in texts(b, "#summary [data-topic=Efficiency] li")), texts(b, "#summary li"))
    site.page("queued.html", os.path.join(GOLDEN, "traces", "teams-alone"))
    said = texts(b, "#heat .note")
    check.equal("threads: waiting for processors is no missing thread", "parallel efficiency, 0 to 100 %", said[-2])
    check.true("threads: waiting for processors", said[-1].startswith("threads waited for a processor for 33.4 % of the time"), said)
    site.page("unrecorded.html", os.path.join(GOLDEN, "traces", "unrecorded"))
    check.true("threads: its limits", any(why in text for text in texts(b, "#summary [data-topic=Limits] li")), texts(b, "#summary li"))


def loops_are_a_tree(check, site):
    """Functions and their loops as the measure has them, with their states; what is a bottleneck is open. Without times there is no such part."""
    b, folder = site.browser, os.path.join(GOLDEN, "traces", "timed")
    site.page("loops.html", folder)
    shown = b.js("""
        const steps = (item) => { const own = item.querySelector('.name').childNodes[1].textContent, up = item.parentElement.closest('.loops li');
                                  return up ? steps(up) + ' > ' + own : own; };
        return [...document.querySelectorAll('.loops li')].map((item) => [steps(item), item.querySelector('.state').textContent])""")
    check.equal("loops: the tree", [[row["path"], row["state"]] for row in measured(site, folder, "loops")], shown)
    check.equal("loops: who takes longest", True, " ".join(b.js("return document.querySelector('.loops .note').textContent").split()).endswith(
        "3 threads, imbalance 10.0 %: thread 0 of rank 0 takes longest, imbalance of ranks 16.7 %: rank 0 takes longest"))
    visible = "return [...document.querySelectorAll('.loops .line')].filter((e) => e.checkVisibility()).length"
    check.equal("loops: those of functions that are no bottleneck are hidden", len(shown) - 2, b.js(visible))
    b.js("[...document.querySelectorAll('.loops summary')].at(-1).click()")
    check.equal("loops: a click opens a function", len(shown), b.js(visible))
    b.js("document.getElementById('loops-part').scrollIntoView()")
    site.shot("loops")
    alone = pathlib.Path(site.path("alone"))
    shutil.copytree(folder, alone)
    (alone / "trace0.xml").write_text(re.sub(' by_thread="0:[0-9.]+ 1:[0-9.]+"', "", (alone / "trace0.xml").read_text()).replace('threads="2"', 'threads="1"'))
    site.page("alone.html", str(alone))
    check.equal("loops: nothing about threads where each rank has one", [], [note for note in texts(b, ".loops .note") if "thread" in note])
    site.page("tree.html", os.path.join(GOLDEN, "traces", "tree"))
    check.equal("loops: none without exact times", 0, b.js("return document.querySelectorAll('#loops-part, a[href=\"#loops-part\"]').length"))


def the_matrix_is_that_of_the_measure(check, site):
    b = site.browser
    for trace in ("figure4", "traces/tree", "traces/rules/epochs"):
        folder = os.path.join(GOLDEN, trace)
        site.page("matrix.html", folder)
        expected = [[row["sender"], row["receiver"], row["kind"], row["messages"], row["bytes"], round(row["send"] * 1e9), round(row["receive"] * 1e9)] for row in measured(site, folder, "matrix")]
        check.equal(f"{trace}: matrix", expected, b.js("return hiera.flows.map((row) => [row.sender, row.receiver, row.kind, row.messages, row.bytes, row.send, row.receive])"))
    b.js("document.querySelector('#matrix canvas').focus()")
    b.press("down")
    check.true("matrix: a cell says its numbers", " to P" in texts(b, "#matrix [role=status]")[0], texts(b, "#matrix [role=status]"))


def histograms_and_iterations(check, site):
    """Bars are those of the measures; a bar leads to its iteration."""
    folder = os.path.join(GOLDEN, "traces", "phases")
    site.page("phases.html", folder)
    b = site.browser
    rows = measured(site, folder, "histogram")
    first = [row for row in rows if (row["level"], row["operation"]) == tuple(b.js("return document.getElementById('histogram-group').value.split(': ')"))]
    shown = [int(text.split(" (")[0].replace(",", "")) for text in texts(b, "#histograms li > span:last-child")]
    check.equal("histogram: counts of the first operation", [row["count"] for row in first], shown)
    b.js("const e = document.getElementById('histogram-of'); e.value = 1; e.dispatchEvent(new Event('change'))")
    check.true("histogram: sizes", "B" in texts(b, "#histograms li > span")[0] or texts(b, "#histograms li > span")[0].startswith("0"), texts(b, "#histograms li > span")[0])
    iterations = measured(site, folder, "phases", "--by", "iteration")
    b.js("document.querySelector('#iterations canvas').focus()")
    b.press("right")
    b.press("enter")
    b.wait("hiera.timeline.window.span < hiera.timeline.store.length")
    begin, end = b.js("const w = hiera.timeline.window; return [w.begin, w.end]")
    start = round(iterations[0]["start"] * 1e9) - int(b.js("return hiera.timeline.head.run.begin"))
    check.true("iterations: the first one is shown", begin <= start and start + iterations[0]["time"] * 1e9 <= end + 1, (begin, start, end))
    check.equal("iterations: without threads", ["useful", "MPI", "the rest"], texts(b, "#iterations .legend span"))
    site.page("teams.html", os.path.join(GOLDEN, "traces", "teams"), "--level", "app")
    check.equal("iterations: with threads", ["useful", "MPI", "idle in OpenMP", "the rest"], texts(b, "#iterations .legend span"))
    b.js("document.querySelector('#iterations canvas').focus()")
    b.press("right")
    check.equal("iterations: idle threads", "iteration 1: 8.50 s, useful 4.60 s, MPI 875 ms, idle in OpenMP 3.02 s; the slowest rank is P0", texts(b, "#iterations [role=status]")[0].replace("\xa0", " "))
    b.js("document.getElementById('measure-times').open = true")
    b.wait("document.querySelector('#measure-times table')")
    check.true("tables: of which threads times are", texts(b, "#measure-times .note")[0].startswith("times: only main threads count"), texts(b, "#measure-times .note"))


def a_click_shows_all_attributes(check, site):
    """Those that the measures know, and the others as the trace has them."""
    site.page("attributes.html", os.path.join(os.path.dirname(__file__), "nested.xml"))
    b = site.browser
    shown = b.js("""return (async () => {
        const all = await hiera.timeline.store.instances(new Set(hiera.timeline.head.sites.map((_, i) => i)), 1e6);
        return all.sort((x, y) => x.row - y.row).map((one) => [hiera.timeline.head.sites[one.site].name, Object.fromEntries(hiera.details.argumentsOf(one.row))]);
      })()""")
    elements = [one for one in ElementTree.parse(os.path.join(os.path.dirname(__file__), "nested.xml")).iter() if one.tag in ("hieraMPI", "hieraOOPS", "hieraRegion")]
    check.equal("attributes: as many operations", len(elements), len(shown))
    for element, (name, known) in zip(elements, shown):
        elsewhere = ("level", "class", "operation", "method", "file", "line", "start_time", "finish_time")
        missing = {key: value for key, value in element.attrib.items() if key not in elsewhere and str(known.get(key)) != value}
        check.equal(f"attributes of {name}", {}, missing)


def a_click_shows_what_counters_counted(check, site):
    site.page("counters.html", os.path.join(GOLDEN, "traces", "counters"))
    shown = site.browser.js("""return (async () => {
        const all = await hiera.timeline.store.instances(new Set(hiera.timeline.head.sites.map((_, i) => i)), 1e6);
        return all.flatMap((one) => hiera.details.argumentsOf(one.row).filter(([name]) => name.includes(":"))).map((one) => one.join("="));
      })()""")
    expected = []
    for name in sorted(os.listdir(os.path.join(GOLDEN, "traces", "counters"))):
        if name.startswith("trace") and name.endswith(".xml"):
            for counted in ElementTree.parse(os.path.join(GOLDEN, "traces", "counters", name)).iter("hieraCounted"):
                expected += counted.get("values").split()
    check.true("counters: there are some", expected)
    check.equal("counters: each value is shown", sorted(expected), sorted(text.split(" ")[0] for text in shown))


def ranks_at_their_places(check, site):
    site.page("grid.html", os.path.join(GOLDEN, "traces", "grid"))
    cells = site.browser.js("return [...document.querySelectorAll('.topology tr')].map((row) => [...row.cells].map((cell) => cell.title.split(':')[0]))")
    check.equal("grid: a cell for each rank at its place, after a reorder", [["P0", "P2"], ["P1", "P3"]], cells)


def keys_alone(check, site):
    site.page("keys.html", os.path.join(GOLDEN, "traces", "tree"))
    b = site.browser
    b.js("document.querySelector('#timeline canvas[tabindex]').focus()")
    b.press("enter")
    b.wait("hiera.timeline.chosen")
    depth = b.js("return hiera.timeline.chosen.depth")
    check.true("keys: Enter chooses, and the card says what", texts(b, "#operation h3"))
    b.press("up")
    b.wait(f"hiera.timeline.chosen.depth !== {depth} || hiera.timeline.chosen.lane > 0")
    b.press("+")
    b.press("+")
    b.wait("hiera.timeline.window.span < hiera.timeline.store.length / 3")
    b.press("0")
    b.wait("hiera.timeline.window.span === hiera.timeline.store.length")
    b.press("escape")
    b.wait("!hiera.timeline.chosen")
    b.js("document.querySelector('#tree [role=treeitem]').focus()")
    b.press("down")
    b.wait("hiera.tree.chosen.number > 0")
    b.press("up")
    b.wait("hiera.tree.chosen.number === 0")
    focused = set()
    for _ in range(60):
        b.press("tab")
        focused.add(b.js("return document.activeElement.tagName + '#' + (document.activeElement.id || document.activeElement.getAttribute('aria-label') || '')"))
    check.true("keys: Tab reaches many things", len(focused) > 3, focused)


def a_link_into_the_page(check, site):
    """What is shown stands in the address, and an address shows it again."""
    address = site.page("link.html", os.path.join(GOLDEN, "traces", "late"))
    b = site.browser
    b.js("hiera.timeline.window.set(1e9, 2e9); hiera.tree.set('waiting', 1); hiera.timeline.setMode('waiting')")
    b.js("document.getElementById('measure-waits').open = true")
    b.wait("location.hash.includes('measure=waits') && location.hash.includes('t=')")
    whole = b.js("return location.href")
    site.open(whole)
    state = b.js("return [hiera.timeline.window.begin, hiera.timeline.window.end, hiera.tree.metric, hiera.tree.chosen.number, hiera.timeline.mode, document.getElementById('measure-waits').open]")
    check.equal("link: the same is shown", [1e9, 2e9, "waiting", 1, "waiting", True], state)
    site.open(address + "#t=nonsense&at=99,99,99&node=-5&metric=none&colour=none&measure=none")
    check.equal("link: nonsense is passed over", "inclusive", b.js("return hiera.tree.metric"))


def ranks_fold(check, site):
    """512 ranks are drawn fast, folded and unfolded; each operation is drawn once."""
    site.page("ranks.html", traces.ranks(site.path("ranks"), 512))
    b = site.browser
    b.js("hiera.timeline.fold(true)")
    b.wait("hiera.timeline.folded && hiera.timeline.picture")
    check.equal("fold: groups of ranks", 2, b.js("return hiera.timeline.layout.shown.length"))
    check.equal("fold: the group says how many it hides", 510, b.js("return hiera.timeline.layout.places[1].hides"))
    b.js("hiera.timeline.fold(false)")
    b.wait("hiera.timeline.layout.shown.length === 512")
    site.shot("ranks-512")


def a_part_of_the_run(check, site):
    """A page of a window and of some ranks: all that it says is of this part, and so are its tables."""
    b = site.browser
    late = os.path.join(GOLDEN, "traces", "late")
    end = max(row["to"] for row in measured(site, late, "over-time"))
    for part in (["--from", f"{end / 4:.9f}", "--to", f"{end / 2:.9f}"], ["--ranks", "1"], ["--ranks", "1", "--from", f"{end / 3:.9f}"]):
        site.page("part.html", late, *part)
        said = " ".join(part)
        check.true(f"part {said}: the first screen says so", said in texts(b, ".part")[0], texts(b, ".part"))
        for name, expected in tables(site, late, texts(b, "#tables summary strong"), *part).items():
            actual = b.js("return hiera.tableAsCsv(arguments[0])", name)
            check.equal(f"part {said}: {name}", expected, list(csv.reader(io.StringIO(actual))))
        rows = measured(site, late, "over-time", "--by", "waiting", *part)
        for what, name in enumerate(("useful", "mpi", "io", "waiting")):
            check.equal(f"part {said}: {name} over time", sum(round(row[name] * 1e9) for row in rows),
                        b.js("return hiera.heat.sums.reduce((sum, rank) => sum + rank[arguments[0]].reduce((a, one) => a + one, 0), 0)", what))
        total = sum(round((row["to"] - row["from"]) * 1e9) for row in rows) * (1 if "--ranks" in part else 2)
        check.equal(f"part {said}: time in the call tree", total, int(b.js("hiera.tree.setMetric('inclusive'); return String(hiera.tree.sums[0])")))
        counts = measured(site, late, "counts", *part)
        check.equal(f"part {said}: operations", sum(row["count"] for row in counts), b.js("return hiera.timeline.head.run.operations"))
        length = b.js("return hiera.timeline.store.length")
        beyond = b.js("""return Promise.all(hiera.timeline.store.details.map((_, level) => hiera.timeline.store.tileNow("tile", level, 0))).then((tiles) =>
            tiles.flat(2).filter(({exact}) => exact.begin.some((begin, i) => begin < 0 || begin + exact.duration[i] > arguments[0])).length)""", length)
        check.equal(f"part {said}: no bar is outside", 0, beyond)


def hostile_text(check, site):
    traces.hostile(site.path("hostile.xml"))
    address = site.page("hostile.html", site.path("hostile.xml"))
    b = site.browser
    b.js("document.querySelectorAll('#tables details').forEach((e) => { e.open = true })")
    check.equal("hostile: no script of the trace ran", None, b.js("return window.hurt"))
    check.equal("hostile: no element of the trace", 0, b.js("return document.querySelectorAll('img, b').length"))
    check.true("hostile: the name is text", any(traces.HOSTILE in text for text in texts(b, "#tables td")))
    check.equal("hostile: no character reorders a name", [], [text for text in texts(b, "td, span, li") if "\u202e" in text])
    quiet_since(check, b, "hostile", address)


def a_window_of_a_phone(check, site):
    b = site.browser
    for width in (390, 1280):
        b.size(width, 900)
        site.page("phone.html", os.path.join(GOLDEN, "traces", "waits"))
        for scheme in ("dark", "light"):
            b.scheme(scheme)
            b.js_later(FRAME)
            check.true(f"{width} pixels, {scheme}: no scrolling to the side", b.js("return document.documentElement.scrollWidth <= innerWidth"))
            site.shot(f"report-{width}-{scheme}")
    b.size(390, 900)
    for name in ("ranks", "hostile"):
        b.open("file://" + site.path(f"{name}.html"))
        b.wait("document.documentElement.dataset.ready === 'yes'")
        b.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        check.true(f"390 pixels, {name}: no scrolling to the side", b.js("return document.documentElement.scrollWidth <= innerWidth"), b.js("return document.documentElement.scrollWidth"))


def on_paper(check, site):
    """A print is light, also from a dark window."""
    b = site.browser
    b.scheme("dark")
    site.page("paper.html", os.path.join(GOLDEN, "traces", "phases"))
    b.wait("hiera.timeline.picture")
    corner = "hiera.timeline.canvas.getContext('2d').getImageData(1, 1, 1, 1).data[0]"
    b.js(f"matchMedia('print').addEventListener('change', ({{matches}}) => {{ if (matches) window.printed = {corner}; }})")
    b.cdp("Page.printToPDF")
    check.equal("print: the timeline is on white", 255, b.js("return window.printed"))
    b.js_later(FRAME)
    check.true("after it the timeline is dark again", b.js(f"return {corner}") < 60)
    b.scheme("light")


def broken_input(check, site):
    done = site.run(site.path("absent.xml"), "--html", site.path("absent.html"))
    check.true("no such trace: exit status", done.returncode != 0)
    check.equal("no such trace: no page", False, os.path.exists(site.path("absent.html")))
    blocks = pages.json_block(site.path("hostile.html"), "head")
    check.equal("without a browser: blocks can be read", 3, blocks["run"]["operations"])


TESTS = [a_page_from_disk, tables_are_those_of_the_terminal, tables_sort_and_search, the_timeline_leads_from_call_to_call,
         samples_are_a_tree, arrows_end_at_receives, each_message_has_its_ends, the_call_tree_and_the_run_over_time_add_up,
         missing_calls_make_the_efficiency_unknown, threads_that_were_not_recorded_are_named, loops_are_a_tree, the_matrix_is_that_of_the_measure, histograms_and_iterations, a_click_shows_all_attributes, a_click_shows_what_counters_counted, ranks_at_their_places, keys_alone, a_link_into_the_page, a_part_of_the_run, ranks_fold, hostile_text, a_window_of_a_phone, on_paper, broken_input]


if __name__ == "__main__":
    main(__doc__, TESTS)
