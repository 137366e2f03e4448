"""Ranks by their place in a Cartesian topology (docs/measures.md, "imbalance", by plane and by coordinates)."""
from match import calls
from parts import io_time, useful
from table import percent, ratio, seconds
from trace import ranks_text


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
