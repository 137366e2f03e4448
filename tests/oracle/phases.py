"""Phases that are marked: each outermost operation of a depth is an iteration."""
from collections import defaultdict
from math import isqrt

from parts import file_name, median_low
from table import percent, seconds
from trace import ranks_text


def marked(run, waiting):
    """With --depth 0."""
    sites = defaultdict(lambda: defaultdict(list))
    for p in run.processors:
        for o in p.outermost:
            sites[o.level, o.step][p.rank].append(o)
    return [row(run, by_rank) for by_rank in sites.values()]


marked.keys = ("path",)


def row(run, by_rank):
    n = max(len(of) for of in by_rank.values())
    t = [max(of[k].f - of[k].s for of in by_rank.values() if k < len(of)) for k in range(n)]
    first, mean, total = next(iter(by_rank.values()))[0], sum(t) // n, sum(t)
    deviation = isqrt((n * sum(x * x for x in t) - total * total) // (n * n))
    k = range(1, n + 1)
    below = n * sum(i * i for i in k) - sum(k) ** 2
    above = n * sum(i * x for i, x in zip(k, t)) - sum(k) * total
    drift = (abs(above) // below) * (1 if above >= 0 else -1) if below else 0
    strange = [i for i, x in zip(k, t) if abs(n * x - total) > 3 * n * deviation and deviation or 2 * x > 3 * median_low(t)]
    all_time = sum(o.f - o.s for of in by_rank.values() for o in of)
    return {"operation": first.cls + "::" + first.name if first.cls else first.name, "file": file_name(first.file), "line": first.line,
            "path": first.path, "length": 1, "repeats": n, "ranks": len(by_rank), "share": percent(all_time, run.total), "mean": seconds(mean),
            "deviation": seconds(deviation), "min": seconds(min(t)), "max": seconds(max(t)), "drift": seconds(drift),
            "outliers": ranks_text(strange)}
