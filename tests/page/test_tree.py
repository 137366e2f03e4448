"""The call tree of the page of --html, in a real browser: each path has the sums that the measure `profile` says.

use: test_tree.py HIERA_TRANSFORM OUTPUT_FOLDER
Exit: 0 good, 1 a check failed, 77 Chromium is missing."""

import os
import pathlib

from reports import GOLDEN, main, measured

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


def golden_traces_have_the_sums_of_profile(check, site):
    pages = sum(compare(check, site, str(trace.relative_to(GOLDEN)), str(trace)) for trace in traces())
    check.true("there are many of them", pages > 80, pages)


def a_part_of_the_run_has_its_sums(check, site):
    for name, end in (("tree", 1), ("late", 10), ("overlap", 10), ("early", 10), ("filtered", 2)):
        for part in (["--from", str(end / 3), "--to", str(end / 2)], ["--to", str(end / 4)], ["--ranks", "0"]):
            compare(check, site, f"{name} {' '.join(part)}", os.path.join(GOLDEN, "traces", name), *part)


def an_imported_archive_has_its_sums(check, site):
    """Of the last one operations reach beyond MPI_Finalize, as in the archives of other tools."""
    for name in ("tree", "late", "early"):
        archive = site.path(f"{name}-otf2")
        done = site.run(os.path.join(GOLDEN, "traces", name), "--export", f"otf2:{archive}", "--quiet")
        if "without libotf2" in done.stderr:
            return
        compare(check, site, f"{name}, imported", os.path.join(archive, "traces.otf2"))


TESTS = [golden_traces_have_the_sums_of_profile, a_part_of_the_run_has_its_sums, an_imported_archive_has_its_sums]


if __name__ == "__main__":
    main(__doc__, TESTS)
