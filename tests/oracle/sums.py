"""Sums over calls: matrix, io, rma, overlap, imbalance."""
from collections import defaultdict

import kinds
from match import calls
from parts import file_name, io_time, median_low, outside_mpi, spans, useful
from table import percent, ratio, seconds
from trace import ranks_text


class Shares:
    """A call that completes several operations is shared by them in equal parts."""

    def __init__(self, matches, of=lambda o: o.f - o.s):
        """`of` is what is shared: the duration of a call, or something else."""
        self.matches, self.of = matches, of

    def end(self, end):
        """The time of one end of a message: its part of the call that posts it, and of the one that completes it."""
        post = end.post
        total = self.of(post) // max(1, len(self.matches.ends[post]))
        if end.request is not None and end.request.done is not None:
            total += self.completion(end.request)
        return total

    def completion(self, request):
        done = request.done
        return self.of(done) // max(1, len(self.matches.completed[done]))

    def call(self, o):
        """A call with a request: itself and its part of the completion."""
        extra = sum(self.completion(r) for r in self.matches.uses.get(o, []) if r.done is not None and r.init is None)
        return self.of(o) + extra


def matrix(run, waiting, key=lambda m: (m[0].rank, m[1].rank), names=("sender", "receiver")):
    """`key` names a row by both ends."""
    matches, shares = waiting.matches, Shares(waiting.matches)
    rows = defaultdict(lambda: [0, 0, 0, 0])
    for m in matches.messages:
        row = rows[key((m.send.post, m.receive.post)) + ("message",)]
        for i, value in enumerate((1, m.send.size, shares.end(m.send), shares.end(m.receive))):
            row[i] += value
    for p in run.processors:
        for o in calls(p):
            if o.name in kinds.ACCESSES:
                add_access(rows, run, matches, shares, o)
    return [{**dict(zip(names, row)), "kind": row[-1], "messages": n, "bytes": size, "send": seconds(sent), "receive": seconds(got)}
            for row, (n, size, sent, got) in rows.items()]


matrix.keys = ("sender", "receiver", "kind")


def add_access(rows, run, matches, shares, o):
    target = run.by_rank[o.rank].communicators["MPI_COMM_WORLD"].ranks[int(o.get("target_rank"))]
    kind = "put" if o.name in kinds.PUTS else "get" if o.name in kinds.GETS else "update"
    row = rows[((target, o.rank) if kind == "get" else (o.rank, target)) + (kind,)]
    row[0] += 1
    row[1] += int(o.get("bytes", 0)) + (int(o.get("rbytes", 0)) if kind == "update" else 0)
    row[3 if kind == "get" else 2] += shares.call(o)


def collectives(run, waiting):
    shares, rows = Shares(waiting.matches), defaultdict(lambda: [0, 0, 0, 0, 0])
    for c in waiting.matches.collectives:
        first = c.posts[min(c.posts)]
        row = rows[(first.get("newcomm") if c.name in kinds.OWN_MEMBERS else first.get("comm")) or first.get("win") or first.get("fh"), c.name]
        row[0] += 1
        for o in c.posts.values():
            for i, value in enumerate((1, int(o.get("bytes", 0)), int(o.get("rbytes", 0)), shares.call(o))):
                row[1 + i] += value
    return [{"communicator": name, "operation": operation, "collectives": n, "incomplete": 0, "calls": count, "bytes_out": out,
             "bytes_in": into, "time": seconds(time)} for (name, operation), (n, count, out, into, time) in rows.items()]


collectives.keys = ("communicator", "operation")


def object_rows(run, waiting, found, names):
    """Rows of io and rma; `found` gives (key, call, bytes)."""
    rows = defaultdict(lambda: [0, 0, 0, 0, defaultdict(int), 0])
    times, waits = Shares(waiting.matches), Shares(waiting.matches, lambda o: sum(w.length for w in waiting.by_call.get(o, [])))
    for key, o, size in found:
        row, time = rows[key], times.call(o)
        row[0] += 1
        row[1] += size
        row[2] += time
        row[3] += size > 0
        row[4][o.rank] += time
        row[5] += waits.call(o)
    result = []
    for key, (n, size, time, moved, by_rank, waited) in rows.items():
        result.append({**dict(zip(names, key)), "calls": n, "bytes": size, "time": seconds(time), "waiting": seconds(waited),
                       "rate": size * 10**9 // time if time else "", "mean_bytes": size // moved if moved else 0,
                       "imbalance": percent(len(run.processors) * max(by_rank.values()) - time, len(run.processors) * max(by_rank.values()))})
    return result


