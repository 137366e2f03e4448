"""Histograms, times over the run, the call tree."""
from collections import Counter, defaultdict

import kinds
from match import calls
from parts import file_name, own, useful_stretches
from table import percent, seconds
from trace import ranks_text


def full_name(o):
    return o.cls + "::" + o.name if o.cls else o.name


def bins(values, show):
    """From and to of powers of two, with the count and share of each."""
    found = Counter(v.bit_length() for v in values)
    return [{"from": show(1 << b >> 1), "to": show(1 << b), "count": n, "share": percent(n, len(values))} for b, n in found.items()]


def histogram(run, waiting):
    rows = defaultdict(list)
    for p in run.processors:
        for o in p.operations:
            rows[o.level, full_name(o)].append(o.f - o.s)
    return [{"level": level, "operation": name, **b} for (level, name), values in rows.items() for b in bins(values, seconds)]


histogram.keys = ("level", "operation", "from")


def histogram_by_rank(run, waiting):
    return [{"processor": p.rank, **b} for p in run.processors for b in bins([e - s for s, e in useful_stretches(p)], seconds)]


histogram_by_rank.keys = ("processor", "from")


def histogram_by_peer(run, waiting):
    rows = defaultdict(list)
    for m in waiting.matches.messages:
        rows[m.receive.post.rank].append(m.send.size)
    return [{"peer": rank, **b} for rank, values in rows.items() for b in bins(values, int)]


histogram_by_peer.keys = ("peer", "from")


