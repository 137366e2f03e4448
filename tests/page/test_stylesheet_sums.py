"""Every number on the page that the stylesheet makes is that of the whole trace, also where it lists only some operations.

use: test_stylesheet_sums.py HIERA_TRANSFORM STYLESHEET
Exit: 0 good, 1 a check failed, 77 xsltproc is missing. No browser is needed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from html import unescape
from xml.etree import ElementTree

import traces
from checks import Checks

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
OPERATIONS = ("hieraMPI", "hieramMPI", "hieraOOPS", "hieraRegion")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True).stdout


def digits(value):
    return f"{value:.2f}" if value < Decimal("9.995") else f"{value:.1f}" if value < Decimal("99.95") else f"{value:,.0f}"


def time(seconds):
    """A time as the page writes it: three digits."""
    if seconds == 0:
        return "0"
    for unit, size in (("s", 1), ("ms", Decimal("1e-3")), ("µs", Decimal("1e-6"))):
        if seconds >= size * Decimal("0.9995"):
            return f"{digits(seconds / size)} {unit}"
    return f"{seconds * 10**9:.0f} ns"


def number(value):
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= size * Decimal("0.9995"):
            return f"{digits(Decimal(value) / size)} {unit}"
    return f"{value} B"


class Page:
    def __init__(self, stylesheet, trace):
        text = run("xsltproc", "--novalid", stylesheet, trace)
        self.figures = {self.plain(k): self.plain(v) for k, v in re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", text, re.S)}
        self.counts, self.loops = self.table(text, "counts"), self.table(text, "counts loops")
        self.rows = text.count("data-a=") - text.count("collector writes its buffer")
        self.listed = [int(n.replace(",", "")) for n in re.findall(r'class="note listed">([\d,]+) of ([\d,]+) ', text) for n in n]
        ranges = re.findall(r'<div class="r rest"[^>]*>\s*<span class="n"><span class="range">([\d,]+)–([\d,]+)<', text)
        self.unlisted = sum(int(b.replace(",", "")) - int(a.replace(",", "")) + 1 for a, b in ranges)

    def table(self, text, name):
        """Rows of the table of this class; none if it is not there."""
        found = re.search(f'<table class="{name}">.*?<tbody>(.*?)</tbody>', text, re.S)
        return [[self.plain(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]
                for row in re.findall(r"<tr[^>]*>(.*?)</tr>", found.group(1) if found else "", re.S)]

    @staticmethod
    def plain(html):
        return " ".join(unescape(re.sub("<[^>]*>", "", html.replace("<small>", " "))).split())


def read_sums(trace):
    """(level, name) → count, seconds, bytes or None, as Python's XML parser reads the trace."""
    counts, times, sizes = Counter(), Counter(), {}
    for element in ElementTree.parse(trace).iter():
        if element.tag in OPERATIONS:
            method = "method" in element.attrib
            name = (element.get("class", "") + "::" + element.get("method")) if method else element.get("operation")
            key = element.get("level") or ("oops" if method else "mpi"), name
            counts[key] += 1
            times[key] += Decimal(element.get("finish_time")) - Decimal(element.get("start_time"))
            if "bytes" in element.attrib:
                sizes[key] = sizes.get(key, 0) + int(element.get("bytes"))
    return counts, times, sizes


def check_trace(check, transform, stylesheet, trace, what, folder):
    """Compare the page of a trace in full encoding, and of the same in compact encoding, with the trace."""
    counts, times, sizes = read_sums(trace)
    run(transform, trace, "--quiet", "--export", f"compact:{folder}")
    for encoding, path in (("full", trace), ("compact", os.path.join(folder, os.path.basename(trace)))):
        page, name = Page(stylesheet, path), f"{what}, {encoding}"
        check.equal(f"{name}: operations", f"{sum(counts.values()):,}", page.figures["operations"])
        check.equal(f"{name}: bytes", number(sum(sizes.values())) if sizes else None, page.figures.get("bytes"))
        expected = sorted([key[1], key[0], f"{counts[key]:,}", time(times[key]), time(times[key] / counts[key]),
                           number(sizes[key]) if key in sizes else ""] for key in counts)
        check.equal(f"{name}: operations by time", expected, sorted(row[:5] + row[6:] for row in page.counts))
        row = json.loads(run(transform, trace, "--quiet", "--measure", "times", "--format", "json"), parse_float=Decimal)["times"][0]
        check.equal(f"{name}: in MPI", time(row["communication"]), page.figures["in MPI"].rsplit(" ", 2)[0])
        check.equal(f"{name}: total time", time(row["total"]), page.figures["total time"])
        check.equal(f"{name}: listed and not listed", sum(counts.values()), page.rows + page.unlisted)
        if page.unlisted:
            check.equal(f"{name}: how many are listed", [page.rows, sum(counts.values())], page.listed)


