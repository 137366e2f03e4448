"""Exact times of functions and their loops, straight from the elements."""
import pathlib

from table import percent, seconds
from trace import nanoseconds

THRESHOLD = 20
ENOUGH = 10 ** 6


def of(element, name):
    return int(element.get(name, "0"))


def text_of(element):
    what = element.get("operation") or ("irreducible loop" if element.get("irreducible") else "loop")
    if not element.get("file"):
        return what
    lines = dict.fromkeys([element.get("line"), element.get("last_line")])
    return f"{what} {pathlib.PurePosixPath(element.get('file')).name}:{'-'.join(lines)}"


def known_events(element):
    """One for the end of each execution, two for each of a loop inside."""
    return of(element, "count") + 2 * sum(of(loop, "count") for loop in element.iter("hieraTimedLoop") if loop is not element)


def net(element, event, itself):
    """(time, own, cost): without the cost of events, one of the two of a call being in the time of what is called. No element has less than those in it."""
    itself = itself or of(element, "inner") > 0
    within = [net(loop, event, itself) for loop in element]
    time, own = nanoseconds(element.get("time")), min(nanoseconds(element.get("own")), nanoseconds(element.get("time")))
    known, calls = known_events(element), own < time
    every = max(known, of(element, "events"))
    mine = int(element.get("own_events", known if calls else every))
    own_cost = (known + max(0, mine - known) // (2 if calls else 1)) * event
    inside = [inner[0] for inner in within]
    own_inside = sum(inner[1] for inner in within)
    left = max(0, time - every * event, max(inside, default=0) if itself else sum(inside))
    own_left = max(min(max(0, own - own_cost, own_inside), left), own_inside)
    return max(left, own_left), own_left, every * event


def one_rank(processor):
    """(path, what the rank has of it) in the order of the document."""
    def walk(elements, path, itself):
        seen = {}
        for element in elements:
            step = text_of(element)
            seen[step] = seen.get(step, 0) + 1
            here = (*path, step if seen[step] == 1 else f"{step} #{seen[step]}")
            found.append((here, element, None if element.tag == "hieraUntimed" else net(element, event, itself)))
            walk(element, here, itself or of(element, "inner") > 0)
    found = []
    for loops in processor.root.iter("hieraLoops"):
        event = nanoseconds(loops.get("event"))
        walk(loops, (), False)
    return found


def rows_of(processors):
    rows, wholes = {}, {}
    for processor in processors:
        for path, element, times in one_rank(processor):
            row = rows.setdefault(path, {"time": 0, "own": 0, "cost": 0, "executions": 0, "iterations": 0, "open": 0, "threads": 0, "mean": 0, "parts": [],
                                         "busiest": 0, "unseen": 0, "run": 0, "min": [], "max": [], "slowest": [], "timed": False, "reason": element.get("reason", "")})
            if element.tag == "hieraUntimed":
                continue
            row["timed"] |= element.get("evaluated") is None
            (time, own, cost), raw, longest = times, nanoseconds(element.get("time")), nanoseconds(element.get("longest"))
            busiest = min(longest, raw) * time // raw if raw else 0
            if len(path) == 1:
                window = nanoseconds(element.get("watched")) if element.get("watched") else processor.finalize - processor.init
            if window < processor.finalize - processor.init:
                row["unseen"] += nanoseconds(element.get("max"))
            seen = window - (min(longest, raw) - busiest)
            row["run"] += seen
            if element.get("evaluated") is None:
                row["parts"].append(busiest / seen)
            row["time"] += time
            row["own"] += own
            row["cost"] += cost
            row["mean"] += min(busiest, time // of(element, "threads")) if of(element, "threads") else 0
            row["busiest"] += busiest
            for name, attribute in (("executions", "count"), ("iterations", "iterations"), ("open", "open"), ("threads", "threads")):
                row[name] += of(element, attribute)
            if of(element, "count"):
                row["min"].append(nanoseconds(element.get("min")))
                row["max"].append(nanoseconds(element.get("max")))
            if of(element, "count") + of(element, "open"):
                row["slowest"].append((-busiest / seen, processor.rank))
    for path, row in rows.items():
        wholes.setdefault(path[:1], row)
    return [told(path, row, wholes[path[:1]]) for path, row in rows.items()]


def told(path, row, function):
    share = percent(row["busiest"], row["run"]) if len(path) == 1 else percent(row["time"], function["time"])
    may_be = len(path) == 1 and float(percent(row["busiest"] + row["unseen"], row["run"])) >= THRESHOLD
    state = ("never evaluated" if not row["timed"] else "unknown" if function["time"] < ENOUGH else "true" if float(share) >= THRESHOLD else
             "unknown" if may_be else "false")
    parts = row["parts"] or [0]
    return {"path": " > ".join(path), "executions": row["executions"], "iterations": row["iterations"], "time": seconds(row["time"]), "own": seconds(row["own"]),
            "share": share, "state": state, "min": seconds(min(row["min"], default=0)), "max": seconds(max(row["max"], default=0)), "cost": seconds(row["cost"]),
            "threads": row["threads"], "thread-imbalance": percent(row["busiest"] - row["mean"], row["busiest"]),
            "rank-imbalance": percent(max(parts) - sum(parts) / len(parts), max(parts)), "slowest": min(row["slowest"], default=("", ""))[1],
            "open": row["open"], "reason": row["reason"] if row["timed"] or row["reason"] else "it lies deeper than was asked for"}


def loops(run, _waiting):
    return rows_of(run.processors)


def by_rank(run, _waiting):
    return [{"processor": processor.rank, **row} for processor in run.processors for row in rows_of([processor])]


loops.keys = ("path",)
by_rank.keys = ("processor", "path")
