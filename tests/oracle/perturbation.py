"""What recording cost (docs/measures.md, "perturbation"), of traces in full encoding without filters."""
from collections import defaultdict

from counting import full_name
from table import percent, seconds

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
    for title, of, own in last:
        row = {**costs(of, within), "own": seconds(own), "inside": seconds(own), "share": percent(min(own, run.total), run.total), "rule": "",
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
