"""Whose fault waiting is: delay costs (docs/measures.md, "causes").

The one idea: a wait is a sum of shares, of the paths in which the other rank took longer, and of the waits of that rank,
which are sums of shares in turn. Shares are exact fractions; hiera-transform rounds them to nanoseconds."""
from collections import defaultdict
from fractions import Fraction

import kinds
from parts import spans
from table import seconds

UNEXPLAINED = "(unexplained)"


class Causes:
    def __init__(self, run, waiting):
        self.run, self.waiting = run, waiting
        self.waits_of = defaultdict(list)
        for w in waiting.waits:
            self.waits_of[w.call.rank].append(w)
        self.spans = {p.rank: spans(p) for p in run.processors}
        self.order = {o: n for p in run.processors for n, o in enumerate(p.main)}
        self.meetings = self.find_meetings()
        self.shares = {}

    def find_meetings(self):
        """For each pair of ranks the calls in which a message left and came, or a collective was over: the call in which the
        first one has met the other, on both ranks the call with whose end the time behind it begins, and whether all leave it together."""
        found = defaultdict(list)
        for m in self.waiting.matches.messages:
            a, b = m.send, m.receive
            if b.done is not None:
                found[a.post.rank, b.post.rank].append((a.post, a.post, b.done, False))
                found[b.post.rank, a.post.rank].append((b.done, b.done, a.post, False))
        for c in self.waiting.matches.collectives:
            together = c.name in kinds.ALL_TO_ALL | kinds.OWN_MEMBERS
            for i, a in c.posts.items():
                for j, b in c.posts.items():
                    if i != j and a is not None and b is not None and c.dones[i] is not None:
                        found[i, j].append((c.dones[i], a, b, together))
        return found

    def since(self, w):
        """The end of the last meeting before the wait, on both ranks; the waiting rank first. It is one of all together, or the other
        rank has left it before the half of the wait was over."""
        j, i = w.call.rank, w.cause.rank
        order = self.order
        before = [m for m in self.meetings[j, i] if order[m[0]] < order[w.call] and order[m[2]] < order[w.cause]
                  and (m[3] or m[2].f <= w.start + w.length // 2)]
        if not before:
            return self.run.by_rank[j].init, self.run.by_rank[i].init
        _, a, b, _ = max(before, key=lambda m: (order[m[0]], order[m[2]]))
        return a.f, b.f

    def times(self, rank, start, end):
        """Time by path without waiting, and the waits, in an interval."""
        by_path, waits = defaultdict(int), []
        for s in self.spans[rank]:
            part = s.clipped(start, end)
            if part:
                by_path[part.path] += part.length
        for w in self.waits_of[rank]:
            length = min(w.end, end) - max(w.start, start)
            if length > 0:
                if w.end <= end:
                    waits.append((w, length))
                by_path[w.call.path] -= length
        return by_path, waits

    def of(self, w):
        """(path, rank, class, at, delayed, direct) → the part of this wait, of 1."""
        if w not in self.shares:
            self.shares[w] = {(UNEXPLAINED, None, w, True): Fraction(1)}  # meanwhile, against circles
            self.shares[w] = self.divide(w)
        return self.shares[w]

    def divide(self, w):
        alone = {(UNEXPLAINED, None, w, True): Fraction(1)}
        if w.cause is None:
            return alone
        since_j, since_i = self.since(w)
        mine, _ = self.times(w.call.rank, since_j, w.call.s)
        theirs, waits = self.times(w.cause.rank, since_i, min(w.cause.s, w.end))
        excess = {q: t - mine.get(q, 0) for q, t in theirs.items() if t > mine.get(q, 0)}
        total = sum(excess.values()) + sum(length for _, length in waits)
        if total == 0:
            return alone
        found = defaultdict(Fraction)
        for q, d in excess.items():
            found[q, w.cause.rank, w, True] += Fraction(d, total)
        for other, length in waits:
            for (q, rank, at, _), part in self.of(other).items():
                found[q, rank, at, False] += part * Fraction(length, total)
        return found


def causes(run, waiting):
    delays, rows = Causes(run, waiting), defaultdict(lambda: [Fraction(0), Fraction(0)])
    for w in waiting.waits:
        for (path, _, at, direct), part in delays.of(w).items():
            row = rows[path if path != UNEXPLAINED else "", at.cls, at.call.path.rpartition(" > ")[2]]
            row[0 if direct else 1] += part * w.length
    return [{"path": path, "class": cls, "at": at, "direct": seconds(round(direct)), "indirect": seconds(round(indirect))}
            for (path, cls, at), (direct, indirect) in rows.items()]


def merged(rows):
    """The rows of hiera-transform as those of the oracle: it tells the callers of the call that waits apart."""
    found = defaultdict(lambda: [0, 0])
    for row in rows:
        for i, name in enumerate(("direct", "indirect")):
            found[row["path"], row["class"], row["at"]][i] += int(row[name].replace(".", ""))
    return [{"path": path, "class": cls, "at": at, "direct": seconds(direct), "indirect": seconds(indirect)}
            for (path, cls, at), (direct, indirect) in found.items()]


causes.keys = ("path", "class", "at")