def check_folded(check, stylesheet):
    """Calls in loops are counted; a part of a turn is a loop without calls, and a loop inside counts once a turn. Their times are not known, and the page says so."""
    trace = os.path.join(GOLDEN, "traces", "folded", "trace0.xml")
    page = Page(stylesheet, trace)
    counts = {row[0]: row[2] for row in page.counts}
    check.equal("folded: calls", ["7", "7", "8", "8", "15"], [counts.get(name) for name in ("step", "send", "wait", "barrier", "loop")])
    check.true("folded: the page says what is missing", "without their times" in run("xsltproc", "--novalid", stylesheet, trace))


def check_sampled(check, stylesheet):
    """Samples have a table of their own: a row for each thread, region and address, with all samples inside."""
    trace = os.path.join(GOLDEN, "traces", "sampled-late", "trace1.xml")
    text = run("xsltproc", "--novalid", stylesheet, trace)
    table = re.search(r'class="section samples">.*?<tbody>(.*?)</tbody>', text, re.S).group(1)
    rows = [[Page.plain(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)] for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.S)]
    check.equal("sampled: the whole thread", ["thread 0", "401", "97.8 %", "4.01 s"], rows[0])
    check.equal("sampled: a region", ["step", "400", "97.6 %", "4.00 s"], rows[1])
    check.equal("sampled: an address", ["slow+0x20", "225", "54.9 %", "2.25 s"], rows[2])
    check.equal("sampled: rows", 13, len(rows))


def check_timed(check, transform, stylesheet):
    """Functions and their loops have the times and shares of the measure `loops`; a function that was left alone has its reason. Rank 1 has one."""
    for rank in (0, 1):
        trace = os.path.join(GOLDEN, "traces", "timed", f"trace{rank}.xml")
        measured = json.loads(run(transform, trace, "--quiet", "--measure", "loops", "--format", "json"), parse_float=Decimal)["loops"]
        whole = {row["path"]: row["time"] for row in measured if " > " not in row["path"]}
        expected = []
        for row in measured:
            function, *loops = row["path"].split(" > ")
            name = (loops or [function])[-1].split(" #")[0].replace(" f.c", " src/f.c").replace(" m.c", " src/m.c")
            expected.append([name, f"{row['executions']:,}", f"{row['iterations']:,}" if loops else "", time(row["time"]), time(row["own"]),
                             f"{100 * row['time'] / whole[function]:.1f} %" if loops else "", time(row["min"] or Decimal(0)), time(row["max"] or Decimal(0))])
            if row["state"] == "never evaluated":
                expected[-1] = [name, row["reason"]]
        check.equal(f"timed, rank {rank}: functions and loops", expected, Page(stylesheet, trace).loops)


def main(transform, stylesheet):
    if not shutil.which("xsltproc"):
        print("skipped: xsltproc is not installed")
        return 77
    check = Checks()
    with tempfile.TemporaryDirectory(prefix="hiera-page-") as folder:
        fewer = traces.list_fewer(stylesheet, os.path.join(folder, "fewer.xsl"))
        for name, operations, flat in (("few", 1000, False), ("nested", 2000, False), ("flat", 1500, True)):
            trace = os.path.join(folder, f"{name}.xml")
            traces.many(trace, operations, flat)
            check_trace(check, transform, fewer, trace, name, os.path.join(folder, name + "-compact"))
        for name in ("traces/tree/trace0.xml", "figure4/trace1.xml", "traces/steps/trace0.xml", "traces/sampled-late/trace1.xml", "traces/timed/trace0.xml"):
            check_trace(check, transform, stylesheet, os.path.join(GOLDEN, name), name, os.path.join(folder, name.replace("/", "-")))
    check_folded(check, stylesheet)
    check_sampled(check, stylesheet)
    check_timed(check, transform, stylesheet)
    print(f"{check.done} checks, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
