#!/usr/bin/env python3
"""Measures that need no single operations say the same of a profile as of the trace of the same run, to the byte.

profiles.py PROGRAM: makes a profile of each golden trace (fold.py) and compares."""
import csv
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

import fold  # noqa: E402
from part import part_of  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TRACES, TOP = HERE / "traces", HERE.parent.parent
# Values that contradict each other, or what a profile does not have.
LEFT_OUT = {"told-absurd": "absurd values", "counters-absurd": "absurd values", "own-time": "when Hiera took its time"}
MEASURES = "counts,operations,levels,times,profile,histogram,statistics,hotspots"
# Messages that nobody received: a profile has them.
NOT_RECEIVED = {"hang-communicator", "hang-in-finalize", "hang-launcher-gone", "hang-tag", "left", "sums", "unwaited"}
# Time of the program between MPI_Finalize and operations behind it is not in a profile.
NO_GAPS = {"after"}
# Columns that need single operations.
UNKNOWN = {"waiting", "serialisation", "transfer", "remark", "deviation", "q1", "median", "q3", "send", "receive", "openmp-load-balance", "openmp-scheduling", "bytes_deviation", "bytes_min", "bytes_q1", "bytes_median",
           "bytes_q3", "bytes_max"}
# What persistent requests send counts where they are started, in a profile where they are made.
PERSISTENT = {"forms", "persistent", "window"}
ASKED = [[MEASURES + ",efficiency,matrix"], [MEASURES, "--level", "mpi"], ["imbalance", "--by", "rank"]]
# Of non-blocking operations on files the completions' time is not in a profile.
COLLECTIVES = [["matrix", "--by", "collective"]]
LISTED = "tree"  # what the list of docs/measures.md is asked of
ASKED_OF = {name: COLLECTIVES for name in ("chain-of-all", "phases", "uneven", "hang-collectives", "tree", "grid", "waits")}
ASKED_OF |= {"storage": [["io", "--by", "operation", "--columns", "operation,calls,bytes"]],
            "storage-late": [["io", "--by", "rank", "--columns", "processor,operation,calls,bytes"]],
            "one-sided": [["rma", "--by", "rank"]], "exchange": [["matrix", "--by", "communicator"], ["matrix", "--by", "collective"]]}


def known(answer, unknown):
    """The tables of an answer without the columns that need single operations."""
    status, text, _ = answer
    tables = []
    for table in text.split("\n\n"):
        rows = list(csv.reader(table.splitlines()))
        kept = [i for i, name in enumerate(rows[0]) if name not in unknown] if rows else []
        tables += [",".join(row[i] for i in kept) for row in rows]
    return status, tables


def by_path(answer):
    """Time by path, kind and rank. Where computation lies between two calls is not in a profile: it counts for what is around both."""
    times = {}
    for row in csv.DictReader(answer[1].splitlines()):
        steps = row["path"].split(" > ")
        if steps[-1].startswith("before "):
            steps[-1:] = [] if steps[1:] else ["processors"]
        where = " > ".join(steps), row["kind"], row["processor"]
        times[where] = times.get(where, 0) + round(float(row["time"]) * 1e9)
    return times


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def check(program, folder, scratch):
    full, profile = scratch / "full" / folder.name, scratch / "profile" / folder.name
    full.parent.mkdir(exist_ok=True)
    profile.mkdir(parents=True)
    if run(program, str(folder), "--quiet", "--export", f"full:{full}")[0] == 3:
        return None
    try:
        for trace in sorted(full.rglob("trace*.xml")):
            if " since=" in trace.read_text(encoding="utf-8", errors="replace"):
                return None  # what began before it counts from there on: a profile does not have that
            fold.fold(trace, profile / trace.name)
    except fold.ElementTree.ParseError:
        return None
    problems = []
    for options in ASKED + ASKED_OF.get(folder.name, []):
        if folder.name in NOT_RECEIVED:
            options = [options[0].removesuffix(",matrix"), *options[1:]]
        asked = ["--quiet", "--format", "csv", "--measure", *options]
        unknown = UNKNOWN | ({"bytes"} if folder.name in PERSISTENT else set())
        expected, found = (known(run(program, str(which), *asked), unknown) for which in (full, profile))
        if expected != found:
            lines = difflib.unified_diff(expected[1], found[1], "trace", "profile", lineterm="", n=0)
            problems.append("\n".join([f"{folder.name} {' '.join(options)}: exit {expected[0]}, {found[0]}", *lines]))
    for level in ([], ["--level", "mpi"], ["--depth", "1"]) if folder.name not in NO_GAPS else ():
        asked = ["--quiet", "--format", "csv", "--measure", "imbalance", "--by", "table", *level]
        expected, found = (by_path(run(program, str(which), *asked)) for which in (full, profile))
        problems += [f"{folder.name} imbalance {level} {where}: {expected.get(where)}, {found.get(where)}"
                     for where in sorted(expected | found) if expected.get(where) != found.get(where)]
    for export in ("folded", "extrap") if folder.name not in NO_GAPS else ():
        texts = [exported(program, str(which), export, scratch / "exported") for which in (full, profile)]
        if texts[0] != texts[1]:
            problems.append("\n".join([f"{folder.name} {export}", *difflib.unified_diff(*texts, "trace", "profile", lineterm="", n=0)]))
    return problems


def exported(program, folder, export, target):
    run(program, folder, "--quiet", "--export", f"{export}:{target}")
    return sorted(target.read_text(encoding="utf-8").splitlines())


def check_list(program, scratch):
    """docs/measures.md lists which measures work on a profile: those do, and the others refuse it."""
    text = (TOP / "docs" / "measures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]*)` \|", text[text.index("\n## Profiles"):text.index("\n## Terms")], re.M)
    listed, forms = {tuple(row.split(" --by ")) for row in rows}, set()
    for line in run(program, "--measure", "list")[1].splitlines():
        if line[0] != " ":
            forms.add((name := line.split()[0],))
        elif "of several runs:" in line:
            name = None
        elif name and "(default)" not in line and (word := re.search(r"--by ([\w-]+)(?=, |$)", line)):
            forms.add((name, word[1]))
    problems = [f"docs/measures.md lists {row}, which does not exist" for row in listed - forms]
    for name, *by in sorted(forms):
        runs = [str(scratch / "profile" / LISTED)] * (2 if name == "diff" else 1)
        status, _, said = run(program, *runs, "--quiet", "--measure", name, *(["--by", by[0]] if by else []))
        works = (name, *by) in listed
        refused = status == 2 and ("needs single operations" in said or name == "assertions")
        if works and "or profiles with HIERA_SYNC=1" in said:  # and this one is without
            works = False
        if not (status == 0 if works else refused):
            problems.append(f"{name} {by}: exit {status}, listed as {'working' if works else 'refusing'}: {said}")
    return problems


def main(program):
    compared, problems = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for folder in sorted({*part_of(sorted(TRACES.iterdir()), 3), TRACES / LISTED}):
            found = check(program, folder, pathlib.Path(scratch)) if folder.name not in LEFT_OUT else None
            compared += found is not None
            problems += found or []
        problems += check_list(program, pathlib.Path(scratch))
    print(f"{compared} traces compared")
    print("\n".join(problems))
    return 1 if problems or compared < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
