"""diff of a run and the same one at half the speed (docs/measures.md, "diff"): every number follows from `profile`.

It does not align different programs."""
import pathlib
import random
import re
import subprocess
import xml.etree.ElementTree as ET
from collections import defaultdict

import counting
from table import ask, compare, percent, seconds
from trace import Run, ranks_text


TIMES = re.compile(r'\b(init|finalize|start_time|finish_time|clock_offset|time)="([0-9.]+)"')


def slow_down(folder, to):
    """Copy a run; all of its times are twice as long."""
    to.mkdir(parents=True)
    for path in sorted(pathlib.Path(folder).glob("trace*.xml")):
        def twice(match):
            return f'{match[1]}="{seconds(2 * nanoseconds(match[2]))}"'
        (to / path.name).write_text(TIMES.sub(twice, path.read_text(encoding="utf-8")), encoding="utf-8")
    return to


def nanoseconds(text):
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int((part + "000000000")[:9])


def rows(run, waiting):
    found, n = counting.profile(run, waiting), len(run.processors)
    whole = nanoseconds(found[0]["inclusive"])
    result = []
    for row in found:
        time, own, mpi = (nanoseconds(row[name]) for name in ("inclusive", "exclusive", "mpi"))
        result.append({"path": "whole run" if row["path"] == "processors" else row["path"].partition(" > ")[2], "level": row["level"],
                       "time_a": seconds(time // n), "time_b": seconds(2 * time // n), "change": seconds(time // n), "own": seconds(own // n),
                       "mpi": seconds(mpi // n), "share": percent(time, whole), "calls_a": row["calls"], "calls_b": row["calls"],
                       "max_a": row["max"], "max_b": seconds(2 * nanoseconds(row["max"])), "noise": seconds(0)})
    return result


def differences(program, folder, run, waiting, scratch):
    slow = slow_down(folder, scratch)
    return compare(rows(run, waiting), ask(program, folder, "diff", (str(slow),)), ("path", "level"))


# --- diff of a run and another one whose source has changed (docs/measures.md, "diff"): paths are aligned, and ranks part ---

NONE = None


def change(folder, to, seed):
    """Copy a run, changed at random."""
    r = random.Random(seed)
    to.mkdir(parents=True)
    moved = r.choice((0, 0, 1, 5))
    lines = {line: line + moved + r.choice((0, 0, 0, 1, 2)) for line in range(1000)}
    paths = sorted(pathlib.Path(folder).glob("trace*.xml"))
    kept = paths[:len(paths) - r.choice((0, 0, 0, 1))]
    for path in kept:
        tree = ET.parse(path)
        tree.getroot().set("size", str(len(kept)))
        for around in list(tree.iter()):
            for element in list(around):
                if element.tag in ("hieraRegion", "hieraOOPS") and len(element) == 0 and r.random() < 0.05:
                    around.remove(element)
                elif element.get("line"):
                    element.set("line", str(lines[int(element.get("line"))]))
                    element.set("file", "elsewhere/" + element.get("file").rpartition("/")[2])
                    if element.tag == "hieraRegion" and r.random() < 0.05:
                        element.set("operation", "other")
        tree.write(to / path.name)
    return to


class Own:
    """What Hiera took of an operation, as a callee."""
    level = cls = file = ""
    line, children, is_mpi, name, step = 0, [], False, "Hiera itself", "Hiera itself"
    key = (level, cls, name, file, line)

    def __init__(self, p, start, finish):
        self.s, self.f = max(start, p.init), min(finish, p.finalize)


class Node:
    """Operations with one path. `by_rank` has those of each rank."""

    def __init__(self, o):
        self.level, self.cls, self.name, self.line = o.level, o.cls, o.name, o.line
        self.file, self.step = pathlib.PurePosixPath(o.file).name, o.step
        self.children, self.by_rank = {}, defaultdict(list)


def nodes(siblings, into, p, parent=None):
    rank, own = p.rank, [Own(p, start, finish) for start, finish, around in p.flushes if around is parent]
    for o in siblings + [o for o in own if o.s < o.f]:
        node = into.setdefault((o.level, o.cls, o.name, o.file, o.line), None) or Node(o)
        into[o.level, o.cls, o.name, o.file, o.line] = node
        node.by_rank[rank].append(o)
        if not isinstance(o, Own):
            nodes(o.children, node.children, p, o)


def tree(run):
    found = {}
    for p in run.processors:
        nodes(p.outermost, found, p)
    return found


PASSES = (lambda n: (n.level, n.cls, n.name, n.file, n.line), lambda n: (n.level, n.cls, n.name, n.file), lambda n: (n.level, n.cls, n.name))


def pairs(a, b):
    """The callees of one caller in both runs, those that are the same together; None where a run has none."""
    left, right, found = list(a.values()), list(b.values()), []
    for same in PASSES:
        for key in {same(n) for n in left}:
            of_a, of_b = (sorted((n for n in nodes if same(n) == key), key=lambda n: (n.file, n.line)) for nodes in (left, right))
            found += zip(of_a, of_b)
        left, right = [n for n in left if n not in [x for x, _ in found]], [n for n in right if n not in [y for _, y in found]]
    return found + [(n, None) for n in left] + [(None, n) for n in right]


def align(a, b, paths=("", "")):
    """(path, node of a, node of b), from the outside in. The path is that of the first run that has it."""
    result = []
    for x, y in pairs(a, b):
        here = tuple((path and path + " > ") + node.step if node else "" for path, node in zip(paths, (x, y)))
        result += [(here[0] or here[1], x, y)] + align(x.children if x else {}, y.children if y else {}, here)
    return result


def sums(node, n):
    """Of a node in a run of n ranks: calls, times per rank, greatest time of a rank, in ns."""
    of = [o for each in node.by_rank.values() for o in each] if node else []
    took = node.children[Own.key].by_rank.values() if node and Own.key in node.children else []
    time, inner = sum(o.f - o.s for o in of), sum(c.f - c.s for o in of for c in o.children) + sum(o.f - o.s for each in took for o in each)
    mpi = sum(c.f - c.s for o in of for c in counting.mpi_inside(o))
    most = max((sum(o.f - o.s for o in each) for each in node.by_rank.values()), default=0) if node else 0
    return {"calls": len(of), "time": time // n, "own": (time - inner) // n, "mpi": mpi // n, "max": max(most, 0)}


def of_whole(run):
    row, n = counting.whole(run), len(run.processors)
    return {"calls": row["calls"], "max": nanoseconds(row["max"]),
            **{to: nanoseconds(row[name]) // n for to, name in (("time", "inclusive"), ("own", "exclusive"), ("mpi", "mpi"))}}


def rows_of_changed(a, b):
    whole = of_whole(a), of_whole(b)
    sides = [("whole run", "", *whole, "")]
    for path, x, y in align(tree(a), tree(b)):
        only = "only in b" if x is None else "only in a" if y is None else ""
        sides.append((path, (x or y).level, sums(x, len(a.processors)), sums(y, len(b.processors)), only))
    return [{"path": path, "level": level, "time_a": seconds(x["time"]), "time_b": seconds(y["time"]), "change": seconds(y["time"] - x["time"]),
             "own": seconds(y["own"] - x["own"]), "mpi": seconds(y["mpi"] - x["mpi"]),
             "share": max((percent(side["time"], all_of["time"]) for side, all_of in zip((x, y), whole)), key=float),
             "calls_a": x["calls"], "calls_b": y["calls"], "max_a": seconds(x["max"]), "max_b": seconds(y["max"]),
             "verdict": only or ("same" if x["time"] == y["time"] else "unknown")} for path, level, x, y, only in sides]


def places(run, side, aligned):
    """By operation: its place in the program, which is the same for both runs."""
    return {o: i for i, found in enumerate(aligned) for each in (found[side].by_rank.values() if found[side] else []) for o in each}


def parting(a, b, names):
    """What is said about where calls part; "" if they do not."""
    aligned = [found[1:] for found in align(tree(a), tree(b))]
    in_a, in_b, found = places(a, 0, aligned), places(b, 1, aligned), []
    both = sorted(set(a.by_rank) & set(b.by_rank))
    for rank in both:
        calls = a.by_rank[rank].main, b.by_rank[rank].main
        where = [in_a[o] for o in calls[0]] + [NONE], [in_b[o] for o in calls[1]] + [NONE]
        equal = next((i for i, (x, y) in enumerate(zip(*where)) if x != y), None)
        if equal is not None:
            found.append((equal, rank, [side[equal:equal + 1] for side in calls], [side[equal] for side in where]))
    if not found:
        return ""
    equal, first, ops, _ = min(found, key=lambda at: at[:2])
    ranks, which = [at[1] for at in found], ranks_text(at[1] for at in found)
    who = (f"rank {first}" if len(both) == 1 else "both ranks" if len(ranks) == len(both) == 2 else f"all {len(ranks)} ranks" if len(ranks) == len(both)
           else f"{len(ranks)} of {len(both)} ranks ({'rank ' if len(ranks) == 1 else ''}{which})")
    alike = all((at[0], at[3]) == (equal, found[ranks.index(first)][3]) for at in found)
    said = ", ".join(f"{side[0].step if side else 'no further call'} in {name}" for side, name in zip(ops, names))
    most = max(len(a.by_rank), len(b.by_rank))
    rest = f"; of {len(a.by_rank)} and {len(b.by_rank)} ranks, those were compared that both runs have" if len(both) < most else ""
    return f"the calls of {who} part{'' if alike else f', first those of rank {first}'} after {equal} equal one{'s' * (equal != 1)}: {said}{rest}"


def differences_of_changed(program, folder, run, scratch, seed):
    other = change(folder, scratch, seed)
    done = subprocess.run([program, str(folder), str(other), "--measure", "diff", "--top", "1"], capture_output=True, text=True, timeout=120)
    told = next((line.partition(": ")[2] for line in done.stderr.splitlines() if "the calls of" in line), "")
    b = Run(other)
    mine = parting(run, b, (str(folder), str(other)))
    found = compare(rows_of_changed(run, b), ask(program, folder, "diff", (str(other),)), ("path", "level", "time_a", "time_b"))
    return found + ([] if told == mine else [f"parting: oracle {mine}", f"parting: hiera-transform {told}"])
