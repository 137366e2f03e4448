"""What must hold when a measure is narrowed: parts add up to the whole, and two ways to say the same agree."""
from collections import Counter, defaultdict
from decimal import Decimal

import kinds
from table import ask, seconds


# measure, options, the columns that name a row, the columns that add up
IN_TIME = [("times", (), ("processor",), ("communication", "computation", "total")),
           ("profile", (), ("path", "level"), ("inclusive", "exclusive", "mpi")),
           ("hotspots", (), ("level", "operation", "file", "line"), ("mpi", "waiting")),
           ("waits", (), ("class", "path"), ("time",)),
           ("critical-path", (), ("path", "level", "kind"), ("time",)),
           ("overlap", (), ("path",), ("flight", "hidden", "waited")),
           ("imbalance", ("--by", "table"), ("path", "level", "kind", "processor"), ("time",)),
           ("imbalance", ("--by", "rank"), ("processor",), ("useful", "mpi", "waiting", "io")),
           ("counts", (), ("level", "operation"), ("count",)),
           ("statistics", (), ("level", "operation"), ("count", "sum", "bytes")),
           ("matrix", (), ("sender", "receiver", "kind"), ("messages", "bytes", "send", "receive")),
           ("io", (), ("file_name", "operation"), ("calls", "bytes", "time", "waiting")),
           ("rma", (), ("window", "kind", "operation"), ("calls", "bytes", "time", "waiting"))]
BY_RANK = [row for row in IN_TIME if row[0] not in ("matrix",)] + [
    ("slack", (), ("path", "level", "kind"), ("time",)), ("causes", (), ("path", "class", "at"), ("time", "direct", "indirect"))]
# Those that show no callers: --level leaves them out of a path, --where does not
OF_A_LEVEL = [("hotspots",), ("times",), ("counts",), ("statistics",), ("matrix",), ("io",), ("rma",), ("efficiency",), ("histogram",),
              ("over-time",), ("imbalance", "--by", "rank"), ("efficiency", "--by", "region"), ("efficiency", "--by", "iteration")]


def sums(tables, keys, columns):
    total = defaultdict(lambda: [Decimal(0)] * len(columns))
    for rows in tables:
        for row in rows:
            key = tuple(row[k] for k in keys)
            total[key] = [a + Decimal(row[c] or "0") for a, c in zip(total[key], columns)]
    return {key: values for key, values in total.items() if any(values)}


def differences(name, options, keys, columns, whole, parts):
    """`whole` and `parts` as tables."""
    a, b = sums([whole], keys, columns), sums(parts, keys, columns)
    slack = Decimal("0.00000005") if name == "causes" else 0
    return [f"{name} {' '.join(options)} {key}: whole {dict(zip(columns, map(str, a.get(key, [0] * 9))))}, "
            f"parts {dict(zip(columns, map(str, b.get(key, [0] * 9))))}"
            for key in sorted(set(a) | set(b)) if any(abs(x - y) > slack for x, y in
                                                      zip(a.get(key, [Decimal(0)] * len(columns)), b.get(key, [Decimal(0)] * len(columns))))]


