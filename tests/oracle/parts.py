"""What several measures share: the time of a rank as spans, and texts."""
import functools

import kinds
from match import calls


class Span:
    """An interval of a rank in which one thing goes on: `operation` is the innermost one around it; `before` the next
    operation in it, if this is computation up to there. `own`: Hiera has the thread."""

    def __init__(self, rank, start, end, operation, before=None, own=False):
        self.rank, self.start, self.end, self.operation, self.before, self.own = rank, start, end, operation, before, own

    @property
    def length(self):
        return self.end - self.start

    @property
    def kind(self):
        o = self.mpi
        return "hiera" if self.own else "computation" if o is None else "io" if kinds.is_io(o) else "communication"

    @property
    def mpi(self):
        """The outermost MPI call around it."""
        around = self.operation.ancestors() if self.operation else []
        return next((o for o in around if o.is_mpi), None)

    @property
    def path(self):
        steps = [o.step for o in self.operation.ancestors()] if self.operation else []
        if self.own:
            steps.append("Hiera itself")
        elif self.before:
            steps.append("before " + self.before.step)
        return " > ".join(steps) or "processors"

    @property
    def level(self):
        return self.operation.level if self.operation else ""

    def clipped(self, start, end):
        s, e = max(self.start, start), min(self.end, end)
        return Span(self.rank, s, e, self.operation, self.before, self.own) if s < e else None


def spans(p):
    """The whole time of a rank, without gaps."""
    found = [s for t in inside(p.rank, None, p.outermost, p.init, p.finalize) for s in ([t] if t.mpi else apart(t, p.flushes))]
    return [s for s in (t.clipped(p.init, p.finalize) for t in found) if s]


def inside(rank, operation, children, start, end):
    found, at = [], start
    if operation is not None and operation.is_mpi:
        return [Span(rank, start, end, operation)]
    for child in children:
        found.append(Span(rank, at, child.s, operation, child))
        found += inside(rank, child, child.children, child.s, child.f)
        at = child.f
    return found + [Span(rank, at, end, operation)]


def apart(span, flushes):
    """Computation, and what Hiera took of it."""
    found, at = [], span.start
    for start, finish, _ in flushes:
        start, finish = max(start, at), min(finish, span.end)
        if start < finish:
            found += [Span(span.rank, at, start, span.operation, span.before), Span(span.rank, start, finish, span.operation, span.before, True)]
            at = finish
    return found + [Span(span.rank, at, span.end, span.operation, span.before)]


@functools.cache
def outside_mpi(p):
    """When a rank is in no MPI call, between init and finalize."""
    stretches, at = [], p.init
    for o in calls(p):
        stretches.append((at, min(o.s, p.finalize)))
        at = max(o.f, p.init)
    return [(s, e) for s, e in stretches + [(at, p.finalize)] if s < e]


def useful_stretches(p):
    return [(s.start, s.end) for outside in outside_mpi(p) for s in apart(Span(p.rank, *outside, None), p.flushes)
            if not s.own and s.start < s.end]


def useful(p):
    return sum(e - s for s, e in useful_stretches(p))


def own(p, parent=None, all_parents=True):
    """What Hiera took of the main thread between init and finalize, or of it directly in an operation."""
    return [max(0, min(f, p.finalize) - max(s, p.init)) for s, f, o in p.flushes if all_parents or o is parent]


def io_time(p):
    return sum(max(0, min(o.f, p.finalize) - max(o.s, p.init)) for o in calls(p) if kinds.is_io(o))


def median_low(values):
    return sorted(values)[(len(values) - 1) // 2]


def file_name(file):
    return file.rpartition("/")[2]
