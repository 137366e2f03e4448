"""The call tree of the page of --html, in a real browser: each path has the sums that the measure `profile` says.

use: test_tree.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import math
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from part import part_of  # noqa: E402
from reports import GOLDEN, main, measured  # noqa: E402

MOST_STEPS = 64  # of a path that profile writes
# Each path as profile writes it, with the sums of all ranks.
ROWS = r"""
    const {tree} = hiera, {nodes} = tree.tree, {sites} = hiera.timeline.head, columns = ["calls", "inclusive", "exclusive", "mpi", "bytes"];
    const sums = columns.map((name) => { tree.setMetric(name); return [...tree.sums]; });
    const step = ({site}) => site < 0 ? ["processors", "further threads", "only counted"][site + 3]
      : `${sites[site].class ? sites[site].class + "::" : ""}${sites[site].name}${sites[site].file ? " " + sites[site].file : ""}${sites[site].line ? ":" + sites[site].line : ""}`;
    const plainly = (text) => text.replace(/\\/g, "\\\\").replace(/(^| )>/g, "$1\\>");
    const path = (node) => (node.number ? [...path(nodes[node.parent]), plainly(step(node))] : [plainly(step(node))]);
    const shown = (node) => [node, ...node.children.flatMap(shown)];
    return shown(nodes[0]).map((node) => [path(node), ...sums.map((of) => String(of[node.number]))]);
