"""What several measures share: the time of a rank as spans, and texts."""
import kinds
from match import calls


class Span:
    """An interval of a rank in which one thing goes on: `operation` is the innermost one around it; `before` the next
    operation in it, if this is computation up to there."""

    def __init__(self, rank, start, end, operation, before=None):
        self.rank, self.start, self.end, self.operation, self.before = rank, start, end, operation, before

    @property
    def length(self):
        return self.end - self.start

    @property
    def kind(self):
        o = self.mpi
        return "computation" if o is None else "io" if kinds.is_io(o) else "communication"

    @property
    def mpi(self):
        """The outermost MPI call around it."""
        around = self.operation.ancestors() if self.operation else []
        return next((o for o in around if o.is_mpi), None)

    @property
    def path(self):
        steps = [o.step for o in self.operation.ancestors()] if self.operation else []
        if self.before:
            steps.append("before " + self.before.step)
        return " > ".join(steps) or "processors"

    @property
    def level(self):
        return self.operation.level if self.operation else ""

    def clipped(self, start, end):
        s, e = max(self.start, start), min(self.end, end)
        return Span(self.rank, s, e, self.operation, self.before) if s < e else None


def spans(p):
    """The whole time of a rank, without gaps."""
    found = inside(p.rank, None, p.outermost, p.init, p.finalize)
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


def outside_mpi(p):
    """Useful stretches of a rank, between init and finalize."""
    stretches, at = [], p.init
    for o in calls(p):
        stretches.append((at, min(o.s, p.finalize)))
        at = max(o.f, p.init)
    return [(s, e) for s, e in stretches + [(at, p.finalize)] if s < e]


def useful(p):
    return sum(e - s for s, e in outside_mpi(p))


def io_time(p):
    return sum(max(0, min(o.f, p.finalize) - max(o.s, p.init)) for o in calls(p) if kinds.is_io(o))


def median_low(values):
    return sorted(values)[(len(values) - 1) // 2]


def file_name(file):
    return file.rpartition("/")[2]
