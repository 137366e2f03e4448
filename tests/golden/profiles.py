#!/usr/bin/env python3
"""Measures that need no single operations say the same of a profile as of the trace of the same run, to the byte.

profiles.py PROGRAM: makes a profile of each golden trace (fold.py) and compares."""
import pathlib
import subprocess
import sys
import tempfile

import fold

TRACES = pathlib.Path(__file__).resolve().parent / "traces"
# Values that contradict each other, or what a profile does not have.
LEFT_OUT = {"told-absurd": "absurd values", "counters-absurd": "absurd values"}
MEASURES = ["counts", "operations", "levels", "times", "profile", "histogram"]
NARROWED = [["--level", "mpi"], ["--depth", "0"]]


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
    for options in [[]] + NARROWED:
        asked = ["--quiet", "--format", "csv", "--measure", ",".join(MEASURES), *options]
        expected, found = run(program, str(full), *asked), run(program, str(profile), *asked)
        if expected[:2] != found[:2]:
            problems.append(f"{folder.name} {' '.join(options)}\n" + difference(expected, found))
    return problems


def difference(expected, found):
    left, right = expected[1].splitlines(), found[1].splitlines()
    lines = [f"  - {a}\n  + {b}" for a, b in zip(left, right) if a != b][:4]
    return "\n".join([f"  exit {expected[0]} and {found[0]}, {len(left)} and {len(right)} lines {found[2]}", *lines])


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
