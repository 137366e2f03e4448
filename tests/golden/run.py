#!/usr/bin/env python3
"""Golden tests: compare the output of hiera-transform for given traces.

run.py PROGRAM [CASE…] runs the cases. Each is a folder in cases/ with these files:
  command   the arguments, one a line; the program runs in the folder of this file
  exit      the expected exit status
  stdout    the expected standard output, byte by byte
  stderr    (if missing: nothing) a regular expression for each expected line on standard error
  terminal  (if missing: a pipe) standard output is a terminal of this many columns
  env       (if missing: nothing) variables of the environment, NAME=VALUE, one a line

run.py --update PROGRAM CASE… writes exit and stdout, and stderr if it no longer matches, from the present output.
Read the difference before you commit it."""
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
    command = [program, *(case / "command").read_text(encoding="utf-8").splitlines()]
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if (case / "env").exists():
        env.update(line.split("=", 1) for line in (case / "env").read_text(encoding="utf-8").splitlines())
    options = {"cwd": HERE, "text": True, "encoding": "utf-8", "stdin": subprocess.DEVNULL, "env": env}
    terminal = case / "terminal"
    if terminal.exists():
        return run_in_terminal(command, int(terminal.read_text(encoding="utf-8")), **options)
    return subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False, **options)


def run_case(program, case):
    done = run(program, case)
    problems = difference((case / "stdout").read_text(encoding="utf-8"), done.stdout)
    stderr = case / "stderr"
    problems += check_stderr(stderr.read_text(encoding="utf-8").splitlines() if stderr.exists() else [], done.stderr)
    expected = int((case / "exit").read_text(encoding="utf-8"))
    if done.returncode != expected:
        problems += f"exit status: expected {expected}, actual {done.returncode}\n"
    return problems


def update_case(program, case):
    """Patterns of stderr that still match are kept."""
    done = run(program, case)
    (case / "stdout").write_text(done.stdout, encoding="utf-8")
    (case / "exit").write_text(f"{done.returncode}\n", encoding="utf-8")
    stderr = case / "stderr"
    if check_stderr(stderr.read_text(encoding="utf-8").splitlines() if stderr.exists() else [], done.stderr):
        stderr.write_text(re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", done.stderr), encoding="utf-8")


def update(program, names):
    if not names:
        sys.exit("--update: name the cases")
    for name in names:
        update_case(str(pathlib.Path(program).resolve()), HERE / "cases" / name)
    return 0


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
    if sys.argv[1] == "--update":
        sys.exit(update(sys.argv[2], sys.argv[3:]))
    sys.exit(main(sys.argv[1], sys.argv[2:]))
