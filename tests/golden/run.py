#!/usr/bin/env python3
"""Golden tests: compare the output of hiera-transform for given traces.

run.py PROGRAM [CASE…] runs the cases. Each is in a file of cases/ (case.py describes it); the program runs in the folder of this file.

run.py --update PROGRAM CASE… writes the status, standard output, and standard error if it no longer matches, from the present output. A
new case is its first line, in a file of its own or under a heading. Read the difference before you commit it."""
import difflib
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios

import case as golden

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 60


def difference(expected, actual):
    return "".join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), "expected", "actual"))


def check_stderr(patterns, text):
    lines = text.splitlines()
    if len(lines) == len(patterns) and all(re.fullmatch(p, line) for p, line in zip(patterns, lines)):
        return ""
    return "stderr: expected lines like\n  " + "\n  ".join(patterns) + "\nactual\n  " + "\n  ".join(lines) + "\n"


def open_terminal(columns):
    """Both ends of a terminal that does not change the output."""
    end, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    mode = termios.tcgetattr(terminal)
    mode[1] &= ~termios.OPOST
    termios.tcsetattr(terminal, termios.TCSANOW, mode)
    return end, terminal


def read_all(end):
    parts = []
    while True:
        try:
            part = os.read(end, 65536)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            return b"".join(parts).decode("utf-8")
        parts.append(part)


def run_in_terminal(command, columns, **options):
    end, terminal = open_terminal(columns)
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.PIPE, **options) as process:
        os.close(terminal)
        stdout = read_all(end)
        stderr = process.stderr.read()
        process.wait(TIMEOUT_S)
    os.close(end)
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def run(program, case):
    command = [program, *case.arguments]
    options = {"cwd": HERE, "text": True, "encoding": "utf-8", "stdin": subprocess.DEVNULL, "env": case.environment()}
    if case.columns:
        return run_in_terminal(command, case.columns, **options)
    return subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False, **options)


def run_case(program, case):
    done = run(program, case)
    problems = difference(case.output, done.stdout) + check_stderr(case.errors, done.stderr)
    if done.returncode != case.status:
        problems += f"exit status: expected {case.status}, actual {done.returncode}\n"
    return problems


def update_case(program, case):
    """Patterns of standard error that still match are kept."""
    done = run(program, case)
    case.output, case.status = done.stdout, done.returncode
    if check_stderr(case.errors, done.stderr):
        case.errors = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", done.stderr).splitlines()
    golden.write(case)


def update(program, names):
    if not names:
        sys.exit("--update: name the cases")
    for case in chosen(names):
        update_case(str(pathlib.Path(program).resolve()), case)
    return 0


def chosen(names):
    """The cases of these names, or all."""
    cases = golden.read(HERE / "cases")
    if unknown := [name for name in names if name not in cases]:
        sys.exit(f"no golden case: {' '.join(unknown)}")
    return [cases[name] for name in names or cases]


def main(program, names):
    cases = chosen(names)
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
    if sys.argv[1] == "--update":
        sys.exit(update(sys.argv[2], sys.argv[3:]))
    sys.exit(main(sys.argv[1], sys.argv[2:]))
