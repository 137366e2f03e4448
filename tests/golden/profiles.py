#!/usr/bin/env python3
"""Measures that need no single operations say the same of a profile as of the trace of the same run, to the byte.

profiles.py PROGRAM: makes a profile of each golden trace (fold.py) and compares."""
import csv
import difflib
import pathlib
import subprocess
import sys
import tempfile

import fold

TRACES = pathlib.Path(__file__).resolve().parent / "traces"
# Values that contradict each other, or what a profile does not have.
LEFT_OUT = {"told-absurd": "absurd values", "counters-absurd": "absurd values"}
MEASURES = "counts,operations,levels,times,profile,histogram,statistics,hotspots"
# Receives whose end the trace does not have: a profile counts messages when they arrive.
NO_ENDS = {"forms", "hang-waitall", "overlap", "waits"}
# Columns that need single operations.
UNKNOWN = {"waiting", "deviation", "q1", "median", "q3", "send", "receive", "bytes_deviation", "bytes_min", "bytes_q1", "bytes_median",
           "bytes_q3", "bytes_max"}
ASKED = [[MEASURES + ",matrix"], [MEASURES, "--level", "mpi"], ["imbalance", "--by", "rank"]]


def known(answer):
    """The tables of an answer without the columns that need single operations."""
    status, text, _ = answer
    tables = []
    for table in text.split("\n\n"):
        rows = list(csv.reader(table.splitlines()))
        kept = [i for i, name in enumerate(rows[0]) if name not in UNKNOWN] if rows else []
        tables += [",".join(row[i] for i in kept) for row in rows]
    return status, tables


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
            fold.fold(trace, profile / trace.name)
    except fold.ElementTree.ParseError:
        return None
    problems = []
    for options in ASKED:
        if folder.name in NO_ENDS:
            options = [options[0].removesuffix(",matrix"), *options[1:]]
        asked = ["--quiet", "--format", "csv", "--measure", *options]
        expected, found = known(run(program, str(full), *asked)), known(run(program, str(profile), *asked))
        if expected != found:
            lines = difflib.unified_diff(expected[1], found[1], "trace", "profile", lineterm="", n=0)
            problems.append("\n".join([f"{folder.name} {' '.join(options)}: exit {expected[0]}, {found[0]}", *lines]))
    return problems


def main(program):
    compared, problems = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for folder in sorted(TRACES.iterdir()):
            found = check(program, folder, pathlib.Path(scratch)) if folder.name not in LEFT_OUT else None
            compared += found is not None
            problems += found or []
    print(f"{compared} traces compared")
    print("\n".join(problems))
    return 1 if problems or compared < 30 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
