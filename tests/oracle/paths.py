"""Critical path, and the forward and backward pass over the calls: slack and the ideal run."""
from collections import defaultdict

import kinds
from match import calls
from parts import Span, io_time, outside_mpi, own, spans, useful, useful_stretches
from table import percent, ratio, seconds
from trace import ranks_text


def critical_spans(run, waiting):
    """Backward from the last finalize. Spans, and the skew before the first init of the last rank."""
    last = max(run.processors, key=lambda p: (p.finalize, -p.rank))
    rank, at, found, left = last.rank, last.finalize, [], set()
    while True:
        p = run.by_rank[rank]
        waits = [w for w in waiting.waits if w.call.rank == rank and w.cause is not None and w.start < at and w not in left]
        wait = max(waits, key=lambda w: w.end, default=None)
        start = min(wait.end, at) if wait else p.init
        if start < at:
            found += [s for s in (t.clipped(start, at) for t in spans(p)) if s]
            if at > p.finalize:
                found.append(Span(rank, max(start, p.finalize), at, None, "skew"))
        if wait is None:
            at = min(at, start) if start < at else at
            if at > run.start:
                found.append(Span(rank, run.start, at, None, "skew"))
            return found
        left.add(wait)
        rank, at = wait.cause.rank, start


def kind_of(span):
    return "skew" if span.before == "skew" else span.kind


