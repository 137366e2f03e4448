"""What is lost in which way: over-time --by waiting, and bottlenecks (docs/measures.md).

The one idea: evidence is a list of (call path, rank, begin, end) for each hypothesis; everything else is a sum over a part of it."""
import re
from collections import defaultdict

import kinds
from parts import spans, useful_stretches
from table import percent, seconds

LINE = re.compile(r":[0-9]+$")  # the end of a call path
KINDS = {"late sender": "late-senders", "late sender, wrong order": "late-senders", "late receiver": "late-receivers", "wait at fence": "windows",
         "late post": "windows", "late complete": "windows", "lock contention": "windows"}


def inside(s, e, start, end):
    return max(0, min(e, end) - max(s, start))


def over_time_waiting(run, waiting, n=20):
    edges = [run.start + (run.end - run.start) * i // n for i in range(n + 1)]
    rows = []
    for start, end in zip(edges, edges[1:]):
        times = {"useful": sum(inside(s, e, start, end) for p in run.processors for s, e in useful_stretches(p)),
                 "waiting": sum(inside(w.start, w.end, start, end) for w in waiting.waits)}
        row = {"from": seconds(start), "to": seconds(end)}
        for name, value in times.items():
            row[name], row[name + "_share"] = seconds(value), percent(value, len(run.processors) * (end - start))
        rows.append(row)
    return rows


over_time_waiting.keys = ("from",)


def steps_of(o):
    return tuple(a.step for a in o.ancestors()) if o else ()


def carried(o):
    """Bytes that a call carries in one direction, or its completed requests; -1 if the trace does not say."""
    texts = [o.get("bytes"), o.get("rbytes"), *(o.get("sizes") or "").split()]
    return max([int(t) for t in texts if t and t.lstrip("-").isdigit()] + [-1])


def find_evidence(run, waiting):
    """hypothesis → [(path, rank, begin, end)]"""
    found = defaultdict(list)
    for p in run.processors:
        for s in spans(p):
            if s.own:
                continue
            if s.mpi is None:
                found["imbalance"].append((steps_of(s.operation), p.rank, s.start, s.end))
            elif kinds.is_io(s.mpi):
                found["io"].append((steps_of(s.mpi), p.rank, s.start, s.end))
            else:
                for part in without(s, waiting.by_call.get(s.mpi, [])):
                    found["transfer"].append((steps_of(s.mpi), p.rank, *part))
                    if 0 <= carried(s.mpi) < 1000:
                        found["small-messages"].append((steps_of(s.mpi), p.rank, *part))
    for w in waiting.waits:
        found[KINDS.get(w.cls, "synchronisation")].append((steps_of(w.call), w.call.rank, w.start, w.end))
    found["serial"] = alone(found["imbalance"], len(run.processors))
    return found


def without(span, waits):
    """The parts of a span in which its call does not wait."""
    at, parts = span.start, []
    for w in sorted(waits, key=lambda w: w.start):
        parts.append((at, max(at, min(w.start, span.end))))
        at = max(at, w.end)
    return [(s, e) for s, e in parts + [(at, span.end)] if s < e]


def alone(computation, n_ranks):
    """The computation of a rank while no other one computes."""
    if n_ranks == 1:
        return []
    instants, found = sorted({t for _, _, s, e in computation for t in (s, e)}), []
    for start, end in zip(instants, instants[1:]):
        of = [c for c in computation if c[2] <= start and c[3] >= end]
        if len(of) == 1:
            found.append((of[0][0], of[0][1], start, end))
    return found


def loss(run, hypothesis, evidence):
    """Time, and the times that it is a share of."""
    by_rank = {p.rank: 0 for p in run.processors}
    for _, rank, start, end in evidence:
        by_rank[rank] += end - start
    time = sum(by_rank.values())
    if hypothesis == "imbalance":
        time = len(by_rank) * max(by_rank.values()) - time
    return int(time), run.end - run.start if hypothesis == "serial" else run.total


def bottlenecks(run, waiting):
    """The whole, and the call paths for which a hypothesis is true, from the outermost inward."""
    evidence = find_evidence(run, waiting)
    return [row for hypothesis in ("imbalance", "serial", "synchronisation", "late-senders", "late-receivers", "windows", "transfer", "small-messages", "io")
            for row in rows_of(run, hypothesis, evidence[hypothesis])]


def rows_of(run, hypothesis, evidence, threshold=10.0):
    rows = []

    def test(path, of):
        time, whole = loss(run, hypothesis, of)
        is_true = whole > 0 and float(percent(time, whole)) >= threshold
        if path and not is_true:
            return
        rows.append({"hypothesis": hypothesis, "where": " > ".join(("processors", *path)), "time": seconds(time),
                     "value": percent(time, whole)})
        if is_true:
            for step in sorted({e[0][len(path)] for e in of if len(e[0]) > len(path)}):
                test((*path, step), [e for e in of if e[0][:len(path) + 1] == (*path, step)])
    test((), evidence)
    return rows


def told(mine, theirs):
    """Of both only what both tell: no ranks, communicators and iterations; nothing inside what is unknown."""
    unknown = {row["hypothesis"] for row in theirs if row["where"] == "processors" and row["verdict"] != "true"}
    mine = [row for row in mine if row["where"] == "processors" or (row["hypothesis"] not in unknown and LINE.search(row["where"]))]
    return mine, [row for row in theirs if row["where"] == "processors" or (row["verdict"] == "true" and LINE.search(row["where"]))]


bottlenecks.keys = ("hypothesis", "where")