"""


def traces():
    """All golden traces, by folder; where a folder has single ones that are odd, by file."""
    folders = {path.parent for folder in ("traces", "paper", "figure4") for path in pathlib.Path(GOLDEN, folder).rglob("*.xml*")}
    return sorted(folders) + sorted(pathlib.Path(GOLDEN, "traces", "odd").glob("*.xml"))


def text_of(steps):
    return " > ".join(steps if len(steps) <= MOST_STEPS else ["…", *steps[-MOST_STEPS:]])


def rows_of_page(browser):
    return sorted([text_of(path), *map(int, sums)] for path, *sums in browser.js(ROWS))


def rows_of_profile(site, trace, *part):
    def nanoseconds(value):
        return round(value * 1e9)
    return sorted([row["path"], row["calls"], *(nanoseconds(row[name]) for name in ("inclusive", "exclusive", "mpi")), row["bytes"]]
                  for row in measured(site, trace, "profile", *part))


def compare(check, site, what, trace, *part):
    """Return whether there is a page: there is none of traces that cannot be read."""
    page = site.path("tree.html")
    done = site.run(trace, *part, "--html", page, "--quiet")
    if not os.path.exists(page):
        check.equal(f"{what}: no page is an error", 3, done.returncode)
        return False
    site.open("file://" + page)
    check.equal(f"{what}: sums by path", rows_of_profile(site, trace, *part), rows_of_page(site.browser))
    os.remove(page)
    return True


def has_own_time(trace):
    """On the page what Hiera took is computation."""
    files = [trace] if trace.is_file() else trace.rglob("*.xml")
    return any("<hieraFlush" in file.read_text(errors="replace") for file in files)


def golden_traces_have_the_sums_of_profile(check, site):
    pages = sum(compare(check, site, str(trace.relative_to(GOLDEN)), str(trace)) for trace in part_of([t for t in traces() if not has_own_time(t)], 8))
    check.true("there are many of them", pages > 12, pages)


def a_part_of_the_run_has_its_sums(check, site):
    cases = [(name, part) for name, end in (("tree", 1), ("overlap", 10), ("filtered", 2), ("late", 10), ("early", 10))
             for part in (["--ranks", "0"], ["--from", str(end / 3), "--to", str(end / 2)], ["--to", str(end / 4)])]
    for name, part in part_of(cases, 4):
        compare(check, site, f"{name} {' '.join(part)}", os.path.join(GOLDEN, "traces", name), *part)


def an_imported_archive_has_its_sums(check, site):
    """Of the last one operations reach beyond MPI_Finalize, as in the archives of other tools."""
    for name in ("tree", "late", "early"):
        archive = site.path(f"{name}-otf2")
        done = site.run(os.path.join(GOLDEN, "traces", name), "--export", f"otf2:{archive}", "--quiet")
        if "without libotf2" in done.stderr:
            return
        compare(check, site, f"{name}, imported", os.path.join(archive, "traces.otf2"))


def it_opens_the_worst_instance_of_its_metric(check, site):
    """By waiting the longest wait, by bytes the largest message, and so on; of a path with callees also theirs."""
    b = site.browser
    for name in ("late", "tree", "overlap", "forms"):
        trace = os.path.join(GOLDEN, "traces", name)
        site.page("worst.html", trace)
        operations = b.js("""return (async () => {
            const all = await hiera.timeline.store.instances(new Set(hiera.timeline.head.sites.map((_, i) => i)), 1e6), {head} = hiera.timeline;
            return Promise.all(all.map(async (one) => ({...one, mpi: head.sites[one.site].level === "mpi",
              own: one.duration - all.filter((other) => other.lane === one.lane && other.depth === one.depth + 1 && other.begin >= one.begin &&
                                                        other.begin + other.duration <= one.begin + one.duration && other.row > one.row).reduce((sum, {duration}) => sum + duration, 0)})));
          })()""")
        main_waits = b.js("return hiera.waits.list.map((one) => [one.class, one.at.row, one.duration])")
        expected = {"waiting": max(one["waiting"] for one in operations), "bytes": max(one["bytes"] for one in operations if one["mpi"])}
        for number in {number for number, _, _ in main_waits}:
            expected[f"class-{number}"] = max(duration for of, _, duration in main_waits if of == number)
        if not any(b.js("return hiera.timeline.head.lanes.map((lane) => lane.thread)")):
            expected["mpi"] = max(one["own"] for one in operations if one["mpi"])
            expected["transfer"] = max(one["own"] - one["waiting"] for one in operations if one["mpi"])
        for metric, value in expected.items():
            if value == 0:
                words = b.js("hiera.tree.set(arguments[0], 0); return document.querySelector('#tree .ranks').textContent", metric)
                check.true(f"{name}: nothing by {metric}", "mean 0, most 0, imbalance 0.0" in words, words)
                continue
            b.js("hiera.timeline.choose(null); hiera.tree.set(arguments[0], 0); document.querySelector('.worst-of-path').click()", metric)
            b.wait("hiera.timeline.chosen")
            row = b.js("return hiera.timeline.chosen.row")
            one = next(one for one in operations if one["row"] == row)
            of = {"waiting": one["waiting"], "bytes": one["bytes"], "mpi": one["own"], "transfer": one["own"] - one["waiting"]}
            found = of.get(metric, max([duration for number, at, duration in main_waits if at == row and metric == f"class-{number}"], default=0))
            check.equal(f"{name}: the worst by {metric}", value, found)
        check.equal(f"{name}: the program itself has no place", 0, b.js("hiera.tree.set('inclusive', 0); return document.querySelectorAll('.worst-of-path').length"))
        node = b.js("return hiera.tree.tree.nodes.find((one) => one.site >= 0 && one.children.length)?.number ?? 1")
        b.js("hiera.timeline.choose(null); hiera.tree.set('inclusive', arguments[0]); document.querySelector('.worst-of-path').click()", node)
        b.wait("hiera.timeline.chosen")
        found = b.js("return [hiera.timeline.chosen.site, hiera.timeline.chosen.duration, hiera.tree.tree.nodes[arguments[0]].site]", node)
        check.equal(f"{name}: the longest call of a path", [found[2], max(one["duration"] for one in operations if one["site"] == found[2])], found[:2])


def counters_are_metrics(check, site):
    """With the numbers of profile --counters."""
    trace, names = os.path.join(GOLDEN, "traces", "counters"), ["user:steps", "proc:rss", "perf:task-clock", "mean(user:a,user:b)"]
    site.page("counters.html", trace)
    rows = site.browser.js(ROWS.replace('["calls", "inclusive", "exclusive", "mpi", "bytes"]', str([f"counter-{name}" for name in names])))
    found = sorted([text_of(path), *(int(math.copysign(math.floor(abs(int(value)) / 1000 + 0.5), int(value))) for value in values)] for path, *values in rows)
    expected = [[row["path"], *(row[name] if not name.startswith("perf") else round(row[name] * 1e9) for name in names)] for row in measured(site, trace, "profile", "--counters", ",".join(names))]
    check.equal("counters by path", sorted(expected), found)
    words = site.browser.js("hiera.tree.set('counter-proc:rss', 0); return document.querySelector('#tree').textContent")
    check.true("their units", "2.10\u00a0MB" in words, words)


TESTS = [golden_traces_have_the_sums_of_profile, a_part_of_the_run_has_its_sums, an_imported_archive_has_its_sums,
         it_opens_the_worst_instance_of_its_metric, counters_are_metrics]


if __name__ == "__main__":
    main(__doc__, TESTS)