def critical_path(run, waiting):
    rows = defaultdict(list)
    for s in critical_spans(run, waiting):
        skew = s.before == "skew"
        rows[("", "", "skew") if skew else (s.path, s.level, s.kind)].append(s)
    whole = run.end - run.start
    result = []
    for (path, level, kind), of in rows.items():
        time = sum(s.length for s in of)
        result.append({"path": path, "level": level, "processors": ranks_text(s.rank for s in of), "kind": kind, "time": seconds(time),
                       "share": percent(time, whole), "saves": seconds(time // 100)})
    return result


critical_path.keys = ("path", "level", "kind")


class Passes:
    """The calls as nodes. The end of a call comes after the starts of the calls that it needs."""

    def __init__(self, run, waiting):
        self.run, self.waiting = run, waiting
        self.calls = {p.rank: [c for c in calls(p) if c.name not in kinds.LOCAL or p.init < c.f and c.s < p.finalize] for p in run.processors}
        self.needs, self.unsure = {}, set()
        for c in (c for of in self.calls.values() for c in of):
            self.needs[c] = self.needed(c)

    def needed(self, c):
        """What the clocks contradict is left out: a message, a root; or all members of a collective together. A test or
        probe in vain returns in any case."""
        found = []
        if c in self.waiting.matches.tested or c.get("flag") == "0":
            return found
        for unit in self.waiting.dependences(c):
            for group in ([d for d in unit if d.cls in JOINT], *([d] for d in unit if d.cls not in JOINT)):
                needs = [d for d in group if d.cause is not c and (d.cls != "late receiver" or c.s < d.time <= c.f)]
                if any(d.time > c.f for d in needs):
                    self.unsure.add(c)
                else:
                    found += [d.cause for d in needs]
        return found

    def cost(self, c):
        """What the call takes once all that it needs has begun."""
        return c.f - max([c.s] + [d.s for d in self.needs[c]])

    def gaps(self, rank):
        """Computation before each call, and after the last one."""
        at, found = self.run.by_rank[rank].init, []
        for c in self.calls[rank]:
            found.append(c.s - at)
            at = c.f
        return found, self.run.by_rank[rank].finalize - at

    def latest(self):
        """The latest start and end of each call with which the run does not take longer, by the backward pass."""
        dependents = defaultdict(list)
        for c, needs in self.needs.items():
            for d in needs:
                dependents[d].append(c)
        after, gap = {}, {}
        for rank, of in self.calls.items():
            gaps, last = self.gaps(rank)
            for i, c in enumerate(of):
                after[c] = of[i + 1] if i + 1 < len(of) else None
                gap[c] = gaps[i + 1] if i + 1 < len(of) else last
        start, end = {}, {}

        def later(node):
            c, is_end = node
            if is_end:
                return [(after[c], False)] if after[c] else []
            return [(c, True)] + [(x, True) for x in dependents[c]]

        def done(node):
            return node[0] in (end if node[1] else start)
        todo = [(c, False) for of in self.calls.values() for c in of]
        while todo:
            node = todo[-1]
            missing = [n for n in later(node) if not done(n)]
            if missing:
                todo += missing
                continue
            c, is_end = todo.pop()
            if is_end:
                end[c] = (start[after[c]] if after[c] else self.run.end) - gap[c]
            else:
                start[c] = min(end[x] - self.cost(x) for x in [c] + dependents[c])
        return start, end

    def ideal(self):
        """When each rank ends if messages and MPI take no time; `lasts` is how long each call takes then."""
        self.lasts = {}
        position = {rank: 0 for rank in self.calls}
        clock, started = {p.rank: p.init for p in self.run.processors}, {}
        while any(position[rank] < len(of) for rank, of in self.calls.items()):
            moved = [self.step(rank, position, clock, started) for rank in self.calls]
            assert any(moved), "a cycle"
        return {rank: clock[rank] + self.gaps(rank)[1] for rank in clock}

    def step(self, rank, position, clock, started):
        """Go on as far as a rank can; whether it got any further."""
        gaps, moved = self.gaps(rank)[0], False
        for i in range(position[rank], len(gaps)):
            c = self.calls[rank][i]
            moved = moved or c not in started
            started.setdefault(c, clock[rank] + gaps[i])
            kept = kinds.is_io(c) or c.name in LOCKS
            if any(d not in started for d in self.needs[c]):
                break
            clock[rank] = max([started[c]] + [started[d] for d in self.needs[c]]) + (self.cost(c) if kept else 0)
            self.lasts[c] = clock[rank] - started[c]
            position[rank], moved = i + 1, True
        return moved


JOINT = {"wait at barrier", "wait at N x N", "wait at fence", "early scan"}
LOCKS = {"win_lock", "win_unlock", "win_flush", "win_lock_all", "win_unlock_all", "win_flush_all", "win_flush_local",
         "win_flush_local_all"}


def slack(run, waiting):
    passes = Passes(run, waiting)
    start, end = passes.latest()
    rows = defaultdict(list)
    for p in run.processors:
        of = passes.calls[p.rank]
        for s in spans(p):
            if s.mpi is not None:
                value = end[s.mpi] - s.mpi.f
            else:
                following = next((c for c in of if c.s >= s.end), None)
                value = start[following] - following.s if following else run.end - p.finalize
            rows[s.path, s.level, s.kind].append((s, value))
    result = []
    for (path, level, kind), of in rows.items():
        time = sum(s.length for s, _ in of)
        result.append({"path": path, "level": level, "processors": ranks_text(s.rank for s, _ in of), "kind": kind, "time": seconds(time),
                       "least": seconds(min(v for _, v in of)), "mean": seconds(sum(s.length * v for s, v in of) // time),
                       "unsure": sum(1 for s, _ in of if s.mpi in passes.unsure)})
    return result


slack.keys = ("path", "level", "kind")


def efficiency(run, waiting):
    ideal = Passes(run, waiting).ideal()
    perfect = max(ideal.values()) - run.start
    return [efficiency_row("", 0, run.end - run.start, perfect, [useful(p) for p in run.processors],
                           [io_time(p) for p in run.processors])]


def efficiency_row(region, iteration, whole, perfect, work, io):
    n, most, perfect = len(work), max(work), min(perfect, whole)
    row = {"region": region, "iteration": iteration, "processes": n, "time": seconds(whole), "useful-mean": seconds(sum(work) // n),
           "useful-max": seconds(most), "io-mean": seconds(sum(io) // n)}
    parts = {"efficiency": (sum(work), n * whole), "load-balance": (sum(work), n * most), "communication": (most, whole),
             "serialisation": (most, perfect), "transfer": (perfect, whole)}
    return {**row, **{name: ratio(*part) for name, part in parts.items()}}


def inside_level(operations, level):
    """The outermost operations of a level."""
    return [x for o in operations for x in ([o] if o.level == level else inside_level(o.children, level))]


def mpi_calls(o):
    return [o] if o.is_mpi else [c for child in o.children for c in mpi_calls(child)]


def operations_in(o):
    return [o] + [x for child in o.children for x in operations_in(child)]


def regions(run, waiting, by_iteration=False):
    """With --level app: of each region the time inside, recorded and in the ideal run; none of it is before init or after finalize."""
    passes, rows = Passes(run, waiting), defaultdict(lambda: defaultdict(list))
    passes.ideal()
    for p in run.processors:
        seen = defaultdict(int)
        for o in inside_level(p.outermost, "app"):
            seen[o.name] += 1
            rows[o.name, seen[o.name] if by_iteration else 0][p.rank].append(o)
    result = []
    for (name, number), by_rank in rows.items():
        found = []
        for rank, of in by_rank.items():
            p = run.by_rank[rank]
            inner = [c for o in of for c in mpi_calls(o) if p.init < c.f and c.s < p.finalize]
            took = sum(sum(own(p, x, False)) for o in of for x in operations_in(o))
            whole, mpi = sum(max(0, min(o.f, p.finalize) - max(o.s, p.init)) for o in of), sum(c.f - c.s for c in inner)
            found.append((whole, whole - mpi + sum(passes.lasts[c] for c in inner), whole - mpi - took,
                          sum(c.f - c.s for c in inner if kinds.is_io(c))))
        whole, perfect, work, io = zip(*found)
        result.append(efficiency_row(name, number, max(whole), max(perfect), work, io))
    return result


def iterations(run, waiting):
    return regions(run, waiting, True)


regions.keys = iterations.keys = efficiency.keys = ("region", "iteration")


def over_time(run, waiting, n=20):
    """Of each part of the run the factors of its spans; of the ideal run each call has as much as its time in the part allows, at its begin."""
    passes, rows = Passes(run, waiting), []
    passes.ideal()
    edges = [run.start + (run.end - run.start) * i // n for i in range(n + 1)]
    for start, end in zip(edges, edges[1:]):
        found = []
        for p in run.processors:
            def inside(s, e, p=p):
                return max(0, min(e, end, p.finalize) - max(s, start, p.init))
            work, outside = (sum(inside(s, e) for s, e in of) for of in (useful_stretches(p), outside_mpi(p)))
            of = [(c, inside(c.s, c.f), inside(max(c.s, p.init), min(c.f, max(c.s, p.init) + passes.lasts[c]))) for c in passes.calls[p.rank]]
            found.append((inside(start, end), outside + sum(ideal for _, _, ideal in of), work, sum(time for c, time, _ in of if kinds.is_io(c))))
        whole, perfect, work, io = zip(*found)
        row = efficiency_row("", 0, max(whole), max(perfect), work, io)
        rows.append({"from": seconds(start), "to": seconds(end), **{k: v for k, v in row.items() if k not in ("region", "iteration", "time")}})
    return rows


over_time.keys = ("from",)
