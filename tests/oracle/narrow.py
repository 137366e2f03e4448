"""What must hold when a measure is narrowed: parts add up to the whole, and two ways to say the same agree."""
from collections import defaultdict
from decimal import Decimal

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