def over_time(run, waiting, n=20):
    result, whole = [], run.end - run.start
    edges = [run.start + whole * i // n for i in range(n + 1)]
    for start, end in zip(edges, edges[1:]):
        def inside(s, e):
            return max(0, min(e, end) - max(s, start))
        work = sum(inside(s, e) for p in run.processors for s, e in useful_stretches(p))
        io = sum(inside(max(o.s, p.init), o.f) for p in run.processors for o in calls(p) if kinds.is_io(o))
        mpi = sum(inside(max(o.s, p.init), o.f) for p in run.processors for o in calls(p)) - io
        row = {"from": seconds(start), "to": seconds(end)}
        for name, value in (("useful", work), ("mpi", mpi), ("io", io)):
            row[name], row[name + "_share"] = seconds(value), percent(value, len(run.processors) * (end - start))
        result.append(row)
    return result


over_time.keys = ("from",)


def mpi_inside(o):
    if o.is_mpi:
        return [o]
    return [c for child in o.children for c in mpi_inside(child)]


def profile(run, waiting):
    rows = defaultdict(lambda: defaultdict(list))
    for p in run.processors:
        for o in p.main:
            rows["processors > " + o.path, o.level][p.rank].append(o)
    result, sent = [whole(run)], sent_bytes(run)
    for (path, level), by_rank in rows.items():
        of = [o for found in by_rank.values() for o in found]
        each = [sum(o.f - o.s for o in by_rank.get(p.rank, [])) for p in run.processors]
        inclusive, n = sum(each), len(each)
        result.append({"path": path, "level": level, "calls": len(of), "inclusive": seconds(inclusive),
                       "exclusive": seconds(inclusive - sum(c.f - c.s for o in of for c in o.children)
                                            - sum(sum(own(run.by_rank[o.rank], o, False)) for o in of)),
                       "mpi": seconds(sum(c.f - c.s for o in of for c in mpi_inside(o))),
                       "bytes": sum(sent[c] for o in of for c in mpi_inside(o)),
                       "min": seconds(min(each)), "mean": seconds(inclusive // n), "max": seconds(max(each)),
                       "imbalance": percent(n * max(each) - inclusive, n * max(each))})
    return result + profile_of_own(run)


def profile_of_own(run):
    """What Hiera took, below the operations in which it did."""
    rows, result = defaultdict(lambda: defaultdict(list)), []
    for p in run.processors:
        for o in {o for _, _, o in p.flushes}:
            steps = ["processors"] + ([o.path] if o else []) + ["Hiera itself"]
            rows[" > ".join(steps)][p.rank] += [time for time in own(p, o, False) if time > 0]
    for path, by_rank in rows.items():
        each = [sum(by_rank.get(p.rank, [])) for p in run.processors]
        inclusive, n = sum(each), len(each)
        if inclusive:
            result.append({"path": path, "level": "", "calls": sum(map(len, by_rank.values())), "inclusive": seconds(inclusive),
                           "exclusive": seconds(inclusive), "mpi": seconds(0), "bytes": 0, "min": seconds(min(each)),
                           "mean": seconds(inclusive // n), "max": seconds(max(each)),
                           "imbalance": percent(n * max(each) - inclusive, n * max(each))})
    return result


def sent_bytes(run):
    """What each call gives to MPI; what it gets does not count. Persistent requests send with each start."""
    sent = {}
    for p in run.processors:
        requests = {}
        for o in p.operations:
            given = 0 if o.name in kinds.RECEIVES | kinds.PROBES | kinds.GETS | kinds.COMPLETIONS or "read" in o.name else int(o.get("bytes", 0))
            if o.name in kinds.STARTS:
                given = sum(requests.get(number, 0) for number in (o.get("requests") or o.get("request") or "").split())
            elif o.name.endswith("_init"):
                requests[o.get("request")], given = given, 0
            sent[o] = given if o.is_mpi else 0
    return sent


def whole(run):
    """The first row of profile: the processors themselves."""
    each = [max([p.finalize] + [o.f for o in p.outermost]) - min([p.init] + [o.s for o in p.outermost]) for p in run.processors]
    top = [o for p in run.processors for o in p.outermost]
    inner = [c for o in top for c in mpi_inside(o)]
    n, total, sent = len(each), sum(each), sent_bytes(run)
    return {"path": "processors", "level": "", "calls": n, "inclusive": seconds(total),
            "exclusive": seconds(total - sum(o.f - o.s for o in top) - sum(sum(own(p, None, False)) for p in run.processors)), "mpi": seconds(sum(c.f - c.s for c in inner)),
            "bytes": sum(sent[c] for c in inner), "min": seconds(min(each)), "mean": seconds(total // n),
            "max": seconds(max(each)), "imbalance": percent(n * max(each) - total, n * max(each))}


profile.keys = ("path", "level")


def without_functions(operations):
    """The outermost ones that are no functions of the program."""
    return [inner for o in operations for inner in (without_functions(o.children) if o.level == "function" else [o])]


def hotspots(run, waiting):
    rows, sent = defaultdict(list), sent_bytes(run)
    for p in run.processors:
        for o in without_functions(p.outermost):
            rows[o.level, full_name(o), file_name(o.file), o.line].append(o)
    result = []
    for key, of in rows.items():
        inner = [c for o in of for c in mpi_inside(o)]
        if not inner:
            continue
        each = [sum(c.f - c.s for c in inner if c.rank == p.rank) for p in run.processors]
        n, total = len(each), sum(each)
        result.append({**dict(zip(("level", "operation", "file", "line"), key)), "calls": len(of), "mpi": seconds(total),
                       "waiting": seconds(sum(w.length for c in inner for w in waiting.by_call[c])),
                       "ranks": ranks_text(p.rank for p, t in zip(run.processors, each) if t > 0 and 10 * t >= 9 * max(each)),
                       "bytes": sum(sent[c] for c in inner), "min": seconds(min(each)), "mean": seconds(total // n),
                       "max": seconds(max(each)), "imbalance": percent(n * max(each) - total, n * max(each))})
    return result


hotspots.keys = ("level", "operation", "file", "line")


# --- What recording cost (docs/measures.md, "perturbation"), of traces in full encoding without filters ---

FILTERED = 48


def cost(o):
    return 142 if o.is_mpi else 79


def size(o):
    return 189 if o.is_mpi else 136


def inside(o, within):
    """The cost of an operation and of all that are inside it."""
    return cost(o) + sum(inside(child, within) for child in within[o])


def rule(level, name, by_level):
    if by_level:
        return f"level={level}"
    for character in ",/ \t":
        name = name.replace(character, "*")
    return name if level == "mpi" else f"level={level}/operation={name}"


def costs(of, within):
    """Of some operations."""
    time = sum(o.f - o.s for o in of)
    return {"calls": len(of), "hidden": 0, "mean": seconds(time // len(of) if of else 0), "own": seconds(sum(map(cost, of))),
            "inside": seconds(sum(inside(o, within) for o in of)), "bytes": sum(map(size, of))}


def all_of(p, within):
    """Of one rank, and what it took for it in ns: at least as long as writing."""
    took = max(sum(map(cost, p.operations)), p.flush)
    return {**costs(p.operations, within), "own": seconds(took), "inside": seconds(took)}, took


def callees(run):
    within = defaultdict(list)
    for p in run.processors:
        for o in p.operations:
            within[o.parent].append(o)
    return within


def rows(run, key, by_level):
    within, found = callees(run), defaultdict(list)
    for p in run.processors:
        for o in p.operations:
            found[key(o)].append(o)
    every = [o for p in run.processors for o in p.operations]
    total, flush = sum(map(size, every)), sum(p.flush for p in run.processors)
    took = sum(all_of(p, within)[1] for p in run.processors)
    result = []
    for (level, name), of in found.items():
        row, time = costs(of, within), sum(o.f - o.s for o in of)
        row["share"] = percent(min(sum(inside(o, within) for o in of), time), time)
        row.update(level=level, rule=rule(level, name, by_level), leaves=total - row["bytes"], leaves_share=percent(total - row["bytes"], total),
                   saves=seconds(sum(map(cost, of)) - FILTERED * len(of)))
        result.append(row if by_level else {**row, "operation": name})
    last = [("total", every, took)] + ([("(of it writing)", [], flush)] if flush else [])
    for title, of, spent in last:
        row = {**costs(of, within), "own": seconds(spent), "inside": seconds(spent), "share": percent(min(spent, run.total), run.total), "rule": "",
               "leaves": total, "leaves_share": percent(total, total), "saves": seconds(0)}
        result.append({**row, "level": title} if by_level else {**row, "level": "", "operation": title})
    return result


def by_operation(run, waiting):
    return rows(run, lambda o: (o.level, full_name(o)), False)


def by_level(run, waiting):
    return rows(run, lambda o: (o.level, ""), True)


def by_rank(run, waiting):
    within, result = callees(run), []
    for p in run.processors:
        row, took = all_of(p, within)
        result.append({**row, "processor": p.rank, "share": percent(min(took, p.finalize - p.init), p.finalize - p.init), "flush": seconds(p.flush)})
    every, took = [o for p in run.processors for o in p.operations], sum(all_of(p, within)[1] for p in run.processors)
    return result + [{**costs(every, within), "own": seconds(took), "inside": seconds(took), "processor": "total",
                      "share": percent(min(took, run.total), run.total), "flush": seconds(sum(p.flush for p in run.processors))}]


by_operation.keys = ("level", "operation")
by_level.keys = ("level",)
by_rank.keys = ("processor",)
