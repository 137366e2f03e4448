"""Exact times of functions and their loops, straight from the elements."""
import pathlib

from table import percent, ratio, seconds
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


def one_rank(processor):
    """(path, element) in the order of the document."""
    def walk(elements, path):
        seen = set()
        for element in elements:
            text = text_of(element)
            step = next(step for step in (text, *(f"{text} #{i}" for i in range(2, len(seen) + 3))) if step not in seen)
            seen.add(step)
            here = (*path, step)
            found.append((here, element))
            walk(element, here)
    found = []
    for loops in processor.root.iter("hieraLoops"):
        walk(loops, ())
    return found


def threads_of(element):
    return {int(thread): nanoseconds(time) for thread, time in (one.split(":") for one in element.get("by_thread", "").split())}


def rows_of(processors):
    rows, wholes = {}, {}
    for processor in processors:
        for path, element in one_rank(processor):
            row = rows.setdefault(path, {"time": 0, "own": 0, "uncertainty": 0, "own-uncertainty": 0, "estimated": False, "doubt": 0, "executions": 0, "timed": 0, "iterations": 0, "open": 0, "threads": 0, "mean": 0, "parts": [],
                                         "busiest": 0, "unseen": 0, "run": 0, "min": [], "max": [], "slowest": [], "uneven": [], "evaluated": False, "reason": element.get("reason", "")})
            if element.tag == "hieraUntimed":
                continue
            row["evaluated"] |= element.get("evaluated") is None
            time, longest = nanoseconds(element.get("time")), nanoseconds(element.get("longest"))
            busiest = min(longest, time)
            if len(path) == 1:
                window = nanoseconds(element.get("watched")) if element.get("watched") else processor.finalize - processor.init
            if window < processor.finalize - processor.init:
                row["unseen"] += nanoseconds(element.get("max"))
            row["run"] += window
            if element.get("evaluated") is None:
                row["parts"].append(busiest / window)
            row["time"] += time
            row["own"] += nanoseconds(element.get("own"))
            row["uncertainty"] += nanoseconds(element.get("uncertainty"))
            row["own-uncertainty"] += nanoseconds(element.get("own_uncertainty", element.get("uncertainty")))
            row["estimated"] |= element.get("estimated") is not None
            row["doubt"] += int(element.get("estimated", 0))
            row["mean"] += min(busiest, time // of(element, "threads")) if of(element, "threads") else 0
            row["busiest"] += busiest
            row["timed"] += of(element, "timed") if element.get("timed") else of(element, "count")
            for name, attribute in (("executions", "count"), ("iterations", "iterations"), ("open", "open"), ("threads", "threads")):
                row[name] += of(element, attribute)
            if of(element, "count"):
                row["min"].append(nanoseconds(element.get("min")))
                row["max"].append(nanoseconds(element.get("max")))
            if of(element, "count") + of(element, "open"):
                row["slowest"].append((-busiest / window, processor.rank))
            if of(element, "threads") > 1:
                each = threads_of(element)
                most = max(each, key=lambda thread: (each[thread], -thread)) if each and (len(each) >= of(element, "threads") or max(each.values()) >= longest - longest // 100) else "?"
                row["uneven"].append((-float(percent(longest - time // of(element, "threads"), window)), processor.rank, most))
    for path, row in rows.items():
        wholes.setdefault(path[:1], row)
    return [told(path, row, wholes[path[:1]]) for path, row in rows.items()]


def reason(row):
    if not row["evaluated"] and not row["reason"]:
        return "it lies deeper than was asked for"
    if not row["estimated"]:
        return row["reason"]
    return f"what it counts is estimated by the executions that were timed, iterations to within {int(float(percent(row['doubt'], row['iterations']))) + 1} %"


def told(path, row, function):
    def share(more):
        return percent(max(row["busiest"] + more, 0), row["run"]) if len(path) == 1 else percent(max(row["time"] + more, 0), function["time"])
    most = row["uncertainty"] + (row["unseen"] if len(path) == 1 else 0)
    state = ("never evaluated" if not row["evaluated"] else "unknown" if function["time"] < ENOUGH else "true" if float(share(-row["uncertainty"])) >= THRESHOLD else
             "unknown" if float(share(most)) >= THRESHOLD else "false")
    doubt = float(percent(row["uncertainty"], row["time"]))
    parts = row["parts"] or [0]
    return {"path": " > ".join(path), "executions": row["executions"], "iterations": row["iterations"], "time": seconds(row["time"]), "own": seconds(row["own"]),
            "share": share(0), "state": f"{state}, ±{int(doubt)} %" if doubt > 10 else state, "min": seconds(min(row["min"])) if row["min"] else "", "max": seconds(max(row["max"])) if row["max"] else "",
            "uncertainty": seconds(row["uncertainty"]), "own-uncertainty": seconds(row["own-uncertainty"]), "timed": row["timed"],
            "threads": row["threads"], "thread-imbalance": percent(row["busiest"] - row["mean"], row["busiest"]) if row["uneven"] else "",
            "rank-imbalance": percent(max(parts) - sum(parts) / len(parts), max(parts)), "slowest": min(row["slowest"], default=("", ""))[1],
            "slowest-thread": "{1}:{2}".format(*min(row["uneven"], key=lambda one: one[:2])) if row["uneven"] else "",
            "open": row["open"], "reason": reason(row)}


def loops(run, _waiting):
    return rows_of(run.processors)


def by_rank(run, _waiting):
    return [{"processor": processor.rank, **row} for processor in run.processors for row in rows_of([processor])]


def by_thread(run, _waiting):
    rows = []
    for processor in run.processors:
        whole, window = {}, 0
        for path, element in one_rank(processor):
            each = threads_of(element)
            if len(path) == 1:
                whole, window = each, nanoseconds(element.get("watched")) if element.get("watched") else processor.finalize - processor.init
            for thread, time in each.items():
                mean = nanoseconds(element.get("time")) // of(element, "threads")
                rows.append({"processor": processor.rank, "thread": thread, "path": " > ".join(path), "time": seconds(time),
                             "share": percent(time, window if len(path) == 1 else whole.get(thread, 0)), "factor": ratio(time, mean)})
    return rows


loops.keys = ("path",)
by_thread.keys = ("processor", "thread", "path")
by_rank.keys = ("processor", "path")
