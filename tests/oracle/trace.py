"""A trace in memory: every element becomes an Operation in a tree.

The one idea: read what docs/format.md says and nothing else, as plainly as xml.etree allows."""
import decimal
import functools
import pathlib
import posixpath
import xml.etree.ElementTree as ET

import kinds

NS = 1000000000
# What the oracle does not read. A trace that has one of these is left out, with the reason.
FOREIGN = {"hieraCall": "compact spelling", "hieraFiltered": "calls were only counted", "hieraPause": "a pause",
           "hieraLost": "lost calls"}


class Unsuitable(Exception):
    """The oracle has no opinion on this trace."""


class Operation:
    """One call. `s` and `f` are nanoseconds; an open call ends with its trace."""

    def __init__(self, element, level, name, parent, processor, thread):
        self.level, self.name, self.parent = level, name, parent
        self.cls = element.get("class", "")
        self.file, self.line = element.get("file", ""), int(element.get("line", "0"))
        self.s = processor.corrected(element.get("start_time"))
        self.f = processor.corrected(element.get("finish_time"))
        self.open = self.f is None
        self.attributes = element.attrib
        self.processor, self.rank, self.thread = processor, processor.rank, thread
        self.depth = parent.depth + 1 if parent else 0
        self.children = []

    def get(self, key, default=None):
        return self.attributes.get(key, default)

    @functools.cached_property
    def step(self):
        """How a path names this operation: `Grid::sum g.c:6`."""
        name = self.cls + "::" + self.name if self.cls else self.name
        return f"{name} {posixpath.basename(self.file)}" + f":{self.line}" * (self.line > 0) if self.file else name

    @property
    def is_mpi(self):
        return self.level == "mpi"

    def ancestors(self):
        """From the outermost operation to this one."""
        return (self.parent.ancestors() if self.parent else []) + [self]

    @functools.cached_property
    def path(self):
        return " > ".join(o.step for o in self.ancestors())

    def __repr__(self):
        return f"<P{self.rank} {self.step} {self.s}-{self.f}>"


class Communicator:
    def __init__(self, element):
        self.name = element.get("name") or element.get("id")
        self.ranks = ranks_of(element.get("ranks"))
        self.remote = ranks_of(element.get("remote")) if element.get("remote") is not None else None
        self.sources = ranks_of(element.get("neighbors_in") or "")
        self.peers = self.remote if self.remote is not None else self.ranks
        self.members = sorted(set(self.ranks) | set(self.remote or []))


class Processor:
    def __init__(self, path):
        try:
            self.root = ET.parse(path).getroot()
        except ET.ParseError:
            raise Unsuitable("a trace that is cut short") from None
        self.rank = int(self.root.get("rank")[1:])
        self.size = int(self.root.get("size", "0"))
        self.host = self.root.get("host", "")
        self.offset = nanoseconds(self.root.get("clock_offset", "0"))
        if decimal.Decimal(self.root.get("clock_drift", "0")) != 0:
            raise Unsuitable("a clock that drifts")
        self.communicators, self.groups, self.flush, self.flushes = {}, {}, 0, []
        self.outermost, self.operations = [], []
        self.has_threads = False
        self.ended = self.root.find("hieraEnd") is not None
        for child in self.root:
            self.read(child, None, 0)
        self.init, self.finalize = self.corrected(self.root.get("init")), self.corrected(self.root.get("finalize"))
        self.close()

    def corrected(self, text):
        return nanoseconds(text) + self.offset if text else None

    def read(self, element, parent, thread):
        tag = element.tag
        if tag in FOREIGN:
            raise Unsuitable(FOREIGN[tag])
        if tag == "hieraThread":
            self.has_threads = True
            for child in element:
                self.read(child, None, int(element.get("id")))
        elif tag == "hieraComm":
            self.communicators[element.get("id")] = Communicator(element)
        elif tag == "hieraGroup":
            self.groups[element.get("id")] = ranks_of(element.get("ranks"))
        elif tag == "hieraFlush":
            start, finish = self.corrected(element.get("start_time")), self.corrected(element.get("finish_time"))
            self.flush += finish - start
            if thread == 0 and not (parent and any(o.is_mpi for o in parent.ancestors())):
                self.flushes.append((start, finish, parent))
        elif tag in ("hieraMPI", "hieraOOPS", "hieraRegion"):
            self.read_operation(element, parent, thread)

    def read_operation(self, element, parent, thread):
        level = {"hieraMPI": "mpi", "hieraOOPS": "oops"}.get(element.tag) or element.get("level")
        name = element.get("method") if element.tag == "hieraOOPS" else element.get("operation")
        operation = Operation(element, level, name, parent, self, thread)
        if thread == 0:
            (parent.children if parent else self.outermost).append(operation)
        self.operations.append(operation)
        for child in element:
            self.read(child, operation, thread)

    def close(self):
        """Calls that were open, and a run that was ended, end at the time of `hieraEnd`, or with the last time seen. No MPI call of the main thread
        that is not local ends after finalize; where a trace says so, the last of them ends the run."""
        end = self.root.find("hieraEnd")
        times = [o.s for o in self.operations] + [o.f for o in self.operations if o.f is not None] + [self.init or 0]
        last = self.corrected(end.get("time")) if end is not None and end.get("time") else max(times)
        if self.finalize is None or any(o.f is None for o in self.operations):
            self.finalize = max(self.finalize or 0, last)
        else:
            self.finalize = max([self.finalize] + [o.f for o in self.operations
                                                    if o.thread == 0 and o.level == "mpi" and o.name not in kinds.LOCAL and o.f is not None])
        for o in self.operations:
            o.f = last if o.f is None else o.f

    @property
    def main(self):
        return [o for o in self.operations if o.thread == 0]


class Run:
    """All traces of one job."""

    def __init__(self, folder):
        self.processors = sorted((Processor(p) for p in pathlib.Path(folder).glob("trace*.xml")), key=lambda p: p.rank)
        if not self.processors:
            raise Unsuitable("no trace")
        self.by_rank = {p.rank: p for p in self.processors}
        if len(self.by_rank) < len(self.processors) or len({p.root.get("job") for p in self.processors}) > 1:
            raise Unsuitable("several runs")
        if len(self.by_rank) < max(p.size for p in self.processors):
            raise Unsuitable("a rank is missing")
        if any(o.line == 0 and ("+0x" in o.file or not o.file) for p in self.processors for o in p.operations):
            raise Unsuitable("places without a line")
        if any(o.get("error") or o.get("left") for p in self.processors for o in p.operations):
            raise Unsuitable("a call failed")

    @property
    def total(self):
        return sum(p.finalize - p.init for p in self.processors)

    @property
    def start(self):
        return min(p.init for p in self.processors)

    @property
    def end(self):
        return max(p.finalize for p in self.processors)


def nanoseconds(text):
    return int(decimal.Decimal(text) * NS)


def ranks_of(text):
    """`0-6:2 9` → [0, 2, 4, 6, 9]"""
    ranks = []
    for part in text.split():
        bounds, _, step = part.partition(":")
        first, _, last = bounds.partition("-")
        ranks += range(int(first), int(last or first) + 1, int(step or 1))
    return ranks


def ranks_text(ranks):
    """[0, 1, 2, 5] → `0-2 5`, as tables write it."""
    parts, ranks = [], sorted(set(ranks))
    while ranks:
        n = 1
        while n < len(ranks) and ranks[n] == ranks[0] + n:
            n += 1
        parts.append(str(ranks[0]) if n == 1 else f"{ranks[0]}-{ranks[n - 1]}")
        ranks = ranks[n:]
    return " ".join(parts)
