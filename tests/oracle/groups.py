"""Ranks that are alike, planes of a grid of them, and phases that are marked (docs/measures.md, "imbalance", "phases")."""
from collections import defaultdict
from math import isqrt

from counting import full_name
from match import calls
from parts import file_name, io_time, median_low, useful
from table import percent, ratio, seconds
from trace import ranks_text


LONGEST_REPEAT = 32


def site(o):
    return o.level, o.cls, o.name, o.file, o.line


def collapsed(siblings):
    """Operations side by side as (what they do, the operation); a sequence that is repeated at once is there once."""
    found = []
    for o in siblings:
        found.append(((site(o), tuple(does for does, _ in collapsed(o.children))), o))
        for length in range(1, LONGEST_REPEAT + 1):
            last, before = found[-length:], found[-2 * length:-length]
            if len(before) == length and [does for does, _ in last] == [does for does, _ in before]:
                del found[-length:]
                break
    return found


def words(o):
    if o is None:
        return "end"
    return full_name(o) + (f" {file_name(o.file)}" if o.file else "") + (f":{o.line}" if o.line else "")


def part(first, own):
    """Where two ranks part: the operation around, and what each of them does then; None: nothing more."""
    around, theirs, mine = None, first.outermost, own.outermost
    while True:
        a, b = collapsed(theirs), collapsed(mine)
        at = next(i for i in range(len(a) + 1) if a[i:i + 1] == [] or b[i:i + 1] == [] or a[i][0] != b[i][0])
        other, o = (found[at][1] if at < len(found) else None for found in (a, b))
        if other is None or o is None or site(other) != site(o):
            return around, other, o
        around, theirs, mine = o, other.children, o.children


def number(p, around, o):
    """Of an operation among all of its rank, from 1; of none, that of the next one if it were there."""
    if o is None and around is None:
        return len(p.operations) + 1
    inner = around
    while o is None and inner.children:
        inner = inner.children[-1]
    return p.operations.index(o or inner) + (1 if o else 2)


def by_group(run, waiting):
    found = {}
    for p in run.processors:
        found.setdefault(tuple(does for does, _ in collapsed(p.outermost)), []).append(p)
    order, result = sorted(found.values(), key=lambda of: (-len(of), of[0].rank)), []
    for i, of in enumerate(order):
        row = {"group": i + 1, "processors": ranks_text(p.rank for p in of), "count": len(of), "operations": sum(len(p.main) for p in of),
               "path": "", "index": 0, "operation": "", "first_group": ""}
        if i > 0:
            around, other, o = part(order[0][0], of[0])
            row.update(path=around.path if around else "", index=number(of[0], around, o), operation=words(o), first_group=words(other))
        result.append(row)
    return result


by_group.keys = ("group",)


# --- Ranks by their place in a Cartesian topology (docs/measures.md, "imbalance", by plane and by coordinates) ---

class Grid:
    """`places`: world rank → coordinates."""

    def __init__(self, sizes, communicator, members):
        self.name = " x ".join(map(str, sizes)) + " " + communicator
        self.sizes, self.places = sizes, {}
        for number, rank in enumerate(members):
            coordinates = []
            for size in reversed(sizes):
                coordinates.insert(0, number % size)
                number //= size
            self.places[rank] = coordinates


def find_grids(run):
    """By communicator."""
    found = {}
    for p in run.processors:
        for o in calls(p):
            made = o.get("newcomm")
            if o.name != "cart_create" or not o.get("dims") or made not in p.communicators:
                continue
            sizes, places, members = [int(n) for n in o.get("dims").split()], 1, p.communicators[made].ranks
            for size in sizes:
                places *= size
            if places == len(members):
                found.setdefault(made, Grid(sizes, p.communicators[made].name, members))
    return found


def grids(run):
    return list(find_grids(run).values())


def cuts(run):
    """By communicator of a grid, the lists of two or more axes on which its parts have one coordinate."""
    whole = find_grids(run)
    found, parts = {made: [] for made in whole}, {made: (made, list(range(len(grid.sizes)))) for made, grid in whole.items()}
    for p in run.processors:
        for o in calls(p):
            if o.name != "cart_sub" or o.get("comm") not in parts:
                continue
            of, axes = parts[o.get("comm")]
            kept = [axis for axis, remains in zip(axes, o.get("remain_dims").split()) if remains == "1"]
            parts.setdefault(o.get("newcomm"), (of, kept))
            long = [axis for axis, size in enumerate(whole[of].sizes) if size > 1]
            fixed = [axis for axis in long if axis not in kept]
            if 2 <= len(fixed) < len(long) and fixed not in found[of]:
                found[of].append(fixed)
    return found


def axis(dimension):
    return "xyz"[dimension] if dimension < 3 else f"axis {dimension + 1}"


def times_of(run, waiting):
    """By rank: useful, mpi, waiting, io."""
    found = {}
    for p in run.processors:
        io = io_time(p)
        mpi = sum(min(o.f, p.finalize) - max(o.s, p.init) for o in calls(p) if p.init < o.f and o.s < p.finalize) - io
        found[p.rank] = (useful(p), mpi, sum(w.length for w in waiting.waits if w.call.rank == p.rank), io)
    return found


def row_of(times, ranks, mean):
    each = [sum(column) // len(ranks) for column in zip(*(times[r] for r in ranks))]
    return {**dict(zip(("useful", "mpi", "waiting", "io"), map(seconds, each))), "apart": seconds(each[0] - mean),
            "factor": ratio(each[0], mean)}


def by_coordinates(run, waiting):
    times, rows = times_of(run, waiting), []
    for grid in grids(run):
        mean = sum(times[r][0] for r in grid.places) // len(grid.places)
        rows += [{"grid": grid.name, "coordinates": ", ".join(f"{axis(d)} = {c}" for d, c in enumerate(at)), "processor": rank,
                  **row_of(times, [rank], mean)} for rank, at in grid.places.items()]
    return rows


def by_plane(run, waiting):
    times, rows, cut = times_of(run, waiting), [], cuts(run)
    for made, grid in find_grids(run).items():
        n, total = len(grid.places), sum(times[r][0] for r in grid.places)
        spread = sum((n * times[r][0] - total) ** 2 for r in grid.places)
        for axes in [[axis] for axis in range(len(grid.sizes))] + cut[made]:
            planes = {}
            for r, at in grid.places.items():
                planes.setdefault(tuple(at[i] for i in axes), []).append(r)
            between = sum((n * sum(times[r][0] for r in plane) - len(plane) * total) ** 2 / len(plane) for plane in planes.values())
            rows += [{"grid": grid.name, "plane": ", ".join(f"{axis(i)} = {c}" for i, c in zip(axes, at)), "processors": ranks_text(plane),
                      **row_of(times, plane, total // n), "explains": percent(between, spread)} for at, plane in planes.items()]
    return rows


by_coordinates.keys = ("grid", "coordinates")
by_plane.keys = ("grid", "plane")


# --- Phases that are marked: each outermost operation of a depth is an iteration ---

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
