"""diff of a run and the same one at half the speed (docs/measures.md, "diff"): every number follows from `profile`.

It does not align different programs."""
import pathlib
import re

import counting
from table import ask, compare, percent, seconds

TIMES = re.compile(r'\b(init|finalize|start_time|finish_time|clock_offset|time)="([0-9.]+)"')


def slow_down(folder, to):
    """Copy a run; all of its times are twice as long."""
    to.mkdir(parents=True)
    for path in sorted(pathlib.Path(folder).glob("trace*.xml")):
        def twice(match):
            return f'{match[1]}="{seconds(2 * nanoseconds(match[2]))}"'
        (to / path.name).write_text(TIMES.sub(twice, path.read_text(encoding="utf-8")), encoding="utf-8")
    return to


def nanoseconds(text):
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int((part + "000000000")[:9])


def rows(run, waiting):
    found, n = counting.profile(run, waiting), len(run.processors)
    whole = nanoseconds(found[0]["inclusive"])
    result = []
    for row in found:
        time, own, mpi = (nanoseconds(row[name]) for name in ("inclusive", "exclusive", "mpi"))
        result.append({"path": "whole run" if row["path"] == "processors" else row["path"].partition(" > ")[2], "level": row["level"],
                       "time_a": seconds(time // n), "time_b": seconds(2 * time // n), "change": seconds(time // n), "own": seconds(own // n),
                       "mpi": seconds(mpi // n), "share": percent(time, whole), "calls_a": row["calls"], "calls_b": row["calls"],
                       "max_a": row["max"], "max_b": seconds(2 * nanoseconds(row["max"])), "noise": seconds(0)})
    return result


def differences(program, folder, run, waiting, scratch):
    slow = slow_down(folder, scratch)
    return compare(rows(run, waiting), ask(program, folder, "diff", (str(slow),)), ("path", "level"))
