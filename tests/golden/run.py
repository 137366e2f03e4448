#!/usr/bin/env python3
"""Golden tests of hiera-transform: trace in, table out.

run.py PROGRAM [CASE…] runs each case, a folder below cases/ that holds
  command   the arguments, one a line; the program runs in the folder of this file
  exit      the exit status it must have
  stdout    what it must print, byte by byte
  stderr    (may be missing: nothing) one regular expression for each line that it must print
"""
import difflib
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 60


def difference(expected, actual):
    return "".join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), "expected", "actual"))


def check_stderr(patterns, text):
    lines = text.splitlines()
    if len(lines) == len(patterns) and all(re.fullmatch(p, line) for p, line in zip(patterns, lines)):
        return ""
    return "stderr: expected lines like\n  " + "\n  ".join(patterns) + "\nactual\n  " + "\n  ".join(lines) + "\n"


def run_case(program, case):
    arguments = (case / "command").read_text(encoding="utf-8").splitlines()
    done = subprocess.run([program, *arguments], cwd=HERE, capture_output=True, text=True, encoding="utf-8",
                          stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False)
    problems = difference((case / "stdout").read_text(encoding="utf-8"), done.stdout)
    stderr = case / "stderr"
    problems += check_stderr(stderr.read_text(encoding="utf-8").splitlines() if stderr.exists() else [], done.stderr)
    expected = int((case / "exit").read_text(encoding="utf-8"))
    if done.returncode != expected:
        problems += f"exit status: expected {expected}, actual {done.returncode}\n"
    return problems


def main(program, names):
    cases = [HERE / "cases" / name for name in names] or sorted(p for p in (HERE / "cases").iterdir() if p.is_dir())
    program = str(pathlib.Path(program).resolve())
    failed = 0
    for case in cases:
        problems = run_case(program, case)
        print(f"{'not ok' if problems else 'ok'} {case.name}")
        if problems:
            failed += 1
            print(problems)
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