def io(run, waiting):
    files = {}
    def found():
        for p in run.processors:
            for o in calls(p):
                if o.name == "file_open":
                    files[p.rank, o.get("fh")] = o.get("filename")
                if kinds.is_io(o):
                    yield (files.get((p.rank, o.get("fh")), ""), o.name), o, int(o.get("bytes", 0))
    return object_rows(run, waiting, found(), ("file_name", "operation"))


io.keys = ("file_name", "operation")


def rma_kind(name):
    if name in kinds.ACCESSES:
        return "access"
    return "synchronisation" if name in kinds.SYNCHRONISATIONS else "window" if name.startswith("win_") else None


def rma(run, waiting):
    matches = waiting.matches
    def found():
        for p in run.processors:
            for o in calls(p):
                kind = rma_kind(o.name)
                if kind:
                    size = int(o.get("bytes", 0)) + (int(o.get("rbytes", 0)) if o.name in kinds.UPDATES else 0)
                    window = matches.window_names[matches.handles[p.rank, o.get("win")]]
                    yield (window, kind, o.name), o, size
    return object_rows(run, waiting, found(), ("window", "kind", "operation"))


rma.keys = ("window", "kind", "operation")


def overlap(run, waiting):
    rows = defaultdict(lambda: [0, 0, 0, 0, 0, []])
    stretches = {p.rank: outside_mpi(p) for p in run.processors}
    first = {}  # request → the first test that it failed
    for o, (requests, _) in waiting.matches.tested.items():
        for request in requests:
            first[request] = min(first.get(request, o), o, key=lambda test: test.s)
    for request in waiting.matches.requests:
        post, done = request.post, request.done
        if done is None:
            continue
        row = rows[post.path]
        row[0] += 1
        row[1] += done.s - post.f
        row[2] += sum(max(0, min(e, done.s) - max(s, post.f)) for s, e in stretches[post.rank])
        row[3] += done.f - done.s
        tested = first[request].f if request in first else done.s
        row[4] += sum(max(0, min(e, done.s) - max(s, tested)) for s, e in stretches[post.rank])
        row[5].append(post)
    return [{"operation": of[0].name, "file": file_name(of[0].file), "line": of[0].line, "path": path,
             "processors": ranks_text(o.rank for o in of), "requests": n, "flight": seconds(flight), "hidden": seconds(hidden),
             "polling": seconds(polling), "waited": seconds(waited), "share": ratio(hidden, flight + waited)}
            for path, (n, flight, hidden, waited, polling, of) in rows.items()]


overlap.keys = ("path",)


def imbalance(run, waiting):
    times, ranks = defaultdict(lambda: defaultdict(int)), [p.rank for p in run.processors]
    for p in run.processors:
        for s in spans(p):
            times[s.path, s.level, s.kind][p.rank] += s.length
    result = []
    for (path, level, kind), by_rank in times.items():
        t = [by_rank[r] for r in ranks]
        total, n, most, middle = sum(t), len(t), max(t), median_low(t)
        result.append({"path": path, "level": level, "kind": kind, "mean": seconds(total // n), "median": seconds(middle), "max": seconds(most),
                       "imbalance": percent(n * most - total, n * most), "overload": seconds(sum(max(0, n * x - total) for x in t) // n),
                       "factor": ratio(most, middle),
                       "longest": ranks_text(r for r, x in zip(ranks, t) if most - x <= x - total // n)})
    return result


imbalance.keys = ("path", "level", "kind")


def imbalance_by_rank(run, waiting):
    work = {p.rank: useful(p) for p in run.processors}
    middle, result = median_low(list(work.values())), []
    for p in run.processors:
        io_ns, all_ns = io_time(p), sum(min(o.f, p.finalize) - max(o.s, p.init) for o in calls(p) if p.init < o.f and o.s < p.finalize)
        result.append({"processor": p.rank, "useful": seconds(work[p.rank]), "mpi": seconds(all_ns - io_ns),
                       "waiting": seconds(sum(w.length for w in waiting.waits if w.call.rank == p.rank)), "io": seconds(io_ns),
                       "apart": seconds(work[p.rank] - middle), "factor": ratio(work[p.rank], middle)})
    return result


imbalance_by_rank.keys = ("processor",)