def halves(program, folder, run):
    """The time is cut at two places."""
    cuts = [seconds(run.start + (run.end - run.start) * k // 7) for k in (2, 5)]
    parts = (("--to", cuts[0]), ("--from", cuts[0], "--to", cuts[1]), ("--from", cuts[1]))
    found = []
    for name, options, keys, columns in IN_TIME:
        tables = [ask(program, folder, name, options + part) for part in parts]
        found += differences(name, options, keys, columns, ask(program, folder, name, options), tables)
    return found


def ranks(program, folder, run):
    found = []
    for name, options, keys, columns in BY_RANK:
        tables = [ask(program, folder, name, options + ("--ranks", str(p.rank))) for p in run.processors]
        found += differences(name, options, keys, columns, ask(program, folder, name, options), tables)
    return found


def same_words(program, folder, run):
    """--level and --depth, and the same as an expression."""
    depth = max(o.depth for p in run.processors for o in p.operations) // 2
    levels = sorted({o.level for p in run.processors for o in p.operations})
    found = []
    for name, *options in OF_A_LEVEL:
        for one, other in [(("--level", level), ("--where", f'level == "{level}"')) for level in levels] + [
                (("--depth", str(depth)), ("--where", f"depth == {depth}"))]:
            a, b = (ask(program, folder, name, tuple(options) + narrowed) for narrowed in (one, other))
            if not options:  # efficiency names the level
                a, b = ([{**row, "region": ""} for row in rows] for rows in (a, b))
            if a != b:
                at = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
                found.append(f"{name} {' '.join(options)} {' '.join(one)}: {a[at:at + 1]}; {' '.join(other)}: {b[at:at + 1]}")
    return found


# --- Some expressions of --where, each beside what it means in Python ---

class Partners:
    """The rank that `partner.rank` means: of several, the lowest."""

    def __init__(self, matches):
        self.matches = matches

    def of_post(self, post, requests):
        found = [(end.message.receive if end.sends else end.message.send).post.rank for end in self.matches.ends.get(post, [])
                 if end.message is not None and (end.request is None or end.request in requests)]
        c = self.matches.collective_of.get(post)
        if c is not None and c.name in kinds.ONE_TO_ALL | kinds.ALL_TO_ONE:
            root = next(r for r, o in c.posts.items() if o.get("root") == "MPI_ROOT") if c.communicator.remote is not None else \
                c.communicator.ranks[int(post.get("root"))]
            found += [root] if root != post.rank else []
        return found

    def rank(self, o):
        requests = self.matches.completed.get(o) or self.matches.uses.get(o, [])
        found = [r for post in {u.post for u in requests} | {o} for r in self.of_post(post, requests)]
        return min(found, default=None)


def waited(o, waiting):
    return sum(w.length for w in waiting.by_call[o]) + sum(waited(c, waiting) for c in o.children)


def number(o, name):
    value = o.get(name)
    return int(value) if value is not None and value.lstrip("-").isdigit() else None


def more(value, than):
    return value is not None and value > than


EXPRESSIONS = {
    'bytes > 100': lambda o, w: more(number(o, "bytes"), 100),
    'operation =~ "send|^wait.*l$"': lambda o, w: "send" in o.name or o.name == "waitall",
    'duration > 5us && rank in 0-1': lambda o, w: o.f - o.s > 5000 and o.rank in (0, 1),
    'waiting > 10us': lambda o, w: waited(o, w) > 10000,
    'waiting > 0.5 * duration && level == "mpi"': lambda o, w: o.is_mpi and 2 * waited(o, w) > o.f - o.s,
    'inside("app", "step")': lambda o, w: any(a.level == "app" and a.name == "step" for a in o.ancestors()[:-1]),
    'not inside("app", "step") -> depth == 0': lambda o, w:
        any(a.level == "app" and a.name == "step" for a in o.ancestors()[:-1]) or o.depth == 0,
    'parent.operation == "step"': lambda o, w: o.parent is not None and o.parent.name == "step",
    'parent.operation != "step"': lambda o, w: o.parent is not None and o.parent.name != "step",
    'partner.rank == 0': lambda o, w: o.is_mpi and Partners(w.matches).rank(o) == 0,
    'class == "Grid" or line >= 300': lambda o, w: o.cls == "Grid" or o.line >= 300,
    'tag == 1': lambda o, w: number(o, "tag") == 1,
    'comm == "MPI_COMM_WORLD"': lambda o, w: o.get("comm") == "MPI_COMM_WORLD",
    'start < finish - 1ms': lambda o, w: o.f - o.s > 1000000,
    'host == "h1" xor depth > 1': lambda o, w: (o.processor.host == "h1") != (o.depth > 1),
}


def expressions(program, folder, run, waiting):
    found = []
    for text, means in EXPRESSIONS.items():
        mine = Counter((o.level, o.name) for p in run.processors for o in p.operations if means(o, waiting))
        theirs = Counter({(r["level"], r["operation"]): int(r["count"]) for r in ask(program, folder, "counts", ("--where", text))})
        for key in sorted(set(mine) | set(theirs)):
            if mine[key] != theirs[key]:
                found.append(f"--where '{text}': {key}: oracle {mine[key]}, hiera-transform {theirs[key]}")
    return found
