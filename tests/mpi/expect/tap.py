"""Many cases in one test of meson. Python starts and imports once, and each case runs in a child of it, so that none spoils another."""

import atexit
import os
import re
import signal
import sys

SKIPPED = 77  # exit status of a case that says why
PATIENCE = 3  # limits are those of a quiet machine, and meson does not tell us by what it multiplies its own


def run(cases):
    """Run cases, each (name, limit in seconds, function that returns an exit status), and report them in TAP. What a failed one wrote is on standard error."""
    print(f'1..{len(cases)}', flush=True)
    for number, (name, seconds, function) in enumerate(cases, 1):
        status, text = in_child(function, PATIENCE * seconds)
        skipped = re.match('(?:skipped: )?(.*)', text) if status == SKIPPED else None
        print(f'{"ok" if skipped or status == 0 else "not ok"} {number} - {name}' + (f' # SKIP {skipped[1]}' if skipped else ''), flush=True)
        if status and not skipped:
            print(f'{name}:\n{text}', file=sys.stderr, flush=True)
        else:
            print(re.sub('^', '# ', text, flags=re.M) if text else '', end='\n' if text else '', flush=True)
    return 0


def in_child(function, seconds):
    """Exit status and output. After so many seconds the child is ended, with all that it has started."""
    output = os.memfd_create('output')
    child = os.fork()
    if child == 0:
        be_child(function, output)
    is_late = []

    def end(*_):
        is_late.append(True)
        end_all(child)

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(0)
    with open(output, 'rb') as file:
        file.seek(0)
        text = file.read().decode(errors='replace').rstrip('\n')
    how = f'not finished after {seconds} s' if is_late else f'ended by signal {-status}' if status < 0 else ''
    return status, '\n'.join(filter(None, (text, how)))


def be_child(function, output):
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        os.dup2(output, 1)
        os.dup2(output, 2)
        status = function()
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def end_all(process):
    """End a process and what descends from it. Jobs have sessions of their own."""
    parents, found = {}, {process}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{name}/stat', 'rb') as file:
                parents[int(name)] = int(file.read().rpartition(b') ')[2].split()[1])
        except OSError:
            pass  # it has ended
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    for each in found:
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass


def split(words):
    """What stands before the first `--`, then the words of each case; what is asked for by hand (scripts/run-case): `--keep` and the text of `--only=TEXT`."""
    is_kept, only = '--keep' in words, [word.removeprefix('--only=') for word in words if word.startswith('--only=')]
    parts = [[]]
    for word in words:
        if word == '--':
            parts.append([])
        elif word != '--keep' and not word.startswith('--only='):
            parts[-1].append(word)
    return parts[0], [part for part in parts[1:] if not only or any(text in part[0] for text in only)], is_kept


def in_groups(cases, size):
    """Names of groups of about equal size for cases, {case: name of all}. A name has the part if there are several."""
    whole = {}
    for case, name in cases.items():
        whole.setdefault(name, []).append(case)
    groups = {}
    for name, found in whole.items():
        parts = -(-len(found) // size(name))
        groups.update({case: name if parts == 1 else f'{name}, part {i % parts + 1} of {parts}' for i, case in enumerate(found)})
    return groups
